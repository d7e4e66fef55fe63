"""What missing cells cost: a table with missing values beside the same table without, one thread.

In: the options of the run. Out: a Row for each algorithm, strategy and depth; the peer is the same fit
without missing values.
"""

from collections.abc import Iterator

from benchmarks.choice import Choice
from benchmarks.peers import OURS, Setting
from benchmarks.rows import Row
from benchmarks.tables import MISSING_FRACTION, add_missing, mixed, sized
from benchmarks.timing import take_turns

SECTION = "missing"
STRATEGIES = {
    "CART": ("surrogate", "learned", "branch", "stop", "fractional"),
    "C4.5": ("fractional", "learned", "branch", "stop"),
}
"""What each algorithm can do with missing cells, its default first."""


def missing_rows(choice: Choice) -> Iterator[Row]:
    """All of them."""
    if not choice.wants(SECTION):
        return
    whole = sized(mixed, 100_000, 2)(choice.fraction)
    with_missing = add_missing(whole, MISSING_FRACTION)
    for algorithm, strategies in STRATEGIES.items():
        for depth in choice.depths:
            settings = [Setting(algorithm, depth, 1, missing) for missing in strategies]
            fits = [OURS.prepare(whole, Setting(algorithm, depth))]
            fits += [OURS.prepare(with_missing, setting) for setting in settings]
            without, *with_ = take_turns([fit for fit in fits if fit is not None], choice.rounds, choice.budget)
            for setting, run in zip(settings, with_, strict=True):
                leaves = {"leaves": OURS.n_leaves(run.result) or 0, "without": OURS.n_leaves(without.result) or 0}
                label = f"{algorithm}, {setting.missing}"
                yield Row(
                    SECTION, label, whole.shape, setting.depth, 1, "nothing missing", run.timed, without.timed, leaves
                )
