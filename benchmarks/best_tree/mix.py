"""`python -m benchmarks.best_tree mix`: the generated table of 100,000 rows, fits interleaved in one run.

In: the command line. Out: for each number of classes a table with a row for each algorithm: accuracy, leaves, log loss
on the last 50,000 rows as means over the seeds, and processor time of the fit beside scikit-learn's.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks.best_tree.algorithms import ALGORITHMS, Algorithm
from benchmarks.best_tree.judge import Score, score
from benchmarks.best_tree.report import table as markdown
from benchmarks.best_tree.report import words_of
from benchmarks.best_tree.tables import Table, mix, mix_part, taken
from benchmarks.timing import take_turns

CHOSEN = ("mdl", "c45-grouped", "c45", "cart", "sklearn")
PEER = "sklearn"
HEAD = ("algorithm", "accuracy", "leaves", "merged", "log loss", "fit CPU-s", "of scikit-learn's")

Found = dict[str, Score]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What this command takes."""
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5], metavar="S", help="of the rows")
    parser.add_argument("--classes", type=int, nargs="+", default=[2, 3], metavar="K", help="how many (default 2 3)")
    parser.add_argument("--algorithms", nargs="+", choices=list(ALGORITHMS), metavar="NAME", default=CHOSEN)
    parser.add_argument("--rounds", type=int, default=2, help="timed fits of each, after one untimed (default 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every figure to this file")


def main(given: argparse.Namespace) -> None:
    """Run all seeds and print a table for each number of classes."""
    every: list[dict[str, Any]] = []
    for n_classes in given.classes:
        found: list[Found] = []
        for seed in given.seeds:
            found.append(run_seed(mix(given.shared, seed, n_classes), given.algorithms, given.rounds))
            every += [
                {"n_classes": n_classes, "seed": seed, "algorithm": name, **asdict(one)}
                for name, one in found[-1].items()
            ]
            if given.json:
                given.json.write_text(json.dumps(every, indent=1), encoding="utf-8")
        seeds = ", ".join(map(str, given.seeds))
        print(f"{n_classes} classes, seeds {seeds}", "", *rows(found), "", sep="\n", flush=True)


def run_seed(table: Table, algorithms: Sequence[str], rounds: int) -> Found:
    """Fit every algorithm in turns, and test the tree of the last round."""
    held = mix_part()[1]
    contestants = [Contestant(ALGORITHMS[name], table) for name in algorithms]
    runs = take_turns([one.fit for one in contestants], rounds)
    return {
        name: score(
            one.model, taken(table.written(one.form), held), table.codes[held], table.n_classes, run.timed.cpu
        )
        for name, one, run in zip(algorithms, contestants, runs, strict=True)
    }


class Contestant:
    """An algorithm with its rows; each fit makes a fresh model and keeps it."""

    def __init__(self, algorithm: Algorithm, table: Table) -> None:
        train = mix_part()[0]
        self.form = algorithm.form
        self.model: Any = None
        self._make = algorithm.make
        self._X, self._codes = taken(table.written(self.form), train), table.codes[train]

    def fit(self) -> int:
        """Fit once; the timing reads a number of leaves, and the score counts them itself."""
        self.model = self._make()
        self.model.fit(self._X, self._codes)
        return 0


def rows(found: Sequence[Found]) -> list[str]:
    """The table: means over the seeds; the ratio is that of the mean times."""
    peer = fmean(one[PEER].seconds for one in found) if PEER in found[0] else None
    lines = []
    for name in found[0]:
        scores = [one[name] for one in found]
        seconds = fmean(s.seconds for s in scores)
        lines.append((
            words_of(name),
            f"{fmean(s.accuracy for s in scores):.4f}",
            f"{fmean(s.n_leaves for s in scores):.0f}",
            f"{fmean(s.n_merged for s in scores):.0f}",
            f"{fmean(s.log_loss for s in scores):.4f}",
            f"{seconds:.2f}",
            "" if peer is None else f"{seconds / peer:.2f}",
        ))  # fmt: skip
    return markdown(HEAD, lines)
