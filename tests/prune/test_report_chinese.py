"""Pruning reports in Chinese: every text of every method is translated, also of reports read from a model file."""

import re

import pytest

from tests.contracts.pruning_methods import BOTH, results
from treewright import load
from treewright.errors import ParameterError
from treewright.model.build import golf_example
from treewright.prune import Pessimistic, SameDecision, Steps
from treewright.prune.registry import METHODS
from treewright.prune.report_messages import COMMON_MESSAGES, shown_text, stored_text

SYMBOLS = {"G", "CP", "n", "v", "p", "e", "inf", "nan", "monotonic_cst"}
"""What is written in Latin letters in Chinese, too."""


def english_words(text, report):
    """The words of a text that are no symbol, no name of a method and no name of the data."""
    schema = report.tree.schema
    names = {str(name) for column in schema.columns for name in (column.name, *column.categories)}
    names |= {*map(str, schema.target.classes or ()), *METHODS}
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    text = re.sub(rf"(?<!\w)(?:{any_name})(?!\w)", "", text, flags=re.ASCII)
    return set(re.findall(r"[A-Za-z_]{1,}", re.sub(r"\d(\.\d+)?e[-+]?\d+", "", text))) - SYMBOLS


@pytest.mark.parametrize(
    ("method", "regression"), BOTH, ids=[f"{method!r}-{'numbers' if r else 'classes'}" for method, r in BOTH]
)
def test_a_chinese_report_has_no_english_words(method, regression):
    for _, pruned in results(method, regression)[:6]:
        report = pruned.report.with_language("zh")
        texts = [report.to_text(3), report._repr_html_(), report.rule_text, *(one.words for one in list(report)[:3])]
        texts += [] if report.path is None else [str(report.path)]
        for text in texts:
            shown = re.sub(r'</?(div|p|table|tr|(th|td)( style="text-align:(left|right)")?)>|&\w+;', " ", text)
            assert english_words(shown, report) == set(), text


@pytest.mark.parametrize(("method", "regression"), BOTH, ids=repr)
def test_every_text_is_a_message_of_its_method(method, regression):
    """So it can be translated; and what a file stores of it is read as the same text again."""
    for _, pruned in results(method, regression)[:4]:
        report = pruned.report
        for text in (report.rule, report.unit, report.as_leaf, report.as_subtree, report.with_allowance):
            assert report.with_language("zh").translated(text, _chinese()) != text or text in COMMON_MESSAGES
            stored = stored_text(text, type(method).stored_texts)
            assert shown_text(stored, type(method).stored_texts) == text


def _chinese():
    from treewright.language import messages

    return messages("zh")


def test_words_of_a_decision():
    report = Pessimistic(standard_errors=2).prune(golf_example()).report.with_language("zh")
    assert report.of(3).words == (
        "结点 3（outlook = rain）：作为叶结点的错误数 2.5，子树 1，加上 2 个标准误后 2.79：剪枝。"
    )
    assert report.of(3).verdict == "pruned"
    assert report.to_text(0).splitlines()[0] == (
        "pessimistic：考察 3 个结点，保留 1，剪枝 2；剪枝前 5 个叶结点，剪枝后 3 个。"
    )


def test_the_language_is_chosen_for_the_report_or_for_a_text():
    report = SameDecision().prune(golf_example()).report
    assert report.to_text(language="zh") == str(report.with_language("zh"))
    assert report.with_language("zh").with_language("en").to_text() == report.to_text()
    with pytest.raises(ParameterError, match=r"language must be one of 'en', 'zh', got 'xx'\."):
        report.with_language("xx")


def test_steps_are_translated_as_a_whole():
    report = Steps((SameDecision(), Pessimistic())).prune(golf_example()).report.with_language("zh")
    text = report.to_text()
    assert english_words(text, report) == set()
    assert "第 2 步：pessimistic" in text
    assert report.rule_text.startswith("1. 若结点下方所有叶结点的预测")


def test_a_report_of_a_file_is_translated_too(tmp_path):
    from sklearn.datasets import load_iris

    from treewright import CARTClassifier

    iris = load_iris(as_frame=True)
    model = CARTClassifier(pruning=["cost_complexity", "same_decision"]).fit(iris.data, iris.target)
    model.save(tmp_path / "model.json")
    saved = (tmp_path / "model.json").read_text(encoding="utf-8")
    # the words of the first version of model files
    assert "A node becomes a leaf where its error + alpha is not above that of its subtree" in saved
    assert "gives the same answer as the node itself" in saved
    report = load(tmp_path / "model.json").pruning_report_
    assert report.to_text() == model.pruning_report_.to_text()
    assert report.to_text(language="zh") == model.pruning_report_.to_text(language="zh")
    assert "predicts the same as the node itself" in report.rule


def test_an_unknown_text_stays_as_it_is():
    report = Pessimistic().prune(golf_example()).report.with_language("zh")
    assert report.translated("of an unknown kind", _chinese()) == "of an unknown kind"
