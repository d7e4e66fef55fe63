"""How wide words are: near to what the fonts say, and what is fitted fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

from treewright.plot.fonts import BOLD, SPARE, fit_text, text_width

NAMES = [
    "outlook", "petal length (cm)", "mean fractal dimension", "physician-fee-freeze", "≤ 7055.5", "MARRIED-CIV-SPOUSE",
    "n=48842", "Don't Play: 64%", "{HS-grad, 11th, 9th, … 9 more}", "illiterate", "WWWW", "x^2 + y_1 = @home",
]  # fmt: skip
ARIAL_LIKE = ["Arial", "Liberation Sans", "Helvetica", "Nimbus Sans", "Arimo"]


def real_width(text, family):
    font = get_font(findfont(FontProperties(family=[family]), fallback_to_default=False))
    font.set_size(1000, 72)
    font.set_text(text)
    return font.get_width_height()[0] / 64 / 1000


@pytest.mark.parametrize("name", NAMES)
def test_latin_words_are_as_wide_as_in_arial(name):
    families = [f for f in ARIAL_LIKE if f in fontManager.get_font_names()]
    if not families:
        pytest.skip("no font of Arial's widths is installed")
    known = text_width(name, 1.0) / SPARE
    assert known == pytest.approx(real_width(name, families[0]), rel=0.05, abs=0.12)


@pytest.mark.parametrize("name", NAMES)
def test_the_spare_room_is_about_enough_for_the_widest_usual_font(name):
    """DejaVu Sans comes with matplotlib, and is a tenth wider than Arial."""
    assert text_width(name, 1.0) > 0.85 * real_width(name, "DejaVu Sans")


def test_chinese_letters_are_squares_and_accents_take_no_room():
    assert text_width("西瓜数据集", 10) == pytest.approx(50 * SPARE)
    assert text_width("ＡＢ", 10) == pytest.approx(20 * SPARE)
    assert text_width("e\u0301\u0302", 10) == text_width("e", 10)
    assert text_width("a", 10, bold=True) == pytest.approx(text_width("a", 10) * BOLD)
    assert text_width("", 10) == 0


@given(st.text(max_size=60), st.integers(20, 200), st.booleans())
def test_what_is_fitted_fits_and_what_fits_is_left_alone(text, width, bold):
    shown = fit_text(text, 12, width, bold)
    if text_width(text, 12, bold) <= width:
        assert shown == text
    else:
        assert text_width(shown, 12, bold) <= width
        assert "…" in shown
        head, _, tail = shown.partition("…")
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) < len(text)


def test_both_ends_of_a_long_name_are_kept():
    names = [f"a very long name of a column, number {i}" for i in range(3)]
    shown = [fit_text(name, 12, 150) for name in names]
    assert len(set(shown)) == 3
    assert all(text.startswith("a very long") for text in shown)


def test_an_accent_is_not_left_without_its_letter():
    shown = fit_text("x" * 30 + "e\u0301" * 30, 12, 120)
    assert not shown.partition("…")[2].startswith("\u0301")


def test_ten_thousand_letters_are_not_all_measured():
    assert len(fit_text("x" * 100_000, 12, 150)) < 30
