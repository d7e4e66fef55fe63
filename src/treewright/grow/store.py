"""Store: the arrays by row and by list, made longer when rows are shared out among nodes.

In: a Work that has no room for the shares its next split makes. Out: the same Work on longer arrays; or one node's
rows apart, for a thread to grow its subtree. A row that is in several nodes has an id in each of them, and what
stands by row stands by id: so a table with missing values may need more than one place a row. Other tables never
come here.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import Work
from treewright.errors import InputError

BY_ID = ("origin", "weights", "labels", "moments", "y", "share_first", "share_len", "side", "wide_side")
BY_ENTRY = ("buffer", "strays")
MEDIAN = ("tree_weight", "tree_moment", "side_weight", "side_moment", "losses")
MOST_IDS = 2**31 - 1


def make_room(work: Work) -> None:
    """Room for what the Work needs, and as much again."""
    if work.missing != codes.FRACTIONAL:
        return
    if work.need_ids > len(work.origin):
        _more_ids(work, 2 * work.need_ids)
    if work.need_entries > work.stride:
        _more_entries(work, 2 * work.need_entries)


def follow(other: Work, work: Work) -> None:
    """Let a Work that shares its rows with another use the longer arrays that it has now."""
    n_ids = len(work.origin)
    shared = {name: getattr(work, name) for name in (*BY_ID, "codes", "lists", "stride")}
    other.assign(shared | _by_entry(work, max(work.stride, n_ids)) | _ranks(work, n_ids))


def separate(work: Work, node: int, new: NDArray[np.uint32]) -> dict[str, Any]:
    """The rows of one node as a store of their own, with ids from 0 on; `new` is room for these, by old id."""
    n = work.rows[node]
    part = slice(work.start[node], work.start[node] + n)
    lists = np.asarray(work.lists).reshape(work.n_lists, work.stride)[:, part]
    ids = lists[-1] & np.uint32(work.row_mask)
    new[ids] = np.arange(n, dtype=np.uint32)
    # lists of columns with one value left are not kept up: what stands there is never read
    moved = (lists & ~np.uint32(work.row_mask)) | new.take(lists & np.uint32(work.row_mask), mode="clip")
    own_codes = np.ascontiguousarray(np.asarray(work.codes)[:, ids])
    fields: dict[str, Any] = {"lists": moved.reshape(-1), "stride": n, "codes": own_codes}
    for name in BY_ID:
        array = np.asarray(getattr(work, name))
        fields[name] = array[ids] if len(array) == len(new) else array.copy()
    fields["by_weight"] = np.empty_like(np.asarray(work.by_weight))
    return fields | _by_entry(work, n) | _ranks(work, n)


def _ranks(work: Work, n_ids: int) -> dict[str, Any]:
    """Room for the ranks of targets, by id; each thread ranks the rows known on its own column."""
    return {"rank": np.empty(n_ids, np.int64)} if work.criterion == codes.ABSOLUTE_ERROR else {}


def _by_entry(work: Work, room: int) -> dict[str, Any]:
    """Room to work, by entry."""
    fields: dict[str, Any] = {name: np.empty(room, np.uint32) for name in BY_ENTRY}
    if work.criterion == codes.ABSOLUTE_ERROR:
        fields |= {"ranked": np.empty(room, np.uint32)}
        fields |= {name: np.empty(room + 2, np.int64) for name in MEDIAN}
        if work.monotone:
            fields |= {name: np.empty(room + 2) for name in ("rank_value", "low_median")}
    return fields


def _more_ids(work: Work, n_ids: int) -> None:
    most = min(MOST_IDS, work.row_mask)
    if work.need_ids > most:
        raise InputError(
            f"Sharing rows with missing values out over the branches takes more than {most:,} shares; "
            "choose missing='surrogate', 'learned' or 'branch', or sample the table."
        )
    n_ids = min(n_ids, most)
    n_old = len(work.origin)
    fields: dict[str, Any] = {}
    for name in BY_ID:
        old = np.asarray(getattr(work, name))
        if len(old) == n_old:  # what the plan does not use has one entry
            fields[name] = np.empty(n_ids, old.dtype)
            fields[name][:n_old] = old
    old_codes = np.asarray(work.codes)
    if old_codes.shape[1] == n_old:
        fields["codes"] = np.empty((len(old_codes), n_ids), old_codes.dtype)
        fields["codes"][:, :n_old] = old_codes
    work.assign(fields | _ranks(work, n_ids))


def _more_entries(work: Work, stride: int) -> None:
    lists = np.asarray(work.lists).reshape(work.n_lists, work.stride)
    longer = np.empty((work.n_lists, stride), lists.dtype)
    longer[:, : work.stride] = lists
    fields: dict[str, Any] = {"lists": longer.reshape(-1), "stride": stride}
    work.assign(fields | _by_entry(work, stride))
