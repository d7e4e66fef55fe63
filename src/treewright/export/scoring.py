"""The decisions of a tree as plain data, for exporters.

In: a tree, and what predictions do with missing values and unseen categories. Out: a `Scoring`: for each node its test,
the branch of each value, and what happens without a value. An exporter writes these tests in another language; it needs
no kernel and no policy.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import floor, isinf
from typing import Any

from treewright.data.schema import Column, Kind
from treewright.model.split import Split, split_of
from treewright.model.strategies import REFUSED, STAYS, STRATEGIES, TO_ALL, TO_HEAVIEST
from treewright.model.surrogates import surrogates_of
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing

STOP, REFUSE, EVERY = -1, -2, -3
"""Instead of a branch: the path ends at the node; the row is refused; the row goes down every branch."""


@dataclass(frozen=True, slots=True)
class ValueTest:
    """Which branch a known value takes; exactly one of the three forms.

    position   of the column in the schema
    threshold  of a number: the first of `branches` takes value <= threshold, the second the others; None otherwise
    codes      of a category: the codes that each of `branches` takes; None otherwise
    branches   the branches; with neither threshold nor codes every known value takes the only one
    """

    position: int
    column: Column
    threshold: float | None
    codes: tuple[tuple[int, ...], ...] | None
    branches: tuple[int, ...]

    def branch_of(self, value: float) -> int | None:
        """The branch of an encoded value; None for a category that the test does not know."""
        if self.codes is not None:
            return next((b for b, codes in zip(self.branches, self.codes, strict=True) if int(value) in codes), None)
        return self.branches[self.threshold is not None and not value <= self.threshold]


@dataclass(frozen=True, slots=True)
class NodeTest:
    """The test of an inner node.

    test        the branch of each known value
    children    the child of each branch
    fractions   the fraction of a row without a value that each child gets, where it goes down every branch
    missing     the branch of a missing value, after the surrogates; or STOP, REFUSE or EVERY
    unseen      the same for a category that did not occur in training; None if that is a missing value
    surrogates  tests of other columns that decide for a missing value, the first with a known value
    """

    node: int
    test: ValueTest
    children: tuple[int, ...]
    fractions: tuple[float, ...]
    missing: int
    unseen: int | None
    surrogates: tuple[ValueTest, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoring:
    """A tree as data for exporters.

    tree     the tree; `tree.value` has the class probabilities, or the predicted number, of each node
    tests    the test of each node; None at a leaf
    missing  the name of the strategy for missing values
    unseen   the value of `unseen_category`
    """

    tree: Tree
    tests: tuple[NodeTest | None, ...]
    missing: str
    unseen: str

    @property
    def end_name(self) -> str:
        """What predicts, in names of functions."""
        return "leaf"

    @property
    def end_words(self) -> str:
        """What predicts, in comments."""
        return "the leaf where a row ends"

    @property
    def decisions(self) -> str:
        """What the rows of a check try every one of."""
        return "decision of the tree"

    def about(self) -> str:
        """What is exported, in a few words."""
        return "A decision tree"

    @property
    def is_fractional(self) -> bool:
        """Whether a row can go down several branches."""
        return any(one is not None and EVERY in (one.missing, one.unseen) for one in self.tests)

    @property
    def is_regression(self) -> bool:
        """Whether a number is predicted."""
        return self.tree.schema.target.is_number

    @property
    def classes(self) -> tuple[object, ...]:
        """The classes; empty for a regression tree."""
        return self.tree.schema.target.classes or ()

    @property
    def used(self) -> list[int]:
        """The positions of the columns that a test or a surrogate looks at, ascending."""
        found = {test.position for one in self.tests if one is not None for test in (one.test, *one.surrogates)}
        return sorted(found)

    def end_nodes(self) -> Iterator[int]:
        """Go through the nodes where a path can end: leaves, and inner nodes that stop rows."""
        for node, one in enumerate(self.tests):
            if one is None or STOP in (one.missing, one.unseen):
                yield node


def scoring(tree: Tree, missing: str | None = None, unseen: str = "missing") -> Scoring:
    """Return the decisions of a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    missing : str or None
        Strategy for missing values at prediction; None: that of growth.
    unseen : {"missing", "majority", "stop", "error"}
        What a category does that did not occur in training.

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> found = scoring(golf_example(), "fractional")
    >>> found.tests[0].test.codes, found.tests[1].test.threshold, found.tests[2]
    (((0,), (1,), (2,)), 75.0, None)
    """
    name = resolve_missing(tree, MissingPolicy(missing))
    tests: list[NodeTest | None] = []
    for node in range(tree.n_nodes):
        split = split_of(tree, node)
        tests.append(None if split is None else _node_test(tree, node, split, name, unseen))
    return Scoring(tree, tuple(tests), name, unseen)


def _node_test(tree: Tree, node: int, split: Split, missing: str, unseen: str) -> NodeTest:
    first = int(tree.first_child[node])
    children = tuple(range(first, first + split.n_branches))
    strategy, heaviest = STRATEGIES[missing], int(tree.heaviest_branch[node])
    without_value = {TO_ALL: EVERY, TO_HEAVIEST: heaviest, STAYS: STOP, REFUSED: REFUSE}
    other = {"majority": heaviest, "stop": STOP, "error": REFUSE}
    return NodeTest(
        node,
        _value_test(split),
        children,
        tuple(tree.branch_fractions[list(children)].tolist()),
        without_value.get(strategy.goes, int(tree.missing_branch[node])),
        None if split.kind is Kind.NUMBER else other.get(unseen),
        tuple(_surrogate(one.split, one.low) for one in surrogates_of(tree, node)) if strategy.surrogates else (),
    )


def _value_test(split: Split) -> ValueTest:
    """The test of a split, with all categories of the column; the branch of missing values takes no known value."""
    column = split.column
    if column.kind is Kind.NUMBER:
        threshold = split.threshold
        if threshold is None or isinf(threshold):
            return ValueTest(split.position, column, None, None, (0,))
        return ValueTest(split.position, column, threshold, None, (0, 1))
    by_branch: dict[int, list[int]] = {branch: [] for branch in range(split.n_branches)}
    known = {} if split.table is None else dict(zip(*split.table, strict=True))
    for code in range(column.n_categories):
        if split.threshold is not None:
            branch = 0 if isinf(split.threshold) or code <= floor(split.threshold) else 1
        else:
            branch = known.get(code, split.other if split.other is not None else 0)
        by_branch[branch].append(code)
    taken = {branch: tuple(codes) for branch, codes in by_branch.items() if codes}
    return ValueTest(split.position, column, None, tuple(taken.values()), tuple(taken))


def _surrogate(split: Split, low: int) -> ValueTest:
    """The test of a surrogate; `low` is the branch of its lower side. Categories that it does not know are left out."""
    column = split.column
    if split.table is not None:
        sides: dict[int, list[int]] = {}
        for code, branch in zip(*split.table, strict=True):
            sides.setdefault(branch, []).append(code)
        return ValueTest(split.position, column, None, tuple(map(tuple, sides.values())), tuple(sides))
    assert split.threshold is not None
    if column.kind is Kind.NUMBER:
        return ValueTest(split.position, column, split.threshold, None, (low, 1 - low))
    last = floor(split.threshold) + 1
    codes = tuple(range(last)), tuple(range(last, column.n_categories))
    return ValueTest(split.position, column, None, codes, (low, 1 - low))


def common_type(values: Iterable[object]) -> type | None:
    """The type that categories or classes have in other programs: bool, str, or float for numbers; None if mixed.

    >>> common_type(["a", "b"]), common_type([1, 2.5]), common_type([True, 2])
    (<class 'str'>, <class 'float'>, None)
    """
    kinds = {bool if isinstance(one, bool) else str if isinstance(one, str) else float for one in values}
    return kinds.pop() if len(kinds) == 1 else None


def scoring_of(model: Any) -> Scoring:
    """The decisions of a fitted estimator, or of a tree alone, as `predict` makes them.

    >>> from treewright import CARTClassifier
    >>> scoring_of(CARTClassifier(pruning=None).fit([[1], [2]], ["a", "b"])).missing
    'surrogate'
    """
    if isinstance(model, Tree):
        return scoring(model)
    policy = model._prediction_policy()
    return scoring(model._tree(), policy.rule.missing, policy.unseen)
