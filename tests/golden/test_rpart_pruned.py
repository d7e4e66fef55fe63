"""rpart's pruned trees: leaves, cp tables, frames and losses of 57 sets, and the printed tables of its own examples.

Where rpart's cp table is not that of the book, its recursion is repeated here and gives its very numbers.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tests.golden.rpart import compare, frame, results
from tests.golden.rpart_pruned import (
    CAUSES,
    CP,
    RPART,
    by_recursion,
    cp_rows,
    grown,
    grown_set,
    read_cp,
    rpart_agreement,
    same_rows,
)
from tests.golden.sets import load
from tests.golden.test_rpart_own import CAR90, IRIS, KYPHOSIS, MILEAGE_FRAME, RELIABILITY_FRAMES, cu_summary
from tests.golden.test_rpart_stagec import ANOVA, FRAME, stagec
from treewright import CARTClassifier, CARTRegressor
from treewright.prune.cost_complexity import CostComplexity
from treewright.prune.losses import training_losses


def test_all_sets(shared):
    equal, total, found = rpart_agreement(shared)
    assert {one.name for one in found} == CAUSES.keys()
    assert (equal, total) == (49, 57)
    # A tie changes a name, the recursion and an unsplit root the table alone.
    tables = {name for name, cause in CAUSES.items() if cause in ("recursion", "unsplit root")}
    assert {one.name for one in found if one.what == "cp"} == tables
    assert {one.name for one in found if one.what != "cp"} == {"fishcatch"}


@pytest.mark.parametrize("name", [name for name in CAUSES if name not in ("fishcatch", "postoperative")])
def test_causes(name, shared):
    """What rpart does differently, done in its way, gives its table, and not without."""
    theirs = read_cp(results(shared)[name]["cp"])
    tree = grown_set(shared, name)
    pruned = CostComplexity(cp=CP).prune(tree)
    assert not same_rows(cp_rows(pruned.report.path), theirs)
    assert same_rows(by_recursion(tree), theirs)
    assert pruned.tree.n_leaves == int(results(shared)[name]["leaves"])
    assert compare(pruned.tree, frame(results(shared)[name]["frame"]))[1] == []


def test_recursion_is_the_book_elsewhere(shared):
    for name in ("iris", "rpart_kyphosis", "vehicle", "machine_cpu"):
        tree = grown_set(shared, name)
        assert same_rows(by_recursion(tree), cp_rows(CostComplexity(cp=CP).prune(tree).report.path))


def test_root_that_is_never_split(shared):
    pruned = CostComplexity(cp=CP).prune(grown_set(shared, "postoperative"))
    assert pruned.tree.n_nodes == 1
    assert read_cp(results(shared)["postoperative"]["cp"]) == [(0.0, 0, 1.0)]


def printed(text):
    """The rows of a printed cp table: number, cp, splits, relative error, each with the digits it is printed with."""
    return [line.split()[1:4] for line in text.strip().splitlines()]


def check_table(path, text, cp=CP):
    rows = cp_rows(path, cp)
    table = printed(text)
    assert [splits for _, splits, _ in rows] == [int(splits) for _, splits, _ in table]
    for (own, _, risk), (cp_told, _, risk_told) in zip(rows, table, strict=True):
        for ours, told in ((own, cp_told), (risk, risk_told)):
            digits = len(told.partition(".")[2])
            assert ours == pytest.approx(float(told), abs=0.51 * 10.0**-digits)


def check_tree(tree, text):
    nodes = frame(text)
    pairs, apart = compare(tree, nodes)
    assert apart == []
    assert len(pairs) == len(nodes) == tree.n_nodes


def pruned(estimator, X, y, cp=CP):
    return CostComplexity(cp=cp).prune(grown(estimator, X, y))


KYPHOSIS_CP = """
1 0.17647059      0 1.0000000
2 0.01960784      1 0.8235294
3 0.01000000      4 0.7647059"""

KYPHOSIS_STUMP = "1|Start|81|17; 2|<leaf>|62|6; 3|<leaf>|19|8"


def test_kyphosis(shared):
    X, y = load(shared, "rpart_kyphosis")
    usual = pruned(CARTClassifier(**RPART), X, y)
    check_table(usual.report.path, KYPHOSIS_CP)
    check_tree(usual.tree, KYPHOSIS)
    check_tree(pruned(CARTClassifier(**RPART), X, y, cp=0.05).tree, KYPHOSIS_STUMP)


def weighted_risks(tree):
    return training_losses(tree).leaf.tolist()


def test_kyphosis_with_priors(shared):
    # Priors of .65 and .35 weigh the classes, 64 absent and 17 present of 81.
    X, y = load(shared, "rpart_kyphosis")
    priors = {"absent": 0.65 * 81 / 64, "present": 0.35 * 81 / 17}
    found = pruned(CARTClassifier(criterion="entropy", class_weight=priors, **RPART), X, y)
    table = """
    1 0.3019958      0 1.0000000
    2 0.2023372      1 0.6980042
    3 0.0100000      2 0.4956670"""
    check_table(found.report.path, table)
    tree = found.tree
    assert tree.count.tolist() in ([81, 35, 46, 10, 25], [81, 46, 35, 10, 25])
    told = {81: 28.35, 46: 3.335294, 35: 16.45312, 10: 1.667647, 25: 9.049219}
    ours = dict(zip(tree.count.tolist(), weighted_risks(tree), strict=True))
    assert ours == pytest.approx(told, rel=5e-7)
    assert tree.value[0] == pytest.approx([0.65, 0.35])


def test_kyphosis_with_losses(shared):
    # An absent one taken for present costs 4, a present one taken for absent 3.
    X, y = load(shared, "rpart_kyphosis")
    found = pruned(CARTClassifier(class_weight={"absent": 4, "present": 3}, **RPART), X, y)
    assert found.tree.count.tolist() in ([81, 62, 19], [81, 19, 62])
    assert sorted(weighted_risks(found.tree)) == [18.0, 32.0, 51.0]


STAGEC_CP = """
1 0.10493827      0 1.0000000
2 0.05555556      3 0.6851852
3 0.02777778      4 0.6296296
4 0.01851852      6 0.5740741
5 0.01000000      7 0.5555556"""

STAGEC_ANOVA_CP = """
1 0.15219488      0 1.0000000
2 0.05439537      1 0.8478051
3 0.03248748      3 0.7390144
4 0.01993176      4 0.7065269
5 0.01883259      5 0.6865951
6 0.01749291      7 0.6489300
7 0.01302744      8 0.6314371
8 0.01000000      9 0.6184096"""


def test_stagec(shared):
    X, status = stagec(shared)
    found = pruned(CARTClassifier(**RPART), X, np.where(status == 1, "Prog", "No"))
    check_table(found.report.path, STAGEC_CP)
    check_tree(found.tree, FRAME)
    # "complexity param" of nodes 1, 3 and 7: the least of a node and those above it.
    path = found.report.path
    nodes = compare(path.tree, frame(FRAME))[0]
    least = np.minimum(path.node_alpha, path.node_gone) / path.root_risk
    assert [round(float(least[nodes[number]]), 7) for number in (1, 3, 7)] == [0.1049383] * 3


def test_stagec_anova(shared):
    # The printed tree is the one of 4 splits, best from cp = .01993176 to .03248748.
    X, status = stagec(shared)
    found = pruned(CARTRegressor(**RPART), X, status)
    check_table(found.report.path, STAGEC_ANOVA_CP)
    assert found.tree.n_leaves == 10
    for cp in (0.0199318, 0.025, 0.0324874):
        check_tree(found.report.path.tree_at(cp * found.report.path.root_risk), ANOVA)


CAR90_CP = """
1 0.46014608      0 1.0000000
2 0.11790530      1 0.5398539
3 0.11234341      2 0.4219486
4 0.04449133      3 0.3096052
5 0.03344936      4 0.2651139
6 0.01000000      5 0.2316645"""


def test_car90(shared):
    X, y = load(shared, "rpart_car90")
    X = X.drop(columns=["model", "Rim", "Tires", "Model2"])
    worst_first = ["Much worse", "worse", "average", "better", "Much better"]
    X["Reliability"] = X["Reliability"].cat.reorder_categories(worst_first, ordered=True)
    found = pruned(CARTRegressor(**RPART), X, y / 1000)
    check_table(found.report.path, CAR90_CP)
    check_tree(found.tree, CAR90)


MILEAGE_CP = """
1 0.62288527      0 1.0000000
2 0.13206061      1 0.3771147
3 0.02544094      2 0.2450541
4 0.01160389      3 0.2196132
5 0.01000000      4 0.2080093"""


def test_mileage(shared):
    table = cu_summary(shared).dropna(subset="Mileage")
    found = pruned(CARTRegressor(**RPART), table[["Price", "Country", "Reliability", "Type"]], table["Mileage"])
    check_table(found.report.path, MILEAGE_CP)
    check_tree(found.tree, MILEAGE_FRAME)


@pytest.mark.parametrize("criterion", RELIABILITY_FRAMES)
def test_reliability(criterion, shared):
    table = cu_summary(shared).dropna(subset="Reliability")
    X, y = table[["Price", "Country", "Mileage", "Type"]], table["Reliability"].astype(str)
    check_tree(pruned(CARTClassifier(criterion=criterion, **RPART), X, y).tree, RELIABILITY_FRAMES[criterion])


CAR_TEST_CP = """
1 0.59534912      0 1.0000000
2 0.13452819      1 0.4046509
3 0.01282843      2 0.2701227
4 0.01000000      3 0.2572943"""

CAR_TEST_FRAME = """
    1|Weight|60|1354.583; 2|Weight|45|361.2; 4|<leaf>|22|61.31818; 5|Weight|23|117.6522; 10|<leaf>|15|60.4;
    11|<leaf>|8|39.875; 3|<leaf>|15|186.9333"""


def test_car_test_frame(shared):
    table = pd.read_csv(shared / "data" / "rpart_car_test_frame.csv")
    found = pruned(CARTRegressor(**RPART), table[["Weight"]], table["Mileage"])
    check_table(found.report.path, CAR_TEST_CP)
    check_tree(found.tree, CAR_TEST_FRAME)


SOLDER_CP = """
1 0.27890877      0 1.0000000
2 0.21209320      1 0.7210912
3 0.12839093      2 0.5089980
4 0.07914324      3 0.3806071
5 0.05000000      4 0.3014639"""

SOLDER_FRAME = """
    1|Opening|720|48116.13; 2|<leaf>|480|4622.325; 3|Mask|240|30073.8; 6|<leaf>|120|2833.7; 7|Solder|120|17034.99;
    14|<leaf>|60|2736.583; 15|PadType|60|8120.733; 30|<leaf>|30|1666.8; 31|<leaf>|30|2645.867"""


def test_solder(shared):
    found = pruned(CARTRegressor(**RPART), *load(shared, "rpart_solder_balance"), cp=0.05)
    check_table(found.report.path, SOLDER_CP, cp=0.05)
    check_tree(found.tree, SOLDER_FRAME)


IRIS_CP = """
1 0.50      0      1.00
2 0.44      1      0.50
3 0.01      2      0.06"""

IRIS_WHOLE_CP = """
1 0.500      0      1.00
2 0.440      1      0.50
3 0.020      2      0.06
4 0.010      3      0.04
5 0.005      6      0.01
6 0.000      8      0.00"""

IRIS_WHOLE = """
    1|Petal.Length|150|100; 2|<leaf>|50|0; 3|Petal.Width|100|50; 6|Petal.Length|54|5; 12|Petal.Width|48|1;
    24|<leaf>|47|0; 25|<leaf>|1|0; 13|Petal.Width|6|2; 26|Sepal.Length|3|1; 52|<leaf>|2|0; 53|<leaf>|1|0;
    27|<leaf>|3|0; 7|Petal.Length|46|1; 14|Sepal.Length|3|1; 28|<leaf>|1|0; 29|<leaf>|2|0; 15|<leaf>|43|0"""


def test_iris():
    # R's table is Fisher's; scikit-learn has the same.
    iris = load_iris(as_frame=True)
    X = iris.data.set_axis(["Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width"], axis=1)
    usual = pruned(CARTClassifier(**RPART), X, iris.target)
    check_table(usual.report.path, IRIS_CP)
    check_tree(usual.tree, IRIS)
    whole = pruned(CARTClassifier(**{**RPART, "min_samples_split": 2, "min_samples_leaf": 1}), X, iris.target, cp=0)
    check_table(whole.report.path, IRIS_WHOLE_CP, cp=0)
    check_tree(whole.tree, IRIS_WHOLE)
