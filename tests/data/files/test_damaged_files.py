"""Damaged Parquet and Arrow files: one sentence, and nothing that Rust prints on stderr."""

import os
import sys

import polars as pl
import pytest

import treewright
from treewright.data.files.quiet_panics import quiet_panics
from treewright.data.files.stream import open_stream

WRITERS = {"table.parquet": "write_parquet", "table.arrow": "write_ipc", "stream.arrow": "write_ipc_stream"}
N_FLIPPED = 200


def damaged(data):
    """The bytes truncated, partly zero, and with one bit flipped in many places."""
    n = len(data)
    yield from (data[: n * i // 20] for i in range(20))
    for start, end in ((0, n), (8, n), (8, n - 8), (n // 2, n)):
        yield data[:start] + bytes(end - start) + data[end:]
    for i in range(N_FLIPPED):
        place = i * n // N_FLIPPED
        yield data[:place] + bytes([data[place] ^ 1 << i % 8]) + data[place + 1 :]


def read_batches(path):
    """All rows of a file in batches."""
    with open_stream(path) as stream:
        return [batch.frame.height for batch in stream.batches()]


@pytest.mark.parametrize("name", WRITERS)
def test_a_damaged_file_is_read_or_refused_with_one_sentence(tmp_path, capfd, name):
    path = tmp_path / name
    rows = {"a": [i * 1.5 for i in range(100)], "b": ["red", "blue"] * 50, "y": ["yes", "no", "no", "yes"] * 25}
    getattr(pl.DataFrame(rows), WRITERS[name])(path)
    sentences = []
    for i, data in enumerate(damaged(path.read_bytes())):
        path.write_bytes(data)
        try:
            read_batches(path) if i % 2 else treewright.read(path, "y")
        except treewright.TreewrightError as error:
            sentences.append(str(error))
    assert len(sentences) >= 60
    assert not [one for one in sentences if "\n" in one or not (name in one or "olumn" in one)]
    assert capfd.readouterr().err == ""


def test_other_output_is_not_lost(capfd):
    with quiet_panics(), quiet_panics():
        sys.stderr.write("ours\n")
        os.write(2, b"\nthread 'async-1' (7) panicked at crates/x.rs:1:2:\nout of range\nbacktrace:\n   0: rust\n")
    assert capfd.readouterr().err == "ours\n"
    sys.stderr.write("later\n")
    assert capfd.readouterr().err == "later\n"
