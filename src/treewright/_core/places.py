"""Places: a tree while it is pruned, and what every way of raising does with it.

In: arrays and numbers by name, as listed with their types in places.pxd. Out: the same, with the splits that are left.
A place is a node of the grown tree; when a branch is raised, its split stands from then on where its parent's stood,
and so do its branches. A place stands before all places below it, whatever is raised.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.limits import estimate
    from cython.cimports.treewright._core.route import branch_of
    from cython.cimports.treewright._core.stand_in import stand_in_branch
else:
    from treewright._core.limits import estimate
    from treewright._core.route import branch_of
    from treewright._core.stand_in import stand_in_branch

    KEPT, PRUNED, RAISED = range(3)

UNSEEN = cython.declare(cython.double, float("-inf"))
NOT_TRIED = cython.declare(cython.double, float("nan"))
TIE = cython.declare(cython.double, 1e-12)  # two estimates tie when they differ by no more than this part of them


@cython.cclass
class Places:
    """A plain record; see places.pxd for what each name holds."""

    def __init__(self, **fields: object) -> None:
        self.assign(fields)

    def assign(self, fields: dict) -> None:
        """Set the named fields."""
        for name, value in fields.items():
            setattr(self, name, value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def least_cost(costs: cython.double[:, ::1], weights: cython.longlong[::1]) -> cython.double:
    """What the cheapest answer costs on rows of these class weights."""
    least: cython.double = 0.0
    cost: cython.double
    answer: cython.Py_ssize_t
    true: cython.Py_ssize_t
    for answer in range(costs.shape[0]):
        cost = 0.0
        for true in range(costs.shape[0]):
            cost += weights[true] * costs[true, answer]
        if answer == 0 or cost < least:
            least = cost
    return least


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def leaf_estimate(p: Places, place: cython.longlong) -> cython.double:
    """The estimated errors of the rows of a place, answered by it, in rows."""
    wrong: cython.double = cython.cast(cython.double, p.weight[place] - p.best[place])
    if p.costs.shape[0] > 0:
        wrong = least_cost(p.costs, p.stats[place])
    return estimate(p.weight[place] * p.scale, wrong * p.scale, p.limit, p.confidence, p.square)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def branch_at(p: Places, place: cython.longlong, row: cython.longlong) -> cython.longlong:
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
def wait(p: Places, place: cython.longlong) -> cython.void:
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
def take_first(p: Places) -> cython.longlong:
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
def next_place(p: Places) -> cython.longlong:
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
    p: Places, place: cython.longlong, subtree: cython.double, branch: cython.double, tried: cython.bint
) -> cython.int:
    """The verdict on an inner place, by the estimates of its subtree and of its largest branch; it is noted.

    tried  whether the largest branch is more than a leaf; otherwise its estimate is that of the place as a leaf
    """
    leaf: cython.double = p.as_leaf[place]
    node: cython.longlong = p.split_of[place]
    verdict: cython.int = KEPT
    if not_above(leaf, subtree + p.allowance) and not_above(leaf, branch + p.allowance):
        verdict = PRUNED
    elif not_above(branch, subtree + p.allowance):
        verdict = RAISED
    p.noted[node, 0] = leaf
    p.noted[node, 1] = subtree
    p.noted[node, 2] = branch if tried else NOT_TRIED
    p.verdict[node] = verdict
    return verdict


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def become_leaf(p: Places, place: cython.longlong) -> cython.void:
    """Take the split off a place."""
    p.cells[place].child = -1
    p.split_of[place] = -1
    p.n_branches[place] = 0
    p.now[place] = p.as_leaf[place]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_over(p: Places, place: cython.longlong, child: cython.longlong) -> cython.void:
    """Let the split of one of its branches stand at a place; the branch's own place is no more."""
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
