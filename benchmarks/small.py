"""The smallest tables: what a fit, and the prediction of one row, cost when there is nearly nothing to do.

In: the options of the run. Out: Rows for golf and iris, through the estimators, beside scikit-learn.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.choice import Choice
from benchmarks.peers import OURS, SCIKIT_LEARN, Setting
from benchmarks.rows import Row
from benchmarks.runner import check
from benchmarks.tables import SMALL, Table
from benchmarks.timing import Fit, Run, take_turns

SECTION = "small"
GOAL = 0.25


def small_rows(choice: Choice) -> Iterator[Row]:
    """A fit by CART and by C4.5, and one row of each."""
    for name, make in SMALL.items():
        if choice.wants(SECTION, name):
            yield from _table(name, make(), choice.repeats)


def _table(name: str, table: Table, repeats: int) -> Iterator[Row]:
    settings = Setting(), Setting("C4.5")
    fits = [OURS.prepare(table, setting) for setting in settings] + [SCIKIT_LEARN.prepare(table, Setting())]
    *mine, theirs = take_turns([fit for fit in fits if fit is not None], repeats)
    for setting, run in zip(settings, mine, strict=True):
        verdict = check(table, setting, {1: run.result}, theirs.result)
        yield _row(f"{name}, {setting.algorithm}, fit", table, run, theirs, verdict)
    predictions = [
        *(_predictor(run.result, table.values[:1]) for run in mine),
        _predictor(theirs.result, table.as_float32()[:1]),
    ]
    *predicted, peer = take_turns(predictions, repeats)
    for setting, fitted, run in zip(settings, mine, predicted, strict=True):
        is_same = run.result[0] == fitted.result.predict(table.given)[0]
        verdict = "same prediction alone" if is_same else "DIFFERS when predicted alone"
        yield _row(f"{name}, {setting.algorithm}, predict one row", table, run, peer, verdict)


def _predictor(model: Any, row: np.ndarray) -> Fit:
    return lambda: model.predict(row)


def _row(label: str, table: Table, mine: Run, theirs: Run, verdict: str) -> Row:
    return Row(
        SECTION, label, table.shape, "full", 1, SCIKIT_LEARN.NAME, mine.timed, theirs.timed, goal=GOAL, check=verdict
    )
