"""Monotone trees: the chosen candidate, once its children are known as they would really be.

In: the candidates of a node. Out: the chosen column, whose children keep the order, or -1. Where rows missing
on the column go by surrogates or in shares, what the children answer is known only when all rows have their
places: so the children are made, looked at and taken back. A cut whose children are out of order is left out
and its column searched again; a category has one candidate, which is left out then.
"""

import cython

if not cython.compiled:
    from math import nan as NAN

    from numpy import rint

    from treewright._core.codes import ABSOLUTE_ERROR, FRACTIONAL, LEAF, SURROGATE, THRESHOLD
    from treewright._core.grow.candidates import choose
    from treewright._core.grow.columns import search_column
    from treewright._core.grow.fractional_weights import begin_shares
    from treewright._core.grow.missing import is_missing
    from treewright._core.grow.monotone import answer_of, is_within, keeps_order
    from treewright._core.grow.node import new_node
    from treewright._core.grow.split import (
        name_heaviest,
        note_split,
        place_strays,
        sides_by_cut,
        sides_by_table,
    )
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_part(wk: Work, node: cython.longlong, row: cython.longlong, weight: cython.longlong,
             moment: cython.longlong) -> cython.void:
    """Count a part of a row in a node."""
    wk.weight[node] += weight
    if wk.n_classes > 0:
        wk.stats[node, wk.labels[row]] += weight
    else:
        wk.stats[node, 0] += weight
        wk.stats[node, 1] += moment


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_shares(wk: Work, node: cython.longlong) -> cython.void:
    """Count the shares of the strays in the children, as share_strays makes them, and make none."""
    child: cython.longlong = wk.first_child[node]
    n: cython.longlong = begin_shares(wk, node)
    i: cython.longlong
    j: cython.longlong
    row: cython.longlong
    left: cython.longlong
    rest: cython.longlong
    weight: cython.longlong
    moment: cython.longlong
    share: cython.double
    for i in range(wk.n_missing[node]):
        row = wk.strays[i]
        left = wk.weights[row]
        rest = wk.moments[row] if wk.n_classes == 0 else 0
        for j in range(1, n):
            share = cython.cast(cython.double, wk.weights[row]) * wk.portion[j]
            if share < wk.least_share:
                break
            weight = cython.cast(cython.longlong, rint(share))
            moment = cython.cast(cython.longlong, rint(share / cython.cast(cython.double, left) * rest))
            add_part(wk, child + wk.by_weight[j], row, weight, moment)
            left -= weight
            rest -= moment
        add_part(wk, child + wk.by_weight[0], row, left, rest)
    wk.n_shares = n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_in(wk: Work, node: cython.longlong, row: cython.longlong, b: cython.longlong) -> cython.longlong:
    """The weight that a row has in branch b of the split that is tried."""
    j: cython.longlong
    left: cython.longlong = wk.weights[row] if wk.weighted else 1
    share: cython.double
    if wk.missing == SURROGATE or not is_missing(wk, wk.column[node], row):
        if wk.n_children[node] == 2:
            return left if wk.side[row] == b else 0
        return left if wk.wide_side[row] == b else 0
    for j in range(1, wk.n_shares):
        share = cython.cast(cython.double, wk.weights[row]) * wk.portion[j]
        if share < wk.least_share:
            break
        if wk.by_weight[j] == b:
            return cython.cast(cython.longlong, rint(share))
        left -= cython.cast(cython.longlong, rint(share))
    return left if wk.by_weight[0] == b else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def median_in(wk: Work, node: cython.longlong, b: cython.longlong) -> cython.double:
    """The median of branch b of the split that is tried; the rows stand in order of y."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    total: cython.longlong = wk.weight[wk.first_child[node] + b]
    before: cython.longlong = 0
    part: cython.longlong
    row: cython.longlong
    i: cython.longlong
    y: cython.double = 0.0
    for i in range(wk.rows[node]):
        row = wk.lists[base + i] & wk.row_mask
        part = part_in(wk, node, row, b)
        if part == 0:
            continue
        if before > 0 and 2 * before == total:
            return y / 2 + wk.y[row] / 2
        y = wk.y[row]
        before += part
        if 2 * before > total:
            return y
    return y


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def answer_in(wk: Work, node: cython.longlong, b: cython.longlong) -> cython.double:
    """What branch b of the split that is tried would answer."""
    child: cython.longlong = wk.first_child[node] + b
    if wk.criterion == ABSOLUTE_ERROR:
        return median_in(wk, node, b)
    return answer_of(wk, node, wk.weight[child], wk.stats[child, 1])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_children(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether the children of a noted split keep the order; they are made, but for the lists of their entries."""
    b: cython.longlong
    wk.first_child[node] = wk.n_nodes
    for b in range(wk.n_children[node]):
        new_node(wk, wk.depth[node] + 1)
    if wk.kind[node] == THRESHOLD:
        sides_by_cut(wk, node)
    else:
        sides_by_table(wk, node)
    name_heaviest(wk, node)
    if wk.missing == FRACTIONAL:
        add_shares(wk, node)
    else:
        place_strays(wk, node)
    if wk.kind[node] == THRESHOLD:
        return keeps_order(wk, answer_in(wk, node, 0), answer_in(wk, node, 1), wk.monotonic[wk.column[node]])
    for b in range(wk.n_children[node]):
        if wk.weight[wk.first_child[node] + b] > 0 and not is_within(wk, answer_in(wk, node, b)):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_kept(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.bint:
    """Whether column f's candidate keeps the order with all rows in their places; the draft is left as it was."""
    n_nodes: cython.longlong = wk.n_nodes
    n_pool: cython.longlong = wk.n_pool
    n_backups: cython.longlong = wk.n_backups
    n_backup_pool: cython.longlong = wk.n_backup_pool
    kept: cython.bint
    if wk.c_missing[f] == 0 or (wk.missing != FRACTIONAL and wk.missing != SURROGATE):
        return True  # the search has seen the children as they are
    note_split(wk, node, f)
    kept = try_children(wk, node)
    wk.n_nodes = n_nodes
    wk.n_pool = n_pool
    wk.n_backups = n_backups
    wk.n_backup_pool = n_backup_pool
    wk.first_child[node] = -1
    wk.n_children[node] = 0
    wk.kind[node] = LEAF
    wk.column[node] = -1
    wk.other[node] = -1
    wk.missing_branch[node] = -1
    wk.n_missing[node] = 0
    wk.table_len[node] = 0
    wk.backup_len[node] = 0
    wk.gain[node] = NAN
    wk.merit[node] = NAN
    return kept


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_monotone(wk: Work, node: cython.longlong) -> cython.longlong:
    """The column whose candidate is chosen among those whose children keep the order; -1 when there is none."""
    f: cython.longlong = choose(wk, node)
    while f >= 0 and not is_kept(wk, node, f):
        if wk.list_of[f] >= 0 and wk.n_tried < wk.tried_pos.shape[0]:
            wk.tried_column[wk.n_tried] = cython.cast(cython.int, f)
            wk.tried_pos[wk.n_tried] = wk.c_pos[f]
            wk.n_tried += 1
            search_column(wk, node, f)
        else:
            wk.c_ok[f] = 0
            wk.c_barred[f] += 1
        f = choose(wk, node)
    wk.n_tried = 0
    return f
