"""Parameters of a pruning method as parameters of the estimator, as scikit-learn's searches set them."""

from dataclasses import fields

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from treewright import C45Classifier, CARTClassifier, prune
from treewright.errors import ParameterError
from treewright.prune.registry import METHODS

X, Y = load_iris(return_X_y=True)
X = np.round(X + np.random.default_rng(0).normal(0, 0.3, X.shape), 1)


def test_a_grid_search_over_the_confidence():
    values = [0.0001, 0.25, 0.5]
    method = prune.ErrorBased()
    search = GridSearchCV(C45Classifier(pruning=method), {"pruning__confidence": values}, cv=3).fit(X, Y)
    models = [C45Classifier(pruning=prune.ErrorBased(confidence=value)) for value in values]
    by_hand = [cross_val_score(model, X, Y, cv=3).mean() for model in models]
    assert search.cv_results_["mean_test_score"].tolist() == by_hand
    assert len(set(by_hand)) > 1  # the parameter does something here
    assert search.best_estimator_.pruning == prune.ErrorBased(confidence=search.best_params_["pruning__confidence"])
    assert method == prune.ErrorBased()


@pytest.mark.parametrize("name", METHODS)
def test_every_method_lists_and_takes_its_parameters(name):
    method = METHODS[name]()
    model = CARTClassifier(pruning=method)
    nested = {key: value for key, value in model.get_params().items() if key.startswith("pruning__")}
    assert nested == {f"pruning__{field.name}": getattr(method, field.name) for field in fields(method)}
    assert not any("__" in key for key in model.get_params(deep=False))
    assert model.set_params(**nested).pruning == method
    assert clone(model).pruning == method


def test_a_shared_method_is_not_changed():
    shared = prune.ErrorBased()
    one, other = C45Classifier(pruning=shared), C45Classifier(pruning=shared)
    assert one.set_params(pruning__confidence=0.1, pruning__raising=False) is one
    assert one.pruning == prune.ErrorBased(confidence=0.1, raising=False)
    assert other.pruning == shared == prune.ErrorBased()
    assert clone(one).set_params(pruning__confidence=0.2).pruning.confidence == 0.2
    assert one.pruning.confidence == 0.1


def test_a_new_method_and_its_parameters_at_once():
    model = C45Classifier(pruning=None)
    model.set_params(pruning__standard_errors=2.0, pruning=prune.Pessimistic(), max_depth=3)
    assert model.pruning == prune.Pessimistic(standard_errors=2.0)
    assert model.max_depth == 3


def test_steps_are_named_by_their_methods():
    steps = prune.Steps((prune.ErrorBased(), prune.Global()))
    model = clone(C45Classifier(pruning=steps))
    assert model.get_params()["pruning__error_based__confidence"] == 0.25
    model.set_params(pruning__error_based__confidence=0.1, pruning__global__standard_errors=2.0)
    assert model.pruning == prune.Steps((prune.ErrorBased(confidence=0.1), prune.Global(standard_errors=2.0)))
    assert steps == prune.Steps((prune.ErrorBased(), prune.Global()))
    twice = prune.Steps((prune.Global(), prune.Global()))
    assert twice.get_params() == {"methods": twice.methods}


def test_in_a_pipeline():
    pipeline = make_pipeline(C45Classifier(pruning=prune.ErrorBased()))
    pipeline.set_params(c45classifier__pruning__confidence=0.1)
    assert pipeline.get_params()["c45classifier__pruning__confidence"] == 0.1
    assert pipeline.fit(X, Y)._repr_html_()


@pytest.mark.parametrize(
    ("pruning", "given", "sentence"),
    [
        (
            prune.ErrorBased(),
            {"pruning__alpha": 1},
            "^Unknown parameter 'alpha' of 'error_based'; expected one of 'confidence', ",
        ),
        (prune.MDL(), {"pruning__alpha": 1}, "^Unknown parameter 'alpha' of 'mdl'; it has no parameters"),
        (prune.ErrorBased(), {"pruning__confidence": 7}, "^confidence must be above 0 and below 1, got 7"),
        (
            "error_based",
            {"pruning__confidence": 0.1},
            "^pruning__confidence is .*'error_based'; pass an object",
        ),
        (None, {"pruning__confidence": 0.1}, "^pruning__confidence is .* pruning=None; pass an object"),
        (
            prune.Steps((prune.MDL(), prune.Global())),
            {"pruning__x": 1},
            "^Unknown parameter 'x' of 'steps'; expected one of",
        ),
        (
            prune.Steps((prune.MDL(), prune.Global())),
            {"pruning__global__x": 1},
            "^Unknown parameter 'x' of 'global'",
        ),
    ],
)
def test_what_cannot_be_set_is_refused(pruning, given, sentence):
    model = C45Classifier(pruning=pruning)
    with pytest.raises(ParameterError, match=sentence):
        model.set_params(**given)
    assert model.pruning == pruning
