"""rpart's own tables: its importance of columns, surrogates included, and trees on a table with missing values.

The importance of a column is what its splits improve, and what the splits improve that it is a surrogate of, times its
adjusted agreement; summed over the nodes of rpart's tree, which is the upper part of ours.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from tests.golden.rpart import CONTROL, compare, frame, importance, inner
from tests.golden.sets import load
from treewright import CARTClassifier, CARTRegressor
from treewright.presets import rpart

KYPHOSIS = """
    1|Start|81|17; 2|Start|62|6; 4|<leaf>|29|0; 5|Age|33|6; 10|<leaf>|12|0; 11|Age|21|6; 22|<leaf>|14|2;
    23|<leaf>|7|3; 3|<leaf>|19|8"""


def test_importance_on_kyphosis(shared):
    # No cell is missing, so surrogates are asked for.
    tree = CARTClassifier(pruning=None, surrogates="always", **CONTROL).fit(*load(shared, "rpart_kyphosis")).tree_
    printed = {"Start": 8.198442, "Age": 3.101801, "Number": 1.521863}
    assert importance(tree, inner(tree, KYPHOSIS)) == pytest.approx(printed, abs=5.1e-7)


IRIS = "1|Petal.Length|150|100; 2|<leaf>|50|0; 3|Petal.Width|100|50; 6|<leaf>|54|5; 7|<leaf>|46|1"


def test_importance_on_iris():
    # R's table is Fisher's; scikit-learn has the same, the reference file differs from it in two rows.
    iris = load_iris(as_frame=True)
    X = iris.data.set_axis(["Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width"], axis=1)
    tree = CARTClassifier(pruning=None, surrogates="always", **CONTROL).fit(X, iris.target).tree_
    printed = {
        "Petal.Width": 88.96940, "Petal.Length": 81.34496, "Sepal.Length": 54.09606, "Sepal.Width": 36.01309,
    }  # fmt: skip
    assert importance(tree, inner(tree, IRIS)) == pytest.approx(printed, abs=5.1e-6)


CAR90 = """
    1|Disp|105|7118.267; 2|Country|70|1491.628; 4|Type|58|421.2147; 8|<leaf>|21|50.30983; 9|<leaf>|37|132.8033;
    5|<leaf>|12|270.7233; 3|HP.revs|35|2351.196; 6|Disp|24|980.2779; 12|<leaf>|16|395.9967; 13|<leaf>|8|267.58;
    7|<leaf>|11|531.6368"""


def test_importance_on_car90(shared):
    # As in rpart's vignette: thousands of dollars, three columns left out, reliability in its order.
    X, y = load(shared, "rpart_car90")
    X = X.drop(columns=["model", "Rim", "Tires", "Model2"])
    X["Reliability"] = X["Reliability"].cat.reorder_categories(
        ["Much worse", "worse", "average", "better", "Much better"], ordered=True
    )
    assert X.isna().any(axis=None)
    tree = CARTRegressor(pruning=None, **CONTROL).fit(X, y / 1000).tree_
    printed = {
        "Disp": 4033.39524, "Disp2": 3897.33723, "Weight": 2761.60917, "Tank": 2538.03398, "HP": 2443.95616,
        "Wheel.base": 1871.68159, "Country": 1333.77860, "HP.revs": 839.28146, "Gear2": 732.02644,
        "Front.Hd": 305.19326, "Type": 238.10151, "Length": 197.93824, "Steering": 147.39617, "Width": 147.39617,
        "Rear.Seating": 66.64087,
    }  # fmt: skip
    assert importance(tree, inner(tree, CAR90)) == pytest.approx(printed, abs=5.1e-6)


RELIABILITY = ["Much worse", "worse", "average", "better", "Much better"]

MILEAGE_FRAME = """
    1|Price|60|1354.583; 2|Type|48|407.9167; 4|Type|23|66.86957; 8|<leaf>|10|22.1; 9|<leaf>|13|10.30769;
    5|Price|25|162.16; 10|<leaf>|14|107.7143; 11|<leaf>|11|38.72727; 3|<leaf>|12|102.9167"""

RELIABILITY_FRAMES = {
    "gini": """
    1|Country|85|59; 2|Type|58|35; 4|<leaf>|9|2; 5|Type|49|28; 10|<leaf>|27|11; 11|Country|22|14; 22|<leaf>|14|8;
    23|<leaf>|8|4; 3|<leaf>|27|6""",
    "entropy": """
    1|Country|85|59; 2|Type|58|35; 4|Type|36|18; 8|<leaf>|9|2; 9|<leaf>|27|11; 5|Country|22|14; 10|<leaf>|14|8;
    11|<leaf>|8|4; 3|<leaf>|27|6""",
}


def cu_summary(shared):
    """The table, its words as categories."""
    table = pd.read_csv(shared / "data" / "rpart_cu_summary.csv")
    words = {name: pd.Categorical(table[name]) for name in ("Country", "Type")}
    return table.assign(Reliability=pd.Categorical(table["Reliability"], RELIABILITY, ordered=True), **words)


def test_mileage(shared):
    table = cu_summary(shared).dropna(subset="Mileage")
    X = table[["Price", "Country", "Reliability", "Type"]]
    assert X["Reliability"].isna().any()
    tree = CARTRegressor(pruning=None, **CONTROL).fit(X, table["Mileage"]).tree_
    assert compare(tree, frame(MILEAGE_FRAME))[1] == []


@pytest.mark.parametrize("criterion", RELIABILITY_FRAMES)
def test_reliability(criterion, shared):
    table = cu_summary(shared).dropna(subset="Reliability")
    X = table[["Price", "Country", "Mileage", "Type"]]
    assert X["Mileage"].isna().any()
    tree = CARTClassifier(pruning=None, criterion=criterion, **CONTROL).fit(X, table["Reliability"].astype(str)).tree_
    assert compare(tree, frame(RELIABILITY_FRAMES[criterion]))[1] == []


SOLDER = {
    "root": (720, 6855.6900, 4.965278), "Opening=L,M": (480, 1803.1630, 1.913780),
    "Mask=A1.5,A3,B3": (360, 718.0687, 1.038308), "Mask=B6": (120, 599.6246, 4.542376),
    "Opening=S": (240, 2543.1750, 11.065710), "Mask=A1.5,A3": (120, 596.4945, 4.550696),
    "Mask=B3,B6": (120, 962.4191, 17.570510), "Solder=Thick": (60, 256.9253, 10.398430),
    "Solder=Thin": (60, 343.8841, 24.700420),
}  # fmt: skip


def test_poisson_on_solder(shared):
    """rpart's rates are shrunk to (1 + events) / (1 / r + rows), r the rate of the root, and its deviances are about
    them: with the sums of our nodes these are the printed numbers.
    """
    X, y = load(shared, "rpart_solder_balance")
    tree = rpart(cp=0.05, method="poisson").fit(X, y).tree_
    rate, weight = tree.value[:, 0], tree.weight
    shrunk = (1.0 + rate * weight) / (1.0 / rate[0] + weight)
    apart = rate * weight * np.log(rate / shrunk) - weight * (rate - shrunk)
    found = np.column_stack([weight, 2.0 * (tree.stats[:, 2] + apart), shrunk])
    printed = np.array(list(SOLDER.values()))
    np.testing.assert_allclose(found[np.lexsort(found.T)], printed[np.lexsort(printed.T)], rtol=1e-6)
