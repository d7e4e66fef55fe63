"""The trees the books draw, grown by the estimators."""

import numpy as np
import pytest

from tests.golden.figures import agrees
from tests.golden.shapes import branch_categories, errors, shape
from tests.golden.tables import (
    BUYS_COMPUTER,
    CONTACT_LENSES,
    GOLF,
    HAIR_EYES,
    LIHANG_52,
    LIHANG_82,
    LOAN,
    RESTAURANT,
    TAN_CHEAT,
    WATERMELON_20,
    WATERMELON_30,
    WATERMELON_30A,
    WEATHER_NOMINAL,
    WEATHER_NUMERIC,
)
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier

TEXTBOOK = C45Classifier(pruning=None, variant="textbook")


def grown(estimator, data):
    """The tree an estimator grows from a book's table."""
    return estimator.fit(data.frame(), data.y).tree_


def test_watermelon_20_by_id3():
    # Figure 4.4. Under 清晰 the columns 根蒂, 脐部 and 触感 tie: the first of the table, 根蒂, as in the book.
    # No melon under 清晰 and 稍蜷 is 浅白: an empty branch, which answers with its parent's majority.
    tree = grown(ID3Classifier(), WATERMELON_20)
    colour = ("色泽", {"青绿": "是", "乌黑": ("触感", {"硬滑": "是", "软粘": "否"}), "浅白": "是"})
    assert shape(tree) == (
        "纹理",
        {
            "清晰": ("根蒂", {"蜷缩": "是", "稍蜷": colour, "硬挺": "否"}),
            "稍糊": ("触感", {"硬滑": "否", "软粘": "是"}),
            "模糊": "否",
        },
    )
    assert agrees(tree.gain[0], "0.381", 0.38059189737)
    assert agrees(tree.impurity[0], "0.998", 0.99750254637)
    assert errors(tree) == 0


def test_watermelon_20_by_c45_of_the_textbook():
    # 纹理 and 脐部 reach the average gain, 纹理 has the better ratio; under 清晰 触感 has the best ratio, 0.4989.
    tree = grown(TEXTBOOK, WATERMELON_20)
    column, branches = shape(tree)
    assert column == "纹理"
    assert agrees(tree.merit[0], "0.2631", 0.26308535872)
    assert branches["清晰"][0] == "触感"
    assert agrees(tree.merit[tree.first_child[0]], "0.4989", 0.4988652656)
    assert branches["稍糊"] == ("触感", {"硬滑": "否", "软粘": "是"})
    assert branches["模糊"] == "否"


def test_watermelon_20_by_cart():
    # Gini(D, 纹理=清晰) = 0.2859 is the best of all.
    tree = grown(CARTClassifier(pruning=None), WATERMELON_20)
    assert tree.schema.columns[tree.column[0]].name == "纹理"
    assert {frozenset(b) for b in branch_categories(tree, 0)} == {
        frozenset({"清晰"}),
        frozenset({"稍糊", "模糊"}),
    }
    assert agrees(tree.impurity[0] - tree.gain[0], "0.2859", 0.28594771242)
    assert errors(tree) == 0


WATERMELON_30_TREE = (
    "纹理",
    {
        "清晰": ("密度", (0.360 + 0.403) / 2, "否", "是"),
        "稍糊": ("触感", {"硬滑": "否", "软粘": "是"}),
        "模糊": "否",
    },
)


def test_watermelon_30_by_id3():
    # Figure 4.8; the book prints the threshold as 0.381.
    assert shape(grown(ID3Classifier(numeric="bisect"), WATERMELON_30)) == WATERMELON_30_TREE


def test_watermelon_30_by_c45_of_the_textbook():
    # Above average (0.211) are 纹理 (ratio 0.2631), 脐部 (0.1867), 密度 (0.3334) and 含糖率 (0.3997).
    tree = grown(TEXTBOOK, WATERMELON_30)
    assert shape(tree)[:2] == ("含糖率", pytest.approx(0.126, rel=1e-12))
    assert agrees(tree.merit[0], "0.3997", 0.3996582341)


@pytest.mark.parametrize("data", [WATERMELON_30, WATERMELON_30A], ids=["3.0", "3.0 alpha"])
def test_watermelon_30_numbers_by_cart(data):
    # Of the two numbers the best Gini index is 0.2859, at 含糖率 0.2045; in 3.0, 纹理=清晰 has the same and is first.
    tree = grown(CARTClassifier(pruning=None), data)
    first = shape(tree)[0]
    assert agrees(tree.impurity[0] - tree.gain[0], "0.2859", 0.28594771242)
    assert first == ("纹理" if data is WATERMELON_30 else "含糖率")
    if data is WATERMELON_30A:
        assert tree.threshold[0] == pytest.approx(0.2045, rel=1e-12)


LOAN_TREE = ("有自己的房子", {"否": ("有工作", {"否": "否", "是": "是"}), "是": "是"})


@pytest.mark.parametrize(
    "estimator",
    [ID3Classifier(), TEXTBOOK, C45Classifier(pruning=None)],
    ids=["ID3", "C4.5 textbook", "C4.5 release 8"],
)
def test_loan(estimator):
    # Figure 5.5.
    assert shape(grown(estimator, LOAN)) == LOAN_TREE


def test_loan_by_cart():
    # Example 5.4: A3 with 0.27, then A2, and no error is left.
    tree = grown(CARTClassifier(pruning=None), LOAN)
    assert shape(tree) == LOAN_TREE
    assert agrees(tree.impurity[0] - tree.gain[0], "0.27", 0.26666666667)


def golf_tree(cut, yes, no, rain, true, false):
    """The tree of Quinlan's golf table in a table's own words."""
    return (
        "outlook",
        {
            "sunny": ("humidity", cut, yes, no),
            "overcast": yes,
            rain: ("windy", {false: yes, true: no}),
        },
    )


@pytest.mark.parametrize("options", [{}, {"criterion": "gain"}], ids=["gain ratio", "gain"])
def test_golf_by_release_8(options):
    # The threshold 75 is a humidity of the whole table: no sunny day has it.
    for data, words in (
        (GOLF, ("Play", "Don't Play", "rain", "true", "false")),
        (WEATHER_NUMERIC, ("yes", "no", "rainy", "TRUE", "FALSE")),
    ):
        tree = grown(C45Classifier(pruning=None, **options), data)
        assert shape(tree) == golf_tree(75.0, *words)
        assert (tree.n_nodes, tree.n_leaves, errors(tree)) == (8, 5, 0)


def test_golf_as_printed():
    assert grown(C45Classifier(pruning=None), GOLF).to_text().splitlines() == [
        "outlook = sunny:",
        "|   humidity <= 75: Play (2)",
        "|   humidity > 75: Don't Play (3)",
        "outlook = overcast: Play (4)",
        "outlook = rain:",
        "|   windy = false: Play (3)",
        "|   windy = true: Don't Play (2)",
    ]


def test_golf_by_c45_of_the_textbook():
    assert shape(grown(TEXTBOOK, GOLF)) == golf_tree(77.5, "Play", "Don't Play", "rain", "true", "false")
    assert shape(grown(TEXTBOOK, WEATHER_NUMERIC)) == golf_tree(77.5, "yes", "no", "rainy", "TRUE", "FALSE")


@pytest.mark.parametrize(
    "estimator",
    [ID3Classifier(), TEXTBOOK, C45Classifier(pruning=None)],
    ids=["ID3", "C4.5 textbook", "C4.5 release 8"],
)
def test_weather_in_words(estimator):
    # Quinlan 1986, figure 2; J48 prints the same tree.
    assert shape(grown(estimator, WEATHER_NOMINAL)) == (
        "outlook",
        {
            "sunny": ("humidity", {"high": "no", "normal": "yes"}),
            "overcast": "yes",
            "rainy": ("windy", {"FALSE": "yes", "TRUE": "no"}),
        },
    )


BUYS_COMPUTER_TREE = (
    "age",
    {
        "<=30": ("student", {"no": "no", "yes": "yes"}),
        "31..40": "yes",
        ">40": ("credit_rating", {"fair": "yes", "excellent": "no"}),
    },
)


@pytest.mark.parametrize(
    "estimator",
    [ID3Classifier(), TEXTBOOK, C45Classifier(pruning=None)],
    ids=["ID3", "C4.5 textbook", "C4.5 release 8"],
)
def test_buys_computer(estimator):
    tree = grown(estimator, BUYS_COMPUTER)
    assert shape(tree) == BUYS_COMPUTER_TREE
    assert agrees(tree.gain[0], "0.2467", 0.24674981977)


def test_buys_computer_by_cart():
    tree = grown(CARTClassifier(pruning=None), BUYS_COMPUTER)
    assert tree.schema.columns[tree.column[0]].name == "age"
    # Branch 0 is the low end of the share of the second class, yes.
    assert branch_categories(tree, 0) == [("<=30", ">40"), ("31..40",)]
    assert agrees(tree.impurity[0], "0.459", 0.45918367347)
    assert agrees(tree.impurity[0] - tree.gain[0], "0.357", 0.35714285714)


def test_restaurant_by_id3():
    # The figure of the book, but for one leaf: no French restaurant gets there, the parent has two of each
    # class, and the tie goes to No, the first in order; the book draws Yes.
    tree = grown(ID3Classifier(), RESTAURANT)
    kinds = {
        "French": "No",
        "Thai": ("Fri/Sat", {"No": "No", "Yes": "Yes"}),
        "Burger": "Yes",
        "Italian": "No",
    }
    assert shape(tree) == (
        "Patrons",
        {"Some": "Yes", "Full": ("Hungry", {"Yes": ("Type", kinds), "No": "No"}), "None": "No"},
    )
    assert agrees(tree.gain[0], "0.541", 0.54085208297)


def test_hair_and_eyes_by_id3():
    tree = grown(ID3Classifier(), HAIR_EYES)
    assert shape(tree) == (
        "hair",
        {"blond": ("eyes", {"blue": "+", "brown": "-"}), "red": "+", "dark": "-"},
    )
    assert agrees(tree.gain[0], "0.454", 0.45443400292)


def test_contact_lenses_by_id3():
    # Weka's Id3 prints the same tree.
    no_astigmatism = (
        "age",
        {
            "young": "soft",
            "pre-presbyopic": "soft",
            "presbyopic": ("spectacle-prescrip", {"myope": "none", "hypermetrope": "soft"}),
        },
    )
    astigmatism = (
        "spectacle-prescrip",
        {
            "myope": "hard",
            "hypermetrope": ("age", {"young": "hard", "pre-presbyopic": "none", "presbyopic": "none"}),
        },
    )
    tree = grown(ID3Classifier(), CONTACT_LENSES)
    assert shape(tree) == (
        "tear-prod-rate",
        {"reduced": "none", "normal": ("astigmatism", {"no": no_astigmatism, "yes": astigmatism})},
    )
    assert agrees(tree.gain[0], "0.5488", 0.5487949407)


def test_contact_lenses_by_release_8():
    # J48 prints the same tree: 4 leaves, size 7, 2 errors.
    tree = grown(C45Classifier(pruning=None), CONTACT_LENSES)
    glasses = ("spectacle-prescrip", {"myope": "hard", "hypermetrope": "none"})
    assert shape(tree) == (
        "tear-prod-rate",
        {"reduced": "none", "normal": ("astigmatism", {"no": "soft", "yes": glasses})},
    )
    assert (tree.n_nodes, tree.n_leaves, errors(tree)) == (7, 4, 2)


def test_tan_cheat_by_cart():
    # Marital status {Married} and income 97.5 both have 0.300; the column that stands first wins.
    tree = grown(CARTClassifier(pruning=None), TAN_CHEAT)
    assert tree.schema.columns[tree.column[0]].name == "MaritalStatus"
    assert branch_categories(tree, 0) == [("Married",), ("Single", "Divorced")]
    assert agrees(tree.impurity[0] - tree.gain[0], "0.300", 0.3)


def test_tan_cheat_income_alone_by_cart():
    tree = CARTClassifier(pruning=None).fit(TAN_CHEAT.frame()[["TaxableIncome"]], TAN_CHEAT.y).tree_
    assert tree.threshold[0] == 97.5
    assert agrees(tree.impurity[0] - tree.gain[0], "0.300", 0.3)


def test_table_5_2_by_cart():
    tree = grown(CARTRegressor(pruning=None, max_depth=2), LIHANG_52)
    assert shape(tree) == (
        "x",
        5.5,
        ("x", 3.5, pytest.approx(4.72, rel=1e-12), pytest.approx(5.57, rel=1e-12)),
        ("x", 7.5, pytest.approx(7.475, rel=1e-12), pytest.approx(25.93 / 3, rel=1e-12)),
    )
    low, high = tree.first_child[0], tree.first_child[0] + 1
    assert agrees(tree.value[low, 0], "5.06", 5.06)
    assert agrees(tree.value[high, 0], "8.18", 8.176)
    assert agrees(10 * (tree.impurity[0] - tree.gain[0]), "3.36", 3.35872)


def test_example_8_2_boosted_stumps():
    X, residual = LIHANG_82.frame(), np.array(LIHANG_82.y)
    cuts, losses = [], []
    for _ in range(6):
        stump = CARTRegressor(pruning=None, max_depth=1).fit(X, residual)
        residual = residual - stump.predict(X)
        cuts.append(float(stump.tree_.threshold[0]))
        losses.append(float((residual**2).sum()))
    assert cuts == [6.5, 3.5, 6.5, 4.5, 6.5, 2.5]
    # The book carries two digits from round to round and prints 1.93 0.79 0.47 0.30 0.23 0.17.
    exact = [1.9300083333, 0.800675, 0.47800833333, 0.30555925926, 0.22891522634, 0.17217806499]
    assert losses == pytest.approx(exact, rel=1e-9)
