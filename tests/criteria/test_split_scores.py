"""Cuts lie between their neighbours whatever the numbers, boundary cuts never lose the best one, and every binary split
of the categories is scored once."""

import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from treewright.criteria import MERITS, contingency, gain_ratio, gini_index, information_gain
from treewright.criteria.split_scores import (
    best_cut,
    boundary_cuts,
    candidate_cuts,
    one_against_rest,
    score_cuts,
    score_regression_cuts,
    score_subsets,
)
from treewright.errors import InputError, ParameterError

TINY, HUGE = 5e-324, sys.float_info.max

finite = st.floats(allow_nan=False, allow_infinity=False)
small_columns = st.lists(
    st.tuples(st.integers(0, 12).map(float), st.sampled_from("abc")), min_size=2, max_size=25
)


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (0.0, TINY),
        (TINY, 2 * TINY),
        (2 * TINY, 3 * TINY),
        (-TINY, 0.0),
        (-TINY, TINY),
        (1.0, np.nextafter(1.0, 2)),
        (np.nextafter(1.0, 0), 1.0),
        (np.nextafter(1.0, 2), np.nextafter(np.nextafter(1.0, 2), 2)),
        (1e308, np.nextafter(1e308, HUGE)),
        (1e308, HUGE),
        (np.nextafter(HUGE, 0), HUGE),
        (-HUGE, HUGE),
        (-HUGE, -1e308),
        (-HUGE, np.nextafter(-HUGE, 0)),
        (sys.float_info.min, np.nextafter(sys.float_info.min, 1)),
    ],
)
def test_a_cut_lies_between_extreme_neighbours(low, high):
    (cut,) = candidate_cuts([high, low])
    assert low <= cut < high


@given(column=st.lists(finite, min_size=1, max_size=20))
def test_cuts_separate_all_neighbours(column):
    distinct = np.unique(np.array(column))
    cuts = candidate_cuts(column)
    assert len(cuts) == len(distinct) - 1
    assert (distinct[:-1] <= cuts).all()
    assert (cuts < distinct[1:]).all()


def test_cuts_are_midpoints():
    assert candidate_cuts([3, 1, 2, 2, 10]).tolist() == [1.5, 2.5, 6.5]
    assert candidate_cuts([1e308, 1.5e308]).tolist() == [1.25e308]
    assert candidate_cuts([2 * TINY, 4 * TINY]).tolist() == [3 * TINY]
    assert candidate_cuts([4, 4, 4]).size == 0
    assert candidate_cuts([0.0, -0.0]).size == 0


@given(rows=small_columns)
def test_boundary_cuts_leave_out_only_cuts_inside_one_class(rows):
    x, y = zip(*rows, strict=True)
    kept = set(boundary_cuts(x, y).tolist())
    for cut in candidate_cuts(x).tolist():
        below = max(v for v in x if v <= cut)
        above = min(v for v in x if v > cut)
        classes = {c for v, c in rows if v in (below, above)}
        assert (cut in kept) == (len(classes) > 1)


@pytest.mark.parametrize("criterion", ["information_gain", "gini_decrease"])
@given(rows=small_columns)
def test_the_best_cut_is_a_boundary_cut(criterion, rows):
    x, y = zip(*rows, strict=True)
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    scores = score_cuts(x, y, criterion)
    boundaries = boundary_cuts(x, y)
    best_of_boundaries = max(
        m for t, m in zip(scores.threshold, scores.merit, strict=True) if t in boundaries
    )
    assert best_of_boundaries == pytest.approx(scores.merit.max(), abs=1e-12)


@given(rows=small_columns)
def test_scores_count_every_row_on_one_side(rows):
    x, y = (list(part) for part in zip(*rows, strict=True))
    scores = score_cuts(x, y)
    for cut, low, high in zip(scores.threshold, scores.low, scores.high, strict=True):
        for label, n_low, n_high in zip(scores.classes, low, high, strict=True):
            assert n_low == sum(v <= cut and c == label for v, c in rows)
            assert n_high == sum(v > cut and c == label for v, c in rows)


@pytest.mark.parametrize("criterion", MERITS)
def test_every_merit_can_score_cuts(criterion):
    scores = score_cuts([1, 2, 3, 4, 5], ["a", "a", "b", "b", "a"], criterion)
    expected = [MERITS[criterion]([a, b]) for a, b in zip(scores.low, scores.high, strict=True)]
    assert scores.merit.tolist() == expected
    assert scores.merit[scores.best] == max(expected)


def test_the_lowest_cut_wins_a_tie():
    assert best_cut([1, 2, 3], ["a", "b", "a"])[0] == 1.5
    scores = score_regression_cuts([1, 2, 3], [0, 1, 0])
    assert scores.threshold[scores.best] == 1.5


def test_a_weight_of_two_counts_as_two_rows():
    weighted = score_cuts([1, 2, 3], ["a", "b", "a"], weight=[2, 1, 1])
    copied = score_cuts([1, 1, 2, 3], ["a", "a", "b", "a"])
    assert weighted.gain.tolist() == copied.gain.tolist()


@given(y=st.lists(st.integers(-50, 50), min_size=3, max_size=12))
def test_regression_loss_is_the_sum_over_both_sides(y):
    y = np.array(y, dtype=float)
    scores = score_regression_cuts(range(len(y)), y)
    for s, loss in enumerate(scores.loss, start=1):
        sides = (y[:s], y[s:])
        assert loss == pytest.approx(sum(((side - side.mean()) ** 2).sum() for side in sides), abs=1e-9)
    absolute = score_regression_cuts(range(len(y)), y, "absolute_error")
    for s, loss in enumerate(absolute.loss, start=1):
        sides = (y[:s], y[s:])
        assert loss == pytest.approx(sum(np.abs(side - np.median(side)).sum() for side in sides), abs=1e-9)


@pytest.mark.parametrize(
    ("x", "said"),
    [
        ([], r"shape \(0,\)"),
        ([[1, 2]], r"shape \(1, 2\)"),
        ([1, float("nan")], "nan in row 1"),
        ([float("-inf"), 1], "-inf in row 0"),
        (["low", "high"], "must be a column of numbers"),
    ],
)
def test_bad_columns(x, said):
    for cut in (candidate_cuts, lambda x: boundary_cuts(x, ["a", "b"]), lambda x: score_cuts(x, ["a", "b"])):
        with pytest.raises(InputError, match=said):
            cut(x)


def test_bad_pairs_and_names():
    with pytest.raises(InputError, match="`x` has 2 rows and `y` has 3"):
        score_cuts([1, 2], ["a", "b", "a"])
    with pytest.raises(InputError, match="`x` has 2 rows and `y` has 3"):
        score_regression_cuts([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="at least two distinct values"):
        best_cut([1, 1], ["a", "b"])
    with pytest.raises(ParameterError, match="'information_gain', 'gain_ratio'"):
        best_cut([1, 2], ["a", "b"], "gini")
    with pytest.raises(ParameterError, match="'squared_error', 'absolute_error'"):
        score_regression_cuts([1, 2], [1, 2], "mse")


columns = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("xyz")), min_size=1, max_size=20)


@given(rows=columns)
def test_each_split_once(rows):
    x, y = zip(*rows, strict=True)
    present = set(x)
    splits = score_subsets(x, y)
    assert len(splits) == 2 ** (len(present) - 1) - 1
    assert len({split.branch1 for split in splits}) == len(splits)
    for split in splits:
        assert split.branch0[0] == x[0]
        assert split.branch1
        assert set(split.branch0) | set(split.branch1) == present
        assert not set(split.branch0) & set(split.branch1)


@given(rows=columns)
def test_scores_are_those_of_the_two_branches(rows):
    x, y = zip(*rows, strict=True)
    for split in (*score_subsets(x, y), *one_against_rest(x, y)):
        table = contingency([v in split.branch1 for v in x], y)
        assert split.gain == pytest.approx(information_gain(table), abs=1e-12)
        assert split.ratio == pytest.approx(gain_ratio(table), abs=1e-12)
        assert split.gini_index == pytest.approx(gini_index(table), abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_two_classes_need_only_the_cuts_of_the_ordered_categories(seed):
    # Breiman et al. 1984, theorem 4.5: ordered by the share of one class, some cut of the order is best.
    rng = np.random.default_rng(seed)
    x, y = rng.choice(list("abcdefg"), 60), rng.choice(["x", "y"], 60)
    share = {v: (y[x == v] == "y").mean() for v in np.unique(x)}
    order = sorted(share, key=share.get)
    cuts = {frozenset(order[:i]) for i in range(1, len(order))}
    splits = score_subsets(x, y)
    ordered = [s for s in splits if frozenset(s.branch0) in cuts or frozenset(s.branch1) in cuts]
    assert len(ordered) == len(order) - 1
    for score in ("gini_index", "gain"):
        pick = min if score == "gini_index" else max
        everything, along_order = (pick(getattr(s, score) for s in group) for group in (splits, ordered))
        assert along_order == pytest.approx(everything, abs=1e-12)


def test_splits_come_in_the_order_of_the_rules():
    splits = score_subsets(["a", "b", "c"], ["x", "y", "x"])
    assert [s.branch1 for s in splits] == [("b",), ("c",), ("b", "c")]


def test_one_against_rest_names_the_one_first():
    splits = one_against_rest(["青绿", "乌黑", "浅白"], ["是", "是", "否"])
    assert [s.branch0 for s in splits] == [("青绿",), ("乌黑",), ("浅白",)]
    assert splits[0].branch1 == ("乌黑", "浅白")


def test_one_category_cannot_be_split():
    assert score_subsets(["a", "a"], ["x", "y"]) == ()


def test_too_many_categories_to_list():
    with pytest.raises(InputError, match="got 17, which have 65535 binary splits"):
        score_subsets(range(17), ["x"] * 17)
