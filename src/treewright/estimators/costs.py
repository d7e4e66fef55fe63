"""Costs: what wrong answers cost, and what shares the classes have, as parameters of a classifier.

In: `cost_matrix` and `priors` as given, and encoded rows. Out: checked numbers in the order of the classes; rows whose
weights say what they cost, and the answering of trees that are grown on them. docs/costs.md has the formulas.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.costs import classes_of, cost_factors, cost_table, prior_shares
from treewright.data.dataset import Dataset
from treewright.data.schema import Target
from treewright.data.units import class_totals
from treewright.data.weights import with_factors
from treewright.errors import ParameterError
from treewright.model.answering import PLAIN, Answering, answered
from treewright.model.tree import Tree
from treewright.prune.costs import relative_costs
from treewright.prune.units import one_row

Growth = Callable[[Dataset], Tree]

SAME = 1e-12
"""Factors that differ by no more are the same; they are about 1."""

PRIOR_FORMS = "'equal', a mapping {class: prior}, a number for each class in order, or None"


def read_cost_matrix(cost_matrix: Any, target: Target) -> NDArray[np.float64] | None:
    """What an answer costs more than the right one, (true class, answered class); None: nothing is said of costs.

    cost_matrix  as `treewright.data.costs.cost_table` takes it; what the right answer costs is taken off the others

    >>> read_cost_matrix([[1, 2], [9, 4]], Target(classes=("no", "yes")))
    array([[0., 1.],
           [5., 0.]])
    """
    if cost_matrix is None:
        return None
    given, classes = cost_table(cost_matrix, target), classes_of(target, "cost_matrix")
    costs = given - np.diagonal(given)[:, None]
    wrong = ~np.eye(len(costs), dtype=bool) & ~(costs > 0)
    if wrong.any():
        true, answered_so = np.argwhere(wrong)[0]
        raise ParameterError(
            f"cost_matrix has {given[true, answered_so]:g} for {classes[answered_so]!r} answered where "
            f"{classes[true]!r} is true, and {given[true, true]:g} for the right answer; give a wrong answer a higher "
            "cost than the right one."
        )
    return costs if len(costs) > 1 else None


def plain_priors(priors: Any) -> Any:
    """Priors that a model file can hold: a series of pandas as a mapping.

    >>> plain_priors({"no": 1, "yes": 3})
    {'no': 1, 'yes': 3}
    """
    return priors.to_dict() if hasattr(priors, "to_dict") else priors


def read_class_priors(priors: Any, target: Target) -> NDArray[np.float64] | None:
    """The share each class has where the tree is to be used; None: that of the training table.

    priors  "equal"; a mapping {class: prior} over all classes, or a number for each class in order, in any unit

    >>> read_class_priors([1, 3], Target(classes=("no", "yes")))
    array([0.25, 0.75])
    """
    if priors is None:
        return None
    classes, priors = classes_of(target, "priors"), plain_priors(priors)
    if isinstance(priors, str) and priors == "equal":
        return np.full(len(classes), 1.0 / len(classes))
    if isinstance(priors, Mapping):
        shares = prior_shares(priors, target)
    elif np.ndim(priors) == 1 and not isinstance(priors, str):
        if len(priors) != len(classes):
            raise ParameterError(
                f"priors has {len(priors)} numbers, but the target has {len(classes)} classes; give one for each."
            )
        shares = prior_shares(dict(zip(classes, priors, strict=True)), target)
    else:
        raise ParameterError(f"priors={priors!r} is not known; choose {PRIOR_FORMS}.")
    if not shares.all():
        never = classes[int((shares == 0).argmax())]
        raise ParameterError(
            f"priors has 0 for {never!r}, so that its rows would not count; give a number above 0, or leave them out."
        )
    return shares


def priced(rows: Dataset, costs: NDArray[np.float64] | None) -> tuple[Dataset, Answering]:
    """The rows weighed by what their wrong answers cost, and how a tree that is grown on them answers.

    costs  as `read_cost_matrix` gives them

    >>> from treewright.data.schema import Schema
    >>> rows = Dataset(Schema((), Target(classes=("a", "b"))), np.zeros((3, 0)), np.array([0, 0, 1], np.int32))
    >>> priced(rows, np.array([[0.0, 1.0], [4.0, 0.0]]))[0].weight.tolist()
    [0.5, 0.5, 2.0]
    """
    if costs is None:
        return rows, PLAIN
    answering = Answering(costs=tuple(map(tuple, costs.tolist())))
    factors = cost_factors(costs, class_totals(rows.target, rows.weight, len(costs)))
    # Where all classes cost the same nothing is weighed: whole weights stay copies, and sums exact.
    if np.ptp(factors) > SAME:
        answering = replace(answering, factors=tuple(factors.tolist()))
    return weighed_like(rows, answering), answering


def weighed_like(rows: Dataset, answering: Answering) -> Dataset:
    """The rows weighed as those of a tree with this answering were for their costs; importances, no copies any more."""
    if answering.factors is None:
        return rows
    weight = with_factors(rows.weight, np.array(answering.factors), rows.target)
    return replace(rows, weight=weight, copies=False)


def unpriced(rows: Dataset, answering: Answering) -> Dataset:
    """The rows with the weights they had before their costs: what errors and probabilities are judged by."""
    if answering.factors is None or rows.weight is None:
        return rows
    return replace(rows, weight=rows.weight / np.array(answering.factors)[rows.target])


def priced_growth(grow_on: Growth, uncollapsed: Growth | None, answering: Answering) -> Growth:
    """Growth on priced rows: the same trees, with their answering.

    uncollapsed  the same growth without taking back splits that save no error, where the other one does that: it counts
                 each wrong class as one error, which with more than two classes is not what it costs
    """
    costs = relative_costs(np.array(answering.costs))
    if uncollapsed is None or np.array_equal(costs, 1.0 - np.eye(len(costs))):
        return lambda rows: answered(grow_on(rows), answering)
    return lambda rows: _collapsed(answered(uncollapsed(rows), answering), one_row(rows))


def _collapsed(tree: Tree, row: float) -> Tree:
    """The tree without the splits whose branches cost no less than their node; `row` is the weight of one."""
    # Here: only trees with costs need them.
    from treewright.grow.freeze import COLLAPSE_SLACK
    from treewright.model.cut import cut
    from treewright.prune.additive import settle_sums
    from treewright.prune.losses import training_losses

    losses = training_losses(tree)
    return cut(tree, settle_sums(tree, losses.leaf, losses.staying, allowance=COLLAPSE_SLACK * row).prune).tree
