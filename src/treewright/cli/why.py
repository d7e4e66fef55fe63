"""`treewright why`: the candidate splits of a node, and what pruning decided about it."""

from typing import Any

import click

from treewright.cli.command import language_option, option, subcommand
from treewright.cli.input_tables import open_rows, rows_options
from treewright.cli.models import model_argument, open_estimator
from treewright.cli.terminal import Terminal

FORMATS = ("text", "markdown", "latex", "html")


@subcommand(
    examples=[
        "treewright why golf.json 0",
        "treewright why golf.json 0 --worked --data golf.csv",
        "treewright why golf.json 0 --worked --language zh --data golf.csv",
        "treewright why golf.json 3 --grown --json",
    ]
)
@model_argument
@click.argument("node", type=click.IntRange(0), metavar="NODE")
@option("--grown", is_flag=True, help="NODE is a node of the tree before pruning.")
@option("--worked", is_flag=True, help="Print the arithmetic step by step, as in a textbook.")
@language_option
@option("--format", "shape", type=click.Choice(FORMATS), default="text", help="Format of --worked [text].")
@rows_options("Training rows, if the model has neither ledgers nor rows.")
def command(terminal: Terminal, model: str, node: int, data: str | None, grown: bool, **options: Any) -> None:
    """Show why a node splits as it does, and why it was pruned or kept.

    NODE is a node number as in `treewright show MODEL --node N`; 0 is the root. The candidate splits are in the model
    if `fit` saved its ledgers or its rows; otherwise use --data with the training table.
    """
    estimator = open_estimator(model, "why")
    tree = estimator.grown_tree_ if grown else estimator.tree_
    tree.node(node)
    rows = {} if data is None else open_rows(tree.schema, data, options).as_training()
    worked, language = options["worked"], options["language"]
    reason = estimator.why_pruned(node, grown=grown, language=language)
    if worked:
        found = estimator.worked_solution(node, **rows, grown=grown, language=language)
    else:
        found = estimator.why(node, **rows, grown=grown, language=language)
    name = "worked" if worked else "ledger"
    if terminal.as_json:
        terminal.print_json(
            {"node": node, "grown": grown, name: found.to_dict(), "pruning": reason.to_dict()}
        )
    elif worked:
        terminal.print(getattr(found, f"to_{options['shape']}")())
    else:
        terminal.print(f"{found.to_text()}\n\n{reason.to_text()}")
