"""Growth on a source: `python -m benchmarks.scale`, or with `--rows 200000` for a smoke test.

One mixed table in Parquet (10 numbers with many values, 5 with few, 5 categories, two classes), trees of depth 10 with
255 bins, each engine in a process of its own: CPU and wall seconds of the whole fit, from opening the source to the
tree, the peak of its memory, the accuracy on the training rows, the passes over the rows or statements, and the bytes
that workers sent for a byte of counts. The trees of other programs have the same depth, bins and rows; one that is not
installed is left out. Trees of Treewright must have one fingerprint.

`--limit 2GB` limits the memory of the process (RLIMIT_DATA: what it allocates, without files that are mapped), and
`--files 1 4 16 64` divides the rows among files, which are the partitions of Dask. `--save` appends the figures to a
file, from which `benchmarks.scale_picture` draws.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.scale_peers import (
    BINS,
    DEPTH,
    PEERS,
    children_cpu,
    fit_peer,
    read_dask,
    start_dask,
    start_spark,
)

BATCH = 500_000
WORDS = tuple(f"v{i:02}" for i in range(100))
ENGINES = ("memory", "local", "duckdb", "polars", "dask", "spark", *PEERS)
LIMITED = 4
"""With a limit, `memory` of the fit is this part of it: the rest is for Python, Arrow and the batches that are read."""
Found = dict[str, Any]


def make_rows(n_rows: int) -> Iterator[Any]:
    """The table, some rows at a time."""
    import pyarrow as pa

    rng = np.random.default_rng(0)
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
        yield pa.table(columns)


def write_files(folder: Path, n_rows: int, n_files: int) -> None:
    """Write the table into so many files."""
    import pyarrow.parquet as pq

    folder.mkdir()
    each, written, writers = -(-n_rows // n_files), 0, list[Any]()
    for table in make_rows(n_rows):
        start = 0
        while start < len(table):
            if written == each * len(writers):
                for one in writers[-1:]:
                    one.close()
                writers.append(pq.ParquetWriter(str(folder / f"{len(writers):04}.parquet"), table.schema))
            part = table.slice(start, each * len(writers) - written)
            writers[-1].write_table(part, row_group_size=1 << 18)
            start, written = start + len(part), written + len(part)
    writers[-1].close()


def fit(engine: str, folder: str, limit: int = 0) -> Found:
    """Fit a tree on the table by an engine; what it took."""
    warnings.simplefilter("ignore")
    if limit:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    began = time.perf_counter()
    found = fit_peer(engine, folder, WORDS) if engine in PEERS else _treewright(engine, folder, limit)
    seconds = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime + found.pop("children", 0.0)
    return found | {"engine": engine, "wall": seconds, "cpu": cpu, "mb": used.ru_maxrss // 1024}


def _treewright(engine: str, folder: str, limit: int) -> Found:
    from treewright import CARTClassifier, fit_source

    model = CARTClassifier(max_depth=DEPTH, max_bins=BINS, missing="learned", pruning=None)
    close: list[Any] = []
    levels: list[Any] = []
    if engine == "memory":
        import pandas as pd

        frame = pd.read_parquet(folder)
        model.fit(frame.drop(columns="y"), frame["y"])
    else:
        source, close = _source(engine, folder)
        fit_source(model, source, "y", memory=limit // LIMITED or 2**30, progress=levels.append)
    tree = model.tree_
    cpu = children_cpu()
    for one in close:
        one.stop() if engine == "spark" else one.close()
    right = tree.stats.max(axis=1)[tree.is_leaf].sum() / tree.weight[0]
    found = {"fingerprint": tree.fingerprint(), "accuracy": float(right), "leaves": tree.n_leaves, "children": cpu}
    if levels:
        found["passes"] = levels[-1].n_passes
        found["levels"] = [(one.count_bytes, one.n_bytes) for one in levels]
    return found


def _source(engine: str, folder: str) -> tuple[Any, list[Any]]:
    """The source of an engine, and what is to be closed."""
    if engine == "duckdb":
        import duckdb

        return duckdb.connect().read_parquet(f"{folder}/*.parquet"), []
    if engine == "polars":
        import polars as pl

        return pl.scan_parquet(f"{folder}/*.parquet"), []
    if engine == "dask":
        close = start_dask()
        return read_dask(folder), list(close)
    if engine == "spark":
        session = start_spark()
        return session.read.parquet(folder), [session]
    return folder, []


def main() -> int:
    """Print a line for each engine."""
    options = argparse.ArgumentParser(description="Growth on a source.")
    options.add_argument("--rows", type=int, nargs="+", default=[2_000_000])
    options.add_argument("--files", type=int, nargs="+", default=[1])
    options.add_argument("--engines", nargs="+", default=list(ENGINES), choices=ENGINES)
    options.add_argument("--limit", default="0", help="memory of the process, such as 2GB")
    options.add_argument("--save", type=Path, help="a file of JSON lines")
    options.add_argument("--fit", nargs=3, metavar=("ENGINE", "FOLDER", "LIMIT"), help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.fit:
        engine, folder, limit = given.fit
        print(json.dumps(fit(engine, folder, int(limit))))
        return 0
    status = 0
    for n_rows in given.rows:
        for n_files in given.files:
            with TemporaryDirectory() as folder:
                place = Path(folder) / "rows"
                write_files(place, n_rows, n_files)
                size = sum(one.stat().st_size for one in place.iterdir()) / 1e6
                load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
                print(f"{n_rows:,} rows, {n_files} files, {size:.0f} MB of Parquet; load average {load}")
                found = _run(given.engines, place, given.limit)
                status |= _different(found)
                if given.save:
                    lines = [json.dumps({"rows": n_rows, "files": n_files} | one) + "\n" for one in found]
                    with given.save.open("a", encoding="utf-8") as file:
                        file.writelines(lines)
    return status


def _run(engines: list[str], place: Path, limit: str) -> list[Found]:
    from treewright.scale.public import read_memory

    print(f"{'engine':9}{'wall s':>8}{'CPU s':>8}{'MB':>7}{'leaves':>8}{'accuracy':>10}{'passes':>8}{'sent':>7}  tree")
    n_bytes, found = read_memory(limit) if limit != "0" else 0, []
    for engine in engines:
        if engine in PEERS and find_spec(PEERS[engine]) is None:
            print(f"{engine:9}left out: not installed")
            continue
        command = [sys.executable, "-m", "benchmarks.scale", "--fit", engine, str(place), str(n_bytes)]
        ended = subprocess.run(command, check=False, capture_output=True, text=True)
        if ended.returncode:
            print(f"{engine:9}failed: {ended.stderr.strip().splitlines()[-1]}")
            continue
        one = json.loads(ended.stdout.strip().splitlines()[-1])
        sent = ""
        if engine in ("dask", "spark"):
            counts, n_sent = np.sum(one["levels"], axis=0)
            sent = f"{n_sent / max(counts, 1):.2f}"
        print(
            f"{engine:9}{one['wall']:8.1f}{one['cpu']:8.1f}{one['mb']:7,}{one['leaves']:8,}{one['accuracy']:10.4f}"
            f"{one.get('passes', ''):>8}{sent:>7}  {one.get('fingerprint', '')[:12]}",
            flush=True,
        )
        found.append(one)
    return found


def _different(found: list[Found]) -> int:
    """Print whether the trees are one; 1 if they are not."""
    n_trees = len({one["fingerprint"] for one in found if "fingerprint" in one})
    print("one tree" if n_trees <= 1 else f"DIFFERENT TREES: {n_trees}")
    return int(n_trees > 1)


if __name__ == "__main__":
    sys.exit(main())
