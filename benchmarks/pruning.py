"""What pruning costs, beside growth and beside scikit-learn.

In: which cases are wanted. Out: a Line for each method on a large tree, its time beside that of growing the tree; for
the cost-complexity path beside scikit-learn's; and for CART with ten-fold cross-validation beside one unpruned fit of
scikit-learn.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import ccp_pruning_path

from benchmarks.peers import Fit
from benchmarks.runner import Choice, Line
from benchmarks.tables import BIG, Table
from benchmarks.timing import take_turns
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.prune.path import scikit_learn_path
from treewright.prune.registry import METHODS

LARGE_TREE, CROSS_VALIDATED = "floats, 7 classes", ("floats, 2 classes", "regression")
"""The table whose full tree has some 50,000 nodes, and those that are cross-validated."""
CASE = "pruning"


def pruning_cases(choice: Choice) -> Iterator[Line]:
    """All figures about pruning; one thread, but where folds are grown."""
    if not choice.wants(CASE):
        return
    table = BIG[LARGE_TREE](choice.share)
    yield from _methods("CART", CARTClassifier(pruning=None), table, choice.rounds)
    yield from _methods("C4.5", C45Classifier(pruning=None), table, choice.rounds)
    yield from _path(table, choice.rounds)
    for name in CROSS_VALIDATED:
        yield from _cross_validation(BIG[name](choice.share), choice)


def _methods(family: str, model: Any, table: Table, rounds: int) -> Iterator[Line]:
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


def _path(table: Table, rounds: int) -> Iterator[Line]:
    """All alphas of the full CART tree beside scikit-learn's for its own."""
    ours = CARTClassifier(pruning=None).fit(table.values, table.target).tree_
    theirs = DecisionTreeClassifier(random_state=0).fit(table.values.astype(np.float32), table.target)
    fits = [
        lambda: len(scikit_learn_path(ours).ccp_alphas),
        lambda: len(np.unique(ccp_pruning_path(theirs.tree_)["ccp_alphas"].round(12))),
    ]
    mine, their = take_turns(fits, rounds)
    yield _line("path of alphas", table, "scikit-learn", mine, their)


def _cross_validation(table: Table, choice: Choice) -> Iterator[Line]:
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
    their, *mine = take_turns(fits, max(1, choice.rounds - 1))
    what = "regression, CV" if table.is_regression else "classes, CV"
    for n_jobs, one in zip(choice.threads, mine, strict=True):
        yield _line(f"{what}, {n_jobs} threads", table, "scikit-learn full", one, their, n_jobs)


def _line(label: str, table: Table, peer: str, mine: Any, their: Any, n_jobs: int = 1) -> Line:
    shape = "{:,} x {}".format(*table.values.shape)
    return Line(CASE, shape, label, "full", n_jobs, peer, mine, their)
