"""Schema file: what the columns of a table are, as a small JSON file that can be written, edited and used again.

In: a `Data`; or a path. Out: the file; or a `SchemaFile`. Everything in the file is checked before any of it is used,
and what is wrong is said in one sentence with the field's name.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.data.files.kinds import CATEGORY, NUMBER
from treewright.data.files.parts import ORDERED, Parts
from treewright.data.files.source import read_place
from treewright.data.files.wording import closest
from treewright.disk.squeeze import open_plain, squeezed
from treewright.disk.strict_json import JSONTextError, parse
from treewright.disk.write import read_path, write_bytes
from treewright.errors import InputError

if TYPE_CHECKING:
    from treewright.data.files.data import Data, Part

FORMAT, VERSION = "treewright schema", 1
IGNORED = "ignored"
KINDS = (NUMBER, CATEGORY, ORDERED, IGNORED)
MOST = 1 << 26
"""Bytes of the largest schema file: ten thousand columns with a hundred levels each."""


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """What a schema file says.

    kinds    "number", "category", "ordered" or "ignored" by the name of the column
    levels   the categories of a column; those of an ordered one stand low to high
    missing  texts that say "not known", besides the empty one; None where the file leaves that open
    """

    name: str
    kinds: dict[str, str]
    levels: dict[str, tuple[str, ...]]
    target: str | None = None
    weights: str | None = None
    missing: tuple[str, ...] | None = None

    def parts(self, names: Sequence[str]) -> Parts:
        """The parts of a table's columns; one that the table lacks is refused, but for the target and the weights."""
        there = set(names)
        for name in self.kinds:
            if name not in there and name not in (self.target, self.weights):
                raise InputError(
                    f"Schema {self.name} names the column {name!r}, which the table does not have; "
                    f"the closest names are {closest(name, names)}."
                )
        return Parts(
            target=self.target if self.target in there else None,
            weights=self.weights if self.weights in there else None,
            ignore=tuple(name for name in names if self.kinds.get(name) == IGNORED),
            kinds={name: kind for name, kind in self.kinds.items() if kind != IGNORED and name in there},
            levels=self.levels,
            others="not in the schema",
            says="the schema says so",
        )


def write_schema(data: "Data", path: Any, *, overwrite: bool) -> None:
    """Write what was decided about the columns of a table."""
    place = read_path(path)
    text = _text(_document(data))
    write_bytes(place, squeezed(place.name, text.encode("utf-8", "surrogatepass")), overwrite=overwrite)


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
    weights = next((part.name for part in data.parts if part.kind == "weight"), None)
    if data.target is not None:
        document["target"] = data.target
    if weights is not None:
        document["weights"] = weights
    if data.missing is not None:
        document["missing"] = list(data.missing)
    document["columns"] = [_column(part, data) for part in data.parts]
    return document


def _column(part: "Part", data: "Data") -> dict[str, Any]:
    import polars as pl

    kind = part.kind
    if kind in ("target", "weight"):
        kind = NUMBER if part.series is not None and part.series.dtype.is_numeric() else CATEGORY
    column: dict[str, Any] = {"name": part.name, "kind": kind}
    if kind in (CATEGORY, ORDERED):
        if part.name in data.levels:
            column["levels"] = list(data.levels[part.name])
        elif part.series is not None and isinstance(part.series.dtype, pl.Enum):
            column["levels"] = part.series.dtype.categories.to_list()
    return column


def read_schema_file(path: str | os.PathLike[str]) -> SchemaFile:
    """Read a schema file and check all of it."""
    place = read_place(path)
    name = repr(place)
    with open_plain(place) as stream:
        text = stream.read(MOST + 1)
    if len(text) > MOST:
        raise InputError(
            f"Schema {name} holds more than {MOST} bytes, which is the limit; give a smaller one."
        )
    try:
        document = parse(text)
    except JSONTextError as error:
        raise InputError(
            f"Schema {name} is no JSON: {str(error).rstrip('.')}; mend it, or write it again."
        ) from None
    return _Checked(name).schema(document)


@dataclass(frozen=True, slots=True)
class _Checked:
    """Checks one document; `name` is what errors call the file."""

    name: str

    def schema(self, document: object) -> SchemaFile:
        if not isinstance(document, dict):
            raise self.wrong("the document", "is no object")
        if document.get("format") != FORMAT:
            raise self.wrong("format", f"is not {FORMAT!r}, so this is no schema file")
        version = document.get("version")
        if isinstance(version, bool) or not isinstance(version, int) or version < 1:
            raise self.wrong("version", "is no number of a version")
        if version > VERSION:
            raise InputError(
                f"Schema {self.name} is of version {version}, made by a newer Treewright; update."
            )
        self.only(document, ("format", "version", "target", "weights", "missing", "columns"), "")
        kinds, levels = self.columns(document.get("columns"))
        missing = document.get("missing")
        named = [self.text(document, key, "") for key in ("target", "weights")]
        for key, column in zip(("target", "weights"), named, strict=True):
            if column is not None and column not in kinds:
                raise self.wrong(key, f"names {column!r}, which is not among the columns")
            if column is not None and kinds[column] == IGNORED:
                raise self.wrong(key, f"names {column!r}, which is an ignored column")
        target, weights = named
        if target is not None and target == weights:
            raise self.wrong("weights", f"names {target!r}, which is the target")
        if weights is not None and kinds[weights] != NUMBER:
            raise self.wrong("weights", f"names {weights!r}, whose kind is not 'number'")
        return SchemaFile(
            self.name,
            kinds,
            levels,
            target,
            weights,
            None if missing is None else self.texts(missing, "missing"),
        )

    def columns(self, columns: object) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
        kinds: dict[str, str] = {}
        levels: dict[str, tuple[str, ...]] = {}
        if not isinstance(columns, list) or not columns:
            raise self.wrong("columns", "is no list of columns")
        for i, column in enumerate(columns):
            at = f"columns[{i}]"
            if not isinstance(column, dict):
                raise self.wrong(at, "is no object")
            self.only(column, ("name", "kind", "levels"), at)
            name, kind = self.text(column, "name", at), column.get("kind")
            if name is None or name in kinds:
                raise self.wrong(f"{at}.name", "is not there" if name is None else f"is {name!r} again")
            if kind not in KINDS:
                raise self.wrong(f"{at}.kind", f"is none of {', '.join(map(repr, KINDS))}")
            kinds[name] = kind
            words = column.get("levels")
            if (words is None and kind == ORDERED) or (words is not None and kind not in (CATEGORY, ORDERED)):
                raise self.wrong(
                    f"{at}.levels", "is not there" if words is None else f"does not go with kind {kind!r}"
                )
            if words is not None:
                levels[name] = self.texts(words, f"{at}.levels")
        return kinds, levels

    def texts(self, values: object, field: str) -> tuple[str, ...]:
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.wrong(field, "is no list of texts")
        if len(set(values)) < len(values):
            raise self.wrong(field, "holds a text twice")
        return tuple(values)

    def text(self, members: dict[str, Any], key: str, at: str) -> str | None:
        value = members.get(key)
        if value is not None and not isinstance(value, str):
            raise self.wrong(f"{at}.{key}" if at else key, "is no text")
        return value

    def only(self, members: dict[str, Any], known: Sequence[str], at: str) -> None:
        for key in members:
            if key not in known:
                field = f"{at}.{key}" if at else key
                raise self.wrong(field, f"is not known; the fields are {', '.join(known)}")

    def wrong(self, field: str, what: str) -> InputError:
        return InputError(f"Schema {self.name}: field {field} {what}; mend it, or write the schema again.")
