"""Export: a model as text, DOT, JSON and more.

In: a model and the name of a format. Out: its text, on stdout or in a file. A new format is one line in FORMATS.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from treewright.cli.models import model_argument, open_model, tree_in
from treewright.cli.output import check_output, output_option, write_output
from treewright.cli.rules import open_rules
from treewright.cli.terminal import Terminal, harmless_json
from treewright.cli.verb import option, verb
from treewright.errors import InputError


@dataclass(frozen=True, slots=True)
class Source:
    """What an exporter is given: the model, its tree (None for rules), and the path it came from."""

    model: Any
    tree: Any
    path: str


@dataclass(frozen=True, slots=True)
class Format:
    """A format: what it is, whether it needs a tree, and the function that writes it."""

    words: str
    write: Callable[[Source], str]
    of_tree: bool = True


def _svg(source: Source) -> str:
    from treewright.plot.svg import to_svg

    return to_svg(source.tree)


def _dot(source: Source) -> str:
    from treewright.export.dot import to_dot

    return to_dot(source.tree)


def _json(source: Source) -> str:
    from treewright.model.file.alone import tree_bytes

    return tree_bytes(source.tree).decode("utf-8")


def _page(source: Source) -> str:
    if not hasattr(source.model, "to_html"):
        raise InputError(f"A page needs a model as `treewright fit` keeps it, and {source.path!r} holds a tree alone.")
    return str(source.model.to_html())


def _rules(shape: str) -> Callable[[Source], str]:
    def write(source: Source) -> str:
        rules = open_rules(source.model, source.path)
        return rules.to_json(2) if shape == "json" else str(getattr(rules, f"to_{shape}")())

    return write


FORMATS = {
    "json": Format("the tree alone as a model file, to be read without training code", _json),
    "text": Format("the tree as C4.5 prints it", lambda source: str(source.tree.to_text())),
    "dot": Format("for Graphviz", _dot),
    "svg": Format("a picture", _svg),
    "html": Format("an interactive page, without any rows", _page),
    "rules": Format("a rule for each leaf, as text", _rules("text"), of_tree=False),
    "rules-json": Format("the same as JSON", _rules("json"), of_tree=False),
    "rules-markdown": Format("the same as a table of Markdown", _rules("markdown"), of_tree=False),
    "rules-html": Format("the same as a table of HTML", _rules("html"), of_tree=False),
}
"""The formats by name, in the order of the help page."""

_LISTED = "; ".join(f"{name}: {one.words}" for name, one in FORMATS.items())


@verb(
    examples=[
        "treewright export golf.json --to text",
        "treewright export golf.json --to dot -o golf.dot",
        "treewright export golf.json --to rules-json",
    ]
)
@model_argument
@option("--to", "name", type=click.Choice(list(FORMATS)), required=True, help=f"The format. {_LISTED}.")
@output_option
def command(terminal: Terminal, model: str, name: str, output: str | None, force: bool) -> None:
    """A model as text, DOT, JSON and more.

    Written to stdout unless -o names a file. With --json the result is one JSON document with the text in it.
    """
    path = check_output(output, force)
    found, wanted = open_model(model), FORMATS[name]
    tree = tree_in(found)
    if tree is None and wanted.of_tree:
        raise InputError(f"{model!r} holds rules alone, and --to {name} needs a tree; give the model of the rules.")
    text = wanted.write(Source(found, tree, model))
    text = text if text.endswith("\n") else text + "\n"
    if path is not None:
        write_output(path, text, force)
        terminal.note(f"note: {path.name!r} written.")
    shown = {"output": str(path)} if path is not None else {"text": text}
    terminal.give({"format": name, **shown})
    if path is None:
        plain = text.removesuffix("\n")
        terminal.say(harmless_json(plain) if sys.stdout.isatty() and name.endswith("json") else plain)
