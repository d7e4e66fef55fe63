"""Contest: the table and the algorithms of a comparison.

In: the options of `cv` and `compare`. Out: the table with its answers, what kind of target it has, and an estimator
for each algorithm that fits it. What nobody said is decided by the target, and said.
"""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.cli.algorithms import ALGORITHMS, FOR_NUMBERS, new_estimator, with_labels
from treewright.cli.tables import listed, open_data, pasted
from treewright.cli.terminal import Terminal
from treewright.errors import InputError, ParameterError
from treewright.model.words import printable

if TYPE_CHECKING:
    import polars as pl

    from treewright.data.files.data import ReadColumn

FEW = 10
"""Whole numbers of so many values are taken for classes, unless --regression says otherwise."""

FRACTION = 0.25
"""The share of the rows that is held out for a method that needs validation rows."""


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """The table of a comparison, rows without an answer left out.

    X, y, weight          as an estimator takes them
    regression            whether the target is a number
    categorical_features  as an estimator takes it
    columns               what each column was taken for, and why
    source, target        what they are called
    notes                 what was decided and may be unexpected
    left_out              columns that name the rows
    """

    X: Any
    y: Any
    weight: Any
    regression: bool
    categorical_features: Any
    columns: "tuple[ReadColumn, ...]"
    source: str
    target: str
    notes: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        return len(self.y)


def open_contest(options: Mapping[str, Any], terminal: Terminal, *, without_names: bool = False) -> Contest:
    """Read the table and decide what kind of target it has.

    without_names  whether columns that name the rows are left out, unless they were said to be categories
    """
    data = open_data(options)
    if data.y is None:
        names = ", ".join(printable(repr(name)) for name in data.X.columns[:12])
        more = ", …" if data.X.width > 12 else ""
        raise InputError(f"Which column is to be answered? Give --target, one of {names}{more}.")
    if not data.X.width:
        raise InputError("The table has no column besides the target; give one that has.")
    regression, said = _kind_of_target(data.y, options)
    y = data.y.cast(float) if regression and data.y.dtype.is_numeric() else data.y
    X, left_out = (data.X, []) if not without_names else _without_names(data.X, listed(options["categorical"]))
    said += [
        f"Column {name!r} has another value in nearly every row, so that it names the rows, and is left out; "
        f"--categorical {pasted(name)} keeps it."
        for name in left_out
    ]
    notes = [*data.notes, *said]
    for note in notes:
        terminal.note(f"note: {printable(note)}")
    return Contest(
        X=X,
        y=y,
        weight=data.sample_weight,
        regression=regression,
        categorical_features=data.categorical_features,
        columns=data.columns,
        source=data.source,
        target=str(data.target),
        notes=tuple(notes),
        left_out=tuple(left_out),
    )


def estimators_of(contest: Contest, options: Mapping[str, Any], algorithms: Iterable[str] = ()) -> dict[str, Any]:
    """An estimator for each algorithm, with the parameters that were given; ID3 cuts numbers in two."""
    asked = list(dict.fromkeys(algorithms))
    chosen = asked or list(FOR_NUMBERS if contest.regression else ALGORITHMS)
    given = {**options, "regression": contest.regression}
    found = {}
    for name in chosen:
        own: dict[str, Any] = {"categorical_features": contest.categorical_features}
        if name == "id3":
            own["numeric"] = "bisect"
        estimator = with_labels(new_estimator(given, name, **own), contest.y)
        method = estimator._method()
        if method is not None and "validation" in method.needs and estimator.validation_fraction is None:
            estimator.set_params(validation_fraction=FRACTION)
        found[name] = estimator
    return found


def next_commands(
    contest: Contest, options: Mapping[str, Any], algorithm: str, method: str
) -> list[tuple[str, str]]:
    """What to type after a comparison, each with what it does."""
    data, target = options["data"], shlex.quote(contest.target)
    table = shlex.quote(f"./{data}" if data.startswith("-") and data != "-" else data)
    fit = f"treewright fit {table} --target {target} --algorithm {algorithm} --pruning {method}"
    if {"reduced_error", "pre_pruning"} & set(method.split("+")):
        fit += f" --validation {FRACTION}"
    if algorithm == "id3":
        fit += " --set numeric=bisect"
    if contest.regression:
        fit += " --regression"
    for name in ("ignore", "categorical", "numeric", "ordered"):
        fit += "".join(f" --{name} {shlex.quote(value)}" for value in options.get(name, ()))
    fit += "".join(f" --ignore {pasted(name)}" for name in contest.left_out)
    for name in ("weights", "delimiter", "encoding", "decimal", "format", "schema"):
        fit += f" --{name} {shlex.quote(options[name])}" if options.get(name) else ""
    fit += "".join(f" --missing-marker {shlex.quote(value)}" for value in options.get("missing_marker", ()))
    fit += {True: " --header", False: " --no-header", None: ""}[options.get("header")]
    return [
        (f"{fit} -o model.json", "Keep the tree as a model."),
        ("treewright show model.json", "Read it."),
        ("treewright plot model.json -o tree.html", "Look at it in a browser, node by node."),
        ("treewright consult model.json", "Be asked only what matters, and get an answer."),
        (f"treewright predict model.json {table} -o answers.csv", "Answer the rows of a table."),
    ]


def _without_names(X: "pl.DataFrame", kept: Iterable[str]) -> "tuple[pl.DataFrame, list[str]]":
    """The table without columns of words of which nearly every row has another one."""
    from treewright.evaluate.notes import ID_ROWS, ID_SHARE

    if X.height < ID_ROWS:
        return X, []
    words = [one for one in X.iter_columns() if not one.dtype.is_numeric() and one.name not in set(kept)]
    named = [one.name for one in words if one.n_unique() >= ID_SHARE * X.height]
    return (X, []) if len(named) == X.width else (X.drop(named), named)


def _kind_of_target(y: "pl.Series", options: Mapping[str, Any]) -> tuple[bool, list[str]]:
    """Whether the target is a number, and what is said of that."""
    if options.get("regression") and options.get("classes"):
        raise ParameterError("--regression and --classes exclude each other; give one of them.")
    if options.get("regression"):
        return True, []
    if options.get("classes") or not y.dtype.is_numeric():
        return False, []
    n_values = y.n_unique()
    if n_values <= FEW and y.dtype.is_integer():
        return False, [
            f"The target {y.name!r} has {n_values} different whole numbers, which are taken for classes; "
            "--regression takes them for numbers."
        ]
    return True, [
        f"The target {y.name!r} is taken for a number, so that the trees answer with numbers; --classes takes its "
        "values for classes."
    ]
