"""Explained: which rule answers a row, and what its conditions saw.

In: a rule set and one row. Out: a `RuleExplanation`, as text, plain values or HTML.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.model.grid import counted, element
from treewright.model.plain import plain
from treewright.model.way import ways
from treewright.model.words import category_words, printable
from treewright.rules.answering import ByTree, InTurn
from treewright.rules.rule import Rule

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

N_SHOWN = 10
"""Rules that share an answer, or apply too, on a page."""


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A rule that applies to the row.

    rule   the rule
    share  the part of the row that it answers: 1, or less where a missing value sends the row several ways
    seen   the row's value in words, for each condition
    """

    rule: Rule
    share: float
    seen: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class RuleExplanation:
    """Which rule answers a row; print it, or read its fields.

    target   the name of the target
    answer   the class or number that is answered
    shares   the share of each class by class; empty for numbers
    applied  the rules that answer: one; several where a missing value divides the row; none where the default class
             answers, or a node of the tree
    others   generalised rules that apply too, and come later
    why      what decided where no rule did, in a sentence; None otherwise
    """

    target: str
    answer: Any
    shares: dict[Any, float]
    applied: tuple[Applied, ...]
    others: tuple[Applied, ...]
    why: str | None

    def to_text(self) -> str:
        """The explanation for a terminal.

        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0])
        >>> print(model.rules().explain([2]).to_text())
        target = 5, by rule 1:
            x0 <= 2.5  (x0 is 2)
        """
        return "\n".join(_lines(self))

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values.

        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0])
        >>> model.rules().explain([2]).to_dict()["applied"][0]["seen"]
        ['2']
        """
        return {
            "target": self.target,
            "answer": plain(self.answer),
            "shares": [[plain(label), share] for label, share in self.shares.items()],
            "applied": [_applied_dict(one) for one in self.applied],
            "others": [_applied_dict(one) for one in self.others],
            "why": self.why,
        }

    def to_html(self) -> str:
        """The explanation for a notebook.

        >>> from treewright import CARTRegressor
        >>> model = CARTRegressor(pruning=None).fit([[1], [2], [3]], [5.0, 5.0, 8.0])
        >>> model.rules().explain([2]).to_html()
        '<div><pre>target = 5, by rule 1:\\n    x0 &lt;= 2.5  (x0 is 2)</pre></div>'
        """
        return f"<div>{element('pre', self.to_text())}</div>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()


def explained(rules: "RuleSet", values: NDArray[np.float64], answering: ByTree | InTurn) -> RuleExplanation:
    """Which rules answer the one row of `values`."""
    fired = answering.firing(values)
    shares: dict[Any, float] = {}
    if rules.is_number:
        answer: Any = float(answering.numbers(values)[0])
    else:
        answer = rules.classes[answering.codes(values)[0]]
        shares = dict(zip(rules.classes.tolist(), answering.shares(values)[0].tolist(), strict=True))
    return RuleExplanation(
        rules.target,
        plain_label(answer),
        shares,
        tuple(_applied(rules.rules[i], share, values) for i, share in fired.rules),
        tuple(_applied(rules.rules[i], 0.0, values) for i in fired.others),
        _why(fired.stops, answering),
    )


def plain_label(answer: Any) -> Any:
    """A label out of numpy's hands.

    >>> plain_label(np.str_("yes"))
    'yes'
    """
    return answer.item() if isinstance(answer, np.generic) else answer


def _applied(rule: Rule, share: float, values: NDArray[np.float64]) -> Applied:
    seen = tuple(c.cell_words(float(values[0, c.position])) for c in rule.conditions)
    return Applied(rule, share, seen)


def _why(stops: tuple[tuple[int, float], ...], answering: ByTree | InTurn) -> str | None:
    if not stops or isinstance(answering, InTurn):
        return None
    tree, (node, _) = answering.tree, stops[0]
    name = tree.schema.names[tree.column[node]]
    more = f", and at {counted(len(stops) - 1, 'more node')}" if len(stops) > 1 else ""
    where = ways(tree, [node])[0]
    return f"The row stops at node {node} ({where}){more}, where {name} is asked for; the rows of the node answer."


def _applied_dict(one: Applied) -> dict[str, Any]:
    return {"rule": one.rule.to_dict(), "share": one.share, "seen": list(one.seen)}


def _lines(told: RuleExplanation) -> list[str]:
    answer = f"class {category_words(told.answer)}" if told.shares else f"{told.target} = {told.answer:.6g}"
    if not told.applied:
        by = "by default: no rule applies." if told.why is None else f"by no rule. {told.why}"
        return [printable(f"{answer}, {by}")]
    several = len(told.applied) > 1 or told.why is not None
    first = told.applied[0].rule.number
    lines = [printable(f"{answer}, by {'shares of the row' if several else f'rule {first}'}:")]
    for one in told.applied[:N_SHOWN]:
        if several:
            lines.append(printable(f"rule {one.rule.number}, share {one.share:.3g}: {one.rule.answer_words}"))
        lines += _seen(one)
    if len(told.applied) > N_SHOWN:
        lines.append(f"… {counted(len(told.applied) - N_SHOWN, 'more rule')} with smaller shares")
    if told.why is not None:
        lines.append(printable(told.why))
    if told.others:
        lines.append("Rules that apply too, and come later:")
        lines += [printable(f"    rule {one.rule.number}: {one.rule}") for one in told.others[:N_SHOWN]]
        if len(told.others) > N_SHOWN:
            lines.append(f"    … {counted(len(told.others) - N_SHOWN, 'more rule')}")
    return lines


def _seen(one: Applied) -> list[str]:
    pairs = zip(one.rule.conditions, one.seen, strict=True)
    lines = [printable(f"    {condition.words()}  ({condition.name} is {seen})") for condition, seen in pairs]
    return lines or ["    always"]
