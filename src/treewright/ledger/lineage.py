"""Lineage: where the nodes of a tree come from, and what happened to their splits.

A `Lineage` has the final tree, the tree before pruning, and the reports of pruning and pre-pruning. For a node of
either tree it finds the node at which its split was chosen, why it has no split, and why its rows changed since growth.
"""

from dataclasses import dataclass, replace

import numpy as np

from treewright.language import N_, messages
from treewright.ledger.ledger_reasons import ONE_ROW, ROWS, STOPPED, Reason, translate_entry
from treewright.ledger.record import Entry
from treewright.model.formatting import format_weight
from treewright.model.tree import Tree
from treewright.model.tree_text import path_texts
from treewright.prune.report import PruningReport
from treewright.prune.report_text import Decision


@dataclass(frozen=True, slots=True, eq=False)
class Lineage:
    """A tree and how it was made.

    tree      the final tree
    grown     the tree before pruning
    report    the decisions of pruning at the nodes of `grown`; None where nothing was pruned
    stopped   the decisions of pre-pruning, at the nodes of the tree that would have grown without it; None without it
    language  of the texts: "en" or "zh"

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic
    >>> pruned = Pessimistic(standard_errors=2).prune(golf_example())
    >>> lineage = Lineage(pruned.tree, golf_example(), pruned.report)
    >>> lineage.grown_node(3), lineage.decision(3).verdict
    (3, 'pruned')
    """

    tree: Tree
    grown: Tree
    report: PruningReport | None = None
    stopped: PruningReport | None = None
    language: str = "en"

    def with_language(self, language: str) -> "Lineage":
        """The same in another language: reports, and the texts of entries."""
        if language == self.language:
            return self
        stopped = None if self.stopped is None else self.stopped.with_language(language)
        # `pruned` recognises a report of pre-pruning alone by its identity.
        if self.report is None or self.report is self.stopped:
            return replace(self, report=self.report and stopped, stopped=stopped, language=language)
        return replace(self, report=self.report.with_language(language), stopped=stopped, language=language)

    @property
    def pruned(self) -> PruningReport | None:
        """The report of what led from `grown` to `tree`; a report of pre-pruning alone leads to `grown`."""
        return None if self.report is self.stopped else self.report

    def grown_node(self, node: int) -> int:
        """The node of the grown tree at the place of a node of the tree."""
        return node if self.pruned is None else int(self.pruned.origin[node])

    def source(self, node: int) -> int:
        """The node of the grown tree at which the split of a node was chosen; for a leaf its `grown_node`."""
        place, first = self.grown_node(node), int(self.tree.first_child[node])
        return place if first < 0 else int(self.grown.parent[self.grown_node(first)])

    def decision(self, grown_node: int) -> Decision | None:
        """The decision of pruning at a node of the grown tree; None where it was not visited."""
        return None if self.pruned is None else _decision_at(self.pruned, grown_node)

    def decisions(self, grown_node: int) -> list[Decision]:
        """The decisions at a node of the grown tree, one for each step of pruning that visited it."""
        report = self.pruned
        return [] if report is None else [report[i] for i in report.visits(grown_node).tolist()]

    def rule(self, grown_node: int) -> str | None:
        """The rule of the last decision at a node; where there was none, the rule of all decisions."""
        report = self.pruned if self.pruned is not None else self.stopped
        if report is None:
            return None
        visits: list[int] = report.visits(grown_node).tolist() if report is self.pruned else []
        return (report.step(visits[-1])[0] if visits else report).rule_text

    def stop(self, grown_node: int) -> Decision | None:
        """The decision of pre-pruning at a node of the grown tree; None where it was not visited."""
        return None if self.stopped is None else _decision_at(self.stopped, int(self.stopped.origin[grown_node]))

    def entry_of(self, node: int, entry: Entry) -> Entry:
        """The entry of a node's source as the entry of the node in the final tree."""
        tree, source = self.tree, entry.node
        leaf, place = entry.leaf, self.grown_node(node)
        if not tree.n_children[node] and self.grown.n_children[place]:
            decision = self.decision(place)
            leaf = _pruned_leaf(node, place, None if decision is None else decision.words)
        path = path_texts(tree, [node], self.language)[0]
        return self._translated(replace(entry, node=node, words=path, leaf=leaf, note=self._note(node, source)), source)

    def grown_entry(self, entry: Entry) -> Entry:
        """The entry of a node of the grown tree, in the language of the lineage."""
        path = path_texts(self.grown, [entry.node], self.language)[0]
        return self._translated(replace(entry, words=path), entry.node)

    def _translated(self, entry: Entry, source: int) -> Entry:
        leaf, stop = entry.leaf, self.stop(source)
        if isinstance(leaf, Reason) and leaf.message == STOPPED.message and stop is not None:
            leaf = STOPPED(name=leaf.values["name"], decision=stop.words)
        entry = replace(entry, leaf=leaf)
        return entry if self.language == "en" else translate_entry(entry, messages(self.language))

    def _note(self, node: int, source: int) -> Reason | None:
        """How the node differs from the node whose candidates are shown."""
        place, weight = self.grown_node(node), float(self.tree.weight[node])
        if source != place:
            n = int(self.grown.count[source])
            return Reason(
                N_(
                    "The split was raised: it was chosen at node {source} of the grown tree ({path}), on "
                    "{amount}, and replaced node {place}. The rows and candidates shown are those of node "
                    "{source}."
                ),
                source=str(source),
                path=path_texts(self.grown, [source], self.language)[0],
                amount=ONE_ROW() if n == 1 else ROWS(n=str(n)),
                place=str(place),
            )
        same = np.isclose(self.grown.weight[source], weight, rtol=1e-9, atol=0.0)
        if not (same and self.grown.count[source] == self.tree.count[node]):
            message = N_(
                "A branch was raised above, so rows of weight {weight} reach this node now; the rows and "
                "candidates shown are those of the grown tree."
            )
            return Reason(message, weight=format_weight(weight))
        return None


def _pruned_leaf(node: int, place: int, decision: str | None) -> Reason:
    """Why a node that was split in the grown tree, as node `place`, is a leaf."""
    values = {"place": str(place)} if node != place else {}
    if decision is not None:
        values["decision"] = decision
    message = {
        (): N_("Its split was pruned."),
        ("decision",): N_("Its split was pruned. {decision}"),
        ("place",): N_("Its split was pruned; in the grown tree it is node {place}."),
        ("place", "decision"): N_("Its split was pruned; in the grown tree it is node {place}. {decision}"),
    }[tuple(values)]
    return Reason(message, **values)


def _decision_at(report: PruningReport, node: int) -> Decision | None:
    return report.of(node) if np.any(report.node == node) else None
