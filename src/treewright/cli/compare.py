"""`treewright compare`: all algorithms and pruning methods on one table, as a printed table or an HTML report."""

from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import (
    check_output,
    language_option,
    option,
    output_to,
    shown_text,
    subcommand,
    write_output,
)
from treewright.cli.input_tables import data_argument, data_options
from treewright.cli.terminal import Terminal, bold, faint
from treewright.cli.training_table import make_estimators, next_commands, open_training_table
from treewright.errors import ParameterError
from treewright.language import N_, messages
from treewright.model.formatting import printable
from treewright.text_table import Grid

if TYPE_CHECKING:
    from treewright.cli.training_table import TrainingTable
    from treewright.evaluate.compare_algorithms import Comparison

COMPARISON = "Comparison"

KINDS = {
    "number": N_("number"),
    "category": N_("category"),
    "ordered": N_("ordered category"),
    "target": N_("target"),
    "weight": N_("weight"),
    "ignored": N_("ignored"),
}
"""The kinds of columns as the report names them."""


@subcommand(
    examples=[
        "treewright compare golf.csv --target play",
        "treewright compare iris.csv -t species --ignore petal_length -o report.html",
        "treewright compare iris.csv -t petal_width --folds 5 --json",
    ]
)
@data_argument
@option(
    "--folds",
    type=click.IntRange(2),
    metavar="K",
    group=COMPARISON,
    help="Number of folds [10; fewer for a large table].",
)
@option(
    "--pruning",
    "methods",
    metavar="METHOD",
    multiple=True,
    group=COMPARISON,
    help="Pruning methods to try besides none; a+b applies a, then b. May be repeated.",
)
@option(
    "--regression", is_flag=True, group=COMPARISON, help="Train regression trees: the target is a number."
)
@option("--classes", is_flag=True, group=COMPARISON, help="Treat a target of numbers as classes.")
@option(
    "--nested",
    is_flag=True,
    group=COMPARISON,
    help="Estimate the accuracy of the best tree by a cross-validation inside each fold; takes K times as long.",
)
@language_option
@data_options
@output_to("Write a report with pictures to this HTML file.")
def command(terminal: Terminal, **options: Any) -> None:
    """Compare ID3, C4.5, CART and MDLTree with every pruning method.

    Every tree is scored on held-out rows, by cross-validation. The best tree is marked with *, and the smallest tree
    within one standard error of it is recommended. The best tree with at most 20 leaves is marked with r. For a numeric
    target, regression trees of CART and MDLTree are compared, unless it has only a few whole numbers. With -o the
    report is one HTML file with pictures of the trees.
    """
    from treewright.estimators.training_data import read_training_data
    from treewright.evaluate.compare_algorithms import algorithm_name, compare, n_steps

    _ = messages(options["language"])
    path = check_output(options["output"], options["force"])
    methods = read_methods(options["methods"])
    table = open_training_table(options, terminal, needs_target=True)
    estimators = make_estimators(table, {})
    rows = read_training_data(next(iter(estimators.values())), table.X, table.y, table.weight).rows
    steps = n_steps(len(estimators), rows, options["folds"], methods, options["nested"])
    with terminal.progress("comparing", steps) as bar:
        found = compare(
            estimators,
            rows,
            folds=options["folds"],
            methods=methods,
            nested=options["nested"],
            on_progress=lambda name: bar.advance(what=f"comparing: {algorithm_name(name)}"),
            language=options["language"],
        )
    commands = next_commands(table, options, found.shown.algorithm, found.shown.method)
    terminal.print_json(comparison_document(found, table, commands))
    for note in found.notes:
        terminal.note(printable(note))
    for line in comparison_lines(found):
        terminal.print(line)
    if path is not None:
        write_output(path, report_page(found, table, commands), options["force"])
        terminal.note(_("report written to {path}; open it in a browser.", path=printable(repr(str(path)))))
    else:
        terminal.note(_("use -o report.html for a report with pictures of the trees."))
    terminal.note(_("next: {command}", command=printable(commands[0][0])))


def read_methods(given: tuple[str, ...]) -> list[str] | None:
    """Return the names of pruning methods; None if none are given."""
    from treewright.cli.input_tables import split_names
    from treewright.prune.registry import METHODS, parts_of

    names = [name.replace("-", "_") for name in split_names(given)]
    for one in [part for name in names if name != "none" for part in parts_of(name) or [name]]:
        if one not in METHODS:
            raise ParameterError(
                f"Unknown pruning method {one!r}; --pruning takes {', '.join(METHODS)} or none."
            )
    return names or None


def comparison_lines(found: "Comparison") -> list[str]:
    """Return the table and the recommendation, for a terminal."""
    from treewright.evaluate.compare_algorithms import algorithm_name, pruning_name

    _ = messages(found.language)
    in_english = found.language == "en"  # the names are those of --algorithm and --pruning
    head = ["", _("algorithm"), _("pruning"), "RMSE" if found.is_number else _("accuracy"), "±"]
    head += ["R²"] if found.is_number else [_("log loss")]
    head += [_("leaves"), _("depth"), _("seconds")]
    rows = [
        [
            _marks(found, row),
            row.algorithm if in_english else algorithm_name(row.algorithm),
            row.method if in_english else pruning_name(row.method, found.language),
            found.format_score(row.scored.error),
            found.format_score_se(row.scored),
            found.format_second_score(row.scored),
            f"{row.n_leaves:,}",
            f"{row.fitted.tree.depth:,}",
            f"{row.fitted.seconds:.2g}",
        ]
        for row in found.rows
    ]
    shown = Grid(head, rows, [False, False, False, *[True] * (len(head) - 3)], []).lines()
    lines = [bold(shown[0])]
    for row, line in zip(found.rows, shown[1:], strict=True):
        if row is found.best or row is found.recommended:
            lines.append(click.style(line, fg="green", bold=row is found.recommended))
        else:
            lines.append(line)
    if found.is_number:
        scores = _("RMSE and R² in {folds}-fold cross-validation", folds=found.cross.folds)
    else:
        scores = _("accuracy and log loss in {folds}-fold cross-validation", folds=found.cross.folds)
    meanings = [scores, _("±: standard error"), _("*: best"), _(">: recommended")]
    if found.readable_sentence() is not None:
        meanings.append(_("r: best with at most 20 leaves"))
    return [*lines, faint("; ".join(meanings)), *(printable(line) for one in found.sentences() for line in ("", one))]


def _marks(found: "Comparison", row: Any) -> str:
    """Return the marks of a tree: best, recommended, readable."""
    readable = None if found.readable_sentence() is None else found.readable
    marks = (("*", found.best), (">", found.recommended), ("r", readable))
    return "".join(mark for mark, one in marks if one is row)


def comparison_document(
    found: "Comparison", table: "TrainingTable", commands: list[tuple[str, str]]
) -> dict[str, Any]:
    """Return the comparison as data that JSON can hold."""
    names = ("error", "error_se", "log_loss", "brier", "r2", "difference", "difference_se", "fold_errors")
    return {
        "data": table.source,
        "target": table.target,
        "rows": table.n_rows,
        "folds": found.cross.folds,
        "error": found.cross.unit,
        "baseline": {"error": found.baseline, "prediction": found.baseline_class},
        "compared": [
            {
                "algorithm": row.algorithm,
                "pruning": row.method,
                "best": row is found.best,
                "recommended": row is found.recommended,
                "readable": row is found.readable,
                **{name: getattr(row.scored, name) for name in names},
                "n_leaves": row.n_leaves,
                "depth": row.fitted.tree.depth,
                "seconds": row.fitted.seconds,
            }
            for row in found.rows
        ],
        "nested": {"error": found.nested_error, "inside_each_fold": found.is_nested},
        "recommendation": found.sentence(),
        "remarks": found.sentences()[1:],
        "notes": [*table.notes, *found.notes],
        "next": [command for command, _ in commands],
    }


def report_page(found: "Comparison", table: "TrainingTable", commands: list[tuple[str, str]]) -> str:
    """Return the comparison as an HTML file."""
    from treewright.evaluate.compare_page import ColumnSummary, TableSummary, compare_page

    _ = messages(found.language)
    columns = [
        ColumnSummary(
            one.name,
            _(KINDS[one.kind]),
            one.n_values,
            one.n_missing,
            shown_text(one.why, found.language),
        )
        for one in table.columns
    ]
    return compare_page(
        found, TableSummary(table.source, table.n_rows, table.target, columns), commands, table.notes
    )
