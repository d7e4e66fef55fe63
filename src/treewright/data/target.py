"""Target: class labels become codes, numbers become float64.

In: y as the user has it: a list, a numpy array, or a series of pandas, polars or pyarrow. Out: the `Target`
and one code or number per row. A missing target is an error: a row without an answer teaches nothing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import count_labels
from treewright.data.cells import EXACT, NARROW, Numbers, Words, distinct, in_order, moved
from treewright.data.schema import Target
from treewright.data.vector import open_target, read_numbers, read_vector, refuse_gaps
from treewright.errors import InputError


def encode_classes(y: Any) -> tuple[Target, NDArray[np.int32]]:
    """The classes in sorted order, and the code of each row.

    >>> target, codes = encode_classes(["yes", "no", "yes"])
    >>> target.classes, codes.tolist()
    (('no', 'yes'), [1, 0, 1])
    """
    vector = open_target(y)
    if type(vector) is np.ndarray and vector.dtype.kind in "iu":  # a masked array is more than that
        return _whole_classes(vector)
    cells = read_vector(vector, "y")
    if isinstance(cells, Numbers):
        labels, codes = distinct(_whole(cells.values))
        labels = _array(labels.tolist(), np.asarray(y).dtype)
        return Target(_name(vector), tuple(labels.tolist())), codes.astype(np.int32)
    classes, word_codes = _word_classes(cells)
    return Target(_name(vector), classes), word_codes


def _whole_classes(vector: NDArray[Any]) -> tuple[Target, NDArray[np.int32]]:
    if vector.dtype == np.int64:
        codes = np.empty(len(vector), np.int32)
        found = count_labels(vector, max(NARROW, len(vector)), codes)
        if found is not None:
            return Target(classes=tuple(found)), codes
    labels, places = distinct(vector)
    return Target(classes=tuple(labels.tolist())), places.astype(np.int32)


def encode_numbers(y: Any) -> tuple[Target, NDArray[np.float64]]:
    """The target as float64; -0.0 becomes 0.0, which it is equal to.

    >>> encode_numbers([1, 2.5, -0.0])[1]
    array([1. , 2.5, 0. ])
    """
    vector = open_target(y)
    return Target(_name(vector)), read_numbers(vector, "y", "use a classifier for classes") + 0.0


def encode_like(y: Any, target: Target) -> NDArray[Any]:
    """The answers of further rows, in the codes of a target that is known.

    >>> encode_like(["yes", "no", "yes"], Target(classes=("maybe", "no", "yes")))
    array([2, 1, 2], dtype=int32)
    """
    if target.classes is None:
        return encode_numbers(y)[1]
    place = {label: code for code, label in enumerate(target.classes)}
    found, codes = encode_classes(y)
    labels = found.classes or ()
    new = [label for label in labels if label not in place]
    if new:
        raise InputError(
            f"y has the class {new[0]!r}, which training never showed; "
            f"leave its rows out, or use one of {', '.join(map(repr, target.classes))}."
        )
    return np.array([place[label] for label in labels], dtype=np.int32)[codes]


def classes_array(target: Target, y: Any) -> NDArray[Any]:
    """The classes as the array that `np.unique(y)` would be, for an estimator's `classes_`.

    >>> classes_array(Target(classes=("no", "yes")), ["yes", "no"])
    array(['no', 'yes'], dtype='<U3')
    """
    return _array(list(target.classes or ()), np.asarray(y).dtype)


def same_length(n_rows: int, **named_arrays: Any) -> None:
    """Raise an error when an array has not one value for each row of X.

    >>> same_length(2, y=["yes", "no"])
    """
    for name, array in named_arrays.items():
        shape = getattr(array, "shape", None)
        length = shape[0] if shape else len(array)
        if length != n_rows:
            raise InputError(
                f"Found inconsistent numbers of samples: X has {n_rows} rows, but {name} has {length} "
                "values; give one for each row."
            )


def _word_classes(cells: Words) -> tuple[tuple[object, ...], NDArray[np.int32]]:
    """The categories that occur, in sorted order, and the codes of the rows."""
    refuse_gaps(cells.codes < 0, "y")
    present = np.flatnonzero(np.bincount(cells.codes, minlength=len(cells.categories)))
    classes = in_order(cells.categories[code] for code in present.tolist())
    return tuple(classes), moved(cells.codes, cells.categories, classes).astype(np.int32)


def _whole(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The labels as whole numbers; a fraction means that y is no class."""
    refuse_gaps(np.isnan(values), "y")
    wrong = (np.abs(values) > EXACT) | (values != np.floor(values))
    if wrong.any():
        raise InputError(
            f"Unknown label type: continuous; y has the value {values[wrong.argmax()]}, which is no class: "
            "use a regressor, or turn y into classes."
        )
    return values.astype(np.int64)


def _array(classes: list[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The classes as an array; filled cell by cell, so that tuples stay tuples."""
    array = np.empty(len(classes), dtype=dtype)
    array[:] = classes
    return array


def _name(vector: Any) -> str:
    """The name of a series, where it has one."""
    name = None if type(vector) is np.ndarray else getattr(vector, "name", None)
    return name if isinstance(name, str) and name else Target().name
