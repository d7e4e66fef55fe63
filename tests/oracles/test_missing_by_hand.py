"""The slow grower on tables of a few rows with missing cells, against what a pencil finds.

In: tables whose trees can be worked out from docs/rules-of-growth.md by hand. Out: the same trees.
"""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.oracles.grower import Node, grow
from tests.oracles.options import CART, ID3, Column, Options

SURROGATE = replace(CART, missing="surrogate")


def number(*values: float | None) -> Column:
    return Column("number", list(values))


def first(column: Column, target: list[float], options: Options, n_classes: int = 2) -> Node:
    return grow([column], target, None, replace(options, max_depth=1), n_classes)


def test_learned_puts_the_missing_rows_where_they_belong():
    low = first(number(1, 2, 3, None), [0, 0, 1, 0], replace(CART, missing="learned"))
    high = first(number(1, 2, 3, None), [0, 0, 1, 1], replace(CART, missing="learned"))
    assert [(n["threshold"], n["missing_branch"], n["gain"]) for n in (low, high)] == [
        (2.5, 0, 0.375),
        (2.5, 1, 0.5),
    ]
    alone = first(number(1, 2, None, None), [0, 0, 1, 1], replace(CART, missing="learned"))
    assert (alone["threshold"], alone["missing_branch"]) == (math.inf, 1)


def test_learned_prefers_the_upper_branch_on_a_tie():
    """The missing row, of a third class, is as well placed below as above."""
    tree = first(number(1, 2, None), [0, 1, 2], replace(CART, missing="learned"), n_classes=3)
    assert (tree["threshold"], tree["missing_branch"]) == (1.5, 1)


def test_learned_counts_every_cut():
    """Two cuts of the known values with the missing row above, one behind them, two with it below: five."""
    options = replace(CART, criterion="entropy", missing="learned", penalty="cuts")
    tree = first(number(1, 2, 3, None), [0, 0, 1, 1], options)
    assert tree["gain"] == pytest.approx(1 - math.log2(5) / 4)


def test_a_branch_of_its_own():
    options = replace(ID3, missing="branch")
    tree = first(number(1, 2, None, None), [0, 1, 0, 1], options)
    assert [child["count"] for child in tree["children"]] == [1, 1, 2]
    assert (tree["threshold"], tree["missing_branch"], tree["gain"]) == (1.5, 2, 0.5)
    asked = first(number(1, 1, None, None), [0, 0, 1, 1], options)
    assert (asked["threshold"], asked["missing_branch"], asked["gain"]) == (math.inf, 1, 1.0)
    category = first(Column("category", [1, 1, None, None], 3), [0, 0, 1, 1], options)
    assert (category["branch_of"], category["missing_branch"]) == ((0, 0, 0), 1)


def test_stopping_rows_leave_the_branches():
    tree = first(number(1, 2, None, None), [0, 1, 0, 1], replace(ID3, missing="stop"))
    assert [child["exact"] for child in tree["children"]] == [1, 1]
    # rho is 1/2, and the known rows gain a bit
    assert (tree["gain"], tree["missing_branch"]) == (0.5, 0)


def test_small_shares_stay_with_the_heavier_branch():
    """300 known rows, one of them on the low side: a 300th part of the missing row is not made."""
    column = number(0, *[1.0] * 299, None)
    tree = first(column, [0, *[1] * 300], replace(CART, missing="fractional"))
    assert [(child["count"], child["exact"]) for child in tree["children"]] == [(1, 1), (300, 300)]
    few = first(number(0, *[1.0] * 199, None), [0, *[1] * 200], replace(CART, missing="fractional"))
    assert few["children"][0]["exact"] == 1 + Fraction(1, 200)


def test_half_a_row_is_half_a_row():
    """With shares a minimum of 2 rows is met by 1 + 3/2 rows, and not by 1 + 1/2."""
    target = [0, 0, 1, 1, 0, 1]
    columns = [number(1, 1, 2, 2, None, None), number(1, 2, 1, 2, 1, 2)]
    options = replace(CART, missing="fractional", min_leaf=2)
    tree = grow(columns, target, None, options, 2)
    low, high = tree["children"]
    assert (tree["column"], low["exact"], high["exact"]) == (0, 3, 3)
    assert "children" not in low
    assert grow(columns, target, None, replace(options, min_leaf=1), 2)["children"][0]["column"] == 1


def test_surrogates_in_order():
    """The second column agrees on three rows of four, which is more than the heavier branch's two."""
    columns = [number(1, 1, 2, 2, None), number(5, 5, 5, 6, 6), Column("category", [0, 1, 2, 2, None], 3)]
    tree = grow(columns, [0, 0, 1, 1, 1], None, replace(SURROGATE, max_depth=1), 2)
    # one row alone above 5.5 is too few for a cut; the category agrees wholly and does not know row 4
    assert [(s.column, s.agree, s.adjusted) for s in tree["surrogates"]] == [(2, 1, 1)]
    assert tree["surrogates"][0].branch_of == ((0, 0), (1, 0), (2, 1))
    assert tree["children"][0]["rows"] == [0, 1, 4]


def test_cuts_of_surrogates_lie_between_all_their_known_values():
    """The last row is missing on the first column only; its 7 makes two cuts of 5 | 9, and the lower one wins."""
    columns = [number(1, 1, 1, 2, 2, 2, None), number(5, 5, 9, 9, 9, 5, 7)]
    tree = grow(columns, [0, 0, 0, 1, 1, 1, 0], None, replace(SURROGATE, max_depth=1), 2)
    told = [(s.column, s.threshold, s.low, s.agree, s.adjusted) for s in tree["surrogates"]]
    assert told == [(1, 6.0, 0, Fraction(4, 6), Fraction(1, 3))]
    assert tree["children"][1]["rows"] == [3, 4, 5, 6]


def test_learned_rows_join_no_empty_branch():
    """Category 1 is absent; a branch of their own would gain most, but the missing rows join one of the others."""
    tree = first(Column("category", [0, 0, 2, 2, None], 3), [0, 0, 1, 1, 2], replace(ID3, missing="learned"), 3)
    assert (tree["missing_branch"], [c["count"] for c in tree["children"]]) == (0, [3, 0, 2])


def test_collapse_counts_the_rows_that_stay():
    """The branches make 2 errors and the row that stays 1: no fewer than the 3 of a leaf."""
    options = replace(ID3, missing="stop")
    column, target = number(1, 1, 1, 2, 2, 2, 2, None), [0, 0, 1, 0, 0, 0, 1, 1]
    assert "children" in first(column, target, options)
    assert "children" not in first(column, target, replace(options, collapse=True))
    # here the branches make none, and the leaf 3
    better = first(number(1, 1, 2, 2, 2, 2, None), [1, 1, 0, 0, 0, 0, 1], replace(options, collapse=True))
    assert "children" in better


def test_a_tenth_of_a_row_is_of_no_class():
    """Category 1 holds 1/20 of a row of the other class and starts in one block with category 0."""
    column = Column("category", [0, 1, 1, 2, 2], 3)
    options = replace(CART, criterion="entropy", grouping="greedy", min_leaf=0, minimum="weight", max_depth=1)
    weights = [1.0, 1.0, 0.0625, 1.0, 1.9375]
    tree = grow([column], [0, 0, 1, 0, 1], weights, options, 2)
    assert tree["branch_of"] == (0, 0, 1)
