"""The bytes of a document: JSON that every reader understands, the same every time."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright.errors import InputError, KindError
from treewright.model.file.json_writer import MAX_DIGITS, dump

SINGLE = st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
DOCUMENTS = st.recursive(
    SINGLE | TEXTS, lambda inner: st.lists(inner, max_size=6) | st.dictionaries(TEXTS, inner, max_size=6), max_leaves=30
)


@settings(max_examples=50)
@given(st.dictionaries(TEXTS, DOCUMENTS, max_size=5))
def test_the_json_of_python_reads_the_same(document):
    data = dump(document)
    assert json.loads(data) == document
    assert list(json.loads(data)) == list(document)
    assert dump(json.loads(data)) == data
    assert data.endswith(b"}\n")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back_bit_by_bit(number):
    for value in (number, np.array([number])):
        found = json.loads(dump({"x": value}))["x"]
        found = found[0] if isinstance(found, list) else found
        assert type(found) is float
        assert struct.pack("<d", found) == struct.pack("<d", number)


def test_what_json_has_no_word_for():
    told = {"x": np.array([np.inf, -np.inf, np.nan, -0.0, 5e-324]), "y": float("-inf"), "z": np.float64("nan")}
    assert dump(told) == b'{\n "x": [1e999, -1e999, null, -0.0, 5e-324],\n "y": -1e999,\n "z": null\n}\n'
    assert json.loads(dump(told))["x"][:2] == [float("inf"), float("-inf")]


def test_tables_are_written_row_by_row_in_any_layout():
    table = np.arange(6.0).reshape(2, 3)
    assert dump({"x": table}) == dump({"x": np.asfortranarray(table)}) == dump({"x": table.ravel()})


def test_half_a_character_is_escaped_and_two_halves_are_refused():
    assert json.loads(dump({"x": "a\ud800b"})) == {"x": "a\ud800b"}
    with pytest.raises(InputError, match="surrogate pair"):
        dump({"x": "\ud83d\ude00"})
    assert json.loads(dump({"x": "\U0001f600"})) == {"x": "\U0001f600"}


def test_arrays_of_single_values_stand_on_one_line():
    lines = dump({"x": list(range(100)), "y": [{"a": 1}, {"b": [1, 2]}], "z": [[1, 2], [3]]}).decode().splitlines()
    assert lines[1] == ' "x": [' + ", ".join(map(str, range(100))) + "],"
    assert '  {"a": 1},' in lines
    assert "  [1, 2]," in lines


def test_what_a_file_cannot_hold_is_refused():
    for value in (b"bytes", object(), 1j, np.array(["text"]), np.array([1j])):
        with pytest.raises(KindError, match="cannot be written"):
            dump({"x": value})
    with pytest.raises(InputError, match="more than 400 digits"):
        dump({"x": 10 ** (MAX_DIGITS + 1)})
    assert json.loads(dump({"x": 10 ** (MAX_DIGITS - 1)})) == {"x": 10 ** (MAX_DIGITS - 1)}
