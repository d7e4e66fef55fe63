"""Batches: rows of a file, some at a time.

In: what draws the rows of a file of some kind. Out: a `Stream`: the names and types of its columns, and its rows as
polars frames in the order of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import polars as pl

ROWS = 100_000
"""Rows of a batch, at most."""


class Batch(NamedTuple):
    """Some rows.

    frame  the rows
    bare   whether no cell holds a quote, a line end or the stream's delimiter: it can be written without looking
    lines  the rows as they stand in the text, where that was wished for and can be had; `frame` then has only the
           columns that the wish names
    """

    frame: pl.DataFrame
    bare: bool = False
    lines: pl.Series | None = None


class Wish(NamedTuple):
    """What makes reading quicker for one who only looks at some columns, and passes rows on as they are.

    numbers  columns that may be read as Float64 where all their cells are plain numbers
    lines    the columns that are needed where rows can be had as lines; none where they are of no use
    nulls    texts that may be read as null in all these columns
    """

    numbers: frozenset[str] = frozenset()
    lines: tuple[str, ...] = ()
    nulls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Rows to be read in batches.

    name       what messages call the file
    types      the columns and their polars types; all String for text, whose cells stay as they were written
    named      whether the names come from the file
    missing    cells of text that say "not known"
    decimal    the mark before the decimals of numbers in text
    delimiter  the mark between the cells of text; "" where there is none
    notes      what was guessed, in sentences
    n_bytes    bytes of the file; None where that is not known
    """

    name: str
    types: dict[str, Any]
    named: bool = True
    missing: tuple[str, ...] = ()
    decimal: str = "."
    delimiter: str = ""
    notes: tuple[str, ...] = ()
    n_bytes: int | None = None
    _draw: Callable[[Sequence[str], Wish], Iterator[Batch]] = field(kw_only=True)
    _drawn: Callable[[], int] = field(kw_only=True, default=lambda: 0)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.types)

    @property
    def drawn(self) -> int:
        """Bytes that were read so far."""
        return self._drawn()

    def batches(
        self, columns: Sequence[str] | None = None, rows: int = ROWS, wish: Wish | None = None
    ) -> Iterator[Batch]:
        """The rows of the chosen columns, no more than so many at a time; to be asked once."""
        for frame, bare, lines in self._draw(self.names if columns is None else columns, wish or Wish()):
            for start in range(0, frame.height, rows):
                yield Batch(frame.slice(start, rows), bare, None if lines is None else lines.slice(start, rows))


def held(name: str, frame: pl.DataFrame) -> Stream:
    """Rows that are all in memory.

    >>> import polars as pl
    >>> [batch.frame.rows() for batch in held("'golf.arff'", pl.DataFrame({"a": [1, 2, 3]})).batches(rows=2)]
    [[(1,), (2,)], [(3,)]]
    """
    return Stream(name, dict(frame.schema), _draw=lambda columns, _: iter([Batch(frame.select(columns))]))
