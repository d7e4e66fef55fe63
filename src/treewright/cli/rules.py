"""`treewright rules`: a tree as rules, as text, Markdown, HTML or JSON."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import (
    check_output,
    language_option,
    option,
    output_option,
    subcommand,
    write_output,
)
from treewright.cli.input_tables import open_rows, rows_options
from treewright.cli.models import describe_kind, model_argument, open_model
from treewright.cli.terminal import Terminal
from treewright.errors import InputError
from treewright.language import messages

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

FORMS = ("leaves", "generalised")
FORMATS = ("text", "markdown", "html", "json")


@subcommand(
    examples=[
        "treewright rules golf.json",
        "treewright rules golf.json --form generalised --data golf.csv",
        "treewright rules golf.json --format markdown -o golf-rules.md",
    ]
)
@model_argument
@option(
    "--form",
    type=click.Choice(FORMS),
    default="leaves",
    help="leaves: one rule for each leaf; generalised: the shorter rules of c4.5rules [leaves].",
)
@option("--format", "shape", type=click.Choice(FORMATS), default="text", help="Output format [text].")
@option(
    "--confidence",
    type=float,
    default=0.25,
    metavar="CF",
    help="Confidence of generalised rules; a lower value gives fewer rules [0.25].",
)
@language_option
@rows_options("Training rows, for generalised rules.")
@output_option
def command(terminal: Terminal, model: str, form: str, shape: str, data: str | None, **options: Any) -> None:
    """Convert a tree to rules.

    With --form leaves exactly one rule applies to each row. Generalised rules are fewer and shorter, and are tried in
    order; they need the training rows, from --data or from a model saved with --keep rows.
    """
    path = check_output(options["output"], options["force"])
    found = open_rules(open_model(model), model, form, data, options, language=options["language"])
    if terminal.as_json:
        terminal.print_json(found.to_dict())
    text = found.to_json(2) if shape == "json" else getattr(found, f"to_{shape}")()
    if path is None:
        terminal.print(text)
    else:
        write_output(path, text + "\n", options["force"])
        terminal.note(
            messages(options["language"]).plural(
                "{n} rule written to {path}.",
                "{n} rules written to {path}.",
                len(found),
                n=f"{len(found):,}",
                path=repr(path.name),
            )
        )


def open_rules(
    model: Any,
    path: str,
    form: str = "leaves",
    data: str | None = None,
    options: Any = None,
    *,
    language: str = "en",
) -> "RuleSet":
    """Return the rules of a model, or those in a file; `data` is the training table."""
    from treewright.rules.ruleset import RuleSet

    if isinstance(model, RuleSet):
        if form not in (model.form, "leaves"):
            raise InputError(
                f"{path!r} contains {model.form!r} rules; for --form {form} use the model they come from."
            )
        return replace(model, language=language)
    if not hasattr(model, "grown_tree_"):
        raise InputError(
            f"{path!r} contains {describe_kind(model)}; rules need a model saved by `treewright fit`."
        )
    rows = {} if data is None else open_rows(model.tree_.schema, data, options).as_training()
    if form == "generalised":
        rows["confidence"] = (options or {}).get("confidence", 0.25)
    found: RuleSet = model.rules(form, **rows, language=language)
    return found
