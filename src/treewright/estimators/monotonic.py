"""monotonic_cst: from what the user wrote to the senses of a plan, and what else must keep the order.

In: the parameter, the columns of a table, a method of pruning. Out: 1, 0 or -1 for each column, or an error that names
the entry; the method as a monotone tree can have it. Growth itself keeps the order (`treewright.grow.monotonic`).
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
from treewright.grow.monotonic import refuse_disorder
from treewright.grow.plan import Plan
from treewright.prune.method import JOIN

if TYPE_CHECKING:
    from treewright.prune.report import PruningReport

ADVICE = (
    "give 1 (answers rise with the column), -1 (they fall) or 0 (neither) for each column, "
    "or a dict of column names or positions"
)
ORDERLY = {"frequency": True, "laplace": False, "m-estimate": False, "shrinkage": True}
"""Ways from class weights to probabilities, and whether leaves in order stay in order."""
NOT_RAISED = " No branch is raised: in its new place it could break the order that monotonic_cst asks for."


def read_monotonic(given: Any, names: tuple[str, ...]) -> tuple[int, ...]:
    """The sense of each of these columns; none at all where nothing is constrained.

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
            place = _place(item, names)
            if place in named:
                raise ParameterError(f"monotonic_cst has the column {names[place]!r} twice; give it once.")
            named.add(place)
            found[place] = _sense(value, f"monotonic_cst[{item!r}]")
    else:
        found = [_sense(value, f"monotonic_cst[{i}]") for i, value in enumerate(_entries(given))]
        if len(found) != len(names):
            raise ParameterError(
                f"monotonic_cst has {len(found)} entries, but the table has {len(names)} columns; give one for each, "
                "or a dict of column names or positions."
            )
    return tuple(found) if any(found) else ()


def constrains(given: Any) -> bool:
    """Whether the parameter asks for an order at all, as far as it can be told without a table.

    >>> constrains(None), constrains([0, 0]), constrains({"age": 1})
    (False, False, True)
    """
    if given is None:
        return False
    pairs = given.items() if isinstance(given, Mapping) else enumerate(_entries(given))
    senses = [_sense(value, f"monotonic_cst[{item!r}]") for item, value in pairs]  # all of them are checked
    return any(senses)


def with_order(plan: Plan, given: Any, schema: Schema) -> Plan:
    """The plan for a table with this schema, its constraints by column; refused where they have no meaning.

    >>> from treewright.data.schema import Column, Kind, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> with_order(Plan(), {"age": 1}, schema).monotonic
    (1,)
    """
    senses = () if given is None else read_monotonic(given, schema.names)
    if not senses:
        return plan
    refuse_disorder(schema, senses)
    return replace(plan, monotonic=senses)


def in_place(method: Any) -> Any:
    """The method without raising: a branch that takes the place of the node above leaves the bounds it grew in.

    >>> in_place(prune.ErrorBased()).raising
    False
    """
    if isinstance(method, prune.Steps):
        return prune.Steps(tuple(in_place(one) for one in method.methods))
    return replace(method, raising=False) if isinstance(method, prune.ErrorBased) else method


def told_in_place(report: "PruningReport | None", plan: Plan) -> "PruningReport | None":
    """The report of pruning, which says where branches are not raised for the sake of the order."""
    if report is None or not any(plan.monotonic) or prune.ErrorBased.name not in report.method.split(JOIN):
        return report
    return replace(report, rule=report.rule + NOT_RAISED)


def keeps_order(probability: str) -> bool:
    """Whether probabilities made in this way are in order where the class shares of the leaves are.

    The answers of a monotone tree are kept apart by bounds on the class shares of its nodes. Frequencies are these
    shares. Hierarchical shrinkage answers with a weighted mean of the shares on the way from the root: two leaves apart
    have the same nodes above the split that parts them with the same weights, and below it one has only shares beneath
    the bound and the other only shares above it. Laplace's correction and the m-estimate move a leaf the further the
    lighter it is: 90 of 100 rows become 0.892, 2 of 2 rows become 0.75, and the order is lost.

    >>> keeps_order("shrinkage"), keeps_order("laplace")
    (True, False)
    """
    return ORDERLY[one_of("probability", probability, ORDERLY)]


def _entries(given: Any) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise ParameterError(f"monotonic_cst={given!r} cannot be used; {ADVICE}.")
    return list(given)


def _sense(value: Any, who: str) -> int:
    is_number = isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))
    if not is_number or value not in (-1, 0, 1):
        raise ParameterError(f"{who} is {value!r}; {ADVICE}.")
    return int(value)


def _place(item: Any, names: tuple[str, ...]) -> int:
    if isinstance(item, str):
        if item in names:
            return names.index(item)
        close = get_close_matches(item, names) or list(names[:10])
        raise ParameterError(
            f"monotonic_cst names the column {item!r}, which the table does not have; the closest names are "
            f"{', '.join(map(repr, close))}."
        )
    if isinstance(item, (int, np.integer)) and not isinstance(item, bool):
        if 0 <= item < len(names):
            return int(item)
        raise ParameterError(
            f"monotonic_cst has the position {item}, but the columns are numbered 0 to {len(names) - 1}."
        )
    raise ParameterError(f"monotonic_cst names {item!r}, which is no column; {ADVICE}.")
