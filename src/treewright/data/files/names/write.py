"""Write: a table as the files of C4.5 and C5.0.

In: a RawTable with a target. Out: the text of a .names and of a .data file, or the files.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treewright.data.files.cell_text import cell_texts, levels_met
from treewright.data.files.names.header import WEIGHT
from treewright.data.files.names.words import written
from treewright.disk.write import refuse_existing, write_bytes
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from treewright.data.files.raw import RawTable

_KEYWORDS = ("continuous", "ignore", "label", "date", "time", "timestamp", "discrete ", "[ordered]")


def write_names(
    stem: str | Path, table: RawTable, *, test: RawTable | None = None, overwrite: bool = False
) -> None:
    """Write stem.names and stem.data, and stem.test where other rows of the same columns are given.

    The classes stand first and the target last, as C4.5 wants it; a target that is a number is named instead, as in
    C5.0. Weights become C5.0's attribute "case weight".

    >>> import polars
    >>> from tempfile import TemporaryDirectory
    >>> from treewright.data.files.raw import RawTable
    >>> table = RawTable(polars.DataFrame({"play": ["no", "yes"], "humidity": [85.0, None]}), target="play")
    >>> with TemporaryDirectory() as folder:
    ...     write_names(Path(folder) / "golf", table)
    ...     print((Path(folder) / "golf.names").read_text(), (Path(folder) / "golf.data").read_text())
    no, yes.
    <BLANKLINE>
    humidity: continuous.
     85, no
    ?, yes
    <BLANKLINE>
    """
    texts = {"names": names_text(table), "data": data_text(table)}
    if test is not None:
        texts["test"] = data_text(test)
    paths = {Path(f"{stem}.{end}"): text for end, text in texts.items()}
    if not overwrite:  # all are refused before one is written
        for path in paths:
            refuse_existing(path)
    for path, text in paths.items():
        write_bytes(path, text.encode("utf-8"), overwrite=overwrite)


def names_text(table: RawTable) -> str:
    """The .names file of a table."""
    target = _target(table)
    kinds = {column.name: _kind(column, table) for column in _columns(table)}
    if target in table.numeric or table.frame[target].dtype.is_numeric():
        first = written(target, "The name of the target")
    else:
        first = ", ".join(
            written(level, f"A class of {target!r}") for level in _levels(table.frame[target], table)
        )
        del kinds[target]
        if first in kinds:
            raise InputError(f"The only class {first!r} is the name of a column as well; rename one of them.")
    names = [f"{written(name, 'The name of a column')}: {kind}." for name, kind in kinds.items()]
    return "\n".join([f"{first}.", "", *names, ""])


def data_text(table: RawTable) -> str:
    """The .data file of a table."""
    columns = [_cells(column) for column in _columns(table)]
    return "".join(f"{', '.join(row)}\n" for row in zip(*columns, strict=True))


def _target(table: RawTable) -> str:
    if table.target is None or table.target not in table.frame.columns:
        raise InputError(
            "C4.5's files need a target, which this table does not name; say which column it is."
        )
    return table.target


def _columns(table: RawTable) -> list[pl.Series]:
    """The columns in the order of the file: the target last, the weights before it."""
    import polars as pl

    target = _target(table)
    found = [column for column in table.frame.get_columns() if column.name != target]
    if table.weights is not None:
        if WEIGHT in table.frame.columns:
            raise InputError(f"A column is called {WEIGHT!r}, which C5.0 reads as the weights; rename it.")
        found.append(pl.Series(WEIGHT, table.weights))
    return [*found, table.frame[target]]


def _levels(column: pl.Series, table: RawTable) -> tuple[str, ...]:
    """The declared categories, or those met, in order of appearance."""
    return table.levels.get(column.name) or levels_met(column)


def _kind(column: pl.Series, table: RawTable) -> str:
    """What stands behind the colon of a column."""
    if column.name in table.ignored:
        return "ignore"
    if column.dtype.is_numeric():
        return "continuous"
    levels = _levels(column, table)
    if not levels:  # nothing is known of it
        return "ignore"
    start = "[ordered] " if column.name in table.ordered else ""
    alike = levels[0].casefold().startswith(_KEYWORDS if len(levels) == 1 else "[ordered]")
    if alike and not start:  # a list that would be read as something else
        return f"discrete {len(levels)}"
    return start + ", ".join(written(level, f"A category of column {column.name!r}") for level in levels)


def _cells(column: pl.Series) -> list[str]:
    """The values of a column as the file holds them."""
    return cell_texts(column, lambda word: written(word, f"A value of column {column.name!r}"))
