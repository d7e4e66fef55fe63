"""The target: class labels become codes, numbers become float64.

In: y as the user has it: a list, a numpy array, or a series of pandas, polars or pyarrow. Out: the `Target`
and one code or number per row. A missing target is an error. Weights are read by the same functions for vectors.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._core.table import count_labels
from treewright.data.cells import (
    LARGEST_EXACT,
    NARROW_RANGE,
    Categories,
    Cells,
    Numbers,
    as_numbers,
    complex_not_supported,
    distinct,
    recode,
    sort_values,
)
from treewright.data.frames import is_sparse, read_series, to_narwhals
from treewright.data.objects import read_array
from treewright.data.schema import Target
from treewright.errors import InputError, KindError

COLUMN_VECTOR = (
    "A column-vector y was passed when a 1d array was expected. "
    "Please change the shape of y to (n_samples, ), for example using ravel()."
)


def encode_classes(y: Any) -> tuple[Target, NDArray[np.int32]]:
    """The classes in sorted order, and the code of each row.

    >>> target, codes = encode_classes(["yes", "no", "yes"])
    >>> target.classes, codes.tolist()
    (('no', 'yes'), [1, 0, 1])
    """
    vector = open_target(y)
    if type(vector) is np.ndarray and vector.dtype.kind in "iu":  # not for a masked array
        return _integer_classes(vector)
    cells = read_vector(vector, "y")
    if isinstance(cells, Numbers):
        labels, codes = distinct(_to_integers(cells.values))
        labels = _array(labels.tolist(), np.asarray(y).dtype)
        return Target(_name(vector), tuple(labels.tolist())), codes.astype(np.int32)
    classes, class_codes = _category_classes(cells)
    return Target(_name(vector), classes), class_codes


def _integer_classes(vector: NDArray[Any]) -> tuple[Target, NDArray[np.int32]]:
    if vector.dtype == np.int64:
        codes = np.empty(len(vector), np.int32)
        found = count_labels(vector, max(NARROW_RANGE, len(vector)), codes)
        if found is not None:
            return Target(classes=tuple(found)), codes
    labels, places = distinct(vector)
    return Target(classes=tuple(labels.tolist())), places.astype(np.int32)


def encode_numbers(y: Any) -> tuple[Target, NDArray[np.float64]]:
    """The target as float64; -0.0 becomes 0.0.

    >>> encode_numbers([1, 2.5, -0.0])[1]
    array([1. , 2.5, 0. ])
    """
    vector = open_target(y)
    return Target(_name(vector)), read_numbers(vector, "y", "use a classifier for classes") + 0.0


def encode_known_target(y: Any, target: Target) -> NDArray[Any]:
    """The target of further rows, in the codes of a target that is known.

    >>> encode_known_target(["yes", "no", "yes"], Target(classes=("maybe", "no", "yes")))
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
            f"y has the class {new[0]!r}, which does not occur in training; "
            f"drop its rows, or use one of {', '.join(map(repr, target.classes))}."
        )
    return np.array([place[label] for label in labels], dtype=np.int32)[codes]


def classes_array(target: Target, y: Any) -> NDArray[Any]:
    """The classes as the array `np.unique(y)`, for an estimator's `classes_`.

    >>> classes_array(Target(classes=("no", "yes")), ["yes", "no"])
    array(['no', 'yes'], dtype='<U3')
    """
    return _array(list(target.classes or ()), np.asarray(y).dtype)


def check_same_length(n_rows: int, **named_arrays: Any) -> None:
    """Raise an error if an array does not have one value for each row of X.

    >>> check_same_length(2, y=["yes", "no"])
    """
    for name, array in named_arrays.items():
        shape = getattr(array, "shape", None)
        length = shape[0] if shape else len(array)
        if length != n_rows:
            raise InputError(
                f"Found inconsistent numbers of samples: X has {n_rows} rows, but {name} has {length} "
                "values; pass one for each row."
            )


def open_vector(data: Any, who: str) -> Any:
    """The data as a numpy array or a narwhals series or frame, of any shape."""
    if type(data) is np.ndarray:
        vector = data
    else:
        import narwhals.stable.v2 as nw

        if is_sparse(data):
            raise KindError(f"{who} is a sparse matrix, which is not supported; convert it with toarray().")
        vector = to_narwhals(data)
        if isinstance(vector, (nw.Series, nw.DataFrame)):
            return vector
        # A list keeps the types of its items: numpy would silently turn 1 next to "a" into "1".
        if isinstance(data, (list, tuple)):
            vector = np.array(data, dtype=object)
        else:
            vector = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    if vector.dtype.kind == "c":
        raise complex_not_supported(who)
    return vector


def open_target(y: Any) -> Any:
    """The target as a vector; a single column is accepted with a warning, as in scikit-learn."""
    if y is None:
        raise InputError("fit requires y to be passed, but the target y is None.")
    vector = open_vector(y, "y")
    shape = vector.shape
    if len(shape) == 2 and shape[1] == 1:
        from sklearn.exceptions import DataConversionWarning

        warnings.warn(COLUMN_VECTOR, DataConversionWarning, stacklevel=4)
        vector = vector[:, 0]
    elif len(shape) != 1:
        raise InputError(f"y should be a 1d array, got an array of shape {shape} instead; pass one column.")
    if shape[0] == 0:
        raise InputError(f"y has 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
    return vector


def read_vector(vector: Any, who: str) -> Cells:
    """The cells of an opened vector."""
    if isinstance(vector, np.ndarray):
        return read_array(vector, who, categorical=False)
    return read_series(vector, who, categorical=False)


def read_numbers(vector: Any, who: str, advice: str = "") -> NDArray[np.float64]:
    """An opened vector as numbers, none of them missing; `advice` ends the error for other values."""
    values = as_numbers(read_vector(vector, who), who, advice).values
    refuse_missing_values(np.isnan(values), who)
    return values


def refuse_missing_values(missing: NDArray[np.bool_], who: str) -> None:
    """Raise an error that names the first row with a missing value, if there is one."""
    if missing.any():
        row = int(missing.argmax())
        raise InputError(f"{who} has a missing value (NaN) in row {row}; fill it or drop the row.")


def _category_classes(cells: Categories) -> tuple[tuple[object, ...], NDArray[np.int32]]:
    """The categories that occur, in sorted order, and the codes of the rows."""
    refuse_missing_values(cells.codes < 0, "y")
    present = np.flatnonzero(np.bincount(cells.codes, minlength=len(cells.categories)))
    classes = sort_values(cells.categories[code] for code in present.tolist())
    return tuple(classes), recode(cells.codes, cells.categories, classes).astype(np.int32)


def _to_integers(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """The labels as integers; a fraction means that y does not hold classes."""
    refuse_missing_values(np.isnan(values), "y")
    wrong = (np.abs(values) > LARGEST_EXACT) | (values != np.floor(values))
    if wrong.any():
        raise InputError(
            f"Unknown label type: continuous. The target has the value {values[wrong.argmax()]}, which is not a class",
            advice="use a regressor, or convert the target to classes",
            option="use --regression, or convert the target to classes",
        )
    return values.astype(np.int64)


def _array(classes: list[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """The classes as an array; filled cell by cell, so that tuples stay tuples."""
    array = np.empty(len(classes), dtype=dtype)
    array[:] = classes
    return array


def _name(vector: Any) -> str:
    """The name of a series, or the default name."""
    name = None if type(vector) is np.ndarray else getattr(vector, "name", None)
    return name if isinstance(name, str) and name else Target().name
