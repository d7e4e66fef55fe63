"""`python -m benchmarks.best_tree cross`: ten-fold cross-validation over the real tables.

In: the command line. Out: a line of JSON for each seed, set, fold and algorithm in --out, and the tables of it.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.best_tree.algorithms import ALGORITHMS, USUAL
from benchmarks.best_tree.record import Run, add_file_arguments, read_scores, run
from benchmarks.best_tree.report import present, report
from benchmarks.best_tree.tables import open_loader


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What this command takes."""
    parser.add_argument("--seeds", type=int, nargs="+", metavar="S", help="of the folds (default 0)")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="these sets only")
    names = ", ".join(ALGORITHMS)
    parser.add_argument("--algorithms", nargs="+", choices=list(ALGORITHMS), metavar="NAME", help=names)
    add_file_arguments(parser, "best-tree.jsonl")
    parser.add_argument("--every-set", action="store_true", help="with a table of every set")


def main(given: argparse.Namespace) -> None:
    """Run what is missing, then print the tables."""
    if given.report:
        if not given.report.is_file():
            raise SystemExit(f"There is no {given.report}; run without --report first.")
        show(given, given.report)
        return
    known = open_loader(given.shared, "sets").CV_SETS
    unknown = [name for name in given.sets or () if name not in known]
    if unknown:
        raise SystemExit(f"--sets {unknown[0]} is not one of the sets of sets.py: {', '.join(known)}.")
    wanted = Run(given.shared, given.algorithms or USUAL, given.sets or known, given.seeds or [0])
    run(wanted, given.out, given.jobs, given.again)
    show(given, given.out)


def show(given: argparse.Namespace, path: Path) -> None:
    """The tables of those algorithms, sets and seeds that were selected."""
    scores = {
        (seed, name, fold): found
        for (seed, name, fold), found in read_scores(path).items()
        if (not given.sets or name in given.sets) and (not given.seeds or seed in given.seeds)
    }
    algorithms: Sequence[str] = present(scores, given.algorithms or USUAL)
    print(*report(scores, algorithms, given.every_set), sep="\n")
