"""The slow twin of cost-complexity pruning: brute force over all pruned subtrees, and Breiman's loop.

In: a tree as nested `Branch`es, with risks as fractions. Out: the smallest of the best subtrees for an alpha, and the
whole sequence of them. Nothing is imported from the package, and nothing is rounded. Trees are small: recursion does
no harm.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise, product
from random import Random


@dataclass(eq=False)
class Branch:
    """A node: its number, its risk as a leaf, what it adds to the risk of its children, and those."""

    number: int
    risk: Fraction
    staying: Fraction = Fraction(0)
    children: list["Branch"] = field(default_factory=list)

    def below(self) -> "Iterator[Branch]":
        """This node and all below it."""
        yield self
        for child in self.children:
            yield from child.below()


@dataclass(frozen=True)
class Subtree:
    """A pruned subtree: its risk, its number of leaves, and the numbers of its inner nodes."""

    risk: Fraction
    n_leaves: int
    inner: frozenset[int]


@dataclass(frozen=True)
class Step:
    """The subtree that is best from an alpha on."""

    alpha: Fraction
    best: Subtree


def every_subtree(node: Branch) -> Iterator[Subtree]:
    """All pruned subtrees; there are very many."""
    yield Subtree(node.risk, 1, frozenset())
    if node.children:
        for parts in product(*([*every_subtree(child)] for child in node.children)):
            inner = frozenset({node.number}).union(*(part.inner for part in parts))
            risk = node.staying + sum((part.risk for part in parts), Fraction(0))
            yield Subtree(risk, sum(part.n_leaves for part in parts), inner)


def best_of_all(node: Branch, alpha: Fraction) -> list[Subtree]:
    """Of the subtrees of least risk + alpha * leaves those of fewest leaves; one, as Breiman proves."""
    found = list(every_subtree(node))
    least = min(one.risk + alpha * one.n_leaves for one in found)
    best = [one for one in found if one.risk + alpha * one.n_leaves == least]
    fewest = min(one.n_leaves for one in best)
    return [one for one in best if one.n_leaves == fewest]


def envelope(node: Branch) -> list[Fraction]:
    """The alphas, rising from 0, at which another number of leaves is best: the lower hull of all subtrees."""
    least: dict[int, Fraction] = {}
    for one in every_subtree(node):
        least[one.n_leaves] = min(one.risk, least.get(one.n_leaves, one.risk))
    at, alphas = 1, []
    while True:
        slopes = {n: (least[at] - risk) / (n - at) for n, risk in least.items() if n > at}
        steepest = max(slopes.values(), default=Fraction(0))
        if steepest <= 0:
            return [Fraction(0), *alphas[::-1]]
        alphas.append(steepest)
        at = max(n for n, slope in slopes.items() if slope == steepest)


def subtree(node: Branch, leaves: set[int]) -> Subtree:
    """The subtree in which these nodes are leaves."""
    if not node.children or node.number in leaves:
        return Subtree(node.risk, 1, frozenset())
    parts = [subtree(child, leaves) for child in node.children]
    return Subtree(
        node.staying + sum((part.risk for part in parts), Fraction(0)),
        sum(part.n_leaves for part in parts),
        frozenset({node.number}).union(*(part.inner for part in parts)),
    )


def weakest_link_loop(root: Branch) -> list[Step]:
    """Breiman et al. 1984, 3.3: cut the weakest links, all that tie, and begin anew; the first round at alpha = 0."""
    nodes = {node.number: node for node in root.below()}
    leaves = {number for number, node in nodes.items() if not node.children}
    steps: list[Step] = []
    alpha = Fraction(0)
    while True:
        links = {}
        for number in subtree(root, leaves).inner:
            branch = subtree(nodes[number], leaves - {number})
            links[number] = (nodes[number].risk - branch.risk) / (branch.n_leaves - 1)
        weak = {number for number, link in links.items() if link <= alpha}
        if weak:
            leaves |= weak
            continue
        steps.append(Step(alpha, subtree(root, leaves)))
        if not links:
            return steps
        alpha = min(links.values())


def own_alphas(root: Branch) -> dict[int, Fraction]:
    """The alpha from which on each inner node is a leaf of the best subtree of its own branch: the last of its loop."""
    return {node.number: weakest_link_loop(node)[-1].alpha for node in root.below() if node.children}


def random_branch(rng: Random, n_inner: int, *, stays: bool = False) -> Branch:
    """A tree with this many inner nodes, numbered with parents first, of whole risks that fall from node to children.

    Many risks tie, and some splits save nothing. With `stays` some nodes add to the risk of their children.
    """
    root = Branch(0, Fraction(0))
    open_nodes, n_nodes, inner = [root], 1, []
    deep = rng.random()
    for _ in range(n_inner):
        place = len(open_nodes) - 1 if rng.random() < deep else rng.randrange(len(open_nodes))
        node = open_nodes.pop(place)
        inner.append(node)
        for _ in range(rng.choice([2, 2, 2, 3, 4])):
            child = Branch(n_nodes, Fraction(rng.randint(0, 3)))
            node.children.append(child)
            open_nodes.append(child)
            n_nodes += 1
    most = rng.choice([1, 3, 20])
    for node in reversed(inner):
        node.staying = Fraction(rng.randint(0, 2)) if stays else Fraction(0)
        below = node.staying + sum((child.risk for child in node.children), Fraction(0))
        node.risk = below + rng.randint(0, most)
    return root


def links_of(root: Branch) -> tuple[list[int], list[int]]:
    """The parent and the number of children of each node, by its number."""
    parent, n_children = {0: -1}, {}
    for node in root.below():
        n_children[node.number] = len(node.children)
        parent |= {child.number: node.number for child in node.children}
    numbers = range(len(parent))
    return [parent[i] for i in numbers], [n_children[i] for i in numbers]


def is_nested(steps: list[Step]) -> bool:
    """Whether each tree is within the one before."""
    return all(b.best.inner < a.best.inner for a, b in pairwise(steps))
