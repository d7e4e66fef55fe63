"""Work: everything the growth loop reads and writes, by name.

In: arrays and numbers by name, as listed with their types in work.pxd. Out: the same, for the kernels to use
without the interpreter. Several threads each have a Work; what they share is the same arrays behind it.

Most arrays are rows of a few blocks: to hand over a block costs as much as to hand over an array, and a small table is
grown in less time than a hundred arrays are made.
"""

import cython
import numpy as np

NODE_LONGS = (
    "parent", "first_child", "n_children", "rows", "weight", "low_row", "high_row", "table_start", "table_len",
    "backup_start", "backup_len", "depth", "start", "split_rows", "alive_start", "alive_len", "n_missing", "ids_end",
    "stack", "heap",
)  # fmt: skip
NODE_DOUBLES = ("impurity", "gain", "merit", "value", "priority", "bound_low", "bound_high")
NODE_INTS = ("column", "other", "missing_branch", "tally")
"""The rows of the draft's blocks, those that a finished tree is made of first; `lay_nodes` has the same order."""
LASTING = NODE_LONGS.index("depth"), NODE_DOUBLES.index("priority"), NODE_INTS.index("tally")
"""How many those are, of each block."""
ZEROS = dict.fromkeys(
    (
        "n_nodes", "n_pool", "n_stack", "n_heap", "n_leaves", "n_alive", "n_backups", "n_backup_pool", "n_entries",
        "n_ids", "need_entries", "need_ids", "ghost", "n_blocks", "gone", "tie_scale", "loss_scale", "node_sum",
    ),
    0,
)  # fmt: skip
"""Numbers that begin with 0, as all do in C."""


@cython.cclass
class Work:
    """A plain record; see work.pxd for what each name holds."""

    def __init__(self, **fields: object) -> None:
        if not cython.compiled:
            self.__dict__.update(ZEROS)
        self.use_nothing(NOTHING)
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields; the names of blocks stand for all of their rows."""
        for name, value in fields.items():
            if name == "nodes":
                self.lay_nodes(*value)
            elif name == "room":
                self.lay_room(*value)
            elif name == "pairs":
                self.lay_pairs(value)
            elif name == "places":
                self.lay_places(value)
            else:
                setattr(self, name, value)

    def clear(self) -> None:
        """Make ready for another table of the same form: nothing is left of the nodes."""
        i: cython.Py_ssize_t
        self.n_nodes = 0
        self.n_pool = 0
        self.n_stack = 0
        self.n_heap = 0
        self.n_leaves = 0
        self.n_alive = 0
        self.n_backups = 0
        self.n_backup_pool = 0
        self.n_entries = 0
        self.n_ids = 0
        self.need_entries = 0
        self.need_ids = 0
        self.n_blocks = 0
        self.gone = 0.0
        self.tie_scale = 0.0
        self.loss_scale = 0.0
        self.node_sum = 0.0
        self.best_gain = -1.0
        for i in range(self.slot.shape[0]):
            self.slot[i] = -1

    def lay_nodes(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1],
                  ints: cython.int[:, ::1]) -> None:
        """One entry a node."""
        self.parent = longs[0]
        self.first_child = longs[1]
        self.n_children = longs[2]
        self.rows = longs[3]
        self.weight = longs[4]
        self.low_row = longs[5]
        self.high_row = longs[6]
        self.table_start = longs[7]
        self.table_len = longs[8]
        self.backup_start = longs[9]
        self.backup_len = longs[10]
        self.depth = longs[11]
        self.start = longs[12]
        self.split_rows = longs[13]
        self.alive_start = longs[14]
        self.alive_len = longs[15]
        self.n_missing = longs[16]
        self.ids_end = longs[17]
        self.stack = longs[18]
        self.heap = longs[19]
        self.impurity = doubles[0]
        self.gain = doubles[1]
        self.merit = doubles[2]
        self.value = doubles[3]
        self.priority = doubles[4]
        self.bound_low = doubles[5]
        self.bound_high = doubles[6]
        self.column = ints[0]
        self.other = ints[1]
        self.missing_branch = ints[2]
        self.tally = ints[3]

    def lay_room(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1], ints: cython.int[:, ::1],
                 flags: cython.uchar[:, ::1], stats: cython.longlong[:, ::1], entries: cython.uint[:, ::1],
                 n_slots: cython.Py_ssize_t, n_table: cython.Py_ssize_t, present: list) -> None:
        """Room for the candidates of a node, one entry a column, and for the column in hand.

        present  by column, the most categories that may be met there
        n_slots  codes of a category, and one more; all rows of a block are as long as the longest needs to be
        stats    three rows for two branches and a block of entries, `n_table` for categories, the rest for groups
        entries  one row, or two where values may be missing
        """
        n: cython.Py_ssize_t = len(present)
        i: cython.Py_ssize_t
        self.c_pos = longs[0, :n]
        self.c_cuts = longs[1, :n]
        self.c_scored = longs[2, :n]
        self.c_branches = longs[3, :n]
        self.c_present = longs[4, :n]
        self.c_missing = longs[5, :n]
        self.c_agree = longs[6, :n]
        self.c_agree_pos = longs[7, :n]
        self.c_blocks = longs[8, :n]
        self.c_barred = longs[9, :n]
        self.level_start = longs[10, :n + 1]
        self.left = longs[11]
        self.sums = longs[12]
        self.table_rows = longs[13]
        self.block_rows = longs[14]
        self.left_then = longs[15]
        self.offset = longs[16]
        self.last_group = longs[17]
        self.c_gain = doubles[0, :n]
        self.c_info = doubles[1, :n]
        self.c_merit = doubles[2, :n]
        self.c_charge = doubles[3, :n]
        self.pair = doubles[4]
        self.key = doubles[5]
        self.mean = doubles[6]
        self.direction = doubles[7]
        self.turned = doubles[8]
        self.block_cost = doubles[9]
        self.near_loss = doubles[10]
        self.c_missing_branch = ints[0, :n]
        self.c_agree_low = ints[1, :n]
        self.c_below = ints[2, :n]
        self.c_above = ints[3, :n]
        self.c_code = ints[4]
        self.c_branch = ints[5]
        self.order = ints[6]
        self.block_of = ints[7]
        self.block_at = ints[8]
        self.near = ints[9]
        self.into = ints[10]
        self.slot = ints[11, :n_slots]
        self.c_ok = flags[0, :n]
        self.c_style = flags[1, :n]
        self.c_extra = flags[2, :n]
        self.c_dead = flags[3, :n]
        self.c_way = flags[4, :n]
        self.sides = stats[:3]
        self.table = stats[3:3 + n_table]
        self.blocks = stats[3 + n_table:]
        self.buffer = entries[0]
        self.strays = entries[entries.shape[0] - 1]
        self.level_start[0] = 0
        for i in range(n):
            self.level_start[i + 1] = self.level_start[i] + cython.cast(cython.longlong, present[i])
        for i in range(n_slots):
            self.slot[i] = -1

    def lay_pairs(self, pairs: cython.double[:, ::1]) -> None:
        """A square for what merging two groups loses in gain, and one for split information."""
        n_pairs: cython.Py_ssize_t = pairs.shape[1]
        self.pair_gain = pairs[:n_pairs]
        self.pair_info = pairs[n_pairs:]

    def lay_places(self, places: cython.int[:, ::1]) -> None:
        """Where each column stands."""
        self.list_of = places[0]
        self.code_of = places[1]
        self.byte_of = places[2]

    def use_nothing(self, other: object) -> None:
        """One entry, that of another Work, for what a plan has no use for; it is never written to."""
        nothing: Work = other
        self.weights = nothing.weights
        self.moments = nothing.moments
        self.labels = nothing.labels
        self.y = nothing.y
        self.xlogx = nothing.xlogx
        self.log_ways = nothing.log_ways
        self.pair_gain = nothing.pair_gain
        self.pair_info = nothing.pair_info
        self.wide_side = nothing.wide_side


def _nothing() -> Work:
    longs, doubles, ints = np.zeros(1, np.int64), np.zeros((1, 1)), np.zeros(1, np.int32)
    nothing = Work.__new__(Work)
    nothing.assign({"weights": longs, "moments": longs, "labels": ints, "wide_side": ints})
    nothing.assign({"y": doubles[0], "xlogx": doubles[0], "log_ways": doubles})
    nothing.assign({"pair_gain": doubles, "pair_info": doubles})
    return nothing


NOTHING = _nothing()
