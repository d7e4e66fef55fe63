"""Before: what a tree would have answered before it was pruned, and where pruning cut the way of a row.

In: a row, its way through the pruned tree, and the report of the pruning. Out: the answer of the grown tree, and the
report's sentence for each node of the way that became a leaf or gave its place to one of its branches.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.model.answering import PLAIN, Answering, answered
from treewright.model.tree import Tree
from treewright.predict.answers import class_codes, numbers, shares
from treewright.predict.rule import Rule

KEPT = 0
"""The verdict of a report on a node that stays as it is."""

CLOSE = 1e-9
"""Two numbers are the same answer when they differ by no more than this share of the larger one."""

N_CUTS = 20
"""Sentences given for one row, those of the nodes with the largest share of it."""


class Report(Protocol):
    """What is read of a report of pruning; see `treewright.PruningReport`."""

    @property
    def tree(self) -> Tree: ...
    @property
    def method(self) -> str: ...
    @property
    def node(self) -> NDArray[np.int64]: ...
    @property
    def verdict(self) -> NDArray[np.int8]: ...
    @property
    def origin(self) -> NDArray[np.int64]: ...
    @property
    def stage(self) -> NDArray[np.int64]: ...
    def sentence(self, i: int) -> str: ...


@dataclass(frozen=True, slots=True)
class Before:
    """The answer before pruning.

    method  the method of pruning
    answer  what the tree said before it
    shares  of the classes then; None for regression
    same    whether the answer is the same
    cuts    where the way of the row was cut, each in a sentence; nodes have the numbers of the grown tree
    n_cuts  how many such places there are, which may be more
    """

    method: str
    answer: Any
    shares: Mapping[Any, float] | None
    same: bool
    cuts: tuple[str, ...]
    n_cuts: int


def before_pruning(
    report: Report,
    values: NDArray[np.float64],
    rule: Rule,
    way: tuple[NDArray[np.int64], NDArray[np.float64]],
    answer: Any,
    answering: Answering = PLAIN,
) -> tuple[Before, NDArray[np.int64]]:
    """What the tree of the report answered, and the way of the row in its numbers.

    way     the nodes of the pruned tree that the row comes to, and its shares there
    answer  what the pruned tree says
    answering  how it answers: the grown tree is asked in the same way, so that the two differ by pruning alone

    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning="mdl").fit([[1], [2], [3], [4]], ["a", "a", "b", "a"])
    >>> path = np.array([0]), np.ones(1)
    >>> before_pruning(model.pruning_report_, np.array([[3.0]]), Rule(), path, "a")[0].answer
    'b'
    """
    grown = answered(report.tree, answering)
    nodes, share = report.origin[way[0]], way[1]
    visits, on_way = _cuts(report, nodes)
    shown = np.sort(np.argsort(-share[on_way], kind="stable")[:N_CUTS])
    sentences = tuple(report.sentence(int(i)) for i in visits[shown])
    earlier, by_class = answer_of(grown, values, rule)
    # A number that is a mean of several leaves is rounded with each of them.
    same = earlier == answer if by_class is not None else isclose(earlier, answer, rel_tol=CLOSE)
    return Before(report.method, earlier, by_class, same, sentences, len(visits)), nodes


def _cuts(report: Report, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The visits that did not leave these nodes as they were, along the way, and where on it; of a step the last."""
    place = np.full(report.tree.n_nodes, -1)
    place[nodes] = np.arange(len(nodes))
    visits = np.flatnonzero(place[report.node] >= 0)[::-1]
    stage = report.stage
    _, last = np.unique(place[report.node[visits]] * (stage.max(initial=0) + 1) + stage[visits], return_index=True)
    visits = visits[last]
    visits = visits[report.verdict[visits] != KEPT]
    return visits, place[report.node[visits]]


def answer_of(tree: Tree, values: NDArray[np.float64], rule: Rule) -> tuple[Any, Mapping[Any, float] | None]:
    """What the tree says for a row, given as a table of one row: a class and the shares of all, or a number.

    >>> from treewright.model.build import golf_example
    >>> answer_of(golf_example(), np.array([[0, np.nan, 0]]), Rule("fractional"))
    ("Don't Play", {"Don't Play": 0.6, 'Play': 0.4})
    """
    classes = tree.schema.target.classes
    if classes is None:
        return float(numbers(tree, values, rule)[0]), None
    by_class = dict(zip(classes, shares(tree, values, rule)[0].tolist(), strict=True))
    return classes[int(class_codes(tree, values, rule)[0])], by_class
