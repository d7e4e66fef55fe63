"""A tree as a Python function that needs no library.

In: a `Scoring`. Out: the text of a module with `predict(row)` and, for classes, `predict_proba(row)`; `row` is a
mapping from column names to values. `run` executes the text for the rows of a check.
"""

import builtins
import keyword
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright.data.schema import Kind
from treewright.export.check import Predicted
from treewright.export.code_text import (
    LINE_BREAK,
    check_name,
    escaped,
    make_identifiers,
    one_line,
    wrapped,
)
from treewright.export.code_writer import (
    ABOVE,
    AT_MOST,
    BRANCH,
    KNOWN,
    MISSING,
    ONE_OF,
    UNSEEN,
    CodeWriter,
    Condition,
    Words,
    plain_value,
)
from treewright.export.probe_rows import Probes
from treewright.export.rule_scoring import Scored

OWN_NAMES = {"row", "ends", "node", "total", "CLASSES", "COSTS", "UNSEEN"}
"""Names that the code uses itself, besides those with an underscore at the start."""

FRACTION_NOTE = "A row without a value goes down every branch with a fraction of its weight."

MEAN = '''
def _mean(ends):
    """Return the mean of the probabilities of the leaves where a row ends, weighted by its fractions."""
    return [sum(weight * values[k] for weight, _, values in ends) for k in range(len(CLASSES))]
'''

CHOOSE = '''
def _choose(probabilities):
    """Return the most probable class, the first one on a tie; sums are rounded."""
    highest = max(probabilities)
    return next(label for label, p in zip(CLASSES, probabilities) if p >= highest * (1 - 1e-12))
'''

CHOOSE_BY_COST = '''
def _choose(probabilities):
    """Return the class with the lowest expected cost, the first one on a tie; sums are rounded."""
    expected = [sum(p * costs[k] for p, costs in zip(probabilities, COSTS)) for k in range(len(CLASSES))]
    lowest = min(expected)
    return next(label for label, cost in zip(CLASSES, expected) if cost <= lowest * (1 + 1e-12))
'''

NUMBER = '''
def _number(value):
    """Return a number as a float; None if it is missing."""
    return None if value is None or value != value else float(value)
'''


def is_reserved(name: str) -> bool:
    """Whether a column cannot be called so in the code."""
    return (
        keyword.iskeyword(name)
        or keyword.issoftkeyword(name)
        or hasattr(builtins, name)
        or name in OWN_NAMES
        or name.startswith("_")
        or re.fullmatch(r"(w|branch_)\d+", name) is not None
    )


def text_literal(text: str) -> str:
    """A text as a Python literal.

    >>> text_literal('5" disk')
    '"5\\\\" disk"'
    """
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    return f'"{escaped(text, chr(34) + chr(92), lambda c: short.get(c) or f"{chr(92)}U{ord(c):08x}")}"'


class PythonWriter(CodeWriter):
    """The tree in Python."""

    language = "python"
    words = Words("if %s:", "elif %s:", "else:", "", "", "%s = %s", " or ", " and ", "  # %s")

    def __init__(self, scoring: Scored) -> None:
        super().__init__(scoring)
        columns = scoring.tree.schema.names
        self.names = dict(
            zip(scoring.used, make_identifiers([columns[i] for i in scoring.used], is_reserved), strict=True)
        )

    def literal(self, value: object) -> str:
        plain = plain_value(value, "A column", self.language)
        return text_literal(plain) if isinstance(plain, str) else repr(plain)

    def condition(self, one: Condition) -> str:
        if one.kind == BRANCH:
            return f"{self.branch(one.position)} == {one.codes[0]}"
        name = self.names[one.position]
        if one.kind == ONE_OF:
            values = self.categories(one.position, one.codes)
            return f"{name} == {values[0]}" if len(values) == 1 else f"{name} in ({wrapped(values)})"
        if one.kind in (AT_MOST, ABOVE):
            test = f"{name} {'<=' if one.kind == AT_MOST else '>'} {one.threshold!r}"
            return test if one.is_known else f"{name} is not None and {test}"
        if one.kind == KNOWN and self._has_unseen(one.position):
            return f"{name} is not None and {name} is not UNSEEN"
        return {MISSING: f"{name} is None", KNOWN: f"{name} is not None", UNSEEN: f"{name} is UNSEEN"}[one.kind]

    def _has_unseen(self, position: int) -> bool:
        return self.column(position).kind is not Kind.NUMBER and self.scoring.unseen != "missing"

    def end(self, node: int) -> list[str]:
        tree, weight = self.scoring.tree, self.weight(node)
        values = [repr(value) for value in tree.value[node].tolist()]
        if self.is_regression:
            return [f"total += {weight} * {values[0]}" if self.is_fractional else f"return {values[0]}"]
        label = self.literal(self.scoring.classes[int(tree.predicted_class[node])])
        pair = f"{label}, ({wrapped(values)}{',' * (len(values) == 1)})"
        return [f"ends.append(({weight}, {pair}))" if self.is_fractional else f"return {pair}"]

    def all_of(self, tests: Sequence[str]) -> str:
        text = super().all_of(tests)
        return f"({text})" if LINE_BREAK in text else text

    def refuse(self, why: str) -> list[str]:
        return [f"raise ValueError({text_literal(why)})"]

    def set_weight(self, child: int, parent: int, cases: Sequence[tuple[str, float]], is_part: bool) -> list[str]:
        choice = " else ".join(f"{number!r} if {test}" for test, number in cases) + " else 0.0"
        return [f"{self.weight(child)} = {choice if parent == 0 else f'{self.weight(parent)} * ({choice})'}"]

    def read_columns(self) -> list[str]:
        """Lines that read the columns of a row."""
        lines = []
        for position, name in self.names.items():
            column = self.column(position)
            if column.kind is Kind.NUMBER:
                lines.append(f"    {name} = _number(row[{text_literal(column.name)}])")
                continue
            known = "{" + wrapped(self.categories(position)) + "}"
            lines.append(f"    {name} = row[{text_literal(column.name)}]")
            if self._has_unseen(position):
                lines += [f"    if {name} is None or {name} != {name}:", f"        {name} = None"]
                lines += [f"    elif {name} not in {known}:", f"        {name} = UNSEEN"]
            else:
                lines += [f"    if {name} not in {known}:", f"        {name} = None  # missing, or not in training"]
        return [line.replace(LINE_BREAK, "\n            ") for line in lines]

    def body(self) -> list[str]:
        """The lines of the function that finds the end of a row."""
        tree = self.tree_lines()
        is_fractional = self.is_fractional
        start = []
        if is_fractional:
            start += ["    total = 0.0" if self.is_regression else "    ends = []"]
            start += [f"    {self.weight(node)} = 0.0" for node in self.parts]
        elif self.parts:
            start.append("    node = 0")
        end = ["    return total" if self.is_regression else "    return ends"] if is_fractional else []
        return [*self.read_columns(), *start, *tree, *end]


def write(scoring: Scored, *, header: Sequence[str] = (), name: str = "predict") -> str:
    """Write a tree as a Python module.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    header : sequence of str
        Lines for a comment at the top.
    name : str
        The name of the function.

    Returns
    -------
    str
        The text.

    Raises
    ------
    ExportError
        If a column is derived from dates.

    Examples
    --------
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> text = write(scoring(golf_example(), "majority"))
    >>> print("\\n".join(text.splitlines()[25:38]))
        if outlook == "overcast":
            return "Play", (0.0, 1.0)
        elif outlook == "rain":
            if windy == True:
                return "Don't Play", (1.0, 0.0)
            else:  # False or missing
                return "Play", (0.0, 1.0)
        else:  # "sunny" or missing
            if humidity is not None and humidity <= 75.0:
                return "Play", (0.0, 1.0)
            else:
                return "Don't Play", (1.0, 0.0)
    """
    check_name(name, is_reserved)
    writer = PythonWriter(scoring)
    body = "\n".join(writer.body())
    parts = ["".join(f"# {one_line(line)}".rstrip() + "\n" for line in header)]
    if not scoring.is_regression:
        labels = [writer.literal(label) for label in scoring.classes]
        parts.append(f"CLASSES = ({wrapped(labels)}{',' * (len(labels) == 1)})\n".replace(LINE_BREAK, "\n    "))
    costs = scoring.tree.prediction_rule.costs
    if costs is not None and scoring.is_fractional:
        rows = "".join(f"    {row!r},\n" for row in costs)
        parts.append(f"COSTS = (  # a row for each class: the cost of predicting each class for it\n{rows})\n")
    if scoring.unseen != "missing":
        parts.append("UNSEEN = object()  # a category that did not occur in training\n")
    functions = _regression(name, body, scoring) if scoring.is_regression else _classification(name, body, scoring)
    has_numbers = any(scoring.tree.schema.columns[i].kind is Kind.NUMBER for i in scoring.used)
    functions += [NUMBER] if has_numbers else []
    return "".join(part for part in parts if part) + "\n" + "\n".join(functions)


def _regression(name: str, body: str, scoring: Scored) -> list[str]:
    return [
        f'\ndef {name}(row):\n    """Return the predicted number of a row, a mapping from column names to values.\n\n'
        f'    None and NaN are missing values.{_note(scoring)}\n    """\n{body}\n'
    ]


def _classification(name: str, body: str, scoring: Scored) -> list[str]:
    about = (
        f'"""Return the predicted class of a row, a mapping from column names to values.\n\n'
        f'    None and NaN are missing values.{_note(scoring)}\n    """'
    )
    proba = f'\ndef {name}_proba(row):\n    """Return the probability of each class, by class."""\n'
    if not scoring.is_fractional:
        return [
            f"\ndef {name}(row):\n    {about}\n    return _{scoring.end_name}(row)[0]\n",
            f"{proba}    return dict(zip(CLASSES, _{scoring.end_name}(row)[1]))\n",
            f"\ndef _{scoring.end_name}(row):\n"
            f'    """Return the class and probabilities of {scoring.end_words}."""\n{body}\n',
        ]
    what = "Return the leaves where a row ends: its weight there, their class and probabilities."
    return [
        f"\ndef {name}(row):\n    {about}\n    ends = _ends(row)\n"
        f"    return ends[0][1] if len(ends) == 1 else _choose(_mean(ends))\n",
        f"{proba}    return dict(zip(CLASSES, _mean(_ends(row))))\n",
        f'\ndef _ends(row):\n    """{what}"""\n{body}\n',
        MEAN,
        CHOOSE if scoring.tree.prediction_rule.costs is None else CHOOSE_BY_COST,
    ]


def _note(scoring: Scored) -> str:
    return f" {FRACTION_NOTE}" if scoring.is_fractional else ""


def run(text: str, probes: Probes, name: str = "predict") -> Predicted | None:
    """Execute the text for the rows of a check.

    >>> from treewright.export.check import compare
    >>> from treewright.export.probe_rows import make_probes
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> golf = scoring(golf_example(), "fractional")
    >>> probes = make_probes(golf)
    >>> compare(probes, run(write(golf), probes), "python")
    """
    space: dict[str, Any] = {}
    exec(compile(text, "<exported tree>", "exec", dont_inherit=True), space)
    names, scoring = probes.scoring.tree.schema.names, probes.scoring
    width = probes.probabilities.shape[1]
    values = np.full((len(probes.values), width), np.nan)
    classes: list[object] = []
    for i, cells in enumerate(zip(*probes.cells(), strict=True)):
        row = dict(zip(names, cells, strict=True))
        try:
            label = space[name](row)
            found = [label] if scoring.is_regression else list(space[f"{name}_proba"](row).values())
        except ValueError:
            classes.append(None)
            continue
        values[i] = found
        classes.append(label)
    return Predicted(None if scoring.is_regression else classes, values)
