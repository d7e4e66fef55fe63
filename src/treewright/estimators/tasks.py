"""Tasks: where a classifier and a regressor differ.

In: a target as the user has it; at prediction the rows to be answered. Out: the encoded target; classes,
class shares or numbers.
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin

from treewright.data.encode import Table
from treewright.data.schema import Target
from treewright.data.target import classes_array, encode_classes, encode_numbers
from treewright.data.weights import with_class_weight
from treewright.estimators.base import BaseTree
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers, shares


class ClassifierTree(ClassifierMixin, BaseTree):
    """A tree whose leaves hold class shares."""

    _fitted: ClassVar[tuple[str, ...]] = (*BaseTree._fitted, "classes_", "n_classes_")

    class_weight: Any
    classes_: NDArray[Any]
    n_classes_: int

    def predict(self, X: object) -> NDArray[Any]:
        """The class of most weight in each row's leaf; on a tie the one that comes first in `classes_`.

        Where a missing value sends a row to several leaves, the class of most weight in all of them together.
        """
        codes = class_codes(*self._ask(X))
        return self.classes_[codes]

    def predict_proba(self, X: object) -> NDArray[np.float64]:
        """The share of each class in each row's leaf, in the order of `classes_`.

        Where a missing value sends a row to several leaves, the mean of their shares by the row's weight in them.
        """
        return shares(*self._ask(X))

    def predict_log_proba(self, X: object) -> NDArray[np.float64]:
        """The natural logarithm of `predict_proba`; minus infinity where a class has no share."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def _read_target(self, y: object) -> tuple[Target, NDArray[np.int32]]:
        return encode_classes(y)

    def _read_weight(
        self, sample_weight: object, target: Target, answers: NDArray[np.int32]
    ) -> NDArray[np.float64] | None:
        weight = super()._read_weight(sample_weight, target, answers)
        return with_class_weight(weight, self.class_weight, target, answers)

    def _results(self, table: Table, tree: Tree, y: object) -> dict[str, object]:
        classes = classes_array(tree.schema.target, y)
        return super()._results(table, tree, y) | {"classes_": classes, "n_classes_": len(classes)}


class RegressorTree(RegressorMixin, BaseTree):
    """A tree whose leaves hold a number."""

    def predict(self, X: object) -> NDArray[np.float64]:
        """The number of each row's leaf: the mean of its training rows, or the median for absolute_error.

        Where a missing value sends a row to several leaves, the mean of their numbers by the row's weight in them.
        """
        return numbers(*self._ask(X))

    def _read_target(self, y: object) -> tuple[Target, NDArray[np.float64]]:
        return encode_numbers(y)
