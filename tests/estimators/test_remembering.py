"""Plans that were made before are found again, and never those of other parameters."""

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier
from treewright.errors import ParameterError
from treewright.estimators import parameters


def test_the_same_parameters_give_the_same_plan():
    assert CARTClassifier(max_depth=3).plan() is CARTClassifier(max_depth=3, pruning="mdl").plan()
    assert CARTClassifier().plan() != CARTRegressor().plan()


def test_parameters_that_are_set_later_count():
    model = C45Classifier()
    assert model.plan().limits.max_depth is None
    assert model.set_params(max_depth=2).plan().limits.max_depth == 2
    model.variant = "textbook"
    assert model.plan().threshold == "midpoint"


@pytest.mark.parametrize(
    ("first", "wrong"),
    [
        ({"min_samples_leaf": 1}, {"min_samples_leaf": True}),
        ({"min_samples_split": 2}, {"min_samples_split": 2.0}),
        ({"max_surrogates": 0}, {"max_surrogates": False}),
        ({"max_depth": 3}, {"max_depth": [3]}),
        ({"criterion": "gini"}, {"criterion": {"gini"}}),
    ],
)
def test_what_is_wrong_is_refused_however_near_it_is(first, wrong):
    CARTClassifier(**first).plan()
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        CARTClassifier(**wrong).plan()


def test_every_parameter_of_growth_is_told_apart():
    given = {"max_depth": 7, "grouping": "each", "missing": "stop", "collapse": True, "criterion": "entropy"}
    plans = [TreeClassifier().plan()] + [TreeClassifier(**{name: value}).plan() for name, value in given.items()]
    assert len(set(plans)) == len(plans)


def test_a_subclass_is_another_estimator():
    class Shallow(CARTClassifier):
        def _limits(self):
            return CARTClassifier(max_depth=1)._limits()

    model = Shallow()
    assert CARTClassifier().plan().limits.max_depth is None
    assert model.plan().limits.max_depth == 1


def test_no_more_is_kept_than_is_said(monkeypatch):
    monkeypatch.setattr(parameters, "CACHE_SIZE", 3)

    class Model:
        def __init__(self, depth, shape=None, n_jobs=None):
            self.depth = self.shape = depth

        @parameters.cached_by_parameters
        def read(self):
            made.append(self.depth)
            return np.array([self.depth])

    made: list[int] = []
    for depth in (1, 1, 2, 3, 4, 1):
        assert Model(depth).read()[0] == depth
    assert made == [1, 2, 3, 4, 1]
