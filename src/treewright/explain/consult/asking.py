"""Asking: a tree that asks only what still matters, as Quinlan's program `consult` does.

In: a tree, a rule for missing values, and answers as they are typed. Out: the next question, or the verdict: the
answer with its probabilities, a range for each, and the ways that led there. A `Consultation` never changes: every
answer makes a new one, so that taking an answer back is to go back to an earlier one. It knows no terminal.

A question matters when some answers to it, whatever the questions behind it are answered with, lead to different
answers of the tree. What does not matter is not asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from treewright.data.schema import Column
from treewright.errors import InputError
from treewright.explain.answer import worth
from treewright.explain.consult.belief import Belief, Unknown, open_belief
from treewright.explain.consult.hearing import hear, read_given
from treewright.explain.consult.walk import Ask, Beliefs, Walked, Walker, put
from treewright.explain.interval import Interval, mean_interval, share_interval
from treewright.explain.reckoned import costs_by_class
from treewright.model.answering import TIE, decide, unaltered
from treewright.model.strategies import REFUSED, STRATEGIES
from treewright.model.tree import Tree
from treewright.predict.rule import Rule

CONFIDENCE = 0.5
"""Of the ranges: a quarter on each side, as the limits of C4.5 with its usual CF of 25 %."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked next.

    column  what of
    node    the node that asks
    share   the part of the case that comes to it, 1 unless something before it was not known exactly
    words   what the node wants to know, such as "humidity <= 75"
    way     what led to it, step by step
    """

    column: Column
    node: int
    share: float
    words: str
    way: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """An answer that was given: the place of its column, what is known by it, and that in words."""

    position: int
    belief: Belief
    words: str


@dataclass(frozen=True, slots=True)
class Ending:
    """A node where the case may end: its share of the case, its way in words, its answer, its training rows."""

    node: int
    share: float
    way: tuple[str, ...]
    answer: str
    count: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the tree says.

    answer  the class, or the number
    shares  the probability of each class, as `predict_proba` gives it; None for a number
    ranges  lower and upper limit of each, or of the number under its name; None where nothing can be said
    ends    the nodes where the case may end, most of it first
    costs   what each answer costs on average, by class; None where no costs were given
    """

    answer: Any
    shares: Mapping[Any, float] | None
    ranges: Mapping[Any, tuple[float, float] | None]
    ends: tuple[Ending, ...]
    costs: Mapping[Any, float] | None = None


@dataclass(frozen=True)
class Consultation:
    """A case as far as it is known; make one with `consult`."""

    walker: Walker
    unit: float = 1.0
    told: tuple[Told, ...] = ()

    @property
    def tree(self) -> Tree:
        return self.walker.tree

    @cached_property
    def _settled(self) -> "tuple[Beliefs, Ask | None, Walked]":
        """What is believed, the next question that matters, and the walk; what does not matter is taken as settled."""
        columns = self.tree.schema.columns
        may_be_missing = STRATEGIES[self.walker.missing].splits_on_missing
        beliefs: Beliefs = tuple(open_belief(column, may_be_missing) for column in columns)
        for one in self.told:
            beliefs = put(beliefs, one.position, one.belief)
        matters: dict[int, bool] = {}
        while True:
            walked = self.walker.walk(beliefs)
            if not walked.asks:
                return beliefs, None, walked
            for ask in sorted(walked.asks, key=lambda ask: (-ask.share, ask.node)):
                if ask.column not in matters:
                    matters[ask.column] = self.walker.matters(beliefs, ask.column)
                if matters[ask.column]:
                    return beliefs, ask, walked
                beliefs = put(beliefs, ask.column, ask.parts[0])
                break

    @property
    def question(self) -> Question | None:
        """What is asked next; None when nothing matters any more."""
        ask = self._settled[1]
        if ask is None:
            return None
        split = self.walker.split(ask.node)
        column = self.tree.schema.columns[ask.column]
        asks_itself = split is not None and split.position == ask.column
        words = split.branch_words(0) if split is not None and asks_itself else f"{column.name}, which stands in"
        return Question(column, ask.node, ask.share, words, self._way(ask.node))

    def answered(self, text: str) -> "Consultation":
        """The case with the next question answered; an InputError says what cannot be understood."""
        ask = self._settled[1]
        if ask is None:
            raise InputError("Nothing is asked any more; read the verdict, or take an answer back.")
        return self._with(ask.column, *hear(self.tree.schema.columns[ask.column], text))

    def given(self, answers: Mapping[str, Any]) -> "Consultation":
        """The case with answers by column name, as JSON has them; columns that are not asked for do no harm."""
        case = self
        for name, value in answers.items():
            case = case._with(self._position(name), *read_given(self.tree.schema.columns[self._position(name)], value))
        return case

    def back(self) -> "Consultation":
        """The case without the last answer."""
        if not self.told:
            raise InputError("There is no answer to take back yet.")
        return replace(self, told=self.told[:-1])

    def without(self, name: str) -> "Consultation":
        """The case without the answer to one column, which may be asked again."""
        position = self._position(name)
        if all(one.position != position for one in self.told):
            raise InputError(f"{name!r} was not asked yet; there is nothing to change.")
        return replace(self, told=tuple(one for one in self.told if one.position != position))

    @property
    def verdict(self) -> Verdict:
        """What the tree says, once nothing matters any more."""
        _, ask, walked = self._settled
        if ask is not None:
            raise InputError(f"{self.tree.schema.columns[ask.column].name!r} is still to be answered.")
        values = self.walker.answer(walked)
        classes = self.tree.schema.target.classes
        ends = sorted(walked.ends, key=lambda end: (-end[1], end[0]))
        shown = tuple(self._ending(node, share) for node, share in ends)
        if classes is None:
            limits = [(share, self._number_range(node)) for node, share in ends]
            name = self.tree.schema.target.name
            return Verdict(float(values[0]), None, {name: _joined(limits)}, shown)
        code = decide(self.tree.answering, values, TIE)
        ranges = {
            one: _joined([(share, self._share_range(node, i)) for node, share in ends])
            for i, one in enumerate(classes)
        }
        by_class = dict(zip(classes, values.tolist(), strict=True))
        return Verdict(classes[code], by_class, ranges, shown, costs_by_class(self.tree, values))

    def _with(self, position: int, belief: Belief, words: str) -> "Consultation":
        if isinstance(belief, Unknown) and STRATEGIES[self.walker.missing].goes == REFUSED:
            name = self.tree.schema.columns[position].name
            raise InputError(
                f"{name!r} has to be known: the model was grown with missing='error'; give a value or a range, or "
                "start with --missing fractional."
            )
        others = tuple(one for one in self.told if one.position != position)
        return replace(self, told=(*others, Told(position, belief, words)))

    def _position(self, name: str) -> int:
        names = self.tree.schema.names
        if name not in names:
            listed = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
            raise InputError(f"{name!r} is no column of the tree; its columns are {listed}.")
        return names.index(name)

    def _way(self, node: int) -> tuple[str, ...]:
        return tuple(words for _, words in self.tree.node(node).path())

    def _ending(self, node: int, share: float) -> Ending:
        view = self.tree.node(node)
        return Ending(node, share, self._way(node), view.answer_words(), view.count)

    def _share_range(self, node: int, code: int) -> Interval | None:
        tree, n_rows = self.tree, worth(self.tree, node, self.unit)
        if not n_rows > 0:
            return None
        by_class = unaltered(tree.answering, tree.stats[node])
        hits = float(by_class[code]) * n_rows / float(by_class.sum())
        return share_interval(hits, n_rows, CONFIDENCE)

    def _number_range(self, node: int) -> Interval | None:
        tree, n_rows = self.tree, worth(self.tree, node, self.unit)
        if tree.by_median or not n_rows > 0:
            return None
        loss = float(tree.stats[node, 2]) * n_rows / float(tree.weight[node])
        return mean_interval(float(tree.value[node, 0]), loss, n_rows, CONFIDENCE)


def consult(tree: Tree, rule: Rule, unit: float = 1.0) -> Consultation:
    """A case of which nothing is known yet.

    unit  the weight that counts as one row

    >>> from treewright.model.build import golf_example
    >>> case = consult(golf_example(), Rule("fractional"))
    >>> case.question.column.name
    'outlook'
    >>> case = case.answered("sunny").answered("70-80")
    >>> case.question is None, case.verdict.shares
    (True, {"Don't Play": 0.5, 'Play': 0.5})
    """
    return Consultation(Walker(tree, rule), unit)


def _joined(limits: list[tuple[float, Interval | None]]) -> tuple[float, float] | None:
    """The limits of a mixture: the mean of the limits, by share; None where one of them has none."""
    low, high = np.float64(0.0), np.float64(0.0)
    for share, one in limits:
        if one is None:
            return None
        low, high = low + share * one.low, high + share * one.high
    return float(low), float(high)
