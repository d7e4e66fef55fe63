"""Strict JSON against the library's own reading by the strict rules: the same values and refusals for any bytes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.disk.json_texts import INVALID, VALID
from treewright.disk.strict_json import JSONTextError, parse


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


def exact(value):
    """A text that is the same only for the same value of the same types in the same order."""
    return repr(value)


def same_as_library(data):
    """Compare, and say whether the text was accepted."""
    try:
        expected = by_library(data)
    except (ValueError, RecursionError):
        with pytest.raises(ValueError, match=r"^Byte \d+") as caught:
            parse(data)
        assert 0 <= caught.value.at <= len(data)
        assert isinstance(caught.value.path, str)
        return False
    assert exact(parse(data)) == exact(expected)
    return True


def test_there_are_many_texts():
    assert len(set(VALID)) > 130
    assert len(set(INVALID)) > 230


@pytest.mark.parametrize("data", VALID, ids=lambda data: repr(data[:30]))
def test_what_is_json_is_read(data):
    assert same_as_library(data)


@pytest.mark.parametrize("data", INVALID, ids=lambda data: repr(data[:30]))
def test_what_is_not_json_is_refused(data):
    with pytest.raises(JSONTextError, match=r"^Byte \d+") as caught:
        parse(data)
    assert 0 <= caught.value.at <= len(data)
    if len(data) < 400:  # Python's library reads more digits of a whole number
        with pytest.raises(ValueError, match=r"."):
            by_library(data)


@pytest.mark.parametrize("data", [text for text in VALID if len(text) < 60], ids=repr)
def test_every_beginning_and_every_changed_byte_of_a_text(data):
    for stop in range(len(data)):
        same_as_library(data[:stop])
        for byte in (b"", b"\0", b'"', b"\\", b"]", b"}", b",", b"9", b".", b"e", b"\xff", b"\xc3", b"n", b"-", b" "):
            same_as_library(data[:stop] + byte + data[stop + 1 :])


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
    same_as_library(data)


@given(VALUES, st.data())
def test_any_damage_is_seen_as_the_library_sees_it(value, choices):
    data = bytearray(written(value, None, choices.draw(st.booleans())))
    for _ in range(choices.draw(st.integers(1, 4))):
        place = choices.draw(st.integers(0, len(data)))
        stop = min(len(data), place + choices.draw(st.integers(0, 3)))
        data[place:stop] = choices.draw(st.sampled_from(PIECES) | st.binary(max_size=3))
    same_as_library(bytes(data))


PIECES = [*(bytes([byte]) for byte in b'[]{},:"\\1-'), b"\\u", b"null", b".5", b"e9", b"\\ud83d", "😀".encode()]


@given(st.binary(max_size=40) | st.text('[]{}",:0123456789.-+eEnulltrue \\u\n', max_size=40).map(str.encode))
def test_any_bytes(data):
    same_as_library(data)


PATHS = [
    (b'{"tree":{"weight":[1,2,x]}}', "tree.weight[2]", 23),
    (b'{"tree":{"weight":[1,2', "tree.weight[1]", 22),
    (b'{"tree":{"weight":[{"a":1},{"b":01}]}}', "tree.weight[1].b", 33),
    (b'{"tree":{"weight":[0.5,0.5.5]}}', "tree.weight[1]", 26),
    (b'{"a":1,"a":2}', "a", 7),
    (b'{"a b":{"c":nul}}', "['a b'].c", 12),
    (b'{"a\\u001b[2J":nul}', "['a\\x1b[2J']", 14),
    (b'{"' + b"x" * 1000 + b'":nul}', f"['{'x' * 60}'...]", 1004),
    (b"[[[nul]]]", "[0][0][0]", 3),
    (b"nul", "", 0),
    (b"{}x", "", 2),
    (b'{"a":1,b}', "a", 7),
    (b'{"a":"NaN","b":[1,-Infinity]}', "b[1]", 18),
    ('{"é":[1,"\\"",NaN]}'.encode(), "é[2]", 14),
    ('{"é":[nul]}'.encode(), "é[0]", 7),
    (b'{"a":["b","\xff"]}', "a[1]", 11),
    (b'[{"a":{"b":1,"c":2,"b":3}}]', "[0].a.b", 19),
    (b"[" * 64 + b'[{"a":1}]', "[0]" * 64, 64),
]


@pytest.mark.parametrize(("data", "path", "at"), PATHS, ids=lambda one: repr(one)[:30])
def test_a_refusal_says_where(data, path, at):
    with pytest.raises(JSONTextError) as caught:
        parse(data)
    assert (caught.value.path, caught.value.at) == (path, at)
    assert str(caught.value).startswith(f"Byte {at}, in field {path}: " if path else f"Byte {at}: ")
    assert str(caught.value).endswith(".")


def test_depth_has_a_limit():
    for begin, end in ((b"[", b"]"), (b'{"a":', b"}")):
        assert parse(begin * 63 + b"[]" + end * 63) is not None
        for inside in (b"[]", b"{}", b"[1]"):
            with pytest.raises(JSONTextError, match="nested more than 64 levels deep"):
                parse(begin * 64 + inside + end * 64)
    with pytest.raises(JSONTextError, match="more than 3 levels"):
        parse(b"[[[[]]]]", 3)
    with pytest.raises(JSONTextError, match="more than 0 levels"):
        parse(b"[1]", 0)
    assert parse(b"1", 0) == 1


def test_brackets_in_strings_are_no_depth():
    for text in ("[" * 1000, '\\"' + "{" * 1000, "\\\\" * 3 + "]" * 1000):
        assert parse(f'["{text}", [["{text}"]]]'.encode())[1] == [[json.loads(f'"{text}"')]]


@pytest.mark.parametrize("begin", [b"[", b'{"":', b'[{"a":'])
def test_any_depth_is_refused_in_a_sentence(begin):
    with pytest.raises(JSONTextError, match="more than 64 levels deep"):
        parse(begin * 1_000_000)


def test_digits_in_strings_and_floats_have_no_limit():
    many = "1" * 5000
    assert parse(f'["{many}", 0.{many}, 1e-{"0" * 500}1]'.encode()) == [many, float(f"0.{many}"), 0.1]
    for text, path in ((f"-{many}", ""), (f'{{"a": ["\\"{many}", {many}]}}', "a[1]")):
        with pytest.raises(JSONTextError, match="more than 400 digits") as caught:
            parse(text.encode())
        assert caught.value.path == path


def test_the_error_can_be_sent_to_another_process():
    import pickle

    with pytest.raises(JSONTextError) as caught:
        parse(b'{"a":x}')
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.at, again.path) == (str(caught.value), 5, "a")
