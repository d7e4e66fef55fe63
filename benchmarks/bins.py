"""Trees on bins: `max_bins=255`, one tree of 255 leaves, beside the programs that only have such trees.

In: the options of the run. Out: Rows for our tree on bins beside each peer, with the accuracy (for a number
R^2) on rows
that were held out, of the exact tree of as many leaves as well. One thread each; making their datasets is in the time.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from benchmarks.choice import Choice
from benchmarks.peers import OTHERS, OURS, Peer, Setting
from benchmarks.peers.ours import make
from benchmarks.rows import Row
from benchmarks.same import same_in_three_runs
from benchmarks.tables import Table, floats, mixed, regression
from benchmarks.timing import Run, take_turns

SECTION = "bins"
EXACT = Setting(max_leaves=255)
BINNED = replace(EXACT, max_bins=255)
GOALS = {"LightGBM": 0.5}
N_TRAINING, N_HELD = 500_000, 100_000
CASES: dict[str, Callable[[int], Table]] = {
    "floats, 2 classes": lambda n: floats(n, 2),
    "mixed, 2 classes": lambda n: mixed(n, 2),
    "regression": regression,
}


def bins_rows(choice: Choice) -> Iterator[Row]:
    """Each table; without the parameter only the exact tree is shown."""
    peers = [peer for peer in OTHERS if peer.missing() is None]
    has_bins = True
    for name, draw in CASES.items():
        if not choice.wants(SECTION, name):
            continue
        n_training, n_held = int(N_TRAINING * choice.fraction), int(N_HELD * choice.fraction)
        table = draw(n_training + n_held)
        has_bins = "max_bins" in make(table, EXACT).get_params()
        yield from _one(name, table, n_training, peers, has_bins, choice)
    if not has_bins:
        print("max_bins is left out: the estimators have no such parameter yet")


def _one(
    name: str, table: Table, n_training: int, peers: list[Peer], has_bins: bool, choice: Choice
) -> Iterator[Row]:
    training, held = table.take(slice(n_training)), table.take(slice(n_training, None))
    settings = [EXACT, *([BINNED] if has_bins else [])]
    pairs = [(OURS, setting, OURS.prepare(training, setting)) for setting in settings]
    pairs += [(peer, BINNED, peer.prepare(training, BINNED)) for peer in peers]
    able = [(peer, setting, fit) for peer, setting, fit in pairs if fit is not None]
    runs = take_turns([fit for _, _, fit in able], choice.rounds, choice.budget)
    mine, others = runs[: len(settings)], list(zip(able, runs, strict=True))[len(settings) :]
    for setting, run in zip(settings, mine, strict=True):
        yield from _rows(name, setting, run, others, _figures(run.result, held), training, choice)


def _figures(model: Any, held: Table) -> dict[str, float]:
    """How good the tree is on rows that it has not seen."""
    return {"R^2" if held.is_regression else "accuracy": float(model.score(held.given, held.target))}


def _rows(
    name: str, setting: Setting, mine: Run, others: list[Any], score: dict[str, float], table: Table, choice: Choice
) -> Iterator[Row]:
    is_binned = setting.max_bins is not None
    verdict = same_in_three_runs(table, setting, {1: mine.result}) if is_binned else ""
    label = f"{name}, {'max_bins=255' if is_binned else 'exact'}"
    for (peer, _, _), run in others:
        figures = {**score, "leaves": OURS.n_leaves(mine.result) or 0, "theirs": peer.n_leaves(run.result) or 0}
        goal = GOALS.get(peer.NAME) if is_binned and choice.fraction == 1 else None
        yield Row(
            SECTION, label, table.shape, "", 1, peer.NAME, mine.timed, run.timed, figures, goal, check=verdict
        )
    if not others:
        yield Row(SECTION, label, table.shape, ours=mine.timed, figures=score, check=verdict)
