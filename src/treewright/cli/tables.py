"""Tables: from the options about a file of rows to a `Data`.

In: the path of a table ("-" is stdin) and the options that say how it is read. Out: the table as `treewright.read`
gives it; or for a model, its columns as the model knows them.
"""

import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.verb import Decorator, FileName, option, stacked
from treewright.errors import ParameterError

if TYPE_CHECKING:
    from treewright.data.files.data import Data
    from treewright.data.files.text import Layout

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "arff", "names")
READING, COLUMNS = "Reading the table", "Columns"

data_argument = click.argument("data", metavar="DATA", type=FileName())
"""DATA: the path of a table."""

header_option = option(
    "--header/--no-header",
    default=None,
    group=READING,
    help="The first line of a text holds the names, also where they are numbers; or it is a row.",
)
_READING = (
    option(
        "--format",
        type=click.Choice(FORMATS),
        group=READING,
        help="The format of the file, where neither its name nor its content says it.",
    ),
    option("--delimiter", metavar="CHARACTER", group=READING, help="What parts the fields of a line."),
    option("--encoding", metavar="NAME", group=READING, help="The encoding of the text, such as gb18030."),
    option("--decimal", metavar="CHARACTER", group=READING, help="The decimal mark of numbers: . or ,"),
    option(
        "--missing-marker",
        metavar="TEXT",
        multiple=True,
        group=READING,
        help="What stands for a missing value; may be given several times.",
    ),
    header_option,
    option("--schema", metavar="FILE", group=READING, help="A schema file that says what the columns are."),
)
_TARGET = option("-t", "--target", metavar="COLUMN", group=COLUMNS, help="The column that holds the answers.")
_WEIGHTS = option("--weights", metavar="COLUMN", group=COLUMNS, help="The column with the weights of the rows.")
_KINDS = (
    option("--ignore", metavar="COLUMNS", multiple=True, group=COLUMNS, help="Columns that are left out."),
    option("--categorical", metavar="COLUMNS", multiple=True, group=COLUMNS, help="Columns that are categories."),
    option("--numeric", metavar="COLUMNS", multiple=True, group=COLUMNS, help="Columns that are numbers."),
    option(
        "--ordered",
        metavar="COLUMN=LOW<…<HIGH",
        multiple=True,
        group=COLUMNS,
        help="A column whose categories have an order.",
    ),
)


def data_options(function: Any) -> Any:
    """Adds the options that say how a table is read, and what its columns are."""
    return stacked(_TARGET, _WEIGHTS, *_KINDS, *_READING)(function)


def other_data_options(function: Any) -> Any:
    """The same without --target, --format and --schema, for a verb that has its own words for them."""
    return stacked(_WEIGHTS, *_KINDS, *_READING[1:-1])(function)


def reading_options(function: Any) -> Any:
    """Adds the options that say how the file of a table is read."""
    return stacked(*_READING)(function)


def rows_options(words: str | None = None, *, weights: bool = True) -> Decorator:
    """Adds the options that say how rows for a model are read: the model knows what its columns are.

    words    what the help page says of `--data FILE`, where rows are a choice; None: DATA is an argument of the verb
    weights  whether the verb counts the rows by their weights
    """
    named = (_TARGET, _WEIGHTS) if weights else (_TARGET,)
    if words is None:
        return stacked(*named, *_READING[:-1])
    given = option("--data", type=FileName(), metavar="FILE", group="Rows", help=words)
    kind = option(
        "--data-format", "format", type=click.Choice(FORMATS), group=READING, help="The format of that file."
    )
    return stacked(given, *named, kind, *_READING[1:-1])


def open_data(options: Mapping[str, Any]) -> "Data":
    """The table that the options describe."""
    from treewright.data.files.read import read

    return read(options["data"], options.get("target"), **reading(options))


def reading(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as `treewright.read` takes them.

    >>> reading({"ignore": ("id, name", "day"), "ordered": ("size=S<M<L",)})["ignore"]
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
        "categorical": listed(options.get("categorical", ())),
        "numeric": listed(options.get("numeric", ())),
        "ordered": ordered or None,
        "ignore": listed(options.get("ignore", ())),
        "weights": options.get("weights"),
        "schema": options.get("schema"),
    }


def layout_of(options: Mapping[str, Any]) -> "tuple[Layout, str | None]":
    """What the options say about a text, and the format of the file: as `open_stream` takes them."""
    from treewright.data.files.text import Layout

    given = reading(options)
    if given["schema"] is not None and given["missing"] is None:
        from treewright.data.files.schema_file import read_schema_file

        given["missing"] = read_schema_file(given["schema"]).missing
    names = ("delimiter", "encoding", "decimal", "missing", "header")
    return Layout(*(given[name] for name in names)), given["format"]


def listed(given: Iterable[str]) -> tuple[str, ...]:
    """The names in options that may be repeated or hold several names between commas; "\\," is a comma of a name.

    >>> listed(["a,b", "c"]), listed([r"a\\,b"])
    (('a', 'b', 'c'), ('a,b',))
    """
    names: list[str] = []
    for text in given:
        parts = text.replace("\\,", "\0").split(",")
        names += [name.strip().replace("\0", ",") for name in parts if name.strip()]
    return tuple(names)


def pasted(name: str) -> str:
    """The name of a column as it is typed behind an option that takes several names.

    >>> pasted("size"), pasted("size, in $")
    ('size', "'size\\\\, in $'")
    """
    return shlex.quote(name.replace(",", "\\,"))


def read_ordered(given: str) -> tuple[str, list[str]]:
    """A column and its levels, low to high.

    >>> read_ordered("size=S<M<L")
    ('size', ['S', 'M', 'L'])
    """
    name, found, levels = given.partition("=")
    parts = [level.strip() for level in levels.split("<")]
    if not found or not name.strip() or len(parts) < 2 or not all(parts):
        raise ParameterError(
            f"--ordered {given!r} cannot be read; write the column and its categories from low to high, "
            "as in --ordered 'size=small<middle<large'."
        )
    return name.strip(), parts


def _character(given: str | None) -> str | None:
    return {"\\t": "\t", "tab": "\t"}.get(given, given) if given is not None else None
