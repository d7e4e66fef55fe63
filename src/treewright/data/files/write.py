"""Write: a table becomes a file of one of the usual formats, wholly or not at all.

In: a polars DataFrame and a path. Out: the file; .gz and .zst at the end of a name squeeze what is text.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from treewright.data.files.format import ENDS
from treewright.data.files.source import name_end
from treewright.disk.squeeze import squeezed
from treewright.disk.write import writing
from treewright.errors import InputError, one_of

if TYPE_CHECKING:
    import polars as pl

TABLES = ("csv", "tsv", "parquet", "arrow", "jsonl")
"""The formats that polars writes; ARFF and C4.5's files are written by their own modules."""


def format_by_name(path: str | Path) -> str | None:
    """The format that the end of a name means, without .gz or .zst; None where it means none of these.

    >>> format_by_name("out.CSV.gz"), format_by_name("out.feather"), format_by_name("out.arff")
    ('csv', 'arrow', None)
    """
    found = ENDS.get(name_end(str(path)))
    return found if found in TABLES else None


def write_table(
    frame: pl.DataFrame,
    path: str | Path,
    format: str | None = None,  # noqa: A002 (the word that a user looks for)
    *,
    overwrite: bool = False,
) -> None:
    """Write a table.

    format     "csv", "tsv", "parquet", "arrow" or "jsonl"; None is by the end of the name
    overwrite  whether a file that is there already is replaced

    >>> import polars
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_table(polars.DataFrame({"a": [1, 2]}), Path(folder) / "a.csv")
    ...     (Path(folder) / "a.csv").read_text()
    'a\\n1\\n2\\n'
    """
    path = Path(path)
    chosen = format_by_name(path) if format is None else one_of("format", format, TABLES)
    if chosen is None:
        raise InputError(
            f"The name {path.name!r} does not say in which format the table is to be written; end it in .csv, .tsv, "
            ".parquet, .arrow or .jsonl, or name the format."
        )
    with writing(path, overwrite=overwrite) as file:
        if path.suffix.lower() in (".gz", ".zst"):
            plain = io.BytesIO()
            put_table(frame, plain, chosen)
            file.write(squeezed(path.name, plain.getvalue()))
        else:
            put_table(frame, file, chosen)


def put_table(frame: pl.DataFrame, file: BinaryIO, kind: str) -> None:
    """Write a table into an open file."""
    if kind == "csv":
        frame.write_csv(file)
    elif kind == "tsv":
        frame.write_csv(file, separator="\t")
    elif kind == "parquet":
        frame.write_parquet(file)
    elif kind == "arrow":
        frame.write_ipc(file)
    else:
        frame.write_ndjson(file)
