"""Cv: cross-validate algorithms side by side.

In: a table and its target. Out: for each algorithm its error on rows it did not see, with a standard error, its size
and its time, and how far it is behind the best.
"""

from typing import Any

import click

from treewright.cli.algorithms import ALGORITHMS, growth_options
from treewright.cli.contest import estimators_of, open_contest
from treewright.cli.tables import data_argument, data_options
from treewright.cli.terminal import Terminal, bold
from treewright.cli.verb import option, verb

FOLDING = "Cross-validation"


@verb(
    examples=[
        "treewright cv golf.csv --target play",
        "treewright cv iris.csv -t species -a c4.5 -a cart --folds 5 --repeats 4",
        "treewright cv iris.csv -t petal_width --json",
    ]
)
@data_argument
@option(
    "-a",
    "--algorithm",
    "algorithms",
    type=click.Choice(ALGORITHMS),
    multiple=True,
    group=FOLDING,
    help="May be given several times; otherwise all that fit the target.",
)
@option("--folds", type=click.IntRange(2), default=10, show_default=True, metavar="K", group=FOLDING, help="Parts.")
@option(
    "--repeats", type=click.IntRange(1), default=1, show_default=True, metavar="N", group=FOLDING, help="Deals."
)
@option("--classes", is_flag=True, group=FOLDING, help="A target of numbers is one of classes.")
@growth_options
@data_options
def command(terminal: Terminal, **options: Any) -> None:
    """Cross-validate algorithms side by side.

    The rows are dealt into K parts; each is answered by trees grown on the others. Every class is shared out evenly,
    and all algorithms get the same parts: without chance, so that the figures are the same every time and for every
    order of the rows. With --repeats the rows are dealt anew that often.

    ID3 cuts numbers in two here, as C4.5 does. A method of pruning that needs validation rows gets a quarter of each
    training part.
    """
    from treewright.evaluate.cross import cross_validate

    contest = open_contest(options, terminal)
    estimators = estimators_of(contest, options, options["algorithms"])
    k = min(options["folds"], contest.n_rows)
    with terminal.progress("cross-validation", len(estimators) * k * options["repeats"]) as bar:
        found = cross_validate(
            estimators,
            contest.X,
            contest.y,
            contest.weight,
            folds=options["folds"],
            repeats=options["repeats"],
            tell=lambda name: bar.advance(what=f"cross-validating {name}"),
        )
    terminal.give({"data": contest.source, "target": contest.target, **found.to_dict()})
    lines = found.grid().lines()
    head, rows, below = lines[0], lines[1 : len(found.rows) + 1], lines[len(found.rows) + 1 :]
    terminal.say(bold(head))
    for scored, line in zip(found.rows, rows, strict=True):
        terminal.say(bold(line) if scored.name == found.best else line)
    for line in below:
        terminal.say(line)
