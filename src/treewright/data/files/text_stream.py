"""Text stream: CSV, TSV and their like in batches of text.

In: a stream of bytes and what the user says about them. Out: a `Stream`. The first block of rows says what the text
looks like. A later one that is plain to see (the right number of cells in each row, quotes only where they belong) goes
to polars at once; any other one is read with all the care of `open_text`, so that both see and refuse the same rows.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.files.batches import Batch, Stream, Wish
from treewright.data.files.blocks import Plain, Readable, row_blocks
from treewright.data.files.source import Source
from treewright.data.files.survey import NEWLINE, survey
from treewright.data.files.text import Layout, TextTable, open_text
from treewright.errors import InputError, TreewrightError

if TYPE_CHECKING:
    import polars as pl

NEVER = b"\x1f"
"""A character of control that no delimiter is and that text does not hold; where it does, lines are not read whole."""

_LINE = re.compile(r"\b([Ll]ine) (\d+)")


def text_stream(file: Readable, source: Source, layout: Layout, size: int) -> Stream:
    """The rows of a text; `source` says what it is called and how its name ends.

    >>> source = Source("golf.csv", b"", None, ".csv")
    >>> stream = text_stream(io.BytesIO(b"day,humidity\\n1,85\\n2,070\\n"), source, Layout(), 4)
    >>> [batch.frame.rows() for batch in stream.batches()]
    [[('1', '85')], [('2', '070')]]
    """
    import polars as pl

    plain = Plain(file, size, layout.encoding, repr(source.name))
    blocks = row_blocks(plain)
    first = open_text(replace(source, data=_first(blocks)), replace(layout, encoding="utf-8"))
    shape = _Shape(source, first.names, Layout(first.delimiter, "utf-8", first.decimal, first.missing, header=True))

    def draw(columns: Sequence[str], wish: Wish) -> Iterator[Batch]:
        yield Batch(_collected(first, columns), is_bare(bytes(first.data)))
        n_lines = _lines(first)
        for block in blocks:
            batch = shape.quick(block, columns, wish)
            if batch is not None:
                n_lines += batch.frame.height if batch.bare else block.count(b"\n")
                yield batch
                continue
            with _lines_behind(n_lines - 1):
                table = shape.careful(block)
                frame = _collected(table, columns)
            n_lines += _lines(table) - 1
            yield Batch(frame, is_bare(block))

    return Stream(
        repr(source.name),
        dict.fromkeys(first.names, pl.String),
        first.has_names,
        first.missing,
        first.decimal,
        first.delimiter,
        tuple(filter(None, (plain.note, *first.notes))),
        _draw=draw,
        _drawn=lambda: plain.drawn,
    )


def is_bare(block: bytes) -> bool:
    """Whether the cells of a text hold no quote and no carriage return but those of line ends.

    >>> is_bare(b"a,b\\r\\n"), is_bare(b'a,"b"\\n'), is_bare(b"a\\rb\\n")
    (True, False, False)
    """
    if b'"' in block:
        return False
    return b"\r" not in block or block.count(b"\r") == block.count(b"\r\n")


@dataclass(slots=True, eq=False)
class _Shape:
    """What every block looks like: the names of its columns, and what was said or guessed from the first one.

    nulls  texts that columns of numbers hold where nothing is known; None where their cells are not plain numbers
    """

    source: Source
    names: tuple[str, ...]
    layout: Layout
    nulls: tuple[str, ...] | None = ()

    def quick(self, block: bytes, columns: Sequence[str], wish: Wish) -> Batch | None:
        """The rows of a block in which every row is plain to see; else None."""
        bare = is_bare(block)
        n_rows, n_lines = self._counted(block, bare)
        if not n_rows:
            return None
        quote = None if bare else '"'
        if wish.lines and n_lines == n_rows and b"\r" not in block and NEVER not in block:
            lines = _read(block, {"line": "text"}, ["line"], n_rows, separator=NEVER.decode(), quote_char=None)
            frame = self._cells(block, wish.lines, n_rows, wish, quote)
            if lines is not None and frame is not None:
                return Batch(frame, bare, lines.to_series())
        frame = self._cells(block, columns, n_rows, Wish() if wish.lines else wish, quote)
        return None if frame is None else Batch(frame, bare)

    def _counted(self, block: bytes, bare: bool) -> tuple[int, int]:
        """Rows and lines of the block, if all rows have the right width and none is blank; otherwise no rows."""
        data: NDArray[np.uint8] = np.frombuffer(block, np.uint8)
        delimiter, width = ord(self.layout.delimiter or ","), len(self.names)
        if not bare:
            seen = survey(data, delimiter)
            odd = seen.odd or seen.blank or seen.zero is not None or seen.ragged is not None
            return (0 if odd or seen.width != width else seen.n_rows), int(seen.n_lines)
        n_rows = int(np.count_nonzero(data == NEWLINE))
        n_between = int(np.count_nonzero(data == delimiter))
        # Polars refuses a row with too many cells. If none has, and their sum is right, then none has too few.
        right = width > 1 and n_between == n_rows * (width - 1) and data[-1] == NEWLINE and data.min() > 0
        return (n_rows if right else 0), n_rows

    def _cells(
        self, block: bytes, columns: Sequence[str], n_rows: int, wish: Wish, quote: str | None
    ) -> pl.DataFrame | None:
        """The cells: numbers where that is wished for and all of them are plain ones, and otherwise text."""
        import polars as pl

        reading = {"separator": self.layout.delimiter or ",", "quote_char": quote}
        kinds = {name: "number" if name in wish.numbers else "text" for name in self.names}
        while wish.numbers and self.nulls is not None:
            frame = _read(block, kinds, columns, n_rows, null_values=list(self.nulls) or None, **reading)
            # "nan" and "inf" are read as numbers too, but it is not for this reader to say what they mean.
            if frame is not None and all(frame.select(pl.col(pl.Float64).is_finite().all()).row(0)):
                return frame
            self.nulls = wish.nulls or None if self.nulls == () else None
        return _read(block, dict.fromkeys(self.names, "text"), columns, n_rows, **reading)

    def careful(self, block: bytes) -> TextTable:
        """The rows of any block: behind the names again, it is a table like the first one."""
        line = io.StringIO()
        csv.writer(line, delimiter=self.layout.delimiter or ",", lineterminator="\n").writerow(self.names)
        return open_text(replace(self.source, data=line.getvalue().encode("utf-8") + block), self.layout)


def _read(
    block: bytes, kinds: dict[str, str], columns: Sequence[str], n_rows: int, **reading: Any
) -> pl.DataFrame | None:
    """The cells of some columns; None where polars finds fault, for the careful way to say what is wrong."""
    import polars as pl

    names = list(kinds)
    try:
        frame = pl.read_csv(
            block,
            has_header=False,
            schema={name: pl.Float64 if kind == "number" else pl.String for name, kind in kinds.items()},
            columns=[names.index(name) for name in columns],
            **reading,
        )
    except pl.exceptions.PolarsError:
        return None
    return frame.select(columns) if frame.height == n_rows else None


def _first(blocks: Iterator[bytes]) -> bytes:
    """The first block; where that holds a single row, which may be that of the names, the next one too."""
    found = next(blocks, b"")
    while found.count(b"\n") < 2:
        more = next(blocks, b"")
        if not more:
            break
        found += more
    return found


def _collected(table: TextTable, columns: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    try:
        frame = table.lazy.select(columns).collect()
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{table.name} cannot be read: {str(error).splitlines()[0].rstrip('.')}.") from None
    if frame.height != table.n_rows:
        raise InputError(f"{table.name} was read as {frame.height} rows, but has {table.n_rows}; check its quotes.")
    return frame


def _lines(table: TextTable) -> int:
    return table.n_rows + table.has_names if table.simple else bytes(table.data).count(b"\n")


@contextmanager
def _lines_behind(n_lines: int) -> Iterator[None]:
    """Errors that count lines from the beginning of a block count them from that of the file."""
    try:
        yield
    except TreewrightError as error:
        moved = _LINE.sub(lambda found: f"{found[1]} {int(found[2]) + n_lines}", str(error), count=1)
        raise type(error)(moved) from None
