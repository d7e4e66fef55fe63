"""Tuning: the size of MDLTree is chosen by rows that the trees were not grown on; a slow twin chooses the same."""

import re
from collections.abc import Iterator
from itertools import product
from math import sqrt
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.estimators.family import says
from treewright import MDLTreeClassifier, MDLTreeRegressor, ParameterError, load
from treewright.data.folds import folds
from treewright.estimators import mdl_tuning
from treewright.estimators.mdl_tuning import Size, Tried, choose_size
from treewright.estimators.training_data import read_training_data
from treewright.evaluate.cross import cross_validate

SMALL_GRID = {"MIN_CASES": (2.0, 10.0), "CONFIDENCES": (0.05, 0.5), "STANDARD_ERRORS": (0.0, 3.0)}


@pytest.fixture
def small_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight sizes instead of 48."""
    for name, values in SMALL_GRID.items():
        monkeypatch.setattr(mdl_tuning, name, values)


def noisy(n: int, classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of which two decide most of the answer."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (n, 4)).astype(float)
    score = X[:, 0] + 2 * (X[:, 1] > 5) + rng.normal(0, 2.5, n)
    return X, np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))


def parts(model: Any, X: np.ndarray, y: np.ndarray, weight: Any = None) -> Iterator[Any]:
    """The five folds of the house, as arrays: the cells of numbers are their own codes."""
    yield from folds(read_training_data(model, X, y, weight).rows, 5)


def twin(model: Any, X: np.ndarray, y: np.ndarray, costs: np.ndarray | None = None) -> list[Tried]:
    """What tuning tries, each by fits of its own: no tree serves two sizes."""
    for_numbers = isinstance(model, MDLTreeRegressor)
    tried = []
    for cases, confidence, off_by in product(
        mdl_tuning.MIN_CASES, (None,) if for_numbers else mdl_tuning.CONFIDENCES, mdl_tuning.STANDARD_ERRORS
    ):
        own = {} if for_numbers else {"confidence": confidence}
        one = clone(model).set_params(tune=False, min_samples_leaf=int(cases), standard_errors=off_by, **own)
        losses, leaves = [], []
        for training, held_out in parts(model, X, y):
            answers = one.fit(training.values, training.target).predict(held_out.values)
            true = held_out.target
            if for_numbers:
                losses += ((answers - true) ** 2).tolist()
            else:
                losses += ((answers != true) * 1.0 if costs is None else costs[true, answers]).tolist()
            leaves.append(one.get_n_leaves())
        se = float(np.std(losses)) / sqrt(len(losses))
        tried.append(
            Tried(Size(cases, confidence, off_by), float(np.mean(losses)), se, float(np.mean(leaves)))
        )
    return tried


def smallest(tried: list[Tried]) -> Size:
    """Of those within half a standard error of the best the one of fewest leaves, then of less loss, then the first."""
    best = min(tried, key=lambda one: one.loss)
    within = [one for one in tried if one.loss <= best.loss + best.standard_error / 2 + 1e-12]
    return min(within, key=lambda one: (one.leaves, one.loss)).size


def as_numbers(tried: Any) -> np.ndarray:
    return np.array([(one.loss, one.standard_error, one.leaves) for one in tried])


@pytest.mark.usefixtures("small_grid")
@pytest.mark.parametrize("classes", [2, 3])
def test_a_slow_twin_tries_and_chooses_the_same(classes: int) -> None:
    X, y = noisy(300, classes)
    model = MDLTreeClassifier(tune=True, probability="frequency", smoothing=None).fit(X, y)
    expected = twin(model, X, y)
    assert [one.size for one in model.tuning_] == [one.size for one in expected]
    np.testing.assert_allclose(as_numbers(model.tuning_), as_numbers(expected), rtol=1e-12)
    assert len({(one.loss, one.leaves) for one in expected}) > 3
    size = smallest(expected)
    plain = clone(model).set_params(
        tune=False,
        min_samples_leaf=int(size.min_cases),
        confidence=size.confidence,
        standard_errors=size.standard_errors,
    )
    assert model.tree_.fingerprint() == plain.fit(X, y).tree_.fingerprint()


@pytest.mark.usefixtures("small_grid")
def test_the_twin_of_regression() -> None:
    X, y = noisy(300, 40)
    model = MDLTreeRegressor(tune=True, smoothing=None).fit(X, y.astype(float))
    expected = twin(model, X, y.astype(float))
    assert [one.size for one in model.tuning_] == [one.size for one in expected]
    np.testing.assert_allclose(as_numbers(model.tuning_), as_numbers(expected), rtol=1e-9)
    size = smallest(expected)
    plain = MDLTreeRegressor(
        min_samples_leaf=int(size.min_cases), standard_errors=size.standard_errors, smoothing=None
    ).fit(X, y * 1.0)
    assert model.tree_.fingerprint() == plain.tree_.fingerprint()


@pytest.mark.usefixtures("small_grid")
def test_costs_are_counted_once() -> None:
    """Rows are weighed by what their wrong answers cost; the loss is the mean cost of an answer all the same.

    The twin gives each fold the costs, but the whole table's factors weigh the rows of growth: the classes are dealt so
    evenly that they are those of every fold too.
    """
    X, y = noisy(300)
    costs = np.array([[0.0, 1.0], [6.0, 0.0]])
    model = MDLTreeClassifier(
        tune=True, cost_matrix=costs.tolist(), probability="frequency", smoothing=None
    ).fit(X, y)
    expected = twin(model, X, y, costs)
    np.testing.assert_allclose(as_numbers(model.tuning_)[:, 0], as_numbers(expected)[:, 0], rtol=1e-9)


def test_the_smallest_within_half_a_standard_error() -> None:
    sizes = [Size(2.0, 0.25, float(i)) for i in range(4)]

    def by(*figures: tuple[float, float]) -> int:
        tried = [
            Tried(size, loss, 0.02, leaves) for size, (loss, leaves) in zip(sizes, figures, strict=False)
        ]
        return sizes.index(choose_size(tuple(tried)).size)

    assert by((0.20, 9), (0.2101, 2)) == 0
    assert by((0.20, 9), (0.2099, 2)) == 1
    assert by((0.20, 9), (0.205, 5), (0.204, 5)) == 2
    assert by((0.20, 5), (0.20, 5)) == 0
    assert by((0.0, 5), (0.02, 1)) == 0
    assert choose_size((Tried(sizes[0], 0.0, 0.0, 5), Tried(sizes[1], 0.0, 0.0, 2))).size == sizes[1]


@pytest.mark.usefixtures("small_grid")
@pytest.mark.parametrize("kind", [MDLTreeClassifier, MDLTreeRegressor])
def test_order_threads_and_copies_do_not_matter(kind: type) -> None:
    X, y = noisy(200, 2 if kind is MDLTreeClassifier else 30)
    model = kind(tune=True).fit(X, y)
    order = np.random.default_rng(3).permutation(len(y))
    weight = np.random.default_rng(4).integers(1, 4, len(y))
    for other in (kind(tune=True).fit(X[order], y[order]), kind(tune=True, n_jobs=2).fit(X, y)):
        assert other.tree_.fingerprint() == model.tree_.fingerprint()
        assert other.tuning_ == model.tuning_
    weighted = kind(tune=True).fit(X, y, weight)
    copied = kind(tune=True).fit(X.repeat(weight, axis=0), y.repeat(weight))
    np.testing.assert_allclose(as_numbers(weighted.tuning_), as_numbers(copied.tuning_), rtol=1e-9)
    scaled = kind(tune=True).fit(X, y, np.full(len(y), 1 / len(y)))
    np.testing.assert_allclose(as_numbers(scaled.tuning_), as_numbers(model.tuning_), rtol=1e-9)


@pytest.mark.usefixtures("small_grid")
def test_what_is_left_by_it(tmp_path: Any) -> None:
    X, y = noisy(200)
    model = MDLTreeClassifier(tune=True).fit(X, y)
    assert len(model.tuning_) == 8
    assert MDLTreeClassifier().fit(X, y).tuning_ == ()
    assert model.set_params(tune=False).fit(X, y).tuning_ == ()
    model = MDLTreeClassifier(tune=True).fit(X, y)
    model.save(tmp_path / "model.json", rows=True)
    again = load(tmp_path / "model.json")
    assert (again.tune, again.tuning_) == (True, ())
    assert again.tree_ == model.tree_
    assert str(again.why(0)) == str(model.why(0))
    other = model.pruned("mdl")
    assert (other.tune, model.tune) == (False, True)
    other.save(tmp_path / "other.json")
    assert load(tmp_path / "other.json").tree_ == other.tree_


def test_48_sizes_of_a_classifier_and_12_of_a_regressor() -> None:
    X, y = noisy(60)
    tried = MDLTreeClassifier(tune=True).fit(X, y).tuning_
    assert len({one.size for one in tried}) == len(tried) == 4 * 4 * 3
    assert {one.size.min_cases for one in tried} == {2.0, 5.0, 10.0, 20.0}
    tried = MDLTreeRegressor(tune=True).fit(X, y).tuning_
    assert len(tried) == 4 * 3
    assert {one.size.confidence for one in tried} == {None}


@pytest.mark.usefixtures("small_grid")
def test_cross_validation_tunes_in_every_fold() -> None:
    X, y = noisy(200)
    estimator = MDLTreeClassifier(tune=True)
    found = cross_validate({"mdl": estimator}, X, y, folds=4).rows[0]
    wrong, leaves = 0, []
    for training, held_out in folds(read_training_data(estimator, X, y, None).rows, 4):
        model = clone(estimator).fit(training.values, training.target)
        wrong += int((model.predict(held_out.values) != held_out.target).sum())
        leaves.append(model.get_n_leaves())
    assert found.error == pytest.approx(wrong / len(y))
    assert found.n_leaves == np.mean(leaves)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"tune": "yes"}, ["tune must be True or False, got 'yes'"]),
        (
            {"tune": True, "pruning": "global"},
            ["tune=True chooses how", "pruning='global'", "set pruning='auto'"],
        ),
        ({"tune": True, "pruning": None}, ["pruning=None", "tune=False"]),
        ({"standard_errors": -1}, ["standard_errors must be a number of at least 0, got -1"]),
        ({"standard_errors": "few"}, ["standard_errors must be a number of at least 0, got 'few'"]),
        ({"standard_errors": float("nan")}, ["standard_errors must be a number of at least 0, got nan"]),
    ],
)
@pytest.mark.parametrize("kind", [MDLTreeClassifier, MDLTreeRegressor])
def test_bad_parameters(kind: type, parameters: dict[str, Any], said: list[str]) -> None:
    model = kind(**parameters)
    with says(ParameterError, *said):
        model.fit([[1.0], [2.0]], [0, 1])
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize("confidence", [0, 1.5, "low", None, True])
def test_a_confidence_that_is_none(confidence: Any) -> None:
    with says(ParameterError, rf"^confidence must be .*, got {re.escape(repr(confidence))}"):
        MDLTreeClassifier(confidence=confidence).fit([[1.0], [2.0]], [0, 1])


@pytest.mark.usefixtures("small_grid")
def test_stopped_early_the_estimator_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = noisy(100)
    model = MDLTreeClassifier(tune=True).fit(X, y)
    before = dict(vars(model))

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(mdl_tuning, "_mean_loss", stop)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[:50], y[:50])
    assert vars(model) == before


def test_tables_that_leave_nothing_to_choose() -> None:
    assert MDLTreeClassifier(tune=True).fit([[1.0]], ["yes"]).get_n_leaves() == 1
    assert MDLTreeClassifier(tune=True).fit([[1.0], [2.0], [3.0]], ["yes"] * 3).predict([[5.0]]).tolist() == [
        "yes"
    ]
    assert MDLTreeRegressor(tune=True).fit([[1.0], [1.0]], [3.0, 5.0]).predict([[1.0]]).tolist() == [4.0]
