"""The nodes of a tree in the forms that the routing kernels read, each made once and kept by the tree.

`PackedTree` has 16 bytes a node and category tables for rows that are routed one by one; `BatchTables` have 32 bytes a
cell for many rows side by side; `RowRouter` serves a few rows of an array. The kernels (`treewright._core.predict`)
use the same names of fields.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.predict import RowRouter
from treewright.data.schema import Column, Kind
from treewright.errors import ModelFormatError
from treewright.model.strategies import STRATEGIES, TO_HEAVIEST, TO_MISSING
from treewright.model.surrogates import Surrogates
from treewright.model.tree import TABLE

if TYPE_CHECKING:
    from treewright.model.tree import Tree

CELL = np.dtype((np.record, [("cut", np.float64), ("child", np.int32), ("column", np.int32)]))
"""The kernel's Cell; a record, so that the kernel also runs uncompiled."""

SURROGATE_CELL = np.dtype(
    (
        np.record,
        [("cut", np.float64), ("start", np.int64), ("stop", np.int64), ("column", np.int32), ("low", np.int32)],
    )
)
"""The kernel's StandIn."""

DENSE_ENTRIES = 2**22
"""Up to this many entries (16 MB) a table has an entry for every category; above, the kernel searches its codes."""

NUMBER_BRANCHES = np.array([0, 1], np.int32)
"""The first entries of the dense tables: a number can be looked up like a category."""

MAX_NODES = 2**31 - 2
"""A cell holds its first child in 32 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class PackedTree:
    """A tree as the routing kernels read it.

    cells         the nodes
    tables        their category tables: number of codes of each column, dense tables, spans and entries of sparse ones
    loops         the cells, where a step from a leaf leads to the leaf itself
    fallbacks     by the strategies for missing and for unseen values: see `pack_fallbacks`
    batch_tables  by the same strategies: see `BatchTables`
    """

    cells: NDArray[Any]
    tables: tuple[NDArray[Any], ...]
    loops: NDArray[Any]
    fallbacks: dict[tuple[str, str], tuple[NDArray[Any], ...]] = field(default_factory=dict)
    batch_tables: dict[tuple[str, str], "BatchTables | None"] = field(default_factory=dict)


def pack_tree(tree: "Tree", dense_entries: int = DENSE_ENTRIES) -> PackedTree:
    """Pack the nodes and category tables of a tree."""
    if tree.n_nodes > MAX_NODES:
        raise ModelFormatError(f"The tree has {tree.n_nodes} nodes, but at most {MAX_NODES} are supported; prune it.")
    nodes = np.flatnonzero(tree.kind == TABLE)
    n_codes = np.array([c.n_categories for c in tree.schema.columns], dtype=np.int32)
    # One entry more than there are codes: the last one is the branch of every value that is not a code.
    widths = n_codes[tree.column[nodes]].astype(np.int64) + 1
    is_dense = int(widths.sum()) <= dense_entries
    starts = np.cumsum(widths) - widths + len(NUMBER_BRANCHES)

    cells = np.zeros(tree.n_nodes, dtype=CELL)
    cells["cut"] = tree.threshold
    cells["child"] = tree.first_child
    cells["column"] = tree.column
    cells["column"][nodes] = -1 - tree.column[nodes]
    dense, spans, entries = np.zeros(0, np.int32), np.zeros((0, 3), np.int64), np.zeros((0, 2), np.int32)
    if is_dense:
        cells["cut"][nodes] = starts
        dense = np.concatenate([NUMBER_BRANCHES, np.repeat(tree.other[nodes], widths)])
        # The codes of these nodes follow each other in table_code, because only TABLE nodes have codes.
        n_entries = np.diff(tree.table_start)[nodes]
        dense[np.repeat(starts, n_entries) + tree.table_code] = tree.table_branch
    else:
        spans = np.stack([tree.table_start[:-1], tree.table_start[1:], tree.other], axis=1)
        entries = np.stack([tree.table_code, tree.table_branch], axis=1)
    loops, leaves = cells.copy(), np.flatnonzero(tree.n_children == 0)
    loops["cut"][leaves], loops["child"][leaves], loops["column"][leaves] = np.inf, leaves, 0
    return PackedTree(cells, (n_codes, dense, spans, entries), loops)


def pack_fallbacks(tree: "Tree", missing: str, unseen: str) -> tuple[NDArray[Any], ...]:
    """The next node of each node where a value is missing or unseen, and the surrogates that are tried first.

    missing, unseen  strategies of `treewright.predict.missing_policy.MissingPolicy`; a node where the path ends is its
                     own next node

    >>> from treewright.model.build import golf_example
    >>> [nodes.tolist() for nodes in pack_fallbacks(golf_example(), "stop", "majority")[:2]]
    [[0, 1, 2, 3, 4, 5, 6, 7], [1, 5, 2, 6, 4, 5, 6, 7]]
    """
    kept = tree.packed.fallbacks
    if (missing, unseen) not in kept:
        surrogates = tree.packed_surrogates if STRATEGIES[missing].surrogates else pack_surrogates(None)
        kept[missing, unseen] = (_next_nodes(tree, missing), _next_nodes(tree, unseen), *surrogates)
    return kept[missing, unseen]


def _next_nodes(tree: "Tree", strategy: str) -> NDArray[np.int32]:
    own = np.arange(tree.n_nodes, dtype=np.int32)
    goes = STRATEGIES[strategy].goes
    if goes not in (TO_HEAVIEST, TO_MISSING):
        return own
    branch = tree.heaviest_branch if goes == TO_HEAVIEST else tree.missing_branch
    return np.where(tree.n_children == 0, own, tree.first_child + branch).astype(np.int32)


def pack_surrogates(surrogates: Surrogates | None) -> tuple[NDArray[Any], ...]:
    """The first surrogate of each node, the surrogates, and the (code, branch) entries of their tables."""
    if surrogates is None:
        return np.zeros(0, np.int64), np.zeros(0, SURROGATE_CELL), np.zeros((0, 2), np.int32)
    cells = np.zeros(len(surrogates), SURROGATE_CELL)
    cells["cut"] = surrogates.threshold
    cells["start"] = surrogates.table_start[:-1]
    cells["stop"] = surrogates.table_start[1:]
    cells["column"] = surrogates.column
    cells["low"] = surrogates.low
    entries = np.stack([surrogates.table_code, surrogates.table_branch], axis=1)
    return surrogates.start, cells, entries


BATCH_CELL = np.dtype(
    (
        np.record,
        [("cut", np.float64), *((name, np.int32) for name in ("child", "column", "place", "keep", "on", "unseen"))],
    )
)
"""The kernel's Lane."""

ALL_BITS = 2**31 - 1
"""`keep` of a cell that looks up a category: the whole code."""

HELPER_CELLS = 3
"""Cells after that of a surrogate: two that only lead to a branch, and what is tried next, which is the next surrogate
or, after the last one, a cell that leads to the branch of missing values."""

MAX_BATCH_ENTRIES = 2**24
"""Larger tables are not made; the rows are then routed one by one."""


@dataclass(frozen=True, slots=True, eq=False)
class BatchTables:
    """A tree as the kernel for many rows side by side reads it: every step is the same arithmetic, without branching.

    A row with the value v goes from a cell to the cell child + (v > cut) + tables[place + (v & keep)], to the cell `on`
    when v is missing, and to `unseen` when v is an unseen category. A cell that tests a number keeps no bits of a code,
    and the table has 0 at its place; a cell that looks up a category has an infinite cut. Where a path ends, a cell is
    its own child.

    cells   one for each node; then one for each path that ends above the leaves, n_nodes after that of its node; then
            those of surrogates, to which a row with a missing value goes as others go to a child
    tables  the branch of every code of a column; uint8, or int32 where there are more branches
    """

    cells: NDArray[Any]
    tables: NDArray[Any]


def make_batch_tables(tree: "Tree", missing: str, unseen: str) -> BatchTables | None:
    """The batch tables of a tree; None where an entry for every category would take too much memory.

    missing, unseen  strategies of `treewright.predict.missing_policy.MissingPolicy`

    >>> from treewright.model.build import golf_example
    >>> batch = make_batch_tables(golf_example(), "stop", "majority")
    >>> batch.cells["child"].tolist(), batch.cells["on"].tolist()
    ([1, 4, 2, 6, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [8, 9, 2, 11, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    >>> batch.cells["place"].tolist()[:4], batch.tables.tolist()
    ([1, 0, 0, 5], [0, 0, 1, 2, 0, 0, 1, 0])
    """
    n_codes, dense, _, _ = tree.packed.tables
    surrogates = tree.surrogates if STRATEGIES[missing].surrogates else None
    n_entries = len(dense) + (0 if surrogates is None else int(n_codes[surrogates.column].sum()))
    if not len(dense) or n_entries > MAX_BATCH_ENTRIES:
        return None
    # The dense tables begin with the two branches of a number; the first one is enough here.
    batch = BatchTables(_node_cells(tree, missing, unseen), np.delete(dense, 1))
    if surrogates is not None and len(surrogates):
        batch = _with_surrogates(tree, surrogates, batch)
    is_small = batch.tables.max() < 256
    return BatchTables(batch.cells, batch.tables.astype(np.uint8 if is_small else np.int32))


def _node_cells(tree: "Tree", missing: str, unseen: str) -> NDArray[Any]:
    """A cell for each node, and one for each path that ends there."""
    n_nodes, packed = tree.n_nodes, tree.packed.cells
    cells = _forwarding_cells(np.arange(2 * n_nodes))
    inner = np.flatnonzero(tree.n_children)
    for name, after in zip(("on", "unseen"), pack_fallbacks(tree, missing, unseen), strict=False):
        cells[name][inner] = np.where(after == np.arange(n_nodes), np.arange(n_nodes) + n_nodes, after)[inner]
    cells["child"][inner] = tree.first_child[inner]
    cells["column"][inner] = tree.column[inner]
    is_table = packed["column"][inner] < 0
    numbers, tables = inner[~is_table], inner[is_table]
    cells["cut"][numbers] = packed["cut"][numbers]
    cells["place"][tables], cells["keep"][tables] = packed["cut"][tables] - 1, ALL_BITS
    return cells


def _forwarding_cells(to: NDArray[Any]) -> NDArray[Any]:
    """Cells that lead to others, whatever the values of the row."""
    cells = np.zeros(len(to), BATCH_CELL)
    cells["cut"] = np.inf
    cells["child"] = cells["on"] = cells["unseen"] = to
    return cells


def _with_surrogates(tree: "Tree", given: Surrogates, batch: BatchTables) -> BatchTables:
    """The tables with cells for the surrogates after the others: a first one for each node that has surrogates, and
    HELPER_CELLS for each surrogate. Those of a node with the surrogates s and t:

        s,  branch 0, branch 1, t,  branch 0, branch 1, the branch of missing values
    """
    begin, node = len(batch.cells), np.repeat(np.arange(tree.n_nodes), np.diff(given.start))
    has = np.flatnonzero(np.diff(given.start))
    own_cell = HELPER_CELLS * np.arange(len(given)) + np.searchsorted(has, node)
    child, low, is_table = tree.first_child[node], given.low, given.low < 0
    added = _forwarding_cells(np.zeros(HELPER_CELLS * len(given) + len(has), np.int32))
    for name in ("child", "on", "unseen"):
        added[name][own_cell + 1], added[name][own_cell + 2] = child + (low == 1), child + (low != 1)
        added[name][HELPER_CELLS * given.start[has + 1] + np.arange(len(has))] = batch.cells["on"][has]

    n_codes = np.where(is_table, tree.packed.tables[0][given.column], 0).astype(np.int64)
    n_entries, starts = np.diff(given.table_start), np.cumsum(n_codes) - n_codes
    # A code that the surrogate does not have leads to what is tried next.
    tables = np.full(int(n_codes.sum()), HELPER_CELLS - 1, np.int32)
    tables[np.repeat(starts, n_entries) + given.table_code] = given.table_branch
    is_direct = np.where(is_table, n_entries == n_codes, low == 0)

    own = np.zeros(len(given), BATCH_CELL)
    own["cut"] = np.where(is_table, np.inf, given.threshold)
    own["child"] = np.where(is_direct, child, begin + own_cell + 1)
    own["column"] = given.column
    own["place"] = np.where(is_table, len(batch.tables) + starts, 0)
    own["keep"] = np.where(is_table, ALL_BITS, 0)
    own["on"] = own["unseen"] = begin + own_cell + HELPER_CELLS
    added[own_cell] = own
    cells = np.concatenate([batch.cells, added])
    cells["on"][has] = begin + own_cell[given.start[has]]
    return BatchTables(cells, np.concatenate([batch.tables, tables]))


MAX_CATEGORY = 2**16
"""Categories that are integers below this are looked up in a table."""


def make_row_router(tree: "Tree") -> RowRouter | None:
    """The kernel's router for a few rows of an array; None where categories are not small integers."""
    columns = tree.schema.columns
    tables = [np.zeros(0) if column.kind == Kind.NUMBER else code_table(column) for column in columns]
    if any(table is None for table in tables):
        return None
    codes = np.concatenate([np.zeros(0), *(table for table in tables if table is not None)])
    length = np.array([0 if table is None else len(table) for table in tables], np.int64)
    first = np.cumsum(length) - length
    first[[column.kind == Kind.NUMBER for column in columns]] = -1
    packed = tree.packed
    return RowRouter(packed.cells, packed.tables, first, length, np.where(np.isnan(codes), -1, codes).astype(np.int32))


def code_table(column: Column) -> NDArray[np.float64] | None:
    """The code of each integer from 0 on in a column whose categories are small integers, NaN for integers that are not
    categories; None for other columns.
    """
    found = [value for value in column.categories if type(value) is int and 0 <= value < MAX_CATEGORY]
    if len(found) < column.n_categories:
        return None
    table = np.full(max(found, default=-1) + 1, np.nan)
    table[found] = np.arange(len(found))
    return table
