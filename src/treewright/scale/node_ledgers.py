"""The candidates of the nodes of a tree that was grown on a source, from kept counts.

In: the grown tree, and what growth kept of its nodes. Out: their ledgers, as the training rows give them in memory.

A node that was counted is searched again as growth searched it, by its counts. What a ledger shows besides are sums
over the rows of a column's values, which are the counts of its codes: each column has statistics of its own, whose rows
are cells. Where rows were fetched, the growth of their subtree is replayed as in memory.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import Work, choose_column, choose_split, make_root
from treewright.errors import InputError
from treewright.grow.bins import Bins
from treewright.grow.candidates import EMPTY, PURE, Candidate, GrowthReplay, ReplayedNode, path_to
from treewright.grow.draft import Draft
from treewright.grow.plan import Plan
from treewright.grow.workspace import new_workspace
from treewright.ledger.candidate_numbers import describe_candidate
from treewright.ledger.entries import LeafReasons, make_entry, replayed_entries, without_splits
from treewright.ledger.lineage import Lineage
from treewright.ledger.node_statistics import Floats, NodeStatistics, Whole
from treewright.ledger.record import Entry
from treewright.ledger.verdicts import Judged, judge
from treewright.model.tree import Tree
from treewright.scale.cells import CellTable
from treewright.scale.class_weights import TableWeights
from treewright.scale.kept_counts import CountedNode, FetchedNode, KeptCounts
from treewright.scale.subtrees import NodeFacts, prepare_rows, set_root
from treewright.scale.survey import Survey
from treewright.store.ledgers import Ledgers, ledgers_of

Longs = NDArray[np.int64]
ROUNDING, NO_LOSS = 2.0**-50, 1e-12
"""A mean is 0 below this part of the centre of all targets, and a loss below this part of the squares."""


class GrownOn(NamedTuple):
    """What a tree was grown on: the survey, the weights, the plan, and the code of its strategy for missing values."""

    survey: Survey
    weights: TableWeights
    plan: Plan
    missing: int

    @property
    def used(self) -> Plan:
        """The plan as growth on a source uses it: divided rows are counted by weight, leaves afterwards."""
        plan = replace(self.plan, limits=replace(self.plan.limits, max_leaves=None))
        return replace(plan, minimum="weight") if self.missing == codes.FRACTIONAL else plan


class NodeLedgers:
    """The ledgers of the nodes of a grown tree, computed when they are read; used like `Ledgers`.

    grown  the tree
    """

    def __init__(self, grown: Tree, kept: KeptCounts, source: GrownOn, row: float) -> None:
        self.grown, self._kept, self._source = grown, kept, source
        whole = grown if kept.whole is None else kept.whole
        self._leaves = LeafReasons(source.plan, grown, Lineage(grown, grown), row, lambda: whole)

    def has(self, node: int) -> bool:
        """Whether there are counts or rows of a node."""
        at = self._find(node)[0]
        return at in self._kept.fetched or at in self._kept.counted or not self.grown.count[node]

    def entry(self, node: int) -> Entry:
        """The ledger of a node."""
        return next(self.entries([node]))

    def entries(self, nodes: Iterable[int]) -> Iterator[Entry]:
        """The ledgers of nodes, each once."""
        by_start: dict[int, list[int]] = {}
        for node in dict.fromkeys(nodes):
            if not self.has(node):
                raise InputError(
                    f"The candidates of node {node} of the grown tree are not known without its rows, because "
                    f"{self._why_unknown(node)}; or pass X and y with all rows, if they fit in memory."
                )
            by_start.setdefault(self._find(node)[1], []).append(node)
        for start, own in by_start.items():
            fetched = self._kept.fetched.get(self._find(start)[0])
            if fetched is not None:
                yield from self._entries_of_rows(fetched, start, own)
            else:
                yield from map(self._entry_of_counts, own)

    def only(self, nodes: Iterable[int]) -> Ledgers:
        """The ledgers of these nodes, computed."""
        return ledgers_of(self.grown, self.entries(nodes))

    def _why_unknown(self, node: int) -> str:
        if self._kept.is_full or not self._kept.has_room(int(self.grown.count[node])):
            return "the counts of all nodes take more memory than `keep`: use fit_source with a larger `keep`"
        if self._kept.is_resumed:
            return "growth went on from a checkpoint after it was counted: fit again without an interruption"
        return "sums do not tell its targets apart: scale the target, or leave out extreme ones"

    def _find(self, node: int) -> tuple[int, int]:
        """Where a node is found: a node of the draft that is kept, and its number in the tree. It is the node itself,
        or the one above it whose rows are kept.
        """
        path, at = [*path_to(self.grown, node), node], 0
        for above, below in pairwise(path):
            if at in self._kept.fetched:
                return at, above
            at = int(self._kept.first_child[at]) + below - int(self.grown.first_child[above])
        return at, node

    @cached_property
    def _cells(self) -> "CellReplay":
        return CellReplay(self._source, self._kept)

    def _entry_of_counts(self, node: int) -> Entry:
        at, path = self._find(node)[0], path_to(self.grown, node)
        return self._cells.entry(self._leaves, node, path, self._kept.counted.get(at))

    def _entries_of_rows(self, fetched: FetchedNode, start: int, nodes: list[int]) -> Iterator[Entry]:
        replay = RowReplay(self._source, self._kept, fetched)
        return replayed_entries(replay, self._leaves, nodes, start)


class RowReplay(GrowthReplay):
    """Replays growth on the rows of a node, from this node on."""

    def __init__(self, source: GrownOn, kept: KeptCounts, fetched: FetchedNode) -> None:
        survey = source.survey
        found = prepare_rows(survey, source.used, source.missing, source.weights, fetched.rows, coded=False)
        self.prepared = replace(found, bins=bins_of(survey))
        self._begin(*new_workspace(self.prepared), source)
        make_root(self._work)
        set_root(self._work, fetched.facts, kept.root)

    def _begin(self, draft: Draft, work: Work, source: GrownOn) -> None:
        self._draft, self._work, self._seen = draft, work, 0
        self._bound, self._least_gain = bool(work.plan.use_bound), source.used.limits.min_gain
        work.plan.min_gain = 0.0
        # with threshold="value", thresholds are values of the whole column
        self._rising = {f: one.values for f, one in enumerate(source.survey.columns)}


class CellReplay(RowReplay):
    """Searches nodes again by their counts."""

    def __init__(self, source: GrownOn, kept: KeptCounts) -> None:
        self._source, self._kept = source, kept
        self.table = CellTable(source.survey, source.used, source.missing, source.weights)
        self.prepared = self.table.prepared
        self._begin(self.table.draft, self.table.work, source)
        self._work.plan.use_bound = False

    def entry(self, leaves: LeafReasons, node: int, path: list[int], counted: CountedNode | None) -> Entry:
        """The entry of a node of the tree; one that has no counts has no rows."""
        tree, unit = leaves.tree, self.prepared.weights.unit
        if counted is None:
            none = without_splits(tree, 0, [0] * tree.schema.n_columns, unit)
            return make_entry(leaves, self._replayed(node, path, EMPTY), none)
        counts = counted.of_all_cells(self.table.layout.offset[-1])
        replayed = self._look(node, path, counted, counts)
        if not replayed.candidates:
            weight = self._weight(counts)
            ends = self.table.layout.offset[1:]
            missing = [int(weight[end - self.table.layout.n_classes : end].sum()) for end in ends.tolist()]
            judged = without_splits(tree, counted.facts.weight, missing, unit)
        else:
            judged = self._judge(tree, replayed, counted, counts)
        return make_entry(leaves, replayed, judged)

    def _look(self, node: int, path: list[int], counted: CountedNode, counts: Longs) -> ReplayedNode:
        """A node with its candidates."""
        work, facts, weights = self._work, counted.facts, self._source.weights
        work.draft.clear()
        self.table.make_root(weights.by_class, self._source.survey.n_rows)
        set_root(work, facts, self._kept.root)
        is_pure = bool((facts.stats == facts.weight).any()) if work.table.n_classes else facts.impurity == 0.0
        closed = PURE if is_pure else self._limit(0, facts.rows)
        found = [] if is_pure else self._search_cells(counts)
        chosen = next((one for one in found if one.chosen), None)
        return self._replayed(node, path, self._why_closed(0, closed, chosen), facts, found, chosen)

    def _replayed(
        self,
        node: int,
        path: list[int],
        closed: str | None,
        facts: NodeFacts | None = None,
        found: Sequence[Candidate] = (),
        chosen: Candidate | None = None,
    ) -> ReplayedNode:
        none = np.zeros(0, np.int64)
        return ReplayedNode(
            node=node,
            path=np.array(path, np.int64),
            rows=none,
            weights=none,
            moments=none,
            impurity=0.0 if facts is None else facts.impurity,
            candidates=tuple(found),
            chosen=None if chosen is None else chosen.column,
            closed=closed,
            bounds=(-inf, inf) if facts is None else facts.bounds,
        )

    def _search_cells(self, counts: Longs) -> list[Candidate]:
        """The candidates of all columns."""
        work, live = self._work, set(self._live(0))
        np.asarray(work.candidates.n_cuts)[:] = np.asarray(work.candidates.n_values)[:] = 0
        self.table.search(0, counts if work.table.n_classes else counts[1:], refine=True)
        chosen = choose_column(work, 0)
        if chosen >= 0:
            self.table.show(0, chosen)
        choose_split(work, 0)
        found = []
        for f in range(work.table.n_columns):
            self.table.show(0, f)
            found.append(self._candidate(0, f, f in live))
        return found

    def _judge(self, tree: Tree, replayed: ReplayedNode, counted: CountedNode, counts: Longs) -> Judged:
        """The candidates with all numbers and verdicts; each column has rows of its own."""
        rows, described = [], []
        for one in replayed.candidates:
            self.table.show(0, one.column)
            rows.append(self._statistics(one.column, replayed, counted, counts))
            described.append(describe_candidate(self, rows[-1], one))
        above = set(tree.column[replayed.path].tolist())
        return judge(rows[0], replayed, described, above, rows.__getitem__)

    def _statistics(
        self, column: int, replayed: ReplayedNode, counted: CountedNode, counts: Longs
    ) -> "CellStatistics":
        """The cells of a column as the rows of a node."""
        begin, end = self.table.layout.offset[column : column + 2].tolist()
        cells, scale = begin + np.flatnonzero(counts[-1, begin:end]), counted.scale
        weight, none = self._weight(counts)[cells], np.zeros(0, np.int64)
        return CellStatistics(
            prepared=self.prepared,
            row=cells,
            weight=weight,
            target=self.prepared.dataset.target[cells],
            moment=none if scale is None else counts[1, cells],
            impurity=replayed.impurity,
            bounds=replayed.bounds,
            n_rows=counts[-1, cells],
            by_weight=self._source.used.minimum == "weight" and self._source.weights.rows is not None,
            square=np.zeros(0) if scale is None else counts[0, cells] / scale.scale / scale.scale,
            centre=0.0 if scale is None else scale.centre,
        )

    def _weight(self, counts: Longs) -> Longs:
        return counts[-1] if self._source.weights.rows is None else counts[-2]


@dataclass(frozen=True, eq=False)
class CellStatistics(NodeStatistics):
    """The cells of a column at a node, each as a row.

    n_rows     the rows of each cell
    by_weight  whether minimums are of weight
    square     of each cell, the sum of weight in units times squared distance from the centre
    centre     from which squares are counted
    """

    n_rows: Whole = field(default_factory=lambda: np.zeros(0, np.int64))
    by_weight: bool = False
    square: Floats = field(default_factory=lambda: np.zeros(0))
    centre: float = 0.0

    @property
    def counts_weight(self) -> bool:
        return self.by_weight

    def counted(self, order: NDArray[np.intp]) -> Whole:
        return np.cumsum(self.n_rows[order])

    def _numbers(self, branch: NDArray[np.intp], table: Whole) -> list[tuple[float, ...]]:
        """Weight, mean and loss of each branch, from sums of squares; rounding errors of what is 0 are left out."""
        known, some, placed = self.prepared.table, table[:, 0] > 0, branch >= 0
        moment = np.divide(table[:, 1], table[:, 0], out=np.zeros(len(table)), where=some) * known["y_unit"]
        mean = np.where(some, known["y_centre"] + moment, 0.0)
        mean[np.abs(mean) <= ROUNDING * abs(known["y_centre"])] = 0.0
        squares = np.bincount(branch[placed], self.square[placed], len(table))
        loss = squares - table[:, 0] * (known["y_centre"] - self.centre + moment) ** 2
        loss[~some | (loss <= NO_LOSS * squares)] = 0.0
        return list(zip((table[:, 0] * self.unit).tolist(), mean.tolist(), (loss * self.unit).tolist(), strict=True))


def bins_of(survey: Survey) -> dict[int, Bins]:
    """The bins of the columns that have some."""
    return {f: one.bins for f, one in enumerate(survey.columns) if one.bins is not None}
