"""Conditions: what holds, what they say, and two of them in one."""

from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.data.schema import Column, Kind
from treewright.rules.rule import Condition

AGE = Column("age", Kind.NUMBER)
SIZE = Column("size", Kind.ORDERED, ("S", "M", "L", "XL"))
COLOUR = Column("colour", Kind.CATEGORY, ("red", "green", "blue", "white", "black"))
CELLS = np.array([nan, -inf, 0.0, 1.0, 2.0, 3.0, 4.0])


def colours(*codes, **flags):
    return Condition(COLOUR, 0, codes=np.array(codes, np.int32), **flags)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Condition(AGE, 0, high=7), "age <= 7"),
        (Condition(AGE, 0, low=3), "age > 3"),
        (Condition(AGE, 0, low=3, high=7), "3 < age <= 7"),
        (Condition(AGE, 0, low=0.1 + 0.2), "age > 0.3"),
        (Condition(AGE, 0, low=1 / 3), "age > 0.3333333333333333"),
        (Condition(AGE, 0), "age is known"),
        (Condition(AGE, 0, missing=True, known=False), "age is missing"),
        (Condition(AGE, 0, low=3, missing=True), "age > 3 or is missing"),
        (Condition(SIZE, 0, high=1.5), "size <= M"),
        (Condition(SIZE, 0, low=0.5), "size > S"),
        (Condition(SIZE, 0, low=0.5, high=2.5), "S < size <= L"),
        (Condition(SIZE, 0, low=0.5, high=1.5), "size = M"),
        (Condition(SIZE, 0, high=0.5), "size = S"),
        (Condition(SIZE, 0, low=2.5), "size = XL"),
        (colours(1), "colour = green"),
        (colours(0, 2), "colour in {red, blue}"),
        (colours(0, 1, 2), "colour not in {white, black}"),
        (colours(0, 1, 2, 3), "colour not in {black}"),
        (colours(0, 1, 2, 3, 4), "colour is known"),
        (colours(0, 2, missing=True), "colour in {red, blue} or is missing"),
        (colours(), "colour in {}"),
    ],
)
def test_words(condition, words):
    assert condition.words() == words


def test_many_categories_are_counted():
    many = Column("town", Kind.CATEGORY, tuple(f"t{i}" for i in range(100)))
    assert Condition(many, 0, codes=np.arange(40, dtype=np.int32)).words().endswith("t11, … 28 more}")


@pytest.mark.parametrize(
    ("condition", "holding"),
    [
        (Condition(AGE, 0, high=2), [2, 3, 4]),
        (Condition(AGE, 0, low=2), [5, 6]),
        (Condition(AGE, 0, low=0, high=2), [3, 4]),
        (Condition(AGE, 0, low=2, missing=True), [0, 5, 6]),
        (Condition(AGE, 0, missing=True, known=False), [0]),
        (Condition(SIZE, 0, high=1.5), [2, 3]),
        (Condition(SIZE, 0, low=1.5), [4, 5, 6]),
        (Condition(COLOUR, 0), [2, 3, 4, 5, 6]),
        (colours(1), [3]),
        (colours(0, 2), [2, 4]),
        (colours(0, 2, missing=True), [0, 2, 4]),
        (colours(), []),
    ],
)
def test_holds(condition, holding):
    """The first cell is missing, the second a category that was never seen: that one satisfies nothing."""
    cells = np.delete(CELLS, 1) if condition.column is AGE else CELLS
    shift = 1 if condition.column is AGE else 0
    expected = [i - shift if i > 1 else i for i in holding]
    assert np.flatnonzero(condition.holds(cells)).tolist() == expected


numbers = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.booleans()).map(
    lambda t: Condition(AGE, 0, low=t[0], high=t[1], missing=t[2])
)
categories = st.tuples(st.sets(st.integers(0, 4)), st.booleans(), st.booleans()).map(
    lambda t: colours(*sorted(t[0]), missing=t[1]) if t[2] else Condition(COLOUR, 0, missing=t[1], known=False)
)


@given(st.one_of(st.tuples(numbers, numbers), st.tuples(categories, categories)))
def test_both_conditions_hold_where_each_does(pair):
    one, other = pair
    together = one.and_also(other)
    for cells in (CELLS[np.isfinite(CELLS)], CELLS[:1]):
        assert np.array_equal(together.holds(cells), one.holds(cells) & other.holds(cells))


def test_plain_values():
    assert Condition(AGE, 3, low=2.5).to_dict() == {
        "column": "age", "words": "age > 2.5", "above": 2.5, "at_most": None, "missing": False, "known": True
    }  # fmt: skip
    assert Condition(SIZE, 3, low=0.5, high=2.5).to_dict()["in"] == ["M", "L"]
    assert colours(3, missing=True).to_dict()["in"] == ["white"]
    assert Condition(COLOUR, 0, missing=True, known=False).to_dict()["in"] == []


def test_cells_in_words():
    said = [colours(0).cell_words(cell) for cell in (nan, -inf, 2.0)]
    assert said == ["missing", "not in the training data", "blue"]
    assert Condition(AGE, 0).cell_words(2.50) == "2.5"
