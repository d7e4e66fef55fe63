"""Write: a file on disk, wholly or not at all.

In: a path as the user gave it, and a text, bytes, or a block of code that writes. Out: the file. It is written beside
its place under another name and moved there when it is complete, so that a crash, a full disk or Ctrl-C leaves what
stood there before. A pipe or a device takes what is written as it comes.
"""

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from treewright.errors import InputError, KindError

OPEN_ALREADY = re.compile(r"/dev/(stdout|stderr)|(?:/dev|/proc/self)/fd/([0-9]+)")
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def read_path(path: object) -> Path:
    """The file that is meant, refused before any work is done where nothing can be written there.

    >>> read_path("tree.html").name
    'tree.html'
    """
    found = Path(file_name(path, "tree.html"))
    if found.is_dir():
        raise InputError(f"{str(found)!r} is a folder; give the name of a file in it, such as 'tree.html'.")
    if not found.parent.is_dir():
        raise InputError(f"There is no folder {str(found.parent)!r}; make it first, or give another path.")
    return found


def file_name(path: object, example: str) -> str:
    """The name of a file as text, `~` written out; refused where it is none, with an example of one.

    >>> file_name(Path("golf.csv"), "tree.html")
    'golf.csv'
    """
    if not isinstance(path, str | os.PathLike):
        raise KindError(f"path is a {type(path).__name__}; give the name of a file as text or as a Path.")
    name = os.fspath(path)
    if not isinstance(name, str):
        raise KindError("path is made of bytes; give the name of a file as text or as a Path.")
    if not name or "\0" in name:
        raise InputError(f"path={name!r} is no name of a file; give one, such as {example!r}.")
    return str(Path(name).expanduser()) if name.startswith("~") else name


def refuse_existing(path: Path) -> None:
    """Refuse a path where a file stands already, before long work whose result should be written there.

    >>> refuse_existing(Path("/dev/null"))  # a device takes what is written to it
    >>> refuse_existing(Path(__file__))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    treewright.errors.InputError: '...' is there already; give another name, or allow it to be replaced (...).
    """
    if os.path.lexists(path) and not _takes_all(path):
        raise _there_already(path)


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
    write_bytes(path, text.encode("utf-8"), overwrite=True)


def write_bytes(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write the bytes; a file that is there already is replaced where that is allowed, and refused where it is not."""
    with writing(path, overwrite=overwrite) as file:
        file.write(data)


@contextmanager
def writing(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """A file to write into, which appears under its name when the block ends, and only when it ends without an error.

    A file that is there already is replaced, and keeps its permissions; it is refused without `overwrite`, also where
    somebody else wrote it meanwhile.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with writing(Path(folder) / "rows.csv", overwrite=False) as file:
    ...         _ = file.write(b"a,b")
    ...         (Path(folder) / "rows.csv").exists()
    ...     (Path(folder) / "rows.csv").read_text()
    False
    'a,b'
    """
    if _takes_all(path):
        with _opened_as_is(path) as pipe:
            yield pipe
        return
    if not overwrite:
        refuse_existing(path)
    # A link stays a link, and what it leads to is replaced.
    place = Path(os.path.realpath(path))
    draft = place.with_name(f".{token_hex(8)}.part")
    in_block = False
    try:
        with _opened(draft, place) as file:
            in_block = True
            yield file
            in_block = False
            _settle(file, draft)
        if overwrite:
            _keep_permissions(draft, place)
            draft.replace(place)
        else:
            _put_where_nothing_is(draft, place, path)
    except OSError as error:
        if in_block and (error.filename is not None or error.errno not in NO_ROOM):  # about what else the block did
            raise
        # Said of the file that was asked for, not of the one beside it.
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
    _keep_folder(place.parent)


def _there_already(path: Path) -> InputError:
    return InputError(
        f"{str(path)!r} is there already; give another name, or allow it to be replaced "
        "(overwrite=True, on the command line --force)."
    )


def _takes_all(path: Path) -> bool:
    """Whether it is a pipe, a device or what this process has open already: nothing there can be replaced."""
    return OPEN_ALREADY.fullmatch(str(path)) is not None or (path.exists() and not path.is_file())


def _opened_as_is(path: Path) -> BinaryIO:
    found = OPEN_ALREADY.fullmatch(str(path))
    if found is None:
        return path.open("wb")
    # Opened by its name, a file that the output was sent to would be emptied, and a socket not be found.
    name, number = found.groups()
    handle = {"stdout": 1, "stderr": 2}[name] if name else int(number)
    for stream in (sys.stdout, sys.stderr):  # what was printed before stands before
        if stream is not None:
            stream.flush()
    try:
        return os.fdopen(os.dup(handle), "wb")
    except (OSError, OverflowError) as error:
        raise InputError(f"{str(path)!r} is not open; give another path.") from error


def _opened(draft: Path, place: Path) -> BinaryIO:
    """A new file that nobody else reads, where the file whose place it takes may be a private one."""
    mode = 0o600 if place.exists() else 0o666
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        return os.fdopen(os.open(draft, flags, mode), "wb")
    except PermissionError as error:
        raise InputError(
            f"Nothing may be written in the folder {str(draft.parent)!r}; give a path in another one."
        ) from error


def _settle(file: BinaryIO, draft: Path) -> None:
    """Have the bytes written to disk, also where the block has closed its file."""
    if not file.closed:
        file.flush()
        os.fsync(file.fileno())
        return
    with draft.open("rb+") as again:
        os.fsync(again.fileno())


def _keep_permissions(draft: Path, place: Path) -> None:
    with suppress(OSError):
        draft.chmod(place.stat().st_mode & 0o7777)


def _put_where_nothing_is(draft: Path, place: Path, path: Path) -> None:
    """Give the draft its name, unless somebody else has taken that name meanwhile."""
    try:
        os.link(draft, place)
    except FileExistsError:
        raise _there_already(path) from None
    except OSError:  # a disk without links: take the name first, and then the place
        try:
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            raise _there_already(path) from None
        try:
            draft.replace(place)
        except BaseException:
            with suppress(OSError):
                place.unlink()
            raise


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
