"""Bad input: every case has a sentence that names what is wrong and says what to do."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from tests.estimators.family import X, Y, every, says
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    InputError,
    KindError,
    MDLTreeClassifier,
    MDLTreeRegressor,
)


@every
def test_empty_table(estimator: object) -> None:
    with says(InputError, r"X has 0 sample\(s\)", "minimum of 1 is required"):
        estimator.fit(np.empty((0, 2)), [])


@every
def test_no_columns(estimator: object) -> None:
    with says(InputError, r"X has 0 feature\(s\)", "minimum of 1 is required"):
        estimator.fit(np.empty((4, 0)), Y)
    with says(InputError, r"X has 0 feature\(s\)", "minimum of 1 is required"):
        estimator.fit(pd.DataFrame(index=range(4)), Y)


@every
def test_one_row_is_a_single_leaf(estimator: object) -> None:
    estimator.fit([[1.0, 2.0]], [7])
    assert estimator.get_n_leaves() == 1
    assert estimator.predict([[5.0, 5.0]]).tolist() == [7]


@every
def test_one_class_or_value_is_a_single_leaf(estimator: object) -> None:
    estimator.fit(X, [1, 1, 1, 1])
    assert estimator.get_n_leaves() == 1
    assert estimator.predict(X).tolist() == [1, 1, 1, 1]


@every
def test_constant_columns_are_a_single_leaf(estimator: object) -> None:
    estimator.fit(np.ones((4, 2)), [0, 0, 0, 1])
    assert estimator.get_n_leaves() == 1
    estimator.fit([["same"]] * 4, [0, 0, 0, 1])
    assert estimator.get_n_leaves() == 1


@every
def test_all_unique_ids_grow_or_stop_by_the_minimums(estimator: object) -> None:
    """A column of ids is legal; C4.5 wants two rows in two branches, and MDLTree values of two rows: so no split."""
    ids = [[f"id{i}"] for i in range(8)]
    estimator = clone(estimator).set_params(pruning=None).fit(ids, [0, 1] * 4)
    if isinstance(estimator, (C45Classifier, MDLTreeClassifier, MDLTreeRegressor)):
        assert estimator.get_n_leaves() == 1
    else:
        assert estimator.predict(ids).tolist() == [0, 1] * 4


@every
def test_one_dimensional_table(estimator: object) -> None:
    with says(InputError, "X must have 2 dimensions, got a 1D array of 4 cells", r"X.reshape\(-1, 1\)"):
        estimator.fit(np.arange(4.0), Y)
    estimator.fit(X, Y)
    with says(
        InputError,
        r"X must have 2 dimensions, got a 1D array of 2 cells\. Reshape your data with X\.reshape\(-1, 1\)",
        r"X.reshape\(1, -1\)",
    ):
        estimator.predict(X[0])
    with says(InputError, "X is a single column", "to_frame"):
        estimator.fit(pd.Series([1.0, 2.0, 3.0, 4.0]), Y)


@every
def test_rows_of_different_length(estimator: object) -> None:
    with says(InputError, "rows of different lengths", "one cell for each column"):
        estimator.fit([[1, 2], [1], [1, 2], [1, 2]], Y)


@every
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_cells(estimator: object, value: float) -> None:
    bad = pd.DataFrame(X, columns=["age", "income"])
    bad.loc[2, "income"] = value
    with says(InputError, "'income'", "inf", "row 2", "finite number"):
        estimator.fit(bad, Y)


@every
def test_wrong_lengths(estimator: object) -> None:
    with says(InputError, "X has 4 rows, but y has 3", "pass one .*for each row"):
        estimator.fit(X, [0, 1, 0])
    with says(InputError, "X has 4 rows, but sample_weight has 3", "pass one .*for each row"):
        estimator.fit(X, Y, sample_weight=[1, 1, 1])


@every
def test_target_is_not_given(estimator: object) -> None:
    with says(InputError, f"{type(estimator).__name__} requires y", "None", "pass the target of each row"):
        estimator.fit(X, None)


@every
@pytest.mark.parametrize("hole", [np.nan, None])
def test_target_with_a_hole(estimator: object, hole: object) -> None:
    with says(InputError, "y has a missing value", "row 2", "fill it or drop the row"):
        estimator.fit(X, [0, 1, hole, 1])


@every
def test_target_of_two_columns(estimator: object) -> None:
    with says(InputError, "y should be a 1d array", r"shape \(4, 2\)", "pass one column"):
        estimator.fit(X, X)


def test_target_of_the_wrong_sort() -> None:
    with says(InputError, "continuous", "use a regressor"):
        CARTClassifier().fit(X, [0.5, 1.5, 0.25, 1.0])
    with says(InputError, "y must contain numbers, got '(low|high)'", "use a classifier"):
        CARTRegressor().fit(X, ["low", "high", "low", "high"])


@every
@pytest.mark.parametrize(
    ("weight", "parts"),
    [
        ([1, 1, -2, 1], ("sample_weight", "negative value -2", "row 2", "weights must be at least 0")),
        ([1, 1, np.nan, 1], ("sample_weight", "missing value", "row 2", "fill it or drop the row")),
        ([1, 1, np.inf, 1], ("sample_weight", "infinite value inf", "row 2", "finite number")),
        ([0, 0, 0, 0], ("All weights are zero", "at least one row must have a weight above 0")),
        (["a", "b", "c", "d"], ("sample_weight", "must contain numbers, got 'a'")),
        ([[1, 1], [1, 1], [1, 1], [1, 1]], ("sample_weight has 2 dimensions", "pass 4 numbers")),
    ],
    ids=["negative", "nan", "inf", "all zero", "text", "2d"],
)
def test_bad_weights(estimator: object, weight: list, parts: tuple[str, ...]) -> None:
    with says(InputError, *parts):
        estimator.fit(X, Y, sample_weight=weight)


@every
def test_another_number_of_columns_at_predict(estimator: object) -> None:
    estimator.fit(X, Y)
    with says(InputError, "X has 1 features", "expecting 2 features"):
        estimator.predict(X[:, :1])


@every
def test_sparse_tables(estimator: object) -> None:
    from scipy.sparse import csr_array

    with says(KindError, "X is a sparse matrix", r"X.toarray\(\)"):
        estimator.fit(csr_array(X), Y)


@every
def test_dates(estimator: object) -> None:
    model = estimator.fit(pd.DataFrame({"born": pd.to_datetime(["2001-01-01"] * len(Y))}), Y)
    with says(KindError, "'born'", "dates or times", "pandas.to_datetime"):
        model.predict(pd.DataFrame({"born": ["2001-01-01"]}))
