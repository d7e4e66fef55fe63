"""The path of cost-complexity pruning: all trees that are best for some alpha, from the grown tree to its root.

In: a grown tree. Out: the alpha at which each of its nodes becomes a leaf, and the list of the best trees, each a
subtree of the one before (Breiman, Friedman, Olshen and Stone 1984, chapter 3).

R(T) is the risk of a tree, the sum over its leaves; T(alpha) is the smallest of the trees with the least
R(T) + alpha * leaves. A split that saves nothing is pruned at alpha = 0, so T(0), Breiman's T_1, may be smaller than
the grown tree. scikit-learn's list begins with the grown tree at 0.0 instead, and repeats an alpha for each node that
is pruned; with equal ones joined it is the same list, because R does not change if nothing is saved.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.prune import least_above, weakest_links
from treewright.errors import one_of
from treewright.language import N_, messages
from treewright.model.strategies import STAYS
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.prune.losses import Losses, training_losses
from treewright.text_table import Grid, new_frame

TIE = 1e-12
"""A node is pruned at an alpha that is below its own by at most this fraction."""

JOIN = 1e-11
"""Alphas that differ by at most this fraction are equal: sums of impurities in another order differ by about 1e-14, and
different alphas were never found closer than 1e-9."""


PRINTED = {
    N_("CP"): "cp",
    N_("nsplit"): "splits",
    N_("rel error"): "relative_risk",
    N_("xerror"): "relative_error",
    N_("xstd"): "relative_standard_error",
}
"""The columns of a printed table, by their names in rpart."""

N_SHOWN = 30
"""Trees that a printed table lists, besides those around the chosen one."""


@dataclass(frozen=True, slots=True, eq=False)
class CostComplexityPath:
    """The trees of cost-complexity pruning, from the largest, at alpha = 0, to the root alone.

    Printed it is the table of rpart: CP and errors relative to the root, the smallest tree first.

    Attributes
    ----------
    tree : Tree
        The grown tree.
    node_alpha : float64 array, (n_nodes,)
        The alpha from which on each node is a leaf; 0 at a leaf.
    node_gone : float64 array, (n_nodes,)
        The alpha from which on a node above it is a leaf; infinity at the root.
    alphas : float64 array
        Rising from 0: one tree is best from each alpha up to the next.
    leaves, splits : int64 arrays
        How many leaves and splits these trees have.
    risk : float64 array
        Their risk on the training rows.
    root_risk : float
        The risk of the root alone.
    error : float64 array or None
        The error of each tree on rows it was not grown on; None if no tree had to be chosen.
    standard_error : float64 array or None
        The standard error of these errors.
    root_error : float or None
        What the errors are divided by in the printed table: the error of the root on the training rows.
    chosen : int or None
        The position of the chosen tree; None before the choice.
    language : {"en", "zh"}
        The language of the printed table.

    Examples
    --------
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
    language: str = "en"

    def __len__(self) -> int:
        return len(self.alphas)

    def index_of(self, alpha: float) -> int:
        """The position of the tree that is best at `alpha`."""
        return int(np.searchsorted(self.alphas, alpha * (1 + TIE), side="right")) - 1

    def become_leaf(self, alpha: float) -> NDArray[np.bool_]:
        """Which nodes are leaves, or below one, at `alpha`."""
        return self.node_alpha <= alpha * (1 + TIE)

    def tree_at(self, alpha: float) -> Tree:
        """The tree that is best at `alpha`."""
        return collapse_nodes(self.tree, self.become_leaf(alpha)).tree

    def trees(self) -> Iterator[Tree]:
        """All trees of the path, each a subtree of the one before.

        >>> from treewright.model.build import golf_example
        >>> list(cost_complexity_path(golf_example()).trees())
        [<Tree: 8 nodes, 5 leaves, depth 2>, <Tree: 1 nodes, 1 leaves, depth 0>]
        """
        return (self.tree_at(alpha) for alpha in self.alphas.tolist())

    def to_frame(self) -> Any:
        """A row for each tree, as a pandas data frame, or a polars one if pandas is not installed.

        cp, relative_risk, relative_error and relative_standard_error are relative to the root, as in rpart.
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
        columns, _ = self._columns(), messages(self.language)
        titles = [title for title, name in PRINTED.items() if name in columns]
        rows, before = [], len(self)
        for i in self._shown():
            if i < before - 1:
                rows.append(["…", *[""] * len(titles), ""])
            cells = [format(columns[PRINTED[title]][i].item(), ".5g") for title in titles]
            rows.append([str(len(self) - i), *cells, _("chosen") if i == self.chosen else ""])
            before = i
        return "\n".join(Grid(["", *map(_, titles), ""], rows, [True] * (len(titles) + 1) + [False], []).lines())

    def _shown(self) -> list[int]:
        """The positions that are printed: the smallest trees, those around the chosen one, and the largest."""
        last = len(self) - 1
        shown = {0, *range(max(0, last - N_SHOWN + 1), last + 1)}
        if self.chosen is not None:
            shown |= {i for i in range(self.chosen - 2, self.chosen + 3) if 0 <= i <= last}
        return sorted(shown, reverse=True)


def cost_complexity_path(
    tree: Tree, risk: str = "error", costs: NDArray[np.float64] | None = None, losses: Losses | None = None
) -> CostComplexityPath:
    """The cost-complexity path of a tree.

    Parameters
    ----------
    tree : Tree
        The grown tree.
    risk : {"error", "impurity"}, default="error"
        "error": the weight of wrong predictions (with `costs` their cost), or the loss of a regression tree, divided by
        the training weight; "impurity": the weighted impurity of the leaves, as in scikit-learn.
    costs : float64 array or None
        What a prediction costs, (true class, predicted class).
    losses : Losses or None
        The losses of the nodes, if they are known already.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> print(cost_complexity_path(golf_example()))
           CP  nsplit  rel error
    1    0.25       0          1
    2       0       3          0
    """
    losses = node_losses(tree, risk, costs) if losses is None else losses
    links = find_weakest_links(tree, losses)
    inner = tree.n_children > 0
    found = np.append(_distinct(np.append(links.alpha[inner], 0.0)), np.inf)
    node_alpha, node_gone = (found[np.searchsorted(found, alpha)] for alpha in (links.alpha, links.above))
    pruned = links.is_pruned
    alphas = np.unique(np.append(node_alpha[pruned], 0.0))
    step = np.searchsorted(alphas, node_alpha[pruned])
    rise, fewer = (
        np.bincount(step, column[pruned], len(alphas)) for column in (links.risk_added, links.leaves_saved)
    )
    split_gone = np.minimum(node_alpha, node_gone)[inner]
    lost = np.bincount(np.searchsorted(alphas, split_gone), minlength=len(alphas))
    root_risk = float(losses.leaf[0] / losses.total)
    # Counted from the root, whose risk is exact; the risk of a tree without errors is rounding.
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
    """The loss of each tree of the path; exact if the losses of the nodes are whole numbers.

    A node is a leaf from its own alpha up to the least alpha of the nodes above it, so its loss is added to all trees
    between the two.

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
    """The alphas in rising order, of equal ones the largest."""
    rising = np.unique(alphas)
    return rising[np.append(np.diff(rising) > JOIN * rising[1:], True)]


def scikit_learn_path(tree: Tree) -> Any:
    """What scikit-learn's `cost_complexity_pruning_path` returns: a Bunch of `ccp_alphas` and `impurities`.

    Equal alphas are joined to one; see the top of this file.

    >>> from treewright.model.build import golf_example
    >>> sorted(scikit_learn_path(golf_example()))
    ['ccp_alphas', 'impurities']
    """
    from sklearn.utils import Bunch

    path = cost_complexity_path(tree, "impurity")
    return Bunch(ccp_alphas=path.alphas, impurities=path.risk)


RISKS = ("error", "impurity")
"""What the risk of a tree is the sum of."""


@dataclass(frozen=True, slots=True, eq=False)
class WeakestLinks:
    """When each node of a tree becomes a leaf; arrays of n_nodes, alphas divided by the training weight.

    alpha         the alpha from which on the node is a leaf; 0 at a leaf
    above         the alpha from which on a node above it is a leaf; infinity at the root
    is_pruned     whether it becomes a leaf before any node above it
    risk_added    by how much the risk rises then
    leaves_saved  by how many leaves the tree gets smaller then
    """

    alpha: NDArray[np.float64]
    above: NDArray[np.float64]
    is_pruned: NDArray[np.bool_]
    risk_added: NDArray[np.float64]
    leaves_saved: NDArray[np.int64]


def node_losses(tree: Tree, risk: str = "error", costs: NDArray[np.float64] | None = None) -> Losses:
    """What each node costs as a leaf on the training rows, by either risk; not divided by their weight.

    >>> from treewright.model.build import golf_example
    >>> node_losses(golf_example(), "error").leaf.tolist()
    [5.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0]
    """
    if one_of("risk", risk, RISKS) == "error":
        return training_losses(tree, costs)
    staying = np.zeros(tree.n_nodes)
    if tree.strategy.goes == STAYS:
        # Rows that stop at the node are taken to have the impurity of the node.
        left = tree.weight - np.bincount(tree.parent[1:], tree.weight[1:], tree.n_nodes)
        staying = np.where(tree.n_children > 0, tree.impurity * np.maximum(left, 0.0), 0.0)
    return Losses(tree.weight * tree.impurity, staying, float(tree.weight[0]))


def find_weakest_links(tree: Tree, losses: Losses) -> WeakestLinks:
    """When each node becomes a leaf.

    >>> from treewright.model.build import golf_example
    >>> links = find_weakest_links(golf_example(), node_losses(golf_example()))
    >>> (14 * links.alpha).round(3).tolist(), links.leaves_saved.tolist()
    ([1.25, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0], [4, 1, 0, 1, 0, 0, 0, 0])
    """
    n = tree.n_nodes
    alpha, above, rise, fewer = np.empty(n), np.empty(n), np.empty(n), np.empty(n, np.int64)
    heap = tuple(np.empty(n, np.int64) for _ in range(3))
    # Sums of whole losses are exact, so ties are found as ties. They are divided by the weight at the end: a quotient
    # may hide which node comes first.
    leaf, staying = np.ascontiguousarray(losses.leaf), np.ascontiguousarray(losses.staying)
    weakest_links((tree.parent, tree.n_children), leaf, staying, heap, alpha, rise, fewer)
    least_above(tree.parent, alpha, above)
    is_pruned = (alpha < above) & (tree.n_children > 0)
    return WeakestLinks(alpha / losses.total, above / losses.total, is_pruned, rise / losses.total, fewer)
