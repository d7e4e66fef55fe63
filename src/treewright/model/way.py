"""Way: where in a tree a node stands, in a few words.

In: a tree and some of its nodes. Out: for each the last steps from the root to it, in the user's words.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treewright.model.split import Split, split_of

if TYPE_CHECKING:
    from treewright.model.tree import Tree

N_STEPS = 3
"""Steps of the way to a node that are shown."""


def ways(tree: "Tree", nodes: Iterable[int]) -> list[str]:
    """The last steps of the way to each of these nodes; the root is called so.

    >>> from treewright.model.build import golf_example
    >>> ways(golf_example(), [0, 3, 5])
    ['root', 'outlook = rain', 'outlook = sunny and humidity > 75']
    """
    # A split may hold a table of thousands of categories and be on the way to thousands of nodes: each is read once.
    splits: dict[int, Split | None] = {}
    steps: dict[int, str] = {}

    def step(node: int, parent: int) -> str:
        if node not in steps:
            if parent not in splits:
                splits[parent] = split_of(tree, parent)
            split = splits[parent]
            steps[node] = "" if split is None else split.branch_words(node - int(tree.first_child[parent]))
        return steps[node]

    found = []
    for node in nodes:
        i, parent = int(node), int(tree.parent[node])
        words: list[str] = []
        while parent >= 0:
            if len(words) == N_STEPS:
                words.append("…")
                break
            words.append(step(i, parent))
            i, parent = parent, int(tree.parent[parent])
        found.append(" and ".join(words[::-1]) or "root")
    return found
