"""`treewright prune`: prune a model with another method, and print each decision."""

from pathlib import Path
from typing import Any

from treewright.cli.algorithms import NO_PRUNING, read_pruning, read_settings
from treewright.cli.command import FileName, check_output, language_option, option, output_to, subcommand
from treewright.cli.input_tables import open_rows, rows_options
from treewright.cli.models import aligned_pairs, describe_size, model_argument, open_estimator, size_dict
from treewright.cli.option_values import read_value
from treewright.cli.terminal import Terminal
from treewright.errors import InputError, ParameterError
from treewright.language import messages

MAX_LINES = 30
"""Decisions that are printed by default."""


@subcommand(
    examples=[
        "treewright prune golf.json --method pessimistic -o golf-pessimistic.json",
        "treewright prune golf.json -m cost_complexity --data golf.csv --set choose=cv",
        "treewright prune golf.json --method reduced_error --validation golf.csv",
        "treewright prune golf.json --method pessimistic+global",
        "treewright prune golf.json --size 3 --json",
    ]
)
@model_argument
@option(
    "-m",
    "--method",
    metavar="NAME",
    help="Pruning method, such as error_based; none for the grown tree. By default, with --size, that of the model.",
)
@option("--size", metavar="N", help="Maximum number of leaves after pruning, or readable for 20.")
@option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="Parameter of the method; may be repeated."
)
@option("--all", "whole", is_flag=True, help=f"Print all decisions instead of the first {MAX_LINES}.")
@language_option
@rows_options("Training rows, for methods that need them.")
@option("--validation", type=FileName(), metavar="FILE", group="Rows", help="Validation rows for pruning.")
@output_to("Save the pruned model to this file.")
def command(terminal: Terminal, model: str, method: str | None, data: str | None, **options: Any) -> None:
    """Prune a model with another method.

    A model contains the tree before pruning, so every method can be applied to it: error_based, pessimistic,
    cost_complexity, reduced_error, minimum_error, critical_value, mdl, global, same_decision, max_leaves,
    pre_pruning. Join several by +, such as error_based+global.
    """
    from treewright.prune.registry import label_of

    _ = messages(options["language"])
    path = check_output(options["output"], options["force"])
    old = open_estimator(model, "prune")
    schema = old.tree_.schema
    rows = {} if data is None else open_rows(schema, data, options).as_training()
    if options["validation"] is not None:
        rows |= open_rows(schema, options["validation"], options).as_validation()
    size = None if options["size"] is None else read_value(options["size"])
    if method is None and options["size"] is None:
        raise ParameterError("Nothing to prune by; use --method NAME, or --size N to keep at most N leaves.")
    chosen = "own" if method is None else _read_method(method)
    with terminal.clock("pruning"):
        new = old.pruned(chosen, size=size, **rows, **read_settings(options["settings"]))
    trees = {"grown": old.grown_tree_, "before": old.tree_, "after": new.tree_}
    if path is not None:
        save_pruned(new, path, options["force"])
    else:
        terminal.note(_("the pruned model is not saved; use -o FILE."))
    report = new.pruning_report_
    if terminal.as_json:
        decisions = [] if report is None else [_decision_dict(one) for one in report]
        sizes = {name: size_dict(tree) for name, tree in trees.items()}
        output = None if path is None else str(path)
        fingerprint = new.tree_.fingerprint()
        label = method if method is not None and size is None else label_of(new._pruned_by.method)
        said = {"method": label, "rule": None if report is None else report.rule, **sizes}
        terminal.print_json({"model": output, "fingerprint": fingerprint, **said, "decisions": decisions})
        return
    if report is not None:
        terminal.print(report.to_text(None if options["whole"] else MAX_LINES, language=options["language"]))
        terminal.print()
    names = (_("grown tree"), _("before"), _("after"))
    described = [describe_size(tree, options["language"]) for tree in trees.values()]
    for line in aligned_pairs(list(zip(names, described, strict=True))):
        terminal.print(line)


def _read_method(method: str) -> str | None:
    """Return the name of the pruning method, as `pruned` takes it."""
    from treewright.prune.registry import METHODS, parts_of

    named = read_pruning(method)
    for one in [] if named is None else parts_of(named) or [named]:
        if one not in METHODS:
            raise ParameterError(
                f"Unknown pruning method {one!r}; use one of {', '.join(METHODS)}, {NO_PRUNING}."
            )
    return named


def save_pruned(model: Any, path: Path, force: bool) -> None:
    """Save the pruned model with the rows or the ledgers of the old one; the latter only if they cover all nodes."""
    kept, ledgers = model._kept is not None, getattr(model, "_ledgers", None) is not None
    try:
        model.save(path, rows=kept, ledgers=ledgers, overwrite=force)
    except InputError:  # nodes that the old model had pruned have no ledger, or the file exists
        model.save(path, rows=kept, overwrite=force)


def _decision_dict(decision: Any) -> dict[str, Any]:
    from treewright.model.json_values import to_json_value

    found: dict[str, Any] = to_json_value(decision)
    return {name: value for name, value in found.items() if name != "details"} | {
        "details": {name: to_json_value(value) for name, value in decision.details.items()}
    }
