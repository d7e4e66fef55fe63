"""Kept counts: what growth on a source keeps of each node, so that its candidates can be found again later.

Of a node that was counted these are its counts, of a node whose rows were fetched the codes of these rows, from which
all nodes of its subtree are found. In: the counts and rows of nodes as growth meets them, level by level. Out: as many
of them as fit, the top ones first: where the codes of rows leave no room for counts, the counts of their node are kept
instead.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.model.tree import Tree
from treewright.scale.class_weights import TableWeights
from treewright.scale.engine import Cells, SlotScales, SlotTotals
from treewright.scale.subtrees import NodeFacts, Rows
from treewright.scale.worker import count_slots

Longs = NDArray[np.int64]
SQUARE_BITS = 5
"""Squares of targets are counted in units that are 2^5 times those of `SlotScales`, so that their sum is below 2^53."""
FINEST = 1e-10
"""Counts are kept if the error of the mean of a node in units is at most this part of the range of its targets."""
MOST_BYTES = 36
"""Bytes of a cell at most: its place, and four counts."""


class SquareScale(NamedTuple):
    """How the squares of a node's targets were counted: distances from `centre`, times `scale`, squared, rounded."""

    centre: float
    scale: float


class CountedNode(NamedTuple):
    """The counts of a node.

    cells   those that have rows
    counts  of these cells, one array for each kind, as growth counts them: of a number the squares and the moments; the
            weight; and the rows, unless each row counts once
    scale   of the squares; None for classes
    """

    facts: NodeFacts
    cells: NDArray[Any]
    counts: list[NDArray[Any]]
    scale: SquareScale | None

    @property
    def n_bytes(self) -> int:
        return self.cells.nbytes + sum(one.nbytes for one in self.counts) + self.facts.live.nbytes

    def of_all_cells(self, n_cells: int) -> Longs:
        """The counts of all cells, by kind."""
        found = np.zeros((len(self.counts), n_cells), np.int64)
        for own, some in zip(found, self.counts, strict=True):
            own[self.cells] = some
        return found


class FetchedNode(NamedTuple):
    """The rows of a node, and how the squares of their targets are counted."""

    facts: NodeFacts
    rows: Rows
    scale: SquareScale | None

    @property
    def n_bytes(self) -> int:
        return sum(one.nbytes for one in self.rows.values() if one is not None)


def squares_of(scales: Iterable[SquareScale]) -> dict[str, NDArray[np.float64]]:
    """How the squares of some slots are counted, as `worker.count_slots` takes it."""
    centre, scale = zip(*scales, strict=True)
    return {"centre": np.array(centre), "scale": np.array(scale)}


def pack(facts: NodeFacts, counts: Longs, scale: SquareScale | None) -> CountedNode:
    """The counts of a node, (kinds, cells), with those of the present cells alone."""
    cells = np.flatnonzero(counts[-1])
    kept = [one[cells] for one in counts]
    small = [one if (one < 0).any() else one.astype(np.min_scalar_type(int(one.max(initial=0)))) for one in kept]
    return CountedNode(facts, cells.astype(np.min_scalar_type(counts.shape[1])), small, scale)


class KeptCounts:
    """The counts and rows of nodes of a draft, by node.

    room         bytes
    layout       which cells are counted, as functions of `worker` take it
    counted, fetched  what is kept
    is_full      whether something did not fit
    is_resumed   whether growth went on from a checkpoint, so that nothing is kept of the nodes before
    root         the weight and the impurity of the root
    first_child  of the nodes of the draft
    whole        the tree without splits undone
    """

    def __init__(self, room: int) -> None:
        self.room, self.bytes_counted, self.bytes_fetched = room, 0, 0
        self.layout: dict[str, Any] = {}
        self.counted: dict[int, CountedNode] = {}
        self.fetched: dict[int, FetchedNode] = {}
        self.is_full = self.is_resumed = False
        self._scales: list[SquareScale] = []
        self.root = 0.0, 0.0
        self.first_child: Longs = np.zeros(0, np.int64)
        self.whole: Tree | None = None

    def has_room(self, n_rows: int) -> bool:
        """Whether the counts of a node of so many rows fit for sure, if rows that were fetched make room."""
        n_cells, n_columns = self.layout["offset"][-1], len(self.layout["offset"]) - 1
        return bool(self.bytes_counted + MOST_BYTES * min(n_cells, n_rows * n_columns) <= self.room)

    def take_scales(self, scales: SlotScales, totals: SlotTotals, weights: TableWeights) -> None:
        """Remember how the squares of the slots of a level are counted."""
        units, off = weights.moments, np.ones(len(totals.rows))
        assert units is not None
        if units.step == 0 and weights.rows is not None:  # moments were rounded after weights were multiplied
            off = totals.rows / np.maximum(totals.weight, 1)
        width = totals.high - totals.low
        # the scale of a slot with targets closer together than moments can tell is not known
        centre = np.where((width > 0) & (off * units.unit > FINEST * width), np.nan, scales.centre)
        self._scales = [SquareScale(*one) for one in zip(centre, np.ldexp(scales.loss, -SQUARE_BITS), strict=True)]

    def scale_of(self, slot: int) -> SquareScale | None:
        """How the squares of a slot of this level are counted; None for classes, or if this is not known."""
        return None if slot >= len(self._scales) or np.isnan(self._scales[slot].centre) else self._scales[slot]

    def cells_with_squares(self, first: int, n_slots: int) -> Cells | None:
        """All cells, with squares, of some slots; None if their scales are not known after a checkpoint."""
        if not self._scales:
            return None
        scales = [self.scale_of(slot) or SquareScale(0.0, 0.0) for slot in range(first, first + n_slots)]
        return self.layout | {"squares": squares_of(scales)}

    def add_counted(self, node: int, counted: CountedNode) -> None:
        """Keep the counts of a node, if they fit; if need be, instead of rows."""
        while self._is_too_large(counted) and self.fetched:
            other, fetched = self.fetched.popitem()
            self.bytes_fetched -= fetched.n_bytes
            self.is_full = True  # of the nodes below it nothing is kept
            self._add_counted(other, self._count(fetched))
        self._add_counted(node, counted)

    def add_fetched(self, node: int, fetched: FetchedNode) -> None:
        """Keep the rows of a node, or its counts if the rows do not fit."""
        if self._is_too_large(fetched):
            self.is_full = True
            if self.has_room(fetched.facts.rows):
                self._add_counted(node, self._count(fetched))
        else:
            self.fetched[node] = fetched
            self.bytes_fetched += fetched.n_bytes

    def _add_counted(self, node: int, counted: CountedNode) -> None:
        self.is_full |= self._is_too_large(counted)
        if not self._is_too_large(counted):
            self.counted[node] = counted
            self.bytes_counted += counted.n_bytes

    def _is_too_large(self, one: CountedNode | FetchedNode) -> bool:
        return self.bytes_counted + self.bytes_fetched + one.n_bytes > self.room

    def _count(self, fetched: FetchedNode) -> CountedNode:
        """The counts of a node whose rows were fetched."""
        n, layout = len(fetched.rows["target"]), self.layout
        if fetched.scale is not None:
            layout = layout | {"squares": squares_of([fetched.scale])}
        arrived = np.arange(n), np.zeros(n, np.int32), fetched.rows["weight"]
        return pack(fetched.facts, count_slots(fetched.rows, arrived, 0, 1, layout)[:, 0], fetched.scale)
