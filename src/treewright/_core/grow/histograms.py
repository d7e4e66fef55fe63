"""Histograms of coded columns: which nodes keep one, and how it is counted.

A node that is split leaves its histogram to its largest child, and the rows of the other children are
subtracted: so a large child is not counted at all. Without a histogram a node is counted again, so there are
as many slots for histograms as there is memory for.

The histogram of a node is filled in one pass over its rows for all live coded columns. Small nodes have none:
their columns are counted one by one when they are searched, in a slot of the thread that is all 0 between two
columns, and only the classes of the node are told apart.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import COUNTED, FAST_SUBTRACTION, INHERITED, NOT_YET
    from treewright._core.grow.cuts_small_histogram import pack_rows
    from treewright._core.grow.node import is_closed
    from treewright._core.grow.workspace import Work


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keep_histogram(wk: Work, node: cython.longlong) -> cython.void:
    """Give a node a slot, if it is large enough and there is one."""
    wk.draft.histogram[node] = -1
    wk.draft.histogram_state[node] = NOT_YET
    if wk.draft.rows[node] >= wk.coded.least_kept and wk.coded.n_free > 0:
        wk.coded.n_free -= 1
        wk.draft.histogram[node] = wk.coded.free[wk.coded.n_free]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def release_histogram(wk: Work, node: cython.longlong) -> cython.void:
    """Free the slot of a node that needs it no more."""
    if not wk.table.has_coded or wk.draft.histogram[node] < 0:
        return
    wk.coded.free[wk.coded.n_free] = wk.draft.histogram[node]
    wk.coded.n_free += 1
    wk.draft.histogram[node] = -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pass_histogram_on(wk: Work, node: cython.longlong) -> cython.void:
    """Leave the histogram of a node to its largest child, if that saves time; its other large children get a slot."""
    child: cython.longlong = wk.draft.first_child[node]
    n: cython.longlong = wk.draft.n_children[node]
    inheritor: cython.longlong = child
    b: cython.longlong
    for b in range(child, child + n):
        if wk.draft.rows[b] > wk.draft.rows[inheritor]:
            inheritor = b
    # the rows of the others, which may be many, are counted for this
    if (wk.draft.histogram[node] < 0 or wk.draft.rows[inheritor] < wk.coded.least_kept
        or 2 * wk.draft.rows[inheritor] < wk.draft.rows[node] or is_closed(wk, inheritor)
        or not wk.plan.fast_paths & FAST_SUBTRACTION):
        inheritor = -1
        release_histogram(wk, node)
    else:
        wk.draft.histogram[inheritor] = wk.draft.histogram[node]
        wk.draft.histogram_state[inheritor] = INHERITED
        wk.draft.histogram[node] = -1
    for b in range(child, child + n):
        if b != inheritor and wk.draft.rows[b] > 0 and not is_closed(wk, b):
            keep_histogram(wk, b)
            if inheritor >= 0 and wk.draft.histogram[b] >= 0:
                wk.draft.histogram_state[b] = COUNTED


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_live_places(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """The places of the coded ones among the live columns low to high - 1."""
    i: cython.longlong
    n: cython.longlong = 0
    for i in range(wk.draft.live_start[node] + low, wk.draft.live_start[node] + high):
        if wk.table.coded_of[wk.draft.live[i]] >= 0:
            wk.coded.live[n] = wk.table.coded_of[wk.draft.live[i]]
            n += 1
    wk.coded.n_live = n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def locate_counts(wk: Work, slot: cython.longlong) -> cython.void:
    """Where the counts of each live place begin in a slot."""
    t: cython.longlong
    for t in range(wk.coded.n_live):
        wk.coded.cell_at[t] = (slot * wk.coded.n_cells + wk.coded.first_cell[wk.coded.live[t]]) * wk.coded.width


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_slot(wk: Work, slot: cython.longlong) -> cython.void:
    """Set the live places of a slot to 0."""
    t: cython.longlong
    c: cython.longlong
    p: cython.longlong
    at: cython.longlong
    for t in range(wk.coded.n_live):
        p = wk.coded.live[t]
        at = (slot * wk.coded.n_cells + wk.coded.first_cell[p]) * wk.coded.width
        for c in range(at, at + wk.coded.n_codes[p] * wk.coded.width):
            wk.coded.counts[c] = 0
        if wk.table.n_classes == 0:
            at = slot * wk.coded.n_cells + wk.coded.first_cell[p]
            for c in range(at, at + wk.coded.n_codes[p]):
                wk.coded.sums[c] = 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def subtract_histogram(wk: Work, slot: cython.longlong, other: cython.longlong) -> cython.void:
    """Take the live places of another slot off those of this one."""
    t: cython.longlong
    c: cython.longlong
    p: cython.longlong
    at: cython.longlong
    off: cython.longlong = (other - slot) * wk.coded.n_cells * wk.coded.width
    for t in range(wk.coded.n_live):
        p = wk.coded.live[t]
        at = (slot * wk.coded.n_cells + wk.coded.first_cell[p]) * wk.coded.width
        for c in range(at, at + wk.coded.n_codes[p] * wk.coded.width):
            wk.coded.counts[c] -= wk.coded.counts[off + c]
        if wk.table.n_classes == 0:
            at = slot * wk.coded.n_cells + wk.coded.first_cell[p]
            for c in range(at, at + wk.coded.n_codes[p]):
                wk.coded.sums[c] -= wk.coded.sums[off + c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def copy_slot(wk: Work, slot: cython.longlong, other: cython.longlong) -> cython.void:
    """Copy the live places of another slot to those of this one."""
    t: cython.longlong
    c: cython.longlong
    p: cython.longlong
    at: cython.longlong
    off: cython.longlong = (other - slot) * wk.coded.n_cells
    for t in range(wk.coded.n_live):
        p = wk.coded.live[t]
        at = (slot * wk.coded.n_cells + wk.coded.first_cell[p]) * wk.coded.width
        for c in range(at, at + wk.coded.n_codes[p] * wk.coded.width):
            wk.coded.counts[c] = wk.coded.counts[off * wk.coded.width + c]
        if wk.table.n_classes == 0:
            at = slot * wk.coded.n_cells + wk.coded.first_cell[p]
            for c in range(at, at + wk.coded.n_codes[p]):
                wk.coded.sums[c] = wk.coded.sums[off + c]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_labels(entries: cython.uint[::1], base: cython.longlong, row_mask: cython.uint, n_classes: cython.longlong,
               stats: cython.longlong[:, ::1], node: cython.longlong, codes: cython.uchar[:, ::1],
               n_live: cython.longlong, live: cython.int[::1], cell_at: cython.longlong[::1], step: cython.int,
               counts: cython.int[::1]) -> cython.void:
    """Add `step` to the cells of each row of a node; its rows come class by class."""
    start: cython.longlong = base
    i: cython.longlong
    k: cython.longlong
    t: cython.longlong
    row: cython.longlong
    for k in range(n_classes):
        for i in range(start, start + stats[node, k]):
            row = entries[i] & row_mask
            for t in range(n_live):
                counts[cell_at[t] + cython.cast(cython.longlong, codes[row, live[t]]) * n_classes] += step
        start += stats[node, k]
        for t in range(n_live):
            cell_at[t] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_moments(entries: cython.uint[::1], base: cython.longlong, m: cython.longlong, row_mask: cython.uint,
                moments: cython.longlong[::1], codes: cython.uchar[:, ::1], n_live: cython.longlong,
                live: cython.int[::1], cell_at: cython.longlong[::1], step: cython.int,
                counts: cython.int[::1], sums: cython.longlong[::1]) -> cython.void:
    """The same for regression."""
    i: cython.longlong
    t: cython.longlong
    c: cython.longlong
    row: cython.longlong
    moment: cython.longlong
    for i in range(base, base + m):
        row = entries[i] & row_mask
        moment = moments[row] * step
        for t in range(n_live):
            c = cell_at[t] + codes[row, live[t]]
            counts[c] += step
            sums[c] += moment


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_rows(wk: Work, node: cython.longlong, slot: cython.longlong, step: cython.int) -> cython.void:
    """Count the rows of a node in a slot, or take them off again."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    locate_counts(wk, slot)
    if wk.table.n_classes > 0:
        add_labels(wk.table.lists, base, wk.table.row_mask, wk.table.n_classes, wk.draft.stats, node, wk.coded.codes,
                   wk.coded.n_live, wk.coded.live, wk.coded.cell_at, step, wk.coded.counts)
    else:
        add_moments(wk.table.lists, base, wk.draft.rows[node], wk.table.row_mask, wk.table.moments, wk.coded.codes,
                    wk.coded.n_live, wk.coded.live, wk.coded.cell_at, step, wk.coded.counts, wk.coded.sums)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gather_rows(wk: Work, node: cython.longlong) -> cython.void:
    """The rows of a small node, for columns that are counted one by one."""
    base: cython.longlong = (wk.table.n_lists - 1) * wk.table.stride + wk.draft.start[node]
    i: cython.longlong
    row: cython.longlong
    for i in range(wk.draft.rows[node]):
        row = wk.table.lists[base + i] & wk.table.row_mask
        wk.coded.row_at[i] = cython.cast(cython.int, row)
        if wk.table.n_classes == 0:
            wk.coded.moment_at[i] = wk.table.moments[row]
        elif wk.table.label_mask:
            wk.coded.class_at[i] = wk.coded.class_of[(wk.table.lists[base + i] >> wk.table.shift) & wk.table.label_mask]
        else:
            wk.coded.class_at[i] = wk.coded.class_of[wk.table.labels[row]]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def number_classes(wk: Work, node: cython.longlong) -> cython.void:
    """Number the classes of a small node, in order; all classes of a large one, whose histogram its children
    inherit.
    """
    n: cython.longlong = 0
    k: cython.int
    all_of_them: cython.bint = wk.draft.rows[node] >= wk.coded.least_kept
    for k in range(wk.table.n_classes):
        if all_of_them or wk.draft.stats[node, k] > 0:
            wk.coded.class_of[k] = cython.cast(cython.int, n)
            wk.coded.class_rows[n] = wk.draft.stats[node, k]
            n += 1
    wk.coded.n_classes = n if wk.table.n_classes > 0 else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_node(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Before the live columns low to high - 1 are searched: have their histogram filled, or the rows of a small
    node.
    """
    slot: cython.longlong = wk.draft.histogram[node] if wk.draft.histogram[node] >= 0 else wk.coded.spare_slot
    v: cython.int
    wk.coded.least_rows = wk.search.least_rows
    number_classes(wk, node)
    if wk.draft.rows[node] < wk.coded.least_kept:
        gather_rows(wk, node)
        pack_rows(wk, node)
        return
    for v in range(wk.coded.present.shape[0]):
        wk.coded.present[v] = v
    if wk.draft.histogram_state[node] != NOT_YET:
        return
    list_live_places(wk, node, low, high)
    if wk.coded.n_live > 0:
        clear_slot(wk, slot)
        add_rows(wk, node, slot, 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_histogram(wk: Work, node: cython.longlong, low: cython.longlong, high: cython.longlong) -> cython.void:
    """Make the histogram of a node that of the child that inherits it, for the live columns low to high - 1."""
    child: cython.longlong = wk.draft.first_child[node]
    inheritor: cython.longlong = -1
    # the child whose rows store_surrogates has counted; where threads share the columns, each counts its own
    done: cython.longlong = wk.coded.spare_node if low == 0 and high == wk.draft.live_len[node] else -1
    b: cython.longlong
    for b in range(child, child + wk.draft.n_children[node]):
        if wk.draft.histogram_state[b] == INHERITED:
            inheritor = b
    if inheritor < 0:
        return
    list_live_places(wk, node, low, high)
    if wk.coded.n_live == 0:
        return
    for b in range(child, child + wk.draft.n_children[node]):
        if b == inheritor or wk.draft.rows[b] == 0:
            continue
        if b == done:
            subtract_histogram(wk, wk.draft.histogram[inheritor], wk.coded.spare_slot)
            if wk.draft.histogram_state[b] == COUNTED:
                copy_slot(wk, wk.draft.histogram[b], wk.coded.spare_slot)
        elif wk.draft.histogram_state[b] == COUNTED:
            clear_slot(wk, wk.draft.histogram[b])
            add_rows(wk, b, wk.draft.histogram[b], 1)
            subtract_histogram(wk, wk.draft.histogram[inheritor], wk.draft.histogram[b])
        else:
            add_rows(wk, b, wk.draft.histogram[inheritor], -1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_present(wk: Work, p: cython.longlong) -> cython.longlong:
    """List the codes of a column that are marked as met, rising, and take the marks off; how many there are."""
    n: cython.longlong = 0
    i: cython.longlong
    v: cython.longlong
    w: cython.longlong
    bits: cython.ulonglong
    for w in range((wk.coded.n_codes[p] + 63) >> 6):
        bits = cython.cast(cython.ulonglong, wk.coded.present_bits[w])
        wk.coded.present_bits[w] = 0
        v = 64 * w
        while bits:
            if bits & 255:
                for i in range(v, v + 8):  # without a jump: each is written, and stays if it was met
                    wk.coded.present[n] = cython.cast(cython.int, i)
                    n += bits & 1
                    bits >>= 1
            else:
                bits >>= 8
            v += 8
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def mark_present(row_at: cython.int[::1], m: cython.longlong, codes: cython.uchar[:, ::1], p: cython.longlong,
                 n_codes: cython.longlong, met: cython.ulonglong[::1]) -> cython.void:
    """Mark the codes that the rows of a small node have; up to 64 codes without a write to memory for each row."""
    one: cython.ulonglong = 1
    bits: cython.ulonglong = 0
    i: cython.longlong
    v: cython.longlong
    if n_codes <= 64:
        for i in range(m):
            bits |= one << cython.cast(cython.longlong, codes[row_at[i], p])
        met[0] = bits
        return
    for i in range(m):
        v = cython.cast(cython.longlong, codes[row_at[i], p])
        met[v >> 6] |= one << (v & 63)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_column(wk: Work, p: cython.longlong, m: cython.longlong, at: cython.longlong,
                 sums: cython.longlong) -> cython.longlong:
    """Count the column of a small node and list the codes met; how many there are."""
    n_kinds: cython.longlong = wk.coded.n_classes
    i: cython.longlong
    v: cython.longlong
    if wk.table.n_classes > 0:
        for i in range(m):
            v = cython.cast(cython.longlong, wk.coded.codes[wk.coded.row_at[i], p])
            wk.coded.counts[at + v * n_kinds + wk.coded.class_at[i]] += 1
    else:
        for i in range(m):
            v = cython.cast(cython.longlong, wk.coded.codes[wk.coded.row_at[i], p])
            wk.coded.counts[at + v] += 1
            wk.coded.sums[sums + v] += wk.coded.moment_at[i]
    mark_present(wk.coded.row_at, m, wk.coded.codes, p, wk.coded.n_codes[p], wk.coded.present_bits)
    return list_present(wk, p)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def clear_column_counts(wk: Work, at: cython.longlong, sums: cython.longlong, n: cython.longlong) -> cython.void:
    """Set the cells of the n present codes to 0."""
    j: cython.longlong
    k: cython.longlong
    c: cython.longlong
    for j in range(n):
        c = at + wk.coded.present[j] * wk.coded.n_classes
        for k in range(c, c + wk.coded.n_classes):
            wk.coded.counts[k] = 0
    if wk.table.n_classes == 0:
        for j in range(n):
            wk.coded.sums[sums + wk.coded.present[j]] = 0
