"""Write: a table in Weka's format.

In: a RawTable. Out: the text, or the file: one that Weka, liac-arff and scipy read too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treewright.data.files.arff.words import written
from treewright.data.files.cell_text import cell_texts, levels_met, number_text
from treewright.disk.squeeze import squeezed
from treewright.disk.write import write_bytes
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl

    from treewright.data.files.raw import RawTable


def write_arff(path: str | Path, table: RawTable, *, overwrite: bool = False) -> None:
    """Write a table as ARFF, smaller where the name ends in .gz or .zst; see `arff_text`."""
    path = Path(path)
    text = arff_text(table, path.stem.removesuffix(".arff") or "table")
    write_bytes(path, squeezed(path.name, text.encode("utf-8")), overwrite=overwrite)


def arff_text(table: RawTable, relation: str = "table") -> str:
    """The table as ARFF: numbers, declared categories, and text where no categories are declared.

    The target, where one is named, is moved to the end, where Weka looks for it.

    >>> import polars
    >>> from treewright.data.files.raw import RawTable
    >>> frame = polars.DataFrame({"outlook": ["sunny", "so so"], "humidity": [85.0, None]})
    >>> print(arff_text(RawTable(frame, levels={"outlook": ("sunny", "so so")}), "golf"), end="")
    @relation golf
    <BLANKLINE>
    @attribute outlook {sunny,'so so'}
    @attribute humidity numeric
    <BLANKLINE>
    @data
    sunny,85
    'so so',?
    """
    columns = table.frame.get_columns()
    columns.sort(key=lambda column: column.name == table.target)
    head = [f"@attribute {_name(column.name)} {_type(column, table)}" for column in columns]
    cells = [cell_texts(column, written) for column in columns]
    rows = [",".join(row) for row in zip(*cells, strict=True)]
    if table.weights is not None:
        rows = [
            f"{row},{{{number_text(w, 'weight')}}}"
            for row, w in zip(rows, table.weights.tolist(), strict=True)
        ]
    return "\n".join([f"@relation {_name(relation)}", "", *head, "", "@data", *rows, ""])


def _name(name: str) -> str:
    if not name:
        raise InputError("A column has no name, which ARFF does not allow; give it one.")
    return written(name)


def _type(column: pl.Series, table: RawTable) -> str:
    """The declared type of a column."""
    if column.dtype.is_numeric():
        return "numeric"
    levels = table.levels.get(column.name)
    if levels is None and column.name == table.target:  # Weka's classifiers want its classes
        levels = levels_met(column)
    return "string" if levels is None else "{" + ",".join(written(level) for level in levels) + "}"
