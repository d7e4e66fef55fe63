"""A tree as a TreeEnsembleRegressor of ONNX, which finds the node where a row ends.

In: a `Scoring`, and the columns in a graph. Out: the numbers of the nodes. The ensemble compares 64-bit floats. For
categories it has columns with the branch that each category takes, looked up in a table; a test with several branches
becomes a binary search. It cannot divide a row among branches or follow surrogate splits: where the tree does that, a
missing value takes any branch, and `onnx_walk` routes the row.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf

import numpy as np

from treewright.export.onnx_graph import Graph
from treewright.export.scoring import EVERY, STOP, NodeTest, Scoring, ValueTest

MAX_DEPTH = 500
"""Tests on a path of an ensemble: ONNX Runtime reads it by recursion, and ends the process when the stack of a thread
is full. The smallest stack that is common, 512 KB, is enough for this depth."""
MAX_TABLES = 256
"""Features that are tables of categories: each one takes a float for each row."""
MAX_NODES = 2**24
"""Nodes of a tree: an ensemble predicts 32-bit floats, which have all integers up to this one."""

Goal = tuple[int, bool]
"""Where a branch leads: a node, and whether the row ends there although the node has a test."""


def is_walked(one: NodeTest) -> bool:
    """Whether a tree ensemble cannot route a missing value as the node does."""
    return one.missing == EVERY or bool(one.surrogates)


def branch_goal(one: NodeTest, branch: int) -> Goal:
    """Where a branch leads, or STOP."""
    return (one.node, True) if branch == STOP else (one.children[branch], False)


def branches_by_code(test: ValueTest) -> dict[int, int]:
    """The branch of each category that a test knows."""
    assert test.codes is not None
    return {code: branch for branch, codes in zip(test.branches, test.codes, strict=True) for code in codes}


@dataclass(frozen=True, slots=True)
class _Range:
    """Some of the goals of the categories at a node, from `low` to `high`; the feature has the place of the goal."""

    feature: int
    goals: tuple[Goal, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class _Known:
    """The test of a number, for rows with a value."""

    one: NodeTest


_Part = Goal | _Range | _Known


@dataclass(frozen=True, slots=True)
class _Test:
    """A test of the ensemble: below or at the threshold, or above it; missing values are above unless said."""

    feature: int
    threshold: float
    below: _Part
    above: _Part
    missing_below: bool = False


@dataclass(slots=True)
class Ensemble:
    """The arrays of a TreeEnsembleRegressor with one tree; what it predicts is the number of a node.

    numbers   the features that are numbers, by the position of the column
    tables    the other features, by the position of the column and a table: for each code, for an unseen and for a
              missing category the place of its goal
    tests     the tests; None at an end
    ends      the node where rows end; -1 at a test
    below     the place of the part below the threshold, and `above` of that above it
    depth     tests on the longest path
    """

    scoring: Scoring
    numbers: dict[int, int] = field(default_factory=dict)
    tables: dict[tuple[int, tuple[int, ...]], int] = field(default_factory=dict)
    tests: list[_Test | None] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    depth: int = 0

    def __post_init__(self) -> None:
        self._number_features()
        waiting: list[tuple[_Part, list[int], int, int]] = [((0, False), self.below, -1, 0)]
        while waiting:
            part, links, parent, depth = waiting.pop()
            part = self._simplify(part)
            place = len(self.tests)
            if parent >= 0:
                links[parent] = place
            test = self._test(part)
            self.tests.append(test)
            self.ends.append(part[0] if test is None and isinstance(part, tuple) else -1)
            self.below.append(0)
            self.above.append(0)
            if test is not None:
                depth += 1
                self.depth = max(self.depth, depth)
                waiting += [(test.above, self.above, place, depth), (test.below, self.below, place, depth)]

    @property
    def is_too_large(self) -> bool:
        """Whether all rows have to be routed by the loop."""
        n_nodes = len(self.scoring.tests)
        return self.depth > MAX_DEPTH or len(self.tables) > MAX_TABLES or n_nodes > MAX_NODES

    def _number_features(self) -> None:
        tests = [one for one in self.scoring.tests if one is not None]
        positions = sorted({one.test.position for one in tests if one.test.codes is None})
        self.numbers = {position: i for i, position in enumerate(positions)}
        tables = {(one.test.position, _goals(one)[1]) for one in tests if one.test.codes is not None}
        self.tables = {key: len(positions) + i for i, key in enumerate(sorted(tables))}

    def _simplify(self, part: _Part) -> _Part:
        """The part itself or, as long as there is nothing to decide, what follows."""
        while True:
            if isinstance(part, _Range):
                if part.low != part.high:
                    return part
                part = part.goals[part.low]
            elif isinstance(part, _Known):
                if part.one.test.threshold is not None:
                    return part
                part = branch_goal(part.one, part.one.test.branches[0])
            else:
                node, stops = part
                one = self.scoring.tests[node]
                if one is None or stops:
                    return part
                if one.test.codes is not None:
                    goals, table = _goals(one)
                    part = _Range(self.tables[one.test.position, table], goals, 0, len(goals) - 1)
                elif is_walked(one) or one.missing in one.test.branches:
                    part = _Known(one)
                else:
                    return part

    def _test(self, part: _Part) -> _Test | None:
        """The test of a part; None at an end."""
        if isinstance(part, _Range):
            feature, goals, middle = part.feature, part.goals, (part.low + part.high) // 2
            above = _Range(feature, goals, middle + 1, part.high)
            return _Test(feature, middle + 0.5, _Range(feature, goals, part.low, middle), above)
        if isinstance(part, _Known):
            one, first, second = part.one, *part.one.test.branches
            assert one.test.threshold is not None
            goals = branch_goal(one, first), branch_goal(one, second)
            return _Test(self.numbers[one.test.position], one.test.threshold, *goals, one.missing == first)
        node, stops = part
        inner = self.scoring.tests[node]
        if inner is None or stops:
            return None
        # Every number is at most infinity, and NaN is not.
        return _Test(self.numbers[inner.test.position], inf, _Known(inner), branch_goal(inner, inner.missing))

    def add(self, graph: Graph, cells: Mapping[int, str]) -> str:
        """Add the ensemble to a graph; return the numbers of the nodes where rows end."""
        from onnx.numpy_helper import from_array

        n, tests = len(self.tests), self.tests
        leaves = [i for i, test in enumerate(tests) if test is None]
        found = graph.add(
            "TreeEnsembleRegressor",
            graph.add("Concat", *self._coded(graph, cells), axis=1),
            version=3,
            n_targets=1,
            nodes_treeids=[0] * n,
            nodes_nodeids=list(range(n)),
            nodes_modes=["LEAF" if test is None else "BRANCH_LEQ" for test in tests],
            nodes_featureids=[0 if test is None else test.feature for test in tests],
            nodes_values_as_tensor=from_array(np.array([0.0 if test is None else test.threshold for test in tests])),
            nodes_truenodeids=self.below,
            nodes_falsenodeids=self.above,
            nodes_missing_value_tracks_true=[int(test is not None and test.missing_below) for test in tests],
            target_treeids=[0] * len(leaves),
            target_nodeids=leaves,
            target_ids=[0] * len(leaves),
            target_weights_as_tensor=from_array(np.array([float(self.ends[i]) for i in leaves])),
        )
        return graph.flat(graph.cast(found, np.int64))

    def _coded(self, graph: Graph, cells: Mapping[int, str]) -> Iterator[str]:
        """The features: the numbers, and for each category the places of its goals."""
        yield from (cells[position] for position in self.numbers)
        for position in sorted({position for position, _ in self.tables}):
            tables = [table for other, table in self.tables if other == position]
            lookup = graph.constant(np.array(tables, np.float64).T)
            yield graph.add("Gather", lookup, graph.flat(cells[position]))


def _goals(one: NodeTest) -> tuple[tuple[Goal, ...], tuple[int, ...]]:
    """The goals of the categories at a node; and for each code, an unseen and a missing one the place of its goal."""
    known = branches_by_code(one.test)
    missing = one.test.branches[0] if is_walked(one) else one.missing
    unseen = missing if one.unseen is None else one.unseen
    branches = [*(known[code] for code in range(one.test.column.n_categories)), unseen, missing]
    reached = [branch_goal(one, branch) for branch in branches]
    place = {goal: i for i, goal in enumerate(dict.fromkeys(reached))}
    return tuple(place), tuple(place[goal] for goal in reached)
