"""Blocks: a stream of text cut where rows end, so that each piece can be read by itself.

In: the bytes of a text, piece by piece. Out: blocks of whole rows, about one for each piece; together they are the
text. A line end between quotes belongs to a cell and ends no row.
"""

import codecs
from collections.abc import Iterable, Iterator
from typing import Protocol

from treewright.data.files.encoding import as_utf8
from treewright.errors import InputError

SIZE = 2**22
"""Bytes of a block: some 10^4 to 10^5 rows of an ordinary table. Larger ones are not read faster, and take memory."""

LONGEST = 2**28
"""Bytes of the longest row. Where none ends for so long, a quote was opened and never closed."""


def row_blocks(pieces: Iterable[bytes], *, quotes: bool = True) -> Iterator[bytes]:
    """The same bytes in blocks of whole rows; the last one may lack its line end.

    quotes  whether a line end between double quotes belongs to a cell, as in CSV, and not in JSON lines

    >>> list(row_blocks([b'a,1\\n"b', b'\\nb",2\\nc', b',3']))
    [b'a,1\\n', b'"b\\nb",2\\n', b'c,3']
    """
    held: list[bytes] = []  # a row that has not ended yet, in pieces
    n_held = 0
    odd = False  # whether the pieces leave a quote open
    for given in pieces:
        piece = given
        end = last_row_end(piece, odd) if quotes else piece.rfind(b"\n") + 1
        if end:
            yield b"".join([*held, piece[:end]])
            piece = piece[end:]
            held, n_held, odd = [], 0, False
        if piece:
            held.append(piece)
            n_held += len(piece)
            odd ^= quotes and piece.count(b'"') % 2 == 1
        if n_held > LONGEST:
            raise InputError(
                f"No row ends within {LONGEST} bytes; "
                + ('look for a quote (") that is opened and not closed.' if odd else "is this a file of rows?")
            )
    if held:
        yield b"".join(held)


def last_row_end(piece: bytes, odd: bool = False) -> int:
    """Where the last row that ends in the piece ends, the line end included; 0 where none does.

    odd  whether the piece begins between quotes

    >>> last_row_end(b'a\\n"b\\n'), last_row_end(b'b"\\nc', odd=True), last_row_end(b"a")
    (2, 3, 0)
    """
    place = piece.rfind(b"\n")
    # A doubled quote within quotes is two of them, so only their number matters.
    odd ^= piece.count(b'"', 0, max(place, 0)) % 2 == 1
    while odd and place >= 0:
        before = piece.rfind(b"\n", 0, place)
        odd ^= piece.count(b'"', max(before, 0), place) % 2 == 1
        place = before
    return place + 1


class Readable(Protocol):
    """Anything that bytes can be read from."""

    def read(self, size: int, /) -> bytes: ...


def whole_lines(piece: bytes) -> int:
    """How much of a piece surely ends behind a letter: up to its last line feed, be it of one, two or four bytes.

    >>> whole_lines("ab\\nc".encode()), whole_lines("ab\\nc".encode("utf-16-le")), whole_lines(b"abc")
    (3, 6, 0)
    """
    # No usual encoding has the byte of a line feed within a letter, but UTF-16 and UTF-32, where others are zero.
    feeds = (b"\n\0\0\0", b"\0\0\0\n", b"\n\0", b"\0\n") if b"\0" in piece else (b"\n",)
    for feed in feeds:
        place = piece.rfind(feed)
        while place > 0 and place % len(feed):
            place = piece.rfind(feed, 0, place + len(feed) - 1)
        if place >= 0:
            return place + len(feed)
    return 0


class Plain:
    """The pieces of a text as UTF-8, with line feeds at the ends of lines, whatever they were.

    note   a sentence where the encoding was a guess, made from the first piece
    drawn  bytes that were read so far
    """

    def __init__(self, stream: Readable, size: int, encoding: str | None, name: str) -> None:
        self._stream, self._size, self._name = stream, size, name
        self._first, end = b"", 0
        while not end and len(self._first) < LONGEST:
            more = stream.read(size)
            self._first += more
            end = whole_lines(self._first) if more else len(self._first)
            if not more:
                break
        self.drawn = len(self._first)
        seen = as_utf8(self._first[:end], encoding, name)
        self.note = seen.note
        self._skip = 0 if seen.encoding != "utf-8" or seen.same else len(codecs.BOM_UTF8)
        self._codec = seen.encoding
        self._returns = b"\n" not in seen.data[: 1 << 16] and b"\r" in seen.data[: 1 << 16]

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._decoded():
            yield piece.replace(b"\r", b"\n") if self._returns else piece

    def _decoded(self) -> Iterator[bytes]:
        if self._codec == "utf-8":
            yield self._first[self._skip :]
            yield from self._rest()
            return
        decoder = codecs.getincrementaldecoder(self._codec)()
        try:
            begin = decoder.decode(self._first)
            yield begin.removeprefix("\ufeff").encode("utf-8")
            for piece in self._rest():
                yield decoder.decode(piece).encode("utf-8")
            yield decoder.decode(b"", final=True).encode("utf-8")
        except UnicodeError:
            raise InputError(
                f"{self._name} is no text in the encoding {self._codec}; give another encoding."
            ) from None

    def _rest(self) -> Iterator[bytes]:
        self._first = b""
        while piece := self._stream.read(self._size):
            self.drawn += len(piece)
            yield piece
