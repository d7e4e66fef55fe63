"""Words: numbers, categories and names as people read them.

In: a threshold, a weight, a category of any type, a name. Out: text that is short, exact and safe to print.
"""

import re
from collections.abc import Sequence

SHOWN = 12
"""How many categories of one branch are listed before the rest is only counted."""

# Control characters, line and paragraph separators, bidirectional overrides and lone surrogates: all that moves
# a cursor, breaks a line, reorders the text around it or cannot be encoded.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def number_words(number: float) -> str:
    """The shortest usual form of a number that is still the number, all its digits where they matter.

    >>> number_words(75.0), number_words(0.1 + 0.2), number_words(1 + 1e-9), number_words(1 / 3)
    ('75', '0.3', '1.000000001', '0.3333333333333333')
    """
    number = float(number)
    short = format(number, ".12g")
    return short if abs(float(short) - number) <= 1e-15 * abs(number) else repr(number)


def weight_words(weight: float) -> str:
    """A weight as C4.5 prints it: whole when whole, otherwise up to two decimals.

    >>> weight_words(3.0), weight_words(3.4), weight_words(0.125), weight_words(0.0004)
    ('3', '3.4', '0.12', '0.0004')
    """
    weight = float(weight)
    if 0 < weight < 0.01:
        return format(weight, ".2g")
    text = format(weight, ".2f")
    return text.rstrip("0").rstrip(".")


def category_words(category: object) -> str:
    """A category as the user wrote it; one that would leave no trace on the page is quoted.

    >>> category_words("sunny"), category_words(True), category_words(None), category_words("")
    ('sunny', 'True', 'None', "''")
    """
    text = str(category)
    return text if text.strip() else repr(text)


def set_words(categories: Sequence[object]) -> str:
    """Several categories, shortened when they are many.

    >>> set_words(["red", "blue"])
    '{red, blue}'
    >>> set_words(range(1000))
    '{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … 988 more}'
    """
    words = [category_words(c) for c in categories[:SHOWN]]
    if len(categories) > SHOWN:
        words.append(f"… {len(categories) - SHOWN} more")
    return "{" + ", ".join(words) + "}"


def beginning(text: str, most: int) -> str:
    """The text, or as much of its beginning as so many characters take.

    >>> beginning("abcdef", 4), beginning("abcd", 4)
    ('abc…', 'abcd')
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def printable(text: str) -> str:
    """The text on one line: what would steer a terminal or break the line is shown escaped.

    >>> print(printable("a\\nb \\x1b[31m"))
    a\\x0ab \\x1b[31m
    """
    return _UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
