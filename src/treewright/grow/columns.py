"""The columns of a dataset -> what the growth loop reads of them: sorted lists of numbers, codes of categories.

In: encoded cells. Out: fields of a Work. Each number is sorted here, once; several threads share the columns.
"""

from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.radix import sort_entries
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.grow.coded import Coding
from treewright.grow.table import batches, each_column, spread

MAX_CELLS = 2**25
"""Most cells (categories times classes) that a column's contingency table may have."""
Missing = dict[int, NDArray[np.bool_]]
"""Column -> which rows are missing on it."""


def column_fields(
    dataset: Dataset,
    order: NDArray[np.uint32],
    target: dict[str, Any],
    gone: Missing,
    coding: Coding | None,
    n_jobs: int,
) -> dict[str, Any]:
    """The columns sorted or coded; `order` has the rows by target, `target` the fields that say how to pack them."""
    columns = dataset.schema.columns
    byte_of = np.full(len(columns), -1, np.int32)
    if coding is not None:
        byte_of[coding.columns] = np.arange(len(coding.columns))
    numbers = [f for f, c in enumerate(columns) if c.kind is not Kind.CATEGORY and byte_of[f] < 0]
    categories = [f for f, c in enumerate(columns) if c.kind is Kind.CATEGORY]
    list_of = np.full(len(columns), -1, np.int32)
    list_of[numbers] = np.arange(len(numbers))
    code_of = np.full(len(columns), -1, np.int32)
    code_of[categories] = np.arange(len(categories))
    for f in categories:
        _refuse_too_many(dataset, f)
    n_rows = dataset.n_rows
    lists = np.empty((len(numbers) + 1, n_rows), np.uint32)
    lists[-1] = order
    if target["label_mask"]:
        lists[-1] |= target["labels"][order].astype(np.uint32) << np.uint32(target["shift"])
    code_rows = np.empty((len(categories), n_rows), np.int32)
    room = local()

    def fill(batch: list[int]) -> None:
        """Sort or code some columns."""
        for f, values in each_column(dataset.values, to_fill[batch]):
            if code_of[f] >= 0:
                if f in gone:
                    values[gone[f]] = columns[f].n_categories
                code_rows[code_of[f]] = values
                continue
            if f in gone:
                values[gone[f]] = np.nan  # one form of NaN, which is sorted behind the highest value
            if not hasattr(room, "words"):
                room.words = np.empty((3, n_rows), np.uint64)
            sort_entries(values.view(np.uint64), lists[-1], target["row_mask"], lists[list_of[f]], room.words)

    to_fill = np.flatnonzero(byte_of < 0)
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
        "n_levels": np.array([c.n_categories for c in columns], np.int64),
    }


def _holes(gone: Missing, n_columns: int) -> NDArray[np.uint8]:
    holes = np.full(n_columns, codes.NO_HOLE, np.uint8)
    for f, cells in gone.items():
        holes[f] = codes.NO_VALUE if cells.all() else codes.SOME_HOLES
    return holes


def _refuse_too_many(dataset: Dataset, f: int) -> None:
    column = dataset.schema.columns[f]
    cells = column.n_categories * max(dataset.schema.target.n_classes, 2)
    if cells > MAX_CELLS:
        raise InputError(
            f"Column {column.name!r} has {column.n_categories:,} categories, too many for "
            f"{dataset.schema.target.n_classes} classes ({cells:,} counts; at most {MAX_CELLS:,}): "
            "leave it out or group its values."
        )
