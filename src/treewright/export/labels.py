"""Labels: the words of a picture: what a node asks or answers, what leads to it, and the whole of it for a hover.

In: a tree. Out: short words that fit into a box, and full ones. What is shown is on one line, whatever names hold.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from treewright.data.schema import Kind
from treewright.model.split import Split, split_of
from treewright.model.tree import Tree
from treewright.model.words import SHOWN, category_words, number_words, printable, weight_words

LONGEST = 2000
"""Characters of one name or list of categories in full words; a tooltip of a browser shows no more either."""

_NO_LETTERS = str.maketrans({"\ufffe": "\\ufffe", "\uffff": "\\uffff"})
"""What is no character of Unicode, and which XML cannot hold."""

N_CLASSES = 12
"""Classes listed in full words, those of most weight."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What leads into a branch.

    short  without the name of the column
    full   with it
    words  the categories of the branch one by one, where there are several
    n_more how many more there are
    """

    short: str
    full: str
    words: tuple[str, ...] = ()
    n_more: int = 0


class Labels:
    """The words of a tree's nodes; splits are read one at a time, because their tables may be large.

    spell  how the user's words are written, for those who lack letters
    nodes  the nodes that are shown, whose numbers the colours are spread over; None: all
    """

    def __init__(self, tree: Tree, spell: Callable[[str], str] = str, nodes: Sequence[int] | None = None) -> None:
        self.tree = tree
        self.spell = spell
        self.names = [spell(clipped(name)) for name in tree.schema.names]
        self.classes = tuple(spell(clipped(category_words(c))) for c in tree.schema.target.classes or ())
        self.target = spell(clipped(tree.schema.target.name))
        self.is_number = tree.schema.target.is_number
        self._majority = None if self.is_number else tree.answers
        self._last: tuple[int, Split] | None = None
        values = tree.value if nodes is None else tree.value[nodes]
        self.least, self.most = (float(values.min()), float(values.max())) if self.is_number else (0.0, 1.0)

    def headline(self, node: int) -> str:
        """The column that is asked for, or the answer of a leaf."""
        column = int(self.tree.column[node])
        return self.names[column] if column >= 0 else self.answer(node)

    def answer(self, node: int) -> str:
        """The class it answers, or the number."""
        if self._majority is None:
            return short_number(float(self.tree.value[node, 0]), 4)
        return self.classes[self._majority[node]]

    def majority(self, node: int) -> int:
        """The code of the class it answers; -1 where the answer is a number."""
        return -1 if self._majority is None else int(self._majority[node])

    def facts(self, node: int) -> tuple[str, str]:
        """How sure the answer is, and of how many rows; an inner node says which answer."""
        weight = f"n={compact(float(self.tree.weight[node]))}"
        if self.is_number:
            spread = f"± {short_number(self.spread(node), 3)}"
            return (spread if self._is_leaf(node) else f"{self.answer(node)} {spread}"), weight
        share = percent(float(self.tree.value[node, self.majority(node)]))
        return (share if self._is_leaf(node) else f"{self.answer(node)}: {share}"), weight

    def spread(self, node: int) -> float:
        """How far the target of rows lies from the node's number: the standard or the mean deviation."""
        weight, loss = float(self.tree.weight[node]), float(self.tree.stats[node, 2])
        mean = loss / weight if weight > 0 else 0.0
        return mean if self.tree.by_median else sqrt(max(mean, 0.0))

    def position(self, node: int) -> float:
        """How far the number of a node is on the way from the least that is shown to the greatest."""
        # Halves, because the whole of it may be more than the largest number there is.
        wide = self.most / 2 - self.least / 2
        return (float(self.tree.value[node, 0]) / 2 - self.least / 2) / wide if wide > 0 else 0.5

    def edge(self, parent: int, branch: int) -> Edge:
        """What leads into a branch."""
        split = self._split(parent)
        full = split.branch_words(branch)
        rest = full[len(split.name) + 1 :]
        sign, _, said = rest.partition(" ")
        if sign == "in":
            shown = split.categories(branch)
            words = tuple(self.spell(clipped(category_words(c), 100)) for c in shown[:SHOWN])
            return Edge(self.spell(clipped(said)), clipped(full), words, len(shown) - len(words))
        if sign in ("<=", ">"):
            if split.kind is Kind.NUMBER and split.threshold is not None:
                said = short_number(split.threshold)
            said = f"{'≤' if sign == '<=' else sign} {said}"
        return Edge(self.spell(clipped(said)), clipped(full))

    def full(self, node: int) -> list[str]:
        """All about a node, line by line."""
        tree = self.tree
        lines = [f"node {node}: {self._asked(node)}"]
        weight = weight_words(float(tree.weight[node]))
        count = int(tree.count[node])
        lines.append(f"{count:,} rows" if weight == str(count) else f"{count:,} rows, weight {weight}")
        if self.is_number:
            lines.append(f"{self.target}: {number_words(float(tree.value[node, 0]))} ± {self.spread(node):.6g}")
        else:
            lines += self._class_lines(node)
        lines.append(f"{tree.criterion} {float(tree.impurity[node]) + 0.0:.4g}")  # a pure node has -0.0
        if not self._is_leaf(node):
            lines[-1] += f", gain {float(tree.gain[node]):.4g}"
            if tree.merit[node] != tree.gain[node]:
                lines[-1] += f", merit {float(tree.merit[node]):.4g}"
            lines += self._missing_line(node)
        return lines

    def _asked(self, node: int) -> str:
        if self._is_leaf(node):
            return f"leaf, {self.answer(node)}"
        return f"asks for {self.headline(node)}"

    def _class_lines(self, node: int) -> list[str]:
        weights = self.tree.stats[node]
        order = np.argsort(-weights, kind="stable")
        shown = [code for code in order[:N_CLASSES].tolist() if weights[code] > 0]
        shares = self.tree.value[node]
        lines = [f"{self.classes[c]}: {weight_words(weights[c])} ({percent(float(shares[c]))})" for c in shown]
        n_more = int(np.count_nonzero(weights)) - len(shown)
        return [*lines, f"… {n_more} more classes"] if n_more else lines

    def _missing_line(self, node: int) -> list[str]:
        """Where missing values go, where that is one of the branches of the others."""
        if not self.tree.strategy.joins:
            return []
        return [f"missing values go with: {self.edge(node, int(self.tree.missing_branch[node])).full}"]

    def _is_leaf(self, node: int) -> bool:
        return bool(self.tree.column[node] < 0)

    def _split(self, node: int) -> Split:
        if self._last is None or self._last[0] != node:
            split = split_of(self.tree, node)
            assert split is not None, "a leaf has no branches"
            self._last = node, split
        return self._last[1]


def clipped(text: str, longest: int = LONGEST) -> str:
    """The text on one line, and not endless.

    >>> clipped("a\\nb"), clipped("abcdef", 4)
    ('a\\\\x0ab', 'abc…')
    """
    shown = printable(text[: longest + 1]).translate(_NO_LETTERS)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def short_number(number: float, digits: int = 6) -> str:
    """A number as a picture shows it: so many digits, but all those before the point.

    >>> short_number(75.0), short_number(5.949999809), short_number(1234567.891), short_number(1 / 3, 3)
    ('75', '5.95', '1234568', '0.333')
    """
    whole = number_words(number)
    if len(whole.lstrip("-")) <= digits + 1:
        return whole
    if 10 ** (digits - 1) <= abs(number) < 1e15:
        return f"{number:.0f}"
    return format(number, f".{digits}g")


def compact(weight: float) -> str:
    """A weight in a few characters.

    >>> compact(14.0), compact(3.38), compact(48842.0), compact(1234567.0), compact(5e9)
    ('14', '3.38', '48842', '1.23M', '5G')
    """
    if weight < 99_999.5:
        return weight_words(weight)
    for size, sign in ((1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")):
        if weight < 999.5 * size:
            return format(weight / size, ".3g") + sign
    return format(weight, ".2e")


def percent(share: float) -> str:
    """A share in per cent; what is not all of it is never called 100%.

    >>> percent(1.0), percent(0.6428), percent(0.9973), percent(0.999999), percent(0.0002)
    ('100%', '64%', '99.7%', '>99.9%', '<0.1%')
    """
    if share >= 1 - 1e-12:
        return "100%"
    if share > 0.9995:
        return ">99.9%"
    if 0 < share < 0.0005:
        return "<0.1%"
    return f"{share:.0%}" if 0.01 <= share < 0.995 or share == 0 else f"{share:.1%}"


def counted_leaves(n: int) -> str:
    """So many leaves.

    >>> counted_leaves(1), counted_leaves(1200)
    ('1 leaf', '1,200 leaves')
    """
    return "1 leaf" if n == 1 else f"{n:,} leaves"
