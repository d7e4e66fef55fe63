"""Room for the parts of the workspace: candidates, histograms of coded columns, what each thread works in.

In: the prepared table. Out: arrays of the right size.
"""

from typing import Any

import numpy as np

from treewright._core import codes
from treewright._core.grow import Candidates, Coded, Work
from treewright.grow.coded import new_coded
from treewright.grow.plan import IN_TWO
from treewright.grow.prepare import Prepared
from treewright.grow.row_copies import MEDIAN

MOST_TRIED = 16
"""Monotone trees: cuts of a node whose children are made and found out of order before the column is given up."""


def row_fields(prepared: Prepared, n_rows: int | None = None) -> dict[str, Any]:
    """By row, for n_rows or all of them; threads that work on different rows share these."""
    plan = prepared.plan
    n_rows = prepared.dataset.n_rows if n_rows is None else n_rows
    fields: dict[str, Any] = {"side": np.empty(n_rows, np.uint8)}
    missing = prepared.numbers["missing"]
    many = prepared.most > 2 and plan.grouping not in IN_TWO
    if many or missing in (codes.FRACTIONAL, codes.STOP, codes.BRANCH):
        fields["wide_side"] = np.empty(n_rows, np.int32)
    if missing == codes.FRACTIONAL:
        fields |= {
            "first_copy": np.empty(n_rows, np.int32),
            "n_copies": np.empty(n_rows, np.int32),
            "heaviest_first": np.empty(prepared.most + 2, np.int64),
        }
    return fields


def coded_columns(prepared: Prepared, n_threads: int = 1, n_rows: int | None = None) -> Coded | None:
    """The coded columns, with room for the histograms of nodes up to n_rows; threads that work on the same nodes share
    these.
    """
    if prepared.coding is None:
        return None
    n_rows = prepared.dataset.n_rows if n_rows is None else n_rows
    n_classes = prepared.dataset.schema.target.n_classes
    return new_coded(prepared.coding, n_classes, n_rows, n_threads, prepared.plan.limits.max_leaves or 0)


def lay_candidates(prepared: Prepared, candidates: Candidates) -> None:
    """Room for the candidates of a node."""
    present = prepared.layout.present
    n = max(len(present) + 1, sum(present))
    candidates.lay(
        np.zeros((10, n), np.int64),
        np.zeros((4, n)),
        np.zeros((6, n), np.int32),
        np.zeros((5, n), np.uint8),
        present,
    )


def lay_scratch(prepared: Prepared, work: Work) -> None:
    """Room to work in, for one thread."""
    n_rows, width = prepared.dataset.n_rows, prepared.table["width"]
    most, is_whole = prepared.most, prepared.numbers["missing"] == codes.WHOLE
    table_room = max(2, min(most, 2 * n_rows + 16)) + 1  # missing is one more category
    grouped = min(most + 1, codes.MAX_GROUPED) if _merges(prepared) else 1
    n = max(len(prepared.layout.present) + 1, width, table_room, grouped, most + 3)
    fields: dict[str, Any] = {
        "room": (
            np.zeros((7, n), np.int64),
            np.zeros((7, n)),
            np.zeros((6, n), np.int32),
            np.empty((3 + table_room + grouped + 1, width), np.int64),
            np.empty((1 if is_whole else 2, n_rows), np.uint32),
            most + 1,
            table_room,
        ),
    }
    if grouped > 1:
        fields["pairs"] = np.empty((2 * grouped, grouped))
    if prepared.plan.by_median:
        fields["rank"] = np.empty(n_rows, np.int64)
        fields["ranked"] = np.empty(n_rows, np.uint32)
        fields |= {name: np.empty(n_rows + 2, np.int64) for name in MEDIAN}
        values = ("value_rank", "value_weight", "value_moment")
        fields |= {name: np.empty(most + 1, np.int64) for name in values}
    if prepared.numbers["monotone"]:
        work.search.assign({
            "tried_column": np.empty(MOST_TRIED, np.int32),
            "tried_pos": np.empty(MOST_TRIED, np.int64),
        })
        median_room = n_rows + 2 if prepared.plan.by_median else 1
        fields |= {name: np.empty(median_room) for name in ("rank_value", "low_median")}
    if not is_whole:
        fields["known_stats"] = np.empty((2, width), np.int64)
        fields["branch_weight"] = np.empty(most + 2)
    work.scratch.assign(fields)


def _merges(prepared: Prepared) -> bool:
    """Whether categories are merged group by group."""
    many = prepared.dataset.schema.target.n_classes > 2
    return prepared.plan.grouping in ("greedy", "least-loss") or (prepared.plan.grouping == "binary" and many)
