"""Explain: why a row is answered as it is.

In: a model and a row: name=value pairs, a JSON object, or a row of a file. Out: the answer, the way to it, the rows
behind it, and what would alter it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.models import model_argument, open_model, schema_of
from treewright.cli.rows import open_table
from treewright.cli.tables import rows_options
from treewright.cli.terminal import Terminal
from treewright.cli.values import read_object
from treewright.cli.verb import option, verb
from treewright.errors import InputError

if TYPE_CHECKING:
    from treewright.data.schema import Schema

MISSING = ("", "?")
"""What stands for a missing value on the command line."""


@verb(
    examples=[
        "treewright explain golf.json outlook=sunny humidity=80 windy=false",
        """treewright explain golf.json '{"outlook": "rain", "windy": true}'""",
        "treewright explain golf.json --data golf.csv --row 5 --json",
    ]
)
@model_argument
@click.argument("row", nargs=-1, metavar="[ROW]")
@option("--row", "number", type=click.IntRange(0), metavar="N", group="Rows", help="Which row; 0 is the first.")
@option("--confidence", type=float, default=0.95, metavar="P", help="Of the intervals [0.95].")
@option("--changes", type=click.IntRange(0), default=3, metavar="N", help="How many changes that alter it [3].")
@rows_options("A table with the row.", weights=False)
def command(terminal: Terminal, model: str, row: tuple[str, ...], data: str | None, **options: Any) -> None:
    """Why a row is answered as it is.

    ROW is COLUMN=VALUE pairs or a JSON object; columns that are left out, and ?, are missing values. Rows are numbered
    from 0, as in the lists of rows that an explanation prints.
    """
    asked = open_model(model)
    schema, number = schema_of(asked), options["number"]
    if (data is None) == (not row) or (data is None) != (number is None):
        raise click.UsageError("Give either a row as COLUMN=VALUE pairs, or both --data FILE and --row N")
    if data is None:
        case = one_row(schema, read_row(row))
    else:
        table = open_table(schema, data, options)
        if number >= len(table):
            raise InputError(f"{data!r} has no row {number}; its rows are 0 to {len(table) - 1}.")
        case = table[number : number + 1]
    found = explained(asked, case, options["confidence"], options["changes"])
    terminal.give(found.to_dict() if terminal.as_json else None)
    terminal.say(str(found))


def explained(model: Any, case: Any, confidence: float, n_changes: int) -> Any:
    """Why a model answers a table of one row as it does: an estimator, a tree alone, or rules."""
    from treewright.model.tree import Tree

    if not isinstance(model, Tree):
        limits = {"confidence": confidence, "n_changes": n_changes} if hasattr(model, "tree_") else {}
        return model.explain(case, **limits)
    from treewright.data.encode import encode_table
    from treewright.explain.answer import Around, explain
    from treewright.predict.rule import Rule

    encoded = encode_table(case, model.schema.columns, "mark")
    return explain(model, encoded, Rule(), Around(), confidence=confidence, n_changes=n_changes)


def read_row(words: Sequence[str]) -> dict[str, str | None]:
    """The cells of a row as they were written, by column.

    >>> read_row(["outlook=sunny", "humidity=?"]), read_row(['{"windy": true, "humidity": 80.5}'])
    ({'outlook': 'sunny', 'humidity': None}, {'windy': 'true', 'humidity': '80.5'})
    """
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        given = read_object(words[0], "The row", 'check it, as in {"humidity": 80}.')
        return {name: _cell(value) for name, value in given.items()}
    found: dict[str, str | None] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(f"{word!r} is no COLUMN=VALUE pair; write for example humidity=80, or a JSON object.")
        if name in found:
            raise InputError(f"Column {name!r} is given twice; give each column once.")
        found[name] = None if value in MISSING else value
    return found


def one_row(schema: "Schema", cells: Mapping[str, str | None]) -> Any:
    """A table of one row that the model understands; a name that it does not know is refused."""
    from treewright.cli.main import did_you_mean
    from treewright.data.files.like import row_like_schema

    for name in cells:
        if name not in schema.names:
            advice = did_you_mean(name, schema.names) or f"; its columns are {', '.join(map(repr, schema.names[:12]))}."
            raise InputError(f"The model has no column {name!r}{advice}")
    return row_like_schema(cells, schema.columns)


def _cell(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        raise InputError(f"A row holds one value for each column, but {json.dumps(value)} is several; write just one.")
    return json.dumps(value)
