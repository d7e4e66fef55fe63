"""Routing one row at a time: rows of values and the packed nodes of a tree -> the node where each row ends.

In: `values` with category codes as floats, the nodes of a valid tree as cells (`treewright.model.packed_tree`), and
what is done with a value that is missing (NaN) or a category that training never showed (minus infinity).
Out: `out[r]` is the leaf of row r, or the node where its path ends because a value is missing.

`RowRouter` routes a few ordinary rows as the user has them: everything about the tree is passed once, not at every
call.
"""

import cython

if not cython.compiled:
    from treewright._core.branch_rule import Cell, StandIn, branch_of, stand_in_branch
    from treewright._core.codes import UNSEEN


def route(
    values: cython.const[cython.double][:, ::1], cells: Cell[::1], tables: tuple, aside: tuple,
    begin: cython.longlong, out: cython.longlong[::1], stopped: cython.longlong[::1],
) -> int:
    """Write the node where each row ends into `out`; how many end above the leaves.

    cells    the nodes; a leaf has no child
    tables   (n_codes of each column, dense, spans, entries); without `dense` the entries are searched
    aside    (missing, unseen, first, stand_ins, entries): the node behind each node for a value that is missing, and
             for one that is unseen, the node itself where the path ends; before `missing` the surrogates are tried,
             from the first one of each node on, unless `first` is empty
    begin    the first row that is sent down: those before have the leaf where they ended, or the node where they halted
             and n_nodes more
    stopped  is filled with the rows that end above the leaves, and has a place for every row
    """
    n_codes: cython.int[::1] = tables[0]
    dense: cython.int[::1] = tables[1]
    spans: cython.longlong[:, ::1] = tables[2]
    entries: cython.int[:, ::1] = tables[3]
    missing: cython.const[cython.int][::1] = aside[0]
    unseen: cython.const[cython.int][::1] = aside[1]
    first: cython.const[cython.longlong][::1] = aside[2]
    stand_ins: StandIn[::1] = aside[3]
    stand_in_entries: cython.int[:, ::1] = aside[4]
    n_stopped: cython.longlong = 0
    halts: cython.longlong = 0
    row: cython.longlong
    node: cython.longlong
    to: cython.longlong
    column: cython.int
    branch: cython.int
    value: cython.double
    with cython.nogil:
        for row in range(begin):  # whether any has stopped, several at once: the sign tells
            halts |= cells.shape[0] - 1 - out[row]
        for row in range(begin if halts < 0 else 0):
            stopped[n_stopped] = row  # stays there if it does
            if out[row] >= cells.shape[0]:
                out[row] -= cells.shape[0]
                n_stopped += 1
        for row in range(begin, values.shape[0]):
            node = -1
            to = 0
            while to != node and cells[to].child >= 0:
                node = to
                column = cells[node].column
                value = values[row, column if column >= 0 else -1 - column]
                if value > UNSEEN:
                    to = cells[node].child + branch_of(cells, n_codes, dense, spans, entries, node, value)
                elif value == UNSEEN:
                    to = unseen[node]
                else:
                    to = missing[node]
                    if first.shape[0] > 0:
                        branch = stand_in_branch(
                            values, row, stand_ins, stand_in_entries, first[node], first[node + 1]
                        )
                        to = cells[node].child + branch if branch >= 0 else to
            out[row] = to
            stopped[n_stopped] = row
            n_stopped += cython.cast(cython.longlong, to == node)
    return n_stopped


def write_paths(
    parent: cython.const[cython.longlong][::1],
    leaves: cython.const[cython.longlong][::1],
    ends: cython.const[cython.longlong][::1],
    out: cython.longlong[::1],
) -> None:
    """Write the path of every leaf, root first, into `out`; row r's path ends before `out[ends[r]]`.

    A row whose leaf is -1 has none.
    """
    r: cython.longlong
    place: cython.longlong
    node: cython.longlong
    with cython.nogil:
        for r in range(leaves.shape[0]):
            place = ends[r]
            node = leaves[r]
            while node >= 0:
                place -= 1
                out[place] = node
                node = parent[node]


INFINITE = cython.declare(cython.double, float("inf"))


@cython.cclass
class RowRouter:
    """A tree, and how its columns are read; never changed once it is made.

    cells, tables  as `route` takes them; a leaf has no child
    first          by column, where its codes begin; -1 for numbers, which are used as they are
    length         by column, how many codes there are: for the whole numbers from 0 on
    codes          -1 where a number is not a category
    """

    cells: Cell[::1]
    n_codes = cython.declare(cython.int[::1])
    dense = cython.declare(cython.int[::1])
    spans = cython.declare(cython.longlong[:, ::1])
    entries = cython.declare(cython.int[:, ::1])
    first = cython.declare(cython.longlong[::1])
    length = cython.declare(cython.longlong[::1])
    codes = cython.declare(cython.int[::1])

    def __init__(self, cells: object, tables: tuple, first: object, length: object, codes: object) -> None:
        self.cells = cells
        self.n_codes, self.dense, self.spans, self.entries = tables
        self.first = first
        self.length = length
        self.codes = codes

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def code_of(self, column: cython.longlong, value: cython.double) -> cython.double:
        """The value as the tree knows it: a number, or the code of a category; -1 where it has none."""
        whole: cython.longlong
        if self.first[column] < 0:
            return value
        if not (0.0 <= value and value < self.length[column]):
            return -1.0
        whole = cython.cast(cython.longlong, value)
        if whole != value:
            return -1.0
        return cython.cast(cython.double, self.codes[self.first[column] + whole])

    def send(self, rows: cython.const[cython.double][:, :], nodes: cython.longlong[::1]) -> bool:
        """Write the node where each row ends into `nodes`; False, with nothing said, where a row is not ordinary."""
        n_columns: cython.longlong = self.first.shape[0]
        i: cython.longlong
        j: cython.longlong
        node: cython.longlong
        value: cython.double
        if rows.shape[1] != n_columns:
            return False
        for i in range(rows.shape[0]):
            for j in range(n_columns):
                value = rows[i, j]
                if not (-INFINITE < value and value < INFINITE):  # neither is NaN
                    return False
                if self.first[j] >= 0 and self.code_of(j, value) < 0.0:
                    return False
            node = 0
            while self.cells[node].child >= 0:
                j = self.cells[node].column
                if j < 0:
                    j = -1 - j
                value = self.code_of(j, rows[i, j])
                node = self.cells[node].child + branch_of(
                    self.cells, self.n_codes, self.dense, self.spans, self.entries, node, value
                )
            nodes[i] = node
        return True
