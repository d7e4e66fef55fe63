"""Walk: a case of which not everything is known, through a tree.

In: a tree, a rule for missing values and a belief for each column. Out: where the case may end and with which share;
which questions are met that were not asked yet; and whether the answer to one of them can alter anything.

A case has one value in each column, known or not: a range or some categories are narrowed from node to node, so that a
column asked twice is not counted twice. What is unknown goes as the rule for missing values says, as in `predict`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.explain.consult.belief import Belief, Known, Open, Unknown, parted
from treewright.model.split import Split, split_of
from treewright.model.strategies import REFUSED, SHARES, STAYS, STRATEGIES, TO_HEAVIEST
from treewright.model.surrogates import Surrogate, surrogates_of
from treewright.model.tree import Tree
from treewright.predict.rule import Rule, missing_rule

Beliefs = tuple[Belief, ...]
"""One for each column of the tree."""

MOST_WALKS = 2000
"""Walks until a question is taken to matter without further search."""

SAME = 1e-12
"""Two answers are the same when no probability differs by more; of numbers, as a part of the largest."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question that was not asked yet: the node that asks, the share of the case there, and what may be answered."""

    node: int
    share: float
    column: int
    parts: tuple[Belief, ...]


@dataclass(frozen=True, slots=True)
class Walked:
    """Where a case ends, by node and share, and the questions that are met before."""

    ends: tuple[tuple[int, float], ...]
    asks: tuple[Ask, ...]


_Place = tuple[int, float, dict[int, Known]]
"""A node, the share of the case there, and what has been narrowed on the way."""


class Walker:
    """Walks through one tree by one rule."""

    def __init__(self, tree: Tree, rule: Rule) -> None:
        self.tree = tree
        self.missing = missing_rule(tree, rule)
        self._splits: dict[int, Split | None] = {}
        self._stand_ins: dict[int, list[Surrogate]] = {}

    def split(self, node: int) -> Split | None:
        """The split of a node, read once."""
        if node not in self._splits:
            self._splits[node] = split_of(self.tree, node)
        return self._splits[node]

    def walk(self, beliefs: Sequence[Belief]) -> Walked:
        """Where the case goes.

        >>> from treewright.explain.consult.belief import Choice, Numbers, Open
        >>> from treewright.model.build import golf_example
        >>> tree = golf_example()
        >>> beliefs = (Choice((0,), (1.0,)), Numbers(70, 80), Open(Choice((0, 1), (0.5, 0.5))))
        >>> Walker(tree, Rule()).walk(beliefs).ends
        ((4, 0.5), (5, 0.5))
        """
        ends: list[tuple[int, float]] = []
        asks: list[Ask] = []
        waiting: list[_Place] = [(0, 1.0, {})]
        while waiting:
            node, share, local = waiting.pop()
            split = self.split(node)
            if split is None:
                ends.append((node, share))
                continue
            met = self._go(node, split, (node, share, local), beliefs)
            if isinstance(met, Ask):
                asks.append(met)
            elif not met:
                ends.append((node, share))
            else:
                waiting.extend(reversed(met))
        return Walked(tuple(ends), tuple(asks))

    def answer(self, walked: Walked) -> NDArray[np.float64]:
        """What the tree says, as far as the case has come to an end: class shares, or a number."""
        nodes = [node for node, _ in walked.ends]
        shares = np.array([share for _, share in walked.ends])
        return shares @ self.tree.value[nodes]

    def matters(self, beliefs: Sequence[Belief], column: int) -> bool:
        """Whether an open column can alter the answer, whatever the other open columns are.

        Every way to settle the others is tried until one is found where the answers differ; each deals with all that
        may still be said of the column, side by side.
        """
        waiting: list[tuple[Beliefs, list[Belief]]] = [(tuple(beliefs), [beliefs[column]])]
        left = MOST_WALKS
        while waiting:
            others, variants = waiting.pop()
            found: list[NDArray[np.float64]] = []
            settled: list[Belief] = []
            open_ones = list(variants)
            other: Ask | None = None
            while open_ones and other is None:
                one = open_ones.pop()
                left -= 1
                if left < 0:
                    return True
                walked = self.walk(put(others, column, one))
                other = next((ask for ask in walked.asks if ask.column != column), None)
                if other is not None or not walked.asks:
                    settled.append(one)
                    if other is None:
                        found.append(self.answer(walked))
                else:
                    open_ones += walked.asks[0].parts
            if other is not None:
                now = settled + open_ones
                waiting += [(put(others, other.column, part), now) for part in other.parts]
            elif any(self._differ(found[0], one) for one in found[1:]):
                return True
        return False

    def _differ(self, one: NDArray[np.float64], two: NDArray[np.float64]) -> bool:
        return bool(np.abs(one - two).max() > SAME * self._largest)

    @cached_property
    def _largest(self) -> float:
        return max(float(np.abs(self.tree.value).max()), 1e-300)

    def _go(self, node: int, split: Split, place: _Place, beliefs: Sequence[Belief]) -> Ask | list[_Place]:
        """Where the case goes from a node: the places behind it, none where it ends here; or what has to be asked."""
        _, share, local = place
        first, belief = int(self.tree.first_child[node]), beliefs[split.position]
        if isinstance(belief, Unknown):
            if STRATEGIES[self.missing].surrogates:
                return self._by_surrogates(node, place, beliefs)
            return self._missing(node, share, local)
        weights = self.tree.weight[first : first + split.n_branches].tolist()
        if isinstance(belief, Open):
            parts = parted(split, belief.values, weights)
            options: list[Belief] = [Open(known) for _, _, known in parts]
            if belief.missing and split.only_missing is not None:
                options.append(Unknown())
            if len(options) > 1:
                return Ask(node, share, split.position, tuple(options))
            return [(first + parts[0][0], share, local)]
        known = local.get(split.position, belief)
        return [
            (first + branch, share * part, local | {split.position: narrowed})
            for branch, part, narrowed in parted(split, known, weights)
        ]

    def _missing(self, node: int, share: float, local: dict[int, Known]) -> list[_Place]:
        """Where a case goes whose value is not known."""
        tree, first = self.tree, int(self.tree.first_child[node])
        goes = STRATEGIES[self.missing].goes
        if goes == SHARES:
            children = range(first, first + int(tree.n_children[node]))
            return [(c, share * float(tree.branch_shares[c]), local) for c in children if tree.branch_shares[c] > 0]
        if goes == STAYS:
            return []
        if goes == REFUSED:
            column = tree.schema.columns[int(tree.column[node])]
            raise InputError(
                f"Column {column.name!r} is not known, and this tree was grown with missing='error'; give a value, "
                "or choose another way with missing values."
            )
        branch = tree.heaviest_branch[node] if goes == TO_HEAVIEST else tree.missing_branch[node]
        return [(first + int(branch), share, local)]

    def _by_surrogates(self, node: int, place: _Place, beliefs: Sequence[Belief]) -> Ask | list[_Place]:
        """Where surrogates send a case; one that is met first and was not asked yet has to be asked."""
        _, share, local = place
        if node not in self._stand_ins:
            self._stand_ins[node] = surrogates_of(self.tree, node)
        first = int(self.tree.first_child[node])
        found: list[_Place] = []
        rest: list[tuple[float, dict[int, Known]]] = [(share, local)]
        for one in self._stand_ins[node]:
            position = one.split.position
            belief = beliefs[position]
            if isinstance(belief, Unknown):
                continue
            if isinstance(belief, Open):
                parts = _stand_in_parts(one, belief.values)
                if len(parts) > 1:
                    return Ask(node, share, position, tuple(Open(known) for _, _, known in parts))
                if parts[0][0] >= 0:
                    return found + [(first + parts[0][0], part, known) for part, known in rest]
                continue
            left = []
            for part, known_here in rest:
                known = known_here.get(position, belief)
                for branch, inside, narrowed in _stand_in_parts(one, known):
                    now = known_here | {position: narrowed}
                    if branch < 0:
                        left.append((part * inside, now))
                    else:
                        found.append((first + branch, part * inside, now))
            rest = left
            if not rest:
                return found
        heavier = int(self.tree.missing_branch[node])
        return found + [(first + heavier, part, known) for part, known in rest]


def put(beliefs: Sequence[Belief], column: int, belief: Belief) -> Beliefs:
    """The beliefs with another one in a column."""
    return (*beliefs[:column], belief, *beliefs[column + 1 :])


def _stand_in_parts(one: Surrogate, known: Known) -> list[tuple[int, float, Known]]:
    """The branches of the node that a surrogate names; -1 where it does not know the category."""
    parts = parted(one.split, known, (1.0, 1.0))
    if one.low == 1:
        return [(1 - branch if branch >= 0 else -1, share, narrowed) for branch, share, narrowed in parts]
    return parts
