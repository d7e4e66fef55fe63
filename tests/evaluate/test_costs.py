"""What answers cost, in scores and in cross-validation."""

import numpy as np
import pytest

from tests.estimators.test_class_probabilities import DEAR, noisy
from treewright import C45Classifier, CARTClassifier
from treewright.data.dataset import Dataset
from treewright.evaluate.cross import cross_validate
from treewright.evaluate.score_report import score_lines
from treewright.evaluate.scores import UNKNOWN_CLASS, class_scores, score_tree
from treewright.model.build import golf_example
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.predict.missing_policy import MissingPolicy

# Golf: "Don't Play" and "Play". Playing where one should not costs 3, the other way round 2.
COSTS = ((0.0, 3.0), (2.0, 0.0))


def test_the_mean_cost_of_answers():
    tree = with_prediction_rule(golf_example(), PredictionRule(costs=COSTS))
    rows = np.array([[0, 70.0, 0], [0, 90.0, 0], [1, 70.0, 0], [1, 70.0, 0]])
    actual = np.array([1, 1, 1, 0], np.int32)  # answered 1, 0, 1, 1
    found = score_tree(tree, Dataset(tree.schema, rows, actual, np.array([1.0, 2.0, 1.0, 4.0])), MissingPolicy())
    assert found.mean_cost == pytest.approx((2 * 2.0 + 4 * 3.0) / 8)
    assert found.to_dict()["mean_cost"] == found.mean_cost
    assert [line for line in score_lines(found) if line.startswith("mean cost")] == ["mean cost    2"]


def test_classes_that_training_never_showed_have_no_cost():
    found = class_scores(("a", "b"), np.array([0, UNKNOWN_CLASS]), np.array([1, 1]))
    assert found.mean_cost is None
    assert "mean_cost" not in found.to_dict()
    from dataclasses import replace

    assert replace(found, costs=np.array(COSTS)).mean_cost == 3.0


def test_the_best_is_the_one_of_least_cost():
    X, y = noisy(200)
    known = C45Classifier(cost_matrix=DEAR)
    found = cross_validate({"plain": CARTClassifier(), "known": known}, X, y, folds=4)
    by_name = {row.name: row for row in found.rows}
    assert found.best == min(by_name, key=lambda name: by_name[name].cost)
    behind = by_name[next(name for name in by_name if name != found.best)]
    assert behind.difference == pytest.approx(behind.cost - by_name[found.best].cost)
    assert "cost: mean cost of a prediction; error: error rate" in str(found)


def test_without_costs_nothing_is_said_of_them():
    X, y = noisy(100)
    found = cross_validate({"plain": CARTClassifier()}, X, y, folds=4)
    assert found.rows[0].cost is found.rows[0].cost_se is None
    assert "cost" not in str(found)


def test_what_weighs_in_growth_does_not_weigh_in_errors():
    """The rows held out count as they are: their error is the share of rows answered wrong."""
    X, y = noisy(120)
    found = cross_validate({"it": CARTClassifier(cost_matrix=DEAR)}, X, y, folds=4).rows[0]
    assert found.error * 120 == pytest.approx(round(found.error * 120))
    assert found.cost * 120 == pytest.approx(round(found.cost * 120))
    assert found.cost >= found.error
