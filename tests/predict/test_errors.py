"""The error of a tree: wrong answers, or squared distances, by weight; against a loop over the rows."""

import numpy as np
import pytest

from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, golf_example, leaf, number
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import mean_loss

WEIGHTS = [None, np.array([2.0, 0.0, 0.5])]


@pytest.mark.parametrize("weight", WEIGHTS, ids=["plain", "weighted"])
def test_classes(weight):
    tree = golf_example()  # Play below a humidity of 75 on sunny days, else Don't Play
    rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 90.0, 0], [1, 90.0, 0]]), np.array([0, 1, 1]), weight)
    w = np.ones(3) if weight is None else weight
    assert mean_loss(tree, rows, MissingPolicy()) == pytest.approx((w[0] + w[1]) / w.sum())


@pytest.mark.parametrize("weight", WEIGHTS, ids=["plain", "weighted"])
def test_numbers(weight):
    schema = Schema((Column("age", Kind.NUMBER),), Target("price"))
    tree = build(schema, number("age", 3, leaf(20.0), leaf(12.0)))
    rows = Dataset(schema, np.array([[1.0], [5.0], [np.nan]]), np.array([21.0, 10.0, 16.0]), weight)
    w = np.ones(3) if weight is None else weight
    # a row without an age is answered with the mean of both leaves, which hold a row each
    expected = (w[0] * 1.0 + w[1] * 4.0 + w[2] * 0.0) / w.sum()
    assert mean_loss(tree, rows, MissingPolicy("fractional")) == pytest.approx(expected)
