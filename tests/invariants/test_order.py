"""The order of rows whose weights are not whole, and of 0.0 and -0.0: it changes nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import C45Classifier, CARTClassifier, TreeClassifier, TreeRegressor

CRITERIA = ["squared_error", "absolute_error"]
MISSING = ["fractional", "surrogate", "stop", "learned", "branch"]
WEIGHTED = {
    "frequency": lambda missing: TreeClassifier(missing=missing),
    "laplace": lambda missing: TreeClassifier(missing=missing, probability="laplace"),
    "balanced": lambda missing: TreeClassifier(missing=missing, class_weight="balanced"),
    "priors": lambda missing: TreeClassifier(missing=missing, priors={0: 0.3, 1: 0.2, 2: 0.5}),
    "costs": lambda missing: TreeClassifier(missing=missing, cost_matrix=[[0, 1, 2], [3, 0, 1], [1, 1, 0]]),
    "share of the weight": lambda missing: TreeClassifier(missing=missing, min_weight_fraction_leaf=0.1),
    "squared": lambda missing: TreeRegressor(missing=missing),
    "absolute": lambda missing: TreeRegressor(missing=missing, criterion="absolute_error"),
}


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("name", WEIGHTED)
@given(seed=st.integers(0, 2**32 - 1), tenths=st.booleans())
def test_any_order_of_rows_whose_weights_are_not_whole(name, missing, seed, tenths):
    random = np.random.default_rng(seed)
    X = random.integers(0, 8, (40, 3)).astype(float)
    X[random.random(X.shape) < 0.1] = np.nan
    y = np.arange(40) % 3 if isinstance(WEIGHTED[name](missing), TreeClassifier) else random.normal(size=40)
    weight = random.integers(1, 30, 40) / 10 if tenths else random.random(40) + 0.01
    order = random.permutation(40)
    one = WEIGHTED[name](missing).fit(X, y, sample_weight=weight)
    other = WEIGHTED[name](missing).fit(X[order], y[order], sample_weight=weight[order])
    assert one.tree_.fingerprint() == other.tree_.fingerprint()
    assert one._row_weight == other._row_weight


@pytest.mark.parametrize("make", [C45Classifier, lambda: CARTClassifier(pruning=None)])
def test_what_counts_as_one_row_in_any_order(make):
    random = np.random.default_rng(1)
    X, weight = random.normal(size=(40, 3)), random.random(40) * 3
    y = X[:, 0] + random.normal(size=40) > 0
    orders = [random.permutation(40) for _ in range(30)]
    models = [make().fit(X[o], y[o], sample_weight=weight[o]) for o in orders]
    assert len({model._row_weight for model in models}) == 1
    assert len({model.tree_.fingerprint() for model in models}) == 1


@pytest.mark.parametrize("criterion", CRITERIA)
def test_minus_0_is_0(criterion):
    """In every byte of the predictions; fingerprints know one form of zero only."""
    X, y = np.array([0.0, 0.0, 0.0, 1.0, 1.0])[:, None], np.array([0.0, -0.0, -0.0, 1.0, 2.0])
    random = np.random.default_rng(0)
    orders = [random.permutation(5) for _ in range(20)]
    found = {TreeRegressor(criterion=criterion).fit(X[o], y[o]).predict(X).tobytes() for o in orders}
    assert found == {np.array([0.0, 0.0, 0.0, 1.5, 1.5]).tobytes()}
