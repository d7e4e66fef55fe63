"""What Release 8 and J48 made of the reference sets after pruning, and our models of them.

In: the folder of reference data and the name of a set. Out: sizes and training errors of the programs and of our
classifiers, and the pruned tree as Release 8 prints it: a leaf is followed by its rows and by the errors that are
estimated for it, where the unpruned tree has those it makes.
"""

import re
from functools import cache

import numpy as np
import pandas as pd

from tests.golden.c45_print import as_printed, unpruned
from tests.golden.release8 import OPTIONS, reference, wrong
from tests.golden.sets import load, schema_of
from treewright import C45Classifier
from treewright.data.dataset import Dataset
from treewright.data.encode import read_table
from treewright.data.schema import Schema, Target
from treewright.grow.grower import grow
from treewright.predict.predictions import predict_class_codes
from treewright.prune import ErrorBased
from treewright.prune.limits import Limit

RELEASE8 = Limit("release8", 0.25)

ROUNDED = "grown so: sides of exactly 2 rows, and ties, fall the other way in 32 bits"
THRESHOLD = "in 32 bits (3.6 + 3.8) / 2 < 3.7, so a threshold is 3.6: the rows of a raised branch part otherwise"
TRACED = {
    ("mushroom", "default"): (
        (30, 0, "0.3"),
        "grown so: gill-size and ring-number part 624 rows alike; in 32 bits the second has the better ratio",
    ),
    ("hepatitis", "default"): ((21, 12, "17.1"), THRESHOLD),
    ("hepatitis", "s"): ((21, 12, "17.1"), THRESHOLD),
    ("credit_data", "default"): ((509, 505, "19.8"), ROUNDED),
    ("credit_data", "s"): ((402, 577, "19.4"), ROUNDED),
    ("watermelon20", "g"): (
        (4, 3, "40.6"),
        "grown so: the gains of three columns are equal; we take the first one, the program the last",
    ),
}
"""(set, option) -> our size, errors and estimate where they differ from Release 8's, and the cause."""

TRACED_PLACES = {
    # In 32 bits (0.52 + 0.58) / 2 < 0.55.
    "ecoli": [("mcg <= 0.55, mcg > 0.55", "mcg <= 0.54, mcg > 0.54")],
    # Midpoints that are values of the table, as in the unpruned tree.
    "page_blocks": [
        ("p_black <= 0.229, p_black > 0.229", "p_black <= 0.23, p_black > 0.23"),
        ("p_black <= 0.158, p_black > 0.158", "p_black <= 0.157, p_black > 0.157"),
        ("p_black <= 0.149, p_black > 0.149", "p_black <= 0.148, p_black > 0.148"),
    ],
    # See above.
    "hepatitis": [("LIVE (7.5/3.8)", "ALBUMIN <= 3.6, ALBUMIN > 3.6")],
}
"""set -> (ours, theirs) at each place where the printed tree differs."""


def release8(shared, name, option="default"):
    """Our model of a whole set, as Release 8 prunes."""
    return C45Classifier(variant="release8", pruning="error_based", **OPTIONS[option]).fit(*load(shared, name))


def ours(shared, name, option="default"):
    """Its size, its training errors, and the errors estimated for its leaves in percent of the rows."""
    model = release8(shared, name, option)
    tree = model.tree_
    estimated = estimates(tree)[tree.is_leaf].sum() / tree.weight[0]
    return tree.n_nodes, wrong(model, shared, name), f"{100 * estimated:.1f}"


def theirs(shared, name, option="default"):
    """What the program printed after pruning."""
    row = reference(shared)[name, option]
    return int(row["pruned_size"]), int(row["pruned_errors"]), row["estimate_percent"]


def estimates(tree):
    """The estimated errors of each node as a leaf."""
    return RELEASE8.estimates(tree.weight, tree.weight - tree.stats.max(axis=1))


def printed(shared, name):
    """The pruned tree as printed; None where pruning changed nothing, and so nothing was printed."""
    text = (shared / "reference" / "golden" / "c45-trees" / f"{name}.txt").read_text(encoding="utf-8")
    _, heading, simplified = text.partition("Simplified Decision Tree:")
    return unpruned(simplified) if heading else None


def as_pruned(tree):
    """A pruned tree of ours in the same form."""
    found = {"": as_printed(tree)}
    waiting = [(found, "", 0)]
    estimated = estimates(tree)
    while waiting:
        above, key, i = waiting.pop()
        below = above[key]
        if isinstance(below, dict):
            waiting.extend((below, test, int(tree.first_child[i]) + b) for b, test in enumerate(below))
        else:
            labels, weight, _ = below
            above[key] = labels, weight, f"{estimated[i]:.1f}"
    return found[""]


@cache
def j48(shared):
    """Leaves, size and training errors of J48, by set: sections B, E and F of weka.md."""
    text = (shared / "reference" / "weka.md").read_text(encoding="utf-8")
    whole = text.split("## B.")[1].split("## C.")[0]
    rows = re.findall(r"^\| (\S+) \| (\d+)/(\d+)/(\d+) \|", whole, re.MULTILINE)
    found = {re.sub(r"[.-]", "_", name): tuple(map(int, figures)) for name, *figures in rows}
    halves = re.findall(r"^(\S+) J48 leaves (\d+) size (\d+) train-err (\d+)", text, re.MULTILINE)
    found |= {f"{name}_train": tuple(map(int, figures)) for name, *figures in halves}
    fewer = re.findall(r"^(\S+)\.arff J48 .*\n\D+(\d+)\D+(\d+)\D+(\d+) ", text, re.MULTILINE)
    return found | {name: tuple(map(int, figures)) for name, *figures in fewer}


def j48_test_errors(shared):
    """Errors of J48 on the test files of section E, by the name of the training file."""
    text = (shared / "reference" / "weka.md").read_text(encoding="utf-8")
    rows = re.findall(r"^(\S+) J48 leaves .* test-err (\d+)", text, re.MULTILINE)
    return {f"{name}_train": int(errors) for name, errors in rows}


def weka(shared, name):
    """Our model of a whole set, as J48 prunes."""
    return C45Classifier(variant="release8", pruning=ErrorBased(limit="weka")).fit(*load(shared, name))


def our_j48(shared, name):
    """Leaves, size and training errors of our model.

    In anneal a question mark is a category, which schema.json calls QMARK; of its six classes one has no rows, but
    counts in the smallest side of a cut.
    """
    if name not in ("anneal", "anneal_orig"):
        model = weka(shared, name)
        return model.tree_.n_leaves, model.tree_.n_nodes, wrong(model, shared, name)
    X, y = _anneal(shared) if name == "anneal" else load(shared, name)
    table, classes = read_table(X), ("1", "2", "3", "4", "5", "U")
    codes = np.array([classes.index(label) for label in y], dtype=np.int32)
    rows = Dataset(Schema(table.columns, Target("class", classes)), table.values, codes)
    grown = grow(rows, C45Classifier(variant="release8").plan())
    tree = ErrorBased(limit="weka").prune(grown, rows=rows).tree
    return tree.n_leaves, tree.n_nodes, int(np.count_nonzero(predict_class_codes(tree, rows.values) != codes))


def _anneal(shared):
    """The table with its question marks as a category."""
    cells = pd.read_csv(shared / "data" / "anneal.csv", dtype=str, keep_default_na=False).replace("?", "QMARK")
    columns = {
        c["name"]: pd.to_numeric(cells[c["name"]])
        if c["type"] == "numeric"
        else pd.Categorical(cells[c["name"]], categories=c["levels"])
        for c in schema_of(shared)["anneal"]["columns"]
    }
    frame = pd.DataFrame(columns)
    return frame, frame.pop("class").astype(str)
