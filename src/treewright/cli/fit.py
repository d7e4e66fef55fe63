"""`treewright fit`: train a tree on a table, print a report, and save the model."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.algorithms import GROWTH, algorithm_options, new_estimator, with_labels
from treewright.cli.command import (
    OUTPUT,
    FileName,
    check_output,
    language_option,
    option,
    output_to,
    subcommand,
)
from treewright.cli.fit_source import ENGINES, fit_files, source_document, source_lines
from treewright.cli.input_tables import data_argument, data_options
from treewright.cli.models import (
    aligned_pairs,
    chosen_parameters,
    describe_algorithm,
    describe_size,
    size_dict,
    tree_lines,
)
from treewright.cli.option_values import read_validation
from treewright.cli.terminal import Terminal, bold
from treewright.cli.training_table import (
    TrainingTable,
    open_training_table,
    open_validation_table,
)
from treewright.errors import InputError, ParameterError
from treewright.language import N_, messages
from treewright.model.formatting import printable, truncate
from treewright.text_table import Grid

if TYPE_CHECKING:
    from treewright.evaluate.cross_results import CrossValidationScore
    from treewright.evaluate.scores import Scores

ERRORS, SCALE = "Validation", "Tables larger than memory"
FOLDS = 10
MAX_CV_CELLS = 5_000_000
"""Larger tables are cross-validated only with --folds."""

MAX_LEDGER_NODES, MAX_LEDGER_CELLS = 1_000, 300_000
"""The largest tree and table whose ledgers --keep auto saves: some seconds, and megabytes."""

MAX_COLUMNS = 30
"""Columns whose kinds are printed."""

MAX_NAME = 40
"""Characters of a column name in the list."""

KINDS = {
    "number": N_("number"),
    "category": N_("category"),
    "ordered": N_("ordered category"),
    "date": N_("date"),
    "weight": N_("weight"),
    "ignored": N_("ignored"),
}


@dataclass(frozen=True, slots=True, eq=False)
class FitResult:
    """A fitted estimator and its scores.

    scores   by the rows they are of: "training", and "validation" if there are validation rows
    cross    number of folds and cross-validated scores; None without cross-validation
    seconds  time of the fit
    path     the model file; None if it is not saved
    """

    table: TrainingTable
    estimator: Any
    scores: "dict[str, Scores]"
    cross: "tuple[int, CrossValidationScore] | None"
    seconds: float
    path: str | None


@subcommand(
    examples=[
        "treewright fit golf.csv --target play -o golf.json",
        "treewright fit iris.csv -t species -a cart --pruning none --max-depth 3",
        "treewright fit iris.csv -t petal_width --regression --ignore species --folds 5",
        "treewright fit golf.csv -t play -a id3 --set numeric=bisect --no-cv --json",
        "treewright fit iris.csv -t species --engine local --memory 2GB -o model.json",
    ]
)
@data_argument
@algorithm_options
@option(
    "--validation",
    metavar="FILE|FRACTION",
    group=ERRORS,
    help="Validation rows for pruning: a file, or a fraction of the table such as 0.3.",
)
@option(
    "--folds", type=click.IntRange(2), metavar="N", group=ERRORS, help=f"Folds of cross-validation [{FOLDS}]."
)
@option("--classes", is_flag=True, group=GROWTH, help="Treat a target of numbers as classes.")
@option("--no-cv", is_flag=True, group=ERRORS, help="Skip cross-validation.")
@data_options
@output_to("Save the model to this file; .gz and .zst are compressed.")
@option(
    "--keep",
    type=click.Choice(("auto", "none", "ledgers", "rows")),
    default="auto",
    group=OUTPUT,
    help="What to save besides the tree: ledgers (the candidate splits, for `why`) or the training rows (for all "
    f"commands). auto: ledgers of up to {MAX_LEDGER_NODES:,} nodes and {MAX_LEDGER_CELLS:,} table cells.",
)
@option("--depth", type=click.IntRange(0), metavar="N", group=OUTPUT, help="Print the tree to this depth.")
@option(
    "--engine",
    type=click.Choice(ENGINES),
    group=SCALE,
    help="Train on files that are larger than memory: local reads them in batches; DuckDB, Dask or Spark counts "
    "their rows. DATA may be a pattern such as 'data/*.parquet'.",
)
@option(
    "--memory",
    metavar="SIZE",
    group=SCALE,
    help="Memory for counts and fetched rows, such as 500MB or 2GB [1GB].",
)
@option(
    "--checkpoint",
    type=FileName(),
    metavar="PATH",
    group=SCALE,
    help="Write this file after each level; if it exists, go on from it.",
)
@language_option
def command(terminal: Terminal, **options: Any) -> None:
    """Train a decision tree on a table and save it as a model file.

    By default it is an MDLTree: a classification tree, or a regression tree if the target is a number with more than 10
    distinct values or with decimals. Row numbers, identifiers, free text and constant columns are ignored; notes name
    them, and the options that keep them.

    DATA is a CSV, TSV, Parquet, Arrow, JSON Lines or ARFF file, a C4.5 .names file, or - for stdin; it may be
    compressed. Prints the kinds of the columns, the tree, its error on the training rows and in cross-validation, and
    the confusion matrix.

    With --engine the rows are not read into memory: DATA is a pattern of Parquet or CSV files, and errors are not
    computed.
    """
    _ = messages(options["language"])
    if options["engine"] is not None:
        on_files = fit_files(options, terminal)
        terminal.print_json(source_document(on_files))
        for line in source_lines(on_files, options["depth"], options["language"]):
            terminal.print(line)
        return
    for name in ("memory", "checkpoint"):
        if options[name] is not None:
            raise ParameterError(f"--{name} requires --engine, such as --engine local; leave it out.")
    path = check_output(options["output"], options["force"])
    table = open_training_table(options, terminal)
    options["regression"] = table.regression
    estimator = with_labels(new_estimator(options, categorical_features=table.categorical_features), table.y)
    began = perf_counter()
    with terminal.clock(f"growing a tree on {table.n_rows:,} rows"):
        validation = fit_estimator(estimator, table, options, terminal)
    if table.ignored:
        estimator._ignored = table.ignored
    seconds = perf_counter() - began
    cross = cross_validate_fit(estimator, table, options, terminal)
    scores = score_fit(estimator, table, validation)
    found = FitResult(table, estimator, scores, cross, seconds, None if path is None else str(path))
    if path is not None:
        save_model(estimator, path, options, terminal, small=table.n_cells <= MAX_LEDGER_CELLS)
    else:
        terminal.note(_("the model is not saved; use -o FILE."))
    if terminal.as_json:
        terminal.print_json(report_document(found))
        return
    for line in report_lines(found, options["depth"], options["language"]):
        terminal.print(line)


def fit_estimator(
    estimator: Any, table: TrainingTable, options: dict[str, Any], terminal: Terminal
) -> TrainingTable | None:
    """Fit the estimator, and return the table of validation rows if it is a file."""
    given = None if options["validation"] is None else read_validation(options["validation"])
    if isinstance(given, str):
        found = open_validation_table(table, given, options, terminal)
        validation = {"X_val": found.X, "y_val": found.y, "sample_weight_val": found.weight}
        estimator.fit(table.X, table.y, table.weight, **validation)
        return found
    if given is not None:
        estimator.set_params(validation_fraction=given)
    estimator.fit(table.X, table.y, table.weight)
    return None


def score_fit(
    estimator: Any, table: TrainingTable, validation_table: TrainingTable | None
) -> "dict[str, Scores]":
    """Return the scores on the training rows, and on the validation rows if there are any."""
    from treewright.estimators.class_probabilities import remove_cost_factors
    from treewright.estimators.training_data import (
        LabelledRows,
        encode_training_rows_again,
        encode_validation_rows,
    )
    from treewright.evaluate.scores import score_tree

    tree, policy = estimator.tree_, estimator._prediction_policy()
    rows, validation = encode_training_rows_again(estimator, LabelledRows(table.X, table.y, table.weight))
    if validation_table is not None:
        given = LabelledRows(validation_table.X, validation_table.y, validation_table.weight)
        validation = encode_validation_rows(estimator, given)
    found = {"training": score_tree(tree, remove_cost_factors(rows, tree.prediction_rule), policy.rule)}
    if validation is not None:
        found["validation"] = score_tree(
            tree, remove_cost_factors(validation, tree.prediction_rule), policy.rule
        )
    return found


def cross_validate_fit(
    estimator: Any, table: TrainingTable, options: dict[str, Any], terminal: Terminal
) -> "tuple[int, CrossValidationScore] | None":
    """Return the number of folds and the cross-validated scores; None, with a note, if that is not possible."""
    _ = messages(options["language"])
    if options["no_cv"]:
        return None
    if table.n_cells > MAX_CV_CELLS and options["folds"] is None:
        terminal.note(_("not cross-validated because the table is large; use --folds {n}.", n=FOLDS))
        return None
    if options["validation"] is not None and estimator.validation_fraction is None:
        terminal.note(_("not cross-validated because the validation rows are in a file."))
        return None
    folds = min(options["folds"] or FOLDS, table.n_rows)
    if folds < 2:
        return None
    from treewright.evaluate.cross import cross_validate

    try:
        with terminal.progress("cross-validation", folds) as bar:
            rows = table.X, table.y, table.weight
            found = cross_validate({"it": estimator}, *rows, folds=folds, on_progress=lambda _name: bar.advance())
    except InputError as error:
        terminal.note(_("not cross-validated: {error}", error=error.cli_message))
        return None
    return found.folds, found.rows[0]


def save_model(
    estimator: Any, path: Path, options: dict[str, Any], terminal: Terminal, *, small: bool
) -> None:
    """Save the model, and with --keep auto print what is in the file; `small` is whether the table is."""
    _, keep = messages(options["language"]), options["keep"]
    ledgers = keep == "ledgers" or (keep == "auto" and small and estimator.tree_.n_nodes <= MAX_LEDGER_NODES)
    with terminal.clock("writing the model"):
        estimator.save(path, ledgers=ledgers, rows=keep == "rows", overwrite=options["force"])
    if keep == "auto" and ledgers:
        terminal.note(
            _("{path} includes ledgers for `treewright why`; use --keep none to omit them.", path=repr(path.name))
        )
    elif keep == "auto":
        terminal.note(_("{path} has no ledgers; use --keep ledgers for `treewright why`.", path=repr(path.name)))


def report_lines(found: FitResult, depth: int | None, language: str = "en") -> list[str]:
    """Return the printed report of a fit."""
    from treewright.evaluate.score_report import confusion_lines
    from treewright.evaluate.scores import ClassScores

    _ = messages(language)
    estimator, table = found.estimator, found.table
    lines = [
        *heading_lines(table.source, table.X.shape, table.target, table.columns, language),
        *tree_part(estimator, depth, language),
        *aligned_pairs(error_pairs(found, language)),
        "",
    ]
    rows, scores = list(found.scores.items())[-1]
    if isinstance(scores, ClassScores):
        if rows == "validation":
            title = _("Confusion matrix on the validation rows")
        else:
            title = _("Confusion matrix on the training rows")
        lines += [bold(title), *confusion_lines(scores, language), ""]
    return lines + closing_lines(estimator.tree_, found.path, found.seconds, language)


def heading_lines(
    source: str, shape: tuple[int, int], target: str, columns: Any, language: str = "en"
) -> list[str]:
    """Return the lines about the table: its name and size, and the kinds of its columns."""
    _, (n_rows, n_columns) = messages(language), shape
    title = _(
        "{source}: {rows}, {columns}, target {target}",
        source=printable(source),
        rows=_.plural("{n} row", "{n} rows", n_rows, n=f"{n_rows:,}"),
        columns=_.plural("{n} column", "{n} columns", n_columns, n=f"{n_columns:,}"),
        target=printable(target),
    )
    return [bold(title), *column_lines(columns, language), ""]


def tree_part(estimator: Any, depth: int | None, language: str = "en") -> list[str]:
    """Return the algorithm, the size of the tree, and the tree."""
    _, tree, grown = messages(language), estimator.tree_, estimator.grown_tree_
    names = {"algorithm": describe_algorithm(estimator, language), "size": describe_size(tree, language)}
    if grown.n_nodes == tree.n_nodes:
        size = _("{algorithm}: {size}", **names)
    else:
        size = _(
            "{algorithm}: {size} (before pruning: {grown})", **names, grown=describe_size(grown, language)
        )
    return [bold(size), "", *tree_lines(tree, depth, language=language), ""]


def closing_lines(tree: Any, path: str | None, seconds: float, language: str = "en") -> list[str]:
    """Return where the model is saved, its fingerprint and the time of the fit."""
    _ = messages(language)
    saved = [] if path is None else [(_("model"), printable(repr(path)))]
    return aligned_pairs([*saved, (_("fingerprint"), tree.fingerprint()), (_("time"), f"{seconds:.2f} s")])


def error_pairs(found: FitResult, language: str = "en") -> list[tuple[str, str]]:
    """Return the errors on the training rows, on the validation rows and in cross-validation, with their names."""
    from treewright.evaluate.score_report import describe_error, percent
    from treewright.evaluate.scores import ClassScores

    _ = messages(language)
    names = {"training": (_("training error"), _("training cost"))}
    names["validation"] = (_("validation error"), _("validation cost"))
    pairs = []
    for name, scores in found.scores.items():
        pairs.append((names[name][0], describe_error(scores, language)))
        if isinstance(scores, ClassScores) and scores.mean_cost is not None:
            pairs.append((names[name][1], _("{cost} per prediction", cost=f"{scores.mean_cost:.5g}")))
    if found.cross is None:
        return pairs
    folds, scored = found.cross
    if scored.log_loss is None:
        r2 = "" if scored.r2 is None else f", R² {scored.r2:.5g}"
        error = _("{error} ({folds} folds)", error=f"RMSE {scored.error**0.5:.5g}{r2}", folds=folds)
    else:
        both = f"{percent(scored.error)} ± {percent(scored.error_se)}"
        error = _("{error} ({folds} folds, standard error)", error=both, folds=folds)
    pairs.append((_("cross-validated error"), error))
    if scored.cost is not None:
        cost = f"{scored.cost:.5g} ± {scored.cost_se:.2g}"
        pairs.append((_("cross-validated cost"), _("{cost} per prediction", cost=cost)))
    return pairs


def column_lines(columns: Any, language: str = "en") -> list[str]:
    """Return the kinds of the columns."""
    _ = messages(language)
    features = [one for one in columns if one.kind != "target"]
    rows = []
    for one in features[:MAX_COLUMNS]:
        n, n_missing = one.n_values, one.n_missing
        values = "" if n is None else _.plural("{n} value", "{n} values", n, n=f"{n:,}")
        missing = _("{n} missing", n=f"{n_missing:,}") if n_missing else ""
        rows.append([f"  {truncate(printable(one.name), MAX_NAME)}", _(KINDS[one.kind]), values, missing])
    more = len(features) - MAX_COLUMNS
    below = (
        ["  " + _.plural("… {n} more column", "… {n} more columns", more, n=f"{more:,}")] if more > 0 else []
    )
    return Grid(rows[0], rows[1:], [False, False, True, True], below).lines() if rows else below


def report_document(found: FitResult) -> dict[str, Any]:
    """Return the report as data that JSON can hold."""
    estimator, table = found.estimator, found.table
    names = ("name", "kind", "n_values", "n_missing", "why")
    scores = {name: scores.to_dict() for name, scores in found.scores.items()}
    return {
        "model": found.path,
        "fingerprint": estimator.tree_.fingerprint(),
        "table": {
            "source": table.source,
            "rows": table.n_rows,
            "target": table.target,
            "columns": [{name: getattr(one, name) for name in names} for one in table.columns],
        },
        "estimator": type(estimator).__name__,
        "parameters": chosen_parameters(estimator),
        "tree": {**size_dict(estimator.tree_), "text": estimator.tree_.to_text()},
        "grown": size_dict(estimator.grown_tree_),
        "training": scores["training"],
        "validation": scores.get("validation"),
        "cross_validation": None if found.cross is None else cross_document(*found.cross),
        "seconds": found.seconds,
    }


def cross_document(folds: int, scored: "CrossValidationScore") -> dict[str, Any]:
    """Return cross-validated scores as data; the error of a regression tree is the mean squared error."""
    names = ("error", "error_se", "log_loss", "brier", "r2", "n_leaves", "depth")
    cost = {} if scored.cost is None else {"cost": scored.cost, "cost_se": scored.cost_se}
    return {"folds": folds, **{name: getattr(scored, name) for name in names}, **cost}
