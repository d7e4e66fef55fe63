"""What each target can express: models with each feature are exported, and compared with the records and the docs."""

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.export.execute import DIFFERENT, REFUSED, runners, try_all
from tests.export.walk import mixed
from treewright import C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor
from treewright.data.schema import Kind, input_names
from treewright.errors import ExportError, InputError
from treewright.export import exported
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import REFUSE, common_type, scoring_of
from treewright.export.target_features import FEATURES, NO, SOME_ROWS, TARGETS, YES, feature_table
from treewright.model.strategies import GROWTH_STRATEGIES, PREDICTION_STRATEGIES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "exports.md"
UNSEEN = ("missing", "majority", "stop", "error")
COSTS = [[0, 5, 1], [1, 0, 1], [2, 1, 0]]
BRIDGES = ("sklearn", "treelite")
pytestmark = pytest.mark.filterwarnings("ignore::treewright.errors.UnseenCategoryWarning")


def given(strategy):
    """A strategy for missing values as a parameter: of growth where trees can be grown by it."""
    return {"missing" if strategy in GROWTH_STRATEGIES and strategy != "error" else "missing_predict": strategy}


def cart(**options):
    return CARTClassifier(min_samples_leaf=9, pruning=None, **options)


def cart_regression(**options):
    return CARTRegressor(min_samples_leaf=9, pruning=None, **options)


@cache
def tables():
    """The table of `walk`, with columns that few models use, its classes and its numeric target."""
    X, y, number = mixed()
    X["code"] = X.city.map({"Rome": 1, "Oslo": 2, "Bern": 7, "Lima": 11}).astype("Int64")
    X["either"] = X.city.map({"Rome": 1, "Oslo": "Oslo", "Bern": "Bern", "Lima": 2.5}).astype(object)
    X["day"] = pd.Timestamp("2026-01-01") + pd.to_timedelta(X.age.fillna(40) * 5, "D")
    return X, y, number


BASE = ["age", "income", "city", "grade"]


@cache
def models():
    """Fitted models by feature; each has what the feature says."""
    X, y, number = tables()
    base, ages = X[BASE], X[["age", "city"]]
    found = {}
    for strategy in PREDICTION_STRATEGIES:
        found[strategy] = [cart(**given(strategy)).fit(base, y)]
        if strategy != "fractional":
            found[strategy].append(cart_regression(**given(strategy)).fit(base, number))
    found["fractional"].append(C45Classifier(min_samples_leaf=5).fit(base, y))
    found["fractional regression"] = [TreeRegressor(missing="fractional", min_samples_leaf=9).fit(base, number)]
    costs = {"cost_matrix": COSTS, "min_samples_leaf": 5}
    found["fractional costs"] = [TreeClassifier(missing="fractional", **costs).fit(base, y)]
    for unseen in UNSEEN:
        found[f"unseen {unseen}"] = [
            one.fit(base, target)
            for strategy in ("majority", "learned", "branch", "stop")
            for one, target in (
                (cart(**given(strategy), unseen_category=unseen), y),
                (cart_regression(**given(strategy), unseen_category=unseen), number),
            )
        ]
    young = np.where(X.age > 50, "old", np.where(X.city == "Oslo", "in Oslo", "elsewhere"))  # splits on age, then city
    divides = C45Classifier(min_samples_leaf=5, unseen_category="error")
    found["fractional unseen error"] = [divides.fit(ages, young)]
    majority = {"missing_predict": "majority"}
    found["multiway"] = [C45Classifier(min_samples_leaf=5, **majority).fit(X[["city", "grade"]], y)]
    found["subsets"] = [C45Classifier(grouping="greedy", min_samples_leaf=5, **majority).fit(base, y)]
    found["ordered"] = [cart(**majority).fit(X[["grade"]], y)]
    for key, name in (("number categories", "code"), ("mixed categories", "either"), ("dates", "day")):
        how = {} if key == "dates" else {"categorical_features": [name]}
        found[key] = [cart(**majority, **how).fit(X[[name]], y)]
    found["regression"] = [cart_regression(**majority).fit(base, number)]
    found["costs"] = [TreeClassifier(**majority, **costs).fit(base, y)]
    found["priors"] = [TreeClassifier(priors="equal", **majority, min_samples_leaf=5).fit(base, y)]
    smoothed = ("laplace", "m-estimate", "shrinkage")
    found["smoothing"] = [cart(probability=one, **majority).fit(base, y) for one in smoothed]
    return found


def has(key, model):
    """Whether a model has a feature of `FEATURES`."""
    scoring = scoring_of(model)
    inner = [one for one in scoring.tests if one is not None]
    used = [scoring.tree.schema.columns[position] for position in scoring.used]
    kinds = [common_type(column.categories) for column in used if column.categories]
    branches = [codes for one in inner for codes in one.test.codes or () if len(one.children) == 2]
    likely = scoring.tree.value.argmax(axis=1)
    is_unlikely = not scoring.is_regression and (scoring.tree.predicted_class != likely).any()
    refuses_below = any(one.unseen == REFUSE and one.node > 0 for one in inner)
    if key in PREDICTION_STRATEGIES:
        return scoring.missing == key and (key != "surrogate" or any(one.surrogates for one in inner))
    if key.startswith("unseen "):
        return scoring.unseen == key.split()[1] and any(one.test.codes is not None for one in inner)
    return {
        "fractional regression": scoring.is_fractional and scoring.is_regression,
        "fractional costs": scoring.is_fractional and is_unlikely,
        "fractional unseen error": scoring.is_fractional and refuses_below,
        "multiway": any(len(one.children) > 2 for one in inner),
        "subsets": any(len(codes) > 1 for codes in branches),
        "ordered": any(column.kind is Kind.ORDERED for column in used),
        "number categories": float in kinds,
        "mixed categories": None in kinds,
        "dates": any(column.source is not None for column in used),
        "regression": scoring.is_regression,
        "costs": is_unlikely,
        "priors": getattr(model, "priors", None) is not None,
        "smoothing": getattr(model, "probability", "frequency") != "frequency",
    }[key]


def text_support():
    """What becomes of each feature of trees, by target: all models are written, executed and compared."""
    cases = [(key, model) for key, of_key in models().items() for model in of_key]
    probes = [make_probes(scoring_of(model), model._kept.values[::10]) for _, model in cases]
    found = {}
    for runner in runners():
        outcomes = try_all(runner, probes)
        assert [one for one in outcomes if one.kind == DIFFERENT] == []
        for (key, _), outcome in zip(cases, outcomes, strict=True):
            found.setdefault((runner.target, key), set()).add(outcome.kind)
    return {place: NO if REFUSED in kinds else YES for place, kinds in found.items()}


def bridge_support(target):
    """The same for a model of another library: it reads tables with missing values and with unseen categories."""
    return {key: worst(bridge_outcome(target, key, model) for model in found) for key, found in models().items()}


def worst(outcomes):
    return max(outcomes, key=[YES, SOME_ROWS, NO].index)


def bridge_outcome(target, key, model):
    X, _, _ = tables()
    table = X[input_names(model.tree_.schema.columns)]
    known, unseen = table.dropna(), table.astype(object)
    if "unseen" in key:
        unseen.loc[::2, "city"] = "elsewhere"
    try:
        made = getattr(model, f"to_{target}")()
    except ExportError:
        return NO
    assert np.array_equal(expected(model, known), predicted(target, made, model, known))
    found = YES
    for rows in (table, unseen):
        try:
            wanted = expected(model, rows)
        except InputError:  # the model refuses them, and so must the other one
            with pytest.raises(InputError):
                predicted(target, made, model, rows)
            continue
        try:
            if not np.array_equal(wanted, predicted(target, made, model, rows)):
                return NO
        except ExportError:
            found = SOME_ROWS
    return found


def expected(model, rows):
    return np.asarray(model.predict_proba(rows) if hasattr(model, "predict_proba") else model.predict(rows))


def predicted(target, made, model, rows):
    if target == "sklearn":
        return expected(made, rows)
    treelite = pytest.importorskip("treelite", reason="treelite is not installed")
    found = treelite.gtil.predict(made, model.as_binary().codes(rows), nthread=1)
    return found.reshape(len(rows), -1) if hasattr(model, "predict_proba") else found.ravel()


def rule_support(form):
    """What becomes of rules, by target; the methods execute what they return."""
    X, y, _ = tables()
    rules = C45Classifier(min_samples_leaf=5, missing_predict="majority").fit(X[BASE], y).rules(form)
    found = {}
    for target in TARGETS:
        write = getattr(rules, "to_code" if target in exported.LANGUAGES else f"to_{target}", None)
        found[target] = NO if write is None else YES
        if write is not None:
            text = write(target) if target in exported.LANGUAGES else write("sqlite")
            assert "Executed" in text or target == "sas"
    return found


@pytest.fixture(scope="module")
def support():
    """What becomes of each feature, by target and feature."""
    found = text_support()
    for target in BRIDGES:
        found |= {(target, key): value for key, value in bridge_support(target).items()}
    for form, key in (("leaves", "leaf rules"), ("generalised", "generalised rules")):
        found |= {(target, key): value for target, value in rule_support(form).items()}
    return found


@pytest.mark.parametrize("key", list(FEATURES))
def test_the_models_have_what_they_are_to_show(key):
    if not key.endswith("rules"):
        assert all(has(key, model) for model in models()[key])


def test_every_strategy_and_every_target_is_listed():
    assert {*PREDICTION_STRATEGIES, *(f"unseen {one}" for one in UNSEEN), *models()} <= set(FEATURES)
    assert set(TARGETS) == {*exported.TARGETS, *BRIDGES}


@pytest.mark.parametrize("target", list(TARGETS))
def test_the_records_say_what_happens(target, support):
    happens = {key: support[target, key] for key in FEATURES}
    assert {key: TARGETS[target].support(key) for key in FEATURES} == happens


def test_the_docs_have_the_same_table():
    text = PAGE.read_text(encoding="utf-8").replace("`", "")
    lines = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in text.splitlines() if "|" in line]
    head, rows = feature_table()
    start = lines.index(head)
    assert lines[start + 2 : start + 2 + len(rows)] == rows


def test_what_executes_an_export(monkeypatch):
    """Each target is executed if what is named is on the machine, and not without it."""
    X, y, _ = tables()
    model = cart(missing_predict="majority").fit(X[BASE], y)
    assert ("Executed" in str(model.to_sql("sqlite"))) == ("SQLite" in TARGETS["sql"].runs_in)
    executed = {"python"}
    for target in exported.TARGETS:
        if is_executed(model, target):
            executed.add(target)
    assert executed <= {key for key, one in TARGETS.items() if one.runs_in}
    for name in ("duckdb", "pypmml"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv("PATH", "")
    left = {target for target in exported.TARGETS if target != "onnx" and is_executed(model, target)}
    assert left == {"python"}


def is_executed(model, target):
    found = exported.export(model, target)
    return "Executed for" in (found if isinstance(found, str) else found.doc_string)
