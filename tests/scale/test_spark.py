"""A Spark DataFrame: the same tree as from the table in memory, whatever the partitions and the failures of workers.

With the variable TREEWRIGHT_SPARK_CONNECT these tests run over Spark Connect.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from functools import partial
from importlib.util import find_spec

import polars as pl
import pyarrow as pa
import pytest

from tests.scale.failing import fail_once, kill_this_process, let_fail, refuse_treewright
from tests.scale.sources import fit, in_memory, mixed_frame
from treewright import C45Classifier, CARTClassifier, ID3Classifier, MDLTreeClassifier, TreeClassifier
from treewright.errors import InputError, TreewrightError
from treewright.prune import CostComplexity
from treewright.scale import remote, spark_engine, worker
from treewright.scale.fitting import SourceOptions, fit_source
from treewright.scale.spark_engine import SparkEngine

if find_spec("pyspark") is None:
    pytest.skip("pyspark is not installed", allow_module_level=True)
if shutil.which("java") is None:
    pytest.skip("Java is not installed, which Spark needs", allow_module_level=True)

CONNECT = "TREEWRIGHT_SPARK_CONNECT" in os.environ
CONNECT_PACKAGES = ("grpc", "grpc_status", "google.rpc", "zstandard")
MODELS = {
    "id3": ID3Classifier(numeric="bisect", missing="branch", pruning=None),
    "c45": C45Classifier(max_bins=40, pruning=None),
    "cart": CARTClassifier(missing="learned", max_bins=40, pruning=None),
    "surrogates": CARTClassifier(max_bins=40, pruning=None),
    "mdl": MDLTreeClassifier(max_bins=40),
    "stop": TreeClassifier(missing="stop", max_bins=40),
}
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """A session on this machine, whose workers cannot import treewright; a task may fail three times."""
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("workers")
    (folder / "sitecustomize.py").write_text(refuse_treewright())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = SparkSession.builder
        if CONNECT:
            patch.setenv("PYSPARK_PYTHON", sys.executable)
            builder = builder.remote("local[2,4]")
        else:
            patch.delenv("PYSPARK_PYTHON", raising=False)
            builder = builder.master("local[2,4]").config("spark.log.level", "OFF")
        options = {"spark.ui.enabled": "false", "spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "2"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = builder.config(map=options).getOrCreate()
        yield found
        found.stop()


def source_of(spark, frame, n_partitions=3, seed=0):
    """A table as a Spark DataFrame in another order."""
    rows = frame.astype({"flag": "boolean"} if "flag" in frame else {}).sample(frac=1, random_state=seed)
    table = pa.Table.from_pandas(rows, preserve_index=False)
    return spark.createDataFrame(table).repartition(n_partitions).persist()


def map_in_arrow(frame, function, schema):
    with warnings.catch_warnings():  # about pandas 3
        warnings.simplefilter("ignore")
        return frame.mapInArrow(function, schema)


def rows_of(n=700, seed=0, missing=0.15, smooth=False):
    """Without `smooth` there are no quantiles to be found, which takes some passes."""
    return mixed_frame(n, seed, missing).drop(columns=["skewed", "often zero", *([] if smooth else ["smooth"])])


def test_workers_cannot_import_treewright(spark):
    def import_it(batches):
        __import__("treewright")
        yield from batches

    SparkEngine(spark.range(3))  # which chooses the interpreter of the workers
    found = map_in_arrow(spark.range(3), import_it, "id long")
    with pytest.raises(Exception, match="treewright is refused"):
        found.toArrow()


LONG = [pytest.param(name, marks=pytest.mark.long) for name in ("id3", "c45", "cart", "surrogates", "mdl", "stop")]


@pytest.mark.parametrize("weighted", [True, pytest.param(False, marks=pytest.mark.long)], ids=["weights", "rows"])
@pytest.mark.parametrize("name", [*LONG[:1], "c45", *LONG[2:]])
def test_the_tree_is_that_of_growth_in_memory(spark, name, weighted):
    frame = rows_of(smooth=name != "id3")  # which has no bins
    expected = in_memory(MODELS[name], frame, weighted)
    assert expected.n_nodes > 10
    source = source_of(spark, frame if weighted else frame.drop(columns="weight"))
    assert fit(MODELS[name], source, weighted=weighted) == expected


@pytest.mark.long
def test_folds_and_validation_rows(spark):
    """Of workers without treewright: as of polars."""
    frame, kept = mixed_frame(600, missing=0.1), ["few", "city", "flag", "target", "weight"]
    steps = ["reduced_error", CostComplexity(choose="cv", folds=2)]
    model = CARTClassifier(missing="learned", max_depth=2, pruning=steps)
    found = []
    for open_rows in (lambda rows: pl.from_pandas(rows).lazy(), partial(source_of, spark)):
        source, other = (open_rows(rows[kept].astype({"flag": "boolean"})) for rows in (frame, frame[:200]))
        fitted = model.fit(source, "target", "weight", X_val=other, sample_weight_val="weight")
        found.append((fitted.tree_, fitted.pruning_report_.steps[1].path.error.tolist()))
    assert found[0] == found[1]
    assert len(found[0][1]) > 1


@pytest.mark.parametrize("most", [2, pytest.param(100, marks=pytest.mark.long)], ids=["merged", "sent"])
@pytest.mark.parametrize("n_partitions", [pytest.param(1, marks=pytest.mark.long), 6])
def test_partitions_do_not_matter(spark, n_partitions, most, monkeypatch):
    """Results are merged in a second stage, and cut into pieces; one partition is empty. A core sends one histogram."""
    monkeypatch.setattr(spark_engine, "MOST_RESULTS", most)
    monkeypatch.setattr(remote, "PIECE_BYTES", 1000)
    monkeypatch.setattr(spark_engine, "ship", small_pieces(spark_engine.ship))
    frame = rows_of(missing=0.3, smooth=most > 2)
    source = source_of(spark, frame.drop(columns="weight"), n_partitions)
    source = source.where("few > 1e9").union(source)
    levels = []
    tree = fit_source(MODELS["cart"], source, "target", None, SourceOptions(600_000, levels.append)).grown_tree_
    assert tree == in_memory(MODELS["cart"], frame)
    counted = sum(one.count_bytes for one in levels)
    assert counted > 0
    if not CONNECT:  # which does not tell the number of cores
        assert counted <= sum(one.n_bytes for one in levels) <= 2 * counted


def small_pieces(ship):
    """`ship` with functions that cut results into pieces of 1000 bytes."""

    def shipped(function):
        found = ship(function)
        if "PIECE_BYTES" in found.__globals__:
            found.__globals__["PIECE_BYTES"] = 1000
        return found

    return shipped


def test_kinds_are_told_without_a_job(spark):
    def never(batches):
        raise RuntimeError

    schema = "f float, d double, i int, l long, m decimal(9,2), s string, b boolean, t date, `a.b``c` array<int>"
    frame = map_in_arrow(spark.range(3), never, schema)
    kinds = SparkEngine(frame).kinds()
    assert kinds == {
        **dict.fromkeys("fdilm", "number"), "s": "text", "b": "boolean", "t": "date", "a.b`c": "array<int>",
    }  # fmt: skip


def test_columns_of_one_name_are_refused(spark):
    frame = spark.range(3)
    with pytest.raises(InputError, match="'id' occurs more than once"):
        SparkEngine(frame.selectExpr("id", "id"))


def test_an_empty_frame_is_refused(spark):
    source = source_of(spark, rows_of(30).drop(columns="weight"))
    with pytest.raises(InputError, match="no rows"):
        fit(MODELS["cart"], source.where("few > 1e9"))


def test_hostile_names(spark):
    frame = rows_of(300).rename(columns={"word": "a.b`c", "few": "select *", "city": " "})
    source = source_of(spark, frame.drop(columns="weight"))
    engine = SparkEngine(source)
    assert fit(MODELS["stop"], source, engine=engine) == in_memory(MODELS["stop"], frame)
    assert engine._codes is None


@pytest.mark.parametrize("at", [2, *(pytest.param(at, marks=pytest.mark.long) for at in range(20))])
def test_a_worker_that_is_killed_does_not_matter(spark, tmp_path, at, monkeypatch):
    frame, marker = rows_of(1500), tmp_path / "fail"
    source = source_of(spark, frame.drop(columns="weight"))
    engine = SparkEngine(source)
    count, n = engine.count, iter(range(1000))

    def counting(levels, *args):
        if next(n) == at % 3:
            marker.touch()
        return count(levels, *args)

    engine.count = counting
    fail = partial(fail_once, str(marker))
    monkeypatch.setattr(spark_engine, "ship", let_fail(spark_engine.ship, worker.count_slots, fail))
    assert fit(MODELS["stop"], source, engine=engine) == in_memory(MODELS["stop"], frame)
    assert next(n) > at % 3
    assert not marker.exists()


def no_memory(*_):
    raise MemoryError("out of memory")


@pytest.mark.parametrize(
    ("fail", "words"),
    [(no_memory, "MemoryError: out of memory"), pytest.param(kill_this_process, ".*", marks=pytest.mark.long)],
)
def test_when_spark_gives_up_the_error_says_where(spark, fail, words, monkeypatch):
    source = source_of(spark, rows_of(200).drop(columns="weight"))
    monkeypatch.setattr(spark_engine, "ship", let_fail(spark_engine.ship, worker.count_slots, fail))
    place = r"^Spark gave up while counting level 0 \(pass \d+ over the rows\): "
    with pytest.raises(TreewrightError, match=place + words) as caught:
        fit(MODELS["stop"], source, memory=10_000)
    assert "\n" not in str(caught.value)


@pytest.mark.long
def test_ctrl_c_stops(spark, monkeypatch):
    def slow(*_):
        time.sleep(60)

    source = source_of(spark, rows_of(200).drop(columns="weight"))
    with monkeypatch.context() as patch:
        patch.setattr(spark_engine, "ship", let_fail(spark_engine.ship, worker.count_slots, slow))
        timer = threading.Timer(20, os.kill, (os.getpid(), signal.SIGINT))
        start = time.perf_counter()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            fit(MODELS["stop"], source, memory=10_000)
        assert time.perf_counter() - start < 50
    assert fit(MODELS["stop"], source).n_nodes > 1  # the workers are free again


@pytest.mark.long
@pytest.mark.skipif(CONNECT, reason="these tests run over Spark Connect")
def test_all_of_this_over_spark_connect():
    missing = [name for name in CONNECT_PACKAGES if find_spec(name.split(".")[0]) is None or find_spec(name) is None]
    if missing:
        pytest.skip(f"packages of Spark Connect are not installed: {', '.join(missing)}")
    command = [sys.executable, "-m", "pytest", __file__, "-q", "-m", "", "-k", "not (killed and 1)"]
    done = subprocess.run(
        command, env=os.environ | {"TREEWRIGHT_SPARK_CONNECT": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
