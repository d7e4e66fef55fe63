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
    "value": np.float64,
    "impurity": np.float64,
    "gain": np.float64,
    "merit": np.float64,
    "priority": np.float64,
    "stack": np.int64,
    "heap": np.int64,
}
POOL_FIELDS = ("pool_code", "pool_branch")
COUNTS = dict.fromkeys(("n_nodes", "n_pool", "n_stack", "n_heap", "n_leaves", "n_alive"), 0)
FIRST_ROOM = 64


class Draft:
    """The arrays behind a Work's draft, which also hold the nodes that wait."""

    def __init__(self, width: int, n_columns: int, room: int, pool_room: int) -> None:
        self.arrays = {name: np.empty(room, dtype) for name, dtype in NODE_FIELDS.items()}
        self.arrays["stats"] = np.empty((room, width), np.int64)
        self.pool = {name: np.empty(pool_room, np.int32) for name in POOL_FIELDS}
        self.live = {"alive": np.empty(2 * n_columns, np.int32)}

    def fields(self) -> dict[str, Any]:
        """The fields of a Work."""
        return {**self.arrays, **self.pool, **self.live}

    def make_room(self, work: Work, n_nodes: int, n_pool: int) -> None:
        """Twice the room, or as much as is asked for beyond what is used."""
        room = len(self.arrays["parent"])
        if work.n_nodes + n_nodes > room:
            _lengthen(self.arrays, max(2 * room, work.n_nodes + n_nodes))
        pool_room = len(self.pool["pool_code"])
        if work.n_pool + n_pool > pool_room:
            _lengthen(self.pool, max(2 * pool_room, work.n_pool + n_pool))
        live_room = len(self.live["alive"])
        if work.n_alive + work.n_columns > live_room:
            _lengthen(self.live, 2 * live_room + work.n_columns)
        work.assign(self.fields())


def _lengthen(arrays: dict[str, np.ndarray], room: int) -> None:
    for name, old in arrays.items():
        arrays[name] = np.empty((room, *old.shape[1:]), old.dtype)
        arrays[name][: len(old)] = old


def new_draft(prepared: Prepared) -> Draft:
    """An empty draft with room for the first split, whatever column it takes."""
    room = FIRST_ROOM + prepared.most
    return Draft(prepared.fields["width"], prepared.dataset.n_columns, room, room)
