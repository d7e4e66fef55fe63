"""Stability: how often the splits of a tree return when its training rows are resampled.

What comes in: a tree, its training rows, and a function that grows and prunes a tree as this one was. What goes out: a
`Stability`: for each split how often its column, and the same split, returns at the same position, where its threshold
is in the resamples, and what is there instead; how often each column is used; the sizes of the trees; and how often
their predictions agree with those of this tree.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset
from treewright.data.folds import order_rows
from treewright.deprecation import DeprecatedAlias, with_old_keys
from treewright.errors import one_of
from treewright.explain.stability_text import N_SHOWN, TABLES, as_frame, as_html, as_text
from treewright.language import messages
from treewright.model.formatting import display_value, read_limit
from treewright.model.json_values import to_json_value
from treewright.model.split import split_of
from treewright.model.tree import Tree
from treewright.model.tree_text import path_texts
from treewright.predict.predictions import predict_class_codes, predict_numbers

QUANTILES = (0.05, 0.5, 0.95)
"""The quantiles of the thresholds that are given."""

MAX_DRAWN = 2**24
"""Up to this many rows are drawn one by one; of more, only how many copies of each are drawn."""


@dataclass(frozen=True, slots=True)
class SplitStability:
    """How often one split of the tree returns; every proportion is of all resamples.

    node      its number
    where     the path to it, as text
    column    the column it splits on
    branches  the conditions of its branches
    place     how often there is such a node: the same columns and branches on the path to it
    returns   how often that node splits on the same column
    question  how often it has the same split: the same categories together; of a number, at any threshold
    cut       the threshold of a number or ordered category in the tree; None for others
    cuts      the threshold in the resamples that have the same split: its 5 %, 50 % and 95 % quantiles; None if there
              is none
    others    the columns that are split on there instead, each with its proportion, the most frequent first
    leaf      how often there is a leaf instead
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
    """How often a column is used: splits in the tree, proportion of resamples that use it, and mean splits there."""

    name: str
    n_splits: int
    proportion: float
    mean_splits: float

    share = DeprecatedAlias("proportion")


@dataclass(frozen=True, slots=True)
class Stability:
    """How often the splits of a tree return when its training rows are resampled; print it, or read its attributes.

    Attributes
    ----------
    n : int
        Number of resamples.
    seed : int
        Their random seed.
    n_rows : int
        Rows they were drawn from.
    splits : tuple of SplitStability
        One for each split of the tree.
    columns : tuple of ColumnUse
        In the order of the table.
    n_leaves : int
        Leaves of the tree.
    leaves : tuple of int
        Leaves of the tree of each resample.
    agreement : tuple of float or None
        For each resample, the proportion of the training rows with the same prediction; None for regression.
    difference : tuple of float or None
        For each resample, the root mean squared difference of the predictions for the training rows; None for
        classification.
    language : str
        Language of the text: "en" or "zh".

    Examples
    --------
    >>> from treewright import C45Classifier
    >>> model = C45Classifier(pruning=None).fit([[x, x % 2] for x in range(30)], [x > 9 for x in range(30)])
    >>> report = model.stability(n=10)
    >>> report.splits[0].returns, report.columns[1].proportion, report.leaves[:3]
    (1.0, 0.0, (2, 2, 2))
    """

    n: int
    seed: int
    n_rows: int
    splits: tuple[SplitStability, ...]
    columns: tuple[ColumnUse, ...]
    n_leaves: int
    leaves: tuple[int, ...]
    agreement: tuple[float, ...] | None
    difference: tuple[float, ...] | None
    language: str = "en"

    def to_text(self, max_rows: int | None = None) -> str:
        """Return the report as text.

        Parameters
        ----------
        max_rows : int or None, default=None
            How many splits and columns are listed, those with most weight and those most used; None: all.
        """
        return as_text(self, read_limit("max_rows", max_rows))

    def to_frame(self, table: str = "splits") -> Any:
        """Return a pandas data frame, or a polars one if pandas is not installed.

        Parameters
        ----------
        table : {"splits", "columns"}, default="splits"
            A row for each split of the tree, or for each column.
        """
        return as_frame(self, one_of("table", table, TABLES))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as values that JSON can hold."""
        document: dict[str, Any] = to_json_value(self)
        del document["language"]
        return with_old_keys(document, {"proportion": "share"})

    def to_html(self) -> str:
        """Return the report as HTML for a page or a notebook."""
        return as_html(self, None)

    def __str__(self) -> str:
        return as_text(self, N_SHOWN)

    def _repr_html_(self) -> str:
        return as_html(self, N_SHOWN)


@dataclass(slots=True)
class _Tally:
    """What was found at one node over the resamples; `columns` counts the columns it splits on, -1 for a leaf."""

    columns: Counter[int] = field(default_factory=Counter)
    n_same: int = 0
    cuts: list[float] = field(default_factory=list)


def stability(
    tree: Tree,
    rows: Dataset,
    regrow: Callable[[Dataset, Dataset], Tree],
    *,
    n: int = 100,
    seed: int = 0,
    tell: Callable[[int], None] = lambda _: None,
    language: str = "en",
) -> Stability:
    """Count how often the splits of the tree return in n resamples of its rows.

    regrow    grows and prunes a tree as this one was, from a resample and the rows it left out
    tell      is called after each resample with the number that are done
    language  of the text: "en" or "zh"

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> rows = Dataset(tree.schema, np.array([[0, 70.0, 0], [1, 80, 0], [2, 90, 1]]), np.array([1, 1, 0]))
    >>> stability(tree, rows, lambda drawn, left_out: tree, n=3).splits[0].question
    1.0
    """
    messages(language)
    resamples = Resamples(rows, seed)
    drawn_from = resamples.rows
    tallies = {node: _Tally() for node in np.flatnonzero(tree.n_children).tolist()}
    used = np.zeros((n, tree.schema.n_columns), np.int64)
    own = _predict(tree, drawn_from)
    leaves, agreement = [], []
    for i in range(n):
        other = regrow(*resamples.draw(i))
        for pair in matching_nodes(tree, other):
            tally, column = tallies[pair.node], int(other.column[pair.other])
            tally.columns[column] += 1
            tally.n_same += pair.same_split
            if pair.same_split and np.isfinite(other.threshold[pair.other]):
                tally.cuts.append(float(other.threshold[pair.other]))
        used[i] = _splits_by_column(other)
        leaves.append(other.n_leaves)
        agreement.append(_agreement(own, _predict(other, drawn_from), drawn_from.weight))
        tell(i + 1)
    is_number = tree.schema.target.is_number
    return Stability(
        n=n,
        seed=seed,
        n_rows=resamples.n_rows,
        splits=tuple(_splits(tree, tallies, n, language)),
        columns=tuple(_columns(tree, used)),
        n_leaves=tree.n_leaves,
        leaves=tuple(leaves),
        agreement=None if is_number else tuple(agreement),
        difference=tuple(agreement) if is_number else None,
        language=language,
    )


def _predict(tree: Tree, rows: Dataset) -> NDArray[Any]:
    predict = predict_numbers if tree.schema.target.is_number else predict_class_codes
    return predict(tree, rows.values)


def _agreement(own: NDArray[Any], other: NDArray[Any], weight: NDArray[np.float64] | None) -> float:
    """Return the proportion of equal classes, or the root mean squared difference of numbers."""
    if own.dtype.kind != "f":
        return float(np.average(own == other, weights=weight))
    return float(np.sqrt(np.average((own - other) ** 2, weights=weight)))


def _splits_by_column(tree: Tree) -> NDArray[np.int64]:
    return np.bincount(tree.column[tree.column >= 0], minlength=tree.schema.n_columns)


def _splits(tree: Tree, tallies: dict[int, _Tally], n: int, language: str) -> list[SplitStability]:
    names, found = tree.schema.names, []
    for (node, tally), where in zip(tallies.items(), path_texts(tree, tallies, language), strict=True):
        split = split_of(tree, node)
        assert split is not None
        column = int(tree.column[node])
        others = sorted((-times, f) for f, times in tally.columns.items() if f not in (-1, column))
        found.append(
            SplitStability(
                node=node,
                where=where,
                column=split.name,
                branches=tuple(split.branch_words(b, language) for b in range(split.n_branches)),
                place=tally.columns.total() / n,
                returns=tally.columns[column] / n,
                question=tally.n_same / n,
                cut=_cut(tree, column, float(tree.threshold[node])),
                cuts=_cuts(tree, column, tally.cuts),
                others=tuple((names[f], -times / n) for times, f in others),
                leaf=tally.columns[-1] / n,
                weight=float(tree.weight[node]),
            )
        )
    return found


def _cut(tree: Tree, position: int, threshold: float) -> Any:
    """Return a threshold as the user writes it: for an ordered category the last one below it; None if infinite."""
    if not np.isfinite(threshold):
        return None
    return display_value(tree.schema.columns[position], threshold)


def _cuts(tree: Tree, position: int, found: list[float]) -> tuple[Any, Any, Any] | None:
    if not found:
        return None
    low, middle, high = np.quantile(found, QUANTILES, method="inverted_cdf").tolist()
    return _cut(tree, position, low), _cut(tree, position, middle), _cut(tree, position, high)


def _columns(tree: Tree, used: NDArray[np.int64]) -> list[ColumnUse]:
    own, proportion, mean = _splits_by_column(tree), (used > 0).mean(axis=0), used.mean(axis=0)
    columns = zip(tree.schema.names, own.tolist(), proportion.tolist(), mean.tolist(), strict=True)
    return [ColumnUse(*one) for one in columns]


@dataclass(frozen=True, slots=True)
class NodePair:
    """A node of the first tree, and the node of the second tree at the same position.

    node, other  their numbers
    same_column  whether both split on the same column
    same_split   and in the same way: the same categories together; of a number, at any threshold
    """

    node: int
    other: int
    same_column: bool
    same_split: bool


def matching_nodes(first: Tree, second: Tree) -> Iterator[NodePair]:
    """Yield the inner nodes of the first tree that match a node of the second, each before those below it.

    Two nodes match if the paths to them have the same columns and the same branches. Of a number the same branch is the
    same side of the threshold, wherever that is. Of a category it is the branch with more than half of the categories
    in common, of those that either of the two has among the categories that both nodes met; so no branch has two
    matches.

    >>> from treewright.model.build import golf_example
    >>> [(pair.node, pair.other, pair.same_split) for pair in matching_nodes(golf_example(), golf_example())]
    [(0, 0, True), (3, 3, True), (1, 1, True)]
    """
    waiting = [(0, 0)]
    while waiting:
        node, other = waiting.pop()
        if first.n_children[node] == 0:
            continue
        same_column = bool(first.column[node] == second.column[other])
        same_split, branches = _compare(first, node, second, other) if same_column else (False, [])
        yield NodePair(node, other, same_column, same_split)
        here, there = int(first.first_child[node]), int(second.first_child[other])
        waiting += [(here + a, there + b) for a, b in branches]


def _compare(first: Tree, node: int, second: Tree, other: int) -> tuple[bool, list[tuple[int, int]]]:
    """Return whether two nodes that split on the same column have the same split, and the pairs of same branches."""
    cuts = float(first.threshold[node]), float(second.threshold[other])
    if np.isnan(cuts[0]) != np.isnan(cuts[1]) or np.isinf(cuts[0]) != np.isinf(cuts[1]):
        return False, []
    if not np.isnan(cuts[0]):
        n_branches = min(int(first.n_children[node]), int(second.n_children[other]))
        return True, [(b, b) for b in range(n_branches)]
    same, branches = _compare_tables(*_table(first, node), *_table(second, other))
    own = _only_missing(first, node), _only_missing(second, other)
    if own[0] is not None and own[1] is not None:
        branches.append((own[0], own[1]))
    return same, branches


def _table(tree: Tree, node: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    own = slice(tree.table_start[node], tree.table_start[node + 1])
    return tree.table_code[own], tree.table_branch[own]


def _compare_tables(
    codes: NDArray[np.int32], branch: NDArray[np.int32], other_codes: NDArray[np.int32], other: NDArray[np.int32]
) -> tuple[bool, list[tuple[int, int]]]:
    """Return whether the categories that both nodes have are grouped alike, and the pairs of same branches."""
    _, at, at_other = np.intersect1d(codes, other_codes, assume_unique=True, return_indices=True)
    if not len(at):
        return False, []
    pairs, n_common = np.unique(np.stack([branch[at], other[at_other]]), axis=1, return_counts=True)
    n_here, n_there = np.bincount(branch[at])[pairs[0]], np.bincount(other[at_other])[pairs[1]]
    n_branches = len(np.unique(pairs[0])), len(np.unique(pairs[1]))
    alike = pairs.shape[1] == n_branches[0] == n_branches[1] and n_branches[0] > 1
    most = 2 * n_common > n_here + n_there - n_common
    return alike, [(int(a), int(b)) for a, b in pairs[:, most].T]


def _only_missing(tree: Tree, node: int) -> int | None:
    """Return the branch of missing values only; None if there is none."""
    split = split_of(tree, node) if tree.strategy.adds_branch else None
    return None if split is None else split.only_missing


class Resamples:
    """Resamples of a dataset, as in the bootstrap of Efron (1979), but a row that is drawn twice counts once.

    As many rows as there are are drawn with replacement, so a resample has about 63 % of them. Copies would count as
    further evidence, above all in pruning, and would give trees several times as large. Rows are drawn from an order
    that does not depend on the order of the table; a row of weight 3 is three rows, unless weights express importance.

    rows    the rows with weight, in the order they are drawn from
    n_rows  how many there are, if whole weights are counts
    """

    def __init__(self, dataset: Dataset, seed: int) -> None:
        dealt = order_rows(dataset)
        self.rows = dealt.dataset.take(dealt.order)
        self.n_rows = dealt.n_units
        self._stops, self._counted, self._seed = dealt.stops, dealt.counted, seed

    def draw(self, i: int) -> tuple[Dataset, Dataset]:
        """Return resample number i, and the rows that it left out; it is the same however many are drawn.

        >>> from treewright.data.schema import Column, Kind, Schema, Target
        >>> schema = Schema((Column("x", Kind.NUMBER),), Target(classes=("a", "b")))
        >>> rows = Dataset(schema, np.arange(6.0)[:, None], np.array([0, 0, 0, 1, 1, 1]))
        >>> drawn, left_out = Resamples(rows, 0).draw(3)
        >>> drawn.values.ravel().tolist(), left_out.values.ravel().tolist()
        ([1.0, 5.0, 3.0, 4.0], [2.0, 0.0])
        """
        drawn = self._drawn(np.random.default_rng((self._seed, i)))
        return self._part(drawn), self._part(np.diff(self._stops, prepend=0) - drawn)

    def _drawn(self, random: np.random.Generator) -> NDArray[np.int64]:
        """Return how many copies of each row are drawn at least once."""
        n = self.n_rows
        if n > MAX_DRAWN:
            return random.binomial(np.diff(self._stops, prepend=0), 1.0 - (1.0 - 1.0 / n) ** n)
        units = np.zeros(n, np.int64)
        units[random.integers(0, n, n)] = 1
        return np.add.reduceat(units, self._stops - np.diff(self._stops, prepend=0))

    def _part(self, times: NDArray[np.int64]) -> Dataset:
        some = np.flatnonzero(times)
        rows = self.rows.take(some)
        return replace(rows, weight=times[some].astype(np.float64)) if self._counted else rows
