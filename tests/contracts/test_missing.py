"""Contracts on missing values: every estimator, every strategy, every library."""

import pickle
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, BaggingRegressor
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.grow.plan import MISSING

MANY_WAYS = tuple(s for s in MISSING if s != "surrogate")
KINDS: list[tuple[BaseEstimator, tuple[str, ...]]] = [
    (ID3Classifier(numeric="bisect"), MANY_WAYS),
    (C45Classifier(), MANY_WAYS),
    (C45Classifier(grouping="greedy", variant="textbook"), MANY_WAYS),
    (CARTClassifier(), MISSING),
    (CARTClassifier(criterion="twoing"), tuple(s for s in MISSING if s != "branch")),
    (CARTRegressor(), MISSING),
    (CARTRegressor(criterion="absolute_error"), MISSING),
    (MDLTreeClassifier(), MISSING),
    (TreeRegressor(grouping="binary"), MISSING),  # as MDLTree's, which on so few rows would be a leaf
    (TreeClassifier(grouping="each", merit="ratio", criterion="entropy"), MANY_WAYS),
    (TreeRegressor(grouping="each"), MANY_WAYS),
]
ALL = [clone(kind).set_params(missing=s) for kind, strategies in KINDS for s in strategies if s != "error"]
every = pytest.mark.parametrize("estimator", ALL, ids=repr)

COLOURS = ["red", None, "blue", "blue", "red", "green", None, "red", "blue", "green", "red", "blue"] * 2
SIZES = ["S", "M", "L", None, "M", "L", "M", "S", "L", None, "S", "M"] * 2
HEIGHTS = [1.5, 2.5, None, 3.5, 1.0, 2.0, 4.0, None, 0.5, 2.25, None, 3.0] * 2
COUNTS = [3, None, 7, 5, 1, 2, None, 4, 6, 8, 9, 3] * 2
FLAGS = [True, False, None, True, False, False, True, False, True, None, True, False] * 2
ANSWERS = [1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 1] * 2


def _columns() -> dict[str, list]:
    return {"colour": COLOURS, "height": HEIGHTS, "count": COUNTS, "flag": FLAGS}


def _rows(columns: dict[str, list]) -> list[list]:
    return [list(row) for row in zip(*columns.values(), strict=True)]


def _dictionary(words: list[str | None]) -> pa.DictionaryArray:
    found = sorted({word for word in words if word is not None})
    codes = [None if word is None else found.index(word) for word in words]
    return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), found)


TABLES: dict[str, Callable[[dict[str, list]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas object": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas category": lambda columns: pd.DataFrame(columns).astype({"colour": "category", "flag": "category"}),
    "pandas nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "polars": pl.DataFrame,
    "polars categorical": lambda columns: pl.DataFrame(columns).cast({"colour": pl.Categorical}),
    "pyarrow": pa.table,
    "pyarrow dictionary": lambda columns: pa.table(columns | {"colour": _dictionary(columns["colour"])}),
    "numpy object": lambda columns: np.array(_rows(columns), dtype=object),
    "list of rows": _rows,
}


def _answers(model: Any, table: Any) -> list[np.ndarray]:
    """All that an estimator answers."""
    found = [model.predict(table), model.apply(table), model.decision_path(table).toarray()]
    if is_classifier(model):
        found += [model.predict_proba(table), model.predict_log_proba(table)]
    return found


def _same(one: list[np.ndarray], other: list[np.ndarray]) -> None:
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_array_equal(a, b)


@cache
def _by_pandas(place: int) -> tuple[Any, list[np.ndarray], Any]:
    """The estimator at this place of ALL, fitted on a table of pandas; its answers; what it says of missing values."""
    table = pd.DataFrame(_columns())
    model = clone(ALL[place]).fit(table, ANSWERS)
    return model, _answers(model, table), model.missing_report(table)


def _pairs() -> list[Any]:
    """Every library with every strategy, by one classifier, and every estimator with some library; the rest are long.

    A library is read before any estimator looks at the table.
    """
    found = []
    for place, estimator in enumerate(ALL):
        for number, library in enumerate(TABLES):
            once = number == place % len(TABLES) or repr(estimator) in EVERY_LIBRARY
            name = f"{library}-{estimator!r}"
            found.append(pytest.param(place, library, id=name, marks=() if once else pytest.mark.long))
    return found


EVERY_LIBRARY = [repr(CARTClassifier(missing=s)) for s in MISSING]


@pytest.mark.parametrize(("place", "library"), _pairs())
def test_every_library_gives_one_tree_and_the_same_answers(place: int, library: str) -> None:
    estimator = ALL[place]
    reference, expected, named = _by_pandas(place)
    table = TABLES[library](_columns())
    model = clone(estimator).fit(table, ANSWERS)
    assert model.tree_.n_nodes > 1
    assert model.tree_.missing == estimator.missing
    _same(_answers(model, table), expected)
    report = model.missing_report(table)
    assert [(c.n_missing, c.n_met, c.n_changed) for c in report.columns] == [
        (c.n_missing, c.n_met, c.n_changed) for c in named.columns
    ]
    if hasattr(model, "feature_names_in_"):
        assert model.tree_ == reference.tree_
        _same(_answers(reference, table), expected)
        assert report == named


NUMBERS = np.array([[1.5, 3], [2.5, np.nan], [np.nan, 7], [3.5, 5], [1, 1], [2, 2], [4, np.nan], [np.nan, 4]] * 3)


@every
def test_a_matrix_of_numbers_with_nan_is_a_table_with_nulls(estimator: BaseEstimator) -> None:
    y = ANSWERS[:8] * 3
    model = clone(estimator).fit(NUMBERS, y)
    assert model.tree_.n_nodes > 1
    expected = _answers(model, NUMBERS)
    as_lists = [[None if np.isnan(cell) else cell for cell in column] for column in NUMBERS.T]
    columns = dict(zip(("a", "b"), as_lists, strict=True))
    for make in (pl.DataFrame, pa.table, lambda c: pd.DataFrame(c).convert_dtypes()):
        again = clone(estimator).fit(make(columns), y)
        _same(_answers(again, make(columns)), expected)
    for other in (np.asfortranarray(NUMBERS), np.ma.masked_invalid(NUMBERS)):
        _same(_answers(clone(estimator).fit(other, y), other), expected)


@every
def test_the_answers_of_a_row_do_not_depend_on_the_others(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns())
    model = clone(estimator).fit(table, ANSWERS)
    whole = _answers(model, table)
    for row in range(0, len(table), 5):
        _same(_answers(model, table.iloc[[row]]), [one[[row]] for one in whole])


@every
@pytest.mark.parametrize("way", [None, "fractional", "majority", "stop"])
def test_a_row_arrives_whole(estimator: BaseEstimator, way: str | None) -> None:
    """The shares of a row sum to 1 over the ends of its way; a share is the sum of those below it."""
    table = pd.DataFrame(_columns())
    model = clone(estimator).set_params(missing_predict=way, pruning=None).fit(table, ANSWERS)
    tree, path = model.tree_, model.decision_path(table).toarray()
    below = np.zeros_like(path)
    for node in range(1, tree.n_nodes):
        below[:, tree.parent[node]] += path[:, node]
    ends = path - below
    np.testing.assert_allclose(ends.sum(axis=1), 1, rtol=1e-12)
    assert (ends > -1e-12).all()
    inner = ends[:, tree.n_children > 0]
    stops = (way or estimator.missing) == "stop"
    assert inner.max() == 1 if stops else np.abs(inner).max() < 1e-12
    if is_classifier(model):
        np.testing.assert_allclose(model.predict_proba(table), ends @ tree.value, rtol=0, atol=1e-12)
        np.testing.assert_allclose(model.predict_proba(table).sum(axis=1), 1, rtol=1e-12)
    else:
        np.testing.assert_allclose(model.predict(table), ends @ tree.value[:, 0], rtol=1e-12)
    # apply: the end of most share, the lowest number on a tie
    np.testing.assert_array_equal(model.apply(table), (ends > ends.max(axis=1, keepdims=True) - 1e-12).argmax(axis=1))


@every
def test_a_complete_table_grows_one_tree_whatever_the_strategy(estimator: BaseEstimator) -> None:
    whole = pd.DataFrame(_columns()).dropna()
    y = np.array(ANSWERS)[whole.index]
    plain = clone(estimator).set_params(missing="error").fit(whole, y).tree_
    found = clone(estimator).fit(whole, y).tree_
    assert found.missing == estimator.missing
    for name in ("parent", "column", "threshold", "table_code", "table_branch", "count", "weight", "stats", "gain"):
        np.testing.assert_array_equal(getattr(found, name), getattr(plain, name))


@every
def test_clone_parameters_and_pickle(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns())
    model = clone(estimator).set_params(missing_predict="stop", unseen_category="majority").fit(table, ANSWERS)
    twin = clone(model)
    assert not hasattr(twin, "tree_")
    assert twin.get_params() == model.get_params()
    assert twin.get_params()["missing_predict"] == "stop"
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_ == twin.fit(table, ANSWERS).tree_
    _same(_answers(again, table), _answers(model, table))
    again.set_params(missing_predict=None)
    _same(_answers(again, table), _answers(model.set_params(missing_predict=None), table))


@every
def test_whole_weights_are_copies(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns())
    weight = np.random.default_rng(1).integers(0, 4, len(ANSWERS))
    weighted = clone(estimator).fit(table, ANSWERS, sample_weight=weight)
    copied = clone(estimator).fit(table.loc[table.index.repeat(weight)], np.repeat(ANSWERS, weight))
    assert weighted.get_n_leaves() == copied.get_n_leaves()
    # A share is rounded to 2^-52 of the table's weight, here 41, and one leaf holds at most 24 of them; it may weigh as
    # little as 1/256 of a row. So a mean is exact to 24 * 41 * 256 * 2^-52 < 6e-11 of the largest target, 1.
    close = 0.0 if is_classifier(estimator) or estimator.missing != "fractional" else 6e-11
    assert weight.sum() == 41
    np.testing.assert_allclose(weighted.predict(table), copied.predict(table), rtol=0, atol=close)
    np.testing.assert_allclose(
        weighted.decision_path(table).toarray(), copied.decision_path(table).toarray(), rtol=0, atol=6e-11
    )


@every
def test_any_number_of_threads_grows_one_tree(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns())
    assert len({clone(estimator).set_params(n_jobs=n).fit(table, ANSWERS).tree_ for n in (1, 2)}) == 1


@every
def test_a_column_that_is_always_missing_is_never_asked_for(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns() | {"nothing": [None] * len(ANSWERS)})
    model = clone(estimator).fit(table, ANSWERS)
    assert model.tree_.n_nodes > 1
    assert 4 not in model.tree_.column
    plain = clone(estimator).fit(table[list(_columns())], ANSWERS)
    np.testing.assert_array_equal(model.predict(table), plain.predict(table[list(_columns())]))


@every
def test_importances_are_shares_of_one(estimator: BaseEstimator) -> None:
    found = clone(estimator).fit(pd.DataFrame(_columns()), ANSWERS).feature_importances_
    assert (found >= 0).all()
    assert found.sum() == pytest.approx(1)


@every
def test_nothing_is_warned_of_and_nothing_changed(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns())
    before = table.copy(deep=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = clone(estimator).fit(table, ANSWERS)
        _answers(model, table)
        assert model.missing_report(table).n_rows == len(table)
    pd.testing.assert_frame_equal(table, before)


@every
def test_with_scikit_learns_tools(estimator: BaseEstimator) -> None:
    table = pd.DataFrame(_columns()).drop(columns=["colour", "flag"])
    estimator = clone(estimator).set_params(pruning=None)
    assert len(cross_val_predict(clone(estimator), table, ANSWERS, cv=3)) == len(ANSWERS)
    search = GridSearchCV(clone(estimator), {"missing": ["fractional", "stop"]}, cv=2, error_score="raise")
    assert search.fit(table, ANSWERS).best_params_["missing"] in ("fractional", "stop")
    bags = (BaggingClassifier if is_classifier(estimator) else BaggingRegressor)(clone(estimator), n_estimators=3)
    assert bags.set_params(random_state=0).fit(table, ANSWERS).score(table, ANSWERS) > 0.5
    if is_classifier(estimator):
        boost = AdaBoostClassifier(clone(estimator).set_params(max_depth=2), n_estimators=3, random_state=0)
        assert boost.fit(table.fillna(0), ANSWERS).score(table.fillna(0), ANSWERS) > 0.5


# The default strategies run with the other checks of every estimator. The engine knows a strategy, not who asks for it:
# one classifier has them all, one regressor the strategy that sends parts of rows, and the others are for long runs.
CHECKED = [*(CARTClassifier(missing=s) for s in MISSING if s != "surrogate"), CARTRegressor(missing="fractional")]
CHECKED_LONG = [
    *(C45Classifier(missing=s) for s in MISSING if s not in ("surrogate", "fractional")),
    *(CARTRegressor(missing=s) for s in MISSING if s not in ("surrogate", "fractional")),
    *(MDLTreeClassifier(missing=s) for s in MISSING if s != "fractional"),
    *(MDLTreeRegressor(missing=s) for s in MISSING if s != "fractional"),
]


@parametrize_with_checks(CHECKED)
def test_scikit_learn_checks_with_every_strategy(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.long
@parametrize_with_checks(CHECKED_LONG)
def test_scikit_learn_checks_of_others_with_every_strategy(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)
