"""Tables and estimators that a page has to do with.

In: nothing. Out: tables with numbers, ordered and plain categories, holes, hostile and Chinese names, for classes and
for numbers; and fitted estimators of every kind on them.
"""

from functools import cache

import numpy as np
import pandas as pd
from sklearn.base import clone

from tests.page.reading import document
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    TreeClassifier,
    TreeRegressor,
)

DAYS = """
sunny 85 no stay      sunny 90 yes stay  overcast 86 no play    rain 96 no play      rain 80 no play
rain 70 yes stay      overcast 65 yes play  sunny 95 no stay    sunny 70 no play     rain 80 no play
sunny 70 yes play     overcast 90 yes play  overcast 75 no play rain 91 yes stay
"""
CELLS = np.array(DAYS.split()).reshape(14, 4)
GOLF = pd.DataFrame({"outlook": CELLS[:, 0], "humidity": CELLS[:, 1].astype(int), "windy": CELLS[:, 2]})
PLAY = pd.Series(CELLS[:, 3], name="play")

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- -->",
    "]]>",
    'quote " and \' and \\',
    "line\nbreak\ttab\r",
    "para\u2028graph\u2029",
    "right\u202eto\u2066left",
    "emoji \U0001f600",
    "lone \ud800 surrogate \udfff",
    "nul \x00 \x1b[31m",
    "\ufeff\ufffe",
    "",
    "  ",
    "&lt;b&gt; &amp;",
    "长" * 50,
    "x" * 10_000,
]


@cache
def mixed(seed=0, n=280, holes=0.1, noise=0.1):
    """A table of every kind of column, with holes, and both kinds of target."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "年龄": rng.integers(18, 80, n).astype(float),
            "收入": rng.lognormal(9, 1, n).round(1),
            "城市": rng.choice(["北京", "上海", "广州", "深圳", "成都"], n),
            "size": pd.Categorical(rng.choice(["S", "M", "L", "XL"], n), ["S", "M", "L", "XL"], ordered=True),
            HOSTILE[0]: rng.choice(HOSTILE[:8], n),
            "flag": rng.random(n) < 0.5,
        }
    )
    odd = ((table["年龄"] > 40) & (table["收入"] > 5000)) | (table["城市"] == "北京")
    odd ^= rng.random(n) < noise
    classes = pd.Series(np.where(odd, "是", "否"), name="买")
    classes[(table["size"] == "XL") & (table["年龄"] < 60)] = "也许"
    numbers = pd.Series(table["年龄"] * 2 + np.log(table["收入"]) * odd + rng.normal(0, 3, n), name="价")
    table["flag"] = table["flag"].astype(object)
    for name in table.columns:
        table.loc[rng.random(n) < holes, name] = None
    return table, classes, numbers


def weights(n, seed=1):
    """Weights that are not whole."""
    return np.random.default_rng(seed).uniform(0.2, 3.0, n)


CLASSIFIERS = {
    "c45": C45Classifier(),
    "c45 raised": C45Classifier(variant="j48", min_samples_leaf=1),
    "c45 raised and grouped": C45Classifier(grouping="greedy"),
    "c45 textbook": C45Classifier(variant="textbook", pruning="pessimistic"),
    "c45 raised and balanced": C45Classifier(class_weight="balanced"),
    "c45 raised by costs": C45Classifier(
        variant="j48", min_samples_leaf=1, cost_matrix=[[0, 1, 1.5], [1, 0, 1], [1.5, 1, 0]],
        probability="shrinkage", smoothing=9,
    ),
    "id3": ID3Classifier(numeric="bisect", missing="branch"),
    "cart": CARTClassifier(),
    "cart learned": CARTClassifier(missing="learned", pruning=None, min_samples_leaf=3),
    "cart branch": CARTClassifier(missing="branch", min_samples_leaf=3),
    "cart stop": CARTClassifier(missing="stop", pruning="mdl"),
    "cart fractional": CARTClassifier(missing="fractional", pruning="minimum_error", min_samples_leaf=4),
    "cart asked by majority": CARTClassifier(missing_predict="majority", unseen_category="majority"),
    "cart stops at the unseen": CARTClassifier(unseen_category="stop", missing_predict="stop"),
    "twoing": CARTClassifier(criterion="twoing", max_depth=4),
    "tree held out": TreeClassifier(missing="fractional", validation_fraction=0.3),
    "tree pruned by held out": TreeClassifier(missing="learned", validation_fraction=0.3, pruning="reduced_error"),
    "tree both": TreeClassifier(
        missing="fractional", validation_fraction=0.4, pre_pruning=True, pruning="same_decision"
    ),
}
REGRESSORS = {
    "cart numbers": CARTRegressor(min_samples_leaf=3),
    "cart shrunken": CARTRegressor(min_samples_leaf=2, smoothing=6, missing="fractional"),
    "cart medians": CARTRegressor(criterion="absolute_error", min_samples_leaf=8, missing="fractional"),
    "tree numbers": TreeRegressor(missing="branch", min_samples_leaf=10),
    "tree numbers held out": TreeRegressor(missing="stop", validation_fraction=0.3, min_samples_leaf=5),
}
ESTIMATORS = CLASSIFIERS | REGRESSORS
SOME = ["c45", "c45 raised", "cart", "cart fractional", "tree pruned by held out", "cart numbers"]
"""A few of them, for what takes long."""


N_TRAINING = 200
"""Rows of the mixed table that an estimator is fitted on; the others are validation rows."""


def rows_for(name, part="training"):
    """The rows that an estimator of this name is fitted on, or is validated by."""
    # Where there is more noise, branches are raised.
    table, classes, numbers = mixed(noise=0.3 if "raised" in name else 0.1)
    own = slice(0, N_TRAINING) if part == "training" else slice(N_TRAINING, None)
    return table[own], (numbers if name in REGRESSORS else classes)[own]


@cache
def fitted(name):
    """The estimator of this name, fitted."""
    return clone(ESTIMATORS[name]).fit(*rows_for(name))


def row_weights(name, y):
    """What rows of these classes weigh in growth: all the same, balanced, or by what a wrong answer costs."""
    model, trained = ESTIMATORS[name], rows_for(name)[1]
    if getattr(model, "class_weight", None) == "balanced":
        return y.map(len(y) / (y.nunique() * y.value_counts())).to_numpy()
    if getattr(model, "cost_matrix", None) is None:
        return np.ones(len(y))
    dear = pd.Series(np.sum(model.cost_matrix, axis=1), sorted(trained.unique()))
    return (y.map(dear) * len(trained) / trained.map(dear).sum()).to_numpy()


def losses(name, true, answered):
    """What each answer counts: 1 where it is wrong, or its cost in parts of the mean cost of the wrong ones."""
    costs = getattr(ESTIMATORS[name], "cost_matrix", None)
    if costs is None:
        return (np.asarray(true) != np.asarray(answered)).astype(float)
    names, costs = sorted(rows_for(name)[1].unique()), np.array(costs, float)
    costs /= costs.sum(axis=1, keepdims=True) / (len(names) - 1)
    return costs[[names.index(one) for one in true], [names.index(one) for one in answered]]


@cache
def page_of(name, given=True):
    """Its page: with the rows given again and validation rows, or with neither."""
    if not given:
        return fitted(name).to_html()
    X_val, y_val = rows_for(name, "validation")
    return fitted(name).to_html(None, *rows_for(name), X_val=X_val, y_val=y_val)


@cache
def document_of(name, given=True):
    """The document of that page; only to be read."""
    return document(page_of(name, given))
