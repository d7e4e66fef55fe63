"""Rows out: a stream of frames into a file of rows, in the format that its name says.

In: frames of the same columns, one after the other. Out: CSV, TSV or JSON lines (also squeezed), Parquet or Arrow,
written as the frames come, so that a table larger than memory passes through.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from treewright.data.files.batches import Batch
from treewright.data.files.formulas import safe_formulas
from treewright.data.files.write import format_by_name
from treewright.errors import InputError
from treewright.extras import require

if TYPE_CHECKING:
    import polars as pl

NUMBER = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
"""A text that is a number, and so no formula though it may begin with a sign."""

MARKS = {"csv": ",", "tsv": "\t"}
SQUEEZED = (".gz", ".zst")
GZIP_LEVEL, ZSTD_LEVEL = 6, 3
"""Text of rows is squeezed as it streams: what the programs themselves take by default."""


def written_as(path: Path) -> str:
    """The format that the end of a name says; only text is squeezed.

    >>> written_as(Path("out.csv.gz")), written_as(Path("OUT.parquet"))
    ('csv', 'parquet')
    """
    found = format_by_name(path)
    if found is None or (path.suffix.lower() in SQUEEZED and found in ("parquet", "arrow")):
        raise InputError(
            f"The name {path.name!r} does not say in which format rows are to be written; let it end in .csv, .tsv or "
            ".jsonl (and then .gz or .zst, if you like), .parquet or .arrow."
        )
    return found


def write_rows(batches: Iterator[Batch], file: BinaryIO, form: str, schema: dict[str, Any], mark: str = "") -> None:
    """Write all the rows.

    schema  their columns and types, for a table without any row
    mark    the delimiter that cells of bare batches do not hold

    >>> import io
    >>> import polars as pl
    >>> out = io.BytesIO()
    >>> write_rows(iter([Batch(pl.DataFrame({"a": ["x"]}))] * 2), out, "csv", {"a": pl.String})
    >>> out.getvalue()
    b'a\\nx\\nx\\n'
    """
    if form in MARKS:
        _separated(batches, file, schema, MARKS[form], mark)
    else:
        WRITERS[form]((batch.frame for batch in batches), file, schema)


def harmless(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with an apostrophe before each text and name that a spreadsheet would take for a formula.

    A text that is a number stays as it is: of a CSV all columns are read as text.

    >>> import polars as pl
    >>> harmless(pl.DataFrame({"=a": ["-5", "-5+3"]})).to_dict(as_series=False)
    {"'=a": ['-5', "'-5+3"]}
    """
    import polars as pl

    safe = safe_formulas(frame)
    pairs = [(old, new) for old, new in zip(frame.columns, safe.columns, strict=True) if frame[old].dtype == pl.String]
    kept = frame.select(pl.col(old).alias(new) for old, new in pairs)
    number = [kept[new].str.contains(NUMBER).fill_null(value=False) for _, new in pairs]
    return safe.with_columns(
        pl.when(is_number).then(kept[new]).otherwise(safe[new]).alias(new)
        for (_, new), is_number in zip(pairs, number, strict=True)
    )


@contextmanager
def squeezing(file: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """The file itself, or what squeezes into it where the name ends in .gz or .zst; the same bytes every time."""
    end = Path(name).suffix.lower()
    if end == ".gz":
        with gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0) as packed:
            yield cast(BinaryIO, packed)
    elif end == ".zst":
        require("zstandard", "A .zst file")
        from zstandard import ZstdCompressor

        maker = ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True)
        with maker.stream_writer(file, closefd=False) as packed:
            yield packed
    else:
        yield file


def _separated(
    batches: Iterator[Batch], file: BinaryIO, schema: dict[str, Any], separator: str, mark: str
) -> None:
    """Write text whose cells are parted by a mark."""
    import polars as pl

    out = io.BytesIO()
    pl.DataFrame(schema=schema).write_csv(out, separator=separator)
    file.write(out.getbuffer())
    for frame, bare, _ in batches:
        # To look at every cell whether it needs quotes takes more time than all the rest of writing.
        quotes: Any = "never" if bare and mark == separator else "necessary"
        out = io.BytesIO()
        frame.write_csv(out, separator=separator, include_header=False, quote_style=quotes)
        file.write(out.getbuffer())


def _lines(frames: Iterator[pl.DataFrame], file: BinaryIO, _: dict[str, Any]) -> None:
    for frame in frames:
        frame.write_ndjson(file)


def _document(frames: Iterator[pl.DataFrame], file: BinaryIO, _: dict[str, Any]) -> None:
    """All rows as one JSON document, written as they come."""
    file.write(b'{"rows": [')
    between = b"\n"
    for frame in frames:
        lines = frame.write_ndjson().rstrip("\n").replace("\n", ",\n")  # within a line no line feed stands as such
        file.write(between + lines.encode("utf-8"))
        between = b",\n"
    file.write(b"\n]}\n")


def _sunk(method: str) -> Callable[[Iterator[pl.DataFrame], BinaryIO, dict[str, Any]], None]:
    """Writes a format of whole columns, piece by piece: polars draws the frames itself."""

    def write(frames: Iterator[pl.DataFrame], file: BinaryIO, schema: dict[str, Any]) -> None:
        from polars.io.plugins import register_io_source

        failed: list[BaseException] = []

        def draw(*_: object) -> Iterator[pl.DataFrame]:
            try:
                yield from frames
            except BaseException as error:  # what went wrong before it came here; polars would reword it
                failed.append(error)
                raise

        try:
            getattr(register_io_source(draw, schema=schema), method)(file)
        except Exception:
            if failed:
                raise failed[0] from None
            raise

    return write


WRITERS = {
    "jsonl": _lines,
    "json": _document,
    "parquet": _sunk("sink_parquet"),
    "arrow": _sunk("sink_ipc"),
}
