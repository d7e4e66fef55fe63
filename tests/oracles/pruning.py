"""The slow pruner: every method from its published formula, one node at a time.

In: a tree as nested `Node`s. Out: `Decisions`, the verdict at each node that was visited with the two numbers it
compared; and `kept`, the inner nodes that are left. A node is named by the branches that lead to it, as in
prediction.py. Nothing is imported from the package. Trees are small, so that recursion does no harm.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from tests.oracles.pruning_limits import estimate

Path = tuple[int, ...]
Rows = list[tuple[float, float]]
"""Weight and target of each row."""

TIE = 1e-9
"""Numbers this close are equal; what two methods of adding up leave is far smaller."""


@dataclass(eq=False)
class Node:
    """A node: its training rows summed up, and the validation rows that come to it.

    stats    class weights; for regression weight, mean and sum of squares around it
    answer   class code, or number
    merit    what its split won with
    arrived  the validation rows that come here
    ended    those of them that go no further
    squared  whether the loss of a number is squared
    tests    how many tests its split was one of, all columns together
    costs    what an answer costs, by true class and answered class; None: 1 where they differ
    """

    path: Path
    stats: list[float]
    answer: float
    children: list["Node"] = field(default_factory=list)
    merit: float = math.nan
    arrived: Rows = field(default_factory=list)
    ended: Rows = field(default_factory=list)
    is_number: bool = False
    squared: bool = True
    tests: float = 1.0
    costs: list[list[float]] | None = None

    def cost(self, true: float) -> float:
        """What the node's answer costs for a row of this class."""
        return float(true != self.answer) if self.costs is None else self.costs[int(true)][int(self.answer)]

    @property
    def weight(self) -> float:
        return self.stats[0] if self.is_number else math.fsum(self.stats)

    @property
    def loss(self) -> float:
        """What the node costs as a leaf on the training rows: the weight of wrong ones, or the sum of squares."""
        if self.is_number:
            return self.stats[2]
        return math.fsum(w * self.cost(c) for c, w in enumerate(self.stats))

    @property
    def stayed(self) -> list[float]:
        """The class weights of training rows that no branch took."""
        left = [w - math.fsum(c.stats[k] for c in self.children) for k, w in enumerate(self.stats)]
        return [w if self.children and w > TIE * max(1.0, self.weight) else 0.0 for w in left]

    def below(self) -> "Iterator[Node]":
        """This node and all below it."""
        yield self
        for child in self.children:
            yield from child.below()

    def leaves(self) -> "list[Node]":
        return [node for node in self.below() if not node.children]


@dataclass(frozen=True)
class Verdict:
    """The number of a node as a leaf, that of its subtree, how far above it the leaf may be; and what came of it."""

    leaf: float
    subtree: float
    allowance: float
    pruned: bool


Decisions = dict[Path, Verdict]


def at_most(a: float, b: float) -> bool:
    return a <= b + TIE * (abs(a) + abs(b)) + 1e-12


def below(a: float, b: float) -> bool:
    return not at_most(b, a)


def kept(root: Node, decisions: Decisions) -> set[Path]:
    """The inner nodes that are left: not pruned, and below no node that is."""
    gone = {path for path, verdict in decisions.items() if verdict.pruned}
    inner = {node.path for node in root.below() if node.children}
    return {path for path in inner if not any(path[:k] in gone for k in range(len(path) + 1))}


def from_the_bottom(
    node: Node,
    as_leaf: Callable[[Node], float],
    join: Callable[[Node, list[float]], float],
    *,
    allowance: float = 0.0,
    strict: bool = False,
) -> Decisions:
    """Visit each node after those below it; `join` makes the number of a subtree of those of its branches."""
    found: Decisions = {}

    def visit(at: Node) -> float:
        if not at.children:
            return as_leaf(at)
        leaf, subtree = as_leaf(at), join(at, [visit(child) for child in at.children])
        prune = below(leaf, subtree + allowance) if strict else at_most(leaf, subtree + allowance)
        found[at.path] = Verdict(leaf, subtree, allowance, prune)
        return leaf if prune else subtree

    visit(node)
    return found


# Validation rows.


def missed(node: Node, rows: Rows) -> float:
    """What the answer of the node costs on these rows."""
    if node.is_number:
        return math.fsum(w * (y - node.answer) ** 2 for w, y in rows)
    return math.fsum(w * node.cost(y) for w, y in rows)


def validation_leaf(node: Node) -> float:
    return missed(node, node.arrived)


def validation_staying(node: Node) -> float:
    return missed(node, node.ended)


def reduced_error(root: Node, ties: str = "prune") -> Decisions:
    """Quinlan 1987: a leaf where the validation rows do not suffer; Zhou: where they gain."""
    return from_the_bottom(
        root, validation_leaf, lambda node, parts: validation_staying(node) + math.fsum(parts), strict=ties == "keep"
    )


def pre_pruning(root: Node) -> Decisions:
    """Zhou 4.3.1: from the top, split only where the branches as leaves are better than the node."""
    found: Decisions = {}

    def visit(node: Node) -> None:
        if not node.children:
            return
        leaf = validation_leaf(node)
        split = validation_staying(node) + math.fsum(validation_leaf(child) for child in node.children)
        found[node.path] = Verdict(leaf, split, 0.0, at_most(leaf, split))
        if not found[node.path].pruned:
            for child in node.children:
                visit(child)

    visit(root)
    return found


# Training rows.


def training_leaf(node: Node) -> float:
    return node.loss


def training_staying(node: Node) -> float:
    """What rows cost that stay at an inner node."""
    if node.is_number:
        if math.fsum(c.weight for c in node.children) >= node.weight * (1 - TIE):
            return 0.0
        if not node.squared:
            raise ValueError("what stays cannot be told from medians")
        # A sum of squares around another number than the mean: w (mean - number)^2 more.
        gone = [child.loss + child.weight * (child.answer - node.answer) ** 2 for child in node.children]
        left = node.loss - math.fsum(gone)
        return left if left > TIE * node.loss else 0.0
    return math.fsum(w * node.cost(c) for c, w in enumerate(node.stayed))


def pessimistic(root: Node, penalty: float = 0.5, standard_errors: float = 1.0) -> Decisions:
    """Quinlan 1987: from the top, on the tree as it was grown; half an error for each leaf."""
    found: Decisions = {}

    def visit(node: Node) -> None:
        if not node.children:
            return
        leaves, weight = node.leaves(), node.weight
        stayed = math.fsum(training_staying(inner) for inner in node.below() if inner.children)
        leaf = node.loss + penalty
        subtree = stayed + math.fsum(one.loss for one in leaves) + penalty * len(leaves)
        # More errors than rows: an endless error has no spread.
        error = min(subtree / weight, 1.0) if weight else 1.0
        allowance = standard_errors * math.sqrt(weight * error * (1 - error))
        found[node.path] = Verdict(leaf, subtree, allowance, at_most(leaf, subtree + allowance))
        if not found[node.path].pruned:
            for child in node.children:
                visit(child)

    visit(root)
    return found


def m5(root: Node, multiplier: float = 2.0) -> Decisions:
    """Weka's M5P for regression trees: mean errors times (n + multiplier v) / (n - v), from the bottom up.

    A leaf has one parameter; a split adds one less than it has branches to those of its branches.
    """
    nothing = 1e-5 * mean_error(root, root.loss)
    found: Decisions = {}

    def factor(n: float, v: int) -> float:
        return (n + multiplier * v) / (n - v) if n > v else 10.0

    def visit(node: Node) -> tuple[float, int]:
        """The loss and the parameters of what is left here."""
        if not node.children:
            return node.loss, 1
        parts = [visit(child) for child in node.children]
        loss = training_staying(node) + math.fsum(part for part, _ in parts)
        size = sum(v for _, v in parts) + len(parts) - 1
        n = node.weight
        leaf = mean_error(node, node.loss)
        as_leaf, as_subtree = leaf * factor(n, 1), mean_error(node, loss) * factor(n, size)
        prune = at_most(as_leaf, as_subtree) or leaf < nothing
        found[node.path] = Verdict(as_leaf, as_subtree, 0.0, prune)
        return (node.loss, 1) if prune else (loss, size)

    visit(root)
    return found


def mean_error(node: Node, loss: float) -> float:
    """Of each row of the node; where the loss is squared, the root of the mean."""
    mean = loss / node.weight if node.weight else 0.0
    return math.sqrt(mean) if node.squared else mean


def error_based(
    root: Node, confidence: float = 0.25, limit: str = "release8", allowance: float = 0.1
) -> Decisions:
    """Quinlan 1993, without raising: a leaf where its estimate is no more than a tenth above its branches'.

    Rows that stay at a node are expected to go wrong as often as all of its rows.
    """

    def as_leaf(node: Node) -> float:
        return estimate(node.weight, node.loss, confidence, limit)

    def join(node: Node, parts: list[float]) -> float:
        rate = as_leaf(node) / node.weight if node.weight else 0.0
        return math.fsum(parts) + rate * math.fsum(node.stayed)

    return from_the_bottom(root, as_leaf, join, allowance=allowance)


def expected_error(node: Node, m: float, priors: Sequence[float]) -> float:
    """Cestnik and Bratko: the error of a leaf, its class shares drawn towards the priors as if by m rows."""
    shares = [(n + prior * m) / (node.weight + m) for n, prior in zip(node.stats, priors, strict=True)]
    if node.costs is None:
        return min(1 - share for share in shares)
    return min(math.fsum(p * row[a] for p, row in zip(shares, node.costs, strict=True)) for a in range(len(shares)))


def minimum_error(root: Node, m: float | None = None, priors: str = "equal") -> Decisions:
    """Niblett and Bratko (m=None: as many rows as classes, equal priors); Cestnik and Bratko."""
    n_classes = len(root.stats)
    shares = [w / root.weight for w in root.stats] if priors == "root" else [1 / n_classes] * n_classes
    rows = n_classes if m is None else m

    def as_leaf(node: Node) -> float:
        return expected_error(node, rows, shares)

    def join(node: Node, parts: list[float]) -> float:
        weights = [child.weight for child in node.children]
        stays = math.fsum(node.stayed)
        shared = math.fsum(w * part for w, part in zip(weights, parts, strict=True)) + stays * as_leaf(node)
        return shared / node.weight if node.weight else as_leaf(node)

    return from_the_bottom(root, as_leaf, join)


def same_decision(root: Node) -> set[Path]:
    """The inner nodes that are left when leaves side by side with one answer are joined, again and again."""
    left = {node.path for node in root.below() if node.children}

    def visit(node: Node) -> None:
        for child in node.children:
            visit(child)
        are_leaves = all(child.path not in left for child in node.children)
        if node.children and are_leaves and {child.answer for child in node.children} <= {node.answer}:
            left.discard(node.path)

    visit(root)
    return left
