"""The rows a fitted estimator keeps: its own, small, private, and those of growth."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from treewright import C45Classifier, CARTRegressor, InputError
from treewright.estimators import fitting

X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0], [5.0, 0.0], [6.0, 1.0]])
Y = np.array(["a", "a", "a", "b", "b", "b"])


def test_the_rows_are_those_of_growth():
    model = C45Classifier().fit(X, Y)
    rows = model._training_rows()
    assert np.array_equal(rows.values, X)
    assert [rows.schema.target.classes[code] for code in rows.target] == Y.tolist()


def test_rows_that_are_held_out_are_not_among_them():
    model = C45Classifier(validation_fraction=0.3, pruning="reduced_error").fit(np.tile(X, (5, 1)), np.tile(Y, 5))
    assert model._training_rows().n_rows == model.grown_tree_.count[0] < 30


def test_the_table_of_the_user_may_change_afterwards():
    table = X.copy()
    model = C45Classifier().fit(table, Y)
    table[:] = 0.0
    assert np.array_equal(model._training_rows().values, X)


def test_targets_and_weights_of_the_user_may_change_afterwards():
    answers, weight = np.arange(6.0), np.arange(1.0, 7.0)
    model = CARTRegressor(pruning=None).fit(X, answers, weight)
    answers[:], weight[:] = 0.0, 0.0
    assert model._training_rows().target.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    assert model._training_rows().weight.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


@pytest.mark.parametrize("store", [lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy])
def test_rows_do_not_travel_with_a_stored_model(store):
    model = store(C45Classifier().fit(X, Y))
    with pytest.raises(InputError, match="pass X and y"):
        model._training_rows()
    assert np.array_equal(model._training_rows(X, Y).values, X)


def test_a_stored_model_holds_none_of_the_rows():
    table = X.copy()
    table[3, 1] = 0.123456789
    stored = pickle.dumps(C45Classifier(max_depth=1).fit(table, Y))
    assert np.float64(0.123456789).tobytes() not in stored


def test_large_tables_are_not_kept(monkeypatch):
    monkeypatch.setattr(fitting, "MAX_KEPT_CELLS", X.size - 1)
    model = C45Classifier().fit(X, Y)
    with pytest.raises(InputError, match="large tables are not kept"):
        model._training_rows()


def test_other_rows_are_refused():
    model = C45Classifier().fit(X, Y)
    with pytest.raises(InputError, match="pass the training rows again"):
        model._training_rows(X[:5], Y[:5])


def test_a_table_without_its_answers_is_refused():
    with pytest.raises(InputError, match="must be passed together"):
        C45Classifier().fit(X, Y)._training_rows(X)


def test_a_tree_that_was_never_grown_has_no_rows():
    with pytest.raises(NotFittedError):
        C45Classifier()._training_rows()


def test_pruning_again_keeps_the_rows():
    model = C45Classifier().fit(X, Y).pruned(None)
    assert np.array_equal(model._training_rows().values, X)
