"""A grown draft -> the columns of a finished tree.

In: a Work whose nodes are grown. Out: what the nodes that stay hold, level by level: links, splits,
thresholds, tables, weights and predictions. Each array is gone through by itself: on a large tree that is quicker
than each node by itself.
"""

import cython
import numpy as np

if not cython.compiled:
    from treewright._core.codes import LEAF, TABLE, THRESHOLD
    from treewright._core.grow.workspace import Work
    from treewright._core.tree.order import halfway, level_order, take_back

NO_NUMBER = cython.declare(cython.double, float("nan"))
INFINITE = cython.declare(cython.double, float("inf"))
ROWS_READ_TOGETHER = cython.declare(cython.Py_ssize_t, 256)  # so that the cuts of one column stay in the cache


def order_nodes(wk: Work, collapse: cython.bint, slack: cython.double, order: cython.longlong[::1],
                links: cython.longlong[:, ::1]) -> int:
    """Fill `order` with the nodes that stay, and the first rows of `links` with their parents and first children.

    collapse  whether splits are taken back that save no more errors than `slack`
    """
    if collapse:
        # room for errors
        take_back(wk.draft.first_child, wk.draft.n_children, wk.draft.stats, wk.draft.weight, wk.draft.n_nodes, slack,
                  order)
    return level_order(wk.draft.first_child, wk.draft.n_children, order, links[0], links[1])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_longs(source: cython.longlong[::1], order: cython.longlong[::1], to: cython.longlong[::1]) -> cython.void:
    i: cython.Py_ssize_t
    for i in range(to.shape[0]):
        to[i] = source[order[i]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_doubles(source: cython.double[::1], order: cython.longlong[::1], to: cython.double[::1]) -> cython.void:
    i: cython.Py_ssize_t
    for i in range(to.shape[0]):
        to[i] = source[order[i]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_ints(source: cython.int[::1], order: cython.longlong[::1], to: cython.int[::1]) -> cython.void:
    i: cython.Py_ssize_t
    for i in range(to.shape[0]):
        to[i] = source[order[i]]


def node_columns(
    wk: Work, order: cython.longlong[::1], values: cython.const[cython.double][:, :], unit: cython.double,
    columns: tuple,
) -> None:
    """What the nodes in order hold.

    values   the table, between two rows of which a threshold lies
    unit     what one unit of weight is
    columns  longs    links (given: parent, first child), then the number of children and of rows
             doubles  impurity, gain, merit, threshold, weight
             ints     column, other, missing branch
             kind, stats, value
    """
    longs: cython.longlong[:, ::1] = columns[0]
    doubles: cython.double[:, ::1] = columns[1]
    ints: cython.int[:, ::1] = columns[2]
    kind: cython.schar[::1] = columns[3]
    stats: cython.double[:, ::1] = columns[4]
    value: cython.double[:, ::1] = columns[5]
    with cython.nogil:
        take_splits(wk, order, longs, doubles, ints, kind)
        cut_points(wk, order, kind, values, doubles[3])
        if wk.table.n_classes > 0:
            class_contents(wk, order, longs, unit, doubles[4], stats, value)
        else:
            number_contents(wk, order, longs, unit, doubles[4], stats, value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_splits(
    wk: Work, order: cython.longlong[::1], longs: cython.longlong[:, ::1], doubles: cython.double[:, ::1],
    ints: cython.int[:, ::1], kind: cython.schar[::1],
) -> cython.void:
    """Rows, impurity and split of each node.

    A node whose split was taken back, or never made, is a leaf now; the draft still has a split there.
    """
    i: cython.Py_ssize_t
    take_longs(wk.draft.n_children, order, longs[2])
    take_longs(wk.draft.rows, order, longs[3])
    if wk.table.n_classes > 0:
        take_doubles(wk.draft.impurity, order, doubles[0])
    else:
        take_doubles(wk.draft.exact_impurity, order, doubles[0])
    take_doubles(wk.draft.gain, order, doubles[1])
    take_doubles(wk.draft.merit, order, doubles[2])
    take_ints(wk.draft.column, order, ints[0])
    take_ints(wk.draft.other, order, ints[1])
    take_ints(wk.draft.missing_branch, order, ints[2])
    for i in range(kind.shape[0]):
        kind[i] = wk.draft.kind[order[i]]
        if longs[1, i] < 0:
            kind[i] = LEAF
            longs[2, i] = 0
            doubles[1, i] = NO_NUMBER
            doubles[2, i] = NO_NUMBER
            ints[0, i] = -1
            ints[1, i] = -1
            ints[2, i] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cut_points(wk: Work, order: cython.longlong[::1], kind: cython.schar[::1],
               values: cython.const[cython.double][:, :], threshold: cython.double[::1]) -> cython.void:
    """Halfway between the values of the two rows beside each cut; infinity where there are no two, NaN at other nodes.
    """
    i: cython.Py_ssize_t
    node: cython.longlong
    f: cython.int
    for i in range(kind.shape[0]):
        node = order[i]
        threshold[i] = NO_NUMBER
        if kind[i] == THRESHOLD:
            f = wk.draft.column[node]
            threshold[i] = INFINITE
            if wk.draft.low_row[node] >= 0:
                threshold[i] = halfway(values[wk.draft.low_row[node], f], values[wk.draft.high_row[node], f])


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def class_contents(wk: Work, order: cython.longlong[::1], links: cython.longlong[:, ::1], unit: cython.double,
                   weight: cython.double[::1], stats: cython.double[:, ::1],
                   value: cython.double[:, ::1]) -> cython.void:
    """Weights, class weights and class proportions; an empty leaf has the proportions of its parent."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    node: cython.longlong
    total: cython.double
    for i in range(weight.shape[0]):
        node = order[i]
        total = cython.cast(cython.double, wk.draft.weight[node]) * unit
        weight[i] = total
        for k in range(stats.shape[1]):
            stats[i, k] = cython.cast(cython.double, wk.draft.stats[node, k]) * unit
        if links[3, i]:
            for k in range(stats.shape[1]):
                value[i, k] = stats[i, k] / total
        else:
            for k in range(stats.shape[1]):
                value[i, k] = value[links[0, i], k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_contents(wk: Work, order: cython.longlong[::1], links: cython.longlong[:, ::1], unit: cython.double,
                    weight: cython.double[::1], stats: cython.double[:, ::1],
                    value: cython.double[:, ::1]) -> cython.void:
    """The same for regression: weight, number and loss; an empty leaf has the number of its parent."""
    i: cython.Py_ssize_t
    for i in range(weight.shape[0]):
        weight[i] = cython.cast(cython.double, wk.draft.weight[order[i]]) * unit
        value[i, 0] = wk.draft.value[order[i]]
        if links[3, i] == 0:
            value[i, 0] = value[links[0, i], 0]
        stats[i, 0] = weight[i]
        stats[i, 1] = value[i, 0]
        stats[i, 2] = wk.draft.exact_impurity[order[i]] * weight[i]


def values_below(values: cython.const[cython.double][:, :], column: cython.int[::1],
                 threshold: cython.double[::1]) -> None:
    """In place of each threshold the largest value of its column that is not above it; never -0.0.

    Looks at the whole column for every cut: for few of them; `values_up_to` is for many.
    """
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    best: cython.double
    value: cython.double
    with cython.nogil:
        for i in range(threshold.shape[0]):
            if column[i] < 0 or not threshold[i] < INFINITE:  # a leaf; a table (NaN); no two rows
                continue
            best = -INFINITE
            for row in range(values.shape[0]):
                value = values[row, column[i]]
                if value <= threshold[i] and value > best:
                    best = value
            threshold[i] = best + 0.0


def tables(wk: Work, order: cython.longlong[::1], kind: cython.schar[::1]):
    """The tables of nodes that have one, laid out one after the other: where each starts, its codes and branches."""
    n: cython.Py_ssize_t = kind.shape[0]
    starts = np.empty(n + 1, np.int64)
    start: cython.longlong[::1] = starts
    total: cython.longlong = 0
    first: cython.longlong
    i: cython.Py_ssize_t
    j: cython.longlong
    for i in range(n):
        start[i] = total
        if kind[i] == TABLE:
            total += wk.draft.table_len[order[i]]
    start[n] = total
    both = np.empty((2, total), np.int32)
    if total:
        entries: cython.int[:, ::1] = both
        for i in range(n):
            first = wk.draft.table_start[order[i]]
            for j in range(start[i + 1] - start[i]):
                entries[0, start[i] + j] = wk.draft.pool_code[first + j]
                entries[1, start[i] + j] = wk.draft.pool_branch[first + j]
    return starts, both


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def not_below(cuts: cython.double[::1], first: cython.longlong, n: cython.longlong,
              value: cython.double) -> cython.longlong:
    """The first of n rising cuts, from `first` on, that is not below a value, or the one behind them all.

    No branch depends on the value: the processor looks several values up at once.
    """
    half: cython.longlong
    while n > 1:
        half = n >> 1
        first += half if cuts[first + half - 1] < value else 0
        n -= half
    return first + (1 if cuts[first] < value else 0)


def values_up_to(values: cython.const[cython.double][:, :], start: cython.longlong[::1], cuts: cython.double[::1],
                 best: cython.double[::1]) -> None:
    """Fill `best` with the largest value of each cut's column that is not above it; where there is none it stays.

    start  column -> its first cut, and behind them all the number of cuts
    best   starts with numbers that every value is above; missing values are above nothing
    """
    n: cython.Py_ssize_t = values.shape[0]
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t
    i: cython.Py_ssize_t
    f: cython.Py_ssize_t
    at: cython.longlong
    value: cython.double
    with cython.nogil:
        while low < n:
            high = low + ROWS_READ_TOGETHER if low + ROWS_READ_TOGETHER < n else n
            for f in range(values.shape[1]):
                if start[f] == start[f + 1]:
                    continue
                for i in range(low, high):
                    value = values[i, f]
                    at = not_below(cuts, start[f], start[f + 1] - start[f], value)
                    if at < start[f + 1] and value > best[at]:
                        best[at] = value
            low = high
        for f in range(values.shape[1]):  # so far each has the largest value between it and the cut before
            for at in range(start[f] + 1, start[f + 1]):
                if best[at - 1] > best[at]:
                    best[at] = best[at - 1]
