"""Tasks: where a classifier and a regressor differ.

In: a target as the user has it; at prediction the rows to be answered. Out: the encoded target; classes,
class shares or numbers.
"""

from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.encode import Table
from treewright.data.schema import Target
from treewright.data.target import classes_array, encode_classes, encode_numbers
from treewright.data.weights import with_class_weight, with_priors
from treewright.errors import ParameterError
from treewright.estimators.base import BaseTree
from treewright.estimators.costs import priced, read_class_priors, read_cost_matrix
from treewright.estimators.monotonic import constrains, keeps_order
from treewright.estimators.pruning import Outcome, Pruning
from treewright.estimators.smoothing import answering_of, read_smoothing
from treewright.model.answering import Answering, answered
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers, shares
from treewright.prune.method import Material


class ClassifierTree(BaseTree):
    """A tree whose leaves hold class shares."""

    _fitted: ClassVar[tuple[str, ...]] = (*BaseTree._fitted, "classes_", "n_classes_")

    class_weight: Any
    cost_matrix: Any
    priors: Any
    probability: str
    smoothing: float | None
    classes_: NDArray[Any]
    n_classes_: int

    def predict(self, X: object) -> NDArray[Any]:
        """The likeliest class in each row's leaf; on a tie the one that comes first in `classes_`.

        With a cost matrix, the class of least expected cost. Where a missing value sends a row to several leaves, their
        mean probabilities count.
        """
        codes = self._answers(class_codes, X)
        return self.classes_.take(codes)

    def predict_proba(self, X: object) -> NDArray[np.float64]:
        """The probability of each class in each row's leaf, in the order of `classes_`: its share, unless `probability`
        says otherwise. What answers cost does not change it; priors and class weights do.

        Where a missing value sends a row to several leaves, the mean by the row's weight in them.
        """
        return cast(NDArray[np.float64], self._answers(shares, X))

    def predict_log_proba(self, X: object) -> NDArray[np.float64]:
        """The natural logarithm of `predict_proba`; minus infinity where a class has no share."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @property
    def smoothing_(self) -> float:
        """How many rows the probabilities are smoothed by: m of the m-estimate, lambda of shrinkage; otherwise 0."""
        return self._tree().answering.amount

    def _read_target(self, y: object) -> tuple[Target, NDArray[np.int32]]:
        return encode_classes(y)

    def _check_answering(self) -> None:
        read_smoothing(self.probability, self.smoothing)
        if constrains(self.monotonic_cst) and not keeps_order(self.probability):
            raise ParameterError(
                f"probability={self.probability!r} moves small leaves more than large ones, which can break the order "
                "that monotonic_cst asks for; choose probability='frequency' or 'shrinkage'."
            )
        if self.priors is not None and self.class_weight is not None:
            raise ParameterError("priors and class_weight both say how much the classes weigh; give one of the two.")

    def _check_parameters(self) -> None:
        super()._check_parameters()
        target = self._tree().schema.target
        read_cost_matrix(self.cost_matrix, target)
        read_class_priors(self.priors, target)

    def _priced(self, rows: Dataset) -> tuple[Dataset, Answering]:
        return priced(rows, read_cost_matrix(self.cost_matrix, rows.schema.target))

    def _answering_as_asked(self, outcome: Outcome, pruning: Pruning, material: Material) -> Outcome:
        how = answering_of(*read_smoothing(self.probability, self.smoothing), pruning, material)
        tree = answered(outcome.tree, how)
        return outcome if tree is outcome.tree else replace(outcome, tree=tree)

    def _read_weight(
        self, sample_weight: object, target: Target, answers: NDArray[np.int32]
    ) -> NDArray[np.float64] | None:
        weight = super()._read_weight(sample_weight, target, answers)
        shares = read_class_priors(self.priors, target)
        if shares is not None:
            return with_priors(weight, shares, answers)
        return with_class_weight(weight, self.class_weight, target, answers)

    def _results(self, table: Table, tree: Tree, y: object) -> dict[str, object]:
        classes = classes_array(tree.schema.target, y)
        return super()._results(table, tree, y) | {"classes_": classes, "n_classes_": len(classes)}


class RegressorTree(BaseTree):
    """A tree whose leaves hold a number."""

    _is_regressor: ClassVar[bool] = True

    def predict(self, X: object) -> NDArray[np.float64]:
        """The number of each row's leaf: the mean of its training rows, or the median for absolute_error.

        Where a missing value sends a row to several leaves, the mean of their numbers by the row's weight in them.
        """
        return cast(NDArray[np.float64], self._answers(numbers, X))

    def _read_target(self, y: object) -> tuple[Target, NDArray[np.float64]]:
        return encode_numbers(y)
