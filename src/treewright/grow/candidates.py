"""The candidates of nodes of a grown tree: the best split of each column, exactly as growth found it.

In: the training rows, the plan, the tree and some of its nodes. Out: for each of these nodes the candidates of all
columns and its rows. Growth is replayed with the compiled kernels, along the paths from the root to these nodes only.
Children are found by their branch, so this works for trees that were pruned, collapsed or grown best first.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf, isclose, isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import (
    choose_split,
    has_room_for_copies,
    make_children_of,
    make_root,
    partition_columns,
    refine_gain,
    search_node,
)
from treewright.data.dataset import Dataset
from treewright.errors import InputError
from treewright.grow.freeze import largest_values_not_above, thresholds_between_rows
from treewright.grow.grower import refuse_numbers
from treewright.grow.plan import Plan
from treewright.grow.prepare import prepare
from treewright.grow.threads import CELLS_PER_STEP, cost_of_cell
from treewright.grow.workspace import make_room_for_copies, new_workspace
from treewright.model.tree import Tree

EMPTY, PURE, SMALL, DEEP, NO_CANDIDATE, LITTLE_GAIN = "empty", "pure", "small", "deep", "no candidate", "little gain"
"""Why a node is a leaf after growth: no rows, one class, min_split, max_depth, no column to split on, min_gain."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The candidate of a column at a node, with the numbers it was ranked by.

    `gain` is after the `penalty`; `merit` is NaN for a column below the floor; `threshold` is NaN unless the column is
    a number with a cut. A number has `n_cuts` admissible cuts; the groups of a category are made of `n_values` values.

    ok              whether there is a candidate: a split whose gain is not above its penalty is not one
    missing_use     what becomes of rows with a missing value: a number of `_core.codes` (PLAIN, MISSING_LOW ...)
    missing_branch  the branch that missing rows go down, -1 if there is none or one of their own
    codes, branches of a category with a split: the categories present, and the branch of each
    n_barred        cuts or groupings that monotonic constraints do not allow
    """

    column: int
    name: str
    gain: float
    split_info: float
    merit: float
    threshold: float
    chosen: bool
    n_cuts: int = 0
    ok: bool = True
    missing_use: int = codes.PLAIN
    missing_branch: int = -1
    codes: tuple[int, ...] = ()
    branches: tuple[int, ...] = ()
    penalty: float = 0.0
    n_values: int = 0
    n_barred: int = 0

    @property
    def has_split(self) -> bool:
        """Whether there is a split to be shown, also if its gain is not above its penalty."""
        return self.ok or not isnan(self.split_info)


@dataclass(frozen=True, slots=True, eq=False)
class ReplayedNode:
    """A node as growth had it.

    node       its number in the tree that was walked; `path` has the nodes above it, the root first
    rows       its rows, as indices into the table of `Prepared`, in the order of their targets
    weights    of these rows, in units; `moments` are their weighted targets in units, empty for classes
    impurity   of the rows
    candidates one for each column, in the order of the table; none where the node is pure or empty
    chosen     the column that is split on, None if there is none
    bounds     the predictions that monotonic constraints allow at the node and below it
    closed     why it is a leaf, one of the names above; None if it is split
    """

    node: int
    path: NDArray[np.int64]
    rows: NDArray[np.intp]
    weights: NDArray[np.int64]
    moments: NDArray[np.int64]
    impurity: float
    candidates: tuple[Candidate, ...]
    chosen: int | None
    closed: str | None
    bounds: tuple[float, float] = (-inf, inf)


def root_candidates(dataset: Dataset, plan: Plan) -> list[Candidate]:
    """The candidates of the root, of the columns that have one.

    >>> from treewright.data.schema import Column, Kind, Schema, Target
    >>> schema = Schema((Column("age", Kind.NUMBER),), Target("buys", ("no", "yes")))
    >>> rows = Dataset(schema, np.array([[20.0], [30.0], [40.0]]), np.array([0, 1, 1], np.int32))
    >>> [(one.name, one.threshold, one.n_cuts) for one in root_candidates(rows, Plan())]
    [('age', 25.0, 2)]
    """
    refuse_numbers(dataset, plan)
    walk = GrowthReplay(dataset, plan)
    return [c for c in walk.candidates(0) if c.ok]


class GrowthReplay:
    """Replays growth, one node at a time; `prepared` is the table as growth has it."""

    def __init__(self, dataset: Dataset, plan: Plan) -> None:
        self.prepared = prepare(dataset, plan)
        self._bound, self._least_gain = self.prepared.numbers["use_bound"], plan.limits.min_gain
        self.prepared.numbers["min_gain"] = 0.0  # splits with too little gain are replayed, too
        self._draft, self._work = new_workspace(self.prepared)
        self._rising: dict[int, NDArray[np.float64]] = {}
        self._seen = 0
        make_root(self._work)

    def visit(self, tree: Tree, nodes: Iterable[int], start: int = 0) -> Iterator[ReplayedNode]:
        """The nodes as growth had them, each once, depth first and the last branch first.

        A replay can be used once. It begins at the node `start`, whose rows it has.
        """
        wanted = set(nodes)
        passed = _with_ancestors(tree, wanted)
        path = np.empty(tree.depth + 1, np.int64)
        above = path_to(tree, start)
        path[: len(above)] = above
        # node, its number in the draft, the end of the draft when its branches are made
        waiting = [(start, 0, 1)]
        while waiting:
            node, at, end = waiting.pop()
            depth = self._return_to(at, end)
            path[depth] = node
            if node in wanted:
                seen = self.look(at)
                self._check_node(tree, node, at)
                yield replace(seen, node=node, path=path[:depth].copy())
            first, n = int(tree.first_child[node]), int(tree.n_children[node])
            below = [b for b in range(n) if first + b in passed]
            if below:
                if node not in wanted:
                    self._search(at, bound=self._bound)
                    self._choose(at)
                    self._check_node(tree, node, at)
                self._split(at)
                begin = self._work.draft.first_child[at]
                # the last branch is next, as in growth: its entries have room to grow
                waiting += [(first + b, begin + b, begin + n) for b in below]

    def look(self, at: int) -> ReplayedNode:
        """A node of the draft, with its candidates and its rows."""
        work, self._seen = self._work, at
        rows = self._ids(at)
        closed = self._closed(at, rows)
        found = [] if closed in (EMPTY, PURE) else self.candidates(at)
        chosen = next((c for c in found if c.chosen), None)
        closed = self._why_closed(at, closed, chosen)
        weights = np.asarray(work.table.weights)[rows] if work.table.weighted else np.ones(len(rows), np.int64)
        moments = np.zeros(0, np.int64) if work.table.n_classes else np.asarray(work.table.moments)[rows]
        return ReplayedNode(
            node=at,
            path=np.zeros(0, np.int64),
            rows=self._origin(rows),
            weights=weights,
            moments=moments,
            impurity=self._impurity(at),
            candidates=tuple(found),
            chosen=None if chosen is None else chosen.column,
            closed=closed,
            bounds=(work.draft.bound_low[at], work.draft.bound_high[at]) if work.plan.monotone else (-inf, inf),
        )

    def _why_closed(self, at: int, closed: str | None, chosen: Candidate | None) -> str | None:
        """Why a searched node is a leaf; `closed` is why, if it is one before it is searched."""
        if closed is not None or chosen is None:
            return closed or NO_CANDIDATE
        draft = self._work.draft
        improves = draft.weight[at] / draft.root_weight * chosen.gain
        # the tie rule: what is less by rounding only is not less
        return LITTLE_GAIN if self._least_gain > improves + codes.GAIN_TIE * draft.root_impurity else None

    def candidates(self, at: int) -> list[Candidate]:
        """The candidates of all columns at a node of the draft; the chosen one is stored there."""
        self._search(at, bound=False)
        for f in self._live(at):
            refine_gain(self._work, at, f)
        live = self._choose(at)
        return [self._candidate(at, f, live[f]) for f in range(self._work.table.n_columns)]

    def by_value(self, column: int) -> NDArray[np.intp]:
        """The rows of the last node by their value in a numeric column that has a candidate, in a table without missing
        values.
        """
        return self._entries(self._seen, self._work.table.list_of[column])

    def rising(self, column: int) -> NDArray[np.float64]:
        """The values of a whole column in order, from which thresholds are taken with threshold="value"."""
        if column not in self._rising:
            self._rising[column] = np.sort(self.prepared.dataset.values[:, column])
        return self._rising[column]

    def _return_to(self, at: int, end: int) -> int:
        """Go back to a node, dropping what was made below earlier ones, and return its depth."""
        work = self._work
        work.draft.n_nodes = end
        work.draft.n_stack = work.draft.n_pool = work.draft.n_surrogates = work.draft.n_surrogate_pool = 0
        work.draft.n_live = work.draft.live_start[at] + work.draft.live_len[at]
        work.draft.n_entries = work.draft.start[at] + work.draft.rows[at]
        work.draft.n_ids = work.draft.ids_end[at]
        return int(work.draft.depth[at])

    def _search(self, at: int, *, bound: bool) -> None:
        work = self._work
        work.plan.use_bound = bound
        np.asarray(work.candidates.n_cuts)[:] = np.asarray(work.candidates.n_values)[:] = 0
        n, most = work.draft.live_len[at], CELLS_PER_STEP // cost_of_cell(self.prepared.plan)
        step = max(1, most // max(1, work.draft.rows[at]))
        for low in range(0, n, step):  # Ctrl-C can interrupt between two steps
            search_node(work, at, low, min(low + step, n))

    def _live(self, at: int) -> list[int]:
        """The columns that are searched at a node."""
        draft = self._work.draft
        first = draft.live_start[at]
        columns: list[int] = np.asarray(draft.live)[first : first + draft.live_len[at]].tolist()
        return columns

    def _choose(self, at: int) -> NDArray[np.bool_]:
        """Choose among the candidates just found, and return which columns were searched."""
        work, most = self._work, self.prepared.most
        live = np.zeros(work.table.n_columns, bool)
        live[self._live(at)] = True
        draft, n_live = work.draft, work.draft.n_live + work.table.n_columns
        if draft.n_nodes + most + 2 > draft.node_room or len(draft.live) < n_live:
            self._draft.make_room(work, most + 2, most)
        choose_split(work, at)
        return live

    def _split(self, at: int) -> None:
        work = self._work
        if self.prepared.numbers["missing"] == codes.FRACTIONAL and not has_room_for_copies(work, at):
            make_room_for_copies(work)
        make_children_of(work, at)
        partition_columns(work, at, 0, work.draft.live_len[at])

    def _candidate(self, at: int, f: int, live: bool) -> Candidate:
        work = self._work
        name = self.prepared.dataset.schema.columns[f].name
        if not live:
            return Candidate(f, name, nan, nan, nan, nan, chosen=False, ok=False)
        found = work.candidates
        ok, first = bool(found.ok[f]), int(found.first_code[f])
        has_split = ok or found.split_info[f] > 0.0
        is_listed = has_split and work.table.list_of[f] < 0
        own = slice(first, first + int(found.n_present[f])) if is_listed else slice(0)
        present, branches = (tuple(np.asarray(a)[own].tolist()) for a in (found.codes, found.branches))
        return Candidate(
            column=f,
            name=name,
            gain=found.gain[f] if ok else nan,
            split_info=found.split_info[f] if has_split else nan,
            merit=found.merit[f] if ok else nan,
            threshold=self._threshold(at, f),
            chosen=bool(work.draft.column[at] == f),
            n_cuts=found.n_cuts[f],
            ok=ok,
            missing_use=found.missing_use[f],
            missing_branch=found.missing_branch[f],
            n_barred=found.n_barred[f] if work.plan.monotone else 0,
            codes=present,
            branches=(0,) * len(present) if found.missing_use[f] == codes.IS_MISSING else branches,
            penalty=found.penalty[f],
            n_values=found.n_values[f],
        )

    def _threshold(self, at: int, f: int) -> float:
        work = self._work
        if work.table.list_of[f] < 0:
            return nan
        if work.candidates.missing_use[f] == codes.IS_MISSING:
            return inf
        if work.candidates.position[f] < 0:
            return nan
        place = work.table.list_of[f] * work.table.stride + work.draft.start[at] + work.candidates.position[f]
        pair = np.array([work.table.lists[place], work.table.lists[place + 1]]) & work.table.row_mask
        low, high = self._origin(pair)
        rows = np.array([low]), np.array([high])
        middle = thresholds_between_rows(self.prepared, np.ones(1, bool), *rows, np.array([f], np.int32))
        if self.prepared.plan.threshold == "value":
            middle = largest_values_not_above(self.rising(f), middle)
        return float(middle[0]) + 0.0

    def _ids(self, at: int) -> NDArray[np.intp]:
        return self._entries(at, self._work.table.n_lists - 1)

    def _entries(self, at: int, which: int) -> NDArray[np.intp]:
        """The ids of a node's rows in the order of a list."""
        work = self._work
        first = which * work.table.stride + work.draft.start[at]
        entries = np.asarray(work.table.lists)[first : first + work.draft.rows[at]]
        return (entries & np.uint32(work.table.row_mask)).astype(np.intp)

    def _origin(self, ids: NDArray[np.intp]) -> NDArray[np.intp]:
        """The rows of the table with these ids; fractions of a row have ids of their own."""
        if self.prepared.numbers["missing"] != codes.FRACTIONAL:
            return ids
        return np.asarray(self._work.table.origin)[ids].astype(np.intp)

    def _closed(self, at: int, ids: NDArray[np.intp]) -> str | None:
        """Why the node is a leaf before columns are searched; None if they are searched."""
        work = self._work
        if not len(ids):
            return EMPTY
        stats, y = np.asarray(work.draft.stats)[at], np.asarray(work.table.y)
        if (stats == work.draft.weight[at]).any() if work.table.n_classes else y[ids[0]] == y[ids[-1]]:
            return PURE
        return self._limit(at, len(ids))

    def _limit(self, at: int, n_rows: int) -> str | None:
        """The limit that a node of so many rows has reached; None if there is none."""
        work = self._work
        plan, counted, least = work.plan, n_rows, work.plan.min_split
        if plan.count_weight:
            counted, least = work.draft.weight[at], least * plan.row_weight
        if counted < least:
            return SMALL
        return DEEP if work.draft.depth[at] >= work.plan.max_depth else None

    def _impurity(self, at: int) -> float:
        """The impurity that the finished tree has."""
        work = self._work
        return float(work.draft.impurity[at] if work.table.n_classes else work.draft.exact_impurity[at])

    def _check_node(self, tree: Tree, node: int, at: int) -> None:
        """Raise an error if the rows do not give this node of the tree."""
        work = self._work
        same = tree.count[node] == work.draft.rows[at] and _nearly_equal(tree.impurity[node], self._impurity(at))
        if tree.n_children[node]:
            same &= tree.column[node] == work.draft.column[at] and tree.n_children[node] == work.draft.n_children[at]
            same &= _nearly_equal(tree.gain[node], work.draft.gain[at])
        if not same:
            raise InputError(
                f"The rows do not reproduce the tree at node {node}; pass all training rows, unchanged."
            )


def _nearly_equal(a: float, b: float) -> bool:
    """Whether two numbers are equal up to the rounding of another machine."""
    return isclose(a, b, rel_tol=1e-9, abs_tol=1e-300)


def path_to(tree: Tree, node: int) -> list[int]:
    """The nodes above a node, the root first.

    >>> from treewright.model.build import golf_example
    >>> path_to(golf_example(), 4)
    [0, 1]
    """
    found = []
    while (node := int(tree.parent[node])) >= 0:
        found.append(node)
    return found[::-1]


def _with_ancestors(tree: Tree, nodes: Iterable[int]) -> set[int]:
    """The nodes and all nodes above them."""
    found: set[int] = set()
    parent: Any = tree.parent
    for node in nodes:
        i = int(node)
        while i >= 0 and i not in found:
            found.add(i)
            i = int(parent[i])
    return found
