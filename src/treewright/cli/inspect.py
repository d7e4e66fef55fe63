"""`treewright inspect`: what is unusual about a table, and what the other commands do about it."""

from typing import Any

from treewright.cli.command import language_option, option, shown_text, subcommand
from treewright.cli.input_tables import data_argument, data_options, open_data, reader_options, split_names
from treewright.cli.terminal import Terminal, bold
from treewright.errors import InputError, ParameterError
from treewright.model.formatting import printable


@subcommand(
    examples=[
        "treewright inspect golf.csv",
        "treewright inspect golf.csv --target play",
        "treewright inspect iris.csv -t species --json",
    ]
)
@data_argument
@option("--regression", is_flag=True, help="Treat the target as a number.")
@option("--classes", is_flag=True, help="Treat a target of numbers as classes.")
@language_option
@data_options
def command(terminal: Terminal, **options: Any) -> None:
    """Report what is unusual about a table, and what is done about it.

    Looks for row numbers, identifiers, free text, constant columns, columns that alone predict the target (they may be
    known only after it), columns with many missing values or categories, repeated columns and rows, rare classes, and
    rows without a target. `fit`, `cv` and `compare` ignore row numbers, identifiers, free text and constant columns,
    unless --categorical, --numeric or --ordered names them.
    """
    from treewright.data.categorical_features import FROM_DTYPE
    from treewright.data.encode import read_table
    from treewright.data.files.column_roles import roles_from_parameters
    from treewright.data.schema import input_names
    from treewright.evaluate.table_findings import TargetColumn, find_all
    from treewright.evaluate.table_report import TableReport

    data = open_data({**options, "target": None})  # so that rows without a target are counted
    target = options["target"] or data.target
    frame = data.X if data.y is None else data.X.with_columns(data.y)
    roles_from_parameters(frame.columns, {**reader_options({}), "target": target})
    if frame.width == (target is not None):
        raise InputError("The table has no column besides the target; use a table with more columns.")
    for note in data.notes:
        terminal.note(printable(shown_text(note, terminal.language)))
    declared = data.categorical_features
    if isinstance(declared, dict):
        declared = {name: levels for name, levels in declared.items() if name != target} or FROM_DTYPE
    table = read_table(frame if target is None else frame.drop(target), declared)
    kept = (*split_names(options["categorical"]), *split_names(options["numeric"]))
    if options["regression"] and options["classes"]:
        raise ParameterError("--regression and --classes exclude each other; use one of them.")
    is_number = True if options["regression"] else False if options["classes"] else None
    y = None if target is None else TargetColumn.read(frame[target], is_number=is_number)
    found = find_all(table.columns, table.values, y, kept=kept, language=options["language"])
    n_classes = None if y is None else y.n_classes
    n_columns, language = len(input_names(table.columns)), options["language"]
    report = TableReport(frame.height, n_columns, target, n_classes, tuple(found), language)
    terminal.print_json({"data": data.source, **report.to_dict()})
    head, *lines = str(report).splitlines()
    terminal.print(bold(f"{printable(data.source)}: {head}"))
    for line in lines:
        terminal.print(line)
