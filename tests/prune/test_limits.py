"""Limits: against the binomial distribution, against each other, and where they bend."""

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import binom, norm

from tests.oracles.raising import Settings, estimated
from treewright.errors import ParameterError
from treewright.prune.limits import LIMITS, Limit, upper_limit

CONFIDENCES = (0.001, 0.003, 0.01, 0.05, 0.1, 0.15, 0.25, 0.4, 0.5)


def leaves(seed=0, n=3000):
    """Rows and errors: whole ones, parts of them, many of them, and none."""
    rng = np.random.default_rng(seed)
    rows = np.concatenate([rng.integers(1, 60, n) * 1.0, rng.random(n) * 12 + 1e-3, 10 ** (6 * rng.random(n))])
    errors = rows * rng.random(3 * n) * (rng.random(3 * n) < 0.9)
    errors[:n] = np.floor(errors[:n])
    return rows, errors


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_exact_is_the_binomial_limit(confidence):
    """With the rate U, E errors or fewer in N rows have the probability CF; it falls as the rate rises."""
    for n in (1, 2, 3, 7, 16, 100, 2000):
        for e in {0, 1, n // 3, n - 1} - {n}:
            rate = float(upper_limit(e, n, confidence))
            assert binom.cdf(e, n, rate * (1 - 1e-10)) > confidence > binom.cdf(e, n, rate * (1 + 1e-10))
        assert upper_limit(n, n, confidence) == 1


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_exact_between_whole_rows(confidence):
    rows, errors = leaves()
    expected = betaincinv(errors + 1, rows - errors, 1 - confidence)
    np.testing.assert_allclose(upper_limit(errors, rows, confidence), expected, rtol=1e-9)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_against_the_slow_twin(limit, confidence):
    rows, errors = leaves(1, 300)
    settings = Settings(limit=limit, confidence=confidence)
    expected = [estimated(n, e, settings) for n, e in zip(rows.tolist(), errors.tolist(), strict=True)]
    np.testing.assert_allclose(Limit(limit, confidence).estimates(rows, errors), expected, rtol=1e-9, atol=1e-12)


def test_quantiles():
    assert Limit("release8", 0.25).square == pytest.approx(0.6925**2)
    assert Limit("weka", 0.25).square == pytest.approx(norm.ppf(0.75) ** 2)
    assert Limit("release8", 0.2).square == pytest.approx(0.84**2)
    assert Limit("release8", 0.0005).square == pytest.approx(3.545**2)


@pytest.mark.parametrize("limit", ["release8", "weka"])
def test_the_approximation_is_near_the_binomial_limit(limit):
    """Within a fiftieth of a row's errors where rows are many, and a tenth where they are few."""
    rows = np.arange(4.0, 400.0)
    for share in (0.1, 0.3, 0.5):
        errors = np.ceil(share * rows)
        off = np.abs(Limit(limit, 0.25).estimates(rows, errors) - rows * upper_limit(errors, rows))
        assert off.max() < 0.2
        assert (off / errors)[rows > 100].max() < 0.01


@pytest.mark.parametrize("limit", LIMITS)
def test_no_errors_and_less_than_one(limit):
    """Without errors all are the same; up to one error the program goes in a straight line."""
    rows = np.array([0.5, 1.0, 2.0, 40.0])
    np.testing.assert_allclose(upper_limit(0, rows, 0.25, limit), 1 - 0.25 ** (1 / rows))
    if limit != "exact":
        none, half, one = (Limit(limit, 0.25).estimates(rows[2:], np.full(2, e)) for e in (0.0, 0.5, 1.0))
        np.testing.assert_allclose(half, (none + one) / 2)


def test_where_all_rows_are_errors():
    """N - E is 0.4 or 0.5: Release 8 takes 0.67 of it, Weka all of it; the exact limit knows no such bend."""
    rows, errors = np.array([3.5, 3.4, 3.5 + 1e-12]), np.full(3, 3.0)
    assert Limit("release8", 0.25).estimates(rows, errors) == pytest.approx([3.335, 3.268, 3.335])
    assert Limit("weka", 0.25).estimates(rows, errors) == pytest.approx(rows)
    assert (Limit("exact", 0.25).estimates(rows, errors) < rows).all()


@pytest.mark.parametrize("limit", LIMITS)
def test_more_rows_never_make_fewer_errors(limit):
    """Another row at a leaf, right or wrong, cannot lower its estimate; nor can a lower confidence."""
    rows, errors = leaves(2)
    rows, errors = rows[: 2 * 3000], errors[: 2 * 3000]
    for confidence in (0.1, 0.25, 0.4):
        of = Limit(limit, confidence).estimates
        now = of(rows, errors)
        slack = 1e-9 * rows
        assert (of(rows + 1, errors) >= now - slack).all()
        assert (of(rows + 1, errors + 1) >= now - slack).all()
        assert (Limit(limit, confidence / 2).estimates(rows, errors) >= now - slack).all()
        assert (now >= errors - slack).all()


def test_shapes():
    assert upper_limit([0, 1], 6).shape == (2,)
    assert upper_limit([[0], [1]], [6, 8, 9]).shape == (2, 3)
    assert upper_limit(0, 0) == 0
    assert upper_limit([], []).shape == (0,)


@pytest.mark.parametrize(
    ("limit", "confidence"),
    [("exact", 0), ("exact", 1), ("release8", -0.1), ("weka", 0.6), ("release8", None), ("exact", np.nan)],
)
def test_confidences_that_cannot_be(limit, confidence):
    with pytest.raises(ParameterError, match=r"^confidence must be .*, got .*\.$"):
        upper_limit(1, 3, confidence, limit)


def test_names_that_are_not_known():
    with pytest.raises(ParameterError, match="limit must be one of 'exact', 'release8', 'weka', got 'binomial'"):
        upper_limit(1, 3, limit="binomial")


@pytest.mark.parametrize(("errors", "rows"), [(2, 1), (-1, 3), (np.nan, 3), (1, np.inf)])
def test_rows_that_cannot_be(errors, rows):
    with pytest.raises(ParameterError, match="0 <= errors <= rows"):
        upper_limit(errors, rows)
