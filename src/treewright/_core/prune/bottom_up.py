"""Passes over the nodes of a finished tree: children to parents, parents to children.

In: links, where a parent comes before its children, and a number or more for each node. Out: sums over
branches, the decisions of bottom-up pruning (also with the error factor (n + multiplier v) / (n - v) of M5,
for n rows and v parameters), and for each inner node the nearest node above it that tests the same column. No
recursion: a tree may be as deep as it has rows.
"""

import cython

if not cython.compiled:
    from math import sqrt

    from treewright._core.codes import TIE

ENDLESS = cython.declare(cython.double, float("inf"))


def sum_up(parent: cython.const[cython.longlong][::1], table: cython.double[:, ::1]) -> None:
    """Add to every node the numbers of the nodes below it; one column after the other."""
    i: cython.longlong
    k: cython.longlong
    with cython.nogil:
        for i in range(parent.shape[0] - 1, 0, -1):
            for k in range(table.shape[1]):
                table[parent[i], k] += table[i, k]


def prune_bottom_up(
    links: tuple, leaf: cython.const[cython.double][::1], staying: cython.const[cython.double][::1],
    allowance: cython.double, strict: cython.bint, below: cython.double[::1], prune: cython.uchar[::1],
) -> None:
    """From the bottom up, make a leaf of each node whose number as a leaf is not above that of its branches.

    links      (parent, n_children)
    leaf       the number of each node as a leaf
    staying    what an inner node adds to the sum of its branches
    allowance  how far above that sum the leaf may be
    strict     the leaf has to be below it
    below      out: the sum that was compared, each branch pruned already; a leaf's own number at a leaf
    prune      out: whether the inner node becomes a leaf
    """
    parent: cython.const[cython.longlong][::1] = links[0]
    n_children: cython.const[cython.longlong][::1] = links[1]
    i: cython.longlong
    limit: cython.double
    slack: cython.double
    with cython.nogil:
        for i in range(parent.shape[0]):
            below[i] = staying[i] if n_children[i] > 0 else leaf[i]
            prune[i] = 0
        for i in range(parent.shape[0] - 1, -1, -1):
            if n_children[i] > 0:
                limit = below[i] + allowance
                slack = TIE * (abs(leaf[i]) + abs(limit))
                prune[i] = leaf[i] < limit - slack if strict else leaf[i] <= limit + slack
            if i > 0:
                below[parent[i]] += leaf[i] if prune[i] else below[i]


def least_above(parent: cython.const[cython.longlong][::1], own: cython.const[cython.double][::1],
                out: cython.double[::1]) -> None:
    """The least number of the nodes above each node; infinity at the root."""
    i: cython.longlong
    with cython.nogil:
        out[0] = ENDLESS
        for i in range(1, parent.shape[0]):
            out[i] = min(out[parent[i]], own[parent[i]])


def covered(parent: cython.const[cython.longlong][::1], prune: cython.const[cython.uchar][::1],
            out: cython.uchar[::1]) -> None:
    """Whether a node above each node becomes a leaf, so that the node is gone."""
    i: cython.longlong
    with cython.nogil:
        out[0] = 0
        for i in range(1, parent.shape[0]):
            out[i] = out[parent[i]] | prune[parent[i]]


def largest_below(parent: cython.const[cython.longlong][::1], out: cython.double[::1]) -> None:
    """Raise the number of every node to the largest of the nodes below it."""
    i: cython.longlong
    with cython.nogil:
        for i in range(parent.shape[0] - 1, 0, -1):
            out[parent[i]] = max(out[parent[i]], out[i])


def nearest_same_column(
    links: tuple, column: cython.const[cython.int][::1], work: tuple, nearest: cython.longlong[::1],
    step: cython.longlong[::1],
) -> None:
    """Write the nearest node above each inner node that splits on the same column, and its child on the path; -1
    where there is none.

    links  (parent, first_child, n_children)
    work   (last, stack, left): -1 for each column; room for two entries a node; room for an entry a node
    """
    parent: cython.const[cython.longlong][::1] = links[0]
    first_child: cython.const[cython.longlong][::1] = links[1]
    n_children: cython.const[cython.longlong][::1] = links[2]
    last: cython.longlong[::1] = work[0]  # the nearest node on the path that splits on each column
    stack: cython.longlong[::1] = work[1]
    left: cython.longlong[::1] = work[2]  # the child by which the path leaves each node on it
    top: cython.longlong = 1
    node: cython.longlong
    b: cython.longlong
    with cython.nogil:
        stack[0] = 0
        while top > 0:
            top -= 1
            node = stack[top]
            if node < 0:  # all below the node is done
                node = -1 - node
                last[column[node]] = nearest[node]
                continue
            if parent[node] >= 0:
                left[parent[node]] = node
            nearest[node] = -1
            step[node] = -1
            if n_children[node] == 0:
                continue
            nearest[node] = last[column[node]]
            if nearest[node] >= 0:
                step[node] = left[nearest[node]]
            last[column[node]] = node
            stack[top] = -1 - node
            top += 1
            for b in range(n_children[node]):
                stack[top] = first_child[node] + b
                top += 1


TOO_FEW = cython.declare(cython.double, 10.0)  # the factor where there are not more rows than parameters


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def penalised_error(loss: cython.double, weight: cython.double, size: cython.double, multiplier: cython.double,
                    is_squared: cython.bint) -> cython.double:
    """The mean loss, or its root where losses are squares, times the factor for so many parameters."""
    error: cython.double
    if weight <= 0:
        return 0.0
    error = loss / weight
    if is_squared:
        error = sqrt(error)
    if weight <= size:
        return TOO_FEW * error
    return error * (weight + multiplier * size) / (weight - size)


def prune_by_size(
    links: tuple, tables: tuple, multiplier: cython.double, is_squared: cython.bint, nothing: cython.double,
    numbers: tuple, prune: cython.uchar[::1],
) -> None:
    """From the bottom up, make a leaf of each node whose penalised_error error is not above that of its subtree.

    links    (parent, n_children)
    tables   (loss of each node as a leaf, of the rows that stay at an inner node, weight)
    nothing  a node whose penalised_error error as a leaf is below this is a leaf
    numbers  out: (penalised_error error as a leaf, of the subtree as it was compared, its parameters)
    prune    out: whether the inner node becomes a leaf

    A leaf has one parameter, its prediction; a split has one less than it has branches.
    """
    parent: cython.const[cython.longlong][::1] = links[0]
    n_children: cython.const[cython.longlong][::1] = links[1]
    loss: cython.const[cython.double][::1] = tables[0]
    staying: cython.const[cython.double][::1] = tables[1]
    weight: cython.const[cython.double][::1] = tables[2]
    leaf: cython.double[::1] = numbers[0]
    below: cython.double[::1] = numbers[1]
    size: cython.double[::1] = numbers[2]
    i: cython.longlong
    lost: cython.double
    error: cython.double
    with cython.nogil:
        for i in range(parent.shape[0]):
            below[i] = staying[i] if n_children[i] > 0 else loss[i]
            size[i] = n_children[i] - 1 if n_children[i] > 0 else 1
            prune[i] = 0
        for i in range(parent.shape[0] - 1, -1, -1):
            lost = below[i]
            leaf[i] = penalised_error(loss[i], weight[i], 1.0, multiplier, is_squared)
            below[i] = penalised_error(lost, weight[i], size[i], multiplier, is_squared)
            if n_children[i] > 0:
                error = leaf[i] - below[i]
                prune[i] = error <= TIE * (leaf[i] + below[i]) or leaf[i] < nothing
            if i > 0:
                below[parent[i]] += loss[i] if prune[i] else lost
                size[parent[i]] += 1.0 if prune[i] else size[i]
