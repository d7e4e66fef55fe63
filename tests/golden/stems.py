"""The reference sets as the files that Quinlan's program reads.

In: the folder of reference data, the name of a set, and a folder to write into. Out: the stem of a .names and a .data
file (and a .test file): attributes in the order of the table, levels in the order of schema.json.

The golden trees were made with names that the program's files can hold, and with `v0`, `v1` ... for the levels.
"""

import pandas as pd
import polars as pl

from tests.golden.c45_print import cleaned
from tests.golden.sets import load, schema_of
from treewright.data.files.declared_table import DeclaredTable
from treewright.data.files.table_writer import write_names


def write_stem(shared, name, folder, *, test=None, words=False):
    """Write the files of a set; with `words`, in its own words instead of those of the golden trees."""
    stem = folder / name
    other = None if test is None else _table(shared, test, name, words)
    write_names(stem, _table(shared, name, name, words), test=other)
    return stem


def _table(shared, name, levels_of, words):
    declared = schema_of(shared)[levels_of]
    X, y = load(shared, name)
    columns, levels = {}, {}
    for column in declared["columns"]:
        called = column["name"] if words else cleaned(column["name"])
        if column["name"] == declared["target"]:
            known = column.get("levels") or sorted(y.unique())
            levels[called] = tuple(known if words else map(cleaned, known))
            cells = dict(zip(known, levels[called], strict=True))
            columns[called] = [cells[label] for label in y]
        elif isinstance(X[column["name"]].dtype, pd.CategoricalDtype):
            known = list(X[column["name"]].cat.categories)
            levels[called] = tuple(known if words else (f"v{i}" for i in range(len(known))))
            codes = X[column["name"]].cat.codes
            columns[called] = [levels[called][code] if code >= 0 else None for code in codes]
        else:
            columns[called] = X[column["name"]].to_numpy(dtype=float)
    target = declared["target"] if words else cleaned(declared["target"])
    frame = pl.DataFrame(columns).fill_nan(None)
    return DeclaredTable(frame, levels, numeric=set(columns) - set(levels), target=target)
