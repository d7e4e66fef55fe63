"""Explanations on the page: text and HTML, with any names, and of a length that can be read."""

import json
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from tests.golden.tables import GOLF, WATERMELON_30
from treewright import C45Classifier, CARTClassifier, CARTRegressor
from treewright.text_table import text_width

EVIL = [
    "</script><script>alert(1)</script>",
    "\"'`<b onclick=x>&amp;",
    "line\nbreak\r\tand\x00\x1b[31m",
    "\u2028\u2029 \u202eright to left\u202c",
    "emoji 🌳 中文",
    "x" * 10_000,
    "",
    "\ud800 alone",
]
UNSAFE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = set(), []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        assert set(attrs) <= {("style", "text-align:left"), ("style", "text-align:right")}
        self.tags.add(tag)

    def handle_data(self, data):
        self.text.append(data)


def evil_model(estimator):
    names = [name or "nothing" for name in EVIL[:6]]
    cells = {name: [EVIL[(i * k) % len(EVIL)] for i in range(48)] for k, name in enumerate(names, 1)}
    X = pd.DataFrame(cells, dtype=object)
    X["number"] = [(i * 7) % 13 for i in range(48)]
    y = [EVIL[i % len(EVIL)] for i in range(48)]
    return estimator.fit(X, y), X


@pytest.mark.parametrize("estimator", [C45Classifier(), CARTClassifier(pruning=None)], ids=["multiway", "subset"])
def test_any_name_is_shown_as_text(estimator):
    model, X = evil_model(estimator)
    rows = [X.iloc[i] for i in range(16)] + [{}, dict.fromkeys(list(X.columns)[:3], "<i>unseen</i>\n")]
    for row in rows:
        found = model.explain(row)
        text = str(found)
        assert not UNSAFE.search(text)
        assert len(text) < 40_000
        assert max(map(text_width, text.splitlines())) < 250  # every column of the table has a long name
        page = Tags(found.to_html())
        assert page.tags <= {"div", "p", "table", "tr", "td", "th"}
        assert not UNSAFE.search("".join(page.text).replace("\n", ""))
        assert found._repr_html_() == found.to_html()
        json.loads(json.dumps(found.to_dict(), allow_nan=False))


def test_the_text_of_a_way(shared):
    model = C45Classifier().fit(GOLF.frame(), GOLF.y)
    row = {"outlook": "sunny", "temperature": 72, "humidity": 80, "windy": "false"}
    assert model.explain(row).to_text().splitlines() == [
        "Prediction: Don't Play",
        "Don't Play: 100.0%, Play: 0.0%",
        "",
        "node  rows  Don't Play   Play  splits on  value  goes to",
        "   0    14       35.7%  64.3%  outlook    sunny  outlook = sunny",
        "   1     5       60.0%  40.0%  humidity   80     humidity > 75",
        "   5     3      100.0%   0.0%                    leaf",
        "rows: training rows at the node, with the proportions of their classes",
        "",
        "Leaf 5 (outlook = sunny and humidity > 75): 3 training rows; Don't Play: 3.",
        "Its training rows, numbered from 0: 0, 1, 7.",
        "95% confidence interval for the proportion of Don't Play: 29.2% to 100.0%. The leaf was chosen using these",
        "rows, so the interval is too narrow.",
        "",
        "nearest changes of one value             prediction  probability  distance",
        "humidity <= 75 (now 80)                  Play             100.0%     0.161",
        "outlook in {overcast, rain} (now sunny)  Play             100.0%         1",
        "",
        "Prediction before error-based pruning: the same, Don't Play (100.0%)",
        "Nothing was pruned on this path.",
    ]


def test_the_text_of_a_number():
    X = [[k] for k in range(1, 11)]
    y = [4.50, 4.75, 4.91, 5.34, 5.80, 7.05, 7.90, 8.23, 8.70, 9.00]
    text = CARTRegressor(max_depth=1, pruning=None).fit(X, y).explain([3]).to_text().splitlines()
    assert text == [
        "Prediction: 5.06",
        "",
        "node  rows  prediction  splits on  value  goes to",
        "   0    10       6.618  x0         3      x0 <= 5.5",
        "   1     5        5.06                    leaf",
        "rows: training rows at the node",
        "",
        "Leaf 1 (x0 <= 5.5): 5 training rows, mean 5.06, standard deviation 0.460043.",
        "Its training rows, numbered from 0: 0, 1, 2, 3, 4.",
        "95% confidence interval for the mean: 4.42136 to 5.69864. "
        "The leaf was chosen using these rows, so the",
        "interval is too narrow.",
        "",
        "nearest changes of one value  prediction  distance",
        "x0 > 5.5 (now 3)                   8.176     0.278",
    ]


def test_chinese_names_stand_in_line():
    model = C45Classifier(variant="textbook").fit(WATERMELON_30.frame(), WATERMELON_30.y)
    lines = str(model.explain(WATERMELON_30.frame().iloc[0])).splitlines()
    assert lines[0] == "Prediction: 是"
    head, first = lines[3:5]
    assert "含糖率" in first
    # The two classes in the head are one character each, and take two cells of the terminal each.
    assert head.index("splits on") + 2 == first.index("含糖率")


def test_long_ways_show_both_ends():
    X = pd.DataFrame({"x": range(200)})
    model = CARTClassifier(pruning=None, criterion="entropy").fit(X, [x % 2 for x in range(200)])
    deepest = int(model.tree_.depths.argmax())
    row = model.explain([model.apply(X).tolist().index(deepest)])
    assert len(row.steps) > 40
    text = str(row)
    assert f"… {len(row.steps) - 40} more nodes" in text
    assert f"Leaf {deepest} " in text
    assert "  leaf" in text


def test_classes_that_are_numbers_are_not_taken_for_their_weights():
    X, y = [[k] for k in range(60)], [k // 10 for k in range(60)]
    text = str(CARTClassifier(pruning=None, max_depth=1).fit(X, y).explain([12]))
    assert text.splitlines()[1] == "1: 20.0%, 2: 20.0%, 3: 20.0%, 4: 20.0%, 2 more classes"
    assert "50 training rows; 1: 10, 2: 10, 3: 10, 4: 10, 1 more class." in text


def test_long_class_names_leave_room_for_the_way():
    names = ["compensated hypothyroid", "negative", "primary hypothyroid", "secondary hypothyroid"]
    X, y = [[k] for k in range(40)], [names[k // 10] for k in range(40)]
    lines = str(CARTClassifier(pruning=None).fit(X, y).explain([12])).splitlines()
    assert lines[1].count(": ") == 4
    head = lines[3].split("splits on")[0]
    assert "negative" in head
    assert len(head) < 90
    assert "… 1 more class" in lines


def test_what_was_cut_is_told_to_its_verdict_whatever_the_names():
    X = pd.DataFrame({"n" * 900: range(40), "m" * 900: [k % 7 for k in range(40)]})
    y = ["a" if k < 20 or k == 30 else "b" for k in range(40)]
    found = CARTClassifier(pruning="mdl").fit(X, y).explain(X.iloc[30])
    (cut,) = found.before_pruning[0].cuts
    text = str(found)
    assert len(cut) > 900
    start = text.index("Pruned in the grown tree: Node ")
    assert text[start:].split(".", maxsplit=1)[0].count("\n") < 8
    assert cut[-60:] in text[start:].replace("\n", " ")
