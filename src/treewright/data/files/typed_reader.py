"""Parquet, Arrow and JSON lines, read by polars, at once or in batches.

In: a file whose columns have types. Out: a frame, or a `Stream`.
"""

from __future__ import annotations

import glob
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from treewright.data.files.batches import ROWS, Batch, ReadHints, Stream, stream_of_frame
from treewright.data.files.cell_parsing import null_if_missing, null_number_markers
from treewright.data.files.column_names import columns_named, read_names_row, refuse_many_columns
from treewright.data.files.csv_table import TextOptions
from treewright.data.files.error_text import short_reason
from treewright.data.files.quiet_panics import quiet_panics
from treewright.data.files.source import ARROW_STREAM, Source
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def read_typed_frame(source: Source, kind: str, options: TextOptions) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The frame in a file of this format, and notes; missing-value markers are used only if the user passed some."""
    import polars as pl

    data: Any = source.path if source.path is not None and kind != "jsonl" else io.BytesIO(source.data)
    readers: dict[str, Callable[[Any], Any]] = {
        "parquet": lambda data: pl.read_parquet(data, glob=False),
        "jsonl": lambda data: pl.read_ndjson(data, infer_schema_length=None),
        "arrow": pl.read_ipc_stream
        if source.head.startswith(ARROW_STREAM)
        else lambda data: pl.scan_ipc(data, glob=False).collect(),
    }
    with _polars_errors(repr(source.name), kind):
        frame = readers[kind](data)
    if not frame.height or not frame.width:
        raise InputError(
            f"{source.name!r} has {frame.height} rows and {frame.width} columns; pass a file with rows."
        )
    refuse_many_columns(frame.width, repr(source.name))
    notes: tuple[str, ...] = ()
    if "" in frame.columns:
        frame.columns, note = read_names_row(frame.columns, frame.width, repr(source.name))
        notes = (note or "",)
    if options.missing is not None:
        text = pl.col(pl.String)
        frame = frame.with_columns(null_if_missing(text, options.missing, pl).name.keep())
        frame = frame.select(null_number_markers(column, options.missing) for column in frame.get_columns())
    return frame, notes


def open_typed_stream(file: BinaryIO | Path, kind: str, name: str) -> Stream:
    """The rows of a seekable file of this format, in batches.

    The types of JSON lines are found in a first pass: the type of a column fits all of its cells.

    >>> from io import BytesIO
    >>> stream = open_typed_stream(BytesIO(b'{"a": 1}\\n{"a": 2.5, "b": "x"}\\n'), "jsonl", "'x.jsonl'")
    >>> [batch.frame.rows() for batch in stream.batches()]
    [[(1.0, None), (2.5, 'x')]]
    """
    import polars as pl

    with _polars_errors(name, kind):
        if kind == "arrow" and _begins_with(file, ARROW_STREAM):
            return stream_of_frame(name, pl.read_ipc_stream(file))
        # Without glob=False polars reads [ and * in a file name as a pattern; scan_ndjson has no such parameter.
        if kind == "jsonl":
            path = glob.escape(str(file)) if isinstance(file, Path) else file
            lazy = pl.scan_ndjson(path, infer_schema_length=None)
        else:
            lazy = (pl.scan_parquet if kind == "parquet" else pl.scan_ipc)(file, glob=False)
        types = dict(lazy.collect_schema())
    refuse_many_columns(len(types), name)

    def read(columns: Sequence[str], _: ReadHints) -> Iterator[Batch]:
        with _polars_errors(name, kind):
            chosen = lazy.select(columns_named(columns))
            frames = iter(chosen.collect_batches(chunk_size=ROWS, maintain_order=True))
            frame = next(frames, None)
        while frame is not None:
            yield Batch(frame)
            with _polars_errors(name, kind):
                frame = next(frames, None)

    return Stream(name, types, _read=read)


@contextmanager
def _polars_errors(name: str, kind: str) -> Iterator[None]:
    """Errors and panics of polars as an `InputError` that names the file."""
    import polars as pl

    refused = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)
    try:
        with quiet_panics():
            yield
    except refused as error:
        raise InputError(
            f"{name} cannot be read as {kind}: {short_reason(error)}; pass another file, or its `format`."
        ) from None


def _begins_with(file: BinaryIO | Path, magic: bytes) -> bool:
    with file.open("rb") if isinstance(file, Path) else nullcontext(file) as stream:
        found = stream.read(len(magic)) == magic
        stream.seek(0)
        return found
