"""Model files that were made to be large inside: they load in time and memory that fit their size, or are refused."""

import json
import subprocess
import sys

import pytest

from treewright import ModelFormatError
from treewright.loading import load_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by /proc")

HEAD = {"format": "treewright", "version": 1, "made_by": "treewright 0.1.0"}
MEASURE = """
import json, sys, time, warnings
from pathlib import Path
from treewright.loading import load
import treewright.model.file.stored_tree, treewright.predict.table_prediction, treewright.rules.rule_file
warnings.simplefilter("ignore")
def peak():
    found = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(found[0].split()[1]) / 1024
Path("/proc/self/clear_refs").write_text("5")  # the peak is what is held now
before, start = peak(), time.process_time()
model = load(sys.argv[1])
seconds, megabytes = time.process_time() - start, peak() - before
rows = [[0.0] * int(sys.argv[2])] * 3
model.predict(rows)
print(json.dumps([seconds, megabytes, time.process_time() - start - seconds, peak() - before]))
"""


def chain(depth, n_columns, kind="number"):
    """A tree that goes down one branch, with a leaf at every step, each node asking for the next column."""
    n = 2 * depth + 1
    first, asks, weight = [-1] * n, [-1] * n, [1.0] * n
    for step in range(depth):
        first[2 * step], asks[2 * step], weight[2 * step] = 2 * step + 1, step % n_columns, float(depth - step + 1)
    inner = [f >= 0 for f in first]
    is_table = kind == "category"
    return {
        "criterion": "gini",
        "missing": "fractional",
        "first_child": first,
        "n_children": [2 if i else 0 for i in inner],
        "column": asks,
        "threshold": [0.5 if i and not is_table else None for i in inner],
        "n_codes": [int(i and is_table) for i in inner],
        "table_code": [0] * sum(inner) * is_table,
        "table_branch": [0] * sum(inner) * is_table,
        "other": [1 if i and is_table else -1 for i in inner],
        "missing_branch": [0 if i else -1 for i in inner],
        "count": [1] * n,
        "weight": weight,
        "stats": [number for one in weight for number in (one, 0.0)],
        "value": [1.0, 0.0] * n,
        "impurity": [0.0] * n,
        "gain": [0.0 if i else None for i in inner],
        "merit": [0.0 if i else None for i in inner],
        "surrogates": None,
    }


def schema(n_columns, categories=()):
    categories = list(categories)
    told = {"kind": "category", "categories": categories} if categories else {"kind": "number"}
    columns = [{"name": f"x{i}", **told} for i in range(n_columns)]
    return {"columns": columns, "target": {"name": "target", "classes": ["a", "b"]}}


def tree_file(tree, of):
    return HEAD | {"kind": "tree", "schema": of, "tree": tree}


def rules_file(tree, of):
    told = {"form": "leaves", "class_type": "<U1", "asking": {"missing": None, "unseen": "majority"}, "tree": tree}
    told["reading"] = {"named": True, "unseen": "mark", "complete": False}
    return HEAD | {"kind": "rules", "schema": of, "rules": told}


FILES = {
    "a tree 100,000 deep": (lambda: tree_file(chain(100_000, 3), schema(3)), 3),
    "a tree of 3,000 columns": (lambda: tree_file(chain(3_000, 3_000), schema(3_000)), 3_000),
    "a category of 300,000 values": (
        lambda: tree_file(chain(50, 1, "category"), schema(1, map(str, range(300_000)))),
        1,
    ),
    "rules of a tree 3,000 deep that asks for 3,000 columns": (
        lambda: rules_file(chain(3_000, 3_000), schema(3_000)),
        3_000,
    ),
    "rules of 2,000 questions about one category of 5,000": (
        lambda: rules_file(chain(2_000, 1, "category"), schema(1, map(str, range(5_000)))),
        1,
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_large_file_takes_what_fits_its_size(name, tmp_path):
    make, n_columns = FILES[name]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(make()), encoding="utf-8")
    command = [sys.executable, "-c", MEASURE, str(path), str(n_columns)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loading, megabytes, answering, in_the_end = json.loads(done.stdout)
    allowed = 10 * path.stat().st_size / 2**20 + 64
    assert loading < 1.0 + path.stat().st_size / 2**20  # a second, and one for each megabyte on a slow machine
    assert answering < 3.0
    assert megabytes < allowed
    assert in_the_end < allowed


def test_categories_that_collide_are_refused_in_good_time():
    same = [k * (2**61 - 1) for k in range(1, 3_000)]
    with pytest.raises(ModelFormatError, match="Field schema"):
        load_bytes(json.dumps(tree_file(chain(1, 1, "category"), schema(1, same))).encode())
