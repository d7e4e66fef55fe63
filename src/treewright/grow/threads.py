"""Running the growth loop on one thread or several, so that Ctrl-C can interrupt it.

In: a workspace whose draft has a root. Out: the grown draft, the same for any number of threads. The columns of large
nodes are divided among the threads; below them each thread grows whole subtrees, in a draft and arrays of its own
that are small enough for its cache, and appends them to the common draft. The threads are those of Python: they run
the compiled kernels without the interpreter lock, end with the fit, and survive a fork.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

import numpy as np

from treewright._core import codes
from treewright._core.codes import DONE, NO_ROOM
from treewright._core.grow import (
    Table,
    Work,
    choose_split,
    has_room_for_copies,
    make_children_of,
    partition_columns,
    resume_growth,
    search_node,
)
from treewright._core.tree import append_subtree, begin_subtree, move_rows
from treewright.fast_paths import is_used, size_of
from treewright.grow.coded_columns import share_with_thread
from treewright.grow.draft import Draft, new_draft
from treewright.grow.plan import Plan
from treewright.grow.prepare import Prepared
from treewright.grow.workspace import (
    allocate_candidates,
    allocate_coded,
    allocate_scratch,
    copy_rows_of_node,
    make_room_for_copies,
    row_fields,
    use_longer_arrays,
)

CELLS_PER_STEP = 5_000_000
"""Cells (rows times columns) visited between two checks for Ctrl-C: some hundredths of a second."""


class GrowthStopped(Exception):
    """Raised in a growing thread after Ctrl-C."""


class StopSignal:
    """Tells a growing thread to stop."""

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        self._is_set = True

    def check(self) -> None:
        if self._is_set:
            raise GrowthStopped


def grow_on_one_thread(prepared: Prepared, draft: Draft, work: Work, stop: StopSignal) -> None:
    """Run the loop to its end, in steps short enough to be interrupted."""
    budget = CELLS_PER_STEP // cost_of_cell(prepared.plan)
    while (status := resume_growth(work, budget, prepared.most)) != DONE:
        stop.check()
        if status == NO_ROOM:
            draft.make_room(work, prepared.most + 2, prepared.most)
            make_room_for_copies(work)


def cost_of_cell(plan: Plan) -> int:
    """How much longer a scan takes for a cell than with the usual criteria."""
    return 16 if plan.by_median else 1


Result = TypeVar("Result")


def grows_subtrees_separately(prepared: Prepared) -> bool:
    """Whether also a single thread grows the subtrees of small nodes in arrays of their own: their rows are then close
    together in memory.
    """
    best_first = prepared.plan.limits.max_leaves is not None
    is_large = prepared.dataset.n_rows >= 2 * size_of("subtrees")
    return is_used("subtrees") and is_large and moves_rows(prepared) and not best_first


def run_interruptible(task: Callable[[StopSignal], Result]) -> Result:
    """Run a task in another thread and wait for it; Ctrl-C raises at once and stops the task soon after."""
    stop = StopSignal()
    outcome: Future[Result] = Future()

    def run() -> None:
        try:
            outcome.set_result(task(stop))
        except BaseException as error:  # raised again in the waiting thread
            outcome.set_exception(error)

    thread = Thread(target=run, name="treewright", daemon=True)
    thread.start()
    try:
        return outcome.result()
    except KeyboardInterrupt:
        stop.set()
        raise


def grow_on_threads(prepared: Prepared, draft: Draft, work: Work, n_jobs: int, stop: StopSignal) -> None:
    """Grow a draft to its end on `n_jobs` threads, the calling one among them."""
    with ThreadPoolExecutor(max(1, n_jobs - 1), thread_name_prefix="treewright") as pool:
        works = [work] + [_share_workspace(prepared, work, i) for i in range(1, n_jobs)]
        small = _grow_large_nodes(prepared, draft, works, pool, stop)
        # each thread takes the next node when it has finished one, the largest first, so that all end together
        small.sort(key=lambda node: (-work.draft.rows[node], node))
        nodes: SimpleQueue[int] = SimpleQueue()
        for node in small:
            nodes.put(node)
        new_ids, lock = allocate_new_ids(prepared, work), Lock()
        tasks = [lambda: grow_subtrees(prepared, draft, work, nodes, new_ids, lock, stop)] * n_jobs
        _run_together(pool, tasks)


def _share_workspace(prepared: Prepared, work: Work, thread: int) -> Work:
    """A workspace on the same table, draft and candidates, with its own search and scratch memory."""
    other = Work(table=work.table, plan=work.plan, draft=work.draft, candidates=work.candidates)
    other.search.assign({"thread": thread})
    allocate_scratch(prepared, other)
    if prepared.coding is not None:
        other.coded = share_with_thread(work.coded, prepared.coding, thread)
    return other


def _grow_large_nodes(
    prepared: Prepared, draft: Draft, works: list[Work], pool: ThreadPoolExecutor, stop: StopSignal
) -> list[int]:
    """Split the large nodes, their columns divided among the threads, and return the small open nodes that remain: to
    divide their columns would cost more than it saves.
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
        if work.table.n_lists == 1 and work.draft.histogram_state[node]:  # counted already: a short search
            search_node(work, node, 0, work.draft.live_len[node])
        else:
            _run_on_columns(pool, works, search_node, node, work.draft.live_len[node])
        if not choose_split(work, node):
            continue
        if prepared.numbers["missing"] == codes.FRACTIONAL and not has_room_for_copies(work, node):
            make_room_for_copies(work)
            for other in works[1:]:
                use_longer_arrays(other, work)
        if make_children_of(work, node):
            _run_on_columns(pool, works, partition_columns, node, work.draft.live_len[node])
    return small


def _run_on_columns(
    pool: ThreadPoolExecutor,
    works: list[Work],
    task: Callable[[Work, int, int, int], None],
    node: int,
    n: int,
) -> None:
    """Run the task on the columns 0 .. n - 1 of a node, one part on each thread."""
    bounds = [n * i // len(works) for i in range(len(works) + 1)]
    _run_together(pool, [partial(task, w, node, bounds[i], bounds[i + 1]) for i, w in enumerate(works)])


def _run_together(pool: ThreadPoolExecutor, tasks: Sequence[Callable[[], None]]) -> None:
    """Run the first task here and the others in the pool."""
    jobs = [pool.submit(task) for task in tasks[1:]]
    try:
        tasks[0]()
    finally:
        for job in jobs:
            job.result()


MOST_CODED = 2
"""Coded columns for each sorted one up to which the rows of subtrees are moved."""


def moves_rows(prepared: Prepared) -> bool:
    """Whether the rows of a subtree are moved to arrays of their own.

    Not with surrogates, which refer to the rows of the table; nor if most columns are coded, when moving takes longer
    than it saves; nor with fractional weights, when `copy_rows_of_node` copies them.
    """
    is_shared = prepared.numbers["missing"] == codes.FRACTIONAL
    n_coded = 0 if prepared.coding is None else len(prepared.coding.columns)
    mostly_coded = n_coded > MOST_CODED * prepared.layout.n_lists
    return not (mostly_coded or prepared.numbers["max_surrogates"] or is_shared)


class SubtreeGrower:
    """The arrays in which one thread grows its subtrees, of at most `most_rows` rows.

    new_ids  room for the ids of moved rows, shared by all threads
    """

    def __init__(self, prepared: Prepared, work: Work, most_rows: int, new_ids: np.ndarray) -> None:
        self.whole, self.new_ids = work, new_ids
        self.draft = new_draft(prepared, most_rows)
        self.moves, self.is_copied = moves_rows(prepared), prepared.numbers["missing"] == codes.FRACTIONAL
        self.work = Work(table=None if self.moves or self.is_copied else work.table, plan=work.plan)
        self.work.draft.assign(self.draft.fields())
        self.work.coded = allocate_coded(prepared, n_rows=most_rows)
        allocate_candidates(prepared, self.work.candidates)
        allocate_scratch(prepared, self.work)
        if self.moves or self.is_copied:
            self.work.table.assign(prepared.table)
        if self.moves:
            self.work.table.assign(_row_arrays(prepared, work.table, most_rows))
            if prepared.coding is not None:
                n_coded = len(prepared.coding.columns)
                self.work.coded.assign({"codes": np.empty((most_rows, n_coded), np.uint8)})

    def begin(self, node: int) -> None:
        """Make a node the root of the next subtree."""
        self.work.clear()
        begin_subtree(self.whole, node, self.work)
        if self.moves:
            move_rows(self.whole, node, self.work, self.new_ids)
        elif self.is_copied:
            copy_rows_of_node(self.whole, node, self.new_ids, self.work)
            self.work.draft.start[0] = 0
            self.work.draft.ids_end[0] = self.work.draft.rows[0]


def _row_arrays(prepared: Prepared, table: Table, n_rows: int) -> dict[str, Any]:
    """Arrays for n rows and their lists."""
    fields: dict[str, Any] = {
        "has_own_ids": True,
        "origin": np.empty(n_rows, np.int32),
        "lists": np.empty(table.n_lists * n_rows, np.uint32),
        "stride": n_rows,
        "codes": np.empty((len(table.codes), n_rows), np.int32),
    }
    names = ["moments", "y"] if table.n_classes == 0 else ["labels"]
    for name in [*names, "weights"] if table.weighted else names:
        fields[name] = np.empty(n_rows, np.asarray(getattr(table, name)).dtype)
    return fields | row_fields(prepared, n_rows)


def allocate_new_ids(prepared: Prepared, work: Work) -> np.ndarray:
    """Room for the ids of rows in a subtree, by their ids in the table; empty if rows keep their ids."""
    n_ids = prepared.dataset.n_rows if moves_rows(prepared) else 0
    return np.empty(len(work.table.origin) if prepared.numbers["missing"] == codes.FRACTIONAL else n_ids, np.uint32)


def grow_subtrees(
    prepared: Prepared,
    draft: Draft,
    work: Work,
    nodes: "SimpleQueue[int]",
    new_ids: np.ndarray,
    lock: Lock,
    stop: StopSignal,
) -> None:
    """Grow the subtrees of nodes and append them to the draft; all threads take from the same `nodes`.

    lock  held by the thread that reads or changes the draft
    """
    grower: SubtreeGrower | None = None
    while True:
        try:
            node = nodes.get_nowait()
        except Empty:
            return
        if grower is None:
            grower = SubtreeGrower(prepared, work, work.draft.rows[node], new_ids)
        with lock:
            grower.begin(node)
        grow_on_one_thread(prepared, grower.draft, grower.work, stop)
        with lock:
            add_subtree(draft, work, grower.draft, grower.work, node)


def add_subtree(draft: Draft, work: Work, own: Draft, subtree: Work, node: int) -> None:
    """Append a grown subtree to the draft below its root node."""
    draft.make_room(work, subtree.draft.n_nodes, subtree.draft.n_pool)
    if own.surrogates:
        draft.make_surrogate_room(work, subtree.draft.n_surrogates, subtree.draft.n_surrogate_pool)
    append_subtree(subtree, work, node)
    if own.surrogates:
        own.surrogates["surrogate_table"][: subtree.draft.n_surrogates] += work.draft.n_surrogate_pool
        _append_arrays(draft.surrogates, work.draft.n_surrogates, own.surrogates, subtree.draft.n_surrogates)
        _append_arrays(
            draft.surrogate_pool,
            work.draft.n_surrogate_pool,
            own.surrogate_pool,
            subtree.draft.n_surrogate_pool,
        )
        work.draft.n_surrogates += subtree.draft.n_surrogates
        work.draft.n_surrogate_pool += subtree.draft.n_surrogate_pool


def _append_arrays(arrays: dict[str, np.ndarray], place: int, more: dict[str, np.ndarray], n: int) -> None:
    for name, array in arrays.items():
        array[place : place + n] = more[name][:n]
