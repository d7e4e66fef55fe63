"""Encodings: given, marked or guessed, they give the same text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import InputError, ParameterError, read
from treewright.data.files import encoding as room
from treewright.data.files.encoding import find_invalid_utf8, to_utf8

CHINESE = "色泽,根蒂,好瓜\n青绿,蜷缩,是\n乌黑,稍蜷,否\n浅白,硬挺,否\n"
FRENCH = "prénom,ville,âge\nÉlodie,Orléans,31\nRené,Nîmes,62\nZoé,Besançon,8\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "gbk"]
)
def test_chinese_is_guessed(put, encoding):
    data = read(put(CHINESE.encode(encoding)), "好瓜")
    assert data.X.rows() == [("青绿", "蜷缩"), ("乌黑", "稍蜷"), ("浅白", "硬挺")]
    assert data.y.to_list() == ["是", "否", "否"]
    guessed = encoding.startswith("gb")
    assert bool(data.notes) is guessed
    if guessed:
        assert (
            data.notes[0]
            == "The text is not UTF-8 and was read as gb18030; use `encoding` if it is another one."
        )


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-8", "utf-16"])
def test_french_is_guessed(put, encoding):
    assert read(put(FRENCH.encode(encoding))).X["prénom"].to_list() == ["Élodie", "René", "Zoé"]


def test_the_euro_and_bytes_that_windows_does_not_have(put):
    assert read(put("price\n5 €\n".encode("cp1252"))).X["price"].to_list() == [5.0]
    assert read(put(b"a,b\n1,\x81x\n")).X["b"].to_list() == ["\x81x"]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", CHINESE),
        ("utf-16", CHINESE),
        ("UTF8", CHINESE),
        ("big5", "名\n中文\n"),
        ("shift_jis", "名\nテスト\n"),
        ("koi8-r", "имя\nда\n"),
    ],
)
def test_given(put, encoding, text):
    assert (
        "\n".join(
            [",".join(r) for r in read(put(text.encode(encoding)), encoding=encoding, header=False).X.rows()]
        )
        == text.strip()
    )


def test_given_and_wrong(put):
    with pytest.raises(
        InputError,
        match=r".* is not UTF-8: byte 0 is 0xc9; pass its `encoding`, such as 'gb18030', 'cp1252' or 'latin-1'",
    ):
        read(put("É\n1\n".encode("latin-1")), encoding="utf-8")
    with pytest.raises(
        InputError, match=r".* is not gb18030: byte 2 cannot be decoded; pass another `encoding`"
    ):
        read(put(b"a\n\xff\xff\n"), encoding="gb18030")
    with pytest.raises(
        ParameterError,
        match=r"`encoding` must be a text encoding, such as 'utf-8', .* or 'latin-1', got 'hex'",
    ):
        read(put("a\n1\n"), encoding="hex")


@given(st.text(), st.integers(1, 9), st.binary(max_size=3))
def test_the_first_bad_byte_is_that_of_python(text, piece, bad):
    data = text.encode("utf-8", "ignore") + bad + b"abc"
    try:
        data.decode("utf-8")
        expected = None
    except UnicodeDecodeError as error:
        expected = error.start
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "PIECE", piece)
        assert find_invalid_utf8(data) == expected


def test_the_bytes_are_not_copied_where_they_are_utf_8():
    data = CHINESE.encode("utf-8")
    assert to_utf8(data, None, "x").data is data
    assert to_utf8(codecs.BOM_UTF8 + data, None, "x").data == data
