"""Growth in memory: a dataset and a plan -> a Tree.

In: an encoded dataset. Out: the tree the plan describes. The loop itself is compiled; what
stands here decides where it runs, gives it room, and lets Ctrl-C through.
"""

from treewright._core.grow import make_root
from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.fast_paths import is_used, size_of
from treewright.grow.alone import Stop, cost_of_cell, grow_alone
from treewright.grow.draft import Draft
from treewright.grow.freeze import freeze
from treewright.grow.plan import Plan
from treewright.grow.prepare import prepare
from treewright.grow.threads import grow_with_threads, grows_subtrees_apart, interruptible
from treewright.grow.workspace import keep_workspace, take_workspace
from treewright.model.strategies import SHARES, STRATEGIES
from treewright.model.tree import Tree

LARGE = 2_000_000
"""From this many cells on a step may take longer than a person waits, so growth moves to another thread."""
MOST_ENTRIES = 9
"""What a split may make of one entry where rows go down several branches: itself, and MOST_COPIES of _core.codes."""
SHOWN = 5
"""How many column names a sentence lists before it says how many more there are."""
MOST_SHARED = 4_000_000
"""Cells of a table up to which several trees of its parts are grown at a time, each on one thread; with more each tree
is shared among the threads, and takes less memory alone.
"""


def grow(dataset: Dataset, plan: Plan, n_jobs: int = 1, drafts: list[Draft] | None = None) -> Tree:
    """Grow the tree that `plan` describes on `dataset`.

    The same data gives the same tree, whatever the order of its rows and whatever `n_jobs`.

    drafts  an empty list, given to the growth of several trees in turn: the next one uses the arrays of the one before
    """
    refuse_numbers(dataset, plan)
    n_cells = dataset.n_rows * dataset.n_columns * cost_of_cell(plan)
    best_first = plan.limits.max_leaves is not None  # one choice after the other
    if n_cells < size_of("threads") or best_first or not (is_used("threads") and is_used("subtrees")):
        n_jobs = 1
    most_cells = n_cells * MOST_ENTRIES if STRATEGIES[plan.missing].goes == SHARES else n_cells
    if n_jobs == 1 and most_cells < LARGE:
        return _grow(dataset, plan, 1, Stop(), drafts)
    return interruptible(lambda stop: _grow(dataset, plan, n_jobs, stop, drafts))


def trees_at_once(dataset: Dataset, n_jobs: int) -> int:
    """How many trees of parts of a table are grown at a time; each has one thread where these are several."""
    is_worth = size_of("folds side by side") <= dataset.n_rows * dataset.n_columns < MOST_SHARED
    return n_jobs if is_worth and is_used("folds side by side") else 1


def _grow(dataset: Dataset, plan: Plan, n_jobs: int, stop: Stop, drafts: list[Draft] | None) -> Tree:
    prepared = prepare(dataset, plan, n_jobs, coded=True)
    draft, work = take_workspace(prepared, n_jobs, drafts)
    make_root(work)
    if n_jobs > 1 or grows_subtrees_apart(prepared):
        grow_with_threads(prepared, draft, work, n_jobs, stop)
    else:
        grow_alone(prepared, draft, work, stop)
    tree = freeze(prepared, draft, work, n_jobs)
    keep_workspace(prepared, draft, work, drafts)
    return tree


def refuse_numbers(dataset: Dataset, plan: Plan) -> None:
    """Refuse a table with numbers where the plan splits categories only."""
    if plan.number != "refuse":
        return
    names = [repr(c.name) for c in dataset.schema.columns if c.kind is not Kind.CATEGORY]
    if not names:
        return
    listed = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    raise InputError(
        f"With numeric='refuse' only categories are split, but {'column' if len(names) == 1 else 'columns'} {listed} "
        f"{'is' if len(names) == 1 else 'are'} numeric or ordered; set numeric='bisect' to cut at "
        "thresholds, or list in categorical_features what is really a category."
    )
