"""Entries without sides of cuts and words: the same numbers; cuts from growth's sorted lists, as from sorted values."""

from dataclasses import replace

import numpy as np
import pytest

from tests.ledger.cases import mixed
from treewright import CARTClassifier, CARTRegressor, TreeClassifier
from treewright.grow.candidates import GrowthReplay
from treewright.ledger.entries import entries
from treewright.ledger.node_cuts import find_cuts
from treewright.ledger.node_statistics import node_statistics

MODELS = {
    "gini": CARTClassifier(pruning=None, min_samples_leaf=5),
    "twoing": TreeClassifier(criterion="twoing", grouping="subset", min_samples_leaf=5),
    "entropy": TreeClassifier(criterion="entropy", min_samples_leaf=5),
    "learned": CARTClassifier(pruning=None, missing="learned", min_samples_leaf=5),
    "squared": CARTRegressor(pruning=None, min_samples_leaf=5),
    "absolute": CARTRegressor(criterion="absolute_error", pruning=None, min_samples_leaf=5),
}


def grown(name, holes, weighted):
    """A fitted tree with the rows and the plan it was grown by."""
    table, classes, numbers = mixed(400, seed=5, holes=holes)
    weight = np.random.default_rng(2).integers(1, 4, 400).astype(float) if weighted else None
    model = MODELS[name].fit(table, numbers if name in ("squared", "absolute") else classes, weight)
    return model._kept, model._grown_by[0], model.grown_tree_


@pytest.mark.parametrize(
    ("holes", "weighted"),
    [
        (0.0, False),
        (0.2, True),
        pytest.param(0.0, True, marks=pytest.mark.long),
        pytest.param(0.2, False, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", MODELS)
def test_only_sides_words_and_ties_are_left_out(name, holes, weighted):
    rows, plan, tree = grown(name, holes, weighted)
    nodes = np.flatnonzero(tree.n_children).tolist()
    n_cuts = 0
    whole, brief = (list(entries(rows, plan, tree, nodes, details=details)) for details in (True, False))
    for one, other in zip(whole, brief, strict=True):
        assert [c.words for candidate in other.candidates for c in candidate.cuts if c.words or c.low or c.high] == []
        n_cuts += sum(len(candidate.cuts) for candidate in one.candidates)
        without = [
            replace(
                candidate,
                branches=tuple(replace(branch, words="") for branch in candidate.branches),
                cuts=tuple(replace(cut, low=(), high=(), words="") for cut in candidate.cuts),
                tied_cuts=0,
            )
            for candidate in one.candidates
        ]
        assert replace(one, candidates=tuple(without)) == other
    assert n_cuts > 10


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_cuts_are_the_same_from_the_lists_of_growth(name, weighted):
    rows, plan, tree = grown(name, 0.0, weighted)
    walk, n_compared = GrowthReplay(rows, plan), 0
    for seen in walk.visit(tree, np.flatnonzero(tree.n_children).tolist()):
        here = node_statistics(walk.prepared, seen)
        for one in seen.candidates:
            if one.has_split and not np.isnan(one.threshold):
                values = here.values(one.column)
                order = here.position[walk.by_value(one.column)]
                assert np.all(np.diff(values[order]) >= 0)
                found, sorted_anew = (find_cuts(walk, here, one.column, values, by) for by in (order, None))
                assert found.threshold.tolist() == sorted_anew.threshold.tolist()
                assert found.gain.tolist() == sorted_anew.gain.tolist()
                n_compared += 1
    assert n_compared > 10
