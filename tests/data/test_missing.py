"""Missing cells: every marker of every library is read as NaN, in training and in prediction; infinity never is.

One table, `CASES`, of library, marker and kind of column; whatever the case, the same cells give the same values.
"""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from treewright.data.encode import UNSEEN_POLICIES, encode_table, read_table
from treewright.data.schema import Column, Kind
from treewright.errors import InputError

NAN = float("nan")
INF = float("inf")

CELLS = {"number": [3, None, 1], "text": ["b", None, "a"], "truth": [True, None, False]}
KNOWN = {
    "number": Column("a", Kind.NUMBER),
    "text": Column("a", Kind.CATEGORY, ("a", "b")),
    "truth": Column("a", Kind.CATEGORY, (False, True)),
}
VALUES = {"number": [3, NAN, 1], "text": [1, NAN, 0], "truth": [1, NAN, 0]}

OBJECT_MARKERS = {
    "None": None,
    "float NaN": NAN,
    "float32 NaN": np.float32("nan"),
    "Decimal NaN": Decimal("NaN"),
    "pandas NA": pd.NA,
    "pandas NaT": pd.NaT,
    "datetime64 NaT": np.datetime64("NaT"),
    "timedelta64 NaT": np.timedelta64("NaT"),
    "masked": np.ma.masked,
}


def column_of_objects(cells):
    """A two-dimensional array of objects, filled cell by cell, so that numpy does not look into them."""
    array = np.empty((len(cells), 1), dtype=object)
    for row, cell in enumerate(cells):
        array[row, 0] = cell
    return array


OBJECT_LIBRARIES = {
    "object array": column_of_objects,
    "list": lambda cells: [[cell] for cell in cells],
    "tuple": lambda cells: tuple((cell,) for cell in cells),
    "pandas object": lambda cells: pd.DataFrame({"a": pd.Series(list(cells), dtype=object)}),
    "polars Object": lambda cells: pl.DataFrame({"a": pl.Series(list(cells), dtype=pl.Object)}),
}


def filled(cells, marker):
    return [marker if cell is None else cell for cell in cells]


def numpy_floats(dtype):
    return lambda cells: np.array([filled(cells, NAN)], dtype=dtype).T


def numpy_masked(dtype, below):
    """A masked array; `below` stands under the mask, where nobody may look."""
    return lambda cells: np.ma.masked_array(
        np.array([filled(cells, below)], dtype=dtype).T, mask=[[cell is None] for cell in cells]
    )


def masked_rows(cells):
    return [np.ma.masked_array([0.0 if cell is None else cell], mask=[cell is None]) for cell in cells]


def numpy_strings(marker):
    return lambda cells: np.array([filled(cells, marker)], dtype=np.dtypes.StringDType(na_object=marker)).T


def pandas(dtype):
    return lambda cells: pd.DataFrame({"a": pd.Series(cells, dtype=dtype)})


def pandas_float_nan(cells):
    """A nullable float whose missing cell is 0/0 and not NA."""
    values = pd.Series(filled(cells, 0), dtype="Float64")
    return pd.DataFrame({"a": values / pd.Series([float(c is not None) for c in cells], dtype="Float64")})


def pandas_arrow(make):
    """Arrow data as it is within a pandas column: NaN and null side by side stay what they are."""
    return lambda cells: pd.DataFrame({"a": pd.arrays.ArrowExtensionArray(make(cells)["a"])})


def polars(dtype, marker=None):
    return lambda cells: pl.DataFrame({"a": pl.Series(filled(cells, marker), dtype=dtype)})


def arrow(dtype, marker=None):
    return lambda cells: pa.table({"a": pa.array(filled(cells, marker), type=dtype)})


def arrow_chunks(dtype):
    """One chunk a row, so that a chunk holds nothing but a missing cell."""
    return lambda cells: pa.table({"a": pa.chunked_array([pa.array([cell], type=dtype) for cell in cells])})


def arrow_slice(dtype):
    return lambda cells: pa.table({"a": pa.array([cells[0], *cells], type=dtype)}).slice(1)


def arrow_dictionary(null):
    """Codes into a dictionary; what is missing is no code, or the code of a null in the dictionary."""

    def make(cells):
        codes = [{"a": 0, "b": 1, None: 2 if null == "value" else None}[cell] for cell in cells]
        words = pa.array(["a", "b", None] if null == "value" else ["a", "b"])
        return pa.table({"a": pa.DictionaryArray.from_arrays(pa.array(codes, type=pa.int8()), words)})

    return make


def decimals(make):
    return lambda cells: make([None if cell is None else Decimal(cell) for cell in cells])


PAIR = pd.CategoricalDtype(["a", "b"])
TYPED = {
    ("numpy", "float64 NaN", "number"): numpy_floats("f8"),
    ("numpy", "float32 NaN", "number"): numpy_floats("f4"),
    ("numpy", "float16 NaN", "number"): numpy_floats("f2"),
    ("numpy", "swapped NaN", "number"): numpy_floats(">f8"),
    ("numpy", "masked float", "number"): numpy_masked("f8", INF),
    ("numpy", "masked float32", "number"): numpy_masked("f4", -INF),
    ("numpy", "masked whole", "number"): numpy_masked("i8", 2**53 + 1),
    ("numpy", "masked unsigned", "number"): numpy_masked("u1", 255),
    ("numpy", "masked truth", "truth"): numpy_masked("?", True),
    ("numpy", "masked text", "text"): numpy_masked("U4", "junk"),
    ("numpy", "list of masked rows", "number"): masked_rows,
    ("pandas", "float64 NaN", "number"): pandas("float64"),
    ("pandas", "float32 NaN", "number"): pandas("float32"),
    ("pandas", "Int64 NA", "number"): pandas("Int64"),
    ("pandas", "UInt8 NA", "number"): pandas("UInt8"),
    ("pandas", "Float64 NA", "number"): pandas("Float64"),
    ("pandas", "Float64 0/0", "number"): pandas_float_nan,
    ("pandas", "Arrow whole null", "number"): pandas("int64[pyarrow]"),
    ("pandas", "Arrow float null", "number"): pandas("double[pyarrow]"),
    ("pandas", "Arrow float NaN", "number"): pandas_arrow(arrow(pa.float64(), NAN)),
    ("pandas", "Arrow decimal null", "number"): decimals(pandas(pd.ArrowDtype(pa.decimal128(5, 2)))),
    ("pandas", "boolean NA", "truth"): pandas("boolean"),
    ("pandas", "Arrow bool null", "truth"): pandas("bool[pyarrow]"),
    ("pandas", "str NaN", "text"): pandas("str"),
    ("pandas", "string[python] NA", "text"): pandas("string[python]"),
    ("pandas", "string[pyarrow] NA", "text"): pandas("string[pyarrow]"),
    ("pandas", "Arrow string null", "text"): pandas(pd.ArrowDtype(pa.string())),
    ("pandas", "Arrow string_view null", "text"): pandas(pd.ArrowDtype(pa.string_view())),
    ("pandas", "Arrow dictionary null", "text"): pandas_arrow(arrow_dictionary("code")),
    ("pandas", "category NaN", "text"): pandas("category"),
    ("pandas", "declared category NaN", "text"): pandas(PAIR),
    ("polars", "Float64 null", "number"): polars(pl.Float64),
    ("polars", "Float64 NaN", "number"): polars(pl.Float64, NAN),
    ("polars", "Float32 NaN", "number"): polars(pl.Float32, NAN),
    ("polars", "Int64 null", "number"): polars(pl.Int64),
    ("polars", "UInt8 null", "number"): polars(pl.UInt8),
    ("polars", "Decimal null", "number"): decimals(polars(pl.Decimal(10, 2))),
    ("polars", "Boolean null", "truth"): polars(pl.Boolean),
    ("polars", "String null", "text"): polars(pl.String),
    ("polars", "Categorical null", "text"): polars(pl.Categorical),
    ("polars", "Enum null", "text"): polars(pl.Enum(["a", "b"])),
    ("pyarrow", "float null", "number"): arrow(pa.float64()),
    ("pyarrow", "float NaN", "number"): arrow(pa.float64(), NAN),
    ("pyarrow", "float32 NaN", "number"): arrow(pa.float32(), NAN),
    ("pyarrow", "float chunks", "number"): arrow_chunks(pa.float64()),
    ("pyarrow", "float slice", "number"): arrow_slice(pa.float64()),
    ("pyarrow", "whole null", "number"): arrow(pa.int16()),
    ("pyarrow", "whole chunks", "number"): arrow_chunks(pa.uint64()),
    ("pyarrow", "decimal null", "number"): decimals(arrow(pa.decimal128(5, 2))),
    ("pyarrow", "bool null", "truth"): arrow(pa.bool_()),
    ("pyarrow", "bool chunks", "truth"): arrow_chunks(pa.bool_()),
    ("pyarrow", "string null", "text"): arrow(pa.string()),
    ("pyarrow", "large_string null", "text"): arrow(pa.large_string()),
    ("pyarrow", "string_view null", "text"): arrow(pa.string_view()),
    ("pyarrow", "string chunks", "text"): arrow_chunks(pa.string()),
    ("pyarrow", "string slice", "text"): arrow_slice(pa.string()),
    ("pyarrow", "dictionary code null", "text"): arrow_dictionary("code"),
    ("pyarrow", "dictionary value null", "text"): arrow_dictionary("value"),
}
if hasattr(np.dtypes, "StringDType"):  # numpy 2
    TYPED |= {
        ("numpy", "StringDType NaN", "text"): numpy_strings(NAN),
        ("numpy", "StringDType None", "text"): numpy_strings(None),
        ("numpy", "StringDType NA", "text"): numpy_strings(pd.NA),
    }
UNTYPED = {
    (library, name, kind): lambda cells, make=make, marker=marker: make(filled(cells, marker))
    for library, make in OBJECT_LIBRARIES.items()
    for name, marker in OBJECT_MARKERS.items()
    for kind in CELLS
} | {("numpy", "masked objects", kind): numpy_masked(object, "junk") for kind in CELLS}
CASES = TYPED | UNTYPED
NUMBERS = {case: make for case, make in CASES.items() if case[2] == "number"}


def each(cases):
    return pytest.mark.parametrize(
        ("kind", "make"), [(c[2], m) for c, m in cases.items()], ids=map(" ".join, cases)
    )


def described(table):
    """The one column, without its name: an array has none."""
    (column,) = table.columns
    return column.kind, column.categories


@each(CASES)
def test_a_missing_cell_is_nan_in_training(kind, make):
    table = read_table(make(CELLS[kind]))
    assert described(table) == (KNOWN[kind].kind, KNOWN[kind].categories)
    assert_array_equal(table.values[:, 0], VALUES[kind])


@each(CASES)
def test_a_missing_cell_is_nan_in_prediction_and_never_unseen(kind, make):
    for unseen in UNSEEN_POLICIES:
        encoded = encode_table(make(CELLS[kind]), [KNOWN[kind]], unseen)
        assert_array_equal(encoded.values[:, 0], VALUES[kind], err_msg=unseen)
        assert encoded.unseen == (), unseen


@each(NUMBERS)
def test_a_missing_cell_is_nan_in_numbers_that_are_declared_a_category(kind, make):
    table = read_table(make(CELLS[kind]), categorical_features=[0])
    assert described(table) == (Kind.CATEGORY, (1, 3))
    assert_array_equal(table.values[:, 0], [1, NAN, 0])
    assert_array_equal(encode_table(make([None, 3, None]), table.columns).values[:, 0], [NAN, 1, NAN])


@each(TYPED)
def test_a_column_wholly_missing_is_what_its_type_says(kind, make):
    table = read_table(make([None, None]))
    found, categories = described(table)
    assert found == KNOWN[kind].kind
    assert set(categories) <= set(KNOWN[kind].categories)
    assert_array_equal(table.values, [[NAN], [NAN]])


WITHOUT_TYPE = UNTYPED | {
    ("pandas", "Arrow null", "number"): pandas(pd.ArrowDtype(pa.null())),
    ("polars", "Null", "number"): polars(pl.Null),
    ("pyarrow", "null", "number"): arrow(pa.null()),
}


@each(WITHOUT_TYPE)
def test_a_column_wholly_missing_and_without_a_type_is_a_number(kind, make):
    table = read_table(make([None, None]))
    assert described(table) == (Kind.NUMBER, ())
    assert_array_equal(table.values, [[NAN], [NAN]])
    declared = read_table(make([None, None]), categorical_features=[0])
    assert described(declared) == (Kind.CATEGORY, ())
    assert_array_equal(declared.values, [[NAN], [NAN]])


@each(CASES | WITHOUT_TYPE)
def test_rows_to_answer_may_miss_a_column_wholly(kind, make):
    """Whatever the column was in training, and whatever type the empty column has now."""
    for column in (*KNOWN.values(), Column("a", Kind.CATEGORY), Column("a", Kind.ORDERED, ("S", "L"))):
        assert_array_equal(encode_table(make([None, None]), [column]).values, [[NAN], [NAN]])


def test_a_category_that_training_missed_wholly_knows_no_word():
    column = read_table(pl.DataFrame({"a": pl.Series([None], dtype=pl.String)})).columns[0]
    with pytest.raises(
        InputError,
        match="Column 'a' has the value 'red', which does not occur in training; the training column has no values, "
        "so leave the cell missing",
    ):
        encode_table([["red"]], [column])
    assert_array_equal(encode_table([["red"], [None]], [column], "missing").values, [[NAN], [NAN]])


@pytest.mark.parametrize("word", ["", " ", "?", "NA", "N/A", "nan", "NaN", "None", "null", "<NA>"])
def test_words_for_missing_are_categories(word):
    """What a reader of files takes for missing, it has to say: `pandas.read_csv(..., na_values="?")`."""
    for make in (
        pandas("str"),
        pandas(object),
        polars(pl.String),
        arrow(pa.string()),
        OBJECT_LIBRARIES["list"],
    ):
        table = read_table(make(["zz", None, word]))
        assert described(table) == (Kind.CATEGORY, (word, "zz"))
        assert_array_equal(table.values[:, 0], [1, NAN, 0])


INFINITE = {
    ("numpy", "float64", "number"): numpy_floats("f8"),
    ("numpy", "float32", "number"): numpy_floats("f4"),
    ("numpy", "float16", "number"): numpy_floats("f2"),
    ("numpy", "masked float", "number"): numpy_masked("f8", 7.0),
    ("pandas", "float64", "number"): pandas("float64"),
    ("pandas", "Float64", "number"): pandas("Float64"),
    ("pandas", "Arrow float", "number"): pandas("double[pyarrow]"),
    ("pandas", "category", "number"): pandas("category"),
    ("polars", "Float64", "number"): polars(pl.Float64),
    ("polars", "Float32", "number"): polars(pl.Float32, NAN),
    ("pyarrow", "float", "number"): arrow(pa.float64()),
    ("pyarrow", "float chunks", "number"): arrow_chunks(pa.float64()),
    ("pyarrow", "dictionary", "number"): lambda cells: pa.table({"a": pa.array(cells).dictionary_encode()}),
    ("list", "Decimal", "number"): lambda cells: [[c if c is None else Decimal(c)] for c in cells],
} | {case: make for case, make in UNTYPED.items() if case[2] == "number"}


@each(INFINITE)
@pytest.mark.parametrize("value", [INF, -INF])
def test_infinity_is_refused_and_never_missing(kind, make, value):
    X = make([1.5, None, value, 2.5, -value])
    sentence = (
        rf"^Column '(a|x0)' has the infinite value {value} in row 2; "
        r"replace it with a finite number or a missing value\.$"
    )
    for categorical_features in ("from_dtype", [0]):
        with pytest.raises(InputError, match=sentence):
            read_table(X, categorical_features)
    for column in (KNOWN["number"], KNOWN["text"], Column("a", Kind.CATEGORY, (1.5, 2.5, INF, -INF))):
        for unseen in UNSEEN_POLICIES:
            with pytest.raises(InputError, match=sentence):
                encode_table(X, [column], unseen)


def test_infinity_among_words_is_refused_too():
    X = [["b"], [None], [INF]]
    with pytest.raises(InputError, match=r"^Column 'x0' has the infinite value inf in row 2"):
        read_table(X, categorical_features=[0])
    with pytest.raises(InputError, match=r"^Column 'a' has the infinite value inf in row 2"):
        encode_table(X, [KNOWN["text"]], "missing")


def test_infinity_that_is_declared_but_does_not_occur_is_harmless():
    frame = pd.DataFrame({"a": pd.Categorical([1.5, None], categories=[1.5, INF])})
    assert_array_equal(read_table(frame).values, [[0], [NAN]])
