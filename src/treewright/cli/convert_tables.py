"""ConvertTables: a table from a file of any format, and into one.

In: the path of a table and the options of `convert`. Out: a RawTable; or the file of another format.
"""

import io
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from treewright.cli.tables import reading
from treewright.cli.terminal import Terminal
from treewright.errors import InputError
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.data.files.raw import RawTable

DECLARED = ("categorical", "numeric", "ordered", "ignore", "weights")
"""Options about columns; a file that declares its columns needs none of them."""


def format_by_end(path: str) -> str | None:
    """The format that the end of a name means: one of a table, or "model"; None where it means none.

    >>> format_by_end("golf.arff.gz"), format_by_end("model.json.zst"), format_by_end("golf")
    ('arff', 'model', None)
    """
    from treewright.data.files.format import ENDS
    from treewright.data.files.source import name_end

    ends = {**ENDS, ".json": "model", ".names": "names", ".data": "names", ".test": "names"}
    return ends.get(name_end(path))


def open_raw(source: str, options: dict[str, Any], terminal: Terminal) -> "RawTable":
    """The table in a file, with what is declared of its columns."""
    from treewright.data.files.arff import read_arff
    from treewright.data.files.encoding import text_of
    from treewright.data.files.format import format_of
    from treewright.data.files.names import is_names_file, read_names
    from treewright.data.files.source import open_source

    kind, target = options["given"], options["target"]
    if kind is None and source == "-":
        raise InputError("Say in which format the table on standard input is, such as --from csv.")
    if kind is None and format_by_end(source) in (None, "names") and is_names_file(source):
        kind = "names"
    if kind == "names":
        return _aimed(read_names(source, encoding=options["encoding"]), target, options)
    if kind in (None, "arff"):
        with open_source(source) as opened:
            if format_of(opened, kind) == "arff":
                text = text_of(opened.data, options["encoding"], repr(opened.name))
                return _aimed(read_arff(io.StringIO(text), opened.name), target, options)
    return _guessed(source, options, terminal)


def _aimed(table: "RawTable", target: str | None, options: dict[str, Any]) -> "RawTable":
    """A declared table with the target that the user names; what else is said of its columns is refused."""
    from dataclasses import replace

    from treewright.data.files.naming import known_columns

    for name in DECLARED:
        if options[name]:
            raise InputError(
                f"{table.name!r} declares its columns itself; leave out --{name}, which is for CSV."
            )
    if target is None:
        return table
    known_columns("--target", target, table.frame.columns)
    return replace(table, target=target)


def _guessed(source: str, options: dict[str, Any], terminal: Terminal) -> "RawTable":
    """A table whose kinds are guessed or said; all its rows stay, with a target or without."""
    import polars as pl

    from treewright.data.files.cell_text import levels_met
    from treewright.data.files.naming import known_columns
    from treewright.data.files.raw import RawTable
    from treewright.data.files.read import read

    data = read(source, **reading({**options, "format": options["given"]}))
    for note in data.notes:
        terminal.note(f"note: {printable(note)}")
    parts = [part for part in data.parts if part.series is not None and part.kind != "weight"]
    frame = pl.DataFrame([part.series for part in parts])
    levels = {
        column.name: levels_met(column)  # Weka grows trees on listed categories, and none on strings
        for column in frame.get_columns()
        if isinstance(column.dtype, pl.Enum) or (options["to"] == "arff" and not column.dtype.is_numeric())
    }
    if options["target"] is not None:
        known_columns("--target", options["target"], frame.columns)
    return RawTable(
        frame,
        levels,
        ordered={part.name for part in parts if part.kind == "ordered"},
        numeric={part.name for part in parts if part.kind == "number"},
        target=options["target"],
        weights=data.sample_weight,
        name=source,
    )


def write_raw(table: "RawTable", output: str, to: str | None, *, force: bool, safe: bool) -> list[str]:
    """Write a table in a format; the files that were written."""
    from treewright.data.files.arff import arff_text, write_arff
    from treewright.data.files.formulas import safe_formulas
    from treewright.data.files.names import stem_of, write_names
    from treewright.data.files.write import put_table, write_table

    if to == "names":
        stem = stem_of(output)[0]
        write_names(stem, table, overwrite=force)
        return [f"{stem}.names", f"{stem}.data"]
    if to == "arff":
        if output == "-":
            stdout().write(arff_text(table).encode("utf-8"))
        else:
            write_arff(output, table, overwrite=force)
        return [output]
    frame = plain_frame(table, str(to))
    if safe and to in ("csv", "tsv"):
        frame = safe_formulas(frame)
    if output == "-":
        put_table(frame, stdout(), str(to))
    else:
        write_table(frame, output, to, overwrite=force)
    return [output]


def plain_frame(table: "RawTable", to: str) -> Any:
    """The table as a frame: whole numbers as such, levels as a type where the format keeps it, weights as a column."""
    import polars as pl

    from treewright.data.files.kinds import are_whole

    frame = table.frame
    numbers = [column for column in frame.get_columns() if column.dtype == pl.Float64]
    whole = [column.name for column in numbers if are_whole(column)]
    frame = frame.with_columns(pl.col(whole).cast(pl.Int64))
    if to in ("parquet", "arrow"):
        declared = {name: pl.Enum(levels) for name, levels in table.levels.items() if name in frame.columns}
        frame = frame.with_columns([pl.col(name).cast(kind) for name, kind in declared.items()])
    else:
        frame = frame.with_columns(
            pl.col(n).cast(pl.String) for n, t in frame.schema.items() if isinstance(t, pl.Enum)
        )
    if table.weights is not None:
        name = "weight"
        while name in frame.columns:
            name += "_"
        frame = frame.with_columns(pl.Series(name, table.weights))
    return frame


def stdout() -> BinaryIO:
    """Where bytes go that are given to a pipe."""
    return sys.stdout.buffer
