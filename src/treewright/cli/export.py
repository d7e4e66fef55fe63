"""`treewright export`: a model as text, DOT, JSON and other formats."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from treewright.cli.command import check_output, option, output_option, subcommand, write_output
from treewright.cli.models import model_argument, open_model, tree_in
from treewright.cli.rules import open_rules
from treewright.cli.terminal import Terminal, escape_json
from treewright.errors import InputError


@dataclass(frozen=True, slots=True)
class Source:
    """Input of an exporter: the model, its tree (None for rules), and its path."""

    model: Any
    tree: Any
    path: str


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


FORMATS = {
    "json": Format("only the tree, as a model file", _json),
    "text": Format("the tree as text", lambda source: str(source.tree.to_text())),
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
        "treewright export golf.json --to rules-json",
    ]
)
@model_argument
@option("--to", "name", type=click.Choice(list(FORMATS)), required=True, help=f"Output format. {_LISTED}.")
@output_option
def command(terminal: Terminal, model: str, name: str, output: str | None, force: bool) -> None:
    """Export a model as text, DOT, JSON and other formats.

    Writes to stdout unless -o is given. With --json the output is one JSON document that contains the text.
    """
    path = check_output(output, force)
    found, wanted = open_model(model), FORMATS[name]
    tree = tree_in(found)
    if tree is None and wanted.of_tree:
        raise InputError(
            f"{model!r} contains only rules; --to {name} needs a tree. Use the model the rules come from."
        )
    text = wanted.write(Source(found, tree, model))
    text = text if text.endswith("\n") else text + "\n"
    if path is not None:
        write_output(path, text, force)
        terminal.note(f"written to {path.name!r}.")
    shown = {"output": str(path)} if path is not None else {"text": text}
    terminal.print_json({"format": name, **shown})
    if path is None:
        plain = text.removesuffix("\n")
        terminal.print(escape_json(plain) if sys.stdout.isatty() and name.endswith("json") else plain)
