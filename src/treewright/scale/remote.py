"""What Dask and Spark run on their workers around the functions of `worker`.

These functions are shipped by value, too. They import the standard library, and pyarrow where it is used; functions of
`worker` are passed to them.

Spark knows rows only: a partition of codes is a row with one cell of bytes. A result is one or more rows: the number of
the partition that it is about, which piece it is, of how many, and the bytes.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

Task = Callable[..., Any]
BATCH_ROWS, BATCH_CELLS = 1 << 18, 1 << 26
"""Rows and cells of a batch at most, so that its codes are one cell of bytes."""
PIECE_BYTES = 1 << 24
"""Bytes of a piece of a result, so that no message of Spark Connect is too long."""


def fold(walk: Task, task: Task, merge: Task, how: tuple[Any, Any], *groups: Iterable[Any]) -> Any:
    """One result of a task on several lists of partitions of codes, whose rows go down the levels from the root on.

    how  the levels, and the other arguments of the task
    """
    levels, args = how
    return merge(task(part, walk(part, levels), *args) for group in groups for part in group)


# --- Dask ---


def read_frame(task: Task, args: tuple[Any, ...], frame: Any) -> Any:
    """The result of a task on the batches of a pandas data frame."""
    import pyarrow as pa

    table = pa.Table.from_pandas(frame, preserve_index=False)
    n = batch_rows(table.num_columns)
    batches = table.to_batches(max_chunksize=n) or [pa.RecordBatch.from_pylist([], schema=table.schema)]
    return task(batches, *args)


def encode_frame(task: Task, args: tuple[Any, ...], frame: Any) -> list[Any]:
    """The partitions of codes of a pandas data frame."""
    return list(read_frame(task, args, frame))


def batch_rows(n_columns: int) -> int:
    """The rows of a batch of so many columns."""
    return max(1, min(BATCH_ROWS, BATCH_CELLS // max(1, n_columns)))


# --- Spark: each of these functions takes batches and yields batches ---


def read_rows(task: Task, args: tuple[Any, ...], names: list[str], batches: Iterable[Any]) -> Iterator[Any]:
    """The result of a task on the rows of a partition."""
    found = PartitionRows(names, batches)
    result = task(found.large_batches(), *args)
    if found.number is not None:
        yield from pack(found.number, result)


def encode_rows(task: Task, args: tuple[Any, ...], names: list[str], batches: Iterable[Any]) -> Iterator[Any]:
    """The codes of the rows of a partition."""
    import pyarrow as pa

    for part in task(PartitionRows(names, batches).large_batches(), *args):
        yield pa.RecordBatch.from_pydict({"codes": [pickle.dumps(part, 5)]})


def fold_rows(walk: Task, task: Task, merge: Task, how: tuple[Any, Any], batches: Iterable[Any]) -> Iterator[Any]:
    """The result of a task on the codes of a partition."""
    found = PartitionRows(["codes"], batches)
    parts = (pickle.loads(cell.as_buffer()) for batch in found for cell in batch.column("codes"))
    first = next(parts, None)
    if first is not None:
        yield from pack(found.number, fold(walk, task, merge, how, chain([first], parts)))


def merge_rows(merge: Task, batches: Iterable[Any]) -> Iterator[Any]:
    """One result of several ones."""
    numbers: list[int] = []
    results = unpack(batches, numbers)
    first = next(results, None)
    if numbers:
        yield from pack(numbers[0], merge(chain([first], results)))


class PartitionRows:
    """The batches of a partition: columns of these names, and its number, which is known when some were read."""

    def __init__(self, names: list[str], batches: Iterable[Any]) -> None:
        self.names, self.batches = names, batches
        self.number: Any = None

    def __iter__(self) -> Iterator[Any]:
        import pyarrow as pa

        for batch in self.batches:
            if batch.num_rows:
                *columns, number = batch.columns
                self.number = number[0].as_py()
                yield pa.RecordBatch.from_arrays(columns, names=self.names)

    def large_batches(self) -> Iterator[Any]:
        """Few large batches instead of many small ones."""
        waiting: list[Any] = []
        n_rows = 0
        for batch in self:
            waiting.append(batch)
            n_rows += batch.num_rows
            if n_rows >= batch_rows(batch.num_columns):
                yield from join_batches(waiting)
                waiting, n_rows = [], 0
        if waiting:
            yield from join_batches(waiting)


def join_batches(batches: list[Any]) -> list[Any]:
    """One batch instead of several; more if one cannot hold all texts."""
    import pyarrow as pa

    joined: list[Any] = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return joined


def pack(number: int, result: Any) -> Iterator[Any]:
    """A result as rows."""
    import pyarrow as pa

    data = pickle.dumps(result, 5)
    starts = range(0, len(data), PIECE_BYTES)
    kinds = pa.schema([("number", pa.int32()), ("piece", pa.int32()), ("n_pieces", pa.int32()), ("data", pa.binary())])
    for piece, start in enumerate(starts):
        bytes_of_piece = data[start : start + PIECE_BYTES]
        row = {"number": number, "piece": piece, "n_pieces": len(starts), "data": bytes_of_piece}
        yield pa.RecordBatch.from_pylist([row], schema=kinds)


def unpack(batches: Iterable[Any], numbers: list[int]) -> Iterator[Any]:
    """The results in rows, each as soon as its pieces are there; their numbers are appended to `numbers`."""
    waiting: dict[int, dict[int, Any]] = {}
    for batch in batches:
        columns = [batch.column(name) for name in ("number", "piece", "n_pieces", "data")]
        for cells in zip(*columns, strict=True):
            number, piece, n_pieces = (cell.as_py() for cell in cells[:3])
            pieces = waiting.setdefault(number, {})
            pieces[piece] = cells[3].as_buffer()
            if len(pieces) == n_pieces:
                numbers.append(number)
                yield pickle.loads(b"".join(pieces[i] for i in range(n_pieces)))
                del waiting[number]
