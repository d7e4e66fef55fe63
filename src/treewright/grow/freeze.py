"""A grown draft -> an immutable Tree.

In: the draft's columns, in the order in which nodes were made. Out: a Tree numbered level by level, with thresholds,
weights and values in the user's units.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes, finish
from treewright.grow.draft import Draft
from treewright.grow.prepare import Prepared
from treewright.grow.table import each_column
from treewright.model.answering import PLAIN
from treewright.model.columns import gather
from treewright.model.surrogates import Surrogates
from treewright.model.tree import Tree

COLLAPSE_SLACK = 1e-3
"""Release 8: a split has to save at least this much of a row."""

Columns = dict[str, NDArray[Any]]


def freeze(prepared: Prepared, draft: Draft, n_nodes: int) -> Tree:
    """The Tree of a draft with this many nodes."""
    longs, doubles, ints = draft.blocks
    first_child, n_children, weight = longs[1, :n_nodes], longs[2, :n_nodes], longs[4, :n_nodes]
    if prepared.plan.collapse:
        errors = np.empty(n_nodes, np.int64)
        slack = COLLAPSE_SLACK * prepared.weights.one
        finish.collapse(first_child, n_children, draft.own["stats"], weight, n_nodes, slack, errors)
    links = np.empty((3, n_nodes), np.int64)
    n = finish.by_level(first_child, n_children, *links)
    order = links[0, :n]
    kept = longs[:4].take(order, axis=1)
    kept[:2] = links[1:, :n]
    whole, low_row, high_row, table_start, table_len, backup_start, backup_len = longs[4:11].take(order, axis=1)
    reals, ints = doubles[:4].take(order, axis=1), ints[:3].take(order, axis=1)
    kind = draft.own["kind"].take(order)
    if prepared.plan.collapse or prepared.plan.limits.max_leaves is not None:
        _take_back(kept, kind, ints, reals)
    parent, first_child, n_children, count = _read_only(kept)
    impurity, gain, merit, _ = _read_only(reals)
    column, other, missing_branch = _read_only(ints)
    return Tree.unchecked(
        prepared.dataset.schema,
        prepared.plan.criterion,
        missing=prepared.plan.missing,
        surrogates=freeze_surrogates(prepared, draft, kind, backup_start, backup_len),
        answering=PLAIN,
        parent=parent,
        first_child=first_child,
        n_children=n_children,
        column=column,
        threshold=_read_only(thresholds(prepared, kind, column, low_row, high_row)),
        **_tables(draft.pool, table_start, table_len, kind),
        kind=_read_only(kind),
        other=other,
        missing_branch=missing_branch,
        count=count,
        impurity=impurity,
        gain=gain,
        merit=merit,
        **_contents(prepared, draft, order, whole, reals, count, parent),
    )


def _take_back(longs: NDArray[Any], kind: NDArray[Any], ints: NDArray[Any], reals: NDArray[Any]) -> None:
    """Make leaves of nodes whose split was taken back, or never made: the draft still has one there."""
    leaf = longs[1] < 0
    longs[2, leaf] = 0
    kind[leaf] = codes.LEAF
    ints[:, leaf] = -1
    reals[1:3, leaf] = np.nan


def thresholds(
    prepared: Prepared, kind: NDArray[Any], column: NDArray[Any], low_row: NDArray[Any], high_row: NDArray[Any]
) -> NDArray[np.float64]:
    """Midpoints, or the largest values of the whole column not above them; low <= threshold < high always.

    Infinity where there are no two rows: all known values lie below. NaN where there is no cut.
    """
    found = midpoints(prepared, kind == codes.THRESHOLD, low_row, high_row, column)
    if prepared.plan.threshold == "value":
        cuts = np.isfinite(found).nonzero()[0]
        f, middle = column[cuts], found[cuts]
        for one, cells in each_column(prepared.dataset.values, np.unique(f)):
            cells.sort()
            of_column = f == one
            middle[of_column] = largest_values(cells, middle[of_column])
        found[cuts] = middle + 0.0  # -0.0 reads as 0
    return found


def largest_values(rising: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest values of a sorted column that are not above these numbers."""
    return rising[np.searchsorted(rising, middle, side="right") - 1]


def midpoints(
    prepared: Prepared, asked: NDArray[np.bool_], low_row: NDArray[Any], high_row: NDArray[Any], column: NDArray[Any]
) -> NDArray[np.float64]:
    """Halfway between the values of two rows, where asked for, or the edge behind the bin of the lower one; infinity
    where there are no two; elsewhere NaN.
    """
    values = prepared.dataset.values
    middle = np.empty(len(asked))
    middle.fill(np.nan)
    finish.midpoints(values, asked.view(np.uint8), low_row, high_row, column, middle)
    for f in prepared.bins.keys() & set(column.tolist()):
        cuts = np.flatnonzero(asked & (column == f) & (low_row >= 0))
        middle[cuts] = prepared.bins[f].behind(values[low_row[cuts], f])
    return middle


def _tables(pool: Columns, first: NDArray[Any], length: NDArray[Any], kind: NDArray[Any]) -> Columns:
    start, code, branch = finish.tables(kind, first, length, pool["pool_code"], pool["pool_branch"])
    return {"table_start": _read_only(start), "table_code": _read_only(code), "table_branch": _read_only(branch)}


def _contents(
    prepared: Prepared,
    draft: Draft,
    order: NDArray[Any],
    whole: NDArray[Any],
    reals: NDArray[Any],
    count: NDArray[Any],
    parent: NDArray[Any],
) -> Columns:
    """Weights, stats and values; an empty leaf has the value of its parent.

    order, whole  the nodes of the draft in their new order, and their weights in whole units
    reals         impurity, gain, merit and the value of a regression
    """
    unit = prepared.weights.unit
    if prepared.moments is None:
        drafted = draft.own["stats"]
        weight, stats, values = np.empty(len(order)), *np.empty((2, len(order), drafted.shape[1]))
        finish.class_contents(drafted, order, whole, count, parent, unit, weight, stats, values)
    else:
        weight, values = whole * unit, reals[3][:, None].copy()
        empty = (count == 0).nonzero()[0]
        values[empty] = values[parent[empty]]
        stats = np.column_stack([weight, values[:, 0], reals[0] * weight])
    return {"weight": _read_only(weight), "stats": _read_only(stats), "value": _read_only(values)}


def freeze_surrogates(
    prepared: Prepared, draft: Draft, kind: NDArray[Any], first: NDArray[Any], length: NDArray[Any]
) -> Surrogates | None:
    """The surrogates of the nodes that stay inner nodes; None when none were searched."""
    if not draft.backups:
        return None
    backups = draft.backups | draft.backup_pool
    start, source = gather(first, np.where(kind == codes.LEAF, 0, length))
    low = backups["backup_low"][source]
    column = backups["backup_column"][source]
    rows = backups["backup_low_row"][source], backups["backup_high_row"][source]
    threshold = midpoints(prepared, low >= 0, *rows, column)
    agree, known, heavy = (backups[f"backup_{n}"][source].astype(np.float64) for n in ("agree", "known", "heavy"))
    table_start, codes_at = gather(backups["backup_table"][source], backups["backup_table_len"][source])
    return Surrogates(
        start=start,
        column=column,
        threshold=threshold,
        low=low,
        agree=agree / known,
        adjusted=(agree - heavy) / (known - heavy),
        table_start=table_start,
        table_code=backups["backup_code"][codes_at],
        table_branch=backups["backup_branch"][codes_at],
    )


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array, whose rows nobody can write to either."""
    array.setflags(write=False)
    return array
