"""Twigs: subtrees grown apart, each by one thread, and put together.

In: the small open nodes of a draft. Out: the draft with their subtrees. A twig has a draft of its own; the table is
shared, but where rows are shared out among nodes it has its own rows too.
"""

from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from treewright._core import codes
from treewright._core.work import LASTING, NODE_LONGS, Work
from treewright.grow.alone import Stop, grow_alone
from treewright.grow.draft import Draft, new_draft
from treewright.grow.prepare import Prepared
from treewright.grow.scratch import coded_fields, scratch_fields
from treewright.grow.store import separate

Arrays = dict[str, np.ndarray]
OWN = ("kind", "stats")
"""What a finished tree is made of besides the rows of blocks."""


@dataclass(frozen=True, slots=True, eq=False)
class Twig:
    """A grown subtree in the place of `node`: what lasts of its nodes, categories, surrogates and their categories."""

    node: int
    blocks: tuple[np.ndarray, ...]
    own: Arrays
    pool: Arrays
    backups: Arrays
    backup_pool: Arrays

    @property
    def n_nodes(self) -> int:
        return len(self.own["kind"])

    @property
    def n_pool(self) -> int:
        return len(self.pool["pool_code"])


def grow_twigs(
    prepared: Prepared,
    trunk: Draft,
    work: Work,
    nodes: SimpleQueue[int],
    most_rows: int,
    shared: dict[str, Any],
    stop: Stop,
) -> list[Twig]:
    """Grow nodes of the trunk, of `most_rows` rows at the most, one after the other in a draft of this thread's own;
    threads draw from the same `nodes` and have `shared` in common.
    """
    draft = new_draft(prepared, most_rows)
    own = scratch_fields(prepared) | coded_fields(prepared, n_rows=most_rows)
    is_shared = prepared.fields["missing"] == codes.FRACTIONAL
    new_ids = np.empty(len(work.origin) if is_shared else 0, np.uint32)
    bud = Work(**prepared.fields | own | shared | draft.fields())
    twigs: list[Twig] = []
    while True:
        try:
            node = nodes.get_nowait()
        except Empty:
            return twigs
        bud.clear()
        bud.assign({"n_nodes": 1, "n_stack": 1, "n_leaves": 1})
        _set_root(draft, trunk, work, node)
        if is_shared:
            bud.assign(separate(work, node, new_ids))
            draft.arrays["start"][0] = 0
            draft.arrays["ids_end"][0] = work.rows[node]
        grow_alone(prepared, draft, bud, stop)
        twigs.append(_cut_off(node, draft, bud))


def _set_root(draft: Draft, trunk: Draft, work: Work, node: int) -> None:
    """Make a node of the trunk the first one of a draft."""
    for block, whole in zip(draft.blocks, trunk.blocks, strict=True):
        block[:, 0] = whole[:, node]
    for name, array in draft.own.items():
        array[0] = trunk.own[name][node]
    first, n_live = work.alive_start[node], work.alive_len[node]
    draft.live["alive"][:n_live] = np.asarray(work.alive)[first : first + n_live]
    arrays = draft.arrays
    arrays["alive_start"][0] = 0
    arrays["stack"][0] = 0
    arrays["tally"][0] = -1
    arrays["tallied"][0] = 0


def _cut_off(node: int, draft: Draft, bud: Work) -> Twig:
    """A copy of what lasts of a draft: its room is used again."""
    n = bud.n_nodes
    return Twig(
        node,
        tuple(block[:n_rows, :n].copy() for block, n_rows in zip(draft.blocks, LASTING, strict=True)),
        {name: draft.own[name][:n].copy() for name in OWN},
        {name: array[: bud.n_pool].copy() for name, array in draft.pool.items()},
        {name: array[: bud.n_backups].copy() for name, array in draft.backups.items()},
        {name: array[: bud.n_backup_pool].copy() for name, array in draft.backup_pool.items()},
    )


def graft(draft: Draft, work: Work, twig: Twig) -> None:
    """Put a subtree in the place of its root node; its other nodes go behind the last one, where there is room."""
    longs, node = dict(zip(NODE_LONGS, twig.blocks[0], strict=False)), twig.node
    n_new, shift, parent = twig.n_nodes - 1, work.n_nodes - 1, longs["parent"]
    longs["first_child"][longs["first_child"] > 0] += shift
    longs["table_start"] += work.n_pool
    longs["backup_start"] += work.n_backups
    parent[:] = np.where(parent == 0, node, parent + shift)
    parent[0] = work.parent[node]
    for block, lasting in zip(draft.blocks, twig.blocks, strict=True):
        block[: len(lasting), node] = lasting[:, 0]
        block[: len(lasting), work.n_nodes : work.n_nodes + n_new] = lasting[:, 1:]
    for name, array in twig.own.items():
        draft.own[name][node] = array[0]
        draft.own[name][work.n_nodes : work.n_nodes + n_new] = array[1:]
    _append(draft.pool, work.n_pool, twig.pool)
    work.n_nodes += n_new
    work.n_pool += twig.n_pool
    if twig.backups:
        n_backups, n_codes = len(twig.backups["backup_low"]), len(twig.backup_pool["backup_code"])
        draft.make_backup_room(work, n_backups, n_codes)
        twig.backups["backup_table"] += work.n_backup_pool
        _append(draft.backups, work.n_backups, twig.backups)
        _append(draft.backup_pool, work.n_backup_pool, twig.backup_pool)
        work.n_backups += n_backups
        work.n_backup_pool += n_codes


def _append(arrays: Arrays, place: int, more: Arrays) -> None:
    for name, array in arrays.items():
        array[place : place + len(more[name])] = more[name]
