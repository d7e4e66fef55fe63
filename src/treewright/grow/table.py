"""The columns of a table, copied some at a time, and shared among threads.

In: cells by row. Out: columns. A cell of one column brings its neighbours of the row into reach: to copy a column by
itself reads the whole table.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import take_columns

TAKEN_CELLS = 2**22
"""Most cells that are copied out of the table at once, by each thread."""
TAKEN = 8
"""Most columns that are copied out at once: as many cells as one line of memory has."""


def each_column(
    values: NDArray[np.float64], columns: NDArray[np.integer[Any]]
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Columns of a table, each with a copy of its cells; some are copied at a time."""
    for part in batches(len(columns), len(values), 1):
        some = columns[part.start : part.stop].astype(np.int32)
        cells = np.empty((len(some), len(values)))
        take_columns(values, some, cells)
        yield from zip(some.tolist(), cells, strict=True)


def batches(n_columns: int, n_rows: int, n_jobs: int) -> list[range]:
    """The columns in batches of about one size, as many for each thread.

    >>> [len(batch) for batch in batches(20, 100_000, 2)]
    [5, 5, 5, 5]
    """
    return in_batches(n_columns, max(1, min(TAKEN, TAKEN_CELLS // n_rows)), n_jobs)


def in_batches(n_columns: int, most: int, n_jobs: int) -> list[range]:
    """Batches of at most so many columns.

    >>> in_batches(54, 64, 2)
    [range(0, 27), range(27, 54)]
    """
    a_thread = -(-n_columns // (most * n_jobs))
    n = max(1, min(a_thread * n_jobs, n_columns))
    ends = [n_columns * i // n for i in range(n + 1)]
    return [range(*part) for part in pairwise(ends)]


def spread(task: Callable[[range], None], parts: list[range], n_jobs: int) -> None:
    """Run the task on every part, on as many threads as there are."""
    if n_jobs == 1 or len(parts) == 1:
        for part in parts:
            task(part)
        return
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="treewright") as pool:
        for _ in pool.map(task, parts):
            pass
