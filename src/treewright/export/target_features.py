"""What each target of an export can express, as data: for `treewright export --list` and the table of docs/exports.md.

In: nothing. Out: `FEATURES`, what a model may have, and `TARGETS`, what becomes of it. A test exports models that have
each feature to each target and compares what happens with these records.
"""

from collections.abc import Sequence
from dataclasses import dataclass

YES, SOME_ROWS, NO = "yes", "some rows", "no"
"""The export predicts as the model; it refuses rows that it cannot route; it is refused, or cannot read such rows."""


@dataclass(frozen=True, slots=True)
class TargetFeatures:
    """A target of exports.

    key        of the module in `treewright.export.exported`, or of the method of the model
    name       what it is called
    runs_in    what executes it before it is returned; empty if nothing does
    refused    the keys of the features that it cannot express
    some_rows  the keys of the features with rows that it cannot route
    """

    key: str
    name: str
    runs_in: str
    refused: frozenset[str] = frozenset()
    some_rows: frozenset[str] = frozenset()

    def support(self, feature: str) -> str:
        """YES, SOME_ROWS or NO for the key of a feature.

        >>> TARGETS["sql"].support("regression"), TARGETS["sql"].support("dates")
        ('yes', 'no')
        """
        return NO if feature in self.refused else SOME_ROWS if feature in self.some_rows else YES


FEATURES = {
    "fractional": 'missing_predict="fractional"',
    "fractional regression": '"fractional", regression',
    "fractional costs": '"fractional" with cost_matrix',
    "surrogate": 'missing_predict="surrogate"',
    "majority": 'missing_predict="majority"',
    "learned": 'missing_predict="learned"',
    "branch": 'missing_predict="branch"',
    "stop": 'missing_predict="stop"',
    "error": 'missing_predict="error"',
    "unseen missing": 'unseen_category="missing"',
    "unseen majority": 'unseen_category="majority"',
    "unseen stop": 'unseen_category="stop"',
    "unseen error": 'unseen_category="error"',
    "fractional unseen error": '"error" with "fractional"',
    "multiway": "splits with several branches",
    "subsets": "splits on sets of categories",
    "ordered": "ordered categories",
    "number categories": "categories that are numbers",
    "mixed categories": "numbers and texts in a column",
    "dates": "dates and times",
    "regression": "regression",
    "costs": "cost_matrix",
    "priors": "priors",
    "smoothing": "smoothed probabilities",
    "leaf rules": "rules of leaves",
    "generalised rules": "generalised rules",
}
"""What a model may have, by key, in the order of the table."""

_RULES = frozenset({"leaf rules", "generalised rules"})
_DIVIDED = frozenset({"fractional", "fractional regression", "fractional unseen error", "surrogate"})

TARGETS = {
    one.key: one
    for one in (
        TargetFeatures(
            "sql",
            "SQL",
            "SQLite, DuckDB",
            refused=frozenset({"dates", "mixed categories"}),
        ),
        TargetFeatures("python", "Python", "Python", refused=frozenset({"dates"})),
        TargetFeatures("javascript", "JavaScript", "node", refused=frozenset({"dates"})),
        TargetFeatures("c", "C", "cc, gcc, clang", refused=frozenset({"dates", "mixed categories"})),
        TargetFeatures("sas", "SAS", "", refused=frozenset({"dates", "mixed categories"})),
        TargetFeatures(
            "pmml",
            "PMML",
            "pypmml",
            refused=_RULES | {"dates", "fractional regression", "fractional costs", "fractional unseen error"},
        ),
        TargetFeatures(
            "onnx",
            "ONNX",
            "ONNX Runtime",
            refused=_RULES | {"dates", "mixed categories", "error", "unseen error", "fractional unseen error"},
        ),
        TargetFeatures(
            "sklearn",
            "scikit-learn",
            "scikit-learn",
            refused=_RULES | {"costs", "fractional costs"},
            some_rows=_DIVIDED | {"unseen majority"},
        ),
        TargetFeatures(
            "treelite",
            "Treelite",
            "Treelite",
            refused=_RULES | {"unseen majority", "unseen stop"},
            some_rows=_DIVIDED | {"fractional costs"},
        ),
    )
}
"""The targets that are compared with the model before they are returned, by key."""


def feature_table(targets: Sequence[str] = tuple(TARGETS)) -> tuple[list[str], list[list[str]]]:
    """Return the names of targets after an empty cell, and rows: what executes them, and what becomes of each feature.

    >>> head, rows = feature_table(["sql", "pmml"])
    >>> for row in head, *rows[:3]:
    ...     print(row)
    ['', 'SQL', 'PMML']
    ['executed by', 'SQLite, DuckDB', 'pypmml']
    ['missing_predict="fractional"', 'yes', 'yes']
    ['"fractional", regression', 'yes', 'no']
    """
    chosen = [TARGETS[key] for key in targets]
    executed = ["executed by", *(one.runs_in or "nothing" for one in chosen)]
    rows = [[words, *(one.support(key) for one in chosen)] for key, words in FEATURES.items()]
    return ["", *(one.name for one in chosen)], [executed, *rows]
