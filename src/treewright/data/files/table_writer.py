"""Writing a table to a file of any format; the file appears only when it is complete.

In: a polars DataFrame, or a `DeclaredTable` for ARFF and C4.5's files, and a path. Out: the file; names that end in
.gz and .zst are compressed.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from treewright.data.files.arff_reader import quote_arff_word
from treewright.data.files.column_names import columns_named
from treewright.data.files.names_reader import WEIGHT
from treewright.data.files.names_tokens import escape_word
from treewright.data.files.source import EXTENSIONS, file_extension
from treewright.disk.atomic_write import open_atomic, refuse_existing, write_bytes
from treewright.disk.compression import compress
from treewright.errors import InputError, one_of

if TYPE_CHECKING:
    import polars as pl

    from treewright.data.files.declared_table import DeclaredTable

POLARS_FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl")
"""The formats that polars writes."""


def format_from_name(path: str | Path) -> str | None:
    """The format of a file name by its extension, without .gz or .zst; None if it is not one of these.

    >>> format_from_name("out.CSV.gz"), format_from_name("out.feather"), format_from_name("out.arff")
    ('csv', 'arrow', None)
    """
    found = EXTENSIONS.get(file_extension(str(path)))
    return found if found in POLARS_FORMATS else None


def write_table(
    frame: pl.DataFrame,
    path: str | Path,
    format: str | None = None,  # noqa: A002 (the usual name of this option)
    *,
    overwrite: bool = False,
) -> None:
    """Write a table.

    format     "csv", "tsv", "parquet", "arrow" or "jsonl"; None uses the extension
    overwrite  whether an existing file is replaced

    >>> import polars
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_table(polars.DataFrame({"a": [1, 2]}), Path(folder) / "a.csv")
    ...     (Path(folder) / "a.csv").read_text()
    'a\\n1\\n2\\n'
    """
    path = Path(path)
    chosen = format_from_name(path) if format is None else one_of("format", format, POLARS_FORMATS)
    if chosen is None:
        raise InputError(
            f"Unknown extension of {path.name!r}; use .csv, .tsv, .parquet, .arrow or .jsonl, or pass `format`."
        )
    with open_atomic(path, overwrite=overwrite) as file:
        if path.suffix.lower() in (".gz", ".zst"):
            plain = io.BytesIO()
            write_frame(frame, plain, chosen)
            file.write(compress(path.name, plain.getvalue()))
        else:
            write_frame(frame, file, chosen)


def write_frame(frame: pl.DataFrame, file: BinaryIO, kind: str) -> None:
    """Write a table into an open file."""
    if kind == "csv":
        frame.write_csv(file)
    elif kind == "tsv":
        frame.write_csv(file, separator="\t")
    elif kind == "parquet":
        frame.write_parquet(file)
    elif kind == "arrow":
        frame.write_ipc(file)
    else:
        frame.write_ndjson(file)


MISSING_MARK = "?"


def cell_texts(column: pl.Series, spelled: Callable[[str], str]) -> list[str]:
    """The cells of a column as text; "?" is a missing value, and `spelled` quotes or escapes a category.

    >>> import polars
    >>> cell_texts(polars.Series([1.0, None, 2.5]), str), cell_texts(polars.Series(["a", None]), str.upper)
    (['1', '?', '2.5'], ['A', '?'])
    """
    if column.dtype.is_numeric():
        return [
            MISSING_MARK if cell is None or cell != cell else number_text(cell, column.name) for cell in column
        ]
    known = {cell: spelled(value_text(cell)) for cell in column.alias("").unique().drop_nulls()}
    return [MISSING_MARK if cell is None else known[cell] for cell in column]


def number_text(number: float, name: str) -> str:
    """A number with all its digits, an integer without a decimal point; an infinite number is an error.

    >>> number_text(85.0, "humidity"), number_text(0.1 + 0.2, "humidity")
    ('85', '0.30000000000000004')
    """
    if math.isinf(number):
        raise InputError(
            f"Column {name!r} has an infinite number, which the format does not allow; replace it with a finite number."
        )
    return str(int(number)) if number == int(number) and abs(number) < 2**53 else repr(float(number))


def value_text(value: object) -> str:
    """A category as text; booleans in lower case, as in most files.

    >>> value_text(True), value_text("True")
    ('true', 'True')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


def observed_levels(column: pl.Series) -> tuple[str, ...]:
    """The categories of a column in the order of its Enum type, or else in order of appearance.

    >>> import polars
    >>> observed_levels(polars.Series(["b", None, "a", "b"]))
    ('b', 'a')
    """
    categories = getattr(column.dtype, "categories", None)
    if type(column.dtype).__name__ == "Enum" and categories is not None:
        return tuple(categories.to_list())
    return tuple(value_text(value) for value in column.alias("").unique(maintain_order=True).drop_nulls())


def write_arff(path: str | Path, table: DeclaredTable, *, overwrite: bool = False) -> None:
    """Write a table as ARFF, compressed if the name ends in .gz or .zst; see `arff_text`."""
    path = Path(path)
    text = arff_text(table, path.stem.removesuffix(".arff") or "table")
    write_bytes(path, compress(path.name, text.encode("utf-8")), overwrite=overwrite)


def arff_text(table: DeclaredTable, relation: str = "table") -> str:
    """The table as ARFF: numbers, declared categories, and strings if no categories are declared.

    The target, if there is one, becomes the last column, where Weka expects it.

    >>> import polars
    >>> from treewright.data.files.declared_table import DeclaredTable
    >>> frame = polars.DataFrame({"outlook": ["sunny", "so so"], "humidity": [85.0, None]})
    >>> print(arff_text(DeclaredTable(frame, levels={"outlook": ("sunny", "so so")}), "golf"), end="")
    @relation golf
    <BLANKLINE>
    @attribute outlook {sunny,'so so'}
    @attribute humidity numeric
    <BLANKLINE>
    @data
    sunny,85
    'so so',?
    """
    columns = table.frame.get_columns()
    columns.sort(key=lambda column: column.name == table.target)
    head = [f"@attribute {_name(column.name)} {_type(column, table)}" for column in columns]
    cells = [cell_texts(column, quote_arff_word) for column in columns]
    rows = [",".join(row) for row in zip(*cells, strict=True)]
    if table.weights is not None:
        rows = [
            f"{row},{{{number_text(w, 'weight')}}}"
            for row, w in zip(rows, table.weights.tolist(), strict=True)
        ]
    return "\n".join([f"@relation {_name(relation)}", "", *head, "", "@data", *rows, ""])


def _name(name: str) -> str:
    if not name:
        raise InputError("A column has no name, which ARFF does not allow; name it.")
    return quote_arff_word(name)


def _type(column: pl.Series, table: DeclaredTable) -> str:
    """The declared type of a column."""
    if column.dtype.is_numeric():
        return "numeric"
    levels = table.levels.get(column.name)
    if levels is None and column.name == table.target:  # Weka's classifiers need a nominal class
        levels = observed_levels(column)
    return "string" if levels is None else "{" + ",".join(quote_arff_word(level) for level in levels) + "}"


_KEYWORDS = ("continuous", "ignore", "label", "date", "time", "timestamp", "discrete ", "[ordered]")


def write_names(
    stem: str | Path, table: DeclaredTable, *, test: DeclaredTable | None = None, overwrite: bool = False
) -> None:
    """Write stem.names and stem.data, and stem.test if test rows are given.

    The classes are the first entry and the target is the last column, as C4.5 requires; a numeric target is named in
    the first entry instead, as in C5.0. Weights become C5.0's attribute "case weight".

    >>> import polars
    >>> from tempfile import TemporaryDirectory
    >>> from treewright.data.files.declared_table import DeclaredTable
    >>> table = DeclaredTable(polars.DataFrame({"play": ["no", "yes"], "humidity": [85.0, None]}), target="play")
    >>> with TemporaryDirectory() as folder:
    ...     write_names(Path(folder) / "golf", table)
    ...     print((Path(folder) / "golf.names").read_text(), (Path(folder) / "golf.data").read_text())
    no, yes.
    <BLANKLINE>
    humidity: continuous.
     85, no
    ?, yes
    <BLANKLINE>
    """
    texts = {"names": names_text(table), "data": data_text(table)}
    if test is not None:
        texts["test"] = data_text(test)
    paths = {Path(f"{stem}.{end}"): text for end, text in texts.items()}
    if not overwrite:  # check all before one is written
        for path in paths:
            refuse_existing(path)
    for path, text in paths.items():
        write_bytes(path, text.encode("utf-8"), overwrite=overwrite)


def names_text(table: DeclaredTable) -> str:
    """The .names file of a table."""
    target = _target(table)
    kinds = {column.name: _kind(column, table) for column in _columns(table)}
    if target in table.numeric or table.frame[target].dtype.is_numeric():
        first = escape_word(target, "The name of the target")
    else:
        first = ", ".join(
            escape_word(level, f"A class of {target!r}") for level in _levels(table.frame[target], table)
        )
        del kinds[target]
        if first in kinds:
            raise InputError(f"The only class {first!r} is also the name of a column; rename one of them.")
    names = [f"{escape_word(name, 'The name of a column')}: {kind}." for name, kind in kinds.items()]
    return "\n".join([f"{first}.", "", *names, ""])


def data_text(table: DeclaredTable) -> str:
    """The .data file of a table."""
    columns = [_cells(column) for column in _columns(table)]
    return "".join(f"{', '.join(row)}\n" for row in zip(*columns, strict=True))


def _target(table: DeclaredTable) -> str:
    if table.target is None or table.target not in table.frame.columns:
        raise InputError(
            "C4.5's files need a target", advice="pass the name of the target column", option="use --target"
        )
    return table.target


def _columns(table: DeclaredTable) -> list[pl.Series]:
    """The columns in the order of the file: the target last, the weights before it."""
    import polars as pl

    target = _target(table)
    found = [column for column in table.frame.get_columns() if column.name != target]
    if table.weights is not None:
        if WEIGHT in table.frame.columns:
            raise InputError(f"A column is named {WEIGHT!r}, which C5.0 reads as the weights; rename it.")
        found.append(pl.Series(WEIGHT, table.weights))
    return [*found, table.frame[target]]


def _levels(column: pl.Series, table: DeclaredTable) -> tuple[str, ...]:
    """The declared categories, or else those that occur, in order of appearance."""
    return table.levels.get(column.name) or observed_levels(column)


def _kind(column: pl.Series, table: DeclaredTable) -> str:
    """The declaration of a column, after its colon."""
    if column.name in table.ignored:
        return "ignore"
    if column.dtype.is_numeric():
        return "continuous"
    levels = _levels(column, table)
    if not levels:  # the column has no values
        return "ignore"
    start = "[ordered] " if column.name in table.ordered else ""
    ambiguous = levels[0].casefold().startswith(_KEYWORDS if len(levels) == 1 else "[ordered]")
    if ambiguous and not start:  # a list that would be read as a keyword
        return f"discrete {len(levels)}"
    return start + ", ".join(escape_word(level, f"A category of column {column.name!r}") for level in levels)


def _cells(column: pl.Series) -> list[str]:
    """The values of a column as text."""
    return cell_texts(column, lambda word: escape_word(word, f"A value of column {column.name!r}"))


LEADING = ("=", "+", "-", "@", "\t", "\r")
"""The characters that make a spreadsheet read a cell as a formula, or that hide one."""


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may run the text as a formula.

    >>> is_formula("=1+1"), is_formula("a=1")
    (True, False)
    """
    return text.startswith(LEADING)


def safe_text(text: str) -> str:
    """The text, after an apostrophe if a spreadsheet may run it as a formula.

    >>> safe_text("@SUM(A1)"), safe_text("plain")
    ("'@SUM(A1)", 'plain')
    """
    return f"'{text}" if is_formula(text) else text


def safe_formulas(frame: pl.DataFrame) -> pl.DataFrame:
    """The table with an apostrophe before each text and name that a spreadsheet may run; numbers are not changed.

    >>> import polars
    >>> safe_formulas(polars.DataFrame({"=name": ["-2+3", "red"], "n": [-1, 2]})).rows(named=True)
    [{"'=name": "'-2+3", 'n': -1}, {"'=name": 'red', 'n': 2}]
    """
    import polars as pl

    columns = [
        _safe(columns_named(name).cast(pl.String), name)
        for name, dtype in frame.schema.items()
        if dtype in (pl.String, pl.Categorical, pl.Enum)
    ]
    return frame.with_columns(columns).rename({name: safe_text(name) for name in frame.columns})


def _safe(cell: pl.Expr, name: str) -> pl.Expr:
    import polars as pl

    leads = pl.any_horizontal([cell.str.starts_with(leading) for leading in LEADING])
    return pl.when(leads).then("'" + cell).otherwise(cell).alias(name)
