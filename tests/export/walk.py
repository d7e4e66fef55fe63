"""A slow reading of a `Scoring`, and models of every kind for tests of exports."""

from math import inf, isnan

import numpy as np
import pandas as pd

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    TreeClassifier,
    TreeRegressor,
)
from treewright.export.scoring import EVERY, REFUSE, STOP


def ends(scoring, row):
    """The nodes where an encoded row ends, with its fraction at each; None if it is refused."""
    found, waiting = {}, [(0, 1.0)]
    while waiting:
        node, fraction = waiting.pop()
        one = scoring.tests[node]
        go = STOP if one is None else branch_at(one, row)
        if go == REFUSE:
            return None
        if go == STOP:
            found[node] = found.get(node, 0.0) + fraction
        elif go == EVERY:
            waiting += [(child, fraction * part) for child, part in zip(one.children, one.fractions, strict=True)]
        else:
            waiting.append((one.children[go], fraction))
    return found


def branch_at(one, row):
    value = row[one.test.position]
    if value == -inf and one.unseen is not None:
        return one.unseen
    if not isnan(value) and value != -inf:
        return one.test.branch_of(value)
    for surrogate in one.surrogates:
        value = row[surrogate.position]
        if not isnan(value) and value != -inf:
            branch = surrogate.branch_of(value)
            if branch is not None:
                return branch
    return one.missing


def mixed(n=300, seed=0, missing=0.15):
    """A table of numbers and categories with missing values, classes and a numeric target."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "income": np.round(rng.lognormal(3, 1, n), 2),
            "city": rng.choice(["Rome", "Oslo", "Bern", "Lima"], n),
            "grade": pd.Categorical(rng.choice(["low", "mid", "high"], n), ["low", "mid", "high"], ordered=True),
        }
    )
    score = frame.age / 30 + (frame.city == "Oslo") * 2 + (frame.income > 20) * 1.5 + rng.normal(0, 0.7, n)
    for name in frame.columns:
        frame.loc[rng.random(n) < missing, name] = None
    return frame, pd.cut(score, [-9, 2, 4, 99], labels=["c", "b", "a"]).astype(str), score


def models(seed=0):
    """Fitted models of every algorithm and strategy, by name."""
    X, y, number = mixed(seed=seed)
    words = X[["city", "grade"]]
    classifiers = {
        "id3": (ID3Classifier(missing="branch", numeric="bisect", pruning=None), words),
        "c45": (C45Classifier(min_samples_leaf=5), X),
        "c45 grouped": (C45Classifier(grouping="greedy", min_samples_leaf=5), X),
        "c45 majority": (C45Classifier(missing_predict="majority", unseen_category="stop", min_samples_leaf=5), X),
        "cart": (CARTClassifier(), X),
        "cart stop": (CARTClassifier(missing="stop", unseen_category="majority", min_samples_leaf=5), X),
        "cart learned": (CARTClassifier(missing="learned", min_samples_leaf=5, pruning=None), X),
        "cart branch": (CARTClassifier(missing="branch", min_samples_leaf=5, pruning=None), X),
        "cart refused": (CARTClassifier(missing_predict="error", min_samples_leaf=9, pruning=None), X),
        "cart unseen refused": (CARTClassifier(unseen_category="error", min_samples_leaf=9, pruning=None), X),
        "mdl": (MDLTreeClassifier(), X),
        "costs": (
            TreeClassifier(cost_matrix=[[0, 5, 1], [1, 0, 1], [2, 1, 0]], missing="fractional", min_samples_leaf=5),
            X,
        ),
        "laplace": (CARTClassifier(probability="laplace", min_samples_leaf=5, pruning=None), X),
    }
    found = {name: model.fit(table, y) for name, (model, table) in classifiers.items()}
    found["regression"] = CARTRegressor().fit(X, number)
    found["regression fractional"] = TreeRegressor(missing="fractional", min_samples_leaf=9).fit(X, number)
    found["single leaf"] = CARTClassifier(min_samples_leaf=300).fit(X, y)
    return found
