"""Exports on real tables: `make exports`, or `python -m tests.export.matrix --sets 5` for a part.

Every algorithm on every table with every strategy for missing values that it has, and on tables with categories every
one for unseen categories (`--in-turn`: one of them), is written for every target and executed for rows that try its
decisions, with missing values and unseen categories, and for training rows. So are its rules, where they are not
exported as their tree. Prints how many exports predict the same, by target, and why others were refused.
"""

import argparse
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from copy import copy
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from tests.export.execute import KNOWN, Counts, some_rows
from tests.golden.sets import load, schema_of
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
    TreewrightError,
)
from treewright.export.exported import kept_rows
from treewright.export.probe_rows import Probes, make_probes
from treewright.export.rule_probes import make_rule_probes
from treewright.export.rule_scoring import RuleScoring, rule_scoring
from treewright.export.scoring import scoring_of
from treewright.model.strategies import GROWTH_STRATEGIES, PREDICTION_STRATEGIES
from treewright.rules.ruleset import FORMS

MAX_ROWS = 500
"""Rows of a table that a model is fitted on."""
MAX_PROBES = 300
"""Rows that each export is executed for."""
UNSEEN = ("missing", "majority", "stop", "error")
CLASSIFIERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "ID3": (ID3Classifier, {"numeric": "bisect", "pruning": None, "max_depth": 6}),
    "C4.5": (C45Classifier, {}),
    "C4.5 grouped": (C45Classifier, {"grouping": "greedy"}),
    "CART": (CARTClassifier, {"min_samples_leaf": 5, "pruning": None}),
    "MDLTree": (MDLTreeClassifier, {}),
    "costs": (TreeClassifier, {"min_samples_leaf": 5}),
    "laplace": (CARTClassifier, {"probability": "laplace", "min_samples_leaf": 9}),
}
REGRESSORS: dict[str, tuple[Any, dict[str, Any]]] = {
    "CART regression": (CARTRegressor, {"min_samples_leaf": 7, "pruning": None}),
    "MDLTree regression": (MDLTreeRegressor, {}),
    "tree regression": (TreeRegressor, {"min_samples_leaf": 7}),
}
GENERALISED = ("ID3", "C4.5", "CART", "MDLTree")
"""Algorithms of which rules are generalised."""


@dataclass
class TableCounts(Counts):
    """Outcomes, and the models by algorithm, strategy and what unseen categories do."""

    kinds: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def update(self, other: "TableCounts") -> None:
        super().update(other)
        self.kinds.update(other.kinds)

    def lines(self) -> Iterator[str]:
        """The report."""
        yield from self.table()
        yield "models by algorithm and strategy:"
        for algorithm in dict.fromkeys(name for name, _, _ in self.kinds):
            cells = [f"{one} {sum(self.kinds[algorithm, one, u] for u in UNSEEN)}" for one in PREDICTION_STRATEGIES]
            yield f"  {algorithm}: {', '.join(cells)}"
        yield "unseen categories: " + ", ".join(f"{u} {sum(self.by_unseen(u))}" for u in UNSEEN)
        pairs = {(algorithm, strategy) for algorithm, strategy, _ in self.kinds}
        yield f"{len(self.kinds)} of {len(pairs) * len(UNSEEN)} combinations of these"
        yield from self.details()

    def by_unseen(self, unseen: str) -> list[int]:
        """The numbers of models with a value of `unseen_category`."""
        return [n for (_, _, one), n in self.kinds.items() if one == unseen]


def shared_folder() -> Path:
    """The folder of reference data."""
    return Path(os.environ.get("TREEWRIGHT_SHARED", Path(__file__).resolve().parents[3] / "shared"))


def table_names(shared: Path) -> list[str]:
    """The tables that are at hand: tasks and sizes mixed, so that the first ones are a fair sample."""
    declared = schema_of(shared)
    known = [name for name in declared if (shared / "data" / f"{name}.csv").exists()]
    classes = [name for name in known if declared[name]["task"] == "classification"]
    numbers = [name for name in known if declared[name]["task"] != "classification"]
    mixed = []
    for i, name in enumerate(classes):
        mixed += [name, *numbers[i // 3 : i // 3 + (i % 3 == 2)]]
    return mixed + [name for name in numbers if name not in mixed]


def models(shared: Path, name: str, turn: int, in_turn: bool = False) -> Iterator[tuple[str, str, Any]]:
    """Algorithm, strategy and fitted model: all that the algorithms have, on one table.

    in_turn  one value of `unseen_category` for each strategy; otherwise all, if the table has categories
    """
    X, y = load(shared, name)
    step = max(1, len(X) // MAX_ROWS)
    X, y = X[::step], y[::step]
    is_classification = schema_of(shared)[name]["task"] == "classification"
    # Every fourth table is one of regression: with `turn` alone these would always have the same value.
    steps = count(turn + turn // len(UNSEEN))
    for algorithm, (estimator, options) in (CLASSIFIERS if is_classification else REGRESSORS).items():
        given = dict(options)
        if algorithm == "costs":
            n = len(set(y))
            given["cost_matrix"] = np.random.default_rng(turn).integers(1, 6, (n, n)) * (1 - np.eye(n, dtype=int))
        for strategy in PREDICTION_STRATEGIES:
            key = "missing" if strategy in GROWTH_STRATEGIES and strategy != "error" else "missing_predict"
            try:
                model = estimator(**given, **{key: strategy}, unseen_category=UNSEEN[next(steps) % 4]).fit(X, y)
            except TreewrightError:  # a strategy that the algorithm does not have
                continue
            yield algorithm, strategy, model
            if in_turn or not any(column.categories for column in model.tree_.schema.columns):
                continue
            for other in UNSEEN:
                if other != model.unseen_category:  # it changes predictions, not the tree
                    yield algorithm, strategy, copy(model).set_params(unseen_category=other)


def try_table(shared: Path, name: str, turn: int, targets: Any = (), in_turn: bool = False) -> TableCounts:
    """All exports of all models of one table, and of their rules; `targets`: only these."""
    warnings.simplefilter("ignore")
    counts = TableCounts()
    trees: list[tuple[str, Probes]] = []
    rules: list[tuple[str, Probes]] = []
    for algorithm, strategy, model in models(shared, name, turn, in_turn):
        label = f"{name}: {algorithm}, {strategy}, unseen_category={model.unseen_category}"
        counts.kinds[algorithm, strategy, model.unseen_category] += 1
        kept = _few(kept_rows(model))
        trees.append((label, some_rows(make_probes(scoring_of(model), kept), MAX_PROBES)))
        for form in FORMS:
            # Generalised rules come from the grown tree: other strategies of prediction change nothing.
            if form == "leaves" or (model.missing_predict is None and algorithm in GENERALISED):
                scoring = rule_scoring(model.rules(form))
                made = make_rule_probes(scoring, kept) if isinstance(scoring, RuleScoring) else None
                if made is not None:  # otherwise their tree is exported, as above
                    rules.append((f"{label}, {form}", some_rows(made, MAX_PROBES)))
    counts.try_models(trees, rules, targets)
    return counts


def _few(rows: Any) -> Any:
    return None if rows is None else rows[:: max(1, len(rows) // 50)]


def try_tables(
    shared: Path, names: Iterable[tuple[int, str]], jobs: int = 1, targets: Any = (), in_turn: bool = False
) -> Iterator[tuple[str, TableCounts]]:
    """The counts of each table, of which `jobs` are tried at a time; `names` with a number for their strategies."""
    if jobs == 1:
        for turn, name in names:
            yield name, try_table(shared, name, turn, targets, in_turn)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        found = [(name, pool.submit(try_table, shared, name, turn, targets, in_turn)) for turn, name in names]
        for name, one in found:
            yield name, one.result()


def say(line: str, stream: TextIO = sys.stdout) -> None:
    """Write a line at once."""
    stream.write(f"{line}\n")
    stream.flush()


def main() -> int:
    """Print the counts."""
    options = argparse.ArgumentParser(description="Exports on real tables.")
    options.add_argument("--sets", type=int, default=60, help="number of tables")
    options.add_argument("--from", dest="first", type=int, default=0, help="the first table, from 0")
    options.add_argument("--jobs", type=int, default=2, help="number of processes")
    options.add_argument("--targets", nargs="*", default=[], choices=KNOWN, help="such as sql onnx; all by default")
    options.add_argument("--in-turn", action="store_true", help="one value of unseen_category for each model")
    given = options.parse_args()
    shared, start, counts = shared_folder(), time.perf_counter(), TableCounts()
    names = list(enumerate(table_names(shared)))[given.first : given.first + given.sets]
    for n, (name, found) in enumerate(try_tables(shared, names, given.jobs, given.targets, given.in_turn)):
        counts.update(found)
        n_models = counts.kinds.total()
        say(f"{n + 1}. {name}: {n_models} models, {time.perf_counter() - start:.0f} s", sys.stderr)
        for line in found.differences:
            say(f"DIFFERENT {line}", sys.stderr)
    say(f"{len(names)} tables, {counts.kinds.total():,} models, {time.perf_counter() - start:.0f} s")
    say("\n".join(counts.lines()))
    return int(bool(counts.differences))


if __name__ == "__main__":
    sys.exit(main())
