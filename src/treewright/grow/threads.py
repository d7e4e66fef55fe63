"""Growth on several threads, and growth that can be interrupted.

In: a planted Work. Out: the same draft a single thread makes. In large nodes the columns are spread over the threads;
below, each thread grows whole subtrees into a draft of its own, which are then put together. Threads are Python's:
they run the compiled kernels without the interpreter lock, leave nothing behind after a fit, and survive a fork.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread
from typing import TypeVar

import numpy as np

from treewright._core.loop import conclude, divide, search, share
from treewright._core.work import Work
from treewright.grow.alone import Stop, grow_alone
from treewright.grow.draft import COUNTS, NODE_FIELDS, Draft, new_draft
from treewright.grow.prepare import Prepared
from treewright.grow.scratch import candidate_fields, scratch_fields

Result = TypeVar("Result")

SHARED = ("side", "wide_side", "rank", "root_weight", "root_impurity")
"""Fields of a Work that all threads have in common, besides the table and the plan."""
SMALL = 20_000
"""Nodes of fewer rows are left to one thread: handing out their columns would cost more than it saves."""


def interruptible(task: Callable[[Stop], Result]) -> Result:
    """Run a task in another thread and wait for it; Ctrl-C comes through at once and stops the task soon after."""
    stop = Stop()
    outcome: Future[Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(task(stop))
        except BaseException as error:  # handed over to the waiting thread
            outcome.set_exception(error)

    thread = Thread(target=run, name="treewright", daemon=True)
    thread.start()
    try:
        return outcome.result()
    except KeyboardInterrupt:
        stop.set()
        raise


def grow_with_threads(prepared: Prepared, draft: Draft, work: Work, n_jobs: int, stop: Stop) -> None:
    """Grow a planted draft to its end on `n_jobs` threads."""
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="treewright") as pool:
        works = [work] + [_sharing(prepared, draft, work) for _ in range(n_jobs - 1)]
        small = _grow_large_nodes(prepared, draft, works, pool, stop)
        shares = _fair_shares(np.asarray(work.rows), small, n_jobs)
        tasks = [pool.submit(_grow_subtrees, prepared, work, share_, stop) for share_ in shares]
        for done in [task.result() for task in tasks]:
            for node, twig in done:
                _graft(draft, work, node, twig)


def _sharing(prepared: Prepared, draft: Draft, work: Work) -> Work:
    """A Work on the same table, draft and candidates, with its own scratch."""
    fields = dict(prepared.fields) | draft.fields() | scratch_fields(prepared)
    names = [*candidate_fields(prepared), *SHARED]
    return Work(**fields, **{name: getattr(work, name) for name in names})


def _grow_large_nodes(
    prepared: Prepared, draft: Draft, works: list[Work], pool: ThreadPoolExecutor, stop: Stop
) -> list[int]:
    """Split the large nodes, their columns spread over the threads; the small open nodes that remain."""
    work = works[0]
    small: list[int] = []
    while work.n_stack:
        stop.check()
        work.n_stack -= 1
        node = work.stack[work.n_stack]
        if work.rows[node] < SMALL:
            small.append(node)
            continue
        draft.make_room(work, prepared.most + 1, prepared.most)
        for other in works[1:]:
            other.assign(draft.fields())
        _spread(pool, works, search, node, work.alive_len[node])
        if conclude(work, node) and divide(work, node):
            _spread(pool, works, share, node, work.alive_len[node])
    return small


def _spread(
    pool: ThreadPoolExecutor,
    works: list[Work],
    task: Callable[[Work, int, int, int], None],
    node: int,
    n: int,
) -> None:
    """Run the task on 0 .. n - 1 of a node, one piece a thread."""
    bounds = [n * i // len(works) for i in range(len(works) + 1)]
    jobs = [pool.submit(task, w, node, bounds[i], bounds[i + 1]) for i, w in enumerate(works)]
    for job in jobs:
        job.result()


def _fair_shares(rows: np.ndarray, nodes: list[int], n_jobs: int) -> list[list[int]]:
    """The nodes dealt out so that each thread has about as many rows: the largest first, to the least laden."""
    shares: list[list[int]] = [[] for _ in range(n_jobs)]
    load = [0] * n_jobs
    for node in sorted(nodes, key=lambda i: (-rows[i], i)):
        i = load.index(min(load))
        shares[i].append(node)
        load[i] += int(rows[node])
    return [s for s in shares if s]


def _grow_subtrees(
    prepared: Prepared, work: Work, nodes: list[int], stop: Stop
) -> list[tuple[int, tuple[dict[str, np.ndarray], dict[str, np.ndarray]]]]:
    """Grow each node into a draft of its own."""
    shared = {name: getattr(work, name) for name in SHARED}
    own = candidate_fields(prepared) | scratch_fields(prepared)
    grown = []
    for node in nodes:
        draft = new_draft(prepared)
        counts = COUNTS | {"n_nodes": 1, "n_stack": 1, "n_leaves": 1}
        twig = Work(**prepared.fields, **own, **shared, **draft.fields(), **counts)
        for name in [*NODE_FIELDS, "stats"]:
            draft.arrays[name][0] = np.asarray(getattr(work, name))[node]
        first, n_live = work.alive_start[node], work.alive_len[node]
        draft.live["alive"][:n_live] = np.asarray(work.alive)[first : first + n_live]
        draft.arrays["alive_start"][0] = 0
        draft.arrays["stack"][0] = 0
        grow_alone(prepared, draft, twig, stop)
        columns = {name: array[: twig.n_nodes] for name, array in draft.arrays.items()}
        grown.append((node, (columns, {name: array[: twig.n_pool] for name, array in draft.pool.items()})))
    return grown


def _graft(
    draft: Draft, work: Work, node: int, twig: tuple[dict[str, np.ndarray], dict[str, np.ndarray]]
) -> None:
    """Put a subtree's draft in the place of its root node; its other nodes go behind the last one."""
    columns, pool = twig
    n_new, n_pool = len(columns["parent"]) - 1, len(pool["pool_code"])
    draft.make_room(work, n_new, n_pool)
    shift, pool_shift = work.n_nodes - 1, work.n_pool
    columns["first_child"][columns["first_child"] > 0] += shift
    columns["table_start"] += pool_shift
    parent = columns["parent"]
    columns["parent"] = np.where(parent == 0, node, parent + shift)
    columns["parent"][0] = draft.arrays["parent"][node]
    for name, array in draft.arrays.items():
        if name in ("stack", "heap"):
            continue
        array[node] = columns[name][0]
        array[work.n_nodes : work.n_nodes + n_new] = columns[name][1:]
    for name, array in draft.pool.items():
        array[work.n_pool : work.n_pool + n_pool] = pool[name]
    work.n_nodes += n_new
    work.n_pool += n_pool
