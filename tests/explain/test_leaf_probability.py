"""Intervals: C4.5's limits, coverage counted out over every sample, and Student's interval by another program."""

import math

import numpy as np
import pytest
from scipy import stats

from treewright import CARTClassifier, CARTRegressor
from treewright.explain.leaf_probability import mean_interval, proportion_interval

# textbook.md 3.1: exact binomial limits U25(errors, rows); half of them lies outside on each side at confidence 0.5.
U25 = {
    (0, 1): 0.7500,
    (0, 2): 0.5000,
    (0, 3): 0.3700,
    (0, 4): 0.2929,
    (0, 6): 0.2063,
    (0, 9): 0.1428,
    (1, 16): 0.1596,
    (1, 168): 0.0159,
    (2, 14): 0.2612,
    (5, 14): 0.4835,
    (1, 2): 0.8660,
    (2, 6): 0.5532,
}


@pytest.mark.parametrize(("errors", "n"), U25)
def test_the_limits_are_those_that_c45_prunes_by(errors, n):
    assert proportion_interval(errors, n, 0.5).high == pytest.approx(U25[errors, n], abs=5e-5)
    assert proportion_interval(n - errors, n, 0.5).low == pytest.approx(1 - U25[errors, n], abs=5e-5)


@pytest.mark.parametrize("n", [1, 2, 5, 14])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95])
def test_no_share_is_missed_more_often_than_promised(n, confidence):
    found = [proportion_interval(hits, n, confidence) for hits in range(n + 1)]
    for share in np.linspace(0, 1, 41):
        missed = sum(
            math.comb(n, hits) * share**hits * (1 - share) ** (n - hits)
            for hits in range(n + 1)
            if not found[hits].low <= share <= found[hits].high
        )
        assert missed <= 1 - confidence + 1e-12


def test_an_interval_holds_its_share_and_shrinks_with_rows_and_confidence():
    for n in (1.0, 3.4, 20.0, 1e6):
        for hits in (0.0, 0.3 * n, n):
            wide, narrow = proportion_interval(hits, n, 0.95), proportion_interval(hits, n, 0.5)
            assert 0 <= wide.low <= narrow.low <= hits / n <= narrow.high <= wide.high <= 1
    few, many = proportion_interval(8, 10, 0.95), proportion_interval(800, 1000, 0.95)
    assert many.high - many.low < few.high - few.low
    assert proportion_interval(0, 0, 0.95) is None


def test_a_hair_of_rounding_is_no_error():
    assert proportion_interval(3.0000000000000004, 3.0, 0.95).high == 1.0
    assert proportion_interval(-1e-17, 3.0, 0.95).low == 0.0


def test_the_interval_of_a_mean_is_students():
    sample = np.array([4.50, 4.75, 4.91, 5.34, 5.80, 7.05])
    loss = float(((sample - sample.mean()) ** 2).sum())
    found = mean_interval(float(sample.mean()), loss, len(sample), 0.9)
    low, high = stats.t.interval(0.9, len(sample) - 1, sample.mean(), stats.sem(sample))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-12)
    assert mean_interval(3.0, 0.0, 1, 0.95) is None
    assert mean_interval(3.0, 0.0, 2, 0.95).low == 3.0


@pytest.mark.parametrize("class_weight", [{"a": 1, "b": 10}, {"a": 0.1, "b": 7.3}, "balanced"])
def test_weights_of_classes_make_no_rows(class_weight):
    """Thirty rows of one class are thirty rows, however much the class is worth."""
    X, y = [[k] for k in range(100)], ["a"] * 70 + ["b"] * 30
    model = CARTClassifier(pruning=None, class_weight=class_weight).fit(X, y)
    interval = model.explain([99]).ends[0].interval
    assert interval.n_rows == 30
    assert interval.low == pytest.approx(0.025 ** (1 / 30), rel=1e-12)
    copies = CARTClassifier(pruning=None).fit(X, y, sample_weight=[3] * 100)
    assert copies.explain([99]).ends[0].interval.n_rows == 90
    heavy = CARTRegressor(pruning=None, max_depth=1).fit(X, range(100), sample_weight=[0.5] * 50 + [3.5] * 50)
    assert heavy.explain([99]).ends[0].interval.n_rows == 36  # of weight 126, which is 63 mean weights
