"""Bad input gets one sentence that says what is wrong and what to do."""

import numpy as np
import pytest

from treewright.criteria import (
    IMPURITIES,
    LOSSES,
    MERITS,
    at_least_average,
    average_gain,
    contingency,
    cut_penalty,
    gini_index,
    intrinsic_value,
    twoing,
)
from treewright.errors import InputError

OF_TABLES = {**MERITS, "gini_index": gini_index, "intrinsic_value": intrinsic_value}


@pytest.mark.parametrize("impurity", IMPURITIES.values(), ids=IMPURITIES)
@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([3, -1], r"at least 0, got -1 at position 1"),
        ([3, float("nan")], r"must be finite and at least 0, got nan at position 1"),
        ([float("inf"), 1], r"must be finite and at least 0, got inf at position 0"),
        ([], "must have an entry above 0"),
        ([0, 0], "must have an entry above 0"),
        ([[3, 1]], "must have 1 dimension, got 2"),
        (7, "must have 1 dimension, got 0"),
        (["a", "b"], "must be numbers"),
        ([1e308, 1e308], "divide by a constant"),
    ],
)
def test_bad_class_counts(impurity, counts, said):
    with pytest.raises(InputError, match=said):
        impurity(counts)


@pytest.mark.parametrize("merit", OF_TABLES.values(), ids=OF_TABLES)
@pytest.mark.parametrize(
    ("table", "said"),
    [
        ([[3, 1], [2, -4]], r"at least 0, got -4 at position \(1, 1\)"),
        ([[3, 1], [float("nan"), 4]], r"must be finite and at least 0, got nan at position \(1, 0\)"),
        ([3, 1], "must have 2 dimensions, got 1"),
        ([], "must have 2 dimensions, got 1"),
        ([[], []], "must have an entry above 0"),
        ([[0, 0], [0, 0]], "must have an entry above 0"),
        ([[3, 1], [2]], "rows of equal length"),
    ],
)
def test_bad_branch_tables(merit, table, said):
    with pytest.raises(InputError, match=said):
        merit(table)


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
@pytest.mark.parametrize(
    ("y", "weight", "said"),
    [
        ([], None, r"one-dimensional and not empty, got the shape \(0,\)"),
        ([1, float("nan")], None, "must be finite, got nan in row 1"),
        ([1, 2], [1], r"must have the shape \(2,\), got \(1,\)"),
        ([1, 2], [1, -1], "at least 0, got -1 at position 1"),
        ([1, 2], [0, 0], "must have an entry above 0"),
        (["a"], None, "must be numbers"),
    ],
)
def test_bad_targets(loss, y, weight, said):
    with pytest.raises(InputError, match=said):
        loss(y, weight)


def test_an_empty_branch_changes_nothing():
    for name, merit in OF_TABLES.items():
        if name != "twoing":
            assert merit([[3, 1], [0, 0], [1, 5]]) == merit([[3, 1], [1, 5]])


def test_one_branch_is_worth_nothing():
    assert all(merit([[3, 1]]) == 0.0 for name, merit in MERITS.items() if name != "twoing")
    assert twoing([[3, 1], [0, 0]]) == 0.0


def test_twoing_takes_two_branches():
    with pytest.raises(InputError, match="a table of two branches, got 3"):
        twoing([[1, 2], [3, 4], [5, 6]])


def test_twoing_by_hand():
    # Sides of 4 and 6 of 10: shares 3/4 1/4 against 1/6 5/6, each 7/12 apart.
    assert twoing([[3, 1], [1, 5]]) == pytest.approx(0.4 * 0.6 / 4 * (14 / 12) ** 2, rel=1e-12)


def test_choice_refuses_what_cannot_be():
    with pytest.raises(InputError, match="`n_cuts` must be at least 1, got 0"):
        cut_penalty(0, 14)
    with pytest.raises(InputError, match="`weight` must be finite and above 0, got 0"):
        cut_penalty(3, 0)
    with pytest.raises(InputError, match="one finite gain per column"):
        average_gain([])
    with pytest.raises(InputError, match="one finite gain per column"):
        at_least_average([0.1, float("nan")])


def test_the_slack_lets_a_column_just_below_the_average_in():
    gains = [0.30, 0.3009, 0.3018]
    assert at_least_average(gains).tolist() == [False, True, True]
    assert at_least_average(gains, slack=1e-3).tolist() == [True, True, True]


def test_contingency_reads_words_numbers_and_truth_values():
    table = contingency(np.array([True, False, True]), np.array([2, 1, 2]))
    assert (table.branches, table.classes) == ((True, False), (2, 1))
    assert np.array_equal(table, [[2, 0], [0, 1]])


def test_contingency_adds_weights():
    table = contingency(["a", "b", "a"], ["x", "x", "y"], weight=[0.5, 2, 1.25])
    assert table.counts.tolist() == [[0.5, 1.25], [2.0, 0.0]]
    assert table.row("b").tolist() == [2.0, 0.0]


def test_contingency_cannot_be_changed():
    table = contingency(["a"], ["x"])
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 5


@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        (["a", "b"], ["x"], "`x` has 2 rows and `y` has 1"),
        ([], [], r"`x` must be one-dimensional and not empty, got the shape \(0,\)"),
        ([["a", "b"]], ["x"], r"`x` must be one-dimensional and not empty, got the shape \(1, 2\)"),
        (["a", None], ["x", "y"], "`x` is missing in row 1"),
        (["a", "b"], ["x", float("nan")], "`y` is missing in row 1"),
    ],
)
def test_contingency_refuses(x, y, said):
    with pytest.raises(InputError, match=said):
        contingency(x, y)


def test_contingency_refuses_the_missing_value_of_pandas():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="`x` is missing in row 0"):
        contingency([pandas.NA, "a"], ["x", "y"])


def test_contingency_names_its_branches_when_asked_for_another():
    with pytest.raises(InputError, match="Unknown branch 'c'; the branches are 'a', 'b'"):
        contingency(["a", "b"], ["x", "y"]).row("c")
