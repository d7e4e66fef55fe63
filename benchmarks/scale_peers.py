"""Other programs that fit a tree on the rows of `benchmarks.scale`: Spark MLlib, XGBoost and LightGBM.

In: a folder of Parquet files. Out: of one tree of the same depth and bins, its accuracy on the training rows and its
leaves. XGBoost reads the files in batches (external memory); LightGBM is its estimator for Dask.
"""

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

DEPTH, BINS = 10, 255
PEERS = {"mllib": "pyspark", "xgboost": "xgboost", "lightgbm": "lightgbm"}
"""The programs, and the packages that they need."""
Found = dict[str, Any]


def fit_peer(name: str, folder: str, words: tuple[str, ...]) -> Found:
    """Fit a tree by another program; `words` are the values of the categories."""
    if name == "mllib":
        return _mllib(folder)
    return _xgboost(folder, words) if name == "xgboost" else _lightgbm(folder, words)


def children_cpu() -> float:
    """The CPU seconds of all processes that this one has started and that still run, such as those of Spark."""
    import psutil

    seconds = 0.0
    for one in psutil.Process().children(recursive=True):
        try:
            seconds += sum(one.cpu_times()[:4])  # user, system, and both of its children that have ended
        except psutil.Error:
            continue
    return seconds


def start_spark() -> Any:
    """A session of Spark on two cores."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    return builder.config("spark.driver.memory", "8g").getOrCreate()


def start_dask() -> tuple[Any, Any]:
    """A client and a cluster of Dask with two processes."""
    from distributed import Client, LocalCluster

    cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    return Client(cluster), cluster


def read_dask(folder: str) -> Any:
    """The rows as a Dask DataFrame: a partition for each file, or for four row groups of a single one."""
    import dask.dataframe as dd

    n_files = len(list(Path(folder).iterdir()))
    return dd.read_parquet(folder, split_row_groups=4 if n_files == 1 else False)


def _mllib(folder: str) -> Found:
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler
    from pyspark.sql.functions import col

    session = start_spark()
    rows = session.read.parquet(folder)
    words = [name for name, kind in rows.dtypes if kind == "string"]
    numbers = [name for name, kind in rows.dtypes if kind == "double"]
    coded = [f"{name}_code" for name in words]
    features = VectorAssembler(inputCols=[*numbers, *[one for one in coded if one != "y_code"]], outputCol="features")
    tree = DecisionTreeClassifier(labelCol="y_code", maxDepth=DEPTH, maxBins=BINS, maxMemoryInMB=1024)
    model = Pipeline(stages=[StringIndexer(inputCols=words, outputCols=coded), features, tree]).fit(rows)
    found = model.transform(rows)
    right = found.filter(col("prediction") == col("y_code")).count() / found.count()
    leaves, cpu = (model.stages[-1].numNodes + 1) // 2, children_cpu()
    session.stop()
    return {"accuracy": right, "leaves": leaves, "children": cpu}


def _with_categories(frame: Any, words: tuple[str, ...]) -> Any:
    import pandas as pd

    kind = pd.CategoricalDtype(words)
    return frame.astype({name: kind for name in frame.columns if name.startswith("word")})


def _xgboost(folder: str, words: tuple[str, ...]) -> Found:
    import pyarrow.dataset as ds
    import xgboost as xgb

    dataset = ds.dataset(folder, format="parquet")

    class Batches(xgb.DataIter):
        """The rows, some at a time; the labels are kept."""

        def __init__(self) -> None:
            super().__init__(cache_prefix=str(Path(folder).parent / "xgboost-cache"))
            self.reset()

        def reset(self) -> None:
            self.batches, self.labels = iter(dataset.to_batches(batch_size=1 << 18)), list[Any]()

        def next(self, input_data: Any) -> bool:
            batch = next(self.batches, None)
            if batch is None:
                return False
            frame = _with_categories(batch.to_pandas(), words)
            self.labels.append((frame.pop("y") == "yes").to_numpy())
            input_data(data=frame, label=self.labels[-1].astype(float))
            return True

    batches = Batches()
    rows = xgb.ExtMemQuantileDMatrix(batches, max_bin=BINS, nthread=2, enable_categorical=True)
    options = {
        "tree_method": "hist", "max_depth": DEPTH, "max_bin": BINS, "eta": 1.0, "lambda": 0.0, "min_child_weight": 0.0,
        "objective": "binary:logistic", "nthread": 2,
    }  # fmt: skip
    model = xgb.train(options, rows, num_boost_round=1)
    right = (model.predict(rows) > 0.5) == np.concatenate(batches.labels)
    leaves = sum(line.count("leaf=") for line in model.get_dump())
    return {"accuracy": float(right.mean()), "leaves": leaves}


def _lightgbm(folder: str, words: tuple[str, ...]) -> Found:
    import lightgbm

    client, cluster = start_dask()
    rows = read_dask(folder)
    rows = rows.map_partitions(_with_categories, words, meta=_with_categories(rows._meta, words))
    X, y = rows.drop(columns="y"), (rows["y"] == "yes").astype(int)
    model = lightgbm.DaskLGBMClassifier(
        n_estimators=1, max_depth=DEPTH, num_leaves=2**DEPTH, max_bin=BINS, learning_rate=1.0, min_child_samples=1,
        min_child_weight=0.0, client=client, verbose=-1,
    )  # fmt: skip
    model.fit(X, y)
    predicted = model.predict(X)
    predicted = predicted.compute() if hasattr(predicted, "compute") else predicted
    right = float((np.asarray(predicted) == y.compute().to_numpy()).mean())
    leaves = int(model.booster_.dump_model()["tree_info"][0]["num_leaves"])
    cpu = children_cpu()
    client.close()
    cluster.close()
    return {"accuracy": right, "leaves": leaves, "children": cpu}
