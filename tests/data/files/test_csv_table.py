"""CSV and its like: what other writers write is read back, and odd texts are read as Python's csv module reads them."""

import csv
import io

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import InputError, read
from treewright.data.files.csv_table import TextOptions, open_csv
from treewright.data.files.source import Source

# Spaces around a cell are not kept, so the cells here have none; a NUL is no text.
CELLS = st.text(st.sampled_from('ab1 ",;|\t\n.-é色'), max_size=6).map(lambda cell: cell.strip(" \t\n"))
WORDS = st.one_of(CELLS, st.sampled_from(["", "x", 'say "so"', "a,b", "two\nlines", "'", "色"]))
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.tuples(*[WORDS] * width), min_size=1, max_size=8)
)
DIALECTS = st.fixed_dictionaries(
    {
        "delimiter": st.sampled_from(",;\t|"),
        "quoting": st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
        "lineterminator": st.sampled_from(["\n", "\r\n"]),
    }
)


def written(rows, **dialect):
    out = io.StringIO(newline="")
    csv.writer(out, **dialect).writerows(rows)
    return out.getvalue().encode("utf-8")


def cells(data, **layout):
    """The rows of a text as text, empty cells as None."""
    source = Source("table.csv", data, None, ".csv")
    table = open_csv(source, TextOptions(missing=(), **layout))
    frames = [table.lazy.collect()] if table.n_rows else []
    return [tuple(cell or None for cell in row) for frame in frames for row in frame.rows()], table


@given(rows=TABLES, dialect=DIALECTS, bom=st.booleans())
def test_what_the_csv_module_writes_is_read_back(rows, dialect, bom):
    names = [f"c{i}" for i in range(len(rows[0]))]
    data = (b"\xef\xbb\xbf" if bom else b"") + written([names, *rows], **dialect)
    found, table = cells(data, delimiter=dialect["delimiter"])
    expected = [tuple(cell or None for cell in row) for row in rows]
    if len(names) == 1:  # a row of one empty cell may be a blank line
        found, expected = ([row for row in some if row[0]] for some in (found, expected))
    assert table.names == tuple(names)
    assert found == expected


@given(rows=TABLES, delimiter=st.sampled_from(",;\t|"))
def test_what_polars_writes_is_read_back(rows, delimiter):
    frame = pl.DataFrame(rows, schema=[f"c{i}" for i in range(len(rows[0]))], orient="row")
    found, _ = cells(frame.write_csv(separator=delimiter).encode("utf-8"), delimiter=delimiter)
    expected = [tuple(cell or None for cell in row) for row in frame.rows()]
    if frame.width == 1:
        found, expected = ([row for row in some if row[0]] for some in (found, expected))
    assert found == expected


@given(st.lists(st.text(st.sampled_from('a,"\n '), max_size=8), min_size=1, max_size=6))
def test_odd_quotes_are_read_as_the_csv_module_reads_them(lines):
    text = "p,q\n" + "\n".join(lines) + "\n"
    all_rows = list(csv.reader(io.StringIO(text, newline=""), skipinitialspace=True))
    rows = [
        [cell.strip(" \t") for cell in row]
        for row in all_rows
        if len(row) > 1 or (row and row[0].strip(" \t"))
    ]
    said = ""
    try:
        found, _ = cells(text.encode("utf-8"), delimiter=",", header=True)
    except InputError as error:
        said = str(error)
    if said:
        assert "never closed" in said or any(len(row) not in (0, 2) for row in all_rows)
        return
    assert [tuple((cell or "").strip(" \t") or None for cell in row) for row in found] == [
        tuple(cell or None for cell in row) for row in rows[1:]
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\r\n1,x\r\n2,y\r\n", [(1.0, "x"), (2.0, "y")]),
        ("a,b\r1,x\r2,y\r", [(1.0, "x"), (2.0, "y")]),
        ("a,b\n1,x\n2,y", [(1.0, "x"), (2.0, "y")]),
        ("\n\na,b\n\n1,x\n \t\n2,y\n\n\n", [(1.0, "x"), (2.0, "y")]),
        (' a , "b"\n 1 , "x" \n2,\ty\n', [(1.0, "x"), (2.0, "y")]),
        ('a,b\n"1","x"\n"2",y\n', [(1.0, "x"), (2.0, "y")]),
        ('a,b\n1,5" pipe\n2,"say ""so"""\n', [(1.0, '5" pipe'), (2.0, 'say "so"')]),
        ('a,b\n1,"x, y\nz"\n2,y\n', [(1.0, "x, y\nz"), (2.0, "y")]),
        ('a,b\n1,"p;q"\n2,"r;s"\n', [(1.0, "p;q"), (2.0, "r;s")]),
        ("a,b\n1,x'y\n2,'\n", [(1.0, "x'y"), (2.0, "'")]),
        ("a;b\n1,5;x\n2;y\n", [(1.5, "x"), (2.0, "y")]),
        ("a;b\n1.5;x\n2;y\n", [(1.5, "x"), (2.0, "y")]),
        ("a\tb\n1,5\tx\n2\ty\n", [(1.5, "x"), (2.0, "y")]),
        ("a|b\n1|x\n2|y\n", [(1.0, "x"), (2.0, "y")]),
        ("a\n1\n\n2\n", [(1.0,), (2.0,)]),
        ("a,b\n1,#x\n2,# y\n", [(1.0, "#x"), (2.0, "# y")]),
    ],
)
def test_hand_made(put, text, expected):
    assert read(put(text)).X.rows() == expected


def test_decimal_commas(put):
    text = "a;b;c\n1,5;-0,25;1.5\n2;,5e1;x\n"
    assert read(put(text), decimal=",").X.rows() == [(1.5, -0.25, "1.5"), (2.0, 5.0, "x")]
    assert read(put("a\n1,5\n2,5\n"), decimal=",").X.rows() == [(1.5,), (2.5,)]
    assert read(put('a,b\n"1,5",2\n'), decimal=",", delimiter=None).X.columns == ["a,b"]
    mixed = read(put("a;b\n1.5;2,5\n2.5;3,5\n")).X
    assert mixed.rows() == [(1.5, 2.5), (2.5, 3.5)]


def test_a_delimiter_of_ones_own(put):
    assert read(put("a:b\n1:x,y;z\n"), delimiter=":").X.rows() == [(1.0, "x,y;z")]


@pytest.mark.parametrize(
    ("header", "names", "n_rows"),
    [(None, ["a", "b"], 2), (True, ["a", "b"], 2), (False, ["x0", "x1"], 3), (["p", "q"], ["p", "q"], 3)],
)
def test_header(put, header, names, n_rows):
    X = read(put("a,b\n1,2\n3,4\n"), header=header).X
    assert (X.columns, X.height) == (names, n_rows)


def test_numbers_as_names_have_to_be_said(put):
    assert read(put("2019,2020\n1,2\n"), header=True).X.columns == ["2019", "2020"]
    assert read(put("2019,2020\n1,2\n"), header=False).X.rows() == [(2019.0, 2020.0), (1.0, 2.0)]


def test_columns_without_a_name_get_one(put):
    data = read(put(",x1,b,\n0,1,2,3\n"))
    assert data.X.columns == ["x0", "x1", "b", "x3"]
    assert "Column 1 of" in data.notes[0]
    assert "is called 'x0'." in data.notes[0]
    assert read(put("x1,\n0,1\n")).X.columns == ["x1", "x2"]


def test_lines_are_counted_over_quoted_line_ends_and_blank_lines(put):
    with pytest.raises(ValueError, match="Column 'b' must contain numbers, got 'bad' in line 8"):
        read(put('a,b\n\n"x\ny\nz",1\n\n\nw,bad\n'), numeric=["b"])


def test_a_huge_cell_and_many_columns(put):
    long = "x" * 3_000_000
    data = read(put(f"a,b\n1,{long}\n2,y\n"))
    assert data.X["b"].to_list() == [long, "y"]
    assert len(str(data)) < 2000
    names = [f"c{i}" for i in range(10_000)]
    wide = read(
        put(
            ",".join(names)
            + "\n"
            + ",".join("1" for _ in names)
            + "\n"
            + ",".join("2" if i % 50 else "x" for i in range(10_000))
        )
    )
    assert wide.X.shape == (2, 10_000)
    assert wide.X.dtypes[:2] == [pl.String, pl.Float64]


def test_blocks_are_put_together(put, monkeypatch):
    monkeypatch.setattr("treewright.data.files.csv_table.BYTES_AT_ONCE", 64)
    monkeypatch.setattr("treewright.data.files.csv_structure.PIECE", 50)
    rows = [(i / 4, f"w{i % 7}", None if i % 5 else i) for i in range(300)]
    frame = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    data = read(put(frame.write_csv()))
    assert data.X.rows() == [(a, b, None if c is None else float(c)) for a, b, c in rows]
    late = frame.write_csv().replace("74.75,", "late,")
    assert read(put(late)).X["a"].to_list()[-2:] == [74.5, None]


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_the_same_as_pandas_and_polars_where_they_agree(put, quoting):
    frame = pl.DataFrame(
        {
            "n": [1.5, None, -3e-7, 12345678.0],
            "w": ["a,b", 'q"q', None, "色"],
            "k": [1, 2, 3, 4],
            "lines": ["one", "two\nlines", "", "x"],
        }
    )
    path = put(written([frame.columns, *frame.rows()], quoting=quoting))
    ours = read(path).X
    theirs = pd.read_csv(path)
    assert ours["n"].to_list() == [None if v != v else v for v in theirs["n"]]
    assert ours["w"].to_list() == [None if v != v else v for v in theirs["w"]]
    by_polars = pl.read_csv(path, infer_schema_length=None)
    assert ours["k"].to_list() == by_polars["k"].cast(pl.Float64).to_list()
    assert ours["lines"].to_list() == [v or None for v in by_polars["lines"].to_list()]
