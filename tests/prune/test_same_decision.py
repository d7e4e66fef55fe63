"""Leaves with the same answer become one, and no answer changes."""

import numpy as np
import pytest
from hypothesis import given

from tests.contracts.pruning import built_case
from tests.model.samples import CLASSES, NUMBERS, ROWS, SPECS, chain, encode, every_kind
from tests.prune.left_over import with_rows_staying
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_numbers
from treewright.prune.same_decision import SameDecision


def pruned(spec, schema=CLASSES):
    return SameDecision().prune(build(schema, spec))


def test_siblings_with_one_answer_become_a_leaf():
    low = number("price", 1, leaf({"no": 5}), leaf({"no": 2, "yes": 1}))
    found = pruned(number("price", 5, low, leaf({"yes": 4})))
    assert found.tree.to_text() == "price <= 5: no (8/1)\nprice > 5: yes (4)"
    assert found.tree.stats[1].tolist() == [7, 0, 1]
    assert [(d.node, d.leaf, d.subtree, d.verdict) for d in found.report] == [(1, 0, 0, "pruned"), (0, 1, 0, "kept")]


def test_it_goes_on_upwards():
    high = number("price", 9, leaf({"no": 2}), leaf({"no": 1}))
    found = pruned(number("price", 5, leaf({"no": 3, "yes": 2}), high))
    assert found.tree.to_text() == build(CLASSES, leaf({"no": 6, "yes": 2})).to_text()


def test_all_branches_of_a_split_have_to_agree():
    three = {"red": leaf({"no": 5}), "green": leaf({"no": 3}), "blue": leaf({"yes": 1})}
    found = pruned(table("colour", three))
    assert found.tree.n_leaves == 3
    assert found.report.of(0).words == "Node 0 (root): 1 other prediction among the leaves below, 0 allowed: kept."


def test_cousins_with_one_answer_do_not_meet():
    low = number("price", 1, leaf({"no": 5}), leaf({"yes": 2}))
    high = number("price", 9, leaf({"no": 5}), leaf({"yes": 2}))
    found = pruned(number("price", 5, low, high))
    assert found.tree.n_leaves == 4
    assert found.report.of(0).leaf == 2


def test_an_empty_branch_answers_as_its_parent():
    found = pruned(number("price", 5, leaf({"no": 3, "yes": 1}), leaf()))
    assert found.tree.n_nodes == 1
    # Golf has no leaves that agree; of every_kind the empty branch agrees with one sibling of two.
    assert SameDecision().prune(golf_example()).tree == golf_example()
    assert SameDecision().prune(every_kind()).tree == every_kind()


def test_ties_are_answered_by_the_first_class_everywhere():
    found = pruned(number("price", 5, leaf({"no": 2, "yes": 2}), leaf({"no": 1, "perhaps": 1})))
    assert found.tree.n_nodes == 1
    found = pruned(number("price", 5, leaf({"no": 2, "yes": 2}), leaf({"yes": 1, "perhaps": 1})))
    assert found.tree.n_nodes == 3


@given(SPECS, ROWS)
def test_no_answer_changes(spec, rows):
    tree, values = build(CLASSES, spec), encode(rows)
    smaller = SameDecision().prune(tree).tree
    assert predict_class_codes(smaller, values).tolist() == predict_class_codes(tree, values).tolist()
    # Nor do those that stop on the way.
    stop = MissingPolicy("stop", "stop")
    values[::2, 2] = np.nan
    assert predict_class_codes(smaller, values, stop).tolist() == predict_class_codes(tree, values, stop).tolist()


@given(SPECS)
def test_nothing_is_left_to_join(spec):
    smaller = SameDecision().prune(build(CLASSES, spec)).tree
    for node in smaller.walk():
        below = node.children
        if below and all(child.is_leaf for child in below):
            assert len({child.majority for child in below}) > 1
    assert SameDecision().prune(smaller).tree == smaller


@pytest.mark.parametrize("seed", range(80))
def test_no_number_changes(seed):
    case = built_case(seed, regression=True)
    smaller = SameDecision().prune(case.tree).tree
    values = case.validation.values
    assert predict_numbers(smaller, values).tolist() == predict_numbers(case.tree, values).tolist()


def test_regression():
    same = number("price", 5, leaf(2.5, 3, 1.5), leaf(2.5, 1))
    found = pruned(number("price", 9, same, leaf(4.0)), NUMBERS)
    assert found.tree.to_text() == "price <= 9: mean 2.5, n 4, sd 0.6124\nprice > 9: mean 4, n 1, sd 0"
    # The mean of 2.5, 2.5, 2.5, 2.5 and 4 is 2.8.
    root = found.report.of(0)
    assert root.leaf == pytest.approx(1.2, rel=1e-14)
    assert root.words == "Node 0 (root): 1.2 apart from the furthest prediction below, 0 allowed: kept."
    # Branches at the same distance on both sides of their mean are not the same.
    assert pruned(number("price", 5, leaf(1.0), leaf(3.0)), NUMBERS).tree.n_leaves == 2


def test_rows_that_stay_keep_their_answer():
    # Both branches say no, but with 9 yes that stayed the node says yes, to rows that stop there.
    tree = build(CLASSES, number("price", 5, leaf({"no": 3}), leaf({"no": 2})))
    told = with_rows_staying(tree, 0, [0, 0, 9])
    found = SameDecision().prune(told)
    assert found.tree == told
    assert found.report.of(0).leaf == 2
    assert SameDecision().prune(with_rows_staying(tree, 0, [0, 0, 4])).tree.n_nodes == 1


def test_a_leaf_alone_and_a_chain_of_many_nodes():
    assert pruned(leaf({"no": 3})).tree.n_nodes == 1
    # Every leaf of the chain says no but the last: nothing can be joined, and without the last all of it.
    assert SameDecision().prune(chain(3000)).tree.n_leaves == 3001
    spec = leaf("no")
    for i in range(3000):
        spec = number("price", 3000 - i, leaf("no"), spec)
    assert pruned(spec).tree.n_nodes == 1
