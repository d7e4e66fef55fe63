"""Raising: a tree and its training rows -> the splits that are left, and the rows that come to them.

In: a classification tree, the rows it was grown on, and how errors are estimated. Out: whose split stands at each node
after error-based pruning with subtree raising, what rows it has then, and every visit. The work is compiled; what
stands here gives it room and lets Ctrl-C through.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import (
    RaisingState,
    move_store,
    prune_and_raise,
    prune_and_raise_fractional,
    route_rows_from_root,
)
from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.model.strategies import SHARES
from treewright.model.tree import Tree
from treewright.predict.ends import readable
from treewright.prune.contents import new_contents
from treewright.prune.costs import read_costs
from treewright.prune.limits import Limit
from treewright.prune.places import in_units, one_way_places, rooms, shared_places, stores

PAUSE = 10_000_000
"""Steps of rows from node to node between two looks for Ctrl-C: less than half a second."""

DONE, PAUSED, NO_ROOM, FULL = range(4)
"""How a run of visits ends: see _core.raising_shared."""


@dataclass(frozen=True, slots=True, eq=False)
class Raised:
    """What pruning left, and why; all by the numbers of the grown tree.

    split_of  whose split stands at each node; -1 at a leaf
    contents  what its rows are then, where other rows came to some node
    numbers   the estimates at the last visit of each inner node: as a leaf, of its subtree, and of its largest branch
              in its place, NaN where that branch is a leaf and so the same as the node as a leaf
    verdict   at that visit; a node is visited again after other rows came to it
    """

    split_of: NDArray[np.int64]
    contents: dict[str, NDArray[Any]]
    numbers: NDArray[np.float64]
    verdict: NDArray[np.int8]


def raise_branches(tree: Tree, rows: Dataset, limit: Limit, allowance: float) -> Raised:
    """Prune from the bottom up: each node becomes a leaf, or its largest branch takes its place, or it stays.

    allowance  how far above the other estimates that of the smaller tree may be
    """
    if rows.weight is not None and not rows.weight.all():
        rows = rows.take(np.flatnonzero(rows.weight))
    if rows.n_rows != tree.count[0]:
        raise InputError(
            f"The tree was grown on {tree.count[0]} rows, but {rows.n_rows} are given; give the same rows again."
        )
    rows = replace(rows, values=readable(tree, rows.values))
    asked = np.unique(tree.column[~tree.is_leaf])
    shared = tree.strategy.goes == SHARES and _has_hole(rows, asked)
    units = in_units(rows.weight, rows.n_rows, shared=shared)
    costs = read_costs(None, tree)
    if costs is not None and np.array_equal(costs, 1.0 - np.eye(len(costs))):
        costs = None  # each wrong answer is 1: whole numbers tell it without a rounding
    if shared:
        places = shared_places(tree, rows, units, limit, costs)
        places.allowance = allowance
        _settle_shared(places, rows.n_rows)
    else:
        places = one_way_places(tree, rows, units, limit, costs)
        places.allowance = allowance
        while not prune_and_raise(places, PAUSE):
            pass
    found = {name: np.asarray(getattr(places, name)) for name in ("split_of", "changed", "count", "stats")}
    contents = new_contents(tree, **found, unit=units.unit) if found["changed"].any() else {}
    return Raised(found["split_of"], contents, np.asarray(places.recorded), np.asarray(places.verdict))


def _has_hole(rows: Dataset, columns: NDArray[np.int32]) -> bool:
    """Whether a value of one of these columns is missing."""
    ends = rows.known_ends
    if ends is not None:
        return bool(ends.holes[columns].any())
    return any(np.isnan(rows.values[:, f]).any() for f in columns)


def _settle_shared(places: RaisingState, n_rows: int) -> None:
    """Send the rows down from the root and settle all places, with more room whenever some is lacking."""
    while not route_rows_from_root(places, n_rows):
        places.assign(rooms(2 * len(places.row_at)) | stores(2 * len(places.stored_row)))
    while (status := prune_and_raise_fractional(places, PAUSE)) != DONE:
        if status == NO_ROOM:
            places.assign(rooms(2 * len(places.row_at)))
        elif status == FULL:
            _tidy_store(places, max(places.n_ended, n_rows))


def _tidy_store(places: RaisingState, n_more: int) -> None:
    """Make room for so many more shares: what was stored of branches that are gone is of no more use."""
    store = stores(len(places.stored_row))
    n = move_store(places, *store.values())
    if 2 * (n + n_more) > len(places.stored_row):
        larger = stores(2 * (n + n_more))
        for name, column in larger.items():
            column[:n] = store[name][:n]
        store = larger
    places.assign(store)
