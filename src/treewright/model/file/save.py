"""Save: what every model file begins with, and the way to the disk.

In: the kind of a model; a path as the user gave it, and what makes the bytes. Out: the first fields; the file.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from treewright.disk.squeeze import squeezed
from treewright.disk.write import read_path, refuse_existing, write_bytes
from treewright.errors import ParameterError

FORMAT, VERSION = "treewright", 1
KINDS = ("estimator", "tree", "rules")
"""What a file may hold."""


def head(kind: str) -> dict[str, Any]:
    """The fields that every file begins with.

    >>> head("tree")["version"]
    1
    """
    made_by = f"treewright {import_module('treewright').__version__}"
    return {"format": FORMAT, "version": VERSION, "made_by": made_by, "kind": kind}


def write_model(path: object, made: Callable[[], bytes], *, overwrite: bool) -> None:
    """Write the bytes of a model where the user said; that nothing stands in the way is seen before they are made."""
    place = read_path(path)
    if not isinstance(overwrite, bool):
        raise ParameterError(f"overwrite={overwrite!r} cannot be used; give True or False.")
    if not overwrite:
        refuse_existing(place)
    write_bytes(place, squeezed(place.name, made()), overwrite=overwrite)
