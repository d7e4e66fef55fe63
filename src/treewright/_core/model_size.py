"""Pruning a regression tree from the bottom up, where an error is worth more the more parameters were fitted.

In: links, where a parent stands before its children, and the loss of each node as a leaf. Out: the error of each node
as a leaf and of its subtree, each times (n + multiplier v) / (n - v) for n rows and v parameters, and the verdicts.
"""

from math import sqrt

import cython

if cython.compiled:
    from cython.cimports.libc.math import sqrt

TIE = cython.declare(cython.double, 1e-12)  # two numbers tie when they differ by no more than this part of them
TOO_FEW = cython.declare(cython.double, 10.0)  # the factor where there are not more rows than parameters


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def charged(loss: cython.double, weight: cython.double, size: cython.double, multiplier: cython.double,
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


def settle_by_size(
    links: tuple, tables: tuple, multiplier: cython.double, is_squared: cython.bint, nothing: cython.double,
    numbers: tuple, prune: cython.uchar[::1],
) -> None:
    """From the bottom up, make a leaf of each node whose charged error is not above that of its subtree.

    links    (parent, n_children)
    tables   (loss of each node as a leaf, of the rows that stay at an inner node, weight)
    nothing  a node whose charged error as a leaf is below this is a leaf
    numbers  out: (charged error as a leaf, of the subtree as it was compared, its parameters)
    prune    out: whether the inner node becomes a leaf

    A leaf has one parameter, its answer; a split has one less than it has branches.
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
            leaf[i] = charged(loss[i], weight[i], 1.0, multiplier, is_squared)
            below[i] = charged(lost, weight[i], size[i], multiplier, is_squared)
            if n_children[i] > 0:
                error = leaf[i] - below[i]
                prune[i] = error <= TIE * (leaf[i] + below[i]) or leaf[i] < nothing
            if i > 0:
                below[parent[i]] += loss[i] if prune[i] else lost
                size[parent[i]] += 1.0 if prune[i] else size[i]
