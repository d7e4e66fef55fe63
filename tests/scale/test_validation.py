"""Validation rows on sources: the tree is pruned as by the same rows in memory."""

import numpy as np
import pandas as pd
import pytest

from tests.scale.sources import mixed_frame, number_frame
from tests.scale.test_folds import HashFolds, coarse, rows_of, write_parts
from tests.scale.test_query import shuffled, source_of
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    TreeClassifier,
    TreeRegressor,
    compare_pruning,
    prune,
)
from treewright.errors import InputError, ParameterError
from treewright.estimators.training_data import LabelledRows
from treewright.prune.method import PruningInput
from treewright.scale.fitting import SourceOptions, fit_source

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
COSTS = [[0, 1, 5], [2, 0, 1], [1, 3, 0]]
CLASSIFIERS = {
    "ties pruned": C45Classifier(pruning="reduced_error"),
    "ties kept": CARTClassifier(pruning=prune.ReducedError(ties="keep")),
    "costs of the method": TreeClassifier(
        missing="learned", pruning=prune.ReducedError(cost_matrix=COSTS), unseen_category="majority"
    ),
    "costs of growth": TreeClassifier(
        missing="branch", cost_matrix=COSTS, class_weight="balanced", pruning="reduced_error", unseen_category="stop"
    ),
    "priors": CARTClassifier(missing="learned", priors="equal", pruning="cost_complexity"),
    "cost complexity": CARTClassifier(missing_predict="majority", unseen_category="majority"),
    "pre-pruning": TreeClassifier(missing="stop", pruning=None, pre_pruning=True),
    "stays": TreeClassifier(missing="fractional", missing_predict="stop", pruning="reduced_error"),
    "divided": CARTClassifier(missing="learned", missing_predict="fractional", pruning="reduced_error"),
    "unseen stays": C45Classifier(pruning="reduced_error", unseen_category="stop"),
    "critical value": C45Classifier(pruning=prune.CriticalValue(choose="validation")),
    "steps": CARTClassifier(missing="learned", pruning=["reduced_error", "same_decision"]),
}
WEIGHTED = ("costs of growth", "priors", "divided")


def validation_frame(make, seed=5, n=300):
    """Rows with values between those of training, and with new categories."""
    frame = make(n, seed, missing=0.15)
    rng = np.random.default_rng(seed)
    frame["smooth"] += rng.normal(0, 0.01, n)
    frame.loc[rng.random(n) < 0.1, "city"] = "Paris"
    frame.loc[rng.random(n) < 0.1, "city"] = "Quito"
    return frame


def check_same(found, expected):
    """The same tree and the same report."""
    assert found.grown_tree_ == expected.grown_tree_
    report, other = found.pruning_report_, expected.pruning_report_
    assert report.rule == other.rule
    assert report.node.tolist() == other.node.tolist()
    for name in ("leaf", "subtree"):
        own, theirs = getattr(report, name), getattr(other, name)
        np.testing.assert_allclose(own, theirs, rtol=1e-9, atol=1e-9 * max(1.0, abs(theirs[np.isfinite(theirs)]).max()))
    assert found.tree_ == expected.tree_
    assert report.verdict.any()
    assert found.notes_ == ()


def given(frame, weighted):
    X, y, weight = rows_of(frame, weighted)
    return {"X_val": X, "y_val": y, "sample_weight_val": weight}


def write_both(frame, other, weighted, folder):
    places = []
    for name, rows in (("training", frame), ("validation", other)):
        (folder / name).mkdir()
        places.append(write_parts(rows if weighted else rows.drop(columns="weight"), folder / name))
    return places


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classes(name, tmp_path):
    frame, other, weighted = mixed_frame(500, missing=0.1), validation_frame(mixed_frame), name in WEIGHTED
    if name == "divided":
        other["weight"] = other["weight"] / 4
    model = CLASSIFIERS[name].set_params(max_bins=20)
    expected = type(model)(**model.get_params(deep=False)).fit(*rows_of(frame, weighted), **given(other, weighted))
    source, validation = write_both(frame, other, weighted, tmp_path)
    weight = "weight" if weighted else None
    found = model.fit(source, "target", weight, X_val=validation, sample_weight_val=weight)
    check_same(found, expected)
    assert found._pruned_by.has_validation
    again = type(model)(**model.get_params(deep=False)).fit(source, "target", weight, **given(other, weighted))
    assert again.tree_ == expected.tree_


@pytest.mark.parametrize("name", ["reduced_error", "cost_complexity", "pre_pruning"])
@pytest.mark.parametrize("weighted", [False, True])
def test_numbers(name, weighted, tmp_path):
    frame, other = number_frame(500, missing=0.1), validation_frame(number_frame)
    other["target"] *= 3.0
    parameters = {"pruning": None, "pre_pruning": True} if name == "pre_pruning" else {"pruning": name}
    missing = {"reduced_error": "fractional", "cost_complexity": "surrogate", "pre_pruning": "stop"}[name]
    model = TreeRegressor(missing=missing, max_bins=20, **parameters)
    expected = TreeRegressor(**model.get_params(deep=False)).fit(*rows_of(frame, weighted), **given(other, weighted))
    source, validation = write_both(frame, other, weighted, tmp_path)
    weight = "weight" if weighted else None
    found = model.fit(source, "target", weight, X_val=validation, sample_weight_val=weight)
    check_same(found, expected)


@pytest.mark.parametrize("backend", ["polars", "duckdb"])
def test_lazy_frames(backend):
    names = ["smooth", "few", "city", "flag", "target", "weight"]
    for make, model in (
        (mixed_frame, C45Classifier(pruning="reduced_error", max_bins=20, unseen_category="majority", max_depth=3)),
        (number_frame, CARTRegressor(missing="learned", max_bins=20, max_depth=3)),
    ):
        frame, other = make(300, missing=0.1)[names], validation_frame(make)[names]
        expected = type(model)(**model.get_params(deep=False)).fit(*rows_of(frame, False), **given(other, True))
        source, validation = (source_of(backend, shuffled(one, weighted=True)) for one in (frame, other))
        options = SourceOptions(10**5, None, None, ("weight",), LabelledRows(validation, "target", "weight"))
        check_same(fit_source(model, source, "target", None, options), expected)


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    frame, other = (one.astype({"flag": "boolean"}) for one in (mixed_frame(400), validation_frame(mixed_frame)))
    model = C45Classifier(pruning="reduced_error", max_bins=20)
    rows = (dd.from_pandas(one.drop(columns="weight"), npartitions=3) for one in (frame, other))
    expected = C45Classifier(pruning="reduced_error", max_bins=20).fit(*rows_of(frame, False), **given(other, False))
    source, validation = rows
    check_same(model.fit(source, y="target", X_val=validation), expected)


def test_held_out_rows(tmp_path):
    """The tree of the rows of one part, pruned by those of the other."""
    frame = coarse(mixed_frame(600, missing=0.1))
    model = CARTClassifier(missing="learned", max_bins=30, pruning="reduced_error", validation_fraction=0.3)
    found = fit_source(model, write_parts(frame, tmp_path), "target", "weight", SourceOptions(10**5))
    assert "held out by a hash" in found.notes_[0]
    folds = HashFolds(CARTClassifier(missing="learned", max_bins=30), rows_of(frame, True), 30)
    held = folds.hashes < round(0.3 * (2**31 - 1))
    assert 120 < held.sum() < 240
    grown = folds.grow(folds.rows.take(np.flatnonzero(~held)))
    assert grown == found.grown_tree_
    pruned = prune.ReducedError().prune_by(PruningInput(grown, validation=folds.rows.take(np.flatnonzero(held))))
    assert pruned.tree == found.tree_
    np.testing.assert_allclose(pruned.report.leaf, found.pruning_report_.leaf)


def test_branches_are_raised_by_the_rows_that_are_not_held_out(tmp_path):
    frame = coarse(mixed_frame(600))
    method = prune.ErrorBased()
    model = C45Classifier(max_bins=30, pruning=method, pre_pruning=False, validation_fraction=0.3)
    found = fit_source(model, write_parts(frame.drop(columns="weight"), tmp_path), "target", None, SourceOptions(10**5))
    folds = HashFolds(C45Classifier(max_bins=30), rows_of(frame, False), 30)
    rows = folds.rows.take(np.flatnonzero(folds.hashes >= round(0.3 * (2**31 - 1))))
    pruned = method.prune_by(PruningInput(folds.grow(rows), rows=rows))
    assert "raised" in str(pruned.report)
    assert found.tree_ == pruned.tree
    polars = source_of("polars", shuffled(frame))
    assert fit_source(model, polars, "target", None, SourceOptions(10**5)).tree_ == pruned.tree


@pytest.mark.parametrize("make", [mixed_frame, number_frame])
def test_every_engine_holds_out_the_same_rows(make, tmp_path):
    frame = make(400, missing=0.1)
    model = CARTClassifier if make is mixed_frame else CARTRegressor
    model = model(missing="learned", max_bins=20, max_depth=4, validation_fraction=0.3)
    files = fit_source(model, write_parts(frame, tmp_path), "target", "weight", SourceOptions(10**5))
    tree, grown = files.tree_, files.grown_tree_
    found = fit_source(model, source_of("polars", shuffled(frame, weighted=True)), "target", "weight")
    assert (found.tree_, found.grown_tree_) == (tree, grown)


def test_folds_of_the_rows_that_are_not_held_out(tmp_path):
    frame = coarse(mixed_frame(500))
    steps = ["reduced_error", prune.CostComplexity(choose="cv", folds=3)]
    model = CARTClassifier(missing="learned", max_bins=30, pruning=steps, validation_fraction=0.3)
    source = write_parts(frame.drop(columns="weight"), tmp_path)
    found = fit_source(model, source, "target", None, SourceOptions(10**5))
    assert len(found.notes_) == 2
    folds = HashFolds(CARTClassifier(missing="learned", max_bins=30), rows_of(frame, False), 30)
    held = folds.hashes < round(0.3 * (2**31 - 1))
    validation, grow = folds.rows.take(np.flatnonzero(held)), folds.grow
    folds.rows, folds.hashes = folds.rows.take(np.flatnonzero(~held)), folds.hashes[~held]

    def grow_and_prune(rows):
        return prune.ReducedError().prune_by(PruningInput(grow(rows), validation=validation)).tree

    folds.grow = grow_and_prune
    inputs = PruningInput(grow_and_prune(folds.rows), cross_validation=folds)
    expected = steps[1].prune_by(inputs)
    assert found.tree_ == expected.tree
    np.testing.assert_allclose(found.pruning_report_.steps[1].path.error, expected.report.path.error)


# --- errors ---


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return write_parts(mixed_frame(200, missing=0.1).drop(columns="weight"), tmp_path_factory.mktemp("rows"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows.assign(target="never"), "In the validation rows: The target 'target' has the class 'never'"),
        (lambda rows: rows.drop(columns="few"), "In the validation rows: The column 'few' is not found"),
        (lambda rows: rows.assign(few="a"), "In the validation rows: Column 'few' has the type text, but numbers in"),
        (lambda rows: rows.assign(target=None), "In the validation rows: The target 'target' has 200 missing values"),
        (lambda rows: rows.assign(city="Rio"), "In the validation rows: Column 'city' has the value 'Rio', which does"),
    ],
)
def test_validation_rows_that_cannot_be_used(change, words, place, tmp_path):
    rows = change(mixed_frame(200).drop(columns="weight"))
    (tmp_path / "a").mkdir()
    write_parts(rows, tmp_path / "a")
    model = TreeClassifier(missing="learned", pruning="reduced_error", unseen_category="error")
    with pytest.raises(InputError, match=words):
        model.fit(place, y="target", X_val=str(tmp_path / "a"))
    with pytest.raises(InputError, match="In the validation rows: y_val must be the name of a column"):
        model.fit(place, y="target", X_val=place, y_val="nothing")


def test_other_methods_take_rows_in_memory_alone(place):
    """After a fit on a source, too."""
    model = CARTClassifier(missing="learned").fit(place, y="target")
    X, y, _ = rows_of(mixed_frame(200, missing=0.1), False)
    assert model.pruned("reduced_error", X_val=X, y_val=y).tree_.n_leaves <= model.grown_tree_.n_leaves
    for rows in ({"X": place, "y": "target"}, {"X_val": place, "y_val": "target"}):
        with pytest.raises(InputError, match=r"The rows are a source .str., but only `fit` and `predict` take one"):
            model.pruned("cost_complexity", **rows)
    with pytest.raises(InputError, match="The rows are a source"):
        compare_pruning(model, place, "target")
    with pytest.raises(InputError, match="needs rows to choose alpha; pass X and y, or X_val and y_val"):
        model.pruned("cost_complexity")


def test_validation_rows_have_to_be_passed_as_the_rows_are(place):
    frame = pd.DataFrame({"x": [1.0, 2.0]})
    with pytest.raises(InputError, match="X_val is a source of rows, but X is a table in memory"):
        CARTClassifier().fit(frame, ["a", "b"], X_val=place, y_val="target")
    with pytest.raises((InputError, ParameterError), match="needs validation rows"):
        CARTClassifier(pruning="reduced_error").fit(place, y="target")
    with pytest.raises(InputError, match="holds out no row of 200"):
        CARTClassifier(pruning="reduced_error", validation_fraction=1e-9).fit(place, y="target")
    strict = TreeClassifier(missing="learned", missing_predict="error", pruning="reduced_error")
    with pytest.raises(InputError, match="is missing"):
        strict.fit(place, y="target", X_val=place)
