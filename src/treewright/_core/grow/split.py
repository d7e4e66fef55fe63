"""The chosen candidate -> a split in the draft -> child nodes.

In: a node and the column chosen for it. Out: its split and its children in the draft, with their stats, and
its lists of entries partitioned. Rows that are missing on the split's column, the strays, go where the plan
says.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import (
        BRANCH,
        EACH,
        FLAG,
        FRACTIONAL,
        GREEDY,
        HEAVIEST,
        IS_MISSING,
        LEARNED,
        LEAST_LOSS,
        MISSING_LOW,
        STOP,
        TABLE,
        THIRD,
        THRESHOLD,
    )
    from treewright._core.grow.coded_numbers import close_slots, note_code_cut, open_slots, part_by_code
    from treewright._core.grow.fractional_weights import share_strays
    from treewright._core.grow.histograms import pass_on, share_tally
    from treewright._core.grow.impurity import weight_of
    from treewright._core.grow.monotone import bound_children
    from treewright._core.grow.node import add_to_node, is_closed, measure, new_node
    from treewright._core.grow.numbers import settle_gain
    from treewright._core.grow.partition import (
        send_labels,
        send_moments,
        split_in_many,
        split_in_two,
        split_rows,
        split_shared,
    )
    from treewright._core.grow.surrogates import note_surrogates, send_strays
    from treewright._core.grow.workspace import Work

MAX_EMPTY = cython.declare(cython.longlong, 256)
NO_ROW = cython.declare(cython.longlong, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_table(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the category table of column f's candidate behind the pool."""
    first: cython.longlong = wk.level_start[f]
    present: cython.longlong = wk.c_present[f]
    absent: cython.longlong = wk.n_levels[f] - present
    tests: cython.bint = wk.c_way[f] == IS_MISSING
    i: cython.longlong
    wk.kind[node] = TABLE
    wk.table_start[node] = wk.n_pool
    wk.n_children[node] = 1 if tests else wk.c_branches[f]
    wk.other[node] = HEAVIEST
    if wk.c_style[f] == EACH and absent <= MAX_EMPTY and not tests:
        wk.table_len[node] = wk.n_levels[f]
        wk.n_children[node] = wk.n_levels[f]
        for i in range(wk.n_levels[f]):
            wk.pool_code[wk.n_pool + i] = cython.cast(cython.int, i)
            wk.pool_branch[wk.n_pool + i] = cython.cast(cython.int, i)
        if wk.c_missing_branch[f] >= 0:
            wk.missing_branch[node] = wk.c_code[first + wk.c_missing_branch[f]]
    else:
        wk.table_len[node] = present
        for i in range(present):
            wk.pool_code[wk.n_pool + i] = wk.c_code[first + i]
            wk.pool_branch[wk.n_pool + i] = 0 if tests else wk.c_branch[first + i]
        if wk.c_missing_branch[f] >= 0:
            wk.missing_branch[node] = wk.c_missing_branch[f]
        if absent > 0 and not tests and (
                wk.c_style[f] == EACH or wk.c_style[f] == GREEDY or wk.c_style[f] == LEAST_LOSS):
            if not (wk.c_style[f] == GREEDY and wk.c_extra[f]):
                wk.n_children[node] += 1
            wk.other[node] = cython.cast(cython.int, wk.n_children[node] - 1)
    wk.n_pool += wk.table_len[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_cut(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note the cut of column f's candidate; one that only tells missing from known has no rows on its two sides."""
    base: cython.longlong = wk.list_of[f] * wk.stride + wk.start[node] + wk.c_pos[f]
    wk.kind[node] = THRESHOLD
    wk.n_children[node] = 2
    if wk.c_way[f] == IS_MISSING:
        wk.n_children[node] = 1
        wk.low_row[node] = NO_ROW
        wk.high_row[node] = NO_ROW
        wk.split_rows[node] = wk.rows[node] - wk.c_missing[f]
        return
    wk.low_row[node] = wk.lists[base] & wk.row_mask
    wk.high_row[node] = wk.lists[base + 1] & wk.row_mask
    wk.split_rows[node] = wk.c_pos[f] + 1
    if wk.c_missing[f] > 0:
        if wk.c_way[f] == MISSING_LOW:
            wk.missing_branch[node] = 0
        else:
            wk.missing_branch[node] = 1
    if wk.renamed:
        wk.low_row[node] = wk.origin[wk.low_row[node]]
        wk.high_row[node] = wk.origin[wk.high_row[node]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_split(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note column f's candidate as the node's split. It has no children yet."""
    settle_gain(wk, node, f)
    wk.column[node] = cython.cast(cython.int, f)
    wk.gain[node] = wk.c_gain[f]
    wk.merit[node] = wk.c_merit[f]
    wk.n_missing[node] = wk.c_missing[f]
    if wk.code_of[f] >= 0:
        note_table(wk, node, f)
    elif wk.byte_of[f] >= 0:
        note_code_cut(wk, node, f)
    else:
        note_cut(wk, node, f)
    if wk.c_way[f] == THIRD or wk.c_way[f] == IS_MISSING:
        wk.missing_branch[node] = cython.cast(cython.int, wk.n_children[node])
        wk.n_children[node] += 1
    elif wk.c_missing[f] == 0 or (wk.missing != LEARNED and wk.missing != BRANCH):
        wk.missing_branch[node] = HEAVIEST


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def two_sides(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether every row takes one of two branches, or both: the branch of a row is then in wk.side, with 2 for both,
    else in wk.wide_side.
    """
    return wk.n_children[node] == 2 and not (wk.n_missing[node] > 0 and wk.missing == STOP)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_side(wk: Work, node: cython.longlong, row: cython.longlong, b: cython.int) -> cython.void:
    if two_sides(wk, node):
        wk.side[row] = b
    else:
        wk.wide_side[row] = b


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_labels(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, shift: cython.int,
                 mask: cython.uint, stats: cython.longlong[:, ::1], node: cython.longlong) -> cython.void:
    """Classes, rows that count once: the hot case, from packed labels."""
    i: cython.longlong
    for i in range(base, base + m):
        stats[node, (entries[i] >> shift) & mask] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sum_moments(wk: Work, base: cython.longlong, m: cython.longlong) -> cython.longlong:
    """Numbers, rows that count once."""
    total: cython.longlong = 0
    i: cython.longlong
    for i in range(base, base + m):
        total += wk.moments[wk.lists[i] & wk.row_mask]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_entry(wk: Work, node: cython.longlong, entry: cython.uint) -> cython.void:
    """Count an entry in a node: the same as add_to_node, quicker where the label is in the entry."""
    row: cython.longlong = entry & wk.row_mask
    weight: cython.longlong
    if not wk.label_mask:
        add_to_node(wk, node, row)
        return
    weight = wk.weights[row] if wk.weighted else 1
    wk.rows[node] += 1
    wk.weight[node] += weight
    wk.stats[node, (entry >> wk.shift) & wk.label_mask] += weight


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_by_cut(wk: Work, child: cython.longlong, base: cython.longlong, n: cython.longlong) -> cython.void:
    """Count n entries in a child."""
    i: cython.longlong
    if wk.weighted or not (wk.label_mask or wk.n_classes == 0):
        for i in range(n):
            add_entry(wk, child, wk.lists[base + i])
        return
    wk.rows[child] = n
    wk.weight[child] = n
    if wk.n_classes > 0:
        count_labels(wk.lists, base, n, wk.shift, wk.label_mask, wk.stats, child)
    else:
        wk.stats[child, 0] = n
        wk.stats[child, 1] = sum_moments(wk, base, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_by_cut(wk: Work, node: cython.longlong) -> cython.void:
    """Set the side of every known row by the cut, and the stats of the children; the others become strays."""
    base: cython.longlong = wk.list_of[wk.column[node]] * wk.stride + wk.start[node]
    child: cython.longlong = wk.first_child[node]
    n_low: cython.longlong = wk.split_rows[node]
    known: cython.longlong = wk.rows[node] - wk.n_missing[node]
    i: cython.longlong
    k: cython.int
    if two_sides(wk, node):
        for i in range(known):
            wk.side[wk.lists[base + i] & wk.row_mask] = i >= n_low
    else:
        for i in range(known):
            wk.wide_side[wk.lists[base + i] & wk.row_mask] = i >= n_low
    fill_by_cut(wk, child, base, n_low)
    if wk.n_missing[node] > 0:
        if n_low < known:
            fill_by_cut(wk, child + 1, base + n_low, known - n_low)
        for i in range(known, wk.rows[node]):
            wk.strays[i - known] = wk.lists[base + i] & wk.row_mask
        return
    wk.lists[base + n_low] |= FLAG  # this list is not shared out: it is in order already
    wk.rows[child + 1] = wk.rows[node] - n_low
    wk.weight[child + 1] = wk.weight[node] - wk.weight[child]
    for k in range(wk.width):
        wk.stats[child + 1, k] = wk.stats[node, k] - wk.stats[child, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_in_two(wk: Work, node: cython.longlong, base: cython.longlong, codes: cython.longlong) -> cython.longlong:
    """Rows that count once and take one of two branches: the same as sides_by_table; how many are strays."""
    child: cython.longlong = wk.first_child[node]
    strays: cython.longlong
    b: cython.longlong
    if wk.n_classes > 0:
        strays = send_labels(wk.lists, base, wk.row_mask, wk.n_classes, wk.codes, codes, wk.slot, wk.side, wk.strays,
                             wk.stats, node, child)
    else:
        strays = send_moments(wk.lists, base, wk.rows[node], wk.row_mask, wk.moments, wk.codes, codes, wk.slot,
                              wk.side, wk.strays, wk.stats, child)
    for b in range(child, child + 2):
        wk.weight[b] = weight_of(wk.stats, b, wk.n_classes, wk.criterion)
        wk.rows[b] = wk.weight[b]
    return strays


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_by_table(wk: Work, node: cython.longlong) -> cython.void:
    """Set the side of every known row by its category, and the stats of the children; the others become strays."""
    base: cython.longlong = (wk.n_lists - 1) * wk.stride + wk.start[node]
    codes: cython.longlong = wk.code_of[wk.column[node]]
    child: cython.longlong = wk.first_child[node]
    p: cython.longlong = wk.byte_of[wk.column[node]]
    two: cython.bint = two_sides(wk, node)
    strays: cython.longlong = 0
    i: cython.longlong
    b: cython.int
    row: cython.longlong
    open_slots(wk, node)
    if two and not wk.weighted and (wk.label_mask or wk.n_classes == 0):
        strays = send_in_two(wk, node, base, codes)
    else:
        for i in range(wk.rows[node]):
            row = wk.lists[base + i] & wk.row_mask
            b = wk.slot[wk.coded.codes[row, p] if p >= 0 else wk.codes[codes, row]]
            if b < 0:
                wk.strays[strays] = cython.cast(cython.uint, row)
                strays += 1
                continue
            if two:
                wk.side[row] = b
            else:
                wk.wide_side[row] = b
            add_entry(wk, child + b, wk.lists[base + i])
    wk.n_missing[node] = strays
    close_slots(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_strays(wk: Work, node: cython.longlong) -> cython.void:
    """Send the rows that are missing on the split's column where the plan says."""
    i: cython.longlong
    row: cython.longlong
    if wk.max_surrogates > 0:
        for i in range(wk.n_missing[node]):
            wk.side[wk.strays[i]] = 2
        note_surrogates(wk, node)
        send_strays(wk, node)
    elif wk.missing == FRACTIONAL and wk.n_missing[node] > 0:
        share_strays(wk, node)
    elif wk.missing == STOP:
        for i in range(wk.n_missing[node]):
            wk.wide_side[wk.strays[i]] = cython.cast(cython.int, wk.n_children[node])
    else:
        for i in range(wk.n_missing[node]):
            row = wk.strays[i]
            set_side(wk, node, row, wk.missing_branch[node])
            add_to_node(wk, wk.first_child[node] + wk.missing_branch[node], row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_list(wk: Work, node: cython.longlong, which: cython.longlong) -> cython.void:
    """Share one list's entries out among the children."""
    base: cython.longlong = which * wk.stride + wk.start[node]
    if wk.n_children[node] == 2 and wk.n_missing[node] > 0 and wk.missing == FRACTIONAL:
        split_shared(wk, which, node, wk.lists, wk.side, wk.buffer)
    elif two_sides(wk, node) and which == wk.n_lists - 1:
        split_rows(wk.lists, base, wk.rows[node], wk.row_mask, wk.side, wk.buffer)
    elif two_sides(wk, node):
        split_in_two(wk, base, wk.rows[node])
    else:
        split_in_many(wk, which, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_out(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Share the lists of the live columns low to high - 1 out among the children.

    The split's own list is in order already, if no row is missing. Lists of columns with one value left are never
    read again.
    """
    f: cython.longlong
    i: cython.longlong
    for i in range(wk.alive_start[node] + low, wk.alive_start[node] + high):
        f = wk.alive[i]
        if wk.list_of[f] >= 0 and (f != wk.column[node] or wk.n_missing[node] > 0):
            share_list(wk, node, wk.list_of[f])
    if wk.has_coded:
        share_tally(wk, node, low, high)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def name_heaviest(wk: Work, node: cython.longlong) -> cython.void:
    """The heavier branch, by known weight, for categories that were not met and for missing values."""
    child: cython.longlong = wk.first_child[node]
    heaviest: cython.longlong = 0
    b: cython.longlong
    for b in range(wk.n_children[node]):
        if wk.weight[child + b] > wk.weight[child + heaviest] + wk.close:
            heaviest = b
    if wk.other[node] == HEAVIEST:
        wk.other[node] = cython.cast(cython.int, heaviest)
    if wk.missing_branch[node] == HEAVIEST:
        wk.missing_branch[node] = cython.cast(cython.int, heaviest)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_place(wk: Work, node: cython.longlong) -> cython.longlong:
    """Where the children's entries begin: where the node's do, unless they are more and would run over others'."""
    total: cython.longlong = 0
    place: cython.longlong = wk.start[node]
    b: cython.longlong
    for b in range(wk.n_children[node]):
        total += wk.rows[wk.first_child[node] + b]
    if total > wk.rows[node]:
        if place + wk.rows[node] < wk.n_entries:
            place = wk.n_entries
        wk.n_entries = place + total
    return place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_children(wk: Work, node: cython.longlong) -> cython.bint:
    """Make the children of a noted split; whether one of them may be split further.

    The list of rows is always shared out; the sorted lists only need it, by share_out, if the answer is yes. The
    last child is the next one searched, so that its entries, the last ones, have room to grow.
    """
    n: cython.longlong = wk.n_children[node]
    child: cython.longlong = wk.n_nodes
    b: cython.longlong
    place: cython.longlong
    by_code: cython.bint = wk.byte_of[wk.column[node]] >= 0 and n == 2 and wk.n_missing[node] == 0
    any_open: cython.bint = False
    for b in range(n):
        new_node(wk, wk.depth[node] + 1)
    wk.first_child[node] = child
    wk.n_leaves += n - 1
    if by_code:
        part_by_code(wk, node)
    elif wk.kind[node] == TABLE:
        sides_by_table(wk, node)
    else:
        sides_by_cut(wk, node)
    name_heaviest(wk, node)
    if wk.n_missing[node] > 0:
        place_strays(wk, node)
    place = find_place(wk, node)
    for b in range(n):
        wk.start[child + b] = place
        wk.alive_start[child + b] = wk.alive_start[node]
        wk.alive_len[child + b] = wk.alive_len[node]
        wk.ids_end[child + b] = wk.n_ids
        place += wk.rows[child + b]
    if not by_code:
        share_list(wk, node, wk.n_lists - 1)
    if wk.max_surrogates > 0 and wk.n_missing[node] == 0:
        note_surrogates(wk, node)
    for b in range(n):
        measure(wk, child + b)
        if wk.rows[child + b] > 0 and not is_closed(wk, child + b):
            wk.stack[wk.n_stack] = child + b
            wk.n_stack += 1
            any_open = True
    if wk.monotone:
        bound_children(wk, node)
    if wk.has_coded:
        pass_on(wk, node)
    return any_open
