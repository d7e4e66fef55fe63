"""Where ways end when values are missing or unseen: as the plain twin says, for every rule and every growth."""

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.model.missing_trees import HOLED, NAN, UNSEEN, grown_trees, in_numbers, own_branches, prostate
from tests.model.samples import CLASSES, COLOURS, chain, every_kind
from tests.predict.plain_routing import Lacking, answer, heaviest_end, way
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.model.build import build, leaf, number, surrogate, table
from treewright.model.tree import Tree
from treewright.predict import routing as room
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import (
    decision_paths,
    find_leaves,
    predict_class_codes,
    predict_numbers,
    predict_probabilities,
)

UNSEENS = st.sampled_from(["majority", "stop"])


def rules_of(tree: Tree) -> st.SearchStrategy[str]:
    own = () if tree.missing in ("stop", "error") else (tree.missing,)
    return st.sampled_from(sorted({"fractional", "majority", "stop", *own}))


@given(st.data(), grown_trees(), HOLED, UNSEENS)
def test_every_row_ends_where_the_plain_twin_says(data, tree, values, unseen):
    check_ways(tree, values, data.draw(rules_of(tree)), unseen)


@pytest.mark.parametrize("missing", ["surrogate", "learned", "branch"])
@given(data=st.data(), values=HOLED, unseen=UNSEENS)
def test_a_tree_asked_as_it_was_grown_goes_where_the_plain_twin_says(missing, data, values, unseen):
    check_ways(data.draw(grown_trees((missing,))), values, missing, unseen)


@given(grown_trees(("surrogate",)), HOLED, UNSEENS)
def test_surrogates_are_asked_by_their_own_rule_only(tree, values, unseen):
    for missing in ("fractional", "majority", "stop"):
        check_ways(tree, values, missing, unseen)


def check_ways(tree: Tree, values: np.ndarray, missing: str, unseen: str) -> None:
    rule = MissingPolicy(missing, unseen)
    ways = [way(tree, row.tolist(), missing, unseen) for row in values]
    assert find_leaves(tree, values, rule).tolist() == [heaviest_end(ended) for _, ended in ways]
    found = decision_paths(tree, values, rule)
    assert found.shape == (len(values), tree.n_nodes)
    assert found.dtype == np.float64
    assert found.has_sorted_indices
    for i, (met, _) in enumerate(ways):
        own = slice(found.indptr[i], found.indptr[i + 1])
        assert found.indices[own].tolist() == sorted(met)
        expected = [float(met[node]) for node in sorted(met)]
        np.testing.assert_allclose(found.data[own], expected, rtol=1e-14, atol=0)


@given(st.data(), grown_trees(), HOLED, UNSEENS)
def test_answers_are_those_of_the_plain_twin(data, tree, values, unseen):
    missing = data.draw(rules_of(tree))
    rule = MissingPolicy(missing, unseen)
    ended = [way(tree, row.tolist(), missing, unseen)[1] for row in values]
    expected = [answer(tree, one) for one in ended]
    found = predict_probabilities(tree, values, rule)
    np.testing.assert_allclose(found, np.array(expected, dtype=float), rtol=0, atol=1e-14)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=0, atol=1e-14)
    assert predict_class_codes(tree, values, rule).tolist() == [one.index(max(one)) for one in expected]
    in_days = in_numbers(tree, seed=len(values))
    means = [float(sum(float(w) * in_days.value[node, 0] for node, w in one.items())) for one in ended]
    np.testing.assert_allclose(predict_numbers(in_days, values, rule), means, rtol=0, atol=1e-13)


@given(grown_trees(("error", "fractional")), HOLED, UNSEENS)
def test_the_first_row_that_lacks_a_value_is_named(tree, values, unseen):
    lacking = None
    for i, row in enumerate(values):
        try:
            way(tree, row.tolist(), "error", unseen)
        except Lacking as found:
            lacking = (i, tree.schema.columns[tree.column[found.node]].name)
            break
    rule = MissingPolicy("error", unseen)
    if lacking is None:
        expected = [heaviest_end(way(tree, row.tolist(), "error", unseen)[1]) for row in values]
        assert find_leaves(tree, values, rule).tolist() == expected
        return
    for ask in (find_leaves, decision_paths, predict_probabilities, predict_class_codes):
        with pytest.raises(InputError, match=f"'{lacking[1]}' is missing .* in row {lacking[0]}, .* fill in the value"):
            ask(tree, values, rule)


@given(st.data(), grown_trees(), HOLED, UNSEENS)
def test_any_layout_and_any_chunk_gives_the_same(data, tree, values, unseen):
    missing = data.draw(rules_of(tree))
    rule = MissingPolicy(missing, unseen)
    many = np.tile(values, (7, 1))
    expected = predict_probabilities(tree, many, rule), find_leaves(tree, many, rule), decision_paths(tree, many, rule)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "MAX_STEPS", 5)
        patch.setattr(room, "MAX_VISITS", 3)
        for form in (np.asfortranarray, lambda v: np.repeat(v, 2, axis=1)[:, ::2], lambda v: v[::-1].copy()[::-1]):
            assert np.array_equal(predict_probabilities(tree, form(many), rule), expected[0])
            assert np.array_equal(find_leaves(tree, form(many), rule), expected[1])
            found = decision_paths(tree, form(many), rule)
            assert np.array_equal(found.indptr, expected[2].indptr)
            assert np.array_equal(found.indices, expected[2].indices)
            assert np.array_equal(found.data, expected[2].data)


@given(grown_trees())
def test_a_row_without_any_value_is_answered_as_the_root(tree):
    """Branches of the trees written down hold all of the root's rows, so the shares add up to the root's."""
    nothing = np.full((1, 4), NAN)
    assert np.array_equal(predict_probabilities(tree, nothing, MissingPolicy("stop")), tree.value[:1])
    assert find_leaves(tree, nothing, MissingPolicy("stop")).tolist() == [0]
    np.testing.assert_allclose(
        predict_probabilities(tree, nothing, MissingPolicy("fractional")), tree.value[:1], rtol=0, atol=1e-12
    )


def test_surrogates_are_asked_in_turn():
    tree, rule = prostate(), MissingPolicy()
    assert tree.missing == "surrogate"
    rows = [
        [9.0, NAN, 1, NAN],  # the split itself knows
        [NAN, 0, 0, 0],  # colour: red is 0
        [NAN, 0, 1, 1],  # colour: green is 1
        [NAN, 1, 3, 1],  # colour does not list white; size M is low, and low stands for 1
        [NAN, 2, 3, 0],  # size L is high
        [NAN, NAN, UNSEEN, 1],  # new: True is 0
        [NAN, UNSEEN, 4, 1],
        [NAN, NAN, NAN, NAN],  # the heavier branch
        [NAN, NAN, 3, UNSEEN],
    ]
    assert find_leaves(tree, np.array(rows), rule).tolist() == [1, 1, 2, 2, 1, 1, 1, 2, 2]


def test_a_surrogate_looks_in_its_own_table_only():
    every = {(c,): int(c != "red") for c in COLOURS}
    below = number("price", 2, leaf("no", 5), leaf("yes"), surrogates=[surrogate("colour", every)])
    two = surrogate("colour", {"red": 0, "green": 1})
    tree = build(CLASSES, number("price", 1, leaf("no", 9), below, surrogates=[two]))
    # Only the second table lists blue, white and black: at the root they take the heavier branch.
    values = np.array([[NAN, 0, code, 0] for code in range(5)])
    assert find_leaves(tree, values).tolist() == [1, 4, 1, 1, 1]


def test_a_tree_grown_with_surrogates_on_a_complete_table_has_none_and_takes_the_missing_branch():
    tree = build(CLASSES, number("price", 1, leaf("no"), leaf("yes"), missing=1), missing="surrogate")
    assert tree.surrogates is None
    assert find_leaves(tree, np.array([[NAN, 0, 0, 0]])).tolist() == [2]


def test_missing_values_take_their_own_branch():
    tree = own_branches()
    rows = [[9, NAN, 0, 0], [10, 0, NAN, 0], [NAN, 0, 0, NAN], [NAN, 0, 0, 1], [10, 0, 3, 0], [9, 3, NAN, NAN]]
    assert find_leaves(tree, np.array(rows, float), MissingPolicy()).tolist() == [6, 9, 11, 10, 7, 5]


def test_unseen_takes_the_heaviest_branch_whatever_missing_does():
    colours = table("colour", {"red": leaf("no", 2), "green": leaf("yes", 5), "blue": leaf("no", 5)}, missing=0)
    tree = build(CLASSES, colours, missing="learned")
    row = np.array([[0, 0, UNSEEN, 0]])
    for missing in ("learned", "fractional", "stop", "error", "majority"):
        assert find_leaves(tree, row, MissingPolicy(missing)).tolist() == [2]
        assert find_leaves(tree, row, MissingPolicy(missing, "stop")).tolist() == [0]
    assert find_leaves(tree, np.array([[0, 0, NAN, 0]])).tolist() == [1]


def test_empty_branches_get_no_share():
    tree = build(CLASSES, table("colour", {"red": leaf("no", 3), "green": leaf("yes", 1)}, other=leaf()))
    found = decision_paths(tree, np.array([[0, 0, NAN, 0]]), MissingPolicy("fractional"))
    assert found.indices.tolist() == [0, 1, 2]
    assert found.data.tolist() == [1.0, 0.75, 0.25]


def test_below_an_empty_node_all_goes_down_the_missing_branch():
    below = number("price", 1, leaf(), leaf(), missing=1)
    tree = build(CLASSES, table("colour", {"red": leaf("no"), "green": leaf("yes")}, other=below))
    found = decision_paths(tree, np.array([[NAN, 0, 4, 0]]), MissingPolicy("fractional"))
    assert found.indices.tolist() == [0, 3, 5]
    assert found.data.tolist() == [1, 1, 1]


def test_the_largest_weights_there_are_are_shared():
    """The sum of these weights is beyond float64; the check would refuse the tree, routing alone has to bear it."""
    tree = build(CLASSES, table("colour", {"red": leaf("no"), "green": leaf("yes"), "blue": leaf("yes")}))
    weight = np.array([1.6e308, 8e307, 8e307, 8e307])
    state = tree.__getstate__() | {"weight": weight, "stats": tree.value * weight[:, None]}
    found = predict_probabilities(Tree.unchecked(**state), np.array([[0, 0, NAN, 0]]), MissingPolicy("fractional"))
    np.testing.assert_allclose(found, [[1 / 3, 0, 2 / 3]], rtol=1e-15)


def test_shares_that_tie_but_for_their_rounding_go_to_the_first_class():
    schema = Schema((Column("x", Kind.NUMBER),), Target("t", ("a", "b")))
    nothing, rounded_up = np.array([[NAN]]), 0
    for weights, classes in product(product((1, 2, 4), repeat=4), product("ab", repeat=4)):
        if sum(w if c == "a" else -w for w, c in zip(weights, classes, strict=True)) != 0:
            continue
        spec = leaf(classes[0], weights[0])
        for label, weight in zip(classes[1:], weights[1:], strict=True):
            spec = number("x", 0, leaf(label, weight), spec)
        tree = build(schema, spec)
        first, second = predict_probabilities(tree, nothing, MissingPolicy("fractional"))[0]
        rounded_up += second > first
        assert predict_class_codes(tree, nothing, MissingPolicy("fractional")).tolist() == [0]
    assert rounded_up, "no sum was rounded, so nothing was tested"


def test_a_chain_100_000_deep_needs_no_recursion():
    n = 100_000
    tree = chain(n)
    nothing = np.full((2, 4), NAN)
    start = time.process_time()
    found = decision_paths(tree, nothing, MissingPolicy("fractional"))
    assert found.nnz == 2 * tree.n_nodes
    ends = found[0, tree.is_leaf.nonzero()[0]]
    # Every leaf holds one of n + 1 rows.
    np.testing.assert_allclose(ends.data, 1 / (n + 1), rtol=1e-10)
    assert abs(ends.sum() - 1) < 1e-12
    np.testing.assert_allclose(
        predict_probabilities(tree, nothing, MissingPolicy("fractional"))[0],
        tree.value[0],
        rtol=0,
        atol=1e-12,
    )
    assert find_leaves(tree, nothing, MissingPolicy("fractional")).tolist() == [1, 1]
    assert find_leaves(tree, nothing, MissingPolicy("majority")).tolist() == [tree.n_nodes - 2] * 2
    assert find_leaves(tree, nothing, MissingPolicy("stop")).tolist() == [0, 0]
    assert time.process_time() - start < 5


def test_a_chain_of_surrogates_100_000_deep():
    spec = leaf("yes")
    for i in range(100_000 - 1, -1, -1):
        spec = number("price", i, leaf("no"), spec, surrogates=[surrogate("new", {False: 0, True: 1})])
    tree = build(CLASSES, spec)
    values = np.array([[NAN, 0, 0, 1], [NAN, 0, 0, 0], [4, 0, 0, 0], [NAN, 0, 0, NAN]])
    assert find_leaves(tree, values).tolist() == [tree.n_nodes - 1, 1, 9, tree.n_nodes - 2]


def test_many_rows_with_holes_come_through_in_chunks():
    tree, rng = every_kind(), np.random.default_rng(0)
    values = np.column_stack([rng.choice([9.0, 10.0, NAN], 50_000), *rng.choice([0, 1, NAN], (3, 50_000))])
    found = predict_probabilities(tree, values, MissingPolicy("fractional"))
    kinds, which = np.unique(np.nan_to_num(values, nan=-9), axis=0, return_inverse=True)
    kinds[kinds == -9] = NAN
    exact = [answer(tree, way(tree, row.tolist(), "fractional", "stop")[1]) for row in kinds]
    np.testing.assert_allclose(found, np.array(exact, float)[which], rtol=0, atol=1e-15)
