"""Why this prediction: the explanation of one row.

What comes in: a tree, an encoded row and a missing-value policy; if available, the training rows and the reports of
pruning. What goes out: an `Explanation`: the prediction, the path to it, the training rows at its end, their confidence
interval, the nearest changes that would change the prediction, and the prediction before pruning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.encode import Encoded
from treewright.deprecation import DeprecatedAlias
from treewright.explain.explanation_text import as_dict, as_html, as_text
from treewright.explain.leaf_probability import (
    Interval,
    costs_by_class,
    equivalent_rows,
    mean_interval,
    number_arithmetic,
    probability_arithmetic,
    proportion_interval,
    row_weight_at,
)
from treewright.explain.nearest_change import Change, nearest_changes
from treewright.explain.row_path import (
    BeforePruning,
    Report,
    Step,
    before_pruning,
    path_steps,
    predict_row,
    read_cells,
    route_row,
)
from treewright.language import messages
from treewright.model.formatting import join_conditions
from treewright.model.prediction_rule import without_cost_factors
from treewright.model.subtree import collapse_nodes
from treewright.model.tree import Tree
from treewright.model.tree_text import N_STEPS
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.routing import prepare_values, route_fractional_rows, route_rows

N_ROWS = 20
"""Training rows listed for a leaf."""

N_LISTED = 10
"""Leaves whose training rows are listed, if a row comes to many."""

AS_GROWN = MissingPolicy()


@dataclass(frozen=True, slots=True)
class EndNode:
    """A node where a path of the row ends: a leaf, or the node that tests a missing value.

    node         its number
    fraction     the fraction of the row that ends here
    where        the last conditions of the path to it, as text
    prediction   of the node: its class, or its number
    probability  of the class that is predicted for the row; None for regression
    count        its training rows, with all or some of their weight
    weight       that weight
    stats        weight by class; for regression the mean (or median) and the loss
    interval     for the proportion of the class that is predicted for the row, or for the mean; None if there is none
    rows         the first of its training rows, by index; None if they are not available, or if the row ends in many
                 nodes and this is not one of the heaviest
    arithmetic   how `probability` was computed, such as "(9 + 1) / (14 + 2) = 62.5%", or the number of the node, such
                 as "15 + (20 - 15) / (1 + 5 / 2) = 16.4286"; None for a class frequency, or for the mean itself
    """

    node: int
    fraction: float
    where: str
    prediction: Any
    probability: float | None
    count: int
    weight: float
    stats: Mapping[Any, float]
    interval: Interval | None
    rows: tuple[int, ...] | None
    arithmetic: str | None = None

    share = DeprecatedAlias("fraction")
    answer = DeprecatedAlias("prediction")
    answer_share = DeprecatedAlias("probability")
    reckoned = DeprecatedAlias("arithmetic")


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the tree makes its prediction for a row; print it, or read its attributes.

    Attributes
    ----------
    prediction : object
        The class, or the number, that `predict` returns.
    probabilities : mapping or None
        Probability of each class, as `predict_proba` returns them; None for regression.
    row : mapping
        Value of the row by column; None if it is missing.
    steps : tuple of Step
        Every node that the row comes to, each before its children.
    ends : tuple of EndNode
        Where the paths of the row end, largest fraction first; one unless a missing value divided the row.
    changes : tuple of Change
        The nearest changes of one value that change the prediction, nearest first.
    before_pruning : tuple of BeforePruning
        The predictions before pruning, one for each pruning; empty if nothing was pruned.
    confidence : float
        Confidence level of the intervals.
    changes_searched : bool
        Whether changes were searched for.
    criterion : str
        Criterion of the tree.
    target : str
        Name of the target.
    costs : mapping or None
        Expected cost of predicting each class; None if no costs were given.
    language : str
        Language of the text: "en" or "zh".

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> X = [["sunny", 70], ["sunny", 90], ["rain", 80], ["rain", 75], ["sunny", 85], ["sunny", 65]]
    >>> model = C45Classifier().fit(X, ["play", "stay", "play", "play", "stay", "play"])
    >>> found = model.explain(["sunny", 72])
    >>> found.prediction, found.ends[0].where, found.ends[0].rows, found.changes[0].words
    ('play', 'x1 <= 80', (0, 2, 3, 5), 'x1 > 80 (now 72)')
    """

    prediction: Any
    probabilities: Mapping[Any, float] | None
    row: Mapping[str, Any]
    steps: tuple[Step, ...]
    ends: tuple[EndNode, ...]
    changes: tuple[Change, ...]
    before_pruning: tuple[BeforePruning, ...]
    confidence: float
    changes_searched: bool
    criterion: str
    target: str
    costs: Mapping[Any, float] | None = None
    language: str = "en"

    answer = DeprecatedAlias("prediction")
    shares = DeprecatedAlias("probabilities")
    before = DeprecatedAlias("before_pruning")
    looked = DeprecatedAlias("changes_searched")

    def to_text(self) -> str:
        """Return the explanation as text."""
        return as_text(self)

    def to_html(self) -> str:
        """Return the explanation as HTML for a page or a notebook: paragraphs and tables."""
        return as_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as values that JSON can hold; what is by class is a list of pairs."""
        return as_dict(self)

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingContext:
    """What is known about the training of a tree.

    rows        the training rows; None if they are not available
    spread      highest minus lowest value of each column in the training data; None if it is unknown
    row_weight  the weight that counts as one row
    reports     of pruning, the last one first
    """

    rows: Dataset | None = None
    spread: NDArray[np.float64] | None = None
    row_weight: float = 1.0
    reports: Sequence[Report] = ()


def explain(
    tree: Tree,
    encoded: Encoded,
    policy: MissingPolicy,
    training: TrainingContext,
    *,
    confidence: float = 0.95,
    n_changes: int = 3,
    language: str = "en",
) -> Explanation:
    """Explain the prediction of a tree for one row.

    encoded     a table of one row
    confidence  of the intervals
    n_changes   how many changes are searched for, at most one for each column
    language    of the texts: "en" or "zh"

    >>> from treewright.model.build import golf_example
    >>> row, policy = Encoded(np.array([[0, np.nan, 1]])), MissingPolicy("fractional")
    >>> found = explain(golf_example(), row, policy, TrainingContext())
    >>> found.prediction, [step.node for step in found.steps], [end.fraction for end in found.ends]
    ("Don't Play", [0, 1, 4, 5], [0.6, 0.4])
    """
    messages(language)
    values = prepare_values(tree, encoded.values)
    cells = read_cells(tree.schema.columns, values[0], {one.column: one.value for one in encoded.unseen})
    prediction, by_class = predict_row(tree, values, policy)
    routed = route_row(tree, values, policy)
    before, earlier = [], routed
    for report in training.reports:
        one, earlier = before_pruning(report, values, policy, earlier, prediction, tree.prediction_rule, language)
        before.append(one)
    steps = path_steps(tree, cells, routed, policy, language)
    return Explanation(
        prediction=prediction,
        probabilities=by_class,
        row={column.name: cell.value for column, cell in zip(tree.schema.columns, cells, strict=True)},
        steps=tuple(steps),
        ends=tuple(_EndWriter(tree, steps, training, confidence, prediction, language).ends()),
        changes=tuple(nearest_changes(tree, values, cells, policy, training.spread, n_changes, language)),
        before_pruning=tuple(before),
        confidence=confidence,
        changes_searched=n_changes > 0,
        criterion=tree.criterion,
        target=tree.schema.target.name,
        costs=None if by_class is None else costs_by_class(tree, np.array(list(by_class.values()))),
        language=language,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _EndWriter:
    """Describes the nodes where the paths of a row end."""

    tree: Tree
    steps: Sequence[Step]
    training: TrainingContext
    confidence: float
    prediction: Any
    language: str

    def ends(self) -> list[EndNode]:
        """Return the end nodes, largest fraction of the row first, then by number."""
        conditions = {branch.node: branch.words for step in self.steps for branch in step.branches}
        last = sorted((step for step in self.steps if not step.branches), key=lambda step: (-step.fraction, step.node))
        rows: list[tuple[int, ...] | None] = [None] * len(last)
        if self.training.rows is not None:
            shown = [step.node for step in last[:N_LISTED]]
            rows[: len(shown)] = training_rows_at(self.tree, self.training.rows, shown, N_ROWS)
        return [
            self._end(step, self._where(step.node, conditions), listed) for step, listed in zip(last, rows, strict=True)
        ]

    def _where(self, node: int, conditions: Mapping[int, str]) -> str:
        """Return the last conditions on the path to a node, as `path_texts` writes them."""
        _ = messages(self.language)
        words: list[str] = []
        while node in conditions:
            if len(words) == N_STEPS:
                words.append("…")
                break
            words.append(conditions[node])
            node = int(self.tree.parent[node])
        return join_conditions(words[::-1], self.language) or _("root")

    def _end(self, step: Step, where: str, rows: tuple[int, ...] | None) -> EndNode:
        tree, node = self.tree, step.node
        stats, n_rows = tree.stats[node].tolist(), equivalent_rows(tree, node, self.training.row_weight)
        scale = n_rows / row_weight_at(tree, node) if n_rows else 0.0
        classes = tree.schema.target.classes
        probability, arithmetic, interval = None, None, None
        by_name: Mapping[Any, float]
        prediction: Any
        if classes is None:
            by_name, prediction = {"value": stats[1], "loss": stats[2]}, float(tree.value[node, 0])
            arithmetic = number_arithmetic(tree, node, self.language)
            if not tree.not_squared:
                interval = mean_interval(stats[1], stats[2] * scale, n_rows, self.confidence)
        else:
            by_name, prediction = dict(zip(classes, stats, strict=True)), classes[tree.predicted_class[node]]
            code = classes.index(self.prediction)
            probability = float(tree.value[node, code])
            arithmetic = probability_arithmetic(tree, node, code, self.language)
            of_class = float(without_cost_factors(tree.prediction_rule, tree.stats[node])[code])
            interval = proportion_interval(of_class * scale, n_rows, self.confidence)
        return EndNode(
            node=node,
            fraction=step.fraction,
            where=where,
            prediction=prediction,
            probability=probability,
            count=step.count,
            weight=step.weight,
            stats=by_name,
            interval=interval,
            rows=rows,
            arithmetic=arithmetic,
        )


def training_rows_at(tree: Tree, rows: Dataset, nodes: Sequence[int], n: int) -> list[tuple[int, ...]]:
    """Return the first n training rows at each of these nodes, none of which is above another, by index.

    Rows of weight 0 are at none. Only the part of the tree that leads to the nodes is routed.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> table = np.array([[0, 70.0, 0], [1, 80.0, 0], [0, 90.0, 0], [0, 65.0, 1]])
    >>> training_rows_at(tree, Dataset(tree.schema, table, np.zeros(4, np.int32)), [4, 2], 20)
    [(0, 3), (1,)]
    """
    on_path = np.zeros(tree.n_nodes, bool)
    for node in nodes:
        above = int(tree.parent[node])
        while above >= 0 and not on_path[above]:
            on_path[above] = True
            above = int(tree.parent[above])
    part = collapse_nodes(tree, ~on_path)
    part_node = {origin: i for i, origin in enumerate(part.origin.tolist())}
    ends = [part_node[node] for node in nodes]
    values = prepare_values(part.tree, rows.values)
    end, several = route_rows(part.tree, values, AS_GROWN)
    starts = end[several]
    end[several] = -1
    reached = [end == i for i in ends]
    for routes in route_fractional_rows(part.tree, values, AS_GROWN.unseen, several, starts):
        row_of_node = np.repeat(routes.rows, routes.counts)
        for i, rows_here in zip(ends, reached, strict=True):
            rows_here[row_of_node[routes.nodes == i]] = True
    if rows.weight is not None:
        reached = [rows_here & (rows.weight > 0) for rows_here in reached]
    return [tuple(np.flatnonzero(rows_here)[:n].tolist()) for rows_here in reached]
