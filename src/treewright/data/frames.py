"""Frames: the columns of pandas, polars and pyarrow tables, and of everything that numpy can make a table of.

In: a table as the user has it. Out: a `Sheet`, whose columns are read one by one into cells. narwhals tells
the libraries apart, so none of them is imported here; what it does not carry (declared categories, fast
numbering of strings) is asked of the library itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import (
    Cells,
    Numbers,
    Words,
    exact,
    finite,
    finite_words,
    no_complex,
    no_moments,
    truths,
    words,
)
from treewright.data.objects import float_objects, read_array, read_objects
from treewright.data.sparse import is_sparse
from treewright.errors import InputError, KindError

RESHAPE = "Reshape your data with X.reshape(-1, 1) if it is one column, or X.reshape(1, -1) if it is one row."


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A table opened for reading: its names and its columns, still in the user's library.

    feature_names is None when the table carries no string names; names then has "x0", "x1", ...
    """

    names: tuple[str, ...]
    feature_names: list[str] | None
    n_rows: int
    columns: Sequence[Any]

    def read(self, index: int, categorical: bool = False) -> Cells:
        """The cells of one column; `categorical` allows different kinds side by side."""
        column, who = self.columns[index], f"Column {self.names[index]!r}"
        if isinstance(column, np.ndarray):
            return read_array(column, who, categorical)
        return read_series(column, who, categorical)


def open_sheet(X: Any) -> Sheet:
    """Open any table: a frame, a two-dimensional array, or a list of rows.

    >>> open_sheet([[1, "red"], [2, "blue"]]).names
    ('x0', 'x1')
    """
    import narwhals.stable.v2 as nw  # here and below: it is not needed to read a model and to show it

    frame = to_narwhals(X)
    if isinstance(frame, nw.Series):
        raise InputError(
            f"X is a single column ({type(X).__name__}); give a table, for example X.to_frame(). {RESHAPE}"
        )
    if isinstance(frame, nw.DataFrame):
        labels: list[Any] = list(frame.columns)
        named = all(isinstance(label, str) for label in labels)
        if not named and any(isinstance(label, str) for label in labels):
            odd = next(label for label in labels if not isinstance(label, str))
            raise KindError(
                f"X has columns named by strings and one named {odd!r} ({type(odd).__name__}); "
                "name all by strings, for example X.columns = X.columns.astype(str)."
            )
        sheet = Sheet(_names(labels), labels if named else None, len(frame), _series_of(frame))
    else:
        array = _to_array(X)
        sheet = Sheet(unnamed(array.shape[1]), None, array.shape[0], list(array.T))
    shape = (sheet.n_rows, len(sheet.names))
    for count, what in zip(shape, ("sample(s)", "feature(s)"), strict=True):
        if count == 0:
            raise InputError(f"X has 0 {what} (shape={shape}) while a minimum of 1 is required.")
    return sheet


def _series_of(frame: Any) -> list[Any]:
    """The columns of a narwhals frame: pandas' own where all are numbers or categories, which are read as they are."""
    if frame.implementation.is_pandas():
        columns = list(takewhile(_is_plain, (column for _, column in frame.to_native().items())))
        if len(columns) == len(frame.columns):
            return columns
    return list(frame.iter_columns())


def _is_plain(column: Any) -> bool:
    """Whether a pandas column has numbers, or whatever numpy has, or categories."""
    return isinstance(column.dtype, np.dtype) or hasattr(column.dtype, "categories")


def to_narwhals(data: Any) -> Any:
    """The narwhals frame or series of the data, or the data itself when it is neither."""
    if type(data) in (np.ndarray, list, tuple):  # narwhals would ask every library first
        return data
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        return nw.from_native(data, eager_only=True, allow_series=True, pass_through=True)
    except DuplicateError:
        labels = list(getattr(data, "column_names", getattr(data, "columns", ())))
        repeated = next(label for label in labels if labels.count(label) > 1)
        raise InputError(f"X has more than one column {repeated!r}; give each a name of its own.") from None


def n_rows_of(X: Any) -> int | None:
    """The number of rows of a table or a vector; None for what is neither, or cannot be read.

    >>> n_rows_of([[1, "red"], [2, "blue"]]), n_rows_of(3)
    (2, None)
    """
    if is_sparse(X):
        return None
    data = to_narwhals(X)
    if isinstance(data, (list, tuple)) or data is not X:  # what narwhals took is a frame or a series
        return len(data)
    shape = data.shape if hasattr(data, "shape") else np.asarray(data).shape
    return int(shape[0]) if shape else None


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """The rows of a table, or the values of a vector, at these places; of the same kind, with the same types.

    >>> take_rows([[1, "red"], [2, "blue"]], np.array([1]))
    [[2, 'blue']]
    """
    data = to_narwhals(X)
    if data is not X:  # a frame or a series of narwhals
        return data[rows].to_native()
    if isinstance(data, (list, tuple)):
        return [data[row] for row in rows.tolist()]
    return data[rows] if hasattr(data, "shape") else np.asarray(data)[rows]


@lru_cache(maxsize=8)
def unnamed(n_columns: int) -> tuple[str, ...]:
    """The names of columns that have none."""
    return tuple(f"x{i}" for i in range(n_columns))


def read_series(series: Any, who: str, categorical: bool) -> Cells:
    """The cells of a series of narwhals, or of numbers or categories of pandas."""
    import narwhals.stable.v2 as nw

    native = series.to_native() if isinstance(series, nw.Series) else series
    if isinstance(getattr(native, "dtype", None), np.dtype):
        return read_array(native.to_numpy(), who, categorical)
    if native is series:
        return finite_words(_read_categories(native.dtype, native.array.codes), who)
    return _read_typed(series, native, who, categorical)


def _read_typed(series: Any, native: Any, who: str, categorical: bool) -> Cells:
    """The same for a series of narwhals whose type is none of numpy's; `native` is what it was made of."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return finite_words(_read_words(series), who)
    if dtype.is_numeric():
        return Numbers(_read_numbers(series, who))
    if dtype == nw.Object:
        return read_objects(series.to_list(), who, categorical)
    if dtype.is_temporal():
        raise no_moments(who, dtype)
    missing = series.is_null().to_numpy()
    if dtype == nw.Boolean:
        return truths(series.fill_null(False).to_numpy(), missing)
    if missing.all():  # a column of nulls has no type of its own
        return Numbers(np.full(len(missing), np.nan))
    raise KindError(
        f"{who} has the type {getattr(native, 'dtype', dtype)}, which cannot be read; "
        "turn it into numbers, strings or categories."
    )


def _read_numbers(series: Any, who: str) -> NDArray[np.float64]:
    """Numbers with nulls as float64 with NaN."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype.is_float():
        return finite(series.to_numpy().astype(np.float64, copy=False), who)
    if dtype.is_decimal() or dtype in (nw.Int128, nw.UInt128):  # more digits than numpy has
        return float_objects(series.to_list(), who)
    whole = exact(series.fill_null(0).to_numpy(), who)
    return np.where(series.is_null().to_numpy(), np.nan, whole)


def _read_words(series: Any) -> Words:
    """Strings and categories, numbered by the library that holds them."""
    import narwhals.stable.v2 as nw

    native, library = series.to_native(), series.__native_namespace__()
    if series.implementation.is_polars():
        if series.dtype == nw.Enum:
            categories = native.dtype.categories
        else:
            native = native.cast(library.String)
            categories = native.drop_nulls().unique().sort()
            native = native.cast(library.Enum(categories))
        codes = native.to_physical().cast(library.Int64).fill_null(-1).to_numpy()
        return words(codes, categories.to_list(), sort=False)
    if series.implementation.is_pandas_like():
        if hasattr(native.dtype, "categories"):
            # the codes of pandas itself stand in its array: to ask .cat for them makes a Series first
            codes = native.array.codes if series.implementation.is_pandas() else native.cat.codes.to_numpy()
            return _read_categories(native.dtype, codes)
        if series.dtype == nw.String:
            codes, found = library.factorize(native)
            return words(codes, found.tolist(), sort=True)
    return _read_arrow(series.to_arrow(), sort=series.dtype == nw.String)


def _read_categories(dtype: Any, codes: NDArray[Any]) -> Words:
    """The categories of a pandas type, and codes into them."""
    return words(codes, dtype.categories.tolist(), sort=False, ordered=bool(dtype.ordered))


def _read_arrow(column: Any, sort: bool) -> Words:
    """An Arrow array of strings, or of codes with a dictionary."""
    encoded = column.dictionary_encode() if sort else column
    if hasattr(encoded, "chunks"):
        encoded = encoded.unify_dictionaries().combine_chunks()
    codes = encoded.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    return words(codes, encoded.dictionary.to_pylist(), sort=sort, ordered=bool(encoded.type.ordered))


def _names(labels: list[Any]) -> tuple[str, ...]:
    """Names of a frame's columns; the labels 0, 1, 2, ... that pandas gives by default are no names."""
    if labels == list(range(len(labels))):
        return unnamed(len(labels))
    return tuple(map(str, labels))


def _to_array(X: Any) -> NDArray[Any]:
    """The table as a two-dimensional array; lists keep the types of their cells."""
    if is_sparse(X):
        raise KindError("X is a sparse matrix, which is not supported; densify it with X.toarray().")
    if isinstance(X, (list, tuple)):
        rows = [row.tolist() if isinstance(row, np.ma.MaskedArray) else row for row in X]
        array = np.array(rows, dtype=object)
    else:
        array = X if isinstance(X, np.ma.MaskedArray) else np.asarray(X)
    if array.dtype.kind == "c":
        raise no_complex("X")
    if array.ndim == 2:
        return array
    if isinstance(X, Mapping):
        raise KindError(f"X is a {type(X).__name__}, which is no table; give a list of rows, [X] if it is one row.")
    if array.ndim == 1 and array.size and isinstance(array[0], Mapping):
        raise KindError(
            "X has dicts for rows, which do not say the order of the columns; make a table of them, for example "
            "pandas.DataFrame(X)."
        )
    if array.ndim == 0:
        raise KindError(
            f"X is a {type(X).__name__}, which is no table; give a two-dimensional array, a list of rows, "
            "or a pandas, polars or pyarrow table (collect a lazy frame first)."
        )
    if array.ndim > 2:
        raise InputError(f"X has {array.ndim} dimensions, but a table has 2: rows and columns.")
    if any(isinstance(row, (list, tuple)) for row in array):
        raise InputError("X has rows of different lengths; give each row one cell for each column.")
    raise InputError(f"X is a 1D array of {array.shape[0]} cells, but a table has 2 dimensions. {RESHAPE}")
