"""Critical value pruning: strengths, the series of trees and the choice among them."""

import re
from math import log

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from tests.contracts.pruning import built_case
from tests.model.samples import chain, regression
from tests.prune.left_over import with_rows_staying
from treewright.data.dataset import Dataset
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError, KindError, ParameterError
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.predict.predictions import predict_class_codes
from treewright.prune.critical_value import CriticalValue, g_values

COLUMNS = (Column("age", Kind.NUMBER), Column("town", Kind.CATEGORY, ("Bonn", "Köln", "Mainz")))
SCHEMA = Schema(COLUMNS, Target("buys", ("no", "yes")))


def weak_above_strong():
    """age <= 30 says little by itself: 4 no 4 yes against 4 no 5 yes; below, age <= 20 tells all apart."""
    low = number("age", 20, leaf({"no": 4}), leaf({"yes": 4}))
    high = number("age", 40, leaf({"no": 3, "yes": 3}), leaf({"no": 1, "yes": 2}))
    return build(SCHEMA, number("age", 30, low, high))


def g_of(*branches):
    return chi2_contingency(np.array(branches), lambda_="log-likelihood", correction=False).statistic


def test_g_by_hand():
    # Golf, sunny: 2 Play and 3 Don't Play told apart: G = 2 (5 ln 5 - 2 ln 2 - 3 ln 3).
    g = g_values(golf_example())
    assert g[1] == g[3] == pytest.approx(2 * (5 * log(5) - 2 * log(2) - 3 * log(3)), rel=1e-14)
    assert g[0] == pytest.approx(g_of([3, 2], [0, 4], [2, 3]), rel=1e-13)
    assert g[[2, 4, 5, 6, 7]].tolist() == [0, 0, 0, 0, 0]


def test_a_weak_split_stays_above_a_strong_one_and_goes_elsewhere():
    tree = weak_above_strong()
    strong, weak = g_of([4, 0], [0, 4]), g_of([3, 3], [1, 2])
    assert g_of([4, 4], [4, 5]) < weak < 3 < strong
    pruned = CriticalValue(critical_value=3).prune(tree)
    assert [(d.node, d.verdict) for d in pruned.report] == [(1, "kept"), (2, "pruned"), (0, "kept")]
    assert pruned.report.of(1).leaf == pytest.approx(strong, rel=1e-13)
    assert pruned.report.of(0).leaf == pytest.approx(strong, rel=1e-13)
    assert pruned.report.of(0).details["own split"] == pytest.approx(g_of([4, 4], [4, 5]), rel=1e-12)
    words = f"Node 2 (age > 30): {weak:.3f} G at its strongest split, 3 needed: pruned."
    assert pruned.report.of(2).words == words
    assert pruned.tree.n_leaves == 3
    assert pruned.report.path is None
    assert CriticalValue(critical_value=0).prune(tree).tree == tree
    assert CriticalValue(critical_value=100).prune(tree).tree.n_nodes == 1


def test_a_split_that_just_reaches_the_value_stays():
    for tree in (golf_example(), weak_above_strong()):
        for value in g_values(tree)[tree.n_children > 0]:
            pruned = CriticalValue(critical_value=float(value)).prune(tree).tree
            assert value in g_values(pruned)


def test_the_merit_of_growth_as_strength():
    tree = weak_above_strong()
    merits = tree.merit[tree.n_children > 0]
    pruned = CriticalValue(critical_value=float(merits[1]), measure="merit").prune(tree)
    assert pruned.tree.n_leaves == 3
    assert pruned.report.unit == "merit"
    # Low: a bit of information, though the root has almost none.
    assert pruned.report.of(0).leaf == 1.0


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("measure", ["g", "merit"])
def test_every_tree_of_the_series_is_that_of_its_cut_off(seed, measure):
    case = built_case(seed)
    tree, rows = case.tree, case.validation
    path = CriticalValue(measure=measure).prune(tree, validation=rows).report.path
    by_significance = CriticalValue(measure=measure).prune(tree).report.path
    assert path.cut_off.tolist() == by_significance.cut_off.tolist()
    assert path.n_leaves[0] == tree.n_leaves
    assert path.n_leaves[-1] == 1
    assert np.all(np.diff(path.n_leaves) < 0)
    weight = np.ones(rows.n_rows) if rows.weight is None else rows.weight
    for i, cut_off in enumerate(path.cut_off[:-1]):
        smaller = CriticalValue(critical_value=max(float(cut_off), 0.0), measure=measure).prune(tree).tree
        assert smaller.n_leaves == path.n_leaves[i]
        assert g_values(smaller).sum() == pytest.approx(path.g[i], rel=1e-9, abs=1e-9)
        leaves = smaller.stats[smaller.is_leaf]
        shape = leaves[leaves.sum(axis=1) > 0][:, smaller.stats[0] > 0].shape
        assert path.degrees[i] == (shape[0] - 1) * (shape[1] - 1)
        wrong = weight[predict_class_codes(smaller, rows.values) != rows.target].sum()
        assert path.errors[i] == pytest.approx(wrong, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", range(60))
def test_validation_rows_choose_the_smallest_of_the_best_trees(seed):
    case = built_case(seed)
    pruned = CriticalValue().prune(case.tree, validation=case.validation)
    path = pruned.report.path
    good = [
        n for n, wrong in zip(path.n_leaves, path.errors, strict=True) if wrong <= path.errors.min() + 1e-9
    ]
    assert pruned.tree.n_leaves == path.n_leaves[path.chosen] == min(good)


@pytest.mark.parametrize("seed", range(60))
def test_significance_chooses_the_least_p_value(seed):
    tree = built_case(seed).tree
    pruned = CriticalValue().prune(tree)
    path = pruned.report.path
    assert pruned.tree.n_leaves == path.n_leaves[path.chosen]
    assert path.log_p[path.chosen] <= path.log_p.min() * (1 - 1e-9)
    table_of_leaves = pruned.tree.stats[pruned.tree.is_leaf & (pruned.tree.weight > 0)][:, tree.stats[0] > 0]
    if min(table_of_leaves.shape) > 1:
        expected = chi2_contingency(table_of_leaves, lambda_="log-likelihood", correction=False)
        assert np.exp(path.log_p[path.chosen]) == pytest.approx(expected.pvalue, rel=1e-7)
    else:
        assert path.log_p[path.chosen] == 0.0


def test_what_chooses():
    tree, rows = (
        golf_example(),
        Dataset(golf_example().schema, np.array([[0.0, 70, 0]]), np.array([0], np.int32)),
    )
    assert CriticalValue().needs == frozenset()
    assert CriticalValue().uses == CriticalValue(choose="validation").needs == {"validation"}
    assert CriticalValue(choose="significance").uses == CriticalValue(critical_value=2).uses == frozenset()
    assert CriticalValue().prune(tree, validation=rows).report.path.log_p is None
    by_tree = CriticalValue(choose="significance").prune(tree, validation=rows).report.path
    assert by_tree.errors is None
    with pytest.raises(InputError, match="Critical-value pruning needs validation rows"):
        CriticalValue(choose="validation").prune(tree)


def test_an_empty_branch_is_a_leaf_but_no_line_of_the_table():
    spec = table("town", {"Bonn": leaf({"no": 5}), "Köln": leaf({"yes": 5}), "Mainz": leaf()})
    path = CriticalValue().prune(build(SCHEMA, spec)).report.path
    assert path.n_leaves.tolist() == [3, 1]
    assert path.degrees.tolist() == [1, 0]


def test_a_class_without_rows_is_no_column_of_the_table():
    schema = Schema(COLUMNS, Target("buys", ("no", "perhaps", "yes")))
    path = (
        CriticalValue().prune(build(schema, number("age", 1, leaf({"no": 5}), leaf({"yes": 5})))).report.path
    )
    assert path.degrees.tolist() == [1, 0]


def test_only_rows_that_took_a_branch_count():
    tree = with_rows_staying(build(SCHEMA, number("age", 1, leaf({"no": 5}), leaf({"yes": 4}))), 0, [0, 7])
    assert g_values(tree)[0] == pytest.approx(g_of([5, 0], [0, 4]), rel=1e-13)


def test_a_leaf_alone_and_a_chain_of_many_nodes():
    alone = CriticalValue().prune(build(SCHEMA, leaf({"no": 3})))
    assert alone.tree.n_nodes == 1
    assert (len(alone.report), len(alone.report.path)) == (0, 1)
    # Down the chain every no is told from the only yes, and its last split is the strongest but for those above.
    tree = chain(3000)
    pruned = CriticalValue(critical_value=g_values(tree)[tree.n_children > 0][-1]).prune(tree)
    assert pruned.tree == tree
    assert CriticalValue().prune(tree).report.path.n_leaves.tolist() == [3001, 1]


def test_the_series_as_text_and_frame():
    path = CriticalValue().prune(weak_above_strong()).report.path
    frame = path.to_frame()
    assert list(frame) == ["cut_off", "leaves", "degrees", "g", "p_value", "log10_p", "chosen"]
    assert frame["leaves"].tolist() == [4, 3, 1]
    assert frame["chosen"].sum() == 1
    lines = str(path).splitlines()
    assert lines[0].split() == ["cut-off", "leaves", "df", "G", "p-value"]
    assert len(lines) == 4
    assert path._repr_html_().startswith("<table>")
    assert repr(path) == "<CutOffs: 3 trees, chosen 3 leaves>"
    with_rows = CriticalValue().prune(weak_above_strong(), validation=some_rows()).report.path
    assert list(with_rows.to_frame())[-2:] == ["validation_errors", "chosen"]
    assert "validation errors" in str(with_rows)


def some_rows():
    return Dataset(SCHEMA, np.array([[10.0, 0], [25.0, 0], [35.0, 1]]), np.array([0, 1, 1], np.int32))


def test_a_p_value_too_small_for_a_float_is_still_told():
    tree = build(SCHEMA, number("age", 1, leaf({"no": 5000}), leaf({"yes": 5000})))
    path = CriticalValue().prune(tree).report.path
    # G = 2 * 10000 ln 2; one degree of freedom.
    assert path.g[0] == pytest.approx(20000 * log(2), rel=1e-14)
    assert path.to_frame()["p_value"][0] == 0.0
    assert path.log_p[0] == pytest.approx(-10000 * log(2) - 0.5 * log(np.pi * 10000 * log(2)), rel=1e-7)
    assert "e-3013" in str(path)


def test_the_printed_series_is_short():
    # Each split from the bottom up is stronger than the one below, whose leaf is of the other class.
    spec = leaf({"no": 3})
    for i in range(60):
        spec = number("age", i, spec, leaf({("yes", "no")[i % 2]: 4 * (i + 1)}))
    path = CriticalValue().prune(build(SCHEMA, spec)).report.path
    assert len(path) > 25
    lines = str(path).splitlines()
    assert len(lines) == 22
    assert lines[-1] == f"… {len(path) - 20} more trees"
    assert sum("chosen" in line for line in lines) == 1


def test_regression_and_bad_parameters_are_refused():
    with pytest.raises(KindError, match="Critical-value pruning cannot be used for regression"):
        CriticalValue().prune(regression())
    for value in (-1, float("nan"), True, "8"):
        said = rf"critical_value must be a number of at least 0, got {re.escape(repr(value))}\."
        with pytest.raises(ParameterError, match=said):
            CriticalValue(critical_value=value)
    with pytest.raises(ParameterError, match=r"measure must be one of 'g', 'merit', got 'chi2'\."):
        CriticalValue(measure="chi2")
    with pytest.raises(
        ParameterError, match=r"choose must be one of 'auto', 'significance', 'validation', got 'cv'\."
    ):
        CriticalValue(choose="cv")
    said = "choose and critical_value cannot both be set, got 'validation' and 3; leave one of them out"
    with pytest.raises(ParameterError, match=said):
        CriticalValue(critical_value=3, choose="validation")
