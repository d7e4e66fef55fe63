"""Work: everything the growth loop reads and writes, by name.

In: arrays and numbers by name, as listed with their types in work.pxd. Out: the same, for the kernels to use
without the interpreter. Several threads each have a Work; what they share is the same arrays behind it.

Most arrays are rows of a few blocks: to hand over a block costs as much as to hand over an array, and a small table is
grown in less time than a hundred arrays are made.
"""

import cython

NODE_LONGS = (
    "parent", "first_child", "n_children", "rows", "weight", "low_row", "high_row", "table_start", "table_len",
    "backup_start", "backup_len", "depth", "start", "split_rows", "alive_start", "alive_len", "n_missing", "ids_end",
    "stack", "heap",
)  # fmt: skip
NODE_DOUBLES = ("impurity", "gain", "merit", "value", "priority", "bound_low", "bound_high")
NODE_INTS = ("column", "other", "missing_branch", "tally")
"""The rows of the draft's blocks, those that a finished tree is made of first; `lay_nodes` has the same order."""


@cython.cclass
class Work:
    """A plain record; see work.pxd for what each name holds."""

    def __init__(self, **fields: object) -> None:
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields; the names of blocks stand for all of their rows."""
        for name, value in fields.items():
            if name == "nodes":
                self.lay_nodes(*value)
            elif name == "candidates":
                self.lay_candidates(*value)
            elif name == "scratch":
                self.lay_scratch(*value)
            else:
                setattr(self, name, value)

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

    def lay_candidates(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1],
                       ints: cython.int[:, ::1], flags: cython.uchar[:, ::1]) -> None:
        """One entry a column."""
        self.c_pos = longs[0]
        self.c_cuts = longs[1]
        self.c_scored = longs[2]
        self.c_branches = longs[3]
        self.c_present = longs[4]
        self.c_missing = longs[5]
        self.c_agree = longs[6]
        self.c_agree_pos = longs[7]
        self.c_blocks = longs[8]
        self.c_barred = longs[9]
        self.c_gain = doubles[0]
        self.c_info = doubles[1]
        self.c_merit = doubles[2]
        self.c_charge = doubles[3]
        self.c_missing_branch = ints[0]
        self.c_agree_low = ints[1]
        self.c_below = ints[2]
        self.c_above = ints[3]
        self.c_ok = flags[0]
        self.c_style = flags[1]
        self.c_extra = flags[2]
        self.c_dead = flags[3]
        self.c_way = flags[4]

    def lay_scratch(self, longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1], ints: cython.int[:, ::1],
                    stats: cython.longlong[:, ::1], pairs: cython.double[:, ::1], n_table: cython.Py_ssize_t) -> None:
        """Room for the column in hand.

        stats    three rows for two branches and a block of entries, `n_table` for categories, the rest for groups
        pairs    a square for what merging two groups loses in gain, and one for split information
        """
        n_pairs: cython.Py_ssize_t = pairs.shape[1]
        self.left = longs[0]
        self.sums = longs[1]
        self.table_rows = longs[2]
        self.block_rows = longs[3]
        self.left_then = longs[4]
        self.offset = longs[5]
        self.last_group = longs[6]
        self.pair = doubles[0]
        self.key = doubles[1]
        self.mean = doubles[2]
        self.direction = doubles[3]
        self.turned = doubles[4]
        self.block_cost = doubles[5]
        self.near_loss = doubles[6]
        self.order = ints[0]
        self.block_of = ints[1]
        self.block_at = ints[2]
        self.near = ints[3]
        self.into = ints[4]
        self.sides = stats[:3]
        self.table = stats[3:3 + n_table]
        self.blocks = stats[3 + n_table:]
        self.pair_gain = pairs[:n_pairs]
        self.pair_info = pairs[n_pairs:]
