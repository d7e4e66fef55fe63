"""Method: what every way of pruning is.

In: a grown tree and, where the method needs them, its training rows, validation rows, or a way to grow again.
Out: a new tree and a report of every decision. The grown tree is never changed, so all methods are views over it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from treewright.data.dataset import Dataset
from treewright.errors import InputError, KindError, ParameterError
from treewright.model.tree import Tree
from treewright.predict.route import USUAL
from treewright.predict.rule import Rule
from treewright.prune.units import rows_in, tree_back, tree_in

if TYPE_CHECKING:
    from treewright.prune.report import PruningReport

JOIN = "+"
"""Between the names of methods that follow one another."""

TRAINING, VALIDATION, GROWTH = "training", "validation", "growth"
"""What a method may need besides the tree."""

LEAST_LOSS, MOST_LOSS = 1e-250, 1e250
"""Between these, parts and multiples of the root's mean loss keep all their digits."""
LEAST_SIZE, MOST_SIZE = 1e-150, 1e150
"""The same for absolute error, whose trees are judged on other rows by squared losses."""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What a method may look at.

    tree        the grown tree
    rows        the rows it was grown on
    validation  other rows, in the codes of the tree's schema
    grow        grows a tree on other rows in the same way
    rule        how rows that lack a value are answered
    unit        the weight that counts as one row; what a method compares are counts of it
    n_jobs      how many trees may be grown at a time
    """

    tree: Tree
    rows: Dataset | None = None
    validation: Dataset | None = None
    grow: Callable[[Dataset], Tree] | None = None
    rule: Rule = USUAL
    unit: float = 1.0
    n_jobs: int = 1

    def in_rows(self) -> "Material":
        """The same with weights that are counts of rows."""
        tree, rows = tree_in(self.tree, self.unit), rows_in(self.rows, self.unit)
        return replace(self, tree=tree, rows=rows, unit=1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Pruned:
    """The pruned tree and the reasons."""

    tree: Tree
    report: "PruningReport"


class Method(ABC):
    """A way of pruning; its subclasses are frozen dataclasses whose fields are its parameters."""

    name: ClassVar[str]
    """As it is given to an estimator."""
    for_numbers: ClassVar[bool] = False
    """Whether it has a meaning for regression."""

    @property
    def label(self) -> str:
        """What its results are called: its name, or those of its steps."""
        return self.name

    @property
    def needs(self) -> frozenset[str]:
        """What it needs besides the tree: TRAINING, VALIDATION, GROWTH."""
        return frozenset()

    @property
    def uses(self) -> frozenset[str]:
        """What it can make use of, though it can do without."""
        return self.needs

    def prune(
        self,
        tree: Tree,
        *,
        rows: Dataset | None = None,
        validation: Dataset | None = None,
        grow: Callable[[Dataset], Tree] | None = None,
        rule: Rule = USUAL,
        unit: float = 1.0,
    ) -> Pruned:
        """The pruned tree and the report; see `Material` for what can be given."""
        return self.prune_by(Material(tree, rows, validation, grow, rule, unit))

    def prune_by(self, material: Material) -> Pruned:
        """The same, by material that is at hand."""
        tree = material.tree
        self.check_material(material)
        found = self._prune(material.in_rows())
        path = found.report.path
        if hasattr(path, "tree"):
            path = replace(path, tree=tree)
        report = replace(found.report, tree=tree, path=path)
        return Pruned(tree_back(found.tree, tree, report.origin, material.unit), report)

    def check_material(self, material: Material) -> None:
        """Refuse a tree that the method has no meaning for, or to go on without what it needs."""
        tree = material.tree
        self.check_target(tree.schema.target.is_number)
        _check_size(tree)
        given = {TRAINING: material.rows, VALIDATION: material.validation, GROWTH: material.grow}
        for need in sorted(self.needs):
            if given[need] is None:
                raise InputError(f"{self.title()} {_NEEDED[need]}")

    def refuse_without_validation(self) -> None:
        """Refuse to go on where there are no validation rows, before anything is grown."""
        if VALIDATION in self.needs:
            raise InputError(f"{self.title()} {_NEEDED[VALIDATION]}")

    def check_target(self, is_number: bool) -> None:
        """Refuse a kind of target that the method has no meaning for."""
        if is_number and not self.for_numbers:
            raise KindError(
                f"{self.title()} counts wrong classes and has no meaning for regression; "
                "choose 'cost_complexity', 'global', 'reduced_error', 'pessimistic', 'pre_pruning' or 'same_decision'."
            )

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name, as scikit-learn asks for them; `deep` adds those of the steps of `Steps`.

        >>> from treewright.prune import Global
        >>> Global().get_params()
        {'standard_errors': 1.0}
        """
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def with_params(self, **parameters: Any) -> Self:
        """A method with other values of some parameters; this one stays as it is.

        >>> from treewright.prune import ErrorBased
        >>> ErrorBased().with_params(confidence=0.1).confidence
        0.1
        """
        known = self.get_params(deep=False)
        for name in parameters:
            if name not in known:
                takes = f"it takes {', '.join(map(repr, known))}" if known else "it takes none"
                raise ParameterError(f"{self.name!r} has no parameter {name!r}; {takes}.")
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
    def _prune(self, material: Material) -> Pruned:
        """The work itself; what the method needs is there."""


def _check_size(tree: Tree) -> None:
    """Refuse numbers whose squares are too large, or too near 0, to be summed up."""
    loss = float(tree.impurity[0]) if tree.schema.target.is_number else 1.0
    least, most = (LEAST_SIZE, MOST_SIZE) if tree.by_median else (LEAST_LOSS, MOST_LOSS)
    if loss and not least < loss < most:
        raise InputError(
            f"The target has a mean loss of {loss:g}, too {'small' if loss < 1 else 'large'} to prune by; "
            f"{'multiply' if loss < 1 else 'divide'} the target by a constant, or set pruning=None."
        )


_NEEDED = {
    TRAINING: "sends the training rows down the tree again; give X and y.",
    VALIDATION: "needs validation rows; give X_val and y_val, or set validation_fraction.",
    GROWTH: "grows trees on parts of the training rows; give X and y.",
}
