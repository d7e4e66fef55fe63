"""Cells where floats end: neighbours one rounding apart, the largest and smallest numbers, signed zeros.

In: columns of two or three values. Out: thresholds t with a <= t < b, and the oracle's tree.
"""

import math
from dataclasses import replace

import pytest

from tests.oracles.compare import check_same, describe, engine_tree
from tests.oracles.options import CART, ID3, RELEASE8, Column
from tests.oracles.tables import Table

TINY = 5e-324
NEIGHBOURS = [
    (1.0, 1.0 + 1e-9),
    (1.0, math.nextafter(1.0, 2.0)),
    (math.nextafter(1.0, 0.0), 1.0),
    (-1.0, math.nextafter(-1.0, 0.0)),
    (1e308, 1.7e308),
    (-1.7e308, -1e308),
    (-1.7e308, 1.7e308),
    (math.nextafter(math.inf, 0.0) / 2, math.nextafter(math.inf, 0.0)),
    (0.0, TINY),
    (-TINY, 0.0),
    (-TINY, TINY),
    (TINY, 2 * TINY),
    (2.2250738585072014e-308, 2.225073858507202e-308),
    (-0.0, 1.0),
    (-1.0, -0.0),
    (2.0**53, 2.0**53 + 2),
]


def two_values(a: float, b: float, copies: int = 3) -> Table:
    return Table((Column("number", [a] * copies + [b] * copies),), (0,) * copies + (1,) * copies, 2)


@pytest.mark.parametrize(("a", "b"), NEIGHBOURS)
@pytest.mark.parametrize("options", [CART, ID3, RELEASE8], ids=["cart", "id3", "release8"])
def test_threshold_between_neighbours(a, b, options):
    table = two_values(a, b)
    tree = describe(engine_tree(table, options))
    assert a <= tree["threshold"] < b
    assert [child["stats"] for child in tree["children"]] == [[3.0, 0.0], [0.0, 3.0]]
    check_same((a, b), table, options)


def test_signed_zeros_are_one_value():
    table = Table((Column("number", [0.0, -0.0, 0.0, -0.0]),), (0, 1, 1, 0), 2)
    assert "children" not in describe(engine_tree(table, CART))


@pytest.mark.parametrize("threshold", ["midpoint", "value"])
def test_signed_zeros_in_any_order(threshold):
    """Which zero comes first in the table leaves no trace, not even in the sign of a threshold."""
    options = replace(CART, threshold=threshold)
    prints = set()
    for zeros in ([0.0, -0.0], [-0.0, 0.0]):
        table = Table((Column("number", [*zeros, 1.0, 2.0, -TINY]),), (0, 0, 1, 1, 1), 2)
        tree = engine_tree(table, options)
        prints.add((tree.fingerprint(), *map(str, tree.threshold)))
    assert len(prints) == 1


def test_a_threshold_that_occurs_elsewhere():
    """9 | 20 at a node with a 13 elsewhere in the table: Release 8 prints 13."""
    first = [0.0] * 8 + [1.0] * 4
    second = [9.0] * 4 + [20.0] * 4 + [13.0] * 4
    table = Table((Column("number", first), Column("number", second)), (0,) * 4 + (1,) * 4 + (2,) * 4, 3)
    tree = describe(engine_tree(table, RELEASE8))
    assert {tree.get("threshold"), *(child.get("threshold") for child in tree["children"])} >= {13.0}
    check_same("13", table, RELEASE8)


def test_many_equal_rows_of_two_classes():
    table = Table((Column("number", [1.0] * 6), Column("category", [0.0] * 6, 1)), (0, 1, 0, 1, 0, 1), 2)
    for options in (CART, ID3, RELEASE8):
        tree = describe(engine_tree(table, options))
        assert tree["stats"] == [3.0, 3.0]
        assert "children" not in tree


def test_equal_means_are_ordered_by_code():
    """Categories 0 and 1 both have a mean of -0.5; with five rows a leaf the cut between them is the only one."""
    codes = [3.0, 0.0, 3.0, 3.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 2.0, 3.0, 1.0]
    target = (0.5, 0.0, 0.5, -0.5, -1.0, 0.5, -0.5, -0.5, -1.0, -1.0, -1.0, 0.5, -1.0)
    table = Table((Column("category", codes, 4),), target, 0)
    options = replace(CART, criterion="squared_error", min_leaf=5)
    assert describe(engine_tree(table, options))["branch_of"] == (0, 1, 0, 1)
    check_same("equal means", table, options)


def test_light_categories_are_one_branch():
    """Two categories of hardly any weight and different classes share a branch, and it is not a pure one."""
    codes, target = [1.0, 5.0, 4.0, 2.0, 1.0, 3.0, 3.0, 0.0], (0, 0, 2, 0, 0, 1, 0, 1)
    weights = (0.625, 0.625, 0.125, 0.125, 0.375, 0.625, 0.5, 0.25)
    table = Table((Column("category", codes, 7),), target, 3, weights)
    options = replace(CART, criterion="entropy", grouping="greedy", max_depth=1)
    assert describe(engine_tree(table, options))["branch_of"] == (0, 1, 2, 0, 2, 1, 2)
    check_same("light", table, options)


def test_many_valued_columns_count_repeated_rows():
    """Whether a column has too many categories for the average depends on weight as it would on copies."""
    columns = (
        Column("category", [2.0, 2.0, 0.0, 2.0, 2.0, 2.0, 1.0, 1.0], 3),
        Column("category", [0.0, 6.0, 5.0, 2.0, 0.0, 5.0, 7.0, 6.0], 8),
        Column("number", [1.0, 5.0, 3.0, 0.0, 2.0, -1.0, 0.0, -2.0]),
    )
    weights = (3.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 2.0)
    table = Table(columns, (4, 4, 1, 0, 4, 3, 0, 0), 5, weights)
    copies = replace(table.take([r for r in range(8) for _ in range(int(weights[r]))]), weights=None)
    options = replace(RELEASE8, threshold="midpoint", min_leaf=3, min_split=2, collapse=False)
    weighted, copied = (describe(engine_tree(t, options)) for t in (table, copies))
    assert (weighted["column"], weighted["gain"]) == (copied["column"], pytest.approx(copied["gain"]))
    check_same("repeated", table, options)


def test_the_lowest_cut_is_scored_even_when_another_column_has_a_candidate():
    """The lowest admissible cut lies inside a run of one class and ties with the run's end: it wins."""
    near_one = [1 + 2.0**-52 * k for k in (6, 3, 5, 6, 6, 4, 4, 4, 2, 5, 5)]
    number = [0.1, 2.2, 1.7, 2.9, 2.6, 2.5, 0.6, 0.9, 1.5, 0.8, 0.7]
    table = Table((Column("number", near_one), Column("number", number)), (0, 0, 0, 0, 2, 1, 1, 2, 2, 1, 1), 3)
    options = replace(CART, criterion="entropy", min_leaf=5, max_depth=1)
    assert describe(engine_tree(table, options))["threshold"] == 1.2
    check_same("lowest", table, options)


def test_half_of_the_gain_is_judged_by_the_tie_rule():
    """Merging categories 0 and 4 keeps exactly half of the gain, which floats put just below it."""
    codes, target = [0.0, 0.0, 1.0, 4.0, 4.0, 0.0, 4.0], (0, 1, 2, 0, 0, 1, 0)
    table = Table((Column("category", codes, 5),), target, 3)
    options = replace(CART, criterion="gini", merit="ratio", grouping="greedy", max_depth=1)
    assert describe(engine_tree(table, options))["branch_of"] == (0, 1, 2, 2, 0)
    check_same("half", table, options)
