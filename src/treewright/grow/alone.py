"""Growth on one thread, in steps that can be interrupted.

In: a Work with open nodes. Out: the same Work, grown to its end.
"""

from treewright._core.codes import DONE, NO_ROOM
from treewright._core.grow import Work, resume_growth
from treewright.grow.draft import Draft
from treewright.grow.plan import Plan
from treewright.grow.prepare import Prepared
from treewright.grow.row_copies import make_room

PAUSE = 5_000_000
"""Cells (rows times columns) visited between two looks for Ctrl-C: some hundredths of a second."""


class Stopped(Exception):
    """Raised in a growing thread after Ctrl-C."""


class Stop:
    """A sign that growth is no longer wanted."""

    def __init__(self) -> None:
        self._is_set = False

    def set(self) -> None:
        self._is_set = True

    def check(self) -> None:
        if self._is_set:
            raise Stopped


def grow_alone(prepared: Prepared, draft: Draft, work: Work, stop: Stop) -> None:
    """Run the loop to its end, in steps short enough to be interrupted."""
    budget = PAUSE // cost_of_cell(prepared.plan)
    while (status := resume_growth(work, budget, prepared.most)) != DONE:
        stop.check()
        if status == NO_ROOM:
            draft.make_room(work, prepared.most + 2, prepared.most)
            make_room(work)


def cost_of_cell(plan: Plan) -> int:
    """How much longer than usual a scan takes for a cell."""
    return 16 if plan.by_median else 1
