"""A fitted estimator comes back from its file as it was: answers, words, reports, and the file itself."""

import json
import pickle
from collections import Counter

import numpy as np
import pytest

from tests.store.models import (
    ESTIMATORS,
    PRUNING,
    STRATEGIES,
    again,
    file_of,
    fitted,
    same_model,
    table,
    targets,
)
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ModelFormatError, prune
from treewright.loading import load_bytes

X = table()[0]


def check(model):
    data = file_of(model)
    other = load_bytes(data)
    same_model(model, other, X)
    assert file_of(other) == data


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_strategy_comes_back(kind):
    found = [fitted(kind, missing, None) for missing in STRATEGIES]
    assert len([model for model in found if model is not None]) >= 4
    for model in found:
        if model is not None:
            check(model)


@pytest.mark.parametrize("pruning", PRUNING, ids=str)
def test_every_pruning_comes_back(pruning):
    n_found = 0
    for kind, fraction in ((C45Classifier, 0.3), (CARTClassifier, None), (CARTRegressor, 0.3)):
        model = fitted(kind, "fractional", pruning, validation_fraction=fraction)
        if model is not None:
            check(model)
            n_found += 1
    assert n_found


@pytest.mark.parametrize("target", list(targets()))
def test_every_target_comes_back(target):
    model = fitted(CARTClassifier, "surrogate", "pessimistic", target, surrogates="always")
    check(model)
    assert again(model).predict(X).dtype == model.predict(X).dtype


@pytest.mark.long
@pytest.mark.parametrize("missing", STRATEGIES)
@pytest.mark.parametrize("kind", ESTIMATORS)
def test_everything_comes_back(kind, missing):
    found = Counter()
    for pruning in PRUNING:
        for fraction in (None, 0.3):
            model = fitted(kind, missing, pruning, validation_fraction=fraction)
            found[model is not None] += 1
            if model is not None:
                check(model)
                full = again(model, rows=True, ledgers=True)
                same_model(model, full, X)
                assert file_of(full, rows=True, ledgers=True) == file_of(model, rows=True, ledgers=True)
                same_model(model, pickle.loads(pickle.dumps(model)), X)
    assert found[True] or missing == "surrogate"


def test_trees_are_written_once_and_are_one_object_again():
    model = fitted(CARTClassifier, "fractional", "cost_complexity", validation_fraction=None)
    told = json.loads(file_of(model))
    assert (len(told["trees"]), len(told["reports"])) == (2, 1)
    other = again(model)
    assert other.pruning_report_.tree is other.grown_tree_
    assert other.pruning_report_.path.tree is other.grown_tree_
    unpruned = again(model.pruned(None))
    assert unpruned.tree_ is unpruned.grown_tree_


def test_stopped_growth_keeps_its_one_report():
    model = fitted(CARTClassifier, "fractional", None, validation_fraction=0.3)
    assert model.pruning_report_ is model.pre_pruning_report_ is not None
    other = again(model)
    assert other.pruning_report_ is other.pre_pruning_report_
    assert len(json.loads(file_of(model))["trees"]) == 2


def test_parameters_come_back_as_they_were():
    given = {
        "class_weight": {"low": np.float64(2.0), "mid": 1, "high": True},
        "categorical_features": np.array([False, False, True, True, True]),
        "pruning": prune.CostComplexity(alpha=0.01, cost_matrix={"low": {"mid": 3}}),
        "max_depth": np.int64(4),
        "n_jobs": 2,
    }
    model = CARTClassifier(**given).fit(X, targets()["text"])
    found = again(model).get_params()
    assert found["class_weight"] == {"low": 2.0, "mid": 1, "high": True}
    assert found["categorical_features"] == [False, False, True, True, True]
    assert found["pruning"] == given["pruning"]
    assert (type(found["max_depth"]), found["max_depth"], found["n_jobs"]) == (int, 4, 2)
    listed = CARTClassifier(categorical_features=[2, 3, 4]).fit(X, targets()["text"])
    assert again(listed).categorical_features == [2, 3, 4]


def test_numbers_at_the_edge_come_back():
    rows = np.array([[5e-324], [-0.0], [1e308], [-1e308], [2.2250738585072014e-308], [1.0], [1 + 2**-52]])
    y = np.array([1e-320, -0.0, 1e150, -1e140, 1e-300, 0.1, 1 / 3])
    for criterion, largest in (("squared_error", 1e153), ("absolute_error", 1e300)):
        model = CARTRegressor(criterion=criterion, pruning=None).fit(rows, np.where(y == 1e150, largest, y))
        other = again(model)
        assert other.predict(rows).tobytes() == model.predict(rows).tobytes()
        assert other.tree_.threshold.tobytes() == model.tree_.threshold.tobytes()
        assert file_of(other) == file_of(model)


def test_names_that_mean_harm_come_back(tmp_path):
    import pandas as pd

    names = ['"', "\\", "\x00\x1b[31m", "</script>", "=1+1", "日本\u202e", "", "a,b\n"]
    frame = pd.DataFrame(np.random.default_rng(0).random((30, len(names))), columns=names)
    y = np.where(frame[names[2]] + frame[names[4]] > 1, "\x00yes", "no\u2028")
    model = CARTClassifier(pruning=None).fit(frame, y)
    model.save(tmp_path / "model.json")
    other = load_bytes((tmp_path / "model.json").read_bytes())
    assert other.feature_names_in_.tolist() == names
    assert other.predict(frame).tolist() == model.predict(frame).tolist()


def changed(model, change, **kept):
    told = json.loads(file_of(model, **kept))
    change(told)
    return json.dumps(told).replace("Infinity", "1e999").encode()


BAD = {
    "estimator": ("estimator", lambda t: t.update(estimator="os.system")),
    "other task": ("estimator", lambda t: t.update(estimator="CARTRegressor", parameters=regressor())),
    "parameter gone": ("parameters.max_depth", lambda t: t["parameters"].pop("max_depth")),
    "parameter new": ("parameters.extra", lambda t: t["parameters"].update(extra=1)),
    "parameter strange": ("parameters.max_depth", lambda t: t["parameters"].update(max_depth={"call": "exit"})),
    "parameter bad": ("parameters", lambda t: t["parameters"].update(missing_predict="hope")),
    "method unknown": ("method", lambda t: t["method"].update(name="magic")),
    "method parameter": ("method", lambda t: t["method"]["parameters"].update(folds="many")),
    "method half": ("method", lambda t: t["method"]["parameters"].pop("folds")),
    "no trees": ("trees", lambda t: t.update(trees=[])),
    "tree out of range": ("tree", lambda t: t.update(tree=5)),
    "idle tree": ("trees", lambda t: t["trees"].append(t["trees"][0])),
    "other tree": ("fingerprint", lambda t: t.update(tree=t["grown_tree"])),
    "idle report": ("reports", lambda t: t.update(pruning_report=None)),
    "report out of range": ("pruning_report", lambda t: t.update(pruning_report=1)),
    "report of another tree": ("reports[0].node", lambda t: t["reports"][0].update(tree=t["tree"])),
    "leaf decided on": ("pruning_report.node", lambda t: t["reports"][0]["node"].__setitem__(0, leaf(t))),
    "verdict": ("reports[0].verdict", lambda t: t["reports"][0]["verdict"].__setitem__(0, 3)),
    "origin": ("pruning_report.origin", lambda t: t["reports"][0]["origin"].__setitem__(1, 0)),
    "origin short": ("pruning_report.origin", lambda t: t["reports"][0]["origin"].pop()),
    "alphas fall": ("pruning_report.path", lambda t: t["reports"][0]["path"]["alphas"].reverse()),
    "chosen": ("reports[0].path.chosen", lambda t: t["reports"][0]["path"].update(chosen=999)),
    "plan": ("plan.criterion", lambda t: t["plan"].update(criterion="magic")),
    "plan of another tree": ("plan.criterion", lambda t: t["plan"].update(criterion="entropy")),
    "limits": ("plan.limits.max_leaves", lambda t: t["plan"]["limits"].update(max_leaves=1)),
    "share": ("least_share", lambda t: t.update(least_share=0.9)),
    "weight of a row": ("row_weight", lambda t: t.update(row_weight=0.0)),
    "class type": ("class_type", lambda t: t.update(class_type="<U1")),
    "huge class type": ("class_type", lambda t: t.update(class_type="<U999999")),
    "class type unknown": ("class_type", lambda t: t.update(class_type="|V8")),
    "number type": ("class_type", lambda t: t.update(class_type="<i8")),
    "spread": ("spread", lambda t: t.update(spread=[1.0])),
    "no spread": ("spread", lambda t: t.update(spread=None)),
    "new field": ("surprise", lambda t: t.update(surprise=1)),
}


def regressor():
    return json.loads(file_of(CARTRegressor().fit([[1], [2]], [1.0, 2.0])))["parameters"]


def leaf(told):
    return told["trees"][told["grown_tree"]]["n_children"].index(0)


@pytest.mark.parametrize(("field", "change"), BAD.values(), ids=list(BAD))
def test_what_contradicts_itself_is_refused_by_its_field(field, change):
    model = fitted(CARTClassifier, "fractional", "cost_complexity")
    with pytest.raises(ModelFormatError, match=f"Field {field}".replace("[", r"\[").replace(".", r"\.")):
        load_bytes(changed(model, change))
