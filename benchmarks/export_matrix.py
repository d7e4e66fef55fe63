"""Exports on real tables: `make exports`, or `python -m benchmarks.export_matrix --sets 5` for a part.

Every algorithm on every table, with the strategies for missing values and unseen categories in turn, is written for
every target and executed for rows that try each decision and for the training rows. Prints how many agree, by target.
"""

import argparse
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreewrightError,
)
from treewright.errors import ExportError
from treewright.export import pmml, sql
from treewright.export.check import compare
from treewright.export.exported import LANGUAGES, TARGETS
from treewright.export.probe_rows import make_probes
from treewright.export.scoring import scoring_of

SHARED = Path("../shared/bench")
MAX_ROWS = 600
UNSEEN = ("missing", "majority", "stop")
Make = Callable[..., Any]
CLASSIFIERS: dict[str, Make] = {
    "ID3": lambda missing, **how: ID3Classifier(numeric="bisect", missing=missing, pruning=None, max_depth=6, **how),
    "C4.5": lambda missing, **how: C45Classifier(missing=missing, **how),
    "C4.5 grouped": lambda missing, **how: C45Classifier(grouping="greedy", missing=missing, **how),
    "CART": lambda missing, **how: CARTClassifier(missing=missing, min_samples_leaf=5, pruning=None, **how),
    "MDLTree": lambda missing, **how: MDLTreeClassifier(missing=missing, **how),
    "laplace": lambda missing, **how: CARTClassifier(missing=missing, probability="laplace", min_samples_leaf=9, **how),
}
REGRESSORS: dict[str, Make] = {
    "CART regression": lambda missing, **how: CARTRegressor(missing=missing, min_samples_leaf=9, pruning=None, **how),
    "MDLTree regression": lambda missing, **how: MDLTreeRegressor(missing=missing, **how),
}
MISSING = ("fractional", "surrogate", "learned", "branch", "stop", "majority")


def main() -> int:
    """Print the table of targets."""
    options = argparse.ArgumentParser(description="Exports on real tables.")
    options.add_argument("--sets", type=int, default=60, help="number of tables")
    given = options.parse_args()
    sys.path.insert(0, str(SHARED))
    warnings.simplefilter("ignore")
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("sqlite", "duckdb", "pmml", *LANGUAGES, "sklearn")}
    start = time.perf_counter()
    for n, (name, model) in enumerate(models(given.sets)):
        print(f"\r{n} models, {name:40} {time.perf_counter() - start:.0f} s", end="", file=sys.stderr)
        try_all(name, model, counts)
    print(file=sys.stderr)
    print(f"{'target':12} {'equal':>7} {'refused':>8} {'not run':>8} {'different':>10}")
    for target, found in counts.items():
        cells = [found[key] for key in ("equal", "refused", "not run", "different")]
        print(f"{target:12} {cells[0]:7} {cells[1]:8} {cells[2]:8} {cells[3]:10}")
    return int(any(found["different"] for found in counts.values()))


def models(n_sets: int) -> Iterator[tuple[str, Any]]:
    """Fitted models: every algorithm on every table, with another pair of strategies each time."""
    from sets import SCHEMA, load  # type: ignore[import-not-found]

    turn = 0
    for name in [name for name in SCHEMA if (SHARED.parent / "data" / f"{name}.csv").exists()][:n_sets]:
        X, y = load(name)
        X, y = X[:: max(1, len(X) // MAX_ROWS)], y[:: max(1, len(y) // MAX_ROWS)]
        algorithms = CLASSIFIERS if SCHEMA[name]["task"] == "classification" else REGRESSORS
        for algorithm, make in algorithms.items():
            for step in range(2):
                missing = MISSING[(turn + 3 * step) % len(MISSING)]
                how: dict[str, Any] = {"unseen_category": UNSEEN[turn % 3]}
                if missing == "majority":
                    missing, how["missing_predict"] = "fractional", "majority"
                try:
                    yield f"{name}: {algorithm}, {missing}", make(missing, **how).fit(X, y)
                except TreewrightError:
                    continue  # a strategy that the algorithm does not have
            turn += 1


def try_all(name: str, model: Any, counts: dict[str, Counter[str]]) -> None:
    """Write, execute and compare one model for every target."""
    from importlib import import_module

    scoring = scoring_of(model)
    probes = make_probes(scoring, None if model._kept is None else model._kept.values)
    for target, found in counts.items():
        module: Any = {"pmml": pmml, "sqlite": sql, "duckdb": sql}.get(target)
        options = {"dialect": target} if module is sql else {}
        try:
            if target == "sklearn":
                model.to_sklearn()
            else:
                module = module or import_module(TARGETS[target])
                text = module.write(scoring, **options)
                answers = module.run(text, probes, **options)
                if answers is None:
                    found["not run"] += 1
                    continue
                compare(probes, answers, target)
            found["equal"] += 1
        except ExportError as error:
            is_wrong = " but the model " in str(error)
            found["different" if is_wrong else "refused"] += 1
            if is_wrong:
                print(f"\n{name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
