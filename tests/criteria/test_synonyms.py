"""Other names of a criterion: the tree of the record, the name that the user gave."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from treewright import CARTClassifier, CARTRegressor, MDLTreeRegressor, TreeClassifier, TreeRegressor, load
from treewright.criteria.registry import CRITERIA, SYNONYMS
from treewright.errors import ParameterError

RANDOM = np.random.default_rng(7)
X = RANDOM.normal(size=(150, 4))
NUMBER = X[:, 0] * 2 + np.abs(X[:, 1]) + RANDOM.normal(size=150)
WEIGHT = RANDOM.uniform(0.5, 3.0, 150)
USERS = {
    "log_loss": (TreeClassifier, CARTClassifier),
    "friedman_mse": (TreeRegressor, CARTRegressor, MDLTreeRegressor),
}


@pytest.mark.parametrize("synonym", SYNONYMS)
def test_the_tree_is_that_of_the_record_and_the_parameter_stays(synonym, tmp_path):
    target = NUMBER if CRITERIA[SYNONYMS[synonym]].for_numbers else NUMBER > 1
    for kind in USERS[synonym]:
        model = kind(criterion=synonym, max_depth=4).fit(X, target)
        assert model.tree_ == kind(criterion=SYNONYMS[synonym], max_depth=4).fit(X, target).tree_
        assert model.get_params()["criterion"] == synonym
        model.save(tmp_path / "model.json", overwrite=True)
        again = load(tmp_path / "model.json")
        assert again.get_params()["criterion"] == synonym
        assert again.tree_ == model.tree_


def test_log_loss_is_that_of_scikit_learn():
    ours = CARTClassifier(criterion="log_loss", pruning=None, max_depth=4).fit(X, NUMBER > 1, sample_weight=WEIGHT)
    theirs = DecisionTreeClassifier(criterion="log_loss", max_depth=4, random_state=0)
    theirs.fit(X, NUMBER > 1, sample_weight=WEIGHT)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-9)
    assert ours.tree_.impurity[0] == pytest.approx(theirs.tree_.impurity[0])


def test_the_first_cut_has_the_largest_improvement_of_friedman():
    """The largest diff^2 / (w_L w_R) of all cuts, diff = w_R sum_L - w_L sum_R."""
    tree = TreeRegressor(criterion="friedman_mse", max_depth=1).fit(X, NUMBER, sample_weight=WEIGHT).tree_
    best = max((_improvement(X[:, f] <= cut), f, cut) for f in range(4) for cut in np.sort(X[:, f])[:-1])
    assert tree.column[0] == best[1]
    assert np.array_equal(X[:, best[1]] <= tree.threshold[0], X[:, best[1]] <= best[2])
    assert tree.gain[0] * WEIGHT.sum() ** 2 == pytest.approx(best[0])


def test_a_wrong_name_lists_the_synonyms():
    with pytest.raises(ParameterError, match="'twoing', 'log_loss', got 'friedman_mse'"):
        CARTClassifier(criterion="friedman_mse").fit(X, NUMBER > 1)


def _improvement(is_low):
    low, high = WEIGHT[is_low].sum(), WEIGHT[~is_low].sum()
    difference = high * (WEIGHT * NUMBER)[is_low].sum() - low * (WEIGHT * NUMBER)[~is_low].sum()
    return difference**2 / (low * high)
