"""Loading: a model file becomes the model that was saved.

In: the path of a file, or its bytes. Out: the estimator, tree or rules in it. Nothing of a file is run or imported,
and everything in it is checked before it is used; a tree or rules alone are read without what trains trees.
"""

from typing import Any

from treewright.errors import KindError
from treewright.model.file.load import named, open_document, read_bytes


def load(path: object) -> Any:
    """The model in a file that `save` wrote: an estimator, a `Tree` or a `RuleSet`.

    path  the name of the file, compressed or not

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from treewright.model.build import golf_example
    >>> with TemporaryDirectory() as folder:
    ...     golf_example().save(Path(folder) / "golf.json.gz")
    ...     load(Path(folder) / "golf.json.gz").predict([["overcast", 80.0, False]]).tolist()
    ['Play']
    """
    return _load(path, plain=False)


def load_plain(path: object) -> Any:
    """The same model without scikit-learn, which takes a second to import: an estimator has all its own methods, but
    is none of scikit-learn's.
    """
    return _load(path, plain=True)


def load_bytes(data: bytes) -> Any:
    """The model in the bytes of a file.

    >>> load_bytes(b"a,b,c")
    Traceback (most recent call last):
    treewright.errors.ModelFormatError: This is not a model file: it begins with 'a,b,c' and is no JSON; give the file
    that save() wrote.
    """
    return _read(data, plain=False)


def load_plain_bytes(data: bytes) -> Any:
    """The same without scikit-learn."""
    return _read(data, plain=True)


def _load(path: object, *, plain: bool) -> Any:
    data = read_bytes(path)
    with named(path):
        return _read(data, plain=plain)


def _read(data: bytes, *, plain: bool) -> Any:
    """The model in the bytes of a file; `plain`: without scikit-learn."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise KindError(f"data is a {type(data).__name__}; give the bytes of a file, or its name to load().")
    kind, fields = open_document(bytes(data))
    if kind == "tree":
        from treewright.model.file.alone import read_tree_file

        return read_tree_file(fields)
    if kind == "rules":
        from treewright.rules.stored import read_rules_file

        return read_rules_file(fields)
    from treewright.estimators import algorithm, estimator
    from treewright.estimators.saving import restored
    from treewright.store.estimator import read_estimator

    return restored(read_estimator(fields), algorithm if plain else estimator)
