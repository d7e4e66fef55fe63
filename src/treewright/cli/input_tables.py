"""Tables on the command line: the options about a table, and reading it for training or for a model.

A table for training is read as `treewright.read` does. For a model its columns are found by name and read with the
kinds that the model knows; other columns are left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import Decorator, FileName, combine_options, option
from treewright.errors import InputError, ParameterError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright.data.files.csv_table import TextOptions
    from treewright.data.files.loaded_data import Data
    from treewright.data.files.stream import Stream
    from treewright.data.schema import Column, Schema

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "arff", "names")
READING, COLUMNS = "Reading the table", "Columns"

data_argument = click.argument("data", metavar="DATA", type=FileName())
"""DATA: the path of a table."""

header_option = option(
    "--header/--no-header",
    default=None,
    group=READING,
    help="Whether the first line of a text file has the column names; detected by default.",
)
_READING = (
    option(
        "--format",
        type=click.Choice(FORMATS),
        group=READING,
        help="File format; detected by default.",
    ),
    option(
        "--delimiter",
        metavar="CHARACTER",
        group=READING,
        help="Delimiter of a text file; detected by default.",
    ),
    option(
        "--encoding",
        metavar="NAME",
        group=READING,
        help="Encoding of a text file, such as gb18030; detected by default.",
    ),
    option("--decimal", metavar="CHARACTER", group=READING, help="Decimal separator of a text file: . or ,"),
    option(
        "--missing-marker",
        metavar="TEXT",
        multiple=True,
        group=READING,
        help="Text that means a missing value; may be repeated.",
    ),
    header_option,
    option("--schema", metavar="FILE", group=READING, help="Schema file with the kinds of the columns."),
)
_TARGET = option("-t", "--target", metavar="COLUMN", group=COLUMNS, help="Target column.")
_WEIGHTS = option("--weights", metavar="COLUMN", group=COLUMNS, help="Column with the sample weights.")
_KINDS = (
    option(
        "--ignore",
        metavar="COLUMNS",
        multiple=True,
        group=COLUMNS,
        help="Columns to leave out, separated by commas.",
    ),
    option(
        "--categorical",
        metavar="COLUMNS",
        multiple=True,
        group=COLUMNS,
        help="Columns to treat as categories.",
    ),
    option("--numeric", metavar="COLUMNS", multiple=True, group=COLUMNS, help="Columns to treat as numbers."),
    option(
        "--ordered",
        metavar="COLUMN=LOW<…<HIGH",
        multiple=True,
        group=COLUMNS,
        help="Column with ordered categories, such as size=S<M<L.",
    ),
    option(
        "--date",
        metavar="COLUMN=FORMAT",
        multiple=True,
        group=COLUMNS,
        help="Column of dates: ymd, dmy, mdy, excel, timestamp, or a format such as %Y%m%d.",
    ),
)


def data_options(function: Any) -> Any:
    """Add the options on how a table is read and what its columns are."""
    return combine_options(_TARGET, _WEIGHTS, *_KINDS, *_READING)(function)


def other_data_options(function: Any) -> Any:
    """Add the same without --target, --format and --schema, for a command with its own."""
    return combine_options(_WEIGHTS, *_KINDS, *_READING[1:-1])(function)


def reading_options(function: Any) -> Any:
    """Add the options on how the file of a table is read."""
    return combine_options(*_READING)(function)


def rows_options(words: str | None = None, *, weights: bool = True) -> Decorator:
    """Add the options on how rows for a model are read; the model has the kinds of its columns.

    words    help of `--data FILE`, if rows are optional; None if DATA is an argument of the command
    weights  whether the command uses sample weights
    """
    named = (_TARGET, _WEIGHTS) if weights else (_TARGET,)
    if words is None:
        return combine_options(*named, *_READING[:-1])
    given = option("--data", type=FileName(), metavar="FILE", group="Rows", help=words)
    kind = option(
        "--data-format", "format", type=click.Choice(FORMATS), group=READING, help="File format of --data."
    )
    return combine_options(given, *named, kind, *_READING[1:-1])


def open_data(options: Mapping[str, Any]) -> "Data":
    """Read the table that the options describe."""
    from treewright.data.files.table_reader import read

    return read(options["data"], options.get("target"), **reader_options(options))


def reader_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options as keywords of `treewright.read`.

    >>> reader_options({"ignore": ("id, name", "day"), "ordered": ("size=S<M<L",)})["ignore"]
    ('id', 'name', 'day')
    """
    ordered = dict(map(read_ordered, options.get("ordered", ())))
    return {
        "format": options.get("format"),
        "delimiter": _character(options.get("delimiter")),
        "encoding": options.get("encoding"),
        "decimal": options.get("decimal"),
        "missing": list(options.get("missing_marker") or ()) or None,
        "header": options.get("header"),
        "categorical": split_names(options.get("categorical", ())),
        "numeric": split_names(options.get("numeric", ())),
        "ordered": ordered or None,
        "dates": dict(map(read_date_option, options.get("date", ()))) or None,
        "ignore": split_names(options.get("ignore", ())),
        "weights": options.get("weights"),
        "schema": options.get("schema"),
    }


def text_options(options: Mapping[str, Any]) -> "tuple[TextOptions, str | None]":
    """Return the options of a text file and the file format, as arguments of `open_stream`."""
    from treewright.data.files.csv_table import TextOptions

    given = reader_options(options)
    if given["schema"] is not None and given["missing"] is None:
        from treewright.data.files.schema_file import read_schema_file

        given["missing"] = read_schema_file(given["schema"]).missing
    names = ("delimiter", "encoding", "decimal", "missing", "header")
    return TextOptions(*(given[name] for name in names)), given["format"]


def split_names(given: Iterable[str]) -> tuple[str, ...]:
    """Split column names at commas; "\\," is a comma in a name.

    >>> split_names(["a,b", "c"]), split_names([r"a\\,b"])
    (('a', 'b', 'c'), ('a,b',))
    """
    names: list[str] = []
    for text in given:
        parts = text.replace("\\,", "\0").split(",")
        names += [name.strip().replace("\0", ",") for name in parts if name.strip()]
    return tuple(names)


def read_ordered(given: str) -> tuple[str, list[str]]:
    """Parse a column and its levels, low to high.

    >>> read_ordered("size=S<M<L")
    ('size', ['S', 'M', 'L'])
    """
    name, found, levels = given.partition("=")
    parts = [level.strip() for level in levels.split("<")]
    if not found or not name.strip() or len(parts) < 2 or not all(parts):
        raise ParameterError(
            f"--ordered expects a column and its categories from low to high, such as 'size=small<medium<large', "
            f"got {given!r}."
        )
    return name.strip(), parts


def read_date_option(given: str) -> tuple[str, str]:
    """Parse a column and its date format.

    >>> read_date_option("sold=excel")
    ('sold', 'excel')
    """
    name, found, form = given.partition("=")
    if not found or not name.strip() or not form.strip():
        raise ParameterError(f"--date expects a column and its format, such as sold=excel, got {given!r}.")
    return name.strip(), form.strip()


def _character(given: str | None) -> str | None:
    return {"\\t": "\t", "tab": "\t"}.get(given, given) if given is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class LabelledRows:
    """Labelled rows for a model; rows without a target value are left out.

    X           the columns of the model, as a frame
    codes       int32 class codes, -1 for a class that is not in the training data; or float64 numbers
    weight      float64, or None
    n_left_out  rows left out because they have no target value
    schema      that of the model
    source      name of the table in messages
    """

    X: Any
    codes: "NDArray[Any]"
    weight: "NDArray[np.float64] | None"
    n_left_out: int
    schema: "Schema"
    source: str

    @property
    def y(self) -> Any:
        """The target as the model's methods take it; an unknown class is None."""
        classes = self.schema.target.classes
        return (
            self.codes
            if classes is None
            else [None if code < 0 else classes[code] for code in self.codes.tolist()]
        )

    def as_training(self) -> dict[str, Any]:
        """Return the rows as keywords for training rows."""
        return {"X": self.X, "y": self.y, "sample_weight": self.weight}

    def as_validation(self) -> dict[str, Any]:
        """Return the rows as keywords for validation rows."""
        return {"X_val": self.X, "y_val": self.y, "sample_weight_val": self.weight}


def open_rows(schema: "Schema", path: str, options: Mapping[str, Any]) -> LabelledRows:
    """Read labelled rows for a model; rows without a target value are left out."""
    import numpy as np

    from treewright.data.encode import UNSEEN, encode_table
    from treewright.data.schema import Column, Kind

    target, weights = schema.target, options.get("weights")
    name = options.get("target") or target.name
    kind = Kind.NUMBER if target.is_number else Kind.CATEGORY
    label_column = Column(name, kind, target.classes or (), target.format)
    counts = [] if weights is None else [Column(weights, Kind.NUMBER)]
    (X, labels, count), source = _read_parts(path, schema.columns, [[label_column], counts], options, (name,))
    codes = encode_table(labels, [label_column], "mark").values[:, 0]
    weight = None if weights is None else encode_table(count, counts).values[:, 0]
    known = ~np.isnan(codes)
    if not known.any():
        raise InputError(
            f"Column {name!r} of {source} has only missing values; use a table with target values."
        )
    if not known.all():
        X, codes, weight = X.filter(known), codes[known], None if weight is None else weight[known]
    if weight is not None and not (weight >= 0).all():
        raise InputError(
            f"Weights must be numbers of at least 0, but column {weights!r} has a missing or negative value."
        )
    if not target.is_number:
        codes = np.where(codes == UNSEEN, -1, codes).astype(np.int32)
    return LabelledRows(X, codes, weight, int((~known).sum()), schema, source)


def open_table(schema: "Schema", path: str, options: Mapping[str, Any]) -> Any:
    """Read the columns of a model from a table, as a frame; the target is not needed."""
    target = options.get("target") or schema.target.name
    return _read_parts(path, schema.columns, [], options, (target,))[0][0]


def open_column(column: "Column", path: str, options: Mapping[str, Any]) -> Any:
    """Read one column of a table by its name, as a series."""
    return _read_parts(path, (), [[column]], options, ())[0][1].to_series()


def find_model_columns(
    columns: "Sequence[Column]", has_names: bool, stream: "Stream", aside: Sequence[str]
) -> tuple[tuple[str, ...], bool]:
    """Return the columns of a table that a model uses, and whether they are matched by name.

    They are matched by position only if the model or the table has no names: then they are all columns but `aside`.
    """
    import polars as pl

    from treewright.data.files.model_rows import select_model_columns
    from treewright.data.schema import input_names

    names = tuple(input_names(columns))
    there = set(stream.names)
    if not (has_names and stream.named) and not set(names) <= there - {*aside}:
        others = tuple(name for name in stream.names if name not in aside)
        select_model_columns(pl.DataFrame(schema=dict.fromkeys(others, pl.String)), columns, by_name=False)
        return others, False
    select_model_columns(
        pl.DataFrame(schema=stream.types), columns, by_name=True
    )  # an error if a column is missing
    return names, True


def _read_parts(
    path: str,
    columns: "Sequence[Column]",
    more: "Sequence[Sequence[Column]]",
    options: Mapping[str, Any],
    aside: Sequence[str],
) -> tuple[list[Any], str]:
    """Read the columns of a model and further parts of a table, with the given kinds; and its name in messages.

    A column may be in several parts. The cells of a text file are read as they are written: 007 may be a category.
    """
    import polars as pl

    from treewright.data.files.column_names import columns_named
    from treewright.data.files.model_rows import select_model_columns
    from treewright.data.files.stream import open_stream
    from treewright.data.schema import input_names

    layout, form = text_options(options)
    with open_stream(path, layout, form) as stream:
        names = input_names(columns)
        others = [column.name for part in more for column in part]
        has_names = names != [f"x{i}" for i in range(len(names))]
        used, by_name = find_model_columns(columns, has_names, stream, (*aside, *others))
        for part in more:  # before rows are read, so that an error can suggest any name
            select_model_columns(pl.DataFrame(schema=stream.types), part, by_name=True)
        wanted = list(dict.fromkeys((*used, *others)))
        empty = pl.DataFrame(schema={name: stream.types[name] for name in wanted})
        table = pl.concat([empty, *(batch.frame for batch in stream.batches(wanted))])
        if not table.height:
            raise InputError(f"{stream.name} has a header but no rows; use a file with rows.")
        how: dict[str, Any] = {"missing": stream.missing, "decimal": stream.decimal}
        found = [select_model_columns(table.select(columns_named(used)), columns, by_name=by_name, **how)]
        return [
            *found,
            *(select_model_columns(table, part, by_name=True, **how) for part in more),
        ], stream.name
