"""Rows that a tree ensemble cannot route, in a loop of plain operators of ONNX.

In: a `Scoring`, the columns in a graph, and the rows. Out: the nodes where the rows end; if rows are divided among
branches, also their weights there, or their mean values and predicted classes.

Each round of the loop takes all rows to their next state. A state is a test that comes next: of a node or, where its
value is missing, of one of its surrogate splits. After the tests come states "down every branch of a node", and states
"ended at a node". The next state is looked up by the outcome of a test: 0, 1 or 2 for a number that is at most the
threshold, above it, or missing; the code of a category.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.export.onnx_ensemble import branch_goal, branches_by_code
from treewright.export.onnx_graph import Graph
from treewright.export.scoring import EVERY, NodeTest, Scoring, ValueTest
from treewright.model.prediction_rule import TIE


@dataclass(frozen=True, slots=True, eq=False)
class WalkTables:
    """The states of a tree, as arrays by state.

    n_tests       states that are tests
    column        the place among the columns that are used
    threshold     of a number; infinity if only missing values matter
    is_category   whether the outcome is a code
    start         the place in `following` of the first outcome
    following     the next state of each outcome
    split_to      (n_splits, n_branches) the states of the branches of a node that divides rows; -1 if it has fewer
    split_weight  the fraction of a row on each of these branches
    end           the node where a row has ended
    n_rounds      tests on the longest path
    """

    n_tests: int
    column: NDArray[np.int64]
    threshold: NDArray[np.float64]
    is_category: NDArray[np.bool_]
    start: NDArray[np.int64]
    following: NDArray[np.int64]
    split_to: NDArray[np.int64]
    split_weight: NDArray[np.float64]
    end: NDArray[np.int64]
    n_rounds: int


class _States:
    """Numbers the states of a tree, and fills the tables."""

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring
        self.inner = [one for one in scoring.tests if one is not None]
        self.divided = [one for one in self.inner if one.missing == EVERY]
        sizes = [1 + len(one.surrogates) for one in self.inner]
        starts = np.cumsum([0, *sizes]).tolist()
        self.n_tests = starts[-1]
        self.tests = {one.node: start for one, start in zip(self.inner, starts, strict=False)}
        self.splits = {one.node: self.n_tests + i for i, one in enumerate(self.divided)}
        first = self.n_tests + len(self.splits)
        self.ends = {node: first + i for i, node in enumerate(scoring.end_nodes())}

    def after(self, one: NodeTest, branch: int) -> int:
        """The state of a row at a node that takes a branch, stops or goes down every branch."""
        if branch == EVERY:
            return self.splits[one.node]
        node, stops = branch_goal(one, branch)
        return self.ends[node] if stops or self.scoring.tests[node] is None else self.tests[node]

    def outcomes(self, one: NodeTest, test: ValueTest, other: int) -> list[int]:
        """The next state for each outcome of a test; `other` without a value."""
        if test.codes is None:
            return [self.after(one, test.branches[0]), self.after(one, test.branches[-1]), other]
        known = {code: self.after(one, branch) for code, branch in branches_by_code(test).items()}
        unseen = other if one.unseen is None or test is not one.test else self.after(one, one.unseen)
        return [*(known.get(code, other) for code in range(test.column.n_categories)), unseen, other]

    def tables(self) -> WalkTables:
        places = {position: i for i, position in enumerate(self.scoring.used)}
        tests: list[ValueTest] = []
        start: list[int] = []
        following: list[int] = []
        for one in self.inner:
            chain = (one.test, *one.surrogates)
            for i, test in enumerate(chain):
                is_last = i + 1 == len(chain)
                other = self.after(one, one.missing) if is_last else self.tests[one.node] + i + 1
                tests.append(test)
                start.append(len(following))
                following += self.outcomes(one, test, other)
        rest = len(self.splits) + len(self.ends)
        for state in range(self.n_tests, self.n_tests + rest):  # they stay what they are, whatever the outcome
            start.append(len(following))
            following += [state] * 3
        end = np.zeros(self.n_tests + rest, np.int64)
        end[list(self.ends.values())] = list(self.ends)
        split_to, split_weight = self._split_tables()
        return WalkTables(
            n_tests=self.n_tests,
            column=np.array([*(places[test.position] for test in tests), *[0] * rest]),
            threshold=np.array([*(inf if test.threshold is None else test.threshold for test in tests), *[0.0] * rest]),
            is_category=np.array([*(test.codes is not None for test in tests), *[False] * rest]),
            start=np.array(start),
            following=np.array(following),
            split_to=split_to,
            split_weight=split_weight,
            end=end,
            n_rounds=self._longest_path(start, following),
        )

    def _split_tables(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        width = max((len(one.children) for one in self.divided), default=0)
        to, weight = np.full((len(self.divided), width), -1), np.zeros((len(self.divided), width))
        for i, one in enumerate(self.divided):
            n = len(one.children)
            to[i, :n], weight[i, :n] = [self.after(one, branch) for branch in range(n)], one.fractions
        return to, weight

    def _longest_path(self, start: Sequence[int], following: Sequence[int]) -> int:
        """The number of tests on the longest path; the states after a test have larger numbers than its own."""
        n_steps = [0] * len(start)
        divided = {self.splits[one.node]: one for one in self.divided}
        for state in reversed(range(self.n_tests)):
            for after in set(following[start[state] : start[state + 1]]):
                one = divided.get(after)
                reached = [after] if one is None else [self.after(one, branch) for branch in range(len(one.children))]
                n_steps[state] = max(n_steps[state], *(1 + n_steps[to] for to in reached))
        return n_steps[0]


def walk_tables(scoring: Scoring) -> WalkTables:
    """Return the states of a tree.

    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> found = walk_tables(scoring(golf_example(), "fractional"))
    >>> found.n_tests, found.n_rounds, found.following[:5].tolist()
    (3, 2, [1, 6, 2, 3, 3])
    """
    return _States(scoring).tables()


class Walk:
    """Adds the loop to a graph.

    rows  the numbers of the rows that are routed
    """

    def __init__(self, graph: Graph, scoring: Scoring, cells: Mapping[int, str], rows: str) -> None:
        self.graph, self.scoring, self.tables = graph, scoring, walk_tables(scoring)
        columns = [graph.cast(cells[position], np.float64) for position in scoring.used]
        self.cells = graph.flat(graph.add("Gather", graph.add("Concat", *columns, axis=1), rows))
        self.n_rows = graph.add("Shape", rows)
        self.numbers = graph.range(graph.scalar(self.n_rows))

    def ends(self) -> str:
        """Add the loop for a tree that divides no rows; return the nodes where the rows end."""
        (states,) = self._loop([self.graph.zeros(self.n_rows, np.int64)], [np.int64], self._next_states)
        return self.graph.add("Gather", self.graph.constant(self.tables.end), states)

    def means(self) -> tuple[str, str | None]:
        """Add the loop for a tree that divides rows; return their mean values and their predicted classes."""
        graph, tree = self.graph, self.scoring.tree
        one = graph.add("Add", graph.zeros(self.n_rows, np.float64), graph.constant(1.0))
        start = [graph.zeros(self.n_rows, np.int64), self.numbers, one]
        states, rows, weights = self._loop(start, [np.int64, np.int64, np.float64], self._divide)
        ends = graph.add("Gather", graph.constant(self.tables.end), states)
        parts = graph.add("Mul", graph.upright(weights), graph.add("Gather", graph.constant(tree.value), ends))
        shape = graph.add("Concat", self.n_rows, graph.constant([tree.value.shape[1]]), axis=0)
        places = graph.add("Expand", graph.upright(rows), graph.add("Shape", parts))
        means = self._sums(graph.zeros(shape, np.float64), places, parts)
        if self.scoring.is_regression:
            return means, None
        zeros = graph.zeros(self.n_rows, np.int64)
        n_ends = self._sums(zeros, rows, graph.add("Add", graph.add("Mul", rows, graph.constant(0)), graph.constant(1)))
        codes = self._sums(zeros, rows, graph.add("Gather", graph.constant(tree.predicted_class, np.int64), ends))
        is_one = graph.add("Equal", n_ends, graph.constant(1))
        return means, graph.add("Where", is_one, codes, self._choose(means))

    def _sums(self, zeros: str, places: str, parts: str) -> str:
        return self.graph.add("ScatterElements", zeros, places, parts, axis=0, reduction="add")

    def _choose(self, means: str) -> str:
        """The predicted class of mean probabilities: the most probable or the cheapest, the first one on a tie."""
        graph, costs = self.graph, self.scoring.tree.prediction_rule.costs
        k, tie = graph.constant([1]), graph.constant(TIE)
        # The tie is a difference: ONNX Runtime takes a factor of 1 - TIE for 1, and removes it.
        if costs is None:
            best, _ = graph.add_several("TopK", (means, k), 2, axis=1)
            least = graph.add("Sub", best, graph.add("Mul", best, tie))
            is_best = graph.add("GreaterOrEqual", means, least)
        else:
            expected = graph.add("MatMul", means, graph.constant(costs, np.float64))
            best, _ = graph.add_several("TopK", (expected, k), 2, axis=1, largest=0)
            most = graph.add("Add", best, graph.add("Mul", best, tie))
            is_best = graph.add("LessOrEqual", expected, most)
        return graph.add("ArgMax", graph.cast(is_best, np.int32), axis=1, keepdims=0)

    def _loop(self, start: list[str], kinds: list[Any], step: Any) -> tuple[str, ...]:
        """A loop that carries some tensors, the states first, until no state is a test."""
        from onnx.helper import make_tensor_value_info, np_dtype_to_tensor_dtype

        def declare(name: str, kind: Any, shape: Sequence[None]) -> Any:
            return make_tensor_value_info(name, np_dtype_to_tensor_dtype(np.dtype(kind)), shape)

        graph, body = self.graph, Graph(self.graph.new_name)
        begin = [body.new_name("carried") for _ in start]
        end = step(body, *begin)
        goes_on = body.add("Less", body.add("ReduceMin", end[0], keepdims=0), body.constant(self.tables.n_tests))
        proto = body.to_proto(
            "walk",
            [
                declare(body.new_name("round"), np.int64, []),
                declare(body.new_name("condition"), np.bool_, []),
                *(declare(name, kind, [None]) for name, kind in zip(begin, kinds, strict=True)),
            ],
            [
                declare(goes_on, np.bool_, []),
                *(declare(name, kind, [None]) for name, kind in zip(end, kinds, strict=True)),
            ],
        )
        has_rows = graph.add("Greater", graph.scalar(self.n_rows), graph.constant(0))
        inputs = (graph.constant(self.tables.n_rounds), has_rows, *start)
        return graph.add_several("Loop", inputs, len(start), body=proto)

    def _next_states(self, body: Graph, states: str, rows: str = "") -> list[str]:
        """The states after the next test of each row."""
        tables = self.tables

        def of_state(values: Any) -> str:
            return body.add("Gather", body.constant(values), states)

        first = body.add("Mul", rows or self.numbers, body.constant(len(self.scoring.used)))
        cells = body.add("Gather", self.cells, body.add("Add", first, of_state(tables.column)))
        outcomes = []  # at the test of a number the code is 0, and the other way round
        if not tables.is_category[: tables.n_tests].all():
            above = body.add("Not", body.add("LessOrEqual", cells, of_state(tables.threshold)))
            missing = body.add("IsNaN", cells)
            outcomes.append(body.add("Add", body.cast(above, np.int64), body.cast(missing, np.int64)))
        if tables.is_category.any():
            code = body.add("Where", of_state(tables.is_category), cells, body.constant(0.0))
            outcomes.append(body.cast(code, np.int64))
        outcome = outcomes[0] if len(outcomes) == 1 else body.add("Add", *outcomes)
        places = body.add("Add", of_state(tables.start), outcome)
        return [body.add("Gather", body.constant(tables.following), places)]

    def _divide(self, body: Graph, states: str, rows: str, weights: str) -> list[str]:
        """States, rows and weights after the next test; a row that goes down every branch is written once for each."""
        tables = self.tables
        (states,) = self._next_states(body, states, rows)
        is_split = body.add(
            "And",
            body.add("GreaterOrEqual", states, body.constant(tables.n_tests)),
            body.add("Less", states, body.constant(tables.n_tests + len(tables.split_to))),
        )
        whole, divided = body.places(body.add("Not", is_split)), body.places(is_split)
        split = body.add("Sub", body.add("Gather", states, divided), body.constant(tables.n_tests))
        to = body.add("Gather", body.constant(tables.split_to), split)
        cells = body.add("NonZero", body.add("GreaterOrEqual", to, body.constant(0)))
        copied = body.add("Gather", divided, body.add("Gather", cells, body.constant(0)))
        cells = body.add("Transpose", cells, perm=[1, 0])
        fractions = body.add("GatherND", body.add("Gather", body.constant(tables.split_weight), split), cells)
        parts = (
            body.add("GatherND", to, cells),
            body.add("Gather", rows, copied),
            body.add("Mul", body.add("Gather", weights, copied), fractions),
        )
        kept = [body.add("Gather", one, whole) for one in (states, rows, weights)]
        return [body.add("Concat", one, part, axis=0) for one, part in zip(kept, parts, strict=True)]
