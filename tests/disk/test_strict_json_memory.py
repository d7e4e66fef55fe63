"""The reader of JSON on texts that are made to cost much: memory and time stay in proportion to the length."""

import contextlib
import gc
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from treewright.disk.strict_json import JSONTextError, parse

MB = 1 << 20
SIZES = [3 * MB, pytest.param(20 * MB, marks=pytest.mark.long)]

# The middle is repeated up to the length that is asked for; the name says what it should become.
HOSTILE = {
    "empty arrays": (b"[", b"[],", b"[]]"),
    "empty objects": (b"[", b"{},", b"{}]"),
    "small objects": (b"[", b'{"":0},', b"{}]"),
    "arrays of one": (b"[", b"[0],", b"[0]]"),
    "short strings": (b"[", b'"ab",', b'""]'),
    "empty strings": (b"[", b'"",', b'""]'),
    "strange strings": (b"[", '"é",'.encode(), b'""]'),
    "whole numbers": (b"[", b"0,", b"0]"),
    "whole numbers and a word": (b"[", b"1000,", b"true]"),
    "floats": (b"[", b"0.,".replace(b".", b"e1"), b"0e1]"),
    "negative numbers": (b"[", b"-6,", b"0]"),
    "numbers of three digits": (b"[", b"257,", b"0]"),
    "numbers of three digits and an emoji": ('["😀",'.encode(), b"257,", b"0]"),
    "nulls": (b"[", b"null,", b"null]"),
    "the same name again": (b"{", b'"a":0,', b'"a":0}'),
    "objects of five names": (b"[", b'{"a":0,"b":0,"c":0,"d":0,"e":0},', b"0]"),
    "floats and a whole number": (b"[", b"1e9,", b"0]"),
    "words": (b"[", b"true,", b"true]"),
    "depth": (b"", b"[", b""),
    "depth of objects": (b"", b'{"":', b""),
    "one string": (b'"', b"x", b'"'),
    "one string with a last emoji": (b'"', b"x", '😀"'.encode()),
    "one string with a first emoji": ('"😀'.encode(), b"x", b'"'),
    "escapes": (b'"', b"\\n", b'"'),
    "escapes and emojis": (b'"', '😀\\n'.encode(), b'"'),
    "lone surrogates": (b'"', b"\\ud800", b'"'),
    "an open string": (b'"', b"x", b""),
    "an open array": (b"[", b"0,", b""),
    "an open array of floats": (b"[", b"0.5,", b"x"),
    "spaces": (b"", b" ", b"1"),
    "one float": (b"0.", b"7", b""),
    "one whole number": (b"", b"7", b""),
    "one exponent": (b"1e", b"7", b""),
    "a long name": (b'{"', b"x", b'":0}'),
}

MADE = ("names", "objects of other names")


def text_of(name, n):
    if name == "names":
        return b"{" + b",".join(b'"%07x":0' % i for i in range(n // 12)) + b"}"
    if name == "objects of other names":
        five = b'{"%07x":0,"%07x":0,"%07x":0,"%07x":0,"%07x":0}'
        return b"[" + b",".join(five % tuple(range(i, i + 5)) for i in range(0, n // 12, 5)) + b"]"
    begin, middle, end = HOSTILE[name]
    return begin + middle * ((n - len(begin) - len(end)) // len(middle)) + end


CHILD = """
import ctypes, json, os, sys
from tests.disk.test_strict_json_memory import HOSTILE, MADE, memory_of, text_of
import treewright.disk.strict_json as reader
n = int(sys.argv[1])
found = {}
for name in [*HOSTILE, *MADE]:
    read, write = os.pipe()
    if os.fork() == 0:
        try:
            data = text_of(name, n)
            ctypes.CDLL(None).malloc_trim(0)  # give back what the making of the text needed
            open("/proc/self/clear_refs", "w").write("5")  # and forget how high it was
            before = memory_of("VmRSS")
            try:
                reader.parse(data)
            except reader.JSONTextError:
                pass
            os.write(write, json.dumps(memory_of("VmHWM") - before).encode())
        finally:
            os._exit(0)
    os.close(write)
    os.wait()
    found[name] = json.loads(os.read(read, 100))
    os.close(read)
print(json.dumps(found))
"""


def memory_of(what):
    """The memory of this process now (VmRSS) or at its highest (VmHWM), in bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith(what + ":"))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the memory of a process is read from /proc")
@pytest.mark.parametrize("n", SIZES)
def test_memory_is_bounded_by_the_length(n):
    project = Path(__file__).resolve().parents[2]
    child = subprocess.run(
        [sys.executable, "-c", CHILD, str(n)], cwd=project, capture_output=True, text=True, timeout=250, check=True
    )
    found = json.loads(child.stdout)
    assert found["one string"] > n / 2  # it is memory that is measured
    assert set(found) == {*HOSTILE, *MADE}
    assert {name: n_bytes / n for name, n_bytes in found.items() if n_bytes > 12 * n + 20 * MB} == {}


def test_what_needs_too_much_is_said():
    for name in ("empty arrays", "short strings", "small objects", *MADE, "arrays of one"):
        with pytest.raises(JSONTextError, match="more memory than the limit, 12 times its length plus 16 MB"):
            parse(text_of(name, 3 * MB))


def test_what_a_small_text_needs_is_never_too_much():
    for name in HOSTILE:
        try:
            parse(text_of(name, MB // 8))
        except JSONTextError as error:
            said = str(error)
        else:
            said = ""
        assert "memory" not in said, name


@pytest.fixture
def no_collector():
    """Python's collector off: when many objects are made, it visits all that other tests have left behind."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("name", [*HOSTILE, *MADE])
def test_time_is_in_proportion_to_the_length(name, no_collector):
    def seconds(data):
        start = time.process_time()
        with contextlib.suppress(JSONTextError):
            parse(data)
        return time.process_time() - start

    short, long = text_of(name, MB // 16), text_of(name, 2 * MB)
    most = max(0.05, 200 * min(seconds(short) for _ in range(3)))
    # 32 times the text; about 1,000 times the time would be a square. The best of three, as far as they are needed.
    assert any(seconds(long) < most for _ in range(3))
