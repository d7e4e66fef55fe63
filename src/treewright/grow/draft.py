"""Draft: the columns of a tree while it grows.

The arrays are made longer as nodes are added; `freeze` makes a Tree from them.
"""

from typing import Any

import numpy as np

from treewright._core.grow import NODE_DOUBLES, NODE_INTS, NODE_LONGS, Work
from treewright.grow.prepare import Prepared

NODE_FIELDS = (*NODE_LONGS, *NODE_DOUBLES, *NODE_INTS, "kind", "histogram_state", "stats")
POOL_FIELDS = ("pool_code", "pool_branch")
SURROGATE_FIELDS = {
    "surrogate_column": np.int32,
    "surrogate_low": np.int32,
    "surrogate_low_row": np.int64,
    "surrogate_high_row": np.int64,
    "surrogate_agree": np.int64,
    "surrogate_known": np.int64,
    "surrogate_heavy": np.int64,
    "surrogate_table": np.int64,
    "surrogate_table_len": np.int64,
}
SURROGATE_POOL_FIELDS = ("surrogate_code", "surrogate_branch")
FIRST_ROOM, FIRST_LIVE = 64, 1024
"""Room for nodes, and for live columns of nodes, at the start: enough for a small table."""
FIRST_CODES = 4
"""Room for categories of a surrogate at the start, on average."""
FIRST_BYTES = 2**30
"""The largest size of a new draft."""
DEEP = 40
"""A depth that bounds no tree: it has fewer nodes than 2^40."""


class Draft:
    """The arrays of a draft, with its open nodes.

    Behind the nodes there are `n_threads` more, one for each thread: the known rows of a column, searched as a node.
    """

    def __init__(self, prepared: Prepared, room: int, n_threads: int) -> None:
        width, self.n_threads = prepared.table["width"], n_threads
        self.form = _draft_key(prepared, n_threads)
        self.room, n = room, room + n_threads
        self.blocks: tuple[np.ndarray, ...] = (
            np.empty((len(NODE_LONGS), n), np.int64),
            np.empty((len(NODE_DOUBLES), n)),
            np.empty((len(NODE_INTS), n), np.int32),
        )
        self.own = {
            "kind": np.empty(n, np.int8),
            "histogram_state": np.empty(n, np.uint8),
            "stats": np.empty((n, width), np.int64),
        }
        self.pool = {name: np.empty(room, np.int32) for name in POOL_FIELDS}
        self.live = {"live": np.empty(max(2 * prepared.dataset.n_columns, FIRST_LIVE), np.int32)}
        self.surrogates: dict[str, np.ndarray] = {}
        self.surrogate_pool: dict[str, np.ndarray] = {}
        if prepared.numbers["max_surrogates"]:
            of_node = prepared.numbers["max_surrogates"]
            n_surrogates = of_node * (room // 2 + 1)  # for all inner nodes of two branches
            n_pool = of_node * (prepared.most + 1) + FIRST_CODES * n_surrogates
            self.surrogates = {name: np.empty(n_surrogates, dtype) for name, dtype in SURROGATE_FIELDS.items()}
            self.surrogate_pool = {name: np.empty(n_pool, np.int32) for name in SURROGATE_POOL_FIELDS}

    def suits(self, prepared: Prepared, n_threads: int) -> bool:
        """Whether another tree can be grown in these arrays; they need not be long enough."""
        return self.form == _draft_key(prepared, n_threads)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """The columns by name, one entry a node."""
        longs, doubles, ints = self.blocks
        names = (*NODE_LONGS, *NODE_DOUBLES, *NODE_INTS)
        return dict(zip(names, (*longs, *doubles, *ints), strict=True)) | self.own

    def fields(self) -> dict[str, Any]:
        """The fields of the workspace's draft."""
        return {
            "nodes": self.blocks,
            **self.own,
            **self.pool,
            **self.live,
            **self.surrogates,
            **self.surrogate_pool,
            "node_room": self.room,
        }

    def make_room(self, work: Work, n_nodes: int, n_pool: int) -> None:
        """Make room for more nodes and categories: twice as much as now, or what is needed."""
        if work.draft.n_nodes + n_nodes > self.room:
            self.room = max(2 * self.room, work.draft.n_nodes + n_nodes)
            n = self.room + self.n_threads
            self.blocks = tuple(_widened(block, n, work.draft.n_nodes) for block in self.blocks)
            _lengthen(self.own, n)
        _ensure(self.pool, work.draft.n_pool + n_pool)
        _ensure(self.live, work.draft.n_live + work.table.n_columns)
        if self.surrogates:
            of_node = work.plan.max_surrogates
            self.make_surrogate_room(work, of_node, of_node * len(work.scratch.table_row))
        work.draft.assign(self.fields())

    def make_surrogate_room(self, work: Work, n_surrogates: int, n_pool: int) -> None:
        """The same for surrogates and their categories."""
        _ensure(self.surrogates, work.draft.n_surrogates + n_surrogates)
        _ensure(self.surrogate_pool, work.draft.n_surrogate_pool + n_pool)


def _draft_key(prepared: Prepared, n_threads: int) -> tuple[int, ...]:
    """What the arrays of a draft depend on, except their length."""
    return prepared.table["width"], prepared.numbers["max_surrogates"], prepared.dataset.n_columns, n_threads


def _ensure(arrays: dict[str, np.ndarray], room: int) -> None:
    """Lengthen the arrays if they are shorter than this, at least to twice their length."""
    now = len(next(iter(arrays.values())))
    if room > now:
        _lengthen(arrays, max(2 * now, room))


def _lengthen(arrays: dict[str, np.ndarray], room: int) -> None:
    for name, old in arrays.items():
        arrays[name] = np.empty((room, *old.shape[1:]), old.dtype)
        arrays[name][: len(old)] = old


def _widened(block: np.ndarray, room: int, n_used: int) -> np.ndarray:
    """The block with longer rows; the first `n_used` columns are copied."""
    longer = np.empty((len(block), room), block.dtype)
    longer[:, :n_used] = block[:, :n_used]
    return longer


def new_draft(prepared: Prepared, n_rows: int, n_threads: int = 1) -> Draft:
    """An empty draft for a tree of this many rows.

    It has room for the first split on any column, and for as many nodes as most trees have: for regression one leaf
    for each row, for classes half as many nodes as rows, and no more than a binary tree of the maximum depth. To copy
    a long draft takes time, but so does unused room: the first write to a row of a large block may clear two
    megabytes.
    """
    most = FIRST_BYTES // (8 * (len(NODE_FIELDS) + prepared.table["width"]))
    depth = prepared.plan.limits.max_depth
    if depth is not None:
        most = min(most, 2 << min(depth, DEEP))
    usual = n_rows // 2 if prepared.table["n_classes"] else 2 * n_rows
    return Draft(prepared, FIRST_ROOM + prepared.most + min(usual, most), n_threads)
