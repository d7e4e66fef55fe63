"""What a tree of a readable size costs: `python -m benchmarks.readable`.

MDLTree with and without size="readable" (at most 20 leaves) on the tables of ../shared/bench, with their ten folds:
67 of classes (sets.py) and 25 of numbers (more.py). For each table it prints the accuracy or R2 over all held-out rows,
and the mean number of leaves; then the mean difference, and how many tables gain and lose.
"""

import argparse
import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn.base import is_regressor
from sklearn.metrics import accuracy_score, r2_score

from treewright import MDLTreeClassifier, MDLTreeRegressor, TreeShapeWarning, UnseenCategoryWarning

SHARED = Path("../shared/bench")
TIE = 5e-4
"""Scores that differ by less than this are equal: in percent they are printed with one digit."""


@dataclass(frozen=True)
class Outcome:
    """Scores on the held-out rows of one table and mean leaves: of the tree as pruned, and of the readable one."""

    name: str
    scores: tuple[float, float]
    leaves: tuple[float, float]

    @property
    def gain(self) -> float:
        """By how much the score of the readable tree is higher."""
        return self.scores[1] - self.scores[0]

    @property
    def is_smaller(self) -> bool:
        """Whether the size changed the tree in any fold."""
        return self.leaves[1] < self.leaves[0]


def open_module(path: Path) -> ModuleType:
    """A module of the folder that loads tables."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(name: str, model: Any, table: tuple[Any, Any], folds: Sequence[Any]) -> Outcome:
    """The scores and leaves on these folds."""
    X, y = table
    actual: list[Any] = []
    predicted: tuple[list[Any], list[Any]] = ([], [])
    leaves = np.zeros((len(folds), 2))
    for k, (train, test) in enumerate(folds):
        whole = model.fit(X.iloc[train], y.iloc[train])
        actual += y.iloc[test].tolist()
        for i, one in enumerate((whole, whole.pruned("auto", size="readable"))):
            predicted[i].extend(one.predict(X.iloc[test]).tolist())
            leaves[k, i] = one.get_n_leaves()
    score = r2_score if is_regressor(model) else accuracy_score
    scores = float(score(actual, predicted[0])), float(score(actual, predicted[1]))
    return Outcome(name, scores, (float(leaves[:, 0].mean()), float(leaves[:, 1].mean())))


def classification(shared: Path, n_folds: int) -> Iterator[Outcome]:
    """Every table with classes."""
    sets = open_module(shared / "sets.py")
    for name in sets.CV_SETS:
        X, y, folds = sets.folds(name)
        yield measure(name, MDLTreeClassifier(), (X, y), folds[:n_folds])


def regression(shared: Path, n_folds: int) -> Iterator[Outcome]:
    """Every table with a numeric target."""
    more = open_module(shared / "more.py")
    for name in more.REGRESSION:
        yield measure(name, MDLTreeRegressor(), more.load(name), more.folds(name)[:n_folds])


def print_table(unit: str, outcomes: Iterator[Outcome]) -> None:
    """A line for each table, and the summary."""
    print(f"{'table':<24} {unit:>9} {'readable':>9} {'leaves':>8} {'readable':>9}")
    found = []
    for one in outcomes:
        found.append(one)
        (score, small), (leaves, few) = one.scores, one.leaves
        print(f"{one.name:<24} {score:>9.4f} {small:>9.4f} {leaves:>8.1f} {few:>9.1f}", flush=True)
    smaller = [one for one in found if one.is_smaller]
    for text, some in ((f"all {len(found)} tables", found), (f"the {len(smaller)} with a smaller tree", smaller)):
        scores, leaves = (np.mean([getattr(one, name) for one in some], axis=0) for name in ("scores", "leaves"))
        won, lost = sum(one.gain > TIE for one in some), sum(one.gain < -TIE for one in some)
        print(
            f"{text}: mean {unit} {scores[0]:.4f} -> {scores[1]:.4f} ({scores[1] - scores[0]:+.4f}), "
            f"leaves {leaves[0]:.1f} -> {leaves[1]:.1f}; {won} gain, {lost} lose, {len(some) - won - lost} equal"
        )


def main(words: Sequence[str] | None = None) -> None:
    """Read the command line and print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readable", description=__doc__)
    parser.add_argument("--shared", type=Path, default=SHARED, help="the folder of sets.py and more.py")
    parser.add_argument("--folds", type=int, default=10, help="how many of the ten folds are used")
    given = parser.parse_args(words)
    if not (given.shared / "sets.py").exists():
        print(f"The tables are not here: {given.shared} has no sets.py; pass their folder with --shared.")
        return
    with catch_warnings():
        for category in (TreeShapeWarning, UnseenCategoryWarning):
            simplefilter("ignore", category)
        print_table("accuracy", classification(given.shared, given.folds))
        print()
        print_table("R2", regression(given.shared, given.folds))


if __name__ == "__main__":
    main()
