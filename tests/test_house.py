"""The house keeps its own rules: what the pages show is what the code does, and files stay small enough to read.

A ```python block is run, after the earlier ones of its page; a ```text block right behind it is what it prints.
"""

import ast
import contextlib
import dataclasses
import inspect
import io
import os
import re
import tokenize
import tomllib
from itertools import islice
from pathlib import Path

import pytest

import treewright
from treewright import criteria, estimators, plot, presets
from treewright.estimators import prediction
from treewright.grow import plan
from treewright.model import strategies
from treewright.prune.registry import METHODS

PROJECT = Path(__file__).resolve().parent.parent
PAGES = sorted([*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md")])
SOURCES = sorted(p for room in ("src", "tests", "benchmarks", "examples") for p in (PROJECT / room).rglob("*.py"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$\n?(\s*)", re.MULTILINE | re.DOTALL)
LONGEST_FILE = 600


def name_of(path: Path) -> str:
    return str(path.relative_to(PROJECT))


def blocks(page: Path, language: str) -> list[str]:
    return [code for found, code, _ in FENCE.findall(page.read_text(encoding="utf-8")) if found == language]


def examples(page: Path) -> list[tuple[str, str | None]]:
    """The ```python blocks of a page, each with the output shown right behind it, or None."""
    text = page.read_text(encoding="utf-8")
    found: list[tuple[str, str | None]] = []
    end_of_last_code = -1
    for block in FENCE.finditer(text):
        language, body, _ = block.groups()
        if language == "text" and block.start() == end_of_last_code:
            found[-1] = (found[-1][0], body)
        end_of_last_code = -1
        if language == "python":
            found.append((body, None))
            end_of_last_code = block.end()
    return found


def tidy(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p, "python")], ids=name_of)
def test_examples_on_a_page_run_and_print_what_is_shown(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__page__"}
    for code, shown in examples(page):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), names)
        if shown is not None:
            assert tidy(printed.getvalue()) == tidy(shown)


def test_the_examples_are_found():
    assert len(examples(PROJECT / "README.md")) >= 1
    assert any(shown is not None for _, shown in examples(PROJECT / "README.md"))


def test_links_to_files_of_the_project_lead_somewhere():
    astray = []
    for page in PAGES:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        links = re.findall(r"\]\(([^)#\s]+)[^)]*\)|(?:src|href)=\"([^\"#]+)\"", text)
        own = [link for link in (a or b for a, b in links) if not re.match(r"[a-z]+:", link)]
        astray += [f"{name_of(page)}: {link}" for link in own if not (page.parent / link).exists()]
    assert astray == []


def test_both_readmes_have_the_same_shape():
    english, chinese = PROJECT / "README.md", PROJECT / "README.zh-CN.md"

    def levels(page: Path) -> list[int]:
        text = FENCE.sub("", page.read_text(encoding="utf-8"))
        return [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]

    assert levels(english) == levels(chinese)
    assert len(levels(english)) > 3
    for language in ("python", "text", "sh"):
        assert blocks(english, language) == blocks(chinese, language)


def has_docstring(path: Path) -> bool:
    """Whether the first statement of a file is a text; no more of the file is read."""
    with path.open(encoding="utf-8") as stream:
        tokens = tokenize.generate_tokens(stream.readline)
        first, then = islice((t for t in tokens if t.type not in (tokenize.COMMENT, tokenize.NL)), 2)
        return first.type == tokenize.STRING and then.type == tokenize.NEWLINE and bool(ast.literal_eval(first.string))


def test_a_module_opens_with_what_it_is():
    of_tests = {path for path in SOURCES if path.name == "__init__.py" and "tests" in path.relative_to(PROJECT).parts}
    assert [name_of(path) for path in SOURCES if path not in of_tests and not has_docstring(path)] == []


def test_no_file_is_too_long_to_read():
    headers = (PROJECT / "src").rglob("*.pxd")
    lines = {name_of(p): len(p.read_text(encoding="utf-8").splitlines()) for p in [*SOURCES, *headers]}
    assert {name: n for name, n in lines.items() if n > LONGEST_FILE} == {}


def test_the_version_is_the_same_everywhere():
    version = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert treewright.__version__ == version
    assert f"## [{version}]" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_ci_can_be_run():
    assert os.access(PROJECT / ".ci" / "run", os.X_OK)


def test_every_public_criterion_is_documented():
    page = (PROJECT / "docs" / "criteria.md").read_text(encoding="utf-8")
    assert [name for name in criteria.__all__ if f"`{name}" not in page] == []


@pytest.mark.parametrize("name", estimators.MODULES)
def test_every_parameter_of_an_estimator_is_in_its_docstring(name):
    kind = getattr(treewright, name)
    sections = re.split(r"^    (\w+)\n    -+\n", kind.__doc__, flags=re.MULTILINE)
    assert sections[1::2] == ["Parameters", "Attributes", "Examples"]
    listed = dict(re.findall(r"^    (\w+) : (.+), default=", sections[2], re.MULTILINE))
    assert list(listed) == list(inspect.signature(kind).parameters)
    assert f"\n    >>> from treewright import {name}\n" in "\n" + sections[6]


def test_every_parameter_of_every_estimator_is_documented():
    page = (PROJECT / "docs" / "estimators.md").read_text(encoding="utf-8")
    public = [getattr(treewright, name) for name in treewright.__all__]
    found = [e for e in public if hasattr(e, "get_params")]
    assert len(found) >= 6
    for estimator in found:
        assert f"`{estimator.__name__}`" in page
        assert [name for name in inspect.signature(estimator).parameters if f"`{name}`" not in page] == []


METHODS_OF_ESTIMATORS = sorted(
    {
        name
        for kind in (treewright.C45Classifier, treewright.CARTRegressor, treewright.MDLTreeClassifier)
        for base in kind.__mro__
        if base.__module__.startswith("treewright.")
        for name, method in vars(base).items()
        if inspect.isfunction(method) and not name.startswith(("_", "set_"))
    }
)


def test_the_methods_of_the_estimators_are_found():
    assert {"fit", "predict", "why", "explain", "rules", "to_html", "save"} <= set(METHODS_OF_ESTIMATORS)


def test_every_method_of_an_estimator_is_shown_on_a_page():
    # Blocks of ```py need a library that the tests of the page do not have.
    texts = [page.read_text(encoding="utf-8") for page in (PROJECT / "docs").glob("*.md")]
    code = [block for text in texts for block in re.findall(r"```py(?:thon)?\n(.*?)```", text, re.DOTALL)]
    assert [name for name in METHODS_OF_ESTIMATORS if not any(f".{name}(" in block for block in code)] == []


@pytest.mark.parametrize("name", plot.__all__)
def test_every_chart_is_shown_with_its_picture(name):
    text = (PROJECT / "docs" / "pictures.md").read_text(encoding="utf-8")
    calls = [match.end() for match in re.finditer(rf"\b{name}\(", text)]
    assert any("](pictures/" in text[end : end + 1200] for end in calls), f"no picture stands behind {name}"


def test_every_page_is_in_the_index():
    index = (PROJECT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {page.name for page in (PROJECT / "docs").glob("*.md")} - {"index.md"}
    assert {name for name in pages if f"({name})" not in index} <= {"pruning-methods.md"}


def test_every_way_with_missing_values_is_documented():
    page = (PROJECT / "docs" / "missing.md").read_text(encoding="utf-8")
    names = {*plan.MISSING, *strategies.PREDICTION_STRATEGIES, *prediction.UNSEEN}
    assert len(names) == 8
    assert [name for name in names if f'`"{name}"`' not in page] == []


def sections(page: Path) -> dict[str, str]:
    """The text below each heading that ends in a `name`, by that name."""
    parts = re.split(r"^#+ ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    named = ((re.search(r"`(\w+)`$", part.splitlines()[0]), part) for part in parts if part.strip())
    return {found[1]: part for found, part in named if found}


@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_pruning_is_documented_with_its_parameters(name):
    page, method = PROJECT / "docs" / "pruning.md", METHODS[name]
    row = re.search(rf'^\| `"{name}"` \| `{method.__name__}` \|.*$', page.read_text(encoding="utf-8"), re.MULTILINE)
    assert row, f"{name} is not in the table of methods"
    assert (" | yes |" in row[0]) == method.for_numbers
    section = sections(page)[method.__name__]
    parameters = {field.name: field.default for field in dataclasses.fields(method)}
    assert [parameter for parameter in parameters if f"| `{parameter}` |" not in section] == []
    for parameter, default in parameters.items():
        shown = re.search(rf"^\| `{parameter}` \| (.*?) \|", section, re.MULTILINE)
        assert ast.literal_eval(shown[1].strip("`")) == default


def test_every_preset_is_documented():
    page = (PROJECT / "docs" / "pruning.md").read_text(encoding="utf-8")
    assert len(presets.__all__) >= 4
    assert [name for name in presets.__all__ if f"| `{name}` |" not in page] == []


def test_every_column_of_a_tree_is_documented():
    page = (PROJECT / "docs" / "tree.md").read_text(encoding="utf-8")
    assert [f.name for f in dataclasses.fields(treewright.Tree) if f"`{f.name}`" not in page] == []
