"""Every equation of a worked solution holds, and leads to the numbers that growth and pruning used."""

from math import isclose

import numpy as np
import pytest

from tests.ledger.arithmetic import chains, value_of, wrong_steps
from tests.ledger.worked_cases import FOR_NUMBERS, METHODS, NAMES, fitted, table
from treewright import CARTClassifier
from treewright.criteria import gini_decrease, information_gain, twoing
from treewright.ledger.record import REJECTED
from treewright.ledger.worked import worked_pruning
from treewright.ledger.worked.document import Call, Formula, Symbol
from treewright.ledger.worked.render_text import TextRenderer
from treewright.prune import CostComplexity, CriticalValue, ErrorBased, MinimumError, Pessimistic


def some_nodes(tree, n=2):
    """The first nodes, and some further down."""
    return sorted({*range(min(n, tree.n_nodes)), *np.linspace(0, tree.n_nodes - 1, n).astype(int).tolist()})


def check(solution):
    n_checked = 0
    for chain in chains(solution):
        assert wrong_steps(chain) == [], TextRenderer(8).one(chain)
        n_checked += sum(value_of(part) is not None for _, part in chain.rest)
    return n_checked


@pytest.mark.parametrize("name", NAMES)
def test_all_equations_hold(name):
    model = fitted(name)
    n_checked = 0
    for node in some_nodes(model.tree_):
        n_checked += check(model.worked_solution(node))
    for node in some_nodes(model.grown_tree_):
        n_checked += check(model.worked_solution(node, grown=True))
    assert n_checked >= (1 if name == "one leaf" else 10)


def gains_written(solution):
    """The gain that the section of each column ends with, after rho and charge."""
    found = {}
    for section in solution.document.sections:
        for part in section.parts:
            if isinstance(part, Formula) and isinstance(part.chain.first, Call):
                call = part.chain.first
                if call.name.name == "Gain" and call.arguments[0] == Symbol("D"):
                    found[call.arguments[1].text] = value_of(part.chain.rest[-1][1])
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("pruned", "weighed", "numbers"))])
def test_the_gains_are_those_of_growth(name):
    model = fitted(name)
    tree = model.grown_tree_
    n_compared = 0
    for node in some_nodes(tree):
        written = gains_written(model.worked_solution(node, grown=True))
        entry = model.why(node, grown=True).entry
        for one in entry.candidates:
            if one.verdict == REJECTED and not one.branches:
                assert one.name not in written
                continue
            assert isclose(written[one.name], one.gain, rel_tol=1e-9, abs_tol=1e-12)
            n_compared += 1
        if not tree.is_leaf[node]:
            chosen = tree.schema.names[tree.column[node]]
            assert isclose(written[chosen], tree.gain[node], rel_tol=1e-9, abs_tol=1e-12)
    assert n_compared > 0 or name == "one leaf"


def against_others(solution, name):
    """The gain of each value of a category against the others, as the solution has it."""
    for section in solution.to_dict()["sections"]:
        for part in section["parts"]:
            if section["heading"] == name and part.get("head", [""])[0] == "v" and "branch" not in part["head"]:
                at = part["head"].index("gain")
                return {line[0]: values[at] for line, values in zip(part["rows"], part["values"], strict=True)}
    return {}


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing"])
def test_values_against_others_by_hand(criterion):
    """Against plain functions of class counts, where holes are left out."""
    _, X, y, _, _ = table()
    model = CARTClassifier(criterion=criterion, missing="learned", pruning=None, max_depth=1).fit(X, y)
    found = against_others(model.worked_solution(), "colour")
    known = X["colour"].notna().to_numpy()
    labels, values = np.unique(y), sorted(X["colour"][known].unique())
    assert list(found) == values
    measure = {"gini": gini_decrease, "entropy": information_gain, "twoing": twoing}[criterion]
    for value in values:
        own = (X["colour"] == value).to_numpy()[known]
        counts = [[np.sum((y[known] == label) & side) for label in labels] for side in (own, ~own)]
        assert isclose(found[value], measure(counts), rel_tol=1e-9)


def formulas(solution):
    return [part for section in solution.document.sections for part in section.parts if isinstance(part, Formula)]


@pytest.mark.parametrize(
    ("kind", "method"),
    [("pruned", m) for m in METHODS] + [("weighed", m) for m in METHODS] + [("numbers", m) for m in FOR_NUMBERS],
)
def test_every_method_is_worked_out_to_the_numbers_of_its_report(kind, method):
    """The arithmetic ends with the report's two numbers, at every node that was visited."""
    model = fitted(f"{kind} {method}")
    report = model.pruning_report_
    parameters = model._method()
    n_worked = 0
    for i, node in enumerate(report.node.tolist()):
        solution = worked_pruning(report, node, method=parameters, pruned=model.tree_)
        check(solution)
        ends = [value_of(part) for one in formulas(solution) for _, part in one.chain.rest]
        judged = "accuracy before" if "accuracy before" in report.details else "loss before"
        if judged in report.details:
            wanted = [report.details[judged][i], report.details[judged.replace("before", "after")][i]]
        else:
            wanted = [report.leaf[i], report.subtree[i]]
        found = [any(e is not None and isclose(e, w, rel_tol=1e-9, abs_tol=1e-12) for e in ends) for w in wanted]
        # The last formula compares the two; its first side counts, too.
        firsts = [value_of(one.chain.first) for one in formulas(solution)]
        found[0] |= any(f is not None and isclose(f, wanted[0], rel_tol=1e-9, abs_tol=1e-12) for f in firsts)
        n_worked += all(found)
    # Where a branch was raised, other rows had come to nodes that are gone.
    assert n_worked >= len(report) * (0.6 if method == "error_based" else 1.0)
    assert len(report) > 0


SETTINGS = [
    ErrorBased(confidence=0.1, raising=False),
    ErrorBased(confidence=0.4, limit="exact", raising=False),
    ErrorBased(limit="weka", allowance=0.0, raising=False),
    MinimumError(m=2.5, priors="root"),
    MinimumError(m=0),
    MinimumError(priors={"yes": 3, "no": 1, "maybe": 1}),
    CostComplexity(cp=0.02),
    CostComplexity(alpha=0.003, risk="impurity"),
    Pessimistic(penalty=0.25, standard_errors=2),
    CriticalValue(critical_value=5.0),
    CriticalValue(measure="merit"),
]


@pytest.mark.parametrize("method", SETTINGS, ids=str)
def test_other_parameters(method):
    tree = fitted("pruned mdl").grown_tree_
    report = method.prune(tree).report
    for node in report.node.tolist()[-6:]:
        solution = worked_pruning(report, node, method=method)
        check(solution)
        sides = [(one.chain.first, *(part for _, part in one.chain.rest)) for one in formulas(solution)]
        ends = [value_of(part) for parts in sides for part in parts]
        for wanted in (report.of(node).leaf, report.of(node).subtree):
            assert any(e is not None and isclose(e, wanted, rel_tol=1e-9, abs_tol=1e-12) for e in ends)


def test_a_method_that_is_not_the_one_of_the_report_changes_nothing():
    """Parameters may be set anew after fit; what does not lead to the numbers of the report is not shown."""
    tree = fitted("pruned mdl").grown_tree_
    report = ErrorBased(confidence=0.1, raising=False).prune(tree).report
    node = int(report.node[0])
    said = worked_pruning(report, node, method=ErrorBased(confidence=0.4, raising=False))
    check(said)
    one = report.of(node)
    assert f"{one.leaf:.4f}" in said.to_text()
    assert "U_" not in said.to_text()
