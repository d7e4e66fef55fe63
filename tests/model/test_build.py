"""Trees made by hand: branches of missing values, surrogates, and what is refused."""

import numpy as np
import pytest

from tests.model.missing_trees import own_branches, prostate
from tests.model.samples import CLASSES
from treewright.errors import InputError, ModelFormatError, ParameterError
from treewright.model.build import build, is_missing, leaf, number, ordered, surrogate, table
from treewright.model.strategies import GROWTH_STRATEGIES
from treewright.model.tree import TABLE, THRESHOLD


def test_without_a_word_missing_values_take_the_heaviest_branch():
    tree = build(CLASSES, number("price", 1, leaf("no", 2), number("price", 2, leaf("no"), leaf("yes"))))
    assert tree.missing_branch.tolist() == [0, -1, 0, -1, -1]
    assert tree.missing == "error"
    assert tree.surrogates is None


def test_a_branch_of_their_own_is_the_last():
    tree = own_branches()
    assert tree.missing == "branch"
    assert tree.n_children.tolist()[:4] == [3, 3, 3, 2]
    assert tree.missing_branch.tolist()[:4] == [2, 2, 2, 1]
    assert tree.other[2] == 0, "an unlisted colour takes the heaviest of the branches of known values"


def test_the_other_branch_stands_before_that_of_missing_values():
    groups = {"red": leaf("no"), "green": leaf("no")}
    tree = build(CLASSES, table("colour", groups, other=leaf("yes", 3), missing=leaf("perhaps", 9)))
    assert (tree.other[0], tree.missing_branch[0], tree.n_children[0]) == (2, 3, 4)


@pytest.mark.parametrize(("column", "kind"), [("price", THRESHOLD), ("size", THRESHOLD), ("colour", TABLE)])
def test_whether_a_value_is_missing_can_be_asked_of_any_column(column, kind):
    tree = build(CLASSES, is_missing(column, leaf("no"), leaf("yes", 3)))
    assert (tree.kind[0], tree.missing_branch[0], tree.missing) == (kind, 1, "branch")
    assert tree.to_text() == f"{column} is known: no (1)\n{column} is missing: yes (3)"


def test_a_learned_branch_is_given_by_its_number():
    for spec in (
        number("price", 1, leaf("no", 2), leaf("yes"), missing=1),
        ordered("size", "S", leaf("no", 2), leaf("yes"), missing=1),
        table("colour", {"red": leaf("no", 2), "green": leaf("yes")}, missing=1),
    ):
        tree = build(CLASSES, spec, missing="learned")
        assert (tree.missing, tree.missing_branch[0], tree.n_children[0]) == ("learned", 1, 2)
    with pytest.raises(ModelFormatError, match="missing_branch"):
        build(CLASSES, number("price", 1, leaf("no"), leaf("yes"), missing=2))


def test_surrogates_are_written_in_words():
    tree = prostate()
    assert tree.missing == "surrogate"
    found = tree.surrogates
    assert found.start.tolist() == [0, 3, 3, 3]
    assert found.column.tolist() == [2, 1, 3]
    assert found.low.tolist() == [-1, 1, -1]
    assert np.array_equal(found.threshold, [np.nan, 1.0, np.nan], equal_nan=True)
    assert found.table_start.tolist() == [0, 3, 3, 5]
    assert found.table_code.tolist() == [0, 1, 2, 0, 1]
    assert found.table_branch.tolist() == [0, 1, 0, 1, 0]


@pytest.mark.parametrize("missing", GROWTH_STRATEGIES)
def test_the_strategy_can_be_said(missing):
    assert build(CLASSES, number("price", 1, leaf("no"), leaf("yes")), missing=missing).missing == missing


def test_what_is_wrong_is_named():
    def with_one(stand_in):
        return number("price", 1, leaf("no"), leaf("yes"), surrogates=[stand_in])

    with pytest.raises(InputError, match="Column 'weather' not found"):
        build(CLASSES, with_one(surrogate("weather", 1)))
    with pytest.raises(InputError, match="Category 'pink' not found; the categories of 'colour'"):
        build(CLASSES, with_one(surrogate("colour", {"pink": 0})))
    with pytest.raises(InputError, match="Category 'XXL' not found; the categories of 'size'"):
        build(CLASSES, with_one(surrogate("size", "XXL")))
    with pytest.raises(ModelFormatError, match=r"surrogates\.threshold"):
        build(CLASSES, with_one(surrogate("colour", 1.5)))
    with pytest.raises(ParameterError, match=r"missing must be one of 'fractional'.*, got 'majority'"):
        build(CLASSES, leaf("no"), missing="majority")
