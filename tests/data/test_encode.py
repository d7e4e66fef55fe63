"""Tables into matrices: the same whatever library they come in, and back into words."""

import timeit
from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from treewright.data.encode import (
    UNSEEN,
    UNSEEN_POLICIES,
    Unseen,
    encode_table,
    read_table,
    refuse_missing,
    unseen_message,
)
from treewright.data.schema import Column, Kind
from treewright.errors import InputError, KindError, ParameterError

NAN = np.nan
GOLF = {
    "outlook": ["sunny", "rainy", None, "overcast"],
    "temperature": [85.0, None, 70.5, 64.0],
    "rounds": [1, 2, 3, 2],
    "windy": [False, True, None, True],
    "天气": ["晴", "雨", "", "晴"],
}
COLUMNS = (
    Column("outlook", Kind.CATEGORY, ("overcast", "rainy", "sunny")),
    Column("temperature", Kind.NUMBER),
    Column("rounds", Kind.NUMBER),
    Column("windy", Kind.CATEGORY, (False, True)),
    Column("天气", Kind.CATEGORY, ("", "晴", "雨")),
)
VALUES = [[2, 85, 1, 0, 1], [1, NAN, 2, 1, 2], [NAN, 70.5, 3, NAN, 0], [0, 64, 2, 1, 1]]


def rows(table):
    return [list(row) for row in zip(*table.values(), strict=True)]


def masked(table):
    """A masked array of objects; something stands under the mask, but nobody may look."""
    mask = [[cell is None for cell in row] for row in rows(table)]
    cells = [["junk" if cell is None else cell for cell in row] for row in rows(table)]
    return np.ma.masked_array(np.array(cells, dtype=object), mask=mask)


LIBRARIES = {
    "pandas": lambda table: pd.DataFrame({name: pd.Series(cells) for name, cells in table.items()}),
    "pandas object": lambda table: pd.DataFrame(table, dtype=object),
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "pandas arrow": lambda table: pa.table(table).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda table: pl.DataFrame(table, strict=False),
    "pyarrow": pa.table,
    "numpy": lambda table: np.array(rows(table), dtype=object),
    "numpy masked": masked,
    "list": rows,
}
each_library = pytest.mark.parametrize("library", LIBRARIES)


@each_library
def test_every_library_is_read_alike(library):
    table = read_table(LIBRARIES[library](GOLF))
    unnamed = library in ("numpy", "numpy masked", "list")
    names = [f"x{i}" for i in range(5)] if unnamed else list(GOLF)
    assert table.columns == tuple(
        Column(n, c.kind, c.categories) for n, c in zip(names, COLUMNS, strict=True)
    )
    assert table.feature_names == (None if unnamed else list(GOLF))
    assert_array_equal(table.values, VALUES)


@each_library
def test_every_library_is_encoded_alike(library):
    assert_array_equal(encode_table(LIBRARIES[library](GOLF), COLUMNS).values, VALUES)


@pytest.mark.parametrize(
    "dtype",
    [object, "str", "string", "category", pd.CategoricalDtype(["sunny", "?", "rainy", "overcast"])],
    ids=str,
)
def test_other_types_and_orders_give_the_fitted_codes(dtype):
    column = pd.DataFrame({"outlook": pd.Series(GOLF["outlook"], dtype=dtype)})
    for frame in (column, pl.from_pandas(column), pa.Table.from_pandas(column)):
        assert encode_table(frame, COLUMNS[:1]).values.ravel().tolist()[:2] == [2, 1]


def test_polars_categories_give_the_fitted_codes():
    for dtype in (pl.Categorical, pl.Enum(["sunny", "?", "rainy", "overcast"])):
        frame = pl.DataFrame({"outlook": pl.Series(GOLF["outlook"], dtype=dtype)})
        assert_array_equal(encode_table(frame, COLUMNS[:1]).values.ravel(), [2, 1, NAN, 0])


cells = {
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "whole": st.integers(-(2**53), 2**53),
    "text": st.text(max_size=3),
    "truth": st.booleans(),
}


@st.composite
def tables(draw):
    """A table of one to five rows; every column has one cell that is known, so that its kind is."""
    kinds = draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, max_size=4))
    n_rows = draw(st.integers(1, 5))
    return {
        f"{kind}{i}": [draw(cells[kind])] + [draw(st.none() | cells[kind]) for _ in range(n_rows - 1)]
        for i, kind in enumerate(kinds)
    }


@given(tables(), st.sampled_from(sorted(LIBRARIES)))
def test_what_is_read_can_be_said_again(table, other):
    """Codes back into words give the table, whatever library it came in; another reading gives the codes."""
    for make in LIBRARIES.values():
        read = read_table(make(table))
        for column, codes, (name, known) in zip(read.columns, read.values.T, table.items(), strict=True):
            assert column.kind == (Kind.CATEGORY if name[:2] in ("te", "tr") else Kind.NUMBER)
            words = [column.categories[int(c)] if column.categories and c == c else c for c in codes]
            assert [None if word != word else word for word in words] == known
        assert_array_equal(encode_table(LIBRARIES[other](table), read.columns).values, read.values)


@given(st.lists(st.integers(-3, 3) | st.sampled_from([0.5, None]), min_size=1))
def test_declared_numbers_are_categories_of_their_values(numbers):
    frame = pd.DataFrame({"a": pd.Series(numbers, dtype="float64")})
    for X in (frame, frame.to_numpy(), pl.from_pandas(frame), [[n] for n in numbers]):
        table = read_table(X, categorical_features=[0])
        column = table.columns[0]
        assert column.kind == Kind.CATEGORY
        assert list(column.categories) == sorted({n for n in numbers if n is not None})
        assert all(isinstance(c, int) or c == 0.5 for c in column.categories)
        assert [None if np.isnan(c) else column.categories[int(c)] for c in table.values[:, 0]] == numbers
        assert_array_equal(encode_table(X, table.columns).values, table.values)


def test_ordered_categories_are_ordered_unless_declared():
    frame = pd.DataFrame({"size": pd.Categorical(["L", "S"], categories=["S", "M", "L"], ordered=True)})
    assert read_table(frame).columns == (Column("size", Kind.ORDERED, ("S", "M", "L")),)
    assert read_table(frame).values.tolist() == [[2.0], [0.0]]
    assert read_table(frame, ["size"]).columns == (Column("size", Kind.CATEGORY, ("S", "M", "L")),)


def test_text_is_a_category_though_another_column_is_declared():
    table = read_table([["a", 1, 2]], categorical_features=[False, True, False])
    assert [c.kind for c in table.columns] == [Kind.CATEGORY, Kind.CATEGORY, Kind.NUMBER]


def test_mixtures_need_a_declaration():
    X = np.array([["b"], [1], [2.5]], dtype=object)
    with pytest.raises(
        InputError,
        match=r"Column 'x0' mixes different kinds of values, for example the number 2\.5 and the string 'b'",
    ):
        read_table(X)
    assert read_table(X, [0]).columns[0].categories == (2.5, 1, "b")


def test_declarations_name_columns():
    with pytest.raises(ParameterError, match=r"'outlok'.*'outlook'"):
        read_table(pd.DataFrame(GOLF), ["outlok"])


@pytest.mark.parametrize("order", ["C", "F"])
def test_plain_arrays_are_not_copied(order):
    X = np.asarray([[1.0, 2.0], [3.0, NAN]], order=order)
    table = read_table(X)
    assert table.values is X
    assert encode_table(X, table.columns).values is X
    assert encode_table(X[::2], table.columns).values.base is X


def test_a_memory_map_is_not_copied(tmp_path):
    X = np.memmap(tmp_path / "table", dtype=np.float64, mode="w+", shape=(3, 2))
    assert np.shares_memory(read_table(X).values, X)


def test_reading_an_array_is_quick():
    X = np.random.default_rng(0).normal(size=(150, 4))
    assert min(timeit.repeat(lambda: read_table(X), number=100, repeat=20)) / 100 < 40e-6


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64, np.uint8, np.dtype(">f8"), object])
def test_arrays_of_other_numbers(dtype):
    X = np.array([[1, 2], [3, 4]], dtype=dtype)
    table = read_table(X)
    assert table.values.dtype == np.float64
    assert table.values.tolist() == [[1, 2], [3, 4]]
    assert [c.kind for c in table.columns] == [Kind.NUMBER, Kind.NUMBER]


def test_truth_arrays_are_categories():
    table = read_table(np.array([[True, True], [False, True]]))
    assert table.columns == (
        Column("x0", Kind.CATEGORY, (False, True)),
        Column("x1", Kind.CATEGORY, (False, True)),
    )
    assert table.values.tolist() == [[1, 1], [0, 1]]


def test_close_numbers_stay_apart_and_zeros_meet():
    for make in LIBRARIES.values():
        values = read_table(make({"a": [1.0, 1.0 + 1e-9, -0.0]})).values[:, 0]
        assert values[0] != values[1]
        assert not np.signbit(values[2])


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1])
def test_long_whole_numbers_name_their_column(value):
    X = np.array([[0, 0], [0, value]])
    with pytest.raises(InputError, match=f"^Column 'x1' has the value {value}"):
        read_table(X)
    with pytest.raises(InputError, match=f"^Column 'b' has the value {value}"):
        read_table(pd.DataFrame(X, columns=["a", "b"]))
    assert read_table(np.array([[2**60]])).values.tolist() == [[2.0**60]]


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_names_its_column(value):
    X = np.array([[1.0, NAN], [NAN, value]])
    for read in (read_table, lambda X: encode_table(X, COLUMNS[1:3])):
        with pytest.raises(InputError, match=f"^Column 'x1' has the infinite value {value} in row 1"):
            read(X)
        with pytest.raises(InputError, match=f"^Column 'b' has the infinite value {value} in row 1"):
            read(pl.DataFrame(X, schema=["a", "b"]))


def test_large_numbers_are_not_taken_for_infinity():
    X = np.array([[1.7e308], [1.7e308]])
    assert read_table(X).values is X


def test_a_category_that_training_never_showed():
    with pytest.raises(
        InputError,
        match=r"^Column 'outlook' has the value 'mauve', which does not occur in training; "
        r"use one of 'overcast', 'rainy', 'sunny'\.$",
    ):
        encode_table([["sunny"], ["mauve"]], COLUMNS[:1])
    many = Column("n", Kind.CATEGORY, tuple(range(20)))
    with pytest.raises(InputError, match=r"value 20, .* 6, 7 and 12 more"):
        encode_table([[3], [20.0]], [many])


SEASIDE = {
    "outlook": ["fog", "sunny", None, "haze", "fog"],
    "rounds": [1, 2, 3, None, 4],
    "windy": [True, "hm"] * 2 + [1],
}
SEEN = (COLUMNS[0], COLUMNS[2], COLUMNS[3])
NEW = (Unseen("outlook", "fog", 2), Unseen("outlook", "haze", 1), Unseen("windy", "hm", 2))


@pytest.mark.parametrize(("policy", "code"), [("missing", NAN), ("mark", UNSEEN)])
@pytest.mark.parametrize("library", ["pandas object", "numpy", "numpy masked", "list"])
def test_unseen_categories_become_what_the_policy_says(library, policy, code):
    encoded = encode_table(LIBRARIES[library](SEASIDE), SEEN, policy)
    assert encoded.unseen == NEW
    assert_array_equal(
        encoded.values, [[code, 1, 1], [2, 2, code], [NAN, 3, 1], [code, NAN, code], [code, 4, 1]]
    )


@pytest.mark.parametrize(
    "dtype", ["str", "string", "category", pd.CategoricalDtype(["?", "haze", "sunny", "fog"])], ids=str
)
def test_unseen_categories_come_in_the_order_of_the_rows_whatever_the_type(dtype):
    frame = pd.DataFrame({"outlook": pd.Series(SEASIDE["outlook"], dtype=dtype)})
    for X in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame)):
        encoded = encode_table(X, SEEN[:1], "mark")
        assert encoded.unseen == NEW[:2]
        assert_array_equal(encoded.values.ravel(), [UNSEEN, 2, NAN, UNSEEN, UNSEEN])


words = st.sampled_from(["a", "b", "c", "d", "e", None])


@given(st.sets(words), st.lists(words, min_size=1), st.sampled_from(sorted(LIBRARIES)))
def test_unseen_categories_are_those_that_a_count_finds(seen, cells, library):
    column = Column("a", Kind.CATEGORY, tuple(sorted(seen - {None})))
    lost = Counter(cell for cell in cells if cell is not None and cell not in seen)
    encoded = encode_table(LIBRARIES[library]({"a": cells}), [column], "mark")
    assert encoded.unseen == tuple(Unseen("a", value, n_rows) for value, n_rows in lost.items())
    for code, cell in zip(encoded.values[:, 0].tolist(), cells, strict=True):
        if cell is None:
            assert code != code
        else:
            assert code == (column.categories.index(cell) if cell in seen else UNSEEN)


def test_numbers_that_are_categories_may_be_unseen():
    shelf = Column("shelf", Kind.CATEGORY, (3, 7))
    encoded = encode_table(np.array([[3.0], [7.5], [NAN], [7.0]]), [shelf], "missing")
    assert encoded.unseen == (Unseen("shelf", 7.5, 1),)
    assert_array_equal(encoded.values.ravel(), [0, NAN, NAN, 1])


def test_ordered_categories_may_be_unseen():
    size = Column("size", Kind.ORDERED, ("S", "M", "L"))
    encoded = encode_table([["M"], ["XL"]], [size], "mark")
    assert encoded.unseen == (Unseen("size", "XL", 1),)
    assert encoded.values.ravel().tolist() == [1, UNSEEN]


@pytest.mark.parametrize("policy", UNSEEN_POLICIES)
def test_numbers_are_never_unseen(policy):
    X = np.array([[1e9, NAN], [-1e9, 0.0]])
    encoded = encode_table(X, COLUMNS[1:3], policy)
    assert encoded.values is X
    assert encoded.unseen == ()


def test_unknown_policies_are_refused_for_every_table():
    for X, columns in ((np.ones((1, 1)), COLUMNS[1:2]), ([["sunny"]], COLUMNS[:1])):
        with pytest.raises(
            ParameterError, match=r"unseen must be one of 'error', 'missing', 'mark'.*, got 'majority'"
        ):
            encode_table(X, columns, "majority")


def test_unseen_categories_that_do_not_occur_are_harmless():
    frame = pd.DataFrame({"outlook": pd.Categorical(["sunny"], categories=["mauve", "sunny"])})
    assert encode_table(frame, COLUMNS[:1]).values.tolist() == [[2.0]]


def test_text_where_training_had_numbers():
    with pytest.raises(InputError, match=r"^Column 'temperature' must contain numbers, got 'hot'"):
        encode_table([["hot"]], COLUMNS[1:2])
    with pytest.raises(
        InputError,
        match="Column 'temperature' mixes different kinds of values, for example the number 1 and the string",
    ):
        encode_table([["hot"], [1]], COLUMNS[1:2])


def test_numbers_and_truth_values_meet():
    assert encode_table(np.array([[True], [False]]), COLUMNS[1:2]).values.tolist() == [[1.0], [0.0]]
    assert encode_table(np.array([[1.0], [0.0]]), COLUMNS[3:4]).values.tolist() == [[1.0], [0.0]]


def test_the_number_of_columns_must_be_that_of_training():
    sentence = r"^X has 1 features, but \w+ is expecting 2 features as input: 'temperature', 'rounds'.$"
    for X in (np.ones((3, 1)), [[1.0]], pd.DataFrame({"a": [1]})):
        with pytest.raises(InputError, match=sentence):
            encode_table(X, COLUMNS[1:3])


def test_shapes_are_checked_at_predict_too():
    with pytest.raises(InputError, match="Reshape your data"):
        encode_table(np.ones(2), COLUMNS[1:3])
    with pytest.raises(InputError, match=r"0 sample\(s\)"):
        encode_table(np.ones((0, 2)), COLUMNS[1:3])


def test_cells_that_cannot_be_read():
    X = np.ones((3, 2)).astype(object)
    X[0, 0] = {"foo": "bar"}
    said = r"^Column 'x0' contains \{'foo': 'bar'\} of type dict; .* argument must be a string, a boolean or a number"
    with pytest.raises(KindError, match=said):
        read_table(X)


def test_refuse_missing_names_the_first_column():
    table = read_table(pl.DataFrame(GOLF))
    with pytest.raises(
        InputError,
        match=r"^Column 'outlook' has a missing value \(NaN\) in row 2; "
        r"fill it, drop the row, or pass another `missing`\.$",
    ):
        refuse_missing(table.columns, table.values)
    with pytest.raises(InputError, match=r"^Column 'temperature' .* row 1"):
        refuse_missing(table.columns[1:], table.values[:, 1:])
    refuse_missing(table.columns[4:], table.values[:, 4:])


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_declared_categories_of_a_plain_array_leave_the_array_alone(dtype: type) -> None:
    X = np.array([[30, 1], [-10, 2], [30, 3]], dtype=dtype)
    before = X.copy()
    table = read_table(X, [0])
    assert np.array_equal(X, before)
    assert table.columns[0].categories == (-10, 30)
    assert table.values.tolist() == [[1.0, 1.0], [0.0, 2.0], [1.0, 3.0]]


@given(
    st.lists(
        st.integers(-300, 300) | st.just(10**9) | st.floats(-3, 3).map(lambda x: round(x, 1)), min_size=1
    )
)
def test_categories_of_numbers_are_those_of_unique(cells: list[float]) -> None:
    values = np.array(cells, dtype=np.float64)
    table = read_table(values[:, None], [0])
    found, codes = np.unique(values, return_inverse=True)
    assert list(table.columns[0].categories) == found.tolist()
    assert table.values[:, 0].tolist() == codes.tolist()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("suny", "sunny"), ("SUNNY", "sunny"), ("rian", "rain"), ("fog", None), ("", None), (3, None), ("s" * 999, None)],
)
def test_a_misspelt_category_is_recognised(typed, meant):
    column = Column("outlook", Kind.CATEGORY, ("overcast", "rain", "sunny"))
    encoded = encode_table([["rain"], [typed], [typed]], [column], "missing")
    assert [(one.similar, list(one.rows)) for one in encoded.unseen] == [(meant, [1, 2])]
    message = unseen_message(encoded.unseen, "such a value is treated as missing")
    assert ("did you mean" in message) == (meant is not None)
    with pytest.raises(InputError, match=f"; did you mean '{meant}'\\? Use one of" if meant else "; use one of"):
        encode_table([[typed]], [column], "error")


def test_no_suggestion_is_searched_for_among_very_many_categories():
    many = Column("id", Kind.CATEGORY, tuple(f"a{i}" for i in range(1_001)))
    assert encode_table([["a1_"]], [many], "missing").unseen[0].similar is None
