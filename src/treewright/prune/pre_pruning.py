"""Pre-pruning: split only where this lowers the validation errors at once.

A split is chosen by the training rows alone, so the grown tree without the split is the tree at which growth would have
stopped.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treewright.language import N_
from treewright.model.subtree import collapse_nodes
from treewright.prune.losses import (
    VALIDATION_MESSAGES,
    VALIDATION_UNITS,
    read_costs,
    score_name,
    score_steps,
    validation_losses,
)
from treewright.prune.method import VALIDATION, Method, Pruned, PruningInput
from treewright.prune.report import PruningReport
from treewright.prune.traversal import not_above, reached_from_root

RULE = N_("From the root down, a split is made only when it lowers the {unit}.")
WHEN_SPLIT = N_("when split")


@dataclass(frozen=True, slots=True)
class PrePruning(Method):
    """Pre-pruning as in Zhou's textbook: from the root down, a split is made only if the validation errors fall.

    A node is compared with its branches as leaves, whatever is below them; nodes below a node that is not split are not
    visited. For regression the errors are squared; if the tree was grown with a cost matrix, errors are counted by
    their cost. In the report "accuracy before" and "accuracy after" ("loss", "cost") are those of the whole tree on
    the validation rows, before the split is tried and if it is made.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.data.dataset import Dataset
    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = np.array([[0, 70.0, 0], [0, 90.0, 0], [2, 70.0, 1], [2, 70.0, 0]])
    >>> validation = Dataset(tree.schema, rows, np.array([1, 0, 1, 1], dtype=np.int32))
    >>> pruned = PrePruning().prune(tree, validation=validation)
    >>> print(pruned.tree.to_text())
    Play (14/5)
    >>> print(pruned.report.sentence(0))
    Node 0 (root): 1 validation error as a leaf, 1 when split: pruned.
    """

    name: ClassVar[str] = "pre_pruning"
    for_numbers: ClassVar[bool] = True
    messages: ClassVar[tuple[str, ...]] = (RULE, WHEN_SPLIT, *VALIDATION_MESSAGES)
    stored_texts: ClassVar[Mapping[str, str]] = {
        RULE: "From the root down, a split is made where that lowers the {unit}.",
    }

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({VALIDATION})

    def title(self) -> str:
        return "Pre-pruning"

    def _prune(self, inputs: PruningInput) -> Pruned:
        tree, rows = inputs.tree, inputs.validation
        assert rows is not None
        losses = validation_losses(tree, rows, inputs.rule)
        leaf = losses.leaf
        split = losses.staying + np.bincount(tree.parent[1:], leaf[1:], tree.n_nodes)
        stop = ~tree.is_leaf & not_above(leaf, split)
        visit, score = reached_from_root(tree, stop), score_name(tree, read_costs(None, tree))
        unit = VALIDATION_UNITS[score]
        left = collapse_nodes(tree, stop)
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=RULE.format(unit=unit),
            unit=unit,
            node=visit,
            leaf=leaf[visit],
            subtree=split[visit],
            allowance=np.zeros(len(visit)),
            verdict=stop[visit].astype(np.int8),
            details=score_steps(score, losses.total, float(leaf[0]), (split - leaf)[visit], ~stop[visit]),
            origin=left.origin,
            as_subtree=WHEN_SPLIT,
        )
        return Pruned(left.tree, report)
