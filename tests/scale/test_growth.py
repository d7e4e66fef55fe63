"""Growth from counts: the same tree, bit for bit, as growth in memory on the same rows with the same bins."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tests.scale.sources import array_engine, encode, memory_tree, mixed_rows, plan_of, source_tree
from treewright import C45Classifier, CARTClassifier, ID3Classifier, MDLTreeClassifier, TreeClassifier
from treewright.errors import InputError, ParameterError, TreewrightError
from treewright.scale.growth import Resources, grow

ESTIMATORS = {
    "id3": ID3Classifier(numeric="bisect", missing="branch", pruning=None),
    "c45": C45Classifier(),
    "c45 grouped": C45Classifier(grouping="greedy", min_samples_leaf=5),
    "c45 j48": C45Classifier(variant="j48"),
    "cart": CARTClassifier(missing="learned"),
    "cart leaf 5": CARTClassifier(missing="learned", min_samples_leaf=5, max_depth=5),
    "mdl": MDLTreeClassifier(),
    "mdl learned": MDLTreeClassifier(missing="learned"),
    "stop": TreeClassifier(missing="stop"),
    "fractional": TreeClassifier(missing="fractional", criterion="entropy", minimum="weight", min_samples_leaf=3),
    "twoing": TreeClassifier(missing="learned", criterion="twoing"),
    "least loss": TreeClassifier(
        grouping="least-loss", merit="ratio", criterion="entropy", penalty="description", missing="branch"
    ),
    "binary": TreeClassifier(grouping="binary", penalty="description", missing="stop"),
    "min decrease": TreeClassifier(min_impurity_decrease=0.01, missing="fractional"),
    "9 leaves": CARTClassifier(missing="learned", max_leaf_nodes=9),
    "30 leaves": TreeClassifier(missing="fractional", merit="ratio", penalty="cuts", max_leaf_nodes=30),
}
COUNTED, MIXED, FETCHED = 1, 200_000, 2**30
"""Memory with which every node is counted, some subtrees are grown in memory, or the whole tree is."""


@pytest.mark.parametrize(
    ("missing", "weighted"),
    [(0.0, False), (0.15, True), *(pytest.param(*one, marks=pytest.mark.long) for one in [(0.0, True), (0.15, False)])],
)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_tree_is_that_of_growth_in_memory(name, missing, weighted):
    model = ESTIMATORS[name]
    rows = mixed_rows(450, missing=missing, weighted=weighted)
    if name == "id3":  # which has no bins
        rows = rows[0][["few", "city", "word", "flag"]], *rows[1:]
    else:
        model.set_params(max_bins=40)
    expected = memory_tree(model, rows)
    assert expected.n_nodes > 3
    for memory in (COUNTED, MIXED, FETCHED):
        assert source_tree(model, rows, memory) == expected


def test_missing_values_are_counted_and_divided():
    """The tables above have missing values in numbers, categories and booleans, and rows that are divided twice."""
    rows = mixed_rows(700, missing=0.15)
    tree = memory_tree(TreeClassifier(missing="fractional", max_bins=40), rows)
    assert tree.weight[tree.is_leaf].sum() == pytest.approx(700)
    assert (tree.weight != np.floor(tree.weight)).any()


def test_subtrees_large_enough_for_histograms():
    """Columns with few values of 1,000 rows that count once are coded; not of weighted rows."""
    model = CARTClassifier(missing="learned", max_bins=40)
    for weighted in (False, True):
        rows = mixed_rows(3000, weighted=weighted)
        assert source_tree(model, rows, FETCHED) == memory_tree(model, rows)


def test_nodes_that_best_first_growth_does_not_reach_are_not_counted():
    rows, passes = mixed_rows(600), []
    for max_leaves in (3, 200):
        plan = plan_of(CARTClassifier(missing="learned", max_bins=20, max_leaf_nodes=max_leaves), rows)
        survey = encode(rows, 20)
        engine = array_engine(rows, survey, plan)
        grow(engine, survey, plan, Resources(COUNTED))
        passes.append(engine.effort.n_passes)
    assert passes[0] < passes[1] / 2


@pytest.mark.parametrize("missing", ["learned", "branch", "stop"])
def test_predictions_keep_their_order(missing):
    X, y, _ = mixed_rows(500, missing=0.1)
    rows = X, np.where(y == "maybe", "no", y), None
    for criterion, grouping, max_leaves in (("gini", "subset", None), ("entropy", "each", None), ("gini", "subset", 6)):
        model = TreeClassifier(
            missing=missing, criterion=criterion, grouping=grouping, max_leaf_nodes=max_leaves,
            monotonic_cst={"smooth": 1, "few": -1}, max_bins=40,
        )  # fmt: skip
        expected = memory_tree(model, rows)
        assert expected != memory_tree(model.set_params(monotonic_cst=None), rows)
        model.set_params(monotonic_cst={"smooth": 1, "few": -1})
        for memory in (COUNTED, MIXED):
            assert source_tree(model, rows, memory) == expected


def test_a_row_may_weigh_little():
    """Minimums of one and two rows do not depend on weights."""
    X, y, _ = mixed_rows(200)
    rng, model = np.random.default_rng(0), TreeClassifier(missing="learned", max_bins=20)
    for weight in (rng.random(200) + 0.01, 10.0 ** rng.integers(-3, 4, 200)):
        expected = memory_tree(model, (X, y, weight))
        assert expected.weight[expected.is_leaf].min() < 0.1
        assert source_tree(model, (X, y, weight), COUNTED) == expected


@pytest.mark.parametrize(
    ("grouping", "missing"),
    [
        ("subset", "surrogate"),
        ("binary", "surrogate"),
        *product(["subset", "each", "greedy", "least-loss", "binary"], ["learned", "branch", "stop"]),
    ],
)
def test_minimums_count_rows_of_any_weight(grouping, missing):
    X, y, _ = mixed_rows(400, missing=0.1)
    weight = np.random.default_rng(2).exponential(5.0, 400) ** 2 + 0.01
    model = TreeClassifier(missing=missing, criterion="entropy", grouping=grouping, max_bins=40)
    free = memory_tree(model, (X, y, weight))
    model.set_params(min_samples_leaf=9, min_samples_split=40, min_weight_fraction_leaf=0.002)
    for rows in ((X, y, weight), (X, np.where(y == "maybe", "no", y), weight)):
        expected = memory_tree(model, rows)
        assert expected.n_nodes < free.n_nodes / 2
        for memory in (COUNTED, MIXED):
            assert source_tree(model, rows, memory) == expected


@pytest.mark.parametrize("n_parts", [1, 2, 7])
def test_parts_and_their_order_do_not_matter(n_parts):
    rows, model = mixed_rows(500, missing=0.1), C45Classifier(max_bins=30)
    expected = memory_tree(model, rows)
    assert source_tree(model, rows, COUNTED, n_parts=n_parts, seed=n_parts) == expected


def test_a_group_of_nodes_at_a_time():
    """With memory for the counts of one node, a level takes a pass for each of its nodes."""
    rows, model = mixed_rows(400), CARTClassifier(missing="learned", max_bins=20, max_depth=4)
    plan, survey = plan_of(model, rows), encode(rows, 20)
    engine = array_engine(rows, survey, plan)
    tree = grow(engine, survey, plan, Resources(COUNTED))
    inner = int((~tree.is_leaf).sum())
    assert tree == memory_tree(model, rows)
    assert engine.effort.n_passes >= inner


def test_progress_has_a_report_for_each_level():
    rows, model, reports = mixed_rows(400), CARTClassifier(missing="learned", max_bins=20, max_depth=4), []
    plan, survey = plan_of(model, rows), encode(rows, 20)
    grow(array_engine(rows, survey, plan), survey, plan, Resources(COUNTED, reports.append))
    assert [one.depth for one in reports] == [0, 1, 2, 3]
    assert reports[0].n_rows == 400
    assert reports[0].n_nodes == 1


def test_a_source_that_changes_between_passes_is_an_error():
    rows, model = mixed_rows(400), CARTClassifier(missing="learned", max_bins=20)
    plan, survey = plan_of(model, rows), encode(rows, 20)
    engine = array_engine(rows, survey, plan)
    count = engine.count

    def loses_a_row(levels, first, end, cells):
        found = count(levels, first, end, cells)
        if levels:
            found[:, 0, np.flatnonzero(found[0, 0])[0]] -= 1
        return found

    engine.count = loses_a_row
    with pytest.raises(TreewrightError, match=r"The counts of node \d+ changed from one pass"):
        grow(engine, survey, plan, Resources(COUNTED))


def test_what_counts_cannot_do_is_refused():
    rows = mixed_rows(200, missing=0.2, weighted=True)
    plan, survey = plan_of(TreeClassifier(missing="learned"), rows), encode(rows, 20)
    for changes, words in (
        ({"missing": "fractional", "monotonic": (1, 0, 0, 0, 0)}, "monotonic_cst cannot be combined with missing="),
        ({"missing": "surrogate", "monotonic": (1, 0, 0, 0, 0)}, "monotonic_cst cannot be combined with missing="),
    ):
        with pytest.raises(ParameterError, match=words):
            grow(array_engine(rows, survey, plan), survey, replace(plan, **changes), Resources(COUNTED))
    with pytest.raises(InputError, match="has a missing value"):
        grow(array_engine(rows, survey, plan), survey, replace(plan, missing="error"), Resources(COUNTED))
