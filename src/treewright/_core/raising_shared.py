"""Error-based pruning where a row that misses a value goes down every branch, with a share of its weight each.

In: a tree as `Places`, and all rows at its root. Out: the same tree, pruned. What a row's shares are depends on the
other rows of the place, so all rows of a place are sent down its largest branch to know what that would cost.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.limits import estimate
    from cython.cimports.treewright._core.places import (
        PRUNED,
        RAISED,
        Places,
        become_leaf,
        judge,
        leaf_estimate,
        least_cost,
        next_place,
        take_over,
        wait,
    )
    from cython.cimports.treewright._core.share_store import gather, store
    from cython.cimports.treewright._core.shared_out import share_out, weigh_branches
else:
    from treewright._core.limits import estimate
    from treewright._core.places import (
        PRUNED,
        RAISED,
        Places,
        become_leaf,
        judge,
        leaf_estimate,
        least_cost,
        next_place,
        take_over,
        wait,
    )
    from treewright._core.share_store import gather, store
    from treewright._core.shared_out import share_out, weigh_branches

# What sending rows down is for: to know what they would cost; to put them where they are; to do so anew.
TRY = cython.declare(cython.int, 0)
FIRST = cython.declare(cython.int, 1)
AGAIN = cython.declare(cython.int, 2)

# How a run of visits ends.
DONE = cython.declare(cython.int, 0)
PAUSED = cython.declare(cython.int, 1)
NO_ROOM = cython.declare(cython.int, 2)  # for rows on their way
FULL = cython.declare(cython.int, 3)  # the store


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def cost_of(p: Places, start: cython.longlong, stop: cython.longlong) -> cython.double:
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
    p: Places, place: cython.longlong, start: cython.longlong, stop: cython.longlong, again: cython.bint
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
def empty(p: Places, place: cython.longlong, again: cython.bint) -> cython.void:
    """Leave a branch without rows: it is a leaf then."""
    count_rows(p, place, 0, 0, False)
    become_leaf(p, place)
    p.changed[place] |= again


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def send_down(p: Places, place: cython.longlong, n: cython.longlong, purpose: cython.int) -> cython.double:
    """Send the first n rows on their way down from a place; their estimated errors, or -1 when there is no room.

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
        stop = share_out(p, place, start, stop)
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
def largest_branch(p: Places, place: cython.longlong, n: cython.longlong) -> cython.longlong:
    """The branch that most known weight goes into, the later one on a tie; `n` rows of the place are on their way."""
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
def visit(p: Places, place: cython.longlong) -> cython.int:
    """Settle a place, all those below it settled; DONE, or what there is no room for, and then nothing is done."""
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


def plant_rows(p: Places, n: cython.longlong) -> bool:
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


def settle_shared(p: Places, budget: cython.longlong) -> int:
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
            status = visit(p, place)
            if status != DONE:
                wait(p, place)
    return status
