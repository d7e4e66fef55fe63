"""Contracts with tables: any library, any labels, one tree."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    InputError,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    UnseenCategoryWarning,
)

ALL = [
    ID3Classifier(numeric="bisect"),
    C45Classifier(),
    C45Classifier(grouping="greedy"),
    C45Classifier(variant="textbook"),
    CARTClassifier(),
    CARTRegressor(),
    MDLTreeClassifier(),
    MDLTreeRegressor(),
    TreeClassifier(criterion="gini", grouping="each"),
    TreeRegressor(grouping="each"),
]
every = pytest.mark.parametrize("estimator", ALL, ids=repr)

COLOURS = ["red", "green", "blue", "blue", "red", "green", "blue", "red"] * 3
SIZES = ["S", "M", "L", "S", "M", "L", "M", "S"] * 3
HEIGHTS = [1.5, 2.5, 0.5, 3.5, 1.0, 2.0, 4.0, 0.25] * 3
FLAGS = [True, False, True, True, False, False, True, False] * 3
ANSWERS = [1, 0, 1, 1, 0, 0, 1, 1] * 3


def _columns() -> dict[str, list]:
    return {"colour": COLOURS, "height": HEIGHTS, "flag": FLAGS}


def _dictionary(words: list[str]) -> pa.DictionaryArray:
    """Words as codes into a sorted dictionary: the order of a dictionary is the order of the categories."""
    found = sorted(set(words))
    return pa.DictionaryArray.from_arrays([found.index(word) for word in words], found)


TABLES: dict[str, Callable[[dict[str, list]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas object": lambda columns: pd.DataFrame(columns).astype({"colour": object}),
    "pandas category": lambda columns: pd.DataFrame(columns).astype({"colour": "category"}),
    "pandas nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
    "polars categorical": lambda columns: pl.DataFrame(columns).cast({"colour": pl.Categorical}),
    "pyarrow": pa.table,
    "pyarrow dictionary": lambda columns: pa.table(columns | {"colour": _dictionary(columns["colour"])}),
    "numpy object": lambda columns: np.array(list(zip(*columns.values(), strict=True)), dtype=object),
    "list of rows": lambda columns: [list(row) for row in zip(*columns.values(), strict=True)],
}


@every
@pytest.mark.parametrize("library", TABLES)
def test_every_library_gives_one_tree(estimator: BaseEstimator, library: str) -> None:
    reference = clone(estimator).fit(pd.DataFrame(_columns()), ANSWERS)
    table = TABLES[library](_columns())
    model = clone(estimator).fit(table, ANSWERS)
    assert model.tree_.n_nodes > 1
    if hasattr(model, "feature_names_in_"):
        assert model.tree_ == reference.tree_
    for name in ("parent", "column", "threshold", "table_code", "table_branch", "count", "stats", "gain"):
        np.testing.assert_array_equal(getattr(model.tree_, name), getattr(reference.tree_, name))
    np.testing.assert_array_equal(model.predict(table), reference.predict(pd.DataFrame(_columns())))


@every
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_tree_grown_on_one_library_answers_all(estimator: BaseEstimator, library: str) -> None:
    model = clone(estimator).fit(TABLES[library](_columns()), ANSWERS)
    expected = model.predict(TABLES[library](_columns()))
    for other in ("pandas category", "pandas arrow", "polars", "polars categorical", "pyarrow dictionary"):
        np.testing.assert_array_equal(model.predict(TABLES[other](_columns())), expected)


@every
@pytest.mark.parametrize(
    "series",
    [pd.Series, pl.Series, pa.array, lambda y: pa.chunked_array([y]), np.array, list, tuple],
    ids=["pandas", "polars", "pyarrow", "pyarrow chunked", "numpy", "list", "tuple"],
)
def test_every_library_gives_one_target(estimator: BaseEstimator, series: Callable[[list], Any]) -> None:
    table = pd.DataFrame(_columns())
    reference = clone(estimator).fit(table, ANSWERS)
    model = clone(estimator).fit(table, series(ANSWERS), sample_weight=series([1.0] * len(ANSWERS)))
    assert model.tree_ == reference.tree_
    np.testing.assert_array_equal(model.predict(table), reference.predict(table))


@every
def test_renamed_categories_rename_the_tree(estimator: BaseEstimator) -> None:
    """Words in any script give the same tree, in those words; the new names keep the sorted order."""
    names = {"blue": "一蓝🌊", "green": "二绿🌿", "red": "三红🍎"}
    names = dict(zip(names, sorted(names.values()), strict=True))
    plain = clone(estimator).fit(pd.DataFrame(_columns()), ANSWERS)
    table = pd.DataFrame(_columns() | {"colour": [names[c] for c in COLOURS]})
    model = clone(estimator).fit(table, ANSWERS)
    expected = plain.to_text()
    for old, new in names.items():
        expected = expected.replace(old, new)
    assert model.to_text() == expected
    np.testing.assert_array_equal(model.predict(table), plain.predict(pd.DataFrame(_columns())))


@pytest.mark.parametrize("estimator", [e for e in ALL if is_classifier(e)], ids=repr)
@pytest.mark.parametrize(
    "labels",
    [("否", "是"), ("⛔", "🎾"), (False, True), (-7, 3), ("a b", 'c"d')],
    ids=["zh", "emoji", "bool", "int", "odd"],
)
def test_any_labels(estimator: BaseEstimator, labels: tuple) -> None:
    table = pd.DataFrame(_columns())
    reference = clone(estimator).fit(table, ANSWERS)
    model = clone(estimator).fit(table, [labels[a] for a in ANSWERS])
    assert model.classes_.tolist() == list(labels)
    assert model.predict(table).tolist() == [labels[a] for a in reference.predict(table)]


@every
def test_truth_values_are_categories(estimator: BaseEstimator) -> None:
    model = clone(estimator).fit(
        pd.DataFrame({"flag": FLAGS}), FLAGS if is_classifier(estimator) else ANSWERS
    )
    assert np.isnan(model.tree_.threshold).all()
    assert model.tree_.schema.columns[0].categories == (False, True)


@every
def test_ordered_categories_are_cut_in_their_order(estimator: BaseEstimator) -> None:
    order = ["S", "M", "L"]
    ordered = pd.Categorical(SIZES, categories=order, ordered=True)
    answers = [int(s == "L") for s in SIZES]
    model = clone(estimator).fit(pd.DataFrame({"size": ordered}), answers)
    position = clone(estimator).fit(pd.DataFrame({"size": [order.index(s) for s in SIZES]}), answers)
    assert model.tree_.n_nodes == 3
    np.testing.assert_array_equal(model.tree_.count, position.tree_.count)
    assert model.predict(pd.DataFrame({"size": ordered})).tolist() == answers


@every
def test_a_number_listed_as_category(estimator: BaseEstimator) -> None:
    codes = [["blue", "green", "red"].index(c) for c in COLOURS]
    by_name = (
        clone(estimator).set_params(categorical_features=["code"]).fit(pd.DataFrame({"code": codes}), ANSWERS)
    )
    by_place = clone(estimator).set_params(categorical_features=[0]).fit(np.array(codes)[:, None], ANSWERS)
    words = clone(estimator).fit(pd.DataFrame({"colour": COLOURS}), ANSWERS)
    assert np.isnan(by_name.tree_.threshold).all()
    np.testing.assert_array_equal(by_name.tree_.stats, words.tree_.stats)
    np.testing.assert_array_equal(by_place.tree_.stats, words.tree_.stats)


@every
@pytest.mark.parametrize("library", ["pandas", "pandas category", "polars", "pyarrow", "numpy object"])
def test_an_unseen_category_is_named(estimator: BaseEstimator, library: str) -> None:
    model = clone(estimator).fit(TABLES[library](_columns()), ANSWERS)
    unseen = TABLES[library]({"colour": ["red", "purple"], "height": [1.0, 2.0], "flag": [True, False]})
    with pytest.warns(UnseenCategoryWarning, match=r"'purple' in column '(colour|x0)' \(1 row\)"):
        found = model.predict(unseen)
    hole = TABLES[library]({"colour": ["red", None], "height": [1.0, 2.0], "flag": [True, False]})
    np.testing.assert_array_equal(found, model.predict(hole))
    model.set_params(unseen_category="error")
    with pytest.raises(InputError, match=r"'purple'.*use one of 'blue', 'green', 'red'"):
        model.predict(unseen)


@every
def test_close_numbers_are_different(estimator: BaseEstimator) -> None:
    X = np.array([[1.0], [1.0], [1.0 + 1e-9], [1.0 + 1e-9]] * 2)
    y = [0, 0, 1, 1] * 2
    assert clone(estimator).fit(X, y).predict(X).tolist() == y


@every
def test_the_order_of_rows_does_not_matter(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns()).assign(answer=ANSWERS)
    trees = set()
    for seed in range(3):
        mixed = table.sample(frac=1, random_state=seed)
        trees.add(clone(estimator).fit(mixed[list(_columns())], mixed["answer"].to_list()).tree_)
    assert len(trees) == 1
