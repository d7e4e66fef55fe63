"""Growth on a source: `python -m benchmarks.scale`, or with `--rows 200000` for a smoke test.

One mixed table in Parquet (10 numbers with many values, 5 with few, 5 categories, two classes), trees of depth 10 with
255 bins, each engine in a process of its own: CPU and wall seconds of the whole fit, from opening the source to the
tree, the peak of its memory, and the accuracy on the training rows. Spark MLlib's tree has the same depth, bins and
rows. Trees of Treewright must have one fingerprint.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

DEPTH, BINS, BATCH = 10, 255, 500_000
WORDS = tuple(f"v{i:02}" for i in range(100))
ENGINES = ("memory", "local", "duckdb", "polars", "dask", "spark", "mllib")


def write_table(place: Path, n_rows: int) -> None:
    """Write the table, some rows at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, writer = np.random.default_rng(0), None
    for start in range(0, n_rows, BATCH):
        n = min(BATCH, n_rows - start)
        columns: dict[str, Any] = {f"real{i}": rng.normal(size=n) for i in range(10)}
        columns |= {f"whole{i}": rng.integers(0, 50, n).astype(float) for i in range(5)}
        score = columns["real0"] + 1.5 * (columns["whole0"] > 25) - 0.5 * columns["real1"] * columns["real2"]
        for i in range(5):
            code = rng.integers(0, 100 if i == 4 else 20, n)
            columns[f"word{i}"] = pa.array(np.array(WORDS)[code])
            score = score + 0.4 * (code % 7 == 0)
        columns["y"] = pa.array(np.where(score + rng.normal(size=n) > 0.5, "yes", "no"))
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(str(place), table.schema)
        writer.write_table(table, row_group_size=1 << 18)
    if writer is not None:
        writer.close()


def fit(engine: str, place: str) -> dict[str, Any]:
    """Fit a tree on the table by an engine; what it took."""
    warnings.simplefilter("ignore")
    began = time.perf_counter()
    found = _mllib(place) if engine == "mllib" else _treewright(engine, place)
    seconds = time.perf_counter() - began
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    return found | {"engine": engine, "wall": seconds, "cpu": cpu, "mb": used[0].ru_maxrss // 1024}


def _treewright(engine: str, place: str) -> dict[str, Any]:
    from treewright import CARTClassifier

    model = CARTClassifier(max_depth=DEPTH, max_bins=BINS, missing="learned", pruning=None)
    close = []
    if engine == "memory":
        import pandas as pd

        frame = pd.read_parquet(place)
        model.fit(frame.drop(columns="y"), frame["y"])
    else:
        source: Any = place
        if engine == "duckdb":
            import duckdb

            source = duckdb.connect().read_parquet(place)
        elif engine == "polars":
            import polars as pl

            source = pl.scan_parquet(place)
        elif engine == "dask":
            import dask.dataframe as dd
            from distributed import Client, LocalCluster

            cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
            close = [Client(cluster), cluster]
            source = dd.read_parquet(place, split_row_groups=4)
        elif engine == "spark":
            session = _spark()
            close, source = [session], session.read.parquet(place)
        model.fit(source, "y")
    tree = model.tree_
    for one in close:
        one.stop() if engine == "spark" else one.close()
    right = tree.stats.max(axis=1)[tree.is_leaf].sum() / tree.weight[0]
    return {"fingerprint": tree.fingerprint(), "accuracy": float(right), "leaves": tree.n_leaves}


def _spark() -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    return builder.config("spark.driver.memory", "8g").getOrCreate()


def _mllib(place: str) -> dict[str, Any]:
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler
    from pyspark.sql.functions import col

    session = _spark()
    rows = session.read.parquet(place)
    words = [name for name, kind in rows.dtypes if kind == "string"]
    numbers = [name for name, kind in rows.dtypes if kind == "double"]
    coded = [f"{name}_code" for name in words]
    features = VectorAssembler(inputCols=[*numbers, *[one for one in coded if one != "y_code"]], outputCol="features")
    tree = DecisionTreeClassifier(labelCol="y_code", maxDepth=DEPTH, maxBins=BINS, maxMemoryInMB=1024)
    model = Pipeline(stages=[StringIndexer(inputCols=words, outputCols=coded), features, tree]).fit(rows)
    found = model.transform(rows)
    right = found.filter(col("prediction") == col("y_code")).count() / found.count()
    leaves = (model.stages[-1].numNodes + 1) // 2
    session.stop()
    return {"fingerprint": "", "accuracy": right, "leaves": leaves}


def main() -> int:
    """Print a line for each engine."""
    options = argparse.ArgumentParser(description="Growth on a source.")
    options.add_argument("--rows", type=int, nargs="+", default=[2_000_000])
    options.add_argument("--engines", nargs="+", default=list(ENGINES), choices=ENGINES)
    options.add_argument("--fit", nargs=2, metavar=("ENGINE", "FILE"), help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.fit:
        print(json.dumps(fit(*given.fit)))
        return 0
    status = 0
    for n_rows in given.rows:
        with TemporaryDirectory() as folder:
            place = Path(folder) / "rows.parquet"
            write_table(place, n_rows)
            print(f"{n_rows:,} rows, {place.stat().st_size / 1e6:.0f} MB of Parquet")
            print(f"{'engine':8}{'wall s':>9}{'CPU s':>9}{'MB':>8}{'leaves':>8}{'accuracy':>10}  tree")
            status |= _run(given.engines, place)
    return status


def _run(engines: list[str], place: Path) -> int:
    prints = set()
    for engine in engines:
        command = [sys.executable, "-m", "benchmarks.scale", "--fit", engine, str(place)]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
        if ended.returncode:
            print(f"{engine:8} failed: {ended.stderr.strip().splitlines()[-1]}")
            continue
        one = json.loads(ended.stdout.strip().splitlines()[-1])
        prints |= {one["fingerprint"]} - {""}
        print(
            f"{engine:8}{one['wall']:9.1f}{one['cpu']:9.1f}{one['mb']:8,}{one['leaves']:8,}{one['accuracy']:10.4f}  "
            f"{one['fingerprint'][:12]}"
        )
    print("one tree" if len(prints) <= 1 else f"DIFFERENT TREES: {len(prints)}")
    return int(len(prints) > 1)


if __name__ == "__main__":
    sys.exit(main())
