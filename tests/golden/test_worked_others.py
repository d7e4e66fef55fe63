"""Every figure of Han and Kamber, Russell and Norvig, Tan, Steinbach and Kumar, Quinlan 1983, Cendrowska and Mingers in
a worked solution.
"""

from functools import cache

import pytest

from tests.golden.table import Table
from tests.golden.tables import BUYS_COMPUTER, CONTACT_LENSES, HAIR_EYES, RESTAURANT, TAN_CHEAT
from tests.golden.test_pruning_mingers import (
    LEVELS,
    LEVELS_B,
    LEVELS_C,
    MATHS,
    QUALIFICATION,
    SCORE,
    SEX,
    degree_tree,
    inner,
)
from tests.golden.worked_page import figures, page_of, printed
from treewright import C45Classifier, CARTClassifier, ID3Classifier, TreeClassifier
from treewright.ledger.worked.solution import worked_pruning
from treewright.prune import CriticalValue

D, CHOICE, CVP = "The rows", "The choice", "Pruning: critical value"


def it_rains_in_row_4():
    """As some editions print it."""
    at = RESTAURANT.names.index("Raining")
    rows = [tuple("Yes" if (i, k) == (3, at) else c for k, c in enumerate(r)) for i, r in enumerate(RESTAURANT.rows)]
    return Table(RESTAURANT.names, tuple(rows))


MODELS = {
    "buys": lambda: C45Classifier(variant="textbook", pruning=None).fit(BUYS_COMPUTER.frame(), BUYS_COMPUTER.y),
    "buys in two": lambda: CARTClassifier(pruning=None).fit(BUYS_COMPUTER.frame(), BUYS_COMPUTER.y),
    "restaurant": lambda: ID3Classifier().fit(RESTAURANT.frame(), RESTAURANT.y),
    "rain": lambda: ID3Classifier().fit(it_rains_in_row_4().frame(), RESTAURANT.y),
    "cheat": lambda: TreeClassifier(criterion="gini", grouping="each").fit(TAN_CHEAT.frame(), TAN_CHEAT.y),
    "cheat by gain": lambda: ID3Classifier(numeric="bisect").fit(TAN_CHEAT.frame(), TAN_CHEAT.y),
    "hair": lambda: ID3Classifier().fit(HAIR_EYES.frame(), HAIR_EYES.y),
    "lenses": lambda: ID3Classifier().fit(CONTACT_LENSES.frame(), CONTACT_LENSES.y),
}


@cache
def solution(name):
    return MODELS[name]().worked_solution()


def gains(*pairs):
    return [figures(CHOICE, (name, "gain"), *shown.split()) for name, shown in pairs]


BUYS = [
    figures(D, "Ent(D)", "0.940"),
    figures("age", "Gain(D, age)", "0.2467", book="0.246"),  # 0.940 - 0.694
    figures("income", "Gain(D, income)", "0.029"),
    figures("student", "Gain(D, student)", "0.1518", book="0.151"),  # 0.940 - 0.789
    figures("credit_rating", "Gain(D, credit_rating)", "0.048"),
    figures("income", "IV(income)", "1.557"),
    figures("income", "GainRatio(D, income)", "0.019"),
]
# {low, medium} against high is high against the rest, and so on.
BUYS_IN_TWO = [
    figures(D, "Gini(D)", "0.459"),
    figures("income", ("high", "Gini(D, income = v)"), "0.443"),
    figures("income", ("medium", "Gini(D, income = v)"), "0.458"),
    figures("income", ("low", "Gini(D, income = v)"), "0.450"),
    figures("age", ("31..40", "Gini(D, age = v)"), "0.357"),
    figures("age", "Gini(D, age)", "0.357"),
    figures("student", ("yes", "Gini(D, student = v)"), "0.367"),
    figures("credit_rating", ("fair", "Gini(D, credit_rating = v)"), "0.429"),
    figures(CHOICE, ("age", "Gini index"), "0.357"),
]
PATRONS = gains(
    ("Patrons", "0.541"), ("Type", "0.0000"), ("Hungry", "0.1957"), ("Price", "0.1957"), ("WaitEstimate", "0.2075"),
    ("Fri/Sat", "0.0207"), ("Reservation", "0.0207"), ("Alternate", "0.0000"), ("Bar", "0.0000"), ("Raining", "0.0000"),
)  # fmt: skip
CHEAT_CUTS = {
    "65": "0.400", "72.5": "0.375", "80": "0.343", "87.5": "0.417", "92.5": "0.400", "97.5": "0.300", "110": "0.343",
    "122.5": "0.375", "172.5": "0.400",
}  # fmt: skip
CHEAT = [
    figures(D, "Gini(D)", "0.420"),
    figures("Refund", "Gini(D, Refund)", "0.343"),
    figures("MaritalStatus", "Gini(D, MaritalStatus)", "0.300"),
    *(figures("TaxableIncome", (cut, "Gini index"), shown) for cut, shown in CHEAT_CUTS.items()),
]
TABLES = {
    "buys": BUYS,
    "buys in two": BUYS_IN_TWO,
    "restaurant": PATRONS,
    "rain": gains(("Raining", "0.0207")),
    "cheat": CHEAT,
    "cheat by gain": gains(("Refund", "0.1916")),
    "hair": [
        figures(D, "Ent(D)", "0.954"),
        *gains(("height", "0.003"), ("hair", "0.454")),
        figures("eyes", "Gain(D, eyes)", "0.3476", book="0.347"),  # digits cut off
    ],
    "lenses": [
        figures(D, "Ent(D)", "1.3261"),
        *gains(
            ("tear-prod-rate", "0.5488"), ("astigmatism", "0.3770"), ("spectacle-prescrip", "0.0395"), ("age", "0.0394")
        ),
    ],
}
LINES = [(key, line) for key, lines in TABLES.items() for line in lines]


@pytest.mark.parametrize(("key", "line"), LINES, ids=[f"{k} {v.where} {v.shown[0]}" for k, v in LINES])
def test_figures(key, line):
    assert printed(solution(key), line) == line.shown


def test_the_best_cut_of_the_taxable_income():
    parts = page_of(solution("cheat"), 3).sections["TaxableIncome"]
    (cuts,) = [part for part in parts if part.get("head", [""])[0] == "cut t"]
    assert [line[0] for line in cuts["rows"]] == list(CHEAT_CUTS)
    assert [line[0] for line in cuts["rows"] if line[-1] == "best"] == ["97.5"]


# Mingers' figure 1, worked out at each of its splits.
MINGERS = {
    QUALIFICATION: ("8.84", "8.8440"), SCORE: ("12.19", "12.1896"), SEX: ("10.23", "10.2328"),
    MATHS: ("7.99", "7.9862"), LEVELS_B: ("8.55", "8.5517"), LEVELS_C: ("2.30", "2.3006"), LEVELS: ("8.32", "8.3178"),
}  # fmt: skip


@cache
def split_of_figure_1(split):
    tree = degree_tree()
    return worked_pruning(CriticalValue(critical_value=8).prune(tree).report, inner(tree)[split])


@pytest.mark.parametrize("split", MINGERS)
def test_g_of_each_split(split):
    line = figures(CVP, "G", *MINGERS[split])
    assert printed(split_of_figure_1(split), line) == line.shown


def test_g_of_the_whole_tree():
    line = figures(CVP, "G", "58.42", "58.4227")
    assert printed(split_of_figure_1(QUALIFICATION), line) == line.shown
    assert page_of(split_of_figure_1(QUALIFICATION), 2).text.count("≈ 58.42 ") == 1


def test_a_weak_split_on_the_way_to_a_strong_one():
    said = split_of_figure_1(LEVELS_C).to_text(2)
    assert "Its own split has 2.30; the strongest split, its own or one below it, has 8.32." in said
    assert "8.32 ≥ 8\n" in said
    assert "the node keeps its split" in said


def test_table_2():
    """Its last lines; for the others the whole tree of 61 leaves would be needed, which is not printed."""
    found = worked_pruning(CriticalValue(choose="significance").prune(degree_tree()).report, 0)
    page = page_of(found, 2)
    (rows,) = [part["rows"] for part in page.sections[CVP] if "critical value" in part.get("head", ())]
    lines = [(float(line[0]) if line[0] != "∞" else 99.0, *line[1:3], float(line[3])) for line in rows]
    for cut_off, leaves, degrees, g in ((8, "10", "27", 58), (10, "5", "12", 31), (12, "4", "9", 21)):
        reached = next(line for line in lines if line[0] >= cut_off)
        assert (reached[1], reached[2], round(reached[3])) == (leaves, degrees, g)
