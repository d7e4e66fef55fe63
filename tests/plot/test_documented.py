"""The page of pictures: every function has its place there, and the pictures are those that the code makes now."""

import re
from pathlib import Path

import pytest

from examples.pictures import PICTURES
from treewright import plot

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "pictures.md").read_text(encoding="utf-8")
# Charts are drawn by matplotlib, whose letters differ a little from version to version.
TREES = [
    "golf.svg", "golf-dark.svg", "melons.svg", "diabetes.svg", "tumours-depth.svg", "towns.svg", "irises-rows.svg",
    "diabetes-rows.svg",
]  # fmt: skip


@pytest.mark.parametrize("name", [*plot.__all__, "to_dot"])
def test_every_function_has_a_section_with_an_example(name):
    section = re.search(rf"^## .*`{name}`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, name
    assert f"{name}(" in section[1]
    assert name == "to_dot" or "](pictures/" in section[1]


def test_every_picture_is_shown_and_made():
    shown = set(re.findall(r"\]\(pictures/([^)]+)\)", PAGE))
    assert shown <= set(PICTURES)
    for name in PICTURES:
        assert (DOCS / "pictures" / name).stat().st_size > 1000


@pytest.mark.parametrize("name", TREES)
def test_the_pictures_of_trees_are_up_to_date(name, tmp_path):
    """`python examples/pictures.py` makes them anew."""
    PICTURES[name](tmp_path / name)
    assert (tmp_path / name).read_text(encoding="utf-8") == (DOCS / "pictures" / name).read_text(encoding="utf-8")
