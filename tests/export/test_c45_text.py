"""Trees as Quinlan's program prints them; the golden printouts are compared in tests/golden/test_c45_command.py."""

import numpy as np
import pytest

from treewright.data.schema import Column, Kind, Schema, Target
from treewright.errors import KindError
from treewright.export.c45_text import Figures, confusion_text, evaluation_text, letters, to_c45_text
from treewright.model.build import build, golf_example, leaf, number, table

TARGET = Target("y", ("no", "yes"))


def test_estimated_errors_stand_behind_the_weight():
    tree = golf_example()
    text = to_c45_text(tree, np.linspace(0, 1, tree.n_nodes))
    assert "outlook = overcast: Play (4.0/0.3)\n" in text
    assert to_c45_text(tree, np.zeros(tree.n_nodes)) == to_c45_text(tree)


def test_a_single_leaf():
    tree = build(Schema((Column("a", Kind.NUMBER),), TARGET), leaf({"no": 3, "yes": 1}))
    assert to_c45_text(tree) == " no (4.0/1.0)\n"


def test_numbers_have_six_digits():
    schema = Schema((Column("a", Kind.NUMBER),), TARGET)
    for threshold, words in ((0.123456789, "0.123457"), (1e7, "1e+07"), (75.0, "75"), (-2.5, "-2.5")):
        text = to_c45_text(build(schema, number("a", threshold, leaf({"no": 1}), leaf({"yes": 1}))))
        assert text == f"a <= {words} : no (1.0)\na > {words} : yes (1.0)\n"


def test_groups_of_values_are_broken_into_lines():
    """A group goes on below its first value, behind the bars of its level, and no line passes 80 characters."""
    levels = tuple(f"value{i:02d}" for i in range(30))
    columns = Column("a", Kind.NUMBER), Column("colour", Kind.CATEGORY, levels)
    groups = {levels[:25]: leaf({"no": 2}), levels[25:26]: leaf({"yes": 1}), levels[26:]: leaf({"yes": 1})}
    tree = build(Schema(columns, TARGET), number("a", 1, table("colour", groups), leaf({"yes": 1})))
    lines = to_c45_text(tree).splitlines()
    assert lines[:2] == ["a > 1 : yes (1.0)", "a <= 1 :"]
    assert lines[2].startswith("|   colour in {value00,value01,")
    assert all(line.startswith("|              value") for line in lines[3:6])
    assert (
        "".join(line.strip("| ") for line in lines[2:6]) == f"colour in {{{','.join(levels[:25])}}}: no (2.0)"
    )
    assert lines[6:] == [
        "|   colour = value25: yes (1.0)",
        "|   colour in {value26,value27,value28,value29}: yes (1.0)",
    ]
    assert max(map(len, lines[:6])) <= 80


def test_a_deep_tree_is_printed_in_parts():
    """No recursion, and every subtree that is named is printed once, in the order of the names."""
    schema = Schema((Column("a" * 20, Kind.NUMBER),), TARGET)
    below = leaf({"no": 1})
    for i in range(60):
        below = number("a" * 20, float(i), leaf({"yes": 1}), below)
    text = to_c45_text(build(schema, below))
    blocks = text.split("\n\n\nSubtree ")
    assert len(blocks) > 4
    for i, block in enumerate(blocks[1:], 1):
        assert block.startswith(f"[S{i}]\n\n")
        assert text.count(f":[S{i}]\n") == 1
    assert max(map(len, text.splitlines())) <= 80


def test_words_of_the_data_do_not_steer_the_terminal():
    columns = (Column("a\x1b[31m", Kind.CATEGORY, ("x\n", "y")),)
    tree = build(
        Schema(columns, Target("y", ("no\x07", "yes"))),
        table("a\x1b[31m", {"x\n": leaf({"no\x07": 1}), "y": leaf({"yes": 1})}),
    )
    assert to_c45_text(tree) == "a\\x1b[31m = x\\x0a: no\\x07 (1.0)\na\\x1b[31m = y: yes (1.0)\n"
    assert "\x07" not in confusion_text(["no\x07"], [[1]])


def test_numbers_as_answers_are_refused():
    tree = build(Schema((Column("a", Kind.NUMBER),), Target("price")), leaf(2.0))
    said = r"^C4.5 requires a classification tree, but this tree predicts numbers; use to_text\(\)\.$"
    with pytest.raises(KindError, match=said):
        to_c45_text(tree)


def test_the_table_as_a_run_of_the_program_printed_it():
    """Figures of a published run with -u on 3,000 and 10,000 rows."""
    text = evaluation_text("training", Figures(207, 33, 3000), Figures(193, 38, 3000), 5.6)
    assert text.splitlines()[-1] == "\t 207   33( 1.1%)    193   38( 1.3%)    ( 5.6%)   <<"
    text = evaluation_text("test", Figures(207, 603, 10000), Figures(193, 602, 10000), 5.6)
    assert text.startswith(
        "Evaluation on test data (10000 items):\n\n\t Before Pruning           After Pruning\n"
    )
    assert text.splitlines()[-1] == "\t 207  603( 6.0%)    193  602( 6.0%)    ( 5.6%)   <<"
    assert confusion_text(["0", "1"], [[3489, 312], [290, 5909]]) == (
        "\t  (a)  (b)\t<-classified as\n"
        "\t ---- ----\n"
        "\t 3489  312\t(a): class 0\n"
        "\t  290 5909\t(b): class 1\n"
    )
    assert [letters(i) for i in (0, 25, 26, 701, 702)] == ["a", "z", "aa", "zz", "aaa"]
