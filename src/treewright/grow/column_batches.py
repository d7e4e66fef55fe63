"""The columns of a table in batches: copied some at a time, divided among threads.

In: cells by row. Out: columns. A cell and its neighbours in the row are in one cache line, so to copy a single column
reads the whole table.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import take_columns

TAKEN_CELLS = 2**22
"""The largest number of cells that a thread copies at once."""
TAKEN = 8
"""The largest number of columns that are copied at once: the cells of one cache line."""


def each_column(
    values: NDArray[np.float64], columns: NDArray[np.integer[Any]]
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Columns of a table, each with a copy of its cells; some are copied at a time."""
    for part in column_batches(len(columns), len(values), 1):
        some = columns[part.start : part.stop].astype(np.int32)
        cells = np.empty((len(some), len(values)))
        take_columns(values, some, cells)
        yield from zip(some.tolist(), cells, strict=True)


def column_batches(n_columns: int, n_rows: int, n_jobs: int) -> list[range]:
    """The columns in batches of about the same size, as many for each thread.

    >>> [len(batch) for batch in column_batches(20, 100_000, 2)]
    [5, 5, 5, 5]
    """
    return split_into_batches(n_columns, max(1, min(TAKEN, TAKEN_CELLS // n_rows)), n_jobs)


def split_into_batches(n_columns: int, most: int, n_jobs: int) -> list[range]:
    """Batches of at most so many columns.

    >>> split_into_batches(54, 64, 2)
    [range(0, 27), range(27, 54)]
    """
    a_thread = -(-n_columns // (most * n_jobs))
    n = max(1, min(a_thread * n_jobs, n_columns))
    ends = [n_columns * i // n for i in range(n + 1)]
    return [range(*part) for part in pairwise(ends)]


def run_in_threads(task: Callable[[range], None], parts: list[range], n_jobs: int) -> None:
    """Run the task on every part, on `n_jobs` threads."""
    if n_jobs == 1 or len(parts) == 1:
        for part in parts:
            task(part)
        return
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="treewright") as pool:
        for _ in pool.map(task, parts):
            pass
