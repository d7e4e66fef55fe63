"""`treewright convert`: a table or a model in another file format.

Kinds and levels of columns are kept if the output format has them.
"""

import io
import sys
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import OUTPUT, check_output, option, shown_text, subcommand
from treewright.cli.input_tables import FORMATS, other_data_options, reader_options
from treewright.cli.terminal import Terminal, binary_stdout
from treewright.errors import InputError
from treewright.model.formatting import printable
from treewright.text_table import pluralize

if TYPE_CHECKING:
    from treewright.data.files.declared_table import DeclaredTable

KINDS = (*FORMATS, "model")


@subcommand(
    examples=[
        "treewright convert golf.arff golf.parquet",
        "treewright convert golf.csv golf.names -t play    # golf.names and golf.data",
        "treewright convert predictions.parquet predictions.csv --safe-formulas",
        "treewright convert model.json model.json.zst",
    ]
)
@click.argument("source", metavar="IN", type=click.Path())
@click.argument("output", metavar="OUT", type=click.Path())
@option(
    "--from",
    "given",
    type=click.Choice(KINDS),
    help="Format of IN; detected by default.",
)
@option("--to", type=click.Choice(KINDS), help="Format of OUT; by default from its name.")
@option("-t", "--target", metavar="COLUMN", help="Target column; required for .names, written last in ARFF.")
@other_data_options
@option(
    "--safe-formulas",
    is_flag=True,
    group=OUTPUT,
    help="In CSV and TSV, put ' before text that begins with = + - @, a tab or a carriage return, so that no "
    "spreadsheet runs it.",
)
@option("--force", is_flag=True, group=OUTPUT, help="Overwrite an existing file.")
def command(terminal: Terminal, source: str, output: str, force: bool, **options: Any) -> None:
    """Convert a table or a model to another file format.

    Tables: CSV, TSV, Parquet, Arrow, JSON Lines, ARFF, and .names and .data of C4.5. Models: .json, .json.gz and
    .json.zst. IN may be - for stdin, and OUT may be - for stdout.
    """
    to = options["to"] or _wanted_format(output)
    if output == "-" and terminal.as_json:
        raise click.UsageError("--json and OUT cannot both use stdout; use a file name for OUT")
    if output != "-":
        check_output(output, force or to == "names")
    if to == "model" or options["given"] == "model" or format_by_end(source) == "model":
        _convert_model(source, output, to, force)
        terminal.status(printable(f"{source} -> {output}"))
        terminal.print_json({"written": [output], "format": to})
        return
    table = open_raw(source, {**options, "to": to}, terminal)
    written = write_raw(table, output, to, force=force, safe=options["safe_formulas"])
    n_rows, n_columns = table.frame.shape
    size = f"{n_rows:,} row{'s' * (n_rows != 1)}, {pluralize(n_columns, 'column')}"
    terminal.status(printable(f"{source} -> {', '.join(written)}: {size}"))
    terminal.print_json({"written": written, "format": to, "rows": n_rows, "columns": table.frame.columns})


def _wanted_format(path: str) -> str:
    """Return the format of a file name; an error if it has none."""
    found = format_by_end(path)
    if found is None:
        raise InputError(
            f"Unknown format of {path!r}; use a name that ends in .csv, .tsv, .parquet, .arrow, .jsonl, .arff, "
            ".names or .json, or use --to."
        )
    return found


def _convert_model(source: str, output: str, to: str | None, force: bool) -> None:
    """Write a model file compressed as the name of the output says."""
    from treewright.disk.atomic_write import check_output_path, write_bytes
    from treewright.disk.compression import compress, decompress
    from treewright.loading import load_bytes
    from treewright.model.file.model_file import naming_file, read_bytes

    if to != "model":
        raise InputError(f"{source!r} is a model, not a table; OUT must end in .json, .json.gz or .json.zst.")
    if format_by_end(source) not in (None, "model"):
        raise InputError(f"{source!r} is a table, but .json is for models; use .jsonl for JSON Lines.")
    data = sys.stdin.buffer.read() if source == "-" else read_bytes(source)
    with naming_file("standard input" if source == "-" else source):
        load_bytes(data)
    plain = decompress(data, 1 << 31)
    if output == "-":
        binary_stdout("json").write(plain)
    else:
        write_bytes(check_output_path(output), compress(output, plain), overwrite=force)


DECLARED = ("categorical", "numeric", "ordered", "ignore", "weights")
"""Options about columns; a file that declares its columns takes none of them."""


def format_by_end(path: str) -> str | None:
    """Return the format of a file name: that of a table, or "model"; None if it is unknown.

    >>> format_by_end("golf.arff.gz"), format_by_end("model.json.zst"), format_by_end("golf")
    ('arff', 'model', None)
    """
    from treewright.data.files.source import EXTENSIONS, file_extension

    ends = {**EXTENSIONS, ".json": "model", ".names": "names", ".data": "names", ".test": "names"}
    return ends.get(file_extension(path))


def open_raw(source: str, options: dict[str, Any], terminal: Terminal) -> "DeclaredTable":
    """Read a table of any format, with the declared kinds of its columns."""
    from treewright.data.files.arff_reader import read_arff
    from treewright.data.files.encoding import decode_text
    from treewright.data.files.names_reader import is_names_file, read_names
    from treewright.data.files.source import detect_format, open_source

    kind, target = options["given"], options["target"]
    if kind is None and source == "-":
        raise InputError("--from is required for a table from stdin, such as --from csv.")
    if kind is None and format_by_end(source) in (None, "names") and is_names_file(source):
        kind = "names"
    if kind == "names":
        return _with_target(read_names(source, encoding=options["encoding"]), target, options)
    if kind in (None, "arff"):
        with open_source(source) as opened:
            if detect_format(opened, kind) == "arff":
                text = decode_text(opened.data, options["encoding"], repr(opened.name))
                return _with_target(read_arff(io.StringIO(text), opened.name), target, options)
    return _read_undeclared(source, options, terminal)


def _with_target(table: "DeclaredTable", target: str | None, options: dict[str, Any]) -> "DeclaredTable":
    """Return a declared table with the given target; other options about its columns are an error."""
    from dataclasses import replace

    from treewright.data.files.column_names import known_columns

    for name in DECLARED:
        if options[name]:
            raise InputError(
                f"--{name} cannot be used with {table.name!r}, which declares its columns; leave it out."
            )
    if target is None:
        return table
    known_columns("target", target, table.frame.columns)
    return replace(table, target=target)


def _read_undeclared(source: str, options: dict[str, Any], terminal: Terminal) -> "DeclaredTable":
    """Read a table whose kinds are guessed or given; all rows are kept."""
    import polars as pl

    from treewright.data.files.column_names import known_columns
    from treewright.data.files.declared_table import DeclaredTable
    from treewright.data.files.table_reader import read
    from treewright.data.files.table_writer import observed_levels

    data = read(source, **reader_options({**options, "format": options["given"]}))
    for note in data.notes:
        terminal.note(printable(shown_text(note, "en")))
    parts = [part for part in data.read_columns if part.series is not None and part.kind != "weight"]
    frame = pl.DataFrame([part.series for part in parts])
    if options["to"] not in ("parquet", "arrow"):
        frame = frame.with_columns(pl.col(n).cast(pl.String) for n, t in frame.schema.items() if t.is_temporal())
    levels = {
        column.name: observed_levels(column)  # Weka grows trees on listed categories, not on strings
        for column in frame.get_columns()
        if isinstance(column.dtype, pl.Enum) or (options["to"] == "arff" and not column.dtype.is_numeric())
    }
    if options["target"] is not None:
        known_columns("target", options["target"], frame.columns)
    return DeclaredTable(
        frame,
        levels,
        ordered={part.name for part in parts if part.kind == "ordered"},
        numeric={part.name for part in parts if part.kind == "number"},
        target=options["target"],
        weights=data.sample_weight,
        name=source,
    )


def write_raw(table: "DeclaredTable", output: str, to: str | None, *, force: bool, safe: bool) -> list[str]:
    """Write a table in a format, and return the files that were written."""
    from treewright.data.files.names_reader import stem_of
    from treewright.data.files.table_writer import (
        arff_text,
        safe_formulas,
        write_arff,
        write_frame,
        write_names,
        write_table,
    )

    if to == "names":
        stem = stem_of(output)[0]
        write_names(stem, table, overwrite=force)
        return [f"{stem}.names", f"{stem}.data"]
    if to == "arff":
        if output == "-":
            binary_stdout("arff").write(arff_text(table).encode("utf-8"))
        else:
            write_arff(output, table, overwrite=force)
        return [output]
    frame = plain_frame(table, str(to))
    if safe and to in ("csv", "tsv"):
        frame = safe_formulas(frame)
    if output == "-":
        write_frame(frame, binary_stdout(str(to)), str(to))
    else:
        write_table(frame, output, to, overwrite=force)
    return [output]


def plain_frame(table: "DeclaredTable", to: str) -> Any:
    """Return the table as a frame: whole numbers as integers, levels as Enum if possible, weights as a column."""
    import polars as pl

    from treewright.data.files.column_kinds import are_whole
    from treewright.data.files.column_names import columns_named

    frame = table.frame
    numbers = [column for column in frame.get_columns() if column.dtype == pl.Float64]
    whole = [column.name for column in numbers if are_whole(column)]
    frame = frame.with_columns(columns_named(whole).cast(pl.Int64))
    if to in ("parquet", "arrow"):
        declared = {name: pl.Enum(levels) for name, levels in table.levels.items() if name in frame.columns}
        frame = frame.with_columns([columns_named(name).cast(kind) for name, kind in declared.items()])
    else:
        frame = frame.with_columns(
            columns_named(n).cast(pl.String) for n, t in frame.schema.items() if isinstance(t, pl.Enum)
        )
    if table.weights is not None:
        name = "weight"
        while name in frame.columns:
            name += "_"
        frame = frame.with_columns(pl.Series(name, table.weights))
    return frame
