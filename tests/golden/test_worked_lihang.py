"""Every figure of Li Hang's chapters 5 and 8 (统计学习方法) in a worked solution.

`book` is what is printed where it differs from the exact figure: the book rounds before it subtracts, cuts digits off,
or carries two digits from one round of boosting to the next.
"""

from functools import cache

import numpy as np
import pytest

from tests.golden.figures import as_printed
from tests.golden.tables import LIHANG_52, LIHANG_82, LOAN
from tests.golden.worked_page import figures, page_of, printed
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier

D, CHOICE, HOUSE = "The rows", "The choice", "有自己的房子"

MODELS = {
    "loan": lambda: C45Classifier(variant="textbook", pruning=None).fit(LOAN.frame(), LOAN.y),
    "loan by gain": lambda: ID3Classifier().fit(LOAN.frame(), LOAN.y),
    "loan in two": lambda: CARTClassifier(pruning=None).fit(LOAN.frame(), LOAN.y),
    "5.2": lambda: CARTRegressor(pruning=None).fit(LIHANG_52.frame(), LIHANG_52.y),
    "8.2": lambda: CARTRegressor(pruning=None).fit(LIHANG_82.frame(), LIHANG_82.y),
}


@cache
def solution(name, node=0):
    return MODELS[name]().worked_solution(node)


def column(name, gain, ratio, info):
    return [
        figures(name, f"Gain(D, {name})", *gain),
        figures(name, f"GainRatio(D, {name})", ratio),
        figures(name, f"IV({name})", info),
    ]


ROOT = [
    figures(D, "Ent(D)", "0.971"),
    *column("年龄", ("0.083",), "0.0524", "1.5850"),
    *column("有工作", ("0.3237", "0.324"), "0.3524", "0.9183"),
    *column(HOUSE, ("0.4200", "0.420"), "0.4325", "0.9710"),
    *column("信贷情况", ("0.3630", "0.363"), "0.2319", "1.5656"),
]
WITHOUT_HOUSE = [
    figures(D, "Ent(D)", "0.918"),
    figures("年龄", "Gain(D, 年龄)", "0.252", book="0.251"),  # 0.918 - 0.667
    figures("有工作", "Gain(D, 有工作)", "0.918"),
    figures("信贷情况", "Gain(D, 信贷情况)", "0.474"),
]
IN_TWO = [
    figures(D, "Gini(D)", "0.48"),
    *(
        figures(name, (value, f"Gini(D, {name} = v)"), *shown)
        for name, value, shown in [
            ("年龄", "青年", ("0.44",)), ("年龄", "中年", ("0.48",)), ("年龄", "老年", ("0.44",)),
            ("有工作", "是", ("0.32",)), (HOUSE, "是", ("0.27", "0.2667")), ("信贷情况", "非常好", ("0.36", "0.3636")),
            ("信贷情况", "好", ("0.47", "0.4741")), ("信贷情况", "一般", ("0.32",)),
        ]
    ),
]  # fmt: skip
SSE_52 = "22.65 17.70 12.19 7.38 3.36 5.07 10.05 15.18 21.33"
REGRESSION = [
    *(
        figures("x", (f"{s}.5", "SSE(D, x, t)"), shown)
        for s, shown in zip(range(1, 10), SSE_52.split(), strict=True)
    ),
    figures("x", "SSE(D, x, 5.5)", "3.36", "3.3587"),
    figures("x", ("x <= 5.5", "c_v"), "5.06"),
    figures("x", ("x > 5.5", "c_v"), "8.18", "8.176"),
]
SECOND_LEVEL = {
    1: [figures("x", ("x <= 3.5", "c_v"), "4.72"), figures("x", ("x > 3.5", "c_v"), "5.57")],
    2: [figures("x", ("x <= 7.5", "c_v"), "7.475", "7.48"), figures("x", ("x > 7.5", "c_v"), "8.643")],
}
SSE_82 = "15.72 12.08 8.37 5.78 3.91 1.93 8.01 11.74 15.74"
CUT_OFF = {"12.08": "12.07", "8.37": "8.36", "11.74": "11.73"}
BOOSTED = [
    *(
        figures("x", (f"{s}.5", "SSE(D, x, t)"), shown, book=CUT_OFF.get(shown, ()))
        for s, shown in zip(range(1, 10), SSE_82.split(), strict=True)
    ),
    figures("x", "SSE(D, x, 6.5)", "1.93"),
    figures("x", ("x <= 6.5", "c_v"), "6.24"),
    figures("x", ("x > 6.5", "c_v"), "8.91"),
]
TABLES = {
    ("loan", 0): ROOT,
    ("loan by gain", 1): WITHOUT_HOUSE,
    ("loan in two", 0): IN_TWO,
    ("5.2", 0): REGRESSION,
    ("5.2", 1): SECOND_LEVEL[1],
    ("5.2", 2): SECOND_LEVEL[2],
    ("8.2", 0): BOOSTED,
}
LINES = [(key, line) for key, lines in TABLES.items() for line in lines]


@pytest.mark.parametrize(("key", "line"), LINES, ids=[f"{k[0]} {k[1]} {v.where} {v.shown[0]}" for k, v in LINES])
def test_figures(key, line):
    assert printed(solution(*key), line) == line.shown


def test_the_node_without_a_house_is_node_1():
    assert solution("loan by gain", 1).to_dict()["title"] == "Node 1: 有自己的房子 = 否"
    assert "有工作 has the highest gain" in str(solution("loan by gain", 1))


def boosted(round_leaf):
    """Six stumps on residuals, each with its worked solution."""
    X, residual = LIHANG_82.frame(), np.array(LIHANG_82.y)
    rounds = []
    for _ in range(6):
        stump = CARTRegressor(max_depth=1, pruning=None).fit(X, residual)
        answers = np.array([round_leaf(value) for value in stump.predict(X)])
        rounds.append((residual, stump.worked_solution(), stump.tree_.threshold[0]))
        residual = residual - answers
    return [*rounds, (residual, None, None)]


@cache
def exact_rounds():
    return boosted(lambda value: value)


@cache
def book_rounds():
    """The book carries two digits of each leaf on."""
    return boosted(lambda value: float(as_printed(value, 2)))


def test_splits_of_the_six_stumps():
    for rounds in (exact_rounds(), book_rounds()):
        assert [r[2] for r in rounds[:6]] == [6.5, 3.5, 6.5, 4.5, 6.5, 2.5]


# Of exact leaves, the loss of f_k is what the k-th stump leaves over.
EXACT = ["1.9300", "0.8007", "0.4780", "0.3056", "0.2289", "0.1722"]


@pytest.mark.parametrize("k", range(6))
def test_losses_of_exact_stumps(k):
    _, found, threshold = exact_rounds()[k]
    line = figures("x", f"SSE(D, x, {threshold:g})", EXACT[k])
    assert printed(found, line) == line.shown


def test_leaves_of_the_second_stump():
    found = exact_rounds()[1][1]
    for row, shown in (("x <= 3.5", "-0.5133"), ("x > 3.5", "0.2200")):
        line = figures("x", (row, "c_v"), shown)
        assert printed(found, line) == line.shown
    found = book_rounds()[1][1]
    for row, shown in (("x <= 3.5", "-0.52"), ("x > 3.5", "0.22")):
        line = figures("x", (row, "c_v"), shown)
        assert printed(found, line) == line.shown


def test_residuals_of_the_first_stump():
    """They are what the second one is grown on."""
    residuals = ["−0.68", "−0.54", "−0.33", "0.16", "0.56", "0.81", "−0.01", "−0.21", "0.09", "0.14"]
    said = page_of(book_rounds()[1][1], 2).formula(D, "c")
    terms = said.removeprefix("c = (").split(")/10")[0].replace("(", "").replace(")", "").split(" + ")
    assert sorted(terms) == sorted(residuals)


# The book's L is about leaves of two digits, the sum of squares of the residuals it goes on with; a solution shows that
# sum about their own mean, so the mean is put back: N c^2.
BOOK = ["1.93", "0.79", "0.47", "0.30", "0.23", "0.17"]


@pytest.mark.parametrize("k", range(6))
def test_losses_as_the_book_has_them(k):
    residual = book_rounds()[k + 1][0]
    assert as_printed((residual**2).sum(), 2) == BOOK[k]
    if k < 5:
        parts = page_of(book_rounds()[k + 1][1], 12).sections[D]
        centre, loss = (part["value"] for part in parts if part.get("formula", "").startswith(("c =", "c ≈", "SSE(D)")))
        assert as_printed(loss + 10 * centre**2, 2) == BOOK[k]
