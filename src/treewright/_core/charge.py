"""What a candidate pays for its own description: bits over the weight of the node.

In: the number of cuts a number was cut among, or the number of categories and of the groups made of them. Out: log2 of
the number of choices there were, in bits a row; nothing for what is no choice, a branch for each category. Under the
description-length floor a split also pays the bit that tells it from a leaf (Quinlan and Rivest 1989); as far as that
floor is still the average gain, on small tables, growth goes on without, and pruning decides. In regression, where
there is no such floor, it pays this bit and for the number that one leaf more answers, half a bit for each doubling of
the rows (Rissanen 1978).
"""

from math import exp2, log2

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp2, log2
    from cython.cimports.treewright._core.codes import (
        BINARY,
        DESCRIPTION,
        GREEDY,
        LEAST_LOSS,
        SQUARED_ERROR,
        SUBSET,
    )
    from cython.cimports.treewright._core.work import Work
else:
    from treewright._core.codes import BINARY, DESCRIPTION, GREEDY, LEAST_LOSS, SQUARED_ERROR, SUBSET
    from treewright._core.work import Work

MOST_BITS = cython.declare(cython.double, 1000.0)  # 2 to the power of more may be no number


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def split_or_leaf(wk: Work, node: cython.longlong) -> cython.double:
    """The bit that tells a split from a leaf, where the plan counts it; for regression, and one more answer."""
    rows: cython.double = wk.weight[node] / wk.one
    if wk.n_classes == 0:
        return 1.0 + (0.5 * log2(rows) if rows > 1.0 else 0.0)
    return 1.0 - wk.average_part


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bits_of_cuts(cuts: cython.longlong) -> cython.double:
    """To name one of so many cuts."""
    return log2(cython.cast(cython.double, cuts)) if cuts > 1 else 0.0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bits_of_two(n: cython.longlong) -> cython.double:
    """To name one of the 2^(n - 1) - 1 ways to make two groups of n categories."""
    if n <= 2:
        return 0.0
    return (n - 1.0) + log2(1.0 - exp2(1.0 - n))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def bits_of_groups(wk: Work, node: cython.longlong, style: cython.int, n: cython.longlong,
                   k: cython.longlong) -> cython.double:
    """To tell that there is a split, and one of the ways to make k groups of n categories as this style makes them."""
    if style == SUBSET or style == BINARY:
        return split_or_leaf(wk, node) + bits_of_two(n)
    if (style == GREEDY or style == LEAST_LOSS) and k < n:
        return split_or_leaf(wk, node) + wk.log_ways[n, k]
    return split_or_leaf(wk, node)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def charge_of_cut(wk: Work, node: cython.longlong, cuts: cython.longlong) -> cython.double:
    """What a cut pays at this node."""
    bits: cython.double = bits_of_cuts(cuts)
    if wk.charge == DESCRIPTION:
        bits += split_or_leaf(wk, node)
    return bits / (wk.weight[node] / wk.one)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def charge_of_groups(wk: Work, node: cython.longlong, f: cython.longlong) -> cython.double:
    """What the groups just found for column f pay at this node."""
    return bits_of_groups(wk, node, wk.c_style[f], wk.c_blocks[f], wk.c_branches[f]) / (wk.weight[node] / wk.one)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def loss_of_bits(wk: Work, rest: cython.double, bits: cython.double) -> cython.double:
    """Regression: bits a row as a part of the loss, so that they can be taken off a gain.

    To tell a target to some precision takes log2 of its standard deviation (squared error, a normal distribution) or
    of its mean deviation (absolute error, a Laplace distribution) and a constant. So a split that leaves the loss
    `rest` and costs so many bits is worth one without charge that leaves rest * 4^bits, or rest * 2^bits.
    """
    if wk.criterion == SQUARED_ERROR:
        bits *= 2.0
    if bits > MOST_BITS:
        bits = MOST_BITS
    return rest * (exp2(bits) - 1.0)
