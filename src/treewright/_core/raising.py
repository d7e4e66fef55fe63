"""Error-based pruning where every row goes one way: leaf, largest branch or subtree, whichever errs least.

In: a tree as `Places`, each training row in the list of the place where it ends. Out: the same tree, pruned.

To know what the largest branch would cost in a place's stead, only the rows of the other branches are sent down it: the
leaves they come to change their estimates, all others stay as they are. When it is raised, only the places they passed
are visited again. So a row is sent once for each place above it where it is not in the largest branch. No recursion: a
tree may be as deep as it has rows.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.places import (
        PRUNED,
        RAISED,
        Places,
        become_leaf,
        branch_at,
        judge,
        leaf_estimate,
        next_place,
        take_over,
        wait,
    )
    from cython.cimports.treewright._core.row_lists import join_lists, list_others
else:
    from treewright._core.places import (
        PRUNED,
        RAISED,
        Places,
        become_leaf,
        branch_at,
        judge,
        leaf_estimate,
        next_place,
        take_over,
        wait,
    )
    from treewright._core.row_lists import join_lists, list_others

LANES = cython.declare(cython.longlong, 16)
UNSEEN = cython.declare(cython.double, float("-inf"))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def step_at(p: Places, place: cython.longlong, row: cython.longlong) -> cython.longlong:
    """`branch_at`, without a call for a number that is known: many rows are sent past many cuts."""
    column: cython.int = p.cells[place].column
    if column >= 0 and p.values[row, column] > UNSEEN:
        return 1 if p.values[row, column] > p.cells[place].cut else 0
    return branch_at(p, place, row)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def staying_estimate(p: Places, place: cython.longlong) -> cython.double:
    """The estimated errors of the rows that stop at an inner place: their part of those of all its rows."""
    if p.staying[place] == 0:
        return 0.0
    return leaf_estimate(p, place) * (p.staying[place] / cython.cast(cython.double, p.weight[place]))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_row(p: Places, place: cython.longlong, row: cython.int) -> cython.void:
    """Count a row at a place, and remember that the place was touched."""
    of_class: cython.longlong
    if not p.marked[place]:
        p.marked[place] = 1
        p.touched[p.n_touched] = place
        p.best_before[p.n_touched] = p.best[place]
        p.n_touched += 1
    of_class = p.stats[place, p.labels[row]] + p.weights[row]
    p.stats[place, p.labels[row]] = of_class
    p.weight[place] += p.weights[row]
    if of_class > p.best[place]:
        p.best[place] = of_class


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_ends(p: Places, branch: cython.longlong, n: cython.longlong) -> cython.void:
    """Write into `end` where each of the n rows in `moved` would end below a branch.

    Several rows go down at once, one step of each in turn, so that the processor overlaps their cache misses.
    """
    lanes = cython.declare(cython.longlong[16])
    places = cython.declare(cython.longlong[16])
    n_lanes: cython.longlong = min(n, LANES)
    following: cython.longlong = n_lanes
    n_steps: cython.longlong = 0
    lane: cython.longlong
    place: cython.longlong
    step: cython.longlong
    for lane in range(n_lanes):
        lanes[lane] = lane
        places[lane] = branch
    while n_lanes > 0:
        lane = 0
        n_steps += n_lanes
        while lane < n_lanes:
            place = places[lane]
            step = step_at(p, place, p.moved[lanes[lane]])
            if step >= 0:
                place = p.cells[place].child + step
                places[lane] = place
                if p.cells[place].child >= 0:
                    lane += 1
                    continue
            p.end[lanes[lane]] = cython.cast(cython.int, place)
            if following < n:
                lanes[lane] = following
                places[lane] = branch
                following += 1
                lane += 1
            else:
                n_lanes -= 1
                lanes[lane] = lanes[n_lanes]
                places[lane] = places[n_lanes]
    p.n_steps += n_steps


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def put(p: Places, place: cython.longlong, row: cython.int, end: cython.longlong) -> cython.void:
    """Count a row where it ends and, where rows may stop above, on its whole way from a place."""
    if p.stops:
        while place != end:
            add_row(p, place, row)
            place = p.cells[place].child + branch_at(p, place, row)
    add_row(p, end, row)
    if p.cells[end].child >= 0:
        p.staying[end] += p.weights[row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_back(p: Places, place: cython.longlong, row: cython.int, end: cython.longlong) -> cython.void:
    """Undo what `put` did to the sums."""
    if p.stops:
        while place != end:
            p.stats[place, p.labels[row]] -= p.weights[row]
            p.weight[place] -= p.weights[row]
            place = p.cells[place].child + branch_at(p, place, row)
    p.stats[end, p.labels[row]] -= p.weights[row]
    p.weight[end] -= p.weights[row]
    if p.cells[end].child >= 0:
        p.staying[end] -= p.weights[row]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def try_branch(p: Places, branch: cython.longlong, n: cython.longlong) -> cython.double:
    """The estimated errors of a branch when the n rows in `moved` come to it, too; the branch stays as it is."""
    total: cython.double = p.now[branch]
    i: cython.longlong
    place: cython.longlong
    p.n_touched = 0
    find_ends(p, branch, n)
    for i in range(n):
        put(p, branch, p.moved[i], p.end[i])
    for i in range(p.n_touched):
        place = p.touched[i]
        if p.cells[place].child < 0:
            total += leaf_estimate(p, place) - p.now[place]
        else:
            total += staying_estimate(p, place)
    for i in range(n):
        take_back(p, branch, p.moved[i], p.end[i])
    for i in range(p.n_touched):
        place = p.touched[i]
        p.marked[place] = 0
        p.best[place] = p.best_before[i]
        if p.cells[place].child >= 0:
            total -= staying_estimate(p, place)
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def raise_branch(p: Places, place: cython.longlong, branch: cython.longlong, n: cython.longlong) -> cython.void:
    """Let a branch take the place of its parent; the n rows in `moved` come to it from the others."""
    i: cython.longlong
    at: cython.longlong
    node: cython.longlong
    row: cython.int
    p.n_touched = 0
    for i in range(n):
        row = p.moved[i]
        node = branch
        while p.cells[node].child >= 0 and node != p.end[i]:
            p.count[node] += 1
            add_row(p, node, row)
            node = p.cells[node].child + step_at(p, node, row)
        p.count[node] += 1
        add_row(p, node, row)
        if p.cells[node].child >= 0:
            p.staying[node] += p.weights[row]
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
def visit(p: Places, place: cython.longlong) -> cython.void:
    """Settle a place, all those below it settled."""
    subtree: cython.double = staying_estimate(p, place)
    branch: cython.double = p.as_leaf[place]
    child: cython.longlong = p.cells[place].child
    largest: cython.longlong = child
    n: cython.longlong = 0
    b: cython.longlong
    verdict: cython.int
    for b in range(p.n_branches[place]):
        subtree += p.now[child + b]
        if p.weight[child + b] >= p.weight[largest]:
            largest = child + b
    # A branch that is a leaf would be the same leaf as the place itself.
    if p.cells[largest].child >= 0:
        n = list_others(p, place, largest)
        branch = try_branch(p, largest, n)
    verdict = judge(p, place, subtree, branch, p.cells[largest].child >= 0)
    if verdict == PRUNED:
        join_lists(p, place)
        become_leaf(p, place)
        p.staying[place] = 0
    elif verdict == RAISED:
        raise_branch(p, place, largest, n)
    else:
        p.now[place] = subtree
    p.n_steps += 1


def settle_places(p: Places, budget: cython.longlong) -> bool:
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
