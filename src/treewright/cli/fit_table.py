"""Fit table: a table to learn from, with the answer of each row.

In: the options about a table. Out: its columns and answers, and notes about what was decided for the user: which column
is the target, and which rows have no answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from treewright.cli.tables import layout_of, open_data, reading
from treewright.cli.terminal import Terminal
from treewright.errors import InputError
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.data.files.data import Data, ReadColumn

MANY_NUMBERS = 20
"""Different numbers in a target above which --regression is worth a word."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingTable:
    """A table whose rows have an answer.

    X, y, weight          as an estimator takes them
    columns               what each column of the file was taken for
    target                the name of the target
    source                what messages call the table
    categorical_features  as an estimator takes them
    """

    X: Any
    y: Any
    weight: Any
    columns: "tuple[ReadColumn, ...]"
    target: str
    source: str
    categorical_features: Any

    @property
    def n_cells(self) -> int:
        return int(self.X.shape[0] * self.X.shape[1])


def open_training_table(options: Mapping[str, Any], terminal: Terminal) -> TrainingTable:
    """The table that the options describe; without --target the last column is the target, and a note says so."""
    data = open_data(options)
    if data.y is None:
        data = _last_column(data, options, terminal)
    _say_notes(data, terminal)
    found = _with_answers(data)
    numbers = found.y.dtype.is_numeric()
    if numbers and not options.get("regression") and found.y.n_unique() > MANY_NUMBERS:
        name = printable(repr(found.target))
        terminal.note(
            f"note: the target {name} has {found.y.n_unique():,} different numbers, each a class of its own; "
            "--regression answers with numbers."
        )
    return found


def open_more(table: TrainingTable, path: str, options: Mapping[str, Any], terminal: Terminal) -> TrainingTable:
    """Another table with the same columns, which are taken for what they are in the first one."""
    from treewright.data.files.read import read
    from treewright.data.files.stream import open_stream

    if path != "-":
        with open_stream(path, *layout_of(options)) as stream:
            lacking = [name for name in (*table.X.columns, table.target) if name not in stream.types]
        if lacking:
            raise InputError(f"{path!r} has no column {lacking[0]!r}, but {table.source!r} has; give the same columns.")
    given = reading(options)
    kinds = {one.name: one.kind for one in table.columns}
    given["numeric"] = [name for name, kind in kinds.items() if kind == "number"]
    given["categorical"] = [name for name, kind in kinds.items() if kind == "category"]
    data = read(path, table.target, **given)
    _say_notes(data, terminal)
    found = _with_answers(data)
    return replace(found, X=found.X.select(table.X.columns))


def _last_column(data: "Data", options: Mapping[str, Any], terminal: Terminal) -> "Data":
    """The same table with its last column as the target."""
    names = [one.name for one in data.columns if one.kind in ("number", "category", "ordered")]
    if len(names) < 2:
        raise InputError(f"{data.source!r} has but one column; give a table with a target and more columns.")
    terminal.note(f"note: no --target was given, so the last column, {printable(repr(names[-1]))}, is the target.")
    if options["data"] != "-":
        return open_data({**options, "target": names[-1]})
    raise InputError(f"A table from stdin needs its target by name; give --target {names[-1]!r}, or another column.")


def _with_answers(data: "Data") -> TrainingTable:
    if data.y is None or data.target is None:
        raise InputError(f"{data.source!r} has no target; give it by name with --target.")
    return TrainingTable(
        data.X, data.y, data.sample_weight, data.columns, data.target, data.source, data.categorical_features
    )


def _say_notes(data: "Data", terminal: Terminal) -> None:
    for note in data.notes:
        terminal.note(f"note: {printable(note)}")
