"""Distributions: how the number that a node asks for lies in its rows.

In: the grown tree, its training rows and some of its nodes. Out: for each node that cuts a number a histogram: bins of
one width, one of whose edges is the threshold, with the weight of each class (or the weight and the mean of the target)
in each. Rows whose value is missing are in no bin; a row that is shared among branches counts by its share.
"""

import sys
from collections.abc import Iterator
from math import ceil, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.model.cut import cut
from treewright.model.tree import Tree
from treewright.page.plain import exact, rounded, short
from treewright.predict.route import USUAL, visited

N_BINS = 24
"""About how many bins the values of a node are laid out in."""

MOST_STEPS = 2**22
"""Pairs of a row and a node that are held at a time, about."""

MOST = sys.float_info.max

Members = tuple[NDArray[np.int64], NDArray[np.float64]]
"""Rows and the weight they have at a node."""


def distributions_part(tree: Tree, rows: Dataset, nodes: NDArray[np.int64]) -> dict[str, dict[str, Any]]:
    """The histograms by node.

    >>> from treewright.model.build import golf_example
    >>> golf = golf_example()
    >>> rows = Dataset(golf.schema, np.array([[0, 70.0, 0], [0, 80.0, 0], [0, 90.0, 0]]), np.array([1, 1, 0]))
    >>> distributions_part(golf, rows, np.array([0, 1]))
    {'1': {'edges': [65, 75, 85, 95], 'counts': [[0, 1], [0, 1], [1, 0]]}}
    """
    is_number = np.array([column.kind is Kind.NUMBER for column in tree.schema.columns], bool)
    found = {}
    for node, (at, weight) in _members(tree, rows, nodes):
        if not (is_number[tree.column[node]] and np.isfinite(tree.threshold[node])):
            continue
        values = rows.values[:, tree.column[node]].take(at)
        known = ~np.isnan(values) & (weight > 0)
        if known.any():
            target = rows.target[at[known]]
            found[node] = _histogram(tree, float(tree.threshold[node]), values[known], target, weight[known])
    return {str(node): found[node] for node in sorted(found)}


def edges_of(values: NDArray[np.float64], threshold: float) -> NDArray[np.float64]:
    """Edges of bins (low, high] of one width that hold all values, the threshold one of them.

    A bin is no narrower than the least distance of two values: whole numbers have a bin each, as long as they are few.

    >>> edges_of(np.array([1.0, 2.0, 4.0]), 2.5).tolist()
    [0.5, 1.5, 2.5, 3.5, 4.5]
    """
    rising = np.unique(values)
    low, high = float(rising[0]), float(rising[-1])
    # Where values stand too close to the threshold for their size, or too far apart, one bin on either side must do.
    plain = np.array([nextafter(min(low, threshold), -MOST), threshold, max(high, nextafter(threshold, MOST))])
    if max(-low, high) > MOST / 4:
        return plain
    gaps = np.diff(rising)
    width = max((high - low) / N_BINS, float(gaps.min()) if len(gaps) else 0.0)
    if width == 0.0:
        return plain
    below, above = (max(1, ceil(side / width - 1e-9)) for side in (threshold - low, high - threshold))
    edges: NDArray[np.float64] = threshold + width * np.arange(-below, above + 1, dtype=np.float64)
    if edges[0] >= low:
        edges = np.concatenate([[edges[0] - width], edges])
    edges[-1] = max(edges[-1], high)
    return edges if np.all(np.diff(edges) > 0) else plain


def _histogram(
    tree: Tree, threshold: float, values: NDArray[np.float64], target: NDArray[Any], weight: NDArray[np.float64]
) -> dict[str, Any]:
    """The bins of one node."""
    edges = edges_of(values, threshold)
    n = len(edges) - 1
    bins = np.clip(np.searchsorted(edges, values, side="left") - 1, 0, n - 1)
    if tree.schema.target.is_number:
        total = np.bincount(bins, weight, n)
        sums = np.bincount(bins, weight * target, n)
        means = [None if w == 0 else short(y / w) for w, y in zip(total.tolist(), sums.tolist(), strict=True)]
        return {"edges": exact(edges), "counts": [[short(w), y] for w, y in zip(total.tolist(), means, strict=True)]}
    k = tree.schema.target.n_classes
    counts = np.bincount(bins * k + target, weight, n * k).reshape(n, k)
    return {"edges": exact(edges), "counts": rounded(counts)}


def _members(tree: Tree, rows: Dataset, nodes: NDArray[np.int64]) -> Iterator[tuple[int, Members]]:
    """The rows of each of these nodes, with their weights there.

    Rows are sent down a tree that ends below these nodes; it is as deep as they need.
    """
    wanted = np.zeros(tree.n_nodes, bool)
    wanted[nodes] = True
    top = cut(tree, ~wanted)
    own = np.flatnonzero(top.tree.n_children)
    parts: dict[int, list[Members]] = {k: [] for k in own.tolist()}
    step = max(1, MOST_STEPS // (top.tree.depth + 1))
    for start in range(0, rows.n_rows, step):
        met = visited(top.tree, rows.values[start : start + step], USUAL)
        # By node; numpy sorts short numbers several times as fast.
        order = np.argsort(met.nodes.astype(np.uint16) if top.tree.n_nodes < 2**16 else met.nodes, kind="stable")
        at, weight = met.rows[order] + start, met.weights[order]
        ends = np.cumsum(np.bincount(met.nodes, minlength=top.tree.n_nodes))
        for k, lists in parts.items():
            inside = slice(ends[k - 1] if k else 0, ends[k])
            lists.append((at[inside], weight[inside]))
    for k, lists in parts.items():
        at, weight = (np.concatenate(columns) for columns in zip(*lists, strict=True))
        yield int(top.origin[k]), (at, weight if rows.weight is None else weight * rows.weight[at])
