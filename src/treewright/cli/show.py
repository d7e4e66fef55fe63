"""`treewright show`: a model and its tree, a node, its rules, or the importances of its columns."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.command import language_option, option, subcommand
from treewright.cli.models import (
    aligned_pairs,
    chosen_parameters,
    describe_algorithm,
    describe_kind,
    describe_size,
    made_by,
    model_argument,
    open_model,
    schema_dict,
    size_dict,
    tree_in,
)
from treewright.cli.rules import open_rules
from treewright.cli.terminal import Terminal, bold
from treewright.data.ignored_columns import IGNORED
from treewright.language import messages
from treewright.model.formatting import format_category, printable, truncate

if TYPE_CHECKING:
    from treewright.model.node import Node
    from treewright.model.tree import Tree


@subcommand(
    examples=[
        "treewright show golf.json",
        "treewright show golf.json --depth 1",
        "treewright show golf.json --node 3",
        "treewright show golf.json --importances",
    ]
)
@model_argument
@option("--depth", type=click.IntRange(0), metavar="N", help="Maximum depth to print.")
@option("--node", type=click.IntRange(0), metavar="N", help="Print a node and its subtree.")
@option("--rules", is_flag=True, help="Print the rules of the leaves instead of the tree.")
@option("--importances", is_flag=True, help="Print the importances of the columns instead of the tree.")
@language_option
def command(terminal: Terminal, model: str, node: int | None, language: str, **options: Any) -> None:
    """Print a tree, a node, or the importances of the columns.

    The header has the algorithm, the size and the fingerprint, which is the same for the same tree and columns on every
    machine. Each leaf is followed by the weight of its training rows and, after a slash, of those of other classes.
    """
    found = open_model(model)
    tree = tree_in(found)
    if tree is None:
        terminal.print_json(found.to_dict())
        terminal.print(replace(found, language=language).to_text())
        return
    if terminal.as_json:
        terminal.print_json({"made_by": made_by(model)} | model_document(found, tree, node))
        return
    if node is not None:
        terminal.print("\n".join(node_lines(tree.node(node), options["depth"], language)))
        return
    terminal.print("\n".join(aligned_pairs(model_pairs(found, tree, made_by(model), language))))
    terminal.print()
    if options["importances"]:
        from treewright.explain.importance import importances

        terminal.print(str(importances(tree, language)))
    elif options["rules"]:
        terminal.print(open_rules(found, model, language=language).to_text())
    else:
        terminal.print(tree.to_text(options["depth"], language))


def model_pairs(model: Any, tree: "Tree", maker: str | None, language: str = "en") -> list[tuple[str, str]]:
    """Return the header: what the model is, and which program wrote it."""
    _ = messages(language)
    target = tree.schema.target
    classes = target.classes or ()
    shown = ", ".join(truncate(printable(format_category(c)), 30) for c in classes[:8])
    if not classes:
        described = _("{target}, a number", target=printable(target.name))
    elif len(classes) > 8:
        described = _(
            "{target}: {classes} and {n} more",
            target=printable(target.name),
            classes=shown,
            n=len(classes) - 8,
        )
    else:
        described = f"{printable(target.name)}: {shown}"
    is_estimator = hasattr(model, "grown_tree_")
    lines = [
        (_("model"), describe_algorithm(model, language) if is_estimator else describe_kind(model, language))
    ]
    if maker is not None:
        lines.append((_("made by"), maker))
    lines += [(f"  {name}", value) for name, value in model_parameters(model).items()]
    lines.append((_("target"), described))
    lines.append((_("columns"), f"{tree.schema.n_columns:,}"))
    for one in getattr(model, "_ignored", ()):
        name = truncate(printable(one.name), 40)
        lines.append((_("ignored"), _("{column}: {reason}", column=name, reason=_(IGNORED[one.reason]))))
    lines.append((_("training rows"), f"{int(tree.count[0]):,}"))
    lines.append((_("size"), describe_size(tree, language)))
    grown = getattr(model, "grown_tree_", tree)
    if grown.n_nodes != tree.n_nodes:
        lines.append((_("before pruning"), describe_size(grown, language)))
    lines.append((_("fingerprint"), tree.fingerprint()))
    return lines


def model_parameters(model: Any) -> dict[str, str]:
    """Return the parameters that differ from the defaults."""
    return chosen_parameters(model) if hasattr(model, "grown_tree_") else {}


def model_document(model: Any, tree: "Tree", node: int | None) -> dict[str, Any]:
    """Return the model and its nodes, or one node, as data that JSON can hold."""
    from treewright.explain.importance import importances

    if node is not None:
        return node_dict(tree.node(node))
    return {
        "kind": describe_kind(model) if not hasattr(model, "grown_tree_") else type(model).__name__,
        "parameters": model_parameters(model),
        **schema_dict(tree),
        "ignored": [{"name": one.name, "reason": one.reason} for one in getattr(model, "_ignored", ())],
        "rows": int(tree.count[0]),
        "tree": size_dict(tree),
        "grown": size_dict(getattr(model, "grown_tree_", tree)),
        "fingerprint": tree.fingerprint(),
        "importances": importances(tree).to_dict()["rows"],
        "text": tree.to_text(),
        "nodes": [node_dict(one) for one in tree.walk()],
    }


def node_dict(node: "Node") -> dict[str, Any]:
    """Return a node as data."""
    split, parent = node.split, node.parent
    found: dict[str, Any] = {
        "node": node.id,
        "parent": None if parent is None else parent.id,
        "depth": node.depth,
        "branch": node.branch_words,
        "column": None if split is None else split.name,
        "children": [child.id for child in node.children],
        "rows": node.count,
        "weight": node.weight,
        "impurity": node.impurity,
        "gain": None if split is None else node.gain,
    }
    if node.tree.schema.target.is_number:
        return found | {"prediction": node.value, "class_weights": None, "probabilities": None}
    weights, probabilities = (
        [[format_category(name), one] for name, one in by_class.items()]
        for by_class in (node.class_weights, node.probabilities)
    )
    return found | {
        "prediction": format_category(node.majority),
        "class_weights": weights,
        "probabilities": probabilities,
    }


def node_lines(node: "Node", depth: int | None, language: str = "en") -> list[str]:
    """Return a node in words, and the text of its subtree."""
    from treewright.model.tree_text import node_facts, subtree_text

    _ = messages(language)
    lines = aligned_pairs(node_facts(node, language))
    if node.is_leaf:
        return lines
    return [*lines, "", bold(_("Subtree")), *subtree_text(node.tree, node.id, depth, language).splitlines()]
