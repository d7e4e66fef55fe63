"""A consultation: a tree that asks only what still matters, as Quinlan's program `consult` does.

What comes in: a tree, a missing-value policy, and answers as a person types them. What goes out: the next question, or
the result: the prediction with its probabilities, an interval for each, and the paths that led there. A `Consultation`
never changes: every answer makes a new one, so that taking an answer back is returning to an earlier one.

A question matters if two answers to it can lead to different predictions, whatever is answered to the questions after
it. What does not matter is not asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from treewright.data.schema import Column, Kind
from treewright.deprecation import DeprecatedAlias
from treewright.errors import InputError
from treewright.explain.consult.belief import (
    Belief,
    ParsedAnswer,
    Unknown,
    parse_answer,
    parse_json_answer,
    unasked_belief,
)
from treewright.explain.consult.case_routing import (
    Beliefs,
    CaseRouter,
    PendingQuestion,
    ReachedNode,
    RoutedCase,
    with_belief,
)
from treewright.explain.leaf_probability import (
    Interval,
    costs_by_class,
    equivalent_rows,
    mean_interval,
    proportion_interval,
)
from treewright.language import messages
from treewright.model.formatting import format_category, format_number, join_conditions, printable, truncate
from treewright.model.prediction_rule import TIE, choose_classes, without_cost_factors
from treewright.model.strategies import REFUSED, STRATEGIES
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy

CONFIDENCE = 0.5
"""Of the intervals: a quarter on each side, as the limits of C4.5 with its default CF of 25 %."""

MAX_CATEGORIES, MAX_CLASSES, MAX_PATHS = 20, 10, 8
"""Categories that a question lists, and classes and paths that a result lists, the most probable first."""

MAX_NAME = 60
"""Characters shown of a category in a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """The next question.

    column    the column it is about
    node      the node that tests it
    fraction  the fraction of the case that comes to the node: 1 unless something before it is not known exactly
    words     what the node tests, such as "humidity <= 75"
    path      the conditions on the path to the node
    language  "en" or "zh"
    """

    column: Column
    node: int
    fraction: float
    words: str
    path: tuple[str, ...]
    language: str = "en"

    share = DeprecatedAlias("fraction")
    way = DeprecatedAlias("path")

    def to_text(self, emphasize: Callable[[str], str] = str) -> str:
        """Return the question on one line, with what can be answered; `emphasize` formats the name of the column."""
        _ = messages(self.language)
        names = [truncate(printable(format_category(one)), MAX_NAME) for one in self.column.categories]
        if self.column.kind is Kind.NUMBER:
            hint = _("a number; the tree tests {condition}", condition=truncate(printable(self.words), MAX_NAME))
        elif len(names) <= MAX_CATEGORIES:
            hint = ", ".join(f"{i} {name}" for i, name in enumerate(names, 1))
        else:
            examples = ", ".join(names[:3])
            n = f"{len(names):,}"
            hint = _("one of {n} categories, such as {examples}; type the first letters", n=n, examples=examples)
        return _("{column} ({hint})?", column=emphasize(printable(self.column.name)), hint=hint)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer that was given: the index of its column, what is known by it, and that as text."""

    position: int
    belief: Belief
    words: str


@dataclass(frozen=True, slots=True)
class CaseEnd:
    """A node where the case may end.

    node        its number
    fraction    of the case
    path        the conditions on the path to it
    prediction  its prediction with the training rows, such as "yes (3)"
    count       its training rows
    """

    node: int
    fraction: float
    path: tuple[str, ...]
    prediction: str
    count: int

    share = DeprecatedAlias("fraction")
    way = DeprecatedAlias("path")
    answer = DeprecatedAlias("prediction")


@dataclass(frozen=True, slots=True)
class ConsultationResult:
    """What the tree predicts for the case.

    prediction     the class or the number
    probabilities  the probability of each class, as `predict_proba` returns it; None for regression
    intervals      lower and upper limit of each, or of the number under the name of the target; None if there is none
    ends           the nodes where the case may end, largest fraction first
    costs          the expected cost of predicting each class; None if no costs were given
    target         the name of the target
    language       "en" or "zh"
    """

    prediction: Any
    probabilities: Mapping[Any, float] | None
    intervals: Mapping[Any, tuple[float, float] | None]
    ends: tuple[CaseEnd, ...]
    costs: Mapping[Any, float] | None
    target: str
    language: str = "en"

    answer = DeprecatedAlias("prediction")
    shares = DeprecatedAlias("probabilities")
    ranges = DeprecatedAlias("intervals")

    def to_text(self, emphasize: Callable[[str], str] = str) -> str:
        """Return the result as text; `emphasize` formats the prediction."""
        return "\n".join([*self._prediction_lines(emphasize), *self._cost_lines(), *self._path_lines()])

    def _prediction_lines(self, emphasize: Callable[[str], str]) -> list[str]:
        _ = messages(self.language)
        target = printable(self.target)
        if self.probabilities is None:
            interval = self._interval_words(next(iter(self.intervals.values())), _format_short)
            return [f"{target}: {emphasize(_format_short(self.prediction))}{interval}"]
        lines = [f"{target}: {emphasize(printable(format_category(self.prediction)))}"]
        by_class = sorted(self.probabilities.items(), key=lambda one: -one[1])
        for label, probability in by_class[:MAX_CLASSES]:
            interval = self._interval_words(self.intervals[label], _percent)
            lines.append(f"  {_percent(probability):>6}  {printable(format_category(label))}{interval}")
        if len(by_class) > MAX_CLASSES:
            n_more = len(by_class) - MAX_CLASSES
            lines.append("  " + _.plural("… {n} more class", "… {n} more classes", n_more))
        return lines

    def _interval_words(self, limits: tuple[float, float] | None, words: Callable[[float], str]) -> str:
        if limits is None:
            return ""
        _ = messages(self.language)
        return f"  ({_('{low} to {high}', low=words(limits[0]), high=words(limits[1]))})"

    def _cost_lines(self) -> list[str]:
        if self.costs is None:
            return []
        _ = messages(self.language)
        cheapest = sorted(self.costs.items(), key=lambda one: one[1])
        listed = ", ".join(f"{format_category(label)} {_format_short(cost)}" for label, cost in cheapest[:MAX_CLASSES])
        listed += ", …" if len(cheapest) > MAX_CLASSES else ""
        return [printable(_("lowest expected cost; expected cost of each prediction: {costs}", costs=listed))]

    def _path_lines(self) -> list[str]:
        _ = messages(self.language)
        lines = []
        for end in self.ends[:MAX_PATHS]:
            path = join_conditions(end.path, self.language) or _("the tree has no split here")
            values = {"path": path, "prediction": end.prediction, "node": end.node}
            if len(self.ends) == 1:
                return [printable(_("because {path}: {prediction} in the training data, leaf {node}", **values))]
            reached = _("{path}: {prediction}, leaf {node}", **values)
            lines.append(printable(f"  {_percent(end.fraction):>6}  {reached}"))
        n_more = len(self.ends) - MAX_PATHS
        if n_more > 0:
            lines.append("  " + _.plural("… {n} more path", "… {n} more paths", n_more))
        return [_("by several paths, because not everything is known:"), *lines]


class _State(NamedTuple):
    """What is believed, the next question that matters, and where the case goes."""

    beliefs: Beliefs
    question: PendingQuestion | None
    routed: RoutedCase


@dataclass(frozen=True)
class Consultation:
    """A case as far as it is known; make one with `consult`.

    router      routes the case through the tree
    row_weight  the weight that counts as one row
    answers     the answers so far
    language    of questions and results: "en" or "zh"
    """

    router: CaseRouter
    row_weight: float = 1.0
    answers: tuple[GivenAnswer, ...] = ()
    language: str = "en"

    told = DeprecatedAlias("answers")
    verdict = DeprecatedAlias("result")
    answered = DeprecatedAlias("with_answer")
    given = DeprecatedAlias("with_answers")
    without = DeprecatedAlias("without_answer")

    @property
    def tree(self) -> Tree:
        return self.router.tree

    @cached_property
    def _state(self) -> _State:
        """Route the case; questions that do not matter are settled without asking."""
        may_be_missing = STRATEGIES[self.router.missing].splits_on_missing
        beliefs: Beliefs = tuple(unasked_belief(column, may_be_missing) for column in self.tree.schema.columns)
        for answer in self.answers:
            beliefs = with_belief(beliefs, answer.position, answer.belief)
        matters: dict[int, bool] = {}
        while True:
            routed = self.router.route(beliefs)
            if not routed.questions:
                return _State(beliefs, None, routed)
            for question in sorted(routed.questions, key=lambda one: (-one.fraction, one.node)):
                if question.column not in matters:
                    matters[question.column] = self.router.matters(beliefs, question.column)
                if matters[question.column]:
                    return _State(beliefs, question, routed)
                beliefs = with_belief(beliefs, question.column, question.options[0])
                break

    @property
    def question(self) -> Question | None:
        """The next question; None if no question matters any more."""
        pending = self._state.question
        if pending is None:
            return None
        split = self.router.split(pending.node)
        column = self.tree.schema.columns[pending.column]
        if split is not None and split.position == pending.column:
            words = split.branch_words(0, self.language)
        else:
            _ = messages(self.language)
            words = _("{column} as a surrogate", column=column.name)
        return Question(column, pending.node, pending.fraction, words, self._path(pending.node), self.language)

    def with_answer(self, text: str) -> "Consultation":
        """Answer the next question; text that cannot be read is an InputError."""
        pending = self._state.question
        if pending is None:
            raise InputError("There is no question left; see the result, or take an answer back.")
        parsed = parse_answer(self.tree.schema.columns[pending.column], text, self.language)
        return self._with(pending.column, parsed)

    def with_answers(self, answers: Mapping[str, Any]) -> "Consultation":
        """Answer by column name, with values as in JSON; columns that no question needs do no harm."""
        case = self
        for name, value in answers.items():
            position = self._position(name)
            case = case._with(position, parse_json_answer(self.tree.schema.columns[position], value, self.language))
        return case

    def back(self) -> "Consultation":
        """Take the last answer back."""
        _ = messages(self.language)
        if not self.answers:
            raise InputError(_("There is no answer to take back yet."))
        return replace(self, answers=self.answers[:-1])

    def without_answer(self, name: str) -> "Consultation":
        """Take the answer to one column back; the column may be asked again."""
        position, _ = self._position(name), messages(self.language)
        if all(answer.position != position for answer in self.answers):
            raise InputError(_("There is no answer to {column!r} yet.", column=name))
        return replace(self, answers=tuple(answer for answer in self.answers if answer.position != position))

    @property
    def result(self) -> ConsultationResult:
        """The prediction, once no question matters any more."""
        _, pending, routed = self._state
        if pending is not None:
            raise InputError(f"Answer the question about {self.tree.schema.columns[pending.column].name!r} first.")
        value, target = self.router.predict(routed), self.tree.schema.target
        ends = sorted(routed.ends, key=lambda end: (-end.fraction, end.node))
        shown = tuple(self._case_end(end) for end in ends)
        if target.classes is None:
            limits = _mix_intervals([(end.fraction, self._number_interval(end.node)) for end in ends])
            return ConsultationResult(
                float(value[0]), None, {target.name: limits}, shown, None, target.name, self.language
            )
        intervals = {
            label: _mix_intervals([(end.fraction, self._class_interval(end.node, code)) for end in ends])
            for code, label in enumerate(target.classes)
        }
        return ConsultationResult(
            prediction=target.classes[choose_classes(self.tree.prediction_rule, value, TIE)],
            probabilities=dict(zip(target.classes, value.tolist(), strict=True)),
            intervals=intervals,
            ends=shown,
            costs=costs_by_class(self.tree, value),
            target=target.name,
            language=self.language,
        )

    def why(self) -> str:
        """Return why the next question is asked: what is known so far, and where the branches of the node lead."""
        _ = messages(self.language)
        names = self.tree.schema.names
        known = [f"{names[one.position]}: {one.words}" for one in self.answers]
        lines = [_("Known so far: {answers}.", answers="; ".join(known) or _("nothing"))]
        question = self.question
        if question is not None:
            if question.path:
                lines.append(_("This leads to: {path}.", path=join_conditions(question.path, self.language)))
            lines += self._branch_lines(question)
        return "\n".join(printable(line) for line in lines)

    def _branch_lines(self, question: Question) -> list[str]:
        _ = messages(self.language)
        node = self.tree.node(question.node)
        values = {"node": node.id, "column": "" if node.split is None else node.split.name}
        if question.fraction > 0.9995:
            lines = [_("Node {node} splits on {column}, and its branches lead to different predictions:", **values)]
        else:
            fraction = f"{100 * question.fraction:.3g}%"
            lines = [
                _(
                    "Node {node}, reached by {fraction} of the case, splits on {column}, and its branches lead to "
                    "different predictions:",
                    **values,
                    fraction=fraction,
                )
            ]
        for child in node.children[:MAX_PATHS]:
            condition, prediction = child.condition(self.language), child.prediction_words(self.language)
            values = {"condition": condition, "prediction": prediction}
            if self.tree.schema.target.is_number:
                lines.append("  " + _("{condition}: {prediction}", **values))
            else:
                lines.append("  " + _("{condition}: mostly {prediction}", **values))
        n_more = len(node.children) - MAX_PATHS
        if n_more > 0:
            lines.append("  " + _.plural("… {n} more branch", "… {n} more branches", n_more))
        return lines

    def _with(self, position: int, parsed: ParsedAnswer) -> "Consultation":
        if isinstance(parsed.belief, Unknown) and STRATEGIES[self.router.missing].goes == REFUSED:
            name = self.tree.schema.columns[position].name
            raise InputError(
                f"{name!r} must be known, because the model was grown with missing='error'; give a value or a range, "
                "or start with --missing fractional."
            )
        others = tuple(answer for answer in self.answers if answer.position != position)
        return replace(self, answers=(*others, GivenAnswer(position, *parsed)))

    def _position(self, name: str) -> int:
        names = self.tree.schema.names
        if name not in names:
            listed = ", ".join(map(repr, names[:8])) + (", …" if len(names) > 8 else "")
            raise InputError(f"Column {name!r} not found; the columns of the tree are {listed}.")
        return names.index(name)

    def _path(self, node: int) -> tuple[str, ...]:
        return tuple(words for _, words in self.tree.node(node).path(self.language))

    def _case_end(self, end: ReachedNode) -> CaseEnd:
        node = self.tree.node(end.node)
        return CaseEnd(end.node, end.fraction, self._path(end.node), node.prediction_words(self.language), node.count)

    def _class_interval(self, node: int, code: int) -> Interval | None:
        tree, n_rows = self.tree, equivalent_rows(self.tree, node, self.row_weight)
        if not n_rows > 0:
            return None
        by_class = without_cost_factors(tree.prediction_rule, tree.stats[node])
        return proportion_interval(float(by_class[code]) * n_rows / float(by_class.sum()), n_rows, CONFIDENCE)

    def _number_interval(self, node: int) -> Interval | None:
        tree, n_rows = self.tree, equivalent_rows(self.tree, node, self.row_weight)
        if tree.not_squared or not n_rows > 0:
            return None
        loss = float(tree.stats[node, 2]) * n_rows / float(tree.weight[node])
        return mean_interval(float(tree.stats[node, 1]), loss, n_rows, CONFIDENCE)


def consult(tree: Tree, policy: MissingPolicy, row_weight: float = 1.0, language: str = "en") -> Consultation:
    """Start a consultation of which nothing is known yet.

    Parameters
    ----------
    tree : Tree
        The tree to consult.
    policy : MissingPolicy
        Where an unknown value goes.
    row_weight : float, default=1.0
        The weight that counts as one row.
    language : str, default="en"
        Language of questions and results: "en" or "zh".

    Examples
    --------
    >>> from treewright.model.build import golf_example
    >>> case = consult(golf_example(), MissingPolicy("fractional"))
    >>> case.question.column.name
    'outlook'
    >>> case = case.with_answer("sunny").with_answer("70-80")
    >>> case.question is None, case.result.probabilities
    (True, {"Don't Play": 0.5, 'Play': 0.5})
    """
    messages(language)
    return Consultation(CaseRouter(tree, policy), row_weight, language=language)


def _mix_intervals(intervals: Sequence[tuple[float, Interval | None]]) -> tuple[float, float] | None:
    """Return the limits of a mixture: the means of the limits, weighted by fraction; None if one has no limits."""
    low, high = np.float64(0.0), np.float64(0.0)
    for fraction, interval in intervals:
        if interval is None:
            return None
        low, high = low + fraction * interval.low, high + fraction * interval.high
    return float(low), float(high)


def _format_short(number: float) -> str:
    return format_number(float(f"{number:.6g}"))


def _percent(proportion: float) -> str:
    return f"{100 * proportion:.1f}%"
