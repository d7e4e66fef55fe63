"""Lettering: fonts that have the letters of the user's names.

In: the texts of a drawing. Out: the families of fonts to write them with, and each text with what no font has shown by
its number: so matplotlib never draws an empty box, and never warns of one.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from treewright.export.labels import clipped
from treewright.plot.measure import fitted

# Where Chinese, Japanese, Korean and the rest of the world are usually found, on Linux, Windows and macOS.
KNOWN = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "PingFang SC", "Microsoft YaHei",
    "Hiragino Sans GB", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei", "Heiti SC", "STHeiti",
    "Droid Sans Fallback", "Noto Serif CJK SC", "Noto Sans CJK JP", "Noto Sans CJK TC", "Noto Sans CJK KR",
    "Microsoft JhengHei", "Yu Gothic", "Meiryo", "Malgun Gothic", "SimSun", "Songti SC", "Arial Unicode MS",
    "Segoe UI", "Segoe UI Symbol", "Noto Sans", "Noto Sans Symbols", "Noto Sans Symbols2", "Symbola", "DejaVu Sans",
    "FreeSans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai",
)  # fmt: skip


class Lettering:
    """How the texts of one drawing are written.

    >>> letters = Lettering(["色泽", "plain"])
    >>> letters.style["parse_math"]
    False
    >>> letters("plain"), letters("a\\nb")
    ('plain', 'a\\\\x0ab')
    """

    def __init__(self, texts: Iterable[str]) -> None:
        wanted = {letter for text in texts for letter in clipped(text) if not letter.isspace()}
        usual = _usual_families()
        missing = wanted - _letters_of(usual)
        families = list(usual)
        for family in KNOWN:
            if not missing:
                break
            if family not in usual and missing & _letters_of((family,)):
                families.append(family)
                missing -= _letters_of((family,))
        self.missing = missing
        self.families = families
        self.style: dict[str, Any] = {"fontfamily": families, "parse_math": False}

    def __call__(self, text: str) -> str:
        """The text as it can be written: on one line, with letters that no font has by their number."""
        shown = clipped(text)
        if self.missing.isdisjoint(shown):
            return shown
        return "".join(_numbered(letter) if letter in self.missing else letter for letter in shown)

    def fit(self, text: str, width: float = 300.0) -> str:
        """The text, cut where it is wider than so many pixels at ten pixels a letter."""
        return fitted(self(text), 10.0, width)


def _numbered(letter: str) -> str:
    code = ord(letter)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _usual_families() -> tuple[str, ...]:
    """The families that matplotlib is set to; a generic name stands for the first of its list that is there."""
    from matplotlib import rcParams
    from matplotlib.font_manager import fontManager

    there = set(fontManager.get_font_names())
    found: list[str] = []
    settings: Any = rcParams
    for family in settings["font.family"]:
        listed = settings.get(f"font.{family}", [family])
        found += [name for name in listed if name in there][:1]
    return tuple(dict.fromkeys(found or ["DejaVu Sans"]))


def _letters_of(families: tuple[str, ...]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for family in families:
        found |= _letters_in(family)
    return found


@lru_cache(maxsize=64)
def _letters_in(family: str) -> frozenset[str]:
    """The letters of a family that is installed, none of one that is not, or that matplotlib cannot draw."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    if not _is_there(family):
        return frozenset()
    try:
        font = get_font(findfont(FontProperties(family=[family]), fallback_to_default=False))
        return frozenset(map(chr, font.get_charmap()))
    except (OSError, RuntimeError, ValueError):
        return frozenset()


def _is_there(family: str) -> bool:
    from matplotlib.font_manager import fontManager

    return family in set(fontManager.get_font_names())
