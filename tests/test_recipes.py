"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the package.

In: the blocks of a recipe, each with its file and its place. Out: a package with one criterion or pruning method more,
on which the contract tests run; and what is said when a step was left out.
"""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^ *```py\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
HEAD = re.compile(r"# (\S+), (at the end|a new file|before: .*)")


@dataclass(frozen=True)
class Step:
    """A block of a recipe: the file, the place there, and the lines that go there."""

    path: str
    place: str
    lines: str

    def follow(self, folder: Path) -> None:
        path = folder / self.path
        if self.place == "a new file":
            assert not path.exists(), f"{self.path} is not new"
            path.write_text(self.lines, encoding="utf-8")
            return
        text = path.read_text(encoding="utf-8")
        if self.place == "at the end":
            path.write_text(f"{text}\n\n{self.lines}", encoding="utf-8")
            return
        before = self.place.removeprefix("before: ")
        found = [m for m in re.finditer(r"^( *)(.*)\n", text, re.MULTILINE) if m[2].startswith(before)]
        found = [m for m in found if m[2] == before] or found
        assert len(found) == 1, f"{before!r} is on {len(found)} lines of {self.path}"
        at, indent = found[0].start(), "    " if before.startswith(")") else found[0][1]
        path.write_text(text[:at] + textwrap.indent(self.lines, indent) + text[at:], encoding="utf-8")


def steps_of(title: str) -> list[Step]:
    """The blocks of the recipe with this title."""
    page = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = page.split(f"\n## {title}\n")[1].split("\n## ")[0]
    found = []
    for block in BLOCK.findall(section):
        head, lines = textwrap.dedent(block).split("\n", 1)
        named = HEAD.fullmatch(head)
        assert named is not None, f"a block begins with {head!r}, which names no file and no place"
        found.append(Step(named[1], named[2], lines))
    return found


CRITERION = steps_of("How to add a criterion")
METHOD = steps_of("How to add a pruning method")


def copy_of_the_package(folder: Path, steps: list[Step], *, without: str = "_grow.") -> Path:
    """A copy of the package in which the steps are followed; kernels whose file begins so are not compiled there."""
    source = PROJECT / "src" / "treewright"
    ignore = shutil.ignore_patterns("*.c", "__pycache__", f"{without}*so", f"{without}*pyd")
    shutil.copytree(source, folder / "src" / "treewright", ignore=ignore)
    for step in steps:
        step.follow(folder)
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python, with the copy as the package."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder / "src"), str(PROJECT)])}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )


def contract_tests(folder: Path, name: str, *files: str) -> str:
    """Run the tests that have this name among their parameters; what pytest says in the end."""
    tests = [str(PROJECT / "tests" / file) for file in files]
    settings = ["-n", "0", "-q", "-p", "no:cacheprovider", "-c", str(PROJECT / "pyproject.toml")]
    ran = run(folder, "-m", "pytest", *settings, "-k", name, *tests)
    where = run(folder, "-c", "import treewright; print(treewright.__file__)").stdout
    assert where.startswith(str(folder)), "the copy was not what ran"
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    return ran.stdout


def assert_examples_hold(folder: Path, module: str) -> None:
    """Run the examples in the docstrings of a module."""
    ran = run(folder, "-c", f"import doctest, {module} as m; print(doctest.testmod(m))")
    assert re.fullmatch(r"TestResults\(failed=0, attempted=[1-9]\d*\)\n", ran.stdout), ran.stdout + ran.stderr


def passed(said: str) -> int:
    found = re.search(r"(\d+) passed", said)
    return int(found[1]) if found else 0


@pytest.mark.parametrize(
    ("steps", "most"), [(CRITERION, 4), (METHOD, 3)], ids=["criterion", "pruning method"]
)
def test_a_recipe_touches_few_files(steps, most):
    """And two more: a page of the docs, and CHANGELOG.md."""
    assert 0 < len({step.path for step in steps}) <= most


def test_a_criterion_is_added_by_its_recipe(tmp_path):
    """Growth by the new kernel, uncompiled; the other kernels are the compiled ones."""
    folder = copy_of_the_package(tmp_path, CRITERION)
    files = ("contracts/test_criteria.py", "criteria/test_contract.py", "criteria/test_input.py")
    assert passed(contract_tests(folder, "kearns_mansour", *files)) >= 15
    assert_examples_hold(folder, "treewright.criteria.impurities")
    code = "from treewright.store.json_schema import model_schema as s; print(s()['$defs']['criterion']['enum'][-1])"
    assert run(folder, "-c", code).stdout == "kearns_mansour\n"


@pytest.mark.long
def test_a_criterion_is_compiled_by_its_recipe(tmp_path):
    folder = copy_of_the_package(tmp_path, CRITERION)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        if (PROJECT / name).exists():
            shutil.copy(PROJECT / name, folder)
    built = run(folder, "setup.py", "build_ext", "--inplace")
    assert built.returncode == 0, built.stderr[-3000:]
    code = "from treewright._core import _grow, codes; print(_grow.has_compiled_form.__module__, codes.KEARNS_MANSOUR)"
    assert run(folder, "-c", code).stdout == "treewright._core._grow 5\n"
    assert passed(contract_tests(folder, "kearns_mansour", "contracts/test_criteria.py")) >= 12


FIT = (
    "from treewright.estimators.general import TreeClassifier\n"
    "print(TreeClassifier(criterion='kearns_mansour').fit([[0], [1], [2]], ['a', 'b', 'b']).tree_.n_leaves)"
)


def leaving_out(path: str, place: str = "") -> list[Step]:
    """The recipe without the steps for this file, or those at places that begin so."""
    rest = [step for step in CRITERION if not (step.path.endswith(path) and step.place.startswith(place))]
    assert len(rest) < len(CRITERION)
    return rest


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (
            leaving_out("grow/impurity.py"),
            "criterion='kearns_mansour' has the code 6, which the kernels do not know; ",
        ),
        (leaving_out("grow/impurity.py", "before: return"), "has the code 6, which the kernels do not know; "),
        (
            leaving_out("registry.py"),
            "criterion must be one of 'entropy', 'gini', 'twoing', 'log_loss', got 'kearns_mansour'",
        ),
        (leaving_out("codes.py"), "KEARNS_MANSOUR"),
        (leaving_out("impurities.py"), "kearns_mansour"),
    ],
    ids=["no kernel", "no line in impurity_of", "no record", "no code", "no definition"],
)
def test_a_criterion_without_one_of_its_parts_is_refused(steps, said, tmp_path):
    ran = run(copy_of_the_package(tmp_path, steps), "-c", FIT)
    assert ran.returncode == 1
    assert said in ran.stderr.rstrip().split("\n")[-1], ran.stderr[-2000:]


def test_kernels_that_were_not_compiled_again_refuse_a_new_criterion(tmp_path):
    ran = run(copy_of_the_package(tmp_path, CRITERION, without="nothing."), "-c", FIT)
    assert "which the kernels do not know; add it to impurity_of" in ran.stderr
    assert "compile the kernels again with `make setup`" in ran.stderr


def test_a_pruning_method_is_added_by_its_recipe(tmp_path):
    folder = copy_of_the_package(tmp_path, METHOD, without="nothing.")
    files = (
        "contracts/test_pruning.py",
        "contracts/test_pruning_refused.py",
        "contracts/test_pruning_rows.py",
    )
    assert passed(contract_tests(folder, "Penalised or penalised", *files)) >= 10
    assert_examples_hold(folder, "treewright.prune.penalised")
    code = (
        "from treewright import C45Classifier as C\n"
        "print(C(pruning='penalised').fit([[0], [1], [2], [3]], ['a', 'b', 'b', 'b']).pruning_report_.method)"
    )
    assert run(folder, "-c", code).stdout == "penalised\n"


def test_a_pruning_method_without_its_line_in_the_registry_is_not_known(tmp_path):
    steps = [step for step in METHOD if not step.path.endswith("registry.py")]
    ran = run(copy_of_the_package(tmp_path, steps, without="nothing."), "-c", "import treewright.prune.registry as r\n"
              "r.read_method('penalised')")  # fmt: skip
    last = ran.stderr.rstrip().split("\n")[-1]
    assert "pruning must be one of 'reduced_error', " in last
    assert last.endswith(", got 'penalised'.")
