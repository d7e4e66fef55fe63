"""The page in Chinese: whatever is opened, there are no English words but the user's and Python code."""

import re

import numpy as np
import pandas as pd
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    TreeClassifier,
)
from treewright.page.export_part import FORMATS
from treewright.prune.registry import METHODS

LATIN = re.compile("[A-Za-z]{2,}")
PYTHON = ("Treewright", "Python", "log2", "to_html", "methods", "X_val", "y_val", r"\w+\([^()]*\)", *METHODS)
"""Names and calls of Python; a method is named as the parameter `pruning` has it."""

EXPORTS = (*(one.name for one in FORMATS if len(one.name) > 1), "SQL", "Ctrl")
"""Names of languages and databases."""

ALLOWED = re.compile("|".join((*EXPORTS, *PYTHON)))

SHOWN = """() => {
    const found = [];
    const skip = "code, pre.parameters, pre.export-text, kbd, script, style, noscript, button.language";
    for (const element of document.querySelectorAll("body *")) {
        if (element.closest(skip)) continue;
        for (const name of ["aria-label", "title", "placeholder", "alt"])
            if (element.hasAttribute(name)) found.push(element.getAttribute(name));
        // A name is one text, also where it may break.
        if (element.tagName === "BDI") found.push(element.textContent);
        else for (const node of element.childNodes)
            if (node.nodeType === Node.TEXT_NODE && node.textContent.trim()) found.push(node.textContent);
    }
    return found;
}"""
"""All texts of a page, those of tooltips and of hidden parts too."""


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "年龄": rng.integers(18, 80, 400).astype(float),
            "收入": rng.lognormal(9, 1, 400).round(1),
            "城市": rng.choice(["北京", "上海", "广州"], 400),
            "尺码": pd.Categorical(rng.choice(["小", "中", "大"], 400), ["小", "中", "大"], ordered=True),
        }
    )
    buys = ((table["年龄"] > 40) & (table["收入"] > 6000)) ^ (rng.random(400) < 0.15)
    classes = pd.Series(np.where(buys, "是", "否"), name="购买")
    numbers = pd.Series(table["年龄"] * 2 + rng.normal(0, 3, 400), name="价格")
    table.loc[rng.random(400) < 0.1, "年龄"] = np.nan
    return table, classes, numbers


MODELS = {
    "c45": C45Classifier(),
    "c45 raised": C45Classifier(variant="j48", min_samples_leaf=1),
    "c45 costs": C45Classifier(cost_matrix=[[0, 2], [1, 0]], probability="laplace"),
    "shrinkage": C45Classifier(probability="shrinkage", smoothing=9),
    "id3": ID3Classifier(numeric="bisect", missing="branch"),
    "cart": CARTClassifier(min_samples_leaf=5),
    "stop": CARTClassifier(missing="stop", pruning="mdl"),
    "two steps": CARTClassifier(missing="learned", pruning=["pessimistic", "same_decision"]),
    "held out": TreeClassifier(missing="fractional", validation_fraction=0.3, pre_pruning=True, max_depth=4),
    "description length": MDLTreeClassifier(max_depth=3),
    "numbers": CARTRegressor(min_samples_leaf=10),
}


OPENED = """() => {
    const buttons = () => document.querySelectorAll("#panel-node .node-view:not([hidden]) .ledger tbody button");
    for (let i = 0; i < buttons().length; i++) buttons()[i].click();
}"""
"""Opens what is told of every column, as the buttons do."""

CLICK = "one => one.click()"


def english(page):
    """The texts of the page with English words."""
    return sorted({text for text in page.ask(SHOWN) if LATIN.search(ALLOWED.sub("", text))})


def open_all(page, nodes):
    """Select some nodes and expand everything about them; return the English that was met."""
    found = set()
    for node in nodes:
        page.ask("i => treewright.select(i)", node)
        page.ask(OPENED)
        found |= set(english(page))
    return sorted(found)


def visit_case(page, known):
    """Enter a case, with known values or with none, and return the English that was met."""
    page.page.locator("#tab-case").click()
    found = set(english(page))
    for _ in range(12):
        box = page.page.locator(".question.first")
        if not box.count():
            break
        if not known:
            box.locator(".unknown").evaluate(CLICK)
        elif box.locator(".number-field").count():
            box.locator(".number-field").fill("45")
            page.page.keyboard.press("Enter")
        else:
            box.locator(".category").first.evaluate(CLICK)
        found |= set(english(page))
    page.page.locator(".case-buttons button").click()
    return sorted(found)


# The texts of these are on the pages of others, too.
REPEATED = ("c45", "shrinkage", "id3", "cart")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name in REPEATED else ()) for name in MODELS]
)
def test_a_chinese_page_has_no_english_words(visit, rows, name):
    table, classes, numbers = rows
    target = numbers if name == "numbers" else classes
    model = MODELS[name].fit(table[:300], target[:300])
    given = {} if name == "stop" else {"X_val": table[300:], "y_val": target[300:]}
    own = (table[:300], target[:300]) if name != "two steps" else ()
    page = visit(model.to_html(None, *own, **given, title="决策树", language="zh"))
    assert page.ask("document.documentElement.lang") == "zh-CN"
    classes_of_python = type(model).__name__
    met = [text for text in english(page) if classes_of_python not in text]
    page.ask("treewright.setView('grown')")
    n_nodes = model.grown_tree_.n_nodes
    met += open_all(page, [*range(min(4, n_nodes)), n_nodes - 1])
    met += visit_case(page, known=True)
    met += visit_case(page, known=False)
    page.page.locator("#tab-pruning").click()
    for key in page.ask("treewright.document.views.map(view => view.key)"):
        page.ask("key => treewright.setView(key)", key)
        met += english(page)
    page.page.keyboard.press("?")
    met += english(page)
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("x")
    page.page.locator(".export-buttons, .export-content code").first.wait_for()
    met += english(page)
    assert sorted({text for text in met if classes_of_python not in text}) == []
