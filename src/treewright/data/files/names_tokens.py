"""The tokens of C4.5's files, in which commas, colons, periods and bars have a meaning.

In: the text of a .names or .data file. Out: its entries or rows, as words with line numbers.

The rules of C4.5: spaces at the ends of a word are ignored and several inside count as one; a bar begins a comment; a
period ends an entry if a space, a bar or the end of the text follows; a line may end after a comma or a colon; a
backslash escapes the next character.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from treewright.data.files.declared_table import LineNumbers
from treewright.errors import InputError

_SKIP = re.compile(r"(?:\s|\|[^\n]*)*")
_WORD = re.compile(r"(?:\\.?|[^,:|\n\\.]|\.(?!\s|\||\Z))*", re.DOTALL)
_CELL = re.compile(r"(?:\\.?|[^,|\n\\.]|\.(?!\s|\||\Z))*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_END = re.compile(r"\.(?=\s|\||\Z)")
_BLANKS = re.compile(r"\s+")
_SPECIAL = re.compile(r"[\\|]|\.\s|\s\s|[^\S ]")
_MEANING = re.compile(r"[,:|\\]|\.(?=\s|\Z)")
_NO_WORD = re.compile(r"\A\Z|\A\s|\s\Z|\s\s|[^\S ]|[\ud800-\udfff\0]")


@dataclass(slots=True)
class Entry:
    """One entry of a .names file: the word before its colon, if it has one, and the words after it."""

    line: int
    head: str | None = None
    words: list[str] = field(default_factory=list)


def split_entries(text: str, file: str) -> Iterator[Entry]:
    """The entries of a .names file.

    >>> for entry in split_entries("Play, Don't Play.\\noutlook: sunny, | dry\\n   rain\\nx: ignore", "golf.names"):
    ...     print(entry)
    Entry(line=1, head=None, words=['Play', "Don't Play"])
    Entry(line=2, head='outlook', words=['sunny', 'rain'])
    Entry(line=4, head='x', words=['ignore'])
    """
    breaks = [found.start() for found in re.finditer("\n", text)]
    at = _after(_SKIP, text, 0)
    while at < len(text):
        entry = Entry(bisect_right(breaks, at - 1) + 1)
        mark = ","
        while mark in (",", ":"):
            end = _after(_WORD, text, at)
            word = unescape_word(text[at:end])[0]
            line = bisect_right(breaks, at - 1) + 1
            mark, at = _mark(text, end)
            if not word:
                raise InputError(
                    f"{LineNumbers(file).line(line)}: expected a name before {text[end : end + 1]!r}; write one, or "
                    "remove the character."
                )
            if mark == ":" and entry.head is None and not entry.words:
                entry.head = word
                if text.startswith("=", at):
                    raise InputError(
                        f"{LineNumbers(file).line(entry.line)}: attribute {word!r} is defined by a formula, which is "
                        "not supported; add its values to the data, or remove the entry."
                    )
            elif mark == ":":
                raise InputError(
                    f"{LineNumbers(file).line(line)}: unexpected second colon after {word!r}; write \\: in a name."
                )
            else:
                entry.words.append(word)
            at = _after(_SKIP, text, at)
        yield entry


def _mark(text: str, at: int) -> tuple[str, int]:
    """The character that ends a word, and the position after it; it may be at the start of the next line."""
    if at >= len(text):
        return "", at
    if text[at] in ",:.":
        return text[at], at + 1
    further = _after(_SKIP, text, at)
    if further < len(text) and (text[further] in ",:" or _END.match(text, further)):
        return text[further], further + 1
    return "", at


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    assert found is not None  # it matches the empty text too
    return found.end()


def split_rows(text: str, file: str) -> tuple[list[list[str | None]], LineNumbers]:
    """The rows of a .data file, with None for missing values, and their line numbers.

    >>> split_rows("sunny, 85, ?.\\n\\nrain, | so so\\n 70, St\\\\. Ives\\n", "golf.data")[0]
    [['sunny', '85', None], ['rain', '70', 'St. Ives']]
    """
    found: list[list[str | None]] = []
    lines = LineNumbers(file)
    open_row: list[str | None] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        goes_on, cells = _cells(line.strip(), lines, number)
        if not cells:
            continue
        if open_row is None:
            found.append(cells)
            lines.row.append(number)
        else:
            open_row += cells
        open_row = found[-1] if goes_on else None
    return found, lines


def _cells(line: str, lines: LineNumbers, number: int) -> tuple[bool, list[str | None]]:
    """The values of a line, and whether the row continues on the next line because this one ends in a comma."""
    if not _SPECIAL.search(line):  # nearly all lines of nearly all files
        if not line:
            return False, []
        goes_on = line.endswith(",")
        words = line.removesuffix(",").removesuffix(".").split(",")
        return goes_on, [None if (word := w.strip()) == "?" else word for w in words]
    cells: list[str | None] = []
    at = _after(_SKIP, line, 0)
    while at < len(line):
        end = _after(_CELL, line, at)
        word, escaped = unescape_word(line[at:end])
        cells.append(None if word == "?" and not escaped else word)
        if line[end : end + 1] != ",":
            if _after(_SKIP, line, end + 1) < len(line) and line[end] == ".":
                raise InputError(
                    f"{lines.line(number)}: unexpected text after the period that ends the row, after {word!r}; "
                    "write \\. for a period in a word."
                )
            return False, cells
        at = _after(_SKIP, line, end + 1)
    return bool(cells), cells


def unescape_word(word: str) -> tuple[str, bool]:
    """A word without its backslashes, and whether it had some.

    >>> unescape_word("  black \\\\, white ")
    ('black , white', True)
    """
    word = _BLANKS.sub(" ", word.strip())
    return (_ESCAPE.sub(r"\1", word), True) if "\\" in word else (word, False)


def escape_word(word: str, what: str) -> str:
    """The word as it is written in a file; an error if it would be read as another word.

    what  what the error message calls it

    >>> print(escape_word("St. Ives, 10:30", "A value"), escape_word("?", "A value"))
    St\\. Ives\\, 10\\:30 \\?
    """
    if _NO_WORD.search(word):
        raise InputError(
            f"{what} must not be empty, begin or end with a space, or contain several spaces in a row, in C4.5's "
            f"files, got {word!r}; change it, or use another format."
        )
    return "\\?" if word == "?" else _MEANING.sub(lambda found: "\\" + found[0], word)
