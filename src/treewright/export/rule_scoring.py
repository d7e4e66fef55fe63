"""The decisions of a rule set as plain data, for exporters.

In: a `RuleSet`. Out: a `RuleScoring`: the conditions of each rule, of which the first that applies predicts, and the
predictions. Where rules of leaves divide rows with missing values, follow surrogates, stop or refuse them, or treat
unseen categories otherwise than missing values, their conditions do not say where such a row goes: then the `Scoring`
of their tree comes out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Kind, Schema, Target
from treewright.export.scoring import NodeTest, Scoring, scoring
from treewright.model.prediction_rule import PredictionRule
from treewright.model.strategies import STRATEGIES
from treewright.rules.leaf_rules import leaves_in_print_order
from treewright.rules.rule import Condition
from treewright.rules.rule_prediction import RuleListPredictor
from treewright.rules.ruleset import RuleSet

MOST_PROBABLE = PredictionRule()
"""Without costs: each rule has its class."""
NO_CLASSES = np.zeros(0, np.intp)


@dataclass(frozen=True, slots=True, eq=False)
class RuleTable:
    """What exporters read of a tree, with the predictions of rules instead of those of nodes.

    value            (n_rules + 1, n_classes) class probabilities, or (n_rules + 1, 1) numbers; last those of all
                     other rows
    predicted_class  the code of each predicted class; empty for numbers
    """

    schema: Schema
    value: NDArray[np.float64]
    predicted_class: NDArray[np.intp]
    prediction_rule: PredictionRule = MOST_PROBABLE
    depth: int = 1

    @property
    def n_nodes(self) -> int:
        """The number of predictions."""
        return len(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class RuleScoring:
    """Rules as data for exporters, with the names of a `Scoring`.

    source   the rule set
    tree     the columns, and the prediction of each rule
    rules    the conditions of each rule, at most one for each column; the last prediction, for all other rows, has none
    numbers  the number of each rule, and last that of the rule for all other rows, 0 if that is the default class
    unseen   "missing": no rule tells an unseen category from a missing value; "stop": such a category satisfies no
             condition; "error": it is refused
    """

    source: RuleSet
    tree: RuleTable
    rules: tuple[tuple[Condition, ...], ...]
    numbers: tuple[int, ...]
    unseen: str
    tests: tuple[NodeTest | None, ...] = ()
    is_fractional: bool = False
    end_name: str = "rule"
    end_words: str = "the first rule that applies"
    decisions: str = "condition of the rules"

    @property
    def is_regression(self) -> bool:
        """Whether a number is predicted."""
        return self.source.is_number

    @property
    def classes(self) -> tuple[object, ...]:
        """The classes; empty for numbers."""
        return self.tree.schema.target.classes or ()

    @property
    def used(self) -> list[int]:
        """The positions of the columns that a condition looks at, ascending."""
        return sorted({condition.position for rule in self.rules for condition in rule})

    @property
    def refused(self) -> list[int]:
        """The positions of the columns whose unseen categories are refused."""
        columns = self.tree.schema.columns
        return [i for i in self.used if self.unseen == "error" and columns[i].kind is not Kind.NUMBER]

    def about(self) -> str:
        """What is exported, in a few words."""
        n = len(self.source)
        return f"{n:,} rule{'s' * (n != 1)}"


Scored = Scoring | RuleScoring
"""What an exporter may be given."""


def rule_scoring(rules: RuleSet) -> Scored:
    """Return the decisions of a rule set.

    >>> from treewright import C45Classifier
    >>> X, y = [[1, "a"], [2, "b"], [3, "a"], [4, "b"]] * 5, ["no", "no", "yes", "yes"] * 5
    >>> found = rule_scoring(C45Classifier().fit(X, y).rules("generalised"))
    >>> [[condition.words() for condition in rule] for rule in found.rules], found.numbers
    ([['x0 <= 2'], ['x0 > 2']], (1, 2, 0))
    """
    predictor, unseen = rules._predictor, rules._reader.unseen
    if isinstance(predictor, RuleListPredictor):
        schema = Schema(rules._reader.columns, Target(rules.target, tuple(rules.classes.tolist())))
        table = RuleTable(schema, predictor.rule_probabilities, predictor.rule_codes)
        numbers = [rule.number for rule in rules]
        if len(set(numbers)) < len(numbers):  # a file may hold anything
            numbers = list(range(1, len(numbers) + 1))
        return _rule_scoring(rules, table, predictor.conditions, [*numbers, 0], _unseen(rules, unseen))
    policy = predictor.policy
    tree = scoring(predictor.tree, policy.missing, policy.unseen if unseen == "mark" else unseen)
    # Conditions say nothing about missing values where surrogates may decide, even at a node without surrogates.
    if STRATEGIES[tree.missing].surrogates or not all(one is None or _conditions_are_exact(one) for one in tree.tests):
        return tree
    nodes = leaves_in_print_order(predictor.tree)
    classes = NO_CLASSES if rules.is_number else predictor.tree.predicted_class[nodes]
    table = RuleTable(predictor.tree.schema, predictor.tree.value[nodes], classes)
    return _rule_scoring(rules, table, [rule.conditions for rule in rules], [rule.number for rule in rules], "missing")


def _conditions_are_exact(test: NodeTest) -> bool:
    """Whether the conditions of rules say where a row without a value goes: always down the same branch.

    The rules of a branch that only missing values took in growth say "is missing", also if predictions send missing
    values down another branch.
    """
    only_missing = set(range(len(test.children))) - set(test.test.branches)
    return test.missing >= 0 and test.unseen is None and only_missing <= {test.missing}


def _unseen(rules: RuleSet, reading: str) -> str:
    """What an unseen category does; it is a missing value where both satisfy the same conditions: none."""
    if reading == "error":
        return "error"
    conditions = [condition for rule in rules for condition in rule.conditions]
    differs = any(condition.missing and condition.column.kind is not Kind.NUMBER for condition in conditions)
    return "stop" if reading == "mark" and differs else "missing"


def _rule_scoring(
    source: RuleSet, table: RuleTable, rules: Sequence[Sequence[Condition]], numbers: list[int], unseen: str
) -> RuleScoring:
    """Join the conditions on a column, and leave out rules that never apply and those after one that always does."""
    kept: list[tuple[Condition, ...]] = []
    ends: list[int] = []
    for i, conditions in enumerate(rules):
        joined = _joined(conditions, unseen)
        if joined is None:
            continue
        if not joined or i + 1 == table.n_nodes:
            ends.append(i)
            break
        kept.append(joined)
        ends.append(i)
    if len(ends) == len(kept):
        ends.append(table.n_nodes - 1)
    classes = NO_CLASSES if source.is_number else table.predicted_class[ends]
    ordered = RuleTable(table.schema, table.value[ends], classes)
    return RuleScoring(source, ordered, tuple(kept), tuple(numbers[i] for i in ends), unseen)


def _joined(conditions: Sequence[Condition], unseen: str) -> tuple[Condition, ...] | None:
    """One condition for each column, without those that always hold; None if one never holds."""
    by_column: dict[int, Condition] = {}
    for one in conditions:
        earlier = by_column.get(one.position)
        by_column[one.position] = one if earlier is None else earlier.and_also(one)
    if any(_never_holds(one) for one in by_column.values()):
        return None
    return tuple(one for one in by_column.values() if not _always_holds(one, unseen))


def codes_of(condition: Condition) -> tuple[int, ...] | None:
    """The codes of the categories that satisfy a condition; None for a number.

    >>> from treewright.data.schema import Column
    >>> codes_of(Condition(Column("size", Kind.ORDERED, ("S", "M", "L")), 0, low=0.5))
    (1, 2)
    """
    if condition.column.kind is Kind.NUMBER:
        return None
    if not condition.known:
        return ()
    if condition.codes is not None:
        return tuple(condition.codes.tolist())
    return tuple(code for code in range(condition.column.n_categories) if condition.low < code <= condition.high)


def _never_holds(condition: Condition) -> bool:
    codes = codes_of(condition)
    possible = condition.low < condition.high if codes is None else len(codes) > 0
    return not condition.missing and not (condition.known and possible)


def _always_holds(condition: Condition, unseen: str) -> bool:
    if not condition.known or not condition.missing:
        return False
    codes = codes_of(condition)
    if codes is None:
        return condition.low == -inf and condition.high == inf
    return unseen == "missing" and len(codes) == condition.column.n_categories
