"""Seeds: the models whose files are mutated: every estimator, kind of split, way with missing values and form of file.

In: nothing. Out: `names()` and `seeds()`, the bytes of their files by name, made once in a process.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.store.mutation.tables import alphabets, classes, halves, mixed, numbers, raised, words
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    MDLTreeClassifier,
    MDLTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.model.prediction_rule import PredictionRule, with_prediction_rule
from treewright.prune import CostComplexity, CriticalValue, ErrorBased, Global, ReducedError

THREE = ("a", "b", "c")
MAKERS: dict[str, Callable[[], tuple[object, dict[str, bool], str]]] = {}
"""By name: what makes a model, says how it is saved, and the end of the file's name."""


def seed(name, end=".json", **saved):
    """Enter a maker; `saved` are arguments of save."""

    def enter(make):
        MAKERS[name] = lambda: (make(), saved, end)
        return make

    return enter


@cache
def seeds():
    """The files, by name."""
    found = {}
    with TemporaryDirectory() as folder:
        for name, make in MAKERS.items():
            model, saved, end = make()
            path = Path(folder, f"{name}{end}")
            model.save(path, **saved)
            found[name] = path.read_bytes()
    return found


def names():
    """The names of all seeds, without making them."""
    return list(MAKERS)


def _small(estimator, missing=False, names=("no", "yes"), **fit):
    return estimator.fit(mixed(missing), classes(names), **fit)


def _number(estimator, missing=False, **fit):
    return estimator.fit(mixed(missing), numbers(), **fit)


def _labels(labels):
    codes = (classes() == "yes").astype(int)
    return CARTClassifier(max_depth=3, pruning=None).fit(mixed(), np.array(labels)[codes])


def _held():
    rows = np.arange(0, 36, 3)
    return {"X_val": mixed().iloc[rows], "y_val": classes()[rows]}


# each estimator as it is
seed("id3")(lambda: ID3Classifier().fit(words(), classes()))
seed("id3_bisect")(lambda: _small(ID3Classifier(numeric="bisect", max_depth=4)))
seed("c45")(lambda: _small(C45Classifier()))
seed("c45_textbook")(lambda: _small(C45Classifier(variant="textbook", pruning=None, max_depth=4)))
seed("c45_group")(lambda: _small(C45Classifier(grouping="greedy", min_samples_leaf=1), names=THREE))
seed("c45_three")(lambda: _small(C45Classifier(min_samples_leaf=1), names=THREE))
seed("cart")(lambda: _small(CARTClassifier()))
seed("cart_twoing")(lambda: _small(CARTClassifier(criterion="twoing", pruning=None, max_depth=4), names=THREE))
seed("cart_regression")(lambda: _number(CARTRegressor()))
seed("cart_absolute")(lambda: _number(CARTRegressor(criterion="absolute_error", pruning=None, max_depth=3)))
seed("mdl", ledgers=True)(lambda: _small(MDLTreeClassifier(min_samples_leaf=1), names=THREE))
seed("mdl_regression", ledgers=True)(lambda: _number(MDLTreeRegressor(min_samples_leaf=2)))
seed("general")(lambda: _small(TreeClassifier(max_depth=4)))
seed("shrunken_regression", ledgers=True)(lambda: _number(CARTRegressor(max_depth=3, smoothing=4.0)))
seed("shrunken_rates")(
    lambda: _number(TreeRegressor(criterion="poisson", max_depth=3, smoothing="auto", missing="branch"), missing=True)
)
seed("general_each")(lambda: _small(TreeClassifier(grouping="each", criterion="entropy", max_depth=3)))
seed("general_ratio")(
    lambda: _small(TreeClassifier(criterion="entropy", merit="ratio", floor="average", penalty="cuts", max_depth=4))
)
seed("general_regression")(lambda: _number(TreeRegressor(max_depth=4)))
seed("general_regression_each")(lambda: _number(TreeRegressor(grouping="each", max_depth=2)))
seed("weights")(lambda: _small(CARTClassifier(max_depth=3), sample_weight=np.linspace(0.1, 2.0, 36)))
seed("class_weight")(lambda: _small(CARTClassifier(class_weight={"no": 1.0, "yes": 3.0}, max_depth=3, pruning=None)))
seed("costs")(lambda: _small(CARTClassifier(cost_matrix={"no": {"yes": 4.0}}, max_depth=3, pruning=None)))
seed("costs_three")(
    lambda: _small(C45Classifier(cost_matrix=[[0, 1, 3], [2, 0, 1], [5, 4, 0]], probability="laplace"), names=THREE)
)
seed("laplace")(lambda: _small(CARTClassifier(probability="laplace", max_depth=3)))
seed("m_estimate")(lambda: _small(C45Classifier(probability="m-estimate", smoothing=3.5), names=THREE))
seed("shrinkage")(lambda: _small(TreeClassifier(probability="shrinkage", smoothing=12.0, max_depth=4)))

# ways with missing values
for strategy in ("fractional", "learned", "branch", "stop"):
    seed(f"missing_{strategy}")(
        lambda strategy=strategy: _small(TreeClassifier(missing=strategy, max_depth=4), missing=True)
    )
seed("missing_surrogate")(lambda: _small(CARTClassifier(missing="surrogate", max_depth=4, pruning=None), missing=True))
seed("missing_error")(lambda: _small(TreeClassifier(missing="error", max_depth=3)))
seed("missing_id3")(lambda: ID3Classifier().fit(words().where(lambda f: f != "rain"), classes()))
seed("missing_regression")(lambda: _number(CARTRegressor(max_depth=3, surrogates="always"), missing=True))
seed("missing_each")(
    lambda: _small(TreeClassifier(missing="branch", grouping="each", criterion="entropy", max_depth=3), missing=True)
)
seed("asked_otherwise")(
    lambda: _small(C45Classifier(missing_predict="majority", unseen_category="stop"), missing=True)
)

# targets
seed("one_class")(lambda: C45Classifier().fit(mixed(), ["yes"] * 36))
seed("single_leaf")(lambda: CARTClassifier().fit([[1.0], [1.0]], [0, 1]))
seed("number_leaf")(lambda: CARTRegressor().fit([[1.0], [1.0]], [0.5, 0.7]))
seed("whole_classes")(lambda: _labels([10, 20]))
seed("true_classes")(lambda: _labels([False, True]))
seed("float_classes")(lambda: _labels([1.0, 2.0]))
seed("many_classes")(lambda: TreeClassifier(max_depth=3).fit(mixed(), np.array(list("abcdefghijkl") * 3)))
seed("no_names")(lambda: TreeClassifier(max_depth=3).fit(mixed()[["age", "income"]].to_numpy(), classes()))
seed("alphabets")(lambda: TreeClassifier(max_depth=3).fit(*alphabets()))
seed("halves")(lambda: TreeClassifier().fit(*halves()))
seed("alphabets_each")(lambda: C45Classifier(min_samples_leaf=1).fit(*alphabets()))

# pruning: a report of every method
seed("pruned_reduced_error")(lambda: _small(CARTClassifier(pruning="reduced_error"), **_held()))
seed("pruned_costs")(
    lambda: _small(CARTClassifier(pruning=ReducedError(cost_matrix={"no": {"yes": 3.0}})), **_held())
)
seed("pruned_pre")(lambda: _small(C45Classifier(pre_pruning=True, min_samples_leaf=1), **_held()))
seed("pruned_pre_alone")(lambda: _small(C45Classifier(pruning="pre_pruning", min_samples_leaf=1), **_held()))
seed("pruned_pessimistic")(lambda: _small(C45Classifier(pruning="pessimistic", min_samples_leaf=1)))
seed("pruned_raised")(lambda: C45Classifier(min_samples_leaf=1).fit(*raised()))
seed("pruned_error_based")(
    lambda: _small(C45Classifier(pruning=ErrorBased(confidence=0.1), min_samples_leaf=1), names=THREE)
)
seed("pruned_path")(lambda: _small(CARTClassifier(pruning=CostComplexity(choose="cv", folds=3))))
seed("pruned_alpha")(lambda: _small(CARTClassifier(ccp_alpha=0.01)))
seed("pruned_minimum_error")(lambda: _small(TreeClassifier(pruning="minimum_error")))
seed("pruned_critical_value")(lambda: _small(TreeClassifier(pruning=CriticalValue(critical_value=0.05))))
seed("pruned_mdl")(lambda: _small(TreeClassifier(pruning="mdl")))
seed("pruned_global")(lambda: _small(CARTClassifier(pruning="global", min_samples_leaf=3)))
seed("pruned_steps")(
    lambda: C45Classifier(min_samples_leaf=1, pruning=[ErrorBased(), Global(standard_errors=2)]).fit(*raised())
)
seed("pruned_steps_path", rows=True)(
    lambda: _small(CARTClassifier(pruning=("mdl", CostComplexity(cp=0.1), "same_decision")), names=THREE)
)
seed("pruned_same_decision")(lambda: _small(TreeClassifier(pruning="same_decision")))
seed("pruned_numbers")(lambda: _number(CARTRegressor(pruning="reduced_error", validation_fraction=0.3)))

# what else can be in a file
seed("ledgers", ledgers=True)(lambda: _small(C45Classifier()))
seed("ledgers_missing", ledgers=True)(lambda: _small(TreeClassifier(missing="branch", max_depth=2), missing=True))
seed("ledgers_regression", ledgers=True)(lambda: _number(CARTRegressor(max_depth=2)))
seed("ledgers_raised", ledgers=True)(lambda: C45Classifier(min_samples_leaf=1).fit(*raised()))
seed("rows", rows=True)(lambda: _small(C45Classifier(), missing=True))
seed("rows_regression", rows=True)(lambda: _number(CARTRegressor(max_depth=2), sample_weight=np.linspace(0.5, 2, 36)))
seed("rows_and_ledgers", rows=True, ledgers=True)(
    lambda: _small(CARTClassifier(max_depth=2, pruning=None), missing=True)
)
seed("squeezed_gz", ".json.gz")(lambda: _small(CARTClassifier()))
seed("squeezed_zst", ".json.zst")(lambda: _small(C45Classifier()))

# trees and rules without an estimator
seed("tree")(lambda: _small(CARTClassifier()).tree_)
seed("tree_answering")(
    lambda: with_prediction_rule(
        _small(CARTClassifier(max_depth=3, pruning=None)).tree_,
        PredictionRule("m-estimate", 2.0, (0.25, 0.75), ((0.0, 2.0), (1.0, 0.0)), (1.5, 0.5), 0.5),
    )
)
seed("tree_missing")(lambda: _small(TreeClassifier(missing="fractional", max_depth=4), missing=True).tree_)
seed("tree_each")(lambda: _small(TreeClassifier(grouping="each", criterion="entropy", max_depth=3)).tree_)
seed("tree_regression")(lambda: _number(CARTRegressor(max_depth=4, surrogates="always"), missing=True).tree_)
seed("tree_shrunken")(lambda: _number(CARTRegressor(max_depth=4, smoothing=9.0), missing=True).tree_)
seed("tree_alphabets", ".json.gz")(lambda: TreeClassifier(max_depth=3).fit(*alphabets()).tree_)
seed("rules_leaves")(lambda: _small(C45Classifier()).rules())
seed("rules_leaves_missing")(lambda: _small(TreeClassifier(missing="learned", max_depth=3), missing=True).rules())
seed("rules_leaves_surrogate")(lambda: _small(CARTClassifier(max_depth=3), missing=True).rules())
seed("rules_regression")(lambda: _number(CARTRegressor(max_depth=3)).rules())
seed("rules_shrunken")(lambda: _number(MDLTreeRegressor(smoothing=2.5)).rules())
seed("rules_generalised")(lambda: _small(C45Classifier(min_samples_leaf=1), names=THREE).rules("generalised"))
seed("rules_generalised_missing")(
    lambda: _small(TreeClassifier(missing="branch"), missing=True).rules("generalised", polish=False)
)
seed("rules_alphabets", ".json.zst")(lambda: C45Classifier(min_samples_leaf=1).fit(*alphabets()).rules("generalised"))
