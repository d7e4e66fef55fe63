"""The rows of a tree at its nodes, as the kernels of raising take them.

In: a tree and its rows, with weights in units. Out: the state of the kernels, before a branch is raised and after it.
The kernels are compiled (`_core/prune`); this module prepares their state, gives it room, and lets Ctrl-C through.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import (
    RaisingState,
    make_lists,
    move_store,
    prune_and_raise,
    prune_and_raise_fractional,
    route_rows_from_root,
    rows_by_leaf,
    sum_up,
)
from treewright.data.dataset import Dataset
from treewright.data.fixed_point import (
    FRACTION_BITS,
    SMALLEST_FRACTION,
    WEIGHT_TOLERANCE,
    weights_in_small_units,
    weights_in_units,
)
from treewright.model.packed_tree import pack_surrogates
from treewright.model.strategies import STAYS
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.routing import route_rows
from treewright.prune.limits import Limit
from treewright.prune.losses import read_costs

STEPS_PER_CALL = 10_000_000
"""Steps of rows from node to node between two checks for Ctrl-C: less than half a second."""

DONE, PAUSED, NO_ROOM, FULL = range(4)
"""How a call of the kernel ends: all done, paused, no room for routed rows, or no room for stored fractions."""
NO_BRANCHES = np.zeros(0, np.int32)
NO_COSTS = np.zeros((0, 0))
Fields = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class RowUnits:
    """Weights as whole numbers of `unit`; `one` of these units count as a row with fractional weights."""

    whole: NDArray[np.int64]
    unit: float
    one: float


def count_in_units(weight: NDArray[np.float64] | None, n_rows: int, *, shared: bool) -> RowUnits:
    """The weights as growth counted them.

    >>> count_in_units(np.array([2.0, 1.0]), 2, shared=False)
    RowUnits(whole=array([2, 1]), unit=1.0, one=1.0)
    >>> count_in_units(np.array([2.0, 1.0]), 2, shared=True).unit * 2**58
    1.0
    """
    found = weights_in_small_units(weight, n_rows, FRACTION_BITS) if shared else weights_in_units(weight)
    whole = np.ones(n_rows, np.int64) if found.whole is None else found.whole
    return RowUnits(whole, found.unit, found.one)


def place_rows(tree: Tree, rows: Dataset, units: RowUnits, how: tuple[Limit, float], *, shared: bool) -> RaisingState:
    """A tree, or a subtree, with its rows at their places, before it is pruned.

    how     the limit and the allowance
    shared  whether rows with missing values are divided
    """
    (limit, allowance), costs = how, costs_of_errors(tree)
    if not shared:
        state = one_branch_state(tree, rows, units, limit, costs)
    else:
        state = fractional_state(tree, rows, units, limit, costs)
        while not route_rows_from_root(state, rows.n_rows):
            state.assign(row_buffers(2 * len(state.row_at)) | fraction_store(2 * len(state.stored_row)))
    state.allowance = allowance
    return state


def prune_places(state: RaisingState, n_rows: int, *, shared: bool) -> None:
    """Prune a tree whose rows are at their places; with more room for fractions whenever it is needed."""
    while not shared and not prune_and_raise(state, STEPS_PER_CALL):
        pass
    while shared and (status := prune_and_raise_fractional(state, STEPS_PER_CALL)) != DONE:
        if status == NO_ROOM:
            state.assign(row_buffers(2 * len(state.row_at)))
        elif status == FULL:
            _compact_store(state, max(state.n_ended, n_rows))


def costs_of_errors(tree: Tree) -> NDArray[np.float64] | None:
    """What a prediction costs, (true class, predicted class); None if each error costs 1, which is counted in whole
    numbers, without rounding.
    """
    costs = read_costs(None, tree)
    return None if costs is None or np.array_equal(costs, 1.0 - np.eye(len(costs))) else costs


def least_costs(stats: NDArray[np.int64], costs: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the cheapest prediction costs on rows of these class weights, added up in the order of the kernels.

    >>> least_costs(np.array([[3, 1]]), np.array([[0.0, 1.0], [5.0, 0.0]]))
    array([3.])
    """
    total = np.zeros((len(stats), costs.shape[1]))
    for weight, cost in zip(stats.T, costs, strict=True):
        total += weight[:, None] * cost
    lowest: NDArray[np.float64] = total.min(axis=1)
    return lowest


def _compact_store(state: RaisingState, n_more: int) -> None:
    """Make room for so many more fractions: those of branches that were pruned are dropped."""
    store = fraction_store(len(state.stored_row))
    n = move_store(state, *store.values())
    if 2 * (n + n_more) > len(state.stored_row):
        larger = fraction_store(2 * (n + n_more))
        for name, column in larger.items():
            column[:n] = store[name][:n]
        store = larger
    state.assign(store)


def one_branch_state(
    tree: Tree, rows: Dataset, units: RowUnits, limit: Limit, costs: NDArray[np.float64] | None = None
) -> RaisingState:
    """The state if every row goes down one branch: each row in the list of the node where its path ends.

    costs  what a prediction costs, (true class, predicted class), 1 on average; None: 1 for each wrong one
    """
    n, k = tree.n_nodes, tree.schema.target.n_classes
    nodes = route_rows(tree, rows.values, MissingPolicy())[0]
    order = _order_by_leaf(tree, nodes)
    nodes, rows, units = nodes[order], rows.take(order), replace(units, whole=units.whole[order])
    ended, stats = _sum_at_nodes(tree, nodes * k + rows.target, units.whole, k)
    weight, best = stats.sum(axis=1), stats.max(axis=1)
    wrong = weight - best if costs is None else least_costs(stats, costs)
    as_leaf = limit.estimates(weight * units.unit, wrong * units.unit)
    stops = tree.strategy.goes == STAYS
    return RaisingState(
        **_common_fields(tree, rows, units, limit),
        costs=NO_COSTS if costs is None else np.ascontiguousarray(costs),
        **_rows_at_nodes(nodes, n),
        missing_branch=NO_BRANCHES if stops else tree.missing_branch.copy(),
        count=_sum_at_nodes(tree, nodes, np.ones(rows.n_rows, np.int64), 1)[1][:, 0],
        weight=weight,
        best=best,
        stats=stats,
        as_leaf=as_leaf,
        now=np.where(tree.is_leaf, as_leaf, 0.0),
        stops=stops,
        staying=np.where(tree.is_leaf, 0, ended.sum(axis=1)),
        **{name: np.empty(rows.n_rows, np.int32) for name in ("moved", "row_aside", "side")},
    )


EXACT_BITS = 26
"""Sums of so many bits of so many integers, as a table has rows, are exact as float64 numbers."""


def _sum_at_nodes(
    tree: Tree, place: NDArray[Any], whole: NDArray[np.int64], n_columns: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The sums of whole numbers at the node where each row ends, and of those at it and below it; (n_nodes, n_columns).

    place  of each row: its node times `n_columns`, plus the column it is added to
    """
    ended, below = np.zeros((2, tree.n_nodes, n_columns), np.int64)
    for shift, part in ((0, whole & ((1 << EXACT_BITS) - 1)), (EXACT_BITS, whole >> EXACT_BITS)):
        if part.any():
            sums = np.bincount(place, part, ended.size).reshape(ended.shape)
            ended += sums.astype(np.int64) << shift
            sum_up(tree.parent, sums)
            below += sums.astype(np.int64) << shift
    return ended, below


def fractional_state(
    tree: Tree, rows: Dataset, units: RowUnits, limit: Limit, costs: NDArray[np.float64] | None = None
) -> RaisingState:
    """The state with fractional weights; `route_rows_from_root` then routes the rows."""
    n, k = tree.n_nodes, tree.schema.target.n_classes
    n_branches = int(tree.n_children.max()) + 1
    n_fractions = max(rows.n_rows, fractions_at_leaves(tree))
    return RaisingState(
        **_common_fields(tree, rows, units, limit),
        costs=NO_COSTS if costs is None else np.ascontiguousarray(costs),
        **row_buffers(n_fractions),
        **fraction_store(2 * n_fractions),
        missing_branch=NO_BRANCHES,
        usual_branch=tree.missing_branch,
        close=WEIGHT_TOLERANCE * units.one,
        least_share=SMALLEST_FRACTION * units.one,
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


def fractions_at_leaves(tree: Tree) -> int:
    """How many fractions of rows the leaves have; there are never more of them while rows are routed."""
    return int(tree.count[tree.is_leaf].sum())


def row_buffers(n: int) -> Fields:
    """Room for n rows, or fractions of rows, that are being routed."""
    rows = {name: np.empty(n, np.int32) for name in ("row_at", "row_aside", "side")}
    return {**rows, **{name: np.empty(n, np.int64) for name in ("weight_at", "weight_aside")}}


def fraction_store(n: int) -> Fields:
    """Room to store n fractions of rows."""
    return {"stored_row": np.empty(n, np.int32), "stored_weight": np.empty(n, np.int64)}


def _common_fields(tree: Tree, rows: Dataset, units: RowUnits, limit: Limit) -> Fields:
    """The fields that both states have: rows, packed tree, limit, and room for the visits."""
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


def _order_by_leaf(tree: Tree, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows in the order of their leaves, so that rows that go down a branch together are neighbours in memory."""
    lists = _rows_at_nodes(nodes, tree.n_nodes)
    order, stack = np.empty(len(nodes), np.int64), np.empty(tree.n_nodes, np.int64)
    rows_by_leaf(tree.first_child, tree.n_children, lists["first_row"], lists["next_row"], stack, order)
    return order


def _rows_at_nodes(nodes: NDArray[np.int64], n_nodes: int) -> Fields:
    """The rows that end at each node, as linked lists: first and last row by node, next row by row; -1 for none."""
    first, last = np.full(n_nodes, -1, np.int32), np.full(n_nodes, -1, np.int32)
    following = np.empty(len(nodes), np.int32)
    make_lists(nodes, first, last, following)
    return {"first_row": first, "last_row": last, "next_row": following}
