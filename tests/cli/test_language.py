"""--language zh: every report of a command is in Chinese, but for names, numbers, symbols and abbreviations."""

import io
import re
import sys
from html import unescape

import pytest

from tests.cli.running import run

NAMES = {"outlook", "temperature", "humidity", "windy", "play", "sunny", "overcast", "rain"} | {"true", "false"}
NAMES |= {"no", "yes"}
FILES = {"golf", "csv", "json", "report", "html"}
TECHNICAL = {
    "ID3", "C4", "CART", "MDLTree", "MDL", "RMSE", "MAE", "R", "Brier", "F1", "treewright", "release8", "error_based",
    "pessimistic", "id3", "c4", "cart", "mdl", "s", "n", "entropy",
}  # fmt: skip
"""Abbreviations, names of programs, and names of methods and parameters as they are typed."""


def english_words(text):
    """The English words of a text: not names, options, numbers in hexadecimal, or what is technical."""
    text = re.sub(r"--?[a-z][a-z-]*|\b[0-9a-f]{64}\b|'[^']*'", " ", text)
    return set(re.findall(r"[A-Za-z][A-Za-z_0-9]*", text)) - NAMES - FILES - TECHNICAL


REPORTS = [
    ["fit", "golf.csv", "-t", "play", "-a", "c4.5", "--folds", "2"],
    ["inspect", "golf.csv", "-t", "play"],
    ["evaluate", "golf.json", "golf.csv", "--leaves"],
    ["cv", "golf.csv", "-t", "play", "--folds", "2"],
    ["compare", "golf.csv", "-t", "play", "--folds", "2"],
    ["show", "golf.json"],
    ["show", "golf.json", "--node", "3"],
    ["show", "golf.json", "--importances"],
    ["show", "golf.json", "--rules"],
    ["rules", "golf.json"],
    ["rules", "golf.json", "--form", "generalised", "--data", "golf.csv"],
    ["prune", "golf.json", "-m", "pessimistic"],
    ["why", "golf.json", "0"],
    ["why", "golf.json", "3"],
    ["explain", "golf.json", "outlook=sunny", "humidity=80", "windy=false"],
]


@pytest.mark.parametrize("words", REPORTS, ids=" ".join)
def test_a_report_in_chinese_has_no_english_words(words, golf, capsys):
    said = run(capsys, *words, "--language", "zh")
    assert said.code == 0, said.err
    assert re.search(r"[\u4e00-\u9fff]", said.out)
    assert english_words(said.out) == set()


CODES = "id,code,part,x,,play\n" + "".join(
    f"a{i},{i % 20:03},{'?' if i == 3 else i},{i * 37 % 11},1,{'' if i == 5 else ['no', 'yes'][i % 2]}\n"
    for i in range(40)
)
"""A table about which the reader has much to say: codes, one cell that is not a number, no name, no target value."""


@pytest.fixture
def noted(golf):
    (golf / "codes.csv").write_text(CODES)
    (golf / "small.csv").write_text("size,colour,play\nS,红,no\nM,绿,yes\nL,红,yes\n" * 5, encoding="gb18030")
    return golf


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["fit", "codes.csv", "-t", "play", "--ignore", "id", "--folds", "2"], "如果是数，请使用 --numeric"),
        (["fit", "codes.csv", "-t", "play", "--ignore", "id", "-o", "codes.json", "--no-cv"], "候选划分记录"),
        (["fit", "small.csv"], "未指定 --target"),
        (["cv", "codes.csv", "-t", "play", "--folds", "2", "-a", "cart"], "略去 1 行 'play' 没有值的样本"),
        (["compare", "codes.csv", "-t", "play", "--folds", "2", "--pruning", "pessimistic"], "以零开头"),
        (["compare", "small.csv", "-t", "play", "--folds", "2", "--pruning", "none"], "请使用 --encoding"),
        (["predict", "golf.json", "golf.csv", "-o", "predicted.csv"], "14 行及其预测已写入"),
        (["prune", "golf.json", "-m", "pessimistic"], "剪枝后的模型未保存"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else "",
)
def test_notes_are_in_chinese(words, expected, noted, capsys):
    said = run(capsys, *words, "--language", "zh")
    assert said.code == 0, said.err
    assert expected in said.err
    shown = re.sub(r"下一步：.*|--keep none|--(?:categorical|numeric) \w+|'x4'|`[^`]*`|UTF-8|gb18030", " ", said.err)
    assert english_words(shown) == set()


def test_reasons_for_the_kinds_of_columns_are_in_chinese(noted, capsys):
    words = ["compare", "codes.csv", "-t", "play", "--folds", "2", "--pruning", "none", "-o", "report.html"]
    assert run(capsys, *words, "--language", "zh").code == 0
    html = (noted / "report.html").read_text(encoding="utf-8")
    reasons = [unescape(one) for one in re.findall(r'<td class="why">(.*?)</td>', html)]
    assert "编码：第 2 行的 '000' 以零开头" in reasons
    assert all(reasons)
    assert english_words("\n".join(reasons)) == set()


DIFFS = [["golf.json", "cart.json"], ["golf.json", "golf.json"], ["number.json", "stump.json"]]


@pytest.mark.parametrize("models", DIFFS, ids=" ".join)
def test_diff_is_in_chinese(models, golf, capsys):
    for name, options in {
        "cart": ["-t", "play", "-a", "cart", "--pruning", "none"],
        "number": ["-t", "humidity", "--regression", "--pruning", "none"],
        "stump": ["-t", "humidity", "--regression", "--pruning", "none", "--max-depth", "1"],
    }.items():
        assert run(capsys, "fit", "golf.csv", *options, "-o", f"{name}.json", "-q", "--no-cv").code == 0
    said = run(capsys, "diff", *models, "golf.csv", "--rows", "--all", "--top", "1", "--language", "zh", "-o", "d.csv")
    assert said.code == 0, said.err
    assert said.out.startswith("两棵树")
    assert english_words(re.sub(r"'d.csv'", " ", said.out + said.err)) == set()


def test_the_report_of_compare_is_a_chinese_page(golf, capsys):
    words = ["compare", "golf.csv", "-t", "play", "--folds", "2", "-o", "report.html", "--language", "zh"]
    assert run(capsys, *words).code == 0
    html = (golf / "report.html").read_text(encoding="utf-8")
    assert '<html lang="zh">' in html
    page = re.sub(r"<style>.*?</style>|<pre>.*?</pre>|<head>.*?</head>", " ", html, flags=re.DOTALL)
    assert english_words(unescape(re.sub(r"<[^>]*>", " ", page))) == set()


def test_a_consultation_is_in_chinese(golf, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("sunny\nwhy\n70-80\nquit\n"))
    said = run(capsys, "consult", "golf.json", "--language", "zh")
    assert said.code == 0
    shown = re.sub(r"> .*|.*again.*", " ", said.out)
    assert english_words(shown) == set()


def test_explanations_of_predictions_are_in_chinese(golf, capsys):
    said = run(capsys, "predict", "golf.json", "golf.csv", "--explain", "--columns", "none", "--language", "zh")
    assert english_words("\n".join(said.out.splitlines()[1:])) == set()


def test_an_unknown_language_is_a_usage_error(golf, capsys):
    said = run(capsys, "why", "golf.json", "0", "--language", "fr")
    assert said.code == 2
    assert "'fr' is not one of 'en', 'zh'" in said.err
