"""Lineage: where the nodes of a tree come from, and what became of their splits.

In: the tree of the answers, the tree as it was grown, and the reports of what was decided between the two. Out: for a
node of either tree the node at which its split was chosen, and why it has none, or has other rows than it was grown on.
"""

from dataclasses import dataclass, replace

import numpy as np

from treewright.ledger.record import Entry
from treewright.model.grid import counted
from treewright.model.tree import Tree
from treewright.model.way import ways
from treewright.model.words import weight_words
from treewright.prune.report import PruningReport
from treewright.prune.report_page import Decision


@dataclass(frozen=True, slots=True, eq=False)
class Lineage:
    """A tree and how it came to be.

    tree     the tree of the answers
    grown    the tree before pruning
    report   what pruning decided at the nodes of `grown`; None where nothing was pruned
    stopped  what pre-pruning decided, at the nodes of the tree that growth would have come to; None where it did not

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic
    >>> pruned = Pessimistic(standard_errors=2).prune(golf_example())
    >>> lineage = Lineage(pruned.tree, golf_example(), pruned.report)
    >>> lineage.place(3), lineage.decision(3).verdict
    (3, 'pruned')
    """

    tree: Tree
    grown: Tree
    report: PruningReport | None = None
    stopped: PruningReport | None = None

    @property
    def pruned(self) -> PruningReport | None:
        """The report that leads from `grown` to `tree`; that of pre-pruning alone ends at `grown`."""
        return None if self.report is self.stopped else self.report

    def place(self, node: int) -> int:
        """The node of the grown tree that a node of the tree stands in the place of."""
        return node if self.pruned is None else int(self.pruned.origin[node])

    def source(self, node: int) -> int:
        """The node of the grown tree at which the split of a node was chosen; its place where it has none."""
        place, first = self.place(node), int(self.tree.first_child[node])
        return place if first < 0 else int(self.grown.parent[self.place(first)])

    def decision(self, grown_node: int) -> Decision | None:
        """What pruning decided at a node of the grown tree; None where it did not come to it."""
        return None if self.pruned is None else _of(self.pruned, grown_node)

    def decisions(self, grown_node: int) -> list[Decision]:
        """What each step of pruning that came to a node of the grown tree decided there."""
        report = self.pruned
        return [] if report is None else [report[i] for i in report.visits(grown_node).tolist()]

    def rule(self, grown_node: int) -> str | None:
        """The rule by which the last decision at a node was made; of all of them where none was."""
        report = self.pruned if self.pruned is not None else self.stopped
        if report is None:
            return None
        visits: list[int] = report.visits(grown_node).tolist() if report is self.pruned else []
        return report.step(visits[-1])[0].rule if visits else report.rule

    def stop(self, grown_node: int) -> Decision | None:
        """What pre-pruning decided at a node of the grown tree."""
        return None if self.stopped is None else _of(self.stopped, int(self.stopped.origin[grown_node]))

    def retold(self, node: int, entry: Entry) -> Entry:
        """The entry of a node's source as that of the node in the tree of the answers."""
        tree, source = self.tree, entry.node
        leaf, place = entry.leaf, self.place(node)
        if not tree.n_children[node] and self.grown.n_children[place]:
            decided = self.decision(place)
            leaf = "Its split was pruned" + ("." if node == place else f"; in the grown tree it is node {place}.")
            leaf += "" if decided is None else f" {decided.words}"
        return replace(entry, node=node, words=ways(tree, [node])[0], leaf=leaf, note=self._note(node, source))

    def _note(self, node: int, source: int) -> str | None:
        """What differs between the node and the one its candidates are of."""
        place, held = self.place(node), float(self.tree.weight[node])
        if source != place:
            where = ways(self.grown, [source])[0]
            rows = counted(int(self.grown.count[source]), "row")
            return (
                f"The split was raised: it was chosen at node {source} of the grown tree ({where}), among {rows}, "
                f"and took the place of node {place}. Rows and candidates here are those of node {source}."
            )
        same = np.isclose(self.grown.weight[source], held, rtol=1e-9, atol=0.0)
        if not (same and self.grown.count[source] == self.tree.count[node]):
            return (
                f"A branch was raised above, so that rows of weight {weight_words(held)} come here now; rows and "
                "candidates here are those of growth."
            )
        return None


def _of(report: PruningReport, node: int) -> Decision | None:
    return report.of(node) if np.any(report.node == node) else None
