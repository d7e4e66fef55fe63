"""Routing: from encoded rows to the nodes where their paths end.

A row that follows one path has one end node. A row with a missing value may go down several branches with fractional
weights; it has a weight at each of its nodes. The kernels in `treewright._core.predict` decide what a value does at a
node: `route` for one path, `route_fractional` for several.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import only_codes, route, route_codes, route_fractional, route_numbers
from treewright.errors import InputError
from treewright.fast_paths import is_used, size_of
from treewright.model.packed_tree import NUMBER_BRANCHES, make_batch_tables, pack_fallbacks
from treewright.model.strategies import REFUSED, STAYS, STRATEGIES, TO_ALL, TO_HEAVIEST
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing

MAX_VALUES = 2**18
"""Number of values (2 MB) of the rows that are routed together: they are read several times."""

MAX_STEPS = 2**23
"""About how many steps, (row, node) pairs, are made between two checks for Ctrl-C: less than 0.2 seconds."""

MAX_VISITS = 2**20
"""How many nodes of rows with fractional weights are collected, or passed, at a time."""

UNCHECKED, VALID_CODES, NO_MISSING = range(3)
"""What is known of encoded values: nothing; that values of categories are codes, missing or unseen; and that no value
at all is missing or unseen."""

TIE = 1e-12
"""Fractional weights of a row tie when their relative difference is at most this."""

NO_BRANCHES = np.zeros(0, np.int32)
"""The fallback branch of each node, where no branch is taken."""


class Routed(NamedTuple):
    """Where rows end.

    nodes       the node where each row ends; for a row with fractional weights, the node where it divides
    fractional  the rows that go on from their node down several branches
    """

    nodes: NDArray[np.int64]
    fractional: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FractionalRoutes:
    """The nodes of some rows with fractional weights, row after row, and the weight of the row at each node.

    rows    the rows
    starts  n_rows + 1 offsets: row i has nodes[starts[i]:starts[i + 1]]
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]
    nodes: NDArray[np.int64]
    weights: NDArray[np.float64]

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of nodes of each row."""
        return np.diff(self.starts)

    def heaviest(self) -> NDArray[np.int64]:
        """The node with the largest weight of each row; the lowest number on a tie."""
        first = self.starts[:-1]
        most = np.repeat(np.maximum.reduceat(self.weights, first), self.counts)
        beaten = np.iinfo(np.int64).max
        return np.minimum.reduceat(np.where(self.weights >= most * (1 - TIE), self.nodes, beaten), first)


def prepare_values(tree: Tree, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the values as the kernels read them: aligned native float64, one column for each of the tree.

    >>> from treewright.model.build import golf_example
    >>> prepare_values(golf_example(), [[0, 70, 1]])
    array([[ 0., 70.,  1.]])
    """
    # Arrays of records or from files may be unaligned or have another byte order.
    values = np.require(values, np.float64, "A")
    if values.ndim != 2 or values.shape[1] != tree.schema.n_columns:
        raise InputError(f"Expected values of shape (n_rows, {tree.schema.n_columns}), got {values.shape}.")
    return values


def route_rows(
    tree: Tree, values: NDArray[np.float64], policy: MissingPolicy, first: int = 0, known: int = UNCHECKED
) -> Routed:
    """Find the node where each row ends, and the rows that go on from there with fractional weights.

    first  the number that an error gives to the first row
    known  what is known of the values: UNCHECKED, VALID_CODES or NO_MISSING

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, 70.0, 1], [0, np.nan, 1]])
    >>> route_rows(golf_example(), rows, MissingPolicy("stop"))
    Routed(nodes=array([4, 1]), fractional=array([], dtype=int64))
    >>> route_rows(golf_example(), rows, MissingPolicy("fractional"))
    Routed(nodes=array([4, 1]), fractional=array([1]))
    """
    missing, packed = resolve_missing(tree, policy), tree.packed
    if tree.n_nodes == 1:
        return Routed(np.zeros(len(values), np.int64), np.zeros(0, np.int64))
    goes = STRATEGIES[missing].goes
    is_fractional = goes == TO_ALL
    # A row with fractional weights stops here at its first missing value, and `route_fractional_rows` does the rest.
    strategies = missing, "stop" if is_fractional else policy.unseen
    fallbacks = pack_fallbacks(tree, *strategies)
    nodes = np.empty(len(values), np.int64)
    fractional: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    n_rows = rows_at_once(tree)
    stopped = np.empty(min(n_rows, len(values)), np.int64)
    for start in range(0, len(values), n_rows):
        part, to = np.ascontiguousarray(values[start : start + n_rows]), nodes[start : start + n_rows]
        n_done = _route_batch(tree, part, strategies, known, to)
        n_stopped = route(part, packed.cells, packed.tables, fallbacks, n_done, to, stopped)
        if n_stopped == 0:
            continue
        if is_fractional:
            fractional.append(start + stopped[:n_stopped])
        elif goes == REFUSED:
            _refuse_missing(tree, part, to, first + start)
    return Routed(nodes, np.concatenate(fractional))


def rows_at_once(tree: Tree) -> int:
    """How many rows are routed together: their values fit into the cache, and Ctrl-C is noticed soon."""
    return max(1, min(MAX_VALUES // max(1, tree.schema.n_columns), MAX_STEPS // max(1, tree.depth)))


def _route_batch(
    tree: Tree, values: NDArray[np.float64], strategies: tuple[str, str], known: int, to: NDArray[np.int64]
) -> int:
    """Route many rows side by side; how many are done: none where there are few rows or a value is not a valid code."""
    n_codes, dense, _, _ = tree.packed.tables
    if len(values) < size_of("rows side by side") or not is_used("rows side by side"):
        return 0
    if not len(dense) or not (known or only_codes(values, n_codes)):
        return 0
    cells, n_columns = values.reshape(-1), values.shape[1]
    only_numbers = len(dense) == len(NUMBER_BRANCHES)
    # The minimum is NaN when any value is, and NaN is not above anything.
    if only_numbers and (known == NO_MISSING or (known == UNCHECKED and values.min() > -np.inf)):
        return route_numbers(cells, n_columns, tree.packed.loops, to)
    kept = tree.packed.batch_tables
    if strategies not in kept:
        kept[strategies] = make_batch_tables(tree, *strategies)
    batch = kept[strategies]
    return 0 if batch is None else route_codes(cells, n_columns, batch.cells, batch.tables, to)


def route_fractional_rows(
    tree: Tree,
    values: NDArray[np.float64],
    unseen: str,
    rows: NDArray[np.int64],
    nodes: NDArray[np.int64] | None = None,
) -> Iterator[FractionalRoutes]:
    """Find the nodes of rows with fractional weights, some rows at a time.

    nodes  where each row goes on from: only its end nodes are returned, with weights that sum to 1; None: from the
           root, and every node on its paths is returned

    >>> from treewright.model.build import golf_example
    >>> rows = np.array([[0, 70.0, 1], [0, np.nan, 1]])
    >>> found = route_fractional_rows(golf_example(), rows, "stop", np.array([1]), np.array([1]))
    >>> [(part.nodes, part.weights) for part in found]
    [(array([4, 5]), array([0.4, 0.6]))]
    """
    if not len(rows):
        return
    packed = tree.packed
    branches = (fallback_branches(tree, unseen), tree.n_children, tree.branch_fractions)
    most = tree.n_nodes if nodes is None else tree.n_leaves
    room = max(most, min(MAX_VISITS, most * len(rows)))
    out_node, out_weight = np.empty(room, np.int64), np.empty(room)
    stack = np.empty(tree.n_leaves, np.int64), np.empty(tree.n_leaves)
    done = 0
    while done < len(rows):
        left = rows[done : done + room]
        counts = np.empty(len(left), np.int64)
        work = (out_node, out_weight, counts, *stack)
        start = np.zeros(len(left), np.int64) if nodes is None else nodes[done : done + room]
        n = route_fractional(values, packed.cells, packed.tables, branches, left, start, work, nodes is None)
        starts = np.concatenate([[0], np.cumsum(counts[:n])])
        used = slice(0, int(starts[-1]))
        yield FractionalRoutes(left[:n], starts, out_node[used].copy(), out_weight[used].copy())
        done += n


def fallback_branches(tree: Tree, name: str) -> NDArray[np.int32]:
    """The branch of each node that a strategy takes without a value; no branches where the path ends at the node."""
    goes = STRATEGIES[name].goes
    if goes in (STAYS, REFUSED):
        return NO_BRANCHES
    return tree.heaviest_branch if goes == TO_HEAVIEST else tree.missing_branch


def _refuse_missing(tree: Tree, values: NDArray[np.float64], nodes: NDArray[np.int64], first: int) -> None:
    """Raise an error for a row that stopped at a missing value; row 0 of the values is row `first` of the table."""
    stopped = np.flatnonzero(tree.n_children[nodes])
    lacking = stopped[np.isnan(values[stopped, tree.column[nodes[stopped]]])]
    if not len(lacking):
        return
    column = tree.schema.columns[tree.column[nodes[lacking[0]]]]
    raise InputError(
        f"Column {column.name!r} is missing (NaN) in row {first + int(lacking[0])}, and the tree splits on it; "
        "fill in the value, drop the row, or use a strategy for missing values other than 'error'."
    )
