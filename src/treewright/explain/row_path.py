"""The path of one row through a tree, step by step, and the prediction before pruning.

What comes in: a tree, an encoded row and a missing-value policy. What goes out: a `Step` for each node that the row
comes to: the split, the value of the row, and the branch or branches it takes. Where a row goes is decided by the
routing kernel alone; here it is only described. `before_pruning` compares with the tree before pruning.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isclose
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.data.encode import UNSEEN, similar_category
from treewright.data.schema import Column
from treewright.deprecation import DeprecatedAlias
from treewright.language import N_, messages
from treewright.model.formatting import display_value, format_category, format_number, format_weight
from treewright.model.prediction_rule import DEFAULT_RULE, PredictionRule, with_prediction_rule
from treewright.model.split import Split, split_of
from treewright.model.strategies import STRATEGIES, TO_ALL
from treewright.model.surrogates import Surrogate, surrogates_of
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing
from treewright.predict.predictions import predict_class_codes, predict_numbers, predict_probabilities
from treewright.predict.routing import route_fractional_rows, route_rows

KNOWN, ABSENT, LEAF, HEAVIER = "known", "absent", "leaf", "heavier"
"""How a row passes a node, besides the names of missing-value strategies: the value decides; the value is a category
that no training row had at this node; nothing is tested; no surrogate has a value, so the heavier branch is taken."""

REASONS = {
    KNOWN: "",
    ABSENT: N_(", like all categories that did not reach this node in training"),
    HEAVIER: STRATEGIES["surrogate"].reason,
    **{name: strategy.reason for name, strategy in STRATEGIES.items()},
}
"""The remark after the condition of a branch, by how the row passes the node."""

N_BRANCHES = 8
"""Branches that a sentence names, those with most weight."""

KEPT = 0
"""The verdict of a pruning report on a node that stays as it is."""

CLOSE = 1e-9
"""Two numbers are the same prediction if they differ by at most this fraction of the larger one."""

N_CUTS = 20
"""Sentences about pruned nodes for one row, those of the nodes with the largest fraction of it."""


@dataclass(frozen=True, slots=True)
class BranchTaken:
    """A branch that a row takes.

    words         its condition
    node          the node it leads to
    fraction      of what came to the parent node
    weight        of the training rows in the branch
    total_weight  of the training rows in all branches of the node: a row is divided by weight / total_weight
    """

    words: str
    node: int
    fraction: float
    weight: float
    total_weight: float

    share = DeprecatedAlias("fraction")
    of = DeprecatedAlias("total_weight")


@dataclass(frozen=True, slots=True)
class Step:
    """A node on the path of a row.

    node           its number
    fraction       the fraction of the row that comes here: 1 unless a missing value divided it
    column         the name of the column that the node splits on; None at a leaf
    value          the value of the row; None if it is missing
    unseen         whether that is a category that the training data do not have
    how            "known": the value decides; "absent": it is a category that no training row had at this node;
                   "fractional", "surrogate", "heavier" (no surrogate has a value), "learned", "branch", "majority",
                   "stop": the strategy for missing or unseen values; "leaf": nothing is tested
    branches       the branches taken, empty where the path ends
    surrogate      the condition of the surrogate that was used; None if none was
    agreement      the fraction of the training rows in which that surrogate agrees with the split
    own_branch     whether the branch taken is one of missing values only
    value_words    the value of the row, as text
    count          training rows that came here, with all or some of their weight
    weight         that weight
    probabilities  of the classes at the node; None for regression
    number         the predicted number of the node; None for classification
    language       of the texts: "en" or "zh"
    """

    node: int
    fraction: float
    column: str | None
    value: Any
    unseen: bool
    how: str
    branches: tuple[BranchTaken, ...]
    surrogate: str | None
    agreement: float | None
    own_branch: bool
    value_words: str
    count: int
    weight: float
    probabilities: Mapping[Any, float] | None
    number: float | None
    language: str = "en"

    share = DeprecatedAlias("fraction")
    takes = DeprecatedAlias("branches")
    agree = DeprecatedAlias("agreement")
    own = DeprecatedAlias("own_branch")
    has = DeprecatedAlias("value_words")
    shares = DeprecatedAlias("probabilities")
    goes = DeprecatedAlias("goes_to")

    @property
    def goes_to(self) -> str:
        """Where the row goes from here, and why if its value does not decide."""
        _ = messages(self.language)
        if self.column is None:
            return _("leaf")
        if not self.branches:
            return _("stops here: this node predicts")
        if self.is_divided:
            return _all_branches(self.branches, self.language)
        condition = self.branches[0].words
        if self.surrogate is not None:
            return _(
                "{condition}, because {surrogate} (agrees on {agreement} of the training rows)",
                condition=condition,
                surrogate=self.surrogate,
                agreement=f"{self.agreement:.1%}",
            )
        reason = "" if self.own_branch else REASONS[self.how]
        return condition + _(reason) if reason else condition

    @property
    def is_divided(self) -> bool:
        """Whether a missing value sends the row down every branch."""
        return self.how in STRATEGIES and STRATEGIES[self.how].goes == TO_ALL

    @property
    def words(self) -> str:
        """The whole step as a sentence."""
        if self.column is None:
            return self.goes_to
        _ = messages(self.language)
        return _("{column} is {value}: {branch}", column=self.column, value=self.value_words, branch=self.goes_to)


def _all_branches(branches: tuple[BranchTaken, ...], language: str) -> str:
    """Describe a row that goes down every branch, with the fractions of the training rows."""
    _ = messages(language)
    if len(branches) == 1:
        return _("{condition}, like all training rows with a known value", condition=branches[0].words)
    shown = heaviest_branches(branches)
    listed = [f"{format_weight(one.weight)}/{format_weight(one.total_weight)} {one.words}" for one in shown]
    if len(branches) > len(shown):
        listed.append(_.plural("… {n} more branch", "… {n} more branches", len(branches) - len(shown)))
    return _("every branch: {branches}", branches=", ".join(listed))


def heaviest_branches(branches: tuple[BranchTaken, ...]) -> list[BranchTaken]:
    """Return the branches with most weight, in their own order."""
    heaviest = sorted(range(len(branches)), key=lambda i: -branches[i].weight)[:N_BRANCHES]
    return [branches[i] for i in sorted(heaviest)]


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of a row in a column: its code, the user's value, and whether the training data do not have it."""

    code: float
    value: Any
    unseen: bool

    @property
    def is_known(self) -> bool:
        return bool(self.code > UNSEEN)

    def words(self, language: str = "en") -> str:
        """Return the value as text."""
        if self.unseen:
            return format_category(self.value)
        if not self.is_known:
            _ = messages(language)
            return _("missing")
        return format_number(self.value) if isinstance(self.value, float) else format_category(self.value)


def read_cells(columns: tuple[Column, ...], values: NDArray[np.float64], unseen: Mapping[str, Any]) -> list[Cell]:
    """Return the cells of an encoded row; `unseen` has the values that the training data do not have, by column.

    >>> from treewright.data.schema import Kind
    >>> read_cells((Column("size", Kind.ORDERED, ("S", "M")),), np.array([1.0]), {})
    [Cell(code=1.0, value='M', unseen=False)]
    """
    cells = []
    for column, code in zip(columns, values.tolist(), strict=True):
        if column.name in unseen:
            cells.append(Cell(code, unseen[column.name], True))
        elif not code > UNSEEN:
            cells.append(Cell(code, None, False))
        else:
            cells.append(Cell(code, display_value(column, code), False))
    return cells


class RoutedRow(NamedTuple):
    """The nodes that a row comes to, each before its children, and the fraction of the row at each."""

    nodes: NDArray[np.int64]
    fractions: NDArray[np.float64]


def route_row(tree: Tree, values: NDArray[np.float64], policy: MissingPolicy) -> RoutedRow:
    """Return every node that the row comes to.

    values  the row as a table of one row

    >>> from treewright.model.build import golf_example
    >>> route_row(golf_example(), np.array([[0, np.nan, 1]]), MissingPolicy("fractional"))
    RoutedRow(nodes=array([0, 1, 4, 5]), fractions=array([1. , 1. , 0.4, 0.6]))
    """
    end, several = route_rows(tree, values, policy)
    if len(several):
        routes = next(route_fractional_rows(tree, values, policy.unseen, several))
        return RoutedRow(routes.nodes, routes.weights)
    nodes, node = [], int(end[0])
    while node >= 0:
        nodes.append(node)
        node = int(tree.parent[node])
    return RoutedRow(np.array(nodes[::-1]), np.ones(len(nodes)))


def path_steps(
    tree: Tree, row: list[Cell], routed: RoutedRow, policy: MissingPolicy, language: str = "en"
) -> list[Step]:
    """Describe the nodes that the row comes to.

    >>> from treewright.model.build import golf_example
    >>> tree, values, policy = golf_example(), np.array([[0, 70.0, 1]]), MissingPolicy()
    >>> cells = read_cells(tree.schema.columns, values[0], {})
    >>> [step.words for step in path_steps(tree, cells, route_row(tree, values, policy), policy)]
    ['outlook is sunny: outlook = sunny', 'humidity is 70: humidity <= 75', 'leaf']
    """
    return _StepWriter(tree, row, routed, policy, language).steps()


class _StepWriter:
    """Describes the steps of one row."""

    def __init__(
        self, tree: Tree, row: list[Cell], routed: RoutedRow, policy: MissingPolicy, language: str
    ) -> None:
        self.tree, self.row, self.language = tree, row, language
        self.missing, self.unseen = resolve_missing(tree, policy), policy.unseen
        nodes = routed.nodes.tolist()
        self.fraction = dict(zip(nodes, routed.fractions.tolist(), strict=True))
        self.children: dict[int, list[int]] = {node: [] for node in nodes}
        for node in nodes[1:]:
            self.children[int(tree.parent[node])].append(node)

    def steps(self) -> list[Step]:
        return [self._step(node) for node in self.fraction]

    def _step(self, node: int) -> Step:
        tree, split = self.tree, split_of(self.tree, node)
        how, surrogate = (LEAF, None) if split is None else self._how(node, split)
        cell = None if split is None else self.row[split.position]
        taken = [child - int(tree.first_child[node]) for child in self.children[node]]
        own_branch = False
        if split is not None:
            own_branch = how in STRATEGIES and STRATEGIES[how].adds_branch and taken == [split.only_missing]
        classes, value = tree.schema.target.classes, tree.value[node].tolist()
        return Step(
            node=node,
            fraction=self.fraction[node],
            column=None if split is None else split.name,
            value=None if cell is None else cell.value,
            unseen=cell is not None and cell.unseen,
            how=how,
            branches=() if split is None else self._branches(node, split, taken),
            surrogate=None if surrogate is None else surrogate.branch_words(taken[0], self.language),
            agreement=None if surrogate is None else surrogate.agree,
            own_branch=own_branch,
            value_words="" if cell is None or split is None else self._value_words(cell, split.column.categories),
            count=int(tree.count[node]),
            weight=float(tree.weight[node]),
            probabilities=None if classes is None else dict(zip(classes, value, strict=True)),
            number=value[0] if classes is None else None,
            language=self.language,
        )

    def _branches(self, node: int, split: Split, taken: list[int]) -> tuple[BranchTaken, ...]:
        first = int(self.tree.first_child[node])
        total = float(self.tree.weight[first : first + split.n_branches].sum())
        return tuple(
            BranchTaken(
                split.branch_words(branch, self.language),
                first + branch,
                self.fraction[first + branch] / self.fraction[node],
                float(self.tree.weight[first + branch]),
                total,
            )
            for branch in taken
        )

    def _how(self, node: int, split: Split) -> tuple[str, Surrogate | None]:
        """Return how the row passes the node, and the surrogate that was used."""
        cell = self.row[split.position]
        if cell.is_known:
            return (ABSENT if _is_absent(split, cell) else KNOWN), None
        if cell.code == UNSEEN:
            return self.unseen, None
        if not STRATEGIES[self.missing].surrogates:
            return self.missing, None
        for surrogate in surrogates_of(self.tree, node):
            other = self.row[surrogate.split.position]
            if other.is_known and (surrogate.split.table is None or int(other.code) in surrogate.split.table[0]):
                return self.missing, surrogate
        return HEAVIER, None

    def _value_words(self, cell: Cell, categories: tuple[object, ...]) -> str:
        """Return the value of the row as text; of an unseen category that it is one, and the most similar known one."""
        _ = messages(self.language)
        words = cell.words(self.language)
        if not cell.unseen:
            return words
        similar = similar_category(cell.value, categories)
        if similar is None:
            if cell.code == UNSEEN:
                return _("{value} (unseen)", value=words)
            return _("{value} (unseen, so missing)", value=words)
        values = {"value": words, "category": format_category(similar)}
        if cell.code == UNSEEN:
            return _("{value} (unseen; did you mean {category}?)", **values)
        return _("{value} (unseen, so missing; did you mean {category}?)", **values)


def _is_absent(split: Split, cell: Cell) -> bool:
    """Whether no training row had the category at the node, and it goes down the branch of other categories."""
    if split.table is None or split.other is None or int(cell.code) in split.table[0]:
        return False
    return cell.value not in split.categories(split.other)


class Report(Protocol):
    """What is read of a `treewright.PruningReport`."""

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
    def with_language(self, language: str) -> "Report": ...


@dataclass(frozen=True, slots=True)
class BeforePruning:
    """The prediction before pruning.

    method         the pruning method
    prediction     of the tree before pruning
    probabilities  of its classes; None for regression
    same           whether the prediction is the same
    cuts           sentences about the nodes on the path that were pruned; nodes have the numbers of the grown tree
    n_cuts         how many such nodes there are, which may be more
    """

    method: str
    prediction: Any
    probabilities: Mapping[Any, float] | None
    same: bool
    cuts: tuple[str, ...]
    n_cuts: int

    answer = DeprecatedAlias("prediction")
    shares = DeprecatedAlias("probabilities")


def before_pruning(
    report: Report,
    values: NDArray[np.float64],
    policy: MissingPolicy,
    routed: RoutedRow,
    prediction: Any,
    prediction_rule: PredictionRule = DEFAULT_RULE,
    language: str = "en",
) -> tuple[BeforePruning, RoutedRow]:
    """Return what the tree of the report predicted, and the nodes of the row with the numbers of that tree.

    routed           the nodes of the pruned tree that the row comes to
    prediction       of the pruned tree
    prediction_rule  of the pruned tree: the grown tree predicts by the same rule, so that the two differ by pruning
                     alone

    >>> from treewright import CARTClassifier
    >>> model = CARTClassifier(pruning="mdl").fit([[1], [2], [3], [4]], ["a", "a", "b", "a"])
    >>> routed = RoutedRow(np.array([0]), np.ones(1))
    >>> before_pruning(model.pruning_report_, np.array([[3.0]]), MissingPolicy(), routed, "a")[0].prediction
    'b'
    """
    grown = with_prediction_rule(report.tree, prediction_rule)
    nodes = report.origin[routed.nodes]
    visits, on_path = _pruned_on_path(report, nodes)
    shown = np.sort(np.argsort(-routed.fractions[on_path], kind="stable")[:N_CUTS])
    written = report if language == "en" else report.with_language(language)
    sentences = tuple(written.sentence(int(i)) for i in visits[shown])
    earlier, by_class = predict_row(grown, values, policy)
    # A number that is a mean of several leaves is rounded with each of them.
    same = earlier == prediction if by_class is not None else isclose(earlier, prediction, rel_tol=CLOSE)
    before = BeforePruning(report.method, earlier, by_class, same, sentences, len(visits))
    return before, RoutedRow(nodes, routed.fractions)


def _pruned_on_path(report: Report, nodes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the visits that pruned these nodes, in the order of the path, and their index on it.

    A node that was visited several times in one step of pruning has its last visit.
    """
    place = np.full(report.tree.n_nodes, -1)
    place[nodes] = np.arange(len(nodes))
    visits = np.flatnonzero(place[report.node] >= 0)[::-1]
    stage = report.stage
    _, last = np.unique(place[report.node[visits]] * (stage.max(initial=0) + 1) + stage[visits], return_index=True)
    visits = visits[last]
    visits = visits[report.verdict[visits] != KEPT]
    return visits, place[report.node[visits]]


def predict_row(
    tree: Tree, values: NDArray[np.float64], policy: MissingPolicy
) -> tuple[Any, Mapping[Any, float] | None]:
    """Predict a table of one row: the class and the probabilities of all classes, or a number and None.

    >>> from treewright.model.build import golf_example
    >>> predict_row(golf_example(), np.array([[0, np.nan, 0]]), MissingPolicy("fractional"))
    ("Don't Play", {"Don't Play": 0.6, 'Play': 0.4})
    """
    classes = tree.schema.target.classes
    if classes is None:
        return float(predict_numbers(tree, values, policy)[0]), None
    by_class = dict(zip(classes, predict_probabilities(tree, values, policy)[0].tolist(), strict=True))
    return classes[int(predict_class_codes(tree, values, policy)[0])], by_class
