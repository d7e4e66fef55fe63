"""A split names its branches in the user's words."""

import numpy as np
import pytest

from tests.model.samples import every_kind
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import InputError
from treewright.model.build import build, leaf, number, table
from treewright.model.split import Split

SIZE = Column("size", Kind.ORDERED, ("S", "M", "L", "XL"))
COLOUR = Column("colour", Kind.CATEGORY, ("red", "green", "blue", "white"))


def words(split: Split) -> list[str]:
    return [split.branch_words(b) for b in range(split.n_branches)]


def test_a_number():
    split = Split(Column("humidity", Kind.NUMBER), 2, 2, threshold=75.0)
    assert words(split) == ["humidity <= 75", "humidity > 75"]
    assert (split.name, split.kind, split.position, split.threshold) == ("humidity", Kind.NUMBER, 2, 75.0)
    assert repr(split) == "<Split humidity <= 75 | humidity > 75>"


@pytest.mark.parametrize(
    ("threshold", "shown"),
    [
        (75.0, "75"),
        (0.1 + 0.2, "0.3"),
        (2.45, "2.45"),
        (1e-300, "1e-300"),
        (1.0000000005, "1.0000000005"),
        (1 / 3, "0.3333333333333333"),
        (123456789012.5, "123456789012.5"),
        (-1e22, "-1e+22"),
        (0.0, "0"),
        (5e-324, "4.94065645841e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ],
)
def test_a_threshold_is_short_where_that_is_exact_and_complete_where_not(threshold, shown):
    split = Split(Column("x", Kind.NUMBER), 0, 2, threshold=threshold)
    assert words(split) == [f"x <= {shown}", f"x > {shown}"]
    assert float(shown) == pytest.approx(threshold, rel=2e-15)


@pytest.mark.parametrize(("threshold", "last"), [(0, "S"), (0.5, "S"), (1, "M"), (1.5, "M"), (2.5, "L")])
def test_an_ordered_category_is_compared_with_the_last_low_one(threshold, last):
    split = Split(SIZE, 0, 2, threshold=float(threshold))
    assert words(split) == [f"size <= {last}", f"size > {last}"]
    low = SIZE.categories.index(last) + 1
    assert split.categories(0) == SIZE.categories[:low]
    assert split.categories(1) == SIZE.categories[low:]


def test_each_category_a_branch():
    split = Split(COLOUR, 0, 4, table=((0, 1, 2, 3), (0, 1, 2, 3)), other=0)
    assert words(split) == ["colour = red", "colour = green", "colour = blue", "colour = white"]


def test_groups_of_categories():
    split = Split(COLOUR, 0, 2, table=((0, 1, 2, 3), (0, 1, 0, 0)), other=0)
    assert words(split) == ["colour in {red, blue, white}", "colour = green"]


def test_the_shared_empty_branch_lists_the_absent_categories():
    split = Split(COLOUR, 0, 3, table=((0, 2), (0, 1)), other=2)
    assert words(split) == ["colour = red", "colour = blue", "colour in {green, white}"]


def test_categories_absent_at_the_node_are_not_listed_with_those_met_there():
    split = Split(COLOUR, 0, 2, table=((0, 2), (0, 1)), other=1)
    assert words(split) == ["colour = red", "colour = blue"]


def test_many_categories_are_counted():
    column = Column("id", Kind.CATEGORY, tuple(range(1000)))
    split = Split(column, 0, 3, table=((0, 1), (0, 1)), other=2)
    assert split.branch_words(2) == "id in {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, … 986 more}"
    twelve = Split(column, 0, 2, table=(tuple(range(13)), (0,) * 12 + (1,)), other=1)
    assert twelve.branch_words(0) == "id in {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}"


def test_categories_of_any_type():
    column = Column("c", Kind.CATEGORY, (True, None, 1.5, "", " ", "雨", b"x", np.str_("np")))
    split = Split(column, 0, 8, table=(tuple(range(8)), tuple(range(8))), other=0)
    assert words(split) == ["c = True", "c = None", "c = 1.5", "c = ''", "c = ' '", "c = 雨", "c = b'x'", "c = np"]


@pytest.mark.parametrize("branch", [-1, 2])
def test_a_branch_that_is_not_there_is_named(branch):
    with pytest.raises(InputError, match=r"Branch .* not found; the split on 'size' has the branches 0 to 1"):
        Split(SIZE, 0, 2, threshold=0.5).branch_words(branch)


def test_the_split_of_a_node():
    tree = every_kind()
    assert words(tree.node(0).split) == ["price <= 9.5", "price > 9.5"]
    assert words(tree.node(1).split) == ["size <= M", "size > M"]
    assert words(tree.node(2).split) == ["colour in {red, blue}", "colour = green", "colour in {white, black}"]
    assert tree.node(3).split is None


def test_a_million_categories_are_named_quickly():
    column = Column("id", Kind.CATEGORY, tuple(range(1_000_000)))
    spec = table("id", {0: leaf("a"), 1: leaf("b")}, other=number("x", 0, leaf("a"), leaf("b")))
    tree = build(Schema((column, Column("x", Kind.NUMBER)), Target("t", ("a", "b"))), spec)
    assert tree.to_text().splitlines()[2].endswith("12, 13, … 999986 more}:")


def test_a_number_with_a_branch_for_missing_values():
    split = Split(Column("humidity", Kind.NUMBER), 0, 3, threshold=75.0, missing_branch=2)
    assert words(split) == ["humidity <= 75", "humidity > 75", "humidity is missing"]
    assert split.only_missing == 2
    sizes = Split(SIZE, 0, 3, threshold=1.0, missing_branch=2)
    assert words(sizes) == ["size <= M", "size > M", "size is missing"]
    assert [sizes.categories(b) for b in range(3)] == [("S", "M"), ("L", "XL"), ()]


@pytest.mark.parametrize("column", [Column("age", Kind.NUMBER), SIZE])
def test_the_test_whether_a_value_is_missing(column):
    split = Split(column, 0, 2, threshold=np.inf, missing_branch=1)
    assert words(split) == [f"{column.name} is known", f"{column.name} is missing"]
    assert [split.categories(b) for b in range(2)] == [column.categories, ()]
    assert repr(split) == f"<Split {column.name} is known | {column.name} is missing>"


def test_a_category_with_a_branch_for_missing_values():
    split = Split(COLOUR, 0, 4, table=((0, 1, 2), (0, 1, 0)), other=2, missing_branch=3)
    assert words(split) == ["colour in {red, blue}", "colour = green", "colour = white", "colour is missing"]
    assert split.categories(3) == ()
    two = Split(COLOUR, 0, 2, table=((0, 1, 2, 3), (0, 0, 0, 0)), other=0, missing_branch=1)
    assert words(two) == ["colour is known", "colour is missing"]
    assert two.categories(0) == COLOUR.categories


def test_missing_values_that_share_a_branch_do_not_name_it():
    listed = Split(COLOUR, 0, 2, table=((0, 2), (0, 1)), other=1, missing_branch=1)
    assert words(listed) == ["colour = red", "colour = blue"]
    empty = Split(COLOUR, 0, 3, table=((0, 2), (0, 1)), other=2, missing_branch=2)
    assert words(empty) == ["colour = red", "colour = blue", "colour in {green, white}"]
    number_split = Split(Column("x", Kind.NUMBER), 0, 2, threshold=1.0, missing_branch=1)
    assert words(number_split) == ["x <= 1", "x > 1"]
    assert number_split.only_missing is None
