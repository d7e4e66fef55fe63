"""Rows down a tree on a source: the class weights of all nodes are those of prediction in memory."""

import duckdb
import numpy as np
import polars as pl
import pytest

from tests.scale.sources import mixed_frame
from treewright import C45Classifier, CARTClassifier, MDLTreeClassifier, TreeClassifier
from treewright.predict.missing_policy import AS_GROWN
from treewright.prune.losses import NO_SCALE, sum_rows_at_nodes
from treewright.scale import folds
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.growth import grow
from treewright.scale.tree_levels import tally_tree

MODELS = {
    "c45 fractional": C45Classifier(pruning=None, max_bins=40),
    "cart surrogate": CARTClassifier(pruning=None, max_bins=40),
    "mdl learned": MDLTreeClassifier(pruning=None, missing="learned", max_bins=40, smoothing=2.0),
    "branch": TreeClassifier(missing="branch", max_bins=40),
    "stop": TreeClassifier(missing="stop", max_bins=40),
}


def open_files(frame, folder):
    for i, part in enumerate(np.array_split(np.arange(len(frame)), 3)):
        frame.iloc[part].to_parquet(folder / f"{i}.parquet")
    return str(folder)


SOURCES = {
    "local": open_files,
    "duckdb": lambda frame, folder: duckdb.connect().read_parquet(f"{open_files(frame, folder)}/*.parquet"),
    "polars": lambda frame, folder: pl.scan_parquet(f"{open_files(frame, folder)}/*.parquet"),
}


@pytest.mark.parametrize(
    ("name", "library"),
    [*((name, "local") for name in MODELS), ("c45 fractional", "polars"), ("mdl learned", "duckdb")],
)
def test_every_node_has_the_rows_of_prediction_in_memory(name, library, tmp_path, monkeypatch):
    frame = mixed_frame(600, missing=0.1).astype({"flag": "boolean"})
    weighted = name in ("branch", "cart surrogate")
    frame = frame if weighted else frame.drop(columns="weight")
    tallies = []

    def grow_and_tally(engine, survey, plan, resources, weights):
        tree = grow(engine, survey, plan, resources, weights)
        tallies.append((tally_tree(engine, tree, survey), weights.unit))
        return tree

    monkeypatch.setattr(folds, "grow", grow_and_tally)
    source = SOURCES[library](frame, tmp_path)
    model = fit_source(MODELS[name], source, "target", "weight" if weighted else None, SourceOptions(10**5))
    tree, (counts, unit) = model.grown_tree_, tallies[-1]
    assert tree.n_nodes > 20
    found = model._training_rows(frame[list(model.feature_names_in_)], frame["target"], frame.get("weight"))
    expected = sum_rows_at_nodes(tree, found, AS_GROWN, NO_SCALE).here
    np.testing.assert_allclose(counts[0] * unit, expected, rtol=0, atol=1e-6)
    if not name.endswith("fractional"):
        np.testing.assert_array_equal(counts[-1].sum(axis=1), tree.count)
        np.testing.assert_array_equal(counts[0] * unit, tree.stats)
