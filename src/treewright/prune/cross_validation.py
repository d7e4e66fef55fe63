"""Cross-validation for pruning: for each fold a tree that was grown on the other rows, and its losses on the fold.

In: the training rows and a function that grows trees; or, if the rows are not in memory, an object that does both where
they are. Out: the trees of the folds, with the sums of the left-out rows at every node.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from treewright.data.dataset import Dataset
from treewright.data.folds import folds, map_in_threads
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.prune.losses import NodeSums, RowTotal, TargetScale, sum_rows_at_nodes, total_of
from treewright.prune.method import RaiseBranches


class SumSettings(NamedTuple):
    """How rows are summed up at the nodes of a tree; see `losses.sum_rows_at_nodes`."""

    rule: MissingPolicy
    scale: TargetScale
    n_powers: int


class FoldSums(NamedTuple):
    """The tree of a fold, grown on the other rows, and the sums of the rows of the fold at its nodes."""

    tree: Tree
    sums: NodeSums


class CrossValidation(Protocol):
    """Grows the trees of folds, and evaluates them."""

    @property
    def total(self) -> RowTotal:
        """The weight and the number of all rows."""

    def fold_sums(self, n_folds: int, how: SumSettings) -> Iterator[FoldSums]:
        """The tree of each fold with the sums of its rows."""


class FoldsElsewhere(CrossValidation, Protocol):
    """Cross-validation on rows that are not in memory."""

    def after(self, prune: "PruneFold") -> "FoldsElsewhere":
        """The same with trees that are pruned first."""


PruneFold = Callable[[Tree, float, RaiseBranches], Tree]
"""Prunes the tree of a fold: of the weight of a row, and subtree raising by the rows that the tree was grown on."""


@dataclass(frozen=True, slots=True, eq=False)
class RowFolds:
    """Cross-validation on rows in memory.

    grow    grows a tree on other rows in the same way
    n_jobs  how many folds run at a time

    >>> from treewright.model.build import golf_example
    >>> import numpy as np
    >>> golf = golf_example()
    >>> rows = Dataset(golf.schema, np.array([[0, 70.0, 0], [0, 90.0, 0]]), np.array([1, 0]))
    >>> found = RowFolds(rows, lambda training: golf).fold_sums(2, SumSettings(MissingPolicy(), TargetScale(), 3))
    >>> [one.sums.here[0].tolist() for one in found]
    [[1.0, 0.0], [0.0, 1.0]]
    """

    rows: Dataset
    grow: Callable[[Dataset], Tree]
    n_jobs: int = 1

    @property
    def total(self) -> RowTotal:
        """The weight and the number of all rows."""
        return total_of(self.rows)

    def fold_sums(self, n_folds: int, how: SumSettings) -> Iterator[FoldSums]:
        """The tree of each fold with the sums of its rows."""

        def sums_of(fold: tuple[Dataset, Dataset]) -> FoldSums:
            training, held_out = fold
            tree = self.grow(training)
            return FoldSums(tree, sum_rows_at_nodes(tree, held_out, *how))

        return map_in_threads(sums_of, folds(self.rows, n_folds), self.n_jobs)
