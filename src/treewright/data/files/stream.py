"""Stream: the rows of a file in batches, so that a table larger than memory can be read.

In: a path ("-" is standard input) and what the user says about it. Out: a `Stream`. Cells of text stay as they were
written, so that 007 can be written again as 007. Of ARFF and of Quinlan's files, which are small, all rows are read at
once; so are those of an Arrow stream.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast

from treewright.data.files.batches import ROWS, Batch, Stream, Wish, held
from treewright.data.files.blocks import SIZE
from treewright.data.files.encoding import text_of
from treewright.data.files.format import format_of
from treewright.data.files.names import is_names_file, read_names
from treewright.data.files.source import HEAD, Source, name_end, read_place
from treewright.data.files.text import Layout
from treewright.data.files.text_stream import text_stream
from treewright.data.files.typed_stream import typed_stream
from treewright.disk.squeeze import open_plain
from treewright.extras import require

__all__ = ["ROWS", "Batch", "Stream", "Wish", "open_stream"]


@contextmanager
def open_stream(
    path: str | os.PathLike[str], layout: Layout | None = None, form: str | None = None, *, size: int = SIZE
) -> Iterator[Stream]:
    """Open a file for reading in batches.

    layout  what the user says of a text: delimiter, encoding, decimal mark, missing markers, names
    form    "csv", "tsv", "parquet", "arrow", "jsonl", "arff" or "names"; None is by name and content
    size    bytes of a block of text

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     place = Path(folder) / "golf.csv"
    ...     _ = place.write_text("outlook,humidity\\nsunny,85\\nrain,070\\n")
    ...     with open_stream(place) as stream:
    ...         [batch.frame.rows() for batch in stream.batches(rows=1)]
    [[('sunny', '85')], [('rain', '070')]]
    """
    require("polars", "Reading a table from a file")
    place, layout = read_place(path), layout or Layout()
    name = "standard input" if place == "-" else place
    if form == "names" or (form is None and is_names_file(place)):
        yield held(repr(name), read_names(place, encoding=layout.encoding).frame)
        return
    with open_plain(place) as opened:
        file, plain = _Again(opened), _file_behind(opened, place)
        source = Source(name, file.head, None, name_end(place))
        kind = format_of(source, form)
        n_bytes = None if plain is None else plain.stat().st_size
        if kind in ("csv", "tsv"):
            yield replace(text_stream(file, source, layout.of(kind), size), n_bytes=n_bytes)
        elif kind == "arff":
            yield _arff(file, name, layout.encoding)
        else:
            with _seekable(file, plain) as whole:
                found = typed_stream(whole, kind, repr(name), size)
                yield replace(found, n_bytes=n_bytes, missing=tuple(layout.missing or ()))


class _Again:
    """A stream whose beginning was looked at, read from that beginning."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.head = self._held = stream.read(HEAD)

    def read(self, size: int = -1, /) -> bytes:
        """So many bytes, or all."""
        if not self._held:
            return self._stream.read(size)
        begin, self._held = self._held, b""
        if 0 <= size < len(begin):
            self._held = begin[size:]
            return begin[:size]
        return begin + self._stream.read(size - len(begin) if size >= 0 else -1)


def _arff(file: _Again, name: str, encoding: str | None) -> Stream:
    from treewright.data.files.arff import read_arff

    text = text_of(file.read(), encoding, repr(name))
    return held(repr(name), read_arff(io.StringIO(text), name).frame)


@contextmanager
def _seekable(file: _Again, path: Path | None) -> Iterator[BinaryIO | Path]:
    """The file, so that it can be read from any place: copied to disk where it is squeezed or comes from a pipe."""
    if path is not None:
        yield path
        return
    with TemporaryFile() as copy:
        shutil.copyfileobj(file, copy, SIZE)
        copy.seek(0)
        yield cast(BinaryIO, copy)


def _file_behind(stream: BinaryIO, place: str) -> Path | None:
    """The file whose bytes the stream gives as they are; None for a pipe, and for one that is squeezed."""
    raw = getattr(stream, "raw", None)
    return Path(place) if isinstance(raw, io.FileIO) and place != "-" and Path(place).is_file() else None
