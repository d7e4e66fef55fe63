"""Steps: several methods, one after the other.

In: methods, and a grown tree with what they may look at. Out: the tree that the last one leaves, and one report of all
decisions in the node numbers of the grown tree. Each method sees the tree that the one before left, and nothing else
of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import ParameterError
from treewright.model.tree import Tree
from treewright.prune.method import JOIN, Material, Method, Pruned
from treewright.prune.report import PruningReport
from treewright.prune.report_page import STEP
from treewright.prune.units import one_row


@dataclass(frozen=True, slots=True)
class Steps(Method):
    """Several methods in a row, each applied to the tree that the one before left; a list given as `pruning` is this.

    methods  the methods, the first one first

    The report has the visits of the first step, then those of the second, and so on, all in the numbers of the grown
    tree; `report.steps` are the reports of the steps by themselves.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic, SameDecision
    >>> pruned = Steps((SameDecision(), Pessimistic(standard_errors=2))).prune(golf_example())
    >>> pruned.tree.n_leaves, pruned.report.method
    (3, 'same_decision+pessimistic')
    >>> [(one.details["step"], one.node, one.verdict) for one in pruned.report]
    [(1, 1, 'kept'), (1, 3, 'kept'), (1, 0, 'kept'), (2, 0, 'kept'), (2, 1, 'pruned'), (2, 3, 'pruned')]
    """

    methods: tuple[Method, ...]

    name: ClassVar[str] = "steps"

    def __post_init__(self) -> None:
        given = self.methods
        if not isinstance(given, list | tuple):
            raise ParameterError(f"methods={given!r} is no sequence; give a list or tuple of methods.")
        for one in given:
            if not isinstance(one, Method):
                raise ParameterError(f"methods holds {one!r}; give objects of treewright.prune, such as Global().")
        inner = tuple(part for one in given for part in (one.methods if isinstance(one, Steps) else (one,)))
        if not inner:
            raise ParameterError("methods is empty; give one method at least, or pruning=None to prune nothing.")
        object.__setattr__(self, "methods", inner)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The methods; with `deep` also their parameters, such as `error_based__confidence`.

        A method that is there several times has none: its name would not say which of them is meant.
        """
        found: dict[str, Any] = {"methods": self.methods}
        if deep:
            for one in self._by_name().values():
                found |= {f"{one.name}__{name}": value for name, value in one.get_params().items()}
        return found

    def with_params(self, **parameters: Any) -> "Steps":
        """The same steps with other values of some of their parameters."""
        changed = Steps(parameters.pop("methods", self.methods))
        for key, value in parameters.items():
            step, _, name = key.partition("__")
            one = changed._by_name().get(step)
            if one is None or not name:
                listed = ", ".join(repr(f"{name}__...") for name in changed._by_name())
                raise ParameterError(f"'steps' has no parameter {key!r}; it takes 'methods', {listed}.")
            new = one.with_params(**{name: value})
            changed = Steps(tuple(new if method is one else method for method in changed.methods))
        return changed

    def _by_name(self) -> dict[str, Method]:
        """The methods that are there once, by name."""
        names = [one.name for one in self.methods]
        return {one.name: one for one in self.methods if names.count(one.name) == 1}

    @property
    def for_numbers(self) -> bool:  # type: ignore[override]
        """Whether all of them have a meaning for regression."""
        return all(one.for_numbers for one in self.methods)

    @property
    def needs(self) -> frozenset[str]:
        return frozenset().union(*(one.needs for one in self.methods))

    @property
    def uses(self) -> frozenset[str]:
        """What one of them can make use of."""
        return frozenset().union(*(one.uses for one in self.methods))

    @property
    def label(self) -> str:
        """The names of the methods."""
        return JOIN.join(one.label for one in self.methods)

    def refuse_without_validation(self) -> None:
        """Refuse to go on where one of them needs validation rows and there are none."""
        for one in self.methods:
            one.refuse_without_validation()

    def check_target(self, is_number: bool) -> None:
        """Refuse a kind of target that one of them has no meaning for."""
        for one in self.methods:
            one.check_target(is_number)

    def prune_by(self, material: Material) -> Pruned:
        """The tree that the last step leaves, and the report of all."""
        for one in self.methods:
            one.check_material(material)
        tree, reports = material.tree, []
        for i, method in enumerate(self.methods):
            found = method.prune_by(replace(material, tree=tree, grow=self._grow_up_to(i, material)))
            reports.append(found.report)
            tree = found.tree
        return Pruned(tree, joined(reports))

    def _grow_up_to(self, i: int, material: Material) -> Any:
        """Grows trees as the one that comes to the i-th step was made: those of folds go through the steps before."""
        grow = material.grow
        if grow is None or i == 0:
            return grow
        before = Steps(self.methods[:i])

        def regrow(rows: Dataset) -> Tree:
            grown = grow(rows)
            part = replace(material, tree=grown, rows=rows, unit=one_row(rows), n_jobs=1)
            return grown if grown.n_nodes == 1 else before.prune_by(part).tree

        return regrow

    def _prune(self, material: Material) -> Pruned:
        raise AssertionError("each step turns weights into rows by itself")


def joined(steps: Sequence[PruningReport]) -> PruningReport:
    """One report of steps, each of which tells of the tree that the one before left.

    Its nodes have the numbers of the tree that the first step began with; a node that a branch was raised to keeps the
    number of its place. `method` names all methods, `rule` and `unit` have the rules and units in order, `details`
    those of all steps, NaN where a step has none of the name. The path of a step belongs to its own tree and stays
    there.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic, SameDecision
    >>> first = SameDecision().prune(golf_example())
    >>> joined([first.report, Pessimistic().prune(first.tree).report]).unit
    'other answers, errors'
    """
    place = np.arange(steps[0].tree.n_nodes)
    nodes = []
    for one in steps:
        nodes.append(place[one.node])
        place = place[one.origin]
    columns: dict[str, Any] = {
        name: np.concatenate([np.asarray(getattr(one, name)) for one in steps])
        for name in ("leaf", "subtree", "allowance", "verdict", "weight")
    }
    raises = any(one.branch is not None for one in steps)
    return PruningReport(
        tree=steps[0].tree,
        method=JOIN.join(one.method for one in steps),
        rule=" ".join(f"{i}. {one.rule}" for i, one in enumerate(steps, 1)),
        unit=", ".join(dict.fromkeys(one.unit for one in steps)),
        node=np.concatenate(nodes),
        origin=place,
        details=_details(steps),
        branch=np.concatenate([_column(one.branch, len(one)) for one in steps]) if raises else None,
        steps=tuple(steps),
        **columns,
    )


def nodes_of(report: PruningReport, node: int) -> list[int]:
    """The number that a node of the grown tree has in the tree that came to each step; -1 where it is gone.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic, SameDecision
    >>> report = Steps((Pessimistic(standard_errors=2), SameDecision())).prune(golf_example()).report
    >>> nodes_of(report, 3), nodes_of(report, 6)
    ([3, 3], [6, -1])
    """
    place, found = np.arange(report.tree.n_nodes), []
    for one in report.steps:
        at = np.flatnonzero(place == node)
        found.append(int(at[0]) if len(at) else -1)
        place = place[one.origin]
    return found


def _details(steps: Sequence[PruningReport]) -> dict[str, NDArray[Any]]:
    """The further columns of all steps, and which step a visit belongs to."""
    counts = [len(one) for one in steps]
    found: dict[str, NDArray[Any]] = {STEP: np.repeat(np.arange(1, len(steps) + 1), counts)}
    for name in dict.fromkeys(name for one in steps for name in one.details):
        found[name] = np.concatenate([_column(one.details.get(name), len(one)) for one in steps])
    return found


def _column(column: NDArray[Any] | None, n: int) -> NDArray[Any]:
    return np.full(n, np.nan) if column is None else np.asarray(column)
