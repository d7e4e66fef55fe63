"""What pruning costs, beside growth and beside scikit-learn.

In: which cases are wanted. Out: a Row for each method on a large tree, its time beside that of growing the tree; for
the cost-complexity path beside scikit-learn's; and for CART with ten-fold cross-validation beside one unpruned fit of
scikit-learn.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import ccp_pruning_path

from benchmarks.choice import Choice
from benchmarks.rows import Row
from benchmarks.tables import Table, floats, regression, sized
from benchmarks.timing import Fit, Run, take_turns
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.prune.cost_complexity_path import scikit_learn_path
from treewright.prune.registry import METHODS

SECTION = "pruning"
LARGE_TREE = sized(floats, 100_000, 7)
"""The table whose full tree has some 50,000 nodes."""
CROSS_VALIDATED = sized(floats, 100_000, 2), sized(regression, 100_000)


def pruning_rows(choice: Choice) -> Iterator[Row]:
    """All figures about pruning; one thread, but where folds are grown."""
    if not choice.wants(SECTION):
        return
    table = LARGE_TREE(choice.fraction)
    yield from _methods("CART", CARTClassifier(pruning=None), table, choice.rounds)
    yield from _methods("C4.5", C45Classifier(pruning=None), table, choice.rounds)
    yield from _path(table, choice.rounds)
    for make in CROSS_VALIDATED:
        yield from _cross_validation(make(choice.fraction), choice)


def _methods(family: str, model: Any, table: Table, rounds: int) -> Iterator[Row]:
    """Every method on the full tree of a family beside growing that tree; the default of CART grows eleven trees."""
    X, y = table.values, table.target
    grown = model.fit(X, y)
    some = slice(0, len(y) // 10)
    held = {"X_val": X[some], "y_val": y[some]}

    def prune(name: str) -> Fit:
        # Given validation rows, cost-complexity chooses by them, so that growing folds is not counted here.
        return lambda: int(grown.pruned(name, X, y, **held).get_n_leaves())

    fits = [lambda: int(model.fit(X, y).get_n_leaves()), *(prune(name) for name in METHODS)]
    growth, *timed = take_turns(fits, rounds)
    for name, one in zip(METHODS, timed, strict=True):
        yield _line(f"{family}, {name}", table, "growth", one, growth)


def _path(table: Table, rounds: int) -> Iterator[Row]:
    """All alphas of the full CART tree beside scikit-learn's for its own."""
    ours = CARTClassifier(pruning=None).fit(table.values, table.target).tree_
    theirs = DecisionTreeClassifier(random_state=0).fit(table.values.astype(np.float32), table.target)
    fits = [
        lambda: len(scikit_learn_path(ours).ccp_alphas),
        lambda: len(np.unique(ccp_pruning_path(theirs.tree_)["ccp_alphas"].round(12))),
    ]
    mine, their = take_turns(fits, rounds)
    yield _line("path of alphas", table, "scikit-learn", mine, their)


def _cross_validation(table: Table, choice: Choice) -> Iterator[Row]:
    """CART as it is by default beside one unpruned fit of scikit-learn."""
    values = table.values.astype(np.float32)
    kinds: tuple[Any, Any] = (CARTClassifier, DecisionTreeClassifier)
    if table.is_regression:
        kinds = (CARTRegressor, DecisionTreeRegressor)
    ours, theirs = kinds

    def fit(n_jobs: int) -> Fit:
        return lambda: int(ours(n_jobs=n_jobs).fit(table.values, table.target).get_n_leaves())

    peer = theirs(random_state=0)
    fits = [lambda: int(peer.fit(values, table.target).get_n_leaves()), *(fit(n) for n in choice.threads)]
    their, *mine = take_turns(fits, choice.rounds, choice.budget)
    what = "regression, CV" if table.is_regression else "classes, CV"
    for n_jobs, one in zip(choice.threads, mine, strict=True):
        yield _line(f"{what}, {n_jobs} threads", table, "scikit-learn full", one, their, n_jobs)


def _line(label: str, table: Table, peer: str, mine: Run, their: Run, n_jobs: int = 1) -> Row:
    return Row(SECTION, label, table.shape, "full", n_jobs, peer, mine.timed, their.timed)
