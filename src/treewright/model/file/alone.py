"""Alone: a model file that holds a tree and nothing else.

In: a tree, or the fields of a file. Out: the other. A tree is read from the file of an estimator too, without what
trained it.
"""

from treewright.errors import ModelFormatError
from treewright.model.file.fields import Fields
from treewright.model.file.load import named, open_document, open_schema, read_bytes
from treewright.model.file.save import head, write_model
from treewright.model.file.schema import schema_document
from treewright.model.file.text import dump
from treewright.model.file.tree import read_tree, tree_document
from treewright.model.tree import Tree
from treewright.model.words import beginning, printable


def tree_bytes(tree: Tree) -> bytes:
    """The bytes of a file that holds a tree alone.

    >>> from treewright.model.build import golf_example
    >>> read_tree_file(open_document(tree_bytes(golf_example()))[1]) == golf_example()
    True
    """
    told = head("tree") | {"fingerprint": tree.fingerprint(), "schema": schema_document(tree.schema)}
    return dump(told | {"tree": tree_document(tree)})


def read_tree_file(fields: Fields) -> Tree:
    """The tree of a file that holds one alone."""
    schema, mark = open_schema(fields)
    tree = read_tree(fields.inner("tree"), schema)
    fields.done()
    refuse_other(tree, mark)
    return tree


def read_answering_tree(fields: Fields) -> Tree:
    """The tree that the estimator of a file answers by; what else stands there is left alone."""
    schema, mark = open_schema(fields)
    number = fields.whole("tree", 0, 2**31)
    for i, one in enumerate(fields.each("trees")):
        if i == number:
            tree = read_tree(one, schema)
            refuse_other(tree, mark)
            return tree
    return fields.refuse("tree", f"is {number}, but there are no more than {number} trees")


def save_tree(tree: Tree, path: object, *, overwrite: bool) -> None:
    """Write the file of a tree alone."""
    write_model(path, lambda: tree_bytes(tree), overwrite=overwrite)


def load_tree(path: object) -> Tree:
    """The tree of a file: the one that stands there alone, or the one that an estimator answers by."""
    with named(path):
        kind, fields = open_document(read_bytes(path))
        if kind == "rules":
            raise ModelFormatError("Field kind is 'rules': the file holds rules and no tree; use treewright.load.")
        return read_tree_file(fields) if kind == "tree" else read_answering_tree(fields)


def refuse_other(tree: Tree, mark: str | None) -> None:
    """Refuse a tree that is not the one whose fingerprint the file has."""
    if mark is not None and mark != tree.fingerprint():
        raise ModelFormatError(
            f"Field fingerprint is {beginning(printable(mark), 70)!r}, but that of the tree in the file is "
            f"{tree.fingerprint()!r}; the file was changed after it was made, and has to be made again."
        )
