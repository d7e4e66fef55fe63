"""CutOffs: the series of ever smaller trees that rising critical values make.

In: what each node's split is worth at its best, itself or below, and what it adds to the numbers of a tree. Out: a
table with a line for each tree, and which of them was chosen. All of it comes from one sort of the nodes.
"""

from dataclasses import dataclass
from math import floor, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.grid import Grid, counted, new_frame

N_SHOWN = 20
"""Trees that a printed series lists: those around the chosen one."""


@dataclass(frozen=True, slots=True, eq=False)
class CutOffs:
    """The series, from the grown tree to its root alone.

    cut_off   float64, the largest critical value that makes the tree; infinity for the root alone
    n_leaves  int64
    degrees   int64, degrees of freedom of the table of leaves by classes; empty leaves and classes are not in it
    g         float64, G of that table
    log_p     float64, the logarithm of the p-value of G; None where validation rows chose
    errors    float64, the weight of wrong answers on validation rows; None where significance chose
    chosen    which tree it is
    """

    cut_off: NDArray[np.float64]
    n_leaves: NDArray[np.int64]
    degrees: NDArray[np.int64]
    g: NDArray[np.float64]
    log_p: NDArray[np.float64] | None
    errors: NDArray[np.float64] | None
    chosen: int

    def __len__(self) -> int:
        return len(self.cut_off)

    def to_frame(self) -> Any:
        """A row for each tree, as a frame of pandas, or of polars where pandas is not installed.

        A p-value too small for a float is 0; its logarithm is not.
        """
        columns: dict[str, Any] = {
            "cut_off": self.cut_off,
            "leaves": self.n_leaves,
            "degrees": self.degrees,
            "g": self.g,
        }
        if self.log_p is not None:
            columns |= {"p_value": np.exp(self.log_p), "log10_p": self.log_p / log(10)}
        if self.errors is not None:
            columns["validation_errors"] = self.errors
        return new_frame(columns | {"chosen": np.arange(len(self)) == self.chosen})

    def __str__(self) -> str:
        return "\n".join(self._grid().lines())

    def __repr__(self) -> str:
        return f"<CutOffs: {counted(len(self), 'tree')}, chosen {self.n_leaves[self.chosen]} leaves>"

    def _repr_html_(self) -> str:
        return self._grid().html()

    def _grid(self) -> Grid:
        first = max(0, min(self.chosen - N_SHOWN // 2, len(self) - N_SHOWN))
        shown = range(first, min(first + N_SHOWN, len(self)))
        by = "p-value" if self.errors is None else "validation errors"
        rows = [
            [
                f"{self.cut_off[i]:.4g}",
                str(self.n_leaves[i]),
                str(self.degrees[i]),
                f"{self.g[i]:.2f}",
                _p_words(float(self.log_p[i])) if self.log_p is not None else "",
                f"{self.errors[i]:.6g}" if self.errors is not None else "",
                "chosen" if i == self.chosen else "",
            ]
            for i in shown
        ]
        used = [0, 1, 2, 3, 4 if self.errors is None else 5, 6]
        head = ["cut-off", "leaves", "df", "G", by, ""]
        n_more = len(self) - len(shown)
        below = [f"… {counted(n_more, 'more tree')}"] if n_more else []
        return Grid(head, [[row[k] for k in used] for row in rows], [True] * 5 + [False], below)


def in_turn(
    peak: NDArray[np.float64], slack: float, *adds: NDArray[Any]
) -> tuple[NDArray[np.float64], list[NDArray[Any]]]:
    """The cut-offs of the series, and for each tree the sums over the nodes that keep their split.

    peak   of each inner node, the strongest split among it and those below it
    slack  peaks next to each other that differ by no more are the same
    adds   what each of them adds to a number of the tree

    >>> cut_off, (leaves,) = in_turn(np.array([5.0, 2.0, 5.0]), 0.0, np.array([1, 1, 1]))
    >>> cut_off.tolist(), leaves.tolist()
    ([2.0, 5.0, inf], [3, 2, 0])
    """
    order = np.argsort(peak, kind="stable")
    rising = peak[order]
    first = np.flatnonzero(np.diff(rising, prepend=-np.inf) > slack)
    # From the strongest node on, so that small trees have the sums with the fewest roundings.
    sums = [np.append(np.cumsum(add[order][::-1])[::-1][first], 0).astype(add.dtype) for add in adds]
    return np.append(rising[first], np.inf), sums


def _p_words(log_p: float) -> str:
    """A p-value, however small."""
    tens = log_p / log(10)
    if tens > -4:
        return f"{10**tens:.4f}"
    whole = floor(tens)
    return f"{10 ** (tens - whole):.1f}e{whole}"
