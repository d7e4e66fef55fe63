"""FittedTree: what every question to a fitted estimator begins with.

In: rows to be answered, or the training rows once more. Out: the tree, the rows in its codes, and the rule they are
answered by.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.unseen import warn_unseen
from treewright.errors import InputError
from treewright.estimators.fitting import FittingTree
from treewright.estimators.missing import UNSEEN, Asking, asking
from treewright.estimators.parameters import count_cores
from treewright.estimators.pruning import refuse_half
from treewright.model.tree import Tree
from treewright.predict.few import AT_NODES, ends_of_few
from treewright.predict.reading import Unusual, open_rows
from treewright.predict.rule import Rule

if TYPE_CHECKING:
    from treewright.ledger.lineage import Lineage


class FittedTree(FittingTree):
    """The one way to the tree, to rows in its codes, and to the rows it was grown on."""

    def _asking(self) -> Asking:
        """What is done with missing values and unseen categories in answers."""
        return asking(self._tree(), self.missing_predict, self.unseen_category)

    def _ask(self, X: object) -> tuple[Tree, NDArray[np.float64], Rule]:
        """The tree, the rows and the rule they are answered by; unseen categories are warned of, once."""
        tree, how = self._tree(), self._asking()
        self._check_names(X)
        return tree, self._read_at_once(X, how), how.rule

    def _answers(self, ask: Callable[[Tree, Any, Rule, int], Any], X: object) -> Any:
        """What the tree says to the rows of a table, which are read in blocks where that is possible."""
        tree, how = self._tree(), self._asking()
        self._check_names(X)
        n_threads = count_cores(self.n_jobs)
        if type(X) is np.ndarray:
            nodes = ends_of_few(tree, X)
            if nodes is not None:
                return AT_NODES[ask](tree, nodes)
        rows = open_rows(X, tree.schema.columns, how.rule.missing == "error")
        if rows is not None:
            try:
                return ask(tree, rows, how.rule, n_threads)
            except Unusual:
                pass
        return ask(tree, self._read_at_once(X, how), how.rule, n_threads)

    def _read_at_once(self, X: object, how: Asking) -> NDArray[np.float64]:
        encoded = self._encode_named(X, how)
        if encoded.unseen:
            becomes = f"with unseen_category={how.unseen!r} such a value {UNSEEN[how.unseen]}"
            warn_unseen(encoded.unseen, becomes)
        return encoded.values

    def _training_rows(self, X: object = None, y: object = None, sample_weight: object = None) -> Dataset:
        """The rows the tree was grown on: those given again, or those that were kept by `fit`."""
        self._tree()
        refuse_half(X=X, y=y, sample_weight=sample_weight)
        if X is not None:
            return self._rows_again(X, y, sample_weight)[0]
        if self._kept is None:
            raise InputError(
                "The training rows are needed here, and they are no longer at hand (large tables are not kept, and a "
                "stored model has none unless it was saved with rows=True); give them again as X and y, with "
                "sample_weight if there was one."
            )
        return self._kept

    def _lineage(self) -> "Lineage":
        """The tree and how it came to be."""
        from treewright.ledger.lineage import Lineage

        return Lineage(self._tree(), self.grown_tree_, self.pruning_report_, self.pre_pruning_report_)

    def _column_spread(self) -> NDArray[np.float64] | None:
        """Highest less lowest value of each column in training: what is left of the rows where they are not kept."""
        return self._spread if self._kept is None else self._kept.spread()

    def __copy__(self) -> Self:
        """The same estimator once more, with the rows it keeps: a copy stays where they are."""
        other = object.__new__(type(self))
        other.__dict__ = dict(self.__dict__)
        return other
