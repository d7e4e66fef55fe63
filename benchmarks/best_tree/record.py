"""A file of scores that grows while a run goes on, one line of JSON each.

In: which algorithms on which sets and seeds. Out: the same file, with what was missing in it. A run can be stopped at
any time: what is written is not done again.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from joblib import Parallel, delayed

from benchmarks.best_tree.ablation_rows import ABLATION
from benchmarks.best_tree.algorithms import ALGORITHMS
from benchmarks.best_tree.judge import Score, judge
from benchmarks.best_tree.tables import MIX, N_FOLDS, parts

Cell = tuple[int, str, int]
"""A seed, a set, a fold."""
Scores = dict[Cell, dict[str, Score]]
"""The score of each algorithm, by its name, in each cell."""


@dataclass(frozen=True, slots=True)
class Run:
    """What is wanted: the scores of some algorithms on the folds that some seeds make of some sets."""

    folder: Path
    algorithms: Sequence[str]
    sets: Sequence[str]
    seeds: Sequence[int]

    def cells(self) -> Iterator[Cell]:
        """All cells; each set with all its folds, so that it is read once."""
        for seed in self.seeds:
            for name in self.sets:
                for fold in range(1 if name == MIX else N_FOLDS):
                    yield seed, name, fold


def add_file_arguments(parser: argparse.ArgumentParser, name: str) -> None:
    """What a command takes that keeps its scores in a file."""
    parser.add_argument("--out", type=Path, default=Path(name), help=f"where scores are added (default {name})")
    parser.add_argument("--again", action="store_true", help="do also what is there already; the later counts")
    parser.add_argument("--jobs", type=int, default=1, help="folds at a time (default 1)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="only print the tables of this file")


def read_scores(path: Path) -> Scores:
    """What is in a file; of two scores of the same algorithm in the same cell the later counts."""
    found: Scores = {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            # A run that was stopped may have left half a line.
            if line.endswith("}"):
                given = json.loads(line)
                cell = (int(given.pop("seed")), str(given.pop("set")), int(given.pop("fold")))
                algorithm = str(given.pop("algorithm"))
                found.setdefault(cell, {})[algorithm] = Score(**given)
    return found


def lines(cell: Cell, scores: Mapping[str, Score]) -> str:
    """The scores of a cell as they are written."""
    seed, name, fold = cell
    opening = {"seed": seed, "set": name, "fold": fold}
    return "".join(
        json.dumps({**opening, "algorithm": algorithm, **asdict(score)}) + "\n" for algorithm, score in scores.items()
    )


def run_cell(folder: Path, cell: Cell, algorithms: Sequence[str]) -> tuple[Cell, dict[str, Score]]:
    """Judge some algorithms on one fold."""
    seed, name, fold = cell
    table, found = parts(folder, name, seed)
    known = ALGORITHMS | ABLATION
    return cell, {algorithm: judge(known[algorithm], table, found[fold]) for algorithm in algorithms}


def run(wanted: Run, path: Path, n_jobs: int, again: bool) -> Scores:
    """Do what is not in the file yet (or all of it once more) and write it there, cell by cell."""
    done = {} if again else read_scores(path)
    missing = {cell: [a for a in wanted.algorithms if a not in done.get(cell, {})] for cell in wanted.cells()}
    tasks = (delayed(run_cell)(wanted.folder, cell, names) for cell, names in missing.items() if names)
    broken = path.exists() and not path.read_bytes().endswith(b"\n") and path.stat().st_size > 0
    with path.open("a", encoding="utf-8") as out:
        out.write("\n" if broken else "")
        for cell, scores in Parallel(n_jobs, return_as="generator_unordered")(tasks):
            out.write(lines(cell, scores))
            out.flush()
    return read_scores(path)
