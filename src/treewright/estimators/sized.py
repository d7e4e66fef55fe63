"""SizedTree: how large the tree of MDLTree gets.

In: minimums, confidence and standard errors as given, or tune=True. Out: the limits of growth and the steps of pruning.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from treewright import prune
from treewright.data.dataset import Dataset
from treewright.errors import ParameterError
from treewright.estimators.base import BaseTree
from treewright.estimators.missing import read_predict
from treewright.estimators.monotonic import constrains
from treewright.estimators.parameters import read_limits, switch, twice_the_leaf
from treewright.estimators.pruning import Outcome, Pruning
from treewright.estimators.telling import telling_column
from treewright.grow.plan import Limits, Plan
from treewright.model.answering import Answering
from treewright.predict.rule import Rule
from treewright.prune.method import Method
from treewright.prune.parameters import at_least

if TYPE_CHECKING:
    from treewright.estimators.tuning import Size, Tried

AUTO = "auto"
"""What the table decides, or other parameters do."""
PARTS: dict[str, Any] = {
    "grouping": "binary",
    "charge": "description",
    "threshold": "value",
    "minimum": "weight",
}
"""The parts of the plan that the classifier and the regressor have in common."""


class SizedTree(BaseTree):
    """Minimums, pruning, and their tuning, shared by the classifier and the regressor."""

    _fitted: ClassVar[tuple[str, ...]] = (*BaseTree._fitted, "_tuning")

    tune: bool
    standard_errors: float
    _tuning: "tuple[Tried, ...]"

    @property
    def tuning_(self) -> "tuple[Tried, ...]":
        """With tune=True what was tried; otherwise, and in a model from a file, nothing."""
        self._tree()
        return getattr(self, "_tuning", ())

    def _confidence(self) -> float | None:
        """Of error-based pruning; None: there is no such step."""
        return None

    def _size(self) -> "Size":
        """What the parameters say, checked."""
        from treewright.estimators.tuning import Size

        at_least("standard_errors", self.standard_errors, 0.0)
        raising = not constrains(self.monotonic_cst)
        return Size(float(self._limits().min_leaf), self._confidence(), float(self.standard_errors), raising)

    def _limits(self) -> Limits:
        leaf, split = self.min_samples_leaf, self.min_samples_split
        limits = read_limits(
            max_depth=self.max_depth,
            min_samples_split=2 if split is None else split,
            min_samples_leaf=leaf,
            min_impurity_decrease=self.min_impurity_decrease,
            max_leaf_nodes=self.max_leaf_nodes,
        )
        return twice_the_leaf(limits) if split is None else limits

    def _read_method(self, given: object, **parameters: object) -> Method | None:
        if not (isinstance(given, str) and given == AUTO):
            own = self._own_defaults(given) if isinstance(given, str) else {}
            return super()._read_method(given, **(own | parameters))
        if parameters:
            raise ParameterError(
                f"pruning='auto' has the parameters of the estimator; leave out {', '.join(parameters)}, or name a "
                "method."
            )
        return self._size().pruning()

    def _own_defaults(self, name: str) -> dict[str, object]:
        """What the estimator says for a method that is given by its name."""
        size = self._size()
        if name.replace("-", "_") == prune.ErrorBased.name and size.confidence is not None:
            return {"confidence": size.confidence}
        return {"standard_errors": size.standard_errors} if name == prune.Global.name else {}

    def _with(self, pruned_by: tuple[Method | None, bool], outcome: Outcome) -> Self:
        other = super()._with(pruned_by, outcome)
        other.tune = False  # what was pruned otherwise was not tuned
        return other

    def _missing_in_growth(self) -> str:
        return "fractional" if self.missing == AUTO else self.missing

    def _way_to_grow(self) -> tuple[Plan, float]:
        if switch("tune", self.tune) and not (isinstance(self.pruning, str) and self.pruning == AUTO):
            raise ParameterError(
                f"tune=True chooses how the tree is pruned, but pruning={self.pruning!r} says it; set pruning='auto', "
                "or tune=False."
            )
        return super()._way_to_grow()

    def _sized(
        self, rows: Dataset, way: tuple[Plan, float], pruning: Pruning, answering: Answering
    ) -> tuple[tuple[Plan, float], Pruning, dict[str, object]]:
        plan, share = way
        if self.missing == AUTO and telling_column(rows) is not None:
            plan = replace(plan, missing="learned")
        if not self.tune or rows.n_rows < 2:  # a single row cannot be parted
            return (plan, share), pruning, {}
        from treewright.estimators.tuning import tune

        rule = Rule(read_predict(self.missing_predict, plan.missing))
        size, tried = tune(rows, plan, lambda part, by: self._grower((by, share), answering)(part), rule)
        tuned = Pruning(size.pruning(), pruning.pre, pruning.fraction)
        return (size.plan(plan), share), tuned, {"_tuning": tried}
