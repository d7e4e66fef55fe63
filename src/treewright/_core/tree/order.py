"""A grown draft -> the order of its nodes in the finished tree.

In: links between nodes. Out: the same, with needless splits taken back, and the nodes level by level: the
root first, siblings together, each parent before its children. No recursion: a tree may be as deep as it has
rows. And what a threshold is between two values.
"""

import cython


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def take_back(first_child: cython.longlong[::1], n_children: cython.longlong[::1],
              stats: cython.longlong[:, ::1], weight: cython.longlong[::1], n_nodes: cython.longlong,
              slack: cython.double, errors: cython.longlong[::1]) -> cython.void:
    """From the bottom up, make a leaf of each node whose children make no fewer errors, less the slack."""
    node: cython.longlong
    b: cython.longlong
    k: cython.longlong
    most: cython.longlong
    major: cython.longlong
    below: cython.longlong
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def level_order(first_child: cython.longlong[::1], n_children: cython.longlong[::1], order: cython.longlong[::1],
                new_parent: cython.longlong[::1], new_first: cython.longlong[::1]) -> cython.longlong:
    """What `by_level` says."""
    n: cython.longlong = 1
    i: cython.longlong = 0
    b: cython.longlong
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


def by_level(first_child: cython.longlong[::1], n_children: cython.longlong[::1], order: cython.longlong[::1],
             new_parent: cython.longlong[::1], new_first: cython.longlong[::1]) -> int:
    """Fill `order` with the nodes that the root still reaches, level by level; how many there are.

    new_parent, new_first  the links between these nodes, in their new numbers: -1 above the root and below a leaf
    """
    return level_order(first_child, n_children, order, new_parent, new_first)


def depths(parent: cython.const[cython.longlong][::1], depth: cython.longlong[::1]) -> None:
    """How many steps each node of a finished tree is from the root; parents come before their children."""
    i: cython.Py_ssize_t
    depth[0] = 0
    for i in range(1, parent.shape[0]):
        depth[i] = depth[parent[i]] + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def halfway(below: cython.double, above: cython.double) -> cython.double:
    """The number halfway between two; below <= it < above always, and never -0.0.

    Neither their sum nor a rounded half may leave that range: the sum can be infinite, the half can be `above`.
    """
    half: cython.double = (below + above) / 2
    if half - half != 0:  # infinite
        half = below / 2 + above / 2
    if not (below <= half and half < above):
        half = below
    return half + 0.0


def midpoints(values: cython.const[cython.double][:, :], wanted: cython.uchar[::1], low_row: cython.longlong[::1],
              high_row: cython.longlong[::1], column: cython.const[cython.int][::1],
              middle: cython.double[::1]) -> None:
    """Where wanted, halfway between the values of two rows; infinity where there are no two (-1)."""
    i: cython.Py_ssize_t
    infinite: cython.double = float("inf")
    for i in range(wanted.shape[0]):
        if not wanted[i]:
            continue
        middle[i] = infinite
        if low_row[i] >= 0:
            middle[i] = halfway(values[low_row[i], column[i]], values[high_row[i], column[i]])
