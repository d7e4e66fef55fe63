"""What each fast path saves: CPU time without it, beside that with all of them.

In: nothing, or names of paths, --rows and --data. Out: a table on standard output, a line for each fast path: how many
times as long a fit or a prediction takes without it, on each of the tables; with --data also on the real ones. A path
that saves less than a tenth anywhere does not justify its lines. Threads save time on the clock, not CPU time: see
`python -m benchmarks threads`.

    python -m benchmarks.paths --rows 50000 "coded columns" pairs
"""

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.peers import Setting
from benchmarks.peers.ours import make
from benchmarks.real import NAMES, real
from benchmarks.tables import Table, floats, golf, integers, iris, mixed, regression, with_missing
from benchmarks.timing import Fit, take_turns
from treewright.fast_paths import FAST_PATHS, without_fast_paths

ON_THE_CLOCK = ("threads", "threads of prediction", "folds side by side")
PREDICTION = ("few rows", "few objects", "rows side by side")
NOTHING = "plain (none of them)"
"""The line of all paths switched off."""

TABLES: dict[str, Callable[[int], Table]] = {
    "floats, 2": lambda n: floats(n, 2),
    "floats, 7": lambda n: floats(n, 7),
    "whole, 2": lambda n: integers(n, 100, 2),
    "whole, 7": lambda n: integers(n, 100, 7),
    "mixed, 2": lambda n: mixed(n, 2),
    "mixed, 7": lambda n: mixed(n, 7),
    "missing, 2": lambda n: with_missing(n, 2),
    "missing, 7": lambda n: with_missing(n, 7),
    "number": regression,
    "golf": lambda _: golf(),
    "iris": lambda _: iris(),
}
SETTINGS = {"CART": Setting(), "CART, depth 8": Setting(max_depth=8), "C4.5": Setting("C4.5")}
BATCHES = {"1 row": 1, "50 rows": 50, "all rows": None}


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", metavar="PATH", help="fast paths to switch off (all of them, one by one)")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--data", type=Path, help="folder of the real tables")
    given = parser.parse_args()
    names = given.paths or [name for name in FAST_PATHS if name not in ON_THE_CLOCK]
    growth, prediction = ([n for n in names if (n in PREDICTION) == is_prediction] for is_prediction in (False, True))
    drawn = {name: draw(given.rows) for name, draw in TABLES.items()}
    cases = drawn if given.data is None else drawn | {name: real(given.data, name) for name in NAMES}
    for title, setting in SETTINGS.items():
        able = {name: table for name, table in cases.items() if title != "C4.5" or not table.is_regression}
        fits = {name: _fit(table, setting) for name, table in able.items()}
        _print(f"{title}, fit", [*growth, NOTHING], fits, given.rounds)
    for title, n_rows in BATCHES.items():
        fits = {name: _predict(table, n_rows) for name, table in drawn.items()}
        _print(f"CART, predict {title}", [*prediction, NOTHING], fits, given.rounds)
    fits = {name: _predict(table, 1, lambda rows: rows.tolist()) for name, table in drawn.items()}
    _print("CART, predict 1 row, a list", [*prediction, NOTHING], fits, given.rounds)


def _fit(table: Table, setting: Setting) -> Fit:
    repeats = range(max(1, 2_000 // len(table.target)))  # a fit of a small table alone is too short to be timed
    return lambda: [make(table, setting).fit(table.given, table.target) for _ in repeats]


def _predict(table: Table, n_rows: int | None, form: Callable[[Any], Any] = lambda rows: rows) -> Fit:
    model: Any = make(table, Setting()).fit(table.given, table.target)
    rows = form(table.values[:n_rows])
    repeats = range(1 if n_rows is None else 200)
    return lambda: [model.predict(rows) for _ in repeats]


def _without(name: str) -> AbstractContextManager[None]:
    return without_fast_paths() if name == NOTHING else without_fast_paths(name)


def _switched(fit: Fit, setting: Callable[[], AbstractContextManager[None]]) -> Fit:
    def run() -> Any:
        with setting():
            return fit()

    return run


def _print(title: str, names: list[str], fits: dict[str, Fit], rounds: int) -> None:
    """A line for each path: CPU time without it over that with all, the least of some rounds that take turns."""
    print(f"\n## {title}: times as long without\n\n| fast path | {' | '.join(fits)} |")
    print("|---" * (len(fits) + 1) + "|")
    found: dict[str, list[str]] = {name: [] for name in names}
    for fit in fits.values():
        switched = [_switched(fit, partial(_without, name)) for name in names]
        base, *others = take_turns([_switched(fit, nullcontext), *switched], rounds)
        for name, run in zip(names, others, strict=True):
            found[name].append(f"{run.timed.cpu / base.timed.cpu:.2f}")
    for name, cells in found.items():
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
