"""Rows: a table read for a model, whose columns say what is to be read and how.

In: a model, the path of a table and the options about reading. Out: its rows as the model's own methods take them, and
in the codes of its tree. Columns that the model does not know are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.cli.tables import layout_of
from treewright.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright.data.schema import Column, Schema


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows for a model, those without an answer left out.

    X       the columns of the model, as a frame
    codes   int32 codes of the classes, -1 where training never showed it; or float64 numbers
    weight  float64, or None
    n_out   rows left out because they have no answer
    schema  that of the model
    source  what messages call the table
    """

    X: Any
    codes: "NDArray[Any]"
    weight: "NDArray[np.float64] | None"
    n_out: int
    schema: "Schema"
    source: str

    @property
    def y(self) -> Any:
        """The answers as the model's methods take them; a class that training never showed is None."""
        classes = self.schema.target.classes
        return self.codes if classes is None else [None if code < 0 else classes[code] for code in self.codes.tolist()]

    def again(self) -> dict[str, Any]:
        """As methods take the rows a model was grown on."""
        return {"X": self.X, "y": self.y, "sample_weight": self.weight}

    def validation(self) -> dict[str, Any]:
        """As methods take rows to prune by."""
        return {"X_val": self.X, "y_val": self.y, "sample_weight_val": self.weight}


def open_rows(schema: "Schema", path: str, options: Mapping[str, Any]) -> Rows:
    """The rows of a table and their answers, as the model knows them; those without an answer are left out."""
    import numpy as np

    from treewright.data.encode import UNSEEN, encode_table
    from treewright.data.schema import Column, Kind

    target, weights = schema.target, options.get("weights")
    name = options.get("target") or target.name
    kind = Kind.NUMBER if target.is_number else Kind.CATEGORY
    answers = Column(name, kind, target.classes or ())
    counts = [] if weights is None else [Column(weights, Kind.NUMBER)]
    (X, told, count), source = _read(path, [schema.columns, [answers], counts], options)
    codes = encode_table(told, [answers], "mark").values[:, 0]
    weight = None if weights is None else encode_table(count, counts).values[:, 0]
    known = ~np.isnan(codes)
    if not known.all():
        X, codes, weight = X.filter(known), codes[known], None if weight is None else weight[known]
    if weight is not None and not (weight >= 0).all():
        raise InputError(f"Column {weights!r} has a weight that is missing or below 0; give numbers of at least 0.")
    if not target.is_number:
        codes = np.where(codes == UNSEEN, -1, codes).astype(np.int32)
    return Rows(X, codes, weight, int((~known).sum()), schema, source)


def open_table(schema: "Schema", path: str, options: Mapping[str, Any]) -> Any:
    """The columns of the model from a table that needs no answers, as a frame."""
    return _read(path, [schema.columns], options)[0][0]


def _read(path: str, parts: "Sequence[Sequence[Column]]", options: Mapping[str, Any]) -> tuple[list[Any], str]:
    """Columns of a table in parts, each taken for what it is said to be, and what messages call the table.

    A column may be in several parts. The cells of a text are read as they are written: 007 may be a category.
    """
    import polars as pl

    from treewright.data.files.like import like_schema
    from treewright.data.files.stream import open_stream

    layout, form = layout_of(options)
    with open_stream(path, layout, form) as stream:
        names = dict.fromkeys(column.name for columns in parts for column in columns)
        wanted = [name for name in names if name in stream.types]
        # Without any of the columns there is nothing to read, and the refusal names the closest ones of the file.
        empty = pl.DataFrame(schema={name: stream.types[name] for name in wanted or stream.types})
        table = pl.concat([empty, *(batch.frame for batch in stream.batches(wanted))]) if wanted else empty
        how: dict[str, Any] = {"by_name": True, "missing": stream.missing, "decimal": stream.decimal}
        return [like_schema(table, columns, **how) for columns in parts], stream.name
