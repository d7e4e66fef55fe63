"""Which nodes keep the tally of their coded columns.

In: a node, or one that was split. Out: a slot for its tally, or for those of its children. A node that is split leaves
its tally to its largest child, and the rows of the others are taken off: so a large child is not counted at all. What
a node keeps is never needed: without it, the node is counted anew. So there are as many slots as there is memory for.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.codes import FAST_SUBTRACTION
    from cython.cimports.treewright._core.node import is_closed
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import FAST_SUBTRACTION
    from treewright._core.node import is_closed
    from treewright._core.work import Work

if not cython.compiled:
    # whether the tally of a node is there: no, as soon as its columns were shared out, or it is its parent's by then
    NOT_YET, COUNTED, HEIR = range(3)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keep_tally(wk: Work, node: cython.longlong) -> cython.void:
    """Give a node a slot, if it is large enough and there is one."""
    wk.tally[node] = -1
    wk.tallied[node] = NOT_YET
    if wk.rows[node] >= wk.coded.least and wk.coded.n_free > 0:
        wk.coded.n_free -= 1
        wk.tally[node] = wk.coded.free[wk.coded.n_free]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def give_back(wk: Work, node: cython.longlong) -> cython.void:
    """Free the slot of a node that needs it no more."""
    if not wk.has_coded or wk.tally[node] < 0:
        return
    wk.coded.free[wk.coded.n_free] = wk.tally[node]
    wk.coded.n_free += 1
    wk.tally[node] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pass_on(wk: Work, node: cython.longlong) -> cython.void:
    """Leave the tally of a node to its largest child, if that is worth it; its other large children get a slot."""
    child: cython.longlong = wk.first_child[node]
    n: cython.longlong = wk.n_children[node]
    heir: cython.longlong = child
    b: cython.longlong
    for b in range(child, child + n):
        if wk.rows[b] > wk.rows[heir]:
            heir = b
    # the rows of the others, which may be many, are counted for this
    if (wk.tally[node] < 0 or wk.rows[heir] < wk.coded.least or 2 * wk.rows[heir] < wk.rows[node]
            or is_closed(wk, heir) or not wk.fast & FAST_SUBTRACTION):
        heir = -1
        give_back(wk, node)
    else:
        wk.tally[heir] = wk.tally[node]
        wk.tallied[heir] = HEIR
        wk.tally[node] = -1
    for b in range(child, child + n):
        if b != heir and wk.rows[b] > 0 and not is_closed(wk, b):
            keep_tally(wk, b)
            if heir >= 0 and wk.tally[b] >= 0:
                wk.tallied[b] = COUNTED
