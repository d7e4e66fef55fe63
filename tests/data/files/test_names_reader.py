"""The files of C4.5 and C5.0: the rules of the programs' manuals, case by case, and what is written is read again."""

import datetime as dt
import gzip

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.data.files.declared_table import DeclaredTable
from treewright.data.files.names_reader import is_names_file, read_names, read_names_header, stem_of
from treewright.data.files.names_tokens import split_entries, split_rows
from treewright.data.files.table_writer import data_text, names_text, write_names
from treewright.errors import InputError

LABOR = """\
| Labor negotiations, as in the manual of C4.5

good, bad.

duration:            continuous.
wage increase  first year: continuous.   | two blanks are one
cost of living:      none, tcf,
                     tc.
working hours: discrete 3
pension: none, ret\\_allw, empl\\, contr
id: ignore
"""
LABOR_DATA = """\
1, 5.0, none, 40, none, a1, good.
2,4.5 ,tcf,35,ret_allw, a2,  bad
?,?,?,?,?,?,good | no more is known
3, 3.7, tc,
   38, empl\\, contr, St\\. Ives\\. , bad

"""


@pytest.fixture
def write(tmp_path):
    """Write the files of a stem; the stem."""

    def files(names, data, end="data"):
        (tmp_path / "x.names").write_text(names, encoding="utf-8")
        (tmp_path / f"x.{end}").write_text(data, encoding="utf-8")
        return tmp_path / "x"

    return files


def test_as_the_manual_has_it(write):
    table = read_names(write(LABOR, LABOR_DATA))
    assert table.frame.rows() == [
        (1, 5.0, "none", "40", "none", "a1", "good"),
        (2, 4.5, "tcf", "35", "ret_allw", "a2", "bad"),
        (None, None, None, None, None, None, "good"),
        (3, 3.7, "tc", "38", "empl, contr", "St. Ives.", "bad"),
    ]
    assert table.frame.columns[:3] == ["duration", "wage increase first year", "cost of living"]
    assert table.frame.columns[-1] == table.target == "class"
    assert table.levels == {
        "cost of living": ("none", "tcf", "tc"),
        "working hours": ("40", "35", "38"),
        "pension": ("none", "ret_allw", "empl, contr"),
        "class": ("good", "bad"),
    }
    assert table.numeric == {"duration", "wage increase first year"}
    assert table.ignored == {"id"}
    assert table.ordered == set()


def test_what_c50_adds(write):
    stem = write(
        "diagnosis.   | the target by its name\n"
        "age: continuous.\nsize: [ordered] small, middle, large.\nseen: date.\nID: label.\n"
        "diagnosis: negative, primary.\ncase weight: continuous.\nodd: 1, 2.\n"
        "attributes excluded: odd.\n",
        "41, small, 1999/10/30, 3733, negative, 2, 1\n?, N/A, ?, 1442, primary, 0.5, 2\nN/A, large, ?, 7, ?, 1, 2\n",
    )
    table = read_names(stem)
    assert table.target == "diagnosis"
    assert table.ordered == {"size"}
    assert table.ignored == {"ID", "odd"}
    assert table.frame["seen"].to_list() == [dt.datetime(1999, 10, 30), None, None]
    assert table.weights.tolist() == [2, 0.5, 1]
    assert "case weight" not in table.frame.columns
    assert table.levels["size"] == (
        "small",
        "middle",
        "large",
        "N/A",
    )  # not applicable: a category of its own
    assert table.frame["age"].to_list() == [41, None, None]  # and missing in a number
    assert table.frame["diagnosis"].to_list() == ["negative", "primary", None]


def test_attributes_included(write):
    stem = write("a, b.\nx: 1, 2.\ny: 1, 2.\nattributes included: y.\n", "1, 1, a\n")
    assert read_names(stem).ignored == {"x"}


def test_which_file_is_read(write, tmp_path):
    stem = write("a, b.\nx: continuous.\n", "1, a\n")
    (tmp_path / "x.test").write_text("2, b\n")
    (tmp_path / "x.cases").write_text("3\n4, ?\n")
    assert read_names(f"{stem}.names").frame["x"].to_list() == [1]
    assert read_names(f"{stem}.test").frame["x"].to_list() == [2]
    assert read_names(stem, part="test").name == f"{stem}.test"
    assert read_names(f"{stem}.cases").frame.rows() == [(3, None), (4, None)]
    assert stem_of(f"{stem}.data")[0] == str(stem)
    assert is_names_file(stem)
    assert not is_names_file(tmp_path / "y")


def test_compressed_and_encoded(tmp_path):
    (tmp_path / "x.names").write_bytes("grün, blau.\r\nGröße: continuous.\r\n".encode("latin-1"))
    (tmp_path / "x.data.gz").write_bytes(gzip.compress("1, grün\r\n2, blau.\r\n".encode("latin-1")))
    table = read_names(tmp_path / "x", encoding="latin-1")
    assert table.frame.rows() == [(1, "grün"), (2, "blau")]
    assert table.frame.columns[0] == "Größe"


@pytest.mark.parametrize(
    ("names", "data", "sentence"),
    [
        ("", "", r"x\.names' is empty; expected an entry with the classes, then an entry for each attribute"),
        (
            "a, b.\nx: continuous.\nx: 1, 2.",
            "",
            r".*, line 3: the attribute 'x' is repeated; remove one of them",
        ),
        ("a, a.\nx: continuous.", "", r".*, line 1: the class 'a' is repeated; remove one of them"),
        ("a, b.\nx: 1, 2,\n 1.", "", r".*, line 2: the category of 'x' '1' is repeated; remove one of them"),
        (
            "a, b.\nx: 1, , 2.",
            "",
            r".*, line 2: expected a name before ','; write one, or remove the character",
        ),
        ("a, b.\nx: 1: 2.", "", r".*, line 2: unexpected second colon after '1'; write \\: in a name"),
        ("a, b.\nx.", "", r".*, line 2: expected an attribute, got 'x'; write its name, a colon"),
        (
            "x: 1, 2.\ny: continuous.",
            "",
            r".*, line 1: the first entry must list the classes or name the target, got a colon \(thresholds",
        ),
        ("a, b.\nx: continuous.\ny := x + 1.", "", "line 3: attribute 'y' is defined by a formula"),
        (
            "a, b.\nx: [ordered].",
            "",
            r".*, line 2: expected categories after \[ordered\]; list them, low to high",
        ),
        (
            "a, b.\nx: continuous.\nattributes included: z.",
            "",
            r".*, line 3: unknown attribute 'z'; correct the name",
        ),
        (
            "a, b.\nx: continuous.",
            "1, a\n\n2\n",
            r"x\.data', line 3: expected 2 values, as the \.names file declares \('x' to 'class'\), got 1",
        ),
        (
            "a, b.\nx: continuous.",
            "1, 2, a",
            r".*, line 1: expected 2 values, as the \.names file declares \('x' to 'class'\), got 3",
        ),
        (
            "a, b.\nx: continuous.",
            "1, a\nwet, b",
            r".*, line 2: column 'x' must contain numbers, got 'wet'; write a number, or \? for a missing value",
        ),
        (
            "a, b.\nx: 1, 2.",
            "1, a\n3, b",
            r".*, line 2: column 'x' has the value '3', which is not one of its declared categories \('1', '2'\)",
        ),
        ("a, b.\nx: 1, 2.", "1, c", "line 1: column 'class' has the value 'c'"),
        (
            "a, b.\nx: 1, 2.",
            "1, N/A,",
            r".*, line 1: column 'class' has the value 'N/A', which is not one of its declared categories",
        ),
        (
            "a, b.\nx: discrete 2.",
            "1, a\n2, b\n3, a",
            r".*, line 3: column 'x' has more than the 2 declared categories; declare more",
        ),
        (
            "a, b.\nx: ignore.",
            "St. Ives, a",
            r".*, line 1: unexpected text after the period that ends the row, after 'St'",
        ),
        ("a, b.\nx: 1, 2.", ",a", "line 1: column 'x' has the value ''"),
    ],
)
def test_refused_with_file_and_line(names, data, sentence, write):
    with pytest.raises(InputError, match=sentence) as caught:
        read_names(write(names, data))
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(
        InputError,
        match=r"File not found: .*; C4\.5's format needs y\.names with the columns and y\.data with the rows",
    ):
        read_names(tmp_path / "y")
    (tmp_path / "y.names").write_text("a, b.\nx: continuous.")
    with pytest.raises(
        InputError,
        match=r"File not found: .*; C4\.5's format needs y\.names with the columns and y\.data with the rows",
    ):
        read_names(tmp_path / "y", part="test")


def test_lists_may_break_before_a_comma():
    found = list(split_entries("a\n, b\n. | end\nx\n  : 1 | one\n , 2", "t.names"))
    assert [(entry.head, entry.words) for entry in found[:1]] == [(None, ["a", "b"])]
    assert (found[-1].head, found[-1].words) == ("x", ["1", "2"])


# What C4.5's files can hold: no empty word, no blanks but single ones inside.
WORDS = st.text(st.sampled_from("ab,:.|\\?é色 1[]'\"%="), min_size=1, max_size=7).filter(
    lambda word: word == " ".join(word.split())
)
NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw):
    called = draw(st.lists(WORDS, min_size=3, max_size=3, unique=True))
    levels = {name: tuple(draw(st.lists(WORDS, min_size=2, max_size=4, unique=True))) for name in called[:2]}
    n = draw(st.integers(0, 5))
    columns = {
        name: pl.Series(
            draw(st.lists(st.none() | st.sampled_from(known), min_size=n, max_size=n)), dtype=pl.String
        )
        for name, known in levels.items()
    }
    columns[called[2]] = pl.Series(draw(st.lists(NUMBERS, min_size=n, max_size=n)), dtype=pl.Float64)
    is_class = draw(st.booleans())
    return DeclaredTable(
        pl.DataFrame(columns),
        levels,
        ordered={called[0]} if draw(st.booleans()) else set(),
        numeric={called[2]},
        target=called[1] if is_class else called[2],
        weights=draw(st.none() | st.just(np.arange(n) + 0.5)),
    )


@given(tables())
def test_what_is_written_is_read_again(table):
    """Any words, with commas, colons, periods, bars, backslashes and question marks in them."""
    names = read_names_header(names_text(table), "t.names")
    kept = {a.name: a for a in names.attributes}
    order = [name for name in table.frame.columns if name != table.target]
    weights = [] if table.weights is None else ["case weight"]
    assert [a.name for a in names.attributes][:-1] == [*order, *weights]
    for name, levels in table.levels.items():
        if name != table.target and kept[name].kind == "list":
            assert kept[name].levels == levels
            assert kept[name].ordered == (name in table.ordered)
    if table.target in table.levels:
        assert names.attributes[-1].levels == table.levels[table.target]
    cells, _ = split_rows(data_text(table), "t.data")
    expected = table.frame.select(*order, table.target)
    numbers = expected.columns.index(next(iter(table.numeric)))
    place = lambda i: i if i < len(order) else i + len(weights)  # noqa: E731
    for row, found in zip(expected.rows(), cells, strict=True):
        for i, cell in enumerate(row):
            read = found[place(i)]
            assert (None if read is None else float(read) if i == numbers else read) == cell


@given(tables())
def test_the_files_are_read_again(tmp_path_factory, table):
    stem = tmp_path_factory.mktemp("names") / "x"
    write_names(stem, table)
    found = read_names(stem)
    order = [name for name in table.frame.columns if name != table.target] + [table.target]
    assert found.frame.rows() == table.frame.select(order).rows()
    assert (found.weights is None) == (table.weights is None)


def test_refuses_to_write_what_it_could_not_read(tmp_path):
    frame = pl.DataFrame({"x": ["a", " b"], "y": ["c", "d"]})
    with pytest.raises(
        InputError,
        match=r"A category of column 'x' must not be empty, begin or end with a space, .* C4\.5's files, got ' b'",
    ):
        write_names(tmp_path / "t", DeclaredTable(frame, target="y"))
    with pytest.raises(InputError, match="need a target"):
        write_names(tmp_path / "t", DeclaredTable(frame))
    with pytest.raises(InputError, match="infinite"):
        write_names(
            tmp_path / "t", DeclaredTable(pl.DataFrame({"x": [float("inf")], "y": ["a"]}), target="y")
        )
    assert list(tmp_path.iterdir()) == []


def test_writes_all_files_or_none(tmp_path):
    table = DeclaredTable(pl.DataFrame({"x": [1, 2], "y": ["c", "d"]}), target="y")
    (tmp_path / "t.data").write_text("mine")
    with pytest.raises(InputError, match="already exists"):
        write_names(tmp_path / "t", table, test=table)
    assert [file.name for file in tmp_path.iterdir()] == ["t.data"]
    write_names(tmp_path / "t", table, test=table, overwrite=True)
    assert (tmp_path / "t.test").read_text() == (tmp_path / "t.data").read_text() == "1, c\n2, d\n"
    assert (tmp_path / "t.names").read_text() == "c, d.\n\nx: continuous.\n"


def test_lists_that_look_like_a_type(tmp_path):
    """A single category called 'continuous', or a first one that begins with [ordered], is counted, not listed."""
    frame = pl.DataFrame(
        {"a": ["ignore", None], "b": ["[ordered] x", "z"], "c": [None, None], "y": ["1", "2"]}
    )
    write_names(tmp_path / "t", DeclaredTable(frame, target="y"))
    found = read_names(tmp_path / "t")
    assert found.levels == {"a": ("ignore",), "b": ("[ordered] x", "z"), "class": ("1", "2")}
    assert found.ignored == {"c"}
    assert found.frame.rows() == frame.rows()
