"""Stand-ins: a row that lacks the value a node asks for -> the branch its surrogates name.

In: the row, and the surrogates of the node in their order. Out: the branch, or -1 when none of them knows its own
value.
"""

import cython

i32 = cython.typedef(cython.int)
i64 = cython.typedef(cython.longlong)

StandIn = cython.struct(
    cut=cython.double, start=cython.longlong, stop=cython.longlong, column=cython.int, low=cython.int
)
"""A surrogate. low: the branch of value <= cut, or -1 where the entries (code, branch) from start to stop are
searched."""

UNSEEN = cython.declare(cython.double, float("-inf"))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stand_in_branch(
    values: cython.const[cython.double][:, :], row: i64, stand_ins: StandIn[::1], entries: i32[:, ::1], first: i64,
    behind: i64,
) -> i32:
    """The branch the first surrogate names that knows its value of the row; -1 when none does."""
    s: i64
    start: i64
    end: i64
    middle: i64
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
