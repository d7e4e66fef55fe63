"""The schema file: kinds and roles of the columns of a table in a small JSON file that can be edited and used again.

In: a `Data`; or a path. Out: the file; or a `SchemaFile`. The whole file is checked before it is used; an error names
the field.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treewright.data.files.column_kinds import CATEGORY, DATE, NUMBER
from treewright.data.files.column_roles import ORDERED, ColumnRoles
from treewright.data.files.error_text import closest_names
from treewright.data.files.source import input_path
from treewright.data.files.translatable import Translatable
from treewright.disk.atomic_write import check_output_path, write_bytes
from treewright.disk.compression import compress, open_decompressed
from treewright.disk.strict_json import JSONTextError, parse
from treewright.errors import InputError
from treewright.language import N_

if TYPE_CHECKING:
    from treewright.data.files.loaded_data import Data, DataColumn

FORMAT, VERSION = "treewright schema", 1
IGNORED = "ignored"
KINDS = (NUMBER, CATEGORY, ORDERED, DATE, IGNORED)
MOST = 1 << 26
"""Bytes of the largest schema file: ten thousand columns with a hundred levels each."""


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """The content of a schema file.

    kinds    "number", "category", "ordered", "date" or "ignored" by column name
    levels   the categories of a column; those of an ordered one from low to high
    formats  how columns of numbers are written, such as "$1,234.5"
    missing  missing-value markers, besides the empty cell; None if the file has none
    """

    name: str
    kinds: dict[str, str]
    levels: dict[str, tuple[str, ...]]
    target: str | None = None
    weights: str | None = None
    missing: tuple[str, ...] | None = None
    formats: dict[str, str] = field(default_factory=dict)

    def roles(self, names: Sequence[str]) -> ColumnRoles:
        """The roles of a table's columns; all but the target and the weights must be in the table."""
        there = set(names)
        for name in self.kinds:
            if name not in there and name not in (self.target, self.weights):
                raise InputError(
                    f"Unknown column {name!r} in schema {self.name}; the closest names are "
                    f"{closest_names(name, names)}."
                )
        return ColumnRoles(
            target=self.target if self.target in there else None,
            weights=self.weights if self.weights in there else None,
            ignore=tuple(name for name in names if self.kinds.get(name) == IGNORED),
            kinds={name: kind for name, kind in self.kinds.items() if kind != IGNORED and name in there},
            levels=self.levels,
            others=Translatable(N_("not in the schema")),
            reason=Translatable(N_("from the schema")),
            formats=self.formats,
        )


def write_schema(data: "Data", path: Any, *, overwrite: bool) -> None:
    """Write the kinds and roles of the columns of a table."""
    place = check_output_path(path, overwrite=overwrite)
    text = _text(_document(data))
    write_bytes(place, compress(place.name, text.encode("utf-8", "surrogatepass")), overwrite=overwrite)


def _text(document: dict[str, Any]) -> str:
    """The document as JSON with one field, and one column, on a line."""
    lines = []
    for key, value in document.items():
        if key == "columns":
            columns = ",\n".join(f"  {json.dumps(column, ensure_ascii=False)}" for column in value)
            lines.append(f' "columns": [\n{columns}\n ]')
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _document(data: "Data") -> dict[str, Any]:
    document: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    weights = next((part.name for part in data.read_columns if part.kind == "weight"), None)
    if data.target is not None:
        document["target"] = data.target
    if weights is not None:
        document["weights"] = weights
    if data.missing is not None:
        document["missing"] = list(data.missing)
    document["columns"] = [_column(part, data) for part in data.read_columns]
    return document


def _column(part: "DataColumn", data: "Data") -> dict[str, Any]:
    import polars as pl

    kind = part.kind
    if kind in ("target", "weight"):
        kind = NUMBER if part.series is not None and part.series.dtype.is_numeric() else CATEGORY
    column: dict[str, Any] = {"name": part.name, "kind": kind}
    if kind in (NUMBER, DATE) and part.name in data.formats:
        column["format"] = data.formats[part.name]
    if kind in (CATEGORY, ORDERED):
        if part.name in data.levels:
            column["levels"] = list(data.levels[part.name])
        elif part.series is not None and isinstance(part.series.dtype, pl.Enum):
            column["levels"] = part.series.dtype.categories.to_list()
    return column


def read_schema_file(path: str | os.PathLike[str]) -> SchemaFile:
    """Read a schema file and check all of it."""
    place = input_path(path)
    name = repr(place)
    with open_decompressed(place) as stream:
        text = stream.read(MOST + 1)
    if len(text) > MOST:
        raise InputError(
            f"Schema {name} is larger than the limit of {MOST} bytes; pass a smaller file."
        )
    try:
        document = parse(text)
    except JSONTextError as error:
        raise InputError(
            f"Schema {name} is not valid JSON: {str(error).rstrip('.')}; correct it, or write it again."
        ) from None
    return _Checked(name).schema(document)


@dataclass(frozen=True, slots=True)
class _Checked:
    """Checks one document; error messages call the file `name`."""

    name: str

    def schema(self, document: object) -> SchemaFile:
        if not isinstance(document, dict):
            raise self.wrong("", "must be a JSON object")
        if document.get("format") != FORMAT:
            raise self.wrong("format", f"must be {FORMAT!r} in a schema file")
        version = document.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise self.wrong("version", "must be an integer of at least 1")
        if version > VERSION:
            raise InputError(
                f"Schema {self.name} has version {version}, which needs a newer Treewright; update Treewright."
            )
        self.only(document, ("format", "version", "target", "weights", "missing", "columns"), "")
        kinds, levels, formats = self.columns(document.get("columns"))
        missing = document.get("missing")
        named = [self.text(document, key, "") for key in ("target", "weights")]
        for key, column in zip(("target", "weights"), named, strict=True):
            if column is not None and column not in kinds:
                raise self.wrong(key, f"must be one of the columns, got {column!r}")
            if column is not None and kinds[column] == IGNORED:
                raise self.wrong(key, f"must not be an ignored column, got {column!r}")
        target, weights = named
        if target is not None and target == weights:
            raise self.wrong("weights", f"must not be the target, got {target!r}")
        if weights is not None and kinds[weights] != NUMBER:
            raise self.wrong("weights", f"must be a column of kind 'number', got {weights!r}")
        return SchemaFile(
            self.name,
            kinds,
            levels,
            target,
            weights,
            None if missing is None else self.texts(missing, "missing"),
            formats,
        )

    def columns(self, columns: object) -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, str]]:
        kinds: dict[str, str] = {}
        formats: dict[str, str] = {}
        levels: dict[str, tuple[str, ...]] = {}
        if not isinstance(columns, list) or not columns:
            raise self.wrong("columns", "must be a list of columns")
        for i, column in enumerate(columns):
            at = f"columns[{i}]"
            if not isinstance(column, dict):
                raise self.wrong(at, "must be a JSON object")
            self.only(column, ("name", "kind", "levels", "format"), at)
            name, kind = self.text(column, "name", at), column.get("kind")
            if name is None or name in kinds:
                raise self.wrong(f"{at}.name", "is missing" if name is None else f"must be unique, got {name!r} twice")
            if kind not in KINDS:
                raise self.wrong(f"{at}.kind", f"must be one of {', '.join(map(repr, KINDS))}")
            kinds[name] = kind
            written = self.text(column, "format", at)
            if written is not None:
                if kind not in (NUMBER, DATE):
                    raise self.wrong(f"{at}.format", f"is not allowed for kind {kind!r}")
                formats[name] = written
            column_levels = column.get("levels")
            has_categories = kind in (CATEGORY, ORDERED)
            if kind == ORDERED if column_levels is None else not has_categories:
                raise self.wrong(
                    f"{at}.levels", "is missing" if column_levels is None else f"is not allowed for kind {kind!r}"
                )
            if column_levels is not None:
                levels[name] = self.texts(column_levels, f"{at}.levels")
        return kinds, levels, formats

    def texts(self, values: object, field: str) -> tuple[str, ...]:
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.wrong(field, "must be a list of strings")
        if len(set(values)) < len(values):
            raise self.wrong(field, "must not contain a string twice")
        return tuple(values)

    def text(self, members: dict[str, Any], key: str, at: str) -> str | None:
        value = members.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(f"{at}.{key}" if at else key, "must be a string")
        return value

    def only(self, members: dict[str, Any], known: Sequence[str], at: str) -> None:
        for key in members:
            if key not in known:
                field = f"{at}.{key}" if at else key
                raise self.wrong(field, f"is unknown; the fields are {', '.join(known)}")

    def wrong(self, field: str, what: str) -> InputError:
        where = f": field {field}" if field else ""
        return InputError(f"Schema {self.name}{where} {what}; correct it, or write the schema again.")
