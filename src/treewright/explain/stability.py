"""Stability: how often the splits of a tree return when its rows are drawn again.

In: a tree, the rows it was grown on, and a way to grow and prune. Out: a `Stability`: for each split how often its
column, and the whole question, is asked again in the same place, where its cut comes to lie, and what is asked instead;
how often each column is used at all; how large the trees are, and how often they answer as this one does.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.schema import Kind
from treewright.errors import one_of
from treewright.explain.places import same_places
from treewright.explain.resample import Resamples
from treewright.explain.stability_page import N_SHOWN, TABLES, as_frame, as_html, as_text
from treewright.model.limit import read_limit
from treewright.model.plain import plain
from treewright.model.split import split_of
from treewright.model.tree import Tree
from treewright.model.way import ways
from treewright.predict.answers import class_codes, numbers

LIMITS = (0.05, 0.5, 0.95)
"""The parts of the resamples whose cuts lie below the three cuts that are given."""


@dataclass(frozen=True, slots=True)
class SplitReturns:
    """How often one split of the tree returns; every share is of all resamples.

    node      its number
    where     the way to it in words
    column    the column it asks for
    branches  its branches in words
    place     how often there is such a place: the same way of columns and branches above it
    returns   how often the same column is asked there
    question  how often the whole question is asked there: the same categories together; of a number, at any cut
    cut       of a number or ordered category, in the tree; None for others
    cuts      the cut in the resamples that ask for the column there: 5 % are not above the first, half not above the
              second, 95 % not above the third; None where there is none
    others    the columns asked there instead, each with its share, the most frequent first
    leaf      how often nothing is asked there
    weight    of the training rows at the node
    """

    node: int
    where: str
    column: str
    branches: tuple[str, ...]
    place: float
    returns: float
    question: float
    cut: Any
    cuts: tuple[Any, Any, Any] | None
    others: tuple[tuple[str, float], ...]
    leaf: float
    weight: float


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """How often a column is used: splits in the tree, share of the resamples that use it, and mean splits there."""

    name: str
    n_splits: int
    share: float
    mean_splits: float


@dataclass(frozen=True, slots=True)
class Stability:
    """How often the splits of a tree return when its rows are drawn again; print it, or read its fields.

    n           resamples
    seed        they were drawn with
    n_rows      rows they were drawn from
    splits      a `SplitReturns` for each split of the tree
    columns     a `ColumnUse` for each column, in the order of the table
    n_leaves    of the tree
    leaves      of the tree of each resample
    agreement   for each resample, the share of the training rows that get the same answer; None for regression
    difference  for each resample, the root mean square by which the answers to the training rows differ; None for
                classification

    >>> from treewright import C45Classifier
    >>> model = C45Classifier(pruning=None).fit([[x, x % 2] for x in range(30)], [x > 9 for x in range(30)])
    >>> report = model.stability(n=10)
    >>> report.splits[0].returns, report.columns[1].share, report.leaves[:3]
    (1.0, 0.0, (2, 2, 2))
    """

    n: int
    seed: int
    n_rows: int
    splits: tuple[SplitReturns, ...]
    columns: tuple[ColumnUse, ...]
    n_leaves: int
    leaves: tuple[int, ...]
    agreement: tuple[float, ...] | None
    difference: tuple[float, ...] | None

    def to_text(self, max_rows: int | None = None) -> str:
        """The report for a terminal.

        max_rows  how many splits and columns are listed, those of most weight and those most used; None is all
        """
        return as_text(self, read_limit("max_rows", max_rows, "number of rows"))

    def to_frame(self, table: str = "splits") -> Any:
        """A data frame of pandas, or of polars where pandas is not installed.

        table  "splits": a row for each split of the tree; "columns": a row for each column
        """
        return as_frame(self, one_of("table", table, TABLES))

    def to_dict(self) -> dict[str, Any]:
        """All of it in plain Python that JSON can hold."""
        made: dict[str, Any] = plain(self)
        return made

    def to_html(self) -> str:
        """The report for a page or a notebook."""
        return as_html(self, None)

    def __str__(self) -> str:
        return as_text(self, N_SHOWN)

    def _repr_html_(self) -> str:
        return as_html(self, N_SHOWN)


@dataclass(slots=True)
class _Tally:
    """What was found in one place, over the resamples; `asked` counts columns, -1 where nothing is asked."""

    asked: Counter[int] = field(default_factory=Counter)
    n_questions: int = 0
    cuts: list[float] = field(default_factory=list)


def stability(
    tree: Tree,
    rows: Dataset,
    regrow: Callable[[Dataset, Dataset], Tree],
    *,
    n: int = 100,
    seed: int = 0,
    tell: Callable[[int], None] = lambda _: None,
) -> Stability:
    """How often the splits of the tree return in n resamples of its rows.

    regrow  makes a tree of a resample and the rows it left out, grown and pruned as this one was
    tell    is told after each resample how many are done

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [1, 80, 0], [2, 90, 1]]), np.array([1, 1, 0]))
    >>> stability(tree, rows, lambda drawn, left_out: tree, n=3).splits[0].question
    1.0
    """
    resamples = Resamples(rows, seed)
    drawn_from = resamples.rows
    tallies = {node: _Tally() for node in np.flatnonzero(tree.n_children).tolist()}
    used = np.zeros((n, tree.schema.n_columns), np.int64)
    own = _answers(tree, drawn_from)
    leaves, likeness = [], []
    for i in range(n):
        other = regrow(*resamples.draw(i))
        for pair in same_places(tree, other):
            tally, column = tallies[pair.node], int(other.column[pair.other])
            tally.asked[column] += 1
            tally.n_questions += pair.same_question
            if pair.same_question and np.isfinite(other.threshold[pair.other]):
                tally.cuts.append(float(other.threshold[pair.other]))
        used[i] = _splits_by_column(other)
        leaves.append(other.n_leaves)
        likeness.append(_likeness(own, _answers(other, drawn_from), drawn_from.weight))
        tell(i + 1)
    is_number = tree.schema.target.is_number
    return Stability(
        n=n,
        seed=seed,
        n_rows=resamples.n_rows,
        splits=tuple(_splits(tree, tallies, n)),
        columns=tuple(_columns(tree, used)),
        n_leaves=tree.n_leaves,
        leaves=tuple(leaves),
        agreement=None if is_number else tuple(likeness),
        difference=tuple(likeness) if is_number else None,
    )


def _answers(tree: Tree, rows: Dataset) -> NDArray[Any]:
    answer = numbers if tree.schema.target.is_number else class_codes
    return answer(tree, rows.values)


def _likeness(own: NDArray[Any], other: NDArray[Any], weight: NDArray[np.float64] | None) -> float:
    """The share of equal classes, or the root mean square of the differences of numbers."""
    if own.dtype.kind != "f":
        return float(np.average(own == other, weights=weight))
    return float(np.sqrt(np.average((own - other) ** 2, weights=weight)))


def _splits_by_column(tree: Tree) -> NDArray[np.int64]:
    return np.bincount(tree.column[tree.column >= 0], minlength=tree.schema.n_columns)


def _splits(tree: Tree, tallies: dict[int, _Tally], n: int) -> list[SplitReturns]:
    names, found = tree.schema.names, []
    for (node, tally), where in zip(tallies.items(), ways(tree, tallies), strict=True):
        split = split_of(tree, node)
        assert split is not None
        column = int(tree.column[node])
        others = sorted((-times, f) for f, times in tally.asked.items() if f not in (-1, column))
        found.append(
            SplitReturns(
                node=node,
                where=where,
                column=split.name,
                branches=tuple(split.branch_words(b) for b in range(split.n_branches)),
                place=tally.asked.total() / n,
                returns=tally.asked[column] / n,
                question=tally.n_questions / n,
                cut=_cut(tree, column, float(tree.threshold[node])),
                cuts=_cuts(tree, column, tally.cuts),
                others=tuple((names[f], -times / n) for times, f in others),
                leaf=tally.asked[-1] / n,
                weight=float(tree.weight[node]),
            )
        )
    return found


def _cut(tree: Tree, position: int, threshold: float) -> Any:
    """A threshold as the user writes it: a number, or the last category on its lower side; None where there is none."""
    if not np.isfinite(threshold):
        return None
    column = tree.schema.columns[position]
    return column.categories[int(np.floor(threshold))] if column.kind is Kind.ORDERED else threshold


def _cuts(tree: Tree, position: int, found: list[float]) -> tuple[Any, Any, Any] | None:
    if not found:
        return None
    low, middle, high = np.quantile(found, LIMITS, method="inverted_cdf").tolist()
    return _cut(tree, position, low), _cut(tree, position, middle), _cut(tree, position, high)


def _columns(tree: Tree, used: NDArray[np.int64]) -> list[ColumnUse]:
    own, share, mean = _splits_by_column(tree), (used > 0).mean(axis=0), used.mean(axis=0)
    columns = zip(tree.schema.names, own.tolist(), share.tolist(), mean.tolist(), strict=True)
    return [ColumnUse(*one) for one in columns]
