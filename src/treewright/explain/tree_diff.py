"""Compare two trees on the same rows: which predictions change, which rows move from leaf to leaf, where splits differ.

What comes in: two trees, the rows encoded for each, and the missing-value policy of each. What goes out: a `TreeDiff`.
The trees may come from different algorithms and know different categories, so they are compared by names.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.language import N_, messages
from treewright.model.formatting import format_category, format_number, join_conditions
from treewright.model.split import Split, split_of
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import find_leaves, predict_class_codes, predict_numbers

ROOT = N_("root")


@dataclass(frozen=True, slots=True, eq=False)
class ComparedTree:
    """One of the two trees, with the rows encoded for it and how it handles missing values."""

    tree: Tree
    values: NDArray[np.float64]
    policy: MissingPolicy

    def predict(self) -> NDArray[Any]:
        """Predict each row: class codes, or numbers."""
        predict = predict_numbers if self.tree.schema.target.is_number else predict_class_codes
        return predict(self.tree, self.values, self.policy)

    def predicted_labels(self) -> list[Any]:
        """Predict each row: classes as the user named them, or numbers."""
        classes = self.tree.schema.target.classes
        predictions = self.predict().tolist()
        return predictions if classes is None else [classes[code] for code in predictions]

    def path(self, node: int, language: str = "en") -> str:
        """Return all conditions from the root to a node, as text."""
        if node == 0:
            return messages(language)(ROOT)
        return join_conditions([words for _, words in self.tree.node(node).path(language)], language)


@dataclass(frozen=True, slots=True, eq=False)
class LeafMove:
    """Rows that move from a leaf of the old tree to a leaf of the new tree.

    old_leaf, new_leaf              node numbers
    old_prediction, new_prediction  classes, or the means of the predicted numbers
    changed                         whether the prediction changes
    rows                            row indices
    """

    old_leaf: int
    new_leaf: int
    old_prediction: Any
    new_prediction: Any
    changed: bool
    rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Difference:
    """The end of a path that both trees have: what each tree does there, and the weight of the training rows."""

    path: str
    old: str
    new: str
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class TreeDiff:
    """What changes between two trees.

    old, new     the two trees
    moves        rows by leaves, those with a changed prediction first, then most rows first
    differences  where the trees differ, most training rows first; empty if all splits are the same
    changed      whether the prediction of each row changes
    shift        new number minus old number, for each row; None for classes
    language     the language of all texts
    """

    old: ComparedTree
    new: ComparedTree
    moves: tuple[LeafMove, ...]
    differences: tuple[Difference, ...]
    changed: NDArray[np.bool_]
    shift: NDArray[np.float64] | None
    language: str = "en"

    @property
    def n_rows(self) -> int:
        return len(self.changed)

    @property
    def n_changed(self) -> int:
        return int(self.changed.sum())

    def predictions(self) -> tuple[list[Any], list[Any]]:
        """Return the old and the new prediction of each row."""
        return self.old.predicted_labels(), self.new.predicted_labels()

    def sentence(self) -> str:
        """Return one sentence that says how much changes.

        >>> from treewright.model.build import golf_example
        >>> tree = ComparedTree(golf_example(), np.array([[0, 70.0, 0]]), MissingPolicy())
        >>> diff_trees(tree, tree).sentence()
        'The trees have the same splits, and no prediction changes in 1 row.'
        """
        _ = messages(self.language)
        rows = _.plural("{n} row", "{n} rows", self.n_rows, n=f"{self.n_rows:,}")
        splits = self._splits_text()
        if not self.n_changed:
            return _("{splits}, and no prediction changes in {rows}.", splits=splits, rows=rows)
        values = {
            "splits": splits,
            "n": f"{self.n_changed:,}",
            "rows": rows,
            "percent": f"{100 * self.n_changed / self.n_rows:.3g}",
        }
        if self.shift is None:
            return _("{splits}; the prediction changes for {n} of {rows} ({percent}%).", **values)
        size = np.abs(self.shift)
        return _(
            "{splits}; the prediction changes for {n} of {rows} ({percent}%), by {mean} on average over all rows and "
            "by at most {most}.",
            **values,
            mean=f"{size.mean():.4g}",
            most=f"{size.max():.4g}",
        )

    def _splits_text(self) -> str:
        """Return the beginning of the sentence: whether and where the splits differ."""
        _ = messages(self.language)
        n = len(self.differences)
        if not n:
            return _("The trees have the same splits")
        if self.differences[0].path == _(ROOT):  # nothing below the root is compared
            return _("The trees differ at the root")
        return _.plural("The trees differ in {n} place", "The trees differ in {n} places", n)


def diff_trees(old: ComparedTree, new: ComparedTree, language: str = "en") -> TreeDiff:
    """Compare two trees on the same rows; the texts of the result are in `language`.

    >>> from treewright.model.build import golf_example
    >>> tree, policy = golf_example(), MissingPolicy()
    >>> old = ComparedTree(tree, np.array([[0, 70.0, 0], [0, 90.0, 0]]), policy)
    >>> new = ComparedTree(tree, np.array([[0, 70.0, 0], [0, 60.0, 0]]), policy)
    >>> [(move.old_leaf, move.new_leaf, move.changed, move.rows.tolist()) for move in diff_trees(old, new).moves]
    [(5, 4, True, [1]), (4, 4, False, [0])]
    """
    check_comparable(old.tree, new.tree)
    shift = None
    if old.tree.schema.target.is_number:
        before, after = old.predict(), new.predict()
        shift = after - before
    else:
        before, after = _common_codes(old, new)
    changed = before != after
    differences = tuple(sorted(_find_differences(old, new, language), key=lambda one: -one.weight))
    moves = tuple(_find_moves(old, new, before, after))
    return TreeDiff(old, new, moves, differences, changed, shift, language)


def check_comparable(old: Tree, new: Tree) -> None:
    """Raise an InputError for two trees whose predictions cannot be compared."""
    targets = old.schema.target, new.schema.target
    kinds = ["numbers" if target.is_number else "classes" for target in targets]
    if kinds[0] != kinds[1]:
        raise InputError(
            f"The old model predicts {kinds[0]} and the new model predicts {kinds[1]}; compare two classifiers or two "
            "regressors."
        )
    classes = [{format_category(one) for one in target.classes or ()} for target in targets]
    if classes[0] and not classes[0] & classes[1]:
        shown = [", ".join(map(repr, sorted(some)[:4])) for some in classes]
        raise InputError(
            f"The models have no class in common: the old model predicts {shown[0]}, the new model {shown[1]}; compare "
            "two models of the same target."
        )


def _common_codes(old: ComparedTree, new: ComparedTree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Predict with both trees in the class codes of the old tree; classes that only the new tree has come last."""
    code: dict[str, int] = {}
    found = []
    for side in (old, new):
        own = [code.setdefault(format_category(one), len(code)) for one in side.tree.schema.target.classes or ()]
        found.append(np.array(own, np.int64)[side.predict()])
    return found[0], found[1]


def _find_moves(old: ComparedTree, new: ComparedTree, before: NDArray[Any], after: NDArray[Any]) -> list[LeafMove]:
    """Group the rows by their old and new leaf, and by their predictions if these are classes."""
    is_number, changed = old.tree.schema.target.is_number, before != after
    if not len(changed):
        return []
    leaf = [find_leaves(side.tree, side.values, side.policy) for side in (old, new)]
    keys = [leaf[0], leaf[1], changed.astype(np.int64), *([] if is_number else [before, after])]
    labels: tuple[Any, Any] = (before, after) if is_number else (old.predicted_labels(), new.predicted_labels())
    _, group = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    moves = []
    for rows in np.split(order, np.flatnonzero(np.diff(group.ravel()[order])) + 1):
        first = int(rows[0])
        old_prediction, new_prediction = (float(side[rows].mean()) if is_number else side[first] for side in labels)
        leaves = int(leaf[0][first]), int(leaf[1][first])
        moves.append(LeafMove(*leaves, old_prediction, new_prediction, bool(changed[first]), rows))
    return sorted(moves, key=lambda move: (not move.changed, -len(move.rows), move.old_leaf, move.new_leaf))


def _find_differences(old: ComparedTree, new: ComparedTree, language: str) -> Iterator[Difference]:
    """Yield where the splits differ, at the end of a path that is the same in both trees."""
    waiting: list[tuple[int, int]] = [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        first, second = split_of(old.tree, i), split_of(new.tree, j)
        if first is None and second is None:
            continue
        pairs = None if first is None or second is None else _same_branches(first, second, old.values)
        if pairs is None:
            weight = float(old.tree.weight[i])
            described = _describe(old.tree, i, first, language), _describe(new.tree, j, second, language)
            yield Difference(old.path(i, language), *described, weight)
        else:
            old_child, new_child = int(old.tree.first_child[i]), int(new.tree.first_child[j])
            waiting += [(old_child + a, new_child + b) for a, b in reversed(pairs)]


def _same_branches(first: Split, second: Split, values: NDArray[np.float64]) -> list[tuple[int, int]] | None:
    """Return the pairs of branches of two splits that are the same; None if the splits differ.

    Two thresholds without a row between them are the same split: C4.5 splits at a value of the table, CART halfway
    between two values.
    """
    if first.name != second.name or first.n_branches != second.n_branches:
        return None
    if first.threshold is not None and second.threshold is not None and first.kind is second.kind is Kind.NUMBER:
        cells, (low, high) = values[:, first.position], sorted([first.threshold, second.threshold])
        if first.only_missing != second.only_missing or ((cells > low) & (cells <= high)).any():
            return None
        return [(branch, branch) for branch in range(first.n_branches)]
    keys = [_branch_keys(first), _branch_keys(second)]
    if set(keys[0]) != set(keys[1]):
        return None
    return [(branch, keys[1].index(key)) for branch, key in enumerate(keys[0])]


def _branch_keys(split: Split) -> list[object]:
    """Return what takes each branch, in a form that does not depend on codes."""
    if split.threshold is not None and split.kind is Kind.NUMBER:
        return [(split.threshold, branch) for branch in range(split.n_branches)]
    return [
        (frozenset(map(format_category, split.categories(branch))), split.only_missing == branch)
        for branch in range(split.n_branches)
    ]


def _describe(tree: Tree, node: int, split: Split | None, language: str) -> str:
    """Return what a tree does at a node: its split or its prediction."""
    _ = messages(language)
    if split is not None:
        words = split.branch_words(0, language) if split.n_branches == 2 else split.name
        return _("splits on {split}", split=words)
    view = tree.node(node)
    if tree.schema.target.is_number:
        return _("predicts {prediction}", prediction=format_number(float(f"{view.value:.6g}")))
    return _("predicts {prediction}", prediction=format_category(view.majority))
