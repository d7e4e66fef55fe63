"""Texts of source code: names, quoted texts, comments and long lines.

In: names and values of the user, with any characters. Out: text that is one identifier, one literal or one comment.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import chain, count

from treewright.errors import ParameterError

MAX_WIDTH = 100
"""Width after which a list of values continues on the next line."""
LINE_BREAK = "\v"
"""Where a long line may be broken; no literal has one, because control characters are escaped."""


def wrapped(items: Sequence[str], separator: str = ", ") -> str:
    """Items in one line that may be broken where it gets long.

    >>> wrapped(["1", "2"])
    '1, 2'
    """
    lines, width = [""], 0
    for i, item in enumerate(items):
        piece = item + separator * (i + 1 < len(items))
        if width and width + len(piece) > MAX_WIDTH:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
            width = 0
        lines[-1] += piece
        width += len(piece)
    return LINE_BREAK.join(lines)


def escaped(text: str, special: str, escape: Callable[[str], str]) -> str:
    """A text with the special characters, and those that cannot be printed, escaped.

    >>> escaped('say "hi"', '"', lambda character: "\\\\" + character)
    'say \\\\"hi\\\\"'
    """
    return "".join(c if c.isprintable() and c not in special else escape(c) for c in text)


def in_quotes(text: str) -> str:
    """A text in double quotes, in one line, for comments and JavaScript.

    >>> in_quotes("a\\nb")
    '"a\\\\nb"'
    """
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

    def escape(character: str) -> str:
        units = character.encode("utf-16-be", "surrogatepass").hex()
        return short.get(character) or "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))

    return f'"{escaped(text, chr(34) + chr(92), escape)}"'


def shown(value: object) -> str:
    """A category in a comment.

    >>> shown("Rome"), shown(3)
    ('"Rome"', '3')
    """
    return in_quotes(value[:50]) if isinstance(value, str) else one_line(str(value), 50)


def one_line(text: str, most: int = 1000) -> str:
    """A text for a comment: in one line, not too long, and without what ends a comment or declares an encoding.

    >>> one_line("a */ b\\nc")
    'a *\\\\/ b\\\\nc'
    """
    if any(not c.isprintable() for c in text):
        text = "".join(c if c.isprintable() else in_quotes(c)[1:-1] for c in text)
    text = text if len(text) <= most else text[: most - 3] + "..."
    for found, written in (("*/", "*\\/"), ("/*", "/\\*"), ("</", "<\\/"), ("<!--", "<\\!--"), ("??/", "? ?/")):
        text = text.replace(found, written)
    return re.sub(r"coding(?=[:=])", "coding ", text).rstrip("\\")


def make_identifiers(
    names: Sequence[str], reserved: Callable[[str], bool], *, ascii_only: bool = False, lower: bool = False
) -> list[str]:
    """Different identifiers for names: the name itself where it is one, otherwise made of its letters and digits.

    >>> make_identifiers(["age", "sepal length (cm)", "age ", "", "2nd", "if"], {"if"}.__contains__)
    ['age', 'sepal_length_cm', 'age_2', 'column', 'column_2nd', 'if_']
    """
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        text = unicodedata.normalize("NFKC", name[:200])
        if ascii_only or not text.isidentifier() or not all(_is_common_letter(c) for c in text):
            text = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
        text = (text.lower() if lower else text).strip("_")[:40]
        if not text or text[0].isdigit():
            text = f"column_{text}".rstrip("_")
        numbered = (f"{text}_{number}{end}" for number in count(2) for end in ("", "_"))
        candidates = chain([text], [] if text in taken else [f"{text}_"], numbered)
        found.append(next(one for one in candidates if one not in taken and not reserved(one)))
        taken.add(found[-1])
    return found


def _is_common_letter(character: str) -> bool:
    """Whether all languages take a character in an identifier: letters of the first plane and ASCII digits."""
    if character.isascii():
        return True
    return ord(character) < 0x10000 and unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lo")


def check_name(name: str, reserved: Callable[[str], bool]) -> None:
    """Refuse a name of a function that is not an identifier of ASCII letters, digits and underscores."""
    if not (name.isascii() and name.isidentifier()) or name.startswith("_") or reserved(name):
        raise ParameterError(f"`name` must be a name of a function in ASCII letters, got {name!r}.")
