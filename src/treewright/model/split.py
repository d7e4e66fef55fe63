"""Split: the question of one node, in the user's words.

In: a tree and a node that is not a leaf. Out: the column, the threshold or the categories of each branch, and
a sentence for each branch.
"""

from dataclasses import dataclass
from functools import cached_property
from math import floor, inf
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.schema import Column, Kind
from treewright.errors import InputError
from treewright.model.words import category_words, number_words, printable, set_words

if TYPE_CHECKING:
    from treewright.model.tree import Tree


@dataclass(frozen=True)
class Split:
    """The question of one node.

    column      the schema's column
    position    its place in the table
    n_branches  how many outcomes there are
    threshold   of a number or an ordered category (by code); None when categories are looked up
    table       (codes, branches) of the categories met at the node; None when there is a threshold
    other       the branch of a category that is not in the table; None when there is a threshold
    missing_branch  the branch of a row whose value is missing, where one has to be taken; None when not known

    A third branch of a threshold, and the second one of an endless threshold, is taken by missing values only.
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
        """What the column is: a number, an ordered category or a category."""
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
        """The branch that no known value takes, only missing ones; None when there is none.

        >>> Split(Column("age", Kind.NUMBER), 0, 3, threshold=30.0, missing_branch=2).only_missing
        2
        """
        if self.threshold is not None:
            return self.n_branches - 1 if self.n_branches == 3 or self.threshold == inf else None
        branch = self.missing_branch
        return None if branch is None or self._codes[branch] or branch == self.other else branch

    @cached_property
    def _absent(self) -> list[int]:
        met = set() if self.table is None else set(self.table[0])
        return [code for code in range(self.column.n_categories) if code not in met]

    def categories(self, branch: int) -> tuple[object, ...]:
        """The categories that take a branch: those met at the node; for an empty branch, those that were not.

        A branch of missing values has none.

        >>> colour = Column("colour", Kind.CATEGORY, ("red", "green", "blue"))
        >>> split = Split(colour, 0, 2, table=((0, 2), (0, 1)), other=1)
        >>> split.categories(0), split.categories(1)
        (('red',), ('blue',))
        """
        self._refuse_unknown(branch)
        every = self.column.categories
        if branch == self.only_missing:
            return ()
        if self.threshold is not None:
            last = len(every) if self.threshold == inf else floor(self.threshold) + 1
            return every[:last] if branch == 0 else every[last:]
        codes = self._codes[branch]
        if not codes and branch == self.other:
            codes = self._absent
        return tuple(every[code] for code in codes)

    def branch_words(self, branch: int) -> str:
        """What holds for a row that takes the branch.

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
        """
        self._refuse_unknown(branch)
        if self.only_missing is not None and (branch == self.only_missing or self.n_branches == 2):
            return f"{self.name} is {'missing' if branch == self.only_missing else 'known'}"
        if self.threshold is not None:
            sign = "<=" if branch == 0 else ">"
            if self.kind is Kind.ORDERED:
                return f"{self.name} {sign} {category_words(self.column.categories[floor(self.threshold)])}"
            return f"{self.name} {sign} {number_words(self.threshold)}"
        categories = self.categories(branch)
        if len(categories) == 1:
            return f"{self.name} = {category_words(categories[0])}"
        return f"{self.name} in {set_words(categories)}"

    def _refuse_unknown(self, branch: int) -> None:
        if not 0 <= branch < self.n_branches:
            raise InputError(
                f"The split on {self.name!r} has no branch {branch!r}; its branches are 0 to {self.n_branches - 1}."
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
