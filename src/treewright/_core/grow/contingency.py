"""A category column of one node -> its contingency table, and a branch for each value.

In: the rows of the node and their codes, or the histogram of a coded column. Out: `scratch.contingency`, a row of stats
for each category present, in order of code; the codes are in the column's part of candidates.codes. The time is
linear in the rows of the node, however many categories the column has elsewhere.
"""

import cython

if not cython.compiled:
    from math import floor, sqrt

    from treewright._core.codes import ABSOLUTE_ERROR, FRACTIONAL, POISSON, SQUARED_ERROR
    from treewright._core.grow.cuts_small_histogram import ONES, is_packed, pack_column
    from treewright._core.grow.histograms import clear_column_counts, count_column
    from treewright._core.grow.impurity import centre_of, mean_of, weight_of
    from treewright._core.grow.node import add_row, large_enough, rows_at
    from treewright._core.grow.node_median import loss_of_value
    from treewright._core.grow.workspace import Work
    from treewright._core.short_sort import sort_by_key

FEW = cython.declare(cython.longlong, 16)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_categories(wk: Work, n: cython.longlong) -> cython.void:
    """Set scratch.order[:n] to 0 .. n - 1 sorted by (scratch.key, number); a few, as most nodes have, without a
    call.
    """
    i: cython.longlong
    j: cython.longlong
    x: cython.double
    if n > FEW:
        sort_by_key(wk.scratch.key, wk.scratch.order, wk.scratch.merged_into, n)
        return
    for i in range(n):
        x = wk.scratch.key[i]
        j = i
        while j > 0 and wk.scratch.key[wk.scratch.order[j - 1]] > x:
            wk.scratch.order[j] = wk.scratch.order[j - 1]
            j -= 1
        wk.scratch.order[j] = cython.cast(cython.int, i)


ONE_ROW = cython.declare(cython.longlong, 1)
WORDS_A_ROW = cython.declare(cython.longlong, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_unit(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
               by_slot: cython.bint) -> cython.void:
    """Classes, rows that count once."""
    shift: cython.int = wk.table.shift
    mask: cython.uint = wk.table.label_mask
    row_mask: cython.uint = wk.table.row_mask
    i: cython.longlong
    entry: cython.uint
    if by_slot:
        for i in range(base, base + m):
            entry = cython.cast(cython.uint, wk.table.lists[i])
            wk.scratch.contingency[wk.scratch.table_row[wk.table.codes[which, entry & row_mask]],
                                   (entry >> shift) & mask] += 1
        return
    for i in range(base, base + m):
        entry = cython.cast(cython.uint, wk.table.lists[i])
        wk.scratch.contingency[wk.table.codes[which, entry & row_mask], (entry >> shift) & mask] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_weighted(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
                   by_slot: cython.bint) -> cython.void:
    """Classes, rows of any weight."""
    shift: cython.int = wk.table.shift
    mask: cython.uint = wk.table.label_mask
    row_mask: cython.uint = wk.table.row_mask
    i: cython.longlong
    entry: cython.uint
    if by_slot:
        for i in range(base, base + m):
            entry = cython.cast(cython.uint, wk.table.lists[i])
            wk.scratch.contingency[wk.scratch.table_row[wk.table.codes[which, entry & row_mask]],
                                   (entry >> shift) & mask] += (wk.table.weights[entry & row_mask])
        return
    for i in range(base, base + m):
        entry = cython.cast(cython.uint, wk.table.lists[i])
        wk.scratch.contingency[wk.table.codes[which, entry & row_mask],
                               (entry >> shift) & mask] += wk.table.weights[entry & row_mask]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_moments(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
                  by_slot: cython.bint) -> cython.void:
    """Numbers as target, rows that count once."""
    row_mask: cython.uint = wk.table.row_mask
    i: cython.longlong
    place: cython.longlong
    row: cython.uint
    if by_slot:
        for i in range(base, base + m):
            row = wk.table.lists[i] & row_mask
            place = wk.scratch.table_row[wk.table.codes[which, row]]
            wk.scratch.contingency[place, 0] += 1
            wk.scratch.contingency[place, 1] += wk.table.moments[row]
        return
    for i in range(base, base + m):
        row = wk.table.lists[i] & row_mask
        place = wk.table.codes[which, row]
        wk.scratch.contingency[place, 0] += 1
        wk.scratch.contingency[place, 1] += wk.table.moments[row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_present_codes(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong) -> cython.longlong:
    """Set scratch.offset to the codes that rows have: each is found once, and they are sorted."""
    n: cython.longlong = 0
    i: cython.longlong
    code: cython.int
    for i in range(base, base + m):
        code = wk.table.codes[which, wk.table.lists[i] & wk.table.row_mask]
        if wk.scratch.table_row[code] < 0:
            wk.scratch.table_row[code] = 0
            wk.scratch.key[n] = code
            n += 1
    sort_categories(wk, n)
    for i in range(n):
        wk.scratch.offset[i] = cython.cast(cython.longlong, wk.scratch.key[wk.scratch.order[i]])
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_present_codes(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
                       n_words: cython.longlong) -> cython.longlong:
    """The same: each code is marked by a bit of scratch.low_stats, 32 in a word, and the bits are read in order."""
    n: cython.longlong = 0
    i: cython.longlong
    v: cython.longlong
    code: cython.longlong
    bits: cython.longlong
    for i in range(n_words):
        wk.scratch.low_stats[i] = 0
    for i in range(base, base + m):
        code = cython.cast(cython.longlong, wk.table.codes[which, wk.table.lists[i] & wk.table.row_mask])
        wk.scratch.low_stats[code >> 5] |= ONE_ROW << (code & 31)
    for i in range(n_words):
        bits = cython.cast(cython.longlong, wk.scratch.low_stats[i])
        code = 32 * i
        while bits:
            if bits & 15:
                for v in range(code, code + 4):  # without a jump: each is written, and stays if it was met
                    wk.scratch.offset[n] = v
                    n += bits & 1
                    bits >>= 1
            else:
                bits >>= 4
            code += 4
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_present_codes(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Set scratch.offset to the codes of column f that rows have, rising, and scratch.table_row to the place of
    each; how many these are. The time depends on the rows, and not on how many categories there are.
    """
    n_words: cython.longlong = (wk.table.n_levels[f] >> 5) + 1
    n: cython.longlong
    i: cython.longlong
    if n_words < WORDS_A_ROW * m:
        n = mark_present_codes(wk, base, m, wk.table.category_of[f], n_words)
    else:
        n = sort_present_codes(wk, base, m, wk.table.category_of[f])
    for i in range(n):
        wk.scratch.table_row[wk.scratch.offset[i]] = cython.cast(cython.int, i)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_row(wk: Work, node: cython.longlong, n: cython.longlong, cell: cython.longlong,
             sums: cython.longlong) -> cython.longlong:
    """Copy the counts of a code into row n of the table; how many rows of the node have it."""
    rows: cython.longlong = 0
    k: cython.int
    if wk.table.n_classes == 0:
        wk.scratch.contingency[n, 0] = wk.coded.counts[cell]
        wk.scratch.contingency[n, 1] = wk.coded.sums[sums]
        return wk.scratch.contingency[n, 0]
    if wk.table.n_classes == 2:  # both are there, or the node would be a leaf
        wk.scratch.contingency[n, 0] = wk.coded.counts[cell]
        wk.scratch.contingency[n, 1] = wk.coded.counts[cell + 1]
        return wk.scratch.contingency[n, 0] + wk.scratch.contingency[n, 1]
    for k in range(wk.table.n_classes):
        wk.scratch.contingency[n, k] = 0
        if wk.draft.stats[node, k] > 0:  # only these have a number in a small node
            wk.scratch.contingency[n, k] = wk.coded.counts[cell + wk.coded.class_of[k]]
            rows += wk.scratch.contingency[n, k]
    return rows


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def unpack_table(wk: Work, node: cython.longlong, f: cython.longlong, n: cython.longlong) -> cython.longlong:
    """Fill the table for column f from the n codes that `pack_column` has counted; n."""
    j: cython.longlong
    k: cython.int
    word: cython.ulonglong
    for j in range(n):
        word = cython.cast(cython.ulonglong, wk.coded.packed_present[j])
        for k in range(wk.table.n_classes):
            wk.scratch.contingency[j, k] = 0
            if wk.draft.stats[node, k] > 0:  # only these have a byte
                wk.scratch.contingency[j, k] = cython.cast(cython.longlong, (word >> (wk.coded.class_of[k] << 3)) & 255)
        wk.scratch.table_rows[j] = cython.cast(cython.longlong, ((word * ONES) >> 56) & 255)
        wk.candidates.codes[wk.candidates.first_code[f] + j] = wk.coded.present[j]
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_coded(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Fill the table for column f; the number of categories present."""
    p: cython.longlong = wk.table.coded_of[f]
    small: cython.bint = wk.draft.rows[node] < wk.coded.least_kept
    slot: cython.longlong = wk.draft.histogram[node]
    n_codes: cython.longlong = wk.coded.n_codes[p]
    n: cython.longlong = 0
    j: cython.longlong
    v: cython.int
    at: cython.longlong
    sums: cython.longlong
    if slot < 0:
        slot = wk.coded.zero_slot if small else wk.coded.spare_slot
    at = slot * wk.coded.n_cells * wk.coded.width + wk.coded.first_cell[p] * wk.coded.n_classes
    sums = slot * wk.coded.n_cells + wk.coded.first_cell[p]
    if small and is_packed(wk, p):
        return unpack_table(wk, node, f, pack_column(wk, p, wk.draft.rows[node]))
    if small:
        n_codes = count_column(wk, p, wk.draft.rows[node], at, sums)
    for j in range(n_codes):
        v = wk.coded.present[j]
        wk.scratch.table_rows[n] = fill_row(wk, node, n, at + v * wk.coded.n_classes, sums + v)
        if wk.scratch.table_rows[n] > 0:
            wk.candidates.codes[wk.candidates.first_code[f] + n] = v
            n += 1
    if small:
        clear_column_counts(wk, at, sums, n_codes)
    return n


LEVEL = cython.declare(cython.double, 1e-9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def level_keys(wk: Work, n: cython.longlong) -> cython.void:
    """Fractional rows are rounded, so proportions or means that should be equal may not be: make those within 1e-9
    equal.
    """
    grid: cython.double = LEVEL
    v: cython.longlong
    if wk.plan.missing != FRACTIONAL:
        return
    if wk.plan.criterion == SQUARED_ERROR:
        grid *= sqrt(wk.search.tie_scale) / wk.table.y_unit
    elif wk.plan.criterion == ABSOLUTE_ERROR or wk.plan.criterion == POISSON:
        grid *= wk.search.tie_scale / wk.table.y_unit
    for v in range(n):
        wk.scratch.key[v] = floor(wk.scratch.key[v] / grid + 0.5)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear(wk: Work, n: cython.longlong) -> cython.void:
    i: cython.longlong
    k: cython.int
    for i in range(n):
        wk.scratch.table_rows[i] = 0
        for k in range(wk.table.width):
            wk.scratch.contingency[i, k] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong, n: cython.longlong,
          by_slot: cython.bint) -> cython.void:
    """Fill n rows of the table, and the rows of each, from the node's m entries."""
    codes: cython.longlong = wk.table.category_of[f]
    place: cython.longlong
    row: cython.longlong
    i: cython.longlong
    clear(wk, n)
    if wk.table.n_classes == 0 and not wk.table.weighted:
        count_moments(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.scratch.table_rows[i] = wk.scratch.contingency[i, 0]
    elif wk.table.label_mask and not wk.table.weighted:
        count_unit(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.scratch.table_rows[i] = weight_of(wk.scratch.contingency, i, wk.table.n_classes, wk.plan.criterion)
    elif wk.table.label_mask and wk.plan.count_weight:  # no more is needed than whether there are rows
        count_weighted(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.scratch.table_rows[i] = weight_of(wk.scratch.contingency, i, wk.table.n_classes, wk.plan.criterion) > 0
    else:
        for i in range(base, base + m):
            row = wk.table.lists[i] & wk.table.row_mask
            place = wk.table.codes[codes, row]
            if by_slot:
                place = wk.scratch.table_row[place]
            wk.scratch.table_rows[place] += rows_at(wk, row)
            add_row(wk, wk.scratch.contingency, place, row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_few(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The table of a column with few categories for the node's size: by code, then closed up."""
    n_levels: cython.longlong = wk.table.n_levels[f] + wk.table.missing_in[f]  # missing is the last one
    first: cython.longlong = wk.candidates.first_code[f]
    n: cython.longlong = 0
    i: cython.longlong
    k: cython.int
    count(wk, base, m, f, n_levels, False)
    for i in range(n_levels):
        if wk.scratch.table_rows[i] == 0:
            continue
        wk.candidates.codes[first + n] = cython.cast(cython.int, i)
        if n < i:
            wk.scratch.table_rows[n] = wk.scratch.table_rows[i]
            for k in range(wk.table.width):
                wk.scratch.contingency[n, k] = wk.scratch.contingency[i, k]
        n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_many(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The table of a column with many categories: those present are found first."""
    first: cython.longlong = wk.candidates.first_code[f]
    n: cython.longlong = list_present_codes(wk, base, m, f)
    i: cython.longlong
    for i in range(n):
        wk.candidates.codes[first + i] = cython.cast(cython.int, wk.scratch.offset[i])
    count(wk, base, m, f, n, True)
    for i in range(n):
        wk.scratch.table_row[wk.candidates.codes[first + i]] = -1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def moments_to_losses(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong,
                      n: cython.longlong) -> cython.void:
    """Absolute error: replace each category's moment by its loss; the rows are sorted by y."""
    codes: cython.longlong = wk.table.category_of[f]
    first: cython.longlong = wk.candidates.first_code[f]
    i: cython.longlong
    v: cython.longlong
    row: cython.longlong
    for v in range(n):
        wk.scratch.table_row[wk.candidates.codes[first + v]] = cython.cast(cython.int, v)
        wk.scratch.contingency[v, 1] = 0
        wk.scratch.offset[v] = 0
        wk.scratch.value_rank[v] = 0
        wk.scratch.value_weight[v] = 0
        wk.scratch.value_moment[v] = 0
    for i in range(m):
        row = wk.table.lists[base + i] & wk.table.row_mask
        v = wk.scratch.table_row[wk.table.codes[codes, row]]
        if wk.scratch.value_rank[v] != wk.scratch.rank[row]:
            add_value(wk, v)
            wk.scratch.value_rank[v] = wk.scratch.rank[row]
        wk.scratch.value_weight[v] += wk.table.weights[row] if wk.table.weighted else 1
        wk.scratch.value_moment[v] += wk.table.moments[row]
    for v in range(n):
        add_value(wk, v)
        wk.scratch.table_row[wk.candidates.codes[first + v]] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_value(wk: Work, v: cython.longlong) -> cython.void:
    """Add the loss of a category's rows of one target value, gathered in scratch.value_*, and begin the next."""
    wk.scratch.contingency[v, 1] += loss_of_value(wk.scratch.value_moment[v], wk.scratch.value_weight[v],
                                                  wk.scratch.contingency[v, 0] - 2 * wk.scratch.offset[v])
    wk.scratch.offset[v] += wk.scratch.value_weight[v]
    wk.scratch.value_weight[v] = 0
    wk.scratch.value_moment[v] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Fill the table for column f; the number of categories present. Missing counts as one, and is the last.

    Squared error: moments are counted from the node's mean. Absolute error: losses take their place, and scratch.key
    keeps the means.
    """
    m: cython.longlong = wk.table.n_listed if wk.table.has_row_counts else wk.draft.rows[node]
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    n: cython.longlong
    v: cython.longlong
    centre: cython.longlong
    if wk.table.coded_of[f] >= 0:
        n = tabulate_coded(wk, node, f)
    elif wk.table.n_levels[f] <= 2 * m + 16:
        n = tabulate_few(wk, base, m, f)
    else:
        n = tabulate_many(wk, base, m, f)
    if wk.plan.criterion == SQUARED_ERROR:
        centre = centre_of(wk.draft.stats[node, 1], wk.draft.stats[node, 0])
        for v in range(n):
            wk.scratch.contingency[v, 1] -= centre * wk.scratch.contingency[v, 0]
    elif wk.plan.criterion == ABSOLUTE_ERROR:
        for v in range(n):
            wk.scratch.key[v] = mean_of(wk.scratch.contingency[v, 1], wk.scratch.contingency[v, 0])
        level_keys(wk, n)
        moments_to_losses(wk, base, m, f, n)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_each(wk: Work, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """A branch for each category present; whether at least two reach the leaf minimum."""
    first: cython.longlong = wk.candidates.first_code[f]
    reached: cython.longlong = 0
    v: cython.longlong
    for v in range(n):
        wk.candidates.branches[first + v] = cython.cast(cython.int, v)
        if large_enough(wk, wk.scratch.table_rows[v],
                        weight_of(wk.scratch.contingency, v, wk.table.n_classes, wk.plan.criterion)):
            reached += 1
    wk.candidates.n_branches[f] = n
    return reached >= 2
