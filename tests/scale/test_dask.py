"""A Dask DataFrame: the same tree as from the table in memory, whatever the partitions and the failures of workers."""

import logging
import os
import signal
import threading
import time
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from tests.scale.failing import fail_once, kill_this_process, let_fail, refuse_treewright
from tests.scale.sources import fit, in_memory, mixed_frame
from treewright import C45Classifier, CARTClassifier, ID3Classifier, MDLTreeClassifier, TreeClassifier
from treewright.errors import InputError, TreewrightError
from treewright.prune import CostComplexity
from treewright.scale import dask_engine, worker
from treewright.scale.dask_engine import DaskEngine

dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")

MODELS = {
    "id3": ID3Classifier(numeric="bisect", missing="branch", pruning=None),
    "c45": C45Classifier(max_bins=40, pruning=None),
    "cart": CARTClassifier(missing="learned", max_bins=40, pruning=None),
    "surrogates": CARTClassifier(max_bins=40, pruning=None),
    "mdl": MDLTreeClassifier(max_bins=40),
    "stop": TreeClassifier(missing="stop", max_bins=40),
    "fractional": TreeClassifier(missing="fractional", minimum="weight", min_samples_leaf=3, max_bins=40),
}
WORKERS = 4


@pytest.fixture(scope="module")
def cluster():
    """Four processes that cannot import treewright."""
    with distributed.LocalCluster(
        n_workers=WORKERS,
        threads_per_worker=1,
        dashboard_address=":0",
        preload=[refuse_treewright()],
        silence_logs=logging.CRITICAL,
    ) as found:
        yield found


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as found:
        cluster.scale(WORKERS)
        found.wait_for_workers(WORKERS, timeout=60)
        yield found


def wait_for(condition):
    start = time.perf_counter()
    while not condition():
        assert time.perf_counter() - start < 60
        time.sleep(0.05)


def rows_of(n=700, seed=0, missing=0.15):
    """A table, and the same with other types for missing values, in another order."""
    frame = mixed_frame(n, seed, missing)
    other = frame.astype({"flag": "boolean", "city": "category"}).sample(frac=1, random_state=seed)
    return frame, other.reset_index(drop=True)


def without(frame, *names):
    return frame.drop(columns=list(names))


def test_the_workers_cannot_import_treewright(client):
    def import_it():
        __import__("treewright")

    with pytest.raises(ImportError, match="refused"):
        client.submit(import_it).result()


@pytest.mark.parametrize("name", [*list(MODELS)[:-1], pytest.param("fractional", marks=pytest.mark.long)])
def test_the_tree_is_that_of_growth_in_memory(client, name):
    frame, other = rows_of()
    if name == "id3":  # which has no bins
        frame, other = (without(one, "smooth", "skewed", "often zero") for one in (frame, other))
    weighted = name in ("c45", "cart")
    expected = in_memory(MODELS[name], frame, weighted)
    assert expected.n_nodes > 10
    source = dd.from_pandas(other if weighted else without(other, "weight"), npartitions=5, sort=False)
    assert fit(MODELS[name], source, weighted=weighted) == expected


def test_folds_and_validation_rows(client):
    """Of workers without treewright: as of polars."""
    frame, kept = mixed_frame(600, missing=0.1), ["few", "city", "flag", "target", "weight"]
    steps = ["reduced_error", CostComplexity(choose="cv", folds=2)]
    model = CARTClassifier(missing="learned", max_depth=2, pruning=steps)
    found = []
    for open_rows in (lambda rows: pl.from_pandas(rows).lazy(), partial(dd.from_pandas, npartitions=5, sort=False)):
        source, other = (open_rows(rows[kept].astype({"flag": "boolean"})) for rows in (frame, frame[:200]))
        fitted = model.fit(source, "target", "weight", X_val=other, sample_weight_val="weight")
        found.append((fitted.tree_, fitted.pruning_report_.steps[1].path.error.tolist()))
    assert found[0] == found[1]
    assert len(found[0][1]) > 1


@pytest.mark.parametrize("n_partitions", [1, 3, 20])
def test_partitions_do_not_matter(n_partitions):
    """On the default scheduler; one partition is empty, and in one a column has no value."""
    frame, other = rows_of(missing=0.3)
    source = dd.from_pandas(without(other, "weight"), npartitions=n_partitions, sort=False)
    empty = source.partitions[0]
    source = dd.concat([empty[empty["few"] > 1e9], source])
    for name in ("c45", "cart"):
        assert fit(MODELS[name], source) == in_memory(MODELS[name], frame)


def test_a_pass_sends_about_one_histogram_a_worker(client):
    frame, other = rows_of(4000, missing=0.0)
    source = dd.from_pandas(without(other, "weight"), npartitions=8, sort=False)
    engine = DaskEngine(source)
    count, sizes, said, sent = engine.count, [], [], []

    def bytes_sent():
        return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values())

    def measured(levels, *args):
        before, before_sent = engine.effort.n_bytes, bytes_sent()
        counts = count(levels, *args)
        sizes.append(counts.nbytes)
        said.append(engine.effort.n_bytes - before)
        sent.append(bytes_sent() - before_sent)
        return counts

    engine.count = measured
    model = CARTClassifier(missing="learned", pruning=None, max_bins=255, max_depth=6)
    assert fit(model, source, 10**6, engine) == in_memory(model, frame)
    assert len(sizes) >= 4
    assert sum(said) <= 1.2 * WORKERS * sum(sizes)
    assert sum(sizes) <= sum(sent) <= 1.2 * WORKERS * sum(sizes)


def test_kinds_are_told_without_running_anything():
    import dask

    frame = mixed_frame(5).assign(
        when=pd.Timestamp("2024-01-01"), n=1, maybe=pd.array([None, 1, 2, 3, 4], "Int64"), sure=True,
        level=pd.Categorical([1, 2, 1, 2, 1]),
    )  # fmt: skip
    frame[7] = 1.5
    never = dask.delayed(lambda: 1 / 0)()
    kinds = DaskEngine(dd.from_delayed([never], meta=frame.astype({"flag": "boolean"})[:0])).kinds()
    assert {name for name, kind in kinds.items() if kind == "text"} == {"city", "word", "target", "level"}
    assert {name for name, kind in kinds.items() if kind == "boolean"} == {"flag", "sure"}
    assert {name for name, kind in kinds.items() if kind not in ("text", "boolean", "number")} == {"when"}
    assert kinds["maybe"] == kinds["n"] == kinds["7"] == "number"


def test_columns_of_one_name_are_refused():
    frame = dd.from_pandas(pd.DataFrame({"1": [1.0], 1: [2.0]}), npartitions=1)
    with pytest.raises(InputError, match="'1' occurs more than once"):
        DaskEngine(frame)


def test_an_empty_frame_is_refused(client):
    frame = mixed_frame(20).astype({"flag": "boolean"})
    source = dd.from_pandas(frame, npartitions=2)
    with pytest.raises(InputError, match="no rows"):
        fit(MODELS["cart"], source[source["few"] > 1e9])


def fit_with_a_failure(source, frame, tmp_path, at, fail):
    """Fit while a worker fails once during the pass that counts for the `at`-th time; whether it did."""
    engine, marker = DaskEngine(source), tmp_path / "fail"
    count, n = engine.count, iter(range(1000))

    def counting(levels, *args):
        if next(n) == at:
            marker.touch()
        return count(levels, *args)

    engine.count = counting
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dask_engine, "ship", let_fail(dask_engine.ship, worker.count_slots, partial(fail, str(marker))))
        assert fit(MODELS["c45"], source, engine=engine) == in_memory(MODELS["c45"], frame)
    return next(n) > at and not marker.exists()


@pytest.mark.parametrize("at", [2, *(pytest.param(at, marks=pytest.mark.long) for at in range(20))])
def test_a_worker_that_is_killed_does_not_matter(client, tmp_path, at):
    """It takes its codes with it, too."""
    frame, other = rows_of(1500)
    source = dd.from_pandas(without(other, "weight"), npartitions=8, sort=False)
    before = set(client.run(os.getpid).values())
    assert fit_with_a_failure(source, frame, tmp_path, at % 3, fail_once)
    # Nannies do not always start a new process; the fixture of the next test sees to that.
    assert len(before - set(client.run(os.getpid).values())) == 1


def test_when_dask_gives_up_the_error_says_where(client, monkeypatch):
    def no_memory(*_):
        raise MemoryError("out of memory")

    _, other = rows_of()
    source = dd.from_pandas(without(other, "weight"), npartitions=2, sort=False)
    monkeypatch.setattr(dask_engine, "ship", let_fail(dask_engine.ship, worker.count_slots, no_memory))
    with pytest.raises(TreewrightError, match=r"^Dask gave up while counting level 0 \(pass \d+ over the rows\): Mem"):
        fit(MODELS["c45"], source)
    bad = source.assign(few=source["few"].map_partitions(lambda one: one / no_memory(), meta=source["few"]))
    with pytest.raises(TreewrightError, match=r"^Dask gave up while reading the columns \(pass 1 over the rows\): Mem"):
        fit(MODELS["c45"], bad)


@pytest.mark.long
def test_a_task_that_kills_every_worker_is_an_error(client, monkeypatch):
    _, other = rows_of()
    source = dd.from_pandas(without(other, "weight"), npartitions=2, sort=False)
    monkeypatch.setattr(dask_engine, "ship", let_fail(dask_engine.ship, worker.count_slots, kill_this_process))
    with pytest.raises(TreewrightError, match=r"^Dask gave up while counting level 0 .*KilledWorker"):
        fit(MODELS["c45"], source)


def test_codes_have_groups_when_no_worker_is_there(client, monkeypatch):
    _, other = rows_of(50)
    engine = DaskEngine(dd.from_pandas(other, npartitions=3))
    engine._codes = [object(), object()]
    engine.client = type("Client", (), {"who_has": lambda self, _: {}, "nthreads": lambda self: {}})()
    monkeypatch.setattr("distributed.futures_of", lambda codes: [])
    assert engine._groups("counting level 0") == [engine._codes]


def test_without_workers_it_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr(dask_engine, "CHECK_SECONDS", 0.1)
    monkeypatch.setattr(dask_engine, "PATIENCE_SECONDS", 1)
    _, other = rows_of(50)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=logging.CRITICAL) as empty,
        distributed.Client(empty),
        pytest.raises(TreewrightError, match=r"reading the columns \(pass 1 .* there was no worker for 1 seconds"),
    ):
        fit(MODELS["c45"], dd.from_pandas(without(other, "weight"), npartitions=2))


def test_ctrl_c_stops_and_leaves_nothing_behind(cluster, client, monkeypatch):
    def slow(*_):
        time.sleep(5)

    _, other = rows_of()
    source = dd.from_pandas(without(other, "weight"), npartitions=2, sort=False)
    monkeypatch.setattr(dask_engine, "ship", let_fail(dask_engine.ship, worker.count_slots, slow))
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):  # a fit takes a good deal longer than the timer
        fit(MODELS["c45"], source)
    wait_for(lambda: not cluster.scheduler.tasks)


def test_codes_are_released(cluster, client):
    _, other = rows_of()
    fit(MODELS["cart"], dd.from_pandas(without(other, "weight"), npartitions=3, sort=False))
    wait_for(lambda: not cluster.scheduler.tasks)


def test_the_frame_may_have_categories_of_its_own_in_each_partition(client):
    frame, other = rows_of()
    halves = [other[:300], other[300:].assign(city=other["city"][300:].cat.reorder_categories(
        ["Rome", "Oslo", "Bern", "Lima", "Kyiv", "Baku"]))]  # fmt: skip
    source = dd.concat([dd.from_pandas(without(one, "weight"), npartitions=2, sort=False) for one in halves])
    assert fit(MODELS["stop"], source) == in_memory(MODELS["stop"], frame)
    assert np.unique(frame["city"].dropna()).size == 6


@pytest.mark.parametrize("n_workers", [2, 1])
def test_workers_do_not_matter(cluster, n_workers):
    """At the end of the file: to stop workers is quicker than to start them."""
    frame, other = rows_of(seed=n_workers)
    cluster.scale(n_workers)
    with distributed.Client(cluster) as client:
        wait_for(lambda: len(client.nthreads()) == n_workers)
        source = dd.from_pandas(without(other, "weight"), npartitions=7, sort=False)
        assert fit(MODELS["c45"], source) == in_memory(MODELS["c45"], frame)


def test_a_column_of_parquet_without_values_and_type(client, tmp_path):
    table = pa.table({"x": [1.0, 2, 3, 4] * 5, "nothing": pa.nulls(20), "target": ["p", "q"] * 10})
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet")
    model = TreeClassifier(missing="learned", max_bins=20)
    frame = table.to_pandas()
    expected = model.fit(frame[["x", "nothing"]], frame["target"]).tree_
    assert model.fit(dd.read_parquet(tmp_path / "rows.parquet"), "target").tree_ == expected
