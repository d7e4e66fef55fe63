"""Model files as a whole: their first fields, writing them to disk, and opening the bytes of one.

`open_document` says what kind of model a file holds and returns its fields, not yet read; other files are refused with
what they seem to be. Nothing in a file is ever executed or imported.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from treewright.data.schema import Schema
from treewright.disk.atomic_write import check_output_path, path_text, write_bytes
from treewright.disk.compression import compress, decompress, open_file
from treewright.disk.strict_json import JSONTextError, parse
from treewright.errors import InputError, ModelFormatError
from treewright.model.file.fields import Fields
from treewright.model.file.stored_schema import read_schema
from treewright.model.formatting import printable, truncate

FORMAT, VERSION = "treewright", 2
FIRST_VERSION = 1
"""The version of files that have nothing that was added later: older releases can read them."""
MODEL_KINDS = ("estimator", "tree", "rules")
"""The kinds of model that a file can hold."""


def file_header(kind: str, version: int) -> dict[str, Any]:
    """The fields that every file begins with; `version` is the first one that can hold the model.

    >>> file_header("tree", FIRST_VERSION)["version"]
    1
    """
    made_by = f"treewright {import_module('treewright').__version__}"
    return {"format": FORMAT, "version": version, "made_by": made_by, "kind": kind}


def write_model(path: object, made: Callable[[], bytes], *, overwrite: bool) -> None:
    """Write the bytes of a model; the path is checked before they are made."""
    target = check_output_path(path, overwrite=overwrite)
    write_bytes(target, compress(target.name, made()), overwrite=overwrite)


ALWAYS_ALLOWED, MAX_RATIO = 2**22, 100
"""The largest size of a decompressed file: this many bytes plus this many times its size; models have 5-20 times."""

FOREIGN = (
    ((b"\x80",), "a pickle, which can run any code when it is loaded: load it where it was made, and use save()"),
    ((b"PK",), "a zip file: extract it first"),
    ((b"<", b"\xef\xbb\xbf<"), "HTML or XML: check that the right file was downloaded"),
    ((b"PAR1", b"ARROW1"), "a table of data: pass it as the data, not as the model"),
)
"""First bytes of files of other kinds, and what the error says about them."""


def open_document(data: bytes) -> tuple[str, Fields]:
    """Return the kind of model in the bytes of a file, and its fields after those of every file.

    >>> data = b'{"format": "treewright", "version": 1, "made_by": "by hand", "kind": "tree", "tree": null}'
    >>> kind, fields = open_document(data)
    >>> kind, fields.is_null("tree")
    ('tree', True)
    """
    try:
        plain = decompress(data, max(len(data), ALWAYS_ALLOWED + MAX_RATIO * len(data)))
    except InputError as error:
        raise ModelFormatError(str(error)) from None
    if not plain or plain.isspace():
        raise ModelFormatError("This is not a model file: it is empty; pass a file saved by Treewright.")
    fields = Fields(_parsed(plain))
    if not fields.has("format"):
        raise ModelFormatError(
            "This is not a model file: it is JSON, but the field format is missing; pass a file saved by Treewright."
        )
    fields.one_of("format", (FORMAT,))
    version, made_by = fields.whole("version", FIRST_VERSION, 2**53), fields.text("made_by")
    if version > VERSION:
        raise ModelFormatError(
            f"Field version must be at most {VERSION}, got {version}: the file was written by a newer Treewright "
            f"({printable(truncate(made_by, 40))}); update Treewright."
        )
    fields.version = version
    return fields.one_of("kind", MODEL_KINDS), fields


def read_bytes(path: object) -> bytes:
    """Read the bytes of a file.

    >>> read_bytes("nowhere.json")
    Traceback (most recent call last):
    treewright.errors.InputError: File not found: 'nowhere.json'; check its name and folder.
    """
    with open_file(Path(path_text(path, "model.json"))) as file:
        return file.read()


@contextmanager
def naming_file(path: object) -> Iterator[None]:
    """Put the name of the file before the message of a ModelFormatError."""
    try:
        yield
    except ModelFormatError as error:
        raise ModelFormatError(f"In {truncate(printable(str(path)), 200)}: {error}") from None


def open_schema(fields: Fields) -> tuple[Schema, str | None]:
    """The schema of a file, and the fingerprint of its tree; None where the file has none."""
    mark = None if fields.is_null("fingerprint") else fields.text("fingerprint")
    return read_schema(fields.inner("schema")), mark


def _parsed(plain: bytes) -> dict[str, Any]:
    try:
        found = parse(plain)
    except JSONTextError as error:
        start = plain[:100].lstrip()
        for beginnings, advice in FOREIGN:
            if start.startswith(beginnings):
                raise ModelFormatError(f"This is not a model file: it seems to be {advice}.") from None
        if not start.startswith(b"{"):
            raise ModelFormatError(
                f"This is not a model file: it begins with {start[:20].decode('latin-1')!a} and is not JSON; pass a "
                "file saved by Treewright."
            ) from None
        raise ModelFormatError(_damaged(error)) from None
    if not isinstance(found, dict):
        raise ModelFormatError(
            "This is not a model file: it is JSON, but not an object; pass a file saved by Treewright."
        )
    return found


def _damaged(error: JSONTextError) -> str:
    where = f"Field {printable(error.path)}" if error.path else "The text"
    return f"{where} is invalid at byte {error.at}: {error.what}; the file is damaged: fit and save the model again."
