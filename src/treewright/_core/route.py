"""Routing: rows of values and the packed nodes of a tree -> the node where every row ends.

In: `values` with category codes as floats, the nodes of a valid tree as cells (the model room packs them), and what is
done with a value that is missing (NaN) or a category that training never showed (minus infinity). Out: `out[r]` is the
leaf of row r, or the node where its way ends for want of a value. The routing rule, (node, value) -> branch, stands
here and nowhere else.

Several rows go down at once, each in a lane, one step of each in turn: the steps of different rows do not wait
for each other, so the processor overlaps their cache misses. A step from a node where a way ends leads to that node, so
that lanes are looked at only every few steps: one that did not move takes the next row.
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

if not cython.compiled:  # route.pxd has the same as constants
    LANES, STEPS = 8, 4
    PLAIN, CODED, STRANGE = 0, 1, 2

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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def step_of(
    cells: cython.const[cython.double][::1], loops: Cell[::1], dense: i32[::1], on: cython.const[i32][::1], start: i64,
    node: i64, plain: cython.bint,
) -> i64:
    """The node behind a node, the node itself where a way ends: `branch_of` without anything to be guessed.

    cells  the values of all rows, one row after the other; those of this one begin at `start`
    on     the node behind each node where the value is missing
    plain  whether there are numbers only, and none of them is missing; otherwise a number is looked up like a category:
           `dense` begins with 0 and 1
    """
    column: i64 = cython.cast(i64, loops[node].column)
    is_table: i64 = 0 if plain else column >> 63  # all bits are set, or none
    value: cython.double = cells[start + (column ^ is_table)]
    to: i64 = cython.cast(i64, value > loops[node].cut)
    if plain:
        return loops[node].child + to
    if not value > UNSEEN:  # seldom enough to be guessed
        return on[node] if value != value else node
    # Of a number no bit of the place in a table is kept; Python could not even make one of a large one.
    if cython.compiled or is_table:
        to ^= (to ^ cython.cast(i64, value + loops[node].cut)) & is_table
    return cython.cast(i64, loops[node].child + dense[to])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def in_lanes(
    cells: cython.const[cython.double][::1], loops: Cell[::1], dense: i32[::1], on: cython.const[i32][::1],
    rows: i64[::1], nodes: i64[::1], n: i64, n_columns: i64, plain: cython.bint,
) -> i64:
    """Take the first n rows on from their nodes, several at a time; how many were taken up.

    A lane that did not move in its last step takes the next row, again with nothing to guess: where it stands is
    written down at every look, and stays there when it takes another row. The rows in the lanes are left on their way.
    """
    at = cython.declare(i64[8])  # the place of each lane's row in `rows`
    start = cython.declare(i64[8])
    node = cython.declare(i64[8])
    before = cython.declare(i64[8])
    taken: i64 = LANES
    lane: i64
    step: i64
    stays: i64
    for lane in range(LANES):
        at[lane] = lane
        start[lane] = rows[lane] * n_columns
        node[lane] = nodes[lane]
    while taken + LANES <= n:  # every lane may take a row
        for step in range(STEPS - 1):
            for lane in range(LANES):
                node[lane] = step_of(cells, loops, dense, on, start[lane], node[lane], plain)
        for lane in range(LANES):
            before[lane] = node[lane]
            node[lane] = step_of(cells, loops, dense, on, start[lane], node[lane], plain)
        for lane in range(LANES):
            nodes[at[lane]] = node[lane]
            stays = cython.cast(i64, node[lane] == before[lane])
            at[lane] = taken if stays else at[lane]
            start[lane] = rows[at[lane]] * n_columns
            node[lane] = nodes[at[lane]]
            taken += stays
    return taken


def route(
    values: cython.const[cython.double][:, ::1], loops: Cell[::1], tables: tuple, aside: tuple, work: tuple,
    out: i64[::1],
) -> bool:
    """Write the node where each row ends into `out`; whether one of them ends above the leaves.

    loops   the cells, where a step from a leaf leads to the leaf itself: its child is the leaf, its cut infinity, its
            column any
    tables  (n_codes of each column, dense, spans, entries); without `dense` the entries are searched
    aside   (missing, unseen, on, first, stand_ins, entries): the node behind each node for a value that is missing, and
            for one that is unseen, the node itself where the way ends; before `missing` the surrogates are asked, from
            the first one of each node on, unless `first` is empty; on: as `missing` where none are, else the node
    work    (rows, nodes, cells, look): room for a number for each row, twice; the values, one row after the other;
            and what they are: PLAIN, numbers that are all known; CODED, numbers, codes of categories and unknown
            values; STRANGE, anything, or tables that have to be searched
    """
    n_codes: i32[::1] = tables[0]
    dense: i32[::1] = tables[1]
    spans: i64[:, ::1] = tables[2]
    entries: i32[:, ::1] = tables[3]
    missing: cython.const[i32][::1] = aside[0]
    unseen: cython.const[i32][::1] = aside[1]
    on: cython.const[i32][::1] = aside[2]
    first: cython.const[i64][::1] = aside[3]
    stand_ins: StandIn[::1] = aside[4]
    stand_in_entries: i32[:, ::1] = aside[5]
    rows: i64[::1] = work[0]
    nodes: i64[::1] = work[1]
    cells: cython.const[cython.double][::1] = work[2]
    look: i64 = work[3]
    stopped: cython.bint = False
    n_left: i64 = values.shape[0]
    n: i64
    i: i64
    row: i64
    node: i64
    to: i64
    column: i32
    branch: i32
    value: cython.double
    with cython.nogil:
        for i in range(n_left):
            rows[i] = i
            nodes[i] = 0
        while n_left > 0:
            n = n_left
            # Steps aside, and those of few rows or of strange ones, are made one by one.
            if n >= 2 * LANES and look == PLAIN:
                in_lanes(cells, loops, dense, on, rows, nodes, n, values.shape[1], True)
            elif n >= 2 * LANES and look == CODED:
                in_lanes(cells, loops, dense, on, rows, nodes, n, values.shape[1], False)
            n_left = 0
            for i in range(n):
                row = rows[i]
                node = nodes[i]
                to = node
                if loops[node].child != node:
                    column = loops[node].column
                    value = values[row, column if column >= 0 else -1 - column]
                    if value > UNSEEN:
                        to = loops[node].child + branch_of(loops, n_codes, dense, spans, entries, node, value)
                    elif value == UNSEEN:
                        to = unseen[node]
                    else:
                        to = missing[node]
                        if first.shape[0] > 0:
                            branch = stand_in_branch(
                                values, row, stand_ins, stand_in_entries, first[node], first[node + 1]
                            )
                            to = loops[node].child + branch if branch >= 0 else to
                    stopped |= to == node
                if to == node:
                    out[row] = node
                else:
                    rows[n_left] = row
                    nodes[n_left] = to
                    n_left += 1
    return stopped


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
