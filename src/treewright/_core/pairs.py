"""Children of two rows at the most -> as much of their lists as is ever looked at.

In: a node whose children are made, none of more than two rows. Out: its lists, shared out up to the column that splits
the last of them. Two rows can be split in one way only, so all columns that tell them apart gain the same, and the
first of these is chosen: the columns behind it need not be looked at, nor their lists be kept in order.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.codes import FAST_PAIRS, WHOLE
    from cython.cimports.treewright._core.partition import split_in_two
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import FAST_PAIRS, WHOLE
    from treewright._core.partition import split_in_two
    from treewright._core.work import Work

FLAG = cython.declare(cython.uint, 0x80000000)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def are_pairs(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether the two children have two rows at the most, and the first column that tells these apart is chosen: all
    columns are numbers without holes, and nothing but gain is asked for.
    """
    child: cython.longlong = wk.first_child[node]
    return (wk.rows[node] <= 4 and wk.rows[child] <= 2 and wk.rows[child + 1] <= 2 and wk.n_children[node] == 2
            and wk.use_bound and wk.missing == WHOLE and not wk.monotone and wk.max_surrogates == 0
            and wk.n_lists == wk.n_columns + 1 and wk.fast & FAST_PAIRS != 0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_pairs(wk: Work, node: cython.longlong) -> cython.void:
    """Share out the lists of the live columns up to the one with which both children's rows have been told apart; no
    later ones are live there. Nodes elsewhere still read the list of live columns as it was: `leave_out_dead` must not
    write behind the shorter one.
    """
    child: cython.longlong = wk.first_child[node]
    first: cython.longlong = wk.alive_start[node]
    base: cython.longlong
    n: cython.longlong = 0
    b: cython.int
    apart = cython.declare(cython.bint[2])
    for b in range(2):
        apart[b] = wk.rows[child + b] < 2
    while n < wk.alive_len[node] and not (apart[0] and apart[1]):
        base = wk.list_of[wk.alive[first + n]] * wk.stride
        if wk.alive[first + n] != wk.column[node]:  # that list is in order already
            split_in_two(wk, base + wk.start[node], wk.rows[node])
        for b in range(2):
            if wk.rows[child + b] == 2 and wk.lists[base + wk.start[child + b] + 1] & FLAG:
                apart[b] = True
        n += 1
    wk.alive_len[child] = n
    wk.alive_len[child + 1] = n
