"""Conditions on the columns of a table in SQL: the tests of trees and rules.

In: a `Scoring` and a dialect. Out: a condition for each branch of a test, and for a missing value. A large tree tests
each column many times: then its conditions can be about columns of codes, which a subquery computes once for each row.
"""

from collections.abc import Sequence

from treewright.export.rule_scoring import Scored
from treewright.export.scoring import Scoring, ValueTest
from treewright.export.sql_dialects import LARGEST, Dialect

MOST_CODED = 62
"""Categories of a column of codes: each has its bit of an integer of 64 bits."""


class ConditionWriter:
    """Writes conditions on the columns of a table in one dialect."""

    def __init__(self, scoring: Scored, dialect: Dialect) -> None:
        self.dialect, self.columns = dialect, scoring.tree.schema.columns
        self.names = [dialect.identifier(name) for name in scoring.tree.schema.names]
        self.coded: dict[int, str] = {}

    def known(self, test: ValueTest) -> list[tuple[str, int]]:
        """The conditions of known values, each with its branch."""
        name, is_coded = self.names[test.position], test.position in self.coded
        if test.codes is not None and is_coded:
            masks = [sum(1 << code for code in codes) for codes in test.codes]
            return [(f"({name} & {mask}) <> 0", branch) for mask, branch in zip(masks, test.branches, strict=True)]
        if test.codes is not None:
            return [(self._in(test, codes), branch) for codes, branch in zip(test.codes, test.branches, strict=True)]
        has_nan = self.dialect.has_nan and not is_coded
        if test.threshold is None:
            return [(f"{name} <= {LARGEST}" if has_nan else f"{name} IS NOT NULL", test.branches[0])]
        cut = self.dialect.number(test.threshold)
        above = f"{name} > {cut}"
        if has_nan:
            above += f" AND {name} <= {LARGEST}"
        return [(f"{name} <= {cut}", test.branches[0]), (above, test.branches[1])]

    def is_missing(self, position: int) -> str:
        """The condition that a value is missing."""
        name = self.names[position]
        has_nan = self._can_be_nan(position) and position not in self.coded
        return f"{name} IS NULL OR {name} > {LARGEST}" if has_nan else f"{name} IS NULL"

    def _can_be_nan(self, position: int) -> bool:
        categories = self.columns[position].categories
        return self.dialect.has_nan and not any(isinstance(one, str | bool) for one in categories)

    def code(self, scoring: Scoring) -> list[str]:
        """Test codes instead of values from now on; returns the columns of a subquery that computes them.

        A category is its bit, and a number is itself. Whatever is missing is NULL; an unseen category is, too, if it is
        treated as missing, and otherwise 0.
        """
        found = []
        for i in scoring.used:
            name, categories = self.names[i], self.columns[i].categories
            known = f"{name} <= {LARGEST}" if self._can_be_nan(i) else f"{name} IS NOT NULL"
            if len(categories) > MOST_CODED:
                continue
            if categories:
                bits = [f"WHEN {self.dialect.literal(one)} THEN {1 << code}" for code, one in enumerate(categories)]
                other = "" if scoring.unseen == "missing" else f" ELSE CASE WHEN {known} THEN 0 END"
                words = f"CASE {name} {' '.join(bits)}{other} END"
            else:
                words = f"CASE WHEN {known} THEN {name} END"
            self.coded[i] = self.names[i] = f"treewright_{'code' if categories else 'number'}{i}"
            found.append(f"{words} AS {self.coded[i]}")
        return found

    def _in(self, test: ValueTest, codes: Sequence[int]) -> str:
        categories = test.column.categories
        column = self.names[test.position]
        if any(isinstance(one, str) for one in categories):
            column = self.dialect.text.format(column)
        listed = [self.dialect.literal(categories[code]) for code in codes]
        if len(listed) == 1:
            return f"{column} = {listed[0]}"
        most = self.dialect.most_listed or len(listed)
        lists = [f"{column} IN ({', '.join(listed[i : i + most])})" for i in range(0, len(listed), most)]
        return lists[0] if len(lists) == 1 else f"({' OR '.join(lists)})"
