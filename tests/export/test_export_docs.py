"""What the pages about exports show besides Python that prints something: calls of other libraries, C, the shell."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.export.walk import mixed
from treewright import C45Classifier
from treewright.export import code_python
from treewright.export.scoring import scoring
from treewright.model.build import golf_example

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
COMPILER = shutil.which("cc") or shutil.which("gcc")


def section(page, heading, language):
    """The blocks of a section in a language, without their indent."""
    text = (DOCS / page).read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [body.replace("\n" + space, "\n").strip() for space, name, body in BLOCK.findall(text) if name == language]


def model_and_rows():
    X, y, _ = mixed(missing=0)
    return C45Classifier(missing_predict="majority", min_samples_leaf=5).fit(X, y), X, y


@pytest.fixture
def page_model():
    """The model that the page about code makes."""
    scope = {"print": lambda *_: None}
    exec(section("export-code.md", "Python", "python")[0], scope)
    return scope["model"]


@pytest.mark.skipif(COMPILER is None, reason="no C compiler is installed")
def test_the_lines_of_c_compile_and_predict_what_they_say(page_model, tmp_path):
    (lines,) = section("export-code.md", "C", "c")
    said = re.search(r'predict_classes\[code\] is "(\w+)"', lines)[1]
    main = f"int main(void) {{\n{lines}\nputs(predict_classes[code]);\nreturn 0;\n}}\n"
    code = page_model.to_code("c", check=False)
    (tmp_path / "golf.c").write_text(f"#include <stdio.h>\n{code}\n{main}", encoding="utf-8")
    subprocess.run([COMPILER, "-std=c99", "-Wall", "-Werror", "golf.c", "-o", "golf", "-lm"], cwd=tmp_path, check=True)
    found = subprocess.run([tmp_path / "golf"], capture_output=True, text=True, check=True).stdout.strip()
    assert found == said


def test_fractions_are_written_as_shown():
    (shown,) = section("export-code.md", "Missing values", "text")
    written = code_python.write(scoring(golf_example(), "fractional"))
    assert [line for line in shown.splitlines() if line.strip() not in written] == []


@pytest.mark.filterwarnings("ignore")
def test_the_calls_of_shap():
    pytest.importorskip("shap", reason="shap is not installed")
    plt = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed")
    plt.switch_backend("agg")
    numbers = ["age", "income"]
    _, X, y = model_and_rows()
    charts, by_column = section("export-bridges.md", "SHAP", "py")
    narrow = C45Classifier(missing_predict="majority", min_samples_leaf=5).fit(X[numbers], y)
    exec(charts, {"model": narrow, "X": X[numbers]})
    assert plt.gcf().axes
    plt.close("all")
    scope = {"model": narrow, "X": X[numbers], "shap": sys.modules["shap"]}
    exec(by_column, scope)
    assert scope["by_column"] == pytest.approx(narrow.shap_values(X[numbers]).values, abs=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_the_calls_of_treelite(tmp_path, monkeypatch):
    pytest.importorskip("treelite", reason="treelite is not installed")
    monkeypatch.chdir(tmp_path)
    model, X, _ = model_and_rows()
    (calls,) = section("export-bridges.md", "Treelite", "py")
    exec(calls, {"model": model, "X": X})
    assert (tmp_path / "tree.tl").stat().st_size > 0


@pytest.mark.filterwarnings("ignore")
def test_the_calls_of_the_viewers(tmp_path, monkeypatch):
    pytest.importorskip("supertree", reason="supertree is not installed")
    pytest.importorskip("dtreeviz", reason="dtreeviz is not installed")
    monkeypatch.chdir(tmp_path)
    model, X, y = model_and_rows()
    (calls,) = section("export-bridges.md", "dtreeviz and supertree", "py")
    if shutil.which("dot") is None:  # dtreeviz draws with it
        calls = "\n".join(line for line in calls.splitlines() if not line.startswith("to_dtreeviz("))
    exec(calls, {"model": model, "X": X, "y": y})
    made = {path.name for path in tmp_path.iterdir()}
    assert made >= {"tree.html"} | ({"tree.svg"} if shutil.which("dot") else set())


def test_the_shell_command_reads_pmml(tmp_path, page_model):
    pytest.importorskip("pypmml", reason="pypmml is not installed")
    if shutil.which("java") is None:
        pytest.skip("pypmml needs Java, which is not installed")
    (tmp_path / "golf.pmml").write_text(page_model.to_pmml(check=False), encoding="utf-8")
    (command,) = section("export-pmml.md", "Read it elsewhere", "sh")
    words = [sys.executable, *shlex.split(command)[1:]]
    found = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "'probability_yes': 1.0" in found
