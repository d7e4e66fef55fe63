"""Source code of a tree, the part that all languages share: which tests are written, in which order and how deep.

In: a `Scoring`, and a subclass of `CodeWriter` that knows the words of a language. Out: the lines of the tree.

Without fractions the tree is written as nested `if ... else`. A test with surrogates first computes the branch, then
descends. With fractions every branch has a weight, w7 for the row at node 7, and a block for weights above 0; a leaf
adds its prediction times its weight. Blocks are nested at most MAX_NESTING deep: below that the tree continues in
another block of the same function. So the length of the text grows with the number of nodes only, however deep it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import ClassVar

from treewright.data.schema import Column
from treewright.errors import ExportError
from treewright.export.code_text import LINE_BREAK, one_line, shown, wrapped
from treewright.export.rule_scoring import RuleScoring, Scored, codes_of
from treewright.export.scoring import EVERY, REFUSE, STOP, NodeTest, ValueTest
from treewright.rules.rule import Condition as RuleCondition

MAX_NESTING = 20
"""Blocks inside each other; CPython takes 100."""
MAX_ARMS = 30
"""Arms of one `if ... else if ... else`; parsers read each as nested in the one before."""

MISSING, UNSEEN, KNOWN, AT_MOST, ABOVE, ONE_OF, BRANCH = range(7)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition.

    kind       MISSING, UNSEEN or KNOWN; AT_MOST or ABOVE the threshold; ONE_OF the codes; or BRANCH
    position   of the column in the schema; the number of the node for BRANCH
    codes      of the categories; for BRANCH the branch alone
    is_known   whether the value is certainly known where the condition of a threshold is tested
    """

    kind: int
    position: int
    threshold: float = 0.0
    codes: tuple[int, ...] = ()
    is_known: bool = False


Conditions = list[Condition]
Item = tuple[int, str | int]
"""Depth of the nesting, and a line or the number of a node that is to be written there."""


@dataclass(frozen=True, slots=True)
class Words:
    """The statements of a language; %s is a condition, a name, or a number.

    start, otherwise_if, otherwise, end  of a conditional; `end` is empty where the indentation ends a block
    declare   of the variable of a branch; empty where there are no declarations
    set       a variable to a value
    either    between alternatives
    both      between conditions that all must hold
    remark    a comment at the end of a line
    """

    start: str
    otherwise_if: str
    otherwise: str
    end: str
    declare: str
    set: str
    either: str
    both: str
    remark: str


@dataclass(frozen=True, slots=True)
class RuleCase:
    """A rule in the words of a language: its test, the lines of its prediction, and what a comment says about it."""

    test: str
    lines: list[str]
    remark: str


class CodeWriter(ABC):
    """The tree, or rules, in the words of one language.

    language   its name in errors
    words      its statements
    names      the name of each used column in the code, by position
    parts      the nodes at which a further block begins
    computes_branch  whether a variable of a branch is used
    """

    language: ClassVar[str]
    words: ClassVar[Words]

    def __init__(self, scoring: Scored) -> None:
        self.scoring = scoring
        self.is_fractional, self.is_regression = scoring.is_fractional, scoring.is_regression
        self.parts: list[int] = []
        self.computes_branch = False
        for position in scoring.used:
            check_column(scoring.tree.schema.columns[position], self.language)
        for label in scoring.classes:
            plain_value(label, f"The target {scoring.tree.schema.target.name!r}", self.language)

    @abstractmethod
    def condition(self, one: Condition) -> str:
        """One condition; it must not need parentheses between alternatives."""

    @abstractmethod
    def end(self, node: int) -> list[str]:
        """What happens at an end node: the prediction is returned, or added with the weight of the node."""

    @abstractmethod
    def refuse(self, why: str) -> list[str]:
        """What happens to a refused row; `why` is a sentence."""

    @abstractmethod
    def set_weight(self, child: int, parent: int, cases: Sequence[tuple[str, float]], is_part: bool) -> list[str]:
        """The weight of a child: that of its parent times the number of the first case that holds, otherwise 0."""

    @abstractmethod
    def literal(self, value: object) -> str:
        """A category or class."""

    def weight(self, node: int) -> str:
        """The variable with the weight of a node; the root has every row whole."""
        return f"w{node}" if node else "1.0"

    def branch(self, node: int) -> str:
        """The variable with the branch of a node."""
        return f"branch_{node}"

    def has_weight(self, node: int) -> str:
        """The condition that a row has a weight at a node."""
        return f"{self.weight(node)} > 0"

    def is_at(self, node: int) -> str:
        """The condition that the path continues at a node."""
        return f"node == {node}"

    def go_to(self, node: int) -> str:
        """The statement after which the path continues at a node."""
        return self.words.set % ("node", str(node))

    def any_of(self, conditions: Iterable[Condition]) -> str:
        """Alternatives."""
        return self.words.either.join(map(self.condition, conditions))

    def all_of(self, tests: Sequence[str]) -> str:
        """Conditions that all must hold, each of which may need parentheses."""
        if len(tests) > 1:
            tests = [f"({test})" if self.words.either in test.replace(LINE_BREAK, " ") else test for test in tests]
        return wrapped(tests, self.words.both)

    def label(self, value: object) -> str:
        """A category in a comment."""
        return shown(value)

    def column(self, position: int) -> Column:
        """A column of the schema."""
        return self.scoring.tree.schema.columns[position]

    def categories(self, position: int, codes: Iterable[int] | None = None) -> list[str]:
        """Categories of a column as literals; None: all."""
        known = self.column(position).categories
        return [self.literal(known[code]) for code in (range(len(known)) if codes is None else codes)]

    def tree_lines(self, depth: int = 1, indent: str = "    ") -> list[str]:
        """The lines of the tree; `parts` is complete after that."""
        found: list[str] = []
        for level, text in self._blocks():
            margin = indent * (depth + level)
            further = f"\n{margin}{indent * 2}"
            found += [margin + line.replace(LINE_BREAK, further) for line in text.split("\n")]
        return found

    def _blocks(self) -> Iterator[tuple[int, str]]:
        """The first block, then those that it and later ones continue in."""
        if isinstance(self.scoring, RuleScoring):
            yield from self._rules(self.scoring)
            return
        yield from self._block([(0, 0)])
        for node in self.parts:  # which grows here
            test = self.has_weight(node) if self.is_fractional else self.is_at(node)
            yield from self._block([(0, self.words.start % test), (1, node), *self._end_of_block(0)])

    def _rules(self, scoring: RuleScoring) -> Iterator[tuple[int, str]]:
        """The rules, after a test of what is refused; the last one takes the rest."""
        cases = []
        if scoring.refused:
            unseen = wrapped([self.condition(Condition(UNSEEN, i)) for i in scoring.refused], self.words.either)
            reason = "A column has a category that did not occur in training."
            cases.append(RuleCase(self.all_of([unseen]), self.refuse(reason), "refused"))
        for i, rule in enumerate(scoring.rules):
            test = self.all_of([self._rule_condition(one) for one in rule])
            cases.append(RuleCase(test, self.end(i), f"rule {scoring.numbers[i]}"))
        last = scoring.numbers[-1]
        rest = RuleCase("", self.end(len(scoring.rules)), f"rule {last}" if last else "no rule applies")
        return self.first_of(cases, rest)

    def _rule_condition(self, one: RuleCondition) -> str:
        """A condition of a rule: known values that satisfy it, or a missing one."""
        codes, found, position = codes_of(one), [], one.position
        if codes is not None:
            is_any = len(codes) == one.column.n_categories
            if codes:
                found = [Condition(KNOWN if is_any else ONE_OF, position, codes=() if is_any else codes)]
        elif one.known:
            limits = [(kind, limit) for kind, limit in ((ABOVE, one.low), (AT_MOST, one.high)) if isfinite(limit)]
            for i, (kind, limit) in enumerate(limits):
                found.append(Condition(kind, position, limit, is_known=one.missing or i > 0))
            found = found or [Condition(KNOWN, position)]
        test = self.words.both.join(map(self.condition, found))
        if not one.missing:
            return test
        missing = self.condition(Condition(MISSING, position))
        return missing + self.words.either + (f"({test})" if len(found) > 1 else test) if found else missing

    def first_of(self, cases: Sequence[RuleCase], otherwise: RuleCase) -> Iterator[tuple[int, str]]:
        """The lines of rules, of which the first that applies predicts; a prediction ends the function."""
        for case in cases:
            yield 0, self.words.start % case.test + self.words.remark % case.remark
            yield from ((1, line) for line in case.lines)
            yield from ((depth, str(line)) for depth, line in self._end_of_block(0))
        yield 0, (self.words.remark % otherwise.remark).strip()
        yield from ((0, line) for line in otherwise.lines)

    def _block(self, items: list[Item]) -> Iterator[tuple[int, str]]:
        todo = items[::-1]
        while todo:
            depth, what = todo.pop()
            if isinstance(what, str):
                yield depth, what
                continue
            one = self.scoring.tests[what]
            if one is None:
                found: list[Item] = [(depth, line) for line in self.end(what)]
            elif self.is_fractional:
                found = self._weighted(one, depth)
            else:
                found = self._nested(one, depth)
            todo += found[::-1]

    def _nested(self, one: NodeTest, depth: int) -> list[Item]:
        """An inner node as `if ... else`."""
        if not one.surrogates and len(one.children) <= MAX_ARMS:
            return self._arms(one, ordered_arms(one), depth)
        items, by_branch = self._compute_branch(one, depth)
        if len(by_branch) <= MAX_ARMS:
            arms = list(by_branch.items())
            return items + self._arms(one, [*arms[:-1], (arms[-1][0], [])], depth)
        for outcome, conditions in by_branch.items():
            items.append((depth, self.words.start % self.any_of(conditions)))
            items += [*self._outcome(one, outcome, depth + 1), *self._end_of_block(depth)]
        return items

    def _compute_branch(self, one: NodeTest, depth: int) -> tuple[list[Item], dict[int, Conditions]]:
        """Statements that compute the branch of a node, and the condition of each outcome."""
        self.computes_branch = True
        rules, words, name = first_match_rules(one), self.words, self.branch(one.node)
        lines: list[Item] = [(depth, words.declare % name)] if words.declare else []
        if len(rules) < MAX_ARMS:
            for i, (condition, outcome) in enumerate(rules):
                keyword = words.start if i == 0 else words.otherwise_if
                lines += [(depth, keyword % self.condition(condition)), (depth + 1, words.set % (name, str(outcome)))]
            lines += [(depth, words.otherwise), (depth + 1, words.set % (name, str(one.missing)))]
            lines += self._end_of_block(depth)
        else:  # the last statement that applies decides: the rules from the last to the first
            lines.append((depth, words.set % (name, str(one.missing))))
            for condition, outcome in rules[::-1]:
                lines.append((depth, words.start % self.condition(condition)))
                lines += [(depth + 1, words.set % (name, str(outcome))), *self._end_of_block(depth)]
        outcomes = sorted({outcome for _, outcome in rules} | {one.missing})
        return lines, {outcome: [Condition(BRANCH, one.node, codes=(outcome,))] for outcome in outcomes}

    def _arms(self, one: NodeTest, arms: list[tuple[int, Conditions]], depth: int) -> list[Item]:
        """A conditional; the last arm takes the rest. A single arm needs no condition."""
        if len(arms) == 1:
            return self._outcome(one, arms[0][0], depth)
        items: list[Item] = []
        for i, (outcome, conditions) in enumerate(arms):
            if i + 1 == len(arms):
                line = self.words.otherwise + self._remark(one, conditions)
            else:
                line = (self.words.otherwise_if if i else self.words.start) % self.any_of(conditions)
            items += [(depth, line), *self._outcome(one, outcome, depth + 1)]
        return items + self._end_of_block(depth)

    def _remark(self, one: NodeTest, conditions: Conditions) -> str:
        """The categories of the last arm, as a comment."""
        if one.test.codes is None or not conditions:
            return ""
        codes = [code for condition in conditions if condition.kind == ONE_OF for code in condition.codes]
        values = [self.label(one.test.column.categories[code]) for code in codes[:8]]
        values += ["..."] * (len(codes) > 8)
        kinds = {MISSING: "missing", UNSEEN: "unseen", KNOWN: "known"}
        values += [kinds[condition.kind] for condition in conditions if condition.kind in kinds]
        return self.words.remark % one_line(" or ".join(values), 120)

    def _outcome(self, one: NodeTest, outcome: int, depth: int) -> list[Item]:
        if outcome == STOP:
            return [(depth, line) for line in self.end(one.node)]
        if outcome == REFUSE:
            return [(depth, line) for line in self.refuse(_reason(one))]
        child = one.children[outcome]
        if depth < MAX_NESTING or self.scoring.tests[child] is None:
            return [(depth, child)]
        self.parts.append(child)
        return [(depth, self.go_to(child))]

    def _weighted(self, one: NodeTest, depth: int) -> list[Item]:
        """An inner node as a weight and a block for each branch."""
        items: list[Item] = []
        by_outcome = conditions_of(one)
        if one.surrogates:
            items, by_outcome = self._compute_branch(one, depth)
        every = by_outcome.pop(EVERY, [])
        for outcome in (STOP, REFUSE):
            if outcome in by_outcome:
                items.append((depth, self.words.start % self.any_of(by_outcome[outcome])))
                items += [*self._outcome(one, outcome, depth + 1), *self._end_of_block(depth)]
        for branch, (child, fraction) in enumerate(zip(one.children, one.fractions, strict=True)):
            cases = [(every, fraction), (by_outcome.get(branch, []), 1.0)]
            written = [
                (self.any_of(replace(each, is_known=bool(every)) for each in conditions), number)
                for conditions, number in cases
                if conditions
            ]
            if any(number > 0 for _, number in written):
                items += self._weighted_child(child, one.node, written, depth)
        return items

    def _weighted_child(
        self, child: int, parent: int, cases: Sequence[tuple[str, float]], depth: int
    ) -> list[Item]:
        is_part = depth >= MAX_NESTING and self.scoring.tests[child] is not None
        items: list[Item] = [(depth, line) for line in self.set_weight(child, parent, cases, is_part)]
        if is_part:
            self.parts.append(child)
            return items
        start = self.words.start % self.has_weight(child)
        return [*items, (depth, start), (depth + 1, child), *self._end_of_block(depth)]

    def _end_of_block(self, depth: int) -> list[Item]:
        return [(depth, self.words.end)] if self.words.end else []


def conditions_of(one: NodeTest) -> dict[int, Conditions]:
    """The conditions of each branch, and of STOP, REFUSE and EVERY; no two hold at once.

    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> found = conditions_of(scoring(golf_example(), "majority").tests[1])
    >>> {outcome: [condition.kind for condition in conditions] for outcome, conditions in found.items()}
    {0: [3], 1: [4, 0]}
    """
    found: dict[int, Conditions] = {}
    for condition, outcome in _value_rules(one.test):
        found.setdefault(outcome, []).append(condition)
    found.setdefault(one.missing, []).append(Condition(MISSING, one.test.position))
    if one.unseen is not None:
        found.setdefault(one.unseen, []).append(Condition(UNSEEN, one.test.position))
    return found


def ordered_arms(one: NodeTest) -> list[tuple[int, Conditions]]:
    """The outcomes of a node with their conditions, in the order in which they are written; the last takes the rest.

    A number is compared first if a missing value takes one of the two branches. Otherwise a missing value comes first.
    """
    by_outcome = conditions_of(one)
    position, threshold = one.test.position, one.test.threshold
    if threshold is not None:
        low, high = one.test.branches
        at_most = Condition(AT_MOST, position, threshold, is_known=one.missing != high)
        first = [] if one.missing in (low, high) else [(one.missing, by_outcome[one.missing])]
        start = by_outcome[low][1:] if one.missing == low else []
        return [*first, (low, [*start, at_most]), (high, by_outcome[high])]
    ranked = sorted(by_outcome, key=lambda outcome: (outcome >= 0, outcome == one.missing, outcome))
    return [(outcome, by_outcome[outcome]) for outcome in ranked]


def first_match_rules(one: NodeTest) -> list[tuple[Condition, int]]:
    """The conditions of a node and of its surrogates; the first that holds decides, without any `one.missing` does."""
    rules = []
    for test in (one.test, *one.surrogates):
        for condition, outcome in _value_rules(test):
            is_rest = condition.kind == ABOVE
            rules.append((Condition(KNOWN, test.position) if is_rest else condition, outcome))
        if test is one.test and one.unseen is not None:
            rules.append((Condition(UNSEEN, test.position), one.unseen))
    while rules[-1][1] == one.missing and len(rules) > 1:
        rules.pop()
    return rules


def _reason(one: NodeTest) -> str:
    """Why a row is refused at a node."""
    name = f"Column {one.test.column.name!r}"
    if one.missing != REFUSE:
        return f"{name} has a category that did not occur in training."
    return f"{name} has no value." if one.test.codes is None else f"{name} has no value that occurred in training."


def _value_rules(test: ValueTest) -> list[tuple[Condition, int]]:
    """The condition of each branch that known values take."""
    position = test.position
    if test.codes is not None:
        found = []
        for codes, branch in zip(test.codes, test.branches, strict=True):
            is_any = len(codes) == test.column.n_categories
            found.append((Condition(KNOWN if is_any else ONE_OF, position, codes=() if is_any else codes), branch))
        return [(condition, branch) for condition, branch in found if condition.codes or condition.kind == KNOWN]
    if test.threshold is None:
        return [(Condition(KNOWN, position), test.branches[0])]
    low, high = test.branches
    return [(Condition(AT_MOST, position, test.threshold), low), (Condition(ABOVE, position, test.threshold), high)]


def check_column(column: Column, language: str) -> None:
    """Refuse a column that code cannot read: one derived from dates, or with categories of unusual types."""
    if column.source is not None:
        raise ExportError(
            f"Column {column.source!r} is a date or a time, which the export to {language} does not read; "
            f"convert dates to numbers before fit."
        )
    for category in column.categories:
        plain_value(category, f"Column {column.name!r}", language)


def plain_value(value: object, owner: str, language: str) -> str | bool | int | float:
    """A category or class as a value of a plain Python type; ExportError for any other type.

    >>> plain_value(3.0, "Column 'grade'", "c")
    3.0
    """
    item = getattr(value, "item", None)
    value = value if item is None else item()
    for kind in (bool, int, float, str):
        if isinstance(value, kind) and (kind is str or isfinite(value)):  # type: ignore[arg-type]
            return kind(value)
    raise ExportError(
        f"{owner} has the value {value!r}, which the export to {language} cannot write; use texts, finite numbers or "
        f"booleans."
    )


def is_numeric(values: Collection[object], owner: str, language: str) -> bool:
    """Whether categories are numbers or booleans, not texts; ExportError for both, or for numbers a float cannot hold.

    >>> is_numeric((1, 2.5), "Column 'grade'", "c"), is_numeric(("a", "b"), "Column 'city'", "c")
    (True, False)
    """
    plain = [plain_value(value, owner, language) for value in values]
    texts = [isinstance(value, str) for value in plain]
    if any(texts) and not all(texts):
        raise ExportError(f"{owner} has both texts and numbers, and {language} takes one type; use texts only.")
    for value in plain:
        if isinstance(value, int) and not _is_float(value):
            raise ExportError(f"{owner} has the value {value}, which a number of {language} cannot hold; use texts.")
    return not any(texts)


def _is_float(value: int) -> bool:
    try:
        return int(float(value)) == value
    except OverflowError:
        return False
