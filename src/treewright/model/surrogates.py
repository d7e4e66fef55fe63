"""Surrogates: the questions that stand in for a node's own where its value is missing.

In: arrays, one entry per surrogate, those of a node together and best first. Out: the same, frozen, and a view of
each one for people. Whether they fit a tree is checked with the tree.
"""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFormatError
from treewright.model.columns import column_bytes, frozen_column
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.model.split import Split
    from treewright.model.tree import Tree

SURROGATE_COLUMNS: dict[str, np.dtype[Any]] = {
    "start": np.dtype(np.int64),
    "column": np.dtype(np.int32),
    "threshold": np.dtype(np.float64),
    "low": np.dtype(np.int32),
    "agree": np.dtype(np.float64),
    "adjusted": np.dtype(np.float64),
    "table_start": np.dtype(np.int64),
    "table_code": np.dtype(np.int32),
    "table_branch": np.dtype(np.int32),
}
"""The type of each array, in the order of the fields."""


@dataclass(frozen=True, eq=False, repr=False)
class Surrogates:
    """The surrogates of all nodes of a tree, as read-only arrays.

    start        int64, n_nodes + 1 offsets: node i owns the surrogates start[i]:start[i + 1], best first
    column       int32, the schema column asked
    threshold    float64, of a number or an ordered category; NaN where categories are looked up
    low          int32, the branch of value <= threshold, the other one being 1 - low; -1 where categories are
                 looked up
    agree        float64, the share of the node's known weight that goes the same way
    adjusted     float64, what it saves of the errors of the heavier branch: 1 is a perfect stand-in
    table_start  int64, n_surrogates + 1 offsets: surrogate s owns the next two from table_start[s] on
    table_code   int32, category codes that the surrogate knows, rising
    table_branch int32, the branch of each of these codes
    """

    start: NDArray[np.int64]
    column: NDArray[np.int32]
    threshold: NDArray[np.float64]
    low: NDArray[np.int32]
    agree: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    table_start: NDArray[np.int64]
    table_code: NDArray[np.int32]
    table_branch: NDArray[np.int32]

    def __post_init__(self) -> None:
        for name, dtype in SURROGATE_COLUMNS.items():
            frozen = frozen_column(f"surrogates.{name}", getattr(self, name), dtype)
            object.__setattr__(self, name, frozen)

    def __len__(self) -> int:
        return len(self.column)

    def to_bytes(self) -> bytes:
        """The bytes that stand for the surrogates in a tree's fingerprint."""
        return b"".join(column_bytes(f"surrogates.{n}", getattr(self, n)) for n in SURROGATE_COLUMNS)

    def __getstate__(self) -> dict[str, object]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: object) -> None:
        """Take over a stored state: arrays of the right types, frozen; the tree checks that they fit it."""
        if not isinstance(state, dict) or sorted(map(str, state)) != sorted(SURROGATE_COLUMNS):
            raise ModelFormatError(
                f"Stored surrogates have the fields {', '.join(SURROGATE_COLUMNS)}, and no others; make them again."
            )
        for name in SURROGATE_COLUMNS:
            object.__setattr__(self, name, state[name])
        self.__post_init__()

    def __repr__(self) -> str:
        return f"<Surrogates: {len(self)} for {np.count_nonzero(np.diff(self.start))} nodes>"


@dataclass(frozen=True, slots=True, repr=False)
class Surrogate:
    """One surrogate of a node, for people.

    split     its question; `low` says which branch of the node the first one of its answers stands for
    low       0, or 1 where low values stand for branch 1 of the node
    agree     the share of the node's known weight that goes the same way
    adjusted  what it saves of the errors of the heavier branch: 1 is a perfect stand-in
    """

    split: "Split"
    low: int
    agree: float
    adjusted: float

    @property
    def name(self) -> str:
        """The name of the column asked."""
        return self.split.name

    def branch_words(self, branch: int) -> str:
        """What holds for a row that takes a branch of the node by this surrogate.

        >>> from treewright.data.schema import Column, Kind
        >>> from treewright.model.split import Split
        >>> age = Split(Column("age", Kind.NUMBER), 0, 2, threshold=30.0)
        >>> Surrogate(age, 1, 0.9, 0.8).branch_words(0)
        'age > 30'
        """
        return self.split.branch_words(1 - branch if self.low == 1 and branch in (0, 1) else branch)

    def words(self) -> str:
        """What takes a row down branch 0, and how well that agrees.

        >>> from treewright.data.schema import Column, Kind
        >>> from treewright.model.split import Split
        >>> Surrogate(Split(Column("gleason", Kind.NUMBER), 0, 2, threshold=5.5), 0, 0.8634, 0.672).words()
        'gleason <= 5.5 (agree 0.863, adjusted 0.672)'
        """
        return f"{self.branch_words(0)} (agree {self.agree:.3f}, adjusted {self.adjusted:.3f})"

    def __repr__(self) -> str:
        return f"<Surrogate {printable(self.words())}>"


def surrogates_of(tree: "Tree", node: int) -> list[Surrogate]:
    """The surrogates of a node, best first; none where the tree has none."""
    all_of_them = tree.surrogates
    if all_of_them is None:
        return []
    from treewright.model.split import Split

    found = []
    for s in range(int(all_of_them.start[node]), int(all_of_them.start[node + 1])):
        position = int(all_of_them.column[s])
        column, low = tree.schema.columns[position], int(all_of_them.low[s])
        if low >= 0:
            split = Split(column, position, 2, threshold=float(all_of_them.threshold[s]))
        else:
            own = slice(all_of_them.table_start[s], all_of_them.table_start[s + 1])
            codes, branches = all_of_them.table_code[own].tolist(), all_of_them.table_branch[own].tolist()
            split = Split(column, position, 2, table=(tuple(codes), tuple(branches)))
        agree, adjusted = float(all_of_them.agree[s]), float(all_of_them.adjusted[s])
        found.append(Surrogate(split, max(low, 0), agree, adjusted))
    return found
