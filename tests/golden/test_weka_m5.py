"""Weka 3.9.7: M5P -R (regression trees) without pruning and with it.

The trees are written from the root down, the lower branch first; a dot is a leaf. Growth is Weka's own: the rows are
sent down its unpruned tree, and what is compared is the pruning.
"""

import numpy as np
import pytest

from tests.golden.sets import load
from tests.golden.tables import LIHANG_52, LIHANG_82
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, leaf, number
from treewright.prune import Pessimistic

BODYFAT_GROWN = """
Density<=1.05605 Density<=1.04455 Density<=1.03505 Density<=1.0243 Density<=1.016 . Chest<=117.25 . .
Density<=1.02925 Density<=1.02665 . . Density<=1.03235 . . Density<=1.03915 Density<=1.038 . .
Density<=1.042 . . Density<=1.0495 Density<=1.04725 . . Density<=1.0534 Density<=1.05175 . . .
Density<=1.06645 Density<=1.0615 Density<=1.05855 . . Density<=1.06275 . . Density<=1.07805 Density<=1.0733
Density<=1.06845 Density<=1.0667 . . Density<=1.07145 . . Density<=1.07665 . . Density<=1.0835
Density<=1.08035 . . Density<=1.09185 Density<=1.0887 Density<=1.08675 . . . Weight<=139 . .
"""
BODYFAT_PRUNED = """
Density<=1.05605 Density<=1.04455 Density<=1.03505 . Density<=1.03915 Density<=1.038 . . Density<=1.042 . .
Density<=1.0495 Density<=1.04725 . . Density<=1.0534 Density<=1.05175 . . . Density<=1.06645 Density<=1.0615
Density<=1.05855 . . Density<=1.06275 . . Density<=1.07805 . .
"""
AUTO_PRICE_GROWN = """
curb-weight<=2664 curb-weight<=2291.5 curb-weight<=2087.5 length<=160.75 horsepower<=69.5 city-mpg<=33
normalized-losses<=111 highway-mpg<=37 . . curb-weight<=1978 . . wheel-base<=91.05 . . curb-weight<=1948 . .
curb-weight<=1947.5 normalized-losses<=125 . . height<=53.8 height<=53.15 . curb-weight<=2026 . . .
city-mpg<=29.5 bore<=3.43 width<=63.9 . horsepower<=85.5 symboling<=0.5 . . curb-weight<=2250.5 . . .
city-mpg<=33 . . length<=176.4 horsepower<=90 bore<=3.305 curb-weight<=2345.5 . . symboling<=-0.5 .
curb-weight<=2395 . . curb-weight<=2408.5 length<=172.2 . length<=172.7 . width<=65.3 . . highway-mpg<=29.5
. symboling<=1 curb-weight<=2434.5 . . . normalized-losses<=157 curb-weight<=2417.5 symboling<=0.5 . . . .
width<=68.85 horsepower<=158 normalized-losses<=155.5 width<=66.2 height<=52.5 . . length<=185.6
normalized-losses<=118 . . city-mpg<=23.5 bore<=3.405 . symboling<=0.5 . . . normalized-losses<=175
width<=68.35 . curb-weight<=3224.5 horsepower<=96 . . . . symboling<=2.5 . normalized-losses<=195.5 . .
curb-weight<=3356 curb-weight<=2982 . compression-ratio<=9.15 . . normalized-losses<=117.5
curb-weight<=3632.5 . . .
"""
AUTO_PRICE_PRUNED = """
curb-weight<=2664 curb-weight<=2291.5 curb-weight<=2087.5 length<=160.75 . . . length<=176.4 .
normalized-losses<=157 . . width<=68.85 . .
"""


def read(text, columns, y):
    """The tree of these splits, with the statistics of these rows at its leaves."""
    words = iter(text.split())

    def part(rows):
        word = next(words)
        if word == ".":
            mean = y[rows].mean()
            return leaf(float(mean), len(rows), float(((y[rows] - mean) ** 2).sum()))
        name, cut = word.split("<=")
        low = columns[name][rows] <= float(cut)
        return number(name, float(cut), part(rows[low]), part(rows[~low]))

    spec = part(np.arange(len(y)))
    assert next(words, None) is None
    return build(Schema(tuple(Column(name, Kind.NUMBER) for name in columns), Target("y")), spec)


def write(tree):
    names, column, cut = tree.schema.names, tree.column, tree.threshold
    return ["." if n.is_leaf else f"{names[column[n.id]]}<={cut[n.id]:.10g}" for n in tree.walk()]


@pytest.mark.parametrize(
    ("table", "grown", "pruned"),
    [
        (LIHANG_52, "x<=5.5 x<=3.5 . . x<=8.5 . .", "x<=5.5 . ."),
        (LIHANG_82, "x<=6.5 x<=3.5 . . x<=8.5 . .", "x<=6.5 x<=3.5 . . ."),
    ],
    ids=["table 5.2", "example 8.2"],
)
def test_m5_on_small_tables(table, grown, pruned):
    tree = read(grown, {"x": np.array(table["x"])}, np.array(table.y))
    assert write(Pessimistic().prune(tree).tree) == pruned.split()


@pytest.mark.parametrize(
    ("name", "grown", "pruned"),
    [("bodyfat", BODYFAT_GROWN, BODYFAT_PRUNED), ("auto_price", AUTO_PRICE_GROWN, AUTO_PRICE_PRUNED)],
    ids=["bodyfat", "auto_price"],
)
def test_m5(name, grown, pruned, shared):
    X, y = load(shared, name)
    tree = read(grown, {column: X[column].astype(float).to_numpy() for column in X}, y.to_numpy())
    assert write(tree) == grown.split()
    assert write(Pessimistic().prune(tree).tree) == pruned.split()
