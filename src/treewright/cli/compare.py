"""Compare: ID3, C4.5, CART, MDLTree and all prunings on your table, in one report.

In: a table and its target. Out: one table of what every tree is worth and how large it is, a recommendation, and with
-o an HTML file with pictures.
"""

from typing import TYPE_CHECKING, Any

import click

from treewright.cli.contest import estimators_of, next_commands, open_contest
from treewright.cli.output import check_output, output_to, write_output
from treewright.cli.tables import data_argument, data_options
from treewright.cli.terminal import Terminal, bold, faint
from treewright.cli.verb import option, verb
from treewright.errors import ParameterError
from treewright.model.grid import Grid
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.cli.contest import Contest
    from treewright.evaluate.compare import Comparison

COMPARING = "Comparison"


@verb(
    examples=[
        "treewright compare golf.csv --target play",
        "treewright compare iris.csv -t species --ignore petal_length -o report.html",
        "treewright compare iris.csv -t petal_width --folds 5 --json",
    ]
)
@data_argument
@option("--folds", type=click.IntRange(2), metavar="K", group=COMPARING, help="Folds [10; fewer for a large table].")
@option(
    "--pruning",
    "methods",
    metavar="METHOD",
    multiple=True,
    group=COMPARING,
    help="Only these methods, and none; a+b is one after the other.",
)
@option("--regression", is_flag=True, group=COMPARING, help="The target is a number.")
@option("--classes", is_flag=True, group=COMPARING, help="A target of numbers is one of classes.")
@data_options
@output_to("Write a report with pictures to this HTML file.")
def command(terminal: Terminal, **options: Any) -> None:
    """ID3, C4.5, CART, MDLTree and all prunings on your table, in one report.

    Every tree is judged on rows it did not see, in cross-validation. The best is marked, and the smallest tree within
    one standard error of the best is recommended. A target of numbers is answered by regression trees of CART and
    MDLTree, unless it has few whole numbers. With -o the report is one HTML file that needs no network, with pictures
    of the trees.
    """
    from treewright.evaluate.compare import called, compare, n_steps

    path = check_output(options["output"], options["force"])
    methods = read_methods(options["methods"])
    contest = open_contest(options, terminal, without_names=True)
    estimators = estimators_of(contest, {})
    _, rows = next(iter(estimators.values()))._read(contest.X, contest.y, contest.weight)
    with terminal.progress("comparing", n_steps(len(estimators), rows, options["folds"], methods)) as bar:
        found = compare(
            estimators,
            rows,
            folds=options["folds"],
            methods=methods,
            tell=lambda name: bar.advance(what=f"comparing: {called(name)}"),
        )
    commands = next_commands(contest, options, found.shown.algorithm, found.shown.method)
    terminal.give(document(found, contest, commands))
    for note in found.notes:
        terminal.note(f"note: {printable(note)}")
    for line in lines(found):
        terminal.say(line)
    if path is not None:
        write_output(path, page(found, contest, commands), options["force"])
        terminal.note(f"note: the report is in {printable(repr(str(path)))}; open it in a browser.")
    else:
        terminal.note("note: -o report.html writes a report with pictures of the trees.")
    terminal.note(f"note: next, {printable(commands[0][0])}")


def read_methods(given: tuple[str, ...]) -> list[str] | None:
    """The names of methods of pruning; None where none were given."""
    from treewright.cli.tables import listed
    from treewright.prune.registry import METHODS, parts_of

    names = [name.replace("-", "_") for name in listed(given)]
    for one in [part for name in names if name != "none" for part in parts_of(name) or [name]]:
        if one not in METHODS:
            raise ParameterError(f"--pruning {one!r} is not known; choose some of {', '.join(METHODS)} and none.")
    return names or None


def lines(found: "Comparison") -> list[str]:
    """The table and the recommendation, for a terminal."""
    of_shares = [] if found.is_number else ["log loss"]
    head = ["", "algorithm", "pruning", "error" if found.is_number else "accuracy", "±", *of_shares]
    head += ["leaves", "depth", "seconds"]
    rows = [
        [
            "*" if row is found.best else ">" if row is found.recommended else "",
            row.algorithm,
            row.method,
            found.worth(row.scored.error),
            found.give_or_take(row.scored),
            *found.log_loss_words(row.scored),
            f"{row.n_leaves:,}",
            f"{row.made.tree.depth:,}",
            f"{row.made.seconds:.2g}",
        ]
        for row in found.rows
    ]
    shown = Grid(head, rows, [False, False, False, *[True] * (len(head) - 3)], []).lines()
    said = [bold(shown[0])]
    for row, line in zip(found.rows, shown[1:], strict=True):
        if row is found.best or row is found.recommended:
            said.append(click.style(line, fg="green", bold=row is found.recommended))
        else:
            said.append(line)
    what = "root mean squared error" if found.is_number else "accuracy"
    marks = "*: best" if found.best is found.recommended else "*: best, >: recommended"
    what += "" if found.is_number else " and log loss"
    below = f"{what} in {found.cross.folds}-fold cross-validation, ±: one standard error; {marks}"
    return [*said, faint(below), "", printable(found.sentence())]


def document(found: "Comparison", contest: "Contest", commands: list[tuple[str, str]]) -> dict[str, Any]:
    """The comparison as data that JSON can hold."""
    names = ("error", "error_se", "log_loss", "brier", "r2", "difference", "difference_se")
    return {
        "data": contest.source,
        "target": contest.target,
        "rows": contest.n_rows,
        "folds": found.cross.folds,
        "error": found.cross.unit,
        "baseline": {"error": found.baseline, "answer": found.usual},
        "compared": [
            {
                "algorithm": row.algorithm,
                "pruning": row.method,
                "best": row is found.best,
                "recommended": row is found.recommended,
                **{name: getattr(row.scored, name) for name in names},
                "n_leaves": row.n_leaves,
                "depth": row.made.tree.depth,
                "seconds": row.made.seconds,
            }
            for row in found.rows
        ],
        "recommendation": found.sentence(),
        "notes": [*contest.notes, *found.notes],
        "next": [command for command, _ in commands],
    }


def page(found: "Comparison", contest: "Contest", commands: list[tuple[str, str]]) -> str:
    """The comparison as an HTML file."""
    from treewright.evaluate.compare_page import Read, compare_page

    columns = [
        (one.name, "left out" if one.name in contest.left_out else one.kind, one.n_values, one.n_missing, one.why)
        for one in contest.columns
    ]
    read = Read(contest.source, contest.n_rows, contest.target, columns)
    return compare_page(found, read, commands, contest.notes)
