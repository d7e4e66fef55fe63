"""Routing: rows of values and the packed nodes of a tree -> the leaf of every row.

In: `values` with category codes as floats, and the nodes of a valid tree as cells (the model room packs them).
Out: `out[r]` is the leaf of row r, or the node where it stopped, because the value asked for is missing (NaN) or a
category that training never showed (minus infinity). The routing rule, (node, value) -> branch, stands here and
nowhere else.

Several rows go down at once, each in a lane, one step of each in turn: the steps of different rows do not wait
for each other, so the processor overlaps their cache misses. A lane whose row has reached its leaf takes the next
row.
"""

import cython

i32 = cython.typedef(cython.int)
i64 = cython.typedef(cython.longlong)

Cell = cython.struct(cut=cython.double, child=cython.int, column=cython.int)
"""A node in 16 bytes. child: the first child, -1 at a leaf. column: the tested column c, or -1 - c when a table
is looked up. cut: the threshold, or the place where the node's dense table starts. route.pxd says it in C."""

LANES = cython.declare(i64, 8)


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


def route(values: cython.const[cython.double][:, :], cells: Cell[::1], tables: tuple, out: i64[::1]) -> int:
    """Write the leaf of every row into `out`, or the node where it stopped; how many rows stopped.

    tables  (n_codes of each column, dense, spans, entries); without `dense` the entries are searched

    The root is not a leaf.
    """
    n_codes: i32[::1] = tables[0]
    dense: i32[::1] = tables[1]
    spans: i64[:, ::1] = tables[2]
    entries: i32[:, ::1] = tables[3]
    rows = cython.declare(i64[8])
    nodes = cython.declare(i64[8])
    n_rows: i64 = values.shape[0]
    n_lanes: i64 = min(n_rows, LANES)
    following: i64 = n_lanes
    n_stopped: i64 = 0
    unseen: cython.double = float("-inf")
    lane: i64
    node: i64
    column: i32
    value: cython.double
    for lane in range(n_lanes):
        rows[lane] = lane
        nodes[lane] = 0
    with cython.nogil:
        while n_lanes > 0:
            lane = 0
            while lane < n_lanes:
                node = nodes[lane]
                column = cells[node].column
                value = values[rows[lane], column if column >= 0 else -1 - column]
                # One comparison for both: nothing is above NaN, and only known values are above minus infinity.
                if value > unseen:
                    node = cells[node].child + branch_of(cells, n_codes, dense, spans, entries, node, value)
                    nodes[lane] = node
                    if cells[node].child >= 0:
                        lane += 1
                        continue
                else:
                    n_stopped += 1
                out[rows[lane]] = node
                if following < n_rows:
                    rows[lane] = following
                    nodes[lane] = 0
                    following += 1
                    lane += 1
                else:
                    n_lanes -= 1
                    rows[lane] = rows[n_lanes]
                    nodes[lane] = nodes[n_lanes]
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
