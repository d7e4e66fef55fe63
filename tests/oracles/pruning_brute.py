"""Every pruned subtree of a small tree: what is best, without any argument why a method should find it.

In: a tree of the slow pruner. Out: the inner nodes of the best of its pruned subtrees.
"""

import math
from collections.abc import Callable, Iterator
from itertools import product

from tests.oracles.pruning import (
    Node,
    Path,
    at_most,
    training_leaf,
    training_staying,
    validation_leaf,
    validation_staying,
)


def n_cuts(node: Node) -> int:
    """How many pruned subtrees there are."""
    return 1 + math.prod(n_cuts(child) for child in node.children) if node.children else 1


def cuts(node: Node) -> Iterator[list[Node]]:
    """The leaves of every pruned subtree."""
    yield [node]
    if node.children:
        for parts in product(*([*cuts(child)] for child in node.children)):
            yield [leaf for part in parts for leaf in part]


def above(leaves: list[Node]) -> set[Path]:
    """The inner nodes of the tree with these leaves."""
    return {leaf.path[:k] for leaf in leaves for k in range(len(leaf.path))}


def best_cuts(root: Node, cost: Callable[[Node], float], staying: Callable[[Node], float]) -> list[set[Path]]:
    """Of the pruned subtrees that cost least those of fewest leaves, each by its inner nodes; one, in theory."""
    node_at = {node.path: node for node in root.below()}
    costs: list[tuple[float, int, set[Path]]] = []
    for leaves in cuts(root):
        inner = above(leaves)
        total = math.fsum([cost(leaf) for leaf in leaves] + [staying(node_at[path]) for path in inner])
        costs.append((total, len(leaves), inner))
    least = min(total for total, _, _ in costs)
    cheap = [(n, inner) for total, n, inner in costs if at_most(total, least)]
    fewest = min(n for n, _ in cheap)
    return [inner for n, inner in cheap if n == fewest]


def least_validation_error(root: Node) -> list[set[Path]]:
    """Esposito et al. 1997: reduced error pruning finds the smallest of the most accurate subtrees."""
    return best_cuts(root, validation_leaf, validation_staying)


def least_cost_complexity(root: Node, alpha: float, risk: Callable[[Node], float] = training_leaf) -> list[set[Path]]:
    """Breiman et al. 1984: the smallest subtree of least R(T) + alpha leaves, R in parts of the training weight."""
    penalty = alpha * root.weight
    return best_cuts(root, lambda node: risk(node) + penalty, training_staying)
