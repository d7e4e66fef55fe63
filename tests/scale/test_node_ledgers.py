"""`why` of a model that was fitted on a source: the ledgers are those of a fit in memory, found from kept counts."""

import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from sklearn.base import clone

import treewright
from tests.scale.sources import SOME_FETCHED, mixed_frame, number_frame
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.errors import InputError
from treewright.scale.fitting import SourceOptions, fit_source

COUNTED, FETCHED = 1, 2**30
"""Memory with which all nodes are counted, or the rows of all are fetched."""
CLASSIFIERS = {
    "ID3": (TreeClassifier(criterion="entropy", grouping="each", missing="branch", max_bins=20, max_depth=3), True),
    "C4.5": (C45Classifier(max_bins=20), False),
    "C4.5 grouped": (C45Classifier(grouping="greedy", max_bins=20), False),
    "C4.5 weights": (C45Classifier(max_bins=20, min_samples_leaf=9), True),
    "CART": (CARTClassifier(pruning=None, max_bins=20, max_leaf_nodes=9), False),
    "CART rows": (CARTClassifier(pruning=None, max_bins=20, min_samples_leaf=9, missing="learned"), True),
    "MDLTree": (MDLTreeClassifier(max_bins=20, smoothing=2.0), False),
    "costs": (
        CARTClassifier(pruning=None, max_bins=20, max_depth=3, missing="stop", cost_matrix={"yes": {"no": 5.0}}),
        False,
    ),
    "priors": (C45Classifier(max_bins=20, priors={"no": 1.0, "maybe": 2.0, "yes": 1.0}, max_depth=4), True),
    "twoing": (TreeClassifier(criterion="twoing", missing="learned", max_bins=20, max_depth=4), False),
    "min gain": (TreeClassifier(missing="learned", min_impurity_decrease=0.01, max_bins=20), False),
}
REGRESSORS = {
    "CART": (CARTRegressor(pruning=None, max_bins=20, max_leaf_nodes=12), False),
    "CART rows": (CARTRegressor(pruning=None, max_bins=20, min_samples_leaf=6, missing="learned"), True),
    "MDLTree": (MDLTreeRegressor(max_bins=20), True),
    "fractional": (TreeRegressor(missing="fractional", max_bins=20, max_depth=3), False),
}


def write(frame, place):
    shuffled = frame.sample(frac=1.0, random_state=1)
    pyarrow.parquet.write_table(pa.Table.from_pandas(shuffled, preserve_index=False), str(place))
    return str(place)


def fit_both(model, frame, place, weighted=False, **options):
    """The model on a file, and in memory."""
    weight = "weight" if weighted else None
    options = SourceOptions(**options, ignore=() if weighted else ("weight",))
    found = fit_source(clone(model), write(frame, place), "target", weight, options)
    X = frame.drop(columns=["target", "weight"])
    expected = clone(model).fit(X, frame["target"], sample_weight=frame["weight"] if weighted else None)
    assert found.grown_tree_ == expected.grown_tree_
    return found, expected


def assert_same(found, expected, scale, where=()):
    """Whether two values are equal, and numbers nearly; losses up to a part of `scale`."""
    if isinstance(expected, dict | list | tuple):
        assert len(found) == len(expected), where
        for key in expected if isinstance(expected, dict) else range(len(expected)):
            assert_same(found[key], expected[key], scale, (*where, key))
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * scale, nan_ok=True), where
    else:
        assert found == expected, where


def assert_same_ledgers(found, expected, n_nodes=25):
    """Compare the ledgers of the first nodes, and of some of the others."""
    tree, is_number = expected.grown_tree_, expected.grown_tree_.schema.target.is_number
    others = np.random.default_rng(0).permutation(np.arange(min(n_nodes, tree.n_nodes), tree.n_nodes))[:n_nodes]
    for node in (*range(min(n_nodes, tree.n_nodes)), *others.tolist()):
        ledger, own = (model.why(node, grown=True) for model in (found, expected))
        assert_same(ledger.to_dict(), own.to_dict(), max(map(abs, own.entry.stats)) if is_number else 0.0, (node,))
        if not is_number:  # otherwise what is 0 is a rounding error in memory
            assert ledger.to_text() == own.to_text()


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_ledgers_of_classes(name, tmp_path):
    model, weighted = CLASSIFIERS[name]
    frame = mixed_frame(220, missing=0.1)
    for memory in (COUNTED, SOME_FETCHED, FETCHED):
        found, expected = fit_both(model, frame, tmp_path / "rows.parquet", weighted, memory=memory)
        kept = found._counts._kept
        assert (bool(kept.counted), bool(kept.fetched)) == (memory != FETCHED, memory != COUNTED)
        assert_same_ledgers(found, expected, 25 if memory == COUNTED else 8)


@pytest.mark.parametrize("name", REGRESSORS)
def test_ledgers_of_numbers(name, tmp_path):
    model, weighted = REGRESSORS[name]
    frame = number_frame(180, missing=0.1)
    for memory in (COUNTED, SOME_FETCHED, FETCHED):
        found, expected = fit_both(model, frame, tmp_path / "rows.parquet", weighted, memory=memory)
        assert_same_ledgers(found, expected)


@pytest.mark.parametrize("backend", ["duckdb", "polars"])
def test_ledgers_of_databases(backend, tmp_path):
    """Squares of targets are counted by statements, too."""
    for weighted in (False, True):
        frame, model = number_frame(120), CARTRegressor(pruning=None, missing="learned", max_bins=10, max_depth=3)
        file = write(frame.drop(columns=[] if weighted else ["weight"]), tmp_path / "rows.parquet")
        source = (pytest.importorskip(backend).read_parquet if backend == "duckdb" else scan_polars)(file)
        found = fit_source(clone(model), source, "target", "weight" if weighted else None, SourceOptions(COUNTED))
        X, weight = frame.drop(columns=["target", "weight"]), frame["weight"] if weighted else None
        assert_same_ledgers(found, clone(model).fit(X, frame["target"], sample_weight=weight), 5)


def scan_polars(file):
    return pytest.importorskip("polars").scan_parquet(file)


@pytest.mark.parametrize("target", ["far from 0", "one outlier", "two scales"])
def test_losses_of_hard_targets(target, tmp_path):
    """They are right, or not known."""
    frame = number_frame(120)
    x = frame["smooth"].to_numpy()
    frame["target"] = {
        "far from 0": 1e9 + x,
        "one outlier": np.where(np.arange(120) == 3, 1e12, x),
        "two scales": np.where(x > 0, 1e9, 0.0) + x * 1e-9,
    }[target]
    model = CARTRegressor(pruning=None, missing="learned", max_bins=10, max_depth=3)
    found, expected = fit_both(model, frame, tmp_path / "rows.parquet", memory=COUNTED)
    n_known = 0
    for node in range(expected.grown_tree_.n_nodes):
        if found._counts.has(node):
            ledger, own = (one.why(node, grown=True) for one in (found, expected))
            range_of_targets = frame["target"].max() - frame["target"].min()
            assert_same(ledger.to_dict(), own.to_dict(), max(own.entry.stats[2], 1e-9 * range_of_targets))
            n_known += 1
        else:
            with pytest.raises(InputError, match="sums do not tell its targets apart"):
                found.why(node, grown=True)
    assert n_known


def test_ledgers_are_saved_and_shown(tmp_path):
    found, _ = fit_both(C45Classifier(max_bins=20), mixed_frame(220), tmp_path / "rows.parquet", memory=COUNTED)
    found.save(tmp_path / "model.json", ledgers=True)
    loaded = treewright.load(tmp_path / "model.json")
    for node in range(found.tree_.n_nodes):
        assert_same(loaded.why(node).to_dict(), found.why(node).to_dict(), 0.0)
    assert '"candidates"' in found.to_html()
    assert str(found.why(0, language="zh")) != str(found.why(0))
    assert found.why_pruned(0).to_dict()["node"] == 0
    assert len(found.rules()) > 1
    with pytest.raises(InputError, match="The training rows are required"):
        found.worked_solution()
    copied = pickle.loads(pickle.dumps(found))
    assert copied.tree_ == found.tree_
    with pytest.raises(InputError, match="The training rows are required"):
        copied.why(0)
    X = mixed_frame(220).drop(columns=["target", "weight"])
    assert_same(copied.why(0, X, mixed_frame(220)["target"]).to_dict(), found.why(0).to_dict(), 0.0)
    found.fit(X, mixed_frame(220)["target"])
    assert found._counts is None


@pytest.mark.parametrize("memory", [COUNTED, SOME_FETCHED, FETCHED])
def test_the_top_nodes_are_kept(memory, tmp_path):
    frame, model = mixed_frame(400), CARTClassifier(pruning=None, missing="learned", max_bins=20)
    n_known = []
    for keep in (0, 3_000, 12_000, 2**25):
        found, expected = fit_both(model, frame, tmp_path / "rows.parquet", memory=memory, keep=keep)
        counts, tree = found._counts, found.grown_tree_
        assert counts._kept.bytes_counted + counts._kept.bytes_fetched <= keep
        known = [node for node in range(tree.n_nodes) if counts.has(node)]
        n_known.append(len(known))
        for node in known[:10]:
            ledger, own = (one.why(node, grown=True).entry for one in (found, expected))
            assert_same(ledger.candidates[0].gain, own.candidates[0].gain, 0.0)
        unknown = next((node for node in range(tree.n_nodes) if node not in known), None)
        if unknown is None:
            continue
        with pytest.raises(InputError, match=r"take more memory than `keep`: use fit_source with a larger `keep`"):
            found.why(unknown, grown=True)
        X = frame.drop(columns=["target", "weight"])
        assert found.why(unknown, X, frame["target"], grown=True).entry.node == unknown
        assert found.to_html()
        if not known:
            with pytest.raises(InputError, match="are not known without its rows"):
                found.save(tmp_path / "model.json", ledgers=True)
    assert n_known[0] == 0
    assert n_known[-1] == tree.n_nodes
    assert n_known == sorted(n_known)


class Stopped(Exception):
    """Raised in the middle of growth."""


def test_nodes_before_a_checkpoint_are_not_known(tmp_path):
    def stop(report):
        if report.depth == 2:
            raise Stopped

    file, options = write(number_frame(200), tmp_path / "rows.parquet"), {"memory": COUNTED, "ignore": ("weight",)}
    model, place = CARTRegressor(pruning=None, missing="learned", max_bins=20, max_depth=4), tmp_path / "growth.npz"
    expected = fit_source(clone(model), file, "target", None, SourceOptions(**options))
    with pytest.raises(Stopped):
        fit_source(model, file, "target", None, SourceOptions(**options, progress=stop, checkpoint=place))
    found = fit_source(model, file, "target", None, SourceOptions(**options, checkpoint=place))
    assert found.tree_ == expected.tree_
    with pytest.raises(InputError, match="growth went on from a checkpoint"):
        found.why(0, grown=True)
    leaf = found.grown_tree_.n_nodes - 1
    assert_same(found.why(leaf, grown=True).to_dict(), expected.why(leaf, grown=True).to_dict(), 0.0)
