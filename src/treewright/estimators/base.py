"""BaseTree: what every fitted estimator can be asked.

In: rows to be answered. Out: leaves, paths, reports and texts; everything is read from the one result of fit, `tree_`.
"""

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from treewright.estimators.drawing import Drawing
from treewright.estimators.explaining import Explaining
from treewright.estimators.paging import Paging
from treewright.estimators.reasons import Reasons
from treewright.estimators.ruling import Ruling
from treewright.estimators.saving import Saving
from treewright.estimators.working import Working
from treewright.predict.route import leaves, paths

if TYPE_CHECKING:
    from treewright.explain.missing import MissingReport


class BaseTree(Reasons, Working, Explaining, Ruling, Drawing, Paging, Saving):
    """Routing and reading, shared by the classifiers and the regressors."""

    def apply(self, X: object) -> NDArray[np.int64]:
        """The number of the leaf each row comes to.

        A row that is shared among several leaves has the one of its largest share, the lowest number on a tie; a row
        that stops at a missing value has the node where it stops.
        """
        return cast(NDArray[np.int64], self._answers(leaves, X))

    def decision_path(self, X: object) -> Any:
        """A sparse table of rows by nodes: the share of the row that comes to the node, root and leaf included.

        The share is 1 unless a missing value sends parts of the row several ways.
        """
        return paths(*self._ask(X))

    def missing_report(self, X: object) -> "MissingReport":
        """What missing values and unseen categories in this table do to the answers.

        The report says for each column how often it is missing, how many answers depend on that and how many would
        be others under another strategy, and at which nodes. Print it, or read its fields.
        """
        from treewright.explain.missing import missing_report

        tree, how = self._tree(), self._asking()
        encoded = self._encode(X, how)
        return missing_report(tree, encoded.values, how.rule, encoded.unseen, how.unseen)

    def get_depth(self) -> int:
        """The number of splits on the longest way from the root to a leaf."""
        return self._tree().depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        return self._tree().n_leaves

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as indented text, in the names and categories of the table; down to `max_depth`, if given."""
        return self._tree().to_text(max_depth)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """What the splits of each column gained, weighted by the rows they saw; the sum is 1.

        A surrogate has its part, as in rpart: the gain of the split it stands in for, times its adjusted agreement.
        All 0 when nothing was gained, as in a tree that is a single leaf.
        """
        from treewright.explain.importance import column_gains

        return column_gains(self._tree())
