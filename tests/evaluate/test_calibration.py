"""Log loss, Brier score and calibration, against scikit-learn, scipy and numbers made by hand."""

import json
import re
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binomtest
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.naive_bayes import GaussianNB

from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.errors import InputError, KindError, ParameterError
from treewright.evaluate.calibration import (
    brier_score,
    calibration,
    default_reliability,
    log_loss,
    reliability,
)
from treewright.evaluate.scores import class_scores


def drawn(seed, n_classes, weighted):
    """Rows with shares, some of them exactly 0 and 1; the last class may be absent."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 80))
    actual = random.integers(0, max(n_classes - seed % 2, 1), n)
    shares = random.random((n, n_classes)) * (random.random((n, n_classes)) > 0.3) + 1e-300
    shares[: n // 4] = np.eye(n_classes)[random.integers(0, n_classes, n // 4)]
    shares /= shares.sum(axis=1, keepdims=True)
    return actual, shares, random.random(n) + 0.1 if weighted else None


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_losses_are_those_of_scikit_learn(seed, n_classes, weighted):
    actual, shares, weight = drawn(seed, n_classes, weighted)
    how = {"labels": list(range(n_classes)), "sample_weight": weight}
    # Scikit-learn counts no share as 2.2e-16.
    assert log_loss(actual, shares, weight) == pytest.approx(
        metrics.log_loss(actual, np.maximum(shares, 1e-15), **how)
    )
    one = shares[:, 1] if n_classes == 2 else shares
    expected = metrics.brier_score_loss(actual, one, **how)
    assert brier_score(actual, shares, weight) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("bins", [5, 10, 7])
@pytest.mark.parametrize("seed", range(6))
def test_bins_are_those_of_scikit_learn(seed, bins):
    random = np.random.default_rng(seed)
    predicted = random.random(60).round(2)  # many of them on edges
    true = random.random(60) < predicted
    found = reliability(predicted, true, bins=bins)
    observed, mean = calibration_curve(true, predicted, n_bins=bins)
    full = [one for one in found.bins if one.weight]
    np.testing.assert_allclose([one.observed for one in full], observed, rtol=1e-12)
    np.testing.assert_allclose([one.predicted for one in full], mean, rtol=1e-12)
    assert found.weight == 60
    assert len(found.bins) == bins


def test_by_hand():
    """Four bins of which one is empty; the shares on the edges 0.25 and 0.5 belong below, 0 to the first."""
    predicted = np.array([0.0, 0.25, 0.5, 0.5, 1.0, 0.9])
    found = reliability(predicted, np.array([0, 1, 0, 1, 1, 1], dtype=bool), bins=4, of="yes")
    assert [one.weight for one in found.bins] == [2, 2, 0, 2]
    assert [one.predicted for one in found.bins] == [0.125, 0.5, None, 0.95]
    assert [one.observed for one in found.bins] == [0.5, 0.5, None, 1.0]
    assert found.error == pytest.approx((2 * 0.375 + 0 + 2 * 0.05) / 6)
    assert found.bins[2].interval is None
    assert not found.bins[2].is_off


def test_rounding_does_not_lift_a_share_over_an_edge():
    predicted = np.array([0.1 + 0.2, 0.3, 1 - 0.7])
    assert [one.weight for one in reliability(predicted, np.ones(3, bool)).bins][:5] == [0, 0, 3, 0, 0]


@pytest.mark.parametrize(("hits", "n"), [(0, 4), (4, 4), (3, 10), (1, 1), (17, 40)])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_the_interval_is_the_exact_one(hits, n, confidence):
    found = reliability(np.full(n, 0.55), np.arange(n) < hits, confidence=confidence)
    exact = binomtest(hits, n).proportion_ci(confidence, method="exact")
    (one,) = [one for one in found.bins if one.weight]
    assert one.interval == pytest.approx((exact.low, exact.high), abs=1e-12)
    assert one.is_off == (not exact.low <= 0.55 <= exact.high)


def test_importances_make_no_more_rows():
    """Kish: weights 0.5 and 1.5 are as good as (2 * 2)^2 / (2 * 0.25 + 2 * 2.25) = 3.2 rows; of equal ones all do."""
    predicted, true = np.full(4, 0.5), np.array([True, False, True, False])
    uneven = reliability(predicted, true, np.array([0.5, 0.5, 1.5, 1.5]))
    (one,) = [one for one in uneven.bins if one.weight]
    assert (one.weight, one.observed) == (4.0, 0.5)
    around = one.interval
    even = [reliability(predicted, true, weight) for weight in (None, np.full(4, 0.37))]
    first, second = (next(one.interval for one in table.bins if one.weight) for table in even)
    assert first == pytest.approx(second)
    assert around[0] < first[0] < first[1] < around[1]
    assert around[1] == pytest.approx(beta.ppf(0.975, 1.6 + 1, 1.6))


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 1), st.booleans(), st.integers(0, 3)), min_size=1, max_size=20))
def test_weight_is_copies_and_the_order_of_rows_does_not_matter(rows):
    predicted, true, weight = (np.array(part) for part in zip(*rows, strict=True))
    if not weight.any():
        return
    found = reliability(predicted, true, weight.astype(float)).to_dict()
    copies = np.repeat(np.arange(len(rows)), weight)[::-1]
    again = reliability(predicted[copies], true[copies]).to_dict()
    assert 0 <= found["error"] <= 1
    assert found["error"] == pytest.approx(again["error"], abs=1e-12)
    for one, two in zip(found["bins"], again["bins"], strict=True):
        assert one == {
            key: value if value is None else pytest.approx(value, abs=1e-12) for key, value in two.items()
        }


@pytest.mark.parametrize(
    "model", [CARTClassifier(pruning=None, max_depth=3), C45Classifier(min_samples_leaf=20)]
)
@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
def test_on_its_own_rows_a_tree_is_calibrated(model, load):
    """A leaf gives the shares of its rows, so that in every bin what was predicted is what is observed."""
    X, y = load(return_X_y=True)
    model.fit(X, y)
    for of in (None, *model.classes_.tolist()):
        found = calibration(model, X, y, of=of)
        assert found.error == pytest.approx(0, abs=1e-12)
        assert not any(one.is_off for one in found.bins)


def test_two_classes_are_looked_at_by_the_second_and_more_by_the_answer():
    X, y = load_iris(return_X_y=True)
    X, y = X[:, :2], np.array(["setosa", "versicolor", "virginica"])[y]
    model = CARTClassifier(pruning=None, max_depth=3).fit(X[::2], y[::2])
    shares, answers = model.predict_proba(X[1::2]), model.predict(X[1::2])
    found = calibration(model, X[1::2], y[1::2])
    assert found.of is None
    observed, mean = calibration_curve(answers == y[1::2], shares.max(axis=1), n_bins=10)
    assert [one.observed for one in found.bins if one.weight] == pytest.approx(observed)
    assert [one.predicted for one in found.bins if one.weight] == pytest.approx(mean)
    one = calibration(model, X[1::2], y[1::2], of="virginica")
    observed, _ = calibration_curve(y[1::2] == "virginica", shares[:, 2], n_bins=10)
    assert one.of == "virginica"
    assert [one.observed for one in one.bins if one.weight] == pytest.approx(observed)
    two = y != "setosa"
    pair = CARTClassifier(max_depth=2).fit(X[two], y[two])
    assert calibration(pair, X[two], y[two]).of == "virginica"


def test_trees_rules_and_other_models_are_asked_too():
    X, y = load_breast_cancer(return_X_y=True)
    model = C45Classifier().fit(X[::2], y[::2])
    expected = calibration(model, X[1::2], y[1::2])
    assert calibration(model.tree_, X[1::2], y[1::2]) == expected
    assert calibration(model.rules(), X[1::2], y[1::2]) == expected
    other = GaussianNB().fit(X[::2], y[::2])
    observed, _ = calibration_curve(y[1::2], other.predict_proba(X[1::2])[:, 1], n_bins=10)
    assert [one.observed for one in calibration(other, X[1::2], y[1::2]).bins if one.weight] == pytest.approx(
        observed
    )


def test_a_class_that_training_never_showed_was_given_no_share():
    shares = np.array([[0.25, 0.75], [1.0, 0.0]])
    assert log_loss(np.array([-1, 0]), shares) == pytest.approx(-log(1e-15) / 2)
    assert brier_score(np.array([-1, 0]), shares) == pytest.approx((1 + 0.0625 + 0.5625) / 2 / 2)
    model = CARTClassifier(pruning=None).fit([[1], [2]], ["a", "b"])
    found = calibration(model, [[1], [2], [2]], ["a", "b", "c"])
    assert [one.observed for one in found.bins if one.weight] == [0.0, 0.5]
    found = calibration(model, [[1], [2], [2]], ["a", "b", "c"], of="a")
    assert [one.observed for one in found.bins if one.weight] == [0.0, 1.0]


def test_the_usual_table_of_two_classes_is_that_of_the_second():
    actual, shares, weight = drawn(4, 2, True)
    found = default_reliability(("no", "yes"), actual, shares.argmax(axis=1), shares, weight)
    assert found == reliability(shares[:, 1], actual == 1, weight, of="yes")


def test_the_scores_hold_the_same_figures():
    actual, shares, weight = drawn(3, 3, True)
    answered = shares.argmax(axis=1)
    found = class_scores(("a", "b", "c"), actual, answered, shares, weight)
    assert found.log_loss == log_loss(actual, shares, weight)
    assert found.brier == brier_score(actual, shares, weight)
    assert found.calibration == default_reliability(("a", "b", "c"), actual, answered, shares, weight)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["calibration"]["error"] == found.calibration.error
    assert len(document["calibration"]["bins"]) == 10
    without = class_scores(("a", "b", "c"), actual, answered)
    assert (without.log_loss, without.brier, without.calibration) == (None, None, None)


def test_the_table_leaves_empty_bins_out_and_marks_what_is_off():
    found = reliability(np.repeat([0.05, 0.95], 20), np.arange(40) % 2 == 0, of="y\x1b[31m" + "s" * 40)
    lines = str(found).splitlines()
    assert "\x1b" not in lines[0]
    assert lines[0].startswith("probability of y\\x1b[31msss")
    assert lines[1].split() == ["0", "to", "0.1", "20", "0.0500", "0.5000", "0.272", "to", "0.728", "*"]
    assert lines[3] == "*: the mean predicted probability is outside the interval"
    assert lines[4:] == ["expected calibration error: 0.4500"]
    assert found.to_frame()["weight"].tolist() == [20, *[0] * 8, 20]
    assert found._repr_html_().startswith("<div><table>")


def test_shares_that_rounding_took_out_of_0_to_1_are_taken():
    found = reliability(np.array([-1e-17, 1.0 + 1e-15]), np.array([False, True]))
    assert [(one.predicted, one.weight) for one in found.bins if one.weight] == [(0.0, 1.0), (1.0, 1.0)]
    shares = np.array([[-1e-17, 1.0 + 1e-15], [np.float32(0.1), np.float32(0.9)]])
    scores = class_scores(("a", "b"), np.array([0, 1]), np.array([1, 1]), shares)
    assert scores.ruled_out == 1
    assert scores.log_loss == pytest.approx((-log(1e-15) - log(0.9)) / 2, rel=1e-7)


def test_bins_of_other_edges():
    found = reliability(np.array([0.01, 0.02, 0.5]), np.array([True, False, True]), bins=[0, 0.015, 0.1, 1])
    assert [(one.low, one.high, one.observed) for one in found.bins] == [
        (0, 0.015, 1),
        (0.015, 0.1, 0),
        (0.1, 1, 1),
    ]


@pytest.mark.parametrize("bins", [0, -1, 2.5, True, "10", [0, 0.5], [0.1, 1], [0, 0.5, 0.5, 1], [], None])
def test_bad_bins_are_named(bins):
    said = rf"^`bins` must be an integer of at least 1, or increasing edges from 0 to 1, got {re.escape(repr(bins))}"
    with pytest.raises(ParameterError, match=said):
        reliability(np.array([0.5]), np.array([True]), bins=bins)


@pytest.mark.parametrize("confidence", [0, 1, 1.5, "0.9", None, float("nan")])
def test_a_bad_confidence_is_named(confidence):
    with pytest.raises(
        ParameterError, match=rf"^`confidence` must be above 0 and below 1, got {re.escape(repr(confidence))}"
    ):
        reliability(np.array([0.5]), np.array([True]), confidence=confidence)


def test_what_is_no_share_is_refused():
    with pytest.raises(
        InputError, match=r"^The probabilities of each row must add up to 1, got 0\.7 in row 0"
    ):
        log_loss(np.array([0]), np.array([[0.5, 0.2]]))
    with pytest.raises(InputError, match=r"^Probabilities must be between 0 and 1, got 1\.5"):
        brier_score(np.array([0]), np.array([[1.5, -0.5]]))
    with pytest.raises(InputError, match=r"^Probabilities must be between 0 and 1, got nan"):
        reliability(np.array([np.nan]), np.array([True]))
    with pytest.raises(InputError, match="no labelled rows with a weight above 0"):
        log_loss(np.zeros(0, int), np.zeros((0, 2)))
    with pytest.raises(InputError, match="no labelled rows with a weight above 0"):
        reliability(np.array([0.5]), np.array([True]), np.zeros(1))
    with pytest.raises(InputError, match=r"^Expected one probability for each of 2 rows, got 1"):
        log_loss(np.array([0, 1]), np.array([[0.5, 0.5]]))
    with pytest.raises(InputError, match="code 2 is too large for probabilities of 2 classes"):
        log_loss(np.array([2]), np.array([[0.5, 0.5]]))


def test_models_and_classes_that_cannot_be_asked_are_named():
    with pytest.raises(KindError, match="CARTRegressor does not predict probabilities"):
        calibration(CARTRegressor().fit([[1], [2]], [1.0, 2.0]), [[1]], [1.0])
    model = CARTClassifier(pruning=None).fit([[1], [2]], ["a", "b"])
    with pytest.raises(ParameterError, match="`of` must be one of 'a', 'b', got 'c'"):
        calibration(model, [[1]], ["a"], of="c")
    with pytest.raises(InputError, match="y has 1"):
        calibration(model, [[1], [2]], ["a"])
