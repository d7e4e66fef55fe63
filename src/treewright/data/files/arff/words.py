"""Words: the words of an ARFF file: quotes, escapes, braces and what divides them.

In: a line. Out: its words; or a word as a file holds it.
"""

import re
from dataclasses import dataclass

_QUOTED = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*\"""")
# Up to its end, or to that of the line: so that no text is looked through again and again for an end.
_OPEN = re.compile(r"""'(?:\\.?|[^'\\])*(?:'|\Z)|"(?:\\.?|[^"\\])*(?:"|\Z)""", re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[0-3]?[0-7]{1,2}|.)", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_PLAIN = re.compile(r"[^\s,{}%'\"\\?\x00-\x1f\x7f][^\s,{}%'\"\\\x00-\x1f\x7f]*")
_WRITTEN = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "%": "\\%"}
_SPECIAL = re.compile(r"[\\'\n\r\t%\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and whether it stood in quotes: then it means itself, be it a question mark."""

    text: str
    quoted: bool = False

    @property
    def is_missing(self) -> bool:
        return self.text == "?" and not self.quoted


_MISSING = Word("?")


class WordError(ValueError):
    """What is wrong with a line, as the end of a sentence."""


def without_comment(line: str) -> str:
    """The line without blanks at its ends and without what follows a percent sign outside quotes.

    >>> without_comment(" 1, '5%' % five"), without_comment("% nothing")
    ("1, '5%'", '')
    """
    line = line.strip()
    if "%" not in line:
        return line
    at = 0
    while at < len(line):
        if line[at] == "%":
            return line[:at].rstrip()
        found = _OPEN.match(line, at)
        at = found.end() if found else at + 1
    return line


def split_words(text: str) -> list[Word]:
    """The words between commas; without any comma outside quotes, between tabs, or else between blanks.

    >>> [word.text for word in split_words("sunny, 'so so' ,\\"it's\\", a b")]
    ['sunny', 'so so', "it's", 'a b']
    >>> [word.text for word in split_words("1 2\\t3")], [word.text for word in split_words("1 2 3")]
    (['1 2', '3'], ['1', '2', '3'])
    """
    if "'" not in text and '"' not in text:
        mark = "," if "," in text else "\t" if "\t" in text else None
        return [_MISSING if (part := cell.strip()) == "?" else Word(part) for cell in text.split(mark)]
    bare = masked(text)
    mark = next((m for m in ",\t " if m in bare), ",")
    words, start = [], 0
    for end in [i for i, letter in enumerate(bare) if letter == mark] + [len(bare)]:
        if mark != " " or text[start:end].strip():
            words.append(one_word(text[start:end].strip()))
        start = end + 1
    return words


def masked(text: str) -> str:
    """The text with what stands in quotes made plain, place for place, so that marks outside of them can be found.

    >>> masked("a, 'b, c'")
    'a, ______'
    """
    return _OPEN.sub(lambda found: "_" * len(found[0]), text) if "'" in text or '"' in text else text


def one_word(text: str) -> Word:
    """A word that may stand in quotes.

    >>> one_word("'it\\\\'s'").text, one_word("plain").quoted
    ("it's", False)
    """
    if text[:1] not in ("'", '"'):
        return Word(text)
    found = _QUOTED.match(text)
    if found is None:
        raise WordError(f"the quote that begins with {text[:20]!r} has no end; close it")
    if found.end() < len(text):
        raise WordError(f"{text[found.end() :][:20]!r} follows a closing quote; put a comma between")
    return Word(_ESCAPE.sub(_meant, found[0][1:-1]), quoted=True)


def _meant(found: re.Match[str]) -> str:
    """What an escape stands for."""
    escape = found[1]
    if escape[0] == "u" and len(escape) == 5:
        return chr(int(escape[1:], 16))
    if escape[0] in "01234567":
        return chr(int(escape, 8))
    return _LETTERS.get(escape, escape)


def written(text: str) -> str:
    """The word as a file holds it, in quotes where it needs them.

    >>> print(written("sunny"), written("so so"), written("it's"), written("?"), written(""))
    sunny 'so so' 'it\\'s' '?' ''
    """
    if _PLAIN.fullmatch(text):
        return text
    return "'" + _SPECIAL.sub(_escaped, text) + "'"


def _escaped(found: re.Match[str]) -> str:
    return _WRITTEN.get(found[0]) or f"\\u{ord(found[0]):04x}"
