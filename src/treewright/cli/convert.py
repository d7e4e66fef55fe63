"""Convert: a table or a model from one file format to another.

In: a file, and the name of another. Out: the other file, with the kinds and levels of columns that its format can hold.
"""

import sys
from typing import Any

import click

from treewright.cli.convert_tables import format_by_end, open_raw, stdout, write_raw
from treewright.cli.output import GROUP, check_output
from treewright.cli.tables import FORMATS, other_data_options
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb
from treewright.errors import InputError
from treewright.model.grid import counted
from treewright.model.words import printable

KINDS = (*FORMATS, "model")


@verb(
    examples=[
        "treewright convert golf.arff golf.parquet",
        "treewright convert golf.csv golf.names -t play    # golf.names and golf.data",
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
@other_data_options
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
    to = options["to"] or _wanted_format(output)
    if output == "-" and terminal.as_json:
        raise click.UsageError("The file and the JSON document cannot both go to stdout; give OUT a name")
    if output != "-":
        check_output(output, force or to == "names")
    if to == "model" or options["given"] == "model" or format_by_end(source) == "model":
        _convert_model(source, output, to, force)
        terminal.note(printable(f"{source} -> {output}"))
        terminal.give({"written": [output], "format": to})
        return
    table = open_raw(source, {**options, "to": to}, terminal)
    written = write_raw(table, output, to, force=force, safe=options["safe_formulas"])
    n_rows, n_columns = table.frame.shape
    size = f"{n_rows:,} row{'s' * (n_rows != 1)}, {counted(n_columns, 'column')}"
    terminal.note(printable(f"{source} -> {', '.join(written)}: {size}"))
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
    from treewright.model.file.load import named, read_bytes

    if to != "model":
        raise InputError(
            f"{source!r} is a model and no table; give OUT a name in .json, .json.gz or .json.zst."
        )
    if format_by_end(source) not in (None, "model"):
        raise InputError(
            f"{source!r} is a table, and .json is for models; give OUT a name in .jsonl for JSON lines."
        )
    data = sys.stdin.buffer.read() if source == "-" else read_bytes(source)
    with named("standard input" if source == "-" else source):
        load_bytes(data)
    plain = unsqueezed(data, 1 << 31)
    if output == "-":
        stdout().write(plain)
    else:
        write_bytes(read_path(output), squeezed(output, plain), overwrite=force)
