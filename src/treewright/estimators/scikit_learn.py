"""The estimators of scikit-learn: each algorithm of this package with what scikit-learn asks of its estimators.

In: the algorithms as they are written in the other modules, which import nothing of scikit-learn, so that a model file
is read and asked without it. Out: the public classes.
"""

from typing import Any, Self

from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import validate_data

from treewright.errors import ModelFormatError, ParameterError
from treewright.estimators import c45, cart, general, id3, mdl, mdl_regressor
from treewright.estimators.saving import check_state
from treewright.prune.method import Method

NESTED = "pruning__"
"""What the names of a pruning method's parameters begin with among those of an estimator."""


class ScikitLearn(BaseEstimator):
    """Tags, pickles, names of columns and the display in notebooks; stands before an algorithm among the bases."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = self.missing != "error"
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Rows do not travel with a stored model: they are large, and may be private."""
        state: dict[str, Any] = super().__getstate__()
        return state | {"_kept": None, "_spread": self._column_spread()} if "_kept" in state else state

    def __setstate__(self, state: object) -> None:
        """Take over a stored state; that of a fitted estimator is checked as a model file is."""
        if not isinstance(state, dict):
            raise ModelFormatError(f"A stored {type(self).__name__} is a {type(state).__name__}, but is a dict.")
        if "tree_" in state:
            check_state(type(self), state)
        super().__setstate__(state)

    def set_params(self, **params: Any) -> Self:
        """Set parameters, as in scikit-learn; `pruning__confidence` is the parameter `confidence` of `pruning`.

        A method of pruning is never changed itself: the estimator has a new one afterwards.
        """
        nested = {name: value for name, value in params.items() if name.startswith(NESTED)}
        super().set_params(**{name: value for name, value in params.items() if name not in nested})
        if nested:
            pruning = self.get_params(deep=False).get("pruning")
            if not isinstance(pruning, Method):
                raise ParameterError(
                    f"{next(iter(nested))} is a parameter of a pruning method, but pruning={pruning!r}; give an "
                    "object that has it, such as pruning=prune.ErrorBased(), or prune.Steps([...]) for several methods."
                )
            changed = {name.removeprefix(NESTED): value for name, value in nested.items()}
            super().set_params(pruning=pruning.with_params(**changed))
        return self

    def _check_other_names(self, X: object) -> None:
        # ensure_2d=False leaves the number of columns to encode_table, which also reads lists and tables.
        validate_data(self, X, reset=False, skip_check_array=True, ensure_2d=False)

    def _repr_html_inner(self) -> str:
        """What a notebook shows: the picture of a fitted tree; before fit what scikit-learn shows.

        scikit-learn hands this out as `_repr_html_`, unless its display is set to text.
        """
        return self._display() if hasattr(self, "tree_") else super()._repr_html_inner()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        if not hasattr(self, "tree_") or get_config()["display"] != "diagram":
            return super()._repr_mimebundle_(**kwargs)
        return {"text/plain": repr(self), "text/html": self._display()}


class Classifier(ClassifierMixin, ScikitLearn):
    """What scikit-learn asks of a classifier."""


class Regressor(RegressorMixin, ScikitLearn):
    """What scikit-learn asks of a regressor."""


class ID3Classifier(Classifier, id3.ID3Classifier):
    __doc__ = id3.ID3Classifier.__doc__


class C45Classifier(Classifier, c45.C45Classifier):
    __doc__ = c45.C45Classifier.__doc__


class CARTClassifier(Classifier, cart.CARTClassifier):
    __doc__ = cart.CARTClassifier.__doc__


class CARTRegressor(Regressor, cart.CARTRegressor):
    __doc__ = cart.CARTRegressor.__doc__


class MDLTreeClassifier(Classifier, mdl.MDLTreeClassifier):
    __doc__ = mdl.MDLTreeClassifier.__doc__


class MDLTreeRegressor(Regressor, mdl_regressor.MDLTreeRegressor):
    __doc__ = mdl_regressor.MDLTreeRegressor.__doc__


class TreeClassifier(Classifier, general.TreeClassifier):
    __doc__ = general.TreeClassifier.__doc__


class TreeRegressor(Regressor, general.TreeRegressor):
    __doc__ = general.TreeRegressor.__doc__
