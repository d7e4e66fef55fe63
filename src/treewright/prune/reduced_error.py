"""Reduced-error pruning: remove the splits that do not lower the errors on validation rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from treewright.data.class_costs import plain_cost_matrix
from treewright.errors import one_of
from treewright.language import N_
from treewright.prune.losses import (
    VALIDATION_MESSAGES,
    VALIDATION_UNITS,
    read_costs,
    score_name,
    score_steps,
    validation_losses,
)
from treewright.prune.method import VALIDATION, Method, Pruned, PruningInput
from treewright.prune.traversal import Wording, bottom_up_order, build_result, compare_bottom_up

TIES = ("prune", "keep")
RULE_PRUNE_TIES = N_("From the bottom up, a node becomes a leaf when this does not raise the {unit}.")
RULE_KEEP_TIES = N_("From the bottom up, a node becomes a leaf when this lowers the {unit}.")


@dataclass(frozen=True, slots=True)
class ReducedError(Method):
    """Reduced-error pruning (Quinlan 1987): from the bottom up, by the errors on validation rows.

    The result is the smallest of the pruned trees with the fewest validation errors.

    Parameters
    ----------
    ties : {"prune", "keep"}, default="prune"
        "prune": a node becomes a leaf if the validation errors do not rise (the literature); "keep": only if they fall
        (Zhou's textbook).
    cost_matrix : mapping, array or None, default=None
        What a prediction costs, by true class and predicted class; None: 1 for each wrong one.

    Notes
    -----
    For regression the errors are squared. In the report "accuracy before" and "accuracy after" ("loss", "cost") are
    those of the whole tree on the validation rows, before the node is tried and if it becomes a leaf.

    Examples
    --------
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
    messages: ClassVar[tuple[str, ...]] = (RULE_PRUNE_TIES, RULE_KEEP_TIES, *VALIDATION_MESSAGES)
    stored_texts: ClassVar[Mapping[str, str]] = {
        RULE_PRUNE_TIES: "From the bottom up, a node becomes a leaf where that does not raise the {unit}.",
        RULE_KEEP_TIES: "From the bottom up, a node becomes a leaf where that lowers the {unit}.",
    }

    def __post_init__(self) -> None:
        one_of("ties", self.ties, TIES)
        object.__setattr__(self, "cost_matrix", plain_cost_matrix(self.cost_matrix))

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({VALIDATION})

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree, rows = inputs.tree, inputs.validation
        assert rows is not None
        costs = read_costs(self.cost_matrix, tree)
        losses = validation_losses(tree, rows, inputs.rule, costs)
        strict = self.ties == "keep"
        comparison = compare_bottom_up(tree, losses.leaf, losses.staying, strict=strict)
        visit, score = bottom_up_order(tree), score_name(tree, costs)
        start = float(losses.staying.sum() + losses.leaf[tree.is_leaf].sum())
        change = (losses.leaf - comparison.subtree)[visit]
        details = {}
        for name, column in score_steps(score, losses.total, start, change, comparison.prune[visit]).items():
            details[name] = np.full(tree.n_nodes, np.nan)
            details[name][visit] = column
        unit = VALIDATION_UNITS[score]
        rule = (RULE_KEEP_TIES if strict else RULE_PRUNE_TIES).format(unit=unit)
        return build_result(tree, Wording(self.name, rule, unit), losses.leaf, comparison, details=details)
