"""Passes over the nodes of a finished tree: children to parents, parents to children.

In: links, where a parent stands before its children, and a number or more for each node. Out: sums over branches,
and the verdicts of pruning from the bottom up. No recursion: a tree may be as deep as it has rows.
"""

import cython

TIE = cython.declare(cython.double, 1e-12)  # two numbers tie when they differ by no more than this part of them
ENDLESS = cython.declare(cython.double, float("inf"))


def sum_up(parent: cython.const[cython.longlong][::1], table: cython.double[:, ::1]) -> None:
    """Add to every node what stands at the nodes below it; one column after the other."""
    i: cython.longlong
    k: cython.longlong
    with cython.nogil:
        for i in range(parent.shape[0] - 1, 0, -1):
            for k in range(table.shape[1]):
                table[parent[i], k] += table[i, k]


def settle(
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
