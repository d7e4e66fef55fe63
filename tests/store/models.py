"""Fitted estimators of every kind, and what it means that two of them are the same."""

import warnings
from functools import cache
from typing import Any

import numpy as np

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    TreewrightError,
    prune,
)
from treewright.estimators.saving import to_stored
from treewright.loading import load_bytes
from treewright.store.fitted_estimator import estimator_bytes

ESTIMATORS = (
    *(ID3Classifier, C45Classifier, CARTClassifier, CARTRegressor, MDLTreeClassifier, MDLTreeRegressor),
    *(TreeClassifier, TreeRegressor),
)
STRATEGIES = ("fractional", "surrogate", "learned", "branch", "stop", "error")
PRUNING: tuple[Any, ...] = (
    None, "error_based", "pessimistic", "cost_complexity", "reduced_error", "minimum_error", "critical_value", "mdl",
    "same_decision", "pre_pruning", "global", "max_leaves", ["error_based", "global"],
    ("pessimistic", prune.CostComplexity(alpha=0.01), prune.Global(standard_errors=0.5)),
    prune.MinimumError(m=2, priors="root", cost_matrix=((0, 2, 1), (1, 0, 1), (3, 1, 0))),
)  # fmt: skip
N_ROWS = 90


@cache
def table() -> tuple[list[list[Any]], list[list[Any]], np.ndarray]:
    """Rows of two numbers, a text, a number as a category and a truth value; the same with holes; a noisy number."""
    rng = np.random.default_rng(5)
    numbers = np.column_stack([rng.integers(0, 9, N_ROWS), rng.normal(size=N_ROWS).round(1)])
    colours = rng.choice(["red", "grün", "a\nb \ud800"], N_ROWS)
    sizes, flags = rng.choice([1, 2, 3], N_ROWS), rng.random(N_ROWS) < 0.5
    cells = zip(numbers, colours, sizes, flags, strict=True)
    rows = [[*map(float, n), str(c), int(s), bool(f)] for n, c, s, f in cells]
    holed = [[None if rng.random() < 0.1 else cell for cell in row] for row in rows]
    noisy = numbers[:, 0] / 3 + (colours == "red") * 2 + rng.normal(size=N_ROWS) / 2
    return rows, holed, noisy


@cache
def targets() -> dict[str, np.ndarray]:
    noisy = table()[2]
    three = np.where(noisy > 3, "high", np.where(noisy > 1.5, "mid", "low"))
    return {
        "text": three,
        "objects": three.astype(object),
        "int8": (noisy > 2).astype(np.int8) + 5,
        "truth": noisy > 2,
        "float": (noisy > 2).astype(np.float64),
        "one": np.full(N_ROWS, "all"),
    }


def fitted(kind: type, missing: str, pruning: Any, target: str = "text", **more: Any) -> Any:
    """A fitted estimator, or None where such a one cannot be."""
    rows, holed, noisy = table()
    parameters = {"missing": missing, "pruning": pruning, "categorical_features": [3], **more}
    if kind is ID3Classifier:
        parameters["numeric"] = "bisect"
    weight = np.linspace(0.5, 2.0, N_ROWS) if missing in ("learned", "stop") else None
    y = noisy if kind in (CARTRegressor, MDLTreeRegressor, TreeRegressor) else targets()[target]
    try:
        model = kind(**parameters)
        return model.fit(rows if missing == "error" else holed, y, weight)
    except TreewrightError:
        return None


def file_of(model: Any, **kept: bool) -> bytes:
    return estimator_bytes(to_stored(model, **kept))


def again(model: Any, **kept: bool) -> Any:
    return load_bytes(file_of(model, **kept))


def same_model(model: Any, other: Any, X: Any) -> None:
    """Assert that nobody can tell the two apart."""
    assert type(other) is type(model)
    assert repr(other.get_params()) == repr(model.get_params())
    for name in ("tree_", "grown_tree_"):
        assert getattr(other, name).fingerprint() == getattr(model, name).fingerprint()
        for column in ("value", "stats", "weight", "threshold"):
            assert getattr(getattr(other, name), column).tobytes() == getattr(getattr(model, name), column).tobytes()
    assert (other.tree_ is other.grown_tree_) >= (model.tree_ is model.grown_tree_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers, others = model.predict(X), other.predict(X)
    assert answers.dtype == others.dtype
    assert answers.tolist() == others.tolist()
    if hasattr(model, "classes_"):
        assert (model.classes_.dtype, model.n_classes_) == (other.classes_.dtype, other.n_classes_)
        assert list(map(type, model.classes_.tolist())) == list(map(type, other.classes_.tolist()))
        assert model.predict_proba(X).tobytes() == other.predict_proba(X).tobytes()
    assert other.to_text() == model.to_text()
    assert other._grown_by == model._grown_by
    assert other._pruned_by == model._pruned_by
    assert other._row_weight == model._row_weight
    assert np.array_equal(other._column_spread(), model._column_spread(), equal_nan=True)
    assert hasattr(other, "feature_names_in_") == hasattr(model, "feature_names_in_")
    _same_reports(model, other)


def _same_reports(model: Any, other: Any) -> None:
    assert (other.pruning_report_ is other.pre_pruning_report_) == (model.pruning_report_ is model.pre_pruning_report_)
    for name in ("pruning_report_", "pre_pruning_report_"):
        mine, theirs = getattr(model, name), getattr(other, name)
        assert (mine is None) == (theirs is None)
        if mine is not None:
            assert theirs.to_text() == mine.to_text()
            assert theirs.origin.tolist() == mine.origin.tolist()
            assert str(theirs.path) == str(mine.path)
            assert getattr(theirs.path, "tree", theirs.tree) is theirs.tree
    for node in range(0, model.grown_tree_.n_nodes, 7):
        assert str(other.why_pruned(node, grown=True)) == str(model.why_pruned(node, grown=True))
