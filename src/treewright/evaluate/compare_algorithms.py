"""Comparison of ID3, C4.5, CART and MDLTree with every pruning method on one table.

`compare` cross-validates all combinations on the same folds, and grows each on all rows. The `Comparison` says which
tree is best, which is recommended (the smallest within one standard error of the best; Breiman and others 1984), and
which is the best that can be read as a whole. In each fold a tree is grown once; the pruning methods work on it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt

import numpy as np
from sklearn.base import clone

from treewright.data.dataset import Dataset
from treewright.data.folds import folds as divide_rows
from treewright.errors import InputError
from treewright.estimators.base import BaseTreeEstimator
from treewright.estimators.fitting import make_grower, make_grower_with_costs, make_sized_grower
from treewright.estimators.pruning import READABLE, READABLE_LEAVES, with_size
from treewright.evaluate.cross import (
    FittedTree,
    HeldOutPredictions,
    Learner,
    OnProgress,
    missing_policy_of,
    predict_held_out,
    run_cross_validation,
)
from treewright.evaluate.cross_results import CrossValidation, CrossValidationScore
from treewright.evaluate.score_report import percent
from treewright.language import N_, messages
from treewright.model.formatting import format_category
from treewright.prune import MaxLeaves, Method, Steps
from treewright.prune.method import METHOD_SEPARATOR, VALIDATION
from treewright.prune.registry import METHODS, compared_methods, parts_of, read_method, read_steps

NO_PRUNING = "none"
"""The name of an unpruned tree."""

VALIDATION_FRACTION = 0.25
"""Fraction of the rows held out for methods that prune by validation rows."""

FEW_ROWS = 20
"""With fewer rows than this no validation rows are held out: a quarter of them decides nothing."""

FOLDS = ((500_000, 10), (5_000_000, 5))
"""Folds for tables of up to so many cells."""
FEWEST_FOLDS = 3

FAST_METHODS = ("pessimistic", "error_based", "mdl", "reduced_error", "pre_pruning")
"""The methods tried on very large tables: they grow no further trees."""

ALGORITHM_NAMES = {"id3": "ID3", "c4.5": "C4.5", "cart": "CART", "mdl": "MDLTree"}

PRUNING_NAMES = {
    NO_PRUNING: N_("no pruning"),
    "error_based": N_("error-based pruning"),
    "pessimistic": N_("pessimistic pruning"),
    "cost_complexity": N_("cost-complexity pruning"),
    "reduced_error": N_("reduced-error pruning"),
    "minimum_error": N_("minimum-error pruning"),
    "critical_value": N_("critical-value pruning"),
    "mdl": N_("MDL pruning"),
    "global": N_("global pruning"),
    "same_decision": N_("same-decision pruning"),
    "max_leaves": N_("max-leaves pruning"),
    "pre_pruning": N_("pre-pruning"),
}
"""The pruning methods as sentences name them."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparedTree:
    """One algorithm with one pruning method.

    algorithm, method  their names as options; "none" is the unpruned tree
    scored             cross-validated scores
    fitted             the tree grown on all rows
    """

    algorithm: str
    method: str
    scored: CrossValidationScore
    fitted: FittedTree

    @property
    def n_leaves(self) -> int:
        return self.fitted.tree.n_leaves

    def title(self, language: str = "en") -> str:
        """Return the name of the combination.

        >>> ComparedTree("cart", "cost_complexity", None, None).title()
        'CART with cost-complexity pruning'
        """
        return combination_name(self.algorithm, self.method, language)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """All combinations side by side.

    rows            a `ComparedTree` for each, the best first
    best            the one with the smallest error
    recommended     the one with fewest leaves whose error is within one standard error of the best
    readable        the best one with at most 20 leaves
    cross           the cross-validation
    nested_error    the error of choosing the best one, estimated by rows that did not choose it
    is_nested       whether the choice was made by a cross-validation of the other rows, not by the other folds
    baseline        the error of always predicting the most frequent class, or the mean
    baseline_class  that class; None for regression
    notes           remarks on the table and the comparison
    learners        how each combination is trained, by its name in `cross`
    data            the rows
    language        language of the sentences
    """

    rows: tuple[ComparedTree, ...]
    best: ComparedTree
    recommended: ComparedTree
    readable: ComparedTree
    cross: CrossValidation
    nested_error: float
    is_nested: bool
    baseline: float
    baseline_class: str | None
    notes: tuple[str, ...]
    learners: Mapping[str, Learner]
    data: Dataset
    language: str = "en"

    @property
    def is_number(self) -> bool:
        return self.baseline_class is None

    @property
    def shown(self) -> ComparedTree:
        """The tree to draw: the recommended one, or if that has no split the best tree that has one."""
        with_splits = [row for row in self.rows if row.n_leaves > 1]
        if self.recommended.n_leaves > 1 or not with_splits:
            return self.recommended
        return min(with_splits, key=_rank)

    def held_out(self, row: ComparedTree) -> HeldOutPredictions:
        """Return the cross-validated predictions of a combination, which is trained again for this."""
        return predict_held_out(self.learners[row.scored.name], row.scored.name, self.data, self.cross.folds)

    def best_of(self, algorithm: str) -> ComparedTree:
        """Return the best tree of an algorithm; of equal ones the smallest."""
        return min((row for row in self.rows if row.algorithm == algorithm), key=_rank)

    def format_score(self, error: float) -> str:
        """Return an error as it is printed: as accuracy, or as root mean squared error."""
        return f"{sqrt(max(error, 0.0)):.4g}" if self.is_number else percent(1 - error)

    def format_score_se(self, scored: CrossValidationScore) -> str:
        """Return the standard error of the printed score."""
        if not self.is_number:
            return percent(scored.error_se)
        return f"{scored.error_se / (2 * sqrt(scored.error)) if scored.error > 0 else 0.0:.2g}"

    def format_second_score(self, scored: CrossValidationScore) -> str:
        """Return the log loss, or R² for regression, as it is printed; nothing if it is undefined."""
        second = scored.r2 if self.is_number else scored.log_loss
        return "" if second is None else f"{second:.3g}"

    def measure(self) -> str:
        """Return the name of the printed score."""
        _ = messages(self.language)
        return _("root mean squared error") if self.is_number else _("accuracy")

    def summary(self, row: ComparedTree) -> str:
        """Return name, size and score of a tree."""
        _ = messages(self.language)
        return _(
            "{tree}, {leaves}, {measure} {score}",
            tree=row.title(self.language),
            leaves=count_leaves(row.n_leaves, self.language),
            measure=self.measure(),
            score=self.format_score(row.scored.error),
        )

    def sentence(self) -> str:
        """Return what is recommended, and why."""
        _ = messages(self.language)
        best, chosen = self.best, self.recommended
        if chosen.n_leaves == 1:
            if self.shown is chosen:
                return _("{baseline} No tree has a split.", baseline=self._no_better_than_baseline())
            return _(
                "{baseline} The best tree with a split is {tree}.",
                baseline=self._no_better_than_baseline(),
                tree=self.summary(self.shown),
            )
        if chosen is best:
            found = _(
                "Recommended: {tree}. It is the best, and no smaller tree is within one standard error of it.",
                tree=self.summary(chosen),
            )
        else:
            found = _(
                "Recommended: {tree}. It is the smallest tree within one standard error ({se}) of the best: {best}.",
                tree=self.summary(chosen),
                se=self.format_score_se(best.scored),
                best=self.summary(best),
            )
        if self.baseline <= best.scored.error + best.scored.error_se:
            return _(
                "{recommendation} {baseline}", recommendation=found, baseline=self._no_better_than_baseline()
            )
        return found

    def readable_sentence(self) -> str | None:
        """Return what a tree costs that can be read as a whole; None if the best and the recommended tree are such."""
        best, readable = self.best, self.readable
        if max(best.n_leaves, self.recommended.n_leaves) <= READABLE_LEAVES or readable.n_leaves > READABLE_LEAVES:
            return None
        _ = messages(self.language)
        if self.is_number:
            more = sqrt(max(readable.scored.error, 0.0)) - sqrt(max(best.scored.error, 0.0))
            cost = _("{difference} more than the best", difference=f"{more:.2g}")
        else:
            less = readable.scored.error - best.scored.error
            cost = _(
                "{difference} less than the best (± {se})",
                difference=percent(less),
                se=percent(readable.scored.difference_se),
            )
        return _(
            "The best tree with at most {n} leaves: {tree}; {cost}.",
            n=READABLE_LEAVES,
            tree=self.summary(replace(readable, method=_without_limit(readable.method))),
            cost=cost,
        )

    def optimism_sentence(self) -> str | None:
        """Return the score of the best tree without the optimism of its choice; None if there was no choice."""
        if len(self.rows) < 2:
            return None
        _ = messages(self.language)
        best, nested = self.format_score(self.best.scored.error), self.format_score(self.nested_error)
        values = {"n": len(self.rows), "measure": self.measure(), "score": best, "nested": nested}
        if self.nested_error <= self.best.scored.error or best == nested:
            return _(
                "The best of {n} scores is not optimistic here: if the tree of each fold is chosen without its rows, "
                "{measure} is {nested}.",
                **values,
            )
        if self.is_nested:
            return _(
                "The best of {n} scores, {measure} {score}, is optimistic, because the same rows chose the tree. If "
                "the tree of each fold is chosen by a cross-validation of the other rows, it is {nested}.",
                **values,
            )
        return _(
            "The best of {n} scores, {measure} {score}, is optimistic, because the same rows chose the tree. If the "
            "tree of each fold is chosen by the other folds, it is {nested}.",
            **values,
        )

    def sentences(self) -> list[str]:
        """Return what is recommended, what a readable tree costs, and how optimistic the best score is."""
        return [
            one for one in (self.sentence(), self.readable_sentence(), self.optimism_sentence()) if one is not None
        ]

    def _no_better_than_baseline(self) -> str:
        _ = messages(self.language)
        return _("No tree is clearly better than the {baseline}.", baseline=self.describe_baseline())

    def describe_baseline(self) -> str:
        """Return the baseline score and what it predicts."""
        _, score = messages(self.language), self.format_score(self.baseline)
        if self.is_number:
            return _("baseline root mean squared error {score} (always predicting the mean)", score=score)
        return _(
            "baseline accuracy {score} (always predicting {name})", score=score, name=self.baseline_class
        )


def compare(
    estimators: Mapping[str, BaseTreeEstimator],
    rows: Dataset,
    *,
    folds: int | None = None,
    methods: Sequence[str] | None = None,
    nested: bool = False,
    on_progress: OnProgress = lambda _: None,
    language: str = "en",
) -> Comparison:
    """Compare estimators with every pruning method.

    Parameters
    ----------
    estimators : mapping of str to estimator
        Estimators by the name of their algorithm; they are not changed. Their own `pruning` does not matter, except
        that a sequence of methods is tried too unless `methods` are given.
    rows : Dataset
        The encoded table. Costs are used to grow and prune, accuracy to compare.
    folds : int, optional
        Number of folds; by default 10, or fewer for a large table.
    methods : sequence of str, optional
        Names of pruning methods, joined by + for one after the other; by default all that apply to the target. A tree
        of more than 20 leaves is compared with at most 20 leaves too.
    nested : bool
        Whether the error of choosing the best tree is estimated by a cross-validation inside each fold, which takes
        as many times as long as there are folds; otherwise the tree of each fold is chosen by the other folds.
    on_progress : callable
        Called with the name of an algorithm after each of its folds.
    language : {"en", "zh"}
        Language of notes and sentences.

    Examples
    --------
    >>> from treewright import CARTClassifier
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> from treewright.estimators.training_data import read_training_data
    >>> cart = CARTClassifier()
    >>> rows = read_training_data(cart, X, y, None).rows
    >>> found = compare({"cart": cart}, rows, methods=["pessimistic"], folds=5)
    >>> [(row.method, row.n_leaves) for row in found.rows], found.recommended.method
    ([('pessimistic', 2), ('none', 8)], 'pessimistic')
    """
    _ = messages(language)
    k = folds or default_folds(rows)
    tried, notes = _methods(rows, methods, language)
    if rows.n_rows < FEW_ROWS:
        without = {name: method for name, method in tried.items() if VALIDATION not in method().needs}
        if len(without) < len(tried):
            left = ", ".join(pruning_name(name, language) for name in tried if name not in without)
            few = _(
                "{n} rows are too few to hold out validation rows; not tried: {methods}.",
                n=rows.n_rows,
                methods=left,
            )
            notes.append(few)
        tried = without
    if folds is None and k < FOLDS[0][1]:
        notes.append(_("The table is large: {n} folds are used instead of 10; see --folds.", n=k))
    learners = [
        learner
        for name, one in estimators.items()
        for learner in _make_learners(name, one, tried | (_own_steps(one) if methods is None else {}), methods is None)
    ]
    cross = replace(run_cross_validation(learners, rows, k, on_progress=on_progress), language=language)
    if folds is not None and cross.folds < folds:
        notes.append(
            _(
                "{n} rows allow {folds} folds instead of {given}.",
                n=rows.n_rows,
                folds=cross.folds,
                given=folds,
            )
        )
    fitted: dict[str, FittedTree] = {}
    for learner in learners:
        fitted |= learner.trees(rows)[0]
        on_progress(learner.name)
    found = [_compared(scored, fitted[scored.name]) for scored in cross.rows if scored.name in fitted]
    if not found:
        raise InputError("No algorithm can grow a tree on this table; use a table with more rows.")
    notes += [
        _("{name} is left out: {why}", name=_full_name(name, language), why=why)
        for name, why in cross.left_out
    ]
    found = sorted(_without_needless_limits(found), key=_rank)
    cross = replace(cross, rows=tuple(row.scored for row in found))
    best, readable = found[0], min(found, key=lambda row: (row.n_leaves > READABLE_LEAVES, *_rank(row)))
    baseline, baseline_class = _baseline(rows)
    within = [row for row in found if row.scored.error <= best.scored.error + best.scored.error_se]
    return Comparison(
        rows=tuple(found),
        best=best,
        recommended=min(within, key=lambda row: (row.n_leaves, *_rank(row))),
        readable=readable,
        cross=cross,
        nested_error=cross.nested_error(_nested_choices(learners, cross, rows, on_progress) if nested else None),
        is_nested=nested,
        baseline=baseline,
        baseline_class=baseline_class,
        notes=tuple(notes),
        learners={name: learner for learner in learners for name in learner.methods},
        data=rows,
        language=language,
    )


def _without_needless_limits(found: Sequence[ComparedTree]) -> list[ComparedTree]:
    """Return the rows without trees that are limited to 20 leaves although they have no more without the limit."""
    free = {(row.algorithm, row.method): row for row in found}
    kept = []
    for row in found:
        without = free.get((row.algorithm, _without_limit(row.method)), row)
        is_same = without is not row and row.n_leaves == without.n_leaves
        if not (is_same and row.scored.error >= without.scored.error):
            kept.append(row)
    return kept


def _nested_choices(
    learners: Sequence[Learner], cross: CrossValidation, rows: Dataset, on_progress: OnProgress
) -> list[str]:
    """Return the best combination for each fold, by a cross-validation of the other rows."""
    compared = {row.name for row in cross.rows}
    chosen = []
    for training, _ in divide_rows(rows, cross.folds):
        inner = run_cross_validation(learners, training, cross.folds, on_progress=on_progress)
        scores = [row for row in inner.rows if row.name in compared]
        chosen.append(min(scores, key=lambda row: (row.error, row.n_leaves)).name)
    return chosen


def n_steps(
    n_algorithms: int, rows: Dataset, folds: int | None, methods: Sequence[str] | None, nested: bool = False
) -> int:
    """Return how often `on_progress` will be called: for each growth in each fold, and on all rows."""
    tried, _ = _methods(rows, methods, "en")
    held_out = rows.n_rows >= FEW_ROWS and any(VALIDATION in method().needs for method in tried.values())
    k = min(folds or default_folds(rows), rows.n_rows)
    return n_algorithms * (1 + held_out) * (k + 1 + nested * k * k)


def default_folds(rows: Dataset) -> int:
    """Return the default number of folds: fewer for a large table."""
    return next((k for most, k in FOLDS if rows.values.size <= most), FEWEST_FOLDS)


def _methods(
    rows: Dataset, names: Sequence[str] | None, language: str
) -> tuple[dict[str, Callable[[], Method]], list[str]]:
    """Return the methods to try, and a note on those that are not."""
    is_number = rows.schema.target.is_number
    if names is not None:
        known = {name: METHODS[name] for name in METHODS if name in names}
        return known | {name: partial(_steps, name) for name in names if parts_of(name) is not None}, []
    tried: dict[str, Callable[[], Method]] = {**compared_methods(is_number)}
    if rows.values.size <= FOLDS[-1][0]:
        return tried, []
    fast = {name: method for name, method in tried.items() if name in FAST_METHODS}
    left = ", ".join(pruning_name(name, language) for name in tried if name not in fast)
    _ = messages(language)
    return fast, [_("The table is very large: {methods} are not tried; see --pruning.", methods=left)]


def _steps(names: str) -> Method:
    """Return several methods, one after the other, by their names."""
    return read_steps(parts_of(names) or [], read_method, {})


def _own_steps(estimator: BaseTreeEstimator) -> dict[str, Callable[[], Method]]:
    """Return the pruning of an estimator, without `size`, if it is several methods one after the other."""
    method = estimator._read_method(estimator.pruning)
    return {method.label: partial(_steps, method.label)} if isinstance(method, Steps) else {}


def _make_learners(
    algorithm: str, estimator: BaseTreeEstimator, tried: Mapping[str, Callable[[], Method]], limits_own: bool
) -> list[Learner]:
    """Return a learner for the methods that use all rows, and one for those that need validation rows.

    limits_own  whether the own pruning of the estimator is also tried with at most 20 leaves; otherwise no pruning is
    """
    model = clone(estimator).set_params(pruning=None, size=None, pre_pruning=None, validation_fraction=None)
    if hasattr(model, "tune"):  # tuning would choose the pruning too
        model.set_params(tune=False)
    grow, rule = make_grower(model), missing_policy_of(model)
    on_all_rows: dict[str, Method | None] = {f"{algorithm} {NO_PRUNING}": None}
    on_validation_rows: dict[str, Method | None] = {}
    for name in tried:
        method = model._read_method(name)
        needs_validation = method is not None and VALIDATION in method.needs
        (on_validation_rows if needs_validation else on_all_rows)[f"{algorithm} {name}"] = method
    own = model._read_method(estimator.pruning) if limits_own else None
    limited = with_size(None if own is not None and VALIDATION in own.needs else own, READABLE)
    if limited is not None:
        on_all_rows[f"{algorithm} {limited.label}"] = limited
    settings = {
        "weigh_costs": partial(make_grower_with_costs, model),
        "set_probabilities": model._with_probabilities,
        "choose_size": partial(make_sized_grower, model),
    }
    learners = [Learner(algorithm, grow, rule, None, on_all_rows, **settings)]
    if on_validation_rows:
        learners.append(Learner(algorithm, grow, rule, VALIDATION_FRACTION, on_validation_rows, **settings))
    return learners


def _compared(scored: CrossValidationScore, fitted: FittedTree) -> ComparedTree:
    algorithm, method = scored.name.split(" ")
    return ComparedTree(algorithm, method, scored, fitted)


def combination_name(algorithm: str, method: str, language: str = "en") -> str:
    """Return the name of an algorithm with a pruning method.

    >>> combination_name("c4.5", "mdl"), combination_name("id3", "error_based+global"), combination_name("mdl", "none")
    ('C4.5 with MDL pruning', 'ID3 with error-based pruning + global pruning', 'MDLTree without pruning')
    """
    _ = messages(language)
    name = algorithm_name(algorithm)
    if method == NO_PRUNING:
        return _("{algorithm} without pruning", algorithm=name)
    return _("{algorithm} with {pruning}", algorithm=name, pruning=pruning_name(method, language))


def _full_name(scored: str, language: str) -> str:
    """Return the name of a combination from the name of its scores."""
    algorithm, method = scored.split(" ")
    return combination_name(algorithm, method, language)


def pruning_name(method: str, language: str = "en") -> str:
    """Return the name of a pruning method, or of several joined by +."""
    _ = messages(language)
    if _without_limit(method) != method:
        before = _without_limit(method)
        limit = _("at most {n} leaves", n=READABLE_LEAVES)
        return limit if before == NO_PRUNING else f"{pruning_name(before, language)}, {limit}"
    return " + ".join(_(PRUNING_NAMES[part]) if part in PRUNING_NAMES else part for part in method.split("+"))


def _without_limit(method: str) -> str:
    """Return the name of a method without its last step, if that limits the number of leaves.

    >>> _without_limit("error_based+max_leaves"), _without_limit("max_leaves"), _without_limit("mdl")
    ('error_based', 'none', 'mdl')
    """
    *before, last = method.split(METHOD_SEPARATOR)
    if last != MaxLeaves.name:
        return method
    return METHOD_SEPARATOR.join(before) or NO_PRUNING


def algorithm_name(algorithm: str) -> str:
    """Return the name of an algorithm.

    >>> algorithm_name("c4.5"), algorithm_name("mdl")
    ('C4.5', 'MDLTree')
    """
    return ALGORITHM_NAMES.get(algorithm, algorithm)


def _rank(row: ComparedTree) -> tuple[float, int]:
    return row.scored.error, row.n_leaves


def count_leaves(n: int, language: str = "en") -> str:
    """Return a number of leaves in words.

    >>> count_leaves(1), count_leaves(1200)
    ('1 leaf', '1,200 leaves')
    """
    return messages(language).plural("{n} leaf", "{n} leaves", n, n=f"{n:,}")


def _baseline(rows: Dataset) -> tuple[float, str | None]:
    """Return the error of always predicting the same, and the class that is predicted."""
    if rows.schema.target.is_number:
        mean = np.average(rows.target, weights=rows.weight)
        return float(np.average((rows.target - mean) ** 2, weights=rows.weight)), None
    counts = np.bincount(rows.target, rows.weight, rows.schema.target.n_classes)
    most = int(counts.argmax())
    return 1.0 - float(counts[most] / counts.sum()), format_category((rows.schema.target.classes or ())[most])
