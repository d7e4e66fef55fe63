"""Error-based pruning where a row with a missing value goes down every branch with a part of its weight.

In: a tree as `RaisingState`, and all rows at its root. Out: the same tree, pruned. The weights of a row depend on
the other rows of the place, so all rows of a place are sent down its largest branch to know what raising it
would cost.

Rows of a place -> rows of its branches as in growth (fractional_weights.py): weights below `least_share` are
not made, nor more than MOST_COPIES new ones for each row of the place; their weight goes to the heaviest
branch. Which rows end at the leaves, with how much of their weight, is in a store, a segment for each leaf;
the rows of a place are put together from the leaves below it.
"""

import cython

if not cython.compiled:
    from numpy import rint

    from treewright._core.codes import DONE, MOST_COPIES, NO_ROOM, PAUSED, PRUNED, RAISED, UNSEEN
    from treewright._core.prune.error_limits import estimate
    from treewright._core.prune.raising_state import (
        RaisingState,
        become_leaf,
        branch_at,
        judge,
        leaf_estimate,
        least_cost,
        next_place,
        take_over,
        wait,
    )
    from treewright._core.short_sort import sort_by_key


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_sides(p: RaisingState, place: cython.longlong, start: cython.longlong, stop: cython.longlong) -> cython.void:
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
    p: RaisingState, place: cython.longlong, start: cython.longlong, stop: cython.longlong
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
def order_branches(p: RaisingState, place: cython.longlong) -> cython.longlong:
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
    p: RaisingState, place: cython.longlong, start: cython.longlong, stop: cython.longlong, n_missing: cython.longlong
) -> cython.longlong:
    """Set `portion` to what each branch takes, and add the parts of rows to `n_known`; how many branches take one."""
    n: cython.longlong = order_branches(p, place)
    most: cython.longlong = 1 + MOST_COPIES * (stop - start) // n_missing
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
def put(p: RaisingState, b: cython.longlong, row: cython.int, weight: cython.longlong) -> cython.void:
    """Write a row behind the last one of a branch."""
    p.row_aside[p.known[b]] = row
    p.weight_aside[p.known[b]] = weight
    p.known[b] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def share_rows_out(
    p: RaisingState, place: cython.longlong, start: cython.longlong, stop: cython.longlong
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def gather(p: RaisingState, place: cython.longlong) -> cython.longlong:
    """Collect the rows of a place to be routed, from the parts of rows at the leaves below it; how many there are."""
    n: cython.longlong = 0
    top: cython.longlong = 1
    node: cython.longlong
    i: cython.longlong
    row: cython.int
    p.stack[0] = place
    while top > 0:
        top -= 1
        node = p.stack[top]
        if p.cells[node].child >= 0:
            for i in range(p.n_branches[node]):
                p.stack[top] = p.cells[node].child + i
                top += 1
            continue
        for i in range(p.start[node], p.start[node] + p.count[node]):
            row = p.stored_row[i]
            if p.gathered[row] == 0:
                p.row_at[n] = row
                n += 1
            p.gathered[row] += p.stored_weight[i]
    for i in range(n):
        p.weight_at[i] = p.gathered[p.row_at[i]]
        p.gathered[p.row_at[i]] = 0
    p.n_steps += n
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def store(p: RaisingState, place: cython.longlong, start: cython.longlong, stop: cython.longlong) -> cython.void:
    """Make a segment of the routed rows that end at a leaf."""
    i: cython.longlong
    p.start[place] = p.n_stored
    for i in range(start, stop):
        p.stored_row[p.n_stored] = p.row_at[i]
        p.stored_weight[p.n_stored] = p.weight_at[i]
        p.n_stored += 1


def move_store(p: RaisingState, rows: cython.int[::1], weights: cython.longlong[::1]) -> int:
    """Copy the segments of the leaves that the root still reaches into another store; how many parts of rows they
    hold.
    """
    n: cython.longlong = 0
    top: cython.longlong = 1
    node: cython.longlong
    start: cython.longlong
    i: cython.longlong
    with cython.nogil:
        p.stack[0] = 0
        while top > 0:
            top -= 1
            node = p.stack[top]
            if p.cells[node].child >= 0:
                for i in range(p.n_branches[node]):
                    p.stack[top] = p.cells[node].child + i
                    top += 1
                continue
            start = p.start[node]
            p.start[node] = n
            for i in range(start, start + p.count[node]):
                rows[n] = p.stored_row[i]
                weights[n] = p.stored_weight[i]
                n += 1
        p.n_stored = n
    return n


# What sending rows down is for: to know what they would cost; to put them where they are; to do so anew.
TRY = cython.declare(cython.int, 0)
FIRST = cython.declare(cython.int, 1)
AGAIN = cython.declare(cython.int, 2)
FULL = cython.declare(cython.int, 3)  # the store


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cost_of(p: RaisingState, start: cython.longlong, stop: cython.longlong) -> cython.double:
    """The estimated errors of a leaf with these rows."""
    weight: cython.longlong = 0
    best: cython.longlong = 0
    wrong: cython.double
    i: cython.longlong
    label: cython.int
    for i in range(start, stop):
        label = p.labels[p.row_at[i]]
        p.sums[label] += p.weight_at[i]
        weight += p.weight_at[i]
        if p.sums[label] > best:
            best = p.sums[label]
    wrong = cython.cast(cython.double, weight - best)
    if p.costs.shape[0] > 0:
        wrong = least_cost(p.costs, p.sums)
    for i in range(start, stop):
        p.sums[p.labels[p.row_at[i]]] = 0
    return estimate(weight * p.scale, wrong * p.scale, p.limit, p.confidence, p.square)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def count_rows(
    p: RaisingState, place: cython.longlong, start: cython.longlong, stop: cython.longlong, again: cython.bint
) -> cython.void:
    """Write down what rows a place has."""
    i: cython.longlong
    label: cython.int
    for i in range(p.n_classes):
        p.stats[place, i] = 0
    p.count[place] = stop - start
    p.weight[place] = 0
    p.best[place] = 0
    for i in range(start, stop):
        label = p.labels[p.row_at[i]]
        p.stats[place, label] += p.weight_at[i]
        p.weight[place] += p.weight_at[i]
        if p.stats[place, label] > p.best[place]:
            p.best[place] = p.stats[place, label]
    p.as_leaf[place] = leaf_estimate(p, place)
    if again:
        p.changed[place] = 1
        if p.cells[place].child >= 0:
            wait(p, place)
    if p.cells[place].child < 0:
        p.now[place] = p.as_leaf[place]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def empty(p: RaisingState, place: cython.longlong, again: cython.bint) -> cython.void:
    """Leave a branch without rows: it is a leaf then."""
    count_rows(p, place, 0, 0, False)
    become_leaf(p, place)
    p.changed[place] |= again


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_down(p: RaisingState, place: cython.longlong, n: cython.longlong, purpose: cython.int) -> cython.double:
    """Route the first n rows down from a place; their estimated errors, or -1 when there is no room.

    The rows of the places that wait follow each other, those of the place on top last: so they can be replaced by
    the rows of its branches.
    """
    total: cython.double = 0.0
    top: cython.longlong = 1
    stop: cython.longlong = n
    start: cython.longlong
    child: cython.longlong
    b: cython.longlong
    p.n_ended = 0
    p.stack[0] = place
    p.behind[0] = 0
    while top > 0:
        top -= 1
        place = p.stack[top]
        start = p.behind[top]
        p.n_steps += stop - start
        if purpose != TRY:
            count_rows(p, place, start, stop, purpose == AGAIN)
        child = p.cells[place].child
        if child < 0:
            p.n_ended += stop - start
            if purpose == TRY:
                total += cost_of(p, start, stop)
            elif p.n_stored + stop - start > p.stored_row.shape[0]:
                return -1.0
            else:
                store(p, place, start, stop)
            stop = start
            continue
        stop = share_rows_out(p, place, start, stop)
        if stop < 0:
            return -1.0
        for b in range(p.n_branches[place]):
            if p.n_known[b] > 0:
                p.stack[top] = child + b
                p.behind[top] = start
                top += 1
                start += p.n_known[b]
            elif purpose != TRY:
                empty(p, child + b, purpose == AGAIN)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def largest_branch(p: RaisingState, place: cython.longlong, n: cython.longlong) -> cython.longlong:
    """The branch that most known weight goes into, the later one on a tie; `n` rows of the place are being routed."""
    most: cython.double = -1.0
    largest: cython.longlong = 0
    b: cython.longlong
    weigh_branches(p, place, 0, n)
    for b in range(p.n_branches[place]):
        if p.n_known[b] > 0 and p.known[b] >= most - p.close:
            largest = b
            if p.known[b] > most:
                most = cython.cast(cython.double, p.known[b])
    return p.cells[place].child + largest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def visit_shared(p: RaisingState, place: cython.longlong) -> cython.int:
    """Decide about a place, once all those below it are decided; DONE, or what there is no room for, and then
    nothing is done.
    """
    subtree: cython.double = 0.0
    branch: cython.double = p.as_leaf[place]
    n: cython.longlong = gather(p, place)
    largest: cython.longlong = largest_branch(p, place, n)
    b: cython.longlong
    verdict: cython.int
    for b in range(p.n_branches[place]):
        subtree += p.now[p.cells[place].child + b]
    p.n_ended = n
    # A branch that is a leaf would be the same leaf as the place itself.
    if p.cells[largest].child >= 0:
        branch = send_down(p, largest, n, TRY)
        if branch < 0.0:
            return NO_ROOM
    if p.n_stored + max(n, p.n_ended) > p.stored_row.shape[0]:
        return FULL
    verdict = judge(p, place, subtree, branch, p.cells[largest].child >= 0)
    if verdict == PRUNED:
        n = gather(p, place)
        become_leaf(p, place)
        store(p, place, 0, n)
    elif verdict == RAISED:
        n = gather(p, place)
        take_over(p, place, largest)
        send_down(p, place, n, AGAIN)
    else:
        p.now[place] = subtree
    return DONE


def route_rows_from_root(p: RaisingState, n: cython.longlong) -> bool:
    """Send the n rows down from the root and count them at every place; whether there was room for them."""
    total: cython.double
    i: cython.longlong
    with cython.nogil:
        p.n_stored = 0
        for i in range(n):
            p.row_at[i] = cython.cast(cython.int, i)
            p.weight_at[i] = p.weights[i]
        total = send_down(p, 0, n, FIRST)
    return total >= 0.0


def prune_and_raise_fractional(p: RaisingState, budget: cython.longlong) -> int:
    """Visit places from the bottom up for about this many steps; DONE, PAUSED, NO_ROOM or FULL."""
    status: cython.int = DONE
    place: cython.longlong = 0
    with cython.nogil:
        p.n_steps = 0
        while status == DONE:
            if p.n_steps > budget:
                status = PAUSED
                break
            place = next_place(p)
            if place < 0:
                break
            status = visit_shared(p, place)
            if status != DONE:
                wait(p, place)
    return status
