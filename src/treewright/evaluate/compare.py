"""Compare: ID3, C4.5, CART and MDLTree with every method of pruning, on one table.

In: encoded rows and the estimators to try. Out: a `Comparison`: what each tree is worth on rows it did not see, how
large it is on all rows, which is best, and which is recommended: the smallest within one standard error of the best
(Breiman and others 1984). A tree is grown once for each fold; the methods are views over it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

import numpy as np
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.estimators.base import BaseTree
from treewright.evaluate.cross import Entry, Made, Tell, rule_of, run
from treewright.evaluate.notes import table_notes
from treewright.evaluate.page import percent
from treewright.evaluate.results import CrossValidation, Scored
from treewright.model.words import category_words
from treewright.prune import Method, Steps
from treewright.prune.method import VALIDATION
from treewright.prune.registry import METHODS, parts_of, read_method, read_steps

NONE = "none"
"""The name of a tree that is left as it grew."""

FRACTION = 0.25
"""The share of the rows that is held out for methods that prune by validation rows."""

FEW_ROWS = 20
"""With fewer rows than this none are held out: a quarter of them decides nothing."""

FOLDS = ((500_000, 10), (5_000_000, 5))
"""Folds for tables of up to so many cells."""
FEWEST = 3

QUICK = ("pessimistic", "error_based", "mdl", "reduced_error", "pre_pruning")
"""The methods that are tried on very large tables: they grow no further trees."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """One algorithm with one method of pruning.

    algorithm, method  their names; "none" is the grown tree
    scored             in cross-validation
    made               the tree of all rows
    """

    algorithm: str
    method: str
    scored: Scored
    made: Made

    @property
    def n_leaves(self) -> int:
        return self.made.tree.n_leaves

    @property
    def title(self) -> str:
        """As it is called in a sentence.

        >>> Compared("cart", "cost_complexity", None, None).title
        'CART with cost-complexity pruning'
        """
        return title(self.algorithm, self.method)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All of them side by side.

    rows         a `Compared` for each
    best         the one of the smallest error
    recommended  the one with fewest leaves whose error is within one standard error of the best
    cross        the cross-validation they come from
    baseline     the error of answering without looking: always the class of most rows, or the mean
    usual        that class in words; None for numbers
    notes        what is to be known about the table and the comparison
    """

    rows: tuple[Compared, ...]
    best: Compared
    recommended: Compared
    cross: CrossValidation
    baseline: float
    usual: str | None
    notes: tuple[str, ...]

    @property
    def is_number(self) -> bool:
        return self.usual is None

    @property
    def shown(self) -> Compared:
        """The tree that is worth a picture: the one recommended; where that asks nothing, the best that does."""
        asking = [row for row in self.rows if row.n_leaves > 1]
        return self.recommended if self.recommended.n_leaves > 1 or not asking else min(asking, key=_rank)

    def best_of(self, algorithm: str) -> Compared:
        """The best of an algorithm; of several the smallest."""
        return min((row for row in self.rows if row.algorithm == algorithm), key=_rank)

    def worth(self, error: float) -> str:
        """An error as people read it: a share of right answers, or the root of a squared error."""
        return f"{sqrt(max(error, 0.0)):.4g}" if self.is_number else percent(1 - error)

    def log_loss_words(self, scored: Scored) -> list[str]:
        """The log loss as people read it; nothing for numbers, which have no column for it."""
        return [] if scored.log_loss is None else [f"{scored.log_loss:.3g}"]

    def give_or_take(self, scored: Scored) -> str:
        """The standard error of that."""
        if not self.is_number:
            return percent(scored.error_se)
        return f"{scored.error_se / (2 * sqrt(scored.error)) if scored.error > 0 else 0.0:.2g}"

    def sentence(self) -> str:
        """What is recommended, and why."""
        what = "root mean squared error" if self.is_number else "accuracy"
        best, chosen = self.best, self.recommended
        always = "the mean" if self.usual is None else self.usual
        if chosen.n_leaves == 1:
            found = f"No tree is clearly better than always answering {always} ({what} {self.worth(self.baseline)})"
            if self.shown is chosen:
                return f"{found}, and none asks anything."
            worth = f"{leaves(self.shown.n_leaves)}, {what} {self.worth(self.shown.scored.error)}"
            return f"{found}; the best that asks anything is {self.shown.title}: {worth}."
        said = f"{chosen.title}, {leaves(chosen.n_leaves)}: {what} {self.worth(chosen.scored.error)}"
        if chosen is best:
            why = "it is the best, and no smaller tree is within one standard error of it"
        else:
            by = f"{self.worth(best.scored.error)} by {best.title}, {leaves(best.n_leaves)}"
            why = f"the smallest tree within one standard error ({self.give_or_take(best.scored)}) of the best, {by}"
        found = f"Recommended: {said}; {why}."
        if self.baseline <= best.scored.error + best.scored.error_se:
            found += f" No tree is clearly better than always answering {always} ({self.worth(self.baseline)})."
        return found


def compare(
    estimators: Mapping[str, BaseTree],
    rows: Dataset,
    *,
    folds: int | None = None,
    methods: Sequence[str] | None = None,
    tell: Tell = lambda _: None,
) -> Comparison:
    """Compare estimators with every method of pruning.

    estimators  by the name of their algorithm; they are not changed. Their own `pruning` does not matter, but where it
                is several methods one after the other that is tried too, unless `methods` are given
    rows        the encoded table; what answers cost is used to grow and prune, and accuracy to compare
    folds       None: 10, or fewer for a large table
    methods     names, joined by + where one is to follow another; None: all that have a meaning for the target
    tell        is told the name of an algorithm whenever it has finished a part

    >>> from treewright import CARTClassifier
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> cart = CARTClassifier()
    >>> found = compare({"cart": cart}, cart._read(X, y, None)[1], methods=["pessimistic"], folds=5)
    >>> [(row.method, row.n_leaves) for row in found.rows], found.recommended.method
    ([('none', 8), ('pessimistic', 2)], 'pessimistic')
    """
    notes = table_notes(rows)
    k = folds or usual_folds(rows)
    tried, said = _methods(rows, methods)
    notes += said
    if rows.n_rows < FEW_ROWS:
        without = {name: method for name, method in tried.items() if VALIDATION not in method().needs}
        if len(without) < len(tried):
            left = " and ".join(name for name in tried if name not in without)
            notes.append(f"{rows.n_rows} rows are too few to hold some out, so that {left} are not tried.")
        tried = without
    if folds is None and k < FOLDS[0][1]:
        notes.append(f"The table is large, so that {k} folds are used instead of 10; --folds says otherwise.")
    entries = [
        entry
        for name, one in estimators.items()
        for entry in _entries(name, one, tried | (_own_steps(one) if methods is None else {}))
    ]
    cross = run(entries, rows, k, tell=tell)
    if folds is not None and cross.folds < folds:
        notes.append(f"{rows.n_rows} rows make {cross.folds} folds, not {folds}.")
    made: dict[str, Made] = {}
    for entry in entries:
        made |= entry.trees(rows)[0]
        tell(entry.name)
    found = [_compared(scored, made[scored.name]) for scored in cross.rows if scored.name in made]
    if not found:
        raise InputError("No tree can be made of all rows; give more rows.")
    notes += [f"{title(*name.split(' '))} is left out: {why}" for name, why in cross.left_out]
    best = min(found, key=_rank)
    within = [row for row in found if row.scored.error <= best.scored.error + best.scored.error_se]
    chosen = min(within, key=lambda row: (row.n_leaves, *_rank(row)))
    return Comparison(tuple(found), best, chosen, cross, *_baseline(rows), tuple(notes))


def n_steps(n_algorithms: int, rows: Dataset, folds: int | None, methods: Sequence[str] | None) -> int:
    """How often `tell` will be called: for each growth on each part, and on all rows."""
    tried, _ = _methods(rows, methods)
    held_out = rows.n_rows >= FEW_ROWS and any(VALIDATION in method().needs for method in tried.values())
    return n_algorithms * (1 + held_out) * (min(folds or usual_folds(rows), rows.n_rows) + 1)


def usual_folds(rows: Dataset) -> int:
    """Folds that take a sensible time: fewer for a large table."""
    return next((k for most, k in FOLDS if rows.values.size <= most), FEWEST)


def _methods(rows: Dataset, names: Sequence[str] | None) -> tuple[dict[str, Callable[[], Method]], list[str]]:
    """The methods that are tried, and what is said of the others."""
    is_number = rows.schema.target.is_number
    if names is not None:
        known = {name: METHODS[name] for name in METHODS if name in names}
        return known | {name: partial(_steps, name) for name in names if parts_of(name) is not None}, []
    tried: dict[str, Callable[[], Method]]
    tried = {name: method for name, method in METHODS.items() if method.for_numbers or not is_number}
    if rows.values.size <= FOLDS[-1][0]:
        return tried, []
    quick = {name: method for name, method in tried.items() if name in QUICK}
    left = ", ".join(name for name in tried if name not in quick)
    return quick, [f"The table is very large, so that the methods {left} are not tried; --pruning names others."]


def _steps(names: str) -> Method:
    """Several methods, one after the other, by their names."""
    return read_steps(parts_of(names) or [], read_method, {})


def _own_steps(estimator: BaseTree) -> dict[str, Callable[[], Method]]:
    """The pruning of an estimator, where that is several methods one after the other."""
    method = estimator._method()
    return {method.label: partial(_steps, method.label)} if isinstance(method, Steps) else {}


def _entries(algorithm: str, estimator: BaseTree, tried: Mapping[str, Callable[[], Method]]) -> list[Entry]:
    """One growth for the methods that look at all rows, and another one for those that need some held out."""
    model = clone(estimator).set_params(pruning=None, pre_pruning=None, validation_fraction=None)
    if hasattr(model, "tune"):  # it would choose the pruning too
        model.set_params(tune=False)
    grow, rule = model._grower(), rule_of(model)
    plain: dict[str, Method | None] = {f"{algorithm} {NONE}": None}
    held: dict[str, Method | None] = {}
    for name in tried:
        method = model._read_method(name)
        which = held if method is not None and VALIDATION in method.needs else plain
        which[f"{algorithm} {name}"] = method
    ways = {"priced": model._growth_on, "finished": model._answering_as_asked, "sized": model._growth_of_size}
    entries = [Entry(algorithm, grow, rule, None, plain, **ways)]
    return entries + ([Entry(algorithm, grow, rule, FRACTION, held, **ways)] if held else [])


def _compared(scored: Scored, made: Made) -> Compared:
    algorithm, method = scored.name.split(" ")
    return Compared(algorithm, method, scored, made)


def title(algorithm: str, method: str) -> str:
    """An algorithm with a method of pruning, in words.

    >>> title("c4.5", "mdl"), title("id3", "pre_pruning"), title("mdl", "none")
    ('C4.5 with MDL pruning', 'ID3 with pre-pruning', 'MDLTree without pruning')
    """
    usual = f"with {method.replace('_', '-').replace('+', ' and ')} pruning"
    how = {NONE: "without pruning", "mdl": "with MDL pruning", "pre_pruning": "with pre-pruning"}
    return f"{called(algorithm)} {how.get(method, usual)}"


def called(algorithm: str) -> str:
    """An algorithm as people call it.

    >>> called("c4.5"), called("mdl")
    ('C4.5', 'MDLTree')
    """
    return "MDLTree" if algorithm == "mdl" else algorithm.upper()


def _rank(row: Compared) -> tuple[float, int]:
    return row.scored.error, row.n_leaves


def leaves(n: int) -> str:
    """So many leaves.

    >>> leaves(1), leaves(1200)
    ('a single leaf', '1,200 leaves')
    """
    return f"{n:,} leaves" if n != 1 else "a single leaf"


def _baseline(rows: Dataset) -> tuple[float, str | None]:
    """The error of always answering the same, and what that is."""
    if rows.schema.target.is_number:
        mean = np.average(rows.target, weights=rows.weight)
        return float(np.average((rows.target - mean) ** 2, weights=rows.weight)), None
    counts = np.bincount(rows.target, rows.weight, rows.schema.target.n_classes)
    most = int(counts.argmax())
    return 1.0 - float(counts[most] / counts.sum()), category_words((rows.schema.target.classes or ())[most])
