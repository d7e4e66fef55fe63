"""Sources of rows that are not in memory: paths of files, and lazy frames of other libraries.

None of these libraries is imported: an object of one tells by its module.
"""

import os

LIBRARIES = ("dask", "pyspark", "duckdb", "_duckdb", "polars", "ibis")
"""Libraries of lazy frames."""
FRAMES = ("DataFrame", "DuckDBPyRelation", "LazyFrame", "Table")
"""Their classes."""
FILES = "files"


def library_of(source: object) -> str | None:
    """The library of a lazy frame, "files" for a path; None for anything else, such as a table in memory.

    >>> library_of("data/*.parquet"), library_of([[1, 2]])
    ('files', None)
    """
    if isinstance(source, (str, os.PathLike)):
        return FILES
    library = type(source).__module__.split(".")[0]
    if library not in LIBRARIES or (library == "polars" and type(source).__name__ != "LazyFrame"):
        return None
    return library if any(base.__name__ in FRAMES for base in type(source).__mro__) else None
