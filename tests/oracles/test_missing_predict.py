"""The package answers rows with holes and unseen categories as the slow grower's tree does, by every rule.

In: trees of the slow grower, handed to the package as they are, and rows from a seed. Out: the same weights at the same
nodes to 1e-12, the same ends, class shares, classes and numbers.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.oracles.as_package import as_package
from tests.oracles.compare import oracle_tree, show
from tests.oracles.grower import Node
from tests.oracles.missing_tables import Row, make_holed, new_rows
from tests.oracles.options import Options
from tests.oracles.plans import STRATEGIES, random_missing
from tests.oracles.prediction import AskedInVain, Path, Way, answer, follow
from tests.oracles.tables import Table
from treewright.errors import InputError, ParameterError
from treewright.model.tree import Tree
from treewright.predict.missing_policy import MissingPolicy
from treewright.predict.predictions import (
    decision_paths,
    find_leaves,
    predict_class_codes,
    predict_numbers,
    predict_probabilities,
)

EVERYWHERE = ("fractional", "majority", "stop")
"""Rules that any tree can be asked by; the others need a tree that was grown so."""
CLOSE = 1e-12
BLOCK = 40


def rules(tree: Tree, options: Options) -> list[str]:
    grown = [options.missing] if options.missing in ("learned", "branch", "surrogate") else []
    return [*EVERYWHERE, *grown]


def encoded(rows: list[Row]) -> np.ndarray:
    return np.array([[math.nan if v is None else v for v in row] for row in rows])


def heaviest_ends(way: Way) -> list[Path]:
    """The ends of most weight; several when rounding may part what is equal."""
    best = max(way.ends.values())
    return [path for path, weight in way.ends.items() if weight >= best * (1 - Fraction(CLOSE))]


def is_binary(weight: Fraction) -> bool:
    """Whether a float holds the weight exactly, so that equal ones are equal."""
    return weight.denominator & (weight.denominator - 1) == 0


def check_ends(ways: list[Way], landed: np.ndarray, named: list[Path]) -> None:
    """The end of most weight, of equal ones the first node."""
    for way, node in zip(ways, landed.tolist(), strict=True):
        tied = heaviest_ends(way)
        assert named[node] in tied
        if all(is_binary(way.ends[path]) for path in tied):
            assert node == min(map(named.index, tied))


def check_answers(tree: Node, table: Table, package: Tree, values: np.ndarray, rule: MissingPolicy, ways: list[Way]):
    said = np.array([answer(tree, way) for way in ways])
    if not table.n_classes:
        np.testing.assert_allclose(predict_numbers(package, values, rule), said[:, 0], rtol=1e-12, atol=1e-12)
        return
    np.testing.assert_allclose(predict_probabilities(package, values, rule), said, rtol=0, atol=CLOSE)
    for way, row, code in zip(ways, said, predict_class_codes(package, values, rule), strict=True):
        near = np.flatnonzero(row >= row.max() - CLOSE)
        # sums over several ends may be rounded apart; the shares of one end are equal or not
        assert code == near[0] if len(way.ends) == 1 else code in near


def check_rule(
    tree: Node, table: Table, package: Tree, named: list[Path], rows: list[Row], rule: MissingPolicy
) -> None:
    values = encoded(rows)
    ways = [follow(tree, row, rule.missing or package.missing, rule.unseen) for row in rows]
    reached = decision_paths(package, values, rule).toarray()
    expected = np.array([[float(way.reach.get(path, 0)) for path in named] for way in ways])
    np.testing.assert_allclose(reached, expected, rtol=CLOSE, atol=0)
    check_ends(ways, find_leaves(package, values, rule), named)
    check_answers(tree, table, package, values, rule, ways)


def check_refusal(tree: Node, package: Tree, rows: list[Row]) -> None:
    """By the rule "error" a row is refused when, and only when, a node asks for a value that is missing."""
    for row in rows:
        values = encoded([row])
        try:
            way = follow(tree, row, "error")
        except AskedInVain:
            with pytest.raises(InputError, match=r"Column 'c\d+' .* row 0"):
                find_leaves(package, values, MissingPolicy("error"))
        else:
            check_ends([way], find_leaves(package, values, MissingPolicy("error")), list(in_numbers(package)))


def in_numbers(package: Tree) -> list[Path]:
    """The path of every node, from the package's own links."""
    named: list[Path] = [()]
    for i in range(1, package.n_nodes):
        parent = int(package.parent[i])
        named.append((*named[parent], i - int(package.first_child[parent])))
    return named


def check_predictions(missing: str, number: int) -> None:
    regression = number % 4 == 0
    seed = ("predict", missing, number)
    table = make_holed(seed, regression=regression)
    options = random_missing(seed, missing=missing, regression=regression)
    tree = oracle_tree(table, options)
    package, named = as_package(tree, table, options)
    assert named == in_numbers(package)
    rows = new_rows(seed, table)
    for name in rules(package, options):
        for unseen in ("majority", "stop"):
            try:
                check_rule(tree, table, package, named, rows, MissingPolicy(name, unseen))
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, {name}, {unseen}\n{rows}\n{show(tree)}\n{error}") from error
    check_rule(tree, table, package, named, rows, MissingPolicy())
    check_refusal(tree, package, rows)


@pytest.mark.parametrize("block", [0, *(pytest.param(i, marks=pytest.mark.long) for i in (1, 2))])
@pytest.mark.parametrize("missing", STRATEGIES)
def test_predictions(missing, block):
    for number in range(BLOCK * block, BLOCK * (block + 1)):
        check_predictions(missing, number)


@pytest.mark.long
@pytest.mark.parametrize("block", range(100, 200))
@pytest.mark.parametrize("missing", STRATEGIES)
def test_predictions_long(missing, block):
    for number in range(BLOCK * block, BLOCK * (block + 1)):
        check_predictions(missing, number)


@pytest.mark.parametrize("missing", STRATEGIES)
def test_rules_that_the_tree_was_not_grown_for(missing):
    """A tree knows where missing rows went, or surrogates, only when it was grown to know."""
    table = make_holed("refused")
    options = random_missing("refused", missing=missing, regression=False)
    package, _ = as_package(oracle_tree(table, options), table, options)
    values = encoded(new_rows("refused", table))
    for name in {"learned", "branch", "surrogate"} - {missing}:
        with pytest.raises(ParameterError, match=rf"{name}.*{missing}"):
            find_leaves(package, values, MissingPolicy(name))


def test_rows_meet_holes_and_unseen_categories():
    """The comparison is worth what its rows are: most trees split a row, stop it, and follow a surrogate."""
    met = dict.fromkeys(("parted", "stopped", "unseen", "surrogate"), 0)
    for number in range(100):
        seed = ("predict", "surrogate", number)
        table = make_holed(seed, regression=number % 4 == 0)
        options = random_missing(seed, missing="surrogate", regression=number % 4 == 0)
        tree = oracle_tree(table, options)
        rows = new_rows(seed, table)
        met["parted"] += any(len(follow(tree, row, "fractional").ends) > 2 for row in rows)
        met["stopped"] += any(() in follow(tree, row, "stop").ends for row in rows if "children" in tree)
        met["unseen"] += any(follow(tree, r, "stop").ends != follow(tree, r, "stop", "stop").ends for r in rows)
        met["surrogate"] += any(
            follow(tree, r, "surrogate").ends != follow(without_surrogates(tree), r, "surrogate").ends
            for r in rows
        )
    assert min(met.values()) >= 10, met


def without_surrogates(node: Node) -> Node:
    children = [without_surrogates(child) for child in node.get("children", [])]
    return {**node, "surrogates": [], "children": children} if children else node
