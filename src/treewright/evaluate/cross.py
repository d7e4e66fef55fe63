"""Cross: k-fold cross-validation of ways to make a tree, all on the same parts of the rows.

In: entries, each a way to grow and some ways to prune what was grown; encoded rows. Out: a `CrossValidation`: for each
way its error on rows that it did not see, with a standard error, and how far it is from the best: by its error, or
where costs are given by what its answers cost. No chance and no seed: the rows are dealt as `treewright.data.folds`
does it. A tree is grown once for each part, however it is pruned.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.folds import folds as deal
from treewright.data.folds import hold_out
from treewright.errors import InputError, TreewrightError
from treewright.estimators.base import BaseTree
from treewright.estimators.costs import read_cost_matrix
from treewright.estimators.missing import asking
from treewright.estimators.parameters import whole
from treewright.estimators.pruning import Outcome, Pruning, apply
from treewright.evaluate.calibration import brier_losses, log_losses
from treewright.evaluate.results import CrossValidation, Scored
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, shares
from treewright.predict.errors import losses_of
from treewright.predict.rule import Rule
from treewright.prune import Method
from treewright.prune.method import Material
from treewright.prune.units import one_row

Tell = Callable[[str], None]
"""Is told what was just done."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A way to grow trees, and ways to prune what was grown.

    name      what is said of it while it works
    grow      grows a tree
    rule      how a grown tree is asked
    fraction  the share of the rows that is held out from growth as validation rows; None: none is
    methods   the ways to prune, by the names of the results; None is the grown tree
    pre       as the parameter `pre_pruning` of an estimator
    priced    gives rows as they are weighed for what their answers cost, and growth on them; None: they stay
    sized     from these rows, those of them that grow and a pruning: growth and pruning of the size that suits them;
              None: as they are
    finished  gives the outcome with probabilities as they are wanted; None: the shares of the classes
    """

    name: str
    grow: Callable[[Dataset], Tree]
    rule: Callable[[Tree], Rule]
    fraction: float | None
    methods: Mapping[str, Method | None]
    pre: bool | None = None
    priced: Callable[[Dataset], tuple[Dataset, Callable[[Dataset], Tree]]] | None = None
    finished: Callable[[Outcome, Pruning, Material], Outcome] | None = None
    sized: Callable[[Dataset, Dataset, Pruning], tuple[Callable[[Dataset], Tree], Pruning]] | None = None

    def trees(self, rows: Dataset) -> "tuple[dict[str, Made], dict[str, str]]":
        """The tree of each method on these rows, and why there is none where it cannot be made."""
        began = perf_counter()
        try:
            priced, grow = (rows, self.grow) if self.priced is None else self.priced(rows)
            training, validation = (priced, None) if self.fraction is None else hold_out(priced, self.fraction)
            prunings = {name: Pruning(method, self.pre, None) for name, method in self.methods.items()}
            if self.sized is not None:
                for name, pruning in prunings.items():
                    grow, prunings[name] = self.sized(rows, training, pruning)
            grown = grow(training)
        except TreewrightError as error:
            return {}, dict.fromkeys(self.methods, str(error))
        rule, took = self.rule(grown), perf_counter() - began
        material = Material(grown, training, validation, grow, rule, one_row(training))
        made, failed = {}, {}
        for name, pruning in prunings.items():
            began = perf_counter()
            try:
                tree = self._made(pruning, material)
            except TreewrightError as error:
                failed[name] = str(error)
                continue
            made[name] = Made(tree, rule, took + perf_counter() - began)
        return made, failed

    def _made(self, pruning: Pruning, material: Material) -> Tree:
        outcome = apply(pruning, material)
        return outcome.tree if self.finished is None else self.finished(outcome, pruning, material).tree


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A tree, how it is asked, and the seconds that growth and pruning took."""

    tree: Tree
    rule: Rule
    seconds: float


def entry_of(estimator: BaseTree, name: str) -> Entry:
    """An estimator as an entry of one way, with the parameters as they are now; they are checked here.

    >>> from treewright import CARTClassifier
    >>> entry_of(CARTClassifier(pruning=None), "cart").methods
    {'cart': None}
    """
    pruning = estimator._pruning(given=False)
    estimator._check_answering()
    return Entry(
        name,
        estimator._grower(),
        rule_of(estimator),
        pruning.fraction,
        {name: pruning.method},
        pruning.pre,
        priced=estimator._growth_on,
        finished=estimator._answering_as_asked,
        sized=estimator._growth_of_size,
    )


def rule_of(estimator: BaseTree) -> Callable[[Tree], Rule]:
    """How trees of an estimator are asked."""
    return lambda tree: asking(tree, estimator.missing_predict, estimator.unseen_category).rule


def cross_validate(
    estimators: Mapping[str, BaseTree],
    X: object,
    y: object,
    sample_weight: object = None,
    *,
    folds: int = 10,
    repeats: int = 1,
    tell: Tell = lambda _: None,
) -> CrossValidation:
    """Cross-validate estimators side by side, on the same parts of the rows.

    estimators  by the names of the results; they are not changed. The table is read as the first of them does it, and
                its `class_weight`, or its priors, weigh the errors too. The first cost matrix that is given says what
                the answers of all cost
    folds       the parts; each is held out once. Every class is shared out evenly
    repeats     how often the rows are dealt anew
    tell        is told the name of an estimator whenever it has finished a part

    >>> from treewright import C45Classifier, CARTClassifier
    >>> X, y = [[x % 7, x] for x in range(60)], ["low"] * 30 + ["high"] * 30
    >>> y[5], y[47] = "high", "low"
    >>> found = cross_validate({"c4.5": C45Classifier(), "cart": CARTClassifier()}, X, y, folds=5)
    >>> [(row.name, round(row.error, 3)) for row in found.rows]
    [('c4.5', 0.05), ('cart', 0.033)]
    """
    if not estimators:
        raise InputError("There is no estimator to be cross-validated; give at least one.")
    entries = [entry_of(estimator, name) for name, estimator in estimators.items()]
    _, rows = next(iter(estimators.values()))._read(X, y, sample_weight)
    k, n, costs = whole("folds", folds, low=2), whole("repeats", repeats, low=1), costs_given(estimators.values(), rows)
    return run(entries, rows, k, n, tell, costs)


def costs_given(estimators: Iterable[BaseTree], rows: Dataset) -> NDArray[np.float64] | None:
    """What answers cost, by the first of the estimators that says it; None where none does."""
    given = (getattr(estimator, "cost_matrix", None) for estimator in estimators)
    return read_cost_matrix(next((one for one in given if one is not None), None), rows.schema.target)


def run(
    entries: Sequence[Entry],
    rows: Dataset,
    k: int,
    repeats: int = 1,
    tell: Tell = lambda _: None,
    costs: NDArray[np.float64] | None = None,
) -> CrossValidation:
    """Cross-validate entries on encoded rows; what cannot be made on one of the parts is left out, with the reason.

    costs  what an answer costs, (true class, answered class); None: 1 for each wrong one, and nothing is said of costs
    """
    names = [name for entry in entries for name in entry.methods]
    left_out: dict[str, str] = {}
    tallies = []
    for repeat in range(repeats):
        tally = Tally(len(names))
        for training, held_out in deal(rows, k, repeat):
            losses, logs, briers, judged = (np.zeros((len(names), held_out.n_rows)) for _ in range(4))
            for entry in entries:
                made, failed = entry.trees(training)
                left_out |= failed
                for name, one in made.items():
                    at = names.index(name)
                    losses[at], logs[at], briers[at], judged[at] = _losses(one, held_out, costs)
                    tally.count(at, one)
                tell(entry.name)
            tally.add(losses, (logs, briers), judged, held_out.weight)
        tallies.append(tally)
    if len(left_out) == len(names):
        raise InputError(next(iter(left_out.values())))
    return _results(names, left_out, tallies, rows, costs is not None)


class Tally:
    """What one deal of the rows showed: sums over the rows that were held out, and over the trees."""

    def __init__(self, n: int) -> None:
        self.n_folds = 0
        self.weight = self.squares = 0.0
        self.loss, self.log, self.brier, self.judged = np.zeros((4, n))
        self.loss_squares, self.products = np.zeros(n), np.zeros((n, n))
        self.sizes = np.zeros((n, 3))

    def count(self, at: int, made: Made) -> None:
        self.sizes[at] += made.tree.n_leaves, made.tree.depth, made.seconds

    def add(
        self,
        losses: NDArray[np.float64],
        of_shares: tuple[NDArray[np.float64], NDArray[np.float64]],
        judged: NDArray[np.float64],
        weight: NDArray[np.float64] | None,
    ) -> None:
        """Add a part: the losses; the logarithmic and squared losses of the shares; and what ways are compared by.

        `judged` is that: the losses, or what the answers cost.
        """
        weight = np.ones(losses.shape[1]) if weight is None else weight
        self.n_folds += 1
        self.weight += float(weight.sum())
        self.squares += float((weight**2).sum())
        self.loss += losses @ weight
        self.log += of_shares[0] @ weight
        self.brier += of_shares[1] @ weight
        self.loss_squares += losses**2 @ weight
        self.judged += judged @ weight
        self.products += (judged * weight) @ judged.T

    def spread(self) -> NDArray[np.float64]:
        """The covariances of what ways are compared by, of a row."""
        mean = self.judged / self.weight
        return self.products / self.weight - np.outer(mean, mean)

    def loss_spread(self) -> NDArray[np.float64]:
        """The variances of the losses of a row."""
        return self.loss_squares / self.weight - (self.loss / self.weight) ** 2


def _losses(made: Made, rows: Dataset, costs: NDArray[np.float64] | None) -> tuple[NDArray[np.float64], ...]:
    """The loss of each row: 1 for a wrong class, or the squared error; the two losses of its shares; and its cost."""
    tree, rule = made.tree, made.rule
    if tree.schema.target.is_number:
        losses = losses_of(tree, rows, rule).astype(np.float64)
        return losses, np.zeros(rows.n_rows), np.zeros(rows.n_rows), losses
    answered, actual = class_codes(tree, rows.values, rule), rows.target.astype(np.intp)
    losses = (answered != actual).astype(np.float64)
    by_class = shares(tree, rows.values, rule)
    logs, briers = log_losses(actual, by_class), brier_losses(actual, by_class)
    return losses, logs, briers, losses if costs is None else costs[actual, answered]


def _results(
    names: Sequence[str], left_out: Mapping[str, str], tallies: Sequence[Tally], rows: Dataset, has_costs: bool
) -> CrossValidation:
    """The sums as means; more repeats make a mean steadier, but no more rows: standard errors stay as they are."""
    is_number = rows.schema.target.is_number
    error = np.mean([tally.loss / tally.weight for tally in tallies], axis=0)
    judged = np.mean([tally.judged / tally.weight for tally in tallies], axis=0)
    log = np.mean([tally.log / tally.weight for tally in tallies], axis=0)
    brier = np.mean([tally.brier / tally.weight for tally in tallies], axis=0)
    # Importances make no more rows than there are (Kish); copies do.
    n_rows = [tally.weight if rows.is_counted else tally.weight**2 / tally.squares for tally in tallies]
    spread = np.mean([tally.spread() / n for tally, n in zip(tallies, n_rows, strict=True)], axis=0)
    own = np.mean([tally.loss_spread() / n for tally, n in zip(tallies, n_rows, strict=True)], axis=0)
    n_fits = sum(tally.n_folds for tally in tallies)
    sizes = np.sum([tally.sizes for tally in tallies], axis=0) / n_fits
    there = [i for i, name in enumerate(names) if name not in left_out]
    best = min(there, key=lambda i: (judged[i], sizes[i, 0], i))
    variance = _variance(rows) if is_number else None
    found = [
        Scored(
            name=names[i],
            error=float(error[i]),
            error_se=_root(own[i]),
            log_loss=None if is_number else float(log[i]),
            r2=1.0 - float(error[i]) / variance if variance else None,
            n_leaves=float(sizes[i, 0]),
            depth=float(sizes[i, 1]),
            seconds=float(sizes[i, 2]),
            difference=float(judged[i] - judged[best]),
            difference_se=_root(spread[i, i] + spread[best, best] - 2 * spread[i, best]),
            cost=float(judged[i]) if has_costs else None,
            cost_se=_root(spread[i, i]) if has_costs else None,
            brier=None if is_number else float(brier[i]),
        )
        for i in there
    ]
    what = "mean squared error" if is_number else "share of wrong answers"
    k = tallies[0].n_folds
    return CrossValidation(tuple(found), names[best], tuple(left_out.items()), what, rows.n_rows, k, len(tallies))


def _variance(rows: Dataset) -> float:
    mean = np.average(rows.target, weights=rows.weight)
    return float(np.average((rows.target - mean) ** 2, weights=rows.weight))


def _root(square: float) -> float:
    """Rounding may leave a little less than nothing."""
    return float(np.sqrt(max(float(square), 0.0)))
