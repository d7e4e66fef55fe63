"""Files on this machine, in batches: Parquet, Arrow (Feather), CSV and TSV, one or many.

In: a path, a pattern such as data/*.parquet, or a folder. Out: an engine. The codes of the cells are kept in a
temporary folder, a byte a cell in most tables, and read in parts, so that memory does not grow with the rows.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from glob import glob
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import numpy as np

from treewright.errors import InputError
from treewright.extras import require
from treewright.scale import row_parts, worker
from treewright.scale.engine import BOOLEAN, NUMBER, TEXT, Level
from treewright.scale.partitions import PartitionEngine

BATCH_ROWS = 1 << 18
"""Rows that are read and encoded at a time."""
KEPT_BYTES = 1 << 28
"""Bytes for where the rows of parts are, so that they need not be followed from the root for each level."""
FORMATS = {
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "feather", ".feather": "feather", ".ipc": "feather",
    ".csv": "csv", ".tsv": "csv", ".txt": "csv",
}  # fmt: skip
MISSING_TEXTS = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "#N/A"]
"""Cells of a text file that are missing values, as `treewright.read` takes them."""


def find_files(path: str | os.PathLike[str]) -> list[str]:
    """The files that a path or a pattern names, in order.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("b.csv", "a.csv"):
    ...         _ = Path(folder, name).write_text("x,y")
    ...     [Path(one).name for one in find_files(f"{folder}/*.csv")]
    ['a.csv', 'b.csv']
    """
    given = str(Path(path).expanduser())
    if Path(given).is_dir():
        found = [str(one) for one in Path(given).rglob("*") if one.is_file() and one.suffix.lower() in FORMATS]
    else:
        found = [given] if Path(given).exists() else glob(given, recursive=True)  # noqa: PTH207 (of any path)
    if not found:
        raise InputError(f"No file is named {given!r}; check the path or the pattern.")
    return sorted(found)


class LocalEngine(PartitionEngine):
    """Reads files in batches, and keeps their codes on disk."""

    name = "local"

    def __init__(self, path: str | os.PathLike[str], folder: str | os.PathLike[str] | None = None) -> None:
        super().__init__()
        require("pyarrow", "Fitting on files in batches")
        self.files = find_files(path)
        self.dataset = open_dataset(self.files)
        self.is_parquet = FORMATS.get(Path(self.files[0]).suffix.lower()) == "parquet"
        self.folder = Path(mkdtemp(prefix="treewright-", dir=folder))
        self._parts: list[dict[str, Any]] = []
        self._arrived: list[tuple[list[Level], Any]] = []
        self._arrived_of_parts: dict[tuple[int, Any], tuple[list[Level], Any]] = {}
        self._room = KEPT_BYTES

    def kinds(self) -> dict[str, str]:
        """The columns with their kinds."""
        return {field.name: kind_of(field.type) for field in self.dataset.schema}

    def batches(self, columns: list[str]) -> Iterator[Any]:
        """The rows of all files, some at a time."""
        import pyarrow as pa
        import pyarrow.dataset as ds

        # Buffered ahead, a file of Parquet would be in memory whole.
        options = ds.ParquetFragmentScanOptions(pre_buffer=False) if self.is_parquet else None
        scanner = self.dataset.scanner(
            columns=columns, batch_size=BATCH_ROWS, use_threads=False, batch_readahead=1, fragment_readahead=1,
            fragment_scan_options=options,
        )  # fmt: skip
        try:
            yield from scanner.to_batches()
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise InputError(f"{self.files[0]!r} or a file read with it cannot be read: {error}") from None

    def read_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> Iterable[Any]:
        """The result of a task on all batches."""
        return [task(self.batches(columns), *args)]

    def encode_batches(self, task: Callable[..., Any], columns: list[str], *args: Any) -> None:
        """Write the codes of each batch to files."""
        self._parts = []
        for i, part in enumerate(task(self.batches(columns), *args)):
            kept = {}
            for name, array in part.items():
                if array is not None:
                    place = self.folder / f"{i:06d}-{name}.npy"
                    np.save(place, array)
                    kept[name] = place
            self._parts.append(kept)
        self._arrived = [([], None)] * len(self._parts)
        self._arrived_of_parts, self._room = {}, KEPT_BYTES

    def map_codes(self, task: Callable[..., Any], levels: list[Level], *args: Any) -> Iterable[Any]:
        """The results of a task on each part of the codes; where its rows are is kept from level to level."""
        for i in range(len(self._parts)):
            part = self._read(i)
            arrived = go_on(part["codes"], levels, self._arrived[i], partial(worker.walk, part, []))
            self._arrived[i] = list(levels), arrived
            yield task(part, arrived, *args)

    def map_requests(self, requests: list[dict[str, Any]]) -> Iterable[list[Any]]:
        """The results of requests on each part of the codes."""
        tasks = {one["task"]: getattr(worker, one["task"]) for one in requests}
        wanted = {part_key(one) for one in requests}
        for key in [key for key in self._arrived_of_parts if key[1] not in wanted]:
            self._room += bytes_of(self._arrived_of_parts.pop(key)[1])
        for i in range(len(self._parts)):
            part = self._read(i)
            hashes = self._hash(i, part)
            found = []
            for one in requests:
                entries = self._follow(i, part, hashes, one)
                found.append(row_parts.run_request(part, entries, one, tasks))
            yield found

    def _follow(self, i: int, part: dict[str, Any], hashes: Any, request: dict[str, Any]) -> Any:
        """The rows of a request that went down its levels, from where they were before, if that was kept."""
        key, levels = (i, part_key(request)), request["levels"]
        kept = self._arrived_of_parts.pop(key, ([], None))
        self._room += bytes_of(kept[1])
        begin = partial(row_parts.entries_of, part["weight"], hashes, request["part"])
        entries = go_on(part["codes"], levels, kept, begin)
        if bytes_of(entries) <= self._room:
            self._room -= bytes_of(entries)
            self._arrived_of_parts[key] = list(levels), entries
        return entries

    def _hash(self, i: int, part: dict[str, Any]) -> Any:
        """The hashes of the rows, which are kept on disk."""
        if "hash" not in self._parts[i]:
            self._parts[i]["hash"] = self.folder / f"{i:06d}-hash.npy"
            np.save(self._parts[i]["hash"], row_parts.hash_rows(part, self._hash_units))
        return np.load(self._parts[i]["hash"])

    def _read(self, i: int) -> dict[str, Any]:
        kept = self._parts[i]
        return {name: np.load(kept[name]) if name in kept else None for name in ("codes", "target", "weight")}

    def close(self) -> None:
        """Remove the codes from the disk."""
        rmtree(self.folder, ignore_errors=True)


def part_key(request: dict[str, Any]) -> Any:
    """The part of a request as the key of a dict."""
    return request["part"]["conditions"], request["part"]["shift"]


def bytes_of(entries: Any) -> int:
    """The bytes of some arrays; None has none."""
    return sum(one.nbytes for one in entries or () if one is not None)


def go_on(codes: Any, levels: list[Level], kept: tuple[list[Level], Any], begin: Callable[[], Any]) -> Any:
    """Where rows are behind the levels: from where they were before, if the levels begin with the very ones that they
    went down; or else from the root, where `begin` has them.
    """
    passed, entries = kept
    is_known = entries is not None and [*map(id, passed)] == [*map(id, levels[: len(passed)])]
    if not is_known:
        passed, entries = [], begin()
    for level in levels[len(passed) :]:
        entries = worker.step(codes, level, *entries)
    return entries


def open_dataset(files: list[str]) -> Any:
    """The files as one Arrow dataset."""
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.dataset as ds

    suffixes = {Path(one).suffix.lower() for one in files}
    formats = {FORMATS.get(suffix) for suffix in suffixes}
    if len(formats) > 1 or None in formats:
        known = ", ".join(FORMATS)
        raise InputError(f"The files must be of one format, ending in {known}, got {', '.join(sorted(suffixes))}.")
    form: Any = formats.pop()
    if form == "csv":
        convert = pc.ConvertOptions(null_values=MISSING_TEXTS, strings_can_be_null=True)
        parse = pc.ParseOptions(delimiter="\t" if ".tsv" in suffixes else ",")
        form = ds.CsvFileFormat(parse_options=parse, convert_options=convert)
    try:
        return ds.dataset(files, format=form, schema=joined_schema(ds.dataset(files, format=form)))
    except (pa.ArrowInvalid, OSError) as error:
        raise InputError(f"{files[0]!r} cannot be read: {error}") from None


def joined_schema(dataset: Any) -> Any:
    """The columns of all files: a column may have values of another width, or none at all, in some of them."""
    import pyarrow as pa

    joined = dataset.schema
    for fragment in dataset.get_fragments():
        try:
            joined = pa.unify_schemas([joined, fragment.physical_schema], promote_options="permissive")
        except pa.ArrowTypeError:
            own = fragment.physical_schema
            name = next(name for name in own.names if is_other_kind(joined, own, name))
            raise InputError(
                f"Column {name!r} has the type {own.field(name).type} in {fragment.path!r} and "
                f"{joined.field(name).type} in the files before it; convert it to one type."
            ) from None
    return joined


def is_other_kind(schema: Any, other: Any, name: str) -> bool:
    """Whether a column cannot have one type in both schemas."""
    import pyarrow as pa

    if name not in schema.names:
        return False
    try:
        pa.unify_schemas([pa.schema([one.field(name)]) for one in (schema, other)], promote_options="permissive")
    except pa.ArrowTypeError:
        return True
    return False


def kind_of(dtype: Any) -> str:
    """The kind of an Arrow column."""
    import pyarrow as pa

    if pa.types.is_dictionary(dtype):
        dtype = dtype.value_type
    if pa.types.is_integer(dtype) or pa.types.is_floating(dtype) or pa.types.is_decimal(dtype):
        return NUMBER
    if pa.types.is_null(dtype):
        return NUMBER
    if pa.types.is_string(dtype) or pa.types.is_large_string(dtype) or pa.types.is_string_view(dtype):
        return TEXT
    return BOOLEAN if pa.types.is_boolean(dtype) else str(dtype)
