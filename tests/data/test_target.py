"""Targets: classes of any sort, numbers, and what is refused."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import DataConversionWarning
from sklearn.tree import DecisionTreeClassifier

from treewright import C45Classifier, CARTClassifier, MDLTreeClassifier
from treewright.data.schema import Target
from treewright.data.target import check_same_length, classes_array, encode_classes, encode_numbers
from treewright.errors import InputError, KindError

SERIES = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "object": lambda y: np.array(y, dtype=object),
    "pandas": pd.Series,
    "pandas object": lambda y: pd.Series(y, dtype=object),
    "pandas category": lambda y: pd.Series(y, dtype="category"),
    "pandas nullable": lambda y: pd.Series(y).convert_dtypes(),
    "pandas arrow": lambda y: pd.Series(pa.array(y).to_pandas(types_mapper=pd.ArrowDtype)),
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow chunked": lambda y: pa.chunked_array([y]),
}
LABELS = {
    "text": ["yes", "no", "yes", "maybe"],
    "languages": ["是", "否", "是", "不"],
    "truth": [True, False, True, True],
    "whole": [3, -1, 3, 0],
    "float": [2.0, 1.0, 2.0, 0.0],
    "wide": [10**9, -5, 10**9, 7],
}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("library", SERIES)
def test_classes_are_those_of_numpy(labels, library):
    y = SERIES[library](LABELS[labels])
    target, codes = encode_classes(y)
    found, expected = np.unique(np.array(LABELS[labels]), return_inverse=True)
    assert list(target.classes) == found.tolist()
    assert codes.dtype == np.int32
    assert codes.tolist() == expected.tolist()
    array = classes_array(target, y)
    assert array.dtype == np.unique(np.asarray(y)).dtype
    assert array.tolist() == found.tolist()
    if library in ("list", "numpy"):
        assert [type(c) for c in target.classes] == [type(c) for c in found.tolist()]


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u4", "i8", "u8", "f4", ">i4"])
def test_the_type_of_the_classes_is_that_of_y(dtype):
    y = np.array([7, 100, 7, 0], dtype=dtype)
    target, codes = encode_classes(y)
    assert codes.tolist() == [1, 2, 1, 0]
    assert classes_array(target, y).dtype == y.dtype


def test_the_ends_of_the_whole_numbers():
    for y in (
        np.array([127, -128], dtype=np.int8),
        np.array([2**63 - 1, 2**63 - 3]),
        np.array([2**64 - 1, 2**64 - 3], dtype=np.uint64),
        np.array([2**63 - 1, -(2**63)]),
    ):
        target, codes = encode_classes(y)
        assert target.classes == tuple(sorted(y.tolist()))
        assert codes.tolist() == [1, 0]


@given(st.lists(st.text(max_size=3), min_size=1) | st.lists(st.integers(-(2**40), 2**40), min_size=1))
def test_classes_and_codes_give_y_again(labels):
    for make in SERIES.values():
        target, codes = encode_classes(make(labels))
        assert [target.classes[c] for c in codes] == labels
        assert list(target.classes) == sorted(set(labels))


def test_declared_categories_that_do_not_occur_are_no_classes():
    target, codes = encode_classes(pd.Series(pd.Categorical(["b", "a"], categories=["c", "b", "a"])))
    assert target.classes == ("a", "b")
    assert codes.tolist() == [1, 0]


def test_the_name_of_a_series_is_kept():
    assert encode_classes(pd.Series([1, 0], name="PlayGolf?"))[0].name == "PlayGolf?"
    assert encode_numbers(pl.Series("价格", [1, 0]))[0] == Target("价格", None)
    for y in ([1, 0], pd.Series([1, 0]), pl.Series([1, 0]), pd.Series([1, 0], name=3)):
        assert encode_classes(y)[0].name == "target"


@pytest.mark.parametrize(
    "y", [np.array([[1], [0]]), [[1], [0]], pd.DataFrame({"y": [1, 0]}), pl.DataFrame({"y": [1, 0]})]
)
@pytest.mark.parametrize("encode", [encode_classes, encode_numbers])
def test_a_column_is_taken_with_a_warning(encode, y):
    with pytest.warns(
        DataConversionWarning, match="A column-vector y was passed when a 1d array was expected"
    ):
        assert encode(y)[1].tolist() == [1, 0]


@pytest.mark.parametrize("encode", [encode_classes, encode_numbers])
class TestRefused:
    def test_none(self, encode):
        with pytest.raises(InputError, match="requires y to be passed, but the target y is None"):
            encode(None)

    @pytest.mark.parametrize(
        "y", [np.ones((4, 2)), [[1, 2]], pd.DataFrame({"a": [1], "b": [2]}), np.ones((2, 1, 1)), 5], ids=repr
    )
    def test_shape(self, encode, y):
        with pytest.raises(InputError, match=r"^y should be a 1d array, got an array of shape \("):
            encode(y)

    @pytest.mark.parametrize(
        "y", [[], np.array([]), np.array([], dtype=int), pd.Series([], dtype=str)], ids=repr
    )
    def test_empty(self, encode, y):
        with pytest.raises(InputError, match=r"^y has 0 sample\(s\)"):
            encode(y)

    @pytest.mark.parametrize(
        "y",
        [
            [1, None],
            [1.0, np.nan],
            np.array([1.0, np.nan]),
            pd.Series([1, None], dtype="Int64"),
            pd.Series([True, None], dtype="boolean"),
            pl.Series([1, None]),
            pl.Series([1.0, np.nan]),
            pa.chunked_array([[1, None]]),
            pa.array([1.0, None]),
            [1, np.ma.masked],
            np.ma.masked_array([1, 0], mask=[False, True]),
            np.ma.masked_array([1.0, np.inf], mask=[False, True]),
            np.ma.masked_array([True, False], mask=[False, True]),
        ],
    )
    def test_missing(self, encode, y):
        with pytest.raises(
            InputError, match=r"^y has a missing value \(NaN\) in row 1; fill it or drop the row"
        ):
            encode(y)

    @pytest.mark.parametrize("value", [np.inf, -np.inf])
    def test_infinite(self, encode, value):
        with pytest.raises(InputError, match=f"^y has the infinite value {value} in row 1"):
            encode(np.array([1.0, value]))

    def test_complex(self, encode):
        with pytest.raises(InputError, match=r"^Complex data not supported: y"):
            encode(np.array([1j, 2]))

    def test_dates(self, encode):
        with pytest.raises(
            KindError, match=r"^y contains dates or times \(date\), which are not supported here"
        ):
            encode([dt.date(2020, 1, 1)])

    def test_mixed(self, encode):
        with pytest.raises(
            InputError,
            match=r"^y mixes different kinds of values, for example the number 1 and the string 'a'",
        ):
            encode([1, "a"])

    def test_containers(self, encode):
        with pytest.raises(
            KindError,
            match=r"^y contains \{\} of type dict; each cell of the argument must be a string, a boolean or a number",
        ):
            encode([{}, 1])

    def test_sparse(self, encode):
        with pytest.raises(KindError, match=r"^y is a sparse matrix"):
            encode(sparse.csr_array(np.ones((2, 1))))


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA], ids=repr)
def test_missing_classes(missing):
    with pytest.raises(InputError, match=r"^y has a missing value .* row 1"):
        encode_classes(["a", missing])
    with pytest.raises(InputError, match=r"^y has a missing value .* row 1"):
        encode_classes(pd.Series(["a", missing]))
    with pytest.raises(InputError, match=r"^y has a missing value .* row 1"):
        encode_classes(np.ma.masked_array(["a", "b"], mask=[False, True]))


def test_a_masked_target_without_a_masked_cell():
    target, codes = encode_classes(np.ma.masked_array([3, 1, 3], mask=False))
    assert target.classes == (1, 3)
    assert codes.tolist() == [1, 0, 1]
    assert encode_numbers(np.ma.masked_array([3, 1], mask=False))[1].tolist() == [3.0, 1.0]


@pytest.mark.parametrize("y", [np.array([0.5, 1.0]), [1, 0.5], pl.Series([0.5]), np.array([1e300])], ids=repr)
def test_fractions_are_no_classes(y):
    with pytest.raises(
        InputError, match=r"^Unknown label type: continuous\. The target has the value .*use a regressor"
    ):
        encode_classes(y)


@pytest.mark.parametrize("make", SERIES.values(), ids=SERIES)
def test_numbers(make):
    target, values = encode_numbers(make([1.5, -2.0, 0.0]))
    assert target.is_number
    assert values.dtype == np.float64
    assert values.tolist() == [1.5, -2.0, 0.0]
    assert encode_numbers(make([2, -1]))[1].tolist() == [2.0, -1.0]
    assert encode_numbers(make([True, False]))[1].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("make", SERIES.values(), ids=SERIES)
def test_numbers_are_not_text(make):
    with pytest.raises(
        InputError, match=r"^y must contain numbers, got '1\.5'; use a classifier for classes"
    ):
        encode_numbers(make(["1.5", "1.5"]))


def test_same_length():
    check_same_length(
        2, y=[1, 2], sample_weight=np.ones(2), other=pl.Series([1, 2]), table=pd.DataFrame({"a": [1, 2]})
    )
    with pytest.raises(
        InputError, match="inconsistent numbers of samples: X has 10 rows, but y has 9 values"
    ):
        check_same_length(10, y=[1] * 9)
    with pytest.raises(InputError, match="sample_weight has 3 values"):
        check_same_length(2, y=[1, 2], sample_weight=pa.array([1, 2, 3]))


def test_a_classifier_refuses_measures_in_one_sentence_as_scikit_learn_does():
    y = np.random.default_rng(0).permutation(869) / 4
    X = np.arange(869.0)[:, None]
    for model in (C45Classifier(), CARTClassifier(), MDLTreeClassifier()):
        with pytest.raises(ValueError, match="Unknown label type: continuous") as caught:
            model.fit(X, y)
        assert str(caught.value).endswith("which is not a class; use a regressor, or convert the target to classes.")
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        DecisionTreeClassifier().fit(X, y)
