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

    from treewright.data.files.stream import Stream
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
    (X, told, count), source = _read(path, schema.columns, [[answers], counts], options, (name,))
    codes = encode_table(told, [answers], "mark").values[:, 0]
    weight = None if weights is None else encode_table(count, counts).values[:, 0]
    known = ~np.isnan(codes)
    if not known.any():
        raise InputError(f"No row of {source} has an answer in {name!r}; give a table whose rows have one.")
    if not known.all():
        X, codes, weight = X.filter(known), codes[known], None if weight is None else weight[known]
    if weight is not None and not (weight >= 0).all():
        raise InputError(f"Column {weights!r} has a weight that is missing or below 0; give numbers of at least 0.")
    if not target.is_number:
        codes = np.where(codes == UNSEEN, -1, codes).astype(np.int32)
    return Rows(X, codes, weight, int((~known).sum()), schema, source)


def open_table(schema: "Schema", path: str, options: Mapping[str, Any]) -> Any:
    """The columns of the model from a table that needs no answers, as a frame."""
    target = options.get("target") or schema.target.name
    return _read(path, schema.columns, [], options, (target,))[0][0]


def open_column(column: "Column", path: str, options: Mapping[str, Any]) -> Any:
    """One column of a table by its name, as a series."""
    return _read(path, (), [[column]], options, ())[0][1].to_series()


def met(
    columns: "Sequence[Column]", has_names: bool, stream: "Stream", aside: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """The columns of a table that a model asks for, and whether they are met by name.

    By place only where either side has no names: then these are all the columns but those that are set aside.
    """
    import polars as pl

    from treewright.data.files.like import like_schema

    names = tuple(column.name for column in columns)
    there = set(stream.names)
    if not (has_names and stream.named) and not set(names) <= there - {*aside}:
        others = tuple(name for name in stream.names if name not in aside)
        like_schema(pl.DataFrame(schema=dict.fromkeys(others, pl.String)), columns, by_name=False)
        return others, False
    like_schema(pl.DataFrame(schema=stream.types), columns, by_name=True)  # refuses what lacks a column
    return names, True


def _read(
    path: str,
    columns: "Sequence[Column]",
    more: "Sequence[Sequence[Column]]",
    options: Mapping[str, Any],
    aside: Sequence[str],
) -> tuple[list[Any], str]:
    """The columns of a model and others of its table, as they are said to be; and what messages call the table.

    A column may be in several parts. The cells of a text are read as they are written: 007 may be a category.
    """
    import polars as pl

    from treewright.data.files.like import like_schema
    from treewright.data.files.stream import open_stream

    layout, form = layout_of(options)
    with open_stream(path, layout, form) as stream:
        names = [column.name for column in columns]
        others = [column.name for part in more for column in part]
        has_names = names != [f"x{i}" for i in range(len(names))]
        used, by_name = met(columns, has_names, stream, (*aside, *others))
        for part in more:  # before anything is read, and with all the names that a refusal may advise
            like_schema(pl.DataFrame(schema=stream.types), part, by_name=True)
        wanted = list(dict.fromkeys((*used, *others)))
        empty = pl.DataFrame(schema={name: stream.types[name] for name in wanted})
        table = pl.concat([empty, *(batch.frame for batch in stream.batches(wanted))])
        if not table.height:
            raise InputError(f"{stream.name} holds names of columns, but no rows; give a file with rows.")
        how: dict[str, Any] = {"missing": stream.missing, "decimal": stream.decimal}
        found = [like_schema(table.select(used), columns, by_name=by_name, **how)]
        return [*found, *(like_schema(table, part, by_name=True, **how) for part in more)], stream.name
