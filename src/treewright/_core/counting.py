"""Rows of a node -> a table of stats by category: the loops that touch every row, with nothing in them but the table.

In: the node's entries and the codes of a column. Out: a row of `table` for each code, or, where the column has more
codes than the node has rows, for each place that `slot` gives a code.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.ordering import sort_categories
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.ordering import sort_categories
    from treewright._core.work import Work

ONE = cython.declare(cython.longlong, 1)
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
        wk.left[code >> 5] |= ONE << (code & 31)
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
