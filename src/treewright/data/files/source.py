"""Source: where a table comes from, and its bytes.

In: a path, or "-" for standard input. Out: a `Source`: a name for messages, the bytes without any squeezing, and the
path where the bytes on disk are these very bytes, so that a large file is mapped and never copied.
"""

import io
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from treewright.disk.squeeze import open_plain
from treewright.disk.write import file_name

HEAD = 1 << 16
"""Bytes at the beginning that are looked at to guess what a file is."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """The bytes of a table.

    name   what messages call it: its path, or "standard input"
    data   all its bytes, unsqueezed: bytes, or a map of the file
    path   the file that holds exactly these bytes; None for standard input and for squeezed files
    end    the ending of the name, without that of a squeezed file: ".csv"
    """

    name: str
    data: bytes | mmap.mmap
    path: Path | None
    end: str

    @property
    def head(self) -> bytes:
        return bytes(self.data[:HEAD])


@contextmanager
def open_source(path: str | os.PathLike[str]) -> Iterator[Source]:
    """The bytes of a file or of standard input, as long as the block lasts."""
    place = read_place(path)
    name = "standard input" if place == "-" else place
    end = name_end(place)
    with open_plain(place) as stream:
        raw = getattr(stream, "raw", None)
        if isinstance(raw, io.FileIO) and Path(place).is_file():
            if raw.seek(0, io.SEEK_END) == 0:
                yield Source(name, b"", None, end)
                return
            # Never closed by hand: an error on its way out may still hold a view of it.
            yield Source(name, mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ), Path(place), end)
            return
        yield Source(name, stream.read(), None, end)


def read_place(path: object) -> str:
    """The path as text; refused where it is none.

    >>> read_place(Path("golf.csv"))
    'golf.csv'
    """
    return file_name(path, "golf.csv")


def name_end(place: str) -> str:
    """The ending of a name that says what is in the file, without the one that says how it is squeezed.

    >>> name_end("golf.CSV.gz"), name_end("-")
    ('.csv', '')
    """
    path = Path(place.lower())
    if path.suffix in (".gz", ".zst", ".bz2", ".xz"):
        path = path.with_suffix("")
    return path.suffix
