"""Pruning: from the parameters of an estimator to the tree it answers by.

In: pruning, pre_pruning and validation_fraction as given; a grown tree and the rows around it. Out: the pruned tree
with its reports. A combination that cannot work is refused with advice before anything is grown.
"""

from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING

from treewright import prune
from treewright.errors import InputError, ParameterError
from treewright.model.tree import Tree
from treewright.prune.method import VALIDATION, Material, Method

if TYPE_CHECKING:
    from treewright.prune.report import PruningReport


@dataclass(frozen=True, slots=True)
class Pruning:
    """What the parameters say, checked.

    method    how the grown tree is pruned; None: not at all
    pre       whether growth stops where validation rows gain nothing; None: when there are such rows and `method`
              makes no use of them
    fraction  the share of the table that is held out as validation rows; None: none is
    """

    method: Method | None
    pre: bool | None
    fraction: float | None

    def stops_growth(self, has_validation: bool) -> bool:
        """Whether growth is stopped by validation rows.

        >>> Pruning(None, None, None).stops_growth(has_validation=True)
        True
        """
        if self.pre is not None:
            return self.pre
        return has_validation and (self.method is None or VALIDATION not in self.method.uses)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The tree of the answers, the tree it was pruned from, and the reports of what was decided."""

    tree: Tree
    grown: Tree
    report: "PruningReport | None" = None
    pre_report: "PruningReport | None" = None

    def attributes(self) -> dict[str, object]:
        """As an estimator keeps them."""
        return {
            "tree_": self.tree,
            "grown_tree_": self.grown,
            "pruning_report_": self.report,
            "pre_pruning_report_": self.pre_report,
        }


def apply(pruning: Pruning, material: Material) -> Outcome:
    """Stop growth and prune, as far as asked for.

    >>> from treewright.model.build import golf_example
    >>> apply(Pruning(None, None, None), Material(golf_example())).report is None
    True
    """
    grown, stopped = material.tree, None
    if pruning.stops_growth(material.validation is not None):
        stopped = prune.PrePruning().prune(grown, validation=material.validation, rule=material.rule)
        grown = stopped.tree
    if pruning.method is None:
        report = None if stopped is None else stopped.report
        return Outcome(grown, grown, report, report)
    pruned = pruning.method.prune_by(replace(material, tree=grown))
    return Outcome(pruned.tree, grown, pruned.report, None if stopped is None else stopped.report)


def read_fraction(value: object) -> float | None:
    """`validation_fraction`, checked.

    >>> read_fraction(0.3)
    0.3
    """
    if value is None:
        return None
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 < float(value) < 1.0:
        raise ParameterError(
            f"validation_fraction={value!r} cannot be used; give a share of the rows above 0 and below 1, "
            "or None to hold none out."
        )
    return float(value)


def read_pre_pruning(value: object) -> bool | None:
    """`pre_pruning`, checked.

    >>> read_pre_pruning(True)
    True
    """
    if value is None or isinstance(value, bool):
        return value
    raise ParameterError(f"pre_pruning={value!r} cannot be used; give True, False or None.")


def read_ccp_alpha(value: object) -> Method | None:
    """What scikit-learn's `ccp_alpha` stands for; 0 prunes nothing there.

    >>> read_ccp_alpha(0.0) is None
    True
    """
    if not isinstance(value, Real) or isinstance(value, bool) or not 0.0 <= float(value) < float("inf"):
        raise ParameterError(f"ccp_alpha={value!r} cannot be used; give a number of at least 0, or None.")
    return prune.CostComplexity(alpha=float(value), risk="impurity") if float(value) > 0 else None


def refuse_half(**given: object) -> None:
    """Refuse a table without its answers, answers without their table, or weights without both.

    >>> refuse_half(X_val=None, y_val=None)
    """
    names = list(given)
    table, answers = (given[name] is not None for name in names[:2])
    weighed = len(names) > 2 and given[names[2]] is not None
    if table != answers or (weighed and not table):
        weights = f", and {names[2]} with them" if weighed else ""
        raise InputError(f"{names[0]} and {names[1]} go together{weights}; give both, or neither.")
