"""The command line itself: help, exit codes, one-sentence errors, colours, pipes."""

import ast
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tests.cli.running import run
from treewright.cli import main as module
from treewright.cli.main import COMMANDS, module_name
from treewright.errors import InputError, TreewrightError

HEAVY = ("numpy", "polars", "sklearn", "scipy", "pandas", "matplotlib", "narwhals", "joblib")
PROGRAM = [sys.executable, "-m", "treewright"]


def there(verb):
    """Whether the module of a verb is there."""
    from importlib.util import find_spec

    return find_spec(f"treewright.cli.{module_name(verb)}") is not None


def test_no_words_and_help_are_the_same_page_with_all_verbs(capsys):
    said, helped = run(capsys), run(capsys, "--help")
    assert said.code == helped.code == 0
    assert said.out == helped.out
    for verb, words in COMMANDS.items():
        assert re.search(rf"^  {re.escape(verb)} +{re.escape(words[:20])}", said.out, re.MULTILINE)


@pytest.mark.parametrize("verb", [verb for verb in COMMANDS if there(verb)])
def test_every_verb_has_a_page_with_examples_and_the_options_of_all(verb, capsys):
    said = run(capsys, verb, "--help")
    assert said.code == 0
    assert said.err == ""
    for part in ("Examples:", "Common options:", "--json", "--quiet", "--debug", "--color"):
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
        (["fitt"], "Unknown command 'fitt'; did you mean 'fit'? See `treewright --help`."),
        (["evalute", "x"], "did you mean 'evaluate'?"),
        (["\x1b[31mfit"], r"Unknown command '\x1b[31mfit'"),
        (["show", "x.json", "--depht", "2"], "Unknown option '--depht'; did you mean '--depth' or '--node'? See"),
        (["show"], "Missing argument 'MODEL'. See `treewright show --help`."),
        (["fit", "x.csv", "--max-depth", "0"], "'--max-depth': 0 is not in the range x>=1."),
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
    assert said.err.splitlines()[-1].startswith("treewright: File not found: 'no.json'")


def test_a_fault_is_said_to_be_one(folder, capsys, monkeypatch):
    def fails(path):
        raise RuntimeError("a \x1b[31mstrange\nthing")

    monkeypatch.setattr("treewright.cli.show.open_model", fails)
    said = run(capsys, "show", "golf.json")
    assert said.code == 3
    assert said.err == (
        "treewright: RuntimeError: a \\x1b[31mstrange thing (internal error; --debug prints the traceback).\n"
    )


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 1, "Not enough memory"),
        (OSError(28, "No space left on device", "x"), 1, "'x': No space left on device."),
        (ModuleNotFoundError("No module named 'zzz'", name="zzz"), 1, "requires zzz, which is not installed"),
        (KeyboardInterrupt(), 130, "interrupted."),
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


@pytest.mark.parametrize("verb", COMMANDS)
def test_no_line_of_a_help_page_is_too_wide_and_comments_can_be_pasted(verb, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    page = run(capsys, verb, "--help").out
    assert max(map(len, page.splitlines())) <= 80
    assert "; x>" not in page


PACKAGE = Path(module.__file__).parent.parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def options_of(name):
    """The long options of a command."""
    command = module.treewright.get_command(None, name)
    found = {word for one in command.params for word in (*one.opts, *one.secondary_opts)}
    return {word for word in found if word.startswith("--")}


def texts_with_options():
    """Each text of the source that names an option, with its place, but for style sheets."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "var(--" not in node.value:
                for word in OPTION.findall(node.value):
                    yield f"{path.relative_to(PACKAGE)}:{node.lineno}", word


def test_every_option_that_a_text_names_exists():
    known = {"--help", "--version"}.union(*map(options_of, COMMANDS))
    found = list(texts_with_options())
    assert len(found) > 100
    assert [(place, word) for place, word in found if word not in known] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_parameter_in_an_error_becomes_an_option_of_the_command(name):
    command = module.treewright.get_command(None, name)
    for one in command.params:
        if isinstance(one, click.Option):
            said = command.use_option_names(f"`{one.name}` must be finite; pass another `{one.name}`.")
            assert set(OPTION.findall(said)) <= options_of(name)
            assert f"`{one.name}`" not in said
    assert command.use_option_names("Use `nothing`, or nothing=7.") == "Use `nothing`, or nothing=7."


def test_a_parameter_with_a_value_becomes_an_option_or_a_setting():
    fit, rules = (module.treewright.get_command(None, name) for name in ("fit", "rules"))
    message = "With numeric='refuse' it fails; use missing='stop', pruning=None or tune=False."
    assert fit.use_option_names(message) == (
        "With --set numeric=refuse it fails; use --missing stop, --pruning none or --set tune=False."
    )
    assert rules.use_option_names("use form='leaves' or tune=False.") == "use --form leaves or tune=False."


def test_an_error_has_its_advice_for_python_and_for_the_command_line():
    error = InputError("Pruning needs rows", advice="pass X and y", option="use --data FILE")
    assert str(error) == "Pruning needs rows; pass X and y."
    assert error.cli_message == "Pruning needs rows; use --data FILE."
    changed = error.reworded("In 'a.csv': {}".format)
    assert type(changed) is InputError
    assert str(changed) == "In 'a.csv': Pruning needs rows; pass X and y."
    assert changed.cli_message == "In 'a.csv': Pruning needs rows; use --data FILE."
    assert TreewrightError("Wrong.").cli_message == "Wrong."
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.cli_message) == (str(error), error.cli_message)
