"""Parts: which part each column of a file plays, and what becomes of it.

In: what the user, a schema file and the format say about the columns, and the columns once they are read. Out: how each
is to be read; then a `Data`. What the user says goes before what a schema file says, and that before what the
format says.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.files.data import FEATURES, Data, Part
from treewright.data.files.kinds import CATEGORY, GUESS, NUMBER, SKIP, Found, are_whole, first_true
from treewright.data.files.naming import known_columns
from treewright.data.files.wording import closest, shown
from treewright.errors import InputError, ParameterError

if TYPE_CHECKING:
    import polars as pl

ORDERED = "ordered"


@dataclass(frozen=True, slots=True)
class Parts:
    """What is said about columns, by name.

    kinds    "number", "category" or "ordered"
    levels   the categories of a column; those of an ordered one stand low to high
    others   why columns that are not named in kinds are left out; "" where they are not
    says     who says all this, when it is not the user: "the file says so"
    whys     who says what is said of a column, where that is not the user
    """

    target: str | None = None
    weights: str | None = None
    ignore: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    others: str = ""
    says: str = ""
    whys: Mapping[str, str] = field(default_factory=dict)

    def wanted(self, name: str) -> str:
        """How a column is to be read."""
        if name == self.weights:
            return NUMBER
        if name in self.ignore or (self.others and name not in self.kinds and name != self.target):
            return SKIP
        kind = self.kinds.get(name, GUESS)
        return CATEGORY if kind == ORDERED or (kind == GUESS and name in self.levels) else kind


def said_parts(names: Sequence[str], given: Mapping[str, Any]) -> Parts:
    """The parts that the parameters of `read` give; refused where one names what is not there, or two contradict."""
    kinds: dict[str, str] = {}
    levels: dict[str, tuple[str, ...]] = {}
    ordered = given["ordered"] or {}
    if not isinstance(ordered, Mapping):
        raise ParameterError(
            "ordered gives no levels; give a mapping of columns to their categories, low to high."
        )
    for parameter, kind in (("categorical", CATEGORY), ("numeric", NUMBER), ("ordered", ORDERED)):
        for name in known_columns(parameter, given[parameter] or (), names):
            if name in kinds:
                raise ParameterError(
                    f"Column {name!r} is said to be both {kinds[name]} and {kind}; choose one."
                )
            kinds[name] = kind
    for name, words in ordered.items():
        levels[name] = level_words(f"ordered[{name!r}]", words)
    ignore = known_columns("ignore", given["ignore"] or (), names)
    target, weights = given["target"], given["weights"]
    for parameter, name in (("target", target), ("weights", weights)):
        if name is not None:
            if not isinstance(name, str):
                raise ParameterError(f"{parameter}={name!r} is no name; give the name of one column.")
            known_columns(parameter, name, names)
            if name in ignore:
                raise ParameterError(f"Column {name!r} is both the {parameter} and ignored; choose one.")
    if target is not None and target == weights:
        raise ParameterError(f"Column {target!r} is both the target and the weights; choose one.")
    return Parts(target, weights, ignore, kinds, levels)


def level_words(who: str, words: Any) -> tuple[str, ...]:
    """Levels as text, each once.

    >>> level_words("ordered['size']", ["S", "M"])
    ('S', 'M')
    """
    if isinstance(words, str) or not hasattr(words, "__iter__"):
        raise ParameterError(f"{who} is {words!r}; give a list of categories, low to high.")
    levels = tuple(map(str, words))
    if len(set(levels)) < len(levels) or not levels:
        raise ParameterError(
            f"{who} has {'no category' if not levels else 'a category twice'}; name each once."
        )
    return levels


def merged(first: Parts, second: Parts) -> Parts:
    """What both say; the first goes before the second, and leaves it nothing to say where it leaves out all others."""
    if first.others:
        levels = {name: words for name, words in second.levels.items() if name in first.kinds} | dict(first.levels)
        return replace(first, levels=levels)
    named = {*first.kinds, *first.ignore, first.target, first.weights}
    kinds = {name: kind for name, kind in second.kinds.items() if name not in named} | dict(first.kinds)
    if first.target in second.kinds and first.target not in first.kinds:
        kinds[str(first.target)] = second.kinds[str(first.target)]
    levels = {name: words for name, words in second.levels.items() if name not in first.kinds} | dict(
        first.levels
    )
    target = first.target or (second.target if second.target not in named else None)
    weights = first.weights or (second.weights if second.weights not in named else None)
    spoken = {target, weights, *first.kinds}
    ignore = (*first.ignore, *(name for name in second.ignore if name not in (*first.ignore, *spoken)))
    whys = dict.fromkeys((*second.kinds, *second.ignore), second.says) | dict(second.whys)
    whys = {name: why for name, why in whys.items() if name not in (*first.kinds, *first.ignore)}
    return Parts(target, weights, ignore, kinds, levels, first.others or second.others, whys=whys | dict(first.whys))


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What a file gave: all its names, the columns that were read, how rows are called, and what is worth a note."""

    source: str
    names: tuple[str, ...]
    found: Mapping[str, Found]
    where: Callable[[int], str]
    notes: tuple[str, ...] = ()
    weight: Any = None
    missing: tuple[str, ...] | None = None


def assembled(columns: Columns, parts: Parts) -> Data:
    """The columns in their parts; rows without a target are left out."""
    import polars as pl

    notes, rows = [*columns.notes, *(found.note for found in columns.found.values() if found.note)], None
    weight = columns.weight
    if parts.weights is not None:
        weight = _weights(columns.found[parts.weights].series, columns.where)
    y = None
    if parts.target is not None:
        y = _levelled(columns.found[parts.target], parts, columns.where)
        y = _target(y)
        if y.null_count():
            rows = y.is_not_null()
            n_out = y.null_count()
            has, is_out = ("row has", "is") if n_out == 1 else ("rows have", "are")
            notes.append(f"{n_out} {has} no {parts.target!r} and {is_out} left out.")
            y = y.filter(rows)
            if not y.len():
                raise InputError(
                    f"No row of {columns.source!r} has a value in {parts.target!r}; choose another."
                )
            weight = weight if weight is None else weight[rows.to_numpy()]
    made, features = [], []
    for name in columns.names:
        made.append(part := _part(name, columns, parts, rows, y))
        if part.kind in FEATURES:
            features.append(part.series)
    if not features:
        raise InputError(
            f"No column of {columns.source!r} is left to learn from; ignore fewer, or give another file."
        )
    levels = {name: words for name, words in parts.levels.items() if name in columns.found}
    return Data(
        pl.DataFrame(features), y, weight, columns.source, tuple(notes), levels, tuple(made), columns.missing
    )


def _part(name: str, columns: Columns, parts: Parts, rows: "pl.Series | None", y: "pl.Series | None") -> Part:
    """One column in its part, of the rows that stay."""
    found = columns.found.get(name)
    if name == parts.target:
        return Part(name, "target", y, parts.whys.get(name) or (found.why if found else ""))
    if name == parts.weights:
        series = columns.found[name].series
        return Part(name, "weight", series if rows is None else series.filter(rows), "said to be weights")
    if found is None:
        why = "said to be left out" if name in parts.ignore else parts.others
        return Part(name, "ignored", None, parts.whys.get(name) or why)
    series = _levelled(found, parts, columns.where)
    kind = ORDERED if parts.kinds.get(name) == ORDERED else found.kind
    why = parts.whys.get(name) or found.why
    if kind == ORDERED:
        why = f"{parts.whys.get(name) or 'said to be ordered'}: {' < '.join(parts.levels[name])}"
    return Part(name, kind, series if rows is None else series.filter(rows), why)


def _levelled(found: Found, parts: Parts, where: Callable[[int], str]) -> "pl.Series":
    """The column with its declared levels, where it has some; a cell that is none of them is refused."""
    import polars as pl

    levels = parts.levels.get(found.name)
    if levels is None or found.kind == NUMBER:
        return found.series
    text = found.series.cast(pl.String)
    column = text.cast(pl.Enum(levels), strict=False)
    lost = column.is_null() & text.is_not_null()
    if lost.any():
        row = first_true(lost)
        raise InputError(
            f"Column {found.name!r} has {shown(text[row])} in {where(row)}, which is none of its levels; "
            f"the closest are {closest(text[row], levels)}."
        )
    return column


def _target(y: "pl.Series") -> "pl.Series":
    """The target: whole numbers as such, so that classes 1 and 2 are not called 1.0 and 2.0; words as text."""
    import polars as pl

    if y.dtype == pl.Enum:
        return y.cast(pl.String)
    if y.dtype == pl.Float64 and y.len() > y.null_count():
        return y.cast(pl.Int64) if are_whole(y) else y
    return y


def _weights(series: "pl.Series", where: Callable[[int], str]) -> Any:
    """Weights as numbers of at least 0, none of them missing."""
    for wrong, what in ((series.is_null(), "no weight"), (series < 0, "a weight below 0")):
        if wrong.any():
            row = first_true(wrong)
            raise InputError(
                f"Column {series.name!r} has {what} in {where(row)}; weights are numbers of at least 0."
            )
    return np.ascontiguousarray(series.to_numpy(), dtype=np.float64)
