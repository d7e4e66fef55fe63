"""The words of a picture: short where they are drawn, in full on a hover, and never more than words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.export.hostile import HOSTILE, hostile_tree
from tests.model.missing_trees import own_branches
from tests.model.samples import every_kind, regression
from treewright import CARTRegressor, TreeClassifier
from treewright.export.labels import LONGEST, Labels, clipped, compact, counted_leaves, percent, short_number
from treewright.model.build import golf_example


def test_a_node_asks_or_answers():
    labels = Labels(golf_example())
    assert [labels.headline(i) for i in range(8)] == [
        "outlook", "humidity", "Play", "windy", "Play", "Don't Play", "Play", "Don't Play",
    ]  # fmt: skip
    assert labels.facts(0) == ("Play: 64%", "n=14")
    assert labels.facts(2) == ("100%", "n=4")


def test_branches_are_named_without_their_column():
    labels = Labels(every_kind())
    assert [labels.edge(0, b).short for b in (0, 1)] == ["≤ 9.5", "> 9.5"]
    assert [labels.edge(1, b).short for b in (0, 1)] == ["≤ M", "> M"]
    assert [labels.edge(2, b).short for b in (0, 1, 2)] == ["{red, blue}", "green", "{white, black}"]
    assert labels.edge(2, 0).words == ("red", "blue")
    assert labels.edge(2, 0).full == "colour in {red, blue}"
    holes = Labels(own_branches())
    assert [holes.edge(0, b).short for b in (0, 1, 2)] == ["≤ 9.5", "> 9.5", "missing"]


def test_the_full_words_have_the_numbers_of_the_tree():
    assert Labels(golf_example()).full(0) == [
        "node 0: splits on outlook", "14 rows", "Play: 9 (64%)", "Don't Play: 5 (36%)", "entropy 0.9403, gain 0.2467",
    ]  # fmt: skip
    # Three rows of value 2 and loss 1.5, one of 8: mean 3.5, loss 1.5 + 3 * 1 / 4 * 36 = 28.5, sd sqrt(28.5 / 4).
    assert Labels(regression()).full(0)[2] == "days: mean 3.5, sd 2.66927"
    assert Labels(regression()).facts(0) == ("mean 3.5, sd 2.67", "n=4")


def test_the_words_between_names_are_translated():
    labels = Labels(golf_example(), language="zh")
    assert labels.full(0) == [
        "结点 0：按 outlook 划分", "14 个样本", "Play: 9 (64%)", "Don't Play: 5 (36%)", "信息熵 0.9403, 增益 0.2467",
    ]  # fmt: skip
    assert labels.full(2)[0] == "结点 2：叶结点，Play"
    holes = Labels(own_branches(), language="zh")
    assert [holes.edge(0, b).short for b in (0, 1, 2)] == ["≤ 9.5", "> 9.5", "缺失"]


def test_a_median_tree_shows_the_mean_deviation():
    model = CARTRegressor(criterion="absolute_error", pruning=None, max_depth=1).fit([[1], [1], [1], [2]], [0, 1, 5, 9])
    labels = Labels(model.tree_)
    assert labels.prediction(1) == "1"
    assert labels.tree.node(1).deviation == pytest.approx((1 + 0 + 4) / 3)


def test_a_learned_side_is_told():
    X = [[1.0], [2.0], [3.0], [4.0], [np.nan]]
    model = TreeClassifier(missing="learned").fit(X, ["a", "a", "b", "b", "b"])
    assert Labels(model.tree_).full(0)[-1] == "missing values go to: x0 > 2.5"


def test_where_numbers_lie_between_the_least_and_the_greatest():
    assert [Labels(regression()).position(i) for i in range(3)] == [0.25, 0.0, 1.0]
    flat = CARTRegressor(pruning=None).fit([[1], [2]], [3.0, 3.0])
    assert Labels(flat.tree_).position(0) == 0.5
    huge = CARTRegressor(criterion="absolute_error", pruning=None).fit([[1], [2]], [-8e289, 8e289])
    assert [Labels(huge.tree_).position(i) for i in (1, 2)] == [0.0, 1.0]


@pytest.mark.parametrize("evil", HOSTILE)
def test_words_stay_on_one_line_and_can_be_encoded(evil):
    labels = Labels(hostile_tree(evil))
    for i in range(labels.tree.n_nodes):
        words = [labels.headline(i), *labels.facts(i), *labels.full(i)]
        parent = int(labels.tree.parent[i])
        if parent >= 0:
            edge = labels.edge(parent, i - int(labels.tree.first_child[parent]))
            words += [edge.short, edge.full, *edge.words]
        for text in words:
            text.encode()
            assert len(text.splitlines()) <= 1
            assert not set(text) & set("\u2028\u2029\u202e\u2066")
            assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text)
            assert len(text) <= LONGEST + 200


@given(st.floats(-1e300, 1e300), st.integers(3, 6))
def test_a_short_number_is_the_number_to_that_many_digits(number, digits):
    shown = short_number(number, digits)
    assert abs(float(shown) - number) <= 0.5 * 10 ** (1 - digits) * abs(number) * (1 + 1e-9)
    assert len(shown) <= 24
    assert ("e" not in shown) or not 1e-4 <= abs(number) < 1e15


@given(st.floats(0, 1e18))
def test_a_compact_weight_is_short_and_near(weight):
    shown = compact(weight)
    sizes = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    found = float(shown.rstrip("kMGT")) * sizes.get(shown[-1], 1.0)
    assert len(shown) <= 8
    assert abs(found - weight) <= max(0.0051, 0.00501 * weight)


@given(st.floats(0, 1))
def test_only_all_of_it_is_100_per_cent(share):
    shown = percent(share)
    assert (shown == "100%") == (share >= 1 - 1e-12)
    assert (shown == "0%") == (share == 0)
    assert abs(float(shown.strip("<>%")) / 100 - share) <= 0.00501


def test_texts_are_cut_and_leaves_are_counted():
    assert clipped("x" * 5000) == "x" * (LONGEST - 1) + "…"
    assert clipped("\x00" * 5000, 10) == "\\x00\\x00\\…"
    assert [counted_leaves(n) for n in (1, 2, 12345)] == ["1 leaf", "2 leaves", "12,345 leaves"]
