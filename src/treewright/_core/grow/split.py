"""The chosen candidate -> a split in the draft -> child nodes.

In: a node and the column chosen for it. Out: its split and its children in the draft, with their stats, and
its lists of entries partitioned. Rows that are missing on the split's column, the missing rows, go where the plan
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
    from treewright._core.grow.coded_numbers import close_slots, open_slots, partition_by_code, store_code_cut
    from treewright._core.grow.fractional_weights import copy_missing_rows
    from treewright._core.grow.histograms import pass_histogram_on, split_histogram
    from treewright._core.grow.impurity import weight_of
    from treewright._core.grow.monotone import bound_children
    from treewright._core.grow.node import add_to_node, is_closed, measure, new_node
    from treewright._core.grow.numbers import recompute_gain
    from treewright._core.grow.partition import (
        route_labels,
        route_moments,
        split_in_many,
        split_in_two,
        split_rows,
        split_shared,
    )
    from treewright._core.grow.surrogates import route_missing_rows, store_surrogates
    from treewright._core.grow.workspace import Work

MAX_EMPTY = cython.declare(cython.longlong, 256)
NO_ROW = cython.declare(cython.longlong, -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_table(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Write the category table of column f's candidate behind the pool."""
    first: cython.longlong = wk.candidates.first_code[f]
    present: cython.longlong = wk.candidates.n_present[f]
    absent: cython.longlong = wk.table.n_levels[f] - present
    tests: cython.bint = wk.candidates.missing_use[f] == IS_MISSING
    i: cython.longlong
    wk.draft.kind[node] = TABLE
    wk.draft.table_start[node] = wk.draft.n_pool
    wk.draft.n_children[node] = 1 if tests else wk.candidates.n_branches[f]
    wk.draft.other[node] = HEAVIEST
    if wk.candidates.grouping[f] == EACH and absent <= MAX_EMPTY and not tests:
        wk.draft.table_len[node] = wk.table.n_levels[f]
        wk.draft.n_children[node] = wk.table.n_levels[f]
        for i in range(wk.table.n_levels[f]):
            wk.draft.pool_code[wk.draft.n_pool + i] = cython.cast(cython.int, i)
            wk.draft.pool_branch[wk.draft.n_pool + i] = cython.cast(cython.int, i)
        if wk.candidates.missing_branch[f] >= 0:
            wk.draft.missing_branch[node] = wk.candidates.codes[first + wk.candidates.missing_branch[f]]
    else:
        wk.draft.table_len[node] = present
        for i in range(present):
            wk.draft.pool_code[wk.draft.n_pool + i] = wk.candidates.codes[first + i]
            wk.draft.pool_branch[wk.draft.n_pool + i] = 0 if tests else wk.candidates.branches[first + i]
        if wk.candidates.missing_branch[f] >= 0:
            wk.draft.missing_branch[node] = wk.candidates.missing_branch[f]
        if absent > 0 and not tests and (wk.candidates.grouping[f] == EACH or wk.candidates.grouping[f] == GREEDY
                                         or wk.candidates.grouping[f] == LEAST_LOSS):
            if not (wk.candidates.grouping[f] == GREEDY and wk.candidates.has_rest[f]):
                wk.draft.n_children[node] += 1
            wk.draft.other[node] = cython.cast(cython.int, wk.draft.n_children[node] - 1)
    wk.draft.n_pool += wk.draft.table_len[node]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_cut(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note the cut of column f's candidate; one that only tells missing from known has no rows on its two sides."""
    base: cython.longlong = wk.table.list_of[f] * wk.table.stride + wk.draft.start[node] + wk.candidates.position[f]
    wk.draft.kind[node] = THRESHOLD
    wk.draft.n_children[node] = 2
    if wk.candidates.missing_use[f] == IS_MISSING:
        wk.draft.n_children[node] = 1
        wk.draft.low_row[node] = NO_ROW
        wk.draft.high_row[node] = NO_ROW
        wk.draft.n_low_rows[node] = wk.draft.rows[node] - wk.candidates.n_missing[f]
        return
    wk.draft.low_row[node] = wk.table.lists[base] & wk.table.row_mask
    wk.draft.high_row[node] = wk.table.lists[base + 1] & wk.table.row_mask
    wk.draft.n_low_rows[node] = wk.candidates.position[f] + 1
    if wk.candidates.n_missing[f] > 0:
        if wk.candidates.missing_use[f] == MISSING_LOW:
            wk.draft.missing_branch[node] = 0
        else:
            wk.draft.missing_branch[node] = 1
    if wk.table.has_own_ids:
        wk.draft.low_row[node] = wk.table.origin[wk.draft.low_row[node]]
        wk.draft.high_row[node] = wk.table.origin[wk.draft.high_row[node]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store_split(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.void:
    """Note column f's candidate as the node's split. It has no children yet."""
    recompute_gain(wk, node, f)
    wk.draft.column[node] = cython.cast(cython.int, f)
    wk.draft.gain[node] = wk.candidates.gain[f]
    wk.draft.merit[node] = wk.candidates.merit[f]
    wk.draft.n_missing[node] = wk.candidates.n_missing[f]
    if wk.table.category_of[f] >= 0:
        store_table(wk, node, f)
    elif wk.table.coded_of[f] >= 0:
        store_code_cut(wk, node, f)
    else:
        store_cut(wk, node, f)
    if wk.candidates.missing_use[f] == THIRD or wk.candidates.missing_use[f] == IS_MISSING:
        wk.draft.missing_branch[node] = cython.cast(cython.int, wk.draft.n_children[node])
        wk.draft.n_children[node] += 1
    elif wk.candidates.n_missing[f] == 0 or (wk.plan.missing != LEARNED and wk.plan.missing != BRANCH):
        wk.draft.missing_branch[node] = HEAVIEST


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def two_sides(wk: Work, node: cython.longlong) -> cython.bint:
    """Whether every row takes one of two branches, or both: the branch of a row is then in table.side, with 2 for both,
    else in table.wide_side.
    """
    return wk.draft.n_children[node] == 2 and not (wk.draft.n_missing[node] > 0 and wk.plan.missing == STOP)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_side(wk: Work, node: cython.longlong, row: cython.longlong, b: cython.int) -> cython.void:
    if two_sides(wk, node):
        wk.table.side[row] = b
    else:
        wk.table.wide_side[row] = b


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
        total += wk.table.moments[wk.table.lists[i] & wk.table.row_mask]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_entry(wk: Work, node: cython.longlong, entry: cython.uint) -> cython.void:
    """Count an entry in a node: the same as add_to_node, quicker where the label is in the entry."""
    row: cython.longlong = entry & wk.table.row_mask
    weight: cython.longlong
    if not wk.table.label_mask:
        add_to_node(wk, node, row)
        return
    weight = wk.table.weights[row] if wk.table.weighted else 1
    wk.draft.rows[node] += 1
    wk.draft.weight[node] += weight
    wk.draft.stats[node, (entry >> wk.table.shift) & wk.table.label_mask] += weight


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def fill_by_cut(wk: Work, child: cython.longlong, base: cython.longlong, n: cython.longlong) -> cython.void:
    """Count n entries in a child."""
    i: cython.longlong
    if wk.table.weighted or not (wk.table.label_mask or wk.table.n_classes == 0):
        for i in range(n):
            add_entry(wk, child, wk.table.lists[base + i])
        return
    wk.draft.rows[child] = n
    wk.draft.weight[child] = n
    if wk.table.n_classes > 0:
        count_labels(wk.table.lists, base, n, wk.table.shift, wk.table.label_mask, wk.draft.stats, child)
    else:
        wk.draft.stats[child, 0] = n
        wk.draft.stats[child, 1] = sum_moments(wk, base, n)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_by_cut(wk: Work, node: cython.longlong) -> cython.void:
    """Set the side of every known row by the cut, and the stats of the children; the others become missing rows."""
    base: cython.longlong = wk.table.list_of[wk.draft.column[node]] * wk.table.stride + wk.draft.start[node]
    child: cython.longlong = wk.draft.first_child[node]
    n_low: cython.longlong = wk.draft.n_low_rows[node]
    known: cython.longlong = wk.draft.rows[node] - wk.draft.n_missing[node]
    i: cython.longlong
    k: cython.int
    if two_sides(wk, node):
        for i in range(known):
            wk.table.side[wk.table.lists[base + i] & wk.table.row_mask] = i >= n_low
    else:
        for i in range(known):
            wk.table.wide_side[wk.table.lists[base + i] & wk.table.row_mask] = i >= n_low
    fill_by_cut(wk, child, base, n_low)
    if wk.draft.n_missing[node] > 0:
        if n_low < known:
            fill_by_cut(wk, child + 1, base + n_low, known - n_low)
        for i in range(known, wk.draft.rows[node]):
            wk.scratch.missing_rows[i - known] = wk.table.lists[base + i] & wk.table.row_mask
        return
    wk.table.lists[base + n_low] |= FLAG  # this list is not partitioned: it is in order already
    wk.draft.rows[child + 1] = wk.draft.rows[node] - n_low
    wk.draft.weight[child + 1] = wk.draft.weight[node] - wk.draft.weight[child]
    for k in range(wk.table.width):
        wk.draft.stats[child + 1, k] = wk.draft.stats[node, k] - wk.draft.stats[child, k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def route_in_two(wk: Work, node: cython.longlong, base: cython.longlong, codes: cython.longlong) -> cython.longlong:
    """Rows that count once and take one of two branches: the same as sides_by_table; how many are missing rows."""
    child: cython.longlong = wk.draft.first_child[node]
    n_missing: cython.longlong
    b: cython.longlong
    if wk.table.n_classes > 0:
        n_missing = route_labels(wk.table.lists, base, wk.table.row_mask, wk.table.n_classes, wk.table.codes, codes,
                                 wk.scratch.table_row, wk.table.side, wk.scratch.missing_rows, wk.draft.stats, node,
                                 child)
    else:
        n_missing = route_moments(wk.table.lists, base, wk.draft.rows[node], wk.table.row_mask, wk.table.moments,
                                  wk.table.codes, codes, wk.scratch.table_row, wk.table.side, wk.scratch.missing_rows,
                                  wk.draft.stats, child)
    for b in range(child, child + 2):
        wk.draft.weight[b] = weight_of(wk.draft.stats, b, wk.table.n_classes, wk.plan.criterion)
        wk.draft.rows[b] = wk.draft.weight[b]
    return n_missing


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def sides_by_table(wk: Work, node: cython.longlong) -> cython.void:
    """Set the side of every known row by its category, and the stats of the children; the others become missing
    rows.
    """
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    codes: cython.longlong = wk.table.category_of[wk.draft.column[node]]
    child: cython.longlong = wk.draft.first_child[node]
    p: cython.longlong = wk.table.coded_of[wk.draft.column[node]]
    two: cython.bint = two_sides(wk, node)
    n_missing: cython.longlong = 0
    i: cython.longlong
    b: cython.int
    row: cython.longlong
    open_slots(wk, node)
    if two and not wk.table.weighted and (wk.table.label_mask or wk.table.n_classes == 0):
        n_missing = route_in_two(wk, node, base, codes)
    else:
        for i in range(wk.draft.rows[node]):
            row = wk.table.lists[base + i] & wk.table.row_mask
            b = wk.scratch.table_row[wk.coded.codes[row, p] if p >= 0 else wk.table.codes[codes, row]]
            if b < 0:
                wk.scratch.missing_rows[n_missing] = cython.cast(cython.uint, row)
                n_missing += 1
                continue
            if two:
                wk.table.side[row] = b
            else:
                wk.table.wide_side[row] = b
            add_entry(wk, child + b, wk.table.lists[base + i])
    wk.draft.n_missing[node] = n_missing
    close_slots(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def place_missing_rows(wk: Work, node: cython.longlong) -> cython.void:
    """Send the rows that are missing on the split's column where the plan says."""
    i: cython.longlong
    row: cython.longlong
    if wk.plan.max_surrogates > 0:
        for i in range(wk.draft.n_missing[node]):
            wk.table.side[wk.scratch.missing_rows[i]] = 2
        store_surrogates(wk, node)
        route_missing_rows(wk, node)
    elif wk.plan.missing == FRACTIONAL and wk.draft.n_missing[node] > 0:
        copy_missing_rows(wk, node)
    elif wk.plan.missing == STOP:
        for i in range(wk.draft.n_missing[node]):
            wk.table.wide_side[wk.scratch.missing_rows[i]] = cython.cast(cython.int, wk.draft.n_children[node])
    else:
        for i in range(wk.draft.n_missing[node]):
            row = wk.scratch.missing_rows[i]
            set_side(wk, node, row, wk.draft.missing_branch[node])
            add_to_node(wk, wk.draft.first_child[node] + wk.draft.missing_branch[node], row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def partition_list(wk: Work, node: cython.longlong, which: cython.longlong) -> cython.void:
    """Partition one list's entries among the children."""
    base: cython.longlong = which * wk.table.stride + wk.draft.start[node]
    if wk.draft.n_children[node] == 2 and wk.draft.n_missing[node] > 0 and wk.plan.missing == FRACTIONAL:
        split_shared(wk, which, node, wk.table.lists, wk.table.side, wk.scratch.buffer)
    elif two_sides(wk, node) and which == wk.table.n_lists - 1:
        split_rows(wk.table.lists, base, wk.draft.rows[node], wk.table.row_mask, wk.table.side, wk.scratch.buffer)
    elif two_sides(wk, node):
        split_in_two(wk.table, wk.scratch, base, wk.draft.rows[node])
    else:
        split_in_many(wk, which, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def partition_lists(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Partition the lists of the live columns low to high - 1 among the children.

    The split's own list is in order already, if no row is missing. Lists of columns with one value left are never
    read again.
    """
    f: cython.longlong
    i: cython.longlong
    which: cython.longlong
    column: cython.longlong = -1 if wk.draft.n_missing[node] > 0 else wk.draft.column[node]
    start: cython.longlong = wk.draft.start[node]
    m: cython.longlong = wk.draft.rows[node]
    # for all lists at once: most nodes have few rows and two branches
    in_two: cython.bint = (two_sides(wk, node)
                           and not (wk.draft.n_missing[node] > 0 and wk.plan.missing == FRACTIONAL))
    for i in range(wk.draft.live_start[node] + low, wk.draft.live_start[node] + high):
        f = wk.draft.live[i]
        which = wk.table.list_of[f]
        if which < 0 or f == column:
            continue
        if in_two:
            split_in_two(wk.table, wk.scratch, which * wk.table.stride + start, m)
        else:
            partition_list(wk, node, which)
    if wk.table.has_coded:
        split_histogram(wk, node, low, high)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def set_heaviest_branch(wk: Work, node: cython.longlong) -> cython.void:
    """The heavier branch, by known weight, for categories that were not met and for missing values."""
    child: cython.longlong = wk.draft.first_child[node]
    heaviest: cython.longlong = 0
    b: cython.longlong
    for b in range(wk.draft.n_children[node]):
        if wk.draft.weight[child + b] > wk.draft.weight[child + heaviest] + wk.plan.tolerance:
            heaviest = b
    if wk.draft.other[node] == HEAVIEST:
        wk.draft.other[node] = cython.cast(cython.int, heaviest)
    if wk.draft.missing_branch[node] == HEAVIEST:
        wk.draft.missing_branch[node] = cython.cast(cython.int, heaviest)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_place(wk: Work, node: cython.longlong) -> cython.longlong:
    """Where the children's entries begin: where the node's do, unless they are more and would run over others'."""
    total: cython.longlong = 0
    place: cython.longlong = wk.draft.start[node]
    b: cython.longlong
    for b in range(wk.draft.n_children[node]):
        total += wk.draft.rows[wk.draft.first_child[node] + b]
    if total > wk.draft.rows[node]:
        if place + wk.draft.rows[node] < wk.draft.n_entries:
            place = wk.draft.n_entries
        wk.draft.n_entries = place + total
    return place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def make_children(wk: Work, node: cython.longlong) -> cython.bint:
    """Make the children of a stored split; whether one of them may be split further.

    The list of rows is always partitioned; the sorted lists only need it, by partition_lists, if this is true. The
    last child is the next one searched, so that its entries, the last ones, have room to grow.
    """
    n: cython.longlong = wk.draft.n_children[node]
    child: cython.longlong = wk.draft.n_nodes
    b: cython.longlong
    place: cython.longlong
    by_code: cython.bint = wk.table.coded_of[wk.draft.column[node]] >= 0 and n == 2 and wk.draft.n_missing[node] == 0
    any_open: cython.bint = False
    for b in range(n):
        new_node(wk, wk.draft.depth[node] + 1)
    wk.draft.first_child[node] = child
    wk.draft.n_leaves += n - 1
    if by_code:
        partition_by_code(wk, node)
    elif wk.draft.kind[node] == TABLE:
        sides_by_table(wk, node)
    else:
        sides_by_cut(wk, node)
    set_heaviest_branch(wk, node)
    if wk.draft.n_missing[node] > 0:
        place_missing_rows(wk, node)
    place = find_place(wk, node)
    for b in range(n):
        wk.draft.start[child + b] = place
        wk.draft.live_start[child + b] = wk.draft.live_start[node]
        wk.draft.live_len[child + b] = wk.draft.live_len[node]
        wk.draft.ids_end[child + b] = wk.draft.n_ids
        place += wk.draft.rows[child + b]
    if not by_code:
        partition_list(wk, node, wk.table.n_lists - 1)
    if wk.plan.max_surrogates > 0 and wk.draft.n_missing[node] == 0:
        store_surrogates(wk, node)
    for b in range(n):
        measure(wk, child + b, node)
        if wk.draft.rows[child + b] > 0 and not is_closed(wk, child + b):
            wk.draft.stack[wk.draft.n_stack] = child + b
            wk.draft.n_stack += 1
            any_open = True
    if wk.plan.monotone:
        bound_children(wk, node)
    if wk.table.has_coded:
        pass_histogram_on(wk, node)
    return any_open
