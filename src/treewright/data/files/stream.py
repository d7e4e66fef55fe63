"""Opening a file of any format for reading in batches.

In: a path ("-" is standard input) and options. Out: a `Stream`. Cells of text are not changed, so that 007 can be
written again as 007. ARFF files, C4.5's files and Arrow streams are read at once.
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

from treewright.data.files.batches import ROWS, Batch, ReadHints, Stream, stream_of_frame
from treewright.data.files.csv_stream import BLOCK_BYTES, open_csv_stream
from treewright.data.files.csv_table import TextOptions
from treewright.data.files.encoding import decode_text
from treewright.data.files.names_reader import is_names_file, read_names
from treewright.data.files.source import HEAD, Source, detect_format, file_extension, input_path
from treewright.data.files.typed_reader import open_typed_stream
from treewright.disk.compression import open_decompressed
from treewright.extras import require

__all__ = ["ROWS", "Batch", "ReadHints", "Stream", "open_stream"]


@contextmanager
def open_stream(
    path: str | os.PathLike[str],
    options: TextOptions | None = None,
    format: str | None = None,  # noqa: A002 (the same word as in `read`)
    *,
    size: int = BLOCK_BYTES,
) -> Iterator[Stream]:
    """Open a file for reading in batches.

    options  delimiter, encoding, decimal mark, missing-value markers and names of a text
    format   "csv", "tsv", "parquet", "arrow", "jsonl", "arff" or "names"; None detects it
    size     bytes of a block of text

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     place = Path(folder) / "golf.csv"
    ...     _ = place.write_text("outlook,humidity\\nsunny,85\\nrain,070\\n")
    ...     with open_stream(place) as stream:
    ...         [batch.frame.rows() for batch in stream.batches(rows=1)]
    [[('sunny', '85')], [('rain', '070')]]
    """
    require("polars", "Reading a table from a file")
    place, options = input_path(path), options or TextOptions()
    name = "standard input" if place == "-" else place
    if format == "names" or (format is None and is_names_file(place)):
        yield stream_of_frame(repr(name), read_names(place, encoding=options.encoding).frame)
        return
    with open_decompressed(place) as opened:
        file, plain_path = _PeekedStream(opened), _uncompressed_path(opened, place)
        source = Source(name, file.head, None, file_extension(place))
        kind = detect_format(source, format)
        n_bytes = None if plain_path is None else plain_path.stat().st_size
        if kind in ("csv", "tsv"):
            yield replace(open_csv_stream(file, source, options.for_format(kind), size), n_bytes=n_bytes)
        elif kind == "arff":
            yield _open_arff(file, name, options.encoding)
        else:
            with _seekable(file, plain_path) as seekable:
                found = open_typed_stream(seekable, kind, repr(name))
                yield replace(found, n_bytes=n_bytes, missing=tuple(options.missing or ()))


class _PeekedStream:
    """A stream whose beginning, `head`, has been inspected and is read again."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.head = self._unread = stream.read(HEAD)

    def read(self, size: int = -1, /) -> bytes:
        """`size` bytes, or all."""
        if not self._unread:
            return self._stream.read(size)
        begin, self._unread = self._unread, b""
        if 0 <= size < len(begin):
            self._unread = begin[size:]
            return begin[:size]
        return begin + self._stream.read(size - len(begin) if size >= 0 else -1)


def _open_arff(file: _PeekedStream, name: str, encoding: str | None) -> Stream:
    from treewright.data.files.arff_reader import read_arff

    text = decode_text(file.read(), encoding, repr(name))
    return stream_of_frame(repr(name), read_arff(io.StringIO(text), name).frame)


@contextmanager
def _seekable(file: _PeekedStream, path: Path | None) -> Iterator[BinaryIO | Path]:
    """The file, or a temporary copy on disk if it is compressed or comes from a pipe."""
    if path is not None:
        yield path
        return
    with TemporaryFile() as copy:
        shutil.copyfileobj(file, copy, BLOCK_BYTES)
        copy.seek(0)
        yield cast(BinaryIO, copy)


def _uncompressed_path(stream: BinaryIO, place: str) -> Path | None:
    """The file whose bytes the stream reads unchanged; None for a pipe or a compressed file."""
    raw = getattr(stream, "raw", None)
    return Path(place) if isinstance(raw, io.FileIO) and place != "-" and Path(place).is_file() else None
