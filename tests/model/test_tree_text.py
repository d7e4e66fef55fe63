"""A tree prints as C4.5 prints it, whatever its names are."""

import time

import pytest

from tests.model.missing_trees import own_branches
from tests.model.samples import CLASSES, chain, every_kind, regression
from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import ParameterError
from treewright.model.build import build, golf_example, leaf, number, table
from treewright.model.tree_text import MAX_NESTING, to_text

HOSTILE = [
    "a\nb", "a\r\nb", "\x1b[31mred\x1b[0m", "tab\there", "nul\x00", "bell\x07", "\x7f", "\x85next", "\x9b31m",
    "line\u2028sep", "para\u2029sep", "\u202eevil", "\u2066iso\u2069", "\ud800", "\x0b\x0c\x1c\x1d\x1e",
]  # fmt: skip


def test_every_kind_of_split():
    assert every_kind().to_text().splitlines() == [
        "price <= 9.5:",
        "|   size <= M: yes (3)",
        "|   size > M: no (3/1)",
        "price > 9.5:",
        "|   colour in {red, blue}: no (4)",
        "|   colour = green: perhaps (2.5)",
        "|   colour in {white, black}: no (0)",
    ]


def test_branches_of_missing_values():
    assert own_branches().to_text().splitlines() == [
        "price <= 9.5:",
        "|   size <= M: yes (3)",
        "|   size > M: no (3/1)",
        "|   size is missing: perhaps (1)",
        "price > 9.5:",
        "|   colour in {red, blue}: no (4)",
        "|   colour = green: perhaps (2)",
        "|   colour is missing: yes (1)",
        "price is missing:",
        "|   new is known: no (2)",
        "|   new is missing: yes (3)",
    ]


def test_shares_of_rows_are_shown_as_c45_does():
    """Quinlan's golf table with one outlook unknown: 5/13 of that row is sunny, 3/13 overcast, 5/13 rain."""
    sunny = number("humidity", 75, leaf("Play", 2), leaf({"Don't Play": 3, "Play": 5 / 13}))
    rain = table("windy", {True: leaf({"Don't Play": 2, "Play": 5 / 13}), False: leaf("Play", 3)})
    spec = table("outlook", {"overcast": leaf("Play", 3 + 3 / 13), "sunny": sunny, "rain": rain})
    assert build(golf_example().schema, spec, missing="fractional").to_text().splitlines() == [
        "outlook = overcast: Play (3.23)",
        "outlook = sunny:",
        "|   humidity <= 75: Play (2)",
        "|   humidity > 75: Don't Play (3.38/0.38)",
        "outlook = rain:",
        "|   windy = True: Don't Play (2.38/0.38)",
        "|   windy = False: Play (3)",
    ]


def test_regression():
    assert regression().to_text().splitlines() == [
        "price <= 9.5: mean 2, n 3, sd 0.7071",
        "price > 9.5: mean 8, n 1, sd 0",
    ]


def test_single_leaf():
    assert build(CLASSES, leaf({"yes": 9, "no": 5})).to_text() == "yes (14/5)"
    assert build(regression().schema, leaf(1 / 3, 3, 6)).to_text() == "mean 0.333333, n 3, sd 1.414"
    assert build(CLASSES, leaf("no")).to_text(max_depth=0) == "no (1)"


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        ({"yes": 3.0, "no": 0.4}, "(3.4/0.4)"),
        ({"yes": 2.25}, "(2.25)"),
        ({"yes": 2.3333333}, "(2.33)"),
        ({"yes": 1e15, "no": 1.0}, "(1000000000000001/1)"),
        ({"yes": 3.0, "no": 1e-4}, "(3/0.0001)"),
        ({"yes": 1e-4}, "(0.0001)"),
        ({"yes": 0.1 + 0.2}, "(0.3)"),
    ],
)
def test_weights(weights, shown):
    assert build(CLASSES, leaf(weights)).to_text() == f"yes {shown}"


def test_max_depth_counts_the_leaves_below():
    tree = every_kind()
    assert tree.to_text(max_depth=0) == "... (5 leaves)"
    assert tree.to_text(max_depth=1).splitlines() == ["price <= 9.5: ... (2 leaves)", "price > 9.5: ... (3 leaves)"]
    assert tree.to_text(max_depth=2) == tree.to_text() == tree.to_text(max_depth=99)


@pytest.mark.parametrize("bad", [True, -1, 1.5, "2"])
def test_a_bad_max_depth_is_named(bad):
    with pytest.raises(ParameterError, match="`max_depth` must be an integer of at least 0, or None, got"):
        every_kind().to_text(max_depth=bad)


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_stay_on_their_line_and_steer_nothing(evil):
    columns = (Column(evil, Kind.CATEGORY, (evil, "b")), Column("x" + evil, Kind.NUMBER))
    schema = Schema(columns, Target(evil, (evil, "ok")))
    spec = table(evil, {evil: leaf({evil: 2}), "b": number("x" + evil, 1, leaf({evil: 1}), leaf("ok"))})
    tree = build(schema, spec)
    shown = [to_text(tree), *map(repr, tree.walk()), repr(tree.root.split)]
    assert len(shown[0].splitlines()) == 4
    for text in shown:
        assert "\\x" in text or "\\u" in text or "ok" in text
        text.encode()
        assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 for c in text)
        assert not set(text) & set("\u2028\u2029\u202e\u2066\u2069")
    assert all("\n" not in text for text in shown[1:])


def test_escapes_are_readable():
    schema = Schema((Column("a\nb", Kind.NUMBER),), Target("t", ("\x1b[31m", "\u202e")))
    tree = build(schema, number("a\nb", 1, leaf("\x1b[31m"), leaf("\u202e")))
    assert to_text(tree) == "a\\x0ab <= 1: \\x1b[31m (1)\na\\x0ab > 1: \\u202e (1)"


def test_words_in_any_language_are_shown_as_they_are():
    schema = Schema((Column("色泽", Kind.CATEGORY, ("青绿", "乌黑")),), Target("好瓜", ("否", "是")))
    tree = build(schema, table("色泽", {"青绿": leaf("是", 3), "乌黑": leaf({"否": 2, "是": 1})}))
    assert to_text(tree).splitlines() == ["色泽 = 青绿: 是 (3)", "色泽 = 乌黑: 否 (3/1)"]


def test_what_is_nested_too_deep_is_printed_below_as_c45_does():
    lines = chain(MAX_NESTING + 2).to_text().splitlines()
    assert lines[2 * MAX_NESTING - 1] == "|   " * (MAX_NESTING - 1) + f"price > {MAX_NESTING - 1}: [S1]"
    assert lines[2 * MAX_NESTING :] == [
        "",
        "Subtree [S1]",
        f"price <= {MAX_NESTING}: no (1)",
        f"price > {MAX_NESTING}:",
        f"|   price <= {MAX_NESTING + 1}: no (1)",
        f"|   price > {MAX_NESTING + 1}: yes (1)",
    ]
    assert "[S1]" not in chain(MAX_NESTING).to_text()


def test_a_chain_of_100_000_nodes_prints_in_seconds():
    tree = chain(50_000)
    start = time.process_time()
    text = tree.to_text()
    assert time.process_time() - start < 15
    assert len(text) < 20_000_000
    assert text.count(": no (1)") == 50_000
    assert tree.to_text(max_depth=1).splitlines()[1] == "price > 0: ... (50000 leaves)"
