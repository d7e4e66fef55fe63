"""Results: what a cross-validation has found.

In: the figures of each way to make a tree. Out: a table to print, a data frame, or plain data.
"""

from dataclasses import asdict, dataclass, fields
from typing import Any

from treewright.model.grid import Grid, counted, new_frame
from treewright.model.words import printable


@dataclass(frozen=True, slots=True)
class Scored:
    """One way to make a tree, cross-validated.

    name           as it was given
    error          on rows that were held out: the share of wrong answers, or the mean squared error
    error_se       its standard error, over rows
    log_loss       the mean of -ln(share of the right class); None for numbers
    r2             1 less the error over that of answering the mean of all rows; None for classes
    n_leaves       of the trees of the parts, their mean
    depth          the same
    seconds        that a fit took, the same
    difference     how much larger the error is than that of the best; the mean cost, where costs are given
    difference_se  the standard error of that, row by row: both are wrong on many of the same rows
    brier          the mean squared distance of the shares from what came true; None for numbers
    cost, cost_se  what an answer costs on average, and its standard error; None where no costs are given
    """

    name: str
    error: float
    error_se: float
    log_loss: float | None
    r2: float | None
    n_leaves: float
    depth: float
    seconds: float
    difference: float
    difference_se: float
    cost: float | None = None
    cost_se: float | None = None
    brier: float | None = None


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Ways to make a tree side by side; print it, or read its rows.

    rows      a `Scored` for each, in the order in which they were given
    best      the name of the one with the smallest error, or mean cost; of several, that of the smaller trees
    left_out  what could not be tried, and why
    unit      what the errors are
    n_rows    rows of the table
    folds     parts of the rows
    repeats   how often they were dealt
    """

    rows: tuple[Scored, ...]
    best: str
    left_out: tuple[tuple[str, str], ...]
    unit: str
    n_rows: int
    folds: int
    repeats: int

    def __getitem__(self, name: str) -> Scored:
        return next(row for row in self.rows if row.name == name)

    def to_frame(self) -> Any:
        """The rows as a data frame of pandas, or of polars where pandas is not installed."""
        return new_frame({f.name: [getattr(row, f.name) for row in self.rows] for f in fields(Scored)})

    def to_dict(self) -> dict[str, Any]:
        """All of it as data that JSON can hold."""
        found = asdict(self)
        found["left_out"] = dict(self.left_out)
        return found

    def __str__(self) -> str:
        return "\n".join(self.grid().lines())

    def _repr_html_(self) -> str:
        return f"<div>{self.grid().html()}</div>"

    def grid(self) -> Grid:
        """The table in words."""
        extra = "r2" if self.rows[0].log_loss is None else "log_loss"
        has_costs = self.rows[0].cost is not None
        head = ["", *(["cost", "±"] if has_costs else []), "error", "±", {"r2": "R²", "log_loss": "log loss"}[extra]]
        head += ["leaves", "depth", "seconds", "behind the best", "±"]
        rows = [
            [
                printable(row.name),
                *([_maybe(row.cost), f"{row.cost_se:.2g}"] if has_costs else []),
                f"{row.error:.4g}",
                f"{row.error_se:.2g}",
                _maybe(getattr(row, extra)),
                f"{row.n_leaves:.1f}",
                f"{row.depth:.1f}",
                f"{row.seconds:.2g}",
                *(["best", ""] if row.name == self.best else [f"{row.difference:.4g}", f"{row.difference_se:.2g}"]),
            ]
            for row in self.rows
        ]
        return Grid(head, rows, [False, *[True] * (len(head) - 1)], self.notes())

    def notes(self) -> list[str]:
        """What is said below the table."""
        times = "" if self.repeats == 1 else f", {self.repeats} times"
        cost = "" if self.rows[0].cost is None else "cost: mean cost of an answer; "
        found = [
            f"{cost}error: {self.unit} in {self.folds}-fold cross-validation{times}, {counted(self.n_rows, 'row')}; "
            "±: one standard error; leaves, depth, seconds: mean of the folds"
        ]
        return found + [printable(f"{name} is left out: {why}") for name, why in self.left_out]


def _maybe(number: float | None) -> str:
    return "" if number is None else f"{number:.4g}"
