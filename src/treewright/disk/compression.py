"""Compressed files: .gz, .zst, .bz2 and .xz.

In: bytes, or a path. Out: compressed bytes, decompressed bytes, or a stream of them. The format of a file is detected
from its first bytes, not from its name. A small file may decompress to a huge one, so it is decompressed piece by
piece, up to a limit.
"""

import bz2
import gzip
import io
import lzma
import os
import signal
import stat
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, BinaryIO, cast

from treewright.errors import InputError
from treewright.extras import require

GZIP, ZSTD, BZIP2, XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\0"
NAMES = {GZIP: "gzip", ZSTD: "zstd", BZIP2: "bzip2", XZ: "xz"}
GZIP_HEAD = GZIP + b"\x08\0\0\0\0\0\x02\xff"  # deflate; no name, no time, no system: same bytes in, same bytes out
PIECE = 1 << 16
ZSTD_PIECE = 512  # four bytes of zstd may decompress to 128 kB, so that these give at most 16 MB
WRITER_SECONDS = 30.0
"""How long a named pipe may have no writer."""
WINDOW, LARGE_WINDOW = 1 << 23, 1 << 27  # window sizes of zstd: enough for files of Treewright, and of other programs


def compress(name: str, data: bytes) -> bytes:
    """The bytes of a file of this name: compressed for .gz and .zst, else unchanged.

    >>> len(compress("model.json", bytes(1000))), len(compress("model.json.gz", bytes(1000)))
    (1000, 29)
    """
    end = Path(name).suffix.lower()
    if end == ".gz":
        work = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        body = work.compress(data) + work.flush()
        return GZIP_HEAD + body + zlib.crc32(data).to_bytes(4, "little") + (len(data) % 2**32).to_bytes(4, "little")
    if end == ".zst":
        require("zstandard", "A .zst file")
        from zstandard import ZstdCompressor

        return ZstdCompressor(level=9, write_checksum=True).compress(data)
    return data


def decompress(data: bytes, most: int) -> bytes:
    """The bytes, decompressed if they are .gz or .zst; an error if they are more than `most`.

    >>> decompress(compress("model.json.zst", b"{}"), 100), decompress(b"{}", 100)
    (b'{}', b'{}')
    """
    if not data.startswith((GZIP, ZSTD)):
        if len(data) > most:
            raise InputError(_too_much(most))
        return data
    plain = io.BytesIO()
    with _DecompressedStream(io.BytesIO(data), data[:6], "The file", WINDOW) as stream:
        while piece := stream.read(min(PIECE, most + 1 - plain.tell())):
            plain.write(piece)
            if plain.tell() > most:
                raise InputError(_too_much(most))
    return plain.getvalue()


def open_decompressed(path: str | Path) -> BinaryIO:
    """A stream of the bytes of a file, decompressed if it is .gz, .zst, .bz2 or .xz; "-" is standard input.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "rows.csv").write_bytes(compress("rows.csv.gz", b"a,b"))
    ...     with open_decompressed(Path(folder) / "rows.csv") as stream:
    ...         stream.read()
    b'a,b'
    """
    if str(path) == "-":
        file, name = _standard_input(), "Standard input"
    else:
        file, name = open_file(Path(path)), repr(str(path))
    try:
        head = file.read(6)
        if file.seekable():
            file.seek(-len(head), io.SEEK_CUR)
        else:
            file = cast(BinaryIO, io.BufferedReader(_PrefixedStream(head, file), PIECE))
        if not head.startswith(tuple(NAMES)):
            return file
        return cast(BinaryIO, io.BufferedReader(_DecompressedStream(file, head, name, LARGE_WINDOW), PIECE))
    except BaseException:
        file.close()
        raise


def _too_much(most: int) -> str:
    return f"The decompressed file is larger than the limit of {most} bytes; pass a smaller file."


def open_file(path: Path) -> BinaryIO:
    """The file, open for reading; an `InputError` if it cannot be opened.

    >>> open_file(Path("nowhere.json"))
    Traceback (most recent call last):
    treewright.errors.InputError: File not found: 'nowhere.json'; check its name and folder.
    """
    name = repr(str(path))
    try:
        file = _open_pipe(path, name) if path.is_fifo() else path.open("rb")
    except FileNotFoundError:
        raise InputError(f"File not found: {name}; check its name and folder.") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder; pass the name of a file in it.") from None
    except PermissionError:
        raise InputError(f"No permission to read {name}; change its permissions, or pass another file.") from None
    try:
        _refuse_device(file, name)
    except InputError:
        file.close()
        raise
    return file


def _open_pipe(path: Path, name: str) -> BinaryIO:
    """A named pipe, which opens when another program writes to it; an error if none does."""
    found: list[BinaryIO] = []
    thread = Thread(target=lambda: found.append(path.open("rb")), daemon=True)
    thread.start()
    thread.join(WRITER_SECONDS)
    if not found:
        with suppress(OSError):  # a writer of our own ends the wait of the thread
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        thread.join()
        for file in found:
            file.close()
        raise InputError(
            f"No program has written to the pipe {name} for {WRITER_SECONDS:g} seconds; start that program first."
        )
    return found[0]


def _refuse_device(file: BinaryIO, name: str) -> None:
    """Raise an error for a device, such as /dev/zero, which may have no end; a terminal and /dev/null have one."""
    try:
        found = os.fstat(file.fileno())
    except (AttributeError, OSError, ValueError):  # not a file of the system
        return
    if not (stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)) or os.isatty(file.fileno()):
        return
    null = Path(os.devnull)
    if null.exists() and os.path.samestat(found, null.stat()):
        return
    raise InputError(f"{name} is a device, not a file; pass a file, or a pipe.")


def _standard_input() -> BinaryIO:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("There is no standard input; pass the name of a file instead of '-'.")
    _refuse_device(stream, "Standard input")
    return cast(BinaryIO, io.BufferedReader(_PrefixedStream(b"", stream, keep_open=True), PIECE))


class _PrefixedStream(io.RawIOBase):
    """A stream that is not seekable, after the bytes that have already been read from it."""

    def __init__(self, head: bytes, stream: BinaryIO, *, keep_open: bool = False) -> None:
        super().__init__()
        self._head, self._stream, self._keep_open = head, stream, keep_open

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._keep_open and hasattr(signal, "siginterrupt"):
            # Once polars is loaded, reads continue after Ctrl-C; a read of standard input must be interrupted.
            signal.siginterrupt(signal.SIGINT, True)
        # read1 if there is one, so that typed input is available line by line
        piece = self._head[: len(buffer)] or getattr(self._stream, "read1", self._stream.read)(len(buffer))
        self._head = self._head[len(piece) :] if self._head else b""
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed and not self._keep_open:
            self._stream.close()
        super().close()


class _DecompressedStream(io.RawIOBase):
    """The decompressed bytes of a stream; damaged data is an `InputError` that names the file."""

    def __init__(self, file: BinaryIO, head: bytes, name: str, window: int) -> None:
        super().__init__()
        magic = next(magic for magic in NAMES if head.startswith(magic))
        self._file, self._name, self._kind = file, name, NAMES[magic]
        self._work: Any
        if magic == GZIP:
            self._work = gzip.GzipFile(fileobj=file)
        elif magic == BZIP2:
            self._work = bz2.BZ2File(file)
        elif magic == XZ:
            self._work = lzma.LZMAFile(file)  # noqa: SIM115 (closed with this stream)
        else:
            self._work = _ZstdReader(file, window)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece = self._work.read(len(buffer))
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
            raise self._damaged() from error
        except OSError as error:
            if error.errno is not None:  # the disk, not the bytes
                raise
            raise self._damaged() from error
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed:
            self._work.close()
            self._file.close()
        super().close()

    def _damaged(self) -> InputError:
        return InputError(
            f"{self._name} is a damaged or truncated {self._kind} file; get a new copy."
        )


class _ZstdReader:
    """Concatenated zstd frames, decompressed in small pieces, because each may become large."""

    def __init__(self, file: BinaryIO, window: int) -> None:
        require("zstandard", "A .zst file")
        from zstandard import ZstdDecompressor

        self._file, self._maker = file, ZstdDecompressor(max_window_size=window)
        self._frame: Any = None
        self._waiting = b""  # bytes after the end of a frame
        self._ready = memoryview(b"")  # decompressed bytes

    def read(self, n: int) -> bytes:
        from zstandard import ZstdError

        while n > 0 and not self._ready:
            piece = self._waiting or self._file.read(ZSTD_PIECE)
            if not piece:
                if self._frame is not None:
                    raise EOFError
                break
            if self._frame is None:
                self._frame = self._maker.decompressobj(write_size=1 << 14)
            try:
                self._ready = memoryview(self._frame.decompress(piece))
            except ZstdError as error:
                raise EOFError from error
            self._waiting = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None
        found, self._ready = bytes(self._ready[:n]), self._ready[n:]
        return found

    def close(self) -> None:
        self._ready = memoryview(b"")
