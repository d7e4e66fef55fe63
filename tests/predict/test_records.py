"""Rows as dicts and other records by column name: for trees, estimators and rules."""

import warnings
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from treewright import C45Classifier, CARTRegressor
from treewright.errors import InputError, KindError

FRAME = pd.DataFrame({"age": [20.0, 30, 40, 50, 60, 35], "town": ["a", "b", "a", "b", "b", None]})
Y = ["n", "n", "n", "y", "y", "n"]
ROWS = FRAME.to_dict("records")


@pytest.fixture(scope="module")
def model():
    return C45Classifier(min_samples_leaf=1, pruning=None).fit(FRAME, Y)


@pytest.mark.parametrize("times", [1, 30])
def test_they_are_the_rows_of_the_table(model, times):
    rows, frame = ROWS * times, pd.concat([FRAME] * times, ignore_index=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(model.predict(rows), model.predict(frame))
        assert np.array_equal(model.predict_proba(rows), model.predict_proba(frame))
        assert np.array_equal(model.apply(tuple(rows)), model.apply(frame))
        assert np.array_equal(model.decision_path(rows).toarray(), model.decision_path(frame).toarray())
        assert np.array_equal(model.tree_.predict(rows), model.predict(frame))
        assert np.array_equal(model.rules().predict(rows), model.rules().predict(frame))
        assert model.score(rows, Y * times) == 1.0


def test_the_order_of_the_names_does_not_matter_and_what_is_left_out_is_missing(model):
    assert model.predict([{"town": "b", "age": 55}, {"age": 55}]).tolist() == ["y", "y"]
    missing = model.predict_proba([{"town": "b"}])
    assert np.array_equal(missing, model.predict_proba(pd.DataFrame({"age": [np.nan], "town": ["b"]})))
    assert model.explain([{"age": 55}]).prediction == "y"


def test_columns_without_names_are_called_by_number():
    X, y = np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0], [4.0, 8.0]]), [0.0, 0.0, 1.0, 1.0]
    model = CARTRegressor(pruning=None, min_samples_leaf=1, min_samples_split=2).fit(X, y)
    assert model.predict([{"x0": 1, "x1": 5}, {0: 4, 1: 8}]).tolist() == model.predict(X[[0, 3]]).tolist()


@pytest.mark.parametrize(
    ("rows", "error", "sentence"),
    [
        (
            [{"age": 1}, {"aeg": 55}],
            InputError,
            "^Row 1 of X has a value for the unknown column 'aeg'; the closest names are 'age'",
        ),
        ([{"age": 55}, [1, "a"]], KindError, "^Row 1 of X is a list, but row 0 is a dict"),
        ([{"age": "old"}], InputError, "^Column 'age' must contain numbers, got 'old'"),
    ],
)
def test_what_is_wrong_is_said_of_the_row(model, rows, error, sentence):
    with pytest.raises(error, match=sentence):
        model.predict(rows)


@dataclass
class Person:
    town: str
    age: float = 55


Backwards = namedtuple("Backwards", "town age")


@pytest.mark.parametrize("record", [ROWS[3], Person("b", 50.0), Backwards("b", 50.0), next(FRAME[3:4].itertuples())])
def test_one_record_is_one_row(model, record):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for question in (model.predict, model.predict_proba, model.apply, model.tree_.predict, model.rules().predict):
            for given in (record, [record]):
                assert np.array_equal(question(given), question(FRAME[3:4]))
        assert model.explain(record) == model.explain([record]) == model.explain(FRAME[3:4])
        assert model.rules().explain(record).prediction == "y"
    assert len(model.explain([record, record])) == 2


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_namedtuple_with_other_names_is_a_row_in_order(model):
    other = namedtuple("Other", "a b")(50.0, "b")
    assert model.predict([other]).tolist() == ["y"]


def test_training_needs_an_order_of_columns():
    with pytest.raises(
        KindError,
        match=r"^X is a list of dicts, which do not define the order of the columns; .* pandas\.DataFrame\(X\)",
    ):
        C45Classifier().fit(ROWS, Y)


def test_missing_values_are_refused_where_they_must_not_be():
    model = C45Classifier(missing="error").fit([[1.0, 2.0], [2.0, 3.0]], [0, 1])
    with pytest.raises(InputError, match=r"^Column 'x1' has a missing value"):
        model.predict([{"x0": 1}])
