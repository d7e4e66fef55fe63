"""The routing rule: a node and a value -> the branch; where the value is missing, the branch its surrogates
name.

Growth, prediction and pruning send rows by this rule. routing_batch.py repeats it for rows that are routed
side by side.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import UNSEEN

StandIn = cython.struct(
    cut=cython.double, start=cython.longlong, stop=cython.longlong, column=cython.int, low=cython.int
)
"""A surrogate. low: the branch of value <= cut, or -1 where the entries (code, branch) from start to stop are
searched."""


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stand_in_branch(
    values: cython.const[cython.double][:, :], row: cython.longlong, stand_ins: StandIn[::1],
    entries: cython.int[:, ::1], first: cython.longlong, behind: cython.longlong,
) -> cython.int:
    """The branch the first surrogate names that knows its value of the row; -1 when none does."""
    s: cython.longlong
    start: cython.longlong
    end: cython.longlong
    middle: cython.longlong
    value: cython.double
    for s in range(first, behind):
        value = values[row, stand_ins[s].column]
        if not value > UNSEEN:
            continue
        if stand_ins[s].low >= 0:
            return stand_ins[s].low if value <= stand_ins[s].cut else 1 - stand_ins[s].low
        start = stand_ins[s].start
        end = stand_ins[s].stop
        while start < end:
            middle = (start + end) >> 1
            if entries[middle, 0] < value:
                start = middle + 1
            else:
                end = middle
        if start < stand_ins[s].stop and entries[start, 0] == value:
            return entries[start, 1]
    return -1


Cell = cython.struct(cut=cython.double, child=cython.int, column=cython.int)
"""A node in 16 bytes. child: the first child, -1 at a leaf. column: the tested column c, or -1 - c when a table
is looked up. cut: the threshold, or the place where the node's dense table starts."""


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def dense_branch(
    dense: cython.int[::1], start: cython.longlong, n_codes: cython.int, value: cython.double,
) -> cython.int:
    """The branch of a category; the entry behind the last code holds the branch of every other value."""
    code: cython.int = n_codes
    if 0.0 <= value < n_codes:
        code = cython.cast(cython.int, value)
        if code != value:
            code = n_codes
    return dense[start + code]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sparse_branch(
    spans: cython.longlong[:, ::1], entries: cython.int[:, ::1], node: cython.longlong, value: cython.double,
) -> cython.int:
    """The same by binary search in the node's entries (code, branch); its span is (start, stop, other)."""
    start: cython.longlong = spans[node, 0]
    end: cython.longlong = spans[node, 1]
    middle: cython.longlong
    while start < end:
        middle = (start + end) >> 1
        if entries[middle, 0] < value:
            start = middle + 1
        else:
            end = middle
    if start < spans[node, 1] and entries[start, 0] == value:
        return entries[start, 1]
    return cython.cast(cython.int, spans[node, 2])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def branch_of(
    cells: Cell[::1], n_codes: cython.int[::1], dense: cython.int[::1], spans: cython.longlong[:, ::1],
    entries: cython.int[:, ::1], node: cython.longlong, value: cython.double,
) -> cython.int:
    """The branch of a value that is neither missing nor unseen."""
    column: cython.int = cells[node].column
    if column >= 0:
        return value > cells[node].cut
    if dense.shape[0] > 0:
        return dense_branch(dense, cython.cast(cython.longlong, cells[node].cut), n_codes[-1 - column], value)
    return sparse_branch(spans, entries, node, value)
