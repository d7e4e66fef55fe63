"""Folds on several threads: the results in order, few folds at a time, and the tree that one thread leads to."""

import threading

import numpy as np
import pytest

from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.data.folds import map_in_threads
from treewright.fast_paths import fast_path_sizes
from treewright.grow import grower


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_results_are_in_order(n_jobs):
    assert list(map_in_threads(lambda i: i * i, range(20), n_jobs)) == [i * i for i in range(20)]


def test_few_things_are_drawn_before_their_turn():
    drawn = []

    def things():
        for i in range(100):
            drawn.append(i)
            yield i

    results = map_in_threads(lambda i: i, things(), 2)
    next(results)
    assert len(drawn) == 3
    results.close()
    assert len(drawn) == 3


def test_an_error_ends_it():
    done = []

    def task(i):
        done.append(i)
        raise ValueError(f"thing {i}")

    with pytest.raises(ValueError, match="thing 0"):
        list(map_in_threads(task, range(100), 2))
    assert len(done) <= 3
    assert not [one for one in threading.enumerate() if one.name.startswith("treewright")]


@pytest.mark.parametrize(
    "model",
    [
        CARTClassifier(),
        CARTRegressor(),
        CARTClassifier(pruning=["pessimistic", "cost_complexity"]),
        C45Classifier(probability="shrinkage"),
    ],
    ids=["classes", "numbers", "steps", "smoothing"],
)
def test_folds_side_by_side_lead_to_the_same_tree(model, monkeypatch):
    random = np.random.default_rng(5)
    X = random.normal(size=(600, 4)).round(1)
    y = (X[:, 0] + X[:, 1] > random.normal(size=600)).astype(int) + (0.5 if isinstance(model, CARTRegressor) else 0)
    alone = model.fit(X, y).tree_
    at_once = []
    grow_one = grower._grow

    def grow(*args):
        at_once.append((threading.current_thread().name, args[2]))
        return grow_one(*args)

    monkeypatch.setattr(grower, "_grow", grow)
    with fast_path_sizes({"folds side by side": 0}):
        shared = model.set_params(n_jobs=3).fit(X, y).tree_
    assert shared.fingerprint() == alone.fingerprint()
    assert {n_jobs for _, n_jobs in at_once} == {1}
    assert 1 < len({name for name, _ in at_once}) <= 4  # and the thread that grew the tree itself
