"""Why: why a node asks what it asks, and why it was pruned.

In: a model and the number of a node. Out: the candidates of all columns as growth compared them, and what pruning
decided; on request the arithmetic written out as a textbook does.
"""

from typing import Any

import click

from treewright.cli.models import model_argument, open_estimator
from treewright.cli.rows import open_rows
from treewright.cli.tables import rows_options
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb
from treewright.errors import InputError

FORMATS = ("text", "markdown", "latex", "html")


@verb(
    examples=[
        "treewright why golf.json 0",
        "treewright why golf.json 0 --worked --data golf.csv",
        "treewright why golf.json 0 --worked --language zh --data golf.csv",
        "treewright why golf.json 3 --grown --json",
    ]
)
@model_argument
@click.argument("node", type=click.IntRange(0), metavar="NODE")
@option("--grown", is_flag=True, help="NODE is a number of the tree before pruning.")
@option("--worked", is_flag=True, help="The arithmetic, written out as a textbook does.")
@option("--language", type=click.Choice(("en", "zh")), default="en", help="Of the words in --worked.")
@option("--format", "shape", type=click.Choice(FORMATS), default="text", help="Of --worked [text].")
@rows_options("The rows the model was grown on, where it keeps neither ledgers nor rows.")
def command(terminal: Terminal, model: str, node: int, data: str | None, grown: bool, **options: Any) -> None:
    """Why a node asks what it asks, and why it was pruned.

    NODE is a number as `treewright show MODEL --node` has it; 0 is the root. The candidates of the node are in the
    model where `fit` kept its ledgers or its rows; otherwise give the training table with --data.
    """
    estimator = open_estimator(model, "why")
    tree = estimator.grown_tree_ if grown else estimator.tree_
    tree.node(node)
    again = {} if data is None else open_rows(tree.schema, data, options).again()
    reason = estimator.why_pruned(node, grown=grown)
    worked, language = options["worked"], options["language"]
    try:
        if worked:
            found = estimator.worked_solution(node, **again, grown=grown, language=language)
        else:
            found = estimator.why(node, **again, grown=grown)
    except InputError as error:
        raise _both_ways(error, model, worked) if data is None else error from None
    name = "worked" if worked else "ledger"
    if terminal.as_json:
        terminal.give({"node": node, "grown": grown, name: found.to_dict(), "pruning": reason.to_dict()})
    elif worked:
        terminal.say(getattr(found, f"to_{options['shape']}")())
    else:
        terminal.say(f"{found.to_text()}\n\n{reason.to_text()}")


def _both_ways(error: InputError, model: str, worked: bool) -> InputError:
    """What to do where the model has not what is needed; the node itself has been found."""
    if "training rows are needed" not in str(error):
        return error
    what, keep = ("no training rows", "rows") if worked else ("neither ledgers nor training rows", "ledgers")
    return InputError(
        f"{model!r} keeps {what}; give the training table with --data FILE, or fit again with --keep {keep}."
    )
