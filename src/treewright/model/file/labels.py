"""Labels: the array of classes that answers are taken from.

In: the classes of a target and the numpy type that was written of their array. Out: the array, so that what is loaded
answers in the type of the training target: whole numbers of so many bits, texts, truth values or objects.
"""

import re
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.data.schema import Target
from treewright.errors import ModelFormatError

TYPES = re.compile(r"[|<>](b1|[iu][1248]|f[248]|O|U[0-9]{1,6})")
"""Types that the classes of a target may have."""

WIDE = 256
"""Characters that a type of texts may have, though no class has as many."""


def class_array(target: Target, class_type: str) -> NDArray[Any]:
    """The classes as an array of this type, refused where it cannot hold them.

    >>> class_array(Target("buys", ("no", "yes")), "<U3")
    array(['no', 'yes'], dtype='<U3')
    """
    classes = list(target.classes or ())
    if not TYPES.fullmatch(class_type):
        _refuse(f"is {class_type[:20]!r}, which is no type of classes")
    if class_type[1] == "U":
        longest = max(len(str(label)) for label in classes)
        if not longest <= int(class_type[2:]) <= max(longest, WIDE):
            _refuse(f"is {class_type!r}, but the longest class has {longest} characters")
    array = np.empty(len(classes), dtype=class_type)
    try:
        array[:] = classes
    except (OverflowError, ValueError, TypeError):
        _refuse(f"is {class_type!r}, which cannot hold the classes")
    if class_type[1] not in "UO" and array.tolist() != classes:
        _refuse(f"is {class_type!r}, which cannot hold the classes")
    return array


def class_type_of(array: NDArray[Any]) -> str:
    """The type of the classes as it is written: that of the array, or the nearest one that a file knows.

    >>> class_type_of(np.array(["no", "yes"]))
    '<U3'
    """
    found, longest = array.dtype.str, max((len(str(label)) for label in array.tolist()), default=1)
    if array.dtype.kind == "U" and array.dtype.itemsize // 4 > max(longest, WIDE):
        return f"{found[0]}U{longest}"
    return found if TYPES.fullmatch(found) else "|O"


def _refuse(why: str) -> NoReturn:
    raise ModelFormatError(f"Field class_type {why}; the model is damaged and has to be made again.")
