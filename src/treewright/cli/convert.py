"""Convert: a table or a model from one file format to another.

In: a file, and the name of another. Out: the other file, with the kinds and levels of columns that its format can hold.
"""

import sys
from pathlib import Path
from typing import Any

import click

from treewright.cli.convert_tables import format_by_end, open_raw, stdout, write_raw
from treewright.cli.output import GROUP
from treewright.cli.tables import FORMATS, READING
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb
from treewright.errors import InputError

KINDS = (*FORMATS, "model")


def _reading(*names: str, **settings: Any) -> Any:
    return option(*names, group=READING, **settings)


@verb(
    examples=[
        "treewright convert golf.arff golf.parquet",
        "treewright convert golf.csv golf.names --target play     golf.names and golf.data",
        "treewright convert answers.parquet answers.csv --safe-formulas",
        "treewright convert model.json model.json.zst",
    ]
)
@click.argument("source", metavar="IN", type=click.Path())
@click.argument("output", metavar="OUT", type=click.Path())
@option(
    "--from",
    "given",
    type=click.Choice(KINDS),
    help="The format of IN, where its name and content do not say it.",
)
@option("--to", type=click.Choice(KINDS), help="The format of OUT, where its name does not say it.")
@option("-t", "--target", metavar="COLUMN", help="The target, which .names files need and ARFF has last.")
@_reading("--delimiter", metavar="CHARACTER", help="What parts the fields of a line.")
@_reading("--encoding", metavar="NAME", help="The encoding of the text, such as gb18030.")
@_reading("--decimal", metavar="CHARACTER", help="The decimal mark of numbers: . or ,")
@_reading("--missing-marker", metavar="TEXT", multiple=True, help="What stands for a missing value.")
@_reading("--no-header", is_flag=True, help="The first line is a row, not the names.")
@_reading("--categorical", metavar="COLUMNS", multiple=True, help="Columns that are categories.")
@_reading("--numeric", metavar="COLUMNS", multiple=True, help="Columns that are numbers.")
@_reading(
    "--ordered", metavar="COLUMN=LOW<…<HIGH", multiple=True, help="A column whose categories have an order."
)
@_reading("--ignore", metavar="COLUMNS", multiple=True, help="Columns that are left out.")
@_reading("--weights", metavar="COLUMN", help="The column with the weights of the rows.")
@option(
    "--safe-formulas",
    is_flag=True,
    group=GROUP,
    help="In CSV and TSV, put ' before text that begins with = + - @, a tab or a carriage return, so that no "
    "spreadsheet runs it.",
)
@option("--force", is_flag=True, group=GROUP, help="Replace a file that is there already.")
def command(terminal: Terminal, source: str, output: str, force: bool, **options: Any) -> None:
    """Convert a table or a model from one file format to another.

    The formats are those of tables (CSV, TSV, Parquet, Arrow, JSON lines, ARFF, C4.5's .names and .data) and that of
    models (.json, compressed as .json.gz or .json.zst). IN may be - for stdin, and OUT - for stdout.
    """
    from treewright.disk.write import read_path, refuse_existing

    to = options["to"] or _wanted_format(output)
    if not force and output != "-" and to != "names":
        refuse_existing(read_path(output))
    if to == "model" or options["given"] == "model" or format_by_end(source) == "model":
        _convert_model(source, output, to, force)
        terminal.note(f"{source} -> {output}")
        return
    table = open_raw(source, {**options, "to": to}, terminal)
    written = write_raw(table, output, to, force=force, safe=options["safe_formulas"])
    n_rows, n_columns = table.frame.shape
    terminal.note(f"{source} -> {', '.join(written)}: {n_rows:,} rows, {n_columns} columns")
    terminal.give({"written": written, "format": to, "rows": n_rows, "columns": table.frame.columns})


def _wanted_format(path: str) -> str:
    """The format that the end of a name means, refused where it means none."""
    found = format_by_end(path)
    if found is None:
        raise InputError(
            f"The name {path!r} does not say which format is wanted; end it in .csv, .tsv, .parquet, .arrow, .jsonl, "
            ".arff, .names or .json, or give --to."
        )
    return found


def _convert_model(source: str, output: str, to: str | None, force: bool) -> None:
    """The bytes of a model file in another squeezing; a file that is no model is refused."""
    from treewright.disk.squeeze import squeezed, unsqueezed
    from treewright.disk.write import read_path, write_bytes
    from treewright.loading import load_bytes

    if to != "model":
        raise InputError(
            f"{source!r} is a model and no table; give OUT a name in .json, .json.gz or .json.zst."
        )
    data = sys.stdin.buffer.read() if source == "-" else _bytes(source)
    load_bytes(data)
    plain = unsqueezed(data, 1 << 31)
    if output == "-":
        stdout().write(plain)
    else:
        write_bytes(read_path(output), squeezed(output, plain), overwrite=force)


def _bytes(source: str) -> bytes:
    from treewright.data.files.source import read_place

    return Path(read_place(source)).read_bytes()
