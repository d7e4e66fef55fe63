"""The command line itself: help, exit codes, one-sentence errors, colours, pipes."""

import os
import re
import subprocess
import sys

import pytest

from tests.cli.running import run
from treewright.cli import main as module
from treewright.cli.main import VERBS, module_of

HEAVY = ("numpy", "polars", "sklearn", "scipy", "pandas", "matplotlib", "narwhals", "joblib")
PROGRAM = [sys.executable, "-m", "treewright"]


def there(verb):
    """Whether the module of a verb is there."""
    from importlib.util import find_spec

    return find_spec(f"treewright.cli.{module_of(verb)}") is not None


def test_no_words_and_help_are_the_same_page_with_all_verbs(capsys):
    said, helped = run(capsys), run(capsys, "--help")
    assert said.code == helped.code == 0
    assert said.out == helped.out
    for verb, words in VERBS.items():
        assert re.search(rf"^  {re.escape(verb)} +{re.escape(words[:20])}", said.out, re.MULTILINE)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if there(verb)])
def test_every_verb_has_a_page_with_examples_and_the_options_of_all(verb, capsys):
    said = run(capsys, verb, "--help")
    assert said.code == 0
    assert said.err == ""
    for part in ("Examples:", "Every verb:", "--json", "--quiet", "--debug", "--color"):
        assert part in said.out
    examples = said.out.split("Examples:\n")[1].strip().splitlines()
    assert 1 <= len(examples) <= 5
    assert all(line.strip().startswith(f"treewright {verb} ") or " | treewright " in line for line in examples)
    assert max(map(len, said.out.splitlines())) <= 110


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["fit", "--help"], ["why", "--help"], ["fitt"]])
def test_help_loads_nothing_heavy(words):
    code = (
        "import sys; from treewright.cli.main import main; main(sys.argv[1:]);"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert done.stderr.strip().splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["fitt"], "There is no verb 'fitt'; did you mean 'fit'? (See `treewright --help`.)"),
        (["evalute", "x"], "did you mean 'evaluate'?"),
        (["\x1b[31mfit"], r"There is no verb '\x1b[31mfit'"),
        (["show", "x.json", "--depht", "2"], "There is no option '--depht'; did you mean '--depth' or '--node'? (See"),
        (["show"], "Missing argument 'MODEL'. (See `treewright show --help`.)"),
        (["show", "x.json", "--depth", "deep"], "'deep' is not a whole number"),
        (["fit", "x.csv", "-a", "c5"], "'c5' is not one of 'id3', 'c4.5', 'cart'"),
        (["--color", "sometimes"], "is not one of 'auto', 'always', 'never'"),
    ],
)
def test_a_command_that_is_not_understood_is_one_sentence(words, sentence, capsys):
    said = run(capsys, *words)
    assert said.code == 2
    assert said.out == ""
    assert sentence in said.err
    assert said.err.startswith("treewright: ")
    assert said.err.count("\n") == 1


def test_a_file_that_is_not_there_is_one_sentence(folder, capsys):
    for words in (["fit", "no.csv"], ["show", "no.json"], ["evaluate", "no.json", "golf.csv"]):
        said = run(capsys, *words)
        assert said.code == 1
        assert said.err.count("\n") == 1
        assert "'no." in said.err


@pytest.mark.parametrize("words", [["--debug", "show", "no.json"], ["show", "no.json", "--debug"]])
def test_debug_before_or_behind_the_verb_shows_where(words, folder, capsys):
    said = run(capsys, *words)
    assert said.code == 1
    assert said.err.startswith("Traceback")
    assert said.err.splitlines()[-1].startswith("treewright: There is no file 'no.json'")


def test_a_fault_is_said_to_be_one(folder, capsys, monkeypatch):
    def fails(path):
        raise RuntimeError("a \x1b[31mstrange\nthing")

    monkeypatch.setattr("treewright.cli.show.open_model", fails)
    said = run(capsys, "show", "golf.json")
    assert said.code == 3
    assert said.err == (
        "treewright: RuntimeError: a \\x1b[31mstrange thing (a fault of Treewright; --debug shows where it is).\n"
    )


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 1, "not enough memory"),
        (OSError(28, "No space left on device", "x"), 1, "'x': No space left on device."),
        (ModuleNotFoundError("No module named 'zzz'", name="zzz"), 1, "needs zzz, which is not installed"),
        (KeyboardInterrupt(), 130, "stopped."),
    ],
)
def test_what_happens_to_other_ends(error, code, words, folder, capsys, monkeypatch):
    def fails(path):
        raise error

    monkeypatch.setattr("treewright.cli.show.open_model", fails)
    said = run(capsys, "show", "golf.json")
    assert said.code == code
    assert words in said.err


def test_colours_only_where_they_are_wanted(golf, capsys, monkeypatch):
    words = ["evaluate", "golf.json", "golf.csv"]
    plain = run(capsys, *words)
    assert "\x1b" not in plain.out + plain.err
    coloured = run(capsys, "--color", "always", *words)
    assert "\x1b[1mConfusion matrix\x1b[0m" in coloured.out
    assert re.sub(r"\x1b\[\d*m", "", coloured.out) == plain.out
    assert "\x1b" in run(capsys, *words, "--color=always").out
    assert "\x1b[31m" in run(capsys, "show", "no.json", "--color", "always").err
    monkeypatch.setattr(module.sys.stdout, "isatty", lambda: True, raising=False)
    assert "\x1b" in run(capsys, *words).out
    assert "\x1b" not in run(capsys, *words, "--color", "never").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(capsys, *words).out
    assert "\x1b" not in run(capsys, "--help").out


def test_a_reader_that_has_seen_enough_is_no_error(golf, capsys):
    """The reader's end of the pipe is closed before anything is written."""
    run(capsys, "export", "golf.json", "--to", "json", "-o", "tree.json")
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run([*PROGRAM, "show", "tree.json"], stdout=write, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(write)
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_terminal_without_the_characters_shows_their_codes(folder, capsys):
    (folder / "瓜.csv").write_text("色泽,好瓜\n" + "青绿,是\n乌黑,否\n" * 5, encoding="utf-8")
    run(capsys, "fit", "瓜.csv", "-t", "好瓜", "-q", "--no-cv", "-o", "瓜.json")
    run(capsys, "export", "瓜.json", "--to", "json", "-o", "tree.json")
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    words = [*PROGRAM, "show", "tree.json"]
    done = subprocess.run(words, capture_output=True, env=environment, check=False)
    assert done.returncode == 0
    assert rb"\u597d\u74dc" in done.stdout


def test_the_shell_can_complete_verbs():
    asked = {"_TREEWRIGHT_COMPLETE": "bash_complete", "COMP_WORDS": "treewright ev", "COMP_CWORD": "1"}
    environment = os.environ | asked
    code = "from treewright.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.splitlines() == ["plain,evaluate"]


def test_warnings_are_notes_and_each_is_said_once(golf, capsys):
    (golf / "new.csv").write_text("outlook,temperature,humidity,windy,play\nfog,70,70,true,no\nfog,71,70,true,no\n")
    said = run(capsys, "evaluate", "golf.json", "new.csv")
    assert said.code == 0
    assert said.err.startswith("note: ")
    assert "'fog'" in said.err
    assert "Warning" not in said.err
    assert said.err.count("\n") == 1
    assert run(capsys, "evaluate", "golf.json", "new.csv", "--quiet").err == ""


@pytest.mark.parametrize("verb", VERBS)
def test_no_line_of_a_help_page_is_too_wide_and_comments_can_be_pasted(verb, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = run(capsys, verb, "--help").out
    assert max(map(len, page.splitlines())) <= 80
    assert "; x>" not in page
