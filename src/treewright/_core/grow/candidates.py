"""The candidate of each column with its gain, penalty and split information; and the choice among them.

In: the gain of a cut or of branches, on all rows of a node or on those known on the column. Out: wk.candidates; then
the chosen column, or -1. candidates.merit has what the columns were ranked by, NaN where a column was below the
floor.

The penalty is the length of the candidate's description, in bits over the weight of the node: log2 of the
number of cuts, or of the ways to make groups of the categories; nothing for a branch for each category, where
there is no choice. Under the description-length floor a split also costs the bit that tells it from a leaf (Quinlan
and Rivest 1989); as far as that floor is still the average gain, on small tables, growth goes on without it,
and pruning decides. In regression, where there is no such floor, it costs this bit and the number that one
more leaf predicts, half a bit for each doubling of the rows (Rissanen 1978).
"""

import cython

if not cython.compiled:
    from math import exp2, log2
    from math import nan as NAN

    from treewright._core.codes import (
        BINARY,
        BRANCH,
        DESCRIPTION,
        GREEDY,
        IS_MISSING,
        LEAST_LOSS,
        NO_FLOOR,
        NO_PENALTY,
        SQUARED_ERROR,
        SUBSET,
        THIRD,
    )
    from treewright._core.grow.cuts import Cut
    from treewright._core.grow.impurity import beats
    from treewright._core.grow.missing import gain_apart, info_with_missing
    from treewright._core.grow.node import large_enough, rows_from
    from treewright._core.grow.workspace import Work

MOST_BITS = cython.declare(cython.double, 1000.0)  # 2 to the power of more may be no number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_or_leaf(wk: Work, node: cython.longlong) -> cython.double:
    """The bit that tells a split from a leaf, where the plan counts it; for regression, and one more prediction."""
    rows: cython.double = wk.draft.weight[node] / wk.plan.row_weight
    if wk.table.n_classes == 0:
        return 1.0 + (0.5 * log2(rows) if rows > 1.0 else 0.0)
    return 1.0 - wk.plan.average_part


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bits_of_cuts(cuts: cython.longlong) -> cython.double:
    """To name one of so many cuts."""
    return log2(cython.cast(cython.double, cuts)) if cuts > 1 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bits_of_two(n: cython.longlong) -> cython.double:
    """To name one of the 2^(n - 1) - 1 ways to make two groups of n categories."""
    if n <= 2:
        return 0.0
    return (n - 1.0) + log2(1.0 - exp2(1.0 - n))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bits_of_groups(wk: Work, node: cython.longlong, style: cython.int, n: cython.longlong,
                   k: cython.longlong) -> cython.double:
    """To tell that there is a split, and one of the ways to make k groups of n categories as this style makes them."""
    if style == SUBSET or style == BINARY:
        return split_or_leaf(wk, node) + bits_of_two(n)
    if (style == GREEDY or style == LEAST_LOSS) and k < n:
        return split_or_leaf(wk, node) + wk.plan.log2_groupings[n, k]
    return split_or_leaf(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def penalty_of_cut(wk: Work, node: cython.longlong, cuts: cython.longlong) -> cython.double:
    """The penalty of a cut at this node."""
    bits: cython.double = bits_of_cuts(cuts)
    if wk.plan.penalty == DESCRIPTION:
        bits += split_or_leaf(wk, node)
    return bits / (wk.draft.weight[node] / wk.plan.row_weight)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def penalty_of_groups(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.double:
    """The penalty of the groups just found for column f at this node."""
    return bits_of_groups(wk, node, wk.candidates.grouping[f], wk.candidates.n_values[f],
                          wk.candidates.n_branches[f]) / (wk.draft.weight[node] / wk.plan.row_weight)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def loss_of_bits(wk: Work, rest: cython.double, bits: cython.double) -> cython.double:
    """Regression: bits a row as a part of the loss, so that they can be taken off a gain.

    To tell a target to some precision takes log2 of its standard deviation (squared error, a normal distribution) or
    of its mean deviation (absolute error, a Laplace distribution) and a constant. So a split that leaves the loss
    `rest` and costs so many bits equals one without penalty that leaves rest * 4^bits, or rest * 2^bits.
    """
    if wk.plan.criterion == SQUARED_ERROR:
        bits *= 2.0
    if bits > MOST_BITS:
        bits = MOST_BITS
    return rest * (exp2(bits) - 1.0)


LEAST_GAIN = cython.declare(cython.double, 1e-10)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_candidate(wk: Work, f: cython.longlong, gain: cython.double,
                  info: cython.double) -> cython.void:
    """Column f has a candidate of this gain and split information."""
    wk.candidates.ok[f] = 1
    wk.candidates.gain[f] = gain
    wk.candidates.split_info[f] = info


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_penalised(wk: Work, node: cython.longlong, f: cython.longlong, gain: cython.double, bits: cython.double,
                  info: cython.double) -> cython.void:
    """The same, less what its description costs; no candidate where that is all it gains."""
    least: cython.double = LEAST_GAIN
    wk.candidates.penalty[f] = bits
    if wk.table.n_classes == 0:
        wk.candidates.penalty[f] = loss_of_bits(wk, wk.draft.impurity[node] - gain, bits)
        least *= wk.draft.impurity[node]
    gain -= wk.candidates.penalty[f]
    if gain > least:
        add_candidate(wk, f, gain, info)
    else:
        wk.candidates.split_info[f] = info  # a ledger shows candidates whose penalty exceeds their gain


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_cut(wk: Work, node: cython.longlong, f: cython.longlong, cut: Cut, gain: cython.double,
            info: cython.double) -> cython.void:
    """The same for a cut, less the penalty for the choice among cuts where the plan says so."""
    wk.candidates.position[f] = cut.pos
    wk.candidates.n_cuts[f] = cut.cuts
    wk.candidates.n_branches[f] = 2
    if cut.pos < 0:
        return
    if wk.plan.penalty == NO_PENALTY:
        add_candidate(wk, f, gain, info)
    else:
        add_penalised(wk, node, f, gain, penalty_of_cut(wk, node, cut.cuts), info)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_branches(wk: Work, node: cython.longlong, f: cython.longlong, gain: cython.double,
                 info: cython.double) -> cython.void:
    """The same for the branches of a category, less the penalty for the choice among groupings where the plan says
    so.
    """
    if wk.plan.penalty == DESCRIPTION:
        add_penalised(wk, node, f, gain, penalty_of_groups(wk, node, f), info)
    else:
        add_candidate(wk, f, gain, info)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def info_for_node(wk: Work, node: cython.longlong, known_node: cython.longlong, f: cython.longlong,
                  info: cython.double) -> cython.double:
    """The split information of the known rows' candidate for the whole node; notes how it treats the others."""
    known: cython.double = cython.cast(cython.double, wk.draft.weight[known_node])
    missing: cython.double = cython.cast(cython.double, wk.draft.weight[node] - wk.draft.weight[known_node])
    if wk.plan.missing == BRANCH:
        wk.candidates.missing_use[f] = THIRD
    if wk.plan.missing == BRANCH or wk.plan.missing_in_split_info:
        return info_with_missing(info, known, missing)
    return info


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def whole_gain(wk: Work, node: cython.longlong, known_node: cython.longlong, gain: cython.double) -> cython.double:
    """The gain of the known rows' candidate as that of the whole node."""
    gain *= cython.cast(cython.double, wk.draft.weight[known_node]) / cython.cast(cython.double, wk.draft.weight[node])
    if wk.plan.missing == BRANCH:
        gain += gain_apart(wk, node)
    return gain


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_missing_test(wk: Work, node: cython.longlong, known_node: cython.longlong, f: cython.longlong) -> cython.void:
    """Own branch, and the known rows have no candidate: the test whether the value is missing."""
    missing: cython.longlong = wk.draft.weight[node] - wk.draft.weight[known_node]
    known_rows: cython.longlong = wk.draft.rows[known_node]
    missing_rows: cython.longlong = wk.candidates.n_missing[f]
    base: cython.longlong
    if wk.plan.missing != BRANCH:
        return
    if wk.table.has_row_counts and wk.table.list_of[f] >= 0:  # the entries of a number are not its rows
        base = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node]
        missing_rows = rows_from(wk, base + known_rows, missing_rows)
        known_rows = rows_from(wk, base, known_rows)
    if not (large_enough(wk, known_rows, wk.draft.weight[known_node]) and large_enough(wk, missing_rows, missing)):
        return
    wk.candidates.missing_use[f] = IS_MISSING
    wk.candidates.n_branches[f] = 2
    add_candidate(wk, f, gain_apart(wk, node),
                  info_with_missing(0.0, cython.cast(cython.double, wk.draft.weight[known_node]),
                                    cython.cast(cython.double, missing)))


SURE = cython.declare(cython.double, 0.9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def average_gain(wk: Work, node: cython.longlong) -> cython.double:
    """The mean gain of the candidates; wide columns count only when there are no others."""
    total: cython.double = 0.0
    wide_total: cython.double = 0.0
    n: cython.longlong = 0
    n_wide: cython.longlong = 0
    i: cython.longlong
    f: cython.longlong
    for i in range(wk.draft.live_start[node], wk.draft.live_start[node] + wk.draft.live_len[node]):
        f = wk.draft.live[i]
        if not wk.candidates.ok[f]:
            continue
        if wk.plan.many_valued[f]:
            wide_total += wk.candidates.gain[f]
            n_wide += 1
        else:
            total += wk.candidates.gain[f]
            n += 1
    if n > 0:
        return total / n
    return wide_total / n_wide if n_wide > 0 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def floor_of(wk: Work, node: cython.longlong) -> cython.double:
    """The gain a column has to reach to be ranked.

    The description-length floor: what it takes to name one of the columns that have a candidate, or on small tables
    the average gain; between the two sizes a part of each.
    """
    average: cython.double = average_gain(wk, node) if wk.plan.average_part > 0.0 else 0.0
    named: cython.double = 0.0
    n: cython.longlong = 0
    i: cython.longlong
    if wk.plan.average_part < 1.0:
        for i in range(wk.draft.live_start[node], wk.draft.live_start[node] + wk.draft.live_len[node]):
            if wk.candidates.ok[wk.draft.live[i]]:
                n += 1
        if n > 1:
            named = SURE * log2(cython.cast(cython.double, n)) / (wk.draft.weight[node] / wk.plan.row_weight)
    return wk.plan.average_part * average + (1.0 - wk.plan.average_part) * named - wk.plan.floor_slack


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def choose(wk: Work, node: cython.longlong) -> cython.longlong:
    """The column whose candidate is chosen: the first of those that no other beats; -1 when there is none.

    The largest merit is found first, then the first column that it does not beat: so a chain of near ties cannot
    drift away from the best.
    """
    floor: cython.double = floor_of(wk, node) if wk.plan.gain_floor != NO_FLOOR else 0.0
    scale: cython.double = 1.0 if wk.plan.by_ratio else wk.draft.impurity[node]
    top: cython.longlong = -1
    i: cython.longlong
    f: cython.longlong
    for i in range(wk.draft.live_start[node], wk.draft.live_start[node] + wk.draft.live_len[node]):
        f = wk.draft.live[i]
        wk.candidates.merit[f] = NAN
        if not wk.candidates.ok[f] or (wk.plan.gain_floor != NO_FLOOR and wk.candidates.gain[f] < floor):
            continue
        if wk.plan.by_ratio:
            if wk.candidates.split_info[f] <= wk.plan.min_info:
                continue
            wk.candidates.merit[f] = wk.candidates.gain[f] / wk.candidates.split_info[f]
        else:
            wk.candidates.merit[f] = wk.candidates.gain[f]
        if top < 0 or wk.candidates.merit[f] > wk.candidates.merit[top]:
            top = f
    for i in range(wk.draft.live_start[node], wk.draft.live_start[node] + wk.draft.live_len[node]):
        f = wk.draft.live[i]
        if f >= top:
            break
        if wk.candidates.merit[f] == wk.candidates.merit[f] and not beats(wk.candidates.merit[top],
                                                                          wk.candidates.merit[f], scale):
            return f
    return top
