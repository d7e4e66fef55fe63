"""The way to a node in a few words."""

from tests.model.missing_trees import own_branches
from tests.model.samples import CLASSES, chain, every_kind
from treewright.data.schema import Column, Kind, Schema
from treewright.model import tree_text
from treewright.model.build import build, leaf, table
from treewright.model.tree_text import path_texts


def test_every_node_has_the_words_of_its_path():
    for tree in (every_kind(), own_branches()):
        expected = [" and ".join(words for _, words in tree.node(i).path()) or "root" for i in range(tree.n_nodes)]
        assert path_texts(tree, range(tree.n_nodes)) == expected


def test_of_a_long_way_only_the_last_steps_are_told():
    tree = chain(5)
    assert path_texts(tree, [6, 8, 8]) == [
        "price > 0 and price > 1 and price > 2",
        "… and price > 1 and price > 2 and price > 3",
        "… and price > 1 and price > 2 and price > 3",
    ]
    assert path_texts(tree, []) == []


def test_a_split_of_many_categories_is_read_once(monkeypatch):
    town = Column("town", Kind.CATEGORY, tuple(range(3000)))
    tree = build(Schema((town,), CLASSES.target), table("town", {i: leaf("yes") for i in range(3000)}))
    reads = []
    real = tree_text.split_of
    monkeypatch.setattr(tree_text, "split_of", lambda *given: reads.append(given) or real(*given))
    assert path_texts(tree, range(3001))[-1] == "town = 2999"
    assert len(reads) == 1
