"""Several pruning methods, one after the other: each prunes the tree that the one before returned.

The report has the decisions of all steps, with the node numbers of the grown tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import ParameterError
from treewright.model.tree import Tree
from treewright.prune.method import (
    METHOD_SEPARATOR,
    Method,
    Pruned,
    PruningInput,
    RaiseBranches,
    weight_of_one_row,
)
from treewright.prune.report import PruningReport
from treewright.prune.report_text import STEP


@dataclass(frozen=True, slots=True)
class Steps(Method):
    """Several methods, each applied to the tree that the one before returned; a list passed as `pruning` is this.

    Parameters
    ----------
    methods : list or tuple of Method
        The methods, in order.

    Notes
    -----
    The report has the visits of the first step, then those of the second, and so on, all with the node numbers of the
    grown tree; `report.steps` are the reports of the single steps.

    Examples
    --------
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
            raise ParameterError(f"methods must be a list or tuple of methods, got {given!r}.")
        for one in given:
            if not isinstance(one, Method):
                raise ParameterError(
                    f"methods must contain methods of treewright.prune, such as Global(), got {one!r}."
                )
        inner = tuple(part for one in given for part in (one.methods if isinstance(one, Steps) else (one,)))
        if not inner:
            raise ParameterError("methods must have at least one method; use pruning=None for no pruning.")
        object.__setattr__(self, "methods", inner)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the methods and their parameters, as in scikit-learn.

        Parameters
        ----------
        deep : bool, default=True
            Whether the parameters of the methods are included, such as `error_based__confidence`. A method
            that occurs several times is left out: its name would not say which of them is meant.

        Returns
        -------
        dict
            The values by name.

        Examples
        --------
        >>> from treewright.prune import Global, SameDecision
        >>> Steps((SameDecision(), Global())).get_params()
        {'methods': (SameDecision(), Global(standard_errors=1.0)), 'global__standard_errors': 1.0}
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
                raise ParameterError(f"Unknown parameter {key!r} of 'steps'; expected one of 'methods', {listed}.")
            new = one.with_params(**{name: value})
            changed = Steps(tuple(new if method is one else method for method in changed.methods))
        return changed

    def _by_name(self) -> dict[str, Method]:
        """The methods that occur once, by name."""
        names = [one.name for one in self.methods]
        return {one.name: one for one in self.methods if names.count(one.name) == 1}

    @property
    def for_numbers(self) -> bool:  # type: ignore[override]
        """Whether all methods prune regression trees."""
        return all(one.for_numbers for one in self.methods)

    @property
    def needs(self) -> frozenset[str]:
        return frozenset().union(*(one.needs for one in self.methods))

    @property
    def uses(self) -> frozenset[str]:
        """What at least one method uses if it is there."""
        return frozenset().union(*(one.uses for one in self.methods))

    @property
    def label(self) -> str:
        """The names of the methods."""
        return METHOD_SEPARATOR.join(one.label for one in self.methods)

    def refuse_without_validation(self) -> None:
        """Raise an error if one of the methods needs validation rows: there are none."""
        for one in self.methods:
            one.refuse_without_validation()

    def check_target(self, is_number: bool) -> None:
        """Raise an error if the target is a number and one of the methods needs classes.

        Parameters
        ----------
        is_number : bool
            Whether the target is a number.

        Raises
        ------
        KindError
            If one of the methods cannot be used for regression.
        """
        for one in self.methods:
            one.check_target(is_number)

    def prune_by(self, inputs: PruningInput) -> Pruned:
        """Prune a tree by all steps, with all that they may use in one record.

        Parameters
        ----------
        inputs : PruningInput
            The grown tree, and the rows and functions that the methods use.

        Returns
        -------
        Pruned
            The tree that the last step returns, and the report of all steps.
        """
        for one in self.methods:
            one.check_inputs(inputs)
        tree, reports = inputs.tree, []
        for i, method in enumerate(self.methods):
            grow, cross_validation = self._grow_up_to(i, inputs), self._cross_validate_up_to(i, inputs)
            found = method.prune_by(replace(inputs, tree=tree, grow=grow, cross_validation=cross_validation))
            reports.append(found.report)
            tree = found.tree
        return Pruned(tree, join_reports(reports))

    def _grow_up_to(self, i: int, inputs: PruningInput) -> Any:
        """A function that grows trees and applies the steps before the i-th one, for cross-validation in that step."""
        grow = inputs.grow
        if grow is None or i == 0:
            return grow
        before = Steps(self.methods[:i])

        def regrow(rows: Dataset) -> Tree:
            grown = grow(rows)
            part = replace(inputs, tree=grown, rows=rows, unit=weight_of_one_row(rows), n_jobs=1)
            return grown if grown.n_nodes == 1 else before.prune_by(part).tree

        return regrow

    def _cross_validate_up_to(self, i: int, inputs: PruningInput) -> Any:
        """The same for training rows that are not in memory."""
        folds = inputs.cross_validation
        if folds is None or i == 0:
            return folds
        before, part = Steps(self.methods[:i]), replace(inputs, n_jobs=1, cross_validation=None)

        def prune(tree: Tree, unit: float, raising: RaiseBranches) -> Tree:
            own = replace(part, tree=tree, unit=unit, raise_branches=raising)
            return tree if tree.n_nodes == 1 else before.prune_by(own).tree

        return folds.after(prune)

    def _prune(self, inputs: PruningInput) -> Pruned:
        raise AssertionError("prune_by prunes step by step")


def join_reports(steps: Sequence[PruningReport]) -> PruningReport:
    """One report of several steps, each of which pruned the tree that the one before returned.

    Its nodes have the numbers of the tree of the first step; a raised branch has the number of the node whose place it
    took. `method` names all methods, `rule` and `unit` have the rules and units in order, and `details` those of all
    steps, NaN where a step has no such detail. The path of a step belongs to its own tree and is only in its report.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic, SameDecision
    >>> first = SameDecision().prune(golf_example())
    >>> join_reports([first.report, Pessimistic().prune(first.tree).report]).unit
    'other predictions, errors'
    """
    grown_id = np.arange(steps[0].tree.n_nodes)
    nodes = []
    for one in steps:
        nodes.append(grown_id[one.node])
        grown_id = grown_id[one.origin]
    columns: dict[str, Any] = {
        name: np.concatenate([np.asarray(getattr(one, name)) for one in steps])
        for name in ("leaf", "subtree", "allowance", "verdict", "weight")
    }
    raises = any(one.branch is not None for one in steps)
    return PruningReport(
        tree=steps[0].tree,
        method=METHOD_SEPARATOR.join(one.method for one in steps),
        rule=" ".join(f"{i}. {one.rule}" for i, one in enumerate(steps, 1)),
        unit=", ".join(dict.fromkeys(one.unit for one in steps)),
        node=np.concatenate(nodes),
        origin=grown_id,
        details=_details(steps),
        branch=np.concatenate([_column(one.branch, len(one)) for one in steps]) if raises else None,
        steps=tuple(steps),
        **columns,
    )


def node_in_each_step(report: PruningReport, node: int) -> list[int]:
    """The number of a node of the grown tree in the tree of each step; -1 if it is gone.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic, SameDecision
    >>> report = Steps((Pessimistic(standard_errors=2), SameDecision())).prune(golf_example()).report
    >>> node_in_each_step(report, 3), node_in_each_step(report, 6)
    ([3, 3], [6, -1])
    """
    grown_id, found = np.arange(report.tree.n_nodes), []
    for one in report.steps:
        at = np.flatnonzero(grown_id == node)
        found.append(int(at[0]) if len(at) else -1)
        grown_id = grown_id[one.origin]
    return found


def _details(steps: Sequence[PruningReport]) -> dict[str, NDArray[Any]]:
    """The details of all steps, and the step that each visit belongs to."""
    counts = [len(one) for one in steps]
    found: dict[str, NDArray[Any]] = {STEP: np.repeat(np.arange(1, len(steps) + 1), counts)}
    for name in dict.fromkeys(name for one in steps for name in one.details):
        found[name] = np.concatenate([_column(one.details.get(name), len(one)) for one in steps])
    return found


def _column(column: NDArray[Any] | None, n: int) -> NDArray[Any]:
    return np.full(n, np.nan) if column is None else np.asarray(column)
