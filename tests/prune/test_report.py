"""The report of a pruning: sentences, text, HTML and frames, with any names, for any number of nodes."""

import pickle
import re
import time
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.model.samples import chain
from treewright import InputError, ParameterError, TreewrightError, text_table
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.prune import Pessimistic, PruningReport
from treewright.prune.report import KEPT, PRUNED, RAISED
from treewright.prune.report_text import format_figures
from treewright.prune.traversal import bottom_up_order


def golf_report(**changed):
    """A report made up for the golf tree; its numbers are no method's."""
    tree = golf_example()
    given = {
        "tree": tree,
        "method": "made_up",
        "rule": "A node becomes a leaf where that is fine.",
        "unit": "errors",
        "node": np.array([1, 3, 0]),
        "leaf": np.array([2.5, 1.0, 7.5]),
        "subtree": np.array([1.0, 3.0, 6.5]),
        "allowance": np.array([0.0, 0.0, 1.9646]),
        "verdict": np.array([KEPT, PRUNED, PRUNED], np.int8),
        "details": {"leaves": np.array([2, 2, 5]), "rate": np.array([0.2, 0.6, 0.40625])},
        "origin": np.array([0]),
    }
    return PruningReport(**(given | changed))


def test_a_decision_is_a_record_and_a_sentence():
    one = golf_report().of(3)
    assert (one.node, one.where, one.column, one.weight) == (3, "outlook = rain", "windy", 5.0)
    assert (one.leaf, one.subtree, one.allowance, one.verdict) == (1.0, 3.0, 0.0, "pruned")
    assert one.details == {"leaves": 2, "rate": 0.6}
    assert type(one.details["leaves"]) is int
    assert one.words == "Node 3 (outlook = rain): 1 error as a leaf, 3 as a subtree: pruned."


def test_an_allowance_is_said():
    report = golf_report(with_allowance="with one standard error")
    assert report.of(0).words == (
        "Node 0 (root): 7.5 errors as a leaf, 6.5 as a subtree, 8.46 with one standard error: pruned."
    )
    assert "with the allowance" in golf_report().of(0).words
    assert "with" not in report.of(1).words


@pytest.mark.parametrize(
    ("unit", "number", "said"),
    [("errors", 1.0, "1 error "), ("errors", 2.0, "2 errors "), ("bits", 1.0, "1 bit "), ("loss", 1.0, "1 loss "),
     ("validation cost", 1.0, "1 validation cost "), ("errors", 0.0, "0 errors ")],
)  # fmt: skip
def test_units_follow_their_number(unit, number, said):
    report = golf_report(unit=unit, leaf=np.full(3, number))
    assert said in report.sentence(0)


def test_other_numbers_have_other_words():
    report = golf_report(unit="G", as_leaf="at its strongest split", as_subtree="needed")
    assert report.sentence(0) == "Node 1 (outlook = sunny): 2.5 G at its strongest split, 1 needed: kept."
    assert str(report).splitlines()[-1] == "leaf: G at its strongest split; subtree: needed; limit: with the allowance"


def test_a_branch_in_the_place_of_its_parent():
    verdict = np.array([RAISED, KEPT, KEPT], np.int8)
    report = golf_report(branch=np.array([0.5, np.nan, 9.0]), verdict=verdict, allowance=np.zeros(3), details={})
    assert report.sentence(0) == (
        "Node 1 (outlook = sunny): 2.5 errors as a leaf, 1 as a subtree, "
        "0.5 with its largest branch in its place: raised."
    )
    assert report.sentence(1) == "Node 3 (outlook = rain): 1 error as a leaf, 3 as a subtree: kept."
    assert (report[0].branch, report[1].branch) == (0.5, None)
    assert report.to_text(2).splitlines()[3:] == [
        "node  rows  leaf  subtree  branch  verdict  splits on  where",
        "   1     5   2.5        1     0.5  raised   humidity   outlook = sunny",
        "   3     5     1        3          kept     windy      outlook = rain",
        "… 1 more node",
        "leaf: errors as a leaf; subtree: as a subtree; branch: with its largest branch in its place",
    ]
    frame = report.to_frame()
    assert list(frame.columns)[6:] == ["allowance", "branch", "verdict"]
    assert frame["branch"].isna().tolist() == [False, True, False]


def test_visits_are_counted_from_both_ends():
    report = golf_report()
    assert len(report) == 3
    assert [one.node for one in report] == [1, 3, 0]
    assert (report[0].node, report[-1].node, report[np.int64(1)].node) == (1, 0, 3)
    assert report.sentence(2) == report[2].words == report.of(0).words
    for i in (3, -4):
        with pytest.raises(IndexError, match=rf"Visit {i} not found; the report has 3 visits, counted from 0"):
            report[i]


def test_the_last_visit_of_a_node_counts():
    report = golf_report(node=np.array([1, 3, 3]), verdict=np.array([KEPT, RAISED, KEPT], np.int8))
    assert report.of(3).verdict == "kept"
    assert report[1].verdict == "raised"
    assert str(report).startswith("made_up: 2 nodes in 3 visits, 2 kept, 0 pruned, 1 raised;")
    assert report.to_text(1).splitlines()[-2] == "… 2 more visits"


def test_a_node_without_a_decision_is_told():
    with pytest.raises(InputError, match="There is no decision for node 4: it is a leaf"):
        golf_report().of(4)
    short = golf_report(node=np.array([0]), leaf=np.ones(1), subtree=np.ones(1), allowance=np.zeros(1),
                        verdict=np.array([PRUNED], np.int8), details={})  # fmt: skip
    with pytest.raises(InputError, match="There is no decision for node 1: pruning did not visit it"):
        short.of(1)
    for node in (8, -1, "1"):
        with pytest.raises(InputError, match=r"Node .* not found; the nodes of this tree are 0 to 7"):
            golf_report().of(node)


def test_the_text_of_the_golf_report():
    assert golf_report().to_text().splitlines() == [
        "made_up: 3 nodes visited, 1 kept, 2 pruned; 5 leaves before, 1 after.",
        "A node becomes a leaf where that is fine.",
        "",
        "node  rows  leaf  subtree  limit  verdict  leaves   rate  splits on  where",
        "   1     5   2.5        1      1  kept          2    0.2  humidity   outlook = sunny",
        "   3     5     1        3      3  pruned        2    0.6  windy      outlook = rain",
        "   0    14   7.5      6.5   8.46  pruned        5  0.406  outlook    root",
        "leaf: errors as a leaf; subtree: as a subtree; limit: with the allowance",
    ]


def test_without_an_allowance_there_is_no_limit():
    text = golf_report(allowance=np.zeros(3), details={}).to_text(2)
    assert text.splitlines()[3:] == [
        "node  rows  leaf  subtree  verdict  splits on  where",
        "   1     5   2.5        1  kept     humidity   outlook = sunny",
        "   3     5     1        3  pruned   windy      outlook = rain",
        "… 1 more node",
        "leaf: errors as a leaf; subtree: as a subtree",
    ]


def test_leaves_are_counted_by_origin():
    report = golf_report(origin=np.array([0, 1, 2, 3, 4, 5]), verdict=np.array([0, 1, 2], np.int8))
    assert str(report).splitlines()[0] == (
        "made_up: 3 nodes visited, 1 kept, 1 pruned, 1 raised; 5 leaves before, 4 after."
    )


def test_a_report_of_nothing():
    one_leaf = build(golf_example().schema, leaf("Play", 4))
    report = Pessimistic().prune(one_leaf).report
    assert len(report) == 0
    assert list(report) == []
    assert str(report).splitlines()[0] == "pessimistic: the tree has no node to prune."
    assert len(report.to_frame()) == 0
    assert "<table>" not in report._repr_html_()


@pytest.mark.parametrize("max_rows", [-1, 2.5, "all"])
def test_a_bad_number_of_rows_is_told(max_rows):
    with pytest.raises(ParameterError, match="`max_rows` must be an integer of at least 0, or None, got"):
        golf_report().to_text(max_rows)


def test_a_table_of_no_rows_is_left_out():
    assert golf_report().to_text(0).splitlines() == golf_report().to_text().splitlines()[:2]


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([7.5, 6.5, 8.46473], ["7.5", "6.5", "8.46"]),
        ([999.6, 20], ["1000", "20"]),
        ([123456.7, 20], ["123457", "20"]),
        ([123456.7, 123456.8], ["123456.7", "123456.8"]),
        ([0.1 + 0.2, 0.3], ["0.3", "0.3"]),  # the same but for rounding
        ([1 / 3, 0.333333], ["0.3333333", "0.333333"]),
        ([1.5e-9, 0.0], ["1.5e-09", "0"]),
        ([-0.0, 2e20], ["0", "2e+20"]),
        ([float("inf"), 1.0], ["inf", "1"]),
    ],
)
def test_numbers_are_short_and_told_apart(numbers, words):
    assert format_figures(numbers) == words


COLUMNS = {
    "node": [1, 3, 0],
    "words": ["outlook = sunny", "outlook = rain", "root"],
    "column": ["humidity", "windy", "outlook"],
    "weight": [5.0, 5.0, 14.0],
    "leaf": [2.5, 1.0, 7.5],
    "subtree": [1.0, 3.0, 6.5],
    "allowance": [0.0, 0.0, 1.9646],
    "verdict": ["kept", "pruned", "pruned"],
    "leaves": [2, 2, 5],
    "rate": [0.2, 0.6, 0.40625],
}


def without(monkeypatch, *absent):
    real = text_table.find_spec
    monkeypatch.setattr(text_table, "find_spec", lambda name: None if name in absent else real(name))


def test_a_frame_of_pandas():
    pd.testing.assert_frame_equal(golf_report().to_frame(), pd.DataFrame(COLUMNS))


def test_a_frame_of_polars_where_there_is_no_pandas(monkeypatch):
    without(monkeypatch, "pandas")
    assert golf_report().to_frame().equals(pl.DataFrame(COLUMNS))


def test_no_library_for_frames_is_said(monkeypatch):
    without(monkeypatch, "pandas", "polars")
    with pytest.raises(TreewrightError, match="needs pandas or polars, and neither is installed"):
        golf_report().to_frame()


HOSTILE = [
    "<script>alert(1)</script>",
    "</td></table><svg onload=alert(1)>",
    '" onmouseover="alert(1)',
    "&lt;script&gt;",
    "line\nbreak\x1b[31mred\u202e",
]


class _Tags(HTMLParser):
    """All tags of a page, with their attributes, and the text between them."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)


@pytest.mark.parametrize("name", HOSTILE, ids=repr)
def test_no_name_or_category_becomes_code(name):
    columns = Column(name, Kind.CATEGORY, (name, name + "2")), Column("x", Kind.NUMBER)
    inner = number("x", 1, leaf("no", 3), leaf("yes", 2))
    spec = table(name, {name: inner, name + "2": leaf("yes")})
    report = Pessimistic().prune(build(Schema(columns, Target("y", ("no", "yes"))), spec)).report
    seen = _Tags()
    seen.feed(report._repr_html_())
    assert seen.tags == {"div", "p", "table", "tr", "th", "td"}
    assert set(seen.attributes) == {("style", "text-align:left"), ("style", "text-align:right")}
    if "\n" not in name:
        assert name in seen.text
    said = str(report) + report._repr_html_() + report.sentence(0) + report.sentence(1)
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", said) is None
    assert len(report.sentence(1).splitlines()) == 1
    assert len(str(report).splitlines()) == 8


def test_html_holds_the_same_words_as_the_text():
    seen = _Tags()
    seen.feed(golf_report()._repr_html_())
    assert " ".join(seen.text).split() == str(golf_report()).split()


def test_chinese_names_stand_in_line():
    schema = Schema((Column("密度", Kind.NUMBER), Column("x", Kind.NUMBER)), Target("好瓜", ("否", "是")))
    tree = build(schema, number("密度", 0.38, leaf("否", 9), number("x", 1, leaf("是", 9), leaf("否", 9))))
    lines = str(Pessimistic().prune(tree).report).splitlines()
    assert lines[4].index("where") == lines[5].index("root") + 2 == lines[6].index("密度 > 0.38")


def test_a_report_can_be_stored():
    report = pickle.loads(pickle.dumps(golf_report(path=("a", "table"))))
    assert report.to_text() == golf_report().to_text()
    assert (report.tree, report.path) == (golf_example(), ("a", "table"))


def test_what_a_report_is_called():
    assert repr(golf_report()) == "<PruningReport: made_up, 3 nodes visited>"


def test_nodes_are_visited_from_the_bottom_up_each_level_from_its_first_node_on():
    assert bottom_up_order(golf_example()).tolist() == [1, 3, 0]
    assert bottom_up_order(chain(3)).tolist() == [4, 2, 0]


def test_a_report_of_many_nodes_is_cheap():
    tree = chain(25_000)
    start = time.perf_counter()
    report = Pessimistic(penalty=0, standard_errors=0).prune(tree).report
    text, last = str(report), report.of(49_998)
    made = time.perf_counter() - start
    assert len(report) == 25_000
    assert len(text.splitlines()) == 37
    assert text.splitlines()[-2] == "… 24970 more nodes"
    assert last.where == "… and price > 24996 and price > 24997 and price > 24998"
    start = time.perf_counter()
    frame, every = report.to_frame(), report.to_text()
    written = time.perf_counter() - start
    assert frame["words"].iloc[-1] == last.where
    assert len(every.splitlines()) == 25_006
    # Some 0.02 and 1 seconds; a step that looks at all nodes for each node would take minutes.
    assert made < 5
    assert written < 30
