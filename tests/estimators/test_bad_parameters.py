"""Bad parameters: every case has a sentence that names the parameter and what it takes."""

import numpy as np
import pytest

from tests.estimators.family import FRAME, X, Y, every, says
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
)


@every
def test_unknown_parameter_names(estimator: object) -> None:
    with says(TypeError, "'max_dept'"):
        type(estimator)(max_dept=3)
    with says(ValueError, "'max_dept'", "Valid parameters are", "'max_depth'"):
        type(estimator)().set_params(max_dept=3)


@every
def test_bad_values_of_common_parameters(estimator: object) -> None:
    for name, value, advice in [
        ("max_depth", 0, "integer of at least 1, or None"),
        ("max_depth", 2.5, "integer of at least 1, or None"),
        ("min_samples_split", 1, "integer of at least 2, or a fraction"),
        ("min_samples_leaf", 0, "integer of at least 1, or a fraction"),
        ("min_samples_leaf", 1.5, "fraction of the table above 0 and below 1"),
        ("min_impurity_decrease", -1, "number of at least 0"),
        ("min_weight_fraction_leaf", 0.7, "number from 0 to 0.5"),
        ("max_leaf_nodes", 1, "integer of at least 2, or None"),
        ("n_jobs", 0, "-1 for all cores"),
        ("categorical_features", "all", "'from_dtype', a list of names"),
    ]:
        bad = type(estimator)(**(estimator.get_params() | {name: value}))
        with says(ParameterError, f"^`?{name}`? must be ", advice) as caught:
            bad.fit(X, Y)
        assert repr(value) in str(caught.value)


CHOICES = [
    (ID3Classifier, "numeric", "'bisect', 'refuse'"),
    (C45Classifier, "variant", "'release8', 'j48', 'textbook'"),
    (C45Classifier, "criterion", "'gain_ratio', 'gain'"),
    (C45Classifier, "grouping", "'each', 'greedy', 'least-loss', 'binary'"),
    (CARTClassifier, "criterion", "'entropy', 'gini', 'twoing', 'log_loss'"),
    (CARTRegressor, "criterion", "'squared_error', 'absolute_error', 'poisson', 'friedman_mse'"),
    (TreeClassifier, "criterion", "'entropy', 'gini', 'twoing', 'log_loss'"),
    (TreeClassifier, "merit", "'decrease', 'ratio'"),
    (TreeClassifier, "floor", "'none', 'average', 'description'"),
    (TreeClassifier, "numeric", "'bisect', 'refuse'"),
    (TreeClassifier, "grouping", "'each', 'subset', 'greedy', 'least-loss', 'binary'"),
    (TreeClassifier, "threshold", "'midpoint', 'value'"),
    (TreeClassifier, "penalty", "'none', 'cuts', 'description'"),
    (TreeClassifier, "side", "'leaf', 'release8'"),
    (TreeClassifier, "minimum", "'rows', 'weight'"),
    (TreeRegressor, "criterion", "'squared_error', 'absolute_error', 'poisson', 'friedman_mse'"),
    (TreeRegressor, "grouping", "'subset', 'each', 'binary'"),
    (TreeRegressor, "minimum", "'rows', 'weight'"),
]


@pytest.mark.parametrize("value", ["best", 3, None])
@pytest.mark.parametrize(("estimator", "name", "valid"), CHOICES)
def test_unknown_choices_list_the_valid_ones(estimator: type, name: str, valid: str, value: object) -> None:
    with says(ParameterError, f"^{name} must be one of {valid}, got {value!r}\\.$"):
        estimator(**{name: value}).fit(X, Y)


@pytest.mark.parametrize(("estimator", "name"), [(TreeClassifier, "collapse")])
def test_bad_switches(estimator: type, name: str) -> None:
    with says(ParameterError, f"^{name} must be True or False, got 'no'"):
        estimator(**{name: "no"}).fit(X, Y)


@every
def test_unknown_categorical_columns(estimator: object) -> None:
    for listed, parts in [
        (["towm"], ("'towm' in `categorical_features`", "closest names are 'town'")),
        ([2], ("categorical_features", "indices from 0 to 1", "got 2")),
        ([True], ("categorical_features", "mask of 1", "2 columns")),
    ]:
        bad = type(estimator)(**(estimator.get_params() | {"categorical_features": listed}))
        with says(ParameterError, *parts):
            bad.fit(FRAME, Y)


@pytest.mark.parametrize(
    ("class_weight", "parts"),
    [
        ("equal", ("class_weight='equal'", "use None, 'balanced' or a dict")),
        (3, ("class_weight=3", "use None, 'balanced' or a dict")),
        ({"other": 2}, ("class_weight", "unknown class 'other'", "classes are 0, 1")),
        ({0: -1}, (r"class_weight\[0\]", "finite number of at least 0, got -1")),
        ({0: np.nan}, (r"class_weight\[0\]", "finite number of at least 0, got nan")),
    ],
)
def test_bad_class_weights(class_weight: object, parts: tuple[str, ...]) -> None:
    with says(ParameterError, *parts):
        CARTClassifier(class_weight=class_weight).fit(X, Y)
