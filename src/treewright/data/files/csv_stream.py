"""CSV, TSV and similar text in batches.

In: a stream of bytes and the options of the user. Out: a `Stream` of strings. The stream is converted to UTF-8 and
cut into blocks of whole rows. The first block gives the names and the dialect. A later block that is regular (the
right number of cells in each row, quotes only where they belong) is read by polars directly; any other block is read
by `open_csv`, so that a stream and `read` give the same rows and the same errors.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.data.files.batches import Batch, ReadHints, Stream
from treewright.data.files.column_names import columns_named
from treewright.data.files.csv_structure import NEWLINE, scan_structure
from treewright.data.files.csv_table import CsvTable, TextOptions, open_csv
from treewright.data.files.encoding import to_utf8
from treewright.data.files.source import Source
from treewright.errors import InputError, TreewrightError

if TYPE_CHECKING:
    import polars as pl

BLOCK_BYTES = 2**22
"""Bytes of a block: some 10^4 to 10^5 rows of an ordinary table. Larger blocks are not faster, and take memory."""

LONGEST_ROW = 2**28
"""Bytes of the longest row. If a row is longer, a quote was opened and never closed."""

NO_SEPARATOR = b"\x1f"
"""A control character that is never a delimiter; lines that contain it are not read whole."""

_LINE = re.compile(r"\b([Ll]ine) (\d+)")


def open_csv_stream(file: Readable, source: Source, options: TextOptions, size: int) -> Stream:
    """The rows of a text in blocks of about `size` bytes; `source` has its name and extension.

    >>> source = Source("golf.csv", b"", None, ".csv")
    >>> stream = open_csv_stream(io.BytesIO(b"day,humidity\\n1,85\\n2,070\\n"), source, TextOptions(), 4)
    >>> [batch.frame.rows() for batch in stream.batches()]
    [[('1', '85')], [('2', '070')]]
    """
    import polars as pl

    pieces = Utf8Pieces(file, size, options.encoding, repr(source.name))
    blocks = row_blocks(pieces)
    first = open_csv(replace(source, data=_first_block(blocks)), replace(options, encoding="utf-8"))
    dialect = TextOptions(first.delimiter, "utf-8", first.decimal, first.missing, header=True)
    reader = _BlockReader(source, first.names, dialect)

    def read(columns: Sequence[str], hints: ReadHints) -> Iterator[Batch]:
        yield Batch(_collect(first, columns), is_unquoted(bytes(first.data)))
        n_lines = _count_lines(first)
        for block in blocks:
            batch = reader.read_regular(block, columns, hints)
            if batch is not None:
                n_lines += batch.frame.height if batch.unquoted else block.count(b"\n")
                yield batch
                continue
            with _shifted_line_numbers(n_lines - 1):
                table = reader.open(block)
                frame = _collect(table, columns)
            n_lines += _count_lines(table) - 1
            yield Batch(frame, is_unquoted(block))

    return Stream(
        repr(source.name),
        dict.fromkeys(first.names, pl.String),
        first.has_names,
        first.missing,
        first.decimal,
        first.delimiter,
        tuple(filter(None, (pieces.note, *first.notes))),
        _read=read,
        _count_bytes=lambda: pieces.n_bytes_read,
    )


@dataclass(slots=True, eq=False)
class _BlockReader:
    """Reads blocks of rows by what the first block has shown.

    nulls  markers of missing values in columns of numbers; None if their cells are not plain numbers
    """

    source: Source
    names: tuple[str, ...]
    options: TextOptions
    nulls: tuple[str, ...] | None = ()

    def read_regular(self, block: bytes, columns: Sequence[str], hints: ReadHints) -> Batch | None:
        """The rows of a regular block; None for any other block."""
        unquoted = is_unquoted(block)
        n_rows, n_lines = self._count_rows(block, unquoted)
        if not n_rows:
            return None
        quote = None if unquoted else '"'
        if hints.lines and n_lines == n_rows and b"\r" not in block and NO_SEPARATOR not in block:
            lines = _read_csv(
                block, {"line": "text"}, ["line"], n_rows, separator=NO_SEPARATOR.decode(), quote_char=None
            )
            frame = self._read_cells(block, hints.lines, n_rows, hints, quote)
            if lines is not None and frame is not None:
                return Batch(frame, unquoted, lines.to_series())
        frame = self._read_cells(block, columns, n_rows, ReadHints() if hints.lines else hints, quote)
        return None if frame is None else Batch(frame, unquoted)

    def _count_rows(self, block: bytes, unquoted: bool) -> tuple[int, int]:
        """Rows and lines of a regular block; no rows for any other block."""
        data: NDArray[np.uint8] = np.frombuffer(block, np.uint8)
        delimiter, width = ord(self.options.delimiter or ","), len(self.names)
        if not unquoted:
            seen = scan_structure(data, delimiter)
            return (seen.n_rows if seen.is_regular and seen.width == width else 0), int(seen.n_lines)
        n_rows = int(np.count_nonzero(data == NEWLINE))
        n_between = int(np.count_nonzero(data == delimiter))
        # polars refuses a row with too many cells. If no row has, and the sum is right, then no row has too few.
        right = width > 1 and n_between == n_rows * (width - 1) and data[-1] == NEWLINE and data.min() > 0
        return (n_rows if right else 0), n_rows

    def _read_cells(
        self, block: bytes, columns: Sequence[str], n_rows: int, hints: ReadHints, quote: str | None
    ) -> pl.DataFrame | None:
        """The cells: numbers if the hints allow it and all of them are plain numbers, otherwise strings."""
        import polars as pl

        reading = {"separator": self.options.delimiter or ",", "quote_char": quote}
        kinds = {name: "number" if name in hints.numbers else "text" for name in self.names}
        while hints.numbers and self.nulls is not None:
            frame = _read_csv(block, kinds, columns, n_rows, null_values=list(self.nulls) or None, **reading)
            # polars reads "nan" and "inf" as numbers too, but what they mean is decided elsewhere.
            if frame is not None and all(frame.select(pl.col(pl.Float64).is_finite().all()).row(0)):
                return frame
            self.nulls = hints.nulls or None if self.nulls == () else None
        return _read_csv(block, dict.fromkeys(self.names, "text"), columns, n_rows, **reading)

    def open(self, block: bytes) -> CsvTable:
        """Any block as a table, after a row of the names."""
        line = io.StringIO()
        csv.writer(line, delimiter=self.options.delimiter or ",", lineterminator="\n").writerow(self.names)
        return open_csv(replace(self.source, data=line.getvalue().encode("utf-8") + block), self.options)


def is_unquoted(block: bytes) -> bool:
    """Whether a text has no quotes, and no carriage returns except in line ends.

    >>> is_unquoted(b"a,b\\r\\n"), is_unquoted(b'a,"b"\\n'), is_unquoted(b"a\\rb\\n")
    (True, False, False)
    """
    if b'"' in block:
        return False
    return b"\r" not in block or block.count(b"\r") == block.count(b"\r\n")


def _read_csv(
    block: bytes, kinds: dict[str, str], columns: Sequence[str], n_rows: int, **reading: Any
) -> pl.DataFrame | None:
    """The cells of some columns; None if polars refuses the block, so that the careful reader says what is wrong."""
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
    return frame.select(columns_named(columns)) if frame.height == n_rows else None


def _first_block(blocks: Iterator[bytes]) -> bytes:
    """The first block; if it has a single row, which may have the names, the next one too."""
    found = next(blocks, b"")
    while found.count(b"\n") < 2:
        more = next(blocks, b"")
        if not more:
            break
        found += more
    return found


def _collect(table: CsvTable, columns: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    try:
        frame = table.lazy.select(columns_named(columns)).collect()
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{table.name} cannot be read: {str(error).splitlines()[0].rstrip('.')}.") from None
    if frame.height != table.n_rows:
        raise InputError(f"{table.name} has {table.n_rows} rows, but {frame.height} were read; check its quotes.")
    return frame


def _count_lines(table: CsvTable) -> int:
    return table.n_rows + table.has_names if table.simple else bytes(table.data).count(b"\n")


@contextmanager
def _shifted_line_numbers(n_lines: int) -> Iterator[None]:
    """Errors with line numbers of a block get line numbers of the file."""
    try:
        yield
    except TreewrightError as error:
        raise error.reworded(
            lambda text: _LINE.sub(lambda found: f"{found[1]} {int(found[2]) + n_lines}", text, count=1)
        ) from None


def row_blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a text in blocks of whole rows, about one for each piece; the last one may lack its line end.

    A line end in quotes belongs to a cell and does not end a row.

    >>> list(row_blocks([b'a,1\\n"b', b'\\nb",2\\nc', b',3']))
    [b'a,1\\n', b'"b\\nb",2\\n', b'c,3']
    """
    open_row: list[bytes] = []  # a row that has not ended yet, in pieces
    n_bytes = 0
    in_quotes = False
    for next_piece in pieces:
        piece = next_piece
        end = last_row_end(piece, in_quotes)
        if end:
            yield b"".join([*open_row, piece[:end]])
            piece = piece[end:]
            open_row, n_bytes, in_quotes = [], 0, False
        if piece:
            open_row.append(piece)
            n_bytes += len(piece)
            in_quotes ^= piece.count(b'"') % 2 == 1
        if n_bytes > LONGEST_ROW:
            advice = 'check for a quote (") that is never closed' if in_quotes else "check that the file is text"
            raise InputError(f"No row ends within {LONGEST_ROW} bytes; {advice}.")
    if open_row:
        yield b"".join(open_row)


def last_row_end(piece: bytes, in_quotes: bool = False) -> int:
    """The position after the last row that ends in the piece; 0 if none does.

    in_quotes  whether the piece begins in quotes

    >>> last_row_end(b'a\\n"b\\n'), last_row_end(b'b"\\nc', in_quotes=True), last_row_end(b"a")
    (2, 3, 0)
    """
    position = piece.rfind(b"\n")
    # A doubled quote in quotes is two quotes, so only their number matters.
    in_quotes ^= piece.count(b'"', 0, max(position, 0)) % 2 == 1
    while in_quotes and position >= 0:
        before = piece.rfind(b"\n", 0, position)
        in_quotes ^= piece.count(b'"', max(before, 0), position) % 2 == 1
        position = before
    return position + 1


class Readable(Protocol):
    """Anything that bytes can be read from."""

    def read(self, size: int, /) -> bytes: ...


class Utf8Pieces:
    """The pieces of a text as UTF-8, with line feeds at the ends of lines.

    note          a sentence if the encoding was guessed, from the first piece
    n_bytes_read  bytes read so far
    """

    def __init__(self, stream: Readable, size: int, encoding: str | None, name: str) -> None:
        self._stream, self._size, self._name = stream, size, name
        self._first, end = b"", 0
        while not end and len(self._first) < LONGEST_ROW:
            more = stream.read(size)
            self._first += more
            end = whole_lines_end(self._first) if more else len(self._first)
            if not more:
                break
        self.n_bytes_read = len(self._first)
        seen = to_utf8(self._first[:end], encoding, name)
        self.note = seen.note
        self._skip = 0 if seen.encoding != "utf-8" or seen.same else len(codecs.BOM_UTF8)
        self._codec = seen.encoding
        self._ends_in_returns = b"\n" not in seen.data[: 1 << 16] and b"\r" in seen.data[: 1 << 16]

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._decode():
            yield piece.replace(b"\r", b"\n") if self._ends_in_returns else piece

    def _decode(self) -> Iterator[bytes]:
        if self._codec == "utf-8":
            yield self._first[self._skip :]
            yield from self._read_rest()
            return
        decoder = codecs.getincrementaldecoder(self._codec)()
        try:
            begin = decoder.decode(self._first)
            yield begin.removeprefix("\ufeff").encode("utf-8")
            for piece in self._read_rest():
                yield decoder.decode(piece).encode("utf-8")
            yield decoder.decode(b"", final=True).encode("utf-8")
        except UnicodeError:
            raise InputError(f"{self._name} is not {self._codec}; pass another `encoding`.") from None

    def _read_rest(self) -> Iterator[bytes]:
        self._first = b""
        while piece := self._stream.read(self._size):
            self.n_bytes_read += len(piece)
            yield piece


def whole_lines_end(piece: bytes) -> int:
    """The end of the whole lines of a piece, which is never within a character; 0 if it has no whole line.

    >>> whole_lines_end("ab\\nc".encode()), whole_lines_end("ab\\nc".encode("utf-16-le")), whole_lines_end(b"abc")
    (3, 6, 0)
    """
    # No common encoding has the byte of a line feed within a character, except UTF-16 and UTF-32 with their zero bytes.
    feeds = (b"\n\0\0\0", b"\0\0\0\n", b"\n\0", b"\0\n") if b"\0" in piece else (b"\n",)
    for feed in feeds:
        position = piece.rfind(feed)
        while position > 0 and position % len(feed):
            position = piece.rfind(feed, 0, position + len(feed) - 1)
        if position >= 0:
            return position + len(feed)
    return 0
