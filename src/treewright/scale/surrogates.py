"""Surrogates on a source: splits on other columns, found from counts of rows by branch.

In: for a split in two, the rows and the weight that each code of each column has in both branches. Out: its surrogates
in the draft, those that growth in memory finds, and the branch of each code of them.

A cell is a code of a column with a branch. The rows that are missing on the split's column are a third branch: no
surrogate can agree on them, but a cut may lie next to their values.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewright._core.grow import keep_surrogate, next_surrogate, search_surrogate
from treewright.data.schema import Schema, Target
from treewright.grow.plan import Plan
from treewright.scale.cells import CellTable
from treewright.scale.class_weights import TableWeights
from treewright.scale.levels import NONE, CodeBranches

Longs = NDArray[np.int64]
SIDES = 3
"""The two branches of a split, and the rows that are missing on its column."""


class SurrogateSearch:
    """The table of cells by branch, with the draft of the table of cells by class."""

    def __init__(self, table: CellTable, plan: Plan, missing: int, totals: TableWeights) -> None:
        self.table = table
        target = Target("branch", tuple(range(SIDES)))
        survey = replace(table.survey, schema=Schema(table.survey.schema.columns, target))
        own_plan = Plan(missing=plan.missing, max_surrogates=plan.max_surrogates, surrogates=plan.surrogates)
        self.cells = CellTable(survey, own_plan, missing, replace(totals, moments=None))
        del self.cells.prepared  # its array of values is large, and that of the other table is used
        work = self.cells.work
        work.draft = table.work.draft
        work.table.has_row_counts = True
        if table.work.plan.monotone:
            work.plan.assign({"monotone": True, "monotonic": table.work.plan.monotonic})
        np.asarray(work.table.side)[:] = np.asarray(work.table.labels)

    def find(self, node: int, counts: Longs, rows_by_code: Longs) -> list[CodeBranches]:
        """Find the surrogates of a split node, whose children have the known rows alone; the best first.

        counts        of cells by branch: of weight, and of rows
        rows_by_code  the rows that the node has of each code
        """
        known = counts[-1].reshape(-1, 2)
        rows, weights = np.empty((2, len(rows_by_code), SIDES), np.int64)
        rows[:, :2], weights[:, :2] = known, counts[0].reshape(-1, 2)
        rows[:, 2] = weights[:, 2] = rows_by_code - known.sum(axis=1)
        self.cells.load(weights.reshape(-1), rows.reshape(-1))

        work, draft = self.cells.work, self.table.work.draft
        self.table.draft.make_room(work, 0, 0)
        n_rows, first = draft.rows[node], draft.live_start[node]
        draft.surrogate_start[node], draft.surrogate_len[node] = draft.n_surrogates, 0
        for f in np.asarray(draft.live)[first : first + draft.live_len[node]].tolist():
            self.cells.show(node, f)
            search_surrogate(work, node, f)
        found = []
        while (f := next_surrogate(work, node)) >= 0:
            self.cells.show(node, f)
            keep_surrogate(work, node, f)
            found.append(self._read(draft.n_surrogates - 1, f))
        draft.rows[node] = n_rows
        return found

    def _read(self, s: int, f: int) -> CodeBranches:
        """The branches of a surrogate just found, whose rows beside the cut are made cells by class."""
        draft, n_codes = self.table.work.draft, self.table.survey.columns[f].n_codes
        low = draft.surrogate_low[s]
        if low >= 0:
            is_high = np.arange(n_codes) > self.cells.code[draft.surrogate_low_row[s]]
            for rows in (draft.surrogate_low_row, draft.surrogate_high_row):
                rows[s] = rows[s] // SIDES * self.table.layout.n_classes
            return CodeBranches(f, np.where(is_high, 1 - low, low))
        branches = np.full(n_codes, NONE, np.int64)
        part = slice(draft.surrogate_table[s], draft.surrogate_table[s] + draft.surrogate_table_len[s])
        branches[np.asarray(draft.surrogate_code)[part]] = np.asarray(draft.surrogate_branch)[part]
        return CodeBranches(f, branches)
