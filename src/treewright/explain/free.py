"""Free: what a tree answers for every value of one column, the others held as they are.

In: a tree, a row, and one of its columns with the stretches of its values. Out: the answer on each stretch, in one walk
over the nodes that the row can come to: trying them one by one would take stretches times nodes.

The row is sent down every branch wherever the free column is asked for, with its whole weight. Each such branch opens a
*region*: the nodes up to the next question about the column. A region is open for some of the stretches, and what ends
in it counts for just these.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import route_fractional
from treewright.data.schema import Kind
from treewright.explain.stretch import Stretches
from treewright.model.answering import TIE, decide, expected_costs
from treewright.model.tree import Tree

NEAR = 1e-9
"""Sums that are nearer to a tie than this are not trusted, because their terms are added in another order."""

ROUNDING = 2e-14
"""About ten times what rounding adds to a sum of terms, as a part of the largest one and the root of their number."""

NOWHERE = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """The answer on each stretch, class codes or numbers; and whether it is certain, or too near a tie."""

    answers: NDArray[Any]
    certain: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """The nodes that a row comes to with one column free, each before its branches.

    nodes    their numbers
    weight   the share of the row in each
    parent   the place of the node above, in this list
    asks     whether the free column is asked for
    region   the place of the node that opens the region
    """

    nodes: NDArray[np.int64]
    weight: NDArray[np.float64]
    parent: NDArray[np.int64]
    asks: NDArray[np.bool_]
    region: NDArray[np.int64]


def answers_on(
    tree: Tree, values: NDArray[np.float64], position: int, found: Stretches, unseen: str
) -> Answered:
    """What the tree answers on each stretch of a column.

    values  the row as a table of one row; what is missing in its other columns is shared out
    unseen  what is done with categories that training never showed: majority or stop

    >>> from treewright.explain.stretch import stretches
    >>> from treewright.model.build import golf_example
    >>> row = np.array([[0, 80.0, 1]])
    >>> found = stretches(golf_example(), 1, 80.0, None, False)
    >>> answers_on(golf_example(), row, 1, found, "stop").answers.tolist()
    [1, 0]
    """
    reach = _reach(tree, values, position, unseen)
    is_end = np.ones(len(reach.nodes), bool)
    is_end[reach.parent[1:]] = False
    ends = np.flatnonzero(is_end)
    region, weight = reach.region[ends], reach.weight[ends]
    value = tree.value[reach.nodes[ends]]
    open_for = _open_stretches(tree, found, reach)
    n = len(found.nearest)
    if bool(np.all(weight == 1.0)) and len(np.unique(region)) == len(region):
        # One way for each stretch: the end itself is found, and no sum is rounded.
        end_of = _laid_out(open_for, region, np.arange(len(ends))[:, None], n)[:, 0].astype(np.int64)
        here = value[end_of]
        answers = here[:, 0] if tree.schema.target.is_number else tree.answers[reach.nodes[ends]][end_of]
        return Answered(answers, np.ones(n, bool))
    mean = _laid_out(open_for, region, weight[:, None] * value, n)
    if tree.schema.target.is_number:
        noise = ROUNDING * np.sqrt(len(ends)) * float(np.abs(value).max())
        return Answered(mean[:, 0], NEAR * np.abs(mean[:, 0]) > noise)
    lost = expected_costs(tree.answering, mean)
    dearest = 1.0 if tree.answering.costs is None else float(np.max(tree.answering.costs))
    certain = np.count_nonzero(lost <= lost.min(axis=1, keepdims=True) + NEAR * dearest, axis=1) == 1
    return Answered(decide(tree.answering, mean, TIE), certain)


def _reach(tree: Tree, values: NDArray[np.float64], position: int, unseen: str) -> _Reach:
    free = values.copy()
    free[0, position] = np.nan
    share = tree.branch_shares.copy()
    share[1:][tree.column[tree.parent[1:]] == position] = 1.0
    picks = NOWHERE if unseen == "stop" else tree.heaviest_branch
    start = np.zeros(1, np.int64)
    n_nodes, n_leaves = tree.n_nodes, tree.n_leaves
    out_node, out_weight, counts = np.empty(n_nodes, np.int64), np.empty(n_nodes), np.empty(1, np.int64)
    work = (out_node, out_weight, counts, np.empty(n_leaves, np.int64), np.empty(n_leaves))
    packed = tree.packed
    route_fractional(free, packed.cells, packed.tables, (picks, tree.n_children, share), start, start, work, True)
    nodes, weight = out_node[: counts[0]].copy(), out_weight[: counts[0]].copy()
    place = np.zeros(n_nodes, np.int64)
    place[nodes] = np.arange(len(nodes))
    parent = place[np.maximum(tree.parent[nodes], 0)]
    asks = tree.column[nodes] == position
    opens = asks[parent]
    opens[0] = True
    region = np.where(opens, np.arange(len(nodes)), parent)
    while True:  # each round doubles the steps that were made towards the region's first node
        further = region[region]
        if np.array_equal(further, region):
            return _Reach(nodes, weight, parent, asks, region)
        region = further


def _open_stretches(
    tree: Tree, found: Stretches, reach: _Reach
) -> dict[int, NDArray[np.int64] | range]:
    """The stretches that each region is open for, by the place of the node that opens it."""
    n = len(found.nearest)
    every: NDArray[np.int64] | range = range(n) if found.breaks is not None else np.arange(n)
    open_for: dict[int, NDArray[np.int64] | range] = {0: every}
    place = dict(zip(reach.nodes.tolist(), range(len(reach.nodes)), strict=True))
    asking = np.flatnonzero(reach.asks)
    nodes = reach.nodes[asking]
    of_node = zip(nodes.tolist(), reach.region[asking].tolist(), _above(tree, nodes, found), strict=True)
    for node, region, above in of_node:
        first, here = int(tree.first_child[node]), open_for[region]
        parts: list[NDArray[np.int64] | range]
        if above >= 0 and isinstance(here, range):
            parts = [range(here.start, min(here.stop, above)), range(max(here.start, above), here.stop)]
        elif above >= 0:  # whether a category is known at all
            parts = [here]
        else:
            parts = list(_by_branch(tree, node, np.asarray(here)))
        for branch in range(int(tree.n_children[node])):
            open_for[place[first + branch]] = parts[branch] if branch < len(parts) else every[:0]
    return open_for


def _above(tree: Tree, nodes: NDArray[np.int64], found: Stretches) -> list[int]:
    """The first stretch above the threshold of each node; -1 where a table is looked up."""
    threshold, column = tree.threshold[nodes], found.column
    breaks = np.zeros(0) if found.breaks is None else found.breaks
    above = np.searchsorted(breaks, threshold, side="right")
    above[threshold == np.inf] = len(breaks) + 1
    if column.kind is Kind.ORDERED:
        above[threshold >= column.n_categories - 1] = len(breaks) + 1
    above[np.isnan(threshold)] = -1
    return above.tolist()


def _by_branch(tree: Tree, node: int, codes: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Categories by the branch that they take."""
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    known, branch_of = tree.table_code[own], tree.table_branch[own]
    at = np.minimum(np.searchsorted(known, codes), max(len(known) - 1, 0))
    branch = np.full(len(codes), tree.other[node])
    if len(known):
        branch = np.where(known[at] == codes, branch_of[at], branch)
    order = np.argsort(branch, kind="stable")
    cuts = np.searchsorted(branch[order], np.arange(1, int(tree.n_children[node])))
    return np.split(codes[order], cuts)


def _laid_out(
    open_for: dict[int, NDArray[np.int64] | range], region: NDArray[np.int64], amounts: NDArray[Any], n: int
) -> NDArray[Any]:
    """The sum of the amounts on each stretch: those of a region count where it is open."""
    if not isinstance(open_for[0], range):
        total = np.zeros((n, amounts.shape[1]), amounts.dtype)
        for at, amount in zip(region.tolist(), amounts, strict=True):
            total[open_for[at]] += amount
        return total
    # From its first stretch on a region counts, and from the one behind its last no more.
    steps = np.zeros((n + 1, amounts.shape[1]), amounts.dtype)
    starts = np.array([open_for[at].start for at in region.tolist()])  # type: ignore[union-attr]
    stops = np.array([max(open_for[at].start, open_for[at].stop) for at in region.tolist()])  # type: ignore[union-attr]
    np.add.at(steps, starts, amounts)
    np.subtract.at(steps, stops, amounts)
    return np.cumsum(steps, axis=0)[:n]
