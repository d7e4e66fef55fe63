"""A row of figures: what every section of the runner makes, prints and writes to the file.

In: times of ours and of a peer, or other figures. Out: a line of text, or an entry of the file.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchmarks.timing import Timed


@dataclass(frozen=True, slots=True)
class Row:
    """Treewright beside one peer on one case; times in seconds.

    figures  what is not a time of a fit, by name: megabytes, accuracies, how often the limit
    goal     what `reached` should not exceed, None where there is none
    value    what is held against the goal where it is not the ratio of times
    check    whether the tree is the one it should be
    """

    section: str
    case: str
    shape: str = ""
    depth: str = ""
    threads: int = 1
    peer: str = ""
    ours: Timed | None = None
    theirs: Timed | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    goal: float | None = None
    value: float | None = None
    check: str = ""

    @property
    def cpu_ratio(self) -> float | None:
        return None if self.ours is None or self.theirs is None else self.ours.cpu / self.theirs.cpu

    @property
    def wall_ratio(self) -> float | None:
        return None if self.ours is None or self.theirs is None else self.ours.wall / self.theirs.wall

    @property
    def reached(self) -> float | None:
        """What counts: with one thread CPU time, with more the time on the clock."""
        if self.value is not None:
            return self.value
        return self.cpu_ratio if self.threads == 1 else self.wall_ratio

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is reached; None without one."""
        return None if self.goal is None or self.reached is None else self.reached <= self.goal

    @property
    def is_wrong(self) -> bool:
        """Whether the check of the tree failed."""
        return self.check.startswith("DIFFERS")

    def to_dict(self) -> dict[str, Any]:
        """The entry of the file: all fields and what follows from them."""
        ratios = {"cpu_ratio": self.cpu_ratio, "wall_ratio": self.wall_ratio}
        return asdict(self) | ratios | {"reached": self.reached, "is_met": self.is_met}


HEAD = (
    f"{'case':38}{'shape':>15} {'depth':>5} {'thr':>3} {'ours ms':>10} {'peer ms':>10} {'CPU':>7} {'wall':>7}"
    f" {'goal':>6} {'met':>4}  peer; check"
)


def text_of(row: Row) -> str:
    """The row as it is printed, under HEAD."""
    return (
        f"{row.case:38}{row.shape:>15} {row.depth:>5} {row.threads:>3} {_ms(row.ours)} {_ms(row.theirs)}"
        f" {_ratio(row.cpu_ratio, 7)} {_ratio(row.wall_ratio, 7)} {_ratio(row.goal, 6)} {_met(row):>4}  {_words(row)}"
    )


def _words(row: Row) -> str:
    figures = ", ".join(f"{name} {value:.4g}" for name, value in row.figures.items())
    return "; ".join(part for part in (row.peer, figures, row.check) if part)


def _ms(timed: Timed | None) -> str:
    if timed is None:
        return f"{'':>10}"
    digits = 3 if timed.wall < 0.01 else 1
    return f"{timed.cpu * 1e3:>10.{digits}f}"


def _ratio(value: float | None, width: int) -> str:
    return f"{'' if value is None else f'{value:.3f}' if value < 10 else f'{value:.0f}':>{width}}"


def _met(row: Row) -> str:
    return "" if row.is_met is None else "yes" if row.is_met else "NO"
