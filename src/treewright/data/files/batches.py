"""Batches of rows: a file larger than memory, some rows at a time.

In: a function that reads the rows of a file. Out: a `Stream`: the names and types of its columns, and its rows as
polars frames in the order of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.data.files.column_names import columns_named

if TYPE_CHECKING:
    import polars as pl

ROWS = 100_000
"""Rows of a batch, at most."""


class Batch(NamedTuple):
    """Some rows.

    frame     the rows
    unquoted  whether no cell contains a quote, a line break or the stream's delimiter, so that none needs quotes
    lines     the lines of the text, if the hints request them and each row is a line; `frame` then has only the columns
              of the hints
    """

    frame: pl.DataFrame
    unquoted: bool = False
    lines: pl.Series | None = None


class ReadHints(NamedTuple):
    """What a reader of a stream allows, so that reading is faster.

    numbers  columns that may be read as Float64 if all their cells are plain numbers
    lines    the columns that are needed besides whole lines; empty if lines are of no use
    nulls    texts that may be read as null in all of `numbers`
    """

    numbers: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    nulls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Rows to be read in batches.

    name       what messages call the file
    types      the columns and their polars types; all String for text, whose cells are not changed
    named      whether the names come from the file
    missing    missing-value markers of text
    decimal    the decimal mark of numbers in text
    delimiter  the character between the cells of text; "" for other formats
    notes      sentences about what was guessed
    n_bytes    size of the file in bytes; None if unknown
    """

    name: str
    types: dict[str, Any]
    named: bool = True
    missing: tuple[str, ...] = ()
    decimal: str = "."
    delimiter: str = ""
    notes: tuple[str, ...] = ()
    n_bytes: int | None = None
    _read: Callable[[Sequence[str], ReadHints], Iterator[Batch]] = field(kw_only=True)
    _count_bytes: Callable[[], int] = field(kw_only=True, default=lambda: 0)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.types)

    @property
    def n_bytes_read(self) -> int:
        """Bytes read so far."""
        return self._count_bytes()

    def batches(
        self, columns: Sequence[str] | None = None, rows: int = ROWS, hints: ReadHints | None = None
    ) -> Iterator[Batch]:
        """The chosen columns in batches of at most `rows` rows; can be read once."""
        for frame, unquoted, lines in self._read(self.names if columns is None else columns, hints or ReadHints()):
            for start in range(0, frame.height, rows):
                some_lines = None if lines is None else lines.slice(start, rows)
                yield Batch(frame.slice(start, rows), unquoted, some_lines)


def stream_of_frame(name: str, frame: pl.DataFrame) -> Stream:
    """A stream of rows that are in memory.

    >>> import polars as pl
    >>> [batch.frame.rows() for batch in stream_of_frame("'golf.arff'", pl.DataFrame({"a": [1, 2, 3]})).batches(rows=2)]
    [[(1,), (2,)], [(3,)]]
    """

    def read(columns: Sequence[str], _: ReadHints) -> Iterator[Batch]:
        yield Batch(frame.select(columns_named(columns)))

    return Stream(name, dict(frame.schema), _read=read)
