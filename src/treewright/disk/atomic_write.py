"""Writing files atomically: a file is complete or does not appear at all.

In: a path as the user passed it, and text, bytes, or a block of code that writes. Out: the file. It is written under a
temporary name in the same folder and renamed when it is complete, so that a crash, a full disk or Ctrl-C leaves the old
file. A pipe or a device is written directly.
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

from treewright.errors import InputError, KindError, OutputError, ParameterError, TreewrightError

OPEN_ALREADY = re.compile(r"/dev/(stdout|stderr)|(?:/dev|/proc/self)/fd/([0-9]+)")
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
ADVICE = dict.fromkeys(NO_ROOM, "free some space, or pass another path") | {
    errno.ENAMETOOLONG: "pass a shorter name",
    **dict.fromkeys((errno.EROFS, errno.EACCES, errno.EPERM), "pass a path in another folder"),
}
"""What to do about an error of the system."""


def check_output_path(path: object, *, overwrite: bool = True) -> Path:
    """The path of a file to be written; an error, before any work is done, if it must not be written there.

    Without `overwrite`, it must not exist yet.

    >>> check_output_path("tree.html").name
    'tree.html'
    """
    found = Path(path_text(path, "tree.html"))
    try:
        is_folder, has_folder = found.is_dir(), found.parent.is_dir()
    except OSError as error:  # a name that is too long, or a folder that must not be searched
        raise _cannot_write(found, error) from error
    if is_folder:
        raise InputError(f"{str(found)!r} is a folder; pass the name of a file in it, such as 'tree.html'.")
    if not has_folder:
        raise InputError(f"Folder not found: {str(found.parent)!r}; create it, or pass another path.")
    if not isinstance(overwrite, bool):
        raise ParameterError(f"`overwrite` must be True or False, got {overwrite!r}.")
    if not overwrite:
        refuse_existing(found)
    return found


def path_text(path: object, example: str) -> str:
    """The path as a string, with `~` expanded; an error, with an example, if it is not a path.

    >>> path_text(Path("golf.csv"), "tree.html")
    'golf.csv'
    """
    if not isinstance(path, str | os.PathLike):
        raise KindError(f"`path` must be a string or a Path, got {type(path).__name__}.")
    name = os.fspath(path)
    if not isinstance(name, str):
        raise KindError("`path` must be a string or a Path, got bytes.")
    if not name or "\0" in name:
        raise InputError(f"`path` must be a file name, such as {example!r}, got {name!r}.")
    return str(Path(name).expanduser()) if name.startswith("~") else name


def refuse_existing(path: Path) -> None:
    """Raise an error if the file exists already, before long work whose result would be written there.

    >>> refuse_existing(Path("/dev/null"))  # a device is not replaced
    >>> refuse_existing(Path(__file__))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    treewright.errors.InputError: '...' already exists; pass another path, or overwrite=True to replace the file.
    """
    if os.path.lexists(path) and not _is_stream(path):
        raise _exists_already(path)


def write_file(path: object, text: str, *, overwrite: bool = False) -> None:
    """Write the text as UTF-8 to a path that the user passed; an existing file is an error without `overwrite`.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_file(Path(folder) / "tree.dot", "digraph {}")
    ...     (Path(folder) / "tree.dot").read_text()
    'digraph {}'
    """
    write_bytes(check_output_path(path, overwrite=overwrite), text.encode("utf-8"), overwrite=overwrite)


def write_bytes(path: Path, data: bytes, *, overwrite: bool) -> None:
    """Write the bytes; an existing file is replaced with `overwrite`, and is an error without."""
    with open_atomic(path, overwrite=overwrite) as file:
        file.write(data)


@contextmanager
def open_atomic(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """A file to write to, which appears under its name when the block ends without an error.

    An existing file is replaced, and keeps its permissions; without `overwrite` it is an error, even if another program
    wrote it in the meantime.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with open_atomic(Path(folder) / "rows.csv", overwrite=False) as file:
    ...         _ = file.write(b"a,b")
    ...         (Path(folder) / "rows.csv").exists()
    ...     (Path(folder) / "rows.csv").read_text()
    False
    'a,b'
    """
    if _is_stream(path):
        try:
            with _opened_as_is(path) as pipe:
                yield pipe
        except Exception as error:
            found = _system_error(error)
            if found is None or found.errno not in NO_ROOM:
                raise
            raise _cannot_write(path, found) from error
        return
    if not overwrite:
        refuse_existing(path)
    # A symbolic link is kept, and its target is replaced.
    place = Path(os.path.realpath(path))
    temporary = place.with_name(f".{token_hex(8)}.part")
    in_block = False
    try:
        with _opened(temporary, place) as file:
            in_block = True
            yield file
            in_block = False
            _sync(file, temporary)
        if overwrite:
            _keep_permissions(temporary, place)
            temporary.replace(place)
        else:
            _link_new(temporary, place, path)
    except Exception as error:
        found = _system_error(error)
        if found is None or (in_block and (found.filename is not None or found.errno not in NO_ROOM)):
            raise  # an error of the block's own work
        # The error names the requested file, not the temporary one.
        raise _cannot_write(path, found) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    _sync_folder(place.parent)


def _system_error(error: Exception) -> OSError | None:
    """The error of the system that an error stands for; polars passes on its number in the text only."""
    if isinstance(error, TreewrightError):
        return None
    if isinstance(error, OSError) and error.errno is not None:
        return error
    found = re.search(r"\(os error ([0-9]{1,4})\)", str(error))
    return OSError(int(found[1]), os.strerror(int(found[1]))) if found else None


def _cannot_write(path: Path, error: OSError) -> OutputError:
    """The error of the system as a sentence about the file that was requested."""
    advice = ADVICE.get(error.errno or 0, "check the disk, or pass another path")
    made = OutputError(f"Cannot write {str(path)!r}: {error.strerror or error}; {advice}.")
    made.errno, made.strerror, made.filename = error.errno, error.strerror, str(path)
    return made


def _exists_already(path: Path) -> InputError:
    return InputError(
        f"{str(path)!r} already exists",
        advice="pass another path, or overwrite=True to replace the file",
        option="use another path, or --force to replace the file",
    )


def _is_stream(path: Path) -> bool:
    """Whether the path is a pipe, a device or an open file of this process, which cannot be replaced."""
    return OPEN_ALREADY.fullmatch(str(path)) is not None or (path.exists() and not path.is_file())


def _opened_as_is(path: Path) -> BinaryIO:
    found = OPEN_ALREADY.fullmatch(str(path))
    if found is None:
        return path.open("wb")
    # Opened by its name, a file to which the output is redirected would be emptied, and a socket not be found.
    name, number = found.groups()
    handle = {"stdout": 1, "stderr": 2}[name] if name else int(number)
    for stream in (sys.stdout, sys.stderr):  # earlier output comes first
        if stream is not None:
            stream.flush()
    try:
        return os.fdopen(os.dup(handle), "wb")
    except (OSError, OverflowError) as error:
        raise InputError(f"{str(path)!r} is not open; pass another path.") from error


def _opened(temporary: Path, place: Path) -> BinaryIO:
    """A new temporary file; not readable by others if it replaces a file, which may be private."""
    mode = 0o600 if place.exists() else 0o666
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        return os.fdopen(os.open(temporary, flags, mode), "wb")
    except PermissionError as error:
        raise InputError(
            f"No permission to write in folder {str(temporary.parent)!r}; pass a path in another folder."
        ) from error


def _sync(file: BinaryIO, temporary: Path) -> None:
    """Flush the bytes to disk, even if the block has closed its file."""
    if not file.closed:
        file.flush()
        os.fsync(file.fileno())
        return
    with temporary.open("rb+") as again:
        os.fsync(again.fileno())


def _keep_permissions(temporary: Path, place: Path) -> None:
    with suppress(OSError):
        temporary.chmod(place.stat().st_mode & 0o7777)


def _link_new(temporary: Path, place: Path, path: Path) -> None:
    """Rename the temporary file, unless the name exists in the meantime."""
    try:
        os.link(temporary, place)
    except FileExistsError:
        raise _exists_already(path) from None
    except OSError:  # a file system without links: create an empty file first, then replace it
        try:
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            raise _exists_already(path) from None
        try:
            temporary.replace(place)
        except BaseException:
            with suppress(OSError):
                place.unlink()
            raise


def _sync_folder(folder: Path) -> None:
    """Flush the rename to disk, if the system can."""
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
