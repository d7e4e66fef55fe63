"""A rule: conditions on columns, and what is predicted where all of them hold.

A `Condition` is an interval of a number or an ordered category, a set of categories, or "is missing". Conditions on the
same column can be joined into one. A `Rule` has conditions, a prediction, and statistics of the training rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Column, Kind
from treewright.deprecation import DeprecatedAlias, with_old_keys
from treewright.language import messages
from treewright.model.formatting import (
    format_categories,
    format_category,
    format_value,
    format_weight,
    join_conditions,
    printable,
)
from treewright.model.json_values import to_json_value

OLD_KEYS = {"probabilities": "shares"}
"""Keys of `Rule.to_dict` that had another name."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Condition:
    """A condition on one column.

    column    the column of the schema
    position  its index in the table
    low       a number, or the code of an ordered category, must be above this; minus infinity: no limit
    high      and at most this; infinity: no limit
    codes     int32, rising: the codes of the categories that satisfy the condition; None for numbers and ordered
              categories
    missing   whether a missing value satisfies the condition
    known     whether any other value can
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
        """The categories that satisfy the condition; empty for a number.

        >>> size = Column("size", Kind.ORDERED, ("S", "M", "L"))
        >>> Condition(size, 0, low=0.5).categories
        ('M', 'L')
        """
        categories = self.column.categories
        if not self.known:
            return ()
        if self.codes is not None:
            return tuple(categories[code] for code in self.codes.tolist())
        return tuple(category for code, category in enumerate(categories) if self.low < code <= self.high)

    def holds(self, cells: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which encoded cells of the column satisfy the condition.

        >>> Condition(Column("age", Kind.NUMBER), 0, low=3, high=7).holds(np.array([3.0, 7.0, np.nan])).tolist()
        [False, True, False]
        """
        if not self.known:
            return np.isnan(cells) if self.missing else np.zeros(len(cells), bool)
        found = self._holds_known(cells)
        return found | np.isnan(cells) if self.missing else found

    def _holds_known(self, cells: NDArray[np.float64]) -> NDArray[np.bool_]:
        # Comparisons with NaN are false, and an unseen category is minus infinity: neither satisfies the condition.
        if self.codes is not None:
            if len(self.codes) == 1:
                return cells == self.codes[0]
            n = self.column.n_categories
            satisfies = np.zeros(n + 1, bool)
            satisfies[self.codes] = True
            return satisfies[np.where((cells >= 0) & (cells < n), cells, n).astype(np.intp)]
        if self.low == -inf:
            return (cells <= self.high) & (cells > -inf) if self.column.kind is not Kind.NUMBER else cells <= self.high
        found = cells > self.low
        return found if self.high == inf else found & (cells <= self.high)

    def and_also(self, other: "Condition") -> "Condition":
        """Join two conditions on the same column into one.

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

    def words(self, language: str = "en") -> str:
        """Return the condition as text, such as `humidity <= 75`.

        >>> Condition(Column("age", Kind.NUMBER), 0, high=7, missing=True).words()
        'age <= 7 or is missing'
        >>> colour = Column("colour", Kind.CATEGORY, ("red", "green", "blue", "white"))
        >>> [Condition(colour, 0, codes=np.array(codes)).words() for codes in ([0, 2], [0, 1, 2], [1])]
        ['colour in {red, blue}', 'colour not in {white}', 'colour = green']
        """
        _ = messages(language)
        if not self.known:
            empty = _("{column} in {categories}", column=self.name, categories="{}")
            return _("{column} is missing", column=self.name) if self.missing else empty
        known = self._category_words(language) if self.codes is not None else self._interval_words(language)
        return _("{condition} or is missing", condition=known) if self.missing else known

    def _category_words(self, language: str) -> str:
        _ = messages(language)
        codes, categories = self.codes, self.column.categories
        if codes is None or len(codes) == len(categories):
            return _("{column} is known", column=self.name)
        if len(codes) == 1:
            return f"{self.name} = {format_category(categories[int(codes[0])])}"
        if len(categories) - len(codes) < len(codes):
            others = np.delete(np.arange(len(categories)), codes).tolist()
            listed = format_categories([categories[code] for code in others], language)
            return _("{column} not in {categories}", column=self.name, categories=listed)
        listed = format_categories(self.categories, language)
        return _("{column} in {categories}", column=self.name, categories=listed)

    def _interval_words(self, language: str) -> str:
        categories = self.categories if self.column.kind is Kind.ORDERED else ()
        if len(categories) == 1:
            return f"{self.name} = {format_category(categories[0])}"
        low, high = self._limit_words(self.low), self._limit_words(self.high)
        if not low and not high:
            _ = messages(language)
            return _("{column} is known", column=self.name)
        if low and high:
            return f"{low} < {self.name} <= {high}"
        return f"{self.name} <= {high}" if high else f"{self.name} > {low}"

    def _limit_words(self, limit: float) -> str:
        """Format a limit of the interval; empty for a limit that excludes no value."""
        if self.column.kind is not Kind.NUMBER and not 0 <= limit < self.column.n_categories - 1:
            return ""
        return format_value(self.column, limit) if isfinite(limit) else ""

    def cell_words(self, cell: float, language: str = "en") -> str:
        """Return an encoded cell of the column as text.

        >>> Condition(Column("colour", Kind.CATEGORY, ("red", "green")), 0).cell_words(1.0)
        'green'
        """
        _ = messages(language)
        if np.isnan(cell):
            return _("missing")
        if cell == -inf:
            return _("not in the training data")
        return format_value(self.column, cell)

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """Return the condition as values that JSON can hold.

        A number satisfies it if it is above `above` and at most `at_most` (None: no limit), a category if it is one of
        `in`; a missing value if `missing` is true, any other value only if `known` is.

        >>> Condition(Column("age", Kind.NUMBER), 0, high=7.0).to_dict()["at_most"]
        7.0
        """
        document: dict[str, Any] = {"column": self.name, "words": self.words(language)}
        if self.column.kind is Kind.NUMBER:
            document["above"] = float(self.low) if isfinite(self.low) else None
            document["at_most"] = float(self.high) if isfinite(self.high) else None
        else:
            document["in"] = [to_json_value(category) for category in self.categories]
        return document | {"missing": self.missing, "known": self.known}

    def __str__(self) -> str:
        return printable(self.words())

    def __repr__(self) -> str:
        return f"<Condition {self}>"


def matching_rows(
    conditions: Sequence[Condition],
    columns: Sequence[NDArray[np.float64]],
    rows: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """Return the rows, of those given or of all, that satisfy all conditions.

    >>> ages = np.array([1.0, 4.0, np.nan, 9.0])
    >>> matching_rows([Condition(Column("age", Kind.NUMBER), 0, low=3)], [ages]).tolist()
    [1, 3]
    """
    for condition in conditions:  # each is tested only on the rows that satisfy those before it
        cells = columns[condition.position]
        if rows is None:
            rows = np.flatnonzero(condition.holds(cells)).astype(np.int32)
        else:
            rows = rows[condition.holds(cells[rows])]
    return np.arange(len(columns[0]), dtype=np.int32) if rows is None else rows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rule:
    """A rule: it applies to a row that satisfies all of its conditions.

    Attributes
    ----------
    number : int
        Leaves are numbered in the order of the printed tree, generalised rules in the order they were found.
    conditions : tuple of Condition
        A rule without conditions applies to every row.
    prediction : object
        The predicted class, or the predicted number of a regression.
    weight : float
        Weight of the training rows that the rule applies to.
    support : float
        That weight as a fraction of the weight of all training rows.
    confidence : float or None
        Proportion of the predicted class among these rows; of an empty leaf that of its parent. None for regression.
    lift : float or None
        Confidence divided by the proportion of the class in all training rows. None for regression.
    deviation : float or None
        Root mean squared distance of the training rows from the predicted number; for `absolute_error` the mean
        distance, for `poisson` half the mean deviance. None for classes.
    error : float or None
        Pessimistic estimate of the error rate of a generalised rule. None for a leaf.
    probabilities : tuple of float or None
        Class probabilities, in the order of the classes. None for regression.
    node : int or None
        Leaf of the tree. None for a generalised rule.
    """

    number: int
    conditions: tuple[Condition, ...]
    prediction: Any
    weight: float
    support: float
    confidence: float | None = None
    lift: float | None = None
    deviation: float | None = None
    error: float | None = None
    probabilities: tuple[float, ...] | None = None
    node: int | None = None

    answer = DeprecatedAlias("prediction")
    shares = DeprecatedAlias("probabilities")
    answer_words = DeprecatedAlias("prediction_words")

    def words(self, language: str = "en") -> str:
        """Return the conditions on one line.

        >>> from treewright.rules.leaf_rules import leaf_rules
        >>> from treewright.model.build import golf_example
        >>> leaf_rules(golf_example())[0].words()
        'outlook = sunny and humidity <= 75'
        """
        _ = messages(language)
        if not self.conditions:
            return _("always")
        parts = [condition.words(language) for condition in self.conditions]
        if len(parts) > 1:  # "or" binds less than "and"
            has_or = (condition.missing and condition.known for condition in self.conditions)
            parts = [f"({part})" if bracketed else part for part, bracketed in zip(parts, has_or, strict=True)]
        return join_conditions(parts, language)

    @property
    def prediction_words(self) -> str:
        """The predicted class as text, or the predicted number with six digits."""
        return format_category(self.prediction) if self.deviation is None else format(self.prediction, ".6g")

    def figures(self, language: str = "en") -> str:
        """Return the statistics of the training rows as text.

        >>> from treewright.rules.leaf_rules import leaf_rules
        >>> from treewright.model.build import golf_example
        >>> leaf_rules(golf_example())[2].figures()
        'support 4 (28.6%), confidence 100.0%, lift 1.56'
        """
        _ = messages(language)
        values = {"weight": format_weight(self.weight), "support": f"{self.support:.1%}"}
        if self.deviation is not None:
            return _(
                "support {weight} ({support}), deviation {deviation}", **values, deviation=f"{self.deviation:.4g}"
            )
        confidence = f"{self.confidence:.1%}"
        if self.lift is None:
            return _("support {weight} ({support}), confidence {confidence}", **values, confidence=confidence)
        return _(
            "support {weight} ({support}), confidence {confidence}, lift {lift}",
            **values,
            confidence=confidence,
            lift=f"{self.lift:.2f}",
        )

    def to_dict(self, language: str = "en") -> dict[str, Any]:
        """Return the rule as values that JSON can hold.

        >>> from treewright.rules.leaf_rules import leaf_rules
        >>> from treewright.model.build import golf_example
        >>> leaf_rules(golf_example())[2].to_dict()["class"]
        'Play'
        """
        document: dict[str, Any] = {
            "number": self.number,
            "words": self.words(language),
            "conditions": [condition.to_dict(language) for condition in self.conditions],
        }
        if self.probabilities is None:
            document["value"] = float(self.prediction)
        else:
            document["class"] = to_json_value(self.prediction)
        document |= {"weight": self.weight, "support": self.support}
        for name in ("confidence", "lift", "deviation", "error", "node"):
            if getattr(self, name) is not None:
                document[name] = getattr(self, name)
        if self.probabilities is not None:
            document["probabilities"] = list(self.probabilities)
        return with_old_keys(document, OLD_KEYS)

    def __str__(self) -> str:
        return printable(f"{self.words()} -> {self.prediction_words}")

    def __repr__(self) -> str:
        return f"<Rule {self.number}: {self}>"
