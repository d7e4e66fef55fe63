"""A grown draft -> an immutable Tree.

In: the draft's columns, in the order in which nodes were made. Out: a Tree numbered level by level, with thresholds,
weights and values in the user's units.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.finish import by_level, collapse
from treewright.grow.prepare import Prepared
from treewright.model.answering import PLAIN
from treewright.model.columns import gather
from treewright.model.surrogates import Surrogates
from treewright.model.tree import Tree

COLLAPSE_SLACK = 1e-3
"""Release 8: a split has to save at least this much of a row."""

Columns = dict[str, NDArray[Any]]


def freeze(prepared: Prepared, draft: Columns, pool: Columns, backups: Columns) -> Tree:
    """The Tree of a draft whose arrays end at its last node; `pool` and `backups` are its categories and surrogates."""
    first_child, n_children = draft["first_child"], draft["n_children"]
    if prepared.plan.collapse:
        errors = np.empty(len(first_child), np.int64)
        slack = COLLAPSE_SLACK * prepared.weights.one
        collapse(first_child, n_children, draft["stats"], draft["weight"], len(first_child), slack, errors)
    order = np.empty(len(first_child), np.int64)
    order = order[: by_level(first_child, n_children, order)]
    place = np.full(len(first_child), -1, np.int64)
    place[order] = np.arange(len(order))
    old_first = first_child[order]
    leaf = old_first < 0
    parent = draft["parent"][order]
    as_noted = not prepared.plan.collapse and prepared.plan.limits.max_leaves is None

    def of_splits(name: str, at_leaf: float) -> NDArray[Any]:
        """A column about splits; nodes whose split was taken back, or never made, still have one in the draft."""
        return draft[name][order] if as_noted else np.where(leaf, at_leaf, draft[name][order])

    kind = of_splits("kind", codes.LEAF)
    column = of_splits("column", -1)
    cuts = np.flatnonzero(kind == codes.THRESHOLD)
    threshold = np.full(len(order), np.nan)
    low_row, high_row = draft["low_row"][order[cuts]], draft["high_row"][order[cuts]]
    threshold[cuts] = thresholds(prepared, low_row, high_row, column[cuts])
    return Tree.unchecked(
        prepared.dataset.schema,
        prepared.plan.criterion,
        missing=prepared.plan.missing,
        surrogates=freeze_surrogates(prepared, draft, backups, order, leaf),
        answering=PLAIN,
        parent=np.where(parent < 0, -1, place[parent]),
        first_child=np.where(leaf, -1, place[old_first]),
        n_children=of_splits("n_children", 0),
        kind=kind,
        column=column,
        threshold=threshold,
        **_tables(draft, pool, order, kind),
        other=of_splits("other", -1),
        missing_branch=of_splits("missing_branch", -1),
        count=draft["rows"][order],
        gain=of_splits("gain", np.nan),
        merit=of_splits("merit", np.nan),
        **_contents(prepared, draft, order, place),
    )


def thresholds(
    prepared: Prepared, low_row: NDArray[Any], high_row: NDArray[Any], column: NDArray[Any]
) -> NDArray[np.float64]:
    """Midpoints, or the largest values of the whole column not above them; low <= threshold < high always.

    Infinity where there are no two rows: all known values lie below.
    """
    if prepared.fields["missing"] and (low_row < 0).any():
        out = np.full(len(low_row), np.inf)
        cut = low_row >= 0
        out[cut] = thresholds(prepared, low_row[cut], high_row[cut], column[cut])
        return out
    values = prepared.dataset.values
    middle = midpoints(prepared, low_row, high_row, column)
    if prepared.plan.threshold == "value":
        for f in set(column.tolist()):
            rising = np.sort(values[:, f])
            of_column = column == f
            middle[of_column] = largest_values(rising, middle[of_column])
    return middle + 0.0  # -0.0 reads as 0


def largest_values(rising: NDArray[np.float64], middle: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest values of a sorted column that are not above these numbers."""
    return rising[np.searchsorted(rising, middle, side="right") - 1]


def midpoints(
    prepared: Prepared, low_row: NDArray[Any], high_row: NDArray[Any], column: NDArray[Any]
) -> NDArray[np.float64]:
    """Halfway between the values of two rows, or the edge behind the bin of the lower one; low <= it < high always."""
    values = prepared.dataset.values
    low, high = values[low_row, column], values[high_row, column]
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    middle = np.where((low <= middle) & (middle < high), middle, low) + 0.0
    for f in prepared.bins.keys() & set(column.tolist()):
        of_column = column == f
        middle[of_column] = prepared.bins[f].behind(low[of_column])
    return middle


def _tables(draft: Columns, pool: Columns, order: NDArray[Any], kind: NDArray[Any]) -> Columns:
    start, source = gather(
        draft["table_start"][order], np.where(kind == codes.TABLE, draft["table_len"][order], 0)
    )
    return {
        "table_start": start,
        "table_code": pool["pool_code"][source],
        "table_branch": pool["pool_branch"][source],
    }


def _contents(prepared: Prepared, draft: Columns, order: NDArray[Any], place: NDArray[Any]) -> Columns:
    """Weights, stats and values; an empty leaf has the value of its parent."""
    unit = prepared.weights.unit
    weight = draft["weight"][order] * unit
    empty = draft["rows"][order] == 0
    parents = place[draft["parent"][order[empty]]]
    impurity = draft["impurity"][order]
    if prepared.moments is None:
        stats = draft["stats"][order] * unit
        value = stats / np.where(empty, 1.0, weight)[:, None]
    else:
        value = draft["value"][order][:, None]
        loss = impurity * weight
    value[empty] = value[parents]
    if prepared.moments is not None:
        stats = np.column_stack([weight, value[:, 0], loss])
    return {"weight": weight, "stats": stats, "value": value, "impurity": impurity}


def freeze_surrogates(
    prepared: Prepared, draft: Columns, backups: Columns, order: NDArray[Any], leaf: NDArray[np.bool_]
) -> Surrogates | None:
    """The surrogates of the nodes that stay inner nodes; None when none were searched."""
    if not backups:
        return None
    length = np.where(leaf, 0, draft["backup_len"][order])
    start, source = gather(draft["backup_start"][order], length)
    low = backups["backup_low"][source]
    column = backups["backup_column"][source]
    cuts = np.flatnonzero(low >= 0)
    threshold = np.full(len(source), np.nan)
    rows = backups["backup_low_row"][source[cuts]], backups["backup_high_row"][source[cuts]]
    threshold[cuts] = midpoints(prepared, *rows, column[cuts])
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
