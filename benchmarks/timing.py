"""Interleaved timing.

In: fits to compare. Out: for each the least CPU and wall time of several rounds, and its number of leaves.

On a shared machine a second is worth nothing by itself: the fits take turns in one process, so that all meet
the same neighbours, and the minimum is the run that was disturbed least.
"""

import gc
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.peers import Fit


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of the best round, of the median round (CPU), and the leaves of the tree."""

    cpu: float
    wall: float
    median: float
    n_leaves: int


def take_turns(fits: Sequence[Fit], rounds: int) -> list[Timed]:
    """Run every fit once in each round, after one untimed fit each, and keep the best."""
    n_leaves = [fit() for fit in fits]
    cpu: list[list[float]] = [[] for _ in fits]
    wall: list[list[float]] = [[] for _ in fits]
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for k, fit in enumerate(fits):
                wall_start, cpu_start = time.perf_counter(), time.process_time()
                fit()
                cpu[k].append(time.process_time() - cpu_start)
                wall[k].append(time.perf_counter() - wall_start)
    finally:
        gc.enable()
    return [
        Timed(min(c), min(w), statistics.median(c), n)
        for c, w, n in zip(cpu, wall, n_leaves, strict=True)
    ]
