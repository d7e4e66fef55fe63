"""docs/command-line.md shows what the commands print, and describes every option of `fit` that it names."""

import re
import shlex
from pathlib import Path

from tests.cli.running import run
from treewright.cli.main import COMMANDS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "command-line.md"
SHOWN = re.compile(r"^```sh\n(treewright [^\n|]*)\n```\n\n```text\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def timeless(text):
    """The text without how long something took, and without spaces at the ends of lines."""
    return [re.sub(r"\d+\.\d\d s$", "TIME", line.rstrip()) for line in text.strip().splitlines()]


def test_every_command_prints_what_is_shown(folder, capsys):
    shown = SHOWN.findall(PAGE.read_text(encoding="utf-8"))
    assert len(shown) >= 9
    for command, text in shown:
        said = run(capsys, *shlex.split(command)[1:])
        assert said.code == 0, said.err
        assert timeless(said.out) == timeless(text), command


def test_every_verb_and_option_that_is_named_is_there(capsys):
    page = PAGE.read_text(encoding="utf-8")
    assert [verb for verb in COMMANDS if f"| `{verb}` |" not in page] == []
    helped = run(capsys, "fit", "--help").out
    table = page.split("## fit")[1].split("## show")[0]
    named = set(re.findall(r"`(--[a-z-]+)", table))
    assert len(named) > 12
    assert [option for option in named if option not in helped] == []
