"""`python -m benchmarks.best_tree ablation`: what each part of the tree buys, as accuracy / leaves.

In: the command line. Out: two tables, from C4.5 with grouped values part by part to MDLTree, and MDLTree with one part
changed: on "mix" (seed 1: 100,000 rows train, 50,000 test) and by ten-fold cross-validation
(the folds of sets.py) on real tables. In brackets the leaves when sibling leaves of one decision count once, where
these are fewer.
"""

import argparse
from collections.abc import Sequence

from benchmarks.best_tree.ablation_rows import ABLATION, CHANGES, CUMULATIVE
from benchmarks.best_tree.record import Run, Scores, add_file_arguments, read_scores, run
from benchmarks.best_tree.report import by_set, means, present, table
from benchmarks.best_tree.tables import MIX

SETS = (MIX, "adult", "credit_g", "churn", "nursery")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What this command takes."""
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="NAME", help=f"(default {' '.join(SETS)})")
    parser.add_argument("--rows", nargs="+", choices=list(ABLATION), metavar="ROW", help="; ".join(ABLATION))
    add_file_arguments(parser, "ablation.jsonl")


def main(given: argparse.Namespace) -> None:
    """Run what is missing, then print the tables."""
    if given.report is None:
        chosen = given.rows or list(ABLATION)
        mixed = [name for name in given.sets if name == MIX]
        real = [name for name in given.sets if name != MIX]
        # The seed of "mix" makes its rows, that of a real table its folds: 1 and 0 are those of the reference.
        run(Run(given.shared, chosen, mixed, (1,)), given.out, given.jobs, given.again)
        run(Run(given.shared, chosen, real, (0,)), given.out, given.jobs, given.again)
    scores = read_scores(given.report or given.out)
    print("Cumulative", "", *rows(scores, list(CUMULATIVE), given.sets), "", sep="\n")
    print("One change", "", *rows(scores, ["MDLTree", *CHANGES], given.sets), sep="\n")


def rows(scores: Scores, wanted: Sequence[str], sets: Sequence[str]) -> list[str]:
    """A line for each row of the ablation: accuracy / leaves on each set, as far as it has been judged there."""
    lines = []
    for name in present(scores, wanted):
        folds, _ = by_set(scores, [name])
        accuracy = means(folds, "accuracy")
        leaves, merged = means(folds, "n_leaves"), means(folds, "n_merged")
        cells = [
            cell(accuracy[s][name], leaves[s][name], merged[s][name]) if s in folds else "" for s in sets
        ]
        lines.append((name, *cells))
    return table(("", *sets), lines)


def cell(accuracy: float, n_leaves: float, n_merged: float) -> str:
    """A cell of the table.

    >>> cell(0.87865, 485.2, 273.0)
    '0.8787 / 485 (273)'
    """
    less = f" ({n_merged:.0f})" if round(n_merged) < round(n_leaves) else ""
    return f"{accuracy:.4f} / {n_leaves:.0f}{less}"
