"""Surrogates from counts by branch: the tree of growth in memory, with the same surrogates, bit for bit.

Two trees are equal only if the columns, thresholds, categories and agreements of all surrogates are.
"""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.scale.sources import (
    array_engine,
    encode,
    fit,
    in_memory,
    memory_tree,
    mixed_frame,
    mixed_rows,
    plan_of,
    source_tree,
)
from tests.scale.test_query import MIXED, expect_same, shuffled, source_of
from treewright import CARTClassifier, TreeClassifier, load
from treewright.errors import TreewrightError
from treewright.scale import growth, local
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.growth import Resources, grow
from treewright.scale.query_frames import Frames

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # Ibis 12 calls it
COUNTED, SOME, FETCHED = 1, 200_000, 2**30
"""Memory with which every node is counted, some subtrees are grown in memory, or the whole tree is."""
MODELS = {
    "cart": CARTClassifier(pruning=None),
    "always, at most 2": CARTClassifier(pruning=None, surrogates="always", max_surrogates=2),
    "none": CARTClassifier(pruning=None, max_surrogates=0, max_depth=5),
    "entropy, binary": TreeClassifier(missing="surrogate", criterion="entropy", grouping="binary"),
    "ratio, 12 leaves": TreeClassifier(missing="surrogate", criterion="entropy", merit="ratio", max_leaf_nodes=12),
    "twoing, depth 4": TreeClassifier(missing="surrogate", criterion="twoing", max_depth=4),
}


def correlated_rows(n, seed, missing=0.3):
    """Columns that know each other: copies with noise, a category and an order of ranges; and some that have nothing.

    Some categories are rare, so that a surrogate has not met all of those that rows without a value have.
    """
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    ranges = np.digitize(x, [-1, -0.3, 0.4, 1.1])
    frame = pd.DataFrame({
        "x": x, "copy": x.copy(), "turned": -np.exp(x).round(3), "near": (x + rng.normal(0, 0.4, n)).round(1),
        "range": np.array(["a", "b", "c", "d", "e"])[ranges],
        "rare": [f"r{i}" for i in np.minimum(rng.geometric(0.05, n), 60) + 100 * ranges],
        "z": z, "z2": np.where(z > 0.5, 1.0, rng.integers(0, 2, n)), "noise": rng.normal(size=n),
    })  # fmt: skip
    for name in frame.columns:
        frame.loc[rng.random(n) < missing, name] = None
    nothing = np.full(n, np.nan)
    frame = frame.assign(nothing=nothing, no_word=np.array([None] * n), constant=3.5, once=nothing)
    frame.loc[n // 2, "once"] = 1.0
    target = np.where((x > 0.2) ^ (z > 0.8) ^ (rng.random(n) < 0.1), "yes", "no")
    return frame, pd.Series(target), pd.Series(rng.integers(1, 5, n))


def expect_from_counts(model, rows, memories=(COUNTED, SOME)):
    expected = memory_tree(model, rows)
    for memory in memories:
        assert source_tree(model, rows, memory, seed=memory) == expected
    return expected


@pytest.mark.parametrize("missing", [0.15, pytest.param(0.0, marks=pytest.mark.long), 0.6])
@pytest.mark.parametrize("name", MODELS)
def test_the_tree_is_that_of_growth_in_memory(name, missing):
    model = MODELS[name].set_params(max_bins=40)
    for weighted in (False, True):
        expect_from_counts(model, mixed_rows(280, missing=missing, weighted=weighted))


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 20))])
def test_columns_that_know_each_other(seed):
    rows = correlated_rows(400, seed)
    for weighted in (False, True):
        used = rows if weighted else (*rows[:2], None)
        for name in ("cart", "entropy, binary"):
            tree = expect_from_counts(MODELS[name].set_params(max_bins=40), used, (COUNTED, SOME, FETCHED))
            names = [tree.schema.columns[f].name for f in tree.surrogates.column]
            assert {"x", "copy", "range", "rare"} < {*names, tree.schema.columns[tree.column[0]].name}
            n_surrogates = np.diff(tree.surrogates.start)
            assert n_surrogates.min() == 0
            assert n_surrogates.max() >= 3
            assert not {"nothing", "no_word", "constant", "once"} & set(names)


def test_rows_beside_a_cut_may_be_missing_on_the_split():
    """No row that is known on x has 1.5 on near, but the cut between 1 and 2 is next to it."""
    near = np.repeat([1.0, 1.5, 2.0], 20)
    x = np.where(near == 1.5, np.nan, near * 10)
    target = np.where(near == 1.5, np.arange(60) % 2, near > 1.5)
    rows = pd.DataFrame({"x": x, "near": near}), pd.Series(np.where(target, "yes", "no")), None
    tree = expect_from_counts(CARTClassifier(pruning=None, max_bins=40), rows)
    assert tree.column[0] == 0
    assert tree.surrogates.threshold[0] == 1.25


def test_a_tree_without_missing_values_has_surrogates_that_keep_the_order():
    X, y, _ = mixed_rows(400)
    rows = X.assign(close=X["smooth"] + 0.1 * X["few"], turned=-X["smooth"]), np.where(y == "yes", "yes", "no"), None
    model = CARTClassifier(pruning=None, surrogates="always", max_bins=40, max_depth=4)
    free = expect_from_counts(model, rows)
    tree = expect_from_counts(model.set_params(monotonic_cst={"smooth": 1, "close": 1, "turned": 1}), rows)
    turned = rows[0].columns.get_loc("turned")
    assert turned in free.surrogates.column
    assert turned not in tree.surrogates.column[tree.surrogates.start[0] : tree.surrogates.start[1]]
    model.set_params(monotonic_cst=None)


def passes_of(model, rows, memory=COUNTED):
    """The tree, and of each count the level, the nodes, the cells of a node, and whether it is by branch."""
    plan, passes = plan_of(model, rows), []
    survey = encode(rows, plan.max_bins)
    engine = array_engine(rows, survey, plan)
    count = engine.count

    def record(levels, first, end, cells=None):
        found = count(levels, first, end, cells)
        passes.append((len(levels), end - first, found.shape[2], cells is not None and "goes" in cells))
        return found

    engine.count = record
    tree = grow(engine, survey, plan, Resources(memory))
    return tree, passes


def test_groups_of_nodes_have_room_for_both_counts():
    model, rows = CARTClassifier(pruning=None, max_bins=20, max_depth=3), mixed_rows(400, missing=0.2)
    _, one_by_one = passes_of(model, rows)
    assert {n for _, n, _, _ in one_by_one} == {1}
    n_cells = one_by_one[0][2] + next(n for _, _, n, by_branch in one_by_one if by_branch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "FETCHES", 2**60)
        for at_once in (2, 3, 8):
            tree, passes = passes_of(model, rows, 2 * at_once * 8 * n_cells)
            assert tree == memory_tree(model, rows)
            assert max(n for _, n, _, _ in passes) == min(at_once, 8)


def test_of_leaves_at_the_maximum_depth_one_column_is_counted():
    model, rows = CARTClassifier(pruning=None, max_bins=20, max_depth=2), mixed_rows(400, missing=0.2)
    tree, passes = passes_of(model, rows)
    assert tree == memory_tree(model, rows)
    assert tree.depth == 2
    last = [n for depth, _, n, _ in passes if depth == 2]
    assert len(last) == 4
    assert set(last) == {3 * 21}


def test_a_source_that_changes_between_passes_is_an_error():
    model, rows = CARTClassifier(pruning=None, max_bins=20), mixed_rows(400, missing=0.1)
    plan = plan_of(model, rows)
    survey = encode(rows, 20)
    engine = array_engine(rows, survey, plan)
    count = engine.count

    def loses_rows(levels, first, end, cells=None):
        return count(levels, first, end, cells) // (2 if cells else 1)

    engine.count = loses_rows
    with pytest.raises(TreewrightError, match=r"The counts of node 0 changed from one pass"):
        grow(engine, survey, plan, Resources(COUNTED))


# --- engines ---


@pytest.fixture
def counted(monkeypatch):
    """No rows are fetched: every node is counted."""
    monkeypatch.setattr(growth, "FETCHES", 2**60)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("backend", ["polars", "duckdb", "ibis"])
def test_databases_count_by_branch(backend):
    """Rows are sent on by statements alone; with weights and without."""
    frame, target, weight = correlated_rows(200, seed=3, missing=0.25)
    frame = frame[["x", "copy", "near", "range", "z", "nothing"]].assign(target=target, weight=weight)
    model = CARTClassifier(pruning=None, max_bins=30, max_depth=3)
    for weighted in (False, True):
        tree = expect_same(model, backend, frame, weighted=weighted)
        assert np.diff(tree.surrogates.start).max() > 2


@pytest.mark.parametrize("missing", [0.1, 0.6])
@pytest.mark.parametrize("name", ["cart", "always, at most 2", "none"])
def test_lazy_frames(name, missing):
    frame = mixed_frame(250, missing=missing)
    expect_same(MODELS[name].set_params(max_bins=40), "polars", frame, MIXED, weighted=True)


@pytest.mark.usefixtures("counted")
def test_one_more_statement_a_level(monkeypatch):
    made = []
    monkeypatch.setattr("treewright.scale.query.Frames", lambda source: made.append(Frames(source)) or made[0])
    model = CARTClassifier(pruning=None, max_bins=40, max_depth=6)
    tree = expect_same(model, "polars", mixed_frame(400, missing=0.1).drop(columns="word"))
    effort = made[0].effort
    assert tree.depth == 6
    assert effort.log.count("route") == 6
    assert effort.log.count("count") == 7 + 6
    assert effort.n_passes <= 3 * tree.depth + 8


@pytest.mark.usefixtures("counted")
def test_many_codes_with_a_branch_are_a_table_of_duckdb(monkeypatch):
    monkeypatch.setattr("treewright.scale.query.MANY_CODES", 30)
    frame = mixed_frame(200, missing=0.2)[["smooth", "few", "city", "target"]]
    source = source_of("duckdb", shuffled(frame))
    model = CARTClassifier(pruning=None, max_bins=40, max_depth=2)
    expected = memory_tree(model, (frame.drop(columns="target"), frame["target"], None))
    assert fit_source(model, source, "target", None, SourceOptions()).grown_tree_ == expected
    tables = source.query("q", "SELECT table_name FROM duckdb_tables() ORDER BY ALL")
    assert tables.fetchall() == [("kept",)]


COSTS = [[0, 1, 5], [2, 0, 1], [1, 3, 0]]


@pytest.mark.parametrize(
    "parameters",
    [{"class_weight": "balanced"}, {"priors": [0.2, 0.5, 0.3], "cost_matrix": COSTS}, {"max_leaf_nodes": 15}],
    ids=str,
)
def test_files_with_weights_of_rows_and_classes(parameters, tmp_path, monkeypatch):
    """The default of CART; rows have weights of any size, and the model is pruned, saved and predicts as in memory."""
    monkeypatch.setattr(local, "BATCH_ROWS", 300)
    rng = np.random.default_rng(3)
    frame = mixed_frame(700, missing=0.15).drop(columns="weight")
    frame = frame.assign(w=np.where(rng.random(700) < 0.1, 0.0, rng.exponential(2.5, 700)))
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), str(tmp_path / "a.parquet"))
    model, X = CARTClassifier(**parameters, ccp_alpha=0.002, max_bins=255), frame.drop(columns=["target", "w"])
    for weight in (None, "w"):
        used = frame if weight is None else frame[frame["w"] > 0]
        expected = CARTClassifier(**model.get_params()).fit(
            used[X.columns], used["target"], None if weight is None else used["w"]
        )
        source = tmp_path / "a.parquet"
        if weight is None:
            source = duckdb.connect().read_parquet(str(source)).project("* EXCLUDE w")
        for memory in (400_000, 10**9)[: 1 if weight is None else 2]:
            found = fit_source(model, source, "target", weight, SourceOptions(memory))
            assert found.grown_tree_ == expected.grown_tree_
            assert found.tree_ == expected.tree_
        assert found.tree_.prediction_rule == expected.tree_.prediction_rule
        assert np.array_equal(found.predict_proba(X), expected.predict_proba(X))
        found.save(tmp_path / "model.json", overwrite=True)
        assert load(tmp_path / "model.json").tree_ == expected.tree_
        if "max_leaf_nodes" in parameters:
            assert found.grown_tree_.n_leaves == 15


def test_ordered_categories_are_surrogates(tmp_path):
    frame, target, _ = correlated_rows(500, 5)
    frame = frame[["x", "near", "range", "z"]].assign(target=target)
    pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), str(tmp_path / "a.parquet"))
    model = CARTClassifier(categorical_features={"range": list("edcbaf")}, pruning=None, max_bins=255)
    expected = model.fit(frame.drop(columns="target"), frame["target"]).tree_
    assert 2 in expected.surrogates.column
    for source in (tmp_path / "a.parquet", pl.scan_parquet(tmp_path / "a.parquet")):
        assert fit_source(model, source, "target", None, SourceOptions(100_000)).tree_ == expected


def test_partitions_do_not_matter():
    dd = pytest.importorskip("dask.dataframe")
    frame = mixed_frame(500, missing=0.3)
    other = frame.astype({"flag": "boolean"}).sample(frac=1, random_state=1).drop(columns="weight")
    model = CARTClassifier(pruning=None, max_bins=40)
    expected = in_memory(model, frame)
    for n_partitions in (1, 7):
        source = dd.from_pandas(other.reset_index(drop=True), npartitions=n_partitions, sort=False)
        assert fit(model, source) == expected
