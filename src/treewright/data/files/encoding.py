"""Text of any encoding becomes UTF-8.

In: the bytes of a file, and the encoding if the user passed one. Out: the bytes as UTF-8, not copied if they are UTF-8
already, and a note if the encoding was guessed.
"""

import codecs
import mmap
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.data.files.translatable import Translatable
from treewright.errors import InputError, ParameterError
from treewright.language import N_

PIECE = 1 << 22
BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose byte order mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PAIRS = re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]")


@dataclass(frozen=True, slots=True, eq=False)
class Utf8Text:
    """A text as UTF-8 bytes without a byte order mark; `same` if they are the bytes of the file."""

    data: bytes | mmap.mmap
    same: bool
    encoding: str
    note: str | None = None


def to_utf8(data: bytes | mmap.mmap, encoding: str | None, name: str) -> Utf8Text:
    """The text as UTF-8, from the given encoding or the first that fits: UTF-8, UTF-16, GB 18030, cp1252, Latin-1.

    >>> to_utf8("色".encode("utf-16"), None, "'x.csv'").data.decode()
    '色'
    """
    mark, marked = next(
        ((mark, text) for mark, text in BOMS if bytes(data[: len(mark)]) == mark), (b"", None)
    )
    known = _codec_name(encoding) if encoding is not None else marked or _detect_utf16(bytes(data[:4096]))
    if known is not None and known != "utf-8":
        body = data[len(mark) :] if marked and known.startswith(marked[:6]) else data[:]
        codec = marked if marked and known in ("utf-16", "utf-32") else known
        return Utf8Text(_decode(body, codec, name).encode("utf-8"), False, codec)
    wrong = find_invalid_utf8(data)
    if wrong is None:
        return Utf8Text(data[len(mark) :] if mark else data, not mark, "utf-8")
    if known is not None:
        raise InputError(
            f"{name} is not UTF-8: byte {wrong} is {data[wrong]:#04x}; pass its `encoding`, such as 'gb18030', "
            "'cp1252' or 'latin-1'."
        )
    guess = _guess(bytes(data))
    note = Translatable(
        N_("The text is not UTF-8 and was read as {encoding}; use `encoding` if it is another one."), encoding=guess
    )
    return Utf8Text(_decode(data[:], guess, name).encode("utf-8"), False, guess, note)


def decode_text(data: bytes | mmap.mmap, encoding: str | None, name: str) -> str:
    """The text with line feeds at the ends of lines, whatever the file has.

    >>> decode_text("色\\r\\n".encode("gb18030"), "gb18030", "'x.names'")
    '色\\n'
    """
    text = bytes(to_utf8(data, encoding, name).data).decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def find_invalid_utf8(data: bytes | mmap.mmap) -> int | None:
    """The position of the first byte that is not UTF-8, or None; for ASCII only the largest byte is computed.

    >>> find_invalid_utf8(b"abc"), find_invalid_utf8(b"ab\\xff")
    (None, 2)
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    array: NDArray[np.uint8] = np.frombuffer(data, dtype=np.uint8)
    for start in range(0, len(array), PIECE):
        piece = array[start : start + PIECE]
        if piece.max() < 0x80 and not decoder.getstate()[0]:
            continue
        held = len(decoder.getstate()[0])
        try:
            decoder.decode(piece.tobytes(), final=start + PIECE >= len(array))
        except UnicodeDecodeError as error:
            return start - held + error.start
    return len(array) - len(decoder.getstate()[0]) if decoder.getstate()[0] else None


def _codec_name(encoding: str) -> str:
    """The standard name of a text encoding."""
    try:
        info = codecs.lookup(encoding)
        "".encode(encoding)
    except (LookupError, TypeError, ValueError):
        raise ParameterError(
            "`encoding` must be a text encoding, such as 'utf-8', 'utf-16', 'gb18030', 'cp1252' or 'latin-1', got "
            f"{encoding!r}."
        ) from None
    return "utf-8" if info.name in ("utf-8-sig", "ascii") else info.name


def _detect_utf16(head: bytes) -> str | None:
    """UTF-16 without a byte order mark: every other byte of ASCII letters is zero."""
    if len(head) < 4 or 0 not in head:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 0.3 * len(head) / 2 and even == 0:
        return "utf-16-le"
    if even > 0.3 * len(head) / 2 and odd == 0:
        return "utf-16-be"
    return None


def _guess(data: bytes) -> str:
    """The encoding of a text that is not UTF-8.

    GB 18030 reads an accented letter and the next letter as a pair. In Chinese text the second byte of nearly every
    pair is above 0xA0, in western text it is an ASCII letter.
    """
    try:
        data.decode("gb18030")
        pairs = _PAIRS.findall(data[: 1 << 20]) or _PAIRS.findall(data)
        if 2 * sum(pair[1] > 0xA0 for pair in pairs) >= len(pairs):
            return "gb18030"
    except UnicodeDecodeError:
        pass
    return "latin-1" if re.search(rb"[\x81\x8d\x8f\x90\x9d]", data) else "cp1252"


def _decode(data: bytes, codec: str, name: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not {codec}: byte {error.start} cannot be decoded; pass another `encoding`."
        ) from None
