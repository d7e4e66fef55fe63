"""Routing: rows of values and the packed nodes of a tree -> the node where every row ends.

In: `values` with category codes as floats, the nodes of a valid tree as cells (the model room packs them), and what is
done with a value that is missing (NaN) or a category that training never showed (minus infinity). Out: `out[r]` is the
leaf of row r, or the node where its way ends for want of a value. The routing rule, (node, value) -> branch, stands
here; where rows go down side by side, lanes.py has it once more.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.stand_in import StandIn, stand_in_branch
else:
    from treewright._core.stand_in import StandIn, stand_in_branch

i32 = cython.typedef(cython.int)
i64 = cython.typedef(cython.longlong)

Cell = cython.struct(cut=cython.double, child=cython.int, column=cython.int)
"""A node in 16 bytes. child: the first child, -1 at a leaf. column: the tested column c, or -1 - c when a table
is looked up. cut: the threshold, or the place where the node's dense table starts. route.pxd says it in C."""

UNSEEN = cython.declare(cython.double, float("-inf"))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def dense_branch(dense: i32[::1], start: i64, n_codes: i32, value: cython.double) -> i32:
    """The branch of a category; the entry behind the last code holds the branch of every other value."""
    code: i32 = n_codes
    if 0.0 <= value < n_codes:
        code = cython.cast(i32, value)
        if code != value:
            code = n_codes
    return dense[start + code]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sparse_branch(spans: i64[:, ::1], entries: i32[:, ::1], node: i64, value: cython.double) -> i32:
    """The same by binary search in the node's entries (code, branch); its span is (start, stop, other)."""
    start: i64 = spans[node, 0]
    end: i64 = spans[node, 1]
    middle: i64
    while start < end:
        middle = (start + end) >> 1
        if entries[middle, 0] < value:
            start = middle + 1
        else:
            end = middle
    if start < spans[node, 1] and entries[start, 0] == value:
        return entries[start, 1]
    return cython.cast(i32, spans[node, 2])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def branch_of(
    cells: Cell[::1], n_codes: i32[::1], dense: i32[::1], spans: i64[:, ::1], entries: i32[:, ::1], node: i64,
    value: cython.double,
) -> i32:
    """The branch of a value that is neither missing nor unseen."""
    column: i32 = cells[node].column
    if column >= 0:
        return value > cells[node].cut
    if dense.shape[0] > 0:
        return dense_branch(dense, cython.cast(i64, cells[node].cut), n_codes[-1 - column], value)
    return sparse_branch(spans, entries, node, value)


def route(
    values: cython.const[cython.double][:, ::1], cells: Cell[::1], tables: tuple, aside: tuple, begin: i64,
    out: i64[::1], stopped: i64[::1],
) -> int:
    """Write the node where each row ends into `out`; how many end above the leaves.

    cells    the nodes; a leaf has no child
    tables   (n_codes of each column, dense, spans, entries); without `dense` the entries are searched
    aside    (missing, unseen, first, stand_ins, entries): the node behind each node for a value that is missing, and
             for one that is unseen, the node itself where the way ends; before `missing` the surrogates are asked, from
             the first one of each node on, unless `first` is empty
    begin    the first row that is sent down: those before have the leaf where they ended, or the node where they halted
             and n_nodes more
    stopped  is filled with the rows that end above the leaves, and has a place for every row
    """
    n_codes: i32[::1] = tables[0]
    dense: i32[::1] = tables[1]
    spans: i64[:, ::1] = tables[2]
    entries: i32[:, ::1] = tables[3]
    missing: cython.const[i32][::1] = aside[0]
    unseen: cython.const[i32][::1] = aside[1]
    first: cython.const[i64][::1] = aside[2]
    stand_ins: StandIn[::1] = aside[3]
    stand_in_entries: i32[:, ::1] = aside[4]
    n_stopped: i64 = 0
    halts: i64 = 0
    row: i64
    node: i64
    to: i64
    column: i32
    branch: i32
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
            n_stopped += cython.cast(i64, to == node)
    return n_stopped


def climb(
    parent: cython.const[i64][::1],
    leaves: cython.const[i64][::1],
    ends: cython.const[i64][::1],
    out: i64[::1],
) -> None:
    """Write the path of every leaf, root first, into `out`; row r's path ends before `out[ends[r]]`.

    A row whose leaf is -1 has none.
    """
    r: i64
    place: i64
    node: i64
    with cython.nogil:
        for r in range(leaves.shape[0]):
            place = ends[r]
            node = leaves[r]
            while node >= 0:
                place -= 1
                out[place] = node
                node = parent[node]
