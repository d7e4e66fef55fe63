"""Rows that go down several branches with a share of their weight each: C4.5's way with missing values.

In: the strays of a split and the known weight of its branches. Out: every stray's weight, spread over the
children. The heaviest branch keeps the row's id; each other share is a row of its own, with a new id, the
same values and its part of the weight. Shares too small to matter are not made: their weight stays with the
heaviest. Nor are more of them than MOST_SHARES times the node's rows, so that a column of many categories and
holes, which is in nobody's interest, cannot fill the memory.
"""

import cython

if not cython.compiled:
    from numpy import rint

    from treewright._core.codes import MOST_SHARES
    from treewright._core.grow.contingency import sort_categories
    from treewright._core.grow.node import add_to_node
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def most_copies(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """No more new ids than this are made when a node is split on column f, whose candidate is noted."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    copies: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    n: cython.longlong
    shares: cython.double
    if wk.list_of[f] >= 0:
        return wk.n_missing[node]
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        if wk.codes[wk.code_of[f], row] == wk.n_levels[f]:
            n = wk.n_children[node] - 1
            shares = wk.weights[row] / wk.least_share
            copies += cython.cast(cython.longlong, shares) if shares < n else n
    return min(copies, MOST_SHARES * wk.rows[node])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_branches(wk: Work, node: cython.longlong) -> cython.longlong:
    """Set wk.by_weight to the branches with known rows, the heavier first; their number."""
    child: cython.longlong = wk.first_child[node]
    n: cython.longlong = 0
    b: cython.longlong
    for b in range(wk.n_children[node]):
        if wk.weight[child + b] > 0 and b != wk.missing_branch[node]:
            wk.offset[n] = b
            wk.key[n] = -cython.cast(cython.double, wk.weight[child + b])
            n += 1
    sort_categories(wk, n)
    wk.by_weight[0] = wk.missing_branch[node]  # the heaviest
    for b in range(n):
        wk.by_weight[b + 1] = wk.offset[wk.order[b]]
    return n + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_row(wk: Work, row: cython.longlong, part: cython.double, weight: cython.longlong) -> cython.longlong:
    """A new id with this part of a row's weight, which is taken off the row."""
    new: cython.longlong = wk.n_ids
    c: cython.longlong
    wk.n_ids += 1
    wk.origin[new] = wk.origin[row]
    wk.weights[new] = weight
    wk.weights[row] -= weight
    for c in range(wk.codes.shape[0]):
        wk.codes[c, new] = wk.codes[c, row]
    if wk.n_classes > 0:
        wk.labels[new] = wk.labels[row]
    else:
        wk.y[new] = wk.y[row]
        wk.moments[new] = cython.cast(cython.longlong, rint(part * wk.moments[row]))
        wk.moments[row] -= wk.moments[new]
    return new


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_shares(wk: Work, node: cython.longlong) -> cython.longlong:
    """Set wk.portion to the part of a stray that each branch of wk.by_weight takes; how many of them take one."""
    child: cython.longlong = wk.first_child[node]
    n: cython.longlong = order_branches(wk, node)
    most: cython.longlong = 1 + MOST_SHARES * wk.rows[node] // wk.n_missing[node]
    known: cython.double = 0.0
    j: cython.longlong
    for j in range(n):
        wk.portion[j] = cython.cast(cython.double, wk.weight[child + wk.by_weight[j]])
        known += wk.portion[j]
    for j in range(n):
        wk.portion[j] /= known
    return n if n < most else most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_strays(wk: Work, node: cython.longlong) -> cython.void:
    """Spread the strays over the children, in proportion to the children's known weight."""
    child: cython.longlong = wk.first_child[node]
    n: cython.longlong = begin_shares(wk, node)
    i: cython.longlong
    j: cython.longlong
    row: cython.longlong
    new: cython.longlong
    whole: cython.double
    left: cython.double
    share: cython.double
    for i in range(wk.n_missing[node]):
        row = wk.strays[i]
        whole = cython.cast(cython.double, wk.weights[row])
        if wk.n_children[node] == 2:
            wk.side[row] = 2
        else:
            wk.wide_side[row] = -1
        wk.share_first[row] = cython.cast(cython.int, wk.n_ids)
        wk.share_len[row] = 1
        for j in range(1, n):
            share = whole * wk.portion[j]
            if share < wk.least_share:
                break
            left = cython.cast(cython.double, wk.weights[row])
            new = copy_row(wk, row, share / left, cython.cast(cython.longlong, rint(share)))
            add_to_node(wk, child + wk.by_weight[j], new)
            wk.share_len[row] += 1
        add_to_node(wk, child + wk.by_weight[0], row)
