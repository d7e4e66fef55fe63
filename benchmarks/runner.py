"""Runs cases and says how they went.

In: which tables, depths and threads. Out: one Line per table, depth, number of threads and peer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.peers import OURS, Peer, Setting
from benchmarks.tables import BIG, SMALL, Table, with_holes
from benchmarks.timing import Timed, take_turns


@dataclass(frozen=True, slots=True)
class Line:
    """Treewright against one peer on one case; times in seconds."""

    case: str
    shape: str
    algorithm: str
    depth: str
    threads: int
    peer: str
    ours: Timed
    theirs: Timed

    @property
    def cpu_ratio(self) -> float:
        return self.ours.cpu / self.theirs.cpu

    @property
    def wall_ratio(self) -> float:
        return self.ours.wall / self.theirs.wall

    @property
    def leaves(self) -> str:
        """`same` when both trees have as many leaves, else both numbers."""
        if self.ours.n_leaves == self.theirs.n_leaves:
            return f"same ({self.ours.n_leaves})"
        return f"{self.ours.n_leaves} : {self.theirs.n_leaves}"


@dataclass(frozen=True, slots=True)
class Choice:
    """What is run: parts of case names, depths, thread counts, rounds, and the share of the full size."""

    names: Sequence[str] = ()
    depths: Sequence[int | None] = (8, None)
    threads: Sequence[int] = (1, 2)
    rounds: int = 5
    repeats: int = 500
    share: float = 1.0

    def wants(self, name: str) -> bool:
        return not self.names or any(part in name for part in self.names)


def compare(
    case: str, table: Table, settings: Sequence[Setting], peers: Sequence[Peer], rounds: int
) -> Iterator[Line]:
    """Time our tree under each setting (equal but for algorithm and threads) and each peer's, in turns."""
    ours = [OURS.prepare(table, setting) for setting in settings]
    theirs = [peer.prepare(table, settings[0]) for peer in peers]
    timed = iter(take_turns([fit for fit in [*ours, *theirs] if fit is not None], rounds))
    our_times = [None if fit is None else next(timed) for fit in ours]
    their_times = [None if fit is None else next(timed) for fit in theirs]
    shape = "{:,} x {}".format(*table.values.shape)
    for setting, mine in zip(settings, our_times, strict=True):
        depth = "full" if setting.max_depth is None else str(setting.max_depth)
        for peer, their in zip(peers, their_times, strict=True):
            if mine is not None and their is not None:
                yield Line(case, shape, setting.algorithm, depth, setting.n_jobs, peer.NAME, mine, their)


def big_cases(choice: Choice, peers: Sequence[Peer]) -> Iterator[Line]:
    """The large tables: each depth, all thread counts in the same rounds."""
    for name, make in BIG.items():
        if not choice.wants(name):
            continue
        table = make(choice.share)
        for depth in choice.depths:
            settings = [Setting(max_depth=depth, n_jobs=n_jobs) for n_jobs in choice.threads]
            yield from compare(name, table, settings, peers, choice.rounds)


HOLES = 0.05
"""The share of missing cells in every column."""
STRATEGIES = {
    "CART": ("surrogate", "learned", "branch", "stop", "fractional"),
    "C4.5": ("fractional", "learned", "branch", "stop"),
}
"""What each algorithm can do with missing cells, its default first."""


def holed_cases(choice: Choice, name: str) -> Iterator[Line]:
    """A large table with holes beside the same table without: what missing cells cost, on one thread."""
    if not choice.wants(f"{name}, holes"):
        return
    whole = BIG[name](choice.share)
    holed = with_holes(whole, HOLES)
    shape = "{:,} x {}".format(*whole.values.shape)
    for algorithm, strategies in STRATEGIES.items():
        for depth in choice.depths:
            settings = [Setting(algorithm, depth, 1, missing) for missing in strategies]
            fits = [OURS.prepare(whole, Setting(algorithm, depth))]
            fits += [OURS.prepare(holed, setting) for setting in settings]
            without, *with_ = take_turns([fit for fit in fits if fit is not None], choice.rounds)
            for setting, timed in zip(settings, with_, strict=True):
                label = f"{algorithm}, {setting.missing}"
                yield Line(
                    name, shape, label, "full" if depth is None else str(depth), 1, "no holes", timed, without
                )


def small_cases(choice: Choice, peers: Sequence[Peer]) -> Iterator[Line]:
    """The smallest tables: what one fit costs when there is nearly nothing to do."""
    for name, make in SMALL.items():
        if choice.wants(name):
            settings = [Setting(algorithm=algorithm) for algorithm in ("CART", "C4.5")]
            yield from compare(name, make(), settings, peers, choice.repeats)
