"""`python -m benchmarks.stream`: predicting a CSV larger than memory allows, beside polars that only copies it.

In: a table of categories and numbers, repeated until the file is large, and a C4.5 and a CART model of a part of it.
Out: for each program rows a second, its speed relative to polars, and the most memory it held. Every run is a
process of its own that may allocate 1 GB (RLIMIT_DATA); they take turns, so that all meet the same neighbours. polars
reads and writes as a stream (scan_csv, sink_csv), with types and as text, and whole (read_csv, write_csv), which counts
only where it fits. The fastest of them is what we are compared with.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.tables import LEVELS, mixed
from treewright import C45Classifier, CARTClassifier

N_TRAINING = 50_000
N_BLOCK = 400_000
"""Rows that are drawn; the file holds them again and again."""

POLARS = {
    "polars, stream": "pl.scan_csv(source).sink_csv(out)",
    "polars, stream of text": "pl.scan_csv(source, infer_schema=False).sink_csv(out)",
    "polars, whole": "pl.read_csv(source).write_csv(out)",
}


@dataclass(slots=True)
class Runs:
    """The runs of one program: seconds of wall and CPU of each, the peak of memory in MB, and whether one failed."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak: float = 0.0
    failed: bool = False


def table(n_rows: int) -> pl.DataFrame:
    """Eight categories and eight numbers, a code that begins with zeros, and the class."""
    drawn = mixed(n_rows, 7)
    columns = {}
    for j, n_levels in enumerate(LEVELS):
        words = [f"c{k}" if j % 2 else f"level {k:02} of {n_levels}" for k in range(n_levels)]
        columns[f"category {j}"] = pl.Series(words).gather(drawn.values[:, j].astype(np.int64))
    for j in range(len(LEVELS)):
        columns[f"number {j}"] = pl.Series(np.round(drawn.values[:, len(LEVELS) + j], 4))
    columns["code"] = pl.Series([f"{i:07}" for i in range(n_rows)])
    columns["class"] = pl.Series([f"class {k}" for k in drawn.target.tolist()])
    return pl.DataFrame(columns)


def prepare(folder: Path, megabytes: int) -> int:
    """Write the large file and both models; the rows of the file."""
    rows = table(N_BLOCK)
    training = rows.head(N_TRAINING).drop("code", "class")
    for name, model in (("c45", C45Classifier()), ("cart", CARTClassifier())):
        model.fit(training, rows["class"].head(N_TRAINING)).save(folder / f"{name}.json")
    n_rows = 0
    with (folder / "rows.csv").open("wb") as file:
        rows.clear().write_csv(file)
        block = rows.write_csv(include_header=False).encode()
        while file.tell() < megabytes * 1_000_000:
            file.write(block)
            n_rows += rows.height
    return n_rows


def run(command: list[str], limit: int, runs: Runs, out: Path) -> None:
    """One run, in a process that may allocate so many bytes."""
    out.unlink(missing_ok=True)
    start = time.perf_counter()
    child = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)),  # noqa: PLW1509
    )
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    runs.wall.append(time.perf_counter() - start)
    runs.cpu.append(used.ru_utime + used.ru_stime)
    runs.peak = max(runs.peak, used.ru_maxrss / 1024)
    runs.failed |= child.returncode != 0


def commands(folder: Path) -> dict[str, list[str]]:
    """What is run, by name."""
    source, out = folder / "rows.csv", folder / "out.csv"
    head = f"import polars as pl; source, out = {str(source)!r}, {str(out)!r}; "
    found = {name: [sys.executable, "-c", head + code] for name, code in POLARS.items()}
    for name in ("c45", "cart"):
        words = ["predict", str(folder / f"{name}.json"), str(source), "-o", str(out), "--force"]
        found[f"treewright predict, {name}"] = [sys.executable, "-m", "treewright", *words]
    return found


def report(runs: dict[str, Runs], n_rows: int, tell: Callable[[str], None] = print) -> None:
    """A line for each program: its best run, beside the best of polars that fits."""
    fits = {name: one for name, one in runs.items() if not one.failed}
    best = {kind: min(min(getattr(fits[name], kind)) for name in POLARS if name in fits) for kind in ("wall", "cpu")}
    tell("| program | rows/s | of polars' speed | by CPU | CPU s | peak MB |")
    tell("|---|---:|---:|---:|---:|---:|")
    for name, one in runs.items():
        if one.failed:
            tell(f"| {name} | does not fit | | | | {one.peak:.0f} |")
            continue
        wall, cpu = min(one.wall), min(one.cpu)
        shares = f"{best['wall'] / wall:.2f} | {best['cpu'] / cpu:.2f}"
        tell(f"| {name} | {n_rows / wall:,.0f} | {shares} | {cpu:.1f} | {one.peak:.0f} |")


def main() -> int:
    """Make the file, let the programs take turns, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stream", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--megabytes", type=int, default=2500, help="size of the CSV")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=1000, help="MB that a process may allocate")
    parser.add_argument("--folder", default=None, help="where the files are made, and removed")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as place:
        folder = Path(place)
        n_rows = prepare(folder, given.megabytes)
        size = (folder / "rows.csv").stat().st_size
        print(f"{n_rows:,} rows, {size / 1e6:,.0f} MB, {given.limit} MB allowed, {given.rounds} rounds\n", flush=True)
        runs = {name: Runs() for name in commands(folder)}
        for _ in range(given.rounds):
            for name, command in commands(folder).items():
                if not runs[name].failed:
                    run(command, given.limit * 1_000_000, runs[name], folder / "out.csv")
        report(runs, n_rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
