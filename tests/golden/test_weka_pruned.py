"""Pruned trees of Weka's J48 on the reference sets: leaves, size and training errors, and errors on test files.

J48 computes in 64 bits as we do. It wants twice as many known rows for a cut as we do, which decides nothing here.
"""

import numpy as np
import pytest

from tests.golden.pruned import j48, j48_test_errors, our_j48, weka
from tests.golden.sets import load

SETS = [
    "anneal",
    "anneal_orig",
    "audiology",
    "balance_scale",
    "breast_cancer",
    "breast_w",
    "car",
    "colic",
    "contact_lenses",
    "credit_a",
    "ecoli",
    "heart_c",
    "heart_statlog",
    "hepatitis",
    "hypothyroid",
    "ionosphere",
    "iris",
    "labor",
    "mushroom",
    "tic_tac_toe",
    "vehicle",
    "vote",
    "weather_nominal",
    "weather_numeric",
    "wine",
    "zoo",
    "r8_vote_train",
    "r8_crx_train",
    "r8_hypo_train",
    "r8_labor_train",
    "monks1_train",
    "monks2_train",
    "monks3_train",
    "splice",
    "vowel",
    "heart_cleveland",
]
LARGE = ["letter"]


@pytest.mark.parametrize("name", [*SETS, *(pytest.param(n, marks=pytest.mark.long) for n in LARGE)])
def test_pruned_j48(name, shared):
    assert our_j48(shared, name) == j48(shared)[name]


@pytest.mark.parametrize("name", [name for name in SETS if name.startswith(("r8", "monks"))])
def test_errors_on_test_files(name, shared):
    X, y = load(shared, name.replace("_train", "_test"))
    wrong = np.count_nonzero(weka(shared, name).predict(X) != y)
    assert wrong == j48_test_errors(shared)[name]


def test_no_set_is_left_out(shared):
    """Every set of which the stored table has the columns that J48 saw."""
    assert set(j48(shared)) == {*SETS, *LARGE}
