"""Source code of a tree, the part that all languages share: which tests are written, in which order and how deep.

In: a `Scoring`, and a subclass of `CodeWriter` that knows the words of a language. Out: the lines of the tree.

Without fractions the tree is written as nested `if ... else`. A test with surrogates first computes the branch, then
descends. With fractions every branch has a weight, w7 for the row at node 7, and a block for weights above 0; a leaf
adds its prediction times its weight. Blocks are nested at most MAX_NESTING deep: below that the tree continues in
another block of the same function. So the length of the text grows with the number of nodes only, however deep it is.
"""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from math import isfinite
from typing import ClassVar

from treewright.data.schema import Column
from treewright.errors import ExportError, ParameterError
from treewright.export.scoring import EVERY, REFUSE, STOP, NodeTest, Scoring, ValueTest

MAX_NESTING = 20
"""Blocks inside each other; CPython takes 100."""
MAX_ARMS = 30
"""Arms of one `if ... else if ... else`; parsers read each as nested in the one before."""
MAX_WIDTH = 100
"""Width after which a list of values continues on the next line."""
LINE_BREAK = "\v"
"""Where a long line may be broken; no literal has one, because control characters are escaped."""

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
    remark    a comment at the end of a line
    """

    start: str
    otherwise_if: str
    otherwise: str
    end: str
    declare: str
    set: str
    either: str
    remark: str


class CodeWriter(ABC):
    """The tree in the words of one language.

    language   its name in errors
    words      its statements
    names      the name of each used column in the code, by position
    parts      the nodes at which a further block begins
    computes_branch  whether a variable of a branch is used
    """

    language: ClassVar[str]
    words: ClassVar[Words]

    def __init__(self, scoring: Scoring) -> None:
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
        yield from self._block([(0, 0)])
        for node in self.parts:  # which grows here
            test = self.has_weight(node) if self.is_fractional else self.is_at(node)
            yield from self._block([(0, self.words.start % test), (1, node), *self._end_of_block(0)])

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


def wrapped(items: Sequence[str], separator: str = ", ") -> str:
    """Items in one line that may be broken where it gets long.

    >>> wrapped(["1", "2"])
    '1, 2'
    """
    lines, width = [""], 0
    for i, item in enumerate(items):
        piece = item + separator * (i + 1 < len(items))
        if width and width + len(piece) > MAX_WIDTH:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
            width = 0
        lines[-1] += piece
        width += len(piece)
    return LINE_BREAK.join(lines)


def escaped(text: str, special: str, escape: Callable[[str], str]) -> str:
    """A text with the special characters, and those that cannot be printed, escaped.

    >>> escaped('say "hi"', '"', lambda character: "\\\\" + character)
    'say \\\\"hi\\\\"'
    """
    return "".join(c if c.isprintable() and c not in special else escape(c) for c in text)


def in_quotes(text: str) -> str:
    """A text in double quotes, in one line, for comments and JavaScript.

    >>> in_quotes("a\\nb")
    '"a\\\\nb"'
    """
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

    def escape(character: str) -> str:
        units = character.encode("utf-16-be", "surrogatepass").hex()
        return short.get(character) or "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))

    return f'"{escaped(text, chr(34) + chr(92), escape)}"'


def shown(value: object) -> str:
    """A category in a comment.

    >>> shown("Rome"), shown(3)
    ('"Rome"', '3')
    """
    return in_quotes(value[:50]) if isinstance(value, str) else one_line(str(value), 50)


def one_line(text: str, most: int = 1000) -> str:
    """A text for a comment: in one line, not too long, and without what ends a comment or declares an encoding.

    >>> one_line("a */ b\\nc")
    'a *\\\\/ b\\\\nc'
    """
    if any(not c.isprintable() for c in text):
        text = "".join(c if c.isprintable() else in_quotes(c)[1:-1] for c in text)
    text = text if len(text) <= most else text[: most - 3] + "..."
    for found, written in (("*/", "*\\/"), ("/*", "/\\*"), ("</", "<\\/"), ("<!--", "<\\!--"), ("??/", "? ?/")):
        text = text.replace(found, written)
    return re.sub(r"coding(?=[:=])", "coding ", text).rstrip("\\")


def make_identifiers(
    names: Sequence[str], reserved: Callable[[str], bool], *, ascii_only: bool = False, lower: bool = False
) -> list[str]:
    """Different identifiers for names: the name itself where it is one, otherwise made of its letters and digits.

    >>> make_identifiers(["age", "sepal length (cm)", "age ", "", "2nd", "if"], {"if"}.__contains__)
    ['age', 'sepal_length_cm', 'age_2', 'column', 'column_2nd', 'if_']
    """
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        text = unicodedata.normalize("NFKC", name[:200])
        if ascii_only or not text.isidentifier() or not all(_is_common_letter(c) for c in text):
            text = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
        text = (text.lower() if lower else text).strip("_")[:40]
        if not text or text[0].isdigit():
            text = f"column_{text}".rstrip("_")
        numbered = (f"{text}_{number}{end}" for number in count(2) for end in ("", "_"))
        candidates = chain([text], [] if text in taken else [f"{text}_"], numbered)
        found.append(next(one for one in candidates if one not in taken and not reserved(one)))
        taken.add(found[-1])
    return found


def _is_common_letter(character: str) -> bool:
    """Whether all languages take a character in an identifier: letters of the first plane and ASCII digits."""
    if character.isascii():
        return True
    return ord(character) < 0x10000 and unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lo")


def check_name(name: str, reserved: Callable[[str], bool]) -> None:
    """Refuse a name of a function that is not an identifier of ASCII letters, digits and underscores."""
    if not (name.isascii() and name.isidentifier()) or name.startswith("_") or reserved(name):
        raise ParameterError(f"`name` must be a name of a function in ASCII letters, got {name!r}.")
