"""Pictures and charts in Chinese have no English words but the user's."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from tests.plot.drawn import closed, texts_of
from treewright import C45Classifier, CARTClassifier, CARTRegressor, ParameterError, compare_pruning, plot
from treewright.evaluate.calibration import calibration
from treewright.plot.fonts import TextStyle

IRIS = load_iris()
CLASSES = pd.Series(np.array(["山鸢尾", "变色鸢尾", "维吉尼亚鸢尾"])[IRIS.target], name="种类")
HOLED = np.where(np.arange(150)[:, None] % 7, IRIS.data, np.nan)
OWN = re.compile(r"x\d|n=|alpha|pessimistic|cost complexity|none|mathdefault|[MkGT]\b")
"""The names of columns that were not named, and words that are the same in both languages."""


@pytest.fixture(scope="module")
def irises():
    return CARTClassifier().fit(IRIS.data, CLASSES)


def english(texts):
    """The English words in some texts."""
    return [text for text in texts if re.search("[A-Za-z]{2,}", OWN.sub("", text)) and "$" not in text]


def test_a_picture_in_chinese(irises):
    for model, nodes in ((irises, "summary"), (C45Classifier(pruning=None).fit(HOLED, CLASSES), "distribution")):
        root = ET.fromstring(model.to_svg(language="zh", max_depth=2, nodes=nodes))
        texts = [element.text or "" for element in root.iter() if element.tag.endswith(("text", "title"))]
        assert english(texts) == []
        assert any("叶结点" in text for text in texts)


CHARTS = {
    "tree": lambda model: model.plot_tree(language="zh"),
    "node": lambda model: plot.node_distribution(model, 0, language="zh"),
    "leaf": lambda model: plot.node_distribution(model, 1, language="zh"),
    "branches": lambda model: plot.node_distribution(model.tree_, 0, language="zh"),
    "path": lambda model: plot.pruning_path(model, language="zh"),
    "path of a tree": lambda model: plot.pruning_path(model.tree_, language="zh"),
    "comparison": lambda model: plot.pruning_comparison(
        compare_pruning(CARTClassifier(), IRIS.data, CLASSES, methods=["pessimistic"], folds=3), language="zh"
    ),
    "regions": lambda model: plot.decision_regions(model, columns=(0, 1), language="zh"),
    "importances": lambda model: plot.importances(model, top=1, language="zh"),
    "calibration": lambda model: plot.calibration(calibration(model, IRIS.data, CLASSES), language="zh"),
    "calibrations": lambda model: plot.calibration({"甲": calibration(model, IRIS.data, CLASSES)}, language="zh"),
}

SOME_CHARTS = ("tree", "node", "path", "regions", "calibration")
"""One of each kind; the others are for long runs where all must fall back to English."""

chinese_font = pytest.mark.skipif(bool(TextStyle(["叶结点"]).missing), reason="no Chinese font is installed")


@closed
@chinese_font
@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_in_chinese(irises, name):
    texts = texts_of(CHARTS[name](irises))
    assert any(re.search("[\u4e00-\u9fff]", text) for text in texts)
    assert english(texts) == []


@closed
@pytest.mark.parametrize(
    "name", [name if name in SOME_CHARTS else pytest.param(name, marks=pytest.mark.long) for name in CHARTS]
)
def test_without_a_chinese_font_a_chart_is_in_english_and_says_so(irises, name, monkeypatch):
    monkeypatch.setattr("treewright.plot.fonts.FALLBACK_FONTS", ())
    with pytest.warns(UserWarning, match=r"No installed font has the characters of language='zh'"):
        ax = CHARTS[name](irises)
    assert english(texts_of(ax))


@closed
@chinese_font
@pytest.mark.parametrize("node", [0, 1])
def test_a_regression_chart_in_chinese(node):
    X, y = load_diabetes(return_X_y=True)
    model = CARTRegressor(max_depth=1, pruning=None).fit(X, pd.Series(y, name="病情"))
    assert english(texts_of(plot.node_distribution(model, node, language="zh"))) == []


def test_an_unknown_language_is_named(irises):
    with pytest.raises(ParameterError, match=r"language must be one of .* got 'xx'"):
        irises.to_svg(language="xx")
