"""Fractional copies of rows: the arrays by row and by list, made longer when a split sends rows down several branches.

In: a Work that has no room for the copies its next split makes. Out: the same Work on longer arrays; or one node's
rows in arrays of their own, for a thread to grow its subtree. A row that is in several nodes has an id in each of them,
and all that is kept by row is kept by id: so a table with missing values may need more than one place a row. Other
tables never come here.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import Work
from treewright.errors import InputError

BY_ID = ("origin", "weights", "labels", "moments", "y", "first_copy", "n_copies", "side", "wide_side")
BY_ENTRY = ("buffer", "missing_rows")
MEDIAN = ("below_weight", "below_moment", "side_weight", "side_moment", "losses")
MOST_IDS = 2**31 - 1


def make_room(work: Work) -> None:
    """Room for what the Work needs, and as much again."""
    if work.plan.missing != codes.FRACTIONAL:
        return
    if work.draft.needed_ids > len(work.table.origin):
        _more_ids(work, 2 * work.draft.needed_ids)
    if work.draft.needed_entries > work.table.stride:
        _more_entries(work, 2 * work.draft.needed_entries)


def follow(other: Work, work: Work) -> None:
    """Let a Work that has the same table as another work with the longer arrays that the table has now."""
    n_ids = len(work.table.origin)
    other.scratch.assign(_by_entry(work, max(work.table.stride, n_ids)) | _ranks(work, n_ids))


def separate(work: Work, node: int, new: NDArray[np.uint32], own: Work) -> None:
    """The rows of one node in arrays of their own, with ids from 0 on; `new` is room for these, by old id."""
    n = work.draft.rows[node]
    part = slice(work.draft.start[node], work.draft.start[node] + n)
    lists = np.asarray(work.table.lists).reshape(work.table.n_lists, work.table.stride)[:, part]
    ids = lists[-1] & np.uint32(work.table.row_mask)
    new[ids] = np.arange(n, dtype=np.uint32)
    # lists of columns with one value left are not kept up, and never read
    moved = (lists & ~np.uint32(work.table.row_mask)) | new.take(lists & np.uint32(work.table.row_mask), mode="clip")
    own_codes = np.ascontiguousarray(np.asarray(work.table.codes)[:, ids])
    fields: dict[str, Any] = {"lists": moved.reshape(-1), "stride": n, "codes": own_codes}
    for name in BY_ID:
        array = np.asarray(getattr(work.table, name))
        fields[name] = array[ids] if len(array) == len(new) else array.copy()
    fields["heaviest_first"] = np.empty_like(np.asarray(work.table.heaviest_first))
    own.table.assign(fields)
    own.scratch.assign(_by_entry(work, n) | _ranks(work, n))


def _ranks(work: Work, n_ids: int) -> dict[str, Any]:
    """Room for the ranks of targets, by id; each thread ranks the rows known on its own column."""
    return {"rank": np.empty(n_ids, np.int64)} if work.plan.criterion == codes.ABSOLUTE_ERROR else {}


def _by_entry(work: Work, room: int) -> dict[str, Any]:
    """Room to work, by entry."""
    fields: dict[str, Any] = {name: np.empty(room, np.uint32) for name in BY_ENTRY}
    if work.plan.criterion == codes.ABSOLUTE_ERROR:
        fields |= {"ranked": np.empty(room, np.uint32)}
        fields |= {name: np.empty(room + 2, np.int64) for name in MEDIAN}
        if work.plan.monotone:
            fields |= {name: np.empty(room + 2) for name in ("rank_value", "low_median")}
    return fields


def _more_ids(work: Work, n_ids: int) -> None:
    most = min(MOST_IDS, work.table.row_mask)
    if work.draft.needed_ids > most:
        raise InputError(
            f"Sending rows with missing values down several branches takes more than {most:,} copies of rows; "
            "choose missing='surrogate', 'learned' or 'branch', or sample the table."
        )
    n_ids = min(n_ids, most)
    n_old = len(work.table.origin)
    fields: dict[str, Any] = {}
    for name in BY_ID:
        old = np.asarray(getattr(work.table, name))
        if len(old) == n_old:  # what the plan does not use has one entry
            fields[name] = np.empty(n_ids, old.dtype)
            fields[name][:n_old] = old
    old_codes = np.asarray(work.table.codes)
    if old_codes.shape[1] == n_old:
        fields["codes"] = np.empty((len(old_codes), n_ids), old_codes.dtype)
        fields["codes"][:, :n_old] = old_codes
    work.table.assign(fields)
    work.scratch.assign(_ranks(work, n_ids))


def _more_entries(work: Work, stride: int) -> None:
    lists = np.asarray(work.table.lists).reshape(work.table.n_lists, work.table.stride)
    longer = np.empty((work.table.n_lists, stride), lists.dtype)
    longer[:, : work.table.stride] = lists
    work.table.assign({"lists": longer.reshape(-1), "stride": stride})
    work.scratch.assign(_by_entry(work, stride))
