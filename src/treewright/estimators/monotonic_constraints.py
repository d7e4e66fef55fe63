"""Monotonic constraints: the parameter `monotonic_cst`, and how pruning and probabilities respect it.

The parameter is checked here and becomes 1, 0 or -1 for each column of a plan; growth keeps the order.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright import prune
from treewright.data.schema import Schema
from treewright.errors import ParameterError, one_of
from treewright.grow.plan import Plan, check_monotonic
from treewright.prune.method import METHOD_SEPARATOR

if TYPE_CHECKING:
    from treewright.prune.report import PruningReport

ADVICE = (
    "pass 1 (predictions must not fall as the column rises), -1 (they must not rise) or 0 (no constraint) for each "
    "column, or a dict by column name or position"
)
KEEPS_ORDER = {"frequency": True, "laplace": False, "m-estimate": False, "shrinkage": True}
"""The values of `probability`, and whether leaves whose class proportions are in order keep their order."""


def read_monotonic(given: Any, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the direction of each column (1, 0 or -1); empty if no column is constrained.

    >>> read_monotonic({"age": -1}, ("income", "age")), read_monotonic([0, 1], ("income", "age"))
    ((0, -1), (0, 1))
    >>> read_monotonic({0: 0}, ("income", "age"))
    ()
    """
    if given is None:
        return ()
    if isinstance(given, Mapping):
        found = [0] * len(names)
        named: set[int] = set()
        for item, value in given.items():
            position = _column_position(item, names)
            if position in named:
                raise ParameterError(f"monotonic_cst has the column {names[position]!r} twice; pass it once.")
            named.add(position)
            found[position] = _direction(value, f"monotonic_cst[{item!r}]")
    else:
        found = [_direction(value, f"monotonic_cst[{i}]") for i, value in enumerate(_constraint_list(given))]
        if len(found) != len(names):
            raise ParameterError(
                f"monotonic_cst must have one entry for each of the {len(names)} columns, got {len(found)}; or pass a "
                "dict by column name or position."
            )
    return tuple(found) if any(found) else ()


def has_constraints(given: Any) -> bool:
    """Return whether any column is constrained, as far as that is known without a table; checks all entries.

    >>> has_constraints(None), has_constraints([0, 0]), has_constraints({"age": 1})
    (False, False, True)
    """
    if given is None:
        return False
    pairs = given.items() if isinstance(given, Mapping) else enumerate(_constraint_list(given))
    directions = [_direction(value, f"monotonic_cst[{item!r}]") for item, value in pairs]
    return any(directions)


def with_constraints(plan: Plan, given: Any, schema: Schema) -> Plan:
    """Return the plan with constraints for a table of this schema; refuse constraints that cannot apply.

    >>> from treewright.data.schema import Column, Kind, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> with_constraints(Plan(), {"age": 1}, schema).monotonic
    (1,)
    """
    directions = () if given is None else read_monotonic(given, schema.names)
    if not directions:
        return plan
    check_monotonic(schema, directions)
    return replace(plan, monotonic=directions)


def without_raising(method: Any) -> Any:
    """Return the method without subtree raising: a raised branch would leave the bounds it was grown in.

    >>> without_raising(prune.ErrorBased()).raising
    False
    """
    if isinstance(method, prune.Steps):
        return prune.Steps(tuple(without_raising(one) for one in method.methods))
    return replace(method, raising=False) if isinstance(method, prune.ErrorBased) else method


def with_raising_remark(report: "PruningReport | None", plan: Plan) -> "PruningReport | None":
    """Return the pruning report with the remark that constraints forbid raising, if they do."""
    if report is None or not any(plan.monotonic) or prune.ErrorBased.name not in report.method.split(METHOD_SEPARATOR):
        return report
    from treewright.prune.report_messages import NOT_RAISED

    return replace(report, rule=f"{report.rule} {NOT_RAISED}")


def keeps_order(probability: str) -> bool:
    """Return whether probabilities are in order if the class proportions of the leaves are.

    A monotone tree keeps its predictions in order by bounds on the class proportions of its nodes. Frequencies are
    these proportions. Hierarchical shrinkage is a weighted mean of the proportions on the path from the root: two
    leaves have the same nodes above the split that separates them, with the same weights, and below it one has only
    proportions below the bound and the other only proportions above it. Laplace's correction and the m-estimate change
    a leaf the more the smaller it is: 90 of 100 rows become 0.892, 2 of 2 rows become 0.75, and the order is lost.

    >>> keeps_order("shrinkage"), keeps_order("laplace")
    (True, False)
    """
    return KEEPS_ORDER[one_of("probability", probability, KEEPS_ORDER)]


def _constraint_list(given: Any) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise ParameterError(f"monotonic_cst must be a sequence or a dict, got {given!r}; {ADVICE}.")
    return list(given)


def _direction(value: Any, who: str) -> int:
    is_number = isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))
    if not is_number or value not in (-1, 0, 1):
        raise ParameterError(f"{who} must be 1, -1 or 0, got {value!r}; {ADVICE}.")
    return int(value)


def _column_position(item: Any, names: tuple[str, ...]) -> int:
    if isinstance(item, str):
        if item in names:
            return names.index(item)
        close = get_close_matches(item, names) or list(names[:10])
        raise ParameterError(
            f"monotonic_cst names the unknown column {item!r}; the closest names are {', '.join(map(repr, close))}."
        )
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        if 0 <= item < len(names):
            return int(item)
        raise ParameterError(
            f"monotonic_cst has the position {item}, but the positions of the columns are 0 to {len(names) - 1}."
        )
    raise ParameterError(f"monotonic_cst names {item!r}, which is not a column name or position; {ADVICE}.")
