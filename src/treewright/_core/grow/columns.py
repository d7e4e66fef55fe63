"""One column of one node -> its candidate.

In: the node's rows. Out: the column's entries of wk.candidates: whether there is a candidate, its gain (less its
penalty) and split information, and what is needed to make the split.
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
    wk.candidates.ok[f] = 0
    wk.candidates.is_constant[f] = 0
    wk.candidates.gain[f] = 0.0
    wk.candidates.split_info[f] = 0.0
    wk.candidates.penalty[f] = 0.0
    wk.candidates.position[f] = -1
    wk.candidates.n_missing[f] = 0
    wk.candidates.missing_branch[f] = -1
    wk.candidates.missing_use[f] = PLAIN
    if wk.plan.monotone:
        begin_column(wk, f)
    if wk.table.list_of[f] >= 0:
        search_number(wk, node, f)
    elif wk.table.category_of[f] >= 0:
        search_category(wk, node, f)
    else:
        search_coded(wk, node, f)
    if wk.plan.monotone and wk.candidates.ok[f]:
        end_column(wk, f)
    if wk.candidates.ok[f] and wk.candidates.gain[f] > wk.search.best_gain:
        wk.search.best_gain = wk.candidates.gain[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_columns(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Fill the candidates of the live columns low to high - 1; none once a column gains all that can be gained."""
    i: cython.longlong
    may_settle: cython.bint = wk.plan.use_bound and not wk.plan.monotone and wk.plan.fast_paths & FAST_LARGEST != 0
    for i in range(wk.draft.live_start[node] + low, wk.draft.live_start[node] + high):
        if may_settle and 0.0 < wk.search.most_gain * NEARLY_ALL <= wk.search.best_gain:
            wk.candidates.ok[wk.draft.live[i]] = 0
            wk.candidates.is_constant[wk.draft.live[i]] = 0
        else:
            search_column(wk, node, wk.draft.live[i])
