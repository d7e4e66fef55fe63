"""Results of a cross-validation: scores of several models side by side, to print or to use as data."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from treewright.language import N_, messages
from treewright.model.formatting import printable
from treewright.text_table import Grid, new_frame

ERROR_RATE, MEAN_SQUARED_ERROR = N_("error rate"), N_("mean squared error")
"""What the errors are: of classes, of numbers."""


@dataclass(frozen=True, slots=True)
class CrossValidationScore:
    """The cross-validated scores of one model.

    Attributes
    ----------
    name : str
        Its name.
    error, error_se : float
        Error rate or mean squared error on held-out rows, and its standard error over rows.
    log_loss : float or None
        Mean of -ln(probability of the true class); None for regression.
    r2 : float or None
        Coefficient of determination; None for classes.
    n_leaves, depth, seconds : float
        Size of the trees and time of a fit, averaged over the folds.
    difference, difference_se : float
        How much larger the error is than that of the best model (the mean cost, if costs are given), and the standard
        error of this difference, paired by row.
    cost, cost_se : float or None
        Mean cost of a prediction and its standard error; None without costs.
    brier : float or None
        Brier score; None for regression.
    fold_errors : tuple of float
        The error on the held-out rows of each fold, in the order of the folds (and of the repeats).
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
    fold_errors: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Cross-validated models side by side; print it, or read its rows.

    Attributes
    ----------
    rows : tuple of CrossValidationScore
        One for each model, in the order in which they were passed.
    best : str
        Name of the model with the smallest error, or mean cost; of equal ones that with the smaller trees.
    left_out : tuple of (str, str)
        Models that could not be fitted, and why.
    unit : str
        What the errors are: "error rate" or "mean squared error".
    n_rows, folds, repeats : int
        Rows of the table, folds, and repetitions.
    fold_weights : tuple of float
        Weight of the held-out rows of each fold.
    language : str
        Language of the printed table.
    """

    rows: tuple[CrossValidationScore, ...]
    best: str
    left_out: tuple[tuple[str, str], ...]
    unit: str
    n_rows: int
    folds: int
    repeats: int
    fold_weights: tuple[float, ...] = ()
    language: str = "en"

    def __getitem__(self, name: str) -> CrossValidationScore:
        return next(row for row in self.rows if row.name == name)

    def to_frame(self) -> Any:
        """Return the scores as a data frame of pandas, or of polars if pandas is not installed."""
        names = [field.name for field in fields(CrossValidationScore) if field.name != "fold_errors"]
        return new_frame({name: [getattr(row, name) for row in self.rows] for name in names})

    def nested_error(self, chosen: Sequence[str] | None = None) -> float:
        """Return the error of choosing the best model, without the optimism of scoring it by the rows that chose it.

        For each fold the best model is chosen again without its rows, and scored by them.

        Parameters
        ----------
        chosen : sequence of str, optional
            The model chosen for each fold, for example by a cross-validation of the other rows; by default the one
            with the smallest error in the other folds.

        Returns
        -------
        float

        Examples
        --------
        >>> scores = {"log_loss": None, "r2": None, "n_leaves": 2.0, "depth": 1.0, "seconds": 0.1, "difference": 0.0,
        ...     "difference_se": 0.0}
        >>> lucky = CrossValidationScore("lucky", 0.25, 0.1, fold_errors=(0.5, 0.0), **scores)
        >>> steady = CrossValidationScore("steady", 0.3, 0.1, fold_errors=(0.3, 0.3), **scores)
        >>> found = CrossValidation((lucky, steady), "lucky", (), ERROR_RATE, 20, 2, 1, (10.0, 10.0))
        >>> found["lucky"].error, found.nested_error()
        (0.25, 0.4)
        """
        errors = np.array([row.fold_errors for row in self.rows])
        weights = np.array(self.fold_weights)
        if chosen is not None:
            names = [row.name for row in self.rows]
            at = np.array([names.index(name) for name in chosen])
        else:
            others = (errors @ weights)[:, None] - errors * weights
            leaves = np.array([row.n_leaves for row in self.rows])
            # Sums of other folds are equal up to rounding; the smaller trees are chosen then, as in `best`.
            at = np.lexsort((np.broadcast_to(leaves[:, None], others.shape), others.round(9)), axis=0)[0]
        return float(np.average(errors[at, np.arange(len(weights))], weights=weights))

    def to_dict(self) -> dict[str, Any]:
        """Return the results as data that JSON can hold."""
        found = asdict(self)
        found["left_out"] = dict(self.left_out)
        del found["language"]
        return found

    def __str__(self) -> str:
        return "\n".join(self.grid().lines())

    def _repr_html_(self) -> str:
        return f"<div>{self.grid().html()}</div>"

    def grid(self) -> Grid:
        """Return the printed table."""
        _ = messages(self.language)
        is_number, has_costs = self.rows[0].log_loss is None, self.rows[0].cost is not None
        head = [
            "",
            *([_("cost"), "±"] if has_costs else []),
            _("error"),
            "±",
            "R²" if is_number else _("log loss"),
        ]
        head += [_("leaves"), _("depth"), _("seconds"), _("difference"), "±"]
        rows = []
        for row in self.rows:
            is_best = row.name == self.best
            rows.append(
                [
                    printable(row.name),
                    *([_figure(row.cost), f"{row.cost_se:.2g}"] if has_costs else []),
                    f"{row.error:.4g}",
                    f"{row.error_se:.2g}",
                    _figure(row.r2 if is_number else row.log_loss),
                    f"{row.n_leaves:.1f}",
                    f"{row.depth:.1f}",
                    f"{row.seconds:.2g}",
                    *([_("best"), ""] if is_best else [f"{row.difference:.4g}", f"{row.difference_se:.2g}"]),
                ]
            )
        return Grid(head, rows, [False, *[True] * (len(head) - 1)], self.notes())

    def notes(self) -> list[str]:
        """Return the lines below the table."""
        _ = messages(self.language)
        found = [] if self.rows[0].cost is None else [_("cost: mean cost of a prediction")]
        if self.repeats == 1:
            error = _("error: {unit} in {folds}-fold cross-validation", unit=_(self.unit), folds=self.folds)
        else:
            error = _(
                "error: {unit} in {folds}-fold cross-validation, repeated {repeats} times",
                unit=_(self.unit),
                folds=self.folds,
                repeats=self.repeats,
            )
        rows = _.plural("{n} row", "{n} rows", self.n_rows)
        found += [error, rows, _("±: standard error"), _("difference: from the best, paired by row")]
        found.append(_("leaves, depth and seconds: mean of the folds"))
        lines = ["; ".join(found)]
        return lines + [
            printable(_("{name} is left out: {why}", name=name, why=why)) for name, why in self.left_out
        ]


def _figure(number: float | None) -> str:
    return "" if number is None else f"{number:.4g}"
