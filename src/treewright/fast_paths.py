"""Fast paths: optimisations by name, each of which can be switched off.

A fast path never changes a tree or a prediction. To check that, or to measure what a path saves, switch it off:

    with without_fast_paths("coded columns"):
        ...
    with without_fast_paths():           # all of them
        ...

or start Python with `TREEWRIGHT_FAST_PATHS=off`, or with the names of the only ones to use, separated by commas.
`fast_path_sizes` changes the sizes at which paths are used, so that small tables use a path meant for large ones.

The setting holds for the whole process and all threads; change it only while no tree is grown and nothing is predicted.
"""

import os
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from treewright._core import codes
from treewright.errors import ParameterError

VARIABLE = "TREEWRIGHT_FAST_PATHS"


@dataclass(frozen=True, slots=True)
class FastPath:
    """A fast path.

    name   its name
    what   what it does, in one line
    when   when it is used; {} stands for the size
    size   the number from which or up to which it is used; None if there is none
    bit    its bit of the kernels' field `fast`; 0 if Python decides
    needs  another path without which it has no effect
    """

    name: str
    what: str
    when: str
    size: float | None = None
    bit: int = 0
    needs: str | None = None


_ALL = (
    # the table
    FastPath("packed labels", "the class of a row is stored in the sorted entries", "where 31 bits hold row and class"),
    FastPath("coded columns", "columns of at most 255 values are counted by value instead of sorted",
             "from {:,} rows of the table on", 1_000),
    FastPath("whole numbers", "coded columns of whole numbers near each other need no search for their values",
             "in coded columns", needs="coded columns"),
    FastPath("threads", "columns and subtrees are shared among threads", "from {:,} cells of the table on", 400_000,
             needs="subtrees"),
    FastPath("kept workspace", "the arrays of a fit are kept for the next table of the same form",
             "up to {:,} cells of the table; beyond that between the folds of cross-validation", 4_096),
    # the search
    FastPath("bounds", "cuts and subsets that cannot beat an earlier column are passed over",
             "where only the gain decides", bit=codes.FAST_BOUNDS),
    FastPath("skipped blocks", "blocks of rows without a better cut are passed over",
             "where rows count once, from {:,} rows of the node on; always with two classes or a number as target",
             512, codes.FAST_BLOCKS),
    FastPath("pure runs", "cuts between rows of one class are passed over (Fayyad and Irani 1992)",
             "with weights or missing values, by entropy or more than two classes", bit=codes.FAST_RUNS),
    FastPath("largest gain", "no more columns are searched once one gains all that can be gained",
             "where only the gain decides", bit=codes.FAST_LARGEST),
    FastPath("two classes", "scans of their own for two classes", "in sorted columns", bit=codes.FAST_TWO,
             needs="packed labels"),
    FastPath("running sums", "subsets of categories by Gini are scored from sums of squares that are carried on",
             "where every row counts once", bit=codes.FAST_SUMS),
    # coded columns
    FastPath("kept counts", "all coded columns of a node are counted in one pass",
             "in nodes of {:g} rows or more for each count of a column, half as many with more than 8 classes", 0.5,
             needs="coded columns"),
    FastPath("subtraction", "the counts of the largest child are its parent's less those of the others",
             "with kept counts", bit=codes.FAST_SUBTRACTION, needs="kept counts"),
    FastPath("packed counts", "eight counts by class are kept in one 64-bit number",
             "in coded columns by Gini, nodes of up to 255 rows", bit=codes.FAST_PACKED, needs="coded columns"),
    FastPath("short counts", "eight counts by class are multiplied in one step",
             "in coded columns by Gini, nodes of up to 32,767 rows", bit=codes.FAST_SHORT, needs="coded columns"),
    # the tree
    FastPath("subtrees", "the subtree of a smaller node is grown apart, in arrays that fit into the cache",
             "in nodes of fewer than {:,} rows, of tables of twice as many", 10_000),
    FastPath("value lookup", "thresholds at values of the table are looked up in sorted cuts",
             "from {:,} nodes times rows on", 2**16),
    FastPath("folds side by side", "the trees of cross-validation are grown at the same time, each on one thread",
             "from {:,} cells of the table on, where n_jobs is above 1", 200_000),
    # prediction
    FastPath("few rows", "rows of an array go down the tree without being read in blocks", "up to {:,} rows", 64),
    FastPath("few objects", "rows of Python objects are read cell by cell", "up to {:,} rows", 8),
    FastPath("rows side by side", "several rows go down the tree at the same time", "from {:,} rows on", 16),
    FastPath("threads of prediction", "blocks of rows are shared among threads", "from {:,} rows on", 2**17),
)  # fmt: skip
FAST_PATHS = {path.name: path for path in _ALL}


@dataclass(slots=True)
class _Setting:
    """Which paths are in use, and from what size on."""

    used: frozenset[str]
    sizes: Mapping[str, float]


def describe_fast_paths() -> str:
    """Return the paths as a Markdown table, as in docs/speed.md."""
    lines = [f"| {path.name} | {path.what} | {path.when.format(path.size)} |" for path in _ALL]
    return "\n".join(["| fast path | what it does | where |", "|---|---|---|", *lines])


def is_used(name: str) -> bool:
    """Return whether a path is in use."""
    return name in _setting.used


def size_of(name: str) -> float:
    """Return the size from which or up to which a path is used."""
    return _setting.sizes[name]


def size_limit(name: str) -> float:
    """Return the size up to which a path is used; -1 if it is switched off."""
    return _setting.sizes[name] if name in _setting.used else -1


def kernel_bits() -> int:
    """Return the paths in use that the kernels choose, as the field `fast` of the workspace."""
    return _bits_of(_setting.used)


@cache
def _bits_of(names: frozenset[str]) -> int:
    return sum(FAST_PATHS[name].bit for name in names)


@contextmanager
def without_fast_paths(*names: str) -> Iterator[None]:
    """Switch off these fast paths, or all of them if none is named.

    >>> with without_fast_paths("coded columns"):
    ...     is_used("coded columns"), is_used("bounds")
    (False, True)
    """
    before = _setting.used
    _setting.used = before - _check_names(names) if names else frozenset()
    try:
        yield
    finally:
        _setting.used = before


@contextmanager
def only_fast_paths(*names: str) -> Iterator[None]:
    """Switch off all fast paths except these and the paths they need.

    >>> with only_fast_paths("subtraction"):
    ...     is_used("subtraction"), is_used("coded columns"), is_used("bounds")
    (True, True, False)
    """
    before = _setting.used
    _setting.used = _with_needs(names)
    try:
        yield
    finally:
        _setting.used = before


@contextmanager
def fast_path_sizes(sizes: Mapping[str, float]) -> Iterator[None]:
    """Use these fast paths at other sizes.

    >>> with fast_path_sizes({"coded columns": 10}):
    ...     size_of("coded columns")
    10
    """
    for name in _check_names(sizes):
        if FAST_PATHS[name].size is None:
            raise ParameterError(f"The fast path {name!r} has no size: it is used {FAST_PATHS[name].when}.")
    before = _setting.sizes
    _setting.sizes = {**before, **sizes}
    try:
        yield
    finally:
        _setting.sizes = before


def read_fast_paths(text: str) -> frozenset[str]:
    """Return the paths that a value of TREEWRIGHT_FAST_PATHS leaves in use; an empty value leaves all.

    >>> sorted(read_fast_paths("bounds, coded columns"))
    ['bounds', 'coded columns']
    >>> len(read_fast_paths("off"))
    0
    """
    if not text.strip():
        return frozenset(FAST_PATHS)
    return frozenset() if text.strip() == "off" else _with_needs([name.strip() for name in text.split(",")])


def _with_needs(names: Collection[str]) -> frozenset[str]:
    found = _check_names(names)
    needed = {FAST_PATHS[name].needs for name in found} - {None} - found
    return _with_needs([*found, *(name for name in needed if name)]) if needed else found


def _check_names(names: Collection[str]) -> frozenset[str]:
    for name in names:
        if name not in FAST_PATHS:
            raise ParameterError(f"Unknown fast path {name!r}; use {', '.join(map(repr, FAST_PATHS))}.")
    return frozenset(names)


_setting = _Setting(
    used=read_fast_paths(os.environ.get(VARIABLE, "")),
    sizes={path.name: path.size for path in _ALL if path.size is not None},
)
