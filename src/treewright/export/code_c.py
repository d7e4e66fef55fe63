"""A tree as a C function that needs only the standard library.

In: a `Scoring`. Out: the text of a C99 file with a struct for the columns of a row, and `predict`. `run` compiles the
text to a shared library and calls it.
"""

import ctypes
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from treewright.data.schema import Column, Kind
from treewright.errors import ExportError
from treewright.export.check import Predicted
from treewright.export.code_text import (
    LINE_BREAK,
    check_name,
    escaped,
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
    is_numeric,
    plain_value,
)
from treewright.export.probe_rows import Probes
from treewright.export.rule_scoring import Scored

_RESERVED = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const
    const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
    reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using
    virtual void volatile wchar_t while xor xor_eq errno i386 isfinite isinf isnan linux main signbit strcmp
    unix chosen ends k node probabilities row total unused
"""
RESERVED = frozenset(_RESERVED.split())
CODE_OF_TEXT = """
/* The position of a text among categories; -1 if it is missingOR_UNSEEN. */
static int NAME_code_of_text(const char *value, const char *const *categories, int n)
{
    int k;
    if (value == NULL) return -1;
    for (k = 0; k < n; k++)
        if (strcmp(value, categories[k]) == 0) return k;
    return NOT_FOUND;
}
"""
CODE_OF_NUMBER = """
/* The position of a number among categories; -1 if it is missingOR_UNSEEN. */
static int NAME_code_of_number(double value, const double *categories, int n)
{
    int k;
    if (isnan(value)) return -1;
    for (k = 0; k < n; k++)
        if (value == categories[k]) return k;
    return NOT_FOUND;
}
"""
CHOOSE = """
/* The most probable class, the first one on a tie; sums are rounded. */
static int NAME_choose(const double *probabilities)
{
    double highest = 0.0;
    int k;
    for (k = 0; k < N_CLASSES; k++)
        if (probabilities[k] > highest) highest = probabilities[k];
    for (k = 0; k < N_CLASSES - 1; k++)
        if (probabilities[k] >= highest * (1 - 1e-12)) break;
    return k;
}
"""
CHOOSE_BY_COST = """
/* The class with the lowest expected cost, the first one on a tie; sums are rounded. */
static int NAME_choose(const double *probabilities)
{
    /* A row for each class: the cost of predicting each class for it. */
    static const double costs[N_CLASSES][N_CLASSES] = {
COSTS
    };
    double expected[N_CLASSES], lowest = INFINITY;
    int i, k;
    for (k = 0; k < N_CLASSES; k++) {
        expected[k] = 0.0;
        for (i = 0; i < N_CLASSES; i++) expected[k] += probabilities[i] * costs[i][k];
        if (expected[k] < lowest) lowest = expected[k];
    }
    for (k = 0; k < N_CLASSES - 1; k++)
        if (expected[k] <= lowest * (1 + 1e-12)) break;
    return k;
}
"""


def is_reserved(name: str) -> bool:
    """Whether a column cannot be called so in the code."""
    return name in RESERVED or re.fullmatch(r"(w|branch_)\d+|.*_categories|.*_t", name) is not None


def text_literal(text: str, owner: str) -> str:
    """A text as a C literal, in UTF-8.

    >>> text_literal('5" disk', "The target")
    '"5\\\\" disk"'
    """
    if "\0" in text or any(0xD800 <= ord(c) < 0xE000 for c in text):
        raise ExportError(f"{owner} has the value {text!r}, which a text of C cannot hold; rename it before fit.")
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\", "?": "\\?"}

    def escape(character: str) -> str:
        return short.get(character) or "".join(f"\\{byte:03o}" for byte in character.encode())

    special = '"\\?' if "??" in text else '"\\'
    return f'"{escaped(text, special, escape)}"'


class CWriter(CodeWriter):
    """The tree in C."""

    language = "c"
    words = Words("if (%s) {", "} else if (%s) {", "} else {", "}", "int %s;", "%s = %s;", " || ", " && ", " /* %s */")

    def __init__(self, scoring: Scored, name: str) -> None:
        super().__init__(scoring)
        self.name = name
        columns = scoring.tree.schema.columns
        own = {name, *(f"{name}_{end}" for end in ("row", "classes", "code_of_text", "code_of_number", "choose"))}

        def taken(text: str) -> bool:
            return is_reserved(text) or text in own

        made = make_identifiers([columns[i].name for i in scoring.used], taken, ascii_only=True, lower=True)
        self.names = dict(zip(scoring.used, made, strict=True))
        self.is_text = {
            i: columns[i].kind is not Kind.NUMBER
            and not is_numeric(columns[i].categories, f"Column {columns[i].name!r}", self.language)
            for i in scoring.used
        }

    def literal(self, value: object) -> str:
        plain = plain_value(value, "A column", self.language)
        return text_literal(plain, "A column") if isinstance(plain, str) else repr(float(plain))

    def condition(self, one: Condition) -> str:
        if one.kind == BRANCH:
            return f"{self.branch(one.position)} == {one.codes[0]}"
        name, column = self.names[one.position], self.column(one.position)
        if one.kind == ONE_OF:
            labels = [one_line(shown(column.categories[code])) for code in one.codes]
            tests = [f"{name} == {code} /* {label} */" for code, label in zip(one.codes, labels, strict=True)]
            return wrapped(tests, " || ")
        if one.kind in (AT_MOST, ABOVE):  # false for NAN
            return f"{name} {'<=' if one.kind == AT_MOST else '>'} {one.threshold!r}"
        if column.kind is Kind.NUMBER:
            return f"isnan({name})" if one.kind == MISSING else f"!isnan({name})"
        words = {MISSING: "== -1 /* missing */", UNSEEN: "== -2 /* unseen */", KNOWN: ">= 0"}
        return f"{name} {words[one.kind]}"

    def end(self, node: int) -> list[str]:
        tree, weight, is_fractional = self.scoring.tree, self.weight(node), self.is_fractional
        values = tree.value[node].tolist()
        if self.is_regression:
            return [f"total += {weight} * {values[0]!r};" if is_fractional else f"return {values[0]!r};"]
        label = int(tree.predicted_class[node])
        if not is_fractional:
            written = [f"probabilities[{k}] = {value!r};" for k, value in enumerate(values)]
            return [wrapped(written, " ").replace(LINE_BREAK, "\n"), self._return(label)]
        added = [f"probabilities[{k}] += {weight} * {value!r};" for k, value in enumerate(values) if value]
        return [wrapped(added, " ").replace(LINE_BREAK, "\n"), f"chosen = {label}; ends++;"]

    def _return(self, label: int) -> str:
        return f"return {label}; /* {one_line(self.label(self.scoring.classes[label]))} */"

    def refuse(self, why: str) -> list[str]:
        result = "NAN" if self.is_regression else "-1"
        return [f"return {result}; /* {one_line(why)} */"]

    def set_weight(self, child: int, parent: int, cases: Sequence[tuple[str, float]], is_part: bool) -> list[str]:
        choice = "".join(f"{test} ? {number!r} : " for test, number in cases) + "0.0"
        value = choice if parent == 0 else f"{self.weight(parent)} * ({choice})"
        return [f"{'' if is_part else 'const double '}{self.weight(child)} = {value};"]

    def struct(self) -> str:
        """The struct with the columns of a row."""
        lines = []
        for position, name in self.names.items():
            column, is_text = self.column(position), self.is_text[position]
            note = f" /* {one_line(in_quotes(column.name), 80)} */" if name != column.name else ""
            lines.append(f"    {'const char *' if is_text else 'double '}{name};{note}\n")
        members = "".join(lines) or "    int unused; /* no column is tested */\n"
        about = "/* The columns of a row; a missing number is NAN, a missing text NULL. */"
        return f"{about}\ntypedef struct {{\n{members}}} {self.name}_row;\n"

    def read_columns(self) -> list[str]:
        """Lines that read the columns of a row."""
        lines = []
        for position, name in self.names.items():
            column = self.column(position)
            if column.kind is Kind.NUMBER:
                lines.append(f"    const double {name} = row->{name};")
                continue
            kind, of = ("char *const ", "text") if self.is_text[position] else ("double ", "number")
            n, listed = column.n_categories, wrapped(self._listed(column)) or "0"
            lines.append(f"    static const {kind}{name}_categories[] = {{{listed}}};")
            lines.append(f"    const int {name} = {self.name}_code_of_{of}(row->{name}, {name}_categories, {n});")
        return [line.replace(LINE_BREAK, "\n        ") for line in lines]

    def _listed(self, column: Column) -> list[str]:
        owner = f"Column {column.name!r}"
        return [text_literal(c, owner) if isinstance(c, str) else self.literal(c) for c in column.categories]

    def body(self) -> str:
        """The function body."""
        tree = self.tree_lines()
        is_fractional, is_regression = self.is_fractional, self.is_regression
        start, end = [], []
        if is_fractional:
            n_classes = len(self.scoring.classes)
            start.append("    double total = 0.0;" if is_regression else "    int ends = 0, chosen = 0, k;")
            start += [f"    double {self.weight(node)} = 0.0;" for node in self.parts]
            if not is_regression:
                start.append(f"    for (k = 0; k < {n_classes}; k++) probabilities[k] = 0.0;")
            found = "total" if is_regression else f"ends == 1 ? chosen : {self.name}_choose(probabilities)"
            end.append(f"    return {found};")
        elif self.parts:
            start.append("    int node = 0;")
            end.append(f"    return {'NAN' if is_regression else '-1'}; /* not reached */")
        if not self.names:
            start.append("    (void)row;")
        return "\n".join([*self.read_columns(), *start, *tree, *end])


def write(scoring: Scored, *, header: Sequence[str] = (), name: str = "predict") -> str:
    """Write a tree as a C file.

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
        If a column is derived from dates, has both texts and numbers as categories, or a category that C cannot hold.

    Examples
    --------
    >>> from treewright.export.scoring import scoring
    >>> from treewright.model.build import golf_example
    >>> text = write(scoring(golf_example(), "majority"))
    >>> print("\\n".join(text.splitlines()[41:44]))
        if (outlook == 1 /* "overcast" */) {
            probabilities[0] = 0.0; probabilities[1] = 1.0;
            return 1; /* "Play" */
    """
    check_name(name, is_reserved)
    writer = CWriter(scoring, name)
    body = writer.body()
    lines = [one_line(line) for line in header]
    parts = ["/* " + "\n * ".join(lines) + "\n */\n"] if lines else []
    parts.append("#include <math.h>\n#include <string.h>\n\n")
    parts.append(writer.struct())
    if not scoring.is_regression:
        parts.append(_classes(name, scoring))
    parts += _helpers(name, writer)
    note = "\n * A row without a value goes down every branch with a fraction of its weight." * scoring.is_fractional
    if scoring.is_regression:
        parts.append(
            f"\n/* Return the predicted number of a row; NAN if the row is refused.{note} */\n"
            f"double {name}(const {name}_row *row)\n{{\n{body}\n}}\n"
        )
    else:
        parts.append(
            f"\n/* Return the position of the predicted class in {name}_classes, and write the probability of each;\n"
            f" * return -1 if the row is refused.{note} */\n"
            f"int {name}(const {name}_row *row, double probabilities[{len(scoring.classes)}])\n{{\n{body}\n}}\n"
        )
    return "".join(parts)


def _classes(name: str, scoring: Scored) -> str:
    """The array of classes: numbers where all are numbers, otherwise texts."""
    owner = f"The target {scoring.tree.schema.target.name!r}"
    classes = [plain_value(label, owner, "c") for label in scoring.classes]
    try:
        as_numbers = is_numeric(classes, owner, "c")
    except ExportError:
        as_numbers = False
    kind = "double " if as_numbers else "char *const "
    listed = [repr(float(label)) if as_numbers else text_literal(str(label), owner) for label in classes]
    text = wrapped(listed).replace(LINE_BREAK, "\n    ")
    return f"\nconst {kind}{name}_classes[{len(classes)}] = {{{text}}};\n"


def _helpers(name: str, writer: CWriter) -> list[str]:
    """The functions that the tree calls."""
    scoring = writer.scoring
    kinds = {writer.is_text[i] for i in scoring.used if writer.column(i).kind is not Kind.NUMBER}
    found = [text for text, is_text in ((CODE_OF_TEXT, True), (CODE_OF_NUMBER, False)) if is_text in kinds]
    if scoring.unseen == "missing":
        words = {"OR_UNSEEN": " or did not occur in training", "NOT_FOUND": "-1"}
    else:
        words = {"OR_UNSEEN": ", -2 if it did not occur in training", "NOT_FOUND": "-2"}
    if scoring.is_fractional and not scoring.is_regression:
        costs = scoring.tree.prediction_rule.costs
        found.append(CHOOSE if costs is None else CHOOSE_BY_COST)
        words["N_CLASSES"] = str(len(scoring.classes))
        words["COSTS"] = ",\n".join(f"        {{{', '.join(map(repr, row))}}}" for row in costs or ())
    words["NAME"] = name
    for word, written in words.items():
        found = [text.replace(word, written) for text in found]
    return found


def run(text: str, probes: Probes, name: str = "predict") -> Predicted | None:
    """Compile the text and call it for the rows of a check; None without a C compiler."""
    found = run_all([(text, probes, name)])
    return None if found is None else found[0]


def run_all(jobs: Sequence[tuple[str, Probes, str]]) -> list[Predicted] | None:
    """Compile texts together; each has its rows and a name of its own for its function."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        why = _compile(compiler, folder, "\n".join(text for text, _, _ in jobs))
        if why is not None:
            if _compile(compiler, folder, "#include <math.h>\n#include <string.h>\nint one;\n") is not None:
                return None  # a compiler without its headers
            raise ExportError(f"{compiler} rejects the exported code: {why}; please report this with the model.")
        try:
            library = ctypes.CDLL(str(Path(folder, "model.so")))
        except OSError:
            return None  # a folder for temporary files from which nothing is executed
        return [_answers(getattr(library, name), probes, name) for _, probes, name in jobs]


def _compile(compiler: str, folder: str, text: str) -> str | None:
    """Compile a text to model.so; the first error, or None."""
    Path(folder, "model.c").write_text(text, encoding="utf-8")
    order = [compiler, "-std=c99", "-O0", "-w", "-shared", "-fPIC", "-o", "model.so", "model.c"]
    done = subprocess.run(order, cwd=folder, capture_output=True, check=False, encoding="utf-8", errors="replace")
    if done.returncode == 0:
        return None
    return next((line for line in done.stderr.splitlines() if "error" in line), "unknown error")


def _answers(function: Any, probes: Probes, name: str) -> Predicted:
    """Call the function for every row."""
    scoring = probes.scoring
    writer = CWriter(scoring, name)
    fields: list[tuple[str, Any]] = [] if writer.names else [("unused", ctypes.c_int)]
    for i, member in writer.names.items():
        fields.append((member, ctypes.c_char_p if writer.is_text[i] else ctypes.c_double))
    row_type = type("Row", (ctypes.Structure,), {"_fields_": fields})
    function.restype = ctypes.c_double if scoring.is_regression else ctypes.c_int
    all_cells = probes.cells()
    cells = [[_encoded(cell, writer.is_text[i]) for cell in all_cells[i]] for i in writer.names]
    values = np.full(probes.probabilities.shape, np.nan)
    classes: list[object] = [None] * len(values)
    room = (ctypes.c_double * probes.probabilities.shape[1])()
    for i in range(len(values)):
        row = row_type(*(column[i] for column in cells))
        if scoring.is_regression:
            values[i] = function(ctypes.byref(row))
            continue
        code = function(ctypes.byref(row), room)
        if code >= 0:
            values[i] = list(room)
            classes[i] = scoring.classes[code]
    return Predicted(None if scoring.is_regression else classes, values)


def _encoded(cell: Any, is_text: bool) -> Any:
    """A cell as C takes it."""
    if cell is None:
        return None if is_text else float("nan")
    return cell.encode() if is_text else float(cell)
