"""Training tables for `fit`, `cv` and `compare`, and the estimators to compare.

What the options leave open is decided from the table, and printed as a note: which column is the target, whether a
target of numbers means classes or regression, and which columns are ignored.
"""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from treewright.cli.algorithms import ALGORITHMS, REGRESSION_ALGORITHMS, new_estimator, with_labels
from treewright.cli.command import shown_text
from treewright.cli.input_tables import open_data, reader_options, split_names, text_options
from treewright.cli.terminal import Terminal
from treewright.data.files.error_text import quote_value
from treewright.data.files.translatable import Translatable
from treewright.data.ignored_columns import IGNORED, IgnoredColumn
from treewright.data.schema import Column
from treewright.errors import InputError, ParameterError
from treewright.language import messages
from treewright.model.formatting import printable

if TYPE_CHECKING:
    import polars as pl

    from treewright.data.files.loaded_data import Data, ReadColumn

MAX_COLUMNS = 6
"""Columns that a note names."""

VALIDATION_FRACTION = 0.25
"""Fraction of the rows held out for a pruning method that needs validation rows."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTable:
    """A labelled table.

    X, y, weight          as an estimator takes them
    columns               the kind of each column of the file, and why
    target                name of the target
    source                name of the table in messages
    categorical_features  as an estimator takes them
    regression            whether the target is a number
    notes                 what was decided from the table
    ignored               columns that were left out because of their values
    """

    X: Any
    y: Any
    weight: Any
    columns: "tuple[ReadColumn, ...]"
    target: str
    source: str
    categorical_features: Any
    regression: bool = False
    notes: tuple[str, ...] = ()
    ignored: tuple[IgnoredColumn, ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def n_cells(self) -> int:
        return int(self.X.shape[0] * self.X.shape[1])


def open_training_table(
    options: Mapping[str, Any], terminal: Terminal, *, needs_target: bool = False
) -> TrainingTable:
    """Read the table of `fit`, `cv` or `compare`; notes say what was decided from it, and which columns are ignored.

    needs_target  whether --target is required; otherwise the last column is the target without it
    """
    data = open_data(options)
    if data.y is None and needs_target:
        names = ", ".join(printable(repr(name)) for name in data.X.columns[:12])
        more = ", …" if data.X.width > 12 else ""
        raise InputError(f"--target is required; the columns are {names}{more}.")
    if data.y is None:
        data = _with_last_column_as_target(data, options, terminal)
    if data.y is None or not data.X.width:
        raise InputError("The table has no column besides the target; use a table with more columns.")
    language = terminal.language
    regression, notes = _kind_of_target(data.y, options, language)
    y = data.y
    if regression and y.dtype.is_numeric():
        y = y.cast(float)
    elif y.dtype.is_float():
        from treewright.data.files.column_kinds import number_text

        y = number_text(y)
    found = replace(_training_table(data), y=y, regression=regression)
    found, more_notes = _check_columns(found, options, language)
    notes = [*(shown_text(note, language) for note in data.notes), *notes, *more_notes]
    _print_notes(notes, terminal)
    return replace(found, notes=tuple(notes))


def open_validation_table(
    table: TrainingTable, path: str, options: Mapping[str, Any], terminal: Terminal
) -> TrainingTable:
    """Read another table with the columns and kinds of a training table."""
    from treewright.data.encode import attached_formats
    from treewright.data.files.column_names import columns_named
    from treewright.data.files.stream import open_stream
    from treewright.data.files.table_reader import read

    if path != "-":
        with open_stream(path, *text_options(options)) as stream:
            lacking = [name for name in (*table.X.columns, table.target) if name not in stream.types]
        if lacking:
            raise InputError(
                f"Column {lacking[0]!r} not found in {path!r}; it must have the columns of {table.source!r}."
            )
    given = reader_options(options)
    kinds = {one.name: one.kind for one in table.columns}
    given["numeric"] = [name for name, kind in kinds.items() if kind == "number"]
    given["categorical"] = [name for name, kind in kinds.items() if kind == "category"]
    formats = attached_formats(table.X)
    given["dates"] = {name: formats[name] for name, kind in kinds.items() if kind == "date" and name in formats} or None
    data = read(path, table.target, **given)
    _print_notes(data.notes, terminal)
    found = _training_table(data)
    return replace(found, X=found.X.select(columns_named(table.X.columns)))


def refuse_text(y: "pl.Series") -> None:
    """Raise an error if a target of regression is not numeric."""
    if not y.dtype.is_numeric() and y.dtype != bool:
        raise InputError(
            f"Target {y.name!r} must contain numbers for --regression, got {quote_value(str(y[0]))}; leave out "
            "--regression to predict classes."
        )


def make_estimators(
    table: TrainingTable, options: Mapping[str, Any], algorithms: Iterable[str] = ()
) -> dict[str, Any]:
    """Return an estimator for each algorithm, with the given parameters; ID3 splits numbers in two."""
    chosen = list(dict.fromkeys(algorithms)) or list(
        REGRESSION_ALGORITHMS if table.regression else ALGORITHMS
    )
    given = {**options, "regression": table.regression}
    found = {}
    for name in chosen:
        own: dict[str, Any] = {"categorical_features": table.categorical_features}
        if name == "id3":
            own["numeric"] = "bisect"
        estimator = with_labels(new_estimator(given, name, **own), table.y)
        method = estimator._method()
        if method is not None and "validation" in method.needs and estimator.validation_fraction is None:
            estimator.set_params(validation_fraction=VALIDATION_FRACTION)
        found[name] = estimator
    return found


def next_commands(
    table: TrainingTable, options: Mapping[str, Any], algorithm: str, method: str
) -> list[tuple[str, str]]:
    """Return the commands to type after a comparison, each with what it does."""
    _ = messages(options.get("language", "en"))
    data, target = options["data"], shlex.quote(table.target)
    path = shlex.quote(f"./{data}" if data.startswith("-") and data != "-" else data)
    pruning, limit = method.removesuffix("max_leaves").removesuffix("+") or "none", method.endswith("max_leaves")
    fit = f"treewright fit {path} --target {target} --algorithm {algorithm} --pruning {pruning}"
    fit += " --size readable" if limit else ""
    if {"reduced_error", "pre_pruning"} & set(method.split("+")):
        fit += f" --validation {VALIDATION_FRACTION}"
    if algorithm == "id3":
        fit += " --set numeric=bisect"
    if table.regression or options.get("classes"):
        fit += " --regression" if table.regression else " --classes"
    for name in ("ignore", "categorical", "numeric", "ordered", "date"):
        fit += "".join(f" --{name} {shlex.quote(value)}" for value in options.get(name, ()))
    for name in ("weights", "delimiter", "encoding", "decimal", "format", "schema"):
        fit += f" --{name} {shlex.quote(options[name])}" if options.get(name) else ""
    fit += "".join(f" --missing-marker {shlex.quote(value)}" for value in options.get("missing_marker", ()))
    fit += {True: " --header", False: " --no-header", None: ""}[options.get("header")]
    return [
        (f"{fit} -o model.json", _("Train this tree on all rows and save it as a model file.")),
        ("treewright show model.json", _("Print it.")),
        ("treewright plot model.json -o tree.html", _("Explore it in a browser, node by node.")),
        ("treewright consult model.json", _("Predict interactively, asking only for values that matter.")),
        (
            f"treewright predict model.json {path} -o predictions.csv",
            _("Add predictions to the rows of a table."),
        ),
    ]


def _with_last_column_as_target(data: "Data", options: Mapping[str, Any], terminal: Terminal) -> "Data":
    names = [one.name for one in data.columns if one.kind in ("number", "category", "ordered", "date")]
    if len(names) < 2:
        raise InputError(
            f"{data.source!r} has only one column; use a table with a target and at least one other column."
        )
    if options["data"] == "-":
        raise InputError(f"--target is required for a table from stdin; the last column is {names[-1]!r}.")
    _ = messages(terminal.language)
    name = printable(repr(names[-1]))
    terminal.note(_("--target is not given; using the last column, {column}.", column=name))
    return open_data({**options, "target": names[-1]})


def _training_table(data: "Data") -> TrainingTable:
    if data.y is None or data.target is None:
        raise InputError(f"{data.source!r} has no target; use --target.")
    return TrainingTable(
        data.X, data.y, data.sample_weight, data.columns, data.target, data.source, data.categorical_features
    )


def _print_notes(notes: Iterable[str], terminal: Terminal) -> None:
    for note in notes:
        terminal.note(printable(shown_text(note, terminal.language)))


def _check_columns(
    table: TrainingTable, options: Mapping[str, Any], language: str
) -> tuple[TrainingTable, list[str]]:
    """Return the table without the columns to ignore, and notes about them and about possible leaks of the target."""
    import numpy as np

    from treewright.data.encode import attach_formats, attached_formats, read_table
    from treewright.data.files.column_names import columns_named
    from treewright.evaluate.table_checks import find_ignored
    from treewright.evaluate.table_findings import TargetColumn, has_many_classes, leak_note
    from treewright.evaluate.target_leaks import find_leaks

    encoded = read_table(table.X, table.categorical_features)
    kept = [*split_names(options["categorical"]), *split_names(options["numeric"])]
    ignored = tuple(find_ignored(encoded.columns, encoded.values, kept))
    names = {one.name: one.reason for one in ignored}
    used = [i for i, column in enumerate(encoded.columns) if column.name not in names]
    target = TargetColumn.read(table.y, is_number=table.regression)
    leaks = find_leaks(
        [encoded.columns[i] for i in used],
        encoded.values[:, used] if ignored else np.asarray(encoded.values),
        target.values,
    )
    notes = _ignored_notes(ignored, [column for column in encoded.columns if column.name in names], language)
    if target.n_classes is not None and has_many_classes(target.n_classes, table.n_rows):
        _ = messages(language)
        notes.append(
            _(
                "Target {target} has {n_classes} classes in {n_rows} rows; if it is a number, use --regression, and if "
                "it is an identifier, use another target.",
                target=printable(repr(table.target)),
                n_classes=f"{target.n_classes:,}",
                n_rows=f"{table.n_rows:,}",
            )
        )
    notes += [leak_note(one, table.target, is_number=table.regression, language=language) for one in leaks]
    columns = tuple(
        replace(one, kind="ignored", why=Translatable(IGNORED[names[one.name]])) if one.name in names else one
        for one in table.columns
    )
    X = table.X.select(columns_named(name for name in table.X.columns if name not in names))
    attach_formats(X, attached_formats(table.X))
    return replace(table, X=X, columns=columns, ignored=ignored), notes


def _ignored_notes(ignored: Iterable[IgnoredColumn], columns: list[Column], language: str) -> list[str]:
    """Return a note for each reason to ignore columns, which names the option that keeps them."""
    from treewright.evaluate.table_findings import keep_option

    _ = messages(language)
    by_reason: dict[str, list[Column]] = {}
    for one, column in zip(ignored, columns, strict=True):
        by_reason.setdefault(one.reason, []).append(column)
    notes = []
    for reason, some in by_reason.items():
        shown = [printable(repr(column.name)) for column in some[:MAX_COLUMNS]]
        if len(some) > MAX_COLUMNS:
            shown.append("…")
        notes.append(
            _.plural(
                "Column {columns} is ignored: {reason}; {option} keeps it.",
                "{n} columns are ignored: {columns} ({reason}); options such as {option} keep them.",
                len(some),
                columns=", ".join(shown),
                reason=_(IGNORED[reason]),
                option=printable(keep_option(some[0])),
            )
        )
    return notes


def _kind_of_target(y: "pl.Series", options: Mapping[str, Any], language: str) -> tuple[bool, list[str]]:
    """Return whether the target is a number, and a note if that was decided here."""
    if options.get("regression") and options.get("classes"):
        raise ParameterError("--regression and --classes exclude each other; use one of them.")
    if options.get("regression"):
        refuse_text(y)
        return True, []
    if options.get("classes") or not y.dtype.is_numeric():
        return False, []
    from treewright.evaluate.table_checks import is_regression_target

    _ = messages(language)
    target, n = printable(repr(y.name)), f"{y.n_unique():,}"
    if is_regression_target(y.cast(float).to_numpy()):
        return True, [
            _(
                "Target {target} is a number with {n} distinct values: a regression tree predicts it; for classes, use "
                "--classes.",
                target=target,
                n=n,
            )
        ]
    return False, [
        _(
            "Target {target} has {n} distinct whole numbers, treated as classes; for regression trees, use "
            "--regression.",
            target=target,
            n=n,
        )
    ]
