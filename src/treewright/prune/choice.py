"""Choice: which tree of a cost-complexity path to keep, by rows that the trees were not grown on.

In: the path of a tree, and validation rows, or the training rows and a way to grow trees on parts of them. Out: the
path with the error of each of its trees, how far that may be off, and the chosen one: the smallest tree whose error is
within so many standard errors of the least (Breiman et al. 1984, 3.4).

Rows are sent down a grown tree once, whatever the number of its pruned trees: a node is a leaf from its own alpha up to
the least alpha above it, so its loss is added to all trees between at once.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.folds import folds
from treewright.model.tree import Tree
from treewright.predict.rule import Rule
from treewright.prune.arrivals import NO_SCALE, Scale, arrivals, scale_of
from treewright.prune.links import node_losses, weakest
from treewright.prune.losses import answers, training_losses
from treewright.prune.path import TIE, CostComplexityPath
from treewright.prune.side_by_side import side_by_side

POWERS = 5
"""Moments of the target kept for each node, 0 to 4: for squared errors, and for the squares of those, their spread."""

Spans = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The alpha from which on each node is a leaf, and that from which on it is gone."""


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """How losses are counted.

    rule    how rows that lack a value are answered
    risk    what the path was made by
    costs   what an answer costs, (true class, answered class); None: 1 for each wrong one
    scale   how a target that is a number is read
    """

    rule: Rule
    risk: str = "error"
    costs: NDArray[np.float64] | None = None
    scale: Scale = NO_SCALE

    def of(self, tree: Tree) -> "Way":
        """The same, with the scale of the tree's training rows."""
        return replace(self, scale=scale_of(tree))


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """What the trees of a path lose on rows.

    loss    float64, for each tree the sum of w l, in `unit`
    square  float64, the sum of w l^2, in its square
    weight  the sum of w
    n_rows  how many rows that is: whole weights are copies; among other weights, importances, each row is one
    unit    of a loss
    """

    loss: NDArray[np.float64]
    square: NDArray[np.float64]
    weight: float
    n_rows: float
    unit: float = 1.0

    @property
    def error(self) -> NDArray[np.float64]:
        """The mean loss: the share of wrong answers, their mean cost, or the mean squared error."""
        return self.loss / self.weight * self.unit

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """How far the mean may be off: sqrt(R (1 - R) / N) where a wrong answer costs 1."""
        variance = self.square / self.weight - (self.loss / self.weight) ** 2
        return np.sqrt(np.maximum(variance, 0.0) / self.n_rows) * self.unit


def validate(path: CostComplexityPath, rows: Dataset, way: Way) -> Trial:
    """The trees of the path, on validation rows.

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune.path import cost_complexity_path
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0], [1, 90.0, 1]]), np.array([1, 0, 1]))
    >>> validate(cost_complexity_path(tree), rows, Way(Rule())).loss.tolist()
    [0.0, 1.0]
    """
    way = way.of(path.tree)
    return _trial(_sums(path.tree, (path.node_alpha, path.node_gone), path.alphas, rows, way), rows, way)


def cross_validate(
    path: CostComplexityPath, rows: Dataset, grow: Callable[[Dataset], Tree], n_folds: int, way: Way, n_jobs: int = 1
) -> Trial:
    """The trees of the path, by trees grown on all but a part of the training rows and judged on that part.

    A tree of the path is best from its alpha up to the next one. Of the trees that a part leads to, the one that is
    best at the geometric mean of the two stands for it, as in Breiman's book and in rpart; for the last one, the root.

    n_jobs  how many parts are done at a time
    """
    means = np.sqrt(path.alphas[:-1]) * np.sqrt(path.alphas[1:])
    # A mean may be the very alpha of a node, which then goes, whatever the rounding.
    between = np.append(means * (1 + TIE), np.finfo(np.float64).max)
    way = way.of(path.tree)

    def sums_of(fold: tuple[Dataset, Dataset]) -> NDArray[np.float64]:
        training, held_out = fold
        tree = grow(training)
        links = weakest(tree, node_losses(tree, way.risk, way.costs))
        return _sums(tree, (links.alpha, links.above), between, held_out, way)

    sums = np.zeros((2, len(between)))
    for one in side_by_side(sums_of, folds(rows, n_folds), n_jobs):
        sums += one
    return _trial(sums, rows, way)


def choose(path: CostComplexityPath, trial: Trial, standard_errors: float, way: Way) -> CostComplexityPath:
    """The path with the errors of a trial, and the smallest tree within so many standard errors of the least."""
    error, off_by = trial.error, trial.standard_error
    best = int(np.flatnonzero(error <= error.min() * (1 + TIE))[-1])
    limit = (error[best] + standard_errors * off_by[best]) * (1 + TIE)
    chosen = int(np.flatnonzero(error <= limit)[-1])
    root = float(error[-1])
    if not path.tree.by_median:  # the loss of such a tree is no sum of squares
        losses = training_losses(path.tree, way.costs)
        root = float(losses.leaf[0] / losses.total)
    return replace(path, error=error, standard_error=off_by, root_error=root, chosen=chosen)


def _trial(sums: NDArray[np.float64], rows: Dataset, way: Way) -> Trial:
    """The trial of losses and squared losses that were summed up over these rows."""
    weight = n_rows = float(rows.n_rows)
    if rows.weight is not None:
        weight = float(rows.weight.sum())
        n_rows = weight if rows.is_counted else float(np.count_nonzero(rows.weight))
    return Trial(sums[0], sums[1], weight or 1.0, n_rows or 1.0, way.scale.spread**2)


def _sums(
    tree: Tree, spans: Spans, alphas: NDArray[np.float64], rows: Dataset, way: Way
) -> NDArray[np.float64]:
    """The sums of losses and of their squares, (2, n), by the trees that are best at these n rising alphas.

    Only the nodes that rows come to lose anything: of a large tree and few rows, a small part.
    """
    found = arrivals(tree, rows, way.rule, way.scale, POWERS)
    nodes = np.flatnonzero(found.here.any(axis=1))
    first, last = (np.searchsorted(alphas, span[nodes]) for span in spans)
    is_leaf, splits_until = first < last, np.minimum(first, last)
    first, last = first[is_leaf], last[is_leaf]
    measured = _squares if tree.schema.target.is_number else _costs
    n = len(alphas) + 1
    losses = measured(tree, nodes[is_leaf], found.here, way)
    changes = np.array([np.bincount(first, leaf, n) - np.bincount(last, leaf, n) for leaf in losses])
    if found.stayed.any():
        for i, staying in enumerate(measured(tree, nodes, found.stayed, way)):
            changes[i] -= np.bincount(splits_until, staying, n)
            of_all = np.zeros(tree.n_nodes)
            of_all[nodes] = staying
            changes[i, 0] += of_all.sum()
    return np.maximum(np.cumsum(changes, axis=1)[:, :-1], 0.0)


def _costs(
    tree: Tree, nodes: NDArray[np.int64], table: NDArray[np.float64], way: Way
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of the class weights of all nodes: what the answers of some nodes cost, and the sum of the squares."""
    answer, table = answers(tree, way.costs)[nodes], table[nodes]
    if way.costs is None:
        table[np.arange(len(table)), answer] = 0.0
        missed = table.sum(axis=1)
        return missed, missed
    cost = way.costs.T[answer]
    return (table * cost).sum(axis=1), (table * cost**2).sum(axis=1)


def _squares(
    tree: Tree, nodes: NDArray[np.int64], table: NDArray[np.float64], way: Way
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of moments: the sum of the squared distances from the nodes' values, and that of their squares."""
    m0, m1, m2, m3, m4 = table[nodes].T
    v = (tree.value[nodes, 0] - way.scale.centre) / way.scale.spread
    second = m2 - 2 * v * m1 + v**2 * m0
    fourth = m4 - 4 * v * m3 + 6 * v**2 * m2 - 4 * v**3 * m1 + v**4 * m0
    return np.maximum(second, 0.0), np.maximum(fourth, 0.0)
