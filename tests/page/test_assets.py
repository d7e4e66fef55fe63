"""The scripts and styles of the page: small files, all listed, every text in every language, licences kept."""

import json
import re
from pathlib import Path

import pytest

from treewright.language import LANGUAGES
from treewright.page.page_messages import MESSAGES, page_messages

PROJECT = Path(__file__).resolve().parents[2]
ASSETS = PROJECT / "src" / "treewright" / "page" / "assets"
SCRIPTS = sorted(path for path in ASSETS.glob("*.js") if path.name != "layout.js")
SHEETS = sorted(ASSETS.glob("*.css"))


def test_every_asset_is_listed_once():
    listed = (ASSETS / "order.txt").read_text("utf-8").split()
    assert sorted(listed) == sorted(path.name for path in [*SCRIPTS, *SHEETS, ASSETS / "layout.js"])


def test_every_language_has_every_text_of_the_page():
    texts = page_messages()
    assert list(texts) == list(LANGUAGES)
    for language, own in texts.items():
        assert own.keys() == MESSAGES.keys()
        for key, text in MESSAGES.items():
            assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", own[key])), key
        if language == "zh":
            assert all(re.search("[\u4e00-\u9fff]", text) for text in own.values())


USED = re.compile(r'\b(?:t|tCount|tParts|pythonHint)\(\s*(?:\w+(?:\.\w+)* \? "(\w+)" : )?"(\w+)"(?! \+)')
BUILT = re.compile(r'\b(?:t|tCount)\(\s*"(\w+_)" \+')


def test_every_text_that_a_script_uses_exists_and_every_text_is_used():
    scripts = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    used = {key for found in USED.findall(scripts) for key in found if key}
    assert used
    assert used <= MESSAGES.keys()
    prefixes = tuple(BUILT.findall(scripts))
    for key in MESSAGES:
        assert key in used or key.startswith(prefixes) or f'"{key}"' in scripts or key in NAMED_BY_PARTS, key


NAMED_BY_PARTS = {
    "language_name",
    *(f"{tree}_{said}" for tree in ("unpruned", "used") for said in ("same", "other", "open")),
    *(key for key in MESSAGES if key.endswith("_one")),
}
"""Texts whose key a script puts together from a name and an ending."""


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
