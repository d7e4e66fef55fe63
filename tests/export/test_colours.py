"""Colours that everybody can tell apart, and text that can be read on them; by published formulas."""

from itertools import combinations

import numpy as np
import pytest

from treewright.export.colours import (
    CLASS_COLOURS,
    DARK,
    LIGHT,
    PATTERNS,
    class_colour,
    class_pattern,
    is_dark,
    mixed,
    number_colour,
)

# Viénot, Brettel and Mollon (1999): linear RGB as seen without long- or middle-wave cones.
PROTAN = np.array([[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]])
DEUTAN = np.array([[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]])


def linear(colour):
    part = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """CIE L*a*b* of linear sRGB under D65."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb
    f = np.cbrt(np.maximum(xyz / [0.9505, 1.0, 1.089], 0.008856))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(first, second):
    """The contrast of WCAG 2.1."""
    light, dark = sorted((float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (first, second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("eyes", [np.eye(3), PROTAN, DEUTAN], ids=["all cones", "protan", "deutan"])
def test_any_two_classes_look_different_to_everybody(eyes):
    seen = [lab(np.clip(eyes @ linear(colour), 0, 1)) for colour in CLASS_COLOURS]
    nearest = min(np.linalg.norm(a - b) for a, b in combinations(seen, 2))
    assert nearest > 15  # 2.3 is just noticeable; the colours of matplotlib's tab10 come to 5.6 for protan eyes
    assert np.linalg.norm(seen[0] - seen[1]) > 60


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_can_be_read_in_both_themes(theme):
    for paper in (theme.paper, theme.card):
        assert contrast(theme.ink, paper) >= 7
        assert contrast(theme.muted, paper) >= 4.5
    assert is_dark(theme.paper) == (theme is DARK)


def test_further_classes_differ_by_a_pattern():
    looks = [(class_colour(code), class_pattern(code)) for code in range(len(CLASS_COLOURS) * len(PATTERNS))]
    assert len(set(looks)) == len(looks) == 32
    assert class_pattern(0) == "plain"


def test_larger_numbers_are_lighter():
    lightness = [lab(linear(number_colour(i / 50)))[0] for i in range(51)]
    assert np.all(np.diff(lightness) > 0)
    assert number_colour(-1) == number_colour(0)
    assert number_colour(2) == number_colour(1)


def test_numbers_and_lines_are_seen_in_both_themes():
    for theme in (LIGHT, DARK):
        assert min(contrast(number_colour(i / 50), theme.card) for i in range(51)) > 1.6
        # Thin curves are drawn in this colour.
        assert contrast(theme.line, theme.paper) > 2.0


def test_mixing():
    assert mixed("#102030", "#ffffff", 0.0) == "#102030"
    assert mixed("#102030", "#ffffff", 1.0) == "#ffffff"
