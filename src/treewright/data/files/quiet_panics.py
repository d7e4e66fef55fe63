"""What Rust prints when polars panics on a damaged file is not shown: the error says what is wrong.

In: a block of code that calls polars. Out: the same, with stderr kept in a temporary file while it runs. Afterwards the
output of other threads is written to stderr, without the report of a panic.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from threading import Lock
from time import sleep
from typing import BinaryIO

STDERR = 2
OTHER_THREADS = 0.1
"""Seconds after a panic in which other threads of polars may report theirs."""
_REPORT = re.compile(rb"\n?^thread '[^\n]*panicked at.*", re.DOTALL | re.MULTILINE)


class _Capture:
    """The file that stderr is redirected to; blocks of code in several threads share it."""

    def __init__(self) -> None:
        self.lock, self.n_blocks = Lock(), 0
        self.saved: int | None = None
        self.file: BinaryIO | None = None

    def begin(self) -> None:
        with self.lock:
            self.n_blocks += 1
            if self.n_blocks > 1 or os.name != "posix":
                return
            with suppress(OSError):  # without stderr, or without room for a file, nothing is redirected
                self.file = TemporaryFile()  # noqa: SIM115 (closed by `end`)
                saved = os.dup(STDERR)
                _flush()
                os.dup2(self.file.fileno(), STDERR)
                self.saved = saved

    def end(self) -> None:
        with self.lock:
            self.n_blocks -= 1
            if self.n_blocks:
                return
            written = b""
            if self.saved is not None and self.file is not None:
                _flush()
                if _REPORT.search(_content(self.file)):
                    sleep(OTHER_THREADS)
                os.dup2(self.saved, STDERR)
                os.close(self.saved)
                written = _content(self.file)
            if self.file is not None:
                self.file.close()
            self.saved = self.file = None
        shown = _REPORT.sub(b"", written)
        with suppress(OSError):
            while shown:
                shown = shown[os.write(STDERR, shown) :]


_capture = _Capture()


@contextmanager
def quiet_panics() -> Iterator[None]:
    """Run a block of code without the report that Rust prints for a panic; other output comes after the block.

    >>> with quiet_panics():
    ...     _ = os.write(STDERR, b"thread 'main' panicked at lib.rs:1:1")
    """
    _capture.begin()
    try:
        yield
    finally:
        _capture.end()


def _content(file: BinaryIO) -> bytes:
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def _flush() -> None:
    with suppress(AttributeError, ValueError, OSError):
        sys.stderr.flush()
