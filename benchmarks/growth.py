"""`python -m benchmarks.growth`: how the time of a fit grows with rows, columns, classes, categories and depth.

In: the options of the run. Out: Rows, one for each size of each axis, with scikit-learn beside it, and one
with the exponent
of each curve: the slope of the line through the points in a log-log picture. 1 is linear, 2 would be quadratic.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.choice import Choice
from benchmarks.growth_axes import AXES, Axis
from benchmarks.peers import OURS, SCIKIT_LEARN
from benchmarks.rows import Row
from benchmarks.timing import Timed, take_turns

SECTION = "growth"
LONGEST = 12.0
"""Seconds; after a fit that took longer, a curve ends."""
ROUNDS, BUDGET = 3, 3.0


def growth_rows(choice: Choice) -> Iterator[Row]:
    """Every axis: its points as they come, then its slopes."""
    for axis in AXES:
        if choice.wants(SECTION, axis.name):
            points = list(_points(axis, choice))
            yield from points
            yield _slopes(axis, points)


def _points(axis: Axis, choice: Choice) -> Iterator[Row]:
    """One Row for each size, as long as the fits are short enough."""
    running = {OURS.NAME: OURS}
    if axis.has_peer:
        running[SCIKIT_LEARN.NAME] = SCIKIT_LEARN
    most = axis.sizes[max(2, round(len(axis.sizes) * choice.fraction)) - 1] if choice.fraction < 1 else max(axis.sizes)
    for size in axis.sizes:
        if size > most or OURS.NAME not in running:
            break
        table, setting = axis.draw(size)
        fits = {name: peer.prepare(table, setting) for name, peer in running.items()}
        able = {name: fit for name, fit in fits.items() if fit is not None}
        runs = take_turns(list(able.values()), ROUNDS, BUDGET)
        timed = {name: run.timed for name, run in zip(able, runs, strict=True)}
        for name, found in timed.items():
            if found.wall > LONGEST:
                del running[name]
        ours, theirs = timed[OURS.NAME], timed.get(SCIKIT_LEARN.NAME)
        yield Row(SECTION, axis.name, table.shape, setting.depth, 1, "", ours, theirs, {"size": size})


def _slopes(axis: Axis, points: Sequence[Row]) -> Row:
    """The exponents of both curves; `last` is that of the last two points of ours, where fixed costs count least."""
    sizes = [row.figures["size"] for row in points]
    figures = {"exponent": slope(sizes, [row.ours for row in points])}
    figures["last"] = slope(sizes[-2:], [row.ours for row in points[-2:]])
    theirs = [(size, row.theirs) for size, row in zip(sizes, points, strict=True) if row.theirs is not None]
    if len(theirs) > 1:
        figures["scikit-learn"] = slope([size for size, _ in theirs], [timed for _, timed in theirs])
    return Row(SECTION, f"{axis.name}: exponent", "", figures=figures)


def slope(sizes: Sequence[float], times: Sequence[Timed | None]) -> float:
    """The slope of the line of least squares through the logarithms.

    >>> both = [Timed(x**1.5, 1.0, 1.0, 1) for x in (1.0, 10.0, 100.0)]
    >>> round(slope([1, 10, 100], both), 9)
    1.5
    """
    seconds = [timed.cpu for timed in times if timed is not None]
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def main(words: Sequence[str] | None = None) -> int:
    """Measure, write the figures and draw them."""
    from benchmarks.picture import draw
    from benchmarks.rows import HEAD, text_of

    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--json", type=Path, default=Path("build/growth.json"), help="where the figures go")
    parser.add_argument("--picture", type=Path, default=Path("docs/pictures/speed-growth.png"))
    parser.add_argument("--fraction", type=float, default=1.0, help="the part of the sizes of each axis (default 1)")
    given = parser.parse_args(words)
    print(HEAD)
    rows = []
    for row in growth_rows(Choice(fraction=given.fraction)):
        print(text_of(row), flush=True)
        rows.append(row.to_dict())
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(json.dumps({"rows": rows}, indent=1), encoding="utf-8")
    draw(rows, given.picture)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
