"""Texts of the reader in other languages; stored, compared and printed they are English."""

import copy
import pickle

import pytest

from treewright import read
from treewright.data.files.translatable import Translatable, translated

TABLE = "code,size,x,play\n" + "".join(f"{i:03},{'SML'[i % 3]},{i},{['stay', 'go'][i % 2]}\n" for i in range(12))


def test_it_is_its_english_text():
    reason = Translatable("{value} in {where} begins with a zero", value="{x}", where="it")
    text = Translatable("codes: {reason}", reason=reason)
    assert text == "codes: {x} in it begins with a zero"
    assert translated(text, "en") == text
    assert translated("never translated", "zh") == "never translated"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_a_copy_can_be_translated_too(copied):
    text = copied(Translatable("{reason}; constant", reason=Translatable("set by the user")))
    assert text == "set by the user; constant"
    assert translated(text, "zh") == "由用户指定；只有一个值"


def test_reasons_and_notes_of_a_table(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    data = read(tmp_path / "t.csv", "play", ordered={"size": ["S", "M", "L"]})
    assert [column.why for column in data.columns] == [
        "codes: '000' in line 2 begins with a zero",
        "set by the user: S < M < L",
        "every known cell is an integer",
        "text, such as 'stay'",
    ]
    assert [translated(column.why, "zh") for column in data.columns] == [
        "编码：第 2 行的 '000' 以零开头",
        "由用户指定：S < M < L",
        "所有已知值都是整数",
        "文本，例如 'stay'",
    ]
    assert [translated(note, "zh") for note in data.notes] == [
        "列 'code' 作为离散属性，因为第 2 行的 '000' 以零开头；如果是数，请使用 `numeric`。"
    ]
