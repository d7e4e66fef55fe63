"""Kinds: which columns of text are numbers, and the reason that is given."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import read
from treewright.data.files.cell_parsing import is_number
from treewright.data.files.date_forms import FORMS, parse_date


def column(put, *cells, **given):
    """The one column that these cells make, and the notes."""
    data = read(put("x,row\n" + "".join(f"{cell},r{i % 2}\n" for i, cell in enumerate(cells))), **given)
    return data.columns[0], data.X["x"], data.notes


@pytest.mark.parametrize(
    "cells",
    [["1", "-2.5", "+3", ".5", "6.", "1e3", "-2E-4", "", "?", "NA", "nan", "#N/A", "0", "0.5", "-0.5"]],
)
def test_numbers(put, cells):
    found, series, notes = column(put, *cells)
    assert (found.kind, notes) == ("number", ())
    assert series.dtype == pl.Float64
    assert series.to_list() == [
        1.0,
        -2.5,
        3.0,
        0.5,
        6.0,
        1000.0,
        -0.0002,
        None,
        None,
        None,
        None,
        None,
        0.0,
        0.5,
        -0.5,
    ]


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (["red", "blue"], "text, such as 'red'"),
        (["1", "00123"], "codes: '00123' in line 3 begins with a zero"),
        (["-01", "2"], "codes: '-01' in line 2 begins with a zero"),
        (
            ["1", "1234567890123456"],
            "codes: '1234567890123456' in line 3 has more than 15 digits",
        ),
        (["1", "two", "3"], "1 of 3 known cells are not numbers, such as 'two' in line 3"),
        (["0x1F", "0x20"], "text, such as '0x1F'"),
        (["1_000", "2_000"], "text, such as '1_000'"),
        (["１", "２"], "text, such as '１'"),
        (["true", "false", ""], "booleans"),
        (["Yes", "no"], "booleans"),
        (["ja", "nein"], "booleans"),
        (["是", "否"], "booleans"),
        (["$5", "€6"], "text, such as '$5'"),
        (["5 kg", "6 lb"], "text, such as '5 kg'"),
        (["Q1", "Q2"], "text, such as 'Q1'"),
        (["192.168.1.1", "10.0.0.1"], "text, such as '192.168.1.1'"),
        (["2024-02-29", "never"], "text, such as '2024-02-29'"),
    ],
)
def test_categories(put, cells, why):
    found, series, _ = column(put, *cells)
    assert (found.kind, found.why) == ("category", why)
    assert series.to_list() == [cell or None for cell in cells]


@pytest.mark.parametrize(
    ("cells", "why", "n_values"),
    [
        (["1.5", "2"], "every known cell is a number", 2),
        ([str(i) for i in range(11)], "every known cell is an integer", 11),
        (["1", "2", "1"], "integers with 2 distinct values; use `categorical` if they are codes", 2),
        (["7", "7"], "constant", 1),
        (["", "?"], "no known values", 0),
        (["123456789012345", "2.5"], "every known cell is a number", 2),
        (["0.12345678901234567", "2"], "every known cell is a number", 2),
    ],
)
def test_reasons_of_numbers(put, cells, why, n_values):
    found, _, _ = column(put, *cells)
    assert (found.kind, found.why, found.n_values) == ("number", why, n_values)


def test_a_few_words_among_numbers_are_worth_a_note(put):
    _, _, notes = column(put, *["5"] * 18, "unknown")
    assert notes == (
        "Column 'x' is a category, although 18 of 19 known cells are numbers; "
        "if 'unknown' means a missing value, pass it as a missing-value marker.",
    )
    found, series, notes = column(put, *["5"] * 19, "unknown")
    assert (found.kind, series[19]) == ("number", None)
    assert notes == (
        "Column 'x': 1 of 20 known cells does not fit and becomes missing: 'unknown' in line 21.",
    )
    found, series, notes = column(put, *["5"] * 19, "unknown", missing=["unknown"])
    assert (found.kind, notes, series.null_count()) == ("number", (), 1)


def test_codes_are_worth_a_note(put):
    _, _, notes = column(put, "007")
    assert notes == ("Column 'x' is a category, because '007' in line 2 begins with a zero; "
                     "use `numeric` if these are numbers.",)  # fmt: skip


def test_markers_can_be_changed_but_an_empty_cell_is_missing(put):
    _, series, _ = column(put, "?", "NA", "-9", "", "5", missing=["-9"])
    assert series.to_list() == ["?", "NA", None, None, "5"]
    _, series, _ = column(put, "?", "5", missing=())
    assert series.to_list() == ["?", "5"]


def test_late_cells_are_found(put):
    found, series, notes = column(put, *["1"] * 5000, "late")
    assert notes[0].endswith("1 of 5001 known cells does not fit and becomes missing: 'late' in line 5002.")
    assert (found.kind, series.to_list()[-2:]) == ("number", [1.0, None])


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["{!r}", "{:.3f}", "{:e}", "{:g}"]))
def test_every_way_to_write_a_float_is_a_number(value, form):
    text = form.format(value)
    assert is_number(text, ".")
    assert is_number(text.replace(".", ","), ",")
    read_back = pl.Series([text]).cast(pl.Float64)[0]
    assert read_back == float(text) or math.isinf(read_back)


@given(st.text(st.sampled_from("0123456789.,eE+-_ xnaif１"), max_size=7))
def test_what_reads_as_a_number_is_one_for_polars_too(cell):
    by_polars = pl.Series([cell]).cast(pl.Float64, strict=False)[0]
    known = by_polars is not None and not math.isnan(by_polars) and "inf" not in cell.lower()
    assert is_number(cell, ".") == known


@given(st.datetimes())
def test_dates_of_python_are_dates(moment):
    assert parse_date(moment.isoformat(), "ymd") == moment
    assert parse_date(str(moment.date()), "ymd").date() == moment.date()
    assert parse_date(str(moment.time()), "time") == moment.time()


def test_what_only_looks_like_dates():
    for word in ["2024", "1-2", "5/11", "10:5", "2024-13", "v1.2.2024x", "", "1:2:3", "2023-02-29"]:
        assert all(parse_date(word, form) is None for form in FORMS)
