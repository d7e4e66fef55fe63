"""The scripts and styles of the page: small files, all listed, the same words in both languages, licences kept."""

import json
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
ASSETS = PROJECT / "src" / "treewright" / "page" / "assets"
SCRIPTS = sorted(path for path in ASSETS.glob("*.js") if path.name != "layout.js")
SHEETS = sorted(ASSETS.glob("*.css"))


def keys(language):
    return re.findall(r"^  (\w+): \"", (ASSETS / f"words_{language}.js").read_text("utf-8"), re.MULTILINE)


def values(language):
    return dict(
        re.findall(r"^  (\w+): \"(.*)\",$", (ASSETS / f"words_{language}.js").read_text("utf-8"), re.MULTILINE)
    )


def test_every_asset_is_listed_once():
    listed = (ASSETS / "order.txt").read_text("utf-8").split()
    assert sorted(listed) == sorted(path.name for path in [*SCRIPTS, *SHEETS, ASSETS / "layout.js"])


def test_both_languages_say_the_same_things():
    assert keys("en") == list(dict.fromkeys(keys("en")))
    assert keys("en") == keys("zh")
    english, chinese = values("en"), values("zh")
    assert english.keys() == chinese.keys() == set(keys("en"))
    for key, text in english.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", chinese[key])), key


def test_every_word_that_is_said_is_in_the_table():
    known = set(keys("en"))
    for path in SCRIPTS:
        for key in re.findall(r'\b(?:say|sayCount|absent)\(\s*"(\w+[^_])"', path.read_text("utf-8")):
            assert key in known, f"{path.name} says {key}"


@pytest.mark.parametrize("path", [*SCRIPTS, *SHEETS], ids=lambda path: path.name)
def test_an_asset_is_small_and_opens_with_what_it_is(path):
    text = path.read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) <= 290
    assert max(map(len, lines)) <= 120 or path.suffix == ".css"
    if path.suffix == ".js":
        assert lines[0] == '"use strict";'
        assert re.match(r"// [A-Z]\w+( \w+)?: ", lines[1])
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("path", [*SCRIPTS, ASSETS / "layout.js"], ids=lambda path: path.name)
def test_a_script_makes_text_and_asks_nobody(path):
    text = path.read_text("utf-8")
    for forbidden in (
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch(",
        "XMLHttpRequest", "WebSocket", "sendBeacon", "import(", "localStorage", "document.cookie", ".href",
    ):  # fmt: skip
        assert forbidden not in text
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_the_licences_of_the_layout_are_kept():
    notice = (ASSETS / "LICENSES.txt").read_text("utf-8")
    bundle = (ASSETS / "layout.js").read_text("utf-8")
    assert bundle.startswith(f"/*\n{notice}*/")
    wanted = json.loads((PROJECT / "web" / "package.json").read_text("utf-8"))["dependencies"]
    for name, version in wanted.items():
        assert f"{name} {version}\n" in notice


def test_the_lock_file_names_no_registry():
    text = (PROJECT / "web" / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in text
    assert "registry" not in text
