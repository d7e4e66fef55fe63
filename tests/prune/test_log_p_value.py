"""p-values by their logarithms, where a float holds them and where it does not."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.stats import chi2

from treewright.prune.critical_value import log_p_value


def by_a_sum(statistic, degrees):
    """For even degrees of freedom the p-value is a sum of Poisson chances: e^-x (1 + x + x^2/2! + ...)."""
    with localcontext() as context:
        context.prec = 60
        x = Decimal(statistic) / 2
        term = total = Decimal(1)
        for j in range(1, degrees // 2):
            term *= x / j
            total += term
        return float(total.ln() - x)


@pytest.mark.parametrize(
    ("statistic", "degrees"),
    [(0.5, 2), (3.0, 8), (40.0, 2), (1300, 2), (1340, 2), (1500, 4), (1700, 40), (5000, 2), (1e5, 100), (1e6, 2000)],
)
def test_even_degrees_of_freedom_by_their_sum(statistic, degrees):
    found = log_p_value(np.array([float(statistic)]), np.array([float(degrees)]))
    assert found[0] == pytest.approx(by_a_sum(statistic, degrees), rel=1e-12)


def test_within_reach_of_a_float_it_is_the_logarithm_of_scipys():
    rng = np.random.default_rng(0)
    degrees = rng.integers(1, 400, 500).astype(float)
    statistic = degrees * rng.uniform(0, 3, 500)
    assert log_p_value(statistic, degrees) == pytest.approx(chi2.logsf(statistic, degrees), rel=1e-11, abs=1e-14)


@pytest.mark.parametrize("degrees", [3, 30, 999, 100_001])
def test_it_falls_without_a_step_where_the_way_of_working_changes(degrees):
    statistic = degrees + np.geomspace(1, 1e5, 4000)
    found = log_p_value(statistic, np.full(4000, float(degrees)))
    slope = np.diff(found) / np.diff(statistic)
    # The logarithm of the tail falls ever faster, from 0 towards half of the statistic.
    assert np.all(slope < 0)
    assert np.all(slope > -0.5 - 1 / degrees)
    assert np.all(np.diff(slope) < 1e-7)


def test_without_degrees_of_freedom_nothing_is_unlikely():
    assert log_p_value(np.array([0.0, 5.0]), np.array([0.0, 0.0])).tolist() == [0.0, 0.0]
    assert log_p_value(np.array([]), np.array([])).tolist() == []
    assert log_p_value(np.array([0.0]), np.array([3.0])).tolist() == [0.0]
