"""Smoothing: how a classifier makes probabilities of class weights.

In: `probability` and `smoothing` as given; a tree with what it was grown and pruned by. Out: how the tree answers. How
much shrinkage there is to be is chosen by rows that the trees were not grown on, where nobody says it.
"""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError, ParameterError, one_of
from treewright.estimators.costs import unpriced
from treewright.estimators.pruning import Pruning, apply
from treewright.model.answering import PROBABILITIES, Answering
from treewright.model.tree import Tree
from treewright.predict.answers import LEAST_SHARE
from treewright.predict.ends import ends, parts, readable
from treewright.predict.rule import Rule
from treewright.predict.shrunk import shrunk_pairs
from treewright.prune.method import Material
from treewright.prune.units import one_row

USUAL_M = 2.0
"""m of the m-estimate (Cestnik 1990)."""

AMOUNTS = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 25.0, 50.0, 100.0, 200.0)
"""The amounts of shrinkage that are tried."""

N_FOLDS = 5
TIE = 1e-12
"""Two sums of losses tie when they differ by no more than this part of them."""


def read_smoothing(probability: object, smoothing: object) -> tuple[str, float | None]:
    """The two parameters, checked; None where the amount has to be chosen.

    >>> read_smoothing("m-estimate", None), read_smoothing("shrinkage", None), read_smoothing("laplace", None)
    (('m-estimate', 2.0), ('shrinkage', None), ('laplace', 0.0))
    """
    name = one_of("probability", probability, PROBABILITIES)
    if name not in ("m-estimate", "shrinkage"):
        if smoothing is not None:
            raise ParameterError(
                f"smoothing={smoothing!r} has no meaning with probability={name!r}; leave it out, or set "
                "probability='m-estimate' or probability='shrinkage'."
            )
        return name, 0.0
    if smoothing is None:
        return name, USUAL_M if name == "m-estimate" else None
    if not isinstance(smoothing, Real) or isinstance(smoothing, bool) or not 0.0 <= float(smoothing) < float("inf"):
        what = "m, the number of rows that" if name == "m-estimate" else "lambda, the number of rows that"
        raise ParameterError(
            f"smoothing={smoothing!r} cannot be used; give {what} the other shares count for, at least 0, or None."
        )
    return name, float(smoothing)


def answering_of(probability: str, amount: float | None, pruning: Pruning, material: Material) -> Answering:
    """How the tree of some material answers, once it is pruned.

    probability, amount  as `read_smoothing` gives them
    pruning              how it is pruned, and so are the trees by which an amount is chosen
    material             the tree, whose answering says what answers cost, and the rows around it
    """
    own = material.tree.answering
    if probability == "frequency":
        return own
    if amount is None:
        amount = choose_amount(pruning, material)
    return replace(own, probability=probability, amount=amount, row_weight=material.unit)


def choose_amount(pruning: Pruning, material: Material) -> float:
    """The amount of shrinkage of least log loss in cross-validation, the smallest on a tie.

    The rows are dealt into five parts, always the same ones; on the others a tree is grown and pruned as the tree of
    the material is. Rows count by the weight they had before their costs: that is what probabilities are about.
    """
    if material.rows is None or material.grow is None:
        raise InputError(
            "probability='shrinkage' with smoothing=None chooses its amount by the training rows, and they are no "
            "longer at hand; give X and y, or set smoothing."
        )
    if material.tree.n_nodes == 1 or np.count_nonzero(material.rows.row_weights) < 2:
        return AMOUNTS[0]
    from treewright.data.folds import folds
    from treewright.prune.side_by_side import side_by_side

    grow = material.grow

    def losses_of(fold: tuple[Dataset, Dataset]) -> NDArray[np.float64]:
        training, held_out = fold
        grown, unit = grow(training), one_row(training)
        tree = apply(pruning, replace(material, tree=grown, rows=training, unit=unit, n_jobs=1)).tree
        how = replace(tree.answering, probability="shrinkage", row_weight=unit)
        return shrunk_losses(tree, unpriced(held_out, how), material.rule, how, AMOUNTS)

    losses = np.zeros(len(AMOUNTS))
    for one in side_by_side(losses_of, folds(material.rows, N_FOLDS), material.n_jobs):
        losses += one
    best = losses <= losses.min() * (1 + TIE)
    return AMOUNTS[int(best.argmax())]


def shrunk_losses(
    tree: Tree, rows: Dataset, rule: Rule, how: Answering, amounts: Sequence[float]
) -> NDArray[np.float64]:
    """The sum of the log losses of rows for each amount of shrinkage; the rows are sent down the tree once.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[1, 70.0, 0]]), np.array([1], np.int32))
    >>> shrunk_losses(tree, rows, Rule(), Answering("shrinkage"), [0.0, 14.0]).round(4).tolist()
    [0.0, 0.1967]
    """
    cells, weight, k = readable(tree, rows.values), rows.row_weights, tree.stats.shape[1]
    nodes, several = ends(tree, cells, rule)
    one = np.ones(rows.n_rows, bool)
    one[several] = False
    # Rows of a class that end at the same node lose the same; places are nodes by classes.
    place = nodes[one] * k + rows.target[one]
    if rows.weight is None:
        some, ended = np.unique(place, return_counts=True)
    else:
        some, same = np.unique(place, return_inverse=True)
        ended = np.bincount(same, weight[one], len(some))
        some, ended = some[ended > 0], ended[ended > 0]
    shared = [
        (part.nodes * k + np.repeat(rows.target[part.rows], part.counts), part.weights, part.starts[:-1], part.rows)
        for part in parts(tree, cells, rule.unseen, several, nodes[several])
    ]
    pairs = np.unique(np.concatenate([some, *(place for place, *_ in shared)])) if shared else some
    at = np.searchsorted(pairs, some) if shared else slice(None)
    shared = [(np.searchsorted(pairs, place), *others) for place, *others in shared]
    found = np.zeros(len(amounts))
    for i, value in enumerate(shrunk_pairs(tree, pairs, how, amounts)):
        found[i] = _log_loss(value[at], ended)
        for place, part, first, own in shared:
            found[i] += _log_loss(np.add.reduceat(value[place] * part, first), weight[own])
    return found


def _log_loss(share: NDArray[np.float64], weight: NDArray[Any]) -> float:
    """The sum of the logs; not by a product of vectors, for which numpy starts threads that take longer."""
    return float((np.abs(np.log(np.clip(share, LEAST_SHARE, 1.0))) * weight).sum())
