"""Rows in batches: the same cells as Python's csv, gzip and json and as polars read them, wherever blocks are cut."""

import bz2
import csv
import gzip
import io
import json
import lzma
import random
import sys

import polars as pl
import pytest
import zstandard

from treewright import InputError, read
from treewright.data.files import csv_stream
from treewright.data.files.csv_stream import last_row_end, row_blocks
from treewright.data.files.csv_table import TextOptions
from treewright.data.files.stream import open_stream

SIZES = (1, 7, 64, 1 << 20)
CELLS = [
    "a",
    "007",
    "1.5",
    "",
    "色",
    "x,y",
    "two\nlines",
    'say "so"',
    "semi;colon",
    "ta\tb",
    "é",
    "-5",
    "end\r\nof",
]


def read_rows(path, options=None, kind=None, size=1 << 20, rows=100_000, columns=None):
    """All rows as tuples."""
    with open_stream(path, options, kind, size=size) as stream:
        return [row for batch in stream.batches(columns, rows) for row in batch.frame.iter_rows()]


def written(rows, **settings):
    out = io.StringIO(newline="")
    csv.writer(out, **settings).writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_cells_are_those_that_csv_wrote_wherever_blocks_are_cut(put, size, delimiter, end):
    draw = random.Random(f"{size}{delimiter}{end}")
    rows = [[draw.choice(CELLS) for _ in range(3)] + [str(i)] for i in range(60)]
    path = put(written([["one", "two", "three", "n"], *rows], delimiter=delimiter, lineterminator=end))
    found = read_rows(path, TextOptions(delimiter=delimiter), size=size)
    assert [tuple(cell or "" for cell in row) for row in found] == [tuple(row) for row in rows]


@pytest.mark.parametrize("size", SIZES)
def test_plain_rows_and_rows_with_quotes_may_take_turns(put, size):
    rows = [("x", str(i)) if i % 7 else (f'"{i}"\n,', str(i)) for i in range(200)]
    assert read_rows(put(written([("a", "b"), *rows])), size=size) == rows


def test_random_bytes_are_cut_where_a_plain_loop_cuts_them():
    draw = random.Random(6)
    for _ in range(3000):
        text = bytes(draw.choice(b'ab",\n\r') for _ in range(draw.randint(0, 40)))
        ends, inside = [0], False
        for i, byte in enumerate(text):
            inside ^= byte == ord('"')
            if byte == ord("\n") and not inside:
                ends.append(i + 1)
        assert last_row_end(text) == ends[-1]
        size = draw.randint(1, 9)
        found = list(row_blocks(text[i : i + size] for i in range(0, len(text), size)))
        assert b"".join(found) == text
        places = [sum(map(len, found[: i + 1])) for i in range(len(found) - 1)]
        assert set(places) <= set(ends)


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_compressd_files_are_read_as_if_they_were_not(put, compress):
    rows = [(str(i), f"row {i}") for i in range(500)]
    path = put(compress(written([("n", "text"), *rows]).encode()), "table.csv.packed")
    assert read_rows(path, kind="csv", size=100) == rows


def test_standard_input_is_a_file_too(monkeypatch):
    text = "a,b\n1,x\n2,y\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert read_rows("-", size=3) == [("1", "x"), ("2", "y")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "gb18030", "cp1252"])
@pytest.mark.parametrize("size", [5, 1 << 20])
def test_encodings_given_are_read_piece_by_piece(put, encoding, size):
    word = "é" if encoding == "cp1252" else "色色"
    text = "name,n\n" + "".join(f"{word},{i}\n" for i in range(50))
    found = read_rows(put(text.encode(encoding)), TextOptions(encoding=encoding), size=size)
    assert found == [(word, str(i)) for i in range(50)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_encodings_are_guessed_as_read_guesses_them(put, encoding):
    path = put(("名,n\n" + "".join(f"颜色红,{i}\n" for i in range(9))).encode(encoding))
    with open_stream(path) as stream:
        assert stream.names == ("名", "n")
        assert bool(stream.notes) == (encoding == "gb18030")
    assert read_rows(path)[0] == ("颜色红", "0")


def test_old_macintosh_line_ends(put):
    assert read_rows(put("a,b\r1,2\r3,4\r"), size=4) == [("1", "2"), ("3", "4")]


@pytest.mark.parametrize("size", [20, 1 << 20])
def test_blank_lines_are_no_rows(put, size):
    text = "a,b\n1,2\n\n3,4\n  \n" + "5,6\n" * 10 + "\n\n7,8\n\n"
    assert read_rows(put(text), size=size) == [("1", "2"), ("3", "4"), *[("5", "6")] * 10, ("7", "8")]


@pytest.mark.parametrize("size", [1, 30, 1 << 20])
@pytest.mark.parametrize("row", ["1", "1,2,3"])
def test_a_row_of_another_width_is_refused_with_its_line(put, size, row):
    path = put("a,b\n" + "1,2\n" * 40 + f"{row}\n" + "1,2\n" * 40)
    with pytest.raises(InputError, match=r"^Line 42 of .* but the first row has 2"):
        read_rows(path, size=size)


def test_lines_of_quoted_cells_are_counted(put):
    path = put("a,b\n" + '"1\n1",2\n' * 20 + "1,2,3\n")
    with pytest.raises(InputError, match=r"^Line 42 of"):
        read_rows(path, size=30)


def test_a_quote_that_is_never_closed_takes_no_more_than_the_longest_row(put, monkeypatch):
    monkeypatch.setattr(csv_stream, "LONGEST_ROW", 1000)
    with pytest.raises(InputError, match=r"No row ends within 1000 bytes; check for a quote"):
        read_rows(put('a,b\n1,"2\n' + "1,2\n" * 1000), size=100)


def test_bytes_that_are_no_utf8_are_refused_where_they_come_late(put):
    with pytest.raises(
        InputError,
        match=r".* is not UTF-8: byte 10 is 0xff; pass its `encoding`, such as 'gb18030', 'cp1252' or 'latin-1'",
    ):
        read_rows(put(b"a,b\n" + b"1,2\n" * 50 + b"1,\xff\n"), size=40)


@pytest.mark.parametrize("rows", [1, 3, 1000])
@pytest.mark.parametrize("kind", ["parquet", "arrow", "jsonl"])
@pytest.mark.parametrize("packed", [False, True])
def test_typed_files_keep_types_and_order(put, tmp_path, kind, rows, packed):
    frame = pl.DataFrame({"n": range(50), "text": [None, "色"] * 25, "x": [0.1 * i for i in range(50)]})
    path = tmp_path / f"table.{kind}"
    write = {"parquet": frame.write_parquet, "arrow": frame.write_ipc, "jsonl": frame.write_ndjson}[kind]
    write(path)
    if packed:
        path = put(gzip.compress(path.read_bytes()), f"table.{kind}.gz")
    with open_stream(path, size=300) as stream:
        assert stream.types == dict(frame.schema)
        found = [batch.frame for batch in stream.batches(["x", "n"], rows)]
    assert all(part.height <= rows for part in found)
    assert pl.concat(found).equals(frame.select("x", "n"))


def test_the_types_of_json_lines_are_those_that_all_rows_fit(put):
    rows = [{"n": 1}, {"n": 2.5, "late": "x"}, {"n": None, "late": "y"}]
    path = put("\n".join(map(json.dumps, rows)) + "\n\n", "table.jsonl")
    for size in (5, 1000):
        assert read_rows(path, size=size) == [(1.0, None), (2.5, "x"), (None, "y")]


def test_arff_and_names_files_are_read_too(put):
    arff = put("@relation t\n@attribute a numeric\n@attribute b {x,y}\n@data\n1,x\n2,y\n", "t.arff")
    put("x, y.\na: continuous.\n", "s.names")
    names = put("1, x\n2, y\n", "s.data")
    assert read_rows(arff) == read_rows(names) == [(1.0, "x"), (2.0, "y")]


@pytest.mark.parametrize("content", [b"PAR1 and no more", b"ARROW1 and no more"])
def test_damaged_files_are_refused_in_a_sentence(put, content):
    with pytest.raises(InputError, match="cannot be read as"):
        read_rows(put(content, "table.bin"))


def test_an_empty_file_is_refused_as_read_refuses_it(put):
    path = put("")
    with pytest.raises(InputError) as whole:
        read(path)
    with pytest.raises(InputError) as streamed:
        read_rows(path)
    assert str(streamed.value) == str(whole.value)


def test_progress_is_told_in_bytes(put):
    path = put("a,b\n" + "1,2\n" * 1000)
    with open_stream(path, size=400) as stream:
        seen = [stream.n_bytes_read for _ in stream.batches()]
        assert stream.n_bytes == 4004
    assert seen == sorted(seen)
    assert seen[0] < 1000
    assert seen[-1] == 4004
