"""`python -m benchmarks`: how long Treewright takes beside other programs, and whether its trees are right."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.beside import beside_rows
from benchmarks.bins import bins_rows
from benchmarks.cases import CASES
from benchmarks.choice import Choice
from benchmarks.growth import growth_rows
from benchmarks.holes import holes_rows
from benchmarks.importing import import_rows
from benchmarks.limit import limit_rows
from benchmarks.machine import made_with
from benchmarks.memory import memory_rows
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
    "beside": beside_rows,
    "memory": memory_rows,
    "limit": limit_rows,
    "threads": threads_rows,
    "growth": growth_rows,
    "missing": holes_rows,
    "pruning": pruning_rows,
}
QUICK = {"rounds": 2, "repeats": 30, "share": 0.05}


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help=f"sections or parts of case names; sections: {', '.join(SECTIONS)}")
    parser.add_argument("--rounds", type=int, default=5, help="timed rounds of each case (default 5)")
    parser.add_argument("--budget", type=float, default=8.0, help="seconds one fit may take over all rounds (default 8)")
    parser.add_argument("--repeats", type=int, default=300, help="rounds of golf and iris (default 300)")
    parser.add_argument("--depth", choices=("8", "full", "both"), default="both")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the real tables")
    parser.add_argument("--quick", action="store_true", help="a twentieth of the rows, two rounds: a smoke test")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")
    return parser.parse_args(words)


def chosen(asked: argparse.Namespace) -> Choice:
    """The command line as a choice of cases."""
    depths: dict[str, tuple[int | None, ...]] = {"8": (8,), "full": (None,), "both": (8, None)}
    choice = Choice(
        asked.names, depths[asked.depth], asked.threads, asked.rounds, asked.repeats, 1.0, asked.budget, asked.data
    )
    return replace(choice, **QUICK) if asked.quick else choice


def run(choice: Choice) -> Iterator[Row]:
    """Every section, printed as it goes."""
    for section, rows in SECTIONS.items():
        is_first = True
        for row in rows(choice):
            if is_first:
                print(f"\n{section}\n{HEAD}")
                is_first = False
            print(text_of(row), flush=True)
            yield row


def summary(rows: Sequence[Row]) -> str:
    """How many goals are reached, and whether any tree is wrong."""
    goals = [row.is_met for row in rows if row.is_met is not None]
    wrong = [f"{row.section}: {row.case}: {row.check}" for row in rows if row.is_wrong]
    lines = [f"{sum(goals)} of {len(goals)} goals are met; {sum(bool(row.check) for row in rows)} checks of trees,"]
    lines[0] += f" {len(wrong)} wrong." if wrong else " none wrong."
    return "\n".join([*lines, *wrong])


def main(words: Sequence[str] | None = None) -> int:
    """Run what was asked for; a wrong tree is an error."""
    asked = read_arguments(words)
    for peer in OTHERS:
        reason = peer.missing()
        if reason is not None:
            print(f"{peer.NAME} is left out: {reason}")
    about = made_with([OURS, SCIKIT_LEARN, *OTHERS])
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    print("Least CPU time of interleaved rounds; below 1 Treewright is faster. Peers use one thread. With one thread the")
    print("ratio of CPU time is held against the goal, with more that of time on the clock.")
    rows = list(run(chosen(asked)))
    print(f"\n{summary(rows)}")
    if asked.json:
        asked.json.parent.mkdir(parents=True, exist_ok=True)
        figures = {"made_with": about, "rows": [row.to_dict() for row in rows]}
        asked.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    return int(any(row.is_wrong for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())
