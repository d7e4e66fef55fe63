"""A file that finds no room: one sentence that names it, in every format, and nothing of it remains."""

import os
import subprocess
import sys

import pytest

import treewright

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the size of files is limited by the system")

CODE = """
import os, resource, signal, sys
from treewright.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
for words in {commands!r}:
    assert main(words.split()) == 1, words
"""


def test_every_format(golf):
    ends = ("csv", "csv.gz", "csv.zst", "jsonl", "parquet", "arrow")
    names = [f"p.{end}" for end in ends]
    commands = [f"predict golf.json golf.csv -q -o {name}" for name in names]
    commands += [f"convert golf.csv c.{end} -q" for end in ends]
    formats = ("json", "dot", "svg", "html", "text", "rules-html", "sql", "python", "rules-sql", "pmml", "onnx")
    commands += [f"export golf.json --to {to} -o x.{to} -q" for to in formats]
    commands += ["fit golf.csv -t play --no-cv -q -o new.json", "plot golf.json -o x.html"]
    before = sorted(path.name for path in golf.iterdir())
    code = CODE.format(commands=commands)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=golf)
    assert done.returncode == 0, done.stderr
    said = done.stderr.splitlines()
    assert len(said) == len(commands)
    for words, sentence in zip(commands, said, strict=True):
        name = next(word for word in reversed(words.split()) if "." in word)
        assert sentence == f"treewright: Cannot write {name!r}: File too large; free some space, or pass another path."
    assert sorted(path.name for path in golf.iterdir()) == before


def test_a_name_that_is_too_long(golf):
    model = treewright.load("golf.json")
    for write in (model.save, model.to_html, model.to_svg, model.to_dot):
        with pytest.raises(treewright.OutputError, match="': File name too long; pass a shorter name") as caught:
            write("x" * 300)
        assert isinstance(caught.value, OSError)


def test_a_full_device(golf):
    if not os.path.exists("/dev/full"):  # noqa: PTH110
        pytest.skip("no /dev/full on this system")
    model = treewright.load("golf.json")
    for write in (model.save, model.to_html, model.to_svg, model.to_dot):
        with pytest.raises(treewright.OutputError, match="Cannot write '/dev/full': No space left on device; free"):
            write("/dev/full")
