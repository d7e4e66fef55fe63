"""Draft: the columns of a tree while it grows.

In: the width of the stats. Out: arrays that are made longer as nodes are added; `freeze` makes a Tree of them.
"""

from typing import Any

import numpy as np

from treewright._core.grow import NODE_DOUBLES, NODE_INTS, NODE_LONGS, Work
from treewright.grow.prepare import Prepared

NODE_FIELDS = (*NODE_LONGS, *NODE_DOUBLES, *NODE_INTS, "kind", "tallied", "stats")
POOL_FIELDS = ("pool_code", "pool_branch")
BACKUP_FIELDS = {
    "backup_column": np.int32,
    "backup_low": np.int32,
    "backup_low_row": np.int64,
    "backup_high_row": np.int64,
    "backup_agree": np.int64,
    "backup_known": np.int64,
    "backup_heavy": np.int64,
    "backup_table": np.int64,
    "backup_table_len": np.int64,
}
BACKUP_POOL_FIELDS = ("backup_code", "backup_branch")
FIRST_ROOM, FIRST_ALIVE = 64, 1024
"""Nodes, and live columns of nodes, that there is room for at least: a small table is grown in one go."""
FIRST_CODES = 4
"""Categories of a surrogate that there is room for on the average."""
FIRST_BYTES = 2**30
"""What the first room may take at the most."""
DEEP = 40
"""A depth that bounds no tree: it has fewer nodes than 2^40."""


class Draft:
    """The arrays behind a Work's draft, which also hold the nodes that wait.

    Behind the room for nodes stand `n_ghosts` more, one a thread: the known rows of a column, searched as a node.
    """

    def __init__(self, prepared: Prepared, room: int, n_ghosts: int) -> None:
        width, self.n_ghosts = prepared.fields["width"], n_ghosts
        self.form = _form(prepared, n_ghosts)
        self.room, n = room, room + n_ghosts
        self.blocks: tuple[np.ndarray, ...] = (
            np.empty((len(NODE_LONGS), n), np.int64),
            np.empty((len(NODE_DOUBLES), n)),
            np.empty((len(NODE_INTS), n), np.int32),
        )
        self.own = {
            "kind": np.empty(n, np.int8),
            "tallied": np.empty(n, np.uint8),
            "stats": np.empty((n, width), np.int64),
        }
        self.pool = {name: np.empty(room, np.int32) for name in POOL_FIELDS}
        self.live = {"alive": np.empty(max(2 * prepared.dataset.n_columns, FIRST_ALIVE), np.int32)}
        self.backups: dict[str, np.ndarray] = {}
        self.backup_pool: dict[str, np.ndarray] = {}
        if prepared.fields["max_surrogates"]:
            of_node = prepared.fields["max_surrogates"]
            n_backups = of_node * (room // 2 + 1)  # for all inner nodes of two branches
            n_pool = of_node * (prepared.most + 1) + FIRST_CODES * n_backups
            self.backups = {name: np.empty(n_backups, dtype) for name, dtype in BACKUP_FIELDS.items()}
            self.backup_pool = {name: np.empty(n_pool, np.int32) for name in BACKUP_POOL_FIELDS}

    def suits(self, prepared: Prepared, n_ghosts: int) -> bool:
        """Whether another tree can be grown in these arrays; they need not be long enough."""
        return self.form == _form(prepared, n_ghosts)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """The columns by name, one entry a node."""
        longs, doubles, ints = self.blocks
        names = (*NODE_LONGS, *NODE_DOUBLES, *NODE_INTS)
        return dict(zip(names, (*longs, *doubles, *ints), strict=True)) | self.own

    def fields(self) -> dict[str, Any]:
        """The fields of a Work."""
        return {
            "nodes": self.blocks,
            **self.own,
            **self.pool,
            **self.live,
            **self.backups,
            **self.backup_pool,
            "node_room": self.room,
        }

    def make_room(self, work: Work, n_nodes: int, n_pool: int) -> None:
        """Twice the room, or as much as is asked for beyond what is used."""
        if work.n_nodes + n_nodes > self.room:
            self.room = max(2 * self.room, work.n_nodes + n_nodes)
            n = self.room + self.n_ghosts
            self.blocks = tuple(_widened(block, n, work.n_nodes) for block in self.blocks)
            _lengthen(self.own, n)
        _ensure(self.pool, work.n_pool + n_pool)
        _ensure(self.live, work.n_alive + work.n_columns)
        if self.backups:
            self.make_backup_room(work, work.max_surrogates, work.max_surrogates * len(work.slot))
        work.assign(self.fields())

    def make_backup_room(self, work: Work, n_backups: int, n_pool: int) -> None:
        """The same for surrogates and their categories."""
        _ensure(self.backups, work.n_backups + n_backups)
        _ensure(self.backup_pool, work.n_backup_pool + n_pool)


def _form(prepared: Prepared, n_ghosts: int) -> tuple[int, ...]:
    """What the arrays of a draft depend on but for their length."""
    return prepared.fields["width"], prepared.fields["max_surrogates"], prepared.dataset.n_columns, n_ghosts


def _ensure(arrays: dict[str, np.ndarray], room: int) -> None:
    """Lengthen the arrays, at least to twice their length, when they are shorter than this."""
    now = len(next(iter(arrays.values())))
    if room > now:
        _lengthen(arrays, max(2 * now, room))


def _lengthen(arrays: dict[str, np.ndarray], room: int) -> None:
    for name, old in arrays.items():
        arrays[name] = np.empty((room, *old.shape[1:]), old.dtype)
        arrays[name][: len(old)] = old


def _widened(block: np.ndarray, room: int, n_used: int) -> np.ndarray:
    """The block with longer rows, which begin as the first ones of it do."""
    longer = np.empty((len(block), room), block.dtype)
    longer[:, :n_used] = block[:, :n_used]
    return longer


def new_draft(prepared: Prepared, n_rows: int, n_ghosts: int = 1) -> Draft:
    """An empty draft for a tree of this many rows.

    There is room for the first split, whatever column it takes, and for as many nodes as most trees have: of numbers to
    predict a leaf a row, of classes half as many nodes as rows, and no more than splits in two make down to the depth
    where growth ends. To move a long draft into a longer one takes time, but so does room that is not used: the first
    touch of a row of a large block may clear two megabytes of it.
    """
    most = FIRST_BYTES // (8 * (len(NODE_FIELDS) + prepared.fields["width"]))
    depth = prepared.plan.limits.max_depth
    if depth is not None:
        most = min(most, 2 << min(depth, DEEP))
    usual = n_rows // 2 if prepared.fields["n_classes"] else 2 * n_rows
    return Draft(prepared, FIRST_ROOM + prepared.most + min(usual, most), n_ghosts)
