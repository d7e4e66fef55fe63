"""Loading: model files become the models that were saved.

Nothing in a file is executed or imported, and everything is checked before it is used. A file with a tree or rules
alone is read without the code that trains trees.
"""

from typing import Any

from treewright.errors import KindError
from treewright.model.file.model_file import naming_file, open_document, read_bytes


def load(path: object) -> Any:
    """Load the model in a file that `save` wrote.

    Parameters
    ----------
    path : str or path
        The file, compressed or not.

    Returns
    -------
    estimator, Tree or RuleSet
        The model that was saved.

    Raises
    ------
    ModelFormatError
        If the file is not a model file, or is damaged.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from treewright.model.build import golf_example
    >>> with TemporaryDirectory() as folder:
    ...     golf_example().save(Path(folder) / "golf.json.gz")
    ...     load(Path(folder) / "golf.json.gz").predict([["overcast", 80.0, False]]).tolist()
    ['Play']
    """
    return _load(path, with_sklearn=True)


def load_without_sklearn(path: object) -> Any:
    """Load a model without scikit-learn, which takes a second to import.

    An estimator then has all methods of Treewright, but is not an estimator of scikit-learn.
    """
    return _load(path, with_sklearn=False)


def load_bytes(data: bytes) -> Any:
    """Load the model in the bytes of a file.

    >>> load_bytes(b"a,b,c")
    Traceback (most recent call last):
    treewright.errors.ModelFormatError: This is not a model file: it begins with 'a,b,c' and is not JSON; pass a
    file saved by Treewright.
    """
    return _read(data, with_sklearn=True)


def load_bytes_without_sklearn(data: bytes) -> Any:
    """Load the model in the bytes of a file without scikit-learn."""
    return _read(data, with_sklearn=False)


def _load(path: object, *, with_sklearn: bool) -> Any:
    data = read_bytes(path)
    with naming_file(path):
        return _read(data, with_sklearn=with_sklearn)


def _read(data: bytes, *, with_sklearn: bool) -> Any:
    """Load the model in the bytes of a file; `with_sklearn`: as an estimator of scikit-learn."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise KindError(f"data must be the bytes of a file, got {type(data).__name__}; use load() for a file name.")
    kind, fields = open_document(bytes(data))
    if kind == "tree":
        from treewright.model.file.stored_tree import read_tree_file

        return read_tree_file(fields)
    if kind == "rules":
        from treewright.rules.rule_file import read_rules_file

        return read_rules_file(fields)
    from treewright.estimators import algorithm_class, estimator_class
    from treewright.estimators.saving import from_stored
    from treewright.store.fitted_estimator import read_estimator

    return from_stored(read_estimator(fields), estimator_class if with_sklearn else algorithm_class)
