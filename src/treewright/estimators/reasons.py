"""Reasons: why a node asks what it asks, and why it was pruned or kept.

In: the number of a node. Out: its ledger, and the lines of the pruning reports.
"""

from typing import TYPE_CHECKING

from treewright.estimators.fitted import FittedTree
from treewright.estimators.parameters import settle, switch

if TYPE_CHECKING:
    from treewright.ledger.ledger import Ledger
    from treewright.ledger.pruned import PruningReason


class Reasons(FittedTree):
    """Questions about the nodes of a tree."""

    def why(
        self,
        node: int = 0,
        X: object = None,
        y: object = None,
        *,
        sample_weight: object = None,
        grown: bool = False,
    ) -> "Ledger":
        """Why a node asks what it asks: the candidates of all columns as growth compared them.

        node   its number in `tree_`; 0 is the root
        X, y, sample_weight
               the rows the tree was grown on, where `fit` did not keep them: a table above four million cells, or a
               stored model
        grown  whether the number is one of `grown_tree_`, the tree before pruning

        >>> from treewright import C45Classifier
        >>> X = [["sunny", 85], ["sunny", 70], ["rain", 80], ["rain", 75]]
        >>> ledger = C45Classifier(variant="textbook", pruning=None).fit(X, ["no", "yes", "yes", "yes"]).why()
        >>> ledger.chosen.threshold, round(ledger.chosen.gain, 3)
        (82.5, 0.811)
        """
        # Here and below: modules that nobody needs who only fits and predicts.
        from treewright.ledger.entries import entries, entries_of
        from treewright.ledger.ledger import Ledger

        lineage, grown = self._lineage(), switch("grown", grown)
        number = (lineage.grown if grown else lineage.tree).node(node).id
        rows = self._training_rows(X, y, sample_weight)
        plan, share = self._grown_by
        plan = settle(plan, rows, share)
        if grown:
            entry = next(entries(rows, plan, lineage.grown, [number], lineage))
        else:
            entry = next(entries_of(rows, plan, lineage, [number]))
        return Ledger(entry, lineage.grown.schema.target.classes)

    def why_pruned(self, node: int, *, grown: bool = False) -> "PruningReason":
        """Why a node was pruned, raised or kept: the line of the pruning report about it, and that of pre-pruning.

        node   its number in `tree_`
        grown  whether the number is one of `grown_tree_`, the tree before pruning

        >>> from treewright import C45Classifier
        >>> X = [["a", 1], ["a", 2], ["b", 1], ["b", 2], ["b", 3], ["a", 3]]
        >>> model = C45Classifier(min_samples_leaf=1).fit(X, ["no", "yes", "yes", "yes", "yes", "yes"])
        >>> print(model.why_pruned(0).decision.verdict)
        pruned
        """
        from treewright.ledger.pruned import why_pruned

        return why_pruned(self._lineage(), node, grown=switch("grown", grown))
