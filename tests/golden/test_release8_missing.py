"""Unpruned trees of Quinlan's C4.5 Release 8 on the reference sets with missing values.

Rows go down all branches in parts, and the program adds, multiplies and divides parts of rows in 32-bit floats: a side
of exactly 2 rows may be 1.9999998 to it, and then too small. Each place where the two differ stands in `TRACED_SIZES`
or `TRACED_PLACES` with its cause. The causes were found with an own reading of the program, which gives its size and
errors on every set when it computes in 32 bits; in 64 bits, with minimums compared exactly, it gives ours.
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

SETS = [
    "audiology",
    "breast_cancer",
    "breast_w",
    "colic",
    "colic_orig",
    "credit_a",
    "credit_data",
    "heart_c",
    "hepatitis",
    "hypothyroid",
    "labor",
    "mushroom",
    "postoperative",
    "r8_hypo_train",
    "r8_labor_train",
    "vote",
    "watermelon20a",
]
PRINTED = [name for name in SETS if name != "credit_data"]

TRACED_SIZES: dict[tuple[str, str], tuple[int, int]] = {
    # Under wage-increase-first-year <= 2.5, education-allowance = no, a cut has four halves on its high side: 2 rows,
    # and to the program 1.9999995. J48, which computes in 64 bits, has our size and errors.
    ("labor", "default"): (22, 2),
    # gill-size and ring-number part the 624 rows alike; in 32 bits the second has the better ratio. J48 has our size.
    ("mushroom", "default"): (30, 0),
    # Sides of exactly 2 rows, and ties.
    ("credit_data", "default"): (1112, 340),
    ("credit_data", "g"): (1062, 370),
    ("credit_data", "s"): (1191, 352),
}
"""(set, option): our (size, errors) where they differ, each with its cause in a comment."""

TRACED_PLACES: dict[str, list[tuple[str, str]]] = {
    # See above.
    "labor": [("wage-increase-first-year <= 2.1, wage-increase-first-year > 2.1", "bad (7.6/2.1)")],
    "mushroom": [("gill-size = v0, gill-size = v1", "ring-number = v0, ring-number = v1, ring-number = v2")],
    # In 32 bits (3.6 + 3.8) / 2 < 3.7.
    "hepatitis": [("ALBUMIN <= 3.7, ALBUMIN > 3.7", "ALBUMIN <= 3.6, ALBUMIN > 3.6")],
    # Shares below 1/256 of a row are not made here: 0.138 for 0.165, 0.357/0.032 for 0.391/0.065, 3.978 for 3.944.
    "colic": [
        ("yes (0.1/0.0)", "yes (0.2/0.0)"),
        ("no (0.4/0.0)", "no (0.4/0.1)"),
        ("yes (4.0/0.0)", "yes (3.9/0.0)"),
    ],
}
"""set: (ours, theirs) at each place where the printed tree differs, each with its cause in a comment."""


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", SETS)
def test_size_and_errors(name, option, shared):
    model = fitted(shared, name, option)
    assert model.tree_.count[0] == int(reference(shared)[name, option]["rows"])
    ours = model.tree_.n_nodes, wrong(model, shared, name)
    assert ours == TRACED_SIZES.get((name, option), size_and_errors(shared, name, option))


@pytest.mark.parametrize("name", PRINTED)
def test_tree_as_printed(name, shared):
    tree = fitted(shared, name, "default").tree_
    found = differences(as_printed(tree), printed_tree(shared, name))
    assert [(ours, theirs) for _, ours, theirs in found] == TRACED_PLACES.get(name, []), found


def test_no_set_is_left_out(shared):
    """Every reference set with missing values is compared."""
    holed = {name for name, _ in reference(shared) if has_missing(shared, name)}
    assert holed == set(SETS)
    assert holed & printed_names(shared) == set(PRINTED)


def test_traced_sizes_do_differ(shared):
    """A cause that no longer makes a difference is taken off the list."""
    assert all(ours != size_and_errors(shared, *key) for key, ours in TRACED_SIZES.items())
