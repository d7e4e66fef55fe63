"""Shrinkage: the shrunken probabilities of some classes at some nodes, along their paths.

In: the parents and class weights of the nodes of a tree, and pairs of a node and a class. Out: the probability of each
pair for each amount of shrinkage. Only the nodes above a pair are read, while `treewright.model.prediction_rule`
computes all classes of all nodes; both add up a path in the same order, so their results are the same to the last bit.
"""

import cython


def shrink_along_paths(
    parent: cython.const[cython.longlong][::1], stats: cython.const[cython.double][:, ::1],
    whole: cython.const[cython.double][::1], rows: cython.const[cython.double][::1],
    amounts: cython.const[cython.double][::1], nodes: cython.const[cython.longlong][::1],
    classes: cython.const[cython.longlong][::1], is_above: cython.uchar[::1], kept: cython.double[:, ::1],
    path: cython.double[:, ::1], out: cython.double[:, ::1],
) -> None:
    """Find the probability of each pair of a node and a class, for some amounts of shrinkage at once.

    stats     class weights; over `whole` they are the proportion of each class at each node
    rows      of each node: the children of a node keep c = 1 / (1 + amount / rows) of their proportion, the root all
    is_above  zeros; becomes 1 where a node is above that of a pair
    kept      room for c by amount: of the root, and behind it of the children of each node
    path      room for as many rows as a path has nodes, and a column for each amount
    out       (amount, pair)
    """
    i: cython.longlong
    j: cython.longlong
    k: cython.longlong
    n: cython.longlong
    m: cython.longlong = amounts.shape[0]
    width: cython.longlong
    node: cython.longlong
    above: cython.longlong
    own: cython.double
    fall: cython.double
    with cython.nogil:
        for k in range(m):
            kept[0, k] = 1.0
        for i in range(nodes.shape[0]):
            node = nodes[i]
            while node > 0 and not is_above[parent[node]]:
                node = parent[node]
                is_above[node] = 1
        for node in range(parent.shape[0]):
            if is_above[node]:
                own = rows[node]
                for k in range(m):
                    kept[node + 1, k] = 1.0 / (1.0 + amounts[k] / own)
        for i in range(nodes.shape[0]):
            node, n = nodes[i], 0
            while node > 0:  # what each node above adds: its proportion times what c falls by below it
                node = parent[node]
                above = parent[node]
                own = stats[node, classes[i]] / whole[node]
                for k in range(m):
                    fall = kept[above + 1, k] - kept[node + 1, k]
                    path[n, k] = own * (fall if fall > 0.0 else 0.0)
                n += 1
            width = 1
            while width < n:  # neighbours are added up, then pairs of neighbours, and so on
                j = 0
                while j + width < n:
                    for k in range(m):
                        path[j, k] += path[j + width, k]
                    j += 2 * width
                width *= 2
            node = nodes[i]
            own = stats[node, classes[i]] / whole[node]
            above = parent[node]
            for k in range(m):
                out[k, i] = (path[0, k] if n > 0 else 0.0) + own * kept[above + 1, k]
