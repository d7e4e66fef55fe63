"""Malformed: model files with one thing wrong each, by name, and what the refusal has to say.

In: nothing. Out: `CASES`, from a name to the seed, what is done to its document, and a part of the sentence that must
come: the field, by its whole path, or where in the text the file cannot be read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

NULL, BIG = None, 2**63


@dataclass(frozen=True)
class Case:
    """A seed, what is done to its document, and what the refusal says."""

    seed: str
    change: Callable[[Any], None]
    says: str


CASES: dict[str, Case] = {}


def enter(name, seed, change, says):
    assert name not in CASES, name
    CASES[name] = Case(seed, change, says)


def found(document, path):
    """The object or list that holds the end of a path, and that end."""
    *above, last = path.split(".")
    for key in above:
        document = document[int(key) if isinstance(document, list) else key]
    return document, int(last) if isinstance(document, list) else last


def field_of(path):
    """A path as a refusal writes it: trees.0.weight is trees[0].weight."""
    told = ""
    for key in path.split("."):
        told += f"[{key}]" if key.isdigit() else f".{key}" if told else key
    return told


def put(name, seed, path, value, says=None):
    """A case in which a field has another value; a function is given the old one."""

    def change(document):
        holder, key = found(document, path)
        holder[key] = value(holder[key]) if callable(value) else value

    enter(name, seed, change, says or f"Field {field_of(path)} ")


def drop(name, seed, path, says=None):
    """A case in which a field is not there."""

    def change(document):
        holder, key = found(document, path)
        del holder[key]

    enter(name, seed, change, says or f"Field {field_of(path)} is missing")


def item(name, seed, path, place, value, says=None):
    """A case in which one value of a list is another."""
    put(name, seed, path, lambda values: [*values[:place], value, *values[place + 1 :]], says)


def extra(name, seed, path):
    """A case with a field that is not known."""

    def change(document):
        holder, key = found(document, path)
        holder[key] = 1

    enter(name, seed, change, f"Field {field_of(path)} is unknown")


def every_array(seed, path, names, *, whole, endless=False):
    """What can be wrong with any list of numbers: what it is, how long it is, and what is in it."""
    for name in names:
        at, called = f"{path}.{name}", f"{field_of(path)}.{name}"
        drop(f"{seed}: no {called}", seed, at)
        put(f"{seed}: {called} is a text", seed, at, "1, 2")
        put(f"{seed}: {called} is too long", seed, at, lambda v: [*v, *v[:1]], f"Field {field_of(path)}.")
        item(f"{seed}: {called} holds a text", seed, at, 0, "7")
        if whole:
            item(f"{seed}: {called} holds half a row", seed, at, 0, 0.5)
            item(f"{seed}: {called} holds 2^63", seed, at, 0, BIG)
        else:
            item(f"{seed}: {called} holds a list", seed, at, 0, [1.0])
        if not whole and not endless:
            item(f"{seed}: {called} holds minus infinity", seed, at, 0, -inf)


# the head of a file
put("format is another", "c45", "format", "sklearn")
put("format is a number", "c45", "format", 1)
drop("no format", "c45", "format", "the field format is missing")
drop("no version", "c45", "version")
put("version is 0", "c45", "version", 0)
put("version is negative", "c45", "version", -1)
put("version is a text", "c45", "version", "1")
put("version is true", "c45", "version", True)
put("version is half", "c45", "version", 1.5)
put("version is null", "c45", "version", NULL)
put(
    "version is newer",
    "c45",
    "version",
    3,
    "Field version must be at most 2, got 3: the file was written by a newer Treewright",
)
put("version is far newer", "c45", "version", 10**9, "Field version must be at most 2, got 1000000000")
put(
    "version has no shrinkage of numbers",
    "tree_shrunken",
    "version",
    1,
    "Field tree.answering must be absent in version 1, because the tree predicts a number",
)
put("version has too many digits", "c45", "version", 10**400)
drop("no made_by", "c45", "made_by")
put("made_by is a number", "c45", "made_by", 3)
drop("no kind", "c45", "kind")
put("kind is not known", "c45", "kind", "forest")
put("kind is a list", "c45", "kind", ["tree"])
put("kind is that of another file", "c45", "kind", "rules", "Field ")
put("fingerprint of another tree", "c45", "fingerprint", "0" * 64)
put("fingerprint is a number", "c45", "fingerprint", 7)
extra("a field that nobody knows", "c45", "colour")
extra("a field with a name out of Python", "c45", "__class__")

# the schema
drop("no schema", "c45", "schema")
put("schema is a list", "c45", "schema", [])
drop("no columns", "c45", "schema.columns")
put("columns is an object", "c45", "schema.columns", {"age": "number"})
put(
    "columns holds a text",
    "c45",
    "schema.columns.0",
    "age",
    "Field schema.columns must hold objects, got 'age' at index 0",
)
drop("no name", "c45", "schema.columns.0.name")
put("name is a number", "c45", "schema.columns.0.name", 5)
drop("no kind of column", "c45", "schema.columns.0.kind")
put("kind of column is not known", "c45", "schema.columns.0.kind", "date")
put("kind of column is a number", "c45", "schema.columns.0.kind", 0)
extra("a number with categories", "c45", "schema.columns.0.categories")
extra("a column with more", "c45", "schema.columns.0.mean")
drop("no categories", "c45", "schema.columns.3.categories")
put("categories is a text", "c45", "schema.columns.3.categories", "red")
item("a category is null", "c45", "schema.columns.3.categories", 0, NULL)
item("a category is a list", "c45", "schema.columns.3.categories", 0, ["red"])
item("a category is there twice", "c45", "schema.columns.3.categories", 0, "red", "Field schema ")
item("a category is equal to another", "c45", "schema.columns.4.categories", 0, 1, "Field schema ")
put("two columns of one name", "c45", "schema.columns.1.name", "age", "Field schema ")
drop("no target", "c45", "schema.target")
put("target is a text", "c45", "schema.target", "yes")
drop("no name of the target", "c45", "schema.target.name")
put("name of the target is null", "c45", "schema.target.name", NULL)
put("no classes", "c45", "schema.target.classes", [], "Field ")
put("classes is an object", "c45", "schema.target.classes", {"a": 1})
item("a class is null", "c45", "schema.target.classes", 0, NULL)
item("a class is there twice", "c45", "schema.target.classes", 0, "yes", "Field schema ")
extra("a target with more", "c45", "schema.target.mean")
put("a schema of fewer columns", "c45", "schema.columns", lambda v: v[:1], "Field ")
put("a schema of no columns", "c45", "schema.columns", [], "Field ")

# the tree: every field, then what cannot be
WHOLE = ["first_child", "n_children", "column", "n_codes", "table_code", "table_branch", "other", "count"]
FLOATS = ["threshold", "weight", "stats", "value", "impurity", "gain", "merit"]
every_array("tree_each", "tree", [*WHOLE, "missing_branch"], whole=True)
every_array("tree_each", "tree", FLOATS, whole=False)
TREE = "Field {} of the tree"
put("a tree of no nodes", "tree_each", "tree.first_child", [])
item("the root is a leaf with children", "tree_each", "tree.n_children", 0, 0, TREE.format("n_children"))
item("more children than nodes", "tree_each", "tree.n_children", 0, 10**6)
item("children below 0", "tree_each", "tree.n_children", 1, -1)
item("a child that is its own parent", "tree_each", "tree.first_child", 0, 0, TREE.format("first_child"))
item("children behind the last node", "tree_each", "tree.first_child", 0, 12, "Field tree.first_child ")
item("a child before its parent", "tree", "tree.first_child", 2, 1, TREE.format("first_child"))
item("two nodes with the same children", "tree", "tree.first_child", 0, 3, "Field tree.first_child ")
item("a node asks for no column", "tree_each", "tree.column", 0, -1, "Field ")
item("a column that is not there", "tree_each", "tree.column", 0, 5)
item("a threshold of NaN", "tree", "tree.threshold", 0, NULL, TREE.format("threshold"))
item("a threshold at a leaf", "tree", "tree.threshold", 1, 3.0, TREE.format("threshold"))
item("an endless threshold", "tree", "tree.threshold", 0, inf, TREE.format("threshold"))
item("a threshold outside the codes", "tree", "tree.threshold", 4, 9.5, TREE.format("threshold"))
item("codes at a node without a category", "tree", "tree.n_codes", 0, 1, "Field tree.n_codes ")
item("no codes at a node with a category", "tree", "tree.n_codes", 2, 0)
item("a code that is not there", "tree", "tree.table_code", 3, 4, TREE.format("table_code"))
item("codes that fall", "tree", "tree.table_code", 3, 1, TREE.format("table_code"))
item("a code twice", "tree", "tree.table_code", 1, 0, TREE.format("table_code"))
item("a branch that is not there", "tree", "tree.table_branch", 0, 2, TREE.format("table_branch"))
item("other is no branch", "tree", "tree.other", 2, 2, TREE.format("other"))
item("other at a threshold", "tree", "tree.other", 0, 1, TREE.format("other"))
item("other is not told", "tree", "tree.other", 2, -1, TREE.format("other"))
item("missing values have no branch", "tree", "tree.missing_branch", 0, -1, TREE.format("missing_branch"))
item("missing values have a branch too far", "tree", "tree.missing_branch", 0, 2, TREE.format("missing_branch"))
item("a leaf with a branch for missing values", "tree", "tree.missing_branch", 1, 0, TREE.format("missing_branch"))
item("a count below 0", "tree", "tree.count", 0, -1)
item("a weight below 0", "tree", "tree.weight", 0, -1.0)
item("a weight without end", "tree", "tree.weight", 0, inf)
item("a weight that is null", "tree", "tree.weight", 0, NULL)
item("a weight that is not that of the classes", "tree", "tree.weight", 0, 99.0, TREE.format("stats"))
item("class weights below 0", "tree", "tree.stats", 0, -1.0)
item("class weights that do not add up", "tree", "tree.stats", 0, 1e6, TREE.format("stats"))
item("class shares that do not add up", "tree", "tree.value", 0, 0.9, TREE.format("value"))
item("class shares that are null", "tree", "tree.value", 0, NULL)
item("an impurity that is null", "tree", "tree.impurity", 0, NULL)
item("a split without gain", "tree", "tree.gain", 0, NULL, TREE.format("gain"))
item("a leaf with gain", "tree", "tree.gain", 1, 0.5, TREE.format("gain"))
item("a split without merit", "tree", "tree.merit", 0, NULL, TREE.format("merit"))
item("a leaf with merit", "tree", "tree.merit", 1, 0.5, TREE.format("merit"))
put("a criterion that is not known", "tree", "tree.criterion", "chance")
put("a criterion of numbers", "tree", "tree.criterion", "squared_error")
put("a criterion that is null", "tree", "tree.criterion", NULL)
put("a way with missing values that is not known", "tree", "tree.missing", "guess")
put("a way with missing values that is a list", "tree", "tree.missing", [])
drop("a tree without surrogates' field", "tree", "tree.criterion")
extra("a tree with more", "tree", "tree.depth")
put("a tree that is a list", "tree", "tree", [1])
drop("a tree file without a tree", "tree", "tree")
item("a loss below 0", "tree_regression", "tree.stats", 2, -1.0, TREE.format("stats"))
item("a value without end", "tree_regression", "tree.value", 0, inf, TREE.format("value"))
item("a weight that is not that of the stats", "tree_regression", "tree.stats", 0, 1.0, TREE.format("stats"))
put("numbers with the criterion of classes", "tree_regression", "tree.criterion", "gini")
put("classes for a tree of numbers", "tree_regression", "schema.target.classes", ["a", "b"], "Field tree.stats ")
put("numbers for a tree of classes", "tree", "schema.target.classes", NULL, "Field tree.stats ")

# surrogates
S = "trees.0.surrogates"
every_array("missing_surrogate", S, ["n_surrogates", "column", "low", "n_codes"], whole=True)
every_array("missing_surrogate", S, ["table_code", "table_branch"], whole=True)
every_array("missing_surrogate", S, ["threshold", "agree", "adjusted"], whole=False)
put("surrogates is a list", "missing_surrogate", S, [])
extra("surrogates with more", "missing_surrogate", f"{S}.rank")
item("a surrogate that asks as the split", "missing_surrogate", f"{S}.column", 1, 3, "Field ")
item("a surrogate at a leaf", "missing_surrogate", f"{S}.n_surrogates", 16, 1, f"Field {field_of(S)}.n_surrogates ")
item("a surrogate of a column that is not there", "missing_surrogate", f"{S}.column", 0, 9)
item("a surrogate without a threshold", "missing_surrogate", f"{S}.threshold", 0, NULL, "Field surrogates.threshold ")
item("a surrogate with a side too many", "missing_surrogate", f"{S}.low", 0, 2)
item("a surrogate with no side", "missing_surrogate", f"{S}.low", 0, -1, "Field surrogates.low ")
item("a surrogate that never agrees", "missing_surrogate", f"{S}.agree", 0, 0.0, "Field surrogates.agree ")
item("a surrogate that agrees too often", "missing_surrogate", f"{S}.agree", 0, 1.5, "Field surrogates.agree ")
item("a better surrogate behind a worse one", "missing_surrogate", f"{S}.agree", 1, 0.1, "Field surrogates.agree ")
item("a surrogate whose codes fall", "missing_surrogate", f"{S}.table_code", 1, 0, "Field surrogates.table_code ")
BRANCH = "Field surrogates.table_branch "
item("a surrogate with a branch too many", "missing_surrogate", f"{S}.table_branch", 0, 2, BRANCH)
item("a surrogate that leads one way", "missing_surrogate", f"{S}.table_branch", 1, 1, BRANCH)
