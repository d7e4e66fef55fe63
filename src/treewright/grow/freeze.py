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
from treewright.model.tree import Tree

COLLAPSE_SLACK = 1e-3
"""Release 8: a split has to save at least this much of a row."""

Columns = dict[str, NDArray[Any]]


def freeze(prepared: Prepared, draft: Columns, pool: Columns) -> Tree:
    """The Tree of a draft whose arrays end at its last node."""
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
    kind = np.where(leaf, codes.LEAF, draft["kind"][order])
    column = np.where(leaf, -1, draft["column"][order])
    cuts = np.flatnonzero(kind == codes.THRESHOLD)
    threshold = np.full(len(order), np.nan)
    low_row, high_row = draft["low_row"][order[cuts]], draft["high_row"][order[cuts]]
    threshold[cuts] = thresholds(prepared, low_row, high_row, column[cuts])
    return Tree.unchecked(
        prepared.dataset.schema,
        prepared.plan.criterion,
        parent=np.where(parent < 0, -1, place[parent]),
        first_child=np.where(leaf, -1, place[old_first]),
        n_children=np.where(leaf, 0, n_children[order]),
        kind=kind,
        column=column,
        threshold=threshold,
        **_tables(draft, pool, order, kind),
        other=np.where(kind == codes.TABLE, draft["other"][order], -1),
        count=draft["rows"][order],
        gain=np.where(leaf, np.nan, draft["gain"][order]),
        merit=np.where(leaf, np.nan, draft["merit"][order]),
        **_contents(prepared, draft, order, place),
    )


def thresholds(
    prepared: Prepared, low_row: NDArray[Any], high_row: NDArray[Any], column: NDArray[Any]
) -> NDArray[np.float64]:
    """Midpoints, or the largest values of the whole column not above them; low <= threshold < high always."""
    values = prepared.dataset.values
    low, high = values[low_row, column], values[high_row, column]
    with np.errstate(over="ignore"):
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, low / 2 + high / 2)
    middle = np.where((low <= middle) & (middle < high), middle, low)
    if prepared.plan.threshold == "value":
        for f in set(column.tolist()):
            rising = np.sort(values[:, f])
            of_column = column == f
            middle[of_column] = rising[np.searchsorted(rising, middle[of_column], side="right") - 1]
    return middle + 0.0  # -0.0 reads as 0


def _tables(draft: Columns, pool: Columns, order: NDArray[Any], kind: NDArray[Any]) -> Columns:
    length = np.where(kind == codes.TABLE, draft["table_len"][order], 0)
    start = np.zeros(len(order) + 1, np.int64)
    np.cumsum(length, out=start[1:])
    source = np.repeat(draft["table_start"][order] - start[:-1], length) + np.arange(start[-1])
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
