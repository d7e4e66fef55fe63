"""The ledger of a monotone tree: it tells of the cuts that growth could take, and says how many were left out."""

import numpy as np
import pytest

from tests.oracles.monotone import NO_BOUNDS, all_cuts, child_bounds
from tests.oracles.monotone_trees import MISSING, PLANS, trees
from treewright import CARTClassifier, CARTRegressor
from treewright.ledger.entries import entries
from treewright.ledger.node_cuts import prefix_medians
from treewright.ledger.record import CHOSEN, REJECTED


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6))])
@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("name", PLANS)
def test_the_best_cut_that_is_told_is_that_of_the_tree(name, missing, seed):
    for dataset, plan, tree in trees(name, missing, [seed]):
        for entry in entries(dataset, plan, tree, range(tree.n_nodes)):
            for one in entry.candidates:
                if one.cuts and one.verdict != REJECTED:
                    assert one.cuts[0].threshold == one.threshold
            if entry.leaf is None:
                assert entry.candidates[entry.chosen].verdict == CHOSEN
                assert entry.chosen == tree.column[entry.node]


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "absolute_error"])
def test_reasons_count_the_cuts_that_brute_force_bars(criterion):
    n_told = 0
    for seed in range(5):
        draw = np.random.default_rng(seed)
        values = draw.normal(size=(25, 2)).round(1)
        signal = values[:, 0] * values[:, 1] + draw.normal(size=25)
        number = criterion.endswith("error")
        target = signal if number else (signal > 0).astype(float)
        kind = CARTRegressor if number else CARTClassifier
        model = kind(criterion=criterion, pruning=None, monotonic_cst=[1, -1]).fit(values, target)
        tree, waiting = model.tree_, [(0, np.arange(25), NO_BOUNDS)]
        while waiting:
            node, rows, bounds = waiting.pop()
            cuts = all_cuts(values[rows], target[rows], np.ones(len(rows)), criterion, (1, -1), bounds)
            for column, one in enumerate(model.why(node).entry.candidates):
                own = [cut for cut in cuts if cut.column == column]
                barred = sum(not cut.allowed for cut in own)
                if np.ptp(target[rows]) == 0 or not barred:
                    assert "monotonic_cst" not in one.reason
                elif barred == len(own):
                    n_told += 1
                    many = f"none of its {len(own)} cuts satisfies" if len(own) > 1 else "a split on it would violate"
                    assert one.reason.startswith(f"{many} monotonic_cst")
                    assert f"they must {'fall' if column else 'rise'} with it" in one.reason
                    assert one.verdict == REJECTED
                else:
                    n_told += 1
                    assert f"; {barred} of its {len(own)} cuts would violate monotonic_cst" in one.reason
            if tree.n_children[node]:
                column, first = int(tree.column[node]), int(tree.first_child[node])
                low = values[rows, column] <= tree.threshold[node]
                taken = next(
                    c for c in cuts
                    if c.column == column and ((values[rows, column] <= c.threshold) == low).all()
                )
                below = child_bounds(taken, (1, -1)[column], bounds)
                waiting += [(first, rows[low], below[0]), (first + 1, rows[~low], below[1])]
    assert n_told > 30


def test_a_leaf_says_what_kept_it_whole():
    hours = [[hour] for hour in range(1, 11)]
    passed = ["no", "no", "yes", "no", "no", "yes", "yes", "no", "yes", "yes"]
    model = CARTClassifier(pruning=None, monotonic_cst=[1]).fit(hours, passed)
    assert model.why(4).entry.leaf == (
        "No column has a candidate split; x0: none of its 2 cuts satisfies monotonic_cst "
        "(predictions here must be between 0.167 and 0.5 and they must rise with it)."
    )
    bounds = "(predictions here must be between 0.5 and 0.833 and they must rise with it)."
    assert model.why(5).entry.leaf.endswith(bounds)
    assert "monotonic_cst" in str(model.why(4))
    assert "No column has a candidate split" in str(model.worked_solution(4))


def test_medians_of_beginnings():
    draw = np.random.default_rng(2)
    for _ in range(30):
        n = int(draw.integers(1, 30))
        y, weight = draw.integers(0, 6, n).astype(float), draw.integers(1, 4, n)
        values, rank = np.unique(y, return_inverse=True)
        found = prefix_medians(rank, weight, values, np.arange(1, n + 1))
        expected = [np.median(np.repeat(y[:k], weight[:k])) for k in range(1, n + 1)]
        assert found.tolist() == expected
