"""Pruning: the parameters of an estimator about pruning, and the pruned tree with its reports."""

from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import TYPE_CHECKING

from treewright import prune
from treewright.errors import InputError, ParameterError
from treewright.model.tree import Tree
from treewright.prune.method import VALIDATION, Method, PruningInput

if TYPE_CHECKING:
    from treewright.prune.report import PruningReport


READABLE, READABLE_LEAVES = "readable", 20
"""The name of a size, and its number of leaves: a tree that is read as a whole, on one page."""


@dataclass(frozen=True, slots=True)
class PruningSettings:
    """The parameters about pruning, checked.

    method    how the grown tree is pruned; None: not at all
    pre       whether growth stops where a split does not reduce the error on validation rows; None: if there are such
              rows and `method` does not use them
    fraction  the fraction of the table that is held out as validation rows; None: no rows are
    """

    method: Method | None
    pre: bool | None
    fraction: float | None

    def stops_growth(self, has_validation: bool) -> bool:
        """Return whether validation rows stop growth.

        >>> PruningSettings(None, None, None).stops_growth(has_validation=True)
        True
        """
        if self.pre is not None:
            return self.pre
        return has_validation and (self.method is None or VALIDATION not in self.method.uses)


@dataclass(frozen=True, slots=True)
class PruningOutcome:
    """The pruned tree, the tree it was pruned from, and the reports of the decisions."""

    tree: Tree
    grown: Tree
    report: "PruningReport | None" = None
    pre_report: "PruningReport | None" = None

    def attributes(self) -> dict[str, object]:
        """Return the fitted attributes of an estimator."""
        return {
            "tree_": self.tree,
            "grown_tree_": self.grown,
            "pruning_report_": self.report,
            "pre_pruning_report_": self.pre_report,
        }


def prune_grown_tree(pruning: PruningSettings, material: PruningInput) -> PruningOutcome:
    """Apply pre-pruning and the pruning method, if there are any.

    >>> from treewright.model.build import golf_example
    >>> prune_grown_tree(PruningSettings(None, None, None), PruningInput(golf_example())).report is None
    True
    """
    grown, stopped = material.tree, None
    if pruning.stops_growth(material.validation is not None):
        stopped = prune.PrePruning().prune(grown, validation=material.validation, rule=material.rule)
        grown = stopped.tree
    if pruning.method is None:
        report = None if stopped is None else stopped.report
        return PruningOutcome(grown, grown, report, report)
    pruned = pruning.method.prune_by(replace(material, tree=grown))
    return PruningOutcome(pruned.tree, grown, pruned.report, None if stopped is None else stopped.report)


def read_validation_fraction(value: object) -> float | None:
    """Check `validation_fraction`.

    >>> read_validation_fraction(0.3)
    0.3
    """
    if value is None:
        return None
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < float(value) < 1.0:
        raise ParameterError(
            "validation_fraction must be a fraction of the rows above 0 and below 1, or None to hold out none, got "
            f"{value!r}."
        )
    return float(value)


def read_size(value: object) -> int | None:
    """Return the maximum number of leaves that `size` stands for; None for no maximum.

    >>> read_size("readable"), read_size(7), read_size(None)
    (20, 7, None)
    """
    if value is None:
        return None
    if isinstance(value, str) and value == READABLE:
        return READABLE_LEAVES
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 2:
        raise ParameterError(
            f"size must be a number of leaves of at least 2, 'readable' for {READABLE_LEAVES}, or None for any number, "
            f"got {value!r}."
        )
    return int(value)


def with_size(method: Method | None, size: object) -> Method | None:
    """Return the method followed by pruning to the number of leaves that `size` stands for.

    >>> with_size(prune.MDL(), 7)
    Steps(methods=(MDL(), MaxLeaves(leaves=7)))
    >>> with_size(None, "readable"), with_size(prune.MDL(), None)
    (MaxLeaves(leaves=20), MDL())
    """
    leaves = read_size(size)
    if leaves is None:
        return method
    last = prune.MaxLeaves(leaves)
    return last if method is None else prune.Steps((method, last))


def without_size(method: Method | None) -> Method | None:
    """Return the method without its last step, if that prunes to a number of leaves.

    >>> without_size(with_size(prune.MDL(), 7)), without_size(prune.MaxLeaves(7))
    (MDL(), None)
    """
    steps = method.methods if isinstance(method, prune.Steps) else (method,)
    if not isinstance(steps[-1], prune.MaxLeaves):
        return method
    return None if len(steps) == 1 else steps[0] if len(steps) == 2 else prune.Steps(steps[:-1])


def read_pre_pruning(value: object) -> bool | None:
    """Check `pre_pruning`.

    >>> read_pre_pruning(True)
    True
    """
    if value is None or isinstance(value, bool):
        return value
    raise ParameterError(f"pre_pruning must be True, False or None, got {value!r}.")


def read_ccp_alpha(value: object) -> Method | None:
    """Return the pruning method that scikit-learn's `ccp_alpha` stands for; 0 prunes nothing.

    >>> read_ccp_alpha(0.0) is None
    True
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 <= float(value) < float("inf"):
        raise ParameterError(f"ccp_alpha must be a number of at least 0 or None, got {value!r}.")
    return prune.CostComplexity(alpha=float(value), risk="impurity") if float(value) > 0 else None


def require_pair(**given: object) -> None:
    """Refuse a table without its target, a target without its table, or weights without both.

    >>> require_pair(X_val=None, y_val=None)
    """
    names = list(given)
    has_table, has_target = (given[name] is not None for name in names[:2])
    has_weights = len(names) > 2 and given[names[2]] is not None
    if has_table != has_target or (has_weights and not has_table):
        weights = f", and {names[2]} only with both of them" if has_weights else ""
        raise InputError(f"{names[0]} and {names[1]} must be passed together{weights}.")
