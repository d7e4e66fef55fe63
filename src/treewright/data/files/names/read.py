"""Read: the table in the files of a stem.

In: a stem, such as golf for golf.names and golf.data. Out: a RawTable.

An attribute that is a number is Float64, every other is text. N/A (C5.0's "not applicable") is a category of its own in
an attribute of categories, and missing in a number. Labels, dates and times are read as text and marked as ignored.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from treewright.data.files.declared_cells import category_column, number_column
from treewright.data.files.encoding import text_of
from treewright.data.files.names.header import (
    CATEGORY,
    DISCRETE,
    NUMBER,
    WEIGHT,
    Attribute,
    Names,
    read_header,
)
from treewright.data.files.names.words import rows
from treewright.data.files.raw import RawTable
from treewright.data.files.source import name_end, open_source, read_place
from treewright.data.files.wording import Lines, shown
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

PARTS = ("data", "test", "cases")
SQUEEZED = ("", ".gz", ".zst", ".bz2", ".xz")
NOT_APPLICABLE = "N/A"


def stem_of(path: str | os.PathLike[str]) -> tuple[str, str]:
    """The stem that a path means, and which rows: those of .data unless the path names others.

    >>> stem_of("tables/golf.names"), stem_of("golf.test.gz"), stem_of("golf")
    (('tables/golf', 'data'), ('golf', 'test'), ('golf', 'data'))
    """
    place = read_place(path)
    plain = next((place.removesuffix(end) for end in SQUEEZED[1:] if place.endswith(end)), place)
    for part in ("names", *PARTS):
        if plain.endswith(f".{part}"):
            return plain.removesuffix(f".{part}"), "data" if part == "names" else part
    return place, "data"


def is_names_file(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a stem, or one of the files of a stem, beside which a .names file stands.

    >>> is_names_file("golf.csv"), is_names_file("-")
    (False, False)
    """
    place = read_place(path)
    named = place != "-" and name_end(place) in ("", ".names", *(f".{part}" for part in PARTS))
    return named and _found(stem_of(place)[0], "names") is not None


def read_names(
    path: str | os.PathLike[str], *, part: str | None = None, encoding: str | None = None
) -> RawTable:
    """Read a table from the files of a stem.

    path      the stem, or one of its files: golf, golf.names, golf.data, golf.test
    part      "data", "test" or "cases": which rows are read; None is the file that the path names, or else "data"
    encoding  that of the text; None is UTF-8, or a guess where it is none

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     stem = Path(folder) / "golf"
    ...     _ = stem.with_suffix(".names").write_text("Play, Don't Play.\\nhumidity: continuous.\\n")
    ...     _ = stem.with_suffix(".data").write_text("85, Don't Play.\\n?, Play.\\n")
    ...     read_names(stem).frame.rows()
    [(85.0, "Don't Play"), (None, 'Play')]
    """
    stem, named = stem_of(path)
    places = [_found(stem, end) for end in ("names", part or named)]
    for end, place in zip(("names", part or named), places, strict=True):
        if place is None:
            raise InputError(
                f"There is no file {f'{stem}.{end}'!r}; C4.5's format has the columns in {Path(stem).name}.names and "
                f"the rows in {Path(stem).name}.data."
            )
    header, data = (_text(str(place), encoding) for place in places)
    names = read_header(header, str(places[0]))
    cells, lines = rows(data, str(places[1]))
    _check_width(cells, names, lines)
    return _table(names, cells, lines)


def _found(stem: str, end: str) -> str | None:
    """The file of a stem, squeezed or not; None where there is none."""
    return next((p for s in SQUEEZED if Path(p := f"{stem}.{end}{s}").is_file()), None)


def _text(place: str, encoding: str | None) -> str:
    with open_source(place) as source:
        return text_of(source.data, encoding, repr(place))


def _check_width(cells: list[list[str | None]], names: Names, lines: Lines) -> None:
    """Refuse rows with too few values or too many; the class may be left out of rows that have none yet."""
    width = len(names.attributes)
    ends_with_target = names.attributes[-1].name == names.target
    for row, found in enumerate(cells):
        if len(found) == width:
            continue
        if len(found) == width - 1 and ends_with_target and ".cases" in Path(lines.file).name:
            found.append(None)
            continue
        raise InputError(
            f"{lines.at(row)}: the row has {len(found)} values, but the names file declares {width} "
            f"({shown(names.attributes[0].name)} to {shown(names.attributes[-1].name)}); correct the one or the other."
        )


def _table(names: Names, cells: list[list[str | None]], lines: Lines) -> RawTable:
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
        else:
            columns.append(pl.Series(attribute.name, column, dtype=pl.String))
    numeric = {a.name for a in names.attributes if a.kind == NUMBER}
    frame = pl.DataFrame(columns)
    weights = None
    if WEIGHT in numeric and names.target != WEIGHT:
        weights = frame[WEIGHT].to_numpy()
        frame = frame.drop(WEIGHT)
    return RawTable(
        frame,
        levels,
        ordered={a.name for a in names.attributes if a.ordered},
        ignored={a.name for a in names.attributes if a.is_ignored and a.name != names.target},
        numeric=numeric - ({WEIGHT} if weights is not None else set()),
        target=names.target,
        weights=weights,
        name=lines.file,
    )


def _levels(attribute: Attribute, column: list[str | None], lines: Lines) -> tuple[str, ...]:
    """The categories of an attribute: those listed, or those met where only their number is declared."""
    met = dict.fromkeys(cell for cell in column if cell is not None)
    if attribute.kind == CATEGORY:
        more = (NOT_APPLICABLE,) if NOT_APPLICABLE in met and NOT_APPLICABLE not in attribute.levels else ()
        return attribute.levels + more
    if len(met) > attribute.most:
        row = column.index(list(met)[attribute.most])
        raise InputError(
            f"{lines.at(row)}: column {shown(attribute.name)} has more than the {attribute.most} categories that are "
            "declared; declare as many as there are."
        )
    return tuple(met)
