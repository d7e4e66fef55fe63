"""Details of nodes in the data of a page: candidates, histograms and training rows.

The candidates have the numbers that growth compared. A histogram of a numeric column has bins of equal width with the
threshold as an edge, and the weight of each class (or the weight and the mean of the target) in each bin. Rows are
included only if the user passed them, because a page is passed on.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, nextafter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.folds import hold_out
from treewright.data.schema import Column, Kind
from treewright.grow.plan import Plan
from treewright.language import LANGUAGES, messages
from treewright.ledger.entries import entries
from treewright.ledger.ledger_reasons import translate
from treewright.ledger.record import BELOW, CHOSEN, RANKED, REJECTED, TIED, Candidate, Entry
from treewright.model.formatting import format_category, format_value
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.page.json_numbers import exact_list, rounded_list, rounded_number, shorten
from treewright.page.tree_part import threshold_words
from treewright.predict.missing_policy import AS_GROWN
from treewright.predict.predictions import find_leaves, visited_nodes

MAX_COLUMNS = 60
"""Candidates listed at a node."""

MAX_CUTS = 5
"""Thresholds listed for a candidate, the best first."""

MAX_CANDIDATES = 8_000
"""Candidates of a page, over all nodes."""

MAX_VALUES = 3 * 10**7
"""Values of the table that are read for candidates, over all nodes; about six seconds."""

NUMBERS = ("rho", "before", "after", "penalty", "gain", "split_info", "ratio", "gini_index", "merit")

RANKS = {CHOSEN: 0, TIED: 1, RANKED: 2, BELOW: 3, REJECTED: 4}


def ledgers_part(tree: Tree, rows: Dataset, plan: Plan, nodes: NDArray[np.int64]) -> dict[str, dict[str, Any]]:
    """Return the candidates by node."""
    columns = tree.schema.columns
    found = {one.node: ledger_record(one, columns) for one in entries(rows, plan, tree, nodes.tolist(), details=False)}
    return {str(node): found[node] for node in sorted(found)}


def stored_ledgers_part(tree: Tree, stored: Any, nodes: NDArray[np.int64]) -> dict[str, dict[str, Any]]:
    """Return the candidates by node from the `Ledgers` of a model file."""
    columns = tree.schema.columns
    found = {one.node: ledger_record(one, columns) for one in stored.entries(filter(stored.has, nodes.tolist()))}
    return {str(node): found[node] for node in sorted(found)}


def affordable_nodes(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return as many nodes, given heaviest first, as a page has space and time for, sorted; at least one.

    >>> from treewright.model.build import golf_example
    >>> affordable_nodes(golf_example(), np.array([0, 1, 3])).tolist()
    [0, 1, 3]
    """
    n_columns = max(1, tree.schema.n_columns)
    nodes = nodes[: max(1, MAX_CANDIDATES // min(n_columns, MAX_COLUMNS))]
    values = np.cumsum(tree.count[nodes].astype(np.float64) * n_columns)
    return np.sort(nodes[: max(1, int(np.searchsorted(values, MAX_VALUES, side="right")))])


def ledger_record(entry: Entry, columns: tuple[Column, ...]) -> dict[str, Any]:
    """Return the candidates of one node; fields that do not apply are left out."""
    listed = list(entry.candidates)
    if len(listed) > MAX_COLUMNS:
        best = sorted(listed, key=lambda one: (RANKS[one.verdict], -(one.merit or one.gain or 0.0), one.column))
        listed = sorted(best[:MAX_COLUMNS], key=lambda one: one.column)
    return {
        **_naming_cost(entry),
        "average": rounded_number(entry.average),
        "margin": rounded_number(entry.margin),
        "leaf": None if entry.leaf is None else _translated(entry.leaf),
        "n_candidates": len(entry.candidates),
        "candidates": [_candidate_record(one, columns[one.column]) for one in listed],
    }


def _naming_cost(entry: Entry) -> dict[str, Any]:
    """The cost of naming a column if it is part of the minimum gain, and the minimum gain."""
    naming = entry.naming
    if naming is None:
        return {}
    numbers = {"rows": naming.rows, "price": naming.cost, "average_part": naming.average_part, "floor": entry.floor}
    return {"naming": {"columns": naming.n_columns} | {name: rounded_number(x) for name, x in numbers.items()}}


def _translated(reason: str) -> dict[str, str]:
    """A reason by language."""
    return {language: shorten(translate(reason, messages(language))) for language in LANGUAGES}


def _candidate_record(one: Candidate, column: Column) -> dict[str, Any]:
    found: dict[str, Any] = {"column": one.column, "verdict": one.verdict, "reason": _translated(one.reason)}
    found |= {name: rounded_number(getattr(one, name)) for name in NUMBERS if getattr(one, name) is not None}
    if one.threshold is not None:
        found["threshold_words"] = threshold_words(column, one.threshold)
    if one.cuts:
        cuts = one.cuts[:MAX_CUTS]
        found["cuts"] = [[threshold_words(column, c.threshold), rounded_number(c.gain), c.tied] for c in cuts]
    return found


N_BINS = 24
"""About how many bins a histogram has."""

N_TARGET_BINS = 16
"""Bins of the target at each node of a regression tree."""

MAX_TARGET_NODES = 200
"""Nodes of a regression tree above which the page has no distributions of the target."""

MAX_PAIRS = 2**22
"""About how many pairs of a row and a node are in memory at a time."""

LARGEST = sys.float_info.max

Members = tuple[NDArray[np.int64], NDArray[np.float64]]
"""The rows of a node and their weights there."""


def distributions_part(tree: Tree, rows: Dataset, nodes: NDArray[np.int64]) -> dict[str, dict[str, Any]]:
    """Return the histograms by node.

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


def target_distribution(tree: Tree, rows: Dataset) -> dict[str, Any] | None:
    """Return the weight of the rows of each node by bins of the target; None for classes and for large trees.

    >>> from treewright.data.schema import Schema, Target
    >>> from treewright.model.build import build, leaf, number
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target("y"))
    >>> tree = build(schema, number("x", 1.5, leaf(0.0), leaf(16.0)))
    >>> rows = Dataset(schema, np.array([[1.0], [2.0], [2.0]]), np.array([0.0, 16.0, 15.5]))
    >>> [(counts[0], counts[-1]) for counts in target_distribution(tree, rows)["counts"]]
    [(1, 2), (1, 0), (0, 2)]
    """
    if not tree.schema.target.is_number or tree.n_nodes > MAX_TARGET_NODES:
        return None
    edges = np.linspace(rows.target.min(), rows.target.max(), N_TARGET_BINS + 1)
    if not np.all(np.diff(edges) > 0):
        return None
    bins = np.clip(np.searchsorted(edges, rows.target, side="left") - 1, 0, N_TARGET_BINS - 1)
    counts = np.zeros(tree.n_nodes * N_TARGET_BINS)
    step = max(1, MAX_PAIRS // (tree.depth + 1))
    for start in range(0, rows.n_rows, step):
        visits = visited_nodes(tree, rows.values[start : start + step], AS_GROWN)
        at = visits.rows + start
        weight = visits.weights if rows.weight is None else visits.weights * rows.weight[at]
        counts += np.bincount(visits.nodes * N_TARGET_BINS + bins[at], weight, len(counts))
    return {"edges": exact_list(edges), "counts": rounded_list(counts.reshape(tree.n_nodes, N_TARGET_BINS), 4)}


def bin_edges(values: NDArray[np.float64], threshold: float) -> NDArray[np.float64]:
    """Return the edges of bins (low, high] of equal width that contain all values; the threshold is one of them.

    A bin is at least as wide as the smallest distance of two values: a few integers have a bin each.

    >>> bin_edges(np.array([1.0, 2.0, 4.0]), 2.5).tolist()
    [0.5, 1.5, 2.5, 3.5, 4.5]
    """
    ascending = np.unique(values)
    low, high = float(ascending[0]), float(ascending[-1])
    # Values too close to the threshold for their size, or too far apart, get one bin on either side.
    two_bins = np.array([nextafter(min(low, threshold), -LARGEST), threshold, max(high, nextafter(threshold, LARGEST))])
    if max(-low, high) > LARGEST / 4:
        return two_bins
    gaps = np.diff(ascending)
    width = max((high - low) / N_BINS, float(gaps.min()) if len(gaps) else 0.0)
    if width == 0.0:
        return two_bins
    below, above = (max(1, ceil(side / width - 1e-9)) for side in (threshold - low, high - threshold))
    edges: NDArray[np.float64] = threshold + width * np.arange(-below, above + 1, dtype=np.float64)
    if edges[0] >= low:
        edges = np.concatenate([[edges[0] - width], edges])
    edges[-1] = max(edges[-1], high)
    return edges if np.all(np.diff(edges) > 0) else two_bins


def _histogram(
    tree: Tree, threshold: float, values: NDArray[np.float64], target: NDArray[Any], weight: NDArray[np.float64]
) -> dict[str, Any]:
    """The bins of one node."""
    edges = bin_edges(values, threshold)
    n = len(edges) - 1
    bins = np.clip(np.searchsorted(edges, values, side="left") - 1, 0, n - 1)
    if tree.schema.target.is_number:
        total = np.bincount(bins, weight, n)
        sums = np.bincount(bins, weight * target, n)
        means = [None if w == 0 else rounded_number(y / w) for w, y in zip(total.tolist(), sums.tolist(), strict=True)]
        return {
            "edges": exact_list(edges),
            "counts": [[rounded_number(w), y] for w, y in zip(total.tolist(), means, strict=True)],
        }
    k = tree.schema.target.n_classes
    counts = np.bincount(bins * k + target, weight, n * k).reshape(n, k)
    return {"edges": exact_list(edges), "counts": rounded_list(counts)}


def _members(tree: Tree, rows: Dataset, nodes: NDArray[np.int64]) -> Iterator[tuple[int, Members]]:
    """The rows of each of these nodes, with their weights there.

    Rows are routed through a tree that ends below these nodes, so that it is no deeper than needed.
    """
    wanted = np.zeros(tree.n_nodes, bool)
    wanted[nodes] = True
    top = collapse_nodes(tree, ~wanted)
    own = np.flatnonzero(top.tree.n_children)
    parts: dict[int, list[Members]] = {k: [] for k in own.tolist()}
    step = max(1, MAX_PAIRS // (top.tree.depth + 1))
    for start in range(0, rows.n_rows, step):
        visits = visited_nodes(top.tree, rows.values[start : start + step], AS_GROWN)
        # Sorted by node; numpy sorts 16-bit integers several times as fast.
        order = np.argsort(visits.nodes.astype(np.uint16) if top.tree.n_nodes < 2**16 else visits.nodes, kind="stable")
        at, weight = visits.rows[order] + start, visits.weights[order]
        ends = np.cumsum(np.bincount(visits.nodes, minlength=top.tree.n_nodes))
        for k, lists in parts.items():
            inside = slice(ends[k - 1] if k else 0, ends[k])
            lists.append((at[inside], weight[inside]))
    for k, lists in parts.items():
        at, weight = (np.concatenate(columns) for columns in zip(*lists, strict=True))
        yield int(top.origin[k]), (at, weight if rows.weight is None else weight * rows.weight[at])


MAX_ROWS, MAX_CELLS = 5_000, 150_000
"""Rows and cells of a page."""

MAX_CELL_LENGTH = 200
"""Characters of a cell; longer ones are cut."""


def rows_part(tree: Tree, rows: Dataset, numbers: NDArray[np.int64]) -> dict[str, Any]:
    """Return the cells and leaves of some rows of every leaf, in the order of the table.

    numbers  row number of each row in the user's table

    >>> from treewright.model.build import golf_example
    >>> golf = golf_example()
    >>> rows = Dataset(golf.schema, np.array([[0, 70.0, 0], [1, np.nan, 1]]), np.array([1, 1]))
    >>> rows_part(golf, rows, np.arange(2))["cells"]
    [['sunny', '70', 'False', 'Play'], ['overcast', None, 'True', 'Play']]
    """
    counts = np.ones(rows.n_rows, bool) if rows.weight is None else rows.weight > 0
    counted = np.flatnonzero(counts)
    leaf = find_leaves(tree, rows.values[counted], AS_GROWN)
    order = np.argsort(numbers[counted], kind="stable")
    most = max(1, min(MAX_ROWS, MAX_CELLS // (rows.n_columns + 1)))
    chosen = order[_choose_rows(leaf[order], tree.weight, most)]
    shown = counted[chosen]
    schema = rows.schema
    columns = [_format_cells(column, rows.values[shown, i]) for i, column in enumerate(schema.columns)]
    classes = schema.target.classes
    target = Column(schema.target.name, Kind.NUMBER if classes is None else Kind.CATEGORY, classes or ())
    columns.append(_format_cells(target, rows.target[shown].astype(np.float64)))
    return {
        "cells": [list(cells) for cells in zip(*columns, strict=True)],
        "leaf": leaf[chosen].tolist(),
        "number": numbers[shown].tolist(),
        "n_rows": len(counted),
    }


def _choose_rows(leaf: NDArray[np.int64], weight: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """The indices of the first rows of each leaf, sorted; the same number of each leaf as far as possible."""
    if len(leaf) <= most:
        return np.arange(len(leaf))
    by_leaf = np.argsort(leaf, kind="stable")
    at, counts = np.unique(leaf, return_counts=True)
    rank = np.empty(len(leaf), np.int64)
    rank[by_leaf] = np.arange(len(leaf)) - np.repeat(np.cumsum(counts) - counts, counts)
    each = int(np.searchsorted(np.cumsum(np.bincount(rank)), most, side="right"))
    chosen = rank < each
    # The remaining space goes to the heaviest leaves, a row each.
    left = most - int(np.count_nonzero(chosen))
    heavy = at[np.argsort(-weight[at], kind="stable")]
    further = np.isin(leaf, heavy[np.isin(heavy, leaf[rank == each])][:left]) & (rank == each)
    return np.flatnonzero(chosen | further)


def _format_cells(column: Column, cells: NDArray[np.float64]) -> list[str | None]:
    """Cells as text; None if missing."""
    if column.kind is Kind.NUMBER:
        return [None if x != x else format_value(column, x) for x in cells.tolist()]
    texts = [shorten(format_category(one), MAX_CELL_LENGTH) for one in column.categories]
    return [None if x != x else texts[int(x)] for x in cells.tolist()]


@dataclass(frozen=True, slots=True, eq=False)
class NumberedDataset(Dataset):
    """A dataset that keeps the row numbers of the user's table."""

    number: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))

    def take(self, rows: NDArray[np.intp]) -> "NumberedDataset":
        """The dataset of these rows, in this order."""
        weight = None if self.weight is None else self.weight[rows]
        taken = self.values[rows], self.target[rows], weight
        return NumberedDataset(self.schema, *taken, self.copies, number=self.number[rows])


def row_numbers(table: Dataset, fraction: float) -> NDArray[np.int64]:
    """Return the row number of each training row in a table of which a fraction is held out.

    >>> from treewright.data.schema import Schema, Target
    >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
    >>> table = Dataset(schema, np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 0, 0, 1, 1]))
    >>> len(row_numbers(table, 0.5))
    4
    """
    every = np.arange(table.n_rows)
    numbered = NumberedDataset(table.schema, table.values, table.target, table.weight, table.copies, number=every)
    training = hold_out(numbered, fraction)[0]
    assert isinstance(training, NumberedDataset)
    return training.number
