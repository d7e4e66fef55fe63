"""A grown draft -> the order of its nodes in the finished tree, and what they hold there.

In: links between nodes. Out: the same, with needless splits taken back, and the nodes level by level: the root
first, siblings together, each parent before its children. No recursion: a tree may be as deep as it has rows.
Thresholds, tables and class weights follow, in the new order.
"""

import cython
import numpy as np

if cython.compiled:
    from cython.cimports.treewright._core.codes import TABLE
else:
    from treewright._core.codes import TABLE


def collapse(first_child: cython.longlong[::1], n_children: cython.longlong[::1],
             stats: cython.longlong[:, ::1], weight: cython.longlong[::1], n_nodes: cython.longlong,
             slack: cython.double, errors: cython.longlong[::1]) -> None:
    """From the bottom up, make a leaf of each node whose children make no fewer errors, less the slack."""
    node: cython.longlong
    b: cython.longlong
    k: cython.longlong
    most: cython.longlong
    major: cython.longlong
    below: cython.longlong
    with cython.nogil:
        for node in range(n_nodes - 1, -1, -1):
            most = 0
            major = 0
            for k in range(stats.shape[1]):
                if stats[node, k] > most:
                    most = stats[node, k]
                    major = k
            errors[node] = weight[node] - most
            if first_child[node] < 0:
                continue
            below = errors[node]  # of the rows that no branch takes, once those of the branches are taken off
            for b in range(n_children[node]):
                below -= weight[first_child[node] + b] - stats[first_child[node] + b, major]
            for b in range(n_children[node]):
                below += errors[first_child[node] + b]
            if below >= errors[node] - slack:
                first_child[node] = -1
            else:
                errors[node] = below


def by_level(first_child: cython.longlong[::1], n_children: cython.longlong[::1], order: cython.longlong[::1],
             new_parent: cython.longlong[::1], new_first: cython.longlong[::1]) -> int:
    """Fill `order` with the nodes that the root still reaches, level by level; how many there are.

    new_parent, new_first  the links between these nodes, in their new numbers: -1 above the root and below a leaf
    """
    n: cython.longlong = 1
    i: cython.longlong = 0
    b: cython.longlong
    with cython.nogil:
        order[0] = 0
        new_parent[0] = -1
        while i < n:
            new_first[i] = -1
            if first_child[order[i]] >= 0:
                new_first[i] = n
                for b in range(n_children[order[i]]):
                    order[n] = first_child[order[i]] + b
                    new_parent[n] = i
                    n += 1
            i += 1
    return n


def depths(parent: cython.const[cython.longlong][::1], depth: cython.longlong[::1]) -> None:
    """How many steps each node of a finished tree is from the root; parents come before their children."""
    i: cython.Py_ssize_t
    depth[0] = 0
    for i in range(1, parent.shape[0]):
        depth[i] = depth[parent[i]] + 1


def midpoints(values: cython.const[cython.double][:, :], asked: cython.uchar[::1], low_row: cython.longlong[::1],
              high_row: cython.longlong[::1], column: cython.const[cython.int][::1],
              middle: cython.double[::1]) -> None:
    """Where asked for, halfway between the values of two rows; low <= middle < high always, and never -0.0.

    Neither their sum nor a rounded half may leave that range: the sum can be infinite, the half can be `high`.
    Infinity where there are no two rows (-1).
    """
    i: cython.Py_ssize_t
    below: cython.double
    above: cython.double
    half: cython.double
    infinite: cython.double = float("inf")
    for i in range(asked.shape[0]):
        if not asked[i]:
            continue
        if low_row[i] < 0:
            middle[i] = infinite
            continue
        below = cython.cast(cython.double, values[low_row[i], column[i]])
        above = cython.cast(cython.double, values[high_row[i], column[i]])
        half = (below + above) / 2
        if half - half != 0:  # infinite
            half = below / 2 + above / 2
        if not (below <= half and half < above):
            half = below
        middle[i] = half + 0.0


def tables(kind: cython.schar[::1], first: cython.longlong[::1], length: cython.longlong[::1],
           pool_code: cython.int[::1], pool_branch: cython.int[::1]):
    """The tables of nodes that have one, laid out one after the other: where each starts, its codes and branches."""
    n: cython.Py_ssize_t = kind.shape[0]
    starts = np.empty(n + 1, np.int64)
    start: cython.longlong[::1] = starts
    total: cython.longlong = 0
    i: cython.Py_ssize_t
    j: cython.longlong
    for i in range(n):
        start[i] = total
        if kind[i] == TABLE:
            total += length[i]
    start[n] = total
    codes = np.empty(total, np.int32)
    branches = np.empty(total, np.int32)
    code: cython.int[::1] = codes
    branch: cython.int[::1] = branches
    for i in range(n):
        for j in range(start[i + 1] - start[i]):
            code[start[i] + j] = pool_code[first[i] + j]
            branch[start[i] + j] = pool_branch[first[i] + j]
    return starts, codes, branches


def class_contents(drafted: cython.longlong[:, ::1], order: cython.longlong[::1], whole: cython.longlong[::1],
                   count: cython.const[cython.longlong][::1], parent: cython.const[cython.longlong][::1],
                   unit: cython.double, weight: cython.double[::1], stats: cython.double[:, ::1],
                   value: cython.double[:, ::1]) -> None:
    """Class weights, of which one is `unit`, and shares of the nodes in order; an empty leaf has its parent's."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for i in range(order.shape[0]):
        weight[i] = cython.cast(cython.double, whole[i]) * unit
        for k in range(stats.shape[1]):
            stats[i, k] = cython.cast(cython.double, drafted[order[i], k]) * unit
            if count[i]:
                value[i, k] = stats[i, k] / weight[i]
            else:
                value[i, k] = value[parent[i], k]
