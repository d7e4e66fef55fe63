"""Sniffing: the delimiter and the decimal mark of the first rows."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.data.files.csv_rows import N_ROWS, first_rows
from treewright.data.files.csv_table import DELIMITERS, find_number, sniff_decimal, sniff_delimiter


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a;b;c\n1,5;x;3\n2,5;y;4\n", ";"),
        ("a\tb\nx, y; z\tw\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ('"a;b","c;d"\n1,2\n', ","),
        ('a,b\n"x;y;z",1\n', ","),
        ("name,tags\nann,p|q\nbob,r|s\n", ","),
        ("one\ntwo\n", ","),
        ("a,b,c\n1,2,3\n4,5\n6,7,8\n", ","),
        ("a b,c\n1,5 2,1\n", ","),
        ("", ","),
    ],
)
def test_delimiters(text, delimiter):
    assert sniff_delimiter(text) == delimiter


@given(
    delimiter=st.sampled_from(DELIMITERS),
    rows=st.integers(2, 5).flatmap(
        lambda n: st.lists(st.lists(st.text(max_size=5), min_size=n, max_size=n), min_size=3, max_size=9)
    ),
)
def test_a_delimiter_that_is_written_is_found(delimiter, rows):
    out = io.StringIO(newline="")
    names = [f"name {i}" for i in range(len(rows[0]))]
    csv.writer(out, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    assert sniff_delimiter(out.getvalue()) == delimiter


def test_decimal_marks():
    assert sniff_decimal([["1,5", "x"]], ";") == ","
    assert sniff_decimal([["1,5"]], ",") == "."
    assert sniff_decimal([["1,5", "2.5"]], ";") == "."
    assert sniff_decimal([["1", "a,b"]], ";") == "."
    assert sniff_delimiter("a\n1,5\n", decimal=",") == ";"


def test_numbers_among_names():
    assert find_number(["a", "2019"], ".") == "2019"
    assert find_number(["a", "b1", "x.5", ""], ".") is None
    assert first_rows("a,b\n\n 1 ,2\n", ",") == [["a", "b"], ["1", "2"]]
    assert len(first_rows("a,b\n" * 1000, ",")) == N_ROWS
