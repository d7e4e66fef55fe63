"""Squeeze: bytes into .gz and .zst and back, and files read as if nobody had squeezed them.

In: bytes, or a path. Out: the same bytes smaller, the plain bytes, or a stream of them. What a file is says its
beginning, not its name. What comes out of a small file may be huge: it is made piece by piece, up to a limit.
"""

import bz2
import gzip
import io
import lzma
import signal
import sys
import zlib
from pathlib import Path
from typing import Any, BinaryIO, cast

from treewright.errors import InputError
from treewright.extras import require

GZIP, ZSTD, BZIP2, XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ\0"
NAMES = {GZIP: "gzip", ZSTD: "zstd", BZIP2: "bzip2", XZ: "xz"}
GZIP_HEAD = GZIP + b"\x08\0\0\0\0\0\x02\xff"  # deflate; no name, no time, no system: same bytes in, same bytes out
PIECE = 1 << 16
ZSTD_PIECE = 512  # four bytes of zstd may stand for 128 kB, so that this many give 16 MB at most
WINDOW, LARGE_WINDOW = 1 << 23, 1 << 27  # what zstd may look back: enough for what we write, and for what others do


def squeezed(name: str, data: bytes) -> bytes:
    """The bytes as a file of this name holds them: .gz and .zst are made smaller, others stay as they are.

    >>> len(squeezed("model.json", bytes(1000))), len(squeezed("model.json.gz", bytes(1000)))
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


def unsqueezed(data: bytes, most: int) -> bytes:
    """The plain bytes of what was squeezed as .gz or .zst; refused where they are more than `most`.

    >>> unsqueezed(squeezed("model.json.zst", b"{}"), 100), unsqueezed(b"{}", 100)
    (b'{}', b'{}')
    """
    if not data.startswith((GZIP, ZSTD)):
        if len(data) > most:
            raise InputError(_too_much(most))
        return data
    plain = io.BytesIO()
    with _Plain(io.BytesIO(data), data[:6], "The file", WINDOW) as stream:
        while piece := stream.read(min(PIECE, most + 1 - plain.tell())):
            plain.write(piece)
            if plain.tell() > most:
                raise InputError(_too_much(most))
    return plain.getvalue()


def open_plain(path: str | Path) -> BinaryIO:
    """A stream of the plain bytes of a file, be it plain or squeezed as .gz, .zst, .bz2 or .xz; "-" is standard input.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "rows.csv").write_bytes(squeezed("rows.csv.gz", b"a,b"))
    ...     with open_plain(Path(folder) / "rows.csv") as stream:
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
            file = cast(BinaryIO, io.BufferedReader(_Behind(head, file), PIECE))
        if not head.startswith(tuple(NAMES)):
            return file
        return cast(BinaryIO, io.BufferedReader(_Plain(file, head, name, LARGE_WINDOW), PIECE))
    except BaseException:
        file.close()
        raise


def _too_much(most: int) -> str:
    return f"The file holds more than {most} bytes when it is unpacked, which is the limit; give a smaller one."


def open_file(path: Path) -> BinaryIO:
    """The file, open for reading its bytes as they are; what stands in the way is said in a sentence.

    >>> open_file(Path("nowhere.json"))
    Traceback (most recent call last):
    treewright.errors.InputError: There is no file 'nowhere.json'; check its name and folder.
    """
    name = repr(str(path))
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError(f"There is no file {name}; check its name and folder.") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a folder; give the name of a file in it.") from None
    except PermissionError:
        raise InputError(f"{name} may not be read; ask its owner, or give another file.") from None


def _standard_input() -> BinaryIO:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise InputError("There is no standard input; give the name of a file instead of '-'.")
    return cast(BinaryIO, io.BufferedReader(_Behind(b"", stream, keep_open=True), PIECE))


class _Behind(io.RawIOBase):
    """A stream that cannot go back, with the bytes that were read from it already in front again."""

    def __init__(self, head: bytes, stream: BinaryIO, *, keep_open: bool = False) -> None:
        super().__init__()
        self._head, self._stream, self._keep_open = head, stream, keep_open

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._keep_open and hasattr(signal, "siginterrupt"):
            # polars has reads go on after Ctrl-C once it is loaded; who waits for standard input has to be woken.
            signal.siginterrupt(signal.SIGINT, True)
        # read1 where there is one, so that what a person types is seen when it is typed
        piece = self._head[: len(buffer)] or getattr(self._stream, "read1", self._stream.read)(len(buffer))
        self._head = self._head[len(piece) :] if self._head else b""
        buffer[: len(piece)] = piece
        return len(piece)

    def close(self) -> None:
        if not self.closed and not self._keep_open:
            self._stream.close()
        super().close()


class _Plain(io.RawIOBase):
    """The plain bytes of a squeezed stream; damage in it is an InputError that names the file."""

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
            self._work = _Zstd(file, window)

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
            f"{self._name} is squeezed by {self._kind}, and is damaged or cut off; get it again from where it came."
        )


class _Zstd:
    """Frames of zstd, one behind the other; fed in small pieces, as each may unfold to much."""

    def __init__(self, file: BinaryIO, window: int) -> None:
        require("zstandard", "A .zst file")
        from zstandard import ZstdDecompressor

        self._file, self._maker = file, ZstdDecompressor(max_window_size=window)
        self._frame: Any = None
        self._waiting = b""  # bytes behind the end of a frame
        self._ready = memoryview(b"")  # plain bytes

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
