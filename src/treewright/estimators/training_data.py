"""Training data: the tables, targets and weights that a tree is grown and pruned by, encoded.

`read_training_data` reads the table of a fit; the other functions encode further rows with their targets as that table
was encoded: validation rows, and the training rows when they are passed again.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.encode import Table, read_table, refuse_missing, with_formats
from treewright.data.frames import count_rows
from treewright.data.schema import Schema, Target
from treewright.data.sources import library_of
from treewright.data.target import check_same_length, encode_known_target
from treewright.data.weights import WeightedRows, drop_zero_weights
from treewright.errors import InputError, KindError
from treewright.estimators.class_probabilities import apply_cost_factors
from treewright.estimators.prediction import PredictionPolicy, encode_rows, prediction_policy
from treewright.estimators.pruning import read_validation_fraction, require_pair

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator


class LabelledRows(NamedTuple):
    """Rows with their targets and weights, as the user passes them; all None if there are none."""

    X: object
    y: object
    sample_weight: object


class TrainingData(NamedTuple):
    """A training table that was read.

    table  the description of its columns
    rows   its rows, encoded, without those of weight 0
    y      the target as given, without these rows
    """

    table: Table
    rows: Dataset
    y: object


def read_training_data(estimator: "BaseTreeEstimator", X: object, y: object, sample_weight: object) -> TrainingData:
    """Describe and encode a training table, without the rows of weight 0."""
    if y is None:
        raise InputError(
            f"{type(estimator).__name__} requires y to be passed, but the target y is None; pass the target of each "
            "row as y."
        )
    given = drop_zero_weights(X, y, sample_weight)
    with given.errors():
        table = read_table(given.X, estimator.categorical_features)
        target, encoded_y = estimator._read_target(given.y)
        check_same_length(table.values.shape[0], y=encoded_y)
        left, encoded_y = _weight_rows(estimator, given, target, encoded_y)
    with left.errors():
        if left.X is not given.X:
            table = read_table(left.X, estimator.categorical_features)
        if estimator.missing == "error":
            refuse_missing(table.columns, table.values)
    rows = Dataset(
        with_formats(Schema(table.columns, target), X), table.values, encoded_y, left.sample_weight,
        _weights_are_copies(estimator), table.ranges,
    )  # fmt: skip
    return TrainingData(table, rows, given.y)


def _weight_rows(
    estimator: "BaseTreeEstimator", given: WeightedRows, target: Target, encoded_y: NDArray[Any]
) -> tuple[WeightedRows, NDArray[Any]]:
    """The rows with their weights, and their encoded targets, without the rows of a class of weight 0.

    Such a class stays a class, as in scikit-learn: `class_weight` names it.
    """
    weight = estimator._read_weight(given.sample_weight, target, encoded_y)
    if weight is None or weight.all() or count_rows(given.X) != len(weight):
        return replace(given, sample_weight=weight), encoded_y
    kept = np.flatnonzero(weight)
    return given.take(kept, weight), encoded_y[kept]


def _weights_are_copies(estimator: "BaseTreeEstimator") -> bool:
    """Whether integer weights count as copies of rows; weights of classes are always importances."""
    return getattr(estimator, "class_weight", None) is None and getattr(estimator, "priors", None) is None


def encode_labelled_rows(
    model: "BaseTreeEstimator", given: LabelledRows, policy: PredictionPolicy
) -> tuple[Dataset, NDArray[np.intp] | None]:
    """Rows with their targets in the codes of the training table, without those of weight 0.

    Also returns the position of each row in the table as given; None if no row was left out.
    """
    if library_of(given.X) is not None:
        raise InputError(
            f"The rows are a source ({type(given.X).__name__}), but only `fit` and `predict` take one; pass a table in "
            "memory."
        )
    counted, schema = drop_zero_weights(*given), model.tree_.schema
    with counted.errors():
        left, encoded_y = _weight_rows(
            model, counted, schema.target, encode_known_target(counted.y, schema.target)
        )
    with left.errors():
        encoded = encode_rows(model, left.X, policy)
        check_same_length(len(encoded.values), y=encoded_y)
    rows = Dataset(schema, encoded.values, encoded_y, left.sample_weight, _weights_are_copies(model))
    return apply_cost_factors(rows, model.tree_.prediction_rule), left.rows


def encode_validation_rows(model: "BaseTreeEstimator", given: LabelledRows) -> Dataset:
    """Validation rows in the codes of the training table; errors say that they are about these rows."""
    try:
        return encode_labelled_rows(model, given, model._prediction_policy())[0]
    except (InputError, KindError) as error:
        raise error.reworded("In the validation rows: {}".format) from None


def encode_training_rows_again(model: "BaseTreeEstimator", given: LabelledRows) -> tuple[Dataset, Dataset | None]:
    """The rows the tree was grown on and those held out from them, from the table that was passed to `fit`."""
    from treewright.predict.training_match import compare_with_training

    policy = prediction_policy(model.grown_tree_, None, "error")
    fraction = read_validation_fraction(model.validation_fraction)
    rows, held_out = hold_out_validation(encode_labelled_rows(model, given, policy)[0], fraction)
    found = compare_with_training(model.grown_tree_, rows)
    if found.n_rows != found.n_grown:
        raise InputError(
            f"The tree was grown on {found.n_grown} rows, but the table has {found.n_rows}; pass the training rows "
            "again."
        )
    if not found.same_weights:
        raise InputError(
            f"The tree was grown on rows of total weight {found.grown.sum():g}, but the table has other targets or "
            f"weights, of total weight {found.weights.sum():g}",
            advice="pass the same rows, sample_weight, class_weight and priors again",
            option="use the training table and its --weights",
        )
    return rows, held_out


def training_rows(model: "BaseTreeEstimator", given: LabelledRows) -> Dataset:
    """The rows the tree was grown on: those passed again, or those that `fit` kept."""
    model._tree()
    require_pair(X=given.X, y=given.y, sample_weight=given.sample_weight)
    if given.X is not None:
        return encode_training_rows_again(model, given)[0]
    if model._kept is None:
        raise InputError(
            "The training rows are required, but the model does not have them",
            advice="pass X and y, and sample_weight if there was one (large tables are not kept, and a stored model "
            "has its rows only if it was saved with rows=True)",
            option="use --data FILE with the training table, or fit again with --keep rows",
        )
    return model._kept


def hold_out_validation(rows: Dataset, fraction: float | None) -> tuple[Dataset, Dataset | None]:
    """Split rows into those to grow on and those held out for validation, if a fraction is."""
    if fraction is None:
        return rows, None
    from treewright.data.folds import hold_out

    return hold_out(rows, fraction)
