"""Trees of sources on real tables: `make scale`, or `python -m tests.scale.matrix --sets 5` for a part.

Every table of both collections is written as Parquet, in another order of rows and in several files, and fitted from
there by every engine: local files, polars, DuckDB, Ibis over DuckDB, Dask with 1, 2 and 4 workers, Spark, and Spark
Connect with `--engines connect`. Prints how many trees have the fingerprint of the tree in memory, by engine and model,
and every other outcome.
"""

import argparse
import logging
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from tests.scale.sources import memory_tree
from tests.scale.test_real_sets import tables
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    TreewrightError,
)
from treewright.scale.fitting import SourceOptions, fit_source

MAX_ROWS = 5_000
"""Rows of a table at most."""
FILES = 3
MEMORIES = (1, 10**5, 10**8)
"""In turn: nothing is fetched, and nodes are counted one by one; some subtrees are finished in memory; all are."""
CLASSIFIERS: dict[str, Any] = {
    "ID3 in bins": TreeClassifier(criterion="entropy", grouping="each", missing="branch", max_bins=255),
    "C4.5": C45Classifier(pruning=None, max_bins=64),
    "C4.5 grouped": C45Classifier(grouping="greedy", pruning=None, max_bins=255),
    "CART": CARTClassifier(pruning=None, max_bins=64),
    "MDLTree": MDLTreeClassifier(pruning=None, max_bins=255, smoothing=2.0),
    "fractional": TreeClassifier(missing="fractional", max_bins=40, min_samples_leaf=2),
}
REGRESSORS: dict[str, Any] = {
    "CART regression": CARTRegressor(pruning=None, max_bins=64),
    "MDLTree regression": MDLTreeRegressor(pruning=None, smoothing=10, max_bins=255),
    "fractional regression": TreeRegressor(missing="fractional", max_bins=40, min_samples_leaf=2),
}
ENGINES = ("local", "polars", "duckdb", "ibis", "dask1", "dask2", "dask4", "spark")
ALL_MODELS = ("local", "polars", "duckdb")
"""Engines that fit every model; the others fit one of them in turn, with another one for each table."""


def open_polars(files: list[str]) -> Any:
    """A LazyFrame."""
    import polars as pl

    return pl.scan_parquet(files)


def open_duckdb(files: list[str]) -> Any:
    """A relation."""
    import duckdb

    return duckdb.connect().read_parquet(files)


def open_ibis(files: list[str]) -> Any:
    """A table of Ibis in DuckDB."""
    import ibis

    return ibis.duckdb.connect().read_parquet(files)


def open_dask(files: list[str]) -> Any:
    """A DataFrame of the client in use."""
    import dask.dataframe as dd

    return dd.read_parquet(files)


@contextmanager
def opened(engine: str) -> Iterator[Callable[[list[str]], Any]]:
    """How an engine reads files, while its workers run."""
    if engine.startswith("dask"):
        import distributed

        workers = int(engine.removeprefix("dask"))
        options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0"}
        with distributed.LocalCluster(silence_logs=logging.CRITICAL, **options) as cluster, distributed.Client(cluster):
            yield open_dask
    elif engine in ("spark", "connect"):
        from pyspark.sql import SparkSession

        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        builder: Any = SparkSession.builder
        if engine == "connect":
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            builder = builder.remote("local[2]")
        else:
            quiet = {"spark.log.level": "OFF", "spark.ui.showConsoleProgress": "false"}
            builder = builder.master("local[2]").config(map=quiet)
        session = builder.config("spark.ui.enabled", "false").getOrCreate()
        yield lambda files: session.read.parquet(*files)
        session.stop()
    else:
        read = {"local": folder_of, "polars": open_polars, "duckdb": open_duckdb, "ibis": open_ibis}
        yield read[engine]


def folder_of(files: list[str]) -> str:
    """The folder of some files."""
    return str(Path(files[0]).parent)


def write(X: pd.DataFrame, y: pd.Series, folder: Path, seed: int) -> list[str]:
    """The rows in files, in another order."""
    order = np.random.default_rng(seed).permutation(len(X))
    rows, files = pa.Table.from_pandas(X.assign(y=y.to_numpy()), preserve_index=False), []
    for i, part in enumerate(np.array_split(order, min(FILES, len(X)))):
        files.append(str(folder / f"{i}.parquet"))
        pyarrow.parquet.write_table(rows.take(part), files[-1])
    return files


def prepare(read: Callable[[], tuple[pd.DataFrame, pd.Series]]) -> tuple[pd.DataFrame, pd.Series]:
    """Some rows of a table, with words as texts and plain names of columns."""
    X, y = read()
    X, y = X.iloc[:MAX_ROWS].reset_index(drop=True), y.iloc[:MAX_ROWS].reset_index(drop=True).rename("y")
    X.columns = [f"c{i}" for i in range(X.shape[1])]
    words = X.select_dtypes(["category", "string", "object"]).columns
    return X.astype(dict.fromkeys(words, object)), y


def say(*words: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{' '.join(words)}\n")
    sys.stdout.flush()


def run(engines: list[str], n_sets: int | None) -> int:
    """Fit all, print the counts, and return the number of trees that differ."""
    counts: Counter[tuple[str, str, str]] = Counter()
    names = list(tables())[:n_sets]
    started = time.perf_counter()
    with TemporaryDirectory() as place:
        for engine in engines:
            with opened(engine) as open_source:
                for i, name in enumerate(names):
                    folder = Path(place, engine, name.replace(" ", "-"))
                    folder.mkdir(parents=True)
                    check_table(engine, open_source, i, name, folder, counts)
            say(f"{engine}: {time.perf_counter() - started:.0f} s")
    for engine in engines:
        for model in (*CLASSIFIERS, *REGRESSORS):
            line = {word: counts[engine, model, word] for word in ("equal", "different", "refused")}
            if any(line.values()):
                say(f"{engine:8} {model:22}", *(f"{n} {word}" for word, n in line.items() if n))
    totals = {word: sum(n for (_, _, found), n in counts.items() if found == word) for word in ("equal", "different")}
    say(f"{len(names)} tables, {totals['equal']} trees equal, {totals['different']} different")
    return totals["different"]


def check_table(
    engine: str, open_source: Callable[[list[str]], Any], i: int, name: str, folder: Path, counts: Counter[Any]
) -> None:
    """Fit the models on one table by one engine."""
    X, y = prepare(tables()[name])
    files = write(X, y, folder, seed=i)
    models = REGRESSORS if pd.api.types.is_numeric_dtype(y) else CLASSIFIERS
    chosen = list(models) if engine in ALL_MODELS else [list(models)[i % len(models)]]
    for model in chosen:
        memory = MEMORIES[(i + list(models).index(model)) % len(MEMORIES)]
        if memory == 1 and len(X) > 1_000:
            memory = MEMORIES[1]
        try:
            expected = memory_tree(models[model], (X, y, None)).fingerprint()
            found = fit_source(models[model], open_source(files), "y", None, SourceOptions(memory)).grown_tree_
            outcome = "equal" if found.fingerprint() == expected else "different"
        except TreewrightError as error:
            outcome = "refused"
            say(f"{engine} {name} {model}: {error}")
        counts[engine, model, outcome] += 1
        if outcome == "different":
            say(f"{engine} {name} {model}: another tree, with memory={memory}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.scale.matrix", description=__doc__)
    parser.add_argument("--engines", nargs="+", default=list(ENGINES), help="default: all but connect")
    parser.add_argument("--sets", type=int, default=None, help="so many tables; default: all")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if not tables():
        sys.exit("The folder of reference data is not there.")
    sys.exit(1 if run(options.engines, options.sets) else 0)


if __name__ == "__main__":
    main()
