"""The routing kernel, called as `treewright.predict.ends` calls it.

In: a packed tree and values. Out: whether a row ended above the leaves, and the node where each of them ended.
"""

from types import ModuleType

import numpy as np

from treewright._core import route as compiled
from treewright._core.fill import only_codes
from treewright.model.pack import Packed, pack_surrogates

PLAIN, CODED, STRANGE = range(3)


def look_at(packed: Packed, values: np.ndarray) -> int:
    """CODED wherever the kernel allows it."""
    n_codes, dense, _, _ = packed.tables
    return CODED if len(dense) and only_codes(np.ascontiguousarray(values), n_codes) else STRANGE


def stays(packed: Packed) -> tuple:
    """A row whose value is missing or unseen stays where it is."""
    nodes = np.arange(len(packed.loops), dtype=np.int32)
    return nodes, nodes, nodes, *pack_surrogates(None)


def routed(
    packed: Packed, values: np.ndarray, look: int = STRANGE, aside: tuple | None = None, module: ModuleType = compiled
) -> tuple[bool, list[int]]:
    values = np.ascontiguousarray(values)
    out, work = np.full(len(values), -9, np.int64), np.zeros((2, len(values)), np.int64)
    room = (work[0], work[1], values.reshape(-1), look)
    stopped = module.route(values, packed.loops, packed.tables, aside or stays(packed), room, out)
    return bool(stopped), out.tolist()
