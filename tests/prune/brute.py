"""Every tree that a tree can be cut to, and what it answers: the slow way to judge a pruning.

In: a tree of few inner nodes and rows. Out: the cuts, each with its leaves and its loss on the rows, as `predict` gives
it; nothing of treewright.prune is used.
"""

from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from tests.model.samples import CLASSES, NUMBERS, ROWS, SPECS, encode
from treewright.data.dataset import Dataset
from treewright.model.build import build
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.predict.predictions import find_leaves, predict_class_codes, predict_numbers

FEW = 7
"""Inner nodes of a tree that is cut in every way."""


@st.composite
def trees_and_rows(draw: st.DrawFn, *, regression: bool = False) -> tuple[Tree, Dataset]:
    """A small tree and weighted validation rows with answers of any kind."""
    tree = build(CLASSES, draw(SPECS.filter(lambda spec: np.count_nonzero(build(CLASSES, spec).n_children) <= FEW)))
    values = encode(draw(ROWS))
    n = len(values)
    target = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    weight = draw(st.none() | st.lists(st.integers(1, 8).map(lambda k: k / 4), min_size=n, max_size=n))
    weights = None if weight is None else np.array(weight)
    if not regression:
        return tree, Dataset(CLASSES, values, np.array(target, np.int32), weights)
    return as_numbers(tree), Dataset(NUMBERS, values, np.array(target, float), weights)


def as_numbers(tree: Tree) -> Tree:
    """The same tree as a regression tree of the class codes: no node lies about its rows."""
    codes = np.arange(3)
    mean = tree.value @ codes
    loss = (tree.stats * (codes - mean[:, None]) ** 2).sum(axis=1)
    stats = np.column_stack([tree.weight, mean, loss])
    state = tree.__getstate__() | {"schema": NUMBERS, "stats": stats, "value": mean[:, None]}
    impurity = loss / np.where(tree.weight > 0, tree.weight, 1.0)
    return Tree(**(state | {"criterion": "squared_error", "impurity": impurity}))


def loss_of(tree: Tree, rows: Dataset, costs: np.ndarray | None = None) -> float:
    """What the answers of a tree cost on the rows."""
    weight = np.ones(rows.n_rows) if rows.weight is None else rows.weight
    if tree.schema.target.is_number:
        return float(weight @ (predict_numbers(tree, rows.values) - rows.target) ** 2)
    if costs is None:
        return float(weight @ (predict_class_codes(tree, rows.values) != rows.target))
    expected = tree.value @ costs
    answer = (expected <= expected.min(axis=1, keepdims=True) + 1e-12).argmax(axis=1)
    return float(weight @ costs[rows.target, answer[find_leaves(tree, rows.values)]])


def all_cuts(tree: Tree) -> list[Tree]:
    inner = np.flatnonzero(tree.n_children).tolist()
    masks = [np.isin(np.arange(tree.n_nodes), some) for k in range(len(inner) + 1) for some in combinations(inner, k)]
    return list({one.fingerprint(): one for one in (collapse_nodes(tree, mask).tree for mask in masks)}.values())
