"""Every figure of Quinlan's golf table, of its weather twins, and of error-based pruning in a worked solution.

`book` is what is printed where it differs from the exact figure: differences of rounded numbers.
"""

from functools import cache

import pandas as pd
import pytest

from tests.golden.tables import GOLF, GOLF_12, WEATHER_NOMINAL, WEATHER_NUMERIC
from tests.golden.worked_page import figures, page_of, printed
from treewright import C45Classifier, ID3Classifier
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.ledger.worked.solution import worked_pruning
from treewright.model.build import build, leaf, table
from treewright.prune import ErrorBased

D, CHOICE, EBP = "The rows", "The choice", "Pruning: error-based (C4.5)"


def textbook(data, **more):
    return C45Classifier(variant="textbook", pruning=None).fit(data.frame().assign(**more), data.y)


CODES = pd.Categorical([chr(ord("a") + i) for i in range(14)])
MODELS = {
    "golf": lambda: textbook(GOLF),
    "golf of release 8": lambda: C45Classifier(min_samples_leaf=1).fit(GOLF.frame(), GOLF.y),
    "nominal": lambda: textbook(WEATHER_NOMINAL),
    "nominal with ID": lambda: textbook(WEATHER_NOMINAL, ID=CODES),
    "nominal by gain": lambda: ID3Classifier().fit(WEATHER_NOMINAL.frame(), WEATHER_NOMINAL.y),
    "numeric": lambda: textbook(WEATHER_NUMERIC),
    "case 12": lambda: C45Classifier(pruning=None).fit(GOLF_12.frame(), GOLF_12.y),
}


@cache
def solution(name, node=0):
    return MODELS[name]().worked_solution(node)


GOLF_ROOT = [
    figures(D, "Ent(D)", "0.940"),
    figures("outlook", "Ent(D | outlook)", "0.694"),
    figures("outlook", "Gain(D, outlook)", "0.2467", "0.247", book="0.246"),
    figures("outlook", "IV(outlook)", "1.577"),
    figures("outlook", "GainRatio(D, outlook)", "0.156"),
    figures("windy", "Gain(D, windy)", "0.048"),
    figures("windy", "IV(windy)", "0.985"),
    figures("windy", "GainRatio(D, windy)", "0.049", "0.0488"),
    figures("temperature", "Gain(D, temperature, 84)", "0.1134"),
    figures("temperature", ("84", "n₁"), "13"),
    figures("temperature", ("84", "n₂"), "1"),
    figures("humidity", "Gain(D, humidity, 82.5)", "0.1022"),
    figures("humidity", ("82.5", "n₁"), "9"),
    figures("humidity", ("82.5", "n₂"), "5"),
]
CHARGED = [
    figures("temperature", "Gain_net(D, temperature, 83)", "-0.1337"),
    figures("humidity", "Gain_net(D, humidity, 80)", "-0.1120"),
]
NOMINAL = [
    figures("humidity", "Gain(D, humidity)", "0.1518", "0.152"),
    figures("humidity", "IV(humidity)", "1.000"),
    figures("temperature", "Gain(D, temperature)", "0.0292", "0.029"),
    figures("temperature", "IV(temperature)", "1.557"),
    figures("temperature", "GainRatio(D, temperature)", "0.019", "0.0188"),
    figures(CHOICE, ("outlook", "Gini index"), "0.3429"),
    figures(CHOICE, ("temperature", "Gini index"), "0.4405"),
    figures(CHOICE, ("humidity", "Gini index"), "0.3673"),
    figures(CHOICE, ("windy", "Gini index"), "0.4286"),
]
WITH_ID = [
    figures("ID", "Gain(D, ID)", "0.940"),
    figures("ID", "IV(ID)", "3.807"),
    figures("ID", "GainRatio(D, ID)", "0.247"),
]
SUNNY = [
    figures(CHOICE, ("humidity", "gain"), "0.971"),
    figures(CHOICE, ("temperature", "gain"), "0.571"),
    figures(CHOICE, ("windy", "gain"), "0.020"),
]
RAINY = [
    figures(CHOICE, ("windy", "gain"), "0.971"),
    figures(CHOICE, ("temperature", "gain"), "0.020"),
    figures(CHOICE, ("humidity", "gain"), "0.020"),
]
NUMERIC = [
    figures("humidity", "Gain(D, humidity, 82.5)", "0.1518"),
    figures("humidity", ("82.5", "n₁"), "7"),
    figures("humidity", ("82.5", "n₂"), "7"),
]
SUNNY_CUTS = [
    figures("humidity", ("77.5", "gain"), "0.971"),
    figures("humidity", ("87.5", "gain"), "0.420"),
    figures("humidity", ("92.5", "gain"), "0.171"),
]
CASE_12 = [
    figures("outlook", "Ent(D̃)", "0.961"),
    figures("outlook", "Ent(D̃ | outlook)", "0.747"),
    figures("outlook", "Gain(D, outlook)", "0.199"),
    figures("outlook", "IV(outlook)", "1.809"),
    figures("outlook", "GainRatio(D, outlook)", "0.110"),
]
# What C4.5 prints behind the leaves, to one digit: 3.4/0.4 rows of weight, those of the other class after the stroke.
CASE_12_SUNNY = [
    figures("humidity", ("humidity > 75", "|Dᵛ|"), "3.4"),
    figures("humidity", ("humidity > 75", "Play"), "0.4"),
]
CASE_12_RAIN = [figures("windy", ("windy = true", "|Dᵛ|"), "2.4"), figures("windy", ("windy = true", "Play"), "0.4")]
TABLES = {
    ("golf", 0): GOLF_ROOT,
    ("golf of release 8", 0): CHARGED,
    ("nominal", 0): NOMINAL,
    ("nominal with ID", 0): WITH_ID,
    ("nominal by gain", 1): SUNNY,
    ("nominal by gain", 3): RAINY,
    ("numeric", 0): NUMERIC,
    ("golf", 1): SUNNY_CUTS,
    ("case 12", 0): CASE_12,
    ("case 12", 1): CASE_12_SUNNY,
    ("case 12", 3): CASE_12_RAIN,
}
LINES = [(key, line) for key, lines in TABLES.items() for line in lines]


@pytest.mark.parametrize(("key", "line"), LINES, ids=[f"{k[0]} {k[1]} {v.where} {v.shown[0]}" for k, v in LINES])
def test_figures(key, line):
    assert printed(solution(*key), line) == line.shown


def test_gini_of_the_table():
    """Gini(D) = 0.4592 stands where CART works the table out."""
    from treewright import CARTClassifier

    found = CARTClassifier(pruning=None).fit(WEATHER_NOMINAL.frame(), WEATHER_NOMINAL.y).worked_solution()
    line = figures(D, "Gini(D)", "0.4592")
    assert printed(found, line) == line.shown


def test_charges_and_fractions():
    page = page_of(solution("golf of release 8"))
    assert page.formula("temperature", "penalty").startswith("penalty = log₂(11)/14 ≈ ")
    assert page.formula("humidity", "penalty").startswith("penalty = log₂(8)/14 ≈ ")
    page = page_of(solution("case 12"), 3)
    assert page.formula("outlook", "ρ") == "ρ = |D̃|/|D| = 13/14 ≈ 0.929"
    assert page.formula("outlook", "Ent(D̃)") == "Ent(D̃) = −(5/13·log₂(5/13) + 8/13·log₂(8/13)) ≈ 0.961"
    terms = "5/14·log₂(5/14) + 3/14·log₂(3/14) + 5/14·log₂(5/14) + 1/14·log₂(1/14)"
    assert terms in page.formula("outlook", "IV(outlook)")


def test_shares_of_case_12():
    parts = page_of(solution("case 12"), 1).sections["Rows with a missing value"]
    (rows,) = [part["rows"] for part in parts if "rows" in part]
    assert {line[0]: (line[1].split()[0], line[2].split()[-1]) for line in rows} == {
        "outlook = sunny": ("5/13", "5.4"),
        "outlook = overcast": ("3/13", "3.2"),
        "outlook = rain": ("5/13", "5.4"),
    }


def test_release_8_prints_75():
    found = C45Classifier(pruning=None).fit(GOLF.frame(), GOLF.y).worked_solution(1)
    line = figures("humidity", ("humidity <= 75", "|Dᵛ|"), "2")
    assert printed(found, line) == line.shown
    assert "the largest value of the whole table that is not above the midpoint" in str(found)


# Error-based pruning.
def leaves_of(*pairs):
    """A tree whose leaves have so many errors among so many rows."""
    names = tuple(f"{e} of {n}" for e, n in pairs)
    schema = Schema((Column("leaf", Kind.CATEGORY, names),), Target("class", ("p", "q")))
    parts = {name: leaf({"p": n - e, "q": e}) for name, (e, n) in zip(names, pairs, strict=True)}
    return build(schema, table("leaf", parts))


@cache
def limits(limit, *pairs):
    method = ErrorBased(limit=limit, raising=False)
    return worked_pruning(method.prune(leaves_of(*pairs)).report, 0, method=method)


EXACT = {
    (0, 1): ("0.7500", "0.750"), (0, 2): ("0.5000",), (0, 3): ("0.3700",), (0, 4): ("0.2929",),
    (0, 6): ("0.2063", "0.206"), (0, 9): ("0.1428", "0.143"), (1, 16): ("0.1596",), (1, 168): ("0.0159",),
    (2, 14): ("0.2612",), (5, 14): ("0.4835",), (1, 2): ("0.8660",), (2, 6): ("0.5532",),
}  # fmt: skip


@pytest.mark.parametrize("pair", EXACT)
def test_binomial_limits(pair):
    e, n = pair
    line = figures(EBP, (f"leaf = {e} of {n}", "U"), *EXACT[pair])
    assert printed(limits("exact", *EXACT), line) == line.shown


@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (0, 3), (0, 4), (0, 6)])
def test_limits_without_an_error_are_worked_out(pair):
    e, n = pair
    found = limits("exact", pair, (0, 9))
    line = figures(EBP, f"U_25%({e}, {n})", *EXACT[pair])
    assert printed(found, line) == line.shown
    assert page_of(found, 4).formula(EBP, f"U_25%({e}, {n})").startswith(f"U_25%(0, {n}) = 1 − 0.25^(1/{n}) ")


NORMAL = {
    "release8": {(1, 16): "2.5069", (1, 168): "2.6101", (2, 14): "3.6362"},
    "weka": {(1, 16): "2.4757", (1, 168): "2.5738", (2, 14): "3.6033"},
}


@pytest.mark.parametrize(("limit", "pair"), [(limit, pair) for limit in NORMAL for pair in NORMAL[limit]])
def test_normal_approximations(limit, pair):
    e, n = pair
    found = limits(limit, *NORMAL[limit])
    line = figures(EBP, (f"leaf = {e} of {n}", "N·U"), NORMAL[limit][pair])
    assert printed(found, line) == line.shown
    said = page_of(found, 4).formula(EBP, f"U_25%({e}, {n})")
    letters = "(E + 0.5 + z²/2 + √(z²·((E + 0.5)·(1 − (E + 0.5)/N) + z²/4)))/(N + z²)"
    assert said.startswith(f"U_25%({e}, {n}) = {letters} = ")


def test_quantiles():
    assert printed(limits("release8", (1, 16), (0, 1)), figures(EBP, "z", "0.6925")) == ("0.6925",)
    assert printed(limits("weka", (1, 16), (0, 1)), figures(EBP, "z", "0.67449")) == ("0.67449",)


def test_leaf_democrat():
    """(168/2.6) behind the leaf of the vote tree: 168 rows, 2.6 errors expected."""
    line = figures(EBP, ("leaf = 1 of 168", "N·U"), "2.6")
    assert printed(limits("release8", *NORMAL["release8"]), line) == line.shown


@cache
def education_spending():
    votes = Column("education spending", Kind.CATEGORY, ("n", "y", "u"))
    schema = Schema((votes,), Target("class", ("democrat", "republican")))
    branches = {"n": leaf({"democrat": 6}), "y": leaf({"democrat": 9}), "u": leaf({"republican": 1})}
    report = ErrorBased(raising=False).prune(build(schema, table("education spending", branches))).report
    return worked_pruning(report, 0)


EDUCATION = [
    figures(EBP, "U_25%(0, 6)", "0.206"),
    figures(EBP, "U_25%(0, 9)", "0.143"),
    figures(EBP, "U_25%(0, 1)", "0.750"),
    figures(EBP, "U_25%(1, 16)", "0.157"),
    figures(EBP, "6·0.206 + 9·0.143 + 1·0.750", "3.273"),
    # 16 times the rounded 0.157 is the book's 2.512.
    figures(EBP, "16·U_25%(1, 16)", "2.507", book="2.512"),
]


@pytest.mark.parametrize("line", EDUCATION, ids=lambda line: line.where)
def test_education_spending(line):
    assert printed(education_spending(), line) == line.shown


def test_education_spending_is_pruned():
    said = education_spending().to_text(3)
    assert "2.507 ≤ 3.273 + 0.1" in said
    assert "The node becomes a leaf." in said


def test_less_than_one_error():
    """e < 1: U(0) + e (U(1) - U(0)), as the book says of parts of errors."""
    found = limits("release8", (0.4, 3.4), (0, 2))
    assert page_of(found, 4).formula(EBP, "U_25%(0.4000, 3.4000)").startswith(
        "U_25%(0.4000, 3.4000) = U_25%(0, 3.4000) + 0.4000·(U_25%(1, 3.4000) − U_25%(0, 3.4000)) = "
    )


def test_nearly_all_rows_are_errors():
    """e + 0.5 >= N: 0.67 (N - e) more errors; half the rows of a leaf of one row can be errors at most."""
    found = limits("release8", (0.6, 1.2), (0, 2))
    assert "0.67" in found.to_text()
