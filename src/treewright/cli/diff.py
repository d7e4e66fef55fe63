"""`treewright diff`: the rows that two models predict differently, and where their trees differ."""

from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import (
    OUTPUT,
    check_output,
    language_option,
    option,
    output_to,
    subcommand,
    write_output,
)
from treewright.cli.input_tables import data_argument, rows_options
from treewright.cli.models import open_tree
from treewright.cli.terminal import Terminal, bold
from treewright.errors import InputError, KindError
from treewright.explain.text_wrapping import wrap_table
from treewright.language import messages
from treewright.model.formatting import format_category, format_number, printable, truncate
from treewright.model.json_values import to_json_value
from treewright.text_table import Grid

if TYPE_CHECKING:
    from treewright.explain.tree_diff import TreeDiff
    from treewright.model.tree import Tree

MAX_DIFFERENCES, MAX_ROWS = 10, 20
"""Differing nodes, and rows of a move, that are printed."""

MAX_PATH = 300
"""Characters of a path."""


@subcommand(
    examples=[
        "treewright diff old.json new.json golf.csv",
        "treewright diff c45.json cart.json golf.csv --rows",
        "treewright diff old.json new.json golf.csv -o changes.csv",
    ]
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@data_argument
@option("--rows", "with_rows", is_flag=True, help="Also print the row numbers, counted from 0.")
@option(
    "--all", "all_moves", is_flag=True, help="Also list rows that change their leaf but not their prediction."
)
@option(
    "--top",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of moves to print.",
)
@language_option
@rows_options(weights=False)
@output_to("Write every row with its leaves and predictions to this CSV file.")
@option(
    "--safe-formulas",
    is_flag=True,
    group=OUTPUT,
    help="In that file, put ' before text that a spreadsheet would run as a formula.",
)
def command(terminal: Terminal, old: str, new: str, data: str, **options: Any) -> None:
    """List the rows that two models predict differently.

    Prints how many predictions change, where the two trees differ, and which rows move from which leaf to which. The
    models may come from different algorithms; each uses its own columns of the table, by name. If the table has the
    target, the errors of both models are printed too.
    """
    from treewright.explain.tree_diff import diff_trees

    path = check_output(options["output"], options["force"])
    sides, target = open_sides((old, new), data, options)
    found = diff_trees(sides[0], sides[1], options["language"])
    correct = None if target is None else count_correct(found, target)
    terminal.print_json(diff_document(found, options, correct))
    terminal.print(bold(printable(found.sentence())))
    for line in diff_lines(found, options, correct, terminal.width):
        terminal.print(line)
    if path is not None:
        write_output(path, diff_csv(found, options["safe_formulas"]), options["force"])
        _ = messages(terminal.language)
        terminal.note(_("every row with both predictions written to {path}.", path=printable(repr(str(path)))))


def open_sides(
    paths: tuple[str, str], data: str, options: dict[str, Any]
) -> tuple[list[Any], list[Any] | None]:
    """Return both models with the rows in their codes, and the target values if the table has them."""
    from treewright.cli.input_tables import open_table
    from treewright.data.encode import encode_table
    from treewright.explain.tree_diff import ComparedTree, check_comparable
    from treewright.predict.missing_policy import MissingPolicy

    models = [open_tree(path, "diff") for path in paths]
    check_comparable(models[0][1], models[1][1])
    if data == "-":
        raise InputError("DATA is read once for each model, so it cannot be stdin; use a file.")
    sides = []
    for (model, tree), path in zip(models, paths, strict=True):
        try:
            X = open_table(tree.schema, data, options)
        except (InputError, KindError) as error:
            raise error.reworded(f"For {path!r}: ".__add__) from None
        if hasattr(model, "_prediction_policy"):
            from treewright.estimators.prediction import encode_for_prediction

            sides.append(ComparedTree(tree, encode_for_prediction(model, X), model._prediction_policy().rule))
        else:
            sides.append(
                ComparedTree(tree, encode_table(X, tree.schema.columns, "missing").values, MissingPolicy())
            )
    return sides, true_labels(models[0][1], data, options)


def true_labels(tree: "Tree", data: str, options: dict[str, Any]) -> list[Any] | None:
    """Return the target values of the table; None if it has none."""
    from treewright.cli.input_tables import open_column
    from treewright.data.schema import Column, Kind

    target = tree.schema.target
    name = options.get("target") or target.name
    kind = Kind.NUMBER if target.is_number else Kind.CATEGORY
    try:
        found: list[Any] = open_column(Column(name, kind, target.classes or ()), data, options).to_list()
    except InputError:
        if options.get("target"):
            raise
        return None
    return found


def count_correct(found: "TreeDiff", target: list[Any]) -> dict[str, Any]:
    """Return the correct predictions of both models, or their errors, on rows that have a target value."""
    before, after = found.predictions()
    known = [i for i, actual in enumerate(target) if actual is not None]
    if found.shift is not None:
        errors = [sum((predicted[i] - float(target[i])) ** 2 for i in known) for predicted in (before, after)]
        n = max(len(known), 1)
        return {"rows": len(known), "old_rmse": (errors[0] / n) ** 0.5, "new_rmse": (errors[1] / n) ** 0.5}
    words = [format_category(actual) if actual is not None else None for actual in target]
    was = {i for i in known if is_same_class(before[i], words[i])}
    now = {i for i in known if is_same_class(after[i], words[i])}
    return {
        "rows": len(known),
        "old_correct": len(was),
        "new_correct": len(now),
        "became_correct": len(now - was),
        "became_wrong": len(was - now),
    }


def is_same_class(predicted: Any, actual: str | None) -> bool:
    """Return whether a class and a cell of the table are the same: 1 may also be written 1.0, and True true."""
    words = format_category(predicted)
    if actual is None or words == actual or isinstance(predicted, str):  # a and A may be two classes
        return words == actual
    if words.casefold() == actual.casefold():
        return True
    try:
        return float(words) == float(actual)
    except ValueError:
        return False


def diff_lines(
    found: "TreeDiff", options: dict[str, Any], correct: dict[str, Any] | None, width: int
) -> list[str]:
    """Return the lines below the first sentence."""
    _ = messages(found.language)
    lines = [] if correct is None else [describe_correct(correct, found.language)]
    if found.differences:
        lines += ["", bold(_("Where the trees differ"))]
        rows = [
            [truncate(printable(p.path), MAX_PATH), _short(p.old), _short(p.new)] for p in found.differences
        ]
        n_more = len(rows) - MAX_DIFFERENCES
        more = [_.plural("… {n} more node", "… {n} more nodes", n_more)] if n_more > 0 else []
        head = [_("path"), _("old"), _("new")]
        lines += wrap_table(Grid(head, rows[:MAX_DIFFERENCES], [False] * 3, more), width)
    shown = [move for move in found.moves if move.changed or options["all_moves"]]
    if shown:
        lines += ["", bold(_("Rows that move")), *wrap_table(moves_grid(found, shown, options), width)]
    return lines


def moves_grid(found: "TreeDiff", shown: list[Any], options: dict[str, Any]) -> Grid:
    """Return the moves as a table."""
    _ = messages(found.language)
    head = [_("rows"), _("old"), _("new"), _.context("move", "from"), _.context("move", "to")]
    head += [_("row numbers")] if options["with_rows"] else []
    rows = []
    for move in shown[: options["top"]]:
        line = [
            f"{len(move.rows):,}",
            format_prediction(move.old_prediction),
            format_prediction(move.new_prediction),
        ]
        for side, leaf in ((found.old, move.old_leaf), (found.new, move.new_leaf)):
            line.append(_short(_("leaf {leaf}: {path}", leaf=leaf, path=side.path(leaf, found.language))))
        if options["with_rows"]:
            listed = ", ".join(map(str, move.rows[:MAX_ROWS].tolist()))
            line.append(listed + (", …" if len(move.rows) > MAX_ROWS else ""))
        rows.append(line)
    n_more = len(shown) - len(rows)
    more = [_.plural("… {n} more move; see --top", "… {n} more moves; see --top", n_more)] if n_more else []
    return Grid(head, rows, [True, *[False] * (len(head) - 1)], more)


def describe_correct(correct: dict[str, Any], language: str = "en") -> str:
    """Return the accuracy or the error of both models in words."""
    _ = messages(language)
    if "old_rmse" in correct:
        return _(
            "Root mean squared error: {old} before, {new} after.",
            old=f"{correct['old_rmse']:.5g}",
            new=f"{correct['new_rmse']:.5g}",
        )
    n = max(correct["rows"], 1)
    return _(
        "Accuracy: {old} before, {new} after; rows that became correct: {correct}, rows that became wrong: {wrong}.",
        old=f"{correct['old_correct'] / n:.1%}",
        new=f"{correct['new_correct'] / n:.1%}",
        correct=f"{correct['became_correct']:,}",
        wrong=f"{correct['became_wrong']:,}",
    )


def format_prediction(predicted: Any) -> str:
    """Return a prediction as it is printed in a table."""
    if isinstance(predicted, float):
        return format_number(float(f"{predicted:.6g}"))
    return _short(format_category(predicted))


def _short(text: str) -> str:
    return truncate(printable(text), MAX_PATH)


def diff_document(
    found: "TreeDiff", options: dict[str, Any], correct: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the differences as data that JSON can hold."""
    shown = [move for move in found.moves if move.changed or options["all_moves"]]
    listed = [
        {
            "rows": len(move.rows),
            "old_prediction": to_json_value(move.old_prediction),
            "new_prediction": to_json_value(move.new_prediction),
            "old_leaf": move.old_leaf,
            "new_leaf": move.new_leaf,
            "old_path": found.old.path(move.old_leaf, found.language),
            "new_path": found.new.path(move.new_leaf, found.language),
            **({"row_numbers": move.rows.tolist()} if options["with_rows"] else {}),
        }
        for move in shown
    ]
    return {
        "summary": found.sentence(),
        "rows": found.n_rows,
        "changed": found.n_changed,
        "correct": correct,
        "differences": [
            {"path": p.path, "old": p.old, "new": p.new, "weight": p.weight} for p in found.differences
        ],
        "moves": listed,
    }


def diff_csv(found: "TreeDiff", safe: bool = False) -> bytes:
    """Return every row with its leaves and predictions as CSV; `safe` escapes what a spreadsheet would run."""
    import io

    import numpy as np
    import polars as pl

    from treewright.data.files.table_writer import safe_formulas
    from treewright.predict.predictions import find_leaves

    sides = (found.old, found.new)
    before, after = found.predictions()
    if found.shift is None:
        before, after = list(map(format_category, before)), list(map(format_category, after))
    where = [find_leaves(side.tree, side.values, side.policy) for side in sides]
    frame = pl.DataFrame(
        {
            "row": np.arange(found.n_rows),
            "old_leaf": where[0],
            "new_leaf": where[1],
            "old_prediction": before,
            "new_prediction": after,
            "changed": found.changed,
        }
    )
    out = io.BytesIO()
    (safe_formulas(frame) if safe else frame).write_csv(out)
    return out.getvalue()
