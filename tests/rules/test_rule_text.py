"""Rules on pages: names and categories are text everywhere, whatever they hold."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from tests.rules.names import HOSTILE, hostile_rules
from treewright import C45Classifier, CARTRegressor, ParameterError
from treewright.rules.rule_text import markdown_text

UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@pytest.fixture(scope="module", params=["leaves", "generalised"])
def rules(request):
    return hostile_rules(request.param)


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        self.found.add(tag)
        assert set(attrs) <= {("style", "text-align:left"), ("style", "text-align:right")}


def test_text_has_no_line_but_its_own(rules):
    text = rules.to_text()
    assert not UNSAFE.search(text)
    text.encode("utf-8")
    for line in text.split("\n"):
        assert line == "" or re.match(r"Rule \d+:$|    |Default class: ", line), line[:80]


def test_html_has_no_tag_but_its_own(rules):
    page = rules.to_html()
    tags = Tags()
    tags.feed(page)
    assert tags.found <= {"div", "table", "tr", "th", "td", "p"}
    assert not UNSAFE.search(page)
    page.encode("utf-8")
    explained = rules.explain([2] * len(HOSTILE) + [HOSTILE[0]])
    tags = Tags()
    tags.feed(explained.to_html())
    assert tags.found == {"div", "pre"}
    assert not UNSAFE.search(explained.to_text())


def test_markdown_has_one_line_for_each_rule(rules):
    text = rules.to_markdown()
    text.encode("utf-8")
    assert not UNSAFE.search(text)
    head, ruler, *lines = text.split("\n\n")[0].split("\n")
    n_cells = ruler.count("|") - 1
    assert head.count("|") == n_cells + 1
    assert len(lines) == len(rules)
    for line in lines:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == n_cells + 1
        assert not re.search(r"<[A-Za-z/!?]", line)


def test_json_comes_back_as_it_went_in(rules):
    text = rules.to_json()
    assert "<" not in text
    stored = text.encode("utf-8")
    document = json.loads(stored)
    assert document == rules.to_dict()
    assert sorted(document["classes"]) == sorted(rules.classes.tolist())
    said = {c["column"] for rule in document["rules"] for c in rule["conditions"]}
    assert said <= {*HOSTILE, "category"}
    assert len(said) > 8


def test_the_representations_are_printable(rules):
    for thing in (rules, rules[0], rules[0].conditions[0], rules.explain([0] * len(HOSTILE) + [None])):
        assert not UNSAFE.search(str(thing))
        str(thing).encode("utf-8")
        assert "\n" not in repr(thing) or thing is not rules[0]


@pytest.mark.parametrize("text", HOSTILE)
def test_marks_of_markdown_are_marked(text):
    found = markdown_text(text)
    plain = re.sub(r"\\([\\`*_\[\]|~^$=:@])", "", found)
    assert not re.search(r"[`*_\[\]|~^$]|==|:\S|@\w|<[A-Za-z/!?]", plain)


def test_common_words_stay_readable_in_markdown():
    assert markdown_text("3 < x <= 7 and y != 'a b' (n = 4)") == "3 < x <= 7 and y != 'a b' (n = 4)"


@pytest.mark.parametrize("labels", [[False, True], [1, 2], ["", "a"], [(1, 2), (3, 4)]])
def test_classes_of_any_type_in_a_document(labels):
    y = np.empty(8, dtype=object)
    y[:] = labels * 4
    rules = C45Classifier(pruning=None).fit([[0], [1]] * 4, y).rules("generalised")
    said = [rule["class"] for rule in json.loads(rules.to_json())["rules"]]
    assert said == [list(label) if isinstance(label, tuple) else label for label in labels]
    assert rules.predict([[0], [1]]).tolist() == labels


def test_frames_hold_everything(rules):
    frame = rules.to_frame()
    assert len(frame) == len(rules)
    assert not any(UNSAFE.search(words) for words in frame["conditions"])


def test_chinese_names():
    X = [["清晰", 0.7], ["模糊", 0.2], ["清晰", 0.6], ["模糊", 0.3]] * 3
    y = ["好瓜", "坏瓜", "好瓜", "坏瓜"] * 3
    rules = C45Classifier(pruning=None).fit(X, y).rules("generalised")
    assert "class 好瓜" in rules.to_text()
    assert "好瓜" in rules.to_json()
    assert "好瓜" in rules.to_markdown()


def test_numbers_are_rounded_for_people_only():
    rules = CARTRegressor(pruning=None).fit([[1.0], [2.0], [2.0], [2.0]], [1.0, 1.0, 1.0, 2.0]).rules()
    assert "target = 1.33333 " in rules.to_text()
    assert rules.to_dict()["rules"][1]["value"] == 4 / 3
    assert "| target = 1.33333 |" in rules.to_markdown()


@pytest.mark.parametrize("n_rules", [-1, True, "3", 2.5])
@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_html"])
def test_a_number_of_rules_that_is_none_is_refused(rules, form, n_rules):
    with pytest.raises(ParameterError, match=f"`n_rules` must be an integer of at least 0, or None, got {n_rules!r}"):
        getattr(rules, form)(n_rules)
    assert getattr(rules, form)(np.int64(len(rules))) == getattr(rules, form)()
