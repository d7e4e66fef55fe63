"""Counting by branch: impurities, means and medians are those of the criteria, and cuts those of a slow search."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.criteria import CRITERIA, absolute_error, entropy, gini
from treewright.ledger.node_cuts import prefix_losses

COUNTS = st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3).filter(any), min_size=1, max_size=6)


@given(COUNTS)
def test_impurities(table):
    given_table = np.array(table)
    assert CRITERIA["entropy"].of_weights(given_table) == pytest.approx([entropy(row) for row in table], abs=1e-12)
    assert CRITERIA["gini"].of_weights(given_table) == pytest.approx([gini(row) for row in table], abs=1e-12)
    assert CRITERIA["twoing"].of_weights(given_table) == pytest.approx([gini(row) for row in table], abs=1e-12)


def test_an_empty_branch_is_pure():
    for criterion in ("entropy", "gini"):
        assert CRITERIA[criterion].of_weights(np.array([[0, 0], [3, 0]])).tolist() == [0.0, 0.0]


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 4)), min_size=1, max_size=40))
def test_losses_of_beginnings(rows):
    y, weight = (np.array(column) for column in zip(*rows, strict=True))
    rank = np.unique(y, return_inverse=True)[1]
    length = np.arange(1, len(y) + 1)
    found = prefix_losses(rank, weight, y * weight, length)
    slow = [absolute_error(y[:n], weight[:n]) * weight[:n].sum() for n in length]
    assert found == pytest.approx(slow, abs=1e-9)


def test_all_small_lists_of_targets():
    """Every order of up to five targets out of three, so that no tie of medians is missed."""
    for n in range(1, 6):
        for targets in product((0, 1, 5), repeat=n):
            y, one = np.array(targets), np.ones(n, np.int64)
            rank = np.unique(y, return_inverse=True)[1]
            found = prefix_losses(rank, one, y, np.arange(1, n + 1))
            assert found.tolist() == [np.abs(y[:k] - np.median(y[:k])).sum() for k in range(1, n + 1)]
