"""Typed: files whose columns have types, read by polars.

In: the bytes of a Parquet, Arrow or JSON lines file. Out: a frame.
"""

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treewright.data.files.cell_meaning import known, known_numbers
from treewright.data.files.format import STREAM
from treewright.data.files.naming import names_of
from treewright.data.files.source import Source
from treewright.data.files.text import Layout
from treewright.data.files.wording import reason_of
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def frame_of(source: Source, kind: str, layout: Layout) -> tuple["pl.DataFrame", tuple[str, ...]]:
    """The frame in a file of this kind, and notes; missing markers are looked for only where the user gave some."""
    import polars as pl

    data: Any = source.path if source.path is not None and kind != "jsonl" else io.BytesIO(source.data)
    readers: dict[str, Callable[[Any], Any]] = {
        "parquet": lambda data: pl.read_parquet(data, glob=False),
        "jsonl": lambda data: pl.read_ndjson(data, infer_schema_length=None),
        "arrow": pl.read_ipc_stream
        if source.head.startswith(STREAM)
        else lambda data: pl.scan_ipc(data, glob=False).collect(),
    }
    try:
        frame = readers[kind](data)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        reason = reason_of(error)
        raise InputError(
            f"{source.name!r} cannot be read as {kind}: {reason}; give another file, or its format."
        ) from None
    if not frame.height or not frame.width:
        raise InputError(f"{source.name!r} holds a table of {frame.height} rows and {frame.width} columns; give rows.")
    notes: tuple[str, ...] = ()
    if "" in frame.columns:
        frame.columns, note = names_of(frame.columns, frame.width, repr(source.name))
        notes = (note or "",)
    if layout.missing is not None:
        text = pl.col(pl.String)
        frame = frame.with_columns(known(text, layout.missing, pl).name.keep())
        frame = frame.select(known_numbers(column, layout.missing) for column in frame.get_columns())
    return frame, notes
