"""Generated cases of error-based pruning with subtree raising: small noisy tables, estimators and methods."""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from tests.scale.sources import array_engine, encode, grown_task, plan_of
from treewright import TreeClassifier, prune
from treewright.estimators.fitting import make_grower
from treewright.prune.method import Method, PruningInput, weight_of_one_row
from treewright.prune.report import RAISED
from treewright.scale.class_weights import weigh_classes, weigh_table
from treewright.scale.growth import ROW_BYTES, missing_code
from treewright.scale.raising import CountedRaising

STRATEGIES = ("fractional", "fractional", "learned", "branch", "stop", "surrogate")
NUMBERS = ("node", "leaf", "subtree", "verdict", "branch", "origin", "weight")


class Outcome(NamedTuple):
    """The tree pruned in memory and by counting, and the passes that this took."""

    expected: Any
    found: Any
    n_passes: int

    def differences(self) -> list[str]:
        """What is not the same: the tree, or a column of the report."""
        found = [] if self.found.tree == self.expected.tree else ["tree"]
        for name in NUMBERS:
            one, other = (getattr(pruned.report, name) for pruned in (self.expected, self.found))
            if not np.array_equal(one, other, equal_nan=one.dtype == float):
                found.append(name)
        return found


def memory_for(n_rows, n_columns):
    """Memory with which nodes of so many rows are fetched."""
    return n_rows * 8 * ROW_BYTES * (n_columns + 1)


def prune_both_ways(model, rows, method: Method, memory, n_parts=2) -> Outcome:
    """Grow a tree in memory, and prune it with the rows and by counting."""
    task = grown_task(model, rows)
    grown = make_grower(model, task.growth, task.rule)(task.rows)
    unit = weight_of_one_row(task.rows)
    expected = method.prune_by(PruningInput(grown, task.rows, unit=unit))
    plan = plan_of(model, rows)
    survey = encode(rows, plan.max_bins or 255)
    weights = weigh_table(survey, missing_code(survey, plan), weigh_classes(model, survey).factors)
    engine = array_engine(rows, survey, plan, n_parts, units=weights.rows)
    raising = CountedRaising(engine, survey, weights, memory)
    found = method.prune_by(PruningInput(grown, unit=weights.row, raise_branches=raising))
    return Outcome(expected, found, engine.effort.n_passes)


def noisy_rows(rng):
    """A table of few values, categories and booleans, of which some tell little about a noisy target; with missing
    values in some tables, and weights in some: whole ones, eighths, or any.
    """
    n, columns = int(rng.choice([12, 30, 60, 120, 250, 500])), {}
    for i in range(int(rng.integers(2, 7))):
        kinds = [
            lambda: rng.integers(0, rng.integers(2, 12), n).astype(float),
            lambda: rng.normal(size=n).round(int(rng.integers(0, 3))),
            lambda: rng.choice(list("abcdef")[: int(rng.integers(2, 7))], n).astype(object),
            lambda: (rng.random(n) < rng.random()).astype(object),
        ]
        columns[f"c{i}"] = kinds[rng.integers(len(kinds))]()
    X = pd.DataFrame(columns)
    n_classes = int(rng.integers(2, 5))
    score = rng.normal(0, rng.choice([0.1, 1, 3]), n)
    for name in X:
        if rng.random() < 0.6:
            score += pd.factorize(X[name], sort=True)[0] * rng.normal()
    edges = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    y = pd.Series(np.array(list("pqrs"))[np.digitize(score, edges)])
    missing = rng.choice([0, 0, 0.05, 0.2, 0.5])
    for name in X:
        if rng.random() < 0.8:
            X.loc[1 + np.flatnonzero(rng.random(n - 1) < missing), name] = None
    weights = [None, None, rng.integers(1, 5, n).astype(float), rng.integers(1, 9, n) / 8, rng.exponential(2, n) + 0.01]
    return X, y, weights[rng.integers(len(weights))]


def any_model(rng, n_classes):
    """A classifier of any strategy for missing values, with weights of classes, costs or priors in some."""
    missing = str(rng.choice(STRATEGIES))
    costs = rng.integers(1, 9, (n_classes, n_classes)).astype(float)
    np.fill_diagonal(costs, 0)
    about_classes = [{"class_weight": "balanced"}, {"cost_matrix": costs.tolist()}, {"priors": "equal"}, {}, {}, {}]
    return TreeClassifier(
        criterion=str(rng.choice(["gini", "entropy"])),
        merit=str(rng.choice(["decrease", "ratio"])),
        missing=missing,
        grouping="binary" if missing == "surrogate" else str(rng.choice(["each", "binary", "greedy"])),
        max_bins=int(rng.choice([5, 20, 255])),
        min_samples_leaf=int(rng.choice([1, 1, 2, 5])),
        collapse=bool(rng.integers(2)),
        minimum=str(rng.choice(["weight", "rows"])),
        **about_classes[rng.integers(len(about_classes))],
    )


def any_method(rng):
    """Error-based pruning with any parameters, alone or among other methods."""

    def error_based():
        limit = str(rng.choice(["release8", "weka", "exact"]))
        confidence = float(rng.choice([0.25, 0.1, 0.4, 0.01, 0.5 if limit == "weka" else 0.8]))
        return prune.ErrorBased(confidence=confidence, limit=limit, allowance=float(rng.choice([0.1, 0.0, 0.5, 2.0])))

    methods = [
        lambda: prune.Steps((error_based(), prune.Global(), error_based())),
        lambda: prune.Steps((prune.Pessimistic(), error_based())),
        lambda: prune.Steps((error_based(), error_based())),
    ]
    chosen = rng.integers(8)
    return methods[chosen]() if chosen < len(methods) else error_based()


def any_case(seed) -> Outcome:
    """A case by its number."""
    rng = np.random.default_rng(seed)
    rows = noisy_rows(rng)
    model, method = any_model(rng, rows[1].nunique()), any_method(rng)
    few = [memory_for(n, rows[0].shape[1]) for n in (20, 60)]
    memory = int(rng.choice([1, *few, 10**9]))
    return prune_both_ways(model, rows, method, memory, int(rng.integers(1, 4)))


def skewed_frame(n, seed=0, missing=0.0):
    """Columns in which most rows have one value, which gain ratio splits on early: the largest branch is often raised.
    With a target of 3 classes and weights.
    """
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({f"rare{i}": rng.choice(["a", "b", "c"], n, p=[0.9, 0.07, 0.03]) for i in range(4)})
    for i in range(3):
        frame[f"number{i}"] = np.round(rng.exponential(2, n) ** 2)
    frame["flag"] = rng.random(n) < 0.1
    score = frame.number0.gt(3) * 2.0 + frame.number1.gt(9) * 1.0 + frame.flag * 0.5 + rng.normal(0, 0.7, n)
    frame = frame.astype({"flag": object})
    for name in frame.columns:
        frame.loc[rng.random(n) < missing, name] = None
    target = np.array(["no", "maybe", "yes"])[np.digitize(score, [0.5, 1.5])]
    return frame.assign(target=target, weight=rng.integers(1, 4, n))


def split_frame(frame, weighted=False):
    """A frame as a table, a target and weights."""
    return frame.drop(columns=["target", "weight"]), frame["target"], frame["weight"] if weighted else None


def raised_nodes(report):
    """The nodes whose largest branch took their place, and how many of them did so below another one."""
    raised = report.node[report.verdict == RAISED].tolist()
    return raised, sum(int(report.tree.parent[node]) in raised for node in raised)
