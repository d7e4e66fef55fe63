"""Findings about a table, in sentences: what is unusual about a column, a class or the rows, and what is done about it.

In: encoded columns and the target. Out: a list of `Finding`. The rules are in `table_checks` and `target_leaks`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import read_table
from treewright.data.files.column_names import quote_name
from treewright.data.ignored_columns import IGNORED, IgnoredColumn
from treewright.data.schema import Column, Kind
from treewright.evaluate.score_report import percent
from treewright.evaluate.table_checks import (
    count_repeated_rows,
    find_copies,
    find_ignored,
    is_regression_target,
)
from treewright.evaluate.target_leaks import Leak, TargetValues, find_leaks
from treewright.language import Messages, messages
from treewright.model.formatting import format_category, printable

MOSTLY_MISSING = 0.6
"""Columns with a larger fraction of missing values are reported."""

MANY_CATEGORIES = 50
"""Categorical columns with more distinct values are reported."""

RARE_CLASS = 0.01
"""Classes with a smaller fraction of the rows are reported."""

REPEATED_ROWS = 0.01
"""Repeated rows are reported from this fraction of the rows on."""

MANY_CLASSES = 30
"""Classes that are not too many, however few rows there are."""

N_SHOWN = 6
"""Columns or classes that a sentence names."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something unusual about a table.

    Attributes
    ----------
    column : str or None
        The column; None for findings about rows.
    kind : str
        "row_number", "identifier", "free_text", "constant", "empty", "unreadable", "missing_values", "many_categories",
        "copy_of_column", "copy_of_target", "leak", "missing_target", "rare_classes", "many_classes" or "repeated_rows".
    found : str
        What was found.
    action : str
        What is done about it, and how to change that.

    Examples
    --------
    >>> Finding("id", "constant", "the same value in every row", "Never split on.").kind
    'constant'
    """

    column: str | None
    kind: str
    found: str
    action: str


@dataclass(frozen=True, eq=False)
class TargetColumn:
    """The target as a column: numbers, or codes of its categories; NaN is a missing value.

    is_number  whether a column of numbers is a quantity; None if its values decide
    """

    column: Column
    cells: NDArray[np.float64]
    is_number: bool | None = None

    @staticmethod
    def read(y: Any, *, is_number: bool | None = None) -> "TargetColumn":
        """Read the values of a target; `is_number` is whether a number is a quantity, None if the values decide.

        >>> TargetColumn.read(["yes", "no", None]).n_classes
        2
        """
        cells = np.empty(len(y), dtype=object)
        cells[:] = y.to_list() if hasattr(y, "to_list") else list(y)
        table, name = read_table(cells[:, None]), getattr(y, "name", None)
        column = replace(table.columns[0], name=name if isinstance(name, str) and name else "target")
        return TargetColumn(column, table.values[:, 0], is_number)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """The rows with a target value."""
        return ~np.isnan(self.cells)

    @cached_property
    def labels(self) -> NDArray[np.float64]:
        """The distinct values, sorted."""
        return np.unique(self.cells[self.known])

    @cached_property
    def n_classes(self) -> int | None:
        """The number of classes; None for regression."""
        is_number = self.column.kind is Kind.NUMBER and (
            is_regression_target(self.cells) if self.is_number is None else self.is_number
        )
        return None if is_number else len(self.labels)

    @cached_property
    def values(self) -> TargetValues:
        """The known values."""
        known = self.cells[self.known]
        return TargetValues(known if self.n_classes is None else np.searchsorted(self.labels, known), self.n_classes)

    def rows(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the rows of a table that have a target value."""
        return values if self.known.all() else values[self.known]

    def class_name(self, code: int) -> str:
        """Return the name of a class."""
        label = float(self.labels[code])
        is_number = self.column.kind is Kind.NUMBER
        plain = int(label) if label.is_integer() else label
        return format_category(plain if is_number else self.column.categories[int(label)])


def find_all(
    columns: Sequence[Column],
    values: NDArray[np.float64],
    target: TargetColumn | None,
    *,
    kept: Sequence[str] = (),
    language: str = "en",
) -> list[Finding]:
    """Return all findings about a table, by column; `kept` are columns that are not ignored.

    >>> columns = [Column("x", Kind.NUMBER), Column("same", Kind.NUMBER)]
    >>> values = np.column_stack([np.arange(20) % 3, np.ones(20)])
    >>> [(one.column, one.kind) for one in find_all(columns, values, None)]
    [('same', 'constant'), (None, 'repeated_rows')]
    """
    _ = messages(language)
    ignored = {one.name: one for one in find_ignored(columns, values, kept)}
    used = [i for i, column in enumerate(columns) if column.name not in ignored]
    others, cells = [columns[i] for i in used], values[:, used] if ignored else values
    copies = dict(find_copies(others, cells))
    leaks: dict[str, Leak] = {}
    if target is not None and target.known.any():
        leaks = {one.column: one for one in find_leaks(others, target.rows(cells), target.values)}
    found: list[Finding] = []
    for column, one in zip(columns, values.T, strict=True):
        if column.name in ignored:
            found.append(_ignored_finding(_, column, ignored[column.name]))
            continue
        if column.name in leaks:
            found.append(leak_finding(_, leaks[column.name], is_number=target is not None and target.n_classes is None))
        found += _value_findings(_, column, one)
        if column.name in copies:
            same = _("the same values as column {column}", column=repr(copies[column.name]))
            action = _("It is used, but no split on it is better than one on the other column.")
            found.append(Finding(column.name, "copy_of_column", same, action))
    if target is not None:
        found += _target_findings(_, target)
    n = count_repeated_rows([*values.T, *([] if target is None else [target.cells])])
    if n >= max(REPEATED_ROWS * len(values), 1):
        repeated = _.plural("{n} row repeats an earlier row", "{n} rows repeat an earlier row", n, n=f"{n:,}")
        action = _(
            "They are used. Cross-validation is too optimistic if copies of a row are in both training and test rows."
        )
        found.append(Finding(None, "repeated_rows", repeated, action))
    return found


def keep_option(column: Column) -> str:
    """Return the option that keeps a column.

    >>> keep_option(Column("row no", Kind.NUMBER))
    "--numeric 'row no'"
    """
    return f"--{'numeric' if column.kind is Kind.NUMBER else 'categorical'} {quote_name(column.name)}"


def leak_finding(_: Messages, leak: Leak, *, is_number: bool) -> Finding:
    """Return the finding about a column that predicts the target."""
    action = _(
        "It is used. If it is not known before the target, use --ignore {quoted}, or drop the column.",
        quoted=quote_name(leak.column),
    )
    if leak.is_copy:
        return Finding(leak.column, "copy_of_target", _("a copy of the target"), action)
    if is_number:
        alone = _("alone predicts the target with R² {score}", score=f"{leak.score:.4f}")
    else:
        alone = _("alone predicts {percent} of the rows correctly", percent=percent(leak.score))
    return Finding(leak.column, "leak", alone, action)


def leak_note(leak: Leak, target: str, *, is_number: bool, language: str) -> str:
    """Return the note about a column that predicts the target.

    >>> leak_note(Leak("sent", 0.995, False), "bought", is_number=False, language="en")
    "Column 'sent' alone predicts 99.5% of the rows correctly; if it is not known before 'bought', use --ignore sent."
    """
    _ = messages(language)
    return _(
        "Column {column} {found}; if it is not known before {target}, use --ignore {quoted}.",
        column=printable(repr(leak.column)),
        found=_("is a copy of the target") if leak.is_copy else leak_finding(_, leak, is_number=is_number).found,
        target=printable(repr(target)),
        quoted=printable(quote_name(leak.column)),
    )


def _ignored_finding(_: Messages, column: Column, ignored: IgnoredColumn) -> Finding:
    action = _(
        "The command line ignores it; {option} keeps it. Estimators in Python keep it: drop the column.",
        option=keep_option(column),
    )
    return Finding(column.name, ignored.reason, _(IGNORED[ignored.reason]), action)


def _value_findings(_: Messages, column: Column, cells: NDArray[np.float64]) -> Iterator[Finding]:
    """Yield the findings about missing values and categories of one column."""
    known = cells[~np.isnan(cells)]
    missing = 1 - len(known) / len(cells)
    if missing > MOSTLY_MISSING:
        found = _("{percent} of the values are missing", percent=percent(missing))
        yield Finding(column.name, "missing_values", found, _("It is used, with the strategy for missing values."))
    n_values = 0 if column.kind is Kind.NUMBER else len(np.unique(known))
    if n_values > MANY_CATEGORIES:
        found = _("{n} different categories", n=f"{n_values:,}")
        quoted = quote_name(column.name)
        action = _("It is used. If most are rare, combine them, or use --ignore {quoted}.", quoted=quoted)
        yield Finding(column.name, "many_categories", found, action)


def has_many_classes(n_classes: int, n_rows: int) -> bool:
    """Return whether a target has so many classes that it may be a number or an identifier.

    >>> has_many_classes(60, 60), has_many_classes(26, 60)
    (True, False)
    """
    return n_classes > max(n_rows / 4, MANY_CLASSES)


def _target_findings(_: Messages, target: TargetColumn) -> Iterator[Finding]:
    """Yield the findings about the target."""
    name, n_missing = target.column.name, int(np.count_nonzero(~target.known))
    if n_missing:
        found = _.plural("{n} row has no target value", "{n} rows have no target value", n_missing, n=f"{n_missing:,}")
        action = _("The command line leaves them out. Estimators in Python raise an error: drop the rows.")
        yield Finding(name, "missing_target", found, action)
    n, n_classes = int(target.known.sum()), target.n_classes
    if n_classes is None or n == 0:
        return
    if has_many_classes(n_classes, n):
        found = _("{n_classes} classes in {n_rows} rows", n_classes=f"{n_classes:,}", n_rows=f"{n:,}")
        action = _("Each value is a class. If it is an identifier, use another target.")
        yield Finding(name, "many_classes", found, action)
        return
    counts = np.bincount(target.values.values.astype(np.int64), minlength=n_classes)
    rare = np.flatnonzero((counts < RARE_CLASS * n) | (counts == 1))
    if len(rare):
        shown = ", ".join(f"{target.class_name(int(code))} ({counts[code]:,})" for code in rare[:N_SHOWN])
        shown += ", …" if len(rare) > N_SHOWN else ""
        found = _("classes with a single row or less than 1% of the rows: {classes}", classes=shown)
        action = _("They are used, but rarely predicted; see --prior and --cost, or class_weight in Python.")
        yield Finding(name, "rare_classes", found, action)
