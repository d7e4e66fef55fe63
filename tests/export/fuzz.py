"""Exports of random trees: `python -m tests.export.fuzz` tries 5,000 of them, `--n 100 --from 700` a part.

A tree has its seed: its table, its names and values, its algorithm and options are random. Some names and values are
those of `hostile.py`, some numbers are neighbours among the floats. Every tree, and the rules of some, are written for
every target and executed for rows that try their decisions, with missing values and unseen categories.
"""

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from math import nextafter
from typing import Any

import numpy as np
import pandas as pd

from tests.export.execute import KNOWN, Counts, some_rows
from tests.export.hostile import HOSTILE
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
from treewright.model.strategies import GROWTH_STRATEGIES

N = 5_000
"""Trees of a whole run."""
BATCH = 250
"""Trees that are executed together."""
MAX_PROBES = 120
"""Rows that each export is executed for."""
GROWTH = [one for one in GROWTH_STRATEGIES if one != "error"]
PREDICTION = ["fractional", "majority", "stop", "error"]
UNSEEN = ["missing", "majority", "stop", "error"]
SMOOTHING = {
    "frequency": [None],
    "laplace": [None],
    "m-estimate": [None, 0.5, 7.0],
    "shrinkage": [0.3, 10.0],
}
ODD_NUMBERS = [0.1, 1 / 3, 1e15 + 0.5, 2.0**53, 1e-308, 5e-324, 1e300, 0.0, -123456789.123456789, 16777217.0]
NAMES = ["age", "Age", "a b", "a_b", "a-b", "class", "select", "row", "predict", "node", "p_1", "1st", "ä", "西瓜"]
CLASSES = [("no", "yes", "it's"), (0, 1, 2), (-7, 8, 9), (0.5, 1.5, -2.25), (2**53 + 1, 2**53, 3), ("1", "01", "1.0")]

Random = np.random.Generator


def pick(rng: Random, values: Any) -> Any:
    """One of the values; numpy would turn them into its own types."""
    return values[int(rng.integers(len(values)))]


def some(rng: Random, values: Any, n: int) -> list[Any]:
    """So many different ones of the values."""
    return [values[i] for i in rng.permutation(len(values))[:n]]


def rounded(rng: Random, n: int) -> Any:
    """Numbers with a few digits."""
    return np.round(rng.normal(size=n), int(rng.integers(0, 4)))


def small_integers(rng: Random, n: int) -> Any:
    """Numbers of which many are equal."""
    return rng.integers(-3, 4, n).astype(float)


def neighbours(rng: Random, n: int) -> Any:
    """Neighbours among the floats, so that a threshold is next to a value or is one."""
    values = [pick(rng, ODD_NUMBERS)]
    for _ in range(int(rng.integers(1, 4))):
        values.append(nextafter(values[-1], np.inf))
    return rng.choice(values, n)


def odd_numbers(rng: Random, n: int) -> Any:
    """Very large and very small numbers, with -0.0."""
    return rng.choice([*ODD_NUMBERS, -0.0, -1e300, 2.0**53 + 2, 1.7976931348623157e308], n)


def categories_of(*sets: tuple[Any, ...], ordered: bool = False) -> Callable[[Random, int], Any]:
    """Makes columns of categories, of one of the sets; they are objects, so that integers may be large."""

    def make(rng: Random, n: int) -> Any:
        values = some(rng, pick(rng, sets), int(rng.integers(2, 6)))
        codes = rng.integers(0, len(values), n)
        return pd.Categorical.from_codes(codes, pd.Index(values, dtype=object), ordered=ordered and rng.random() < 0.7)

    return make


COLUMNS = [
    rounded,
    rounded,
    small_integers,
    neighbours,
    odd_numbers,
    categories_of(("a", "b", "c", "d", "e"), ("A", "a", "a b", "1", "é"), tuple(f"word {i}" for i in range(5))),
    categories_of((1, 2, 3, 4), (2**53, 2**53 + 1, 5), (2**31, -(2**31), 0), (0.5, -1.5, 2.5, 1e-300)),
    categories_of(("low", "mid", "high"), (1, 2, 3, 4), (0.1, 0.2, 0.3), ordered=True),
    categories_of((False, True)),
]
"""What makes a column of a table; hostile and mixed categories are rarer, because most targets refuse some of them."""
RARE = [categories_of(tuple(HOSTILE)), categories_of((1, "a", 2.5), (2**70, 1, 2), (True, 2, "x"))]


def random_table(rng: Random) -> tuple[pd.DataFrame, Any]:
    """A table, and a number that depends on its columns."""
    n, width = int(rng.integers(8, 60)), int(rng.integers(1, 6))
    columns, score = [], rng.normal(0, rng.choice([0.1, 1.0]), n)
    for _ in range(width):
        column = pick(rng, RARE if rng.random() < 0.06 else COLUMNS)(rng, n)
        codes = pd.factorize(np.asarray(column, dtype=object))[0]
        score += rng.normal(0, 2, codes.max() + 1)[codes]
        is_missing = rng.random(n) < rng.choice([0.0, 0.1, 0.4])
        columns.append(pd.Series(column).mask(is_missing & (rng.permutation(n) > 1)))
    pool = HOSTILE if rng.random() < 0.15 else NAMES
    names = some(rng, list(dict.fromkeys(pool)), width)
    frame = pd.concat(columns, axis=1)
    frame.columns = pd.Index(names, dtype=object)
    return frame, score


def common_options(rng: Random, frame: pd.DataFrame) -> dict[str, Any]:
    """Options of every algorithm."""
    options: dict[str, Any] = {
        "missing": pick(rng, GROWTH),
        "unseen_category": pick(rng, UNSEEN),
        "min_samples_leaf": int(rng.integers(1, 4)),
        "pruning": None,
    }
    if rng.random() < 0.35:
        options["missing_predict"] = pick(rng, PREDICTION)
    if rng.random() < 0.15:
        options["max_leaf_nodes"] = int(rng.integers(1, 6))
    return options


def monotone(rng: Random, frame: pd.DataFrame) -> dict[str, Any]:
    """Constraints on columns of numbers, if there are some."""
    numbers = [i for i, kind in enumerate(frame.dtypes) if pd.api.types.is_float_dtype(kind)]
    chosen = {i: int(rng.choice([-1, 1])) for i in numbers if rng.random() < 0.7}
    return {"monotonic_cst": chosen} if chosen else {}


def regressor(rng: Random, frame: pd.DataFrame) -> Any:
    """A random regression tree."""
    options = common_options(rng, frame)
    if rng.random() < 0.25:
        options |= monotone(rng, frame)
    options["smoothing"] = pick(rng, [None, 0.5, 20.0, "auto"])
    kind = pick(rng, [CARTRegressor, MDLTreeRegressor, TreeRegressor, TreeRegressor])
    if kind is TreeRegressor:
        options["grouping"] = pick(rng, ["subset", "each"])
        options["threshold"] = pick(rng, ["midpoint", "value"])
    if kind is not MDLTreeRegressor and rng.random() < 0.3 and "monotonic_cst" not in options:
        options["criterion"] = "absolute_error"
    return kind(**options)


def classifier(rng: Random, frame: pd.DataFrame, n_classes: int) -> Any:
    """A random classification tree."""
    options = common_options(rng, frame)
    options["probability"] = pick(rng, list(SMOOTHING))
    options["smoothing"] = pick(rng, SMOOTHING[options["probability"]])
    if rng.random() < 0.25:
        options["cost_matrix"] = rng.integers(1, 5, (n_classes, n_classes)) * (1 - np.eye(n_classes, dtype=int))
    if rng.random() < 0.2:
        options["priors"] = rng.random(n_classes) + 0.1
    if n_classes == 2 and rng.random() < 0.3:
        options |= monotone(rng, frame)
    kind = pick(rng, [ID3Classifier, C45Classifier, CARTClassifier, MDLTreeClassifier, TreeClassifier, TreeClassifier])
    if kind is ID3Classifier:
        options["numeric"] = "bisect"
    elif kind is C45Classifier:
        options["grouping"] = pick(rng, ["each", "greedy"])
        options["variant"] = pick(rng, ["release8", "textbook"])
    elif kind is TreeClassifier:
        options["criterion"] = pick(rng, ["gini", "entropy"])
        options["grouping"] = pick(rng, ["subset", "each", "greedy", "binary"])
        options["threshold"] = pick(rng, ["midpoint", "value"])
    return kind(**options)


def random_model(seed: int) -> Any:
    """The model of a seed: the first of the random ones that can be fitted and is not always a single leaf."""
    for attempt in range(100):
        rng = np.random.default_rng([seed, attempt])
        frame, score = random_table(rng)
        try:
            if rng.random() < 0.25:
                model = regressor(rng, frame).fit(frame, score)
            else:
                bounds = np.quantile(score, [0.4, 0.7] if rng.random() < 0.6 else [0.5])
                labels = list(dict.fromkeys(HOSTILE)) if rng.random() < 0.08 else pick(rng, CLASSES)
                labels = some(rng, labels, len(bounds) + 1)
                if len(labels) == 2 and rng.random() < 0.3:
                    labels = [False, True]
                y = np.empty(len(score), object)
                y[:] = [labels[code] for code in np.digitize(score, bounds)]
                model = classifier(rng, frame, len(labels)).fit(frame, y)
        except TreewrightError:  # options that do not go together, or a table that the algorithm does not take
            continue
        if model.tree_.n_nodes > 1 or seed % 50 == 0:
            return model
    raise AssertionError(f"Seed {seed} has no model.")


def random_probes(seed: int) -> tuple[Probes, Probes | None]:
    """The probes of a tree, and of its rules if they are not exported as their tree."""
    model = random_model(seed)
    kept = kept_rows(model)
    tree = some_rows(make_probes(scoring_of(model), kept), MAX_PROBES)
    forms = ["leaves", "generalised"] if hasattr(model, "classes_") else ["leaves"]
    scoring = rule_scoring(model.rules(forms[seed % len(forms)]))
    if not isinstance(scoring, RuleScoring):
        return tree, None
    return tree, some_rows(make_rule_probes(scoring, kept), MAX_PROBES)


def try_seeds(seeds: range, targets: Any = ()) -> Counts:
    """All exports of the models of some seeds, executed together; `targets`: only these."""
    counts = Counts()
    trees: list[tuple[str, Probes]] = []
    rules: list[tuple[str, Probes]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in seeds:
            tree, of_rules = random_probes(seed)
            trees.append((f"seed {seed}", tree))
            rules += [] if of_rules is None else [(f"seed {seed}", of_rules)]
        counts.try_models(trees, rules, targets)
    return counts


def batches(first: int, n: int) -> Iterator[range]:
    """The seeds of each batch."""
    for start in range(first, first + n, BATCH):
        yield range(start, min(start + BATCH, first + n))


def main() -> int:
    """Print the counts."""
    options = argparse.ArgumentParser(description="Exports of random trees.")
    options.add_argument("--n", type=int, default=N, help="number of trees")
    options.add_argument("--from", dest="first", type=int, default=0, help="the first seed")
    options.add_argument("--targets", nargs="*", default=[], choices=KNOWN, help="such as sql onnx; all by default")
    given = options.parse_args()
    counts, start = Counts(), time.perf_counter()
    for seeds in batches(given.first, given.n):
        found = try_seeds(seeds, given.targets)
        counts.update(found)
        sys.stderr.write(f"{seeds.stop - given.first:,} trees, {time.perf_counter() - start:.0f} s\n")
        sys.stderr.writelines(f"DIFFERENT {line}\n" for line in found.differences)
        sys.stderr.flush()
    lines = [f"{given.n:,} trees, {time.perf_counter() - start:.0f} s", *counts.table(), *counts.details()]
    sys.stdout.write("\n".join(lines) + "\n")
    return int(bool(counts.differences))


if __name__ == "__main__":
    sys.exit(main())
