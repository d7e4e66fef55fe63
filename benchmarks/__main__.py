"""`python -m benchmarks`: how long Treewright takes beside other programs, and whether its trees are right."""

import argparse
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.bins import bins_rows
from benchmarks.cases import CASES
from benchmarks.choice import Choice
from benchmarks.growth import growth_rows
from benchmarks.importing import import_rows
from benchmarks.limit import limit_rows
from benchmarks.machine import made_with
from benchmarks.memory import memory_rows
from benchmarks.missing_values import missing_rows
from benchmarks.other_programs import other_program_rows
from benchmarks.peers import OTHERS, OURS, SCIKIT_LEARN
from benchmarks.predicting import predict_rows
from benchmarks.pruning import pruning_rows
from benchmarks.rows import HEAD, Row, text_of
from benchmarks.runner import fit_rows
from benchmarks.small import small_rows
from benchmarks.threads import threads_rows

SECTIONS: dict[str, Callable[[Choice], Iterator[Row]]] = {
    **{section: partial(fit_rows, section) for section in CASES},
    "small": small_rows,
    "predict": predict_rows,
    "import": import_rows,
    "bins": bins_rows,
    "beside": other_program_rows,
    "memory": memory_rows,
    "limit": limit_rows,
    "threads": threads_rows,
    "growth": growth_rows,
    "missing": missing_rows,
    "pruning": pruning_rows,
}
STARTED = time.time()
QUICK = 0.05
"""The part of the rows in a smoke test."""


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    usual = Choice()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"sections or parts of case names; sections: {', '.join(SECTIONS)}")
    parser.add_argument("--rounds", type=int, default=usual.rounds, help="timed rounds of a case (default %(default)s)")
    parser.add_argument(
        "--budget", type=float, default=usual.budget, help="CPU seconds of a fit over all its rounds (%(default)s)"
    )
    parser.add_argument("--repeats", type=int, default=usual.repeats, help="rounds of golf, iris (default %(default)s)")
    parser.add_argument("--depth", choices=("8", "full", "both"), default="both")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--data", type=Path, default=usual.data, help="the folder of the real tables (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the rows, two rounds: a smoke test")
    parser.add_argument("--long", action="store_true", help="also the cases that take minutes each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")
    return parser.parse_args(words)


def chosen(options: argparse.Namespace) -> Choice:
    """The command line as a choice of cases."""
    depths: dict[str, tuple[int | None, ...]] = {"8": (8,), "full": (None,), "both": (8, None)}
    numbers = {"rounds": options.rounds, "repeats": options.repeats}
    names = [word for word in options.names if word not in SECTIONS]
    choice = Choice(names, depths[options.depth], options.threads, **numbers)
    choice = replace(choice, sections=[word for word in options.names if word in SECTIONS])
    choice = replace(choice, budget=options.budget, data=options.data, is_long=options.long)
    return replace(choice, rounds=2, repeats=30, fraction=QUICK) if options.quick else choice


def run(section: str, choice: Choice) -> Iterator[Row]:
    """The rows of a section, printed as they come."""
    is_first = True
    for row in SECTIONS[section](choice):
        if is_first:
            print(f"\n{section}\n{HEAD}")
            is_first = False
        print(text_of(row), flush=True)
        yield row


def summary(rows: Sequence[Row]) -> str:
    """How many goals are reached, and whether any tree is wrong."""
    goals = [row.is_met for row in rows if row.is_met is not None]
    wrong = [f"{row.section}: {row.case}: {row.check}" for row in rows if row.is_wrong]
    n_checks = sum(bool(row.check) for row in rows)
    words = f"{len(wrong)} wrong" if wrong else "none wrong"
    return "\n".join([f"{sum(goals)} of {len(goals)} goals are met; {n_checks} checks of trees, {words}.", *wrong])


def taken() -> str:
    """How long this process and those that it started have run: on a busy machine the clock says little."""
    spent = os.times()
    cpu = spent.user + spent.system + spent.children_user + spent.children_system
    return f"{cpu / 60:.1f} minutes of CPU, {(time.time() - STARTED) / 60:.1f} on the clock."


def write(path: Path, about: Mapping[str, str], rows: Sequence[Row]) -> None:
    """All figures up to now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"made_with": about, "rows": [row.to_dict() for row in rows]}, indent=1), "utf-8")


def main(words: Sequence[str] | None = None) -> int:
    """Run the sections that the options name; a wrong tree is an error. What is measured is written as it comes."""
    options = read_arguments(words)
    for peer in OTHERS:
        reason = peer.missing()
        if reason is not None:
            print(f"{peer.NAME} is left out: {reason}")
    about = made_with([OURS, SCIKIT_LEARN, *OTHERS])
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    print("Least CPU time of interleaved rounds; below 1 Treewright is faster. Peers use one thread. With one thread")
    print("the ratio of CPU time is held against the goal, with more that of time on the clock.")
    rows: list[Row] = []
    for section in SECTIONS:
        for row in run(section, chosen(options)):
            rows.append(row)
            if options.json:
                write(options.json, about, rows)
    print(f"\n{summary(rows)}\n{taken()}")
    return int(any(row.is_wrong for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
