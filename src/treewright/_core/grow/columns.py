"""One column of one node -> its candidate.

In: the node's rows. Out: the column's entries of wk.c_*: whether there is a candidate, its gain (less its
charge) and split information, and what is needed to make the split.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import FAST_LARGEST, PLAIN
    from treewright._core.grow.categories import search_category
    from treewright._core.grow.coded_numbers import search_coded
    from treewright._core.grow.monotone import begin_column, end_column
    from treewright._core.grow.numbers import search_number
    from treewright._core.grow.workspace import Work

NEARLY_ALL = cython.declare(cython.double, 1.0 - 1e-14)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_column(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Fill the candidate of column f."""
    wk.c_ok[f] = 0
    wk.c_dead[f] = 0
    wk.c_gain[f] = 0.0
    wk.c_info[f] = 0.0
    wk.c_charge[f] = 0.0
    wk.c_pos[f] = -1
    wk.c_missing[f] = 0
    wk.c_missing_branch[f] = -1
    wk.c_way[f] = PLAIN
    if wk.monotone:
        begin_column(wk, f)
    if wk.list_of[f] >= 0:
        search_number(wk, node, f)
    elif wk.code_of[f] >= 0:
        search_category(wk, node, f)
    else:
        search_coded(wk, node, f)
    if wk.monotone and wk.c_ok[f]:
        end_column(wk, f)
    if wk.c_ok[f] and wk.c_gain[f] > wk.best_gain:
        wk.best_gain = wk.c_gain[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_columns(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Fill the candidates of the live columns low to high - 1; none once a column gains all that can be gained."""
    i: cython.longlong
    is_settled: cython.bint = False
    may_settle: cython.bint = wk.use_bound and not wk.monotone and wk.fast & FAST_LARGEST != 0
    for i in range(wk.alive_start[node] + low, wk.alive_start[node] + high):
        if is_settled:
            wk.c_ok[wk.alive[i]] = 0
            wk.c_dead[wk.alive[i]] = 0
        else:
            search_column(wk, node, wk.alive[i])
            is_settled = may_settle and 0.0 < wk.most_gain * NEARLY_ALL <= wk.best_gain
