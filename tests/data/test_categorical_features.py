"""The parameter categorical_features in all its forms."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
)
from treewright.data.categorical_features import declared_categories
from treewright.data.encode import encode_table, read_table
from treewright.data.schema import Kind
from treewright.errors import InputError, ParameterError

NAMES = ("age", "colour", "色")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("from_dtype", [False, False, False]),
        ([], [False, False, False]),
        (["色", "age"], [True, False, True]),
        (("colour",), [False, True, False]),
        ([0, 2], [True, False, True]),
        (np.array([1]), [False, True, False]),
        ([True, False, False], [True, False, False]),
        (np.array([False, True, False]), [False, True, False]),
        (["age", 1], [True, True, False]),
        ({}, [False, False, False]),
        ({"age": "category"}, [True, False, False]),
        ({"colour": ["b", "a"], "色": "category"}, [False, ("b", "a"), True]),
        ({0: (1, 2), 2: np.array([3.0, 4.5])}, [(1, 2), False, (3, 4.5)]),
        ({"age": pd.Index([1, 2])}, [(1, 2), False, False]),
    ],
)
def test_forms(given, expected):
    assert declared_categories(given, NAMES) == expected


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["color"], "Unknown column 'color' in `categorical_features`; the closest names are 'colour'"),
        (
            ["zzz"],
            "Unknown column 'zzz' in `categorical_features`; the closest names are 'age', 'colour', '色'",
        ),
        ([3], r"`categorical_features` must have indices from 0 to 2 \('age' to '色'\), got 3"),
        ([-1], r"`categorical_features` must have indices from 0 to 2 \('age' to '色'\), got -1"),
        (
            [True, False],
            "`categorical_features` must have one value per column, got a mask of 2 values for 3 columns",
        ),
        ("colour", "`categorical_features` must be 'from_dtype', a list of names, .* low to high, got 'colour'"),
        (None, "`categorical_features` must be 'from_dtype', a list of names, .* low to high, got None"),
        (5, "`categorical_features` must be 'from_dtype', a list of names, .* low to high, got 5"),
        (
            [1.5],
            r"`categorical_features` must be 'from_dtype', a list of names, .* low to high, got 1\.5 in it",
        ),
        (
            [0, True],
            "`categorical_features` must be 'from_dtype', a list of names, .* low to high, got True in it",
        ),
        (
            {"color": ["a"]},
            "Unknown column 'color' in `categorical_features`; the closest names are 'colour'",
        ),
        ({7: ["a"]}, r"`categorical_features` must have indices from 0 to 2 \('age' to '色'\), got 7"),
        (
            {True: ["a"]},
            "`categorical_features` must be 'from_dtype', a list of names, .* low to high, got True in it",
        ),
        (
            {"age": "categorical"},
            r"`categorical_features\['age'\]` must be 'category' or a list of categories from low to high, "
            r"got 'categorical'\.$",
        ),
        (
            {"age": None},
            r"`categorical_features\['age'\]` must be 'category' or a list of categories from low to high, "
            r"got None\.$",
        ),
        (
            {"age": {"a", "b"}},
            r"`categorical_features\['age'\]` must be 'category' or a list of categories from low to high, "
            r"got \{'[ab]', '[ab]'\}\.$",
        ),
        (
            {"age": {"a": 1}},
            r"`categorical_features\['age'\]` must be 'category' or a list of categories from low to high, "
            r"got \{'a': 1\}\.$",
        ),
        ({"age": []}, r"`categorical_features\['age'\]` is empty; list the categories from low to high"),
        (
            {"age": ["a", "b", "a"]},
            r"`categorical_features\['age'\]` contains the category 'a' twice; list each category once",
        ),
        (
            {"age": [1, 1.0]},
            r"`categorical_features\['age'\]` contains the category 1 twice; list each category once",
        ),
        (
            {"age": ["a", None]},
            r"`categorical_features\['age'\]` must not contain missing values, got None; remove it",
        ),
        (
            {"age": ["a", float("nan")]},
            r"`categorical_features\['age'\]` must not contain missing values, got nan; remove it",
        ),
        ({"age": [["a"]]}, r"`categorical_features\['age'\]` must contain strings or numbers, got \['a'\]"),
        ({"age": ["a"], 0: ["b"]}, "`categorical_features` declares column 'age' twice; declare it once"),
    ],
)
def test_errors(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        declared_categories(given, NAMES)


ESTIMATORS = (C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier, TreeRegressor)
SIZES = ["S", "L", None, "M", "S"]
TABLES = {
    "pandas": pd.DataFrame({"size": SIZES, "grade": [1, 3, 2, 2, 1]}),
    "category": pd.DataFrame(
        {"size": pd.Categorical(SIZES), "grade": pd.Categorical([1, 3, 2, 2, 1], ordered=True)}
    ),
    "polars": pl.DataFrame({"size": SIZES, "grade": [1, 3, 2, 2, 1]}),
    "enum": pl.DataFrame(
        {"size": pl.Series(SIZES, dtype=pl.Enum(["L", "M", "S"])), "grade": [1.0, 3.0, 2.0, 2.0, 1.0]}
    ),
    "rows": [[size, grade] for size, grade in zip(SIZES, [1, 3, 2, 2, 1], strict=True)],
}
ORDER = {0: ["S", "M", "L", "XL"], 1: [3, 2, 1]}


@pytest.mark.parametrize("kind", TABLES)
def test_ordered_categories_of_any_table(kind):
    table = read_table(TABLES[kind], ORDER)
    assert [(c.kind, c.categories) for c in table.columns] == [
        (Kind.ORDERED, ("S", "M", "L", "XL")),
        (Kind.ORDERED, (3, 2, 1)),
    ]
    assert np.array_equal(table.values[:, 0], [0, 2, np.nan, 1, 0], equal_nan=True)
    assert table.values[:, 1].tolist() == [2, 0, 1, 1, 2]
    again = encode_table(TABLES[kind], table.columns)
    assert np.array_equal(again.values, table.values, equal_nan=True)


def test_the_same_as_an_ordered_type_of_pandas():
    order = ["S", "M", "L"]
    by_type = TABLES["pandas"].assign(size=pd.Categorical(SIZES, categories=order, ordered=True))
    by_name = read_table(TABLES["polars"], {"size": order})
    assert by_name.columns == read_table(by_type).columns
    assert np.array_equal(by_name.values, read_table(by_type).values, equal_nan=True)


def test_category_goes_before_the_order_of_a_type():
    table = read_table(TABLES["category"], {"grade": "category"})
    assert [column.kind for column in table.columns] == [Kind.CATEGORY, Kind.CATEGORY]


def test_a_value_that_is_not_listed():
    message = (
        "Column 'size' has the value 'L' in row 1, which is not in `categorical_features`; its categories are 'S', 'M'"
    )
    with pytest.raises(InputError, match=message):
        read_table(TABLES["polars"], {"size": ["S", "M"]})
    assert read_table(TABLES["enum"].head(1), {"size": ["S"]}).columns[0].categories == ("S",)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_estimators_take_it_and_can_be_cloned(estimator):
    order = {"size": ["S", "M", "L"], "grade": [1, 2, 3]}
    X = pl.DataFrame({"size": ["S", "L", "M", "S", "L", "M"], "grade": [1, 3, 2, 2, 1, 3]})
    y = [0, 1, 0, 0, 1, 1]
    more = {"numeric": "bisect"} if estimator is ID3Classifier else {}
    model = estimator(categorical_features=order, **more)
    twin = clone(model)
    assert twin.get_params()["categorical_features"] == order
    assert estimator(**more).set_params(categorical_features=order).categorical_features is order
    assert [column.kind for column in twin.fit(X, y).tree_.schema.columns] == [Kind.ORDERED, Kind.ORDERED]
    assert np.array_equal(twin.predict(X), model.fit(X.to_pandas(), y).predict(X.to_pandas()))
    assert order == {"size": ["S", "M", "L"], "grade": [1, 2, 3]}
    assert "categorical_features={'grade'" in repr(model) or "categorical_features={'size'" in repr(model)
