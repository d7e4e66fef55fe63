"""Walking our tree and scikit-learn's side by side over the same rows.

In: a numeric table whose cells are exact in 32-bit floats, because scikit-learn rounds to them; cells may be missing.
Out: `Walk`, how many splits were the same and where the two parted. They may part for three reasons only, each
checked at the node: two splits of equal gain (then all below may differ, leaf counts included, so the walk stops
there); what scikit-learn does not see, which is a cut between neighbouring values closer than 1e-7 and, before version
1.8, whether a value is missing in a column whose known values are all that close; and a node it takes for pure, or
for impure, by rounding.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.fixes import parse_version

from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.grow.grower import grow
from treewright.grow.plan import Plan
from treewright.model.tree import Tree

UNSEEN = 1e-7
"""scikit-learn's FEATURE_THRESHOLD: values this close are one value to it."""
ASKS_WHETHER_MISSING = parse_version(sklearn.__version__) >= parse_version("1.8")
"""Whether it tests if a value is missing where all known values are one to it."""
EQUAL = 1e-9

Floats = NDArray[np.float64]


@dataclass
class Walk:
    """What was met: equal splits and leaves, ties, cuts scikit-learn cannot see, and nodes it rounds.

    `pairs` are the nodes that stand for each other, ours and theirs.
    """

    same: int = 0
    leaves: int = 0
    ties: int = 0
    unseen: int = 0
    rounded: int = 0
    faults: list[str] = field(default_factory=list)
    pairs: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Peers:
    """The two trees and the table they were grown from."""

    values: Floats
    target: NDArray
    weight: Floats
    criterion: str
    ours: Tree
    theirs: object


def grow_both(values: Floats, target: NDArray, criterion: str, weight: Floats | None = None) -> Peers:
    """CART by both, to the end; `target` holds class codes or numbers. Missing values go where they gain most."""
    values = values.astype(np.float32).astype(np.float64)
    regression = criterion == "squared_error"
    columns = tuple(Column(f"c{i}", Kind.NUMBER) for i in range(values.shape[1]))
    classes = None if regression else tuple(range(int(target.max()) + 1))
    coded = target.astype(np.float64 if regression else np.int32)
    dataset = Dataset(Schema(columns, Target("y", classes)), values, coded, weight)
    make: Callable = DecisionTreeRegressor if regression else DecisionTreeClassifier
    theirs = make(criterion=criterion, random_state=0).fit(values, coded, sample_weight=weight).tree_
    weights = np.ones(len(target)) if weight is None else weight
    ours = grow(dataset, Plan(criterion=criterion, missing="learned"))
    return Peers(values, coded, weights, criterion, ours, theirs)


def impurity(target: NDArray, weight: Floats, criterion: str) -> float:
    """Impurity per unit of weight, from its definition."""
    if criterion == "squared_error":
        centre = np.average(target, weights=weight)
        return float(np.average((target - centre) ** 2, weights=weight))
    shares = np.bincount(target, weights=weight) / weight.sum()
    shares = shares[shares > 0]
    return float(1 - (shares**2).sum() if criterion == "gini" else -(shares * np.log2(shares)).sum())


def gain(peers: Peers, rows: NDArray, low: NDArray) -> float:
    """What parting the rows takes off their impurity; `low` marks the rows of branch 0."""
    parts = [rows, rows[low], rows[~low]]
    whole, *branches = [
        peers.weight[p].sum() * impurity(peers.target[p], peers.weight[p], peers.criterion) for p in parts
    ]
    return float((whole - sum(branches)) / peers.weight[rows].sum())


def our_low_side(peers: Peers, rows: NDArray, i: int) -> NDArray:
    """Which rows take branch 0 of our node."""
    cells = peers.values[rows, peers.ours.column[i]]
    return np.where(np.isnan(cells), peers.ours.missing_branch[i] == 0, cells <= peers.ours.threshold[i])


def their_low_side(peers: Peers, rows: NDArray, j: int) -> NDArray:
    """Which rows take the left branch of scikit-learn's node."""
    cells = peers.values[rows, peers.theirs.feature[j]]
    return np.where(
        np.isnan(cells), peers.theirs.missing_go_to_left[j] == 1, cells <= peers.theirs.threshold[j]
    )


def is_unseen(cells: Floats) -> bool:
    """Whether scikit-learn sees nothing to ask in a column's cells."""
    known = np.unique(cells[~np.isnan(cells)])
    if (np.diff(known) > UNSEEN).any():
        return False
    return len(known) == 0 or not (ASKS_WHETHER_MISSING and np.isnan(cells).any())


def compare_leaf(peers: Peers, walk: Walk, rows: NDArray, ours_is_leaf: bool, theirs_is_leaf: bool) -> None:
    """One or both stop here."""
    if ours_is_leaf and theirs_is_leaf:
        walk.leaves += 1
        return
    target, cells = peers.target[rows], peers.values[rows]
    pure = (target == target[0]).all()
    alike = (cells == cells[0]) | (np.isnan(cells) & np.isnan(cells[0]))
    if ours_is_leaf and (pure or alike.all()):
        walk.rounded += 1
        return
    spread = impurity(target, peers.weight[rows], peers.criterion)
    scale = max(1.0, float(np.abs(target).max()) ** 2)
    if theirs_is_leaf and spread <= 1e-13 * scale:
        walk.rounded += 1
        return
    if theirs_is_leaf and all(is_unseen(c) for c in cells.T):
        walk.unseen += 1
        return
    who = "ours" if ours_is_leaf else "scikit-learn's"
    walk.faults.append(f"{who} is a leaf with {len(rows)} rows of impurity {spread:.6g}")


def cut_is_unseen(cells: Floats, low: NDArray) -> bool:
    """Whether scikit-learn cannot part these cells so."""
    known = ~np.isnan(cells)
    if not (known & ~low).any():
        return is_unseen(cells)
    return bool(cells[known & ~low].min() - cells[known & low].max() <= UNSEEN)


def compare_split(peers: Peers, walk: Walk, rows: NDArray, i: int, j: int) -> NDArray | None:
    """The rows of branch 0 when both split alike, or None when the walk ends here."""
    column, threshold = int(peers.ours.column[i]), float(peers.ours.threshold[i])
    their_column, their_threshold = int(peers.theirs.feature[j]), float(peers.theirs.threshold[j])
    low, their_low = our_low_side(peers, rows, i), their_low_side(peers, rows, j)
    if column == their_column and (low == their_low).all():
        if np.float32(threshold) != np.float32(their_threshold):
            walk.faults.append(f"threshold {threshold!r}, scikit-learn has {their_threshold!r}")
        walk.same += 1
        return low
    our_gain, their_gain = gain(peers, rows, low), gain(peers, rows, their_low)
    scale = impurity(peers.target[rows], peers.weight[rows], peers.criterion)
    if abs(our_gain - their_gain) <= EQUAL * scale:
        walk.ties += 1
    elif our_gain > their_gain and cut_is_unseen(peers.values[rows, column], low):
        walk.unseen += 1
    else:
        walk.faults.append(
            f"{len(rows)} rows: column {column} <= {threshold!r} gains {our_gain!r}, "
            f"scikit-learn's column {their_column} <= {their_threshold!r} gains {their_gain!r}"
        )
    return None


def walk_both(peers: Peers) -> Walk:
    """Compare node by node from the root, as far as the two go together."""
    walk = Walk()
    open_nodes = [(np.flatnonzero(peers.weight > 0), 0, 0)]
    while open_nodes:
        rows, i, j = open_nodes.pop()
        walk.pairs[i] = j
        if peers.ours.count[i] != len(rows):
            walk.faults.append(f"node {i} counts {peers.ours.count[i]} rows, {len(rows)} reach it")
        scale = max(1.0, float(peers.theirs.impurity[0]))
        if abs(peers.ours.impurity[i] - peers.theirs.impurity[j]) > EQUAL * scale:
            walk.faults.append(
                f"impurity {peers.ours.impurity[i]!r}, scikit-learn has {peers.theirs.impurity[j]!r}"
            )
        leaf, their_leaf = peers.ours.first_child[i] == -1, peers.theirs.children_left[j] == -1
        if leaf or their_leaf:
            compare_leaf(peers, walk, rows, bool(leaf), bool(their_leaf))
            continue
        low = compare_split(peers, walk, rows, i, j)
        if low is not None:
            first = int(peers.ours.first_child[i])
            open_nodes.append((rows[low], first, int(peers.theirs.children_left[j])))
            open_nodes.append((rows[~low], first + 1, int(peers.theirs.children_right[j])))
    return walk
