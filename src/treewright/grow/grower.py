"""Growing a tree in memory: a Dataset and a Plan come in, a Tree goes out.

The steps, each in a module of its own:

1. `prepare` sorts and codes the columns, and turns the plan into numbers.
2. `workspace` allocates the arrays of the growth loop: an empty draft of the tree, candidates, scratch memory.
3. `threads` runs the compiled loop (`_core/grow`) on one or several threads, so that Ctrl-C can interrupt it.
4. `freeze` makes an immutable Tree from the draft.
"""

from treewright._core.grow import make_root
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.fast_paths import is_used, size_of
from treewright.grow.draft import Draft
from treewright.grow.freeze import freeze
from treewright.grow.plan import Plan
from treewright.grow.prepare import prepare
from treewright.grow.threads import (
    StopSignal,
    cost_of_cell,
    grow_on_one_thread,
    grow_on_threads,
    grows_subtrees_separately,
    run_interruptible,
)
from treewright.grow.workspace import keep_workspace, take_workspace
from treewright.model.strategies import STRATEGIES, TO_ALL
from treewright.model.tree import Tree

LARGE = 2_000_000
"""From this many cells on a step may take long, so growth runs in another thread, which Ctrl-C can stop."""
MOST_ENTRIES = 9
"""Entries that a split may make of one with fractional weights: itself, and MOST_COPIES of `_core/codes.py`."""
SHOWN = 5
"""How many column names an error lists before it says how many more there are."""
MOST_SHARED = 4_000_000
"""Up to this many cells several trees on parts of a table are grown at a time, each on one thread. Larger ones are
grown one after the other, each on all threads, which takes less memory.
"""


def grow(dataset: Dataset, plan: Plan, n_jobs: int = 1, drafts: list[Draft] | None = None) -> Tree:
    """Grow the tree that `plan` describes on `dataset`.

    The same data gives the same tree, whatever the order of its rows and whatever `n_jobs`.

    Parameters
    ----------
    dataset : Dataset
        The encoded training rows.
    plan : Plan
        The algorithm.
    n_jobs : int, default=1
        The number of threads.
    drafts : list or None, default=None
        An empty list that is passed when several trees are grown one after the other: each tree uses the arrays of the
        one before.

    Returns
    -------
    Tree

    Raises
    ------
    InputError
        If the plan cannot grow a tree on this table.
    """
    refuse_numbers(dataset, plan)
    n_cells = dataset.n_rows * dataset.n_columns * cost_of_cell(plan)
    best_first = plan.limits.max_leaves is not None  # each choice depends on the one before
    if n_cells < size_of("threads") or best_first or not (is_used("threads") and is_used("subtrees")):
        n_jobs = 1
    most_cells = n_cells * MOST_ENTRIES if STRATEGIES[plan.missing].goes == TO_ALL else n_cells
    if n_jobs == 1 and most_cells < LARGE:
        return _grow(dataset, plan, 1, StopSignal(), drafts)
    return run_interruptible(lambda stop: _grow(dataset, plan, n_jobs, stop, drafts))


def trees_at_once(dataset: Dataset, n_jobs: int) -> int:
    """How many trees on parts of a table are grown at a time; with several, each is grown on one thread."""
    is_worth = size_of("folds side by side") <= dataset.n_rows * dataset.n_columns < MOST_SHARED
    return n_jobs if is_worth and is_used("folds side by side") else 1


def _grow(dataset: Dataset, plan: Plan, n_jobs: int, stop: StopSignal, drafts: list[Draft] | None) -> Tree:
    """The four steps of growth: prepare, allocate, run the loop, freeze."""
    prepared = prepare(dataset, plan, n_jobs, coded=True)
    draft, work = take_workspace(prepared, n_jobs, drafts)
    make_root(work)
    if n_jobs > 1 or grows_subtrees_separately(prepared):
        grow_on_threads(prepared, draft, work, n_jobs, stop)
    else:
        grow_on_one_thread(prepared, draft, work, stop)
    tree = freeze(prepared, draft, work, n_jobs)
    keep_workspace(prepared, draft, work, drafts)
    return tree


def refuse_numbers(dataset: Dataset, plan: Plan) -> None:
    """Raise an error if the table has numbers and the plan splits on categories only."""
    if plan.number != "refuse":
        return
    names = [repr(c.name) for c in dataset.schema.columns if c.kind is not Kind.CATEGORY]
    if not names:
        return
    listed = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    raise InputError(
        f"With numeric='refuse' all columns must be categorical, got numeric or ordered "
        f"{'column' if len(names) == 1 else 'columns'} {listed}",
        advice="set numeric='bisect' to split numbers at thresholds, or list categorical columns in "
        "categorical_features",
        option="use --set numeric=bisect to split at thresholds, or --categorical for columns that are categories",
    )
