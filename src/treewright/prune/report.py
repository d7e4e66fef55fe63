"""PruningReport: every decision of a pruning, with the two numbers that were compared.

A report of a hundred thousand nodes is a few arrays; sentences are made when they are read. `report_text` writes them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.language import Messages, messages
from treewright.model.formatting import read_limit
from treewright.model.tree import Tree
from treewright.prune.report_messages import AS_LEAF, AS_SUBTREE, WITH_ALLOWANCE, translate
from treewright.prune.report_text import (
    VERDICTS,
    Decision,
    make_decision,
    report_frame,
    report_html,
    report_text,
)
from treewright.text_table import pluralize

__all__ = ["KEPT", "PRUNED", "RAISED", "VERDICTS", "Decision", "PruningReport"]

KEPT, PRUNED, RAISED = 0, 1, 2
"""The node keeps its split; it becomes a leaf; its largest branch takes its place."""

N_SHOWN = 30
"""Nodes that a printed report lists."""


@dataclass(frozen=True, slots=True, eq=False)
class PruningReport:
    """What was decided at each inner node, in the order of the visits.

    Print it, look at one node with `of`, or take all of it with `to_frame` or `to_text`; `report[i]` is the i-th visit.
    Nodes have the numbers of the grown tree.

    Attributes
    ----------
    tree : Tree
        The grown tree.
    method : str
        The name of the method.
    rule : str
        When a node is pruned, in one sentence.
    unit : str
        What the two numbers are: "errors", "validation errors", "bits".
    node : int64 array
        The nodes visited.
    leaf, subtree : float64 arrays
        The number of the node as a leaf, and that of its subtree when the node was visited.
    allowance : float64 array
        How far the leaf may be above the subtree.
    verdict : int8 array
        KEPT, PRUNED or RAISED.
    origin : int64 array
        For each node of the pruned tree, its node of the grown tree.
    weight : float64 array
        The weight of the rows at the node when it was visited.
    details : Mapping[str, array]
        Further columns by name.
    branch : float64 array or None
        The number with the largest branch in place of the node, NaN where that was not tried; None for methods that do
        not raise branches.
    path : CostComplexityPath, CutOffs or None
        The series of trees that cost-complexity or critical-value pruning chose from.
    as_leaf, as_subtree, with_allowance : str
        What is printed after the three numbers.
    steps : tuple of PruningReport
        The report of each step if several methods were applied, with the node numbers of the tree that came to it; see
        `treewright.prune.steps.join_reports`. Empty for one method.
    language : {"en", "zh"}
        The language of sentences, text and HTML; see `with_language`.

    Examples
    --------
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
    as_leaf: str = AS_LEAF
    as_subtree: str = AS_SUBTREE
    with_allowance: str = WITH_ALLOWANCE
    steps: tuple["PruningReport", ...] = ()
    language: str = "en"

    def __post_init__(self) -> None:
        if self.weight is None:
            object.__setattr__(self, "weight", self.tree.weight[self.node])

    def __len__(self) -> int:
        return len(self.node)

    def __getitem__(self, i: int) -> Decision:
        at = index(i)
        if not -len(self) <= at < len(self):
            raise IndexError(f"Visit {i!r} not found; the report has {len(self)} visits, counted from 0.")
        return make_decision(self, at % len(self))

    def __iter__(self) -> Iterator[Decision]:
        return (make_decision(self, i) for i in range(len(self)))

    @property
    def rule_text(self) -> str:
        """The rule in the language of the report; of several steps the rule of each, numbered.

        >>> from treewright.model.build import golf_example
        >>> from treewright.prune import MDL
        >>> MDL().prune(golf_example()).report.with_language("zh").rule_text
        '若结点中样本的类别所需的比特数不多于其划分与各分支之和，则该结点成为叶结点。'
        """
        if self.steps:
            return " ".join(f"{i}. {one.rule_text}" for i, one in enumerate(self.steps, 1))
        return self.translated(self.rule, messages(self.language))

    @property
    def stage(self) -> NDArray[np.int64]:
        """For each visit the position of its step in `steps`; 0 for one method."""
        return np.repeat(np.arange(len(self.steps) or 1), [len(one) for one in self.steps or (self,)])

    def step(self, i: int) -> tuple["PruningReport", int]:
        """Return the report of the step that the i-th visit belongs to.

        Parameters
        ----------
        i : int
            The number of the visit, counted from 0.

        Returns
        -------
        (PruningReport, int)
            The report of the step, this report itself for one method; and the number of the visit in it.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> from treewright.prune import Pessimistic, SameDecision, Steps
        >>> report = Steps((SameDecision(), Pessimistic(standard_errors=2))).prune(golf_example()).report
        >>> report.step(4)
        (<PruningReport: pessimistic, 3 nodes visited>, 1)
        """
        for one in self.steps:
            if i < len(one):
                return one, i
            i -= len(one)
        return self, i

    def visits(self, node: int) -> NDArray[np.int64]:
        """Return the last visit of a node in each step that visited it.

        Parameters
        ----------
        node : int
            The number of the node in the grown tree.

        Returns
        -------
        int64 array
            The numbers of the visits; empty if the node was not visited.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> from treewright.prune import Pessimistic, SameDecision, Steps
        >>> report = Steps((SameDecision(), Pessimistic(standard_errors=2))).prune(golf_example()).report
        >>> report.visits(1).tolist()
        [0, 4]
        """
        found = np.flatnonzero(self.node == node)
        stage = self.stage[found]
        return found[np.append(stage[1:] != stage[:-1], True)[: len(found)]]

    def of(self, node: int) -> Decision:
        """The decision at a node of the grown tree; the last one if it was visited several times.

        Parameters
        ----------
        node : int
            The number of the node in the grown tree.

        Raises
        ------
        InputError
            If there is no such node, or nothing was decided there.
        """
        number = self.tree.node(node).id
        visits = self.visits(number)
        if not len(visits):
            why = "it is a leaf" if self.tree.n_children[number] == 0 else "pruning did not visit it"
            raise InputError(f"There is no decision for node {number}: {why}; see `node` for the visited nodes.")
        return make_decision(self, int(visits[-1]))

    def sentence(self, i: int) -> str:
        """Return the i-th decision as a sentence.

        Parameters
        ----------
        i : int
            The number of the visit, counted from 0.

        Returns
        -------
        str
            The sentence, in the language of the report.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> from treewright.prune import Pessimistic
        >>> report = Pessimistic(standard_errors=2).prune(golf_example()).report
        >>> print(report.sentence(1))
        Node 1 (outlook = sunny): 2.5 errors as a leaf, 1 as a subtree, 2.79 with 2 standard errors: pruned.
        """
        return self[i].words

    def with_language(self, language: str) -> "PruningReport":
        """Return the same report in another language.

        Names, classes and categories of the data are not translated, nor are the names of methods.

        Parameters
        ----------
        language : {"en", "zh"}
            Language of sentences, text and HTML.

        Returns
        -------
        PruningReport
            A copy; this report is not changed.

        Examples
        --------
        >>> from treewright.model.build import golf_example
        >>> from treewright.prune import Pessimistic
        >>> report = Pessimistic(standard_errors=2).prune(golf_example()).report
        >>> print(report.with_language("zh").sentence(1))
        结点 1（outlook = sunny）：作为叶结点的错误数 2.5，子树 1，加上 2 个标准误后 2.79：剪枝。
        """
        messages(language)
        path = self.path
        if is_dataclass(path) and not isinstance(path, type):
            path = replace(path, language=language)
        steps = tuple(one.with_language(language) for one in self.steps)
        return replace(self, language=language, path=path, steps=steps)

    def translated(self, text: str, _: Messages) -> str:
        """Translate a text of the report, such as its unit.

        Parameters
        ----------
        text : str
            The English text.
        _ : Messages
            The messages of the other language, see `treewright.language.messages`.

        Returns
        -------
        str
            The translation; a text that the method of the report does not know is returned unchanged.

        Examples
        --------
        >>> from treewright.language import messages
        >>> from treewright.model.build import golf_example
        >>> from treewright.prune import Pessimistic
        >>> report = Pessimistic(standard_errors=2).prune(golf_example()).report
        >>> report.unit, report.translated(report.unit, messages("zh"))
        ('errors', '错误数')
        """
        if _.language == "en":
            return text
        from treewright.prune.registry import METHODS

        method = METHODS.get(self.method)
        return translate(text, () if method is None else method.messages, _)

    def to_frame(self) -> Any:
        """A row for each node visited, as a pandas data frame, or a polars one if pandas is not installed."""
        return report_frame(self)

    def to_text(self, max_rows: int | None = None, *, language: str | None = None) -> str:
        """The report as text: a summary, the rule, and a table of decisions.

        Parameters
        ----------
        max_rows : int or None, default=None
            How many nodes are listed, of each step if there are several; None lists all.
        language : {"en", "zh"} or None, default=None
            None is the language of the report.
        """
        n = read_limit("max_rows", max_rows)
        report = self if language is None else self.with_language(language)
        return report_text(report, len(self) if n is None else n)

    def __str__(self) -> str:
        return report_text(self, N_SHOWN)

    def __repr__(self) -> str:
        visited = pluralize(len(self), "visit") if self.steps else f"{pluralize(len(self), 'node')} visited"
        return f"<PruningReport: {self.method}, {visited}>"

    def _repr_html_(self) -> str:
        return report_html(self, N_SHOWN)
