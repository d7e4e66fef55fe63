"""The split of one node: its column, the threshold or categories of each branch, and the condition of each branch."""

from dataclasses import dataclass
from functools import cached_property
from math import floor, inf
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.schema import Column, Kind
from treewright.errors import InputError
from treewright.language import messages
from treewright.model.formatting import format_categories, format_category, format_value, printable

if TYPE_CHECKING:
    from treewright.model.tree import Tree


@dataclass(frozen=True)
class Split:
    """The split of one node.

    The third branch of a threshold, and the second branch of an infinite threshold, is for missing values only.

    Parameters
    ----------
    column : Column
        The column of the schema that the node splits on.
    position : int
        Position of the column in the table, from 0.
    n_branches : int
        Number of branches.
    threshold : float or None
        Threshold of a number, or of an ordered category by its code; None for a table of categories.
    table : tuple or None
        (codes, branches) of the categories that occur at the node; None when there is a threshold.
    other : int or None
        The branch of a category that is not in the table; None when there is a threshold.
    missing_branch : int or None
        The branch of a row with a missing value, where one branch is taken; None when unknown.
    """

    column: Column
    position: int
    n_branches: int
    threshold: float | None = None
    table: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    other: int | None = None
    missing_branch: int | None = None

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def kind(self) -> Kind:
        """The kind of the column: number, ordered category or category."""
        return self.column.kind

    @cached_property
    def _codes(self) -> list[list[int]]:
        codes: list[list[int]] = [[] for _ in range(self.n_branches)]
        if self.table is not None:
            for code, branch in zip(*self.table, strict=True):
                codes[branch].append(code)
        return codes

    @cached_property
    def only_missing(self) -> int | None:
        """The branch that only missing values take; None when there is none.

        >>> Split(Column("age", Kind.NUMBER), 0, 3, threshold=30.0, missing_branch=2).only_missing
        2
        """
        if self.threshold is not None:
            return self.n_branches - 1 if self.n_branches == 3 or self.threshold == inf else None
        branch = self.missing_branch
        return None if branch is None or self._codes[branch] or branch == self.other else branch

    @cached_property
    def _codes_not_in_table(self) -> list[int]:
        met = set() if self.table is None else set(self.table[0])
        return [code for code in range(self.column.n_categories) if code not in met]

    def categories(self, branch: int) -> tuple[object, ...]:
        """The categories of a branch: those that occur at the node; for an empty branch those that do not.

        A branch of missing values has no categories.

        >>> colour = Column("colour", Kind.CATEGORY, ("red", "green", "blue"))
        >>> split = Split(colour, 0, 2, table=((0, 2), (0, 1)), other=1)
        >>> split.categories(0), split.categories(1)
        (('red',), ('blue',))
        """
        self._check_branch(branch)
        every = self.column.categories
        if branch == self.only_missing:
            return ()
        if self.threshold is not None:
            last = len(every) if self.threshold == inf else floor(self.threshold) + 1
            return every[:last] if branch == 0 else every[last:]
        codes = self._codes[branch]
        if not codes and branch == self.other:
            codes = self._codes_not_in_table
        return tuple(every[code] for code in codes)

    def other_categories(self, branch: int) -> tuple[object, ...]:
        """The categories of a table that do not take the branch, in the order of their codes.

        For the branch of categories that do not occur at the node, they are all exceptions that there are.

        >>> colour = Column("colour", Kind.CATEGORY, ("red", "green", "blue"))
        >>> split = Split(colour, 0, 2, table=((0, 2), (0, 1)), other=1)
        >>> split.other_categories(0), split.other_categories(1)
        (('green', 'blue'), ('red',))
        """
        self._check_branch(branch)
        codes = [code for other, listed in enumerate(self._codes) if other != branch for code in listed]
        if branch != self.other:
            codes += self._codes_not_in_table
        return tuple(self.column.categories[code] for code in sorted(codes))

    def branch_words(self, branch: int, language: str = "en") -> str:
        """The condition that holds for a row in the branch, such as `humidity > 75`.

        Parameters
        ----------
        branch : int
            Number of the branch, from 0.
        language : str, default="en"
            Language of the words between the user's names and categories: "en" or "zh".

        Returns
        -------
        str
            One condition. It may hold control characters of the user's names; `printable` escapes them.

        Examples
        --------
        >>> Split(Column("humidity", Kind.NUMBER), 0, 2, threshold=75.0).branch_words(1)
        'humidity > 75'
        >>> size = Column("size", Kind.ORDERED, ("S", "M", "L"))
        >>> Split(size, 0, 2, threshold=1.5).branch_words(0)
        'size <= M'
        >>> colour = Column("colour", Kind.CATEGORY, ("red", "green", "blue"))
        >>> Split(colour, 0, 2, table=((0, 1, 2), (0, 1, 0)), other=0).branch_words(0)
        'colour in {red, blue}'
        >>> Split(Column("age", Kind.NUMBER), 0, 3, threshold=30.0, missing_branch=2).branch_words(2)
        'age is missing'
        >>> Split(Column("age", Kind.NUMBER), 0, 3, threshold=30.0, missing_branch=2).branch_words(2, language="zh")
        'age 缺失'
        """
        name, operator = self.column.name, self.operator(branch)
        if operator == "is missing":
            return messages(language)("{column} is missing", column=name)
        if operator == "is known":
            return messages(language)("{column} is known", column=name)
        if operator == "in":
            categories = format_categories(self.categories(branch), language)
            return messages(language)("{column} in {categories}", column=name, categories=categories)
        if self.threshold is None:
            return f"{name} {operator} {format_category(self.categories(branch)[0])}"
        return f"{name} {operator} {format_value(self.column, self.threshold)}"

    def operator(self, branch: int) -> str:
        """What the branch tests: one of `<=`, `>`, `=`, `in`, `is missing`, `is known`.

        >>> Split(Column("humidity", Kind.NUMBER), 0, 2, threshold=75.0).operator(1)
        '>'
        """
        self._check_branch(branch)
        if self.only_missing is not None and (branch == self.only_missing or self.n_branches == 2):
            return "is missing" if branch == self.only_missing else "is known"
        if self.threshold is not None:
            return "<=" if branch == 0 else ">"
        return "=" if len(self.categories(branch)) == 1 else "in"

    def _check_branch(self, branch: int) -> None:
        if not 0 <= branch < self.n_branches:
            raise InputError(
                f"Branch {branch!r} not found; the split on {self.name!r} has the branches 0 to {self.n_branches - 1}."
            )

    def __repr__(self) -> str:
        shown = [printable(self.branch_words(b)) for b in range(min(self.n_branches, 4))]
        rest = [] if self.n_branches <= 4 else [f"… {self.n_branches - 4} more"]
        return f"<Split {' | '.join(shown + rest)}>"


def split_of(tree: "Tree", node: int) -> Split | None:
    """The split of a node, None at a leaf."""
    position = int(tree.column[node])
    if position < 0:
        return None
    column, n_branches = tree.schema.columns[position], int(tree.n_children[node])
    missing = int(tree.missing_branch[node])
    if not np.isnan(tree.threshold[node]):
        threshold = float(tree.threshold[node])
        return Split(column, position, n_branches, threshold=threshold, missing_branch=missing)
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    table = (tuple(tree.table_code[own].tolist()), tuple(tree.table_branch[own].tolist()))
    other = int(tree.other[node])
    return Split(column, position, n_branches, table=table, other=other, missing_branch=missing)
