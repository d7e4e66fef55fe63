"""The named estimators are presets: their plans, written out, and the trees of the general estimators."""

import numpy as np
import pandas as pd
import pytest

from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
)
from treewright.grow.plan import Limits, Plan

Golf = tuple[pd.DataFrame, pd.Series]


def test_id3_is_entropy_with_a_branch_each() -> None:
    assert ID3Classifier().plan() == Plan(
        criterion="entropy", number="refuse", grouping="each", missing="branch"
    )
    assert ID3Classifier(numeric="bisect").plan().number == "bisect"


def test_release8_is_what_the_program_does() -> None:
    assert C45Classifier().plan() == Plan(
        criterion="entropy",
        merit="ratio",
        floor="average",
        grouping="each",
        threshold="value",
        penalty="cuts",
        side="release8",
        minimum="weight",
        slack=1e-3,
        min_info=1e-3,
        wide=0.3,
        collapse=True,
        missing="fractional",
        info="all",
        limits=Limits(min_leaf=2, min_split=4),
    )


def test_textbook_c45_is_ratio_above_the_average() -> None:
    assert C45Classifier(variant="textbook").plan() == Plan(
        criterion="entropy",
        merit="ratio",
        floor="average",
        grouping="each",
        minimum="weight",
        missing="fractional",
    )


@pytest.mark.parametrize(
    ("parameters", "leaf", "split"),
    [
        ({}, 2, 4),
        ({"min_samples_leaf": 5}, 5, 10),
        ({"min_samples_leaf": 0.1}, 0.1, 0.2),
        ({"min_samples_leaf": 0.6}, 0.6, 1.0),
        ({"min_samples_split": 3}, 2, 3),
        ({"variant": "textbook"}, 1, 2),
        ({"variant": "textbook", "min_samples_leaf": 5}, 5, 2),
    ],
)
def test_minimums_of_c45_depend_on_the_variant(parameters: dict, leaf: float, split: float) -> None:
    limits = C45Classifier(**parameters).plan().limits
    assert (limits.min_leaf, limits.min_split) == (leaf, split)


def test_c45_options() -> None:
    plan = C45Classifier(criterion="gain", grouping="greedy").plan()
    assert (plan.merit, plan.grouping) == ("decrease", "greedy")


def test_cart_is_binary() -> None:
    assert CARTClassifier().plan() == Plan(criterion="gini", grouping="subset", missing="surrogate")
    assert CARTClassifier(criterion="twoing").plan().criterion == "twoing"
    assert CARTRegressor().plan() == Plan(
        criterion="squared_error", grouping="subset", missing="surrogate"
    )


def test_the_general_estimators_start_as_cart_with_shares_for_missing_values() -> None:
    assert TreeClassifier().plan() == CARTClassifier(missing="fractional").plan()
    assert TreeRegressor().plan() == CARTRegressor(missing="fractional").plan()


@pytest.mark.parametrize("grouping", ["each", "greedy", "least-loss", "binary"])
def test_twoing_needs_two_branches(grouping: str) -> None:
    with pytest.raises(ParameterError, match=r"'twoing' .*two branches.*grouping='subset'"):
        TreeClassifier(criterion="twoing", grouping=grouping).plan()


@pytest.mark.parametrize(
    ("named", "general"),
    [
        (
            ID3Classifier(numeric="bisect"),
            TreeClassifier(criterion="entropy", grouping="each", missing="branch"),
        ),
        (
            C45Classifier(pruning=None, variant="textbook"),
            TreeClassifier(
                criterion="entropy", merit="ratio", floor="average", grouping="each", minimum="weight"
            ),
        ),
        (CARTClassifier(pruning=None, criterion="entropy"), TreeClassifier(criterion="entropy", missing="surrogate")),
    ],
)
@pytest.mark.parametrize("holed", [False, True], ids=["complete", "holed"])
def test_named_and_general_grow_one_tree(named: object, general: object, golf: Golf, holed: bool) -> None:
    X, y = golf
    if holed:
        X = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    assert named.fit(X, y).tree_ == general.fit(X, y).tree_


def test_named_and_general_regressors_grow_one_tree(golf: Golf) -> None:
    X = golf[0].drop(columns="Humidity")
    pair = (CARTRegressor(pruning=None), TreeRegressor(missing="surrogate"))
    trees = [estimator.fit(X, golf[0]["Humidity"]).tree_ for estimator in pair]
    assert trees[0] == trees[1]


def test_golf_by_c45_is_the_published_tree(golf: Golf) -> None:
    """Quinlan (1993), figure 1-2: outlook, then humidity at 75 under sunny and windy under rain."""
    X, y = golf
    model = C45Classifier().fit(X, y)
    tree = model.tree_
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (8, 5, 2)
    # The branches stand in the sorted order of the words: overcast, rainy, sunny.
    assert [X.columns[c] for c in tree.column if c >= 0] == ["Outlook", "Windy", "Humidity"]
    assert np.nanmax(tree.threshold) == 75
    assert model.score(X, y) == 1.0


def test_textbook_c45_cuts_golf_at_midpoints(golf: Golf) -> None:
    tree = C45Classifier(variant="textbook").fit(*golf).tree_
    assert tree.threshold[~np.isnan(tree.threshold)].tolist() == [77.5]


def test_golf_root_gain_is_the_published_one(golf: Golf) -> None:
    """Quinlan (1993), section 2.2: gain(outlook) = 0.246 bits, info(T) = 0.940 bits."""
    tree = ID3Classifier().fit(golf[0][["Outlook", "Windy"]], golf[1]).tree_
    assert tree.impurity[0] == pytest.approx(0.940286, abs=1e-6)
    assert tree.gain[0] == pytest.approx(0.246750, abs=1e-6)
