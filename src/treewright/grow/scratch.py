"""What each thread needs for itself: the candidates of the node in hand, and room to work.

In: the prepared table. Out: fields of a Work.
"""

from typing import Any

import numpy as np

from treewright._core import codes
from treewright.data.schema import Kind
from treewright.grow.coded import new_coded
from treewright.grow.plan import IN_TWO
from treewright.grow.prepare import Prepared

MOST_TRIED = 16
"""Monotone trees: cuts of a node whose children are made and found out of order before the column is given up."""


def candidate_fields(prepared: Prepared) -> dict[str, Any]:
    """One entry a column, and one a category that may be present."""
    columns = prepared.dataset.schema.columns
    n_rows = prepared.dataset.n_rows
    n = len(columns)
    present = [min(c.n_categories + 1, n_rows) if c.kind is Kind.CATEGORY else 0 for c in columns]
    total = max(sum(present), 1)
    start = np.zeros(n + 1, np.int64)
    np.cumsum(present, out=start[1:])
    longs = np.zeros((9, n), np.int64)
    doubles = np.zeros((4, n))
    bytes_ = np.zeros((5, n), np.uint8)
    ints = np.zeros((4, n), np.int32)
    return {
        "c_ok": bytes_[0],
        "c_style": bytes_[1],
        "c_extra": bytes_[2],
        "c_dead": bytes_[3],
        "c_way": bytes_[4],
        "c_gain": doubles[0],
        "c_info": doubles[1],
        "c_merit": doubles[2],
        "c_charge": doubles[3],
        "c_pos": longs[0],
        "c_cuts": longs[1],
        "c_scored": longs[2],
        "c_branches": longs[3],
        "c_present": longs[4],
        "c_missing": longs[5],
        "c_agree": longs[6],
        "c_agree_pos": longs[7],
        "c_blocks": longs[8],
        "c_missing_branch": ints[0],
        "c_below": ints[2],
        "c_above": ints[3],
        "c_agree_low": ints[1],
        "c_barred": np.zeros(n, np.int64),
        "level_start": start,
        "c_code": np.empty(total, np.int32),
        "c_branch": np.empty(total, np.int32),
    }


def row_fields(prepared: Prepared) -> dict[str, Any]:
    """By row; threads that work on different rows share these."""
    plan, n_rows = prepared.plan, prepared.dataset.n_rows
    fields: dict[str, Any] = {"side": np.empty(n_rows, np.uint8)}
    many = any(c.n_categories > 2 for c in prepared.dataset.schema.columns) and plan.grouping not in IN_TWO
    missing = prepared.fields["missing"]
    wide = many or missing in (codes.FRACTIONAL, codes.STOP, codes.BRANCH)
    fields["wide_side"] = np.empty(n_rows if wide else 1, np.int32)
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
    """Room to work, never shared."""
    n_rows = prepared.dataset.n_rows
    n_classes = prepared.dataset.schema.target.n_classes
    width = n_classes or 2
    most = prepared.most
    table_room = max(2, min(most, 2 * n_rows + 16)) + 1  # missing is one more category
    median_room = n_rows + 2 if prepared.plan.criterion == "absolute_error" else 1
    grouped = min(most + 1, codes.MAX_GROUPED) if _merges(prepared) else 1
    fields: dict[str, Any] = {
        "buffer": np.empty(n_rows, np.uint32),
        "sides": np.empty((3, width), np.int64),
        "pair": np.empty(3),
        "left": np.empty(width, np.int64),
        "slot": np.full(most + 1, -1, np.int32),
        "table": np.empty((table_room, width), np.int64),
        "sums": np.empty(table_room, np.int64),
        "table_rows": np.empty(table_room, np.int64),
        "key": np.empty(table_room, np.float64),
        "order": np.empty(table_room, np.int32),
        "mean": np.empty(width, np.float64),
        "direction": np.empty(width, np.float64),
        "turned": np.empty(width, np.float64),
        "blocks": np.empty((grouped + 1, width), np.int64),
        "block_rows": np.empty(grouped, np.int64),
        "block_of": np.empty(table_room if grouped > 1 else 1, np.int32),  # also of values that are one from the start
        "block_at": np.empty(grouped, np.int32),
        "n_blocks": 0,
        "gone": 0.0,
        "pair_gain": np.empty((grouped, grouped), np.float64),
        "pair_info": np.empty((grouped, grouped), np.float64),
        "block_cost": np.empty(grouped),
        "near": np.empty(grouped, np.int32),
        "near_loss": np.empty(grouped),
        "into": np.empty(grouped, np.int32),
        "left_then": np.empty(grouped, np.int64),
        "offset": np.empty(most + 3, np.int64),
        "last_group": np.empty(most + 3, np.int64),
        "tree_weight": np.empty(median_room, np.int64),
        "tree_moment": np.empty(median_room, np.int64),
        "losses": np.empty(median_room, np.int64),
        "tie_scale": 0.0,
        "loss_scale": 0.0,
        "best_gain": -1.0,
        "node_sum": 0.0,
    }
    if prepared.plan.criterion == "absolute_error":
        fields["rank"] = np.empty(n_rows, np.int64)
        fields["ranked"] = np.empty(n_rows, np.uint32)
        fields |= {name: np.empty(median_room, np.int64) for name in ("side_weight", "side_moment")}
        values = ("value_rank", "value_weight", "value_moment")
        fields |= {name: np.empty(most + 1, np.int64) for name in values}
    if prepared.fields["monotone"]:
        fields |= {"tried_column": np.empty(MOST_TRIED, np.int32), "tried_pos": np.empty(MOST_TRIED, np.int64)}
        fields |= {name: np.empty(median_room) for name in ("rank_value", "low_median")}
    if prepared.fields["missing"] != codes.WHOLE:
        fields["apart"] = np.empty((2, width), np.int64)
        fields["strays"] = np.empty(n_rows, np.uint32)
        fields["portion"] = np.empty(most + 2)
    return fields


def _merges(prepared: Prepared) -> bool:
    """Whether categories are merged group by group."""
    many = prepared.dataset.schema.target.n_classes > 2
    return prepared.plan.grouping in ("greedy", "least-loss") or (prepared.plan.grouping == "binary" and many)
