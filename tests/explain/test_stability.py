"""Stability: trees of public fits on the rows drawn, counted by hand; and what must not matter."""

import json
import pickle
from collections import Counter

import numpy as np
import pandas as pd
import pytest

from tests.golden.sets import load
from tests.golden.tables import GOLF
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    InputError,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
)
from treewright.explain.stability import Resamples


def rows_of(model, i):
    """The rows of resample i by their places in the table, which has no two equal rows."""
    place = {tuple(row): k for k, row in enumerate(model._kept.values.tolist())}
    drawn, _ = Resamples(model._kept, 0).draw(i)
    return [place[tuple(row)] for row in drawn.values.tolist()]


@pytest.mark.parametrize("pruning", [None, "error_based", "pessimistic"])
def test_shares_are_those_of_fits_on_the_rows_drawn(pruning):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3)).round(6)
    y = np.where(X[:, 0] + X[:, 1] + rng.normal(size=60) / 2 > 0, "up", "down")
    model = C45Classifier(pruning=pruning).fit(X, y)
    report = model.stability(n=25)
    fits = []
    for i in range(25):
        rows = rows_of(model, i)
        fits.append(C45Classifier(pruning=pruning).fit(X[rows], y[rows]))
    assert report.leaves == tuple(fit.tree_.n_leaves for fit in fits)
    assert report.agreement == tuple(float(np.mean(fit.predict(X) == model.predict(X))) for fit in fits)
    for f, column in enumerate(report.columns):
        n_splits = [np.count_nonzero(fit.tree_.column == f) for fit in fits]
        assert column.proportion == pytest.approx(np.mean([n > 0 for n in n_splits]))
        assert column.mean_splits == pytest.approx(np.mean(n_splits))
    nodes = [{way_of(node): node for node in fit.tree_.walk()} for fit in fits]
    for split in report.splits:
        own = model.tree_.node(split.node)
        there = [found[way_of(own)] for found in nodes if way_of(own) in found]
        asked = Counter("leaf" if node.is_leaf else node.split.name for node in there)
        assert split.place == pytest.approx(len(there) / 25)
        assert split.returns == split.question == pytest.approx(asked[split.column] / 25)
        assert split.leaf == pytest.approx(asked["leaf"] / 25)
        others = {name: n / 25 for name, n in asked.items() if name not in ("leaf", split.column)}
        assert dict(split.others) == pytest.approx(others)
        shares = [share for _, share in split.others]
        assert shares == sorted(shares, reverse=True)
        cuts = sorted(
            node.split.threshold for node in there if not node.is_leaf and node.split.name == split.column
        )
        if cuts:
            # At least 5 % (a half, 95 %) of the cuts are not above the limit, and no lower cut has that.
            for limit, part in zip(split.cuts, (0.05, 0.5, 0.95), strict=True):
                assert sum(cut <= limit for cut in cuts) >= part * len(cuts) - 1e-9
                assert sum(cut < limit for cut in cuts) < part * len(cuts) + 1e-9
        else:
            assert split.cuts is None
        assert split.cut == own.split.threshold


def way_of(node):
    """The columns asked and the sides taken on the way to a node."""
    steps = []
    while node.parent is not None:
        steps.append((node.parent.split.name, node.branch))
        node = node.parent
    return tuple(steps[::-1])


ESTIMATORS = [
    C45Classifier(),
    CARTClassifier(),
    CARTClassifier(pruning="pessimistic", missing="fractional"),
    TreeClassifier(missing="learned", max_depth=3),
    ID3Classifier(numeric="bisect", max_depth=3),
]


@pytest.mark.parametrize("model", ESTIMATORS, ids=repr)
def test_the_order_of_the_rows_does_not_matter(shared, model):
    X, y = load(shared, "labor")
    order = np.random.default_rng(0).permutation(len(X))
    one = model.fit(X, y).stability(n=8)
    other = model.fit(X.iloc[order], y.iloc[order]).stability(n=8)
    assert one == other
    assert str(one) == str(other)


def test_rows_given_again_are_the_rows_kept(shared):
    X, y = load(shared, "labor")
    model = C45Classifier().fit(X, y)
    kept = model.stability(n=5)
    model._kept = None
    with pytest.raises(InputError, match="training rows are required"):
        model.stability(n=5)
    assert model.stability(X, y, 5) == kept
    with pytest.raises(InputError, match="must be passed together"):
        model.stability(X)


def test_the_weight_of_a_row_is_its_copies():
    times = np.random.default_rng(0).integers(1, 4, 14)
    X, y = GOLF.frame(), np.array(GOLF.y)
    weighted = C45Classifier().fit(X, y, times).stability(n=20)
    copied = C45Classifier().fit(X.loc[X.index.repeat(times)], y.repeat(times)).stability(n=20)
    assert weighted == copied


def test_seeds_and_numbers():
    model = C45Classifier().fit(GOLF.frame(), GOLF.y)
    assert model.stability(n=12) == model.stability(n=12)
    assert model.stability(n=12).leaves == model.stability(n=30).leaves[:12]
    assert model.stability(n=12, seed=1).leaves != model.stability(n=12).leaves


@pytest.mark.parametrize("model", [CARTClassifier(), C45Classifier()], ids=repr)
def test_trees_of_resamples_are_of_the_size_of_the_tree(shared, model):
    """Copies of rows would be taken for evidence, and leave trees of 70 leaves (CART) and 50 (C4.5) here."""
    X, y = load(shared, "diabetes")
    report = model.fit(X, y).stability(n=10)
    assert 0.4 * model.tree_.n_leaves <= np.median(report.leaves) <= 1.5 * model.tree_.n_leaves


@pytest.mark.parametrize("model", [CARTClassifier(pruning="reduced_error", validation_fraction=0.3),
                                   CARTClassifier(pruning="cost_complexity", validation_fraction=0.3),
                                   CARTClassifier(pruning=None, validation_fraction=0.3)], ids=repr)  # fmt: skip
def test_trees_that_validation_rows_pruned(shared, model):
    X, y = load(shared, "heart_h")
    report = model.fit(X, y).stability(n=6)
    grown = model.pruned(None).set_params(pre_pruning=False, validation_fraction=None)
    grown.fit(X, y)
    assert max(report.leaves) < grown.tree_.n_leaves
    assert report.n_rows == model.grown_tree_.weight[0]


def test_validation_rows_that_were_given_are_those_left_out(shared):
    X, y = load(shared, "heart_h")
    model = CARTClassifier(pruning="reduced_error").fit(X[::2], y[::2], X_val=X[1::2], y_val=y[1::2])
    report = model.stability(n=6)
    unpruned = CARTClassifier(pruning=None).fit(X[::2], y[::2]).stability(n=6)
    assert all(few <= many for few, many in zip(report.leaves, unpruned.leaves, strict=True))
    assert sum(report.leaves) < sum(unpruned.leaves) / 2


def test_regression(shared):
    X, y = load(shared, "autompg_raw")
    model = TreeRegressor(max_depth=3).fit(X, y)
    report = model.stability(n=5)
    assert report.agreement is None
    for i, difference in enumerate(report.difference):
        drawn = Resamples(model._kept, 0).draw(i)[0]
        again = TreeRegressor(max_depth=3).fit(drawn.values, drawn.target, drawn.weight)
        squares = (again.predict(model._kept.values) - model.predict(X)) ** 2
        assert difference == pytest.approx(float(np.sqrt(squares.mean())), rel=1e-9)
    assert "differ by" in str(report)
    assert CARTRegressor().fit(X, y).stability(n=2).n == 2


def test_small_and_odd_tables():
    assert C45Classifier().fit([[1]], ["a"]).stability(n=3).leaves == (1, 1, 1)
    two = CARTClassifier().fit([[1], [2]], ["a", "b"]).stability(n=20)
    assert set(two.leaves) <= {1, 2}
    heavy = C45Classifier().fit([[1], [2], [3]], ["a", "b", "b"], [0.5, 0.25, 0.25]).stability(n=5)
    assert heavy.n_rows == 3
    one = CARTClassifier().fit(GOLF.frame(), GOLF.y).stability(n=5)
    assert one.splits == ()
    assert "node" not in str(one)


def test_parameters_are_checked():
    model = C45Classifier().fit(GOLF.frame(), GOLF.y)
    for bad in ({"n": 0}, {"n": 1.5}, {"seed": -1}, {"seed": None}, {"verbose": 2}):
        ((name, value),) = bad.items()
        with pytest.raises(ParameterError, match=rf"^{name} must be .*, got {value}\.$"):
            model.stability(**bad)
    report = model.stability(n=2)
    with pytest.raises(ParameterError, match=r"table must be one of .*, got 'leaves'"):
        report.to_frame("leaves")
    with pytest.raises(
        ParameterError, match=r"`max_rows` must be an integer of at least 0, or None, got -1\."
    ):
        report.to_text(-1)


def test_progress_is_told_on_stderr(capsys):
    model = C45Classifier().fit(GOLF.frame(), GOLF.y)
    model.stability(n=3)
    assert capsys.readouterr() == ("", "")
    model.stability(n=3, verbose=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("resample 3 of 3\n")


def test_text_frames_and_plain_python():
    X = GOLF.frame().rename(columns={"outlook": "</td><script>\u2028天气"})
    report = C45Classifier(pruning=None).fit(X, GOLF.y).stability(n=30)
    text = str(report)
    assert text == report.to_text()
    assert "\u2028" not in text
    assert "天气" in text
    assert report.to_text(1).count("more split") == 1
    page = report.to_html()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    splits, columns = report.to_frame(), report.to_frame("columns")
    assert splits["returns"].tolist() == [split.returns for split in report.splits]
    assert columns.shape == (4, 4)
    written = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert written["splits"][0]["returns"] == report.splits[0].returns
    assert written["leaves"] == list(report.leaves)


def test_ordered_categories_have_cuts_in_their_own_words():
    sizes = ["S", "M", "L", "XL"] * 10
    X = pd.DataFrame({"size": pd.Categorical(sizes, categories=["S", "M", "L", "XL"], ordered=True)})
    y = [size in ("L", "XL") for size in sizes]
    (split,) = CARTClassifier(pruning=None).fit(X, y).stability(n=5).splits
    assert (split.cut, split.cuts) == ("M", ("M", "M", "M"))
    assert split.branches == ("size <= M", "size > M")


def test_parameters_set_since_do_not_matter(shared):
    X, y = load(shared, "vote")
    model = C45Classifier().fit(X, y)
    before = str(model.stability(n=3))
    for others in ({"pruning": None}, {"pruning": "pessimistic", "max_depth": 1}, {"pruning": "unheard of"}):
        assert str(model.set_params(**others).stability(n=3)) == before
    assert str(pickle.loads(pickle.dumps(model)).stability(X, y, 3)) == before
    other = model.pruned("pessimistic")
    assert str(other.stability(n=3)) == str(C45Classifier(pruning="pessimistic").fit(X, y).stability(n=3))


def test_validation_rows_that_a_method_may_use_are_those_left_out(shared):
    """Cost-complexity takes validation rows where there are some: then a resample needs no folds."""
    X, y = load(shared, "vote")
    given = CARTClassifier().fit(X[100:], y[100:], X_val=X[:100], y_val=y[:100])
    held = CARTClassifier().fit(X[100:], y[100:])
    assert given.stability(n=5).leaves != held.stability(n=5).leaves
    assert (
        given.stability(n=5).leaves
        == held.pruned(None).pruned("cost_complexity", X_val=X[:100], y_val=y[:100]).stability(n=5).leaves
    )
