"""Every method prunes as the slow pruner does, node by node, on grown trees and on trees put together at random.

In: seeds. Out: the same inner nodes are left, every node that is left is what it was, and the report gives the two
numbers that the formula gives. Reduced error and cost-complexity are also held against all pruned subtrees there are.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest

import treewright
from tests.contracts.pruning import Case, built_case, fitted_case, grown_case
from tests.oracles import pruning as slow
from tests.oracles import pruning_brute as brute
from tests.oracles import pruning_global as slow_global
from tests.oracles import pruning_information as information
from tests.oracles.plans import NAMED, STRATEGIES, allows, random_options
from tests.oracles.pruning_compare import as_nodes, inner_paths, paths_of, same_nodes, with_costs
from tests.oracles.pruning_limits import estimate
from treewright import prune
from treewright.predict.missing_policy import MissingPolicy
from treewright.prune.report import PRUNED

CLOSE = 1e-9
MOST_CUTS = 3000
"""So many pruned subtrees of one tree are gone through, not more."""

Expected = slow.Decisions | set[slow.Path]
Pair = tuple[prune.Method, Expected]


def some_alpha(rng: Random, root: slow.Node) -> float:
    """A complexity that is met exactly more often than not: errors over a number of leaves."""
    drawn = rng.choice([0.0, rng.uniform(0, 0.1), rng.randint(0, 6) / rng.randint(1, 6) / max(root.weight, 1.0)])
    return drawn * (root.loss / max(root.weight, 1.0) if root.is_number else 1.0)


def some_critical(rng: Random, root: slow.Node, measure: str) -> float:
    """A value that one of the nodes reaches exactly, or any."""
    inner = [node for node in root.below() if node.children]
    if not inner or rng.random() < 0.3:
        return rng.uniform(0, 10)
    node = rng.choice(inner)
    reached = information.g_statistic(node) if measure == "g" else node.merit
    return reached if reached > 1e-6 else rng.uniform(0, 10)


def error_based(rng: Random, root: slow.Node, limit: str) -> Pair:
    confidence = rng.choice([0.25, 0.25, 0.05, 0.1, 0.4, rng.uniform(0.01, 0.5)])
    allowance = rng.choice([0.1, 0.1, 0.0, 0.5])
    method = prune.ErrorBased(confidence=confidence, limit=limit, raising=False, allowance=allowance)
    return method, slow.error_based(root, confidence, limit, allowance)


def pessimistic(rng: Random, root: slow.Node) -> Pair:
    penalty, errors = rng.choice([0.5, 0.5, 1.0, 0.0]), rng.choice([1.0, 1.0, 0.0, 2.0])
    method = prune.Pessimistic(penalty=penalty, standard_errors=errors)
    return method, slow.pessimistic(root, penalty, errors)


def pessimistic_numbers(rng: Random, root: slow.Node) -> Pair:
    multiplier = rng.choice([2.0, 2.0, 1.0, 0.0, 5.5])
    return prune.Pessimistic(multiplier=multiplier), slow.m5(root, multiplier)


def minimum_error(rng: Random, root: slow.Node) -> Pair:
    m, priors = rng.choice([0.5, 1.0, 2.0, 7.0]), rng.choice(["equal", "root"])
    return prune.MinimumError(m=m, priors=priors), slow.minimum_error(root, m, priors)


def cost_complexity(rng: Random, root: slow.Node) -> Pair:
    alpha = some_alpha(rng, root)
    (left,) = brute.least_cost_complexity(root, alpha)
    return prune.CostComplexity(alpha=alpha), left


def critical_value(rng: Random, root: slow.Node, measure: str) -> Pair:
    value = some_critical(rng, root, measure)
    return prune.CriticalValue(critical_value=value, measure=measure), information.critical_value(root, value, measure)


def exhaustive(rng: Random, root: slow.Node) -> Pair:
    (left,) = brute.least_validation_error(root)
    return prune.ReducedError(), left


def global_pruning(rng: Random, root: slow.Node) -> Pair:
    errors = rng.choice([1.0, 1.0, 0.0, 0.3, 4.0])
    return prune.Global(standard_errors=errors), slow_global.global_pruning(root, errors)


METHODS: dict[str, Callable[[Random, slow.Node], Pair]] = {
    "reduced error": lambda _, root: (prune.ReducedError(), slow.reduced_error(root)),
    "reduced error, ties kept": lambda _, root: (prune.ReducedError(ties="keep"), slow.reduced_error(root, "keep")),
    "reduced error, all subtrees": exhaustive,
    "pre-pruning": lambda _, root: (prune.PrePruning(), slow.pre_pruning(root)),
    "pessimistic": lambda rng, root: (pessimistic_numbers if root.is_number else pessimistic)(rng, root),
    "error-based release8": lambda rng, root: error_based(rng, root, "release8"),
    "error-based weka": lambda rng, root: error_based(rng, root, "weka"),
    "error-based exact": lambda rng, root: error_based(rng, root, "exact"),
    "cost-complexity, all subtrees": cost_complexity,
    "minimum error": lambda _, root: (prune.MinimumError(), slow.minimum_error(root)),
    "minimum error m": minimum_error,
    "critical value": lambda rng, root: critical_value(rng, root, "g"),
    "critical merit": lambda rng, root: critical_value(rng, root, "merit"),
    "mdl": lambda _, root: (prune.MDL(), information.mdl(root)),
    "global": global_pruning,
    "same decision": lambda _, root: (prune.SameDecision(), slow.same_decision(root)),
}
FOR_NUMBERS = ("reduced error", "reduced error, ties kept", "reduced error, all subtrees", "pre-pruning")
FOR_NUMBERS += ("pessimistic", "cost-complexity, all subtrees", "global")


def same_numbers(case: Case, report: prune.PruningReport, expected: slow.Decisions) -> None:
    """The report visits the same nodes and gives the same numbers and verdicts."""
    paths = paths_of(case.tree)
    visited = [paths[i] for i in report.node]
    assert sorted(visited) == sorted(expected), f"visited other nodes\n{case}"
    for k, path in enumerate(visited):
        want = expected[path]
        found = report.leaf[k], report.subtree[k], report.allowance[k]
        wanted = want.leaf, want.subtree, want.allowance
        assert found == pytest.approx(wanted, rel=CLOSE, abs=CLOSE), f"at {path}: {found}, not {wanted}\n{case}"
        assert (report.verdict[k] == PRUNED) == want.pruned, f"the verdict at {path}\n{case}"


def check(case: Case, name: str) -> int:
    """Fail with the whole case unless package and oracle prune alike; how many nodes were there to be pruned."""
    root = as_nodes(case.tree, case.validation, case.unit)
    if "all subtrees" in name and brute.n_cuts(root) > MOST_CUTS:
        return 0
    method, expected = METHODS[name](Random(f"{name} {case.seed}"), root)
    pruned = case.prune(method)
    left = expected if isinstance(expected, set) else slow.kept(root, expected)
    assert inner_paths(pruned.tree) == left, f"{method}: {sorted(left)} should be left\n{case}\n{pruned.tree.to_text()}"
    assert not same_nodes(pruned.tree, case.tree), f"{method}\n{case}"
    if not isinstance(expected, set):
        same_numbers(case, pruned.report, expected)
    return len(inner_paths(case.tree))


def check_grown(name: str, numbers: range) -> int:
    """Trees of every named algorithm and of random options."""
    found = 0
    for number in numbers:
        seed = (name, number)
        regression = name in FOR_NUMBERS and number % 3 == 0
        named = [o for o in NAMED.values() if o.is_regression == regression]
        options = random_options(seed, regression=regression) if number % 2 else named[number // 2 % len(named)]
        found += check(grown_case(seed, options), name)
    return found


def check_holed(name: str, missing: str, numbers: range) -> int:
    """Trees of tables with missing cells, validation rows with missing cells."""
    found = 0
    for number in numbers:
        seed = (name, missing, number)
        regression = name in FOR_NUMBERS and number % 3 == 0
        named = [o for o in NAMED.values() if o.is_regression == regression and allows(o, missing)]
        if missing == "stop":
            named = [o for o in named if o.criterion != "absolute_error"]  # what stays cannot be told from medians
        options = replace(named[number % len(named)], missing=missing)
        found += check(grown_case(seed, options), name)
    return found


def check_built(name: str, numbers: range) -> int:
    return sum(
        check(built_case((name, number), regression=name in FOR_NUMBERS and number % 4 == 0), name)
        for number in numbers
    )


ESTIMATORS = {
    "id3": lambda: treewright.ID3Classifier(numeric="bisect"),
    "c45": treewright.C45Classifier,
    "c45 groups": lambda: treewright.C45Classifier(variant="textbook", grouping="greedy"),
    "cart": treewright.CARTClassifier,
    "tree": lambda: treewright.TreeClassifier(grouping="each"),
}


@cache
def fitted(estimator: str, number: int) -> Case:
    return fitted_case((estimator, number), ESTIMATORS[estimator]())


every = pytest.mark.parametrize("name", METHODS)


@every
def test_grown_trees(name):
    assert check_grown(name, range(20)) > 30


@every
def test_built_trees(name):
    assert check_built(name, range(20)) > 30


@every
@pytest.mark.parametrize("missing", STRATEGIES)
def test_trees_of_tables_with_holes(name, missing):
    assert check_holed(name, missing, range(6)) > 5


@every
@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize("n_trees", [5, pytest.param(50, marks=pytest.mark.long)])
def test_trees_of_estimators(name, estimator, n_trees):
    assert sum(check(fitted(estimator, number), name) for number in range(n_trees)) > 3


@pytest.mark.parametrize("missing", ["error", *STRATEGIES])
def test_answers_that_cost_more_or_less(missing):
    """Reduced error, minimum error and cost-complexity with a cost matrix; a node answers what costs least."""
    seen = 0
    for number in range(20):
        seed = ("costs", missing, number)
        named = [o for o in NAMED.values() if not o.is_regression and (missing == "error" or allows(o, missing))]
        case = grown_case(seed, replace(named[number % len(named)], missing=missing))
        rng, n = Random(f"costs {seed}"), case.tree.schema.target.n_classes
        costs = [[float(a != b) * rng.choice([1, 1, 2, 0.5, 10]) for b in range(n)] for a in range(n)]
        root = with_costs(as_nodes(case.tree, case.validation, case.unit), case.tree, costs)
        alpha = some_alpha(rng, root)
        compared: list[Pair] = [
            (prune.ReducedError(cost_matrix=costs), slow.reduced_error(root)),
            (prune.ReducedError(cost_matrix=costs, ties="keep"), slow.reduced_error(root, "keep")),
            (prune.MinimumError(cost_matrix=costs), slow.minimum_error(root)),
        ]
        if brute.n_cuts(root) <= MOST_CUTS:
            (left,) = brute.least_cost_complexity(root, alpha)
            compared.append((prune.CostComplexity(alpha=alpha, cost_matrix=costs), left))
        for method, expected in compared:
            pruned = case.prune(method)
            left = expected if isinstance(expected, set) else slow.kept(root, expected)
            assert inner_paths(pruned.tree) == left, f"{method}\n{case}"
            if not isinstance(expected, set):
                same_numbers(case, pruned.report, expected)
        seen += len(inner_paths(case.tree))
    assert seen > 20


@pytest.mark.parametrize("missing", ["fractional", "majority", "stop"])
@pytest.mark.parametrize("unseen", ["majority", "stop"])
@pytest.mark.parametrize("ties", ["prune", "keep"])
def test_rows_answered_by_another_rule(missing, unseen, ties):
    """Validation rows are sent down as the tree will be asked, not as it was grown."""
    seen = 0
    for number in range(15):
        grown = STRATEGIES[number % len(STRATEGIES)]
        named = [o for o in NAMED.values() if not o.is_regression and allows(o, grown)]
        options = replace(named[number % len(named)], missing=grown)
        case = grown_case(("rule", missing, unseen, number), options)
        expected = slow.reduced_error(as_nodes(case.tree, case.validation, 1.0, missing, unseen), ties)
        method, rule = prune.ReducedError(ties=ties), MissingPolicy(missing, unseen)
        pruned = method.prune(case.tree, validation=case.validation, rule=rule)
        same_numbers(case, pruned.report, expected)
        assert inner_paths(pruned.tree) == slow.kept(as_nodes(case.tree, case.validation), expected)
        seen += len(expected)
    assert seen > 20


@pytest.mark.long
@every
@pytest.mark.parametrize("first", range(0, 4000, 500))
def test_many_trees(name, first):
    assert check_grown(name, range(first, first + 500)) > 1000
    assert check_built(name, range(first, first + 500)) > 1000


@pytest.mark.long
@every
@pytest.mark.parametrize("missing", STRATEGIES)
def test_many_trees_of_tables_with_holes(name, missing):
    assert check_holed(name, missing, range(400)) > 1000


# The oracle itself.


@pytest.mark.parametrize(
    ("limit", "n", "e", "errors"),
    [
        ("release8", 10, 0, 1.29),
        ("release8", 20, 10, 12.02),
        ("release8", 16, 1, 2.5069),
        ("release8", 168, 1, 2.6101),
        ("release8", 14, 2, 3.6362),
        ("weka", 16, 1, 2.4757),
        ("weka", 168, 1, 2.5738),
        ("weka", 14, 2, 3.6033),
        ("exact", 1, 0, 0.75),
        ("exact", 6, 0, 6 * 0.2063),
        ("exact", 9, 0, 9 * 0.1428),
        ("exact", 16, 1, 16 * 0.1596),
        ("exact", 168, 1, 168 * 0.0159),
        ("exact", 14, 2, 14 * 0.2612),
        ("exact", 14, 5, 14 * 0.4835),
        ("exact", 2, 1, 2 * 0.8660),
        ("exact", 6, 2, 6 * 0.5532),
    ],
)
def test_published_estimates(limit, n, e, errors):
    """Quinlan 1993 and what the programs print, at a confidence of a quarter, to the digits given."""
    assert estimate(n, e, 0.25, limit) == pytest.approx(errors, abs=5e-5 * n if limit == "exact" else 5e-3)


MINGERS = [
    [1, 0, 3, 0, 0], [0, 0, 14, 0, 0], [0, 3, 8, 2, 0], [0, 3, 18, 2, 0], [0, 1, 0, 2, 0],
    [0, 0, 3, 0, 0], [1, 9, 15, 0, 0], [0, 7, 2, 1, 0], [0, 1, 11, 2, 0], [1, 0, 2, 0, 0],
]  # fmt: skip
"""Classes of the students at each leaf of the first figure of Mingers 1987."""


def node_of(*branches: list[int]) -> slow.Node:
    children = [slow.Node((b,), stats, stats.index(max(stats))) for b, stats in enumerate(branches)]
    together = [sum(column) for column in zip(*branches, strict=True)]
    return slow.Node((), together, together.index(max(together)), children)


def test_published_g():
    """Mingers 1987: G of the first split, and of the whole tree, which is that of one split into all leaves."""
    first = [sum(column) for column in zip(*MINGERS[:8], strict=True)]
    assert information.g_statistic(node_of(first, *MINGERS[8:])) == pytest.approx(8.84, abs=0.005)
    assert information.g_statistic(node_of(*MINGERS)) == pytest.approx(58.42, abs=0.005)


def test_published_pessimism():
    """Quinlan 1987 by hand: 4 leaves of 10 rows with 1 error each: 6 +- 2.26 errors, against 8.5 as a leaf."""
    kept = node_of([9, 1], [9, 1], [9, 1], [1, 9])
    found = slow.pessimistic(kept)[()]
    assert (found.leaf, found.subtree) == (12.5, 6.0)
    assert found.allowance == pytest.approx(math.sqrt(6 * 34 / 40))
    assert not found.pruned
    assert slow.pessimistic(node_of([9, 1], [9, 1], [9, 1], [5, 4]))[()].pruned


def test_all_subtrees_are_all():
    """A chain of n splits has n + 1 pruned subtrees; two stumps side by side have 1 + 2 * 2."""
    chain = slow.Node((), [1, 1], 0)
    for _ in range(5):
        chain = slow.Node((), [1, 1], 0, [slow.Node((0,), [0, 1], 1), chain])
    assert brute.n_cuts(chain) == len(list(brute.cuts(chain))) == 6
    pair = node_of([1, 2], [2, 1])
    pair.children = [node_of([1, 0], [0, 2]), node_of([2, 0], [0, 1])]
    assert brute.n_cuts(pair) == len(list(brute.cuts(pair))) == 5


def test_one_subtree_is_best():
    """Of the smallest among the best there is one, as Breiman and Esposito prove; with ties everywhere."""
    for number in range(60):
        case = built_case(("one", number), regression=number % 5 == 0)
        root = as_nodes(case.tree, case.validation)
        if brute.n_cuts(root) > MOST_CUTS:
            continue
        assert len(brute.least_validation_error(root)) == 1
        for alpha in (0.0, 0.5 / root.weight, 1 / root.weight):
            assert len(brute.least_cost_complexity(root, alpha)) == 1
