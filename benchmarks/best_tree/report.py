"""The tables of a cross-validation.

In: scores by seed, set and fold. Out: lines of Markdown.
"""

from collections.abc import Sequence
from statistics import fmean, median

from benchmarks.best_tree.algorithms import ALGORITHMS
from benchmarks.best_tree.figures import Difference, difference, ranks, tally
from benchmarks.best_tree.judge import Score
from benchmarks.best_tree.record import Scores

OURS = "mdl"
SIGNIFICANT = 2.0
"""A loss is told of when it is more than this many standard errors."""

BySet = dict[str, dict[str, list[Score]]]
"""The scores of each set and algorithm, fold by fold in the same order for all algorithms."""


def by_set(scores: Scores, algorithms: Sequence[str]) -> tuple[BySet, int]:
    """The cells that all algorithms have been judged in, and how many others there are."""
    found: BySet = {}
    n_left = 0
    for (_, name, _), given in sorted(scores.items()):
        if all(algorithm in given for algorithm in algorithms):
            folds = found.setdefault(name, {algorithm: [] for algorithm in algorithms})
            for algorithm in algorithms:
                folds[algorithm].append(given[algorithm])
        elif any(algorithm in given for algorithm in algorithms):
            n_left += 1
    return found, n_left


def means(folds: BySet, field: str) -> dict[str, dict[str, float]]:
    """The mean of a number over the folds, by set and algorithm."""
    return {
        name: {algorithm: fmean(getattr(score, field) for score in given) for algorithm, given in each.items()}
        for name, each in folds.items()
    }


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table in Markdown; the first column is words, the others numbers."""
    rule = "|---|" + "---:|" * (len(head) - 1)
    return [f"| {' | '.join(row)} |" if row else rule for row in (head, (), *rows)]


def words_of(algorithm: str) -> str:
    """What the table calls an algorithm."""
    return ALGORITHMS[algorithm].words if algorithm in ALGORITHMS else algorithm


def summary(folds: BySet, algorithms: Sequence[str]) -> list[str]:
    """A line for each algorithm, over all sets."""
    accuracy, loss = means(folds, "accuracy"), means(folds, "log_loss")
    leaves, merged = means(folds, "n_leaves"), means(folds, "n_merged")
    rank = {name: ranks(given) for name, given in accuracy.items()}
    head = ("algorithm", "mean accuracy", "mean rank", "median leaves", "merged", "mean log loss", "fit CPU-s")
    rows = []
    for algorithm in algorithms:
        seconds = sum(score.seconds for each in folds.values() for score in each[algorithm])
        rows.append((
            words_of(algorithm),
            f"{fmean(given[algorithm] for given in accuracy.values()):.4f}",
            f"{fmean(given[algorithm] for given in rank.values()):.2f}",
            f"{median(given[algorithm] for given in leaves.values()):.1f}",
            f"{median(given[algorithm] for given in merged.values()):.1f}",
            f"{fmean(given[algorithm] for given in loss.values()):.3f}",
            f"{seconds:.1f}",
        ))  # fmt: skip
    return table(head, rows)


def by_seed(scores: Scores, algorithms: Sequence[str]) -> list[str]:
    """The mean accuracy over the sets for each seed of the folds: how far luck with the folds goes."""
    seeds = sorted({seed for seed, _, _ in scores})
    columns = []
    for seed in seeds:
        folds, _ = by_set({cell: given for cell, given in scores.items() if cell[0] == seed}, algorithms)
        accuracy = means(folds, "accuracy")
        columns.append([f"{fmean(g[a] for g in accuracy.values()):.4f}" if folds else "" for a in algorithms])
    rows = [(words_of(a), *(column[k] for column in columns)) for k, a in enumerate(algorithms)]
    return table(("mean accuracy by seed", *map(str, seeds)), rows)


def against(folds: BySet, algorithms: Sequence[str], ours: str) -> list[str]:
    """Wins and losses of one algorithm against each of the others."""
    accuracy = means(folds, "accuracy")
    mine = [given[ours] for given in accuracy.values()]
    head = ("against", "wins", "losses", "ties", "mean difference", "standard error over sets", "losses beyond 2 SE")
    rows = []
    for other in algorithms:
        if other != ours:
            theirs = [given[other] for given in accuracy.values()]
            whole = difference(mine, theirs)
            counts = [str(n) for n in tally(mine, theirs)]
            n_lost = len(losses(folds, ours, other))
            rows.append((words_of(other), *counts, f"{whole.mean:+.4f}", f"{whole.error:.4f}", str(n_lost)))
    return table(head, rows)


def losses(folds: BySet, ours: str, other: str) -> dict[str, Difference]:
    """The sets where one algorithm is behind another by more than two standard errors of the paired folds."""
    found = {}
    for name, each in folds.items():
        apart = difference([s.accuracy for s in each[ours]], [s.accuracy for s in each[other]])
        if apart.in_errors < -SIGNIFICANT:
            found[name] = apart
    return dict(sorted(found.items(), key=lambda item: item[1].mean))


def lost_sets(folds: BySet, algorithms: Sequence[str], ours: str) -> list[str]:
    """A line for each set and algorithm that ours is significantly behind."""
    accuracy, leaves = means(folds, "accuracy"), means(folds, "n_leaves")
    head = ("set", "against", "ours", "theirs", "difference", "in SE", "in corrected SE", "leaves", "their leaves")
    rows = [
        (
            name,
            words_of(other),
            f"{accuracy[name][ours]:.4f}",
            f"{accuracy[name][other]:.4f}",
            f"{apart.mean:+.4f}",
            f"{apart.in_errors:.1f}",
            f"{apart.in_corrected:.1f}",
            f"{leaves[name][ours]:.0f}",
            f"{leaves[name][other]:.0f}",
        )
        for other in algorithms
        if other != ours
        for name, apart in losses(folds, ours, other).items()
    ]
    return table(head, rows) if rows else ["None."]


def every_set(folds: BySet, algorithms: Sequence[str]) -> list[str]:
    """A line for each set: accuracy and leaves of every algorithm."""
    accuracy, leaves = means(folds, "accuracy"), means(folds, "n_leaves")
    rows = [
        (name, *(f"{accuracy[name][algorithm]:.4f} / {leaves[name][algorithm]:.0f}" for algorithm in algorithms))
        for name in folds
    ]
    return table(("set", *map(words_of, algorithms)), rows)


def report(scores: Scores, algorithms: Sequence[str], per_set: bool) -> list[str]:
    """All tables of a file of scores."""
    folds, n_left = by_set(scores, algorithms)
    if not folds:
        return ["No fold has been judged with all of these algorithms: " + ", ".join(algorithms) + "."]
    n_folds = sum(len(next(iter(each.values()))) for each in folds.values())
    left = f"; {n_left:,} folds with only some of the algorithms are left out" if n_left else ""
    lines = [f"{len(folds)} sets, {n_folds:,} folds{left}.", "", *summary(folds, algorithms)]
    if len({seed for seed, _, _ in scores}) > 1:
        lines += ["", *by_seed(scores, algorithms)]
    if OURS in algorithms:
        lines += ["", f"### {words_of(OURS)} against the others", "", *against(folds, algorithms, OURS)]
        lines += ["", f"### Where {words_of(OURS)} loses by more than two standard errors of the paired folds", ""]
        lines += lost_sets(folds, algorithms, OURS)
    if per_set:
        lines += ["", "### Every set: accuracy / leaves", "", *every_set(folds, algorithms)]
    return lines


def present(scores: Scores, wanted: Sequence[str]) -> list[str]:
    """Those algorithms, in this order, that a file has any score of."""
    known = {algorithm for given in scores.values() for algorithm in given}
    return [algorithm for algorithm in wanted if algorithm in known]


