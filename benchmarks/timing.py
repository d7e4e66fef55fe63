"""Interleaved timing.

In: fits to compare. Out: for each the least CPU and wall time of several rounds, and what it returned last.

On a shared machine a second says nothing by itself: the fits take turns in one process, so that all meet
the same neighbours, and the minimum is the run that was disturbed least. The first run of each is slower, which a
minimum does not see.
"""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

Fit = Callable[[], Any]
"""Does the work once; returns what was fitted."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds of the best round, of the median round (CPU), and how many rounds there were."""

    cpu: float
    wall: float
    median: float
    rounds: int

    def undisturbed(self) -> "Timed":
        """As a program of one thread on a machine of its own, where the clock shows its CPU time, if it had one round:
        there is no less disturbed one to choose, and that should not make us look fast.
        """
        return replace(self, wall=min(self.wall, self.cpu)) if self.rounds == 1 else self


@dataclass(frozen=True, slots=True)
class Reported:
    """What a fit returns that keeps its own clock, as a program outside of this process does."""

    seconds: float
    model: Any = None


@dataclass(frozen=True, slots=True)
class Run:
    """How long it took and what came out."""

    timed: Timed
    result: Any


def take_turns(fits: Sequence[Fit], rounds: int, budget: float = inf) -> list[Run]:
    """Run every fit once in each round and keep the best.

    budget  seconds of CPU that one fit may take over all its rounds; the first round is always run, so that a slow
            one is run fewer times than the fast ones beside it
    """
    clocks = [_Clock(fit) for fit in fits]
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for clock in clocks:
                if not clock.cpu or sum(clock.cpu) + min(clock.cpu) <= budget:
                    clock.run()
    finally:
        gc.enable()
    return [Run(clock.timed(), clock.result) for clock in clocks]


class _Clock:
    """One fit and the times of its rounds."""

    def __init__(self, fit: Fit) -> None:
        self.fit, self.result = fit, None
        self.cpu: list[float] = []
        self.wall: list[float] = []

    def run(self) -> None:
        """One round; what the one before returned is let go first, so that two are never held at once."""
        self.result = None
        wall_start, cpu_start = time.perf_counter(), time.process_time()
        found = self.fit()
        cpu, wall = time.process_time() - cpu_start, time.perf_counter() - wall_start
        if isinstance(found, Reported):
            cpu = wall = found.seconds
            found = found.model
        self.cpu.append(cpu)
        self.wall.append(wall)
        self.result = found

    def timed(self) -> Timed:
        return Timed(min(self.cpu), min(self.wall), statistics.median(self.cpu), len(self.cpu))
