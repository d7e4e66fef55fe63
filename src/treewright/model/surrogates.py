"""Surrogate splits: splits on other columns that decide the branch of a row when the value of the split is missing.

`Surrogates` has the surrogates of all nodes as arrays, those of a node together and best first; `Surrogate` is a view
of one. Whether they fit a tree is checked with the tree.
"""

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import ModelFormatError
from treewright.language import messages
from treewright.model.formatting import printable
from treewright.model.tree_columns import column_bytes, frozen_column

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
    column       int32, the column of the schema that the surrogate splits on
    threshold    float64, of a number or an ordered category; NaN for a table of categories
    low          int32, the branch of value <= threshold, the other one is 1 - low; -1 for a table of categories
    agree        float64, the fraction of the node's known weight that both splits send to the same branch
    adjusted     float64, the fraction of the errors of always taking the heavier branch that it avoids; 1 is perfect
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
        """The bytes of the surrogates in the fingerprint of a tree."""
        return b"".join(column_bytes(f"surrogates.{n}", getattr(self, n)) for n in SURROGATE_COLUMNS)

    def __getstate__(self) -> dict[str, object]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __setstate__(self, state: object) -> None:
        """Restore a pickled state; the tree checks that it fits."""
        if not isinstance(state, dict) or sorted(map(str, state)) != sorted(SURROGATE_COLUMNS):
            raise ModelFormatError(
                f"The state of surrogates must have exactly the fields {', '.join(SURROGATE_COLUMNS)}; fit and save "
                "the model again."
            )
        for name in SURROGATE_COLUMNS:
            object.__setattr__(self, name, state[name])
        self.__post_init__()

    def __repr__(self) -> str:
        return f"<Surrogates: {len(self)} for {np.count_nonzero(np.diff(self.start))} nodes>"


@dataclass(frozen=True, slots=True, repr=False)
class Surrogate:
    """A view of one surrogate of a node.

    split     its own split
    low       0 where its branch 0 is branch 0 of the node, 1 where it is branch 1
    agree     the fraction of the node's known weight that both splits send to the same branch
    adjusted  the fraction of the errors of always taking the heavier branch that it avoids; 1 is perfect
    """

    split: "Split"
    low: int
    agree: float
    adjusted: float

    @property
    def name(self) -> str:
        """The name of the column that it splits on."""
        return self.split.name

    def branch_words(self, branch: int, language: str = "en") -> str:
        """The condition under which this surrogate sends a row down a branch of the node.

        >>> from treewright.data.schema import Column, Kind
        >>> from treewright.model.split import Split
        >>> age = Split(Column("age", Kind.NUMBER), 0, 2, threshold=30.0)
        >>> Surrogate(age, 1, 0.9, 0.8).branch_words(0)
        'age > 30'
        """
        return self.split.branch_words(1 - branch if self.low == 1 and branch in (0, 1) else branch, language)

    def words(self, language: str = "en") -> str:
        """The condition that sends a row down branch 0, and how well the surrogate agrees with the split.

        >>> from treewright.data.schema import Column, Kind
        >>> from treewright.model.split import Split
        >>> Surrogate(Split(Column("gleason", Kind.NUMBER), 0, 2, threshold=5.5), 0, 0.8634, 0.672).words()
        'gleason <= 5.5 (agree 0.863, adjusted 0.672)'
        """
        _ = messages(language)
        return _(
            "{condition} (agree {agree}, adjusted {adjusted})",
            condition=self.branch_words(0, language),
            agree=f"{self.agree:.3f}",
            adjusted=f"{self.adjusted:.3f}",
        )

    def __repr__(self) -> str:
        return f"<Surrogate {printable(self.words())}>"


def surrogates_of(tree: "Tree", node: int) -> list[Surrogate]:
    """The surrogates of a node, best first; none where the tree has none."""
    all_surrogates = tree.surrogates
    if all_surrogates is None:
        return []
    from treewright.model.split import Split

    found = []
    for s in range(int(all_surrogates.start[node]), int(all_surrogates.start[node + 1])):
        position = int(all_surrogates.column[s])
        column, low = tree.schema.columns[position], int(all_surrogates.low[s])
        if low >= 0:
            split = Split(column, position, 2, threshold=float(all_surrogates.threshold[s]))
        else:
            own = slice(all_surrogates.table_start[s], all_surrogates.table_start[s + 1])
            codes, branches = all_surrogates.table_code[own].tolist(), all_surrogates.table_branch[own].tolist()
            split = Split(column, position, 2, table=(tuple(codes), tuple(branches)))
        agree, adjusted = float(all_surrogates.agree[s]), float(all_surrogates.adjusted[s])
        found.append(Surrogate(split, max(low, 0), agree, adjusted))
    return found
