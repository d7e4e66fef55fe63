"""Rows of a place -> rows of its branches, shared out where a value is missing, as growth does (shares.py).

In: `Places` with rows on their way. Out: the same rows, those of branch 0 first; a row that misses the value has a
share in every branch, in proportion to the known weight that goes there. Shares below `least_share` are not made, nor
more than MOST_SHARES new ones for each row of the place: their weight goes with the share of the heaviest branch.
"""

import cython

if cython.compiled:
    from cython.cimports.libc.math import rint
    from cython.cimports.treewright._core.places import Places, branch_at
    from cython.cimports.treewright._core.sorting import sort_by_key
else:
    from treewright._core.places import Places, branch_at
    from treewright._core.sorting import sort_by_key

    rint = round

UNSEEN = cython.declare(cython.double, float("-inf"))
MOST_SHARES = cython.declare(cython.longlong, 8)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_sides(p: Places, place: cython.longlong, start: cython.longlong, stop: cython.longlong) -> cython.void:
    """Set `side` to the branch of each row: what `branch_at` says, which is called only where a table is not dense."""
    column: cython.longlong = p.cells[place].column
    cut: cython.double = p.cells[place].cut
    first: cython.longlong
    i: cython.longlong
    value: cython.double
    if column >= 0:
        for i in range(start, stop):
            value = p.values[p.row_at[i], column]
            p.side[i] = (1 if value > cut else 0) if value > UNSEEN else -1
    elif p.dense.shape[0] > 0:
        first = cython.cast(cython.longlong, cut)
        for i in range(start, stop):
            value = p.values[p.row_at[i], -1 - column]
            p.side[i] = p.dense[first + cython.cast(cython.longlong, value)] if value > UNSEEN else -1
    else:
        for i in range(start, stop):
            p.side[i] = cython.cast(cython.int, branch_at(p, place, p.row_at[i]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def weigh_branches(
    p: Places, place: cython.longlong, start: cython.longlong, stop: cython.longlong
) -> cython.longlong:
    """Set `side`, `known` and `n_known`: the branch of each row, and what goes into each; how many rows miss the value.

    Where all rows miss it, they take the branch that was the heaviest in growth.
    """
    n_missing: cython.longlong = 0
    i: cython.longlong
    b: cython.longlong
    for b in range(p.n_branches[place]):
        p.known[b] = 0
        p.n_known[b] = 0
    find_sides(p, place, start, stop)
    for i in range(start, stop):
        b = p.side[i]
        if b < 0:
            n_missing += 1
        else:
            p.known[b] += p.weight_at[i]
            p.n_known[b] += 1
    if n_missing < stop - start:
        return n_missing
    b = p.usual_branch[p.split_of[place]]
    for i in range(start, stop):
        p.side[i] = cython.cast(cython.int, b)
        p.known[b] += p.weight_at[i]
        p.n_known[b] += 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def order_branches(p: Places, place: cython.longlong) -> cython.longlong:
    """Set `by_weight` to the branches with known rows, the heaviest first; their number."""
    most: cython.longlong = 0
    n: cython.longlong = 0
    heaviest: cython.longlong = 0
    b: cython.longlong
    for b in range(p.n_branches[place]):
        most = max(most, p.known[b])
    while p.known[heaviest] < most - p.close:
        heaviest += 1
    for b in range(p.n_branches[place]):
        if p.known[b] > 0 and b != heaviest:
            p.key[n] = -cython.cast(cython.double, p.known[b])
            p.side_of[n] = cython.cast(cython.int, b)
            n += 1
    sort_by_key(p.key, p.order, p.by_weight, n)
    p.by_weight[0] = cython.cast(cython.int, heaviest)
    for b in range(n):
        p.by_weight[b + 1] = p.side_of[p.order[b]]
    return n + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_shares(
    p: Places, place: cython.longlong, start: cython.longlong, stop: cython.longlong, n_missing: cython.longlong
) -> cython.longlong:
    """Set `portion` to what each branch takes, and add the shares to `n_known`; how many branches take one."""
    n: cython.longlong = order_branches(p, place)
    most: cython.longlong = 1 + MOST_SHARES * (stop - start) // n_missing
    known: cython.double = 0.0
    whole: cython.double
    i: cython.longlong
    j: cython.longlong
    for j in range(n):
        known += cython.cast(cython.double, p.known[p.by_weight[j]])
    for j in range(n):
        p.portion[j] = cython.cast(cython.double, p.known[p.by_weight[j]]) / known
    n = min(n, most)
    for i in range(start, stop):
        if p.side[i] >= 0:
            continue
        p.n_known[p.by_weight[0]] += 1
        whole = cython.cast(cython.double, p.weight_at[i])
        for j in range(1, n):
            if whole * p.portion[j] < p.least_share:
                break
            p.n_known[p.by_weight[j]] += 1
    return n


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def put(p: Places, b: cython.longlong, row: cython.int, weight: cython.longlong) -> cython.void:
    """Write a row behind the last one of a branch."""
    p.row_aside[p.known[b]] = row
    p.weight_aside[p.known[b]] = weight
    p.known[b] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_out(
    p: Places, place: cython.longlong, start: cython.longlong, stop: cython.longlong
) -> cython.longlong:
    """Replace the rows of a place by those of its branches, `n_known` each; where they stop, or -1 without room."""
    n_missing: cython.longlong = weigh_branches(p, place, start, stop)
    n: cython.longlong = 0
    total: cython.longlong = 0
    i: cython.longlong
    j: cython.longlong
    weight: cython.longlong
    left: cython.longlong
    whole: cython.double
    if n_missing > 0:
        n = count_shares(p, place, start, stop, n_missing)
    for j in range(p.n_branches[place]):
        p.known[j] = total  # from here on where the branch's next row is written
        total += p.n_known[j]
    if start + total > p.row_at.shape[0]:
        return -1
    for i in range(start, stop):
        if p.side[i] >= 0:
            put(p, p.side[i], p.row_at[i], p.weight_at[i])
            continue
        left = p.weight_at[i]
        whole = cython.cast(cython.double, left)
        for j in range(1, n):
            if whole * p.portion[j] < p.least_share:
                break
            weight = cython.cast(cython.longlong, rint(whole * p.portion[j]))
            left -= weight
            put(p, p.by_weight[j], p.row_at[i], weight)
        put(p, p.by_weight[0], p.row_at[i], left)
    for i in range(total):
        p.row_at[start + i] = p.row_aside[i]
        p.weight_at[start + i] = p.weight_aside[i]
    return start + total
