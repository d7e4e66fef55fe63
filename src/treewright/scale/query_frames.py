"""Lazy frames of DuckDB, polars and Ibis: what narwhals does not do alike for all of them, and expressions on them.

In: a relation of DuckDB, a LazyFrame of polars or a table of Ibis. Out: a place where statements are run and counted,
and where their results are kept until `close`.
"""

from collections.abc import Callable, Mapping, Sequence
from secrets import token_hex
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from treewright.errors import InputError
from treewright.extras import require
from treewright.scale.engine import BOOLEAN, NUMBER, TEXT, Effort

NARROW = {"duckdb": (nw.UInt8, nw.UInt16), "polars": (nw.UInt8, nw.UInt16), "ibis": (nw.Int16,)}
"""The types for codes that a backend has, the smallest first; Ibis has backends without unsigned integers."""
LARGEST = {nw.UInt8: 2**8, nw.UInt16: 2**16, nw.Int16: 2**15}
PARTS = 64
"""Columns of one statement: DuckDB refuses expressions that are too deep, and longer ones take long to plan."""
STREAMING = {"engine": "streaming"}
"""How polars runs a query in little memory."""
ROWS = "treewright_rows"
"""What a statement of DuckDB calls the relation that it is about."""


def _with_empty_columns(source: Any) -> Any:
    """A LazyFrame in which the columns of polars' type Null, which have no values, are numbers; other sources as they
    are.
    """
    if type(source).__module__.partition(".")[0] != "polars" or not hasattr(source, "collect_schema"):
        return source
    import polars as pl

    return source.cast({name: pl.Float64 for name, kind in source.collect_schema().items() if kind == pl.Null})


class Frames:
    """Runs statements on the frames of one backend.

    source   the rows of the user
    backend  "duckdb", "polars" or "ibis"
    effort   the statements so far
    """

    def __init__(self, source: Any) -> None:
        frame = nw.from_native(_with_empty_columns(source), pass_through=True)
        backend = str(getattr(frame, "implementation", "")).split(".")[-1].lower()
        if not isinstance(frame, nw.LazyFrame) or backend not in NARROW:
            raise InputError(
                f"{type(source).__name__} is not a lazy frame of DuckDB, polars or Ibis; pass one of these, or a table."
            )
        if backend == "duckdb":
            require("pyarrow", "Fitting on a DuckDB relation")
        self.source: Any = frame
        self.backend = backend
        self.effort = Effort()
        self._kept: list[tuple[Any, Callable[[], None]]] = []
        self._base: Any = None

    def fetch(self, frame: Any, kind: str) -> dict[str, Any]:
        """Run a statement and fetch its result: arrays by column, lists of texts."""
        self._note(kind)
        found = frame.collect(**(STREAMING if self.backend == "polars" else {}))
        self.effort.n_bytes += int(found.estimated_size())
        return {one.name: one.to_list() if one.dtype == nw.String else one.to_numpy() for one in found.iter_columns()}

    def fetch_union(self, frames: Sequence[Any], kind: str, most: int = PARTS) -> dict[str, Any]:
        """The rows of all frames, in one statement if there are at most so many."""
        found = [self.fetch(union(frames[i : i + most]), kind) for i in range(0, len(frames), most)]
        return {name: _joined([one[name] for one in found]) for name in found[0]}

    def materialise(self, frame: Any, kind: str) -> Any:
        """Run a statement and keep its result in the backend."""
        self._note(kind)
        native = frame.to_native()
        if self.backend == "polars":
            kept, drop = native.collect(**STREAMING).lazy(), _nothing
        elif self.backend == "ibis":
            kept = native.cache()
            drop = _Released(kept)
        else:
            name = f"treewright_{token_hex(8)}"
            native.query(ROWS, f"CREATE TEMP TABLE {name} AS SELECT * FROM {ROWS}")
            kept = self._read(f"SELECT * FROM temp.main.{name}")
            drop = _Dropped(self._read, name)
        result = nw.from_native(kept)
        self._kept.append((result, drop))
        return result

    def table(self, columns: Mapping[str, Sequence[Any] | NDArray[Any]]) -> Any:
        """A small table of this backend: integers, numbers or texts, none of them missing, at least one row."""
        if self.backend == "duckdb":
            # A relation of the same connection, which only its relations can make: no array can be registered there.
            listed = ", ".join(f"{_unnested(values)} AS {name}" for name, values in columns.items())
            return nw.from_native(self._read(f"SELECT {listed}"))
        if self.backend == "polars":
            return nw.from_dict(columns, backend="polars").lazy()
        return nw.from_dict(columns, backend="pyarrow").lazy("ibis")

    def narrow(self, n_values: int) -> Any:
        """The smallest type of this backend for the integers from 0 on, so many of them."""
        return next((one for one in NARROW[self.backend] if n_values <= LARGEST[one]), nw.Int32)

    def drop(self, frame: Any) -> None:
        """Remove a result that was kept."""
        for i, (kept, drop) in enumerate(self._kept):
            if kept is frame:
                del self._kept[i]
                drop()
                return

    def close(self) -> None:
        """Remove all results that are kept."""
        while self._kept:
            self._kept.pop()[1]()

    def _note(self, kind: str) -> None:
        self.effort.n_passes += 1
        self.effort.log.append(kind)

    def _read(self, statement: str) -> Any:
        """A relation of DuckDB on the connection of the source, by SQL."""
        if self._base is None:
            base = self.source.to_native().query(ROWS, "SELECT 1 AS one")
            # A relation repeats in its SQL the relations that it was made of: this one shall not repeat the source.
            self._base = base.materialize() if hasattr(base, "materialize") else base
        return self._base.query(ROWS, statement)


class _Dropped:
    """Drops a table of DuckDB."""

    def __init__(self, read: Callable[[str], Any], name: str) -> None:
        self.read, self.name = read, name

    def __call__(self) -> None:
        self.read(f"DROP TABLE IF EXISTS temp.main.{self.name}")


class _Released:
    """Drops a table that Ibis keeps."""

    def __init__(self, kept: Any) -> None:
        self.kept = kept

    def __call__(self) -> None:
        try:
            self.kept.release()
        except Exception:
            # Ibis 12 with sqlglot 30 writes a DROP TABLE without the name of the table.
            self.kept.get_backend().raw_sql(f"DROP TABLE {self.kept.get_name()}")


def _nothing() -> None:
    """Polars frees its memory itself."""


def _unnested(values: Sequence[Any] | NDArray[Any]) -> str:
    """A column of a small table in DuckDB's SQL: one literal of digits and commas, which is parsed quickly.

    >>> _unnested([1, 2])
    "unnest(string_split('1,2', ',')::BIGINT[])"
    """
    items = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if isinstance(items[0], str):
        listed = ",".join(one.encode().hex() for one in items)  # so any text can stand in the literal
        return f"decode(unhex(unnest(string_split('{listed}', ','))))"
    kind = "DOUBLE" if isinstance(items[0], float) else "BIGINT"
    return f"unnest(string_split('{','.join(map(repr, items))}', ',')::{kind}[])"


def _joined(columns: list[Any]) -> Any:
    """The columns of several results, one behind the other."""
    if isinstance(columns[0], list):
        return [cell for column in columns for cell in column]
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


def union(frames: Sequence[Any]) -> Any:
    """The rows of all frames; paired, so that the statement is not deeply nested."""
    waiting = list(frames)
    while len(waiting) > 1:
        waiting = [nw.concat(waiting[i : i + 2]) for i in range(0, len(waiting), 2)]
    return waiting[0]


def join(rows: Any, table: Any, key: str, how: str) -> Any:
    """The rows with the other columns of a small table."""
    names = dict.fromkeys([*rows.collect_schema().names(), *table.collect_schema().names()])
    return rows.join(table, on=key, how=how).select(*names)  # Ibis can compute and join again only after a selection


# --- cells ---


class CellForm(NamedTuple):
    """How the cells of a column are read.

    position  of the column in the source
    dtype     its type
    is_category  whether its values are categories
    """

    position: int
    dtype: Any
    is_category: bool

    @property
    def is_text(self) -> bool:
        """Whether its cells are compared as texts: categories and integers, of which float64 has not all."""
        return kind_of(self.dtype) == TEXT or (self.is_category and self.dtype.is_integer())

    def cell(self) -> Any:
        """Its cells as texts or float64, a missing value as null, -0.0 as 0.0."""
        own = nw.nth(self.position)
        if self.is_text:
            return own if self.dtype == nw.String else own.cast(nw.String)
        if self.dtype == nw.Boolean:
            return nw.when(own).then(nw.lit(1.0)).otherwise(nw.when(~own).then(nw.lit(0.0)))
        own = self.number()
        if not self.dtype.is_integer():
            own = nw.when(~own.is_nan()).then(own)
        return nw.when(own == 0).then(nw.lit(0.0)).otherwise(own)

    def number(self) -> Any:
        """The cells of a number as float64, missing ones null or NaN."""
        own = nw.nth(self.position)
        return own if self.dtype == nw.Float64 else own.cast(nw.Float64)

    def value(self, cell: Any) -> Any:
        """The value of a category from its cell."""
        if self.dtype == nw.Boolean:
            return bool(cell)
        if self.is_text:
            return int(cell) if self.dtype.is_integer() else cell
        return float(cell)

    def key(self, value: Any) -> Any:
        """The cell of a category from its value."""
        if self.is_text:
            return str(int(value)) if self.dtype.is_integer() else value
        return float(value)


def kind_of(dtype: Any) -> str:
    """The kind of a column of this type."""
    if dtype.is_numeric():
        return NUMBER
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return TEXT
    return BOOLEAN if dtype == nw.Boolean else str(dtype)


def read_forms(frames: Frames, columns: dict[str, bool]) -> dict[str, CellForm]:
    """How columns of the source are read; by name, and whether each is declared as a category."""
    schema = frames.source.collect_schema()
    positions = {name: i for i, name in enumerate(schema.names())}
    forms = {}
    for name, is_category in columns.items():
        kind = kind_of(schema[name])
        if kind not in (NUMBER, TEXT, BOOLEAN):
            raise InputError(
                f"Column {name!r} has the type {kind}, which is not supported on a source; convert it to numbers or "
                "text, or leave it out."
            )
        forms[name] = CellForm(positions[name], schema[name], is_category or kind != NUMBER)
    return forms


# --- expressions ---


def place(value: Any, edges: Sequence[Any], leaves: Sequence[Any] | None = None) -> Any:
    """The position of the first edge that is at least the value, by bisection; the number of edges if none is.

    leaves  what is returned for each position instead of it
    """

    def among(low: int, high: int) -> Any:
        if low == high:
            return nw.lit(low) if leaves is None else leaves[low]
        middle = (low + high) // 2
        is_left = value <= edges[middle]
        return nw.when(is_left).then(among(low, middle)).otherwise(among(middle + 1, high))

    return among(0, len(edges))


def how_many(condition: Any) -> Any:
    """The number of rows for which a condition holds."""
    return nw.when(condition).then(nw.lit(1)).count()


def round_down(product: Any) -> Any:
    """A number of at least 0 as an integer, exactly as numpy.trunc rounds it. Casts round or truncate."""
    whole = product.cast(nw.Int64)
    return whole - nw.when(whole.cast(nw.Float64) > product).then(nw.lit(1)).otherwise(nw.lit(0))


def round_to_zero(product: Any) -> Any:
    """A number as an integer, exactly as numpy.trunc rounds it."""
    whole = round_down(nw.when(product < 0).then(-product).otherwise(product))
    return nw.when(product < 0).then(-whole).otherwise(whole)


def round_to_even(product: Any) -> Any:
    """A number as an integer, exactly as numpy.rint rounds it: halves to the even neighbour.

    Backends round halves differently, and casts round or truncate; but the difference to any close integer is exact.
    """
    whole = product.cast(nw.Int64)
    rest, is_odd = product - whole.cast(nw.Float64), whole % 2 == 1
    up, down = (rest > 0.5) | ((rest == 0.5) & is_odd), (rest < -0.5) | ((rest == -0.5) & is_odd)
    return whole + nw.when(up).then(nw.lit(1)).otherwise(nw.when(down).then(nw.lit(-1)).otherwise(nw.lit(0)))
