"""Monotone trees against brute force and against scikit-learn."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright
from tests.oracles.monotone import NO_BOUNDS, all_cuts, child_bounds
from tests.oracles.monotone_trees import fingerprints
from treewright import CARTClassifier, CARTRegressor

CRITERIA = ("gini", "entropy", "squared_error", "absolute_error")


def drawn(seed, criterion, *, weighted=True):
    """A table whose target follows the columns loosely, so that many cuts break an order."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(8, 45))
    values = draw.normal(size=(n, 3)).round(1)
    target = values[:, 0] * 0.7 + values[:, 1] * values[:, 2] + draw.normal(size=n) * 0.7
    if criterion in CRITERIA[:2]:
        target = (target > 0).astype(float)
        target[:2] = 0.0, 1.0
    weight = draw.integers(1, 4, n).astype(float) if weighted else np.ones(n)
    return values, target, weight, draw.integers(-1, 2, 3).tolist()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_split_is_the_best_that_keeps_the_order(criterion):
    """At each node the engine has a cut that is allowed and that no allowed one beats; a leaf has none."""
    n_splits = n_barred = n_leaves = 0
    for seed in range(16):
        values, target, weight, senses = drawn(seed, criterion)
        # whole weights are copies of rows; the minimum counts rows
        model = CARTClassifier if criterion in CRITERIA[:2] else CARTRegressor
        fitted = model(criterion=criterion, pruning=None, min_samples_leaf=2, monotonic_cst=senses)
        tree = fitted.fit(values, target, weight).tree_
        waiting = [(0, np.arange(len(values)), NO_BOUNDS)]
        while waiting:
            node, rows, bounds = waiting.pop()
            part = values[rows], target[rows], weight[rows]
            cuts = all_cuts(*part, criterion, senses, bounds, min_leaf=2)
            allowed = [cut for cut in cuts if cut.allowed]
            if not tree.n_children[node]:
                assert not allowed or np.ptp(target[rows]) == 0 or len(rows) < 2, (seed, node)
                n_leaves += bool(cuts)
                continue
            column, threshold = int(tree.column[node]), float(tree.threshold[node])
            low = values[rows, column] <= threshold
            of_column = [cut for cut in allowed if cut.column == column]
            taken = [cut for cut in of_column if ((values[rows, column] <= cut.threshold) == low).all()]
            assert taken, (seed, node, senses, bounds)
            best = max(cut.gain for cut in allowed)
            assert taken[0].gain >= best - 1e-9, (seed, node)
            n_splits += 1
            n_barred += any(cut.gain > best + 1e-9 for cut in cuts)
            below = child_bounds(taken[0], senses[column], bounds)
            first = int(tree.first_child[node])
            waiting += [(first + b, rows[side], below[b]) for b, side in enumerate((low, ~low))]
    # the constraints had something to say, at splits and at leaves
    assert n_splits > 60
    assert n_barred > 10
    assert n_leaves > 10


@pytest.mark.parametrize("criterion", CRITERIA)
def test_same_tree_as_scikit_learn(criterion):
    """With every column constrained both programs have one rule.

    Random weights leave no ties but between columns that part the rows of a node in the same way; the training rows
    then come to the same leaves. Answers are compared, not leaves: scikit-learn splits some nodes of one class, whose
    impurity is 0 but for rounding.
    """
    peer_of = DecisionTreeClassifier if criterion in CRITERIA[:2] else DecisionTreeRegressor
    for seed in range(15):
        draw = np.random.default_rng(seed)
        n = int(draw.integers(20, 150))
        X = draw.normal(size=(n, 3)).astype(np.float32).astype(np.float64)
        y = X[:, 0] * 0.7 + X[:, 1] * X[:, 2] + draw.normal(size=n)
        if criterion in CRITERIA[:2]:
            y = (y > 0).astype(int)
        weight = draw.uniform(0.5, 1.5, n)
        senses = draw.choice([-1, 1], 3).tolist()
        common = {"criterion": criterion, "monotonic_cst": senses, "min_samples_leaf": int(draw.integers(1, 4))}
        kind = CARTClassifier if criterion in CRITERIA[:2] else CARTRegressor
        ours = kind(pruning=None, **common).fit(X, y, weight)
        peer = peer_of(random_state=0, **common).fit(X, y, weight)
        answers = "predict_proba" if criterion in CRITERIA[:2] else "predict"
        np.testing.assert_allclose(getattr(ours, answers)(X), getattr(peer, answers)(X), atol=1e-9, err_msg=seed)


def test_uncompiled_kernels_grow_the_same_trees(tmp_path):
    source = Path(treewright.__file__).parent
    ignore = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__")
    shutil.copytree(source, tmp_path / "treewright", ignore=ignore)
    project = Path(__file__).resolve().parents[2]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(project)])}
    run = [sys.executable, "-m", "tests.oracles.monotone_trees"]
    outcome = subprocess.run(run, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    where, *uncompiled = outcome.stdout.split()
    assert where.startswith(str(tmp_path)), "the copy was not what ran"
    assert uncompiled == fingerprints()
