"""Leaves: how right each leaf is.

In: a tree and rows in its codes. Out: for each leaf that rows come to, how many they are and how far off its answer is.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.data.dataset import Dataset
from treewright.evaluate.page import percent
from treewright.model.grid import Grid
from treewright.model.tree import Tree
from treewright.model.way import ways
from treewright.model.words import printable, weight_words
from treewright.predict.answers import class_codes, numbers
from treewright.predict.route import leaves
from treewright.predict.rule import Rule


@dataclass(frozen=True, slots=True)
class LeafScore:
    """How right a leaf is.

    node    its number
    where   the way to it, in words
    answer  what it says, with its training rows, in words
    rows    how many rows come here; a row that is shared out is counted where most of it ends
    weight  theirs
    loss    the weight of those answered wrong; for regression the sum of the squared errors
    """

    node: int
    where: str
    answer: str
    rows: int
    weight: float
    loss: float

    @property
    def error(self) -> float | None:
        """The share answered wrong, or the mean squared error; None where no row comes."""
        return self.loss / self.weight if self.weight > 0 else None

    def to_dict(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        found = {name: getattr(self, name) for name in ("node", "where", "answer", "rows", "weight")}
        return {**found, "error": self.error}


def leaf_scores(tree: Tree, rows: Dataset, rule: Rule) -> list[LeafScore]:
    """Every leaf, and every node where a row stops, in the order of their numbers.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [0, 60.0, 0]]), np.array([1, 0]))
    >>> [(one.node, one.rows, one.error) for one in leaf_scores(tree, rows, Rule()) if one.rows]
    [(4, 2, 0.5)]
    """
    ends = leaves(tree, rows.values, rule)
    weight = rows.row_weights
    if tree.schema.target.is_number:
        losses = (numbers(tree, rows.values, rule) - rows.target) ** 2
    else:
        losses = (class_codes(tree, rows.values, rule) != rows.target).astype(np.float64)
    n = tree.n_nodes
    counts = np.bincount(ends, minlength=n)
    weights, sums = np.bincount(ends, weight, n), np.bincount(ends, weight * losses, n)
    shown = np.flatnonzero((counts > 0) | tree.is_leaf).tolist()
    return [
        LeafScore(i, way, tree.node(i).answer_words(), int(counts[i]), float(weights[i]), float(sums[i]))
        for i, way in zip(shown, ways(tree, shown), strict=True)
    ]


def leaf_lines(found: list[LeafScore], is_number: bool) -> list[str]:
    """The leaves as a table, the one of most wrong answers first."""
    order = sorted(found, key=lambda one: (-one.loss, one.node))
    head = ["leaf", "rows", *(["RMSE"] if is_number else ["wrong", "error"]), "answer", "where"]
    rows = []
    for one in order:
        error = "-" if one.error is None else f"{one.error**0.5:.5g}" if is_number else percent(one.error)
        figures = [error] if is_number else [weight_words(one.loss), error]
        rows.append([str(one.node), weight_words(one.weight), *figures, printable(one.answer), printable(one.where)])
    return Grid(head, rows, [True] * (len(head) - 2) + [False, False], []).lines()
