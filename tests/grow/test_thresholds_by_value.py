"""The largest values that are not above cuts are those that numpy finds in the sorted columns."""

import numpy as np
import pytest

from treewright.grow.freeze import largest_values_not_above, round_down_to_values


@pytest.mark.parametrize("n_jobs", [1, 2, 3])
@pytest.mark.parametrize("n_cuts", [1, 2, 7, 300])
def test_as_in_sorted_columns(n_cuts, n_jobs):
    random = np.random.default_rng(n_cuts)
    values = random.normal(size=(700, 5)).round(2)
    values[random.random(values.shape) < 0.1] = np.nan
    values[:, 3] = 0.5
    column = random.integers(0, 5, n_cuts).astype(np.int32)
    least = np.nanmin(values, axis=0)[column]
    middle = least + random.integers(0, 500, n_cuts) / 100
    found = np.append(middle, [np.inf, np.nan])
    round_down_to_values(values, np.append(column, [1, -1]).astype(np.int32), found, n_jobs)
    for f in range(5):
        rising = np.sort(values[~np.isnan(values[:, f]), f])
        np.testing.assert_array_equal(found[:-2][column == f], largest_values_not_above(rising, middle[column == f]))
    np.testing.assert_array_equal(found[-2:], [np.inf, np.nan])


def test_a_table_without_cuts():
    found = np.full(3, np.nan)
    round_down_to_values(np.ones((4, 2)), np.full(3, -1, np.int32), found, 2)
    assert np.isnan(found).all()
