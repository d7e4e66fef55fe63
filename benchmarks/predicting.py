"""Answers for a million rows by a deep tree.

In: the options of the run. Out: Rows for numbers, and for categories with missing cells, by number of threads, beside
scikit-learn, which gets float32 and codes.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.choice import Choice
from benchmarks.peers import OURS, SCIKIT_LEARN, Setting
from benchmarks.rows import Row
from benchmarks.same import same
from benchmarks.tables import Table, floats, regression, with_missing
from benchmarks.timing import Fit, take_turns

SECTION = "predict"
N_TRAINING, N_PREDICTED, N_ALONE = 100_000, 1_000_000, 50
GOALS = {1: 0.5, 2: 0.3}
CASES: dict[str, tuple[Callable[[int], Table], Setting]] = {
    "floats, 2 classes": (lambda n: floats(n, 2), Setting()),
    "regression": (regression, Setting()),
    "CART, mixed, missing": (lambda n: with_missing(n, 2), Setting()),
    "C4.5, mixed, missing": (lambda n: with_missing(n, 2), Setting("C4.5", pruned=True)),
}


def predict_rows(choice: Choice) -> Iterator[Row]:
    """Each table: trained on some rows, predicting the others."""
    for name, (make, setting) in CASES.items():
        if choice.wants(SECTION, name):
            n_training, n_predicted = int(N_TRAINING * choice.fraction), int(N_PREDICTED * choice.fraction)
            table = make(n_training + n_predicted)
            yield from _one(name, table.take(slice(n_training)), table.take(slice(n_training, None)), setting, choice)


def _one(name: str, training: Table, unseen: Table, setting: Setting, choice: Choice) -> Iterator[Row]:
    ours, theirs = OURS.prepare(training, setting), SCIKIT_LEARN.prepare(training, setting)
    if ours is None or theirs is None:
        return
    model, peer = ours(), theirs()
    fits = [*(_predictor(model, unseen.values, n) for n in choice.threads), _predictor(peer, unseen.as_float32(), None)]
    *mine, their = take_turns(fits, choice.rounds, choice.budget)
    runs = {f"{n} threads": run.result.tobytes() for n, run in zip(choice.threads, mine, strict=True)}
    verdict = _check(model, unseen.values, runs)
    figures = {"leaves": OURS.n_leaves(model) or 0, "depth": int(model.tree_.depth)}
    for n, run in zip(choice.threads, mine, strict=True):
        goal = GOALS.get(n) if choice.fraction == 1 else None
        times = run.timed, their.timed.undisturbed()
        yield Row(SECTION, name, unseen.shape, "full", n, SCIKIT_LEARN.NAME, *times, figures, goal, check=verdict)


def _predictor(model: Any, values: np.ndarray, n_jobs: int | None) -> Fit:
    def predict() -> Any:
        if n_jobs is not None:
            model.n_jobs = n_jobs
        return model.predict(values)

    return predict


def _check(model: Any, values: np.ndarray, runs: dict[str, bytes]) -> str:
    """The same predictions by any number of threads, for the rows in reverse, and for some rows alone."""
    model.n_jobs = 1
    backwards = model.predict(values[::-1])[::-1]
    alone = backwards.copy()
    alone[:N_ALONE] = [model.predict(values[i : i + 1])[0] for i in range(N_ALONE)]
    return same(runs | {"rows in reverse": backwards.tobytes(), "rows alone": alone.tobytes()}, "predictions")
