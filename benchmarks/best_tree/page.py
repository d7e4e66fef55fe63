"""`python -m benchmarks.best_tree page`: the page of figures, from the files that the other commands have written.

In: the scores of `mix`, `cross` and `ablation`. Out: one page of Markdown.
"""

import argparse
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from textwrap import wrap

from benchmarks.best_tree.ablation import SETS
from benchmarks.best_tree.ablation import rows as ablation_rows
from benchmarks.best_tree.ablation_rows import CHANGES, CUMULATIVE
from benchmarks.best_tree.algorithms import N_ALPHAS, USUAL
from benchmarks.best_tree.judge import Score
from benchmarks.best_tree.mix import Found
from benchmarks.best_tree.mix import rows as mix_rows
from benchmarks.best_tree.record import read_scores
from benchmarks.best_tree.report import present, report

OPENING = (
    "Measured {day} by `python -m benchmarks.best_tree`, whose commands `mix`, `cross` and `ablation` write "
    "their scores to files and whose command `page` makes this page from them. Processor time of the fit, one "
    "thread: our trees read a frame within it, for scikit-learn the categories have become the numbers of "
    "their levels before, and NaN where a value is missing. *Merged* counts sibling leaves of one decision "
    "once. Log loss is in nats, with probabilities of at least 1e-15."
)
MIX = (
    "Eight categories of 3 to 50 levels, eight numbers, 5 % of the cells missing; 100,000 rows train and "
    "50,000 test. Means over the seeds; the fits take turns in one process, and the best of its rounds "
    "counts for each."
)
CROSS = (
    "Ten-fold cross-validation on real tables; several seeds are several assignments of rows to folds. Means and "
    "ranks (1 is best, ties averaged) count every set once; leaves are the median over the sets. "
    f"scikit-learn's cost-complexity takes the best of at most {N_ALPHAS} alphas by ten-fold "
    "cross-validation within the training rows; each inner tree is grown once and cut for every alpha, "
    "which is cheaper than a fit for each. A loss is listed when it is more than two standard errors of "
    "the paired differences of the folds. Folds share training rows, so that this error is too small and "
    "flags too much; the corrected one is Nadeau and Bengio's (2003)."
)
ABLATION = (
    "Accuracy / leaves (merged leaves, where these are fewer). `mix` is seed 1 with two classes, the others "
    "are ten-fold cross-validation with seed 0. In the first table each row has one part more than the one "
    "above it, from C4.5 with grouped values on; then two groups always in place of the merged ones; MDLTree "
    "itself has other limits of pruning besides. In the second table one part of it is changed."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What this command takes."""
    for command in ("mix", "cross", "ablation"):
        parser.add_argument(
            f"--{command}", type=Path, required=True, metavar="FILE", help=f"what `{command}` has written"
        )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the page")


def main(given: argparse.Namespace) -> None:
    """Write the page."""
    for path in (given.mix, given.cross, given.ablation):
        if not path.is_file():
            raise SystemExit(f"There is no {path}; run the command that writes it first.")
    given.out.write_text("\n".join(page(given)) + "\n", encoding="utf-8")


def page(given: argparse.Namespace) -> list[str]:
    """All lines of the page."""
    cross, ablation = read_scores(given.cross), read_scores(given.ablation)
    latest = max(path.stat().st_mtime for path in (given.mix, given.cross, given.ablation))
    lines = ["# MDLTree measured", "", *words(OPENING.format(day=datetime.fromtimestamp(latest, UTC).date()))]
    lines += ["## The generated table", "", *words(MIX)]
    for n_classes, (seeds, found) in read_mix(given.mix).items():
        lines += [f"{n_classes} classes, seeds {', '.join(map(str, seeds))}:", "", *mix_rows(found), ""]
    lines += ["## Real tables", "", *words(CROSS), *report(cross, present(cross, USUAL), per_set=True), ""]
    lines += ["## What buys what", "", *words(ABLATION)]
    lines += [*ablation_rows(ablation, list(CUMULATIVE), SETS), "", "One part changed:", ""]
    return [*lines, *ablation_rows(ablation, ["MDLTree", *CHANGES], SETS)]


def words(text: str) -> list[str]:
    """A paragraph."""
    return [*wrap(text, 120, break_on_hyphens=False), ""]


def read_mix(path: Path) -> dict[int, tuple[Sequence[int], list[Found]]]:
    """By the number of classes: the seeds, and the scores of each."""
    by_seed: dict[int, dict[int, Found]] = {}
    for given in json.loads(path.read_text(encoding="utf-8")):
        n_classes, seed, algorithm = given.pop("n_classes"), given.pop("seed"), given.pop("algorithm")
        by_seed.setdefault(n_classes, {}).setdefault(seed, {})[algorithm] = Score(**given)
    return {n_classes: (list(seeds), list(seeds.values())) for n_classes, seeds in by_seed.items()}
