"""MDLTree: its plan, what its parameters mean, the tables it has to live with, and its files."""

import json
from math import log2
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.estimators.family import says
from tests.store.models import file_of
from treewright import (
    MDLTreeClassifier,
    MDLTreeRegressor,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
    compare_pruning,
    load,
)
from treewright.grow.plan import Limits, Plan
from treewright.prune import ErrorBased, Global, Steps

Rows = tuple[pd.DataFrame, np.ndarray]


@pytest.fixture(scope="module")
def shops() -> Rows:
    """300 bills: the shop and the sum decide, the number of the bill tells nothing; a tenth of the cells is missing."""
    rng = np.random.default_rng(8)
    shop = rng.choice([f"shop {i}" for i in range(12)], 300)
    amount = rng.normal(50, 15, 300).round(1)
    score = np.array([int(name[5:]) % 3 for name in shop]) * 20 + amount + rng.normal(0, 8, 300)
    table = pd.DataFrame({"bill": [f"b{i}" for i in range(300)], "shop": shop, "amount": amount})
    for name in ("shop", "amount"):
        table.loc[rng.random(300) < 0.1, name] = None
    return table, score


def three(score: np.ndarray) -> np.ndarray:
    return np.array(["low", "mid", "high"])[np.digitize(score, np.quantile(score, [0.33, 0.66]))]


def test_the_classifier_is_these_parts() -> None:
    assert MDLTreeClassifier().plan() == Plan(
        criterion="entropy",
        merit="ratio",
        floor="description",
        grouping="binary",
        threshold="value",
        penalty="description",
        side="release8",
        minimum="weight",
        info="all",
        missing="fractional",
        slack=1e-3,
        min_info=1e-3,
        collapse=True,
        limits=Limits(min_leaf=2, min_split=4),
    )


def test_the_regressor_is_these_parts() -> None:
    assert MDLTreeRegressor().plan() == Plan(
        criterion="squared_error",
        grouping="binary",
        threshold="value",
        penalty="description",
        minimum="weight",
        missing="fractional",
        limits=Limits(min_leaf=2, min_split=4),
    )


def test_the_regressor_is_a_composition_of_public_parts(shops: Rows) -> None:
    parts = {"penalty": "description", "grouping": "binary", "threshold": "value", "minimum": "weight"}
    for criterion in ("squared_error", "absolute_error"):
        mine = MDLTreeRegressor(criterion=criterion).fit(*shops)
        other = TreeRegressor(
            criterion=criterion, min_samples_leaf=2, min_samples_split=4, pruning=mine._method(), smoothing="auto",
            **parts,
        )
        assert other.fit(*shops).tree_.fingerprint() == mine.tree_.fingerprint()


def test_the_classifier_is_one_but_for_the_slacks_of_release_8(shops: Rows) -> None:
    """Only which columns are ranked may differ, by a thousandth of a bit: not on this table."""
    X, y = shops[0], three(shops[1])
    other = TreeClassifier(
        criterion="entropy", merit="ratio", floor="description", grouping="binary", threshold="value",
        penalty="description", side="release8", minimum="weight", collapse=True, min_samples_leaf=2,
        min_samples_split=4, pruning=[ErrorBased(confidence=0.15), Global(standard_errors=1.5)],
        probability="shrinkage", smoothing=10,
    )  # fmt: skip
    X = X.dropna()
    y = y[X.index]
    assert other.fit(X, y).tree_.fingerprint() == MDLTreeClassifier().fit(X, y).tree_.fingerprint()


@pytest.mark.parametrize("penalty", ["none", "cuts", "description"])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_the_penalty_of_regression_against_a_plain_twin(criterion: str, penalty: str) -> None:
    """At the root, each column by itself: the loss, the bits, and what they make of the gain."""
    rng = np.random.default_rng(2)
    n = 40
    number, group = rng.integers(0, 15, n), rng.integers(0, 5, n)
    y = 2.0 * (number > 6) + np.array([0.0, 3.0, 1.0, 0.5, 2.0])[group] + rng.normal(0, 1, n)

    def loss(values: np.ndarray) -> float:
        if criterion == "squared_error":
            return float(((values - values.mean()) ** 2).sum())
        return float(np.abs(values - np.median(values)).sum())

    def left(inside: np.ndarray, bits: float) -> float:
        """What a split in two gains, less its penalty."""
        rest = (loss(y[inside]) + loss(y[~inside])) / n
        power = 2 if criterion == "squared_error" else 1
        return loss(y) / n - rest * 2 ** (power * bits / n)

    more = 1 + log2(n) / 2 if penalty == "description" else 0.0
    cuts = np.unique(number)[:-1]
    for_cut = 0.0 if penalty == "none" else log2(len(cuts)) + more
    by_number = max(left(number <= cut, for_cut) for cut in cuts)
    centre = np.mean if criterion == "squared_error" else np.median
    order = sorted(range(5), key=lambda g: centre(y[group == g]))
    for_groups = log2(2**4 - 1) + more if penalty == "description" else 0.0
    by_group = max(left(np.isin(group, order[:k]), for_groups) for k in range(1, 5))

    X = pd.DataFrame({"number": number, "group": group})
    model = TreeRegressor(
        criterion=criterion, penalty=penalty, grouping="binary", max_depth=1, categorical_features=["group"]
    ).fit(X, y)
    gains = {one.name: one.gain for one in model.why(0).candidates}
    assert gains["number"] == pytest.approx(by_number, rel=1e-9)
    if criterion == "squared_error":  # of absolute errors the order of the categories is a search
        assert gains["group"] == pytest.approx(by_group, rel=1e-9)


def test_noise_is_a_single_leaf() -> None:
    """One split by chance would have to save log2(cuts), a bit and log2(n) / 2: seldom among 40 tables."""
    leaves = {"mdl": 0, "plain": 0, "classes": 0}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(120, 4)), rng.normal(size=120)
        leaves["mdl"] += MDLTreeRegressor().fit(X, y).get_n_leaves() > 1
        leaves["plain"] += TreeRegressor(min_samples_leaf=5).fit(X, y).get_n_leaves() > 1
        leaves["classes"] += MDLTreeClassifier().fit(X, y > 0).get_n_leaves() > 1
    assert leaves["plain"] == 40
    assert leaves["mdl"] <= 4
    assert leaves["classes"] <= 8


def test_a_column_that_names_its_rows_is_never_taken() -> None:
    rng = np.random.default_rng(1)
    ids, y = [[f"r{i}"] for i in range(200)], rng.integers(0, 2, 200)
    assert MDLTreeClassifier(pruning=None).fit(ids, y).get_n_leaves() == 1
    assert MDLTreeRegressor(pruning=None).fit(ids, rng.normal(size=200)).get_n_leaves() == 1


@pytest.mark.parametrize("how", [{"cost_matrix": {0: {1: 3.0}}}, {"priors": [0.8, 0.2]}, {"class_weight": "balanced"}])
def test_nor_where_rows_weigh_by_their_class(how: dict[str, Any]) -> None:
    y = np.random.default_rng(1).integers(0, 2, 200)
    assert MDLTreeClassifier(pruning=None, **how).fit([[f"r{i}"] for i in range(200)], y).get_n_leaves() == 1


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "learned", "branch", "stop"])
def test_mixed_tables_with_holes(shops: Rows, missing: str) -> None:
    X, score = shops
    for model, y in (
        (MDLTreeClassifier(missing=missing), np.where(score > np.median(score), "yes", "no")),
        (MDLTreeClassifier(missing=missing), three(score)),
        (MDLTreeRegressor(missing=missing), score),
    ):
        model.fit(X, y)
        assert model.get_n_leaves() > 1
        assert "bill" not in model.to_text()
        assert model.score(X, y) > 0.5
        assert model.fit(X, y, np.linspace(0.5, 2.0, 300)).score(X, y) > 0.5


def test_costs_priors_and_validation_rows(shops: Rows) -> None:
    X, score = shops
    y = three(score)
    dear = {"high": {"low": 20.0, "mid": 20.0}}
    plain, costly = MDLTreeClassifier().fit(X, y), MDLTreeClassifier(cost_matrix=dear).fit(X, y)
    assert (costly.predict(X) == "high").sum() > (plain.predict(X) == "high").sum()
    rare = MDLTreeClassifier(priors={"high": 0.02, "mid": 0.49, "low": 0.49}).fit(X, y)
    assert (rare.predict(X) == "high").sum() < (plain.predict(X) == "high").sum()
    rows = {"X_val": X[::3], "y_val": y[::3]}
    assert MDLTreeClassifier(pruning="reduced_error").fit(X, y, **rows).pruning_report_ is not None
    stopped = MDLTreeClassifier(validation_fraction=0.3).fit(X, y)
    assert stopped.pre_pruning_report_ is not None


def test_tables_with_nothing_to_ask() -> None:
    assert MDLTreeClassifier().fit([[1.0], [2.0], [3.0]], ["a"] * 3).predict([[9.0]]).tolist() == ["a"]
    assert MDLTreeClassifier().fit([[1.0]], ["a"]).predict_proba([[1.0]]).tolist() == [[1.0]]
    assert MDLTreeClassifier().fit([["x", 1.0]] * 6, list("ababab")).get_n_leaves() == 1
    assert MDLTreeRegressor().fit([[1.0]], [2.5]).predict([[0.0]]).tolist() == [2.5]
    assert MDLTreeRegressor().fit([[float(i)] for i in range(30)], [7.0] * 30).get_n_leaves() == 1


def test_what_auto_is() -> None:
    model = MDLTreeClassifier(confidence=0.1, standard_errors=2)
    assert model._method() == Steps((ErrorBased(confidence=0.1), Global(standard_errors=2.0)))
    assert MDLTreeRegressor()._method() == Global(standard_errors=0.0)
    # A method that is given by its name has the numbers of the estimator, unless others are given with it.
    for name in ("error_based+global", ["error-based", "global"]):
        assert model.set_params(pruning=name)._method() == Steps((ErrorBased(confidence=0.1), Global(2.0)))
    assert model._read_method("error_based", confidence=0.3) == ErrorBased(confidence=0.3)
    assert model.set_params(pruning=[ErrorBased(), "mdl"])._method().methods[0] == ErrorBased()
    with says(ParameterError, "pruning='auto' takes its parameters from the estimator", "confidence"):
        model._read_method("auto", confidence=0.3)


def test_pruned_in_other_ways(shops: Rows) -> None:
    X, y = shops[0], three(shops[1])
    model = MDLTreeClassifier().fit(X, y)
    assert model.pruned(None).tree_.n_leaves == model.grown_tree_.n_leaves > model.get_n_leaves()
    assert model.pruned("auto").tree_ == model.tree_
    assert model.pruned("mdl").pruning == model.pruned("mdl")._method()
    for estimator in (model, MDLTreeClassifier(tune=True)):
        found = compare_pruning(estimator, X, y, methods=["auto", "global"], folds=3)
        assert [row.method for row in found.rows] == ["none", "error_based+global", "global"]
        assert found.rows[1].n_leaves == model.get_n_leaves()


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"tune": True},
        {"probability": "frequency", "smoothing": None},
        {"probability": "m-estimate", "smoothing": None},
    ],
    ids=str,
)
def test_a_file_says_every_parameter(parameters: dict[str, Any], shops: Rows, tmp_path: Any) -> None:
    X, y = shops[0], three(shops[1])
    X, y = X[:80], y[:80]
    model = MDLTreeClassifier(**parameters).fit(X, y)
    model.save(tmp_path / "model.json")
    told = json.loads((tmp_path / "model.json").read_text())["parameters"]
    assert told.keys() == model.get_params().keys() - {"size"}
    again = load(tmp_path / "model.json")
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.smoothing_ == model.smoothing_


def test_a_file_of_the_first_release_has_no_penalty(shops: Rows, tmp_path: Any) -> None:
    for penalty in ("none", "description"):
        model = TreeRegressor(penalty=penalty, max_depth=2).fit(*shops)
        model.save(tmp_path / "model.json", overwrite=True)
        told = json.loads((tmp_path / "model.json").read_text())["parameters"]
        assert told.get("charge", "none") == penalty
        assert ("charge" in told, "penalty" in told) == (penalty != "none", False)
        assert load(tmp_path / "model.json").penalty == penalty


def test_the_old_name_of_penalty_warns_and_writes_the_same_file(shops: Rows) -> None:
    model = TreeClassifier(penalty="description", max_depth=2).fit(shops[0], shops[1] > np.median(shops[1]))
    old = TreeClassifier(charge="description", max_depth=2)
    with pytest.warns(DeprecationWarning, match="charge is deprecated .* use penalty"):
        old.fit(shops[0], shops[1] > np.median(shops[1]))
    assert old.tree_ == model.tree_
    assert file_of(old) == file_of(model)
    assert json.loads(file_of(model))["parameters"]["charge"] == "description"


def test_unknown_words() -> None:
    with says(ParameterError, "criterion must be", "squared_error", "got 'gini'"):
        MDLTreeRegressor(criterion="gini").fit([[1.0], [2.0]], [0.0, 1.0])
    with says(ParameterError, "penalty must be one of 'none', 'cuts', 'description', got 'dear'"):
        TreeRegressor(penalty="dear").fit([[1.0], [2.0]], [0.0, 1.0])
    with says(ParameterError, "pruning must be one of .*, got 'hope'"):
        MDLTreeClassifier(pruning="hope").fit([[1.0], [2.0]], [0, 1])
