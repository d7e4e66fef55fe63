"""Rows read in blocks get the answers of rows that are read at once, whatever the table, the blocks and the threads."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import CARTClassifier, CARTRegressor, TreeClassifier
from treewright.data.encode import encode_table
from treewright.errors import InputError, UnseenCategoryWarning
from treewright.fast_paths import fast_path_sizes
from treewright.predict import routing, row_blocks
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import (
    find_leaves,
    predict_class_codes,
    predict_numbers,
    predict_probabilities,
)

RULES = ("surrogate", "fractional", "learned", "branch", "stop")
NAN = np.nan


def mixed(n_rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two categories that are numbers, three numbers, holes in all of them, and a class that needs a deep tree."""
    random = np.random.default_rng(seed)
    values = np.hstack([random.integers(0, (4, 30), (n_rows, 2)), random.normal(size=(n_rows, 3)).round(2)])
    y = (values[:, 0] % 2 + values[:, 1] % 3 + values[:, 2] + random.normal(size=n_rows) > 2).astype(int)
    return np.where(random.random(values.shape) < 0.1, NAN, values), y


def framed(values: np.ndarray) -> pd.DataFrame:
    words = [
        pd.Categorical.from_codes(np.where(np.isnan(c), -1, c).astype(int), [f"v{i:02}" for i in range(30)])
        for c in values[:, :2].T
    ]
    return pd.DataFrame({"a": words[0], "b": words[1], **{f"n{j}": values[:, j] for j in (2, 3, 4)}})


FORMS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "float32": lambda v: v.astype(np.float32),
    "every second row": lambda v: np.repeat(v, 2, axis=0)[::2],
    "backwards": lambda v: v[:, ::-1].copy()[:, ::-1],
    "big-endian": lambda v: v.astype(">f8"),
}

VALUES, Y = mixed(600)
VALUES = VALUES.astype(np.float32).astype(np.float64)
ASKED = mixed(300, 1)[0].astype(np.float32).astype(np.float64)

NUMBERS = CARTRegressor(pruning=None, categorical_features=[0]).fit(VALUES, Y * 0.3)


def at_once(model, X, ask, rule):
    return ask(model.tree_, encode_table(X, model.tree_.schema.columns, "missing").values, rule)


@pytest.mark.parametrize("missing", RULES)
@pytest.mark.parametrize("form", list(FORMS))
def test_any_layout_of_numbers_and_categories(missing, form):
    model = TreeClassifier(missing=missing, grouping="subset", categorical_features=[0, 1]).fit(VALUES, Y)
    table = FORMS[form](ASKED)
    assert isinstance(row_blocks.open_table_rows(table, model.tree_.schema.columns), row_blocks.ArrayRows)
    assert model.predict(table).tolist() == at_once(model, ASKED, predict_class_codes, MissingPolicy()).tolist()
    assert (
        model.predict_proba(table).tobytes()
        == at_once(model, ASKED, predict_probabilities, MissingPolicy()).tobytes()
    )
    assert model.apply(table).tolist() == at_once(model, ASKED, find_leaves, MissingPolicy()).tolist()


@pytest.mark.parametrize("missing", RULES)
def test_a_table_of_pandas(missing):
    model = TreeClassifier(missing=missing, grouping="subset").fit(framed(VALUES), Y)
    table = framed(ASKED)
    assert isinstance(row_blocks.open_table_rows(table, model.tree_.schema.columns), row_blocks.ColumnRows)
    for form in (table, table.astype({"a": object, "b": str}), table.astype({"n3": np.float32})):
        assert (
            model.predict_proba(form).tobytes()
            == at_once(model, table, predict_probabilities, MissingPolicy()).tobytes()
        )
        assert model.apply(form.iloc[:5]).tolist() == at_once(model, table, find_leaves, MissingPolicy())[:5].tolist()


@settings(max_examples=25)
@given(st.sampled_from(RULES), st.integers(1, 90), st.integers(1, 4), st.integers(1, 300))
def test_any_blocks_and_any_threads(missing, n_cells, n_jobs, n_rows):
    model = TreeClassifier(missing=missing, categorical_features=[0, 1], n_jobs=n_jobs).fit(VALUES, Y)
    table = ASKED[:n_rows]
    expected = (
        at_once(model, table, predict_probabilities, MissingPolicy()),
        at_once(model, table, find_leaves, MissingPolicy()),
    )
    with pytest.MonkeyPatch.context() as patch, fast_path_sizes({"threads of prediction": 1}):
        patch.setattr(routing, "MAX_VALUES", n_cells)
        assert model.predict_proba(table).tobytes() == expected[0].tobytes()
        assert model.apply(table).tolist() == expected[1].tolist()
        assert model.predict(table).tolist() == at_once(model, table, predict_class_codes, MissingPolicy()).tolist()


CELL = st.sampled_from([0, 1, 2.0, 3, NAN, None, 1.5])


@given(st.lists(st.lists(CELL, min_size=5, max_size=5), min_size=1, max_size=12))
def test_a_few_rows_cell_by_cell(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenCategoryWarning)
        assert NUMBERS.predict(rows).tobytes() == at_once(NUMBERS, rows, predict_numbers, MissingPolicy()).tobytes()


def test_integers_are_read_as_they_are():
    whole = np.nan_to_num(VALUES).astype(np.int64)
    model = CARTClassifier(pruning=None).fit(whole, Y)
    for kind in (np.int8, np.uint16, np.int64, np.float16):
        assert model.apply(np.abs(whole).astype(kind)).tolist() == model.apply(np.abs(whole).astype(float)).tolist()


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [((250, 3), np.inf, "'x3' has the infinite value inf in row 250"), ((299, 4), -np.inf, "'x4' has the infinite")],
)
def test_what_is_infinite_is_named_as_ever(place, value, says):
    model = TreeClassifier(missing="learned", categorical_features=[0, 1]).fit(VALUES, Y)
    table = ASKED.copy()
    table[place] = value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing, "MAX_VALUES", 50)
        with pytest.raises(InputError, match=says):
            model.predict(table)


def test_long_whole_numbers_are_refused_as_ever():
    model = CARTClassifier(pruning=None).fit(np.arange(20).reshape(10, 2), [0, 1] * 5)
    table = np.array([[1, 2]] * 40)
    table[30, 1] = 2**53 + 1
    with pytest.raises(InputError, match="too many digits"):
        model.predict(table)


def test_a_category_that_training_never_showed_is_warned_of_once():
    model = TreeClassifier(missing="learned", categorical_features=[0, 1]).fit(VALUES, Y)
    table = ASKED.copy()
    table[[3, 280], 1] = 99
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routing, "MAX_VALUES", 50)
        with pytest.warns(UnseenCategoryWarning, match=r"99 in column 'x1' \(2 rows\)") as told:
            found = model.apply(table)
    assert len(told) == 1
    table[[3, 280], 1] = NAN
    assert found.tolist() == model.apply(table).tolist()


def test_the_first_row_that_lacks_a_value_is_named_for_any_number_of_threads():
    model = CARTClassifier(pruning=None, missing="learned", missing_predict="error", n_jobs=3).fit(VALUES, Y)
    table = np.nan_to_num(ASKED)
    table[[120, 250], :] = NAN
    with pytest.MonkeyPatch.context() as patch, fast_path_sizes({"threads of prediction": 1}):
        patch.setattr(routing, "MAX_VALUES", 50)
        for _ in range(5):
            with pytest.raises(InputError, match="in row 120"):
                model.predict(table)
            with pytest.raises(InputError, match="in row 120"):
                find_leaves(model.tree_, table, MissingPolicy("error"), 3)


@pytest.mark.parametrize("numbers_of", [(0, 1, 2, 3), (3, 1, 0, 2), (1, 2, 5, 9)])
def test_categories_that_are_their_own_codes_and_others(numbers_of):
    random = np.random.default_rng(5)
    codes = random.integers(0, 4, 400)
    X = np.stack([np.array(numbers_of, float)[codes], random.normal(size=400)], axis=1)
    X[random.random(X.shape) < 0.1] = NAN
    model = TreeClassifier(missing="fractional", categorical_features=[0]).fit(X, codes % 2)
    rows = row_blocks.open_table_rows(X, model.tree_.schema.columns)
    assert (rows.n_codes is None) == (max(numbers_of) > 3)
    assert model.predict_proba(X).tobytes() == at_once(model, X, predict_probabilities, MissingPolicy()).tobytes()
    for strange in (-1.0, 0.5, 4.0, 10.0, 2.0**63, -(2.0**63)):
        X[200, 0] = strange
        with pytest.raises(row_blocks.UnusualValue):
            rows.read(0, 400, np.empty((400, 2)))
