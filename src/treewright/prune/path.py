"""Path: all trees that cost-complexity pruning can make of a tree, from the whole to the root.

In: a grown tree. Out: at which alpha each of its nodes becomes a leaf, and the list of trees that are best for some
alpha, each within the one before (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

R(T) is the risk of a tree, the sum over its leaves; T(alpha) is the smallest of the trees of least
R(T) + alpha * leaves. A node that saves nothing is gone at alpha = 0 already, so T(0), Breiman's T_1, may be smaller
than the tree that was grown. scikit-learn's list begins with the grown tree at 0.0 instead, and repeats an alpha for
each node that goes; with equal ones joined it is the same list, for R does not change where nothing is saved.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.cut import cut
from treewright.model.grid import Grid, new_frame
from treewright.model.tree import Tree
from treewright.prune.links import node_losses, weakest
from treewright.prune.losses import Losses

TIE = 1e-12
"""A node goes at an alpha that is below its own by no more than this part of it."""

JOIN = 1e-11
"""Alphas this close are one, in parts of their size: sums of impurities in another order differ by 1e-14 or so, while
alphas that do differ were never found closer than 1e-9."""


PRINTED = {
    "CP": "cp", "nsplit": "splits", "rel error": "relative_risk", "xerror": "relative_error",
    "xstd": "relative_standard_error",
}  # fmt: skip
"""The columns of a printed table, by rpart's names."""

N_SHOWN = 30
"""Trees that a printed table lists, besides those about the chosen one."""


@dataclass(frozen=True, slots=True, eq=False)
class CostComplexityPath:
    """The trees of cost-complexity pruning, from the largest, at alpha = 0, to the root alone.

    Printed it is rpart's table: CP and errors in parts of the root's, the smallest tree first.

    tree            the grown tree
    node_alpha      float64 (n_nodes,), the alpha from which on each node is a leaf; 0 at a leaf
    node_gone       float64 (n_nodes,), the alpha from which on it is gone; infinity at the root
    alphas          float64, rising from 0: from each on, up to the next, one tree is best
    leaves, splits  int64, how many leaves and splits this tree has
    risk            float64, its risk on the training rows
    root_risk       the risk of the root alone
    error           float64, the error of each tree on rows it was not grown on; None where nothing had to be chosen
    standard_error  float64, how far that error may be off
    root_error      what the error is compared with: that of the root on the training rows
    chosen          the place of the chosen tree in these lists; None before a choice

    >>> from treewright.model.build import golf_example
    >>> path = cost_complexity_path(golf_example())
    >>> [round(alpha, 6) for alpha in path.alphas.tolist()], path.leaves.tolist()
    ([0.0, 0.089286], [5, 1])
    >>> path.tree_at(0.05).n_leaves, path.tree_at(0.1).n_leaves
    (5, 1)
    """

    tree: Tree
    node_alpha: NDArray[np.float64]
    node_gone: NDArray[np.float64]
    alphas: NDArray[np.float64]
    leaves: NDArray[np.int64]
    splits: NDArray[np.int64]
    risk: NDArray[np.float64]
    root_risk: float
    error: NDArray[np.float64] | None = None
    standard_error: NDArray[np.float64] | None = None
    root_error: float | None = None
    chosen: int | None = None

    def __len__(self) -> int:
        return len(self.alphas)

    def index_of(self, alpha: float) -> int:
        """The place in the lists of the tree that is best at `alpha`."""
        return int(np.searchsorted(self.alphas, alpha * (1 + TIE), side="right")) - 1

    def become_leaf(self, alpha: float) -> NDArray[np.bool_]:
        """Which nodes are leaves, or gone with what is above them, at `alpha`."""
        return self.node_alpha <= alpha * (1 + TIE)

    def tree_at(self, alpha: float) -> Tree:
        """The tree that is best at `alpha`."""
        return cut(self.tree, self.become_leaf(alpha)).tree

    def trees(self) -> Iterator[Tree]:
        """All of them, each within the one before.

        >>> from treewright.model.build import golf_example
        >>> list(cost_complexity_path(golf_example()).trees())
        [<Tree: 8 nodes, 5 leaves, depth 2>, <Tree: 1 nodes, 1 leaves, depth 0>]
        """
        return (self.tree_at(alpha) for alpha in self.alphas.tolist())

    def to_frame(self) -> Any:
        """A row for each tree, as a frame of pandas, or of polars where pandas is not installed.

        cp, relative_risk, relative_error and relative_standard_error are parts of the root's, as in rpart.
        """
        return new_frame(self._columns())

    def _columns(self) -> dict[str, NDArray[Any]]:
        risk = self.root_risk or 1.0
        found: dict[str, NDArray[Any]] = {
            "alpha": self.alphas, "cp": self.alphas / risk, "leaves": self.leaves, "splits": self.splits,
            "risk": self.risk, "relative_risk": self.risk / risk,
        }  # fmt: skip
        if self.error is not None and self.standard_error is not None:
            root = self.root_error or 1.0
            found |= {"error": self.error, "standard_error": self.standard_error}
            found |= {"relative_error": self.error / root, "relative_standard_error": self.standard_error / root}
        if self.chosen is not None:
            found["chosen"] = np.arange(len(self)) == self.chosen
        return found

    def __str__(self) -> str:
        columns = self._columns()
        titles = [title for title, name in PRINTED.items() if name in columns]
        rows, before = [], len(self)
        for i in self._shown():
            if i < before - 1:
                rows.append(["…", *("" for _ in titles), ""])
            cells = [format(columns[PRINTED[title]][i].item(), ".5g") for title in titles]
            rows.append([str(len(self) - i), *cells, "chosen" if i == self.chosen else ""])
            before = i
        return "\n".join(Grid(["", *titles, ""], rows, [True] * (len(titles) + 1) + [False], []).lines())

    def _shown(self) -> list[int]:
        """The places that are printed, the root first: the smallest trees, those about the chosen one, and the last."""
        last = len(self) - 1
        shown = {0, *range(max(0, last - N_SHOWN + 1), last + 1)}
        if self.chosen is not None:
            shown |= {i for i in range(self.chosen - 2, self.chosen + 3) if 0 <= i <= last}
        return sorted(shown, reverse=True)


def cost_complexity_path(
    tree: Tree, risk: str = "error", costs: NDArray[np.float64] | None = None, losses: Losses | None = None
) -> CostComplexityPath:
    """The path of a tree.

    risk    "error": the weight of wrong answers (what they cost, with costs), or the loss of a regression tree, in
            parts of the training weight; "impurity": the impurity of the leaves weighted likewise, as in scikit-learn
    costs   what an answer costs, (true class, answered class)
    losses  what risk and costs come to for each node, where that is at hand

    >>> from treewright.model.build import golf_example
    >>> print(cost_complexity_path(golf_example()))
           CP  nsplit  rel error
    1    0.25       0          1
    2       0       3          0
    """
    losses = node_losses(tree, risk, costs) if losses is None else losses
    links = weakest(tree, losses)
    inner = tree.n_children > 0
    found = np.append(_distinct(np.append(links.alpha[inner], 0.0)), np.inf)
    node_alpha, node_gone = (found[np.searchsorted(found, alpha)] for alpha in (links.alpha, links.above))
    alphas = np.unique(np.append(node_alpha[links.goes], 0.0))
    step = np.searchsorted(alphas, node_alpha[links.goes])
    rise, fewer = (np.bincount(step, column[links.goes], len(alphas)) for column in (links.rise, links.fewer))
    split_gone = np.minimum(node_alpha, node_gone)[inner]
    lost = np.bincount(np.searchsorted(alphas, split_gone), minlength=len(alphas))
    root_risk = float(losses.leaf[0] / losses.total)
    # Counted from the root, whose risk is known best; what is left of a tree without errors is rounding.
    risks = root_risk - (rise.sum() - np.cumsum(rise))
    return CostComplexityPath(
        tree=tree,
        node_alpha=node_alpha,
        node_gone=node_gone,
        alphas=alphas,
        leaves=tree.n_leaves - np.cumsum(fewer).astype(np.int64),
        splits=np.count_nonzero(inner) - np.cumsum(lost),
        risk=np.where(risks > TIE * root_risk, risks, 0.0),
        root_risk=root_risk,
    )


def losses_along(path: CostComplexityPath, losses: Losses) -> NDArray[np.float64]:
    """The loss of each tree of the path, by what its nodes lose as leaves; exact where these are whole.

    A node is a leaf from its own alpha on up to the least one above it, so its loss is added to all trees between.

    >>> from treewright.model.build import golf_example
    >>> golf = golf_example()
    >>> losses_along(cost_complexity_path(golf), node_losses(golf)).tolist()
    [0.0, 5.0]
    """
    inner, first = path.tree.n_children > 0, np.zeros(path.tree.n_nodes, np.int64)
    first[inner] = np.searchsorted(path.alphas, path.node_alpha[inner])  # a leaf is one from the first tree on
    last = np.searchsorted(path.alphas, path.node_gone)
    is_leaf, n = first < last, len(path.alphas) + 1
    change = np.bincount(first[is_leaf], losses.leaf[is_leaf], n)
    change -= np.bincount(last[is_leaf], losses.leaf[is_leaf], n)
    change -= np.bincount(np.minimum(first, last), losses.staying, n)
    change[0] += losses.staying.sum()
    return np.maximum(np.cumsum(change)[:-1], 0.0)


def _distinct(alphas: NDArray[np.float64]) -> NDArray[np.float64]:
    """The alphas, rising, of those that are one the greatest."""
    rising = np.unique(alphas)
    return rising[np.append(np.diff(rising) > JOIN * rising[1:], True)]


def scikit_learn_path(tree: Tree) -> Any:
    """What scikit-learn's `cost_complexity_pruning_path` gives: a Bunch of `ccp_alphas` and `impurities`.

    Equal alphas are joined to one; see the top of this file.

    >>> from treewright.model.build import golf_example
    >>> sorted(scikit_learn_path(golf_example()))
    ['ccp_alphas', 'impurities']
    """
    from sklearn.utils import Bunch

    path = cost_complexity_path(tree, "impurity")
    return Bunch(ccp_alphas=path.alphas, impurities=path.risk)
