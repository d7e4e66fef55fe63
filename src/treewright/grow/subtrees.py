"""Subtrees grown apart, each by one thread, and put together.

In: the small open nodes of a draft. Out: the draft with their subtrees. A thread grows one subtree after the other in
the same arrays, which are small enough to stay in its cache: a draft that only the finished nodes leave, and rows of
their own that go by ids from 0 on.
"""

from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

import numpy as np

from treewright._core import codes
from treewright._core.grow import Table, Work
from treewright._core.tree import append_subtree, begin_subtree, move_rows
from treewright.grow.alone import Stop, grow_alone
from treewright.grow.draft import Draft, new_draft
from treewright.grow.prepare import Prepared
from treewright.grow.row_copies import separate
from treewright.grow.scratch import coded_columns, lay_candidates, lay_scratch, row_fields

MOST_CODED = 2
"""Coded columns for each sorted one up to which the rows of subtrees are moved."""


def has_own_rows(prepared: Prepared) -> bool:
    """Whether the rows of a subtree are moved. Surrogates go by the rows of the table; where most columns are coded,
    moving takes longer than it saves; and where rows go down several branches `separate` copies them.
    """
    is_shared = prepared.numbers["missing"] == codes.FRACTIONAL
    n_coded = 0 if prepared.coding is None else len(prepared.coding.columns)
    mostly_coded = n_coded > MOST_CODED * prepared.layout.n_lists
    return not (mostly_coded or prepared.numbers["max_surrogates"] or is_shared)


class SubtreeGrower:
    """Where one thread grows its subtrees, of `most_rows` rows at most.

    new_ids  room for the ids of rows that are moved, which all threads may have in common
    """

    def __init__(self, prepared: Prepared, work: Work, most_rows: int, new_ids: np.ndarray) -> None:
        self.whole, self.new_ids = work, new_ids
        self.draft = new_draft(prepared, most_rows)
        self.moves, self.is_copied = has_own_rows(prepared), prepared.numbers["missing"] == codes.FRACTIONAL
        self.work = Work(table=None if self.moves or self.is_copied else work.table, plan=work.plan)
        self.work.draft.assign(self.draft.fields())
        self.work.coded = coded_columns(prepared, n_rows=most_rows)
        lay_candidates(prepared, self.work.candidates)
        lay_scratch(prepared, self.work)
        if self.moves or self.is_copied:
            self.work.table.assign(prepared.table)
        if self.moves:
            self.work.table.assign(_own_rows(prepared, work.table, most_rows))
            if prepared.coding is not None:
                n_coded = len(prepared.coding.columns)
                self.work.coded.assign({"codes": np.empty((most_rows, n_coded), np.uint8)})

    def begin(self, node: int) -> None:
        """Make a node the root of the next subtree."""
        self.work.clear()
        begin_subtree(self.whole, node, self.work)
        if self.moves:
            move_rows(self.whole, node, self.work, self.new_ids)
        elif self.is_copied:
            separate(self.whole, node, self.new_ids, self.work)
            self.work.draft.start[0] = 0
            self.work.draft.ids_end[0] = self.work.draft.rows[0]


def _own_rows(prepared: Prepared, table: Table, n_rows: int) -> dict[str, Any]:
    """Room for n rows and their lists."""
    fields: dict[str, Any] = {
        "has_own_ids": True,
        "origin": np.empty(n_rows, np.int32),
        "lists": np.empty(table.n_lists * n_rows, np.uint32),
        "stride": n_rows,
        "codes": np.empty((len(table.codes), n_rows), np.int32),
    }
    names = ["moments", "y"] if table.n_classes == 0 else ["labels"]
    for name in [*names, "weights"] if table.weighted else names:
        fields[name] = np.empty(n_rows, np.asarray(getattr(table, name)).dtype)
    return fields | row_fields(prepared, n_rows)


def room_for_ids(prepared: Prepared, work: Work) -> np.ndarray:
    """Room for the ids that rows have in a subtree, by their ids in the table; nothing where these stay."""
    n_ids = prepared.dataset.n_rows if has_own_rows(prepared) else 0
    return np.empty(len(work.table.origin) if prepared.numbers["missing"] == codes.FRACTIONAL else n_ids, np.uint32)


def grow_subtrees(
    prepared: Prepared, draft: Draft, work: Work, nodes: "SimpleQueue[int]", new_ids: np.ndarray, lock: Lock, stop: Stop
) -> None:
    """Grow the subtree of each node and put it into the draft; threads draw from the same `nodes`, the largest first.

    lock  held by the thread that reads or changes the draft
    """
    grower: SubtreeGrower | None = None
    while True:
        try:
            node = nodes.get_nowait()
        except Empty:
            return
        if grower is None:
            grower = SubtreeGrower(prepared, work, work.draft.rows[node], new_ids)
        with lock:
            grower.begin(node)
        grow_alone(prepared, grower.draft, grower.work, stop)
        with lock:
            append(draft, work, grower.draft, grower.work, node)


def append(draft: Draft, work: Work, own: Draft, subtree: Work, node: int) -> None:
    """Put a grown subtree in the place of its root node."""
    draft.make_room(work, subtree.draft.n_nodes, subtree.draft.n_pool)
    if own.surrogates:
        draft.make_surrogate_room(work, subtree.draft.n_surrogates, subtree.draft.n_surrogate_pool)
    append_subtree(subtree, work, node)
    if own.surrogates:
        own.surrogates["surrogate_table"][: subtree.draft.n_surrogates] += work.draft.n_surrogate_pool
        _append(draft.surrogates, work.draft.n_surrogates, own.surrogates, subtree.draft.n_surrogates)
        _append(draft.surrogate_pool, work.draft.n_surrogate_pool, own.surrogate_pool, subtree.draft.n_surrogate_pool)
        work.draft.n_surrogates += subtree.draft.n_surrogates
        work.draft.n_surrogate_pool += subtree.draft.n_surrogate_pool


def _append(arrays: dict[str, np.ndarray], place: int, more: dict[str, np.ndarray], n: int) -> None:
    for name, array in arrays.items():
        array[place : place + n] = more[name][:n]
