"""Node: a view of one node of a tree, for people.

In: a tree and a node's number. Out: what the columns of the tree say about it, in the user's words. A view
holds nothing of its own; two views of the same node of the same tree are equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.errors import KindError
from treewright.model.split import Split, split_of
from treewright.model.surrogates import Surrogate, surrogates_of
from treewright.model.words import category_words, printable, weight_words

if TYPE_CHECKING:
    from treewright.model.tree import Tree


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree; make it with `tree.root` or `tree.node(i)`."""

    tree: "Tree"
    id: int

    @property
    def is_leaf(self) -> bool:
        return bool(self.tree.n_children[self.id] == 0)

    @property
    def depth(self) -> int:
        """Steps from the root."""
        return int(self.tree.depths[self.id])

    @property
    def parent(self) -> "Node | None":
        parent = int(self.tree.parent[self.id])
        return None if parent < 0 else Node(self.tree, parent)

    @property
    def children(self) -> "tuple[Node, ...]":
        first, n = int(self.tree.first_child[self.id]), int(self.tree.n_children[self.id])
        return tuple(Node(self.tree, child) for child in range(first, first + n))

    @property
    def branch(self) -> int | None:
        """Which branch of the parent leads here; None at the root."""
        parent = int(self.tree.parent[self.id])
        return None if parent < 0 else self.id - int(self.tree.first_child[parent])

    @property
    def branch_words(self) -> str | None:
        """What holds for the rows that come here from the parent; None at the root."""
        parent = int(self.tree.parent[self.id])
        split = split_of(self.tree, parent) if parent >= 0 else None
        return None if split is None else split.branch_words(self.id - int(self.tree.first_child[parent]))

    @property
    def split(self) -> Split | None:
        """The question asked here; None at a leaf."""
        return split_of(self.tree, self.id)

    @property
    def surrogates(self) -> list[Surrogate]:
        """What stands in for the split where its value is missing, best first."""
        return surrogates_of(self.tree, self.id)

    @property
    def count(self) -> int:
        """Training rows that came here, with all of their weight or a share of it."""
        return int(self.tree.count[self.id])

    @property
    def weight(self) -> float:
        """Their weight."""
        return float(self.tree.weight[self.id])

    @property
    def class_weights(self) -> dict[Any, float]:
        """The weight of each class among the training rows here."""
        return dict(zip(self._classes("class_weights"), self.tree.stats[self.id].tolist(), strict=True))

    @property
    def shares(self) -> dict[Any, float]:
        """The probability of each class, by default its share; an empty node has its parent's."""
        return dict(zip(self._classes("shares"), self.tree.value[self.id].tolist(), strict=True))

    @property
    def majority(self) -> Any:
        """The answer of a leaf: the likeliest class, by default that of most weight; with costs the cheapest one."""
        return self._classes("majority")[self.tree.answers[self.id]]

    @property
    def error(self) -> float:
        """The weight of the training rows that are not of the class it answers."""
        self._classes("error")
        others = self.tree.stats[self.id].copy()
        others[self.tree.answers[self.id]] = 0.0
        return float(others.sum())

    @property
    def value(self) -> float:
        """The number a regression tree answers here."""
        if not self.tree.schema.target.is_number:
            raise KindError("This tree answers with a class, so a node has no value; ask for majority.")
        return float(self.tree.value[self.id, 0])

    @property
    def loss(self) -> float:
        """What a regression tree's criterion sums up over the training rows here."""
        if not self.tree.schema.target.is_number:
            raise KindError("This tree answers with a class, so a node has no loss; ask for error.")
        return float(self.tree.stats[self.id, 2])

    @property
    def impurity(self) -> float:
        return float(self.tree.impurity[self.id])

    @property
    def gain(self) -> float:
        """What the split takes off the impurity, less its charge; NaN at a leaf."""
        return float(self.tree.gain[self.id])

    @property
    def merit(self) -> float:
        """The number the chosen column won with; NaN at a leaf."""
        return float(self.tree.merit[self.id])

    def walk(self) -> "Iterator[Node]":
        """This node and all below it, each before its children, branches in order.

        >>> from treewright.model.build import golf_example
        >>> [node.id for node in golf_example().root.walk()]
        [0, 1, 4, 5, 2, 3, 6, 7]
        """
        first_child, n_children = self.tree.first_child, self.tree.n_children
        waiting = [self.id]
        while waiting:
            i = waiting.pop()
            yield Node(self.tree, i)
            first = int(first_child[i])
            waiting.extend(range(first + int(n_children[i]) - 1, first - 1, -1))

    def path(self) -> "list[tuple[Node, str]]":
        """The way from the root: each node above, with the words of the branch taken there.

        >>> from treewright.model.build import golf_example
        >>> [words for _, words in golf_example().node(5).path()]
        ['outlook = sunny', 'humidity > 75']
        """
        steps: list[tuple[Node, str]] = []
        node, parent = self, self.parent
        while parent is not None:
            steps.append((parent, node.branch_words or ""))
            node, parent = parent, parent.parent
        return steps[::-1]

    def answer_words(self) -> str:
        """The answer of the node with its weight and error, as C4.5 writes it; for regression the mean loss.

        >>> from treewright.model.build import golf_example
        >>> golf_example().root.answer_words()
        'Play (14/5)'
        """
        weight = weight_words(self.weight)
        if self.tree.schema.target.is_number:
            mean_loss = self.loss / self.weight if self.weight > 0 else 0.0
            return f"{self.value:.6g} ({weight}, {mean_loss:.6g})"
        error = weight_words(self.error)
        shown = weight if error == "0" else f"{weight}/{error}"
        return f"{category_words(self.majority)} ({shown})"

    def _classes(self, asked: str) -> tuple[Any, ...]:
        classes = self.tree.schema.target.classes
        if classes is None:
            raise KindError(f"This tree answers with a number, so a node has no {asked}; ask for value.")
        return classes

    def __repr__(self) -> str:
        words, split = self.branch_words, self.split
        here = "root" if words is None else words
        what = "leaf" if split is None else f"{split.n_branches} branches on {split.name}"
        return f"<Node {self.id}: {printable(f'{here}; {what}; {self.answer_words()}')}>"
