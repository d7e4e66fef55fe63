"""The parameter monotonic_cst: its forms, what is refused, and what becomes of pruning, files and the command line."""

import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tests.estimators.family import says
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    InputError,
    ModelFormatError,
    ParameterError,
    TreeClassifier,
    TreeRegressor,
    compare_pruning,
    load,
)
from treewright.cli.main import main
from treewright.estimators.monotonic_constraints import has_constraints, keeps_order, read_monotonic
from treewright.prune import ErrorBased

ALL = (ID3Classifier, C45Classifier, CARTClassifier, CARTRegressor, TreeClassifier, TreeRegressor)
NAMES = ("income", "debt", "town")


def loans(n=80):
    draw = np.random.default_rng(5)
    table = pd.DataFrame({
        "income": draw.integers(10, 90, n),
        "debt": draw.integers(0, 20, n),
        "town": draw.choice(["A", "B", "C"], n),
    })
    score = table["income"] / 30 - table["debt"] / 10 + draw.normal(size=n) * 1.5
    return table, np.where(score > score.median(), "yes", "no"), score.to_numpy()


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (None, ()),
        ([0, 0, 0], ()),
        ({}, ()),
        ({"debt": -1}, (0, -1, 0)),
        ({0: 1, "debt": np.int8(-1)}, (1, -1, 0)),
        ((1, -1, 0), (1, -1, 0)),
        (np.array([1.0, 0.0, 0.0]), (1, 0, 0)),
        (pd.Series([0, 1, 0]), (0, 1, 0)),
    ],
)
def test_its_forms(given, read):
    assert read_monotonic(given, NAMES) == read
    assert has_constraints(given) == bool(read)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"dept": 1}, ("names the unknown column 'dept'", "closest names are 'debt'")),
        ({3: 1}, ("has the position 3", "positions of the columns are 0 to 2")),
        ({-1: 1}, ("has the position -1",)),
        ({True: 1}, ("names True",)),
        ({"debt": -1, 1: -1}, ("has the column 'debt' twice",)),
        ({"debt": 2}, ("monotonic_cst['debt'] must be 1, -1 or 0, got 2", "pass 1 (predictions must not fall")),
        ([1, "up", 0], ("monotonic_cst[1] must be 1, -1 or 0, got 'up'",)),
        ([1, True, 0], ("monotonic_cst[1] must be 1, -1 or 0, got True",)),
        ([1, np.nan, 0], ("monotonic_cst[1] must be 1, -1 or 0, got nan",)),
        ([1, 0], ("must have one entry for each of the 3 columns, got 2",)),
        ("income", ("monotonic_cst must be a sequence or a dict, got 'income'",)),
        (1, ("monotonic_cst must be a sequence or a dict, got 1",)),
    ],
)
def test_what_is_refused(given, words):
    table, repaid, _ = loans(20)
    with says(ParameterError, *map(re.escape, words)):
        CARTClassifier(monotonic_cst=given).fit(table, repaid)


@pytest.mark.parametrize("make", ALL)
def test_every_estimator_has_it(make):
    table, repaid, score = loans()
    regression = make in (CARTRegressor, TreeRegressor)
    target = score if regression else repaid
    extra = {"numeric": "bisect"} if make is ID3Classifier else {}
    model = make(monotonic_cst={"income": 1}, pruning=None, **extra).fit(table, target)
    with says(InputError, "column 'town', whose categories have no order"):
        make(monotonic_cst={"town": 1}, **extra).fit(table, target)
    answers = model.predict if regression else lambda rows: model.predict_proba(rows)[:, 1]
    for row in table.to_dict("records")[:10]:
        moved = pd.DataFrame([row | {"income": step} for step in range(0, 100, 5)])
        assert (np.diff(answers(moved)) >= 0).all()
    if not regression:
        with says(InputError, r"the target has 3 classes \(a, b, c\)"):
            make(monotonic_cst={"income": 1}, **extra).fit(table, np.resize(["a", "b", "c"], len(table)))


def test_an_ordered_category_may_be_constrained():
    sizes = ["S", "M", "L", "XL"]
    draw = np.random.default_rng(0)
    X = [[sizes[code]] for code in draw.integers(0, 4, 60)]
    y = np.where(draw.random(60) < 0.5, "dear", "cheap")
    model = CARTClassifier(pruning=None, categorical_features={0: sizes}, monotonic_cst=[-1]).fit(X, y)
    assert (np.diff(model.predict_proba([[size] for size in sizes])[:, 1]) <= 0).all()


def test_no_branch_is_raised_and_the_report_says_so():
    table, repaid, _ = loans(300)
    free = C45Classifier(min_samples_leaf=1).fit(table, repaid)
    model = C45Classifier(min_samples_leaf=1, monotonic_cst={"income": 1, "debt": -1}).fit(table, repaid)
    assert "raised" in free.pruning_report_.rule
    assert "No branch is raised" not in free.pruning_report_.rule
    assert "No branch is raised" in model.pruning_report_.rule
    assert model.pruning_report_.branch is None
    again = model.pruned(ErrorBased(limit="exact"))
    assert "No branch is raised" in again.pruning_report_.rule
    # what was asked for since does not matter for a tree that is grown
    unset = C45Classifier(min_samples_leaf=1, monotonic_cst={"income": 1}).fit(table, repaid)
    unset.set_params(monotonic_cst=None)
    assert "No branch is raised" in unset.pruned("error_based").pruning_report_.rule
    assert "No branch is raised" not in model.pruned("pessimistic").pruning_report_.rule


def test_trees_of_folds_and_comparisons_keep_the_order():
    table, repaid, _ = loans(120)
    model = CARTClassifier(monotonic_cst={"income": 1, "debt": -1}).fit(table, repaid)
    assert model.tree_.n_nodes <= model.grown_tree_.n_nodes
    compared = compare_pruning(C45Classifier(monotonic_cst=[1, -1, 0]), table, repaid, methods=["error_based", "mdl"])
    assert {row.method for row in compared.rows} == {"none", "error_based", "mdl"}
    path = CARTClassifier(monotonic_cst={"income": 1}).cost_complexity_pruning_path(table, repaid)
    assert len(path.ccp_alphas) >= 1


@pytest.mark.parametrize("given", [{"income": 1, "debt": -1}, [1, -1, 0], (1, -1, 0), np.array([1, -1, 0])])
def test_a_file_holds_it(given, tmp_path):
    table, repaid, _ = loans()
    model = CARTClassifier(pruning=None, monotonic_cst=given).fit(table, repaid)
    model.save(tmp_path / "model.json", rows=True, ledgers=True)
    again = load(tmp_path / "model.json")
    assert again.tree_ == model.tree_
    assert again._grown_by == model._grown_by
    assert again._grown_by[0].monotonic == (1, -1, 0)
    assert read_monotonic(again.monotonic_cst, NAMES) == (1, -1, 0)
    assert again.why(0).entry == model.why(0).entry
    again.save(tmp_path / "again.json", rows=True, ledgers=True)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


def test_a_file_without_it_is_as_before(tmp_path):
    table, repaid, _ = loans()
    CARTClassifier(pruning=None).fit(table, repaid).save(tmp_path / "model.json")
    text = (tmp_path / "model.json").read_text(encoding="utf-8")
    assert "monotonic" not in text
    assert load(tmp_path / "model.json").monotonic_cst is None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"monotonic": [1, -1, 0]', '"monotonic": [1, -1]', "plan.monotonic is invalid"),
        ('"monotonic": [1, -1, 0]', '"monotonic": [1, -1, 1]', "whose categories have no order"),
        ('"monotonic": [1, -1, 0]', '"monotonic": [3, -1, 0]', "plan.monotonic"),
        ('"monotonic": [1, -1, 0]', '"monotonic": "up"', "plan.monotonic"),
        ('["debt", -1]', '["dept", -1]', "Field parameters is invalid"),
    ],
)
def test_a_damaged_file_is_refused(old, new, words, tmp_path):
    table, repaid, _ = loans()
    CARTClassifier(pruning=None, monotonic_cst={"income": 1, "debt": -1}).fit(table, repaid).save(tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    squeezed = text if old in text else text.replace(old.replace(" ", ""), old)
    assert old in squeezed
    (tmp_path / "b.json").write_text(squeezed.replace(old, new), encoding="utf-8")
    with says(ModelFormatError, words):
        load(tmp_path / "b.json")


def test_the_command_line_takes_it(tmp_path, capsys):
    table, repaid, _ = loans()
    table.assign(repaid=repaid).to_csv(tmp_path / "loans.csv", index=False)
    model = str(tmp_path / "model.json")
    common = ["fit", str(tmp_path / "loans.csv"), "--target", "repaid", "-o", model, "-a", "cart"]
    assert main([*common, "--set", 'monotonic_cst={"income": 1, "debt": -1}']) == 0
    assert load(model).monotonic_cst == {"income": 1, "debt": -1}
    capsys.readouterr()
    assert main([*common, "--force", "--set", 'monotonic_cst={"incom": 1}']) != 0
    assert "closest names are 'income'" in capsys.readouterr().err


def laplace(ones, rows):
    return Fraction(ones + 1, rows + 2)


def test_which_probabilities_keep_the_order():
    """Counterexamples by hand, with exact fractions."""
    assert keeps_order("frequency")
    # two leaves in order, 90 of 100 rows and 2 of 2, on both sides of one cut
    assert Fraction(90, 100) < Fraction(2, 2)
    assert laplace(90, 100) > laplace(2, 2)
    assert not keeps_order("laplace")
    # m = 2, and a heavy leaf elsewhere, 10 of 1000 rows, pulls the prior down
    prior = Fraction(90 + 2 + 10, 100 + 2 + 1000)
    assert (90 + 2 * prior) / 102 > (2 + 2 * prior) / 4
    assert not keeps_order("m-estimate")
    with says(ParameterError, "probability must be one of .*, got 'beta'"):
        keeps_order("beta")


def shrunk(tree, amount):
    """Hierarchical shrinkage of the share of class 1, from its definition."""
    share = tree.value[:, 1]
    found = share.copy()
    for node in range(1, tree.n_nodes):
        above = tree.parent[node]
        found[node] = found[above] + (share[node] - share[above]) / (1 + amount / tree.weight[above])
    return found


def test_hierarchical_shrinkage_keeps_the_order():
    assert keeps_order("shrinkage")
    for seed in range(15):
        draw = np.random.default_rng(seed)
        X = draw.normal(size=(120, 3)).round(1)
        y = (X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=120) > 0).astype(int)
        model = CARTClassifier(pruning=None, monotonic_cst=[1, -1, 0]).fit(X, y)
        for amount in (0.5, 10.0, 200.0):
            answers = shrunk(model.tree_, amount)
            for column, sense in ((0, 1), (1, -1)):
                for row in X[:10]:
                    moved = np.repeat(row[None, :], 40, axis=0)
                    moved[:, column] = np.linspace(-3, 3, 40)
                    assert (np.diff(answers[model.apply(moved)]) * sense >= -1e-12).all()
