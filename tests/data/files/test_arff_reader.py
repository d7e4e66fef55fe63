"""ARFF: what Weka's format says, against liac-arff and scipy where they can read it, and by hand where they cannot."""

import datetime as dt
import io
import math
import re
from time import process_time

import arff as liac
import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.io import arff as scipy_arff

from treewright.data.files.arff_reader import read_arff
from treewright.data.files.declared_table import DeclaredTable
from treewright.data.files.table_writer import arff_text, write_arff
from treewright.errors import InputError

HEAD = "@relation r\n@attribute a {x,y,'z w'}\n@attribute b numeric\n@data\n"


def ours(text):
    return read_arff(io.StringIO(text), "t.arff")


def rows(text):
    return ours(text).frame.rows()


def liac_rows(text):
    return [tuple(row) for row in liac.loads(text)["data"]]


def scipy_rows(text):
    """Rows as scipy reads them: text as bytes, "?" and NaN for what is missing."""
    data, _ = scipy_arff.loadarff(io.StringIO(text))
    return [tuple(_plain(cell) for cell in row) for row in data.tolist()]


def _plain(cell):
    if isinstance(cell, bytes):
        return None if cell == b"?" else cell.decode()
    return None if isinstance(cell, float) and math.isnan(cell) else cell


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "x,1\ny,2.5e3\n?,?\n",
        HEAD + "% a comment\n\n   \nx,-1\n%x,2\n",
        "% first\n@RELATION r\n\n@ATTRIBUTE a {x,y}\n@Attribute b REAL\n@attribute c Integer\n@DATA\nx,1,2\n",
        "@relation r\n@attribute a {'?',y}\n@attribute b numeric\n@data\ny,?\n",
        HEAD,
    ],
)
def test_as_liac_and_scipy_read_it(text):
    assert rows(text) == liac_rows(text) == scipy_rows(text)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "'z w',1\n\"z w\", 2\n x , 3 \n",
        '@relation "my table"\n@attribute "a b" {"x y",z}\n@attribute b integer\n@data\n"x y",3\n',
        "@relation r\n@attribute 'it\\'s' {'x\\'y','a,b','50\\%'}\n@attribute b numeric\n@data\n'x\\'y',3\n'a,b',4\n",
        "@relation r\n@attribute s string\n@attribute b numeric\n@data\n'a \\n b',1\nplain,2\n'',3\n'?',4\n?,5\n",
        "@relation r\n@attribute a { x , y }\n@data\n x \ny\n",
        HEAD + "{0 y}\n{1 3}\n{}\n{ 0 'z w' , 1 3 }\n{0 ?, 1 ?}\nx,4\n",
        "@relation r\n@attribute a {x,y}\n@attribute s string\n@data\n{1 q, 0 y}\n{1 'a, b'}\n{1 '?'}\n{1 ?}\n",
    ],
)
def test_as_liac_reads_it(text):
    """Quotes, escapes, strings and sparse rows; scipy refuses these or misreads them."""
    found = ours(text)
    assert found.frame.rows() == liac_rows(text)
    # liac-arff leaves the backslashes in names
    assert found.frame.columns == [name.replace("\\", "") for name, _ in liac.loads(text)["attributes"]]


def test_where_scipy_differs():
    """It refuses strings and sparse rows, keeps blanks in levels, and takes escaped quotes apart."""
    with pytest.raises(NotImplementedError, match="String attributes"):
        scipy_rows("@relation r\n@attribute s string\n@data\nq\n")
    with pytest.raises(ValueError, match="not in"):
        scipy_rows(HEAD + "{0 y}\n")
    escaped = "@relation r\n@attribute a {'x\\'y',z}\n@attribute b numeric\n@data\n'x\\'y',3\n"
    assert rows(escaped) == [("x'y", 3.0)] != scipy_rows(escaped)


def test_where_liac_misreads_a_sparse_row():
    """It makes up '0' for a string that is left out, and takes the last of two values; both are refused here."""
    text = "@relation r\n@attribute a {x,y}\n@attribute s string\n@data\n{0 y}\n"
    assert liac_rows(text) == [("y", "0")]
    with pytest.raises(
        InputError,
        match=r"^'t\.arff', line 5: the sparse row omits column 's', which has no default; write its value",
    ):
        rows(text)
    text = HEAD + "{1 3, 1 4}\n"
    assert liac_rows(text) == [("x", 4.0)]
    with pytest.raises(
        InputError, match=r"^'t\.arff', line 5: the sparse row has column 1 twice; remove one value"
    ):
        rows(text)


@pytest.mark.parametrize("line", ["x\t1", "x 1", "x, 1 % so", "x,1 %,2", "'x' 1", "x\t'1'"])
def test_other_dividers_and_comments(line):
    """Tabs, blanks, and comments behind a row, as Weka has them; liac-arff refuses all of these."""
    assert rows(HEAD + line + "\n") == [("x", 1.0)]
    with pytest.raises(liac.ArffException):
        liac_rows(HEAD + line + "\n")


def test_levels_without_commas_or_blank_before():
    assert ours("@relation r\n@attribute a{x y}\n@data\ny\n").levels == {"a": ("x", "y")}


def test_weights():
    """Behind a row in braces; scipy passes over them, liac-arff refuses them."""
    text = HEAD + "x,1,{5.0}\ny, 2, {0.5}\n{1 3}, {2}\n{0 y} {3}\n{0 y}\nx,1\n"
    table = ours(text)
    assert table.weights.tolist() == [5, 0.5, 2, 3, 1, 1]
    assert table.frame.rows() == [("x", 1), ("y", 2), ("x", 3), ("y", 0), ("y", 0), ("x", 1)]
    assert ours(HEAD + "x,1\n").weights is None


def test_what_is_declared():
    table = ours(
        "@relation r\n@attribute a {x,y}\n@attribute d date 'yyyy-MM-dd'\n@attribute s string\n@attribute n REAL\n"
        "@attribute o date 'yyyy'\n@data\nx,'2020-01-02',q,1,'leap year'\n{2 p}\n"
    )
    assert table.levels == {"a": ("x", "y")}
    assert table.ignored == {"o"}
    assert table.numeric == {"n"}
    assert table.target is None
    assert table.frame["d"].to_list() == [dt.datetime(2020, 1, 2), None]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            HEAD + "q,1\n",
            r"'t\.arff', line 5: column 'a' has the value 'q', which is not one of its declared categories .*'z w'",
        ),
        (
            HEAD + "x,one\n",
            r"'t\.arff', line 5: column 'b' must contain numbers, got 'one'; "
            r"write a number, or \? for a missing value",
        ),
        (
            HEAD + "x,1e999\n",
            r"'t\.arff', line 5: column 'b' must contain numbers, got '1e999'; "
            r"write a number, or \? for a missing value",
        ),
        (
            HEAD + "x,nan\n",
            r"'t\.arff', line 5: column 'b' must contain numbers, got 'nan'; "
            r"write a number, or \? for a missing value",
        ),
        (HEAD + "\n% c\nx\n", r"'t\.arff', line 7: expected 2 values, got 1; correct the row"),
        (HEAD + "x,1,2\n", r"'t\.arff', line 5: expected 2 values, got 3; correct the row"),
        (HEAD + "x,\n", "line 5: a value is empty; write [?]"),
        (
            HEAD + "'x,1\n",
            "'t\\.arff', line 5: the quote that begins with \"'x,1\" is never closed; close it",
        ),
        (
            HEAD + "'x'y,1\n",
            r"'t\.arff', line 5: unexpected 'y' after a closing quote; put a comma between them",
        ),
        (HEAD + "{5 3}\n", r"'t\.arff', line 5: the sparse row must have column numbers from 0 to 1, got 5"),
        (
            HEAD + "{99999999999999999999 3}\n",
            r"'t\.arff', line 5: the sparse row must have column numbers from 0 to 1, got 99999999999999999999",
        ),
        (
            HEAD + "{-1 3}\n",
            r"'t\.arff', line 5: expected the number of a column and its value in a sparse row, got '-1 3'",
        ),
        (
            HEAD + "{1 3\n",
            r"'t\.arff', line 5: the sparse row must end in a brace, as in \{index value, index value\}",
        ),
        (
            HEAD + "{1 3,}\n",
            r"'t\.arff', line 5: expected the number of a column and its value in a sparse row, got ''",
        ),
        (HEAD + "x,1,{heavy}\n", r"'t\.arff', line 5: column 'weight' must contain numbers, got 'heavy'"),
        ("@relation r\n@attribute a {x,x}\n@data\n", "line 2: column 'a' lists the category 'x' twice"),
        (
            "@relation r\n@attribute a {x,y\n@data\n",
            r"'t\.arff', line 2: the categories of column 'a' must be in braces, such as \{a, b, c\}",
        ),
        (
            "@relation r\n@attribute a {x}{y}\n@data\n",
            r"'t\.arff', line 2: the categories of column 'a' must be in braces, such as \{a, b, c\}",
        ),
        (
            "@relation r\n@attribute a money\n@data\n",
            r"'t\.arff', line 2: column 'a' has the unknown type 'money'",
        ),
        ("@relation r\n@attribute a\n@data\n", r"'t\.arff', line 2: column 'a' has the unknown type ''"),
        ("@relation r\n@attribute\n@data\n", "line 2: the column has no name"),
        (
            "@relation r\n@attribute a numeric {2}\n@data\n",
            r"'t\.arff', line 2: unexpected '\{2\}' after the type of column 'a'; remove it",
        ),
        (
            "@relation r\n@attribute a numeric\n@attribute a real\n@data\n",
            r"'t\.arff', line 3: column 'a' is repeated; rename one",
        ),
        (
            "@relation r\n@attribute b relational\n@data\n",
            r"'t\.arff', line 2: column 'b' contains tables \(relational\), which are not supported; remove it",
        ),
        ("@relation r\n@data\n", "line 2: no column is declared before @data"),
        ("@relation r\n@attribute a real\n", "'t.arff' has no line @data"),
        ("a,b\n1,2\n", r"'t\.arff', line 1: unexpected 'a,b' before @data"),
        ("", "'t.arff' has no line @data"),
    ],
)
def test_refused_with_the_line(text, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        ours(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        "'\\" * 100_000 + "%",
        "{0 " + "'\\" * 100_000 + "}",
        "'a" * 100_000,
        " " * 200_000 + "x}",
        "{" * 200_000 + "}",
        "," * 200_000,
    ],
)
def test_a_hostile_line_is_refused_at_once(line):
    """A quote without an end is looked for once, not from every place: a long line takes no quadratic time."""
    began = process_time()
    with pytest.raises(InputError, match="line 5: "):
        ours(HEAD + line + "\n")
    assert process_time() - began < 5


def test_braces_in_quotes():
    head = "@relation r\n@attribute a {x,'p {q'}\n@attribute b real\n@data\n"
    text = head + "{0 'p {q', 1 3}\n'p {q',2,{4}\n{0 'p {q'},{2}\n"
    assert rows(text) == [("p {q", 3), ("p {q", 2), ("p {q", 0)]
    assert ours(text).weights.tolist() == [1, 4, 2]


# Lone surrogates cannot be written as UTF-8, so no file holds them.
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
NAMES = WORDS.filter(bool)
NUMBERS = st.none() | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw, words=WORDS, names=NAMES, least=0):
    """A RawTable with a number, a text and a column of declared categories, some with weights."""
    called = draw(st.lists(names, min_size=3, max_size=3, unique=True))
    levels = draw(st.lists(words, min_size=1, max_size=4, unique=True))
    n = draw(st.integers(least, 6))
    column = {
        called[0]: pl.Series(draw(st.lists(NUMBERS, min_size=n, max_size=n)), dtype=pl.Float64),
        called[1]: pl.Series(draw(st.lists(st.none() | words, min_size=n, max_size=n)), dtype=pl.String),
        called[2]: pl.Series(
            draw(st.lists(st.none() | st.sampled_from(levels), min_size=n, max_size=n)), dtype=pl.String
        ),
    }
    heavy = st.floats(0, 1e9)
    weights = draw(st.none() | st.lists(heavy, min_size=n, max_size=n).map(np.array)) if n else None
    return DeclaredTable(
        pl.DataFrame(column), {called[2]: tuple(levels)}, numeric={called[0]}, weights=weights
    )


@given(tables())
def test_what_is_written_is_read_again(table):
    """Any text at all: quotes, line ends, controls, percent signs, question marks."""
    found = ours(arff_text(table))
    assert found.frame.rows() == table.frame.rows()
    assert found.frame.columns == table.frame.columns
    assert (found.levels, found.numeric) == (table.levels, table.numeric)
    if table.weights is not None and (table.weights != 1).any():
        assert found.weights.tolist() == table.weights.tolist()


# What liac-arff reads back itself: it knows no level of blanks, writes no table without rows, takes a quoted name to go
# on up to the last quote of the line that a blank follows, and takes quotes away from the ends of names.
PLAIN = st.text(st.sampled_from("abc é色%,{}?'\"\\ \t1"), min_size=1, max_size=6).filter(
    lambda text: not re.search(r"(^|')\s", text)
)


@given(
    tables(
        words=PLAIN,
        names=st.text(st.sampled_from("ab é% "), min_size=1, max_size=5).map(str.strip).filter(bool),
    )
)
def test_liac_reads_what_is_written(table):
    text = arff_text(DeclaredTable(table.frame, table.levels, numeric=table.numeric))
    assert liac_rows(text) == table.frame.rows()


@given(
    tables(
        words=st.text(st.sampled_from("abcd"), min_size=1), names=st.text(st.sampled_from("abcd"), min_size=1)
    )
)
def test_scipy_reads_what_is_written(table):
    plain = DeclaredTable(table.frame.drop(table.frame.columns[1]), table.levels, numeric=table.numeric)
    assert scipy_rows(arff_text(plain)) == plain.frame.rows()


# liac-arff puts no quotes round braces, nor round a question mark that is meant.
LIAC = PLAIN.filter(lambda word: word != "?" and not set("{}") & set(word))


@given(tables(words=LIAC, names=st.text(st.sampled_from("abcd"), min_size=1), least=1))
def test_we_read_what_liac_writes(table):
    number, text, category = table.frame.columns
    document = {
        "relation": "r",
        "attributes": [(number, "REAL"), (text, "STRING"), (category, list(table.levels[category]))],
        "data": [list(row) for row in table.frame.rows()],
    }
    assert rows(liac.dumps(document)) == table.frame.rows()


def test_write_to_a_file(tmp_path):
    table = DeclaredTable(pl.DataFrame({"play": ["no", "yes"], "humidity": [85, 70]}), target="play")
    write_arff(tmp_path / "golf.arff", table)
    text = (tmp_path / "golf.arff").read_text()
    assert "@relation golf\n" in text
    assert (
        scipy_rows(text) == liac_rows(text) == [(85.0, "no"), (70.0, "yes")]
    )  # the target last, with its classes
    with pytest.raises(InputError, match="already exists"):
        write_arff(tmp_path / "golf.arff", table)
    write_arff(tmp_path / "golf.arff", table, overwrite=True)
    with pytest.raises(InputError, match="infinite"):
        arff_text(DeclaredTable(pl.DataFrame({"a": [math.inf]})))
