"""`treewright.read`: from a file to the table, the target and the weights that an estimator takes.

In: a path and what the user says about its columns. Out: a `Data`. The rest is detected from the cells, and
`print(data)` shows what was detected and why.
"""

import io
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from treewright.data.files.arff_reader import read_arff
from treewright.data.files.column_kinds import CATEGORY, NUMBER, find_text_kinds, find_typed_kinds
from treewright.data.files.column_roles import (
    ORDERED,
    ColumnRoles,
    ColumnsRead,
    build_data,
    merge_roles,
    roles_from_parameters,
)
from treewright.data.files.csv_table import TextOptions, only_groups_of_three, open_csv
from treewright.data.files.declared_table import DeclaredTable
from treewright.data.files.encoding import decode_text
from treewright.data.files.error_text import row_number
from treewright.data.files.loaded_data import Data
from treewright.data.files.names_reader import is_names_file, read_names
from treewright.data.files.schema_file import read_schema_file
from treewright.data.files.source import detect_format, input_path, open_source
from treewright.data.files.translatable import Translatable
from treewright.data.files.typed_reader import read_typed_frame
from treewright.errors import InputError
from treewright.extras import require
from treewright.language import N_


def read(  # noqa: PLR0913 (all options of a user)
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    format: str | None = None,  # noqa: A002 (the usual name of this option)
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
    header: bool | Sequence[str] | None = None,
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    dates: Mapping[str, str] | None = None,
    ignore: Sequence[str] = (),
    weights: str | None = None,
    schema: str | os.PathLike[str] | None = None,
) -> Data:
    """Read a table from a file.

    Parameters
    ----------
    path : path, or "-" for standard input
        May be compressed as .gz, .zst, .bz2 or .xz.
    target : str or None
        The target column; rows without a target are dropped.
    format : "csv", "tsv", "parquet", "arrow", "jsonl", "arff" or "names", default=None
        None detects it from the content and the file extension.
    delimiter, encoding, decimal : str or None
        The delimiter of a text, its encoding, and its decimal mark, "." or ",". None detects them.
    missing : list of str or None
        Missing-value markers, besides the empty cell. None is ?, NA, N/A, NaN, nan, null, NULL, None and #N/A.
    header : bool, list of names or None
        Whether the first line of a text has the column names; or the names, for a text without them.
    categorical, numeric, ignore : lists of names
        Columns to read as categories, to read as numbers, and not to read.
    ordered : dict or None
        Ordered columns and their categories, low to high.
    dates : dict or None
        Columns of dates in a text and their formats: "ymd", "dmy", "mdy", "name" (of the month), "time", "excel"
        (serial numbers), "timestamp" (seconds since 1970), or a format such as "%Y%m%d". Other dates are detected.
    weights : str or None
        The column of row weights.
    schema : path or None
        A file written by `Data.write_schema`. The other parameters override it.

    Returns
    -------
    Data
        The table `X`, the target `y`, the weights, and the kind of each column.

    Raises
    ------
    InputError
        If the file cannot be read, or a cell is not what its column requires.
    ParameterError
        If a parameter names an unknown column or contradicts another one.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> with TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "golf.csv").write_text("outlook,humidity,play\\nsunny,85,no\\nrain,?,yes\\n")
    ...     X, y = read(Path(folder) / "golf.csv", "play")
    >>> X.rows(), y.to_list()
    ([('sunny', 85.0), ('rain', None)], ['no', 'yes'])
    """
    require("polars", "Reading a table from a file")
    given = {
        "target": target,
        "weights": weights,
        "ignore": ignore,
        "categorical": categorical,
        "numeric": numeric,
        "ordered": ordered,
        "dates": dates,
    }
    saved = None if schema is None else read_schema_file(schema)
    if saved is not None and missing is None:
        missing = saved.missing

    def roles_of(names: Sequence[str]) -> ColumnRoles:
        roles = roles_from_parameters(names, given)
        return roles if saved is None else merge_roles(roles, saved.roles(names))

    return _load(path, format, TextOptions(delimiter, encoding, decimal, missing, header), roles_of)


def _load(
    path: str | os.PathLike[str],
    format: str | None,  # noqa: A002
    options: TextOptions,
    roles_of: Callable[[Sequence[str]], ColumnRoles],
) -> Data:
    """The table in a file; `roles_of` gives the roles of its columns by their names."""
    if format == "names" or (format is None and is_names_file(path)):
        return _from_declared(read_names(path, encoding=options.encoding), input_path(path), roles_of)
    with open_source(path) as source:
        kind = detect_format(source, format)
        if kind == "arff":
            text = decode_text(source.data, options.encoding, repr(source.name))
            return _from_declared(read_arff(io.StringIO(text), source.name), source.name, roles_of)
        if kind not in ("csv", "tsv"):
            frame, notes = read_typed_frame(source, kind, options)
            roles = roles_of(frame.columns)
            found = find_typed_kinds(frame, {name: roles.requested_kind(name) for name in frame.columns})
            return build_data(ColumnsRead(source.name, tuple(frame.columns), found, row_number, notes), roles)
        table = open_csv(source, options.for_format(kind))
        if options.decimal is None and table.decimal == "," and only_groups_of_three(table.sample):
            table = replace(table, decimal=".")  # the whole column decides whether 1,234 has a thousands separator
        if table.n_rows == 0:
            raise InputError(f"{table.name} has column names, but no rows; pass a file with rows.")
        roles = roles_of(table.names)
        wanted = {name: roles.requested_kind(name) for name in table.names}
        found = find_text_kinds(table, wanted, roles.formats)
        columns = ColumnsRead(source.name, table.names, found, table.where, table.notes, missing=table.missing)
        return build_data(columns, roles)


def _from_declared(table: DeclaredTable, source: str, roles_of: Callable[[Sequence[str]], ColumnRoles]) -> Data:
    """A table whose file declares its columns; the parameters of the user override the declarations."""
    names = tuple(table.frame.columns)
    kinds = dict.fromkeys(table.numeric, NUMBER) | dict.fromkeys(table.ordered, ORDERED)
    kinds |= {name: CATEGORY for name in table.levels if name not in kinds}
    ignored = tuple(name for name in names if name in table.ignored)
    reason = Translatable(N_("declared in the file"))
    declared = ColumnRoles(table.target, None, ignored, kinds, table.levels, reason=reason)
    roles = merge_roles(roles_of(names), declared)
    found = find_typed_kinds(table.frame, {name: roles.requested_kind(name) for name in names})
    weight = None if roles.weights is not None else table.weights
    return build_data(ColumnsRead(source, names, found, row_number, weight=weight), roles)
