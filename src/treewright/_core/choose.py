"""The candidates of a node -> the chosen one. The tie rule stands here and nowhere else.

In: gain and split information of each column's candidate (wk.c_*). Out: the chosen column, or -1; wk.c_merit holds
what the columns were ranked by, NaN where a column was below the floor.
"""

import cython

if cython.compiled:
    from cython.cimports.libc.math import NAN, log2
    from cython.cimports.treewright._core.codes import NO_FLOOR
    from cython.cimports.treewright._core.work import Work
else:
    from math import log2
    from math import nan as NAN

    from treewright._core.codes import NO_FLOOR
    from treewright._core.work import Work

TIE = cython.declare(cython.double, 1e-11)
SURE = cython.declare(cython.double, 0.9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def beats(a: cython.double, b: cython.double, scale: cython.double) -> cython.bint:
    """The tie rule: a beats b when it is larger by more than 1e-11 of the scale.

    The scale is the node's impurity for gains, 1 for gain ratios. What does not beat the earlier cut, subset or
    column does not replace it: the lowest cut wins a tie, then the first column.
    """
    return a > b + TIE * scale


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def average_gain(wk: Work, node: cython.longlong) -> cython.double:
    """The mean gain of the candidates; wide columns count only when there are no others."""
    total: cython.double = 0.0
    wide_total: cython.double = 0.0
    n: cython.longlong = 0
    n_wide: cython.longlong = 0
    i: cython.longlong
    f: cython.longlong
    for i in range(wk.alive_start[node], wk.alive_start[node] + wk.alive_len[node]):
        f = wk.alive[i]
        if not wk.c_ok[f]:
            continue
        if wk.wide[f]:
            wide_total += wk.c_gain[f]
            n_wide += 1
        else:
            total += wk.c_gain[f]
            n += 1
    if n > 0:
        return total / n
    return wide_total / n_wide if n_wide > 0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def floor_of(wk: Work, node: cython.longlong) -> cython.double:
    """The gain a column has to reach to be ranked.

    The description-length floor: what it takes to name one of the columns that have a candidate, or on small tables
    the average gain; between the two sizes a part of each.
    """
    average: cython.double = average_gain(wk, node) if wk.average_part > 0.0 else 0.0
    named: cython.double = 0.0
    n: cython.longlong = 0
    i: cython.longlong
    if wk.average_part < 1.0:
        for i in range(wk.alive_start[node], wk.alive_start[node] + wk.alive_len[node]):
            if wk.c_ok[wk.alive[i]]:
                n += 1
        if n > 1:
            named = SURE * log2(cython.cast(cython.double, n)) / (wk.weight[node] / wk.one)
    return wk.average_part * average + (1.0 - wk.average_part) * named - wk.slack


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose(wk: Work, node: cython.longlong) -> cython.longlong:
    """The column whose candidate is chosen: the first of those that no other beats; -1 when there is none.

    The largest merit is found first, then the first column that it does not beat: so a chain of near ties cannot
    drift away from the best.
    """
    floor: cython.double = floor_of(wk, node) if wk.floor != NO_FLOOR else 0.0
    scale: cython.double = 1.0 if wk.by_ratio else wk.impurity[node]
    top: cython.longlong = -1
    i: cython.longlong
    f: cython.longlong
    for i in range(wk.alive_start[node], wk.alive_start[node] + wk.alive_len[node]):
        f = wk.alive[i]
        wk.c_merit[f] = NAN
        if not wk.c_ok[f] or (wk.floor != NO_FLOOR and wk.c_gain[f] < floor):
            continue
        if wk.by_ratio:
            if wk.c_info[f] <= wk.min_info:
                continue
            wk.c_merit[f] = wk.c_gain[f] / wk.c_info[f]
        else:
            wk.c_merit[f] = wk.c_gain[f]
        if top < 0 or wk.c_merit[f] > wk.c_merit[top]:
            top = f
    for i in range(wk.alive_start[node], wk.alive_start[node] + wk.alive_len[node]):
        f = wk.alive[i]
        if f >= top:
            break
        if wk.c_merit[f] == wk.c_merit[f] and not beats(wk.c_merit[top], wk.c_merit[f], scale):
            return f
    return top
