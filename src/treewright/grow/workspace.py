"""The workspace: the arrays that the growth loop reads and writes.

In: a prepared table. Out: a `Work` with an empty draft, room for candidates, and scratch memory for each thread. The
workspace of a small table is kept and used again for a table of the same form, because allocating the arrays takes
longer than growing a small tree; old contents are never read. A workspace belongs to one growth at a time, and is not
used again after an error.

With fractional weights a row can be in several nodes. It has an id in each of them, and everything that is stored by
row is stored by id, so the arrays by row and by list may have to be made longer during growth:
`make_room_for_copies`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core import codes
from treewright._core.grow import Candidates, Coded, Work
from treewright.errors import InputError
from treewright.fast_paths import size_limit
from treewright.grow.coded_columns import new_coded
from treewright.grow.draft import Draft, new_draft
from treewright.grow.plan import TWO_WAY_GROUPINGS
from treewright.grow.prepare import Prepared

MOST_KEPT = 4

_kept: dict[Any, tuple[Draft, Work]] = {}


def new_workspace(prepared: Prepared, n_jobs: int = 1, drafts: list[Draft] | None = None) -> tuple[Draft, Work]:
    """A new workspace with an empty draft; `drafts` are those of earlier trees, whose arrays may be used again."""
    draft = _reuse_draft(prepared, n_jobs, drafts) or new_draft(prepared, prepared.dataset.n_rows, n_jobs)
    work = Work()
    work.table.assign(prepared.table)
    work.table.assign(row_fields(prepared))
    work.plan.assign(prepared.numbers)
    work.draft.assign(draft.fields())
    allocate_candidates(prepared, work.candidates)
    allocate_scratch(prepared, work)
    work.coded = allocate_coded(prepared, n_jobs)
    return draft, work


def _reuse_draft(prepared: Prepared, n_jobs: int, drafts: list[Draft] | None) -> Draft | None:
    """A draft of the same form from the list, if there is one."""
    if not drafts:
        return None
    try:
        draft = drafts.pop()  # in one step, so that no other thread can take it
    except IndexError:  # another thread has taken the last one
        return None
    return draft if draft.suits(prepared, n_jobs) else None


def take_workspace(prepared: Prepared, n_jobs: int = 1, drafts: list[Draft] | None = None) -> tuple[Draft, Work]:
    """A workspace with an empty draft, a kept one if there is one; `keep_workspace` gives it back."""
    found = _kept.pop(_workspace_key(prepared), None)  # in one step, so that no other thread can take it
    if found is None:
        return new_workspace(prepared, n_jobs, drafts)
    work = found[1]
    work.clear()
    work.table.assign(prepared.table)
    work.plan.assign(prepared.numbers)
    return found


def keep_workspace(prepared: Prepared, draft: Draft, work: Work, drafts: list[Draft] | None = None) -> None:
    """Keep the workspace after growth if another growth can use it; of a large one, keep the draft."""
    form = _workspace_key(prepared)
    if form is None:
        if drafts is not None and size_limit("kept workspace") >= 0:
            drafts.append(draft)
        return
    if len(_kept) >= MOST_KEPT:
        _kept.clear()
    _kept[form] = draft, work


def _workspace_key(prepared: Prepared) -> Any:
    """All that the shapes of the arrays depend on; None for large tables, and for plans that need further arrays."""
    numbers, plan, n_rows = prepared.numbers, prepared.plan, prepared.dataset.n_rows
    if n_rows * len(prepared.layout.present) > size_limit("kept workspace"):
        return None
    is_plain = numbers["missing"] == codes.WHOLE and not numbers["max_surrogates"] and not numbers["monotone"]
    if not is_plain or prepared.coding is not None:
        return None
    return prepared.layout, prepared.table["n_classes"], plan.criterion, plan.grouping


MOST_TRIED = 16
"""Monotone trees: how many cuts of a column may turn out to break the order before the column is left out."""


def row_fields(prepared: Prepared, n_rows: int | None = None) -> dict[str, Any]:
    """Arrays by row, for n_rows or all rows; threads that work on different rows share them."""
    plan = prepared.plan
    n_rows = prepared.dataset.n_rows if n_rows is None else n_rows
    fields: dict[str, Any] = {"side": np.empty(n_rows, np.uint8)}
    missing = prepared.numbers["missing"]
    many = prepared.most > 2 and plan.grouping not in TWO_WAY_GROUPINGS
    if many or missing in (codes.FRACTIONAL, codes.STOP, codes.BRANCH):
        fields["wide_side"] = np.empty(n_rows, np.int32)
    if missing == codes.FRACTIONAL:
        fields |= {
            "first_copy": np.empty(n_rows, np.int32),
            "n_copies": np.empty(n_rows, np.int32),
            "heaviest_first": np.empty(prepared.most + 2, np.int64),
        }
    return fields


def allocate_coded(prepared: Prepared, n_threads: int = 1, n_rows: int | None = None) -> Coded | None:
    """The coded columns, with room for the histograms of nodes of up to n_rows; threads that work on the same nodes
    share them.
    """
    if prepared.coding is None:
        return None
    n_rows = prepared.dataset.n_rows if n_rows is None else n_rows
    n_classes = prepared.dataset.schema.target.n_classes
    return new_coded(prepared.coding, n_classes, n_rows, n_threads, prepared.plan.limits.max_leaves or 0)


def allocate_candidates(prepared: Prepared, candidates: Candidates) -> None:
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


def allocate_scratch(prepared: Prepared, work: Work) -> None:
    """Scratch memory for one thread."""
    n_rows, width = prepared.dataset.n_rows, prepared.table["width"]
    most, is_whole = prepared.most, prepared.numbers["missing"] == codes.WHOLE
    table_room = max(2, min(most, 2 * n_rows + 16)) + 1  # one more for missing values
    grouped = min(most + 1, codes.MAX_GROUPED) if _merges_categories(prepared) else 1
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


def _merges_categories(prepared: Prepared) -> bool:
    """Whether categories are merged pair by pair."""
    many = prepared.dataset.schema.target.n_classes > 2
    return prepared.plan.grouping in ("greedy", "least-loss") or (prepared.plan.grouping == "binary" and many)


BY_ID = ("origin", "weights", "labels", "moments", "y", "first_copy", "n_copies", "side", "wide_side")
BY_ENTRY = ("buffer", "missing_rows")
MEDIAN = ("below_weight", "below_moment", "side_weight", "side_moment", "losses")
MOST_IDS = 2**31 - 1


def make_room_for_copies(work: Work) -> None:
    """Make the arrays twice as long as the workspace needs."""
    if work.plan.missing != codes.FRACTIONAL:
        return
    if work.draft.needed_ids > len(work.table.origin):
        _lengthen_ids(work, 2 * work.draft.needed_ids)
    if work.draft.needed_entries > work.table.stride:
        _lengthen_entries(work, 2 * work.draft.needed_entries)


def use_longer_arrays(other: Work, work: Work) -> None:
    """Give the workspace of another thread scratch memory for the longer arrays of the table."""
    n_ids = len(work.table.origin)
    other.scratch.assign(_entry_fields(work, max(work.table.stride, n_ids)) | _rank_fields(work, n_ids))


def copy_rows_of_node(work: Work, node: int, new: NDArray[np.uint32], own: Work) -> None:
    """Copy the rows of a node to another workspace, with ids from 0 on; `new` is room for them, by old id."""
    n = work.draft.rows[node]
    part = slice(work.draft.start[node], work.draft.start[node] + n)
    lists = np.asarray(work.table.lists).reshape(work.table.n_lists, work.table.stride)[:, part]
    ids = lists[-1] & np.uint32(work.table.row_mask)
    new[ids] = np.arange(n, dtype=np.uint32)
    # lists of columns with one value are not maintained, and never read
    moved = (lists & ~np.uint32(work.table.row_mask)) | new.take(lists & np.uint32(work.table.row_mask), mode="clip")
    own_codes = np.ascontiguousarray(np.asarray(work.table.codes)[:, ids])
    fields: dict[str, Any] = {"lists": moved.reshape(-1), "stride": n, "codes": own_codes}
    for name in BY_ID:
        array = np.asarray(getattr(work.table, name))
        fields[name] = array[ids] if len(array) == len(new) else array.copy()
    fields["heaviest_first"] = np.empty_like(np.asarray(work.table.heaviest_first))
    own.table.assign(fields)
    own.scratch.assign(_entry_fields(work, n) | _rank_fields(work, n))


def _rank_fields(work: Work, n_ids: int) -> dict[str, Any]:
    """Room for the ranks of targets, by id; each thread ranks the rows that are known on its column."""
    return {"rank": np.empty(n_ids, np.int64)} if work.plan.criterion == codes.ABSOLUTE_ERROR else {}


def _entry_fields(work: Work, room: int) -> dict[str, Any]:
    """Scratch arrays by entry."""
    fields: dict[str, Any] = {name: np.empty(room, np.uint32) for name in BY_ENTRY}
    if work.plan.criterion == codes.ABSOLUTE_ERROR:
        fields |= {"ranked": np.empty(room, np.uint32)}
        fields |= {name: np.empty(room + 2, np.int64) for name in MEDIAN}
        if work.plan.monotone:
            fields |= {name: np.empty(room + 2) for name in ("rank_value", "low_median")}
    return fields


def _lengthen_ids(work: Work, n_ids: int) -> None:
    most = min(MOST_IDS, work.table.row_mask)
    if work.draft.needed_ids > most:
        raise InputError(
            f"Fractional weights need more than {most:,} copies of rows with missing values; "
            "use missing='surrogate', 'learned' or 'branch', or sample the table."
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
    work.scratch.assign(_rank_fields(work, n_ids))


def _lengthen_entries(work: Work, stride: int) -> None:
    lists = np.asarray(work.table.lists).reshape(work.table.n_lists, work.table.stride)
    longer = np.empty((work.table.n_lists, stride), lists.dtype)
    longer[:, : work.table.stride] = lists
    work.table.assign({"lists": longer.reshape(-1), "stride": stride})
    work.scratch.assign(_entry_fields(work, stride))
