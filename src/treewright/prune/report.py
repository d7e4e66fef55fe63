"""PruningReport: every decision of a pruning, with the two numbers it compared.

In: the grown tree, and for each inner node visited its number as a leaf, that of its subtree, and the verdict. Out:
the same as sentences, text or a frame, in the user's names and categories. Words are made when they are asked for:
a report of a hundred thousand nodes is a few arrays.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.model.grid import counted
from treewright.model.limit import read_limit
from treewright.model.tree import Tree
from treewright.prune.report_page import VERDICTS, Decision, as_frame, as_html, as_text, decision

__all__ = ["KEPT", "PRUNED", "RAISED", "VERDICTS", "Decision", "PruningReport", "by_visit"]

KEPT, PRUNED, RAISED = 0, 1, 2
"""The node keeps its split; it becomes a leaf; its largest branch takes its place."""

N_SHOWN = 30
"""Nodes that a printed report lists."""


@dataclass(frozen=True, slots=True, eq=False)
class PruningReport:
    """What was decided at each inner node, in the order of the visits; nodes have the numbers of the grown tree.

    Print it, ask for a node with `of`, or take all of it with `to_frame` or `to_text`; `report[i]` is the i-th visit.

    tree        the grown tree
    method      the name of the method
    rule        when a node is pruned, in one sentence
    unit        what the two numbers are: "errors", "validation errors", "bits"
    node        int64, the nodes visited
    leaf        float64, the number of the node as a leaf
    subtree     float64, the number of its subtree as it was when it was visited
    allowance   float64, how far above the subtree's number the leaf may be
    verdict     int8, KEPT, PRUNED or RAISED
    origin      int64, the grown tree's node of each node of the pruned tree
    weight      float64, of the rows at the node when it was visited, in the rows that the numbers count; None: of the
                rows it was grown on
    details     further columns by name
    branch      float64, the number with the largest branch in the node's place, NaN where that was not tried; None
                for methods that raise no branch
    path        the series of trees that cost-complexity or critical-value pruning chose from; None for other methods
    as_leaf, as_subtree, with_allowance  what is said behind the three numbers
    steps       where several methods followed one another, the report of each, with the node numbers of the tree that
                came to it; empty for one method. See `treewright.prune.steps` for what the other fields hold then

    >>> from treewright.model.build import golf_example
    >>> from treewright.prune import Pessimistic
    >>> report = Pessimistic(standard_errors=2).prune(golf_example()).report
    >>> print(report.of(3).words)
    Node 3 (outlook = rain): 2.5 errors as a leaf, 1 as a subtree, 2.79 with 2 standard errors: pruned.
    >>> [one.verdict for one in report]
    ['kept', 'pruned', 'pruned']
    """

    tree: Tree
    method: str
    rule: str
    unit: str
    node: NDArray[np.int64]
    leaf: NDArray[np.float64]
    subtree: NDArray[np.float64]
    allowance: NDArray[np.float64]
    verdict: NDArray[np.int8]
    origin: NDArray[np.int64]
    weight: NDArray[np.float64] | None = None
    details: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    branch: NDArray[np.float64] | None = None
    path: Any = None
    as_leaf: str = "as a leaf"
    as_subtree: str = "as a subtree"
    with_allowance: str = "with the allowance"
    steps: tuple["PruningReport", ...] = ()

    def __post_init__(self) -> None:
        if self.weight is None:
            object.__setattr__(self, "weight", self.tree.weight[self.node])

    def __len__(self) -> int:
        return len(self.node)

    def __getitem__(self, i: int) -> Decision:
        at = index(i)
        if not -len(self) <= at < len(self):
            raise IndexError(f"There is no visit {i!r}; there are {len(self)}, and the first one is 0.")
        return decision(self, at % len(self))

    def __iter__(self) -> Iterator[Decision]:
        return (decision(self, i) for i in range(len(self)))

    @property
    def stage(self) -> NDArray[np.int64]:
        """The place in `steps` of the step that each visit belongs to; 0 for one method."""
        return np.repeat(np.arange(len(self.steps) or 1), [len(one) for one in self.steps or (self,)])

    def step(self, i: int) -> tuple["PruningReport", int]:
        """The report of the step that the i-th visit belongs to, and which of its visits that is."""
        for one in self.steps:
            if i < len(one):
                return one, i
            i -= len(one)
        return self, i

    def visits(self, node: int) -> NDArray[np.int64]:
        """The last visit of a node in each step that came to it, by its number in the grown tree."""
        found = np.flatnonzero(self.node == node)
        stage = self.stage[found]
        return found[np.append(stage[1:] != stage[:-1], True)[: len(found)]]

    def of(self, node: int) -> Decision:
        """What was decided at a node, by its number in the grown tree; its last visit where it had several."""
        number = self.tree.node(node).id
        visits = self.visits(number)
        if not len(visits):
            why = "it is a leaf" if self.tree.n_children[number] == 0 else "the pruning did not come to it"
            raise InputError(f"Nothing was decided at node {number}: {why}; the nodes decided on are in `node`.")
        return decision(self, int(visits[-1]))

    def sentence(self, i: int) -> str:
        """The i-th decision in words."""
        return self[i].words

    def to_frame(self) -> Any:
        """A row for each node visited, as a frame of pandas, or of polars where pandas is not installed."""
        return as_frame(self)

    def to_text(self, max_rows: int | None = None) -> str:
        """The report as a table of words.

        max_rows  how many nodes are listed, of each step where there are several; None is all
        """
        n = read_limit("max_rows", max_rows, "number of rows")
        return as_text(self, len(self) if n is None else n)

    def __str__(self) -> str:
        return as_text(self, N_SHOWN)

    def __repr__(self) -> str:
        visited = counted(len(self), "visit") if self.steps else f"{counted(len(self), 'node')} visited"
        return f"<PruningReport: {self.method}, {visited}>"

    def _repr_html_(self) -> str:
        return as_html(self, N_SHOWN)


def by_visit(tree: Tree) -> NDArray[np.int64]:
    """The inner nodes from the bottom up: the deepest level first, each level from its first node on."""
    inner = np.flatnonzero(tree.n_children)
    return inner[np.argsort(-tree.depths[inner], kind="stable")]
