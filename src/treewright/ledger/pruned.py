"""Pruned: why a node was pruned, raised or kept, and why it is where it is.

In: a node and the lineage of its tree. Out: a `PruningReason`: the lines of the pruning reports about the node, and
sentences where they have none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treewright.explain.lines import shortened, wrapped
from treewright.ledger.lineage import Lineage
from treewright.model.grid import element
from treewright.model.plain import plain
from treewright.model.words import printable
from treewright.prune.report_page import Decision

RULES = "The rule: "
BEFORE = "Before that, validation rows decided how far the tree was to grow: "


@dataclass(frozen=True, slots=True)
class PruningReason:
    """Why a node was pruned or kept; print it, or read its fields.

    node        its number, as it was asked for
    grown_node  its number in the grown tree
    decision    the line of the pruning report, of the last step that came to the node; None where it has none
    stop        the line of the report on pre-pruning; None where it has none
    rule        when the method of that line prunes a node, in a sentence; None where nothing was pruned
    words       all of it in sentences
    """

    node: int
    grown_node: int
    decision: Decision | None
    stop: Decision | None
    rule: str | None
    words: str

    def to_text(self) -> str:
        """The reason in sentences, on lines of a readable length."""
        return "\n".join(wrapped(map(shortened, self.words.splitlines())))

    def to_html(self) -> str:
        """The reason as a fragment of HTML."""
        return "<div>" + "".join(element("p", shortened(line)) for line in self.words.splitlines()) + "</div>"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        lines = {name: _line(getattr(self, name)) for name in ("decision", "stop")}
        others = {name: getattr(self, name) for name in ("node", "grown_node", "rule", "words")}
        return {name: plain(value) for name, value in others.items()} | lines

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


def why_pruned(lineage: Lineage, node: int, *, grown: bool) -> PruningReason:
    """What was decided about a node: of the tree of the answers, or with `grown` of the grown tree.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> why_pruned(Lineage(tree, tree), 4, grown=False).words
    'Node 4 is a leaf as it was grown. Nothing was pruned.'
    """
    number = (lineage.grown if grown else lineage.tree).node(node).id
    place = number if grown else lineage.place(number)
    decision, stop = lineage.decision(place), lineage.stop(place)
    lines: list[str] = []
    if place != number:
        lines.append(f"Node {number} is node {place} of the grown tree.")
    lines += [one.words for one in lineage.decisions(place)]
    if not grown and lineage.source(number) != place:
        lines.append(_raised(lineage, lineage.source(number)))
    if stop is not None:
        lines.append(stop.words if decision is None else BEFORE + stop.words)
    if decision is None and stop is None:
        lines.append(_nothing(lineage, place))
    if grown:
        lines += _gone(lineage, place)
    rule = lineage.rule(place)
    if rule is not None and (decision is not None or stop is not None):
        lines.append(RULES + printable(rule))
    return PruningReason(number, place, decision, stop, rule, "\n".join(lines))


def _raised(lineage: Lineage, source: int) -> str:
    decided = lineage.decision(source)
    said = "" if decided is None else f" {decided.words}"
    return f"Its split is that of node {source}, raised to its place.{said}"


def _nothing(lineage: Lineage, place: int) -> str:
    """Where there is no line about a node of the grown tree."""
    if not lineage.grown.n_children[place]:
        end = " Nothing was pruned." if lineage.pruned is None else " There was nothing to decide."
        return f"Node {place} is a leaf as it was grown.{end}"
    if lineage.pruned is None:
        return "Nothing was pruned: the tree is as it was grown."
    return f"Pruning did not come to node {place}."


def _gone(lineage: Lineage, place: int) -> list[str]:
    """Whether a node of the grown tree went with one above it."""
    report = lineage.pruned
    if report is None:
        return []
    where = {int(p): i for i, p in enumerate(report.origin.tolist())}
    above = place
    while above not in where:
        above = int(lineage.grown.parent[above])
    if above == place:
        return []
    if lineage.tree.n_children[where[above]]:
        return [f"It is gone: another branch was raised to the place of node {above} above it."]
    return [f"It is gone: node {above} above it became a leaf."]


def _line(decision: Decision | None) -> Mapping[str, Any] | None:
    if decision is None:
        return None
    details = {name: plain(value) for name, value in decision.details.items()}
    return plain(decision) | {"details": details}
