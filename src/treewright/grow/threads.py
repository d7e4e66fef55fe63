"""Growth on several threads, and growth that can be interrupted.

In: a planted Work. Out: the same draft a single thread makes. In large nodes the columns are spread over the threads;
below, each thread grows whole subtrees into a draft of its own, which are then put together. Threads are Python's:
they run the compiled kernels without the interpreter lock, leave nothing behind after a fit, and survive a fork.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TypeVar

from treewright._core import codes
from treewright._core.grow import (
    Work,
    choose_split,
    has_room_for_copies,
    make_children_of,
    partition_columns,
    search_node,
)
from treewright.fast_paths import is_used, size_of
from treewright.grow.alone import Stop
from treewright.grow.coded import beside
from treewright.grow.draft import Draft
from treewright.grow.prepare import Prepared
from treewright.grow.row_copies import follow, make_room
from treewright.grow.scratch import lay_scratch
from treewright.grow.subtrees import grow_subtrees, has_own_rows, room_for_ids

Result = TypeVar("Result")


def grows_subtrees_apart(prepared: Prepared) -> bool:
    """Whether one thread, too, does better to grow the subtrees of small nodes apart: then their rows stand close
    together.
    """
    best_first = prepared.plan.limits.max_leaves is not None
    is_large = prepared.dataset.n_rows >= 2 * size_of("subtrees")
    return is_used("subtrees") and is_large and has_own_rows(prepared) and not best_first


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
    """Grow a planted draft to its end on `n_jobs` threads, the calling one among them."""
    with ThreadPoolExecutor(max(1, n_jobs - 1), thread_name_prefix="treewright") as pool:
        works = [work] + [_sharing(prepared, work, i) for i in range(1, n_jobs)]
        small = _grow_large_nodes(prepared, draft, works, pool, stop)
        # each thread takes the next node when it is done with one, the largest first: so they end together
        small.sort(key=lambda node: (-work.draft.rows[node], node))
        nodes: SimpleQueue[int] = SimpleQueue()
        for node in small:
            nodes.put(node)
        new_ids, lock = room_for_ids(prepared, work), Lock()
        tasks = [lambda: grow_subtrees(prepared, draft, work, nodes, new_ids, lock, stop)] * n_jobs
        _together(pool, tasks)


def _sharing(prepared: Prepared, work: Work, thread: int) -> Work:
    """A Work on the same table, draft and candidates, with its own search and scratch."""
    other = Work(table=work.table, plan=work.plan, draft=work.draft, candidates=work.candidates)
    other.search.assign({"thread": thread})
    lay_scratch(prepared, other)
    if prepared.coding is not None:
        other.coded = beside(work.coded, prepared.coding, thread)
    return other


def _grow_large_nodes(
    prepared: Prepared, draft: Draft, works: list[Work], pool: ThreadPoolExecutor, stop: Stop
) -> list[int]:
    """Split the large nodes, their columns spread over the threads; the small open nodes that remain: to hand out their
    columns would cost more than it saves.
    """
    work, least = works[0], size_of("subtrees")
    small: list[int] = []
    while work.draft.n_stack:
        stop.check()
        work.draft.n_stack -= 1
        node = work.draft.stack[work.draft.n_stack]
        if work.draft.rows[node] < least:
            small.append(node)
            continue
        draft.make_room(work, prepared.most + 2, prepared.most)
        if work.table.n_lists == 1 and work.draft.histogram_state[node]:  # counted by now, and the rest is soon done
            search_node(work, node, 0, work.draft.live_len[node])
        else:
            _spread(pool, works, search_node, node, work.draft.live_len[node])
        if not choose_split(work, node):
            continue
        if prepared.numbers["missing"] == codes.FRACTIONAL and not has_room_for_copies(work, node):
            make_room(work)
            for other in works[1:]:
                follow(other, work)
        if make_children_of(work, node):
            _spread(pool, works, partition_columns, node, work.draft.live_len[node])
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
    _together(pool, [partial(task, w, node, bounds[i], bounds[i + 1]) for i, w in enumerate(works)])


def _together(pool: ThreadPoolExecutor, tasks: Sequence[Callable[[], None]]) -> None:
    """Run the first task here and the others in the pool."""
    jobs = [pool.submit(task) for task in tasks[1:]]
    try:
        tasks[0]()
    finally:
        for job in jobs:
            job.result()
