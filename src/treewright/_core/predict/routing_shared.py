"""Routing down several branches: rows and the nodes where they stopped -> the nodes where they end.

In: the rows that `route` left at an inner node, because a value is missing. Out: all nodes that each of them
reaches, with the weight it has there. `branch_rule.branch_of` decides where a known value goes; `mean_predictions`
repeats its two usual cases, because a call of another kernel at each step takes a third of the time.
No recursion: a tree may be as deep as it has rows.
"""

import cython

if not cython.compiled:
    from treewright._core.branch_rule import Cell, branch_of
    from treewright._core.codes import UNSEEN


def route_fractional(
    values: cython.const[cython.double][:, :], cells: Cell[::1], tables: tuple, fractions: tuple,
    rows: cython.const[cython.longlong][::1], nodes: cython.const[cython.longlong][::1], work: tuple,
    whole_way: cython.bint,
) -> int:
    """Send each row from its node down every branch where its value is missing; how many rows were done.

    fractions  (unseen, n_children, fraction): the branch of an unseen value at each node, an empty array when the
               path ends there; the fraction of its parent's rows that each node takes
    work       (out_node, out_weight, counts, stack_node, stack_weight): the first two are filled with the nodes and
               weights of one row after the other, `counts` with how many each row has
    whole_way  write every node on its paths, not only those where it ends

    It ends early when a further row may find no room. A row ends in no more nodes than there are leaves, which is
    also what the stack holds at most.
    """
    n_codes: cython.int[::1] = tables[0]
    dense: cython.int[::1] = tables[1]
    spans: cython.longlong[:, ::1] = tables[2]
    entries: cython.int[:, ::1] = tables[3]
    unseen: cython.const[cython.int][::1] = fractions[0]
    n_children: cython.const[cython.longlong][::1] = fractions[1]
    fraction: cython.const[cython.double][::1] = fractions[2]
    out_node: cython.longlong[::1] = work[0]
    out_weight: cython.double[::1] = work[1]
    counts: cython.longlong[::1] = work[2]
    stack_node: cython.longlong[::1] = work[3]
    stack_weight: cython.double[::1] = work[4]
    most: cython.longlong = cells.shape[0] if whole_way else stack_node.shape[0]
    # Nodes that a row passes are written only with `whole_way`, but take as much time.
    steps: cython.longlong = 0
    done: cython.longlong = 0
    place: cython.longlong = 0
    before: cython.longlong
    top: cython.longlong
    i: cython.longlong
    b: cython.longlong
    node: cython.longlong
    child: cython.longlong
    column: cython.int
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
                            part = weight * fraction[child + b]
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


def mean_predictions(
    values: cython.const[cython.double][:, :], cells: Cell[::1], tables: tuple, fractions: tuple,
    rows: cython.const[cython.longlong][::1], nodes: cython.const[cython.longlong][::1], work: tuple,
    out: cython.double[:, ::1],
) -> int:
    """The sum of weight times value over the ends that `route_fractional` would write down for each row; how many
    rows were done.

    fractions  as in `route_fractional`, and `value`, what each node predicts
    work    (most, stack, stack_weight, lost): after about `most` nodes it ends; (depth, 2) and (depth) numbers for the
            nodes whose branches are not all done: the next child, and the one behind the last

    A row may end in very many nodes, so what each addition rounds off is kept (in `lost`, one number for each
    number of a value) and added later (Kahan).
    """
    n_codes: cython.int[::1] = tables[0]
    dense: cython.int[::1] = tables[1]
    spans: cython.longlong[:, ::1] = tables[2]
    entries: cython.int[:, ::1] = tables[3]
    unseen: cython.const[cython.int][::1] = fractions[0]
    n_children: cython.const[cython.longlong][::1] = fractions[1]
    fraction: cython.const[cython.double][::1] = fractions[2]
    prediction: cython.const[cython.double][:, ::1] = fractions[3]
    most: cython.longlong = work[0]
    stack: cython.longlong[:, ::1] = work[1]
    stack_weight: cython.double[::1] = work[2]
    lost: cython.double[::1] = work[3]
    i: cython.longlong
    k: cython.longlong
    top: cython.longlong
    node: cython.longlong
    child: cython.longlong
    code: cython.longlong
    column: cython.longlong
    steps: cython.longlong = 0
    done: cython.longlong = 0
    value: cython.double
    weight: cython.double
    term: cython.double
    total: cython.double
    with cython.nogil:
        for i in range(rows.shape[0]):
            if steps > most:
                break
            for k in range(prediction.shape[1]):
                out[i, k] = 0.0
                lost[k] = 0.0
            node = nodes[i]
            weight = 1.0
            top = 0
            while True:
                # Down to where the path ends, or where a value is missing: `child` is -1, or the first of its children.
                while True:
                    steps += 1
                    child = cells[node].child
                    if child < 0:
                        break
                    column = cells[node].column
                    value = values[rows[i], column if column >= 0 else -1 - column]
                    if value > UNSEEN:
                        # The two usual cases of branch_of, which is called for the rest: a call costs more than these.
                        if column >= 0:
                            node = child + cython.cast(cython.longlong, value > cells[node].cut)
                        elif dense.shape[0] > 0 and 0.0 <= value < n_codes[-1 - column]:
                            code = cython.cast(cython.longlong, value)
                            code = code if code == value else n_codes[-1 - column]
                            node = child + dense[cython.cast(cython.longlong, cells[node].cut) + code]
                        else:
                            node = child + branch_of(cells, n_codes, dense, spans, entries, node, value)
                    elif value == UNSEEN and unseen.shape[0] == 0:
                        child = -1
                        break
                    elif value == UNSEEN:
                        node = child + unseen[node]
                    else:
                        break
                if child >= 0:
                    stack[top, 0] = child
                    stack[top, 1] = child + n_children[node]
                    stack_weight[top] = weight
                    top += 1
                else:
                    for k in range(prediction.shape[1]):
                        term = weight * prediction[node, k] - lost[k]
                        total = out[i, k] + term
                        lost[k] = (total - out[i, k]) - term
                        out[i, k] = total
                # On to the next child that has a part of the row.
                weight = 0.0
                while top > 0 and not weight > 0.0:
                    node = stack[top - 1, 0]
                    stack[top - 1, 0] += 1
                    if node < stack[top - 1, 1]:
                        weight = stack_weight[top - 1] * fraction[node]
                    else:
                        top -= 1
                if top == 0:
                    break
            done += 1
    return done
