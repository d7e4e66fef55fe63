"""Whether a tree on numbers is the exact one: ours and scikit-learn's are walked together from the root.

In: both trees and the table they were grown on. Out: a Verdict.

Level by level every row is sent down both trees. Where both split on the same column and divide the rows of the node
alike, the walk goes on. Where they do not, three things may explain it, and nothing else:

  tie    both splits have the same gain; scikit-learn takes one of them by chance
  near   our cut lies between two values that scikit-learn takes for one (nearer than 1e-7 in float32)
  zero   one tree has a leaf where the split of the other gains nothing: a tie with not splitting

Splits of different columns that divide the rows into the same two parts are a tie below which the walk goes on; below
all others the rows differ, and it ends. Counts and class counts of our nodes are compared on the way.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.tables import Table
from treewright.model.tree import Tree

SAME_GAIN = 1e-9
"""Gains are the same up to this part of them."""
ROUNDING = 1e-12
"""What a sum of squares in float64 may be off, as a part of it: gains are small differences of such sums."""
NEAR = np.float32(1e-7)
"""scikit-learn's FEATURE_THRESHOLD: values that are nearer are one value to it."""


@dataclass(slots=True)
class Verdict:
    """What the walk met."""

    n_nodes: int
    n_walked: int = 0
    n_ties: int = 0
    n_near: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def is_exact(self) -> bool:
        return not self.wrong

    def __str__(self) -> str:
        if self.wrong:
            return f"DIFFERS {self.wrong[0]}" + (f" and {len(self.wrong) - 1} more" if self.wrong[1:] else "")
        met = [f"{self.n_ties:,} tie{'s' * (self.n_ties != 1)}"] if self.n_ties else []
        met += [f"{self.n_near:,} finer"] if self.n_near else []
        met += [f"{self.n_walked / self.n_nodes:.0%} of {self.n_nodes:,} nodes"]
        return f"exact ({', '.join(met)})"


@dataclass(frozen=True, slots=True)
class _Level:
    """Pairs of nodes that are reached by the same rows: ours, theirs, the rows, and the pair of each row."""

    ours: NDArray[np.intp]
    theirs: NDArray[np.intp]
    rows: NDArray[np.intp]
    pair: NDArray[np.intp]


def compare(ours: Tree, theirs: Any, table: Table) -> Verdict:
    """Walk both trees together; `theirs` is the `tree_` of scikit-learn."""
    verdict = Verdict(ours.n_nodes)
    target = table.target if table.is_regression else np.unique(table.target, return_inverse=True)[1]
    n_rows = len(target)
    root = np.zeros(1, dtype=np.intp)
    level: _Level | None = _Level(root, root, np.arange(n_rows), np.zeros(n_rows, dtype=np.intp))
    while level is not None:
        level = _step(level, ours, theirs, (table.values, target), verdict)
    return verdict


def _step(level: _Level, ours: Tree, theirs: Any, data: tuple[Any, Any], verdict: Verdict) -> _Level | None:
    """Judge the pairs of one level; the pairs of the next, None when there are none."""
    values, target = data
    y, pair, n_pairs = target[level.rows], level.pair, len(level.ours)
    verdict.n_walked += n_pairs
    wrong_count = _wrong_counts(ours, level, y)
    splits = ours.first_child[level.ours] >= 0, theirs.children_left[level.theirs] >= 0
    columns = ours.column[level.ours], theirs.feature[level.theirs]
    cuts = ours.threshold[level.ours], theirs.threshold[level.theirs]
    mine, other = (
        values[level.rows, np.where(split, column, 0)[pair]] > np.where(split, cut, np.inf)[pair]
        for split, column, cut in zip(splits, columns, cuts, strict=True)
    )
    n_apart = np.bincount(pair[mine != other], minlength=n_pairs)
    is_mirrored = n_apart == np.bincount(pair, minlength=n_pairs)
    goes_on = splits[0] & splits[1] & ((n_apart == 0) | is_mirrored)
    open_ = (splits[0] | splits[1]) & ~(goes_on & (columns[0] == columns[1]))
    if open_.any():
        _explain(level, open_, (mine, other), data, ours, verdict)
    verdict.wrong += [f"at node {level.ours[p]}: its counts are not those of its rows" for p in wrong_count]
    return _children(level, (ours, theirs), goes_on, is_mirrored, mine)


def _explain(
    level: _Level, open_: Any, sides: tuple[Any, Any], data: tuple[Any, Any], ours: Tree, verdict: Verdict
) -> None:
    """Find the reason for every pair that splits its rows differently, or note that there is none."""
    values, target = data
    doubtful = open_[level.pair]
    rows, pair = level.rows[doubtful], level.pair[doubtful]
    (gain, total), (their_gain, _) = (
        _gains(target[rows], pair, side[doubtful], len(level.ours)) for side in sides
    )
    slack = SAME_GAIN * np.maximum(gain, their_gain) + ROUNDING * total
    is_tie = np.abs(gain - their_gain) <= slack
    verdict.n_ties += int(np.count_nonzero(open_ & is_tie))
    rest = ~is_tie[pair]
    rows, pair = rows[rest], pair[rest]
    for p in np.flatnonzero(open_ & ~is_tie):
        node = level.ours[p]
        column, cut = ours.column[node], ours.threshold[node]
        if gain[p] > their_gain[p] and _is_near(values[rows[pair == p], column], cut):
            verdict.n_near += 1
        else:
            verdict.wrong.append(f"at node {node}: gain {gain[p]:.12g}, theirs {their_gain[p]:.12g}")


def _children(level: _Level, trees: tuple[Tree, Any], goes_on: Any, is_mirrored: Any, side: Any) -> _Level | None:
    ours, theirs = trees
    going = np.flatnonzero(goes_on)
    if not len(going):
        return None
    place = np.full(len(level.ours), -1)
    place[going] = np.arange(len(going))
    stays = goes_on[level.pair]
    first = ours.first_child[level.ours[going]]
    both = np.column_stack([theirs.children_left[level.theirs[going]], theirs.children_right[level.theirs[going]]])
    both[is_mirrored[going]] = both[is_mirrored[going], ::-1]
    return _Level(
        np.column_stack([first, first + 1]).ravel(),
        both.ravel(),
        level.rows[stays],
        2 * place[level.pair[stays]] + side[stays],
    )


def _gains(y: Any, pair: Any, side: Any, n_pairs: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What the division of each pair takes off its sum of squared errors (Gini: times n), and that sum's scale."""
    n = np.bincount(pair, minlength=n_pairs).astype(np.float64)
    n_high = np.bincount(pair, weights=side, minlength=n_pairs)
    n_low = n - n_high
    is_split = (n_low > 0) & (n_high > 0)
    indicators = [y] if y.dtype == np.float64 else [(y == k).astype(np.float64) for k in range(int(y.max()) + 1)]
    gain, total = np.zeros(n_pairs), np.zeros(n_pairs)
    for one in indicators:
        mean = np.bincount(pair, weights=one, minlength=n_pairs) / np.maximum(n, 1)
        # Deviations from the mean of the node: the sums of both sides are then opposite, and nothing cancels.
        high = np.bincount(pair, weights=(one - mean[pair]) * side, minlength=n_pairs)
        total += np.bincount(pair, weights=one * one, minlength=n_pairs)
        gain += np.where(is_split, high * high * n / np.where(is_split, n_low * n_high, 1), 0)
    return gain, total


def _is_near(values: NDArray[np.float64], cut: float) -> bool:
    """Whether scikit-learn sees no cut here."""
    low, high = values[values <= cut].max(), values[values > cut].min()
    return bool(np.float32(low) + NEAR >= np.float32(high))


def _wrong_counts(ours: Tree, level: _Level, y: Any) -> NDArray[np.intp]:
    """The pairs whose node of ours does not say how many rows it has, of which class or of which mean."""
    n_pairs = len(level.ours)
    n = np.bincount(level.pair, minlength=n_pairs)
    is_wrong = ours.count[level.ours] != n
    if y.dtype == np.float64:
        mean = np.bincount(level.pair, weights=y, minlength=n_pairs) / n
        is_wrong |= ~np.isclose(ours.value[level.ours, 0], mean, rtol=1e-9, atol=1e-9)
    else:
        n_classes = ours.stats.shape[1]
        by_class = np.bincount(level.pair * n_classes + y, minlength=n_pairs * n_classes).reshape(n_pairs, -1)
        is_wrong |= (ours.stats[level.ours] != by_class).any(axis=1)
    return np.flatnonzero(is_wrong)
