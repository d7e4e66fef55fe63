"""Shrunken probabilities of some pairs of a node and a class: to the last bit those of all nodes."""

from dataclasses import replace

import numpy as np
import pytest

from treewright import CARTClassifier, TreeClassifier
from treewright._core.predict import shrinkage as uncompiled
from treewright.model import prediction_rule
from treewright.model.prediction_rule import PredictionRule, node_probabilities, shrunk_probabilities

AMOUNTS = [0.0, 0.5, 7.0, 200.0]


def noisy(seed):
    """A deep tree of three classes; some of its nodes are empty."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(0, 9, (300, 2)), rng.normal(size=300).round(1)])
    model = TreeClassifier(grouping="each", categorical_features=[0, 1]).fit(X, rng.integers(0, 3, 300))
    return model.tree_


def chain(n):
    """A tree as deep as it has inner nodes: each row that counts more than all below it is cut off first."""
    X, weight = np.arange(float(n))[:, None], 4.0 ** np.arange(n)
    return CARTClassifier(pruning=None, min_samples_leaf=1).fit(X, np.arange(n) % 2, weight).tree_


def each_node(tree, how):
    return [node_probabilities(replace(how, amount=a), tree.stats, tree.weight, tree.parent).ravel() for a in AMOUNTS]


@pytest.mark.parametrize("factors", [None, (0.5, 2.0, 1.25)])
@pytest.mark.parametrize("kernel", ["compiled", "uncompiled"])
@pytest.mark.parametrize("seed", range(3))
def test_pairs_are_those_of_all_nodes(seed, kernel, factors, monkeypatch):
    if kernel == "uncompiled":
        monkeypatch.setattr(prediction_rule, "shrink_along_paths", uncompiled.shrink_along_paths)
    tree, how = noisy(seed), PredictionRule("shrinkage", row_weight=0.3, factors=factors)
    assert not tree.weight.all()
    pairs = np.flatnonzero(np.random.default_rng(seed).random(tree.stats.size) < 0.2)
    for found, every in zip(shrunk_probabilities(tree, pairs, how, AMOUNTS), each_node(tree, how), strict=True):
        assert found.tolist() == every[pairs].tolist()


def test_long_chains_too():
    tree, how = chain(40), PredictionRule("shrinkage")
    assert tree.depth == 39
    pairs = np.arange(tree.stats.size)
    for found, every in zip(shrunk_probabilities(tree, pairs, how, AMOUNTS), each_node(tree, how), strict=True):
        assert found.tolist() == every.tolist()
