"""Text: CSV, TSV and their like become columns of text that polars reads in parallel.

In: the bytes of a source and what the user says about them. Out: a `TextTable`: names, a lazy frame of strings, and the
line in which a row stands. What the fast reader would read in its own way (blank lines, quotes in odd places) is first
written anew by the rules of CSV.
"""

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.files.cell_meaning import MISSING
from treewright.data.files.csv_rows import Rows, first_rows, ragged, straightened
from treewright.data.files.encoding import Utf8, as_utf8
from treewright.data.files.naming import names_of
from treewright.data.files.sniff import number_among, sniff_decimal, sniff_delimiter
from treewright.data.files.source import HEAD, Source
from treewright.data.files.survey import survey
from treewright.data.files.wording import reason_of
from treewright.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

BLOCK = 1 << 24
"""Bytes that are read at once: enough for all threads, little beside the columns that come out."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the user says about a text; None is to be guessed.

    header is True (the first line holds names), False (it holds a row), or the names themselves.
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    missing: Sequence[str] | None = None
    header: bool | Sequence[str] | None = None

    def __post_init__(self) -> None:
        mark = self.delimiter
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0'):
            raise ParameterError(
                f"delimiter={mark!r} divides no cells; give one character, such as ',' or ';'."
            )
        if self.decimal not in (None, ".", ","):
            raise ParameterError(f"decimal={self.decimal!r} is no decimal mark; give '.' or ','.")
        if self.decimal is not None and self.decimal == self.delimiter:
            raise ParameterError(f"delimiter and decimal are both {self.decimal!r}; they must differ.")

    def of(self, format: str) -> "Layout":  # noqa: A002 (the word that a user looks for)
        """The layout of a text in this format: in TSV tabs divide the cells, unless the user says otherwise."""
        return replace(self, delimiter="\t") if format == "tsv" and self.delimiter is None else self


@dataclass(frozen=True, slots=True, eq=False)
class _Plain:
    """Rows behind the names: their bytes from `begin` on, and some places where a row ends."""

    data: bytes | mmap.mmap
    delimiter: str
    begin: int
    cuts: list[int]

    @property
    def end(self) -> int:
        return self.cuts[-1] if self.cuts else self.begin

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Stretches of whole rows, each about so long as is good to read at once."""
        begin = self.begin
        for cut in self.cuts:
            if cut - begin >= BLOCK or (cut == self.end and cut > begin):
                yield begin, cut
                begin = cut


@dataclass(frozen=True, slots=True, eq=False)
class TextTable:
    """A text as a table of strings.

    plain    the rows, written so that a fast reader sees what a careful one sees
    n_rows   rows of data
    sample   the first rows, cells without spaces around them
    missing  the cells that say "not known", besides the empty one
    simple   whether every row is one line
    """

    name: str
    names: tuple[str, ...]
    plain: _Plain
    n_rows: int
    sample: list[list[str]]
    decimal: str
    missing: tuple[str, ...]
    delimiter: str
    notes: tuple[str, ...] = ()
    data: bytes | mmap.mmap = field(default=b"", repr=False)
    has_names: bool = True
    simple: bool = True

    @property
    def lazy(self) -> "pl.LazyFrame":
        """All rows as text columns, cells as they stand, spaces and missing markers too."""
        return self._scanned(self.plain.begin, self.plain.end)

    def frames(self, columns: Sequence[str]) -> Iterator["pl.DataFrame"]:
        """The rows of some columns in the same form, some megabytes at a time."""
        import polars as pl

        for begin, end in self.plain.blocks():
            try:
                yield self._scanned(begin, end).select(columns).collect()
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
                raise InputError(
                    f"{self.name} cannot be read: {reason_of(error)}; check the quotes in it."
                ) from None

    def _scanned(self, begin: int, end: int) -> "pl.LazyFrame":
        import polars as pl

        if begin >= end:
            return pl.LazyFrame(schema=dict.fromkeys(self.names, pl.String))
        return pl.scan_csv(
            bytes(self.plain.data[begin:end]),
            has_header=False,
            separator=self.plain.delimiter,
            infer_schema=False,
            new_columns=list(self.names),
        )

    def where(self, row: int) -> str:
        """Where a row stands, in the words of an error."""
        place = row + self.has_names
        if self.simple:
            return f"line {place + 1}"
        reader = Rows(self.data, self.delimiter)
        for i, _ in enumerate(reader):
            if i == place:
                return f"line {reader.line}"
        return f"row {row}"


def open_text(source: Source, layout: Layout) -> TextTable:
    """Open a text for reading; a row with too few or too many cells is refused with its line."""
    name = repr(source.name)
    text = as_utf8(source.data, layout.encoding, name)
    if b"\n" not in text.data[:HEAD] and b"\r" in text.data[:HEAD]:  # as old Macintoshes wrote
        text = Utf8(bytes(text.data).replace(b"\r", b"\n"), False, text.encoding, text.note)
    delimiter, sample, decimal = _guessed(source, text, layout, name)
    seen = survey(np.frombuffer(text.data, dtype=np.uint8), ord(delimiter))
    if seen.zero is not None:
        raise InputError(
            f"{name} has a NUL byte in line {seen.zero}, so it is no text; give another file, its encoding or format."
        )
    if seen.width != len(sample[0]):  # the careful reader sees another row, so that the fast one is wrong
        seen.odd = True
    if seen.ragged is not None and not seen.odd:
        raise ragged(name, seen.width, *seen.ragged)
    has_names = _has_names(sample[0], layout.header, decimal, name)
    names, note = names_of(sample[0] if has_names else layout.header, len(sample[0]), name)
    plain, n_rows = (
        _Plain(text.data, delimiter, seen.begin if has_names else 0, seen.cuts),
        seen.n_rows - has_names,
    )
    if seen.odd or seen.blank:
        plain, n_rows = _made_plain(text.data, delimiter, len(names), has_names, name)
    return TextTable(
        name=name,
        names=names,
        plain=plain,
        n_rows=n_rows,
        sample=sample[has_names:],
        decimal=decimal,
        missing=MISSING if layout.missing is None else tuple(layout.missing),
        delimiter=delimiter,
        notes=tuple(filter(None, (text.note, note))),
        data=text.data,
        has_names=has_names,
        simple=not seen.odd and not seen.blank and seen.n_rows == seen.n_lines,
    )


def _guessed(source: Source, text: Utf8, layout: Layout, name: str) -> tuple[str, list[list[str]], str]:
    """The delimiter, the first rows and the decimal mark, as the user said or as the text shows."""
    head = bytes(text.data[:HEAD])
    if len(text.data) > HEAD:  # whole lines only, unless one alone is longer than that
        while b"\n" not in head and len(head) < len(text.data):
            head = bytes(text.data[: 4 * len(head)])
        head = head[: head.rfind(b"\n") + 1] or head
    shown = head.decode("utf-8", errors="replace")
    delimiter = layout.delimiter or (
        "\t" if source.end in (".tsv", ".tab") else sniff_delimiter(shown, layout.decimal)
    )
    sample = first_rows(shown, delimiter)
    if not sample:
        raise InputError(f"{name} holds no rows; give a file with a table in it.")
    decimal = layout.decimal or sniff_decimal(sample, delimiter)
    if decimal == delimiter:
        raise ParameterError(
            f"The cells of {name} are divided by {delimiter!r}, so decimal={decimal!r} cannot be; give the delimiter."
        )
    return delimiter, sample, decimal


def _has_names(row: Sequence[str], header: Any, decimal: str, name: str) -> bool:
    """Whether the first row holds names; a number in it leaves that open unless the user says so."""
    if header is not None:
        return header is True
    number = number_among(row, decimal)
    if number is not None:
        raise InputError(
            f"The first line of {name} holds the number {number!r}, where names of columns are expected; give "
            "header=False (on the command line --no-header) if it is a row, or header=True (--header) if it is a name."
        )
    return True


def _made_plain(
    data: bytes | mmap.mmap, delimiter: str, width: int, has_names: bool, name: str
) -> tuple[_Plain, int]:
    """The rows behind the names written anew, and how many there are."""
    rows, n_rows = straightened(data, delimiter, width, has_names, name)
    return _Plain(rows, ",", 0, survey(np.frombuffer(rows, dtype=np.uint8), ord(",")).cuts), n_rows
