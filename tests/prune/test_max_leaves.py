"""Max-leaves pruning: no subtree of so few leaves has less loss, found by trying all sizes at every node."""

import numpy as np
import pytest

from tests.contracts.pruning_methods import cases
from treewright import ParameterError
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, leaf, number
from treewright.prune import CostComplexity, MaxLeaves
from treewright.prune.losses import loss_of_tree, training_losses

TWO = Schema((Column("x", Kind.NUMBER),), Target("y", ("no", "yes")))


def pair(at, first, second):
    """A split of x into two leaves of (no, yes)."""
    return number("x", at, leaf({"no": first[0], "yes": first[1]}), leaf({"no": second[0], "yes": second[1]}))


def least_losses(tree, most):
    """The least loss of all subtrees with 1, 2, ... leaves, up to `most`; infinite where there is none."""
    losses, tables = training_losses(tree), {}
    for node in reversed(range(tree.n_nodes)):
        best = np.full(most + 1, np.inf)
        first, n = int(tree.first_child[node]), int(tree.n_children[node])
        if n:
            together = np.full(most + 1, np.inf)
            together[0] = losses.staying[node]
            for child in range(first, first + n):
                sums = together[:, None] + tables[child][None, :]
                together = np.array([min(sums[i, k - i] for i in range(k + 1)) for k in range(most + 1)])
            best = together
        best[1] = losses.leaf[node]
        tables[node] = best
    return tables[0][1:]


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("most", [3, 8])
def test_no_subtree_with_so_few_leaves_has_less_loss(most, regression):
    """And the next larger tree of the path has too many leaves."""
    n_pruned = 0
    for case in cases(regression):
        found = MaxLeaves(most).prune(case.tree, unit=case.unit)
        if case.tree.n_leaves <= most:
            assert found.tree == case.tree
            continue
        n_pruned += 1
        path, chosen, n = found.report.path, found.report.path.chosen, found.tree.n_leaves
        assert n == path.leaves[chosen] <= most
        assert chosen == 0 or path.leaves[chosen - 1] > most
        own = loss_of_tree(found.tree, training_losses(found.tree))
        assert own == pytest.approx(least_losses(case.tree, n).min(), rel=1e-9, abs=1e-9)
    assert n_pruned > 10


def test_by_hand():
    # The split at 20 saves 7 - 6 = 1 error, the one at 30 saves 15 - 10 = 5.
    tree = build(TWO, number("x", 30, pair(20, (8, 2), (4, 5)), leaf({"no": 3, "yes": 14})))
    found = MaxLeaves(2).prune(tree)
    assert found.tree.to_text() == "x <= 30: no (19/7)\nx > 30: yes (17/3)"
    inner, root = found.report.of(1), found.report.of(0)
    assert (inner.leaf, inner.subtree, inner.details, inner.verdict) == (2, 3, {"extra for each leaf": 1}, "pruned")
    assert (root.leaf, root.subtree, root.details, root.verdict) == (2, 2, {"extra for each leaf": 5}, "kept")
    assert found.report.rule == (
        "The nodes with the fewest extra errors for each leaf saved are pruned first, until the tree has at most 2 "
        "leaves. Errors on the training rows: 9 with 3 leaves before pruning, 10 with 2 after."
    )
    assert found.report.with_language("zh").rule_text.endswith(
        "训练样本上的错误数：剪枝前为 9（叶结点数 3），剪枝后为 10（叶结点数 2）。"
    )


def test_a_small_tree_keeps_splits_that_save_nothing():
    tree = build(TWO, pair(20, (8, 2), (5, 4)))
    assert CostComplexity(alpha=0.0).prune(tree).tree.n_leaves == 1
    found = MaxLeaves(2).prune(tree)
    assert found.tree == tree
    assert found.report.rule.endswith("6 with 2 leaves before pruning, 6 with 2 after.")


@pytest.mark.parametrize("leaves", [1, 0, 2.0, True, "20", None])
def test_wrong_numbers_are_refused(leaves):
    with pytest.raises(ParameterError, match="leaves must be an integer of at least 2"):
        MaxLeaves(leaves)
