"""Vector: one value per row, for the target and the weights.

In: a list, a numpy array, or a series of pandas, polars or pyarrow. Out: an array or narwhals series, and its
cells.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import Cells, as_numbers, no_complex
from treewright.data.frames import read_series, to_narwhals
from treewright.data.objects import read_array
from treewright.data.sparse import is_sparse
from treewright.errors import InputError, KindError

COLUMN_VECTOR = (
    "A column-vector y was passed when a 1d array was expected. "
    "Please change the shape of y to (n_samples, ), for example using ravel()."
)


def open_vector(data: Any, who: str) -> Any:
    """The data as a numpy array or a narwhals series or frame, of whatever shape it has."""
    if type(data) is np.ndarray:
        vector = data
    else:
        import narwhals.stable.v2 as nw

        if is_sparse(data):
            raise KindError(f"{who} is a sparse matrix, which is not supported; densify it with toarray().")
        vector = to_narwhals(data)
        if isinstance(vector, (nw.Series, nw.DataFrame)):
            return vector
        # A list keeps the types of its items: numpy would silently turn 1 next to "a" into "1".
        if isinstance(data, (list, tuple)):
            vector = np.array(data, dtype=object)
        else:
            vector = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    if vector.dtype.kind == "c":
        raise no_complex(who)
    return vector


def open_target(y: Any) -> Any:
    """The target as one dimension; a single column is taken with a warning, as in scikit-learn."""
    if y is None:
        raise InputError("fit requires y to be passed, but the target y is None.")
    vector = open_vector(y, "y")
    shape = vector.shape
    if len(shape) == 2 and shape[1] == 1:
        from sklearn.exceptions import DataConversionWarning

        warnings.warn(COLUMN_VECTOR, DataConversionWarning, stacklevel=4)
        vector = vector[:, 0]
    elif len(shape) != 1:
        raise InputError(f"y should be a 1d array, got an array of shape {shape} instead; give one column.")
    if shape[0] == 0:
        raise InputError(f"y has 0 sample(s) (shape={shape}) while a minimum of 1 is required.")
    return vector


def read_vector(vector: Any, who: str) -> Cells:
    """The cells of an opened vector."""
    if isinstance(vector, np.ndarray):
        return read_array(vector, who, categorical=False)
    return read_series(vector, who, categorical=False)


def read_numbers(vector: Any, who: str, advice: str = "give numbers") -> NDArray[np.float64]:
    """An opened vector as numbers, none of them missing; `advice` is for those who have something else."""
    values = as_numbers(read_vector(vector, who), who, advice).values
    refuse_gaps(np.isnan(values), who)
    return values


def refuse_gaps(missing: NDArray[np.bool_], who: str) -> None:
    """Raise an error that names the first row with a missing value, if there is one."""
    if missing.any():
        row = int(missing.argmax())
        raise InputError(f"{who} has a missing value (NaN) in row {row}; fill it in or leave the row out.")
