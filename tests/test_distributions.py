"""Distributions: against SciPy, over the parameters that leaves of a few rows and of millions have."""

import numpy as np
import pytest
from scipy.special import betainc, betaincinv, gammaln, stdtrit

from treewright.distributions import beta_cdf, beta_quantile, log_gamma, student_quantile

PROBABILITIES = (0.0005, 0.025, 0.25, 0.5, 0.75, 0.975, 0.9995)


@pytest.mark.parametrize("probability", PROBABILITIES)
def test_beta_is_that_of_scipy(probability):
    rng = np.random.default_rng(1)
    for a, b in 10 ** rng.uniform(-1, 6, (150, 2)):
        found = beta_quantile(a, b, probability)
        assert found == pytest.approx(betaincinv(a, b, probability), rel=1e-9, abs=1e-290)
        assert beta_cdf(a, b, found) == pytest.approx(betainc(a, b, found), rel=1e-9)


def test_beta_at_the_ends():
    assert beta_cdf(2.0, 3.0, 0.0) == 0.0
    assert beta_cdf(2.0, 3.0, 1.0) == 1.0


@pytest.mark.parametrize("probability", [p for p in PROBABILITIES if p > 0.5])
def test_student_is_that_of_scipy(probability):
    for degrees in (0.1, 0.5, 1, 2, 3.7, 30, 1e3, 1e5, 1e7):
        assert student_quantile(degrees, probability) == pytest.approx(stdtrit(degrees, probability), rel=1e-9)


def test_log_gamma_is_that_of_scipy():
    values = 10 ** np.random.default_rng(2).uniform(-3, 9, (50, 3))
    np.testing.assert_allclose(log_gamma(values), gammaln(values), rtol=1e-14, atol=1e-14)
    assert log_gamma(np.zeros((0, 3))).shape == (0, 3)
