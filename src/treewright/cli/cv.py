"""`treewright cv`: cross-validation of several algorithms on the same folds."""

from typing import Any

import click

from treewright.cli.algorithms import ALGORITHMS, growth_options
from treewright.cli.command import language_option, option, subcommand
from treewright.cli.input_tables import data_argument, data_options
from treewright.cli.terminal import Terminal, bold
from treewright.cli.training_table import make_estimators, open_training_table

CROSS_VALIDATION = "Cross-validation"


@subcommand(
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
    group=CROSS_VALIDATION,
    help="Algorithm; may be repeated. By default all that support the target.",
)
@option(
    "--folds",
    type=click.IntRange(2),
    default=10,
    show_default=True,
    metavar="K",
    group=CROSS_VALIDATION,
    help="Number of folds.",
)
@option(
    "--repeats",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    group=CROSS_VALIDATION,
    help="Number of repetitions.",
)
@option("--classes", is_flag=True, group=CROSS_VALIDATION, help="Treat a target of numbers as classes.")
@growth_options
@language_option
@data_options
def command(terminal: Terminal, **options: Any) -> None:
    """Cross-validate several algorithms on the same folds.

    Folds are stratified, and all algorithms use the same. They do not depend on a random seed or on the order of the
    rows, so the result is always the same. Each repetition divides the rows differently.

    ID3 splits numbers in two here, as C4.5 does. A pruning method that needs validation rows gets a quarter of the
    training rows.
    """
    from treewright.evaluate.cross import cross_validate

    table = open_training_table(options, terminal, needs_target=True)
    estimators = make_estimators(table, options, options["algorithms"])
    k = min(options["folds"], table.n_rows)
    with terminal.progress("cross-validation", len(estimators) * k * options["repeats"]) as bar:
        found = cross_validate(
            estimators,
            table.X,
            table.y,
            table.weight,
            folds=options["folds"],
            repeats=options["repeats"],
            on_progress=lambda name: bar.advance(what=f"cross-validating {name}"),
            language=options["language"],
        )
    terminal.print_json({"data": table.source, "target": table.target, **found.to_dict()})
    head, *lines = found.grid().lines()
    terminal.print(bold(head))
    for i, line in enumerate(lines):
        is_best = i < len(found.rows) and found.rows[i].name == found.best
        terminal.print(bold(line) if is_best else line)
