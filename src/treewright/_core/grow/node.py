"""A node of the draft: made, filled, measured, and closed where it is a leaf.

In: rows. Out: the node's stats, impurity and value, and whether it may be split at all.
"""

import cython

if not cython.compiled:
    from math import ceil, exp2, fabs, frexp, ldexp, log2
    from math import nan as NAN

    from treewright._core.codes import ABSOLUTE_ERROR, ALL_MISSING, FRACTIONAL, LEAF, POISSON
    from treewright._core.grow.impurity import impurity_of, poisson_loss
    from treewright._core.grow.node_median import loss_of_rows, median_of_rows
    from treewright._core.grow.workspace import Work

# What a value in units may be off by, as a part of the range of the node's targets, so that it is right to 1e-12 of
# it; the same of an impurity, as a part of the range or its square; and the rounding of a float64.
COARSE = cython.declare(cython.double, 9e-13)
FEW_DIGITS = cython.declare(cython.double, 1e-7)  # the square of this part of the range does not matter to a loss
COARSE_LOSS = cython.declare(cython.double, 1e-9)
DIGITS = cython.declare(cython.double, 2.0**-52)
MOST_ROWS = cython.declare(cython.double, 4611686018427387904.0)  # 2^62
SUM_BITS = cython.declare(cython.double, 62.0)  # of the sums of integers below; a bit is left for rounding
LOSS_BITS = cython.declare(cython.int, 61)
LEAST_BOUND = cython.declare(cython.double, 1e-200)
MOST_MOMENT = cython.declare(cython.double, 2305843009213693952.0)  # 2^61: the moments of a table add up to no more
REST = cython.declare(cython.double, 1073741824.0)  # 2^30: the second sum of distances is in units this much smaller
# Squared error, where the sums of a node are counted from (a number within its range), the powers of two by which
# distances from the lowest target and from there are multiplied, and whether the mean may be too far from there.
Scales = cython.struct(centre=cython.double, distance=cython.double, loss=cython.double, allowed=cython.double,
                       is_coarse=cython.bint)
# Sums of integers over the rows of a node: of distances from the lowest target, in two parts, and of squares.
Sums = cython.struct(distance=cython.longlong, rest=cython.longlong, loss=cython.longlong)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_row(wk: Work, stats: cython.longlong[:, ::1], place: cython.longlong,
            row: cython.longlong) -> cython.longlong:
    """Count a row in a row of stats; its weight."""
    weight: cython.longlong = wk.table.weights[row] if wk.table.weighted else 1
    if wk.table.n_classes > 0:
        stats[place, wk.table.labels[row]] += weight
    else:
        stats[place, 0] += weight
        stats[place, 1] += wk.table.moments[row]
    return weight


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rows_at(wk: Work, row: cython.longlong) -> cython.longlong:
    """How many rows an entry stands for."""
    return wk.table.row_counts[row] if wk.table.has_row_counts else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def rows_from(wk: Work, base: cython.longlong, m: cython.longlong) -> cython.longlong:
    """How many rows m entries of a list stand for."""
    n: cython.longlong = 0
    i: cython.longlong
    if not wk.table.has_row_counts:
        return m
    for i in range(base, base + m):
        n += wk.table.row_counts[wk.table.lists[i] & wk.table.row_mask]
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def new_node(wk: Work, depth: cython.longlong) -> cython.longlong:
    """Append an empty leaf to the draft. What only some plans need is left as it is by the others: memory that is
    never written to costs nothing.
    """
    node: cython.longlong = wk.draft.n_nodes
    k: cython.int
    wk.draft.n_nodes += 1
    wk.draft.first_child[node] = -1
    wk.draft.n_children[node] = 0
    wk.draft.depth[node] = depth
    wk.draft.start[node] = 0
    wk.draft.rows[node] = 0
    wk.draft.weight[node] = 0
    wk.draft.kind[node] = LEAF
    wk.draft.column[node] = -1
    wk.draft.other[node] = -1
    wk.draft.missing_branch[node] = -1
    wk.draft.n_missing[node] = 0
    wk.draft.ids_end[node] = wk.draft.n_ids
    wk.draft.gain[node] = NAN
    wk.draft.merit[node] = NAN
    wk.draft.live_start[node] = 0
    wk.draft.live_len[node] = 0
    for k in range(wk.table.width):
        wk.draft.stats[node, k] = 0
    if wk.table.has_coded:
        wk.draft.histogram[node] = -1
        wk.draft.histogram_state[node] = 0
    if wk.plan.max_surrogates > 0:
        wk.draft.surrogate_start[node] = 0
        wk.draft.surrogate_len[node] = 0
    return node


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_to_node(wk: Work, node: cython.longlong, row: cython.longlong) -> cython.void:
    """Count a row in a node."""
    wk.draft.rows[node] += 1
    wk.draft.weight[node] += add_row(wk, wk.draft.stats, node, row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sum_of_losses(wk: Work, base: cython.longlong, m: cython.longlong, centre: cython.double,
                  power: cython.int) -> cython.double:
    """The sum over m rows, in order of the target, of weight times distance from the centre (power 1), or half the
    Poisson deviance about the centre (0).

    Rows of one target are taken together, so that neither their order nor copies instead of weights change a bit. The
    sum is compensated (Neumaier 1974): its error does not grow with the number of rows.
    """
    total: cython.double = 0.0
    lost: cython.double = 0.0
    both: cython.double
    term: cython.double
    y: cython.double
    weight: cython.longlong
    row: cython.longlong
    i: cython.longlong = 0
    while i < m:
        y = wk.table.y[wk.table.lists[base + i] & wk.table.row_mask]
        weight = 0
        while i < m:
            row = wk.table.lists[base + i] & wk.table.row_mask
            if wk.table.y[row] != y:
                break
            weight += wk.table.weights[row] if wk.table.weighted else 1
            i += 1
        if power == 0:
            term = centre * poisson_loss((y - centre) / centre)
        else:
            term = fabs(y - centre)
        term *= cython.cast(cython.double, weight)
        both = total + term
        lost += (total - both) + term if total >= term else (term - both) + total
        total = both
    return total + lost


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def largest_error(wk: Work, node: cython.longlong, low: cython.double, high: cython.double) -> cython.double:
    """What a value in units is off by at most: a step, the mean rounding of the moments and that of its last digits;
    `low` and `high` are the lowest and the highest target of the node.
    """
    far: cython.double = max(fabs(low - wk.table.y_centre), fabs(high - wk.table.y_centre))
    weight: cython.double = cython.cast(cython.double, wk.draft.stats[node, 0])
    return wk.table.y_step + wk.table.y_unit * wk.draft.rows[node] / weight + DIGITS * far


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def allowed_error(wk: Work, node: cython.longlong, low: cython.double, high: cython.double) -> cython.double:
    """What it may be off by."""
    allowed: cython.double = COARSE * (high - low) + DIGITS * fabs(wk.draft.value[node])
    far: cython.double
    # weights of parts of rows are whole numbers too, which their moments need not follow
    if wk.plan.missing == FRACTIONAL:
        far = max(fabs(low - wk.table.y_centre), fabs(high - wk.table.y_centre))
        allowed += far * wk.draft.rows[node] / cython.cast(cython.double, wk.draft.stats[node, 0])
    return allowed


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def correct_value(wk: Work, node: cython.longlong, base: cython.longlong) -> cython.void:
    """Work out the value, and the impurity of the finished tree, from the targets themselves where the units may be too
    coarse for the node, and take them where those in units are too far off.

    Growth still compares splits in units.
    """
    first: cython.double = wk.table.y[wk.table.lists[base] & wk.table.row_mask]
    last: cython.double = wk.table.y[wk.table.lists[base + wk.draft.rows[node] - 1] & wk.table.row_mask]
    weight: cython.double = cython.cast(cython.double, wk.draft.stats[node, 0])
    off: cython.double = largest_error(wk, node, first, last)
    allowed: cython.double = allowed_error(wk, node, first, last)
    exact: cython.double
    wk.draft.exact_impurity[node] = wk.draft.impurity[node]
    if off <= allowed:
        return
    if wk.plan.criterion == POISSON:
        exact = first + sum_of_losses(wk, base, wk.draft.rows[node], first, 1) / weight
        if fabs(exact - wk.draft.value[node]) > allowed:
            wk.draft.value[node] = exact
        return
    if 2 * off <= COARSE_LOSS * (last - first):
        return
    exact = sum_of_losses(wk, base, wk.draft.rows[node], wk.draft.value[node], 1) / weight
    if fabs(exact - wk.draft.impurity[node]) > COARSE_LOSS * (last - first):
        wk.draft.exact_impurity[node] = exact


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def exponent_of(value: cython.double) -> cython.int:
    """The least power of two above a positive number."""
    exponent: cython.int = 0
    if cython.compiled:
        frexp(value, cython.address(exponent))
        return exponent
    return frexp(value)[1]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def scale_sums(wk: Work, node: cython.longlong, low: cython.double, high: cython.double,
               parent: cython.longlong) -> Scales:
    """How distances and squares of a node's targets become integers whose sums fit into 63 bits. Its value in units is
    set; its targets are between `low` and `high`.

    The sum of squares is at most that of the parent (-1: about the centre of the table), and at most that of the
    distance of `low` and `high`; the lower bound leaves it more bits.
    """
    scales = cython.declare(Scales)
    weight: cython.double = cython.cast(cython.double, wk.draft.stats[node, 0])
    unit: cython.double = 1.0 / wk.table.y_unit  # bounds are in its square, so that they do not overflow
    spread: cython.double = (high - low) * unit
    far: cython.double = max(fabs(low - wk.table.y_centre), fabs(high - wk.table.y_centre))
    bound: cython.double = weight * spread * spread
    other: cython.double
    scales.allowed = allowed_error(wk, node, low, high)
    scales.centre = min(max(wk.draft.value[node], low), high)
    scales.is_coarse = (largest_error(wk, node, low, high) > scales.allowed
                        or DIGITS * (far + fabs(scales.centre)) > FEW_DIGITS * (high - low))
    scales.distance = 0.0
    if scales.is_coarse:
        scales.distance = exp2(SUM_BITS - 1.0 - ceil(log2(weight) + log2(high - low)))
    else:
        other = bound
        if parent < 0:
            other = MOST_MOMENT * far * unit
        elif wk.draft.impurity[parent] > 0:
            other = (wk.draft.impurity[parent] * unit * unit
                     * cython.cast(cython.double, wk.draft.stats[parent, 0]))
        other += weight * (scales.allowed * unit) * (scales.allowed * unit)  # the centre is off by no more
        if other < bound:
            bound = other
    if bound > LEAST_BOUND:
        scales.loss = ldexp(unit, (LOSS_BITS - exponent_of(bound)) >> 1)
    else:
        scales.loss = exp2(-ceil((ceil(log2(weight) + 2.0 * log2(high - low)) + 1.0 - SUM_BITS) / 2.0))
    return scales


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def use_sums(wk: Work, node: cython.longlong, low: cython.double, scales: Scales, sums: Sums) -> cython.void:
    """Set the value and the impurity of a node by these sums."""
    weight: cython.double = cython.cast(cython.double, wk.draft.stats[node, 0])
    size: cython.double = 1.0 / scales.loss
    off: cython.double = 0.0
    impurity: cython.double = cython.cast(cython.double, sums.loss) / weight * size * size
    if scales.is_coarse:
        off = (low - scales.centre) + (cython.cast(cython.double, sums.distance)
                                       + cython.cast(cython.double, sums.rest) / REST) / weight / scales.distance
        impurity -= off * off
    wk.draft.value[node] = scales.centre
    if fabs(off) > scales.allowed:
        wk.draft.value[node] = scales.centre + off
    wk.draft.impurity[node] = impurity if impurity > 0 else 0.0
    wk.draft.exact_impurity[node] = wk.draft.impurity[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sum_squares(wk: Work, base: cython.longlong, m: cython.longlong, scales: Scales) -> cython.longlong:
    """The sum of weight times squared distance from the centre over m rows, each rounded down to an integer.

    Weights that mean copies multiply what was rounded, as copies would be rounded; fractions of rows are multiplied
    first. So neither the order of rows nor copies instead of weights change a bit.
    """
    total: cython.longlong = 0
    i: cython.longlong
    row: cython.longlong
    off: cython.double
    if not wk.table.weighted:
        for i in range(base, base + m):
            off = (wk.table.y[wk.table.lists[i] & wk.table.row_mask] - scales.centre) * scales.loss
            total += cython.cast(cython.longlong, off * off)
        return total
    if wk.table.y_step > 0:
        for i in range(base, base + m):
            row = wk.table.lists[i] & wk.table.row_mask
            off = (wk.table.y[row] - scales.centre) * scales.loss
            total += cython.cast(cython.longlong, off * off) * wk.table.weights[row]
        return total
    for i in range(base, base + m):
        row = wk.table.lists[i] & wk.table.row_mask
        off = (wk.table.y[row] - scales.centre) * scales.loss
        total += cython.cast(cython.longlong, off * off * wk.table.weights[row])
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sum_distances(wk: Work, base: cython.longlong, m: cython.longlong, low: cython.double, scales: Scales,
                  sums: Sums) -> Sums:
    """The sums with those of weight times distance from the lowest target: whole numbers, and 2^30 times the rests."""
    i: cython.longlong
    row: cython.longlong
    copies: cython.longlong
    off: cython.double
    whole: cython.longlong
    sums.distance = 0
    sums.rest = 0
    for i in range(base, base + m):
        row = wk.table.lists[i] & wk.table.row_mask
        off = (wk.table.y[row] - low) * scales.distance
        copies = 1
        if wk.table.weighted and wk.table.y_step > 0:
            copies = wk.table.weights[row]
        elif wk.table.weighted:
            off *= wk.table.weights[row]
        whole = cython.cast(cython.longlong, off)
        sums.distance += whole * copies
        sums.rest += cython.cast(cython.longlong, (off - whole) * REST) * copies
    return sums


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def value_in_units(wk: Work, node: cython.longlong) -> cython.double:
    """The mean of a node by its moments."""
    return (wk.table.y_centre + cython.cast(cython.double, wk.draft.stats[node, 1])
            / cython.cast(cython.double, wk.draft.stats[node, 0]) * wk.table.y_unit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def measure(wk: Work, node: cython.longlong, parent: cython.longlong) -> cython.void:
    """Compute a node's impurity and, for regression, its value; its rows are sorted by the target.

    parent  -1 for the root
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    low: cython.double
    scales = cython.declare(Scales)
    sums = cython.declare(Sums)
    if wk.table.n_classes > 0:
        wk.draft.impurity[node] = impurity_of(wk.draft.stats, node, wk.table.n_classes, wk.plan.criterion)
        return
    wk.draft.impurity[node] = 0.0
    wk.draft.exact_impurity[node] = 0.0
    wk.draft.value[node] = NAN
    if wk.draft.rows[node] == 0:
        return
    low = wk.table.y[wk.table.lists[base] & wk.table.row_mask]
    wk.draft.value[node] = low
    if is_pure(wk, node):
        return
    if wk.plan.criterion == ABSOLUTE_ERROR:
        wk.draft.value[node] = median_of_rows(wk, base, wk.draft.rows[node])
        wk.draft.impurity[node] = (loss_of_rows(wk, wk.table.lists, base, wk.draft.rows[node])
                                   / cython.cast(cython.double, wk.draft.stats[node, 0]) * (wk.table.y_unit * 0.5))
        correct_value(wk, node, base)
        return
    wk.draft.value[node] = value_in_units(wk, node)
    if wk.plan.criterion == POISSON:
        correct_value(wk, node, base)
        if wk.draft.value[node] > 0:  # 0 for all rows of a part of a table
            wk.draft.impurity[node] = sum_of_losses(wk, base, wk.draft.rows[node], wk.draft.value[node],
                                                    0) / wk.draft.stats[node, 0]
        wk.draft.exact_impurity[node] = wk.draft.impurity[node]
        return
    scales = scale_sums(wk, node, low, wk.table.y[wk.table.lists[base + wk.draft.rows[node] - 1] & wk.table.row_mask],
                        parent)
    sums.distance = 0
    sums.rest = 0
    sums.loss = sum_squares(wk, base, wk.draft.rows[node], scales)
    if scales.is_coarse:
        sums = sum_distances(wk, base, wk.draft.rows[node], low, scales, sums)
    use_sums(wk, node, low, scales, sums)


def scales_of_node(wk: Work, node: cython.longlong, low: cython.double, high: cython.double,
                   parent: cython.longlong) -> tuple:
    """Squared error, from outside: what the sums of a node of this stats are counted from, and the powers of two by
    which distances from the lowest target and from there are multiplied.
    """
    scales = cython.declare(Scales)
    wk.draft.value[node] = value_in_units(wk, node)
    scales = scale_sums(wk, node, low, high, parent)
    return scales.centre, scales.distance, scales.loss


def measure_by_sums(wk: Work, node: cython.longlong, targets: tuple, parent: cython.longlong, found: tuple) -> None:
    """Squared error, from outside: set the value and the impurity of a node of this stats.

    targets  the lowest and the highest
    found    the sums of distances, of their rests, and of squares
    """
    low: cython.double = targets[0]
    high: cython.double = targets[1]
    scales = cython.declare(Scales)
    sums = cython.declare(Sums)
    wk.draft.value[node] = low
    wk.draft.impurity[node] = 0.0
    wk.draft.exact_impurity[node] = 0.0
    if low == high:
        return
    wk.draft.value[node] = value_in_units(wk, node)
    scales = scale_sums(wk, node, low, high, parent)
    sums.distance = found[0]
    sums.rest = found[1]
    sums.loss = found[2]
    use_sums(wk, node, low, scales, sums)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_pure(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether all rows of a node have one class, or one target value."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    k: cython.int
    if wk.table.n_classes == 0:
        return (wk.table.y[wk.table.lists[base] & wk.table.row_mask]
                == wk.table.y[wk.table.lists[base + wk.draft.rows[node] - 1] & wk.table.row_mask])
    for k in range(wk.table.n_classes):
        if wk.draft.stats[node, k] == wk.draft.weight[node]:
            return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_limited(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether a node is too small or too deep to be split."""
    if wk.plan.count_weight:
        if wk.draft.weight[node] < wk.plan.min_split * wk.plan.row_weight:
            return True
    elif wk.draft.rows[node] < wk.plan.min_split:
        return True
    return wk.draft.depth[node] >= wk.plan.max_depth


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def is_closed(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether a node is a leaf before any column is looked at: pure, too small or too deep."""
    return is_limited(wk, node) or is_pure(wk, node)


def has_reached_limits(wk: Work, node: cython.longlong) -> bool:
    """`is_limited`, from outside."""
    return is_limited(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_root(wk: Work) -> cython.void:
    """Make node 0 of all rows."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride
    i: cython.longlong
    new_node(wk, 0)
    for i in range(wk.table.n_rows):
        add_to_node(wk, 0, wk.table.lists[base + i] & wk.table.row_mask)
    measure(wk, 0, -1)
    wk.draft.n_live = 0
    for i in range(wk.table.n_columns):
        if wk.table.missing_in[i] != ALL_MISSING:
            wk.draft.live[wk.draft.n_live] = cython.cast(cython.int, i)
            wk.draft.n_live += 1
    wk.draft.live_len[0] = wk.draft.n_live
    wk.draft.n_leaves = 1
    wk.draft.n_entries = wk.table.n_rows
    wk.draft.n_ids = wk.table.n_rows
    wk.draft.ids_end[0] = wk.table.n_rows
    wk.draft.root_weight = cython.cast(cython.double, wk.draft.weight[0])
    wk.draft.root_impurity = wk.draft.impurity[0]
    if not is_closed(wk, 0):
        wk.draft.stack[0] = 0
        wk.draft.n_stack = 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def whole_rows(least: cython.double) -> cython.longlong:
    """The smallest number of rows, 1 or more, that is at least this."""
    need: cython.double = ceil(least)
    if need >= MOST_ROWS:  # more than any table has, and maybe more than 64 bits hold
        return cython.cast(cython.longlong, MOST_ROWS)
    return cython.cast(cython.longlong, need) if need > 1.0 else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def large_enough(wk: Work, rows: cython.longlong, weight: cython.longlong) -> cython.bint:
    """Whether a branch reaches the leaf minimums."""
    if weight < wk.plan.min_leaf_weight:
        return False
    if wk.plan.count_weight:
        return weight >= wk.plan.min_leaf * wk.plan.row_weight
    return rows >= wk.plan.min_leaf
