"""A tree, and the path to a node, as text.

`to_text` writes one line for each branch, indented by depth, with the prediction, weight and error at each leaf. As in
C4.5's output, a subtree that is nested too deep becomes [S1], [S2] ... and is printed below under that name: the text
grows with the number of nodes and not with its square. `node_facts` describes one node; `path_texts` writes where a
node is: the conditions of its path.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.language import messages
from treewright.model.formatting import format_category, format_weight, join_conditions, printable, read_limit
from treewright.model.node import Node
from treewright.model.split import Split, split_of

if TYPE_CHECKING:
    from treewright.model.tree import Tree

MAX_NESTING = 40
"""How many levels are nested before a subtree is printed on its own."""

N_CLASSES, N_CHILDREN = 12, 20
"""How many classes and children are listed among the facts of a node."""

N_STEPS = 3
"""How many conditions of a path are shown; those above them become an ellipsis."""


def to_text(tree: "Tree", max_depth: int | None = None, language: str = "en") -> str:
    """Write the tree as text; see `Tree.to_text`.

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
    return subtree_text(tree, 0, max_depth, language)


def subtree_text(tree: "Tree", node: int, max_depth: int | None = None, language: str = "en") -> str:
    """Write the subtree of a node as text; `max_depth` counts from the node.

    >>> from treewright.model.build import golf_example
    >>> print(subtree_text(golf_example(), 1))
    humidity <= 75: Play (2)
    humidity > 75: Don't Play (3)
    """
    given, top = read_limit("max_depth", max_depth), tree.node(node)
    limit = tree.depth if given is None else top.depth + given
    if top.is_leaf:
        return printable(top.prediction_words(language))
    n_leaves = leaves_below(tree) if limit < tree.depth else None
    writer = _TextWriter(tree, limit, n_leaves, language)
    if given == 0 and n_leaves is not None:
        return writer.hidden(node)
    _ = messages(language)
    subtrees = [top.id]
    for number, start in enumerate(subtrees):
        if number:
            writer.lines += ["", _("Subtree [S{number}]", number=number)]
        writer.write_below(start, subtrees)
    return "\n".join(writer.lines)


class _TextWriter:
    """Collects the lines of a tree.

    limit     the depth of the deepest nodes that are shown
    n_leaves  the number of leaves below each node; None where all nodes are shown
    """

    def __init__(self, tree: "Tree", limit: int, n_leaves: NDArray[np.int64] | None, language: str) -> None:
        self.tree, self.limit, self.n_leaves, self.language = tree, limit, n_leaves, language
        self.lines: list[str] = []

    def hidden(self, node: int) -> str:
        """What is written for a subtree that is not shown."""
        _, n = messages(self.language), 0 if self.n_leaves is None else int(self.n_leaves[node])
        return _("... ({n} leaves)", n=n)

    def write_below(self, top: int, subtrees: list[int]) -> None:
        """Write the branches below `top`; a node that is nested too deep is added to `subtrees`."""
        tree, top_depth = self.tree, int(self.tree.depths[top])
        waiting = self._branches(top)
        while waiting:
            i, condition = waiting.pop()
            depth = int(tree.depths[i])
            head = "|   " * (depth - top_depth - 1) + condition
            if tree.n_children[i] == 0:
                self.lines.append(f"{head}: {printable(Node(tree, i).prediction_words(self.language))}")
            elif self.n_leaves is not None and depth >= self.limit:
                self.lines.append(f"{head}: {self.hidden(i)}")
            elif depth - top_depth >= MAX_NESTING:
                self.lines.append(f"{head}: [S{len(subtrees)}]")
                subtrees.append(i)
            else:
                self.lines.append(f"{head}:")
                waiting += self._branches(i)

    def _branches(self, node: int) -> list[tuple[int, str]]:
        """The children of a node with their conditions, the last one first."""
        split = split_of(self.tree, node)
        if split is None:
            return []
        first = int(self.tree.first_child[node])
        branches = range(split.n_branches - 1, -1, -1)
        return [(first + b, printable(split.branch_words(b, self.language))) for b in branches]


def node_facts(node: Node, language: str = "en") -> list[tuple[str, str]]:
    """Describe a node: the name of each fact, and the fact.

    >>> from treewright.model.build import golf_example
    >>> node_facts(golf_example().node(4))[1:3]
    [('path', 'outlook = sunny and humidity <= 75'), ('prediction', 'Play (2)')]
    """
    _ = messages(language)
    tree, split = node.tree, node.split
    path = join_conditions([printable(words) for _node, words in node.path(language)], language)
    facts = [
        (_("node"), _("{node}, depth {depth}", node=node.id, depth=node.depth)),
        (_("path"), path or _("root")),
        (_("prediction"), printable(node.prediction_words(language))),
    ]
    if not tree.schema.target.is_number:
        shown = list(node.class_weights.items())[:N_CLASSES]
        weights = ", ".join(f"{printable(format_category(c))} {format_weight(w)}" for c, w in shown)
        facts.append((_("training rows"), weights))
        if not tree.prediction_rule.is_default:
            values = ", ".join(f"{printable(format_category(c))} {node.probabilities[c]:.1%}" for c, _w in shown)
            facts.append((_("probability"), values))
    facts.append((_("impurity"), f"{node.impurity:.6g} ({tree.criterion})"))
    if split is not None:
        column = _("{column}, gain {gain}", column=printable(split.name), gain=f"{node.gain:.6g}")
        children = ", ".join(f"{child.id}" for child in node.children[:N_CHILDREN])
        facts.append((_("splits on"), column))
        facts.append((_("children"), children + (" …" if len(node.children) > N_CHILDREN else "")))
    return facts + [(_("surrogate"), printable(one.words(language))) for one in node.surrogates]


def leaves_below(tree: "Tree") -> NDArray[np.int64]:
    """The number of leaves below each node; a leaf counts itself.

    >>> from treewright.model.build import golf_example
    >>> leaves_below(golf_example()).tolist()
    [5, 2, 1, 2, 1, 1, 1, 1]
    """
    leaves, parent = tree.is_leaf.astype(np.int64).tolist(), tree.parent.tolist()
    for i in range(tree.n_nodes - 1, 0, -1):
        leaves[parent[i]] += leaves[i]
    return np.array(leaves)


def path_texts(tree: "Tree", nodes: Iterable[int], language: str = "en") -> list[str]:
    """Write the path to each of these nodes as one text: its last conditions; "root" for the root.

    language  of the words between the user's names and categories: "en" or "zh"

    >>> from treewright.model.build import golf_example
    >>> path_texts(golf_example(), [0, 3, 5])
    ['root', 'outlook = rain', 'outlook = sunny and humidity > 75']
    >>> path_texts(golf_example(), [0, 5], language="zh")
    ['根结点', 'outlook = sunny 且 humidity > 75']
    """
    _ = messages(language)
    # A split may hold a table of thousands of categories and be on the path to thousands of nodes: each is read once.
    splits: dict[int, Split | None] = {}
    conditions: dict[int, str] = {}

    def condition(node: int, parent: int) -> str:
        if node not in conditions:
            if parent not in splits:
                splits[parent] = split_of(tree, parent)
            split = splits[parent]
            branch = node - int(tree.first_child[parent])
            conditions[node] = "" if split is None else split.branch_words(branch, language)
        return conditions[node]

    found = []
    for node in nodes:
        i, parent = int(node), int(tree.parent[node])
        steps: list[str] = []
        while parent >= 0:
            if len(steps) == N_STEPS:
                steps.append("…")
                break
            steps.append(condition(i, parent))
            i, parent = parent, int(tree.parent[parent])
        found.append(join_conditions(steps[::-1], language) or _("root"))
    return found
