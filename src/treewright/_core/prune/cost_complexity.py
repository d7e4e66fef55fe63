"""The weakest links of a finished tree: from which alpha on each node is better a leaf.

In: links, where a parent comes before its children, and the risk R of each node as a leaf. Out: the alpha of
each inner node, and what becoming a leaf there costs and saves; and the sums below nodes once some are
leaves.

The least of risk + alpha * leaves that the branch below node t can have,

    f_t(alpha) = min(R(t) + alpha, staying(t) + sum of f over the children of t),

is concave and made of straight pieces: R(t) + alpha from alpha_t on, below it the sum over the children. A
piece begins where a node below becomes a leaf, so the pieces of t are kept as those nodes in a heap with the
greatest alpha on top. A node takes the pieces at and above its own alpha off the heap for good, and puts
itself there. Each node is put and taken once and heaps are merged, never walked: n log n steps for a tree of
any shape. Breiman's loop, which updates all nodes above the weakest link, takes n^2 of them in a long chain.
"""

import cython

if not cython.compiled:
    from treewright._core.codes import TIE


def weakest_links(
    links: tuple, risk: cython.const[cython.double][::1], staying: cython.const[cython.double][::1], heap: tuple,
    alpha: cython.double[::1], rise: cython.double[::1], fewer: cython.longlong[::1],
) -> None:
    """Find the alpha of each node.

    links    (parent, n_children)
    risk     of each node as a leaf
    staying  what an inner node adds to the risks of its branches
    heap     three arrays of node numbers to work in
    alpha    out: the least alpha, 0 or more, at which the node is not worse as a leaf; 0 at a leaf
    rise     out: what the risk rises by when it becomes one, its branch being what it is at that alpha
    fewer    out: by how many the leaves get fewer
    """
    parent: cython.const[cython.longlong][::1] = links[0]
    n_children: cython.const[cython.longlong][::1] = links[1]
    top: cython.longlong[::1] = heap[0]
    high: cython.longlong[::1] = heap[1]
    low: cython.longlong[::1] = heap[2]
    i: cython.longlong
    t: cython.longlong
    leaves: cython.longlong
    below: cython.double
    with cython.nogil:
        for i in range(parent.shape[0]):
            top[i] = high[i] = low[i] = -1
            # Until a node's turn comes, its rise holds the sum of what is below it.
            rise[i] = staying[i]
            fewer[i] = 0
            alpha[i] = 0.0
        for i in range(parent.shape[0] - 1, -1, -1):
            below = rise[i]
            rise[i] = 0.0
            if n_children[i] > 0:
                leaves = n_children[i]
                alpha[i] = crossing(risk[i], below, leaves)
                while top[i] >= 0 and alpha[top[i]] >= alpha[i]:
                    t = top[i]
                    below -= rise[t]
                    leaves += fewer[t]
                    # In theory the crossing can only fall; rounding may not lift it above a node taken off.
                    alpha[i] = min(alpha[t], crossing(risk[i], below, leaves))
                    top[i] = merge_lines(alpha, high, low, high[t], low[t])
                rise[i] = risk[i] - below
                fewer[i] = leaves - 1
                high[i] = low[i] = -1
                top[i] = merge_lines(alpha, high, low, top[i], i)
            if i > 0:
                rise[parent[i]] += risk[i]
                top[parent[i]] = merge_lines(alpha, high, low, top[parent[i]], top[i])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def crossing(risk: cython.double, below: cython.double, leaves: cython.longlong) -> cython.double:
    """Where risk + alpha meets below + alpha * leaves; 0 where the two risks tie."""
    if risk - below <= TIE * (abs(risk) + abs(below)):
        return 0.0
    return (risk - below) / (leaves - 1)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def merge_lines(alpha: cython.double[::1], high: cython.longlong[::1], low: cython.longlong[::1], a: cython.longlong,
                b: cython.longlong) -> cython.longlong:
    """The top of two heaps made one; -1 is an empty one.

    A skew heap (Sleator and Tarjan 1986): the two sides of every visited node are swapped, which keeps the paths
    short on average, log2(n) steps, without storing their lengths.
    """
    root: cython.longlong
    rest: cython.longlong
    if a < 0:
        return b
    if b < 0:
        return a
    if alpha[a] < alpha[b]:
        a, b = b, a
    root = a
    while True:
        rest = low[a]
        low[a] = high[a]
        if rest < 0:
            high[a] = b
            return root
        if alpha[rest] < alpha[b]:
            rest, b = b, rest
        high[a] = rest
        a = rest


def sum_branches(links: tuple, risk: cython.const[cython.double][::1], staying: cython.const[cython.double][::1],
                 prune: cython.const[cython.uchar][::1], below: cython.double[::1],
                 leaves: cython.longlong[::1]) -> None:
    """The risk and the leaves below each node, where marked nodes below it are leaves; at a leaf its own.

    The mark of the node itself does not count.
    """
    parent: cython.const[cython.longlong][::1] = links[0]
    n_children: cython.const[cython.longlong][::1] = links[1]
    i: cython.longlong
    with cython.nogil:
        for i in range(parent.shape[0]):
            below[i] = staying[i] if n_children[i] > 0 else risk[i]
            leaves[i] = 0 if n_children[i] > 0 else 1
        for i in range(parent.shape[0] - 1, 0, -1):
            below[parent[i]] += risk[i] if prune[i] else below[i]
            leaves[parent[i]] += 1 if prune[i] else leaves[i]
