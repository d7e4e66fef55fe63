"""Answers rise or fall with a constrained column, whatever the other columns say, missing or not.

In: generated tables of numbers, an ordered category and a category, with missing cells; every way with missing values,
criterion and method of pruning. Out: no two rows that differ in a constrained column alone and are answered out of
order.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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

MISSING = ("fractional", "surrogate", "learned", "branch", "stop")
ORDERED = ["a", "b", "c", "d"]
CLASS_METHODS = (None, "error_based", "pessimistic", "cost_complexity", "minimum_error", "mdl", "same_decision")
NUMBER_METHODS = (None, "cost_complexity", "pessimistic", "same_decision")
ROUNDING = 1e-9
"""Shares of a row are added up in another order for each row; one row in one leaf is compared exactly."""


def table(draw, n, share_missing):
    """Two numbers, an ordered category, a number and a category; the first three are constrained."""
    columns = [draw.integers(0, 7, n), draw.normal(size=n).round(1), draw.integers(0, 4, n)]
    columns += [draw.normal(size=n).round(1), draw.integers(0, 5, n)]
    cells = np.column_stack(columns).astype(object)
    cells[:, 2] = [ORDERED[int(code)] for code in columns[2]]
    cells[:, 4] = [f"v{code}" for code in columns[4]]
    signal = columns[0] / 3 - columns[1] + (columns[4] == 2) * columns[3] + draw.normal(size=n) * 1.5
    cells[draw.random(cells.shape) < share_missing] = None
    for column in range(5):  # a column without any value is of no kind
        cells[0, column] = (0, 0.0, "a", 0.0, "v0")[column]
    return cells, signal


def assert_in_order(model, cells, senses, draw, *, exact):
    """Move each constrained column over all of its values, for some rows; the answers keep the order."""
    answers = model.predict_proba if hasattr(model, "predict_proba") else model.predict
    for column, sense in enumerate(senses):
        if not sense:
            continue
        known = {cell for cell in cells[:, column] if cell is not None}
        steps = sorted(known) if column == 2 else sorted(known | {cell + 0.05 for cell in known} | {-99.0, 99.0})
        for row in cells[draw.permutation(len(cells))[:12]]:
            moved = np.array([row] * len(steps), dtype=object)
            moved[:, column] = steps
            found = np.asarray(answers(moved))
            found = found[:, 1] if found.ndim == 2 else found
            assert (np.diff(found) * sense >= (0.0 if exact else -ROUNDING)).all(), (column, sense, row, found)


def fitted(make, draw, n, *, missing, regression, method, **parameters):
    cells, signal = table(draw, n, draw.choice([0.0, 0.1, 0.4]))
    target = signal.round(1) if regression else np.where(signal > np.median(signal), "yes", "no")
    if not regression:
        target[:2] = "yes", "no"
    senses = draw.choice([-1, 0, 1], 3).tolist()
    weight = None if draw.random() < 0.5 else draw.integers(1, 5, n) / draw.choice([1, 3])
    model = make(
        missing=missing,
        pruning=method,
        monotonic_cst=dict(enumerate(senses)),
        categorical_features={2: ORDERED},
        **parameters,
    )
    return model.fit(cells, target, weight), cells, senses


def check(make, seed, *, missing, regression, method=None, **parameters):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(12, 70))
    model, cells, senses = fitted(
        make, draw, n, missing=missing, regression=regression, method=method, **parameters
    )
    assert_in_order(model, cells, senses, draw, exact=missing not in ("fractional", "auto"))
    return model


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    missing=st.sampled_from(MISSING),
    criterion=st.sampled_from(["gini", "entropy", "twoing"]),
    grouping=st.sampled_from(["subset", "each", "greedy", "least-loss", "binary"]),
    method=st.sampled_from(CLASS_METHODS),
)
def test_classes(seed, missing, criterion, grouping, method):
    if missing == "surrogate" or criterion == "twoing":
        grouping = "subset"
    if criterion == "twoing" and missing == "branch":
        criterion = "gini"
    part = {"criterion": criterion, "grouping": grouping}
    check(TreeClassifier, seed, missing=missing, regression=False, method=method, **part)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    missing=st.sampled_from(MISSING),
    criterion=st.sampled_from(["squared_error", "absolute_error"]),
    grouping=st.sampled_from(["subset", "each", "binary"]),
    method=st.sampled_from(NUMBER_METHODS),
)
def test_numbers(seed, missing, criterion, grouping, method):
    if missing == "surrogate" or (missing == "learned" and criterion == "absolute_error"):
        grouping = "subset"
    part = {"criterion": criterion, "grouping": grouping}
    check(TreeRegressor, seed, missing=missing, regression=True, method=method, **part)


@settings(max_examples=20)
@given(
    seed=st.integers(0, 2**32),
    make=st.sampled_from(
        [C45Classifier, ID3Classifier, CARTClassifier, CARTRegressor, MDLTreeClassifier, MDLTreeRegressor]
    ),
    grouped=st.booleans(),
)
def test_the_named_algorithms(seed, make, grouped):
    parts = {
        C45Classifier: {"grouping": "greedy" if grouped else "each", "missing": "fractional", "method": "error_based"},
        ID3Classifier: {"numeric": "bisect", "missing": "branch"},
        CARTClassifier: {"missing": "surrogate", "method": "cost_complexity"},
        CARTRegressor: {"missing": "surrogate", "method": "cost_complexity"},
        MDLTreeClassifier: {"missing": "fractional" if grouped else "auto", "method": "auto"},
        MDLTreeRegressor: {"missing": "fractional" if grouped else "auto", "method": "auto"},
    }
    check(make, seed, regression=make in (CARTRegressor, MDLTreeRegressor), **parts[make])


@pytest.mark.parametrize("missing_predict", ["fractional", "majority", "stop"])
def test_whatever_prediction_does_with_missing_values(missing_predict):
    for seed in range(4):
        for make, missing in ((CARTClassifier, "surrogate"), (C45Classifier, "fractional"), (TreeRegressor, "learned")):
            draw = np.random.default_rng(seed)
            model, cells, senses = fitted(
                make, draw, 60, missing=missing, regression=make is TreeRegressor, method=None,
                missing_predict=missing_predict,
            )
            assert_in_order(model, cells, senses, draw, exact=False)


def test_unconstrained_trees_are_out_of_order():
    """The tables above are such that the constraints are needed: without them the check fails."""
    n_wrong = 0
    for seed in range(10):
        draw = np.random.default_rng(seed)
        model, cells, _ = fitted(TreeClassifier, draw, 60, missing="learned", regression=False, method=None)
        model.set_params(monotonic_cst=None).fit(cells, draw.choice(["no", "yes"], len(cells)))
        try:
            assert_in_order(model, cells, [1, 1, 1], draw, exact=False)
        except AssertionError:
            n_wrong += 1
    assert n_wrong == 10
