"""Typed stream: Parquet, Arrow and JSON lines in batches.

In: a file whose columns have types. Out: a `Stream`, drawn by polars piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from treewright.data.files.batches import ROWS, Batch, Stream, Wish, held
from treewright.data.files.blocks import row_blocks
from treewright.data.files.format import STREAM
from treewright.data.files.wording import reason_of
from treewright.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def typed_stream(file: BinaryIO | Path, kind: str, name: str, size: int) -> Stream:
    """The rows of a file of this kind, which can be read from any place; `size` is that of a block of JSON lines.

    >>> from io import BytesIO
    >>> stream = typed_stream(BytesIO(b'{"a": 1}\\n{"a": 2.5, "b": "x"}\\n'), "jsonl", "'x.jsonl'", 10)
    >>> [batch.frame.rows() for batch in stream.batches()]
    [[(1.0, None)], [(2.5, 'x')]]
    """
    import polars as pl

    with _said_of(name, kind):
        if kind == "jsonl":
            return _json_lines(file, name, size)
        if kind == "arrow" and _begins_with(file, STREAM):
            return held(name, pl.read_ipc_stream(file))
        # By itself polars would take [ and * in the name for a pattern, and read other files.
        lazy = (pl.scan_parquet if kind == "parquet" else pl.scan_ipc)(file, glob=False)
        types = dict(lazy.collect_schema())

    def draw(columns: Sequence[str], _: Wish) -> Iterator[Batch]:
        with _said_of(name, kind):
            for frame in lazy.select(columns).collect_batches(chunk_size=ROWS, maintain_order=True):
                yield Batch(frame)

    return Stream(name, types, _draw=draw)


def _json_lines(file: BinaryIO | Path, name: str, size: int) -> Stream:
    """JSON lines are read twice: the type of a column is one that all of its cells fit."""
    import polars as pl

    def blocks() -> Iterator[bytes]:
        with file.open("rb") if isinstance(file, Path) else nullcontext(file) as stream:
            stream.seek(0)
            yield from filter(bytes.strip, row_blocks(iter(partial(stream.read, size), b""), quotes=False))

    met: pl.DataFrame | None = None
    for block in blocks():
        empty = pl.read_ndjson(block, infer_schema_length=None).clear()
        met = empty if met is None else pl.concat([met, empty], how="diagonal_relaxed")
    if met is None:
        raise InputError(f"{name} holds no rows; give a file with a table in it.")
    types = dict(met.schema)

    def draw(columns: Sequence[str], _: Wish) -> Iterator[Batch]:
        chosen = {column: types[column] for column in columns}
        with _said_of(name, "jsonl"):
            for block in blocks():
                yield Batch(pl.read_ndjson(block, schema=chosen))

    return Stream(name, types, _draw=draw)


@contextmanager
def _said_of(name: str, kind: str) -> Iterator[None]:
    """What polars finds wrong, in a sentence."""
    import polars as pl

    try:
        yield
    except pl.exceptions.PolarsError as error:
        said = f"{name} cannot be read as {kind}: {reason_of(error)}"
        raise InputError(f"{said}; give another file, or its format.") from None


def _begins_with(file: BinaryIO | Path, magic: bytes) -> bool:
    with file.open("rb") if isinstance(file, Path) else nullcontext(file) as stream:
        found = stream.read(len(magic)) == magic
        stream.seek(0)
        return found
