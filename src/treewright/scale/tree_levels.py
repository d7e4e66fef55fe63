"""Rows down a tree on a source: the class weights of every node, from one pass over the codes.

In: a tree, and the codes of the columns. Out: the `Level`s that engines follow the rows by, and which node each slot
is. So a pruning method learns what training or validation rows do in a tree, without the rows.
"""

from collections.abc import Callable, Sequence
from math import ceil, log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.model.strategies import REFUSED, STAYS, STRATEGIES, TO_ALL, TO_HEAVIEST
from treewright.model.tree import THRESHOLD, Tree
from treewright.predict.missing_policy import resolve_missing
from treewright.prune.cross_validation import SumSettings
from treewright.prune.losses import NodeSums
from treewright.scale.engine import Level, RowCounts, TargetPowers
from treewright.scale.levels import NONE, CodeBranches, SplitNode, describe_level
from treewright.scale.survey import ColumnCodes, Survey

Longs = NDArray[np.int64]
DIVIDED_BITS = 52
"""Rows that are divided among branches have weights in units of at most 2^-52 of their sum."""
SUM_BITS = 60
"""The bits of sums of powers; the rests have 30 more."""


class TreeLevels(NamedTuple):
    """A tree as levels.

    levels  where the rows of the nodes of each depth go
    nodes   the node of each slot: of level 0, which is the root alone, of level 1 and so on
    """

    levels: list[Level]
    nodes: list[list[int]]


class CodedColumns(NamedTuple):
    """The codes of rows that a tree was not grown on.

    columns  of each column of the tree; those that it does not test have no codes. NaN is the value of a code of a
             category that did not occur in training
    places   which of the encoded columns each is
    """

    columns: tuple[ColumnCodes, ...]
    places: Longs


def levels_of_tree(
    tree: Tree, survey: Survey | CodedColumns, missing: str | None = None, least: float = 0.0, unseen: str = "majority"
) -> TreeLevels:
    """Describe where the rows go in a tree; each node is a slot of its level.

    missing  the strategy for missing values; None: that of growth
    least    a smaller part of a row, in units, is not made
    unseen   the strategy for categories that did not occur in training
    """
    split_of = splitter(tree, survey, missing, unseen)
    longest = max(one.n_codes + 1 for one in survey.columns)
    found = TreeLevels([], [[0]])
    while any(tree.n_children[node] for node in found.nodes[-1]):
        splits = [split_of(node) if tree.n_children[node] else None for node in found.nodes[-1]]
        children = [child for split in splits if split is not None for child in split.children]
        slots = {child: slot for slot, child in enumerate(children)}
        level = describe_level(splits, slots, longest, least)
        if isinstance(survey, CodedColumns):
            level["column"] = survey.places[level["column"]]
            level["next_column"] = survey.places[level["next_column"]]
        found.levels.append(level)
        found.nodes.append(children)
    return found


def splitter(
    tree: Tree, survey: Survey | CodedColumns, missing: str | None = None, unseen: str = "majority"
) -> Callable[[int], SplitNode]:
    """A function that describes the split of an inner node in codes; the strategies as in `levels_of_tree`."""
    strategy, stays = STRATEGIES[tree.missing if missing is None else missing], STRATEGIES[unseen].goes == STAYS

    def split_of(node: int) -> SplitNode:
        begin, n = int(tree.first_child[node]), int(tree.n_children[node])
        f = int(tree.column[node])
        own = survey.columns[f]
        branch, parts = NONE, None
        if strategy.goes == TO_ALL:
            parts = _parts(tree, node)
        elif strategy.goes not in (STAYS, REFUSED):
            branch = int((tree.heaviest_branch if strategy.goes == TO_HEAVIEST else tree.missing_branch)[node])
        following = _surrogates(tree, survey.columns, node) if strategy.surrogates else []
        branches = branch_of_codes(tree, own, node)
        branches[np.isnan(own.values)] = NONE if stays else tree.heaviest_branch[node]
        by = CodeBranches(f, branches)
        return SplitNode(by, list(range(begin, begin + n)), 1, branch, parts, following)

    return split_of


def branch_of_codes(tree: Tree, column: ColumnCodes, node: int) -> Longs:
    """The branch of each known code of the column that a node is split on."""
    if tree.kind[node] == THRESHOLD:
        return (column.values > tree.threshold[node]).astype(np.int64)
    branches = np.full(column.n_codes, int(tree.other[node]), np.int64)
    own = slice(int(tree.table_start[node]), int(tree.table_start[node + 1]))
    branches[tree.table_code[own]] = tree.table_branch[own]
    return branches


def _parts(tree: Tree, node: int) -> tuple[list[int], list[float]]:
    """The branches that a missing value is divided among, the heaviest first, and the fraction of each."""
    children = slice(int(tree.first_child[node]), int(tree.first_child[node] + tree.n_children[node]))
    fraction, heaviest = tree.branch_fractions[children], int(tree.missing_branch[node])
    others = [b for b in np.argsort(-fraction, kind="stable").tolist() if b != heaviest and fraction[b] > 0]
    order = [heaviest, *others]
    return order, fraction[order].tolist()


def _surrogates(tree: Tree, columns: Sequence[ColumnCodes], node: int) -> list[CodeBranches]:
    """The surrogates of a node, the best first."""
    known = tree.surrogates
    if known is None:
        return []
    found = []
    for s in range(int(known.start[node]), int(known.start[node + 1])):
        f, low = int(known.column[s]), int(known.low[s])
        column = columns[f]
        if low >= 0:
            branches = np.where(column.values > known.threshold[s], 1 - low, low).astype(np.int64)
        else:
            branches = np.full(column.n_codes, NONE, np.int64)
            own = slice(int(known.table_start[s]), int(known.table_start[s + 1]))
            branches[known.table_code[own]] = known.table_branch[own]
        branches[np.isnan(column.values)] = NONE
        found.append(CodeBranches(f, branches))
    return found


def tally_tree(engine: RowCounts, tree: Tree, survey: Survey, missing: str | None = None, least: float = 0.0) -> Longs:
    """The class weights, in units, and the rows of every node: (kinds, n_nodes, n_classes)."""
    found = levels_of_tree(tree, survey, missing, least)
    counts = engine.tally(found.levels, [len(nodes) for nodes in found.nodes])
    by_node = np.empty_like(counts)
    by_node[:, np.concatenate(found.nodes)] = counts
    return by_node


# --- losses on rows that a tree was not grown on ---


class RowUnits(NamedTuple):
    """The units of rows.

    unit   the size of a unit of weight
    total  the units of all rows, or more
    ends   the lowest and the highest value of a target that is a number
    """

    unit: float
    total: int
    ends: tuple[float, float] | None

    def shift_for(self, tree: Tree, how: SumSettings) -> int:
        """By how many bits the weights have to be finer, so that rows can be divided."""
        divides = STRATEGIES[resolve_missing(tree, how.rule)].goes == TO_ALL
        return max(0, DIVIDED_BITS - self.total.bit_length()) if divides else 0


def sum_at_nodes(
    rows: RowCounts, tree: Tree, survey: Survey | CodedColumns, how: SumSettings, units: RowUnits, shift: int = 0
) -> NodeSums:
    """What `losses.sum_rows_at_nodes` finds in memory, from one pass.

    survey  the codes of the columns that the rows have
    shift   by how many bits the weights of these rows are finer than `units`
    """
    missing = resolve_missing(tree, how.rule)
    found = levels_of_tree(tree, survey, missing, 0.5, how.rule.unseen)
    n_slots, powers = [len(nodes) for nodes in found.nodes], None
    if tree.schema.target.is_number:
        powers = powers_of(how, units, shift)
        sums = rows.sum_powers(found.levels, n_slots, powers).T
    else:
        sums = rows.tally(found.levels, n_slots)[0]
    here = np.empty_like(sums)
    here[np.concatenate(found.nodes)] = sums
    stayed = _stayed(tree, here, missing, how.rule.unseen)
    unit = units.unit * 2.0**-shift
    spread = 1.0 if powers is None else float(np.ldexp(how.scale.spread, powers.scale))
    return NodeSums(_as_floats(here, unit, powers, spread), _as_floats(stayed, unit, powers, spread))


def powers_of(how: SumSettings, units: RowUnits, shift: int) -> TargetPowers:
    """The units of powers of the scaled target: their sums have at most so many bits."""
    assert units.ends is not None
    scale = how.scale
    far = max(abs(end - scale.centre) for end in units.ends)
    step = -round(log2(scale.spread))  # a power of two, because databases divide by other numbers in different ways
    size, bits = log2(units.total) + shift, log2(far) + step if far > 0 else 0.0
    exponents = [SUM_BITS - ceil(size + k * bits) for k in range(1, how.n_powers)]
    return TargetPowers(scale.centre, step, tuple(exponents))


def _stayed(tree: Tree, here: Longs, missing: str, unseen: str) -> Longs:
    """The sums of the rows that stop at an inner node; an error if they must not."""
    goes, stayed = STRATEGIES[missing].goes, np.zeros_like(here)
    if goes not in (STAYS, REFUSED) and STRATEGIES[unseen].goes != STAYS:
        return stayed  # parts of rows are rounded, so differences need not be 0
    stayed[:] = here
    np.subtract.at(stayed, tree.parent[1:], here[1:])
    stayed[tree.n_children == 0] = 0
    if goes == REFUSED and stayed.any():
        column = tree.schema.columns[tree.column[np.flatnonzero(stayed.any(axis=1))[0]]]
        raise InputError(
            f"Column {column.name!r} is missing (NaN) in a row that a tree is evaluated on, and the tree splits on it; "
            "fill in the values, or use another strategy than missing_predict='error'."
        )
    return stayed


def _as_floats(sums: Longs, unit: float, powers: TargetPowers | None, spread: float) -> NDArray[np.float64]:
    """Class weights, or the sums of powers from 0 on, from sums in units; `spread` is 1 in powers."""
    if powers is None:
        return sums.astype(np.float64) * unit
    found = [sums[:, 0].astype(np.float64) * unit]
    for k, exponent in enumerate(powers.exponents):
        whole, rest = sums[:, 1 + 2 * k].astype(np.float64), sums[:, 2 + 2 * k].astype(np.float64)
        found.append(np.ldexp(whole + rest * 2.0**-30, -exponent) * unit / spread ** (k + 1))
    stacked: NDArray[np.float64] = np.stack(found, axis=1)
    return stacked
