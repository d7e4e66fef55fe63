"""Monotone trees: what children answer, and whether that keeps the order that columns are constrained to.

In: a node's bounds, the sense of the column in hand (1: answers rise with it, -1: they fall, 0: free), and
stats. Out: whether a split is admissible, and the bounds of its children. A split is admissible when all
children answer within the node's bounds and, on a constrained column, in order; the middle of the two answers
then bounds all that grows below them (as in scikit-learn). What a node answers is the share of the second
class, the mean or the median.
"""

import cython

if not cython.compiled:
    from math import inf as INFINITY

    from treewright._core.codes import (
        ABSOLUTE_ERROR,
        BRANCH,
        EACH,
        FRACTIONAL,
        IS_MISSING,
        LEARNED,
        SQUARED_ERROR,
        THRESHOLD,
    )
    from treewright._core.grow.impurity import centre_of, weight_of
    from treewright._core.grow.missing import is_missing
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def free_root(wk: Work) -> cython.void:
    """The root may answer anything."""
    wk.bound_low[0] = -INFINITY
    wk.bound_high[0] = INFINITY


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_node(wk: Work, node: cython.longlong) -> cython.void:
    """Before the columns of a node are searched."""
    wk.whole = node
    wk.lower = wk.bound_low[node]
    wk.upper = wk.bound_high[node]
    wk.n_tried = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_column(wk: Work, f: cython.longlong) -> cython.void:
    """Before a column is searched."""
    wk.sense = wk.monotonic[f]
    wk.in_hand = f
    wk.test_pos = -1
    wk.c_barred[f] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def answer_of(wk: Work, node: cython.longlong, weight: cython.longlong, moment: cython.longlong) -> cython.double:
    """What a child answers that holds this weight and moment (classes: weight of the second class) of `node`'s rows.

    `node` may be the ghost of the rows known on the column. With fractional weights the others join every child in
    proportion to its weight, so known and missing rows mix in all children as they do in the whole node.
    """
    mean: cython.double = cython.cast(cython.double, moment) / cython.cast(cython.double, weight)
    if node != wk.whole and wk.missing == FRACTIONAL:
        mean = ((cython.cast(cython.double, wk.weight[node]) * mean
                 + cython.cast(cython.double, wk.stats[wk.whole, 1] - wk.stats[node, 1]))
                / cython.cast(cython.double, wk.weight[wk.whole]))
    if wk.n_classes > 0:
        return mean
    return wk.y_centre + mean * wk.y_unit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_within(wk: Work, answer: cython.double) -> cython.bint:
    """Whether an answer lies within the bounds of the node in hand."""
    return wk.lower <= answer <= wk.upper


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keeps_order(wk: Work, low: cython.double, high: cython.double, sense: cython.int) -> cython.bint:
    """Whether two children may answer this, the first one below a cut of a column of this sense."""
    if not (is_within(wk, low) and is_within(wk, high)):
        return False
    if sense > 0:
        return low <= high
    return sense == 0 or low >= high


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def whole_moment(wk: Work, weight: cython.longlong, moment: cython.longlong) -> cython.longlong:
    """A moment of a category table, which squared error counts from the node's mean, as it is in stats."""
    if wk.criterion == SQUARED_ERROR:
        return moment + centre_of(wk.stats[wk.whole, 1], wk.stats[wk.whole, 0]) * weight
    return moment


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_keep_order(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.bint:
    """Whether the two subsets of categories in wk.sides, of these weights, may be children; those that may not are
    counted.
    """
    if keeps_order(wk, answer_of(wk, node, low, whole_moment(wk, low, wk.sides[0, 1])),
                   answer_of(wk, node, high, whole_moment(wk, high, wk.sides[1, 1])), 0):
        return True
    wk.c_barred[wk.in_hand] += 1
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_is_within(wk: Work, node: cython.longlong, b: cython.longlong) -> cython.bint:
    """Whether the branch of a category in row b of wk.table may be a child; an empty one answers as the node."""
    weight: cython.longlong = weight_of(wk.table, b, wk.n_classes, wk.criterion)
    if weight == 0:
        return True
    return is_within(wk, answer_of(wk, node, weight, whole_moment(wk, weight, wk.table[b, 1])))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def median_where(wk: Work, f: cython.longlong, missing: cython.bint) -> cython.double:
    """The median of the rows of the node in hand that are missing on column f, or known there."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[wk.whole]
    total: cython.longlong = 0
    before: cython.longlong = 0
    step: cython.int
    half: cython.bint = False
    i: cython.longlong
    row: cython.longlong
    y: cython.double = 0.0
    for step in range(2):
        for i in range(wk.rows[wk.whole]):
            row = wk.lists[base + i] & wk.row_mask
            if is_missing(wk, f, row) != missing:
                continue
            if step == 0:
                total += wk.weights[row] if wk.weighted else 1
                continue
            if half:
                return y / 2 + wk.y[row] / 2
            y = wk.y[row]
            before += wk.weights[row] if wk.weighted else 1
            if 2 * before > total:
                return y
            half = 2 * before == total
    return y


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_is_within(wk: Work, f: cython.longlong, missing: cython.bint) -> cython.bint:
    """Whether the rows missing on column f, or those known there, may be a child by themselves."""
    known: cython.longlong = wk.node_room + wk.ghost
    if wk.criterion == ABSOLUTE_ERROR:
        return is_within(wk, median_where(wk, f, missing))
    if not missing:
        return is_within(wk, answer_of(wk, known, wk.weight[known], wk.stats[known, 1]))
    return is_within(wk, answer_of(wk, wk.whole, wk.weight[wk.whole] - wk.weight[known],
                                   wk.stats[wk.whole, 1] - wk.stats[known, 1]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branches_are_within(wk: Work, f: cython.longlong) -> cython.bint:
    """Whether all branches of a category's candidate may be children."""
    node: cython.longlong = wk.whole
    b: cython.longlong
    if wk.c_missing[f] > 0 and wk.missing != LEARNED:
        node = wk.node_room + wk.ghost
    if wk.criterion == ABSOLUTE_ERROR:
        return medians_are_within(wk, f)
    for b in range(wk.c_branches[f]):
        if not branch_is_within(wk, node, b):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def medians_are_within(wk: Work, f: cython.longlong) -> cython.bint:
    """The same for the medians of the known rows of each category; one pass over the rows, which stand in order of y.

    wk.offset has the weight passed of each category, wk.key the target at which half of it was.
    """
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[wk.whole]
    first: cython.longlong = wk.level_start[f]
    fits: cython.bint = True
    i: cython.longlong
    v: cython.longlong
    row: cython.longlong
    for v in range(wk.c_present[f]):
        wk.slot[wk.c_code[first + v]] = cython.cast(cython.int, v)
        wk.offset[v] = 0
    for i in range(wk.rows[wk.whole]):
        row = wk.lists[base + i] & wk.row_mask
        v = wk.slot[wk.codes[wk.code_of[f], row]]
        if v < 0 or 2 * wk.offset[v] > wk.table[v, 0]:
            continue
        if wk.offset[v] > 0 and 2 * wk.offset[v] == wk.table[v, 0]:
            wk.key[v] = wk.key[v] / 2 + wk.y[row] / 2
            wk.offset[v] = wk.table[v, 0]
            continue
        wk.key[v] = wk.y[row]
        wk.offset[v] += wk.weights[row] if wk.weighted else 1
    for v in range(wk.c_present[f]):
        wk.slot[wk.c_code[first + v]] = -1
        fits = fits and is_within(wk, wk.key[v])
    return fits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_column(wk: Work, f: cython.longlong) -> cython.void:
    """Take back the candidate of a searched column when what its search did not look at is not admissible."""
    fits: cython.bint = True
    if wk.missing == BRANCH and wk.c_missing[f] > 0:
        fits = part_is_within(wk, f, True) and (wk.c_way[f] != IS_MISSING or part_is_within(wk, f, False))
    # two subsets by their medians were looked at by the scan, and wk.table does not have them
    if fits and wk.list_of[f] < 0 and wk.c_way[f] != IS_MISSING and (
            wk.c_style[f] == EACH or wk.criterion != ABSOLUTE_ERROR):
        fits = branches_are_within(wk, f)
    if not fits:
        wk.c_ok[f] = 0
        wk.c_barred[f] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def answer_at(wk: Work, node: cython.longlong) -> cython.double:
    """What a node of the draft that holds rows answers."""
    if wk.n_classes > 0:
        return cython.cast(cython.double, wk.stats[node, 1]) / cython.cast(cython.double, wk.weight[node])
    return wk.value[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put_within(wk: Work, node: cython.longlong) -> cython.void:
    """Means were compared before they were rounded: what is beyond the bounds, by rounding alone, is moved there."""
    if wk.value[node] < wk.bound_low[node]:
        wk.value[node] = wk.bound_low[node]
    elif wk.value[node] > wk.bound_high[node]:
        wk.value[node] = wk.bound_high[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bound_children(wk: Work, node: cython.longlong) -> cython.void:
    """Set the bounds of measured children."""
    child: cython.longlong = wk.first_child[node]
    sense: cython.int = wk.monotonic[wk.column[node]]
    middle: cython.double
    b: cython.longlong
    for b in range(wk.n_children[node]):
        wk.bound_low[child + b] = wk.bound_low[node]
        wk.bound_high[child + b] = wk.bound_high[node]
        if wk.n_classes == 0:
            put_within(wk, child + b)
    if sense == 0 or wk.kind[node] != THRESHOLD or wk.low_row[node] < 0:
        return
    middle = answer_at(wk, child) / 2 + answer_at(wk, child + 1) / 2
    for b in range(2):
        if (b == 0) == (sense > 0):
            wk.bound_high[child + b] = middle
        else:
            wk.bound_low[child + b] = middle
        if wk.n_classes == 0:
            put_within(wk, child + b)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_stand_in(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.bint:
    """Whether a column may be a surrogate of a node's split.

    A row whose value of the split's column is missing goes by the surrogate, so a constrained column stands in only for
    a constrained one, and only where it sends low values to the side that answers as is asked of low values.
    """
    sense: cython.int = wk.monotonic[wk.column[node]] * wk.monotonic[f]
    if wk.monotonic[f] == 0:
        return True
    return sense != 0 and (wk.c_agree_low[f] == 0) == (sense > 0)
