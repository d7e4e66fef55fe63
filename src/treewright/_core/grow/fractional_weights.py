"""Rows that go down several branches with a fraction of their weight each: C4.5's treatment of missing values.

In: the missing rows of a split and the known weight of its branches. Out: the weight of each of them, split over the
children. The heaviest branch keeps the row's id; each other part is a row of its own, with a new id, the
same values and its part of the weight. Parts too small to matter are not made: their weight stays with the
heaviest. Nor are more of them than MOST_COPIES times the node's rows, so that a column of many categories and
missing values cannot fill the memory.
"""

import cython

if not cython.compiled:
    from numpy import rint

    from treewright._core.codes import MOST_COPIES
    from treewright._core.grow.contingency import sort_categories
    from treewright._core.grow.node import add_to_node
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def most_copies(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """No more new ids than this are made when a node is split on column f, whose candidate is stored."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    copies: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    n: cython.longlong
    parts: cython.double
    if wk.table.list_of[f] >= 0:
        return wk.draft.n_missing[node]
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        if wk.table.codes[wk.table.category_of[f], row] == wk.table.n_levels[f]:
            n = wk.draft.n_children[node] - 1
            parts = wk.table.weights[row] / wk.plan.least_fraction
            copies += cython.cast(cython.longlong, parts) if parts < n else n
    return min(copies, MOST_COPIES * wk.draft.rows[node])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_branches(wk: Work, node: cython.longlong) -> cython.longlong:
    """Set table.heaviest_first to the branches with known rows, the heavier first; their number."""
    child: cython.longlong = wk.draft.first_child[node]
    n: cython.longlong = 0
    b: cython.longlong
    for b in range(wk.draft.n_children[node]):
        if wk.draft.weight[child + b] > 0 and b != wk.draft.missing_branch[node]:
            wk.scratch.offset[n] = b
            wk.scratch.key[n] = -cython.cast(cython.double, wk.draft.weight[child + b])
            n += 1
    sort_categories(wk, n)
    wk.table.heaviest_first[0] = wk.draft.missing_branch[node]  # the heaviest
    for b in range(n):
        wk.table.heaviest_first[b + 1] = wk.scratch.offset[wk.scratch.order[b]]
    return n + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def moment_of_part(wk: Work, row: cython.longlong) -> cython.longlong:
    """The moment of a row by its weight, as that of a whole row: it does not depend on how the row was divided."""
    return cython.cast(cython.longlong, rint(
        cython.cast(cython.double, wk.table.weights[row]) * (wk.table.y[row] - wk.table.y_centre) / wk.table.y_unit))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_row(wk: Work, row: cython.longlong, weight: cython.longlong) -> cython.longlong:
    """A new id with this part of a row's weight, which is taken off the row."""
    new: cython.longlong = wk.draft.n_ids
    c: cython.longlong
    wk.draft.n_ids += 1
    wk.table.origin[new] = wk.table.origin[row]
    wk.table.weights[new] = weight
    wk.table.weights[row] -= weight
    for c in range(wk.table.codes.shape[0]):
        wk.table.codes[c, new] = wk.table.codes[c, row]
    if wk.table.n_classes > 0:
        wk.table.labels[new] = wk.table.labels[row]
    else:
        wk.table.y[new] = wk.table.y[row]
        wk.table.moments[new] = moment_of_part(wk, new)
        wk.table.moments[row] = moment_of_part(wk, row)
    return new


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_copies(wk: Work, node: cython.longlong) -> cython.longlong:
    """Set scratch.branch_weight to the part of a missing row that each branch of table.heaviest_first takes; how
    many of them take one.
    """
    child: cython.longlong = wk.draft.first_child[node]
    n: cython.longlong = order_branches(wk, node)
    most: cython.longlong = 1 + MOST_COPIES * wk.draft.rows[node] // wk.draft.n_missing[node]
    known: cython.double = 0.0
    j: cython.longlong
    for j in range(n):
        wk.scratch.branch_weight[j] = cython.cast(cython.double, wk.draft.weight[child + wk.table.heaviest_first[j]])
        known += wk.scratch.branch_weight[j]
    for j in range(n):
        wk.scratch.branch_weight[j] /= known
    return n if n < most else most


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_missing_rows(wk: Work, node: cython.longlong) -> cython.void:
    """Spread the missing rows over the children, in proportion to the children's known weight."""
    child: cython.longlong = wk.draft.first_child[node]
    n: cython.longlong = begin_copies(wk, node)
    i: cython.longlong
    j: cython.longlong
    row: cython.longlong
    new: cython.longlong
    whole: cython.double
    part: cython.double
    for i in range(wk.draft.n_missing[node]):
        row = wk.scratch.missing_rows[i]
        whole = cython.cast(cython.double, wk.table.weights[row])
        if wk.draft.n_children[node] == 2:
            wk.table.side[row] = 2
        else:
            wk.table.wide_side[row] = -1
        wk.table.first_copy[row] = cython.cast(cython.int, wk.draft.n_ids)
        wk.table.n_copies[row] = 1
        for j in range(1, n):
            part = whole * wk.scratch.branch_weight[j]
            if part < wk.plan.least_fraction:
                break
            new = copy_row(wk, row, cython.cast(cython.longlong, rint(part)))
            add_to_node(wk, child + wk.table.heaviest_first[j], new)
            wk.table.n_copies[row] += 1
        add_to_node(wk, child + wk.table.heaviest_first[0], row)
