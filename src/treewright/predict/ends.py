"""Ends: rows to the nodes where their ways end.

In: a tree, encoded values and a rule. Out: for a row that goes one way, the node where it ends; for a row that goes
down several branches, all its nodes with the weight it has there. What a value does at a node is compiled and
stands in treewright._core.route (known values) and route_missing (the others).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright._core.route import route
from treewright._core.route_missing import resume, spread
from treewright.errors import InputError
from treewright.model.pack import pack_surrogates
from treewright.model.tree import Tree
from treewright.predict.rule import Rule, missing_rule

STEPS = 2**23
"""About how many steps, (row, node) pairs, are made between two looks for Ctrl-C: less than 0.2 seconds."""

TIE = 1e-12
"""Two weights of a row that went down several branches tie when they differ by no more than this part of them."""

PLACES = 2**20
"""How many nodes of rows that go down several branches are written down, or passed, at a time."""

NOWHERE = np.zeros(0, np.int32)
"""The branch to take at each node, where none is to be taken."""

NO_SURROGATES = pack_surrogates(None)


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows that go down several branches: their nodes, one row after the other, and their weights there.

    rows     the rows
    starts   n_rows + 1 offsets: row i has nodes[starts[i]:starts[i + 1]]
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def counts(self) -> NDArray[np.int64]:
        return np.diff(self.starts)

    def heaviest(self) -> NDArray[np.int64]:
        """The node of most weight of each row; the lowest number on a tie."""
        first = self.starts[:-1]
        most = np.repeat(np.maximum.reduceat(self.weights, first), self.counts)
        beaten = np.iinfo(np.int64).max
        return np.minimum.reduceat(np.where(self.weights >= most * (1 - TIE), self.nodes, beaten), first)


def readable(tree: Tree, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values as the kernels read them: aligned native float64; arrays from records or files may be neither.

    >>> from treewright.model.build import golf_example
    >>> readable(golf_example(), [[0, 70, 1]])
    array([[ 0., 70.,  1.]])
    """
    values = np.require(values, np.float64, "A")
    if values.ndim != 2 or values.shape[1] != tree.schema.n_columns:
        raise InputError(
            f"The values have the shape {values.shape}, but the tree knows {tree.schema.n_columns} columns; "
            f"give a table with one column for each."
        )
    return values


def ends(
    tree: Tree, values: NDArray[np.float64], rule: Rule
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The node where each row ends, and the rows that go on from there down several branches.

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, 70.0, 1], [0, np.nan, 1]])
    >>> ends(golf_example(), rows, Rule("stop"))
    (array([4, 1]), array([], dtype=int64))
    >>> ends(golf_example(), rows, Rule("fractional"))
    (array([4, 1]), array([1]))
    """
    missing = missing_rule(tree, rule)
    nodes = np.zeros(len(values), dtype=np.int64)
    several: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    packed = tree.packed
    n_rows = max(1, min(2**20, STEPS // max(1, tree.depth)))
    for start in range(0, len(values) if tree.n_nodes > 1 else 0, n_rows):
        part = slice(start, start + n_rows)
        if not route(values[part], packed.cells, packed.tables, nodes[part]):
            continue
        rows = start + np.flatnonzero(tree.n_children[nodes[part]])
        if missing == "fractional":
            several.append(rows)
        else:
            nodes[rows] = _one_way(tree, values, (missing, rule.unseen), rows, nodes[rows])
    return nodes, np.concatenate(several)


def parts(
    tree: Tree,
    values: NDArray[np.float64],
    unseen: str,
    rows: NDArray[np.int64],
    nodes: NDArray[np.int64] | None = None,
) -> Iterator[Part]:
    """The nodes of rows that go down several branches, some rows at a time.

    nodes  where each row goes on from: only the nodes where its ways end are given, with weights that sum to 1;
           None: from the root, and every node on its ways is given

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, 70.0, 1], [0, np.nan, 1]])
    >>> [(part.nodes, part.weights) for part in parts(golf_example(), rows, "stop", np.array([1]), np.array([1]))]
    [(array([4, 5]), array([0.4, 0.6]))]
    """
    if not len(rows):
        return
    packed = tree.packed
    shares = (_branches(tree, unseen), tree.n_children, tree.branch_shares)
    most = tree.n_nodes if nodes is None else tree.n_leaves
    room = max(most, min(PLACES, most * len(rows)))
    out_node, out_weight = np.empty(room, np.int64), np.empty(room)
    stack = np.empty(tree.n_leaves, np.int64), np.empty(tree.n_leaves)
    done = 0
    while done < len(rows):
        left = rows[done : done + room]
        counts = np.empty(len(left), np.int64)
        work = (out_node, out_weight, counts, *stack)
        start = np.zeros(len(left), np.int64) if nodes is None else nodes[done : done + room]
        n = spread(values, packed.cells, packed.tables, shares, left, start, work, nodes is None)
        starts = np.concatenate([[0], np.cumsum(counts[:n])])
        used = slice(0, int(starts[-1]))
        yield Part(left[:n], starts, out_node[used].copy(), out_weight[used].copy())
        done += n


def _one_way(
    tree: Tree,
    values: NDArray[np.float64],
    names: tuple[str, str],
    rows: NDArray[np.int64],
    nodes: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Where rows end that stopped at `nodes`, each going one way; `names` say what is done there."""
    missing, unseen = names
    picks = (_branches(tree, missing), _branches(tree, unseen))
    surrogates = tree.packed_surrogates if missing == "surrogate" else NO_SURROGATES
    resume(values, tree.packed.cells, tree.packed.tables, picks, surrogates, rows, nodes)
    if missing == "error":
        # A leaf asks for nothing; its column, -1, is read here as the last one.
        lacking = np.isnan(values[rows, tree.column[nodes]]) & (tree.n_children[nodes] > 0)
        if lacking.any():
            first = int(lacking.argmax())
            _refuse_missing(tree, int(rows[first]), int(nodes[first]))
    return nodes


def _branches(tree: Tree, name: str) -> NDArray[np.int32]:
    """The branch to take at each node where no value can be read; no branches where the way ends."""
    if name in ("stop", "error"):
        return NOWHERE
    return tree.heaviest_branch if name == "majority" else tree.missing_branch


def _refuse_missing(tree: Tree, row: int, node: int) -> NoReturn:
    column = tree.schema.columns[tree.column[node]]
    raise InputError(
        f"Column {column.name!r} is missing (NaN) in row {row}, where the tree asks for it; "
        f"fill it in, leave the row out, or choose another way with missing values than 'error'."
    )
