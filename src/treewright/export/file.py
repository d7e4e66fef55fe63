"""File: a text on disk, wholly or not at all.

In: a path as the user gave it, and a text. Out: the file. It is written beside its place under another name and moved
there when it is complete, so that a crash, a full disk or Ctrl-C leaves what stood there before.
"""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from treewright.errors import InputError, KindError
from treewright.model.words import printable


def read_path(path: object) -> Path:
    """The file that is meant, refused before any work is done where nothing can be written there.

    >>> read_path("tree.html").name
    'tree.html'
    """
    if not isinstance(path, str | os.PathLike):
        raise KindError(f"path is a {type(path).__name__}; give the name of a file as text or as a Path.")
    name = os.fspath(path)
    if not isinstance(name, str):
        raise KindError("path is made of bytes; give the name of a file as text or as a Path.")
    if not name or "\0" in name:
        raise InputError(f"path={name!r} is no name of a file; give one, such as 'tree.html'.")
    found = Path(name).expanduser() if name.startswith("~") else Path(name)
    if found.is_dir():
        raise InputError(f"'{_shown(found)}' is a folder; give the name of a file in it, such as 'tree.html'.")
    if not found.parent.is_dir():
        raise InputError(f"There is no folder '{_shown(found.parent)}'; make it first, or give another path.")
    return found


def write_file(path: object, text: str) -> None:
    """Write the text where the user said.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_file(Path(folder) / "tree.dot", "digraph {}")
    ...     (Path(folder) / "tree.dot").read_text()
    'digraph {}'
    """
    write_text(read_path(path), text)


def write_text(path: Path, text: str) -> None:
    """Write the text as UTF-8; a file that is there already is replaced, and keeps its permissions."""
    data = text.encode("utf-8")
    if path.exists() and not path.is_file():  # a pipe or a device takes what is written to it
        path.write_bytes(data)
        return
    # A link stays a link, and what it leads to is replaced.
    place = Path(os.path.realpath(path))
    draft = place.with_name(f".{token_hex(8)}.part")
    try:
        with _opened(draft) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            with suppress(OSError):
                draft.chmod(place.stat().st_mode & 0o7777)
        draft.replace(place)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError):  # say it of the file that was asked for, not of the one beside it
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    _keep_folder(place.parent)


def _opened(draft: Path) -> BinaryIO:
    try:
        return draft.open("xb")
    except PermissionError as error:
        raise InputError(
            f"Nothing may be written in the folder '{_shown(draft.parent)}'; give a path in another one."
        ) from error


def _keep_folder(folder: Path) -> None:
    """Have the move written to disk, where the system can."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _shown(path: Path) -> str:
    return printable(str(path))
