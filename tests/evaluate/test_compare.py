"""Compare: errors are those of compare_pruning, the recommendation is Breiman's rule, and odd tables are no trouble."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, compare_pruning
from treewright.evaluate.compare import FOLDS, compare, n_steps, usual_folds


def rows_of(model, X, y, weight=None):
    return model._read(X, y, weight)[1]


def every(X, y, **options):
    models = {"id3": ID3Classifier(numeric="bisect"), "c4.5": C45Classifier(), "cart": CARTClassifier()}
    return compare(models, rows_of(models["cart"], X, y), **options)


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:, :8], np.where(y, "benign", "malignant")


@pytest.fixture(scope="module")
def found(tumours):
    return every(*tumours, folds=4)


def test_errors_and_sizes_are_those_of_compare_pruning(tumours, found):
    for name, model in {"c4.5": C45Classifier(), "cart": CARTClassifier()}.items():
        table = {row.method: row for row in compare_pruning(model, *tumours, folds=4).rows}
        mine = {row.method: row for row in found.rows if row.algorithm == name}
        assert set(table) == set(mine) - {"reduced_error", "pre_pruning"}
        for method, row in table.items():
            assert mine[method].scored.error == pytest.approx(row.cv_error, rel=1e-12)
            assert (mine[method].n_leaves, mine[method].made.tree.depth) == (row.n_leaves, row.depth)


def test_the_recommendation_is_the_rule_of_one_standard_error(found):
    lowest = min(row.scored.error for row in found.rows)
    assert found.best.scored.error == lowest
    within = [row for row in found.rows if row.scored.error <= lowest + found.best.scored.error_se]
    assert found.recommended in within
    assert found.recommended.n_leaves == min(row.n_leaves for row in within)
    assert found.recommended.title in found.sentence()
    for algorithm in ("id3", "c4.5", "cart"):
        best = found.best_of(algorithm)
        assert best.scored.error == min(row.scored.error for row in found.rows if row.algorithm == algorithm)


def test_held_out_rows_prune_but_grow_nothing(tumours, found):
    model = C45Classifier(pruning="reduced_error", validation_fraction=0.25).fit(*tumours)
    mine = next(row for row in found.rows if (row.algorithm, row.method) == ("c4.5", "reduced_error"))
    assert mine.made.tree == model.tree_


def test_numbers_are_for_cart_and_the_methods_that_know_them():
    X, y = load_diabetes(return_X_y=True)
    model = CARTRegressor()
    found = compare({"cart": model}, rows_of(model, X, y), folds=3)
    assert {row.method for row in found.rows} == {
        "none", "pessimistic", "cost_complexity", "global", "same_decision", "reduced_error", "pre_pruning"
    }  # fmt: skip
    assert found.baseline == pytest.approx(y.var())
    assert "root mean squared error" in found.sentence()
    assert found.worth(4.0) == "2"


def test_three_rows():
    found = every([["a", 1], ["b", 2], ["a", None]], ["yes", "no", "yes"])
    assert found.cross.folds == 3
    assert any("too few to hold some out" in note for note in found.notes)
    assert "reduced_error" not in {row.method for row in found.rows}


def test_nothing_to_learn_is_said():
    rng = np.random.default_rng(0)
    found = every(rng.integers(0, 3, (60, 2)), rng.permutation(["a"] * 40 + ["b"] * 20), folds=5)
    assert "No tree is clearly better than always answering a" in found.sentence()
    assert found.baseline == pytest.approx(1 / 3)
    assert found.shown.n_leaves > 1


def test_large_tables_have_fewer_folds_and_quick_methods():
    values = np.zeros((FOLDS[0][0] + 1, 1))
    values[::2] = 1
    rows = rows_of(CARTClassifier(), values, values[:, 0].astype(int))
    assert usual_folds(rows) == 5
    small = rows_of(CARTClassifier(), values[:100], values[:100, 0].astype(int))
    assert usual_folds(small) == 10
    found = compare({"cart": CARTClassifier()}, small, methods=["mdl"])
    assert [row.method for row in found.rows] == ["none", "mdl"]
    found = compare({"cart": CARTClassifier()}, rows, methods=["mdl"])
    assert any("5 folds are used instead of 10" in note for note in found.notes)


@pytest.mark.parametrize("methods", [None, ["mdl"], ["reduced_error"]])
@pytest.mark.parametrize("n", [8, 30])
def test_progress_ends_where_it_is_said_to(methods, n):
    rows = rows_of(CARTClassifier(), [[i % 5, i % 3] for i in range(n)], [i % 2 for i in range(n)])
    told = []
    compare({"cart": CARTClassifier(), "c4.5": C45Classifier()}, rows, folds=3, methods=methods, tell=told.append)
    assert len(told) == n_steps(2, rows, 3, methods)
