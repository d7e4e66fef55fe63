"""Routing: rows of values and the packed nodes of a tree -> the leaf of every row.

In: `values` with category codes as floats, and the nodes of a valid tree as cells (the model room packs them).
Out: `out[r]` is the leaf of row r. The routing rule, (node, value) -> branch, stands here and nowhere else.

Several rows go down at once, each in a lane, one step of each in turn: the steps of different rows do not wait
for each other, so the processor overlaps their cache misses. A lane whose row has reached its leaf takes the next
row.
"""

import cython

i32 = cython.typedef(cython.int)
i64 = cython.typedef(cython.longlong)

Cell = cython.struct(cut=cython.double, child=cython.int, column=cython.int)
"""A node in 16 bytes. child: the first child, -1 at a leaf. column: the tested column c, or -1 - c when a table
is looked up. cut: the threshold, or the place where the node's dense table starts."""

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


def route(values: cython.const[cython.double][:, :], cells: Cell[::1], tables: tuple, out: i64[::1]) -> int:
    """Write the leaf of every row into `out`; the first row that meets a NaN, or -1.

    tables  (n_codes of each column, dense, spans, entries); without `dense` the entries are searched

    Where a row meets a NaN `out` holds the node that asked. The root is not a leaf.
    """
    n_codes: i32[::1] = tables[0]
    dense: i32[::1] = tables[1]
    spans: i64[:, ::1] = tables[2]
    entries: i32[:, ::1] = tables[3]
    is_dense: cython.bint = dense.shape[0] > 0
    rows = cython.declare(i64[8])
    nodes = cython.declare(i64[8])
    n_rows: i64 = values.shape[0]
    n_lanes: i64 = min(n_rows, LANES)
    following: i64 = n_lanes
    missing: i64 = n_rows
    lane: i64
    node: i64
    start: i64
    column: i32
    branch: i32
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
                if column >= 0:
                    value = values[rows[lane], column]
                    branch = value > cells[node].cut
                else:
                    column = -1 - column
                    value = values[rows[lane], column]
                    if is_dense:
                        start = cython.cast(i64, cells[node].cut)
                        branch = dense_branch(dense, start, n_codes[column], value)
                    else:
                        branch = sparse_branch(spans, entries, node, value)
                if value != value:
                    missing = min(missing, rows[lane])
                else:
                    node = cells[node].child + branch
                    nodes[lane] = node
                    if cells[node].child >= 0:
                        lane += 1
                        continue
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
    return missing if missing < n_rows else -1


def climb(
    parent: cython.const[i64][::1],
    leaves: cython.const[i64][::1],
    ends: cython.const[i64][::1],
    out: i64[::1],
) -> None:
    """Write the path of every leaf, root first, into `out`; row r's path ends before `out[ends[r]]`."""
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
