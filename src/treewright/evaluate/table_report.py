"""`treewright.inspect`: what is unusual about a table, and what is done about it.

In: a table and its target. Out: a `TableReport` with a `Finding` for each column, class or group of rows that can make
a tree wrong or useless. The findings are made in `table_findings`.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from treewright.data.encode import Table, read_table
from treewright.data.files.column_names import known_columns
from treewright.data.frames import to_narwhals
from treewright.data.schema import input_names
from treewright.errors import InputError, KindError
from treewright.evaluate.table_findings import Finding, TargetColumn, find_all
from treewright.language import messages
from treewright.text_table import Grid, element, new_frame, printable, truncate


@dataclass(frozen=True, slots=True, eq=False)
class TableReport:
    """What `treewright.inspect` found in a table.

    Attributes
    ----------
    n_rows, n_columns : int
        Size of the table; the target is not counted as a column.
    target : str or None
        Name of the target.
    n_classes : int or None
        Number of classes; None for a number, or without a target.
    findings : tuple of Finding
        In the order of the columns; findings about the target and the rows are last.
    language : str
        Language of the sentences.

    Examples
    --------
    >>> report = TableReport(14, 4, "play", 2, ())
    >>> print(report)
    14 rows, 4 columns, target play: 2 classes
    <BLANKLINE>
    Nothing unusual was found.
    """

    n_rows: int
    n_columns: int
    target: str | None
    n_classes: int | None
    findings: tuple[Finding, ...]
    language: str = "en"

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data that JSON can hold.

        Examples
        --------
        >>> TableReport(14, 4, None, None, ()).to_dict()["rows"]
        14
        """
        return {
            "rows": self.n_rows,
            "columns": self.n_columns,
            "target": self.target,
            "task": self._task(),
            "classes": self.n_classes,
            "findings": [asdict(one) for one in self.findings],
        }

    def to_frame(self) -> Any:
        """Return the findings as a data frame, one row for each.

        Examples
        --------
        >>> inspect([["a", i] for i in range(5)]).to_frame().shape
        (1, 4)
        """
        names = ("column", "kind", "found", "action")
        return new_frame({name: [getattr(one, name) for one in self.findings] for name in names})

    def _task(self) -> str | None:
        if self.target is None:
            return None
        return "regression" if self.n_classes is None else "classification"

    def _head(self) -> str:
        _ = messages(self.language)
        rows = _.plural("{n} row", "{n} rows", self.n_rows, n=f"{self.n_rows:,}")
        columns = _.plural("{n} column", "{n} columns", self.n_columns, n=f"{self.n_columns:,}")
        if self.target is None:
            return _("{rows}, {columns}, no target", rows=rows, columns=columns)
        if self.n_classes is None:
            kind = _("a number (regression)")
        else:
            kind = _.plural("{n} class", "{n} classes", self.n_classes, n=f"{self.n_classes:,}")
        target = printable(truncate(self.target, 40))
        return _("{rows}, {columns}, target {target}: {kind}", rows=rows, columns=columns, target=target, kind=kind)

    def _subject(self, finding: Finding) -> str:
        _ = messages(self.language)
        return _("(rows)") if finding.column is None else printable(truncate(finding.column, 40))

    def __str__(self) -> str:
        _ = messages(self.language)
        lines = [self._head(), ""]
        for one in self.findings:
            line = _("{column}: {found}.", column=self._subject(one), found=printable(one.found))
            lines += [line, f"    {printable(one.action)}"]
        return "\n".join(lines if self.findings else [*lines, _("Nothing unusual was found.")])

    def _repr_html_(self) -> str:
        _ = messages(self.language)
        head = element("p", self._head())
        if not self.findings:
            return head + element("p", _("Nothing unusual was found."))
        rows = [[self._subject(one), printable(one.found), printable(one.action)] for one in self.findings]
        return head + Grid([_("column"), _("found"), _("action")], rows, [False] * 3, []).html()


def inspect(frame: Any, target: Any = None, *, language: str = "en") -> TableReport:
    """Report what is unusual about a table: row numbers, identifiers, free text, leaks of the target, and more.

    Estimators keep every column of the table that they are fitted on. The command line leaves out row numbers,
    identifiers, free text and constant columns. The report says which columns these are, and also names columns that
    alone predict the target, columns with many missing values or categories, repeated columns and rows, and rare
    classes. It does not change the table.

    Parameters
    ----------
    frame : table
        What `fit` takes as X, or a `Data` from `treewright.read`; the target may be one of its columns.
    target : str, array-like or None
        Name of the target column in `frame`, or the values of the target.
    language : {"en", "zh"}
        Language of the sentences.

    Returns
    -------
    TableReport
        To print, or to read finding by finding.

    Raises
    ------
    InputError
        If there are no rows, or no column has the name `target`.

    Examples
    --------
    >>> rows = {"id": list(range(100, 140)), "size": [1, 2, 3, 4] * 10, "fits": ["no", "yes"] * 20}
    >>> from polars import DataFrame
    >>> print(inspect(DataFrame(rows), "fits"))
    40 rows, 2 columns, target fits: 2 classes
    <BLANKLINE>
    id: consecutive integers, like row numbers.
        The command line ignores it; --numeric id keeps it. Estimators in Python keep it: drop the column.
    size: alone predicts 100.0% of the rows correctly.
        It is used. If it is not known before the target, use --ignore size, or drop the column.
    """
    _ = messages(language)
    if hasattr(frame, "read_columns"):  # a `Data`
        frame, target = frame.X, frame.y if target is None else target
    table, unreadable = _read_columns(frame)
    names = [column.name for column in table.columns]
    found = None
    if isinstance(target, str):
        known_columns("target", target, names)
        place = names.index(target)
        found = TargetColumn(table.columns[place], table.values[:, place])
        others = [i for i, column in enumerate(table.columns) if target not in (column.name, column.source)]
        table = Table(tuple(table.columns[i] for i in others), table.values[:, others], None)
    elif target is not None:
        found = TargetColumn.read(target)
        if len(found.cells) != len(table.values):
            raise InputError(
                f"The target has {len(found.cells)} values, but the table has {len(table.values)} rows; pass one value "
                "for each row."
            )
    findings = [
        Finding(name, "unreadable", _("not supported"), _("Estimators raise an error: {error}", error=error))
        for name, error in unreadable
    ]
    findings += find_all(table.columns, table.values, found, language=language)
    name, n_classes = (None, None) if found is None else (found.column.name, found.n_classes)
    n_columns = len(input_names(table.columns)) + len(unreadable)
    return TableReport(len(table.values), n_columns, name, n_classes, tuple(findings), language)


def _read_columns(frame: Any) -> tuple[Table, list[tuple[str, str]]]:
    """Read a table, and return the columns that no estimator can read, with the error."""
    try:
        return read_table(frame), []
    except KindError:
        opened = to_narwhals(frame)
        if not hasattr(opened, "columns"):
            raise
    tables, unreadable = [], []
    for name in opened.columns:
        try:
            tables.append(read_table(opened.select(name).to_native()))
        except KindError as error:
            unreadable.append((str(name), str(error)))
    columns = tuple(column for table in tables for column in table.columns)
    values = np.column_stack([table.values for table in tables]) if tables else np.empty((len(opened), 0))
    return Table(columns, values, None), unreadable
