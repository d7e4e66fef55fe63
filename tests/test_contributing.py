"""CONTRIBUTING.md and the tour of the code are true: folders, files, commands and functions that they name exist."""

import re
import sys
from pathlib import Path
from types import FrameType

import pytest

from treewright import C45Classifier

PROJECT = Path(__file__).resolve().parent.parent
PACKAGE = PROJECT / "src" / "treewright"
PAGE = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
TOUR = (PROJECT / "docs" / "tour.md").read_text(encoding="utf-8")
MAP = PAGE[PAGE.index("## The map") : PAGE.index("## Messages and languages")]
STAGES = ("table", "grow", "tree", "predict", "prune")
MADE_BY_A_RECIPE = {"prune/penalised.py", "src/treewright/prune/penalised.py"}
"""Files that a reader of the page adds."""


def first_cells(table: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


def test_the_map_has_every_folder_and_every_module_of_the_package():
    packages = {p.parent.relative_to(PACKAGE).as_posix() + "/" for p in PACKAGE.rglob("__init__.py")} - {"./"}
    # the stages of the kernels and two parts of a folder are described in the line of their folder
    inside = {"explain/consult/", "ledger/worked/", *(f"_core/{stage}/" for stage in STAGES)}
    modules = {p.name for p in PACKAGE.glob("*.py")} - {"__init__.py", "__main__.py"}
    assert sorted(first_cells(MAP)) == sorted((packages - inside) | modules | {"locale/"})
    assert [name for name in inside if name.rstrip("/").rsplit("/")[-1] not in MAP] == []


@pytest.mark.parametrize("page", [PAGE, TOUR], ids=["CONTRIBUTING.md", "docs/tour.md"])
def test_every_file_that_is_named_exists(page):
    named = set(re.findall(r"`((?:[\w*.-]+/)*[\w*-]+\.(?:py|pyx|md|po|toml|js))`", page))
    named |= set(re.findall(r"^ *# (\S+\.py), ", page, re.MULTILINE))
    places = (PROJECT, PACKAGE, PACKAGE / "_core")
    missing = [name for name in sorted(named) if not any(list(place.glob(name)) for place in places)]
    assert set(missing) <= MADE_BY_A_RECIPE
    assert len(named) > 5


def test_every_make_target_is_in_the_table_of_commands_and_exists():
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    commands = PAGE[PAGE.index("## Commands") : PAGE.index("## The map")]
    named = {line.split()[1] for line in first_cells(commands) if line.startswith("make ")}
    assert named == targets - {"help", "setup"}


def test_the_names_of_kernels_in_the_recipes_exist():
    source = "\n".join(p.read_text(encoding="utf-8") for p in PACKAGE.rglob("*.py"))
    recipes = PAGE[PAGE.index("## How to add a criterion") : PAGE.index("## Tests")]
    prose = re.sub(r"```.*?```", "", recipes, flags=re.DOTALL)
    functions = set(re.findall(r"`([a-z]+_[a-z_]+)`", prose)) - {"for_numbers", "kearns_mansour"}
    defined = re.compile(r"\bdef (\w+)|^    (\w+):", re.MULTILINE)
    assert functions <= {name for found in defined.findall(source) for name in found}


def calls_of(action) -> list[str]:
    """The functions of the package in the order of their first call, as `folder.module.function`."""
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE):
            module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
            found.setdefault(f"{module}.{frame.f_code.co_name}")

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return list(found)


def named_in(section: str) -> list[str]:
    """The functions that a section of the tour names, as `folder/module.py: function`, in its order."""
    start = TOUR.index(f"## {section}")
    text = TOUR[start : TOUR.find("\n## ", start + 3)]
    found = re.findall(r"`((?:\w+/)*\w+)\.py: (\w+)`", text)
    return [f"{module.replace('/', '.')}.{function}" for module, function in found]


@pytest.mark.parametrize("section", ["One fit", "One prediction"])
def test_the_tour_names_functions_in_the_order_of_their_calls(section, golf_frame):
    X, y = golf_frame
    fitted = C45Classifier().fit(X, y)
    actions = {"One fit": lambda: C45Classifier().fit(X, y), "One prediction": lambda: fitted.predict(X)}
    called, named = calls_of(actions[section]), named_in(section)
    assert len(named) >= 5
    assert [name for name in named if name not in called] == []
    assert sorted(named, key=called.index) == named


@pytest.fixture
def golf_frame():
    pandas = pytest.importorskip("pandas")
    from benchmarks.tables import golf_rows

    table = pandas.DataFrame(golf_rows(), columns=["outlook", "temperature", "humidity", "windy", "play"])
    return table.drop(columns="play"), table["play"]
