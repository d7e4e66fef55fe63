"""The parameter categorical_features in all its forms."""

import numpy as np
import pytest

from treewright.data.declared import declared_categories
from treewright.errors import ParameterError

NAMES = ("age", "colour", "色")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("from_dtype", [False, False, False]),
        ([], [False, False, False]),
        (["色", "age"], [True, False, True]),
        (("colour",), [False, True, False]),
        ([0, 2], [True, False, True]),
        (np.array([1]), [False, True, False]),
        ([True, False, False], [True, False, False]),
        (np.array([False, True, False]), [False, True, False]),
        (["age", 1], [True, True, False]),
    ],
)
def test_forms(given, expected):
    assert declared_categories(given, NAMES) == expected


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["color"], "names the column 'color', .*closest names are 'colour'"),
        (["zzz"], "names the column 'zzz', .*closest names are 'age', 'colour', '色'"),
        ([3], r"index 3, but the columns are numbered 0 to 2 \('age' to '色'\)"),
        ([-1], "index -1"),
        ([True, False], "mask of 2 values, but the table has 3 columns"),
        ("colour", "categorical_features='colour' is unknown; give 'from_dtype', a list of names"),
        (None, "categorical_features=None is unknown"),
        (5, "categorical_features=5 is unknown"),
        ([1.5], "holds 1.5; give 'from_dtype'"),
        ([0, True], "holds True; give 'from_dtype'"),
    ],
)
def test_errors(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        declared_categories(given, NAMES)
