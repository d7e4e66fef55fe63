"""The columns of a dataset -> what the growth loop reads of them: sorted lists of numbers, codes of categories.

In: encoded cells. Out: fields of a Work. Each number is sorted here, once; several threads share the columns.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.turn import fill_columns, take_columns
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind
from treewright.errors import InputError
from treewright.grow.coded import Coding, Missing
from treewright.grow.table import batches, spread

MAX_CELLS = 2**25
"""Most cells (categories times classes) that a column's contingency table may have."""


def column_fields(
    dataset: Dataset,
    order: NDArray[np.uint32],
    target: dict[str, Any],
    gone: Missing,
    coding: Coding | None,
    n_jobs: int,
) -> dict[str, Any]:
    """The columns sorted or coded; `order` has the entries by target, `target` the fields that say how to pack them."""
    columns = dataset.schema.columns
    places, to_fill, n_lists, n_codes = _places(dataset, coding)
    list_of, code_of, byte_of = places
    n_rows, row_mask = dataset.n_rows, target["row_mask"]
    n_levels = np.array([len(c.categories) for c in columns], np.int64)
    lists = np.empty((n_lists + 1, n_rows), np.uint32)
    lists[-1] = order
    code_rows = np.empty((n_codes, n_rows), np.int32)

    def fill(batch: range) -> None:
        """Sort or code some columns."""
        some, room = to_fill[batch.start : batch.stop], np.empty((3, n_rows), np.uint64)
        cells = np.empty((len(some), n_rows))
        take_columns(dataset.values, some, cells)
        bits = cells.view(np.uint64)
        fill_columns(some, cells, bits, list_of, code_of, n_levels, row_mask, lists, code_rows, room)

    spread(fill, batches(len(to_fill), n_rows, n_jobs), n_jobs)
    return {
        "holes": _holes(gone, len(columns)),
        "stride": n_rows,
        "lists": lists.reshape(-1),
        "n_lists": len(lists),
        "list_of": list_of,
        "code_of": code_of,
        "byte_of": byte_of,
        "has_coded": coding is not None,
        "codes": code_rows,
        "n_levels": n_levels,
    }


def _places(dataset: Dataset, coding: Coding | None) -> tuple[NDArray[np.int32], NDArray[np.int32], int, int]:
    """Where each column stands: rows for its list, its codes and its byte, -1 where it has none.

    Behind them the columns that have a list or codes, and how many lists and codes there are.
    """
    columns = dataset.schema.columns
    none = [-1] * len(columns)
    lists, codes, bytes_ = none.copy(), none.copy(), none
    if coding is not None:
        for place, f in enumerate(coding.columns.tolist()):
            bytes_[f] = place
    n_lists = n_codes = 0
    for f, column in enumerate(columns):
        if column.kind is Kind.CATEGORY:
            _refuse_too_many(column, dataset.schema.target.n_classes)
            codes[f], n_codes = n_codes, n_codes + 1
        elif bytes_[f] < 0:
            lists[f], n_lists = n_lists, n_lists + 1
    to_fill = [f for f, byte in enumerate(bytes_) if byte < 0 or codes[f] >= 0]
    return np.array((lists, codes, bytes_), np.int32), np.array(to_fill, np.int32), n_lists, n_codes


def _holes(gone: Missing, n_columns: int) -> NDArray[np.uint8]:
    holes = np.zeros(n_columns, np.uint8)  # NO_HOLE
    for f, cells in gone.items():
        holes[f] = codes.NO_VALUE if cells.all() else codes.SOME_HOLES
    return holes


def _refuse_too_many(column: Column, n_classes: int) -> None:
    cells = column.n_categories * max(n_classes, 2)
    if cells > MAX_CELLS:
        raise InputError(
            f"Column {column.name!r} has {column.n_categories:,} categories, too many for "
            f"{n_classes} classes ({cells:,} counts; at most {MAX_CELLS:,}): "
            "leave it out or group its values."
        )
