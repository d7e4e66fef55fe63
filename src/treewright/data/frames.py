"""Input tables: pandas, polars and pyarrow tables, arrays, lists of rows and lists of dicts.

In: a table as the user has it. Out: an `OpenTable`, whose columns are read one by one into cells. narwhals recognises
the libraries, so none of them is imported here; what narwhals does not offer (declared categories, fast coding of
strings) is read from the library itself.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import takewhile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.cells import (
    Categories,
    Cells,
    Numbers,
    boolean_categories,
    complex_not_supported,
    dates_not_supported,
    integers_to_float,
    make_categories,
    refuse_infinite,
    refuse_infinite_categories,
)
from treewright.data.objects import float_objects, read_array, read_objects
from treewright.errors import InputError, KindError

N_SHOWN = 8
"""Column names listed in an error."""

RESHAPE = "Reshape your data with X.reshape(-1, 1) if it is one column, or X.reshape(1, -1) if it is one row."


@dataclass(frozen=True, slots=True, eq=False)
class OpenTable:
    """A table opened for reading: its names and its columns, still in the user's library.

    feature_names is None if the columns are not named by strings; names then has "x0", "x1", ...
    """

    names: tuple[str, ...]
    feature_names: list[str] | None
    n_rows: int
    columns: Sequence[Any]

    def read(self, index: int, categorical: bool = False) -> Cells:
        """The cells of one column; values of different kinds may be mixed only if it is `categorical`."""
        column, who = self.columns[index], f"Column {self.names[index]!r}"
        if isinstance(column, np.ndarray):
            return read_array(column, who, categorical)
        return read_series(column, who, categorical)


def open_table(X: Any) -> OpenTable:
    """Open any table: a frame, a two-dimensional array, or a list of rows.

    >>> open_table([[1, "red"], [2, "blue"]]).names
    ('x0', 'x1')
    """
    import narwhals.stable.v2 as nw  # imported in functions: it is not needed to load and show a model

    frame = to_narwhals(X)
    if isinstance(frame, nw.Series):
        raise InputError(
            f"X is a single column ({type(X).__name__}); pass a table, for example X.to_frame(). {RESHAPE}"
        )
    if isinstance(frame, nw.DataFrame):
        labels: list[Any] = list(frame.columns)
        named = all(isinstance(label, str) for label in labels)
        if not named and any(isinstance(label, str) for label in labels):
            odd = next(label for label in labels if not isinstance(label, str))
            raise KindError(
                f"X has columns named by strings and a column named {odd!r} ({type(odd).__name__}); "
                "name all columns by strings, for example X.columns = X.columns.astype(str)."
            )
        table = OpenTable(_names(labels), labels if named else None, len(frame), _series_of(frame))
    else:
        array = _to_array(X)
        table = OpenTable(default_names(array.shape[1]), None, array.shape[0], list(array.T))
    shape = (table.n_rows, len(table.names))
    for count, what in zip(shape, ("sample(s)", "feature(s)"), strict=True):
        if count == 0:
            raise InputError(f"X has 0 {what} (shape={shape}) while a minimum of 1 is required.")
    return table


def is_sparse(data: Any) -> bool:
    """Whether this is a sparse matrix or array of SciPy, without importing SciPy: its user has imported it.

    >>> is_sparse([[1.0]])
    False
    """
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(data))


def _series_of(frame: Any) -> list[Any]:
    """The columns of a narwhals frame; native pandas columns if all are of numpy or category types."""
    if frame.implementation.is_pandas():
        columns = list(takewhile(_is_plain, (column for _, column in frame.to_native().items())))
        if len(columns) == len(frame.columns):
            return columns
    return list(frame.iter_columns())


def _is_plain(column: Any) -> bool:
    """Whether a pandas column has a numpy type or a category type."""
    return isinstance(column.dtype, np.dtype) or hasattr(column.dtype, "categories")


def to_narwhals(data: Any) -> Any:
    """The narwhals frame or series of the data, or the data itself if it is neither."""
    if type(data) in (np.ndarray, list, tuple):  # narwhals would check for every library first
        return data
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        return nw.from_native(data, eager_only=True, allow_series=True, pass_through=True)
    except DuplicateError:
        labels = list(getattr(data, "column_names", getattr(data, "columns", ())))
        repeated = next(label for label in labels if labels.count(label) > 1)
        raise InputError(f"X has several columns named {repeated!r}; column names must be unique.") from None


def count_rows(X: Any) -> int | None:
    """The number of rows of a table or vector; None for anything else.

    >>> count_rows([[1, "red"], [2, "blue"]]), count_rows(3)
    (2, None)
    """
    if is_sparse(X):
        return None
    data = to_narwhals(X)
    if isinstance(data, (list, tuple)) or data is not X:  # otherwise narwhals made a frame or a series of it
        return len(data)
    shape = data.shape if hasattr(data, "shape") else np.asarray(data).shape
    return int(shape[0]) if shape else None


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """The selected rows of a table, or values of a vector, in the same library and with the same types.

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
def default_names(n_columns: int) -> tuple[str, ...]:
    """The names of unnamed columns: x0, x1, ..."""
    return tuple(f"x{i}" for i in range(n_columns))


def read_series(series: Any, who: str, categorical: bool) -> Cells:
    """The cells of a narwhals series, or of a native pandas series of a numpy or category type."""
    import narwhals.stable.v2 as nw

    native = series.to_native() if isinstance(series, nw.Series) else series
    if isinstance(getattr(native, "dtype", None), np.dtype):
        return read_array(native.to_numpy(), who, categorical)
    if native is series:
        return refuse_infinite_categories(_read_categories(native.dtype, native.array.codes), who)
    if series.implementation.is_polars():  # whose methods read a name such as ^a.*$ as a pattern
        series = series.alias("")
    return _read_typed(series, native, who, categorical)


def _read_typed(series: Any, native: Any, who: str, categorical: bool) -> Cells:
    """The same for a narwhals series whose type is not one of numpy; `native` is the series of the user."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return refuse_infinite_categories(_read_words(series), who)
    if dtype.is_numeric():
        return Numbers(_read_numbers(series, who))
    if dtype == nw.Object:
        return read_objects(series.to_list(), who, categorical)
    if dtype.is_temporal():
        raise dates_not_supported(who, dtype)
    missing = series.is_null().to_numpy()
    if dtype == nw.Boolean:
        return boolean_categories(series.fill_null(False).to_numpy(), missing)
    if missing.all():  # a column of nulls has no type of its own
        return Numbers(np.full(len(missing), np.nan))
    raise KindError(
        f"{who} has the unsupported type {getattr(native, 'dtype', dtype)}; "
        "convert it to numbers, strings or categories."
    )


def _read_numbers(series: Any, who: str) -> NDArray[np.float64]:
    """Numbers with nulls as float64 with NaN."""
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype.is_float():
        return refuse_infinite(series.to_numpy().astype(np.float64, copy=False), who)
    if dtype.is_decimal() or dtype in (nw.Int128, nw.UInt128):  # more digits than numpy has
        return float_objects(series.to_list(), who)
    whole = integers_to_float(series.fill_null(0).to_numpy(), who)
    return np.where(series.is_null().to_numpy(), np.nan, whole)


def _read_words(series: Any) -> Categories:
    """Strings and categories, coded by the library of the table."""
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
        return make_categories(codes, categories.to_list(), sort=False)
    if series.implementation.is_pandas_like():
        if hasattr(native.dtype, "categories"):
            # .cat.codes would make a Series first
            codes = native.array.codes if series.implementation.is_pandas() else native.cat.codes.to_numpy()
            return _read_categories(native.dtype, codes)
        if series.dtype == nw.String:
            codes, found = library.factorize(native)
            return make_categories(codes, found.tolist(), sort=True)
    return _read_arrow(series.to_arrow(), sort=series.dtype == nw.String)


def _read_categories(dtype: Any, codes: NDArray[Any]) -> Categories:
    """The categories of a pandas type, and codes into them."""
    return make_categories(codes, dtype.categories.tolist(), sort=False, ordered=bool(dtype.ordered))


def _read_arrow(column: Any, sort: bool) -> Categories:
    """An Arrow array of strings, or of codes with a dictionary."""
    encoded = column.dictionary_encode() if sort else column
    if hasattr(encoded, "chunks"):
        encoded = encoded.unify_dictionaries().combine_chunks()
    codes = encoded.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
    return make_categories(codes, encoded.dictionary.to_pylist(), sort=sort, ordered=bool(encoded.type.ordered))


def _names(labels: list[Any]) -> tuple[str, ...]:
    """Names of a frame's columns; the default labels of pandas, 0, 1, 2, ..., do not count as names."""
    if labels == list(range(len(labels))):
        return default_names(len(labels))
    return tuple(map(str, labels))


def _to_array(X: Any) -> NDArray[Any]:
    """The table as a two-dimensional array; lists keep the types of their cells."""
    if is_sparse(X):
        raise KindError("X is a sparse matrix, which is not supported; convert it with X.toarray().")
    if isinstance(X, (list, tuple)):
        rows = [row.tolist() if isinstance(row, np.ma.MaskedArray) else row for row in X]
        array = np.array(rows, dtype=object)
    else:
        array = X if isinstance(X, np.ma.MaskedArray) else np.asarray(X)
    if array.dtype.kind == "c":
        raise complex_not_supported("X")
    if array.ndim == 2:
        return array
    if isinstance(X, Mapping):
        raise KindError(f"X is a {type(X).__name__}, not a table; pass a list of rows, [X] if it is one row.")
    if array.ndim == 1 and array.size and isinstance(array[0], Mapping):
        raise KindError(
            "X is a list of dicts, which do not define the order of the columns; convert it to a table, for example "
            "with pandas.DataFrame(X)."
        )
    if array.ndim == 0:
        raise KindError(
            f"X is a {type(X).__name__}, not a table; pass a two-dimensional array, a list of rows, "
            "or a pandas, polars or pyarrow table (collect a lazy frame first)."
        )
    if array.ndim > 2:
        raise InputError(f"X must have 2 dimensions, rows and columns, got {array.ndim}.")
    if any(isinstance(row, (list, tuple)) for row in array):
        raise InputError("X has rows of different lengths; each row must have one cell for each column.")
    raise InputError(f"X must have 2 dimensions, got a 1D array of {array.shape[0]} cells. {RESHAPE}")


def as_records(X: Any, names: Sequence[str]) -> list[Any] | None:
    """The rows of X if they have names: a dict or another record, or a list of them, judged by its first row.

    A record is a dict, a dataclass, or a namedtuple whose fields are all columns, such as the rows of pandas'
    itertuples. None for anything else, also for other namedtuples, which are rows in the order of the columns.

    >>> as_records({"age": 30}, ["age"]), as_records([{"age": 30}], ["age"]), as_records([[30]], ["age"])
    ([{'age': 30}], [{'age': 30}], None)
    """
    if as_mapping(X, names) is not None:
        return [X]
    if isinstance(X, (list, tuple)) and X and as_mapping(X[0], names) is not None:
        return list(X)
    return None


def as_mapping(row: Any, names: Sequence[str]) -> Mapping[Any, Any] | None:
    """The values of a record by column name; None for anything else.

    >>> from collections import namedtuple
    >>> as_mapping(namedtuple("Day", "windy humidity")(True, 80), ["humidity", "windy"])
    {'windy': True, 'humidity': 80}
    """
    if isinstance(row, Mapping):
        return row
    if is_dataclass(row) and not isinstance(row, type):
        return {field.name: getattr(row, field.name) for field in fields(row)}
    if isinstance(row, tuple) and hasattr(row, "_fields"):
        values = dict(zip(row._fields, row, strict=True))
        if "Index" not in names:
            values.pop("Index", None)
        return values if values.keys() <= set(names) else None
    return None


def read_records(X: Sequence[Any], names: Sequence[str]) -> NDArray[np.object_]:
    """Records as a table; a column that a record does not have is missing, and an unknown name is an error.

    >>> read_records([{"windy": True}, {"humidity": 80}], ["humidity", "windy"]).tolist()
    [[None, True], [80, None]]
    """
    places = column_positions(names, named=tuple(names) != default_names(len(names)))
    cells = np.full((len(X), len(names)), None, dtype=object)
    for i, row in enumerate(X):
        values = as_mapping(row, names)
        if values is None:
            raise KindError(
                f"Row {i} of X is a {type(row).__name__}, but row 0 is a {type(X[0]).__name__}; pass a "
                f"{type(X[0]).__name__} for each row."
            )
        fill_row(values.items(), places, names, cells[i], f"Row {i} of X")
    return cells


def column_positions(names: Sequence[str], named: bool) -> dict[object, int]:
    """The position of each column by its name and, if the columns are unnamed, also by its number."""
    places: dict[object, int] = {name: i for i, name in enumerate(names)}
    return places if named else places | {i: i for i in range(len(names))}


def fill_row(
    items: Iterable[tuple[Any, Any]],
    places: Mapping[object, int],
    names: Sequence[str],
    cells: NDArray[np.object_],
    who: str,
) -> None:
    """Write values into the cells of one row, by column name; error messages call the row `who`."""
    seen: set[int] = set()
    for label, cell in items:
        i = places.get(label, places.get(str(label), -1)) if isinstance(label, str | int | np.integer) else -1
        if i < 0:
            close = get_close_matches(str(label), names, n=N_SHOWN)
            listed = ", ".join(map(repr, close or names[:N_SHOWN]))
            which = "the closest names are" if close else "the first columns are"
            raise InputError(f"{who} has a value for the unknown column {label!r}; {which} {listed}.")
        if i in seen:
            raise InputError(f"{who} has several values for column {names[i]!r}; pass one.")
        seen.add(i)
        cells[i] = cell
