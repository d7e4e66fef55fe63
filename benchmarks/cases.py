"""The cases of a fit: tables, how their trees are grown, and what is aimed at.

In: the options of the run. Out: a list of cases.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks.choice import Choice
from benchmarks.peers import Setting
from benchmarks.real import NAMES, real, why_missing
from benchmarks.tables import Table, floats, integers, mixed, regression, sized, with_missing

CART, C45 = Setting(), Setting("C4.5", pruned=True)
BOTH: tuple[int | None, ...] = (8, None)
FULL: tuple[int | None, ...] = (None,)


@dataclass(frozen=True, slots=True)
class Case:
    """A table, how it is grown, and the ratios aimed at with one thread (CPU) and two (wall).

    depths  those that are always run; `long` those that are run when time does not matter
    """

    name: str
    make: Callable[[Choice], Table]
    setting: Setting = CART
    depths: tuple[int | None, ...] = BOTH
    goals: tuple[float | None, float | None] = (None, None)
    long: tuple[int | None, ...] = ()
    why_missing: Callable[[Choice], str | None] = lambda _: None

    def depths_of(self, choice: Choice) -> list[int | None]:
        """Those that the options select."""
        return [depth for depth in (*self.depths, *(self.long if choice.is_long else ())) if depth in choice.depths]

    def goal(self, n_jobs: int) -> float | None:
        return self.goals[min(n_jobs, 2) - 1]


def drawn(make: Callable[..., Table], n_rows: int, *rest: int) -> Callable[[Choice], Table]:
    """A table that is made, at the fraction of its size that the options give."""
    sized_table = sized(make, n_rows, *rest)
    return lambda choice: sized_table(choice.fraction)


NUMBERS = [
    *(Case("floats, 2 classes", drawn(floats, n, 2), goals=(0.05, 0.03)) for n in (100_000, 500_000)),
    Case("floats, 2 classes", drawn(floats, 1_000_000, 2), CART, FULL, (0.05, 0.03), long=(8,)),
    *(Case("floats, 7 classes", drawn(floats, n, 7), goals=(0.08, 0.05)) for n in (100_000, 500_000)),
    Case("floats, 7 classes", drawn(floats, 1_000_000, 7), CART, (), (0.08, 0.05), long=BOTH),
]
INTEGERS = [
    Case(f"integers 0-{top}, {n_classes} classes", drawn(integers, 200_000, top + 1, n_classes), goals=(0.08, 0.05))
    for top, n_classes in ((15, 2), (15, 7), (99, 2))
]
REGRESSION = [
    Case("regression", drawn(regression, n_rows), goals=(0.08, 0.05)) for n_rows in (100_000, 500_000)
]
C45_CASES = [
    Case("C4.5 pruned, floats", drawn(floats, 100_000, 2), C45, FULL, (0.10, 0.06)),
    Case("C4.5 pruned, mixed, missing", drawn(with_missing, 100_000, 2), C45, FULL, (0.39, None)),
    Case(
        "C4.5 pruned, mixed, missing, grouped",
        drawn(with_missing, 100_000, 2),
        Setting("C4.5", pruned=True, grouping="greedy"),
        FULL,
        (0.97, None),
    ),
]
MIXED = [
    Case("CART, mixed, missing", drawn(with_missing, 100_000, 2), depths=BOTH, goals=(0.15, 0.10)),
    Case("CART, mixed, 2 classes", drawn(mixed, 100_000, 2)),
    Case("CART, mixed, 7 classes", drawn(mixed, 100_000, 7)),
]


def read(name: str, choice: Choice) -> Table:
    """A real table."""
    return real(choice.data, name, choice.fraction)


def _why(name: str, choice: Choice) -> str | None:
    return why_missing(choice.data, name)


REAL = [
    Case(name, partial(read, name), depths=FULL, goals=(0.10, 0.07), why_missing=partial(_why, name)) for name in NAMES
]

CASES: dict[str, list[Case]] = {
    "numbers": [*NUMBERS, *INTEGERS, *REGRESSION],
    "C4.5": C45_CASES,
    "mixed": MIXED,
    "real": REAL,
}
"""By section."""
