"""`treewright explain`: the prediction for one row, its path, its training rows, and what would change it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import language_option, option, subcommand
from treewright.cli.input_tables import open_table, rows_options
from treewright.cli.models import model_argument, open_model, schema_of
from treewright.cli.option_values import read_object
from treewright.cli.terminal import Terminal
from treewright.errors import InputError

if TYPE_CHECKING:
    from treewright.data.schema import Schema

MISSING = ("", "?")
"""Text that means a missing value on the command line."""


@subcommand(
    examples=[
        "treewright explain golf.json outlook=sunny humidity=80 windy=false",
        """treewright explain golf.json '{"outlook": "rain", "windy": true}'""",
        "treewright explain golf.json --data golf.csv --row 5 --json",
    ]
)
@model_argument
@click.argument("row", nargs=-1, metavar="[ROW]")
@option(
    "--row",
    "number",
    type=click.IntRange(0),
    metavar="N",
    group="Rows",
    help="Row of --data; 0 is the first.",
)
@option("--confidence", type=float, default=0.95, metavar="P", help="Confidence of the intervals [0.95].")
@option(
    "--changes",
    type=click.IntRange(0),
    default=3,
    metavar="N",
    help="Number of nearest changes that change the prediction [3].",
)
@language_option
@rows_options("Table with the row.", weights=False)
def command(terminal: Terminal, model: str, row: tuple[str, ...], data: str | None, **options: Any) -> None:
    """Explain the prediction for one row.

    ROW is COLUMN=VALUE pairs or a JSON object; columns that are not given, and ?, are missing values. Instead, --data
    and --row take a row of a table. Rows are numbered from 0, as in the output.
    """
    found = open_model(model)
    schema, number = schema_of(found), options["number"]
    if (data is None) == (not row) or (data is None) != (number is None):
        raise click.UsageError("Expected either a row as COLUMN=VALUE pairs, or both --data FILE and --row N")
    if data is None:
        case = make_row(schema, read_row(row))
    else:
        table = open_table(schema, data, options)
        if number >= len(table):
            raise InputError(f"Row {number} not found in {data!r}; its rows are 0 to {len(table) - 1}.")
        case = table[number : number + 1]
    explanation = explain_row(found, case, options)
    terminal.print_json(explanation.to_dict() if terminal.as_json else None)
    terminal.print(str(explanation))


def explain_row(model: Any, case: Any, options: Mapping[str, Any]) -> Any:
    """Return the explanation of a table of one row, by an estimator, a tree or rules."""
    from treewright.model.tree import Tree

    limits = {
        "confidence": options["confidence"],
        "n_changes": options["changes"],
        "language": options["language"],
    }
    if not isinstance(model, Tree):
        if not hasattr(model, "tree_"):
            return replace(model, language=options["language"]).explain(case)
        return model.explain(case, **limits)
    from treewright.data.encode import encode_table
    from treewright.explain.explanation import TrainingContext, explain
    from treewright.predict.missing_policy import MissingPolicy

    encoded = encode_table(case, model.schema.columns, "mark")
    return explain(model, encoded, MissingPolicy(), TrainingContext(), **limits)


def read_row(words: Sequence[str]) -> dict[str, str | None]:
    """Parse the cells of a row, by column.

    >>> read_row(["outlook=sunny", "humidity=?"]), read_row(['{"windy": true, "humidity": 80.5}'])
    ({'outlook': 'sunny', 'humidity': None}, {'windy': 'true', 'humidity': '80.5'})
    """
    if len(words) == 1 and words[0].lstrip().startswith("{"):
        given = read_object(words[0], "The row", 'expected an object such as {"humidity": 80}.')
        return {name: _cell(value) for name, value in given.items()}
    found: dict[str, str | None] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise InputError(f"Expected COLUMN=VALUE, such as humidity=80, or a JSON object, got {word!r}.")
        if name in found:
            raise InputError(f"Column {name!r} is given twice; use each column once.")
        found[name] = None if value in MISSING else value
    return found


def make_row(schema: "Schema", cells: Mapping[str, str | None]) -> Any:
    """Return a table of one row for a model; an unknown column is an error."""
    from treewright.cli.main import did_you_mean
    from treewright.data.files.model_rows import match_row
    from treewright.data.schema import input_names

    names = input_names(schema.columns)
    for name in cells:
        if name not in names:
            advice = did_you_mean(name, names) or f"; its columns are {', '.join(map(repr, names[:12]))}."
            raise InputError(f"Unknown column {name!r}{advice}")
    return match_row(cells, schema.columns)


def _cell(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict | list):
        raise InputError(f"Each column of a row must have one value, got {json.dumps(value)}.")
    return json.dumps(value)
