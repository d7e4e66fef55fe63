"""Asking the slow grower's tree: where a row ends that may have missing cells and unseen categories.

In: a grown tree, a row, and what to do with a missing value and with a category that training never showed. Out: a
`Way`: the weight with which the row reaches each node and ends at some of them, in fractions. A node is named by the
branches that lead to it: () is the root, (0, 2) the third child of its first.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from tests.oracles.grower import Node
from tests.oracles.missing_tables import UNSEEN, Row

Path = tuple[int, ...]


class AskedInVain(Exception):
    """A node asks for a value that is missing, and the rule is to refuse that."""


@dataclass
class Way:
    """The weight of a row at the nodes it meets and at those where it ends."""

    reach: dict[Path, Fraction] = field(default_factory=dict)
    ends: dict[Path, Fraction] = field(default_factory=dict)


def node_at(tree: Node, path: Path) -> Node:
    for branch in path:
        tree = tree["children"][branch]
    return tree


def heaviest(node: Node) -> int:
    """The child of most weight, the first on a tie."""
    weights = [child["exact"] for child in node["children"]]
    return weights.index(max(weights))


def by_missing(node: Node, row: Row, missing: str) -> dict[int, Fraction]:
    """The branches of a row whose value is missing, each with its share; none when the row stays."""
    match missing:
        case "fractional":
            weights = [child["exact"] for child in node["children"]]
            return {b: w / sum(weights) for b, w in enumerate(weights) if w}
        case "surrogate":
            answers = (s.send(row[s.column]) for s in node["surrogates"])
            return {next((a for a in answers if a is not None), node["missing_branch"]): Fraction(1)}
        case "learned" | "branch":
            return {node["missing_branch"]: Fraction(1)}
        case "majority":
            return {heaviest(node): Fraction(1)}
        case "stop":
            return {}
    raise AskedInVain


def branches(node: Node, row: Row, missing: str, unseen: str) -> dict[int, Fraction]:
    """The branches of a row at a node, each with its share; none when the row stays."""
    value = row[node["column"]]
    if value is None:
        return by_missing(node, row, missing)
    if value == UNSEEN:
        return {heaviest(node): Fraction(1)} if unseen == "majority" else {}
    branch = int(value > node["threshold"]) if "threshold" in node else node["branch_of"][int(value)]
    return {branch: Fraction(1)}


def follow(tree: Node, row: Row, missing: str, unseen: str = "majority") -> Way:
    """The way of one row."""
    way = Way()
    walk: list[tuple[Path, Node, Fraction]] = [((), tree, Fraction(1))]
    while walk:
        path, node, weight = walk.pop()
        way.reach[path] = weight
        taken = branches(node, row, missing, unseen) if "children" in node else {}
        if not taken:
            way.ends[path] = weight
        walk += [((*path, b), node["children"][b], share * weight) for b, share in taken.items()]
    return way


def answer(tree: Node, way: Way) -> list[float]:
    """The class shares, or the number, of a row: what the nodes say where it ends, by weight."""
    said = [(float(weight), node_at(tree, path)["value"]) for path, weight in way.ends.items()]
    return [sum(weight * value[i] for weight, value in said) for i in range(len(said[0][1]))]
