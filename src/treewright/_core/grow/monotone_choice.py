"""Monotone trees: the chosen candidate, once its children are known as they would really be.

In: the candidates of a node. Out: the chosen column, whose children keep the order, or -1. Where rows missing on
the column go by surrogates or with fractional weights, what the children predict is known only when all rows have
their places: so the children are made, looked at and taken back. A cut whose children are out of order is left out
and its column searched again; a category has one candidate, which is left out then.
"""

import cython

if not cython.compiled:
    from math import nan as NAN

    from numpy import rint

    from treewright._core.codes import ABSOLUTE_ERROR, FRACTIONAL, LEAF, SURROGATE, THRESHOLD
    from treewright._core.grow.candidates import choose
    from treewright._core.grow.columns import search_column
    from treewright._core.grow.fractional_weights import begin_copies
    from treewright._core.grow.missing import is_missing
    from treewright._core.grow.monotone import is_within, keeps_order, prediction_of
    from treewright._core.grow.node import new_node
    from treewright._core.grow.split import (
        place_missing_rows,
        set_heaviest_branch,
        sides_by_cut,
        sides_by_table,
        store_split,
    )
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_part(wk: Work, node: cython.longlong, row: cython.longlong, weight: cython.longlong,
             moment: cython.longlong) -> cython.void:
    """Count a part of a row in a node."""
    wk.draft.weight[node] += weight
    if wk.table.n_classes > 0:
        wk.draft.stats[node, wk.table.labels[row]] += weight
    else:
        wk.draft.stats[node, 0] += weight
        wk.draft.stats[node, 1] += moment


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_copies(wk: Work, node: cython.longlong) -> cython.void:
    """Count the parts of the missing rows in the children, as copy_missing_rows makes them, and make none."""
    child: cython.longlong = wk.draft.first_child[node]
    n: cython.longlong = begin_copies(wk, node)
    i: cython.longlong
    j: cython.longlong
    row: cython.longlong
    left: cython.longlong
    rest: cython.longlong
    weight: cython.longlong
    moment: cython.longlong
    part: cython.double
    for i in range(wk.draft.n_missing[node]):
        row = wk.scratch.missing_rows[i]
        left = wk.table.weights[row]
        rest = wk.table.moments[row] if wk.table.n_classes == 0 else 0
        for j in range(1, n):
            part = cython.cast(cython.double, wk.table.weights[row]) * wk.scratch.branch_weight[j]
            if part < wk.plan.least_fraction:
                break
            weight = cython.cast(cython.longlong, rint(part))
            moment = cython.cast(cython.longlong, rint(part / cython.cast(cython.double, left) * rest))
            add_part(wk, child + wk.table.heaviest_first[j], row, weight, moment)
            left -= weight
            rest -= moment
        add_part(wk, child + wk.table.heaviest_first[0], row, left, rest)
    wk.search.n_heavy = n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_in(wk: Work, node: cython.longlong, row: cython.longlong, b: cython.longlong) -> cython.longlong:
    """The weight that a row has in branch b of the split that is tried."""
    j: cython.longlong
    left: cython.longlong = wk.table.weights[row] if wk.table.weighted else 1
    part: cython.double
    if wk.plan.missing == SURROGATE or not is_missing(wk, wk.draft.column[node], row):
        if wk.draft.n_children[node] == 2:
            return left if wk.table.side[row] == b else 0
        return left if wk.table.wide_side[row] == b else 0
    for j in range(1, wk.search.n_heavy):
        part = cython.cast(cython.double, wk.table.weights[row]) * wk.scratch.branch_weight[j]
        if part < wk.plan.least_fraction:
            break
        if wk.table.heaviest_first[j] == b:
            return cython.cast(cython.longlong, rint(part))
        left -= cython.cast(cython.longlong, rint(part))
    return left if wk.table.heaviest_first[0] == b else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def median_in(wk: Work, node: cython.longlong, b: cython.longlong) -> cython.double:
    """The median of branch b of the split that is tried; the rows are sorted by y."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    total: cython.longlong = wk.draft.weight[wk.draft.first_child[node] + b]
    before: cython.longlong = 0
    part: cython.longlong
    row: cython.longlong
    i: cython.longlong
    y: cython.double = 0.0
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        part = part_in(wk, node, row, b)
        if part == 0:
            continue
        if before > 0 and 2 * before == total:
            return y / 2 + wk.table.y[row] / 2
        y = wk.table.y[row]
        before += part
        if 2 * before > total:
            return y
    return y


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def prediction_in(wk: Work, node: cython.longlong, b: cython.longlong) -> cython.double:
    """What branch b of the split that is tried would predict."""
    child: cython.longlong = wk.draft.first_child[node] + b
    if wk.plan.criterion == ABSOLUTE_ERROR:
        return median_in(wk, node, b)
    return prediction_of(wk, node, wk.draft.weight[child], wk.draft.stats[child, 1])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_children(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether the children of a stored split keep the order; they are made, but for the lists of their entries."""
    b: cython.longlong
    wk.draft.first_child[node] = wk.draft.n_nodes
    for b in range(wk.draft.n_children[node]):
        new_node(wk, wk.draft.depth[node] + 1)
    if wk.draft.kind[node] == THRESHOLD:
        sides_by_cut(wk, node)
    else:
        sides_by_table(wk, node)
    set_heaviest_branch(wk, node)
    if wk.plan.missing == FRACTIONAL:
        add_copies(wk, node)
    else:
        place_missing_rows(wk, node)
    if wk.draft.kind[node] == THRESHOLD:
        return keeps_order(wk, prediction_in(wk, node, 0), prediction_in(wk, node, 1),
                           wk.plan.monotonic[wk.draft.column[node]])
    for b in range(wk.draft.n_children[node]):
        if wk.draft.weight[wk.draft.first_child[node] + b] > 0 and not is_within(wk, prediction_in(wk, node, b)):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_kept(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.bint:
    """Whether column f's candidate keeps the order with all rows in their places; the draft is left as it was."""
    n_nodes: cython.longlong = wk.draft.n_nodes
    n_pool: cython.longlong = wk.draft.n_pool
    n_backups: cython.longlong = wk.draft.n_surrogates
    n_backup_pool: cython.longlong = wk.draft.n_surrogate_pool
    kept: cython.bint
    if wk.candidates.n_missing[f] == 0 or (wk.plan.missing != FRACTIONAL and wk.plan.missing != SURROGATE):
        return True  # the search has seen the children as they are
    store_split(wk, node, f)
    kept = try_children(wk, node)
    wk.draft.n_nodes = n_nodes
    wk.draft.n_pool = n_pool
    wk.draft.n_surrogates = n_backups
    wk.draft.n_surrogate_pool = n_backup_pool
    wk.draft.first_child[node] = -1
    wk.draft.n_children[node] = 0
    wk.draft.kind[node] = LEAF
    wk.draft.column[node] = -1
    wk.draft.other[node] = -1
    wk.draft.missing_branch[node] = -1
    wk.draft.n_missing[node] = 0
    wk.draft.table_len[node] = 0
    wk.draft.surrogate_len[node] = 0
    wk.draft.gain[node] = NAN
    wk.draft.merit[node] = NAN
    return kept


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose_monotone(wk: Work, node: cython.longlong) -> cython.longlong:
    """The column whose candidate is chosen among those whose children keep the order; -1 when there is none."""
    f: cython.longlong = choose(wk, node)
    while f >= 0 and not is_kept(wk, node, f):
        if wk.table.list_of[f] >= 0 and wk.search.n_tried < wk.search.tried_pos.shape[0]:
            wk.search.tried_column[wk.search.n_tried] = cython.cast(cython.int, f)
            wk.search.tried_pos[wk.search.n_tried] = wk.candidates.position[f]
            wk.search.n_tried += 1
            search_column(wk, node, f)
        else:
            wk.candidates.ok[f] = 0
            wk.candidates.n_barred[f] += 1
        f = choose(wk, node)
    wk.search.n_tried = 0
    return f
