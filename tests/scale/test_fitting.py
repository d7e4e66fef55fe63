"""`fit` of the estimators on a source: an ordinary fitted estimator, and sentences about what needs the rows."""

from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.scale.sources import mixed_frame
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    TreeClassifier,
    load,
)
from treewright.errors import InputError, ParameterError, TreewrightError
from treewright.scale.fitting import SourceOptions, fit_source


@pytest.fixture(scope="module")
def frame():
    return mixed_frame(1200, missing=0.1).drop(columns="weight")


@pytest.fixture(scope="module")
def place(frame, tmp_path_factory):
    found = tmp_path_factory.mktemp("source") / "rows.parquet"
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), str(found))
    return found


@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(pruning="pessimistic"),
        CARTClassifier(missing="learned", ccp_alpha=0.002),
        TreeClassifier(missing="branch", pruning="mdl"),
        ID3Classifier(numeric="bisect", missing="branch", pruning="minimum_error"),
        MDLTreeClassifier(smoothing=3.0, pruning="critical_value", missing="learned"),
    ],
)
def test_it_is_the_model_of_a_fit_in_memory(model, frame, place, tmp_path):
    """Pruned by methods that need no rows."""
    X, y = frame.drop(columns="target"), frame["target"]
    if "max_bins" in model.get_params():
        model.set_params(max_bins=255)
    else:
        X = X.drop(columns=["smooth", "skewed", "often zero"])
        place = tmp_path / "few.parquet"
        pyarrow.parquet.write_table(pa.Table.from_pandas(X.assign(target=y), preserve_index=False), str(place))
    expected = type(model)(**model.get_params()).fit(X, y)
    found = type(model)(**model.get_params()).fit(place, y="target")
    assert found.tree_ == expected.tree_
    assert found.tree_.n_leaves < found.grown_tree_.n_leaves
    assert found.classes_.tolist() == expected.classes_.tolist()
    assert found.feature_names_in_.tolist() == list(X.columns)
    assert np.array_equal(found.predict_proba(X), expected.predict_proba(X))
    assert found.notes_ == ()
    found.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").tree_ == expected.tree_
    assert found.rules().predict(X[:9]).tolist() == expected.rules().predict(X[:9]).tolist()


COSTS = [[0, 1, 5], [2, 0, 1], [1, 3, 0]]


@pytest.mark.parametrize(
    "parameters",
    [
        {"class_weight": "balanced"},
        {"class_weight": {"no": 3, "yes": 2}},
        {"priors": [0.2, 0.5, 0.3]},
        {"cost_matrix": COSTS},
        {"cost_matrix": COSTS, "priors": "equal"},
    ],
    ids=str,
)
@pytest.mark.parametrize("missing", ["fractional", "learned"])
@pytest.mark.parametrize("memory", [300_000, 10**9])
def test_weights_of_classes(parameters, missing, memory, frame, place):
    model = TreeClassifier(
        **parameters, missing=missing, criterion="entropy", minimum="weight", collapse=True, max_bins=255,
        grouping="binary", min_samples_leaf=4,
    )  # fmt: skip
    expected = model.fit(frame.drop(columns="target"), frame["target"]).tree_
    found = fit_source(model, place, "target", None, SourceOptions(memory))
    assert found.tree_ == expected
    assert found.tree_.prediction_rule == expected.prediction_rule


@pytest.mark.parametrize("missing", ["fractional", "learned"])
@pytest.mark.parametrize(
    "parameters", [{}, {"class_weight": "balanced", "cost_matrix": COSTS}, {"priors": "equal"}], ids=str
)
def test_weights_of_rows_are_any_numbers(parameters, missing, frame, tmp_path):
    """Also together with weights of classes; products are rounded in the same order everywhere."""
    rng = np.random.default_rng(3)
    frame = frame.assign(w=np.where(rng.random(len(frame)) < 0.1, 0.0, rng.exponential(2.5, len(frame))))
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), str(tmp_path / "a.parquet"))
    model = TreeClassifier(
        **parameters, missing=missing, criterion="entropy", minimum="rows" if missing == "learned" else "weight",
        max_bins=255, grouping="binary", min_samples_leaf=3, pruning="pessimistic",
    )  # fmt: skip
    expected = model.fit(frame.drop(columns=["target", "w"]), frame["target"], frame["w"])
    grown, pruned = expected.grown_tree_, expected.tree_
    assert pruned.n_leaves < grown.n_leaves
    duck = duckdb.connect()
    for source in (
        tmp_path / "a.parquet",
        pl.scan_parquet(tmp_path / "a.parquet"),
        duck.read_parquet(str(tmp_path / "a.parquet")),
    ):
        for memory in (300_000, 10**9) if isinstance(source, Path) else (300_000,):
            found = fit_source(model, source, "target", "w", SourceOptions(memory))
            assert found.grown_tree_ == grown
            assert found.tree_ == pruned


def test_too_many_different_weights_are_an_error(frame, tmp_path, monkeypatch):
    monkeypatch.setattr("treewright.scale.partitions.MOST_WEIGHTS", 40)
    monkeypatch.setattr("treewright.scale.query_survey.MOST_WEIGHTS", 40)
    table = frame.assign(w=np.arange(1, len(frame) + 1) / 7)
    pyarrow.parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), str(tmp_path / "a.parquet"))
    for source in (tmp_path / "a.parquet", pl.scan_parquet(tmp_path / "a.parquet")):
        with pytest.raises(InputError, match=r"The weights 'w' must have at most .* different values in a class"):
            TreeClassifier(missing="stop").fit(source, "target", "w")


def test_missing_auto_finds_informative_missing_values(tmp_path):
    frame = mixed_frame(2000).drop(columns="weight")
    frame.loc[frame.target == "yes", "smooth"] = None
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), str(tmp_path / "a.parquet"))
    found = MDLTreeClassifier(pruning=None).fit(tmp_path / "a.parquet", "target")
    expected = MDLTreeClassifier(pruning=None, max_bins=255).fit(frame.drop(columns="target"), frame["target"])
    assert found.grown_tree_.missing == "learned"
    assert found.grown_tree_ == expected.grown_tree_


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (CARTClassifier(missing="learned", pruning="reduced_error"), "needs validation rows"),
        (CARTRegressor(missing="learned"), "The target 'target' has the type text; convert it to numbers"),
        (CARTRegressor(criterion="absolute_error"), "criterion='absolute_error' cannot be used on a source"),
        (TreeClassifier(class_weight={"no": 0}), "class_weight must be above 0 for each class"),
        (MDLTreeClassifier(tune=True), "tune=True cannot be used"),
        (TreeClassifier(categorical_features={"few": [1, 2]}), r"Column 'few' has the value .* categories are 1, 2"),
        (TreeClassifier(monotonic_cst={"few": 1}), "constrains the probability of the second of two classes"),
    ],
)
def test_what_needs_rows_in_memory_is_refused(model, words, place):
    with pytest.raises((ParameterError, InputError), match=words):
        model.fit(place, y="target")
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize(
    ("y", "weight", "words"),
    [
        ("class", None, "y must be the name of a column of the source, 'smooth', .*, got 'class'"),
        (["a"], None, "got an object of type list"),
        ("target", "heavy", "sample_weight must be the name of a column"),
        ("target", "city", "The weights 'city' have the type text"),
    ],
)
def test_names_of_columns_are_checked(y, weight, words, place):
    with pytest.raises(InputError, match=words):
        TreeClassifier().fit(place, y, weight)


def test_numbers_can_be_declared_as_categories(frame, place):
    model = TreeClassifier(categorical_features=["few"], missing="learned", max_bins=255)
    expected = model.fit(frame.drop(columns="target"), frame["target"]).tree_
    assert model.fit(place, "target").tree_ == expected


def test_ordered_categories_and_constraints(tmp_path):
    frame = mixed_frame(1200, missing=0.1).drop(columns="weight")
    size = np.array(["S", "M", "L", "XL"], object)[np.digitize(frame["often zero"].fillna(0), [-0.5, 0.01, 0.5])]
    frame = frame.assign(size=size, target=np.where(frame.target == "yes", "yes", "no"))
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), str(tmp_path / "a.parquet"))
    orders = {"size": ["S", "M", "L", "XL", "XXL"], "few": list(range(-3, 9))}
    model = TreeClassifier(
        categorical_features=orders, monotonic_cst={"size": -1, "smooth": 1}, missing="learned", max_bins=255,
        max_leaf_nodes=20,
    )  # fmt: skip
    expected = model.fit(frame.drop(columns="target"), frame["target"]).tree_
    for source in (tmp_path / "a.parquet", pl.scan_parquet(tmp_path / "a.parquet")):
        found = model.fit(source, "target")
        assert found.tree_ == expected
        assert found.tree_.schema.columns[-1].categories == ("S", "M", "L", "XL", "XXL")


@pytest.mark.parametrize("classes", [[False, True], [3, 7], [0.5, 2.5]])
def test_classes_of_every_type(classes, frame, tmp_path):
    y = np.where(frame["target"] == "no", *classes)
    table = frame.assign(target=y)
    pyarrow.parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), str(tmp_path / "a.parquet"))
    model = TreeClassifier(missing="learned", max_bins=255)
    if classes == [0.5, 2.5]:
        with pytest.raises(TreewrightError):
            model.fit(table.drop(columns="target"), table["target"])
        with pytest.raises(TreewrightError):
            model.fit(tmp_path / "a.parquet", "target")
        return
    expected = model.fit(table.drop(columns="target"), table["target"]).tree_
    found = model.fit(tmp_path / "a.parquet", "target")
    assert found.tree_ == expected
    assert found.classes_.tolist() == classes
