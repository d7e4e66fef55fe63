"""Origin: whether rows are those a tree was grown on, as far as their number, weights and answers tell.

In: a grown tree, and rows in the codes of its schema. Out: both sides of the comparison, for whoever refuses the rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.model.tree import Tree

NEAR = 1e-6
"""How far the weights of the rows may be from those of the tree, in parts of them: sums have roundings."""


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Rows beside what the root of a tree knows of the rows it was grown on.

    n_rows, n_grown   rows that have a weight; those the tree was grown on
    weights, grown    float64, the weight of each class, or that of all rows for numbers; the same of the tree
    """

    n_rows: int
    n_grown: int
    weights: NDArray[np.float64]
    grown: NDArray[np.float64]

    @property
    def same_weights(self) -> bool:
        """Whether answers and weights are those of the tree."""
        return bool(np.allclose(self.weights, self.grown, rtol=NEAR, atol=0.0))


def origin(grown: Tree, rows: Dataset) -> Origin:
    """The rows and the tree side by side.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> found = origin(tree, Dataset(tree.schema, np.zeros((2, 3)), np.array([0, 1])))
    >>> found.n_rows, found.n_grown, found.same_weights
    (2, 14, False)
    """
    weight = rows.row_weights
    if grown.schema.target.is_number:
        given, known = np.array([weight.sum()]), grown.weight[:1]
    else:
        given, known = np.bincount(rows.target, weight, grown.schema.target.n_classes), grown.stats[0]
    return Origin(int(np.count_nonzero(weight)), int(grown.count[0]), given, known)
