"""The words that users read: the glossary, and translations that are complete."""

import ast
import re
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("babel")

from babel.messages.pofile import read_po

from treewright.language import LANGUAGES, messages

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "src" / "treewright"
CATALOGUES = sorted((PACKAGE / "locale").glob("*/LC_MESSAGES/treewright.po"))

WORDS = {
    "path": r"(?<![-\w])ways?(?![-\w])",
    "splits on, tests": r"\basks? for\b|\basked\b|\basks\b",
    "predicts, prediction": r"\banswer(?:s|ed|ing)?\b",
    "probability, proportion, fraction": (
        r"\b(?:the|a|an|its|their|this|each|class|per|no|in|of|by) shares?\b|\bshares? of\b"
    ),
    "missing value": r"\bholes?\b|\bholed\b",
    "training rows": r"\brows of growth\b",
    "penalty": r"\bcharge[sd]?\b|\bpays?\b|\bpaid\b",
    "candidates of a node": r"\bcolumns? offers?\b|\boffered\b",
    "command": r"\bverbs?\b",
    "accuracy, error rate": r"\bworth\b",
    "compressed": r"\bsqueez\w*\b",
    "is not a": r"(?<!there )\b(?:is|are) no (?!longer|more|less|fewer|better|deeper)",
    "at most, at least": r"\bat the (?:most|least)\b(?! loss)",
    "is stored in, is on": r"\bstands? (?:in|on|at|behind|beside|below|above|here|there)\b",
    "current node": r"\bin hand\b",
    "row 12 of the training data": r"\bby (?:its|their) places?\b",
    "unknown": r"\bcannot be said\b|\bnobody said\b|\bis said\b",
}
"""By the word to use: the words that it replaces."""

ORDINARY = re.compile(
    r"\bin (?:the same|another|the usual|its own|many|several|either|this) ways?\b|\b(?:number of|two|2\^4 - 1) ways\b"
    r"|log2\(ways|\bways to (?:group|divide|put|make|form)\b|\ball the way\b|\bby the way\b",
    re.IGNORECASE,
)
"""Phrases of ordinary English: a way of doing something, which is not a path."""

QUESTIONS = r"\banswer(?:s|ed|ing)?\b|\basks? for\b|\basked\b|\basks\b"
ALLOWED = {
    # a consultation asks questions, and the user answers them
    "src/treewright/cli/consult.py": QUESTIONS,
    "src/treewright/cli/main.py": QUESTIONS,
    "src/treewright/cli/__init__.py": QUESTIONS,
    "src/treewright/explain/consult/__init__.py": QUESTIONS,
    "src/treewright/explain/consult/belief.py": QUESTIONS,
    "src/treewright/explain/consult/case_routing.py": QUESTIONS,
    "src/treewright/explain/consult/consultation.py": QUESTIONS,
    "src/treewright/page/page_messages.py": r"columns that still matter are asked for|\{share\}",
    "docs/consult.md": QUESTIONS,
    "docs/command-line.md": QUESTIONS,
    "README.md": r"asks you only the questions",
    "README.zh-CN.md": r"asks you only the questions",
    # the words of model files, which are those of version 0.1
    "src/treewright/ledger/ledger_reasons.py": (
        r"(?:the same|mean) answer|it was asked for above|their share of|worth \{n\} of|the charge of \{penalty\}"
        r"|that monotonic_cst asks for|^answers here|it answers as the node above"
    ),
    "src/treewright/model/file/stored_tree.py": r"tree\.answering",
    "src/treewright/model/prediction_rule.py": r"^answering ",
    "src/treewright/prune/minimum_error.py": r"by its share of the rows",
    "src/treewright/prune/report_messages.py": r"that monotonic_cst asks for|other answers",
    "src/treewright/prune/same_decision.py": r"the same answer as|other answers|the furthest answer",
    "docs/model-format.md": r"`[^`]*`",
    "docs/probabilities.md": r"`tree.answering`",
    # deprecated names
    "src/treewright/deprecation.py": r"\banswer\b",
    "src/treewright/estimators/general.py": r"`charge`|The parameter charge",
    "src/treewright/ledger/record.py": r"`Candidate.charge`",
    "docs/estimators.md": r"`charge`",
    "docs/explain.md": r"`answer`",
    "docs/rules.md": r"`answer`",
    "docs/tree.md": r"`answering`|`answers`",
}
"""By a file of the project: where one of these words has its ordinary meaning, or is a stored or deprecated name."""


def texts() -> Iterator[tuple[str, int, str]]:
    """What users read: file, line and text of messages and docstrings of the source, and of the pages."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if "_core" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield path.relative_to(PROJECT).as_posix(), node.lineno, node.value
    for path in [*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")]:
        if path.name != "CHANGELOG.md":
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield path.relative_to(PROJECT).as_posix(), number, line


def test_texts_use_the_words_of_the_field():
    words = {use: re.compile(replaced, re.IGNORECASE) for use, replaced in WORDS.items()}
    found = []
    for name, line, text in texts():
        rest = ORDINARY.sub("", text)
        rest = re.sub(ALLOWED[name], "", rest, flags=re.IGNORECASE) if name in ALLOWED else rest
        for use, replaced in words.items():
            for hit in replaced.finditer(rest):
                around = " ".join(rest[max(0, hit.start() - 40) : hit.end() + 40].split())
                found.append(f"{name}:{line}: write “{use}”: ...{around}...")
    assert found == []


def test_the_catalogues_are_complete_and_compiled():
    command = [sys.executable, str(PROJECT / "tools" / "catalogue.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parent.parent.name)
def test_a_translation_has_the_values_of_its_message(path):
    def names(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    with path.open("rb") as file:
        catalogue = read_po(file)
    assert len(catalogue) > 100
    for message in catalogue:
        if "python-brace-format" in message.flags:
            ids, strings = ([text] if isinstance(text, str) else list(text) for text in (message.id, message.string))
            for translated in strings:
                assert names(translated) <= names(ids[-1]), message.id
                assert names(ids[-1]) - names(translated) <= {"error"}, message.id  # errors are English


def test_a_language_is_a_catalogue():
    assert list(LANGUAGES) == ["en", *(path.parent.parent.name for path in CATALOGUES)]
    assert messages("zh").plural("{n} row", "{n} rows", 1) != "1 row"
    assert messages("en").plural("{n} row", "{n} rows", 1) == "1 row"
