"""Error-based pruning where every row takes one path: leaf, largest branch or subtree, whichever errs least.

In: a tree as `RaisingState`, each training row in the list of the place where it ends. Out: the same tree, pruned.

To know what the largest branch would cost in a place's stead, only the rows of the other branches are sent
down it: the leaves they come to change their estimates, all others stay as they are. When it is raised, only
the places they passed are visited again. So a row is sent once for each place above it where it is not in the
largest branch. No recursion: a tree may be as deep as it has rows.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import PRUNED, RAISED, UNSEEN
    from treewright._core.prune.raising_state import (
        RaisingState,
        become_leaf,
        branch_at,
        join_lists,
        judge,
        leaf_estimate,
        list_others,
        next_place,
        take_over,
        wait,
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def step_at(p: RaisingState, place: cython.longlong, row: cython.longlong) -> cython.longlong:
    """`branch_at`, without a call for a number that is known: many rows are sent past many cuts."""
    column: cython.int = p.cells[place].column
    if column >= 0 and p.values[row, column] > UNSEEN:
        return 1 if p.values[row, column] > p.cells[place].cut else 0
    return branch_at(p, place, row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def staying_estimate(p: RaisingState, place: cython.longlong) -> cython.double:
    """The estimated errors of the rows that stop at an inner place: their part of those of all its rows."""
    if p.staying[place] == 0:
        return 0.0
    return leaf_estimate(p, place) * (p.staying[place] / cython.cast(cython.double, p.weight[place]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def divide_in_two(p: RaisingState, place: cython.longlong, start: cython.longlong,
                  stop: cython.longlong) -> cython.void:
    """What `divide` does, for two branches."""
    low: cython.longlong = start
    n_high: cython.longlong = 0
    i: cython.longlong
    step: cython.longlong
    row: cython.int
    for i in range(start, stop):
        row = p.moved[i]
        step = step_at(p, place, row)
        if step < 0:
            continue
        p.moved[low] = row  # both are written and one of them counts: the branch of a row cannot be foretold
        p.row_aside[n_high] = row
        low += 1 - step
        n_high += step
    for i in range(n_high):
        p.moved[low + i] = p.row_aside[i]
    p.n_known[0] = low - start
    p.n_known[1] = n_high


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def divide(p: RaisingState, place: cython.longlong, start: cython.longlong, stop: cython.longlong) -> cython.void:
    """Put the rows of `moved` in order of the branches of a place, `n_known` each; without those that stop here."""
    i: cython.longlong
    b: cython.longlong
    total: cython.longlong = 0
    if p.n_branches[place] == 2:
        divide_in_two(p, place, start, stop)
        return
    for b in range(p.n_branches[place]):
        p.n_known[b] = 0
    for i in range(start, stop):
        b = step_at(p, place, p.moved[i])
        p.side[i] = cython.cast(cython.int, b)
        p.row_aside[i] = p.moved[i]
        if b >= 0:
            p.n_known[b] += 1
    for b in range(p.n_branches[place]):
        p.known[b] = start + total  # where the branch's next row is written
        total += p.n_known[b]
    for i in range(start, stop):
        b = p.side[i]
        if b >= 0:
            p.moved[p.known[b]] = p.row_aside[i]
            p.known[b] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def more_errors(p: RaisingState, place: cython.longlong, start: cython.longlong,
                stop: cython.longlong) -> cython.double:
    """How much the estimated errors of a leaf, or of the rows that stop at an inner place, rise by these rows."""
    before: cython.double = p.now[place] if p.cells[place].child < 0 else staying_estimate(p, place)
    after: cython.double
    best: cython.longlong = p.best[place]
    weight: cython.longlong = p.weight[place]
    staying: cython.longlong = p.staying[place]
    i: cython.longlong
    row: cython.int
    label: cython.int
    for i in range(start, stop):
        row = p.moved[i]
        label = p.labels[row]
        p.stats[place, label] += p.weights[row]
        p.weight[place] += p.weights[row]
        if p.stats[place, label] > p.best[place]:
            p.best[place] = p.stats[place, label]
        if p.cells[place].child >= 0 and step_at(p, place, row) < 0:
            p.staying[place] += p.weights[row]
    after = leaf_estimate(p, place) if p.cells[place].child < 0 else staying_estimate(p, place)
    for i in range(start, stop):
        row = p.moved[i]
        p.stats[place, p.labels[row]] -= p.weights[row]
    p.best[place] = best
    p.weight[place] = weight
    p.staying[place] = staying
    return after - before


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_branch(p: RaisingState, branch: cython.longlong, n: cython.longlong) -> cython.double:
    """The estimated errors of a branch when the n rows in `moved` come to it, too; the branch stays as it is.

    They go down together, so that each place is looked at once for all rows that come to it. The rows of the places
    that wait follow each other, those of the place on top last.
    """
    total: cython.double = p.now[branch]
    top: cython.longlong = 1
    stop: cython.longlong = n
    start: cython.longlong
    place: cython.longlong
    b: cython.longlong
    p.stack[0] = branch
    p.behind[0] = 0
    while top > 0:
        top -= 1
        place = p.stack[top]
        start = p.behind[top]
        p.n_steps += stop - start
        if p.stops or p.cells[place].child < 0:
            total += more_errors(p, place, start, stop)
        if p.cells[place].child >= 0:
            divide(p, place, start, stop)
            for b in range(p.n_branches[place]):
                if p.n_known[b] > 0:
                    p.stack[top] = p.cells[place].child + b
                    p.behind[top] = start
                    top += 1
                    start += p.n_known[b]
        stop = start
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_row(p: RaisingState, place: cython.longlong, row: cython.int) -> cython.void:
    """Count a row at a place, and remember that the place was touched."""
    of_class: cython.longlong
    if not p.marked[place]:
        p.marked[place] = 1
        p.touched[p.n_touched] = place
        p.n_touched += 1
    of_class = p.stats[place, p.labels[row]] + p.weights[row]
    p.stats[place, p.labels[row]] = of_class
    p.count[place] += 1
    p.weight[place] += p.weights[row]
    if of_class > p.best[place]:
        p.best[place] = of_class


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def raise_branch(p: RaisingState, place: cython.longlong, branch: cython.longlong, n: cython.longlong) -> cython.void:
    """Let a branch take the place of its parent; the n rows in `moved` come to it from the others."""
    i: cython.longlong
    at: cython.longlong
    node: cython.longlong
    step: cython.longlong
    row: cython.int
    p.n_touched = 0
    for i in range(n):
        row = p.moved[i]
        node = branch
        add_row(p, node, row)
        while p.cells[node].child >= 0:
            step = step_at(p, node, row)
            if step < 0:
                p.staying[node] += p.weights[row]
                break
            node = p.cells[node].child + step
            add_row(p, node, row)
        if p.first_row[node] < 0:
            p.last_row[node] = row
        p.next_row[row] = p.first_row[node]
        p.first_row[node] = row
    for i in range(p.n_touched):
        at = p.touched[i]
        p.marked[at] = 0
        p.changed[at] = 1
        p.as_leaf[at] = leaf_estimate(p, at)
        if p.cells[at].child < 0:
            p.now[at] = p.as_leaf[at]
        elif at != branch:
            wait(p, at)
    p.first_row[place] = p.first_row[branch]
    p.last_row[place] = p.last_row[branch]
    p.staying[place] = p.staying[branch]
    take_over(p, place, branch)
    wait(p, place)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def visit(p: RaisingState, place: cython.longlong) -> cython.void:
    """Decide about a place, once all those below it are decided."""
    subtree: cython.double = staying_estimate(p, place)
    branch: cython.double = p.as_leaf[place]
    child: cython.longlong = p.cells[place].child
    largest: cython.longlong = child
    b: cython.longlong
    verdict: cython.int
    for b in range(p.n_branches[place]):
        subtree += p.now[child + b]
        if p.weight[child + b] >= p.weight[largest]:
            largest = child + b
    # A branch that is a leaf would be the same leaf as the place itself.
    if p.cells[largest].child >= 0:
        branch = try_branch(p, largest, list_others(p, place, largest))
    verdict = judge(p, place, subtree, branch, p.cells[largest].child >= 0)
    if verdict == PRUNED:
        join_lists(p, place)
        become_leaf(p, place)
        p.staying[place] = 0
    elif verdict == RAISED:
        raise_branch(p, place, largest, list_others(p, place, largest))  # to try it left out the rows that stopped
    else:
        p.now[place] = subtree
    p.n_steps += 1


def prune_and_raise(p: RaisingState, budget: cython.longlong) -> bool:
    """Visit places from the bottom up for about this many steps; whether all are done."""
    place: cython.longlong = 0
    with cython.nogil:
        p.n_steps = 0
        while p.n_steps < budget:
            place = next_place(p)
            if place < 0:
                break
            visit(p, place)
    return place < 0
