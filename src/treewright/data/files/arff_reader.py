"""The reader of ARFF, Weka's file format.

In: a stream of text. Out: a `DeclaredTable`.

Numbers become Float64, dates Datetime, all other values text. A sparse row has 0, or the first category, for omitted
columns. Dates in an unknown form are text and marked as ignored; nested tables are an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from treewright.data.files.declared_table import (
    DeclaredTable,
    LineNumbers,
    category_column,
    date_column,
    number_column,
)
from treewright.data.files.error_text import quote_value
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

_QUOTED = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
# Up to the closing quote or the end of the line, so that an unclosed quote does not make matching quadratic.
_OPEN = re.compile(r"""'(?:\\.?|[^'\\])*(?:'|\Z)|"(?:\\.?|[^"\\])*(?:"|\Z)""", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_PLAIN = re.compile(r"[^\s,{}%'\"\\?\x00-\x1f\x7f][^\s,{}%'\"\\\x00-\x1f\x7f]*")
_WRITTEN = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "%": "\\%"}
_SPECIAL = re.compile(r"[\\'\n\r\t%\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ArffWord:
    """A word, and whether it was quoted: a quoted question mark is not a missing value."""

    text: str
    quoted: bool = False

    @property
    def is_missing(self) -> bool:
        return self.text == "?" and not self.quoted


_MISSING = ArffWord("?")


class WordError(ValueError):
    """What is wrong with a line, without the file and the line number."""


def without_comment(line: str) -> str:
    """The line without spaces at its ends and without a comment, which begins with a percent sign outside quotes.

    >>> without_comment(" 1, '5%' % five"), without_comment("% nothing")
    ("1, '5%'", '')
    """
    line = line.strip()
    if "%" not in line:
        return line
    at = 0
    while at < len(line):
        if line[at] == "%":
            return line[:at].rstrip()
        found = _OPEN.match(line, at)
        at = found.end() if found else at + 1
    return line


def split_words(text: str) -> list[ArffWord]:
    """The words between commas; in a line without commas outside quotes, between tabs, or else between spaces.

    >>> [word.text for word in split_words("sunny, 'so so' ,\\"it's\\", a b")]
    ['sunny', 'so so', "it's", 'a b']
    >>> [word.text for word in split_words("1 2\\t3")], [word.text for word in split_words("1 2 3")]
    (['1 2', '3'], ['1', '2', '3'])
    """
    if "'" not in text and '"' not in text:
        mark = "," if "," in text else "\t" if "\t" in text else None
        return [_MISSING if (part := cell.strip()) == "?" else ArffWord(part) for cell in text.split(mark)]
    bare = masked(text)
    mark = next((m for m in ",\t " if m in bare), ",")
    words, start = [], 0
    for end in [i for i, letter in enumerate(bare) if letter == mark] + [len(bare)]:
        if mark != " " or text[start:end].strip():
            words.append(one_word(text[start:end].strip()))
        start = end + 1
    return words


def masked(text: str) -> str:
    """The text with quoted characters replaced by underscores, so that separators outside quotes can be found.

    >>> masked("a, 'b, c'")
    'a, ______'
    """
    return _OPEN.sub(lambda found: "_" * len(found[0]), text) if "'" in text or '"' in text else text


def one_word(text: str) -> ArffWord:
    """A word that may be quoted.

    >>> one_word("'it\\\\'s'").text, one_word("plain").quoted
    ("it's", False)
    """
    if text[:1] not in ("'", '"'):
        return ArffWord(text)
    found = _QUOTED.match(text)
    if found is None:
        raise WordError(f"the quote that begins with {text[:20]!r} is never closed; close it")
    if found.end() < len(text):
        raise WordError(f"unexpected {text[found.end() :][:20]!r} after a closing quote; put a comma between them")
    return ArffWord(_ESCAPE.sub(_unescape, found[0][1:-1]), quoted=True)


def _unescape(found: re.Match[str]) -> str:
    """The character that an escape means."""
    escape = found[1]
    if escape[0] == "u" and len(escape) == 5:
        return chr(int(escape[1:], 16))
    if escape[0] in "01234567":
        return chr(int(escape, 8))
    return _LETTERS.get(escape, escape)


def quote_arff_word(text: str) -> str:
    """The word as it is written in a file, quoted if necessary.

    >>> print(*map(quote_arff_word, ("sunny", "so so", "it's", "?", "")))
    sunny 'so so' 'it\\'s' '?' ''
    """
    if _PLAIN.fullmatch(text):
        return text
    return "'" + _SPECIAL.sub(_escaped, text) + "'"


def _escaped(found: re.Match[str]) -> str:
    return _WRITTEN.get(found[0]) or f"\\u{ord(found[0]):04x}"


NUMBER, NOMINAL, TEXT, DATE = "number", "nominal", "string", "date"
_TYPES = {"numeric": NUMBER, "real": NUMBER, "integer": NUMBER, "string": TEXT, "date": DATE}
_KEYWORD = re.compile(r"@\s*(\w+)\s*", re.ASCII)
_NAME = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s{]+""")


@dataclass(frozen=True, slots=True)
class Attribute:
    """One declared column: its name, its type, and its categories if it is nominal."""

    name: str
    kind: str
    levels: tuple[str, ...] = ()

    @property
    def default(self) -> str | None:
        """The value in a sparse row that omits the column; None if there is no default."""
        if self.kind == NUMBER:
            return "0"
        return self.levels[0] if self.levels else None


def read_arff_header(numbered: Iterator[tuple[int, str]], lines: LineNumbers) -> list[Attribute]:
    """The declared columns; afterwards the first row is the next line."""
    attributes: list[Attribute] = []
    names: set[str] = set()
    for number, text in numbered:
        found = _KEYWORD.match(text)
        keyword = found[1].lower() if found else ""
        if found is None or keyword not in ("relation", "attribute", "data"):
            raise InputError(
                f"{lines.line(number)}: unexpected {quote_value(text)} before @data; an ARFF file begins with "
                "@relation, then has a line @attribute for each column."
            )
        if keyword == "data":
            if not attributes:
                raise InputError(
                    f"{lines.line(number)}: no column is declared before @data; add @attribute lines."
                )
            return attributes
        if keyword == "attribute":
            try:
                attribute = _attribute(text[found.end() :])
            except WordError as error:
                raise InputError(f"{lines.line(number)}: {error}.") from None
            if attribute.name in names:
                raise InputError(
                    f"{lines.line(number)}: column {quote_value(attribute.name)} is repeated; rename one."
                )
            attributes.append(attribute)
            names.add(attribute.name)
    raise InputError(f"{lines.file!r} has no line @data; add it before the rows.")


def _attribute(text: str) -> Attribute:
    """The column that a line declares; `text` is the line after the keyword."""
    found = _NAME.match(text)
    if found is None:
        raise WordError("the column has no name; write @attribute, its name and its type")
    name, rest = one_word(found[0]).text, text[found.end() :].strip()
    if rest.startswith("{"):
        inside, brace, after = rest[1:].rpartition("}")
        if not brace or after.strip() or _is_split(inside):
            raise WordError(
                f"the categories of column {quote_value(name)} must be in braces, such as {{a, b, c}}"
            )
        levels = [word.text for word in split_words(inside.strip())] if inside.strip() else []
        seen: set[str] = set()
        for level in levels:
            if level in seen:
                raise WordError(
                    f"column {quote_value(name)} lists the category {quote_value(level)} twice; keep one of them"
                )
            seen.add(level)
        return Attribute(name, NOMINAL, tuple(levels))
    word, _, after = rest.partition(" ") if " " in rest else rest.partition("\t")
    if word.lower() == "relational":
        raise WordError(
            f"column {quote_value(name)} contains tables (relational), which are not supported; remove it"
        )
    if word.lower() not in _TYPES:
        known = "numeric, real, integer, string, date or {categories}"
        raise WordError(f"column {quote_value(name)} has the unknown type {quote_value(word)}; use {known}")
    if after.strip() and word.lower() != "date":
        raise WordError(
            f"unexpected {quote_value(after.strip())} after the type of column {quote_value(name)}; remove it"
        )
    return Attribute(name, _TYPES[word.lower()])


def _is_split(inside: str) -> bool:
    """Whether there is a brace among the categories, outside quotes."""
    bare = masked(inside)
    return "{" in bare or "}" in bare


@dataclass(slots=True)
class _Rows:
    """The cells by column, and the weights, as they are read."""

    columns: list[list[str | None]]
    lines: LineNumbers
    weights: list[str] = field(default_factory=list)


def read_arff(stream: TextIO, name: str) -> DeclaredTable:
    """Read a table in the ARFF format.

    stream  its text
    name    what messages call the file

    >>> from io import StringIO
    >>> text = '''@relation golf
    ... @attribute outlook {sunny, 'so so'}
    ... @attribute humidity numeric
    ... @data
    ... 'so so', 85
    ... {1 ?}, {2.5}
    ... '''
    >>> table = read_arff(StringIO(text), "golf.arff")
    >>> table.frame.rows(), table.weights.tolist()
    ([('so so', 85.0), ('sunny', None)], [1.0, 2.5])
    """
    lines = LineNumbers(name)
    numbered = ((number, text) for number, line in enumerate(stream, 1) if (text := without_comment(line)))
    attributes = read_arff_header(numbered, lines)
    rows = _Rows([[] for _ in attributes], lines)
    for number, text in numbered:
        try:
            _read_row(text, number, attributes, rows)
        except WordError as error:
            raise InputError(f"{lines.line(number)}: {error}.") from None
    return _build_table(attributes, rows)


def _read_row(text: str, number: int, attributes: list[Attribute], rows: _Rows) -> None:
    """Add the row that a line holds."""
    weight = "1"
    if text.endswith("}"):
        text, weight = _split_weight(text)
    if text.startswith("{"):
        cells = _read_sparse(text, attributes)
    else:
        words = split_words(text)
        if len(words) != len(attributes):
            raise WordError(f"expected {len(attributes)} values, got {len(words)}; correct the row")
        cells = [None if word.is_missing else _refuse_empty(word) for word in words]
    for column, cell in zip(rows.columns, cells, strict=True):
        column.append(cell)
    rows.weights.append(weight)
    rows.lines.row.append(number)


def _split_weight(text: str) -> tuple[str, str]:
    """The row without the weight in braces at its end, and the weight; 1 if there is none."""
    start = masked(text).rfind("{")
    before = text[:start].rstrip()
    if start < 1 or not (before.endswith((",", "}")) or text[start - 1].isspace()):
        return text, "1"
    return before.removesuffix(",").rstrip(), text[start + 1 : -1].strip()


def _refuse_empty(word: ArffWord) -> str:
    if not word.text and not word.quoted:
        raise WordError("a value is empty; write ? for a missing value, or '' for an empty text")
    return word.text


def _read_sparse(text: str, attributes: list[Attribute]) -> list[str | None]:
    """The cells of a sparse row: {index value, index value}, counted from 0."""
    if not text.endswith("}"):
        raise WordError("the sparse row must end in a brace, as in {index value, index value}")
    given: dict[int, str | None] = {}
    inside = text[1:-1].strip()
    for part in _split_sparse(inside) if inside else ():
        index, _, value = part.replace("\t", " ", 1).partition(" ") if part[:1] != "'" else (part, "", "")
        if not (index.isascii() and index.isdigit()) or not value.strip():
            raise WordError(
                f"expected the number of a column and its value in a sparse row, got {quote_value(part)}"
            )
        place = int(index) if len(index) < 10 else len(attributes)
        if place >= len(attributes):
            raise WordError(
                f"the sparse row must have column numbers from 0 to {len(attributes) - 1}, got {index}"
            )
        if place in given:
            raise WordError(f"the sparse row has column {place} twice; remove one value")
        word = one_word(value.strip())
        given[place] = None if word.is_missing else word.text
    for place, attribute in enumerate(attributes):
        if place not in given:
            if attribute.default is None and attribute.kind != DATE:
                raise WordError(
                    f"the sparse row omits column {quote_value(attribute.name)}, which has no default; write its value"
                )
            given[place] = attribute.default
    return [given[place] for place in range(len(attributes))]


def _split_sparse(inside: str) -> list[str]:
    """The texts between the commas of a sparse row, with their quotes."""
    ends = [found.start() for found in re.finditer(",", masked(inside))]
    starts = [0, *(end + 1 for end in ends)]
    return [inside[start:end].strip() for start, end in zip(starts, [*ends, len(inside)], strict=True)]


def _build_table(attributes: list[Attribute], rows: _Rows) -> DeclaredTable:
    """The typed columns of the rows."""
    import polars as pl

    columns: list[pl.Series] = []
    for attribute, cells in zip(attributes, rows.columns, strict=True):
        if attribute.kind == NUMBER:
            columns.append(number_column(attribute.name, cells, rows.lines))
        elif attribute.kind == NOMINAL:
            columns.append(category_column(attribute.name, cells, attribute.levels, rows.lines))
        elif attribute.kind == DATE:
            columns.append(date_column(attribute.name, cells))
        else:
            columns.append(pl.Series(attribute.name, cells, dtype=pl.String))
    weights = None
    if any(weight != "1" for weight in rows.weights):
        weights = number_column("weight", rows.weights, rows.lines).to_numpy()
    return DeclaredTable(
        pl.DataFrame(columns),
        {a.name: a.levels for a in attributes if a.kind == NOMINAL},
        ignored={
            a.name
            for a, column in zip(attributes, columns, strict=True)
            if a.kind == DATE and column.dtype == pl.String
        },
        numeric={a.name for a in attributes if a.kind == NUMBER},
        weights=weights,
        name=rows.lines.file,
    )
