"""Pruning by information: description length and critical values, from the published formulas.

In: a tree of the slow pruner. Out: its decisions, or the inner nodes that are left.
"""

import math
from collections.abc import Sequence

from tests.oracles.pruning import Decisions, Node, Path, at_most, from_the_bottom


def class_bits(stats: Sequence[float], n_classes: int) -> float:
    """The bits of the classes of some rows: stochastic complexity, but no less than adding half a row of each class."""
    n = math.fsum(stats)
    if n == 0:
        return 0.0
    half = n_classes / 2
    complexity = math.fsum(w * math.log2(n / w) for w in stats if w > 0)
    complexity += (n_classes - 1) / 2 * math.log2(n / 2) + math.log2(math.pi**half / math.gamma(half))
    # The product of (rows of the class so far + 1/2) / (rows so far + k/2), row after row.
    told = math.lgamma(n + half) - math.lgamma(half)
    told -= math.fsum(math.lgamma(w + 0.5) - math.lgamma(0.5) for w in stats)
    return max(complexity, told / math.log(2))


def mdl(root: Node) -> Decisions:
    """Mehta, Rissanen and Agrawal 1995: one bit says leaf or split, then come the test or the classes."""
    n_classes = sum(w > 0 for w in root.stats)

    def as_leaf(node: Node) -> float:
        return 1 + class_bits(node.stats, n_classes)

    def join(node: Node, parts: list[float]) -> float:
        return 1 + math.log2(node.tests) + class_bits(node.stayed, n_classes) + math.fsum(parts)

    return from_the_bottom(root, as_leaf, join)


def groupings(v: int, b: int) -> float:
    """The ways to put v categories into b groups, from above where there are more than two and fewer than v."""
    if b == 2:
        return 2.0 ** (v - 1) - 1
    if b <= 1 or b >= v:
        return 1.0
    return max(min(b**v / math.factorial(b), math.comb(v, b) * b ** (v - b) / 2), 1.0)


def g_statistic(node: Node) -> float:
    """Mingers 1987: twice the information of the branches about the classes, in natural units, of all rows."""
    branches = [child.stats for child in node.children]
    totals = [math.fsum(column) for column in zip(*branches, strict=True)]
    whole = math.fsum(totals)
    return 2 * math.fsum(
        n * math.log(n * whole / (math.fsum(branch) * total))
        for branch in branches
        for n, total in zip(branch, totals, strict=True)
        if n > 0
    )


def critical_value(root: Node, critical: float, measure: str = "g") -> set[Path]:
    """Mingers 1987: the inner nodes that reach the value, or are above one that does."""
    strength = g_statistic if measure == "g" else lambda node: node.merit
    reaching = [node.path for node in root.below() if node.children and at_most(critical, strength(node))]
    return {path[:k] for path in reaching for k in range(len(path) + 1)}
