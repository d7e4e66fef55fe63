"""Cells of numpy arrays and of Python objects: which kind they are, and what is refused."""

import datetime as dt
import enum
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from treewright.data.cells import Categories, Numbers
from treewright.data.objects import read_array, read_objects
from treewright.errors import InputError, KindError

WHO = "Column 'a'"


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ">f8", "i1", "u1", "i4", "i8", "u8", object])
def test_numbers_of_every_type(dtype):
    cells = read_array(np.array([3, 0, 1], dtype=dtype), WHO, False)
    assert isinstance(cells, Numbers)
    assert cells.values.dtype == np.float64
    assert cells.values.tolist() == [3.0, 0.0, 1.0]


@pytest.mark.parametrize("missing", [None, float("nan"), np.float64("nan"), pd.NA, pd.NaT], ids=repr)
@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ([2, 1.5], Numbers),
        (["b", "a"], Categories),
        ([True, False], Categories),
    ],
    ids=["number", "text", "truth"],
)
def test_each_missing_marker_in_each_kind(missing, known, expected):
    cells = read_objects([known[0], missing, known[1]], WHO, False)
    assert isinstance(cells, expected)
    if isinstance(cells, Numbers):
        np.testing.assert_array_equal(cells.values, [2.0, np.nan, 1.5])
    else:
        assert cells.codes.tolist() == [1, -1, 0]


def test_other_python_numbers():
    cells = read_objects([Decimal("0.1"), Fraction(1, 4), np.int8(3), 2**60, None], WHO, False)
    np.testing.assert_array_equal(cells.values, [0.1, 0.25, 3, 2.0**60, np.nan])


@pytest.mark.parametrize("value", [2**53 + 1, 10**400, -(10**400), Decimal(2**53 + 1), -(2**63) + 1], ids=str)
def test_numbers_with_too_many_digits(value):
    with pytest.raises(
        InputError, match=rf"^Column 'a' has the value {value}, .*convert the column to strings"
    ):
        read_objects([1, None, value], WHO, False)


def test_the_empty_string_and_words_for_missing_are_categories():
    assert read_objects(["", "NA", "nan"], WHO, False).categories == ("", "NA", "nan")


def test_numbers_in_text_stay_text():
    assert read_array(np.array(["10", "9"]), WHO, False).categories == ("10", "9")


def test_truth_values_declare_both_categories():
    for cells in (read_array(np.array([True, True]), WHO, False), read_objects([True, None], WHO, False)):
        assert cells.categories == (False, True)
        assert cells.codes[0] == 1


def test_other_hashable_things_are_categories():
    assert read_objects([(2, 1), (1, 2)], WHO, False).categories == ((1, 2), (2, 1))
    assert read_objects([Colour.RED, Colour.BLUE], WHO, False).categories == (Colour.BLUE, Colour.RED)


def test_a_mixture_is_refused_with_an_example_of_each_kind():
    with pytest.raises(
        InputError,
        match=r"Column 'a' mixes different kinds of values, for example the number 1\.5 and the string 'b'",
    ):
        read_objects(["b", 1.5, None], WHO, False)
    with pytest.raises(
        InputError,
        match="Column 'a' mixes different kinds of values, for example the boolean True and the string 'b'",
    ):
        read_objects(["b", True], WHO, False)


def test_a_mixture_is_a_category_where_declared():
    cells = read_objects(["b", 1.0, None, 1, "a"], WHO, True)
    assert cells.categories == (1, "a", "b")
    assert cells.codes.tolist() == [2, 0, -1, 0, 1]


@pytest.mark.parametrize("cell", [{"foo": "bar"}, [1], {1}, np.array([1, 2]), (1, [2])], ids=repr)
@pytest.mark.parametrize("categorical", [False, True])
def test_containers_are_refused(cell, categorical):
    cells = [1.5, "b", cell]
    with pytest.raises(
        KindError, match=r"^Column 'a' contains .* of type .*argument must be a string, a boolean or a number"
    ):
        read_objects(cells, WHO, categorical)


@pytest.mark.parametrize(
    "moment",
    [dt.date(2020, 1, 1), dt.timedelta(1), pd.Timestamp("2020"), np.datetime64("2020-01-01")],
    ids=repr,
)
def test_dates_are_refused_unless_declared(moment):
    with pytest.raises(KindError, match=r"Column 'a' contains dates or times .*convert them to numbers"):
        read_objects([moment, None], WHO, False)
    assert len(read_objects([moment, None], WHO, True).categories) == 1


@pytest.mark.parametrize("dtype", ["M8[ns]", "m8[s]"])
def test_date_arrays_are_refused(dtype):
    with pytest.raises(KindError, match=r"Column 'a' contains dates or times .*convert them to numbers"):
        read_array(np.zeros(2, dtype=dtype), WHO, False)


def test_complex_numbers_are_refused():
    with pytest.raises(InputError, match=r"^Complex data not supported: Column 'a'"):
        read_array(np.array([1j]), WHO, False)
    with pytest.raises(InputError, match=r"^Complex data not supported: Column 'a'"):
        read_objects([1.0, 1j], WHO, False)


def test_records_are_refused():
    with pytest.raises(
        KindError, match=r"Column 'a' has the unsupported type \[\('x', '<f8'\)\]; split it into columns"
    ):
        read_array(np.zeros(2, dtype=[("x", "f8")]), WHO, False)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [float, object])
def test_infinity_is_refused(value, dtype):
    with pytest.raises(InputError, match=f"'a' has the infinite value {value} in row 1; replace it"):
        read_array(np.array([1.0, value], dtype=dtype), WHO, False)


def test_only_categories_are_sorted_not_all_cells():
    """Sorting millions of strings takes half a minute; numbering them by hash takes less than a second."""
    comparisons = 0

    class Text(str):
        __slots__ = ()

        def __lt__(self, other):
            nonlocal comparisons
            comparisons += 1
            return str.__lt__(self, other)

    cells = read_objects([Text(i % 10) for i in range(5000)], WHO, False)
    assert cells.categories == tuple("0123456789")
    assert 0 < comparisons < 100
