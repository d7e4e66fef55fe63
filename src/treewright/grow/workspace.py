"""The workspace of one growth; that of a small table is kept for the next one.

In: a prepared table. Out: a Work with an empty draft: a new one, or one where a table of the same form was grown
before, because to make the arrays takes longer than to grow a small tree in them. What is left there of other tables is
never read. A workspace belongs to one growth at a time, whatever the number of threads, and one that an error leaves
behind is not used again.
"""

from typing import Any

from treewright._core import codes
from treewright._core.grow import Work
from treewright.fast_paths import up_to
from treewright.grow.draft import Draft, new_draft
from treewright.grow.prepare import Prepared
from treewright.grow.scratch import coded_columns, lay_candidates, lay_scratch, row_fields

MOST_KEPT = 4

_free: dict[Any, tuple[Draft, Work]] = {}


def new_workspace(prepared: Prepared, n_jobs: int = 1, drafts: list[Draft] | None = None) -> tuple[Draft, Work]:
    """A new Work with an empty draft; `drafts` are those of trees grown before, whose arrays may be used again."""
    draft = _used_before(prepared, n_jobs, drafts) or new_draft(prepared, prepared.dataset.n_rows, n_jobs)
    work = Work()
    work.table.assign(prepared.table)
    work.table.assign(row_fields(prepared))
    work.plan.assign(prepared.numbers)
    work.draft.assign(draft.fields())
    lay_candidates(prepared, work.candidates)
    lay_scratch(prepared, work)
    work.coded = coded_columns(prepared, n_jobs)
    return draft, work


def _used_before(prepared: Prepared, n_jobs: int, drafts: list[Draft] | None) -> Draft | None:
    """A draft of the same form taken from the list, if there is one."""
    if not drafts:
        return None
    try:
        draft = drafts.pop()  # in one step, so that no other thread can take it
    except IndexError:  # another thread has taken the last one
        return None
    return draft if draft.suits(prepared, n_jobs) else None


def take_workspace(prepared: Prepared, n_jobs: int = 1, drafts: list[Draft] | None = None) -> tuple[Draft, Work]:
    """A Work with an empty draft; `keep_workspace` gives it back."""
    found = _free.pop(_form(prepared), None)  # in one step, so that no other thread can take it
    if found is None:
        return new_workspace(prepared, n_jobs, drafts)
    work = found[1]
    work.clear()
    work.table.assign(prepared.table)
    work.plan.assign(prepared.numbers)
    return found


def keep_workspace(prepared: Prepared, draft: Draft, work: Work, drafts: list[Draft] | None = None) -> None:
    """Keep the workspace, once the tree is made, if another growth can use it; of a large one, keep the draft."""
    form = _form(prepared)
    if form is None:
        if drafts is not None and up_to("kept workspace") >= 0:
            drafts.append(draft)
        return
    if len(_free) >= MOST_KEPT:
        _free.clear()
    _free[form] = draft, work


def _form(prepared: Prepared) -> Any:
    """All that the arrays depend on; None for tables that are large, or need more room than the usual."""
    numbers, plan, n_rows = prepared.numbers, prepared.plan, prepared.dataset.n_rows
    if n_rows * len(prepared.layout.present) > up_to("kept workspace"):
        return None
    is_plain = numbers["missing"] == codes.WHOLE and not numbers["max_surrogates"] and not numbers["monotone"]
    if not is_plain or prepared.coding is not None:
        return None
    return prepared.layout, prepared.table["n_classes"], plan.criterion, plan.grouping
