"""Diff: which rows two models answer differently.

In: two models and a table. Out: how many answers change, who moves from which leaf to which, and where the two trees
part; with -o every row with both answers.
"""

from typing import TYPE_CHECKING, Any

import click

from treewright.cli.models import open_tree
from treewright.cli.output import GROUP, check_output, output_to, write_output
from treewright.cli.tables import data_argument, rows_options
from treewright.cli.terminal import Terminal, bold
from treewright.cli.verb import option, verb
from treewright.errors import InputError, KindError
from treewright.explain.lines import folded
from treewright.model.grid import Grid
from treewright.model.plain import plain
from treewright.model.words import beginning, category_words, number_words, printable

if TYPE_CHECKING:
    from treewright.explain.moves import Moves
    from treewright.model.tree import Tree

MOST_PARTINGS, MOST_ROWS = 10, 20
"""Places where trees part, and rows of a move, that are listed."""

LONGEST = 300
"""Characters of a way."""


@verb(
    examples=[
        "treewright diff old.json new.json golf.csv",
        "treewright diff c45.json cart.json golf.csv --rows",
        "treewright diff old.json new.json golf.csv -o changes.csv",
    ]
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@data_argument
@option("--rows", "with_rows", is_flag=True, help="Also the numbers of the rows, counted from 0.")
@option("--all", "everyone", is_flag=True, help="Also rows that move and keep their answer.")
@option("--top", type=click.IntRange(1), default=20, show_default=True, metavar="N", help="Moves that are listed.")
@rows_options(weights=False)
@output_to("Write every row with its leaves and answers to this CSV file.")
@option(
    "--safe-formulas",
    is_flag=True,
    group=GROUP,
    help="In that file, put ' before text that a spreadsheet would take for a formula.",
)
def command(terminal: Terminal, old: str, new: str, data: str, **options: Any) -> None:
    """Which rows two models answer differently.

    Tells how many answers change and where the two trees part, from the root on; then who moves from which leaf to
    which, with the ways in words. The models may be of different algorithms; each takes from the table the columns
    that it knows, by name. Where the table has the target, the errors of both are told, too.
    """
    from treewright.explain.moves import moves

    path = check_output(options["output"], options["force"])
    sides, target = open_sides((old, new), data, options)
    found = moves(*sides)
    right = None if target is None else rightness(found, target)
    terminal.give(document(found, options, right))
    terminal.say(bold(printable(found.sentence())))
    for line in lines(found, options, right, terminal.width):
        terminal.say(line)
    if path is not None:
        write_output(path, csv(found, options["safe_formulas"]), options["force"])
        terminal.note(f"note: every row with both answers is in {printable(repr(str(path)))}.")


def open_sides(paths: tuple[str, str], data: str, options: dict[str, Any]) -> tuple[list[Any], list[Any] | None]:
    """Both models with the rows in their codes; and the answers in the table, where it has them."""
    from treewright.cli.rows import open_table
    from treewright.data.encode import encode_table
    from treewright.explain.moves import Side, refuse_strangers
    from treewright.predict.rule import Rule

    models = [open_tree(path, "diff") for path in paths]
    refuse_strangers(models[0][1], models[1][1])
    if data == "-":
        raise InputError("The table is read once for each model, so it cannot come from stdin; give a file.")
    sides = []
    for (model, tree), path in zip(models, paths, strict=True):
        try:
            X = open_table(tree.schema, data, options)
        except (InputError, KindError) as error:
            raise type(error)(f"For {path!r}: {error}") from None
        if hasattr(model, "_ask"):
            sides.append(Side(*model._ask(X)))
        else:
            sides.append(Side(tree, encode_table(X, tree.schema.columns, "missing").values, Rule()))
    return sides, answers_of(models[0][1], data, options)


def answers_of(tree: "Tree", data: str, options: dict[str, Any]) -> list[Any] | None:
    """The answers that the table has; None where it has none."""
    from treewright.cli.rows import open_column
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


def rightness(found: "Moves", target: list[Any]) -> dict[str, Any]:
    """How right both models are, on rows that have an answer."""
    before, after = found.answers()
    known = [i for i, actual in enumerate(target) if actual is not None]
    if found.shift is not None:
        errors = [sum((answers[i] - float(target[i])) ** 2 for i in known) for answers in (before, after)]
        n = max(len(known), 1)
        return {"rows": len(known), "old_rmse": (errors[0] / n) ** 0.5, "new_rmse": (errors[1] / n) ** 0.5}
    words = [category_words(actual) if actual is not None else None for actual in target]
    was = {i for i in known if same(before[i], words[i])}
    now = {i for i in known if same(after[i], words[i])}
    return {
        "rows": len(known),
        "old_right": len(was),
        "new_right": len(now),
        "became_right": len(now - was),
        "became_wrong": len(was - now),
    }


def same(answer: Any, actual: str | None) -> bool:
    """Whether a class is meant by what stands in the table: 1, 1.0 and true may be written in several ways."""
    words = category_words(answer)
    if actual is None or words == actual or isinstance(answer, str):  # a and A may be two classes
        return words == actual
    if words.casefold() == actual.casefold():
        return True
    try:
        return float(words) == float(actual)
    except ValueError:
        return False


def lines(found: "Moves", options: dict[str, Any], right: dict[str, Any] | None, width: int) -> list[str]:
    """What is said below the first sentence."""
    said = [] if right is None else [right_words(right)]
    if found.partings:
        said += ["", bold("Where the trees part")]
        rows = [[beginning(printable(p.way), LONGEST), _short(p.old), _short(p.new)] for p in found.partings]
        more = [f"… {len(rows) - MOST_PARTINGS} more places"] if len(rows) > MOST_PARTINGS else []
        said += folded(Grid(["behind", "old", "new"], rows[:MOST_PARTINGS], [False] * 3, more), width)
    shown = [move for move in found.moves if move.changed or options["everyone"]]
    if shown:
        said += ["", bold("Who moves"), *folded(moves_grid(found, shown, options), width)]
    return said


def moves_grid(found: "Moves", shown: list[Any], options: dict[str, Any]) -> Grid:
    """The moves as a table."""
    head = ["rows", "old answer", "new answer", "from", "to", *(["which"] if options["with_rows"] else [])]
    rows = []
    for move in shown[: options["top"]]:
        line = [f"{len(move.rows):,}", answer_words(move.old_answer), answer_words(move.new_answer)]
        line.append(_short(f"leaf {move.old_leaf}: {found.old.way(move.old_leaf)}"))
        line.append(_short(f"leaf {move.new_leaf}: {found.new.way(move.new_leaf)}"))
        if options["with_rows"]:
            listed = ", ".join(map(str, move.rows[:MOST_ROWS].tolist()))
            line.append(listed + (", …" if len(move.rows) > MOST_ROWS else ""))
        rows.append(line)
    more = [f"… {len(shown) - len(rows)} more moves; --top lists more"] if len(shown) > len(rows) else []
    return Grid(head, rows, [True, *[False] * (len(head) - 1)], more)


def right_words(right: dict[str, Any]) -> str:
    """How right both models are, in words."""
    if "old_rmse" in right:
        return f"Root mean squared error: {right['old_rmse']:.5g} before, {right['new_rmse']:.5g} now."
    n = max(right["rows"], 1)
    return (
        f"Right answers: {right['old_right'] / n:.1%} before, {right['new_right'] / n:.1%} now; "
        f"{right['became_right']:,} became right, {right['became_wrong']:,} became wrong."
    )


def answer_words(answer: Any) -> str:
    """An answer in a table."""
    return number_words(float(f"{answer:.6g}")) if isinstance(answer, float) else _short(category_words(answer))


def _short(text: str) -> str:
    return beginning(printable(text), LONGEST)


def document(found: "Moves", options: dict[str, Any], right: dict[str, Any] | None) -> dict[str, Any]:
    """The difference as data that JSON can hold."""
    shown = [move for move in found.moves if move.changed or options["everyone"]]
    listed = [
        {
            "rows": len(move.rows),
            "old_answer": plain(move.old_answer),
            "new_answer": plain(move.new_answer),
            "old_leaf": move.old_leaf,
            "new_leaf": move.new_leaf,
            "old_way": found.old.way(move.old_leaf),
            "new_way": found.new.way(move.new_leaf),
            **({"which": move.rows.tolist()} if options["with_rows"] else {}),
        }
        for move in shown
    ]
    return {
        "summary": found.sentence(),
        "rows": found.n_rows,
        "changed": found.n_changed,
        "right": right,
        "partings": plain(found.partings),
        "moves": listed,
    }


def csv(found: "Moves", safe: bool = False) -> bytes:
    """Every row with its leaves and its answers; `safe` where no spreadsheet may run a class as a formula."""
    import io

    import numpy as np
    import polars as pl

    from treewright.data.files.formulas import safe_formulas
    from treewright.predict.route import leaves

    sides = (found.old, found.new)
    before, after = found.answers()
    if found.shift is None:
        before, after = list(map(category_words, before)), list(map(category_words, after))
    where = [leaves(side.tree, side.values, side.rule) for side in sides]
    frame = pl.DataFrame(
        {
            "row": np.arange(found.n_rows),
            "old_leaf": where[0],
            "new_leaf": where[1],
            "old_answer": before,
            "new_answer": after,
            "changed": found.changed,
        }
    )
    out = io.BytesIO()
    (safe_formulas(frame) if safe else frame).write_csv(out)
    return out.getvalue()
