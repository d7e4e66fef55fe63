"""Routing on from where a value is missing: rows and the nodes where they stopped -> the ends of their ways.

In: the rows that `route` left at an inner node, and what the rule says there. Out: the one node where each of them
ends; or, where a row goes down every branch, all of its nodes with the weight it has there. What a known value
does is said by route.branch_of alone. No recursion: a tree may be as deep as it has rows.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.route import Cell, branch_of
else:
    from treewright._core.route import Cell, branch_of

i32 = cython.typedef(cython.int)
i64 = cython.typedef(cython.longlong)

StandIn = cython.struct(
    cut=cython.double, start=cython.longlong, stop=cython.longlong, column=cython.int, low=cython.int
)
"""A surrogate. low: the branch of value <= cut, or -1 where the entries (code, branch) from start to stop are
searched."""

UNSEEN = cython.declare(cython.double, float("-inf"))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def stand_in_branch(
    values: cython.const[cython.double][:, :], row: i64, stand_ins: StandIn[::1], entries: i32[:, ::1], first: i64,
    behind: i64,
) -> i32:
    """The branch the first surrogate names that knows its value of the row; -1 when none does."""
    s: i64
    start: i64
    end: i64
    middle: i64
    value: cython.double
    for s in range(first, behind):
        value = values[row, stand_ins[s].column]
        if not value > UNSEEN:
            continue
        if stand_ins[s].low >= 0:
            return stand_ins[s].low if value <= stand_ins[s].cut else 1 - stand_ins[s].low
        start = stand_ins[s].start
        end = stand_ins[s].stop
        while start < end:
            middle = (start + end) >> 1
            if entries[middle, 0] < value:
                start = middle + 1
            else:
                end = middle
        if start < stand_ins[s].stop and entries[start, 0] == value:
            return entries[start, 1]
    return -1


def resume(
    values: cython.const[cython.double][:, :], cells: Cell[::1], tables: tuple, picks: tuple, surrogates: tuple,
    rows: cython.const[i64][::1], nodes: i64[::1],
) -> None:
    """Take each row on from its node to the node where it ends: one way, whatever is missing.

    picks       (missing, unseen): the branch to take at each node; an empty array: the way ends there
    surrogates  (first surrogate of each node, the surrogates, their entries); an empty first array: none are asked
    """
    n_codes: i32[::1] = tables[0]
    dense: i32[::1] = tables[1]
    spans: i64[:, ::1] = tables[2]
    entries: i32[:, ::1] = tables[3]
    missing: cython.const[i32][::1] = picks[0]
    unseen: cython.const[i32][::1] = picks[1]
    first: cython.const[i64][::1] = surrogates[0]
    stand_ins: StandIn[::1] = surrogates[1]
    stand_in_entries: i32[:, ::1] = surrogates[2]
    asks: cython.bint = first.shape[0] > 0
    i: i64
    node: i64
    column: i32
    branch: i32
    value: cython.double
    with cython.nogil:
        for i in range(rows.shape[0]):
            node = nodes[i]
            while cells[node].child >= 0:
                column = cells[node].column
                value = values[rows[i], column if column >= 0 else -1 - column]
                if value > UNSEEN:
                    branch = branch_of(cells, n_codes, dense, spans, entries, node, value)
                elif value == UNSEEN:
                    branch = unseen[node] if unseen.shape[0] > 0 else -1
                else:
                    branch = -1
                    if asks:
                        branch = stand_in_branch(
                            values, rows[i], stand_ins, stand_in_entries, first[node], first[node + 1]
                        )
                    if branch < 0 and missing.shape[0] > 0:
                        branch = missing[node]
                if branch < 0:
                    break
                node = cells[node].child + branch
            nodes[i] = node


def spread(
    values: cython.const[cython.double][:, :], cells: Cell[::1], tables: tuple, shares: tuple,
    rows: cython.const[i64][::1], nodes: cython.const[i64][::1], work: tuple, whole_way: cython.bint,
) -> int:
    """Send each row from its node down every branch where its value is missing; how many rows were done.

    shares     (unseen, n_children, share): the branch of an unseen value at each node, an empty array when the way
               ends there; the share of its parent's rows that each node takes
    work       (out_node, out_weight, counts, stack_node, stack_weight): the first two are filled with the nodes and
               weights of one row after the other, `counts` with how many each row has
    whole_way  write down every node on the way, not only those where it ends

    It ends early when a further row may find no room. A row ends in no more nodes than there are leaves, which is
    also what the stack holds at most.
    """
    n_codes: i32[::1] = tables[0]
    dense: i32[::1] = tables[1]
    spans: i64[:, ::1] = tables[2]
    entries: i32[:, ::1] = tables[3]
    unseen: cython.const[i32][::1] = shares[0]
    n_children: cython.const[i64][::1] = shares[1]
    share: cython.const[cython.double][::1] = shares[2]
    out_node: i64[::1] = work[0]
    out_weight: cython.double[::1] = work[1]
    counts: i64[::1] = work[2]
    stack_node: i64[::1] = work[3]
    stack_weight: cython.double[::1] = work[4]
    most: i64 = cells.shape[0] if whole_way else stack_node.shape[0]
    # Nodes that are passed leave nothing behind unless the way is written down, but cost as much time.
    steps: i64 = 0
    done: i64 = 0
    place: i64 = 0
    before: i64
    top: i64
    i: i64
    b: i64
    node: i64
    child: i64
    column: i32
    value: cython.double
    weight: cython.double
    part: cython.double
    is_end: cython.bint
    with cython.nogil:
        for i in range(rows.shape[0]):
            if place + most > out_node.shape[0] or steps > out_node.shape[0]:
                break
            before = place
            stack_node[0] = nodes[i]
            stack_weight[0] = 1.0
            top = 1
            while top > 0:
                top -= 1
                node = stack_node[top]
                weight = stack_weight[top]
                steps += 1
                child = cells[node].child
                is_end = child < 0
                if not is_end:
                    column = cells[node].column
                    value = values[rows[i], column if column >= 0 else -1 - column]
                    if value > UNSEEN:
                        stack_node[top] = child + branch_of(cells, n_codes, dense, spans, entries, node, value)
                        top += 1
                    elif value == UNSEEN:
                        is_end = unseen.shape[0] == 0
                        if not is_end:
                            stack_node[top] = child + unseen[node]
                            top += 1
                    else:
                        for b in range(n_children[node] - 1, -1, -1):
                            part = weight * share[child + b]
                            if part > 0.0:
                                stack_node[top] = child + b
                                stack_weight[top] = part
                                top += 1
                if is_end or whole_way:
                    out_node[place] = node
                    out_weight[place] = weight
                    place += 1
            counts[i] = place - before
            done += 1
    return done


def mean_of_ends(
    nodes: cython.const[i64][::1], weights: cython.const[cython.double][::1], starts: cython.const[i64][::1],
    value: cython.const[cython.double][:, ::1], lost: cython.double[::1], out: cython.double[:, ::1],
) -> None:
    """The sum of weight times value over the nodes of each row, `nodes[starts[i]:starts[i + 1]]`.

    A row may end in very many nodes, so what each addition rounds off is kept (in `lost`, one number for each
    number of a value) and added later (Kahan).
    """
    i: i64
    j: i64
    k: i64
    term: cython.double
    total: cython.double
    with cython.nogil:
        for i in range(out.shape[0]):
            for k in range(value.shape[1]):
                out[i, k] = 0.0
                lost[k] = 0.0
            for j in range(starts[i], starts[i + 1]):
                for k in range(value.shape[1]):
                    term = weights[j] * value[nodes[j], k] - lost[k]
                    total = out[i, k] + term
                    lost[k] = (total - out[i, k]) - term
                    out[i, k] = total
