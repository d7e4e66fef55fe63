"""Condition: what a rule asks of one column.

In: a column and the values that satisfy it: an interval, some categories, or none but missing. Out: which cells hold,
and the condition in the user's words. Conditions of the same column can be put together into one.
"""

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind
from treewright.model.plain import plain
from treewright.model.words import category_words, number_words, printable, set_words


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Condition:
    """What a rule asks of one column.

    column    the schema's column
    position  its place in the table
    low       a number, or the code of an ordered category, is above this; minus infinity: no such limit
    high      and not above this; infinity: no such limit
    codes     int32, rising: the codes of the categories that satisfy; None for numbers and ordered categories
    missing   whether a missing value satisfies the condition
    known     whether any other value does
    """

    column: Column
    position: int
    low: float = -inf
    high: float = inf
    codes: NDArray[np.int32] | None = None
    missing: bool = False
    known: bool = True

    @property
    def name(self) -> str:
        """The name of the column."""
        return self.column.name

    @property
    def categories(self) -> tuple[Any, ...]:
        """The categories that satisfy the condition; none where the column is a number.

        >>> size = Column("size", Kind.ORDERED, ("S", "M", "L"))
        >>> Condition(size, 0, low=0.5).categories
        ('M', 'L')
        """
        every = self.column.categories
        if not self.known:
            return ()
        if self.codes is not None:
            return tuple(every[code] for code in self.codes.tolist())
        return tuple(c for code, c in enumerate(every) if self.low < code <= self.high)

    def holds(self, cells: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which cells of the column, encoded, satisfy the condition.

        >>> Condition(Column("age", Kind.NUMBER), 0, low=3, high=7).holds(np.array([3.0, 7.0, np.nan])).tolist()
        [False, True, False]
        """
        if not self.known:
            return np.isnan(cells) if self.missing else np.zeros(len(cells), bool)
        found = self._known(cells)
        return found | np.isnan(cells) if self.missing else found

    def _known(self, cells: NDArray[np.float64]) -> NDArray[np.bool_]:
        # Nothing compares with NaN, and a category that training never showed is minus infinity: neither holds.
        if self.codes is not None:
            if len(self.codes) == 1:
                return cells == self.codes[0]
            n = self.column.n_categories
            table = np.zeros(n + 1, bool)
            table[self.codes] = True
            return table[np.where((cells >= 0) & (cells < n), cells, n).astype(np.intp)]
        if self.low == -inf:
            return (cells <= self.high) & (cells > -inf) if self.column.kind is not Kind.NUMBER else cells <= self.high
        found = cells > self.low
        return found if self.high == inf else found & (cells <= self.high)

    def and_also(self, other: "Condition") -> "Condition":
        """Both conditions of the same column in one.

        >>> age = Column("age", Kind.NUMBER)
        >>> Condition(age, 0, high=7, missing=True).and_also(Condition(age, 0, low=3)).words()
        '3 < age <= 7'
        """
        codes = self.codes if other.codes is None else other.codes
        if self.codes is not None and other.codes is not None:
            codes = np.intersect1d(self.codes, other.codes, assume_unique=True)
        return Condition(
            self.column,
            self.position,
            max(self.low, other.low),
            min(self.high, other.high),
            codes,
            self.missing and other.missing,
            self.known and other.known,
        )

    def words(self) -> str:
        """The condition in words.

        >>> Condition(Column("age", Kind.NUMBER), 0, high=7, missing=True).words()
        'age <= 7 or is missing'
        >>> colour = Column("colour", Kind.CATEGORY, ("red", "green", "blue", "white"))
        >>> [Condition(colour, 0, codes=np.array(codes)).words() for codes in ([0, 2], [0, 1, 2], [1])]
        ['colour in {red, blue}', 'colour not in {white}', 'colour = green']
        """
        if not self.known:
            return f"{self.name} is missing" if self.missing else f"{self.name} in {{}}"
        known = self._category_words() if self.codes is not None else self._interval_words()
        return f"{known} or is missing" if self.missing else known

    def _category_words(self) -> str:
        codes, every = self.codes, self.column.categories
        if codes is None or len(codes) == len(every):
            return f"{self.name} is known"
        if len(codes) == 1:
            return f"{self.name} = {category_words(every[int(codes[0])])}"
        if len(every) - len(codes) < len(codes):
            others = np.ones(len(every), bool)
            others[codes] = False
            return f"{self.name} not in {set_words([every[code] for code in np.flatnonzero(others).tolist()])}"
        return f"{self.name} in {set_words(self.categories)}"

    def _interval_words(self) -> str:
        categories = self.categories if self.column.kind is Kind.ORDERED else ()
        if len(categories) == 1:
            return f"{self.name} = {category_words(categories[0])}"
        low, high = self._limit_words(self.low), self._limit_words(self.high)
        if not low and not high:
            return f"{self.name} is known"
        if low and high:
            return f"{low} < {self.name} <= {high}"
        return f"{self.name} <= {high}" if high else f"{self.name} > {low}"

    def _limit_words(self, limit: float) -> str:
        """A limit of an interval; nothing for one that excludes no value."""
        if self.column.kind is Kind.NUMBER:
            return number_words(limit) if isfinite(limit) else ""
        if not 0 <= limit < self.column.n_categories - 1:
            return ""
        return category_words(self.column.categories[int(limit)])

    def cell_words(self, cell: float) -> str:
        """A cell of the column in words.

        >>> Condition(Column("colour", Kind.CATEGORY, ("red", "green")), 0).cell_words(1.0)
        'green'
        """
        if np.isnan(cell):
            return "missing"
        if cell == -inf:
            return "never seen in training"
        if self.column.kind is Kind.NUMBER:
            return number_words(cell)
        return category_words(self.column.categories[int(cell)])

    def to_dict(self) -> dict[str, Any]:
        """The condition as plain values.

        A number satisfies it when it is above `above` and at most `at_most` (None: no limit), a category when it is one
        of `in`; a missing value when `missing` is true, any other only when `known` is.

        >>> Condition(Column("age", Kind.NUMBER), 0, high=7.0).to_dict()["at_most"]
        7.0
        """
        asked: dict[str, Any] = {"column": self.name, "words": self.words()}
        if self.column.kind is Kind.NUMBER:
            asked["above"] = float(self.low) if isfinite(self.low) else None
            asked["at_most"] = float(self.high) if isfinite(self.high) else None
        else:
            asked["in"] = [plain(category) for category in self.categories]
        return asked | {"missing": self.missing, "known": self.known}

    def __str__(self) -> str:
        return printable(self.words())

    def __repr__(self) -> str:
        return f"<Condition {self}>"
