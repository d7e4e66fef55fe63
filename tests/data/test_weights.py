"""Weights: of rows and of classes."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.utils.class_weight import compute_sample_weight

from treewright.data.schema import Target
from treewright.data.target import encode_classes
from treewright.data.weights import apply_class_weight, read_weight
from treewright.errors import InputError, ParameterError

GIVEN = [0.5, 0.0, 2.0]


@pytest.mark.parametrize(
    "make",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        pl.Series,
        pa.array,
        lambda w: pa.chunked_array([w]),
        lambda w: pd.Series(w, dtype="Float64"),
    ],
)
def test_every_library(make):
    weight = read_weight(make(GIVEN), 3)
    assert weight.dtype == np.float64
    assert weight.tolist() == GIVEN


def test_whole_numbers_and_truth_values():
    assert read_weight([1, 2, 3], 3).tolist() == [1.0, 2.0, 3.0]
    assert read_weight(np.array([True, False, True]), 3).tolist() == [1.0, 0.0, 1.0]


def test_a_single_number_counts_for_all_rows():
    for two in (2, 2.0, np.float32(2), np.array(2)):
        assert read_weight(two, 3).tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize("ones", [None, 1, [1, 1, 1], np.ones(3), np.ones(3, dtype=bool)], ids=repr)
def test_weights_of_one_are_no_weights(ones):
    assert read_weight(ones, 3) is None


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([1, -1, 1], r"^sample_weight has the negative value -1\.0 in row 1; weights must be at least 0"),
        (-1, "^sample_weight has the negative value -1.0"),
        ([1, np.nan, 1], r"^sample_weight has a missing value \(NaN\) in row 1"),
        (pd.Series([1, None, 1], dtype="Int64"), r"^sample_weight has a missing value \(NaN\) in row 1"),
        (
            np.ma.masked_array([1, 2, 1], mask=[0, 1, 0]),
            r"^sample_weight has a missing value \(NaN\) in row 1",
        ),
        ([1, np.inf, 1], "^sample_weight has the infinite value inf in row 1"),
        ([0, 0, 0], "^All weights are zero"),
        (0, "^All weights are zero"),
        ([1, 1], "inconsistent numbers of samples: X has 3 rows, but sample_weight has 2 values"),
        (np.ones((3, 2)), "^Sample weights must be 1D array or scalar, but sample_weight has 2 dimensions"),
        (np.ones((3, 1)), "^Sample weights must be 1D array or scalar"),
        (pd.DataFrame({"w": [1, 1, 1]}), "^Sample weights must be 1D array or scalar"),
        (["a", "b", "c"], "^sample_weight must contain numbers, got 'a'"),
        ("a", "^sample_weight must contain numbers, got 'a'"),
        (np.array([1j, 1, 1]), "^Complex data not supported: sample_weight"),
    ],
)
def test_bad_weights(given, sentence):
    with pytest.raises(InputError, match=sentence):
        read_weight(given, 3)


def test_the_weights_of_the_user_are_not_changed():
    given = np.array([1.0, 3.0])
    target, codes = encode_classes(["a", "b"])
    weight = apply_class_weight(read_weight(given, 2), {"a": 5}, target, codes)
    assert weight.tolist() == [5.0, 3.0]
    assert given.tolist() == [1.0, 3.0]


LABELS = ["no", "yes", "yes", "maybe", "yes", "no"]


@pytest.mark.parametrize("class_weight", ["balanced", {"yes": 3, "no": 0.5, "maybe": 1}, {"yes": 2}])
def test_class_weights_are_those_of_scikit_learn(class_weight):
    target, codes = encode_classes(LABELS)
    expected = compute_sample_weight(class_weight, LABELS)
    np.testing.assert_allclose(apply_class_weight(None, class_weight, target, codes), expected, rtol=1e-15)


def test_class_weights_multiply_the_weights_of_rows():
    target, codes = encode_classes(LABELS)
    weight = apply_class_weight(np.arange(6.0), {"yes": 10}, target, codes)
    assert weight.tolist() == [0, 10, 20, 3, 40, 5]
    assert apply_class_weight(None, None, target, codes) is None
    assert apply_class_weight(None, {"yes": 1}, target, codes) is None
    assert apply_class_weight(None, {}, target, codes) is None


def test_balanced_counts_a_row_of_weight_two_as_two_rows():
    target, codes = encode_classes(LABELS)
    repeats = np.array([2, 1, 3, 1, 0, 1])
    weighted = apply_class_weight(repeats.astype(float), "balanced", target, codes)
    repeated = apply_class_weight(None, "balanced", target, np.repeat(codes, repeats))
    for code in range(3):
        assert weighted[codes == code].sum() == pytest.approx(
            repeated[np.repeat(codes, repeats) == code].sum(), rel=1e-15
        )


def test_balanced_leaves_out_a_class_without_weight():
    target, codes = encode_classes(["a", "b", "b", "c"])
    weight = apply_class_weight(np.array([1.0, 1, 1, 0]), "balanced", target, codes)
    assert weight.tolist() == [1.5, 0.75, 0.75, 0]


def test_class_weights_by_labels_that_are_not_text():
    target, codes = encode_classes([True, False])
    assert apply_class_weight(None, {True: 2}, target, codes).tolist() == [2, 1]
    target, codes = encode_classes(np.array([1.0, 3.0]))
    assert apply_class_weight(None, {np.int64(3): 2}, target, codes).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("balancd", "class_weight='balancd' is unknown; use None, 'balanced' or a dict of classes"),
        ([1, 2], r"class_weight=\[1, 2\] is unknown; use None, 'balanced' or a dict of classes"),
        (
            {"perhaps": 1},
            "`class_weight` has the unknown class 'perhaps'; the classes are 'no', 'yes'",
        ),
        ({"yes": -1}, r"`class_weight\['yes'\]` must be a finite number of at least 0, got -1"),
        ({"yes": np.nan}, r"`class_weight\['yes'\]` must be a finite number of at least 0, got nan"),
        ({"yes": np.inf}, r"`class_weight\['yes'\]` must be a finite number of at least 0, got inf"),
        ({"yes": None}, r"`class_weight\['yes'\]` must be a finite number of at least 0, got None"),
        ({"yes": "much"}, r"`class_weight\['yes'\]` must be a finite number of at least 0, got 'much'"),
    ],
)
def test_bad_class_weights(given, sentence):
    with pytest.raises(ParameterError, match=sentence):
        apply_class_weight(None, given, Target(classes=("no", "yes")), np.array([0, 1], dtype=np.int32))


def test_class_weights_that_leave_no_row():
    with pytest.raises(InputError, match="All weights are zero"):
        apply_class_weight(None, {"no": 0, "yes": 0}, Target(classes=("no", "yes")), np.array([0, 1]))


@pytest.mark.parametrize(
    ("weight", "sentence"),
    [
        (1e308, "The sum of the weights is inf, which is too large; divide them by a constant"),
        (
            5e-324,
            r"A weight is 4\.941e-324, which is too small; set it to 0, or multiply all weights by a constant",
        ),
    ],
)
def test_weights_that_cannot_be_squared_are_refused(weight, sentence):
    with pytest.raises(InputError, match=sentence):
        read_weight([1.0, weight, weight], 3)
