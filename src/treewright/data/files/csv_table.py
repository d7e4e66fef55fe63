"""CSV, TSV and similar text as a table of strings, read in parallel by polars.

In: the bytes of a source and the options of the user. Out: a `CsvTable`: names, a lazy frame of strings, and the line
of each row. The delimiter, the decimal mark and the header are detected from the first rows. Text that polars would
read differently (blank lines, quotes in odd places) is first rewritten by the careful reader of `csv_rows`.
"""

import mmap
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from treewright.data.files.cell_parsing import MISSING_MARKERS, is_number
from treewright.data.files.column_names import columns_named, read_names_row, refuse_many_columns
from treewright.data.files.csv_rows import CsvRows, first_rows, rewrite_csv, wrong_width
from treewright.data.files.csv_structure import scan_structure
from treewright.data.files.encoding import Utf8Text, to_utf8
from treewright.data.files.error_text import row_number, short_reason
from treewright.data.files.source import HEAD, Source
from treewright.data.files.translatable import Translatable
from treewright.errors import InputError, ParameterError
from treewright.language import N_

if TYPE_CHECKING:
    import polars as pl

BYTES_AT_ONCE = 1 << 24
"""Bytes that are read at once: enough for all threads, and small compared with the resulting columns."""

LONGEST_FIRST_LINE = 1 << 24
"""Bytes of the first line, at most; a later row may be longer."""

DELIMITERS = ("\t", ";", "|", ",")
"""If several fit equally well, the first of these is chosen: a comma also occurs in numbers and in sentences."""

_COMMA_NUMBER = re.compile(r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}\Z", re.ASCII)
_POINT_NUMBER = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class TextOptions:
    """What the user says about a text; None is detected.

    header is True (the first line has the names), False (it is a row), or the names themselves.
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    missing: Sequence[str] | None = None
    header: bool | Sequence[str] | None = None

    def __post_init__(self) -> None:
        mark = self.delimiter
        if mark is not None and (len(mark) != 1 or not mark.isascii() or mark in '"\r\n\0'):
            raise ParameterError(f"`delimiter` must be one character, such as ',' or ';', got {mark!r}.")
        if self.decimal not in (None, ".", ","):
            raise ParameterError(f"`decimal` must be '.' or ',', got {self.decimal!r}.")
        if self.decimal is not None and self.decimal == self.delimiter:
            raise ParameterError(f"`delimiter` and `decimal` must differ, got {self.decimal!r} for both.")

    def for_format(self, format: str) -> "TextOptions":  # noqa: A002 (the same word as in `read`)
        """The options for this format: the default delimiter of TSV is a tab."""
        return replace(self, delimiter="\t") if format == "tsv" and self.delimiter is None else self


@dataclass(frozen=True, slots=True, eq=False)
class _CsvBytes:
    """The rows after the names: their bytes from `begin` on, and some positions where a row ends."""

    data: bytes | mmap.mmap
    delimiter: str
    begin: int
    row_ends: list[int]

    @property
    def end(self) -> int:
        return self.row_ends[-1] if self.row_ends else self.begin

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Ranges of whole rows, each of about `BYTES_AT_ONCE` bytes."""
        begin = self.begin
        for row_end in self.row_ends:
            if row_end - begin >= BYTES_AT_ONCE or (row_end == self.end and row_end > begin):
                yield begin, row_end
                begin = row_end


@dataclass(frozen=True, slots=True, eq=False)
class CsvTable:
    """A text as a table of strings.

    rows       the bytes of the rows, in a form that polars reads correctly
    n_rows     number of rows, without the names
    sample     the first rows, without the spaces around cells
    missing    missing-value markers, besides the empty cell
    data       the bytes of the whole text
    has_names  whether the first row of the text has the names
    simple     whether every row is one line
    """

    name: str
    names: tuple[str, ...]
    rows: _CsvBytes
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
        """All rows as columns of strings; cells keep spaces and missing-value markers."""
        return self._scan(self.rows.begin, self.rows.end)

    def frames(self, columns: Sequence[str]) -> Iterator["pl.DataFrame"]:
        """The rows of some columns in the same form, some megabytes at a time."""
        import polars as pl

        for begin, end in self.rows.blocks():
            try:
                yield self._scan(begin, end).select(columns_named(columns)).collect()
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
                raise InputError(
                    f"{self.name} cannot be read: {short_reason(error)}; check its quotes."
                ) from None

    def _scan(self, begin: int, end: int) -> "pl.LazyFrame":
        import polars as pl

        if begin >= end:
            return pl.LazyFrame(schema=dict.fromkeys(self.names, pl.String))
        return pl.scan_csv(
            bytes(self.rows.data[begin:end]),
            has_header=False,
            separator=self.rows.delimiter,
            infer_schema=False,
            new_columns=list(self.names),
        )

    def where(self, row: int) -> str:
        """The line of a row, as error messages name it."""
        position = row + self.has_names
        if self.simple:
            return Translatable(N_("line {line}"), line=position + 1)
        reader = CsvRows(self.data, self.delimiter)
        for i, _ in enumerate(reader):
            if i == position:
                return Translatable(N_("line {line}"), line=reader.line)
        return row_number(row)


def open_csv(source: Source, options: TextOptions) -> CsvTable:
    """Open a text for reading; a row with too few or too many cells is an error that names its line."""
    name = repr(source.name)
    text = to_utf8(source.data, options.encoding, name)
    if b"\n" not in text.data[:HEAD] and b"\r" in text.data[:HEAD]:  # line ends of old Macintoshes
        text = Utf8Text(bytes(text.data).replace(b"\r", b"\n"), False, text.encoding, text.note)
    delimiter, decimal, sample = _detect_dialect(source, text, options, name)
    seen = scan_structure(np.frombuffer(text.data, dtype=np.uint8), ord(delimiter))
    if seen.nul_line is not None:
        raise InputError(
            f"{name} has a NUL byte in line {seen.nul_line}, so it is not text; pass its encoding or format, or "
            "another file."
        )
    if seen.width != len(sample[0]):  # the careful reader finds another row, so the scan is wrong
        seen.odd_quotes = True
    if seen.ragged is not None and not seen.odd_quotes:
        raise wrong_width(name, seen.width, *seen.ragged)
    has_names = _has_names(sample[0], options.header, decimal, name)
    names, note = read_names_row(sample[0] if has_names else options.header, len(sample[0]), name)
    if seen.odd_quotes or seen.has_blank:
        data, n_rows = rewrite_csv(text.data, delimiter, len(names), has_names, name)
        rows = _CsvBytes(data, ",", 0, scan_structure(np.frombuffer(data, dtype=np.uint8), ord(",")).row_ends)
    else:
        n_rows = seen.n_rows - has_names
        rows = _CsvBytes(text.data, delimiter, seen.begin if has_names else 0, seen.row_ends)
    return CsvTable(
        name=name,
        names=names,
        rows=rows,
        n_rows=n_rows,
        sample=sample[has_names:],
        decimal=decimal,
        missing=MISSING_MARKERS if options.missing is None else tuple(options.missing),
        delimiter=delimiter,
        notes=tuple(filter(None, (text.note, note))),
        data=text.data,
        has_names=has_names,
        simple=not seen.odd_quotes and not seen.has_blank and seen.n_rows == seen.n_lines,
    )


class _Dialect(NamedTuple):
    """The delimiter and the decimal mark of a text, and its first rows."""

    delimiter: str
    decimal: str
    sample: list[list[str]]


def _detect_dialect(source: Source, text: Utf8Text, options: TextOptions, name: str) -> _Dialect:
    """The dialect that the user passed, or that the text has."""
    head = bytes(text.data[:HEAD])
    if len(text.data) > HEAD:  # whole lines only, unless a single line is longer
        while b"\n" not in head and len(head) < min(len(text.data), LONGEST_FIRST_LINE + 1):
            head = bytes(text.data[: 4 * len(head)])
        head = head[: head.rfind(b"\n") + 1] or head
    _refuse_long_line(head, options.delimiter, name)
    begin = head.decode("utf-8", errors="replace")
    delimiter = options.delimiter or (
        "\t" if source.extension in (".tsv", ".tab") else sniff_delimiter(begin, options.decimal)
    )
    sample = first_rows(begin, delimiter)
    if not sample:
        raise InputError(f"{name} has no rows; pass a file with rows.")
    decimal = options.decimal or sniff_decimal(sample, delimiter)
    if decimal == delimiter:
        raise ParameterError(
            f"`decimal` must differ from the delimiter of {name}, got {decimal!r} for both; pass `delimiter`."
        )
    return _Dialect(delimiter, decimal, sample)


def _refuse_long_line(head: bytes, delimiter: str | None, name: str) -> None:
    """Raise an error if the first line is too long, or has too many cells, before its cells are read."""
    line = head.lstrip(b"\r\n").split(b"\n", 1)[0]
    if len(line) > LONGEST_FIRST_LINE:
        raise InputError(
            f"The first line of {name} has more than {LONGEST_FIRST_LINE:,} bytes; check that the file is text and has "
            "line ends."
        )
    for mark in (delimiter,) if delimiter else DELIMITERS:
        refuse_many_columns(line.count(mark.encode()) + 1, name)


def sniff_delimiter(text: str, decimal: str | None = None) -> str:
    """The delimiter that splits the first rows into the same number of cells, at least two; a comma if none does.

    The decimal mark, if it is known, is not a delimiter.

    >>> sniff_delimiter('a;b\\n1,5;2,5\\n'), sniff_delimiter('a\\n1\\n')
    (';', ',')
    """
    best, best_fraction = ";" if decimal == "," else ",", 0.0
    for delimiter in DELIMITERS:
        if delimiter not in text or delimiter == decimal:
            continue
        widths = [len(row) for row in first_rows(text, delimiter)]
        width, n_rows = Counter(widths).most_common(1)[0] if widths else (1, 0)
        fraction = n_rows / len(widths) if width > 1 else 0.0
        if fraction > best_fraction:
            best, best_fraction = delimiter, fraction
    return best


def sniff_decimal(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """The decimal mark: a comma only if a cell is such a number and no cell is a number with a point.

    >>> sniff_decimal([["a", "b"], ["1,5", "red"]], ";")
    ','
    """
    if delimiter == ",":
        return "."
    cells = [cell for row in rows for cell in row]
    commas = any(map(_COMMA_NUMBER.match, cells))
    return "," if commas and not any(map(_POINT_NUMBER.match, cells)) else "."


def only_groups_of_three(rows: Sequence[Sequence[str]]) -> bool:
    """Whether every cell of digits and one comma looks like 1,234, so that the comma may separate thousands.

    >>> only_groups_of_three([["1,234", "5"]]), only_groups_of_three([["1,234", "0,5"]])
    (True, False)
    """
    cells = (cell for row in rows for cell in row)
    return all(map(_THOUSANDS.match, filter(_COMMA_NUMBER.match, cells)))


def _has_names(row: Sequence[str], header: Any, decimal: str, name: str) -> bool:
    """Whether the first row has the names; if it contains a number, the user must say so."""
    if header is not None:
        return header is True
    number = find_number(row, decimal)
    if number is not None:
        raise InputError(
            f"The first line of {name} must have the column names, got the number {number!r}",
            advice="pass header=False if it is a row, or header=True if it has the names",
            option="use --no-header if it is a row, or --header if it has the names",
        )
    return True


def find_number(row: Sequence[str], decimal: str) -> str | None:
    """The first cell of a row that is a number; None in a row of names."""
    return next(filter(partial(is_number, decimal=decimal), row), None)
