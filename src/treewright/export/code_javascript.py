"""A tree as a JavaScript function that needs no library, for browsers and Node.js.

In: a `Scoring`. Out: the text of a script with `predict(row)` and, for classes, `predictProba(row)` and
`predictClasses`; `row` is an object with the column names as keys. `run` executes the text with node.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from math import isinf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from treewright.data.schema import Kind
from treewright.errors import ExportError
from treewright.export.check import Predicted
from treewright.export.code_text import (
    LINE_BREAK,
    check_name,
    in_quotes,
    make_identifiers,
    one_line,
    shown,
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

LARGEST_INTEGER = 2**53
"""Integers beyond it are written as BigInt."""

_RESERVED = """
    abstract arguments async await boolean break byte case catch char class const continue debugger default
    delete do double else enum eval export extends false final finally float for from function get goto if
    implements import in instanceof int interface let long module native new null of package private protected
    public return set short static super switch synchronized this throw throws transient true try typeof
    undefined var void volatile while with yield Array BigInt Boolean Error Infinity Map Math NaN Number Object
    Set String Symbol TypeError exports globalThis isNaN require row ends node total probabilities
"""
RESERVED = frozenset(_RESERVED.split())
_INHERITED = """
    constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf __proto__
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__
"""
INHERITED = frozenset(_INHERITED.split())
"""Properties that every object has."""

NUMBER = """
// A number; null if it is missing.
function NAMENumber(value, name) {
  if (value === undefined || value === null || value !== value) return null;
  if (typeof value === "string" || typeof value === "object") {
    throw new TypeError(`Column '${name}' must be a number.`);
  }
  return Number(value);
}
"""
CATEGORY = """
// A category; null if it is missing or did not occur in training.
function NAMECategory(value, categories) {
  return categories.includes(value) ? value : null;
}
"""
CATEGORY_OR_UNSEEN = """
// A category; null if it is missing.
function NAMECategory(value, categories) {
  if (value === undefined || value === null || value !== value) return null;
  return categories.includes(value) ? value : NAMEUnseen;
}
"""
MEAN = """
// The mean of the probabilities of the leaves where a row ends, weighted by its fractions.
function NAMEMean(ends) {
  return NAMEClasses.map((_, k) => ends.reduce((sum, [weight, , values]) => sum + weight * values[k], 0));
}
"""
CHOOSE = """
// The most probable class, the first one on a tie; sums are rounded.
function NAMEChoose(probabilities) {
  const highest = probabilities.reduce((a, b) => Math.max(a, b));
  return NAMEClasses[probabilities.findIndex((p) => p >= highest * (1 - 1e-12))];
}
"""
CHOOSE_BY_COST = """
// The class with the lowest expected cost, the first one on a tie; sums are rounded.
function NAMEChoose(probabilities) {
  const expected = NAMEClasses.map((_, k) => probabilities.reduce((sum, p, i) => sum + p * NAMECosts[i][k], 0));
  const lowest = expected.reduce((a, b) => Math.min(a, b));
  return NAMEClasses[expected.findIndex((cost) => cost <= lowest * (1 + 1e-12))];
}
"""
DRIVER = """
const cell = (v) => (v !== null && typeof v === "object" ? ("big" in v ? BigInt(v.big) : Number(v.number)) : v);
const all = JSON.parse(require("fs").readFileSync(0, "utf8")).map(({ file, name, columns, n }) => {
  const model = require(file);
  const found = [];
  for (let i = 0; i < n; i++) {
    const row = Object.fromEntries(columns.map(([key, cells]) => [key, cell(cells[i])]));
    try {
      const label = model[name](row);
      found.push([label, model[name + "Proba"] ? model[name + "Proba"](row) : [label]]);
    } catch (error) {
      if (error.constructor !== Error) throw error;
      found.push(null);
    }
  }
  return found;
});
process.stdout.write(JSON.stringify(all, (_, v) => (typeof v === "bigint" ? { big: String(v) } : v)));
"""


def is_reserved(name: str) -> bool:
    """Whether a column cannot be called so in the code."""
    return name in RESERVED or name.startswith("_") or re.fullmatch(r"(w|branch_)\d+", name) is not None


def text_literal(text: str) -> str:
    """A text as a JavaScript literal that is also safe inside a page.

    >>> text_literal("</script>")
    '"<\\\\/script>"'
    """
    return in_quotes(text).replace("</", "<\\/").replace("<!--", "\\u003c!--")


def number_literal(value: float) -> str:
    """A number as a JavaScript literal.

    >>> number_literal(75.0), number_literal(0.1), number_literal(-0.0)
    ('75', '0.1', '-0')
    """
    return repr(float(value)).removesuffix(".0")


class JavaScriptWriter(CodeWriter):
    """The tree in JavaScript."""

    language = "javascript"
    words = Words("if (%s) {", "} else if (%s) {", "} else {", "}", "let %s;", "%s = %s;", " || ", " && ", " // %s")

    def __init__(self, scoring: Scored, name: str) -> None:
        super().__init__(scoring)
        self.name = name
        columns = scoring.tree.schema.names

        found = ("Leaf", "Rule", "Ends")
        ends = ("", "Proba", "Classes", "Unseen", "Costs", *found, "Mean", "Choose", "Number", "Category")
        own = {name + end for end in ends}

        def taken(text: str) -> bool:
            return is_reserved(text) or text in own

        self.names = dict(zip(scoring.used, make_identifiers([columns[i] for i in scoring.used], taken), strict=True))

    def literal(self, value: object) -> str:
        plain = plain_value(value, "A column", self.language)
        if isinstance(plain, bool):
            return str(plain).lower()
        if isinstance(plain, str):
            return text_literal(plain)
        if isinstance(plain, int):
            return f"{plain}n" if abs(plain) > LARGEST_INTEGER else str(plain)
        return number_literal(plain)

    def label(self, value: object) -> str:
        return shown(value) if isinstance(value, str) else self.literal(value)

    def condition(self, one: Condition) -> str:
        if one.kind == BRANCH:
            return f"{self.branch(one.position)} === {one.codes[0]}"
        name = self.names[one.position]
        if one.kind == ONE_OF:
            values = self.categories(one.position, one.codes)
            return f"{name} === {values[0]}" if len(values) == 1 else f"[{wrapped(values)}].includes({name})"
        if one.kind in (AT_MOST, ABOVE):
            test = f"{name} {'<=' if one.kind == AT_MOST else '>'} {number_literal(one.threshold)}"
            return test if one.is_known else f"{name} !== null && {test}"
        unseen = f"{self.name}Unseen"
        if one.kind == KNOWN and self._has_unseen(one.position):
            return f"{name} !== null && {name} !== {unseen}"
        return {MISSING: f"{name} === null", KNOWN: f"{name} !== null", UNSEEN: f"{name} === {unseen}"}[one.kind]

    def _has_unseen(self, position: int) -> bool:
        return self.column(position).kind is not Kind.NUMBER and self.scoring.unseen != "missing"

    def is_at(self, node: int) -> str:
        return f"node === {node}"

    def end(self, node: int) -> list[str]:
        tree, weight = self.scoring.tree, self.weight(node)
        values = [number_literal(value) for value in tree.value[node].tolist()]
        if self.is_regression:
            return [f"total += {weight} * {values[0]};" if self.is_fractional else f"return {values[0]};"]
        pair = f"{self.literal(self.scoring.classes[int(tree.predicted_class[node])])}, [{wrapped(values)}]"
        return [f"ends.push([{weight}, {pair}]);" if self.is_fractional else f"return [{pair}];"]

    def refuse(self, why: str) -> list[str]:
        return [f"throw new Error({text_literal(why)});"]

    def set_weight(self, child: int, parent: int, cases: Sequence[tuple[str, float]], is_part: bool) -> list[str]:
        choice = "".join(f"{test} ? {number_literal(number)} : " for test, number in cases) + "0"
        value = choice if parent == 0 else f"{self.weight(parent)} * ({choice})"
        return [f"{'' if is_part else 'const '}{self.weight(child)} = {value};"]

    def read_columns(self) -> list[str]:
        """Lines that read the columns of a row."""
        lines = []
        for position, name in self.names.items():
            column = self.column(position)
            key = text_literal(column.name)
            is_simple = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", column.name) is not None
            value = f"row.{column.name}" if is_simple else f"row[{key}]"
            if column.name in INHERITED:
                value = f"Object.hasOwn(row, {key}) ? row[{key}] : null"
            if column.kind is Kind.NUMBER:
                lines.append(f"  const {name} = {self.name}Number({value}, {key});")
            else:
                known = f"[{wrapped(self.categories(position))}]"
                lines.append(f"  const {name} = {self.name}Category({value}, {known});")
        return [line.replace(LINE_BREAK, "\n      ") for line in lines]

    def body(self) -> list[str]:
        """The lines of the function that finds the end of a row."""
        tree = self.tree_lines(indent="  ")
        is_fractional = self.is_fractional
        start = []
        if is_fractional:
            start.append("  let total = 0;" if self.is_regression else "  const ends = [];")
            start += [f"  let {self.weight(node)} = 0;" for node in self.parts]
        elif self.parts:
            start.append("  let node = 0;")
        end = ["  return total;" if self.is_regression else "  return ends;"] if is_fractional else []
        return [*self.read_columns(), *start, *tree, *end]


def write(scoring: Scored, *, header: Sequence[str] = (), name: str = "predict") -> str:
    """Write a tree as a JavaScript script.

    Parameters
    ----------
    scoring : Scoring
        The decisions of the tree.
    header : sequence of str
        Lines for a comment at the top.
    name : str
        The name of the function, and the start of all other names.

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
    >>> print("\\n".join(text.splitlines()[17:22]))
      if (outlook === "overcast") {
        return ["Play", [0, 1]];
      } else if (outlook === "rain") {
        if (windy === true) {
          return ["Don't Play", [1, 0]];
    """
    check_name(name, RESERVED.__contains__)
    writer = JavaScriptWriter(scoring, name)
    body = "\n".join(writer.body())
    parts = ["".join(f"// {one_line(line)}".rstrip() + "\n" for line in header)]
    if not scoring.is_regression:
        labels = wrapped([writer.literal(label) for label in scoring.classes]).replace(LINE_BREAK, "\n  ")
        parts.append(f"const {name}Classes = [{labels}];\n")
    costs = scoring.tree.prediction_rule.costs
    if costs is not None and scoring.is_fractional:
        rows = "".join(f"  [{', '.join(map(number_literal, row))}],\n" for row in costs)
        parts.append("// A row for each class: the cost of predicting each class for it.\n")
        parts.append(f"const {name}Costs = [\n{rows}];\n")
    if scoring.unseen != "missing":
        parts.append(f'const {name}Unseen = Symbol("a category that did not occur in training");\n')
    parts += _functions(name, body, scoring)
    parts += [part.replace("NAME", name) for part in _helpers(scoring)]
    exported = [name] if scoring.is_regression else [name, f"{name}Proba", f"{name}Classes"]
    parts.append(f'\nif (typeof module === "object") module.exports = {{ {", ".join(exported)} }};\n')
    return "".join(parts)


def _functions(name: str, body: str, scoring: Scored) -> list[str]:
    """The functions for the user."""
    about = "a row, an object with the column names as keys; null, undefined and NaN are missing values."
    note = "\n// A row without a value goes down every branch with a fraction of its weight." * scoring.is_fractional
    if scoring.is_regression:
        return [f"\n// The predicted number of {about}{note}\nfunction {name}(row) {{\n{body}\n}}\n"]
    find = "Ends" if scoring.is_fractional else scoring.end_name.capitalize()
    if scoring.is_fractional:
        label = f"  const ends = {name}Ends(row);\n"
        label += f"  return ends.length === 1 ? ends[0][1] : {name}Choose({name}Mean(ends));"
        values = f"{name}Mean({name}Ends(row))"
        what = "The leaves where a row ends: its weight there, their class and probabilities."
    else:
        label, values = f"  return {name}{find}(row)[0];", f"{name}{find}(row)[1]"
        what = f"The class and the probabilities of {scoring.end_words}."
    return [
        f"\n// The predicted class of {about}{note}\nfunction {name}(row) {{\n{label}\n}}\n",
        f"\n// The probability of each of {name}Classes.\nfunction {name}Proba(row) {{\n  return {values};\n}}\n",
        f"\n// {what}\nfunction {name}{find}(row) {{\n{body}\n}}\n",
    ]


def _helpers(scoring: Scored) -> list[str]:
    """The functions that the others call."""
    kinds = {scoring.tree.schema.columns[i].kind is Kind.NUMBER for i in scoring.used}
    found = [NUMBER] if True in kinds else []
    if False in kinds:
        found.append(CATEGORY if scoring.unseen == "missing" else CATEGORY_OR_UNSEEN)
    if scoring.is_fractional and not scoring.is_regression:
        found += [MEAN, CHOOSE if scoring.tree.prediction_rule.costs is None else CHOOSE_BY_COST]
    return found


def run(text: str, probes: Probes, name: str = "predict") -> Predicted | None:
    """Execute the text with node for the rows of a check; None without node."""
    found = run_all([(text, probes, name)])
    return None if found is None else found[0]


def run_all(jobs: Sequence[tuple[str, Probes, str]]) -> list[Predicted] | None:
    """Execute texts with one process; each has its rows and the name of its function."""
    node = shutil.which("node")
    if node is None:
        return None
    with TemporaryDirectory() as folder:
        orders = []
        for i, (text, probes, name) in enumerate(jobs):
            Path(folder, f"model{i}.cjs").write_text(text, encoding="utf-8")
            names = probes.scoring.tree.schema.names
            columns = [(key, list(map(_encoded, cells))) for key, cells in zip(names, probes.cells(), strict=True)]
            orders.append({"file": f"./model{i}.cjs", "name": name, "columns": columns, "n": len(probes.values)})
        Path(folder, "driver.cjs").write_text(DRIVER, encoding="utf-8")
        given = json.dumps(orders)
        done = subprocess.run(
            [node, "driver.cjs"], input=given, cwd=folder, capture_output=True, check=False, encoding="utf-8"
        )
    if done.returncode:
        why = next((line for line in done.stderr.splitlines() if "Error" in line), "unknown error")
        raise ExportError(f"node does not run the exported code: {why}; please report this with the model.")
    return [_answers(probes, found) for (_, probes, _), found in zip(jobs, json.loads(done.stdout), strict=True)]


def _answers(probes: Probes, rows: list[Any]) -> Predicted:
    values = np.full(probes.probabilities.shape, np.nan)
    classes: list[object] = [None] * len(values)
    for i, found in enumerate(rows):
        if found is not None:
            label, values[i] = found
            classes[i] = int(label["big"]) if isinstance(label, dict) else label
    return Predicted(None if probes.scoring.is_regression else classes, values)


def _encoded(cell: Any) -> Any:
    """A cell for JSON, which has no infinity and no large integers."""
    if isinstance(cell, int) and abs(cell) > LARGEST_INTEGER:
        return {"big": str(cell)}
    if isinstance(cell, float) and isinf(cell):
        return {"number": "Infinity" if cell > 0 else "-Infinity"}
    return cell
