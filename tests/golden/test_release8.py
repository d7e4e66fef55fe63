"""Unpruned trees of Quinlan's C4.5 Release 8 on the reference sets without missing values.

The program computes in 32-bit floats, so a tie may fall the other way, or a midpoint beside a value of the table may
fall on its other side. Such a place stands in `TRACED_SIZES` or `TRACED_PLACES` with its cause.
"""

import pytest

from tests.golden.c45_print import as_printed, differences
from tests.golden.release8 import (
    OPTIONS,
    fitted,
    has_missing,
    printed_names,
    printed_tree,
    reference,
    size_and_errors,
    wrong,
)
from tests.golden.shapes import errors

SETS = [
    "weather_nominal",
    "weather_numeric",
    "contact_lenses",
    "heart_statlog",
    "tic_tac_toe",
    "car",
    "balance_scale",
    "zoo",
    "haberman",
    "iris",
    "ionosphere",
    "wine",
    "vehicle",
    "ecoli",
    "page_blocks",
    "golf",
    "monks1_train",
    "monks3_train",
    "r8_vote_train",
    "titanic",
    "satimage",
    "rpart_kyphosis",
    "digits",
    "watermelon20",
    "watermelon30",
    "watermelon30a",
    "watermelon20_train",
    "loan",
    "buys_computer",
    "aima_restaurant",
    "tan_cheat",
    "quinlan_hair_eyes",
]
LARGE = ["letter"]
PRINTED = [name for name in SETS if name != "satimage"]

TRACED_SIZES: dict[tuple[str, str], tuple[int, int]] = {
    # Under 纹理=清晰 the gains of 根蒂, 脐部 and 触感 are equal (0.4581); we take the first, the program takes 触感.
    ("watermelon20", "g"): (7, 2),
    # A tie somewhere in 2,673 nodes: J48, which computes in 64 bits, has our size and errors (1337 leaves, 2673, 672).
    ("letter", "default"): (2673, 672),
    ("letter", "s"): (2673, 672),
}
"""(set, option): our (size, errors) where they differ, each with its cause in a comment."""

TRACED_PLACES: dict[str, list[tuple[str, str]]] = {
    # feathers, milk and backbone all have a gain ratio of exactly 1.
    "zoo": [("feathers = v0, feathers = v1", "milk = v0, milk = v1")],
    # Midpoints that are values of the table: in 32 bits (0.52 + 0.58) / 2 < 0.55 and (0.52 + 0.56) / 2 < 0.54.
    "ecoli": [
        ("mcg <= 0.55, mcg > 0.55", "mcg <= 0.54, mcg > 0.54"),
        ("gvh <= 0.54, gvh > 0.54", "gvh <= 0.53, gvh > 0.53"),
    ],
    "page_blocks": [
        # (0.224 + 0.236) / 2 is 0.22999999999999998 in 64 bits and 0.23 in 32.
        ("p_black <= 0.229, p_black > 0.229", "p_black <= 0.23, p_black > 0.23"),
        # 10 rows of lenght 4, where eccen is 4 / height: the two cuts are the same rows, mirrored.
        ("height <= 8, height > 8", "eccen <= 0.462, eccen > 0.462"),
        # In 32 bits (0.65 + 0.7) / 2 < 0.675, (0.157 + 0.159) / 2 < 0.158 and (0.137 + 0.161) / 2 < 0.149.
        ("p_and <= 0.675, p_and > 0.675", "p_and <= 0.674, p_and > 0.674"),
        ("p_black <= 0.158, p_black > 0.158", "p_black <= 0.157, p_black > 0.157"),
        ("p_black <= 0.149, p_black > 0.149", "p_black <= 0.148, p_black > 0.148"),
    ],
}
"""set: (ours, theirs) at each place where the printed tree differs, each with its cause in a comment."""


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", [*SETS, *(pytest.param(n, marks=pytest.mark.long) for n in LARGE)])
def test_size_and_errors(name, option, shared):
    model = fitted(shared, name, option)
    tree = model.tree_
    assert tree.count[0] == int(reference(shared)[name, option]["rows"])
    assert errors(tree) == wrong(model, shared, name)
    theirs = size_and_errors(shared, name, option)
    assert (tree.n_nodes, errors(tree)) == TRACED_SIZES.get((name, option), theirs)


@pytest.mark.parametrize("name", PRINTED)
def test_tree_as_printed(name, shared):
    tree = fitted(shared, name, "default").tree_
    found = differences(as_printed(tree), printed_tree(shared, name))
    assert [(ours, theirs) for _, ours, theirs in found] == TRACED_PLACES.get(name, []), found


def test_no_set_is_left_out(shared):
    """Every reference set without missing values is compared."""
    complete = {name for name, _ in reference(shared) if not has_missing(shared, name)}
    assert complete == {*SETS, *LARGE}
    assert complete & printed_names(shared) == set(PRINTED)


def test_traced_sizes_do_differ(shared):
    """A cause that no longer makes a difference is taken off the list."""
    assert all(ours != size_and_errors(shared, *key) for key, ours in TRACED_SIZES.items())
