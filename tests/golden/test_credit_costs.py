"""German credit: with its published costs, trees that know them cost less on rows they have not seen.

The table comes with a cost matrix of its own (Hofmann 1994): a bad customer taken for a good one costs 5, a good one
taken for a bad one 1. Always answering "bad" costs 0.7 a row, always "good" 1.5.
"""

import numpy as np
import pytest
from sklearn.base import clone

from tests.golden.sets import load
from treewright import C45Classifier, CARTClassifier, MDLTreeClassifier, TreeClassifier
from treewright.estimators.training_data import read_training_data
from treewright.evaluate.cross import cross_validate

COSTS = {"bad": {"good": 5}, "good": {"bad": 1}}
MODELS = [
    C45Classifier(),
    CARTClassifier(),
    MDLTreeClassifier(),
    TreeClassifier(min_samples_leaf=5, pruning="pessimistic"),
]


@pytest.mark.parametrize("estimator", MODELS, ids=lambda e: type(e).__name__)
def test_trees_that_know_the_costs_cost_less(estimator, shared):
    X, y = load(shared, "credit_g")
    knowing = clone(estimator).set_params(cost_matrix=COSTS)
    found = cross_validate({"knowing": knowing, "not knowing": estimator}, X, y, folds=5)
    cost = {row.name: row.cost for row in found.rows}
    assert found.best == "knowing"
    # By far more than chance: the difference is row by row.
    assert found["not knowing"].difference > 3 * found["not knowing"].difference_se
    assert cost["knowing"] < 0.7 < cost["not knowing"]


def test_the_mean_cost_is_that_of_the_answers(shared):
    """Part by part as scikit-learn would be asked: fit on the others, add up what the answers cost."""
    X, y = load(shared, "credit_g")
    from treewright.data.folds import folds

    model = C45Classifier(cost_matrix=COSTS)
    rows = read_training_data(model, X, y, None).rows
    place, lost = {tuple(row): i for i, row in enumerate(rows.values.tolist())}, 0.0
    assert len(place) == len(y)  # no two rows alike, and none with a hole
    for training, held in folds(rows, 5):
        at, out = ([place[tuple(row)] for row in part.values.tolist()] for part in (training, held))
        answer = clone(model).fit(X.iloc[at], y.iloc[at]).predict(X.iloc[out])
        lost += 5.0 * np.sum((y.iloc[out] == "bad") & (answer == "good"))
        lost += 1.0 * np.sum((y.iloc[out] == "good") & (answer == "bad"))
    assert cross_validate({"it": model}, X, y, folds=5).rows[0].cost == pytest.approx(lost / len(y))
