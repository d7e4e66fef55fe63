"""Rules: a tree as rules.

In: a model. Out: one rule for each leaf, or the fewer and shorter ones that Quinlan's c4.5rules makes; as text,
Markdown, HTML or JSON.
"""

from typing import TYPE_CHECKING, Any

import click

from treewright.cli.models import kind_of, model_argument, open_model
from treewright.cli.output import check_output, output_option, write_output
from treewright.cli.rows import open_rows
from treewright.cli.tables import rows_options
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb
from treewright.errors import InputError

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

FORMS = ("leaves", "generalised")
FORMATS = ("text", "markdown", "html", "json")


@verb(
    examples=[
        "treewright rules golf.json",
        "treewright rules golf.json --form generalised --data golf.csv",
        "treewright rules golf.json --format markdown -o golf-rules.md",
    ]
)
@model_argument
@option("--form", type=click.Choice(FORMS), default="leaves", help="A rule for each leaf, or c4.5rules' shorter ones.")
@option("--format", "shape", type=click.Choice(FORMATS), default="text", help="How they are written [text].")
@option("--confidence", type=float, default=0.25, metavar="CF", help="Of generalised rules; less makes them fewer.")
@rows_options("The rows the model was grown on, for generalised rules.")
@output_option
def command(terminal: Terminal, model: str, form: str, shape: str, data: str | None, **options: Any) -> None:
    """A tree as rules.

    The rules of leaves are the tree itself: exactly one of them applies to a row. Generalised rules are asked in order,
    and are fewer; they are made from the training rows, which the model has if it was kept with --keep rows.
    """
    path = check_output(options["output"], options["force"])
    found = open_rules(open_model(model), model, form, data, options)
    if terminal.as_json:
        terminal.give(found.to_dict())
    text = found.to_json(2) if shape == "json" else getattr(found, f"to_{shape}")()
    if path is None:
        terminal.say(text)
    else:
        write_output(path, text + "\n", options["force"])
        terminal.note(f"note: {len(found):,} rules written to {path.name!r}.")


def open_rules(
    model: Any, path: str, form: str = "leaves", data: str | None = None, options: Any = None
) -> "RuleSet":
    """The rules of a model, or those that a file holds; `data` are the training rows once more."""
    from treewright.rules.ruleset import RuleSet

    if isinstance(model, RuleSet):
        if form not in (model.form, "leaves"):
            raise InputError(f"{path!r} holds rules of the form {model.form!r}; give the model they were made from.")
        return model
    if not hasattr(model, "grown_tree_"):
        raise InputError(f"{path!r} holds {kind_of(model)}, but rules need a model as `treewright fit` keeps it.")
    again = {} if data is None else open_rows(model.tree_.schema, data, options).again()
    if form == "generalised":
        again["confidence"] = (options or {}).get("confidence", 0.25)
    try:
        found: RuleSet = model.rules(form, **again)
    except InputError as error:
        if data is None and "training rows are needed" in str(error):
            raise InputError(
                f"{path!r} keeps no training rows; give the training table with --data FILE, or fit again with "
                "--keep rows."
            ) from None
        raise
    return found
