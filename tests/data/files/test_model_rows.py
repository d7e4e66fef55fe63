"""Coded frames of text are what the usual way of like_schema and encode_table makes of them."""

import numpy as np
import polars as pl
import pytest

from treewright import InputError
from treewright.data.encode import encode_table
from treewright.data.files.model_rows import RowEncoder, select_model_columns
from treewright.data.schema import Column, Kind

COLUMNS = (
    Column("size", Kind.NUMBER),
    Column("colour", Kind.CATEGORY, ("blue", "red", "色")),
    Column("windy", Kind.CATEGORY, (False, True)),
    Column("grade", Kind.ORDERED, ("low", "high")),
    Column("floor", Kind.CATEGORY, (1, 2, 3)),
)
PLAIN = {
    "size": ["1.5", "-0", "1e3", ".5"],
    "colour": ["red", "blue", "色", "red"],
    "windy": ["true", "False", "1", "0"],
    "grade": ["low", "high", "low", "low"],
    "floor": ["1", "2.0", "3", "1"],
}
MISSING = ("?", "NA")


def usual(frame, unseen="mark"):
    alike = select_model_columns(frame, COLUMNS, by_name=True, missing=MISSING)
    return encode_table(alike, COLUMNS, unseen)


def hard(seed):
    """A frame with odd cells here and there."""
    draw = np.random.default_rng(seed)
    odd = [None, "", " ", "?", "NA", " red ", "mauve", "007", "\tlow"]
    cells = {}
    for name, plain in PLAIN.items():
        column = list(plain) * 5
        for _ in range(draw.integers(0, 4)):
            word = odd[draw.integers(len(odd))]
            if name != "size" or word in (None, "", " ", "?", "NA", "007"):
                column[draw.integers(len(column))] = word
        cells[name] = column
    return pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String)).select(sorted(cells))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("unseen", ["mark", "missing"])
def test_codes_are_those_of_the_usual_way(seed, unseen):
    frame = hard(seed)
    found = RowEncoder(COLUMNS, True, unseen, MISSING).encode(frame)
    wanted = usual(frame, unseen)
    assert np.array_equal(found.values, wanted.values, equal_nan=True)
    assert not np.signbit(found.values[found.values == 0]).any()
    key = [(one.column, str(one.value), one.n_rows) for one in wanted.unseen]
    assert sorted((one.column, str(one.value), one.n_rows) for one in found.unseen) == sorted(key)


@pytest.mark.parametrize("cell", ["abc", "inf", "-Infinity", "1,5", "0x10"])
def test_what_is_no_number_is_refused(cell):
    frame = pl.DataFrame(PLAIN).with_columns(size=pl.Series(["1", "2", cell, "3"]))
    with pytest.raises(InputError, match="Column 'size'"):
        RowEncoder(COLUMNS, True, "mark", MISSING).encode(frame)


def test_an_unseen_word_is_refused_where_the_model_refuses_it():
    frame = pl.DataFrame(PLAIN).with_columns(colour=pl.lit("mauve"))
    with pytest.raises(InputError, match="Column 'colour' has the value 'mauve', which does not occur in training"):
        RowEncoder(COLUMNS, True, "error", MISSING).encode(frame)


def test_decimal_commas_and_columns_by_place():
    frame = pl.DataFrame({"any": ["1,5", "2", "-3,25"], "name": ["red", "red", "blue"]})
    found = RowEncoder(COLUMNS[:2], False, "mark", MISSING, decimal=",").encode(frame)
    assert found.values.tolist() == [[1.5, 1.0], [2.0, 1.0], [-3.25, 0.0]]


def test_typed_columns_are_coded_too():
    truths = {"windy": [True, False], "grade": ["low", "high"]}
    frame = pl.DataFrame({"size": [1.5, None], "colour": ["red", None], **truths, "floor": [3, 1]})
    found = RowEncoder(COLUMNS, True, "mark").encode(frame)
    nan = np.nan
    assert np.array_equal(found.values, [[1.5, 1, 1, 0, 2], [nan, nan, 0, 1, 0]], equal_nan=True)
