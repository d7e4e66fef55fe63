"""What is compared.

In: nothing. Out: ALGORITHMS, a table from a name to an Algorithm: what it is, how it wants its categories written, and
a function that makes a fresh estimator.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from benchmarks.best_tree.tables import N_FOLDS, folds
from treewright import C45Classifier, CARTClassifier, MDLTreeClassifier

N_ALPHAS = 12
"""How many alphas of its path scikit-learn's cross-validation tries, evenly over the path."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An estimator by name; `form` is how a Table writes its rows for it."""

    words: str
    make: Callable[[], Any]
    form: str = "frame"


class ScikitLearnByCV(ClassifierMixin, BaseEstimator):
    """scikit-learn's tree, cut by cost-complexity with the alpha of most accuracy in ten-fold cross-validation.

    Each fold grows one tree and cuts it further and further, which gives the trees that a fit with each alpha would
    give, in a twelfth of the time.
    """

    def fit(self, X: NDArray[np.float32], y: NDArray[np.int64]) -> "ScikitLearnByCV":
        full = DecisionTreeClassifier(random_state=0).fit(X, y)
        alphas = np.unique(full.cost_complexity_pruning_path(X, y).ccp_alphas.clip(0))
        few = np.unique(alphas[np.linspace(0, len(alphas) - 1, N_ALPHAS).round().astype(int)])
        n_right = np.zeros(len(few))
        for rest, part in folds(y, N_FOLDS, 0):
            tree = DecisionTreeClassifier(random_state=0).fit(X[rest], y[rest])
            for k, alpha in enumerate(few):
                tree = cut_back(tree, alpha)
                n_right[k] += np.count_nonzero(tree.predict(X[part]) == y[part])
        best = cut_back(full, few[n_right.argmax()])
        self.tree_, self.classes_, self.best_ = best.tree_, best.classes_, best
        return self

    def predict(self, X: NDArray[np.float32]) -> NDArray[np.int64]:
        """The predictions of the chosen tree."""
        return np.asarray(self.best_.predict(X))

    def predict_proba(self, X: NDArray[np.float32]) -> NDArray[np.float64]:
        """The probabilities of the chosen tree."""
        return np.asarray(self.best_.predict_proba(X))


def cut_back(tree: DecisionTreeClassifier, alpha: float) -> DecisionTreeClassifier:
    """The tree cut by cost-complexity, as scikit-learn does at the end of a fit with this alpha."""
    smaller = copy(tree)
    smaller.ccp_alpha = float(alpha)
    smaller._prune_tree()
    return smaller


def scikit_learn() -> Any:
    """scikit-learn's tree as it comes: grown to the end, with a fixed seed for its ties."""
    return DecisionTreeClassifier(random_state=0)


ALGORITHMS = {
    "mdl": Algorithm("MDLTree", MDLTreeClassifier),
    "c45-grouped": Algorithm("C4.5, grouped values", lambda: C45Classifier(grouping="greedy")),
    "c45": Algorithm("C4.5 Release 8", C45Classifier),
    "cart": Algorithm("CART, 1-SE", CARTClassifier),
    "sklearn": Algorithm("scikit-learn, full", scikit_learn, "numbers"),
    "sklearn-ccp": Algorithm("scikit-learn, ccp by CV", ScikitLearnByCV, "numbers"),
    "sklearn-onehot": Algorithm("scikit-learn, full, one-hot", scikit_learn, "indicators"),
}
"""By the name that the command line knows. The last one is left out unless it is named."""
USUAL = ("mdl", "c45-grouped", "c45", "cart", "sklearn", "sklearn-ccp")
