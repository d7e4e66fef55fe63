"""A coded column of a small node -> counts by code.

In: the node's rows, gathered with their classes or moments. Out: the cells of the column in the thread's blank slot,
and the codes that rows have, rising. Whoever has read the cells sets them to 0 again.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.work import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_met(wk: Work, p: cython.longlong) -> cython.longlong:
    """List the codes of a column that are marked as met, rising, and take the marks off; how many there are."""
    n: cython.longlong = 0
    i: cython.longlong
    v: cython.longlong
    w: cython.longlong
    bits: cython.ulonglong
    for w in range((wk.coded.n_codes[p] + 63) >> 6):
        bits = cython.cast(cython.ulonglong, wk.coded.met[w])
        wk.coded.met[w] = 0
        v = 64 * w
        while bits:
            if bits & 255:
                for i in range(v, v + 8):  # without a jump: each is written, and stays if it was met
                    wk.coded.code[n] = cython.cast(cython.int, i)
                    n += bits & 1
                    bits >>= 1
            else:
                bits >>= 8
            v += 8
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_column(wk: Work, p: cython.longlong, m: cython.longlong, at: cython.longlong,
                 sums: cython.longlong) -> cython.longlong:
    """Count the column of a small node and list the codes met; how many there are."""
    n_kinds: cython.longlong = wk.coded.n_kinds
    i: cython.longlong
    v: cython.longlong
    if wk.n_classes > 0:
        for i in range(m):
            v = cython.cast(cython.longlong, wk.coded.codes[wk.coded.row_at[i], p])
            wk.coded.counts[at + v * n_kinds + wk.coded.kind_at[i]] += 1
            wk.coded.met[v >> 6] |= cython.cast(cython.ulonglong, 1) << (v & 63)
    else:
        for i in range(m):
            v = cython.cast(cython.longlong, wk.coded.codes[wk.coded.row_at[i], p])
            wk.coded.counts[at + v] += 1
            wk.coded.sums[sums + v] += wk.coded.moment_at[i]
            wk.coded.met[v >> 6] |= cython.cast(cython.ulonglong, 1) << (v & 63)
    return list_met(wk, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def forget(wk: Work, at: cython.longlong, sums: cython.longlong, n: cython.longlong) -> cython.void:
    """Set the cells of the n codes in hand to 0."""
    j: cython.longlong
    k: cython.longlong
    c: cython.longlong
    for j in range(n):
        c = at + wk.coded.code[j] * wk.coded.n_kinds
        for k in range(c, c + wk.coded.n_kinds):
            wk.coded.counts[k] = 0
    if wk.n_classes == 0:
        for j in range(n):
            wk.coded.sums[sums + wk.coded.code[j]] = 0
