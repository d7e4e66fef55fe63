"""Lanes: a tree as many rows go down it side by side, with next to nothing to be guessed on the way.

In: a checked tree, and what is done with values that are missing or unseen. Out: its nodes as cells that are all read
in one way, whatever they ask for. Behind them come cells for the ways that end above the leaves, and for the
surrogates: a row that lacks a value goes on to the first surrogate's cell as others go on to a child.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.pack import pack_aside
from treewright.model.strategies import STRATEGIES
from treewright.model.surrogates import Surrogates

if TYPE_CHECKING:
    from treewright.model.tree import Tree

LANE = np.dtype(
    (
        np.record,
        [("cut", np.float64), *((name, np.int32) for name in ("child", "column", "place", "keep", "on", "unseen"))],
    )
)
"""The kernel's Lane."""

ALL = 2**31 - 1
"""What is kept of a code: all of it."""

HELPERS = 3
"""Cells behind that of a surrogate: two that only lead on to a branch, and what is asked after it, which is the next
surrogate or, behind the last one, a cell that leads on to the branch of missing values."""

MOST_ENTRIES = 2**24
"""Tables of more entries are not made: rows go down one by one then."""


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """What the kernels need to know to send many rows down a tree.

    A row at a cell with the value v goes on to the cell child + (v > cut) + tables[place + (v & keep)], to `on` when
    v is missing, to `unseen` when it is a category that training never showed. A cell that asks for a number keeps
    nothing of a code, and 0 stands at its place; one that looks up a category has an infinite cut. Where a way ends, a
    cell is its own child, and so on.

    cells   nodes first; where ways may end at them, the cell behind them by n_nodes stands for that end
    tables  the branch of every code of a column; uint8, or int32 where there are too many branches
    """

    cells: NDArray[Any]
    tables: NDArray[Any]


def lanes_of(tree: "Tree", missing: str, unseen: str) -> Lanes | None:
    """The lanes of a tree; None where its tables are too large to be spread over all categories.

    missing, unseen  as in `treewright.predict.rule.Rule`

    >>> from treewright.model.build import golf_example
    >>> lanes = lanes_of(golf_example(), "stop", "majority")
    >>> lanes.cells["child"].tolist(), lanes.cells["on"].tolist()
    ([1, 4, 2, 6, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], [8, 9, 2, 11, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    >>> lanes.cells["place"].tolist()[:4], lanes.tables.tolist()
    ([1, 0, 0, 5], [0, 0, 1, 2, 0, 0, 1, 0])
    """
    n_codes, dense, _, _ = tree.packed.tables
    surrogates = tree.surrogates if STRATEGIES[missing].surrogates else None
    n_entries = len(dense) + (0 if surrogates is None else int(n_codes[surrogates.column].sum()))
    if not len(dense) or n_entries > MOST_ENTRIES:
        return None
    # The dense tables begin with the branches of a number, of which the first is enough here.
    lanes = Lanes(_nodes(tree, missing, unseen), np.delete(dense, 1))
    if surrogates is not None and len(surrogates):
        lanes = _with_surrogates(tree, surrogates, lanes)
    small = lanes.tables.max() < 256
    return Lanes(lanes.cells, lanes.tables.astype(np.uint8 if small else np.int32))


def _nodes(tree: "Tree", missing: str, unseen: str) -> NDArray[Any]:
    """A cell for each node, and one for each way that ends there."""
    n_nodes, packed = tree.n_nodes, tree.packed.cells
    cells = _leading_on(np.arange(2 * n_nodes))
    inner = np.flatnonzero(tree.n_children)
    for name, behind in zip(("on", "unseen"), pack_aside(tree, missing, unseen), strict=False):
        cells[name][inner] = np.where(behind == np.arange(n_nodes), np.arange(n_nodes) + n_nodes, behind)[inner]
    cells["child"][inner] = tree.first_child[inner]
    cells["column"][inner] = tree.column[inner]
    looks_up = packed["column"][inner] < 0
    numbers, tables = inner[~looks_up], inner[looks_up]
    cells["cut"][numbers] = packed["cut"][numbers]
    cells["place"][tables], cells["keep"][tables] = packed["cut"][tables] - 1, ALL
    return cells


def _leading_on(to: NDArray[Any]) -> NDArray[Any]:
    """Cells that lead on to others, whatever the row's values."""
    cells = np.zeros(len(to), LANE)
    cells["cut"] = np.inf
    cells["child"] = cells["on"] = cells["unseen"] = to
    return cells


def _with_surrogates(tree: "Tree", given: Surrogates, lanes: Lanes) -> Lanes:
    """The lanes with cells for the surrogates behind the others: a first one for each node that has some, and HELPERS
    for each surrogate. Those of a node with the surrogates s and t:

        s,  branch 0, branch 1, t,  branch 0, branch 1, the branch of missing values
    """
    begin, node = len(lanes.cells), np.repeat(np.arange(tree.n_nodes), np.diff(given.start))
    has = np.flatnonzero(np.diff(given.start))
    asks = HELPERS * np.arange(len(given)) + np.searchsorted(has, node)
    child, low, is_table = tree.first_child[node], given.low, given.low < 0
    added = _leading_on(np.zeros(HELPERS * len(given) + len(has), np.int32))
    for name in ("child", "on", "unseen"):
        added[name][asks + 1], added[name][asks + 2] = child + (low == 1), child + (low != 1)
        added[name][HELPERS * given.start[has + 1] + np.arange(len(has))] = lanes.cells["on"][has]

    n_codes = np.where(is_table, tree.packed.tables[0][given.column], 0).astype(np.int64)
    owned, starts = np.diff(given.table_start), np.cumsum(n_codes) - n_codes
    # A code that the surrogate does not know leads to what is asked after it.
    tables = np.full(int(n_codes.sum()), HELPERS - 1, np.int32)
    tables[np.repeat(starts, owned) + given.table_code] = given.table_branch
    straight = np.where(is_table, owned == n_codes, low == 0)

    own = np.zeros(len(given), LANE)
    own["cut"] = np.where(is_table, np.inf, given.threshold)
    own["child"] = np.where(straight, child, begin + asks + 1)
    own["column"] = given.column
    own["place"] = np.where(is_table, len(lanes.tables) + starts, 0)
    own["keep"] = np.where(is_table, ALL, 0)
    own["on"] = own["unseen"] = begin + asks + HELPERS
    added[asks] = own
    cells = np.concatenate([lanes.cells, added])
    cells["on"][has] = begin + asks[given.start[has]]
    return Lanes(cells, np.concatenate([lanes.tables, tables]))
