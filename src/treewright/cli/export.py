"""`treewright export`: a model as text, SQL, code, PMML, ONNX, DOT, JSON and other formats.

Formats for other programs are executed for rows that try every decision, and for those of `--check`, before anything is
written. `--list` prints what each of them can express.
"""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from treewright.cli.command import FileName, check_output, option, output_option, subcommand, write_output
from treewright.cli.input_tables import open_table, rows_options
from treewright.cli.models import open_model, schema_of, tree_in
from treewright.cli.rules import open_rules
from treewright.cli.terminal import Terminal, escape_json, escape_lines
from treewright.errors import InputError

SQL_DIALECTS = ("sqlite", "duckdb", "postgres", "spark", "bigquery", "snowflake", "sqlserver", "mysql", "mariadb")


@dataclass(frozen=True, slots=True)
class Source:
    """Input of an exporter: the model, its tree (None for rules), its path, and the options of the command."""

    model: Any
    tree: Any
    path: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """An export format.

    description  what it is, in a few words
    write        writes a model in it
    of_tree      whether it needs a tree, not rules
    is_text      whether it can be printed
    target       the key of its target, if it is executed before it is written
    """

    description: str
    write: Callable[[Source], str | bytes]
    of_tree: bool = True
    is_text: bool = True
    target: str = ""


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


def _program(target: str, description: str, of_rules: bool = False) -> Format:
    """A format for other programs; `of_rules`: a tree is written as its rules."""

    def write(source: Source) -> str | bytes:
        from treewright.export.exported import export

        given = source.options
        chosen = {name: given[name] for name in SQL_OPTIONS} if target == "sql" else {}
        model = open_rules(source.model, source.path) if of_rules else source.model
        written = export(model, target, given["check"], _check_rows(source), **chosen)
        return written if isinstance(written, str) else bytes(written.SerializeToString())

    name, is_tree = f"rules as {description}" if of_rules else description, target in ("pmml", "onnx")
    return Format(name, write, of_tree=is_tree, is_text=target != "onnx", target=target)


def _check_rows(source: Source) -> Any:
    """The encoded rows of --check, or those that the model keeps. An export must refuse what the model refuses."""
    path, schema = source.options["data"], schema_of(source.model)
    if path is None:
        from treewright.export.exported import kept_rows

        return kept_rows(source.model)
    from treewright.data.encode import encode_table

    return encode_table(open_table(schema, path, source.options), schema.columns, "mark").values


SQL_OPTIONS = ("dialect", "table")
"""Options that only SQL takes."""

PROGRAMS = {
    "sql": "a SELECT statement that predicts",
    "python": "a Python function",
    "javascript": "a JavaScript function",
    "c": "a C function",
    "sas": "a SAS data step",
}
"""Formats for other programs, of trees and of rules."""


FORMATS = {
    "json": Format("only the tree, as a model file", _json),
    "text": Format("the tree as text", lambda source: str(source.tree.to_text())),
    **{name: _program(name, about) for name, about in PROGRAMS.items()},
    "pmml": _program("pmml", "PMML 4.4"),
    "onnx": _program("onnx", "a model of ONNX, with -o"),
    "dot": Format("Graphviz", _dot),
    "svg": Format("a picture", _svg),
    "html": Format("an interactive page without rows", _page),
    "rules": Format("the rules of the leaves as text", _rules("text"), of_tree=False),
    "rules-json": Format("rules as JSON", _rules("json"), of_tree=False),
    "rules-markdown": Format("rules as a Markdown table", _rules("markdown"), of_tree=False),
    "rules-html": Format("rules as an HTML table", _rules("html"), of_tree=False),
    **{f"rules-{name}": _program(name, about, of_rules=True) for name, about in PROGRAMS.items()},
}
"""The formats by name, in the order of the help page. A new format is one line here."""


class FormatName(click.Choice[str]):
    """The name of a format; for that of a database, the error has the options that it needs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in SQL_DIALECTS:
            self.fail(f"use --to sql --dialect {value}", param, ctx)
        return super().convert(value, param, ctx)


DONE = re.compile(r"Executed for [\d,]+ rows .*?: the same predictions\.|Not executed, because .*?\.(?=\s|<|$)")
"""The sentence at the top of an export that says what was checked."""


def _check_options(function: Any) -> Any:
    """Add `--check DATA`, and how it is read: the options that `--data` has in other commands, under this name."""
    words = "Also execute the export for these rows (at most 5,000, evenly spaced) and compare it with the model."
    function = rows_options(words, weights=False)(function)
    for one in function.__click_params__:
        one.opts = [re.sub("^--data", "--check", name) for name in one.opts]
        one.help = one.help.replace("--data", "--check")
        if one.name == "data":
            one.metavar = "DATA"
    return function


@subcommand(
    examples=[
        "treewright export golf.json --to dot -o golf.dot",
        "treewright export golf.json --to sql --check golf.csv -o score.sql",
        "treewright export golf.json --to onnx -o golf.onnx",
        "treewright export golf.json --to rules-python -o golf_rules.py",
        "treewright export --list",
    ]
)
@click.argument("model", metavar="MODEL", type=FileName(), required=False)
@option(
    "--to", "name", type=FormatName(list(FORMATS)), metavar="FORMAT", help=f"Output format: {', '.join(FORMATS)}."
)
@option(
    "--list", "listed", is_flag=True, help="Describe the formats: what executes them, and what they can express."
)
@option(
    "--dialect",
    type=click.Choice(SQL_DIALECTS),
    metavar="NAME",
    default="duckdb",
    help=f"Database of --to sql and rules-sql: {', '.join(SQL_DIALECTS)} [duckdb].",
)
@option("--table", default="data", metavar="NAME", help="Table of --to sql and rules-sql [data].")
@option(
    "--no-check",
    "check",
    is_flag=True,
    default=True,
    flag_value=False,
    help="Do not execute SQL, code, PMML and ONNX.",
)
@output_option
@_check_options
def command(
    terminal: Terminal, model: str | None, name: str | None, listed: bool, output: str | None, **options: Any
) -> None:
    """Export a model as text, SQL, code, PMML, ONNX, DOT, JSON and other formats.

    SQL, code, PMML and ONNX are executed for rows that try every decision of the tree or every condition of the rules,
    if that is possible on this machine, and compared with the model. Nothing is written if a prediction differs. Writes
    to stdout unless -o is given. With --json the output is one JSON document that contains the text.
    """
    if listed:
        print_list(terminal)
        return
    context = click.get_current_context()
    for given, kind, hint in ((model, "argument", "MODEL"), (name, "option", "--to")):
        if given is None:
            raise click.MissingParameter(ctx=context, param_type=kind, param_hint=repr(hint))
    assert model is not None
    assert name is not None
    _refuse_unused(context, name)
    path, wanted = check_output(output, options["force"]), FORMATS[name]
    if path is None and not wanted.is_text:
        raise InputError(f"--to {name} writes a binary file; pass its name with -o.")
    found = open_model(model)
    tree = tree_in(found)
    if tree is None and wanted.of_tree:
        raise InputError(
            f"{model!r} contains only rules; --to {name} needs a tree. Use the model the rules come from."
        )
    written = wanted.write(Source(found, tree, model, options))
    if isinstance(written, str) and not written.endswith("\n"):
        written += "\n"
    done = _what_was_done(written) if wanted.target else None
    if options["data"] is not None and done is not None and done.startswith("Not executed"):
        raise InputError(
            f"This machine cannot execute the export, so {options['data']!r} is not compared; leave out --check."
        )
    if path is not None:
        write_output(path, written, options["force"])
        terminal.note(f"written to {path.name!r}." + (f" {done}" if done else ""))
    shown = {"output": str(path)} if path is not None else {"text": written}
    terminal.print_json({"format": name, **shown} | ({"check": done} if wanted.target else {}))
    if path is None:
        plain, escape = str(written).removesuffix("\n"), escape_json if name.endswith("json") else escape_lines
        terminal.print(escape(plain) if sys.stdout.isatty() else plain)


def _refuse_unused(context: click.Context, name: str) -> None:
    """Refuse options that the format does not have, and --check with --no-check."""
    target, options = FORMATS[name].target, {one.name: one for one in context.command.params}
    programs = f"{', '.join(PROGRAMS)}, pmml, onnx"
    formats = {"dialect": "sql and rules-sql", "table": "sql and rules-sql", "data": f"{programs} and rules in these"}
    for option_name, words in formats.items():
        given = context.get_parameter_source(option_name) is click.core.ParameterSource.COMMANDLINE
        if given and not (target if option_name == "data" else target == "sql"):
            flag = options[option_name].opts[-1]
            raise click.UsageError(f"{flag} is an option of {words}, not of --to {name}.", context)
    if not context.params["table"].strip():
        raise click.UsageError("--table must be the name of a table, got ''.", context)
    if context.params["data"] is not None and not context.params["check"]:
        raise click.UsageError("Use --check or --no-check, not both.", context)


def _what_was_done(written: str | bytes) -> str | None:
    """What the top of an export says about its check; None if it was not executed on purpose."""
    text = written if isinstance(written, str) else written.decode("utf-8", "replace")
    found = DONE.search(text)
    return None if found is None else found[0]


def print_list(terminal: Terminal) -> None:
    """Print the formats, and what the targets among them can express."""
    from treewright.export.target_features import FEATURES, NO, TARGETS, feature_table
    from treewright.text_table import Grid

    targets = [one for one in TARGETS if one in FORMATS]
    formats = [[name, one.description] for name, one in FORMATS.items()]
    head, rows = feature_table(targets)
    parts = [Grid(["format", "output"], formats, [False] * 2, []), Grid(head, rows, [False] * len(head), [])]
    terminal.print("\n".join([*parts[0].lines(), "", *parts[1].lines()]))
    terminal.print_json(
        {
            "formats": [
                {"format": name, "output": one.description, "target": one.target or None}
                for name, one in FORMATS.items()
            ],
            "targets": [
                {
                    "target": target,
                    "executed_by": TARGETS[target].runs_in or None,
                    "refused": [words for key, words in FEATURES.items() if TARGETS[target].support(key) == NO],
                }
                for target in targets
            ],
        }
    )
