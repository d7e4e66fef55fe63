"""Colours of classes and of predicted numbers.

In: the code of a class, or a number between 0 and 1. Out: a colour. The eight colours of Okabe and Ito (2008) are
distinct for people with any kind of colour vision; further classes repeat them with a pattern.
"""

from dataclasses import dataclass

CLASS_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#666666")
"""The colours of Okabe and Ito; dark grey replaces black, which is invisible on a dark page."""

PATTERNS = ("plain", "upright", "level", "crossed")
"""Patterns over the colours of the classes 0 to 7, 8 to 15, 16 to 23 and 24 to 31; then they repeat."""

# From blue through green to yellow with evenly rising lightness: matplotlib's viridis without its ends, which have too
# little contrast with a dark or a white background.
_NUMBER_COLOURS = (
    "#414487", "#375b8d", "#2d708e", "#25838e", "#1f978b", "#25ab82", "#40bd72", "#6ece58", "#a2da37",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a page: its background, text and boxes."""

    paper: str
    card: str
    ink: str
    muted: str
    line: str
    edge: str


LIGHT = Theme(paper="#fbfcfd", card="#ffffff", ink="#1b2733", muted="#56646f", line="#a9b6c2", edge="#c9d3dc")
DARK = Theme(paper="#12171d", card="#1d252e", ink="#e8eef4", muted="#a3b1be", line="#5b6a78", edge="#3c4854")


def class_colour(code: int) -> str:
    """The colour of a class, by its code.

    >>> class_colour(0), class_colour(8)
    ('#0072b2', '#0072b2')
    """
    return CLASS_COLOURS[code % len(CLASS_COLOURS)]


def class_pattern(code: int) -> str:
    """The pattern over the colour of a class, which distinguishes classes of the same colour.

    >>> class_pattern(0), class_pattern(8), class_pattern(17)
    ('plain', 'upright', 'level')
    """
    return PATTERNS[code // len(CLASS_COLOURS) % len(PATTERNS)]


def number_colour(share: float) -> str:
    """The colour of a number at this fraction of the range from the smallest to the largest.

    >>> number_colour(0.0), number_colour(0.5), number_colour(1.0)
    ('#414487', '#1f978b', '#a2da37')
    """
    at = min(max(share, 0.0), 1.0) * (len(_NUMBER_COLOURS) - 1)
    low = min(int(at), len(_NUMBER_COLOURS) - 2)
    return mixed(_NUMBER_COLOURS[low], _NUMBER_COLOURS[low + 1], at - low)


def mixed(first: str, second: str, share: float) -> str:
    """A mix of two colours, with this fraction of the second.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    parts = ((int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in parts)


def is_dark(colour: str) -> bool:
    """Whether light text is more legible on the colour than dark text.

    >>> is_dark("#000000"), is_dark("#ffffff")
    (True, False)
    """
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    # Relative luminance of WCAG; at 0.18 black and white text have the same contrast.
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
