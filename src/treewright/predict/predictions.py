"""Predictions: from rows to leaves, paths, class probabilities, class codes, numbers, and their losses.

The functions take a tree, encoded values or rows that can be read in blocks, and a policy for missing values. A row is
predicted by the node where its path ends; a row with fractional weights by the mean over its end nodes.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import mean_predictions, write_paths
from treewright.data.dataset import Dataset
from treewright.errors import KindError
from treewright.fast_paths import size_limit
from treewright.model.prediction_rule import TIE, choose_classes
from treewright.model.tree import Tree
from treewright.predict.missing_policy import AS_GROWN, MissingPolicy
from treewright.predict.routing import (
    MAX_VISITS,
    fallback_branches,
    prepare_values,
    route_fractional_rows,
    route_rows,
)
from treewright.predict.row_blocks import RowSource, as_rows, for_each_block

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LEAST_PROBABILITY = 1e-15
"""The least probability in the log loss: with 0 a single row would make it infinite."""


def find_leaves(tree: Tree, rows: RowSource, policy: MissingPolicy = AS_GROWN, n_threads: int = 1) -> NDArray[np.int64]:
    """Find the node where each row ends: a leaf, or with "stop" the node where a value is missing.

    rows  rows that can be read in blocks, or encoded values (n_rows, n_columns): NaN is a missing value, minus infinity
          an unseen category; any other value that is not in the table of a node takes the node's `other` branch

    For a row with fractional weights it is the leaf with the largest weight, the lowest number on a tie.

    >>> from treewright.model.build import golf_example
    >>> find_leaves(golf_example(), np.array([[0, 70.0, 1], [1, 70.0, 1], [2, 70.0, 1]]))
    array([4, 2, 7])
    >>> find_leaves(golf_example(), np.array([[0, np.nan, 1]]), MissingPolicy("fractional"))
    array([5])
    """
    rows = as_rows(tree, rows, policy)
    found = np.empty(rows.n_rows, np.int64)

    def handle(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, fractional = route_rows(tree, values, policy, start, known)
        for part in route_fractional_rows(tree, values, policy.unseen, fractional, nodes[fractional]):
            nodes[part.rows] = part.heaviest()
        found[start : start + len(values)] = nodes

    for_each_block(tree, rows, handle, n_threads)
    return found


def decision_paths(tree: Tree, values: NDArray[np.float64], policy: MissingPolicy = AS_GROWN) -> "csr_matrix":
    """The nodes on the path of each row: a sparse (n_rows, n_nodes) matrix of the row's weight at the node.

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, 70.0, 1], [0, np.nan, 1]])
    >>> decision_paths(golf_example(), rows, MissingPolicy("fractional")).toarray()
    array([[1. , 1. , 0. , 0. , 1. , 0. , 0. , 0. ],
           [1. , 1. , 0. , 0. , 0.4, 0.6, 0. , 0. ]])
    """
    from scipy.sparse import csr_matrix

    visits = visited_nodes(tree, values, policy)
    found = csr_matrix((visits.weights, visits.nodes, visits.starts), shape=(len(values), tree.n_nodes))
    found.sort_indices()
    return found


class Visits(NamedTuple):
    """The nodes that rows visit, row after row.

    starts   n_rows + 1 offsets: row i has nodes[starts[i]:starts[i + 1]]
    nodes    the numbers of the nodes
    weights  the weight of the row at the node
    """

    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row of each visit."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def visited_nodes(tree: Tree, values: NDArray[np.float64], policy: MissingPolicy = AS_GROWN) -> Visits:
    """Find the nodes that each row visits, root and leaf included.

    >>> from treewright.model.build import golf_example
    >>> found = visited_nodes(golf_example(), np.array([[0, 70.0, 1], [1, 70.0, 1]]))
    >>> found.rows.tolist(), sorted(found.nodes[:3].tolist())
    ([0, 0, 0, 1, 1], [0, 1, 4])
    """
    values = prepare_values(tree, values)
    nodes, fractional = route_rows(tree, values, policy)
    counts = tree.depths[nodes] + 1
    spread = list(route_fractional_rows(tree, values, policy.unseen, fractional))
    nodes[fractional] = -1
    for part in spread:
        counts[part.rows] = part.counts
    starts = np.concatenate([[0], np.cumsum(counts)])
    met, weights = np.empty(starts[-1], np.int64), np.ones(starts[-1])
    write_paths(tree.parent, nodes, starts[1:], met)
    for part in spread:
        place = np.repeat(starts[part.rows] - part.starts[:-1], part.counts) + np.arange(len(part.nodes))
        met[place], weights[place] = part.nodes, part.weights
    return Visits(starts, met, weights)


def predict_probabilities(
    tree: Tree, rows: RowSource, policy: MissingPolicy = AS_GROWN, n_threads: int = 1
) -> NDArray[np.float64]:
    """Predict the class probabilities of every row, (n_rows, n_classes).

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[1, 70.0, 0], [0, np.nan, 0]])
    >>> predict_probabilities(golf_example(), rows, MissingPolicy("fractional"))
    array([[0. , 1. ],
           [0.6, 0.4]])
    """
    _refuse_regression(tree)
    rows = as_rows(tree, rows, policy)
    found = np.empty((rows.n_rows, tree.value.shape[1]))

    def handle(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, fractional = route_rows(tree, values, policy, start, known)
        tree.value.take(nodes, axis=0, out=found[start : start + len(values)], mode="clip")
        for part, mean in _means(tree, values, policy, fractional, nodes[fractional]):
            found[start + part] = mean

    for_each_block(tree, rows, handle, n_threads)
    return found


def predict_class_codes(
    tree: Tree, rows: RowSource, policy: MissingPolicy = AS_GROWN, n_threads: int = 1
) -> NDArray[np.intp]:
    """Predict the class of every row as a code: the most probable class, or with costs the cheapest one.

    >>> from treewright.model.build import golf_example
    >>> predict_class_codes(golf_example(), np.array([[1, 70.0, 0], [0, np.nan, 0]]), MissingPolicy("fractional"))
    array([1, 0])
    """
    _refuse_regression(tree)
    rows = as_rows(tree, rows, policy)
    codes = np.empty(rows.n_rows, np.intp)

    def handle(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, fractional = route_rows(tree, values, policy, start, known)
        tree.predicted_class.take(nodes, out=codes[start : start + len(values)], mode="clip")
        for part, mean in _means(tree, values, policy, fractional, nodes[fractional]):
            # Equal means may differ by rounding.
            codes[start + part] = choose_classes(tree.prediction_rule, mean, TIE)

    for_each_block(tree, rows, handle, n_threads)
    return codes


def predict_numbers(
    tree: Tree, rows: RowSource, policy: MissingPolicy = AS_GROWN, n_threads: int = 1
) -> NDArray[np.float64]:
    """Predict the number of every row by a regression tree.

    >>> from treewright.model.build import build, leaf, number
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    >>> tree = build(schema, number("age", 3, leaf(20.0), leaf(12.5)))
    >>> predict_numbers(tree, np.array([[4.0], [1.0], [np.nan]]), MissingPolicy("fractional"))
    array([12.5 , 20.  , 16.25])
    """
    if not tree.schema.target.is_number:
        raise KindError("This tree predicts a class, not a number; use predict_probabilities or predict_class_codes.")
    rows = as_rows(tree, rows, policy)
    found = np.empty(rows.n_rows)

    def handle(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, fractional = route_rows(tree, values, policy, start, known)
        tree.value[:, 0].take(nodes, out=found[start : start + len(values)], mode="clip")
        for part, mean in _means(tree, values, policy, fractional, nodes[fractional]):
            found[start + part] = mean[:, 0]

    for_each_block(tree, rows, handle, n_threads)
    return found


def _means(
    tree: Tree,
    values: NDArray[np.float64],
    policy: MissingPolicy,
    rows: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Go through rows with fractional weights, some at a time, with the mean of `tree.value` over their end nodes."""
    width, packed = tree.value.shape[1], tree.packed
    branches = (fallback_branches(tree, policy.unseen), tree.n_children, tree.branch_fractions, tree.value)
    room = np.empty((tree.depth, 2), np.int64), np.empty(tree.depth), np.empty(width)
    done = 0
    while done < len(rows):
        left = slice(done, done + max(1, MAX_VISITS // width))
        mean = np.empty((len(rows[left]), width))
        given = rows[left], nodes[left]
        n = mean_predictions(values, packed.cells, packed.tables, branches, *given, (MAX_VISITS, *room), mean)
        yield given[0][:n], mean[:n]
        done += n


def _refuse_regression(tree: Tree) -> None:
    if tree.schema.target.is_number:
        raise KindError("This tree predicts a number, not a class; use predict_numbers.")


def route_few_rows(tree: Tree, rows: NDArray[Any]) -> NDArray[np.int64] | None:
    """Find the leaves of a few rows of an array, ten times as fast for one row as reading rows in blocks.

    None where there are too many rows, a missing value or anything else that is unusual.

    >>> from treewright.model.build import build, leaf, number
    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    >>> tree = build(schema, number("age", 3, leaf(20.0), leaf(12.5)))
    >>> route_few_rows(tree, np.array([[4.0], [1.0]])), route_few_rows(tree, np.array([[np.nan]]))
    (array([2, 1]), None)
    """
    kind = rows.dtype
    if rows.ndim != 2 or not 0 < len(rows) <= size_limit("few rows"):
        return None
    if kind != np.float64:
        if kind.kind not in "fiu" or kind.itemsize > 4:  # larger ones may not be exact in float64
            return None
        rows = rows.astype(np.float64)
    router = tree.row_router
    nodes = np.empty(len(rows), np.int64)
    return nodes if router is not None and router.send(rows, nodes) else None


def _probabilities_at(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    return tree.value.take(nodes, axis=0)


def _class_codes_at(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.intp]:
    return tree.predicted_class.take(nodes)


def _numbers_at(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.float64]:
    return tree.value[:, 0].take(nodes)


AT_NODES: dict[Any, Callable[[Tree, NDArray[np.int64]], NDArray[Any]]] = {
    predict_probabilities: _probabilities_at,
    predict_class_codes: _class_codes_at,
    predict_numbers: _numbers_at,
    find_leaves: lambda _, nodes: nodes,
}
"""For each function of this module, the same result from the leaves of the rows."""


def mean_loss(tree: Tree, rows: Dataset, policy: MissingPolicy) -> float:
    """The weighted error rate, or the weighted mean squared error.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> mean_loss(tree, rows, MissingPolicy())
    0.5
    """
    return float(np.average(row_losses(tree, rows, policy), weights=rows.weight))


def row_losses(tree: Tree, rows: Dataset, policy: MissingPolicy) -> NDArray[Any]:
    """The loss of each row: whether the predicted class is wrong, or the squared error of the predicted number."""
    if tree.schema.target.is_number:
        return (predict_numbers(tree, rows.values, policy) - rows.target) ** 2
    return predict_class_codes(tree, rows.values, policy) != rows.target


def mean_cost(tree: Tree, rows: Dataset, policy: MissingPolicy) -> float:
    """The weighted mean cost of the predictions; for a tree without costs the same as `mean_loss`.

    >>> from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
    >>> from treewright.model.build import golf_example
    >>> tree = with_prediction_rule(golf_example(), PredictionRule(costs=((0.0, 1.0), (5.0, 0.0))))
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 1]))
    >>> mean_cost(tree, rows, MissingPolicy())
    2.5
    """
    return float(np.average(row_costs(tree, rows, policy), weights=rows.weight))


def row_costs(tree: Tree, rows: Dataset, policy: MissingPolicy) -> NDArray[Any]:
    """The cost of the prediction of each row; for a tree without costs the same as `row_losses`."""
    if tree.prediction_rule.costs is None:
        return row_losses(tree, rows, policy)
    predicted = predict_class_codes(tree, rows.values, policy)
    costs: NDArray[np.float64] = np.array(tree.prediction_rule.costs)[rows.target, predicted]
    return costs
