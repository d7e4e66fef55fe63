"""Which node above a node asks for the same column: one pass from the root down.

In: the links of a tree and the column each node asks for. Out: for each inner node the nearest one above it that asks
for its column, and the child of that one on the way. No recursion: a tree may be as deep as it has rows.
"""

import cython


def nearest_askers(
    links: tuple, column: cython.const[cython.int][::1], work: tuple, asker: cython.longlong[::1],
    step: cython.longlong[::1],
) -> None:
    """Write the nearest asker of each inner node, and the child of that one on the way; -1 where there is none.

    links  (parent, first_child, n_children)
    work   (last, stack, left): -1 for each column; room for two entries a node; room for an entry a node
    """
    parent: cython.const[cython.longlong][::1] = links[0]
    first_child: cython.const[cython.longlong][::1] = links[1]
    n_children: cython.const[cython.longlong][::1] = links[2]
    last: cython.longlong[::1] = work[0]  # the nearest node on the way that asks for each column
    stack: cython.longlong[::1] = work[1]
    left: cython.longlong[::1] = work[2]  # the child by which the way leaves each node on it
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
                last[column[node]] = asker[node]
                continue
            if parent[node] >= 0:
                left[parent[node]] = node
            asker[node] = -1
            step[node] = -1
            if n_children[node] == 0:
                continue
            asker[node] = last[column[node]]
            if asker[node] >= 0:
                step[node] = left[asker[node]]
            last[column[node]] = node
            stack[top] = -1 - node
            top += 1
            for b in range(n_children[node]):
                stack[top] = first_child[node] + b
                top += 1
