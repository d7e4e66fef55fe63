"""A number of one node -> its candidate: the best cut.

In: the node's entries of the column's list. Out: the column's entries of wk.c_*.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import (
        ABSOLUTE_ERROR,
        BLOCK,
        BRANCH,
        ENTROPY,
        FAST_BLOCKS,
        FAST_BOUNDS,
        FAST_TWO,
        FLAG,
        GAIN_TIE,
        GINI,
        IS_MISSING,
        LEARNED,
        MISSING_LOW,
        NO_CHARGE,
        NO_PROXY,
        SQUARED_ERROR,
        TWOING,
    )
    from treewright._core.grow.candidates import info_for_node, offer_cut, offer_test, whole_gain
    from treewright._core.grow.cuts import Cut, count_cuts, no_cut
    from treewright._core.grow.cuts_entropy import gain_in_order, scan_entropy, scan_two_entropy
    from treewright._core.grow.cuts_gini import gain_of_two, scan_gini, scan_two
    from treewright._core.grow.cuts_mean import scan_list, scan_mean, scan_mean_weighted
    from treewright._core.grow.cuts_median import rank_rows, scan_median
    from treewright._core.grow.cuts_monotone import scan_monotone
    from treewright._core.grow.cuts_weighted import scan_two_weighted, scan_weighted
    from treewright._core.grow.impurity import beats, centre_of, gain_of, weight_of
    from treewright._core.grow.missing import (
        add_missing,
        class_sum,
        count_missing,
        gain_apart,
        part_info,
        raise_ghost,
    )
    from treewright._core.grow.node import whole_rows
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def smallest_side(wk: Work, node: cython.longlong) -> cython.double:
    """The least a side of a cut must hold, in rows or, if the plan counts weight, in weights of one row."""
    least: cython.double = wk.min_leaf
    part: cython.double
    if wk.side_share and wk.n_classes > 0:
        part = (wk.weight[node] - wk.close) / wk.one / (10.0 * wk.n_classes)
        if part > 25.0:
            part = 25.0
        if part > least:
            least = part
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def begin_cuts(wk: Work, node: cython.longlong) -> cython.void:
    """Before the numbers of a node are searched: what the scans of all of them need."""
    least: cython.double = smallest_side(wk, node)
    wk.least_rows = 1
    wk.least_weight = 0.0
    if not wk.weighted:
        wk.least_rows = whole_rows(least if least > wk.min_leaf_weight else wk.min_leaf_weight)
    else:
        if wk.count_weight:
            wk.least_weight = least * wk.one
        else:
            wk.least_rows = whole_rows(least)
        if wk.min_leaf_weight > wk.least_weight:
            wk.least_weight = wk.min_leaf_weight
    if wk.criterion == SQUARED_ERROR:
        wk.node_centre = centre_of(wk.stats[node, 1], wk.stats[node, 0])
        wk.node_rest = wk.stats[node, 1] - wk.node_centre * wk.stats[node, 0]
        wk.node_scale = wk.tie_scale * wk.weight[node] / (wk.y_unit * wk.y_unit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proxy_to_reach(wk: Work, node: cython.longlong, two: cython.bint) -> cython.double:
    """The proxy a scan has to reach to matter: just below that of the best column so far; -1e300 for none. `two` is for
    the scans of two classes by Gini or twoing, whose proxy is another.
    """
    m: cython.double = cython.cast(cython.double, wk.rows[node])
    gain: cython.double = wk.best_gain * (1.0 - 1e-9)
    rest: cython.double
    if not wk.use_bound or wk.best_gain < 0 or not wk.fast & FAST_BOUNDS:
        return NO_PROXY
    if wk.criterion == SQUARED_ERROR:  # proxies tie on the scale of the node's loss: well below that, too
        m = cython.cast(cython.double, wk.weight[node])
        rest = cython.cast(cython.double, wk.node_rest)
        return (gain - 1e-10 * wk.tie_scale) * m / (wk.y_unit * wk.y_unit) + rest / m * rest
    if wk.weighted:
        m = cython.cast(cython.double, wk.weight[node])
        if wk.criterion == ENTROPY:
            return (gain - wk.impurity[node]) * m
        return (gain + 1.0 - wk.impurity[node]) * m if wk.criterion == GINI else NO_PROXY
    if wk.criterion == ENTROPY:
        return (gain - wk.impurity[node]) * m
    if wk.criterion == GINI:
        return gain * m * m * 0.5 if two else gain * m + wk.node_sum / m
    return gain * m * m if wk.criterion == TWOING and two else NO_PROXY


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def has_two(wk: Work) -> cython.bint:
    """Whether the scans for two classes are used."""
    return wk.n_classes == 2 and wk.label_mask != 0 and wk.fast & FAST_TWO != 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def has_unit_scan(wk: Work) -> cython.bint:
    """Whether the criterion has a scan of its own for rows that count once."""
    return (wk.criterion == GINI or wk.criterion == ENTROPY or wk.criterion == SQUARED_ERROR
            or (wk.criterion == TWOING and has_two(wk)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_of_ones(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                 low: cython.longlong) -> cython.double:
    """The gain of the cut behind `low` entries, for two classes and rows that count once: that of scan_two."""
    ones_low: cython.longlong = 0
    j: cython.longlong
    for j in range(base, base + low):
        if wk.label_mask:
            ones_low += (entries[j] >> wk.shift) & wk.label_mask
        else:
            ones_low += wk.labels[entries[j] & wk.row_mask]
    return gain_of_two(ones_low * wk.rows[node] - low * wk.stats[node, 1], low, wk.rows[node], wk.criterion == TWOING)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find_cut(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
             lowest: cython.longlong) -> Cut:
    """The best cut of a node's sorted entries from cut `lowest` on, with its gain and the weight below it."""
    lo: cython.longlong = wk.least_rows - 1 if wk.least_rows > lowest else lowest
    hi: cython.longlong = wk.rows[node] - wk.least_rows
    if lo >= hi:  # no cut leaves both sides enough rows; the scans count on lo < hi
        return no_cut()
    if wk.weighted or wk.monotone or not has_unit_scan(wk):
        return find_any_cut(wk, node, entries, base, lo, hi)
    return find_unit_cut(wk, node, entries, base, lo, hi)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_any_cut(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                 lo: cython.longlong, hi: cython.longlong) -> Cut:
    """The best cut for any weights, criterion and order of the answers."""
    cut = cython.declare(Cut)
    m: cython.longlong = wk.rows[node]
    slack: cython.double = GAIN_TIE * wk.tie_scale * wk.weight[node]
    k: cython.int
    if wk.monotone:
        cut = scan_monotone(wk, node, entries, base, lo, hi, wk.least_weight)
    elif wk.criterion == ABSOLUTE_ERROR:
        cut = scan_median(wk, entries, base, m, lo, hi, wk.least_weight, wk.weight[node], wk.loss_scale)
    elif wk.criterion == SQUARED_ERROR:
        cut = scan_mean_weighted(entries, base, lo, hi, wk.least_weight, wk.row_mask, wk.moments, wk.weights,
                                 wk.weight[node], wk.node_centre, wk.node_rest, wk.node_scale,
                                 proxy_to_reach(wk, node, False), wk.left)
    elif has_two(wk) and (wk.criterion == GINI or wk.criterion == ENTROPY):
        cut = scan_two_weighted(entries, base, m, lo, hi, wk.least_weight, wk.shift, wk.row_mask, wk.weights,
                                wk.weight[node], wk.stats[node, 1], wk.criterion == ENTROPY,
                                proxy_to_reach(wk, node, False), slack, wk.fast, wk.left)
    else:
        cut = scan_weighted(entries, base, m, lo, hi, wk.least_weight, wk.shift, wk.label_mask, wk.row_mask,
                            wk.labels, wk.weights, wk.weighted, wk.n_classes, wk.stats, node, wk.criterion,
                            4.0 * slack if wk.criterion == TWOING else slack, wk.fast, wk.sides, wk.left)
    if cut.pos >= 0:
        if wk.criterion != ABSOLUTE_ERROR:
            for k in range(wk.width):
                wk.sides[0, k] = wk.left[k]
                wk.sides[1, k] = wk.stats[node, k] - wk.left[k]
        if wk.criterion == SQUARED_ERROR:
            wk.sides[1, 1] -= wk.node_centre * wk.stats[node, 0]
        cut.low = weight_of(wk.sides, 0, wk.n_classes, wk.criterion)
        cut.gain = gain_of(wk.sides, 2, wk.n_classes, wk.criterion, wk.impurity[node], wk.y_unit)
        if wk.criterion == TWOING and wk.n_classes == 2 and not wk.weighted and not wk.monotone:
            cut.gain = gain_of_ones(wk, node, entries, base, cut.low)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_unit_cut(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                  lo: cython.longlong, hi: cython.longlong) -> Cut:
    """The best cut when every row counts once, by a criterion that `has_unit_scan`; by entropy its gain is rounded
    otherwise than in a tree: see `gain_in_order`.
    """
    cut = cython.declare(Cut)
    m: cython.longlong = wk.rows[node]
    two: cython.bint = has_two(wk)
    if wk.criterion == SQUARED_ERROR:
        cut = scan_mean(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
    elif two and (wk.criterion == GINI or wk.criterion == TWOING):
        cut = scan_two(entries, base, m, lo, hi, wk.shift, wk.stats[node, 1],
                       proxy_to_reach(wk, node, True), wk.criterion == TWOING,
                       wk.fast & FAST_BLOCKS != 0)
    elif two and wk.criterion == ENTROPY:
        return scan_two_entropy(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
    elif wk.criterion == ENTROPY:
        cut = scan_entropy(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
    elif wk.criterion == GINI:
        cut = scan_gini(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
        if wk.n_classes == 2 and cut.pos >= 0:
            cut.gain = gain_of_ones(wk, node, entries, base, cut.low)
    else:
        return find_any_cut(wk, node, entries, base, lo, hi)
    if wk.charge != NO_CHARGE or not wk.use_bound:
        cut.cuts = count_cuts(entries, base, lo, hi)
    return cut


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find_mean_cut(wk: Work, node: cython.longlong, base: cython.longlong) -> Cut:
    """`find_cut` for squared error when every row counts once, of a list as it stands: quicker in small nodes."""
    cut = cython.declare(Cut)
    lo: cython.longlong = wk.least_rows - 1
    hi: cython.longlong = wk.rows[node] - wk.least_rows
    if lo >= hi:
        return no_cut()
    cut = scan_list(wk, base, node, lo, hi, proxy_to_reach(wk, node, False))
    if wk.charge != NO_CHARGE or not wk.use_bound:
        cut.cuts = count_cuts(wk.lists, base, lo, hi)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gain_is_rounded(wk: Work) -> cython.bint:
    """Whether the gains of cuts are those of a tree but for rounding: see `gain_in_order`."""
    return wk.criterion == ENTROPY and not wk.weighted and not wk.monotone


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def settle_gain(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Work out the gain of the chosen column's cut as the tree keeps it."""
    base: cython.longlong
    if not gain_is_rounded(wk) or wk.list_of[f] < 0 or wk.c_missing[f] > 0:
        return
    base = wk.list_of[f] * wk.stride + wk.start[node]
    wk.c_gain[f] = gain_in_order(wk, wk.lists, base, node, wk.c_pos[f] + 1) - wk.c_charge[f]
    wk.c_merit[f] = wk.c_gain[f] / wk.c_info[f] if wk.by_ratio else wk.c_gain[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_of_cut(wk: Work, node: cython.longlong, cut: Cut) -> cython.double:
    """The split information of a cut; 0 where no ratio is taken and no one looks at it."""
    low: cython.double = cython.cast(cython.double, cut.low)
    total: cython.double = cython.cast(cython.double, wk.weight[node])
    if wk.use_bound:
        return 0.0
    return part_info(low, total) + part_info(total - low, total)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def has_cut(wk: Work, base: cython.longlong, m: cython.longlong) -> cython.bint:
    """Whether the m entries from `base` on hold more than one value; mostly the second entry tells."""
    any_flag: cython.uint = wk.lists[base + 1] if m > 1 else 0
    i: cython.longlong = 2
    j: cython.longlong
    stop: cython.longlong
    while i < m and not (any_flag & FLAG):
        stop = i + BLOCK if i + BLOCK < m else m
        for j in range(i, stop):
            any_flag |= wk.lists[base + j]
        i = stop
    return (any_flag & FLAG) != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_known(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a number that some rows are missing on, found on the known rows."""
    cut = cython.declare(Cut)
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node]
    ghost: cython.longlong
    best: cython.double = wk.best_gain
    before: cython.double = wk.best_gain
    node_sum: cython.double = wk.node_sum
    add_missing(wk, node, f)
    ghost = raise_ghost(wk, node, f)
    cut = no_cut()
    if has_cut(wk, base, wk.rows[ghost]):
        wk.node_sum = class_sum(wk, ghost)
        begin_cuts(wk, ghost)
        if best >= 0:  # what the known rows have to gain to reach the best column so far
            if wk.missing == BRANCH:
                best -= gain_apart(wk, node)
            wk.best_gain = best * (cython.cast(cython.double, wk.weight[node])
                                   / cython.cast(cython.double, wk.weight[ghost])) * (1.0 - 1e-9)
        cut = find_cut(wk, ghost, wk.lists, base, 0)
        if cut.pos >= 0 and gain_is_rounded(wk):
            cut.gain = gain_in_order(wk, wk.lists, base, ghost, cut.low)
    elif wk.missing != BRANCH:
        wk.c_dead[f] = 1
    if cut.pos >= 0:
        offer_cut(wk, node, f, cut, whole_gain(wk, node, ghost, cut.gain),
                  info_for_node(wk, node, ghost, f, info_of_cut(wk, ghost, cut)))
    else:
        offer_test(wk, node, ghost, f)
    if wk.criterion == ABSOLUTE_ERROR:
        rank_rows(wk, node)
    begin_cuts(wk, node)
    wk.node_sum = node_sum
    wk.best_gain = before


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_learned(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a number that some rows are missing on, these on the better side.

    The list as it stands has them behind the highest value; a turned copy has them before the lowest.
    """
    high = cython.declare(Cut)
    low = cython.declare(Cut)
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node]
    missing: cython.longlong = wk.c_missing[f]
    known: cython.longlong = wk.rows[node] - missing
    i: cython.longlong
    wk.test_pos = known - 1
    high = find_cut(wk, node, wk.lists, base, 0)
    if high.pos >= 0 and gain_is_rounded(wk):
        high.gain = gain_in_order(wk, wk.lists, base, node, high.low)
    wk.test_pos = -1
    for i in range(missing):
        wk.buffer[i] = wk.lists[base + known + i]
    for i in range(known):
        wk.buffer[missing + i] = wk.lists[base + i]
    low = find_cut(wk, node, wk.buffer, 0, missing)
    if low.pos >= 0 and gain_is_rounded(wk):
        low.gain = gain_in_order(wk, wk.buffer, 0, node, low.low)
    low.cuts += high.cuts
    high.cuts = low.cuts
    if low.pos >= 0 and (high.pos < 0 or beats(low.gain, high.gain, wk.impurity[node])):
        low.pos -= missing
        wk.c_way[f] = MISSING_LOW
        offer_cut(wk, node, f, low, low.gain, info_of_cut(wk, node, low))
        return
    if high.pos == known - 1:
        wk.c_way[f] = IS_MISSING
    offer_cut(wk, node, f, high, high.gain, info_of_cut(wk, node, high))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_number(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a number: its best cut."""
    cut = cython.declare(Cut)
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node]
    if wk.holes[f]:
        wk.c_missing[f] = count_missing(wk, node, f)
        if wk.c_missing[f] == wk.rows[node]:
            wk.c_dead[f] = 1
            return
        if wk.c_missing[f] > 0:
            if wk.missing == LEARNED:
                search_learned(wk, node, f)
            else:
                search_known(wk, node, f)
            return
    if not has_cut(wk, base, wk.rows[node]):
        wk.c_dead[f] = 1
        return
    if wk.criterion == SQUARED_ERROR and not wk.weighted and not wk.monotone:
        cut = find_mean_cut(wk, node, base)
    else:
        cut = find_cut(wk, node, wk.lists, base, 0)
    offer_cut(wk, node, f, cut, cut.gain, info_of_cut(wk, node, cut))
