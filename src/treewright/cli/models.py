"""Model files on the command line: opening them, and describing a model in a few lines.

A model file holds an estimator, a tree or a set of rules; it is loaded without scikit-learn.
"""

import re
import sys
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import FileName
from treewright.errors import InputError
from treewright.language import N_, messages
from treewright.model.formatting import printable, truncate
from treewright.text_table import Grid

if TYPE_CHECKING:
    from treewright.data.schema import Schema
    from treewright.model.tree import Tree

ALGORITHMS = {
    "ID3Classifier": N_("ID3"),
    "C45Classifier": N_("C4.5"),
    "CARTClassifier": N_("CART"),
    "CARTRegressor": N_("CART regression tree"),
    "MDLTreeClassifier": N_("MDLTree"),
    "MDLTreeRegressor": N_("MDLTree regression tree"),
    "TreeClassifier": N_("custom tree"),
    "TreeRegressor": N_("custom regression tree"),
}
"""The algorithm of each estimator class."""

MAX_LINES = 60
"""Lines of a tree that `fit` prints by default."""

MAX_LINE = 400
"""Characters of one of these lines."""

model_argument = click.argument("model", metavar="MODEL", type=FileName())
"""MODEL: the path of a model file, the first argument of most commands."""


def open_model(path: str) -> Any:
    """Open a model file, "-" for stdin: an estimator without scikit-learn, a `Tree` or a `RuleSet`."""
    from treewright.loading import load_bytes_without_sklearn, load_without_sklearn

    return load_bytes_without_sklearn(sys.stdin.buffer.read()) if path == "-" else load_without_sklearn(path)


def open_estimator(path: str, command: str) -> Any:
    """Open a model file that must hold an estimator, for the named command."""
    model = open_model(path)
    if not hasattr(model, "grown_tree_"):
        raise InputError(
            f"{path!r} contains {describe_kind(model)}; `{command}` needs a model saved by `treewright fit`."
        )
    return model


def open_tree(path: str, command: str) -> "tuple[Any, Tree]":
    """Open a model file that must hold a tree, for the named command; return the model and its tree."""
    model = open_model(path)
    tree = tree_in(model)
    if tree is None:
        raise InputError(
            f"{path!r} contains {describe_kind(model)}; `{command}` needs a tree. Use the model the rules come from."
        )
    return model, tree


def tree_in(model: Any) -> "Tree | None":
    """Return the tree of a model; None for a set of rules."""
    from treewright.model.tree import Tree

    if isinstance(model, Tree):
        return model
    found: Tree | None = getattr(model, "tree_", None)
    return found


def schema_of(model: Any) -> "Schema":
    """Return the columns and the target of any model."""
    from treewright.data.schema import Schema, Target

    tree = tree_in(model)
    if tree is not None:
        return tree.schema
    classes = None if model.is_number else tuple(model.classes.tolist())
    return Schema(model._reader.columns, Target(model.target, classes))


def made_by(path: str) -> str | None:
    """Return which program wrote a model file, from its header; None if unknown, or from stdin."""
    from treewright.disk.compression import open_decompressed

    if path == "-":
        return None
    with open_decompressed(path) as stream:
        found = re.search(r'"made_by": *"([^"\\]*)"', stream.read(4096).decode("utf-8", "replace"))
    return None if found is None else truncate(printable(found[1]), 80)


def describe_kind(model: Any, language: str = "en") -> str:
    """Return what a model file holds."""
    from treewright.model.tree import Tree

    _ = messages(language)
    if isinstance(model, Tree):
        return _("only a tree")
    return _("a {kind}", kind=type(model).__name__) if hasattr(model, "tree_") else _("only rules")


def describe_algorithm(estimator: Any, language: str = "en") -> str:
    """Return the algorithm and the pruning method.

    >>> from treewright import C45Classifier
    >>> describe_algorithm(C45Classifier(variant="j48"))
    'C4.5 (j48), pruned by error_based'
    """
    from treewright.prune.registry import label_of

    _ = messages(language)
    kind = type(estimator).__name__
    variant = getattr(estimator, "variant", None)
    name = _(ALGORITHMS[kind]) if kind in ALGORITHMS else kind
    if variant is not None:
        name = f"{name} ({variant})"
    method = label_of(estimator._method())
    if method is None and getattr(estimator, "ccp_alpha", None) is not None:
        method = "cost_complexity"
    if method is None:
        return printable(_("{algorithm}, not pruned", algorithm=name))
    return printable(_("{algorithm}, pruned by {method}", algorithm=name, method=method))


def chosen_parameters(estimator: Any) -> dict[str, str]:
    """Return the parameters that differ from the defaults, as text.

    >>> from treewright import CARTClassifier
    >>> chosen_parameters(CARTClassifier(max_depth=3))
    {'max_depth': '3'}
    """
    from treewright.estimators.parameters import constructor_defaults, constructor_parameters

    defaults, given = constructor_defaults(estimator), constructor_parameters(estimator)
    return {name: _short(value) for name, value in given.items() if not _is_same(value, defaults.get(name))}


def describe_size(tree: "Tree", language: str = "en") -> str:
    """Return how large a tree is.

    >>> from treewright.model.build import golf_example
    >>> describe_size(golf_example())
    '8 nodes, 5 leaves, depth 2'
    """
    _ = messages(language)
    return _(
        "{nodes}, {leaves}, depth {depth}",
        nodes=_.plural("{n} node", "{n} nodes", tree.n_nodes, n=f"{tree.n_nodes:,}"),
        leaves=_.plural("{n} leaf", "{n} leaves", tree.n_leaves, n=f"{tree.n_leaves:,}"),
        depth=tree.depth,
    )


def size_dict(tree: "Tree") -> dict[str, int]:
    """Return the size of a tree as data."""
    return {"nodes": tree.n_nodes, "leaves": tree.n_leaves, "depth": tree.depth}


def schema_dict(tree: "Tree") -> dict[str, Any]:
    """Return the columns and the target of a model as data."""
    from treewright.model.formatting import format_category

    target = tree.schema.target
    classes = None if target.classes is None else [format_category(c) for c in target.classes]
    columns = [
        {"name": c.name, "kind": c.kind.name.lower(), "categories": c.n_categories}
        for c in tree.schema.columns
    ]
    return {"target": target.name, "classes": classes, "columns": columns}


def tree_lines(
    tree: "Tree", depth: int | None = None, most: int = MAX_LINES, language: str = "en"
) -> list[str]:
    """Return the text of a tree to the given depth, or as deep as the given number of lines allows.

    >>> from treewright.model.build import golf_example
    >>> tree_lines(golf_example(), most=4)
    ['outlook = sunny: ... (2 leaves)', 'outlook = overcast: Play (4)', 'outlook = rain: ... (2 leaves)',
     '(depth 1 of 2; print more with --depth)']
    """
    if depth is not None:
        return tree.to_text(depth, language).splitlines()
    from numpy import bincount

    lines_to = bincount(tree.depths).cumsum() - 1
    fits = [d for d in range(1, tree.depth + 1) if lines_to[d] <= most]
    shown = fits[-1] if fits else min(tree.depth, 1)
    lines = tree.to_text(shown, language).splitlines()
    _, below = messages(language), []
    if shown < tree.depth:
        below = [_("(depth {shown} of {depth}; print more with --depth)", shown=shown, depth=tree.depth)]
    if len(lines) > 2 * most:
        n = len(lines) - most
        below.insert(0, _.plural("… {n} more branch", "… {n} more branches", n, n=f"{n:,}"))
        lines = lines[:most]
    return [*(truncate(line, MAX_LINE) for line in lines), *below]


def aligned_pairs(lines: list[tuple[str, str]]) -> list[str]:
    """Return names and values as aligned lines.

    >>> aligned_pairs([("target", "play"), ("size", "8 nodes")])
    ['target  play', 'size    8 nodes']
    """
    cells = [[name, value] for name, value in lines]
    return Grid(cells[0], cells[1:], [False, False], []).lines() if cells else []


def _short(value: object) -> str:
    return truncate(printable(value if isinstance(value, str) else repr(value)), 120)


def _is_same(value: object, default: object) -> bool:
    try:
        return type(value) is type(default) and bool(value == default)
    except ValueError:  # an array among the parameters
        return False
