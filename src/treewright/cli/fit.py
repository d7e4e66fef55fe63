"""Fit: grow a tree on a table, prune it, and keep it as a model file.

In: a table, its target, an algorithm. Out: the tree, its errors and its size; with -o a model file.
"""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.algorithms import algorithm_options, new_estimator, with_labels
from treewright.cli.fit_table import TrainingTable, open_more, open_training_table
from treewright.cli.output import check_output, output_to
from treewright.cli.tables import data_argument, data_options
from treewright.cli.terminal import Terminal
from treewright.cli.verb import option, verb

if TYPE_CHECKING:
    from treewright.evaluate.results import Scored

ERRORS, KEPT = "Errors", "What is kept"
FOLDS = 10
LARGE = 5_000_000
"""Cells of a table above which it is cross-validated only when folds are asked for."""

MOST_NODES, MOST_CELLS = 1_000, 300_000
"""The largest tree and table whose ledgers are kept when nobody says what to keep: some seconds, and megabytes."""


@verb(
    examples=[
        "treewright fit golf.csv --target play -o golf.json",
        "treewright fit iris.csv -t species -a cart --pruning none --max-depth 3",
        "treewright fit iris.csv -t petal_width --regression --ignore species --folds 5",
        "treewright fit golf.csv -t play -a id3 --set numeric=bisect --no-cv --json",
    ]
)
@data_argument
@algorithm_options
@option(
    "--validation",
    metavar="FILE|FRACTION",
    group=ERRORS,
    help="Rows that the tree is pruned by and not grown on: a file, or a share of the table such as 0.3.",
)
@option("--folds", type=click.IntRange(2), metavar="N", group=ERRORS, help=f"Folds of cross-validation [{FOLDS}].")
@option("--no-cv", is_flag=True, group=ERRORS, help="No cross-validation.")
@data_options
@output_to("Keep the model in this file; .gz and .zst are compressed.")
@option(
    "--keep",
    type=click.Choice(("auto", "none", "ledgers", "rows")),
    default="auto",
    group="Output",
    help="What the model file has besides the tree: ledgers answer `why`, rows everything; auto: ledgers of up to "
    f"{MOST_NODES:,} nodes from tables of up to {MOST_CELLS:,} cells.",
)
@option("--depth", type=click.IntRange(0), metavar="N", group="Output", help="Print the tree to this depth.")
def command(terminal: Terminal, **options: Any) -> None:
    """Grow a tree on a table, prune it, and keep it as a model file.

    DATA is a CSV, TSV, Parquet, Arrow, JSON-lines or ARFF file, a C4.5 .names file, or - for stdin; compressed files
    are read too. Prints what the columns were taken for, the tree, its error on the training rows and in
    cross-validation, and the confusion matrix.
    """
    from treewright.cli.fit_report import as_document, as_lines

    path = check_output(options["output"], options["force"])
    table = open_training_table(options, terminal)
    estimator = with_labels(new_estimator(options, categorical_features=table.categorical_features), table.y)
    began = perf_counter()
    with terminal.waiting(f"growing a tree on {len(table.y):,} rows"):
        held_out = fit(estimator, table, options, terminal)
    seconds = perf_counter() - began
    cross = cross_validated(estimator, table, options, terminal)
    found = {
        "table": table,
        "estimator": estimator,
        "scores": scores(estimator, table, held_out),
        "cross": cross,
        "seconds": seconds,
        "model": None if path is None else str(path),
    }
    if path is not None:
        save(estimator, path, options, terminal, small=table.n_cells <= MOST_CELLS)
    else:
        terminal.note("note: the model is not kept; -o FILE keeps it.")
    if terminal.as_json:
        terminal.give(as_document(found))
    for line in as_lines(found, options["depth"]):
        terminal.say(line)


def fit(estimator: Any, table: TrainingTable, options: dict[str, Any], terminal: Terminal) -> TrainingTable | None:
    """Fit the estimator, with validation rows where they are given; a file of them is given back."""
    given, held_out = options["validation"], None
    if given is not None:
        fraction = _fraction(given)
        if fraction is not None:
            estimator.set_params(validation_fraction=fraction)
        else:
            held_out = open_more(table, given, options, terminal)
    validation = {}
    if held_out is not None:
        validation = {"X_val": held_out.X, "y_val": held_out.y, "sample_weight_val": held_out.weight}
    estimator.fit(table.X, table.y, table.weight, **validation)
    return held_out


def scores(estimator: Any, table: TrainingTable, held_out: TrainingTable | None) -> dict[str, Any]:
    """How right the tree is on the rows it was grown on, and on those it was pruned by."""
    from treewright.estimators.costs import unpriced
    from treewright.evaluate.scores import score

    tree, how = estimator.tree_, estimator._asking()
    rows, validation = estimator._rows_again(table.X, table.y, table.weight)
    if held_out is not None:
        validation = estimator._validation(held_out.X, held_out.y, held_out.weight, how)
    found = {"training": score(tree, unpriced(rows, tree.answering), how.rule)}
    if validation is not None:
        found["validation"] = score(tree, unpriced(validation, tree.answering), how.rule)
    return found


def cross_validated(
    estimator: Any, table: TrainingTable, options: dict[str, Any], terminal: Terminal
) -> "tuple[int, Scored] | None":
    """The folds and the error in cross-validation; None where there is none, and a note says why."""
    folds, asked = options["folds"] or FOLDS, options["folds"] is not None
    if options["no_cv"]:
        return None
    if table.n_cells > LARGE and not asked:
        terminal.note(f"note: not cross-validated, because the table is large; --folds {FOLDS} does it all the same.")
        return None
    if options["validation"] is not None and estimator.validation_fraction is None:
        terminal.note("note: not cross-validated, because the validation rows are a file of their own.")
        return None
    from treewright.errors import InputError
    from treewright.evaluate.cross import cross_validate

    n = min(folds, len(table.y))
    if n < 2:
        return None
    try:
        with terminal.progress("cross-validation", n) as bar:
            rows = table.X, table.y, table.weight
            found = cross_validate({"it": estimator}, *rows, folds=n, tell=lambda _: bar.advance())
    except InputError as error:
        terminal.note(f"note: not cross-validated: {error}")
        return None
    return found.folds, found.rows[0]


def save(estimator: Any, path: Path, options: dict[str, Any], terminal: Terminal, *, small: bool) -> None:
    """Keep the model, and say what besides the tree is in the file; `small` says whether the table is."""
    keep = options["keep"]
    ledgers = keep == "ledgers" or (keep == "auto" and small and estimator.tree_.n_nodes <= MOST_NODES)
    with terminal.waiting("writing the model"):
        estimator.save(path, ledgers=ledgers, rows=keep == "rows", overwrite=options["force"])
    if keep == "auto":
        said = "keeps the ledgers of its nodes, for `treewright why`" if ledgers else "keeps no ledgers and no rows"
        other = "--keep none leaves them out" if ledgers else "--keep ledgers keeps those, for `treewright why`"
        terminal.note(f"note: {path.name!r} {said}; {other}.")


def _fraction(given: str) -> float | None:
    """A share of the table, where that is written; a path otherwise."""
    try:
        return float(given)
    except ValueError:
        return None
