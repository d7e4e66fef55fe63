"""Read: the rows of an ARFF file.

In: a stream of text. Out: a RawTable.

Numbers become Float64, everything else text. A sparse row has 0, or the first category, where it says nothing. Dates
are read as text and marked as ignored; tables inside a table are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from treewright.data.files.arff.header import DATE, NOMINAL, NUMBER, Attribute, read_header
from treewright.data.files.arff.words import Word, WordError, masked, one_word, split_words, without_comment
from treewright.data.files.declared_cells import category_column, number_column
from treewright.data.files.raw import RawTable
from treewright.data.files.wording import Lines, shown
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl


@dataclass(slots=True)
class _Rows:
    """The cells by column, and the weights, as they are read."""

    columns: list[list[str | None]]
    lines: Lines
    weights: list[str] = field(default_factory=list)


def read_arff(stream: TextIO, name: str) -> RawTable:
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
    lines = Lines(name)
    numbered = ((number, text) for number, line in enumerate(stream, 1) if (text := without_comment(line)))
    attributes = read_header(numbered, lines)
    rows = _Rows([[] for _ in attributes], lines)
    for number, text in numbered:
        try:
            _read_row(text, number, attributes, rows)
        except WordError as error:
            raise InputError(f"{lines.line(number)}: {error}.") from None
    return _table(attributes, rows)


def _read_row(text: str, number: int, attributes: list[Attribute], rows: _Rows) -> None:
    """Add the row that a line holds."""
    weight = "1"
    if text.endswith("}"):
        text, weight = _weighted(text)
    if text.startswith("{"):
        cells = _sparse(text, attributes)
    else:
        words = split_words(text)
        if len(words) != len(attributes):
            raise WordError(f"the row has {len(words)} values for {len(attributes)} columns; correct it")
        cells = [None if word.is_missing else _checked(word) for word in words]
    for column, cell in zip(rows.columns, cells, strict=True):
        column.append(cell)
    rows.weights.append(weight)
    rows.lines.row.append(number)


def _weighted(text: str) -> tuple[str, str]:
    """The row without the weight in braces behind it, and the weight; 1 where there is none."""
    start = masked(text).rfind("{")
    before = text[:start].rstrip()
    if start < 1 or not (before.endswith((",", "}")) or text[start - 1].isspace()):
        return text, "1"
    return before.removesuffix(",").rstrip(), text[start + 1 : -1].strip()


def _checked(word: Word) -> str:
    if not word.text and not word.quoted:
        raise WordError("a value is empty; write ? where it is not known, or '' for an empty text")
    return word.text


def _sparse(text: str, attributes: list[Attribute]) -> list[str | None]:
    """The cells of a sparse row: {index value, index value}, counted from 0."""
    if not text.endswith("}"):
        raise WordError("the sparse row ends in no brace; write {index value, index value}")
    given: dict[int, str | None] = {}
    inside = text[1:-1].strip()
    for part in _parts(inside) if inside else ():
        index, _, value = part.replace("\t", " ", 1).partition(" ") if part[:1] != "'" else (part, "", "")
        if not (index.isascii() and index.isdigit()) or not value.strip():
            raise WordError(
                f"{shown(part)} is no part of a sparse row; write the number of a column and its value"
            )
        place = int(index) if len(index) < 10 else len(attributes)
        if place >= len(attributes):
            raise WordError(
                f"the sparse row names column {index}, but they are numbered 0 to {len(attributes) - 1}"
            )
        if place in given:
            raise WordError(f"the sparse row names column {place} twice; keep one value")
        word = one_word(value.strip())
        given[place] = None if word.is_missing else word.text
    for place, attribute in enumerate(attributes):
        if place not in given:
            if attribute.usual is None and attribute.kind != DATE:
                raise WordError(
                    f"the sparse row leaves out column {shown(attribute.name)}, which has no usual value; write it"
                )
            given[place] = attribute.usual
    return [given[place] for place in range(len(attributes))]


def _parts(inside: str) -> list[str]:
    """What stands between the commas of a sparse row, quotes and all."""
    ends = [found.start() for found in re.finditer(",", masked(inside))]
    starts = [0, *(end + 1 for end in ends)]
    return [inside[start:end].strip() for start, end in zip(starts, [*ends, len(inside)], strict=True)]


def _table(attributes: list[Attribute], rows: _Rows) -> RawTable:
    """The typed columns of the rows."""
    import polars as pl

    columns: list[pl.Series] = []
    for attribute, cells in zip(attributes, rows.columns, strict=True):
        if attribute.kind == NUMBER:
            columns.append(number_column(attribute.name, cells, rows.lines))
        elif attribute.kind == NOMINAL:
            columns.append(category_column(attribute.name, cells, attribute.levels, rows.lines))
        else:
            columns.append(pl.Series(attribute.name, cells, dtype=pl.String))
    weights = None
    if any(weight != "1" for weight in rows.weights):
        weights = number_column("weight", rows.weights, rows.lines).to_numpy()
    return RawTable(
        pl.DataFrame(columns),
        {a.name: a.levels for a in attributes if a.kind == NOMINAL},
        ignored={a.name for a in attributes if a.kind == DATE},
        numeric={a.name for a in attributes if a.kind == NUMBER},
        weights=weights,
        name=rows.lines.file,
    )
