"""Rows of weight 0: a fit with them is the fit without them, in every estimator and from every kind of table."""

import json
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import coo_matrix
from sklearn.base import clone, is_regressor

from tests.estimators.family import ALL
from treewright import C45Classifier, CARTClassifier, ID3Classifier, TreeClassifier, prune
from treewright.data.frames import count_rows, take_rows
from treewright.errors import InputError, KindError
from treewright.estimators.page_export import _row_numbers
from treewright.estimators.training_data import LabelledRows

N = 120
RNG = np.random.default_rng(18)
GONE = RNG.random(N) < 0.2
WEIGHT = np.where(GONE, 0.0, RNG.integers(1, 4, N).astype(float))
KEPT = np.flatnonzero(WEIGHT)
COLOUR = np.where(GONE, "ghost", RNG.choice(["red", "green", "blue"], N))
SHELF = np.where(GONE, 99, RNG.integers(0, 4, N))
SIZE = np.where(GONE, 1e6, np.round(RNG.normal(size=N), 2))
LABEL = np.where((COLOUR == "red") ^ (SIZE > 0.2) ^ (RNG.random(N) < 0.1), "yes", "no")
LABEL = np.where(GONE & (np.arange(N) % 2 == 0), "a ghost of a class", LABEL)
NUMBER = np.where(COLOUR == "red", 3.0, SHELF) + SIZE


def columns():
    return {"colour": COLOUR.tolist(), "shelf": SHELF.astype(float).tolist(), "size": SIZE.tolist()}


TABLES = {
    "list": lambda: [list(row) for row in zip(*columns().values(), strict=True)],
    "objects": lambda: np.array([list(row) for row in zip(*columns().values(), strict=True)], dtype=object),
    "numbers": lambda: np.column_stack([SHELF, SIZE]),
    "pandas": lambda: pd.DataFrame(columns()),
    "pandas, another index": lambda: pd.DataFrame(columns(), index=np.arange(N)[::-1] * 3),
    "pandas category": lambda: pd.DataFrame(columns()).astype({"colour": "category"}),
    "polars": lambda: pl.DataFrame(columns()),
    "polars categorical": lambda: pl.DataFrame(columns()).with_columns(pl.col("colour").cast(pl.Categorical)),
    "pyarrow": lambda: pa.table(columns()),
}


def target_of(estimator):
    return NUMBER if is_regressor(estimator) else LABEL


def same(one, other):
    """The two fits are one: tree, names, classes and file."""
    assert one.tree_.fingerprint() == other.tree_.fingerprint()
    assert one.grown_tree_.fingerprint() == other.grown_tree_.fingerprint()
    assert one.tree_.schema == other.tree_.schema
    assert one.n_features_in_ == other.n_features_in_
    names = [getattr(model, "feature_names_in_", np.array([])).tolist() for model in (one, other)]
    assert names[0] == names[1]
    if hasattr(one, "classes_"):
        assert one.classes_.dtype == other.classes_.dtype
        assert one.classes_.tolist() == other.classes_.tolist()
    assert one._kept.n_rows == other._kept.n_rows


def saved(model, path):
    model.save(path)
    return json.loads(path.read_text())


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_a_fit_with_them_is_the_fit_without_them(estimator, kind, tmp_path):
    X, y = TABLES[kind](), target_of(estimator)
    categorical = [0] if kind == "numbers" else ["shelf"] if "p" in kind else [1]
    model = clone(estimator).set_params(categorical_features=categorical)
    with_them = clone(model).fit(X, y, sample_weight=WEIGHT)
    without = clone(model).fit(take_rows(X, KEPT), y[KEPT], sample_weight=WEIGHT[KEPT])
    same(with_them, without)
    some = take_rows(X, KEPT)
    assert np.array_equal(with_them.predict(some), without.predict(some))
    assert saved(with_them, tmp_path / "with.json") == saved(without, tmp_path / "without.json")
    assert count_rows(some) == len(KEPT)


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_weights_of_0_and_1_are_no_weights(estimator):
    X, y = TABLES["pandas"](), target_of(estimator)
    without = clone(estimator).fit(X.iloc[KEPT], y[KEPT])
    same(clone(estimator).fit(X, y, sample_weight=(WEIGHT > 0).astype(int)), without)
    same(clone(estimator).fit(X, y, sample_weight=WEIGHT > 0), without)


def test_a_category_of_such_a_row_makes_no_branch():
    model = ID3Classifier().fit([["a"], ["b"], ["a"], ["b"], ["ghost"]], list("nynyn"), [1, 1, 1, 1, 0])
    assert model.tree_.n_nodes == 3
    assert model.tree_.schema.columns[0].categories == ("a", "b")


def test_declared_categories_stay_as_they_do_without_such_rows():
    colour = pd.Categorical(["a", "b", "a", "b", "ghost"], categories=["ghost", "b", "a", "never"])
    X, y = pd.DataFrame({"colour": colour}), pd.Series(list("nynyg"), dtype="category")
    with_it, without = ID3Classifier().fit(X, y, [1, 1, 1, 1, 0]), ID3Classifier().fit(X[:4], y[:4])
    same(with_it, without)
    assert with_it.tree_.schema.columns[0].categories == ("ghost", "b", "a", "never")
    assert with_it.classes_.tolist() == ["n", "y"]


@pytest.mark.parametrize(
    "name", ["error_based", "cost_complexity", "reduced_error", "pessimistic", "mdl", "global"]
)
def test_pruned_by_every_kind_of_material(name):
    X, y = TABLES["pandas"](), LABEL
    given = {"validation_fraction": 0.3} if name == "reduced_error" else {}
    model = CARTClassifier(pruning=name, **given)
    with_them = clone(model).fit(X, y, sample_weight=WEIGHT)
    same(with_them, clone(model).fit(X.iloc[KEPT], y[KEPT], sample_weight=WEIGHT[KEPT]))
    again = with_them.pruned(prune.SameDecision(), X, y, sample_weight=WEIGHT)
    kept = with_them.pruned(prune.SameDecision(), X.iloc[KEPT], y[KEPT], sample_weight=WEIGHT[KEPT])
    assert again.tree_.fingerprint() == kept.tree_.fingerprint()


def test_validation_rows_of_weight_0_need_no_known_class_nor_category():
    X, y = TABLES["pandas"](), LABEL
    train, held = KEPT[::2], np.sort(np.concatenate([KEPT[1::2], np.flatnonzero(GONE)]))
    model = CARTClassifier(pruning="reduced_error", unseen_category="error").fit(
        X.iloc[train], y[train], X_val=X.iloc[held], y_val=y[held], sample_weight_val=WEIGHT[held]
    )
    other = KEPT[1::2]
    same(
        model,
        CARTClassifier(pruning="reduced_error", unseen_category="error").fit(
            X.iloc[train], y[train], X_val=X.iloc[other], y_val=y[other], sample_weight_val=WEIGHT[other]
        ),
    )


def test_nothing_of_such_a_row_is_read():
    """Neither an infinite number, nor a missing target, nor text in a column of numbers."""
    X = [[1.0, "a"], [2.0, "b"], [np.inf, 5], ["?", "a"], [3.0, "b"]]
    model = TreeClassifier().fit(X, ["n", "y", None, "y", "y"], [1, 1, 0, 0, 1])
    same(model, TreeClassifier().fit([X[0], X[1], X[4]], ["n", "y", "y"]))


def test_a_class_of_weight_0_stays_a_class_without_rows():
    X, y = TABLES["pandas"](), LABEL
    ghost = "a ghost of a class"
    model = C45Classifier(class_weight={ghost: 0}).fit(X, y)
    assert ghost in model.classes_
    counted = y != ghost
    assert not model.predict_proba(X[counted])[:, model.classes_.tolist().index(ghost)].any()
    other = C45Classifier(class_weight={"no": 1}).fit(X[counted], y[counted])
    assert model.tree_.schema.columns == other.tree_.schema.columns
    assert model.to_text() == other.to_text()
    assert model.pruned(None, X, y).tree_.n_nodes == model.grown_tree_.n_nodes


@pytest.mark.parametrize("zeros", [0, 0.0, np.zeros(4), [0, 0, 0, 0]])
@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_all_weights_0_is_one_sentence(estimator, zeros):
    with pytest.raises(
        InputError, match=r"^All weights are zero; at least one row must have a weight above 0"
    ):
        clone(estimator).fit([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1], zeros)


def test_errors_say_that_rows_were_left_out():
    with pytest.raises(
        InputError, match=r"^After dropping rows of weight 0: Column 'x0' has the infinite value inf in row 1"
    ):
        C45Classifier().fit([[1.0], [2.0], [np.inf]], [0, 1, 0], [0, 1, 1])
    with pytest.raises(
        InputError, match=r"^Found inconsistent numbers of samples: X has 3 rows, but y has 2"
    ):
        C45Classifier().fit([[1.0], [2.0], [3.0]], [0, 1], [0, 1, 1])
    with pytest.raises(InputError, match="sample_weight has 2 values"):
        C45Classifier().fit([[1.0], [2.0], [3.0]], [0, 1, 0], [0, 1])


def test_what_is_no_table_is_refused_as_without_weights():
    for X, sentence in (
        (coo_matrix(np.eye(3)), "^X is a sparse matrix"),
        (3, "^X is a int, not a table; pass a two-dimensional array, a list of rows, or a pandas, polars or"),
    ):
        with pytest.raises(KindError, match=sentence):
            C45Classifier().fit(X, [0, 1, 0], [0, 1, 1])


def test_a_page_has_the_numbers_of_the_users_rows():
    X, y = pd.DataFrame({"x": np.arange(8.0)}), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    weight = np.array([1, 0, 1, 1, 0, 1, 1, 1])
    model = CARTClassifier(pruning=None).fit(X, y, weight)
    assert _row_numbers(model, LabelledRows(X, y, weight)).tolist() == [0, 2, 3, 5, 6, 7]
    held = CARTClassifier(pruning=None, validation_fraction=0.4).fit(X, y, weight)
    numbers = _row_numbers(held, LabelledRows(X, y, weight))
    assert np.array_equal(X["x"].to_numpy()[numbers], held._kept.values[:, 0])


@pytest.mark.parametrize(
    ("make", "kind"),
    list(product([list, np.array, pd.Series, pl.Series, pa.array], ["text", "numbers"])),
)
def test_targets_of_every_library(make, kind):
    y = LABEL.tolist() if kind == "text" else (SHELF % 2 + GONE * 7).tolist()
    X = TABLES["numbers"]()
    model = TreeClassifier().fit(X, make(y), make(WEIGHT.tolist()))
    same(model, TreeClassifier().fit(X[KEPT], take_rows(make(y), KEPT), WEIGHT[KEPT]))
