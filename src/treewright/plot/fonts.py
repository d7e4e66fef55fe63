"""Text in pictures: its width, cutting it to a width, and fonts for matplotlib that contain its characters.

Widths are the same on every machine, whatever fonts are installed: those of Arial and Helvetica for Latin characters,
a full square for Chinese ones. For matplotlib, `TextStyle` finds installed fonts that contain the characters of the
user's names; characters that no font has are shown as codes, so that no empty boxes are drawn and no warnings appear.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from unicodedata import category, east_asian_width
from warnings import warn

from treewright.export.labels import clipped
from treewright.language import messages

# Advance widths of Arial in thousandths of the font size, from the space (32) to the tilde (126).
_ARIAL = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_WIDTHS = {chr(32 + i): width / 1000 for i, width in enumerate(_ARIAL)}
_WIDTHS |= {"…": 1.0, "≤": 0.549, "±": 0.549, "—": 1.0, "–": 0.556}

SPARE = 1.07
"""Fonts that replace Arial are a little wider."""

BOLD = 1.08
"""How much wider bold text is."""

_COMBINING = ("Mn", "Me", "Cf", "Sk")
"""Unicode categories of characters that combine with the one before: accents, joiners, skin tones."""


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text in pixels.

    >>> round(text_width("outlook", 10), 1), round(text_width("西瓜", 10), 1)
    (34.5, 21.4)
    """
    return sum(map(_width_of, text)) * size * SPARE * (BOLD if bold else 1.0)


def fit_text(text: str, size: float, width: float, bold: bool = False) -> str:
    """Return the text, cut in the middle if it is too wide: the ends of long names are more distinctive.

    >>> fit_text("mean fractal dimension", 10, 80), fit_text("mean area", 10, 80)
    ('mean fra…nsion', 'mean area')
    """
    # A thousand characters are wider than any box, so the rest need not be measured.
    if len(text) <= 1000 and text_width(text, size, bold) <= width:
        return text
    unit = size * SPARE * (BOLD if bold else 1.0)
    room = width / unit - _WIDTHS["…"]
    head = _count_fitting(text[:1000], room * 0.62)
    tail = _count_fitting(text[:-1001:-1], room - sum(map(_width_of, text[:head])))
    tail = min(tail, len(text) - head)
    # Do not separate an accent from its letter.
    while tail and _combines(text[-tail]):
        tail -= 1
    return text[:head].rstrip() + "…" + (text[-tail:].lstrip() if tail else "")


def _count_fitting(text: str, room: float) -> int:
    """How many characters from the start fit into a width, in font sizes."""
    for n, letter in enumerate(text):
        room -= _width_of(letter)
        if room < 0:
            return n
    return len(text)


def _combines(letter: str) -> bool:
    return category(letter) in _COMBINING


def _width_of(letter: str) -> float:
    """The width of a character in font sizes."""
    known = _WIDTHS.get(letter)
    if known is None:
        known = _WIDTHS[letter] = _estimate_width(letter)
    return known


def _estimate_width(letter: str) -> float:
    if _combines(letter):
        return 0.0
    if east_asian_width(letter) in "WF":
        return 1.0
    if letter.isupper() or east_asian_width(letter) == "A":
        return 0.75
    return 0.6


# Usual fonts for Chinese, Japanese, Korean and other scripts on Linux, Windows and macOS.
FALLBACK_FONTS = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "PingFang SC", "Microsoft YaHei",
    "Hiragino Sans GB", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei", "Heiti SC", "STHeiti",
    "Droid Sans Fallback", "Noto Serif CJK SC", "Noto Sans CJK JP", "Noto Sans CJK TC", "Noto Sans CJK KR",
    "Microsoft JhengHei", "Yu Gothic", "Meiryo", "Malgun Gothic", "SimSun", "Songti SC", "Arial Unicode MS",
    "Segoe UI", "Segoe UI Symbol", "Noto Sans", "Noto Sans Symbols", "Noto Sans Symbols2", "Symbola", "DejaVu Sans",
    "FreeSans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai",
)  # fmt: skip


def drawable_language(language: str) -> str:
    """Return the language of a chart: the one given, or English, with a warning, where no installed font can write it.

    >>> drawable_language("en")
    'en'
    """
    # A word that every language translates: its characters stand for those of the language.
    missing = TextStyle([messages(language)("leaf")]).missing
    if not missing:
        return language
    warn(
        f"No installed font has the characters of language={language!r}, so the words of this chart are English; "
        "install one, for example Noto Sans CJK, or use to_svg.",
        UserWarning,
        stacklevel=3,
    )
    return "en"


class TextStyle:
    """The fonts for the texts of one drawing.

    texts     all texts of the drawing
    families  the font families that together contain their characters
    missing   characters that no installed font contains
    settings  keyword arguments for matplotlib's text functions

    >>> style = TextStyle(["色泽", "plain"])
    >>> style.settings["parse_math"]
    False
    >>> style("plain"), style("a\\nb")
    ('plain', 'a\\\\x0ab')
    """

    def __init__(self, texts: Iterable[str]) -> None:
        wanted = {letter for text in texts for letter in clipped(text) if not letter.isspace()}
        default = _default_families()
        missing = wanted - _characters_of(default)
        families = list(default)
        for family in FALLBACK_FONTS:
            if not missing:
                break
            if family not in default and missing & _characters_of((family,)):
                families.append(family)
                missing -= _characters_of((family,))
        self.missing = missing
        self.families = families
        self.settings: dict[str, Any] = {"fontfamily": families, "parse_math": False}

    def __call__(self, text: str) -> str:
        """Return the text on one line, with characters that no font contains as codes."""
        shown = clipped(text)
        if self.missing.isdisjoint(shown):
            return shown
        return "".join(_escape(letter) if letter in self.missing else letter for letter in shown)

    def fit(self, text: str, width: float = 300.0) -> str:
        """Return the text, cut if it is wider than so many pixels at a font size of ten pixels."""
        return fit_text(self(text), 10.0, width)


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _default_families() -> tuple[str, ...]:
    """The font families in matplotlib's settings; of a generic family the first one that is installed."""
    from matplotlib import rcParams
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    found: list[str] = []
    settings: Any = rcParams
    for family in settings["font.family"]:
        listed = settings.get(f"font.{family}", [family])
        found += [name for name in listed if name in installed][:1]
    return tuple(dict.fromkeys(found or ["DejaVu Sans"]))


def _characters_of(families: tuple[str, ...]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for family in families:
        found |= _characters_in(family)
    return found


@lru_cache(maxsize=64)
def _characters_in(family: str) -> frozenset[str]:
    """The characters of a family; none if it is not installed or matplotlib cannot draw it."""
    from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

    if family not in set(fontManager.get_font_names()):
        return frozenset()
    try:
        font = get_font(findfont(FontProperties(family=[family]), fallback_to_default=False))
        return frozenset(map(chr, font.get_charmap()))
    except (OSError, RuntimeError, ValueError):
        return frozenset()
