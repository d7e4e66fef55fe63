"""What fast paths may do: save time, and nothing else. Each alone, and all of them, against the plain path."""

from random import Random

import numpy as np
import pandas as pd
import pytest

from tests.invariants.path_cases import Case, make_case
from tests.oracles.compare import check_same
from tests.oracles.missing_tables import make_holed
from tests.oracles.plans import NAMED, STRATEGIES, random_limits, random_missing, random_options
from tests.oracles.tables import make_table
from treewright import CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.fast_paths import FAST_PATHS, fast_path_sizes, only_fast_paths, size_of, without_fast_paths
from treewright.grow.grower import grow
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import (
    find_leaves,
    predict_class_codes,
    predict_numbers,
    predict_probabilities,
)

N_CASES = 100
DEFAULT, LONG = 7, 200
PARTS = [*range(DEFAULT), *(pytest.param(i, marks=pytest.mark.long) for i in range(DEFAULT, LONG))]
"""Parts of N_CASES cases each: 700 cases in `make test`, 20,000 in `make check-long`."""
PREDICTION = ("few rows", "few objects", "rows side by side", "threads of prediction")
GROWTH = [name for name in FAST_PATHS if name not in (*PREDICTION, "folds side by side")]
ALL = tuple(FAST_PATHS)


def check_growth(case: Case, names: list[str]) -> Tree:
    """Each of the paths, and all, give the plain tree and its surrogates; the plain tree."""
    with without_fast_paths():
        plain = grow(case.dataset, case.plan)
    for used in [*((name,) for name in names), ALL]:
        n_jobs = 2 if "threads" in used else 1
        with only_fast_paths(*used), fast_path_sizes(case.sizes):
            tree = grow(case.dataset, case.plan, n_jobs)
        assert tree.fingerprint() == plain.fingerprint(), f"{used if used != ALL else 'all paths'}: {case}"
    return plain


def rows_to_predict(case: Case) -> np.ndarray:
    """Training rows, some cells of which are those of other rows, missing, or unseen."""
    rng = np.random.default_rng(case.seed)
    values = case.dataset.values[rng.integers(0, case.dataset.n_rows, 70)]
    for f, column in enumerate(case.dataset.schema.columns):
        values[:, f] = np.where(rng.random(70) < 0.3, rng.permutation(values[:, f]), values[:, f])
        if rng.random() < 0.5:
            values[rng.random(70) < 0.2, f] = np.nan
        if column.kind is Kind.CATEGORY and rng.random() < 0.3:
            values[rng.random(70) < 0.1, f] = -np.inf
    return values


def predictions(tree: Tree, values: np.ndarray, n_threads: int) -> list[bytes]:
    """By all rules that the tree knows: bits, so that NaN and the last digit count."""
    missing = {tree.missing, "fractional", "majority", "stop"} - {"error"}
    ask = (
        [find_leaves, predict_numbers]
        if tree.schema.target.is_number
        else [find_leaves, predict_probabilities, predict_class_codes]
    )
    rules = [MissingPolicy(name, unseen) for name in sorted(missing) for unseen in ("majority", "stop")]
    return [one(tree, values, rule, n_threads).tobytes() for one in ask for rule in rules]


def check_prediction(case: Case, tree: Tree) -> None:
    values = rows_to_predict(case)
    for rows in (values, values[:15], np.nan_to_num(values, neginf=0.0)):
        with without_fast_paths():
            plain = predictions(tree, rows, 1)
        for used in (("rows side by side",), ("threads of prediction",), ALL):
            with only_fast_paths(*used), fast_path_sizes(case.sizes):
                assert predictions(tree, rows, 2) == plain, f"{used}: {case}"


@pytest.mark.parametrize("part", PARTS)
def test_same_trees_and_predictions(part):
    for seed in range(part * N_CASES, (part + 1) * N_CASES):
        case = make_case(seed)
        tree = check_growth(case, GROWTH)
        if seed % 5 == 0:
            check_prediction(case, tree)


@pytest.mark.parametrize("n_rows", [999, 1000, 1001, 19_999, 20_000])
def test_sizes_as_they_are(n_rows):
    assert (size_of("coded columns"), 2 * size_of("subtrees")) == (1_000, 20_000)
    for seed in range(12 if n_rows < 2000 else 3):
        check_growth(make_case(10**6 + seed, n_rows), ["coded columns", "subtrees", "skipped blocks"])


def test_a_kept_workspace_has_nothing_of_another_table():
    for seed in range(100):
        case = make_case(seed)
        with without_fast_paths():
            plain = grow(case.dataset, case.plan)
        given = case.dataset
        other = Dataset(given.schema, given.values[::-1].copy(), given.target, given.weight)
        with only_fast_paths("kept workspace"), fast_path_sizes(case.sizes):
            grow(other, case.plan)
            assert grow(given, case.plan).fingerprint() == plain.fingerprint(), str(case)


def fitted(seed: int) -> tuple[object, np.ndarray]:
    """A model of a table of numbers and categories that are numbers, and rows to predict."""
    case = make_case(seed)
    kind = TreeRegressor if case.dataset.schema.target.is_number else TreeClassifier
    columns = case.dataset.schema.columns
    values = np.clip(case.dataset.values, -1e9, 1e9)
    categories = [f for f, column in enumerate(columns) if column.kind is Kind.CATEGORY]
    model = kind(missing="learned", unseen_category="majority", n_jobs=2, categorical_features=categories)
    rows = values[np.random.default_rng(seed).integers(0, len(values), 70)]
    return model.fit(values, case.dataset.target), rows


def told(model: object, table: object) -> list[bytes]:
    ask = [model.predict, model.apply]
    if isinstance(model, TreeClassifier):
        ask.append(model.predict_proba)
    return [one(table).tobytes() for one in ask]


@pytest.mark.parametrize("seed", range(20))
def test_few_rows_and_many(seed):
    model, rows = fitted(seed)
    for n in (1, 2, 8, 9, 15, 16, 17, 63, 64, 65):
        part = rows[:n]
        frame = pd.DataFrame(part)
        for table in (part, frame, part.tolist(), part.astype(object)):
            with without_fast_paths():
                plain = told(model, table)
            for used in (*((name,) for name in PREDICTION), ALL):
                with only_fast_paths(*used), fast_path_sizes({"threads of prediction": 1}):
                    assert told(model, table) == plain, (seed, n, used)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [CARTClassifier, CARTRegressor])
def test_pruned_trees_with_folds_side_by_side(kind, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(60, 300)), 3)).round(int(rng.integers(0, 3)))
    X[rng.random(X.shape) < rng.choice([0.0, 0.2])] = np.nan
    y = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1]) + rng.normal(size=len(X))
    target = y if kind is CARTRegressor else (y > 0).astype(int) + (y > 1)
    with without_fast_paths():
        plain = kind().fit(X, target)
    for used in (("folds side by side",), ALL):
        with only_fast_paths(*used), fast_path_sizes({"folds side by side": 0, "coded columns": 1}):
            model = kind(n_jobs=3).fit(X, target)
        assert model.tree_.fingerprint() == plain.tree_.fingerprint(), used
        assert model.grown_tree_.fingerprint() == plain.grown_tree_.fingerprint(), used


SMALL = {"coded columns": 1, "kept counts": 0.1, "skipped blocks": 1, "subtrees": 4, "value lookup": 0}
"""Sizes at which the tables of the oracle go down the paths."""


@pytest.mark.parametrize("missing", ["error", *STRATEGIES])
def test_the_oracle_of_small_tables_on_fast_paths(missing):
    for number in range(40):
        regression, seed = number % 4 == 0, ("paths", missing, number)
        if missing == "error":
            table, options = make_table(seed, regression=regression), random_options(seed, regression=regression)
        else:
            table = make_holed(seed, regression=regression)
            options = random_missing(seed, missing=missing, regression=regression)
        with fast_path_sizes(SMALL):
            check_same(seed, table, options)


@pytest.mark.parametrize("name", NAMED)
def test_the_oracle_above_the_sizes(name):
    """A small table many times over: large enough for coded columns, and quick enough for the oracle."""
    options = NAMED[name]
    table = make_table(("many", name), regression=options.is_regression)
    copies = -(-int(size_of("coded columns")) // table.n_rows)
    many = table.take(list(range(table.n_rows)) * copies)
    assert many.n_rows >= size_of("coded columns")
    check_same(name, many, random_limits(Random(name), options))
