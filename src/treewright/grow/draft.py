"""Draft: the columns of a tree while it grows.

In: the width of the stats. Out: arrays that are made longer as nodes are added; `freeze` makes a Tree of them.
"""

from typing import Any

import numpy as np

from treewright._core.work import Work
from treewright.grow.prepare import Prepared

NODE_FIELDS = {
    "parent": np.int64,
    "first_child": np.int64,
    "n_children": np.int64,
    "depth": np.int64,
    "start": np.int64,
    "rows": np.int64,
    "weight": np.int64,
    "kind": np.int8,
    "column": np.int32,
    "low_row": np.int64,
    "high_row": np.int64,
    "split_rows": np.int64,
    "alive_start": np.int64,
    "alive_len": np.int64,
    "table_start": np.int64,
    "table_len": np.int64,
    "other": np.int32,
    "missing_branch": np.int32,
    "n_missing": np.int64,
    "ids_end": np.int64,
    "backup_start": np.int64,
    "backup_len": np.int64,
    "value": np.float64,
    "impurity": np.float64,
    "gain": np.float64,
    "merit": np.float64,
    "priority": np.float64,
    "bound_low": np.float64,
    "bound_high": np.float64,
    "tally": np.int32,
    "tallied": np.uint8,
    "stack": np.int64,
    "heap": np.int64,
}
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
COUNTS = dict.fromkeys(
    (
        "n_nodes",
        "n_pool",
        "n_stack",
        "n_heap",
        "n_leaves",
        "n_alive",
        "n_backups",
        "n_backup_pool",
        "n_entries",
        "n_ids",
        "need_entries",
        "need_ids",
        "ghost",
    ),
    0,
)
FIRST_ROOM = 64


class Draft:
    """The arrays behind a Work's draft, which also hold the nodes that wait.

    Behind the room for nodes stand `n_ghosts` more, one a thread: the known rows of a column, searched as a node.
    """

    def __init__(self, prepared: Prepared, room: int, n_ghosts: int) -> None:
        width, self.n_ghosts = prepared.fields["width"], n_ghosts
        self.arrays = {name: np.empty(room + n_ghosts, dtype) for name, dtype in NODE_FIELDS.items()}
        self.arrays["stats"] = np.empty((room + n_ghosts, width), np.int64)
        self.pool = {name: np.empty(room, np.int32) for name in POOL_FIELDS}
        self.live = {"alive": np.empty(2 * prepared.dataset.n_columns, np.int32)}
        self.backups: dict[str, np.ndarray] = {}
        self.backup_pool: dict[str, np.ndarray] = {}
        if prepared.fields["max_surrogates"]:
            n_backups = prepared.fields["max_surrogates"]
            self.backups = {name: np.empty(n_backups, dtype) for name, dtype in BACKUP_FIELDS.items()}
            self.backup_pool = {
                name: np.empty(n_backups * (prepared.most + 1), np.int32) for name in BACKUP_POOL_FIELDS
            }

    @property
    def room(self) -> int:
        """How many nodes there is room for."""
        return len(self.arrays["parent"]) - self.n_ghosts

    def fields(self) -> dict[str, Any]:
        """The fields of a Work."""
        return {
            **self.arrays,
            **self.pool,
            **self.live,
            **self.backups,
            **self.backup_pool,
            "node_room": self.room,
        }

    def make_room(self, work: Work, n_nodes: int, n_pool: int) -> None:
        """Twice the room, or as much as is asked for beyond what is used."""
        if work.n_nodes + n_nodes > self.room:
            _lengthen(self.arrays, max(2 * self.room, work.n_nodes + n_nodes) + self.n_ghosts)
        _ensure(self.pool, work.n_pool + n_pool)
        _ensure(self.live, work.n_alive + work.n_columns)
        if self.backups:
            self.make_backup_room(work, work.max_surrogates, work.max_surrogates * len(work.slot))
        work.assign(self.fields())

    def make_backup_room(self, work: Work, n_backups: int, n_pool: int) -> None:
        """The same for surrogates and their categories."""
        _ensure(self.backups, work.n_backups + n_backups)
        _ensure(self.backup_pool, work.n_backup_pool + n_pool)


def _ensure(arrays: dict[str, np.ndarray], room: int) -> None:
    """Lengthen the arrays, at least to twice their length, when they are shorter than this."""
    now = len(next(iter(arrays.values())))
    if room > now:
        _lengthen(arrays, max(2 * now, room))


def _lengthen(arrays: dict[str, np.ndarray], room: int) -> None:
    for name, old in arrays.items():
        arrays[name] = np.empty((room, *old.shape[1:]), old.dtype)
        arrays[name][: len(old)] = old


def new_draft(prepared: Prepared, n_ghosts: int = 1) -> Draft:
    """An empty draft with room for the first split, whatever column it takes."""
    return Draft(prepared, FIRST_ROOM + prepared.most, n_ghosts)
