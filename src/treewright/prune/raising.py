"""Subtree raising: error-based pruning in which the largest branch of a node may take its place.

In: a classification tree, its training rows, and how errors are estimated. Out: for each node the node whose split it
has after pruning, its rows then, and the numbers of every visit. The kernels do it, on the state of `raising_rows`.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.model.strategies import TO_ALL, TO_MISSING
from treewright.model.tree import Tree
from treewright.predict.routing import prepare_values
from treewright.prune.limits import Limit
from treewright.prune.raising_rows import count_in_units, place_rows, prune_places


@dataclass(frozen=True, slots=True, eq=False)
class RaisingResult:
    """The result of pruning with raising, by the numbers of the grown tree.

    split_of  the node whose split each node has; -1 at a leaf
    contents  the columns of the tree about rows, if some node got other rows
    numbers   the estimates at the last visit of each inner node: as a leaf, of its subtree, and of its largest branch
              in its place, NaN if that branch is a leaf
    verdict   at that visit; a node is visited again after it got other rows
    """

    split_of: NDArray[np.int64]
    contents: dict[str, NDArray[Any]]
    numbers: NDArray[np.float64]
    verdict: NDArray[np.int8]


def raise_branches(tree: Tree, limit: Limit, allowance: float, *, rows: Dataset, unit: float = 1.0) -> RaisingResult:
    """Prune from the bottom up: each node becomes a leaf, or its largest branch takes its place, or it stays.

    tree       its weights count rows
    allowance  how far the estimate of the smaller tree may be above the others
    rows       with the weights that the tree was grown on
    unit       the weight that counts as one row
    """
    if rows.weight is not None and not rows.weight.all():
        rows = rows.take(np.flatnonzero(rows.weight))
    if rows.n_rows != tree.count[0]:
        raise InputError(
            f"Expected the {tree.count[0]} training rows of the tree, got {rows.n_rows} rows; pass the same rows again."
        )
    rows = replace(rows, values=prepare_values(tree, rows.values))
    columns, divided = np.unique(tree.column[~tree.is_leaf]), tree.strategy.goes == TO_ALL
    shared = divided and _has_missing_value(rows, columns)
    # growth divides weights as soon as any column has missing values
    small = shared or (divided and not rows.is_counted and _has_missing_value(rows, np.arange(tree.schema.n_columns)))
    units = count_in_units(rows.weight, rows.n_rows, shared=small)
    units = replace(units, unit=units.unit / unit)
    state = place_rows(tree, rows, units, (limit, allowance), shared=shared)
    prune_places(state, rows.n_rows, shared=shared)
    found = {name: np.asarray(getattr(state, name)) for name in ("split_of", "changed", "count", "stats")}
    contents = update_row_columns(tree, **found, unit=units.unit) if found["changed"].any() else {}
    return RaisingResult(found["split_of"], contents, np.asarray(state.recorded), np.asarray(state.verdict))


def _has_missing_value(rows: Dataset, columns: NDArray[Any]) -> bool:
    """Whether one of these columns has values and missing values."""
    ranges = rows.known_ranges
    if ranges is not None:
        return bool((ranges.has_missing & ~np.isnan(ranges.low))[columns].any())
    return any((lost := np.isnan(rows.values[:, f])).any() and not lost.all() for f in columns)


WEIGHT_TIE = 1e-9
"""Two weights tie if they differ by at most this fraction."""


def update_row_columns(
    tree: Tree,
    *,
    split_of: NDArray[np.int64],
    changed: NDArray[Any],
    count: NDArray[np.int64],
    stats: NDArray[np.int64],
    unit: float,
) -> dict[str, NDArray[Any]]:
    """The columns of the tree about rows, new where `changed`; `stats` are class weights in units.

    An empty leaf has the value of the node above it.
    """
    new = np.flatnonzero(changed)
    columns: dict[str, NDArray[Any]] = {
        name: getattr(tree, name).copy() for name in ("count", "weight", "stats", "value", "impurity")
    }
    whole = stats[new].sum(axis=1)
    proportion = stats[new] / np.maximum(whole, 1)[:, None]
    columns["count"][new] = count[new]
    columns["weight"][new] = whole * unit
    columns["stats"][new] = stats[new] * unit
    columns["value"][new] = proportion
    columns["impurity"][new] = tree.measured_by.of_shares(proportion)

    inner = np.flatnonzero(split_of >= 0)
    many = tree.n_children[split_of[inner]]
    start = np.cumsum(many) - many
    children = np.repeat(tree.first_child[split_of[inner]] - start, many) + np.arange(many.sum())
    parent = np.repeat(inner, many)
    empty = columns["count"][children] == 0
    columns["value"][children[empty]] = columns["value"][parent[empty]]
    if tree.strategy.goes != TO_MISSING and len(inner):
        other_rows = np.logical_or.reduceat(changed[children] > 0, start) | (split_of[inner] != inner)
        heaviest = _heaviest_branch(columns["weight"][children], many, start)
        columns["missing_branch"] = np.full(tree.n_nodes, -1, np.int32)
        columns["missing_branch"][inner] = np.where(other_rows, heaviest, tree.missing_branch[inner])
    return columns


def _heaviest_branch(weight: NDArray[np.float64], many: NDArray[Any], start: NDArray[Any]) -> NDArray[np.int64]:
    """The branch of most weight at each inner node, the first one on a tie.

    weight  of the children, those of one node after those of another: `many` from `start` on
    """
    most = np.repeat(np.maximum.reduceat(weight, start), many)
    branch = np.arange(len(weight)) - np.repeat(start, many)
    return np.minimum.reduceat(np.where(weight >= most * (1 - WEIGHT_TIE), branch, len(weight)), start)
