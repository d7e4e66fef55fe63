"""Saving an estimator: to a file, by pickle and by joblib; what cannot be kept is said before anything is written."""

import copy
import io
import pickle

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from tests.estimators.family import says
from tests.store.models import fitted, same_model, table, targets
from treewright import (
    C45Classifier,
    CARTClassifier,
    InputError,
    KindError,
    ModelFormatError,
    ParameterError,
    load,
)
from treewright.prune import ErrorBased

X, Y = table()[0], targets()["text"]


def test_a_model_is_saved_and_loaded(tmp_path):
    model = fitted(C45Classifier, "fractional", "error_based")
    for name in ("model.json", "model.json.gz", "model.json.zst"):
        model.save(tmp_path / name)
        same_model(model, load(tmp_path / name), X)
        load(tmp_path / name).save(tmp_path / f"again-{name}")
        assert (tmp_path / f"again-{name}").read_bytes() == (tmp_path / name).read_bytes()
    with says(InputError, "already exists", "overwrite=True"):
        model.save(tmp_path / "model.json")
    model.save(str(tmp_path / "model.json"), overwrite=True)


def test_a_model_of_one_library_answers_the_tables_of_others(tmp_path):
    rows = {"size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "colour": ["red", "blue", "red", "blue", "red", "red"]}
    model = CARTClassifier(pruning=None).fit(pd.DataFrame(rows), [0, 1, 0, 1, 1, 1])
    model.save(tmp_path / "model.json")
    other = load(tmp_path / "model.json")
    for frame in (pd.DataFrame(rows), pl.DataFrame(rows), pl.DataFrame(rows).to_arrow()):
        assert other.predict(frame).tolist() == [0, 1, 0, 1, 1, 1]
    assert other.feature_names_in_.tolist() == ["size", "colour"]
    with pytest.warns(UserWarning, match="feature names"):
        assert other.predict(list(zip(*rows.values(), strict=True))).tolist() == [0, 1, 0, 1, 1, 1]


def test_a_model_that_was_never_fitted_has_nothing_to_save(tmp_path):
    with pytest.raises(NotFittedError):
        CARTClassifier().save(tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


def test_what_a_file_cannot_hold_is_said_first(tmp_path):
    class Mine(CARTClassifier):
        pass

    class Own(ErrorBased):
        pass

    with says(KindError, "Mine is not an estimator of Treewright", "tree_.save()"):
        Mine().fit(X, Y).save(tmp_path / "model.json")
    model = fitted(CARTClassifier, "fractional", None)
    with says(ParameterError, "categorical_features", "which a model file cannot store"):
        copy.copy(model).set_params(categorical_features=len).save(tmp_path / "model.json")
    with says(ParameterError, "class_weight", "object"):
        copy.copy(model).set_params(class_weight={"low": object()}).save(tmp_path / "model.json")
    with says(ParameterError, "missing_predict must be .* got 'hope'"):
        copy.copy(model).set_params(missing_predict="hope").save(tmp_path / "model.json")
    with says(ParameterError, "Own", "not a method of treewright.prune"):
        copy.copy(model).set_params(pruning=Own()).save(tmp_path / "model.json")
    with says(ParameterError, "rows must be True or False, got 3"):
        model.save(tmp_path / "model.json", rows=3)
    with says(ParameterError, "overwrite.* must be True or False, got 'yes'"):
        model.save(tmp_path / "model.json", overwrite="yes")
    with says(InputError, "Folder not found"):
        model.save(tmp_path / "none" / "model.json")
    assert not list(tmp_path.iterdir())


def test_with_its_rows_a_model_is_as_right_after_its_fit(tmp_path):
    model = fitted(C45Classifier, "fractional", "error_based", min_samples_leaf=1)
    model.save(tmp_path / "rows.json", rows=True)
    other = load(tmp_path / "rows.json")
    assert str(other.why(0)) == str(model.why(0))
    assert other.worked_solution().to_markdown() == model.worked_solution().to_markdown()
    assert str(other.rules("generalised")) == str(model.rules("generalised"))
    assert other.pruned("cost_complexity").tree_ == model.pruned("cost_complexity").tree_
    assert str(other.explain(X[0])) == str(model.explain(X[0]))
    assert other._kept.values.tobytes() == model._kept.values.tobytes()
    other.save(tmp_path / "again.json", rows=True)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "rows.json").read_bytes()


def test_without_its_rows_a_model_says_what_it_needs(tmp_path):
    model = fitted(C45Classifier, "fractional", "error_based")
    model.save(tmp_path / "model.json")
    other = load(tmp_path / "model.json")
    with says(InputError, "training rows are required", "X and y"):
        other.why(0)
    with says(InputError, "rows=True", "does not have them"):
        other.save(tmp_path / "again.json", rows=True)
    assert str(other.why(0, table()[1], Y)) == str(model.why(0))


def test_ledgers_answer_why_without_the_rows(tmp_path):
    model = fitted(C45Classifier, "fractional", "error_based", min_samples_leaf=1)
    model.save(tmp_path / "model.json", ledgers=True)
    other = load(tmp_path / "model.json")
    for node in range(model.tree_.n_nodes):
        assert str(other.why(node)) == str(model.why(node))
    other.save(tmp_path / "again.json", ledgers=True)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    same_model(model, pickle.loads(pickle.dumps(other)), X)
    assert str(pickle.loads(pickle.dumps(other)).why(0)) == str(model.why(0))


@pytest.mark.parametrize("protocol", [2, 5])
def test_pickle_and_joblib_bring_it_back(protocol, tmp_path):
    model = fitted(CARTClassifier, "surrogate", "cost_complexity")
    same_model(model, pickle.loads(pickle.dumps(model, protocol)), X)
    stream = io.BytesIO()
    joblib.dump(model, stream)
    stream.seek(0)
    same_model(model, joblib.load(stream), X)
    same_model(model, copy.deepcopy(model), X)
    assert pickle.loads(pickle.dumps(CARTClassifier(max_depth=-1))).max_depth == -1  # fit will say what is wrong


def test_a_class_of_ones_own_is_pickled_with_what_it_has(tmp_path):
    model = Own().fit(X, Y)
    model.note_ = "mine"
    other = pickle.loads(pickle.dumps(model))
    assert (other.note_, other.predict(X).tolist()) == ("mine", model.predict(X).tolist())


class Own(CARTClassifier):
    """For the test above: a pickle has to find it."""


def other_tree():
    return CARTClassifier(pruning=None).fit([[1], [2], [3]], [0, 1, 0]).tree_


BAD = {
    "no dict": lambda state: ["tree_"],
    "no tree": lambda state: state | {"tree_": 3},
    "another tree": lambda state: state | {"tree_": other_tree()},
    "other trees": lambda state: state | {"tree_": other_tree(), "grown_tree_": other_tree()},
    "no report": lambda state: state | {"pruning_report_": None},
    "a strange report": lambda state: state | {"pruning_report_": "pruned"},
    "no plan": lambda state: state | {"_grown_by": (None, 0.0)},
    "half a plan": lambda state: state | {"_grown_by": ()},
    "a weight of nothing": lambda state: state | {"_row_weight": 0.0},
    "a weight of text": lambda state: state | {"_row_weight": "1"},
    "a method of text": lambda state: state | {"_pruned_by": ("error_based", False)},
    "a class less": lambda state: state | {"classes_": state["classes_"][:1]},
    "other names": lambda state: state | {"feature_names_in_": np.array(["a"], dtype=object)},
    "another width": lambda state: state | {"n_features_in_": 3},
    "a short spread": lambda state: state | {"_spread": state["_spread"][:1]},
    "strange ledgers": lambda state: state | {"_ledgers": [1]},
    "something missing": lambda state: {name: part for name, part in state.items() if name != "_pruned_by"},
}


@pytest.mark.parametrize("change", BAD.values(), ids=list(BAD))
def test_a_pickle_with_a_bad_state_is_refused(change):
    state = change(fitted(CARTClassifier, "fractional", "cost_complexity").__getstate__())
    with pytest.raises(ModelFormatError):
        CARTClassifier().__setstate__(state)
