"""Regression on sources: the same tree, bit for bit, as growth in memory on the same rows with the same bins."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scale.sources import (
    array_engine,
    encode,
    fit,
    in_memory,
    memory_tree,
    number_frame,
    plan_of,
    source_tree,
)
from tests.scale.test_query import BY_BACKEND, shuffled, source_of
from treewright import CARTRegressor, MDLTreeRegressor, TreeRegressor
from treewright.errors import InputError, ParameterError, TreewrightError
from treewright.scale import local
from treewright.scale.class_weights import weigh_numbers, weigh_table
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.growth import Resources, grow, missing_code
from treewright.scale.local import LocalEngine

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
COUNTED, MIXED, FETCHED = 1, 200_000, 2**30
"""Memory with which every node is counted, some subtrees are grown in memory, or the whole tree is."""
ESTIMATORS = {
    "cart": CARTRegressor(missing="learned"),
    "cart leaf 5": CARTRegressor(missing="learned", min_samples_leaf=5, max_depth=5),
    "surrogates": CARTRegressor(),
    "surrogates leaf 5": CARTRegressor(surrogates="always", max_surrogates=2, min_samples_leaf=5, max_leaf_nodes=12),
    "mdl": MDLTreeRegressor(),
    "mdl learned": MDLTreeRegressor(missing="learned"),
    "stop": TreeRegressor(missing="stop"),
    "fractional": TreeRegressor(missing="fractional", minimum="weight", min_samples_leaf=3),
    "branch": TreeRegressor(missing="branch", grouping="each"),
    "min decrease": TreeRegressor(min_impurity_decrease=0.05, missing="fractional"),
    "9 leaves": CARTRegressor(missing="learned", max_leaf_nodes=9),
    "30 leaves": TreeRegressor(missing="fractional", max_leaf_nodes=30),
}


def rows_of(frame, weighted=False):
    return frame.drop(columns=["target", "weight"]), frame["target"], frame["weight"] if weighted else None


@pytest.mark.parametrize(
    ("missing", "weighted"),
    [(0.0, False), (0.15, True), *(pytest.param(*one, marks=pytest.mark.long) for one in [(0.0, True), (0.15, False)])],
)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_tree_is_that_of_growth_in_memory(name, missing, weighted):
    model = ESTIMATORS[name].set_params(max_bins=30)
    rows = rows_of(number_frame(160, missing=missing), weighted)
    expected = memory_tree(model, rows)
    assert expected.n_nodes > 3
    for memory in (COUNTED, 60_000):
        assert source_tree(model, rows, memory) == expected


@pytest.mark.parametrize("missing", ["learned", "branch", "stop"])
def test_predictions_keep_their_order(missing):
    rows = rows_of(number_frame(250, missing=0.1))
    for grouping, max_leaves in (("subset", None), ("each", 9)):
        model = TreeRegressor(
            missing=missing, max_depth=7, grouping=grouping, max_leaf_nodes=max_leaves, max_bins=30,
            monotonic_cst={"smooth": -1, "few": -1},
        )  # fmt: skip
        expected = memory_tree(model, rows)
        for memory in (COUNTED, MIXED):
            assert source_tree(model, rows, memory) == expected
        assert expected != memory_tree(model.set_params(monotonic_cst=None), rows)


def test_subtrees_large_enough_for_histograms():
    """Columns with few values of 1,000 rows that count once are coded; not of weighted rows."""
    model = CARTRegressor(missing="learned", max_bins=40, max_depth=4)
    for weighted in (False, True):
        rows = rows_of(number_frame(3000), weighted)
        assert source_tree(model, rows, FETCHED) == memory_tree(model, rows)


TARGETS = {
    "skewed": lambda rng, x: np.exp(8 * x),
    "one outlier": lambda rng, x: np.where(np.arange(len(x)) == 3, 1e30, x),
    "an outlier of another order": lambda rng, x: np.where(np.arange(len(x)) == 3, 1e140, x * 1e-60),
    "huge": lambda rng, x: x * 1e140,
    "tiny": lambda rng, x: x * 1e-120,
    "far from 0": lambda rng, x: 1e9 + x * 1e-4,
    "two scales": lambda rng, x: np.where(x > 0, 1e6, 0.0) + rng.normal(size=len(x)) * 1e-9,
    "constant": lambda rng, x: np.full(len(x), 0.1),
    "two values": lambda rng, x: (x > 0.3) * 1.0,
    "integers": lambda rng, x: np.round(3 * x).astype(int),
    "a power of two in sum": lambda rng, x: np.where(np.arange(len(x)) < 32, 1.0, 0.0),
    "thirds": lambda rng, x: np.round(x) / 3,
}
WEIGHTS = {
    "none": None,
    "whole": lambda rng, n: rng.integers(1, 5, n),
    "large": lambda rng, n: rng.integers(1, 2**33, n),
    "fractions": lambda rng, n: rng.random(n) + 0.01,
    "far apart": lambda rng, n: 10.0 ** rng.integers(-6, 7, n),
    "quarters": lambda rng, n: rng.integers(1, 9, n) / 4,
}


def hard_frame(target, weights, n=80):
    rng = np.random.default_rng(7)
    x = rng.normal(size=n)
    frame = pd.DataFrame({"a": np.round(x + rng.normal(0, 0.3, n), 2), "b": rng.integers(0, 6, n) * 1.0})
    frame["c"] = rng.choice(["r", "g", "b", "k"], n)
    frame.loc[rng.random(n) < 0.1, "a"] = None
    made = WEIGHTS[weights]
    return frame.assign(target=TARGETS[target](rng, x), weight=1 if made is None else made(rng, n))


HARD = [(target, weights) for target in TARGETS for weights in WEIGHTS]
FEW = {(target, list(WEIGHTS)[i % len(WEIGHTS)]) for i, target in enumerate(TARGETS)}
FEW |= {("two scales", "fractions"), ("skewed", "far apart"), ("an outlier of another order", "whole")}


@pytest.mark.parametrize(
    ("target", "weights"), [pytest.param(*one, marks=[] if one in FEW else pytest.mark.long) for one in HARD]
)
def test_hard_targets_and_weights(target, weights):
    rows = rows_of(hard_frame(target, weights), weights != "none")
    for missing in ("learned", "fractional"):
        model = TreeRegressor(missing=missing, max_bins=20)
        expected = memory_tree(model, rows)
        assert expected.n_nodes > 1 or target == "constant"
        assert source_tree(model, rows, COUNTED) == expected
        assert source_tree(model, rows, 30_000) == expected


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.floats(-1e9, 1e9, allow_subnormal=False), st.integers(1, 9)),
        min_size=3, max_size=40,
    ),
    st.integers(1, 4), st.booleans(),
)  # fmt: skip
def test_any_rows_in_any_parts(cells, n_parts, weighted):
    x, y, weight = (np.array(one, float) for one in zip(*cells, strict=True))
    rows = pd.DataFrame({"x": x}), y, weight if weighted else None
    model = TreeRegressor(max_bins=20)
    try:
        expected = memory_tree(model, rows)
    except InputError:  # the target varies too little
        return
    assert source_tree(model, rows, COUNTED, n_parts=n_parts, seed=n_parts) == expected


def test_means_and_losses_are_right():
    """Against exact sums: the mean to 1e-12 of the range of a node, its loss to 1e-9 of the squared range."""
    for target in ("skewed", "one outlier", "far from 0", "two scales", "thirds"):
        frame = hard_frame(target, "none").dropna()
        X, y, _ = rows_of(frame)
        tree = source_tree(TreeRegressor(max_bins=20, max_depth=4), (X, y, None), COUNTED)
        model = TreeRegressor(max_bins=20, max_depth=4, pruning=None).fit(X, y)
        leaf = model.apply(X)
        for node in np.unique(leaf):
            own = list(map(Fraction, y.to_numpy(float)[leaf == node]))
            mean, spread = sum(own) / len(own), float(max(own) - min(own))
            assert tree.value[node, 0] == pytest.approx(float(mean), rel=1e-15, abs=1e-12 * spread)
            loss = float(sum((one - mean) ** 2 for one in own))
            assert tree.stats[node, 2] == pytest.approx(loss, rel=1e-9, abs=1e-10 * spread**2)


# --- engines ---


def write_parts(frame, folder):
    order = np.random.default_rng(0).permutation(len(frame))
    for i, part in enumerate(np.array_split(order, 3)):
        rows = pa.Table.from_pandas(frame.iloc[part], preserve_index=False)
        pyarrow.parquet.write_table(rows, str(folder / f"{i}.parquet"))
    return folder / "*.parquet"


@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_files(tmp_path, weighted, monkeypatch):
    monkeypatch.setattr(local, "BATCH_ROWS", 150)
    frame = number_frame(400, missing=0.1)
    source = write_parts(frame if weighted else frame.drop(columns="weight"), tmp_path)
    for model in (MDLTreeRegressor(max_bins=40, smoothing=3), CARTRegressor(missing="learned", max_bins=40)):
        expected = in_memory(model, frame, weighted)
        for memory in (60_000, MIXED):
            assert fit(model, source, memory, weighted=weighted) == expected


@BY_BACKEND
@pytest.mark.parametrize("weighted", [False, True], ids=["rows", "weights"])
def test_lazy_frames(backend, weighted):
    frame = number_frame(250, seed=1, missing=0.1)[["smooth", "few", "word", "flag", "target", "weight"]]
    if weighted:
        frame["weight"] = frame["weight"] / 4
    model = TreeRegressor(missing="learned" if weighted else "fractional", max_bins=20, max_depth=2)
    source = source_of(backend, shuffled(frame, weighted))
    assert fit(model, source, 60_000, weighted=weighted) == in_memory(model, frame, weighted)


SQL_HARD = [("one outlier", "large"), ("two scales", "far apart"), ("tiny", "none"), ("a power of two in sum", "whole")]


@pytest.mark.parametrize(
    ("backend", "target", "weights"),
    [
        *(("polars", *one) for one in SQL_HARD),
        ("duckdb", "two scales", "fractions"),
        *(pytest.param("duckdb", *one, marks=pytest.mark.long) for one in HARD),
        *(pytest.param("polars", *one, marks=pytest.mark.long) for one in HARD),
    ],
)
def test_hard_targets_in_statements(backend, target, weights):
    frame, weighted = hard_frame(target, weights), weights != "none"
    model = TreeRegressor(missing="fractional", max_bins=20, max_depth=3)
    source = source_of(backend, shuffled(frame if weighted else frame.drop(columns="weight"), weighted))
    assert fit(model, source, COUNTED, weighted=weighted) == in_memory(model, frame, weighted)


def test_dask():
    dd = pytest.importorskip("dask.dataframe")
    frame = number_frame(400, missing=0.1)
    model = TreeRegressor(missing="fractional", max_bins=30, max_depth=4)
    for weighted in (False, True):
        kept = frame.astype({"flag": "boolean"})
        source = dd.from_pandas(kept if weighted else kept.drop(columns="weight"), npartitions=3)
        assert fit(model, source, COUNTED, weighted=weighted) == in_memory(model, frame, weighted)


# --- estimators ---


def test_fit_prunes_and_predicts(tmp_path):
    frame = number_frame(500)
    X, y, _ = rows_of(frame)
    path = write_parts(frame.drop(columns="weight"), tmp_path)
    found = MDLTreeRegressor(smoothing=6).fit(str(path), y="target")
    expected = MDLTreeRegressor(smoothing=6, max_bins=255).fit(X, y)
    assert found.notes_ == ()
    assert found.tree_ == expected.tree_
    np.testing.assert_array_equal(found.predict(X), expected.predict(X))
    whole = CARTRegressor(missing="learned", ccp_alpha=0.5).fit(str(path), y="target")
    assert whole.notes_ == ()
    assert whole.tree_ == CARTRegressor(missing="learned", ccp_alpha=0.5, max_bins=255).fit(X, y).tree_


def test_informative_missing_values(tmp_path):
    """missing="auto" takes "learned" where missing values tell of the target, and "fractional" elsewhere."""
    frame = number_frame(400)
    for name, lost in (("tell", frame["target"] > 2), ("chance", np.arange(400) % 7 == 0)):
        own = frame.assign(smooth=frame["smooth"].mask(lost)).drop(columns="weight")
        (tmp_path / name).mkdir()
        path = write_parts(own, tmp_path / name)
        found = fit_source(MDLTreeRegressor(), path, "target", None)
        X, y = own.drop(columns="target"), own["target"]
        assert found.grown_tree_ == MDLTreeRegressor(max_bins=255).fit(X, y).grown_tree_
        assert found.grown_tree_.missing == ("learned" if name == "tell" else "fractional")


def test_a_fit_goes_on_from_its_checkpoint(tmp_path):
    frame, model = number_frame(150, missing=0.1), TreeRegressor(missing="fractional", max_bins=30)
    rows = rows_of(frame)
    plan = plan_of(model, rows)
    survey = encode(rows, 30)

    def run(progress=None):
        engine = array_engine(rows, survey, plan)
        weights = weigh_numbers(engine, survey, weigh_table(survey, missing_code(survey, plan)), plan.criterion)
        return grow(engine, survey, plan, Resources(COUNTED, progress, tmp_path / "state"), weights)

    def stop(report):
        if report.depth == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(stop)
    depths = []
    assert run(lambda report: depths.append(report.depth)) == memory_tree(model, rows)
    assert depths[0] == 3


def test_a_source_that_changes_between_passes_is_an_error():
    rows, model = rows_of(number_frame(300)), CARTRegressor(missing="learned", max_bins=20)
    plan, survey = plan_of(model, rows), encode(rows, 20)
    engine = array_engine(rows, survey, plan)
    weights = weigh_numbers(engine, survey, weigh_table(survey, missing_code(survey, plan)), plan.criterion)
    total = engine.total

    def moves_a_target(levels, n_slots):
        found = total(levels, n_slots)
        if levels:
            found.moment[0] += 1
        return found

    engine.total = moves_a_target
    with pytest.raises(TreewrightError, match=r"The counts of node \d+ changed from one pass"):
        grow(engine, survey, plan, Resources(COUNTED), weights)


@pytest.mark.parametrize("engine", ["files", "duckdb", "polars"])
def test_targets_that_cannot_be_used(tmp_path, engine):
    """Rows of weight 0 may have any target."""
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "w": [1.0, 1.0, 1.0, 0.0]})
    for target, words in (
        ([1.0, None, 2.0, 3.0], "The target 'y' has 1 missing values"),
        ([1.0, np.inf, 2.0, 3.0], "The target 'y' has (the|an) infinite value"),
        (["a", "b", "c", "d"], "The target 'y' has the type text; convert it to numbers, or use a classifier"),
        ([1.0, 2.0, 5.0, np.inf], None),
    ):
        table = pa.Table.from_pandas(frame.assign(y=target), preserve_index=False)
        if engine == "files":
            pyarrow.parquet.write_table(table, str(tmp_path / "a.parquet"))
        source = tmp_path / "a.parquet" if engine == "files" else source_of(engine, table)
        model = TreeRegressor(pruning=None)
        if words is None:
            assert fit_source(model, source, "y", "w").tree_.value[0, 0] == pytest.approx(8 / 3, rel=1e-15)
            continue
        with pytest.raises(InputError, match=words):
            fit_source(model, source, "y", "w")


@pytest.mark.parametrize("criterion", ["absolute_error", "poisson"])
def test_criteria_that_need_rows_are_refused(tmp_path, criterion):
    path = write_parts(number_frame(50).assign(target=1.0), tmp_path)
    with pytest.raises(ParameterError, match=f"criterion='{criterion}' cannot be used on a source"):
        fit_source(TreeRegressor(criterion=criterion), path, "target", None)


def test_medians_are_found_by_counting(tmp_path, monkeypatch):
    """Among equal, negative and very different numbers, in parts."""
    monkeypatch.setattr(local, "BATCH_ROWS", 50)
    found = []
    monkeypatch.setattr(LocalEngine, "sum_distances", lambda self, units: found.append(units.centre) or 2**50)
    rng = np.random.default_rng(3)
    for y in (rng.normal(size=300), rng.integers(-2, 3, 300) * 1.0, 10.0 ** rng.integers(-300, 9, 300)):
        frame = pd.DataFrame({"x": rng.random(300), "y": y})
        pyarrow.parquet.write_table(pa.Table.from_pandas(frame), str(tmp_path / "a.parquet"))
        fit_source(TreeRegressor(pruning=None, max_depth=1), tmp_path / "a.parquet", "y", None, SourceOptions())
        assert found.pop() == np.sort(y)[149]
