"""DOT: what Graphviz reads is the tree, whatever its names are."""

import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

from tests.export.dot_reader import read, shown
from tests.export.hostile import HOSTILE, hostile_tree
from tests.export.test_outline import fan
from tests.model.samples import chain, every_kind, regression
from treewright import CARTClassifier
from treewright.errors import ParameterError
from treewright.export import to_dot
from treewright.export.labels import clipped
from treewright.model.build import golf_example
from treewright.model.formatting import format_category

DOT = shutil.which("dot")


def test_golf_has_its_nodes_edges_and_words():
    nodes, edges = read(to_dot(golf_example()))
    assert sorted(nodes, key=int) == [str(i) for i in range(8)]
    assert shown(nodes["0"]["label"]) == "#0  outlook\nPlay: 64%  n=14"
    assert shown(nodes["5"]["label"]) == "#5  Don't Play\n100%  n=3"
    assert [(a, b, shown(at["label"]).strip()) for a, b, at in edges] == [
        ("0", "1", "sunny"), ("0", "2", "overcast"), ("0", "3", "rain"), ("1", "4", "≤ 75"), ("1", "5", "> 75"),
        ("3", "6", "False"), ("3", "7", "True"),
    ]  # fmt: skip
    # 1 + 7 times the share of the rows: 5 of 14 and 4 of 14.
    assert [float(at["penwidth"]) for _, _, at in edges[:2]] == [3.5, 3.0]


@pytest.mark.parametrize("tree", [every_kind(), regression(), CARTClassifier().fit([[1], [2]], [1, 1]).tree_])
def test_every_kind_of_tree(tree):
    nodes, edges = read(to_dot(tree))
    assert len(nodes) == tree.n_nodes
    assert [(int(a), int(b)) for a, b, _ in edges] == [(int(tree.parent[i]), i) for i in range(1, tree.n_nodes)]


def test_what_is_left_out_is_counted():
    nodes, edges = read(to_dot(golf_example(), max_depth=1))
    assert shown(nodes["1 more"]["label"]) == "… 2 leaves"
    assert ("3", "3 more") in [(a, b) for a, b, _ in edges]
    nodes, _ = read(to_dot(fan(1000), max_nodes=100))
    assert shown(nodes["0 rest"]["label"]) == "… 941 more branches\n941 leaves"


def test_chinese_words_between_the_names():
    nodes, edges = read(to_dot(golf_example(), max_depth=1, language="zh"))
    assert shown(nodes["1 more"]["label"]) == "… 2 个叶结点"
    assert shown(nodes["0"]["tooltip"]).splitlines()[0] == "结点 0：按 outlook 划分"
    assert {at["tooltip"] for _, b, at in edges if " more" in b} == {"未显示"}
    nodes, _ = read(to_dot(fan(1000), max_nodes=100, language="zh"))
    assert shown(nodes["0 rest"]["label"]) == "…… 另有 941 个分支\n941 个叶结点"
    with pytest.raises(ParameterError, match="language"):
        to_dot(golf_example(), language="xx")


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_are_read_back_as_they_are(evil):
    tree = hostile_tree(evil)
    nodes, edges = read(to_dot(tree))
    assert len(nodes) == tree.n_nodes
    assert len(edges) == tree.n_nodes - 1
    assert shown(nodes["0"]["label"]).splitlines()[0] == f"#0  {clipped(evil, 40)}"
    assert shown(edges[0][2]["tooltip"]) == clipped(f"{evil} = {format_category(evil)}")


def test_the_bytes_are_the_same_each_time():
    assert to_dot(every_kind()) == to_dot(every_kind())


def test_a_file_is_written(tmp_path):
    text = to_dot(golf_example(), tmp_path / "golf.dot")
    assert (tmp_path / "golf.dot").read_text(encoding="utf-8") == text


def test_a_chain_of_20_000_splits():
    nodes, _ = read(to_dot(chain(20_000), max_nodes=1001))
    assert sum(" more" not in name for name in nodes) == 1001
    assert to_dot(chain(20_000)).count("->") == 40_000


@pytest.mark.skipif(DOT is None, reason="the program dot of Graphviz is not installed")
def test_graphviz_itself_shows_the_same_words():
    for evil in HOSTILE:
        tree = hostile_tree(evil)
        done = subprocess.run([DOT, "-Tsvg"], input=to_dot(tree).encode(), capture_output=True, check=True, timeout=60)
        assert done.stderr == b"", evil
        texts = [text.text or "" for text in ET.fromstring(done.stdout).iter("{http://www.w3.org/2000/svg}text")]
        # Graphviz writes spaces as &#160;.
        said = [text.replace("\xa0", " ").rstrip() for text in texts]
        wanted = f"#0  {clipped(evil, 40)}".rstrip()
        assert wanted in said, evil
