"""One rule for each leaf, on every reference set: the written conditions, read by plain Python, find the leaf."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from tests.golden.sets import load, schema_of
from tests.rules.plain_rules import owners
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
)

SHARED = Path(os.environ.get("TREEWRIGHT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
PAIRS = 10_000_000
"""Pairs of a rule and a row that are tried for one model: every row of all but the largest sets."""
MANY = 200_000
"""Rows above which leaves are larger, so that there are thousands of rules and not millions."""
LARGE = 20_000
"""Bytes of a file above which a set belongs to the long tests."""


def names():
    """All reference sets; the large ones are for long tests."""
    schema = SHARED / "data" / "schema.json"
    if not schema.exists():
        return [pytest.param("none", marks=pytest.mark.skip(reason=f"reference data not found at {SHARED}"))]
    found = []
    for name in sorted(json.loads(schema.read_text(encoding="utf-8"))):
        file = SHARED / "data" / f"{name}.csv"
        small = file.exists() and file.stat().st_size < LARGE
        found.append(name if small else pytest.param(name, marks=pytest.mark.long))
    return found


def models(task, holed):
    """What is fitted to a set: for one with missing values, every way of dealing with them."""
    if task == "regression":
        yield CARTRegressor(pruning=None)
        yield TreeRegressor(grouping="each", missing="fractional", criterion="squared_error")
        if holed:
            yield from (TreeRegressor(missing=missing) for missing in ("learned", "branch", "stop"))
        return
    yield C45Classifier(pruning=None)
    yield CARTClassifier(pruning=None)
    if holed:
        yield C45Classifier(grouping="greedy")
        yield ID3Classifier(numeric="bisect")
        yield from (TreeClassifier(missing=missing, grouping="subset") for missing in ("learned", "stop", "branch"))
        yield CARTClassifier(pruning=None, missing_predict="majority")


@pytest.mark.parametrize("name", names())
def test_written_rules_find_the_leaf_of_every_row(name, shared):
    X, y = load(shared, name)
    holed = bool(X.isna().any(axis=None))
    for model in models(schema_of(shared)[name]["task"], holed):
        if len(X) > MANY:
            model.set_params(min_samples_leaf=50)
        model.fit(X, y)
        rules = model.rules()
        assert len(rules) == model.get_n_leaves()
        assert np.array_equal(rules.predict(X), model.predict(X))
        if hasattr(model, "predict_proba"):
            assert np.array_equal(rules.predict_proba(X), model.predict_proba(X))
        compare_with_leaves(model, rules.to_dict()["rules"], X)


def compare_with_leaves(model, written, X):
    """Rows that know all they are asked: one rule applies, that of their leaf, and it says what the model says."""
    n_tried = min(len(X), max(5, PAIRS // len(written)))
    at = np.unique(np.linspace(0, len(X) - 1, n_tried).round().astype(int))
    leaf_of, answers = model.apply(X.iloc[at]), model.predict(X.iloc[at])
    by_node = {rule["node"]: rule for rule in written}
    # A missing value takes one branch and no other: then rules say so, and one applies to every row.
    whole = np.full(len(at), is_decided(model))
    known, place = X.notna().to_numpy(), {column: i for i, column in enumerate(X.columns)}
    for node in {leaf for leaf in leaf_of.tolist() if leaf in by_node}:
        asked = [place[c["column"]] for c in by_node[node]["conditions"]]
        rows = np.flatnonzero(leaf_of == node)
        whole[rows] |= known[np.ix_(at[rows], asked)].all(axis=1)
    n_rules, found = owners(written, X, at)
    assert np.array_equal(n_rules[whole], np.ones(np.count_nonzero(whole)))
    assert np.array_equal(found[whole], leaf_of[whole])
    assert n_rules.max() <= 1
    said = [by_node[node].get("class", by_node[node].get("value")) for node in found[whole].tolist()]
    assert said == answers[whole].tolist()


def is_decided(model):
    """Whether a missing value takes one branch whatever else is in the row."""
    if model.missing_predict is None:
        return model.missing in ("learned", "majority", "branch")
    return model.missing_predict in ("learned", "majority")


HOLED = ["contact_lenses", "golf", "iris", "vote", "watermelon30", "zoo", "tic_tac_toe", "servo", "cholesterol"]


@pytest.mark.parametrize("name", HOLED)
def test_written_rules_say_where_missing_values_go(name, shared):
    """The same with one cell of eight taken out, in training and in other rows, where one rule applies to each row."""
    X, y = load(shared, name)
    taken = np.random.default_rng(5).random(X.shape)
    holed, asked = X.mask(taken < 0.125), X.mask(taken > 0.875)
    number = schema_of(shared)[name]["task"] == "regression"
    plain, cart = (TreeRegressor, CARTRegressor) if number else (TreeClassifier, CARTClassifier)
    models = [plain(missing=missing, grouping=c) for missing in ("learned", "branch") for c in ("subset", "each")]
    models.append(cart(pruning=None, missing_predict="majority"))
    for model in models:
        model.fit(holed, y)
        rules = model.rules()
        for rows in (holed, asked, X):
            assert np.array_equal(rules.predict(rows), model.predict(rows))
            n_rules, found = owners(rules.to_dict()["rules"], rows, np.arange(len(rows)))
            assert set(n_rules.tolist()) == {1}
            assert np.array_equal(found, model.apply(rows))
