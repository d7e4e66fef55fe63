"""Twigs: subtrees grown apart, each by one thread, and put together.

In: the small open nodes of a draft. Out: the draft with their subtrees. A thread grows one twig after the other in the
same room, which is small enough to stay in its cache: a draft that only the finished nodes leave, and rows of their own
that go by ids from 0 on.
"""

from queue import Empty, SimpleQueue
from threading import Lock
from typing import Any

import numpy as np

from treewright._core import codes
from treewright._core.grow import Work
from treewright._core.tree import begin_twig, graft_nodes, move_rows
from treewright.grow.alone import Stop, grow_alone
from treewright.grow.draft import Draft, new_draft
from treewright.grow.prepare import Prepared
from treewright.grow.scratch import coded_fields, row_fields, scratch_fields
from treewright.grow.store import separate

OF_TREE = ("root_weight", "root_impurity")
"""What a twig has of the whole tree."""
MOST_CODED = 2
"""Coded columns for each sorted one up to which the rows of twigs are moved."""


def has_own_rows(prepared: Prepared) -> bool:
    """Whether the rows of a twig are moved. Surrogates go by the rows of the table; where most columns are coded,
    moving takes longer than it saves; and where rows are shared out over several nodes the store moves them.
    """
    is_shared = prepared.fields["missing"] == codes.FRACTIONAL
    n_coded = 0 if prepared.coding is None else len(prepared.coding.columns)
    mostly_coded = n_coded > MOST_CODED * prepared.layout.n_lists
    return not (mostly_coded or prepared.fields["max_surrogates"] or is_shared)


class Nursery:
    """Where one thread grows its twigs, of `most_rows` rows at the most.

    new_ids  room for the ids of rows that are moved, which all threads may have in common
    """

    def __init__(self, prepared: Prepared, work: Work, most_rows: int, new_ids: np.ndarray) -> None:
        self.trunk, self.new_ids = work, new_ids
        self.draft = new_draft(prepared, most_rows)
        self.moves, self.is_shared = has_own_rows(prepared), prepared.fields["missing"] == codes.FRACTIONAL
        rows = [] if self.moves else row_fields(prepared, 0)
        fields = prepared.fields | scratch_fields(prepared) | coded_fields(prepared, n_rows=most_rows)
        fields |= {name: getattr(work, name) for name in (*rows, *OF_TREE)} | self.draft.fields()
        if self.moves:
            fields |= _own_rows(prepared, work, most_rows)
            if prepared.coding is not None:
                n_coded = len(prepared.coding.columns)
                fields["coded"].assign({"codes": np.empty((most_rows, n_coded), np.uint8)})
        self.work = Work(**fields)

    def begin(self, node: int) -> None:
        """Make a node the root of the next twig."""
        self.work.clear()
        begin_twig(self.trunk, node, self.work)
        if self.moves:
            move_rows(self.trunk, node, self.work, self.new_ids)
        elif self.is_shared:
            self.work.assign(separate(self.trunk, node, self.new_ids))
            self.work.start[0] = 0
            self.work.ids_end[0] = self.work.rows[0]


def _own_rows(prepared: Prepared, work: Work, n_rows: int) -> dict[str, Any]:
    """Room for n rows and their lists."""
    fields: dict[str, Any] = {
        "renamed": True,
        "origin": np.empty(n_rows, np.int32),
        "lists": np.empty(work.n_lists * n_rows, np.uint32),
        "stride": n_rows,
        "codes": np.empty((len(work.codes), n_rows), np.int32),
    }
    names = ["moments", "y"] if work.n_classes == 0 else ["labels"]
    for name in [*names, "weights"] if work.weighted else names:
        fields[name] = np.empty(n_rows, np.asarray(getattr(work, name)).dtype)
    return fields | row_fields(prepared, n_rows)


def room_for_ids(prepared: Prepared, work: Work) -> np.ndarray:
    """Room for the ids that rows have in a twig, by their ids in the table; nothing where these stay."""
    n_ids = prepared.dataset.n_rows if has_own_rows(prepared) else 0
    return np.empty(len(work.origin) if prepared.fields["missing"] == codes.FRACTIONAL else n_ids, np.uint32)


def grow_twigs(
    prepared: Prepared, draft: Draft, work: Work, nodes: "SimpleQueue[int]", new_ids: np.ndarray, lock: Lock, stop: Stop
) -> None:
    """Grow the subtree of each node and put it into the draft; threads draw from the same `nodes`, the largest first.

    lock  held by the thread that reads or changes the draft
    """
    nursery: Nursery | None = None
    while True:
        try:
            node = nodes.get_nowait()
        except Empty:
            return
        if nursery is None:
            nursery = Nursery(prepared, work, work.rows[node], new_ids)
        with lock:
            nursery.begin(node)
        grow_alone(prepared, nursery.draft, nursery.work, stop)
        with lock:
            graft(draft, work, nursery.draft, nursery.work, node)


def graft(draft: Draft, work: Work, own: Draft, twig: Work, node: int) -> None:
    """Put a grown subtree in the place of its root node."""
    draft.make_room(work, twig.n_nodes, twig.n_pool)
    if own.backups:
        draft.make_backup_room(work, twig.n_backups, twig.n_backup_pool)
    graft_nodes(twig, work, node)
    if own.backups:
        own.backups["backup_table"][: twig.n_backups] += work.n_backup_pool
        _append(draft.backups, work.n_backups, own.backups, twig.n_backups)
        _append(draft.backup_pool, work.n_backup_pool, own.backup_pool, twig.n_backup_pool)
        work.n_backups += twig.n_backups
        work.n_backup_pool += twig.n_backup_pool


def _append(arrays: dict[str, np.ndarray], place: int, more: dict[str, np.ndarray], n: int) -> None:
    for name, array in arrays.items():
        array[place : place + n] = more[name][:n]
