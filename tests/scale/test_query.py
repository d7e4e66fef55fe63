"""Lazy frames of DuckDB, polars and Ibis: the same tree as from the table in memory, in few statements; exact bins."""

import duckdb
import ibis
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from tests.export.hostile import HOSTILE
from tests.export.walk import mixed
from tests.scale.sources import memory_tree, mixed_frame
from treewright import C45Classifier, CARTClassifier, ID3Classifier, MDLTreeClassifier, TreeClassifier
from treewright.errors import InputError
from treewright.grow.bins import bin_sorted_values, bins_below
from treewright.prune import CostComplexity
from treewright.scale import growth, query_survey, worker
from treewright.scale.engine import CellLayout, CodingRequest, RowUnits, SurveyRequest
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.query import QueryEngine
from treewright.scale.query_frames import Frames, place, round_to_even, union
from treewright.scale.query_places import edge_table, place_cells

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # Ibis 12 calls it
BACKENDS = ("duckdb", "polars", "ibis")
BY_BACKEND = pytest.mark.parametrize("backend", BACKENDS)
MIXED = 300_000
"""Memory with which some nodes of the tables below are counted, and the rows of others are fetched."""


def source_of(backend, table):
    """The rows of an Arrow table as a lazy frame."""
    if backend == "polars":
        return pl.from_arrow(table).lazy()
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.register("given", table)
    connection.execute("CREATE TABLE kept AS SELECT * FROM given")
    connection.unregister("given")
    return connection.table("kept") if backend == "duckdb" else ibis.duckdb.from_connection(connection).table("kept")


def shuffled(frame, weighted=False, seed=0):
    """The rows of a data frame as an Arrow table in another order."""
    frame = frame.sample(frac=1, random_state=seed)
    kept = frame if weighted or "weight" not in frame else frame.drop(columns="weight")
    return pa.Table.from_pandas(kept, preserve_index=False)


def expect_same(model, backend, frame, memory=2**30, weighted=False):
    """The tree of a source is that of growth in memory; the engine's statements."""
    used = frame[frame["weight"] > 0] if weighted else frame
    expected = memory_tree(model, (
        used.drop(columns=["target", "weight"], errors="ignore"), used["target"], used["weight"] if weighted else None,
    ))  # fmt: skip
    source = source_of(backend, shuffled(frame, weighted))
    fitted = fit_source(model, source, "target", "weight" if weighted else None, SourceOptions(memory))
    assert fitted.grown_tree_ == expected
    return expected


@pytest.fixture
def counted(monkeypatch):
    """No rows are fetched: every node is counted."""
    monkeypatch.setattr(growth, "FETCHES", 2**60)


MODELS = {
    "id3": ID3Classifier(numeric="bisect", missing="branch", pruning=None),
    "c45": C45Classifier(pruning=None, max_bins=40),
    "c45 grouped": C45Classifier(grouping="greedy", min_samples_leaf=5, pruning=None, max_bins=40),
    "cart": CARTClassifier(missing="learned", pruning=None, max_bins=40),
    "mdl": MDLTreeClassifier(missing="learned", max_bins=40),
    "stop": TreeClassifier(missing="stop", max_bins=40),
    "fractional": TreeClassifier(missing="fractional", criterion="entropy", max_bins=40),
    "branch": CARTClassifier(missing="branch", pruning=None, max_bins=40),
}


# --- trees ---


@pytest.mark.parametrize(("missing", "weighted"), [(0.0, False), (0.15, False), (0.15, True)])
@pytest.mark.parametrize("name", MODELS)
def test_the_tree_is_that_of_growth_in_memory(name, missing, weighted):
    frame = mixed_frame(250, missing=missing)
    frame["weight"] = np.random.default_rng(1).integers(0, 4, 250)
    if name == "id3":
        frame = frame[["few", "city", "word", "flag", "target", "weight"]]
    tree = expect_same(MODELS[name], "polars", frame, MIXED, weighted)
    assert tree.n_nodes > 3


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(
    ("backend", "model"),
    [
        ("duckdb", C45Classifier(min_samples_leaf=40, pruning=None, max_bins=40)),
        ("ibis", C45Classifier(max_depth=2, pruning=None, max_bins=40)),
        ("duckdb", CARTClassifier(missing="learned", max_depth=3, pruning=None, max_bins=40)),
    ],
)
def test_databases_count(backend, model):
    """With weights, and missing values that are divided or follow a branch."""
    expect_same(model, backend, mixed_frame(300, seed=2, missing=0.1), weighted=True)


def test_weights_of_classes():
    frame = mixed_frame(300, seed=4).drop(columns="weight")
    for balance in ("balanced", {"no": 3.0}):
        expect_same(TreeClassifier(class_weight=balance, max_bins=40), "polars", frame, MIXED)


@BY_BACKEND
def test_every_backend_fetches(backend):
    X, y, _ = mixed(n=300, seed=3, missing=0.1)
    frame = X.assign(grade=X["grade"].astype(object), target=np.asarray(y))
    expect_same(C45Classifier(grouping="greedy", min_samples_leaf=9, pruning=None, max_bins=40), backend, frame, 60_000)


def test_one_node_at_a_time():
    """With the least memory each node is counted by itself."""
    model = TreeClassifier(missing="fractional", max_depth=4, max_bins=40)
    expect_same(model, "polars", mixed_frame(300, missing=0.1), 1)


@BY_BACKEND
def test_both_kinds_of_missing_values_and_columns_without_information(backend):
    """NaN and NULL are one thing in a table of numbers."""
    rng, n = np.random.default_rng(5), 300
    x, y = rng.normal(size=n), rng.normal(size=n)
    target = (x > 0) ^ (y > 0.3)
    x[:40], lost = np.nan, np.arange(n) % 7 == 3
    table = pa.table({
        "x": pa.array(x, mask=lost),
        "y": pa.array(y.round(1), mask=np.arange(n) < 30),
        "none": pa.array([None] * n, pa.float64()),
        "nan": pa.array(np.full(n, np.nan)),
        "no text": pa.array([None] * n, pa.string()),
        "constant": np.full(n, 3.5),
        "one text": ["a"] * n,
        "yes": np.ones(n, bool),
        "zeros": np.where(rng.random(n) < 0.5, -0.0, 0.0),
        "small": pa.array(rng.integers(0, 9, n).astype(np.int8), mask=lost),
        "target": target,
    })
    model = TreeClassifier(missing="learned", max_bins=20)
    frame = table.to_pandas()
    expected = memory_tree(model, (pl.from_arrow(table.drop(["target"])), frame["target"], None))
    order = rng.permutation(n)
    fitted = fit_source(model, source_of(backend, table.take(order)), "target", None, SourceOptions(MIXED))
    assert fitted.grown_tree_ == expected
    assert expected.n_nodes > 5


@BY_BACKEND
def test_targets_of_every_type_and_declared_categories(backend):
    rng, n = np.random.default_rng(6), 200
    code, half = rng.integers(0, 4, n), rng.integers(0, 5, n) / 2
    x = rng.normal(size=n)
    label = (code % 2) + (x > 0)
    for target in (label == 1, label + 10, np.array(["no", "maybe", "it's"])[label], label * 1.0):
        table = pa.table({"code": code, "half": half, "x": x, "target": target})
        model = C45Classifier(categorical_features=["code", "half"], pruning=None, max_bins=30)
        expected = memory_tree(model, (table.to_pandas()[["code", "half", "x"]], table.to_pandas()["target"], None))
        fitted = fit_source(model, source_of(backend, table), "target", None, SourceOptions(MIXED))
        assert fitted.grown_tree_ == expected
        assert fitted.classes_.tolist() == sorted(set(target.tolist()))


@BY_BACKEND
def test_hostile_names_and_categories(backend):
    """Names of columns and categories are data; those are left out that are not Unicode, or no name for DuckDB."""
    texts = [one for one in dict.fromkeys(HOSTILE) if one.encode(errors="ignore").decode() == one]
    names = [one for one in texts if one and "\0" not in one and len(one) < 100]
    rng = np.random.default_rng(7)
    categories = rng.choice(np.array(texts, object), 400).tolist()
    few = rng.choice(np.array(texts[:20], object), 400).tolist()
    chosen = [*rng.permutation(names)[:8].tolist(), "^x.*$", "len", "k"]
    columns = {name: rng.integers(0, 3, 400) for name in chosen} | {"category": categories, "few": few}
    target = np.array(texts, object)[[5 + texts.index(one) % 2 for one in categories]]
    table = pa.table(columns | {"target": target.tolist()})
    model = C45Classifier(grouping="greedy", pruning=None)
    frame = pl.from_arrow(table)
    expected = memory_tree(model, (frame.drop("target"), frame["target"], None))
    fitted = fit_source(model, source_of(backend, table), "target", None, SourceOptions(100_000))
    assert fitted.grown_tree_ == expected
    assert set(fitted.classes_) == set(texts[5:7])


# --- statements ---


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("backend", ["duckdb", "polars"])
def test_at_most_two_statements_a_level(backend, monkeypatch):
    ran = []
    collect, materialise, made = nw.LazyFrame.collect, Frames.materialise, []
    monkeypatch.setattr(nw.LazyFrame, "collect", lambda *args, **more: ran.append("fetch") or collect(*args, **more))
    monkeypatch.setattr(Frames, "materialise", lambda *args: ran.append("keep") or materialise(*args))
    monkeypatch.setattr("treewright.scale.query.Frames", lambda source: made.append(Frames(source)) or made[0])
    model = TreeClassifier(missing="fractional", min_samples_leaf=12, max_bins=40)
    tree = expect_same(model, backend, mixed_frame(300, missing=0.1).drop(columns="word"))
    effort = made[0].effort
    assert tree.depth > 4
    assert effort.n_passes == len(ran) == len(effort.log) <= 2 * tree.depth + 8
    assert effort.log.count("route") == tree.depth
    assert effort.n_bytes > 0


@pytest.mark.parametrize("memory", [2**18, 2**20])
def test_statements_when_nodes_are_fetched(memory, monkeypatch):
    made = []
    monkeypatch.setattr("treewright.scale.query.Frames", lambda source: made.append(Frames(source)) or made[0])
    monkeypatch.setattr(query_survey, "BUCKETS_PAY", 0)
    model = CARTClassifier(missing="learned", max_bins=40, pruning=None)
    tree = expect_same(model, "polars", mixed_frame(1500), memory)
    log = made[0].effort.log
    assert log.count("take") >= 1
    assert len(log) <= 2 * tree.depth + 8


@pytest.mark.parametrize("backend", ["duckdb", "ibis"])
def test_nothing_is_left_behind(backend):
    source = source_of(backend, shuffled(mixed_frame(200)))
    connection = source if backend == "duckdb" else source.get_backend().con

    def tables():
        query = "SELECT table_name FROM duckdb_tables() ORDER BY ALL"
        found = connection.query("q", query) if backend == "duckdb" else connection.execute(query)
        return found.fetchall()

    before = tables()
    model = CARTClassifier(missing="learned", max_depth=2, max_bins=40, pruning=CostComplexity(folds=2))
    fit_source(model, source, "target", None, SourceOptions(20_000))
    assert tables() == before == [("kept",)]


@BY_BACKEND
def test_levels_are_followed_from_the_root_again(backend):
    """Counts depend on the levels alone, not on those that were asked for before; as `worker` counts."""
    rng, n = np.random.default_rng(8), 500
    codes, target, weight = rng.integers(0, [[5], [7]], (2, n)), rng.integers(0, 2, n), rng.integers(1, 9, n)
    cells = [pa.array(one * 1.0, mask=one == n_codes) for one, n_codes in zip(codes, (4, 6), strict=True)]
    table = pa.table({"a": cells[0], "b": cells[1], "t": target, "w": weight})
    layout = CellLayout(np.array([0, 10, 24]), 2)
    units, one = RowUnits(((1.0, 1.0001),), 40), 2**40
    values = {"a": np.arange(4.0), "b": np.arange(6.0)}
    engine = QueryEngine(source_of(backend, table))
    engine.encode(CodingRequest(values, "t", {0: 0, 1: 1}, "w", units), layout)
    rows = {"codes": codes, "target": target, "weight": units.of(weight, target)}
    least, nowhere = one / 256, [-1] * 7

    def level(column, start, goes, parts=(), fractions=(), next_of=(), next_columns=(), next_goes=()):
        """Tables of 7 codes; `parts` and `next_of` are where those of each slot begin, and what all of them are."""
        begin, slots = parts or ([0] * (len(column) + 1), [])
        return {
            "column": np.array(column), "start": np.array(start), "goes": np.array([*nowhere, *goes]),
            "part_start": np.array(begin), "part_slot": np.array(slots, np.int32),
            "part_weight": np.array(fractions, float), "least": least,
            "next": np.array(next_of or [0] * len(column)), "next_column": np.array(next_columns, np.int64),
            "next_start": 7 * (1 + np.arange(len(next_columns))), "next_goes": np.array([*nowhere, *next_goes]),
        }  # fmt: skip

    # on column b: two codes to each of slots, one that is divided in three
    by_b = level([1], [7], [0, 1, 2, -2, 1, -1, -1], ([0, 3], [2, 1, 0]), [0.7, 0.299, 0.001])
    # of three slots the first ends; half of the rows of a part may end, too
    by_a = level([0, 0, 0], [0, 7, 12], [0, 1, -2, 0, -1, 1, 1, 0, 0, 0], ([0, 0, 2, 2], [0, -1]), [0.5, 0.5])
    # another first level: a missing value on a follows b, which knows four codes; then a again, which knows none
    other = level(
        [0], [7], [1, 0, 0, 1, -3], next_of=[0], next_columns=[1, 0],
        next_goes=[0, 1, -1, 0, -3, -3, -3, 0, 0, 0, 0, 1, 0, 0],
    )  # fmt: skip
    # below it: the first slot has no surrogate, the second one has one, of which one branch ends
    below = level([1, 1], [7, 14], [0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, -3], next_of=[0, 0], next_columns=[0],
                  next_goes=[-1, -1, 1, 1, 0, 0, 0])  # fmt: skip
    by_branch = {
        "offset": [0, 10, 24], "n_classes": 2, "column": np.array([0, 1]), "start": np.array([7, 0]),
        "goes": np.array([*nowhere, 0, 1, 1, 0, -1]),
    }  # fmt: skip
    for levels, slots in (([], 1), ([by_b], 3), ([by_b, by_a], 2), ([other], 2), ([other, below], 2), ([by_b], 3)):
        arrived = worker.walk(rows, levels)
        expected = worker.count_slots(rows, arrived, 0, slots, layout.as_dict())
        assert (engine.count(levels, 0, slots) == expected).all()
        if slots == 2:
            expected = worker.count_slots(rows, arrived, 0, slots, by_branch)
            assert (engine.count(levels, 0, slots, by_branch) == expected).all()
            assert 0 < expected[1].sum() < 2 * len(arrived[0])
        taken, rest = engine.take(levels, slots - 1, slots), worker.take_rows(rows, arrived, slots - 1, slots)
        found, wanted = (
            sorted(zip(*one["codes"].tolist(), one["target"].tolist(), one["weight"].tolist(), strict=True))
            for one in (taken, rest)
        )
        assert found == wanted
    engine.close()


# --- arithmetic ---


@BY_BACKEND
def test_halves_are_rounded_as_numpy_rounds_them(backend):
    rng = np.random.default_rng(9)
    halves = rng.integers(0, 2**50, 200) + 0.5
    near = np.concatenate([np.nextafter(halves, 0), np.nextafter(halves, np.inf), halves])
    values = np.concatenate([[0.0, 0.5, 1.5, 2.5, 0.49999999999999994, 2.0**60 + 2048], near, rng.random(200) * 2**53])
    frames = Frames(source_of(backend, pa.table({"v": values})))
    found = frames.fetch(frames.source.select(v=nw.col("v"), r=round_to_even(nw.col("v"))), "test")
    assert (found["r"] == np.rint(found["v"]).astype(np.int64)).all()
    frames.close()


@BY_BACKEND
@pytest.mark.parametrize("uneven", [True, False])
@pytest.mark.parametrize("n_edges", [1, 31, 32, 100, 255])
def test_cells_are_placed_as_numpy_places_them(backend, n_edges, uneven):
    rng = np.random.default_rng(n_edges)
    numbers = rng.normal(size=400) * 10.0 ** rng.integers(-300, 300, 400) if uneven else rng.random(400) - 1e6
    edges = np.unique(numbers)[:n_edges]
    if n_edges > 31:  # few edges in each of many intervals of one length, or blocks
        assert (len(edge_table(nw.col("v"), edges).below) < 100) == uneven
    cells = np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf), [-1e308, 1e308]])
    frames = Frames(source_of(backend, pa.table({"v": pa.array([*cells.tolist(), None])})))
    rows = place_cells(frames, frames.source.with_columns(w=nw.col("v")), {"v": edges, "w": edges[:40]}, " code")
    rows = rows.rename({"v code": "code", "w code": "other"})
    found = frames.fetch(rows.with_columns(direct=place(nw.col("v"), edges.tolist())), "test")
    known = ~np.isnan(found["v"])
    assert known.sum() == len(cells)
    assert np.isnan(found["code"].astype(float)[~known]).all()
    for name in ("code", "direct"):
        assert (found[name][known] == np.searchsorted(edges, found["v"][known])).all()
    assert (found["other"][known] == np.searchsorted(edges[:40], found["v"][known])).all()
    frames.close()


COLUMNS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy tails": lambda rng, n: rng.standard_cauchy(size=n) * 10.0 ** rng.integers(-200, 200, n),
    "skewed": lambda rng, n: np.exp(3 * rng.normal(size=n)).round(1),
    "whole": lambda rng, n: rng.integers(0, 1000, n).astype(float),
    "frequent": lambda rng, n: np.where(rng.random(n) < 0.5, 7.5, rng.normal(7.5, 1e-9, n)),
    "many frequent": lambda rng, n: np.where(rng.random(n) < 0.9, rng.integers(0, 30, n) * 0.1, rng.normal(size=n)),
    "two values": lambda rng, n: rng.integers(0, 2, n).astype(float),
    "zeros of both signs": lambda rng, n: np.where(rng.random(n) < 0.5, -0.0, rng.normal(size=n).round(2)),
    "with missing": lambda rng, n: np.where(rng.random(n) < 0.3, np.nan, rng.exponential(size=n)),
    "all missing": lambda rng, n: np.full(n, np.nan),
    "constant": lambda rng, n: np.full(n, 3.25),
}


@pytest.mark.parametrize("rows_for_buckets", [0, 2**17], ids=["buckets", "sorted"])
@pytest.mark.parametrize(
    ("backend", "max_bins"),
    [("duckdb", 255), ("duckdb", 2), ("polars", 255), ("polars", 20), ("polars", 2), ("ibis", 20)],
)
def test_bins_are_exact(backend, max_bins, rows_for_buckets, monkeypatch):
    """As by sorting each column: see grow/bins.py."""
    monkeypatch.setattr(query_survey, "BUCKETS_PAY", rows_for_buckets)
    rng, n = np.random.default_rng(max_bins), 3000
    columns = {name: make(rng, n) for name, make in COLUMNS.items()}
    engine = QueryEngine(source_of(backend, pa.table(columns | {"y": rng.choice(["a", "b"], n)})))
    facts = engine.survey(SurveyRequest(tuple(COLUMNS), frozenset(), "y", None, max_bins))
    assert engine.effort.n_passes <= 4 + (not rows_for_buckets)
    engine.close()
    for name, values in columns.items():
        own, known = facts.columns[name], np.sort(values[~np.isnan(values)] + 0.0)
        assert own.n_missing == n - len(known)
        expected = bin_sorted_values(known, max_bins)
        if expected is None:
            assert own.following is None
            assert (own.top == np.unique(known)).all()
            assert not np.signbit(own.top[own.top == 0]).any()
        else:
            assert (own.top == expected.top).all()
            assert (bins_below(own.top, own.following).edge == expected.edge).all()
    assert sum(int(one.n_rows.sum()) for one in facts.classes.values()) == n


# --- what is refused ---


def survey(backend, columns, weight=None, **more):
    rows = {"y": ["a", "b", "a"]} | columns
    engine = QueryEngine(source_of(backend, pa.table(rows)))
    names = tuple(name for name in rows if name not in ("y", weight))
    try:
        return engine.survey(SurveyRequest(names, more.get("declared", frozenset()), "y", weight, 255))
    finally:
        engine.close()


REFUSED = {
    "infinite": ({"x": [1.0, np.inf, 2.0]}, "Column 'x' has the infinite value inf"),
    "infinite integers": ({"x": [2**53, 2**53 + 1, 0]}, "'x' has the value 9007199254740993, which has too many"),
    "negative integers": ({"x": [0, -(2**60) - 1, 0]}, "'x' has the value -1152921504606846977, which has too many"),
    "unsigned": ({"x": pa.array([0, 2**64 - 1, 1], pa.uint64())}, "'x' has the value 18446744073709551615, which"),
    "no target": ({"x": [1, 2, 3], "y": ["a", None, "b"]}, "'y' has 1 missing values; leave these rows out"),
    "no number": ({"x": [1, 2, 3], "y": [1.0, None, np.nan]}, "'y' has 2 missing values; leave these rows out"),
    "negative weight": ({"x": [1, 2, 3], "w": [1, -2, 0]}, "'w' have the negative value -2; weights must be"),
    "missing weight": ({"x": [1, 2, 3], "w": [1.0, None, np.nan]}, "'w' have 2 missing values; fill them"),
    "infinite weight": ({"x": [1, 2, 3], "w": [1.0, np.inf, 2.0]}, "'w' have an infinite value; replace it"),
    "no weight": ({"x": [1, 2, 3], "w": [0, 0, 0]}, "no rows; pass at least one row of a weight above 0"),
    "date": ({"x": pa.array([1, 2, 3], pa.date32())}, "Column 'x' has the type Date, which is not supported"),
}


@pytest.mark.parametrize("name", REFUSED)
@BY_BACKEND
def test_what_cannot_be_used_is_refused(backend, name):
    columns, message = REFUSED[name]
    with pytest.raises(InputError, match=message):
        survey(backend, columns, "w" if "w" in columns else None)


@BY_BACKEND
def test_rows_of_weight_zero_have_no_effect(backend):
    """Whatever they have, also what would be refused."""
    columns = {"x": [1.5, np.inf, 2.5], "n": [0, 2**53 + 1, 2**53 + 2], "y": ["a", None, "b"], "w": [1, 0, 3]}
    facts = survey(backend, columns, "w")
    assert facts.columns["x"].top.tolist() == [1.5, 2.5]
    assert facts.columns["n"].top.tolist() == [0, 2.0**53 + 2]
    weights = {label: [part.tolist() for part in one] for label, one in facts.classes.items()}
    assert weights == {"a": [[1.0], [1]], "b": [[3.0], [1]]}
    assert facts.n_rows == 2


@BY_BACKEND
def test_kinds(backend):
    table = pa.table({
        "i": [1], "f": [0.5], "t": ["a"], "b": [True], "d": pa.array([1], pa.date32()),
        "small": pa.array([1], pa.int8()),
    })  # fmt: skip
    engine = QueryEngine(source_of(backend, table))
    kinds = {"i": "number", "f": "number", "t": "text", "b": "boolean", "d": "Date", "small": "number"}
    assert engine.kinds() == kinds
    assert (engine.name, engine.effort.n_passes) == (backend, 0)


def test_other_objects_are_refused():
    with pytest.raises(InputError, match="DataFrame is not a lazy frame of DuckDB, polars or Ibis"):
        QueryEngine(pl.DataFrame({"x": [1]}))


def test_categorical_columns_of_polars_and_unions():
    """Their categories are texts that occur; a union has all rows."""
    frame = pl.DataFrame({"c": pl.Series(["b", "a", None], dtype=pl.Categorical), "y": [1, 2, 1]})
    engine = QueryEngine(frame.lazy())
    facts = engine.survey(SurveyRequest(("c",), frozenset(), "y", None, 255))
    assert facts.columns["c"].categories == ("a", "b")
    parts = [nw.from_native(frame.lazy()).select("y") for _ in range(5)]
    assert union(parts).collect().shape == (15, 1)


def test_a_column_of_polars_without_values_and_type():
    frame = pl.LazyFrame({"x": [1, 2, 3, 4] * 5, "nothing": [None] * 20, "target": ["p", "q"] * 10})
    model = TreeClassifier(missing="learned", max_bins=20).fit(frame, "target")
    X = pl.DataFrame({"x": [1.0, 2, 3, 4] * 5, "nothing": [None] * 20}, schema_overrides={"nothing": pl.Float64})
    assert model.tree_ == TreeClassifier(missing="learned", max_bins=20).fit(X, ["p", "q"] * 10).tree_
