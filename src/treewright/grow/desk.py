"""Desk: the room in which small trees are grown, kept from one growth to the next.

In: a prepared table. Out: a Work with an empty draft: a new one, or one where a table of the same form was grown
before, because to make the room takes longer than to grow a small tree in it. What is left there of other tables is
never read. A desk belongs to one growth at a time, whatever the number of threads, and one that an error leaves behind
is not used again.
"""

from typing import Any

from treewright._core import codes
from treewright._core.grow import Work
from treewright.fast_paths import up_to
from treewright.grow.draft import Draft, new_draft
from treewright.grow.prepare import Prepared
from treewright.grow.scratch import coded_fields, row_fields, scratch_fields

MOST_KEPT = 4

_free: dict[Any, tuple[Draft, Work]] = {}


def start_work(prepared: Prepared, n_jobs: int = 1, drafts: list[Draft] | None = None) -> tuple[Draft, Work]:
    """A new Work with an empty draft; `drafts` are those of trees grown before, whose arrays may be used again."""
    draft = _used_before(prepared, n_jobs, drafts) or new_draft(prepared, prepared.dataset.n_rows, n_jobs)
    work = Work()
    work.assign(prepared.fields)
    work.assign(row_fields(prepared))
    work.assign(scratch_fields(prepared))
    work.assign(draft.fields())
    if prepared.coding is not None:
        work.assign(coded_fields(prepared, n_jobs))
    return draft, work


def _used_before(prepared: Prepared, n_jobs: int, drafts: list[Draft] | None) -> Draft | None:
    """A draft of the same form taken from the list, if there is one."""
    if not drafts:
        return None
    try:
        draft = drafts.pop()  # in one step, so that nobody else can take it
    except IndexError:  # another thread has taken the last one
        return None
    return draft if draft.suits(prepared, n_jobs) else None


def take_desk(prepared: Prepared, n_jobs: int = 1, drafts: list[Draft] | None = None) -> tuple[Draft, Work]:
    """A Work with an empty draft; `leave_desk` gives it back."""
    found = _free.pop(_form(prepared), None)  # in one step, so that nobody else can take it
    if found is None:
        return start_work(prepared, n_jobs, drafts)
    found[1].clear()
    found[1].assign(prepared.fields)
    return found


def leave_desk(prepared: Prepared, draft: Draft, work: Work, drafts: list[Draft] | None = None) -> None:
    """Keep the room, once the tree is made, if another growth can use it; of a large one the draft, among `drafts`."""
    form = _form(prepared)
    if form is None:
        if drafts is not None and up_to("kept workspace") >= 0:
            drafts.append(draft)
        return
    if len(_free) >= MOST_KEPT:
        _free.clear()
    _free[form] = draft, work


def _form(prepared: Prepared) -> Any:
    """All that the room depends on; None for tables that are large, or need more room than the usual."""
    fields, plan, n_rows = prepared.fields, prepared.plan, prepared.dataset.n_rows
    if n_rows * len(prepared.layout.present) > up_to("kept workspace"):
        return None
    is_plain = fields["missing"] == codes.WHOLE and not fields["max_surrogates"] and not fields["monotone"]
    if not is_plain or prepared.coding is not None:
        return None
    return prepared.layout, fields["n_classes"], plan.criterion, plan.grouping
