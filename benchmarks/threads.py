"""`python -m benchmarks.threads`: two threads beside one, from a hundred rows to a million.

In: the options of the run. Out: Rows whose peer is the same fit on one thread; time on the clock. A ratio
above 1, beyond
what a busy machine does by itself, would be a reason not to use threads.
"""

from collections.abc import Callable, Iterator

from benchmarks.choice import Choice
from benchmarks.peers import OURS, Setting
from benchmarks.rows import HEAD, Row, text_of
from benchmarks.same import prints, same
from benchmarks.tables import Table, floats, mixed, regression
from benchmarks.timing import take_turns

SECTION = "threads"
SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
NOISE = 1.1
"""What a ratio of two equal fits may come to on a shared machine."""
CELLS = 10_000_000
"""A fit is repeated until about so many cells were read, within bounds: the small ones are over in no time."""
CASES: dict[str, Callable[[int], Table]] = {
    "floats, 2 classes": lambda n: floats(n, 2),
    "regression": regression,
    "mixed, 2 classes": lambda n: mixed(n, 2),
}


def threads_rows(choice: Choice) -> Iterator[Row]:
    """Each table at each size, full trees."""
    for name, draw in CASES.items():
        if not choice.wants(SECTION, name):
            continue
        for n_rows in SIZES:
            if n_rows > max(SIZES) * choice.fraction:
                continue
            table = draw(n_rows)
            fits = [OURS.prepare(table, Setting(n_jobs=n)) for n in (2, 1)]
            rounds = min(max(CELLS // table.values.size, choice.rounds), 40 * choice.rounds)
            two, one = take_turns([fit for fit in fits if fit is not None], rounds, choice.budget)
            verdict = same({"1 thread": prints(one.result), "2 threads": prints(two.result)})
            yield Row(
                SECTION, name, table.shape, "full", 2, "1 thread", two.timed, one.timed, goal=NOISE, check=verdict
            )


def main() -> int:
    """Print all rows."""
    print(HEAD)
    for row in threads_rows(Choice()):
        print(text_of(row), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
