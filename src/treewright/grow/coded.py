"""Coded columns: which numbers and categories have so few values that nodes are counted by them.

In: a table whose rows count once. Out: the codes of these columns, side by side by row, and room for the histograms
of nodes. A number with missing cells is not coded. Which columns are coded never changes the tree nor its surrogates.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.codes import BRANCH, LEARNED, SURROGATE, WHOLE
from treewright._core.grow import Coded, scans_codes
from treewright._core.table import MOST, lay_out
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind
from treewright.fast_paths import is_used, size_of
from treewright.grow.bins import Bins
from treewright.grow.numbering import Whole, may_be_whole, number_columns
from treewright.grow.plan import Plan

MOST_SLOTS = 64
"""Tallies that are kept at a time in depth-first growth; the nodes that wait there are few."""
MOST_COUNTS = 4
"""With more counts in a histogram than this for each row and column, of very many classes, lists take less memory."""
PACKED_CLASSES = 8
"""Classes that packed counts have room for: with more of them small nodes take longer, and half as many rows are enough
for a histogram."""
Missing = dict[int, NDArray[np.bool_]]
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
    dataset: Dataset, plan: Plan, missing: int, gone: Missing, bins: dict[int, Bins], n_jobs: int = 1
) -> Coding | None:
    """The columns that growth by this plan reads from histograms; None when there are none.

    missing  what becomes of missing cells: rows that go down several branches, or none, are not counted
    bins     those of columns without holes, which then are among the coded ones
    """
    if dataset.n_rows < size_of("coded columns") or not is_used("coded columns"):  # below, lists are as fast
        return None
    if missing not in WHOLE_ROWS or not _is_quick(dataset, plan):
        return None
    columns = [f for f in range(dataset.n_columns) if _may_be_coded(dataset.schema.columns[f], gone.get(f))]
    whole = may_be_whole(dataset.values, [f for f in columns if f not in bins and f not in gone])
    if not is_used("whole numbers"):
        whole = [f for f in whole if dataset.schema.columns[f].kind is Kind.CATEGORY]
    while True:
        coding = _lay_out(dataset, whole, [f for f in columns if f not in whole], gone, bins, n_jobs)
        if isinstance(coding, Coding):
            break
        whole = coding  # a later row told that one does not fit
    n_counts = coding.n_cells * max(dataset.schema.target.n_classes, 1)
    if not len(coding.columns) or n_counts > MOST_COUNTS * dataset.n_rows * len(coding.columns):
        return None
    return coding


def _lay_out(
    dataset: Dataset, whole: list[int], others: list[int], gone: Missing, bins: dict[int, Bins], n_jobs: int
) -> Coding | list[int]:
    """The codes of columns of whole numbers near each other, and of those others that have few values.

    If not all of the former are what they seem to be, a list of those that still do.
    """
    columns = dataset.schema.columns
    levels = {f: columns[f].n_categories for f in [*whole, *others] if columns[f].kind is Kind.CATEGORY}
    numbers = [f for f in others if f not in levels]
    holed = [f for f in others if f in levels]
    found = np.empty((len(others), dataset.n_rows), np.uint8)
    ranks = np.tile(np.arange(MOST, dtype=np.uint8), (len(others), 1))
    rows = number_columns(dataset, numbers, bins, found, ranks, n_jobs)
    for p, f in enumerate(holed, len(numbers)):
        found[p] = np.where(gone[f], levels[f], dataset.values[:, f])
        rows.append(np.zeros(levels[f] + 1, np.int64))  # nobody asks for the rows of a category
    chosen = np.array([p for p, own in enumerate(rows) if len(own)], np.int64)
    codes = np.empty((dataset.n_rows, len(whole) + len(chosen)), np.uint8)
    near = Whole(dataset.values, whole)
    near.take(codes, n_jobs)
    if not near.fits.all():
        return near.fitting()
    lay_out(found, chosen, ranks[chosen], codes, len(whole))
    rows = near.rank(codes, levels) + [rows[p] for p in chosen]
    lengths = np.array([len(own) for own in rows], np.int64)
    at = np.array(whole + [(numbers + holed)[p] for p in chosen], np.int64)
    return Coding(at, codes, lengths, np.cumsum(lengths) - lengths, np.concatenate([NO_ROWS, *rows]).astype(np.int32))


def _may_be_coded(column: Column, gone: NDArray[np.bool_] | None) -> bool:
    """Whether codes of a column fit into a byte, as far as can be told before its values are numbered."""
    if column.kind is not Kind.CATEGORY:
        return gone is None
    return column.n_categories < MOST and not (gone is not None and gone.all())


def _is_quick(dataset: Dataset, plan: Plan) -> bool:
    """Whether histograms serve a plan."""
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
        counts=_blank(room * width, 2 * n_threads * coding.n_cells * width, np.int32),
        sums=_blank(room if n_classes == 0 else 1, 2 * n_threads * coding.n_cells, np.int64),
        least_kept=least,
        n_free=n_slots,
        free=np.arange(2 * n_threads, 2 * n_threads + n_slots, dtype=np.int32)[::-1].copy(),
        **_own(coding, width, least, 0),
    )


def _blank(room: int, n_zeros: int, dtype: type[np.integer[Any]]) -> NDArray[Any]:
    """Counts that begin with zeros, the slots of the threads; the slot of a node is cleared before it is counted."""
    counts = np.empty(room, dtype)
    counts[:n_zeros] = 0
    return counts


def beside(coded: Coded, coding: Coding, thread: int) -> Coded:
    """The same histograms for another thread."""
    shared = (
        "codes", "table_codes", "n_codes", "first_cell", "row_of", "width", "n_cells", "counts", "sums", "least_kept",
        "n_free", "free",
    )  # fmt: skip
    own = _own(coding, coded.width, coded.least_kept, thread)
    return Coded(**{name: getattr(coded, name) for name in shared}, **own)


def _own(coding: Coding, width: int, least: int, thread: int) -> dict[str, Any]:
    """What each thread has for itself."""
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
