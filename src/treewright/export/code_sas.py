"""A tree as statements of a SAS data step.

In: a `Scoring`. Out: statements that read the columns of the row and set `predicted` and, for classes, p_1, p_2, ...

SAS sorts a missing number before all others, so `x <= 3` holds for it: each such test is preceded by one for missing
values. Text comparisons ignore blanks at the end, and a blank text is a missing value; categories that differ in
nothing else are refused.
"""

import re
from collections.abc import Iterator, Sequence

from treewright.data.schema import Column, Kind
from treewright.errors import ExportError
from treewright.export.check import Predicted
from treewright.export.code_text import LINE_BREAK, check_name, one_line, wrapped
from treewright.export.code_writer import (
    ABOVE,
    AT_MOST,
    BRANCH,
    MISSING,
    ONE_OF,
    UNSEEN,
    CodeWriter,
    Condition,
    RuleCase,
    Words,
    is_numeric,
    plain_value,
)
from treewright.export.probe_rows import Probes
from treewright.export.rule_scoring import Scored

MAX_NAME = 32
"""Bytes of the name of a variable."""
MAX_TEXT = 32767
"""Bytes of a text."""


def text_literal(text: str) -> str:
    """A text as a SAS literal; by its bytes where it has control characters.

    >>> text_literal("Don't"), text_literal("a\\nb")
    ("'Don''t'", "'610A62'x")
    """
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return f"'{text.encode().hex().upper()}'x"


def number_literal(value: float) -> str:
    """A number as a SAS literal; with 17 digits where 15 do not suffice.

    >>> number_literal(75.0), number_literal(0.1), number_literal(0.1 + 0.2)
    ('75', '0.1', '0.30000000000000004')
    """
    short = f"{value:.15g}"
    return short if float(short) == value else f"{value:.17g}"


def check_texts(values: Sequence[object], owner: str) -> None:
    """Refuse texts that are missing values or equal in SAS."""
    seen: set[str] = set()
    for value in values:
        if not isinstance(value, str):
            continue
        text = value.rstrip(" ")
        if not text or text in seen:
            what = "does not tell from a missing value or another text"
        elif any(0xD800 <= ord(c) < 0xE000 for c in text) or len(text.encode()) > MAX_TEXT:
            what = "cannot hold in a text"
        else:
            seen.add(text)
            continue
        raise ExportError(f"{owner} has the value {value[:60]!r}, which SAS {what}; rename it before fit.")


class SasWriter(CodeWriter):
    """The tree in the statements of a data step."""

    language = "sas"
    words = Words(
        "if %s then do;", "end;\nelse if %s then do;", "end;\nelse do;", "end;", "", "%s = %s;", " or ", " and ",
        " /* %s */",
    )  # fmt: skip

    def __init__(self, scoring: Scored, name: str) -> None:
        super().__init__(scoring)
        schema = scoring.tree.schema
        self.names = {i: self._variable(schema.columns[i]) for i in scoring.used}
        names = [column.name.rstrip().lower() for column in schema.columns]
        self.taken = set(names)
        if any(names.count(names[i]) > 1 for i in scoring.used):
            raise ExportError("Two columns have the same name in SAS, which ignores case; rename one before fit.")
        for i in scoring.used:
            owner = f"Column {schema.columns[i].name!r}"
            if schema.columns[i].kind is not Kind.NUMBER:
                is_numeric(schema.columns[i].categories, owner, self.language)
                check_texts(schema.columns[i].categories, owner)
        self.predicted = self._own("predicted" if name == "predict" else name)
        start = "p_" if name == "predict" else f"{name}_p_"
        self.probabilities = [self._own(f"{start}{k + 1}") for k in range(len(scoring.classes))]
        words = "missing" if scoring.unseen == "missing" else "unseen"
        used = [i for i in scoring.used if schema.columns[i].kind is not Kind.NUMBER]
        self.flags = {i: self._own(f"_{words}_{k + 1}") for k, i in enumerate(used)}
        self.weights, self.branches, self.node = self._own("_w"), self._own("_branch"), self._own("_node")
        self.ends, self.refused, self.best = self._own("_ends"), self._own("_refused"), self._own("_best")
        self.used_flags: set[str] = set()

    def _variable(self, column: Column) -> str:
        """A column as a name literal."""
        name = column.name
        is_text = name.isprintable() and name.strip() and not any(0xD800 <= ord(c) < 0xE000 for c in name)
        if not is_text or len(name.encode()) > MAX_NAME:
            raise ExportError(
                f"Column {name[:60]!r} cannot be the name of a SAS variable, which has 1 to {MAX_NAME} bytes that can "
                f"be printed; rename it before fit."
            )
        return text_literal(name) + "n"

    def _own(self, name: str) -> str:
        """A name that no column has."""
        while name.lower() in self.taken:
            name += "_"
        self.taken.add(name.lower())
        return name

    def literal(self, value: object) -> str:
        plain = plain_value(value, "A column", self.language)
        return text_literal(plain) if isinstance(plain, str) else number_literal(float(plain))

    def weight(self, node: int) -> str:
        return f"{self.weights}[{node}]" if node else "1"

    def branch(self, node: int) -> str:
        return f"{self.branches}[{node}]"

    def is_at(self, node: int) -> str:
        return f"{self.node} = {node}"

    def go_to(self, node: int) -> str:
        return f"{self.node} = {node};"

    def condition(self, one: Condition) -> str:
        if one.kind == BRANCH:
            return f"{self.branch(one.position)} = {one.codes[0]}"
        name = self.names[one.position]
        if one.kind == ONE_OF:
            values = self.categories(one.position, one.codes)
            return f"{name} = {values[0]}" if len(values) == 1 else f"{name} in ({wrapped(values)})"
        if one.kind in (AT_MOST, ABOVE):
            test = f"{name} {'<=' if one.kind == AT_MOST else '>'} {number_literal(one.threshold)}"
            return test if one.is_known or one.kind == ABOVE else f"not missing({name}) and {test}"
        return self._known_condition(one, name)

    def first_of(self, cases: Sequence[RuleCase], otherwise: RuleCase) -> Iterator[tuple[int, str]]:
        if cases:
            yield 0, "select;"
        for case in cases:
            yield 1, f"when ({case.test}) do;{self.words.remark % case.remark}"
            yield from ((2, line) for line in case.lines)
            yield 1, "end;"
        if not cases:
            yield from ((0, line) for line in otherwise.lines)
            return
        yield 1, f"otherwise do;{self.words.remark % otherwise.remark}"
        yield from ((2, line) for line in otherwise.lines)
        yield from ((1, "end;"), (0, "end;"))

    def _known_condition(self, one: Condition, name: str) -> str:
        """MISSING, UNSEEN or KNOWN."""
        flag, missing = self.flags.get(one.position), f"missing({name})"
        if flag is not None:
            self.used_flags.add(flag)
        if one.kind == UNSEEN:
            return str(flag)
        if flag is not None and self.scoring.unseen == "missing":
            return flag if one.kind == MISSING else f"not {flag}"
        rest = "" if flag is None else f" and not {flag}"
        return missing if one.kind == MISSING else f"not {missing}{rest}"

    def end(self, node: int) -> list[str]:
        tree, weight = self.scoring.tree, self.weight(node)
        values = tree.value[node].tolist()
        is_fractional = self.is_fractional
        if self.is_regression:
            targets, values = [self.predicted], values[:1]
        else:
            targets = self.probabilities
        if is_fractional:
            pairs = [(name, value) for name, value in zip(targets, values, strict=True) if value]
            written = [f"{name} = {name} + {weight} * {_factor(value)};" for name, value in pairs]
        else:
            written = [f"{name} = {number_literal(value)};" for name, value in zip(targets, values, strict=True)]
        lines = [wrapped(written, " ").replace(LINE_BREAK, "\n")]
        if not self.is_regression:
            label = self.literal(self.scoring.classes[int(tree.predicted_class[node])])
            lines.append(f"{self.predicted} = {label};" + f" {self.ends} = {self.ends} + 1;" * is_fractional)
        return [line for line in lines if line]

    def refuse(self, why: str) -> list[str]:
        return [f"{f'{self.refused} = 1;' if self.is_fractional else self.no_result()} /* {one_line(why)} */"]

    def no_result(self) -> str:
        """The statement that makes the results missing."""
        return f"call missing({wrapped([self.predicted, *self.probabilities])});"

    def set_weight(self, child: int, parent: int, cases: Sequence[tuple[str, float]], is_part: bool) -> list[str]:
        lines = []
        for i, (test, number) in enumerate(cases):
            factors = [number_literal(number)] * (number != 1 or parent == 0) + [self.weight(parent)] * (parent != 0)
            lines.append(f"{'else ' * (i > 0)}if {test} then {self.weight(child)} = {' * '.join(factors)};")
        return [*lines, f"else {self.weight(child)} = 0;"]

    def start_lines(self) -> list[str]:
        """Statements before the tree; the tree must be written already."""
        scoring, n_nodes = self.scoring, self.scoring.tree.n_nodes
        lines = []
        labels = [plain_value(label, "The target", self.language) for label in scoring.classes]
        if labels and isinstance(labels[0], str):
            lines.append(f"length {self.predicted} $ {max(len(str(label).encode()) for label in labels)};")
        if scoring.is_fractional:
            lines.append(f"array {self.weights}[{n_nodes}] _temporary_;")
        if self.computes_branch:
            lines.append(f"array {self.branches}[0:{n_nodes}] _temporary_;")
        for i, flag in self.flags.items():
            if flag not in self.used_flags:
                continue
            known = f"{self.names[i]} in ({wrapped(self.categories(i))})"
            is_missing = "" if scoring.unseen == "missing" else f"not missing({self.names[i]}) and "
            lines.append(f"{flag} = {is_missing}not ({known});")
        if scoring.is_fractional:
            zero = [self.predicted] if scoring.is_regression else [*self.probabilities, self.ends]
            zero += [self.refused, *(self.weight(node) for node in self.parts)]
            lines.append(wrapped([f"{name} = 0;" for name in zero], " ").replace(LINE_BREAK, "\n"))
        elif self.parts:
            lines.append(f"{self.node} = 0;")
        return lines

    def end_lines(self) -> list[str]:
        """Statements after the tree: the class of a mean, and which variables are dropped."""
        helpers, lines = sorted(self.used_flags), []
        if self.is_fractional:
            helpers.append(self.refused)
            lines.append(f"if {self.refused} then {self.no_result()}")
            if not self.is_regression:
                chosen, more = self._choose()
                helpers += [self.ends, *more]
                lines += [f"else if {self.ends} > 1 then do;", *(f"    {line}" for line in chosen), "end;"]
        elif self.parts:
            helpers.append(self.node)
        return lines + ([f"drop {wrapped(helpers, ' ')};"] if helpers else [])

    def _choose(self) -> tuple[list[str], list[str]]:
        """Statements that choose the class of a mean, the first one on a tie, and their helpers."""
        costs, names, best = self.scoring.tree.prediction_rule.costs, self.probabilities, self.best
        labels = list(map(self.literal, self.scoring.classes))
        if costs is None:
            tests = [f"{name} >= {best} * (1 - 1e-12)" for name in names]
            return [f"{best} = max({wrapped(names)});", *_last_first(tests, self.predicted, labels)], [best]
        expected = [self._own(f"_cost_{k + 1}") for k in range(len(names))]
        lines = []
        for k, cost in enumerate(expected):
            terms = [f"{name} * {number_literal(row[k])}" for name, row in zip(names, costs, strict=True)]
            lines.append(f"{cost} = {wrapped(terms, ' + ')};")
        lines.append(f"{best} = min({wrapped(expected)});")
        tests = [f"{cost} <= {best} * (1 + 1e-12)" for cost in expected]
        return [*lines, *_last_first(tests, self.predicted, labels)], [best, *expected]


def _factor(value: float) -> str:
    text = number_literal(value)
    return f"({text})" if text.startswith("-") else text


def _last_first(tests: list[str], name: str, labels: list[str]) -> list[str]:
    """Statements of which the last that applies decides: the first class on a tie."""
    pairs = list(zip(tests, labels, strict=True))
    return [f"if {test} then {name} = {label};" for test, label in pairs[::-1]]


def write(scoring: Scored, *, header: Sequence[str] = (), name: str = "predict") -> str:
    """Write a tree as statements of a SAS data step.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    header : sequence of str
        Lines for a comment at the top.
    name : str
        The name of the result; "predict": the results are `predicted` and p_1, p_2, ...

    Returns
    -------
    str
        The text.

    Raises
    ------
    ExportError
        If a column is derived from dates, or its name, its categories or the classes have no form in SAS.

    Examples
    --------
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> text = write(scoring(golf_example(), "majority"))
    >>> print("\\n".join(text.splitlines()[2:8]))
    if 'outlook'n = 'overcast' then do;
        p_1 = 0; p_2 = 1;
        predicted = 'Play';
    end;
    else if 'outlook'n = 'rain' then do;
        if 'windy'n = 1 then do;
    """
    check_name(name, lambda text: len(text) > 20 or re.fullmatch(r"(?i)run|quit|data", text) is not None)
    if not scoring.is_regression:
        owner = f"The target {scoring.tree.schema.target.name!r}"
        is_numeric(scoring.classes, owner, SasWriter.language)
        check_texts(scoring.classes, owner)
    writer = SasWriter(scoring, name)
    tree = writer.tree_lines(depth=0)
    lines = [f"/* {one_line(line)} */" for line in header]
    if not scoring.is_regression:
        pairs = zip(writer.probabilities, scoring.classes, strict=True)
        about = ", ".join(f"{each} of {writer.label(label)}" for each, label in pairs)
        lines.append(f"/* {writer.predicted}: the predicted class; probabilities: {one_line(about)} */")
    else:
        lines.append(f"/* {writer.predicted}: the predicted number */")
    if scoring.is_fractional:
        lines.append("/* A row without a value goes down every branch with a fraction of its weight. */")
    end = writer.end_lines()
    whole = [*lines, *writer.start_lines(), *tree, *end]
    return "\n".join(line.replace(LINE_BREAK, "\n    ") for line in whole) + "\n"


def run(text: str, probes: Probes, name: str = "predict") -> Predicted | None:  # noqa: ARG001
    """Return None: SAS is not available here."""
    return None
