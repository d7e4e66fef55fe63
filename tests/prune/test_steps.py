"""Several methods one after the other: the tree of a loop over them, one report in the numbers of the grown tree."""

import json
import pickle
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sklearn.base import clone

import treewright
from tests.contracts.pruning import grown_case, noisy_table
from tests.contracts.pruning_methods import cases, small_cases
from tests.oracles.plans import NAMED
from tests.oracles.pruning_compare import inner_paths, paths_of, same_nodes
from treewright import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    InputError,
    KindError,
    ModelFormatError,
    ParameterError,
)
from treewright import compare_pruning as compare
from treewright.data.dataset import Dataset
from treewright.ledger.worked.solution import worked_pruning
from treewright.model.build import golf_example
from treewright.model.check_tree import check_tree
from treewright.prune import (
    MDL,
    CostComplexity,
    CriticalValue,
    ErrorBased,
    Global,
    MinimumError,
    Pessimistic,
    PrePruning,
    ReducedError,
    SameDecision,
    Steps,
)
from treewright.prune.method import GROWTH, TRAINING, VALIDATION
from treewright.prune.registry import METHODS, label_of, read_method
from treewright.prune.report import KEPT, PRUNED, RAISED

PRUNING_METHODS = ", ".join(map(repr, METHODS))

SEQUENCES = [
    (ErrorBased(), Global()),
    (ErrorBased(), ErrorBased(confidence=0.05), SameDecision()),
    (ErrorBased(raising=False), Global()),
    (Pessimistic(), MDL()),
    (Global(), ErrorBased(limit="exact")),
    (ReducedError(), MinimumError(), Global(standard_errors=0.5)),
    (CriticalValue(critical_value=3.0), CostComplexity(alpha=0.01)),
]
FOR_NUMBERS = [
    (CostComplexity(alpha=0.001), Global()),
    (Pessimistic(), SameDecision()),
    (ReducedError(), Global()),
]
BOTH = [(one, False) for one in SEQUENCES] + [(one, True) for one in FOR_NUMBERS]
every = pytest.mark.parametrize(
    ("methods", "regression"), BOTH, ids=lambda x: label_of(x) if x and x != 1 else ""
)


def given(methods, regression):
    """The cases that have what the methods need."""
    return cases(regression)[::2] + (small_cases(regression) if TRAINING not in Steps(methods).needs else ())


@cache
def found(methods, regression):
    """Each case, what Steps make of it, and the parts: the tree before each step, and that after the last."""
    results = []
    for case in given(methods, regression):
        parts = [case.tree]
        for method in methods:
            parts.append(case.prune(method, parts[-1]).tree)
        results.append((case, case.prune(Steps(methods)), parts))
    return results


@every
def test_each_method_has_the_tree_that_the_one_before_left(methods, regression):
    n_smaller = 0
    for case, pruned, parts in found(methods, regression):
        check_tree(pruned.tree)
        assert pruned.tree == parts[-1], case
        assert [one.tree for one in pruned.report.steps] == parts[:-1]
        assert pruned.report.tree is pruned.report.steps[0].tree is case.tree
        n_smaller += parts[-1].n_leaves < parts[1].n_leaves < parts[0].n_leaves
    assert n_smaller > 0 or methods[-1] == SameDecision()


@every
def test_nodes_have_the_numbers_of_the_grown_tree(methods, regression):
    raises = any(getattr(method, "raising", False) for method in methods)
    for case, pruned, parts in found(methods, regression):
        report, grown = pruned.report, case.tree
        assert len(set(report.origin.tolist())) == pruned.tree.n_nodes
        assert report.origin[0] == 0
        inner = np.flatnonzero(pruned.tree.n_children)
        # The split of a node was made where its branches come from, also where it was raised from below.
        source = grown.parent[report.origin[pruned.tree.first_child[inner]]]
        np.testing.assert_array_equal(grown.column[source], pruned.tree.column[inner])
        np.testing.assert_array_equal(grown.threshold[source], pruned.tree.threshold[inner])
        if raises:
            continue
        there = paths_of(grown)
        assert [there[i] for i in report.origin] == paths_of(pruned.tree)
        assert not same_nodes(pruned.tree, grown)
        for k, step in enumerate(report.steps):
            own, before = report.node[report.stage == k], paths_of(parts[k])
            assert [there[i] for i in own] == [before[i] for i in step.node]


@every
def test_the_report_is_that_of_the_steps(methods, regression):
    for _, pruned, _ in found(methods, regression)[:6]:
        report = pruned.report
        steps = report.steps
        assert report.method == Steps(methods).label == "+".join(method.name for method in methods)
        assert len(report) == sum(map(len, steps))
        for name in ("leaf", "subtree", "allowance", "verdict", "weight"):
            expected = np.concatenate([getattr(one, name) for one in steps])
            np.testing.assert_array_equal(getattr(report, name), expected)
        told = [(k, one) for k, step in enumerate(steps) for one in step]
        for (k, own), one in zip(told, report, strict=True):
            assert one.details == {"step": k + 1, **own.details}
            assert (one.leaf, one.branch, one.verdict, one.column) == (
                own.leaf,
                own.branch,
                own.verdict,
                own.column,
            )
            assert one.words.startswith(f"Node {one.node} ({one.where}), {steps[k].method}: ")
            assert one.words.endswith(own.words.removeprefix(f"Node {own.node} ({own.where})"))


def test_the_last_visit_decides():
    report = found(SEQUENCES[0], False)[0][1].report
    for node in np.unique(report.node).tolist():
        visits = report.visits(node)
        assert report.of(node).words == report[int(visits[-1])].words
        assert len(visits) == len(set(report.stage[visits].tolist())) == np.count_nonzero(report.node == node)
        assert PRUNED not in report.verdict[visits[:-1]]


def test_a_place_that_a_branch_was_raised_to_keeps_its_number():
    """The second step decides on the raised split under the number of its place, with the rows that came to it."""
    n_seen = 0
    for case, pruned, parts in found(SEQUENCES[0], False):
        report = pruned.report
        for visit in np.flatnonzero((report.verdict == RAISED) & (report.stage == 0)).tolist():
            later = report.visits(int(report.node[visit]))[1:]
            for i in later.tolist():
                step, at = report.step(i)
                assert step.tree is report.steps[1].tree
                assert report.steps[0].origin[step.node[at]] == report.node[i]
                assert report[i].column == case.tree.schema.names[parts[1].column[step.node[at]]]
                n_seen += 1
    assert n_seen > 0


def steps_of_golf():
    return Steps((SameDecision(), Pessimistic(standard_errors=2))).prune(golf_example()).report


def test_the_text_has_a_part_for_each_step():
    assert steps_of_golf().to_text().splitlines() == [
        "same_decision+pessimistic: 2 steps; 5 leaves before, 3 after.",
        "",
        "Step 1. same_decision: 3 nodes visited, 3 kept, 0 pruned; 5 leaves before, 5 after.",
        "A node becomes a leaf when every leaf below it predicts the same as the node itself.",
        "",
        "node  rows  leaf  subtree  verdict  splits on  where",
        "   1     5     1        0  kept     humidity   outlook = sunny",
        "   3     5     1        0  kept     windy      outlook = rain",
        "   0    14     2        0  kept     outlook    root",
        "leaf: other predictions among the leaves below; subtree: allowed",
        "",
        "Step 2. pessimistic: 3 nodes visited, 1 kept, 2 pruned; 5 leaves before, 3 after.",
        "From the root down, a node becomes a leaf when its errors + 0.5 are at most those of its subtree + 0.5 for",
        "each leaf + 2 standard errors.",
        "",
        "node  rows  leaf  subtree  limit  verdict  leaves  training errors  error rate  splits on  where",
        "   0    14   5.5      2.5   5.37  kept          5                0       0.179  outlook    root",
        "   1     5   2.5        1   2.79  pruned        2                0         0.2  humidity   outlook = sunny",
        "   3     5   2.5        1   2.79  pruned        2                0         0.2  windy      outlook = rain",
        "leaf: errors as a leaf; subtree: as a subtree; limit: with 2 standard errors",
    ]
    assert steps_of_golf().of(3).words == (
        "Node 3 (outlook = rain), pessimistic: 2.5 errors as a leaf, 1 as a subtree, 2.79 with 2 standard errors: "
        "pruned."
    )
    assert steps_of_golf().to_text(0).count("\n") == 7
    assert repr(steps_of_golf()) == "<PruningReport: same_decision+pessimistic, 6 visits>"


def test_frame_and_page_of_steps():
    report = steps_of_golf()
    frame = report.to_frame()
    assert frame["step"].tolist() == [1, 1, 1, 2, 2, 2]
    assert frame["leaves"].isna().tolist() == [True] * 3 + [False] * 3
    assert frame["column"].tolist() == ["humidity", "windy", "outlook", "outlook", "humidity", "windy"]
    html = report._repr_html_()
    assert html.count("<table") == 2
    assert html.count("Step ") == 2
    assert pickle.loads(pickle.dumps(report)).to_text() == report.to_text()


def test_steps_within_steps_are_one_list():
    one, two, three = SameDecision(), MDL(), Global()
    assert Steps((Steps((one, two)), three)) == Steps([one, Steps((two, three))]) == Steps((one, two, three))
    assert Steps([one, two]).methods == (one, two)
    assert read_method(["same_decision", ["mdl", three]]) == read_method("same-decision+mdl + global")
    assert read_method((two,)) is two
    assert (label_of(None), label_of(["mdl", "error-based"])) == (None, "mdl+error_based")


def test_what_they_need_is_what_one_of_them_needs():
    both = Steps((ReducedError(), ErrorBased()))
    assert both.needs == {VALIDATION, TRAINING}
    assert Steps((CostComplexity(), Global())).uses == {VALIDATION, TRAINING, GROWTH}
    assert not both.for_numbers
    assert Steps((ReducedError(), Global())).for_numbers
    tree = golf_example()
    rows = Dataset(tree.schema, np.zeros((14, 3)), np.zeros(14, np.int32))
    with pytest.raises(InputError, match="Reduced-error pruning needs validation rows"):
        Steps((MDL(), ReducedError())).prune(tree, rows=rows)
    with pytest.raises(InputError, match="Error-based pruning needs the training rows; pass X and y"):
        Steps((MDL(), ErrorBased())).prune(tree)
    with pytest.raises(KindError, match="MDL pruning cannot be used for regression"):
        cases(True)[0].prune(Steps((Global(), MDL())))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([], "pruning must have at least one method, got an empty list; use None for no pruning."),
        ((), "pruning must have at least one method, got an empty list; use None for no pruning."),
        (["mdl", None], "pruning must be a list of methods, got None in the list"),
        (["mdl", "magic"], f"pruning must be one of {PRUNING_METHODS}, got 'magic'."),
        ("mdl+", f"pruning must be one of {PRUNING_METHODS}, got ''."),
        ([["mdl"], []], "pruning must have at least one method, got an empty list; use None for no pruning."),
    ],
)
def test_what_is_no_sequence_of_methods_is_refused(wrong, said):
    with pytest.raises(ParameterError) as caught:
        C45Classifier(pruning=wrong).fit([[1], [2]], [0, 1])
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ((), "must have at least one method; use pruning=None for no pruning"),
        ("mdl", "must be a list or tuple of methods, got 'mdl'"),
        (["mdl"], r"must contain methods of treewright\.prune, such as Global\(\), got 'mdl'"),
    ],
)
def test_steps_hold_methods(wrong, said):
    with pytest.raises(ParameterError, match=rf"^methods {said}\.$"):
        Steps(wrong)


def test_a_parameter_goes_to_the_method_that_has_it():
    assert read_method("error_based+global", confidence=0.1, standard_errors=2) == Steps(
        (ErrorBased(confidence=0.1), Global(standard_errors=2))
    )
    said = "Several of the 2 methods of pruning have a parameter 'standard_errors'; pass method objects"
    with pytest.raises(ParameterError, match=said):
        read_method("pessimistic+global", standard_errors=2)
    with pytest.raises(
        ParameterError, match="None of the 2 methods of pruning has a parameter 'ties'; pass method objects"
    ):
        read_method(["mdl", ReducedError()], ties="keep")


def test_folds_go_through_the_steps_before():
    """Cross-validation of the second step judges trees that were made as the tree it has was."""
    case, chosen = cases(False)[0], CostComplexity(choose="cv", folds=3)
    first = MDL().prune(case.tree).tree
    expected = chosen.prune(first, rows=case.rows, grow=lambda rows: MDL().prune(case.regrow(rows)).tree)
    found = case.prune(Steps((MDL(), chosen)))
    assert found.tree == expected.tree
    np.testing.assert_array_equal(found.report.steps[1].path.error, expected.report.path.error)
    plain = chosen.prune(first, rows=case.rows, grow=case.regrow)
    assert plain.report.path.error.tolist() != expected.report.path.error.tolist()


def test_weights_are_rows_in_every_step():
    """Halves of weights that are not whole: the same nodes stay, and every tree has its own weights."""
    rng, methods = np.random.default_rng(2), Steps((ErrorBased(), Global()))
    for options in [o for o in NAMED.values() if not o.is_regression][:3]:
        plain = noisy_table(("steps", options), n_rows=60)
        weights = rng.integers(1, 9, 60) / 8
        one, half = (grown_case(0, options, replace(plain, weights=tuple(weights / k))) for k in (1, 2))
        pruned = one.prune(methods), half.prune(methods)
        assert inner_paths(pruned[0].tree) == inner_paths(pruned[1].tree)
        for k, found in enumerate(pruned, 1):
            trees = [found.tree, *(step.tree for step in found.report.steps)]
            assert {float(tree.weight[0]) for tree in trees} == {weights.sum() / k}
        np.testing.assert_allclose(pruned[0].report.weight, pruned[1].report.weight)


# Estimators.


def table(n=300):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] + rng.normal(size=n) > 0, "yes", "no")


@cache
def fitted():
    return CARTClassifier(pruning=["error_based", Global()], min_samples_leaf=5).fit(*table())


def test_a_list_is_kept_as_it_was_given():
    given = ["error_based", Global()]
    model = C45Classifier(pruning=given)
    assert model.get_params()["pruning"] is given
    assert clone(model).pruning == given
    assert repr(model) == "C45Classifier(pruning=['error_based', Global(standard_errors=1.0)])"
    model.set_params(pruning=("mdl", "global")).fit(*table())
    assert model.pruning == ("mdl", "global")
    assert model.pruning_report_.method == "mdl+global"


def test_a_name_in_a_list_has_the_defaults_of_the_estimator():
    model = C45Classifier(variant="j48", pruning=["error_based", "global"]).fit(*table())
    expected = Steps((ErrorBased(limit="weka"), Global()))
    assert model._pruned_by[0] == expected
    named = C45Classifier(variant="j48", pruning="error_based+global").fit(*table())
    assert named.tree_ == model.tree_ == model.pruned(expected).tree_


def test_a_fitted_estimator_can_be_pruned_by_steps():
    model = fitted()
    assert (
        model.grown_tree_.n_leaves > model.pruning_report_.steps[1].tree.n_leaves > model.tree_.n_leaves > 1
    )
    assert model.pruned(None).pruned(["error_based", "global"], *table()).tree_ == model.tree_
    assert model.pruned("error_based+global", *table(), confidence=0.4).get_n_leaves() >= model.get_n_leaves()
    with pytest.raises(InputError, match="Reduced-error pruning needs validation rows"):
        CARTClassifier(pruning=["mdl", "reduced_error"]).fit(*table())
    with pytest.raises(KindError, match="cannot be used for regression"):
        CARTRegressor(pruning=["global", "mdl"]).fit([[1], [2]], [1.0, 2.0])


def test_validation_rows_stop_growth_only_where_no_step_uses_them():
    X, y = table()
    held = {"X_val": X[:90], "y_val": y[:90]}
    model = CARTClassifier(pruning=["mdl", "reduced_error"]).fit(X[90:], y[90:], **held)
    assert model.pre_pruning_report_ is None
    model = CARTClassifier(pruning=["mdl", "global"]).fit(X[90:], y[90:], **held)
    assert model.pre_pruning_report_.method == "pre_pruning"
    model = CARTClassifier(pruning=[PrePruning(), "global"]).fit(X[90:], y[90:], **held)
    assert model.pruning_report_.steps[0].unit == "validation errors"


@pytest.mark.parametrize("saved", [{}, {"rows": True}])
def test_a_file_holds_the_steps(tmp_path, saved):
    model = fitted()
    model.save(tmp_path / "model.json", **saved)
    other = treewright.load(tmp_path / "model.json")
    assert other.pruning == model.pruning
    assert other._pruned_by == model._pruned_by
    assert other.pruning_report_.to_text() == model.pruning_report_.to_text()
    assert other.pruning_report_.tree is other.grown_tree_
    assert other.pruning_report_.steps[1].path.tree is other.pruning_report_.steps[1].tree
    for node in range(0, model.grown_tree_.n_nodes, 5):
        assert str(other.why_pruned(node, grown=True)) == str(model.why_pruned(node, grown=True))
    other.save(tmp_path / "again.json", **saved)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    assert pickle.loads(pickle.dumps(model)).pruning_report_.to_text() == model.pruning_report_.to_text()


DAMAGES = {
    "no steps": ("steps", lambda t: t["reports"][0]["steps"].clear()),
    "another field": ("rule", lambda t: t["reports"][0].update(rule="none")),
    "no such tree": ("steps[1].tree", lambda t: t["reports"][0]["steps"][1].update(tree=99)),
    "steps the wrong way round": ("origin", lambda t: t["reports"][0]["steps"].reverse()),
    "a step that is gone": ("pruning_report.tree", lambda t: t["reports"][0]["steps"].pop(0)),
    "origin": ("origin", lambda t: t["reports"][0]["steps"][0]["origin"].__setitem__(1, 0)),
    "steps of a step": ("steps[0]", lambda t: t["reports"][0]["steps"].__setitem__(0, {"steps": []})),
    "idle tree": ("trees", lambda t: t["trees"].append(t["trees"][0])),
    "methods": ("method", lambda t: t["method"]["parameters"].update(methods={"tuple": []})),
    "no method": ("method", lambda t: t["method"]["parameters"].update(methods={"tuple": ["mdl"]})),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_file_is_refused_by_the_field(tmp_path, name):
    path, (field, change) = tmp_path / "model.json", DAMAGES[name]
    fitted().save(path)
    told = json.loads(path.read_text(encoding="utf-8"))
    change(told)
    path.write_text(json.dumps(told).replace("Infinity", "1e999"), encoding="utf-8")
    with pytest.raises(ModelFormatError, match=re.escape(field)):
        treewright.load(path)


def test_why_a_node_was_pruned_tells_of_each_step():
    model = fitted()
    report = model.pruning_report_
    both = [n for n in np.unique(report.node).tolist() if len(report.visits(n)) == 2]
    cut = next(n for n in both if report.of(n).verdict == "pruned")
    reason = model.why_pruned(cut, grown=True)
    first, second = (report[i].words for i in report.visits(cut).tolist())
    assert reason.words.splitlines()[:2] == [first, second]
    assert reason.decision.details["step"] == 2
    assert reason.rule == report.steps[1].rule
    once = next(n for n in np.unique(report.node).tolist() if report.of(n).details["step"] == 1)
    assert model.why_pruned(once, grown=True).rule == report.steps[0].rule


def test_a_worked_solution_has_a_section_for_each_step():
    model = fitted()
    text = model.worked_solution(0).to_text()
    assert text.index("Pruning: error-based (C4.5)") < text.index(
        "Pruning: global, within a budget of errors"
    )
    report, budget = model.pruning_report_, model.pruning_report_.steps[1].allowance[0]
    assert f"≈ {budget:.4f}" in text
    for node in np.unique(report.node).tolist():
        worked = worked_pruning(report, node, method=model._pruned_by[0], pruned=model.tree_).to_text()
        assert worked.count("Pruning: ") == len(report.visits(node))
    assert "Pruning: " in worked_pruning(report, 0, language="en").to_text()
    assert "全局剪枝" in worked_pruning(report, 0, language="zh").to_text()


def test_the_answer_before_pruning_tells_every_cut_on_the_way():
    model, seen = fitted(), set()
    report = model.pruning_report_
    assert RAISED in report.verdict
    for row in table()[0][:40]:
        (before,) = model.explain(row).before_pruning
        assert before.method == "error_based+global"
        seen |= {re.search(r"\), (\w+): ", words)[1] for words in before.cuts}
        assert all(words.endswith(("pruned.", "raised.")) for words in before.cuts)
        assert "before error-based and global pruning" in str(model.explain(row))
        way = report.origin[model.decision_path(row[None]).indices]
        expected = {
            i for node in way.tolist() for i in report.visits(node).tolist() if report.verdict[i] != KEPT
        }
        assert before.n_cuts == len(expected)
        assert set(before.cuts) == {report[i].words for i in expected}
    assert seen == {"error_based", "global"}


def test_steps_are_compared_like_a_method():
    found = compare(
        CARTClassifier(), *table(), methods=["mdl", ["mdl", "global"], "error_based+global"], folds=3
    )
    assert [row.method for row in found.rows] == ["none", "mdl", "mdl+global", "error_based+global"]
    assert found.rows[3].n_leaves <= found.rows[0].n_leaves


def test_the_page_tells_which_step_decided(tmp_path):
    from treewright.page.pruning_part import _decision

    model = fitted()
    text = model.to_html(methods=["mdl"])
    assert "error_based+global" in text
    report = model.pruning_report_
    told = {i: _decision(report, i) for i in range(len(report))}
    assert {one["method"] for one in told.values()} == {"error_based", "global"}
    assert all(one["unit"]["en"] == report.step(i)[0].unit for i, one in told.items())
    assert all(("branch" in one) == (report.step(i)[0].branch is not None) for i, one in told.items())
