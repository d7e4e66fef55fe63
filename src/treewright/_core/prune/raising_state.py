"""A tree while error-based pruning raises branches, and the rows at each of its nodes.

In: arrays and numbers by name. Out: the same, with the splits that are left. A place is a node of the grown
tree; when a branch is raised, its split moves to where its parent's was, and so do its branches. A place
comes before all places below it, whatever is raised. Where every row takes one path, each row is in the list
of the place where it ends. No recursion: a tree may be as deep as it has rows.
"""

import cython

if not cython.compiled:
    from treewright._core.branch_rule import Cell, StandIn, branch_of, stand_in_branch
    from treewright._core.codes import KEPT, PRUNED, RAISED, TIE, UNSEEN
    from treewright._core.prune.error_limits import estimate

NOT_TRIED = cython.declare(cython.double, float("nan"))


@cython.cclass
class RaisingState:
    """A plain record."""

    # the table: rows with weight only
    values = cython.declare(cython.const[cython.double][:, :], visibility="public")
    labels = cython.declare(cython.const[cython.int][::1], visibility="public")
    weights = cython.declare(cython.const[cython.longlong][::1], visibility="public")  # in units
    n_classes = cython.declare(cython.int, visibility="public")

    # the splits, by place; a raised branch's split is copied to its new place
    cells: Cell[::1]
    n_codes = cython.declare(cython.int[::1], visibility="public")
    dense = cython.declare(cython.int[::1], visibility="public")
    spans = cython.declare(cython.longlong[:, ::1], visibility="public")
    entries = cython.declare(cython.int[:, ::1], visibility="public")
    # the node of the grown tree whose split is here; -1 at a leaf
    split_of = cython.declare(cython.longlong[::1], visibility="public")
    n_branches = cython.declare(cython.longlong[::1], visibility="public")
    # without entries: rows stop where a value is missing
    missing_branch = cython.declare(cython.int[::1], visibility="public")
    first_stand_in = cython.declare(cython.const[cython.longlong][::1], visibility="public")
    stand_ins: StandIn[::1]
    stand_in_entries = cython.declare(cython.int[:, ::1], visibility="public")

    # the rows at each place, in sums
    count = cython.declare(cython.longlong[::1], visibility="public")
    weight = cython.declare(cython.longlong[::1], visibility="public")
    best = cython.declare(cython.longlong[::1], visibility="public")  # the weight of the majority
    stats = cython.declare(cython.longlong[:, ::1], visibility="public")
    changed = cython.declare(cython.uchar[::1], visibility="public")  # other rows came here than in growth

    # estimated errors
    # (true class, predicted class); without entries: 1 for each wrong one
    costs = cython.declare(cython.double[:, ::1], visibility="public")
    as_leaf = cython.declare(cython.double[::1], visibility="public")
    now = cython.declare(cython.double[::1], visibility="public")  # of the current subtree
    limit = cython.declare(cython.int, visibility="public")
    confidence = cython.declare(cython.double, visibility="public")
    square = cython.declare(cython.double, visibility="public")
    # the size of a unit of weight, which counts rows
    scale = cython.declare(cython.double, visibility="public")
    allowance = cython.declare(cython.double, visibility="public")  # in rows

    # the nodes still to be visited: all before `following`, and those that wait because rows came to them
    following = cython.declare(cython.longlong, visibility="public")
    n_waiting = cython.declare(cython.longlong, visibility="public")
    waiting = cython.declare(cython.longlong[::1], visibility="public")  # a heap, the highest number first
    waits = cython.declare(cython.uchar[::1], visibility="public")

    # the last visit of each node of the grown tree
    recorded = cython.declare(cython.double[:, ::1], visibility="public")  # as a leaf, subtree, largest branch
    verdict = cython.declare(cython.schar[::1], visibility="public")

    # scratch
    n_steps = cython.declare(cython.longlong, visibility="public")  # of rows, since the last pause
    n_touched = cython.declare(cython.longlong, visibility="public")
    touched = cython.declare(cython.longlong[::1], visibility="public")
    stack = cython.declare(cython.longlong[::1], visibility="public")
    # where the rows of the places on the stack start
    behind = cython.declare(cython.longlong[::1], visibility="public")
    marked = cython.declare(cython.uchar[::1], visibility="public")
    # the branch of each row that is routed; -1 where the value is missing
    side = cython.declare(cython.int[::1], visibility="public")
    row_aside = cython.declare(cython.int[::1], visibility="public")
    known = cython.declare(cython.longlong[::1], visibility="public")  # by branch: known weight
    n_known = cython.declare(cython.longlong[::1], visibility="public")  # by branch: rows

    # rows that take one path: those that end at a place are a list
    stops = cython.declare(cython.bint, visibility="public")
    first_row = cython.declare(cython.int[::1], visibility="public")
    last_row = cython.declare(cython.int[::1], visibility="public")
    next_row = cython.declare(cython.int[::1], visibility="public")
    # the weight of rows that stop at an inner place
    staying = cython.declare(cython.longlong[::1], visibility="public")
    moved = cython.declare(cython.int[::1], visibility="public")  # rows that are routed

    # fractional rows: the parts at a leaf are a segment of the store
    close = cython.declare(cython.double, visibility="public")  # weights this close, in units, are equal
    least_share = cython.declare(cython.double, visibility="public")  # in units
    # by node of the grown tree: where rows go when all miss the value
    usual_branch = cython.declare(cython.const[cython.int][::1], visibility="public")
    n_stored = cython.declare(cython.longlong, visibility="public")
    start = cython.declare(cython.longlong[::1], visibility="public")  # of each leaf's segment
    stored_row = cython.declare(cython.int[::1], visibility="public")
    stored_weight = cython.declare(cython.longlong[::1], visibility="public")
    # the weight of each row; 0 between visits
    gathered = cython.declare(cython.longlong[::1], visibility="public")
    row_at = cython.declare(cython.int[::1], visibility="public")  # rows that are routed, and their weights
    weight_at = cython.declare(cython.longlong[::1], visibility="public")
    weight_aside = cython.declare(cython.longlong[::1], visibility="public")
    n_ended = cython.declare(cython.longlong, visibility="public")  # parts of rows that ended in leaves
    sums = cython.declare(cython.longlong[::1], visibility="public")  # by class; 0 between leaves
    key = cython.declare(cython.double[::1], visibility="public")
    side_of = cython.declare(cython.int[::1], visibility="public")
    order = cython.declare(cython.int[::1], visibility="public")
    by_weight = cython.declare(cython.int[::1], visibility="public")
    portion = cython.declare(cython.double[::1], visibility="public")

    def __init__(self, **fields: object) -> None:
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            if name == "cells":
                self.cells = value
            elif name == "stand_ins":
                self.stand_ins = value
            else:
                setattr(self, name, value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def least_cost(costs: cython.double[:, ::1], weights: cython.longlong[::1]) -> cython.double:
    """What the cheapest prediction costs on rows of these class weights."""
    least: cython.double = 0.0
    cost: cython.double
    predicted: cython.Py_ssize_t
    true: cython.Py_ssize_t
    for predicted in range(costs.shape[0]):
        cost = 0.0
        for true in range(costs.shape[0]):
            cost += weights[true] * costs[true, predicted]
        if predicted == 0 or cost < least:
            least = cost
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leaf_estimate(p: RaisingState, place: cython.longlong) -> cython.double:
    """The estimated errors of the rows of a place, predicted by it, in rows."""
    wrong: cython.double = cython.cast(cython.double, p.weight[place] - p.best[place])
    if p.costs.shape[0] > 0:
        wrong = least_cost(p.costs, p.stats[place])
    return estimate(p.weight[place] * p.scale, wrong * p.scale, p.limit, p.confidence, p.square)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def branch_at(p: RaisingState, place: cython.longlong, row: cython.longlong) -> cython.longlong:
    """The branch a row takes at an inner place; -1 where its value is missing and nothing says where it goes."""
    column: cython.int = p.cells[place].column
    value: cython.double = p.values[row, column if column >= 0 else -1 - column]
    branch: cython.int = -1
    node: cython.longlong
    if value > UNSEEN:
        # The two usual cases of branch_of, which is called for the rest: here a call costs more than what it does.
        if column >= 0:
            return 1 if value > p.cells[place].cut else 0
        if p.dense.shape[0] > 0:
            return p.dense[cython.cast(cython.longlong, p.cells[place].cut) + cython.cast(cython.longlong, value)]
        return branch_of(p.cells, p.n_codes, p.dense, p.spans, p.entries, place, value)
    if p.first_stand_in.shape[0] > 0:
        node = p.split_of[place]
        branch = stand_in_branch(
            p.values, row, p.stand_ins, p.stand_in_entries, p.first_stand_in[node], p.first_stand_in[node + 1]
        )
    if branch < 0 and p.missing_branch.shape[0] > 0:
        branch = p.missing_branch[place]
    return branch


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def wait(p: RaisingState, place: cython.longlong) -> cython.void:
    """Have a place visited again, before all places that stand before it."""
    at: cython.longlong = p.n_waiting
    above: cython.longlong
    if p.waits[place]:
        return
    p.waits[place] = 1
    p.n_waiting += 1
    while at > 0:
        above = (at - 1) >> 1
        if p.waiting[above] > place:
            break
        p.waiting[at] = p.waiting[above]
        at = above
    p.waiting[at] = place


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_first(p: RaisingState) -> cython.longlong:
    """The highest place of the heap, taken off it."""
    first: cython.longlong = p.waiting[0]
    at: cython.longlong = 0
    below: cython.longlong
    last: cython.longlong
    p.n_waiting -= 1
    last = p.waiting[p.n_waiting]
    while 2 * at + 1 < p.n_waiting:
        below = 2 * at + 1
        if below + 1 < p.n_waiting and p.waiting[below + 1] > p.waiting[below]:
            below += 1
        if p.waiting[below] < last:
            break
        p.waiting[at] = p.waiting[below]
        at = below
    p.waiting[at] = last
    p.waits[first] = 0
    return first


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def next_place(p: RaisingState) -> cython.longlong:
    """The inner place to be visited next, all those below it done; -1 at the end."""
    if p.n_waiting > 0:
        return take_first(p)
    while p.following > 0:
        p.following -= 1
        if p.cells[p.following].child >= 0:
            return p.following
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def not_above(number: cython.double, limit: cython.double) -> cython.bint:
    return number <= limit + TIE * (abs(number) + abs(limit))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def judge(
    p: RaisingState, place: cython.longlong, subtree: cython.double, branch: cython.double, tried: cython.bint
) -> cython.int:
    """The verdict on an inner place, by the estimates of its subtree and of its largest branch; it is recorded.

    tried  whether the largest branch is more than a leaf; otherwise its estimate is that of the place as a leaf
    """
    leaf: cython.double = p.as_leaf[place]
    node: cython.longlong = p.split_of[place]
    verdict: cython.int = KEPT
    if not_above(leaf, subtree + p.allowance) and not_above(leaf, branch + p.allowance):
        verdict = PRUNED
    elif not_above(branch, subtree + p.allowance):
        verdict = RAISED
    p.recorded[node, 0] = leaf
    p.recorded[node, 1] = subtree
    p.recorded[node, 2] = branch if tried else NOT_TRIED
    p.verdict[node] = verdict
    return verdict


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def become_leaf(p: RaisingState, place: cython.longlong) -> cython.void:
    """Take the split off a place."""
    p.cells[place].child = -1
    p.split_of[place] = -1
    p.n_branches[place] = 0
    p.now[place] = p.as_leaf[place]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_over(p: RaisingState, place: cython.longlong, child: cython.longlong) -> cython.void:
    """Move the split of one of its branches to a place; the place of the branch is removed."""
    p.cells[place] = p.cells[child]
    p.split_of[place] = p.split_of[child]
    p.split_of[child] = -1
    p.n_branches[place] = p.n_branches[child]
    if p.missing_branch.shape[0] > 0:
        p.missing_branch[place] = p.missing_branch[child]
    if p.spans.shape[0] > 0:
        p.spans[place, 0] = p.spans[child, 0]
        p.spans[place, 1] = p.spans[child, 1]
        p.spans[place, 2] = p.spans[child, 2]


def make_lists(nodes: cython.longlong[::1], first_row: cython.int[::1], last_row: cython.int[::1],
               next_row: cython.int[::1]) -> None:
    """List the rows that end at each node, in their order; the lists are empty (-1) before."""
    i: cython.longlong
    row: cython.int
    with cython.nogil:
        for i in range(nodes.shape[0] - 1, -1, -1):
            row = cython.cast(cython.int, i)
            if first_row[nodes[i]] < 0:
                last_row[nodes[i]] = row
            next_row[i] = first_row[nodes[i]]
            first_row[nodes[i]] = row


def rows_by_leaf(first_child: cython.const[cython.longlong][::1], n_children: cython.const[cython.longlong][::1],
                 first_row: cython.int[::1], next_row: cython.int[::1], stack: cython.longlong[::1],
                 order: cython.longlong[::1]) -> None:
    """Fill `order` with the rows of all lists, so that those below any node follow each other.

    stack  room for the nodes that wait
    """
    n: cython.longlong = 0
    top: cython.longlong = 1
    node: cython.longlong
    b: cython.longlong
    row: cython.int
    with cython.nogil:
        stack[0] = 0
        while top > 0:
            top -= 1
            node = stack[top]
            row = first_row[node]
            while row >= 0:
                order[n] = row
                n += 1
                row = next_row[row]
            for b in range(n_children[node]):
                stack[top] = first_child[node] + b
                top += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_rows(p: RaisingState, place: cython.longlong, n: cython.longlong) -> cython.longlong:
    """Write the rows that end at a place or below it behind the first n of `moved`; how many there are then."""
    top: cython.longlong = 1
    b: cython.longlong
    node: cython.longlong
    row: cython.int
    p.stack[0] = place
    while top > 0:
        top -= 1
        node = p.stack[top]
        row = p.first_row[node]
        while row >= 0:
            p.moved[n] = row
            n += 1
            row = p.next_row[row]
        if p.cells[node].child >= 0:
            for b in range(p.n_branches[node]):
                p.stack[top] = p.cells[node].child + b
                top += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_others(p: RaisingState, place: cython.longlong, largest: cython.longlong) -> cython.longlong:
    """Write the rows of a place that do not go down its largest branch into `moved`; how many there are."""
    n: cython.longlong = 0
    b: cython.longlong
    row: cython.int = p.first_row[place]
    while row >= 0:
        p.moved[n] = row
        n += 1
        row = p.next_row[row]
    for b in range(p.n_branches[place]):
        if p.cells[place].child + b != largest:
            n = list_rows(p, p.cells[place].child + b, n)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join_lists(p: RaisingState, place: cython.longlong) -> cython.void:
    """Make one list of the rows that end at a place or below it."""
    top: cython.longlong = 1
    b: cython.longlong
    node: cython.longlong
    p.stack[0] = place
    while top > 0:
        top -= 1
        node = p.stack[top]
        if p.cells[node].child >= 0:
            for b in range(p.n_branches[node]):
                p.stack[top] = p.cells[node].child + b
                top += 1
        if node == place or p.first_row[node] < 0:
            continue
        p.next_row[p.last_row[node]] = p.first_row[place]
        if p.first_row[place] < 0:
            p.last_row[place] = p.last_row[node]
        p.first_row[place] = p.first_row[node]
