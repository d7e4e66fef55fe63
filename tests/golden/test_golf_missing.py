"""Quinlan 1993, section on unknown values: golf, with the outlook of case 12 unknown."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tests.golden.c45_print import as_printed
from tests.golden.figures import agrees
from tests.golden.figures import as_printed as rounded
from tests.golden.tables import GOLF_12
from treewright import C45Classifier
from treewright.criteria import contingency, entropy, information_gain, weighted_impurity
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.schema import Schema
from treewright.data.target import encode_classes
from treewright.grow.candidates import root_candidates

X, Y = GOLF_12.frame(), GOLF_12.y
CASE_12 = X.iloc[[11]]
SHARES = {"sunny": Fraction(5, 13), "overcast": Fraction(3, 13), "rain": Fraction(5, 13)}

ASKED = pd.DataFrame(
    {
        "outlook": pd.Categorical(["sunny"], categories=X["outlook"].cat.categories),
        "temperature": [70.0],
        "humidity": [np.nan],
        "windy": pd.Categorical(["false"], categories=X["windy"].cat.categories),
    }
)


def test_figures_of_outlook():
    rows = GOLF_12.known("outlook")
    table = contingency(rows["outlook"], rows.y)
    assert {b: dict(zip(table.classes, table.row(b), strict=True)) for b in table.branches} == {
        "sunny": {"Play": 2, "Don't Play": 3},
        "overcast": {"Play": 3, "Don't Play": 0},
        "rain": {"Play": 3, "Don't Play": 2},
    }
    assert agrees(entropy([8, 5]), "0.961", 0.96123660472)
    assert agrees(weighted_impurity(table, entropy), "0.747", 0.74688507266)
    gain = 13 / 14 * information_gain(table)
    assert agrees(gain, "0.199", 0.19904070835)
    assert agrees(entropy([5, 3, 5, 1]), "1.809", 1.8092000327)
    assert agrees(gain / entropy([5, 3, 5, 1]), "0.110", 0.11001586599)


def test_growth_sees_the_same_figures():
    table = read_table(X)
    target, codes = encode_classes(Y)
    dataset = Dataset(Schema(table.columns, target), table.values, codes)
    found = {c.name: c for c in root_candidates(dataset, C45Classifier(pruning=None).plan())}
    # Temperature and humidity gain less than their cuts cost.
    assert found.keys() == {"outlook", "windy"}
    assert found["outlook"].chosen
    assert agrees(found["outlook"].gain, "0.199", 0.19904070835)
    assert agrees(found["outlook"].split_info, "1.809", 1.8092000327)
    assert agrees(found["outlook"].merit, "0.110", 0.11001586599)


def test_the_tree_as_printed():
    tree = C45Classifier(pruning=None).fit(X, Y).tree_
    play, stay = frozenset({"Play"}), frozenset({"Don_t_Play"})
    # v0, v1, ... are the levels in order of appearance: sunny, overcast, rain; false, true.
    assert as_printed(tree) == {
        ("outlook", "=", "v0"): {
            ("humidity", "<=", "75"): (play, "2.0", "0.0"),
            ("humidity", ">", "75"): (stay, "3.4", "0.4"),
        },
        ("outlook", "=", "v1"): (play, "3.2", "0.0"),
        ("outlook", "=", "v2"): {
            ("windy", "=", "v0"): (play, "3.0", "0.0"),
            ("windy", "=", "v1"): (stay, "2.4", "0.4"),
        },
    }


def test_where_case_12_is():
    model = C45Classifier(pruning=None).fit(X, Y)
    tree = model.tree_
    path = model.decision_path(CASE_12).toarray()[0]
    sunny, overcast, rain = range(tree.first_child[0], tree.first_child[0] + 3)
    assert path[[sunny, overcast, rain]] == pytest.approx([float(s) for s in SHARES.values()], rel=1e-12)
    # Its humidity is 90 and it is windy, so all of its shares go on to one leaf each.
    high, windy = tree.first_child[sunny] + 1, tree.first_child[rain] + 1
    assert path[[high, windy]] == pytest.approx([5 / 13, 5 / 13], rel=1e-12)
    assert np.count_nonzero(path) == 6
    assert tree.count[[sunny, overcast, rain]].tolist() == [6, 4, 6]
    assert tree.weight[[high, overcast, windy]] == pytest.approx(
        [3 + 5 / 13, 3 + 3 / 13, 2 + 5 / 13], rel=1e-12
    )


def test_classifying_a_case_of_unknown_humidity():
    model = C45Classifier(pruning=None).fit(X, Y)
    assert model.classes_.tolist() == ["Don't Play", "Play"]
    ((stay, play),) = model.predict_proba(ASKED)
    # 2.0/5.4 times 100% and 3.4/5.4 times 12%; the book prints 44% and 56%.
    assert agrees(play, "0.443", 0.44285714286)
    assert agrees(stay, "0.557", 0.55714285714)
    assert (rounded(100 * play, 0), rounded(100 * stay, 0)) == ("44", "56")
    assert model.predict(ASKED).tolist() == ["Don't Play"]


def test_classifying_case_12_itself():
    # By hand: 5/13 (5/13 / 3 5/13) + 3/13 + 5/13 (5/13 / 2 5/13) for Play.
    share = Fraction(5, 13)
    play = share * share / (3 + share) + Fraction(3, 13) + share * share / (2 + share)
    proba = C45Classifier(pruning=None).fit(X, Y).predict_proba(CASE_12)[0]
    assert proba == pytest.approx([1 - float(play), float(play)], rel=1e-12)
