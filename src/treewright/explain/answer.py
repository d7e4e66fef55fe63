"""Answer: why one row gets its answer.

In: a tree, a row in its codes and the rule it is answered by; where they are at hand, the training rows and the reports
of pruning. Out: an `Explanation`: the answer, the way to it in words, the rows behind it, how sure they make it, what
would alter it, and what it was before pruning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.encode import Encoded
from treewright.explain.answer_page import as_dict, as_html, as_text
from treewright.explain.before import Before, Report, answer_of, before_pruning
from treewright.explain.behind import rows_behind
from treewright.explain.change import Change, nearest_changes
from treewright.explain.interval import Interval, mean_interval, share_interval
from treewright.explain.reckoned import costs_by_class, reckoned
from treewright.explain.steps import Step, read_cells, steps, way
from treewright.model.answering import unaltered
from treewright.model.tree import Tree
from treewright.model.way import N_STEPS
from treewright.predict.ends import readable
from treewright.predict.rule import Rule

N_ROWS = 20
"""Training rows listed behind a leaf."""

N_LISTED = 10
"""Leaves whose training rows are listed, where a row comes to many."""


@dataclass(frozen=True, slots=True)
class End:
    """A node where a way of the row ends: a leaf, or the node that asked for what is missing.

    node      its number
    share     the part of the row that ends here
    where     the last steps of the way to it, in words
    answer    what it says: its likeliest class, or with costs its cheapest one; its number
    answer_share  the probability of the class that the row is answered with; None for regression
    count     training rows behind it, with all of their weight or some of it
    weight    that weight
    stats     by class, its weight; for regression the mean (or median) and the loss
    interval  for the share of the class that the row is answered with, or for the mean; None where there is none
    rows      the first of these rows, by their places among the rows the tree was grown on; None where they are not
              at hand, or where the row ends in many nodes and this is not one of the heaviest
    reckoned  how `answer_share` came about, such as "(9 + 1) / (14 + 2) = 62.5%"; None where it is the plain share
    """

    node: int
    share: float
    where: str
    answer: Any
    answer_share: float | None
    count: int
    weight: float
    stats: Mapping[Any, float]
    interval: Interval | None
    rows: tuple[int, ...] | None
    reckoned: str | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a row gets its answer; print it, or read its fields.

    answer      the class, or the number, that `predict` gives
    shares      of all classes, as `predict_proba` gives them; None for regression
    row         what the row has, by column; None where it is missing
    steps       every node that the row comes to, each before its branches
    ends        where its ways end, most of the row first; one unless a missing value shared it out
    changes     the nearest changes of one value that alter the answer, nearest first
    before      the answers before pruning, one for each pruning; none where nothing was pruned
    confidence  of the intervals
    looked      whether changes were looked for
    criterion   what the tree was grown by
    target      the name of the target
    costs       what each answer costs on average, by class; None where no costs were given

    >>> from treewright import C45Classifier
    >>> X = [["sunny", 70], ["sunny", 90], ["rain", 80], ["rain", 75], ["sunny", 85], ["sunny", 65]]
    >>> model = C45Classifier().fit(X, ["play", "stay", "play", "play", "stay", "play"])
    >>> found = model.explain(["sunny", 72])
    >>> found.answer, found.ends[0].where, found.ends[0].rows, found.changes[0].words
    ('play', 'x1 <= 80', (0, 2, 3, 5), 'x1 > 80 (now 72)')
    """

    answer: Any
    shares: Mapping[Any, float] | None
    row: Mapping[str, Any]
    steps: tuple[Step, ...]
    ends: tuple[End, ...]
    changes: tuple[Change, ...]
    before: tuple[Before, ...]
    confidence: float
    looked: bool
    criterion: str
    target: str
    costs: Mapping[Any, float] | None = None

    def to_text(self) -> str:
        """The explanation for a terminal."""
        return as_text(self)

    def to_html(self) -> str:
        """The explanation for a page or a notebook: paragraphs and tables."""
        return as_html(self)

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain Python that JSON can hold; what is told by class is a list of pairs."""
        return as_dict(self)

    def __str__(self) -> str:
        return as_text(self)

    def _repr_html_(self) -> str:
        return as_html(self)


@dataclass(frozen=True, slots=True, eq=False)
class Around:
    """What is known besides the tree.

    rows     the rows it was grown on, None where they are not at hand
    spread   highest less lowest value of each column among them, None where that is not known
    unit     the weight that counts as one row
    reports  of pruning, the last one first
    """

    rows: Dataset | None = None
    spread: NDArray[np.float64] | None = None
    unit: float = 1.0
    reports: Sequence[Report] = ()


def explain(
    tree: Tree, encoded: Encoded, rule: Rule, around: Around, *, confidence: float = 0.95, n_changes: int = 3
) -> Explanation:
    """Why the tree answers a row as it does.

    encoded     a table of one row
    confidence  of the intervals
    n_changes   how many changes are looked for, at most one for each column

    >>> from treewright.model.build import golf_example
    >>> found = explain(golf_example(), Encoded(np.array([[0, np.nan, 1]])), Rule("fractional"), Around())
    >>> found.answer, [step.node for step in found.steps], [end.share for end in found.ends]
    ("Don't Play", [0, 1, 4, 5], [0.6, 0.4])
    """
    values = readable(tree, encoded.values)
    cells = read_cells(tree.schema.columns, values[0], {one.column: one.value for one in encoded.unseen})
    answer, by_class = answer_of(tree, values, rule)
    found = way(tree, values, rule)
    before, earlier = [], found
    for report in around.reports:
        one, nodes = before_pruning(report, values, rule, earlier, answer, tree.answering)
        earlier = nodes, earlier[1]
        before.append(one)
    on_the_way = steps(tree, cells, found, rule)
    return Explanation(
        answer=answer,
        shares=by_class,
        row={column.name: cell.value for column, cell in zip(tree.schema.columns, cells, strict=True)},
        steps=tuple(on_the_way),
        ends=tuple(_ends(tree, on_the_way, around, (confidence, answer))),
        changes=tuple(nearest_changes(tree, values, cells, rule, around.spread, n_changes)),
        before=tuple(before),
        confidence=confidence,
        looked=n_changes > 0,
        criterion=tree.criterion,
        target=tree.schema.target.name,
        costs=None if by_class is None else costs_by_class(tree, np.array(list(by_class.values()))),
    )


def _ends(tree: Tree, on_the_way: Sequence[Step], around: Around, asked: tuple[float, Any]) -> list[End]:
    """Where the ways of the row end, most of the row first, then by number; `asked` are confidence and answer."""
    came_by = {taken.node: taken.words for step in on_the_way for taken in step.takes}
    found = sorted((step for step in on_the_way if not step.takes), key=lambda step: (-step.share, step.node))
    listed: list[tuple[int, ...] | None] = [None] * len(found)
    if around.rows is not None:
        shown = [step.node for step in found[:N_LISTED]]
        listed[: len(shown)] = rows_behind(tree, around.rows, shown, N_ROWS)
    return [
        _end(tree, step, _where(tree, step.node, came_by), rows, (around.unit, *asked))
        for step, rows in zip(found, listed, strict=True)
    ]


def _where(tree: Tree, node: int, came_by: Mapping[int, str]) -> str:
    """The last steps of the way to a node, as `treewright.model.way` writes them."""
    words: list[str] = []
    while node in came_by:
        if len(words) == N_STEPS:
            words.append("…")
            break
        words.append(came_by[node])
        node = int(tree.parent[node])
    return " and ".join(words[::-1]) or "root"


def worth(tree: Tree, node: int, unit: float) -> float:
    """How many rows the weight of a node stands for; weights that are importances make no more rows than there are."""
    n_rows, are_copies = _weight(tree, node) / unit, unit == 1.0 and tree.weight[0] > tree.count[0] + 0.5
    return n_rows if are_copies else min(n_rows, float(tree.count[node]))


def _weight(tree: Tree, node: int) -> float:
    """The weight of a node, without what costs made of it in growth."""
    if tree.answering.factors is None:
        return float(tree.weight[node])
    return float(unaltered(tree.answering, tree.stats[node]).sum())


def _end(
    tree: Tree, step: Step, where: str, rows: tuple[int, ...] | None, asked: tuple[float, float, Any]
) -> End:
    node, (unit, confidence, of) = step.node, asked
    stats, n_rows = tree.stats[node].tolist(), worth(tree, node, unit)
    scale = n_rows / _weight(tree, node) if n_rows else 0.0
    classes = tree.schema.target.classes
    by_name: Mapping[Any, float]
    answer: Any
    share_here, how = None, None
    if classes is None:
        by_name = {"value": stats[1], "loss": stats[2]}
        answer, interval = float(tree.value[node, 0]), None
        if not tree.by_median:
            interval = mean_interval(answer, stats[2] * scale, n_rows, confidence)
    else:
        code = classes.index(of)
        by_name, answer = dict(zip(classes, stats, strict=True)), classes[tree.answers[node]]
        share_here, how = float(tree.value[node, code]), reckoned(tree, node, code)
        by_class = unaltered(tree.answering, tree.stats[node])
        interval = share_interval(float(by_class[code]) * scale, n_rows, confidence)
    return End(
        node=node,
        share=step.share,
        where=where,
        answer=answer,
        answer_share=share_here,
        count=step.count,
        weight=step.weight,
        stats=by_name,
        interval=interval,
        rows=rows,
        reckoned=how,
    )
