"""`python -m benchmarks.best_tree smoothing`: what shrinkage of the means is worth to regression trees, as R2.

In: the command line. Out: a table for each collection, and one of means: R2 over all held-out rows of ten folds without
shrinkage, with lambda 5 and with the lambda of the cross-validation within the training rows, and the processor time of
the fits. The tree is the same in all columns, only its predictions differ.
"""

import argparse
import warnings
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from benchmarks.best_tree.report import table
from benchmarks.best_tree.tables import open_loader, taken
from treewright import CARTRegressor, MDLTreeRegressor

WAYS = {"none": None, "lambda 5": 5, "auto": "auto"}
ESTIMATORS = {"mdl": MDLTreeRegressor, "cart": CARTRegressor}
LARGEST = 60_000
"""Tables of more rows are left out."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What this command takes."""
    parser.add_argument("--estimator", choices=list(ESTIMATORS), default="mdl")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0], metavar="N", help="of the folds (default 0)")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="only these tables")


def main(given: argparse.Namespace) -> None:
    """Print the tables."""
    warnings.simplefilter("ignore")
    for collection in ("more", "sets"):
        loader, found = open_loader(given.shared, collection), []
        for name in [one for one, schema in loader.SCHEMA.items() if schema["task"] == "regression"]:
            if given.sets is None or name in given.sets:
                result = measure(loader, name, ESTIMATORS[given.estimator], given.seeds)
                found += [] if result is None else [result]
        if found:
            print(f"{collection}, {len(found)} tables, {given.estimator}", "", *report(found), "", sep="\n")


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured on a table: R2 and seconds by the name of the way, leaves and lambdas of all folds."""

    name: str
    n_rows: int
    r2: dict[str, float]
    seconds: dict[str, float]
    leaves: list[int]
    lambdas: list[float]


def measure(loader: Any, name: str, estimator: Any, seeds: list[int]) -> Result | None:
    """Ten folds for each seed; None for a table that is too large."""
    X, y = loader.load(name)
    target = np.asarray(y, np.float64)
    if len(target) > LARGEST:
        return None
    errors, seconds = dict.fromkeys(WAYS, 0.0), dict.fromkeys(WAYS, 0.0)
    leaves, lambdas = [], []
    for seed in seeds:
        for training, test in KFold(10, shuffle=True, random_state=seed).split(X):
            rows, held_out = taken(X, training), taken(X, test)
            for way, smoothing in WAYS.items():
                start = process_time()
                model = estimator(smoothing=smoothing).fit(rows, target[training])
                seconds[way] += process_time() - start
                errors[way] += squares(model.predict(held_out) - target[test])
            leaves.append(model.tree_.n_leaves)
            lambdas.append(model.smoothing_)
    whole = len(seeds) * squares(target - target.mean())
    return Result(name, len(target), {way: 1 - errors[way] / whole for way in WAYS}, seconds, leaves, lambdas)


def squares(errors: NDArray[np.float64]) -> float:
    """The sum of squared errors.

    >>> squares(np.array([1.0, -2.0]))
    5.0
    """
    return float(np.square(errors).sum())


def report(found: list[Result]) -> list[str]:
    """A line for each table, and one for the means."""
    lines = [
        (
            one.name,
            str(one.n_rows),
            f"{np.mean(one.leaves):.0f}",
            *(f"{one.r2[way]:.4f}" for way in WAYS),
            f"{median(one.lambdas):g}",
            *(f"{one.seconds[way]:.2f}" for way in WAYS),
        )
        for one in found
    ]
    means = [f"{np.mean([one.r2[way] for one in found]):.4f}" for way in WAYS]
    sums = [f"{sum(one.seconds[way] for one in found):.1f}" for way in WAYS]
    lines.append(("mean; sum of seconds", "", "", *means, "", *sums))
    head = ("set", "rows", "leaves", *(f"R2, {way}" for way in WAYS), "median lambda", *(f"s, {way}" for way in WAYS))
    return [*table(head, lines), "", *(comparison(found, way) for way in list(WAYS)[1:])]


def comparison(found: list[Result], way: str) -> str:
    """Wins, losses and the mean difference of a way against no shrinkage.

    >>> one = Result("a", 9, {"none": 0.5, "auto": 0.75}, {}, [], [])
    >>> comparison([one], "auto")
    'auto against none: 1 wins, 0 losses, mean difference +0.2500'
    """
    gains = [one.r2[way] - one.r2["none"] for one in found]
    wins, losses = sum(gain > 5e-5 for gain in gains), sum(gain < -5e-5 for gain in gains)
    return f"{way} against none: {wins} wins, {losses} losses, mean difference {np.mean(gains):+.4f}"
