"""Format: what kind of file a table stands in.

In: a path, the beginning of its bytes, and the format if the user gave it. Out: its name.
"""

import re

from treewright.data.files.source import Source
from treewright.errors import InputError, one_of

FORMATS = ("csv", "tsv", "parquet", "arrow", "jsonl", "arff", "names")
ENDS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".arff": "arff",
}
STREAM = b"\xff\xff\xff\xff"
"""The beginning of an Arrow stream, as against an Arrow file."""
MAGIC = ((b"PAR1", "parquet"), (b"ARROW1", "arrow"), (STREAM, "arrow"))
STRANGERS = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet"),
    (b"\x89HDF", "an HDF5 file"),
    (b"SQLite format 3", "a database"),
    (b"\x93NUMPY", "an array of numpy"),
    (b"\x80\x04\x95", "a pickle"),
    (b"%PDF", "a PDF"),
    (b"FEA1", "a Feather file of the first version"),
)

OURS = re.compile(rb'\s*\{\s*"format"\s*:\s*"treewright')
"""How a model or a schema file begins."""


def format_of(source: Source, given: str | None) -> str:
    """The format as the user says it, else as the bytes show it, else as the name ends; text is CSV.

    >>> format_of(Source("-", b"@relation golf", None, ""), None)
    'arff'
    """
    if given is not None:
        return one_of("format", given, FORMATS)
    head = source.head
    for magic, kind in MAGIC:
        if head.startswith(magic):
            return kind
    for magic, what in STRANGERS:
        if head.startswith(magic):
            raise InputError(
                f"{source.name!r} is {what}, which is not read; save the table as CSV or Parquet."
            )
    if OURS.match(head):
        raise InputError(
            f"{source.name!r} is a file of Treewright and no table; give the file with the rows, and a model as MODEL."
        )
    if source.end in ENDS:
        return ENDS[source.end]
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if source.end == ".json" and first[:1] == b"[":
        raise InputError(
            f"{source.name!r} is one JSON array; write its objects one on a line, as JSON lines."
        )
    if first[:1] == b"{":
        return "jsonl"
    lines = (line.strip().lower() for line in first.splitlines())
    if next((line for line in lines if line and not line.startswith(b"%")), b"").startswith(b"@relation"):
        return "arff"
    return "csv"
