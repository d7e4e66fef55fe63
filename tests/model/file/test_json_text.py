"""The reader of JSON against the one of Python's library: the same values and the same refusals for any bytes."""

import ast
import importlib.util
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright._core.json_numbers
import treewright._core.json_strings
import treewright._core.json_text
from tests.model.file.json_texts import INVALID, VALID

CORE = Path(treewright._core.json_text.__file__).parent
KERNELS = ("json_numbers", "json_strings", "json_text")


def from_source():
    """The reader as Python runs it, not compiled."""
    names = [f"treewright._core.{kernel}" for kernel in KERNELS]
    kept = {name: sys.modules.pop(name) for name in names}
    try:
        for name, kernel in zip(names, KERNELS, strict=True):
            spec = importlib.util.spec_from_file_location(name, CORE / f"{kernel}.py")
            sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        return sys.modules[names[-1]]
    finally:
        sys.modules.update(kept)


READERS = {"compiled": treewright._core.json_text, "source": from_source()}
parse = READERS["compiled"].parse
JSONTextError = READERS["compiled"].JSONTextError


@pytest.fixture(params=READERS)
def reader(request):
    return READERS[request.param]


def test_both_forms_are_tested():
    assert READERS["source"].__file__.endswith(".py")
    assert not READERS["compiled"].__file__.endswith(".py")


def no_twice(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def refused(word):
    raise ValueError(word)


def by_library(data):
    """What Python's library reads, by the strict rules."""
    text = data.decode("utf-8")
    return json.loads(text, object_pairs_hook=no_twice, parse_constant=refused)


def packed(value):
    """The value with its arrays of numbers as bytes of numpy, as `parse` should give them."""
    if isinstance(value, dict):
        return {name: packed(inner) for name, inner in value.items()}
    if not isinstance(value, list) or not value:
        return value
    if all(type(one) is int and -(2**63) <= one < 2**63 for one in value):
        return "int64", np.array(value, np.int64).tobytes()
    if all(type(one) is float or one is None for one in value):
        return "float64", np.array([math.nan if one is None else one for one in value]).tobytes()
    return [packed(one) for one in value]


def shown(value):
    """What `parse` gave, with its arrays in the same form; a float as its exact text, so that -0.0 is not 0.0."""
    if isinstance(value, np.ndarray):
        assert value.ndim == 1
        return str(value.dtype), value.tobytes()
    if isinstance(value, dict):
        return {name: shown(inner) for name, inner in value.items()}
    return [shown(one) for one in value] if isinstance(value, list) else value


def exact(value):
    """A text that is the same only for the same value of the same types in the same order."""
    return repr(value)


def same_as_library(parse_it, data):
    """Compare, and say whether the text was accepted."""
    try:
        expected = by_library(data)
    except (ValueError, RecursionError):
        with pytest.raises(ValueError, match=r"^Byte \d+") as caught:
            parse_it(data)
        assert 0 <= caught.value.at <= len(data)
        assert isinstance(caught.value.path, str)
        return False
    assert exact(shown(parse_it(data))) == exact(packed(expected))
    return True


def test_there_are_many_texts():
    assert len(set(VALID)) > 130
    assert len(set(INVALID)) > 230


@pytest.mark.parametrize("data", VALID, ids=lambda data: repr(data[:30]))
def test_what_is_json_is_read(reader, data):
    assert same_as_library(reader.parse, data)


@pytest.mark.parametrize("data", INVALID, ids=lambda data: repr(data[:30]))
def test_what_is_not_json_is_refused(reader, data):
    with pytest.raises(reader.JSONTextError, match=r"^Byte \d+") as caught:
        reader.parse(data)
    assert 0 <= caught.value.at <= len(data)
    if len(data) < 400:  # Python's library reads more digits of a whole number
        with pytest.raises(ValueError, match=r"."):
            by_library(data)


@pytest.mark.parametrize("data", [text for text in VALID if len(text) < 60], ids=repr)
def test_every_beginning_and_every_changed_byte_of_a_text(data):
    for stop in range(len(data)):
        same_as_library(parse, data[:stop])
        for byte in (b"", b"\0", b'"', b"\\", b"]", b"}", b",", b"9", b".", b"e", b"\xff", b"\xc3", b"n", b"-", b" "):
            same_as_library(parse, data[:stop] + byte + data[stop + 1 :])


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec=None))
    | st.lists(st.integers(-(2**63), 2**63 - 1))
    | st.lists(st.floats(allow_nan=False) | st.none()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def written(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).replace("Infinity", "1e999")
    return text.encode("utf-8", "replace")


@given(VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_any_value_comes_back(value, indent, ascii_only):
    data = written(value, indent, ascii_only)
    for one in READERS.values():
        same_as_library(one.parse, data)


@given(VALUES, st.data())
def test_any_damage_is_seen_as_the_library_sees_it(value, choices):
    data = bytearray(written(value, None, choices.draw(st.booleans())))
    for _ in range(choices.draw(st.integers(1, 4))):
        place = choices.draw(st.integers(0, len(data)))
        stop = min(len(data), place + choices.draw(st.integers(0, 3)))
        data[place:stop] = choices.draw(st.sampled_from(PIECES) | st.binary(max_size=3))
    same_as_library(parse, bytes(data))


PIECES = [*(bytes([byte]) for byte in b'[]{},:"\\1-'), b"\\u", b"null", b".5", b"e9", b"\\ud83d", "😀".encode()]


@given(st.binary(max_size=40) | st.text('[]{}",:0123456789.-+eEnulltrue \\u\n', max_size=40).map(str.encode))
def test_any_bytes(data):
    same_as_library(parse, data)


FLOATS = st.floats(allow_nan=False).map(repr) | st.decimals(allow_nan=False, allow_infinity=False).map(str)


@given(st.lists(FLOATS, min_size=1))
def test_floats_are_rounded_as_python_rounds_them(texts):
    texts = [text.replace("inf", "1e999") for text in texts]
    texts = [text if set(text) & set(".eE") else f"{text}.0" for text in texts]
    found = parse(f"[{','.join(texts)}]".encode())
    assert found.dtype == np.float64
    assert found.tobytes() == np.array([float(text) for text in texts]).tobytes()


PATHS = [
    (b'{"tree":{"weight":[1,2,x]}}', "tree.weight[2]", 23),
    (b'{"tree":{"weight":[1,2', "tree.weight[2]", 22),
    (b'{"tree":{"weight":[{"a":1},{"b":01}]}}', "tree.weight[1].b", 32),
    (b'{"tree":{"weight":[0.5,0.5.5]}}', "tree.weight[2]", 26),
    (b'{"a":1,"a":2}', "a", 7),
    (b'{"a b":{"c":nul}}', "['a b'].c", 12),
    (b'{"a\\u001b[2J":nul}', "['a\\x1b[2J']", 14),
    (b'{"' + b"x" * 1000 + b'":nul}', f"['{'x' * 60}'...]", 1004),
    (b"[[[nul]]]", "[0][0][0]", 3),
    (b"nul", "", 0),
    (b"{}x", "", 2),
    (b'{"a":1,b}', "a", 7),
]


@pytest.mark.parametrize(("data", "path", "at"), PATHS, ids=lambda one: repr(one)[:30])
def test_a_refusal_says_where(reader, data, path, at):
    with pytest.raises(reader.JSONTextError) as caught:
        reader.parse(data)
    assert (caught.value.path, caught.value.at) == (path, at)
    assert str(caught.value).startswith(f"Byte {at}, in field {path}: " if path else f"Byte {at}: ")
    assert str(caught.value).endswith(".")


def test_depth_has_a_limit(reader):
    for begin, end in ((b"[", b"]"), (b'{"a":', b"}")):
        assert reader.parse(begin * 63 + b"[]" + end * 63) is not None
        for inside in (b"[]", b"{}", b"[1]"):
            with pytest.raises(reader.JSONTextError, match="stand more than 64 deep in each other"):
                reader.parse(begin * 64 + inside + end * 64)
    with pytest.raises(reader.JSONTextError, match="stand more than 3 deep"):
        reader.parse(b"[[[[]]]]", 3)
    with pytest.raises(reader.JSONTextError, match="stand more than 0 deep"):
        reader.parse(b"[1]", 0)
    assert reader.parse(b"1", 0) == 1


@pytest.mark.parametrize("n", [100_000, 1_000_000])
def test_any_depth_is_read_where_it_is_allowed(n):
    value = parse(b"[" * n + b"]" * n, n) if n == 100_000 else None
    for _ in range(n if value is not None else 0):
        value = value[0] if value else None
    assert value is None
    with pytest.raises(JSONTextError, match="more than 64 deep"):
        parse(b"[" * n)


def test_the_error_can_be_sent_to_another_process():
    import pickle

    with pytest.raises(JSONTextError) as caught:
        parse(b'{"a":x}')
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.at, again.path) == (str(caught.value), 5, "a")


def test_only_bytes_are_read():
    for wrong in ("[]", None, bytearray(b"[]"), memoryview(b"[]"), 3):
        with pytest.raises(TypeError):
            parse(wrong)


def test_the_same_names_in_many_objects_are_one_string():
    first, second = parse(b'[{"name":1},{"na\\u006de":2}]')
    assert next(iter(first)) is next(iter(second))


def test_every_function_of_the_kernels_checks_the_places_it_reads():
    """The kernels are compiled without such checks; these must not be."""
    for kernel in KERNELS:
        body = ast.parse((CORE / f"{kernel}.py").read_text(encoding="utf-8")).body
        for one in body:
            reads = any(isinstance(inner, ast.Subscript) for inner in ast.walk(one))
            if isinstance(one, ast.FunctionDef | ast.ClassDef) and reads and one.name != "path_of":
                decorators = [ast.unparse(decorator) for decorator in one.decorator_list]
                if one.name != "JSONTextError":
                    assert {"cython.boundscheck(True)", "cython.wraparound(False)"} <= set(decorators), one.name


def test_a_place_outside_the_text_is_never_read():
    """What the checks of the kernels do when a place is wrong, which `parse` never gives."""
    numbers, strings = treewright._core.json_numbers, treewright._core.json_strings
    for place in (-1, -5, -(10**15)):
        for function in (numbers.behind_spaces, numbers.behind_digits, numbers.number_end, strings.plain_end):
            with pytest.raises(IndexError):
                function(b"[1, 2]", place)
        with pytest.raises(IndexError):
            numbers.count_numbers(b"[1, 2]", place)
        with pytest.raises(IndexError):
            strings.read_string(b'"a"', place, 100)
    for place in (6, 10, 10**15, 2**62):  # behind the end nothing is read at all
        assert numbers.number_end(b"[1, 2]", place) == -1
        assert numbers.count_numbers(b"[1, 2]", place) == -1
        assert numbers.read_numbers(b"[1, 2]", place, 1000) is None
        with pytest.raises(ValueError, match="ends inside a string"):
            strings.read_string(b'"a"', place, 100)
    with pytest.raises(IndexError):
        numbers.fill_ints(b"1,2", 0, np.empty(5, np.int64))  # more than there are
    with pytest.raises(IndexError):
        numbers.fill_floats(b"1.5,2.5", 0, np.empty(5))
