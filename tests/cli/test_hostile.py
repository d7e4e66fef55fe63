"""Names, categories and paths that would steer a terminal, a shell or the file system stay words."""

import csv
import io
import json
import re

import pytest

from tests.cli.running import run
from treewright.loading import load, load_bytes

COLUMNS = ["a\nb", "; touch pwned", "$(touch pwned)", "../../up.json", "/etc/passwd", "\x1b[31mred\x07", "--force"]
CLASSES = ["../no.json", "\x1b]0;title\x07yes"]
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")


@pytest.fixture
def table(folder):
    """A table whose every column divides some rows, with hostile names and values."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*COLUMNS, "`target`"])
    for i in range(64):
        cells = [("`rm x`\u202e", "..")[i >> j & 1] if j % 2 else i >> j & 1 for j in range(6)]
        answer = CLASSES[(i ^ i >> 1 ^ i >> 3) & 1]
        writer.writerow([*cells, i % 5, answer])
    (folder / "evil.csv").write_text(text.getvalue(), encoding="utf-8")
    return folder


def harmless(said, code=0):
    assert said.code == code, said.err
    assert not CONTROL.search(said.out + said.err)


def test_every_verb_prints_hostile_names_escaped_and_writes_only_where_it_was_told(table, capsys, monkeypatch):
    before = sorted(path.name for path in table.parent.iterdir())
    words = ["-t", "`target`", "-a", "cart", "--pruning", "none", "--folds", "2"]
    harmless(run(capsys, "fit", "evil.csv", *words, "-o", "evil.json", "--keep", "rows"))
    harmless(run(capsys, "show", "evil.json"))
    harmless(run(capsys, "show", "evil.json", "--importances"))
    for node in ("0", "1"):
        harmless(run(capsys, "show", "evil.json", "--node", node))
        harmless(run(capsys, "why", "evil.json", node))
    harmless(run(capsys, "why", "evil.json", "0", "--worked"))
    harmless(run(capsys, "evaluate", "evil.json", "evil.csv", "--leaves"))
    harmless(run(capsys, "explain", "evil.json", "--data", "evil.csv", "--row", "3"))
    harmless(run(capsys, "explain", "evil.json", f"{COLUMNS[1]}=..", "../../up.json=1"))
    harmless(run(capsys, "rules", "evil.json"))
    harmless(run(capsys, "rules", "evil.json", "--form", "generalised"))
    harmless(run(capsys, "prune", "evil.json", "-m", "pessimistic"))
    for name in ("text", "dot", "rules", "rules-markdown", "rules-json"):
        harmless(run(capsys, "export", "evil.json", "--to", name))
    with_controls = run(capsys, "export", "evil.json", "--to", "sql").out
    assert CONTROL.search(with_controls)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    for name in ("sql", "python", "javascript", "c", "pmml", "rules-sql", "rules-python", "svg"):
        said = run(capsys, "export", "evil.json", "--to", name, "--color", "never")
        harmless(said, code=int(name == "pmml"))  # XML cannot contain these names
    said = run(capsys, "export", "evil.json", "--to", "json", "--color", "never")
    harmless(said)
    assert load_bytes(said.out.encode()) == load("evil.json").tree_
    for end in ("svg", "dot", "html"):
        harmless(run(capsys, "plot", "evil.json", "-o", f"evil.{end}"))
    made = {"evil.json", "evil.svg", "evil.dot", "evil.html"}
    assert {path.name for path in table.iterdir()} == {"golf.csv", "iris.csv", "evil.csv", *made}
    assert sorted(path.name for path in table.parent.iterdir()) == before


def test_rows_are_escaped_on_a_terminal_and_written_unchanged_elsewhere(table, capsys, monkeypatch):
    fit = ["fit", "evil.csv", "-t", "`target`", "-a", "cart", "--pruning", "none", "--no-cv", "-q"]
    harmless(run(capsys, *fit, "-o", "evil.json"))
    predict, to_tsv = ["predict", "evil.json", "evil.csv", "-q"], ["convert", "evil.csv", "-", "--to", "tsv", "-q"]
    plain = run(capsys, *predict).out
    assert CLASSES[1] in plain
    assert run(capsys, *to_tsv).out.count(CLASSES[1]) == 32
    document = run(capsys, *predict, "--json").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    said = run(capsys, *predict)
    harmless(said)
    assert said.out.count("\\x1b]0;title\\x07yes") == plain.count(CLASSES[1])
    assert said.out.count("\n") == plain.count("\n")
    said = run(capsys, *to_tsv)
    harmless(said._replace(out=said.out.replace("\t", "")))
    assert said.out.count("\t") == 65 * len(COLUMNS)
    said = run(capsys, *predict, "--json")
    harmless(said)
    assert json.loads(said.out) == json.loads(document)


def test_json_has_the_names_as_they_are(table, capsys):
    said = run(capsys, "fit", "evil.csv", "-t", "`target`", "-a", "cart", "--no-cv", "-q", "--json")
    found = json.loads(said.out)
    assert [column["name"] for column in found["table"]["columns"]][:7] == COLUMNS
    assert not CONTROL.search(said.out)
    assert [one["class"] for one in found["training"]["classes"]] == sorted(CLASSES)


@pytest.mark.parametrize("verb", [["show"], ["evaluate", "golf.json"], ["fit"], ["rules"], ["explain"]])
@pytest.mark.parametrize("name", ["\x1b[31m.json", "a\nb", "$(touch pwned)", "nowhere/../x", "x" * 300])
def test_a_path_that_leads_nowhere_is_one_harmless_line(name, verb, golf, capsys):
    rest = ["outlook=rain"] if verb == ["explain"] else []
    said = run(capsys, *verb, name, *rest)
    harmless(said, code=1)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("word", ["\x1b[31mx", "a\nb", "\u202ex"])
def test_words_of_the_command_line_come_back_escaped(word, golf, capsys):
    for words, code in (
        (["fit", "golf.csv", "-t", word], 1),
        (["fit", "golf.csv", "-t", "play", "--set", word], 1),
        (["fit", "golf.csv", "-t", "play", "--ordered", word], 1),
        (["explain", "golf.json", f"{word}=1"], 1),
        (["why", "golf.json", word], 2),
        ([word], 2),
    ):
        said = run(capsys, *words)
        harmless(said, code=code)
        assert said.err.count("\n") == 1


def test_a_name_with_nul_is_refused(golf, capsys):
    export = ["export", "golf.json", "--to", "text", "-o", "a\0b"]
    for words in (["show", "a\0b"], export, ["evaluate", "golf.json", "a\0b"]):
        harmless(run(capsys, *words), code=1)


def test_hostile_models_are_one_sentence(golf, capsys):
    newer = '{"format": "treewright", "version": 9, "made_by": "\\u001b[31m", "kind": "tree"}'
    for text in ("", "{}", "[" * 5000, newer, "\x80\x04"):
        (golf / "bad.json").write_bytes(text.encode("latin-1"))
        said = run(capsys, "show", "bad.json")
        harmless(said, code=1)
        assert said.err.count("\n") == 1
        assert "bad.json" in said.err
