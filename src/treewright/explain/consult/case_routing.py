"""Route a case that is only partly known through a tree, and find out which questions still matter.

What comes in: a tree, a missing-value policy and a belief for each column. What goes out: the nodes where the case may
end, with probabilities; the questions that are met and were not asked yet; and whether an answer can change anything.

A case has one value in each column, known or not: a range, or some categories, is narrowed from node to node, so that a
column tested twice is not counted twice. Unknown values are routed by the missing-value policy, as in `predict`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.explain.consult.belief import Belief, BranchPart, Known, NotAsked, Unknown, split_belief
from treewright.model.split import Split, split_of
from treewright.model.strategies import REFUSED, STAYS, STRATEGIES, TO_ALL, TO_HEAVIEST
from treewright.model.surrogates import Surrogate, surrogates_of
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy, resolve_missing

Beliefs = tuple[Belief, ...]
"""One for each column of the tree."""

MAX_ROUTINGS = 2000
"""After so many routings a question is taken to matter."""

SAME = 1e-12
"""Two predictions are the same if no probability differs by more; of numbers, relative to the largest."""


class ReachedNode(NamedTuple):
    """A node where the case may end, and the fraction of the case there."""

    node: int
    fraction: float


class _Place(NamedTuple):
    """A node, the fraction of the case there, and what was narrowed on the path to it, by column."""

    node: int
    fraction: float
    narrowed: dict[int, Known]


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question that was not asked yet: its node, the fraction of the case there, its column, and what may be true."""

    node: int
    fraction: float
    column: int
    options: tuple[Belief, ...]


@dataclass(frozen=True, slots=True)
class RoutedCase:
    """The nodes where a case ends, and the questions that are met before."""

    ends: tuple[ReachedNode, ...]
    questions: tuple[PendingQuestion, ...]


class CaseRouter:
    """Routes cases through one tree, by one missing-value policy."""

    def __init__(self, tree: Tree, policy: MissingPolicy) -> None:
        self.tree = tree
        self.missing = resolve_missing(tree, policy)
        self._splits: dict[int, Split | None] = {}
        self._surrogates: dict[int, list[Surrogate]] = {}

    def split(self, node: int) -> Split | None:
        """Return the split of a node, read once."""
        if node not in self._splits:
            self._splits[node] = split_of(self.tree, node)
        return self._splits[node]

    def route(self, beliefs: Sequence[Belief]) -> RoutedCase:
        """Find where the case goes.

        >>> from treewright.explain.consult.belief import Choice, Numbers
        >>> from treewright.model.build import golf_example
        >>> beliefs = (Choice((0,), (1.0,)), Numbers(70, 80), NotAsked(Choice((0, 1), (0.5, 0.5))))
        >>> [tuple(end) for end in CaseRouter(golf_example(), MissingPolicy()).route(beliefs).ends]
        [(4, 0.5), (5, 0.5)]
        """
        ends: list[ReachedNode] = []
        questions: list[PendingQuestion] = []
        waiting: list[_Place] = [_Place(0, 1.0, {})]
        while waiting:
            place = waiting.pop()
            split = self.split(place.node)
            found = [] if split is None else self._next_places(split, place, beliefs)
            if isinstance(found, PendingQuestion):
                questions.append(found)
            elif not found:
                ends.append(ReachedNode(place.node, place.fraction))
            else:
                waiting.extend(reversed(found))
        return RoutedCase(tuple(ends), tuple(questions))

    def predict(self, routed: RoutedCase) -> NDArray[np.float64]:
        """Predict from the nodes where the case ends: class probabilities, or a number."""
        nodes = [end.node for end in routed.ends]
        fractions = np.array([end.fraction for end in routed.ends])
        return fractions @ self.tree.value[nodes]

    def matters(self, beliefs: Sequence[Belief], column: int) -> bool:
        """Whether an open column can change the prediction, whatever the other open columns are.

        All combinations of the other columns are tried, until one is found where the predictions differ; each of them
        tries all that may still be true of the column, side by side.
        """
        waiting: list[tuple[Beliefs, list[Belief]]] = [(tuple(beliefs), [beliefs[column]])]
        n_left = MAX_ROUTINGS
        while waiting:
            others, variants = waiting.pop()
            predictions: list[NDArray[np.float64]] = []
            settled: list[Belief] = []
            untried = list(variants)
            other: PendingQuestion | None = None
            while untried and other is None:
                variant = untried.pop()
                n_left -= 1
                if n_left < 0:
                    return True
                routed = self.route(with_belief(others, column, variant))
                other = next((question for question in routed.questions if question.column != column), None)
                if other is not None or not routed.questions:
                    settled.append(variant)
                    if other is None:
                        predictions.append(self.predict(routed))
                else:
                    untried += routed.questions[0].options
            if other is not None:
                now = settled + untried
                waiting += [(with_belief(others, other.column, option), now) for option in other.options]
            elif any(self._differ(predictions[0], one) for one in predictions[1:]):
                return True
        return False

    def _differ(self, one: NDArray[np.float64], two: NDArray[np.float64]) -> bool:
        return bool(np.abs(one - two).max() > SAME * self._largest)

    @cached_property
    def _largest(self) -> float:
        return max(float(np.abs(self.tree.value).max()), 1e-300)

    def _next_places(self, split: Split, place: _Place, beliefs: Sequence[Belief]) -> PendingQuestion | list[_Place]:
        """Return the places after a node, empty if the case ends there; or the question that must be asked."""
        node, fraction, narrowed = place
        first, belief = int(self.tree.first_child[node]), beliefs[split.position]
        if isinstance(belief, Unknown):
            if STRATEGIES[self.missing].surrogates:
                return self._by_surrogates(place, beliefs)
            return self._by_policy(place)
        weights = self.tree.weight[first : first + split.n_branches].tolist()
        if isinstance(belief, NotAsked):
            parts = split_belief(split, belief.values, weights)
            options: list[Belief] = [NotAsked(part.known) for part in parts]
            if belief.missing and split.only_missing is not None:
                options.append(Unknown())
            if len(options) > 1:
                return PendingQuestion(node, fraction, split.position, tuple(options))
            return [_Place(first + parts[0].branch, fraction, narrowed)]
        known = narrowed.get(split.position, belief)
        return [
            _Place(first + part.branch, fraction * part.probability, narrowed | {split.position: part.known})
            for part in split_belief(split, known, weights)
        ]

    def _by_policy(self, place: _Place) -> list[_Place]:
        """Return where a case goes whose value is unknown."""
        tree, (node, fraction, narrowed) = self.tree, place
        first, goes = int(tree.first_child[node]), STRATEGIES[self.missing].goes
        if goes == TO_ALL:
            children = range(first, first + int(tree.n_children[node]))
            fractions = tree.branch_fractions
            return [_Place(c, fraction * float(fractions[c]), narrowed) for c in children if fractions[c] > 0]
        if goes == STAYS:
            return []
        if goes == REFUSED:
            column = tree.schema.columns[int(tree.column[node])]
            raise InputError(
                f"Column {column.name!r} is unknown, but the tree was grown with missing='error'; give a value, or use "
                "another strategy for missing values."
            )
        branch = tree.heaviest_branch[node] if goes == TO_HEAVIEST else tree.missing_branch[node]
        return [_Place(first + int(branch), fraction, narrowed)]

    def _by_surrogates(self, place: _Place, beliefs: Sequence[Belief]) -> PendingQuestion | list[_Place]:
        """Return where surrogates send a case; a surrogate whose column was not asked yet must be asked first."""
        node = place.node
        if node not in self._surrogates:
            self._surrogates[node] = surrogates_of(self.tree, node)
        first = int(self.tree.first_child[node])
        found: list[_Place] = []
        rest: list[_Place] = [place]
        for surrogate in self._surrogates[node]:
            position = surrogate.split.position
            belief = beliefs[position]
            if isinstance(belief, Unknown):
                continue
            if isinstance(belief, NotAsked):
                parts = _surrogate_parts(surrogate, belief.values)
                if len(parts) > 1:
                    options = tuple(NotAsked(part.known) for part in parts)
                    return PendingQuestion(node, place.fraction, position, options)
                if parts[0].branch >= 0:
                    return found + [one._replace(node=first + parts[0].branch) for one in rest]
                continue
            left = []
            for one in rest:
                known = one.narrowed.get(position, belief)
                for part in _surrogate_parts(surrogate, known):
                    narrowed = one.narrowed | {position: part.known}
                    fraction = one.fraction * part.probability
                    if part.branch < 0:
                        left.append(_Place(node, fraction, narrowed))
                    else:
                        found.append(_Place(first + part.branch, fraction, narrowed))
            rest = left
            if not rest:
                return found
        heavier = int(self.tree.missing_branch[node])
        return found + [one._replace(node=first + heavier) for one in rest]


def with_belief(beliefs: Sequence[Belief], column: int, belief: Belief) -> Beliefs:
    """Return the beliefs with another one for a column."""
    return (*beliefs[:column], belief, *beliefs[column + 1 :])


def _surrogate_parts(surrogate: Surrogate, known: Known) -> list[BranchPart]:
    """Return the branches of the node that a surrogate names; -1 if it lacks the category."""
    parts = split_belief(surrogate.split, known, (1.0, 1.0))
    if surrogate.low == 1:
        return [part._replace(branch=1 - part.branch if part.branch >= 0 else -1) for part in parts]
    return parts
