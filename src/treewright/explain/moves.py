"""Moves: who moves from which leaf to which, when one tree takes the place of another.

In: two trees, the same rows in the codes of each, and the rule each is asked by. Out: `Moves`: the rows whose answer
changes, the ways they took and take, and where the two trees part, from the root on. The trees may be of different
algorithms, and know different categories: they are compared by names.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind
from treewright.errors import InputError
from treewright.model.split import Split, split_of
from treewright.model.tree import Tree
from treewright.model.words import category_words, number_words
from treewright.predict.answers import class_codes, numbers
from treewright.predict.route import leaves
from treewright.predict.rule import Rule


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two: its tree, the rows in its codes, and how it is asked."""

    tree: Tree
    values: NDArray[np.float64]
    rule: Rule

    def answers(self) -> NDArray[Any]:
        """The answer of each row: codes of classes, or numbers."""
        ask = numbers if self.tree.schema.target.is_number else class_codes
        return ask(self.tree, self.values, self.rule)

    def way(self, node: int) -> str:
        """All steps from the root to a node, in words."""
        return " and ".join(words for _, words in self.tree.node(node).path()) or "root"


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """Rows that come from one leaf to another.

    old_leaf, new_leaf      their numbers
    old_answer, new_answer  classes, or the means of the numbers
    changed                 whether the answer is another one
    rows                    the places of the rows
    """

    old_leaf: int
    new_leaf: int
    old_answer: Any
    new_answer: Any
    changed: bool
    rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Parting:
    """Where two trees part: the way that both have in common, and what each does behind it."""

    way: str
    old: str
    new: str
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """What changes between two trees.

    old, new  the two sides
    moves     rows by leaves, those that change their answer first, most rows first
    partings  where the trees part, those of most training rows first; none where they ask the same
    changed   for each row whether its answer changes
    shift     for numbers what the new answer has more than the old one, for each row; None for classes
    """

    old: Side
    new: Side
    moves: tuple[Move, ...]
    partings: tuple[Parting, ...]
    changed: NDArray[np.bool_]
    shift: NDArray[np.float64] | None

    @property
    def n_rows(self) -> int:
        return len(self.changed)

    @property
    def n_changed(self) -> int:
        return int(self.changed.sum())

    def answers(self) -> "tuple[list[Any], list[Any]]":
        """The old and the new answer of each row, in the user's words."""
        return _named(self.old), _named(self.new)

    def sentence(self) -> str:
        """How much changes.

        >>> from treewright.model.build import golf_example
        >>> side = Side(golf_example(), np.array([[0, 70.0, 0]]), Rule())
        >>> moves(side, side).sentence()
        'The trees ask the same, and no answer changes in 1 row.'
        """
        rows = f"{self.n_rows:,} {'row' if self.n_rows == 1 else 'rows'}"
        if not self.partings:
            asked = "The trees ask the same"
        else:
            n = len(self.partings)
            asked = "The trees part at the root" if self.partings[0].way == "root" else "The trees part"
            asked += "" if n == 1 else f" in {n} places"
        if not self.n_changed:
            return f"{asked}, and no answer changes in {rows}."
        share = 100 * self.n_changed / self.n_rows
        found = f"{asked}; {self.n_changed:,} of {rows} ({share:.3g}%) get another answer"
        if self.shift is not None:
            size = np.abs(self.shift)
            found += f", by {size.mean():.4g} in the mean of all rows and {size.max():.4g} at most"
        return f"{found}."


def moves(old: Side, new: Side) -> Moves:
    """Compare what two trees do with the same rows.

    >>> from treewright.model.build import golf_example
    >>> tree = golf_example()
    >>> found = moves(Side(tree, np.array([[0, 70.0, 0], [0, 90.0, 0]]), Rule()), Side(tree, np.array([[0, 70.0, 0],
    ...     [0, 60.0, 0]]), Rule()))
    >>> [(move.old_leaf, move.new_leaf, move.changed, move.rows.tolist()) for move in found.moves]
    [(5, 4, True, [1]), (4, 4, False, [0])]
    """
    refuse_strangers(old.tree, new.tree)
    if old.tree.schema.target.is_number:
        before, after = old.answers(), new.answers()
        changed, shift = before != after, after - before
    else:
        before, after = _common_codes(old, new)
        changed, shift = before != after, None
    leaf = [leaves(side.tree, side.values, side.rule) for side in (old, new)]
    found = _grouped(leaf, (before, after), changed, _namer(old, shift), _namer(new, shift))
    partings = sorted(_partings(old, new), key=lambda one: -one.weight)
    return Moves(old, new, tuple(found), tuple(partings), changed, shift)


def refuse_strangers(old: Tree, new: Tree) -> None:
    """Refuse two trees whose answers cannot be compared."""
    targets = old.schema.target, new.schema.target
    kinds = ["numbers" if target.is_number else "classes" for target in targets]
    if kinds[0] != kinds[1]:
        raise InputError(
            f"The old model answers with {kinds[0]} and the new one with {kinds[1]}; compare two of a kind."
        )
    classes = [{category_words(one) for one in target.classes or ()} for target in targets]
    if classes[0] and not classes[0] & classes[1]:
        shown = [", ".join(map(repr, sorted(some)[:4])) for some in classes]
        raise InputError(
            f"The models have no class in common: the old one answers {shown[0]}, the new one {shown[1]}; compare two "
            "models of the same target."
        )


def _common_codes(old: Side, new: Side) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The answers of both in the codes of the old one; classes that only the new one knows come behind."""
    code: dict[str, int] = {}
    found = []
    for side in (old, new):
        own = [code.setdefault(category_words(one), len(code)) for one in side.tree.schema.target.classes or ()]
        found.append(np.array(own, np.int64)[side.answers()])
    return found[0], found[1]


def _named(side: Side) -> list[Any]:
    classes = side.tree.schema.target.classes
    answers = side.answers().tolist()
    return answers if classes is None else [classes[code] for code in answers]


def _namer(side: Side, shift: NDArray[np.float64] | None) -> Mapping[int, Any] | None:
    """The answers of a side by row, where they are classes."""
    return None if shift is not None else dict(enumerate(_named(side)))


def _grouped(
    leaf: Sequence[NDArray[np.int64]],
    answers: tuple[NDArray[Any], NDArray[Any]],
    changed: NDArray[np.bool_],
    old_names: Mapping[int, Any] | None,
    new_names: Mapping[int, Any] | None,
) -> list[Move]:
    """Rows by the leaves they leave and come to, and by their answers where these are classes."""
    keys = [leaf[0], leaf[1], changed.astype(np.int64)]
    if old_names is not None:
        keys += [answers[0], answers[1]]
    if not len(changed):
        return []
    _, group = np.unique(np.stack(keys, axis=1), axis=0, return_inverse=True)
    order = np.argsort(group.ravel(), kind="stable")
    found = []
    for rows in np.split(order, np.flatnonzero(np.diff(group.ravel()[order])) + 1):
        first = int(rows[0])
        before: Any = float(answers[0][rows].mean()) if old_names is None else old_names[first]
        after: Any = float(answers[1][rows].mean()) if new_names is None else new_names[first]
        found.append(Move(int(leaf[0][first]), int(leaf[1][first]), before, after, bool(changed[first]), rows))
    return sorted(found, key=lambda move: (not move.changed, -len(move.rows), move.old_leaf, move.new_leaf))


def _partings(old: Side, new: Side) -> Iterator[Parting]:
    """Where the questions differ, behind a way that is the same in both."""
    waiting: list[tuple[int, int]] = [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        first, second = split_of(old.tree, i), split_of(new.tree, j)
        if first is None and second is None:
            continue
        pairs = None if first is None or second is None else _same_branches(first, second, old.values)
        if pairs is None:
            weight = float(old.tree.weight[i])
            yield Parting(old.way(i), _does(old.tree, i, first), _does(new.tree, j, second), weight)
        else:
            here, there = int(old.tree.first_child[i]), int(new.tree.first_child[j])
            waiting += [(here + a, there + b) for a, b in reversed(pairs)]


def _same_branches(first: Split, second: Split, values: NDArray[np.float64]) -> list[tuple[int, int]] | None:
    """The branches of two questions that are the same; None where the questions are not.

    Two cuts of a number with none of the rows between them are the same question: C4.5 cuts at a value of the table,
    CART in the middle between two.
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
    """What takes each branch, in a form that does not depend on codes."""
    if split.threshold is not None and split.kind is Kind.NUMBER:
        return [(split.threshold, branch) for branch in range(split.n_branches)]
    return [
        (frozenset(map(category_words, split.categories(branch))), split.only_missing == branch)
        for branch in range(split.n_branches)
    ]


def _does(tree: Tree, node: int, split: Split | None) -> str:
    """What a tree does at a node."""
    if split is not None:
        shown = split.branch_words(0) if split.n_branches == 2 else split.name
        return f"asks {shown}"
    view = tree.node(node)
    if tree.schema.target.is_number:
        return f"answers {number_words(float(f'{view.value:.6g}'))}"
    return f"answers {category_words(view.majority)}"
