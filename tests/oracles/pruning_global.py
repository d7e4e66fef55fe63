"""The slow twin of global pruning: cut the weakest nodes of the whole tree, round after round, while the budget lasts.

In: a tree as nested `Node`s. Out: the inner nodes that are left. Every round counts all leaves and errors anew. Nothing
is imported from the package.
"""

import math

from tests.oracles.pruning import Node, Path, at_most, training_staying


def global_pruning(root: Node, standard_errors: float = 1.0) -> set[Path]:
    """C5.0's global pruning: the nodes of least extra errors for each leaf saved, those that tie together."""
    left = {node.path for node in root.below() if node.children}
    before = losses(root, left)
    limit = before + standard_errors * spread(root, left)
    left = cut_up_to(root, left, 0.0)
    while left:
        weakest = min(extra(node, left) for node in root.below() if node.path in left)
        fewer = cut_up_to(root, left, weakest)
        if not at_most(losses(root, fewer), limit):
            break
        left = fewer
    return left


def cut_up_to(root: Node, left: set[Path], price: float) -> set[Path]:
    """What is left when all nodes go that cost no more for each leaf saved, again and again."""
    while True:
        weak = {node.path for node in root.below() if node.path in left and at_most(extra(node, left), price)}
        if not weak:
            return left
        left = {path for path in left if not any(path[:k] in weak for k in range(len(path) + 1))}


def ends(node: Node, left: set[Path]) -> list[Node]:
    """The leaves below a node."""
    if node.path not in left:
        return [node]
    return [one for child in node.children for one in ends(child, left)]


def losses(node: Node, left: set[Path]) -> float:
    """The training loss of the tree below a node."""
    stays = [training_staying(one) for one in node.below() if one.path in left]
    return math.fsum([one.loss for one in ends(node, left)] + stays)


def extra(node: Node, left: set[Path]) -> float:
    """The extra loss for each leaf saved, when a node becomes one."""
    found = (node.loss - losses(node, left)) / (len(ends(node, left)) - 1)
    return found if found > 1e-12 * node.loss else 0.0


def spread(root: Node, left: set[Path]) -> float:
    """The standard error of the loss of the whole tree, as a sum over its rows."""
    whole, n = losses(root, left), root.weight
    if not root.is_number:
        return math.sqrt(max(whole * (1 - whole / n), 0.0))
    parts = [(one.weight, one.loss) for one in ends(root, left)]
    stays = [one for one in root.below() if one.path in left and training_staying(one) > 0]
    parts += [(one.weight - math.fsum(c.weight for c in one.children), training_staying(one)) for one in stays]
    # Of a normal error e the mean of e^4 is 3 s^4; of Laplace's the mean of e^2 is twice the square of that of |e|.
    squares = math.fsum((3 if root.squared else 2) * loss**2 / weight for weight, loss in parts if weight > 0)
    return math.sqrt(max(squares - whole**2 / n, 0.0))
