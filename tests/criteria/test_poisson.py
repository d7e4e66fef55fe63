"""criterion="poisson" in every layer, and what it refuses."""

import numpy as np
import pandas as pd
import pytest

from treewright import CARTRegressor, MDLTreeRegressor, TreeRegressor, load
from treewright.criteria import poisson
from treewright.criteria.impurities import poisson_losses
from treewright.criteria.split_scores import score_regression_cuts
from treewright.errors import InputError, ParameterError
from treewright.grow.plan import Plan
from treewright.prune import CostComplexity

RANDOM = np.random.default_rng(11)
TABLE = pd.DataFrame({
    "age": RANDOM.normal(size=150),
    "speed": RANDOM.normal(size=150),
    "kind": pd.Categorical(RANDOM.choice(list("abcd"), 150)),
})
EXPOSURE = RANDOM.uniform(0.25, 2.0, 150)
EVENTS = RANDOM.poisson(np.exp(TABLE["age"]) * EXPOSURE * (1 + (TABLE["kind"] == "a"))).astype(float)


def fitted(**parameters):
    return CARTRegressor(criterion="poisson", **parameters).fit(TABLE, EVENTS / EXPOSURE, sample_weight=EXPOSURE)


def test_a_leaf_predicts_events_by_exposure():
    model = fitted(max_depth=3)
    leaf = model.apply(TABLE)
    for node in np.unique(leaf):
        rate = EVENTS[leaf == node].sum() / EXPOSURE[leaf == node].sum()
        assert model.tree_.value[node, 0] == pytest.approx(rate)
    losses = [poisson(EVENTS / EXPOSURE, EXPOSURE)] + [
        poisson((EVENTS / EXPOSURE)[leaf == node], EXPOSURE[leaf == node]) for node in np.unique(leaf)
    ]
    np.testing.assert_allclose(model.tree_.impurity[[0, *np.unique(leaf)]], losses, rtol=1e-9)


def test_no_branch_is_without_events():
    """The best cut by deviance is between the zeros and the others, but its low side has a rate of 0."""
    x, y = np.arange(6.0)[:, None], np.array([0.0, 0, 0, 1, 2, 3])
    tree = TreeRegressor(criterion="poisson").fit(x, y).tree_
    assert tree.threshold[0] == 3.5
    assert (tree.value > 0).all()
    assert score_regression_cuts(x[:, 0], y, "poisson").threshold.tolist() == [3.5, 4.5]
    (candidate,) = TreeRegressor(criterion="poisson").fit([[0], [0], [1]], [0, 0, 1]).why(0).candidates
    assert candidate.reason == "no split leaves each branch at least 1 row and a target above 0"


@pytest.mark.parametrize("unit", [1e-200, 0.1, 1e100])
def test_the_unit_of_the_target_changes_no_split(unit):
    """A rate by day or by year; 1e-200 squared is 0."""
    y = EVENTS / EXPOSURE
    ours, scaled = (TreeRegressor(criterion="poisson", max_depth=4).fit(TABLE, y * by).tree_ for by in (1.0, unit))
    np.testing.assert_array_equal(scaled.threshold, ours.threshold)
    np.testing.assert_allclose(scaled.gain, ours.gain * unit, rtol=1e-9)


def test_every_layer(tmp_path):
    model = fitted(max_depth=3, ccp_alpha=0.01)
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.tree_ == model.tree_
    np.testing.assert_array_equal(again.predict(TABLE), model.predict(TABLE))
    model.to_html(tmp_path / "page.html")
    assert "泊松偏差的一半" in (tmp_path / "page.html").read_text(encoding="utf-8")
    chosen = model.why(0).chosen
    assert chosen.gain == pytest.approx(model.tree_.gain[0])
    assert max(cut.gain for cut in chosen.cuts) == pytest.approx(chosen.gain, abs=1e-12)
    assert "The rate of D and half the Poisson deviance about it:" in model.worked_solution(0).to_text()
    assert "half the mean Poisson deviance" in str(model.explain(TABLE[:1]))
    assert "No confidence interval: the prediction is a rate." in str(model.explain(TABLE[:1]))
    assert "half deviance" in model.to_dot()
    assert len(model.rules()) == model.tree_.n_leaves


def test_terms_of_a_worked_solution():
    text = TreeRegressor(criterion="poisson").fit([[0], [1], [2]], [1, 2, 6]).worked_solution(0).to_text()
    assert "SHD(D) = 1·ln(1/3.0000) + 2·ln(2/3.0000) + 6·ln(6/3.0000) ≈ 2.2493" in text


@pytest.mark.parametrize("pruning", ["cost_complexity", "pessimistic", "global", "reduced_error", "same_decision"])
def test_pruning(pruning):
    part = 0.3 if pruning == "reduced_error" else None
    model = fitted(pruning=pruning, validation_fraction=part)
    assert model.tree_.n_leaves <= model.grown_tree_.n_leaves
    assert str(model.pruning_report_)


def test_cost_complexity_chooses_by_deviance():
    """The error of each tree of the path on validation rows is the mean of their half deviances."""
    X, y = TABLE[100:], (EVENTS / EXPOSURE)[100:]
    model = CARTRegressor(criterion="poisson", pruning="cost_complexity")
    model.fit(TABLE[:100], (EVENTS / EXPOSURE)[:100], sample_weight=EXPOSURE[:100], X_val=X, y_val=y)
    path = model.pruning_report_.path
    for i in range(0, len(path), 3):
        rate = model.pruned(CostComplexity(alpha=path.alphas[i])).predict(X)
        losses = poisson_losses(y, rate)
        assert path.error[i] == pytest.approx(losses.mean())
        assert path.standard_error[i] == pytest.approx(losses.std() / len(y) ** 0.5)
    assert path.root_error == pytest.approx(model.grown_tree_.impurity[0])


def test_what_is_refused():
    with pytest.raises(InputError, match=r"The target 'claims' must be at least 0 for criterion='poisson', got -1; "):
        CARTRegressor(criterion="poisson").fit([[0], [1]], pd.Series([-1, 1], name="claims"))
    with pytest.raises(InputError, match=r"The target 'claims' is 0 in every row, so criterion='poisson' has no rate"):
        CARTRegressor(criterion="poisson").fit([[0], [1]], pd.Series([0, 0], name="claims"))
    with pytest.raises(ParameterError, match="monotonic_cst cannot be used with criterion='poisson'"):
        fitted(monotonic_cst={"age": 1})
    with pytest.raises(ParameterError, match="penalty='cuts' cannot be used with criterion='poisson'"):
        Plan(criterion="poisson", penalty="cuts")
    with pytest.raises(ParameterError, match="one of 'squared_error', 'absolute_error', 'friedman_mse', got"):
        MDLTreeRegressor(criterion="poisson").fit([[0], [1]], [0, 1])
    with pytest.raises(InputError, match="needs targets of at least 0, got -2"):
        poisson([1, -2])
