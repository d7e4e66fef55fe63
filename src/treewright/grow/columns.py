"""The columns of a dataset -> what the growth loop reads of them: sorted lists of numbers, codes of categories.

In: encoded cells. Out: fields of a Work. Each number is sorted here, once; several threads share the columns.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.radix import sort_entries
from treewright._core.turn import take_columns
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.grow.coded import Coding, Missing

MAX_CELLS = 2**25
"""Most cells (categories times classes) that a column's contingency table may have."""
TAKEN_CELLS = 2**22
"""Most cells that are copied out of the table at once, by each thread."""
TAKEN = 8
"""Most columns that are copied out at once: as many cells as one line of memory has."""


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

    to_fill = np.flatnonzero((byte_of < 0) | (code_of >= 0))
    _spread(fill, batches(len(to_fill), n_rows, n_jobs), n_jobs)
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


def each_column(
    values: NDArray[np.float64], columns: NDArray[np.integer[Any]]
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Columns of a table, each with a copy of its cells; some are copied at a time."""
    for part in batches(len(columns), len(values), 1):
        some = columns[part].astype(np.int32)
        cells = np.empty((len(some), len(values)))
        take_columns(values, some, cells)
        yield from zip(some.tolist(), cells, strict=True)


def batches(n_columns: int, n_rows: int, n_jobs: int) -> list[list[int]]:
    """The columns in batches of about one size, as many for each thread.

    >>> [len(batch) for batch in batches(20, 100_000, 2)]
    [5, 5, 5, 5]
    """
    most = max(1, min(TAKEN, TAKEN_CELLS // n_rows))
    a_thread = -(-n_columns // (most * n_jobs))
    n = max(1, min(a_thread * n_jobs, n_columns))
    return [part.tolist() for part in np.array_split(np.arange(n_columns), n)]


def _spread(task: Any, parts: list[list[int]], n_jobs: int) -> None:
    """Run the task on every part, on as many threads as there are."""
    if n_jobs == 1:
        for part in parts:
            task(part)
        return
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="treewright") as pool:
        for _ in pool.map(task, parts):
            pass


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
