"""Real tables: the tree from files, in batches and another order, is that of growth in memory."""

import importlib.util
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.golden.sets import load, schema_of
from tests.scale.sources import memory_tree
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.scale import local
from treewright.scale.fitting import SourceOptions, fit_source

SHARED = Path(os.environ.get("TREEWRIGHT_SHARED", Path(__file__).resolve().parents[3] / "shared"))
needs_shared = pytest.mark.skipif(not (SHARED / "data" / "schema.json").exists(), reason="no folder of reference data")
FEW = ["golf", "heart_cleveland", "labor", "soybean"]
MODELS = {
    "c45": C45Classifier(pruning=None, max_bins=64),
    "c45 grouped": C45Classifier(grouping="greedy", pruning=None, max_bins=255),
    "cart": CARTClassifier(missing="learned", pruning=None, max_bins=32),
    "surrogates": CARTClassifier(pruning=None, max_bins=64),
    "surrogates always": CARTClassifier(pruning=None, max_bins=32, surrogates="always", max_surrogates=2),
    "mdl": MDLTreeClassifier(pruning=None, max_bins=255, smoothing=2.0),
    "branch": TreeClassifier(criterion="entropy", missing="branch", max_bins=255),
}


REGRESSION = "regression"
FEW_NUMBERS = ["tips", "servo"]
REGRESSORS = {
    "cart": CARTRegressor(missing="learned", pruning=None, max_bins=32),
    "mdl": MDLTreeRegressor(pruning=None, smoothing=10, max_bins=255),
    "branch": TreeRegressor(missing="branch", grouping="each", min_samples_leaf=3, max_bins=255),
}


def tables(task="classification"):
    """The sets of both collections for a task: a name, and a function that reads it."""
    if not (SHARED / "data" / "schema.json").exists():
        return {}
    declared = schema_of(SHARED)
    found = {name: (lambda name=name: load(SHARED, name)) for name in declared}
    found = {name: read for name, read in found.items() if declared[name]["task"] == task}
    spec = importlib.util.spec_from_file_location("more", SHARED / "bench" / "more.py")
    more = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(more)
    return found | {f"more {name}": (lambda name=name: more.load(name)) for name in getattr(more, task.upper())}


def check(read, folder, memories, models=MODELS):
    X, y = read()
    X, y = X.iloc[:20_000], y.iloc[:20_000].rename("y")
    X.columns = [f"c{i}" for i in range(X.shape[1])]
    words = X.select_dtypes("category").columns
    X = X.astype(dict.fromkeys(words, object))
    order = np.random.default_rng(0).permutation(len(X))
    rows = pa.Table.from_pandas(X.assign(y=y.to_numpy()).iloc[order], preserve_index=False)
    pyarrow.parquet.write_table(rows, str(folder / "a.parquet"), row_group_size=max(1, len(X) // 3))
    for name, model in models.items():
        expected = memory_tree(model, (X, y, None))
        for memory in memories:
            found = fit_source(model, folder / "a.parquet", "y", None, SourceOptions(memory))
            assert found.grown_tree_ == expected, (name, memory)


@needs_shared
@pytest.mark.parametrize("name", [name for name in FEW if name in tables()])
def test_some_tables(name, tmp_path, monkeypatch):
    monkeypatch.setattr(local, "BATCH_ROWS", 1000)
    check(tables()[name], tmp_path, [300_000])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pandas.errors.PerformanceWarning")  # the reader of wide tables
@needs_shared
@pytest.mark.parametrize("name", list(tables()))
def test_every_table(name, tmp_path):
    check(tables()[name], tmp_path, [10**6, 10**8])


@needs_shared
@pytest.mark.parametrize("name", [name for name in FEW_NUMBERS if name in tables(REGRESSION)])
def test_some_tables_of_numbers(name, tmp_path, monkeypatch):
    monkeypatch.setattr(local, "BATCH_ROWS", 100)
    check(tables(REGRESSION)[name], tmp_path, [100_000], REGRESSORS)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::pandas.errors.PerformanceWarning")
@needs_shared
@pytest.mark.parametrize("name", list(tables(REGRESSION)))
def test_every_table_of_numbers(name, tmp_path):
    check(tables(REGRESSION)[name], tmp_path, [10**6, 10**8], REGRESSORS)
