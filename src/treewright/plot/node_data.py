"""The data of a node chart: the training rows of a node, and bars for its categories, branches or classes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import floor, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError, one_of
from treewright.export.labels import Labels
from treewright.language import messages
from treewright.model.formatting import format_category
from treewright.model.split import Split
from treewright.model.tree import Tree
from treewright.plot.node_box import fit_branch_label
from treewright.predict.predictions import visited_nodes
from treewright.prune.losses import typical_distance

CHUNK = 1 << 16
"""Rows that are routed through the tree at a time; the path of a row is as long as the tree is deep."""

NODES = ("summary", "distribution")
"""What the box of a node shows."""

MAX_CLASSES = 12
"""Classes with their own colour in a chart, the heaviest ones."""

MAX_BARS = 40
"""Bars of a chart, the heaviest ones; the others are one bar."""

MAX_REST = 4.0
"""If the bar of the rest is longer than the longest other bar by this factor, it is cut off."""


@dataclass(frozen=True, slots=True, eq=False)
class NodeRows:
    """The rows at a node: their values in one column (NaN if missing), their targets and their weights."""

    values: NDArray[np.float64]
    target: NDArray[Any]
    weight: NDArray[np.float64]


def training_rows(given: Any, X: object = None, y: object = None, sample_weight: object = None) -> Dataset | None:
    """Return the training rows of an estimator; None for a tree, which has none."""
    if isinstance(given, Tree):
        return None
    rows: Dataset = given._training_rows(X, y, sample_weight)
    return rows


def distribution_rows(given: Any, nodes: str, X: object, y: object, sample_weight: object) -> Dataset | None:
    """Return the training rows for a picture that shows them in its boxes; None for one that does not."""
    one_of("nodes", nodes, NODES)
    if nodes == "summary":
        return None
    rows = training_rows(given, X, y, sample_weight)
    if rows is None:
        raise InputError('A Tree has no training rows; pass the fitted estimator, or use nodes="summary".')
    return rows


def rows_of_nodes(tree: Tree, rows: Dataset, nodes: Sequence[int]) -> dict[int, NodeRows]:
    """Return the rows that reach each of some nodes, with their values in the column it splits on; all NaN at a leaf.

    They are sorted, so that sums over them do not depend on the order of the table.

    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning=None).fit([[3.0], [2.0], [1.0]], ["b", "a", "a"])
    >>> found = rows_of_nodes(model.tree_, training_rows(model), [0, 1])
    >>> found[0].values, found[1].target
    (array([1., 2., 3.]), array([0, 0], dtype=int32))
    """
    wanted = np.zeros(tree.n_nodes, bool)
    wanted[list(nodes)] = True
    parts = []
    for start in range(0, rows.n_rows, CHUNK):
        visits = visited_nodes(tree, rows.values[start : start + CHUNK])
        here = wanted[visits.nodes]
        parts.append((visits.nodes[here], visits.rows[here] + start, visits.weights[here]))
    visited, at, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    weight = weight if rows.weight is None else weight * rows.weight[at]
    found = {}
    for node in nodes:
        here = (visited == node) & (weight > 0)
        found[node] = _sorted_rows(rows, int(tree.column[node]), at[here], weight[here])
    return found


def _sorted_rows(rows: Dataset, column: int, at: NDArray[np.int64], weight: NDArray[np.float64]) -> NodeRows:
    values, target = rows.values[at, column] if column >= 0 else np.full(len(at), np.nan), rows.target[at]
    order = np.lexsort((weight, target, values))
    return NodeRows(values[order], target[order], weight[order])


def class_weights(target: NDArray[Any], weight: NDArray[np.float64], n_classes: int) -> NDArray[np.float64]:
    """Return the weight of each class among rows.

    >>> class_weights(np.array([1, 0, 1]), np.array([1.0, 2.0, 0.5]), 3).tolist()
    [2.0, 1.5, 0.0]
    """
    return np.bincount(target, weight, n_classes).astype(np.float64)


def top_classes(weights: NDArray[np.float64]) -> tuple[list[int], bool]:
    """Return the heaviest classes, sorted by code, and whether there are others."""
    present = int(np.count_nonzero(weights))
    most = np.argsort(-weights, kind="stable")[: min(MAX_CLASSES, present)]
    return np.sort(most).tolist(), present > len(most)


def histogram_edges(values: NDArray[np.float64], threshold: float | None, bins: int) -> NDArray[np.float64]:
    """Return the edges of the bars of a histogram, all equally wide; the threshold is one of them.

    >>> histogram_edges(np.array([1.5, 2.0, 4.0, 5.5]), 3.5, 4).tolist()
    [1.5, 2.5, 3.5, 4.5, 5.5]
    >>> histogram_edges(np.array([1.0, 2.0, 3.0]), 2.0, 4).tolist()
    [0.0, 1.0, 2.0, 3.0]
    """
    low, high = float(values.min()), float(values.max())
    step = (high / bins - low / bins) or max(abs(low), 1.0) / 4
    integral = bool((values == np.floor(values)).all()) and step < 1e9
    if integral:
        step = max(1.0, np.ceil(step))
    inside = threshold is not None and low <= threshold <= high
    start = threshold if threshold is not None and inside else (low - 0.5 if integral else low)
    first, last = np.floor((low - start) / step), np.ceil((high - start) / step)
    if integral and inside and start + step * first == low:
        first -= 1  # a value on an edge belongs to the bar before it
    edges = start + step * np.arange(first, max(last, first + 1) + 1)
    # A value on the last edge belongs to the last bar, unless that edge is the threshold.
    return edges if high <= edges[-1] else np.append(edges, edges[-1] + step)


def bin_numbers(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the bar of each value; a value on an edge belongs to the bar before it, as for the threshold itself."""
    return np.clip(np.searchsorted(edges, values, side="left") - 1, 0, len(edges) - 2)


def bin_weights(
    values: NDArray[np.float64], weight: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weight in each bar."""
    return np.bincount(bin_numbers(values, edges), weight, len(edges) - 1).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Bar:
    """One bar of the chart.

    name     its label
    child    the node that these rows go to; -1 at a leaf
    weight   of the rows
    classes  their weight by class; empty for a numeric target
    mean, deviation
             of a numeric target
    is_rest  whether it contains all bars that are not shown
    """

    name: str
    child: int
    weight: float
    classes: NDArray[np.float64]
    mean: float = 0.0
    deviation: float = 0.0
    is_rest: bool = False


def class_bars(labels: Labels, node: int, most: int = MAX_BARS) -> list[Bar]:
    """Return a bar for each class of a leaf, or one for its predicted value."""
    stats = labels.tree.stats[node]
    if labels.is_number:
        return [_node_bar(labels, labels.target, node, -1)]
    each = np.diag(stats)
    found = [Bar(labels.classes[c], -1, float(stats[c]), each[c]) for c in range(len(stats))]
    return _join_lightest(found, most, labels.language)


def branch_bars(labels: Labels, node: int, most: int = MAX_BARS) -> list[Bar]:
    """Return a bar for each branch, from the tree alone."""
    first, many = int(labels.tree.first_child[node]), int(labels.tree.n_children[node])
    names = [fit_branch_label(labels.edge(node, branch), 170.0, labels.language).text for branch in range(many)]
    found = [_node_bar(labels, name, first + branch, first + branch) for branch, name in enumerate(names)]
    return _join_lightest(found, most, labels.language)


def category_bars(labels: Labels, node: int, split: Split, rows: NodeRows, most: int = MAX_BARS) -> list[Bar]:
    """Return a bar for each category of the rows, by branch, and one for missing values."""
    _ = messages(labels.language)
    first = int(labels.tree.first_child[node])
    found = []
    for code, branch in _categories_by_branch(split, rows):
        at = np.isnan(rows.values) if code is None else rows.values == code
        name = _("missing") if code is None else format_category(split.column.categories[code])
        found.append(_rows_bar(labels, name, -1 if branch < 0 else first + branch, rows, at))
    return _join_lightest(found, most, labels.language)


def _categories_by_branch(split: Split, rows: NodeRows) -> Iterator[tuple[int | None, int]]:
    """The categories that occur and the branch of each, sorted by branch; None is a missing value."""
    known = ~np.isnan(rows.values)
    codes = np.unique(rows.values[known & (rows.values >= 0)]).astype(np.int64).tolist()
    if split.threshold is not None:
        last = np.inf if np.isinf(split.threshold) else floor(split.threshold)
        branch_of = {code: int(code > last) for code in codes}
    else:
        listed = dict(zip(*(split.table or ((), ())), strict=True))
        branch_of = {code: listed.get(code, split.other if split.other is not None else -1) for code in codes}
    yield from sorted(branch_of.items(), key=lambda item: (item[1], item[0]))
    if not known.all():
        yield None, -1 if split.only_missing is None else split.only_missing


def fold_bars(bars: list[Bar], most: int, language: str) -> list[Bar]:
    """Return at most so many bars; of each branch the lightest are joined, or of all if there are many branches."""
    branches = [list(group) for _, group in groupby(bars, key=lambda bar: bar.child)]
    if len(bars) <= most or 2 * len(branches) > most:
        return _join_lightest(bars, most, language)
    kept = sorted(bars, key=lambda bar: -bar.weight)[: most - len(branches)]
    found = []
    for branch in branches:
        joined = _join_lightest(branch, 1 + sum(bar in kept for bar in branch), language)
        found += [replace(bar, child=branch[0].child) for bar in joined]
    return found


def _node_bar(labels: Labels, name: str, node: int, child: int) -> Bar:
    weight = float(labels.tree.weight[node])
    if not labels.is_number:
        return Bar(name, child, weight, labels.tree.stats[node])
    spread = typical_distance(labels.tree, node) if labels.tree.by_deviance else labels.tree.node(node).deviation
    return Bar(name, child, weight, np.empty(0), labels.tree.node(node).mean, spread)


def _rows_bar(labels: Labels, name: str, child: int, rows: NodeRows, at: NDArray[np.bool_]) -> Bar:
    weight = rows.weight[at]
    total = float(weight.sum())
    if not labels.is_number:
        return Bar(name, child, total, class_weights(rows.target[at], weight, len(labels.classes)))
    target = rows.target[at].astype(np.float64)
    mean = float(np.average(target, weights=weight))
    deviation = sqrt(float(np.average((target - mean) ** 2, weights=weight)))
    return Bar(name, child, total, np.empty(0), mean, deviation)


def _join_lightest(bars: list[Bar], most: int, language: str) -> list[Bar]:
    """At most so many bars; the lightest are joined into one."""
    if len(bars) <= most:
        return bars
    _ = messages(language)
    order = sorted(range(len(bars)), key=lambda i: (-bars[i].weight, i))
    shown, rest = sorted(order[: most - 1]), [bars[i] for i in order[most - 1 :]]
    weight = sum(bar.weight for bar in rest)
    name = _("… {n} more", n=len(rest))
    if bars[0].classes.size:
        joined = Bar(name, -1, weight, np.sum([bar.classes for bar in rest], axis=0), is_rest=True)
    else:
        part = [bar.weight / weight if weight > 0 else 1 / len(rest) for bar in rest]
        mean = sum(p * bar.mean for p, bar in zip(part, rest, strict=True))
        square = sum(p * (bar.deviation**2 + (bar.mean - mean) ** 2) for p, bar in zip(part, rest, strict=True))
        joined = Bar(name, -1, weight, np.empty(0), mean, sqrt(square), is_rest=True)
    return [*(bars[i] for i in shown), joined]
