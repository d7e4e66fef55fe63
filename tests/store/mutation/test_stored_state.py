"""Pickles with a bad state, of a tree and of a fitted estimator: refused as a model file is, never half made."""

import io
import pickle
from dataclasses import replace

import joblib
import numpy as np
import pytest

from tests.store.mutation.tables import classes, mixed, numbers
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ModelFormatError, Tree
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.plan import Plan
from treewright.model.tree_columns import COLUMNS


@pytest.fixture(scope="module")
def model():
    """A pruned classifier, with surrogates in its tree and a report."""
    return CARTClassifier(surrogates="always").fit(mixed(True), classes())


def through_pickle(what, **changed):
    """What comes out of a pickle into which somebody wrote another state."""
    state = what.__getstate__() | changed
    copy = object.__new__(type(what))
    copy.__setstate__(state)
    return copy


def test_good_states_pass(model, tmp_path):
    assert through_pickle(model.tree_) == model.tree_
    assert np.array_equal(through_pickle(model).predict(mixed()), model.predict(mixed()))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(model, protocol))
        assert again.tree_ == model.tree_
        assert np.array_equal(again.predict_proba(mixed(True)), model.predict_proba(mixed(True)))
    joblib.dump(model, tmp_path / "model.joblib", compress=3)
    again = joblib.load(tmp_path / "model.joblib")
    assert again.tree_.fingerprint() == model.tree_.fingerprint()
    assert again.to_text() == model.to_text()


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("how", ["shorter", "of texts", "of two dimensions", "none", "an object", "far too large"])
def test_a_column_of_a_tree_that_is_no_such_thing(model, name, how):
    column = getattr(model.tree_, name)
    changed = {
        "shorter": column[:-1],
        "of texts": np.array(["a"] * len(column)),
        "of two dimensions": column[None, None],
        "none": None,
        "an object": object(),
        "far too large": np.full(column.shape, 1e30),
    }[how]
    named = name if how not in ("shorter", "far too large") else r"\w+"
    with pytest.raises(ModelFormatError, match=rf"Field {named} of the tree"):
        through_pickle(model.tree_, **{name: changed})


TREES = {
    "a leaf with a threshold": ("threshold", -1, 3.0),
    "a kind that is not known": ("kind", 0, 3),
    "a child before its parent": ("first_child", 0, 0),
    "two parents": ("parent", 1, 1),
    "a column that is not there": ("column", 0, 99),
    "a branch for missing values that is not there": ("missing_branch", 0, 9),
    "class weights that do not add up": ("stats", 0, 1e9),
    "class shares that do not add up": ("value", 0, 0.0),
    "a weight below 0": ("weight", 0, -1.0),
    "a gain of NaN": ("gain", 0, np.nan),
    "a count below 0": ("count", 0, -5),
}


@pytest.mark.parametrize("name", TREES)
def test_a_tree_that_contradicts_itself(model, name):
    field, place, value = TREES[name]
    column = getattr(model.tree_, field).copy()
    column[place] = value
    with pytest.raises(ModelFormatError, match=r"Field \w+ of the tree"):
        through_pickle(model.tree_, **{field: column})


def test_a_tree_with_another_schema_or_other_fields(model):
    tree = model.tree_
    for schema in (None, "schema", Schema((), Target()), Schema((Column("a", Kind.NUMBER),) * 2, Target())):
        with pytest.raises(ModelFormatError, match="Field "):
            through_pickle(tree, schema=schema)
    half = object.__new__(Schema)
    with pytest.raises(ModelFormatError, match="Field schema"):
        through_pickle(tree, schema=half)
    with pytest.raises(ModelFormatError, match="fields"):
        through_pickle(tree, more=1)
    for state in (None, [], "tree", {}, {"schema": tree.schema}):
        with pytest.raises(ModelFormatError, match="fields"):
            object.__new__(Tree).__setstate__(state)
    surrogates = object.__new__(type(model.grown_tree_.surrogates))
    with pytest.raises(ModelFormatError, match=r"Field surrogates"):
        through_pickle(tree, surrogates=surrogates)


def bad_report(model, **changed):
    return replace(model.pruning_report_, **changed)


ESTIMATORS = {
    "tree_ is a text": ("tree_", lambda m: "tree"),
    "tree_ is the grown one": ("tree_", lambda m: m.grown_tree_),
    "grown_tree_ is none": ("grown_tree_", lambda m: None),
    "grown_tree_ is that of another table": (
        "grown_tree_",
        lambda m: CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"]).grown_tree_,
    ),
    "no report of a pruning": ("pruning_report_", lambda m: None),
    "a report that is a text": ("pruning_report_", lambda m: "pruned"),
    "a report with other origins": (
        "pruning_report_",
        lambda m: bad_report(m, origin=np.full(m.tree_.n_nodes, 10**6)),
    ),
    "a report with other nodes": ("pruning_report_", lambda m: bad_report(m, node=m.pruning_report_.node + 10**6)),
    "a report that is too short": ("pruning_report_", lambda m: bad_report(m, leaf=m.pruning_report_.leaf[:-1])),
    "no plan": ("_grown_by", lambda m: None),
    "a plan that is none": ("_grown_by", lambda m: ("gini", 0.0)),
    "a plan of another criterion": ("_grown_by", lambda m: (Plan(criterion="entropy"), 0.0)),
    "a share that is too large": ("_grown_by", lambda m: (m._grown_by[0], 0.9)),
    "a method that is none": ("_pruned_by", lambda m: ("axe", False)),
    "a row that weighs nothing": ("_row_weight", lambda m: 0.0),
    "a spread that is too short": ("_spread", lambda m: np.zeros(1)),
    "classes that are too few": ("classes_", lambda m: np.array(["no"])),
    "another number of classes": ("n_classes_", lambda m: 7),
    "another number of columns": ("n_features_in_", lambda m: 2),
    "columns of other names": ("feature_names_in_", lambda m: np.array(list("abcde"), object)),
    "ledgers that are a text": ("_ledgers", lambda m: "why"),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_that_contradicts_itself(model, name):
    field, change = ESTIMATORS[name]
    with pytest.raises(ModelFormatError, match=r"Field|incomplete"):
        through_pickle(model, **{field: change(model)})


PARTS = ["tree_", "grown_tree_", "pruning_report_", "_grown_by", "_row_weight", "n_features_in_"]


@pytest.mark.parametrize("name", PARTS)
def test_an_estimator_of_which_a_part_is_gone(model, name):
    state = {key: value for key, value in model.__getstate__().items() if key != name}
    copy = object.__new__(CARTClassifier)
    if name == "tree_":
        copy.__setstate__(state)
        assert not hasattr(copy, "tree_")  # one that was never fitted is no wrong state
        return
    with pytest.raises(ModelFormatError, match=r"Field|incomplete"):
        copy.__setstate__(state)


@pytest.mark.parametrize("state", [None, [], "state", 7])
def test_a_state_that_is_no_dict(state):
    with pytest.raises(ModelFormatError, match="CARTClassifier"):
        object.__new__(CARTClassifier).__setstate__(state)


def test_bad_states_are_refused_out_of_real_files_too(model, tmp_path):
    damaged = pickle.loads(pickle.dumps(model))
    weight = damaged.tree_.weight.copy()
    weight[0] = -1.0
    object.__setattr__(damaged.tree_, "weight", weight)
    stored = pickle.dumps(damaged)
    with pytest.raises(ModelFormatError, match="Field weight of the tree"):
        pickle.loads(stored)
    buffer = io.BytesIO()
    joblib.dump(damaged, buffer)
    buffer.seek(0)
    with pytest.raises(ModelFormatError, match="Field weight of the tree"):
        joblib.load(buffer)


def test_estimators_of_numbers_and_unfitted_ones_travel():
    fitted = CARTRegressor().fit(mixed(), numbers())
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict(mixed()), fitted.predict(mixed()))
    assert pickle.loads(pickle.dumps(C45Classifier())).variant == "release8"
