"""The command line as a person uses it: a real pseudo-terminal that is typed into, watched and interrupted.

Ctrl-C in a fit is in test_terminal.py.
"""

import os
import re
import sys
import time

import pytest

from tests.cli.running import GOLF
from treewright.cli.main import main

pexpect = pytest.importorskip("pexpect", reason="pexpect drives the pseudo-terminal; pip install -e '.[dev]'")

PATIENCE = 40
"""Seconds that a busy machine may need for what takes tenths of a second."""

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(scope="module")
def golf(tmp_path_factory):
    folder = tmp_path_factory.mktemp("golf")
    (folder / "golf.csv").write_text(GOLF)
    table, model = str(folder / "golf.csv"), str(folder / "golf.json")
    assert main(["fit", table, "-t", "play", "-a", "c4.5", "-o", model, "-q", "--no-cv"]) == 0
    return folder


def start(folder, *arguments):
    """A run of the command line in a terminal of 100 columns."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    return pexpect.spawn(
        sys.executable, ["-m", "treewright", *arguments], cwd=str(folder), timeout=PATIENCE, encoding="utf-8",
        dimensions=(40, 100), env={**kept, "TERM": "xterm"},
    )  # fmt: skip


def end(child):
    """What was shown since, and the exit code."""
    child.expect(pexpect.EOF)
    shown = child.before
    child.close()
    assert "Traceback" not in shown
    return shown, child.exitstatus


def last_line(shown):
    return ESCAPES.sub("", shown).strip().splitlines()[-1].strip()


def tell(child, question, answer):
    child.expect(question)
    child.expect("> ")
    child.sendline(answer)


def test_a_consultation_from_the_first_question_to_ctrl_d(golf):
    child = start(golf, "consult", "golf.json")
    tell(child, r"outlook\x1b\[0m \(1 overcast, 2 rain, 3 sunny\)\?", "sunnny")
    tell(child, "Did you mean sunny", "s")
    tell(child, "a number; the tree tests humidity <= 75", "why")
    child.expect("Known so far: outlook: sunny.")
    child.expect("humidity > 75: mostly no \\(3\\)")
    tell(child, "humidity", "back")
    tell(child, "outlook", "sunny: 0.5, rain: 0.5")
    tell(child, "windy", "?")
    tell(child, "humidity", "70-80")
    # Half of it rain, of which 3 of 5 days were calm; half of it sunny, of which half is at most 75.
    child.expect(r"55.0%  yes  \([^)]* to [^)]*\)")
    child.expect("by several paths")
    tell(child, "again, change COLUMN, back, quit", "change outlook")
    tell(child, "outlook", "1")
    child.expect("because outlook = overcast: yes \\(4\\)")
    tell(child, "again", "again")
    child.expect("outlook")
    child.expect("> ")
    child.sendeof()
    _, code = end(child)
    assert code == 0


def test_ctrl_c_in_a_consultation(golf):
    child = start(golf, "consult", "golf.json")
    child.expect("outlook")
    child.expect("> ")
    child.sendintr()
    shown, code = end(child)
    assert code == 130
    assert last_line(shown) == "treewright: interrupted."


def test_compare_has_colours_on_a_terminal_and_none_in_a_pipe(golf):
    child = start(golf, "compare", "golf.csv", "--target", "play", "--folds", "3", "-o", "report.html")
    shown, code = end(child)
    assert code == 0
    assert "\x1b[32m" in shown  # the best and the recommended line are green
    plain = ESCAPES.sub("", shown)
    assert "accuracy and log loss in 3-fold cross-validation" in plain
    assert "report written to 'report.html'" in plain
    assert (golf / "report.html").exists()
    piped, code = pexpect.run(
        f"/bin/sh -c '\"{sys.executable}\" -m treewright compare golf.csv -t play --folds 3 2>err.txt | cat'",
        cwd=str(golf), timeout=PATIENCE, withexitstatus=True,
    )  # fmt: skip
    assert code == 0
    assert b"\x1b" not in piped
    assert b"c4.5" in piped
    assert b"\x1b" not in (golf / "err.txt").read_bytes()


def test_ctrl_c_in_the_middle_of_a_comparison(tmp_path):
    """Progress is shown, Ctrl-C is heard at once, the exit code is 130, and nothing is written."""
    import numpy as np
    import polars as pl

    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_000, 8)).round(6)
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=len(X)) > 0, "yes", "no")
    frame = pl.DataFrame({f"x{i}": X[:, i] for i in range(8)}).with_columns(pl.Series("y", y))
    frame.write_csv(tmp_path / "large.csv")
    child = start(tmp_path, "compare", "large.csv", "--target", "y", "-o", "out.html")
    child.expect("comparing: ")
    time.sleep(0.2)
    child.sendintr()
    began = time.monotonic()
    shown, code = end(child)
    took = time.monotonic() - began
    assert code == 130
    assert last_line(shown) == "treewright: interrupted."
    assert [one.name for one in tmp_path.iterdir()] == ["large.csv"]
    assert took < 10, f"Ctrl-C was heard after {took:.1f} s"  # 0.2 s on a machine that is not busy
