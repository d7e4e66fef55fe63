"""The two tasks of a tree: classification and regression.

`BaseTreeClassifier` and `BaseTreeRegressor` differ in how they read the target, weight the rows and predict.
"""

from dataclasses import replace
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Target
from treewright.data.target import classes_array, encode_classes, encode_numbers
from treewright.data.weights import apply_class_weight, apply_priors
from treewright.errors import InputError, ParameterError
from treewright.estimators.base import BaseTreeEstimator
from treewright.estimators.class_probabilities import (
    apply_costs,
    choose_prediction_rule,
    read_class_priors,
    read_cost_matrix,
    read_smoothing,
)
from treewright.estimators.monotonic_constraints import has_constraints, keeps_order
from treewright.estimators.prediction import is_source, predict_rows, predict_source
from treewright.estimators.pruning import PruningOutcome, PruningSettings
from treewright.estimators.shrunken_means import choose_number_rule, read_number_smoothing
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.model.tree import Tree
from treewright.predict.predictions import predict_class_codes, predict_numbers, predict_probabilities
from treewright.prune.method import PruningInput


class BaseTreeClassifier(BaseTreeEstimator):
    """A tree that predicts classes."""

    class_weight: Any
    cost_matrix: Any
    priors: Any
    probability: str
    classes_: NDArray[Any]
    n_classes_: int

    def predict(self, X: object) -> Any:
        """Return the most probable class of each row; on a tie the one that comes first in `classes_`.

        With a cost matrix, the class of least expected cost. If a missing value sends a row to several
        leaves, their probabilities are averaged by the weight of the row in them.

        Parameters
        ----------
        X : array, list of rows, table of pandas, polars or pyarrow, or a source
            Rows with the columns of the training table; also a dict by column name, or a list of them. A source is a
            path or pattern of files, or a lazy frame of DuckDB, polars, Dask, Spark or Ibis: see docs/scale.md.

        Returns
        -------
        array of shape (n_rows,), or a lazy frame
            Predicted classes. Of a lazy frame: the frame with the column `prediction`.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.predict([[1.5], [9.0]]).tolist()
        ['a', 'b']
        """
        if is_source(X):
            return predict_source(self, X)
        codes = predict_rows(self, predict_class_codes, X)
        return self.classes_.take(codes)

    def predict_proba(self, X: object) -> Any:
        """Return the probability of each class for each row.

        It is the proportion of the class in the leaf of the row, or as the parameter `probability` says.
        Costs do not change it; priors and class weights do. If a missing value sends a row to several leaves,
        it is the mean by the weight of the row in them.

        Parameters
        ----------
        X : array, list of rows, table of pandas, polars or pyarrow, or a source
            Rows with the columns of the training table; also a dict by column name, or a list of them. A source is a
            path or pattern of files, or a lazy frame of DuckDB, polars, Dask, Spark or Ibis: see docs/scale.md.

        Returns
        -------
        float64 array of shape (n_rows, n_classes), or a lazy frame
            Probabilities, in the order of `classes_`. Of a lazy frame: the frame with the column `prediction`, and a
            column such as `probability_yes` for each class.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.predict_proba([[1.5], [9.0]]).tolist()
        [[1.0, 0.0], [0.0, 1.0]]
        """
        if is_source(X):
            return predict_source(self, X, probabilities=True)
        return cast(NDArray[np.float64], predict_rows(self, predict_probabilities, X))

    def predict_log_proba(self, X: object) -> NDArray[np.float64]:
        """Return the natural logarithm of `predict_proba`; minus infinity for a probability of 0.

        Parameters
        ----------
        X : array, list of rows, or table of pandas, polars or pyarrow
            Rows with the columns of the training table; also a dict by column name, or a list of them.

        Returns
        -------
        float64 array of shape (n_rows, n_classes)
            Logarithms of the probabilities, in the order of `classes_`.

        Examples
        --------
        >>> from treewright import CARTClassifier
        >>> model = CARTClassifier(pruning=None).fit([[1.0], [2.0], [3.0]], ["a", "a", "b"])
        >>> model.predict_log_proba([[1.5]]).tolist()
        [[0.0, -inf]]
        """
        probabilities = self.predict_proba(X)
        if not isinstance(probabilities, np.ndarray):
            raise InputError("predict_log_proba takes a table in memory or a path; use predict_proba for a lazy frame.")
        with np.errstate(divide="ignore"):
            return np.log(probabilities)

    @property
    def smoothing_(self) -> float:
        """Amount of smoothing of the probabilities: m of the m-estimate, lambda of shrinkage; otherwise 0."""
        return self._tree().prediction_rule.amount

    def _read_target(self, y: object) -> tuple[Target, NDArray[np.int32]]:
        return encode_classes(y)

    def _read_weight(
        self, sample_weight: object, target: Target, encoded_y: NDArray[np.int32]
    ) -> NDArray[np.float64] | None:
        weight = super()._read_weight(sample_weight, target, encoded_y)
        priors = read_class_priors(self.priors, target)
        if priors is not None:
            return apply_priors(weight, priors, encoded_y)
        return apply_class_weight(weight, self.class_weight, target, encoded_y)

    def _apply_costs(self, rows: Dataset) -> tuple[Dataset, PredictionRule]:
        return apply_costs(rows, read_cost_matrix(self.cost_matrix, rows.schema.target))

    def _check_probability(self) -> None:
        read_smoothing(self.probability, self.smoothing)
        if has_constraints(self.monotonic_cst) and not keeps_order(self.probability):
            raise ParameterError(
                f"probability={self.probability!r} changes small leaves more than large ones and can break the "
                "constraints of monotonic_cst; use probability='frequency' or 'shrinkage'."
            )
        if self.priors is not None and self.class_weight is not None:
            raise ParameterError("priors and class_weight cannot be combined; set one of the two.")

    def _with_probabilities(
        self, outcome: PruningOutcome, pruning: PruningSettings, pruning_input: PruningInput
    ) -> PruningOutcome:
        probability, smoothing = read_smoothing(self.probability, self.smoothing)
        rule = choose_prediction_rule(probability, smoothing, pruning, pruning_input)
        tree = with_prediction_rule(outcome.tree, rule)
        return outcome if tree is outcome.tree else replace(outcome, tree=tree)

    def _target_attributes(self, tree: Tree, y: object) -> dict[str, object]:
        classes = classes_array(tree.schema.target, y)
        return {"classes_": classes, "n_classes_": len(classes)}

    def _check_target_parameters(self, target: Target) -> None:
        read_cost_matrix(self.cost_matrix, target)
        read_class_priors(self.priors, target)


class BaseTreeRegressor(BaseTreeEstimator):
    """A tree that predicts numbers."""

    _is_regressor: ClassVar[bool] = True

    def predict(self, X: object) -> Any:
        """Return the number that the leaf of each row predicts.

        It is the mean of the training rows of the leaf, or their median for absolute_error; with `smoothing`
        it is shrunk towards the nodes above. If a missing value sends a row to several leaves, it is the mean
        of their numbers by the weight of the row in them.

        Parameters
        ----------
        X : array, list of rows, table of pandas, polars or pyarrow, or a source
            Rows with the columns of the training table; also a dict by column name, or a list of them. A source is a
            path or pattern of files, or a lazy frame of DuckDB, polars, Dask, Spark or Ibis: see docs/scale.md.

        Returns
        -------
        float64 array of shape (n_rows,), or a lazy frame
            Predicted numbers. Of a lazy frame: the frame with the column `prediction`.

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1.0], [2.0], [3.0]], [1.0, 1.0, 4.0])
        >>> model.predict([[1.5], [9.0]]).tolist()
        [1.0, 4.0]
        """
        if is_source(X):
            return predict_source(self, X)
        return cast(NDArray[np.float64], predict_rows(self, predict_numbers, X))

    @property
    def smoothing_(self) -> float:
        """Lambda of the shrinkage of the predictions towards the nodes above; 0 without shrinkage."""
        return self._tree().prediction_rule.amount

    def _read_target(self, y: object) -> tuple[Target, NDArray[np.float64]]:
        return encode_numbers(y)

    def _check_probability(self) -> None:
        read_number_smoothing(self.smoothing)

    def _with_probabilities(
        self, outcome: PruningOutcome, pruning: PruningSettings, pruning_input: PruningInput
    ) -> PruningOutcome:
        amount = read_number_smoothing(self.smoothing)
        if amount is None and pruning_input.rows is None:  # a model from a file that is pruned again: as it was chosen
            amount = self.smoothing_
        rule = choose_number_rule(amount, pruning, pruning_input)
        tree = with_prediction_rule(outcome.tree, rule)
        return outcome if tree is outcome.tree else replace(outcome, tree=tree)
