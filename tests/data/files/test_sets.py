"""The reference tables: their columns are read as what they are declared, and their cells as pandas reads them."""

import numpy as np
import pandas as pd
import pytest

from tests.golden.sets import schema_of
from treewright import read

# Amounts that are written with leading zeros; ours calls such columns codes, and says so.
CODES = {"credit_a": {"A11", "A14"}, "r8_crx_train": {"A11", "A14"}, "r8_crx_test": {"A11", "A14"}}
SMALL = 40_000


def check(shared, name, declared):
    path = next(path for end in (".csv", ".csv.gz") if (path := shared / "data" / f"{name}{end}").exists())
    numeric = {column["name"] for column in declared["columns"] if column["type"] == "numeric"}
    words = [column["name"] for column in declared["columns"] if column["name"] not in numeric]
    guessed = {column.name: column.kind for column in read(path, missing=()).columns}
    assert {name for name in numeric if guessed[name] != "number"} == CODES.get(name, set())

    X = read(path, missing=(), categorical=words, numeric=sorted(numeric)).X
    table = pd.read_csv(path, keep_default_na=False, na_values=[""], dtype=str)
    assert X.columns == list(table.columns)
    for column in X.columns:
        cells = table[column]
        if column in numeric:
            assert np.array_equal(
                X[column].to_numpy(), pd.to_numeric(cells).to_numpy(dtype=float), equal_nan=True
            )
        else:
            expected = [None if cell != cell else cell.strip(" \t") or None for cell in cells]
            assert X[column].to_list() == expected


def sizes(shared):
    return {
        name: sum(path.stat().st_size for path in (shared / "data").glob(f"{name}.csv*"))
        for name in schema_of(shared)
    }


def test_small_sets(shared):
    chosen = [name for name, size in sizes(shared).items() if size < SMALL]
    assert len(chosen) > 40
    for name in chosen:
        check(shared, name, schema_of(shared)[name])


@pytest.mark.long
def test_all_sets(shared):
    for name in sizes(shared):
        check(shared, name, schema_of(shared)[name])
