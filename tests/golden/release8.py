"""What Quinlan's C4.5 Release 8 made of the reference sets, and our models of them.

In: the folder of reference data, the name of a set and an option of the program. Out: its size and training errors
before pruning, its printed tree, and the classifier that should agree.

The program counts an error for each training row that the tree, asked with the row's own missing values, gives another
class; so the errors of a set with missing values are whole, though its leaves hold parts of rows.
"""

import csv
from functools import cache

import numpy as np

from tests.golden.c45_print import unpruned
from tests.golden.sets import load
from treewright import C45Classifier

OPTIONS = {"default": {}, "g": {"criterion": "gain"}, "s": {"grouping": "greedy"}}


@cache
def reference(shared):
    """The rows of the program's results by set and option."""
    with (shared / "reference" / "golden" / "c45-release8.csv").open(encoding="utf-8") as file:
        return {(row["name"], row["option"]): row for row in csv.DictReader(file)}


def size_and_errors(shared, name, option):
    """What the program printed before pruning."""
    row = reference(shared)[name, option]
    return int(row["raw_size"]), int(row["raw_errors"])


def printed_names(shared):
    """The sets whose trees are stored as printed."""
    return {file.stem for file in (shared / "reference" / "golden" / "c45-trees").glob("*.txt")}


def printed_tree(shared, name):
    """The unpruned tree as printed."""
    folder = shared / "reference" / "golden" / "c45-trees"
    return unpruned((folder / f"{name}.txt").read_text(encoding="utf-8"))


@cache
def fitted(shared, name, option):
    """Our model of a whole set, only to be read."""
    return C45Classifier(pruning=None, variant="release8", **OPTIONS[option]).fit(*load(shared, name))


def wrong(model, shared, name):
    """How many rows of a set a model gives another class."""
    X, y = load(shared, name)
    return int(np.count_nonzero(model.predict(X) != y))


def has_missing(shared, name):
    return bool(load(shared, name)[0].isna().any(axis=None))
