"""Levels: where the rows of the nodes of a level go next.

In: the splits of the nodes. Out: a `Level`, a few small arrays that engines follow the rows by; see `worker`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.scale.engine import Cells, Level
from treewright.scale.worker import DIVIDES, ENDS, FOLLOWS

Longs = NDArray[np.int64]
NONE = -1
"""Instead of a branch."""


class CodeBranches(NamedTuple):
    """The branches of the codes of a column, by a split or a surrogate.

    column    the column
    branches  the branch of each known code; NONE for codes that have none
    """

    column: int
    branches: Longs


class SplitNode(NamedTuple):
    """A node that was split.

    by         the column that it is split on, and the branches of its codes
    children   its children in the draft
    n_missing  its rows that are missing on the column
    missing_branch  the branch of these, or of those of them that no surrogate knows; NONE if they end here
    parts      how they are divided: branches, the heaviest first, and their fractions; None if they are not
    surrogates that they follow, the best first
    """

    by: CodeBranches
    children: list[int]
    n_missing: int
    missing_branch: int = NONE
    parts: tuple[list[int], list[float]] | None = None
    surrogates: Sequence[CodeBranches] = ()


class Tables:
    """Tables of codes, one behind the other; the first one, as long as the longest column, leads nowhere."""

    def __init__(self, longest: int) -> None:
        self._parts, self._end = [np.full(longest, ENDS, np.int64)], longest

    def add(self, table: Longs) -> int:
        """Add a table; the place of its first code."""
        self._parts.append(table)
        self._end += len(table)
        return self._end - len(table)

    def joined(self) -> NDArray[np.int32]:
        """All of them."""
        return np.concatenate(self._parts).astype(np.int32)


def describe_level(splits: Iterable[SplitNode | None], slot_of: dict[int, int], longest: int, least: float) -> Level:
    """Where the rows of slots go; None for a slot whose node was not split.

    slot_of  the slots of nodes in the next level
    longest  the codes of the longest column
    least    a smaller part of a row, in units, is not made
    """
    tables, next_tables = Tables(longest), Tables(longest)
    column, start, part_start, part_slot, part_weight = [], [], [0], list[int](), list[float]()
    following, next_column, next_start = [], list[int](), list[int]()
    for split in splits:
        following.append(len(next_column))
        column.append(0 if split is None else split.by.column)
        if split is None:
            start.append(0)
        else:
            slots = np.array([slot_of.get(child, ENDS) for child in split.children] + [ENDS], np.int64)
            start.append(tables.add(_table_of(split, slots)))
            if split.parts is not None:
                part_slot += slots[split.parts[0]].tolist()
                part_weight += split.parts[1]
            if split.n_missing:
                next_column += [one.column for one in split.surrogates]
                next_start += map(next_tables.add, _next_tables_of(split, slots))
        part_start.append(len(part_slot))
    return {
        "column": np.array(column, np.int64),
        "start": np.array(start, np.int64),
        "goes": tables.joined(),
        "part_start": np.array(part_start, np.int64),
        "part_slot": np.array(part_slot, np.int32),
        "part_weight": np.array(part_weight, np.float64),
        "least": least,
        "next": np.array(following, np.int64),
        "next_column": np.array(next_column, np.int64),
        "next_start": np.array(next_start, np.int64),
        "next_goes": next_tables.joined(),
    }


def _table_of(split: SplitNode, slots: Longs) -> Longs:
    """The slot of each code of a node's column, that of a missing value last; `slots` are those of the branches, ENDS
    behind the last.
    """
    missing = int(slots[split.missing_branch])
    if split.parts is not None:
        missing = DIVIDES
    elif split.surrogates and split.n_missing:
        missing = FOLLOWS
    return np.append(slots[split.by.branches], missing)


def _next_tables_of(split: SplitNode, slots: Longs) -> list[Longs]:
    """The same of each surrogate; what the last one does not know takes the branch of missing values."""
    found = []
    for i, one in enumerate(split.surrogates):
        unknown = FOLLOWS if i < len(split.surrogates) - 1 else int(slots[split.missing_branch])
        known = np.where(one.branches == NONE, unknown, slots[one.branches])
        found.append(np.append(known, unknown))
    return found


def cells_by_branch(splits: Iterable[SplitNode | None], sizes: Longs) -> Cells:
    """The cells of slots with these splits, by branch; `sizes` are the codes of all columns."""
    tables, column, start = Tables(int(sizes.max())), [], []
    for one in splits:
        column.append(0 if one is None else one.by.column)
        start.append(0 if one is None else tables.add(np.append(one.by.branches, ENDS)))
    return {
        "offset": np.concatenate([[0], np.cumsum(2 * sizes)]).tolist(),
        "n_classes": 2,
        "column": np.array(column, np.int64),
        "start": np.array(start, np.int64),
        "goes": tables.joined(),
    }
