"""What each thread needs for itself: the candidates of the node in hand, and room to work.

In: the prepared table. Out: fields of a Work.
"""

from typing import Any

import numpy as np

from treewright._core import codes
from treewright.grow.coded import new_coded
from treewright.grow.plan import IN_TWO
from treewright.grow.prepare import Prepared
from treewright.grow.store import MEDIAN

CANDIDATES = (
    "c_pos", "c_cuts", "c_branches", "c_present", "c_missing", "c_agree", "c_agree_pos", "c_blocks",
    "c_barred", "c_gain", "c_info", "c_merit", "c_charge", "c_missing_branch", "c_agree_low", "c_below", "c_above",
    "c_ok", "c_style", "c_extra", "c_dead", "c_way", "level_start", "c_code", "c_branch",
)  # fmt: skip
"""The candidates, name by name: threads that search the columns of one node share them."""
MOST_TRIED = 16
"""Monotone trees: cuts of a node whose children are made and found out of order before the column is given up."""


def row_fields(prepared: Prepared, n_rows: int | None = None) -> dict[str, Any]:
    """By row, for n_rows or all of them; threads that work on different rows share these."""
    plan = prepared.plan
    n_rows = prepared.dataset.n_rows if n_rows is None else n_rows
    fields: dict[str, Any] = {"side": np.empty(n_rows, np.uint8)}
    missing = prepared.fields["missing"]
    many = prepared.most > 2 and plan.grouping not in IN_TWO
    if many or missing in (codes.FRACTIONAL, codes.STOP, codes.BRANCH):
        fields["wide_side"] = np.empty(n_rows, np.int32)
    if missing == codes.FRACTIONAL:
        fields |= {
            "share_first": np.empty(n_rows, np.int32),
            "share_len": np.empty(n_rows, np.int32),
            "by_weight": np.empty(prepared.most + 2, np.int64),
        }
    return fields


def coded_fields(prepared: Prepared, n_threads: int = 1, n_rows: int | None = None) -> dict[str, Any]:
    """Room for the tallies of coded columns, which threads that work on the same nodes share; of nodes up to n_rows."""
    if prepared.coding is None:
        return {}
    n_rows = prepared.dataset.n_rows if n_rows is None else n_rows
    n_classes = prepared.dataset.schema.target.n_classes
    return {"coded": new_coded(prepared.coding, n_classes, n_rows, n_threads, prepared.plan.limits.max_leaves or 0)}


def scratch_fields(prepared: Prepared) -> dict[str, Any]:
    """Candidates and room to work."""
    n_rows, width = prepared.dataset.n_rows, prepared.fields["width"]
    most, present, is_whole = prepared.most, prepared.layout.present, prepared.fields["missing"] == codes.WHOLE
    table_room = max(2, min(most, 2 * n_rows + 16)) + 1  # missing is one more category
    grouped = min(most + 1, codes.MAX_GROUPED) if _merges(prepared) else 1
    n = max(len(present) + 1, sum(present), width, table_room, grouped, most + 3)
    fields: dict[str, Any] = {
        "room": (
            np.zeros((17, n), np.int64),
            np.zeros((11, n)),
            np.zeros((12, n), np.int32),
            np.zeros((5, n), np.uint8),
            np.empty((3 + table_room + grouped + 1, width), np.int64),
            np.empty((1 if is_whole else 2, n_rows), np.uint32),
            most + 1,
            table_room,
            present,
        ),
        "best_gain": -1.0,
    }
    if grouped > 1:
        fields["pairs"] = np.empty((2 * grouped, grouped))
    if prepared.plan.by_median:
        fields["rank"] = np.empty(n_rows, np.int64)
        fields["ranked"] = np.empty(n_rows, np.uint32)
        fields |= {name: np.empty(n_rows + 2, np.int64) for name in MEDIAN}
        values = ("value_rank", "value_weight", "value_moment")
        fields |= {name: np.empty(most + 1, np.int64) for name in values}
    if prepared.fields["monotone"]:
        fields |= {"tried_column": np.empty(MOST_TRIED, np.int32), "tried_pos": np.empty(MOST_TRIED, np.int64)}
        median_room = n_rows + 2 if prepared.plan.by_median else 1
        fields |= {name: np.empty(median_room) for name in ("rank_value", "low_median")}
    if not is_whole:
        fields["apart"] = np.empty((2, width), np.int64)
        fields["portion"] = np.empty(most + 2)
    return fields


def _merges(prepared: Prepared) -> bool:
    """Whether categories are merged group by group."""
    many = prepared.dataset.schema.target.n_classes > 2
    return prepared.plan.grouping in ("greedy", "least-loss") or (prepared.plan.grouping == "binary" and many)
