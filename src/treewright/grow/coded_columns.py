"""Coded columns: numbers and categories with so few values that nodes are searched by histograms.

In: a table without weights. Out: one byte for each cell of these columns, a code that rises with the value, stored by
row; a row of each value; and room for the histograms of nodes. A number with missing values is not coded. Whole
numbers within a small range are read directly; other numbers, bins, and categories with missing values are numbered
first. Which columns are coded never changes the tree or its surrogates.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.codes import BRANCH, LEARNED, SURROGATE, WHOLE
from treewright._core.grow import Coded, scans_codes
from treewright._core.table import MOST, lay_out, number_values, rank_in_place, take_whole
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind
from treewright.fast_paths import is_used, size_of
from treewright.grow.bins import Bins
from treewright.grow.column_batches import run_in_threads, split_into_batches
from treewright.grow.plan import Plan

MOST_SLOTS = 64
"""Histograms that are kept at a time in depth-first growth; few nodes are open there."""
MOST_COUNTS = 4
"""With more counts than this for each row and column (very many classes), sorted lists take less memory."""
PACKED_CLASSES = 8
"""Classes that packed counts have room for: with more of them small nodes take longer, and half as many rows are enough
for a histogram."""
MissingCells = dict[int, NDArray[np.bool_]]
"""Column -> which rows are missing on it."""
WHOLE_ROWS = (WHOLE, SURROGATE, LEARNED, BRANCH)
"""With these every row of a node goes down one branch."""
NO_ROWS = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Coding:
    """The coded columns of a table, as in `Coded` of the workspace; `columns` has the column at each place."""

    columns: NDArray[np.int64]
    codes: NDArray[np.uint8]
    n_codes: NDArray[np.int64]
    first: NDArray[np.int64]
    row_of: NDArray[np.int32]

    @property
    def n_cells(self) -> int:
        return len(self.row_of)


def code_columns(
    dataset: Dataset, plan: Plan, missing: int, missing_cells: MissingCells, bins: dict[int, Bins], n_jobs: int = 1
) -> Coding | None:
    """The columns that growth by this plan searches by histograms; None if there are none.

    missing  the code of the strategy for missing values: all rows must go down one branch
    bins     the bins of columns without missing values, which are always coded
    """
    if dataset.n_rows < size_of("coded columns") or not is_used("coded columns"):  # below, lists are as fast
        return None
    if missing not in WHOLE_ROWS or not _histograms_apply(dataset, plan):
        return None
    columns = [f for f in range(dataset.n_columns) if _may_be_coded(dataset.schema.columns[f], missing_cells.get(f))]
    whole = may_be_whole(dataset.values, [f for f in columns if f not in bins and f not in missing_cells])
    if not is_used("whole numbers"):
        whole = [f for f in whole if dataset.schema.columns[f].kind is Kind.CATEGORY]
    while True:
        coding = _assign_codes(dataset, whole, [f for f in columns if f not in whole], missing_cells, bins, n_jobs)
        if isinstance(coding, Coding):
            break
        whole = coding  # some column has other values in a later row
    n_counts = coding.n_cells * max(dataset.schema.target.n_classes, 1)
    if not len(coding.columns) or n_counts > MOST_COUNTS * dataset.n_rows * len(coding.columns):
        return None
    return coding


def _assign_codes(
    dataset: Dataset,
    whole: list[int],
    others: list[int],
    missing_cells: MissingCells,
    bins: dict[int, Bins],
    n_jobs: int,
) -> Coding | list[int]:
    """The codes of columns of whole numbers within a small range, and of other columns with few values.

    If not all of the former are such columns after all, the list of those that are.
    """
    columns = dataset.schema.columns
    levels = {f: columns[f].n_categories for f in [*whole, *others] if columns[f].kind is Kind.CATEGORY}
    numbers = [f for f in others if f not in levels]
    with_missing = [f for f in others if f in levels]
    found = np.empty((len(others), dataset.n_rows), np.uint8)
    ranks = np.tile(np.arange(MOST, dtype=np.uint8), (len(others), 1))
    rows = number_columns(dataset, numbers, bins, found, ranks, n_jobs)
    for p, f in enumerate(with_missing, len(numbers)):
        found[p] = np.where(missing_cells[f], levels[f], dataset.values[:, f])
        rows.append(np.zeros(levels[f] + 1, np.int64))  # the rows of categories are not used
    chosen = np.array([p for p, own in enumerate(rows) if len(own)], np.int64)
    codes = np.empty((dataset.n_rows, len(whole) + len(chosen)), np.uint8)
    near = WholeNumbers(dataset.values, whole)
    near.take(codes, n_jobs)
    if not near.fits.all():
        return near.fitting()
    lay_out(found, chosen, ranks[chosen], codes, len(whole))
    rows = near.rank(codes, levels) + [rows[p] for p in chosen]
    lengths = np.array([len(own) for own in rows], np.int64)
    at = np.array(whole + [(numbers + with_missing)[p] for p in chosen], np.int64)
    return Coding(at, codes, lengths, np.cumsum(lengths) - lengths, np.concatenate([NO_ROWS, *rows]).astype(np.int32))


def _may_be_coded(column: Column, missing_cells: NDArray[np.bool_] | None) -> bool:
    """Whether the codes of a column may fit into a byte; numbers are checked when they are numbered."""
    if column.kind is not Kind.CATEGORY:
        return missing_cells is None
    return column.n_categories < MOST and not (missing_cells is not None and missing_cells.all())


def _histograms_apply(dataset: Dataset, plan: Plan) -> bool:
    """Whether the search of this plan can use histograms."""
    return (
        dataset.weight is None
        and not any(plan.monotonic)
        and scans_codes(plan.measured_by.code, dataset.schema.target.n_classes)
    )


def new_coded(coding: Coding, n_classes: int, n_rows: int, n_threads: int, max_leaves: int) -> Coded:
    """Room for the histograms of nodes of up to n_rows rows, for the first of some threads."""
    width = max(n_classes, 1)
    least = n_rows + 1
    if is_used("kept counts"):  # from so many rows of a node on for each count of a column
        rows_a_count = size_of("kept counts") * (1.0 if n_classes <= PACKED_CLASSES else 0.5)
        least = int(rows_a_count * width * coding.n_cells / len(coding.columns)) + 1
    n_slots = min(n_rows // least + 1, max(MOST_SLOTS, max_leaves))
    room = (n_slots + 2 * n_threads) * coding.n_cells
    return Coded(
        codes=coding.codes,
        table_codes=coding.codes,
        n_codes=coding.n_codes,
        first_cell=coding.first,
        row_of=coding.row_of,
        width=width,
        n_cells=coding.n_cells,
        counts=_new_counts(room * width, 2 * n_threads * coding.n_cells * width, np.int32),
        sums=_new_counts(room if n_classes == 0 else 1, 2 * n_threads * coding.n_cells, np.int64),
        least_kept=least,
        n_free=n_slots,
        free=np.arange(2 * n_threads, 2 * n_threads + n_slots, dtype=np.int32)[::-1].copy(),
        **_thread_fields(coding, width, least, 0),
    )


def _new_counts(room: int, n_zeros: int, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """Counts whose first ones, those of the threads, are 0; the slot of a node is cleared before it is used."""
    counts = np.empty(room, dtype)
    counts[:n_zeros] = 0
    return counts


def share_with_thread(coded: Coded, coding: Coding, thread: int) -> Coded:
    """The same histograms for another thread."""
    shared = (
        "codes", "table_codes", "n_codes", "first_cell", "row_of", "width", "n_cells", "counts", "sums", "least_kept",
        "n_free", "free",
    )  # fmt: skip
    own = _thread_fields(coding, coded.width, coded.least_kept, thread)
    return Coded(**{name: getattr(coded, name) for name in shared}, **own)


def _thread_fields(coding: Coding, width: int, least: int, thread: int) -> dict[str, Any]:
    """The arrays that each thread has for itself."""
    n = len(coding.columns)
    return {
        "spare_slot": 2 * thread,
        "spare_node": -1,
        "zero_slot": 2 * thread + 1,
        "n_live": 0,
        "live": np.empty(n, np.int32),
        "cell_at": np.empty(n, np.int64),
        "row_at": np.empty(least, np.int32),
        "class_at": np.empty(least, np.int32),
        "moment_at": np.empty(least, np.int64),
        "unit_at": np.empty(MOST, np.uint64),
        "packed_counts": np.empty(MOST, np.uint64),
        "packed_present": np.empty(MOST, np.uint64),
        "is_packed": False,
        "mirrored": 0,
        "present_bits": np.zeros(MOST // 64, np.uint64),
        "sides": np.zeros(4 * (MOST + coding.n_cells), np.int32),
        "least_rows": 1,
        "n_classes": 1,
        "class_of": np.empty(width, np.int32),
        "class_rows": np.empty(width, np.int64),
        "class_rows_below": np.empty(width, np.int64),
        "present": np.empty(MOST + 8, np.int32),
        "n_present": 0,
        "low_code": 0,
        "high_code": 0,
    }


FIRST_ROWS = 1024
"""Rows that are looked at to guess whether a column has whole numbers within a small range."""
NUMBERED = 64
"""Columns whose values are numbered at a time, so that their tables stay in the cache."""
EXACT = 2.0**53
Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Longs = NDArray[np.int64]


class WholeNumbers:
    """Columns of whole numbers within a small range: code 0 is the value `base`, and each code has a row or -1."""

    def __init__(self, values: Floats, columns: list[int]) -> None:
        self.values, self.columns = values, columns
        self.base = _lowest_code(values[:FIRST_ROWS, columns])
        self.fits = np.ones(len(columns), np.uint8)
        self.row_of = np.full((len(columns), MOST), -1, np.int32)

    def take(self, codes: Bytes, n_jobs: int) -> None:
        """Write the codes of all rows to the first columns of `codes`; the threads divide the rows."""
        n_rows = len(codes)
        fits, row_of = np.tile(self.fits, (n_jobs, 1)), np.tile(self.row_of, (n_jobs, 1, 1))
        columns, bits = np.array(self.columns, np.int64), self.values.view(np.uint64)
        bits_of = np.add.outer(self.base, np.arange(MOST)).astype(np.float64).view(np.uint64)

        def take(part: range) -> None:
            """The codes of the i-th part of the rows, for each i."""
            for i in part:
                first, end = n_rows * i // n_jobs, n_rows * (i + 1) // n_jobs
                take_whole(self.values, bits, columns, self.base, bits_of, first, end, codes, row_of[i], fits[i])

        run_in_threads(take, [range(i, i + 1) for i in range(n_jobs)], n_jobs)
        self.fits, self.row_of = fits.min(axis=0), row_of.max(axis=0)

    def fitting(self) -> list[int]:
        """The columns that have only such values."""
        return [f for f, fits in zip(self.columns, self.fits, strict=True) if fits]

    def rank(self, codes: Bytes, n_levels: dict[int, int]) -> list[Longs]:
        """Leave out codes that no row has; for each column a row of each value, rising.

        n_levels  category column -> number of categories: their codes stay, and their rows are not used
        """
        met = self.row_of >= 0
        ranks = np.cumsum(met, axis=1, dtype=np.uint8) - met  # wraps around only behind the last code met
        categories = [c for c, f in enumerate(self.columns) if f in n_levels]
        ranks[categories] = np.arange(MOST)
        if (ranks != np.arange(MOST))[met].any():
            rank_in_place(codes, ranks)
        rows = [own[has].astype(np.int64) for own, has in zip(self.row_of, met, strict=True)]
        for c in categories:
            rows[c] = np.zeros(n_levels[self.columns[c]], np.int64)
        return rows


def _lowest_code(cells: Floats) -> Longs:
    """For each column, 0 if its values are small; otherwise a value that leaves room on both sides."""
    low, high = cells.min(axis=0), cells.max(axis=0)
    far = (np.maximum(np.abs(low), np.abs(high)) >= EXACT) | ((low >= 0) & (high < MOST))
    low[far] = high[far] = 0
    gap = (high - low).astype(np.int64)
    return np.where(far | (gap >= MOST), 0, low.astype(np.int64) - (MOST - 1 - gap) // 2)


def may_be_whole(values: Floats, columns: list[int]) -> list[int]:
    """The columns whose first rows have whole numbers within a small range."""
    first = WholeNumbers(values, columns)
    first.take(np.empty((min(len(values), FIRST_ROWS), len(columns)), np.uint8), 1)
    return first.fitting()


def number_columns(
    dataset: Dataset, columns: list[int], bins: dict[int, Bins], found: Bytes, ranks: Bytes, n_jobs: int
) -> list[Longs]:
    """Number and rank the values of some columns; for each a row of each value, rising, and none if it has too many.

    found, ranks  column, row -> the number of the cell's value; column, number -> its rank
    """
    first_row = np.empty((len(columns), MOST), np.int64)
    n_found = np.empty(len(columns), np.int64)
    numbers, bits = np.array(columns, np.int64), dataset.values.view(np.uint64)

    def number(part: range) -> None:
        """Number the values, or the bins, of some columns."""
        own = slice(part.start, part.stop)
        if bins:
            _number_with_bins(dataset.values, numbers[own], bins, found[own], first_row[own], n_found[own])
        else:
            number_values(bits, numbers[own], found[own], first_row[own], n_found[own])

    run_in_threads(number, split_into_batches(len(columns), NUMBERED, n_jobs), n_jobs)
    rows = []
    for p, f in enumerate(columns):
        own = first_row[p, : max(n_found[p], 0)]
        rising = np.argsort(dataset.values[own, f])  # of bins, any value tells which is higher
        ranks[p, rising] = np.arange(len(rising))
        rows.append(own[rising])
    return rows


def _number_with_bins(
    values: Floats, columns: Longs, bins: dict[int, Bins], found: Bytes, first_row: Longs, n_found: Longs
) -> None:
    """The same as number_values, where some columns have bins instead of values."""
    for c, f in enumerate(columns.tolist()):
        own = slice(c, c + 1)
        if f in bins:
            bins[f].number(values[:, f], found[c], first_row[c])
            n_found[c] = len(bins[f].top)
        else:
            number_values(values.view(np.uint64), columns[own], found[own], first_row[own], n_found[own])
