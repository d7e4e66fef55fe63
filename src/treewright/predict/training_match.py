"""Whether rows are those that a tree was grown on, as far as their number, weights and target values show.

`compare_with_training` puts the rows beside what the root of the tree says; the callers decide what to refuse.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.model.tree import Tree

TOLERANCE = 1e-6
"""Relative difference up to which weights count as equal: sums are rounded."""


@dataclass(frozen=True, slots=True, eq=False)
class TrainingMatch:
    """Rows beside what the root of a tree says about its training rows.

    n_rows, n_grown  number of rows with a weight above 0; number of training rows of the tree
    weights, grown   weight of each class, or for regression of all rows; the same at the root of the tree
    """

    n_rows: int
    n_grown: int
    weights: NDArray[np.float64]
    grown: NDArray[np.float64]

    @property
    def same_weights(self) -> bool:
        """Whether the class weights are those of the tree."""
        return bool(np.allclose(self.weights, self.grown, rtol=TOLERANCE, atol=0.0))


def compare_with_training(grown: Tree, rows: Dataset) -> TrainingMatch:
    """Compare rows with the training rows of a tree.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> found = compare_with_training(tree, Dataset(tree.schema, np.zeros((2, 3)), np.array([0, 1])))
    >>> found.n_rows, found.n_grown, found.same_weights
    (2, 14, False)
    """
    weight = rows.row_weights
    if grown.schema.target.is_number:
        given, known = np.array([weight.sum()]), grown.weight[:1]
    else:
        given, known = np.bincount(rows.target, weight, grown.schema.target.n_classes), grown.stats[0]
    return TrainingMatch(int(np.count_nonzero(weight)), int(grown.count[0]), given, known)
