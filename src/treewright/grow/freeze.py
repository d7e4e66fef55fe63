"""Making an immutable Tree from a grown draft.

In: a draft, with its nodes in the order in which they were made. Out: a Tree numbered level by level, with thresholds,
weights and values in the user's units.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import Work
from treewright._core.tree import midpoints, node_columns, order_nodes, tables, values_below, values_up_to
from treewright.fast_paths import is_used, size_of
from treewright.grow.column_batches import run_in_threads
from treewright.grow.draft import Draft
from treewright.grow.prepare import Prepared
from treewright.model.prediction_rule import DEFAULT_RULE
from treewright.model.surrogates import Surrogates
from treewright.model.tree import Tree
from treewright.model.tree_columns import gather

COLLAPSE_SLACK = 1e-3
"""Release 8: a split must save at least this fraction of a row."""


def freeze(prepared: Prepared, draft: Draft, work: Work, n_jobs: int = 1) -> Tree:
    """The Tree of a grown draft."""
    plan, n_nodes = prepared.plan, work.draft.n_nodes
    order, longs = np.empty(n_nodes, np.int64), np.empty((4, n_nodes), np.int64)
    n = order_nodes(work, plan.collapse, COLLAPSE_SLACK * prepared.weights.one, order, longs)
    if n < n_nodes:
        order, longs = order[:n], longs[:, :n].copy()
    doubles, ints, kind = np.empty((5, n)), np.empty((3, n), np.int32), np.empty(n, np.int8)
    n_classes = work.table.n_classes
    stats, value = np.empty((n, n_classes or 3)), np.empty((n, n_classes or 1))
    columns = longs, doubles, ints, kind, stats, value
    node_columns(work, order, prepared.dataset.values, prepared.weights.unit, columns)
    if prepared.bins or plan.threshold == "value":
        set_thresholds(prepared, work, order, kind, ints[0], doubles[3], n_jobs)
    table_start, tables_of = tables(work, order, kind)
    for array in (*columns, table_start, tables_of):
        array.setflags(write=False)  # rows of it are then read-only too
    return Tree.of_frozen(
        schema=prepared.dataset.schema,
        criterion=plan.criterion,
        missing=plan.missing,
        surrogates=freeze_surrogates(prepared, draft, work, order, kind),
        prediction_rule=DEFAULT_RULE,
        parent=longs[0],
        first_child=longs[1],
        n_children=longs[2],
        kind=kind,
        column=ints[0],
        threshold=doubles[3],
        table_start=table_start,
        table_code=tables_of[0],
        table_branch=tables_of[1],
        other=ints[1],
        missing_branch=ints[2],
        count=longs[3],
        weight=doubles[4],
        stats=stats,
        value=value,
        impurity=doubles[0],
        gain=doubles[1],
        merit=doubles[2],
    )


def set_thresholds(
    prepared: Prepared,
    work: Work,
    order: NDArray[np.int64],
    kind: NDArray[np.int8],
    column: NDArray[np.int32],
    found: NDArray[np.float64],
    n_jobs: int,
) -> None:
    """Replace midpoints by the edges of bins, or by the largest values of the whole column that are not above them.

    low <= threshold < high always. Infinity if there are no two rows: all known values are below. NaN without a cut.
    """
    values = prepared.dataset.values
    if prepared.bins:
        low_row = np.asarray(work.draft.low_row)[order]
        _use_bin_edges(prepared, kind == codes.THRESHOLD, low_row, column, found)
    if prepared.plan.threshold != "value":
        return
    if len(order) * len(values) <= size_of("value lookup") or not is_used("value lookup"):
        values_below(values, column, found)
        return
    round_down_to_values(values, column, found, n_jobs)


def round_down_to_values(
    values: NDArray[np.float64], column: NDArray[np.int32], found: NDArray[np.float64], n_jobs: int
) -> None:
    """Replace each finite number by the largest value of its column that is not above it; threads divide the rows."""
    cuts = np.isfinite(found).nonzero()[0]
    cuts = cuts[np.lexsort((found[cuts], column[cuts]))]
    start = np.searchsorted(column[cuts], np.arange(values.shape[1] + 1))
    middle, best = found[cuts], np.full((n_jobs, len(cuts)), -np.inf)
    ends = [len(values) * i // n_jobs for i in range(n_jobs + 1)]

    def look(parts: range) -> None:
        for i in parts:
            values_up_to(values[ends[i] : ends[i + 1]], start, middle, best[i])

    run_in_threads(look, [range(i, i + 1) for i in range(n_jobs)], n_jobs)
    found[cuts] = best.max(axis=0) + 0.0  # makes -0.0 a 0


def largest_values_not_above(rising: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest values of a sorted column that are not above these numbers."""
    return rising[np.searchsorted(rising, middle, side="right") - 1]


def thresholds_between_rows(
    prepared: Prepared, is_cut: NDArray[np.bool_], low_row: NDArray[Any], high_row: NDArray[Any], column: NDArray[Any]
) -> NDArray[np.float64]:
    """The midpoint between the values of two rows where `is_cut`, or the upper edge of the lower bin; infinity if
    there are no two rows; NaN elsewhere.

    The midpoint is that of `criteria.split_scores.midpoints`, compiled.
    """
    values = prepared.dataset.values
    middle = np.empty(len(is_cut))
    middle.fill(np.nan)
    midpoints(values, is_cut.view(np.uint8), low_row, high_row, column, middle)
    if prepared.bins:
        _use_bin_edges(prepared, is_cut, low_row, column, middle)
    return middle


def _use_bin_edges(
    prepared: Prepared, is_cut: NDArray[np.bool_], low_row: NDArray[Any], column: NDArray[Any], middle: NDArray[Any]
) -> None:
    """Replace the midpoints of columns with bins by the upper edges of the bins of the lower rows."""
    for f in prepared.bins.keys() & set(column.tolist()):
        cuts = np.flatnonzero(is_cut & (column == f) & (low_row >= 0))
        middle[cuts] = prepared.bins[f].upper_edges(prepared.dataset.values[low_row[cuts], f])


def freeze_surrogates(
    prepared: Prepared, draft: Draft, work: Work, order: NDArray[np.int64], kind: NDArray[np.int8]
) -> Surrogates | None:
    """The surrogates of the inner nodes; None if surrogates were not searched."""
    if not draft.surrogates:
        return None
    found = draft.surrogates | draft.surrogate_pool
    first, length = np.asarray(work.draft.surrogate_start)[order], np.asarray(work.draft.surrogate_len)[order]
    start, source = gather(first, np.where(kind == codes.LEAF, 0, length))
    low = found["surrogate_low"][source]
    column = found["surrogate_column"][source]
    rows = found["surrogate_low_row"][source], found["surrogate_high_row"][source]
    threshold = thresholds_between_rows(prepared, low >= 0, *rows, column)
    agree, known, heavy = (found[f"surrogate_{n}"][source].astype(np.float64) for n in ("agree", "known", "heavy"))
    table_start, codes_at = gather(found["surrogate_table"][source], found["surrogate_table_len"][source])
    return Surrogates(
        start=start,
        column=column,
        threshold=threshold,
        low=low,
        agree=agree / known,
        adjusted=(agree - heavy) / (known - heavy),
        table_start=table_start,
        table_code=found["surrogate_code"][codes_at],
        table_branch=found["surrogate_branch"][codes_at],
    )
