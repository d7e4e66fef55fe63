"""The public estimators: each algorithm of this package as an estimator of scikit-learn.

The algorithms are in the other modules and do not import scikit-learn, so that a model file can be loaded and used
without it.
"""

from inspect import isfunction
from typing import Any, TypeVar

from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import validate_data

from treewright.errors import ModelFormatError, ParameterError
from treewright.estimators import c45, cart, general, id3, mdl
from treewright.estimators.fitting import GrowthSettings, PruningUsed
from treewright.estimators.saving import check_state
from treewright.prune.method import Method

NESTED = "pruning__"
"""Prefix of the parameters of a pruning method among those of an estimator."""

Class = TypeVar("Class", bound=type[Any])


class ScikitLearnMethods:
    """What scikit-learn's estimators have: tags, pickling, nested parameters, the notebook display.

    Not a base class: these methods extend those of BaseEstimator, and `scikit_learn_estimator` puts them into each
    estimator.
    """

    def __sklearn_tags__(self: Any) -> Any:
        mixin = RegressorMixin if self._is_regressor else ClassifierMixin
        tags = mixin.__sklearn_tags__(self)
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def __getstate__(self: Any) -> dict[str, Any]:
        """Return the state without the training rows and their counts, which are large and may be private."""
        state: dict[str, Any] = BaseEstimator.__getstate__(self)
        if "_kept" not in state:
            return state
        kept = {name: value for name, value in state.items() if name != "_counts"}
        return kept | {"_kept": None, "_spread": self._column_spread()}

    def __setstate__(self: Any, state: object) -> None:
        """Restore a state; that of a fitted estimator is checked as a model file is."""
        if not isinstance(state, dict):
            raise ModelFormatError(
                f"The state of a pickled {type(self).__name__} must be a dict, got {type(state).__name__}."
            )
        if "tree_" in state:
            check_state(type(self), state)
            growth, used = GrowthSettings(*state["_grown_by"]), PruningUsed(*state["_pruned_by"])
            state = state | {"_grown_by": growth, "_pruned_by": used}
        BaseEstimator.__setstate__(self, state)

    def set_params(self: Any, **params: Any) -> Any:
        """Set parameters, as in scikit-learn; `pruning__confidence` is the parameter `confidence` of `pruning`.

        The pruning method itself is never changed: the estimator gets a new one.
        """
        nested = {name: value for name, value in params.items() if name.startswith(NESTED)}
        BaseEstimator.set_params(self, **{name: value for name, value in params.items() if name not in nested})
        if nested:
            pruning = self.get_params(deep=False).get("pruning")
            if not isinstance(pruning, Method):
                raise ParameterError(
                    f"{next(iter(nested))} is a parameter of a pruning method, but pruning={pruning!r}; pass an object "
                    "that has it, such as pruning=prune.ErrorBased(), or prune.Steps([...]) for several methods."
                )
            changed = {name.removeprefix(NESTED): value for name, value in nested.items()}
            BaseEstimator.set_params(self, pruning=pruning.with_params(**changed))
        return self

    def _check_other_names(self: Any, X: object) -> None:
        # ensure_2d=False leaves the number of columns to encode_table, which also reads lists and tables.
        validate_data(self, X, reset=False, skip_check_array=True, ensure_2d=False)

    def _repr_html_inner(self: Any) -> str:
        """Return what a notebook shows: the picture of a fitted tree; before fit what scikit-learn shows.

        scikit-learn returns this as `_repr_html_`, unless its display is set to text.
        """
        if hasattr(self, "tree_"):
            return _notebook_html(self)
        shown: str = BaseEstimator._repr_html_inner(self)
        return shown

    def _repr_mimebundle_(self: Any, **kwargs: Any) -> dict[str, str]:
        if hasattr(self, "tree_") and get_config()["display"] == "diagram":
            return {"text/plain": repr(self), "text/html": _notebook_html(self)}
        shown: dict[str, str] = BaseEstimator._repr_mimebundle_(self, **kwargs)
        return shown


def scikit_learn_estimator(kind: Class) -> Class:
    """Decorate an estimator: add the methods of `ScikitLearnMethods`."""
    for name, method in vars(ScikitLearnMethods).items():
        if isfunction(method):
            setattr(kind, name, method)
    return kind


def _notebook_html(model: Any) -> str:
    from treewright.plot.svg import notebook_html

    report = model.pruning_report_
    pruned = None if report is None else (report.method, model.grown_tree_.n_leaves)
    return notebook_html(model.tree_, repr(model), pruned)


@scikit_learn_estimator
class ID3Classifier(ClassifierMixin, BaseEstimator, id3.ID3Classifier):
    __doc__ = id3.ID3Classifier.__doc__


@scikit_learn_estimator
class C45Classifier(ClassifierMixin, BaseEstimator, c45.C45Classifier):
    __doc__ = c45.C45Classifier.__doc__


@scikit_learn_estimator
class CARTClassifier(ClassifierMixin, BaseEstimator, cart.CARTClassifier):
    __doc__ = cart.CARTClassifier.__doc__


@scikit_learn_estimator
class CARTRegressor(RegressorMixin, BaseEstimator, cart.CARTRegressor):
    __doc__ = cart.CARTRegressor.__doc__


@scikit_learn_estimator
class MDLTreeClassifier(ClassifierMixin, BaseEstimator, mdl.MDLTreeClassifier):
    __doc__ = mdl.MDLTreeClassifier.__doc__


@scikit_learn_estimator
class MDLTreeRegressor(RegressorMixin, BaseEstimator, mdl.MDLTreeRegressor):
    __doc__ = mdl.MDLTreeRegressor.__doc__


@scikit_learn_estimator
class TreeClassifier(ClassifierMixin, BaseEstimator, general.TreeClassifier):
    __doc__ = general.TreeClassifier.__doc__


@scikit_learn_estimator
class TreeRegressor(RegressorMixin, BaseEstimator, general.TreeRegressor):
    __doc__ = general.TreeRegressor.__doc__
