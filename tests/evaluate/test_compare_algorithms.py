"""Compare: errors are those of compare_pruning, the recommendation is Breiman's rule, and odd tables are no trouble."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, compare_pruning
from treewright.data.folds import folds
from treewright.estimators.training_data import read_training_data
from treewright.evaluate.compare_algorithms import FOLDS, compare, default_folds, n_steps


def rows_of(model, X, y, weight=None):
    return read_training_data(model, X, y, weight).rows


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
            assert (mine[method].n_leaves, mine[method].fitted.tree.depth) == (row.n_leaves, row.depth)


def test_the_recommendation_is_the_rule_of_one_standard_error(found):
    lowest = min(row.scored.error for row in found.rows)
    assert found.best.scored.error == lowest
    within = [row for row in found.rows if row.scored.error <= lowest + found.best.scored.error_se]
    assert found.recommended in within
    assert found.recommended.n_leaves == min(row.n_leaves for row in within)
    assert found.recommended.title() in found.sentence()
    for algorithm in ("id3", "c4.5", "cart"):
        best = found.best_of(algorithm)
        assert best.scored.error == min(row.scored.error for row in found.rows if row.algorithm == algorithm)


@pytest.fixture(scope="module")
def letters():
    """A table of many small clusters: its trees need more than 20 leaves, and every leaf less costs accuracy."""
    i = np.arange(1200)
    X = np.column_stack([i % 20, (i // 20) % 30]).astype(float)
    y = np.array(list("abcd"))[((X[:, 0] // 3) * 5 + (X[:, 1] // 4) * 3).astype(int) % 4]
    return X, y


def test_a_tree_of_more_than_20_leaves_is_compared_with_at_most_20(letters):
    found = every(*letters, folds=3, methods=["pessimistic"])
    assert found.best.n_leaves > 20
    limited = [row for row in found.rows if row.method == "max_leaves"]
    assert {row.algorithm for row in limited} == {"id3", "c4.5", "cart"}
    assert found.readable.n_leaves <= 20
    small = [row.scored.error for row in found.rows if row.n_leaves <= 20]
    assert found.readable.scored.error == min(small)
    model = CARTClassifier(pruning=None, size="readable").fit(*letters)
    assert next(row for row in limited if row.algorithm == "cart").fitted.tree == model.tree_
    less = found.readable.scored.error - found.best.scored.error
    assert f"{100 * less:.1f}% less than the best (±" in found.readable_sentence()
    assert found.readable.title().endswith("with at most 20 leaves")
    assert "最优" in replace(found, language="zh").readable_sentence()


def test_a_limit_that_changes_nothing_is_not_listed(found):
    leaves = {(row.algorithm, row.method): row.n_leaves for row in found.rows}
    assert ("c4.5", "error_based+max_leaves") not in leaves  # 13 leaves without a limit
    for (algorithm, method), n in leaves.items():
        if method.endswith("max_leaves"):
            assert n <= 20 < leaves[algorithm, method.removesuffix("max_leaves").removesuffix("+") or "none"]
    assert found.readable_sentence() is None


def test_rows_are_sorted_and_held_out_predictions_have_the_error_of_the_table(found, tumours):
    errors = [row.scored.error for row in found.rows]
    assert errors == sorted(errors)
    for row in (found.best, found.recommended):
        held_out = found.held_out(row)
        assert held_out.scores.error == pytest.approx(row.scored.error, rel=1e-12)
        assert held_out.scores.log_loss == pytest.approx(row.scored.log_loss, rel=1e-12)
        assert held_out.scores.confusion.sum() == len(tumours[1])


def test_residuals_have_the_error_of_the_table():
    X, y = load_diabetes(return_X_y=True)
    found = compare({"cart": CARTRegressor()}, rows_of(CARTRegressor(), X, y), folds=3, methods=["cost_complexity"])
    held_out = found.held_out(found.best)
    assert np.mean((held_out.actual - held_out.predicted) ** 2) == pytest.approx(found.best.scored.error, rel=1e-12)
    assert held_out.scores.r2 == pytest.approx(found.best.scored.r2, rel=1e-12)


def test_the_nested_error_is_that_of_a_choice_that_never_saw_the_fold(tumours):
    """Worked out fold by fold, with a choice by the other folds, and by a cross-validation of the other rows."""
    models = {"cart": CARTClassifier(), "c4.5": C45Classifier()}
    rows = rows_of(models["cart"], *tumours)
    found = compare(models, rows, folds=3, methods=["mdl", "pessimistic"])
    weights = np.array(found.cross.fold_weights)
    assert weights.sum() == rows.n_rows
    total = 0.0
    for fold in range(3):
        others = [other for other in range(3) if other != fold]
        by_others = {
            row.scored.name: (
                round(sum(weights[one] * row.scored.fold_errors[one] for one in others), 9),
                row.scored.n_leaves,
            )
            for row in found.rows
        }
        chosen = min(by_others, key=by_others.get)
        total += weights[fold] * found.cross[chosen].fold_errors[fold]
    assert found.nested_error == pytest.approx(total / rows.n_rows, rel=1e-12)

    exact = compare(models, rows, folds=3, methods=["mdl", "pessimistic"], nested=True)
    total = 0.0
    for fold, (training, held_out) in enumerate(folds(rows, 3)):
        inner = compare(models, training, folds=3, methods=["mdl", "pessimistic"])
        total += weights[fold] * exact.cross[inner.best.scored.name].fold_errors[fold]
        assert held_out.n_rows == weights[fold]
    assert exact.nested_error == pytest.approx(total / rows.n_rows, rel=1e-12)


def test_nothing_to_learn_looks_better_than_it_is():
    """On noise the best of many trees seems to predict, on average; the nested error knows that it does not."""
    best, nested, said = [], [], []
    for seed in range(8):
        X, y = np.random.default_rng(seed).normal(size=(60, 4)), np.repeat(["a", "b"], 30)
        found = every(X, y, folds=5)
        best.append(found.best.scored.error)
        nested.append(found.nested_error)
        said.append("is optimistic, because the same rows chose the tree" in found.optimism_sentence())
    assert np.mean(best) < 0.46 < 0.48 < np.mean(nested) < 0.57
    assert said == [found > chosen for found, chosen in zip(nested, best, strict=True)]


def test_held_out_rows_prune_but_grow_nothing(tumours, found):
    model = C45Classifier(pruning="reduced_error", validation_fraction=0.25).fit(*tumours)
    mine = next(row for row in found.rows if (row.algorithm, row.method) == ("c4.5", "reduced_error"))
    assert mine.fitted.tree == model.tree_


def test_numbers_are_for_cart_and_the_methods_that_know_them():
    X, y = load_diabetes(return_X_y=True)
    model = CARTRegressor()
    found = compare({"cart": model}, rows_of(model, X, y), folds=3)
    assert {row.method for row in found.rows} == {
        "none", "pessimistic", "cost_complexity", "global", "same_decision", "reduced_error", "pre_pruning"
    }  # fmt: skip
    assert found.baseline == pytest.approx(y.var())
    assert "root mean squared error" in found.sentence()
    assert found.format_score(4.0) == "2"


def test_three_rows():
    found = every([["a", 1], ["b", 2], ["a", None]], ["yes", "no", "yes"])
    assert found.cross.folds == 3
    assert any("too few to hold out validation rows" in note for note in found.notes)
    assert "reduced_error" not in {row.method for row in found.rows}


def test_nothing_to_learn_is_said():
    rng = np.random.default_rng(0)
    found = every(rng.integers(0, 3, (60, 2)), rng.permutation(["a"] * 40 + ["b"] * 20), folds=5)
    assert "No tree is clearly better than the baseline accuracy 66.7% (always predicting a)." in found.sentence()
    assert found.baseline == pytest.approx(1 / 3)
    assert found.shown.n_leaves > 1


def test_large_tables_have_fewer_folds_and_quick_methods():
    values = np.zeros((FOLDS[0][0] + 1, 1))
    values[::2] = 1
    rows = rows_of(CARTClassifier(), values, values[:, 0].astype(int))
    assert default_folds(rows) == 5
    small = rows_of(CARTClassifier(), values[:100], values[:100, 0].astype(int))
    assert default_folds(small) == 10
    found = compare({"cart": CARTClassifier()}, small, methods=["mdl"])
    assert {row.method for row in found.rows} == {"none", "mdl"}
    found = compare({"cart": CARTClassifier()}, rows, methods=["mdl"])
    assert any("5 folds are used instead of 10" in note for note in found.notes)


@pytest.mark.parametrize("methods", [None, ["mdl"], ["reduced_error"]])
@pytest.mark.parametrize("n", [8, 30])
def test_progress_ends_where_it_is_said_to(methods, n):
    rows = rows_of(CARTClassifier(), [[i % 5, i % 3] for i in range(n)], [i % 2 for i in range(n)])
    told = []
    models = {"cart": CARTClassifier(), "c4.5": C45Classifier()}
    compare(models, rows, folds=3, methods=methods, on_progress=told.append)
    assert len(told) == n_steps(2, rows, 3, methods)
    told.clear()
    compare(models, rows, folds=3, methods=methods, nested=True, on_progress=told.append)
    assert len(told) == n_steps(2, rows, 3, methods, nested=True)
