"""ReducedError: prune what validation rows do not miss.

In: a tree and validation rows. Out: the smallest of the pruned trees that answer these rows best.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treewright.data.dataset import Dataset
from treewright.errors import one_of
from treewright.prune.additive import Words, conclude, settle_sums
from treewright.prune.costs import plain_costs, read_costs
from treewright.prune.losses import validation_losses
from treewright.prune.method import VALIDATION, Material, Method, Pruned
from treewright.prune.report import by_visit
from treewright.prune.scores import UNITS, judged_by, score_steps

TIES = ("prune", "keep")


@dataclass(frozen=True, slots=True)
class ReducedError(Method):
    """Reduced-error pruning (Quinlan 1987): from the bottom up, by the errors on validation rows.

    ties         "prune": a node becomes a leaf when the validation errors do not rise (the literature);
                 "keep": only when they fall (Zhou's textbook)
    cost_matrix  what an answer costs, by true class and answered class; None: 1 for each wrong one

    For regression the errors are squared. In the report "accuracy before" and "accuracy after" ("loss", "cost") are
    those of the whole tree on the validation rows, before a node is tried and if it becomes a leaf.

    >>> import numpy as np
    >>> from treewright.data.dataset import Dataset
    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = np.array([[0, 70.0, 0], [0, 90.0, 0], [2, 70.0, 1], [2, 70.0, 0]])
    >>> validation = Dataset(tree.schema, rows, np.array([1, 0, 1, 1], dtype=np.int32))
    >>> pruned = ReducedError().prune(tree, validation=validation)
    >>> print(pruned.tree.to_text())
    outlook = sunny:
    |   humidity <= 75: Play (2)
    |   humidity > 75: Don't Play (3)
    outlook = overcast: Play (4)
    outlook = rain: Play (5/2)
    >>> print(pruned.report.of(3).words)
    Node 3 (outlook = rain): 0 validation errors as a leaf, 1 as a subtree: pruned.
    """

    ties: str = "prune"
    cost_matrix: Any = None

    name: ClassVar[str] = "reduced_error"
    for_numbers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        one_of("ties", self.ties, TIES)
        object.__setattr__(self, "cost_matrix", plain_costs(self.cost_matrix))

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({VALIDATION})

    def _prune(self, material: Material) -> Pruned:
        tree, rows = material.tree, material.validation
        assert isinstance(rows, Dataset)
        costs = read_costs(self.cost_matrix, tree)
        losses = validation_losses(tree, rows, material.rule, costs)
        strict = self.ties == "keep"
        sums = settle_sums(tree, losses.leaf, losses.staying, strict=strict)
        visit, judge = by_visit(tree), judged_by(tree, costs)
        start = float(losses.staying.sum() + losses.leaf[tree.is_leaf].sum())
        change = (losses.leaf - sums.below)[visit]
        details = {}
        for name, score in score_steps(judge, losses.total, start, change, sums.prune[visit]).items():
            details[name] = np.full(tree.n_nodes, np.nan)
            details[name][visit] = score
        unit = UNITS[judge]
        when = f"lowers the {unit}" if strict else f"does not raise the {unit}"
        rule = f"From the bottom up, a node becomes a leaf where that {when}."
        return conclude(tree, Words(self.name, rule, unit), losses.leaf, sums, details=details)
