"""The categories of a node's column in order of their keys.

In: wk.key. Out: wk.order.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.sorting import sort_by_key
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.sorting import sort_by_key
    from treewright._core.work import Work

FEW = cython.declare(cython.longlong, 16)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_categories(wk: Work, n: cython.longlong) -> cython.void:
    """Set wk.order[:n] to 0 .. n - 1 sorted by (wk.key, number); a few, as most nodes have, without a call."""
    i: cython.longlong
    j: cython.longlong
    x: cython.double
    if n > FEW:
        sort_by_key(wk.key, wk.order, wk.into, n)
        return
    for i in range(n):
        x = wk.key[i]
        j = i
        while j > 0 and wk.key[wk.order[j - 1]] > x:
            wk.order[j] = wk.order[j - 1]
            j -= 1
        wk.order[j] = cython.cast(cython.int, i)
