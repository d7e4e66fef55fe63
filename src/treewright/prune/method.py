"""Method: the base class of the pruning methods, what they prune, and what they return.

In: a grown tree and, if the method needs them, its training rows, validation rows, or a function that grows trees. Out:
a new tree and a report of every decision. The grown tree is never changed.

Weights need not be counts of rows. Methods that need to know how many rows a number rests on see every weight divided
by the weight of one row, so that a table whose weights sum to 1 is pruned like the same table without weights.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.fixed_point import exact_sum
from treewright.errors import InputError, KindError, ParameterError
from treewright.model.prediction_rule import PredictionRule
from treewright.model.tree import Tree
from treewright.model.tree_columns import COLUMNS
from treewright.predict.missing_policy import AS_GROWN, MissingPolicy

if TYPE_CHECKING:
    from treewright.prune.cross_validation import CrossValidation, FoldsElsewhere
    from treewright.prune.limits import Limit
    from treewright.prune.losses import RowsElsewhere
    from treewright.prune.raising import RaisingResult
    from treewright.prune.report import PruningReport

METHOD_SEPARATOR = "+"
"""Between the names of methods that are applied one after the other."""

TRAINING, VALIDATION, GROWTH = "training", "validation", "growth"
"""What a method may need besides the tree."""

RaiseBranches = Callable[[Tree, "Limit", float], "RaisingResult"]
"""Prunes a tree whose weights count rows, by a limit and an allowance, with subtree raising."""

LEAST_LOSS, MOST_LOSS = 1e-250, 1e250
"""Between these, fractions and multiples of the mean loss of the root keep all their digits."""
LEAST_SIZE, MOST_SIZE = 1e-150, 1e150
"""The same for absolute error, whose trees are evaluated on other rows by squared losses."""


@dataclass(frozen=True, slots=True, eq=False)
class PruningInput:
    """What a method may use.

    Attributes
    ----------
    tree : Tree
        The grown tree.
    rows : Dataset or None
        The training rows.
    validation : Dataset, RowsElsewhere or None
        Other rows, in the codes of the tree's schema; those that are not in memory are summed up where they are.
    grow : callable or None
        Grows a tree on other rows in the same way.
    rule : MissingPolicy
        How rows with missing values are routed.
    unit : float
        The weight that counts as one row.
    n_jobs : int
        How many trees may be grown at a time.
    raise_branches : callable or None
        Prunes with subtree raising by training rows that are elsewhere; None: by `rows`.
    cross_validation : FoldsElsewhere or None
        Instead of `rows` and `grow`, if the training rows are not in memory.
    """

    tree: Tree
    rows: Dataset | None = None
    validation: "Dataset | RowsElsewhere | None" = None
    grow: Callable[[Dataset], Tree] | None = None
    rule: MissingPolicy = AS_GROWN
    unit: float = 1.0
    n_jobs: int = 1
    raise_branches: RaiseBranches | None = None
    cross_validation: "FoldsElsewhere | None" = None

    @property
    def validation_in_memory(self) -> Dataset | None:
        """The validation rows, if they are in memory."""
        return self.validation if isinstance(self.validation, Dataset) else None

    @property
    def folds(self) -> "CrossValidation | None":
        """Cross-validation on the training rows; None without them."""
        if self.rows is None or self.grow is None:
            return self.cross_validation
        from treewright.prune.cross_validation import RowFolds

        return RowFolds(self.rows, self.grow, self.n_jobs)

    @property
    def raising(self) -> RaiseBranches | None:
        """Subtree raising by the training rows, with the weights that growth counted; None without them."""
        if self.rows is None or self.raise_branches is not None:
            return self.raise_branches
        from treewright.prune.raising import raise_branches

        return partial(raise_branches, rows=self.rows, unit=self.unit)

    def in_rows(self) -> "PruningInput":
        """The same, with weights that count rows."""
        tree, rows = tree_in_units(self.tree, self.unit), rows_in_units(self.rows, self.unit)
        return replace(self, tree=tree, rows=rows, unit=1.0, raise_branches=self.raising)


@dataclass(frozen=True, slots=True, eq=False)
class Pruned:
    """The pruned tree, and the report of every decision."""

    tree: Tree
    report: "PruningReport"


class Method(ABC):
    """A pruning method; its subclasses are frozen dataclasses whose fields are the parameters of the method.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Method, Pessimistic
    >>> method = Pessimistic(standard_errors=2)
    >>> isinstance(method, Method), method.name
    (True, 'pessimistic')
    >>> method.prune(golf_example()).tree.n_leaves
    3
    """

    name: ClassVar[str]
    """The name that an estimator takes as `pruning`."""
    for_numbers: ClassVar[bool] = False
    """Whether the method prunes regression trees."""
    is_compared: ClassVar[bool] = True
    """Whether comparisons of all methods include it."""
    messages: ClassVar[tuple[str, ...]] = ()
    """The messages that its reports are written with, to be translated: see `treewright.prune.report_messages`."""
    stored_texts: ClassVar[Mapping[str, str]] = {}
    """Messages -> the words that model files have for them, if they had other words at first."""

    @property
    def label(self) -> str:
        """The name of its results: that of the method, or those of its steps."""
        return self.name

    @property
    def needs(self) -> frozenset[str]:
        """What the method needs besides the tree: TRAINING, VALIDATION, GROWTH."""
        return frozenset()

    @property
    def uses(self) -> frozenset[str]:
        """What the method uses if it is there."""
        return self.needs

    def needs_besides(self, inputs: PruningInput) -> frozenset[str]:
        """What the method needs besides the tree, if it is passed these inputs.

        Parameters
        ----------
        inputs : PruningInput
            What is passed to the method.

        Returns
        -------
        frozenset of str
            TRAINING, VALIDATION, GROWTH.
        """
        return self.needs

    def prune(
        self,
        tree: Tree,
        *,
        rows: Dataset | None = None,
        validation: "Dataset | RowsElsewhere | None" = None,
        grow: Callable[[Dataset], Tree] | None = None,
        rule: MissingPolicy = AS_GROWN,
        unit: float = 1.0,
    ) -> Pruned:
        """Prune a tree.

        Parameters
        ----------
        tree : Tree
            The grown tree; it is not changed.
        rows, validation : Dataset or None
            The training rows, and validation rows, for methods that use them.
        grow : callable or None
            Grows a tree on other rows, for methods that cross-validate.
        rule : MissingPolicy
            How rows with missing values are routed.
        unit : float
            The weight that counts as one row.

        Returns
        -------
        Pruned
            The pruned tree and the report of every decision.

        Raises
        ------
        InputError
            If the method needs something that is not passed.
        KindError
            If the tree is a regression tree and the method needs classes.
        """
        return self.prune_by(PruningInput(tree, rows, validation, grow, rule, unit))

    def prune_by(self, inputs: PruningInput) -> Pruned:
        """Prune a tree, with all that the method may use in one record.

        Parameters
        ----------
        inputs : PruningInput
            The grown tree, and the rows and functions that the method uses.

        Returns
        -------
        Pruned
            The pruned tree and the report of every decision.
        """
        tree = inputs.tree
        self.check_inputs(inputs)
        found = self._prune(inputs.in_rows())
        path = found.report.path
        if hasattr(path, "tree"):
            path = replace(path, tree=tree)
        report = replace(found.report, tree=tree, path=path)
        return Pruned(tree_in_original_weights(found.tree, tree, report.origin, inputs.unit), report)

    def check_inputs(self, inputs: PruningInput) -> None:
        """Raise an error if the method cannot prune the tree, or if something that it needs is missing.

        Parameters
        ----------
        inputs : PruningInput
            The grown tree, and the rows and functions that the method uses.

        Raises
        ------
        InputError
            If the method needs something that is None, or the target is too large or too small to be squared.
        KindError
            If the tree is a regression tree and the method needs classes.
        """
        tree = inputs.tree
        self.check_target(tree.schema.target.is_number)
        _check_target_scale(tree)
        given = {TRAINING: inputs.rows, VALIDATION: inputs.validation, GROWTH: inputs.grow}
        for need in sorted(self.needs_besides(inputs)):
            if given[need] is None:
                raise self._missing_input(need)

    def refuse_without_validation(self) -> None:
        """Raise an error, before anything is grown, if the method needs validation rows: there are none."""
        if VALIDATION in self.needs:
            raise self._missing_input(VALIDATION)

    def _missing_input(self, need: str) -> InputError:
        what, advice, option = _MISSING_INPUT[need]
        return InputError(f"{self.title()} {what}", advice=advice, option=option)

    def check_target(self, is_number: bool) -> None:
        """Raise an error if the target is a number and the method needs classes.

        Parameters
        ----------
        is_number : bool
            Whether the target is a number.

        Raises
        ------
        KindError
            If the method cannot be used for regression.
        """
        if is_number and not self.for_numbers:
            raise KindError(
                f"{self.title()} cannot be used for regression; "
                "use 'cost_complexity', 'global', 'reduced_error', 'pessimistic', 'pre_pruning', 'same_decision' or "
                "'max_leaves'."
            )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters of the method, as in scikit-learn.

        Parameters
        ----------
        deep : bool, default=True
            Whether the parameters of the steps of `Steps` are included; no effect for a single method.

        Returns
        -------
        dict
            The values by name.

        Examples
        --------
        >>> from treewright.prune import Global
        >>> Global().get_params()
        {'standard_errors': 1.0}
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def with_params(self, **parameters: Any) -> Self:
        """The same method with other values of some parameters; this one is not changed.

        >>> from treewright.prune import ErrorBased
        >>> ErrorBased().with_params(confidence=0.1).confidence
        0.1
        """
        known = self.get_params(deep=False)
        for name in parameters:
            if name not in known:
                expected = f"expected one of {', '.join(map(repr, known))}" if known else "it has no parameters"
                raise ParameterError(f"Unknown parameter {name!r} of {self.name!r}; {expected}.")
        return replace(self, **parameters)  # type: ignore[type-var]

    def __sklearn_clone__(self) -> Self:
        """A method is never changed, so a clone of an estimator shares it."""
        return self

    def title(self) -> str:
        """The name at the start of a sentence.

        >>> from treewright.prune import ReducedError
        >>> ReducedError().title()
        'Reduced-error pruning'
        """
        return f"{self.name.replace('_', '-').capitalize()} pruning"

    @abstractmethod
    def _prune(self, inputs: PruningInput) -> Pruned:
        """Prune the tree; what the method needs has been checked, and weights count rows."""


def _check_target_scale(tree: Tree) -> None:
    """Raise an error if the squares of the target are too large, or too near 0, to be summed up."""
    loss = float(tree.impurity[0]) if tree.schema.target.is_number else 1.0
    least, most = (LEAST_SIZE, MOST_SIZE) if tree.not_squared else (LEAST_LOSS, MOST_LOSS)
    if loss and not least < loss < most:
        raise InputError(
            f"The target has a mean loss of {loss:g}, too {'small' if loss < 1 else 'large'} for pruning; "
            f"{'multiply' if loss < 1 else 'divide'} the target by a constant, or set pruning=None."
        )


_MISSING_INPUT = {
    TRAINING: ("needs the training rows", "pass X and y", "use --data FILE"),
    VALIDATION: (
        "needs validation rows",
        "pass X_val and y_val, or set validation_fraction",
        "use --validation",
    ),
    GROWTH: ("grows trees on parts of the training rows", "pass X and y", "use --data FILE"),
}
"""What a method needs, and what to do in Python and on the command line if it is not there."""


def weight_of_one_row(rows: Dataset) -> float:
    """The weight that counts as one row: 1 if all weights are whole numbers, that is copies; else the mean weight.

    >>> from treewright.data.schema import Schema, Target
    >>> rows = Dataset(Schema((), Target()), np.zeros((2, 0)), np.array([1.0, 2.0]), np.array([0.25, 0.5]))
    >>> weight_of_one_row(rows), weight_of_one_row(replace(rows, weight=None))
    (0.375, 1.0)
    """
    weight = rows.weight
    if weight is None or rows.is_counted:
        return 1.0
    return exact_sum(weight) / int(np.count_nonzero(weight))


def rows_in_units(rows: Dataset | None, unit: float) -> Dataset | None:
    """The rows, with weights in multiples of `unit`."""
    if rows is None or rows.weight is None or unit == 1.0:
        return rows
    return replace(rows, weight=rows.weight / unit)


def tree_in_units(tree: Tree, unit: float) -> Tree:
    """The tree, with weights in multiples of `unit`."""
    if unit == 1.0:
        return tree
    how = replace(tree.prediction_rule, row_weight=tree.prediction_rule.row_weight / unit)
    return _with_weights(tree, tree.weight / unit, tree.stats / unit, how)


def tree_in_original_weights(pruned: Tree, grown: Tree, origin: NDArray[Any], unit: float) -> Tree:
    """A pruned tree with the weights of the grown one; nodes whose rows did not change have exactly the same."""
    if unit == 1.0:
        return pruned
    same = pruned.weight == (grown.weight / unit)[origin]
    weight = np.where(same, grown.weight[origin], pruned.weight * unit)
    stats = np.where(same[:, None], grown.stats[origin], pruned.stats * unit)
    return _with_weights(pruned, weight, stats, grown.prediction_rule)


def _with_weights(tree: Tree, weight: NDArray[Any], stats: NDArray[Any], answering: PredictionRule) -> Tree:
    if tree.schema.target.is_number:  # (weight, value, loss): the value is not a weight
        stats = stats.copy()
        stats[:, 1] = tree.stats[:, 1]
    columns = {name: getattr(tree, name) for name in COLUMNS} | {"weight": weight, "stats": stats}
    return Tree.unchecked(
        tree.schema, tree.criterion, tree.missing, tree.surrogates, prediction_rule=answering, **columns
    )
