"""Reliability: rows in bins by the share they were given, and how often it came true.

In: the figures of each bin. Out: a table to print, a data frame, or plain data.
"""

from dataclasses import asdict, dataclass
from typing import Any

from treewright.model.grid import Grid, new_frame
from treewright.model.words import beginning, printable, weight_words

LONGEST = 24
"""Characters of the name of a class in the table."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The rows whose share is in one bin.

    low, high  its edges; a share on an edge is in the lower bin
    weight     of its rows
    predicted  the mean of their shares; None without rows
    observed   the share of them for which it came true; None without rows
    interval   that of what was observed; None without rows
    """

    low: float
    high: float
    weight: float
    predicted: float | None
    observed: float | None
    interval: tuple[float, float] | None

    @property
    def is_off(self) -> bool:
        """Whether chance alone hardly explains the difference: the mean share is outside the interval.

        >>> Bin(0.0, 0.5, 10.0, 0.4, 0.1, (0.01, 0.35)).is_off
        True
        """
        if self.predicted is None or self.interval is None:
            return False
        return not self.interval[0] - 1e-12 <= self.predicted <= self.interval[1] + 1e-12


@dataclass(frozen=True, slots=True)
class Reliability:
    """How often shares came true; print it, or read its bins.

    bins        all of them, also those without rows
    error       the expected calibration error: the mean difference of what was predicted and what was observed, over
                the bins by weight (Naeini, Cooper and Hauskrecht 2015)
    of          the class whose share it is, in words; None: the class that was answered
    confidence  of the intervals
    """

    bins: tuple[Bin, ...]
    error: float
    of: str | None
    confidence: float

    @property
    def weight(self) -> float:
        """Of all rows."""
        return sum(one.weight for one in self.bins)

    def to_dict(self) -> dict[str, Any]:
        """All of it as data that JSON can hold."""
        return asdict(self)

    def to_frame(self) -> Any:
        """The bins as a data frame of pandas, or of polars where pandas is not installed.

        >>> Reliability((Bin(0.0, 1.0, 2.0, 0.5, 0.5, (0.01, 0.99)),), 0.0, "yes", 0.95).to_frame().shape
        (1, 7)
        """
        names = ("low", "high", "weight", "predicted", "observed")
        columns: dict[str, Any] = {name: [getattr(one, name) for one in self.bins] for name in names}
        for i, name in enumerate(("least", "most")):
            columns[name] = [None if one.interval is None else one.interval[i] for one in self.bins]
        return new_frame(columns)

    def __str__(self) -> str:
        return "\n".join(self.grid().lines())

    def _repr_html_(self) -> str:
        return f"<div>{self.grid().html()}</div>"

    def grid(self) -> Grid:
        """The table in words, without the bins that have no rows.

        >>> found = Reliability((Bin(0.0, 0.5, 8.0, 0.25, 0.25, (0.03, 0.65)), Bin(0.5, 1.0, 0.0, None, None, None)),
        ...     0.0, "yes", 0.95)
        >>> for line in found.grid().lines():
        ...     print(line)
        share of yes  rows    mean  came true  95% interval
        0 to 0.5         8  0.2500     0.2500  0.030 to 0.650
        expected calibration error: 0.0000
        """
        whose = "the answer" if self.of is None else beginning(printable(self.of), LONGEST)
        head = [f"share of {whose}", "rows", "mean", "came true", f"{100 * self.confidence:g}% interval"]
        rows, marked = [], False
        for one in self.bins:
            if one.predicted is None or one.observed is None or one.interval is None:
                continue
            around = f"{one.interval[0]:.3f} to {one.interval[1]:.3f}" + (" *" if one.is_off else "")
            marked = marked or one.is_off
            cells = [f"{one.low:.4g} to {one.high:.4g}", weight_words(one.weight)]
            rows.append([*cells, f"{one.predicted:.4f}", f"{one.observed:.4f}", around])
        below = ["*: the mean share is outside the interval"] if marked else []
        below.append(f"expected calibration error: {self.error:.4f}")
        return Grid(head, rows, [False, True, True, True, False], below)
