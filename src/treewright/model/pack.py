"""Pack: a tree's nodes as the routing kernel reads them.

In: a checked tree. Out: 16 bytes a node, and the category tables in the form that is quickest to look up; 32 bytes
a surrogate.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFormatError
from treewright.model.strategies import STRATEGIES, TO_HEAVIEST, TO_MISSING
from treewright.model.tree import TABLE

if TYPE_CHECKING:
    from treewright.model.lanes import Lanes
    from treewright.model.surrogates import Surrogates
    from treewright.model.tree import Tree

CELL = np.dtype((np.record, [("cut", np.float64), ("child", np.int32), ("column", np.int32)]))
"""The kernel's Cell; a record, so that the kernel also runs uncompiled."""

STAND_IN = np.dtype(
    (
        np.record,
        [("cut", np.float64), ("start", np.int64), ("stop", np.int64), ("column", np.int32), ("low", np.int32)],
    )
)
"""The kernel's StandIn."""

DENSE_ENTRIES = 2**22
"""Up to this many entries (16 MB) the tables are spread over all categories; above, the kernel searches them."""

NUMBER_BRANCHES = np.array([0, 1], np.int32)
"""What the dense tables begin with, so that a number can be looked up like a category."""

MOST_NODES = 2**31 - 2
"""A cell holds its first child in 32 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """What the kernels of routing need to know of a tree.

    cells   the nodes
    tables  their category tables
    loops   the cells, where a step from a leaf leads to the leaf itself
    asides  for the two names of what is done with missing and with unseen values: the node behind each node then
    lanes   the same as `treewright.model.lanes` has it
    """

    cells: NDArray[Any]
    tables: tuple[NDArray[Any], ...]
    loops: NDArray[Any]
    asides: dict[tuple[str, str], tuple[NDArray[Any], ...]] = field(default_factory=dict)
    lanes: dict[tuple[str, str], "Lanes | None"] = field(default_factory=dict)


def pack(tree: "Tree", dense_entries: int = DENSE_ENTRIES) -> Packed:
    """The cells and tables of a tree."""
    if tree.n_nodes > MOST_NODES:
        raise ModelFormatError(
            f"The tree has {tree.n_nodes} nodes, and at most {MOST_NODES} can be used; prune it."
        )
    nodes = np.flatnonzero(tree.kind == TABLE)
    n_codes = np.array([c.n_categories for c in tree.schema.columns], dtype=np.int32)
    # One entry more than there are codes: the last holds the branch of every value that is no code.
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
        # The codes of these nodes follow each other in table_code: only TABLE nodes own any.
        owned = np.diff(tree.table_start)[nodes]
        dense[np.repeat(starts, owned) + tree.table_code] = tree.table_branch
    else:
        spans = np.stack([tree.table_start[:-1], tree.table_start[1:], tree.other], axis=1)
        entries = np.stack([tree.table_code, tree.table_branch], axis=1)
    loops, leaves = cells.copy(), np.flatnonzero(tree.n_children == 0)
    loops["cut"][leaves], loops["child"][leaves], loops["column"][leaves] = np.inf, leaves, 0
    return Packed(cells, (n_codes, dense, spans, entries), loops)


def pack_aside(tree: "Tree", missing: str, unseen: str) -> tuple[NDArray[Any], ...]:
    """The node behind each node where a value is missing or unseen, and the surrogates that are asked before.

    missing, unseen  as in `treewright.predict.rule.Rule`; where a row cannot go on one way, its way ends at the node

    >>> from treewright.model.build import golf_example
    >>> [nodes.tolist() for nodes in pack_aside(golf_example(), "stop", "majority")[:2]]
    [[0, 1, 2, 3, 4, 5, 6, 7], [1, 5, 2, 6, 4, 5, 6, 7]]
    """
    kept = tree.packed.asides
    if (missing, unseen) not in kept:
        asks = STRATEGIES[missing].surrogates
        surrogates = tree.packed_surrogates if asks else pack_surrogates(None)
        kept[missing, unseen] = (_behind(tree, missing), _behind(tree, unseen), *surrogates)
    return kept[missing, unseen]


def _behind(tree: "Tree", name: str) -> NDArray[np.int32]:
    itself = np.arange(tree.n_nodes, dtype=np.int32)
    goes = STRATEGIES[name].goes
    if goes not in (TO_HEAVIEST, TO_MISSING):
        return itself
    branch = tree.heaviest_branch if goes == TO_HEAVIEST else tree.missing_branch
    return np.where(tree.n_children == 0, itself, tree.first_child + branch).astype(np.int32)


def pack_surrogates(surrogates: "Surrogates | None") -> tuple[NDArray[Any], ...]:
    """The first surrogate of each node, the surrogates, and the (code, branch) entries of their tables."""
    if surrogates is None:
        return np.zeros(0, np.int64), np.zeros(0, STAND_IN), np.zeros((0, 2), np.int32)
    stand_ins = np.zeros(len(surrogates), STAND_IN)
    stand_ins["cut"] = surrogates.threshold
    stand_ins["start"] = surrogates.table_start[:-1]
    stand_ins["stop"] = surrogates.table_start[1:]
    stand_ins["column"] = surrogates.column
    stand_ins["low"] = surrogates.low
    entries = np.stack([surrogates.table_code, surrogates.table_branch], axis=1)
    return surrogates.start, stand_ins, entries
