"""Ends: rows to the nodes where their ways end.

In: a tree, encoded values and a rule. Out: for a row that goes one way, the node where it ends; for a row that goes
down several branches, all its nodes with the weight it has there. What a value does at a node is compiled and
stands in treewright._core: route (one way), route_missing (several).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import only_codes, route, route_codes, route_fractional, route_numbers
from treewright.errors import InputError
from treewright.fast_paths import is_used, size_of
from treewright.model.lanes import lanes_of
from treewright.model.pack import NUMBER_BRANCHES, pack_aside
from treewright.model.strategies import REFUSED, SHARES, STAYS, STRATEGIES, TO_HEAVIEST
from treewright.model.tree import Tree
from treewright.predict.rule import Rule, missing_rule

CELLS = 2**18
"""Values (2 MB) of the rows that are routed at once: they are read several times."""

NOTHING, CODES, WHOLE = range(3)
"""What is known of values: nothing; that those of categories are codes, missing or unseen; and that none of all values
is missing or unseen."""

STEPS = 2**23
"""About how many steps, (row, node) pairs, are made between two looks for Ctrl-C: less than 0.2 seconds."""

TIE = 1e-12
"""Two weights of a row that went down several branches tie when they differ by no more than this part of them."""

PLACES = 2**20
"""How many nodes of rows that go down several branches are written down, or passed, at a time."""

NOWHERE = np.zeros(0, np.int32)
"""The branch to take at each node, where none is to be taken."""


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
    tree: Tree, values: NDArray[np.float64], rule: Rule, first: int = 0, known: int = NOTHING
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The node where each row ends, and the rows that go on from there down several branches.

    first  what number an error gives the first row
    known  what is known of the values: NOTHING, CODES or WHOLE

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, 70.0, 1], [0, np.nan, 1]])
    >>> ends(golf_example(), rows, Rule("stop"))
    (array([4, 1]), array([], dtype=int64))
    >>> ends(golf_example(), rows, Rule("fractional"))
    (array([4, 1]), array([1]))
    """
    missing, packed = missing_rule(tree, rule), tree.packed
    if tree.n_nodes == 1:
        return np.zeros(len(values), np.int64), np.zeros(0, np.int64)
    goes = STRATEGIES[missing].goes
    shared = goes == SHARES
    # A row that goes down several branches stops at the first value that is not known, and `parts` does the rest.
    rules = missing, "stop" if shared else rule.unseen
    aside = pack_aside(tree, *rules)
    nodes = np.empty(len(values), np.int64)
    several: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    n_rows = rows_at_once(tree)
    stopped = np.empty(min(n_rows, len(values)), np.int64)
    for start in range(0, len(values), n_rows):
        part, to = np.ascontiguousarray(values[start : start + n_rows]), nodes[start : start + n_rows]
        begin = _send_many(tree, part, rules, known, to)
        n = route(part, packed.cells, packed.tables, aside, begin, to, stopped)
        if n == 0:
            continue
        if shared:
            several.append(start + stopped[:n])
        elif goes == REFUSED:
            _refuse_missing(tree, part, to, first + start)
    return nodes, np.concatenate(several)


def rows_at_once(tree: Tree) -> int:
    """How many rows are routed at once: few enough to stay near the processor, and not for long where ways are."""
    return max(1, min(CELLS // max(1, tree.schema.n_columns), STEPS // max(1, tree.depth)))


def _send_many(
    tree: Tree, values: NDArray[np.float64], rules: tuple[str, str], known: int, to: NDArray[np.int64]
) -> int:
    """Send rows down side by side; how many of them are done, which is none where rows are few or strange."""
    n_codes, dense, _, _ = tree.packed.tables
    if len(values) < size_of("rows side by side") or not is_used("rows side by side"):
        return 0
    if not len(dense) or not (known or only_codes(values, n_codes)):
        return 0
    cells, n_columns = values.reshape(-1), values.shape[1]
    only_numbers = len(dense) == len(NUMBER_BRANCHES)
    # A minimum passes NaN on, and nothing is above NaN.
    if only_numbers and (known == WHOLE or (known == NOTHING and values.min() > -np.inf)):
        return route_numbers(cells, n_columns, tree.packed.loops, to)
    kept = tree.packed.lanes
    if rules not in kept:
        kept[rules] = lanes_of(tree, *rules)
    lanes = kept[rules]
    return 0 if lanes is None else route_codes(cells, n_columns, lanes.cells, lanes.tables, to)


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
    shares = (branches(tree, unseen), tree.n_children, tree.branch_shares)
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
        n = route_fractional(values, packed.cells, packed.tables, shares, left, start, work, nodes is None)
        starts = np.concatenate([[0], np.cumsum(counts[:n])])
        used = slice(0, int(starts[-1]))
        yield Part(left[:n], starts, out_node[used].copy(), out_weight[used].copy())
        done += n


def branches(tree: Tree, name: str) -> NDArray[np.int32]:
    """The branch to take at each node where no value can be read; no branches where the way ends."""
    goes = STRATEGIES[name].goes
    if goes in (STAYS, REFUSED):
        return NOWHERE
    return tree.heaviest_branch if goes == TO_HEAVIEST else tree.missing_branch


def _refuse_missing(tree: Tree, values: NDArray[np.float64], nodes: NDArray[np.int64], first: int) -> None:
    """Refuse a row that lacks the value its node asks for; row 0 of the values is row `first` of the table."""
    stopped = np.flatnonzero(tree.n_children[nodes])
    lacking = stopped[np.isnan(values[stopped, tree.column[nodes[stopped]]])]
    if not len(lacking):
        return
    column = tree.schema.columns[tree.column[nodes[lacking[0]]]]
    raise InputError(
        f"Column {column.name!r} is missing (NaN) in row {first + int(lacking[0])}, where the tree asks for it; "
        f"fill it in, leave the row out, or choose another way with missing values than 'error'."
    )
