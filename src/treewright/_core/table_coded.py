"""A coded category of one node -> its contingency table.

In: the node's tally, or the rows of a small node. Out: the same as of category.py.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.count_codes import count_column, forget
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.count_codes import count_column, forget
    from treewright._core.work import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_row(wk: Work, node: cython.longlong, n: cython.longlong, cell: cython.longlong,
             sums: cython.longlong) -> cython.longlong:
    """Copy the counts of a code into row n of the table; how many rows of the node have it."""
    rows: cython.longlong = 0
    k: cython.int
    if wk.n_classes == 0:
        wk.table[n, 0] = wk.coded.counts[cell]
        wk.table[n, 1] = wk.coded.sums[sums]
        return wk.table[n, 0]
    for k in range(wk.n_classes):
        wk.table[n, k] = 0
        if wk.stats[node, k] > 0:  # only these have a number in a small node
            wk.table[n, k] = wk.coded.counts[cell + wk.coded.kind_of[k]]
            rows += wk.table[n, k]
    return rows


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_coded(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Fill the table for column f; the number of categories present."""
    p: cython.longlong = wk.byte_of[f]
    small: cython.bint = wk.rows[node] < wk.coded.least
    slot: cython.longlong = wk.tally[node]
    n_codes: cython.longlong = wk.coded.n_codes[p]
    n: cython.longlong = 0
    j: cython.longlong
    v: cython.int
    at: cython.longlong
    sums: cython.longlong
    if slot < 0:
        slot = wk.coded.blank if small else wk.coded.own
    at = slot * wk.coded.n_cells * wk.coded.width + wk.coded.first[p] * wk.coded.n_kinds
    sums = slot * wk.coded.n_cells + wk.coded.first[p]
    if small:
        n_codes = count_column(wk, p, wk.rows[node], at, sums)
    for j in range(n_codes):
        v = wk.coded.code[j]
        wk.table_rows[n] = fill_row(wk, node, n, at + v * wk.coded.n_kinds, sums + v)
        if wk.table_rows[n] > 0:
            wk.c_code[wk.level_start[f] + n] = v
            n += 1
    if small:
        forget(wk, at, sums, n_codes)
    return n
