"""The survey sees the rows that Python's csv module sees, whatever piece they fall into."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.data.files import csv_structure as room
from treewright.data.files.csv_structure import scan_structure

CELLS = st.text(st.sampled_from('a1 ,"\n;é'), max_size=5)


def seen(text, delimiter=","):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    return scan_structure(np.frombuffer(data, dtype=np.uint8), ord(delimiter))


@given(
    rows=st.integers(2, 4).flatmap(
        lambda n: st.lists(st.lists(CELLS, min_size=n, max_size=n), min_size=1, max_size=9)
    ),
    piece=st.integers(3, 40),
    end=st.sampled_from(["\n", "\r\n"]),
    blanks=st.lists(st.integers(0, 8), max_size=3),
)
def test_well_formed_texts(rows, piece, end, blanks):
    lines = []
    for i, row in enumerate(rows):
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator=end).writerow(row)
        lines.append(end * blanks.count(i) + out.getvalue())
    text = "".join(lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "PIECE", piece)
        found = seen(text)
    assert (found.width, found.n_rows, found.ragged, found.odd_quotes) == (len(rows[0]), len(rows), None, False)
    assert found.n_lines == text.count("\n")
    assert found.has_blank == any(i < len(rows) for i in blanks)
    data = text.encode("utf-8")
    assert found.row_ends[-1] == len(data)
    for cut in found.row_ends:  # every cut is the end of a row: what stands before it has whole rows
        before = list(csv.reader(io.StringIO(data[:cut].decode("utf-8"), newline="")))
        assert [row for row in before if row] == rows[: len([row for row in before if row])]


@given(
    lines=st.lists(st.sampled_from(["a,b", "1,2", "3", "4,5,6", "", "  "]), min_size=1, max_size=9),
    piece=st.integers(3, 40),
)
def test_ragged_rows(lines, piece):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "PIECE", piece)
        found = seen("\n".join(lines))
    widths = [(i + 1, line.count(",") + 1) for i, line in enumerate(lines) if line.strip()]
    first = widths[0][1] if widths else 0
    if first == 1:
        widths = [(line, n) for line, n in widths if n > 1]
        assert found.ragged == (widths[0] if widths else None)
    else:
        assert found.ragged == next(((line, n) for line, n in widths if n != first), None)


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ('a,"b"\n', False),
        ('"a",""\n', False),
        ('"a""b",c\n', False),
        ('"""a""",c\n', False),
        ('a, "b"\n', True),
        ('a"b,c\n', True),
        ('"a"b,c\n', True),
        ('a,"b\n', True),
        ('a,b"\n', True),
        ('"a" ,b\n', True),
    ],
)
def test_odd_quotes(text, odd):
    assert seen(text).odd_quotes is odd


def test_nul_bytes_and_the_first_row():
    found = seen(b"a,b\n1,2\n3,\0\n")
    assert (found.nul_line, found.begin) == (3, 4)
    assert seen('\n\n"a\nb",c\n1,2\n').begin == 10
    assert seen("").n_rows == 0
    assert seen("\n\n").n_rows == 0
