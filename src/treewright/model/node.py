"""A view of one node of a tree: what the columns of the tree say about it, with the user's names and categories.

A view has no data of its own; two views of the same node of the same tree are equal.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from treewright.deprecation import DeprecatedAlias
from treewright.errors import KindError
from treewright.language import messages
from treewright.model.formatting import format_category, format_weight, printable
from treewright.model.split import Split, split_of
from treewright.model.surrogates import Surrogate, surrogates_of
from treewright.text_table import Grid

if TYPE_CHECKING:
    from treewright.model.tree import Tree


@dataclass(frozen=True, slots=True)
class Node:
    """One node of a tree; make it with `tree.root` or `tree.node(i)`.

    Parameters
    ----------
    tree : Tree
        The tree.
    id : int
        The number of the node in the tree; the root is 0.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> root = golf_example().root
    >>> root
    <Node 0: root; 3 branches on outlook; Play (14/5)>
    >>> root.class_weights
    {"Don't Play": 5.0, 'Play': 9.0}
    >>> [child.condition() for child in root.children]
    ['outlook = sunny', 'outlook = overcast', 'outlook = rain']
    """

    tree: "Tree"
    id: int

    @property
    def is_leaf(self) -> bool:
        """Whether the node is a leaf."""
        return bool(self.tree.n_children[self.id] == 0)

    @property
    def depth(self) -> int:
        """Distance from the root."""
        return int(self.tree.depths[self.id])

    @property
    def parent(self) -> "Node | None":
        """The parent; None at the root."""
        parent = int(self.tree.parent[self.id])
        return None if parent < 0 else Node(self.tree, parent)

    @property
    def children(self) -> "tuple[Node, ...]":
        """The children, one for each branch."""
        first, n = int(self.tree.first_child[self.id]), int(self.tree.n_children[self.id])
        return tuple(Node(self.tree, child) for child in range(first, first + n))

    @property
    def branch(self) -> int | None:
        """The branch of the parent that leads here; None at the root."""
        parent = int(self.tree.parent[self.id])
        return None if parent < 0 else self.id - int(self.tree.first_child[parent])

    @property
    def branch_words(self) -> str | None:
        """The condition of the branch that leads here from the parent; None at the root."""
        return self.condition()

    def condition(self, language: str = "en") -> str | None:
        """Return the condition of the branch that leads here from the parent.

        Parameters
        ----------
        language : {"en", "zh"}, default="en"
            Language of the words between the names and categories.

        Returns
        -------
        str or None
            The condition; None at the root.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> golf_example().node(5).condition(language="zh")
        'humidity > 75'
        """
        parent = int(self.tree.parent[self.id])
        split = split_of(self.tree, parent) if parent >= 0 else None
        return None if split is None else split.branch_words(self.id - int(self.tree.first_child[parent]), language)

    @property
    def split(self) -> Split | None:
        """The split of the node; None at a leaf."""
        return split_of(self.tree, self.id)

    @property
    def surrogates(self) -> list[Surrogate]:
        """The surrogate splits for missing values, best first."""
        return surrogates_of(self.tree, self.id)

    @property
    def count(self) -> int:
        """Number of training rows with some of their weight here."""
        return int(self.tree.count[self.id])

    @property
    def weight(self) -> float:
        """Weight of the training rows here."""
        return float(self.tree.weight[self.id])

    @property
    def class_weights(self) -> dict[Any, float]:
        """The weight of each class of the training rows here."""
        return dict(zip(self._classes("class_weights"), self.tree.stats[self.id].tolist(), strict=True))

    @property
    def probabilities(self) -> dict[Any, float]:
        """The probability of each class, by default its relative frequency; an empty node has its parent's."""
        return dict(zip(self._classes("probabilities"), self.tree.value[self.id].tolist(), strict=True))

    @property
    def majority(self) -> Any:
        """The predicted class: the most probable one, or with costs the cheapest one."""
        return self._classes("majority")[self.tree.predicted_class[self.id]]

    @property
    def error(self) -> float:
        """The weight of the training rows that do not have the predicted class."""
        self._classes("error")
        others = self.tree.stats[self.id].copy()
        others[self.tree.predicted_class[self.id]] = 0.0
        return float(others.sum())

    @property
    def value(self) -> float:
        """The number that a regression tree predicts here."""
        if not self.tree.schema.target.is_number:
            raise KindError("This tree predicts a class, so its nodes have no `value`; use `majority`.")
        return float(self.tree.value[self.id, 0])

    @property
    def mean(self) -> float:
        """The mean of the training rows of a regression tree here, which `value` is unless the tree has shrinkage.

        With absolute_error their median, with poisson their rate; without rows the value of the parent.
        """
        return self.value if self.weight <= 0 else float(self.tree.stats[self.id, 1])

    @property
    def loss(self) -> float:
        """The loss of a regression tree summed over the training rows here."""
        if not self.tree.schema.target.is_number:
            raise KindError("This tree predicts a class, so its nodes have no `loss`; use `error`.")
        return float(self.tree.stats[self.id, 2])

    @property
    def deviation(self) -> float:
        """The standard deviation of the training rows of a regression tree here; 0 if there are none.

        With absolute_error the mean distance from their median, also called mean absolute error; with poisson half
        their mean Poisson deviance.
        """
        mean_loss = self.loss / self.weight if self.weight > 0 else 0.0
        return mean_loss if self.tree.not_squared else sqrt(max(mean_loss, 0.0))

    @property
    def impurity(self) -> float:
        """The impurity per unit of weight."""
        return float(self.tree.impurity[self.id])

    @property
    def gain(self) -> float:
        """The decrease of the impurity by the split, minus its penalty; NaN at a leaf."""
        return float(self.tree.gain[self.id])

    @property
    def merit(self) -> float:
        """The score by which the column was chosen: gain or gain ratio; NaN at a leaf."""
        return float(self.tree.merit[self.id])

    def walk(self) -> "Iterator[Node]":
        """Go through this node and all below it, each before its children, branches in order.

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

    def path(self, language: str = "en") -> "list[tuple[Node, str]]":
        """Return the path from the root to this node.

        Parameters
        ----------
        language : {"en", "zh"}, default="en"
            Language of the conditions.

        Returns
        -------
        list of (Node, str)
            Each node above, from the root down, with the condition of the branch taken there; empty at the
            root.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> [words for _, words in golf_example().node(5).path()]
        ['outlook = sunny', 'humidity > 75']
        """
        steps: list[tuple[Node, str]] = []
        node, parent = self, self.parent
        while parent is not None:
            steps.append((parent, node.condition(language) or ""))
            node, parent = parent, parent.parent
        return steps[::-1]

    def prediction_words(self, language: str = "en") -> str:
        """Return the prediction with the weight and the error of the node, as C4.5 prints it.

        For regression the mean, the weight `n` and the standard deviation `sd` of the training rows; with
        absolute_error the median, and the mean absolute error `MAE`; with poisson the rate, and half the mean
        Poisson deviance.

        Parameters
        ----------
        language : {"en", "zh"}, default="en"
            Language of the words.

        Examples
        --------
        >>> from treewright import CARTRegressor
        >>> from treewright.model.build import golf_example
        >>> golf_example().root.prediction_words()
        'Play (14/5)'
        >>> CARTRegressor().fit([[1], [2]], [1.0, 5.0]).tree_.root.prediction_words()
        'mean 3, n 2, sd 2'
        """
        weight = format_weight(self.weight)
        if self.tree.schema.target.is_number:
            _ = messages(language)
            numbers = {"value": f"{self.mean:.6g}", "weight": weight, "deviation": f"{self.deviation:.4g}"}
            if self.tree.by_median:
                rows = _("median {value}, n {weight}, MAE {deviation}", **numbers)
            elif self.tree.by_deviance:
                rows = _("rate {value}, n {weight}, half deviance {deviation}", **numbers)
            else:
                rows = _("mean {value}, n {weight}, sd {deviation}", **numbers)
            if self.tree.prediction_rule.is_default:
                return rows
            return _("predicts {prediction}", prediction=f"{self.value:.6g} ({rows})")
        error = format_weight(self.error)
        shown = weight if error == "0" else f"{weight}/{error}"
        return f"{format_category(self.majority)} ({shown})"

    shares = DeprecatedAlias("probabilities")
    answer_words = DeprecatedAlias("prediction_words")

    def _classes(self, attribute: str) -> tuple[Any, ...]:
        classes = self.tree.schema.target.classes
        if classes is None:
            raise KindError(f"This tree predicts a number, so its nodes have no `{attribute}`; use `value`.")
        return classes

    def _repr_html_(self) -> str:
        from treewright.model.tree_text import node_facts

        head, *facts = [list(fact) for fact in node_facts(self)]
        return f"<div>{Grid(head, facts, [False, False], []).html()}</div>"

    def __repr__(self) -> str:
        condition, split = self.condition(), self.split
        here = "root" if condition is None else condition
        what = "leaf" if split is None else f"{split.n_branches} branches on {split.name}"
        return f"<Node {self.id}: {printable(f'{here}; {what}; {self.prediction_words()}')}>"
