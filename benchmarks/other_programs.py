"""Treewright beside every other program that is installed.

In: the options of the run. Out: a Row for each table and program; one thread each. Their trees are not ours:
each grows what
it grows by default on that table with those bounds, so the leaves of both are shown.
"""

from collections.abc import Iterator

from benchmarks.choice import Choice
from benchmarks.peers import OTHERS, OURS, SCIKIT_LEARN, Setting
from benchmarks.rows import Row
from benchmarks.tables import floats, mixed, regression, sized, with_missing
from benchmarks.timing import take_turns

SECTION = "beside"
CASES = {
    "CART, floats, 2 classes, depth 8": (sized(floats, 100_000, 2), Setting(max_depth=8)),
    "CART, floats, 2 classes, full": (sized(floats, 100_000, 2), Setting()),
    "CART, floats, 7 classes, full": (sized(floats, 100_000, 7), Setting()),
    "CART, regression, depth 8": (sized(regression, 100_000), Setting(max_depth=8)),
    "CART, mixed, 2 classes, depth 8": (sized(mixed, 100_000, 2), Setting(max_depth=8)),
    "C4.5 pruned, floats": (sized(floats, 20_000, 2), Setting("C4.5", pruned=True)),
    "C4.5 pruned, mixed, missing": (sized(with_missing, 20_000, 2), Setting("C4.5", pruned=True)),
}


def other_program_rows(choice: Choice) -> Iterator[Row]:
    """Each table by each program that has such a tree."""
    peers = [peer for peer in (OURS, SCIKIT_LEARN, *OTHERS) if peer.missing() is None]
    for name, (draw, setting) in CASES.items():
        if not choice.wants(SECTION, name):
            continue
        table = draw(choice.fraction)
        pairs = [(peer, peer.prepare(table, setting)) for peer in peers]
        able = [(peer, fit) for peer, fit in pairs if fit is not None]
        runs = take_turns([fit for _, fit in able], choice.rounds, choice.budget)
        mine = runs[0]
        for (peer, _), run in zip(able[1:], runs[1:], strict=True):
            leaves = {"leaves": OURS.n_leaves(mine.result), "theirs": peer.n_leaves(run.result)}
            known = {who: float(n) for who, n in leaves.items() if n is not None}
            yield Row(SECTION, name, table.shape, setting.depth, 1, peer.NAME, mine.timed, run.timed, known)
