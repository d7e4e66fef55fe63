"""Twigs: subtrees grown apart, each by one thread, and put together.

In: the small open nodes of a draft. Out: the draft with their subtrees. A twig has a draft of its own; the table is
shared, but where rows are shared out among nodes it has its own rows too.
"""

from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from treewright._core import codes
from treewright._core.work import Work
from treewright.grow.alone import Stop, grow_alone
from treewright.grow.draft import NODE_FIELDS, Draft, new_draft
from treewright.grow.prepare import Prepared
from treewright.grow.scratch import coded_fields, scratch_fields
from treewright.grow.store import separate

Arrays = dict[str, np.ndarray]


@dataclass(frozen=True, slots=True, eq=False)
class Twig:
    """A grown subtree in the place of `node`: nodes, categories, surrogates and their categories."""

    node: int
    columns: Arrays
    pool: Arrays
    backups: Arrays
    backup_pool: Arrays


def grow_twigs(
    prepared: Prepared, work: Work, nodes: SimpleQueue[int], most_rows: int, shared: dict[str, Any], stop: Stop
) -> list[Twig]:
    """Grow each node, of `most_rows` rows at the most, into a draft of its own; threads draw from the same `nodes` and
    have `shared` in common.
    """
    own = scratch_fields(prepared)
    own |= coded_fields(prepared, n_rows=most_rows)
    is_shared = prepared.fields["missing"] == codes.FRACTIONAL
    new_ids = np.empty(len(work.origin) if is_shared else 0, np.uint32)
    twigs: list[Twig] = []
    while True:
        try:
            node = nodes.get_nowait()
        except Empty:
            return twigs
        draft = new_draft(prepared, work.rows[node])
        arrays = draft.arrays
        for name in NODE_FIELDS:
            arrays[name][0] = np.asarray(getattr(work, name))[node]
        first, n_live = work.alive_start[node], work.alive_len[node]
        draft.live["alive"][:n_live] = np.asarray(work.alive)[first : first + n_live]
        arrays["alive_start"][0] = 0
        arrays["stack"][0] = 0
        arrays["tally"][0] = -1
        arrays["tallied"][0] = 0
        fields = prepared.fields | own | shared | draft.fields()
        if is_shared:
            fields |= separate(work, node, new_ids)
            arrays["start"][0] = 0
            arrays["ids_end"][0] = arrays["rows"][0]
        twig = Work(**fields | {"n_nodes": 1, "n_stack": 1, "n_leaves": 1})
        grow_alone(prepared, draft, twig, stop)
        twigs.append(
            Twig(
                node,
                {name: array[: twig.n_nodes] for name, array in draft.arrays.items()},
                {name: array[: twig.n_pool] for name, array in draft.pool.items()},
                {name: array[: twig.n_backups] for name, array in draft.backups.items()},
                {name: array[: twig.n_backup_pool] for name, array in draft.backup_pool.items()},
            )
        )


def graft(draft: Draft, work: Work, twig: Twig) -> None:
    """Put a subtree's draft in the place of its root node; its other nodes go behind the last one."""
    columns, node = twig.columns, twig.node
    n_new, n_pool = len(columns["parent"]) - 1, len(twig.pool["pool_code"])
    draft.make_room(work, n_new, n_pool)
    shift = work.n_nodes - 1
    columns["first_child"][columns["first_child"] > 0] += shift
    columns["table_start"] += work.n_pool
    columns["backup_start"] += work.n_backups
    parent = columns["parent"]
    columns["parent"] = np.where(parent == 0, node, parent + shift)
    arrays = draft.arrays
    columns["parent"][0] = arrays["parent"][node]
    for name, array in arrays.items():
        if name in ("stack", "heap"):
            continue
        array[node] = columns[name][0]
        array[work.n_nodes : work.n_nodes + n_new] = columns[name][1:]
    _append(draft.pool, work.n_pool, twig.pool)
    work.n_nodes += n_new
    work.n_pool += n_pool
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
