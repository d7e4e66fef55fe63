"""Blocks: an answer for every row, some rows at a time, on one thread or several.

In: a tree, rows that can be read in blocks, and what to do with a block. Out: the answers of all rows. Nothing larger
than the answers and a block for each thread is held, and the answers are the same for any number of threads.
"""

from collections.abc import Callable
from itertools import count
from threading import Lock, Thread
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from treewright.fast_paths import is_used, size_of
from treewright.model.tree import Tree
from treewright.predict.ends import NOTHING, readable, rows_at_once
from treewright.predict.rule import Rule, missing_rule

Answer = Callable[[NDArray[np.float64], int, int], None]
"""What is done with the values of some rows, given the number of the first one and what is known of the values."""


class Rows(Protocol):
    """Rows that can be read in blocks."""

    n_rows: int

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
        """The rows from start to stop as float64, row by row, and what is known of them: NOTHING, CODES or WHOLE.

        room  has place for them
        """


class Values:
    """Encoded values of any type and in any strides, as rows to be read."""

    def __init__(self, tree: Tree, values: NDArray[Any]) -> None:
        is_array = type(values) in (np.ndarray, np.memmap) and values.ndim == 2 and values.dtype.kind in "fiu"
        if not is_array or values.shape[1] != tree.schema.n_columns:
            values = readable(tree, values)
        self.values, self.n_rows = values, len(values)

    def read(self, start: int, stop: int, room: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
        return block_of(self.values, start, stop, room), NOTHING


Given = NDArray[Any] | Rows
"""Encoded values, or rows to be read."""


def read_in_blocks(tree: Tree, given: Given, rule: Rule) -> Rows:
    """Rows to be read, of encoded values or as they are; a rule that the tree cannot answer by is refused before."""
    missing_rule(tree, rule)
    return cast(Rows, given) if hasattr(given, "read") else Values(tree, given)


def block_of(values: NDArray[Any], start: int, stop: int, room: NDArray[np.float64]) -> NDArray[np.float64]:
    """Some rows as they are, or put into the room where they are not aligned float64, row by row."""
    part = values[start:stop]
    if part.dtype == np.float64 and part.flags.c_contiguous and part.flags.aligned and part.dtype.isnative:
        return part
    room = room[: len(part)]
    np.copyto(room, part)
    return room


def in_blocks(tree: Tree, rows: Rows, answer: Answer, n_threads: int = 1) -> None:
    """Read all rows and have each block answered.

    An error is that of the first block that has one, as if they were read one after the other.
    """
    n_rows, size = rows.n_rows, min(rows.n_rows, rows_at_once(tree))
    n_blocks = -(-n_rows // size) if size else 0
    starts, lock = count(0, max(1, size)), Lock()
    failed: dict[int, BaseException] = {}

    def work() -> None:
        room = np.empty((size, tree.schema.n_columns))
        while True:
            with lock:
                start = next(starts)
            if start >= n_rows or any(other < start for other in tuple(failed)):
                return
            stop = min(start + size, n_rows)
            try:
                values, known = rows.read(start, stop, room)
                answer(values, start, known)
            except BaseException as error:  # raised below, once no earlier block can have one
                failed[start] = error

    # with fewer rows, waiting for a further thread may take longer than it saves
    is_worth = n_rows >= size_of("threads of prediction") and is_used("threads of prediction")
    n_threads = min(n_threads, n_blocks) if is_worth else 1
    threads = [Thread(target=work, name="treewright", daemon=True) for _ in range(n_threads - 1)]
    for thread in threads:
        thread.start()
    try:
        work()
    finally:
        with lock:
            starts = count(n_rows)
        for thread in threads:
            thread.join()
    if failed:
        raise failed[min(failed)]
