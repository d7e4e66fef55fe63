"""Monotone trees: what children predict, and whether that keeps the order that columns are constrained to.

In: a node's bounds, the sense of the current column (1: predictions rise with it, -1: they fall, 0: free), and
stats. Out: whether a split is admissible, and the bounds of its children. A split is admissible when all
children predict within the node's bounds and, on a constrained column, in order; the middle of the two predictions
then bounds all that grows below them (as in scikit-learn). What a node predicts is the proportion of the second
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
    """The root may predict anything."""
    wk.draft.bound_low[0] = -INFINITY
    wk.draft.bound_high[0] = INFINITY


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_node(wk: Work, node: cython.longlong) -> cython.void:
    """Before the columns of a node are searched."""
    wk.search.node = node
    wk.search.lower = wk.draft.bound_low[node]
    wk.search.upper = wk.draft.bound_high[node]
    wk.search.n_tried = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_column(wk: Work, f: cython.longlong) -> cython.void:
    """Before a column is searched."""
    wk.search.sense = wk.plan.monotonic[f]
    wk.search.column = f
    wk.search.missing_cut = -1
    wk.candidates.n_barred[f] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def prediction_of(wk: Work, node: cython.longlong, weight: cython.longlong, moment: cython.longlong) -> cython.double:
    """What a child predicts that holds this weight and moment (classes: weight of the second class) of `node`'s rows.

    `node` may be the node of known rows of the rows known on the column. With fractional weights the others join
    every child in proportion to its weight, so known and missing rows mix in all children as they do in the whole
    node.
    """
    mean: cython.double = cython.cast(cython.double, moment) / cython.cast(cython.double, weight)
    if node != wk.search.node and wk.plan.missing == FRACTIONAL:
        mean = ((cython.cast(cython.double, wk.draft.weight[node]) * mean
                 + cython.cast(cython.double, wk.draft.stats[wk.search.node, 1] - wk.draft.stats[node, 1]))
                / cython.cast(cython.double, wk.draft.weight[wk.search.node]))
    if wk.table.n_classes > 0:
        return mean
    return wk.table.y_centre + mean * wk.table.y_unit


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_within(wk: Work, prediction: cython.double) -> cython.bint:
    """Whether a prediction lies within the bounds of the current node."""
    return wk.search.lower <= prediction <= wk.search.upper


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keeps_order(wk: Work, low: cython.double, high: cython.double, sense: cython.int) -> cython.bint:
    """Whether two children may predict this, the first one below a cut of a column of this sense."""
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
    if wk.plan.criterion == SQUARED_ERROR:
        return moment + centre_of(wk.draft.stats[wk.search.node, 1], wk.draft.stats[wk.search.node, 0]) * weight
    return moment


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_keep_order(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.bint:
    """Whether the two subsets of categories in scratch.side_stats, of these weights, may be children; those that
    may not are counted.
    """
    if keeps_order(wk, prediction_of(wk, node, low, whole_moment(wk, low, wk.scratch.side_stats[0, 1])),
                   prediction_of(wk, node, high, whole_moment(wk, high, wk.scratch.side_stats[1, 1])), 0):
        return True
    wk.candidates.n_barred[wk.search.column] += 1
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_is_within(wk: Work, node: cython.longlong, b: cython.longlong) -> cython.bint:
    """Whether the branch of a category in row b of scratch.contingency may be a child; an empty one predicts as the
    node.
    """
    weight: cython.longlong = weight_of(wk.scratch.contingency, b, wk.table.n_classes, wk.plan.criterion)
    if weight == 0:
        return True
    return is_within(wk, prediction_of(wk, node, weight, whole_moment(wk, weight, wk.scratch.contingency[b, 1])))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def median_where(wk: Work, f: cython.longlong, missing: cython.bint) -> cython.double:
    """The median of the rows of the current node that are missing on column f, or known there."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[wk.search.node]
    total: cython.longlong = 0
    before: cython.longlong = 0
    step: cython.int
    half: cython.bint = False
    i: cython.longlong
    row: cython.longlong
    y: cython.double = 0.0
    for step in range(2):
        for i in range(wk.draft.rows[wk.search.node]):
            row = wk.table.lists[base + i] & wk.table.row_mask
            if is_missing(wk, f, row) != missing:
                continue
            if step == 0:
                total += wk.table.weights[row] if wk.table.weighted else 1
                continue
            if half:
                return y / 2 + wk.table.y[row] / 2
            y = wk.table.y[row]
            before += wk.table.weights[row] if wk.table.weighted else 1
            if 2 * before > total:
                return y
            half = 2 * before == total
    return y


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def part_is_within(wk: Work, f: cython.longlong, missing: cython.bint) -> cython.bint:
    """Whether the rows missing on column f, or those known there, may be a child by themselves."""
    known: cython.longlong = wk.draft.node_room + wk.search.thread
    if wk.plan.criterion == ABSOLUTE_ERROR:
        return is_within(wk, median_where(wk, f, missing))
    if not missing:
        return is_within(wk, prediction_of(wk, known, wk.draft.weight[known], wk.draft.stats[known, 1]))
    return is_within(wk, prediction_of(wk, wk.search.node, wk.draft.weight[wk.search.node] - wk.draft.weight[known],
                                       wk.draft.stats[wk.search.node, 1] - wk.draft.stats[known, 1]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branches_are_within(wk: Work, f: cython.longlong) -> cython.bint:
    """Whether all branches of a category's candidate may be children."""
    node: cython.longlong = wk.search.node
    b: cython.longlong
    if wk.candidates.n_missing[f] > 0 and wk.plan.missing != LEARNED:
        node = wk.draft.node_room + wk.search.thread
    if wk.plan.criterion == ABSOLUTE_ERROR:
        return medians_are_within(wk, f)
    for b in range(wk.candidates.n_branches[f]):
        if not branch_is_within(wk, node, b):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def medians_are_within(wk: Work, f: cython.longlong) -> cython.bint:
    """The same for the medians of the known rows of each category; one pass over the rows, which are sorted by y.

    scratch.offset has the weight passed of each category, scratch.key the target at which half of it was.
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[wk.search.node]
    first: cython.longlong = wk.candidates.first_code[f]
    fits: cython.bint = True
    i: cython.longlong
    v: cython.longlong
    row: cython.longlong
    for v in range(wk.candidates.n_present[f]):
        wk.scratch.table_row[wk.candidates.codes[first + v]] = cython.cast(cython.int, v)
        wk.scratch.offset[v] = 0
    for i in range(wk.draft.rows[wk.search.node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        v = wk.scratch.table_row[wk.table.codes[wk.table.category_of[f], row]]
        if v < 0 or 2 * wk.scratch.offset[v] > wk.scratch.contingency[v, 0]:
            continue
        if wk.scratch.offset[v] > 0 and 2 * wk.scratch.offset[v] == wk.scratch.contingency[v, 0]:
            wk.scratch.key[v] = wk.scratch.key[v] / 2 + wk.table.y[row] / 2
            wk.scratch.offset[v] = wk.scratch.contingency[v, 0]
            continue
        wk.scratch.key[v] = wk.table.y[row]
        wk.scratch.offset[v] += wk.table.weights[row] if wk.table.weighted else 1
    for v in range(wk.candidates.n_present[f]):
        wk.scratch.table_row[wk.candidates.codes[first + v]] = -1
        fits = fits and is_within(wk, wk.scratch.key[v])
    return fits


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_column(wk: Work, f: cython.longlong) -> cython.void:
    """Take back the candidate of a searched column when what its search did not look at is not admissible."""
    fits: cython.bint = True
    if wk.plan.missing == BRANCH and wk.candidates.n_missing[f] > 0:
        fits = part_is_within(wk, f, True) and (wk.candidates.missing_use[f] != IS_MISSING
                                                or part_is_within(wk, f, False))
    # two subsets by their medians were looked at by the scan, and scratch.contingency does not have them
    if fits and wk.table.list_of[f] < 0 and wk.candidates.missing_use[f] != IS_MISSING and (
            wk.candidates.grouping[f] == EACH or wk.plan.criterion != ABSOLUTE_ERROR):
        fits = branches_are_within(wk, f)
    if not fits:
        wk.candidates.ok[f] = 0
        wk.candidates.n_barred[f] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def prediction_at(wk: Work, node: cython.longlong) -> cython.double:
    """What a node of the draft that holds rows predictions."""
    if wk.table.n_classes > 0:
        return cython.cast(cython.double, wk.draft.stats[node, 1]) / cython.cast(cython.double, wk.draft.weight[node])
    return wk.draft.value[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clip_to_bounds(wk: Work, node: cython.longlong) -> cython.void:
    """Means were compared before they were rounded: what is beyond the bounds, by rounding alone, is moved there."""
    if wk.draft.value[node] < wk.draft.bound_low[node]:
        wk.draft.value[node] = wk.draft.bound_low[node]
    elif wk.draft.value[node] > wk.draft.bound_high[node]:
        wk.draft.value[node] = wk.draft.bound_high[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bound_children(wk: Work, node: cython.longlong) -> cython.void:
    """Set the bounds of measured children."""
    child: cython.longlong = wk.draft.first_child[node]
    sense: cython.int = wk.plan.monotonic[wk.draft.column[node]]
    middle: cython.double
    b: cython.longlong
    for b in range(wk.draft.n_children[node]):
        wk.draft.bound_low[child + b] = wk.draft.bound_low[node]
        wk.draft.bound_high[child + b] = wk.draft.bound_high[node]
        if wk.table.n_classes == 0:
            clip_to_bounds(wk, child + b)
    if sense == 0 or wk.draft.kind[node] != THRESHOLD or wk.draft.low_row[node] < 0:
        return
    middle = prediction_at(wk, child) / 2 + prediction_at(wk, child + 1) / 2
    for b in range(2):
        if (b == 0) == (sense > 0):
            wk.draft.bound_high[child + b] = middle
        else:
            wk.draft.bound_low[child + b] = middle
        if wk.table.n_classes == 0:
            clip_to_bounds(wk, child + b)


def bound_children_of(wk: Work, node: cython.longlong) -> None:
    """`bound_children` of a node whose children were measured from outside."""
    bound_children(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def may_stand_in(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.bint:
    """Whether a column may be a surrogate of a node's split.

    A row whose value of the split's column is missing goes by the surrogate, so a constrained column is in only for
    a constrained one, and only where it sends low values to the side whose predictions are as low values require.
    """
    sense: cython.int = wk.plan.monotonic[wk.draft.column[node]] * wk.plan.monotonic[f]
    if wk.plan.monotonic[f] == 0:
        return True
    return sense != 0 and (wk.candidates.surrogate_low[f] == 0) == (sense > 0)
