"""The reader of C4.5's and C5.0's files: stem.names declares the columns, stem.data has the rows.

In: a stem, such as golf for golf.names and golf.data. Out: a `DeclaredTable`.

Continuous attributes are Float64, all others are text. N/A (C5.0's "not applicable") is a category of its own in a
discrete attribute, and missing in a continuous one. Dates and times become Datetime and Time. Labels, and dates in an
unknown form, are text and marked as ignored.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.data.files.declared_table import (
    DeclaredTable,
    LineNumbers,
    category_column,
    date_column,
    number_column,
)
from treewright.data.files.encoding import decode_text
from treewright.data.files.error_text import quote_value
from treewright.data.files.names_tokens import Entry, split_entries, split_rows
from treewright.data.files.source import file_extension, input_path, open_source
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

NUMBER, CATEGORY, DISCRETE, IGNORED, DATED = "continuous", "list", "discrete", "ignore", "date"
WEIGHT = "case weight"
"""C5.0's name of the attribute of row weights."""

_KINDS = {
    "continuous": NUMBER,
    "ignore": IGNORED,
    "label": IGNORED,
    "date": DATED,
    "time": DATED,
    "timestamp": DATED,
}
_DISCRETE = re.compile(r"discrete (\d+)", re.IGNORECASE)
_ORDERED = re.compile(r"\[ordered\] ?", re.IGNORECASE)
_INCLUSION = {"attributes included": True, "attributes excluded": False}


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: its name, its kind, its categories, and their maximum number if they are not listed."""

    name: str
    kind: str
    line: int
    levels: tuple[str, ...] = ()
    ordered: bool = False
    most: int = 0


@dataclass(frozen=True, slots=True)
class Names:
    """The declarations of a .names file: the columns of the data in order, including the target."""

    attributes: tuple[Attribute, ...]
    target: str


def read_names_header(text: str, file: str) -> Names:
    """The attributes and the target of a .names file.

    The first entry lists the classes, which are the last column of the data; or it is the name of an attribute, the
    target.

    >>> read_names_header("yes, no.\\nage: continuous", "people.names").attributes[1].levels
    ('yes', 'no')
    >>> read_names_header("age.\\nsex: f, m\\nage: continuous", "people.names").target
    'age'
    """
    found = list(split_entries(text, file))
    if not found:
        raise InputError(
            f"{file!r} is empty; expected an entry with the classes, then an entry for each attribute."
        )
    first, *rest = found
    attributes = [_attribute(entry, file) for entry in rest if (entry.head or "").casefold() not in _INCLUSION]
    names = _distinct([a.name for a in attributes], [a.line for a in attributes], "attribute", file)
    if first.head is not None:
        raise InputError(
            f"{LineNumbers(file).line(first.line)}: the first entry must list the classes or name the target, got a "
            "colon (thresholds that turn a number into classes are not supported)."
        )
    if len(first.words) == 1 and first.words[0] in names:
        target = first.words[0]
    else:
        _distinct(first.words, [first.line] * len(first.words), "class", file)
        target = _free_name(names)
        attributes.append(Attribute(target, CATEGORY, first.line, tuple(first.words)))
    for entry in rest:
        if (entry.head or "").casefold() in _INCLUSION:
            attributes = _include_or_exclude(attributes, entry, target, file)
    return Names(tuple(attributes), target)


def _free_name(names: set[str]) -> str:
    """A name for the column of the classes, because the file has none."""
    name = "class"
    while name in names:
        name += "_"
    return name


def _attribute(entry: Entry, file: str) -> Attribute:
    """The attribute that an entry declares."""
    if entry.head is None:
        raise InputError(
            f"{LineNumbers(file).line(entry.line)}: expected an attribute, got {quote_value(', '.join(entry.words))}; "
            "write its name, a colon, and 'continuous', 'ignore', 'discrete N' or its categories."
        )
    name, words, line = entry.head, entry.words, entry.line
    if len(words) == 1:
        kind = _KINDS.get(words[0].casefold())
        if kind is not None:
            return Attribute(name, kind, line)
        found = _DISCRETE.fullmatch(words[0])
        if found is not None:
            return Attribute(name, DISCRETE, line, most=int(found[1]))
    is_ordered = _ORDERED.match(words[0])
    if is_ordered:
        words = [words[0][is_ordered.end() :], *words[1:]]
        if not words[0]:
            raise InputError(
                f"{LineNumbers(file).line(line)}: expected categories after [ordered]; list them, low to high."
            )
    _distinct(words, [line] * len(words), f"category of {name!r}", file)
    return Attribute(name, CATEGORY, line, tuple(words), ordered=bool(is_ordered))


def _distinct(words: list[str], lines: list[int], what: str, file: str) -> set[str]:
    """The words as a set; an error if one of them is repeated."""
    seen: set[str] = set()
    for word, line in zip(words, lines, strict=True):
        if word in seen:
            raise InputError(
                f"{LineNumbers(file).line(line)}: the {what} {quote_value(word)} is repeated; remove one of them."
            )
        seen.add(word)
    return seen


def _include_or_exclude(attributes: list[Attribute], entry: Entry, target: str, file: str) -> list[Attribute]:
    """The attributes after an entry that includes or excludes some of them."""
    known = {attribute.name for attribute in attributes}
    for word in entry.words:
        if word not in known:
            raise InputError(
                f"{LineNumbers(file).line(entry.line)}: unknown attribute {quote_value(word)}; correct the name."
            )
    included = _INCLUSION[(entry.head or "").casefold()]
    return [
        a if a.name in (target, WEIGHT) or (a.name in entry.words) == included else replace(a, kind=IGNORED)
        for a in attributes
    ]


PARTS = ("data", "test", "cases")
COMPRESSED = ("", ".gz", ".zst", ".bz2", ".xz")
NOT_APPLICABLE = "N/A"


def stem_of(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The stem of a path, and the part that it names: "data" unless the path has another extension.

    >>> stem_of("tables/golf.names"), stem_of("golf.test.gz"), stem_of("golf")
    (('tables/golf', 'data'), ('golf', 'test'), ('golf', 'data'))
    """
    place = input_path(path)
    plain = next((place.removesuffix(end) for end in COMPRESSED[1:] if place.endswith(end)), place)
    for part in ("names", *PARTS):
        if plain.endswith(f".{part}"):
            return plain.removesuffix(f".{part}"), "data" if part == "names" else part
    return place, "data"


def is_names_file(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a stem, or a file of a stem, that has a .names file.

    >>> is_names_file("golf.csv"), is_names_file("-")
    (False, False)
    """
    place = input_path(path)
    named = place != "-" and file_extension(place) in ("", ".names", *(f".{part}" for part in PARTS))
    return named and _find_file(stem_of(place)[0], "names") is not None


def read_names(
    path: str | os.PathLike[str], *, part: str | None = None, encoding: str | None = None
) -> DeclaredTable:
    """Read a table from the files of a stem.

    path      the stem, or one of its files: golf, golf.names, golf.data, golf.test
    part      "data", "test" or "cases": which rows are read; None is the file that the path names, or else "data"
    encoding  that of the text; None detects it

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     stem = Path(folder) / "golf"
    ...     _ = stem.with_suffix(".names").write_text("Play, Don't Play.\\nhumidity: continuous.\\n")
    ...     _ = stem.with_suffix(".data").write_text("85, Don't Play.\\n?, Play.\\n")
    ...     read_names(stem).frame.rows()
    [(85.0, "Don't Play"), (None, 'Play')]
    """
    stem, named = stem_of(path)
    places = [_find_file(stem, end) for end in ("names", part or named)]
    for end, place in zip(("names", part or named), places, strict=True):
        if place is None:
            raise InputError(
                f"File not found: {f'{stem}.{end}'!r}; C4.5's format needs {Path(stem).name}.names with the columns "
                f"and {Path(stem).name}.data with the rows."
            )
    header, data = (_read_text(str(place), encoding) for place in places)
    names = read_names_header(header, str(places[0]))
    cells, lines = split_rows(data, str(places[1]))
    _check_width(cells, names, lines)
    return _build_table(names, cells, lines)


def _find_file(stem: str, end: str) -> str | None:
    """The file of a stem, compressed or not; None if there is none."""
    return next((p for s in COMPRESSED if Path(p := f"{stem}.{end}{s}").is_file()), None)


def _read_text(place: str, encoding: str | None) -> str:
    with open_source(place) as source:
        return decode_text(source.data, encoding, repr(place))


def _check_width(cells: list[list[str | None]], names: Names, lines: LineNumbers) -> None:
    """Raise an error for rows with too few or too many values; the rows of .cases may lack the class."""
    width = len(names.attributes)
    ends_with_target = names.attributes[-1].name == names.target
    for row, found in enumerate(cells):
        if len(found) == width:
            continue
        if len(found) == width - 1 and ends_with_target and ".cases" in Path(lines.file).name:
            found.append(None)
            continue
        raise InputError(
            f"{lines.at(row)}: expected {width} values, as the .names file declares "
            f"({quote_value(names.attributes[0].name)} to {quote_value(names.attributes[-1].name)}), got {len(found)}; "
            "correct the row or the .names file."
        )


def _build_table(names: Names, cells: list[list[str | None]], lines: LineNumbers) -> DeclaredTable:
    """The typed columns of the rows."""
    import polars as pl

    columns: list[pl.Series] = []
    levels: dict[str, tuple[str, ...]] = {}
    for i, attribute in enumerate(names.attributes):
        column = [row[i] for row in cells]
        if attribute.kind == NUMBER:
            known = [None if cell == NOT_APPLICABLE else cell for cell in column]
            columns.append(number_column(attribute.name, known, lines))
        elif attribute.kind in (CATEGORY, DISCRETE):
            is_target = attribute.name == names.target
            levels[attribute.name] = (
                attribute.levels if is_target and attribute.levels else _levels(attribute, column, lines)
            )
            columns.append(category_column(attribute.name, column, levels[attribute.name], lines))
        elif attribute.kind == DATED and attribute.name != names.target:
            columns.append(date_column(attribute.name, column))
        else:
            columns.append(pl.Series(attribute.name, column, dtype=pl.String))
    unused = {
        a.name
        for a, column in zip(names.attributes, columns, strict=True)
        if a.kind == IGNORED or (a.kind == DATED and column.dtype == pl.String)
    }
    numeric = {a.name for a in names.attributes if a.kind == NUMBER}
    frame = pl.DataFrame(columns)
    weights = None
    if WEIGHT in numeric and names.target != WEIGHT:
        weights = frame[WEIGHT].to_numpy()
        frame = frame.drop(WEIGHT)
    return DeclaredTable(
        frame,
        levels,
        ordered={a.name for a in names.attributes if a.ordered},
        ignored=unused - {names.target},
        numeric=numeric - ({WEIGHT} if weights is not None else set()),
        target=names.target,
        weights=weights,
        name=lines.file,
    )


def _levels(attribute: Attribute, column: list[str | None], lines: LineNumbers) -> tuple[str, ...]:
    """The categories of an attribute: the listed ones, or those that occur if only their number is declared."""
    met = dict.fromkeys(cell for cell in column if cell is not None)
    if attribute.kind == CATEGORY:
        more = (NOT_APPLICABLE,) if NOT_APPLICABLE in met and NOT_APPLICABLE not in attribute.levels else ()
        return attribute.levels + more
    if len(met) > attribute.most:
        row = column.index(list(met)[attribute.most])
        raise InputError(
            f"{lines.at(row)}: column {quote_value(attribute.name)} has more than the {attribute.most} declared "
            "categories; declare more."
        )
    return tuple(met)
