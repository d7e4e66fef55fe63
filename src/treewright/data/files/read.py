"""Read: a file becomes the table, the target and the weights that an estimator takes.

In: a path and what the user says about its columns. Out: a `Data`. What is not said is guessed from the cells, and what
was guessed is told by `print(data)`.
"""

import io
import os
from collections.abc import Callable, Mapping, Sequence

from treewright.data.files.arff import read_arff
from treewright.data.files.data import Data
from treewright.data.files.encoding import text_of
from treewright.data.files.format import format_of
from treewright.data.files.kinds import CATEGORY, NUMBER
from treewright.data.files.names import is_names_file, read_names
from treewright.data.files.parts import ORDERED, Columns, Parts, assembled, merged, said_parts
from treewright.data.files.raw import RawTable
from treewright.data.files.schema_file import read_schema_file
from treewright.data.files.source import open_source, read_place
from treewright.data.files.text import Layout, open_text
from treewright.data.files.text_kinds import text_kinds
from treewright.data.files.typed import frame_of
from treewright.data.files.typed_kinds import typed_kinds
from treewright.data.files.wording import row_words
from treewright.errors import InputError
from treewright.extras import require


def read(  # noqa: PLR0913 (the face of the room: each is a word of the user's)
    path: str | os.PathLike[str],
    target: str | None = None,
    *,
    format: str | None = None,  # noqa: A002 (the word that a user looks for)
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
    header: bool | Sequence[str] | None = None,
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    ordered: Mapping[str, Sequence[str]] | None = None,
    ignore: Sequence[str] = (),
    weights: str | None = None,
    schema: str | os.PathLike[str] | None = None,
) -> Data:
    """Read a table from a file.

    Parameters
    ----------
    path : path, or "-" for standard input
        Plain, or squeezed as .gz, .zst, .bz2 or .xz.
    target : str or None
        The column to be learned; rows that have none are left out.
    format : "csv", "tsv", "parquet", "arrow", "jsonl", "arff" or "names", default=None
        None goes by the content and the ending of the name.
    delimiter, encoding, decimal : str or None
        What divides the cells of a text, its encoding, and "." or "," in its numbers. None is guessed.
    missing : list of str or None
        Cells that say "not known", besides the empty one. None is ?, NA, N/A, NaN, nan, null, NULL, None and #N/A.
    header : bool, list of names or None
        Whether the first line of a text holds names; a list gives the names of a text that has none.
    categorical, numeric, ignore : lists of names
        Columns that are categories, numbers, or not to be used, whatever they look like.
    ordered : dict or None
        Ordered columns and their categories, low to high.
    weights : str or None
        The column that says how much each row counts.
    schema : path or None
        A file written by `Data.write_schema`. What the other parameters say goes before it.

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
    }
    file = None if schema is None else read_schema_file(schema)
    if file is not None and missing is None:
        missing = file.missing

    def parts_of(names: Sequence[str]) -> Parts:
        said = said_parts(names, given)
        return said if file is None else merged(said, file.parts(names))

    return _loaded(path, format, Layout(delimiter, encoding, decimal, missing, header), parts_of)


def _loaded(
    path: str | os.PathLike[str],
    format: str | None,  # noqa: A002
    layout: Layout,
    parts_of: Callable[[Sequence[str]], Parts],
) -> Data:
    """The table in a file, in the parts that `parts_of` gives its columns."""
    if format == "names" or (format is None and is_names_file(path)):
        return _from_raw(read_names(path, encoding=layout.encoding), read_place(path), parts_of)
    with open_source(path) as source:
        kind = format_of(source, format)
        if kind == "arff":
            text = text_of(source.data, layout.encoding, repr(source.name))
            return _from_raw(read_arff(io.StringIO(text), source.name), source.name, parts_of)
        if kind not in ("csv", "tsv"):
            frame, notes = frame_of(source, kind, layout)
            parts = parts_of(frame.columns)
            found = typed_kinds(frame, {name: parts.wanted(name) for name in frame.columns})
            return assembled(Columns(source.name, tuple(frame.columns), found, row_words, notes), parts)
        table = open_text(source, layout.of(kind))
        if table.n_rows == 0:
            raise InputError(f"{table.name} holds names of columns, but no rows; give a file with rows.")
        parts = parts_of(table.names)
        found = text_kinds(table, {name: parts.wanted(name) for name in table.names})
        columns = Columns(source.name, table.names, found, table.where, table.notes, missing=table.missing)
        return assembled(columns, parts)


def _from_raw(table: RawTable, source: str, parts_of: Callable[[Sequence[str]], Parts]) -> Data:
    """What ARFF and .names files declare holds unless the user says otherwise."""
    names = tuple(table.frame.columns)
    kinds = dict.fromkeys(table.numeric, NUMBER) | dict.fromkeys(table.ordered, ORDERED)
    kinds |= {name: CATEGORY for name in table.levels if name not in kinds}
    ignored = tuple(name for name in names if name in table.ignored)
    declared = Parts(table.target, None, ignored, kinds, table.levels, says="the file says so")
    parts = merged(parts_of(names), declared)
    found = typed_kinds(table.frame, {name: parts.wanted(name) for name in names})
    weight = None if parts.weights is not None else table.weights
    return assembled(Columns(source, names, found, row_words, weight=weight), parts)
