"""Counting by tasks: what growth needs, as functions of `worker`, of all rows of an engine or of a part of them.

In: how to run a task on partitions of codes. Out: what growth needs.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.scale import worker
from treewright.scale.engine import Cells, Effort, Level, RowPart, SlotScales, SlotTotals, TargetPowers


class TaskCounts(ABC):
    """Counts rows by tasks of `worker`.

    layout  where the cells of each column are, as the tasks take it; with the units of moments, if there are any
    """

    effort: Effort
    layout: dict[str, Any]

    @abstractmethod
    def run_task(self, task: Callable[..., Any], levels: list[Level], *args: Any) -> Any:
        """The result of task(partition, arrived, *args) on all rows, which went down the levels."""

    def count(
        self, levels: list[Level], first: int, end: int, cells: Cells | None = None
    ) -> NDArray[np.int64]:
        """The counts of some slots."""
        counts: NDArray[np.int64] = self.run_task(worker.count_slots, levels, first, end, cells or self.layout)
        return counts

    def tally(self, levels: list[Level], n_slots: list[int]) -> NDArray[np.int64]:
        """The counts of each class in all slots of all levels, in one pass."""
        how = levels, n_slots, self.layout["n_classes"]
        counts: NDArray[np.int64] = self.run_task(worker.tally_levels, [], *how)
        return counts

    def take(self, levels: list[Level], first: int, end: int) -> dict[str, Any]:
        """The rows of some slots."""
        found: dict[str, Any] = self.run_task(worker.take_rows, levels, first, end)
        return found

    def total(self, levels: list[Level], n_slots: int) -> SlotTotals:
        """What is in each slot."""
        found = self.run_task(worker.total_slots, levels, n_slots, self.layout["moments"])
        rows, weight, moment = found["sums"]
        return SlotTotals(rows, weight, moment, found["low"], found["high"])

    def sum_losses(self, levels: list[Level], scales: SlotScales) -> NDArray[np.int64]:
        """The sums of distances and squares of each slot."""
        how = scales._asdict(), self.layout["moments"]["copies"]
        sums: NDArray[np.int64] = self.run_task(worker.sum_losses, levels, *how)
        return sums

    def sum_powers(self, levels: list[Level], n_slots: list[int], powers: TargetPowers) -> NDArray[np.int64]:
        """The sums of powers of the target in all slots of all levels, in one pass."""
        sums: NDArray[np.int64] = self.run_task(worker.sum_powers, [], levels, n_slots, powers._asdict())
        return sums


class PartView(TaskCounts):
    """The rows of a part, of an engine that finds several requests in one pass; see `row_parts`.

    find  returns the result of a request
    """

    def __init__(self, whole: TaskCounts, part: RowPart, find: Callable[[dict[str, Any]], Any]) -> None:
        self.effort, self.layout = whole.effort, whole.layout
        self._part, self._find = part._asdict(), find

    def run_task(self, task: Callable[..., Any], levels: list[Level], *args: Any) -> Any:
        return self._find({"task": task.__name__, "levels": levels, "args": args, "part": self._part})
