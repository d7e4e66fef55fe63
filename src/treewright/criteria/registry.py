"""Registry: every criterion as one record.

In: a name. Out: its record: code, definition, words, and what it needs. Plans, checks, model files, ledgers, the page
and the command line read the record, so a new criterion is one function in numpy, one in the kernels and one record
here: see CONTRIBUTING.md. The contract tests run on every entry.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright._core import codes
from treewright.criteria.impurities import (
    absolute_error,
    classification_error,
    entropy,
    entropy_terms,
    gini,
    gini_terms,
    poisson,
    squared_error,
)
from treewright.criteria.merits import (
    decrease,
    error_decrease,
    gain_ratio,
    gini_decrease,
    information_gain,
    twoing,
)
from treewright.errors import one_of
from treewright.language import N_

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A split criterion: the impurity of a node, the gain of a split, and their names.

    Attributes
    ----------
    name : str
        The value of the parameter `criterion`.
    code : int
        Its number in the kernels, from `treewright._core.codes`.
    impurity : callable
        The impurity of a node: a function of class counts, or of targets and weights. It is 0 for a pure
        node, largest for equally frequent classes, and concave, so that no split increases it.
    symbol : str
        Its symbol in formulas: `Ent` in Ent(D).
    label : str
        Its name on the page; a message of the catalogue, as are `heading`, `unit` and `loss`.
    heading : str
        The sentence above the impurity in a worked solution.
    terms : callable or None
        The term of each class proportion, if the impurity is a sum of such terms.
    measure : callable or None
        The merit of a binary split, if it is not the decrease of the impurity (twoing).
    unit : str
        The unit of the impurity; empty for a proportion.
    loss : tuple of str or None
        Regression: the predicted statistic, and the loss that is summed. None for classification.
    by_median : bool
        Regression: whether medians are predicted and absolute differences summed.
    by_deviance : bool
        Regression: whether rates are predicted and Poisson deviances summed. No target may be below 0.

    Examples
    --------
    >>> from treewright.criteria import CRITERIA
    >>> gini = CRITERIA["gini"]
    >>> gini.impurity([5, 5]), gini.gain([[5, 0], [0, 5]])
    (0.5, 0.5)
    """

    name: str
    code: int
    impurity: Callable[..., float]
    symbol: str
    label: str
    heading: str
    terms: Callable[[Floats], Floats] | None = None
    measure: Callable[[ArrayLike], float] | None = None
    unit: str = ""
    loss: tuple[str, str] | None = None
    by_median: bool = False
    by_deviance: bool = False

    @property
    def for_numbers(self) -> bool:
        """Whether it is a criterion for regression."""
        return self.loss is not None

    @property
    def not_squared(self) -> bool:
        """Regression: whether another loss is summed than the squared errors that regression trees are scored by."""
        return self.by_median or self.by_deviance

    @property
    def two_branches(self) -> bool:
        """Whether it compares two branches, so that splits must be binary."""
        return self.measure is not None

    def gain(self, table: ArrayLike) -> float:
        """Return the gain of a split.

        Parameters
        ----------
        table : array-like of shape (n_branches, n_classes)
            Class counts or weights of each branch.

        Returns
        -------
        float
            The decrease of the impurity, or `measure` of the table.

        Examples
        --------
        >>> round(CRITERIA["entropy"].gain([[2, 3], [4, 0], [3, 2]]), 3)
        0.247
        """
        return decrease(table, self.impurity) if self.measure is None else self.measure(table)

    def of_weights(self, table: NDArray[np.int64] | Floats) -> Floats:
        """Return the impurity of each row of class weights; 0 for a row of zeros.

        Parameters
        ----------
        table : ndarray of shape (n_rows, n_classes)
            Class counts or weights.

        Returns
        -------
        ndarray of shape (n_rows,)

        Examples
        --------
        >>> CRITERIA["gini"].of_weights(np.array([[2, 3], [4, 0], [0, 0]])).round(2).tolist()
        [0.48, 0.0, 0.0]
        """
        total = table.sum(axis=1, keepdims=True)
        return self.of_shares(np.divide(table, total, out=np.zeros(table.shape), where=total > 0))

    def of_shares(self, share: Floats) -> Floats:
        """Return the impurity of each row of class proportions; 0 for a row of zeros.

        Parameters
        ----------
        share : ndarray of shape (n_rows, n_classes)
            Class proportions; each row sums to 1 or is all 0.

        Returns
        -------
        ndarray of shape (n_rows,)
        """
        if self.terms is not None:
            return np.asarray(self.terms(share).sum(axis=1))
        return np.array([self.impurity(row) if row.any() else 0.0 for row in share], np.float64)

    def most(self, n_classes: int) -> float:
        """Return the largest impurity for a number of classes: that of equally frequent classes.

        Parameters
        ----------
        n_classes : int
            The number of classes; below 2 counts as 2.

        Returns
        -------
        float

        Examples
        --------
        >>> round(CRITERIA["entropy"].most(8), 6), CRITERIA["gini"].most(2)
        (3.0, 0.5)
        """
        return self.impurity(np.ones(max(2, n_classes)))


_ALL = (
    Criterion(
        name="entropy", code=codes.ENTROPY, impurity=entropy, terms=entropy_terms, symbol="Ent", unit=N_("bits"),
        label=N_("entropy"),
        heading=N_("The information entropy of D:"),
    ),
    Criterion(
        name="gini", code=codes.GINI, impurity=gini, terms=gini_terms, symbol="Gini",
        label=N_("Gini"),
        heading=N_("The Gini impurity of D:"),
    ),
    Criterion(
        name="twoing", code=codes.TWOING, impurity=gini, terms=gini_terms, measure=twoing, symbol="Gini",
        label=N_("twoing"),
        heading=N_("The Gini impurity of D, for information only; columns are ranked by twoing:"),
    ),
    Criterion(
        name="squared_error", code=codes.SQUARED_ERROR, impurity=squared_error, symbol="MSE",
        label=N_("squared error"), loss=(N_("mean"), N_("squared errors")),
        heading=N_("The mean of D and the squared errors about it:"),
    ),
    Criterion(
        name="absolute_error", code=codes.ABSOLUTE_ERROR, impurity=absolute_error, symbol="MAE", by_median=True,
        label=N_("absolute error"), loss=(N_("median"), N_("absolute errors")),
        heading=N_("The median of D and the absolute errors about it:"),
    ),
    Criterion(
        name="poisson", code=codes.POISSON, impurity=poisson, symbol="MHD", by_deviance=True,
        label=N_("half the Poisson deviance"), loss=(N_("rate"), N_("half the Poisson deviance")),
        heading=N_("The rate of D and half the Poisson deviance about it:"),
    ),
)  # fmt: skip

CRITERIA: Mapping[str, Criterion] = MappingProxyType({one.name: one for one in _ALL})
"""What a tree can be grown by."""

CLASS_CRITERIA = tuple(one.name for one in _ALL if not one.for_numbers)
NUMBER_CRITERIA = tuple(one.name for one in _ALL if one.for_numbers)

SYNONYMS: Mapping[str, str] = MappingProxyType({"log_loss": "entropy", "friedman_mse": "squared_error"})
"""Other names of a criterion, as in scikit-learn.

The log loss of class proportions is their entropy. Friedman's improvement w_L w_R / (w_L + w_R) (mean_L - mean_R)^2
(2001, equation 35) is the weight of the node times the decrease of its squared error: both choose the same split.
"""


def read_criterion(given: object, valid: Sequence[str]) -> str:
    """Return the name of a criterion's record for that name or a synonym; an error if it is not one of the valid ones.

    >>> read_criterion("log_loss", CLASS_CRITERIA), read_criterion("squared_error", NUMBER_CRITERIA)
    ('entropy', 'squared_error')
    """
    synonyms = [name for name, meant in SYNONYMS.items() if meant in valid]
    name = one_of("criterion", given, (*valid, *synonyms))
    return SYNONYMS.get(name, name)


IMPURITIES: Mapping[str, Callable[..., float]] = MappingProxyType(
    {one.name: one.impurity for one in _ALL if not one.for_numbers and not one.two_branches}
    | {"classification_error": classification_error}
)
"""Of class counts: 0 when pure."""

LOSSES: Mapping[str, Callable[..., float]] = MappingProxyType(
    {one.name: one.impurity for one in _ALL if one.for_numbers}
)
"""Of target numbers: 0 when all are equal."""

MERITS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        "information_gain": information_gain,
        "gain_ratio": gain_ratio,
        "gini_decrease": gini_decrease,
        "error_decrease": error_decrease,
        "twoing": twoing,
    }
)
"""Of a table of branches by classes: more is better, 0 when every branch has the class proportions of the node."""
