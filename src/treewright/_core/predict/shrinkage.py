"""Shrinkage: the shrunken probabilities of some classes at some nodes, along their paths.

In: the parents, class shares and factors of the nodes of a tree, and pairs of a node and a class. Out: the probability
of each pair. Only the nodes above a pair are read, while `treewright.model.answering` works out all classes of all
nodes; both add up a path in the same order, so that their results are the same to the last bit.
"""

import cython


def shrink_along_paths(
    parent: cython.const[cython.longlong][::1], share: cython.const[cython.double][:, ::1],
    kept: cython.const[cython.double][:, ::1], nodes: cython.const[cython.longlong][::1],
    classes: cython.const[cython.longlong][::1], path: cython.double[:, ::1], out: cython.double[:, ::1],
) -> None:
    """Find the probability of each pair of a node and a class, for some amounts of shrinkage at once.

    share  of each class at each node
    kept   c = 1 / (1 + amount / rows of the parent), (node, amount); 1 at the root
    path   room for as many rows as a path has nodes, and a column for each amount
    out    (amount, pair)
    """
    i: cython.longlong
    j: cython.longlong
    k: cython.longlong
    n: cython.longlong
    m: cython.longlong = kept.shape[1]
    width: cython.longlong
    node: cython.longlong
    above: cython.longlong
    own: cython.double
    fall: cython.double
    with cython.nogil:
        for i in range(nodes.shape[0]):
            node, n = nodes[i], 0
            while node > 0:  # what each node above adds: its share times what c falls by at the next step
                above = parent[node]
                own = share[above, classes[i]]
                for k in range(m):
                    fall = kept[above, k] - kept[node, k]
                    path[n, k] = own * (fall if fall > 0.0 else 0.0)
                n += 1
                node = above
            width = 1
            while width < n:  # neighbours are added up, then pairs of neighbours, and so on
                j = 0
                while j + width < n:
                    for k in range(m):
                        path[j, k] += path[j + width, k]
                    j += 2 * width
                width *= 2
            own = share[nodes[i], classes[i]]
            for k in range(m):
                out[k, i] = (path[0, k] if n > 0 else 0.0) + own * kept[nodes[i], k]
