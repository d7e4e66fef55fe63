"""Pruning reason: why a node was pruned, raised or kept.

`why_pruned` takes a node and the lineage of its tree, and returns a `PruningReason`: the decisions about the node in
the pruning reports, and sentences where there is none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treewright.explain.text_wrapping import shorten_text, wrap_lines
from treewright.language import Messages, messages
from treewright.ledger.lineage import Lineage
from treewright.model.formatting import printable
from treewright.model.json_values import to_json_value
from treewright.prune.report_text import Decision
from treewright.text_table import element


@dataclass(frozen=True, slots=True)
class PruningReason:
    """Why a node was pruned or kept; print it, or read its fields.

    Attributes
    ----------
    node : int
        The number of the node, as it was passed.
    grown_node : int
        Its number in the grown tree.
    decision : Decision or None
        The last decision about the node in the pruning report; None where there is none.
    stop : Decision or None
        The decision of pre-pruning; None where there is none.
    rule : str or None
        When the pruning method prunes a node; None where nothing was pruned.
    words : str
        The whole reason, one sentence a line.
    """

    node: int
    grown_node: int
    decision: Decision | None
    stop: Decision | None
    rule: str | None
    words: str

    def to_text(self) -> str:
        """The reason for a terminal, on lines of a readable length."""
        return "\n".join(wrap_lines(map(shorten_text, self.words.splitlines())))

    def to_html(self) -> str:
        """The reason as a fragment of HTML."""
        return "<div>" + "".join(element("p", shorten_text(line)) for line in self.words.splitlines()) + "</div>"

    def to_dict(self) -> dict[str, Any]:
        """The reason as JSON values."""
        decisions = {name: _decision_values(getattr(self, name)) for name in ("decision", "stop")}
        others = {name: getattr(self, name) for name in ("node", "grown_node", "rule", "words")}
        return {name: to_json_value(value) for name, value in others.items()} | decisions

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


def why_pruned(lineage: Lineage, node: int, *, grown: bool) -> PruningReason:
    """Why a node of the final tree, or with `grown` of the grown tree, was pruned or kept.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> why_pruned(Lineage(tree, tree), 4, grown=False).words
    'Node 4 is a leaf of the grown tree. Nothing was pruned.'
    """
    _ = messages(lineage.language)
    number = (lineage.grown if grown else lineage.tree).node(node).id
    place = number if grown else lineage.grown_node(number)
    decision, stop = lineage.decision(place), lineage.stop(place)
    lines: list[str] = []
    if place != number:
        lines.append(_("Node {node} is node {place} of the grown tree.", node=number, place=place))
    lines += [one.words for one in lineage.decisions(place)]
    if not grown and lineage.source(number) != place:
        lines.append(_raised(lineage, lineage.source(number), _))
    if stop is not None and decision is None:
        lines.append(stop.words)
    elif stop is not None:
        lines.append(_("Before that, pre-pruning on the validation rows: {decision}", decision=stop.words))
    if decision is None and stop is None:
        lines.append(_no_decision(lineage, place, _))
    if grown:
        lines += _removed(lineage, place, _)
    rule = lineage.rule(place)
    if rule is not None and (decision is not None or stop is not None):
        lines.append(_("Rule: {rule}", rule=printable(rule)))
    return PruningReason(number, place, decision, stop, rule, "\n".join(lines))


def _raised(lineage: Lineage, source: int, _: Messages) -> str:
    decision = lineage.decision(source)
    if decision is None:
        return _("Its split is that of node {source}, raised to this node.", source=source)
    return _(
        "Its split is that of node {source}, raised to this node. {decision}", source=source, decision=decision.words
    )


def _no_decision(lineage: Lineage, place: int, _: Messages) -> str:
    """Why the reports have no decision about a node of the grown tree."""
    if not lineage.grown.n_children[place]:
        if lineage.pruned is None:
            return _("Node {node} is a leaf of the grown tree. Nothing was pruned.", node=place)
        return _("Node {node} is a leaf of the grown tree, so there was nothing to prune.", node=place)
    if lineage.pruned is None:
        return _("Nothing was pruned: the tree is the grown tree.")
    return _("Pruning did not visit node {node}.", node=place)


def _removed(lineage: Lineage, place: int, _: Messages) -> list[str]:
    """Whether a node of the grown tree was removed together with a node above it."""
    report = lineage.pruned
    if report is None:
        return []
    position = {int(p): i for i, p in enumerate(report.origin.tolist())}
    above = place
    while above not in position:
        above = int(lineage.grown.parent[above])
    if above == place:
        return []
    if lineage.tree.n_children[position[above]]:
        return [_("It was removed: another branch was raised to node {node} above it.", node=above)]
    return [_("It was removed: node {node} above it became a leaf.", node=above)]


def _decision_values(decision: Decision | None) -> Mapping[str, Any] | None:
    if decision is None:
        return None
    details = {name: to_json_value(value) for name, value in decision.details.items()}
    return to_json_value(decision) | {"details": details}
