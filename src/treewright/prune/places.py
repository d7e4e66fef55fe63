"""RaisingState: a tree and its training rows as the kernels of raising read them.

In: a classification tree, its training rows, and how errors are estimated. Out: `RaisingState` with every row where
growth left it, and the size of the whole numbers its weights are counted in.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import RaisingState, make_lists, rows_by_leaf, sum_up
from treewright.data.dataset import Dataset
from treewright.data.units import CLOSE, LEAST_SHARE, SHARE_BITS, weights_in_units, weights_to_share
from treewright.model.pack import pack_surrogates
from treewright.model.strategies import STAYS
from treewright.model.tree import Tree
from treewright.predict.ends import ends
from treewright.predict.rule import Rule
from treewright.prune.limits import Limit

NOWHERE = np.zeros(0, np.int32)
NO_COSTS = np.zeros((0, 0))
Fields = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Weights as whole numbers of `unit`; `one` of them count as a row where rows are shared out."""

    whole: NDArray[np.int64]
    unit: float
    one: float


def in_units(weight: NDArray[np.float64] | None, n_rows: int, *, shared: bool) -> Units:
    """The weights as growth counted them.

    >>> in_units(np.array([2.0, 1.0]), 2, shared=False)
    Units(whole=array([2, 1]), unit=1.0, one=1.0)
    >>> in_units(np.array([2.0, 1.0]), 2, shared=True).unit * 2**58
    1.0
    """
    found = weights_to_share(weight, n_rows, SHARE_BITS) if shared else weights_in_units(weight)
    whole = np.ones(n_rows, np.int64) if found.whole is None else found.whole
    return Units(whole, found.unit, found.one)


def one_way_places(
    tree: Tree, rows: Dataset, units: Units, limit: Limit, costs: NDArray[np.float64] | None = None
) -> RaisingState:
    """RaisingState where every row goes one way, each row in the list of the place where it ends.

    costs  what an answer costs, (true class, answered class), 1 on average; None: 1 for each wrong one
    """
    n, k = tree.n_nodes, tree.schema.target.n_classes
    nodes = ends(tree, rows.values, Rule())[0]
    order = _by_leaf(tree, nodes)
    nodes, rows, units = nodes[order], rows.take(order), replace(units, whole=units.whole[order])
    tally = np.bincount(nodes * k + rows.target, units.whole, n * k).reshape(n, k)
    ended = tally.sum(axis=1)
    table = np.column_stack([tally, np.bincount(nodes, minlength=n)])
    sum_up(tree.parent, table)
    stats = np.ascontiguousarray(table[:, :k]).astype(np.int64)
    weight, best = stats.sum(axis=1), stats.max(axis=1)
    wrong = weight - best if costs is None else (stats @ costs).min(axis=1)
    as_leaf = limit.estimates(weight * units.unit, wrong * units.unit)
    stops = tree.strategy.goes == STAYS
    return RaisingState(
        **_common(tree, rows, units, limit),
        costs=NO_COSTS if costs is None else np.ascontiguousarray(costs),
        **_lists(nodes, n),
        missing_branch=NOWHERE if stops else tree.missing_branch.copy(),
        count=table[:, k].astype(np.int64),
        weight=weight,
        best=best,
        stats=stats,
        as_leaf=as_leaf,
        now=np.where(tree.is_leaf, as_leaf, 0.0),
        stops=stops,
        staying=np.where(tree.is_leaf, 0, ended).astype(np.int64),
        **{name: np.empty(rows.n_rows, np.int32) for name in ("moved", "row_aside", "side")},
    )


def shared_places(
    tree: Tree, rows: Dataset, units: Units, limit: Limit, costs: NDArray[np.float64] | None = None
) -> RaisingState:
    """RaisingState where rows are shared out; the kernel has still to put them there (`route_rows_from_root`)."""
    n, k = tree.n_nodes, tree.schema.target.n_classes
    n_branches = int(tree.n_children.max()) + 1
    n_shares = max(rows.n_rows, shares_at_leaves(tree))
    return RaisingState(
        **_common(tree, rows, units, limit),
        costs=NO_COSTS if costs is None else np.ascontiguousarray(costs),
        **rooms(n_shares),
        **stores(2 * n_shares),
        missing_branch=NOWHERE,
        usual_branch=tree.missing_branch,
        close=CLOSE * units.one,
        least_share=LEAST_SHARE * units.one,
        count=np.zeros(n, np.int64),
        weight=np.zeros(n, np.int64),
        best=np.zeros(n, np.int64),
        stats=np.zeros((n, k), np.int64),
        as_leaf=np.zeros(n),
        now=np.zeros(n),
        n_stored=0,
        n_ended=0,
        start=np.zeros(n, np.int64),
        gathered=np.zeros(rows.n_rows, np.int64),
        sums=np.zeros(k, np.int64),
        **{name: np.empty(n_branches, np.int32) for name in ("side_of", "order", "by_weight")},
        **{name: np.empty(n_branches) for name in ("key", "portion")},
    )


def shares_at_leaves(tree: Tree) -> int:
    """How many there are; when the rows are sent down, at no time are more of them on their way."""
    return int(tree.count[tree.is_leaf].sum())


def rooms(n: int) -> Fields:
    """Room for n rows on their way."""
    rows = {name: np.empty(n, np.int32) for name in ("row_at", "row_aside", "side")}
    return {**rows, **{name: np.empty(n, np.int64) for name in ("weight_at", "weight_aside")}}


def stores(n: int) -> Fields:
    """A store for n shares."""
    return {"stored_row": np.empty(n, np.int32), "stored_weight": np.empty(n, np.int64)}


def _common(tree: Tree, rows: Dataset, units: Units, limit: Limit) -> Fields:
    n, packed, n_branches = tree.n_nodes, tree.packed, int(tree.n_children.max()) + 1
    n_codes, dense, spans, entries = packed.tables
    first, stand_ins, stand_in_entries = (
        tree.packed_surrogates if tree.strategy.surrogates else pack_surrogates(None)
    )
    return {
        "values": rows.values,
        "labels": np.ascontiguousarray(rows.target, np.int32),
        "weights": units.whole,
        "n_classes": tree.schema.target.n_classes,
        "cells": packed.cells.copy(),
        "n_codes": n_codes,
        "dense": dense,
        "spans": spans.copy(),
        "entries": entries,
        "split_of": np.where(tree.is_leaf, -1, np.arange(n)),
        "n_branches": tree.n_children.copy(),
        "first_stand_in": first,
        "stand_ins": stand_ins,
        "stand_in_entries": stand_in_entries,
        "changed": np.zeros(n, np.uint8),
        "limit": limit.code,
        "confidence": float(limit.confidence),
        "square": limit.square,
        "scale": units.unit,
        "following": n,
        "n_waiting": 0,
        "waiting": np.empty(n, np.int64),
        "waits": np.zeros(n, np.uint8),
        "recorded": np.zeros((n, 3)),
        "verdict": np.zeros(n, np.int8),
        "n_steps": 0,
        "n_touched": 0,
        "touched": np.empty(n, np.int64),
        **{name: np.empty(n, np.int64) for name in ("stack", "behind")},
        **{name: np.empty(n_branches, np.int64) for name in ("known", "n_known")},
        "marked": np.zeros(n, np.uint8),
    }


def _by_leaf(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows in order of where they end: those that are sent down a branch together are then neighbours in memory."""
    order, stack, lists = np.empty(len(nodes), np.int64), np.empty(tree.n_nodes, np.int64), _lists(nodes, tree.n_nodes)
    rows_by_leaf(tree.first_child, tree.n_children, lists["first_row"], lists["next_row"], stack, order)
    return order


def _lists(nodes: NDArray[np.int64], n_nodes: int) -> Fields:
    """The rows that end at each node, as lists: first and last row by node, next row by row; -1 where there is none."""
    first, last = np.full(n_nodes, -1, np.int32), np.full(n_nodes, -1, np.int32)
    following = np.empty(len(nodes), np.int32)
    make_lists(nodes, first, last, following)
    return {"first_row": first, "last_row": last, "next_row": following}
