"""Lists of rows: which rows end at a place or below it, where every row goes one way.

In: where rows end, or `Places`, each row in the list of the place where it ends. Out: these lists; rows written one
after the other; or one list of many. No recursion: a tree may be as deep as it has rows.
"""

import cython

if cython.compiled:
    from cython.cimports.treewright._core.places import Places
else:
    from treewright._core.places import Places


def make_lists(nodes: cython.longlong[::1], first_row: cython.int[::1], last_row: cython.int[::1],
               next_row: cython.int[::1]) -> None:
    """List the rows that end at each node, in their order; the lists are empty (-1) before."""
    i: cython.longlong
    row: cython.int
    with cython.nogil:
        for i in range(nodes.shape[0] - 1, -1, -1):
            row = cython.cast(cython.int, i)
            if first_row[nodes[i]] < 0:
                last_row[nodes[i]] = row
            next_row[i] = first_row[nodes[i]]
            first_row[nodes[i]] = row


def rows_by_leaf(first_child: cython.const[cython.longlong][::1], n_children: cython.const[cython.longlong][::1],
                 first_row: cython.int[::1], next_row: cython.int[::1], stack: cython.longlong[::1],
                 order: cython.longlong[::1]) -> None:
    """Fill `order` with the rows of all lists, so that those below any node follow each other.

    stack  room for the nodes that wait
    """
    n: cython.longlong = 0
    top: cython.longlong = 1
    node: cython.longlong
    b: cython.longlong
    row: cython.int
    with cython.nogil:
        stack[0] = 0
        while top > 0:
            top -= 1
            node = stack[top]
            row = first_row[node]
            while row >= 0:
                order[n] = row
                n += 1
                row = next_row[row]
            for b in range(n_children[node]):
                stack[top] = first_child[node] + b
                top += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_rows(p: Places, place: cython.longlong, n: cython.longlong) -> cython.longlong:
    """Write the rows that end at a place or below it behind the first n of `moved`; how many there are then."""
    top: cython.longlong = 1
    b: cython.longlong
    node: cython.longlong
    row: cython.int
    p.stack[0] = place
    while top > 0:
        top -= 1
        node = p.stack[top]
        row = p.first_row[node]
        while row >= 0:
            p.moved[n] = row
            n += 1
            row = p.next_row[row]
        if p.cells[node].child >= 0:
            for b in range(p.n_branches[node]):
                p.stack[top] = p.cells[node].child + b
                top += 1
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def list_others(p: Places, place: cython.longlong, largest: cython.longlong) -> cython.longlong:
    """Write the rows of a place that do not go down its largest branch into `moved`; how many there are."""
    n: cython.longlong = 0
    b: cython.longlong
    row: cython.int = p.first_row[place]
    while row >= 0:
        p.moved[n] = row
        n += 1
        row = p.next_row[row]
    for b in range(p.n_branches[place]):
        if p.cells[place].child + b != largest:
            n = list_rows(p, p.cells[place].child + b, n)
    return n


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def join_lists(p: Places, place: cython.longlong) -> cython.void:
    """Make one list of the rows that end at a place or below it."""
    top: cython.longlong = 1
    b: cython.longlong
    node: cython.longlong
    p.stack[0] = place
    while top > 0:
        top -= 1
        node = p.stack[top]
        if p.cells[node].child >= 0:
            for b in range(p.n_branches[node]):
                p.stack[top] = p.cells[node].child + b
                top += 1
        if node == place or p.first_row[node] < 0:
            continue
        p.next_row[p.last_row[node]] = p.first_row[place]
        if p.first_row[place] < 0:
            p.last_row[place] = p.last_row[node]
        p.first_row[place] = p.first_row[node]
