"""Input without an end or a limit is refused with a sentence, quickly and in little memory."""

import io
import os
import sys
import time
from threading import Thread

import polars as pl
import pytest

import treewright
from treewright.data.files.stream import open_stream


def read_stream(path):
    """All rows of a file in batches."""
    with open_stream(path) as stream:
        return [batch.frame.height for batch in stream.batches()]


READERS = pytest.mark.parametrize("reader", [treewright.read, read_stream])


def refused(reader, path, sentence):
    """Whether the file is refused with this sentence, within some seconds."""
    began = time.monotonic()
    with pytest.raises(treewright.InputError, match=sentence):
        reader(path)
    return time.monotonic() - began < 20


@READERS
@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such devices on this system")  # noqa: PTH110
def test_devices(reader, monkeypatch):
    assert refused(reader, "/dev/zero", "'/dev/zero' is a device, not a file")
    assert refused(reader, "/dev/urandom", "is a device")
    assert refused(reader, "/dev/null", "no rows")
    with open("/dev/zero", "rb") as zeros:  # noqa: PTH123
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(zeros))
        assert refused(reader, "-", "Standard input is a device")


@READERS
def test_zeros(reader, tmp_path, monkeypatch):
    path = tmp_path / "zeros.csv"
    with path.open("wb") as file:
        file.truncate(1 << 33)  # 8 GB that take no room
    assert refused(reader, path, "begins with NUL bytes, so it is not a table")

    class Zeros(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            buffer[:] = bytes(len(buffer))
            return len(buffer)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Zeros())))
    assert refused(reader, "-", "begins with NUL bytes")


@READERS
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_named_pipe(reader, tmp_path, monkeypatch):
    path = tmp_path / "pipe.csv"
    os.mkfifo(path)
    monkeypatch.setattr("treewright.disk.compression.WRITER_SECONDS", 0.2)
    assert refused(reader, path, "No program has written to the pipe '.*' for 0.2 seconds")
    monkeypatch.setattr("treewright.disk.compression.WRITER_SECONDS", 20.0)
    writer = Thread(target=lambda: path.write_text("a,b\n1,2\n"))
    writer.start()
    found = reader(path)
    writer.join()
    assert found == [1] if isinstance(found, list) else found.X.shape == (1, 2)


@READERS
def test_the_number_of_columns_and_the_first_line(reader, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{i}" for i in range(100_001)) + "\n")
    assert refused(reader, path, "has 100,001 columns, but a table may have at most 100,000")
    path.write_text("," * 20_000_000)
    assert refused(reader, path, "The first line of .* has more than 16,777,216 bytes")
    path.write_text("a\n" + "b" * 20_000_000 + "\n")
    found = reader(path)
    assert found == [1] if isinstance(found, list) else found.X.shape == (1, 1)
    typed = tmp_path / "wide.arrow"
    pl.DataFrame({str(i): [1] for i in range(100_001)}).write_ipc(typed)
    assert refused(reader, typed, "has 100,001 columns")


@READERS
def test_a_folder(reader, tmp_path):
    assert refused(reader, tmp_path, "is a folder")
