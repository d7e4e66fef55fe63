"""Cross-validation: the figures are those of fitting and predicting part by part, and of the formulas of books."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.metrics import brier_score_loss, log_loss, mean_squared_error

from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from treewright.data.folds import folds
from treewright.errors import InputError
from treewright.estimators.training_data import read_training_data
from treewright.evaluate.cross import cross_validate

TUMOURS = load_breast_cancer(return_X_y=True)
MODELS = {
    "id3": ID3Classifier(numeric="bisect"),
    "c4.5": C45Classifier(),
    "cart": CARTClassifier(pruning="mdl"),
    "held out": C45Classifier(pruning="reduced_error", validation_fraction=0.25),
}


def parts(model, X, y, k, repeat=0):
    """The same parts as rows of the table: a column of row numbers is dealt along, and says nothing."""
    rows = read_training_data(model, X, y, None).rows
    where = {tuple(values): i for i, values in enumerate(rows.values.tolist())}
    for training, held in folds(rows, k, repeat):
        yield tuple(np.array([where[tuple(v)] for v in some.values.tolist()]) for some in (training, held))


@pytest.mark.parametrize("name", MODELS)
def test_errors_are_those_of_fitting_and_predicting(name):
    X, y = TUMOURS
    model = MODELS[name]
    wrong, shares, sizes = np.empty(len(y)), np.empty((len(y), 2)), []
    for training, held in parts(model, X, y, 5):
        model.fit(X[training], y[training])
        wrong[held] = model.predict(X[held]) != y[held]
        shares[held] = model.predict_proba(X[held])
        sizes.append((model.get_n_leaves(), model.get_depth()))
    found = cross_validate({name: model}, X, y, folds=5).rows[0]
    assert found.error == pytest.approx(wrong.mean(), rel=1e-12)
    # Breiman and others (1984): the error is a share of n rows.
    assert found.error_se == pytest.approx(np.sqrt(wrong.mean() * (1 - wrong.mean()) / len(y)), rel=1e-9)
    assert found.log_loss == pytest.approx(log_loss(y, np.maximum(shares, 1e-15)), rel=1e-9)
    assert found.brier == pytest.approx(brier_score_loss(y, shares[:, 1]), rel=1e-9)
    assert (found.n_leaves, found.depth) == pytest.approx(np.mean(sizes, axis=0))


def test_numbers_are_judged_by_squared_errors():
    X, y = load_diabetes(return_X_y=True)
    model = CARTRegressor(max_depth=3, pruning=None)
    answers = np.empty(len(y))
    for training, held in parts(model, X, y, 10):
        answers[held] = model.fit(X[training], y[training]).predict(X[held])
    found = cross_validate({"cart": model}, X, y).rows[0]
    losses = (answers - y) ** 2
    assert found.error == pytest.approx(mean_squared_error(y, answers), rel=1e-9)
    assert found.error_se == pytest.approx(losses.std() / np.sqrt(len(y)), rel=1e-6)
    assert found.r2 == pytest.approx(1 - losses.mean() / y.var(), rel=1e-9)
    assert found.log_loss is None
    assert found.brier is None


def test_differences_are_paired_by_rows():
    """Both are asked about the same rows: of b + c rows one is right and the other wrong, as McNemar counts them."""
    X, y = TUMOURS
    wrong = {}
    for name in ("id3", "cart"):
        wrong[name] = np.empty(len(y), bool)
        for training, held in parts(MODELS[name], X, y, 5):
            wrong[name][held] = MODELS[name].fit(X[training], y[training]).predict(X[held]) != y[held]
    found = cross_validate({name: MODELS[name] for name in wrong}, X, y, folds=5)
    best, other = sorted(found.rows, key=lambda row: row.error)
    assert found.best == best.name
    assert (best.difference, best.difference_se) == (0.0, pytest.approx(0.0, abs=1e-12))
    off = wrong[other.name].astype(float) - wrong[best.name]
    assert other.difference == pytest.approx(off.mean())
    assert other.difference_se == pytest.approx(off.std() / np.sqrt(len(y)))


def test_repeats_are_means_of_deals_and_no_more_rows():
    X, y = TUMOURS
    model = MODELS["c4.5"]
    errors = []
    for repeat in range(3):
        wrong = np.empty(len(y), bool)
        for training, held in parts(model, X, y, 4, repeat):
            wrong[held] = model.fit(X[training], y[training]).predict(X[held]) != y[held]
        errors.append(wrong.mean())
    assert len(set(errors)) > 1
    found = cross_validate({"it": model}, X, y, folds=4, repeats=3)
    assert found.rows[0].error == pytest.approx(np.mean(errors))
    expected = np.sqrt(np.mean([e * (1 - e) for e in errors]) / len(y))
    assert found.rows[0].error_se == pytest.approx(expected)
    assert (found.folds, found.repeats) == (4, 3)


def test_order_of_rows_does_not_matter_and_weight_is_copies():
    X, y = TUMOURS
    X, y = X[:150, :4], y[:150]
    one = cross_validate({"it": MODELS["cart"]}, X, y, folds=5).rows[0]
    order = np.random.default_rng(0).permutation(150)
    two = cross_validate({"it": MODELS["cart"]}, X[order], y[order], folds=5).rows[0]
    assert (one.error, one.log_loss, one.n_leaves) == (two.error, pytest.approx(two.log_loss), two.n_leaves)
    weight = 1 + np.arange(150) % 3
    heavy = cross_validate({"it": MODELS["cart"]}, X, y, weight, folds=5).rows[0]
    copies = np.repeat(np.arange(150), weight)
    many = cross_validate({"it": MODELS["cart"]}, X[copies], y[copies], folds=5).rows[0]
    assert (heavy.error, heavy.error_se) == (pytest.approx(many.error), pytest.approx(many.error_se))


def test_what_cannot_be_made_is_left_out_or_refused():
    X, y = [[1], [2], [3]], ["a", "b", "a"]
    tiny = C45Classifier(pruning="reduced_error", validation_fraction=0.2)
    found = cross_validate({"cart": CARTClassifier(), "tiny": tiny}, X, y)
    assert [row.name for row in found.rows] == ["cart"]
    assert found.left_out[0][0] == "tiny"
    assert "holds out no row" in str(found)
    with pytest.raises(InputError, match="holds out no row"):
        cross_validate({"tiny": tiny}, X, y)
    with pytest.raises(InputError, match="Folds need at least 2 rows, got 1"):
        cross_validate({"cart": CARTClassifier()}, [[1]], ["a"])
    with pytest.raises(InputError, match="`estimators` is empty"):
        cross_validate({}, X, y)


def test_the_table():
    X, y = TUMOURS
    found = cross_validate({"c4.5": MODELS["c4.5"], "cart": MODELS["cart"]}, X, y, folds=3)
    text = str(found)
    assert "difference: from the best, paired by row" in text
    assert "3-fold cross-validation" in text
    assert "<table>" in found._repr_html_()
    assert list(found.to_frame()["name"]) == ["c4.5", "cart"]
    assert found.to_dict()["rows"][0]["error"] == found["c4.5"].error
