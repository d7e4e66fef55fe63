"""PrePruning: split only where validation rows gain by it at once.

In: a grown tree and validation rows. Out: the tree that growth would have stopped at. A split is chosen by training
rows alone, so stopping before it and taking it back afterwards give the same tree.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treewright.data.dataset import Dataset
from treewright.model.cut import cut
from treewright.prune.costs import read_costs
from treewright.prune.losses import validation_losses
from treewright.prune.method import VALIDATION, Material, Method, Pruned
from treewright.prune.report import PruningReport
from treewright.prune.scores import UNITS, judged_by, score_steps
from treewright.prune.top_down import not_above, reached


@dataclass(frozen=True, slots=True)
class PrePruning(Method):
    """Pre-pruning as in Zhou's textbook: from the root down, a split is made only when the validation errors fall.

    A node is compared with its branches as leaves, whatever stands below them; below a node that is not split nothing
    is looked at. For regression the errors are squared, and where wrong answers cost, they are counted by that. In the
    report "accuracy before" and "accuracy after" ("loss", "cost") are those of the whole tree on the validation rows,
    before the split is tried and if it is made.

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

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({VALIDATION})

    def title(self) -> str:
        return "Pre-pruning"

    def _prune(self, material: Material) -> Pruned:
        tree, rows = material.tree, material.validation
        assert isinstance(rows, Dataset)
        losses = validation_losses(tree, rows, material.rule)
        leaf = losses.leaf
        split = losses.staying + np.bincount(tree.parent[1:], leaf[1:], tree.n_nodes)
        stop = ~tree.is_leaf & not_above(leaf, split)
        visit, judge = reached(tree, stop), judged_by(tree, read_costs(None, tree))
        unit = UNITS[judge]
        left = cut(tree, stop)
        report = PruningReport(
            tree=tree,
            method=self.name,
            rule=f"From the root down, a split is made where that lowers the {unit}.",
            unit=unit,
            node=visit,
            leaf=leaf[visit],
            subtree=split[visit],
            allowance=np.zeros(len(visit)),
            verdict=stop[visit].astype(np.int8),
            details=score_steps(judge, losses.total, float(leaf[0]), (split - leaf)[visit], ~stop[visit]),
            origin=left.origin,
            as_subtree="when split",
        )
        return Pruned(left.tree, report)
