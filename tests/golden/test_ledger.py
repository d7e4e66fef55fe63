"""The ledgers of the textbooks' trees: the books' figures, and at every node what the slow grower works out."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tests.golden.figures import agrees
from tests.golden.sets import load
from tests.golden.tables import (
    BUYS_COMPUTER,
    CONTACT_LENSES,
    CSV,
    GOLF,
    GOLF_12,
    HAIR_EYES,
    LIHANG_52,
    LIHANG_82,
    LOAN,
    RESTAURANT,
    TAN_CHEAT,
    WATERMELON_20,
    WATERMELON_20A,
    WATERMELON_30,
    WEATHER_NOMINAL,
)
from tests.oracles.ledgers import check_entries, options_of, table_of
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, TreeClassifier
from treewright.criteria import contingency, gain_ratio, information_gain
from treewright.estimators.parameters import resolve_limits
from treewright.ledger.entries import entries

CLASSIFIERS = {
    "ID3": ID3Classifier(numeric="bisect", missing="fractional"),
    "C4.5 textbook": C45Classifier(variant="textbook", pruning=None),
    "C4.5 release 8": C45Classifier(pruning=None),
    "C4.5 groups": C45Classifier(pruning=None, grouping="greedy"),
    "CART": CARTClassifier(pruning=None),
    "CART twoing": CARTClassifier(criterion="twoing", pruning=None),
    "CART learned": CARTClassifier(missing="learned", pruning=None),
    "own branch": TreeClassifier(criterion="entropy", grouping="each", missing="branch"),
    "described in two": TreeClassifier(
        criterion="entropy", floor="description", grouping="binary", penalty="description", missing="fractional"
    ),
    "described groups": TreeClassifier(
        criterion="entropy", merit="ratio", floor="description", grouping="least-loss", penalty="description",
        missing="fractional",
    ),
}
REGRESSORS = {
    "CART": CARTRegressor(pruning=None),
    "CART by medians": CARTRegressor(criterion="absolute_error", pruning=None),
}
TABLES = CSV | {"golf with a hole": GOLF_12}
NUMBERS = ("lihang_52", "lihang_82")


def every_node(model):
    tree = model.tree_
    found = [model.why(node).entry for node in range(tree.n_nodes)]
    rows, (plan, _) = model._kept, model._grown_by
    return check_entries("", tree, found, table_of(rows), options_of(plan))


@pytest.mark.parametrize("algorithm", CLASSIFIERS)
@pytest.mark.parametrize("name", [name for name in TABLES if name not in NUMBERS])
def test_every_number_at_every_node(name, algorithm):
    table = TABLES[name]
    model = CLASSIFIERS[algorithm].fit(table.frame(), table.y)
    assert every_node(model) == model.tree_.n_nodes


@pytest.mark.parametrize("algorithm", REGRESSORS)
@pytest.mark.parametrize("name", NUMBERS)
def test_every_number_at_every_node_of_a_regression(name, algorithm):
    table = TABLES[name]
    model = REGRESSORS[algorithm].fit(table.frame(), table.y)
    assert every_node(model) == model.tree_.n_nodes > 10


def ledger(model, table, node=0):
    return model.fit(table.frame(), table.y).why(node)


ID3 = ID3Classifier(numeric="bisect", missing="fractional")
TEXTBOOK = C45Classifier(variant="textbook", pruning=None, min_samples_leaf=1)
GAINS = {
    "watermelon 2.0": (
        WATERMELON_20,
        {"色泽": ("0.108", 0.108125), "根蒂": ("0.143", 0.142675), "敲声": ("0.141", 0.140781),
         "纹理": ("0.381", 0.380592), "脐部": ("0.289", 0.289159), "触感": ("0.006", 0.006046)},
    ),
    "watermelon 3.0": (WATERMELON_30, {"密度": ("0.262", 0.262439), "含糖率": ("0.349", 0.349294)}),
    "watermelon 2.0 alpha": (
        WATERMELON_20A,
        {"色泽": ("0.252", 0.251966), "根蒂": ("0.171", 0.171178), "敲声": ("0.145", 0.144803),
         "纹理": ("0.424", 0.423560), "脐部": ("0.289", 0.288825), "触感": ("0.006", 0.005713)},
    ),
    "loan": (
        LOAN,
        {"年龄": ("0.083", 0.083007), "有工作": ("0.324", 0.323650), "有自己的房子": ("0.420", 0.419973),
         "信贷情况": ("0.363", 0.362990)},
    ),
    "weather": (
        WEATHER_NOMINAL,
        {"outlook": ("0.247", 0.246750), "temperature": ("0.029", 0.029223), "humidity": ("0.152", 0.151836),
         "windy": ("0.048", 0.048127)},
    ),
    "buys computer": (
        BUYS_COMPUTER,
        {"age": ("0.247", 0.246750), "income": ("0.029", 0.029223), "student": ("0.152", 0.151836),
         "credit_rating": ("0.048", 0.048127)},
    ),
    "restaurant": (
        RESTAURANT, {"Patrons": ("0.541", 0.540852), "Type": ("0.000", 0.0), "Hungry": ("0.196", 0.195709)}
    ),
    "hair and eyes": (
        HAIR_EYES, {"height": ("0.003", 0.003228), "hair": ("0.454", 0.454434), "eyes": ("0.348", 0.347590)}
    ),
    "contact lenses": (
        CONTACT_LENSES, {"tear-prod-rate": ("0.5488", 0.548795), "astigmatism": ("0.3770", 0.377005)}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", GAINS)
def test_gains_of_the_books(name):
    table, gains = GAINS[name]
    found = ledger(ID3, table)
    for column, (printed, exact) in gains.items():
        gain = found[column].gain
        assert format(gain, f".{len(printed) - 2}f") == printed
        assert gain == pytest.approx(exact, abs=1e-6)
    best = max(gains, key=lambda column: gains[column][1])
    if name != "watermelon 3.0":  # the best column there is not one of the two numbers
        assert found.chosen.name == best


def test_golf_by_gain_ratio():
    """Quinlan 1993: outlook gains 0.246 bits, its split information is 1.577 and its ratio 0.156."""
    found = ledger(TEXTBOOK, GOLF)
    outlook, windy = found["outlook"], found["windy"]
    assert agrees(found.entry.impurity, "0.940", 0.94028595867)
    assert agrees(outlook.after, "0.694", 0.69353613890)
    assert agrees(outlook.split_info, "1.577", 1.57740628285)
    assert agrees(outlook.ratio, "0.156", 0.15642756242)
    assert agrees(windy.split_info, "0.985", 0.98522813603)
    assert [b.stats for b in outlook.branches] == [(3, 2), (0, 4), (2, 3)]
    assert [b.words for b in outlook.branches] == ["outlook = sunny", "outlook = overcast", "outlook = rain"]
    assert (found["temperature"].threshold, found["humidity"].threshold) == (84.0, 82.5)
    assert agrees(found["temperature"].gain, "0.1134", 0.11340086418)
    assert agrees(found["humidity"].gain, "0.1022", 0.10224356360)


def test_golf_in_release_8_the_charge_eats_both_numbers():
    """Quinlan 1996: log2(11) / 14 bits for the 11 cuts of temperature are more than it gains."""
    found = ledger(C45Classifier(pruning=None, min_samples_leaf=1), GOLF)
    temperature, humidity = found["temperature"], found["humidity"]
    assert agrees(temperature.gain, "-0.1337", 0.11340086418 - np.log2(11) / 14)
    assert agrees(humidity.gain, "-0.1120", 0.10224356360 - np.log2(8) / 14)
    assert temperature.penalty == pytest.approx(np.log2(11) / 14, rel=1e-12)
    assert temperature.reason == "its best cut gains 0.113, not more than the penalty of 0.247 for 11 cuts"
    assert {temperature.verdict, humidity.verdict} == {"rejected"}
    below = C45Classifier(pruning=None, min_samples_leaf=1).fit(GOLF.frame(), GOLF.y).why(1)
    assert below.chosen.threshold == 75.0
    assert [cut.threshold for cut in below["humidity"].cuts] == [75.0, 85.0, 90.0]
    charge = np.log2(3) / 5
    assert [cut.gain + charge for cut in below["humidity"].cuts] == pytest.approx([0.971, 0.420, 0.171], abs=5e-4)


def test_golf_with_a_hole():
    """Quinlan 1993: 13/14 * (0.961 - 0.747) = 0.199, split information 1.809, ratio 0.110."""
    outlook = ledger(C45Classifier(pruning=None), GOLF_12)["outlook"]
    assert outlook.rho == pytest.approx(13 / 14, rel=1e-12)
    assert agrees(outlook.before, "0.961", 0.96123660472)
    assert agrees(outlook.after, "0.747", 0.74688507266)
    assert agrees(outlook.gain, "0.199", 0.19904070835)
    assert agrees(outlook.split_info, "1.809", 1.8092000327)
    assert agrees(outlook.ratio, "0.110", 0.11001586599)


def test_melons_with_holes():
    """Zhou: colour is known of 14 of 17 melons, 0.985 - 0.679 = 0.306 among them and 0.252 among all."""
    colour = ledger(ID3, WATERMELON_20A)["色泽"]
    assert (colour.known, colour.missing) == (14, 3)
    assert agrees(colour.before, "0.985", 0.98522813603)
    assert agrees(colour.raw_gain, "0.306", 0.30595849287)
    assert {b.words: round(b.impurity, 3) for b in colour.branches} == {
        "色泽 = 乌黑": 0.918,
        "色泽 = 浅白": 0.0,
        "色泽 = 青绿": 1.0,
    }


def test_a_tie_of_three():
    """Zhou, under clear texture: root, navel and touch gain 0.458 each; the book takes the root."""
    found = ledger(ID3, WATERMELON_20, node=1)
    assert found.entry.words == "纹理 = 清晰"
    assert found.chosen.name == "根蒂"
    assert [c.name for c in found.ties] == ["脐部", "触感"]
    assert found.entry.margin == 0.0
    assert found["脐部"].reason == "ties with 根蒂, which is first in the table"
    assert agrees(found["根蒂"].gain, "0.458", 0.45810589515)


def test_the_average_of_melons():
    """Zhou: only texture and navel gain at least the average of the six."""
    found = ledger(TEXTBOOK, WATERMELON_20)
    tables = [contingency(WATERMELON_20[c], WATERMELON_20.y) for c in WATERMELON_20.features]
    assert agrees(found.entry.average, "0.1779", sum(map(information_gain, tables)) / 6)
    verdicts = {c.name: c.verdict for c in found.entry.candidates}
    assert {name for name, verdict in verdicts.items() if verdict == "below"} == {"色泽", "根蒂", "敲声", "触感"}
    assert agrees(found["纹理"].ratio, "0.2631", gain_ratio(tables[3]))
    assert found.entry.margin == pytest.approx(found["纹理"].ratio - found["脐部"].ratio, rel=1e-12)


def test_gini_indices():
    """Li Hang 5.4: A3 has 0.27; Tan: income has 0.300 at 97.5; Han and Kamber: age in {<=30, >40} has 0.357."""
    cart = CARTClassifier(pruning=None)
    assert agrees(ledger(cart, LOAN)["有自己的房子"].gini_index, "0.27", 4 / 15)
    assert agrees(ledger(cart, LOAN)["有工作"].gini_index, "0.32", 0.32)
    income = ledger(cart, TAN_CHEAT)["TaxableIncome"]
    assert (income.threshold, income.n_cuts) == (97.5, 9)
    assert agrees(income.gini_index, "0.300", 0.3)
    others = {cut.threshold: 0.42 - cut.gain for cut in income.cuts}
    assert others == pytest.approx(
        {97.5: 0.3, 80.0: 0.343, 110.0: 0.343, 72.5: 0.375, 122.5: 0.375, 65.0: 0.4}, abs=5e-4
    )
    age = ledger(cart, BUYS_COMPUTER)["age"]
    assert agrees(age.gini_index, "0.357", 5 / 14)
    assert {b.words for b in age.branches} == {"age = 31..40", "age in {<=30, >40}"}


def test_losses_of_li_hang():
    """Table 5.2: the best cut leaves a squared error of 3.36 in all, the next ones 5.07, 7.38, 10.05, 12.19, 15.18."""
    cart = CARTRegressor(pruning=None)
    x = ledger(cart, LIHANG_52)["x"]
    assert x.threshold == 5.5
    assert [round(cut.low[2] + cut.high[2], 2) for cut in x.cuts] == [3.36, 5.07, 7.38, 10.05, 12.19, 15.18]
    assert [round(b.stats[1], 2) for b in x.branches] == [5.06, 8.18]
    other = ledger(cart, LIHANG_82)["x"]
    assert (other.threshold, round(other.cuts[0].low[2] + other.cuts[0].high[2], 2)) == (6.5, 1.93)
    assert (round(other.branches[0].stats[1], 2), round(other.branches[1].stats[1], 2)) == (6.24, 8.91)


def test_iris_says_that_its_root_is_a_tie():
    """Petal length at 2.45 and petal width at 0.8 both set the 50 setosas apart: a gain of exactly 1/3."""
    iris = load_iris(as_frame=True)
    found = CARTClassifier(pruning=None).fit(iris.data, iris.target_names[iris.target]).why()
    length, width = found["petal length (cm)"], found["petal width (cm)"]
    assert (length.verdict, width.verdict) == ("chosen", "tied")
    assert (length.threshold, width.threshold) == (2.45, 0.8)
    assert length.gain == width.gain == pytest.approx(1 / 3, rel=1e-12)
    assert found.entry.margin == 0.0
    assert [c.name for c in found.ties] == ["petal width (cm)"]
    assert "tied with petal width (cm)" in " ".join(str(found).split())


SETS = {
    "vote": C45Classifier(pruning=None),
    "hypothyroid": C45Classifier(pruning=None, variant="textbook"),
    "breast_cancer": C45Classifier(pruning=None, grouping="greedy"),
    "labor": ID3Classifier(numeric="bisect", missing="branch"),
    "glass": CARTClassifier(pruning=None),
    "anneal": CARTClassifier(pruning=None, missing="learned"),
    "heart_cleveland": CARTClassifier(pruning=None, missing="surrogate", criterion="twoing"),
    "autompg": CARTRegressor(pruning=None, max_depth=5),
    "servo": CARTRegressor(pruning=None, criterion="absolute_error"),
    "sick": C45Classifier(pruning=None, missing="stop"),
}


@pytest.mark.parametrize("name", SETS)
def test_the_chosen_numbers_are_those_of_the_tree(shared, name):
    """At every inner node of a real tree the winner of the ledger is the split, to the last digit."""
    X, y = load(shared, name)
    model = SETS[name].fit(X, y)
    tree, rows = model.tree_, model._kept
    inner = np.flatnonzero(tree.n_children).tolist()
    found = {e.node: e for e in entries(rows, resolve_limits(model._grown_by[0], rows, 0.0), tree, range(tree.n_nodes))}
    assert len(found) == tree.n_nodes > 5
    for node in inner:
        entry = found[node]
        chosen = entry.candidates[entry.chosen]
        assert (entry.chosen, chosen.verdict, entry.leaf) == (tree.column[node], "chosen", None)
        assert (chosen.gain, chosen.merit) == (tree.gain[node], tree.merit[node])
        assert np.array_equal(chosen.threshold if chosen.threshold is not None else np.nan, tree.threshold[node],
                              equal_nan=True)  # fmt: skip
        part = chosen.rho if chosen.missing and model.missing in ("fractional", "surrogate", "stop") else 1.0
        assert part * chosen.raw_gain - chosen.penalty == pytest.approx(chosen.gain, rel=1e-9, abs=1e-11)
        if chosen.cuts:
            assert chosen.cuts[0].threshold == chosen.threshold
            assert chosen.cuts[0].gain == pytest.approx(chosen.gain, rel=1e-9, abs=1e-11)
    assert all(found[node].leaf for node in np.flatnonzero(tree.is_leaf).tolist())
