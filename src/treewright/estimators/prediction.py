"""Rows for prediction: how a table is read for a fitted tree, and what missing and unseen values do there.

The parameters about missing values become parts of a plan, and at prediction a `PredictionPolicy`. A combination that
cannot work raises a ParameterError.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.criteria.registry import CRITERIA
from treewright.data.encode import UNSEEN_EFFECTS, Encoded, Unseen, encode_table, refuse_missing, warn_unseen
from treewright.data.frames import as_records
from treewright.data.schema import input_names
from treewright.data.sources import library_of
from treewright.errors import InputError, ParameterError, one_of
from treewright.estimators.parameters import count_threads, read_integer
from treewright.grow.plan import MISSING, SURROGATES, TWO_WAY_GROUPINGS
from treewright.model.strategies import REFUSED, STRATEGIES, UNIVERSAL_STRATEGIES
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import AT_NODES, route_few_rows
from treewright.predict.row_blocks import UnusualValue, open_table_rows

if TYPE_CHECKING:
    from treewright.estimators.base import BaseTreeEstimator

UNSEEN = UNSEEN_EFFECTS
"""What may be done with a category that did not occur in training."""

N_NAMES_SHOWN = 8
"""Columns listed in an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingParameters:
    """The parameters about missing values, as given; `plan_parts` checks them."""

    missing: object
    missing_predict: object
    unseen_category: object
    max_surrogates: object = 5
    surrogates: object = "needed"

    def plan_parts(self, grouping: str, criterion: str, binary_advice: str) -> dict[str, Any]:
        """Return the parts of a plan, checked against its other parts; `binary_advice` says how to get binary splits.

        >>> given = MissingParameters(missing="stop", missing_predict=None, unseen_category="missing")
        >>> given.plan_parts("each", "entropy", "use CART")["missing"]
        'stop'
        """
        missing = one_of("missing", self.missing, MISSING)
        strategy = STRATEGIES[missing]
        if strategy.surrogates and grouping not in TWO_WAY_GROUPINGS:
            raise ParameterError(
                f"missing={missing!r} requires binary splits, but here a category column can have more than two "
                "branches",
                advice=f"use missing='fractional', or {binary_advice}",
                option="use --missing fractional or --algorithm cart",
            )
        if strategy.adds_branch and CRITERIA[criterion].two_branches:
            raise ParameterError(
                f"missing={missing!r} adds a third branch and cannot be used with criterion={criterion!r}, which "
                "compares two; use missing='fractional' or another criterion."
            )
        if strategy.joins and CRITERIA[criterion].by_median and grouping not in TWO_WAY_GROUPINGS:
            raise ParameterError(
                f"missing={missing!r} cannot be used with criterion={criterion!r} when each category has its own "
                f"branch; use missing='fractional' or criterion='squared_error', or {binary_advice}."
            )
        search = one_of("surrogates", self.surrogates, SURROGATES)
        if search == "always" and not strategy.surrogates:
            raise ParameterError(
                f"surrogates='always' has no effect with missing={missing!r}; use missing='surrogate' or "
                "surrogates='needed'."
            )
        read_missing_predict(self.missing_predict, missing)
        one_of("unseen_category", self.unseen_category, UNSEEN)
        n_surrogates = read_integer("max_surrogates", self.max_surrogates, low=0)
        return {"missing": missing, "max_surrogates": n_surrogates, "surrogates": search}


@dataclass(frozen=True, slots=True)
class PredictionPolicy:
    """What a prediction does with missing values and unseen categories.

    rule    where rows with missing values go
    unseen  the value of `unseen_category`
    cells   what the encoder makes of an unseen category: "missing", "error", or "mark" if routing has to see it
    """

    rule: MissingPolicy
    unseen: str
    cells: str


def prediction_policy(tree: Tree, missing_predict: object, unseen_category: object) -> PredictionPolicy:
    """Return the policy for a tree; the parameters may have been changed since it was grown.

    >>> from treewright.model.build import golf_example
    >>> prediction_policy(golf_example(), "majority", "stop").cells
    'mark'
    """
    missing = read_missing_predict(missing_predict, tree.missing)
    unseen = one_of("unseen_category", unseen_category, UNSEEN)
    if unseen == "missing" and STRATEGIES[missing].goes == REFUSED:
        # An error that names the category is more helpful than one about a missing value.
        unseen = "error"
    return _prediction_policy(missing, unseen)


@cache
def _prediction_policy(missing: str, unseen: str) -> PredictionPolicy:
    if unseen in ("missing", "error"):
        return PredictionPolicy(MissingPolicy(missing), unseen, cells=unseen)
    return PredictionPolicy(MissingPolicy(missing, unseen), unseen, cells="mark")


def read_missing_predict(missing_predict: object, grown: str) -> str:
    """Return the strategy at prediction of a tree grown with the strategy `grown`; None is the same one.

    >>> read_missing_predict(None, "learned"), read_missing_predict("majority", "learned")
    ('learned', 'majority')
    """
    if missing_predict is None:
        return grown
    valid = UNIVERSAL_STRATEGIES if grown in UNIVERSAL_STRATEGIES else (*UNIVERSAL_STRATEGIES, grown)
    if isinstance(missing_predict, str) and missing_predict in valid:
        return missing_predict
    names = ", ".join(map(repr, valid))
    if isinstance(missing_predict, str) and missing_predict in MISSING:
        raise ParameterError(
            f"missing_predict={missing_predict!r} requires a tree grown with missing={missing_predict!r}, but here "
            f"missing={grown!r}; use None or one of {names}."
        )
    raise ParameterError(f"missing_predict must be None or one of {names}, got {missing_predict!r}.")


def predict_rows(model: "BaseTreeEstimator", predict: Callable[..., Any], X: object) -> Any:
    """Return what `predict` gives for the rows of a table, after a warning about unseen categories."""
    tree, policy = model._tree(), model._prediction_policy()
    check_names(model, X)
    n_threads = count_threads(model.n_jobs)
    if type(X) is np.ndarray:
        nodes = route_few_rows(tree, X)
        if nodes is not None:
            return AT_NODES[predict](tree, nodes)
    found, unseen = predict_table(tree, policy, partial(predict, n_threads=n_threads), X)
    if unseen:
        warn_of_unseen(unseen, policy)
    return found


def predict_table(
    tree: Tree, policy: PredictionPolicy, predict: Callable[[Tree, Any, MissingPolicy], Any], X: object
) -> tuple[Any, tuple[Unseen, ...]]:
    """Return what `predict` gives for a table whose column names were checked, and its unseen categories.

    The rows are read in blocks where that is possible.
    """
    rows = open_table_rows(X, tree.schema.columns, policy.rule.missing == "error")
    if rows is not None:
        try:
            return predict(tree, rows, policy.rule), ()
        except UnusualValue:
            pass
    encoded = encode_columns(tree, X, policy)
    return predict(tree, encoded.values, policy.rule), encoded.unseen


def is_source(X: object) -> bool:
    """Whether the rows are not in memory: a path, or a lazy frame.

    >>> is_source("data/*.parquet"), is_source([[1.0]])
    (True, False)
    """
    return type(X) is not np.ndarray and library_of(X) is not None


def predict_source(model: "BaseTreeEstimator", source: object, *, probabilities: bool = False) -> Any:
    """Return the predictions, or the probabilities, for a source whose rows are not in memory."""
    from treewright.scale.prediction import predict_source as predict

    return predict(model, source, probabilities=probabilities)


def encode_for_prediction(model: "BaseTreeEstimator", X: object) -> NDArray[np.float64]:
    """Return the rows of a table in the codes of the training table; unseen categories raise one warning."""
    check_names(model, X)
    return _encode_and_warn(model._tree(), X, model._prediction_policy())


def _encode_and_warn(tree: Tree, X: object, policy: PredictionPolicy) -> NDArray[np.float64]:
    encoded = encode_columns(tree, X, policy)
    if encoded.unseen:
        warn_of_unseen(encoded.unseen, policy)
    return encoded.values


def warn_of_unseen(unseen: Sequence[Unseen], policy: PredictionPolicy) -> None:
    """Warn once of all these categories, and say what happens to them."""
    warn_unseen(unseen, f"with unseen_category={policy.unseen!r} such a value {UNSEEN[policy.unseen]}")


def encode_rows(model: "BaseTreeEstimator", X: object, policy: PredictionPolicy) -> Encoded:
    """Return the rows of a table in the codes of the training table, without a warning."""
    check_names(model, X)
    return encode_columns(model.tree_, X, policy)


def encode_explained_rows(model: "BaseTreeEstimator", row: object, policy: PredictionPolicy) -> Encoded:
    """Return a row or several, in any form that `explain` takes, in the codes of the training table."""
    from treewright.explain.single_row import read_row

    tree = model._tree()
    named = getattr(model, "feature_names_in_", None) is not None
    cells = read_row(row, input_names(tree.schema.columns), named)
    return encode_rows(model, row, policy) if cells is None else encode_columns(tree, cells, policy)


def encode_columns(tree: Tree, X: object, policy: PredictionPolicy) -> Encoded:
    """Return the rows of a table whose column names were checked, in the codes of the training table."""
    columns = tree.schema.columns
    encoded = encode_table(X, columns, policy.cells)
    if policy.rule.missing == "error":
        refuse_missing(columns, encoded.values)
    return encoded


def check_names(model: "BaseTreeEstimator", X: object) -> None:
    """Refuse a table with other column names than in training."""
    # scikit-learn's check takes most of the time of predicting one row: it is skipped where it would pass.
    names = getattr(model, "feature_names_in_", None)
    if names is None and type(X) in (np.ndarray, list):
        return
    if library_of(X) is not None:
        raise InputError(
            "A path or a lazy frame can be used in fit, predict and predict_proba; pass a table in memory here."
        )
    given = string_names(X)
    if names is not None and given == names.tolist():
        return
    expected = input_names(model._tree().schema.columns)
    if names is not None and given == expected:
        return
    if as_records(X, expected) is not None:  # encode_table matches them by name
        return
    model._check_other_names(X)


def refuse_other_names(expected: Sequence[str] | None, X: object) -> None:
    """Refuse a table whose column names are not the expected ones, if both are known."""
    found = string_names(X)
    if expected is not None and found is not None:
        raise InputError(
            f"Expected the columns {_listed(expected)} as in training, got {_listed(found)}; pass the same columns in "
            "the same order."
        )


def string_names(X: object) -> list[str] | None:
    """Return the column names of a pandas or polars table, if all of them are strings."""
    columns: Any = getattr(X, "columns", None)
    names = columns.tolist() if hasattr(columns, "tolist") else columns
    return names if isinstance(names, list) and all(type(name) is str for name in names) else None


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - N_NAMES_SHOWN} more" if len(names) > N_NAMES_SHOWN else ""
    return ", ".join(map(repr, names[:N_NAMES_SHOWN])) + more
