"""Growth on an engine: level by level, every split from counts.

In: an engine, a survey and a plan. Out: the same tree as growth in memory on the same rows makes, bit for bit.

The driver has a workspace on the table of cells (`cells`). For each level it gets the counts of the open nodes from the
engine, splits them with the kernels of growth, and describes in a `Level` where the rows go next. The rows of nodes
that are small enough are fetched, and their subtrees are grown in memory.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import starmap
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import bound_children_of, has_reached_limits, open_node
from treewright._core.tree import begin_subtree
from treewright.data.dataset import Dataset
from treewright.data.encode import refuse_missing
from treewright.data.fixed_point import SMALLEST_FRACTION, Moments, Weights
from treewright.errors import ParameterError, TreewrightError
from treewright.grow.freeze import freeze
from treewright.grow.grower import refuse_numbers
from treewright.grow.plan import Plan
from treewright.grow.prepare import PartOfTable, prepare
from treewright.grow.threads import StopSignal, add_subtree, grow_on_one_thread
from treewright.grow.workspace import new_workspace
from treewright.model.strategies import REFUSED, STRATEGIES
from treewright.model.tree import Tree
from treewright.scale.cells import CellTable
from treewright.scale.checkpoint import Checkpoint
from treewright.scale.class_weights import TableWeights, number_units, weigh_table
from treewright.scale.engine import Cells, Level, RowCounts
from treewright.scale.leaf_budget import keep_best_leaves, within_reach
from treewright.scale.levels import NONE, CodeBranches, SplitNode, cells_by_branch, describe_level
from treewright.scale.siblings import Frontier, OpenNode, SiblingCounts, whole
from treewright.scale.surrogates import SurrogateSearch
from treewright.scale.survey import Survey
from treewright.scale.worker import moments_of

ROW_BYTES = 24
"""Bytes for a cell of a fetched row: its code, its value, and its place in the lists of growth in memory."""
FETCHES = 8
"""A node is fetched if its rows take this part of the memory at most."""
KEEPS = 4
"""The counts of nodes that are kept for the next level take this part of the memory at most."""
JOINS = (codes.LEARNED, codes.BRANCH, codes.SURROGATE)
"""The strategies by which missing values take one branch; without surrogates the heaviest."""
Longs = NDArray[np.int64]


class LevelReport(NamedTuple):
    """The progress of growth after a level.

    depth      of the level
    n_nodes    its open nodes
    n_rows     their rows
    n_fetched  the nodes whose rows were fetched
    n_passes   passes over the rows, or statements, so far
    seconds    the time of the level
    count_bytes  the size of the counts of the level
    n_bytes    what the engine sent for them: of Dask and Spark, the results of all workers
    n_trees    the trees that it is the level of: more than one in cross-validation
    """

    depth: int
    n_nodes: int
    n_rows: int
    n_fetched: int
    n_passes: int
    seconds: float
    count_bytes: int = 0
    n_bytes: int = 0
    n_trees: int = 1


@dataclass(frozen=True, slots=True)
class Resources:
    """What growth may use.

    memory    bytes for counts and fetched rows
    progress  called after each level; None: not at all
    checkpoint  a file that is written after each level, and from which growth goes on; None: no file
    """

    memory: int = 2**30
    progress: Callable[[LevelReport], None] | None = None
    checkpoint: object = None


def missing_code(survey: Survey, plan: Plan) -> int:
    """The code of the strategy for missing values; WHOLE if values are missing only in columns without any value."""
    if not survey.has_missing:
        return codes.WHOLE
    strategy = STRATEGIES[plan.missing]
    if strategy.goes == REFUSED:
        column = next(one.column for one in survey.columns if one.missing_code == codes.SOME_MISSING)
        refuse_missing([column], np.full((1, 1), np.nan))
    assert strategy.code is not None
    return strategy.code


def refuse_plan(plan: Plan, missing: int) -> None:
    """Raise an error for what growth from counts cannot do."""
    if any(plan.monotonic) and missing in (codes.FRACTIONAL, codes.SURROGATE):
        raise ParameterError(
            f"monotonic_cst cannot be combined with missing={plan.missing!r} on a source with missing values; use "
            "missing='learned', 'branch' or 'stop'."
        )


def has_changed(node: int, expected: int, got: int) -> TreewrightError:
    """The error for a source that does not return the same rows each time."""
    return TreewrightError(
        f"The counts of node {node} changed from one pass over the rows to the next: expected {expected} rows, got "
        f"{got}; make sure that the source returns the same rows each time, and fit again."
    )


def grow(
    engine: RowCounts, survey: Survey, plan: Plan, resources: Resources, weights: TableWeights | None = None
) -> Tree:
    """Grow a tree on the rows of an engine, which has encoded them with these weights."""
    weights = weights or weigh_table(survey, missing_code(survey, plan))
    return Growth(engine, survey, plan, resources, weights).run()


class Growth:
    """The state of growth on an engine.

    table   the table of cells with the draft of the tree
    levels  where the rows go, from the root on
    """

    def __init__(
        self, engine: RowCounts, survey: Survey, plan: Plan, resources: Resources, weights: TableWeights
    ) -> None:
        refuse_numbers(Dataset(survey.schema, np.zeros((0, len(survey.columns))), np.zeros(0, np.int32)), plan)
        self.missing = missing_code(survey, plan)
        refuse_plan(plan, self.missing)
        self.engine, self.survey, self.resources = engine, survey, resources
        self.plan = replace(plan, minimum="weight") if self.missing == codes.FRACTIONAL else plan
        self.max_leaves = plan.limits.max_leaves  # found out afterwards, among more splits
        self.plan = replace(self.plan, limits=replace(plan.limits, max_leaves=None))
        self.weights = weights
        self.table = CellTable(survey, self.plan, self.missing, weights)
        self.levels: list[Level] = []
        self.is_divided = self.missing == codes.FRACTIONAL
        self.is_number = survey.schema.target.is_number
        self.surrogates: SurrogateSearch | None = None
        if self.table.work.plan.max_surrogates:
            self.surrogates = SurrogateSearch(self.table, plan, self.missing, weights)
        # whether rows with missing values join one branch, or are in children that have yet to be counted
        self.joins = self.missing in JOINS and self.surrogates is None
        self.is_counted_later = self.is_divided or self.surrogates is not None
        self.sizes = np.array([one.n_codes + 1 for one in survey.columns], np.int64)
        cells = int(self.sizes.sum()) * (self.table.layout.n_classes + (0 if self.surrogates is None else 2))
        self.cell_bytes = 8 * cells * ((1 if weights.rows is None else 2) + self.is_number)
        self.row_bytes = ROW_BYTES * (len(survey.columns) + 1)
        self.most_fetched = resources.memory // (FETCHES * self.row_bytes)
        # of surrogates, rows are counted by branch, too, where nothing can be subtracted
        self.siblings = SiblingCounts(0 if self.surrogates else resources.memory // (KEEPS * self.cell_bytes))
        self.traffic = [0, 0]  # the size of the counts of a level, and what the engine sent for them
        self.checkpoint: Checkpoint | None = None
        if resources.checkpoint is not None:
            facts = survey.schema, survey.n_rows, weights.by_class.tolist(), weights.moments
            values = [sha256(one.values.tobytes()).hexdigest() for one in survey.columns]
            self.checkpoint = Checkpoint(resources.checkpoint, *facts, values, weights.rows, self.plan)

    def run(self) -> Tree:
        """Grow all levels, and make the tree."""
        frontier = self._begin()
        while frontier.nodes:
            start = perf_counter()
            self._fetch(frontier.nodes, frontier.fetched)
            splits = self._count(frontier)
            self._report(frontier, perf_counter() - start)
            children = [
                child for one in frontier.nodes if one.node in splits for child in self._children(splits[one.node])
            ]
            if self.max_leaves is not None:
                reached = within_reach(self.table.work, [one.node for one in children], self.max_leaves)
                children = [one for one in children if one.node in reached]
            own = [splits.get(one.node) for one in frontier.nodes]
            frontier = self._sort_out(children, splits)
            slot_of = {one.node: slot for slot, one in enumerate(frontier.nodes)}
            least = SMALLEST_FRACTION * self.weights.one
            self.levels.append(describe_level(own, slot_of, int(self.sizes.max()), least))
            if self.is_number:
                frontier = self._measure(frontier, splits)
            if self.checkpoint is not None:
                draft, work = self.table.draft, self.table.work
                self.checkpoint.save(draft, work, self.levels, [(*one,) for one in frontier.nodes], frontier.fetched)
        if self.max_leaves is not None:
            keep_best_leaves(self.table.work, self.max_leaves)
        tree = freeze(self.table.prepared, self.table.draft, self.table.work)
        if self.checkpoint is not None:
            self.checkpoint.remove()
        return tree

    def _begin(self) -> Frontier:
        """The nodes of the first level: the root, or those of a checkpoint."""
        found = None if self.checkpoint is None else self.checkpoint.load(self.table.draft, self.table.work)
        if found is not None:
            self.levels, nodes, n_counted = found
            return whole(starmap(OpenNode, nodes), n_counted)
        is_open = self.table.make_root(self.weights.by_class, self.survey.n_rows)
        frontier = self._sort_out([OpenNode(0, self.survey.n_rows)] if is_open else [], {})
        return self._measure(frontier, {}) if self.is_number else frontier

    def _sort_out(self, children: list[OpenNode], splits: dict[int, SplitNode]) -> Frontier:
        """The next level: the nodes with few rows are fetched."""
        counted = [one for one in children if one.rows > self.most_fetched]
        fetched = [one for one in children if one.rows <= self.most_fetched]
        return self.siblings.arrange(splits, counted, fetched, np.asarray(self.table.work.draft.rows))

    def _report(self, frontier: Frontier, seconds: float) -> None:
        if self.resources.progress is not None:
            nodes = frontier.nodes
            depth, n_rows, passes = len(self.levels), sum(one.rows for one in nodes), self.engine.effort.n_passes
            n_fetched = len(nodes) - frontier.fetched
            n_nodes = len(nodes) - frontier.n_added
            self.resources.progress(LevelReport(depth, n_nodes, n_rows, n_fetched, passes, seconds, *self.traffic))
        self.traffic = [0, 0]

    # --- counting ---

    def _count(self, frontier: Frontier) -> dict[int, SplitNode]:
        """Count the nodes, some at a time, and split them; the splits by node."""
        splits: dict[int, SplitNode] = {}
        nodes, at_once = frontier.nodes, max(1, self.resources.memory // (2 * self.cell_bytes))
        is_open = {one.node for one in nodes[: frontier.fetched] if one.rows}
        for first in range(frontier.first, frontier.end, at_once):
            some = nodes[first : min(first + at_once, frontier.end)]
            if not any(one.node in is_open or self.siblings.sibling_of(one.node) in is_open for one in some):
                continue
            counts = self._counts(first, len(some), self._cells())
            for i, one in enumerate(some):
                own = counts[:, i]
                for node, found in ((one.node, own), self.siblings.subtract(one.node, own) or (NONE, own)):
                    split = self._split(node, found) if node in is_open else None
                    if split is not None:
                        splits[node] = split
                        self._keep(node, split, found)
            if self.surrogates is not None:
                self._find_surrogates(self.surrogates, first, some, splits, counts[-1])
        return splits

    def _counts(self, first: int, n_slots: int, cells: Cells | None) -> Longs:
        """The counts of some slots."""
        sent = self.engine.effort.n_bytes
        counts = self.engine.count(self.levels, first, first + n_slots, cells)
        self.traffic = [self.traffic[0] + counts.nbytes, self.traffic[1] + self.engine.effort.n_bytes - sent]
        return counts

    def _keep(self, node: int, split: SplitNode, counts: Longs) -> None:
        """Keep the counts of a node if its children may be counted."""
        rows, depth = self.table.work.draft.rows, self.plan.limits.max_depth
        is_last = depth is not None and len(self.levels) + 1 >= depth
        if not is_last and max(rows[child] for child in split.children) > self.most_fetched:
            self.siblings.keep(node, split, counts)

    def _cells(self) -> Cells | None:
        """The cells that are counted: all, or those of one column for leaves at the maximum depth, of which only the
        class weights are not known yet.
        """
        if self.is_number or len(self.levels) != self.plan.limits.max_depth:
            return None
        return {"offset": self.table.layout.offset[:2].tolist(), "n_classes": self.table.layout.n_classes}

    def _find_surrogates(
        self, search: SurrogateSearch, first: int, nodes: list[OpenNode], splits: dict[int, SplitNode], rows: Longs
    ) -> None:
        """Count the nodes that were split, whose slots begin with `first`, by branch, and find their surrogates."""
        found = [splits.get(one.node) for one in nodes]
        if not any(found):
            return
        counts = self._counts(first, len(nodes), cells_by_branch(found, self.sizes))
        by_code = rows.reshape(len(nodes), int(self.sizes.sum()), -1).sum(axis=2)
        for i, (node, split) in enumerate(zip(nodes, found, strict=True)):
            if split is None:
                continue
            end = int(self.sizes[: split.by.column + 1].sum())
            own = counts[-1, i].reshape(-1, 2)[end - self.sizes[split.by.column] : end].sum(axis=0)
            expected = [self.table.work.draft.rows[child] for child in split.children]
            if own.tolist() != expected:
                raise has_changed(node.node, sum(expected), int(own.sum()))
            splits[node.node] = split._replace(surrogates=search.find(node.node, counts[:, i], by_code[i]))

    def _split(self, node: int, counts: Longs) -> SplitNode | None:
        """Split a node by its counts of moments, weight and rows; None if it is a leaf."""
        table, work, rows = self.table, self.table.work, counts[-1]
        if rows.min() < 0:  # of a node that gets what its siblings leave
            raise has_changed(node, work.draft.rows[node], int(rows.min()))
        if not self._take_stats(node, table.node_sums(counts), int(table.class_sums(rows).sum())):
            return None
        children = table.split(node, counts, self.is_counted_later)
        if children is None:
            return None
        f = int(work.draft.column[node])
        own = slice(table.layout.offset[f], table.layout.offset[f + 1])
        by_code = rows[own].reshape(-1, table.layout.n_classes).sum(axis=1)
        branches, n_missing = table.branch_of_codes(node), int(by_code[-1])
        met = branches >= 0
        of_branch = np.bincount(branches[met], by_code[:-1][met], len(children)).astype(np.int64)
        if self.joins:
            of_branch[work.draft.missing_branch[node]] += n_missing
        for child, n in zip(children, of_branch.tolist(), strict=True):
            work.draft.rows[child] = n
        parts = self._parts(node, children, n_missing) if self.is_divided and n_missing else None
        joined = int(work.draft.missing_branch[node]) if self.joins or self.surrogates is not None else NONE
        return SplitNode(CodeBranches(f, branches), children, n_missing, joined, parts)

    def _take_stats(self, node: int, stats: Longs, n_rows: int) -> bool:
        """Take the class weights of a node as they were counted, which growth expects unless rows were divided or
        followed surrogates; whether the node may be split. A number was measured before.
        """
        draft = self.table.work.draft
        own = np.asarray(draft.stats)[node]
        if self.is_counted_later and not self.is_number:
            own[:] = stats
            draft.weight[node], draft.rows[node] = int(stats.sum()), n_rows
            return bool(open_node(self.table.work, node))
        if (own != stats).any() or draft.rows[node] != n_rows:
            raise has_changed(node, draft.rows[node], n_rows)
        return True

    def _measure(self, frontier: Frontier, splits: dict[int, SplitNode]) -> Frontier:
        """Measure the nodes at the slots of the last level, which have a number as the target: find their values and
        losses. The same nodes, leaves among them with 0 rows; none if all are leaves.
        """
        nodes, table, draft = frontier.nodes, self.table, self.table.work.draft
        if not nodes:
            return frontier
        parent_of = {child: node for node, split in splits.items() for child in split.children}
        ids, parents = [one.node for one in nodes], [parent_of.get(one.node, -1) for one in nodes]
        totals = self.engine.total(self.levels, len(nodes))
        for i, node in enumerate(ids):
            self._take_totals(node, np.array([totals.weight[i], totals.moment[i]]), int(totals.rows[i]))
        sums = np.zeros((3, len(nodes)), np.int64)
        if (totals.low < totals.high).any():
            sums = self.engine.sum_losses(self.levels, table.scales(ids, parents, totals))
        for i, node in enumerate(ids):
            table.measure(node, parents[i], (float(totals.low[i]), float(totals.high[i])), sums[:, i])
        if any(self.plan.monotonic):
            for node in splits:
                bound_children_of(table.work, node)
        is_leaf = [
            draft.rows[node] == 0 or totals.low[i] == totals.high[i] or has_reached_limits(table.work, node)
            for i, node in enumerate(ids)
        ]
        if all(is_leaf):
            return whole([], 0)
        found = [OpenNode(one.node, 0 if leaf else one.rows) for one, leaf in zip(nodes, is_leaf, strict=True)]
        return frontier._replace(nodes=found)

    def _take_totals(self, node: int, stats: Longs, n_rows: int) -> None:
        """Take the weight, the moments and the rows of a node as they were added up; those of the root, and of nodes
        whose rows were divided or followed surrogates, are not known otherwise.
        """
        draft = self.table.work.draft
        if self.is_counted_later or node == 0:
            np.asarray(draft.stats)[node] = stats
            draft.weight[node], draft.rows[node] = int(stats[0]), n_rows
        self._take_stats(node, stats, n_rows)

    def _parts(self, node: int, children: list[int], n_missing: int) -> tuple[list[int], list[float]]:
        """The branches that a missing value is divided among, the heaviest first, and the fraction of each."""
        draft = self.table.work.draft
        weight = [int(draft.weight[child]) for child in children]
        heaviest = int(draft.missing_branch[node])
        others = sorted((b for b in range(len(children)) if weight[b] and b != heaviest), key=lambda b: (-weight[b], b))
        order, known = [heaviest, *others], 0.0
        for b in order:
            known += float(weight[b])
        most = 1 + codes.MOST_COPIES * int(draft.rows[node]) // n_missing
        return order[:most], [weight[b] / known for b in order[:most]]

    def _children(self, split: SplitNode) -> Iterator[OpenNode]:
        """The children of a split that may be split further; those that rows with missing values may be in have to be
        counted to tell.
        """
        work = self.table.work
        more = split.n_missing if self.is_counted_later else 0
        for child in split.children:
            if work.draft.weight[child] > 0 and (
                self.is_divided or self.is_number or more or open_node(work, child)
            ):
                yield OpenNode(child, int(work.draft.rows[child]) + more)

    # --- subtrees in memory ---

    def _fetch(self, nodes: list[OpenNode], begin: int) -> None:
        """Fetch the rows of the nodes from slot `begin` on, and grow their subtrees in memory."""
        room = self.resources.memory // (2 * self.row_bytes)
        while begin < len(nodes):
            end, n_rows = begin, 0
            while end < len(nodes) and (end == begin or n_rows + nodes[end].rows <= room):
                n_rows += nodes[end].rows
                end += 1
            rows = self.engine.take(self.levels, begin, end)
            order = np.argsort(rows["slot"], kind="stable")
            ends = np.searchsorted(rows["slot"][order], np.arange(begin, end + 1))
            for i in range(begin, end):
                part = order[ends[i - begin] : ends[i - begin + 1]]
                if nodes[i].rows == 0:
                    continue
                self._grow_subtree(nodes[i].node, {
                    "codes": rows["codes"][:, part],
                    "target": rows["target"][part],
                    "weight": None if rows["weight"] is None else rows["weight"][part],
                })
            begin = end

    def _grow_subtree(self, node: int, rows: dict[str, Any]) -> None:
        """Grow the subtree of a node on its rows, and append it to the draft."""
        work, target = self.table.work, rows["target"]
        weights = rows["weight"] if rows["weight"] is not None else np.ones(len(target), np.int64)
        moments = self._moments_of(rows)
        if moments is None:
            target = target.astype(np.int32)
            stats = np.array([int(weights[target == k].sum()) for k in range(self.survey.n_classes)], np.int64)
        else:
            stats = np.array([weights.sum(), moments.whole.sum()])
        if not self._take_stats(node, stats, len(weights)):
            return
        values = self.survey.values_of(rows["codes"])
        whole = Weights(rows["weight"], self.weights.unit, self.weights.one)
        given = weights.astype(np.float64) if self.weights.are_given else None
        dataset = Dataset(self.survey.schema, values, target, given)
        part = PartOfTable(self.missing, whole, self.weights.total, self.weights.largest, moments)
        prepared = prepare(dataset, replace(self.plan, max_bins=None), coded=True, part=part)
        draft, own = new_workspace(prepared)
        begin_subtree(work, node, own)
        own.draft.start[0], own.draft.rows[0], own.draft.ids_end[0] = 0, len(weights), len(weights)
        grow_on_one_thread(prepared, draft, own, StopSignal())
        self._use_cells(own, rows["codes"])
        add_subtree(self.table.draft, work, draft, own, node)

    def _moments_of(self, rows: dict[str, Any]) -> Moments | None:
        """The moments of rows that have a number as the target."""
        units = self.weights.moments
        if units is None:
            return None
        whole = moments_of(rows["target"], rows["weight"], number_units(units, self.weights).as_dict())
        return Moments(whole, units)

    def _use_cells(self, own: Any, row_codes: NDArray[Any]) -> None:
        """In a subtree, replace the rows beside each cut by cells with the same values."""
        draft, n = own.draft, own.draft.n_nodes
        column = np.asarray(draft.column)[:n]
        is_cut = (np.asarray(draft.kind)[:n] == codes.THRESHOLD) & (column >= 0)
        places = [(np.asarray(rows)[:n], column, is_cut) for rows in (draft.low_row, draft.high_row)]
        if draft.n_surrogates:
            column = np.asarray(draft.surrogate_column)[: draft.n_surrogates]
            is_cut = np.asarray(draft.surrogate_low)[: draft.n_surrogates] >= 0
            both = draft.surrogate_low_row, draft.surrogate_high_row
            places += [(np.asarray(rows)[: draft.n_surrogates], column, is_cut) for rows in both]
        for rows, column, is_cut in places:
            cuts = np.flatnonzero(is_cut & (rows >= 0))
            code = row_codes[column[cuts], rows[cuts]].astype(np.int64)
            rows[cuts] = self.table.layout.offset[column[cuts]] + code * self.table.layout.n_classes
