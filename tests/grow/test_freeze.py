"""Thresholds that are values of the table are the same, whether a column is looked through for each cut or once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grow.examples import mixed, numbers_only
from treewright.fast_paths import fast_path_sizes, without_fast_paths
from treewright.grow.grower import grow
from treewright.grow.plan import Plan

PLAN = Plan(criterion="entropy", threshold="value", missing="fractional")
CELLS = st.sampled_from([-0.0, 0.0, 1.0, 2.5, -1e300, 1e300, 5e-324, np.nan])


def both_ways(dataset):
    with without_fast_paths("value lookup"):
        looked = grow(dataset, PLAN)
    with fast_path_sizes({"value lookup": 0}):
        return looked, grow(dataset, PLAN)


@pytest.mark.parametrize("seed", range(5))
def test_few_cuts_and_many_have_the_same_thresholds(seed):
    looked, sought = both_ways(mixed(80, seed))
    assert looked == sought
    known = looked.threshold[np.isfinite(looked.threshold)]
    assert len(known)
    assert np.isin(known, mixed(80, seed).values).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS, st.integers(0, 2)), min_size=2, max_size=30))
def test_zeros_and_holes_make_no_difference(rows):
    values = np.array([row[:2] for row in rows])
    looked, sought = both_ways(numbers_only(values, np.array([row[2] for row in rows])))
    assert looked == sought
    assert not np.signbit(looked.threshold[looked.threshold == 0]).any()


def test_columns_of_a_tree_cannot_be_written_to():
    tree = grow(mixed(80), PLAN)
    for name, column in vars(tree).items():
        if isinstance(column, np.ndarray):
            with pytest.raises(ValueError, match="read-only"):
                column[0] = column[0]
            assert name in type(tree).__dataclass_fields__
