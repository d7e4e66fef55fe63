"""A number of one node -> its candidate: the best cut.

In: the node's entries of the column's list. Out: the column's entries of candidates.
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
        NO_PENALTY,
        NO_PROXY,
        POISSON,
        SQUARED_ERROR,
        TWOING,
    )
    from treewright._core.grow.candidates import add_cut, add_missing_test, info_for_node, whole_gain
    from treewright._core.grow.cuts import Cut, count_cuts, label_in, no_cut
    from treewright._core.grow.cuts_entropy import scan_entropy, scan_two_entropy
    from treewright._core.grow.cuts_gini import scan_gini, scan_two
    from treewright._core.grow.cuts_mean import scan_list, scan_mean, scan_mean_weighted
    from treewright._core.grow.cuts_median import rank_rows, scan_median
    from treewright._core.grow.cuts_monotone import scan_monotone
    from treewright._core.grow.cuts_poisson import scan_poisson
    from treewright._core.grow.cuts_weighted import scan_two_weighted, scan_weighted
    from treewright._core.grow.impurity import beats, centre_of, gain_of, impurity_of, weight_of
    from treewright._core.grow.missing import (
        add_missing,
        class_sum,
        count_missing,
        gain_apart,
        lacks_rate,
        make_known_node,
        part_info,
    )
    from treewright._core.grow.node import rows_at, whole_rows
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def smallest_side(wk: Work, node: cython.longlong) -> cython.double:
    """The least a side of a cut must hold, in rows or, if the plan counts weight, in weights of one row."""
    least: cython.double = wk.plan.min_leaf
    part: cython.double
    if wk.plan.release8_side and wk.table.n_classes > 0:
        part = (wk.draft.weight[node] - wk.plan.tolerance) / wk.plan.row_weight / (10.0 * wk.table.n_classes)
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
    wk.search.least_rows = 1
    wk.search.least_weight = 0.0
    if not wk.table.weighted:
        wk.search.least_rows = whole_rows(least if least > wk.plan.min_leaf_weight else wk.plan.min_leaf_weight)
    else:
        if wk.plan.count_weight:
            wk.search.least_weight = least * wk.plan.row_weight
        else:
            wk.search.least_rows = whole_rows(least)
        if wk.plan.min_leaf_weight > wk.search.least_weight:
            wk.search.least_weight = wk.plan.min_leaf_weight
    if wk.plan.criterion == SQUARED_ERROR or wk.plan.criterion == POISSON:
        wk.search.node_centre = centre_of(wk.draft.stats[node, 1], wk.draft.stats[node, 0])
        wk.search.node_rest = wk.draft.stats[node, 1] - wk.search.node_centre * wk.draft.stats[node, 0]
        wk.search.node_scale = wk.search.tie_scale * wk.draft.weight[node] / wk.table.y_unit
        if wk.plan.criterion == SQUARED_ERROR:
            wk.search.node_scale = wk.search.tie_scale * wk.draft.weight[node] / (wk.table.y_unit * wk.table.y_unit)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def proxy_to_reach(wk: Work, node: cython.longlong, two: cython.bint) -> cython.double:
    """The proxy a scan has to reach to matter: just below that of the best column so far; -1e300 for none. `two` is for
    the scans of two classes by Gini or twoing, whose proxy is another.
    """
    m: cython.double = cython.cast(cython.double, wk.draft.rows[node])
    gain: cython.double = wk.search.best_gain * (1.0 - 1e-9)
    rest: cython.double
    if not wk.plan.use_bound or wk.search.best_gain < 0 or not wk.plan.fast_paths & FAST_BOUNDS:
        return NO_PROXY
    if wk.plan.criterion == SQUARED_ERROR:  # proxies tie on the scale of the node's loss: well below that, too
        m = cython.cast(cython.double, wk.draft.weight[node])
        rest = cython.cast(cython.double, wk.search.node_rest)
        return (gain - 1e-10 * wk.search.tie_scale) * m / (wk.table.y_unit * wk.table.y_unit) + rest / m * rest
    if wk.plan.criterion == POISSON:
        m = cython.cast(cython.double, wk.draft.weight[node])
        return (gain - 1e-10 * wk.search.tie_scale) * m / wk.table.y_unit
    if wk.table.weighted:
        m = cython.cast(cython.double, wk.draft.weight[node])
        if wk.plan.criterion == ENTROPY:
            return (gain - wk.draft.impurity[node]) * m
        return (gain + 1.0 - wk.draft.impurity[node]) * m if wk.plan.criterion == GINI else NO_PROXY
    if wk.plan.criterion == ENTROPY:
        return (gain - wk.draft.impurity[node]) * m
    if wk.plan.criterion == GINI:
        return gain * m * m * 0.5 if two else gain * m + wk.search.node_sum / m
    return gain * m * m if wk.plan.criterion == TWOING and two else NO_PROXY


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def has_two(wk: Work) -> cython.bint:
    """Whether the scans for two classes are used."""
    return wk.table.n_classes == 2 and wk.table.label_mask != 0 and wk.plan.fast_paths & FAST_TWO != 0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def has_unit_scan(wk: Work) -> cython.bint:
    """Whether the criterion has a scan of its own for rows that count once."""
    return (wk.plan.criterion == GINI or wk.plan.criterion == ENTROPY or wk.plan.criterion == SQUARED_ERROR
            or (wk.plan.criterion == TWOING and has_two(wk)))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def first_with_rows(wk: Work, entries: cython.uint[::1], base: cython.longlong, m: cython.longlong) -> cython.longlong:
    """The first of m entries that stand for several rows each up to which there are enough rows; m if there is none."""
    n: cython.longlong = 0
    j: cython.longlong
    for j in range(m):
        n += rows_at(wk, entries[base + j] & wk.table.row_mask)
        if n >= wk.search.least_rows:
            return j
    return m


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def last_with_rows(wk: Work, entries: cython.uint[::1], base: cython.longlong, m: cython.longlong) -> cython.longlong:
    """The last of m entries from which on there are enough rows; 0 if there is none."""
    n: cython.longlong = 0
    j: cython.longlong = m
    while j > 0 and n < wk.search.least_rows:
        j -= 1
        n += rows_at(wk, entries[base + j] & wk.table.row_mask)
    return j


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find_cut(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
             lowest: cython.longlong) -> Cut:
    """The best cut of a node's sorted entries from cut `lowest` on, with its gain and the weight below it."""
    lo: cython.longlong = wk.search.least_rows - 1
    hi: cython.longlong = wk.draft.rows[node] - wk.search.least_rows
    if wk.table.has_row_counts:
        lo = first_with_rows(wk, entries, base, wk.draft.rows[node])
        hi = last_with_rows(wk, entries, base, wk.draft.rows[node])
    if lo < lowest:
        lo = lowest
    if lo >= hi:  # no cut leaves both sides enough rows; the scans count on lo < hi
        return no_cut()
    if wk.table.weighted or wk.plan.monotone or not has_unit_scan(wk):
        return find_any_cut(wk, node, entries, base, lo, hi)
    return find_unit_cut(wk, node, entries, base, lo, hi)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_any_cut(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                 lo: cython.longlong, hi: cython.longlong) -> Cut:
    """The best cut for any weights, criterion and order of the predictions."""
    cut = cython.declare(Cut)
    m: cython.longlong = wk.draft.rows[node]
    slack: cython.double = GAIN_TIE * wk.search.tie_scale * wk.draft.weight[node]
    k: cython.int
    if wk.plan.monotone:
        cut = scan_monotone(wk, node, entries, base, lo, hi, wk.search.least_weight)
    elif wk.plan.criterion == ABSOLUTE_ERROR:
        cut = scan_median(wk, entries, base, m, lo, hi, wk.search.least_weight, wk.draft.weight[node],
                          wk.search.loss_scale)
    elif wk.plan.criterion == SQUARED_ERROR:
        cut = scan_mean_weighted(entries, base, lo, hi, wk.search.least_weight, wk.table.row_mask, wk.table.moments,
                                 wk.table.weights, wk.draft.weight[node], wk.search.node_centre, wk.search.node_rest,
                                 wk.search.node_scale, proxy_to_reach(wk, node, False), wk.scratch.low_stats)
    elif wk.plan.criterion == POISSON:
        cut = scan_poisson(wk, node, entries, base, lo, hi, proxy_to_reach(wk, node, False))
    elif has_two(wk) and (wk.plan.criterion == GINI or wk.plan.criterion == ENTROPY):
        cut = scan_two_weighted(entries, base, m, lo, hi, wk.search.least_weight, wk.table.shift, wk.table.row_mask,
                                wk.table.weights, wk.draft.weight[node], wk.draft.stats[node, 1],
                                wk.plan.criterion == ENTROPY, proxy_to_reach(wk, node, False), slack,
                                wk.plan.fast_paths, wk.scratch.low_stats)
    else:
        cut = scan_weighted(entries, base, m, lo, hi, wk.search.least_weight, wk.table.shift, wk.table.label_mask,
                            wk.table.row_mask, wk.table.labels, wk.table.weights, wk.table.weighted,
                            wk.table.n_classes, wk.draft.stats, node, wk.plan.criterion,
                            4.0 * slack if wk.plan.criterion == TWOING else slack, wk.plan.fast_paths,
                            wk.scratch.side_stats, wk.scratch.low_stats)
    if cut.pos >= 0:
        if wk.plan.criterion != ABSOLUTE_ERROR:
            for k in range(wk.table.width):
                wk.scratch.side_stats[0, k] = wk.scratch.low_stats[k]
                wk.scratch.side_stats[1, k] = wk.draft.stats[node, k] - wk.scratch.low_stats[k]
        if wk.plan.criterion == SQUARED_ERROR:
            wk.scratch.side_stats[1, 1] -= wk.search.node_centre * wk.draft.stats[node, 0]
        cut.low = weight_of(wk.scratch.side_stats, 0, wk.table.n_classes, wk.plan.criterion)
        cut.gain = gain_of(wk.scratch.side_stats, 2, wk.table.n_classes, wk.plan.criterion, wk.draft.impurity[node],
                           wk.table.y_unit)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_unit_cut(wk: Work, node: cython.longlong, entries: cython.uint[::1], base: cython.longlong,
                  lo: cython.longlong, hi: cython.longlong) -> Cut:
    """The best cut when every row counts once, by a criterion that `has_unit_scan`."""
    cut = cython.declare(Cut)
    m: cython.longlong = wk.draft.rows[node]
    two: cython.bint = has_two(wk)
    if wk.plan.criterion == SQUARED_ERROR:
        cut = scan_mean(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
    elif two and (wk.plan.criterion == GINI or wk.plan.criterion == TWOING):
        cut = scan_two(entries, base, m, lo, hi, wk.table.shift, wk.draft.stats[node, 1],
                       proxy_to_reach(wk, node, True), wk.plan.criterion == TWOING,
                       wk.plan.fast_paths & FAST_BLOCKS != 0)
    elif two and wk.plan.criterion == ENTROPY:
        return scan_two_entropy(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
    elif wk.plan.criterion == ENTROPY:
        cut = scan_entropy(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
    elif wk.plan.criterion == GINI:
        cut = scan_gini(wk, entries, base, node, lo, hi, proxy_to_reach(wk, node, False))
    else:
        return find_any_cut(wk, node, entries, base, lo, hi)
    if wk.plan.penalty != NO_PENALTY or not wk.plan.use_bound:
        cut.cuts = count_cuts(entries, base, lo, hi)
    return cut


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find_mean_cut(wk: Work, node: cython.longlong, base: cython.longlong) -> Cut:
    """`find_cut` for squared error when every row counts once, of a list as it is: quicker in small nodes."""
    cut = cython.declare(Cut)
    lo: cython.longlong = wk.search.least_rows - 1
    hi: cython.longlong = wk.draft.rows[node] - wk.search.least_rows
    if lo >= hi:
        return no_cut()
    cut = scan_list(wk, base, node, lo, hi, proxy_to_reach(wk, node, False))
    if wk.plan.penalty != NO_PENALTY or not wk.plan.use_bound:
        cut.cuts = count_cuts(wk.table.lists, base, lo, hi)
    return cut


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_below(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Set scratch.side_stats[0] to the classes of the known rows below the cut of column f's candidate."""
    p: cython.longlong = wk.table.coded_of[f]
    which: cython.longlong = wk.table.n_lists - 1 if p >= 0 else wk.table.list_of[f]
    base: cython.longlong = which * wk.table.stride + wk.draft.start[node]
    j: cython.longlong
    k: cython.int
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[0, k] = 0
    if p < 0:
        for j in range(base, base + wk.candidates.position[f] + 1):
            wk.scratch.side_stats[0, label_in(wk.table, wk.table.lists[j])] += 1
        return
    for j in range(base, base + wk.draft.rows[node]):
        if wk.coded.codes[wk.table.lists[j] & wk.table.row_mask, p] <= wk.candidates.low_code[f]:
            wk.scratch.side_stats[0, label_in(wk.table, wk.table.lists[j])] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_exact_gain(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Work out the gain of a number's cut as a tree keeps it: from the class weights of its sides alone.

    Scans of rows that count once round it otherwise, each in its own way; of other rows and of categories it is exact.
    """
    impurity: cython.double = wk.draft.impurity[node]
    known: cython.longlong = wk.draft.weight[node]
    is_known_part: cython.bint = wk.candidates.n_missing[f] > 0 and wk.plan.missing != LEARNED
    side: cython.int = 0 if wk.candidates.missing_use[f] == MISSING_LOW else 1
    k: cython.int
    if wk.table.n_classes == 0 or wk.table.weighted or wk.plan.monotone or wk.candidates.position[f] < 0:
        return
    count_below(wk, node, f)
    if wk.candidates.n_missing[f] > 0:
        add_missing(wk, node, f)
    for k in range(wk.table.n_classes):
        wk.scratch.side_stats[1, k] = wk.draft.stats[node, k] - wk.scratch.side_stats[0, k]
        if wk.candidates.n_missing[f] == 0:
            continue
        wk.scratch.side_stats[1, k] -= wk.scratch.known_stats[1, k]
        wk.scratch.known_stats[0, k] = wk.draft.stats[node, k] - wk.scratch.known_stats[1, k]
        if not is_known_part:
            wk.scratch.side_stats[side, k] += wk.scratch.known_stats[1, k]
    if is_known_part:
        known = weight_of(wk.scratch.known_stats, 0, wk.table.n_classes, wk.plan.criterion)
        impurity = impurity_of(wk.scratch.known_stats, 0, wk.table.n_classes, wk.plan.criterion)
    wk.candidates.gain[f] = gain_of(wk.scratch.side_stats, 2, wk.table.n_classes, wk.plan.criterion, impurity,
                                    wk.table.y_unit)
    if is_known_part:
        wk.candidates.gain[f] *= (cython.cast(cython.double, known)
                                  / cython.cast(cython.double, wk.draft.weight[node]))
        if wk.plan.missing == BRANCH:
            wk.candidates.gain[f] += gain_apart(wk, node)
    wk.candidates.gain[f] -= wk.candidates.penalty[f]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def recompute_gain(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Replace gain and merit of the chosen column by those that the tree keeps."""
    if wk.table.category_of[f] >= 0:
        return
    set_exact_gain(wk, node, f)
    wk.candidates.merit[f] = (wk.candidates.gain[f] / wk.candidates.split_info[f] if wk.plan.by_ratio
                              else wk.candidates.gain[f])


def refine_gain(wk: Work, node: cython.longlong, f: cython.longlong) -> None:
    """Replace the gain of a column that has a candidate by that of a tree, before columns are compared."""
    if wk.candidates.ok[f] and wk.table.category_of[f] < 0:
        set_exact_gain(wk, node, f)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_of_cut(wk: Work, node: cython.longlong, cut: Cut) -> cython.double:
    """The split information of a cut; 0 where no ratio is taken and it is not used."""
    low: cython.double = cython.cast(cython.double, cut.low)
    total: cython.double = cython.cast(cython.double, wk.draft.weight[node])
    if wk.plan.use_bound:
        return 0.0
    return part_info(low, total) + part_info(total - low, total)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def has_cut(wk: Work, base: cython.longlong, m: cython.longlong) -> cython.bint:
    """Whether the m entries from `base` on hold more than one value; mostly the second entry tells."""
    any_flag: cython.uint = wk.table.lists[base + 1] if m > 1 else 0
    i: cython.longlong = 2
    j: cython.longlong
    stop: cython.longlong
    while i < m and not (any_flag & FLAG):
        stop = i + BLOCK if i + BLOCK < m else m
        for j in range(i, stop):
            any_flag |= wk.table.lists[base + j]
        i = stop
    return (any_flag & FLAG) != 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_known(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a number that some rows are missing on, found on the known rows."""
    cut = cython.declare(Cut)
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
    known_node: cython.longlong
    best: cython.double = wk.search.best_gain
    before: cython.double = wk.search.best_gain
    node_sum: cython.double = wk.search.node_sum
    add_missing(wk, node, f)
    known_node = make_known_node(wk, node, f)
    cut = no_cut()
    if lacks_rate(wk):
        return
    if has_cut(wk, base, wk.draft.rows[known_node]):
        wk.search.node_sum = class_sum(wk, known_node)
        begin_cuts(wk, known_node)
        if best >= 0:  # what the known rows have to gain to reach the best column so far
            if wk.plan.missing == BRANCH:
                best -= gain_apart(wk, node)
            wk.search.best_gain = best * (cython.cast(cython.double, wk.draft.weight[node])
                                          / cython.cast(cython.double, wk.draft.weight[known_node])) * (1.0 - 1e-9)
        cut = find_cut(wk, known_node, wk.table.lists, base, 0)
    elif wk.plan.missing != BRANCH:
        wk.candidates.is_constant[f] = 1
    if cut.pos >= 0:
        add_cut(wk, node, f, cut, whole_gain(wk, node, known_node, cut.gain),
                info_for_node(wk, node, known_node, f, info_of_cut(wk, known_node, cut)))
    else:
        add_missing_test(wk, node, known_node, f)
    if wk.plan.criterion == ABSOLUTE_ERROR:
        rank_rows(wk, node)
    begin_cuts(wk, node)
    wk.search.node_sum = node_sum
    wk.search.best_gain = before


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_learned(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a number that some rows are missing on, these on the better side.

    The list as it is has them behind the highest value; a turned copy has them before the lowest.
    """
    high = cython.declare(Cut)
    low = cython.declare(Cut)
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
    missing: cython.longlong = wk.candidates.n_missing[f]
    known: cython.longlong = wk.draft.rows[node] - missing
    i: cython.longlong
    wk.search.missing_cut = known - 1
    high = find_cut(wk, node, wk.table.lists, base, 0)
    wk.search.missing_cut = -1
    for i in range(missing):
        wk.scratch.buffer[i] = wk.table.lists[base + known + i]
    for i in range(known):
        wk.scratch.buffer[missing + i] = wk.table.lists[base + i]
    low = find_cut(wk, node, wk.scratch.buffer, 0, missing)
    low.cuts += high.cuts
    high.cuts = low.cuts
    if low.pos >= 0 and (high.pos < 0 or beats(low.gain, high.gain, wk.draft.impurity[node])):
        low.pos -= missing
        wk.candidates.missing_use[f] = MISSING_LOW
        add_cut(wk, node, f, low, low.gain, info_of_cut(wk, node, low))
        return
    if high.pos == known - 1:
        wk.candidates.missing_use[f] = IS_MISSING
    add_cut(wk, node, f, high, high.gain, info_of_cut(wk, node, high))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search_number(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """The candidate of a number: its best cut."""
    cut = cython.declare(Cut)
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
    if wk.table.missing_in[f]:
        wk.candidates.n_missing[f] = count_missing(wk, node, f)
        if wk.candidates.n_missing[f] == wk.draft.rows[node]:
            wk.candidates.is_constant[f] = 1
            return
        if wk.candidates.n_missing[f] > 0:
            if wk.plan.missing == LEARNED:
                search_learned(wk, node, f)
            else:
                search_known(wk, node, f)
            return
    if not has_cut(wk, base, wk.draft.rows[node]):
        wk.candidates.is_constant[f] = 1
        return
    if wk.plan.criterion == SQUARED_ERROR and not wk.table.weighted and not wk.plan.monotone:
        cut = find_mean_cut(wk, node, base)
    else:
        cut = find_cut(wk, node, wk.table.lists, base, 0)
    add_cut(wk, node, f, cut, cut.gain, info_of_cut(wk, node, cut))
