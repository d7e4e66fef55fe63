"""Workers and drivers killed by SIGKILL while a tree grows: `python -m tests.scale.kills --times 20`.

A worker of Dask, or a Python worker of Spark, kills its process in a pass over the rows, each time in another one: when
it begins to count, or when it has counted and not sent its counts yet. A driver kills its process after a level, whose
checkpoint is written, and a new process goes on. Every tree must be that of growth in memory. Prints the outcomes.
"""

import argparse
import logging
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet

from tests.scale.failing import by_value, fail_once, refuse_treewright
from tests.scale.sources import memory_tree, mixed_frame
from treewright import C45Classifier, CARTClassifier
from treewright.scale import fitting, growth, worker
from treewright.scale.fitting import SourceOptions, fit_source

N_ROWS, MEMORY = 8_000, 2**26
MODELS: dict[str, Any] = {
    "CART": CARTClassifier(missing="learned", max_bins=64, max_depth=8, pruning=None),
    "C4.5": C45Classifier(max_bins=64, max_depth=8, pruning=None),
}
DRIVER = """
import os, signal
from tests.scale.kills import MEMORY, MODELS, growth
from treewright.scale.fitting import SourceOptions, fit_source

def progress(report):
    if report.depth == {depth}:
        os.kill(os.getpid(), signal.SIGKILL)

growth.FETCHES = 2**60
options = SourceOptions(MEMORY, progress, {checkpoint!r})
print(fit_source(MODELS[{name!r}], {source!r}, "target", None, options).grown_tree_.fingerprint())
"""


def run_before(fail: Callable[..., Any], task: Callable[..., Any], *args: Any) -> Any:
    """Do a task, and something else before its result is sent."""
    found = task(*args)
    fail()
    return found


def run_after(fail: Callable[..., Any], task: Callable[..., Any], *args: Any) -> Any:
    """Do something else before a task."""
    fail()
    return task(*args)


def killing(ship: Callable[..., Any], marker: Path, *, late: bool) -> Callable[..., Any]:
    """`ship`, by which the first process that counts after the file `marker` was made kills itself."""
    fail = by_value(partial(fail_once, str(marker)))

    def shipped(function: Callable[..., Any]) -> Any:
        found = ship(function)
        if function is not worker.count_slots:
            return found
        return partial(by_value(run_before if late else run_after), fail, found)

    return shipped


def fit_and_kill(module: Any, engine: Any, model: Any, marker: Path, at: int) -> tuple[str, int]:
    """Fit, and let a worker be killed in the pass `at`; the fingerprint, and in which level that was, or -1 if none was
    killed.
    """
    count, n, killed = engine.count, iter(range(1000)), []

    def counting(levels: Any, *args: Any) -> Any:
        if next(n) == at:
            marker.touch()
            killed.append(len(levels))
        return count(levels, *args)

    engine.count = counting
    ship, opened = module.ship, fitting.open_engine
    module.ship, fitting.open_engine = killing(ship, marker, late=at % 2 == 1), lambda _: engine
    try:
        found = fit_source(model, None, "target", None, SourceOptions(MEMORY)).grown_tree_.fingerprint()
    finally:
        module.ship, fitting.open_engine = ship, opened
    return found, killed[0] if killed and not marker.exists() else -1


def kill_workers(name: str, module: Any, engine_of: Callable[[], Any], expected: dict[str, str], times: int) -> int:
    """Kill a worker so many times; the failures."""
    levels, same = [], 0
    with TemporaryDirectory() as folder:
        for i in range(times):
            model = list(MODELS)[i // 8 % 2]
            found, level = fit_and_kill(module, engine_of(), MODELS[model], Path(folder) / f"{i}", i % 8)
            levels.append(level)
            same += found == expected[model]
            sys.stderr.write(f"{name} {model}: level {level}, {'same tree' if found == expected[model] else found}\n")
    killed = times - levels.count(-1)
    report(f"{name}: {killed} of {times} killed, in the levels {levels}; {same} same trees")
    return 2 * times - killed - same


@contextmanager
def dask_engines(frame: pd.DataFrame) -> Iterator[tuple[Any, Callable[[], Any]]]:
    """Engines on three processes of Dask that cannot import treewright."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from treewright.scale import dask_engine

    options = {"n_workers": 3, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    source, opened = dd.from_pandas(frame, npartitions=8, sort=False), list[Any]()

    def close() -> None:
        while opened:
            opened.pop().close()

    def engine() -> Any:
        try:
            if opened:
                opened[1].wait_for_workers(3, timeout=10)
        except TimeoutError:  # nannies do not always start a new process instead of a killed one
            close()
        if not opened:
            opened.append(LocalCluster(preload=[refuse_treewright()], **options))
            opened.append(Client(opened[0]))
        return dask_engine.DaskEngine(source)

    yield dask_engine, engine
    close()


@contextmanager
def spark_engines(frame: pd.DataFrame) -> Iterator[tuple[Any, Callable[[], Any]]]:
    """Engines on Spark with two cores, whose workers cannot import treewright; a task may fail three times."""
    from pyspark.sql import SparkSession

    from treewright.scale import spark_engine

    with TemporaryDirectory() as folder:
        Path(folder, "sitecustomize.py").write_text(refuse_treewright())
        before = os.environ.get("PYTHONPATH", "")
        os.environ |= {"PYTHONPATH": os.pathsep.join([folder, before]), "SPARK_LOCAL_IP": "127.0.0.1"}
        session = SparkSession.builder.master("local[2,4]").config("spark.log.level", "OFF")
        session = session.config("spark.ui.enabled", "false").getOrCreate()
        source = session.createDataFrame(pa.Table.from_pandas(frame, preserve_index=False)).repartition(6).persist()
        yield spark_engine, lambda: spark_engine.SparkEngine(source)
        session.stop()
        os.environ["PYTHONPATH"] = before


def kill_drivers(frame: pd.DataFrame, expected: dict[str, str], times: int) -> int:
    """Kill a driver so many times, and go on in a new process; the failures."""
    depths, same = [], 0
    with TemporaryDirectory() as folder:
        source = str(Path(folder) / "rows.parquet")
        pyarrow.parquet.write_table(pa.Table.from_pandas(frame, preserve_index=False), source)
        for i in range(times):
            name, depth, file = list(MODELS)[i // 7 % 2], 1 + i % 7, str(Path(folder) / f"{i}.npz")
            for stop in (depth, -1):
                code = DRIVER.format(name=name, depth=stop, source=source, checkpoint=file)
                ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
                if stop >= 0:
                    assert ended.returncode == -signal.SIGKILL, ended.stderr
                    assert Path(file).exists()
            depths.append(depth)
            same += ended.stdout.strip() == expected[name]
            sys.stderr.write(f"driver {name}: level {depth}, {ended.stdout.strip() == expected[name]}\n")
    report(f"drivers: {len(depths)} of {times} killed, in the levels {depths}; {same} same trees")
    return times - same


def report(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Run the kills, and print their outcomes."""
    options = argparse.ArgumentParser(description="Kills while a tree grows.")
    options.add_argument("--times", type=int, default=20)
    options.add_argument("--who", nargs="+", default=["dask", "spark", "driver"], choices=["dask", "spark", "driver"])
    given = options.parse_args()
    warnings.simplefilter("ignore")
    growth.FETCHES = 2**60  # every node is counted
    frame = mixed_frame(N_ROWS, missing=0.1).drop(columns="weight").astype({"flag": "boolean"})
    rows = frame.drop(columns="target"), frame["target"], None
    expected = {name: memory_tree(model, rows).fingerprint() for name, model in MODELS.items()}
    failures = 0
    for name, opened in (("dask", dask_engines), ("spark", spark_engines)):
        if name in given.who:
            with opened(frame) as (module, engine_of):
                failures += kill_workers(name, module, engine_of, expected, given.times)
    if "driver" in given.who:
        failures += kill_drivers(frame, expected, given.times)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
