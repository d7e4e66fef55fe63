"""File: a text on disk, whole or not at all.

In: a path and a text. Out: the file. It is written beside its place under another name and then moved there, so that
a crash, a full disk or Ctrl-C leaves what stood there before.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from treewright.errors import InputError, KindError


def write_file(path: str | os.PathLike[str], text: str) -> None:
    """Write the text to the path as UTF-8; what stands there is replaced at once.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_file(Path(folder) / "tree.dot", "digraph {}")
    ...     (Path(folder) / "tree.dot").read_text()
    'digraph {}'
    """
    place = _place(path)
    data = text.encode("utf-8")
    beside = place.with_name(f".{place.name[:100]}.{token_hex(6)}.part")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            shutil.copymode(place, beside)
        beside.replace(place)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        if isinstance(error, OSError):  # say it of the file that was asked for, not of the one beside it
            raise OSError(error.errno, error.strerror, str(place)) from error
        raise


def _place(path: str | os.PathLike[str]) -> Path:
    """Where to write: a link is followed, and what cannot be written to is refused with its name."""
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise KindError(f"path={path!r} is not a path; give a string or a pathlib.Path.")
    if not os.fspath(path):
        raise InputError("path is empty; give the name of a file.")
    place = Path(os.path.realpath(path))
    if place.is_dir():
        raise InputError(f"path={str(path)!r} is a folder; give the name of a file in it.")
    if not place.parent.is_dir():
        raise InputError(f"There is no folder {str(place.parent)!r} to write {place.name!r} into; make it first.")
    return place
