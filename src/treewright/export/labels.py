"""Labels: the texts of a tree in pictures: for each node its split or prediction, its branch, and a tooltip.

In: a tree. Out: short texts that fit into a box, and full texts for tooltips. A text is always on one line: control
characters in names are escaped.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from treewright.data.schema import Column, Kind
from treewright.language import messages
from treewright.model.formatting import (
    MAX_CATEGORIES_SHOWN,
    format_categories,
    format_category,
    format_number,
    format_value,
    format_weight,
    printable,
)
from treewright.model.split import Split, split_of
from treewright.model.tree import Tree

LONGEST = 2000
"""Characters of a name or a list of categories in a tooltip; browsers show no more."""

_NO_LETTERS = str.maketrans({"\ufffe": "\\ufffe", "\uffff": "\\uffff"})
"""Characters that are not allowed in XML."""

N_CLASSES = 12
"""Classes listed in a tooltip, the heaviest ones."""


@dataclass(frozen=True, slots=True)
class Edge:
    """The condition of a branch.

    short   without the name of the column
    full    with the name of the column
    words   the first categories of the branch, one by one, if it has several
    n_more  number of further categories
    others  the categories that do not take the branch, one by one, if they are fewer; otherwise empty
    """

    short: str
    full: str
    words: tuple[str, ...] = ()
    n_more: int = 0
    others: tuple[str, ...] = ()


class Labels:
    """The texts of the nodes of a tree; splits are read one at a time, because their tables may be large.

    spell     replaces characters of the user's names that a font does not have
    nodes     the nodes that are shown: the colours of regression range over their predictions; None: all nodes
    language  of the words between the user's names: "en" or "zh"
    """

    def __init__(
        self,
        tree: Tree,
        spell: Callable[[str], str] = str,
        nodes: Sequence[int] | None = None,
        language: str = "en",
    ) -> None:
        self.tree = tree
        self.language = language
        self.spell = spell
        self.names = [spell(clipped(name)) for name in tree.schema.names]
        self.classes = tuple(spell(clipped(format_category(c))) for c in tree.schema.target.classes or ())
        self.target = spell(clipped(tree.schema.target.name))
        self.is_number = tree.schema.target.is_number
        self._majority = None if self.is_number else tree.predicted_class
        self._last: tuple[int, Split] | None = None
        values = tree.value if nodes is None else tree.value[nodes]
        self.least, self.most = (float(values.min()), float(values.max())) if self.is_number else (0.0, 1.0)

    def headline(self, node: int) -> str:
        """The column of the split, or the prediction of a leaf."""
        column = int(self.tree.column[node])
        return self.names[column] if column >= 0 else self.prediction(node)

    def prediction(self, node: int) -> str:
        """The predicted class or number."""
        if self._majority is None:
            return short_number(float(self.tree.value[node, 0]), 4)
        return self.classes[self._majority[node]]

    def majority(self, node: int) -> int:
        """The code of the predicted class; -1 for regression."""
        return -1 if self._majority is None else int(self._majority[node])

    def facts(self, node: int) -> tuple[str, str]:
        """The probability of the prediction and the number of rows; an inner node also names the prediction."""
        weight = f"n={compact(float(self.tree.weight[node]))}"
        if self.is_number:
            spread = self._spread_words(short_number(self.tree.node(node).deviation, 3))
            if self._is_leaf(node):
                return spread, weight
            return f"{self._center_words(short_number(self.tree.node(node).mean, 4))}, {spread}", weight
        share = percent(float(self.tree.value[node, self.majority(node)]))
        return (share if self._is_leaf(node) else f"{self.prediction(node)}: {share}"), weight

    def _center_words(self, value: str) -> str:
        _ = messages(self.language)
        if self.tree.by_deviance:
            return _("rate {value}", value=value)
        return _("median {value}", value=value) if self.tree.by_median else _("mean {value}", value=value)

    def _spread_words(self, deviation: str) -> str:
        _ = messages(self.language)
        if self.tree.by_median:
            return _("MAE {deviation}", deviation=deviation)
        if self.tree.by_deviance:
            return _("half deviance {deviation}", deviation=deviation)
        return _("sd {deviation}", deviation=deviation)

    def position(self, node: int) -> float:
        """The position of a prediction between the smallest and the largest one shown, from 0 to 1."""
        # Halved first, because the difference may overflow.
        wide = self.most / 2 - self.least / 2
        return (float(self.tree.value[node, 0]) / 2 - self.least / 2) / wide if wide > 0 else 0.5

    def edge(self, parent: int, branch: int) -> Edge:
        """The condition of a branch."""
        split = self._split(parent)
        _ = messages(self.language)
        operator = split.operator(branch)
        if operator == "in":
            return self._category_edge(split, branch)
        full = clipped(split.branch_words(branch, self.language))
        if operator in ("is missing", "is known"):
            return Edge(_("missing") if operator == "is missing" else _("known"), full)
        said = split.branch_words(branch)[len(split.name) + len(operator) + 2 :]
        if operator in ("<=", ">"):
            if split.kind is Kind.NUMBER and split.threshold is not None:
                said = short_value(split.column, split.threshold)
            said = f"{'≤' if operator == '<=' else operator} {said}"
        return Edge(self.spell(clipped(said)), full)

    def _category_edge(self, split: Split, branch: int) -> Edge:
        """What leads into a branch of several categories."""
        _, shown, others = messages(self.language), split.categories(branch), split.other_categories(branch)
        words, exceptions = (
            tuple(self.spell(clipped(format_category(c), 100)) for c in part[:MAX_CATEGORIES_SHOWN])
            for part in (shown, others if len(others) < len(shown) else ())
        )
        full = _("{column} in {categories}", column=split.name, categories=_list_categories(shown, self.language))
        short = self.spell(clipped(format_categories(shown, self.language)))
        n_more = len(shown) - len(words)
        return Edge(short, clipped(full), words, n_more, exceptions if len(others) == len(exceptions) else ())

    def full(self, node: int) -> list[str]:
        """The tooltip of a node, line by line."""
        tree, _ = self.tree, messages(self.language)
        if self._is_leaf(node):
            lines = [_("node {node}: leaf, {prediction}", node=node, prediction=self.prediction(node))]
        else:
            lines = [_("node {node}: splits on {column}", node=node, column=self.headline(node))]
        weight = format_weight(float(tree.weight[node]))
        count = int(tree.count[node])
        rows = _.plural("{n} row", "{n} rows", count, n=f"{count:,}")
        lines.append(rows if weight == str(count) else _("{rows}, weight {weight}", rows=rows, weight=weight))
        if self.is_number:
            center = self._center_words(format_number(tree.node(node).mean))
            spread = self._spread_words(f"{tree.node(node).deviation:.6g}")
            lines.append(f"{self.target}: {center}, {spread}")
            if not tree.prediction_rule.is_default:
                lines.append(_("predicts {prediction}", prediction=format_number(float(tree.value[node, 0]))))
        else:
            lines += self._class_lines(node)
        numbers = [f"{_(tree.measured_by.label)} {float(tree.impurity[node]) + 0.0:.4g}"]  # a pure node has -0.0
        if not self._is_leaf(node):
            numbers.append(_("gain {gain}", gain=f"{float(tree.gain[node]):.4g}"))
            if tree.merit[node] != tree.gain[node]:
                numbers.append(_("gain ratio {ratio}", ratio=f"{float(tree.merit[node]):.4g}"))
        lines.append(", ".join(numbers))
        return lines if self._is_leaf(node) else lines + self._missing_line(node)

    def _class_lines(self, node: int) -> list[str]:
        weights = self.tree.stats[node]
        order = np.argsort(-weights, kind="stable")
        shown = [code for code in order[:N_CLASSES].tolist() if weights[code] > 0]
        shares = self.tree.value[node]
        lines = [f"{self.classes[c]}: {format_weight(weights[c])} ({percent(float(shares[c]))})" for c in shown]
        n_more = int(np.count_nonzero(weights)) - len(shown)
        more = messages(self.language).plural("… {n} more class", "… {n} more classes", n_more)
        return [*lines, more] if n_more else lines

    def _missing_line(self, node: int) -> list[str]:
        """Where missing values go, if they join one of the other branches."""
        if not self.tree.strategy.joins:
            return []
        _, branch = messages(self.language), int(self.tree.missing_branch[node])
        words = clipped(self._split(node).branch_words(branch, self.language))
        return [_("missing values go to: {branch}", branch=words)]

    def _is_leaf(self, node: int) -> bool:
        return bool(self.tree.column[node] < 0)

    def _split(self, node: int) -> Split:
        if self._last is None or self._last[0] != node:
            split = split_of(self.tree, node)
            assert split is not None, "a leaf has no branches"
            self._last = node, split
        return self._last[1]


def _list_categories(categories: Sequence[object], language: str) -> str:
    """All categories in braces; of very many those that a tooltip has room for.

    >>> _list_categories(range(15), "en")
    '{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}'
    """
    words: list[str] = []
    room = LONGEST * 3 // 4  # the rest is for the name of the column
    for category in categories:
        words.append(clipped(format_category(category), LONGEST // 4))
        room -= len(words[-1]) + 2
        if room < 0:
            break
    _, n_more = messages(language), len(categories) - len(words)
    more = [_("… {n} more", n=n_more)] if n_more else []
    return "{" + ", ".join(words + more) + "}"


def clipped(text: str, longest: int = LONGEST) -> str:
    """The text on one line, truncated to a maximum length.

    >>> clipped("a\\nb"), clipped("abcdef", 4)
    ('a\\\\x0ab', 'abc…')
    """
    shown = printable(text[: longest + 1]).translate(_NO_LETTERS)
    return shown if len(shown) <= longest else shown[: longest - 1] + "…"


def short_number(number: float, digits: int = 6) -> str:
    """A number with this many significant digits, but with all digits before the decimal point.

    >>> short_number(75.0), short_number(5.949999809), short_number(1234567.891), short_number(1 / 3, 3)
    ('75', '5.95', '1234568', '0.333')
    """
    whole = format_number(number)
    if len(whole.lstrip("-")) <= digits + 1:
        return whole
    if 10 ** (digits - 1) <= abs(number) < 1e15:
        return f"{number:.0f}"
    return format(number, f".{digits}g")


def short_value(column: Column, value: float, digits: int = 6) -> str:
    """A value of a numeric column: a date or a time as such, another number with this many significant digits.

    >>> short_value(Column("sold", Kind.NUMBER, source="sold", part="days"), 19397.0)
    '2023-02-09'
    """
    return format_value(column, value) if column.is_moment else short_number(value, digits)


def compact(weight: float) -> str:
    """A weight in a few characters.

    >>> compact(14.0), compact(3.38), compact(48842.0), compact(1234567.0), compact(5e9)
    ('14', '3.38', '48842', '1.23M', '5G')
    """
    if weight < 99_999.5:
        return format_weight(weight)
    for size, sign in ((1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")):
        if weight < 999.5 * size:
            return format(weight / size, ".3g") + sign
    return format(weight, ".2e")


def percent(share: float) -> str:
    """A fraction as a percentage; only 1 is shown as 100%.

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


def counted_leaves(n: int, language: str = "en") -> str:
    """A number of leaves as text.

    >>> counted_leaves(1), counted_leaves(1200), counted_leaves(3, "zh")
    ('1 leaf', '1,200 leaves', '3 个叶结点')
    """
    return messages(language).plural("{n} leaf", "{n} leaves", n, n=f"{n:,}")
