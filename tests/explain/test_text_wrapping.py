"""Lines that fit a terminal: nothing is lost, nothing is wider than it has to be."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

from treewright.explain.text_wrapping import (
    MAX_LENGTH,
    MIN_COLUMN_WIDTH,
    WIDTH,
    shorten_text,
    wrap_lines,
    wrap_table,
)
from treewright.text_table import Grid, text_width

WORDS = st.lists(st.text("ab<=>1西瓜", min_size=1, max_size=30), min_size=1, max_size=30)


@given(WORDS, st.integers(2, 60))
def test_wrapping_loses_nothing_and_keeps_to_the_width(words, width):
    line = " ".join(words)
    found = wrap_lines([line], width)
    assert "".join(found).replace(" ", "") == line.replace(" ", "")
    for one in found:
        # A condition stays together, and is broken as a word where it does not fit.
        assert text_width(one) <= width


def test_a_sign_stays_with_its_number():
    assert wrap_lines(["petal width (cm) <= 1.7 and petal length (cm) > 4.9"], 20) == [
        "petal width (cm)",
        "<= 1.7 and petal",
        "length (cm) > 4.9",
    ]


@pytest.mark.parametrize("n", [MAX_LENGTH - 1, MAX_LENGTH, MAX_LENGTH + 1, 10_000])
def test_the_end_of_a_sentence_stays(n):
    line = "Node 3 (" + "x" * (n - 16) + "): kept."
    said = shorten_text(line)
    assert len(said) == min(len(line), MAX_LENGTH)
    assert said.endswith("): kept.")
    assert said.startswith("Node 3 (x")


def test_only_words_are_folded_the_widest_first():
    grid = Grid(
        ["123", "name", "where"],
        [["9" * 40, "a b c", "one two three four five " * 6], ["1", "d", "short"]],
        [True, False, False],
        ["below " * 30],
    )
    lines = wrap_table(grid, 90)
    assert max(map(text_width, lines)) <= 90
    assert lines[1].startswith("9" * 40 + "  a b c  one two")
    assert lines[2].startswith(" " * 49)
    assert "".join(lines[1:6]).count("three") == 6
    assert wrap_table(grid, 1_000)[1:3] == grid.lines()[1:3]


def test_a_folded_column_keeps_its_least_width():
    grid = Grid(["n", "where"], [["7" * WIDTH, "x" * 100]], [True, False], [])
    assert [len(line) for line in wrap_table(grid)[1:]] == [
        WIDTH + 2 + MIN_COLUMN_WIDTH,
        WIDTH + 2 + MIN_COLUMN_WIDTH,
        WIDTH + 2 + 100 % MIN_COLUMN_WIDTH,
    ]
