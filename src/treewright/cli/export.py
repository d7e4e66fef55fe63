"""`treewright export`: a model as text, SQL, code, PMML, DOT, JSON and other formats."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from treewright.cli.command import check_output, option, output_option, subcommand, write_output
from treewright.cli.input_tables import open_table, rows_options
from treewright.cli.models import model_argument, open_model, tree_in
from treewright.cli.rules import open_rules
from treewright.cli.terminal import Terminal, escape_json
from treewright.errors import InputError

SQL_DIALECTS = ("sqlite", "duckdb", "postgres", "spark", "bigquery", "snowflake", "sqlserver", "mysql")


@dataclass(frozen=True, slots=True)
class Source:
    """Input of an exporter: the model, its tree (None for rules), its path, and the options of the command."""

    model: Any
    tree: Any
    path: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """An export format: its description, the function that writes it, and whether it needs a tree."""

    description: str
    write: Callable[[Source], str]
    of_tree: bool = True


def _svg(source: Source) -> str:
    from treewright.plot.svg import to_svg

    return to_svg(source.tree)


def _dot(source: Source) -> str:
    from treewright.export.dot import to_dot

    return to_dot(source.tree)


def _json(source: Source) -> str:
    from treewright.model.file.stored_tree import tree_bytes

    return tree_bytes(source.tree).decode("utf-8")


def _page(source: Source) -> str:
    if not hasattr(source.model, "to_html"):
        raise InputError(
            f"{source.path!r} contains only a tree; a page needs a model saved by `treewright fit`."
        )
    return str(source.model.to_html())


def _rules(shape: str) -> Callable[[Source], str]:
    def write(source: Source) -> str:
        rules = open_rules(source.model, source.path)
        return rules.to_json(2) if shape == "json" else str(getattr(rules, f"to_{shape}")())

    return write


def _program(target: str, *options: str) -> Callable[[Source], str]:
    """A format for other programs, which is executed before it is written; `options`: those that it takes."""

    def write(source: Source) -> str:
        from treewright.export.exported import export

        given = source.options
        chosen = {name: given[name] for name in options}
        return export(source.model, target, given["check"], _check_rows(source), **chosen)

    return write


def _check_rows(source: Source) -> Any:
    """The encoded rows of --data; None if it is not given."""
    path = source.options["data"]
    if path is None:
        return None
    from treewright.cli.predictor import make_predictor

    return make_predictor(source.model).reader.table(open_table(source.tree.schema, path, source.options))


FORMATS = {
    "json": Format("only the tree, as a model file", _json),
    "text": Format("the tree as text", lambda source: str(source.tree.to_text())),
    "sql": Format("a SELECT statement that predicts", _program("sql", "dialect", "table")),
    "pmml": Format("PMML 4.4", _program("pmml")),
    "python": Format("a Python function", _program("python")),
    "javascript": Format("a JavaScript function", _program("javascript")),
    "c": Format("a C function", _program("c")),
    "sas": Format("a SAS data step", _program("sas")),
    "dot": Format("Graphviz", _dot),
    "svg": Format("a picture", _svg),
    "html": Format("an interactive page without rows", _page),
    "rules": Format("the rules of the leaves as text", _rules("text"), of_tree=False),
    "rules-json": Format("rules as JSON", _rules("json"), of_tree=False),
    "rules-markdown": Format("rules as a Markdown table", _rules("markdown"), of_tree=False),
    "rules-html": Format("rules as an HTML table", _rules("html"), of_tree=False),
}
"""The formats by name, in the order of the help page. A new format is one line here."""

_LISTED = "; ".join(f"{name}: {one.description}" for name, one in FORMATS.items())


@subcommand(
    examples=[
        "treewright export golf.json --to text",
        "treewright export golf.json --to dot -o golf.dot",
        "treewright export golf.json --to sql --dialect sqlite --table days",
        "treewright export golf.json --to rules-json",
    ]
)
@model_argument
@option(
    "--to",
    "name",
    type=click.Choice(list(FORMATS)),
    metavar="FORMAT",
    required=True,
    help=f"Output format. {_LISTED}.",
)
@option(
    "--dialect",
    type=click.Choice(SQL_DIALECTS),
    metavar="NAME",
    default="duckdb",
    help=f"Database of --to sql: {', '.join(SQL_DIALECTS)} [duckdb].",
)
@option("--table", default="data", metavar="NAME", help="Table of --to sql [data].")
@option("--no-check", "check", is_flag=True, default=True, flag_value=False, help="Do not execute SQL, PMML and code.")
@output_option
@rows_options("Rows for which SQL, PMML and code are executed, too, and compared with the model.", weights=False)
def command(
    terminal: Terminal, model: str, name: str, output: str | None, force: bool, **options: Any
) -> None:
    """Export a model as text, SQL, code, PMML, DOT, JSON and other formats.

    SQL, PMML and code are executed for rows that try every decision of the tree, if that is possible on this machine,
    and compared with the model. Writes to stdout unless -o is given. With --json the output is one JSON document that
    contains the text.
    """
    path = check_output(output, force)
    found, wanted = open_model(model), FORMATS[name]
    tree = tree_in(found)
    if tree is None and wanted.of_tree:
        raise InputError(
            f"{model!r} contains only rules; --to {name} needs a tree. Use the model the rules come from."
        )
    text = wanted.write(Source(found, tree, model, options))
    text = text if text.endswith("\n") else text + "\n"
    if path is not None:
        write_output(path, text, force)
        terminal.note(f"written to {path.name!r}.")
    shown = {"output": str(path)} if path is not None else {"text": text}
    terminal.print_json({"format": name, **shown})
    if path is None:
        plain = text.removesuffix("\n")
        terminal.print(escape_json(plain) if sys.stdout.isatty() and name.endswith("json") else plain)
