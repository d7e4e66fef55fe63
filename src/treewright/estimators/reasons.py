"""Reasons: why a node asks what it asks, and why it was pruned or kept.

In: the number of a node. Out: its ledger, and the lines of the pruning reports.
"""

from typing import TYPE_CHECKING

from treewright.estimators.fitted import FittedTree
from treewright.estimators.parameters import settle, switch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from treewright.data.dataset import Dataset
    from treewright.ledger.ledger import Ledger
    from treewright.ledger.lineage import Lineage
    from treewright.ledger.pruned import PruningReason
    from treewright.ledger.record import Entry
    from treewright.store.ledgers import Ledgers


class Reasons(FittedTree):
    """Questions about the nodes of a tree."""

    _ledgers: "Ledgers | None" = None

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
               stored model. One that was saved with `ledgers=True` answers without them, for all nodes of `tree_`
        grown  whether the number is one of `grown_tree_`, the tree before pruning; a loaded model needs the rows for
               those that are not in `tree_` any more

        >>> from treewright import C45Classifier
        >>> X = [["sunny", 85], ["sunny", 70], ["rain", 80], ["rain", 75]]
        >>> ledger = C45Classifier(variant="textbook", pruning=None).fit(X, ["no", "yes", "yes", "yes"]).why()
        >>> ledger.chosen.threshold, round(ledger.chosen.gain, 3)
        (82.5, 0.811)
        """
        # Here and below: modules that nobody needs who only fits and predicts.
        from treewright.ledger.ledger import Ledger

        lineage, grown = self._lineage(), switch("grown", grown)
        number = (lineage.grown if grown else lineage.tree).node(node).id
        source = number if grown else lineage.source(number)
        kept = self._ledgers if X is None and y is None and self._kept is None else None
        if kept is not None and kept.grown is lineage.grown and kept.has(source):
            entry = kept.entry(source)
        else:
            entry = next(self._entries(self._training_rows(X, y, sample_weight), lineage, [source]))
        return Ledger(entry if grown else lineage.retold(number, entry), lineage.grown.schema.target.classes)

    def _entries(self, rows: "Dataset", lineage: "Lineage", nodes: "Iterable[int]") -> "Iterator[Entry]":
        """The ledgers of nodes of the grown tree, worked out from its rows."""
        from treewright.ledger.entries import entries

        plan, share = self._grown_by
        return entries(rows, settle(plan, rows, share), lineage.grown, nodes, lineage)

    def _all_ledgers(self) -> "Ledgers":
        """The ledgers of all nodes of the tree, to be saved: those that were loaded, or worked out from the rows."""
        from treewright.store.ledger_file import kept_nodes
        from treewright.store.ledgers import ledgers_of

        lineage, kept = self._lineage(), self._ledgers
        nodes = kept_nodes(lineage).tolist()
        if kept is not None and kept.grown is lineage.grown and all(map(kept.has, nodes)):
            return kept.only(nodes)
        return ledgers_of(lineage.grown, self._entries(self._training_rows(), lineage, nodes))

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
