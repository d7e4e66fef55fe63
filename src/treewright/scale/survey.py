"""The survey of a source: its schema, and the codes of its columns.

In: the facts that an engine found out. Out: a `Survey`. Categories, classes and bins follow the rules of tables in
memory: the functions that read such a table are applied to the distinct values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright.data.encode import read_table
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, ParameterError
from treewright.grow.bins import Bins, bins_below
from treewright.grow.plan import MOST_BINS
from treewright.scale.engine import ColumnFacts, SurveyFacts, WeightCounts

SHOWN = 8
"""Categories that an error lists."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCodes:
    """The codes of a column; a missing value has the code behind the last.

    column   its name, kind and categories
    values   what each code is in an encoded table: a number, the highest of a bin, or the code of a category
    bins     the bins of a number that has some, else None
    missing_code  NONE_MISSING, SOME_MISSING or ALL_MISSING
    """

    column: Column
    values: NDArray[np.float64]
    bins: Bins | None
    missing_code: int

    @property
    def n_codes(self) -> int:
        return len(self.values)

    @property
    def is_category(self) -> bool:
        return self.column.kind is not Kind.NUMBER


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What growth has to know of the table.

    schema   the columns and the target
    columns  the codes of each column
    weights  the weights of the rows of each class; one of all rows if the target is a number
    n_rows   all rows
    ends     the lowest and the highest value of a target that is a number
    """

    schema: Schema
    columns: tuple[ColumnCodes, ...]
    weights: tuple[WeightCounts, ...]
    n_rows: int
    ends: tuple[float, float] | None = None

    @property
    def n_classes(self) -> int:
        return self.schema.target.n_classes

    @property
    def has_missing(self) -> bool:
        """Whether a column that has values has missing ones, too."""
        return any(one.missing_code == codes.SOME_MISSING for one in self.columns)

    def values_of(self, row_codes: NDArray[Any]) -> NDArray[np.float64]:
        """The values of rows, as an encoded table has them, from the codes of all columns, (n_columns, n_rows)."""
        values = np.empty(row_codes.shape[::-1], order="F")
        for f, one in enumerate(self.columns):
            values[:, f] = np.append(one.values, np.nan)[row_codes[f]]
        return values


def make_survey(facts: SurveyFacts, target: Target, orders: Mapping[str, tuple[object, ...]]) -> Survey:
    """The survey of a source from the facts about it; `orders` has the categories of ordered columns, low to high."""
    columns = tuple(_column_codes(name, one, facts.n_rows, orders.get(name)) for name, one in facts.columns.items())
    schema = Schema(tuple(one.column for one in columns), target)
    labels: tuple[object, ...] = (None,) if target.classes is None else target.classes
    return Survey(schema, columns, tuple(facts.classes[label] for label in labels), facts.n_rows, facts.ends)


def _column_codes(name: str, facts: ColumnFacts, n_rows: int, order: tuple[object, ...] | None) -> ColumnCodes:
    missing = codes.NONE_MISSING
    if facts.n_missing:
        missing = codes.ALL_MISSING if facts.n_missing == n_rows else codes.SOME_MISSING
    if facts.categories is None:
        top = np.zeros(0) if facts.top is None else facts.top
        bins = None if facts.following is None else bins_below(top, facts.following)
        return ColumnCodes(Column(name, Kind.NUMBER), top, bins, missing)
    column = category_column(name, facts.categories) if order is None else ordered_column(name, facts.categories, order)
    return ColumnCodes(column, np.arange(column.n_categories, dtype=np.float64), None, missing)


def category_column(name: str, values: Any) -> Column:
    """The column of categories that a table in memory with these distinct values has.

    >>> category_column("colour", ["red", "blue"]).categories
    ('blue', 'red')
    """
    if not values:
        return Column(name, Kind.CATEGORY, ())
    if any(isinstance(value, bool) for value in values):
        return Column(name, Kind.CATEGORY, (False, True))  # both, even if one does not occur
    table = read_table([[value] for value in values], [0])
    return Column(name, table.columns[0].kind, table.columns[0].categories)


def ordered_column(name: str, values: Any, order: tuple[object, ...]) -> Column:
    """The column of ordered categories; a value that is not among them is an error.

    >>> ordered_column("size", ["L", "S"], ("S", "M", "L")).categories
    ('S', 'M', 'L')
    """
    listed = ", ".join(map(repr, order[:SHOWN])) + (", ..." if len(order) > SHOWN else "")
    unknown = next((value for value in values if value not in order), None)
    if unknown is not None:
        raise InputError(
            f"Column {name!r} has the value {unknown!r}, which is not in `categorical_features`; its categories are "
            f"{listed}."
        )
    if len(order) > MOST_BINS:
        raise ParameterError(
            f"The ordered column {name!r} must have at most {MOST_BINS} categories on a source, got {len(order)}; "
            "encode it as numbers."
        )
    return Column(name, Kind.ORDERED, order)
