"""Models: from the path on a command line to a model that can be asked.

In: the path of a model file, "-" for stdin. Out: an estimator, a tree or a set of rules; a verb that needs more than it
is given says so in a sentence.
"""

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.verb import FileName
from treewright.errors import InputError

if TYPE_CHECKING:
    from treewright.data.schema import Schema
    from treewright.model.tree import Tree

model_argument = click.argument("model", metavar="MODEL", type=FileName())
"""MODEL: the path of a model file, the first argument of most verbs."""


def open_model(path: str) -> Any:
    """The model in a file: an estimator without scikit-learn, a `Tree` or a `RuleSet`."""
    from treewright.loading import load_plain, load_plain_bytes

    return load_plain_bytes(sys.stdin.buffer.read()) if path == "-" else load_plain(path)


def open_estimator(path: str, wish: str) -> Any:
    """The estimator in a file; a tree or rules alone are refused, for they cannot fulfil the wish.

    wish  what is wanted, as in "to be pruned"
    """
    model = open_model(path)
    if not hasattr(model, "grown_tree_"):
        raise InputError(f"{path!r} holds {kind_of(model)}, but {wish} needs a model as `treewright fit` keeps it.")
    return model


def open_tree(path: str, wish: str) -> "tuple[Any, Tree]":
    """The model in a file and its tree: of an estimator the one that answers; rules alone are refused."""
    model = open_model(path)
    tree = tree_in(model)
    if tree is None:
        raise InputError(f"{path!r} holds {kind_of(model)}, but {wish} needs a tree; give the model of the rules.")
    return model, tree


def tree_in(model: Any) -> "Tree | None":
    """The tree of a model; None where it is a set of rules."""
    from treewright.model.tree import Tree

    if isinstance(model, Tree):
        return model
    found: Tree | None = getattr(model, "tree_", None)
    return found


def schema_of(model: Any) -> "Schema":
    """The columns and the target of a model, whatever it is."""
    from treewright.data.schema import Schema, Target

    tree = tree_in(model)
    if tree is not None:
        return tree.schema
    classes = None if model.is_number else tuple(model.classes.tolist())
    return Schema(model._reader.columns, Target(model.target, classes))


def made_by(path: str) -> str | None:
    """Which program wrote a model file, as its head says; None where it does not, or where it came from stdin."""
    from treewright.disk.squeeze import open_plain
    from treewright.model.words import beginning, printable

    if path == "-":
        return None
    with open_plain(path) as stream:
        found = re.search(r'"made_by": *"([^"\\]*)"', stream.read(4096).decode("utf-8", "replace"))
    return None if found is None else beginning(printable(found[1]), 80)


def kind_of(model: Any) -> str:
    """What a file holds, in words."""
    from treewright.model.tree import Tree

    if isinstance(model, Tree):
        return "a tree alone"
    return f"a {type(model).__name__}" if hasattr(model, "tree_") else "rules alone"
