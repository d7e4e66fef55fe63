"""A category column of one node -> its contingency table, and a branch for each value.

In: the rows of the node and their codes, or the histogram of a coded column. Out: `wk.table`, a row of stats
for each category present, in order of code; the codes are in the column's part of wk.c_code. The time is
linear in the rows of the node, however many categories the column has elsewhere.
"""

import cython

if not cython.compiled:
    from math import floor, sqrt

    from treewright._core.codes import ABSOLUTE_ERROR, FRACTIONAL, SQUARED_ERROR
    from treewright._core.grow.cuts_small_histogram import ONES, is_packed, pack_column
    from treewright._core.grow.histograms import count_column, forget
    from treewright._core.grow.impurity import centre_of, mean_of, weight_of
    from treewright._core.grow.node import add_row, large_enough, loss_of_value
    from treewright._core.grow.workspace import Work
    from treewright._core.short_sort import sort_by_key

FEW = cython.declare(cython.longlong, 16)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_categories(wk: Work, n: cython.longlong) -> cython.void:
    """Set wk.order[:n] to 0 .. n - 1 sorted by (wk.key, number); a few, as most nodes have, without a call."""
    i: cython.longlong
    j: cython.longlong
    x: cython.double
    if n > FEW:
        sort_by_key(wk.key, wk.order, wk.into, n)
        return
    for i in range(n):
        x = wk.key[i]
        j = i
        while j > 0 and wk.key[wk.order[j - 1]] > x:
            wk.order[j] = wk.order[j - 1]
            j -= 1
        wk.order[j] = cython.cast(cython.int, i)


ONE_ROW = cython.declare(cython.longlong, 1)
WORDS_A_ROW = cython.declare(cython.longlong, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_unit(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
               by_slot: cython.bint) -> cython.void:
    """Classes, rows that count once."""
    shift: cython.int = wk.shift
    mask: cython.uint = wk.label_mask
    row_mask: cython.uint = wk.row_mask
    i: cython.longlong
    entry: cython.uint
    if by_slot:
        for i in range(base, base + m):
            entry = cython.cast(cython.uint, wk.lists[i])
            wk.table[wk.slot[wk.codes[which, entry & row_mask]], (entry >> shift) & mask] += 1
        return
    for i in range(base, base + m):
        entry = cython.cast(cython.uint, wk.lists[i])
        wk.table[wk.codes[which, entry & row_mask], (entry >> shift) & mask] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_weighted(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
                   by_slot: cython.bint) -> cython.void:
    """Classes, rows of any weight."""
    shift: cython.int = wk.shift
    mask: cython.uint = wk.label_mask
    row_mask: cython.uint = wk.row_mask
    i: cython.longlong
    entry: cython.uint
    if by_slot:
        for i in range(base, base + m):
            entry = cython.cast(cython.uint, wk.lists[i])
            wk.table[wk.slot[wk.codes[which, entry & row_mask]], (entry >> shift) & mask] += (
                wk.weights[entry & row_mask])
        return
    for i in range(base, base + m):
        entry = cython.cast(cython.uint, wk.lists[i])
        wk.table[wk.codes[which, entry & row_mask], (entry >> shift) & mask] += wk.weights[entry & row_mask]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_moments(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
                  by_slot: cython.bint) -> cython.void:
    """Numbers as target, rows that count once."""
    row_mask: cython.uint = wk.row_mask
    i: cython.longlong
    place: cython.longlong
    row: cython.uint
    if by_slot:
        for i in range(base, base + m):
            row = wk.lists[i] & row_mask
            place = wk.slot[wk.codes[which, row]]
            wk.table[place, 0] += 1
            wk.table[place, 1] += wk.moments[row]
        return
    for i in range(base, base + m):
        row = wk.lists[i] & row_mask
        place = wk.codes[which, row]
        wk.table[place, 0] += 1
        wk.table[place, 1] += wk.moments[row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sort_codes_met(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong) -> cython.longlong:
    """Set wk.offset to the codes that rows have: each is found once, and they are sorted."""
    n: cython.longlong = 0
    i: cython.longlong
    code: cython.int
    for i in range(base, base + m):
        code = wk.codes[which, wk.lists[i] & wk.row_mask]
        if wk.slot[code] < 0:
            wk.slot[code] = 0
            wk.key[n] = code
            n += 1
    sort_categories(wk, n)
    for i in range(n):
        wk.offset[i] = cython.cast(cython.longlong, wk.key[wk.order[i]])
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_codes_met(wk: Work, base: cython.longlong, m: cython.longlong, which: cython.longlong,
                   n_words: cython.longlong) -> cython.longlong:
    """The same: each code is marked by a bit of wk.left, 32 in a word, and the bits are read in order."""
    n: cython.longlong = 0
    i: cython.longlong
    v: cython.longlong
    code: cython.longlong
    bits: cython.longlong
    for i in range(n_words):
        wk.left[i] = 0
    for i in range(base, base + m):
        code = cython.cast(cython.longlong, wk.codes[which, wk.lists[i] & wk.row_mask])
        wk.left[code >> 5] |= ONE_ROW << (code & 31)
    for i in range(n_words):
        bits = cython.cast(cython.longlong, wk.left[i])
        code = 32 * i
        while bits:
            if bits & 15:
                for v in range(code, code + 4):  # without a jump: each is written, and stays if it was met
                    wk.offset[n] = v
                    n += bits & 1
                    bits >>= 1
            else:
                bits >>= 4
            code += 4
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_codes_met(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Set wk.offset to the codes of column f that rows have, rising, and wk.slot to the place of each; how many these
    are. The time depends on the rows, and not on how many categories there are.
    """
    n_words: cython.longlong = (wk.n_levels[f] >> 5) + 1
    n: cython.longlong
    i: cython.longlong
    if n_words < WORDS_A_ROW * m:
        n = mark_codes_met(wk, base, m, wk.code_of[f], n_words)
    else:
        n = sort_codes_met(wk, base, m, wk.code_of[f])
    for i in range(n):
        wk.slot[wk.offset[i]] = cython.cast(cython.int, i)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_row(wk: Work, node: cython.longlong, n: cython.longlong, cell: cython.longlong,
             sums: cython.longlong) -> cython.longlong:
    """Copy the counts of a code into row n of the table; how many rows of the node have it."""
    rows: cython.longlong = 0
    k: cython.int
    if wk.n_classes == 0:
        wk.table[n, 0] = wk.coded.counts[cell]
        wk.table[n, 1] = wk.coded.sums[sums]
        return wk.table[n, 0]
    if wk.n_classes == 2:  # both are there, or the node would be a leaf
        wk.table[n, 0] = wk.coded.counts[cell]
        wk.table[n, 1] = wk.coded.counts[cell + 1]
        return wk.table[n, 0] + wk.table[n, 1]
    for k in range(wk.n_classes):
        wk.table[n, k] = 0
        if wk.stats[node, k] > 0:  # only these have a number in a small node
            wk.table[n, k] = wk.coded.counts[cell + wk.coded.kind_of[k]]
            rows += wk.table[n, k]
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
        word = cython.cast(cython.ulonglong, wk.coded.held[j])
        for k in range(wk.n_classes):
            wk.table[j, k] = 0
            if wk.stats[node, k] > 0:  # only these have a byte
                wk.table[j, k] = cython.cast(cython.longlong, (word >> (wk.coded.kind_of[k] << 3)) & 255)
        wk.table_rows[j] = cython.cast(cython.longlong, ((word * ONES) >> 56) & 255)
        wk.c_code[wk.level_start[f] + j] = wk.coded.code[j]
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_coded(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Fill the table for column f; the number of categories present."""
    p: cython.longlong = wk.byte_of[f]
    small: cython.bint = wk.rows[node] < wk.coded.least
    slot: cython.longlong = wk.tally[node]
    n_codes: cython.longlong = wk.coded.n_codes[p]
    n: cython.longlong = 0
    j: cython.longlong
    v: cython.int
    at: cython.longlong
    sums: cython.longlong
    if slot < 0:
        slot = wk.coded.blank if small else wk.coded.own
    at = slot * wk.coded.n_cells * wk.coded.width + wk.coded.first[p] * wk.coded.n_kinds
    sums = slot * wk.coded.n_cells + wk.coded.first[p]
    if small and is_packed(wk, p):
        return unpack_table(wk, node, f, pack_column(wk, p, wk.rows[node]))
    if small:
        n_codes = count_column(wk, p, wk.rows[node], at, sums)
    for j in range(n_codes):
        v = wk.coded.code[j]
        wk.table_rows[n] = fill_row(wk, node, n, at + v * wk.coded.n_kinds, sums + v)
        if wk.table_rows[n] > 0:
            wk.c_code[wk.level_start[f] + n] = v
            n += 1
    if small:
        forget(wk, at, sums, n_codes)
    return n


LEVEL = cython.declare(cython.double, 1e-9)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def level_keys(wk: Work, n: cython.longlong) -> cython.void:
    """Shared rows are rounded, so shares or means that should be equal may not be: make those within 1e-9 equal."""
    grid: cython.double = LEVEL
    v: cython.longlong
    if wk.missing != FRACTIONAL:
        return
    if wk.criterion == SQUARED_ERROR:
        grid *= sqrt(wk.tie_scale) / wk.y_unit
    elif wk.criterion == ABSOLUTE_ERROR:
        grid *= wk.tie_scale / wk.y_unit
    for v in range(n):
        wk.key[v] = floor(wk.key[v] / grid + 0.5)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear(wk: Work, n: cython.longlong) -> cython.void:
    i: cython.longlong
    k: cython.int
    for i in range(n):
        wk.table_rows[i] = 0
        for k in range(wk.width):
            wk.table[i, k] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong, n: cython.longlong,
          by_slot: cython.bint) -> cython.void:
    """Fill n rows of the table, and the rows of each, from the node's m entries."""
    codes: cython.longlong = wk.code_of[f]
    place: cython.longlong
    row: cython.longlong
    i: cython.longlong
    clear(wk, n)
    if wk.n_classes == 0 and not wk.weighted:
        count_moments(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.table_rows[i] = wk.table[i, 0]
    elif wk.label_mask and not wk.weighted:
        count_unit(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.table_rows[i] = weight_of(wk.table, i, wk.n_classes, wk.criterion)
    elif wk.label_mask and wk.count_weight:  # nobody asks for more than whether there are rows
        count_weighted(wk, base, m, codes, by_slot)
        for i in range(n):
            wk.table_rows[i] = weight_of(wk.table, i, wk.n_classes, wk.criterion) > 0
    else:
        for i in range(base, base + m):
            row = wk.lists[i] & wk.row_mask
            place = wk.codes[codes, row]
            if by_slot:
                place = wk.slot[place]
            wk.table_rows[place] += 1
            add_row(wk, wk.table, place, row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_few(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The table of a column with few categories for the node's size: by code, then closed up."""
    n_levels: cython.longlong = wk.n_levels[f] + wk.holes[f]  # missing is the last one
    first: cython.longlong = wk.level_start[f]
    n: cython.longlong = 0
    i: cython.longlong
    k: cython.int
    count(wk, base, m, f, n_levels, False)
    for i in range(n_levels):
        if wk.table_rows[i] == 0:
            continue
        wk.c_code[first + n] = cython.cast(cython.int, i)
        if n < i:
            wk.table_rows[n] = wk.table_rows[i]
            for k in range(wk.width):
                wk.table[n, k] = wk.table[i, k]
        n += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate_many(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong) -> cython.longlong:
    """The table of a column with many categories: those present are found first."""
    first: cython.longlong = wk.level_start[f]
    n: cython.longlong = list_codes_met(wk, base, m, f)
    i: cython.longlong
    for i in range(n):
        wk.c_code[first + i] = cython.cast(cython.int, wk.offset[i])
    count(wk, base, m, f, n, True)
    for i in range(n):
        wk.slot[wk.c_code[first + i]] = -1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def moments_to_losses(wk: Work, base: cython.longlong, m: cython.longlong, f: cython.longlong,
                      n: cython.longlong) -> cython.void:
    """Absolute error: replace each category's moment by its loss; the rows stand in order of y."""
    codes: cython.longlong = wk.code_of[f]
    first: cython.longlong = wk.level_start[f]
    i: cython.longlong
    v: cython.longlong
    row: cython.longlong
    for v in range(n):
        wk.slot[wk.c_code[first + v]] = cython.cast(cython.int, v)
        wk.table[v, 1] = 0
        wk.offset[v] = 0
        wk.value_rank[v] = 0
        wk.value_weight[v] = 0
        wk.value_moment[v] = 0
    for i in range(m):
        row = wk.lists[base + i] & wk.row_mask
        v = wk.slot[wk.codes[codes, row]]
        if wk.value_rank[v] != wk.rank[row]:
            add_value(wk, v)
            wk.value_rank[v] = wk.rank[row]
        wk.value_weight[v] += wk.weights[row] if wk.weighted else 1
        wk.value_moment[v] += wk.moments[row]
    for v in range(n):
        add_value(wk, v)
        wk.slot[wk.c_code[first + v]] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_value(wk: Work, v: cython.longlong) -> cython.void:
    """Add the loss of a category's rows of one target value, gathered in wk.value_*, and begin the next."""
    wk.table[v, 1] += loss_of_value(wk.value_moment[v], wk.value_weight[v], wk.table[v, 0] - 2 * wk.offset[v])
    wk.offset[v] += wk.value_weight[v]
    wk.value_weight[v] = 0
    wk.value_moment[v] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def tabulate(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.longlong:
    """Fill the table for column f; the number of categories present. Missing counts as one, and is the last.

    Squared error: moments are counted from the node's mean. Absolute error: losses take their place, and wk.key
    keeps the means.
    """
    m: cython.longlong = wk.rows[node]
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    n: cython.longlong
    v: cython.longlong
    centre: cython.longlong
    if wk.byte_of[f] >= 0:
        n = tabulate_coded(wk, node, f)
    elif wk.n_levels[f] <= 2 * m + 16:
        n = tabulate_few(wk, base, m, f)
    else:
        n = tabulate_many(wk, base, m, f)
    if wk.criterion == SQUARED_ERROR:
        centre = centre_of(wk.stats[node, 1], wk.stats[node, 0])
        for v in range(n):
            wk.table[v, 1] -= centre * wk.table[v, 0]
    elif wk.criterion == ABSOLUTE_ERROR:
        for v in range(n):
            wk.key[v] = mean_of(wk.table[v, 1], wk.table[v, 0])
        level_keys(wk, n)
        moments_to_losses(wk, base, m, f, n)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def branch_each(wk: Work, f: cython.longlong, n: cython.longlong) -> cython.bint:
    """A branch for each category present; whether at least two reach the leaf minimum."""
    first: cython.longlong = wk.level_start[f]
    reached: cython.longlong = 0
    v: cython.longlong
    for v in range(n):
        wk.c_branch[first + v] = cython.cast(cython.int, v)
        if large_enough(wk, wk.table_rows[v], weight_of(wk.table, v, wk.n_classes, wk.criterion)):
            reached += 1
    wk.c_branches[f] = n
    return reached >= 2
