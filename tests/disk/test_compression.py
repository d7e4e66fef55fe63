"""Squeezed files: made by us and by the tools of the system, read by both; damaged and hostile ones are refused."""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from treewright.disk.compression import compress, decompress, open_decompressed
from treewright.errors import InputError

PLAIN = b"".join(b"%d,row %d\n" % (i * i, i) for i in range(20_000))
MAKERS = {
    "plain": bytes,
    "gz": gzip.compress,
    "zst": zstandard.compress,
    "zst without a size": lambda data: zstandard.ZstdCompressor(write_content_size=False).compress(data),
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "two gz": lambda data: gzip.compress(data[:1000]) + gzip.compress(data[1000:]),
    "two zst": lambda data: zstandard.compress(data[:1000]) + zstandard.compress(data[1000:]),
    "two bz2": lambda data: bz2.compress(data[:1000]) + bz2.compress(data[1000:]),
    "zst that looks far back": lambda data: zstandard.ZstdCompressor(
        compression_params=zstandard.ZstdCompressionParameters(window_log=27)
    ).compress(data),
}


def test_what_we_compress_others_read():
    assert gzip.decompress(compress("model.json.gz", PLAIN)) == PLAIN
    assert gzip.decompress(compress("MODEL.GZ", b"")) == b""
    assert zstandard.decompress(compress("model.json.zst", PLAIN)) == PLAIN
    assert compress("model.json", PLAIN) == PLAIN
    assert len(compress("a.gz", PLAIN)) < len(PLAIN) / 2
    assert len(compress("a.zst", PLAIN)) < len(PLAIN) / 2


def test_the_same_bytes_give_the_same_file_under_any_name_and_at_any_time():
    head = compress("a.gz", PLAIN)[:10]
    assert head == b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"  # no flags, so no name; time 0; system unknown
    for end in (".gz", ".zst"):
        assert compress(f"a{end}", PLAIN) == compress(f"folder/b{end}", PLAIN)


@pytest.mark.parametrize("name", ["plain", "gz", "zst", "zst without a size", "two gz", "two zst"])
def test_bytes_are_decompressed_up_to_a_limit(name):
    data = MAKERS[name](PLAIN)
    assert decompress(data, len(PLAIN)) == PLAIN
    for most in (len(PLAIN) - 1, 100, 0):
        with pytest.raises(
            InputError, match=f"decompressed file is larger than the limit of {most} bytes"
        ):
            decompress(data, most)


def test_nothing_is_nothing():
    assert decompress(b"", 10) == b""
    assert decompress(gzip.compress(b""), 10) == b""
    assert decompress(zstandard.compress(b""), 0) == b""


@pytest.mark.parametrize("make", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize("most", [1 << 10, 1 << 20])
def test_a_bomb_takes_little_memory(make, most):
    bomb = make(bytes(80 << 20))
    tracemalloc.start()
    with pytest.raises(InputError, match="larger than the limit of"):
        decompress(bomb, most)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 34 << 20


def test_a_zstd_that_asks_for_a_large_window_is_refused():
    data = MAKERS["zst that looks far back"](os.urandom(9 << 20))
    with pytest.raises(InputError, match="damaged"):
        decompress(data, 1 << 30)


def read_or_refused(place):
    """The plain bytes, or None where the file was said to be damaged."""
    with contextlib.suppress(InputError), open_decompressed(place) as stream:
        return stream.read()


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "plain"])
def test_damage_is_named(name, tmp_path):
    data = MAKERS[name](PLAIN)
    place = tmp_path / "rows"
    cuts = [8, len(data) // 3, len(data) // 2, len(data) - 9, len(data) - 1]
    cuts = [cut for cut in cuts if cut > 6]
    for cut in cuts:
        place.write_bytes(data[:cut])
        with (
            pytest.raises(InputError, match=r"rows' is a damaged or truncated \w+ file"),
            open_decompressed(place) as stream,
        ):
            assert stream.read() != PLAIN  # a cut between two members cannot be seen
    middle = len(data) // 2
    place.write_bytes(
        data[:middle] + bytes(b ^ 0xFF for b in data[middle : middle + 50]) + data[middle + 50 :]
    )
    assert read_or_refused(place) != PLAIN  # zstd without a checksum sees some damage only in the result
    place.write_bytes(data + b"\1garbage")
    assert read_or_refused(place) in (None, PLAIN)  # bzip2 and xz leave what stands behind


@pytest.mark.parametrize("make", [gzip.compress, lambda data: compress("a.zst", data)], ids=["gz", "zst"])
def test_every_cut_of_a_small_file_is_refused(make):
    data = make(b"a small model")
    for cut in range(4, len(data)):
        with pytest.raises(InputError, match=r"The file is a damaged or truncated \w+ file"):
            decompress(data[:cut], 100)


@pytest.mark.parametrize("name", MAKERS)
def test_a_file_is_read_by_what_it_holds(name, tmp_path):
    place = tmp_path / "rows.csv"
    place.write_bytes(MAKERS[name](PLAIN))
    with open_decompressed(place) as stream:
        assert stream.read(5) == PLAIN[:5]
        assert stream.readline() == PLAIN[5:].split(b"\n")[0] + b"\n"
        assert stream.read() == PLAIN[5 + PLAIN[5:].index(b"\n") + 1 :]
        assert stream.read() == b""
    with io.TextIOWrapper(open_decompressed(str(place)), "utf-8") as lines:
        assert list(lines)[-1] == PLAIN.decode().splitlines()[-1] + "\n"


@pytest.mark.parametrize("text", [b"", b"B", b"\x1f", b"BZ", b"\xfd7zX", b"a,b\n"])
def test_short_files_are_plain(text, tmp_path):
    (tmp_path / "rows").write_bytes(text)
    with open_decompressed(tmp_path / "rows") as stream:
        assert stream.read() == text


@pytest.mark.parametrize("name", MAKERS)
def test_standard_input_is_a_file_too(name):
    code = (
        "import sys; from treewright.disk.compression import open_decompressed\n"
        "with open_decompressed('-') as stream: data = stream.read()\n"
        "assert not sys.stdin.closed\n"
        "sys.stdout.buffer.write(data)"
    )
    data = MAKERS[name](PLAIN)
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    child.stdin.write(data[:2])  # the beginning in two pieces
    child.stdin.flush()
    out, _ = child.communicate(data[2:], timeout=60)
    assert out == PLAIN


def test_a_pipe_is_read(tmp_path):
    reader, writer = os.pipe()
    os.write(writer, gzip.compress(b"abc"))
    os.close(writer)
    with open_decompressed(f"/dev/fd/{reader}") as stream:
        assert stream.read() == b"abc"
    os.close(reader)


def test_what_cannot_be_read_is_named(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"File not found: '.*absent'; check its name and folder\."):
        open_decompressed(tmp_path / "absent")
    with pytest.raises(InputError, match=r"'.*' is a folder; pass the name of a file in it\."):
        open_decompressed(tmp_path)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(
        InputError, match=r"There is no standard input; pass the name of a file instead of '-'\."
    ):
        open_decompressed("-")


def test_a_file_that_is_read_is_closed(tmp_path):
    (tmp_path / "rows").write_bytes(gzip.compress(PLAIN))
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(5):
        with open_decompressed(tmp_path / "rows") as stream:
            stream.read(10)
    assert len(list(Path("/dev/fd").iterdir())) == before
