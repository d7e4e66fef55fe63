"""The missing-value report as text, HTML and frames, with any names."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import MissingReport, TreewrightError, text_table
from treewright.data.encode import Unseen
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.explain.missing_report import missing_report
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.predict.missing_policy import MissingPolicy

NAN = np.nan
GOLF = np.array([[NAN, 80, 1], [0, NAN, 0], [NAN, NAN, 0], [1, NAN, 1], [2, 70, 1], [2, 90, 1]])


def golf_report() -> MissingReport:
    return missing_report(golf_example(), GOLF, MissingPolicy("fractional"), (Unseen("outlook", "fog", 1),))


def test_the_text_of_the_golf_report() -> None:
    assert str(golf_report()).splitlines() == [
        "6 rows; missing values: fractional; unseen categories count as missing.",
        "",
        "column    missing  proportion  unseen  affected  majority  stop",
        "outlook         1       16.7%       1         2         1     1",
        "humidity        3       50.0%       0         2         1     0",
        "any                                           3         1     1",
        "affected: rows with a missing or unseen value of the column and a path that tests it",
        "majority, stop: how many of these would get another prediction with this strategy",
        "nothing is missing in 1 more column",
        "",
        "node  rows  splits on  path",
        "   0     2  outlook    root",
        "   1     2  humidity   outlook = sunny",
    ]


def test_nothing_missing_is_one_line() -> None:
    report = missing_report(golf_example(), GOLF[4:], MissingPolicy("stop"))
    assert str(report) == "2 rows, no missing value and no unseen category."
    assert str(missing_report(golf_example(), GOLF[5:], MissingPolicy("stop"))).startswith("1 row, no missing")


def test_many_nodes_are_counted() -> None:
    schema = Schema((Column("x", Kind.NUMBER), Column("z", Kind.NUMBER)), Target("y", ("no", "yes")))
    tree = number("z", 0, leaf("no"), leaf("yes"))
    for cut in range(12):
        tree = number("x", cut, number("z", cut, leaf("no"), leaf("yes")), tree)
    report = missing_report(build(schema, tree), np.array([[NAN, NAN]]), MissingPolicy("fractional"))
    assert len(report.nodes) == 25
    assert str(report).splitlines()[-1] == "… 15 more nodes"


def test_many_columns_are_counted() -> None:
    schema = Schema(tuple(Column(f"x{i}", Kind.NUMBER) for i in range(30)), Target("y", ("no", "yes")))
    tree = build(schema, number("x29", 0, leaf("no"), leaf("yes")))
    lines = str(missing_report(tree, np.full((2, 30), NAN), MissingPolicy("stop"))).splitlines()
    names = [line.split()[0] for line in lines[3:23]]
    assert names == [f"x{i}" for i in range(19)] + ["x29"]
    assert lines[24] == "… 10 more columns with fewer rows affected"


def test_chinese_names_stand_in_line() -> None:
    schema = Schema((Column("密度", Kind.NUMBER), Column("x", Kind.NUMBER)), Target("好瓜", ("否", "是")))
    tree = build(schema, number("密度", 0.38, leaf("否"), number("x", 1, leaf("是"), leaf("否"))))
    lines = str(missing_report(tree, np.array([[NAN, NAN]]), MissingPolicy("stop"))).splitlines()
    head, first, second = lines[2:5]
    assert first.startswith("密度")
    assert second.startswith("x ")
    # Each of the two Chinese characters takes two cells of the terminal.
    assert head.index("proportion") + 4 == first.index("100.0%") + 2 == second.index("100.0%")


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table><svg onload=alert(1)>",
    '" onmouseover="alert(1)',
    "&lt;script&gt;",
    "line\nbreak\x1b[31mred\u202e",
]


class _Tags(HTMLParser):
    """All tags of a page, with their attributes, and the text between them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("name", HOSTILE, ids=repr)
def test_no_name_or_category_becomes_code(name: str) -> None:
    schema = Schema(
        (Column(name, Kind.CATEGORY, (name, name + "2")), Column("x", Kind.NUMBER)), Target("y", ("no", "yes"))
    )
    tree = build(schema, table(name, {name: number("x", 1, leaf("no"), leaf("yes")), name + "2": leaf("yes")}))
    report = missing_report(tree, np.array([[NAN, NAN], [0, NAN]]), MissingPolicy("fractional"))
    seen = _Tags()
    seen.feed(report._repr_html_())
    assert seen.tags == {"div", "p", "table", "tr", "th", "td"}
    assert set(seen.attributes) == {("style", "text-align:left"), ("style", "text-align:right")}
    if "\n" not in name:
        assert name in seen.text
        assert f"{name} = {name}" in seen.text
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", str(report) + report._repr_html_()) is None
    assert len(str(report).splitlines()) == len(str(golf_report()).splitlines()) - 1


def test_html_holds_the_same_words_as_the_text() -> None:
    seen = _Tags()
    seen.feed(golf_report()._repr_html_())
    assert " ".join(seen.text).split() == str(golf_report()).split()


COLUMNS = {
    "column": ["outlook", "humidity", "windy"],
    "n_missing": [1, 3, 0],
    "share": [1 / 6, 0.5, 0.0],
    "n_unseen": [1, 0, 0],
    "n_met": [2, 2, 0],
    "changed_majority": [1, 1, 0],
    "changed_stop": [1, 0, 0],
}
NODES = {"node": [0, 1], "words": ["root", "outlook = sunny"], "column": ["outlook", "humidity"], "n_rows": [2, 2]}


def _without(monkeypatch: pytest.MonkeyPatch, *absent: str) -> None:
    real = text_table.find_spec
    monkeypatch.setattr(text_table, "find_spec", lambda name: None if name in absent else real(name))


def test_frames_of_pandas() -> None:
    pd.testing.assert_frame_equal(golf_report().to_frame(), pd.DataFrame(COLUMNS))
    pd.testing.assert_frame_equal(golf_report().to_frame("nodes"), pd.DataFrame(NODES))


def test_frames_of_polars_where_there_is_no_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    _without(monkeypatch, "pandas")
    assert golf_report().to_frame().equals(pl.DataFrame(COLUMNS))
    assert golf_report().to_frame("nodes").equals(pl.DataFrame(NODES))


def test_no_library_for_frames_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    _without(monkeypatch, "pandas", "polars")
    with pytest.raises(TreewrightError, match="needs pandas or polars, and neither is installed; install one"):
        golf_report().to_frame()


def test_an_empty_table_of_nodes_is_a_frame() -> None:
    report = missing_report(golf_example(), GOLF[5:], MissingPolicy("stop"))
    assert list(report.to_frame("nodes").columns) == list(NODES)
    assert len(report.to_frame("nodes")) == 0
