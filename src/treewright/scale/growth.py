"""Growth on an engine: level by level, every split from counts.

In: an engine, a survey and a plan. Out: the same tree as growth in memory on the same rows makes, bit for bit.

The driver has a workspace on the table of cells (`cells`). For each level it gets the counts of the open nodes from the
engine, splits them with the kernels of growth, and describes in a `Level` where the rows go next. The rows of nodes
that are small enough are fetched, and their subtrees are grown in memory.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import bound_children_of, has_reached_limits, open_node
from treewright._core.tree import begin_subtree
from treewright.data.dataset import Dataset
from treewright.data.encode import refuse_missing
from treewright.data.fixed_point import SMALLEST_FRACTION
from treewright.errors import ParameterError, TreewrightError
from treewright.grow.freeze import freeze
from treewright.grow.grower import refuse_numbers
from treewright.grow.plan import Plan
from treewright.grow.threads import StopSignal, add_subtree, grow_on_one_thread
from treewright.grow.workspace import new_workspace
from treewright.model.strategies import REFUSED, STRATEGIES
from treewright.model.tree import Tree
from treewright.scale.cells import CellTable
from treewright.scale.checkpoint import Checkpoint
from treewright.scale.class_weights import TableWeights, number_units, weigh_table
from treewright.scale.engine import Cells, Level, RowCounts
from treewright.scale.kept_counts import FetchedNode, KeptCounts, pack
from treewright.scale.leaf_budget import keep_best_leaves, within_reach
from treewright.scale.levels import NONE, CodeBranches, SplitNode, cells_by_branch, describe_level
from treewright.scale.siblings import Frontier, OpenNode, SiblingCounts, whole
from treewright.scale.subtrees import prepare_rows, read_facts, rows_by_slot, stats_of_rows, use_cells
from treewright.scale.surrogates import SurrogateSearch
from treewright.scale.survey import Survey

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
    kept      where counts and rows of nodes are kept; None: they are not
    """

    memory: int = 2**30
    progress: Callable[[LevelReport], None] | None = None
    checkpoint: object = None
    kept: KeptCounts | None = None


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
        self.kept = resources.kept
        self.n_kinds = (1 if weights.rows is None else 2) + self.is_number
        self.cell_bytes = 8 * cells * (self.n_kinds + (self.is_number and self.kept is not None))
        self.layout = self.table.layout.as_dict()
        if weights.moments is not None:
            self.layout["moments"] = number_units(weights.moments, weights).as_dict()
        if self.kept is not None:
            self.kept.layout = self.layout
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
            if self.max_leaves is not None:  # a node that is not reached has a parent that is not split
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
        tree = self._freeze()
        if self.checkpoint is not None:
            self.checkpoint.remove()
        return tree

    def _freeze(self) -> Tree:
        """The tree; before splits are undone in it, also the one with them, if counts are kept."""
        prepared, draft, work = self.table.prepared, self.table.draft, self.table.work
        if self.kept is None:
            return freeze(prepared, draft, work)
        self.kept.root = work.draft.root_weight, work.draft.root_impurity
        self.kept.first_child = np.array(work.draft.first_child)[: work.draft.n_nodes]
        self.kept.whole = freeze(replace(prepared, plan=replace(self.plan, collapse=False)), draft, work)
        return freeze(prepared, draft, work) if self.plan.collapse else self.kept.whole

    def _begin(self) -> Frontier:
        """The nodes of the first level: the root, or those of a checkpoint."""
        found = None if self.checkpoint is None else self.checkpoint.load(self.table.draft, self.table.work)
        if found is not None:
            self.levels, nodes, n_counted = found
            if self.kept is not None:
                self.kept.is_resumed = True
            return whole((OpenNode(node, rows, bool(is_leaf)) for node, rows, is_leaf in nodes), n_counted)
        is_open = self.table.make_root(self.weights.by_class, self.survey.n_rows)
        frontier = self._sort_out(self._if_wanted(0, self.survey.n_rows, is_open), {})
        return self._measure(frontier, {}) if self.is_number else frontier

    def _sort_out(self, children: list[OpenNode], splits: dict[int, SplitNode]) -> Frontier:
        """The next level: the nodes with few rows are fetched."""
        counted = [one for one in children if one.rows > self.most_fetched]
        fetched = [one for one in children if one.rows <= self.most_fetched]
        return self.siblings.arrange(splits, counted, fetched, np.asarray(self.table.work.draft.rows))

    def _report(self, frontier: Frontier, seconds: float) -> None:
        """Report the nodes that may be split; not those that are counted for another reason."""
        nodes = [one for one in frontier.nodes if one.rows and not one.is_leaf]
        if self.resources.progress is not None and nodes:
            depth, n_rows, passes = len(self.levels), sum(one.rows for one in nodes), self.engine.effort.n_passes
            n_fetched = sum(bool(one.rows) and not one.is_leaf for one in frontier.nodes[frontier.fetched :])
            self.resources.progress(LevelReport(depth, len(nodes), n_rows, n_fetched, passes, seconds, *self.traffic))
        self.traffic = [0, 0]

    # --- counting ---

    def _count(self, frontier: Frontier) -> dict[int, SplitNode]:
        """Count the nodes, some at a time, and split them; the splits by node."""
        splits: dict[int, SplitNode] = {}
        nodes, at_once = frontier.nodes, max(1, self.resources.memory // (2 * self.cell_bytes))
        is_open = {one.node for one in nodes[: frontier.fetched] if one.rows}
        slot_of = {one.node: slot for slot, one in enumerate(nodes)}
        for first in range(frontier.first, frontier.end, at_once):
            some = nodes[first : min(first + at_once, frontier.end)]
            if not any(one.node in is_open or self.siblings.sibling_of(one.node) in is_open for one in some):
                continue
            counts = self._counts(first, len(some), self._cells(first, some))
            for i, one in enumerate(some):
                own = counts[:, i]
                rest = self.siblings.subtract(one.node, own[-self.n_kinds :]) or (NONE, own)
                for node, found in ((one.node, own), rest):
                    split = self._split(nodes[slot_of[node]], found, slot_of[node]) if node in is_open else None
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
        """Keep the counts of a node if its children may be counted; the squares of a child that are kept are not what
        its siblings leave.
        """
        depth = self.plan.limits.max_depth
        most = max(int(self.table.work.draft.rows[child]) for child in split.children)
        is_last = depth is not None and len(self.levels) + 1 >= depth
        if not is_last and most > self.most_fetched and not (self.is_number and self._has_room(most)):
            self.siblings.keep(node, split, counts[-self.n_kinds :])

    def _cells(self, first: int, nodes: list[OpenNode]) -> Cells | None:
        """The cells that are counted: all, or those of one column for leaves at the maximum depth, of which only the
        class weights are not known yet, and whose counts are not kept.
        """
        is_kept = any(self._has_room(one.rows) for one in nodes)
        if self.is_number:
            return self.kept.cells_with_squares(first, len(nodes)) if self.kept is not None and is_kept else None
        if is_kept or len(self.levels) != self.plan.limits.max_depth:
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

    def _split(self, one: OpenNode, counts: Longs, slot: int) -> SplitNode | None:
        """Split a node by its counts of squares, moments, weight and rows; None if it is a leaf."""
        table, work, rows, node = self.table, self.table.work, counts[-1], one.node
        if rows.min() < 0:  # of a node that gets what its siblings leave
            raise has_changed(node, work.draft.rows[node], int(rows.min()))
        with_squares, counts = counts, counts[-self.n_kinds :]
        is_open = self._take_stats(node, table.node_sums(counts), int(table.class_sums(rows).sum()))
        if self.kept is not None:
            self._keep_counts(self.kept, node, with_squares, slot)
        if one.is_leaf or not is_open:
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
        scales = table.scales(ids, parents, totals)
        if self.kept is not None:
            self.kept.take_scales(scales, totals, self.weights)
        sums = np.zeros((3, len(nodes)), np.int64)
        if (totals.low < totals.high).any():
            sums = self.engine.sum_losses(self.levels, scales)
        for i, node in enumerate(ids):
            table.measure(node, parents[i], (float(totals.low[i]), float(totals.high[i])), sums[:, i])
        if any(self.plan.monotonic):
            for node in splits:
                bound_children_of(table.work, node)
        is_leaf = [
            draft.rows[node] == 0 or totals.low[i] == totals.high[i] or has_reached_limits(table.work, node)
            for i, node in enumerate(ids)
        ]
        found = []
        for one, leaf in zip(nodes, is_leaf, strict=True):
            kept = leaf and self._has_room(draft.rows[one.node])
            found.append(OpenNode(one.node, one.rows if kept or not leaf else 0, leaf))
        if not any(one.rows for one in found):
            return whole([], 0)
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
            if work.draft.weight[child] > 0:
                is_open = self.is_divided or self.is_number or bool(more) or bool(open_node(work, child))
                yield from self._if_wanted(child, int(work.draft.rows[child]) + more, is_open)

    def _if_wanted(self, node: int, rows: int, is_open: bool) -> list[OpenNode]:
        """A node that may be split, or a leaf that may be kept, in a list; none otherwise."""
        return [OpenNode(node, rows, not is_open)] if is_open or self._has_room(rows) else []

    # --- what is kept ---

    def _has_room(self, rows: int) -> bool:
        """Whether a leaf of so many rows can be kept."""
        return self.kept is not None and rows > 0 and self.kept.has_room(rows)

    def _keep_counts(self, kept: KeptCounts, node: int, counts: Longs, slot: int) -> None:
        """Keep the counts of a node, unless they are not all: of leaves, or of a number without squares."""
        scale, has_squares = kept.scale_of(slot), len(counts) > self.n_kinds
        if not kept.has_room(self.table.work.draft.rows[node]):
            kept.is_full = True
        elif counts.shape[1] == self.layout["offset"][-1] and (has_squares and scale is not None) == self.is_number:
            kept.add_counted(node, pack(read_facts(self.table.work, node), counts, scale))

    # --- subtrees in memory ---

    def _fetch(self, nodes: list[OpenNode], begin: int) -> None:
        """Fetch the rows of the nodes from slot `begin` on, and grow their subtrees in memory."""
        room = self.resources.memory // (2 * self.row_bytes)
        while begin < len(nodes):
            end, n_rows = begin, 0
            while end < len(nodes) and (end == begin or n_rows + nodes[end].rows <= room):
                n_rows += nodes[end].rows
                end += 1
            rows = rows_by_slot(self.engine.take(self.levels, begin, end), begin, end)
            for slot, own in enumerate(rows, begin):
                if nodes[slot].rows:
                    self._grow_subtree(nodes[slot], own, slot)
            begin = end

    def _grow_subtree(self, one: OpenNode, rows: dict[str, Any], slot: int) -> None:
        """Grow the subtree of a node on its rows, and append it to the draft."""
        table, work, node = self.table, self.table.work, one.node
        n_rows, stats = len(rows["target"]), stats_of_rows(self.survey, self.weights, rows)
        is_open = self._take_stats(node, stats, n_rows)
        if self.kept is not None:
            self.kept.add_fetched(node, FetchedNode(read_facts(work, node), rows, self.kept.scale_of(slot)))
        if one.is_leaf or not is_open:
            return
        prepared = prepare_rows(self.survey, self.plan, self.missing, self.weights, rows, coded=True)
        draft, own = new_workspace(prepared)
        begin_subtree(work, node, own)
        own.draft.start[0], own.draft.rows[0], own.draft.ids_end[0] = 0, n_rows, n_rows
        grow_on_one_thread(prepared, draft, own, StopSignal())
        use_cells(own, rows["codes"], table.layout, has_surrogates=bool(draft.surrogates))
        add_subtree(table.draft, work, draft, own, node)
