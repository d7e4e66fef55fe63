"""The schema: names and kinds of the columns and of the target, and their categories.

A schema is stored with the tree, so that a tree can show the user's names and categories without the training data.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum


class Kind(IntEnum):
    """What a column is: a number, an ordered category, or a category."""

    NUMBER = 0
    ORDERED = 1
    CATEGORY = 2


DERIVED = ("days", "hours", "duration", "year", "month", "weekday", "hour")
"""What can be derived from dates, times of day and durations."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its kind and, unless it is a number, its categories (code = position).

    format  how its cells are written in text files, such as "$1,234.5"; None for plain numbers and categories
    source  the column of dates or times that it is derived from; None for a column of the table
    part    what is derived: "days", "year", "month", "weekday" or "hour" of a date, "hours" of a time, or "duration"
    """

    name: str
    kind: Kind
    categories: tuple[object, ...] = ()
    format: str | None = field(default=None, repr=False)
    source: str | None = field(default=None, repr=False)
    part: str | None = field(default=None, repr=False)

    @property
    def n_categories(self) -> int:
        return len(self.categories)

    @property
    def is_moment(self) -> bool:
        """Whether its numbers are dates or times of day, and are shown as such."""
        return self.part in ("days", "hours")


def input_names(columns: Sequence[Column]) -> list[str]:
    """The names of the columns that a table for a model has; several columns may be derived from one of them.

    >>> days = Column("sold", Kind.NUMBER, source="sold", part="days")
    >>> year = Column("sold: year", Kind.NUMBER, source="sold", part="year")
    >>> input_names([Column("age", Kind.NUMBER), days, year])
    ['age', 'sold']
    """
    return list(dict.fromkeys(column.name if column.source is None else column.source for column in columns))


@dataclass(frozen=True, slots=True)
class Target:
    """The target: its name and its classes (code = position), or `classes=None` for a number.

    format  as for a column
    """

    name: str = "target"
    classes: tuple[object, ...] | None = None
    format: str | None = field(default=None, repr=False)

    @property
    def is_number(self) -> bool:
        return self.classes is None

    @property
    def n_classes(self) -> int:
        return 0 if self.classes is None else len(self.classes)


@dataclass(frozen=True, slots=True)
class Schema:
    """The columns in order, and the target."""

    columns: tuple[Column, ...]
    target: Target

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)
