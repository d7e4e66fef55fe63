"""Minimum-error pruning: Laplace's form, the m-estimate, priors and costs, worked by hand."""

import re
from fractions import Fraction

import numpy as np
import pytest

from tests.model.samples import CLASSES, chain, regression
from tests.prune.left_over import with_rows_staying
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import KindError, ParameterError
from treewright.model.build import build, golf_example, leaf, number
from treewright.prune.minimum_error import MinimumError

SCHEMA = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))


def two(low, high, at=20):
    return number("age", at, leaf(low), leaf(high))


def numbers(method, tree, node=0):
    decision = method.prune(tree).report.of(node)
    return decision.leaf, decision.subtree, decision.verdict


def exactly(leaf_number, subtree, verdict):
    return pytest.approx(float(leaf_number), rel=1e-14), pytest.approx(float(subtree), rel=1e-14), verdict


def test_laplace_by_hand():
    # The node: 9 no, 2 yes: (2 + 1) / (11 + 2). Its branches: (0 + 1) / 8 and (2 + 1) / 7, of 6 and 5 rows.
    tree = build(SCHEMA, two({"no": 6}, {"no": 3, "yes": 2}))
    static = Fraction(3, 13)
    dynamic = Fraction(6, 11) * Fraction(1, 8) + Fraction(5, 11) * Fraction(3, 7)
    assert static < dynamic
    assert numbers(MinimumError(), tree) == exactly(static, dynamic, "pruned")
    assert MinimumError().prune(tree).tree.n_nodes == 1


def test_laplace_keeps_what_tells_classes_apart():
    # The node: 4 no, 5 yes: (4 + 1) / 11. Its branches: 1 / 6 and 1 / 7, of 4 and 5 rows.
    tree = build(SCHEMA, two({"no": 4}, {"yes": 5}))
    dynamic = Fraction(4, 9) * Fraction(1, 6) + Fraction(5, 9) * Fraction(1, 7)
    assert numbers(MinimumError(), tree) == exactly(Fraction(5, 11), dynamic, "kept")


def test_three_classes_count_in_laplace():
    # (n - n_c + k - 1) / (n + k) with k = 3: 2 no, 1 perhaps, 4 yes: (3 + 2) / 10.
    tree = build(CLASSES, number("price", 1, leaf({"no": 2, "perhaps": 1}), leaf({"yes": 4})))
    dynamic = Fraction(3, 7) * Fraction(1 + 2, 3 + 3) + Fraction(4, 7) * Fraction(0 + 2, 4 + 3)
    assert numbers(MinimumError(), tree) == exactly(Fraction(5, 10), dynamic, "kept")


def test_laplace_is_the_m_estimate_with_as_many_rows_as_classes_and_equal_priors():
    for tree in (golf_example(), build(SCHEMA, two({"no": 6}, {"no": 3, "yes": 2}))):
        laplace, estimate = MinimumError(), MinimumError(m=2, priors="equal")
        assert laplace.expected(tree).tolist() == estimate.expected(tree).tolist()
    # Without rows to draw on, the errors of the training rows remain.
    assert MinimumError(m=0).expected(golf_example()).tolist() == [5 / 14, 2 / 5, 0, 2 / 5, 0, 0, 0, 0]


def test_the_m_estimate_with_the_shares_of_the_table():
    # 8 no and 2 yes: priors 0.8 and 0.2; m = 4. The node itself has the priors: 1 - 0.8.
    # Branches: 6 no: (0 + 0.2 * 4) / 10; 2 no, 2 yes: answer no, (2 + 0.2 * 4) / 8.
    tree = build(SCHEMA, two({"no": 6}, {"no": 2, "yes": 2}))
    dynamic = Fraction(6, 10) * Fraction(8, 100) + Fraction(4, 10) * Fraction(28, 80)
    assert numbers(MinimumError(m=4, priors="root"), tree) == exactly(Fraction(1, 5), dynamic, "kept")
    # By equal priors: (2 + 2) / 14, against 2 / 10 and 4 / 8.
    dynamic = Fraction(6, 10) * Fraction(2, 10) + Fraction(4, 10) * Fraction(4, 8)
    assert numbers(MinimumError(m=4), tree) == exactly(Fraction(4, 14), dynamic, "pruned")


def test_priors_by_class_name_may_turn_the_answer():
    # m = 5, priors 0.2 and 0.8. The node has 3 no, 2 yes: no (2 + 4) / 10, yes (3 + 1) / 10: yes is better.
    # Branches: 3 no: no (0 + 4) / 8, yes (3 + 1) / 8; 2 yes: (0 + 1) / 7.
    tree = build(SCHEMA, two({"no": 3}, {"yes": 2}))
    dynamic = Fraction(3, 5) * Fraction(4, 8) + Fraction(2, 5) * Fraction(1, 7)
    method = MinimumError(m=5, priors={"yes": 4, "no": 1})
    assert numbers(method, tree) == exactly(Fraction(4, 10), dynamic, "kept")


def test_costs_by_hand():
    # To say no where yes is true costs 10. The node: 9 no, 2 yes; p(yes) = 3 / 13: no costs 30 / 13, yes 10 / 13.
    # Branches: 6 no: p(yes) = 1 / 8: no 10 / 8, yes 7 / 8; 3 no, 2 yes: p(yes) = 3 / 7: yes 4 / 7.
    tree = build(SCHEMA, two({"no": 6}, {"no": 3, "yes": 2}))
    dynamic = Fraction(6, 11) * Fraction(7, 8) + Fraction(5, 11) * Fraction(4, 7)
    method = MinimumError(cost_matrix={"yes": {"no": 10}})
    assert numbers(method, tree) == exactly(Fraction(10, 13), dynamic, "kept")
    assert method.prune(tree).report.unit == "expected cost per row"
    # A cost of 1 for each wrong answer is no cost matrix at all.
    plain, told = (MinimumError(cost_matrix=c).prune(golf_example()).report for c in (None, [[0, 1], [1, 0]]))
    assert told.leaf == pytest.approx(plain.leaf, rel=1e-14)
    assert told.subtree == pytest.approx(plain.subtree, rel=1e-14)


def test_a_branch_that_was_pruned_counts_as_a_leaf():
    # The low branch is that of the first test, pruned at 3 / 13; the high one has 9 yes: 1 / 11.
    tree = build(SCHEMA, number("age", 30, two({"no": 6}, {"no": 3, "yes": 2}), leaf({"yes": 9})))
    dynamic = Fraction(11, 20) * Fraction(3, 13) + Fraction(9, 20) * Fraction(1, 11)
    assert numbers(MinimumError(), tree) == exactly(Fraction(9 + 1, 20 + 2), dynamic, "kept")
    assert MinimumError().prune(tree).tree.to_text() == "age <= 30: no (11/2)\nage > 30: yes (9)"


def test_an_empty_branch_adds_nothing():
    # 5 no, 1 yes and an empty branch: the subtree is as good as the leaf, (1 + 1) / 8, and is pruned.
    tree = build(SCHEMA, number("age", 20, leaf({"no": 5, "yes": 1}), leaf()))
    assert numbers(MinimumError(), tree) == exactly(Fraction(2, 8), Fraction(2, 8), "pruned")
    # An inner node without rows says what the priors say, with m or without.
    tree = build(SCHEMA, number("age", 20, leaf({"no": 5, "yes": 1}), number("age", 30, leaf(), leaf())))
    assert numbers(MinimumError(), tree, 2) == exactly(Fraction(1, 2), Fraction(1, 2), "pruned")
    assert numbers(MinimumError(m=0, priors="root"), tree, 2) == exactly(
        Fraction(1, 6), Fraction(1, 6), "pruned"
    )


def test_fractional_weights():
    # 0.3 no and 0.1 yes; (0.1 + 1) / 2.4. Branches: 0.3 no: 1 / 2.3; 0.1 yes: 1 / 2.1.
    tree = build(SCHEMA, two({"no": 0.3}, {"yes": 0.1}))
    dynamic = (0.3 * (1 / 2.3) + 0.1 * (1 / 2.1)) / 0.4
    assert numbers(MinimumError(), tree) == exactly(1.1 / 2.4, dynamic, "kept")


def test_rows_that_stay_are_answered_by_the_node():
    # 6 no go down, 4 yes go down, and 3 no stay. The node: 9 no, 4 yes: (4 + 1) / 15.
    tree = with_rows_staying(build(SCHEMA, two({"no": 6}, {"yes": 4})), 0, [3, 0])
    static = Fraction(5, 15)
    dynamic = (6 * Fraction(1, 8) + 4 * Fraction(1, 6) + 3 * static) / 13
    assert numbers(MinimumError(), tree) == exactly(static, dynamic, "kept")


def test_the_tree_that_came_in_stays_as_it_is():
    tree = golf_example()
    before = tree.fingerprint()
    MinimumError(m=3, priors="root").prune(tree)
    assert tree.fingerprint() == before


def test_a_chain_of_many_nodes():
    tree = chain(3000)
    # Each node asks off one more no; the last leaf is the only yes, which a thousand no's do not hide.
    method = MinimumError()
    found = method.prune(tree)
    n = np.arange(3001, 1, -1)
    assert method.expected(tree)[tree.n_children > 0] == pytest.approx(3 / (n + 3), rel=1e-13)
    assert found.tree.n_nodes == 1


def test_regression_is_refused():
    with pytest.raises(KindError, match="Minimum-error pruning cannot be used for regression"):
        MinimumError().prune(regression())


@pytest.mark.parametrize("m", [-1, float("nan"), float("inf"), True, "2", [2]])
def test_a_bad_m_is_refused(m):
    with pytest.raises(
        ParameterError, match=rf"m must be a number of at least 0, got {re.escape(repr(m))}\."
    ):
        MinimumError(m=m)


def test_bad_priors_are_refused_when_they_are_given_or_when_the_classes_are_known():
    with pytest.raises(
        ParameterError, match=r"priors must be 'equal', 'root' or a mapping \{class: prior\}, got 'uniform'\."
    ):
        MinimumError(priors="uniform")
    with pytest.raises(
        ParameterError, match="`priors` has no entry for class 'yes'; pass a prior for each class"
    ):
        MinimumError(priors={"no": 1}).prune(build(SCHEMA, two({"no": 6}, {"yes": 4})))
