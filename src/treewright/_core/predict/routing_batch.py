"""Routing many rows side by side: rows of values and the cells of a tree -> the node where each row ends.

In: `values` with category codes as floats, and the cells of `BatchTables` (`treewright.model.packed_tree`). Out:
`out[r]` is the leaf of row r, or the node where its path ends because a value is missing.

Several rows go down at the same time, each in a lane, one step of each in turn: the steps of different rows do not
wait for each other, so the processor overlaps their cache misses. A step from a cell where a path ends leads to the
same cell, so lanes are checked only every few steps: a lane whose row has ended takes the next row.
"""

import cython

if not cython.compiled:
    from treewright._core.branch_rule import Cell
    from treewright._core.codes import ROUTED_AT_ONCE, STEPS_AT_ONCE, UNSEEN

branch_number = cython.fused_type(cython.uchar, cython.int)
Lane = cython.struct(
    cut=cython.double, child=cython.int, column=cython.int, place=cython.int, keep=cython.int, on=cython.int,
    unseen=cython.int,
)
"""A cell in 32 bytes; see `BatchTables` in `treewright.model.packed_tree`."""
MOST = cython.declare(cython.double, 2147483647.0)  # codes are below it


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def plain_step(
    values: cython.const[cython.double][::1], cells: Cell[::1], start: cython.longlong, at: cython.longlong,
) -> cython.longlong:
    """The cell behind a cell that tests a number, which is known; `start` is where the values of the row begin."""
    return cells[at].child + cython.cast(cython.longlong, values[start + cells[at].column] > cells[at].cut)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def coded_step(
    values: cython.const[cython.double][::1], cells: Lane[::1], tables: cython.const[branch_number][::1],
    start: cython.longlong, at: cython.longlong,
) -> cython.longlong:
    """The cell behind any cell: what it does not test, a number or a category, adds nothing."""
    value: cython.double = values[start + cells[at].column]
    branch: cython.longlong = cython.cast(cython.longlong, value > cells[at].cut)
    place: cython.longlong = cells[at].place
    if not value > UNSEEN:  # seldom enough to be guessed
        return cells[at].on if value != value else cells[at].unseen
    # Of a number nothing is kept, but C says nothing of the cast of one beyond 64 bits. Codes are not changed by this.
    value = abs(value)
    value = value if value < MOST else MOST
    place += cython.cast(cython.longlong, value) & cells[at].keep
    return cells[at].child + branch + cython.cast(cython.longlong, tables[place])


def route_numbers(
    values: cython.const[cython.double][::1], n_columns: cython.longlong, cells: Cell[::1],
    out: cython.longlong[::1],
) -> int:
    """Write the leaf of each row into `out`, as far as rows are taken; the first row that is not done.

    values  numbers that are all known, one row after the other
    cells   a leaf is its own child, and its cut is infinite
    """
    row = cython.declare(cython.longlong[8])
    start = cython.declare(cython.longlong[8])
    at = cython.declare(cython.longlong[8])
    n_rows: cython.longlong = out.shape[0]
    taken: cython.longlong = ROUTED_AT_ONCE
    lane: cython.longlong
    step: cython.longlong
    ended: cython.longlong
    if n_rows < 2 * ROUTED_AT_ONCE:
        return 0
    with cython.nogil:
        for lane in range(ROUTED_AT_ONCE):
            row[lane] = lane
            start[lane] = lane * n_columns
            at[lane] = 0
        while taken + ROUTED_AT_ONCE <= n_rows:  # every lane may take a row
            for step in range(STEPS_AT_ONCE):
                for lane in range(ROUTED_AT_ONCE):
                    at[lane] = plain_step(values, cells, start[lane], at[lane])
            # The cell of a lane is written at every check; the last one stays when the lane takes another row.
            for lane in range(ROUTED_AT_ONCE):
                out[row[lane]] = at[lane]
                ended = cython.cast(cython.longlong, cells[at[lane]].child == at[lane])
                row[lane] = taken if ended else row[lane]
                start[lane] = row[lane] * n_columns
                at[lane] = 0 if ended else at[lane]
                taken += ended
        for lane in range(ROUTED_AT_ONCE):
            taken = min(taken, row[lane])
    return taken


def route_codes(
    values: cython.const[cython.double][::1], n_columns: cython.longlong, cells: Lane[::1],
    tables: cython.const[branch_number][::1], out: cython.longlong[::1],
) -> int:
    """The same for any tree and any values, as long as categories are codes, missing (NaN) or unseen (minus infinity).

    A row that ends above the leaves has the number of a cell after those of the nodes, see `BatchTables`.
    """
    row = cython.declare(cython.longlong[8])
    start = cython.declare(cython.longlong[8])
    at = cython.declare(cython.longlong[8])
    n_rows: cython.longlong = out.shape[0]
    taken: cython.longlong = ROUTED_AT_ONCE
    lane: cython.longlong
    step: cython.longlong
    ended: cython.longlong
    if n_rows < 2 * ROUTED_AT_ONCE:
        return 0
    with cython.nogil:
        for lane in range(ROUTED_AT_ONCE):
            row[lane] = lane
            start[lane] = lane * n_columns
            at[lane] = 0
        while taken + ROUTED_AT_ONCE <= n_rows:
            for step in range(STEPS_AT_ONCE):
                for lane in range(ROUTED_AT_ONCE):
                    at[lane] = coded_step(values, cells, tables, start[lane], at[lane])
            for lane in range(ROUTED_AT_ONCE):
                out[row[lane]] = at[lane]
                ended = cython.cast(cython.longlong, cells[at[lane]].child == at[lane])
                row[lane] = taken if ended else row[lane]
                start[lane] = row[lane] * n_columns
                at[lane] = 0 if ended else at[lane]
                taken += ended
        for lane in range(ROUTED_AT_ONCE):
            taken = min(taken, row[lane])
    return taken
