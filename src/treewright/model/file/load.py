"""Load: the bytes of a model file opened for reading.

In: bytes as they were found, squeezed or not. Out: which kind of model they hold and its fields, still unread; or a
ModelFormatError that says what the bytes are instead. Nothing of a file is ever run or imported.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from treewright.data.schema import Schema
from treewright.disk.squeeze import open_file, unsqueezed
from treewright.disk.strict_json import JSONTextError, parse
from treewright.disk.write import file_name
from treewright.errors import InputError, ModelFormatError
from treewright.model.file.fields import Fields
from treewright.model.file.save import FORMAT, KINDS, VERSION
from treewright.model.file.schema import read_schema
from treewright.model.words import beginning, printable

MOST_AT_LEAST, MOST_TIMES = 2**22, 100
"""What a squeezed file may unfold to: this many bytes, and as many times its size; models do to 5-20 times."""

FOREIGN = (
    ((b"\x80",), "a pickle, which can run any code when it is opened: load it where it was made, and save() it again"),
    ((b"PK",), "a zip file: take out what is in it"),
    ((b"<", b"\xef\xbb\xbf<"), "a page or another document of tags: look whether the right file was downloaded"),
    ((b"PAR1", b"ARROW1"), "a table: give it as data, and a model as the model"),
)
"""How files of other kinds begin, and what is said of them."""


def open_document(data: bytes) -> tuple[str, Fields]:
    """The kind of model that the bytes of a file hold, and its fields behind those that every file begins with.

    >>> told = b'{"format": "treewright", "version": 1, "made_by": "by hand", "kind": "tree", "tree": null}'
    >>> kind, fields = open_document(told)
    >>> kind, fields.is_null("tree")
    ('tree', True)
    """
    try:
        plain = unsqueezed(data, max(len(data), MOST_AT_LEAST + MOST_TIMES * len(data)))
    except InputError as error:
        raise ModelFormatError(str(error)) from None
    if not plain or plain.isspace():
        raise ModelFormatError("This is not a model file: it is empty; give the file that save() wrote.")
    fields = Fields(_parsed(plain))
    if not fields.has("format"):
        raise ModelFormatError(
            "This is not a model file: it is JSON of another kind, as field format is not there; give the file that "
            "save() wrote."
        )
    fields.one_of("format", (FORMAT,))
    version, made_by = fields.whole("version", 1, 2**53), fields.text("made_by")
    if version > VERSION:
        raise ModelFormatError(
            f"Field version is {version}: the file was made by a newer Treewright "
            f"({printable(beginning(made_by, 40))}), and this one reads version {VERSION}; update Treewright."
        )
    return fields.one_of("kind", KINDS), fields


def read_bytes(path: object) -> bytes:
    """The bytes of the file that the user named.

    >>> read_bytes("nowhere.json")
    Traceback (most recent call last):
    treewright.errors.InputError: There is no file 'nowhere.json'; check its name and folder.
    """
    with open_file(Path(file_name(path, "model.json"))) as file:
        return file.read()


@contextmanager
def named(path: object) -> Iterator[None]:
    """Have what is wrong with a file say which file it is."""
    try:
        yield
    except ModelFormatError as error:
        raise ModelFormatError(f"In {beginning(printable(str(path)), 200)}: {error}") from None


def open_schema(fields: Fields) -> tuple[Schema, str | None]:
    """The schema of a file, and the fingerprint that its tree has to have, if it says one."""
    mark = None if fields.is_null("fingerprint") else fields.text("fingerprint")
    return read_schema(fields.inner("schema")), mark


def _parsed(plain: bytes) -> dict[str, Any]:
    try:
        found = parse(plain)
    except JSONTextError as error:
        start = plain[:100].lstrip()
        for beginnings, said in FOREIGN:
            if start.startswith(beginnings):
                raise ModelFormatError(f"This is not a model file: it seems to be {said}.") from None
        if not start.startswith(b"{"):
            raise ModelFormatError(
                f"This is not a model file: it begins with {start[:20].decode('latin-1')!a} and is no JSON; give "
                "the file that save() wrote."
            ) from None
        raise ModelFormatError(_damaged(error)) from None
    if not isinstance(found, dict):
        raise ModelFormatError("This is not a model file: it is JSON, but no object; give the file that save() wrote.")
    return found


def _damaged(error: JSONTextError) -> str:
    where = f"Field {printable(error.path)}" if error.path else "The text"
    return f"{where} cannot be read at byte {error.at}: {error.what}; the file is damaged and has to be made again."
