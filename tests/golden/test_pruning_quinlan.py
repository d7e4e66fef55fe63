"""Figures of Quinlan's book (1993) on error-based pruning, and of the program that came with it.

The book defines U_CF by the binomial distribution, and its values for no errors are that. Its other values are those of
its program, which approximates: U_25%(1, 16) is 0.157 there and 0.1596 exactly.
"""

import numpy as np
import pytest

from tests.golden.pruned import estimates, release8
from tests.golden.sets import load
from treewright import C45Classifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, leaf, table
from treewright.prune import ErrorBased
from treewright.prune.limits import LIMITS, Limit, upper_limit
from treewright.prune.report import PRUNED


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("rows", "rate"), [(6, 0.206), (9, 0.143), (1, 0.750), (2, 0.500), (3, 0.370), (4, 0.293)])
def test_no_errors(rows, rate, limit):
    """The book's figures for 6, 9 and 1 rows, and those behind the rules of golf: all limits agree."""
    assert round(float(upper_limit(0, rows, 0.25, limit)), 3) == rate


@pytest.mark.parametrize(
    ("limit", "rate"),
    [("release8", 0.157), ("weka", 0.155), ("exact", 0.160)],
)
def test_one_error_in_sixteen(limit, rate):
    """The book has 0.157, which is its program's figure and not the binomial limit, 0.160."""
    assert round(float(upper_limit(1, 16, 0.25, limit)), 3) == rate


@pytest.mark.parametrize(
    ("errors", "rows", "rate"),
    [(1, 16, 0.1596), (1, 168, 0.0159), (2, 14, 0.2612), (5, 14, 0.4835), (1, 2, 0.8660), (2, 6, 0.5532)],
)
def test_binomial_limits(errors, rows, rate):
    assert round(float(upper_limit(errors, rows)), 4) == rate


@pytest.mark.parametrize(
    ("limit", "expected"),
    [("release8", [2.5069, 2.6101, 3.6362]), ("weka", [2.4757, 2.5738, 3.6033])],
)
def test_normal_approximations(limit, expected):
    found = Limit(limit, 0.25).estimates(np.array([16.0, 168.0, 14.0]), np.array([1.0, 1.0, 2.0]))
    assert found.round(4).tolist() == expected


def test_figures_of_the_program():
    """Extra errors: (10, 0) -> 1.29 and (20, 10) -> 2.02, where E + 0.5 is far from N."""
    found = Limit("release8", 0.25).estimates(np.array([10.0, 20.0]), np.array([0.0, 10.0])) - [0, 10]
    assert found.round(2).tolist() == [1.29, 2.02]


def test_education_spending():
    """The subtree of the vote example: 6 U(0,6) + 9 U(0,9) + U(0,1) = 3.273 against 16 U(1,16) = 2.512: a leaf.

    The book multiplies rounded limits; unrounded it is 3.2726 against 2.5069.
    """
    votes = Column("education spending", Kind.CATEGORY, ("n", "y", "u"))
    schema = Schema((votes,), Target("class", ("democrat", "republican")))
    branches = {"n": leaf({"democrat": 6}), "y": leaf({"democrat": 9}), "u": leaf({"republican": 1})}
    report = ErrorBased(raising=False).prune(build(schema, table("education spending", branches))).report
    by_hand = [6 * 0.206 + 9 * 0.143 + 0.750, 16 * 0.157]
    assert by_hand == pytest.approx([3.273, 2.512])
    assert (round(report.subtree[0], 4), round(report.leaf[0], 4)) == (3.2726, 2.5069)
    assert report.verdict.tolist() == [PRUNED]


def test_votes(shared):
    """The book's run on 300 votes: 25 nodes and 8 errors before, 7 and 13 after; a leaf democrat (168/2.6)."""
    model = release8(shared, "r8_vote_train")
    X, y = load(shared, "r8_vote_train")
    assert (model.grown_tree_.n_nodes, model.tree_.n_nodes) == (25, 7)
    assert np.count_nonzero(model.predict(X) != y) == 13
    tree, estimated = model.tree_, estimates(model.tree_)
    figures = [(f"{tree.weight[i]:.1f}", f"{estimated[i]:.1f}") for i in np.flatnonzero(tree.is_leaf)]
    assert figures == [("168.0", "2.6"), ("123.0", "13.9"), ("3.0", "1.1"), ("4.0", "2.2"), ("2.0", "1.0")]
    X_test, y_test = load(shared, "r8_vote_test")
    assert np.count_nonzero(model.predict(X_test) != y_test) == 4


def test_decisions_on_votes(shared):
    """The subtree of the example goes first, and then the whole branch of 168 becomes a leaf; another one is raised."""
    report = release8(shared, "r8_vote_train").pruning_report_
    found = {(one.column, one.weight): (round(one.leaf, 2), round(one.subtree, 2), one.verdict) for one in report}
    assert found["education spending", 16] == (2.51, 3.27, "pruned")
    assert found["adoption of the budget resolution", 168] == (2.61, 4.64, "pruned")
    assert found["water project cost sharing", 9] == (4.54, 4.23, "raised")
    assert [one.verdict for one in report].count("kept") == 4


def test_rules_of_golf(shared):
    """The program's rules are right in 70.7, 63.0, 63.0 and 50.0 percent: 1 - U(0, rows of the leaf)."""
    X, y = load(shared, "golf")
    tree = C45Classifier(pruning=None).fit(X, y).tree_
    rows = tree.weight[tree.is_leaf]
    assert sorted(rows.tolist()) == [2, 2, 3, 3, 4]
    percent = {n: round(100 * (1 - float(upper_limit(0, n))), 1) for n in set(rows.tolist())}
    assert percent == {4: 70.7, 3: 63.0, 2: 50.0}
    assert release8(shared, "golf").tree_ == tree
