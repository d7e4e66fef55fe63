"""The cells that are counted, as rows of a table that the kernels of growth search.

A cell is a code of a column with a class. Its count is the weight of a row that has only this column; so a node with
its counts is a small weighted table, and the kernels find the same candidates in it as in the rows themselves. For a
number as the target a cell is a code alone, and its row has the moments of all rows with the code.

In: the survey of a source, a plan. Out: a workspace in which a node is searched and split by its counts.
"""

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import (
    Work,
    choose_column,
    choose_split,
    make_children_of,
    make_root,
    measure_by_sums,
    open_node,
    refine_gain,
    scales_of_node,
    search_next,
)
from treewright.data.dataset import Dataset
from treewright.data.fixed_point import Moments, Weights
from treewright.data.schema import Kind
from treewright.grow.column_layout import lay_out_columns
from treewright.grow.draft import Draft
from treewright.grow.plan import Plan
from treewright.grow.prepare import Prepared, plan_fields, table_fields
from treewright.grow.workspace import new_workspace
from treewright.scale.class_weights import TableWeights
from treewright.scale.engine import CellLayout, SlotScales, SlotTotals
from treewright.scale.survey import Survey

Longs = NDArray[np.int64]


def lay_out_cells(survey: Survey) -> CellLayout:
    """Where the cells of each column are; the last code of a column is a missing value."""
    n_classes = max(survey.n_classes, 1)
    sizes = [(one.n_codes + 1) * n_classes for one in survey.columns]
    return CellLayout(np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64), n_classes)


def prepare_cells(survey: Survey, plan: Plan, missing: int, totals: TableWeights) -> Prepared:
    """The table of cells as growth takes it; the last rows are the classes alone, of the whole node; or two rows of
    different targets.
    """
    layout = lay_out_cells(survey)
    n_classes, n_last = layout.n_classes, survey.n_classes or 2
    n_cells = int(layout.offset[-1]) + n_last
    values = np.full((n_cells, len(survey.columns)), np.nan, order="F")
    for f, one in enumerate(survey.columns):
        begin = layout.offset[f]
        values[begin : begin + one.n_codes * n_classes, f] = np.repeat(one.values, n_classes)
    labels = (np.arange(n_cells) % n_classes).astype(np.int32)
    numbers_of = (np.arange(n_cells) == n_cells - 1).astype(np.float64)
    moments = None if totals.moments is None else Moments(np.zeros(n_cells, np.int64), totals.moments)
    dataset = Dataset(survey.schema, values, labels if moments is None else numbers_of)
    weights = Weights(np.ones(n_cells, np.int64), totals.unit, totals.one)
    table = table_fields(dataset, weights, moments, shared=False) | {"has_own_ids": False, "has_coded": False}
    columns = lay_out_columns(dataset, None)
    code_rows = np.zeros((columns.n_codes, n_cells), np.int32)
    is_missing = np.zeros((columns.n_lists + 1, n_cells), np.uint8)
    for f, one in enumerate(survey.columns):
        own = np.arange(layout.offset[f], layout.offset[f + 1])
        if one.column.kind is Kind.CATEGORY:
            code_rows[columns.places[1, f], own] = np.arange(len(own)) // n_classes
        else:
            is_missing[columns.places[0, f], own[one.n_codes * n_classes :]] = 1
    stride = max(int(np.diff(layout.offset).max(initial=0)), n_last)
    table |= {
        "missing_in": np.array([one.missing_code for one in survey.columns], np.uint8),
        "stride": stride,
        "lists": np.zeros((columns.n_lists + 1) * stride, np.uint32),
        "n_lists": columns.n_lists + 1,
        "places": columns.places,
        "codes": code_rows,
        "n_levels": columns.n_levels,
        "is_missing": is_missing,
        "origin": np.arange(n_cells, dtype=np.int32),
        "wide_side": np.zeros(n_cells, np.int32),
    }
    numbers = plan_fields(dataset, plan, weights, missing, columns, totals.total)
    # cells are entries with a weight; where this is not the number of rows, minimums may be of either
    table["has_row_counts"] = plan.minimum == "rows" and totals.rows is not None
    table["row_counts"] = np.zeros(n_cells, np.int64)
    numbers |= {"count_weight": not table["has_row_counts"], "largest_row_weight": totals.largest}
    bins = {f: one.bins for f, one in enumerate(survey.columns) if one.bins is not None}
    return Prepared(dataset, plan, weights, moments, table, numbers, columns, None, bins)


class CellTable:
    """A workspace on the table of cells, with the draft of the tree.

    layout  where the cells of each column are
    code    cell -> code of its column
    """

    draft: Draft
    work: Work

    def __init__(self, survey: Survey, plan: Plan, missing: int, totals: TableWeights) -> None:
        self.survey, self.layout = survey, lay_out_cells(survey)
        self.prepared = prepare_cells(survey, plan, missing, totals)
        self.draft, self.work = new_workspace(self.prepared)
        table, n_classes = self.work.table, self.layout.n_classes
        self._lists = np.asarray(table.lists).reshape(table.n_lists, -1)
        self._list_of, self._weights = np.asarray(table.list_of), np.asarray(table.weights)
        self._rows, self._moments = np.asarray(table.row_counts), np.asarray(table.moments)
        self._entries = np.arange(table.n_rows, dtype=np.uint32)
        if table.label_mask:
            self._entries |= np.asarray(table.labels).astype(np.uint32) << np.uint32(table.shift)
        sizes = np.diff(self.layout.offset)
        self.code = (np.arange(self.layout.offset[-1]) - np.repeat(self.layout.offset[:-1], sizes)) // n_classes
        self._blocks: list[NDArray[np.uint32]] = []

    def class_sums(self, counts: Longs) -> Longs:
        """The counts of a node by class: those of any column."""
        own = counts[self.layout.offset[0] : self.layout.offset[1]]
        return own.reshape(-1, self.layout.n_classes).sum(axis=0)

    def node_sums(self, counts: Longs) -> Longs:
        """The stats of a node, from its counts of weight, or of moments and weight."""
        if self.survey.n_classes:
            return self.class_sums(counts[0])
        own = slice(self.layout.offset[0], self.layout.offset[1])
        return np.array([counts[1, own].sum(), counts[0, own].sum()])

    def make_root(self, class_weights: Longs, n_rows: int) -> bool:
        """Make the root of rows with these class weights, which a number has not; whether it may be split."""
        n, n_cells = self.survey.n_classes or 2, self.work.table.n_rows
        self._weights[-n:] = class_weights if self.survey.n_classes else 1
        present = np.flatnonzero(self._weights[-n:]) + n_cells - n
        self._lists[-1, : len(present)] = self._entries[present]
        self.work.table.n_rows = len(present)
        make_root(self.work)
        self.work.table.n_rows = n_cells
        self.work.draft.n_stack = self.work.draft.n_entries = 0
        self.work.draft.rows[0] = n_rows
        if not self.survey.n_classes:
            self.work.draft.root_weight = float(class_weights.sum())
        return not self.survey.n_classes or bool(open_node(self.work, 0))

    def scales(self, nodes: list[int], parents: list[int], totals: SlotTotals) -> SlotScales:
        """How the sums of nodes with these totals are found; of nodes with one target, nothing is added up."""
        found = np.zeros((4, len(nodes)))
        for i in np.flatnonzero(totals.low < totals.high).tolist():
            low, high = float(totals.low[i]), float(totals.high[i])
            centre, distance, loss = scales_of_node(self.work, nodes[i], low, high, parents[i])
            found[:, i] = low, distance, centre, loss
        return SlotScales(*found)

    def measure(self, node: int, parent: int, ends: tuple[float, float], sums: Longs) -> None:
        """Set the value and the loss of a node with these sums; an empty one has none."""
        draft = self.work.draft
        if draft.weight[node] > 0:
            measure_by_sums(self.work, node, ends, parent, tuple(sums.tolist()))
        else:
            draft.value[node], draft.impurity[node], draft.exact_impurity[node] = np.nan, 0.0, 0.0
        if node == 0:
            draft.root_impurity = draft.impurity[0]

    def search(self, node: int, counts: Longs, *, refine: bool) -> None:
        """Search a node of these counts, of weight or of moments and weight, and of rows; `refine` whether the gains of
        all numbers are those of a tree, to be shown.
        """
        if not self.survey.n_classes:
            self._moments[: counts.shape[1]] = counts[0]
        self.load(counts[0 if self.survey.n_classes else 1], counts[-1])
        work, n_rows = self.work, self.work.draft.rows[node]
        self.draft.make_room(work, self.prepared.most + 2, self.prepared.most)
        work.draft.start[node] = 0
        first = work.draft.live_start[node]
        live = np.asarray(work.draft.live)[first : first + work.draft.live_len[node]].tolist()
        for i, f in enumerate(live):
            self.show(node, f)
            if self._list_of[f] < 0 and work.table.has_row_counts:
                work.draft.rows[node] = n_rows  # no entry of a category is looked up by its position
            search_next(work, node, i)
            if refine:
                refine_gain(work, node, f)

    def split(self, node: int, counts: Longs, only_known: bool) -> list[int] | None:
        """Split a node of these counts, of weight or of moments and weight, and of rows, by its best candidate; its
        children, or None if it stays a leaf.

        only_known  whether the children get the rows alone that are known on the column: the others go down all
                    branches, or follow surrogates
        """
        work, n_rows = self.work, self.work.draft.rows[node]
        self.search(node, counts, refine=False)
        chosen = choose_column(work, node)
        if chosen >= 0:
            self.show(node, chosen)
        if chosen < 0 or not choose_split(work, node):
            work.draft.rows[node] = n_rows
            return None
        work.draft.n_entries, strategy, n_surrogates = 0, work.plan.missing, work.plan.max_surrogates
        if only_known:
            work.plan.missing = codes.STOP
        work.plan.max_surrogates = 0  # they are found afterwards, from other counts
        make_children_of(work, node)
        work.plan.missing, work.plan.max_surrogates = strategy, n_surrogates
        work.draft.n_stack = 0
        work.draft.rows[node] = n_rows
        begin = work.draft.first_child[node]
        return list(range(begin, begin + work.draft.n_children[node]))

    def branch_of_codes(self, node: int) -> Longs:
        """The branch of each known code of the column that a node is split on; -1 for codes that no row has."""
        draft, own = self.work.draft, self.survey.columns[self.work.draft.column[node]]
        if draft.kind[node] == codes.THRESHOLD:
            low = draft.low_row[node]
            highest = own.n_codes if low < 0 else self.code[low]
            return (np.arange(own.n_codes) > highest).astype(np.int64)
        branches = np.full(own.n_codes, -1, np.int64)
        part = slice(draft.table_start[node], draft.table_start[node] + draft.table_len[node])
        branches[np.asarray(draft.pool_code)[part]] = np.asarray(draft.pool_branch)[part]
        return branches

    def load(self, weights: Longs, rows: Longs) -> None:
        """Take the counts of a node for those of the cells, and list the cells that have some by column."""
        self._weights[: len(weights)], self._rows[: len(rows)] = weights, rows
        present = np.flatnonzero(weights)
        ends = np.searchsorted(present, self.layout.offset)
        entries, code = self._entries[present], self.code[present]
        is_first = np.ones(len(present), bool)
        is_first[1:] = code[1:] != code[:-1]
        is_first[ends[:-1][ends[:-1] < len(present)]] = True
        entries = np.where(is_first, entries | np.uint32(codes.FLAG), entries)
        self._blocks = np.split(entries, ends[1:-1])

    def show(self, node: int, f: int) -> None:
        """Make the cells of a column the rows of the node."""
        block, place = self._blocks[f], self._list_of[f]
        self._lists[-1, : len(block)] = block
        if place >= 0:
            self._lists[place, : len(block)] = block
        self.work.draft.rows[node] = self.work.table.n_listed = len(block)
