"""Exports: how fast the SQL of a tree scores a table beside `predict`, and how long exports take to write.

In: trees of several sizes. Out: two tables on standard output. The first has the CPU seconds of `predict` and of SQL in
DuckDB and SQLite for the predictions of a table, in interleaved rounds, the least of each. The second has the CPU
seconds and the size of each export, without the check. A target whose library is not installed is left out.

    python -m benchmarks.exports
    python -m benchmarks.exports numbers learned --rows 100000 --rounds 2
"""

import argparse
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks.tables import Table, floats, with_missing
from benchmarks.timing import Fit, take_turns
from treewright import CARTClassifier, TreeClassifier
from treewright.errors import ExportError

N_TRAINING = 60_000
LEAVES = (10, 100, 1_000)
NODES = (1_000, 20_000)
SECONDS = 2.0
"""The goal for an export of the largest tree."""
TIMES = 10.0
"""The goal for SQL in DuckDB: this many times `predict`."""

SCORED: dict[str, tuple[Callable[[int, int], Table], type, str]] = {
    "numbers": (floats, CARTClassifier, "surrogate"),
    "mixed, missing: surrogates": (with_missing, CARTClassifier, "surrogate"),
    "mixed, missing: learned side": (with_missing, CARTClassifier, "learned"),
    "mixed, missing: fractional": (with_missing, TreeClassifier, "fractional"),
}
"""By name: the table, the estimator and its strategy for missing values."""
EXPORTS: dict[str, Callable[[Any], Any]] = {
    "SQL": lambda model: model.to_sql(check=False),
    "PMML": lambda model: model.to_pmml(check=False),
    "ONNX": lambda model: model.to_onnx(check=False),
    "Python": lambda model: model.to_code("python", check=False),
    "JavaScript": lambda model: model.to_code("javascript", check=False),
    "C": lambda model: model.to_code("c", check=False),
    "SAS": lambda model: model.to_code("sas", check=False),
    "scikit-learn": lambda model: model.to_sklearn(check=False),
    "Treelite": lambda model: model.to_treelite(check=False),
    "binary view": lambda model: model.as_binary(),
    "SHAP": lambda model: model.to_shap(),
}


def fitted(estimator: type, missing: str, table: Table, n_leaves: int) -> Any:
    """A tree of so many leaves."""
    options = {"pruning": None, "max_leaf_nodes": n_leaves, "min_samples_leaf": 1, "missing": missing}
    return estimator(**options, categorical_features=list(table.categories)).fit(table.values, table.target)


def in_duckdb(table: Table, statement: str) -> Fit:
    """Writes the predictions of a table in DuckDB into another table."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.register("given", {f"x{i}": column for i, column in enumerate(table.values.T.copy())})
    connection.execute("CREATE TABLE data AS SELECT * FROM given")
    return lambda: connection.execute(
        f"CREATE OR REPLACE TABLE scored AS SELECT prediction FROM ({statement.rstrip(';')})"
    )


def in_sqlite(table: Table, statement: str) -> Fit:
    """The same in SQLite."""
    connection = sqlite3.connect(":memory:")
    names = [f"x{i}" for i in range(table.values.shape[1])]
    connection.execute(f"CREATE TABLE data ({', '.join(names)})")
    cells = ([None if x != x else x for x in row] for row in table.values.tolist())
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(names))})", cells)

    def score() -> Any:
        connection.execute("DROP TABLE IF EXISTS scored")
        return connection.execute(f"CREATE TABLE scored AS SELECT prediction FROM ({statement.rstrip(';')})")

    return score


def score_lines(names: Sequence[str], n_rows: int, rounds: int) -> Iterator[str]:
    """The lines of the first table."""
    heads = "".join(f" {word:>8} {'ratio':>6}" for word in ("DuckDB", "SQLite"))
    yield f"{'table':30} {'leaves':>6} {'depth':>5} {'predict':>8}{heads}"
    for name, (make, estimator, missing) in SCORED.items():
        if names and not any(part in name for part in names):
            continue
        table = make(N_TRAINING + n_rows, 2)
        scored = table.take(slice(N_TRAINING, None))
        for n_leaves in LEAVES:
            model = fitted(estimator, missing, table.take(slice(N_TRAINING)), n_leaves)
            fits: list[Fit] = [partial(model.predict, scored.values)]
            for dialect, start in (("duckdb", in_duckdb), ("sqlite", in_sqlite)):
                fits.append(start(scored, model.to_sql(dialect, check=False)))
            times = [run.timed.cpu for run in take_turns(fits, rounds)]
            columns = "".join(f" {seconds:8.3f} {seconds / times[0]:6.1f}" for seconds in times[1:])
            figures = f"{model.tree_.n_leaves:6,} {model.tree_.depth:5} {times[0]:8.3f}"
            missed = " " if times[1] <= TIMES * times[0] else f"  over {TIMES:g} in DuckDB"
            yield f"{name:30} {figures}{columns}{missed}".rstrip()


def export_lines(rounds: int) -> Iterator[str]:
    """The lines of the second table."""
    random = np.random.default_rng(0)
    table = floats(N_TRAINING, 2)
    noise = Table(table.values, random.integers(0, 2, N_TRAINING))
    models = [fitted(CARTClassifier, "surrogate", noise, n_nodes // 2) for n_nodes in NODES]
    heads = "".join(f" {f'{model.tree_.n_nodes:,} nodes':>14} {'bytes':>12}" for model in models)
    yield f"{'export':14}{heads}"
    for name, write in EXPORTS.items():
        line, seconds = f"{name:14}", 0.0
        for model in models:
            try:
                (run,) = take_turns([partial(write, model)], rounds)
            except (ExportError, ImportError) as error:
                line += f" {str(error)[:60]}"
                break
            seconds = run.timed.cpu
            line += f" {seconds:14.3f} {size_of(run.result):>12}"
        yield line + (f"  over {SECONDS:g} s" if seconds > SECONDS else "")


def size_of(written: Any) -> str:
    """The size of an export; empty if it is an object of Python."""
    if isinstance(written, str):
        return f"{len(written.encode()):,}"
    return f"{written.ByteSize():,}" if hasattr(written, "ByteSize") else ""


def main(words: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exports", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"parts of the names of tables: {', '.join(SCORED)}")
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows that are scored (default %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds (default %(default)s)")
    options = parser.parse_args(words)
    print(f"CPU seconds for the predictions of {options.rows:,} rows, one thread; ratio: times those of predict")
    for line in score_lines(options.names, options.rows, options.rounds):
        print(line, flush=True)
    print("\nCPU seconds of exports without the check")
    for line in export_lines(options.rounds):
        print(line, flush=True)


if __name__ == "__main__":
    main()
