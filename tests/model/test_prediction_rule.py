"""Answering: numbers worked by hand, a slow twin of shrinkage, decisions by trying every answer."""

import copy
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.model.samples import CLASSES, SPECS, chain, columns_of, every_kind, regression
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, ModelFormatError
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.model.prediction_rule import (
    DEFAULT_RULE,
    PredictionRule,
    choose_classes,
    expected_costs,
    node_probabilities,
    with_prediction_rule,
    without_cost_factors,
)
from treewright.model.rule_faults import PROBABILITIES
from treewright.model.subtree import collapse_nodes, rebuild_tree
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import predict_class_codes, predict_probabilities
from treewright.prune.method import tree_in_original_weights, tree_in_units

COSTS = ((0.0, 1.0, 4.0), (2.0, 0.0, 2.0), (6.0, 3.0, 0.0))
WAYS = [
    DEFAULT_RULE,
    PredictionRule("laplace"),
    PredictionRule("m-estimate", 2.0),
    PredictionRule("m-estimate", 3.5, prior=(0.5, 0.25, 0.25)),
    PredictionRule("shrinkage", 4.0),
    PredictionRule(costs=COSTS),
    PredictionRule(costs=COSTS, factors=(0.5, 0.4, 1.7)),
    PredictionRule("laplace", costs=COSTS, factors=(0.5, 0.4, 1.7)),
    PredictionRule("shrinkage", 1.5, costs=COSTS, factors=(0.5, 0.4, 1.7), row_weight=0.25),
]
"""For three classes."""


def golf(how):
    return with_prediction_rule(golf_example(), how)


# Golf: 5 Don't Play, 9 Play at the root; node 1 sunny 3 and 2; node 3 rain 2 and 3; leaves are pure.
def test_the_default_rule_gives_frequencies():
    assert golf_example().prediction_rule == DEFAULT_RULE == PredictionRule()
    assert golf_example().value[0].tolist() == [5 / 14, 9 / 14]
    assert golf(PredictionRule()) == golf_example()


def test_laplace_by_hand():
    value = golf(PredictionRule("laplace")).value
    assert value[0].tolist() == [6 / 16, 10 / 16]  # (5 + 1) / (14 + 2)
    assert value[1].tolist() == [4 / 7, 3 / 7]
    assert value[4].tolist() == [1 / 4, 3 / 4]  # (0 + 1) / (2 + 2)


def test_the_m_estimate_by_hand():
    value = golf(PredictionRule("m-estimate", 2.0)).value
    # (2 + 2 * 9/14) / (2 + 2), where 9/14 of the days at the root are Play
    assert value[4] == pytest.approx([(2 * 5 / 14) / 4, (2 + 2 * 9 / 14) / 4], rel=1e-15)
    assert value[0] == pytest.approx([5 / 14, 9 / 14], rel=1e-15)
    even = golf(PredictionRule("m-estimate", 2.0, prior=(0.5, 0.5)))
    assert even == replace_rule(
        golf(PredictionRule("laplace")), even.prediction_rule
    )  # m = K with even priors is Laplace


def replace_rule(tree, how):
    return Tree(**columns_of(tree) | {"prediction_rule": how})


def test_shrinkage_by_hand():
    value = golf(PredictionRule("shrinkage", 14.0)).value
    # 9/14 + (2/5 - 9/14) / (1 + 14/14) at sunny, and + (1 - 2/5) / (1 + 14/5) at its leaf 4
    sunny = 9 / 14 + (2 / 5 - 9 / 14) / 2
    assert value[1, 1] == pytest.approx(sunny, rel=1e-15)
    assert value[4, 1] == pytest.approx(sunny + (1 - 2 / 5) / 3.8, rel=1e-15)
    assert value[2, 1] == pytest.approx(9 / 14 + (1 - 9 / 14) / 2, rel=1e-15)


def test_factors_are_undone_before_anything_else():
    # Growth saw Don't Play twice: 10 and 9; the tree answers with 5 and 9 all the same.
    sunny = number("humidity", 75, leaf("Play", 2), leaf("Don't Play", 6))
    rain = table("windy", {False: leaf("Play", 3), True: leaf("Don't Play", 4)})
    doubled = build(
        golf_example().schema, table("outlook", {"sunny": sunny, "overcast": leaf("Play", 4), "rain": rain})
    )
    for how in (
        DEFAULT_RULE,
        PredictionRule("laplace"),
        PredictionRule("m-estimate", 2.0),
        PredictionRule("shrinkage", 3.0),
    ):
        assert with_prediction_rule(doubled, replace(how, factors=(2.0, 1.0))).value == pytest.approx(
            golf(how).value, rel=1e-14
        )
    assert without_cost_factors(PredictionRule(factors=(2.0, 1.0)), doubled.stats[0]).tolist() == [5.0, 9.0]


def test_amounts_are_counted_in_rows():
    heavy = tree_in_units(golf_example(), 1 / 8)  # every row weighs 8
    for how in (PredictionRule("laplace"), PredictionRule("m-estimate", 3.0), PredictionRule("shrinkage", 3.0)):
        found = with_prediction_rule(heavy, replace(how, row_weight=8.0)).value
        assert found == pytest.approx(golf(how).value, rel=1e-14)
        assert not np.allclose(with_prediction_rule(heavy, how).value, golf(how).value)


def shrunk_by_hand(tree, amount):
    """Fractions, from the root to each node, as the formula is printed."""
    found = []
    for i in range(tree.n_nodes):
        way = [node.id for node, _ in tree.node(i).path()] + [i]
        share = [[Fraction(x) / sum(map(Fraction, row)) for x in row] for row in tree.stats[way].tolist() if any(row)]
        total = list(share[0])
        for above, here, node in zip(share, share[1:], way, strict=False):
            kept = 1 + Fraction(amount) / Fraction(float(tree.weight[node]))
            total = [t + (h - a) / kept for t, h, a in zip(total, here, above, strict=True)]
        found.append([float(t) for t in total])
    return np.array(found)


@settings(max_examples=40)
@given(spec=SPECS, amount=st.sampled_from([0.25, 1.0, 10.0, 300.0]))
def test_shrinkage_is_that_of_a_slow_twin(spec, amount):
    tree = build(CLASSES, spec)
    assert with_prediction_rule(tree, PredictionRule("shrinkage", amount)).value == pytest.approx(
        shrunk_by_hand(tree, amount), rel=1e-12, abs=1e-15
    )


@settings(max_examples=40)
@given(spec=SPECS, how=st.sampled_from(WAYS))
def test_probabilities_sum_to_one_and_pass_the_validator(spec, how):
    tree = with_prediction_rule(build(CLASSES, spec), how)
    assert (tree.value >= 0).all()
    assert tree.value.sum(axis=1) == pytest.approx(np.ones(tree.n_nodes), abs=1e-12)
    assert Tree(**columns_of(tree)) == tree
    if how.probability == "laplace":
        assert (tree.value > 0).all()


@settings(max_examples=25)
@given(spec=SPECS)
def test_the_ends_of_lambda_are_the_shares_here_and_at_the_root(spec):
    tree = build(CLASSES, spec)
    assert np.array_equal(with_prediction_rule(tree, PredictionRule("shrinkage", 0.0)).value, tree.value)
    far = with_prediction_rule(tree, PredictionRule("shrinkage", 1e15)).value
    assert far == pytest.approx(np.tile(tree.value[0], (tree.n_nodes, 1)), abs=1e-9)
    assert np.array_equal(with_prediction_rule(tree, PredictionRule("m-estimate", 0.0)).value, tree.value)


def test_an_empty_leaf_answers_as_its_parent():
    for how in WAYS:
        value = with_prediction_rule(every_kind(), how).value
        assert value[7].tolist() == value[2].tolist(), how


def test_a_chain_of_empty_nodes_answers_as_the_first_that_is_not():
    inner = number("price", 3, leaf(), number("price", 5, leaf(), leaf()))
    tree = build(CLASSES, number("price", 9.5, inner, leaf({"yes": 3, "no": 1})))
    for how in WAYS:
        value = with_prediction_rule(tree, how).value
        assert all(one.tolist() == value[0].tolist() for one, w in zip(value, tree.weight, strict=True) if w == 0)


def test_a_deep_tree_is_answered_without_recursion():
    tree = with_prediction_rule(chain(3000), PredictionRule("shrinkage", 5.0))
    assert tree.value.sum(axis=1) == pytest.approx(np.ones(tree.n_nodes))


@settings(max_examples=60)
@given(
    counts=st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any),
    costs=st.lists(st.integers(1, 9), min_size=6, max_size=6),
)
def test_the_decision_is_the_first_of_the_cheapest(counts, costs):
    given = iter(costs)
    matrix = tuple(tuple(0 if i == j else next(given) for j in range(3)) for i in range(3))
    tried = [sum(Fraction(n, sum(counts)) * matrix[k][j] for k, n in enumerate(counts)) for j in range(3)]
    one_leaf = build(CLASSES, leaf(dict(zip(("no", "perhaps", "yes"), counts, strict=True))))
    tree = with_prediction_rule(one_leaf, PredictionRule(costs=matrix))
    assert choose_classes(tree.prediction_rule, tree.value[0]) == tree.predicted_class[0] == tried.index(min(tried))
    assert expected_costs(tree.prediction_rule, tree.value)[0] == pytest.approx(list(map(float, tried)), rel=1e-12)
    # in the weights of growth, multiplied by what a wrong answer costs, the same answer is the cheapest
    whole = [sum(row) for row in matrix]
    altered = [n * w for n, w in zip(counts, whole, strict=True)]
    relative = [sum(Fraction(a * matrix[k][j], whole[k]) for k, a in enumerate(altered)) for j in range(3)]
    assert relative.index(min(relative)) == tree.predicted_class[0]


def test_two_classes_with_costs_are_a_threshold():
    how = PredictionRule(costs=((0.0, 1.0), (4.0, 0.0)))  # a missed Play costs 4
    assert golf(how).node(1).majority == "Play"  # 2 of 5: 2 * 4 > 3 * 1
    assert golf_example().node(1).majority == "Don't Play"
    assert golf(how).node(1).error == 3.0
    assert choose_classes(how, np.array([0.8, 0.2])) == 0  # both cost 0.8: the first


def test_means_tie_by_their_rounding_and_nodes_do_not():
    near = np.array([0.5 - 1e-14, 0.5 + 1e-14])
    assert choose_classes(DEFAULT_RULE, near) == 1
    assert choose_classes(DEFAULT_RULE, near, 1e-12) == 0
    assert choose_classes(PredictionRule("shrinkage", 1.0), near) == 0
    assert choose_classes(DEFAULT_RULE, np.array([near, near[::-1]])).tolist() == [1, 0]


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_rows_are_answered_by_it(how):
    tree = with_prediction_rule(every_kind(), how)
    rows = np.array([[5.0, 0, 0, 0], [5.0, 3, 0, 0], [20.0, 0, 1, 0], [20.0, 0, 4, 0], [np.nan, 3, 1, 0]])
    found, codes = (
        predict_probabilities(tree, rows, MissingPolicy("fractional")),
        predict_class_codes(tree, rows, MissingPolicy("fractional")),
    )
    assert found[:4].tolist() == tree.value[[3, 4, 6, 7]].tolist()
    mean = 6 / 12.5 * tree.value[4] + 6.5 / 12.5 * tree.value[6]
    assert found[4] == pytest.approx(mean, rel=1e-12)
    costs = 1 - np.eye(3) if how.costs is None else np.array(how.costs)
    assert codes.tolist() == np.argmin((found @ costs).round(12), axis=1).tolist()


@pytest.mark.parametrize("how", WAYS, ids=str)
def test_it_is_kept_by_copies_pickles_files_and_cuts(how, tmp_path):
    tree = with_prediction_rule(every_kind(), how)
    assert copy.deepcopy(tree) is tree
    assert pickle.loads(pickle.dumps(tree)).prediction_rule == how
    tree.save(tmp_path / "tree.json")
    again = Tree.load(tmp_path / "tree.json")
    assert again == tree
    assert again.prediction_rule == how
    assert np.array_equal(again.value, tree.value)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "tree.json").read_bytes()
    smaller = collapse_nodes(tree, np.arange(8) == 1)
    assert smaller.tree.prediction_rule == how
    assert np.array_equal(smaller.tree.value, tree.value[smaller.origin])
    back = tree_in_original_weights(tree_in_units(tree, 0.5), tree, np.arange(8), 0.5)
    assert back.prediction_rule == how
    Tree(**columns_of(tree_in_units(tree, 0.5)))
    assert with_prediction_rule(tree, DEFAULT_RULE) == every_kind()
    assert (tree == every_kind()) == (how == DEFAULT_RULE)


def test_a_tree_without_it_has_the_file_and_the_fingerprint_of_before(tmp_path):
    every_kind().save(tmp_path / "tree.json")
    assert "answering" not in (tmp_path / "tree.json").read_text("utf-8")
    assert golf_example().fingerprint()[:16] == "bdd10cd7915e29d7"


def test_a_raised_branch_is_answered_anew():
    tree = with_prediction_rule(golf_example(), PredictionRule("shrinkage", 5.0))
    # Node 0 asks what node 3 asked: its leaves hang below the root now.
    raised = rebuild_tree(tree, np.array([3, -1, -1, -1, -1, -1, -1, -1])).tree
    made = node_probabilities(tree.prediction_rule, raised.stats, raised.weight, raised.parent)
    assert np.array_equal(raised.value, made)
    assert raised.value[1, 1] == pytest.approx(9 / 14 + (1 - 9 / 14) / (1 + 5 / 14))


def test_a_stored_state_of_before_is_read():
    state = every_kind().__getstate__()
    del state["prediction_rule"]
    tree = object.__new__(Tree)
    tree.__setstate__(state)
    assert tree == every_kind()


FAULTS = [
    ("probability", {"probability": "laplase"}),
    ("probability", {"probability": None}),
    ("amount", {"amount": 1.0}),
    ("amount", {"probability": "laplace", "amount": 2.0}),
    ("amount", {"probability": "m-estimate", "amount": -1.0}),
    ("amount", {"probability": "shrinkage", "amount": np.inf}),
    ("amount", {"probability": "shrinkage", "amount": "much"}),
    ("prior", {"prior": (0.5, 0.5)}),
    ("prior", {"probability": "m-estimate", "prior": (0.5, 0.6)}),
    ("prior", {"probability": "m-estimate", "prior": (1.5, -0.5)}),
    ("factors", {"factors": (1.0, 0.0)}),
    ("factors", {"factors": (1.0, np.nan)}),
    ("factors", {"factors": [1.0, 1.0]}),
    ("costs", {"costs": ((0.0, 1.0),)}),
    ("costs", {"costs": ((0.0, -1.0), (1.0, 0.0))}),
    ("costs", {"costs": ((0.0, 1.0), (1.0, 0.5))}),
    ("costs", {"costs": ((0.0, 1.0), None)}),
    ("costs", {"costs": 3}),
    ("row_weight", {"row_weight": 0.0}),
    ("row_weight", {"row_weight": True}),
]


@pytest.mark.parametrize(("name", "given"), FAULTS, ids=str)
def test_what_cannot_be_is_refused_by_name(name, given):
    with pytest.raises(InputError, match=f"^`{name}` (must|is invalid)"):
        PredictionRule(**given)


@pytest.mark.parametrize(("name", "given"), FAULTS, ids=str)
def test_the_validator_finds_it_too(name, given):
    spoiled = PredictionRule()
    for field, value in given.items():
        object.__setattr__(spoiled, field, value)
    with pytest.raises(ModelFormatError, match=f"Field prediction_rule.{name} of the tree"):
        Tree(**columns_of(golf_example()) | {"prediction_rule": spoiled})


@pytest.mark.parametrize("how", WAYS[1:], ids=str)
def test_values_that_do_not_follow_are_refused(how):
    given = columns_of(with_prediction_rule(every_kind(), how))
    given["value"][4] = given["value"][4][::-1] * 0.5 + 1 / 6
    said = r"Field value of the tree is invalid at node 4: the probabilities must follow"
    with pytest.raises(ModelFormatError, match=said):
        Tree(**given)


def test_classes_have_to_be_as_many():
    for how in (PredictionRule(factors=(1.0, 2.0)), PredictionRule(costs=((0.0, 1.0), (1.0, 0.0)))):
        with pytest.raises(InputError, match=r"must have 3 (numbers|rows), one for each class"):
            with_prediction_rule(every_kind(), how)
    with pytest.raises(InputError, match="must be frequency or shrinkage, because the tree predicts a number"):
        with_prediction_rule(regression(), PredictionRule("laplace"))
    with pytest.raises(ModelFormatError, match=r"Field prediction_rule\.costs of the tree must be None, because"):
        Tree(**columns_of(regression()) | {"prediction_rule": PredictionRule(costs=((0.0, 1.0), (1.0, 0.0)))})
    with pytest.raises(ModelFormatError, match="the prediction must follow from `stats` by the prediction rule"):
        Tree(**columns_of(regression()) | {"prediction_rule": PredictionRule("shrinkage", 5.0)})
    with pytest.raises(ModelFormatError, match="Field prediction_rule of the tree must be a PredictionRule, got None"):
        Tree(**columns_of(regression()) | {"prediction_rule": None})


def test_numbers_of_any_kind_are_one_rule():
    one = PredictionRule("m-estimate", np.float64(2), (np.float32(0.5), 0.5), ((0, 1), (np.int64(3), 0)), (1, 2))
    assert repr(one) == repr(PredictionRule("m-estimate", 2.0, (0.5, 0.5), ((0.0, 1.0), (3.0, 0.0)), (1.0, 2.0)))


def test_weights_near_the_largest_number_are_answered():
    schema = Schema((Column("x", Kind.NUMBER),), Target("y", ("a", "b")))
    columns = columns_of(build(schema, number("x", 0, leaf({"a": 4, "b": 4}), leaf({"a": 8}))))
    tree = Tree(**columns | {name: columns[name] * 1e307 for name in ("weight", "stats")})
    for name in PROBABILITIES:
        how = PredictionRule(name, 2.0 if name in ("m-estimate", "shrinkage") else 0.0, factors=(0.1, 0.2))
        value = with_prediction_rule(tree, how).value
        assert value[1] == pytest.approx([2 / 3, 1 / 3]), name
