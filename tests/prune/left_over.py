"""A tree whose inner nodes hold rows that no branch took, as growth leaves them when missing values stop."""

from dataclasses import replace

from treewright.model.tree import Tree


def with_rows_staying(tree: Tree, node: int, stays: list[float]) -> Tree:
    """The tree with more class weights at a node and at all above it, but not below."""
    stats, value, count = tree.stats.copy(), tree.value.copy(), tree.count.copy()
    i = node
    while i >= 0:
        stats[i] += stays
        value[i] = stats[i] / stats[i].sum()
        count[i] += round(sum(stays))
        i = int(tree.parent[i])
    weight = stats.sum(axis=1)
    return replace(tree, stats=stats, value=value, count=count, weight=weight, missing="stop")
