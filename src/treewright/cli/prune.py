"""Prune: prune a model in another way.

In: a model and a method. Out: what was decided at each node, the sizes before and after; with -o the new model.
"""

from pathlib import Path
from typing import Any

from treewright.cli.about import size_dict, size_words
from treewright.cli.algorithms import NO_PRUNING, read_pruning, read_settings
from treewright.cli.models import model_argument, open_estimator
from treewright.cli.output import check_output, output_to
from treewright.cli.rows import open_rows
from treewright.cli.tables import rows_options
from treewright.cli.terminal import Terminal, bold
from treewright.cli.verb import FileName, option, verb
from treewright.errors import InputError, ParameterError

MOST_LINES = 30
"""Decisions that are printed."""


@verb(
    examples=[
        "treewright prune golf.json --method pessimistic -o golf-pessimistic.json",
        "treewright prune golf.json -m cost_complexity --data golf.csv --set choose=cv",
        "treewright prune golf.json --method reduced_error --validation golf.csv",
        "treewright prune golf.json --method pessimistic+global",
        "treewright prune golf.json --method none --json",
    ]
)
@model_argument
@option("-m", "--method", required=True, metavar="NAME", help="The method, such as error_based; none: not at all.")
@option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="A parameter of the method.")
@option("--all", "whole", is_flag=True, help=f"Print all decisions, not only the first {MOST_LINES}.")
@rows_options("The rows the model was grown on, for methods that look at them again.")
@option("--validation", type=FileName(), metavar="FILE", group="Rows", help="Rows to prune by.")
@output_to("Keep the pruned model in this file.")
def command(terminal: Terminal, model: str, method: str, data: str | None, **options: Any) -> None:
    """Prune a model in another way.

    The tree as it was grown is in the model, so every method can be tried on it, again and again: error_based,
    pessimistic, cost_complexity, reduced_error, minimum_error, critical_value, mdl, global, same_decision, pre_pruning.
    Several, one after the other, are joined by +, as in error_based+global.
    """
    from treewright.prune.registry import METHODS, parts_of

    path = check_output(options["output"], options["force"])
    old = open_estimator(model, "prune")
    schema = old.tree_.schema
    rows = {} if data is None else open_rows(schema, data, options).again()
    if options["validation"] is not None:
        rows |= open_rows(schema, options["validation"], options).validation()
    named = read_pruning(method)
    for one in [] if named is None else parts_of(named) or [named]:
        if one not in METHODS:
            raise ParameterError(f"--method {one!r} is not known; choose one of {', '.join(METHODS)}, {NO_PRUNING}.")
    with terminal.waiting("pruning"):
        new = old.pruned(named, **rows, **read_settings(options["settings"]))
    trees = {"grown": old.grown_tree_, "before": old.tree_, "after": new.tree_}
    if path is not None:
        save(new, path, options["force"])
    else:
        terminal.note("note: the pruned model is not kept; -o FILE keeps it.")
    report = new.pruning_report_
    if terminal.as_json:
        decisions = [] if report is None else [_plain(one) for one in report]
        sizes = {name: size_dict(tree) for name, tree in trees.items()}
        output = None if path is None else str(path)
        fingerprint = new.tree_.fingerprint()
        said = {"method": method, "rule": None if report is None else report.rule, **sizes}
        terminal.give({"model": output, "fingerprint": fingerprint, **said, "decisions": decisions})
        return
    if report is not None:
        terminal.say(report.to_text(None if options["whole"] else MOST_LINES))
        terminal.say()
    for name, tree in trees.items():
        terminal.say(f"{bold(f'{name:<6}')}  {size_words(tree)}")


def save(model: Any, path: Path, force: bool) -> None:
    """Keep the pruned model with the rows that the old one had, or with its ledgers where they are of all nodes."""
    kept, ledgers = model._kept is not None, getattr(model, "_ledgers", None) is not None
    try:
        model.save(path, rows=kept, ledgers=ledgers, overwrite=force)
    except InputError:  # nodes that the old model had pruned have no ledger, or the file is there already
        model.save(path, rows=kept, overwrite=force)


def _plain(decision: Any) -> dict[str, Any]:
    from treewright.model.plain import plain

    found: dict[str, Any] = plain(decision)
    return {name: value for name, value in found.items() if name != "details"} | {
        "details": {name: plain(value) for name, value in decision.details.items()}
    }
