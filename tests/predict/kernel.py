"""The routing kernels, called as `treewright.predict.routing` calls them.

In: a packed tree or a tree, and values. Out: whether a row ended above the leaves, and the node where each of them
ended; one by one, or side by side.
"""

from types import ModuleType

import numpy as np

from treewright._core import _predict as compiled
from treewright.model.packed_tree import PackedTree, make_batch_tables, pack_fallbacks, pack_surrogates
from treewright.model.tree import Tree


def stays(packed: PackedTree) -> tuple:
    """A row whose value is missing or unseen stays where it is."""
    nodes = np.arange(len(packed.cells), dtype=np.int32)
    return nodes, nodes, *pack_surrogates(None)


def routed(
    packed: PackedTree, values: np.ndarray, aside: tuple | None = None, module: ModuleType = compiled
) -> tuple[bool, list[int]]:
    """One by one."""
    values = np.ascontiguousarray(values)
    out, stopped = np.full(len(values), -9, np.int64), np.full(len(values), -9, np.int64)
    n = module.route(values, packed.cells, packed.tables, aside or stays(packed), 0, out, stopped)
    return n > 0, out.tolist()


def side_by_side(
    tree: Tree, values: np.ndarray, rules: tuple[str, str], module: ModuleType = compiled
) -> tuple[list[int], list[int]]:
    """Where rows end, the last ones sent one by one, and which of them end above the leaves."""
    values, lanes = np.ascontiguousarray(values), make_batch_tables(tree, *rules)
    assert lanes is not None
    out, stopped = np.full(len(values), -9, np.int64), np.full(len(values), -9, np.int64)
    begin = module.route_codes(values.reshape(-1), values.shape[1], lanes.cells, lanes.tables, out)
    assert begin > 0
    packed = tree.packed
    n = compiled.route(values, packed.cells, packed.tables, pack_fallbacks(tree, *rules), begin, out, stopped)
    return out.tolist(), stopped[:n].tolist()
