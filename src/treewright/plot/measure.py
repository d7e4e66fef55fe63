"""Measure: how wide words are, and words made to fit.

In: a text and the size of its letters. Out: its width in pixels, the same on every machine, whatever fonts are there:
the widths of Helvetica and Arial for Latin letters, a full square for Chinese ones; a text cut to a width.
"""

from unicodedata import category, east_asian_width

# Advance widths of Arial in thousandths of the letter size, from the space (32) to the tilde (126).
_NARROW = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_WIDTHS = {chr(32 + i): width / 1000 for i, width in enumerate(_NARROW)}
_WIDTHS |= {"…": 1.0, "≤": 0.549, "±": 0.549, "—": 1.0, "–": 0.556}

SPARE = 1.07
"""Fonts that stand in for Arial are a little wider."""

BOLD = 1.08
"""How much wider bold letters are."""

_JOINING = ("Mn", "Me", "Cf", "Sk")
"""Categories of characters that belong to the one before: accents, joiners, skin tones."""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in pixels.

    >>> round(text_width("outlook", 10), 1), round(text_width("西瓜", 10), 1)
    (34.5, 21.4)
    """
    return sum(map(_width_of, text)) * size * SPARE * (BOLD if bold else 1.0)


def fitted(text: str, size: float, width: float, bold: bool = False) -> str:
    """The text, cut in the middle where it is wider: the ends of long names differ more often.

    >>> fitted("mean fractal dimension", 10, 80), fitted("mean area", 10, 80)
    ('mean fra…nsion', 'mean area')
    """
    # A thousand characters are wider than any box, and what is behind them need not be measured.
    if len(text) <= 1000 and text_width(text, size, bold) <= width:
        return text
    unit = size * SPARE * (BOLD if bold else 1.0)
    room = width / unit - _WIDTHS["…"]
    head = _longest(text[:1000], room * 0.62)
    tail = _longest(text[:-1001:-1], room - sum(map(_width_of, text[:head])))
    tail = min(tail, len(text) - head)
    # An accent is not left without its letter.
    while tail and _joins(text[-tail]):
        tail -= 1
    return text[:head].rstrip() + "…" + (text[-tail:].lstrip() if tail else "")


def _longest(text: str, room: float) -> int:
    """How many characters from the start fit into so many letter sizes."""
    for n, letter in enumerate(text):
        room -= _width_of(letter)
        if room < 0:
            return n
    return len(text)


def _joins(letter: str) -> bool:
    return category(letter) in _JOINING


def _width_of(letter: str) -> float:
    """In letter sizes."""
    known = _WIDTHS.get(letter)
    if known is None:
        known = _WIDTHS[letter] = _guess(letter)
    return known


def _guess(letter: str) -> float:
    if _joins(letter):
        return 0.0
    if east_asian_width(letter) in "WF":
        return 1.0
    if letter.isupper() or east_asian_width(letter) == "A":
        return 0.75
    return 0.6
