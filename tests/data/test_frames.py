"""Columns of pandas, polars and pyarrow: types, missing markers, what is declared and what is refused."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from treewright.data.cells import Numbers
from treewright.data.frames import open_table
from treewright.errors import InputError, KindError

NAN = float("nan")


def pandas(cells, dtype):
    return pd.DataFrame({"a": pd.Series(cells, dtype=dtype)})


def polars(cells, dtype, **options):
    return pl.DataFrame({"a": pl.Series(cells, dtype=dtype, **options)})


def arrow(cells, dtype):
    return pa.table({"a": pa.array(cells, type=dtype)})


def kind_of(frame):
    """Names a test by the library and type of its column."""
    column = frame["a"]
    return f"{type(frame).__module__.split('.')[0]}-{getattr(column, 'dtype', None) or column.type}"


NUMBERS = [
    pandas([3, None, 1], "Int64"),
    pandas([3, None, 1], "UInt8"),
    pandas([3, None, 1], "Float64"),
    pandas([3, None, 1], "Float32"),
    pandas([3, None, 1], "float64"),
    pandas([3, None, 1], object),
    pandas([3, pd.NA, 1], object),
    pandas([3, None, 1], "int64[pyarrow]"),
    pandas([3, None, 1], "double[pyarrow]"),
    pandas([Decimal(3), None, Decimal(1)], pd.ArrowDtype(pa.decimal128(5, 2))),
    polars([3, None, 1], pl.Int64),
    polars([3, None, 1], pl.UInt64),
    polars([3, None, 1], pl.Int128),
    polars([3, None, 1], pl.Float32),
    polars([3.0, NAN, 1.0], pl.Float64),
    polars([Decimal(3), None, Decimal(1)], pl.Decimal(10, 2)),
    polars([3, None, 1], pl.Object),
    arrow([3, None, 1], pa.int32()),
    arrow([3, None, 1], pa.uint64()),
    arrow([3, None, 1], pa.float32()),
    arrow([3.0, NAN, 1.0], pa.float64()),
    arrow([Decimal(3), None, Decimal(1)], pa.decimal128(5, 2)),
]


@pytest.mark.parametrize("frame", NUMBERS, ids=kind_of)
def test_numbers(frame):
    cells = open_table(frame).read(0)
    assert isinstance(cells, Numbers)
    np.testing.assert_array_equal(cells.values, [3.0, np.nan, 1.0])


STRINGS = [
    pandas(["b", None, "", "a"], object),
    pandas(["b", NAN, "", "a"], object),
    pandas(["b", pd.NA, "", "a"], object),
    pandas(["b", None, "", "a"], "str"),
    pandas(["b", None, "", "a"], "string"),
    pandas(["b", None, "", "a"], "string[python]"),
    pandas(["b", None, "", "a"], "string[pyarrow]"),
    pandas(["b", None, "", "a"], pd.ArrowDtype(pa.large_string())),
    polars(["b", None, "", "a"], pl.String),
    polars(["b", None, "", "a"], pl.Categorical),
    polars(["b", None, "", "a"], pl.Object),
    arrow(["b", None, "", "a"], pa.string()),
    arrow(["b", None, "", "a"], pa.large_string()),
    arrow(["b", None, "", "a"], pa.string_view()),
]


@pytest.mark.parametrize("frame", STRINGS, ids=kind_of)
def test_strings_are_sorted_as_observed(frame):
    cells = open_table(frame).read(0)
    assert cells.categories == ("", "a", "b")
    assert cells.codes.tolist() == [2, -1, 0, 1]
    assert not cells.ordered


TRUTHS = [
    pandas([True, None, True], "boolean"),
    pandas([True, None, True], object),
    pandas([True, None, True], "bool[pyarrow]"),
    polars([True, None, True], pl.Boolean),
    arrow([True, None, True], pa.bool_()),
]


@pytest.mark.parametrize("frame", TRUTHS, ids=kind_of)
def test_truth_values_declare_both_categories(frame):
    cells = open_table(frame).read(0)
    assert cells.categories == (False, True)
    assert cells.codes.tolist() == [1, -1, 1]


SIZES = pd.CategoricalDtype(["small", "unused", "big"])
DECLARED = [
    pandas(["big", None, "small"], SIZES),
    polars(["big", None, "small"], pl.Enum(["small", "unused", "big"])),
    pa.Table.from_pandas(pandas(["big", None, "small"], SIZES)),
    pa.Table.from_pandas(pandas(["big", None, "small"], SIZES)).to_pandas(types_mapper=pd.ArrowDtype),
]


@pytest.mark.parametrize("frame", DECLARED, ids=kind_of)
def test_declared_categories_keep_their_order_and_the_unused(frame):
    cells = open_table(frame).read(0)
    assert cells.categories == ("small", "unused", "big")
    assert cells.codes.tolist() == [2, -1, 0]
    assert not cells.ordered


def test_ordered_categories():
    frame = pandas(["big", None, "small"], pd.CategoricalDtype(["small", "big"], ordered=True))
    for table in (frame, pa.Table.from_pandas(frame)):
        cells = open_table(table).read(0)
        assert cells.ordered
        assert cells.categories == ("small", "big")
        assert cells.codes.tolist() == [1, -1, 0]


def test_categories_that_are_not_text():
    numbers = open_table(pandas([2, 1, 2], "category")).read(0)
    assert numbers.categories == (1, 2)
    intervals = open_table(pd.DataFrame({"a": pd.cut([1, 5, 9], [0, 4, 10])})).read(0)
    assert intervals.ordered
    assert [str(c) for c in intervals.categories] == ["(0, 4]", "(4, 10]"]


def test_arrow_chunks_with_different_dictionaries():
    chunks = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", None, "b"]).dictionary_encode()]
    cells = open_table(pa.table({"a": pa.chunked_array(chunks)})).read(0)
    assert cells.categories == ("b", "a", "c")
    assert cells.codes.tolist() == [0, 1, 2, -1, 0]


def test_an_arrow_dictionary_with_null_and_repeated_values():
    dictionary = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None]), pa.array(["x", None, "x"]))
    cells = open_table(pa.table({"a": dictionary})).read(0)
    assert cells.categories == ("x",)
    assert cells.codes.tolist() == [0, -1, 0, -1]


def test_arrow_strings_in_chunks():
    cells = open_table(pa.table({"a": pa.chunked_array([["b"], ["a", "b"]])})).read(0)
    assert cells.categories == ("a", "b")
    assert cells.codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    "frame",
    [polars([None, None], pl.Null), arrow([None, None], pa.null()), pandas([None, None], object)],
    ids=repr,
)
def test_a_column_of_nulls_is_a_number_that_is_always_missing(frame):
    np.testing.assert_array_equal(open_table(frame).read(0).values, [np.nan, np.nan])


BIG = 2**53 + 1


@pytest.mark.parametrize(
    "frame",
    [
        pandas([BIG, None], "Int64"),
        pandas([BIG, None], "int64[pyarrow]"),
        pandas([BIG, 1], "int64"),
        polars([BIG, None], pl.Int64),
        polars([BIG, None], pl.Int128),
        polars([Decimal(BIG), None], pl.Decimal(30, 2)),
        arrow([BIG, None], pa.uint64()),
    ],
    ids=kind_of,
)
def test_numbers_with_too_many_digits(frame):
    with pytest.raises(InputError, match=f"^Column 'a' has the value {BIG}"):
        open_table(frame).read(0)


@pytest.mark.parametrize(
    "frame",
    [
        pandas([np.inf, None], "float64"),
        pandas([np.inf, None], "Float64"),
        pandas([np.inf, None], "double[pyarrow]"),
        polars([np.inf, None], pl.Float64),
        arrow([np.inf, None], pa.float64()),
    ],
    ids=kind_of,
)
def test_infinity(frame):
    with pytest.raises(InputError, match=r"^Column 'a' has the infinite value inf in row 0"):
        open_table(frame).read(0)


MOMENTS = [
    pandas(["2020-01-01", None], "datetime64[ns]"),
    pandas(["2020-01-01", None], "datetime64[ns, UTC]"),
    pandas([1, None], "timedelta64[ns]"),
    pandas([None, None], "timestamp[ns][pyarrow]"),
    polars([None, None], pl.Date),
    polars([None, None], pl.Datetime),
    polars([None, None], pl.Duration),
    polars([None, None], pl.Time),
    arrow([None, None], pa.timestamp("s")),
]


@pytest.mark.parametrize("frame", MOMENTS, ids=kind_of)
def test_dates_and_times(frame):
    with pytest.raises(KindError, match=r"^Column 'a' contains dates or times .*convert them to numbers"):
        open_table(frame).read(0)


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1.0])}), "Sparse"),
        (pd.DataFrame({"a": pd.interval_range(0, 2)}), "interval"),
        (polars([[1], [2]], pl.List(pl.Int64)), "List"),
        (arrow([b"x", b"y"], pa.binary()), "Binary"),
    ],
    ids=["sparse", "interval", "list", "binary"],
)
def test_types_that_cannot_be_read(frame, kind):
    said = rf"^Column 'a' has the unsupported type {kind}.*; convert it to numbers, strings or categories\.$"
    with pytest.raises(KindError, match=said):
        open_table(frame).read(0)


def test_names():
    assert open_table(pl.DataFrame({"身高": [1], "b": [2]})).feature_names == ["身高", "b"]
    assert open_table(pa.table({"身高": [1]})).names == ("身高",)
    plain = open_table(pd.DataFrame([[1, 2]]))
    assert plain.names == ("x0", "x1")
    assert plain.feature_names is None
    years = open_table(pd.DataFrame([[1, 2]], columns=[2019, 2020]))
    assert years.names == ("2019", "2020")
    assert years.feature_names is None
    assert open_table(np.zeros((1, 2))).feature_names is None


def test_names_of_two_kinds():
    frame = pd.DataFrame([[1, 2]], columns=["a", 7])
    with pytest.raises(
        KindError, match=r"^X has columns named by strings and a column named 7 \(int\); name all columns"
    ):
        open_table(frame)


def test_two_columns_of_one_name():
    for frame in (pd.DataFrame([[1, 2]], columns=["a", "a"]), pa.table([[1], [2]], names=["a", "a"])):
        with pytest.raises(
            InputError, match=r"^X has several columns named 'a'; column names must be unique\.$"
        ):
            open_table(frame)


@pytest.mark.parametrize(
    "empty",
    [np.empty((0, 3)), pd.DataFrame({"a": [], "b": [], "c": []}), pl.DataFrame({"a": [], "b": [], "c": []})],
)
def test_no_rows(empty):
    with pytest.raises(
        InputError, match=r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required\."
    ):
        open_table(empty)


@pytest.mark.parametrize("empty", [np.empty((12, 0)), pd.DataFrame(index=range(12)), [[]] * 12])
def test_no_columns(empty):
    with pytest.raises(
        InputError, match=r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required\."
    ):
        open_table(empty)


@pytest.mark.parametrize(
    "data", [np.arange(3.0), [1, 2], ["a"], pd.Series([1]), pl.Series([1]), pa.chunked_array([[1]])]
)
def test_one_dimension(data):
    with pytest.raises(InputError, match="Reshape your data"):
        open_table(data)


def test_three_dimensions():
    with pytest.raises(InputError, match="X must have 2 dimensions, rows and columns, got 3"):
        open_table(np.zeros((2, 2, 2)))


def test_rows_of_different_lengths():
    with pytest.raises(InputError, match="rows of different lengths"):
        open_table([[1, 2], [3]])


@pytest.mark.parametrize(
    "data", [None, 5, "text", {"a": [1]}, pl.LazyFrame({"a": [1]})], ids=lambda d: type(d).__name__
)
def test_no_table(data):
    with pytest.raises(KindError, match=f"^X is a {type(data).__name__}, not a table"):
        open_table(data)


@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_matrices(make):
    with pytest.raises(
        KindError, match=r"X is a sparse matrix, which is not supported; convert it with X\.toarray\(\)"
    ):
        open_table(make(np.eye(3)))


def test_complex_numbers():
    with pytest.raises(InputError, match="Complex data not supported"):
        open_table(np.ones((2, 1)) * 1j)


def test_lists_keep_the_types_of_their_cells():
    sheet = open_table([[1, "b", True, 2**53], [2.5, "a", False, None]])
    assert sheet.read(0).values.tolist() == [1.0, 2.5]
    assert sheet.read(1).categories == ("a", "b")
    assert sheet.read(2).categories == (False, True)
    assert sheet.read(3).values[0] == 2.0**53


def test_masked_cells_are_missing():
    numbers = open_table(np.ma.masked_array([[1.0], [2.0]], mask=[[False], [True]]))
    np.testing.assert_array_equal(numbers.read(0).values, [1.0, np.nan])


def test_no_table_library_is_needed():
    """None of them is a core dependency; None in sys.modules makes their import fail."""
    import subprocess
    import sys

    code = (
        "import sys, numpy as np\n"
        "sys.modules.update(pandas=None, polars=None, pyarrow=None)\n"
        "from treewright.data.encode import read_table\n"
        "from treewright.data.target import encode_classes\n"
        "table = read_table([[1.5, 'a'], [2, None]])\n"
        "print(table.values.tolist(), encode_classes(['b', 'a'])[0].classes)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[[1.5, 0.0], [2.0, nan]] ('a', 'b')"
