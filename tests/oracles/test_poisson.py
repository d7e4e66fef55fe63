"""criterion="poisson": the trees and the candidates of the slow grower, and the trees of scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from tests.oracles.compare import check_same
from tests.oracles.ledgers import check_ledgers
from tests.oracles.missing_tables import make_holed
from tests.oracles.plans import STRATEGIES, random_missing, random_options
from tests.oracles.tables import as_rates, make_table
from treewright import CARTRegressor, TreeRegressor


@pytest.mark.parametrize("first", [0, 100, 200])
def test_trees_of_the_slow_grower(first):
    for number in range(first, first + 100):
        seed = ("poisson", number)
        options = replace(random_options(seed, regression=True), criterion="poisson", penalty="none")
        check_same(seed, as_rates(make_table(seed, regression=True)), options)


@pytest.mark.parametrize("missing", STRATEGIES)
def test_trees_with_missing_values(missing):
    compared = 0
    for number in range(80):
        seed = ("poisson", missing, number)
        options = random_missing(seed, missing=missing, regression=True)
        options = replace(options, criterion="poisson", penalty="none")
        compared += check_same(seed, as_rates(make_holed(seed, regression=True)), options)
    assert compared > 70


def test_candidates_of_the_slow_grower():
    nodes = 0
    for number in range(40):
        seed = ("poisson ledger", number)
        options = replace(random_options(seed, regression=True), criterion="poisson", penalty="none")
        nodes += check_ledgers(seed, as_rates(make_table(seed, regression=True)), options)
        missing = STRATEGIES[number % len(STRATEGIES)]
        options = random_missing(seed, missing=missing, regression=True)
        options = replace(options, criterion="poisson", penalty="none")
        nodes += check_ledgers(seed, as_rates(make_holed(seed, regression=True)), options)
    assert nodes > 300


@pytest.mark.parametrize("seed", range(20))
def test_trees_of_scikit_learn(seed):
    """Rates that are multiples of 1/256 and whole weights: scikit-learn's sums are exact, so that it, too, sees which
    branches have no event."""
    random = np.random.default_rng(seed)
    n = int(random.integers(20, 300))
    X = random.normal(size=(n, 4))
    y = np.rint(256 * random.gamma(2.0, size=n) * np.exp(X[:, 0] + (X[:, 1] > 0))) / 256 * (random.random(n) < 0.7)
    weight = None if seed % 2 else random.integers(1, 6, n).astype(float)
    limits = {"max_depth": int(random.integers(2, 8)), "min_samples_leaf": int(random.integers(4, 9))}
    ours = TreeRegressor(criterion="poisson", **limits).fit(X, y, sample_weight=weight)
    theirs = DecisionTreeRegressor(criterion="poisson", random_state=0, **limits).fit(X, y, sample_weight=weight)
    assert ours.tree_.n_nodes == theirs.tree_.node_count
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-9)
    assert ours.tree_.impurity[0] == pytest.approx(theirs.tree_.impurity[0])
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


def test_pruning_by_deviance_is_that_of_scikit_learn():
    random = np.random.default_rng(3)
    X = random.normal(size=(200, 3))
    y = random.gamma(2.0, size=200) * np.exp(X[:, 0])
    theirs = DecisionTreeRegressor(criterion="poisson", random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    for alpha in theirs[len(theirs) // 2 :: 10]:
        own = CARTRegressor(criterion="poisson", ccp_alpha=alpha * (1 + 1e-9)).fit(X, y)
        other = DecisionTreeRegressor(criterion="poisson", random_state=0, ccp_alpha=alpha * (1 + 1e-9)).fit(X, y)
        np.testing.assert_allclose(own.predict(X), other.predict(X), rtol=1e-9)
