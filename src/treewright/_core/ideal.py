"""The most that any split of a node can gain, whatever its columns.

In: a node. Out: a gain that no column beats, so that once a column has it the others need not be searched. Most nodes
of a full tree have a handful of rows, which the first columns often divide as well as can be.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.codes import BINARY, ENTROPY, SQUARED_ERROR, SUBSET, TWOING, WHOLE
    from cython.cimports.treewright._core.impurity import gain_of_means
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import BINARY, ENTROPY, SQUARED_ERROR, SUBSET, TWOING, WHOLE
    from treewright._core.impurity import gain_of_means
    from treewright._core.work import Work

FEW_ROWS = cython.declare(cython.longlong, 8)
FEW_CLASSES = cython.declare(cython.int, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halves_of_numbers(wk: Work, node: cython.longlong) -> cython.double:
    """Squared error: the best two parts of some numbers are those below and above a cut."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    m: cython.longlong = wk.rows[node]
    centre: cython.longlong = wk.node_centre
    s: cython.longlong = 0
    j: cython.longlong
    gain: cython.double
    best: cython.double = 0.0
    for j in range(m - 1):
        s += wk.moments[wk.lists[base + j] & wk.row_mask] - centre
        gain = gain_of_means(j + 1, s, m, wk.node_rest, wk.y_unit)
        if gain > best:
            best = gain
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halves_of_classes(wk: Work, node: cython.longlong) -> cython.double:
    """Gini or entropy: the best two parts of some rows keep the rows of a class together. All ways to do so are tried,
    where the classes are few; else the node's impurity.
    """
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    m: cython.longlong = wk.rows[node]
    counts = cython.declare(cython.longlong[4])
    n: cython.int = 0
    k: cython.int
    ways: cython.int
    j: cython.longlong = 0
    low: cython.longlong
    entry: cython.uint
    x: cython.double
    sum_low: cython.double
    gain: cython.double
    best: cython.double = 0.0
    while j < m:  # this list has the rows by class
        if n == FEW_CLASSES:
            return wk.impurity[node]
        entry = wk.lists[base + j]
        if wk.label_mask:
            counts[n] = wk.stats[node, (entry >> wk.shift) & wk.label_mask]
        else:
            counts[n] = wk.stats[node, wk.labels[entry & wk.row_mask]]
        j += counts[n]
        n += 1
    if n == 2:
        return wk.impurity[node]
    for ways in range(1, 1 << (n - 1)):  # the last class stays on the other side
        low = 0
        sum_low = 0.0
        for k in range(n - 1):
            if (ways >> k) & 1:
                x = cython.cast(cython.double, counts[k])
                low += counts[k]
                sum_low += wk.xlogx[counts[k]] if wk.criterion == ENTROPY else x * x
        if wk.criterion == ENTROPY:
            gain = (wk.xlogx[m] - wk.xlogx[low] - wk.xlogx[m - low]) / m
        else:
            gain = (sum_low / low + (wk.node_sum - sum_low) / (m - low) - wk.node_sum / m) / m
        if gain > best:
            best = gain
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def most_gain_of(wk: Work, node: cython.longlong) -> cython.double:
    """The impurity, or for few rows that count once, and splits in two, the gain of the best two parts."""
    binary: cython.bint = (wk.n_lists == wk.n_columns + 1 or wk.grouping == SUBSET or wk.grouping == BINARY)
    if wk.rows[node] > FEW_ROWS or wk.weighted or wk.missing != WHOLE or not binary:
        return wk.impurity[node]
    if wk.criterion == SQUARED_ERROR:
        return halves_of_numbers(wk, node)
    if wk.n_classes > 2 and wk.criterion != TWOING:
        return halves_of_classes(wk, node)
    return wk.impurity[node]
