"""Registry: every criterion as one record.

In: a name. Out: its record: code, definition, words, and what it needs. Plans, checks, model files, ledgers, the page
and the command line read the record, so a new criterion is one function in numpy, one in the kernels and one record
here: see CONTRIBUTING.md. The contract tests run on every entry.
"""

from collections.abc import Callable, Mapping
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

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What a split improves.

    name      what `criterion` is given
    code      its number in the kernels, from `treewright._core.codes`
    impurity  of a node: a function of class counts, or of targets and weights; 0 when pure, largest when classes are
              equally frequent, and concave: no split adds to it
    terms     what each class share adds to the impurity, where it is such a sum; otherwise None
    measure   of a split in two, where that is not the decrease of the impurity (twoing); otherwise None
    symbol    in formulas: Ent(D)
    unit      what the impurity is counted in; empty where it is a proportion
    label     on the page, in English and Chinese
    heading   above the impurity in a worked solution, in English and Chinese
    loss      of numbers: what is predicted and what is summed up about it, in English; None for classes
    by_median of numbers: predicts medians, and loses absolute distances
    """

    name: str
    code: int
    impurity: Callable[..., float]
    symbol: str
    label: tuple[str, str]
    heading: tuple[str, str]
    terms: Callable[[Floats], Floats] | None = None
    measure: Callable[[ArrayLike], float] | None = None
    unit: str = ""
    loss: tuple[str, str] | None = None
    by_median: bool = False

    @property
    def for_numbers(self) -> bool:
        """Whether it is one for regression."""
        return self.loss is not None

    @property
    def two_branches(self) -> bool:
        """Whether it compares two branches and has no meaning for more."""
        return self.measure is not None

    def gain(self, table: ArrayLike) -> float:
        """The gain of a split, from a table of branches by classes.

        >>> round(CRITERIA["entropy"].gain([[2, 3], [4, 0], [3, 2]]), 3)
        0.247
        """
        return decrease(table, self.impurity) if self.measure is None else self.measure(table)

    def of_weights(self, table: NDArray[np.int64] | Floats) -> Floats:
        """The impurity of every row of class weights; 0 where there is none.

        >>> CRITERIA["gini"].of_weights(np.array([[2, 3], [4, 0], [0, 0]])).round(2).tolist()
        [0.48, 0.0, 0.0]
        """
        total = table.sum(axis=1, keepdims=True)
        return self.of_shares(np.divide(table, total, out=np.zeros(table.shape), where=total > 0))

    def of_shares(self, share: Floats) -> Floats:
        """The impurity of every row of class shares; 0 for a row of zeros."""
        if self.terms is not None:
            return np.asarray(self.terms(share).sum(axis=1))
        return np.array([self.impurity(row) if row.any() else 0.0 for row in share], np.float64)

    def most(self, n_classes: int) -> float:
        """The largest impurity of so many classes: that of equal ones.

        >>> round(CRITERIA["entropy"].most(8), 6), CRITERIA["gini"].most(2)
        (3.0, 0.5)
        """
        return self.impurity(np.ones(max(2, n_classes)))


_ALL = (
    Criterion(
        name="entropy", code=codes.ENTROPY, impurity=entropy, terms=entropy_terms, symbol="Ent", unit="bits",
        label=("entropy", "信息熵"),
        heading=("The information entropy of D:", "D 的信息熵："),
    ),
    Criterion(
        name="gini", code=codes.GINI, impurity=gini, terms=gini_terms, symbol="Gini",
        label=("Gini", "基尼"),
        heading=("The Gini impurity of D:", "D 的基尼值："),
    ),
    Criterion(
        name="twoing", code=codes.TWOING, impurity=gini, terms=gini_terms, measure=twoing, symbol="Gini",
        label=("twoing", "twoing"),
        heading=("The Gini impurity of D, shown only; columns are ranked by twoing:",
                 "D 的基尼值（仅供参考；按 twoing 准则选择）："),
    ),
    Criterion(
        name="squared_error", code=codes.SQUARED_ERROR, impurity=squared_error, symbol="MSE",
        label=("squared error", "平方误差"), loss=("mean", "squared errors"),
        heading=("The mean of D and the squared errors about it:", "D 的均值与平方误差："),
    ),
    Criterion(
        name="absolute_error", code=codes.ABSOLUTE_ERROR, impurity=absolute_error, symbol="MAE", by_median=True,
        label=("absolute error", "绝对误差"), loss=("median", "absolute errors"),
        heading=("The median of D and the absolute errors about it:", "D 的中位数与绝对误差："),
    ),
)  # fmt: skip

CRITERIA: Mapping[str, Criterion] = MappingProxyType({one.name: one for one in _ALL})
"""What a tree can be grown by."""

CLASS_CRITERIA = tuple(one.name for one in _ALL if not one.for_numbers)
NUMBER_CRITERIA = tuple(one.name for one in _ALL if one.for_numbers)

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
"""Of a table of branches by classes: more is better, 0 when every branch has the shares of the whole."""
