"""Entries: the candidates of nodes, described and judged, and why leaves are leaves.

`entries` takes the training rows of a tree, its plan, the grown tree and some of its nodes, and returns an `Entry` for
each node. Growth is replayed once from the root for all nodes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.grow.candidates import (
    DEEP,
    EMPTY,
    LITTLE_GAIN,
    NO_CANDIDATE,
    PURE,
    SMALL,
    GrowthReplay,
    ReplayedNode,
)
from treewright.grow.freeze import COLLAPSE_SLACK
from treewright.grow.grower import grow
from treewright.grow.plan import Plan
from treewright.ledger import ledger_reasons as reasons
from treewright.ledger.candidate_numbers import KINDS, describe_candidate
from treewright.ledger.ledger_reasons import Reason
from treewright.ledger.lineage import Lineage
from treewright.ledger.node_statistics import node_statistics
from treewright.ledger.record import REJECTED, Candidate, Entry
from treewright.ledger.verdicts import Judged, judge
from treewright.model.formatting import format_category, format_number, format_weight
from treewright.model.prediction_rule import with_prediction_rule
from treewright.model.tree import Tree
from treewright.model.tree_text import path_texts
from treewright.prune.losses import training_losses, typical_distance
from treewright.prune.method import weight_of_one_row
from treewright.prune.report_text import format_figures
from treewright.prune.traversal import compare_bottom_up


def entries(
    rows: Dataset,
    plan: Plan,
    tree: Tree,
    nodes: Iterable[int],
    lineage: Lineage | None = None,
    *,
    details: bool = True,
) -> Iterator[Entry]:
    """The entries of these nodes of a grown tree, each once, in the order of the replay (not that of `nodes`).

    rows     the training rows
    plan     of growth, with the minimums for these rows
    tree     as grown, or pruned without raised branches
    lineage  the decisions of pre-pruning, where validation rows stopped growth
    details  whether cuts have the stats of both sides, branches and cuts have texts, and ties are counted: these take
             most of the time

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> from treewright.grow.grower import grow
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> rows = Dataset(schema, np.array([[20.0], [30.0], [40.0]]), np.array([0, 1, 1], np.int32))
    >>> tree = grow(rows, Plan())
    >>> [(entry.node, entry.chosen, entry.leaf) for entry in entries(rows, Plan(), tree, [0, 2])]
    [(0, 0, None), (2, None, 'All its rows have the class yes.')]
    """
    wanted = [tree.node(node).id for node in nodes]
    if not wanted:
        return
    if len(wanted) > 1:  # the values of a column are then contiguous in memory
        rows = replace(rows, values=np.asfortranarray(rows.values))
    replay = GrowthReplay(rows, plan)
    lineage = Lineage(tree, tree) if lineage is None else lineage
    grow_whole = partial(grow, rows, replace(plan, collapse=False))
    leaves = LeafReasons(plan, tree, lineage, weight_of_one_row(rows), grow_whole)
    yield from replayed_entries(replay, leaves, wanted, details=details)


def replayed_entries(
    replay: GrowthReplay, leaves: "LeafReasons", nodes: Iterable[int], start: int = 0, *, details: bool = True
) -> Iterator[Entry]:
    """The entries of nodes that a replay visits, which begins at the node `start`."""
    for replayed in replay.visit(leaves.tree, nodes, start):
        judged = _judge_node(replay, leaves.tree, replayed, details=details)
        chosen = None if replayed.chosen is None else judged.candidates[replayed.chosen]
        _check_rows(replay, leaves.tree, replayed, chosen)
        yield make_entry(leaves, replayed, judged)


def entries_of(rows: Dataset, plan: Plan, lineage: Lineage, nodes: Iterable[int]) -> Iterator[Entry]:
    """The entries of nodes of the final tree, which may be pruned and have raised branches."""
    by_source: dict[int, list[int]] = {}
    for node in nodes:
        by_source.setdefault(lineage.source(lineage.tree.node(node).id), []).append(int(node))
    for entry in entries(rows, plan, lineage.grown, by_source, lineage):
        for node in by_source[entry.node]:
            yield lineage.entry_of(node, entry)


def node_fields(tree: Tree, node: int) -> dict[str, Any]:
    """The fields of an entry that the tree has itself.

    >>> from treewright.model.build import golf_example
    >>> node_fields(golf_example(), 1)["words"]
    'outlook = sunny'
    """
    return {
        "node": node,
        "words": path_texts(tree, [node])[0],
        "count": int(tree.count[node]),
        "weight": float(tree.weight[node]),
        "stats": tuple(tree.stats[node].tolist()),
        "impurity": float(tree.impurity[node]),
    }


@dataclass(frozen=True, eq=False)
class LeafReasons:
    """Why the leaves of a grown tree are leaves.

    one_row     the weight that counts as one row
    grow_whole  grows the tree without undoing splits
    """

    plan: Plan
    tree: Tree
    lineage: Lineage
    one_row: float
    grow_whole: Callable[[], Tree]

    def why_leaf(self, replayed: ReplayedNode, candidates: Sequence[Candidate]) -> Reason:
        """Why growth left the node a leaf."""
        if replayed.closed is None or replayed.closed == LITTLE_GAIN:
            assert replayed.chosen is not None
            return self._why_not_split(replayed, candidates[replayed.chosen])
        closed: dict[str, Callable[[], Reason]] = {
            EMPTY: reasons.EMPTY_LEAF,
            PURE: lambda: self._why_pure(replayed.node),
            SMALL: lambda: self._why_too_small(replayed),
            DEEP: lambda: self._why_too_deep(len(replayed.path)),
            NO_CANDIDATE: lambda: self._why_no_candidate(replayed, candidates),
        }
        return closed[replayed.closed]()

    def _why_not_split(self, replayed: ReplayedNode, best: Candidate) -> Reason:
        """Why the best split is not in the tree."""
        limits, tree, name = self.plan.limits, self.tree, best.name
        assert best.gain is not None
        improvement = float(tree.weight[replayed.node] / tree.weight[0]) * best.gain
        if replayed.closed == LITTLE_GAIN:
            gain, least = format_figures([improvement, limits.min_gain])
            return reasons.LITTLE_GAIN(name=name, gain=gain, least=least)
        stop = self.lineage.stop(replayed.node)
        if stop is not None:
            return reasons.STOPPED(name=name, decision=stop.words)
        errors = self._errors_before_collapse(replayed) if self.plan.collapse else None
        if errors is not None:
            leaf, below = format_figures(errors)
            return reasons.UNDONE_ERRORS(name=name, below=below, leaf=leaf)
        if limits.max_leaves is None:
            return reasons.UNDONE(name=name)
        gain = format_figures([improvement])[0]
        return reasons.MAX_LEAVES(name=name, gain=gain, max_leaves=str(limits.max_leaves))

    def _why_pure(self, node: int) -> Reason:
        target = self.tree.schema.target
        if target.classes is None:
            return reasons.PURE_NUMBER(value=format_number(float(self.tree.stats[node, 1])))
        return reasons.PURE_CLASS(label=format_category(target.classes[self.tree.stats[node].argmax()]))

    def _why_too_small(self, replayed: ReplayedNode) -> Reason:
        least = format_number(self.plan.limits.min_split)
        return reasons.TOO_SMALL(amount=self._size(replayed), least=least)

    def _why_too_deep(self, depth: int) -> Reason:
        max_depth = str(self.plan.limits.max_depth)
        if depth == 1:
            return reasons.MAX_DEPTH_1(max_depth=max_depth)
        return reasons.MAX_DEPTH(depth=str(depth), max_depth=max_depth)

    def _why_no_candidate(self, replayed: ReplayedNode, candidates: Sequence[Candidate]) -> Reason:
        """Where `monotonic_cst` excluded splits, the first such column is named."""
        for found, one in zip(replayed.candidates, candidates, strict=True):
            if found.n_barred:
                return reasons.NO_CANDIDATE_BECAUSE(name=one.name, reason=one.reason)
        return reasons.NO_CANDIDATE()

    def _size(self, replayed: ReplayedNode) -> Reason:
        """What is compared with the minimum: rows, or their weight in weights of one row."""
        weight, one_row = float(self.tree.weight[replayed.node]), self.one_row
        n = int(self.tree.count[replayed.node])
        if self.plan.minimum != "weight" or weight == n * one_row:
            return reasons.ONE_ROW() if n == 1 else reasons.ROWS(n=str(n))
        if one_row == 1.0:
            return reasons.WEIGHTED_ROWS(weight=format_weight(weight))
        return reasons.WEIGHTED_ROWS_AS(weight=format_weight(weight), n=format_weight(weight / one_row))

    def _errors_before_collapse(self, replayed: ReplayedNode) -> list[float] | None:
        """The training errors of a node and of the branches it had; None where it had none."""
        at, path = 0, [*replayed.path.tolist(), replayed.node]
        for above, node in pairwise(path):
            at = int(self._uncollapsed.first_child[at]) + node - int(self.tree.first_child[above])
        return [float(errors[at]) for errors in self._errors] if self._uncollapsed.n_children[at] else None

    @cached_property
    def _uncollapsed(self) -> Tree:
        """The tree before splits were undone; its nodes are found by their branches."""
        return with_prediction_rule(self.grow_whole(), self.tree.prediction_rule)

    @cached_property
    def _errors(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Training errors of each node as a leaf, and of its branches after they were collapsed."""
        losses = training_losses(self._uncollapsed)
        slack = COLLAPSE_SLACK * self.one_row
        return losses.leaf, compare_bottom_up(self._uncollapsed, losses.leaf, losses.staying, allowance=slack).subtree


def make_entry(leaves: LeafReasons, replayed: ReplayedNode, judged: Judged) -> Entry:
    """The entry of a node with its judged candidates."""
    tree, node, plan = leaves.tree, replayed.node, leaves.plan
    return Entry(
        **node_fields(tree, node),
        criterion=plan.criterion,
        ranked_by="ratio" if plan.merit == "ratio" else "gain",
        average=judged.average,
        naming=judged.naming,
        candidates=judged.candidates,
        chosen=replayed.chosen,
        margin=judged.margin,
        leaf=None if tree.n_children[node] else leaves.why_leaf(replayed, judged.candidates),
    )


def _judge_node(replay: GrowthReplay, tree: Tree, replayed: ReplayedNode, *, details: bool) -> Judged:
    """The judged candidates; those of a pure or empty node are all rejected."""
    if not replayed.candidates:
        columns = replay.prepared.dataset.values.T
        missing = [int(replayed.weights[np.isnan(own[replayed.rows])].sum()) for own in columns]
        return without_splits(tree, int(replayed.weights.sum()), missing, replay.prepared.weights.unit)
    rows = node_statistics(replay.prepared, replayed)
    found = [describe_candidate(replay, rows, one, details=details) for one in replayed.candidates]
    return judge(rows, replayed, found, set(tree.column[replayed.path].tolist()))


def without_splits(tree: Tree, total: int, missing: Sequence[int], unit: float) -> Judged:
    """The candidates of a node that cannot be split, because it has one target or no rows.

    total    its weight, in units
    missing  of this, the weight that is missing on each column
    """
    reason = reasons.SAME_TARGET() if total else reasons.NO_ROW()
    found = [
        Candidate(
            position,
            column.name,
            KINDS[column.kind],
            REJECTED,
            reason,
            known=(total - lost) * unit,
            missing=lost * unit,
            rho=(total - lost) / total if total else 1.0,
            before=0.0,
        )
        for position, (column, lost) in enumerate(zip(tree.schema.columns, missing, strict=True))
    ]
    return Judged(tuple(found), None, None)


def _check_rows(replay: GrowthReplay, tree: Tree, replayed: ReplayedNode, chosen: Candidate | None) -> None:
    """Raise an error for rows that lead to the same splits, but have other targets than the training rows."""
    node, target = replayed.node, replay.prepared.dataset.target[replayed.rows]
    pairs: list[tuple[Any, Any]] = []
    if tree.schema.target.classes is not None:
        own = np.bincount(target, replayed.weights, tree.schema.target.n_classes) * replay.prepared.weights.unit
        pairs.append((own, tree.stats[node]))
        if chosen is not None and not chosen.missing and tree.n_children[node]:
            below = tree.stats[int(tree.first_child[node]) :][: int(tree.n_children[node])]
            pairs.append(([branch.stats for branch in chosen.branches], below[below.sum(axis=1) > 0]))
    elif not tree.by_median and len(replayed.rows):
        # Relative to the mean of the node, so that targets far from 0 are compared as precisely.
        offset = np.average(target - tree.stats[node, 1], weights=replayed.weights)
        pairs.append((1.0 + offset / (typical_distance(tree, node) or 1.0), 1.0))
    if not all(np.allclose(given, known, rtol=1e-6, atol=1e-9 * tree.weight[node]) for given, known in pairs):
        raise InputError(
            f"The targets of the rows at node {node} do not match the tree; pass all training rows, unchanged."
        )
