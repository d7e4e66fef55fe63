"""Route: rows to leaves and paths.

In: a tree, encoded values in any strides, and a rule for what is missing. Out: the leaf of every row, or every node
on its way with the weight it has there.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import write_paths
from treewright.model.tree import Tree
from treewright.predict.blocks import Given, in_blocks, read_in_blocks
from treewright.predict.ends import ends, parts, readable
from treewright.predict.rule import Rule

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

USUAL = Rule()
"""As the tree was grown."""


def leaves(tree: Tree, rows: Given, rule: Rule = USUAL, n_threads: int = 1) -> NDArray[np.int64]:
    """The node where each row ends: a leaf, or with the rule `stop` the node that asked for what is missing.

    rows    to be read in blocks, or values (n_rows, n_columns), categories as their codes in the tree's schema; NaN is
            missing, minus infinity a category that training never showed; any other value that is not in the table of
            a node takes the node's `other` branch

    A row that goes down several branches has the leaf of most weight, the lowest number on a tie.

    >>> from treewright.model.build import golf_example
    >>> leaves(golf_example(), np.array([[0, 70.0, 1], [1, 70.0, 1], [2, 70.0, 1]]))
    array([4, 2, 7])
    >>> leaves(golf_example(), np.array([[0, np.nan, 1]]), Rule("fractional"))
    array([5])
    """
    rows = read_in_blocks(tree, rows, rule)
    found = np.empty(rows.n_rows, np.int64)

    def answer(values: NDArray[np.float64], start: int, known: int) -> None:
        nodes, several = ends(tree, values, rule, start, known)
        for part in parts(tree, values, rule.unseen, several, nodes[several]):
            nodes[part.rows] = part.heaviest()
        found[start : start + len(values)] = nodes

    in_blocks(tree, rows, answer, n_threads)
    return found


def paths(tree: Tree, values: NDArray[np.float64], rule: Rule = USUAL) -> "csr_matrix":
    """Which nodes each row meets: a sparse (n_rows, n_nodes) matrix of the weight with which it does.

    >>> from treewright.model.build import golf_example
    >>> paths(golf_example(), np.array([[0, 70.0, 1], [0, np.nan, 1]]), Rule("fractional")).toarray()
    array([[1. , 1. , 0. , 0. , 1. , 0. , 0. , 0. ],
           [1. , 1. , 0. , 0. , 0.4, 0.6, 0. , 0. ]])
    """
    from scipy.sparse import csr_matrix

    visits = visited(tree, values, rule)
    found = csr_matrix((visits.weights, visits.nodes, visits.starts), shape=(len(values), tree.n_nodes))
    found.sort_indices()
    return found


class Visits(NamedTuple):
    """The nodes that rows meet, row after row.

    starts   where the nodes of each row begin, and where those of the last one end
    nodes    their numbers
    weights  the weight with which the row comes to the node
    """

    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row of each visit."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))


def visited(tree: Tree, values: NDArray[np.float64], rule: Rule = USUAL) -> Visits:
    """Which nodes each row meets, root and leaf included.

    >>> from treewright.model.build import golf_example
    >>> found = visited(golf_example(), np.array([[0, 70.0, 1], [1, 70.0, 1]]))
    >>> found.rows.tolist(), sorted(found.nodes[:3].tolist())
    ([0, 0, 0, 1, 1], [0, 1, 4])
    """
    values = readable(tree, values)
    nodes, several = ends(tree, values, rule)
    counts = tree.depths[nodes] + 1
    spread = list(parts(tree, values, rule.unseen, several))
    nodes[several] = -1
    for part in spread:
        counts[part.rows] = part.counts
    starts = np.concatenate([[0], np.cumsum(counts)])
    met, weights = np.empty(starts[-1], np.int64), np.ones(starts[-1])
    write_paths(tree.parent, nodes, starts[1:], met)
    for part in spread:
        place = np.repeat(starts[part.rows] - part.starts[:-1], part.counts) + np.arange(len(part.nodes))
        met[place], weights[place] = part.nodes, part.weights
    return Visits(starts, met, weights)
