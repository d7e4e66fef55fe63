"""Answering in a file: absent means plain shares, and what is damaged is refused in a sentence that names the field."""

import json

import pytest

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ModelFormatError
from treewright.model.build import build, golf_example, leaf, number
from treewright.model.file.model_file import open_document
from treewright.model.file.stored_tree import read_tree_file, tree_bytes
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule, with_prediction_rule

HOW = PredictionRule("m-estimate", 2.0, (0.25, 0.75), ((0.0, 2.0), (1.0, 0.0)), (1.5, 0.5), 0.5)


def read(told):
    return read_tree_file(open_document(json.dumps(told).encode())[1])


def told_of(how):
    told = json.loads(tree_bytes(with_prediction_rule(golf_example(), how)))
    del told["fingerprint"]
    return told


def test_what_is_absent_or_null_is_plain():
    told = told_of(DEFAULT_RULE)
    assert "answering" not in told["tree"]
    assert read(told).prediction_rule == DEFAULT_RULE
    told["tree"]["answering"] = None
    assert read(told) == golf_example()


def test_what_says_nothing_more_than_shares_is_the_tree_of_before():
    told = told_of(DEFAULT_RULE)
    told["tree"]["answering"] = {"probability": "frequency", "amount": 0, "row_weight": 1}
    assert read(told) == golf_example()


def test_whole_numbers_are_as_good_as_others():
    told = told_of(HOW)
    told["tree"]["answering"]["costs"] = [0, 2, 1, 0]
    assert read(told).prediction_rule == HOW


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        (
            "probability",
            "laplase",
            "must be one of 'frequency', 'laplace', 'm-estimate', 'shrinkage', got 'laplase'",
        ),
        (
            "probability",
            "laplace",
            "Field tree.answering.amount must be 0 when `probability` is 'laplace', got 2.0",
        ),
        ("amount", -1.0, "Field tree.answering.amount must be a number from 0 to 1.8e+308, got -1.0"),
        ("amount", None, "Field tree.answering.amount"),
        ("prior", [0.5, 0.75], "Field tree.answering.prior must sum to 1, got the sum 1.25"),
        ("prior", [1.0], "Field tree.answering.prior"),
        ("costs", [0.0, 2.0, 1.0], "Field tree.answering.costs"),
        ("costs", [1.0, 2.0, 1.0, 0.0], "Field tree.answering.costs is invalid in row 0"),
        (
            "costs",
            [0.0, -2.0, 1.0, 0.0],
            "tree.answering.costs must hold numbers from 0 to 1.8e+308, got -2.0 at index 1",
        ),
        ("factors", [1.5, 0.0], "Field tree.answering.factors"),
        ("row_weight", 0.0, "Field tree.answering.row_weight must be a number above 0, got 0.0"),
        ("row_weight", 5.0, "the probabilities must follow from the class weights by the prediction rule"),
        ("factors", [0.5, 1.5], "Field value of the tree is invalid at node 0"),
        ("smoothing", 3, "Field tree.answering.smoothing"),
    ],
)
def test_what_is_damaged_is_refused_by_name(field, value, why):
    told = told_of(HOW)
    told["tree"]["answering"][field] = value
    with pytest.raises(ModelFormatError) as refused:
        read(told)
    assert why in str(refused.value)
    assert "is damaged: fit and save the model again" in str(refused.value)


PRICES = build(Schema((Column("age", Kind.NUMBER),), Target("price")), number("age", 3, leaf(20.0), leaf(10.0)))


def test_a_tree_of_numbers_has_none_in_version_1():
    told = json.loads(tree_bytes(PRICES))
    assert told["version"] == 1
    assert "answering" not in told["tree"]
    told["tree"]["answering"] = {"probability": "shrinkage", "amount": 0, "row_weight": 1}
    with pytest.raises(ModelFormatError, match=r"Field tree\.answering must be absent in version 1, because the tree"):
        read(told)


def test_a_tree_of_numbers_has_shrinkage_in_version_2():
    tree = with_prediction_rule(PRICES, PredictionRule("shrinkage", 5.0))
    told = json.loads(tree_bytes(tree))
    assert told["version"] == 2
    assert read(told) == tree
    told["tree"]["value"][1] += 1.0
    del told["fingerprint"]
    with pytest.raises(ModelFormatError, match="the prediction must follow from `stats` by the prediction rule"):
        read(told)


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("probability", "laplace", r"answering\.probability must be frequency or shrinkage, because"),
        ("costs", [], r"answering\.costs must be None, because the tree predicts a number"),
        ("prior", [0.5], r"answering\.prior"),
        ("row_weight", 2.0, "the prediction must follow from `stats` by the prediction rule"),
        ("amount", 4.0, "the prediction must follow from `stats` by the prediction rule"),
    ],
)
def test_a_damaged_rule_of_a_tree_of_numbers_is_refused_by_name(field, value, why):
    told = json.loads(tree_bytes(with_prediction_rule(PRICES, PredictionRule("shrinkage", 5.0))))
    del told["fingerprint"]
    told["tree"]["answering"][field] = value
    if field == "probability":
        told["tree"]["answering"]["amount"] = 0.0
    with pytest.raises(ModelFormatError, match=why):
        read(told)
