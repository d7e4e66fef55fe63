"""No figure of the reference file of textbooks is forgotten: each is in a table of the tests beside this one, or is
listed here with the reason why it cannot be in a worked solution.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.golden import (
    test_worked_lihang,
    test_worked_others,
    test_worked_quinlan,
    test_worked_zhou,
)

NUMBER = re.compile(r"(?<![\w.])-?\d*\.\d+%?|(?<![\w.])\d+%")

SECTIONS = {
    "1": test_worked_zhou,
    "2": test_worked_lihang,
    "3": test_worked_quinlan,
    "4": test_worked_others,
}

ELSEWHERE = {
    "1": {
        "1.1 1.2 1.3 1.4 2.0 3.0 4.11": "names of sections, data sets and figures",
        "42.9 57.1": "percentages before an arrow, asserted with their sign",
        "0.420": "a threshold, shown as 0.42",
    },
    "2": {
        "5.1 5.2": "numbers of tables",
        "1.5 3.5 6.5 4.5 2.5 5.5": "cuts, asserted as rows of tables",
        "4.50 4.75 4.91 5.34 5.80 7.05 7.90 8.23 8.70 9.00": "the targets of table 5.2, data",
        "5.56 5.70 5.91 6.40 6.80 8.90 9.05": "the targets of example 8.2, data",
    },
    "3": {
        "4.0 2.0 3.0": "rows behind leaves as C4.5 prints them, whole numbers here",
        "4.7 3.1 3.2": "names of a table and of sections",
        "70.7% 63.0% 50.0%": "1 - U of rules, which est.rules() prints; the U are asserted",
        "44% 56% 12% 100% 0.4429 0.5571": "the classification of a row, which est.explain() works out; "
        "a worked solution is about a node",
        "0.69 0.47 0.72 0.4489 0.46 0.51": "Witten and Frank's limit with z = 0.69 and without the continuity term, "
        "which no method here computes",
        "0.5 .5 0.67 25%": "constants of formulas, asserted in the formulas",
        "2.512": "the product of a rounded limit; exact is 2.5069",
    },
    "4": {
        "0.926 0.031": "an erratum of the second edition, of a split information of 1.557",
        "72.5 87.5 92.5 97.5 122.5 172.5": "cuts, asserted as rows of the table",
        "2.1 2.2": "classes of degrees in Mingers' table",
    },
}


def sections(shared):
    """The text of each section of the reference file, by its number."""
    text = (shared / "reference" / "textbook.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\d)\. ", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def asserted(module):
    """Every number in the tables of a module of tests and in what it compares with; what is only said of it does not
    count: not in a comment, nor in the description of a test."""
    source = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(source) if isinstance(node, ast.Expr)}
    constants = [n.value for n in ast.walk(source) if isinstance(n, ast.Constant) and id(n) not in said]
    return {figure for constant in constants if isinstance(constant, str | float) for figure in numbers(str(constant))}


def numbers(text):
    """The figures in a text, with a plain minus."""
    return NUMBER.findall(text.replace("−", "-"))


@pytest.mark.parametrize("number", SECTIONS)
def test_every_figure_is_in_a_table_or_has_a_reason(shared, number):
    excused = {figure for listed in ELSEWHERE[number] for figure in listed.split()}
    wanted = set(numbers(sections(shared)[number]))
    assert len(wanted) > 40
    there = asserted(SECTIONS[number])
    # ".7500" is 0.7500 without its zero.
    assert sorted(f for f in wanted - excused if not {f, f"0{f}"} & there) == []


def test_the_reasons_are_needed(shared):
    """A figure that is listed here, though it is in no section, was mistyped."""
    texts = sections(shared)
    for number, reasons in ELSEWHERE.items():
        known = set(numbers(texts[number]))
        assert [f for listed in reasons for f in listed.split() if f not in known] == []
