"""A person at a terminal: progress is drawn and taken away, and Ctrl-C stops a fit with nothing half-written."""

import random
import re
import sys
import time

import pytest

from tests.cli.running import run

pexpect = pytest.importorskip("pexpect")


@pytest.fixture
def noise(folder):
    """A table of noise that takes some seconds to grow a tree on."""
    draw = random.Random(0)
    lines = (f"{draw.random():.6f},{draw.random():.6f},{draw.random():.6f},{draw.randrange(5)}" for _ in range(150_000))
    (folder / "noise.csv").write_text("a,b,c,y\n" + "\n".join(lines))
    return folder


def test_ctrl_c_in_a_fit_leaves_no_file(noise):
    words = ["-m", "treewright", "fit", "noise.csv", "-t", "y", "-a", "cart", "--folds", "10", "-o", "noise.json"]
    child = pexpect.spawn(sys.executable, words, timeout=120, encoding="utf-8", dimensions=(24, 80))
    child.expect("growing a tree on 150,000 rows: |cross-validation: ")
    child.sendintr()
    began = time.monotonic()
    child.expect("treewright: ?(\x1b\\[[0-9;]*m)* interrupted.")
    took = time.monotonic() - began
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert took < 3  # 0.2 s on a machine that is not busy
    assert sorted(path.name for path in noise.iterdir()) == ["golf.csv", "iris.csv", "noise.csv"]


def test_a_terminal_has_colours_and_no_line_is_left_over(golf, capsys):
    run(capsys, "export", "golf.json", "--to", "json", "-o", "tree.json")
    words = ["-m", "treewright", "show", "tree.json", "--node", "3"]
    child = pexpect.spawn(sys.executable, words, timeout=120, encoding="utf-8")
    said = child.read()
    child.close()
    assert child.exitstatus == 0
    assert "\x1b[1mSubtree\x1b[0m" in said
    assert re.sub(r"\x1b\[[0-9;]*m", "", said).splitlines()[0] == "node           3, depth 1"
