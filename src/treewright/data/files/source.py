"""Where a table comes from: its bytes and its format.

In: a path, or "-" for standard input. Out: a `Source`: a name for messages, the decompressed bytes, and the path if the
file has exactly these bytes, so that a large file is memory-mapped and never copied; and the format of the file.
"""

import io
import mmap
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from treewright.disk.atomic_write import path_text
from treewright.disk.compression import open_decompressed
from treewright.errors import InputError, one_of

HEAD = 1 << 16
"""Bytes at the beginning that are inspected to detect what a file is."""

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "arff", "names")
EXTENSIONS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".arff": "arff",
}
ARROW_STREAM = b"\xff\xff\xff\xff"
"""The first bytes of an Arrow stream, as opposed to an Arrow file."""
MAGIC = ((b"PAR1", "parquet"), (b"ARROW1", "arrow"), (ARROW_STREAM, "arrow"))
UNSUPPORTED = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet"),
    (b"\x89HDF", "an HDF5 file"),
    (b"SQLite format 3", "a database"),
    (b"\x93NUMPY", "a numpy array"),
    (b"\x80\x04\x95", "a pickle"),
    (b"%PDF", "a PDF"),
    (b"FEA1", "a Feather file of version 1"),
)
TREEWRIGHT_FILE = re.compile(rb'\s*\{\s*"format"\s*:\s*"treewright')
"""The beginning of a model or schema file."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The bytes of a table.

    name       what messages call it: its path, or "standard input"
    data       all its bytes, decompressed: bytes, or a memory map of the file
    path       the file that has exactly these bytes; None for standard input and for compressed files
    extension  the file extension, without that of a compressed file: ".csv"
    """

    name: str
    data: bytes | mmap.mmap
    path: Path | None
    extension: str

    @property
    def head(self) -> bytes:
        return bytes(self.data[:HEAD])


@contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """The bytes of a file or of standard input, for the duration of the block."""
    place = input_path(path)
    name = "standard input" if place == "-" else place
    extension = file_extension(place)
    with open_decompressed(place) as stream:
        raw = getattr(stream, "raw", None)
        if isinstance(raw, io.FileIO) and Path(place).is_file():
            if raw.seek(0, io.SEEK_END) == 0:
                yield Source(name, b"", None, extension)
                return
            # Never closed explicitly: the traceback of an error may still hold a view of it.
            yield Source(name, mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ), Path(place), extension)
            return
        refuse_zeros(getattr(stream, "peek", stream.read)(HEAD)[:HEAD], name)  # before a stream without an end is read
        yield Source(name, stream.read(), None, extension)


def refuse_zeros(head: bytes, name: str) -> None:
    """Raise an error if a file begins with nothing but NUL bytes.

    >>> refuse_zeros(bytes(100), "x.csv")
    Traceback (most recent call last):
    treewright.errors.InputError: 'x.csv' begins with NUL bytes, so it is not a table; pass another file.
    """
    if head and not head.strip(b"\0"):
        raise InputError(f"{name!r} begins with NUL bytes, so it is not a table; pass another file.")


def input_path(path: object) -> str:
    """The path as a string; an error if it is not a path.

    >>> input_path(Path("golf.csv"))
    'golf.csv'
    """
    return path_text(path, "golf.csv")


def file_extension(place: str) -> str:
    """The extension of a file name, without that of a compressed file.

    >>> file_extension("golf.CSV.gz"), file_extension("-")
    ('.csv', '')
    """
    path = Path(place.lower())
    if path.suffix in (".gz", ".zst", ".bz2", ".xz"):
        path = path.with_suffix("")
    return path.suffix


def detect_format(source: Source, given: str | None) -> str:
    """The format: the one that the user passed, else by the content, else by the extension; other text is CSV.

    >>> detect_format(Source("-", b"@relation golf", None, ""), None)
    'arff'
    """
    head = source.head
    refuse_zeros(head, source.name)
    if given is not None:
        return one_of("format", given, FORMATS)
    for magic, kind in MAGIC:
        if head.startswith(magic):
            return kind
    for magic, what in UNSUPPORTED:
        if head.startswith(magic):
            raise InputError(
                f"{source.name!r} is {what}, which is not supported; save the table as CSV or Parquet."
            )
    if TREEWRIGHT_FILE.match(head):
        raise InputError(f"{source.name!r} is a Treewright file, not a table; pass a table.")
    if source.extension in EXTENSIONS:
        return EXTENSIONS[source.extension]
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if source.extension == ".json" and first[:1] == b"[":
        raise InputError(f"{source.name!r} is a JSON array; save it as JSON lines, with one object per line.")
    if first[:1] == b"{":
        return "jsonl"
    lines = (line.strip().lower() for line in first.splitlines())
    if next((line for line in lines if line and not line.startswith(b"%")), b"").startswith(b"@relation"):
        return "arff"
    return "csv"
