"""Subtree raising on a source: the pruned tree and the numbers of its report are those of raising in memory."""

import duckdb
import numpy as np
import polars as pl
import pytest

from tests.scale.raising_cases import (
    any_case,
    memory_for,
    prune_both_ways,
    raised_nodes,
    skewed_frame,
    split_frame,
)
from tests.scale.sources import array_engine, encode, mixed_rows, plan_of
from tests.scale.test_real_sets import needs_shared, tables
from treewright import C45Classifier, MDLTreeClassifier, TreeClassifier, prune
from treewright.errors import InputError, TreewrightError
from treewright.presets import c45_release8, j48
from treewright.prune.method import PruningInput
from treewright.scale import raising_routes, worker
from treewright.scale.class_weights import weigh_table
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.growth import missing_code
from treewright.scale.local import LocalEngine
from treewright.scale.raising import CountedRaising


def ratio_tree(missing, **parameters):
    """A large tree that splits early on columns that tell little."""
    grouping = "binary" if missing == "surrogate" else "each"
    return TreeClassifier(
        criterion="entropy", merit="ratio", missing=missing, max_bins=20, grouping=grouping, **parameters
    )


CASES = {
    "c45": (C45Classifier(max_bins=20), 0.0, False),
    "nothing missing": (ratio_tree("fractional"), 0.0, False),
    "learned": (ratio_tree("learned"), 0.1, True),
    "branch": (ratio_tree("branch"), 0.1, False),
    "stop": (ratio_tree("stop"), 0.1, True),
    "surrogate": (ratio_tree("surrogate"), 0.1, False),
    "fractional": (ratio_tree("fractional"), 0.1, False),
    "weighted fractional": (ratio_tree("fractional", priors="equal"), 0.1, True),
    "costs": (ratio_tree("learned", cost_matrix=[[0, 1, 4], [2, 0, 1], [1, 3, 0]]), 0.1, False),
}
EVERYTHING, SOME, NOTHING = 1, memory_for(60, 8), 10**9
"""Memory with which all places are counted, those of at most 60 rows are fetched, and all rows are."""


@pytest.mark.parametrize("name", CASES)
def test_it_is_raising_in_memory(name):
    model, missing, weighted = CASES[name]
    rows = split_frame(skewed_frame(300, 2, missing), weighted)
    passes = []
    for memory in (EVERYTHING, SOME, NOTHING):
        outcome = prune_both_ways(model, rows, prune.ErrorBased(), memory)
        assert outcome.differences() == []
        passes.append(outcome.n_passes)
    assert raised_nodes(outcome.expected.report)[0]
    assert passes[0] >= passes[1] > passes[2] == 1


def test_branches_are_raised_one_after_the_other():
    """The tables above have nodes that were raised below others, with one path and with fractional weights."""
    for name in ("learned", "fractional"):
        model, missing, weighted = CASES[name]
        nested = 0
        for seed in (1, 2):
            rows = split_frame(skewed_frame(300, seed, missing), weighted)
            report = prune_both_ways(model, rows, prune.ErrorBased(), NOTHING).expected.report
            nested += raised_nodes(report)[1]
        assert nested > 0, name


@pytest.mark.parametrize("seed", range(0, 200, 20))
def test_random_tables(seed):
    for one in range(seed, seed + 20):
        assert any_case(one).differences() == [], one


@pytest.mark.long
def test_many_random_tables():
    n_raised = n_nested = 0
    for seed in range(1_000, 7_000):
        outcome = any_case(seed)
        assert outcome.differences() == [], seed
        raised, nested = raised_nodes(outcome.expected.report)
        n_raised, n_nested = n_raised + len(raised), n_nested + nested
    assert n_raised > 1_000
    assert n_nested > 50


@pytest.mark.parametrize("name", ["nothing missing", "surrogate", "fractional"])
def test_routes_of_many_codes_take_several_passes(name, monkeypatch):
    model, missing, weighted = CASES[name]
    rows = split_frame(skewed_frame(300, 2, missing), weighted)
    one = prune_both_ways(model, rows, prune.ErrorBased(), SOME)
    monkeypatch.setattr(raising_routes, "MOST_CODES", 10)
    monkeypatch.setattr(raising_routes, "CODE_BYTES", SOME)
    several = prune_both_ways(model, rows, prune.ErrorBased(), SOME)
    assert several.differences() == []
    assert several.n_passes > one.n_passes


def test_passes_where_every_row_takes_one_path_are_few():
    """A pass counts all nodes whose branches are decided, so there are hardly more than levels of the tree."""
    rows = mixed_rows(700)
    outcome = prune_both_ways(TreeClassifier(missing="learned", max_bins=40), rows, prune.ErrorBased(), EVERYTHING)
    report = outcome.expected.report
    assert len(report) > 100
    assert outcome.n_passes <= 1 + report.tree.depth + 3 * len(raised_nodes(report)[0])


@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_a_source_that_returns_other_rows(missing):
    rows = split_frame(skewed_frame(300, 2, 0.1))
    model = ratio_tree(missing)
    plan = plan_of(model, rows)
    survey = encode(rows, 20)
    engine = array_engine(rows, survey, plan)
    weights = weigh_table(survey, missing_code(survey, plan))
    tree = prune_both_ways(model, rows, prune.ErrorBased(), NOTHING).expected.report.tree
    for part in engine.parts:
        for name in ("codes", "target", "weight"):
            part[name] = None if part[name] is None else part[name][..., :50]
    for memory in (EVERYTHING, NOTHING):
        raising = CountedRaising(engine, survey, weights, memory)
        with pytest.raises(TreewrightError, match="make sure that the source returns the same rows"):
            prune.ErrorBased().prune_by(PruningInput(tree, raise_branches=raising))


# --- fit ---


def open_files(frame, folder):
    """The frame in three files."""
    for i, part in enumerate(np.array_split(np.random.default_rng(0).permutation(len(frame)), 3)):
        frame.iloc[part].astype({"flag": "boolean"}).to_parquet(folder / f"{i}.parquet", index=False)
    return str(folder)


SOURCES = {
    "local": open_files,
    "duckdb": lambda frame, folder: duckdb.connect().read_parquet(f"{open_files(frame, folder)}/*.parquet"),
    "polars": lambda frame, folder: pl.scan_parquet(f"{open_files(frame, folder)}/*.parquet"),
}
MODELS = {
    "c45": C45Classifier(max_bins=255),
    "release 8": c45_release8().set_params(max_bins=255),
    "j48": j48().set_params(max_bins=255),
    "mdl": MDLTreeClassifier(smoothing=2.0, max_bins=255),
    "mdl learned": MDLTreeClassifier(smoothing=2.0, max_bins=255, missing="learned"),
    "steps": ratio_tree("branch", pruning=[prune.ErrorBased(confidence=0.5), prune.MDL()], class_weight="balanced"),
}


def check_fit(model, X, y, source, *, weights=None, memory=NOTHING):
    """Fit in memory and on a source, compare, and return the report."""
    expected = model.fit(X, y, sample_weight=weights)
    tree, report = expected.tree_, expected.pruning_report_
    found = fit_source(model, source, "target", None if weights is None else "weight", SourceOptions(memory))
    assert found.tree_.fingerprint() == tree.fingerprint()
    for name in ("node", "leaf", "subtree", "verdict", "branch", "origin", "weight", "allowance"):
        np.testing.assert_array_equal(getattr(found.pruning_report_, name), getattr(report, name))
    assert found.pruning_report_.rule == report.rule
    assert found.notes_ == ()
    return report


@pytest.mark.parametrize(
    ("name", "library", "memory"),
    [
        *((name, "local", SOME) for name in MODELS),
        ("mdl learned", "local", EVERYTHING),
        ("c45", "duckdb", memory_for(150, 8)),
        ("steps", "duckdb", memory_for(150, 8)),
        ("c45", "polars", memory_for(100, 8)),
        ("steps", "polars", SOME),
    ],
)
def test_fit_prunes_as_in_memory(name, library, memory, tmp_path):
    frame = skewed_frame(300, 2, missing=0.1)
    weighted = library == "polars" or name == "mdl"
    frame = frame if weighted else frame.drop(columns="weight")
    X, y = frame.drop(columns=["target", "weight"], errors="ignore"), frame["target"]
    source = SOURCES[library](frame, tmp_path)
    check_fit(MODELS[name], X, y, source, weights=frame["weight"] if weighted else None, memory=memory)


def test_weights_that_are_any_numbers(tmp_path):
    """The weights of nodes that got other rows are sums of the same integers as in growth."""
    frame = skewed_frame(300, 2, missing=0.1)
    frame["weight"] = np.random.default_rng(0).exponential(2.0, len(frame))
    source, n_raised = open_files(frame, tmp_path), 0
    for missing in ("learned", "fractional"):
        model = ratio_tree(missing, pruning="error_based", class_weight="balanced")
        X = frame.drop(columns=["target", "weight"])
        report = check_fit(model, X, frame["target"], source, weights=frame["weight"], memory=SOME)
        n_raised += len(raised_nodes(report)[0])
    assert n_raised > 1


def test_whole_weights_times_1_are_importances(tmp_path):
    frame = skewed_frame(300, 1)
    source = open_files(frame, tmp_path)
    model = ratio_tree("learned", pruning="error_based", class_weight={"no": 1, "yes": 1})
    X = frame.drop(columns=["target", "weight"])
    check_fit(model, X, frame["target"], source, weights=frame["weight"])


def test_files_follow_other_levels_of_the_same_number(tmp_path):
    """Where rows are is kept from pass to pass; rows that went down other levels begin at the root again."""
    frame = skewed_frame(60)[["number0", "target"]]
    frame.to_parquet(tmp_path / "a.parquet")
    engine = LocalEngine(tmp_path / "a.parquet")
    engine._parts = [{}]
    engine._read = lambda _: {"codes": np.array([[0, 1, 2]]), "target": np.zeros(3, int), "weight": None}
    engine._arrived = [([], None)]
    levels = [
        {
            "column": np.zeros(1, int), "start": np.zeros(1, int), "goes": np.array(goes), "next": np.zeros(1, int),
            "part_start": np.zeros(2, int), "part_slot": np.zeros(0, int), "part_weight": np.zeros(0), "least": 0.0,
        }
        for goes in ([0, worker.ENDS, 0], [worker.ENDS, 0, worker.ENDS])
    ]  # fmt: skip
    assert [engine.take([level], 0, 1)["codes"].tolist() for level in levels] == [[[0, 2]], [[1]]]
    engine.close()


# --- real tables ---

FEW = ["golf", "labor", "heart_cleveland"]
DEFAULTS = {"c45": C45Classifier(max_bins=64), "mdl": MDLTreeClassifier(smoothing=2.0, max_bins=255)}


def check_table(read, folder, memories):
    """Compare the default prunings of a table; how many branches were raised."""
    X, y = read()
    X, y = X.iloc[:5_000].reset_index(drop=True), y.iloc[:5_000].reset_index(drop=True).rename("target")
    X.columns = [f"c{i}" for i in range(X.shape[1])]
    X = X.astype(dict.fromkeys(X.select_dtypes(["category", "string", "object"]).columns, object))
    order, n_raised = np.random.default_rng(0).permutation(len(X)), 0
    X.assign(target=y.to_numpy()).iloc[order].to_parquet(folder / "a.parquet", index=False)
    for model in DEFAULTS.values():
        for memory in memories:
            report = check_fit(model, X, y, folder / "a.parquet", memory=memory(X.shape[1]))
            n_raised += len(raised_nodes(report)[0])
    return n_raised


@needs_shared
@pytest.mark.parametrize("name", [name for name in FEW if name in tables()])
def test_some_tables(name, tmp_path):
    check_table(tables()[name], tmp_path, [lambda n: memory_for(100, n)])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pandas.errors.PerformanceWarning")  # the reader of wide tables
@needs_shared
@pytest.mark.parametrize("name", list(tables()))
def test_every_table(name, tmp_path):
    try:
        check_table(tables()[name], tmp_path, [lambda n: memory_for(300, n), lambda _: NOTHING])
    except InputError as error:  # what fits on no source
        pytest.skip(str(error))
