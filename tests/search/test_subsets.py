"""Every split of the categories into two, each once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.criteria import contingency, gain_ratio, gini_index, information_gain
from treewright.errors import InputError
from treewright.search import one_against_rest, score_subsets

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
    with pytest.raises(InputError, match="17 categories, and 65535 splits"):
        score_subsets(range(17), ["x"] * 17)
