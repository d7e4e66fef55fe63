"""Text: a tree on the page, as C4.5 prints it.

In: a tree. Out: one line for each branch, indented by depth, with the answer, weight and error at each leaf. As
in C4.5, what is nested too deep to be read is named [S1], [S2] ... and printed below under that name; so the text
grows with the number of nodes and not with its square.
"""

from typing import TYPE_CHECKING

import numpy as np

from treewright.model.limit import read_limit
from treewright.model.node import Node
from treewright.model.words import printable

if TYPE_CHECKING:
    from treewright.model.tree import Tree

NESTED = 40
"""How many levels are nested on the page before a subtree is printed on its own."""


def to_text(tree: "Tree", max_depth: int | None = None) -> str:
    """The tree as text, in the user's words.

    (N/E) behind a leaf is the weight of its training rows and the weight of those of another class; a
    regression leaf shows the weight and the mean loss. Below `max_depth` only the number of leaves is given.

    >>> from treewright.model.build import golf_example
    >>> print(to_text(golf_example()))
    outlook = sunny:
    |   humidity <= 75: Play (2)
    |   humidity > 75: Don't Play (3)
    outlook = overcast: Play (4)
    outlook = rain:
    |   windy = False: Play (3)
    |   windy = True: Don't Play (2)
    >>> print(to_text(golf_example(), max_depth=1))
    outlook = sunny: ... (2 leaves)
    outlook = overcast: Play (4)
    outlook = rain: ... (2 leaves)
    """
    return text_below(tree, 0, max_depth)


def text_below(tree: "Tree", node: int, max_depth: int | None = None) -> str:
    """The text of what is below a node; `max_depth` counts from it.

    >>> from treewright.model.build import golf_example
    >>> print(text_below(golf_example(), 1))
    humidity <= 75: Play (2)
    humidity > 75: Don't Play (3)
    """
    asked, top = read_limit("max_depth", max_depth, "depth"), tree.node(node)
    limit = tree.depth if asked is None else top.depth + asked
    if top.is_leaf:
        return printable(top.answer_words())
    leaves_below = _leaves_below(tree) if limit < tree.depth else None
    if asked == 0 and leaves_below is not None:
        return f"... ({leaves_below[node]} leaves)"
    lines: list[str] = []
    subtrees = [top.id]
    for number, start in enumerate(subtrees):
        if number:
            lines += ["", f"Subtree [S{number}]"]
        _print_below(tree, start, limit, leaves_below, lines, subtrees)
    return "\n".join(lines)


def _print_below(
    tree: "Tree",
    top: int,
    limit: int,
    leaves_below: np.ndarray | None,
    lines: list[str],
    subtrees: list[int],
) -> None:
    """Append the lines of the branches below `top`; what is nested too deep is added to `subtrees`."""
    top_depth = int(tree.depths[top])
    waiting: list[tuple[int, str]] = []

    def push(i: int) -> None:
        node = Node(tree, i)
        split = node.split
        if split is not None:
            first = int(tree.first_child[i])
            branches = range(split.n_branches - 1, -1, -1)
            waiting.extend((first + b, printable(split.branch_words(b))) for b in branches)

    push(top)
    while waiting:
        i, words = waiting.pop()
        depth = int(tree.depths[i])
        head = "|   " * (depth - top_depth - 1) + words
        if tree.n_children[i] == 0:
            lines.append(f"{head}: {printable(Node(tree, i).answer_words())}")
        elif leaves_below is not None and depth >= limit:
            lines.append(f"{head}: ... ({leaves_below[i]} leaves)")
        elif depth - top_depth >= NESTED:
            lines.append(f"{head}: [S{len(subtrees)}]")
            subtrees.append(i)
        else:
            lines.append(f"{head}:")
            push(i)


def _leaves_below(tree: "Tree") -> np.ndarray:
    """How many leaves each node stands above."""
    leaves = tree.is_leaf.astype(np.int64).tolist()
    parent = tree.parent.tolist()
    for i in range(tree.n_nodes - 1, 0, -1):
        leaves[parent[i]] += leaves[i]
    return np.array(leaves)
