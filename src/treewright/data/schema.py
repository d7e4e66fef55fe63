"""Schema: what the columns and the target are called and which categories they have.

In: names and categories as the user wrote them. Out: the translation between words and codes, both ways.
A schema travels with the tree, so that a tree speaks the user's language without the training data.
"""

from dataclasses import dataclass
from enum import IntEnum


class Kind(IntEnum):
    """What a column is: a number, an ordered category, or a category."""

    NUMBER = 0
    ORDERED = 1
    CATEGORY = 2


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its kind and, unless it is a number, its categories (code = position)."""

    name: str
    kind: Kind
    categories: tuple[object, ...] = ()

    @property
    def n_categories(self) -> int:
        return len(self.categories)


@dataclass(frozen=True, slots=True)
class Target:
    """The target: its name and its classes (code = position), or `classes=None` for a number."""

    name: str = "target"
    classes: tuple[object, ...] | None = None

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
