"""The columns as the growth loop reads them: sorted lists of numbers, codes of categories.

In: encoded cells. Out: fields of the workspace's table. Each number is sorted once, here; threads divide the columns.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.table import fill_columns
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind
from treewright.errors import InputError
from treewright.grow.coded_columns import Coding, MissingCells
from treewright.grow.column_batches import column_batches, run_in_threads

MAX_CELLS = 2**25
"""The largest contingency table of a column (categories times classes)."""
SMALL = 2**12
"""Up to this many cells all columns are sorted in one go."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnLayout:
    """Where each column is stored; tables of the same kinds of columns share it, and it is never written to.

    places   (3, n_columns): rows for the column's list, its codes and its byte, -1 where it has none
    to_fill  the columns that have a list or codes
    n_lists, n_codes, n_coded  how many there are of each
    n_levels by column, its categories
    none_missing  by column NONE_MISSING
    present  by column, the largest number of categories that a node can have; 0 for a number
    most     the largest number of categories of a column, at least two
    """

    places: NDArray[np.int32]
    to_fill: NDArray[np.int32]
    n_lists: int
    n_codes: int
    n_coded: int
    n_levels: NDArray[np.int64]
    none_missing: NDArray[np.uint8]
    present: list[int]
    most: int


def lay_out_columns(dataset: Dataset, coding: Coding | None) -> ColumnLayout:
    """Decide where each column is stored."""
    columns = dataset.schema.columns
    levels = tuple([len(c.categories) if c.kind is Kind.CATEGORY else ~len(c.categories) for c in columns])
    most = max(levels, default=0)
    if most * max(dataset.schema.target.n_classes, 2) > MAX_CELLS:
        _refuse_too_many(columns[levels.index(most)], dataset.schema.target.n_classes)
    return _layout_of(levels, dataset.n_rows, () if coding is None else tuple(coding.columns.tolist()))


@lru_cache(maxsize=8)
def _layout_of(levels: tuple[int, ...], n_rows: int, coded: tuple[int, ...]) -> ColumnLayout:
    """The same, of columns with so many categories; ~n for numbers and ordered categories."""
    none = [-1] * len(levels)
    lists, codes, bytes_, present, to_fill = none.copy(), none.copy(), none, [0] * len(levels), []
    for place, f in enumerate(coded):
        bytes_[f] = place
    n_lists = n_codes = 0
    for f, n in enumerate(levels):
        if n >= 0:
            present[f] = min(n + 1, n_rows)
            codes[f], n_codes = n_codes, n_codes + 1
            to_fill.append(f)
        elif bytes_[f] < 0:
            lists[f], n_lists = n_lists, n_lists + 1
            to_fill.append(f)
    return ColumnLayout(
        np.array((lists, codes, bytes_), np.int32).reshape(3, -1),
        np.array(to_fill, np.int32),
        n_lists,
        n_codes,
        len(coded),
        np.array([n if n >= 0 else ~n for n in levels], np.int64),
        np.zeros(len(levels), np.uint8),
        present,
        max(2, *levels) if levels else 2,
    )


def column_fields(
    dataset: Dataset,
    layout: ColumnLayout,
    lists: NDArray[np.uint32],
    row_mask: int,
    missing_cells: MissingCells,
    n_jobs: int,
) -> dict[str, Any]:
    """The columns sorted or coded; the last of the `lists`, which has the entries by target, is given."""
    n_rows, to_fill = dataset.n_rows, layout.to_fill
    if layout.n_coded:  # of coded categories only those with missing cells are read by column too
        coded = layout.places[2] >= 0
        coded[list(missing_cells)] = False
        to_fill = to_fill[~coded[to_fill]]
    code_rows = np.empty((layout.n_codes, n_rows), np.int32)

    def fill(batch: range) -> None:
        """Sort or code some columns."""
        some = to_fill[batch.start : batch.stop]
        fill_columns(dataset.values, some, layout.places, layout.n_levels, row_mask, lists, code_rows)

    if n_rows * len(to_fill) <= SMALL:
        fill_columns(dataset.values, to_fill, layout.places, layout.n_levels, row_mask, lists, code_rows)
    else:
        run_in_threads(fill, column_batches(len(to_fill), n_rows, n_jobs), n_jobs)
    return {
        "missing_in": _missing_in(missing_cells, len(layout.present)) if missing_cells else layout.none_missing,
        "stride": n_rows,
        "lists": lists.reshape(-1),
        "n_lists": len(lists),
        "places": layout.places,
        "codes": code_rows,
        "n_levels": layout.n_levels,
    }


def _missing_in(missing_cells: MissingCells, n_columns: int) -> NDArray[np.uint8]:
    missing_in = np.zeros(n_columns, np.uint8)  # NONE_MISSING
    for f, cells in missing_cells.items():
        missing_in[f] = codes.ALL_MISSING if cells.all() else codes.SOME_MISSING
    return missing_in


def _refuse_too_many(column: Column, n_classes: int) -> None:
    raise InputError(
        f"Column {column.name!r} must have at most {MAX_CELLS // max(n_classes, 2):,} categories with {n_classes} "
        f"classes, got {column.n_categories:,}; drop the column or group its categories."
    )
