"""Numbers and words, and each as the other."""

from decimal import Decimal

import numpy as np
import pytest

from treewright.data.cells import (
    Categories,
    Numbers,
    as_categories,
    as_numbers,
    integers_to_float,
    is_missing,
    make_categories,
    recode,
    refuse_infinite_categories,
    sort_values,
)
from treewright.errors import InputError


def test_words_keep_a_declared_order_and_drop_missing_and_repeated_values():
    found = make_categories(np.array([0, 1, 2, 3, -1]), ["low", "high", None, "low"], sort=False)
    assert found.categories == ("low", "high")
    assert found.codes.tolist() == [0, 1, -1, 0, -1]


def test_words_are_plain_python_values():
    categories = make_categories(np.array([0, 1, 2]), [np.str_("a"), np.int64(3), 4.0], sort=False).categories
    assert [type(c) for c in categories] == [str, int, int]


def test_moved_leaves_what_is_unknown_at_minus_one():
    assert recode(np.array([0, 1, 2, -1]), "abc", "cb").tolist() == [-1, 1, 0, -1]


def test_numbers_as_words_are_sorted_values():
    cells = as_categories(Numbers(np.array([2.5, np.nan, 1.0, 2.5])))
    assert cells.categories == (1, 2.5)
    assert cells.codes.tolist() == [1, -1, 0, 1]


def test_words_as_numbers_need_numbers_only_where_they_occur():
    cells = Categories(np.array([0, -1, 1]), (3, Decimal("0.5"), "never used"))
    np.testing.assert_array_equal(as_numbers(cells, "y").values, [3.0, np.nan, 0.5])
    with pytest.raises(InputError, match=r"^y must contain numbers, got 'a'\.$"):
        as_numbers(Categories(np.array([0]), ("a",)), "y")


@pytest.mark.parametrize("value", [2**53 + 1, 10**400, Decimal(2**53 + 1)], ids=str)
def test_words_as_numbers_must_fit_into_float64(value):
    with pytest.raises(InputError, match=rf"^y has the value {value}, which has too many digits"):
        as_numbers(Categories(np.array([1, 0]), (value, 2**60)), "y")
    assert as_numbers(Categories(np.array([1]), (value, 2**60)), "y").values.tolist() == [2.0**60]


def test_infinite_words_are_refused_where_they_occur():
    cells = Categories(np.array([-1, 0, 2, 1]), ("inf", np.inf, Decimal("-Infinity")))
    with pytest.raises(InputError, match=r"^y has the infinite value -inf in row 2; replace it"):
        refuse_infinite_categories(cells, "y")
    harmless = Categories(np.array([-1, 0]), cells.categories)
    assert refuse_infinite_categories(harmless, "y") is harmless


def test_in_order_sorts_and_falls_back_to_type_and_text():
    assert sort_values(["ö", "z", "a"]) == ["a", "z", "ö"]
    assert sort_values([(1,), "b", 2, "a", 10]) == [10, 2, "a", "b", (1,)]


@pytest.mark.parametrize(
    "value", [None, float("nan"), np.float32("nan"), Decimal("NaN"), np.datetime64("NaT"), np.ma.masked]
)
def test_missing(value):
    assert is_missing(value)


@pytest.mark.parametrize("value", ["", "nan", "NA", 0, False, (), np.str_("")])
def test_not_missing(value):
    assert not is_missing(value)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_whole_numbers_up_to_2_to_53_and_exact_ones_beyond(dtype):
    fine = np.array([0, 2**53, 2**53 + 2, 2**62], dtype=dtype)
    assert integers_to_float(fine, "y").tolist() == fine.tolist()
    with pytest.raises(InputError, match=rf"^y has the value {2**53 + 1}, which has too many digits"):
        integers_to_float(np.array([1, 2**53 + 1], dtype=dtype), "y")


def test_the_largest_and_smallest_whole_numbers():
    assert integers_to_float(np.array([-(2**63)]), "y").tolist() == [-(2.0**63)]
    for value, dtype in [(2**64 - 1, np.uint64), (2**63 - 1, np.int64), (-(2**63) + 1, np.int64)]:
        with pytest.raises(InputError, match=str(value)):
            integers_to_float(np.array([value], dtype=dtype), "y")
